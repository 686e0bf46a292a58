// What a person draws on a board: arrows and circles, letters and signs. It stands in the record as records have it: in the
// comments of chess and xiangqi `[%csl Gd5]` and `[%cal Re2e4]`, in SGF the properties LB, TR, SQ, CR, MA, AR, TB and TW.

/** The colors of PGN by their letters. */
const COLORS = { G: "green", R: "red", B: "blue", Y: "yellow" };
const LETTERS = Object.fromEntries(Object.entries(COLORS).map(([letter, color]) => [color, letter]));
const SIGNS = ["TR", "SQ", "CR", "MA"];
const SGF = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";

/** What can be drawn with, by kind of game. */
export const PENS = { chess: Object.values(COLORS), xiangqi: Object.values(COLORS), go: ["LB", ...SIGNS] };

/** The entries of `[%csl …]` or `[%cal …]`. */
function entries(extra, name) {
  return (extra?.commands ?? []).flatMap(text => new RegExp(`^\\[%${name}\\s+([^\\]]*)\\]$`).exec(text)?.[1].split(",") ?? []).map(text => text.trim()).filter(Boolean);
}

/** A point of SGF, or the points of a rectangle `aa:cc`, by the names that the board has. */
function points(text, g) {
  const [from, to = from] = text.split(":").map(corner => [...corner].map(letter => SGF.indexOf(letter)));
  const found = [];
  for (let row = from[1]; row <= to[1]; row++) for (let column = from[0]; column <= to[0]; column++) {
    if (column >= 0 && row >= 0 && column < g.columns && row < g.rows) found.push(g.name(column, row));
  }
  return found;
}

const sgf = (name, g) => g.place(name).map(i => SGF[i]).join("");
const values = (extra, name) => (extra?.properties ?? []).filter(([key]) => key === name).flatMap(([, all]) => all);
const isOn = (g, name) => {
  const [column, row] = g.place(name);
  return column >= 0 && row >= 0 && column < g.columns && row < g.rows;
};

/** What is drawn at a node with this `extra`, as boards.js shows it. */
export function markupOf(extra, g) {
  if (!extra) return {};
  if (g.kind !== "go") {
    const read = name => entries(extra, name).map(text => /^([GRBY])([a-i]\d)([a-i]\d)?$/.exec(text)).filter(Boolean)
      .map(([, letter, from, to]) => ({ color: COLORS[letter], from, to, at: from }));
    return {
      circles: read("csl").filter(({ at, to }) => !to && isOn(g, at)),
      arrows: read("cal").filter(({ from, to }) => to && isOn(g, from) && isOn(g, to)),
    };
  }
  const pairs = [...values(extra, "AR"), ...values(extra, "LN")].map(text => text.split(":").map(point => points(point, g)[0]));
  return {
    arrows: pairs.filter(([from, to]) => from && to).map(([from, to]) => ({ from, to, color: "plain", weight: 0.2 })),
    labels: values(extra, "LB").flatMap(text => {
      const [at] = points(text.slice(0, 2), g);
      return at && text[2] === ":" ? [{ at, text: text.slice(3) }] : [];
    }),
    signs: SIGNS.flatMap(sign => values(extra, sign).flatMap(text => points(text, g).map(at => ({ at, sign })))),
    territory: ["TB", "TW"].flatMap((name, side) => values(extra, name).flatMap(text => points(text, g).map(at => ({ at, color: ["black", "white"][side] })))),
  };
}

/** `extra` without what is empty; undefined: nothing is left. */
function tidy({ commands = [], glyphs = [], properties = [], exact = [] }) {
  const left = Object.fromEntries(Object.entries({ commands, glyphs, properties, exact }).filter(([, all]) => all.length));
  return Object.keys(left).length ? left : undefined;
}

/** `extra` with the entries of a command. */
function withEntries(extra, name, all) {
  const isOne = text => new RegExp(`^\\[%${name}[\\s\\]]`).test(text), before = extra?.commands ?? [];
  const commands = before.filter(text => !isOne(text)), place = before.findIndex(isOne);
  if (all.length) commands.splice(place < 0 ? commands.length : place, 0, `[%${name} ${all.join(",")}]`);
  return tidy({ ...extra, commands });
}

/** `extra` with the values of a property, in the place that it has. */
function withValues(extra, name, all) {
  const properties = (extra?.properties ?? []).filter(([key]) => key !== name);
  const place = (extra?.properties ?? []).findIndex(([key]) => key === name);
  if (all.length) properties.splice(place < 0 ? properties.length : place, 0, [name, all]);
  return tidy({ ...extra, properties });
}

/** The first letter that is no label yet. */
function nextLabel(extra) {
  const taken = values(extra, "LB").map(text => text.slice(3));
  return [..."ABCDEFGHIJKLMNOPQRSTUVWXYZ"].find(letter => !taken.includes(letter)) ?? "1";
}

/** `extra` after a stroke of a pen: what is there already goes, anything else at its place is replaced. */
export function drawn(extra, g, { from, to, pen }) {
  if (g.kind !== "go") {
    const name = to === from ? "csl" : "cal", place = to === from ? from : from + to, entry = LETTERS[pen] + place;
    const before = entries(extra, name), others = before.filter(text => text.slice(1) !== place);
    return withEntries(extra, name, before.includes(entry) ? others : [...others, entry]);
  }
  const at = sgf(from, g);
  if (to !== from) {
    const arrow = `${at}:${sgf(to, g)}`, before = values(extra, "AR");
    return withValues(extra, "AR", before.includes(arrow) ? before.filter(text => text !== arrow) : [...before, arrow]);
  }
  const isThere = pen === "LB" ? values(extra, "LB").some(text => text.startsWith(`${at}:`)) : values(extra, pen).some(text => points(text, g).includes(from));
  // A point has one sign or label.
  let next = withValues(extra, "LB", values(extra, "LB").filter(text => !text.startsWith(`${at}:`)));
  for (const sign of SIGNS) {
    const all = values(next, sign);
    const without = text => points(text, g).filter(name => name !== from).map(name => sgf(name, g));
    if (all.length) next = withValues(next, sign, all.flatMap(text => (points(text, g).includes(from) ? without(text) : [text])));
  }
  if (isThere) return next;
  return withValues(next, pen, [...values(next, pen), pen === "LB" ? `${at}:${nextLabel(next)}` : at]);
}

/** `extra` without anything that is drawn. */
export function wiped(extra, g) {
  if (g.kind !== "go") return withEntries(withEntries(extra, "csl", []), "cal", []);
  return ["LB", "AR", "LN", "TB", "TW", ...SIGNS].reduce((left, name) => withValues(left, name, []), extra);
}

/**
 * The pen: the right button of the mouse, or any finger while a tool is chosen. `table` has `grid()`, `point(event)`,
 * `mayDraw()`, `draw(stroke)`, `show()`, and `cancel()`: true where a right click has ended something else.
 */
export class Pen {
  constructor(svg, table) {
    this.table = table;
    /** The tool that draws with the left button: a pen, or null. */
    this.tool = null;
    /** The stroke that is being drawn. */
    this.stroke = null;
    svg.addEventListener("contextmenu", event => event.preventDefault());
    for (const [name, act] of Object.entries({ down: this.down, move: this.move, up: this.up, cancel: this.lift })) {
      svg.addEventListener(`pointer${name}`, event => { if (act.call(this, event, svg)) event.stopImmediatePropagation(); });
    }
  }

  /** What a button and keys draw. */
  penOf(event) {
    const { kind } = this.table.grid(), isRed = event.shiftKey || event.ctrlKey;
    if (this.tool) return this.tool;
    const index = (isRed ? 1 : 0) + (event.altKey ? 2 : 0);
    return kind === "go" ? ["CR", "TR", "SQ", "MA"][index] : Object.values(COLORS)[index];
  }

  down(event, svg) {
    if (event.button !== 2 && !(this.tool && event.button === 0)) return false;
    if (event.button === 2 && this.table.cancel()) return true;
    const point = this.table.mayDraw() && this.table.point(event);
    if (!point) return true;
    this.stroke = { from: point, to: point, pen: this.penOf(event) };
    svg.setPointerCapture(event.pointerId);
    event.preventDefault();
    this.table.show();
    return true;
  }

  move(event) {
    if (!this.stroke) return Boolean(this.tool);
    const point = this.table.point(event);
    if (point !== this.stroke.to) {
      this.stroke.to = point;
      this.table.show();
    }
    return true;
  }

  up() {
    const { stroke } = this;
    if (!stroke) return false;
    this.stroke = null;
    // A stroke that ends beside the board is taken back.
    if (stroke.to) this.table.draw(stroke); else this.table.show();
    return true;
  }

  lift() {
    const was = this.stroke;
    this.stroke = null;
    if (was) this.table.show();
    return Boolean(was);
  }

  /** `extra` after a stroke. */
  after(extra, stroke) { return drawn(extra, this.table.grid(), stroke); }

  /** What is drawn at a node, with the stroke that is not done. */
  shown(extra) {
    return markupOf(this.stroke?.to ? this.after(extra, this.stroke) : extra, this.table.grid());
  }
}
