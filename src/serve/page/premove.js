// A move that is chosen while the opponent thinks, and played as soon as it is legal. The page knows no rules: a piece may be
// sent wherever its kind can go on an empty board.

/** Where pieces of chess go: steps, and whether they go on. */
const CHESS = {
  n: [[[1, 2], [2, 1], [2, -1], [1, -2], [-1, -2], [-2, -1], [-2, 1], [-1, 2]], false],
  b: [[[1, 1], [1, -1], [-1, -1], [-1, 1]], true],
  r: [[[1, 0], [0, 1], [-1, 0], [0, -1]], true],
  q: [[[1, 1], [1, -1], [-1, -1], [-1, 1], [1, 0], [0, 1], [-1, 0], [0, -1]], true],
  k: [[[1, 1], [1, -1], [-1, -1], [-1, 1], [1, 0], [0, 1], [-1, 0], [0, -1], [2, 0], [-2, 0]], false],
};
const XIANGQI = {
  n: CHESS.n, r: CHESS.r, c: CHESS.r,
  b: [[[2, 2], [2, -2], [-2, -2], [-2, 2]], false],
  a: [[[1, 1], [1, -1], [-1, -1], [-1, 1]], false],
  k: [[[1, 0], [0, 1], [-1, 0], [0, -1]], false],
};

/** Whether a piece of xiangqi may stand on a point: the palace, the own side of the river. Rows count from its own side. */
const mayStand = (kind, column, row) => ("ak".includes(kind) ? column >= 3 && column <= 5 && row <= 2 : kind !== "b" || row <= 4);

/** The points where the piece on a point could go if nothing stood in its way. */
export function reach(g, rows, from) {
  const [column, row] = g.place(from), piece = rows[row][column], kind = piece.toLowerCase(), isFirst = piece < "a";
  const up = isFirst ? -1 : 1, own = isFirst ? g.rows - 1 - row : row;
  const on = ([x, y]) => x >= 0 && y >= 0 && x < g.columns && y < g.rows;
  const names = all => all.filter(on).map(([x, y]) => g.name(x, y));
  if (kind === "p") {
    if (g.kind === "xiangqi") return names([[column, row + up], ...(own >= 5 ? [[column - 1, row], [column + 1, row]] : [])]);
    return names([[column, row + up], [column - 1, row + up], [column + 1, row + up], ...(own === 1 ? [[column, row + 2 * up]] : [])]);
  }
  const [steps, isFar] = (g.kind === "xiangqi" ? XIANGQI : CHESS)[kind] ?? [[], false], found = [];
  for (const [dx, dy] of steps) for (let n = 1; n <= (isFar ? 9 : 1); n++) {
    const [x, y] = [column + n * dx, row + n * dy];
    if (!on([x, y])) break;
    if (g.kind === "xiangqi" && !mayStand(kind, x, isFirst ? g.rows - 1 - y : y)) continue;
    // A king goes two squares, or onto a rook, only along its first rank.
    if (g.kind === "chess" && kind === "k" && Math.abs(dx) === 2 && own !== 0) continue;
    found.push([x, y]);
  }
  if (g.kind === "chess" && kind === "k" && own === 0) rows[row].forEach((other, x) => { if (other.toLowerCase() === "r" && other < "a" === isFirst) found.push([x, row]); });
  return [...new Set(names(found))];
}

/** The premove. `table` has `node()`: the position in which the opponent thinks about an answer, or null. */
export class Premove {
  node; from; to;

  constructor(table) {
    this.table = table;
    this.drop();
  }

  /** Whether a move that is made now is a premove. */
  get isOpen() { return this.table.node() !== null; }

  plan(from, to = null) {
    Object.assign(this, { node: this.table.node(), from, to });
  }

  drop() {
    const was = Boolean(this.node);
    Object.assign(this, { node: null, from: null, to: null });
    return was;
  }

  /** The points of it. */
  get points() { return this.node ? [this.from, this.to].filter(Boolean) : []; }

  /** The move in a position that is reached now, if it is the answer that was waited for and the move is legal. `mean` gives
   *  the target that is meant by another: castling onto the rook. */
  take(node, mean) {
    if (!this.node) return null;
    const { from, to } = this, isAnswer = node.parent === this.node;
    this.drop();
    if (!isAnswer) return null;
    const wanted = from + (to ? mean(from, to) : ""), legal = (node.position?.legal ?? []).filter(mv => (to ? mv.startsWith(wanted) : mv === wanted));
    return legal.find(mv => mv[4] === "q") ?? legal[0] ?? null;
  }
}
