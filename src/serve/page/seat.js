// A person's seat in a match: the board from its side, both clocks, moves, offers, claims.
import { draw, ends, grid } from "./boards.js";
import { Hand } from "./input.js";
import { follow, send, states, tableFor, tickClocks } from "./live-parts.js";
import { $, put } from "./parts.js";
import { Premove, reach } from "./premove.js";

const about = await (await fetch("about")).json();
const words = about.hall, isGo = about.game === "go";
document.documentElement.lang = words.lang;
$("sub").textContent = [about.event, about.gameName, about.conditions, about.control].filter(Boolean).join(", ");
for (const element of /** @type {any} */ (document.querySelectorAll("[data-word]"))) element.textContent = words[element.dataset.word];
const buttons = Object.fromEntries([.../** @type {any} */ (document.querySelectorAll("[data-act]"))].map(button => [button.dataset.act, button]));
for (const [act, button] of Object.entries(buttons)) button.textContent = words[act === "count" ? "agree" : act];
$("move").setAttribute("aria-label", words.typed);
const enter = $("form").querySelector("button");

let board = null, table = null, hand = null, position = null, marks = {};
/** When the state came, and whether a newer one was asked for. */
let came = 0, isStale = false;
let dead = new Set();

const isMine = () => ["playing", "sealing"].includes(board.phase) && board.turn === board.side;
const isCounting = () => board.phase === "counting" && board.asked === board.side;
const look = () => ({ flipped: !isGo && board.side === 1 });
const paint = () => {
  const last = board.moves[board.moves.length - 1], { points } = premove;
  const planned = isGo ? { stones: points.map(at => ({ at, color: ["black", "white"][board.side] })) } : { planned: points };
  draw(table.svg, about.game, position, { last: last ? ends(about.game, last) : [], dead: isCounting() ? [...dead] : board.dead ?? [], ...planned, ...marks }, look());
};

/** The position after some moves of the game, by name. */
const after = plies => `${board.n} ${plies}`;
/** The opponent's turn, in which a premove is made. */
const premove = new Premove({ node: () => (board?.phase === "playing" && board.turn !== board.side ? after(board.moves.length) : null) });

/** Where the king goes that is put on its rook. */
const ROOKS = { h1: "g1", a1: "c1", h8: "g8", a8: "c8" };

/** Whether a point has a piece of the person's; in Go, whether it is empty. */
function isOwn(point) {
  const g = grid(about.game, board.go?.size), [column, row] = g.place(point);
  if (isGo) return position.stones[row * g.columns + column] === 0;
  const piece = position.rows[row][column];
  return piece !== " " && (piece < "a") === (board.side === 0);
}

function dropPremove() {
  if (premove.drop()) paint();
}

/** The stones of the chain at a point. */
function chain(point) {
  const g = grid(about.game, board.go.size), found = new Set(), todo = [point];
  const color = p => { const [column, row] = g.place(p); return position.stones[row * g.columns + column]; };
  while (todo.length) {
    const at = todo.pop(), [column, row] = g.place(at);
    if (found.has(at)) continue;
    found.add(at);
    for (const [x, y] of [[column - 1, row], [column + 1, row], [column, row - 1], [column, row + 1]])
      if (x >= 0 && y >= 0 && x < g.columns && y < g.rows && color(g.name(x, y)) === color(point)) todo.push(g.name(x, y));
  }
  return color(point) ? [...found] : [];
}

async function act(asked) {
  $("refused").textContent = "";
  $("refused").textContent = (await send({ game: board.n, ply: board.moves.length, ...asked })) ?? "";
}

async function play(mv) {
  const isOffer = $("draw").checked;
  $("pieces").replaceChildren();
  await act({ act: "move", mv, draw: isOffer });
  if ($("refused").textContent) return;
  $("draw").checked = false;
  $("move").value = "";
}

const hands = {
  grid: () => grid(about.game, board.go?.size),
  flipped: () => look().flipped,
  isSingle: () => isGo,
  owns: point => (premove.isOpen ? isOwn(point) : isMine() && board.legal.some(mv => mv.startsWith(point))),
  targets: point => (premove.isOpen ? reach(hands.grid(), position.rows, point) : board.legal.filter(mv => mv.startsWith(point)).map(mv => mv.slice(2, 4))),
  ghost: point => (isGo && isMine() && isOwn(point) ? ["black", "white"][board.side] : null),
  show(shown) { marks = shown; paint(); },
  play(from, to) {
    if (premove.isOpen) {
      premove.plan(from, to);
      marks = {};
      return paint();
    }
    const moves = board.legal.filter(mv => mv.startsWith(from + to));
    if (moves.length === 1) return play(moves[0]);
    // A pawn that promotes.
    $("pieces").replaceChildren();
    for (const mv of moves) put($("pieces"), "button", mv[4].toUpperCase()).onclick = () => play(mv);
    marks = {};
    paint();
  },
  press(point) {
    if (!point) return;
    if (premove.isOpen) {
      // Pressed again it is taken back.
      if (!premove.points.includes(point) && isOwn(point)) premove.plan(point); else premove.drop();
      return paint();
    }
    if (isMine()) return void play(point);
    if (!isCounting()) return;
    const stones = chain(point), isDead = dead.has(stones[0]);
    for (const stone of stones) isDead ? dead.delete(stone) : dead.add(stone);
    paint();
  },
};

/** The moves: of chess and xiangqi two to a number. */
function listMoves() {
  const list = $("moves"), texts = [...board.texts];
  if (!isGo && board.fen?.split(" ")[1] === "b") texts.unshift("…");
  list.replaceChildren();
  for (let i = 0; i < texts.length; i += isGo ? 1 : 2) put(list, "li", texts.slice(i, i + (isGo ? 1 : 2)).join(" "));
}

function status() {
  if (board.phase === "over") return `${board.ending[0]} ${board.ending[1]}`;
  if (board.phase === "seating") return words.waits;
  if (board.phase === "paused") return words.paused;
  if (board.phase === "sealing") return isMine() ? words.sealing : words.sealingTheirs;
  if (board.phase === "adjourned") return board.runs ? words.envelope : words.adjourned;
  if (board.phase === "counting") return isCounting() ? words.count : words.countTheirs;
  return isMine() ? words.yours : words.theirs;
}

function show(state) {
  $("name").textContent = words.seat + state.name;
  const before = board;
  board = state.board;
  (came = performance.now()), (isStale = false);
  $("desk").hidden = !board;
  if (!board) {
    $("sub").textContent = state.over ? words.over : words.none;
    return;
  }
  if (!before || before.n !== board.n) {
    $("table").replaceChildren();
    table = tableFor($("table"), look().flipped);
    table.svg.tabIndex = 0;
    hand = new Hand(table.svg, hands);
    table.svg.addEventListener("contextmenu", event => { event.preventDefault(); dropPremove(); });
    table.svg.addEventListener("keydown", event => { if (event.key === "Escape") dropPremove(); });
  }
  if (!before || before.n !== board.n || before.moves.length !== board.moves.length || before.phase !== board.phase) {
    const all = states(about.game, board);
    position = all[all.length - 1];
    hand.forget();
    marks = {};
    dead = new Set(board.dead ?? []);
    $("pieces").replaceChildren();
    // Of Go the server does not list what is legal; it refuses what is not.
    const legal = isGo ? premove.points : board.legal;
    const answer = { parent: after(board.moves.length - 1), position: { legal: isMine() ? legal : [] } };
    const planned = premove.take(answer, (from, to) => (board.legal.includes(from + to) ? to : ROOKS[to] ?? to));
    if (planned) play(planned);
    paint();
    listMoves();
    $("moves").scrollTop = $("moves").scrollHeight;
  }
  table.seats.forEach((seat, i) => {
    seat.name.textContent = `${board.names[i]} (${board.sides[i]})`;
    seat.note.textContent = board.here[i] ? "" : words.absent;
  });
  $("status").textContent = status() + (state.over ? ` · ${words.over}` : "");
  document.title = `${isMine() || isCounting() ? "● " : ""}${board.names.join(" – ")}`;
  const isPlayed = board.phase === "playing", isSealing = board.phase === "sealing", mine = isMine(), isOffered = isPlayed && board.offer === 1 - board.side;
  buttons.ready.hidden = board.phase !== "seating" || board.isReady;
  buttons.count.hidden = !isCounting();
  $("form").hidden = !isPlayed && !(isSealing && mine);
  $("offer").hidden = !isPlayed || isGo;
  enter.textContent = isSealing ? words.seal : words.play;
  for (const input of [...$("form").elements, $("draw")]) input.disabled = !mine;
  buttons.pass.hidden = !isGo || $("form").hidden;
  buttons.claim.hidden = isGo || !isPlayed;
  buttons.pass.disabled = buttons.claim.disabled = !mine;
  buttons.resign.hidden = board.phase === "over";
  $("answers").hidden = !isOffered && !(isPlayed && board.offer === board.side);
  $("answers").firstChild.textContent = isOffered ? words.offered : words.offers;
  buttons.accept.hidden = buttons.decline.hidden = !isOffered;
  $("notes").replaceChildren();
  for (const note of board.notes) put($("notes"), "li", note);
  tick();
}

/** Seconds at which the own clock is called: of a period, and where the flag falls at its end. */
const CALLS = [2, 5, 10, 20, 30], LAST_CALLS = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 30, 60];
let earlier = null;

/** Calls the seconds of the own clock, aloud if that is wanted. */
function callTime() {
  const clock = board.clocks[board.side], runs = board.runs && board.turn === board.side;
  $("voicebox").hidden = !clock || !globalThis.speechSynthesis || board.phase === "over";
  const left = clock && runs ? clock[0] - (performance.now() - came) : null;
  const seconds = left === null || earlier === null ? undefined : (clock[2] ? LAST_CALLS : clock[1] ? CALLS : []).find(s => left <= 1000 * s && 1000 * s < earlier);
  if (left === null) $("call").textContent = "";
  earlier = left;
  if (seconds === undefined) return;
  const text = $("call").textContent = words.call.replace("#", seconds);
  if (!$("voice").checked || !globalThis.speechSynthesis) return;
  const spoken = new SpeechSynthesisUtterance(seconds > 10 ? text : `${seconds}`);
  spoken.lang = words.lang === "zh" ? "zh-CN" : "en-US";
  speechSynthesis.cancel();
  speechSynthesis.speak(spoken);
}

function tick() {
  if (!board) return;
  callTime();
  const isOver = tickClocks(board, table.seats, performance.now() - came);
  if (!isOver || isStale) return;
  // A period of byo-yomi has ended: what is left stands in a new state.
  isStale = true;
  fetch("state/0").then(answer => answer.json()).then(show, () => {});
}

buttons.ready.onclick = () => act({ act: "ready" });
buttons.count.onclick = () => act({ act: "count", dead: [...dead] });
buttons.accept.onclick = () => act({ act: "accept" });
buttons.decline.onclick = () => act({ act: "decline" });
buttons.pass.onclick = () => play("pass");
// With a move in the field it is the one that is about to be made.
buttons.claim.onclick = () => act({ act: "claim", mv: $("move").value.trim() || null });
buttons.resign.onclick = () => confirm(words.sure) && act({ act: "resign" });
$("form").onsubmit = event => {
  event.preventDefault();
  if ($("move").value.trim()) play($("move").value.trim());
};
setInterval(tick, 100);
follow(show, isLost => {
  $("gone").hidden = !isLost;
  $("gone").textContent = words.gone;
}, 50);
