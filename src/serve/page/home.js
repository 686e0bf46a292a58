// The first page: three boards to begin on, and the games that were played.

import { draw, ends, fenRows, grid } from "./boards.js";
import { ask } from "./engine.js";
import { make, resultText, sideName } from "./panels.js";
import { START } from "./start.js";
import { current, t } from "./words.js";

/** @type {(id: string) => any} */
const $ = id => document.getElementById(id);
const GAMES = ["chess", "xiangqi", "go"];

const svg = () => document.createElementNS("http://www.w3.org/2000/svg", "svg");
const isShown = () => document.body.dataset.view === "home";
const family = game => (game === "chess960" ? "chess" : game);

/** The picture of a game in the library. */
function picture(about) {
  const board = svg(), game = family(about.game), { fen, stones, size, last } = about.picture;
  try {
    const position = game === "go" ? { size: size || 9, stones: [...(stones || ".".repeat(81))].map(c => Math.max(0, ".bw".indexOf(c))) } : fen ? { rows: fenRows(fen) } : START[game];
    const g = grid(game, position.size);
    if (position.rows && (position.rows.length !== g.rows || position.rows.some(row => row.length !== g.columns))) throw new Error(fen);
    draw(board, game, position, { last: ends(game, last || null) });
  } catch { draw(board, game, START[game]); }
  board.setAttribute("aria-hidden", "true");
  return board;
}

/** The day of a game: as its record has it, else when it was begun. */
function day({ date, created }) {
  const known = /^\d{4}[.-]\d\d?[.-]\d\d?/.exec(date)?.[0].replaceAll(".", "-") ?? (/^\d{4}/.exec(date)?.[0] || null);
  const made = created ? new Date(created).toLocaleDateString("sv") : "";
  const text = known ?? made;
  if (!/^\d{4}-\d+-\d+$/.test(text)) return text;
  const [y, m, d] = text.split("-").map(Number);
  return new Date(y, m - 1, d).toLocaleDateString(current() === "zh" ? "zh-CN" : "en-GB", { day: "numeric", month: "short", year: y === new Date().getFullYear() ? undefined : "numeric" });
}

/**
 * The first page. `page` has `settings` (the values), `begin(game, point)`, `analyze(game)`, `options(game)`,
 * `practice()`, `keep()` and `toast(text, [name, act])`.
 */
export class Home {
  constructor(page) {
    this.page = page;
    this.levels = null;
    this.games = [];
    this.isTrash = false;
    this.hasLibrary = null;
    this.asked = 0;
    /** Why nothing can be begun: `lost` or `moved`. */
    this.trouble = null;
    $("search").oninput = () => this.searchSoon();
    $("search-game").onchange = () => this.list();
    $("more-games").onclick = () => this.list(this.games.length);
    $("do-practice").onclick = () => this.page.practice();
    $("do-trash").onclick = () => { this.isTrash = !this.isTrash; this.list(); };
  }

  /** Draws all of it, in the language that is set. */
  draw() {
    if (!isShown()) return;
    $("drop-note").textContent = this.trouble ? t(this.trouble) : t("dropNote");
    $("drop-note").classList.toggle("trouble", Boolean(this.trouble));
    $("folder").textContent = this.hasLibrary === null ? "" : this.hasLibrary ? t("keptIn", this.folder) : t("noStore");
    const box = $("start"), zh = current() === "zh";
    box.replaceChildren();
    for (const game of zh ? ["xiangqi", "go", "chess"] : GAMES) this.tile(box, game);
    const filter = $("search-game"), chosen = filter.value;
    filter.replaceChildren();
    for (const game of ["", ...GAMES]) make(filter, "option", { value: game, selected: game === chosen }, game ? t(game) : t("allGames"));
    this.cards();
  }

  /** Takes it away while it is not seen: pictures share what they are drawn with, and what is hidden lends nothing. */
  clear() {
    $("start").replaceChildren();
    $("cards").replaceChildren();
  }

  tile(box, game) {
    const { settings } = this.page;
    const tile = make(box, "article", { class: "tile", "data-game": game });
    const board = svg();
    const frame = make(tile, "div", { class: "frame", title: game === "go" ? null : t("tryBoard") });
    frame.append(board);
    const g = draw(board, game, START[game], {}, game === "xiangqi" ? { latin: settings.latin, files: ["", "chinese", "wxf"][Number(settings.notation)] } : {});
    board.setAttribute("aria-hidden", "true");
    // A piece that is touched begins the game.
    frame.onclick = event => {
      const { x, y } = new DOMPoint(event.clientX, event.clientY).matrixTransform(board.getScreenCTM().inverse());
      this.page.begin(game, game === "go" ? null : g.at(x, y, false));
    };
    const below = make(tile, "div", { class: "below" });
    make(below, "h2", {}, t(game));
    const worths = this.worths(game), level = settings.levels?.[game] ?? settings.level;
    const all = [...Array(worths?.length ?? 12).keys()].map(i => `${i + 1}`);
    const select = make(below, "select", { "aria-label": t("strength"), title: t("strength") });
    for (const one of /** @type {any[]} */ ([...all, "full"])) make(select, "option", { value: one, selected: one === level }, one === "full" ? t("full") : worths ? `${t("level")} ${one} · ${worths[one - 1]}` : `${t("level")} ${one}`);
    select.onchange = () => { settings.levels = { ...settings.levels, [game]: select.value }; this.page.keep(); };
    const buttons = make(below, "div", { class: "buttons" });
    make(buttons, "button", { class: "main", "data-do": "play", onclick: () => this.page.begin(game, null) }, t("play"));
    make(buttons, "button", { "data-do": "analyze", onclick: () => this.page.analyze(game) }, t("analyzeGame"));
    make(buttons, "button", { class: "quiet", title: t("options"), "aria-label": `${t(game)}: ${t("options")}`, onclick: () => this.page.options(game) }, "⋯");
  }

  /** What levels are worth on the board that is usual. */
  worths(game) {
    const all = this.levels?.[game];
    return Array.isArray(all) ? all : all?.[this.page.settings.size] ?? null;
  }

  /** What the server has said when it was asked first. */
  welcome({ levels, folder }) {
    this.levels = levels;
    this.hasLibrary = folder !== undefined;
    this.folder = folder;
  }

  searchSoon() {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.list(), 150);
  }

  /** Asks for the games, or for those behind the first `from`. */
  async list(from = 0) {
    if (this.hasLibrary === false) return this.cards();
    const number = ++this.asked;
    try {
      const found = await ask("library", { query: $("search").value, game: $("search-game").value || null, trash: this.isTrash, from });
      if (number !== this.asked) return;
      this.found = found;
      this.games = from ? [...this.games, ...found.games] : found.games;
      this.cards();
    } catch (error) {
      if (error.message !== "closed") this.page.toast(error.message);
    }
  }

  cards() {
    if (!isShown()) return;
    const list = $("cards"), { found, all, trash, unsolved, unreadable } = this.found ?? { found: 0, all: 0, trash: 0, unsolved: 0, unreadable: [] };
    const isEmpty = !this.isTrash && !all && !trash;
    $("library").hidden = this.hasLibrary === false || isEmpty;
    $("library-title").textContent = this.isTrash ? t("trash") : t("yourGames");
    $("library-count").textContent = found === all ? `${all}` : t("foundOf", found, all);
    $("do-trash").textContent = this.isTrash ? t("yourGames") : `${t("trash")}${trash ? ` (${trash})` : ""}`;
    $("do-trash").hidden = !this.isTrash && !trash;
    $("do-practice").hidden = this.isTrash || !unsolved;
    $("do-practice").textContent = t("practice", unsolved);
    $("export").hidden = this.isTrash || !all;
    $("more-games").hidden = this.games.length >= found;
    list.replaceChildren();
    for (const game of this.games) this.card(list, game);
    list.dataset.empty = this.isTrash ? t("trashEmpty") : t("noGames");
    $("unreadable").hidden = !unreadable.length;
    $("unreadable").textContent = unreadable.length ? t("unreadable", unreadable.length, unreadable[0]) : "";
  }

  card(list, { name, about }) {
    const item = make(list, "li", { class: "card", "data-name": name }), game = family(about.game);
    const link = make(item, "a", { href: `#game/${name}` });
    const thumb = make(link, "span", { class: "thumb" });
    thumb.append(picture(about));
    const words = make(link, "span", { class: "words" });
    const names = make(words, "b");
    about.names.forEach((who, side) => {
      const line = make(names, "span");
      make(line, "i", { class: `dot ${sideName(game, side)}` });
      const isEngine = about.opponent === side, isPlayed = about.opponent !== null;
      const shown = isEngine ? `${t("engine")}${about.level === "full" ? "" : ` · ${t("level")} ${about.level}`}` : isPlayed ? t("you") : who && who !== "?" ? who : t(sideName(game, side));
      make(line, "span", {}, shown);
    });
    const ended = resultText(game, about.result);
    make(words, "small", {}, [t(about.game), day(about)].filter(Boolean).join(" · "));
    make(words, "small", {}, [ended, about.plies ? t("loaded", about.plies) : t("position")].filter(Boolean).join(" · "));
    if (this.isTrash) make(item, "button", { class: "small", onclick: () => this.act("restore", name) }, t("restore"));
    else make(item, "button", { class: "quiet remove", title: t("remove"), "aria-label": `${t("remove")}: ${about.names.join(" – ")}`, onclick: () => this.remove(name) }, "×");
  }

  async act(what, name) {
    try {
      await ask(what, { name });
      await this.list();
    } catch (error) { this.page.toast(error.message); }
  }

  async remove(name) {
    await this.act("remove", name);
    this.page.toast(t("removed"), [t("revert"), () => this.act("restore", name)]);
  }
}
