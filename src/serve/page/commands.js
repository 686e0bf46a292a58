// What is done with the game on the board: moves, edits, searches.

import { actions, enter, hearSettings } from "./app.js";
import { grid } from "./boards.js";
import { Practice, learnOf, pause } from "./coach.js";
import { ask } from "./engine.js";
import { moveOf } from "./game.js";
import { hearLibrary, keeper, openKept, openOf, remember, restore } from "./games.js";
import { Hand } from "./input.js";
import { Lesson, Problem } from "./lesson.js";
import { Pen } from "./markup.js";
import { written } from "./moves.js";
import * as panels from "./panels.js";
import { Council } from "./players.js";
import { Premove, reach } from "./premove.js";
import { sound, soundOf } from "./sounds.js";
import { $, ROOKS, drawable, edits, endOf, essence, isAtTable, isCastling, isDeeper, isHeld, isOver, isWatched, kept, opinionOf, ownMistakes, reviewNodes, state, stateText } from "./state.js";
import { lines, refuse, show, showBoard, showFindings, showSoon } from "./views.js";
import { t } from "./words.js";

export const table = {
  grid: () => grid(state.game.kind, state.editor ? state.editor.position.size : state.game.size),
  flipped: () => state.flipped,
  isSingle: () => Boolean(state.editor) || state.game.isGo,
  owns: point => (premove.isOpen ? isOwn(point) : !isOver() && !isWaiting() && !isHeld() && (state.at.position?.legal ?? []).some(mv => mv.startsWith(point))),
  targets(point) {
    if (premove.isOpen) return reach(table.grid(), drawable(state.at.position).rows, point);
    const to = (state.at.position?.legal ?? []).filter(mv => mv.startsWith(point)).map(mv => mv.slice(2, 4));
    return [...to, ...Object.keys(ROOKS).filter(rook => isCastling(point, rook))];
  },
  ghost: point => (!state.editor && !state.count && !isOver() && !isWaiting() && !isHeld() && state.at.position?.legal?.includes(point) ? panels.sideName("go", state.game.side(state.at)) : null),
  turn: step => (step < 0 ? actions.back() : actions.forward()),
  speak(point) {
    $("news").textContent = `${point}: ${panels.contents(state.game.kind, grid(state.game.kind, state.game.size), drawable(state.at.position), point)}`;
  },
  async play(from, to, dragged) {
    if (!state.isConnected) return refuse();
    if (premove.isOpen) {
      premove.plan(from, to);
      state.handMarks = {};
      return showBoard();
    }
    if (isCastling(from, to)) to = ROOKS[to];
    let moves = state.at.position.legal.filter(mv => mv.startsWith(from + to));
    if (moves.length > 1) {
      const letter = await panels.askPromotion(moves.map(mv => mv[4]), state.game.side(state.at) === 0, kept);
      moves = moves.filter(mv => mv[4] === letter);
    }
    if (moves.length) playMove(moves[0], !dragged); else show();
  },
  press(point, isTouch) {
    if (!point) return;
    if (state.editor) return state.editor.press(point);
    if (!state.isConnected) return refuse();
    if (state.count) return isOver() ? undefined : changeDead(point);
    if (premove.isOpen) {
      if (point !== dropped && isOwn(point)) premove.plan(point);
      return showBoard();
    }
    if (isOver() || isWaiting() || isHeld() || !state.at.position?.legal?.includes(point)) return;
    // Points that are smaller than a finger: the first tap shows the stone, the second plays it.
    if (isTouch && state.tapped !== point && $("board").clientWidth / table.grid().columns < FINGER) {
      state.tapped = point;
      if (!hasTapped) panels.toast(t("tapAgain"));
      hasTapped = true;
      return showBoard();
    }
    playMove(point, true);
  },
  show(marks) {
    state.handMarks = marks;
    showBoard();
  },
};

/** Pixels that a point needs to be hit by a finger. */
const FINGER = 30;

/** Whether that was explained. */
let hasTapped = false;

/** The opponent's turn, in which a premove is made. */
export const premove = new Premove({
  node() {
    const isOpponents = isAtTable() ? state.sitting.isEnginesTurn && state.at === state.sitting.end : state.search?.purpose === "play" && state.search.node === state.at;
    return isOpponents && !state.editor && !state.count && state.at.position && !isOver() ? state.at : null;
  },
});

/** The point of a premove of Go that was pressed again. */
let dropped = null;

export function dropPremove() {
  const [point] = premove.points;
  dropped = premove.drop() ? point : null;
  if (dropped) showBoard();
  return Boolean(dropped);
}

/** Whether a point has a piece of the person's; in Go, whether it is empty. */
function isOwn(point) {
  const g = table.grid(), [column, row] = g.place(point), shown = drawable(state.at.position);
  if (state.game.isGo) return shown.stones[row * g.columns + column] === 0;
  const piece = shown.rows[row][column];
  return piece !== " " && (piece < "a") === (state.game.side(state.at) === 1);
}

export const pen = new Pen($("board"), {
  grid: () => table.grid(),
  point: event => hand.point(event),
  mayDraw: () => !state.editor && !state.count,
  cancel: dropPremove,
  show: () => showBoard(),
  draw(stroke) {
    edit();
    state.at.extra = pen.after(state.at.extra, stroke);
    remember();
    showBoard();
  },
});

$("board").addEventListener("pointerdown", dropPremove);
export const hand = new Hand($("board"), table);
export const isWaiting = () => state.search?.purpose === "play" || practice.holds(state.at) || isAtTable() && state.sitting.isEnginesTurn;

/** What lessons do on the page. */
const lessonPage = {
  line: node => state.game.line(node), text: node => written(node.text, Number(kept.notation)), goTo: node => goTo(node, { slide: node.parent === state.at }),
  turn: node => t(panels.sideName(state.game.kind, state.game.side(node))), changed: () => show(), solved: remember, has: lesson => state.lesson === lesson,
  end() { state.lesson = null; halt(); think(false); show(); },
};

/** Begins a lesson in the mistakes of the line on the board. `more` goes on behind the last. */
export function learn(nodes = ownMistakes(state.game.through(state.at)), more = lessonPage.end) {
  if (!nodes.length) return panels.toast(t("practiced"));
  halt();
  state.lesson = new Lesson({ ...lessonPage, nodes: reviewNodes(), more }, nodes);
  show();
}

/** The games that were practiced on since the page was opened. */
const practiced = new Set();

/** Goes on with the mistakes of any game of the library that are not solved. */
export async function practiceMistakes() {
  try {
    await keeper.flush();
    const { games } = await ask("library", { unsolved: true });
    const left = games.filter(({ name }) => !practiced.has(name)), chosen = left[Math.floor(Math.random() * left.length)];
    if (!chosen) {
      practiced.clear();
      panels.toast(t("practiced"));
      return void (state.lesson && lessonPage.end());
    }
    practiced.add(chosen.name);
    await openKept(chosen.name);
    learn(ownMistakes(state.game.nodes()).filter(node => !node.solved), practiceMistakes);
  } catch (error) { panels.toast(error.message); }
}

/** Hides the moves behind the board's position: they are to be guessed. */
export function solve() {
  halt();
  const { file } = state, isLast = !file || file.at + 1 >= file.games.length;
  const next = isLast ? null : async () => { await openOf(file, file.at + 1); solve(); };
  state.lesson = new Problem({ ...lessonPage, next }, state.at.children.length ? state.at : state.game.root);
  show();
}

// ---- going about the game

/** Goes to a node, and has the engine do there what is to be done. */
export async function goTo(node, { plays = false, slide = false } = {}) {
  if (state.lesson?.bars(node)) return;
  lines.drop();
  const before = node.parent === state.at ? state.at.position : undefined;
  state.at = node;
  state.report = state.hint = state.count = state.tapped = null;
  if (node !== premove.node && node.parent !== premove.node) premove.drop();
  if (state.threat?.node !== node) state.threat = null;
  if (!practice.holds(node)) practice.forget();
  state.slides = slide && Boolean(node.position?.legal);
  hand.forget();
  state.handMarks = {};
  remember();
  if (!node.position?.legal) {
    show();
    try {
      node.position = await ask("position", { line: state.game.line(node) });
    } catch (error) {
      if (error.message !== "closed") panels.toast(error.message);
      return;
    }
    if (state.at !== node) return;
    state.slides = slide;
  }
  if (node.position.text && moveOf(node.mv) === node.mv) node.text = node.position.text;
  if ((plays || slide) && before && kept.sound !== "off") sound(soundOf(before, node.position));
  const planned = premove.take(node, (from, to) => (isCastling(from, to) ? ROOKS[to] : to));
  if (planned && !isHeld()) return playMove(planned, true);
  think(plays);
  show();
}

export function watch(isShared) {
  state.isWatching = isShared;
  if (isShared) setTimeout(async () => {
    const name = keeper.name(state.game.key);
    if (!state.isWatching || state.view !== "game" || state.opponent === null || state.game.side(state.at) !== state.opponent || state.at.children.length) return;
    const found = await ask("load", { name }).catch(() => null);
    if (!found || keeper.name(state.game.key) !== name) return;
    watch(found.shared);
    if (!state.isWatching) goTo(state.at);
  }, 2000);
}

/** Plays a move of the person's. */
export function playMove(mv, slide) {
  if (!state.isConnected) return refuse();
  state.isWatching = false;
  if (state.lesson?.hides && state.at === state.lesson.place) return void state.lesson.guess(mv);
  if (isAtTable()) return state.sitting.play(mv);
  if (!state.at.children.some(child => child.mv === mv)) edit();
  goTo(state.game.add(state.at, mv, null), { plays: true, slide });
}

/** Plays what was typed, in any notation, or shows why not. */
export async function playTyped() {
  const field = $("typed-move"), text = field.value.trim();
  if (!text || !state.isConnected) return text ? refuse() : undefined;
  if (isOver() || isWaiting() || isHeld()) return;
  try {
    if (isAtTable() && !state.sitting.purpose) await ask("act", { what: "typed", text });
    else playMove(await ask("typed", { line: state.game.line(state.at), text }), true);
    field.value = "";
  } catch (error) { $("typed-note").textContent = error.message === "closed" ? t("lost") : error.message; }
}

/**
 * Starts the search that belongs to the node, or stops the one that runs. `plays`: the move was just made. Of a node whose
 * position is on its way nothing is asked: `goTo` thinks when it is there.
 */
export function think(plays) {
  if (state.isSittingDown) return;
  if (!state.isConnected || state.review || !state.at.position?.legal) return;
  if (state.view === "home") return halt();
  const line = state.game.line(state.at);
  const begin = (purpose, more) => {
    const answer = ask(purpose, { line, ...more });
    state.search = { purpose, id: answer.id, node: state.at };
    answer.catch(error => { if (error.message !== "closed") { panels.toast(error.message); state.search = null; show(); } });
  };
  if (state.editor || isOver()) return halt();
  if (state.at.position.passes >= 2) {
    halt();
    return recount(null);
  }
  if (isAtTable()) {
    if (state.sitting.isSerious || state.sitting.isEnginesTurn || !kept.analysis || document.hidden) return halt();
    return begin("analyze", { lines: Number(kept.lines), seconds: Number(kept.limit) || null });
  }
  const engine = state.seats[state.game.side(state.at)], isTurn = engine !== null && !(state.rests && isWatched()) && state.fault?.node !== state.at;
  if (isTurn && (plays || !state.isWatching && !state.at.children.length)) {
    if (state.warns && state.opponent !== null && state.at.parent && practice.examine(state.at)) {
      state.search = { purpose: "examine", id: practice.id, node: state.at };
      return;
    }
    const more = engine ? { engine, seconds: Number(kept.seconds) || 3 } : state.level === "full" ? { seconds: 3 } : { level: Number(state.level) };
    if (engine || state.level === "full" || kept.pace === "instant") return begin("play", more);
    // A person would not answer at once either.
    const waits = state.search = { purpose: "play", id: null, node: state.at };
    setTimeout(() => { if (state.search === waits && state.at === waits.node) begin("play", more); }, pause(line.moves.length));
    return;
  }
  if (kept.analysis && !document.hidden) return begin("analyze", { lines: Number(kept.lines), seconds: Number(kept.limit) || null });
  halt();
}

/** Looks at the person's moves while they practice. */
export const practice = new Practice({
  line: node => state.game.line(node), nodes: () => (state.game.isGo ? 200 : 20000), text: node => written(node.text, Number(kept.notation)), changed: () => show(),
  proceed(node) {
    state.search = null;
    if (state.at === node) think(true);
    show();
  },
  takeBack() { state.search = null; undo(); },
});

/** Asks other engines for their opinion. */
export const council = new Council({
  line: node => state.game.line(node), toast: panels.toast, changed: () => show(),
  begin(id, node) { state.report = null; state.search = { purpose: "consult", id, node }; },
});

/** Ends what the engine does. */
export function halt() {
  if (state.search || state.review) ask("stop").catch(() => {});
  state.search = state.review = null;
  council.end();
}

export function hear(event) {
  if (event.event === "settings") return hearSettings(event.settings);
  if (event.event === "library") return hearLibrary(event);
  if (event.event === "table") return state.sitting?.hear(event);
  if (event.event === "clock") return state.sitting?.tick(event);
  if (event.event === "fault" && isAtTable() && !event.for) {
    state.fault = { node: state.sitting.end, engine: event.engine, error: event.error };
    return show();
  }
  if (state.lesson && event.for === state.lesson.id) return state.lesson.hear(event);
  if (state.review && event.for === state.review.id) return hearReview(event);
  if (practice.id && event.for === practice.id) {
    practice.hear(event);
    return showSoon();
  }
  if (!state.search || event.for !== state.search.id) return;
  const { node } = state.search;
  if (event.event === "opinion" || event.event === "fault") {
    const isOpinion = state.search.purpose === "consult";
    state.search = null;
    if (isOpinion) council.hear(event);
    else state.fault = { node, engine: event.engine, error: event.error };
    if (isOpinion) think(false);
    return show();
  }
  if (event.event === "threat") {
    state.search = null;
    if (node === state.at) state.threat = { node, mv: event.mv, text: event.text };
    think(false);
    return show();
  }
  if (event.event === "lines") {
    if (node !== state.at || state.search.purpose === "play") return;
    state.report = event;
    const opinion = opinionOf(event);
    if (!isDeeper(node.opinion, opinion)) node.opinion = opinion;
    if (state.search.purpose === "analyze" && event.lines.length && !isDeeper(node.lines, event)) node.lines = essence(event);
    if (state.search.purpose !== "analyze") state.report = null;
    return showSoon(showFindings);
  }
  if (event.event === "move") {
    state.search = null;
    if (event.error) return panels.toast(event.error);
    if (!event.mv) {
      state.game.ending = { ...event.ending, node: node.id };
      remember();
      return show();
    }
    const next = state.game.add(node, event.mv, event.node.text, event.node);
    $("news").textContent = t("engineMoves", written(event.node.text, Number(kept.notation)));
    if (state.at === node) goTo(next, { slide: true });
    else remember();
    return show();
  }
  if (event.event === "hint") {
    state.search = null;
    if (event.mv && node === state.at) state.hint = { node, mv: event.mv, text: event.text };
    if (kept.analysis) think(false);
    return show();
  }
  if (event.event === "offer") {
    state.search = null;
    if (event.accepted) {
      edit();
      state.game.ending = { winner: null, reason: "agreement", detail: "", result: "1/2-1/2", node: node.id };
      remember();
    } else panels.toast(t("declined"));
    if (kept.analysis) think(false);
    return show();
  }
  if (event.event === "done") state.search = { ...state.search, id: null };
}

/** Plays the moves of a line as a variation. */
export function follow(moves) {
  edit();
  let node = state.at;
  for (const [mv, text] of moves) node = state.game.add(node, mv, text);
  goTo(node);
}

/** Goes back by a move. At the end of a game that is played the move is taken back, else it stays as a variation. */
export function undo() {
  if (isAtTable()) return state.at === state.sitting.end ? void state.sitting.takeBack() : goTo(state.at.parent ?? state.at);
  if (state.opponent !== null && !state.count && state.at.children.length) return void (state.at.parent && goTo(state.at.parent));
  let node = state.at.parent ?? state.at, last = state.at;
  while (state.opponent !== null && node.parent && state.game.side(node) === state.opponent) { last = node; node = node.parent; }
  if ((state.opponent !== null || state.count) && last.parent) {
    edit();
    forget(last);
  }
  goTo(node);
}

/** Removes a move with what follows it, and the end of the game if that was there. */
export function forget(node) {
  const before = state.game.remove(node);
  if (state.game.ending && !state.game.nodes().some(one => one.id === state.game.ending.node)) state.game.ending = null;
  return before;
}

export const toEnd = () => goTo(endOf(state.at));

export function sibling(step) {
  const all = state.at.parent?.children ?? [], next = all[all.indexOf(state.at) + step];
  if (next) goTo(next);
}

// ---- the end of a game of Go

async function recount(dead) {
  const node = state.at;
  try {
    const result = await ask("count", { line: state.game.line(node), dead });
    if (state.at === node) { state.count = result; show(); }
  } catch (error) { panels.toast(error.message); }
}

/** Turns the whole group on a point from living to dead, or back. */
function changeDead(point) {
  const g = grid("go", state.game.size), { stones } = drawable(state.at.position), n = g.columns;
  const [column, row] = g.place(point), color = stones[row * n + column];
  if (!color) return;
  const group = new Set([row * n + column]), todo = [...group];
  while (todo.length) {
    const p = todo.pop();
    for (const q of [p % n ? p - 1 : -1, p % n < n - 1 ? p + 1 : -1, p - n, p + n]) {
      if (q >= 0 && q < stones.length && stones[q] === color && !group.has(q)) { group.add(q); todo.push(q); }
    }
  }
  const names = [...group].map(p => g.name(p % n, Math.floor(p / n)));
  recount(state.count.dead.includes(point) ? state.count.dead.filter(name => !names.includes(name)) : [...state.count.dead, ...names]);
}

export function acceptCount() {
  if (isAtTable()) return state.sitting.act("count", { dead: state.count.dead });
  edit();
  state.game.ending = { ...state.count.ending, written: /^\S+/.exec(state.count.ending.detail)[0], node: state.at.id };
  remember();
  show();
}

export function resign() {
  if (isAtTable()) return state.sitting.act("resign");
  const winner = state.opponent === 0 ? "first" : "second";
  const result = winner === "first" ? "1-0" : "0-1", written = state.game.isGo ? `${winner === "first" ? "B" : "W"}+R` : result;
  // A player who looks back resigns the game as it stands.
  const end = endOf(state.at);
  edit("resigned");
  state.game.ending = { winner, reason: "resignation", detail: "", result, written, node: end.id };
  halt();
  goTo(end);
}

// ---- the review of a whole game

export function startReview() {
  if (state.review) {
    halt();
    think(false);
    return show();
  }
  const end = endOf(state.at);
  edit();
  const answer = ask("review", { line: state.game.line(end), nodes: reviewNodes() });
  state.search = null;
  state.report = null;
  state.review = { id: answer.id, nodes: [state.game.root, ...state.game.path(end)], done: 0, began: performance.now() };
  answer.catch(error => { state.review = null; panels.toast(error.message); show(); });
  show();
}

function hearReview(event) {
  if (event.event === "review") {
    const node = state.review.nodes[event.ply];
    state.review.done = Math.min(state.review.nodes.length - event.ply, state.review.nodes.length - 1);
    const score = event.score ?? "";
    const isMate = score.includes("#") || score === "mate";
    node.opinion = { depth: event.depth, nodes: event.nodes, chances: event.chances, label: score, short: state.game.isGo ? `${Math.round(100 * Math.max(event.chances, 1 - event.chances))}` : score === "mate" ? "#" : score.replace(/[+-]/, "").slice(0, 3).replace(/\.$/, ""), eval: state.game.isGo || score === "mate" ? "" : isMate ? score : String(Number(score) || 0) };
    // Where nothing is wrong, what the record says stays.
    learnOf(node, event);
    // What was better is a variation of its own.
    if (event.sign && event.better) {
      let parent = state.review.nodes[event.ply - 1];
      for (const [mv, text] of event.better.slice(0, 6)) parent = state.game.add(parent, mv, text);
    }
    return showSoon();
  }
  if (event.event === "lines") return;
  if (event.event === "reviewed") state.game.accuracy = event.accuracy.map(share => share ?? null);
  state.review = null;
  remember();
  think(false);
  show();
}

/** To be called before the tree is edited; `news` says of an edit that is easily made by mistake that it can be undone. */
export function edit(news) {
  edits.record(stateText());
  if (news) panels.toast(t(news), [t("revert"), actions.revert]);
}

/** Goes to what `History` gave. */
export function revert(text) {
  if (!text) return panels.toast(t("nothingToUndo"));
  halt();
  keeper.flush();
  const node = restore(JSON.parse(text));
  enter();
  goTo(node);
}
