// The best lines of an analysis; and the position after some moves of one, on a small board or as numbered stones.

import { written } from "./moves.js";
import { leadText, make, scoreText } from "./panels.js";
import { t } from "./words.js";

/** @type {(id: string) => any} */
const $ = id => document.getElementById(id);

/** Milliseconds before a move under the mouse is shown, and before a finger that rests on one is no tap. */
const HOVER = 120, PRESS = 450;

const count = n => (n >= 1e6 ? `${(n / 1e6).toFixed(1)} M` : n >= 1e4 ? `${(n / 1e3).toFixed(0)} k` : `${n}`);

/** Gives a parent as many children as there are entries, made by `create`, and has `update` write each. */
function repeat(parent, entries, create, update) {
  while (parent.children.length > entries.length) parent.lastChild.remove();
  entries.forEach((entry, i) => update(parent.children[i] ?? create(parent, i), entry, i));
}

const write = (element, text) => { if (element.textContent !== text) element.textContent = text; };

/**
 * The list of lines. `page` has `follow(moves)`, which plays moves of a line; `show(moves, beside)`, which shows the position
 * after them; and `hide()`.
 */
export class Lines {
  list; page; held; shown; timer; isPressed;

  constructor(list, page) {
    Object.assign(this, { list, page, held: null, shown: "", timer: 0, isPressed: false });
    const moveAt = event => event.target.closest?.("a");
    list.addEventListener("click", event => {
      // The finger that has looked at a move does not play it.
      if (this.isPressed) this.isPressed = false;
      else if (moveAt(event)) page.follow(moveAt(event).moves);
    });
    list.addEventListener("pointerover", event => event.pointerType === "mouse" && moveAt(event) && this.hold(moveAt(event), HOVER));
    list.addEventListener("pointerleave", event => event.pointerType === "mouse" && !list.contains(document.activeElement) && this.drop());
    list.addEventListener("pointerdown", event => {
      this.isPressed = false;
      if (event.pointerType !== "mouse" && moveAt(event)) this.hold(moveAt(event), PRESS, () => { this.isPressed = true; });
    });
    for (const name of ["pointerup", "pointercancel"]) list.addEventListener(name, event => event.pointerType !== "mouse" && !this.isPressed && this.drop());
    list.addEventListener("contextmenu", event => this.isPressed && event.preventDefault());
    list.addEventListener("focusin", event => event.target.matches("a:focus-visible") && this.hold(event.target, 0));
    list.addEventListener("focusout", () => this.drop());
    list.addEventListener("keydown", event => this.key(event));
    document.addEventListener("pointerdown", event => !list.contains(event.target) && this.drop());
  }

  /** Shows a move after some milliseconds. */
  hold(move, delay, then = () => {}) {
    if (move === this.held) return;
    clearTimeout(this.timer);
    this.held = move;
    this.timer = setTimeout(() => {
      then();
      this.show();
    }, delay);
  }

  /** Shows the moves up to the one that is held, unless they are shown. */
  show() {
    const { moves } = this.held, key = moves.map(([mv]) => mv).join(" ");
    if (key === this.shown) return;
    this.shown = key;
    this.page.show(moves, this.held);
  }

  drop() {
    clearTimeout(this.timer);
    this.held = null;
    this.shown = "";
    this.page.hide();
  }

  /** Goes about the moves. */
  key(event) {
    const move = event.target.closest("a"), row = move?.closest("li"), at = row && [...row.querySelectorAll("a")].indexOf(move);
    const next = { ArrowRight: move?.nextElementSibling, ArrowLeft: move?.previousElementSibling, ArrowDown: row?.nextElementSibling, ArrowUp: row?.previousElementSibling };
    if (event.key === "Escape" && this.shown) this.drop();
    else if (move && event.key in next) {
      const target = next[event.key], all = target?.querySelectorAll("a");
      (all?.length ? all[Math.min(at, all.length - 1)] : target)?.focus();
    } else return;
    event.preventDefault();
    event.stopPropagation();
  }

  /** Shows the lines of a report for the side to move: undefined where one is on its way, null where none is. */
  draw(report, { kind, side, notation, most }) {
    const isGo = kind === "go", { list } = this;
    list.dataset.empty = report === undefined ? t("searching") : t("noLines");
    // What the mouse or the keyboard is at stays the element that it was.
    repeat(list, report?.lines.slice(0, most) ?? [], parent => {
      const row = make(parent, "li");
      for (const name of ["score", "pv", "visits"]) make(row, "span", { class: name });
      return row;
    }, (row, line) => {
      const [score, moves, visits] = row.children;
      write(score, scoreText(line, isGo, side));
      repeat(moves, line.pv, (parent, i) => {
        const move = make(parent, "a", { role: "button", tabindex: i ? -1 : 0 });
        move.after(" ");
        return move;
      }, (move, [, text], i) => {
        move.moves = line.pv.slice(0, i + 1);
        write(move, written(text, notation));
      });
      write(visits, isGo ? `${leadText(line.lead)} · ${count(line.visits)}` : "");
    });
    if (this.held && !this.held.isConnected) this.drop();
    else if (this.shown) this.show();
    $("effort").textContent = !report ? "" : isGo ? `${count(report.nodes)} ${t("visits")} · ${leadText(report.lead)}`
      : report.depth ? `${t("ply")} ${report.depth} · ${count(report.nps)}/s` : "";
    const wdl = report?.lines[0]?.wdl;
    $("wdl").hidden = !wdl;
    if (!wdl) return;
    $("wdl").replaceChildren();
    wdl.forEach((share, i) => make($("wdl"), "span", { class: "wdl"[i], style: `width:${share / 10}%` }, share >= 100 ? `${Math.round(share / 10)} %` : ""));
  }
}
