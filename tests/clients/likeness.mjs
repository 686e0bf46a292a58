// Pictures of pages, compared with those that are kept, so coarsely that another font or browser hardly changes them.
//
// A picture is cut into cells of 16 pixels, of which each has one color. The distance of two pictures is that of the place
// where they differ most: the mean difference, of 255, of 5x5 cells, where a cell may also be like its neighbor. What an engine
// says is masked. Besides, no text of a page may lie on another. flows.mjs measures each time it runs:
//
//     distance                      on the board   beside it
//     the same page                            3           3
//     another font                             3           9
//     another weight, wider set                11          10
//     a wrong piece                           61
//     red pieces in black                     18
//     blank pieces                            23
//     a board shifted by a fifth             125         142
//     a missing panel                                     48
//     overlapping text                                    62, and 6 texts on others
//     tolerance                               14          25

import {readFileSync, writeFileSync} from 'node:fs'
import {deflateRawSync, inflateRawSync} from 'node:zlib'
import {check} from './serve_page.mjs'

const CELL = 16, WINDOW = 5
export const TOLERANCE = {board: 14, page: 25}

/** Milliseconds after which nothing more comes in, and how often a picture is taken until it is like the kept one. */
const SETTLED = 1200, TRIES = 40

/** What engines say, times of the day, and what flies by. */
const MASK = `#effort, #pvs .score, #pvs .visits, #pvs .pv, .clock, #wdl, #bar > *, #folder, #accuracy, #turns a, .card small, #toast, #preview svg,
#graph > *, #board .arrows, #board .candidates, #board .owners, #council .opinion, #envelope code, #status input { visibility: hidden !important; }
* { scrollbar-width: none !important; }`

/** The mean colors of the cells of a picture. */
const reduce = (helper, png) => helper.evaluate(async ([data, size]) => {
  const image = await createImageBitmap(await (await fetch(`data:image/png;base64,${data}`)).blob())
  const columns = Math.floor(image.width / size), rows = Math.floor(image.height / size), colors = []
  const context = new OffscreenCanvas(image.width, image.height).getContext('2d')
  context.drawImage(image, 0, 0)
  const pixels = context.getImageData(0, 0, image.width, image.height).data
  for (let row = 0; row < rows; row++) for (let column = 0; column < columns; column++) {
    const sum = [0, 0, 0]
    for (let y = row * size; y < (row + 1) * size; y++) for (let x = column * size; x < (column + 1) * size; x++) {
      for (let i = 0; i < 3; i++) sum[i] += pixels[4 * (y * image.width + x) + i]
    }
    colors.push(...sum.map(value => Math.round(value / size / size)))
  }
  return {columns, rows, colors}
}, [png.toString('base64'), CELL])

/** How much cells of a picture differ from those of another, at their place or beside it. */
function differences({columns, rows, colors}, other) {
  const found = new Float64Array(columns * rows)
  for (let row = 0; row < rows; row++) for (let column = 0; column < columns; column++) {
    const at = 3 * (row * columns + column)
    let least = 255
    for (let y = Math.max(0, row - 1); y <= Math.min(rows - 1, row + 1); y++) for (let x = Math.max(0, column - 1); x <= Math.min(columns - 1, column + 1); x++) {
      const there = 3 * (y * columns + x)
      let most = 0
      for (let i = 0; i < 3; i++) most = Math.max(most, Math.abs(other.colors[there + i] - colors[at + i]))
      least = Math.min(least, most)
    }
    found[at / 3] = least
  }
  return found
}

/** The distances of two pictures on the board, a rectangle in cells, and beside it. */
function distance(one, other, board) {
  if (one.columns !== other.columns || one.rows !== other.rows) return {board: 255, page: 255}
  const {columns, rows} = one, [there, back] = [differences(one, other), differences(other, one)], found = {board: 0, page: 0}
  for (let row = 0; row + WINDOW <= rows; row++) for (let column = 0; column + WINDOW <= columns; column++) {
    let sum = 0
    for (let y = row; y < row + WINDOW; y++) for (let x = column; x < column + WINDOW; x++) sum += Math.max(there[y * columns + x], back[y * columns + x])
    const isBoard = board && column >= board[0] && row >= board[1] && column + WINDOW <= board[2] && row + WINDOW <= board[3], part = isBoard ? 'board' : 'page'
    found[part] = Math.max(found[part], sum / WINDOW / WINDOW)
  }
  return found
}

/** Texts of a page that lie on another one. */
const collisions = page => page.evaluate(() => {
  const texts = [], walk = document.createTreeWalker(document.querySelector('dialog[open]') ?? document.body, NodeFilter.SHOW_TEXT)
  while (walk.nextNode()) {
    const {parentElement: parent} = walk.currentNode
    if (!walk.currentNode.data.trim() || !parent.checkVisibility({visibilityProperty: true, opacityProperty: true}) || parent.closest('svg, .unseen, option, script, style, #toast, #preview')) continue
    const range = document.createRange()
    range.selectNodeContents(walk.currentNode)
    for (const {left, top, right, bottom} of range.getClientRects()) {
      const box = {left, top, right, bottom, parent, text: walk.currentNode.data.trim()}
      for (let at = parent; at; at = at.parentElement) {
        if (getComputedStyle(at).overflow === 'visible') continue
        const clip = at.getBoundingClientRect()
        Object.assign(box, {left: Math.max(box.left, clip.left), top: Math.max(box.top, clip.top), right: Math.min(box.right, clip.right), bottom: Math.min(box.bottom, clip.bottom)})
      }
      if (box.right - box.left > 3 && box.bottom - box.top > 3) texts.push(box)
    }
  }
  const found = []
  texts.forEach((one, i) => texts.slice(i + 1).forEach(other => {
    const wide = Math.min(one.right, other.right) - Math.max(one.left, other.left), high = Math.min(one.bottom, other.bottom) - Math.max(one.top, other.top)
    // Lines of text stand a little over their letters.
    if (one.parent !== other.parent && wide > 2 && high > 0.4 * Math.min(one.bottom - one.top, other.bottom - other.top)) found.push(`${one.text} | ${other.text}`)
  }))
  return found
})

/** The pictures of a file, and a page that looks at them. */
export class Likeness {
  constructor(file, helper, isUpdate) {
    const kept = isUpdate && !process.env.ONLY ? {} : JSON.parse(readFileSync(file, 'utf8'))
    Object.assign(this, {file, helper, isUpdate, kept, fresh: new Set(), worst: {board: 0, page: 0}})
  }

  /** How far a page is from the picture of this name; `texts` that collide. */
  async distance(page, name) {
    await page.mouse.move(1, 1)
    await page.evaluate(() => document.fonts.ready)
    const picture = await reduce(this.helper, await page.screenshot({animations: 'disabled', caret: 'hide', scale: 'css', style: MASK}))
    const box = await page.evaluate(size => {
      const board = document.getElementById('board'), {left, top, right, bottom} = board.getBoundingClientRect()
      return board.checkVisibility() && !document.querySelector('dialog[open]') ? [Math.ceil(left / size), Math.ceil(top / size), Math.floor(right / size), Math.floor(bottom / size)] : null
    }, CELL)
    const texts = await collisions(page)
    if (this.isUpdate && !this.fresh.has(name)) {
      this.fresh.add(name)
      const colors = deflateRawSync(Buffer.from(picture.colors.map(value => value & 0xfc)), {level: 9}).toString('base64')
      this.kept[name] = {columns: picture.columns, rows: picture.rows, board: box, colors}
    }
    const kept = this.kept[name]
    check(kept, `${name}: no picture is kept: run it with --update`)
    return {...distance(picture, {...kept, colors: [...inflateRawSync(Buffer.from(kept.colors, 'base64'))]}, kept.board), texts}
  }

  /** Compares a page with the picture of this name, which it may not be like at once. */
  async look(page, name) {
    if (this.isUpdate) await page.waitForTimeout(SETTLED)
    for (let tries = 0; ; tries++) {
      const {board, page: beside, texts} = await this.distance(page, name)
      if (board <= TOLERANCE.board && beside <= TOLERANCE.page && texts.length === 0) {
        this.worst = {board: Math.max(this.worst.board, board), page: Math.max(this.worst.page, beside)}
        return
      }
      check(tries < TRIES, `${name}: ${board.toFixed(1)} on the board, ${beside.toFixed(1)} beside it${texts.length ? `; ${texts[0]}: text on text` : ''}`)
      await page.waitForTimeout(250)
    }
  }

  /** Writes the pictures where they are to be new, and says how far off those of these names were. */
  end(names) {
    const lines = Object.entries(this.kept).map(([name, picture]) => `${JSON.stringify(name)}: ${JSON.stringify(picture)}`)
    if (this.isUpdate) writeFileSync(this.file, `{\n${lines.join(',\n')}\n}\n`)
    console.log(`${names.length} pictures, at most ${this.worst.board.toFixed(1)} from those kept on the board, ${this.worst.page.toFixed(1)} beside it`)
  }
}
