// The live page of a match: asks for the state twice a second, and keeps its picture when the match is gone.
import { STYLE, draw, ends } from "./boards.js";
import { $, clockText, put, row, states as statesOf } from "./live-parts.js";

const states = game => statesOf(about.game, game);

const PERIOD = 500;

document.head.appendChild(document.createElement("style")).textContent = STYLE;
const about = await (await fetch("about")).json();
const words = about.words;
document.documentElement.lang = words.lang;
document.title = about.event;
$("event").textContent = about.event;
for (const element of document.querySelectorAll("[data-word]")) element.textContent = words[element.dataset.word];

// Boards of the games being played, by number.
const boards = new Map();

function liveBoard(game) {
  const element = put($("boards"), "div", null, { class: "live" });
  const seat = () => {
    const line = put(element, "div", null, { class: "seat" });
    return { line, name: put(line, "b"), score: put(line, "span"), clock: put(line, "time") };
  };
  const second = seat();
  const svg = element.appendChild(document.createElementNS("http://www.w3.org/2000/svg", "svg"));
  const first = seat();
  return { element, svg, seats: [first, second], note: put(element, "p"), count: -1, game };
}

function showGame(game) {
  let board = boards.get(game.n);
  if (!board) boards.set(game.n, (board = liveBoard(game)));
  board.game = game;
  board.since = performance.now() - game.ago;
  const all = board.count === game.moves.length ? null : states(game);
  if (all) {
    const last = game.moves[game.moves.length - 1];
    draw(board.svg, about.game, all[all.length - 1], { last: last ? ends(about.game, last) : [] }, {});
    board.count = game.moves.length;
  }
  board.seats.forEach((seat, i) => {
    seat.name.textContent = game.names[i];
    const score = game.scores[i];
    seat.score.textContent = score ? `${score[0]}${score[1] ? ` / ${score[1]}` : ""}` : "";
  });
  board.note.textContent = `${game.n}. ${game.last ?? ""}`;
}

function tick() {
  for (const { game, seats, since } of boards.values()) {
    const black = game.fen && game.fen.split(" ")[1] === "b" ? 1 : 0;
    const handicap = game.go && game.go.handicap && game.go.handicap.length ? 1 : 0;
    const turn = (game.moves.length + black + handicap) % 2;
    seats.forEach((seat, i) => {
      const left = game.clocks[i];
      seat.clock.textContent = left === null ? "" : clockText(left - (i === turn && game.runs ? performance.now() - since : 0));
      seat.line.classList.toggle("turn", i === turn);
    });
  }
}

function showCup(cup) {
  const box = $("cup");
  box.replaceChildren();
  if (!cup) return;
  const section = heading => { const element = put(box, "section"); put(element, "h2", heading); return element; };
  for (const group of cup.groups) {
    const table = put(section(group.name), "table");
    row(table, [words.player, "+", "=", "−", words.points, ""], true);
    for (const [name, wins, draws, losses, points, settled, advances] of group.rows)
      row(table, [name, wins, draws, losses, points, settled]).className = advances ? "goes" : "out";
  }
  for (const round of [cup.playOffs, ...cup.rounds]) {
    if (!round.encounters.length) continue;
    const element = section(round.name);
    for (const e of round.encounters) {
      const tie = put(element, "div", null, { class: "tie" });
      e.players.forEach((player, i) => {
        const line = put(tie, e.winner === player ? "b" : "span");
        put(line, "i", player, { style: "font-style: normal" });
        put(line, "i", e.points[i], { style: "font-style: normal" });
      });
      if (e.note) put(tie, "small", e.note);
    }
  }
}

let listed = -1, cupText = "";
function show(state) {
  const now = new Set(state.running.map(game => game.n));
  for (const [number, board] of boards) if (!now.has(number)) { board.element.remove(); boards.delete(number); }
  state.running.forEach(showGame);
  const llr = state.sprt ? ` LLR ${state.sprt[0].toFixed(2)} (${state.sprt[1].toFixed(2)}, ${state.sprt[2].toFixed(2)})` : "";
  $("sub").textContent = [about.gameName, about.conditions, about.control, state.count + words.count].filter(Boolean).join(", ") + llr;
  $("result").textContent = (state.result ?? "") + (state.over ? ` · ${words.over}` : "");
  const cup = JSON.stringify(state.cup);
  if (cup !== cupText) { cupText = cup; showCup(state.cup); }
  if (listed === state.count) return;
  listed = state.count;
  $("standings").replaceChildren();
  row($("standings"), [words.player, words.rating, "±", "+", "=", "−", words.points, "%"], true);
  for (const p of state.standings ?? [])
    row($("standings"), [p.name, p.rating === null ? "" : p.rating.toFixed(0), p.error === null || p.rating === null ? "" : p.error.toFixed(0), p.wins, p.draws, p.losses, p.points, (100 * p.score).toFixed(1)]);
  $("finished").replaceChildren();
  for (const [number, names, result, detail] of state.finished) {
    const tr = row($("finished"), [`${number}.`, `${names[0]} – ${names[1]}`, result, detail]);
    tr.tabIndex = 0;
    tr.onclick = () => open(number);
    tr.onkeydown = event => { if (event.key === "Enter") open(number); };
  }
}

// A finished game, played over.
let shownGame, shownStates, ply;
function step(n) {
  ply = Math.max(0, Math.min(n, shownStates.length - 1));
  const p = shownGame.plies[ply - 1];
  draw($("board"), about.game, shownStates[ply], { last: p ? ends(about.game, p[0]) : [] }, {});
  $("note").textContent = p ? `${ply}. ${p[1]}${p[2] ? `  ${p[2]}` : ""}${ply === shownStates.length - 1 ? `  ${shownGame.result} ${shownGame.detail}` : ""}` : "";
}
async function open(number) {
  const answer = await fetch(`game/${number}`);
  if (!answer.ok) return;
  shownGame = await answer.json();
  shownStates = states({ ...shownGame, moves: shownGame.plies.map(p => p[0]) });
  $("who").textContent = `${number}. ${shownGame.names[0]} – ${shownGame.names[1]}`;
  step(shownStates.length - 1);
  $("replay").showModal();
}
$("first").onclick = () => step(0);
$("back").onclick = () => step(ply - 1);
$("forward").onclick = () => step(ply + 1);
$("last").onclick = () => step(shownStates.length - 1);
$("replay").addEventListener("keydown", event => {
  if (event.key === "ArrowLeft") step(ply - 1);
  if (event.key === "ArrowRight") step(ply + 1);
});

async function ask() {
  let isOver = false;
  try {
    const answer = await fetch("state");
    if (!answer.ok) throw new Error(answer.statusText);
    const state = await answer.json();
    $("gone").hidden = true;
    show(state);
    isOver = state.over;
  } catch {
    $("gone").textContent = words.gone;
    $("gone").hidden = false;
  }
  if (!isOver) setTimeout(ask, document.hidden ? 10 * PERIOD : PERIOD);
}
setInterval(tick, 100);
ask();
