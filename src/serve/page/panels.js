// What stands beside the board, and the dialogs.

import { draw, drawPiece, family, fenRows, grid } from "./boards.js";
import { START } from "./start.js";
import { current, t } from "./words.js";
import { written } from "./moves.js";
import { drawManners, drawOpponents, hasSanqi } from "./players.js";

/** @type {(id: string) => any} */
const $ = id => document.getElementById(id);

/** Adds an element: `make(parent, "td", {class: "x"}, "text")`. */
export function make(parent, tag, attributes, text) {
  const element = document.createElement(tag);
  for (const [key, value] of Object.entries(attributes ?? {})) {
    if (key.startsWith("on")) element[key] = value;
    else if (value !== false && value !== null && value !== undefined) element.setAttribute(key, value === true ? "" : value);
  }
  if (text !== undefined) element.textContent = text;
  return parent.appendChild(element);
}

/** `white`, `black` or `red`. */
export const sideName = (kind, side) => (kind === "go" ? ["black", "white"] : kind === "xiangqi" ? ["red", "black"] : ["white", "black"])[side];

const NAMES = { p: "pawn", n: "knight", b: "bishop", r: "rook", q: "queen", k: "king" };
const XIANGQI = { k: "帅将", a: "仕士", b: "相象", n: "马马", r: "车车", c: "炮炮", p: "兵卒" };
const XIANGQI_NAMES = { k: "general", a: "advisor", b: "elephant", n: "horse", r: "chariot", c: "cannon", p: "soldier" };

/** What stands on a point, in words. */
export function contents(kind, g, position, point) {
  const [column, row] = g.place(point);
  if (kind === "go") return t(["emptyPoint", "black", "white"][position.stones[row * g.columns + column]]);
  const piece = position.rows[row][column], letter = piece.toLowerCase(), side = piece === letter ? 1 : 0;
  if (piece === " ") return t("emptyPoint");
  const color = t(sideName(kind, side));
  if (current() !== "zh") return `${color} ${(kind === "chess" ? NAMES : XIANGQI_NAMES)[letter]}`;
  return `${color}${kind === "chess" ? "兵马象车后王"["pnbrqk".indexOf(letter)] : XIANGQI[letter][side]}`;
}

/** A score for people, from the side that moves first. In Go chances are those of the side to move, as on the board. */
export function scoreText(line, isGo, side = 0) {
  if (isGo) return `${(100 * (side ? 1 - line.chances : line.chances)).toFixed(0)} %`;
  if (line.score.mate !== undefined) return line.score.mate < 0 || Object.is(line.score.mate, -0) ? `−#${-line.score.mate}` : `#${line.score.mate}`;
  const pawns = line.score.cp / 100;
  return `${pawns < 0 ? "−" : "+"}${Math.abs(pawns).toFixed(2)}`;
}

/** `B+3.5` of a lead from Black's side. */
export const leadText = lead => `${lead < 0 ? "W" : "B"}+${Math.abs(lead).toFixed(1)}`;

/** A result of a record in the words that people use. */
export function resultText(kind, text) {
  if (!text || text === "*" || text === "?") return "";
  if (!/^[01]/.test(text) || current() !== "zh" && kind !== "xiangqi") return text;
  if (text === "1/2-1/2") return current() === "zh" ? t("draw") : text;
  return t("wins", t(sideName(kind, text === "1-0" ? 0 : 1)));
}

// ---- analysis

/** The end of a game as an opinion: all chances are the winner's. */
export function endedOpinion(kind, { winner }) {
  const short = kind === "go" ? { first: "B+", second: "W+" }[winner] ?? "=" : { first: "1-0", second: "0-1" }[winner] ?? "½";
  return { chances: { first: 1, second: 0 }[winner] ?? 0.5, short, label: short };
}

/** The bar beside the board. */
export function drawBar(kind, opinion, flipped) {
  const bar = $("bar"), chances = opinion?.chances ?? 0.5;
  bar.classList.toggle("flipped", flipped !== (kind === "go" && false));
  bar.classList.toggle("go", kind === "go");
  bar.classList.toggle("low", chances < 0.5);
  bar.firstElementChild.style.height = `${(100 * chances).toFixed(1)}%`;
  bar.lastElementChild.textContent = opinion?.short ?? "";
  bar.setAttribute("aria-label", opinion?.label ?? "");
}

// ---- the state of the game

/** The words of an ending. */
export function endingText(kind, ending) {
  const reason = t(ending.reason);
  if (ending.reason === "counted") {
    const [, who, by] = /^([BW])\+([\d.]+)/.exec(ending.detail) ?? [];
    const isZh = current() === "zh", [, inStones] = /\((.*)\)/.exec(isZh ? ending.detailZh ?? ending.detail : ending.detail) ?? [];
    const text = who ? t("points", t(who === "B" ? "black" : "white"), by) : t("draw");
    return isZh && inStones ? inStones : inStones && !/[子目]/.test(inStones) ? `${text} (${inStones})` : text;
  }
  const winner = ending.winner ? t("wins", t(sideName(kind, ending.winner === "first" ? 0 : 1))) : t("draw");
  return `${winner}: ${reason}`;
}

/** What the judge says of a repetition of xiangqi: the verdict, its clause, and what every move of the cycle is. */
export function drawJudgement(box, judged, isOver, notation) {
  const loser = { red_wins: "black", black_wins: "red" }[judged.ruling];
  const verdict = loser ? t(isOver ? "didNotDeviate" : "mustDeviate", t(loser)) : t("bothMay");
  const occurrence = t("occurrence", judged.occurrences);
  if (!isOver) make(box, "h3", {}, `${t("repeated")} (${occurrence})`);
  make(box, "p", {}, `${isOver ? "" : t("repeatWarn") + " "}${verdict}.`);
  make(box, "p", {}, `${t("red")}: ${t(judged.red)} · ${t("black")}: ${t(judged.black)}`);
  const { id } = judged.clause;
  make(box, "p", {}, id === "none" ? t("noneClause") : `${t("by")} ${id}: ${t(id)}.`);
  const details = make(box, "details", { open: !isOver });
  make(details, "summary", {}, t("cycle"));
  const table = make(details, "table");
  const pairs = [];
  judged.moves.forEach((report, i) => {
    const column = report.side === "red" ? 0 : 1;
    if (column === 0 || !pairs.length || pairs.at(-1)[column]) pairs.push([]);
    pairs.at(-1)[column] = [written(judged.texts[i], notation), judged.classes[i], ["check", "mate_threat", "chase"].includes(report.class)];
  });
  const head = make(table, "tr");
  for (const side of ["red", "black"]) { make(head, "th", {}, t(side)); make(head, "th", {}, t("kind")); }
  for (const pair of pairs) {
    const row = make(table, "tr");
    for (const cell of [pair[0], pair[1]]) {
      make(row, "td", {}, cell?.[0] ?? "");
      make(row, "td", { class: cell?.[2] ? "attack" : null }, cell ? (current() === "zh" ? cell[1][1] : cell[1].join(" ")) : "");
    }
  }
}

// ---- dialogs

/** The time controls that are offered, as `--tc` has them. */
const CONTROLS = {
  chess: ["180+2", "300", "600+5", "900+10", "1800+30", "40/5400+30,1800+30"],
  xiangqi: ["300+3", "600+5", "1200+10", "3600+30", "600+1x30@60"],
  go: ["300+3x30", "600+5x30", "1800+3x60", "600+25/300"],
};
const CONDUCTS = ["casual", "match", "rapid", "blitz"];

/** A time control in words, where it is one of the usual ones. */
function controlText(text) {
  if (!text || text === "inf") return t("noClock");
  const [, main, per, periods] = /^(\d+)(?:\+(\d+))?(?:x(\d+))?$/.exec(text) ?? [];
  if (!main) return text;
  const minutes = Number(main) % 60 ? t("seconds", main) : t("minutes", Number(main) / 60);
  if (periods) return t("plusPeriods", minutes, per, periods);
  return per ? t("plusSeconds", minutes, per) : minutes;
}

function choice(parent, label, name, options, chosen) {
  const row = make(parent, "div", { class: "row", "data-row": name });
  make(row, "span", {}, t(label));
  const box = make(row, "div", { class: "choice", role: "radiogroup" });
  for (const [value, text] of options) {
    const one = make(box, "label");
    make(one, "input", { type: "radio", name, value, checked: String(value) === String(chosen) });
    make(one, "span", {}, text);
  }
  return row;
}

/** Asks what to play. `begin` gets the choices; `levels` are the ratings of levels, `engines` the names of other engines. */
export function askNew(last, begin, levels, engines = []) {
  const dialog = $("new");
  dialog.replaceChildren();
  const form = make(dialog, "form", { method: "dialog" });
  make(form, "h2", {}, t("new"));
  const tiles = make(form, "div", { class: "tiles", role: "radiogroup" });
  for (const game of ["chess", "xiangqi", "go"]) {
    const tile = make(tiles, "label");
    make(tile, "input", { type: "radio", name: "game", value: game, checked: last.game === game });
    const box = make(tile, "div", {});
    const svg = document.createElementNS("http://www.w3.org/2000/svg", "svg");
    box.append(svg);
    draw(svg, game, START[game]);
    svg.setAttribute("aria-hidden", "true");
    make(box, "b", {}, t(game));
  }
  const rows = make(form, "div");
  let shown = last.game;
  const fill = () => {
    const kept = { ...last, ...Object.fromEntries(new FormData(form)) };
    const game = kept.game;
    if (game !== shown) {
      kept.level = last.levels?.[game] ?? kept.level;
      kept.clock = last.clocks?.[game] ?? "";
      if (game !== "chess" && ["rapid", "blitz"].includes(kept.conduct)) kept.conduct = "match";
    }
    shown = game;
    rows.replaceChildren();
    const worths = game === "go" ? levels?.go?.[kept.size] : levels?.[game];
    const sides = [0, 1].map(side => [side, t(sideName(game, side))]);
    choice(rows, "mySide", "me", [...sides, ["random", t("random")], ["both", t("both")], ["watch", t("watch")]], kept.me);
    const chosen = kept.clock ?? last.clocks?.[game] ?? "", usual = ["", ...CONTROLS[game]];
    drawOpponents(rows, kept, engines, sides.map(([, name]) => name));
    const row = make(rows, "div", { class: "row", hidden: !hasSanqi(kept, engines) });
    make(row, "span", {}, t("strength"));
    const strength = make(row, "select", { name: "level", "aria-label": t("strength") });
    for (let i = 1; i <= (worths?.length ?? 12); i++) make(strength, "option", { value: i, selected: String(i) === String(kept.level) }, [`${t("level")} ${i}`, worths?.[i - 1]].filter(Boolean).join(" · "));
    make(strength, "option", { value: "full", selected: kept.level === "full" }, t("fullNote"));
    drawManners(rows, { ...kept, clock: chosen }, engines, choice);
    const clock = make(rows, "div", { class: "row" });
    make(clock, "span", {}, t("clock"));
    const control = make(clock, "select", { name: "clock", "aria-label": t("clock") });
    for (const value of usual) make(control, "option", { value, selected: value === chosen }, controlText(value));
    const isCustom = chosen === "custom" || !usual.includes(chosen);
    make(control, "option", { value: "custom", selected: isCustom }, t("customClock"));
    make(clock, "input", { type: "text", name: "customClock", value: usual.includes(chosen) || chosen === "custom" ? kept.customClock : chosen, placeholder: "40/90:00+30,30:00+30", "aria-label": t("customClock"), title: t("clockNote"), hidden: !isCustom });
    if (kept.me !== "watch") {
      choice(rows, "conduct", "conduct", CONDUCTS.filter(one => game === "chess" || !["rapid", "blitz"].includes(one)).map(one => [one, t(one)]), kept.conduct);
      make(rows, "p", { class: "note" }, t(`${kept.conduct}Note`));
    }
    if (game === "chess") choice(rows, "variant", "variant", [["chess", t("standard")], ["chess960", t("chess960")]], kept.variant);
    if (game === "xiangqi") choice(rows, "rules", "judge", ["chinese", "asian", "computer", "none"].map(name => [name, t(name)]), kept.judge);
    if (game === "go") {
      choice(rows, "size", "size", [9, 13, 19].map(n => [n, `${n}×${n}`]), kept.size);
      choice(rows, "rules", "rules", ["chinese", "japanese", "aga"].map(name => [name, t(name)]), kept.rules);
      const row = make(rows, "div", { class: "row" });
      make(row, "span", {}, t("handicap"));
      const stones = make(row, "select", { name: "handicap", "aria-label": t("handicap") });
      for (const n of [0, 2, 3, 4, 5, 6, 7, 8, 9]) make(stones, "option", { value: n, selected: String(n) === String(kept.handicap) }, n);
      make(row, "span", {}, t("komi"));
      make(row, "input", { type: "number", name: "komi", "aria-label": t("komi"), value: kept.komi, step: 0.5, min: -150, max: 150, style: "width:5.5rem" });
    }
  };
  fill();
  form.addEventListener("change", ({ target: { name } }) => {
    if (!["game", "size", "clock", "conduct", "me", "rival", "player0", "player1"].includes(name)) return;
    fill();
    // The rows are new; the keyboard stays where it was.
    /** @type {any} */ (rows.querySelector(`[name=${name}]:is(:checked, select)`))?.focus();
  });
  const end = make(form, "div", { class: "end" });
  make(end, "button", { type: "button", onclick: () => dialog.close() }, t("cancel"));
  make(end, "button", { class: "main", value: "ok", id: "begin" }, t("begin"));
  form.onsubmit = () => begin({ ...last, ...Object.fromEntries(new FormData(form)) });
  dialog.showModal();
}

const QUESTIONS = { chess: ["claim", "dead", "flag", "end", "illegal"], xiangqi: ["claim", "dead", "flag", "end", "illegal"], go: ["count", "flag", "end", "illegal", "turns"] };

/** Puts questions to the arbiter's desk. `judge(question, more)` gives the findings, and `go(ply)` shows a position. */
export function askArbiter(kind, judge, go) {
  const dialog = $("judge");
  dialog.replaceChildren();
  make(dialog, "h2", {}, t("judge"));
  make(dialog, "p", { class: "hint" }, t("judgeNote"));
  const row = make(dialog, "div", { class: "buttons" }), list = make(dialog, "ul", { "aria-live": "polite" });
  const put = async (question, more) => {
    list.replaceChildren();
    try {
      for (const { text, ply } of await judge(question, more)) {
        make(make(list, "li"), "a", { href: "#", onclick: event => { event.preventDefault(); dialog.close(); go(ply); } }, text);
      }
    } catch (error) { make(list, "li", { class: "broken" }, error.message); }
  };
  for (const question of QUESTIONS[kind]) make(row, "button", { "data-do": question, onclick: () => put(question) }, t(`ask-${question}`));
  if (kind === "go") {
    const form = make(row, "form"), field = make(form, "input", { type: "text", size: 5, maxlength: 4, placeholder: "D4", "aria-label": t("ask-point") });
    make(form, "button", { "data-do": "point" }, t("ask-point"));
    form.onsubmit = event => { event.preventDefault(); put("point", { point: field.value.trim() }); };
  }
  make(make(dialog, "div", { class: "end" }), "button", { onclick: () => dialog.close() }, t("close"));
  dialog.showModal();
}

/** Lets one of several games be chosen. */
export function askGame({ games, broken, at }, choose) {
  const dialog = $("games");
  dialog.replaceChildren();
  make(dialog, "h2", {}, t("chooseGame"));
  const list = make(dialog, "ol");
  games.forEach((game, i) => {
    const tag = name => game.tags.find(([key, value]) => key === name && !/^[?.-]*$/.test(value))?.[1];
    const button = make(make(list, "li"), "button", { type: "button", class: i === at ? "now" : null, "aria-current": i === at ? "true" : null, onclick: () => { dialog.close(); choose(i); } });
    make(button, "b", {}, game.names.map((name, side) => (/^\??$/.test(name) ? t(sideName(family(game.game), side)) : name)).join(" – "));
    make(button, "small", {}, [resultText(game.game, game.result), tag("Event"), tag("Date")?.replace(/[.-]\?\?/g, ""), game.nodes.length ? t("loaded", game.nodes.length) : t("position")].filter(Boolean).join(" · "));
  });
  /** @type {any} */ (dialog.querySelector(".now"))?.focus();
  for (const why of broken) make(dialog, "p", { class: "broken" }, why);
  make(make(dialog, "div", { class: "end" }), "button", { onclick: () => dialog.close() }, t("close"));
  dialog.showModal();
}

/** Asks what a pawn becomes; null: nothing. */
export function askPromotion(letters, isWhite, look) {
  const dialog = $("promotion");
  dialog.replaceChildren();
  dialog.setAttribute("aria-label", t("promote"));
  const row = make(dialog, "div", { class: "row" });
  return new Promise(resolve => {
    for (const letter of letters) {
      const button = make(row, "button", { "data-piece": letter, onclick: () => { dialog.close(); resolve(letter); } });
      const svg = document.createElementNS("http://www.w3.org/2000/svg", "svg");
      svg.setAttribute("viewBox", "0 0 100 100");
      button.append(svg);
      drawPiece(svg, "chess", isWhite ? letter.toUpperCase() : letter, look);
    }
    dialog.onclose = () => resolve(null);
    dialog.showModal();
  });
}

const KEYS = [["← → Home End ↑ ↓", "kArrows"], ["Space", "kSpace"], ["F", "kFlip"], ["H", "kHint"], ["X", "kThreat"], ["U", "kUndo"], ["N", "kNew"], ["O S", "kOpen"], ["G", "kBranches"], ["[ ]", "kGames"], ["P", "kPromote"], ["Delete", "kDelete"], ["Ctrl+Z Ctrl+Y", "kRevert"], ["D", "kDraw"], ["Esc", "kCancel"], ["Enter", "kBoard"], ["Tab Enter", "kLinks"], ["← → ↑ ↓", "kLines"]];

/** Shows the keys. */
export function showKeys() {
  const dialog = $("help");
  dialog.replaceChildren();
  make(dialog, "h2", {}, t("keysTitle"));
  const table = make(dialog, "table");
  for (const [names, what] of KEYS) {
    const row = make(table, "tr"), cell = make(row, "td");
    for (const name of names.split(" ")) make(cell, "kbd", {}, name).after(" ");
    make(row, "td", {}, t(what));
  }
  make(make(dialog, "div", { class: "end" }), "button", { onclick: () => dialog.close() }, t("close"));
  dialog.showModal();
}

let timer;
/** A short message, with a button if there is something to do about it: its name and what it does. */
export function toast(text, [name, act] = []) {
  $("toast").textContent = text === "closed" ? t("lost") : text;
  if (name) make($("toast"), "button", { onclick: () => { $("toast").hidden = true; act(); } }, name);
  $("toast").hidden = false;
  clearTimeout(timer);
  timer = setTimeout(() => { $("toast").hidden = true; }, 5000);
}

// ---- setting up a position

/** The letters of a palette. */
const PALETTE = { chess: "KQRBNPkqrbnp", xiangqi: "KABNRCPkabnrcp", go: "bw" };

/** An editor of positions in the place of the analysis. */
export class Editor {
  show; done; cancel; look;

  constructor(kind, position, turn, { fen, show, done, cancel, look }) {
    this.kind = kind === "chess960" ? "chess" : kind;
    this.castlesAnywhere = kind === "chess960";
    // The position as a whole, until it is changed.
    this.full = fen ?? null;
    this.position = kind === "go" ? { size: position.size, stones: [...position.stones] } : { rows: position.rows.map(row => [...row]) };
    this.turn = turn;
    this.tool = PALETTE[this.kind][0];
    Object.assign(this, { show, done, cancel, look });
    this.draw();
  }

  draw() {
    const box = $("editor");
    box.hidden = false;
    box.replaceChildren();
    make(box, "h2", {}, t("setupTitle"));
    const palette = make(box, "div", { class: "palette" });
    for (const letter of [...PALETTE[this.kind], " "]) {
      const button = make(palette, "button", { "data-tool": letter, class: letter === this.tool ? "now" : null, title: letter === " " ? t("eraser") : letter, onclick: () => { this.tool = letter; this.draw(); } });
      const svg = document.createElementNS("http://www.w3.org/2000/svg", "svg");
      svg.setAttribute("viewBox", "0 0 100 100");
      button.append(svg);
      if (letter === " ") svg.innerHTML = '<path d="M22 22 L78 78 M78 22 L22 78" stroke="currentColor" stroke-width="9" stroke-linecap="round"/>';
      else if (this.kind === "go") svg.innerHTML = `<circle cx="50" cy="50" r="42" fill="${letter === "b" ? "#1b1b1d" : "#fff"}" stroke="#777" stroke-width="3"/>`;
      else drawPiece(svg, this.kind, letter, this.look);
    }
    const row = make(box, "div", { class: "row" });
    make(row, "button", { onclick: () => this.clear(), class: "small" }, t("empty"));
    if (this.kind !== "go") make(row, "button", { onclick: () => this.start(this.kind === "chess" ? "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1" : "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w - - 0 1"), class: "small" }, t("startPosition"));
    make(row, "span", {}, t("turn"));
    const sides = make(row, "div", { class: "choice" });
    for (const side of [0, 1]) {
      const label = make(sides, "label");
      make(label, "input", { type: "radio", name: "turn", value: side, checked: this.turn === side, onchange: () => { this.turn = side; this.draw(); } });
      make(label, "span", {}, t(sideName(this.kind, side)));
    }
    if (this.kind !== "go") {
      const line = make(box, "div", { class: "row" });
      make(line, "span", {}, t("fen"));
      const input = make(line, "input", { type: "text", id: "fen", value: this.fen(), spellcheck: "false", oninput: () => this.read(input.value), onchange: () => this.read(input.value) || toast(`FEN: ${input.value}`) });
    }
    const end = make(box, "div", { class: "row" });
    make(end, "button", { onclick: () => this.close(this.cancel) }, t("cancel"));
    make(end, "button", { class: "main", id: "use", onclick: () => this.done(this) }, t("done"));
    this.show(this.position);
  }

  close(then) {
    $("editor").hidden = true;
    then();
  }

  clear() {
    if (this.kind === "go") this.position.stones.fill(0);
    else for (const row of this.position.rows) row.fill(" ");
    this.full = null;
    this.draw();
  }

  start(fen) {
    this.read(fen);
    this.draw();
  }

  /** Takes a FEN over as it is typed; the field stays as it is. False: it is none. */
  read(text) {
    text = text.trim();
    const known = this.kind === "chess" ? /^([pnbrqk/]|[1-8](?!\d))+$/i : /^([pnbrakche/]|[1-9](?!\d))+$/i;
    if (!known.test(text.split(/\s/)[0])) return false;
    // Some write horses as H and elephants as E.
    const other = this.kind === "xiangqi" ? { h: "n", H: "N", e: "b", E: "B" } : {};
    const rows = fenRows(text).map(row => row.map(letter => other[letter] ?? letter)), g = grid(this.kind);
    if (rows.length !== g.rows || rows.some(row => row.length !== g.columns)) return false;
    this.position = { rows };
    this.turn = text.split(/\s+/)[1] === "b" ? 1 : 0;
    this.full = text;
    for (const radio of /** @type {any} */ (document.querySelectorAll("#editor input[name=turn]"))) radio.checked = Number(radio.value) === this.turn;
    this.show(this.position);
    return true;
  }

  press(point) {
    const g = grid(this.kind, this.position.size), [column, row] = g.place(point);
    this.full = null;
    if (this.kind === "go") {
      const at = row * g.columns + column, color = this.tool === " " ? 0 : 1 + "bw".indexOf(this.tool);
      this.position.stones[at] = this.position.stones[at] === color ? 0 : color;
    } else {
      const cells = this.position.rows[row];
      cells[column] = cells[column] === this.tool ? " " : this.tool;
    }
    this.draw();
  }

  /** The position as a FEN; castling is allowed where king and rook stand at home, in Chess960 anywhere on their rank. */
  fen() {
    const turn = this.turn ? "b" : "w";
    if (this.full) {
      const fields = this.full.split(/\s+/);
      if (fields[1] !== turn) fields.splice(1, 3, turn, fields[2] ?? "-", "-");
      return fields.join(" ");
    }
    const rows = this.position.rows.map(row => row.join("").replace(/ +/g, blanks => blanks.length)).join("/");
    let castling = "";
    if (this.kind === "chess") {
      for (const [row, letters] of /** @type {[number, string][]} */ ([[7, "KQR"], [0, "kqr"]])) {
        const cells = this.position.rows[row], [king, queen, rook] = letters, at = cells.indexOf(king);
        if (this.castlesAnywhere ? at < 0 : at !== 4) continue;
        const [left, right] = [cells.slice(0, at), cells.slice(at + 1)], anywhere = this.castlesAnywhere;
        if (anywhere ? right.includes(rook) : right.at(-1) === rook) castling += king;
        if (anywhere ? left.includes(rook) : left[0] === rook) castling += queen;
      }
    }
    return `${rows} ${turn} ${castling || "-"} - 0 1`;
  }

  /** The stones of Go by color. */
  stones() {
    const g = grid("go", this.position.size), all = [[], []];
    this.position.stones.forEach((color, at) => { if (color) all[color - 1].push(g.name(at % g.columns, Math.floor(at / g.columns))); });
    return all;
  }
}
