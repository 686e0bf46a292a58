// Learning from the mistakes of a reviewed game: the position before each of them, a guess, and a verdict.

import { why } from "./coach.js";
import { ask } from "./engine.js";
import { make } from "./panels.js";
import { t } from "./words.js";

/** Chances that a move may lose and still be a good answer, and points of Go. */
const GOOD = 0.05, POINTS = 2;

/** A lesson in the moves `nodes`. `page` has `line(node)`, `nodes` (of a review), `text(node)`, `goTo(node)`, `changed()`, `end()`. */
export class Lesson {
  page; nodes; at; id;

  constructor(page, nodes) {
    Object.assign(this, { page, nodes, at: -1 });
    this.next();
  }

  get node() { return this.nodes[this.at]; }

  next() {
    if (++this.at >= this.nodes.length) return this.page.end();
    /** `ask`, `wait`, `right`, `wrong`, `same` or `shown`. */
    this.state = "ask";
    this.said = "";
    this.page.goTo(this.node.parent);
  }

  /** Whether the answer must not be seen yet, and a move on the board is a guess. */
  get hides() { return !["right", "shown"].includes(this.state); }

  guess(mv) {
    if (mv === this.node.mv) return this.say("same");
    if (mv === this.better?.mv) return this.say("right");
    const line = this.page.line(this.node.parent), from = line.moves.length;
    line.moves.push(mv);
    const answer = ask("review", { line, from, nodes: this.page.nodes });
    this.id = answer.id;
    answer.catch(error => this.say("wrong", error.message));
    return this.say("wait");
  }

  /** The move that the review prefers: the variation beside the mistake. */
  get better() { return this.node.parent.children.find(child => child !== this.node); }

  hear(event) {
    if (event.event !== "review" || event.loss === undefined) return;
    const isGood = event.loss < GOOD && !(event.points >= POINTS);
    this.say(isGood ? "right" : "wrong", isGood ? "" : [event.loss < GOOD ? "" : t("losesChances", (100 * event.loss).toFixed(0)), why(event)].filter(Boolean).join(" "));
  }

  say(state, said = "") {
    Object.assign(this, { state, said });
    this.page.changed();
  }

  draw(box) {
    make(box, "h3", {}, t(`lesson-${this.state}`, this.page.text(this.node), this.better ? this.page.text(this.better) : ""));
    if (this.said) make(box, "p", {}, this.said);
    if (!this.hides && why(this.node)) make(box, "p", { class: "why" }, `${this.page.text(this.node)}${this.node.sign} ${why(this.node)}`);
    make(box, "p", {}, t("lessonCount", this.at + 1, this.nodes.length));
    const buttons = make(box, "div", { class: "buttons" });
    if (this.hides) make(buttons, "button", { "data-do": "show-answer", onclick: () => this.say("shown") }, t("showAnswer"));
    make(buttons, "button", { class: this.hides ? null : "main", "data-do": "next-lesson", onclick: () => this.next() }, t("nextLesson"));
    make(buttons, "button", { "data-do": "end-lesson", onclick: () => this.page.end() }, t("endLesson"));
  }
}
