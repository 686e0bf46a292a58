#!/usr/bin/env node
// The modules of the page of `sanqi serve`, and of a person's seat in a match, as TypeScript's compiler reads them.
//
// Exit status: 0 when it finds nothing, 1 when it does, 77 when the package typescript is missing.

import {spawnSync} from 'node:child_process'
import {copyFileSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync} from 'node:fs'
import {createRequire} from 'node:module'
import {tmpdir} from 'node:os'
import {dirname, join} from 'node:path'
import {fileURLToPath} from 'node:url'

const root = join(dirname(fileURLToPath(import.meta.url)), '..', '..')

function compiler() {
  for (const from of [join(root, 'target', 'tools', 'node_modules', 'x.js'), import.meta.url]) {
    try {
      return createRequire(from).resolve('typescript/bin/tsc')
    } catch { /* Not there. */ }
  }
  console.log('skipped: typescript is not installed (npm install typescript)')
  process.exit(77)
}

const tsc = compiler(), folder = mkdtempSync(join(tmpdir(), 'sanqi-')), folders = ['page', 'serve/page'].map(name => join(root, 'src', name))
for (const from of folders) {
  for (const name of readdirSync(from).filter(name => name.endsWith('.js'))) copyFileSync(join(from, name), join(folder, name))
}
// The server sends both as one file.
const boards = ['boards.js', 'pieces.js'].map(name => readFileSync(join(root, 'src', 'page', name), 'utf8'))
writeFileSync(join(folder, 'boards.js'), boards.join(''))
const options = ['--noEmit', '--allowJs', '--checkJs', '--skipLibCheck', '--target', 'esnext', '--module', 'esnext', '--moduleResolution', 'bundler', '--lib', 'esnext,dom,dom.iterable']
const {status, stdout} = spawnSync(process.execPath, [tsc, ...options, 'app.js', 'seat.js'], {cwd: folder, encoding: 'utf8'})
rmSync(folder, {recursive: true})
console.log(stdout)
process.exit(status ? 1 : 0)
