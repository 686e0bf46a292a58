// Hands on the board: a click on a piece and on its target, or a piece dragged there; and a cursor for the keyboard.

/** Listens to a board. `table` says what is on it: `grid()`, `flipped()`, `owns(point)`, `targets(point)`, `ghost(point)` (the
 *  color of a stone that could be put there), and takes what is done: `play(from, to)`, `press(point)` where a point alone is a
 *  move, `show(marks)`; where it has them, `turn(step)` for the wheel and `speak(point)` where the cursor of the keyboard is. */
export class Hand {
  ghost;

  constructor(svg, table) {
    this.svg = svg;
    this.table = table;
    this.selected = null;
    this.cursor = null;
    this.drag = null;
    svg.addEventListener("pointerdown", event => this.down(event));
    svg.addEventListener("pointermove", event => this.move(event));
    svg.addEventListener("pointerup", event => this.up(event));
    svg.addEventListener("pointercancel", () => this.drop());
    svg.addEventListener("pointerleave", () => this.haunt(null));
    svg.addEventListener("wheel", event => this.wheel(event), { passive: false });
    svg.addEventListener("keydown", event => this.key(event));
    svg.addEventListener("blur", () => { this.cursor = null; this.show(); });
  }

  /** The point under the pointer. */
  point(event) {
    const matrix = this.svg.getScreenCTM();
    if (!matrix) return null;
    const { x, y } = new DOMPoint(event.clientX, event.clientY).matrixTransform(matrix.inverse());
    return this.table.grid().at(x, y, this.table.flipped());
  }

  forget() {
    this.haunt(null);
    this.drag?.copy?.remove();
    this.selected = null;
    this.drag = this.tap = null;
  }

  show() {
    const targets = this.selected ? this.table.targets(this.selected) : [];
    this.table.show({ selected: this.selected, targets, cursor: this.cursor, held: this.drag?.ghost ? this.drag.from : null });
  }

  choose(point) {
    if (!point) return;
    if (this.table.isSingle()) return this.table.press(point);
    if (this.selected && this.table.targets(this.selected).includes(point)) {
      const from = this.selected;
      this.forget();
      return this.table.play(from, point);
    }
    this.selected = this.selected !== point && this.table.owns(point) ? point : null;
    this.show();
  }

  down(event) {
    if (event.button !== 0) return;
    const point = this.point(event);
    this.cursor = null;
    // A finger that goes on to scroll the page presses nothing.
    if (this.table.isSingle()) return void (this.tap = { point, x: event.clientX, y: event.clientY });
    const was = this.selected;
    if (point && this.table.owns(point) && !(was && this.table.targets(was).includes(point))) {
      this.selected = point;
      this.drag = { from: point, was, x: event.clientX, y: event.clientY, ghost: null, id: event.pointerId };
      this.svg.setPointerCapture(event.pointerId);
      this.show();
      return;
    }
    this.choose(point);
  }

  /** Goes through the game with the wheel. */
  wheel(event) {
    if (event.ctrlKey || !event.deltaY || !this.table.turn) return;
    event.preventDefault();
    if (event.timeStamp - (this.wheeled ?? 0) < 60) return;
    this.wheeled = event.timeStamp;
    this.table.turn(Math.sign(event.deltaY));
  }

  /** Shows the stone that a click would put on a point. */
  haunt(point) {
    const color = point && this.table.ghost(point);
    this.ghost?.remove();
    if (!color) return;
    const g = this.table.grid(), [x, y] = g.xy(...g.place(point), this.table.flipped());
    this.ghost ??= document.createElementNS("http://www.w3.org/2000/svg", "circle");
    for (const [name, value] of Object.entries({ cx: x, cy: y, r: 46, class: `ghost ${color}` })) this.ghost.setAttribute(name, value);
    this.svg.append(this.ghost);
  }

  move(event) {
    const drag = this.drag;
    if (this.table.isSingle() && event.pointerType === "mouse") this.haunt(this.point(event));
    if (!drag) return;
    if (!drag.ghost && Math.hypot(event.clientX - drag.x, event.clientY - drag.y) < 6) return;
    if (!drag.ghost) {
      const piece = this.svg.querySelector(`[data-at="${drag.from}"]`);
      if (!piece) return;
      drag.copy = piece.cloneNode(true);
      drag.ghost = true;
      this.show();
    }
    if (!drag.copy.isConnected) this.svg.append(drag.copy);
    const { x, y } = new DOMPoint(event.clientX, event.clientY).matrixTransform(this.svg.getScreenCTM().inverse());
    drag.copy.removeAttribute("class");
    drag.copy.setAttribute("transform", `translate(${x - 50} ${y - 50})`);
    drag.copy.style.pointerEvents = "none";
  }

  up(event) {
    const tap = this.tap;
    this.tap = null;
    if (tap && Math.hypot(event.clientX - tap.x, event.clientY - tap.y) < 6) return this.table.press(tap.point, event.pointerType !== "mouse");
    const drag = this.drag;
    if (!drag) return;
    drag.copy?.remove();
    this.drag = null;
    const point = this.point(event);
    if (drag.ghost && point && this.table.targets(drag.from).includes(point)) {
      this.forget();
      return this.table.play(drag.from, point, true);
    }
    // A second click on the same piece lets it go.
    if (!drag.ghost && drag.was === drag.from) this.selected = null;
    this.show();
  }

  drop() {
    this.forget();
    this.show();
  }

  key(event) {
    const step = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] }[event.key];
    const g = this.table.grid();
    if (event.key === "Enter" && this.cursor) {
      event.stopPropagation();
      event.preventDefault();
      this.choose(this.cursor);
      return this.show();
    }
    // The arrows go through the game until Enter was pressed once.
    if (event.key === "Enter") {
      this.cursor = g.name(g.columns >> 1, g.rows >> 1);
    } else if (step && this.cursor) {
      const turn = this.table.flipped() ? -1 : 1, [column, row] = g.place(this.cursor);
      this.cursor = g.name(Math.max(0, Math.min(g.columns - 1, column + turn * step[0])), Math.max(0, Math.min(g.rows - 1, row + turn * step[1])));
    } else if (event.key === "Escape" && (this.cursor || this.selected)) {
      this.cursor = null;
      this.selected = null;
    } else return;
    event.stopPropagation();
    event.preventDefault();
    if (this.cursor) this.table.speak?.(this.cursor);
    this.show();
  }
}

/** A position in a text: `{game, fen, moves}` of a FEN or a command `position`; null: the text has none, or is a record. */
export function positionIn(text, kind) {
  const [before, behind = ""] = text.trim().replace(/^position\s+/, "").split(/\s+moves\s+/);
  const moves = behind.split(/\s+/).filter(Boolean);
  if (before === "startpos") return { game: kind === "xiangqi" ? "xiangqi" : "chess", fen: null, moves };
  const fields = before.replace(/^fen\s+/, "").split(/\s+/), ranks = fields[0].split("/");
  const isOf = (letters, count) => ranks.length === count && ranks.every(rank => new RegExp(`^[${letters}]+$`, "i").test(rank));
  if (fields.length > 8 || !/^[wbr]$/.test(fields[1] ?? "w")) return null;
  if (isOf("rnbakcpeh1-9", 10)) return { game: "xiangqi", fen: [fields[0], fields[1] ?? "w", "-", "-", "0", "1"].join(" "), moves };
  if (!isOf("rnbqkp1-8", 8)) return null;
  const usual = ["w", "-", "-", "0", "1"];
  const fen = [fields[0], ...usual.map((field, i) => fields[i + 1] ?? field)].join(" ");
  return { game: /[a-h]/i.test(fields[2] ?? "") ? "chess960" : "chess", fen, moves };
}
