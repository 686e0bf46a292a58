// Games as a whole: begun, opened, saved, kept in the library.

import { enter, goHome, home } from "./app.js";
import { why } from "./coach.js";
import { edit, forget, goTo, halt, hand, isWaiting, table, think, watch } from "./commands.js";
import { ask, upload } from "./engine.js";
import { Game, moveOf } from "./game.js";
import { positionIn } from "./input.js";
import { Keeper } from "./library.js";
import { written } from "./moves.js";
import * as panels from "./panels.js";
import { nameOf, players } from "./players.js";
import { positionText } from "./share.js";
import { Sitting, speakAloud } from "./sitting.js";
import { $, drawable, edits, gameData, isAtTable, isWatched, keep, kept, notationName, state, stateText } from "./state.js";
import { refuse, show, showBoard, showEditing } from "./views.js";
import { t } from "./words.js";

// ---- new games, files, set-up

/** Takes a game to the board. */
function take(next, node, side, taken = null, isQuiet = false) {
  if (state.game.root.children.length || state.game.start.fen || state.game.start.stones) edit(state.view === "game" && !isQuiet ? "formerKept" : null);
  keeper.flush();
  halt();
  leaveTable();
  state.lesson = state.file = null;
  closeEditor();
  state.isWatching = false;
  state.game = next;
  state.opponent = side;
  state.seats = taken ?? [0, 1].map(one => (one === side ? "" : null));
  state.warns = state.rests = false;
  state.fault = null;
  enter();
  return goTo(node ?? state.game.root, { plays: true });
}

// ---- a game at a table

const tablePage = {
  toast: panels.toast,
  changed: () => show(),
  announce(text, isCall) {
    $("news").textContent = text;
    if (isCall && kept.sound === "all") speakAloud(text);
  },
  /** The table has other moves than the page. */
  follow(taken, isNew, isFirst) {
    const { end } = state.sitting, wasThere = isFirst || taken.includes(state.at) || state.at === end || state.at === end.parent;
    for (const node of taken) if (node.parent?.children.includes(node) && !state.sitting.line.includes(node)) forget(node);
    if (isNew && end.text && state.sitting.person !== null && state.game.side(end) === state.sitting.person) $("news").textContent = t("engineMoves", written(end.text, Number(kept.notation)));
    remember();
    if (wasThere) goTo(end, { slide: isNew && !isFirst });
    else show();
  },
};

function leaveTable() {
  state.sitting?.leave();
  state.sitting = null;
}

/** Sits down at a new table with the game that was just begun. */
async function sitDown(choices, names) {
  const seat = state.sitting = new Sitting(tablePage, state.game);
  const terms = {
    line: state.game.line(state.game.root), control: choices.clock || "inf", conduct: choices.conduct, names, seats: state.seats,
    level: state.level === "full" ? null : Number(state.level), notation: notationName(),
  };
  if (!await seat.sit(terms) && state.sitting === seat) {
    state.sitting = null;
    think(true);
  }
}

/** Goes on at the table of a game that was opened. */
async function sitAgain(name) {
  const seat = state.sitting = new Sitting(tablePage, state.game);
  if (!await seat.resume(name) && state.sitting === seat) state.sitting = null;
  show();
}

export function closeEditor() {
  state.editor = null;
  $("editor").hidden = true;
  showEditing();
}

export async function begin(choices) {
  if (!state.isConnected) return refuse();
  const { game: kind } = choices;
  if (choices.clock === "custom") choices.clock = choices.customClock.trim();
  Object.assign(kept, choices, { levels: { ...kept.levels, [kind]: choices.level }, clocks: { ...kept.clocks, [kind]: choices.clock } });
  delete kept.clock;
  keep();
  const start = { game: kind === "chess" ? choices.variant : kind, rules: {} };
  if (start.game === "chess960") start.fen = await ask("shuffle");
  if (kind === "xiangqi") start.rules.repetition = { rules: choices.judge };
  if (kind === "go") start.rules.go = { size: Number(choices.size), komi: Number(choices.komi) || 0, rules: choices.rules, handicap: Number(choices.handicap) };
  if (choices.me === "watch") choices.conduct = "casual";
  const me = choices.me === "random" ? Math.floor(Math.random() * 2) : ["both", "watch"].includes(choices.me) ? null : Number(choices.me);
  state.level = kept.level;
  state.flipped = me === 1 && kind !== "go";
  const next = new Game(start), engine = me === null ? null : 1 - me, taken = players(choices, me, state.engines);
  next.tags = tagsOf(kind, engine, taken);
  const isTable = choices.clock || choices.conduct !== "casual";
  if (choices.clock && kind !== "go") next.tags.push(["TimeControl", choices.clock]);
  if (!isTable) {
    const there = take(next, null, engine, taken);
    state.warns = choices.warn === "on" && engine !== null;
    return there;
  }
  state.isSittingDown = true;
  const there = take(next, null, engine, taken);
  state.isSittingDown = false;
  await sitDown(choices, taken.map(seat => (seat === null ? "Player" : nameOf(seat))));
  return there;
}

/** The same game again, with the sides changed. */
export function rematch(at = state.level) {
  const { rules, game: kind } = state.game.start, go = rules.go ?? {};
  const family = kind === "chess960" ? "chess" : kind;
  const rivals = isWatched() ? { me: "watch", player0: state.seats[1], player1: state.seats[0] } : { me: String(state.opponent), rival: state.seats[state.opponent] };
  begin({ ...kept, ...rivals, warn: state.warns ? "on" : "off", game: family, variant: kind, level: at, clock: state.sitting?.game === state.game && state.sitting.state.control !== "inf" ? state.sitting.state.control : "",
    ...(rules.repetition ? { judge: rules.repetition.rules } : {}), ...(family === "go" ? { size: String(go.size), komi: String(go.komi), rules: go.rules, handicap: String(go.handicap ?? 0) } : {}) });
}

/** The tags of a game that begins now. */
function tagsOf(kind, engine, taken = null) {
  const names = [0, 1].map(side => (taken && taken[side] !== null ? nameOf(taken[side]) : engine === null ? "?" : engine === side ? "Sanqi" : "Player"));
  const [one, two] = kind === "go" ? ["Black", "White"] : kind === "xiangqi" ? ["Red", "Black"] : ["White", "Black"];
  const today = new Date().toLocaleDateString("sv");
  return [["Event", "?"], ["Date", kind === "go" ? today : today.replaceAll("-", ".")], [one, names[0]], [two, names[1]]];
}

/** Begins at once, as the last game of this kind was begun; with a piece in hand. */
export async function play(kind, point) {
  const me = ["both", "watch"].includes(kept.me) ? "0" : kept.me;
  await begin({ ...kept, game: kind, me, level: kept.levels[kind] ?? kept.level, clock: kept.clocks[kind] ?? "" });
  if (point && state.view === "game" && table.owns(point)) hand.choose(point);
}

/** An empty board for both sides. */
export function analyze(kind) {
  const start = { game: kind, rules: {} };
  if (kind === "go") start.rules.go = { size: Number(kept.size), komi: Number(kept.komi) || 0, rules: kept.rules, handicap: 0 };
  if (kind === "xiangqi") start.rules.repetition = { rules: kept.judge };
  state.flipped = false;
  const next = new Game(start);
  next.tags = tagsOf(kind, null);
  $("analyze").checked = kept.analysis = true;
  take(next, null, null);
}

/** Opens what was pasted or dropped as text: a position, or a record. */
export async function openText(text) {
  const found = positionIn(text, state.game.kind);
  if (!found) return openFile(new Blob([text]));
  const next = new Game({ game: found.game, rules: {}, ...(found.fen ? { fen: found.fen } : {}) });
  try {
    const pictures = await ask("pictures", { line: { ...next.start, moves: found.moves } });
    let node = next.root;
    found.moves.forEach((mv, i) => { node = next.add(node, mv, pictures[i + 1].text, pictures[i + 1]); });
    state.flipped = false;
    take(next, node, null);
  } catch (error) { panels.toast(error.message); }
}

export async function openFile(file) {
  if (!file) return;
  try {
    const found = await upload(await file.arrayBuffer());
    if (!found.games.length) return panels.toast(found.broken[0] ?? t("cannotRead"));
    if (found.games.length === 1 && !found.broken.length) return await openGame(found.games[0]);
    chooseGame({ ...found, at: null, keys: [] });
  } catch (error) { panels.toast(error.message); }
}

/** Lets one of the games of a file be chosen. */
export const chooseGame = file => panels.askGame(file, i => openOf(file, i));

/** Goes to a game of a file: where it was opened before, to what has become of it. */
export async function openOf(file, i) {
  const name = keeper.name(file.keys[i]);
  try {
    if (name) await openKept(name);
    else await openGame(file.games[i]);
  } catch (error) { return panels.toast(error.message); }
  Object.assign(file, { at: i });
  file.keys[i] = state.game.key;
  state.file = file.games.length > 1 ? file : null;
  show();
}

async function openGame(found) {
  const next = Game.fromData({ ...found, start: { game: found.game, fen: found.fen, rules: found.rules } });
  const { end } = next, pictures = await ask("pictures", { line: next.line(end) });
  next.path(end).forEach((node, i) => { node.position = pictures[i + 1]; });
  next.record(found.result);
  next.opened = true;
  state.flipped = false;
  // Stones that are set up before the first move are seen at once.
  let first = next.root;
  while (first.children.length === 1 && first.children[0].mv.startsWith("A") && !moveOf(first.children[0].mv)) [first] = first.children;
  return take(next, first, null, null, Boolean(state.file));
}

/** The game as a record. */
export function recordText() {
  const data = state.game.toData(), all = state.game.nodes();
  for (const [i, kept] of data.nodes.entries()) if (why(all[i]) && !kept.comment.includes(why(all[i]))) kept.comment = [kept.comment, why(all[i])].filter(Boolean).join(" ");
  if (!data.tags.length) data.tags = tagsOf(state.game.kind, state.opponent);
  data.notation = ["iccs", "chinese", "wxf"][Number(kept.notation)];
  return ask("save", { tree: data });
}

/** The position on the board as a text: its FEN, in Go a record of its stones. */
export const sharedPosition = () => (state.game.isGo ? positionText({ ...drawable(state.at.position), color: state.game.side(state.at) + 1 }) : state.at.position?.fen ?? "");

export async function save() {
  try {
    const text = await recordText();
    const link = document.createElement("a"), name = `${state.game.kind}-${new Date().toLocaleDateString("sv")}.${state.game.isGo ? "sgf" : "pgn"}`;
    link.href = URL.createObjectURL(new Blob([text], { type: "text/plain" }));
    link.download = name;
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 10000);
    panels.toast(t("saved", name));
  } catch (error) { panels.toast(error.message); }
}

export function setUp() {
  if (state.editor || !state.at.position) return;
  halt();
  state.report = state.count = null;
  state.editor = new panels.Editor(state.game.kind, drawable(state.at.position), state.game.side(state.at), {
    fen: state.at.position.fen,
    look: { latin: kept.latin, flat: kept.flat },
    show: () => showBoard(),
    cancel: () => { state.editor = null; goTo(state.at); },
    async done(made) {
      const start = { ...state.game.start };
      delete start.fen;
      if (state.game.isGo) Object.assign(start, { stones: made.stones(), turn: made.turn ? "second" : "first" });
      else start.fen = made.fen();
      const next = new Game(start);
      try {
        next.root.position = await ask("position", { line: next.line(next.root) });
      } catch (error) { return panels.toast(error.message); }
      made.close(() => { state.editor = null; take(next, null, null); });
    },
  });
  showBoard();
}

/** Characters of what can be undone that are kept with a game. */
const MAX_UNDO = 3e5;

/** The last states that are of this game. */
function ownEdits(states) {
  const own = states.filter(text => text.startsWith(`{"key":"${state.game.key}"`));
  let size = 0;
  return own.reverse().filter(text => (size += text.length) < MAX_UNDO).reverse();
}

export const keeper = new Keeper({
  snapshot() {
    const isEmpty = !state.game.root.children.length && !state.game.root.comment && !state.game.start.fen && !state.game.start.stones;
    const isKept = keeper.isOn && (!isEmpty || keeper.name(state.game.key));
    try {
      if (isKept) sessionStorage.removeItem("game");
      else sessionStorage.setItem("game", stateText());
    } catch { /* A game too large to be kept is lost on a reload, and on nothing else. */ }
    if (!isKept) return null;
    const tree = gameData();
    const { start, tags, result, comment, ending, nodes } = tree;
    const content = JSON.stringify([start, tags, result, comment, ending, tree.extra, nodes.map(({ parent, mv, comment, sign, extra }) => [parent, mv, comment, sign, extra])]);
    return { key: state.game.key, content, tree: { ...tree, notation: notationName(), picture: state.game.picture, undo: { past: ownEdits(edits.past), future: ownEdits(edits.future) } } };
  },
  named(key, name) {
    if (key !== state.game.key || state.view !== "game") return;
    kept.open = name;
    keep();
    history.replaceState(null, "", `#game/${name}`);
  },
  copied: () => panels.toast(t("copied")),
  stale: name => reload(name),
  failed: error => panels.toast(t("notKept", error.message)),
});

export function remember() { keeper.touch(); }

/** Takes over what `gameData` gave; the node where we were. */
export function restore(data) {
  leaveTable();
  state.lesson = null;
  const restored = Game.fromData(data), all = restored.nodes();
  if (restored.key !== state.game.key) state.file = null;
  ({ opponent: state.opponent, flipped: state.flipped, level: state.level = kept.level, warns: state.warns = false } = data);
  state.seats = data.seats ?? [0, 1].map(side => (side === state.opponent ? "" : null));
  state.rests = isWatched();
  state.fault = null;
  restored.isCounted = data.isCounted;
  if (data.ending && all[data.ending.node]) restored.ending = { ...data.ending, node: all[data.ending.node].id };
  restored.accuracy = data.accuracy;
  restored.root.opinion = data.opinion ?? null;
  restored.root.lines = data.lines ?? undefined;
  state.game = restored;
  if (data.table && state.isConnected) sitAgain(data.table);
  return all[data.at] ?? restored.root;
}

/** Takes a game of the library to the board. */
function adopt({ name, revision, tree, shared }) {
  halt();
  watch(shared);
  closeEditor();
  const node = restore(tree);
  const { past = [], future = [] } = tree.undo ?? {};
  edits.past.push(...past);
  edits.future = future;
  state.at = node;
  keeper.learn(state.game.key, { name, revision }, null);
  keeper.known.get(state.game.key).content = keeper.page.snapshot()?.content;
  return node;
}

/** Opens a game of the library. */
export async function openKept(name) {
  if (keeper.name(state.game.key) === name) {
    enter();
    return goTo(state.at);
  }
  keeper.flush();
  try {
    const found = await ask("load", { name });
    edits.past = [];
    const node = adopt(found);
    enter();
    goTo(node);
  } catch (error) {
    panels.toast(error.message);
    goHome();
  }
}

/** Another tab has changed the game on the board: it is shown as it is now. */
async function reload(name) {
  const before = state.game.path(state.at).map(node => node.mv);
  try {
    const found = await ask("load", { name });
    if (keeper.name(state.game.key) !== name) return;
    edits.past = [];
    adopt(found);
    let node = state.game.root;
    for (const mv of before) node = node.children.find(child => child.mv === mv) ?? node;
    goTo(node);
  } catch { /* It was removed: what is on the board stays. */ }
}

export function hearLibrary({ name, revision }) {
  if (state.view === "home") return home.searchSoon();
  if (name === keeper.name(state.game.key) && revision > keeper.revision(name) && !keeper.isBehind() && !isWaiting() && !isAtTable() && !state.editor) reload(name);
}
