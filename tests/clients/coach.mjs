#!/usr/bin/env node
// The coach and other engines on the page of `sanqi serve`, in headless Chromium: mistakes in words, a warning that offers the
// move back, threats, the sheet at the end of a game, engines against each other, and one that fails.
//
// Exit status: 0 when all went well, 1 when not, 77 when Chromium or the package playwright-core is missing.
//
//     tests/clients/coach.mjs ENGINE [--pictures FOLDER]

import {join} from 'node:path'
import {check, choose, engine, openPage, photograph as picture, pictures, playFlows, root, run, saved, start, type} from './serve_page.mjs'

const bad = way => `python3 ${join(root, 'tests', 'bad_engines', 'bad.py')} ${way}`
const ENGINES = ['--engine', `Twin=${engine} uci`, 'nodes=2000', `Stone=${engine} gtp`, `Crash=${bad('crashes-in-game')}`]

const moves = (page, count) => page.waitForFunction(count => document.querySelectorAll('#moves a').length >= count, count)
const FILES = {
  chess: '[White "Beginner"]\n[Black "Légal"]\n\n1. e4 e5 2. Nf3 d6 3. Bc4 Bg4 4. Nc3 g6 5. Nxe5 Bxd1 6. Bxf7+ Ke7 7. Nd5# 1-0\n',
  xiangqi: '[Game "Chinese Chess"]\n[Red "甲"]\n[Black "乙"]\n[Format "Chinese"]\n\n1. 炮二平五 马8进7 2. 炮五进四 卒3进1 3. 马二进三 马7进5 4. 兵七进一 *\n',
  go: '(;GM[1]FF[4]SZ[9]KM[7]PB[b]PW[w];B[ee];W[gc];B[gd];W[fc];B[aa];W[fd];B[ab];W[fe];B[ba];W[ed])',
}

/** A reviewed game has words for its mistakes, which are kept and saved. */
async function review(page, game, isWhole) {
  await page.setInputFiles('#file', {name: `game.${game === 'go' ? 'sgf' : 'pgn'}`, mimeType: 'text/plain', buffer: Buffer.from(FILES[game])})
  await moves(page, game === 'chess' ? 13 : 6)
  await page.click('#do-review')
  await page.waitForFunction(() => document.querySelector('#accuracy').textContent.includes('%'))
  await page.waitForSelector('#turns a')
  if (game === 'go') {
    // The stones that lost points have a dot.
    await page.click('#do-last')
    await page.click('#do-numbers')
    await page.waitForSelector('#board .loss')
    check(await page.$$eval('#board .number', all => all.length) === 10, 'a stone has no number')
    await page.click('#do-numbers')
    await page.waitForSelector('#board .loss', {state: 'detached'})
  }
  if (!isWhole) return
  const found = await page.textContent('#turns')
  check(found.includes('allows mate in 2, beginning with Bxf7+'), `no words: ${found}`)
  await page.click('#turns a:has-text("Bxd1")')
  await page.waitForSelector('#status .why:has-text("allows mate in 2")')
  check(/Bxd1 \$4 \{[^}]*allows mate in 2/.test(await saved(page)), 'the words are not saved')
  await page.click('#do-last')
  await page.waitForSelector('#sheet div')
  await page.waitForTimeout(800)
  await page.reload()
  await page.waitForSelector('body[data-ready=true]')
  await page.waitForFunction(() => document.querySelector('#turns')?.textContent.includes('allows mate in 2'))
  await page.click('#do-language')
  await page.waitForFunction(() => document.querySelector('#turns').textContent.includes('2 步杀'))
  await page.click('#do-language')
  await page.click('#learn')
  await page.waitForSelector('[data-do=show-answer]')
  await page.click('[data-do=next-lesson]')
  await page.click('[data-do=next-lesson]')
  await page.click('[data-do=show-answer]')
  await page.waitForSelector('#status .why:has-text("allows mate in 2")')
  await page.click('[data-do=end-lesson]')
}

/** After a blunder the engine waits, the board says why, and the move can be taken back or stands. */
async function practice(page) {
  await choose(page, 'chess', {me: 0, warn: 'on', pace: 'instant', level: 1})
  await picture(page, 'new-warn')
  await start(page)
  await type(page, 'e4')
  await moves(page, 2)
  await page.waitForSelector('#player-bottom .turn')
  await type(page, 'Qg4')
  await page.waitForFunction(() => document.querySelectorAll('#moves a').length >= 4 || document.getElementById('warned'))
  for (const blunder of ['Qxg7', 'Qxd7', 'Qg6', 'Qe6', 'Qh5', 'Qf5', 'Ba6', 'Qxg8']) {
    if (await page.$('#warned')) break
    await page.waitForSelector('#player-bottom .turn')
    const before = await page.$$eval('#moves a', all => all.length)
    await type(page, blunder)
    await page.waitForTimeout(300)
    if (await page.$$eval('#moves a', all => all.length) === before) continue
    await page.waitForFunction(before => document.getElementById('warned') || document.querySelectorAll('#moves a').length >= before + 2, before)
  }
  await page.waitForSelector('#warned')
  await picture(page, 'warned')
  const count = await page.$$eval('#moves a', all => all.length)
  check(await page.$('#board .threat'), 'the answer is not shown')
  await page.click('[data-do=take-it-back]')
  await page.waitForFunction(count => document.querySelectorAll('#moves a').length === count - 1, count)
  check(!await page.$('#warned'), 'the warning stays')
  // In a serious game there is no coach.
  await page.click('#do-new')
  check(await page.$('#new input[name=warn]'), 'no coach for a casual game')
  await page.click('#new label:has(input[name=conduct][value=match])')
  check(!await page.$('#new input[name=warn]'), 'a coach in a serious game')
  await page.click('#new label:has(input[name=conduct][value=casual])')
  await page.keyboard.press('Escape')
}

/** X shows what the opponent would play, and X takes it away. */
async function threat(page) {
  await choose(page, 'chess', {me: 'both'})
  await start(page)
  for (const text of ['e4', 'e5', 'Qh5', 'Nc6', 'Bc4']) {
    const before = await page.$$eval('#moves a', all => all.length)
    await type(page, text)
    await moves(page, before + 1)
  }
  await page.click('#board', {position: {x: 3, y: 3}})
  await page.evaluate(() => document.activeElement.blur())
  await page.keyboard.press('x')
  await page.waitForSelector('#threat:has-text("Qxf7#")')
  check(await page.$('#board .threat path'), 'no arrow')
  check(!/#/.test(await page.textContent('#bar')), 'the threat is taken for an opinion')
  await picture(page, 'threat')
  await page.keyboard.press('x')
  await page.waitForFunction(() => !document.querySelector('#board .threat') && !document.getElementById('threat'))
}

/** Other engines: as an opponent, against each other, for a second opinion; and one that fails. */
async function others(page) {
  await choose(page, 'chess', {me: 0})
  await page.selectOption('#new select[name=rival]', 'Twin')
  await page.click('#new label:has(input[name=warn][value=off])')
  await picture(page, 'new-rival')
  await start(page)
  await type(page, 'd4')
  await moves(page, 2)
  check((await page.textContent('#player-top')).includes('Twin'), 'the engine has no name')
  await page.click('#council [data-engine=Stone]')
  await page.waitForSelector('#toast:has-text("Stone")')
  await page.click('#council [data-engine=Twin]')
  await page.waitForSelector('#council .opinion:has-text("Twin") .pv a')
  await picture(page, 'opinion')
  // Against each other, until they are stopped.
  await choose(page, 'chess', {me: 'watch', pace: 'human'})
  await page.selectOption('#new select[name=player0]', 'Twin')
  await page.selectOption('#new select[name=player1]', '')
  await start(page)
  await moves(page, 6)
  await page.click('#do-rest')
  await page.waitForTimeout(1500)
  const count = await page.$$eval('#moves a', all => all.length)
  await page.waitForTimeout(1500)
  check(await page.$$eval('#moves a', all => all.length) === count, 'the engines go on')
  await page.click('#do-rest')
  await moves(page, count + 2)
  await page.click('#do-rest')
  // It fails: the game stays, and Sanqi goes on with it.
  await choose(page, 'chess', {me: 0})
  await page.selectOption('#new select[name=rival]', 'Crash')
  await start(page)
  for (const text of ['e4', 'd4', 'c4', 'Nc3', 'a3']) {
    if (await page.$('#fault')) break
    const count = await page.$$eval('#moves a', all => all.length)
    await type(page, text)
    await page.waitForFunction(count => document.querySelector('#fault') || document.querySelectorAll('#moves a').length >= count + 2, count)
  }
  await page.waitForSelector('#fault')
  await picture(page, 'fault')
  const before = await page.$$eval('#moves a', all => all.length)
  await page.click('[data-do=try-again]')
  await page.waitForSelector('#fault')
  await page.click('[data-do=sanqi-plays]')
  await moves(page, before + 1)
}

/** A lost game proposes nothing at once, a won one the next level. */
async function ladder(page) {
  await page.evaluate(() => { location.hash = '#game' })
  await choose(page, 'chess', {me: 0})
  await page.selectOption('#new select[name=rival]', '')
  await page.click('#new label:has(input[name=pace][value=human])')
  await page.selectOption('#new select[name=level]', '3')
  await start(page)
  await type(page, 'e4')
  await moves(page, 2)
  for (const count of [1, 2]) {
    await page.click('#do-resign')
    await page.waitForSelector('#ending')
    check(Boolean(await page.$('#ladder')) === (count === 2), `after ${count} losses`)
    if (count === 2) break
    await page.click('#rematch')
    await page.waitForFunction(() => !document.getElementById('ending'))
    await moves(page, 1)
  }
  check((await page.textContent('#next-level')).includes('2'), 'another level is proposed')
  await picture(page, 'ladder')
  await page.click('#next-level')
  await page.waitForFunction(() => !document.getElementById('ending'))
  check(await page.evaluate(() => document.body.textContent.includes('Level 2')), 'the level is not taken')
}

async function photograph(browser, url) {
  const looks = [['light', {}], ['dark', {colorScheme: 'dark'}], ['phone', {viewport: {width: 390, height: 844}, isMobile: true, hasTouch: true}]]
  for (const [look, options] of looks) for (const locale of ['en', 'zh-CN']) for (const game of Object.keys(FILES)) {
    const page = await openPage(browser, url, {...options, locale})
    const isChinese = await page.evaluate(() => document.documentElement.lang.startsWith('zh'))
    if (isChinese !== locale.startsWith('zh')) await page.click('#do-language')
    await review(page, game, false)
    await page.click('#turns a')
    await page.waitForTimeout(500)
    await page.keyboard.press('x')
    await page.waitForTimeout(2500)
    await picture(page, `${game}-${look}-${locale}`, {fullPage: look === 'phone'})
    await page.context().close()
  }
}

await run('coach', ['--port', '0', ...ENGINES], async (browser, {url}) => {
  const page = await openPage(browser, url, {locale: 'en'})
  await playFlows(page, {review: () => review(page, 'chess', true), practice, threat, others, ladder})
  if (pictures) await photograph(browser, url)
})
