// A game to look at, without a server: the board, the moves with the lines that were better, the course, and what there is to
// say about each move.

import { STYLE, SVG, draw, ends, family, grid, replay } from "./boards.js";
import { Game } from "./game.js";
import { drawGraph } from "./graph.js";
import { markupOf } from "./markup.js";
import { CLASSES, drawMoves } from "./moves.js";
import { panel, put, shortResult, table } from "./parts.js";
import { positionText, recordOf, shareMenu } from "./share.js";

const DOTS = { chess: ["white", "black"], xiangqi: ["red", "black"], go: ["black", "white"] };
/** Turning points that have a diagram. */
const DIAGRAMS = 6;
const COMMAND = /\[%[^\]]*\]/g;

/** The tree of a game: its moves, and beside each the line that was better. Every node has its `board`. */
function treeOf(data) {
  const isGo = data.kind === "go", moves = replay(data.kind, data.size), turn = data.second ? "second" : "first";
  const game = new Game({ game: data.kind, fen: data.fen, turn });
  game.root.board = isGo ? moves.start(data.stones?.[0] ?? [], data.second ? 2 : 1, data.stones?.[1]) : moves.start(data.fen);
  if (data.start !== undefined) game.root.opinion = { chances: data.start };
  game.root.extra = { properties: data.markup ?? [] };
  const add = (parent, mv, text) => {
    const node = game.add(parent, mv, [text]);
    node.board ??= moves.move(parent.board, mv);
    return node;
  };
  data.moves.reduce((at, move, ply) => {
    const comment = move.comment ?? "", node = add(at, move.mv, move.text);
    Object.assign(node, {
      move, ply, sign: move.sign ?? "", rival: move.rival, comment: comment.replace(COMMAND, "").trim(),
      extra: { commands: comment.match(COMMAND) ?? [], properties: move.markup ?? [] }, opinion: move.chances === undefined ? null : { chances: move.chances },
    });
    (move.better ?? []).reduce((line, [mv, text]) => add(line, mv, text), at);
    return node;
  }, game.root);
  return game;
}

/** `data` of a game: `kind`, `names`, `result`, `detail`; where it starts (`fen`, or `size` and `stones`; `second` moves first;
 *  half-moves `before`); its `moves` (`mv`, `text`, and what there is of `sign`, `lines` to read, `better`, `chances`, `rival`
 *  chances, `owner`, `comment`, `markup` of SGF, `marks`, `cls`); `accuracy` of both sides; `diagrams`: `all`
 *  for those of all moves with the `beginning`, else those of the turning points are shown. */
export class Viewer {
  constructor(box, words, keys = document) {
    if (!document.getElementById("board-style")) put(document.head, "style", STYLE, { id: "board-style" });
    this.words = words;
    this.flipped = false;
    this.box = put(box, "div", null, { class: "viewer" });
    const main = put(this.box, "div", null, { class: "table" });
    this.above = put(main, "div", null, { class: "player" });
    this.svg = main.appendChild(document.createElementNS(SVG, "svg"));
    this.svg.setAttribute("role", "img");
    this.below = put(main, "div", null, { class: "player" });
    const controls = put(main, "div", null, { class: "controls" });
    const button = (text, word, act) => Object.assign(put(controls, "button", text, { "aria-label": words[word], title: words[word] }), { onclick: act });
    button("«", "start", () => this.step("Home"));
    button("‹", "back", () => this.step("ArrowLeft"));
    button("›", "forward", () => this.step("ArrowRight"));
    button("»", "end", () => this.step("End"));
    button("⇅", "turn", () => this.step("f"));
    this.ownerBox = put(controls, "label");
    this.owner = put(this.ownerBox, "input", null, { type: "checkbox" });
    this.ownerBox.append(` ${words.territory}`);
    this.owner.onchange = () => this.go(this.now);
    shareMenu(controls, { svg: this.svg, position: () => positionText(this.now.board), record: () => recordOf(this) }, words);
    const side = put(this.box, "aside");
    this.note = put(side, "section", null, { class: "said", "aria-live": "polite" });
    this.course = panel(side, words.course);
    this.graph = this.course.appendChild(document.createElementNS(SVG, "svg"));
    this.graph.setAttribute("class", "graph");
    this.legend = put(this.course, "p", null, { class: "legend" });
    this.accuracy = put(this.course, "div");
    this.list = put(panel(side, words.moves, { class: "record" }), "div", null, { class: "moves" });
    this.diagrams = panel(box, words.turns, { class: "panel diagrams" });
    this.figures = put(this.diagrams, "div", null, { class: "figures" });
    keys.addEventListener("keydown", event => {
      if (event.target.matches?.("input, select, textarea") || event.ctrlKey || event.altKey || event.metaKey || !this.step(event.key)) return;
      event.preventDefault();
    });
    addEventListener("resize", () => this.drawCourse());
  }

  /** Takes a step that a key asks for; false: the key asks for none. */
  step(key) {
    const { game, now } = this;
    if (!game) return false;
    if (key === "f") this.flipped = !this.flipped;
    else if (!["Home", "End", "ArrowLeft", "ArrowRight"].includes(key)) return false;
    const to = { Home: game.root, End: game.through(now).at(-1) ?? now, ArrowLeft: now.parent, ArrowRight: now.children[0] }[key];
    this.go(to ?? now);
    return true;
  }

  /** Shows a game: where it turned, else where its first marked move is, else its end. */
  open(data) {
    this.data = data;
    this.game = treeOf(data);
    this.main = this.game.through(this.game.root);
    const loss = node => Math.abs((node.opinion?.chances ?? 0) - (node.parent.opinion?.chances ?? 0));
    const turns = this.main.filter(node => node.sign).sort((a, b) => loss(b) - loss(a));
    this.box.dataset.game = this.diagrams.dataset.game = family(data.kind);
    this.ownerBox.hidden = !data.moves.some(move => move.owner);
    this.course.hidden = !this.main.some(node => node.opinion);
    this.legend.replaceChildren();
    (data.legend ?? []).forEach((name, i) => put(this.legend, "span", name, { class: i ? "rival" : "" }));
    this.showAccuracy();
    this.showDiagrams(data.diagrams === "all" ? [this.game.root, ...this.main] : turns.slice(0, DIAGRAMS).sort((a, b) => a.ply - b.ply));
    this.now = null;
    this.go(turns[0] ?? this.main.find(node => node.move.cls) ?? this.main.at(-1) ?? this.game.root);
  }

  /** The number of the move that leads to a node, as records write it. */
  number(node) {
    const ply = this.game.path(node).length - 1 + (this.data.before ?? 0);
    return this.game.isGo ? `${ply + 1}.` : `${Math.floor(ply / 2) + 1}${ply % 2 ? "…" : "."}`;
  }

  /** What is to be seen on the board after a move. */
  marks(node) {
    const last = ends(this.data.kind, node.mv), { owner, marks } = node.move ?? {};
    const drawn = node.extra ? markupOf(node.extra, grid(this.data.kind, this.data.size)) : null;
    const owners = owner && this.owner.checked ? [...owner].map(letter => (letter.charCodeAt(0) - 107) / 10) : null;
    return { last, markup: drawn, owner: owners, ...marks };
  }

  /** Shows the position after a node. */
  go(node) {
    const { data, game } = this, look = { flipped: this.flipped, files: data.files };
    const slide = this.now && node.parent === this.now;
    this.now = node;
    this.svg.setAttribute("aria-label", node.parent ? `${this.number(node)} ${node.text[0]}` : data.names.join(" – "));
    draw(this.svg, data.kind, node.board, { ...this.marks(node), slide }, look);
    [this.below, this.above].forEach((line, i) => {
      const side = i ^ (this.flipped ? 1 : 0);
      line.replaceChildren();
      put(line, "span", null, { class: `dot ${DOTS[family(data.kind)][side]}` });
      put(line, "span", data.names[side], { class: game.side(node) === side ? "turn" : "" });
      if (i === 0) put(line, "small", data.result === "*" ? "" : shortResult(data.result));
    });
    this.describe(node);
    drawMoves(this.list, game, node, 0, data.before ?? 0, data.result, to => this.go(to));
    this.drawCourse();
  }

  /** A line of moves that can be followed. */
  follow(parent, first) {
    let at = first;
    const line = put(parent, "p", this.words.better, { class: "better" });
    for (let count = 0; at && count < 10; count++, at = at.children[0]) {
      const node = at, link = put(line, "a", node.text[0], { href: "#", class: node === this.now ? "now" : "" });
      link.onclick = event => { event.preventDefault(); this.go(node); };
      line.append(" ");
    }
  }

  describe(node) {
    const { note, words } = this, { move } = node;
    note.replaceChildren();
    if (!node.parent) return void put(note, "p", words.hint, { class: "faint hint" });
    put(note, "h3", `${this.number(node)} ${node.text[0]}${node.sign}`, { class: CLASSES[node.sign] ?? "" });
    if (!move) put(note, "p", words.best, { class: "faint" });
    for (const text of move?.lines ?? []) if (text) put(note, "p", text);
    if (node.comment) put(note, "p", node.comment, { class: "faint" });
    if (this.data.detail && node === this.main.at(-1)) put(note, "p", this.data.detail, { class: "faint" });
    // Off the main line, its own better moves stand in the note as they do on it.
    let fork = node;
    while (!fork.move && fork.parent) fork = fork.parent;
    const better = move ? node.parent.children.find(child => !child.move) : fork.children.find(child => !child.move);
    if (better) this.follow(note, better);
  }

  drawCourse() {
    if (!this.game || this.course.hidden) return;
    let at = this.now;
    while (at.parent && !at.move) at = at.parent;
    drawGraph(this.graph, [this.game.root, ...this.main], at, this.game.isGo, node => this.go(node), "");
  }

  showAccuracy() {
    const { accuracy, names } = this.data, { words } = this;
    this.accuracy.replaceChildren();
    if (!accuracy?.some(Boolean)) return;
    const rows = accuracy.map((all, i) => (all ? [names[i], `${all[0]} %`, ...all.slice(1)] : [names[i], "", "", "", ""]));
    table(this.accuracy, ["", words.accuracy, `?? ${words.blunders}`, `? ${words.mistakes}`, `?! ${words.slips}`], rows);
  }

  /** The diagrams of moves: those of turning points before the move, with it and the better one; all others after it. */
  showDiagrams(nodes) {
    const { data, words } = this;
    this.diagrams.hidden = !nodes.length;
    this.diagrams.firstChild.hidden = data.diagrams === "all";
    this.figures.replaceChildren();
    this.figures.classList.toggle("large", data.diagrams === "all");
    for (const node of nodes) {
      const move = node.move ?? {}, figure = put(this.figures, "figure", null, { class: move.cls ?? "", tabindex: 0 });
      const better = node.sign ? node.parent.children.find(child => !child.move) : null;
      this.drawDiagram(figure.appendChild(document.createElementNS(SVG, "svg")), node, better);
      const caption = put(figure, "figcaption");
      put(caption, "b", node.parent ? `${this.number(node)} ${node.text[0]}${node.sign}` : data.beginning, { class: CLASSES[node.sign] ?? "" });
      if (better) put(caption, "span", ` ${words.better}${better.text[0]}`);
      for (const text of move.lines ?? []) if (text) put(caption, "p", text);
      figure.onclick = () => {
        this.go(node);
        this.box.scrollIntoView({ block: "nearest" });
      };
      figure.onkeydown = event => { if (event.key === "Enter") figure.click(); };
    }
  }

  drawDiagram(svg, node, better) {
    const { kind, files } = this.data, arrow = (mv, color) => ({ from: mv.slice(0, 2), to: mv.slice(2, 4), color, weight: 0.4 });
    if (!better) return draw(svg, kind, node.board, { last: ends(kind, node.mv), ...node.move?.marks }, { files });
    if (kind === "go") return draw(svg, kind, node.board, { last: ends(kind, node.mv), markup: { labels: ends(kind, better.mv).map(at => ({ at, text: "A" })) } }, {});
    return draw(svg, kind, node.parent.board, { markup: { arrows: [arrow(node.mv, "red"), arrow(better.mv, "green")] } }, { files });
  }
}
