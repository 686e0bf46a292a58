// What is known of a position without a search: its opening, the moves of the book, the verdict of endgame tables.

import { ask } from "./engine.js";
import { written } from "./moves.js";
import { make, sideName } from "./panels.js";
import { current, t } from "./words.js";

/** Milliseconds for which a position stays before it is asked about. */
const REST = 80;
/** Moves of the tables that are shown. */
const MAX_MOVES = 8;

/**
 * `page` has `line(node)`, `play(mv)`, and `now()`: what is to be seen, `{node, kind, notation, isAllowed}`, where
 * `isAllowed` says whether moves may be shown.
 */
export class Known {
  box; page; timer; seen; kind;

  constructor(box, page) {
    Object.assign(this, { box, page, timer: 0, seen: "" });
  }

  /** Shows what is known of the node on the board, or asks for it. */
  draw() {
    const { node, kind, notation, isAllowed } = this.page.now();
    clearTimeout(this.timer);
    // What stands there is that of the position before; of another game it is false.
    if (kind !== this.kind) {
      this.box.hidden = true;
      Object.assign(this, { seen: "", kind });
    }
    if (kind === "go") return;
    if (node.known === undefined) {
      this.timer = setTimeout(async () => {
        node.known = await ask("known", { line: this.page.line(node) }).catch(() => undefined);
        if (node.known) this.draw();
      }, REST);
      return;
    }
    const seen = [node.id, kind, notation, isAllowed, current()].join();
    if (seen === this.seen) return;
    this.seen = seen;
    const { opening, book, tables } = node.known, { box } = this;
    box.replaceChildren();
    box.hidden = !opening && !(isAllowed && (book.length || tables));
    if (opening) {
      const head = make(box, "h2", { id: "opening" });
      if (opening.code) make(head, "b", { class: "code" }, opening.code);
      make(head, "span", {}, current() === "zh" ? opening.nameZh : opening.name);
    }
    if (!isAllowed) return;
    if (tables) {
      make(box, "p", { id: "tables" }, `${t("tables")}: ${this.verdict(kind, tables)}`);
      const list = make(box, "ol", { class: "known" });
      for (const one of tables.moves.slice(0, MAX_MOVES)) this.row(list, one, notation, this.verdict(kind, one));
    }
    if (!book.length) return;
    make(box, "h3", {}, t("book"));
    const list = make(box, "ol", { class: "known", "aria-label": t("book") });
    for (const one of book) {
      const row = this.row(list, one, notation, `${Math.round(100 * one.share)} % · ${t("bookPoints", one.points)}`);
      make(make(row, "span", { class: "share" }), "i", { style: `width:${(100 * one.share).toFixed(1)}%` });
    }
  }

  row(list, { mv, text }, notation, note) {
    const row = make(list, "li");
    make(row, "a", { role: "button", tabindex: 0, onclick: () => this.page.play(mv) }, written(text, notation));
    make(row, "small", {}, note);
    return row;
  }

  /** Who wins, and how far the next capture or pawn move is. */
  verdict(kind, { winner, dtz, fifty }) {
    if (!winner) return fifty ? t("fiftyDraw") : t("draw");
    return `${t("wins", t(sideName(kind, winner === "first" ? 0 : 1)))} · ${t("dtz", dtz)}`;
  }
}
