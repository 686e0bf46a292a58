// Headless Chromium for the scripts of this folder, which end with status 77 where something of it is missing.

import {spawnSync} from 'node:child_process'
import {createRequire} from 'node:module'
import {dirname, join} from 'node:path'
import {fileURLToPath} from 'node:url'

const root = join(dirname(fileURLToPath(import.meta.url)), '..', '..')

function skip(what) {
  console.log(`skipped: ${what}`)
  process.exit(77)
}

/** A package, or null. */
export function find(name) {
  for (const from of [join(root, 'target', 'tools', 'node_modules', 'x.js'), import.meta.url]) {
    try {
      return createRequire(from)(name)
    } catch (error) {
      if (error.code !== 'MODULE_NOT_FOUND') throw error
    }
  }
  return null
}

const load = name => find(name) ?? skip(`${name} is not installed (npm install ${name})`)

const {chromium} = load('playwright-core')
const names = [process.env.CHROMIUM, 'chromium', 'chromium-browser', 'google-chrome'].filter(Boolean)
// Ubuntu's package is a script that asks for a snap where there is none.
const browserPath = names.map(name => spawnSync('sh', ['-c', `command -v ${name}`], {encoding: 'utf8'}).stdout.trim())
  .find(path => path && spawnSync(path, ['--version']).status === 0)
  ?? skip('Chromium is not installed (apt install chromium)')

/** A browser with a profile of its own. */
export const launch = () => chromium.launch({executablePath: browserPath, args: ['--no-sandbox']})
