#!/usr/bin/env node
// Every page that the program writes, on a telephone, a small and a large window, in English and Chinese: nothing sticks
// out at the right, nothing fails.
//
// Exit status: 0 when all went well, 1 when not, 77 when Chromium or the package playwright-core is missing.
//
//     tests/clients/pages.mjs [ENGINE]

import {spawnSync} from 'node:child_process'
import {existsSync, mkdtempSync, rmSync, writeFileSync} from 'node:fs'
import {tmpdir} from 'node:os'
import {dirname, join} from 'node:path'
import {fileURLToPath, pathToFileURL} from 'node:url'
import {launch} from './browser.mjs'

const root = join(dirname(fileURLToPath(import.meta.url)), '..', '..')
const engine = process.argv[2] ?? join(root, 'sanqi')
if (!process.argv[2] && !existsSync(engine)) {
  console.log('skipped: the engine is not built')
  process.exit(77)
}
const WIDTHS = [360, 500, 1280]

const folder = mkdtempSync(join(tmpdir(), 'sanqi-pages-'))
const at = name => join(folder, name)
const player = name => ['--engine', `cmd=${engine}`, 'args=uci', `name=${name}`]

/** Pages by name: arguments that make one, its name behind them, and what has to be on it. */
const PAGES = {
  match: [['match', '--game', 'chess', '--each', 'tc=nodes=300', '--games', '12', ...player('a player'), ...player('another'), '--report'], '#elo polyline'],
  redAndBlack: [['match', '--game', 'xiangqi', '--each', 'tc=nodes=100', '--games', '1', '--rounds', '1', ...player('a player'), ...player('another'), '--report'], '#board .han'],
  xiangqi: [['analyze', at('game.xiangqi.pgn'), '--nodes', '100', '--report'], 'svg .han'],
  chess: [['analyze', at('game.pgn'), '--nodes', '300', '--report'], 'svg'],
  go: [['analyze', at('game.sgf'), '--nodes', '20', '--report'], 'svg'],
  gallery: [['judge', '--gallery'], 'svg'],
  judge: [['judge', '--html'], 'svg'],
  // Of an engine without a name.
  check: [['check', '--quick', '--only', 'handshake', '--html'], 'pre'],
}
/** What stands behind the name of the page. */
const LAST = {
  judge: ['--moves', ...Array(3).fill(['a0a1', 'a9a8', 'a1a0', 'a8a9']).flat()],
  check: ['python3', join(root, 'tests', 'bad_engines', 'faulty.py'), 'uci', 'no-name', engine, 'uci'],
}

writeFileSync(at('game.pgn'), '[White "Somebody with a long name"]\n\n1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 4. Bxc6 dxc6 5. O-O f6 *\n')
writeFileSync(at('game.xiangqi.pgn'), '[Game "Chinese Chess"]\n[Format "Chinese"]\n\n1. 炮二平五 马8进7 2. 马二进三 车9平8 *\n')
writeFileSync(at('game.sgf'), '(;GM[1]FF[4]SZ[19]KM[7];B[pd];W[dp];B[pp];W[dd];B[fc];W[cf])')

function write(name, language) {
  const file = at(`${name}-${language}.html`)
  const made = spawnSync(engine, [...PAGES[name][0], file, ...LAST[name] ?? []], {encoding: 'utf8', env: {...process.env, LC_ALL: language}})
  if (made.status !== 0) throw new Error(`${name}: ${made.status} ${made.stderr}`)
  return pathToFileURL(file).href
}

/** The characters of xiangqi: black, red. */
const PIECES = 'rgb(179, 32, 28),rgb(29, 42, 36)'

/** Opens the page in windows of all widths; what is wrong with it. */
async function look(browser, name, url) {
  const faults = []
  for (const width of WIDTHS) {
    const page = await browser.newPage({viewport: {width, height: 800}})
    page.on('pageerror', error => faults.push(`${name}: ${error.stack}`))
    await page.goto(url)
    await page.waitForSelector(PAGES[name][1], {state: 'attached'})
    const right = await page.evaluate(() => document.documentElement.scrollWidth)
    if (right > width) faults.push(`${name}: ${right} pixels wide in a window of ${width}`)
    await page.close()
  }
  for (const colorScheme of ['light', 'dark']) {
    const page = await browser.newPage({colorScheme})
    await page.goto(url)
    const found = await page.$$eval('svg .han', all => [...new Set(all.map(piece => getComputedStyle(piece).fill))].sort().join())
    if (found && found !== PIECES || !found && PAGES[name][1].includes('.han')) faults.push(`${name}: pieces in ${found || 'no color'} on a ${colorScheme} page`)
    await page.close()
  }
  return faults
}

const browser = await launch()
const faults = []
try {
  for (const name of Object.keys(PAGES)) for (const language of ['C', 'zh_CN.UTF-8']) faults.push(...await look(browser, name, write(name, language)))
} finally {
  await browser.close()
  rmSync(folder, {recursive: true})
}
faults.forEach(fault => console.log(fault))
console.log(faults.length ? '' : `${Object.keys(PAGES).length} pages fit windows of ${WIDTHS.join(', ')} pixels`)
process.exit(faults.length ? 1 : 0)
