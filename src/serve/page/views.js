// What is seen of a game: the board, and everything beside it.

import { act } from "./app.js";
import { draw, ends, family, grid } from "./boards.js";
import { drawBranches } from "./branches.js";
import { drawSheet, lossText, nextLevel, why } from "./coach.js";
import { acceptCount, council, follow, goTo, isWaiting, learn, pen, playMove, practice, premove, startReview, think, undo } from "./commands.js";
import { ask } from "./engine.js";
import { moveOf } from "./game.js";
import { rematch, remember } from "./games.js";
import { drawGraph } from "./graph.js";
import { Known } from "./known.js";
import { Lines } from "./lines.js";
import { drawMoves, written } from "./moves.js";
import { colorCandidates, drawThreat, lossColor } from "./overlay.js";
import * as panels from "./panels.js";
import { drawPens } from "./pens.js";
import { nameOf } from "./players.js";
import { $, drawable, endingOf, found, isAtTable, isOver, isWatched, keep, kept, make, pliesBefore, state, worth } from "./state.js";
import { t } from "./words.js";

/** Says that nothing can be played without the engine, which knows the rules. */
export function refuse() {
  panels.toast("closed");
  showBoard();
}

/** How boards look: turned, with which pieces and coordinates. */
const looks = () => ({ flipped: state.flipped, latin: kept.latin, flat: kept.flat, files: state.game.kind === "xiangqi" ? ["", "chinese", "wxf"][Number(kept.notation)] : "" });

/** While a position is set up, only what is for it can be done. */
export function showEditing() {
  document.body.classList.toggle("editing", Boolean(state.editor));
  for (const name of ["new", "open", "save", "setup"]) $(`do-${name}`).disabled = Boolean(state.editor);
}

export function showBoard() {
  const svg = $("board");
  const look = looks(), g = grid(state.game.kind, state.editor ? state.editor.position.size : state.game.size);
  $("table").style.setProperty("--shape", (g.width / g.height).toFixed(4));
  document.body.dataset.game = g.kind;
  showEditing();
  if (state.editor) return draw(svg, state.editor.kind, state.editor.position, { cursor: state.handMarks.cursor }, look);
  /** @type {any} */
  const marks = { last: ends(state.game.kind, moveOf(state.at.mv)), check: state.at.position?.check, ...state.handMarks, slide: state.slides, markup: pen.shown(state.at.extra) };
  state.slides = false;
  if (state.game.isGo) marks.stones = [state.tapped, ...premove.points].filter(Boolean).map(point => ({ at: point, color: panels.sideName("go", state.game.side(state.at) ^ (point === state.tapped ? 0 : 1)) }));
  else marks.planned = premove.points;
  if (state.game.isGo && kept.numbers) marks.played = numbered();
  if (state.count) Object.assign(marks, { dead: state.count.dead, owner: owners(state.count) });
  if (ghosts) marks.stones = ghosts;
  else if (state.hint?.node === state.at) {
    if (state.game.isGo) marks.candidates = state.hint.mv === "pass" ? [] : [{ at: state.hint.mv, label: "!", weight: 1 }];
    else marks.arrows = [{ from: state.hint.mv.slice(0, 2), to: state.hint.mv.slice(2, 4), weight: 1 }];
  } else if (kept.analysis && found() && !isWaiting() && !state.lesson?.hides) {
    const report = found();
    if (state.game.isGo) {
      const most = report.lines[0]?.visits ?? 1, side = state.game.side(state.at);
      marks.candidates = report.lines.filter(line => line.mv !== "pass" && line.visits * 50 >= most).slice(0, 12).map(line => ({
        at: line.mv, weight: Math.sqrt(line.visits / most), label: (100 * (side ? 1 - line.chances : line.chances)).toFixed(0), loss: Math.max(0, (side ? -1 : 1) * (report.lines[0].lead - line.lead)),
      }));
      marks.candidates.forEach((one, i) => { one.detail = i ? `−${one.loss.toFixed(1)}` : short(most); });
      if (kept.owner) marks.owner = report.ownership;
    } else {
      marks.arrows = report.lines.slice(0, Number(kept.lines)).map((line, i) => ({ from: line.pv[0][0].slice(0, 2), to: line.pv[0][0].slice(2, 4), weight: i ? 0.35 / i : 1 })).reverse();
    }
  }
  const shown = drawable(state.at.position);
  if (state.at.position) {
    state.picture = { kind: state.game.kind, size: state.game.size, shown };
    const { fen = "", stones = "", size = 0 } = state.at.position;
    state.game.picture = { fen: fen.split(" ")[0], stones, size, last: moveOf(state.at.mv) };
  }
  draw(svg, state.game.kind, shown, state.at.position ? marks : {}, look);
  colorCandidates(svg, marks.candidates?.map(one => one.loss) ?? []);
  drawThreat(svg, state.game.kind, state.game.size, state.flipped, practice.holds(state.at) ? practice.refutation : state.threat?.node === state.at ? state.threat.mv : null);
  const last = written(state.at.text, Number(kept.notation));
  svg.setAttribute("aria-label", `${t(state.game.kind)}. ${last ? `${last}. ` : ""}${t("toMove", t(panels.sideName(state.game.kind, state.game.side(state.at))))}`);
}

/** The stones that moves have put on the board of Go, each with its last number, and what it has lost. */
function numbered() {
  const all = new Map();
  state.game.path(state.at).forEach((node, i) => all.set(moveOf(node.mv), { at: moveOf(node.mv), number: i + 1, loss: node.points >= LOST ? lossColor(node.points) : null }));
  return [...all.values()].filter(({ at }) => at && at !== "pass");
}

/** Points that a move has to lose for a dot. */
const LOST = 1.5;

const short = n => (n >= 10000 ? `${Math.round(n / 1000)}k` : n >= 1000 ? `${(n / 1000).toFixed(1)}k` : `${n}`);

/** Whose each point is after a count: 1 Black's, -1 White's. */
function owners({ black, white }) {
  const g = grid("go", state.game.size), owner = Array(g.columns * g.rows).fill(0);
  for (const [list, value] of [[black, 0.8], [white, -0.8]]) for (const name of list) {
    const [column, row] = g.place(name);
    owner[row * g.columns + column] = value;
  }
  // A living stone says itself whose its point is.
  const dead = new Set(state.count.dead);
  drawable(state.at.position).stones.forEach((color, i) => { if (color && !dead.has(g.name(i % g.columns, Math.floor(i / g.columns)))) owner[i] = 0; });
  return owner;
}

// ---- everything else that is seen

export function show() {
  if (state.view === "home") return;
  showBoard();
  showPlayers();
  showStatus();
  showLines();
  council.draw($("council"), isOver() ? null : state.at, state.game.kind, Number(kept.notation), Number(kept.seconds) || 3, follow);
  $("do-threat").setAttribute("aria-pressed", state.threat?.node === state.at);
  showCourse();
  $("moves").dataset.empty = t("noMoves");
  drawMoves($("moves"), state.game, state.at, Number(kept.notation), pliesBefore(), panels.resultText(state.game.kind, state.game.result), node => goTo(node));
  $("title").textContent = state.opponent === null ? titleOf(state.game) : "";
  showBranches();
  known.draw();
  if (document.activeElement !== $("comment")) $("comment").value = state.at.comment;
  $("sign").value = state.at.sign;
  $("sign").disabled = state.at === state.game.root;
  $("comment").placeholder = t(state.at === state.game.root ? "rootComment" : "comment");
  $("do-pass").hidden = !state.game.isGo;
  $("do-resign").hidden = state.opponent === null && (!isAtTable() || isWatched());
  $("do-resign").disabled = isOver();
  document.body.classList.toggle("at-table", isAtTable());
  document.body.classList.toggle("in-lesson", Boolean(state.lesson?.hides));
  document.body.classList.toggle("in-problem", Boolean(state.lesson?.hides && state.lesson.reached));
  showFile();
  const isSerious = isAtTable() && state.sitting.isSerious;
  $("do-undo").disabled = state.at === state.game.root;
  $("do-rest").hidden = !isWatched() || isOver() || isAtTable();
  $("do-rest").className = state.rests ? "main" : "";
  $("do-rest").textContent = t(state.rests ? "goOn" : "stopGame");
  $("do-hint").hidden = $("analysis").hidden = $("course").hidden = isSerious;
  $("do-undo").hidden = isSerious || isAtTable() && isWatched();
  if (isAtTable()) state.sitting.drawControls();
  else for (const name of ["offer", "claim", "pause", "adjourn"]) $(`do-${name}`).hidden = name !== "offer" || state.opponent === null || state.game.isGo || isOver();
  // The controls take two rows.
  document.body.classList.toggle("offers", !$("do-offer").hidden);
  for (const id of ["do-first", "do-back"]) $(id).disabled = state.at === state.game.root;
  for (const id of ["do-last", "do-forward"]) $(id).disabled = !state.at.children.length || Boolean(state.lesson?.bars(state.at.children[0]));
  $("do-hint").disabled = isOver() || isWaiting() || Boolean(state.review);
  $("owner-box").hidden = !state.game.isGo;
  $("notation-box").hidden = state.game.kind !== "xiangqi";
  $("do-latin").hidden = state.game.isGo;
  $("do-numbers").hidden = !state.game.isGo;
  $("do-numbers").setAttribute("aria-pressed", kept.numbers);
  setLatin();
  showPens();
  document.title = `${state.view === "home" ? "" : `${t(state.game.kind)} · `}Sanqi 三棋`;
}

/** The stones of a line of Go that is looked at: `{at, color, number}`. */
let ghosts = null;

export const lines = new Lines($("pvs"), { follow, show: preview, hide: hidePreview });

/** Shows the position after some moves of a line: on a small board beside the list, in Go as stones on the board. */
async function preview(moves, beside) {
  const node = state.at, box = $("preview");
  if (state.game.isGo) {
    const side = state.game.side(state.at);
    ghosts = moves.map(([mv], i) => ({ at: mv, color: panels.sideName("go", side ^ (i & 1)), number: i + 1 })).filter(stone => stone.at !== "pass");
    return showBoard();
  }
  const line = state.game.line(state.at), last = moves.at(-1)[0];
  line.moves.push(...moves.map(([mv]) => mv));
  const position = await ask("position", { line }).catch(() => null);
  if (!position || state.at !== node || lines.held !== beside) return;
  draw(box.firstElementChild, state.game.kind, drawable(position), { last: ends(state.game.kind, last) }, looks());
  box.hidden = false;
  const { left, top } = beside.getBoundingClientRect();
  box.style.left = `${Math.max(8, Math.min(left, innerWidth - box.offsetWidth - 8))}px`;
  box.style.top = `${top > box.offsetHeight + 16 ? top - box.offsetHeight - 8 : top + 28}px`;
}

function hidePreview() {
  $("preview").hidden = true;
  if (!ghosts) return;
  ghosts = null;
  showBoard();
}

/** What is shown with the next frame. */
let due = null;

/** The number of that frame. */
let soon = 0;

/** Shows what a search reports with the next frame: a page that is slow skips reports instead of falling behind. */
export function showSoon(what = show) {
  due = due === show ? show : what;
  soon ||= requestAnimationFrame(() => {
    soon = 0;
    const what = due;
    due = null;
    what();
  });
}

/** Shows what an analysis has changed: marks on the board, lines, the bar and the course. */
export function showFindings() {
  if (state.view === "home") return;
  showBoard();
  showLines();
  showCourse();
}

function showLines() {
  const report = state.lesson?.hides ? null : found();
  lines.draw(state.search?.purpose === "analyze" ? report ?? undefined : report, { kind: state.game.kind, side: state.game.side(state.at), notation: Number(kept.notation), most: Number(kept.lines) });
  if (!report && (isOver() || !kept.analysis)) $("pvs").dataset.empty = isOver() ? "" : t("noLines");
  panels.drawBar(state.game.kind, endingOf(state.at) ? panels.endedOpinion(state.game.kind, endingOf(state.at)) : state.at.opinion, state.flipped);
}

/** Which of the games of a file is on the board, and whether its moves can be guessed. */
function showFile() {
  const { file, game } = state;
  $("file-box").hidden = !file;
  $("do-games").textContent = file ? `${file.at + 1}/${file.games.length}` : "";
  $("do-previousGame").disabled = !file?.at;
  $("do-nextGame").disabled = !file || file.at + 1 >= file.games.length;
  $("do-solve").hidden = !game.opened || !game.root.children.length || Boolean(state.lesson);
}

/** The tree of moves, of a record that has variations. */
function showBranches() {
  const hasAny = state.game.root.children.length > 1 || state.game.nodes().some(node => node.children.length > 1), isShown = hasAny && kept.branches;
  $("do-branches").hidden = !hasAny;
  $("do-branches").setAttribute("aria-pressed", isShown);
  $("branches").hidden = !isShown;
  if (isShown) drawBranches($("branches"), state.game, state.at, Number(kept.notation), node => goTo(node));
}

const known = new Known($("known"), {
  line: node => state.game.line(node),
  play: mv => playMove(mv, true),
  now: () => ({ node: state.at, kind: state.game.kind, notation: Number(kept.notation), isAllowed: !(isAtTable() && state.sitting.isSerious) && !state.lesson?.hides && !isOver() }),
});

/** Who played, with their ratings, where and when, as the record has it. */
function titleOf(game) {
  const tag = name => game.tags.find(([key, value]) => key === name && value && !/^[?.-]+$/.test(value))?.[1];
  const player = name => tag(name) && (tag(`${name}Elo`) ? `${tag(name)} (${tag(`${name}Elo`)})` : tag(name));
  const names = (game.isGo ? ["Black", "White"] : ["White", "Red", "Black"]).map(player).filter(Boolean);
  if (names.length < 2) return "";
  return [`${names[0]} – ${names.at(-1)}`, tag("Event"), tag("Date")?.replace(/[.-]\?\?/g, "")].filter(Boolean).join(" · ");
}

/** Whether a tap draws. */
export const isDrawing = () => $("do-draw").getAttribute("aria-pressed") === "true";

export const showPens = () => drawPens($("pens"), pen, family(state.game.kind), isDrawing(), () => act("wipe"));

function showPlayers() {
  const bottom = state.flipped ? 1 : 0;
  for (const [id, side] of /** @type {[string, number][]} */ ([["player-top", 1 - bottom], ["player-bottom", bottom]])) {
    const box = $(id), color = panels.sideName(state.game.kind, side);
    box.replaceChildren();
    make(box, "span", { class: `dot ${color}` });
    const tag = (state.game.tags.find(([key]) => key.toLowerCase() === color) ?? state.game.tags.find(([key]) => color === "red" && key === "White"))?.[1];
    const engine = state.seats[side], who = engine ? engine : engine === "" ? t("engine") : state.opponent === null ? (tag && tag !== "?" ? tag : t(color)) : t("you");
    make(box, "span", { class: state.at.position && state.game.side(state.at) === side && !isOver() ? "turn" : null }, who);
    if (engine === "") make(box, "small", {}, state.level === "full" ? t("full") : [`${t("level")} ${state.level}`, worth(state.level)].filter(Boolean).join(" · "));
    if (state.game.isGo && state.at.position?.captures) make(box, "small", {}, t("captured", state.at.position.captures[side]));
    if (state.sitting?.game === state.game && state.sitting.state) state.sitting.drawPlayer(box, side);
    else recordedClock(box, side);
    if (isWaiting() && !practice.holds(state.at) && engine !== null && state.game.side(state.at) === side) make(box, "small", { class: "thinking" }, t("thinking"));
  }
}

/** The clock of a side as the record has it. */
function recordedClock(box, side) {
  let node = state.at;
  while (node.parent && state.game.side(node) === side) node = node.parent;
  if (node.clock === undefined || node.clock === null) return;
  const seconds = Math.floor(node.clock / 1000), two = n => `${n}`.padStart(2, "0"), hours = Math.floor(seconds / 3600);
  const text = `${hours ? `${hours}:${two(Math.floor(seconds / 60) % 60)}` : Math.floor(seconds / 60)}:${two(seconds % 60)}${node.overtime ? ` ×${node.overtime}` : ""}`;
  panels.make(box, "b", { class: "clock" }, text);
}

function showStatus() {
  const box = $("status"), ending = endingOf(state.at), judged = state.at.position?.judged;
  box.replaceChildren();
  box.className = ending || state.count ? "over" : judged ? "warn" : "";
  if (!state.isConnected) return make(box, "h3", {}, t(state.isConnected === null ? "moved" : "lost"));
  if (ending) {
    make(box, "h3", { id: "ending" }, panels.endingText(state.game.kind, ending));
    if (judged && ending.reason === "repetition") panels.drawJudgement(box, judged, true, Number(kept.notation));
    return showSheet(box, ending);
  }
  if (state.fault?.node === state.at) return showFault(box);
  if (practice.holds(state.at)) return practice.draw(box);
  if (state.at.position?.passes >= 2) {
    make(box, "h3", {}, state.count ? `${t("bothPassed")}: ${panels.endingText("go", state.count.ending)}` : t("counting"));
    if (!state.count) return;
    make(box, "p", {}, t("countNote"));
    const buttons = make(box, "div", { class: "buttons" });
    make(buttons, "button", { class: "main", id: "accept", onclick: acceptCount }, t("accept"));
    make(buttons, "button", { onclick: undo }, t("playOn"));
    return;
  }
  if (state.lesson && state.at === state.lesson.place) return state.lesson.draw(box);
  if (isAtTable() && state.at === state.sitting.end && state.sitting.drawStatus(box)) return;
  if (judged) return panels.drawJudgement(box, judged, false, Number(kept.notation));
  const side = t("toMove", t(panels.sideName(state.game.kind, state.game.side(state.at))));
  make(box, "h3", {}, state.at.position?.check ? `${side} · ${t("check")}` : side);
  if (state.hint?.node === state.at) make(box, "p", { id: "hint" }, t("hintIs", written(state.hint.text, Number(kept.notation))));
  if (state.threat?.node === state.at) make(box, "p", { id: "threat" }, state.threat.mv ? t("threatIs", written(state.threat.text, Number(kept.notation))) : t("noThreat"));
  if (state.at.sign && why(state.at) && !state.lesson) make(box, "p", { class: "why" }, `${written(state.at.text, Number(kept.notation))}${state.at.sign} ${why(state.at)}`);
  if (isWatched() && state.rests) make(box, "p", {}, t("stopped"));
}

/** An engine that has failed, and what can be done. */
function showFault(box) {
  box.className = "warn";
  make(box, "h3", { id: "fault" }, t("engineFailed", nameOf(state.fault.engine)));
  make(box, "p", {}, `${state.fault.error} ${t("nothingLost")}`);
  const buttons = make(box, "div", { class: "buttons" }), again = what => { state.fault = null; if (isAtTable()) state.sitting.act(what); else think(true); show(); };
  make(buttons, "button", { class: "main", "data-do": "try-again", onclick: () => again("continue") }, t("tryAgain"));
  make(buttons, "button", { "data-do": "sanqi-plays", onclick: () => { state.seats[state.game.side(state.at)] = ""; again("substitute"); remember(); } }, t("sanqiPlays"));
}

/** What stands under the result of a game: accuracy, the next game. */
function showSheet(box, ending) {
  const nodes = [state.game.root, ...state.game.through(state.at)], sides = [0, 1].map(side => t(panels.sideName(state.game.kind, side)));
  if (state.game.accuracy && !state.review) drawSheet(box, state.game.accuracy, nodes, sides, node => state.game.side(node.parent));
  const isPlayed = state.opponent !== null && state.seats[state.opponent] === "";
  const winner = { first: 0, second: 1 }[ending.winner] ?? null, result = winner === null ? 0 : winner === state.opponent ? -1 : 1;
  const kind = state.game.isGo ? `go${state.game.size}` : state.game.kind, wasCounted = state.game.isCounted;
  const next = isPlayed && state.at === state.game.end ? nextLevel(kept, state.game, kind, state.level, result, worth(Number(state.level) + 1) !== undefined) : null;
  if (state.game.isCounted && !wasCounted) { keep(); remember(); }
  if (next) make(box, "p", { id: "ladder" }, next.text);
  const buttons = make(box, "div", { class: "buttons" });
  if (!state.game.accuracy) make(buttons, "button", { class: "main", onclick: startReview }, t("review"));
  if (state.opponent !== null || isWatched()) make(buttons, "button", { id: "rematch", onclick: () => rematch() }, t("rematch"));
  if (next) make(buttons, "button", { id: "next-level", onclick: () => rematch(String(next.level)) }, [t("playLevel", next.level), worth(next.level)].filter(Boolean).join(" · "));
}

export function showCourse() {
  const nodes = [state.game.root, ...state.game.through(state.at)];
  // With the next frame: it asks for its size, which is dear before the page is laid out.
  const now = state.at, isGo = state.game.isGo;
  requestAnimationFrame(() => drawGraph($("graph"), nodes, now, isGo, node => goTo(node), ""));
  $("do-review").textContent = state.review ? t("stop") : t("review");
  $("do-review").disabled = nodes.length < 2 || Boolean(state.editor);
  const sides = [0, 1].map(side => t(panels.sideName(state.game.kind, side)));
  showTurns(nodes);
  $("accuracy").textContent = state.review ? [t("reviewing", state.review.done, state.review.nodes.length - 1), timeLeft()].filter(Boolean).join(" · ")
    : state.game.accuracy ? state.game.accuracy.map((share, side) => (share === null ? "" : t("accuracyOf", sides[side], share.toFixed(0)))).join(" · ") : "";
}

/** The time that the review will take, once it can be estimated. */
function timeLeft() {
  const { done, began, nodes } = state.review, seconds = done < 3 ? 0 : (performance.now() - began) / done * (nodes.length - 1 - done) / 1000;
  return seconds < 1 ? "" : seconds < 100 ? t("secondsLeft", Math.ceil(seconds)) : t("minutesLeft", Math.round(seconds / 60));
}

/** Shows the moves at which the reviewed game turned, with what was better. */
function showTurns(nodes) {
  const box = $("turns"), say = text => written(text, Number(kept.notation));
  box.replaceChildren();
  const weight = node => Math.max(node.loss ?? 0, (node.points ?? 0) / 40);
  const worst = state.review || state.lesson ? [] : nodes.filter(node => weight(node) >= 0.08).sort((a, b) => weight(b) - weight(a)).slice(0, 3);
  if (!worst.length) return;
  const head = make(box, "div", {});
  make(head, "b", {}, t("turns"));
  if (!state.lesson && !isAtTable()) make(head, "button", { id: "learn", class: "small", onclick: () => learn() }, t("learn"));
  for (const node of worst.sort((a, b) => nodes.indexOf(a) - nodes.indexOf(b))) {
    const ply = nodes.indexOf(node) - 1 + (state.game.isGo ? 0 : pliesBefore()), number = state.game.isGo ? `${ply + 1}.` : `${(ply >> 1) + 1}${ply & 1 ? "…" : "."}`;
    const better = node.parent.children.find(child => child !== node);
    const link = make(box, "a", { href: "#", onclick: event => { event.preventDefault(); goTo(node); } }, `${number} ${say(node.text)}${node.sign}`);
    make(link, "small", {}, [` ${lossText(node)}`, better && t("best", say(better.text))].filter(Boolean).join(" · "));
    if (why(node)) make(link, "small", { class: "why" }, why(node));
  }
}

function setLatin() {
  $("do-latin").textContent = state.game.kind !== "xiangqi" ? (kept.flat ? "♞" : "♘") : kept.latin ? "字" : "ABC";
}
