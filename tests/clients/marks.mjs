#!/usr/bin/env node
// What is drawn on the boards of `sanqi serve`, as records have it, and where a premove may go. It needs no engine.

import assert from 'node:assert'
import {copyFileSync, mkdtempSync, rmSync} from 'node:fs'
import {tmpdir} from 'node:os'
import {dirname, join} from 'node:path'
import {fileURLToPath, pathToFileURL} from 'node:url'

// Node takes a module by the end of its name.
const folder = mkdtempSync(join(tmpdir(), 'sanqi-'))
const source = join(dirname(fileURLToPath(import.meta.url)), '../../src')
const module = async path => {
  const copy = join(folder, path.replaceAll('/', '-').replace(/js$/, 'mjs'))
  copyFileSync(join(source, path), copy)
  return import(pathToFileURL(copy))
}
const {fenRows, grid} = await module('page/boards.js')
const {drawn, markupOf, wiped} = await module('page/markup.js')
const {Premove, reach} = await module('serve/page/premove.js')
rmSync(folder, {recursive: true})

const chess = grid('chess'), xiangqi = grid('xiangqi'), go = grid('go', 19), small = grid('go', 9)

// Commands of PGN; what is no mark of a board is left alone.
const extra = {commands: ['[%csl Gd5, Rc4,Xa1,Gz9]', '[%clk 0:10:00]', '[%cal Be4d5]'], glyphs: [14]}
const marks = markupOf(extra, chess)
assert.deepEqual(marks.circles.map(({at, color}) => `${color} ${at}`), ['green d5', 'red c4'])
assert.deepEqual(marks.arrows.map(({from, to, color}) => `${color} ${from}${to}`), ['blue e4d5'])
assert.deepEqual(drawn(extra, chess, {from: 'd5', to: 'd5', pen: 'green'}).commands, ['[%csl Rc4,Xa1,Gz9]', '[%clk 0:10:00]', '[%cal Be4d5]'])
assert.deepEqual(drawn(extra, chess, {from: 'd5', to: 'd5', pen: 'red'}).commands[0], '[%csl Rc4,Xa1,Gz9,Rd5]')
assert.deepEqual(drawn(extra, chess, {from: 'e4', to: 'd5', pen: 'blue'}), {commands: ['[%csl Gd5, Rc4,Xa1,Gz9]', '[%clk 0:10:00]'], glyphs: [14]})
assert.deepEqual(wiped(extra, chess), {commands: ['[%clk 0:10:00]'], glyphs: [14]})
assert.equal(wiped({commands: ['[%csl Gd5]']}, chess), undefined)
assert.deepEqual(drawn(undefined, xiangqi, {from: 'h0', to: 'g2', pen: 'yellow'}), {commands: ['[%cal Yh0g2]']})
assert.deepEqual(markupOf({commands: ['[%csl Gi9,Ga0]']}, xiangqi).circles.length, 2)
assert.deepEqual(markupOf({commands: ['[%csl Gi9,Ga0]']}, chess).circles.length, 0)

// Every stroke twice is none; what the record has besides stays where it is.
const record = {properties: [['N', ['name']], ['LB', ['cc:A', 'dd:B']], ['TR', ['aa:bb']], ['TB', ['ss']]], exact: ['x']}
assert.equal(markupOf(record, go).signs.length, 4)
assert.deepEqual(markupOf(record, go).territory, [{at: 'T1', color: 'black'}])
assert.deepEqual(markupOf(record, small).territory, [])
for (const pen of ['LB', 'TR', 'SQ', 'CR', 'MA']) {
  const once = drawn(record, go, {from: 'Q4', to: 'Q4', pen})
  assert.deepEqual(drawn(once, go, {from: 'Q4', to: 'Q4', pen}), record, pen)
  assert.deepEqual(once.properties[0], ['N', ['name']])
}
const arrow = {from: 'A1', to: 'Q4', pen: 'CR'}
assert.deepEqual(drawn(record, go, arrow).properties.at(-1), ['AR', ['as:pp']])
assert.deepEqual(drawn(drawn(record, go, arrow), go, arrow), record)
// A sign takes the place of another, and a rectangle is written point by point; the next letter is the first free one.
assert.deepEqual(drawn(record, go, {from: 'A19', to: 'A19', pen: 'SQ'}).properties.slice(2), [['TR', ['ba', 'ab', 'bb']], ['TB', ['ss']], ['SQ', ['aa']]])
assert.deepEqual(drawn(record, go, {from: 'Q4', to: 'Q4', pen: 'LB'}).properties[1], ['LB', ['cc:A', 'dd:B', 'pp:C']])
assert.deepEqual(wiped(record, go), {properties: [['N', ['name']]], exact: ['x']})

// Where pieces could go if nothing stood in the way.
const START = {chess: 'rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR', xiangqi: 'rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR'}
const goes = (g, kind, from, fen = START[kind]) => reach(g, fenRows(fen), from).sort().join()
assert.equal(goes(chess, 'chess', 'e2'), 'd3,e3,e4,f3')
assert.equal(goes(chess, 'chess', 'e7'), 'd6,e5,e6,f6')
assert.equal(goes(chess, 'chess', 'b1'), 'a3,c3,d2')
assert.equal(goes(chess, 'chess', 'e1'), 'a1,c1,d1,d2,e2,f1,f2,g1,h1')
assert.equal(goes(chess, 'chess', 'a1').split(',').length, 14)
assert.equal(goes(xiangqi, 'xiangqi', 'e0'), 'd0,e1,f0')
assert.equal(goes(xiangqi, 'xiangqi', 'd9'), 'e8')
assert.equal(goes(xiangqi, 'xiangqi', 'c0'), 'a2,e2')
assert.equal(goes(xiangqi, 'xiangqi', 'e3'), 'e4')
assert.equal(goes(xiangqi, 'xiangqi', 'e6', '4k4/9/9/4P4/9/9/9/9/9/4K4'), 'd6,e7,f6')
assert.equal(goes(xiangqi, 'xiangqi', 'h2').split(',').length, 17)

// A premove is played in the position that was waited for, and nowhere else.
let waiting = {}
const premove = new Premove({node: () => waiting})
const answer = (legal, parent = waiting) => ({parent, position: {legal}})
premove.plan('e7', 'e8')
assert.deepEqual(premove.points, ['e7', 'e8'])
assert.equal(premove.take(answer(['e7e8n', 'e7e8q']), (_, to) => to), 'e7e8q')
assert.equal(premove.take(answer(['e7e8q']), (_, to) => to), null)
premove.plan('e1', 'h1')
assert.equal(premove.take(answer(['e1g1']), () => 'g1'), 'e1g1')
premove.plan('D4')
assert.equal(premove.take(answer(['D4'], {}), (_, to) => to), null)
premove.plan('D4')
assert.equal(premove.take(answer(['D14', 'D4']), (_, to) => to), 'D4')
premove.plan('D4')
assert.equal(premove.drop(), true)
assert.equal(premove.drop(), false)
