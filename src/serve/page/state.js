// What is on the board and beside it, and what follows from that.

import { fenRows, grid } from "./boards.js";
import { Game, History } from "./game.js";
import { mistakes } from "./lesson.js";
import { Settings } from "./library.js";
import * as panels from "./panels.js";

/** @type {(id: string) => any} */
export const $ = id => document.getElementById(id);
export const make = panels.make;
export const settings = new Settings({ game: navigator.language.startsWith("zh") ? "xiangqi" : "chess", me: "0", level: "3", levels: {}, clocks: {}, customClock: "", conduct: "casual", warn: "off", pace: "human", rival: "", player0: "", player1: "", seconds: "3", ladder: {}, sound: "all", variant: "chess", judge: "chinese", size: "9", rules: "chinese", komi: "7", handicap: "0", theme: "auto", notation: "1", latin: false, flat: false, branches: false, analysis: false, lines: "3", owner: true, open: "", threads: "", hash: "", limit: "", numbers: false });

/** What is kept for the next visit. */
export const kept = settings.values;

export const keep = () => settings.keep();

export const state = {
  /** What is seen: `home` or `game`. */
  view: "home",
  game: new Game({ game: "chess" }),
  /** The node on the board. */
  at: null,
  /** The side that the engine plays: 0, 1, or null. */
  opponent: null,
  /** The engine that plays each side: "" is Sanqi, null a person. */
  seats: [null, null],
  /** The names of other engines of this machine. */
  engines: [],
  /** Whether the coach looks at the person's moves before the engine answers. */
  warns: false,
  /** Whether engines that play each other rest. */
  rests: false,
  /** An engine that has failed: `{node, engine, error}`. */
  fault: null,
  /** What the opponent threatens at a node: `{node, mv, text}`. */
  threat: null,
  flipped: false,
  /** The strength of the engine in this game. */
  level: kept.level,
  isConnected: false,
  /** The table at which the game is played, if it has clocks or is a serious one. */
  sitting: null,
  /** The lesson in the mistakes of the game, while there is one. */
  lesson: null,
  /** The games of the file that was opened last: `{games, broken, at, keys}`; null: the game on the board is none of them. */
  file: null,
  /** The search that runs: what it is for, the number of its request, the node it is of. */
  search: null,
  /** What the search of this node has reported. */
  report: null,
  hint: null,
  /** A count of the board: the dead stones and the result. */
  count: null,
  editor: null,
  review: null,
  slides: false,
  /** The picture that was drawn last: it stays while the position of another node is on its way. */
  picture: null,
  handMarks: {},
  /** The point of Go that was tapped and waits for a second tap. */
  tapped: null,
  /** What levels are worth. */
  levels: null,
  /** Whether another tab has this game too: its engine answers there, unless that tab goes. */
  isWatching: false,
  /** A game that is to be played at a table does not begin before it is set. */
  isSittingDown: false,
};
state.at = state.game.root;

/** Edits that can be undone. */
export const edits = new History(300, 3e7);

/** Where the king goes that is put on its rook. */
export const ROOKS = { h1: "g1", a1: "c1", h8: "g8", a8: "c8" };

export function isCastling(from, rook) {
  if (state.game.kind !== "chess" || !/^e[18]$/.test(from) || rook[1] !== from[1] || !ROOKS[rook]) return false;
  const king = drawable(state.at.position).rows[from[1] === "1" ? 7 : 0][4];
  return /k/i.test(king) && (state.at.position?.legal ?? []).includes(from + ROOKS[rook]);
}

/** Whether the game on the board goes on at a table. */
export const isAtTable = () => Boolean(state.sitting?.isOn) && state.sitting.game === state.game;

/** Whether no move is made here, because the table is elsewhere or its clocks stand. */
export const isHeld = () => isAtTable() && (state.at !== state.sitting.end || !state.sitting.isRunning);

export const endingOf = node => node.position?.ending ?? (state.game.ending?.node === node.id ? state.game.ending : null);
export const isOver = () => Boolean(endingOf(state.at));

/** A position as the boards want it; of one that is not known yet the last picture of such a board. */
export function drawable(position) {
  if (!position && state.picture?.kind === state.game.kind && String(state.picture.size) === String(state.game.size)) return state.picture.shown;
  if (!position) {
    const { columns, rows } = grid(state.game.kind, state.game.size);
    return state.game.isGo ? { size: state.game.size, stones: Array(columns * rows).fill(0) } : { rows: [...Array(rows)].map(() => Array(columns).fill(" ")) };
  }
  return state.game.isGo ? { size: position.size, stones: [...position.stones].map(c => ".bw".indexOf(c)) } : { rows: fenRows(position.fen) };
}

/** What is known of the position on the board: what the search reports, or a deeper one before it. */
export function found() {
  const before = state.at.lines;
  if (!state.report || !before) return state.report ?? before ?? null;
  return isDeeper(before, state.report) && before.lines.length >= Math.min(state.report.lines.length, Number(kept.lines)) ? before : state.report;
}

/** What is kept of a report: less than what is shown while the search runs. */
export const essence = ({ depth, nodes, nps, chances, lead, lines }) => ({ depth, nodes, nps, chances, lead, lines: lines.slice(0, 5).map(line => ({ ...line, pv: line.pv.slice(0, 10) })) });

/** What a level is worth in this game. */
export function worth(number) {
  const all = state.levels?.[state.game.isGo ? "go" : state.game.kind === "xiangqi" ? "xiangqi" : "chess"];
  return (Array.isArray(all) ? all : all?.[state.game.size])?.[number - 1];
}

/** Whether engines play both sides. */
export const isWatched = () => state.seats.every(seat => seat !== null);

/** Half-moves before the first one, for numbers. */
export function pliesBefore() {
  const fields = state.game.start.fen?.split(" ") ?? [];
  return 2 * Math.max(0, (Number(fields[5]) || 1) - 1) + (fields[1] === "b" ? 1 : 0);
}

export const reviewNodes = () => (state.game.isGo ? 300 : 60000);

/** What the first line says of a node, for the bar, the graph and the record. */
export function opinionOf(event) {
  const [line] = event.lines;
  if (!line) return state.at.opinion;
  const { depth, nodes } = event;
  if (state.game.isGo) return { nodes, chances: event.chances, short: `${Math.round(100 * Math.max(event.chances, 1 - event.chances))}`, label: panels.leadText(event.lead), eval: "" };
  const { cp, mate } = line.score;
  return { depth, nodes, chances: line.chances, short: mate !== undefined ? `#${Math.abs(mate)}` : Math.abs(cp / 100).toFixed(1), label: panels.scoreText(line, false), eval: mate !== undefined ? `#${mate}` : (cp / 100).toFixed(2) };
}

/** Whether one opinion comes from a deeper search than the other: by plies where both have them, then by nodes or visits. */
export function isDeeper(one, other) {
  const plies = one?.depth && other?.depth ? one.depth - other.depth : 0;
  return (plies || (one?.nodes ?? 0) - (other?.nodes ?? 0)) > 0;
}

export const endOf = node => { while (node.children.length) node = node.children[0]; return node; };

/** The person's mistakes among nodes, or those of both sides where nobody played. */
export const ownMistakes = nodes => mistakes(nodes, node => state.opponent === null || state.game.side(node.parent) !== state.opponent);

/** The game and where we are in it. */
export function gameData() {
  const all = state.game.nodes(), ending = state.game.ending && { ...state.game.ending, node: all.findIndex(node => node.id === state.game.ending.node) };
  return { key: state.game.key, created: state.game.created, ...state.game.toData(), at: all.indexOf(state.at), opponent: state.opponent, seats: state.seats, warns: state.warns, isCounted: state.game.isCounted, flipped: state.flipped, level: state.level, ending, accuracy: state.game.accuracy, unsolved: ownMistakes(state.game.nodes()).filter(node => !node.solved).length, opinion: state.game.root.opinion, lines: state.game.root.lines, table: isAtTable() ? state.sitting.name : null, finished: state.sitting?.game === state.game && !state.sitting.isOn ? state.sitting.name : null };
}

/** As text, which begins with the key of the game. */
export const stateText = () => JSON.stringify(gameData());

export const notationName = () => ["iccs", "chinese", "wxf"][Number(kept.notation)];
