#!/usr/bin/env node
// The page of `sanqi serve` in headless Chromium: a game of each kind is played by clicks to its end, and a file of each
// kind is opened, analyzed, reviewed and saved.
//
// Exit status: 0 when all went well, 1 when not, 77 when Chromium or the package playwright-core is missing.
//
//     tests/clients/serve.mjs ENGINE [--pictures FOLDER]

import {readFileSync, readdirSync} from 'node:fs'
import {join} from 'node:path'
import {begin, check, choose, click, kill, libraries, movesAre, openPage, paste, photograph, pictures, run, saved, serve, settle, start, state, stop, type} from './serve_page.mjs'

/** Milliseconds within which the page shows whose move it is, where the browser shows a mere picture within as many. */
const READY = 300, BARE = 27

/** A generator of the same numbers in every run. */
function random(seed) {
  let x = seed
  return n => {
    x = (Math.imul(x, 1103515245) + 12345) >>> 0
    return Math.floor(x / 65536) % n
  }
}

/** Plays a game on a board of pieces: any piece that can move, to any of its targets. */
async function playPieces(page, game, seed) {
  const pick = random(seed)
  let now = await begin(page, game, {me: 0, level: 6})
  for (let turn = 0; turn < 150 && !now.ending; turn++) {
    const before = now.moves
    const pieces = [...now.pieces]
    let targets = []
    while (!targets.length && pieces.length) {
      const [point] = pieces.splice(pick(pieces.length), 1)
      await click(page, game, point)
      targets = await page.evaluate(() => [...document.querySelectorAll('#board .target, #board .target-taken')].map(circle => {
        const box = circle.getBoundingClientRect()
        return [box.x + box.width / 2, box.y + box.height / 2]
      }))
    }
    check(targets.length, `${game}: no piece can move, and the game is not over`)
    await page.mouse.click(...targets[pick(targets.length)])
    if (await page.evaluate(() => document.getElementById('promotion').open)) await page.click('#promotion [data-piece=n]')
    await page.waitForFunction(before => document.querySelectorAll('#moves a').length > before, before)
    now = await settle(page)
  }
  check(now.ending, `${game}: the game is not over after ${now.moves} moves`)
  return now
}

async function playStones(page, seed) {
  const pick = random(seed)
  let now = await begin(page, 'go', {me: 0, level: 4, size: 9})
  for (let turn = 0; turn < 120 && !now.ending && !now.counting; turn++) {
    const before = now.moves
    if (turn >= 14) await page.click('#do-pass')
    while (turn < 14 && (await state(page)).moves === before) {
      await click(page, 'go', 'ABCDEFGHJ'[pick(9)] + (1 + pick(9)))
      await page.waitForTimeout(30)
    }
    await page.waitForFunction(before => document.querySelectorAll('#moves a').length > before, before)
    now = await settle(page)
  }
  check(now.counting, `Go: not counted after ${now.moves} moves`)
  await page.click('#accept')
  await page.waitForSelector('#ending')
  return state(page)
}

const FILES = {
  'game.pgn': ['[White "Anderssen"]\n[Black "Kieseritzky"]\n\n1. e4 e5 2. f4 exf4 3. Bc4 Qh4+ 4. Kf1 b5 5. Bxb5 Nf6 6. Nf3 Qh6 7. d3 Nh5 1-0\n', 14],
  'game.xiangqi.pgn': ['[Game "Chinese Chess"]\n[Red "甲"]\n[Black "乙"]\n[Format "Chinese"]\n\n1. 炮二平五 马8进7 2. 马二进三 车9平8 3. 车一平二 马2进3 4. 兵七进一 卒7进1 *\n', 8],
  'game.sgf': ['(;GM[1]FF[4]SZ[9]KM[7]PB[b]PW[w];B[ee];W[gc];B[cg];W[ce];B[gg];W[ec])', 6],
}

/** Opens a file, lets it be analyzed, reviews it, saves it and reads it back. */
async function study(page, name) {
  const [text, moves] = FILES[name]
  const open = bytes => page.setInputFiles('#file', {name, mimeType: 'text/plain', buffer: bytes})
  await open(Buffer.from(text))
  await page.waitForFunction(moves => document.querySelectorAll('#moves a').length === moves, moves)
  await page.keyboard.press('End')
  await page.evaluate(() => document.getElementById('analyze').checked || document.getElementById('analyze').click())
  await page.waitForSelector('#pvs li')
  await page.click('#do-review')
  await page.waitForFunction(() => document.querySelector('#accuracy').textContent.includes('%'))
  check(await page.$('#graph polyline.curve'), `${name}: no curve`)
  const again = await saved(page)
  // The better lines that the review has found are variations of the file.
  const all = () => page.$$eval('#moves a', links => links.map(link => link.firstChild.textContent))
  const first = await all()
  // Another game between the two.
  await open(Buffer.from('1. e4 *\n'))
  await page.waitForFunction(() => document.querySelectorAll('#moves a').length === 1)
  await open(Buffer.from(again))
  await page.waitForFunction(count => document.querySelectorAll('#moves a').length === count, first.length)
  const second = await all()
  check(first.join() === second.join(), `${name}: saved as ${second}, not ${first}`)
  // A variation and a best line are reached without a mouse.
  const now = () => page.evaluate(() => document.querySelector('#moves a.now')?.dataset.node)
  const node = await page.evaluate(() => {
    const link = document.querySelector('#moves .side > a[tabindex="0"]')
    link?.focus()
    return link?.dataset.node
  })
  if (node) {
    await page.keyboard.press('Enter')
    await page.waitForFunction(node => document.querySelector('#moves a.now')?.dataset.node === node, node)
    check(await page.evaluate(() => document.activeElement.classList.contains('now')), `${name}: the focus is lost`)
  }
  await page.waitForSelector('#pvs a[tabindex="0"]')
  const before = await now()
  await page.evaluate(() => document.querySelector('#pvs a[tabindex="0"]').focus())
  await page.keyboard.press('Enter')
  await page.waitForFunction(before => document.querySelector('#moves a.now')?.dataset.node !== before, before)
  await page.evaluate(() => document.getElementById('analyze').click())
}

/** Edits are undone and done again; a glance does not replace what a longer search has found. */
async function edit(page) {
  const open = text => page.setInputFiles('#file', {name: 'x.pgn', mimeType: 'text/plain', buffer: Buffer.from(text)})
  const moves = count => page.waitForFunction(count => document.querySelectorAll('#moves a').length === count, count)
  const press = (...keys) => keys.reduce((before, key) => before.then(() => page.keyboard.press(key)), Promise.resolve())
  await open('1. e4 e5 2. Nf3 Nc6 3. Bc4 Nf6 *\n')
  await moves(6)
  await press('Home', 'ArrowRight', 'ArrowRight', 'Backspace', 'ArrowLeft')
  await moves(6)
  await press('ArrowRight', 'Delete')
  await moves(1)
  await press('Control+z')
  await moves(6)
  await press('Control+y')
  await moves(1)
  await press('Control+Shift+z', 'Control+z')
  await moves(6)
  // A comment, from its first letter on.
  await page.fill('#comment', 'an hour of notes')
  await page.evaluate(() => document.getElementById('comment').blur())
  check((await page.textContent('#moves em')) === 'an hour of notes', 'no comment')
  await press('Control+z')
  await page.waitForFunction(() => !document.querySelector('#moves em'))
  await press('Control+y')
  await page.waitForSelector('#moves em')
  // Another game, an opened file and a resignation leave the game before to be had again.
  await begin(page, 'chess', {me: 0, level: 1})
  await moves(0)
  await page.click('#toast button')
  await page.waitForSelector('#moves em')
  await open('1. d4 *\n')
  await moves(1)
  await press('Control+z')
  await page.waitForSelector('#moves em')
  await begin(page, 'chess', {me: 0, level: 1})
  await click(page, 'chess', 'e2')
  await click(page, 'chess', 'e4')
  await moves(2)
  await page.click('#do-resign')
  await page.waitForSelector('#ending')
  const bar = text => page.waitForFunction(text => document.querySelector('#bar b').textContent === text, text)
  await bar('0-1')
  await press('Control+z')
  await page.waitForSelector('#ending', {state: 'detached'})
  // The move as well, with the answer to it.
  await press('Control+z')
  await moves(0)
  await begin(page, 'chess', {me: 'both'})
  await open('1. f3 e5 2. g4 Qh4# 0-1\n')
  await moves(4)
  await page.click('#do-review')
  await page.waitForFunction(() => document.querySelector('#accuracy').textContent.includes('%'))
  await press('End')
  await bar('0-1')
  check((await page.$$eval('#moves .sign', signs => signs.map(sign => sign.textContent))).includes('??'), 'a mate that is allowed is no blunder')
  await press('Home', 'ArrowRight')
  const opinion = () => page.getAttribute('#bar', 'aria-label')
  const reviewed = await opinion()
  // The first report comes from a search that has hardly begun.
  const glance = await page.evaluate(() => new Promise(resolve => {
    new MutationObserver((_, watch) => {
      if (!document.querySelector('#pvs li')) return
      watch.disconnect()
      resolve([document.getElementById('effort').textContent, document.getElementById('bar').getAttribute('aria-label')])
    }).observe(document.getElementById('pvs'), {childList: true})
    document.getElementById('analyze').click()
  }))
  // Unless the machine was so busy that it has looked deeply by then.
  const depth = Number(/depth (\d+)/.exec(glance[0])?.[1] ?? 0)
  check(glance[1] === reviewed || depth > 14, `${glance} replaces ${reviewed}`)
  await page.evaluate(() => document.getElementById('analyze').click())
}

/** Without its server the page keeps its picture, and refuses moves. */
async function leaveAlone(page, end) {
  await begin(page, 'chess', {me: 0, level: 1})
  const pieces = () => page.$$eval('#board [data-at]', all => all.map(piece => piece.dataset.at).join())
  const before = await pieces()
  await end()
  await page.waitForSelector('#status h3:has-text("No connection")')
  await click(page, 'chess', 'e2')
  await click(page, 'chess', 'e4')
  await page.waitForSelector('#toast:has-text("No connection")')
  check((await pieces()) === before && before.includes('e2'), 'the board has changed without a server')
  check((await state(page)).moves === 0, 'a move was made without a server')
}

/** What needs no server: positions in texts, and that edits are undone. */
async function tryModules(page) {
  const wrong = await page.evaluate(async () => {
    const [{positionIn}, {Game, History}] = await Promise.all(['input.js', 'game.js'].map(name => import(new URL(name, location.href).href)))
    const wrong = []
    const chess = 'rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR', xiangqi = 'rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR'
    for (const [text, kind, expected] of [
      [chess, 'go', `chess ${chess} w - - 0 1`],
      [` ${chess} b KQkq - 3 9\n`, 'go', `chess ${chess} b KQkq - 3 9`],
      [`position fen ${chess} w HAha - 0 1 moves e2e4 e7e5`, 'chess', `chess960 ${chess} w HAha - 0 1 e2e4 e7e5`],
      ['position startpos moves h2e2', 'xiangqi', 'xiangqi  h2e2'],
      [`${xiangqi} b`, 'chess', `xiangqi ${xiangqi} b - - 0 1`],
      ['1. e4 e5', 'chess', null], ['(;SZ[9])', 'go', null], ['', 'chess', null], ['8/8', 'chess', null], [`${chess} and then something else that is long`, 'chess', null],
    ]) {
      const found = positionIn(text, kind), described = found && [found.game, found.fen, ...found.moves].join(' ')
      if (described !== expected) wrong.push(`${text}: ${described}`)
    }
    // Whatever is done, undoing all of it gives back every state on the way.
    let x = 5
    const pick = n => (x = (Math.imul(x, 1103515245) + 12345) >>> 0, (x >>> 16) % n)
    for (let round = 0; round < 200; round++) {
      let game = new Game({game: 'chess'})
      const history = new History(300, 3e7), text = () => JSON.stringify({key: game.key, ...game.toData()}), states = [text()]
      for (let i = 0; i < 50; i++) {
        const all = [game.root, ...game.nodes()], node = all[pick(all.length)]
        history.record(text())
        if (pick(3) || node === game.root) game.add(node, `m${pick(6)}`, ['x'])
        else if (pick(2)) node.comment = `c${i}`
        else if (pick(2)) game.promote(node)
        else game.remove(node)
        states.push(text())
      }
      for (let i = states.length - 1; i > 0; i--) {
        if (text() !== states[i]) wrong.push(`round ${round}: state ${i}`)
        game = Game.fromData(JSON.parse(history.undo(text())))
      }
      for (let i = 0; i < states.length - 1; i++) game = Game.fromData(JSON.parse(history.redo(text())))
      if (text() !== states.at(-1)) wrong.push(`round ${round}: not done again`)
    }
    return wrong
  })
  check(wrong.length === 0, wrong.slice(0, 5).join('\n'))
}

/** The first page and the library: whatever happens, what was played is there. */
async function keepGames(browser) {
  let {child, url} = await serve('kept')
  const page = await openPage(browser, url, {hash: '', locale: 'en'})
  const firstPage = page.ready, started = performance.now()
  // Two clicks from the address to a move: a piece, on the first page, and its target.
  await page.goto(url)
  const board = await page.locator('[data-game=chess] .frame svg').boundingBox()
  await page.mouse.click(board.x + board.width * 4.5 / 8, board.y + board.height * 6.5 / 8)
  await page.waitForSelector('#board .target')
  await click(page, 'chess', 'e4')
  await page.waitForSelector('#moves a')
  console.log(`the first page is ready after ${firstPage.toFixed(0)} ms; a move is on the board ${(performance.now() - started).toFixed(0)} ms after its address was opened`)
  await movesAre(page, 2)
  await page.fill('#comment', 'an hour of notes')
  // At once: what the server has not confirmed is sent by the next page.
  await page.reload()
  await movesAre(page, 2)
  await page.waitForSelector('#moves em')
  await page.waitForFunction(() => location.hash.startsWith('#game/'))
  const game = await page.evaluate(() => location.hash)
  // Edits can be undone after a reload as well.
  await page.keyboard.press('Control+z')
  await page.waitForFunction(() => !document.querySelector('#moves em'))
  await page.keyboard.press('Control+y')
  await page.waitForSelector('#moves em')
  await page.waitForTimeout(1000)
  await kill(child)
  ;({child, url} = await serve('kept', '--port', new URL(url).port))
  const again = await openPage(browser, url, {hash: '', locale: 'en'})
  await movesAre(again, 2)
  await again.waitForSelector('#moves em')
  check((await again.evaluate(() => location.hash)) === game, 'another game was open')
  const second = await openPage(browser, url, {hash: '', locale: 'en', colorScheme: 'dark'})
  await movesAre(second, 2)
  // What one tab adds the other shows; settings are shared.
  await again.fill('#comment', 'and another')
  await second.waitForSelector('#moves em:has-text("and another")')
  await again.click('#do-theme')
  await second.waitForSelector(':root[data-theme=light]')
  await second.context().close()
  // New games, opened ones and pasted ones take nothing away.
  await begin(again, 'xiangqi', {me: 'both'})
  await paste(again, 'r1bqkbnr/pppp1ppp/2n5/4p3/2B1P3/5Q2/PPPP1PPP/RNB1K1NR w KQkq - 4 4')
  await again.waitForFunction(() => document.querySelector('#board [data-at=f3]') && document.querySelector('#status h3')?.textContent.includes('White'))
  await paste(again, FILES['game.sgf'][0])
  await movesAre(again, 6)
  await again.waitForFunction(() => location.hash.startsWith('#game/'))
  await again.click('#do-home')
  const cards = count => again.waitForFunction(count => document.querySelectorAll('.card').length === count, count)
  await cards(3)
  await again.fill('#search', 'e4')
  await cards(1)
  await again.hover('.card')
  await again.click('.card .remove')
  await cards(0)
  await again.click('#toast button')
  await cards(1)
  await again.click('.card .remove')
  await again.click('#do-trash')
  await cards(1)
  await again.click('.card > .small')
  await cards(0)
  await again.click('#do-trash')
  await again.fill('#search', '')
  await cards(3)
  await again.click(`.card a[href="${game}"]`)
  await movesAre(again, 2)
  await again.goBack()
  await cards(3)
  await again.goForward()
  await movesAre(again, 2)
  const [download] = await Promise.all([again.click('#do-home').then(() => again.waitForEvent('download')), again.waitForSelector('#export a').then(() => again.click('#export a'))])
  check(readFileSync(await download.path(), 'utf8').includes('{and another}'), 'the library is not exported')
  for (const one of [again, page]) check(one.faults.filter(fault => !/WebSocket|Failed to load|ERR_/.test(fault)).length === 0, `the page is at fault:\n${one.faults.join('\n')}`)
  check(readdirSync(join(libraries, 'kept', 'games')).every(name => name.endsWith('.json')), 'files are left over')
  await page.context().close()
  await again.context().close()
  stop(child)
}

/** Games at a table: typed moves, penalties, an adjournment over a server that is killed, and a flag that falls by itself. */
async function playAtTable(browser) {
  const first = await serve('tables')
  const page = await openPage(browser, first.url, {locale: 'en'})
  const status = text => page.waitForFunction(text => document.getElementById('status').textContent.includes(text), text)
  await choose(page, 'chess', {me: 0, clock: 'custom', customClock: '180+2', conduct: 'rapid'})
  await start(page)
  await page.waitForSelector('.clock.runs')
  check(await page.isHidden('#analysis') && await page.isHidden('#do-hint') && await page.isHidden('#do-undo'), 'a serious game has advice')
  await type(page, 'banana')
  await page.waitForFunction(() => document.getElementById('typed-note').textContent.includes('banana'))
  await type(page, 'e5')
  await page.waitForFunction(() => document.querySelector('#player-bottom .held')?.textContent.includes('1'))
  await type(page, 'E4')
  await page.waitForFunction(() => document.querySelectorAll('#moves a').length === 2 && document.querySelector('#player-bottom .clock.runs'))
  await page.click('#do-claim')
  await page.click('#envelope [data-do=claimNow]')
  await page.waitForFunction(() => document.querySelectorAll('#player-bottom .held').length === 2)
  await page.click('#do-adjourn')
  await status('Play the move that you seal')
  await type(page, 'd3')
  await status('White has sealed a move')
  const envelope = await page.textContent('#envelope code')
  await page.click('#envelope button')
  await page.waitForFunction(() => location.hash.length > 8)
  await page.waitForTimeout(1000)
  const {hash} = new URL(page.url())
  await kill(first.child)
  await page.context().close()
  const second = await serve('tables')
  const again = await openPage(browser, second.url, {hash: '', locale: 'en'})
  await again.goto(`${second.url}${hash}`)
  await again.waitForSelector('#status form input')
  check(await again.inputValue('#status form input') === '', 'another browser has the envelope')
  await again.fill('#status form input', envelope.replace(/.$/, '4'))
  await again.click('[data-do=unseal]')
  await again.waitForFunction(() => document.getElementById('toast').textContent.includes('does not belong'))
  await again.fill('#status form input', envelope)
  await again.click('[data-do=unseal]')
  await again.waitForFunction(() => document.querySelectorAll('#moves a').length === 4 && document.querySelector('#player-bottom .clock.runs'))
  await again.click('#do-resign')
  await again.waitForFunction(() => document.getElementById('ending')?.textContent.includes('resignation'))
  await again.waitForFunction(() => document.querySelector('#moves .result')?.textContent === '0-1')
  await again.waitForTimeout(1000)
  check(readdirSync(join(libraries, 'tables', 'tables')).length === 0, 'the journal of a game that is over is left')
  check(/d3 \{\[%clk 0:0/.test(await saved(again)), 'the clocks are not saved')
  await again.context().close()
  // Two persons at one board, and neither moves.
  const third = await openPage(browser, second.url, {locale: 'zh-CN'})
  await choose(third, 'go', {me: 'both', clock: 'custom', customClock: '1+2x1'})
  await start(third)
  await third.waitForSelector('.clock.runs.low')
  await third.waitForFunction(() => document.getElementById('ending')?.textContent.includes('白方胜: 超时'))
  check(third.faults.length === 0, `the page is at fault:\n${third.faults.join('\n')}`)
  await third.context().close()
  stop(second.child)
}

/** What only a person would look at. */
async function look(browser, url) {
  if (!pictures) return
  const looks = [['desktop', {}], ['dark', {colorScheme: 'dark'}], ['phone', {viewport: {width: 390, height: 844}, isMobile: true, hasTouch: true, deviceScaleFactor: 2}]]
  for (const [look, options] of looks) for (const language of ['en', 'zh-CN']) for (const [name, [text]] of Object.entries(FILES)) {
    const page = await openPage(browser, url, {locale: language, ...options})
    await page.setInputFiles('#file', {name, mimeType: 'text/plain', buffer: Buffer.from(text)})
    await page.waitForSelector('#moves a')
    await page.click('#do-review')
    await page.waitForFunction(() => document.querySelector('#accuracy').textContent.includes('%'))
    await page.click('#do-last')
    await page.click('.switch:has(#analyze)')
    await page.waitForSelector('#pvs li')
    await page.waitForTimeout(1500)
    await photograph(page, `${name.replace(/\W/g, '-')}-${look}-${language}`, {fullPage: look === 'phone'})
    await page.context().close()
  }
  const page = await openPage(browser, url)
  await page.click('#do-new')
  await photograph(page, 'new')
  await page.context().close()
}

await run('played', [], async (browser, {child, url}) => {
  const page = await openPage(browser, url, {locale: 'en'})
  const other = await openPage(browser, url, {locale: 'zh-CN'})
  const lacking = await page.evaluate(async () => {
    const {keys} = await import(new URL('words.js', location.href).href)
    return [keys('en').filter(key => !keys('zh').includes(key)), keys('zh').filter(key => !keys('en').includes(key))]
  })
  check(lacking.flat().length === 0, `words in one language alone: ${lacking}`)
  await tryModules(page)
  // Two tabs at once, each with its engine.
  const [chess, xiangqi] = await Promise.all([playPieces(page, 'chess', 7), playPieces(other, 'xiangqi', 11)])
  console.log(`chess: ${chess.moves} moves, ${chess.ending}`)
  console.log(`xiangqi: ${xiangqi.moves} moves, ${xiangqi.ending}`)
  const go = await playStones(page, 5)
  console.log(`go: ${go.moves} moves, ${go.ending}`)
  for (const name of Object.keys(FILES)) await study(page, name)
  await edit(page)
  await keepGames(browser)
  await playAtTable(browser)
  // Taken back, hinted, turned, kept over a reload; all by the keyboard.
  await begin(page, 'chess', {me: 0, level: 1})
  await click(page, 'chess', 'e2')
  await click(page, 'chess', 'e4')
  await settle(page)
  await page.waitForFunction(() => document.querySelectorAll('#moves a').length === 2)
  await page.keyboard.press('u')
  // What is taken back is gone.
  await page.waitForFunction(() => document.querySelectorAll('#moves a').length === 0)
  await page.keyboard.press('h')
  await page.waitForSelector('#hint')
  await page.keyboard.press('f')
  await page.reload()
  await page.waitForFunction(() => document.querySelectorAll('#moves a').length === 0 && document.getElementById('bar').classList.contains('flipped'))
  const replies = (await page.evaluate(() => window.replies)).concat(await other.evaluate(() => window.replies)).sort((a, b) => a - b)
  // On a machine that is slow, or busy with other tests, a picture takes longer too. The best of many loads of each count.
  const loads = [], bare = []
  const ready = () => Math.min(...loads) < READY * Math.max(1, Math.min(...bare) / BARE)
  for (let i = 0; i < 20 && (i < 5 || !ready()); i++) {
    const again = await openPage(browser, url)
    loads.push(again.ready)
    const started = performance.now()
    await again.goto(new URL('icon.svg', url).href)
    bare.push(performance.now() - started)
    await again.context().close()
  }
  const list = times => times.map(time => time.toFixed(0)).join(', ')
  console.log(`ready after ${list(loads)} ms; a picture alone after ${list(bare)} ms`)
  check(ready(), 'the page is ready too late')
  console.log(`a reply is shown ${replies[replies.length >> 1]?.toFixed(1)} ms after it arrives (${replies.length} replies)`)
  check(replies[replies.length >> 1] < 50, 'replies are shown too late')
  for (const one of [page, other]) check(one.faults.length === 0, `the page is at fault:\n${one.faults.join('\n')}`)
  await look(browser, url)
  // Started anew on the same port it has another token: the page says so.
  const stale = await openPage(browser, url)
  const alone = await openPage(browser, url, {locale: 'en'})
  child.removeAllListeners('exit')
  await leaveAlone(alone, () => new Promise(resolve => {
    child.on('exit', resolve)
    child.kill()
  }))
  const again = await serve('played', '--port', new URL(url).port)
  await stale.waitForFunction(() => document.querySelector('#status h3')?.textContent.includes('started anew'))
  stop(again.child)
})
