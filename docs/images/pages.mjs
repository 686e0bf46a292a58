#!/usr/bin/env node
// Takes the pictures of the pages for README and docs: `make pictures`. The file pages.sum beside them has a
// digest of what the pages are made of, which tests/pages.rs compares.
//
//     docs/images/pages.mjs ./sanqi docs/images    (the engine as the reports show it, from the project's root)

import {spawn, spawnSync} from 'node:child_process'
import {createHash} from 'node:crypto'
import {mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync} from 'node:fs'
import {tmpdir} from 'node:os'
import {dirname, join} from 'node:path'
import {createInterface} from 'node:readline'
import {fileURLToPath, pathToFileURL} from 'node:url'
import {launch} from '../../tests/clients/browser.mjs'
import {begin, movesAre, type} from '../../tests/clients/serve_page.mjs'

const root = join(dirname(fileURLToPath(import.meta.url)), '..', '..')
const [engine, folder] = process.argv.slice(2)
const work = mkdtempSync(join(tmpdir(), 'sanqi-'))

// Morphy's game at the opera, 1858; a variation of 屏风马 against 中炮; the opening of Shusaku's ear-reddening game, 1846.
const RECORDS = {
  'opera.pgn': `[Event "Paris"]
[White "Paul Morphy"]
[Black "Duke Karl, Count Isouard"]
[Date "1858.11.02"]
[Result "1-0"]

1. e4 e5 2. Nf3 d6 3. d4 Bg4 4. dxe5 Bxf3 5. Qxf3 dxe5 6. Bc4 Nf6 7. Qb3 Qe7 8. Nc3 c6 9. Bg5 b5 10. Nxb5 cxb5
11. Bxb5+ Nbd7 12. O-O-O Rd8 13. Rxd7 Rxd7 14. Rd1 Qe6 15. Bxd7+ Nxd7 16. Qb8+ Nxb8 17. Rd8# 1-0
`,
  'xiangqi.pgn': `[Game "Chinese Chess"]
[Event "中炮对屏风马"]
[Red "红方"]
[Black "黑方"]
[Format "Chinese"]

1. 炮二平五 马8进7 2. 马二进三 车9平8 3. 车一平二 马2进3 4. 兵七进一 卒7进1 5. 车二进六 炮8平9 6. 车二平三 炮9退1
7. 马八进七 士4进5 8. 炮八平九 炮9平7 9. 车三平四 *
`,
  'go.sgf': `(;FF[4]GM[1]SZ[19]KM[0]PB[Shusaku]PW[Gennan Inseki]DT[1846-07-21]
;B[qd];W[dc];B[pq];W[oc];B[cp];W[cf];B[ep];W[qo];B[pe];W[np];B[po];W[pp];B[op];W[qp];B[oq];W[oo];B[pn];W[qq];B[nq];W[on];B[pm];W[om];B[pl];W[mp];B[mq];W[ol])
`,
}

const LOOKS = {
  light: {viewport: {width: 1280, height: 860}},
  dark: {viewport: {width: 1280, height: 860}, colorScheme: 'dark'},
  phone: {viewport: {width: 390, height: 844}, isMobile: true, hasTouch: true},
}

function serve() {
  const child = spawn(engine, ['serve', '--port', '0', '--store', join(work, 'store'), '--threads', '1'], {cwd: root, stdio: ['ignore', 'pipe', 'inherit']})
  return new Promise((resolve, reject) => {
    child.on('error', reject)
    createInterface({input: child.stdout}).once('line', url => resolve({child, url}))
  })
}

const {child, url} = await serve()
const browser = await launch()

/** Opens the page in a look and a language. */
async function open(look, locale, path = '') {
  const context = await browser.newContext({...LOOKS[look], locale})
  const page = await context.newPage()
  page.setDefaultTimeout(120000)
  await page.goto(url + path)
  await page.waitForSelector('body[data-ready=true]')
  if (path) await page.waitForSelector('#status h3')
  return page
}

async function load(page, name) {
  await page.setInputFiles('#file', {name, mimeType: 'text/plain', buffer: Buffer.from(RECORDS[name])})
  await page.waitForFunction(() => document.querySelectorAll('#moves a').length > 5)
}

async function take(page, name) {
  // Where the games of this run are kept is not for a picture.
  await page.evaluate(work => { const at = document.getElementById('folder'); if (at) at.textContent = at.textContent.replace(work, '~/.local/share/sanqi').replace(/\/store$/, '') }, work)
  // What fades and slides has come to rest.
  await page.mouse.move(1, 1)
  await page.waitForTimeout(700)
  await page.screenshot({path: join(folder, `${name}.png`)})
  await page.context().close()
}

async function analyze(look, locale, record, name, ply) {
  const page = await open(look, locale, '#game')
  await load(page, record)
  await page.click(`#moves a >> nth=${ply}`)
  // The pages share their settings.
  if (!await page.isChecked('#analyze')) await page.click('.switch:has(#analyze)')
  await page.waitForSelector('#pvs .pv a')
  await page.waitForTimeout(4000)
  await take(page, name)
}

async function review(look, locale, name) {
  const page = await open(look, locale, '#game')
  await load(page, 'opera.pgn')
  if (await page.isChecked('#analyze')) await page.click('.switch:has(#analyze)')
  await page.click('#do-review')
  await page.waitForFunction(() => document.querySelector('#accuracy').textContent.includes('%'))
  await page.click('#turns a')
  await take(page, name)
}

/** A blunder against the engine, which warns. */
async function coach(name) {
  const page = await open('light', 'en', '#game')
  if (await page.isChecked('#analyze')) await page.click('.switch:has(#analyze)')
  await begin(page, 'chess', {me: 0, warn: 'on', pace: 'instant', level: 5})
  await type(page, 'e4')
  for (const text of ['Nf3', 'Ng5', 'Qh5', 'Nxe5', 'Nxf7', 'Qxh7', 'Qg6', 'Qxf7']) {
    await page.waitForSelector('#player-bottom .turn')
    const count = await page.$$eval('#moves a', all => all.length)
    await type(page, text)
    // Not each is legal in each game.
    await page.waitForFunction(count => document.getElementById('warned') || document.querySelectorAll('#moves a').length === count + 2, count, {timeout: 5000}).catch(() => {})
    if (await page.$('#warned')) return take(page, name)
  }
  throw new Error('no warning')
}

/** A game on a phone, as it is played. */
async function phone(name) {
  const page = await open('phone', 'en', '#game')
  await begin(page, 'xiangqi', {me: 0, warn: 'off', pace: 'instant', level: 5})
  for (const [i, text] of ['C2=5', 'H2+3', 'R1=2'].entries()) {
    await type(page, text)
    await movesAre(page, 2 * i + 2)
  }
  await page.evaluate(() => scrollTo(0, 0))
  await take(page, name)
}

async function report(name, locale) {
  const path = join(work, 'match.html')
  const words = ['match', '--game', 'xiangqi', '--openings', 'none', '--games', '20', '--report', path, '--lang', locale]
  const unit = locale === 'zh' ? '结点' : 'nodes'
  for (const [player, nodes] of [[`4,000 ${unit}`, 4000], [`3,000 ${unit}`, 3000]]) {
    words.push('--engine', `cmd=${engine}`, 'args=ucci', 'proto=ucci', `name=${player}`, `nodes=${nodes}`, 'option.randomness=20')
  }
  const {status, stderr} = spawnSync(engine, words, {encoding: 'utf8', cwd: root})
  if (status !== 0) throw new Error(stderr)
  const page = await (await browser.newContext({viewport: {width: 1280, height: 860}})).newPage()
  await page.goto(pathToFileURL(path).href)
  await take(page, name)
}

try {
  await take(await open('light', 'en'), 'home')
  await take(await open('phone', 'zh-CN'), 'home-phone-zh')
  await analyze('light', 'en', 'go.sgf', 'serve-go', 24)
  await analyze('light', 'zh-CN', 'xiangqi.pgn', 'serve-xiangqi-zh', 16)
  await analyze('dark', 'en', 'opera.pgn', 'serve-dark', 16)
  await review('light', 'en', 'review')
  await review('light', 'zh-CN', 'review-zh')
  await coach('coach')
  await phone('play-phone')
  await report('report', 'en')
  await report('report-zh', 'zh')
} finally {
  await browser.close()
  child.kill()
  rmSync(work, {recursive: true})
}

/** What the pages are made of, as tests/pages.rs has it. */
const hash = createHash('sha256')
for (const from of ['src/page', 'src/serve/page']) {
  for (const name of readdirSync(join(root, from)).sort()) {
    if (statSync(join(root, from, name)).isFile() && !name.endsWith('.rs')) hash.update(`${name}\n`).update(readFileSync(join(root, from, name)))
  }
}
writeFileSync(join(folder, 'pages.sum'), `${hash.digest('hex')}\n`)
