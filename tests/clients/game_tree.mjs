#!/usr/bin/env node
// The tree of moves of the page of `sanqi serve`: whose move it is, and which result the record has. It needs no engine.

import assert from 'node:assert'
import {webcrypto} from 'node:crypto'
import {copyFileSync, mkdtempSync, rmSync} from 'node:fs'
import {tmpdir} from 'node:os'
import {dirname, join} from 'node:path'
import {fileURLToPath, pathToFileURL} from 'node:url'

// Node 18 has it only as a module.
globalThis.crypto ??= webcrypto

// Node takes a module by the end of its name.
const folder = mkdtempSync(join(tmpdir(), 'sanqi-'))
const copy = join(folder, 'game.mjs')
copyFileSync(join(dirname(fileURLToPath(import.meta.url)), '../../src/page/game.js'), copy)
const {Game} = await import(pathToFileURL(copy))
rmSync(folder, {recursive: true})

const play = (game, node, ...moves) => moves.reduce((at, mv) => game.add(at, mv, mv), node)

// A variation that ends in a mate leaves the record's result alone, and so does a reload.
const game = new Game({game: 'chess'})
const end = play(game, game.root, 'e2e4', 'e7e5', 'g1f3')
game.record('1/2-1/2')
const mate = play(game, game.root, 'f2f3', 'e7e5', 'g2g4', 'd8h4')
mate.position = {ending: {result: '0-1'}}
assert.equal(game.result, '1/2-1/2')
const reloaded = Game.fromData(JSON.parse(JSON.stringify(game.toData())))
assert.equal(reloaded.result, '1/2-1/2')

// A record may have another result than its last position: when a flag fell, for example.
end.position = {ending: {result: '0-1'}}
assert.equal(game.result, '1/2-1/2')
end.position = null

// On the main line the mate is the result, until it is taken back. A record that is played on has no result.
game.promote(mate)
assert.equal(game.result, '0-1')
assert.equal(game.remove(mate).mv, 'g2g4')
assert.equal(game.result, '')
game.promote(end)
assert.equal(game.result, '1/2-1/2')
play(game, end, 'b8c6')
assert.equal(game.result, '')

// What a person ended, by resigning or by counting, ends the main line alone.
game.ending = {node: end.id, result: '0-1', written: 'W+R'}
assert.equal(game.result, '')
game.ending.node = game.end.id
assert.equal(game.result, 'W+R')

// Where a position was not asked for, the start shows whose move it is.
const sides = (start, ...moves) => {
  const game = new Game(start)
  return [game.root, ...game.path(play(game, game.root, ...moves))].map(node => game.side(node))
}
assert.deepEqual(sides({game: 'chess'}, 'e2e4', 'e7e5'), [0, 1, 0])
assert.deepEqual(sides({game: 'chess', fen: ' 4k3/8/8/8/8/8/8/4K3 b - - 0 1'}, 'e8d8'), [1, 0])
assert.deepEqual(sides({game: 'go', rules: {go: {handicap: 3}}}, 'C3'), [1, 0])
assert.deepEqual(sides({game: 'go', turn: 'second', rules: {go: {handicap: 0}}}), [1])
