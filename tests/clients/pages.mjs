#!/usr/bin/env node
// Every page that the program writes, on telephones, a small and a large window, by day and by night, in English and
// Chinese: nothing sticks out at the right, nothing fails. In those with a game the keys go through it, lines that were
// better can be followed, and Share gives the position on the board. Printed pages have no buttons.
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
const WINDOWS = [[360, 'dark'], [390, 'light'], [500, 'dark'], [1280, 'light']]

const folder = mkdtempSync(join(tmpdir(), 'sanqi-pages-'))
const at = name => join(folder, name)
const player = name => ['--engine', `cmd=${engine}`, 'args=uci', `name=${name}`]

/** Pages by name: arguments that make one, its name behind them, and what has to be on it. */
const PAGES = {
  match: [['match', '--game', 'chess', '--each', 'tc=nodes=300', '--games', '12', ...player('a player'), ...player('another'), '--report'], '#elo polyline'],
  redAndBlack: [['match', '--game', 'xiangqi', '--each', 'tc=nodes=100', '--games', '1', '--rounds', '1', ...player('a player'), ...player('another'), '--report'], '.viewer .han'],
  xiangqi: [['analyze', at('game.xiangqi.pgn'), '--nodes', '100', '--report'], 'svg .han'],
  chess: [['analyze', at('game.pgn'), '--nodes', '300', '--report'], '.viewer svg'],
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
writeFileSync(at('game.sgf'), '(;GM[1]FF[4]SZ[19]KM[7];B[pd]LB[dd:A]TR[pp];W[dp];B[pp];W[dd];B[fc];W[cf])')

function write(name, language) {
  const file = at(`${name}-${language}.html`)
  const made = spawnSync(engine, [...PAGES[name][0], file, ...LAST[name] ?? []], {encoding: 'utf8', env: {...process.env, LC_ALL: language}})
  if (made.status !== 0) throw new Error(`${name}: ${made.status} ${made.stderr}`)
  return pathToFileURL(file).href
}

/** Where the viewer is: the move that is marked, how many moves there are, and what stands on the board. */
const viewed = page => page.evaluate(() => {
  const box = document.querySelector('.viewer'), main = [...box.querySelectorAll('.moves > a')]
  const stones = [...box.querySelectorAll('svg.board .stones circle')].map(stone => `${stone.getAttribute('cx')},${stone.getAttribute('cy')}`)
  return {
    at: main.findIndex(link => link.classList.contains('now')), count: main.length, title: box.querySelector('h3')?.textContent ?? '',
    board: [...box.querySelectorAll('svg.board [data-at]')].map(piece => piece.dataset.at).sort().join() + stones.sort().join(' '),
  }
})

/** Goes through the game of a page by its keys; what is wrong. */
async function step(page, name) {
  const faults = [], check = (isRight, what) => { if (!isRight) faults.push(`${name}: ${what}`) }
  const {at: opened, count} = await viewed(page)
  check(opened >= 0, 'it opens before the first move')
  const press = async key => { await page.keyboard.press(key); return viewed(page) }
  const start = await press('Home')
  check(start.at === -1 && start.title === '', 'Home is not the start')
  const first = await press('ArrowRight')
  check(first.at === 0 && first.board !== start.board, 'the first move is not shown')
  check((await press('ArrowLeft')).board === start.board, 'a step back is not the position before')
  const end = await press('End')
  check(end.at === count - 1 && end.title !== first.title, 'End is not the last move')
  check((await press('ArrowRight')).at === end.at, 'a step goes beyond the end')
  await page.click('.viewer .moves > a')
  check((await viewed(page)).board === first.board, 'a move of the list is not shown')
  const better = await page.$('.viewer .moves .side a')
  if (better) {
    await better.click()
    const found = await viewed(page)
    check(found.at === -1 && found.title !== '' && await page.$('.better a.now'), 'a better line cannot be followed')
  }
  await press('Home')
  await press('End')
  check(await page.evaluate(() => document.querySelector('.viewer').getBoundingClientRect().width > 0), 'the viewer is hidden')
  return faults
}

/** What is there to press on paper. */
const onPaper = async page => {
  await page.emulateMedia({media: 'print'})
  const found = await page.$$eval('button, select, input, summary.button', all => all.filter(one => one.checkVisibility()).map(one => one.textContent || one.tagName))
  await page.emulateMedia({media: null})
  return found
}

/** The position and the record that a page shares, at the end of its game. */
async function shared(page) {
  await page.evaluate(() => { navigator.clipboard.writeText = async text => { window.copied = text } })
  const texts = []
  for (const index of [0, 1]) {
    await page.evaluate(index => document.querySelectorAll('.share button')[index].click(), index)
    texts.push(await page.waitForFunction(() => { const text = window.copied; window.copied = ''; return text }).then(found => found.jsonValue()))
  }
  return texts
}

/** What pages share: the position at the end, and a part of the record. */
const SHARED = {
  chess: ['r1bqkbnr/1pp3pp/p1p2p2/4p3/4P3/5N2/PPPP1PPP/RNBQ1RK1 w kq - 0 6', '4. Bxc6'],
  xiangqi: ['rnbakabr1/9/1c4nc1/p1p1p1p1p/9/9/P1P1P1P1P/1C2C1N2/9/RNBAKAB1R w - - 4 3', 'Chinese Chess'],
  go: ['(;GM[1]FF[4]SZ[19]AB[fc][pd][pp]AW[dd][cf][dp]PL[B])', 'KM[7]'],
}

/** The characters of xiangqi: black, red. */
const PIECES = 'rgb(179, 32, 28),rgb(29, 42, 36)'

/** Opens the page in all windows; what is wrong with it. */
async function look(browser, name, url) {
  const faults = []
  for (const [width, colorScheme] of WINDOWS) {
    const page = await browser.newPage({viewport: {width, height: 800}, colorScheme})
    page.on('pageerror', error => faults.push(`${name}: ${error.stack}`))
    await page.goto(url)
    await page.waitForSelector(PAGES[name][1], {state: 'attached'})
    const right = await page.evaluate(() => document.documentElement.scrollWidth)
    if (right > width) faults.push(`${name}: ${right} pixels wide in a window of ${width}`)
    if (width === WINDOWS.at(-1)[0] && await page.$('.viewer .moves > a')) {
      faults.push(...await step(page, name))
      if (name === 'go') {
        await page.keyboard.press('Home')
        await page.keyboard.press('ArrowRight')
        if (await page.$$eval('.viewer .markup :is(.letter, .sign)', all => all.length) !== 2) faults.push(`${name}: no markup`)
        await page.keyboard.press('End')
      }
      const [position, part] = SHARED[name] ?? []
      const texts = position ? await shared(page) : []
      if (position && texts[0] !== position) faults.push(`${name}: it shares ${texts[0]}`)
      if (part && !texts[1].includes(part)) faults.push(`${name}: its record is ${texts[1]}`)
    } else if (PAGES[name][1] !== 'pre' && !await page.$('.viewer .moves > a')) faults.push(`${name}: there is no game to look at`)
    const [ink, paper] = await page.evaluate(() => { const {color, backgroundColor} = getComputedStyle(document.body); return [color, backgroundColor].map(text => parseInt(text.slice(4), 10)) })
    if ((ink > paper) !== (colorScheme === 'dark')) faults.push(`${name}: a ${colorScheme} page has ink ${ink} on ${paper}`)
    const found = await page.$$eval('svg .han', all => [...new Set(all.map(piece => getComputedStyle(piece).fill))].sort().join())
    // Chinese has marks of its own.
    const marks = await page.evaluate(() => document.documentElement.lang === 'zh' && /[\u4e00-\u9fff][,;:] /.exec(document.querySelector('table.text')?.textContent ?? '')?.[0])
    if (marks) faults.push(`${name}: "${marks}" in Chinese`)
    if (found && found !== PIECES || !found && PAGES[name][1].includes('.han')) faults.push(`${name}: pieces in ${found || 'no color'} on a ${colorScheme} page`)
    const buttons = await onPaper(page)
    if (buttons.length) faults.push(`${name}: on paper stands ${buttons.join(', ')}`)
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
console.log(faults.length ? '' : `${Object.keys(PAGES).length} pages fit windows of ${WINDOWS.map(([width]) => width).join(', ')} pixels`)
process.exit(faults.length ? 1 : 0)
