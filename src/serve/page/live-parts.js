// What the pages of a match share.
import { replay } from "./boards.js";

/** @type {(id: string) => any} */
export const $ = id => document.getElementById(id);
export const put = (parent, tag, text, attributes) => {
  const element = document.createElement(tag);
  if (text !== undefined && text !== null) element.textContent = text;
  for (const [key, value] of Object.entries(attributes || {})) element.setAttribute(key, value);
  return parent.appendChild(element);
};
export const row = (table, cells, head) => {
  const tr = put(table, "tr");
  for (const cell of cells) put(tr, head ? "th" : "td", cell);
  return tr;
};

/** The positions of a game, from its first one on. */
export function states(kind, game) {
  const moves = replay(kind, game.go?.size);
  const all = [game.go ? moves.start(game.go.handicap, game.second ? 2 : 1) : moves.start(game.fen)];
  for (const mv of game.moves) all.push(moves.move(all[all.length - 1], mv));
  return all;
}

export function clockText(ms) {
  const seconds = Math.max(0, ms) / 1000, whole = Math.floor(seconds);
  const two = n => String(n).padStart(2, "0");
  if (whole < 10) return `0:0${seconds.toFixed(1)}`;
  const minutes = Math.floor(whole / 60);
  return minutes < 60 ? `${minutes}:${two(whole % 60)}` : `${Math.floor(minutes / 60)}:${two(minutes % 60)}:${two(whole % 60)}`;
}

/** Two players beside a board, the second one above unless it is `flipped`; each has a name, a note and a clock. */
export function tableFor(parent, flipped) {
  const seat = () => {
    const line = put(parent, "div", null, { class: "seat" });
    return { line, name: put(line, "b"), note: put(line, "span"), clock: put(line, "time") };
  };
  const above = seat();
  const svg = parent.appendChild(document.createElementNS("http://www.w3.org/2000/svg", "svg"));
  const below = seat();
  return { svg, seats: flipped ? [above, below] : [below, above] };
}

/** Shows the clocks of a game as they are `since` milliseconds after it was sent. True: a period has ended. */
export function tickClocks(game, seats, since) {
  let isOver = false;
  seats.forEach((seat, i) => {
    const clock = game.clocks[i], runs = game.runs && game.turn === i;
    const left = clock && clock[0] - (runs ? since : 0);
    seat.clock.textContent = clock ? `${clockText(left)} ${clock[1] ?? ""}`.trim() : "";
    seat.line.classList.toggle("turn", game.turn === i && game.phase !== "over");
    isOver ||= runs && clock && left <= 0;
  });
  return isOver;
}

/** Asks for news again and again, at most once in `pause` milliseconds, and calls `show` with them; `lost(true)`
 *  when nothing answers. */
export async function follow(show, lost, pause) {
  for (let seen = 0, isOver = false; !isOver; ) {
    try {
      const answer = await fetch(`state/${seen}`);
      if (!answer.ok) throw new Error(answer.statusText);
      const state = await answer.json();
      lost(false);
      ({ version: seen, over: isOver } = state);
      show(state);
      await new Promise(done => setTimeout(done, pause));
    } catch {
      lost(true);
      await new Promise(done => setTimeout(done, 1000));
    }
  }
}

/** Sends what is asked for; gives why it is refused, or null. */
export async function send(asked) {
  const answer = await fetch("act", { method: "POST", body: JSON.stringify(asked) });
  return answer.ok ? (await answer.json()).refused : await answer.text();
}
