// What the scripts for the page of `sanqi serve` share: servers, pages in Chromium, clicks on the board.

import {spawn} from 'node:child_process'
import {existsSync, mkdtempSync} from 'node:fs'
import {tmpdir} from 'node:os'
import {dirname, join} from 'node:path'
import {createInterface} from 'node:readline'
import {fileURLToPath} from 'node:url'

const root = join(dirname(fileURLToPath(import.meta.url)), '..', '..')
export const engine = process.argv[2] ?? join(root, 'sanqi')
if (!process.argv[2] && !existsSync(engine)) {
  console.log('skipped: the engine is not built')
  process.exit(77)
}

export function check(condition, message) {
  if (!condition) throw new Error(message)
}

export const libraries = mkdtempSync(join(tmpdir(), 'sanqi-'))

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
  const {grid} = await import(new URL('boards.js', location.href).href)
  const svg = document.getElementById('board')
  const size = game === 'go' ? Math.round((svg.viewBox.baseVal.width - 108) / 100) : undefined
  const g = grid(game, size), flipped = document.getElementById('bar').classList.contains('flipped')
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

export async function begin(page, game, choices) {
  await page.click('#do-new')
  await page.click(`#new .tiles label:has(input[value=${game}])`)
  for (const [name, value] of Object.entries(choices)) {
    if (name === 'level') await page.selectOption('#new select[name=level]', String(value))
    else await page.click(`#new label:has(input[name=${name}][value="${value}"])`)
  }
  await page.click('#begin')
  await page.waitForSelector('#new', {state: 'hidden'})
  return settle(page)
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

