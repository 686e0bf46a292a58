// The coach: mistakes in words, a warning while playing, the sheet at the end of a game, the next level.

import { ask } from "./engine.js";
import { make } from "./panels.js";
import { current, t } from "./words.js";

/** Chances that a move may lose before the coach warns, and points of Go. */
const ALARM = 0.1, POINTS = 5;

/** Why the move of a node is a mistake, in the language that is set; nothing where the review shows nothing.
 *  @param {{why?: [string, string]}} node */
export const why = node => node.why?.[current() === "zh" ? 1 : 0] ?? "";

/** What a move has lost, short. @param {{loss: number, points?: number}} node */
export const lossText = node => (node.points >= 1 ? t("lostPoints", node.points.toFixed(1)) : t("lostShare", (100 * node.loss).toFixed(0)));

/** Takes over what a review found of the move of a node. */
export function learnOf(node, event) {
  node.sign = event.sign || node.sign;
  node.loss = event.loss ?? 0;
  node.points = event.points ?? undefined;
  node.why = event.why ?? undefined;
}

/** Looks at each move of the person before the engine answers it. `page` has `line(node)`, `nodes()` of a review, `text(node)`,
 *  `changed()`, `proceed()`, which has the engine answer, and `takeBack()`. */
export class Practice {
  page; node; verdict; id; isDone; passed;

  constructor(page) {
    Object.assign(this, { page, node: null, verdict: null, id: null, isDone: false, passed: new WeakSet() });
  }

  /** Whether the engine waits at a node for the verdict, or for the person's choice. */
  holds(node) { return this.node === node; }

  /** Looks at the move of a node, unless that was done. False: the engine may answer. */
  examine(node) {
    if (this.holds(node)) return true;
    if (!node.parent || this.passed.has(node)) return false;
    const line = this.page.line(node), answer = ask("review", { line, from: line.moves.length - 1, nodes: this.page.nodes() });
    Object.assign(this, { node, verdict: null, isDone: false, id: answer.id });
    // A move that cannot be judged is no mistake.
    answer.catch(() => this.pass());
    return true;
  }

  /** The board shows another node, or the engine does something else. */
  forget() { Object.assign(this, { node: null, id: null }); }

  hear(event) {
    if (event.event === "review" && event.loss !== undefined) this.verdict = event;
    if (event.event !== "reviewed" && event.event !== "done") return;
    const { verdict } = this;
    this.isDone = true;
    if (verdict && (verdict.loss >= ALARM || verdict.points >= POINTS || verdict.sign === "??")) this.page.changed();
    else this.pass();
  }

  /** The move stands. */
  pass() {
    const { node, verdict } = this;
    if (!node) return;
    if (verdict) learnOf(node, verdict);
    this.passed.add(node);
    this.forget();
    this.page.proceed(node);
  }

  /** The move with which the opponent would answer, while the person is warned. */
  get refutation() { return this.isDone && this.node ? this.verdict?.mv : null; }

  draw(box) {
    if (!this.isDone) return make(box, "h3", {}, t("looking"));
    const { verdict, node } = this, isGo = verdict.points !== null && verdict.points !== undefined;
    box.className = "warn";
    const loss = isGo ? t("pointsOf", verdict.points.toFixed(1)) : t("shareOf", (100 * verdict.loss).toFixed(0));
    make(box, "h3", { id: "warned" }, t("warned", `${this.page.text(node)}${verdict.sign}`, loss));
    const text = why(verdict);
    if (text) make(box, "p", { class: "why" }, text);
    const buttons = make(box, "div", { class: "buttons" });
    make(buttons, "button", { class: "main", "data-do": "take-it-back", onclick: () => { this.forget(); this.page.takeBack(); } }, t("takeItBack"));
    make(buttons, "button", { "data-do": "play-anyway", onclick: () => this.pass() }, t("playAnyway"));
  }
}

/** Accuracy and bad moves of both sides: the head of the sheet at the end of a game. `nodes` are those of its line, `names` the
 *  sides', `side(node)` is whose move led to a node. */
export function drawSheet(box, accuracy, nodes, names, side) {
  const sheet = make(box, "div", { id: "sheet" });
  for (const one of [0, 1]) {
    if (accuracy[one] === null || accuracy[one] === undefined) continue;
    const own = nodes.filter(node => node.parent && side(node) === one), count = sign => own.filter(node => node.sign === sign).length;
    const row = make(sheet, "div", {});
    make(row, "b", {}, t("sheetOf", names[one], accuracy[one].toFixed(0)));
    make(row, "i", { style: `--share:${accuracy[one].toFixed(0)}%` });
    make(row, "small", {}, t("worstOf", count("??"), count("?"), count("?!")));
  }
}

/** Games in a row that were lost at a level before the one below is proposed. */
const PATIENCE = 2;

/** Counts a finished game at a level, once, and gives the level to propose with its reason; null: none. `kept` are the settings,
 *  `result` is 1 for a win of the person's, 0 for a draw, -1 for a loss; `hasNext`: there is a stronger level. */
export function nextLevel(kept, game, kind, level, result, hasNext) {
  const number = Number(level);
  if (!number) return null;
  const rows = { ...kept.ladder }, row = rows[kind]?.level === number ? rows[kind] : { level: number, losses: 0 };
  if (!game.isCounted) {
    game.isCounted = true;
    rows[kind] = { level: number, losses: result < 0 ? row.losses + 1 : 0 };
    kept.ladder = rows;
  }
  const { losses } = kept.ladder?.[kind] ?? row;
  if (result > 0 && hasNext) return { level: number + 1, text: t("levelUp", number) };
  if (losses >= PATIENCE && number > 1) return { level: number - 1, text: t("levelDown", number) };
  return null;
}

/** How long a person would take for a move, in ms; `ply` half-moves were made before. */
export const pause = ply => 250 + Math.random() * (ply < 8 ? 250 : 650);
