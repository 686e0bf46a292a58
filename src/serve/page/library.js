// The library of the server: the game on the board is kept there as it changes, and the settings that all tabs share.

import { ask } from "./engine.js";
import { unique } from "./game.js";

/** Milliseconds from a change to its being kept. */
const DELAY = 300;
const BACKUP = "sanqi.unsaved.";

const tab = sessionStorage.getItem("tab") ?? unique();
sessionStorage.setItem("tab", tab);

/**
 * Keeps games one after the other, each as it was last. What the server has not confirmed is in the browser meanwhile, and
 * is sent again by whichever page comes next.
 *
 * `page` has `snapshot()`: `{key, tree, content}` of the game on the board, or null where nothing is to be kept, and hears
 * `named(key, name)`, `copied()`, `stale(name)`, `failed(error)`.
 */
export class Keeper {
  constructor(page) {
    this.page = page;
    /** What the server has of each game, by its key: name, revision, and the text that was sent. */
    this.known = new Map();
    this.queue = new Map();
    /** What was sent of each game and has no answer, which the server may have kept or not. */
    this.sent = new Map();
    this.isOn = false;
    this.isBusy = false;
    this.timer = 0;
  }

  /** Something has changed. */
  touch() {
    this.timer ||= setTimeout(() => this.flush(), DELAY);
  }

  /** Keeps the game on the board now. */
  flush() {
    clearTimeout(this.timer);
    this.timer = 0;
    const shot = this.page.snapshot();
    if (!shot) return;
    const text = JSON.stringify(shot.tree);
    if (this.known.get(shot.key)?.text === text && !this.queue.has(shot.key)) return;
    this.queue.set(shot.key, { ...shot, text });
    this.backUp(shot.key);
    return this.pump();
  }

  /** Whether the server lacks something of the game on the board. */
  isBehind() { return this.timer || this.isBusy || this.queue.size; }

  /** What a game is sent as. */
  request({ key, tree, content }) {
    const { name = null, revision = 0, content: before } = this.known.get(key) ?? {};
    return { name, revision, edited: content !== before || this.sent.has(key), tree: { ...tree, saved: Date.now() } };
  }

  backUp(key) {
    try {
      const before = this.sent.has(key) ? this.request(this.sent.get(key)) : undefined;
      localStorage.setItem(`${BACKUP}${tab}.${key}`, JSON.stringify({ key, before, ...this.request(this.queue.get(key)) }));
    } catch { /* Too large for the browser: the server has it in a moment. */ }
  }

  async pump() {
    if (!this.isOn || this.isBusy) return;
    const [next] = this.queue.values();
    if (!next) return;
    this.isBusy = true;
    // What may have been kept is sent again: the answer has its revision.
    const shot = this.sent.get(next.key) ?? next;
    if (shot === next) this.queue.delete(shot.key);
    const asked = this.request(shot);
    this.sent.set(shot.key, shot);
    try {
      const answer = await ask("store", asked);
      this.sent.delete(shot.key);
      if (!this.queue.has(shot.key)) localStorage.removeItem(`${BACKUP}${tab}.${shot.key}`);
      this.known.set(shot.key, { name: answer.name, revision: answer.revision, text: shot.text, content: shot.content });
      if (answer.name !== asked.name) this.page.named(shot.key, answer.name);
      if (answer.copy) this.page.copied();
      if (answer.stale) this.page.stale(answer.name);
    } catch (error) {
      if (!this.queue.has(shot.key)) this.queue.set(shot.key, shot);
      this.isBusy = false;
      if (error.message === "closed") return;
      this.sent.delete(shot.key);
      this.page.failed(error);
      return;
    }
    this.isBusy = false;
    return this.pump();
  }

  /** A game was loaded. */
  learn(key, { name, revision }, content) {
    this.known.set(key, { name, revision, text: null, content });
  }

  name(key) { return this.known.get(key)?.name ?? null; }

  /** The key of a game of this name, if it was here. */
  key(name) { return [...this.known].find(([, one]) => one.name === name)?.[0]; }

  revision(name) { return [...this.known.values()].find(one => one.name === name)?.revision ?? 0; }

  /** Sends what earlier pages have left behind; the name of this tab's game, where the server has just given it. */
  async recover() {
    let own = null;
    for (const key of Object.keys(localStorage).filter(key => key.startsWith(BACKUP))) {
      try {
        const { key: game, before, ...asked } = JSON.parse(localStorage.getItem(key));
        // What had no answer comes first: without it the server would take its own game for another one.
        if (before) {
          const { name, revision } = await ask("store", before);
          Object.assign(asked, { name, revision });
        }
        const answer = await ask("store", asked);
        if (key === `${BACKUP}${tab}.${game}`) own = answer.name;
        localStorage.removeItem(key);
      } catch (error) {
        if (error.message === "closed") break;
        if (error instanceof SyntaxError) localStorage.removeItem(key);
        this.page.failed(error);
      }
    }
    return own;
  }
}

/** Settings that are kept in the browser, and by the server for all its tabs. */
export class Settings {
  constructor(usual) {
    this.values = { ...usual, ...read(localStorage, "sanqi") };
    this.sent = null;
  }

  /** Takes over what the server has, or what another tab has changed. */
  take(values) {
    Object.assign(this.values, values);
    this.sent = { ...values };
    localStorage.setItem("sanqi", JSON.stringify(this.values));
  }

  keep() {
    localStorage.setItem("sanqi", JSON.stringify(this.values));
    if (!this.sent) return;
    const is = (one, other) => JSON.stringify(one) === JSON.stringify(other);
    const set = Object.fromEntries(Object.entries(this.values).filter(([key, value]) => !is(this.sent[key], value)));
    if (!Object.keys(set).length) return;
    Object.assign(this.sent, structuredClone(set));
    ask("settings", { set }).catch(() => {});
  }
}

/** An object that a browser has stored; an empty one, where it has none. */
export function read(storage, key) {
  try { return JSON.parse(storage.getItem(key)) ?? {}; } catch { return {}; }
}
