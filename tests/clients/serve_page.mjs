// What the scripts for the page of `sanqi serve` share: servers, pages in Chromium, clicks on the board, flows in turn.

import {spawn} from 'node:child_process'
import {existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync} from 'node:fs'
import {tmpdir} from 'node:os'
import {dirname, join} from 'node:path'
import {createInterface} from 'node:readline'
import {fileURLToPath} from 'node:url'
import {launch} from './browser.mjs'

export const root = join(dirname(fileURLToPath(import.meta.url)), '..', '..')
export const engine = process.argv[2] ?? join(root, 'sanqi')
if (!process.argv[2] && !existsSync(engine)) {
  console.log('skipped: the engine is not built')
  process.exit(77)
}

export function check(condition, message) {
  if (!condition) throw new Error(message)
}

export const libraries = mkdtempSync(join(tmpdir(), 'sanqi-'))

/** Where pictures for people go: `--pictures FOLDER` behind the engine. */
export const pictures = process.argv[3] === '--pictures' ? process.argv[4] : null
if (pictures) mkdirSync(pictures, {recursive: true})

export const photograph = (page, name, options) => pictures && page.screenshot({path: join(pictures, `${name}.png`), ...options})

/** Ends a server, whose end is then no fault. */
export function stop(child) {
  child.removeAllListeners('exit')
  child.kill()
}

/**
 * The main part of a script: `play` gets a browser and a server of its own, `{child, url}`, which it may replace, and throws
 * where something is wrong. Ends the process: 0 where all went well, else 1.
 */
export async function run(library, words, play) {
  const server = await serve(library, ...words), browser = await launch()
  let status = 0
  try {
    await play(browser, server)
  } catch (error) {
    console.log(error)
    status = 1
  }
  await browser.close()
  stop(server.child)
  rmSync(libraries, {recursive: true, force: true})
  process.exit(status)
}

/** Plays flows by their names, one after the other; those that `ONLY` names with commas between, or all. */
export async function playFlows(page, flows) {
  const only = process.env.ONLY?.split(',')
  for (const [name, flow] of Object.entries(flows)) {
    if (only && !only.includes(name)) continue
    const began = performance.now()
    try {
      await flow(page)
    } catch (error) {
      await photograph(page, `failed-${name}`)
      throw new Error(name, {cause: error})
    }
    console.log(`${name}: ${((performance.now() - began) / 1000).toFixed(1)} s`)
  }
  check(page.faults.length === 0, `the page is at fault:\n${page.faults.join('\n')}`)
}

/** Starts the server with a library of its own; its process and the address of the page. */
export function serve(library, ...more) {
  const child = spawn(engine, ['serve', '--store', join(libraries, library), ...more], {stdio: ['ignore', 'pipe', 'inherit']})
  return new Promise((resolve, reject) => {
    child.on('error', reject)
    child.on('exit', code => reject(new Error(`the server ended: ${code}`)))
    createInterface({input: child.stdout}).once('line', url => resolve({child, url}))
  })
}

/** A page, and the faults that it reports. */
export async function openPage(browser, url, {hash = '#game', ...options} = {}) {
  const context = await browser.newContext({viewport: {width: 1280, height: 860}, acceptDownloads: true, ...options})
  const page = await context.newPage()
  // A machine that is busy with other tests is slow.
  page.setDefaultTimeout(180000)
  page.faults = []
  page.on('pageerror', error => page.faults.push(error.stack))
  page.on('console', message => message.type() === 'error' && page.faults.push(message.text()))
  // How long it takes from the engine's move, as it arrives, to the board that shows it.
  await page.addInitScript(() => {
    window.replies = []
    // Ready is the page that shows whose move it is.
    new MutationObserver((_, watch) => {
      if (!document.querySelector('body[data-ready=true][data-view=home] .tile, body[data-ready=true] #status h3')?.textContent) return
      window.readyAfter = performance.now()
      watch.disconnect()
    }).observe(document, {childList: true, subtree: true, attributes: true})
    const Plain = window.WebSocket
    window.WebSocket = class extends Plain {
      constructor(...all) {
        super(...all)
        this.addEventListener('message', event => {
          if (!event.data.startsWith('{"event":"move"')) return
          const arrived = performance.now(), list = document.getElementById('moves'), before = list.textContent
          const watch = new MutationObserver(() => {
            if (list.textContent === before) return
            window.replies.push(performance.now() - arrived)
            watch.disconnect()
          })
          watch.observe(list, {childList: true, subtree: true})
        })
      }
    }
  })
  await page.goto(`${url}${hash}`)
  await page.waitForSelector('body[data-ready=true]')
  if (hash) await page.waitForSelector('#status h3:has-text("move"), #status h3:has-text("走")')
  page.ready = await page.evaluate(() => window.readyAfter)
  return page
}

/** Where a point of the board is on the screen. */
export const place = (page, game, point) => page.evaluate(async ([game, point]) => {
  const [{grid}, {state}] = await Promise.all(['boards.js', 'state.js'].map(name => import(new URL(name, location.href).href)))
  const svg = document.getElementById('board'), g = grid(game, state.game.size), flipped = document.getElementById('bar').classList.contains('flipped')
  const [x, y] = g.xy(...g.place(point), flipped)
  const {x: left, y: top} = new DOMPoint(x, y).matrixTransform(svg.getScreenCTM())
  return [left, top]
}, [game, point])

export const click = async (page, game, point) => page.mouse.click(...await place(page, game, point))

/** What the page shows of the game. */
export const state = page => page.evaluate(() => ({
  moves: document.querySelectorAll('#moves a').length,
  ending: document.getElementById('ending')?.textContent,
  thinking: Boolean(document.querySelector('.thinking')),
  counting: Boolean(document.getElementById('accept')),
  pieces: [...document.querySelectorAll('#board [data-at]')].map(piece => piece.dataset.at),
}))

/** Waits until it is the person's turn, or the game is over. */
export async function settle(page) {
  await page.waitForFunction(() => document.getElementById('ending') || document.getElementById('accept')
    || (!document.querySelector('.thinking') && document.querySelector('#player-bottom .turn')))
  return state(page)
}

/** Opens the dialog for a new game, and makes its choices by their names. */
export async function choose(page, game, choices) {
  await page.click('#do-new')
  await page.click(`#new .tiles label:has(input[value=${game}])`)
  for (const [name, value] of Object.entries(choices)) {
    const select = `#new select[name=${name}]`
    if (await page.$(select)) await page.selectOption(select, String(value))
    else if (await page.$(`#new input[name=${name}]:is([type=text], [type=number])`)) await page.fill(`#new input[name=${name}]`, String(value))
    else await page.click(`#new label:has(input[name=${name}][value="${value}"])`)
  }
}

export async function start(page) {
  await page.click('#begin')
  await page.waitForSelector('#new', {state: 'hidden'})
}

export async function begin(page, game, choices) {
  await choose(page, game, choices)
  await start(page)
  return settle(page)
}

/** Types a move. */
export async function type(page, text) {
  await page.fill('#typed-move', text)
  await page.press('#typed-move', 'Enter')
}

/** Opens a file, and waits until its moves are there. */
export async function open(page, name, text, moves) {
  await page.evaluate(() => document.getElementById('moves').replaceChildren())
  await page.setInputFiles('#file', {name, mimeType: 'text/plain', buffer: Buffer.from(text)})
  if (moves !== undefined) await movesAre(page, moves)
}

/** The record as the page saves it, without its line ends. */
export async function saved(page) {
  const [download] = await Promise.all([page.waitForEvent('download'), page.click('#do-save')])
  return readFileSync(await download.path(), 'utf8').replace(/\s+/g, ' ')
}

/** Draws with the right button, from a point to another. */
export async function stroke(page, game, from, to, ...keys) {
  for (const key of keys) await page.keyboard.down(key)
  await page.mouse.move(...await place(page, game, from))
  await page.mouse.down({button: 'right'})
  if (to !== from) await page.mouse.move(...await place(page, game, to), {steps: 3})
  await page.mouse.up({button: 'right'})
  for (const key of keys) await page.keyboard.up(key)
}

export const movesAre = (page, count) => page.waitForFunction(count => document.querySelectorAll('#moves a').length === count, count)

/** Pastes a text into the page. */
export const paste = (page, text) => page.evaluate(text => {
  const data = new DataTransfer()
  data.setData('text/plain', text)
  document.body.dispatchEvent(new ClipboardEvent('paste', {clipboardData: data, bubbles: true, cancelable: true}))
}, text)

/** Ends a server as a power failure would. */
export const kill = child => new Promise(resolve => {
  child.removeAllListeners('exit')
  child.on('exit', resolve)
  child.kill('SIGKILL')
})

