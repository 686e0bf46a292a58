#!/usr/bin/env node
// Random edits of games by the modules of the page, with reloads and kills of a server: the tree is what the commands say.
// It needs no engine.
//
// `SANQI_SEQUENCES` is another number of sequences than 3,000.

import assert from 'node:assert'
import {webcrypto} from 'node:crypto'
import {copyFileSync, mkdtempSync, rmSync, writeFileSync} from 'node:fs'
import {tmpdir} from 'node:os'
import {dirname, join} from 'node:path'
import {fileURLToPath, pathToFileURL} from 'node:url'
import {Model, randomly, said} from './edit_model.mjs'

// Node 18 has it only as a module.
globalThis.crypto ??= webcrypto

const SEQUENCES = Number(process.env.SANQI_SEQUENCES ?? 3000), EDITS = 40

// ---- a browser as far as these modules need one, whose time passes on request

let timers = []
globalThis.setTimeout = (act, delay = 0) => {
  const timer = {act, due: now + delay}
  timers.push(timer)
  return timer
}
globalThis.clearTimeout = timer => { timers = timers.filter(one => one !== timer) }
let now = 0
const settle = async () => { for (let i = 0; i < 12; i++) await null }
async function wait(milliseconds) {
  now += milliseconds
  for (;;) {
    const timer = timers.find(one => one.due <= now)
    if (!timer) return settle()
    clearTimeout(timer)
    timer.act()
    await settle()
  }
}
class Storage {
  constructor() { this.clear() }
  clear() { Object.defineProperty(this, 'all', {value: {}, configurable: true}) ; for (const key of Object.keys(this)) delete this[key] }
  getItem(key) { return Object.hasOwn(this, key) ? this[key] : null }
  setItem(key, value) { this[key] = String(value) }
  removeItem(key) { delete this[key] }
}
Object.assign(globalThis, {
  localStorage: new Storage(), sessionStorage: new Storage(), document: {documentElement: {lang: 'en'}},
  location: {href: 'http://127.0.0.1/token/'}, fetch: async () => ({status: 200}),
})

// ---- a server that keeps games as serve/store.rs does, and is killed before or after it has kept one

const random = randomly(7)
const server = {games: new Map(), names: 0, isUp: true, socket: null, kills: 0}
const hash = tree => JSON.stringify({...tree, saved: 0})

function keep({name, revision, edited, tree}) {
  const key = name ?? [...server.games].find(([, one]) => one.hash === hash(tree))?.[0], known = server.games.get(key)
  if (known?.hash === hash(tree)) return {name: key, revision: known.revision}
  if (known && known.revision !== revision && !edited) return {name: key, revision: known.revision, stale: true}
  const isCopy = Boolean(known) && known.revision !== revision, own = known && !isCopy ? key : `game-${++server.names}`
  const next = known && !isCopy ? revision + (edited ? 1 : 0) : 1
  server.games.set(own, {revision: next, tree, hash: hash(tree)})
  return {name: own, revision: next, ...(isCopy ? {copy: true} : {})}
}

function kill() {
  server.kills++
  server.isUp = false
  server.socket?.close()
}

class Socket {
  static OPEN = 1
  constructor() {
    this.readyState = 0
    setTimeout(() => {
      if (!server.isUp) return this.close()
      this.readyState = 1
      server.socket = this
      this.onopen()
    })
  }
  close() {
    if (this.readyState === 3) return
    this.readyState = 3
    this.onclose()
  }
  send(text) {
    const {id, do: what, ...more} = JSON.parse(text)
    if (random(20) === 0) {
      if (random(2)) keep(more)
      return setTimeout(kill)
    }
    const ok = what === 'store' ? keep(more) : structuredClone({...server.games.get(more.name), name: more.name})
    setTimeout(() => this.readyState === 1 && this.onmessage({data: JSON.stringify({id, ok})}))
  }
}
globalThis.WebSocket = Socket

// ---- the modules of the page

const folder = mkdtempSync(join(tmpdir(), 'sanqi-')), source = join(dirname(fileURLToPath(import.meta.url)), '../../src')
for (const name of ['serve/page/engine.js', 'page/game.js', 'serve/page/library.js', 'page/markup.js', 'page/boards.js']) {
  copyFileSync(join(source, name), join(folder, name.split('/').at(-1)))
}
writeFileSync(join(folder, 'package.json'), '{"type": "module"}')
const load = name => import(pathToFileURL(join(folder, name)))
const [{ask, connect}, {Game, History}, {Keeper}, {drawn, wiped}, {grid}] = await Promise.all(['engine.js', 'game.js', 'library.js', 'markup.js', 'boards.js'].map(load))
rmSync(folder, {recursive: true})

/** The game and its commands, as commands.js has them. */
class Page {
  constructor(data) {
    this.edits = new History(300, 3e7)
    this.restore(data ?? {start: {game: ['chess', 'xiangqi', 'go'][random(3)]}, nodes: []})
    this.keeper = new Keeper({
      snapshot: () => (this.isGone ? null : {key: this.game.key, content: hash(this.game.toData()), tree: {...this.state(), undo: {past: this.edits.past, future: this.edits.future}}}),
      named: (_, name) => { this.name = name }, copied() {}, stale() {}, failed(error) { throw error },
    })
    this.keeper.isOn = true
  }

  state() { return {key: this.game.key, created: this.game.created, ...this.game.toData(), at: this.game.nodes().indexOf(this.at)} }
  text() { return JSON.stringify(this.state()) }

  restore(data) {
    this.game = Game.fromData(data)
    this.at = this.game.nodes()[data.at] ?? this.game.root
  }

  edit() { this.edits.record(this.text()) }
  play(mv) {
    if (!this.at.children.some(child => child.mv === mv)) this.edit()
    this.at = this.game.add(this.at, mv, [mv])
  }
  comment(text) { this.edit(); this.at.comment = text }
  sign(text) { this.edit(); this.at.sign = text }
  draw(stroke) { this.edit(); this.at.extra = drawn(this.at.extra, grid(this.game.kind, 19), stroke) }
  wipe() { if (!this.at.extra) return; this.edit(); this.at.extra = wiped(this.at.extra, grid(this.game.kind, 19)) }
  promote() { this.edit(); this.game.promote(this.at) }
  remove() { if (this.at === this.game.root) return; this.edit(); this.at = this.game.remove(this.at) }
  revert(text) { if (text) this.restore(JSON.parse(text)) }
  undo() { this.revert(this.edits.undo(this.text())) }
  redo() { this.revert(this.edits.redo(this.text())) }
  go(path) { this.at = path.reduce((node, i) => node.children[i], this.game.root) }
}

/** What is drawn at a node of the page, in the order of the model. */
const PENS = {chess: ['green', 'red', 'blue', 'yellow'], go: ['CR']}
const COLORS = {G: 'green', R: 'red', B: 'blue', Y: 'yellow'}
function marks(extra, kind) {
  if (kind === 'go') return (extra?.properties ?? []).flatMap(([, all]) => all).map(point => `CR ${grid('go', 19).name(point.charCodeAt(0) - 97, point.charCodeAt(1) - 97)}`)
  return (extra?.commands ?? []).flatMap(text => text.slice(6, -1).split(',')).map(text => `${COLORS[text[0]]} ${text.slice(1)}`)
}
const shown = (node, kind) => ({mv: node.mv, comment: node.comment, sign: node.sign, marks: marks(node.extra, kind).sort(), children: node.children.map(child => shown(child, kind))})

const pick = all => all[random(all.length)]
let edits = 0, reloads = 0
/** A game as it is kept, but for what a page adds each time. */
const text = tree => JSON.stringify({...tree, undo: 0, saved: 0})

/** One edit, of the page and of the model. */
function change(page, model) {
  const both = (name, ...args) => { page[name](...structuredClone(args)); model[name](...structuredClone(args)) }
  const {kind} = page.game, pens = PENS[kind] ?? PENS.chess, points = kind === 'go' ? ['D4', 'Q16', 'K10'] : ['a1', 'e4', 'h8']
  edits++
  const what = random(20)
  if (what < 7) both('play', pick(['a', 'b', 'c', 'd']))
  else if (what < 9) both('go', model.anywhere(random))
  else if (what === 9) both('comment', pick(['', 'good', 'a "b" {c}\n[d]', '炮二平五']))
  else if (what === 10) model.path.length && both('sign', pick(['', '!', '?', '??']))
  else if (what === 11) {
    const from = pick(points)
    both('draw', {from, to: kind === 'go' || random(2) ? from : pick(points), pen: pick(pens)})
  } else if (what === 12) both('wipe')
  else if (what === 13) both('promote')
  else if (what === 14) both('remove')
  else if (what < 18) both('undo')
  else both('redo')
}

const began = performance.now()
let page = null
connect(() => {}, isThere => { if (isThere) page?.keeper.pump() })
await wait(10)
for (let sequence = 0; sequence < SEQUENCES; sequence++) {
  localStorage.clear()
  server.games.clear()
  server.isUp = true
  await wait(2500)
  const model = new Model()
  page = new Page()
  const same = () => assert.deepStrictEqual(shown(page.game.root, page.game.kind), said(model.root), `sequence ${sequence}`)
  for (let i = 0; i < EDITS; i++) {
    change(page, model)
    page.keeper.touch()
    if (!random(3)) await wait(random(600))
    if (!random(15)) { server.isUp = true; await wait(2500) }
    if (random(20)) continue
    // A page goes on when the server is there again; the next one gets what it has kept.
    reloads++
    same()
    page.keeper.flush()
    while (page.keeper.isBehind()) {
      server.isUp = true
      await wait(2500)
    }
    page.isGone = true
    const {past, future} = page.edits, name = page.keeper.name(page.game.key), kept = server.games.get(name)
    assert.equal(text(kept?.tree ?? {}), text(page.state()), `sequence ${sequence}: the server has not what was on the board`)
    page = new Page(kept.tree)
    Object.assign(page.edits, {past, future})
    page.keeper.learn(page.game.key, {name, revision: kept.revision}, null)
    same()
  }
  same()
  page.isGone = true
}
console.log(`${SEQUENCES} sequences, ${edits} edits, ${reloads} reloads, ${server.kills} kills: ${((performance.now() - began) / 1000).toFixed(0)} s`)
process.exit(0)
