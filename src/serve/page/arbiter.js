// The arbiter's desk: all boards with their clocks and ledgers; clocks are stopped and changed, players warned, games forfeited.
import { STYLE, draw, ends } from "./boards.js";
import { $, follow, put, send, states, tableFor, tickClocks } from "./live-parts.js";

document.head.appendChild(document.createElement("style")).textContent = STYLE;
const about = await (await fetch("about")).json();
const words = about.hall;
document.documentElement.lang = words.lang;
document.title = $("title").textContent = `${about.event}: ${words.arbiter}`;
$("sub").textContent = [about.gameName, about.conditions, about.control].filter(Boolean).join(", ");

const boards = new Map();
const SIDES = ["first", "second"];

/** Whether the arbiter's word is waited for. */
const isHeld = game => game.phase === "paused" || (game.phase === "adjourned" && !game.runs);

function newBoard(n) {
  const element = put($("boards"), "div", null, { class: "live" });
  const order = async asked => { $("refused").textContent = (await send({ game: n, ...asked })) ?? ""; };
  const table = tableFor(element, false);
  const controls = put(element, "div", null, { class: "keys" });
  const pause = put(controls, "button");
  pause.onclick = () => order({ order: isHeld(boards.get(n).game) ? "continue" : "pause" });
  const adjourn = put(controls, "button", words.adjourn);
  adjourn.onclick = () => order({ order: boards.get(n).game.isAdjourning ? "call-off" : "adjourn" });
  const rows = SIDES.map(side => {
    const line = put(element, "div", null, { class: "orders" }), name = put(line, "b");
    for (const seconds of [-60, 60, 300]) put(line, "button", `${seconds > 0 ? "+" : "−"}${Math.abs(seconds) / 60}:00`).onclick = () => order({ order: "adjust", side, seconds });
    put(line, "button", words.warn).onclick = () => {
      const why = prompt(words.why);
      if (why) order({ order: "warn", side, why });
    };
    put(line, "button", words.forfeit).onclick = () => confirm(words.sureForfeit) && order({ order: "forfeit", side });
    return name;
  });
  const note = put(element, "p");
  put(element, "h2", words.ledger);
  return { element, ...table, pause, adjourn, rows, note, notes: put(element, "ul"), count: -1 };
}

function showBoard(game) {
  const board = boards.get(game.n) ?? newBoard(game.n);
  boards.set(game.n, board);
  Object.assign(board, { game, came: performance.now() });
  if (board.count !== game.moves.length) {
    const all = states(about.game, game), last = game.moves[game.moves.length - 1];
    draw(board.svg, about.game, all[all.length - 1], { last: last ? ends(about.game, last) : [] }, {});
    board.count = game.moves.length;
  }
  const isOver = game.phase === "over";
  board.seats.forEach((seat, i) => {
    seat.name.textContent = `${game.names[i]} (${game.sides[i]})`;
    seat.note.textContent = game.here[i] ? "" : words.absent;
    board.rows[i].textContent = game.names[i];
  });
  board.pause.textContent = { paused: words.continue, adjourned: words.resume }[game.phase] ?? words.pause;
  for (const button of board.element.querySelectorAll("button")) button.disabled = isOver;
  board.adjourn.hidden = !game.hasPeople;
  board.adjourn.disabled ||= game.phase === "adjourned";
  board.adjourn.textContent = game.isAdjourning ? words.callOff : words.adjourn;
  const news = isOver ? game.ending.join(" ") : game.phase === "adjourned" ? words.adjourned : game.texts[game.texts.length - 1] ?? "";
  board.note.textContent = `${game.n}. ${news}`;
  board.notes.replaceChildren();
  for (const note of game.notes) put(board.notes, "li", note);
}

function show(state) {
  const now = new Set(state.boards.map(game => game.n));
  for (const [number, board] of boards) if (!now.has(number)) { board.element.remove(); boards.delete(number); }
  state.boards.forEach(showBoard);
}

setInterval(() => {
  for (const { game, seats, came } of boards.values()) tickClocks(game, seats, performance.now() - came);
}, 100);
follow(show, isLost => {
  $("gone").hidden = !isLost;
  $("gone").textContent = words.gone;
}, 250);
