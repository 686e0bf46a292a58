#!/usr/bin/env node
// The boards of `sanqi serve` in headless Chromium: drawn once, drawn upon, premoves, taps, windows of all sizes, and what
// axe-core has to say, where that package is installed.
//
// Exit status: 0 when all went well, 1 when not, 77 when Chromium or the package playwright-core is missing.
//
//     tests/clients/board.mjs ENGINE [--pictures FOLDER]

import {join} from 'node:path'
import {find} from './browser.mjs'
import {begin, check, click, movesAre, open, openPage, photograph, place, playFlows, run, saved, settle, stroke} from './serve_page.mjs'

/** Milliseconds of script for a step in a game of 400 moves, on a machine that is not busy. */
const STEP = 8
/** Steps after which the page may not be larger. */
const STEPS = 3000

/** A game of 400 moves: knights go to and fro, stones fill the board. */
const LONG = {
  'long.pgn': `${'Nf3 Nf6 Nc3 Nc6 Ng1 Ng8 Nb1 Nb8 '.repeat(50)}*\n`,
  'long.sgf': `(;GM[1]FF[4]SZ[19]KM[7]${[...Array(340).keys()].map(i => {
    const point = (i * 97) % 361
    return `;${'BW'[i % 2]}[${'abcdefghijklmnopqrs'[point % 19]}${'abcdefghijklmnopqrs'[Math.floor(point / 19)]}]`
  }).join('')};B[];W[]${';B[];W[]'.repeat(29)})`,
}

/** The board is drawn once; a step changes what is new, and memory stays as it is. */
async function stepThrough(page) {
  const client = await page.context().newCDPSession(page)
  await client.send('Performance.enable')
  const metrics = async () => Object.fromEntries((await client.send('Performance.getMetrics')).metrics.map(({name, value}) => [name, value]))
  for (const [name, text] of Object.entries(LONG)) {
    await open(page, name, text, 400)
    await page.waitForTimeout(500)
    const before = await metrics()
    const step = () => page.evaluate(async () => {
      const times = []
      for (let i = 0; i < 200; i++) {
        const began = performance.now()
        document.getElementById('do-forward').click()
        times.push(performance.now() - began)
        await new Promise(resolve => requestAnimationFrame(() => setTimeout(resolve, 5)))
      }
      return times.sort((a, b) => a - b)[times.length >> 2]
    })
    const best = await step()
    const after = await metrics(), script = 1000 * (after.ScriptDuration - before.ScriptDuration) / 200
    console.log(`${name}: a step takes ${script.toFixed(1)} ms of script, the faster ones ${best.toFixed(1)} ms at once`)
    // The faster ones know the least of what else the machine does.
    check(best < STEP, `${name}: a step takes ${best} ms`)
    const heap = async () => {
      await client.send('HeapProfiler.collectGarbage')
      const {JSHeapUsedSize, Nodes} = await metrics()
      return [JSHeapUsedSize / 1e6, Nodes]
    }
    const walk = count => page.evaluate(async count => {
      for (let i = 0; i < count; i++) {
        document.getElementById(Math.floor(i / 100) % 2 ? 'do-forward' : 'do-back').click()
        if (i % 20 === 0) await new Promise(resolve => requestAnimationFrame(() => setTimeout(resolve)))
      }
    }, count)
    await walk(500)
    const [first, nodes] = await heap()
    await walk(STEPS)
    const [last, more] = await heap()
    console.log(`${name}: ${first.toFixed(1)} MB before ${STEPS} steps, ${last.toFixed(1)} MB after; ${nodes} and ${more} nodes`)
    check(last < 1.2 * first + 1 && more < 1.2 * nodes + 200, `${name}: the page grows`)
  }
  // The pieces are the elements that they were, and those of an analysis are not made anew.
  await open(page, 'x.pgn', '1. e4 e5 2. Nf3 Nc6 *\n', 4)
  await page.keyboard.press('Home')
  await page.waitForSelector('#board [data-at=e2]')
  await page.evaluate(() => {
    for (const element of document.querySelectorAll('#board rect, #board [data-at]')) element.isKept = element.dataset.at ?? true
  })
  await page.keyboard.press('ArrowRight')
  await page.waitForSelector('#board [data-at=e4]')
  await page.keyboard.press('ArrowRight')
  await page.waitForSelector('#board [data-at=e5]')
  check(await page.evaluate(() => [...document.querySelectorAll('#board .light, #board .dark, #board [data-at]')].every(element => element.isKept)), 'the board was drawn anew')
  check(await page.evaluate(() => document.querySelector('#board [data-at=e4]').isKept) === 'e2', 'the pawn was drawn anew')
  await page.click('.switch:has(#analyze)')
  await page.waitForSelector('#board .arrows line')
  const made = await page.evaluate(() => new Promise(resolve => {
    let count = 0
    new MutationObserver(all => { for (const {addedNodes} of all) count += addedNodes.length }).observe(document.getElementById('moves'), {childList: true, subtree: true})
    new MutationObserver(all => { for (const {target, addedNodes} of all) if (!target.closest('.arrows')) count += addedNodes.length }).observe(document.getElementById('board'), {childList: true, subtree: true})
    setTimeout(() => resolve(count), 1500)
  }))
  check(made === 0, `reports of an analysis make ${made} elements`)
  await page.click('.switch:has(#analyze)')
}

/** Marks of records are shown, changed, undone and saved, in all three games. */
async function drawMarks(page) {
  const marks = async expected => {
    const shown = () => page.$$eval('#board .markup > *', all => all.map(one => one.getAttribute('class')).sort().join())
    for (let i = 0; i < 200 && (await shown()) !== expected; i++) await page.waitForTimeout(50)
    check((await shown()) === expected, `marks: ${await shown()}, not ${expected}`)
  }
  await open(page, 'x.pgn', '{[%csl Ya1]} 1. e4 {[%csl Gd5,Rc4][%cal Be4d5] x} e5 *\n', 2)
  await marks('circle yellow')
  await page.keyboard.press('ArrowRight')
  await marks('arrow blue,circle green,circle red')
  await stroke(page, 'chess', 'g1', 'f3')
  await stroke(page, 'chess', 'd1', 'h5', 'Shift')
  await stroke(page, 'chess', 'a4', 'a4', 'Alt')
  await stroke(page, 'chess', 'b4', 'b4', 'Shift', 'Alt')
  // What is there goes; in another color it is drawn over.
  await stroke(page, 'chess', 'd5', 'd5')
  await stroke(page, 'chess', 'e4', 'd5')
  const expected = 'arrow green,arrow green,arrow red,circle blue,circle red,circle yellow'
  await marks(expected)
  await photograph(page, 'marks-chess')
  const text = await saved(page)
  check(text.includes('{[%csl Ya1]}') && text.includes('[%csl Rc4,Ba4,Yb4]') && text.includes('[%cal Gg1f3,Rd1h5,Ge4d5]'), text)
  await page.keyboard.press('Control+z')
  await page.waitForSelector('#board .markup .arrow.blue')
  await page.keyboard.press('Control+y')
  await page.waitForSelector('#board .markup .arrow.blue', {state: 'detached'})
  // Over a reload they stay, and in the record that is opened again.
  await page.waitForTimeout(800)
  await page.reload()
  await marks(expected)

  await open(page, 'x.sgf', '(;GM[1]SZ[9]KM[7]LB[aa:1];B[ee]LB[cc:A][dd:long]TR[gg]SQ[ee]CR[gc]MA[cg]AR[aa:cc]TB[hh:ii]TW[ha:ib];W[gc])', 2)
  await page.keyboard.press('ArrowRight')
  await page.waitForSelector('#board .markup .letter:nth-of-type(2)')
  check(await page.$$eval('#board .markup .owned', all => all.length) === 8, 'territory is not shown')
  check((await page.$$eval('#board .markup .letter', all => all.map(one => one.textContent).join())) === 'A,lon', 'labels')
  await stroke(page, 'go', 'F5', 'F5')
  await stroke(page, 'go', 'F6', 'F6', 'Shift')
  await stroke(page, 'go', 'G7', 'G7')
  await stroke(page, 'go', 'B2', 'D2')
  await page.click('#do-draw')
  await click(page, 'go', 'B8')
  await click(page, 'go', 'B7')
  await page.click('#pens [data-pen=MA]')
  await click(page, 'go', 'B7')
  await photograph(page, 'marks-go')
  await page.keyboard.press('Escape')
  check(await page.isHidden('#pens'), 'the pens are still there')
  const sgf = (await saved(page)).replaceAll(' ', '')
  check(sgf.includes(';B[ee]LB[cc:A][dd:long][bb:B]TR[gg][fd]SQ[ee]CR[fe]MA[cg][bc]AR[aa:cc][bh:dh]TB[hh:ii]TW[ha:ib];W[gc]'), sgf)

  await open(page, 'x.pgn', '[Game "Chinese Chess"]\n[Format "Chinese"]\n\n1. 炮二平五 {[%cal Gb9c7]} 马8进7 *\n', 2)
  await page.keyboard.press('ArrowRight')
  await page.waitForSelector('#board .markup .arrow.green')
  await stroke(page, 'xiangqi', 'e6', 'e6', 'Shift')
  await photograph(page, 'marks-xiangqi')
  check((await saved(page)).includes('炮二平五 {[%cal Gb9c7] [%csl Re6]}'), 'marks of xiangqi')
}

/** Stones that are set up within a game are on the board, and stay in the record. */
async function setUpWithin(page) {
  const record = '(;GM[1]FF[4]SZ[9]KM[7];B[ee];AB[aa][ab]AW[ba]C[set];W[gc](;B[cc])(;AE[aa];B[gg];B[hh]))'
  await open(page, 'x.sgf', record, 7)
  const stones = count => page.waitForFunction(count => document.querySelectorAll('#board .stones circle[fill^=url]').length === count, count)
  await page.keyboard.press('ArrowRight')
  await stones(1)
  await page.keyboard.press('ArrowRight')
  await stones(4)
  await page.keyboard.press('ArrowRight')
  await stones(5)
  await page.click('#moves .side a:has-text("◇")')
  await stones(4)
  await page.keyboard.press('End')
  await stones(6)
  await page.waitForFunction(() => document.getElementById('status').textContent.includes('White'))
  await photograph(page, 'set-up-within')
  const text = (await saved(page)).replaceAll(' ', '')
  for (const node of [';AB[aa][ab]AW[ba]C[set]', '(;B[cc])', '(;AE[aa];B[gg];B[hh])']) check(text.includes(node), `${node}: ${text}`)
}

/** A line under the mouse, at the keyboard: a small board, in Go numbered stones; and nothing when it is left. */
async function lines(page) {
  const seen = game => (game === 'go' ? page.waitForSelector('#board .number') : page.waitForSelector('#preview:not([hidden]) [data-at], #preview:not([hidden]) .han'))
  const gone = () => page.waitForFunction(() => document.getElementById('preview').hidden && !document.querySelector('#board .number'))
  for (const game of ['chess', 'xiangqi', 'go']) {
    await page.evaluate(game => { location.hash = `#analyze/${game}` }, game)
    await page.waitForFunction(game => document.body.dataset.game === game, game)
    await page.waitForFunction(() => document.querySelectorAll('#pvs li:first-child a').length > 2)
    await page.hover('#pvs li:first-child a:nth-child(3)')
    await seen(game)
    await photograph(page, `line-${game}`)
    await page.mouse.move(5, 400)
    await gone()
    await page.focus('#pvs li a')
    await page.keyboard.press('ArrowRight')
    await page.keyboard.press('ArrowRight')
    await seen(game)
    if (game === 'go') await page.waitForFunction(() => document.querySelectorAll('#board .number').length === 3)
    await page.keyboard.press('Escape')
    await gone()
    check(!(await page.$('#moves a')), 'a line was played')
    await page.keyboard.press('Enter')
    await movesAre(page, 3)
  }
  await page.click('.switch:has(#analyze)')
}

/** The opening, moves of the book; the tree of moves; a sign, and a comment on the whole game. */
async function opening(page) {
  await open(page, 'x.pgn', '1. e4 e5 2. Nf3 Nc6 3. Bb5 (3. Bc4 Bc5 (3... Nf6) 4. b4) a6 *\n', 10)
  await page.keyboard.press('End')
  await page.waitForSelector('#opening:has-text("Ruy Lopez: Morphy Defense")')
  check((await page.textContent('#opening .code')) === 'C70', 'the code of the opening')
  await page.keyboard.press('g')
  await page.waitForSelector('#branches circle.now')
  check(await page.$$eval('#branches circle', all => all.length) === 11, 'the tree of moves')
  check(await page.evaluate(() => document.activeElement.id === 'branches'), 'the tree of moves has no focus')
  await page.keyboard.press('ArrowLeft')
  await page.keyboard.press('ArrowDown')
  await page.waitForSelector('#opening:has-text("Italian Game")')
  await page.selectOption('#sign', '!?')
  await page.keyboard.press('Home')
  await page.waitForFunction(() => document.getElementById('sign').disabled)
  await page.fill('#comment', 'the whole game')
  await page.keyboard.press('Tab')
  await page.waitForSelector('#moves em.root')
  await photograph(page, 'opening-chess')
  const text = await saved(page)
  check(text.includes('{the whole game} 1. e4') && text.includes('Bc4 $5') && !text.includes('[ECO'), text)
  await page.focus('#branches')
  await page.keyboard.press('g')
  await page.waitForSelector('#branches', {state: 'hidden'})

  await page.evaluate(() => { location.hash = '#analyze/xiangqi' })
  await page.waitForSelector('#known .share')
  await photograph(page, 'opening-xiangqi')
  await page.click('#known a:has-text("炮二平五")')
  await page.waitForSelector('#opening:has-text("Central Cannon")')
  check((await saved(page)).includes('[Opening "中炮"]'), 'the opening is not in the record')
  await page.click('.switch:has(#analyze)')
}

/** Moves that are made while the engine thinks. */
async function premove(page) {
  await begin(page, 'chess', {me: 0, level: 12})
  const planned = count => page.waitForFunction(count => document.querySelectorAll('#board .planned').length === count, count)
  const move = async (from, to) => {
    await click(page, 'chess', from)
    await click(page, 'chess', to)
  }
  await move('e2', 'e4')
  await page.waitForSelector('.thinking')
  // The engine may answer before; then the move is an ordinary one.
  await move('g1', 'f3')
  await photograph(page, 'premove')
  await page.waitForFunction(() => document.querySelectorAll('#moves a').length >= 3)
  check((await page.$$eval('#moves a', all => all[2].textContent)) === 'Nf3', 'the premove was not played')
  for (const end of [() => page.keyboard.press('Escape'), async () => page.mouse.click(...await place(page, 'chess', 'h4'), {button: 'right'})]) {
    await settle(page)
    await page.evaluate(() => { window.moves = document.querySelectorAll('#moves a').length })
    const [from, to] = (await page.$$eval('#moves a', all => all.length)) < 6 ? ['a2', 'a3'] : ['h2', 'h3']
    await move(from, to)
    await page.waitForSelector('.thinking')
    await move('b1', 'c3')
    if (await page.$('.thinking')) {
      await planned(2)
      await end()
      await planned(0)
    }
  }
  await settle(page)
  await begin(page, 'go', {me: 0, level: 6, size: 9})
  await click(page, 'go', 'E5')
  await click(page, 'go', 'A1')
  await page.waitForFunction(() => document.querySelectorAll('#moves a').length >= 3)
  check((await page.$$eval('#moves a', all => all[2].textContent)) === 'A1', 'the premove of Go was not played')
  await settle(page)
}

/** On a telephone the first tap shows the stone on 19x19, the second plays it. */
async function tap(browser, url) {
  const page = await openPage(browser, url, {locale: 'en', viewport: {width: 390, height: 844}, isMobile: true, hasTouch: true, deviceScaleFactor: 2})
  await page.evaluate(() => { location.hash = '#analyze/go' })
  await page.waitForFunction(() => document.body.dataset.game === 'go')
  const touch = async point => page.touchscreen.tap(...await place(page, 'go', point))
  const stones = count => page.waitForFunction(count => document.querySelectorAll('#board .stones circle[fill^=url]').length === count, count)
  // 9x9 has room for a finger.
  await touch('E5')
  await stones(1)
  await open(page, 'x.sgf', '(;GM[1]SZ[19]KM[7];B[dd])', 1)
  await page.click('#do-last')
  await stones(1)
  await touch('Q4')
  await page.waitForSelector('#board .over .ghost.white')
  await touch('Q16')
  await page.waitForFunction(() => document.querySelectorAll('#board .over .ghost').length === 1)
  await photograph(page, 'tap')
  await stones(1)
  await touch('Q16')
  await stones(2)
  // A finger draws with a pen.
  await page.click('#do-draw')
  await page.click('#pens [data-pen=TR]')
  await touch('K10')
  await page.waitForSelector('#board .markup .sign')
  await photograph(page, 'pens-phone')
  check(page.faults.length === 0, page.faults.join('\n'))
  await page.context().close()
}

/** Two sets of pieces each; coordinates of the notation. */
async function pieceSets(page) {
  const first = () => page.$eval('#board .pieces path, #board .pieces text', one => one.getAttribute('d') ?? one.textContent)
  for (const [name, text] of [['x.pgn', '1. e4 *\n'], ['x.pgn', '[Game "Chinese Chess"]\n\n1. C2=5 *\n']]) {
    await open(page, name, text, 1)
    await page.waitForSelector('#board .pieces [data-at]')
    const before = await first()
    await page.click('#do-latin')
    check((await first()) !== before, 'the pieces are the same')
    await page.click('#do-latin')
    check((await first()) === before, 'the pieces are others')
  }
  const labels = async notation => {
    await page.selectOption('#notation', notation)
    return page.$$eval('#board .label', all => all.map(one => one.textContent).join(''))
  }
  const found = [await labels('1'), await labels('2'), await labels('0')]
  check(found[0].includes('九') && /^[1-9]+$/.test(found[1]) && found[2].includes('a'), `coordinates: ${found}`)
  await page.selectOption('#notation', '1')
}

const SIZES = [[390, 844], [844, 390], [768, 1024], [1024, 640], [1280, 720], [1920, 1080], [3840, 2160]]
const RECORDS = {
  chess: ['x.pgn', '1. e4 e5 (1... c5) 2. Nf3 *\n'],
  xiangqi: ['x.pgn', '[Game "Chinese Chess"]\n[Format "Chinese"]\n\n1. 炮二平五 马8进7 2. 马二进三 车9平8 *\n'],
  go: ['x.sgf', '(;GM[1]FF[4]SZ[19]KM[7];B[pd];W[dp];B[pp];W[dd])'],
}

/** Whatever the window, nothing sticks out at the side, and the board is seen as a whole. */
async function fit(browser, url) {
  const faults = []
  const axe = find('axe-core')
  if (!axe) console.log('without axe-core (npm install axe-core)')
  for (const [width, height] of SIZES) for (const zoom of width === 1280 ? [1, 2] : [1]) {
    // A page at 200 % has half of the pixels.
    const page = await openPage(browser, url, {locale: 'en', viewport: {width: width / zoom, height: height / zoom}, deviceScaleFactor: zoom, hash: ''})
    const look = async what => {
      const name = `${what}-${width}x${height}${zoom > 1 ? '-200' : ''}`
      const wide = await page.evaluate(() => document.documentElement.scrollWidth)
      if (wide > width / zoom) faults.push(`${name}: ${wide} pixels wide`)
      await photograph(page, name)
    }
    await page.evaluate(() => { location.hash = '#home' })
    await page.waitForSelector('.tile')
    await look('home')
    for (const [game, [name, text]] of Object.entries(RECORDS)) {
      await open(page, name, text, 4)
      await page.keyboard.press('End')
      const box = await page.locator('#board').boundingBox()
      if (box.width > width / zoom || box.height > height / zoom) faults.push(`${game}: a board of ${box.width}x${box.height} in ${width}x${height}`)
      await look(game)
    }
    await page.context().close()
  }
  if (axe) for (const [name, options] of [['light', {}], ['dark', {colorScheme: 'dark'}], ['phone', {viewport: {width: 390, height: 844}}]]) {
    const page = await openPage(browser, url, {locale: 'en', hash: '', ...options})
    await page.evaluate(() => { location.hash = '#home' })
    await page.waitForSelector('.tile')
    const ask = async what => {
      const found = await page.evaluate(async source => {
        if (!window.axe) (0, eval)(source)
        return (await window.axe.run(document)).violations.filter(one => ['serious', 'critical'].includes(one.impact))
          .flatMap(({id, nodes}) => nodes.slice(0, 5).map(node => `${id}: ${node.html.slice(0, 120)} ${node.any[0]?.message ?? node.all[0]?.message ?? ''}`))
      }, axe.source)
      faults.push(...found.map(fault => `${name}, ${what}: ${fault}`))
    }
    await ask('home')
    for (const [game, [file, text]] of Object.entries(RECORDS)) {
      await open(page, file, text, 4)
      await page.keyboard.press('End')
      await page.evaluate(() => document.getElementById('analyze').checked || document.getElementById('analyze').click())
      await page.waitForSelector('#pvs li')
      await page.focus('#pvs li a')
      if (game !== 'go') await page.waitForSelector('#known h2, #known .share')
      if (await page.isVisible('#do-branches')) await page.click('#do-branches')
      await page.click('#do-draw')
      await ask(game)
      await page.evaluate(() => document.getElementById('analyze').click())
    }
    await page.keyboard.press('Escape')
    for (const key of ['n', '?']) {
      await page.keyboard.press(key)
      await page.waitForSelector('dialog[open]')
      await ask(`dialog ${key}`)
      await page.keyboard.press('Escape')
    }
    await page.context().close()
  }
  check(faults.length === 0, [...new Set(faults)].join('\n'))
}

await run('boards', [], async (browser, {url}) => {
  const page = await openPage(browser, url, {locale: 'en'})
  await playFlows(page, {lines, opening, stepThrough, drawMarks, setUpWithin, premove, pieceSets, tap: () => tap(browser, url), fit: () => fit(browser, url)})
})
