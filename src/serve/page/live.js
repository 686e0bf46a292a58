// The live page of a match: asks for the state twice a second, and keeps its picture when the match is gone.
import { draw, ends } from "./boards.js";
import { clockText, states as statesOf } from "./live-parts.js";
import { $, matchGame, pickTable, put, shortResult, showCup, standingsTable } from "./parts.js";
import { Viewer } from "./viewer.js";

const states = game => statesOf(about.game, game);

const PERIOD = 500;

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
    draw(board.svg, about.game, all[all.length - 1], { last: last ? ends(about.game, last) : [] }, { files: game.files });
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

let listed = -1, cupText = "";
function show(state) {
  const now = new Set(state.running.map(game => game.n));
  for (const [number, board] of boards) if (!now.has(number)) { board.element.remove(); boards.delete(number); }
  state.running.forEach(showGame);
  const llr = state.sprt ? ` LLR ${state.sprt[0].toFixed(2)} (${state.sprt[1].toFixed(2)}, ${state.sprt[2].toFixed(2)})` : "";
  $("sub").textContent = [about.gameName, about.conditions, about.control, state.count + words.count].filter(Boolean).join(", ") + llr;
  $("result").textContent = (state.result ?? "") + (state.over ? ` · ${words.over}` : "");
  const cup = JSON.stringify(state.cup);
  if (cup !== cupText) { cupText = cup; showCup($("cup"), state.cup, words); }
  if (listed === state.count) return;
  listed = state.count;
  $("standings").replaceChildren();
  standingsTable($("standings"), state.standings ?? [], words);
  $("finished").replaceChildren();
  pickTable($("finished"), null, state.finished.map(([number, names, result, detail]) => [`${number}.`, names.join(" – "), shortResult(result), detail]), i => open(state.finished[i][0]));
}

// A finished game, played over.
const viewer = new Viewer($("replay"), words, $("replay"));
async function open(number) {
  const answer = await fetch(`game/${number}`);
  if (!answer.ok) return;
  $("replay").showModal();
  viewer.open(matchGame(about.game, await answer.json(), words));
}

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
