#!/usr/bin/env node
// What people do on the page of `sanqi serve`, in headless Chromium: flows of clicks, taps and keys, each in a browser and on a
// server of its own. What is seen after each is compared with the pictures in tests/data/flows.json (likeness.mjs).
//
// Exit status: 0 when all went well, 1 when not, 77 when Chromium or the package playwright-core is missing.
//
//     tests/clients/flows.mjs ENGINE [--pictures FOLDER] [--update]
//
// `--update` keeps the pictures as they are now, `ONLY=drag,typed` plays some flows.

import {readFileSync} from 'node:fs'
import {join} from 'node:path'
import {Likeness, TOLERANCE} from './likeness.mjs'
import {begin, check, choose, click, kill, movesAre, open, openPage, paste, photograph, place, playFlows, root, run, serve, settle, start, stop, stroke, type} from './serve_page.mjs'

const bad = way => `python3 ${join(root, 'tests', 'bad_engines', 'bad.py')} ${way}`
/** One moves a knight to and fro, the other thinks for ever. */
const ENGINES = ['--threads', '1', '--engine', `Knight=${bad('good')}`, 'proto=uci', '--engine', `Thinker=${bad('thinks')}`, 'proto=uci']

const FILES = {
  chess: ['x.pgn', '[White "Anderssen"]\n[Black "Kieseritzky"]\n[Event "London"]\n[Date "1851.06.21"]\n\n1. e4 e5 2. f4 exf4 3. Bc4 Qh4+ 4. Kf1 b5 5. Bxb5 Nf6 6. Nf3 Qh6 *\n', 12],
  xiangqi: ['x.pgn', '[Game "Chinese Chess"]\n[Red "甲"]\n[Black "乙"]\n[Format "Chinese"]\n\n1. 炮二平五 马8进7 2. 马二进三 车9平8 3. 车一平二 马2进3 4. 兵七进一 卒7进1 *\n', 8],
  go: ['x.sgf', '(;GM[1]FF[4]SZ[19]KM[7]PB[b]PW[w];B[pd];W[dp];B[pp];W[dd];B[fc];W[cf])', 6],
  // Two walls, and a stone that is lost.
  walls: ['x.sgf', `(;GM[1]FF[4]SZ[9]KM[7]AB[${[...'abcdefghi'].map(row => `b${row}`).join('][')}]AW[${[...'abcdefghi'].map(row => `c${row}`).join('][')}][ae])`, 0],
  several: ['x.pgn', ['Fool', 'Scholar', 'Légal'].map((name, i) => `[White "${name}"]\n[Event "Mates"]\n[Date "190${i}.??.??"]\n\n${['1. f3 e5 2. g4 Qh4# 0-1', '1. e4 e5 2. Qh5 Nc6 3. Bc4 Nf6 4. Qxf7# 1-0', '1. e4 e5 2. Nf3 d6 3. Bc4 Bg4 4. Nc3 g6 5. Nxe5 Bxd1 6. Bxf7+ Ke7 7. Nd5# 1-0'][i]}\n`).join('\n')],
  marks: ['x.sgf', '(;GM[1]SZ[9]KM[7];B[ee]LB[cc:A][dd:B]TR[gg]SQ[ge]CR[eg]MA[cg]AR[aa:cc]TB[hh:ii]TW[ha:ib];W[gc])', 2],
  problems: ['x.sgf', ['AB[cc][dc][ec]AW[cb][db][eb][fc]', 'AB[gg][hg]AW[gh][hh][fg]'].map((stones, i) => `(;GM[1]FF[4]SZ[9]KM[7]${stones}PL[B]C[Black to play.];B[${['fb', 'fh'][i]}];W[${['gb', 'eh'][i]}];B[fa]C[Right.])(;B[ba];W[bb]C[Wrong.]))`.replace('C[Black to play.];', 'C[Black to play.](;')).join('')],
}
const FOOL = '1. f3 e5 2. g4 Qh4# 0-1'
const PHONE = {viewport: {width: 390, height: 844}, isMobile: true, hasTouch: true, deviceScaleFactor: 2}

await run('unused', ['--port', '0'], async browser => {
  const isUpdate = process.argv.includes('--update'), names = []
  // A page of the server may ask nobody but the server, not for a picture either.
  const reader = Object.assign(await browser.newPage(), {faults: []})
  const likeness = new Likeness(join(root, 'tests', 'data', 'flows.json'), reader, isUpdate)
  let flow, count, page, server
  const failed = []

  /** Opens the page, on the server of this flow. */
  const visit = async (options = {}) => {
    page = await openPage(browser, server.url, {locale: 'en', hash: '#game', ...options})
    return page
  }
  const look = async () => {
    const name = `${flow}${count++ ? `-${count}` : ''}`
    names.push(name)
    // The opening and the book come a moment later than the position.
    await page.waitForFunction(async () => {
      const {state} = await import(new URL('state.js', location.href).href)
      return document.body.dataset.view !== 'game' || state.editor || state.game.isGo || state.at.known !== undefined
    }, null, {timeout: 5000}).catch(() => {})
    await photograph(page, name)
    await likeness.look(page, name)
  }
  const move = async (game, from, to) => {
    await click(page, game, from)
    if (to) await click(page, game, to)
  }
  const press = async (...keys) => { for (const key of keys) await page.keyboard.press(key) }
  const shown = text => page.waitForSelector(`text=${text}`)
  const play = (game, choices) => begin(page, game, choices)
  const both = async (game, choices) => {
    await choose(page, game, {me: 'both', ...choices})
    await start(page)
    await page.waitForSelector('#status h3')
    await page.waitForFunction(() => document.querySelector('.turn'))
  }
  const record = (name, at = page) => open(at, ...FILES[name])
  const fromHome = async (game, begin, move) => {
    await visit({hash: ''})
    await begin()
    await page.waitForFunction(game => document.body.dataset.view === 'game' && document.body.dataset.game === game, game)
    await settle(page)
    await move()
    await page.waitForFunction(() => document.querySelectorAll('#moves a').length === 2)
    await settle(page)
    // What the engine has answered is its own affair.
    await press('ArrowLeft')
    await page.addStyleTag({content: '#moves a:nth-of-type(2) { visibility: hidden }'})
    await page.waitForFunction(() => document.querySelectorAll('#moves a')[0].classList.contains('now'))
    await look()
  }
  const analyzed = async () => {
    await page.click('.switch:has(#analyze)')
    await page.waitForFunction(() => document.querySelectorAll('#pvs li:first-child a').length > 2)
  }

  const flows = {
    async home() {
      await visit({hash: ''})
      await look()
    },
    playChess: () => fromHome('chess', () => page.click('[data-game=chess] [data-do=play]'), () => move('chess', 'e2', 'e4')),
    playXiangqi: () => fromHome('xiangqi', () => page.click('[data-game=xiangqi] [data-do=play]'), () => move('xiangqi', 'h2', 'e2')),
    playGo: () => fromHome('go', () => page.click('[data-game=go] [data-do=play]'), () => move('go', 'E5')),
    async drag() {
      await visit()
      await both('chess', {})
      await page.mouse.move(...await place(page, 'chess', 'd2'))
      await page.mouse.down()
      await page.mouse.move(...await place(page, 'chess', 'd3'), {steps: 4})
      await page.waitForSelector('#board .held')
      await page.mouse.move(...await place(page, 'chess', 'd4'), {steps: 4})
      await page.mouse.up()
      await movesAre(page, 1)
      await look()
    },
    async typed() {
      await visit()
      await both('xiangqi', {})
      for (const [i, text] of ['炮二平五', 'H8+7', 'h0g2'].entries()) {
        await type(page, text)
        await movesAre(page, i + 1)
      }
      await type(page, 'banana')
      await page.waitForFunction(() => document.getElementById('typed-note').textContent.includes('banana'))
      await look()
    },
    async promotion() {
      await visit()
      await paste(page, '8/P6k/8/8/8/8/7K/8 w - - 0 1')
      await page.waitForSelector('#board [data-at=a7]')
      await move('chess', 'a7', 'a8')
      await page.waitForSelector('#promotion[open]')
      await look()
      await page.click('#promotion [data-piece=n]')
      await movesAre(page, 1)
      await look()
    },
    async castling() {
      await visit()
      await paste(page, 'r3k2r/pppppppp/8/8/8/8/PPPPPPPP/R3K2R w KQkq - 0 1')
      await page.waitForSelector('#board [data-at=e1]')
      await move('chess', 'e1', 'a1')
      await page.waitForSelector('#board [data-at=d1]')
      await look()
    },
    async premove() {
      await visit()
      await play('chess', {me: 0, rival: 'Thinker'})
      await move('chess', 'e2', 'e4')
      await page.waitForSelector('.thinking')
      await move('chess', 'g1', 'f3')
      await page.waitForSelector('#board .planned')
      await look()
    },
    async takeBack() {
      await visit()
      await play('chess', {me: 0, rival: 'Knight'})
      await move('chess', 'e2', 'e4')
      await movesAre(page, 2)
      await page.click('#do-undo')
      await movesAre(page, 0)
      await press('Control+z')
      await movesAre(page, 2)
      await press('Control+y')
      await movesAre(page, 0)
      await press('Control+z')
      await movesAre(page, 2)
      await settle(page)
      await look()
    },
    async resign() {
      await visit()
      await play('chess', {me: 0, rival: 'Knight'})
      await move('chess', 'e2', 'e4')
      await movesAre(page, 2)
      await page.click('#do-resign')
      await page.waitForSelector('#ending')
      await look()
      await press('Control+z')
      await page.waitForSelector('#ending', {state: 'detached'})
      await look()
    },
    async variation() {
      await visit()
      await record('chess')
      await press('Home', 'ArrowRight')
      await type(page, 'c5')
      await movesAre(page, 13)
      await page.evaluate(() => document.activeElement.blur())
      await press('p')
      await page.waitForFunction(() => document.querySelectorAll('#moves > a')[1].textContent.startsWith('c5'))
      await look()
      await press('Delete')
      await movesAre(page, 12)
      await press('Control+z')
      await movesAre(page, 13)
      await look()
    },
    /** A chariot chases a cannon: the verdict before the game is over, and after it. */
    async repeated() {
      await visit()
      await open(page, 'x.pgn', '[Game "Chinese Chess"]\n[FEN "3k5/9/2c6/9/9/9/9/9/R8/5K3 w"]\n[Format "ICCS"]\n\n1. A1-C1 C7-A7 2. C1-A1 A7-C7 3. A1-C1 C7-A7 4. C1-A1 A7-C7 *\n', 8)
      await press('End')
      await page.waitForSelector('#status:has-text("Red did not deviate")')
      check(!(await page.textContent('#status')).includes('has to deviate'), 'the game is over')
      await press('Home', ...Array(4).fill('ArrowRight'))
      await page.waitForSelector('#status:has-text("Red has to deviate, or loses")')
    },
    async remark() {
      await visit()
      await record('chess')
      await press('End')
      await page.fill('#comment', 'The bishop is attacked, and so is the queen.')
      await page.selectOption('#sign', '!?')
      await page.waitForSelector('#moves em')
      await page.evaluate(() => document.activeElement.blur())
      await look()
    },
    async drawing() {
      await visit()
      await record('chess')
      await stroke(page, 'chess', 'e2', 'e4')
      await stroke(page, 'chess', 'f7', 'f7', 'Shift')
      await page.waitForSelector('#board .markup .circle.red')
      await look()
    },
    async setUp() {
      await visit()
      await page.click('#do-setup')
      await page.fill('#fen', '4k3/8/8/3q4/8/8/4P3/4K3 w - - 0 1')
      await page.waitForSelector('#board [data-at=d5]')
      const others = () => Promise.all(['new', 'open', 'save', 'setup', 'review'].map(name => page.isDisabled(`#do-${name}`)))
      check((await others()).every(Boolean), 'a button looks enabled that does nothing')
      await look()
      await page.click('#use')
      await page.waitForSelector('#editor', {state: 'hidden'})
      check(!(await others()).slice(0, 4).some(Boolean), 'a button stays disabled')
      await look()
    },
    async pastePgn() {
      await visit({hash: ''})
      await paste(page, FILES.chess[1])
      await movesAre(page, 12)
      await press('End')
      await look()
      // The wheel goes through the game.
      await page.mouse.move(...await place(page, 'chess', 'd4'))
      await page.mouse.wheel(0, -100)
      await page.waitForFunction(() => document.querySelectorAll('#moves a')[10].classList.contains('now'))
      // The board and the game can be taken along.
      await page.evaluate(() => { navigator.clipboard.writeText = async text => { window.copied = text } })
      for (const [index, part] of [[0, '/5N2/'], [1, '1. e4 e5 2. f4']]) {
        await page.click('#share summary')
        await page.click(`#share button >> nth=${index}`)
        await page.waitForFunction(part => window.copied?.includes(part), part)
        await page.waitForSelector('#share button', {state: 'hidden'})
      }
      await page.click('#share summary')
      const [download] = await Promise.all([page.waitForEvent('download'), page.click('#share button >> nth=3')])
      check(readFileSync(await download.path()).subarray(1, 4).toString() === 'PNG', 'no picture of the board')
    },
    async openXqf() {
      await visit()
      await page.setInputFiles('#file', {name: 'x.xqf', mimeType: 'application/octet-stream', buffer: readFileSync(join(root, 'fuzz', 'seeds', 'game_files', 'plain.xqf'))})
      await page.waitForFunction(() => document.body.dataset.game === 'xiangqi' && document.querySelector('#moves a'))
      await press('End')
      await look()
    },
    async openMarks() {
      await visit()
      await record('marks')
      await press('ArrowRight')
      await page.waitForSelector('#board .markup .arrow')
      await look()
    },
    async nextGame() {
      await visit()
      await open(page, ...FILES.several)
      await page.waitForSelector('#games[open]')
      await look()
      await page.click('#games li:nth-child(2) button')
      await movesAre(page, 7)
      await page.click('#do-nextGame')
      await movesAre(page, 13)
      check(await page.isDisabled('#do-nextGame'), 'there is a game behind the last')
      await press('[')
      await movesAre(page, 7)
      await press('[')
      await page.waitForSelector('#do-games:has-text("1/3")')
      await movesAre(page, 4)
      await look()
      // What was done with a game stays with it, and the list can be had again.
      await press('ArrowRight')
      await page.fill('#comment', 'weak')
      await press('Tab')
      await press(']')
      await movesAre(page, 7)
      await page.click('#do-games')
      await page.waitForSelector('#games .now:has-text("Scholar")')
      await page.click('#games li:first-child button')
      await page.waitForSelector('#moves em:has-text("weak")')
    },
    async count() {
      await visit()
      await record('walls')
      await page.click('#do-pass')
      await movesAre(page, 1)
      await page.click('#do-pass')
      await page.waitForSelector('#accept')
      const dead = count => page.waitForFunction(count => document.querySelectorAll('#board .stones [opacity="0.45"]').length === count, 2 * count)
      await dead(1)
      await look()
      await click(page, 'go', 'A5')
      await dead(0)
      await look()
      await click(page, 'go', 'A5')
      await dead(1)
      await page.click('#accept')
      await page.waitForSelector('#ending')
      await look()
    },
    async tap() {
      await visit(PHONE)
      await record('go')
      await press('End')
      await page.touchscreen.tap(...await place(page, 'go', 'Q4'))
      await page.touchscreen.tap(...await place(page, 'go', 'K10'))
      await page.waitForSelector('#board .over .ghost')
      await look()
      await page.touchscreen.tap(...await place(page, 'go', 'K10'))
      await movesAre(page, 7)
      await page.click('#do-numbers')
      await page.waitForFunction(() => [...document.querySelectorAll('#board .stones .number')].map(one => one.textContent).join() === '1,2,3,4,5,6,7')
    },
    async analysis() {
      await visit()
      await record('chess')
      await press('End')
      await analyzed()
      await page.waitForSelector('#board .arrows line')
      await look()
      await page.hover('#pvs li:first-child a:nth-child(2)')
      await page.waitForSelector('#preview:not([hidden]) [data-at]')
    },
    async review() {
      await visit()
      await open(page, 'x.pgn', FOOL, 4)
      await page.click('#do-review')
      await page.waitForFunction(() => document.querySelector('#accuracy').textContent.includes('%'))
      await page.click('#turns a:has-text("g4")')
      await page.waitForSelector('#status .why:has-text("allows Qh4#")')
      await page.addStyleTag({content: '#moves .side, #moves em, #moves .sign, .why { visibility: hidden }'})
      await press('Home')
      await look()
    },
    /** Mistakes of the library: guessed wrong, guessed right, and not asked again. */
    async practice() {
      await visit()
      await open(page, 'x.pgn', FOOL, 4)
      await page.click('#do-review')
      await page.waitForFunction(() => document.querySelector('#accuracy').textContent.includes('%'))
      await page.click('#do-home')
      await page.click('#do-practice')
      await page.waitForSelector('[data-do=show-answer]')
      const asked = () => page.evaluate(async () => {
        const {state} = await import(new URL('state.js', location.href).href), {lesson} = state
        return [lesson.node.mv, lesson.better.mv, lesson.nodes.length, lesson.at]
      })
      const [played, better, many] = await asked()
      await page.addStyleTag({content: '#moves, #status p, .turn { visibility: hidden }'})
      await move('chess', played.slice(0, 2), played.slice(2, 4))
      await page.waitForSelector('#status h3:has-text("was played")')
      await move('chess', better.slice(0, 2), better.slice(2, 4))
      await page.waitForSelector('#status h3:has-text("Well found")')
      await page.click('[data-do=end-lesson]')
      await page.click('#do-home')
      if (many > 1) await page.waitForSelector(`#do-practice:has-text("(${many - 1})")`)
      else await page.waitForSelector('#do-practice', {state: 'hidden'})
    },
    /** Problems of a record: its moves are hidden, and guessed. */
    async problems() {
      await visit()
      await open(page, ...FILES.problems)
      await page.click('#games li:first-child button')
      await page.waitForFunction(() => document.querySelectorAll('#moves a').length === 5)
      await page.click('#do-solve')
      await page.waitForSelector('#status h3:has-text("find the move")')
      check(await page.isHidden('#moves'), 'the solution is seen')
      await press('ArrowRight', 'End')
      await look()
      await click(page, 'go', 'A1')
      await page.waitForSelector('#status h3:has-text("does not have")')
      await click(page, 'go', 'B9')
      await page.waitForSelector('#status:has-text("refutes"):has-text("B8"):has-text("Wrong.")')
      await click(page, 'go', 'F8')
      await page.waitForSelector('#status h3:has-text("find the move")')
      await click(page, 'go', 'F9')
      await page.waitForSelector('#status h3:has-text("Solved")')
      await page.waitForSelector('#moves a.now')
      await look()
      await page.click('[data-do=next-problem]')
      await page.waitForSelector('#status h3:has-text("find the move")')
      await page.click('[data-do=show-answer]')
      await page.waitForSelector('#status h3:has-text("F2")')
      check(!await page.$('[data-do=next-problem]'), 'there is a problem behind the last')
      // One of chess, from a FEN.
      await open(page, 'x.pgn', '[FEN "6k1/5ppp/8/8/8/8/5PPP/R5K1 w - - 0 1"]\n[SetUp "1"]\n\n1. Ra8# (1. h3 h6) *\n', 3)
      await page.click('#do-solve')
      await type(page, 'h3')
      await page.waitForSelector('#status:has-text("h6")')
      await type(page, 'Ra8')
      await page.waitForSelector('#ending')
    },
    async threat() {
      await visit()
      await open(page, 'x.pgn', '1. e4 e5 2. Qh5 Nc6 3. Bc4 *\n', 5)
      await press('End')
      // The threat is that of a position whose moves are known.
      await page.waitForFunction(async () => (await import(new URL('state.js', location.href).href)).state.at.position?.legal)
      await press('x')
      await page.waitForSelector('#threat:has-text("Qxf7#")')
      await look()
    },
    async flag() {
      await visit()
      await choose(page, 'chess', {me: 'both', clock: 'custom', customClock: '1'})
      await start(page)
      await page.waitForFunction(() => document.getElementById('ending')?.textContent.includes('time'))
      await look()
    },
    async claim() {
      await visit()
      await choose(page, 'chess', {me: 'both', clock: '600+5', conduct: 'match'})
      await start(page)
      await page.waitForSelector('.clock.runs')
      await page.click('#do-claim')
      await look()
      await page.click('#envelope [data-do=claimNow]')
      await page.waitForSelector('#toast:has-text("occurrence 1")')
      await page.waitForSelector('.player .held')
      await look()
      // The clause of it.
      await page.click('#do-judge')
      await page.click('#judge [data-do=flag]')
      await page.waitForSelector('#judge li:has-text("CH-")')
    },
    async adjourn() {
      await visit()
      await choose(page, 'chess', {me: 'both', clock: '600+5', conduct: 'match'})
      await start(page)
      await page.waitForSelector('.clock.runs')
      await type(page, 'e4')
      await movesAre(page, 1)
      await page.click('#do-adjourn')
      await type(page, 'e5')
      await page.waitForSelector('#envelope code')
      await look()
      await page.click('#envelope button')
      await page.waitForFunction(() => location.hash.length > 8)
      await page.waitForTimeout(500)
      await page.reload()
      await page.waitForSelector('[data-do=unseal]')
      await look()
      await page.click('[data-do=unseal]')
      await movesAre(page, 2)
      await page.waitForSelector('.clock.runs')
    },
    /** Another engine plays by the clock, and two play each other. */
    async clocked() {
      await visit()
      await choose(page, 'chess', {me: 0, rival: 'Knight', clock: '180+2'})
      await start(page)
      await page.waitForSelector('#player-bottom .clock.runs')
      await move('chess', 'e2', 'e4')
      await movesAre(page, 2)
      await page.waitForSelector('#player-bottom .clock.runs')
      await look()
      await choose(page, 'chess', {me: 'watch', player0: 'Knight', player1: 'Thinker', clock: 'custom', customClock: '2'})
      check(await page.isHidden('#new [name=conduct]') && await page.isHidden('#new [name=seconds]'), 'engines have a conduct, or seconds beside a clock')
      await start(page)
      await movesAre(page, 1)
      await page.waitForSelector('#player-top .clock.runs')
      check(await page.isHidden('#do-undo') && await page.isHidden('#do-resign'), 'who watches may resign')
      await page.click('#do-pause')
      await page.click('[data-do=continue]')
      await page.waitForFunction(() => document.getElementById('ending')?.textContent.includes('White wins: time'))
    },
    async library() {
      await visit()
      await record('chess')
      await record('xiangqi')
      await page.waitForFunction(() => location.hash.startsWith('#game/'))
      await page.waitForTimeout(500)
      await page.click('#do-home')
      const cards = count => page.waitForFunction(count => document.querySelectorAll('.card').length === count, count)
      await cards(2)
      await look()
      await page.fill('#search', 'kieseritzky')
      await cards(1)
      await page.hover('.card')
      await page.click('.card .remove')
      await cards(0)
      await page.fill('#search', '')
      await cards(1)
      await page.click('#do-trash')
      await cards(1)
      await look()
      await page.click('.card > .small')
      await cards(0)
      await page.click('#do-trash')
      await cards(2)
    },
    async settings() {
      await visit({hash: ''})
      await press('t', 't', 'l')
      await page.waitForSelector(':root[data-theme=dark][lang=zh-CN]')
      await page.waitForTimeout(300)
      await kill(server.child)
      Object.assign(server, await serve(flow, '--port', '0', ...ENGINES))
      await page.context().close()
      await visit({hash: ''})
      await look()
    },
    async killed() {
      await visit()
      await record('chess')
      await press('End')
      await page.waitForFunction(() => location.hash.startsWith('#game/'))
      await page.waitForTimeout(600)
      await kill(server.child)
      await page.waitForSelector('#status h3:has-text("No connection")')
      await look()
      Object.assign(server, await serve(flow, '--port', new URL(server.url).port, ...ENGINES))
      await page.goto(server.url)
      await movesAre(page, 12)
      await page.waitForFunction(() => document.querySelectorAll('#moves a')[11].classList.contains('now'))
      await page.waitForSelector('#status h3:has-text("White to move")')
      await look()
      page.faults.length = 0
    },
    async dark() {
      await visit({colorScheme: 'dark'})
      await record('xiangqi')
      await press('End')
      await look()
    },
    async chinese() {
      await visit({locale: 'zh-CN'})
      await record('xiangqi')
      await press('End')
      await look()
    },
    async phone() {
      await visit({...PHONE, hash: ''})
      await look()
      await page.goto(`${server.url}#game`)
      await page.reload()
      await page.waitForSelector('#status h3')
      await record('xiangqi')
      await press('End')
      await look()
    },
    async zoomed() {
      await visit({viewport: {width: 640, height: 430}, deviceScaleFactor: 2})
      await record('chess')
      await press('End')
      await look()
    },
    /** No mouse: a new game in the dialog, moves by the cursor of the board, and by their names. */
    async keyboard() {
      await visit()
      await press('n')
      await page.waitForSelector('#new[open]')
      await page.focus('#new input[name=me]:checked')
      await press('ArrowRight', 'ArrowRight', 'ArrowRight')
      await page.waitForSelector('#new input[name=me][value=both]:checked')
      await page.focus('#begin')
      await press('Enter')
      await page.waitForSelector('#new', {state: 'hidden'})
      await page.focus('#board')
      // From the middle, e4, to e2.
      await press('Enter', 'ArrowDown', 'ArrowDown')
      const said = await page.textContent('#news')
      check(/white pawn$/i.test(said), `the cursor says ${said}`)
      await press('Enter', 'ArrowUp', 'ArrowUp', 'Enter')
      await movesAre(page, 1)
      await page.focus('#typed-move')
      await page.keyboard.type('e5')
      await press('Enter')
      await movesAre(page, 2)
      await page.focus('#board')
      await press('f')
      await page.waitForSelector('#bar.flipped')
      await page.evaluate(() => document.activeElement.blur())
      await look()
    },
    async print() {
      await visit()
      await record('chess')
      await press('End')
      await page.emulateMedia({media: 'print'})
      const seen = await page.$$eval('button, input, select, header', all => all.filter(one => one.checkVisibility()).map(one => one.id || one.tagName))
      check(seen.length === 0, `on paper: ${seen}`)
      await look()
    },
    /** Moves are heard, captures and checks as such, unless that is turned off. */
    async sounds() {
      await visit()
      await page.evaluate(() => {
        window.heard = 0
        const make = AudioContext.prototype.createOscillator
        AudioContext.prototype.createOscillator = function () { window.heard++; return make.call(this) }
      })
      const heard = () => page.evaluate(() => { const {heard} = window; window.heard = 0; return heard })
      await both('chess', {})
      await heard()
      const found = []
      for (const [i, text] of ['e4', 'd5', 'exd5', 'Qxd5', 'Nf3', 'Qe5+'].entries()) {
        await type(page, text)
        await movesAre(page, i + 1)
        await page.waitForFunction(text => document.querySelector('#moves a.now').textContent === text, text)
        found.push(await heard())
      }
      check(found.join() === '1,1,2,2,1,2', `sounds: ${found}`)
      await page.click('#do-sound')
      await page.click('#do-sound')
      check(await page.$('#do-sound.off'), 'the sounds are not off')
      await press('ArrowLeft', 'ArrowRight')
      await page.waitForFunction(() => document.querySelector('#moves a.now').textContent === 'Qe5+')
      check(await heard() === 0, 'a sound, though they are off')
    },
    /** What the comparison notices, and what not. */
    async faults() {
      if (isUpdate) return
      await visit({locale: 'zh-CN'})
      await record('xiangqi')
      await press('End')
      const measure = async (what, css, undo = () => {}) => {
        const style = css && await page.addStyleTag({content: css}), {board, page: beside, texts} = await likeness.distance(page, 'chinese')
        if (style) await style.evaluate(element => element.remove())
        await undo()
        console.log(`  ${what}: ${board.toFixed(1)} on the board, ${beside.toFixed(1)} beside it${texts.length ? `, ${texts.length} texts on others` : ''}`)
        return board > TOLERANCE.board || beside > TOLERANCE.page || texts.length > 0
      }
      await likeness.look(page, 'chinese')
      check(!await measure('nothing', ''), 'a page is not like itself')
      check(!await measure('another font', '* { font-family: "DejaVu Serif", "Noto Serif CJK SC", serif !important }'), 'another font is a fault')
      check(!await measure('another weight', '* { letter-spacing: .02em; font-weight: 400 !important }'), 'another weight is a fault')
      for (const [what, css] of Object.entries({
        'a wrong piece': '#board [data-at=a0] { filter: invert(1) }',
        'red pieces in black': '#board .han { fill: #1d2a24 !important }',
        'blank pieces': '#board .han { visibility: hidden }',
        'a board shifted by a fifth': '#board { transform: translateX(20%) }',
        'a missing panel': '#record { display: none }',
        'overlapping text': '#record h2 { height: 0; margin: 0 }',
        'text on text': '#status { margin-bottom: -3rem }',
      })) check(await measure(what, css), `${what} is not noticed`)
    },
  }
  const each = Object.entries(flows).map(([name, play]) => [name, async () => {
    [flow, count] = [name, 0]
    server = await serve(name, '--port', '0', ...ENGINES)
    try {
      await play()
      check(page.faults.length === 0, page.faults.join('\n'))
    } catch (error) {
      await photograph(page, `${name}-failed`)
      console.log(name, error)
      failed.push(name)
    } finally {
      await page?.context().close()
      stop(server.child)
    }
  }])
  await playFlows(reader, Object.fromEntries(each))
  likeness.end(names)
  check(failed.length === 0, `failed: ${failed.join(', ')}`)
})
