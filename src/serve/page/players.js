// Other engines of this machine: as opponents, against each other, and for a second opinion. The server knows their commands;
// here they are names.

import { ask } from "./engine.js";
import { make, scoreText } from "./panels.js";
import { written } from "./moves.js";
import { t } from "./words.js";

/** What an engine is called: Sanqi has no name among the others. */
export const nameOf = engine => engine || "Sanqi";

/** Whether another engine plays in a game with these choices. */
const hasOthers = (kept, engines) => (kept.me === "watch" ? [kept.player0, kept.player1] : kept.me === "both" ? [] : [kept.rival]).some(name => engines.includes(name));

/** Whether Sanqi plays in a game with these choices. */
export const hasSanqi = (kept, engines) => (kept.me === "watch" ? [kept.player0, kept.player1] : [kept.rival]).some(name => !engines.includes(name));

/** Adds the rows of a new game that name the opponent, or those who play each other. `engines` are names. */
export function drawOpponents(rows, kept, engines, names) {
  const select = (label, name, chosen) => {
    const row = make(rows, "div", { class: "row", "data-row": name });
    make(row, "span", {}, label);
    const list = make(row, "select", { name });
    for (const engine of ["", ...engines]) make(list, "option", { value: engine, selected: engine === chosen }, nameOf(engine));
  };
  if (kept.me === "watch") names.forEach((name, side) => select(t("engineOf", name), `player${side}`, kept[`player${side}`] ?? ""));
  else if (engines.length && kept.me !== "both") select(t("opponent"), "rival", kept.rival ?? "");
}

/** Adds the rows about how the opponent plays, and whether the coach warns; `choice` draws a row of radio buttons. */
export function drawManners(rows, kept, engines, choice) {
  const isFree = !kept.clock && (kept.conduct === "casual" || kept.me === "watch");
  if (isFree && hasOthers(kept, engines)) {
    const row = make(rows, "div", { class: "row" });
    make(row, "span", {}, t("secondsEach"));
    make(row, "input", { type: "number", name: "seconds", value: kept.seconds ?? "3", min: 0.1, max: 600, step: "any", style: "width:5.5rem" });
  }
  if (kept.me === "both") return;
  if (hasSanqi(kept, engines)) choice(rows, "pace", "pace", [["human", t("human")], ["instant", t("instant")]], kept.pace ?? "human");
  if (kept.me === "watch") return void make(rows, "p", { class: "note" }, t("watchNote"));
  if (!isFree) return;
  choice(rows, "warn", "warn", [["off", t("warnOff")], ["on", t("warnOn")]], kept.warn ?? "off");
  make(rows, "p", { class: "note" }, t("warnNote"));
}

/** Who plays each side by the choices of a new game: null is a person, "" Sanqi. `me` is the person's side; null: both. */
export function players(choices, me, engines) {
  const known = name => (engines.includes(name) ? name : "");
  if (choices.me === "watch") return [known(choices.player0), known(choices.player1)];
  return [0, 1].map(side => (me === null || side === me ? null : known(choices.rival)));
}

/** Asks other engines what they think of the position on the board. `page` has `line(node)`, `toast(text)`, `changed()`,
 *  `begin(id, node)` when a question is asked. */
export class Council {
  page; engines; id; node; engine;

  constructor(page) {
    Object.assign(this, { page, engines: [], id: null, node: null, engine: null });
  }

  ask(engine, node, seconds) {
    const answer = ask("consult", { line: this.page.line(node), engine, seconds });
    Object.assign(this, { id: answer.id, node, engine });
    answer.catch(error => { this.end(); this.page.toast(error.message); this.page.changed(); });
    this.page.begin(answer.id, node);
    this.page.changed();
  }

  end() { Object.assign(this, { id: null, node: null, engine: null }); }

  hear(event) {
    const { node } = this;
    this.end();
    if (event.event === "opinion") (node.council ??= new Map()).set(event.engine, event);
    else this.page.toast(`${t("engineFailed", event.engine)}: ${event.error}`);
  }

  /** Shows what was said of a node, and whom to ask. */
  draw(box, node, kind, notation, seconds, follow) {
    box.replaceChildren();
    box.hidden = !this.engines.length;
    if (box.hidden) return;
    const head = make(box, "div", { class: "row" });
    make(head, "small", {}, this.node === node && node ? t("consulting", this.engine) : t("secondOpinion"));
    for (const engine of this.engines) make(head, "button", { class: "small", "data-engine": engine, disabled: Boolean(this.node), onclick: () => this.ask(engine, node, seconds) }, engine);
    for (const [engine, { score, depth, pv, text }] of node?.council ?? []) {
      const row = make(box, "div", { class: "opinion" });
      make(row, "b", {}, engine);
      if (score) make(row, "span", { class: "score" }, scoreText({ score }, false));
      const line = make(row, "span", { class: "pv" });
      pv.forEach(([, one], i) => make(line, "a", { role: "button", tabindex: i ? -1 : 0, onclick: () => follow(pv.slice(0, i + 1)) }, written(one, notation)).after(" "));
      if (!pv.length && text) line.textContent = written(text, notation);
      if (depth) make(row, "small", {}, `${t("ply")} ${depth}`);
    }
  }
}
