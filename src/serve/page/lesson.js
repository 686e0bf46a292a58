// Learning by guessing moves: those that were better than the mistakes of reviewed games, and those of problems in records.

import { why } from "./coach.js";
import { ask } from "./engine.js";
import { moveOf } from "./game.js";
import { make } from "./panels.js";
import { t } from "./words.js";

/** Chances that a move may lose and still be a good answer, and points of Go. */
const GOOD = 0.05, POINTS = 2;

/** Chances that a move has to lose to be learned from, and points of Go. */
const LOSS = 0.05, LOST_POINTS = 3;

/** Milliseconds before the record answers a move. */
const ANSWER = 450;

/** The moves of nodes that a person can learn from: mistakes beside which the better move stands. `isOwn(node)`: the person made it. */
export const mistakes = (nodes, isOwn) => nodes.filter(node => (node.loss >= LOSS || node.points >= LOST_POINTS) && node.parent?.children.length > 1 && isOwn(node));

/** What lessons share. `page` has `text(node)`, `goTo(node)`, `changed()`, `has(lesson)`: whether it goes on, `end()`. */
class Guessing {
  page; state; said;

  constructor(page) { Object.assign(this, { page, state: "", said: "" }); }

  say(state, said = "") {
    Object.assign(this, { state, said });
    this.page.changed();
  }

  /** Shows the head, what there is to say, and the buttons: what each does by its name; the main one. */
  drawAll(box, head, texts, acts, main) {
    make(box, "h3", {}, head);
    for (const [text, name] of texts) if (text) make(box, "p", { class: name }, text);
    const buttons = make(box, "div", { class: "buttons" });
    for (const [name, [word, act]] of Object.entries(acts)) make(buttons, "button", { class: name === main ? "main" : null, "data-do": name, onclick: act }, t(word));
  }
}

/** A lesson in the moves `nodes`. `page` has besides `line(node)`, `nodes` (of a review), `solved(node)`, `more()` behind the last. */
export class Lesson extends Guessing {
  nodes; at; id;

  constructor(page, nodes) {
    super(page);
    Object.assign(this, { nodes, at: -1 });
    this.next();
  }

  get node() { return this.nodes[this.at]; }

  /** The node on the board, where moves are guesses. */
  get place() { return this.node?.parent; }

  next() {
    if (++this.at >= this.nodes.length) return this.page.more();
    /** `ask`, `wait`, `right`, `wrong`, `same` or `shown`. */
    this.state = "ask";
    this.said = "";
    this.page.goTo(this.place);
  }

  /** Whether the answer must not be seen yet, and a move on the board is a guess. */
  get hides() { return !["right", "shown"].includes(this.state); }

  /** Whether a node must not be seen yet. */
  bars() { return false; }

  guess(mv) {
    if (this.state === "wait") return;
    if (mv === this.node.mv) return this.say("same");
    if (mv === this.better?.mv) return this.find();
    const line = this.page.line(this.place), from = line.moves.length;
    line.moves.push(mv);
    const answer = ask("review", { line, from, nodes: this.page.nodes });
    this.id = answer.id;
    answer.catch(error => this.say("wrong", error.message));
    return this.say("wait");
  }

  find() {
    this.node.solved = true;
    this.page.solved();
    this.say("right");
  }

  /** The move that the review prefers: the variation beside the mistake. */
  get better() { return this.place.children.find(child => child !== this.node); }

  hear(event) {
    if (event.event !== "review" || event.loss === undefined) return;
    const isGood = event.loss < GOOD && !(event.points >= POINTS);
    if (isGood) this.find();
    else this.say("wrong", [event.loss < GOOD ? "" : t("losesChances", (100 * event.loss).toFixed(0)), why(event)].filter(Boolean).join(" "));
  }

  draw(box) {
    const { node, hides, page } = this;
    const reason = !hides && why(node) ? `${page.text(node)}${node.sign} ${why(node)}` : "";
    const show = hides ? { "show-answer": ["showAnswer", () => this.say("shown")] } : {};
    this.drawAll(box, t(`lesson-${this.state}`, page.text(node), this.better ? page.text(this.better) : ""),
      [[this.said], [reason, "why"], [t("lessonCount", this.at + 1, this.nodes.length)]],
      { ...show, "next-lesson": ["nextLesson", () => this.next()], "end-lesson": ["endLesson", page.end] }, hides ? "" : "next-lesson");
  }
}

/** What collections write at the end of a line that solves the problem. */
const SOLVES = /\b(right|correct|solution|solved)\b|正解|正着|正确|成功|活棋/i;

const isRight = node => /^!!?$/.test(node.sign) || SOLVES.test(node.comment) || node.children.length > 0 && isRight(node.children[0]);

/** The moves that solve a problem at a node: those that the record calls right, else its main line. */
function solutions(node) {
  const right = node.children.filter(isRight);
  return right.length ? right : node.children.slice(0, 1);
}

/** The last of the nodes behind a node that have no move: stones that are set up, comments. */
function behind(node) {
  while (node.children.length && !moveOf(node.children[0].mv)) [node] = node.children;
  return node;
}

/** A problem in a record, whose moves are hidden: they are guessed, and the other side answers as the record has it. `page`
 *  has besides `next` where another problem follows: it goes there. */
export class Problem extends Guessing {
  place; reached;

  constructor(page, start) {
    super(page);
    Object.assign(this, { reached: new Set(), state: "solve" });
    this.reach(behind(start));
    page.goTo(this.place);
  }

  /** `solve`, `wait`, `unknown`, `refuted`, `solved` or `shown`. */
  get hides() { return !["solved", "shown"].includes(this.state); }

  bars(node) { return this.hides && !this.reached.has(node); }

  reach(node) {
    for (let at = node; at; at = at.parent) this.reached.add(at);
    this.place = node;
  }

  hear() {}

  guess(mv) {
    if (this.state === "wait") return;
    const found = this.place.children.find(child => moveOf(child.mv) === mv);
    if (!found) return this.say("unknown");
    if (solutions(this.place).includes(found)) return this.play(found);
    this.said = [found.comment, found.children[0]?.comment].filter(Boolean).join(" ");
    const answer = behind(found).children[0];
    return this.say("refuted", [answer ? t("recordAnswers", this.page.text(answer)) : "", this.said].filter(Boolean).join(" "));
  }

  /** Plays a move that is right, and the answer to it. */
  async play(node) {
    this.reach(behind(node));
    Object.assign(this, { state: "wait", said: "" });
    this.page.goTo(this.place);
    const [answer] = this.place.children;
    if (answer) {
      await new Promise(resolve => setTimeout(resolve, ANSWER));
      if (!this.page.has(this)) return;
      this.reach(behind(answer));
      this.page.goTo(this.place);
    }
    this.say(this.place.children.length ? "solve" : "solved");
  }

  draw(box) {
    const { page, place } = this;
    const [solution] = solutions(place), shown = this.state === "shown" && solution ? page.text(solution) : "";
    const show = this.hides ? { "show-answer": ["showAnswer", () => this.say("shown")] } : {};
    const next = page.next ? { "next-problem": ["nextProblem", page.next] } : {};
    this.drawAll(box, t(`problem-${this.state}`, page.turn(place), shown), [[this.said], [this.state === "refuted" ? "" : place.comment]],
      { ...show, ...next, "end-lesson": ["endLesson", page.end] }, this.hides ? "" : "next-problem");
  }
}
