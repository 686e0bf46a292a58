#!/usr/bin/env node
// Random edits of games on the page of `sanqi serve` in headless Chromium, with reloads and kills of the server: the tree is
// what the commands say, on the page and in the library.
//
// Exit status: 0 when all went well, 1 when not, 77 when Chromium or the package playwright-core is missing.
//
//     tests/clients/edits_page.mjs ENGINE
//
// `SANQI_SEQUENCES` is another number of sequences than 6.

import assert from 'node:assert'
import {readdirSync, readFileSync} from 'node:fs'
import {join} from 'node:path'
import {Model, randomly, said} from './edit_model.mjs'
import {kill, libraries, openPage, run, serve} from './serve_page.mjs'

const SEQUENCES = Number(process.env.SANQI_SEQUENCES ?? 6), EDITS = 40
const random = randomly(11)
const pick = all => all[random(all.length)]

/** Has the page do something by its own modules, and waits until it knows the position that is reached. */
const act = (page, what, ...args) => page.evaluate(async ([what, args]) => {
  const [{state}, commands, {actions}] = await Promise.all(['state.js', 'commands.js', 'app.js'].map(name => import(new URL(name, location.href).href)))
  const field = (name, value) => {
    const element = document.getElementById(name)
    element.focus()
    element.value = value
    element.dispatchEvent(new Event(name === 'sign' ? 'change' : 'input'))
    element.blur()
  }
  if (what === 'play') commands.playMove(args[0], false)
  else if (what === 'go') commands.goTo(args[0].reduce((node, i) => node.children[i], state.game.root))
  else if (what === 'comment' || what === 'sign') field(what, args[0])
  else actions[what]()
  while (!state.at.position?.legal) await new Promise(resolve => setTimeout(resolve, 5))
}, [what, args])

/** The moves that are legal on the page. */
const legal = page => page.evaluate(async () => (await import(new URL('state.js', location.href).href)).state.at.position.legal)

/** The game on the page: its tree and its place, and whether the library has all of it. */
const look = page => page.evaluate(async () => {
  const [{state}, {keeper}] = await Promise.all(['state.js', 'games.js'].map(name => import(new URL(name, location.href).href)))
  const shown = node => ({mv: node.mv, comment: node.comment, sign: node.sign, marks: [], children: node.children.map(shown)})
  const path = []
  for (let {at} = state; at.parent; at = at.parent) path.unshift(at.parent.children.indexOf(at))
  return {tree: shown(state.game.root), path, name: keeper.name(state.game.key), isBehind: Boolean(keeper.isBehind())}
})

/** The tree in a file of the library. */
function kept(name) {
  const {tree} = JSON.parse(readFileSync(join(libraries, 'edits', 'games', `${name}.json`), 'utf8'))
  const root = {mv: null, comment: tree.comment, sign: '', marks: [], children: []}, all = []
  for (const {parent, mv, comment, sign} of tree.nodes) {
    const node = {mv, comment, sign, marks: [], children: []};
    (parent === null ? root : all[parent]).children.push(node)
    all.push(node)
  }
  return root
}

/** The number of moves of a tree. */
const size = model => JSON.stringify(model.root).split('"mv":').length - 2

let edits = 0, reloads = 0, kills = 0

/** One edit, on the page and of the model. */
async function change(page, model) {
  edits++
  const what = random(16)
  if (what < 6) {
    const mv = pick((await legal(page)).slice(0, 4))
    if (!mv) return
    await act(page, 'play', mv)
    return model.play(mv)
  }
  const place = what < 8 ? model.anywhere(random) : null, isRoot = !model.path.length
  if (place) {
    await act(page, 'go', place)
    return model.go(place)
  }
  const text = what === 8 ? pick(['good', 'a "b" {c}', '炮二平五']) : pick(['!', '?', '??'])
  if (what === 8) await act(page, 'comment', text), model.comment(text)
  else if (what === 9 && !isRoot) await act(page, 'sign', text), model.sign(text)
  else if (what === 10) await act(page, 'promote'), model.promote()
  else if (what === 11 && !isRoot) await act(page, 'remove'), model.remove()
  // An undo at the beginning brings back the game that was on the board before.
  else if (what < 14 && model.past.length) await act(page, 'revert'), model.undo()
  else if (model.future.length) await act(page, 'redo'), model.redo()
}

await run('edits', ['--port', '0'], async (browser, server) => {
  const {port} = new URL(server.url), page = await openPage(browser, server.url, {locale: 'en'})
  for (let sequence = 0; sequence < SEQUENCES; sequence++) {
    const model = new Model(), kind = ['chess', 'xiangqi', 'go'][sequence % 3]
    await page.evaluate(kind => { location.hash = `#analyze/${kind}` }, kind)
    await page.waitForFunction(kind => document.body.dataset.game === kind && !document.querySelector('#moves a'), kind)
    await page.evaluate(() => document.getElementById('analyze').checked && document.getElementById('analyze').click())
    const same = async what => {
      const {tree, path} = await look(page)
      assert.deepStrictEqual({tree, path}, {tree: said(model.root), path: model.path}, `sequence ${sequence}, ${what}`)
    }
    for (let i = 0; i < EDITS; i++) {
      await change(page, model)
      await same('after an edit')
      if (i && random(12) === 0) {
        reloads++
        await page.reload()
        await page.waitForSelector('body[data-ready=true]')
        await page.waitForFunction(count => document.querySelectorAll('#moves a').length === count, size(model))
        await same('after a reload')
      } else if (i > 5 && random(15) === 0 && (await look(page)).name) {
        kills++
        const {name} = await look(page)
        await kill(server.child)
        Object.assign(server, await serve('edits', '--port', port))
        await page.goto(`${server.url}#game/${name}`)
        await page.waitForSelector('body[data-ready=true]')
        await page.waitForFunction(count => document.querySelectorAll('#moves a').length === count, size(model))
        await same('after a kill')
      }
    }
    while ((await look(page)).isBehind) await page.waitForTimeout(50)
    assert.deepStrictEqual(kept((await look(page)).name), said(model.root), `sequence ${sequence}, in the library`)
  }
  const names = readdirSync(join(libraries, 'edits', 'games')).filter(name => name.endsWith('.json'))
  assert.equal(names.length, SEQUENCES, 'a game was copied')
  const faults = page.faults.filter(fault => !/WebSocket|ERR_CONNECTION|403/.test(fault))
  assert.deepStrictEqual(faults, [])
  console.log(`${SEQUENCES} sequences, ${edits} edits, ${reloads} reloads, ${kills} kills`)
})
