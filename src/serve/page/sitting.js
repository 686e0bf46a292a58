// A game at a table: clocks, offers, claims, adjournment. The server drives it and says what happens; what is here shows
// that and asks for things.

import { ask } from "./engine.js";
import { make, sideName } from "./panels.js";
import { current, t } from "./words.js";

/** @type {(id: string) => any} */
const $ = id => document.getElementById(id);

const envelopeKey = name => `sanqi.envelope.${name}`;

/**
 * A seat at a table. `page` has `game()`, `follow(line, from, isNew)`, which is called when the moves of the table are not
 * those that the page shows, `changed()`, `toast(text)` and `announce(text)`.
 */
export class Sitting {
  constructor(page, game) {
    this.page = page;
    this.game = game;
    this.state = null;
    this.clocks = null;
    /** The nodes of the table's moves, the start among them. */
    this.line = [game.root];
    /** `seal` or `claim`, while the next move on the board is meant so. */
    this.purpose = null;
  }

  /** Begins a game. */
  sit(terms) { return this.ask("sit", terms); }

  /** Goes on with one. A page that was reloaded may find that it has not quite left yet. */
  resume(table) { return this.ask("resume", { table }, 5); }

  async ask(what, more, retries = 0) {
    try {
      await ask(what, more);
      return true;
    } catch (error) {
      if (retries && error.message !== "closed") {
        await new Promise(resolve => setTimeout(resolve, 300));
        return this.ask(what, more, retries - 1);
      }
      this.isRefused = true;
      this.page.toast(error.message);
      return false;
    }
  }

  /** What the person wants; false: it was refused. */
  async act(what, more) {
    try {
      return await ask("act", { what, ...more }) ?? true;
    } catch (error) {
      this.page.toast(error.message);
      this.page.changed();
      return false;
    }
  }

  leave() {
    if (!this.isRefused) ask("leave").catch(() => {});
  }

  get name() { return this.state?.table || null; }
  get isOn() { return Boolean(this.state) && this.state.standing !== "over"; }
  get isRunning() { return this.state?.standing === "running"; }
  get isSerious() { return this.isOn && this.state.isSerious; }
  get end() { return this.line.at(-1); }

  /** The side to move, 0 or 1. */
  get turn() { return this.game.side(this.end); }

  /** The person's side; null: both, or none. */
  get person() {
    const persons = [0, 1].filter(side => this.seats[side] === null);
    return persons.length === 1 ? persons[0] : null;
  }
  /** The engine of each side: "" is Sanqi, null a person. */
  get seats() { return this.state?.seats ?? [null, null]; }
  get isPersonsTurn() { return this.isRunning && this.seats[this.turn] === null; }
  get isEnginesTurn() { return this.isRunning && !this.isPersonsTurn; }

  /** The state of the table, with the moves that are new. */
  hear(event) {
    const { game } = this, isFirst = !this.state;
    this.state = event;
    this.clocks = event;
    const taken = this.line.splice(event.from + 1);
    for (const { mv, text, clock, overtime } of event.plies) {
      const node = game.add(this.end, mv, text);
      Object.assign(node, { clock, overtime });
      // Variations that were tried stand behind what is played.
      const { children } = node.parent;
      children.unshift(...children.splice(children.indexOf(node), 1));
      this.line.push(node);
    }
    this.end.position = event.node;
    if (event.plies.length || taken.length) this.purpose = null;
    if (event.ending) game.ending = { ...event.ending, written: game.isGo ? /^[BW]\+\S+/.exec(event.ending.detail)?.[0] ?? (event.ending.winner ? `${event.ending.winner === "first" ? "B" : "W"}+${event.ending.reason === "time" ? "T" : "R"}` : "0") : event.ending.result, node: this.end.id };
    this.page.follow(taken, event.plies.length > 0, isFirst);
    if (event.news.length) this.page.toast(event.news.join(" · "));
    if (event.offer && event.seats[["first", "second"].indexOf(event.offer)] !== null) this.page.announce(t("engineOffers"));
  }

  /** The clocks, as time goes by. */
  tick(event) {
    this.clocks = event;
    for (const side of [0, 1]) this.drawClock(side);
    if (event.call) this.page.announce(event.call, true);
  }

  drawClock(side) {
    const clock = document.querySelector(`.clock[data-side="${side}"]`);
    if (!clock) return;
    clock.textContent = this.clocks.clocks[side];
    clock.classList.toggle("runs", this.clocks.runs === ["first", "second"][side]);
    clock.classList.toggle("low", this.clocks.low[side]);
  }

  /** What stands beside a player's name. */
  drawPlayer(box, side) {
    const { fouls, illegal, claims } = this.state.ledgers[side];
    for (const [key, n] of [["foulsOf", fouls], ["illegalMoves", illegal], ["wrongClaims", claims]]) {
      if (n) make(box, "small", { class: "held" }, t(key, n));
    }
    if (!this.clocks.clocks[side]) return;
    make(box, "b", { class: "clock", "data-side": side, role: "timer" });
    this.drawClock(side);
  }

  /** Shows in the status what waits for the person; whether there is anything. */
  drawStatus(box) {
    const { standing, offer } = this.state, asked = offer ? ["first", "second"].indexOf(offer) : null;
    const buttons = (...all) => {
      const row = make(box, "div", { class: "buttons" });
      for (const [key, act, isMain] of all) make(row, "button", { class: isMain ? "main" : null, "data-do": key, onclick: act }, t(key));
    };
    if (standing === "adjourned") {
      this.drawEnvelope(box);
      return true;
    }
    if (standing === "stopped") {
      make(box, "h3", {}, t("clocksStand"));
      buttons(["continue", () => this.act("continue"), true]);
      return true;
    }
    if (this.purpose) {
      make(box, "h3", {}, t(this.purpose === "seal" ? "playSealed" : "playClaimed"));
      buttons(["cancel", () => { this.purpose = null; this.page.changed(); }]);
      return true;
    }
    if (asked === null) return false;
    const name = t(sideName(this.game.kind, asked));
    if (this.person === asked || this.person === null && asked === this.turn) {
      make(box, "h3", {}, t("youOffer"));
      return true;
    }
    make(box, "h3", {}, t("offersDraw", name));
    buttons(["acceptDraw", () => this.act("accept"), true], ["decline", () => this.act("decline")]);
    return true;
  }

  drawEnvelope(box) {
    const key = envelopeKey(this.name), kept = localStorage.getItem(key);
    make(box, "h3", {}, t("adjourned", t(sideName(this.game.kind, this.turn))));
    const form = make(box, "form", { class: "buttons" });
    const field = make(form, "input", { type: "text", value: kept ?? "", placeholder: t("envelope"), "aria-label": t("envelope"), size: 30 });
    make(form, "button", { class: "main", "data-do": "unseal" }, t("openEnvelope"));
    form.onsubmit = async event => {
      event.preventDefault();
      const text = field.value.trim();
      // An envelope that was lost: the move itself.
      if (await this.act("unseal", text.includes(":") ? { envelope: text } : { lost: text })) localStorage.removeItem(key);
    };
    make(box, "p", {}, t("envelopeLost"));
  }

  /** Shows the buttons that have a use now. */
  drawControls() {
    const isPieces = !this.game.isGo, { isOn } = this;
    const other = this.state && (this.person ?? this.turn);
    const shows = {
      offer: isOn && isPieces && this.isPersonsTurn && !this.state.offer && !this.state.declined[other],
      claim: isOn && this.state.claims && this.isPersonsTurn,
      pause: isOn && !this.state.isSerious && this.isRunning,
      adjourn: isOn && this.name && this.isPersonsTurn,
    };
    for (const [name, isShown] of Object.entries(shows)) $(`do-${name}`).hidden = !isShown;
  }

  /** Plays a move of the person's, as it is meant. */
  async play(mv) {
    const { purpose } = this;
    this.purpose = null;
    if (purpose === "claim") return this.act("claim", { with: mv });
    if (purpose !== "seal") return this.act("move", { mv });
    const sealed = await this.act("seal", { mv });
    if (!sealed) return;
    try { localStorage.setItem(envelopeKey(this.name), sealed.envelope); } catch { /* The person has it. */ }
    const dialog = $("envelope");
    dialog.replaceChildren();
    make(dialog, "h2", {}, t("sealed"));
    make(dialog, "p", {}, t("sealedNote"));
    make(dialog, "p", {}).append(make(dialog, "code", {}, sealed.envelope));
    make(make(dialog, "div", { class: "end" }), "button", { class: "main", onclick: () => dialog.close() }, t("close"));
    dialog.showModal();
  }

  /** A claim of a draw: on the board, or with the next move. */
  claim() {
    const dialog = $("envelope");
    dialog.replaceChildren();
    make(dialog, "h2", {}, t("claimTitle"));
    make(dialog, "p", {}, t("claimNote"));
    const row = make(dialog, "div", { class: "end" });
    const button = (key, act) => make(row, "button", { "data-do": key, onclick: () => { dialog.close(); act(); } }, t(key));
    button("cancel", () => {});
    button("claimWith", () => { this.purpose = "claim"; this.page.changed(); });
    button("claimNow", () => this.act("claim"));
    dialog.showModal();
  }

  adjourn() {
    this.purpose = "seal";
    this.page.changed();
  }

  /** Takes back the last move of the person, with the answer to it. */
  takeBack() {
    const isAnswered = this.person !== null && this.turn === this.person;
    return this.act("takeback", { plies: this.end.position?.passes >= 2 || isAnswered ? 2 : 1 });
  }
}

/** Speaks a text, where the browser can. */
export function speakAloud(text) {
  if (!globalThis.speechSynthesis) return;
  const words = new SpeechSynthesisUtterance(text);
  words.lang = current() === "zh" ? "zh-CN" : "en-US";
  speechSynthesis.cancel();
  speechSynthesis.speak(words);
}
