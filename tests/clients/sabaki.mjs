#!/usr/bin/env node
// Plays the engine through Sabaki's own libraries: @sabaki/gtp drives it, @sabaki/go-board referees.
//
// Exit status: 0 when all went well, 1 when not, 77 when the libraries are missing.
//
//     tests/clients/sabaki.mjs [ENGINE]
//
// ENGINE is the engine's binary, by default $SANQI, or the newest one under target/.

import {createRequire} from 'node:module'
import {existsSync, statSync} from 'node:fs'
import {dirname, join} from 'node:path'
import {fileURLToPath} from 'node:url'

const root = join(dirname(fileURLToPath(import.meta.url)), '..', '..')
const tools = join(root, 'target', 'tools', 'node_modules', 'x.js')

function load(name) {
  for (const from of [tools, import.meta.url]) {
    try {
      return createRequire(from)(name)
    } catch (error) {
      if (error.code !== 'MODULE_NOT_FOUND') throw error
    }
  }
  console.log(`skipped: ${name} is not installed (npm install ${name})`)
  process.exit(77)
}

const {Controller, ControllerStateTracker} = load('@sabaki/gtp')
const GoBoard = load('@sabaki/go-board')

const SETTINGS = {maxVisits: 40, searchRandSeed: 7}
const INTERVAL = 5 // centiseconds between two reports

function findEngine() {
  if (process.argv[2]) return process.argv[2]
  if (process.env.SANQI) return process.env.SANQI
  const built = ['sanqi', ...['release', 'quick', 'debug'].map(p => join('target', p, 'sanqi'))]
  const paths = built.map(path => join(root, path)).filter(existsSync)
  return paths.sort((a, b) => statSync(b).mtimeMs - statSync(a).mtimeMs)[0]
}

function require_(condition, message) {
  if (!condition) throw new Error(message)
}

/** An engine attached as Sabaki attaches it: four commands at once, without waiting. */
async function attach(path) {
  const controller = new Controller(path, ['gtp'])
  controller.start()
  const tracker = new ControllerStateTracker(controller)
  const names = ['name', 'version', 'protocol_version', 'list_commands']
  const answers = await Promise.all(names.map(name => tracker.queueCommand({name})))
  require_(answers.every(answer => !answer.error), 'an answer to the first commands is an error')
  require_(answers[2].content === '2', `protocol version ${answers[2].content}`)
  const commands = answers[3].content.split('\n').map(line => line.trim())
  for (const [name, value] of Object.entries(SETTINGS)) {
    const {error, content} = await controller.sendCommand({name: 'kata-set-param', args: [name, `${value}`]})
    require_(!error, `kata-set-param: ${content}`)
  }
  return {controller, tracker, commands}
}

/** The first command of the list that Sabaki would use. */
const firstOf = (commands, wanted) => wanted.find(name => commands.includes(name))
const GENMOVE = ['genmove_analyze', 'kata-genmove_analyze', 'lz-genmove_analyze']
const ANALYZE = ['analyze', 'kata-analyze', 'lz-analyze']

/** Reads a line of reports as Sabaki does: blocks of keys and values, `pv` last. */
function parseAnalysis(line, board) {
  return line
    .split(/\s*info\s+/)
    .slice(1)
    .map(block => block.trim())
    .map(block => {
      const variation = block.match(/(?:^|\s)pv((?:\s+(?:[A-Za-z]\d+|pass))+)\s*$/i)
      if (variation == null) throw new Error(`no variation at the end of: ${block}`)
      const words = block.slice(0, variation.index).trim().split(/\s+/)
      require_(words.length % 2 === 0, `keys and values do not pair up: ${block}`)
      const entry = {pv: variation[1].trim().split(/\s+/)}
      for (let i = 0; i < words.length; i += 2) entry[words[i]] = words[i + 1]
      return entry
    })
    .filter(entry => !/^pass$/i.test(entry.move))
    .map(entry => {
      const vertex = board.parseVertex(entry.move)
      require_(board.has(vertex), `no vertex: ${entry.move}`)
      require_(/^\d+$/.test(entry.winrate), `a winrate that is no whole number: ${entry.winrate}`)
      require_(+entry.winrate <= 10000, `winrate ${entry.winrate}`)
      require_(Number.isInteger(+entry.visits), `visits ${entry.visits}`)
      require_(Number.isFinite(+entry.scoreLead), `scoreLead ${entry.scoreLead}`)
      return entry
    })
}

const isPass = vertex => /^pass$/i.test(vertex)
const key = board => board.signMap.flat().join()

/** Plays one move under the rules, or throws. */
function play(board, seen, sign, text) {
  if (isPass(text)) return board
  const vertex = board.parseVertex(text)
  require_(board.has(vertex), `not on the board: ${text}`)
  const options = {preventOverwrite: true, preventSuicide: true}
  const next = board.makeMove(sign, vertex, options)
  require_(!seen.has(key(next)), `superko: ${text}`)
  seen.add(key(next))
  return next
}

/** A game of two engines, each brought up to date before each of its moves. */
async function playGame(path, size) {
  const players = [await attach(path), await attach(path)]
  let board = GoBoard.fromDimensions(size)
  const seen = new Set([key(board)])
  const history = []
  let passes = 0
  for (let turn = 0; passes < 2; turn++) {
    require_(turn < 3 * size * size, 'the game does not end')
    const {controller, tracker, commands} = players[turn % 2]
    const [sign, color] = turn % 2 === 0 ? [1, 'B'] : [-1, 'W']
    await tracker.sync({komi: 7.5, boardsize: [size, size], history: [...history]})
    if (turn % 40 === 11) await analyzeAwhile(controller, commands, board, color)
    let move = null
    const command = {name: firstOf(commands, GENMOVE), args: [color, `${INTERVAL}`]}
    const response = await tracker.queueCommand(command).catch(error => ({error: true, content: `${error}`}))
    require_(!response.error, `${command.name}: ${response.content}`)
    for (const line of response.content.split('\n')) {
      if (/^play\s/.test(line)) move = line.slice(5).trim()
      else parseAnalysis(line, board)
    }
    require_(move != null, `no move in: ${response.content}`)
    if (/^resign$/i.test(move)) break
    passes = isPass(move) ? passes + 1 : 0
    board = play(board, seen, sign, move)
    history.push({name: 'play', args: [color, move.toUpperCase()]})
  }
  for (const {controller} of players) await stop(controller)
  return history.length
}

/** Analysis, ended as Sabaki ends it: by another command. */
async function analyzeAwhile(controller, commands, board, color) {
  let reports = 0
  const analysis = controller.sendCommand(
    {name: firstOf(commands, ANALYZE), args: [color, `${INTERVAL}`]},
    ({line}) => {
      if (/^info /.test(line)) reports += parseAnalysis(line, board).length > 0
    }
  )
  await new Promise(resolve => setTimeout(resolve, 300))
  const next = controller.sendCommand({name: 'protocol_version'})
  const answers = await Promise.all([analysis, next])
  require_(!answers[0].error && answers[1].content === '2', 'an analysis that does not end well')
  require_(reports > 0, 'an analysis without reports')
}

async function stop(controller) {
  const began = Date.now()
  await controller.stop()
  require_(Date.now() - began < 2900, 'it had to be killed')
}

/** Random numbers that are the same in every run. */
function random(seed) {
  return n => {
    seed = (seed * 1103515245 + 12345) & 0x7fffffff
    return (seed >> 8) % n
  }
}

/** A line of play from `history` on, with colors twice in a row and passes in it. */
function extend(history, size, length, draw) {
  let board = GoBoard.fromDimensions(size)
  const seen = new Set([key(board)])
  const out = []
  const add = command => {
    if (command.name === 'set_free_handicap') {
      for (const text of command.args) board = board.makeMove(1, board.parseVertex(text))
      seen.add(key(board))
    } else {
      board = play(board, seen, command.args[0] === 'B' ? 1 : -1, command.args[1])
    }
    out.push(command)
  }
  history.forEach(add)
  let sign = out.length % 2 === 0 ? 1 : -1
  while (out.length < length) {
    sign = draw(6) === 0 ? sign : -sign
    const vertex = draw(15) === 0 ? 'PASS' : board.stringifyVertex([draw(size), draw(size)])
    try {
      add({name: 'play', args: [sign > 0 ? 'B' : 'W', vertex]})
    } catch (error) {
      if (vertex === 'PASS') throw error
    }
  }
  return {history: out, board}
}

/** The tracker takes moves back and plays others; the engine must follow. */
async function syncs(path, count) {
  const {controller, tracker} = await attach(path)
  const draw = random(2026)
  let history = []
  let undone = 0
  for (let i = 0; i < count; i++) {
    const size = i < count / 2 ? 9 : 19
    if (i === count / 2) history = []
    if (i % 5 === 0) {
      history = [{name: 'set_free_handicap', args: ['C3', 'G7', 'C7', 'G3'].slice(0, 2 + (i % 3))}]
    }
    const kept = history.slice(0, Math.max(1, history.length - draw(8)))
    undone += history.length - kept.length
    const next = extend(kept, size, kept.length + 3 + draw(20), draw)
    history = next.history
    await tracker.sync({komi: [0, 5.5, 7.5][i % 3], boardsize: [size, size], history})
    for (const [color, sign] of [['B', 1], ['W', -1]]) {
      const {content} = await controller.sendCommand({name: 'list_stones', args: [color]})
      const found = content.split(/\s+/).filter(text => text !== '').sort().join(' ')
      const stones = next.board.signMap.flatMap((row, y) => row.map((s, x) => [s, x, y]))
      const expected = stones.filter(([s]) => s === sign)
      const names = expected.map(([, x, y]) => next.board.stringifyVertex([x, y])).sort().join(' ')
      require_(found === names, `sync ${i}: ${color} has ${found}, not ${names}`)
    }
  }
  require_(undone > 10, 'nothing was taken back')
  await stop(controller)
}

const engine = findEngine()
if (!engine) {
  console.log('skipped: the engine is not built')
  process.exit(77)
}
try {
  for (const size of [9, 13, 19]) {
    const began = Date.now()
    const moves = await playGame(engine, size)
    console.log(`${size}x${size}: ${moves} moves in ${((Date.now() - began) / 1000).toFixed(1)} s`)
  }
  await syncs(engine, 20)
  console.log('20 syncs')
  process.exit(0)
} catch (error) {
  console.error(error)
  process.exit(1)
}
