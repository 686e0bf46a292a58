// The page: the first one with the library, and one game on the board, the engine behind it, and what the person does.

import { STYLE, draw, ends, family, fenRows, grid } from "./boards.js";
import { Practice, drawSheet, learnOf, lossText, nextLevel, pause, why } from "./coach.js";
import { ask, connect, upload } from "./engine.js";
import { Game, History, moveOf } from "./game.js";
import { drawBranches } from "./branches.js";
import { drawGraph } from "./graph.js";
import { Home } from "./home.js";
import { Hand, positionIn } from "./input.js";
import { Known } from "./known.js";
import { Lesson } from "./lesson.js";
import { Keeper, Settings, read } from "./library.js";
import { Lines } from "./lines.js";
import { Pen, wiped } from "./markup.js";
import { drawMoves, written } from "./moves.js";
import { colorCandidates, drawThreat } from "./overlay.js";
import { Council, isClockless, nameOf, players } from "./players.js";
import * as panels from "./panels.js";
import { drawPens } from "./pens.js";
import { Premove, reach } from "./premove.js";
import { Sitting, speakAloud } from "./sitting.js";
import { LANGUAGES, current, speak, t } from "./words.js";

const $ = id => document.getElementById(id);
const make = panels.make;

const settings = new Settings({ game: navigator.language.startsWith("zh") ? "xiangqi" : "chess", me: "0", level: "3", levels: {}, clocks: {}, customClock: "", conduct: "casual", warn: "off", pace: "human", rival: "", player0: "", player1: "", seconds: "3", ladder: {}, voice: true, variant: "chess", judge: "chinese", size: "9", rules: "chinese", komi: "7", handicap: "0", theme: "auto", notation: "1", latin: false, flat: false, branches: false, analysis: false, lines: "3", owner: true, open: "", threads: "", hash: "" });
/** What is kept for the next visit. */
const kept = settings.values;
const keep = () => settings.keep();

/** What is seen: `home` or `game`. */
let view = "home";
let game = new Game({ game: "chess" });
let at = game.root;
/** Edits that can be undone. */
const edits = new History(300, 3e7);
/** The side that the engine plays: 0, 1, or null. */
let opponent = null;
/** The engine that plays each side: "" is Sanqi, null a person. */
let seats = [null, null];
/** The names of other engines of this machine. */
let engines = [];
/** Whether the coach looks at the person's moves before the engine answers. */
let warns = false;
/** Whether engines that play each other rest. */
let rests = false;
/** An engine that has failed: `{node, engine, error}`. */
let fault = null;
/** What the opponent threatens at a node: `{node, mv, text}`. */
let threat = null;
let flipped = false;
/** The strength of the engine in this game. */
let level = kept.level;
let isConnected = false;
/** The table at which the game is played, if it has clocks or is a serious one. */
let sitting = null;
/** The lesson in the mistakes of the game, while there is one. */
let lesson = null;
/** The search that runs: what it is for, the number of its request, the node it is of. */
let search = null;
/** What the search of this node has reported. */
let report = null;
let hint = null;
/** A count of the board: the dead stones and the result. */
let count = null;
let editor = null;
let review = null;
let slides = false;
/** The picture that was drawn last: it stays while the position of another node is on its way. */
let picture = null;
let handMarks = {};

// ---- the board

/** Where the king goes that is put on its rook. */
const ROOKS = { h1: "g1", a1: "c1", h8: "g8", a8: "c8" };

function isCastling(from, rook) {
  if (game.kind !== "chess" || !/^e[18]$/.test(from) || rook[1] !== from[1] || !ROOKS[rook]) return false;
  const king = drawable(at.position).rows[from[1] === "1" ? 7 : 0][4];
  return /k/i.test(king) && (at.position?.legal ?? []).includes(from + ROOKS[rook]);
}

const table = {
  grid: () => grid(game.kind, editor ? editor.position.size : game.size),
  flipped: () => flipped,
  isSingle: () => Boolean(editor) || game.isGo,
  owns: point => (premove.isOpen ? isOwn(point) : !isOver() && !isWaiting() && !isHeld() && (at.position?.legal ?? []).some(mv => mv.startsWith(point))),
  targets(point) {
    if (premove.isOpen) return reach(table.grid(), drawable(at.position).rows, point);
    const to = (at.position?.legal ?? []).filter(mv => mv.startsWith(point)).map(mv => mv.slice(2, 4));
    return [...to, ...Object.keys(ROOKS).filter(rook => isCastling(point, rook))];
  },
  ghost: point => (!editor && !count && !isOver() && !isWaiting() && !isHeld() && at.position?.legal?.includes(point) ? panels.sideName("go", game.side(at)) : null),
  turn: step => (step < 0 ? actions.back() : actions.forward()),
  speak(point) {
    $("news").textContent = `${point}: ${panels.contents(game.kind, grid(game.kind, game.size), drawable(at.position), point)}`;
  },
  async play(from, to, dragged) {
    if (!isConnected) return refuse();
    if (premove.isOpen) {
      premove.plan(from, to);
      handMarks = {};
      return showBoard();
    }
    if (isCastling(from, to)) to = ROOKS[to];
    let moves = at.position.legal.filter(mv => mv.startsWith(from + to));
    if (moves.length > 1) {
      const letter = await panels.askPromotion(moves.map(mv => mv[4]), game.side(at) === 0, kept);
      moves = moves.filter(mv => mv[4] === letter);
    }
    if (moves.length) playMove(moves[0], !dragged); else show();
  },
  press(point, isTouch) {
    if (!point) return;
    if (editor) return editor.press(point);
    if (!isConnected) return refuse();
    if (count) return isOver() ? undefined : changeDead(point);
    if (premove.isOpen) {
      if (point !== dropped && isOwn(point)) premove.plan(point);
      return showBoard();
    }
    if (isOver() || isWaiting() || isHeld() || !at.position?.legal?.includes(point)) return;
    // Points that are smaller than a finger: the first tap shows the stone, the second plays it.
    if (isTouch && tapped !== point && $("board").clientWidth / table.grid().columns < FINGER) {
      tapped = point;
      if (!hasTapped) panels.toast(t("tapAgain"));
      hasTapped = true;
      return showBoard();
    }
    playMove(point, true);
  },
  show(marks) {
    handMarks = marks;
    showBoard();
  },
};

/** Pixels that a point needs to be hit by a finger. */
const FINGER = 30;
/** The point of Go that was tapped and waits for a second tap. */
let tapped = null, hasTapped = false;

/** The opponent's turn, in which a premove is made. */
const premove = new Premove({
  node() {
    const isOpponents = isAtTable() ? sitting.isEnginesTurn && at === sitting.end : search?.purpose === "play" && search.node === at;
    return isOpponents && !editor && !count && at.position && !isOver() ? at : null;
  },
});
/** The point of a premove of Go that was pressed again. */
let dropped = null;

function dropPremove() {
  const [point] = premove.points;
  dropped = premove.drop() ? point : null;
  if (dropped) showBoard();
  return Boolean(dropped);
}

/** Whether a point has a piece of the person's; in Go, whether it is empty. */
function isOwn(point) {
  const g = table.grid(), [column, row] = g.place(point), shown = drawable(at.position);
  if (game.isGo) return shown.stones[row * g.columns + column] === 0;
  const piece = shown.rows[row][column];
  return piece !== " " && (piece < "a") === (game.side(at) === 1);
}

const pen = new Pen($("board"), {
  grid: () => table.grid(),
  point: event => hand.point(event),
  mayDraw: () => !editor && !count,
  cancel: dropPremove,
  show: () => showBoard(),
  draw(stroke) {
    edit();
    at.extra = pen.after(at.extra, stroke);
    remember();
    showBoard();
  },
});
$("board").addEventListener("pointerdown", dropPremove);
const hand = new Hand($("board"), table);

/** What levels are worth, and how large the engine is and may be. */
let levels = null, engine = null;

const isWaiting = () => search?.purpose === "play" || practice.holds(at) || isAtTable() && sitting.isEnginesTurn;
/** Whether the game on the board goes on at a table. */
const isAtTable = () => Boolean(sitting?.isOn) && sitting.game === game;
/** Whether no move is made here, because the table is elsewhere or its clocks stand. */
const isHeld = () => isAtTable() && (at !== sitting.end || !sitting.isRunning);
const endingOf = node => node.position?.ending ?? (game.ending?.node === node.id ? game.ending : null);
/** Says that nothing can be played without the engine, which knows the rules. */
function refuse() {
  panels.toast("closed");
  showBoard();
}

const isOver = () => Boolean(endingOf(at));

/** A position as the boards want it; of one that is not known yet the last picture of such a board. */
function drawable(position) {
  if (!position && picture?.kind === game.kind && String(picture.size) === String(game.size)) return picture.shown;
  if (!position) {
    const { columns, rows } = grid(game.kind, game.size);
    return game.isGo ? { size: game.size, stones: Array(columns * rows).fill(0) } : { rows: [...Array(rows)].map(() => Array(columns).fill(" ")) };
  }
  return game.isGo ? { size: position.size, stones: [...position.stones].map(c => ".bw".indexOf(c)) } : { rows: fenRows(position.fen) };
}

function showBoard() {
  const svg = $("board");
  const look = { flipped, latin: kept.latin, flat: kept.flat, files: game.kind === "xiangqi" ? ["", "chinese", "wxf"][Number(kept.notation)] : "" };
  const g = grid(game.kind, editor ? editor.position.size : game.size);
  $("table").style.setProperty("--shape", (g.width / g.height).toFixed(4));
  document.body.dataset.game = g.kind;
  if (editor) return draw(svg, editor.kind, editor.position, { cursor: handMarks.cursor }, look);
  const marks = { last: ends(game.kind, moveOf(at.mv)), check: at.position?.check, ...handMarks, slide: slides, markup: pen.shown(at.extra) };
  slides = false;
  if (game.isGo) marks.stones = [tapped, ...premove.points].filter(Boolean).map(point => ({ at: point, color: panels.sideName("go", game.side(at) ^ (point === tapped ? 0 : 1)) }));
  else marks.planned = premove.points;
  if (count) Object.assign(marks, { dead: count.dead, owner: owners(count) });
  if (ghosts) marks.stones = ghosts;
  else if (hint?.node === at) {
    if (game.isGo) marks.candidates = hint.mv === "pass" ? [] : [{ at: hint.mv, label: "!", weight: 1 }];
    else marks.arrows = [{ from: hint.mv.slice(0, 2), to: hint.mv.slice(2, 4), weight: 1 }];
  } else if (kept.analysis && found() && !isWaiting() && !lesson?.hides) {
    const report = found();
    if (game.isGo) {
      const most = report.lines[0]?.visits ?? 1, side = game.side(at);
      marks.candidates = report.lines.filter(line => line.mv !== "pass" && line.visits * 50 >= most).slice(0, 12).map(line => ({
        at: line.mv, weight: Math.sqrt(line.visits / most), label: (100 * (side ? 1 - line.chances : line.chances)).toFixed(0), loss: Math.max(0, (side ? -1 : 1) * (report.lines[0].lead - line.lead)),
      }));
      marks.candidates.forEach((one, i) => { one.detail = i ? `−${one.loss.toFixed(1)}` : short(most); });
      if (kept.owner) marks.owner = report.ownership;
    } else {
      marks.arrows = report.lines.slice(0, Number(kept.lines)).map((line, i) => ({ from: line.pv[0][0].slice(0, 2), to: line.pv[0][0].slice(2, 4), weight: i ? 0.35 / i : 1 })).reverse();
    }
  }
  const shown = drawable(at.position);
  if (at.position) {
    picture = { kind: game.kind, size: game.size, shown };
    const { fen = "", stones = "", size = 0 } = at.position;
    game.picture = { fen: fen.split(" ")[0], stones, size, last: moveOf(at.mv) };
  }
  draw(svg, game.kind, shown, at.position ? marks : {}, look);
  colorCandidates(svg, marks.candidates?.map(one => one.loss) ?? []);
  drawThreat(svg, game.kind, game.size, flipped, practice.holds(at) ? practice.refutation : threat?.node === at ? threat.mv : null);
  const last = written(at.text, Number(kept.notation));
  svg.setAttribute("aria-label", `${t(game.kind)}. ${last ? `${last}. ` : ""}${t("toMove", t(panels.sideName(game.kind, game.side(at))))}`);
}

const short = n => (n >= 10000 ? `${Math.round(n / 1000)}k` : n >= 1000 ? `${(n / 1000).toFixed(1)}k` : `${n}`);

/** Whose each point is after a count: 1 Black's, -1 White's. */
function owners({ black, white }) {
  const g = grid("go", game.size), owner = Array(g.columns * g.rows).fill(0);
  for (const [list, value] of [[black, 0.8], [white, -0.8]]) for (const name of list) {
    const [column, row] = g.place(name);
    owner[row * g.columns + column] = value;
  }
  // A living stone says itself whose its point is.
  const dead = new Set(count.dead);
  drawable(at.position).stones.forEach((color, i) => { if (color && !dead.has(g.name(i % g.columns, Math.floor(i / g.columns)))) owner[i] = 0; });
  return owner;
}

// ---- everything else that is seen

function show() {
  if (view === "home") return;
  showBoard();
  showPlayers();
  showStatus();
  showLines();
  council.draw($("council"), isOver() ? null : at, game.kind, Number(kept.notation), Number(kept.seconds) || 3, follow);
  $("do-threat").setAttribute("aria-pressed", threat?.node === at);
  showCourse();
  $("moves").dataset.empty = t("noMoves");
  drawMoves($("moves"), game, at, Number(kept.notation), pliesBefore(), panels.resultText(game.kind, game.result), node => goTo(node));
  const names = (game.isGo ? ["Black", "White"] : ["White", "Red", "Black"]).map(name => game.tags.find(([key]) => key === name)?.[1]).filter(name => name && name !== "?");
  $("title").textContent = names.length > 1 && opponent === null ? `${names[0]} – ${names.at(-1)}` : "";
  showBranches();
  known.draw();
  if (document.activeElement !== $("comment")) $("comment").value = at.comment;
  $("sign").value = at.sign;
  $("sign").disabled = at === game.root;
  $("comment").placeholder = t(at === game.root ? "rootComment" : "comment");
  $("do-pass").hidden = !game.isGo;
  $("do-resign").hidden = opponent === null && !isAtTable();
  $("do-resign").disabled = isOver();
  document.body.classList.toggle("at-table", isAtTable());
  document.body.classList.toggle("in-lesson", Boolean(lesson?.hides));
  const isSerious = isAtTable() && sitting.isSerious;
  $("do-undo").disabled = at === game.root;
  $("do-rest").hidden = !isWatched() || isOver();
  $("do-rest").className = rests ? "main" : "";
  $("do-rest").textContent = t(rests ? "goOn" : "stopGame");
  $("do-undo").hidden = $("do-hint").hidden = $("analysis").hidden = $("course").hidden = isSerious;
  if (isAtTable()) sitting.drawControls();
  else for (const name of ["offer", "claim", "pause", "adjourn"]) $(`do-${name}`).hidden = name !== "offer" || opponent === null || game.isGo || isOver();
  for (const id of ["do-first", "do-back"]) $(id).disabled = at === game.root;
  for (const id of ["do-last", "do-forward"]) $(id).disabled = !at.children.length;
  $("do-hint").disabled = isOver();
  $("owner-box").hidden = !game.isGo;
  $("notation-box").hidden = game.kind !== "xiangqi";
  $("do-latin").hidden = game.isGo;
  setLatin();
  showPens();
  document.title = `${view === "home" ? "" : `${t(game.kind)} · `}Sanqi 三棋`;
}

/** What is known of the position on the board: what the search reports, or a deeper one before it. */
function found() {
  const before = at.lines;
  if (!report || !before) return report ?? before ?? null;
  return isDeeper(before, report) && before.lines.length >= Math.min(report.lines.length, Number(kept.lines)) ? before : report;
}

/** What is kept of a report: less than what is shown while the search runs. */
const essence = ({ depth, nodes, nps, chances, lead, lines }) => ({ depth, nodes, nps, chances, lead, lines: lines.slice(0, 5).map(line => ({ ...line, pv: line.pv.slice(0, 10) })) });

/** The stones of a line of Go that is looked at: `{at, color, number}`. */
let ghosts = null;

const lines = new Lines($("pvs"), { follow, show: preview, hide: hidePreview });

/** Shows the position after some moves of a line: on a small board beside the list, in Go as stones on the board. */
async function preview(moves, beside) {
  const node = at, box = $("preview");
  if (game.isGo) {
    const side = game.side(at);
    ghosts = moves.map(([mv], i) => ({ at: mv, color: panels.sideName("go", side ^ (i & 1)), number: i + 1 })).filter(stone => stone.at !== "pass");
    return showBoard();
  }
  const line = game.line(at), last = moves.at(-1)[0];
  line.moves.push(...moves.map(([mv]) => mv));
  const position = await ask("position", { line }).catch(() => null);
  if (!position || at !== node || lines.held !== beside) return;
  draw(box.firstElementChild, game.kind, drawable(position), { last: ends(game.kind, last) }, { flipped, latin: kept.latin, flat: kept.flat });
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

/** What is shown with the next frame, and its number. */
let due = null, soon = 0;

/** Shows what a search reports with the next frame: a page that is slow skips reports instead of falling behind. */
function showSoon(what = show) {
  due = due === show ? show : what;
  soon ||= requestAnimationFrame(() => {
    soon = 0;
    const what = due;
    due = null;
    what();
  });
}

/** Shows what an analysis has changed: marks on the board, lines, the bar and the course. */
function showFindings() {
  if (view === "home") return;
  showBoard();
  showLines();
  showCourse();
}

function showLines() {
  const report = lesson?.hides ? null : found();
  lines.draw(search?.purpose === "analyze" ? report ?? undefined : report, { kind: game.kind, side: game.side(at), notation: Number(kept.notation), most: Number(kept.lines) });
  if (!report && (isOver() || !kept.analysis)) $("pvs").dataset.empty = isOver() ? "" : t("noLines");
  panels.drawBar(game.kind, endingOf(at) ? panels.endedOpinion(game.kind, endingOf(at)) : at.opinion, flipped);
}

/** The tree of moves, of a record that has variations. */
function showBranches() {
  const hasAny = game.root.children.length > 1 || game.nodes().some(node => node.children.length > 1), isShown = hasAny && kept.branches;
  $("do-branches").hidden = !hasAny;
  $("do-branches").setAttribute("aria-pressed", isShown);
  $("branches").hidden = !isShown;
  if (isShown) drawBranches($("branches"), game, at, Number(kept.notation), node => goTo(node));
}

const known = new Known($("known"), {
  line: node => game.line(node),
  play: mv => playMove(mv, true),
  now: () => ({ node: at, kind: game.kind, notation: Number(kept.notation), isAllowed: !(isAtTable() && sitting.isSerious) && !lesson?.hides && !isOver() }),
});

/** Whether a tap draws. */
const isDrawing = () => $("do-draw").getAttribute("aria-pressed") === "true";
const showPens = () => drawPens($("pens"), pen, family(game.kind), isDrawing(), () => act("wipe"));

function showPlayers() {
  const bottom = flipped ? 1 : 0;
  for (const [id, side] of [["player-top", 1 - bottom], ["player-bottom", bottom]]) {
    const box = $(id), color = panels.sideName(game.kind, side);
    box.replaceChildren();
    make(box, "span", { class: `dot ${color}` });
    const tag = (game.tags.find(([key]) => key.toLowerCase() === color) ?? game.tags.find(([key]) => color === "red" && key === "White"))?.[1];
    const engine = seats[side], who = engine ? engine : engine === "" ? t("engine") : opponent === null ? (tag && tag !== "?" ? tag : t(color)) : t("you");
    make(box, "span", { class: at.position && game.side(at) === side && !isOver() ? "turn" : null }, who);
    if (engine === "") make(box, "small", {}, level === "full" ? t("full") : [`${t("level")} ${level}`, worth(level)].filter(Boolean).join(" · "));
    if (game.isGo && at.position?.captures) make(box, "small", {}, t("captured", at.position.captures[side]));
    if (sitting?.game === game && sitting.state) sitting.drawPlayer(box, side);
    else recordedClock(box, side);
    if (isWaiting() && !practice.holds(at) && engine !== null && game.side(at) === side) make(box, "small", { class: "thinking" }, t("thinking"));
  }
}

/** The clock of a side as the record has it. */
function recordedClock(box, side) {
  let node = at;
  while (node.parent && game.side(node) === side) node = node.parent;
  if (node.clock === undefined || node.clock === null) return;
  const seconds = Math.floor(node.clock / 1000), two = n => `${n}`.padStart(2, "0"), hours = Math.floor(seconds / 3600);
  const text = `${hours ? `${hours}:${two(Math.floor(seconds / 60) % 60)}` : Math.floor(seconds / 60)}:${two(seconds % 60)}${node.overtime ? ` ×${node.overtime}` : ""}`;
  panels.make(box, "b", { class: "clock" }, text);
}

/** What a level is worth in this game. */
function worth(number) {
  const all = levels?.[game.isGo ? "go" : game.kind === "xiangqi" ? "xiangqi" : "chess"];
  return (Array.isArray(all) ? all : all?.[game.size])?.[number - 1];
}

function showStatus() {
  const box = $("status"), ending = endingOf(at), judged = at.position?.judged;
  box.replaceChildren();
  box.className = ending || count ? "over" : judged ? "warn" : "";
  if (!isConnected) return make(box, "h3", {}, t(isConnected === null ? "moved" : "lost"));
  if (ending) {
    make(box, "h3", { id: "ending" }, panels.endingText(game.kind, ending));
    if (judged && ending.reason === "repetition") panels.drawJudgement(box, judged, true, Number(kept.notation));
    return showSheet(box, ending);
  }
  if (fault?.node === at) return showFault(box);
  if (practice.holds(at)) return practice.draw(box);
  if (at.position?.passes >= 2) {
    make(box, "h3", {}, count ? `${t("bothPassed")}: ${panels.endingText("go", count.ending)}` : t("counting"));
    if (!count) return;
    make(box, "p", {}, t("countNote"));
    const buttons = make(box, "div", { class: "buttons" });
    make(buttons, "button", { class: "main", id: "accept", onclick: acceptCount }, t("accept"));
    make(buttons, "button", { onclick: undo }, t("playOn"));
    return;
  }
  if (lesson && at === lesson.node.parent) return lesson.draw(box);
  if (isAtTable() && at === sitting.end && sitting.drawStatus(box)) return;
  if (judged) return panels.drawJudgement(box, judged, false, Number(kept.notation));
  const side = t("toMove", t(panels.sideName(game.kind, game.side(at))));
  make(box, "h3", {}, at.position?.check ? `${side} · ${t("check")}` : side);
  if (hint?.node === at) make(box, "p", { id: "hint" }, t("hintIs", written(hint.text, Number(kept.notation))));
  if (threat?.node === at) make(box, "p", { id: "threat" }, threat.mv ? t("threatIs", written(threat.text, Number(kept.notation))) : t("noThreat"));
  if (at.sign && why(at) && !lesson) make(box, "p", { class: "why" }, `${written(at.text, Number(kept.notation))}${at.sign} ${why(at)}`);
  if (isWatched() && rests) make(box, "p", {}, t("stopped"));
}

/** Whether engines play both sides. */
const isWatched = () => seats.every(seat => seat !== null);

/** An engine that has failed, and what can be done. */
function showFault(box) {
  box.className = "warn";
  make(box, "h3", { id: "fault" }, t("engineFailed", nameOf(fault.engine)));
  make(box, "p", {}, `${fault.error} ${t("nothingLost")}`);
  const buttons = make(box, "div", { class: "buttons" }), again = () => { fault = null; think(true); show(); };
  make(buttons, "button", { class: "main", "data-do": "try-again", onclick: again }, t("tryAgain"));
  make(buttons, "button", { "data-do": "sanqi-plays", onclick: () => { seats[game.side(at)] = ""; again(); remember(); } }, t("sanqiPlays"));
}

/** What stands under the result of a game: accuracy, the next game. */
function showSheet(box, ending) {
  const nodes = [game.root, ...game.through(at)], sides = [0, 1].map(side => t(panels.sideName(game.kind, side)));
  if (game.accuracy && !review) drawSheet(box, game.accuracy, nodes, sides, node => game.side(node.parent));
  const isPlayed = opponent !== null && seats[opponent] === "";
  const winner = { first: 0, second: 1 }[ending.winner] ?? null, result = winner === null ? 0 : winner === opponent ? -1 : 1;
  const kind = game.isGo ? `go${game.size}` : game.kind, wasCounted = game.isCounted;
  const next = isPlayed && at === game.end ? nextLevel(kept, game, kind, level, result) : null;
  if (game.isCounted && !wasCounted) { keep(); remember(); }
  if (next) make(box, "p", { id: "ladder" }, next.text);
  const buttons = make(box, "div", { class: "buttons" });
  if (!game.accuracy) make(buttons, "button", { class: "main", onclick: startReview }, t("review"));
  if (opponent !== null || isWatched()) make(buttons, "button", { id: "rematch", onclick: () => rematch() }, t("rematch"));
  if (next) make(buttons, "button", { id: "next-level", onclick: () => rematch(String(next.level)) }, [t("playLevel", next.level), worth(next.level)].filter(Boolean).join(" · "));
}

function showCourse() {
  const nodes = [game.root, ...game.through(at)];
  // With the next frame: it asks for its size, which is dear before the page is laid out.
  const now = at, isGo = game.isGo;
  requestAnimationFrame(() => drawGraph($("graph"), nodes, now, isGo, node => goTo(node), ""));
  $("do-review").textContent = review ? t("stop") : t("review");
  $("do-review").disabled = nodes.length < 2 || Boolean(editor);
  const sides = [0, 1].map(side => t(panels.sideName(game.kind, side)));
  showTurns(nodes);
  $("accuracy").textContent = review ? [t("reviewing", review.done, review.nodes.length - 1), timeLeft()].filter(Boolean).join(" · ")
    : game.accuracy ? game.accuracy.map((share, side) => (share === null ? "" : t("accuracyOf", sides[side], share.toFixed(0)))).join(" · ") : "";
}

/** The time that the review will take, once it can be estimated. */
function timeLeft() {
  const { done, began, nodes } = review, seconds = done < 3 ? 0 : (performance.now() - began) / done * (nodes.length - 1 - done) / 1000;
  return seconds < 1 ? "" : seconds < 100 ? t("secondsLeft", Math.ceil(seconds)) : t("minutesLeft", Math.round(seconds / 60));
}

/** Half-moves before the first one, for numbers. */
function pliesBefore() {
  const fields = game.start.fen?.split(" ") ?? [];
  return 2 * Math.max(0, (Number(fields[5]) || 1) - 1) + (fields[1] === "b" ? 1 : 0);
}

/** Shows the moves at which the reviewed game turned, with what was better. */
function showTurns(nodes) {
  const box = $("turns"), say = text => written(text, Number(kept.notation));
  box.replaceChildren();
  const weight = node => Math.max(node.loss ?? 0, (node.points ?? 0) / 40);
  const worst = review || lesson ? [] : nodes.filter(node => weight(node) >= 0.08).sort((a, b) => weight(b) - weight(a)).slice(0, 3);
  if (!worst.length) return;
  const head = make(box, "div", {});
  make(head, "b", {}, t("turns"));
  if (!lesson && !isAtTable()) make(head, "button", { id: "learn", class: "small", onclick: learn }, t("learn"));
  for (const node of worst.sort((a, b) => nodes.indexOf(a) - nodes.indexOf(b))) {
    const ply = nodes.indexOf(node) - 1 + (game.isGo ? 0 : pliesBefore()), number = game.isGo ? `${ply + 1}.` : `${(ply >> 1) + 1}${ply & 1 ? "…" : "."}`;
    const better = node.parent.children.find(child => child !== node);
    const link = make(box, "a", { href: "#", onclick: event => { event.preventDefault(); goTo(node); } }, `${number} ${say(node.text)}${node.sign}`);
    make(link, "small", {}, [` ${lossText(node)}`, better && t("best", say(better.text))].filter(Boolean).join(" · "));
    if (why(node)) make(link, "small", { class: "why" }, why(node));
  }
}

/** Begins a lesson in the mistakes of the person, or of both sides where nobody played. */
function learn() {
  const nodes = [game.root, ...game.through(at)].filter(node => (node.loss >= 0.05 || node.points >= 3) && node.parent?.children.length > 1 && (opponent === null || game.side(node.parent) !== opponent));
  halt();
  lesson = new Lesson({
    line: node => game.line(node), nodes: reviewNodes(), text: node => written(node.text, Number(kept.notation)), goTo: node => goTo(node), changed: () => show(),
    end() { lesson = null; halt(); think(false); show(); },
  }, nodes);
}

const reviewNodes = () => (game.isGo ? 300 : 60000);

// ---- going about the game

/** Goes to a node, and has the engine do there what is to be done. */
async function goTo(node, { plays = false, slide = false } = {}) {
  lines.drop();
  at = node;
  report = hint = count = tapped = null;
  if (node !== premove.node && node.parent !== premove.node) premove.drop();
  if (threat?.node !== node) threat = null;
  if (!practice.holds(node)) practice.forget();
  slides = slide && Boolean(node.position?.legal);
  hand.forget();
  handMarks = {};
  remember();
  if (!node.position?.legal) {
    show();
    try {
      node.position = await ask("position", { line: game.line(node) });
    } catch (error) {
      if (error.message !== "closed") panels.toast(error.message);
      return;
    }
    if (at !== node) return;
    slides = slide;
  }
  if (node.position.text && moveOf(node.mv) === node.mv) node.text = node.position.text;
  const planned = premove.take(node, (from, to) => (isCastling(from, to) ? ROOKS[to] : to));
  if (planned && !isHeld()) return playMove(planned, true);
  think(plays);
  show();
}

/** Whether another tab has this game too: its engine answers there, unless that tab goes. */
let isWatching = false;

function watch(isShared) {
  isWatching = isShared;
  if (isShared) setTimeout(async () => {
    const name = keeper.name(game.key);
    if (!isWatching || view !== "game" || opponent === null || game.side(at) !== opponent || at.children.length) return;
    const found = await ask("load", { name }).catch(() => null);
    if (!found || keeper.name(game.key) !== name) return;
    watch(found.shared);
    if (!isWatching) goTo(at);
  }, 2000);
}

/** Plays a move of the person's. */
function playMove(mv, slide) {
  if (!isConnected) return refuse();
  isWatching = false;
  if (lesson?.hides && at === lesson.node.parent) return void (lesson.state !== "wait" && lesson.guess(mv));
  if (isAtTable()) return sitting.play(mv);
  if (!at.children.some(child => child.mv === mv)) edit();
  goTo(game.add(at, mv, null), { plays: true, slide });
}

/** Plays what was typed, in any notation, or shows why not. */
async function playTyped() {
  const field = $("typed-move"), text = field.value.trim();
  if (!text || !isConnected) return text ? refuse() : undefined;
  if (isOver() || isWaiting() || isHeld()) return;
  try {
    if (isAtTable() && !sitting.purpose) await ask("act", { what: "typed", text });
    else playMove(await ask("typed", { line: game.line(at), text }), true);
    field.value = "";
  } catch (error) { $("typed-note").textContent = error.message === "closed" ? t("lost") : error.message; }
}

/**
 * Starts the search that belongs to the node, or stops the one that runs. `plays`: the move was just made. Of a node whose
 * position is on its way nothing is asked: `goTo` thinks when it is there.
 */
function think(plays) {
  if (isSittingDown) return;
  if (!isConnected || review || !at.position?.legal) return;
  if (view === "home") return halt();
  const line = game.line(at);
  const begin = (purpose, more) => {
    const answer = ask(purpose, { line, ...more });
    search = { purpose, id: answer.id, node: at };
    answer.catch(error => { if (error.message !== "closed") { panels.toast(error.message); search = null; show(); } });
  };
  if (editor || isOver()) return halt();
  if (at.position.passes >= 2) {
    halt();
    return recount(null);
  }
  if (isAtTable()) {
    if (sitting.isSerious || sitting.isEnginesTurn || !kept.analysis || document.hidden) return halt();
    return begin("analyze", { lines: Number(kept.lines) });
  }
  const engine = seats[game.side(at)], isTurn = engine !== null && !(rests && isWatched()) && fault?.node !== at;
  if (isTurn && (plays || !isWatching && !at.children.length)) {
    if (warns && opponent !== null && at.parent && practice.examine(at)) {
      search = { purpose: "examine", id: practice.id, node: at };
      return;
    }
    const more = engine ? { engine, seconds: Number(kept.seconds) || 3 } : level === "full" ? { seconds: 3 } : { level: Number(level) };
    if (engine || level === "full" || kept.pace === "instant") return begin("play", more);
    // A person would not answer at once either.
    const waits = search = { purpose: "play", id: null, node: at };
    setTimeout(() => { if (search === waits && at === waits.node) begin("play", more); }, pause(line.moves.length));
    return;
  }
  if (kept.analysis && !document.hidden) return begin("analyze", { lines: Number(kept.lines) });
  halt();
}

/** Looks at the person's moves while they practice. */
const practice = new Practice({
  line: node => game.line(node), nodes: () => (game.isGo ? 200 : 20000), text: node => written(node.text, Number(kept.notation)), changed: () => show(),
  proceed(node) {
    search = null;
    if (at === node) think(true);
    show();
  },
  takeBack() { search = null; undo(); },
});

/** Asks other engines for their opinion. */
const council = new Council({
  line: node => game.line(node), toast: panels.toast, changed: () => show(),
  begin(id, node) { report = null; search = { purpose: "consult", id, node }; },
});

/** Ends what the engine does. */
function halt() {
  if (search || review) ask("stop").catch(() => {});
  search = review = null;
  council.end();
}

function hear(event) {
  if (event.event === "settings") return hearSettings(event.settings);
  if (event.event === "library") return hearLibrary(event);
  if (event.event === "table") return sitting?.hear(event);
  if (event.event === "clock") return sitting?.tick(event);
  if (lesson && event.for === lesson.id) return lesson.hear(event);
  if (review && event.for === review.id) return hearReview(event);
  if (practice.id && event.for === practice.id) {
    practice.hear(event);
    return showSoon();
  }
  if (!search || event.for !== search.id) return;
  const { node } = search;
  if (event.event === "opinion" || event.event === "fault") {
    const isOpinion = search.purpose === "consult";
    search = null;
    if (isOpinion) council.hear(event);
    else fault = { node, engine: event.engine, error: event.error };
    if (isOpinion) think(false);
    return show();
  }
  if (event.event === "threat") {
    search = null;
    if (node === at) threat = { node, mv: event.mv, text: event.text };
    think(false);
    return show();
  }
  if (event.event === "lines") {
    if (node !== at || search.purpose === "play") return;
    report = event;
    const opinion = opinionOf(event);
    if (!isDeeper(node.opinion, opinion)) node.opinion = opinion;
    if (search.purpose === "analyze" && event.lines.length && !isDeeper(node.lines, event)) node.lines = essence(event);
    if (search.purpose !== "analyze") report = null;
    return showSoon(showFindings);
  }
  if (event.event === "move") {
    search = null;
    if (event.error) return panels.toast(event.error);
    if (!event.mv) {
      game.ending = { ...event.ending, node: node.id };
      remember();
      return show();
    }
    const next = game.add(node, event.mv, event.node.text, event.node);
    $("news").textContent = t("engineMoves", written(event.node.text, Number(kept.notation)));
    if (at === node) goTo(next, { slide: true });
    else remember();
    return show();
  }
  if (event.event === "hint") {
    search = null;
    if (event.mv && node === at) hint = { node, mv: event.mv, text: event.text };
    if (kept.analysis) think(false);
    return show();
  }
  if (event.event === "offer") {
    search = null;
    if (event.accepted) {
      edit();
      game.ending = { winner: null, reason: "agreement", detail: "", result: "1/2-1/2", node: node.id };
      remember();
    } else panels.toast(t("declined"));
    if (kept.analysis) think(false);
    return show();
  }
  if (event.event === "done") search = { ...search, id: null };
}

/** What the first line says of a node, for the bar, the graph and the record. */
function opinionOf(event) {
  const [line] = event.lines;
  if (!line) return at.opinion;
  const { depth, nodes } = event;
  if (game.isGo) return { nodes, chances: event.chances, short: `${Math.round(100 * Math.max(event.chances, 1 - event.chances))}`, label: panels.leadText(event.lead), eval: "" };
  const { cp, mate } = line.score;
  return { depth, nodes, chances: line.chances, short: mate !== undefined ? `#${Math.abs(mate)}` : Math.abs(cp / 100).toFixed(1), label: panels.scoreText(line, false), eval: mate !== undefined ? `#${mate}` : (cp / 100).toFixed(2) };
}

/** Whether one opinion comes from a deeper search than the other: by plies where both have them, then by nodes or visits. */
function isDeeper(one, other) {
  const plies = one?.depth && other?.depth ? one.depth - other.depth : 0;
  return (plies || (one?.nodes ?? 0) - (other?.nodes ?? 0)) > 0;
}

/** Plays the moves of a line as a variation. */
function follow(moves) {
  edit();
  let node = at;
  for (const [mv, text] of moves) node = game.add(node, mv, text);
  goTo(node);
}

/** Goes back by a move. At the end of a game that is played the move is taken back, else it stays as a variation. */
function undo() {
  if (isAtTable()) return at === sitting.end ? void sitting.takeBack() : goTo(at.parent ?? at);
  if (opponent !== null && !count && at.children.length) return void (at.parent && goTo(at.parent));
  let node = at.parent ?? at, last = at;
  while (opponent !== null && node.parent && game.side(node) === opponent) { last = node; node = node.parent; }
  if ((opponent !== null || count) && last.parent) {
    edit();
    forget(last);
  }
  goTo(node);
}

/** Removes a move with what follows it, and the end of the game if that was there. */
function forget(node) {
  const before = game.remove(node);
  if (game.ending && !game.nodes().some(one => one.id === game.ending.node)) game.ending = null;
  return before;
}

const endOf = node => { while (node.children.length) node = node.children[0]; return node; };
const toEnd = () => goTo(endOf(at));

function sibling(step) {
  const all = at.parent?.children ?? [], next = all[all.indexOf(at) + step];
  if (next) goTo(next);
}

// ---- the end of a game of Go

async function recount(dead) {
  const node = at;
  try {
    const result = await ask("count", { line: game.line(node), dead });
    if (at === node) { count = result; show(); }
  } catch (error) { panels.toast(error.message); }
}

/** Turns the whole group on a point from living to dead, or back. */
function changeDead(point) {
  const g = grid("go", game.size), { stones } = drawable(at.position), n = g.columns;
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
  recount(count.dead.includes(point) ? count.dead.filter(name => !names.includes(name)) : [...count.dead, ...names]);
}

function acceptCount() {
  if (isAtTable()) return sitting.act("count", { dead: count.dead });
  edit();
  game.ending = { ...count.ending, written: /^\S+/.exec(count.ending.detail)[0], node: at.id };
  remember();
  show();
}

function resign() {
  if (isAtTable()) return sitting.act("resign");
  const winner = opponent === 0 ? "first" : "second";
  const result = winner === "first" ? "1-0" : "0-1", written = game.isGo ? `${winner === "first" ? "B" : "W"}+R` : result;
  // A player who looks back resigns the game as it stands.
  const end = endOf(at);
  edit("resigned");
  game.ending = { winner, reason: "resignation", detail: "", result, written, node: end.id };
  halt();
  goTo(end);
}

// ---- the review of a whole game

function startReview() {
  if (review) {
    halt();
    think(false);
    return show();
  }
  const end = endOf(at);
  edit();
  const answer = ask("review", { line: game.line(end), nodes: reviewNodes() });
  search = null;
  report = null;
  review = { id: answer.id, nodes: [game.root, ...game.path(end)], done: 0, began: performance.now() };
  answer.catch(error => { review = null; panels.toast(error.message); show(); });
  show();
}

function hearReview(event) {
  if (event.event === "review") {
    const node = review.nodes[event.ply];
    review.done = Math.min(review.nodes.length - event.ply, review.nodes.length - 1);
    const score = event.score ?? "";
    const isMate = score.includes("#") || score === "mate";
    node.opinion = { depth: event.depth, nodes: event.nodes, chances: event.chances, label: score, short: game.isGo ? `${Math.round(100 * Math.max(event.chances, 1 - event.chances))}` : score === "mate" ? "#" : score.replace(/[+-]/, "").slice(0, 4), eval: game.isGo || score === "mate" ? "" : isMate ? score : String(Number(score) || 0) };
    // Where nothing is wrong, what the record says stays.
    learnOf(node, event);
    // What was better is a variation of its own.
    if (event.sign && event.better) {
      let parent = review.nodes[event.ply - 1];
      for (const [mv, text] of event.better.slice(0, 6)) parent = game.add(parent, mv, text);
    }
    return showSoon();
  }
  if (event.event === "lines") return;
  if (event.event === "reviewed") game.accuracy = event.accuracy.map(share => share ?? null);
  review = null;
  remember();
  think(false);
  show();
}

// ---- new games, files, set-up

/** Takes a game to the board. */
function take(next, node, side, taken = null) {
  if (game.root.children.length || game.start.fen || game.start.stones) edit(view === "game" ? "formerKept" : null);
  keeper.flush();
  halt();
  leaveTable();
  lesson = null;
  closeEditor();
  isWatching = false;
  game = next;
  opponent = side;
  seats = taken ?? [0, 1].map(one => (one === side ? "" : null));
  warns = rests = false;
  fault = null;
  enter();
  return goTo(node ?? game.root, { plays: true });
}

// ---- a game at a table

const tablePage = {
  toast: panels.toast,
  changed: () => show(),
  announce(text, isCall) {
    $("news").textContent = text;
    if (isCall && kept.voice) speakAloud(text);
  },
  /** The table has other moves than the page. */
  follow(taken, isNew, isFirst) {
    const { end } = sitting, wasThere = isFirst || taken.includes(at) || at === end || at === end.parent;
    for (const node of taken) if (node.parent?.children.includes(node) && !sitting.line.includes(node)) forget(node);
    if (isNew && end.text && sitting.person !== null && game.side(end) === sitting.person) $("news").textContent = t("engineMoves", written(end.text, Number(kept.notation)));
    remember();
    if (wasThere) goTo(end, { slide: isNew && !isFirst });
    else show();
  },
};

function leaveTable() {
  sitting?.leave();
  sitting = null;
}

/** Sits down at a new table with the game that was just begun. */
async function sitDown(choices, names) {
  const seat = sitting = new Sitting(tablePage, game), engine = opponent === null ? null : ["first", "second"][opponent];
  const terms = {
    line: game.line(game.root), control: choices.clock || "inf", conduct: choices.conduct, names, engine,
    level: level === "full" ? null : Number(level), notation: notationName(),
  };
  if (!await seat.sit(terms) && sitting === seat) {
    sitting = null;
    think(true);
  }
}

/** Goes on at the table of a game that was opened. */
async function sitAgain(name) {
  const seat = sitting = new Sitting(tablePage, game);
  if (!await seat.resume(name) && sitting === seat) sitting = null;
  show();
}

function closeEditor() {
  editor = null;
  $("editor").hidden = true;
}

async function begin(choices) {
  if (!isConnected) return refuse();
  const { game: kind } = choices;
  if (choices.clock === "custom") choices.clock = choices.customClock.trim();
  const isFree = isClockless(choices, engines);
  Object.assign(kept, choices, { levels: { ...kept.levels, [kind]: choices.level }, clocks: { ...kept.clocks, [kind]: choices.clock } });
  delete kept.clock;
  keep();
  const start = { game: kind === "chess" ? choices.variant : kind, rules: {} };
  if (start.game === "chess960") start.fen = await ask("shuffle");
  if (kind === "xiangqi") start.rules.repetition = { rules: choices.judge };
  if (kind === "go") start.rules.go = { size: Number(choices.size), komi: Number(choices.komi) || 0, rules: choices.rules, handicap: Number(choices.handicap) };
  if (isFree) Object.assign(choices, { clock: "", conduct: "casual" });
  const me = choices.me === "random" ? Math.floor(Math.random() * 2) : ["both", "watch"].includes(choices.me) ? null : Number(choices.me);
  level = kept.level;
  flipped = me === 1 && kind !== "go";
  const next = new Game(start), engine = me === null ? null : 1 - me, taken = players(choices, me, engines);
  next.tags = tagsOf(kind, engine, taken);
  const isTable = choices.clock || choices.conduct !== "casual";
  if (choices.clock && kind !== "go") next.tags.push(["TimeControl", choices.clock]);
  if (!isTable) {
    const there = take(next, null, engine, taken);
    warns = choices.warn === "on" && engine !== null;
    return there;
  }
  isSittingDown = true;
  const there = take(next, null, engine);
  isSittingDown = false;
  await sitDown(choices, [0, 1].map(side => (engine === side ? "Sanqi" : "Player")));
  return there;
}

/** A game that is to be played at a table does not begin before it is set. */
let isSittingDown = false;

/** The same game again, with the sides changed. */
function rematch(at = level) {
  const { rules, game: kind } = game.start, go = rules.go ?? {};
  const family = kind === "chess960" ? "chess" : kind;
  const rivals = isWatched() ? { me: "watch", player0: seats[1], player1: seats[0] } : { me: String(opponent), rival: seats[opponent] };
  begin({ ...kept, ...rivals, warn: warns ? "on" : "off", game: family, variant: kind, level: at, clock: sitting?.game === game && sitting.state.control !== "inf" ? sitting.state.control : "",
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
async function play(kind, point) {
  const me = ["both", "watch"].includes(kept.me) ? "0" : kept.me;
  await begin({ ...kept, game: kind, me, level: kept.levels[kind] ?? kept.level, clock: kept.clocks[kind] ?? "" });
  if (point && view === "game" && table.owns(point)) hand.choose(point);
}

/** An empty board for both sides. */
function analyze(kind) {
  const start = { game: kind, rules: {} };
  if (kind === "go") start.rules.go = { size: Number(kept.size), komi: Number(kept.komi) || 0, rules: kept.rules, handicap: 0 };
  if (kind === "xiangqi") start.rules.repetition = { rules: kept.judge };
  flipped = false;
  const next = new Game(start);
  next.tags = tagsOf(kind, null);
  $("analyze").checked = kept.analysis = true;
  take(next, null, null);
}

/** Opens what was pasted or dropped as text: a position, or a record. */
async function openText(text) {
  const found = positionIn(text, game.kind);
  if (!found) return openFile(new Blob([text]));
  const next = new Game({ game: found.game, rules: {}, ...(found.fen ? { fen: found.fen } : {}) });
  try {
    const pictures = await ask("pictures", { line: { ...next.start, moves: found.moves } });
    let node = next.root;
    found.moves.forEach((mv, i) => { node = next.add(node, mv, pictures[i + 1].text, pictures[i + 1]); });
    flipped = false;
    take(next, node, null);
  } catch (error) { panels.toast(error.message); }
}

async function openFile(file) {
  if (!file) return;
  try {
    const found = await upload(await file.arrayBuffer());
    if (!found.games.length) return panels.toast(found.broken[0] ?? t("cannotRead"));
    if (found.games.length === 1 && !found.broken.length) return await openGame(found.games[0]);
    panels.askGame(found, i => openGame(found.games[i]).catch(error => panels.toast(error.message)));
  } catch (error) { panels.toast(error.message); }
}

async function openGame(found) {
  const next = Game.fromData({ ...found, start: { game: found.game, fen: found.fen, rules: found.rules } });
  const { end } = next, pictures = await ask("pictures", { line: next.line(end) });
  next.path(end).forEach((node, i) => { node.position = pictures[i + 1]; });
  next.record(found.result);
  next.opened = true;
  flipped = false;
  // Stones that are set up before the first move are seen at once.
  let first = next.root;
  while (first.children.length === 1 && first.children[0].mv.startsWith("A") && !moveOf(first.children[0].mv)) [first] = first.children;
  take(next, first, null);
}

async function save() {
  try {
    const data = game.toData(), all = game.nodes(), today = new Date().toLocaleDateString("sv");
    for (const [i, kept] of data.nodes.entries()) if (why(all[i]) && !kept.comment.includes(why(all[i]))) kept.comment = [kept.comment, why(all[i])].filter(Boolean).join(" ");
    if (!data.tags.length) data.tags = tagsOf(game.kind, opponent);
    data.notation = ["iccs", "chinese", "wxf"][Number(kept.notation)];
    const text = await ask("save", { tree: data });
    const link = document.createElement("a"), name = `${game.kind}-${today}.${game.isGo ? "sgf" : "pgn"}`;
    link.href = URL.createObjectURL(new Blob([text], { type: "text/plain" }));
    link.download = name;
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 10000);
    panels.toast(t("saved", name));
  } catch (error) { panels.toast(error.message); }
}

function setUp() {
  if (editor || !at.position) return;
  halt();
  report = count = null;
  editor = new panels.Editor(game.kind, drawable(at.position), game.side(at), {
    fen: at.position.fen,
    look: { latin: kept.latin, flat: kept.flat },
    show: () => showBoard(),
    cancel: () => { editor = null; goTo(at); },
    async done(made) {
      const start = { ...game.start };
      delete start.fen;
      if (game.isGo) Object.assign(start, { stones: made.stones(), turn: made.turn ? "second" : "first" });
      else start.fen = made.fen();
      const next = new Game(start);
      try {
        next.root.position = await ask("position", { line: next.line(next.root) });
      } catch (error) { return panels.toast(error.message); }
      made.close(() => { editor = null; take(next, null, null); });
    },
  });
}

// ---- keeping a game

/** The game and where we are in it. */
function state() {
  const all = game.nodes(), ending = game.ending && { ...game.ending, node: all.findIndex(node => node.id === game.ending.node) };
  return { key: game.key, created: game.created, ...game.toData(), at: all.indexOf(at), opponent, seats, warns, isCounted: game.isCounted, flipped, level, ending, accuracy: game.accuracy, opinion: game.root.opinion, lines: game.root.lines, table: isAtTable() ? sitting.name : null, finished: sitting?.game === game && !sitting.isOn ? sitting.name : null };
}

/** As text, which begins with the key of the game. */
const stateText = () => JSON.stringify(state());

/** Characters of what can be undone that are kept with a game. */
const MAX_UNDO = 3e5;

/** The last states that are of this game. */
function ownEdits(states) {
  const own = states.filter(text => text.startsWith(`{"key":"${game.key}"`));
  let size = 0;
  return own.reverse().filter(text => (size += text.length) < MAX_UNDO).reverse();
}

const notationName = () => ["iccs", "chinese", "wxf"][Number(kept.notation)];

const keeper = new Keeper({
  snapshot() {
    const isEmpty = !game.root.children.length && !game.root.comment && !game.start.fen && !game.start.stones;
    const isKept = keeper.isOn && (!isEmpty || keeper.name(game.key));
    try {
      if (isKept) sessionStorage.removeItem("game");
      else sessionStorage.setItem("game", stateText());
    } catch { /* A game too large to be kept is lost on a reload, and on nothing else. */ }
    if (!isKept) return null;
    const tree = state();
    const { start, tags, result, comment, ending, nodes } = tree;
    const content = JSON.stringify([start, tags, result, comment, ending, tree.extra, nodes.map(({ parent, mv, comment, sign, extra }) => [parent, mv, comment, sign, extra])]);
    return { key: game.key, content, tree: { ...tree, notation: notationName(), picture: game.picture, undo: { past: ownEdits(edits.past), future: ownEdits(edits.future) } } };
  },
  named(key, name) {
    if (key !== game.key || view !== "game") return;
    kept.open = name;
    keep();
    history.replaceState(null, "", `#game/${name}`);
  },
  copied: () => panels.toast(t("copied")),
  stale: name => reload(name),
  failed: error => panels.toast(t("notKept", error.message)),
});

function remember() { keeper.touch(); }

/** Takes over what `state` gave; the node where we were. */
function restore(data) {
  leaveTable();
  lesson = null;
  const restored = Game.fromData(data), all = restored.nodes();
  ({ opponent, flipped, level = kept.level, warns = false } = data);
  seats = data.seats ?? [0, 1].map(side => (side === opponent ? "" : null));
  rests = isWatched();
  fault = null;
  restored.isCounted = data.isCounted;
  if (data.ending && all[data.ending.node]) restored.ending = { ...data.ending, node: all[data.ending.node].id };
  restored.accuracy = data.accuracy;
  restored.root.opinion = data.opinion ?? null;
  restored.root.lines = data.lines ?? undefined;
  game = restored;
  if (data.table && isConnected) sitAgain(data.table);
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
  at = node;
  keeper.learn(game.key, { name, revision }, null);
  keeper.known.get(game.key).content = keeper.page.snapshot()?.content;
  return node;
}

/** Opens a game of the library. */
async function openKept(name) {
  if (keeper.name(game.key) === name) {
    enter();
    return goTo(at);
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
  const before = game.path(at).map(node => node.mv);
  try {
    const found = await ask("load", { name });
    if (keeper.name(game.key) !== name) return;
    edits.past = [];
    adopt(found);
    let node = game.root;
    for (const mv of before) node = node.children.find(child => child.mv === mv) ?? node;
    goTo(node);
  } catch { /* It was removed: what is on the board stays. */ }
}

function hearLibrary({ name, revision }) {
  if (view === "home") return home.searchSoon();
  if (name === keeper.name(game.key) && revision > keeper.revision(name) && !keeper.isBehind() && !isWaiting() && !isAtTable() && !editor) reload(name);
}

// ---- the first page, and the addresses of all pages

const home = new Home({
  settings: kept, keep, toast: panels.toast,
  begin: play, analyze,
  options: kind => panels.askNew({ ...kept, game: kind, level: kept.levels[kind] ?? kept.level }, begin, levels, engines),
});

function setView(name) {
  view = name;
  if (name === "game") home.clear();
  document.body.dataset.view = name;
}

/** The board is seen, and has an address. */
function enter() {
  const name = keeper.name(game.key), hash = name ? `#game/${name}` : "#game";
  setView("game");
  if (location.hash !== hash) history.pushState(null, "", hash);
  if (keeper.isOn && kept.open !== (name ?? "")) {
    kept.open = name ?? "";
    keep();
  }
  scrollTo(0, 0);
}

function goHome() {
  if (location.hash !== "#home") history.pushState(null, "", "#home");
  showHome();
}

function showHome() {
  keeper.flush();
  halt();
  if (editor) closeEditor();
  setView("home");
  document.title = "Sanqi 三棋";
  if (keeper.isOn && kept.open) {
    kept.open = "";
    keep();
  }
  home.draw();
  if (isConnected) home.list();
}

/** Shows what the address names. */
function route() {
  const hash = decodeURIComponent(location.hash.slice(1));
  const name = /^game\/([a-z0-9-]+)$/.exec(hash)?.[1], kind = /^analyze\/(chess|chess960|xiangqi|go)$/.exec(hash)?.[1];
  if (name && keeper.isOn) return openKept(name);
  if (kind) return analyze(kind);
  if (name || hash === "game") {
    setView("game");
    return goTo(at);
  }
  showHome();
}

// ---- settings that all tabs share

function hearSettings(values) {
  const before = { ...kept };
  settings.take(values);
  // Whether a tab searches is its own affair, and so is the game that it shows.
  Object.assign(kept, { analysis: before.analysis, open: before.open });
  if (kept.theme !== before.theme) setTheme();
  setVoice();
  if (kept.language !== before.language) setLanguage();
  if (hasBegun && (kept.threads !== before.threads || kept.hash !== before.hash)) sizeEngine();
  for (const name of ["notation", "lines"]) $(name).value = kept[name];
  $("owner").checked = kept.owner;
  if (view === "home") home.draw(); else show();
}

async function welcome() {
  const found = await ask("welcome");
  ({ levels, engine } = found);
  engines = council.engines = found.engines ?? [];
  keeper.isOn = found.folder !== undefined;
  home.welcome(found);
  return found;
}

/** What the engine may be given. */
function drawEngine() {
  if (!engine) return;
  const upTo = (most, sizes) => sizes.filter(n => n <= most);
  const threads = upTo(engine.most.threads, [...Array(8).keys()].map(i => i + 1).concat([10, 12, 16, 24, 32, 48, 64, 96, 128]));
  const hash = upTo(engine.most.hash, [16, 32, 64, 128, 256, 512, 1024, 2048, 4096]);
  for (const [name, sizes] of [["threads", threads], ["hash", hash]]) {
    const all = [...new Set([...sizes, engine[name]])].sort((a, b) => a - b), unit = name === "hash" ? " MiB" : "";
    $(name).replaceChildren();
    for (const n of all) panels.make($(name), "option", { value: n, selected: n === Number(kept[name] || engine[name]) }, n === engine[name] ? t("usual", n + unit) : n + unit);
  }
}

/** Has the engine take as many threads and as much memory as the settings have. */
function sizeEngine() {
  drawEngine();
  return ask("engine", { threads: Number(kept.threads) || null, hash: Number(kept.hash) || null }).catch(() => {});
}

let hasBegun = false;

/** The connection is there: what the server keeps is taken over, and what it lacks is sent. */
async function arrive() {
  try {
    const found = await welcome();
    if (hasBegun) {
      sizeEngine();
      keeper.pump();
      return view === "home" ? home.list() : goTo(at);
    }
    hasBegun = true;
    if (keeper.isOn) {
      hearSettings({ ...found.settings, ...(asked ? { language: asked } : {}) });
      kept.open = found.settings.open ?? "";
      $("analyze").checked = kept.analysis = found.settings.analysis ?? kept.analysis;
      const own = await keeper.recover();
      const open = location.hash === "#game" ? own : isBare() ? kept.open : "";
      if (open) history.replaceState(null, "", `#game/${open}`);
    }
    sizeEngine();
    route();
  } catch (error) {
    if (error.message !== "closed") panels.toast(error.message);
  }
}

/** Whether the address names nothing but the program. */
const isBare = () => ["", ...LANGUAGES.map(name => `#${name}`)].includes(location.hash);

/** To be called before the tree is edited; `news` says of an edit that is easily made by mistake that it can be undone. */
function edit(news) {
  edits.record(stateText());
  if (news) panels.toast(t(news), [t("revert"), actions.revert]);
}

/** Goes to what `History` gave. */
function revert(text) {
  if (!text) return panels.toast(t("nothingToUndo"));
  halt();
  keeper.flush();
  const node = restore(JSON.parse(text));
  enter();
  goTo(node);
}

// ---- what the person does besides

const actions = {
  home: goHome,
  new: () => panels.askNew({ ...kept, level: kept.levels[kept.game] ?? kept.level }, begin, levels, engines),
  open: () => $("file").click(),
  save, setup: setUp, undo,
  rest() { rests = !rests; think(false); show(); },
  hint() {
    if (isOver() || isWaiting() || review || !at.position) return;
    const answer = ask("hint", { line: game.line(at) });
    search = { purpose: "hint", id: answer.id, node: at };
    answer.catch(error => panels.toast(error.message));
  },
  threat() {
    if (threat?.node === at) {
      threat = null;
      return show();
    }
    if (isOver() || isWaiting() || review || lesson || !at.position) return;
    const answer = ask("threat", { line: game.line(at) });
    search = { purpose: "threat", id: answer.id, node: at };
    answer.catch(error => { search = null; panels.toast(error.message); think(false); });
  },
  flip() { flipped = !flipped; remember(); show(); },
  pass() { if (game.isGo && !isOver() && !isWaiting() && !isHeld()) playMove("pass"); },
  resign() { if ((opponent !== null || isAtTable()) && !isOver()) resign(); },
  offer() {
    if (isAtTable()) return sitting.act("offer");
    if (opponent === null || isOver() || isWaiting() || review || !at.position) return;
    const answer = ask("offer", { line: game.line(at) });
    search = { purpose: "offer", id: answer.id, node: at };
    answer.catch(error => panels.toast(error.message));
  },
  claim: () => sitting?.claim(),
  judge() {
    const nodes = [game.root, ...game.path(at)], dead = count?.dead ?? [];
    panels.askArbiter(game.kind, (question, more) => ask("judge", { line: game.line(at), ask: question, ...(question === "count" && dead.length ? { dead } : {}), ...more }), ply => nodes[ply] && goTo(nodes[ply]));
  },
  pause: () => sitting?.act("stop"),
  adjourn: () => sitting?.adjourn(),
  voice() { kept.voice = !kept.voice; keep(); setVoice(); },
  first: () => goTo(game.root),
  back: () => at.parent && goTo(at.parent),
  forward: () => at.children.length && goTo(at.children[0], { slide: true }),
  last: toEnd,
  review: startReview,
  language() { kept.language = LANGUAGES[(LANGUAGES.indexOf(current()) + 1) % LANGUAGES.length]; keep(); setLanguage(); },
  theme() { kept.theme = { auto: "light", light: "dark", dark: "auto" }[kept.theme] ?? "auto"; keep(); setTheme(); },
  latin() {
    const name = game.kind === "xiangqi" ? "latin" : "flat";
    kept[name] = !kept[name];
    keep();
    show();
  },
  branches() {
    kept.branches = !kept.branches;
    keep();
    show();
    if (kept.branches) $("branches").focus();
  },
  draw() {
    $("do-draw").setAttribute("aria-pressed", `${!isDrawing()}`);
    showPens();
  },
  wipe() {
    if (!at.extra) return;
    edit();
    at.extra = wiped(at.extra, table.grid());
    remember();
    showBoard();
  },
  cancel() {
    if (dropPremove()) return;
    if (tapped) { tapped = null; showBoard(); }
    if (pen.tool) actions.draw();
  },
  help: panels.showKeys,
  up: () => sibling(-1), down: () => sibling(1),
  analyze() { $("analyze").checked = !$("analyze").checked; $("analyze").onchange(); },
  promote() { if (isAtTable()) return; edit(); game.promote(at); remember(); show(); },
  remove() {
    if (at === game.root || isAtTable() && sitting.line.includes(at)) return;
    edit("deleteNote");
    goTo(forget(at));
  },
  revert() { revert(edits.undo(stateText())); },
  redo() { revert(edits.redo(stateText())); },
};
const KEYS = { ArrowLeft: "back", ArrowRight: "forward", ArrowUp: "up", ArrowDown: "down", Home: "first", End: "last", " ": "analyze", f: "flip", h: "hint", x: "threat", u: "undo", n: "new", o: "open", s: "save", l: "language", t: "theme", "?": "help", p: "promote", d: "draw", g: "branches", Delete: "remove", Escape: "cancel" };

// The address may name a language: `#zh`.
const asked = LANGUAGES.find(name => location.hash === `#${name}`);
if (asked) kept.language = asked;

function setLanguage() {
  const name = current();
  speak(kept.language ?? (navigator.language.startsWith("zh") ? "zh" : "en"));
  $("do-language").textContent = current() === "zh" ? "English" : "中文";
  $("do-language").setAttribute("aria-label", `${$("do-language").textContent}: ${t("language")}`);
  if (editor) editor.draw();
  if (view === "home") home.draw();
  drawEngine();
  if (isConnected && current() !== name) welcome().then(() => home.draw(), () => {});
  show();
}

function setTheme() {
  if (kept.theme === "auto") delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = kept.theme;
  $("do-theme").textContent = { auto: "◐", light: "☀", dark: "☾" }[kept.theme];
}

function setVoice() {
  $("do-voice").classList.toggle("off", !kept.voice);
}

function setLatin() {
  $("do-latin").textContent = game.kind !== "xiangqi" ? (kept.flat ? "♞" : "♘") : kept.latin ? "字" : "ABC";
}

/** What can be done while a position is set up: the game behind it stays as it is. */
const BESIDES = ["home", "flip", "latin", "language", "theme", "help"];
/** What can be done on the first page. */
const AT_HOME = ["home", "new", "open", "language", "theme", "help", "revert", "redo"];

function act(name) {
  if (!editor || BESIDES.includes(name)) actions[name]();
}

function listen() {
  for (const name of Object.keys(actions)) $(`do-${name}`)?.addEventListener("click", () => act(name));
  document.addEventListener("keydown", event => {
    const isEdit = (event.ctrlKey || event.metaKey) && !event.altKey;
    if ((event.ctrlKey || event.metaKey || event.altKey) && !isEdit || /^(INPUT|TEXTAREA|SELECT)$/.test(event.target.tagName) && event.target.type !== "checkbox" || document.querySelector("dialog[open]")) return;
    if (/^(BUTTON|INPUT|SUMMARY)$/.test(event.target.tagName) && event.key === " ") return;
    if (event.key === "Enter" && event.target.matches("a[role=button]")) {
      event.preventDefault();
      return event.target.click();
    }
    const key = event.key.length === 1 ? event.key.toLowerCase() : event.key;
    const action = isEdit ? (key === "z" ? (event.shiftKey ? "redo" : "revert") : key === "y" ? "redo" : null) : KEYS[key];
    if (!action || view === "home" && !AT_HOME.includes(action)) return;
    event.preventDefault();
    act(action);
  });
  $("do-home").onclick = event => { event.preventDefault(); goHome(); };
  document.querySelector(".brand").onclick = $("do-home").onclick;
  addEventListener("popstate", () => { if (hasBegun) route(); });
  addEventListener("pagehide", () => keeper.flush());
  // Nobody sees the analysis of a tab that is hidden.
  document.addEventListener("visibilitychange", () => {
    if (document.hidden) keeper.flush();
    if (view === "game" && kept.analysis && (search?.purpose === "analyze" || !search)) think(false);
  });
  $("file").onchange = () => { openFile($("file").files[0]); $("file").value = ""; };
  $("analyze").onchange = () => { kept.analysis = $("analyze").checked; keep(); report = null; if (!isWaiting()) think(false); show(); };
  $("lines").onchange = () => { kept.lines = $("lines").value; keep(); if (search?.purpose === "analyze") think(false); show(); };
  $("do-engine").onclick = () => {
    $("engine-box").hidden = !$("engine-box").hidden;
    $("do-engine").setAttribute("aria-expanded", !$("engine-box").hidden);
  };
  for (const name of ["threads", "hash"]) $(name).onchange = async () => {
    kept[name] = $(name).value === String(engine[name]) ? "" : $(name).value;
    keep();
    await sizeEngine();
    if (search?.purpose === "analyze") think(false);
  };
  $("typed").onsubmit = event => { event.preventDefault(); playTyped(); };
  $("typed-move").oninput = () => { $("typed-note").textContent = ""; };
  $("owner").onchange = () => { kept.owner = $("owner").checked; keep(); showBoard(); };
  $("notation").onchange = () => { kept.notation = $("notation").value; keep(); show(); };
  $("sign").onchange = () => {
    edit();
    at.sign = $("sign").value;
    remember();
    show();
  };
  // What is written is about the move that was shown when it was begun, whatever the engine plays meanwhile.
  let spoken = null, isEdited = false;
  $("comment").onfocus = () => { spoken = at; isEdited = false; };
  $("comment").oninput = () => { if (!isEdited) edit(); isEdited = true; (spoken ?? at).comment = $("comment").value; remember(); };
  $("comment").onblur = () => { spoken = null; show(); };
  addEventListener("resize", () => showCourse());
  document.addEventListener("dragover", event => { event.preventDefault(); document.body.classList.add("dropping"); });
  for (const name of ["dragleave", "drop"]) document.addEventListener(name, () => document.body.classList.remove("dropping"));
  document.addEventListener("drop", event => {
    event.preventDefault();
    const [file] = event.dataTransfer.files, text = event.dataTransfer.getData("text/plain");
    if (file) openFile(file); else if (text) openText(text);
  });
  document.addEventListener("paste", event => {
    if (/^(INPUT|TEXTAREA)$/.test(event.target.tagName) && event.target.type !== "checkbox") return;
    const [file] = event.clipboardData.files, text = event.clipboardData.getData("text/plain");
    if (file) openFile(file); else if (text.trim()) openText(text);
  });
}

const sheet = document.createElement("style");
sheet.textContent = STYLE;
document.head.append(sheet);
$("analyze").checked = kept.analysis;
$("lines").value = kept.lines;
$("owner").checked = kept.owner;
$("notation").value = kept.notation;
document.body.dataset.view = view = isBare() && !kept.open || location.hash === "#home" ? "home" : "game";
listen();
setTheme();
setVoice();
setLanguage();
const before = read(sessionStorage, "game");
at = before.start ? restore(before) : game.root;
show();
connect(hear, async connected => {
  isConnected = connected;
  home.trouble = null;
  search = null;
  review = null;
  if (connected) await arrive();
  else show();
  home.trouble = connected ? null : connected === null ? "moved" : "lost";
  home.draw();
  document.body.dataset.ready = Boolean(connected);
});
