// Boards of chess, xiangqi and Go as SVG, for the report of a match and for `sanqi serve`.
//
// A position is `{rows}` in chess and xiangqi (letters of FEN, a blank where nothing stands, from the top) and
// `{size, stones}` in Go (0 nothing, 1 Black, 2 White, row by row from the top). `draw` shows a position; what else is to
// be seen on it are its `marks`. Points have the names that the games have: e4, e0, D4.

const SVG = "http://www.w3.org/2000/svg";
const GO_FILES = "ABCDEFGHJKLMNOPQRSTUVWXYZ";
const START = {
  chess: "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR",
  xiangqi: "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR",
};

/** What kind of board a game has. */
export const family = game => (game === "chess960" ? "chess" : game);

/** Adds an SVG element. */
function shape(parent, tag, attributes, text) {
  const element = document.createElementNS(SVG, tag);
  for (const [key, value] of Object.entries(attributes ?? {})) {
    if (value !== null && value !== undefined) element.setAttribute(key, value);
  }
  if (text !== undefined) element.textContent = text;
  return parent.appendChild(element);
}

// ---- where things are

/** Columns, rows and the places of points, in units of a hundred to a square. `size` of Go: a number, or `[columns, rows]`. */
export function grid(game, size) {
  const kind = family(game);
  const [columns, rows] = kind === "chess" ? [8, 8] : kind === "xiangqi" ? [9, 10] : Array.isArray(size) ? size : [size, size];
  const margin = kind === "chess" ? 50 : kind === "xiangqi" ? 78 : 104;
  const lowest = kind === "xiangqi" ? 0 : 1;
  const files = kind === "go" ? GO_FILES : "abcdefghi";
  return {
    kind, columns, rows,
    width: 100 * (columns - 1) + 2 * margin,
    height: 100 * (rows - 1) + 2 * margin,
    /** Column and row from the top, from 0. */
    place: name => [files.indexOf(kind === "go" ? name[0].toUpperCase() : name[0]), rows - 1 + lowest - parseInt(name.slice(1), 10)],
    name: (column, row) => files[column] + (rows - 1 + lowest - row),
    /** The middle of a point as it is drawn. */
    xy: (column, row, flipped) => [
      margin + 100 * (flipped ? columns - 1 - column : column),
      margin + 100 * (flipped ? rows - 1 - row : row),
    ],
    /** The point at a place of the drawing, or null. */
    at(x, y, flipped) {
      let column = Math.round((x - margin) / 100), row = Math.round((y - margin) / 100);
      if (flipped) [column, row] = [columns - 1 - column, rows - 1 - row];
      return column >= 0 && row >= 0 && column < columns && row < rows ? this.name(column, row) : null;
    },
  };
}

/** The two points of a move, or the one of Go; none for a pass. */
export function ends(game, mv) {
  if (!mv) return [];
  if (family(game) === "go") return mv.toLowerCase() === "pass" || mv.toLowerCase() === "resign" ? [] : [mv];
  return [mv.slice(0, 2), mv.slice(2, 4)];
}

/** Rows of letters of a FEN. */
export const fenRows = fen => fen.split(" ")[0].split("/").map(row => [...row.replace(/\d+/g, n => " ".repeat(n))]);

// ---- records: positions from moves, without a server to ask

const replayBoard = game => {
  const g = grid(game);
  return {
    start: fen => ({ rows: fenRows(fen || START[g.kind]) }),
    move(position, mv) {
      const rows = position.rows.map(row => [...row]);
      const [[fx, fy], [tx, ty]] = ends(game, mv).map(g.place);
      const piece = rows[fy][fx], target = rows[ty][tx], isWhite = piece < "a";
      const ownRook = g.kind === "chess" && target.toLowerCase() === "r" && (target < "a") === isWhite;
      if (g.kind === "chess" && piece.toLowerCase() === "k" && (ownRook || Math.abs(tx - fx) === 2)) {
        const right = tx > fx, from = ownRook ? tx : right ? 7 : 0, rook = rows[fy][from];
        rows[fy][fx] = rows[fy][from] = " ";
        rows[fy][right ? 6 : 2] = piece;
        rows[fy][right ? 5 : 3] = rook;
        return { rows };
      }
      if (g.kind === "chess" && piece.toLowerCase() === "p" && fx !== tx && target === " ") rows[fy][tx] = " ";
      rows[fy][fx] = " ";
      rows[ty][tx] = mv[4] ? (isWhite ? mv[4].toUpperCase() : mv[4]) : piece;
      return { rows };
    },
  };
};

const replayGo = (size, { columns, rows, place } = grid("go", size)) => ({
  /** `black` and `white` list columns and rows, from the bottom, of the stones on the board. */
  start(black, color, white = []) {
    const stones = Array(columns * rows).fill(0);
    [black, white].forEach((points, i) => points.forEach(([column, row]) => { stones[(rows - 1 - row) * columns + column] = i + 1; }));
    return { size, stones, color };
  },
  move(position, mv) {
    const next = { size, stones: [...position.stones], color: 3 - position.color };
    const [point] = ends("go", mv);
    if (!point) return next;
    const [column, row] = place(point), at = row * columns + column;
    next.stones[at] = position.color;
    const near = p => [p % columns ? p - 1 : -1, p % columns < columns - 1 ? p + 1 : -1, p - columns, p + columns].filter(q => q >= 0 && q < columns * rows);
    // Chains of the opponent that have lost their last liberty, then the own one: suicide.
    const take = (from, color) => {
      if (next.stones[from] !== color) return;
      const chain = new Set([from]), todo = [from];
      let isFree = false;
      while (todo.length) for (const r of near(todo.pop())) {
        if (next.stones[r] === 0) isFree = true;
        else if (next.stones[r] === color && !chain.has(r)) { chain.add(r); todo.push(r); }
      }
      if (!isFree) for (const r of chain) next.stones[r] = 0;
    };
    for (const q of near(at)) take(q, 3 - position.color);
    take(at, position.color);
    return next;
  },
});

/** Plays recorded moves over: `start` and `move` give positions. */
export const replay = (game, size) => (family(game) === "go" ? replayGo(size) : replayBoard(game));

// ---- pieces

const BASE = "M24 90 q-2 0 -2 -3 v-3 q0 -6 7 -6 h42 q7 0 7 6 v3 q0 3 -2 3 z";
/** Outlines of chess pieces on a square of a hundred units, and the lines inside them. */
const CHESS = {
  p: [["M50 20 a14 14 0 0 1 9.500 24.300 l5.500 0 q2 0 2 2.500 t-2 2.500 h-5 q1 16 12 28.700 h-44 q11 -12.700 12 -28.700 h-5 q-2 0 -2 -2.500 t2 -2.500 l5.500 0 a14 14 0 0 1 9.500 -24.300 z", BASE], []],
  r: [["M27 17 h11 v8 h6.500 v-8 h11 v8 h6.500 v-8 h11 v16 q0 3 -2 5 l-6 5.500 1.500 29 h5 q4 0 4.500 5.500 h-52 q.5 -5.500 4.500 -5.500 h5 l1.500 -29 -6 -5.500 q-2 -2 -2 -5 z", BASE], ["M35 43.500 h30", "M33.500 72.500 h33"]],
  b: [["M50 9 a6 6 0 0 1 3.500 10.800 q15.500 11 15.500 26.700 q0 9 -7 15 h-24 q-7 -6 -7 -15 q0 -15.700 15.500 -26.700 a6 6 0 0 1 3.500 -10.800 z", "M37 61.500 h26 q4 0 4 3 t-4 3 h-2.500 l5.500 10.500 h-32 l5.500 -10.500 h-2.500 q-4 0 -4 -3 t4 -3 z", BASE], ["M50 34 v16", "M42.500 41.500 h15"]],
  q: [["M50 8.500 a5.500 5.500 0 0 1 2.800 10.200 l7.200 22.300 8.200 -18.300 a5.300 5.300 0 1 1 6.500 .8 l-2.200 24.500 8.500 -10 a5.300 5.300 0 1 1 4.800 2.500 l-14.300 26.500 q-2.500 5 -2.500 11 h-38 q0 -6 -2.500 -11 l-14.300 -26.500 a5.300 5.300 0 1 1 4.800 -2.500 l8.500 10 -2.200 -24.500 a5.300 5.300 0 1 1 6.500 -.8 l8.200 18.300 7.200 -22.300 a5.500 5.500 0 0 1 2.800 -10.200 z", BASE], ["M29.500 66 q20.500 -6 41 0"]],
  k: [["M46.500 6 h7 v6.500 h6.500 v6.500 h-6.500 v8 q5 3 7 8 q7 -6.500 15 -3.500 q9.500 4 8 15 q-1.500 9 -12 17 q-2.500 4 -2.500 14.500 h-38 q0 -10.500 -2.500 -14.500 q-10.500 -8 -12 -17 q-1.500 -11 8 -15 q8 -3 15 3.500 q2 -5 7 -8 v-8 h-6.500 v-6.500 h6.500 z", BASE], ["M50 64 q-1.500 -17 -10 -28", "M50 64 q1.500 -17 10 -28", "M29.500 65.500 q20.500 -5.500 41 0"]],
  n: [["M33 78 q0 -13 9 -21 q7 -6.500 8 -13 q-5 4.500 -12 5.500 q-2 5.500 -6.500 7.500 q-3.500 1.500 -6.500 -.500 q-5.500 -3.500 -3.500 -10 q3 -8 8.500 -17 q1.500 -6.500 6 -10 l1.500 -11 q7 3 10 8.500 q15 1 22.500 17 q6.500 15 4 44 z", BASE], ["M38.500 30.500 q2.500 -2 4.500 .500", "M27.500 47.500 q1.500 -1.500 2.500 0"]],
};

const XIANGQI = { K: "帥", A: "仕", B: "相", N: "傌", R: "俥", C: "炮", P: "兵", k: "將", a: "士", b: "象", n: "馬", r: "車", c: "砲", p: "卒" };
/** The letters that English books use: General, Advisor, Elephant, Horse, chaRiot, Cannon, Soldier. */
const LATIN = { k: "G", a: "A", b: "E", n: "H", r: "R", c: "C", p: "S" };
/** Letters of FEN that mean the same. */
const alike = piece => ({ e: "b", h: "n", E: "B", H: "N" })[piece] ?? piece;

function chessPiece(parent, piece) {
  const [outlines, lines] = CHESS[piece.toLowerCase()], isWhite = piece < "a";
  const ink = isWhite ? "#2a2622" : "#0e0d0c", inside = isWhite ? "#2a2622" : "#d8d2c8";
  for (const d of outlines) shape(parent, "path", { d, fill: isWhite ? "url(#ivory)" : "url(#ebony)", stroke: ink, "stroke-width": 2.6, "stroke-linejoin": "round" });
  for (const d of lines) shape(parent, "path", { d, fill: "none", stroke: inside, "stroke-width": 2.6, "stroke-linecap": "round" });
  if (piece.toLowerCase() === "n") shape(parent, "circle", { cx: 41, cy: 32, r: 2.2, fill: inside });
}

function xiangqiPiece(parent, piece, latin) {
  const isRed = piece < "a", color = isRed ? "#b3201c" : "#1d2a24", kind = alike(piece);
  shape(parent, "circle", { cx: 50, cy: 53, r: 45, fill: "#0003" });
  shape(parent, "circle", { cx: 50, cy: 50, r: 45, fill: "url(#disc)", stroke: "#8a6a3c", "stroke-width": 2 });
  shape(parent, "circle", { cx: 50, cy: 50, r: 38, fill: "none", stroke: color, "stroke-width": 2.4 });
  shape(parent, "text", { x: 50, y: latin ? 69 : 71, fill: color, "text-anchor": "middle", class: latin ? "latin" : "han" }, latin ? LATIN[kind.toLowerCase()] : XIANGQI[kind]);
}

/** A piece of chess or xiangqi alone, for palettes: a hundred units wide. */
export function drawPiece(svg, game, piece, latin) {
  const box = family(game) === "chess" ? chessPiece : xiangqiPiece;
  define(svg);
  box(shape(svg, "g"), piece, latin);
}

// ---- boards

function define(svg) {
  const defs = shape(svg, "defs");
  const gradient = (id, kind, attributes, stops) => {
    const element = shape(defs, kind, { id, ...attributes });
    for (const [offset, color] of stops) shape(element, "stop", { offset, "stop-color": color });
  };
  gradient("ivory", "linearGradient", { x1: 0, y1: 0, x2: 1, y2: 1 }, [[0, "#ffffff"], [1, "#e9e2d3"]]);
  gradient("ebony", "linearGradient", { x1: 0, y1: 0, x2: 1, y2: 1 }, [[0, "#5a534c"], [1, "#25211e"]]);
  gradient("disc", "radialGradient", { cx: 0.42, cy: 0.36, r: 0.75 }, [[0, "#fff6e0"], [0.75, "#f0dcb4"], [1, "#d9bd88"]]);
  gradient("wood", "linearGradient", { x1: 0, y1: 0, x2: 1, y2: 1 }, [[0, "#edc98a"], [0.5, "#e4bb76"], [1, "#d9ac63"]]);
  gradient("black", "radialGradient", { cx: 0.36, cy: 0.3, r: 0.75 }, [[0, "#6b6b70"], [0.35, "#2c2c30"], [1, "#0b0b0d"]]);
  gradient("white", "radialGradient", { cx: 0.38, cy: 0.32, r: 0.75 }, [[0, "#ffffff"], [0.6, "#f4f2ee"], [1, "#c9c6c0"]]);
  shape(shape(defs, "marker", { id: "tip", viewBox: "0 0 10 10", refX: 6, refY: 5, markerWidth: 3.2, markerHeight: 3.2, orient: "auto" }), "path", { d: "M0 0 L10 5 L0 10 Z", fill: "context-stroke" });
}

function chessBoard(svg, g, look) {
  for (let row = 0; row < 8; row++) for (let column = 0; column < 8; column++) {
    const [x, y] = g.xy(column, row, look.flipped);
    shape(svg, "rect", { x: x - 50, y: y - 50, width: 100, height: 100, class: (row + column) % 2 ? "dark" : "light" });
  }
}

function chessLabels(svg, g, look) {
  for (let i = 0; i < 8; i++) {
    const file = look.flipped ? 7 - i : i, rank = look.flipped ? i + 1 : 8 - i;
    shape(svg, "text", { x: 100 * i + 92, y: 793, class: `label on-${i % 2 ? "light" : "dark"}`, "text-anchor": "end" }, "abcdefgh"[file]);
    shape(svg, "text", { x: 6, y: 100 * i + 24, class: `label on-${i % 2 ? "dark" : "light"}` }, rank);
  }
}

function xiangqiBoard(svg, g, look) {
  const line = (a, b, c, d) => shape(svg, "line", { x1: X(a), y1: Y(b), x2: X(c), y2: Y(d) });
  const X = column => 78 + 100 * column, Y = row => 78 + 100 * row;
  shape(svg, "rect", { width: g.width, height: g.height, fill: "url(#wood)", rx: 12 });
  shape(svg, "rect", { x: X(0) - 10, y: Y(0) - 10, width: 820, height: 920, class: "frame" });
  for (let row = 0; row < 10; row++) line(0, row, 8, row);
  for (let column = 0; column < 9; column++) {
    if (column === 0 || column === 8) line(column, 0, column, 9);
    else { line(column, 0, column, 4); line(column, 5, column, 9); }
  }
  for (const row of [0, 7]) { line(3, row, 5, row + 2); line(5, row, 3, row + 2); }
  for (const [column, row] of [[1, 2], [7, 2], [1, 7], [7, 7], ...[0, 2, 4, 6, 8].flatMap(c => [[c, 3], [c, 6]])]) {
    for (const sx of [-1, 1]) for (const sy of [-1, 1]) {
      if (column + sx < 0 || column + sx > 8) continue;
      const x = X(column) + 8 * sx, y = Y(row) + 8 * sy;
      shape(svg, "path", { d: `M${x + 16 * sx} ${y} H${x} V${y + 16 * sy}`, class: "corner" });
    }
  }
  shape(svg, "text", { x: X(2), y: Y(4.5) + 18, class: "river" }, look.flipped ? "漢 界" : "楚 河");
  shape(svg, "text", { x: X(6), y: Y(4.5) + 18, class: "river" }, look.flipped ? "楚 河" : "漢 界");
  const label = (i, y, text) => shape(svg, "text", { x: X(i), y, class: "label", "text-anchor": "middle" }, text);
  if (look.files) {
    // Each side counts the files from its right; Chinese records count those of Red in Chinese.
    const number = (n, isRed) => (isRed && look.files === "chinese" ? "一二三四五六七八九"[n - 1] : n);
    for (let i = 0; i < 9; i++) {
      label(i, g.height - 8, number(9 - i, !look.flipped));
      label(i, 25, number(i + 1, look.flipped));
    }
    return;
  }
  for (let i = 0; i < 9; i++) label(i, g.height - 8, "abcdefghi"[look.flipped ? 8 - i : i]);
  for (let i = 0; i < 10; i++) shape(svg, "text", { x: 15, y: Y(i) + 8, class: "label", "text-anchor": "middle" }, look.flipped ? i : 9 - i);
}

/** Star points: the five or nine that players know. */
function stars(n) {
  if (n < 7) return [];
  const near = n > 12 ? 3 : 2, far = n - 1 - near, middle = (n - 1) / 2;
  const corners = [[near, near], [near, far], [far, near], [far, far]];
  if (n % 2 === 0 || n === 7) return corners;
  return n < 15 ? [...corners, [middle, middle]] : [near, middle, far].flatMap(a => [near, middle, far].map(b => [a, b]));
}

function goBoard(svg, g, look) {
  const near = 104, right = g.width - near, below = g.height - near, font = Math.max(g.columns, g.rows) > 13 ? 38 : 30;
  shape(svg, "rect", { width: g.width, height: g.height, fill: "url(#wood)", rx: 12 });
  const label = (x, y, text) => shape(svg, "text", { x, y, class: "label", "text-anchor": "middle", style: `font-size:${font}px` }, text);
  for (let i = 0; i < g.rows; i++) {
    const at = near + 100 * i;
    shape(svg, "line", { x1: near, x2: right, y1: at, y2: at, class: i === 0 || i === g.rows - 1 ? "edge" : null });
    for (const x of [30, g.width - 30]) label(x, at + font / 3, look.flipped ? i + 1 : g.rows - i);
  }
  for (let i = 0; i < g.columns; i++) {
    const at = near + 100 * i;
    shape(svg, "line", { y1: near, y2: below, x1: at, x2: at, class: i === 0 || i === g.columns - 1 ? "edge" : null });
    for (const y of [46, g.height - 22]) label(at, y, GO_FILES[look.flipped ? g.columns - 1 - i : i]);
  }
  for (const [a, b] of g.columns === g.rows ? stars(g.columns) : []) shape(svg, "circle", { cx: near + 100 * a, cy: near + 100 * b, r: 10, class: "star" });
}

function stone(parent, x, y, color, attributes) {
  shape(parent, "circle", { cx: x + 3, cy: y + 5, r: 47, fill: "#0004", ...attributes });
  shape(parent, "circle", { cx: x, cy: y, r: 47, fill: color === 1 ? "url(#black)" : "url(#white)", ...attributes });
}

/** Moves an element from where the move came from; only for the eye. */
function slide(element, [fx, fy], [tx, ty]) {
  if (matchMedia("(prefers-reduced-motion: reduce)").matches || !element.animate) return;
  element.animate([{ transform: `translate(${fx - tx}px, ${fy - ty}px)` }, { transform: "none" }], { duration: 140, easing: "ease-out" });
}

function pieces(svg, g, position, marks, look) {
  const layer = shape(svg, "g", { class: "pieces" });
  const [from, to] = marks.last ?? [];
  position.rows.forEach((row, r) => row.forEach((piece, column) => {
    if (piece === " ") return;
    const [x, y] = g.xy(column, r, look.flipped), name = g.name(column, r);
    const place = shape(layer, "g", { transform: `translate(${x - 50} ${y - 50})`, "data-at": name, class: name === marks.held ? "held" : null });
    const inner = shape(place, "g");
    if (g.kind === "chess") chessPiece(inner, piece); else xiangqiPiece(inner, piece, look.latin);
    if (marks.slide && name === to) slide(inner, g.xy(...g.place(from), look.flipped), [x, y]);
  }));
}

function stones(svg, g, position, marks, look) {
  const layer = shape(svg, "g", { class: "stones" }), dead = new Set(marks.dead ?? []);
  position.stones.forEach((color, at) => {
    if (!color) return;
    const [column, row] = [at % g.columns, Math.floor(at / g.columns)], [x, y] = g.xy(column, row, look.flipped);
    stone(layer, x, y, color, { opacity: dead.has(g.name(column, row)) ? 0.45 : null });
    if (marks.last?.[0] === g.name(column, row)) shape(layer, "circle", { cx: x, cy: y, r: 21, fill: "none", "stroke-width": 7, stroke: color === 1 ? "#fff" : "#222" });
  });
}

/** Whose each point will be: squares, the larger the surer. 1 is Black's, -1 White's. */
function owners(svg, g, owner, look) {
  const layer = shape(svg, "g", { class: "owners" });
  owner.forEach((value, at) => {
    if (Math.abs(value) < 0.1) return;
    const [x, y] = g.xy(at % g.columns, Math.floor(at / g.columns), look.flipped), r = 8 + 17 * Math.abs(value);
    shape(layer, "rect", { x: x - r, y: y - r, width: 2 * r, height: 2 * r, rx: 4, fill: value > 0 ? "#111" : "#fff", stroke: value > 0 ? "#fff9" : "#0009", "stroke-width": 2, opacity: 0.25 + 0.6 * Math.abs(value) });
  });
}

/** Moves that a search of Go looks at: `{at, label, detail, weight}`, the best first. */
function candidates(svg, g, list, look) {
  const layer = shape(svg, "g", { class: "candidates" });
  list.forEach((candidate, rank) => {
    const [x, y] = g.xy(...g.place(candidate.at), look.flipped);
    shape(layer, "circle", { cx: x, cy: y, r: 46, class: rank ? "other" : "best", opacity: 0.45 + 0.5 * candidate.weight });
    shape(layer, "text", { x, y: y + (candidate.detail ? -1 : 11), "text-anchor": "middle", class: "share" }, candidate.label);
    if (candidate.detail) shape(layer, "text", { x, y: y + 26, "text-anchor": "middle", class: "detail" }, candidate.detail);
  });
}

function arrow(svg, g, { from, to, weight }, look) {
  const a = g.xy(...g.place(from), look.flipped), b = g.xy(...g.place(to), look.flipped);
  const length = Math.hypot(b[0] - a[0], b[1] - a[1]) || 1, cut = 16 / length;
  shape(svg, "line", { x1: a[0], y1: a[1], x2: b[0] + (a[0] - b[0]) * cut, y2: b[1] + (a[1] - b[1]) * cut, class: "arrow", style: `stroke-width:${8 + 12 * weight}px`, opacity: 0.35 + 0.5 * weight, "marker-end": "url(#tip)" });
}

/** The corners around a point of the last move of xiangqi. */
function brackets(svg, x, y) {
  const d = [-1, 1].flatMap(a => [-1, 1].map(b => `M${x + 47 * a} ${y + 29 * b} V${y + 47 * b} H${x + 29 * a}`));
  shape(svg, "path", { d: d.join(" "), class: "bracket" });
}

/**
 * Draws a position. `marks` may have `last` (points of the last move), `slide`, `check`, `selected`, `targets`, `held`,
 * `arrows`, `candidates`, `owner`, `dead`, `cursor`; `look` has `flipped`, `latin` (letters for characters)
 * and `files`: the numbers of xiangqi's files as `chinese` or `wxf` records have them.
 */
export function draw(svg, game, position, marks = {}, look = {}) {
  const g = grid(game, position.size);
  svg.replaceChildren();
  svg.setAttribute("viewBox", `0 0 ${g.width} ${g.height}`);
  svg.classList.add("board");
  svg.dataset.game = g.kind;
  define(svg);
  const square = (name, cls) => {
    const [x, y] = g.xy(...g.place(name), look.flipped);
    if (g.kind === "chess") shape(svg, "rect", { x: x - 50, y: y - 50, width: 100, height: 100, class: cls });
    else shape(svg, "circle", { cx: x, cy: y, r: 49, class: cls });
  };
  ({ chess: chessBoard, xiangqi: xiangqiBoard, go: goBoard })[g.kind](svg, g, look);
  if (g.kind === "chess") for (const name of marks.last ?? []) square(name, "last");
  if (g.kind === "xiangqi") for (const name of marks.last ?? []) brackets(svg, ...g.xy(...g.place(name), look.flipped));
  if (marks.selected) square(marks.selected, "selected");
  if (marks.check) square(marks.check, "check");
  if (g.kind === "chess") chessLabels(svg, g, look);
  if (g.kind === "go") stones(svg, g, position, marks, look); else pieces(svg, g, position, marks, look);
  const isTaken = name => { const [c, r] = g.place(name); return position.rows?.[r][c] !== " "; };
  for (const name of marks.targets ?? []) {
    const [x, y] = g.xy(...g.place(name), look.flipped);
    if (isTaken(name)) shape(svg, "circle", { cx: x, cy: y, r: 44, class: "target-taken" });
    else shape(svg, "circle", { cx: x, cy: y, r: 15, class: "target" });
  }
  if (marks.owner) owners(svg, g, marks.owner, look);
  if (marks.candidates) candidates(svg, g, marks.candidates, look);
  for (const one of marks.arrows ?? []) arrow(svg, g, one, look);
  if (marks.cursor) square(marks.cursor, "cursor");
  return g;
}

/** The rules of style that a board needs, for pages that have no sheet of their own for it. */
export const STYLE = `
svg.board { display: block; width: 100%; height: auto; user-select: none; -webkit-user-select: none; touch-action: manipulation; }
svg.board .light { fill: #efdcbb; } svg.board .dark { fill: #b4875c; }
svg.board .last { fill: #f2d64b; opacity: .55; } svg.board .selected { fill: #6fa8e8; opacity: .6; }
svg.board .check { fill: #e0332c; opacity: .65; } svg.board .cursor { fill: none; stroke: #2f6fd0; stroke-width: 6; }
svg.board .target { fill: #1b5fae; opacity: .6; } svg.board .target-taken { fill: none; stroke: #1b5fae; stroke-width: 9; opacity: .65; }
svg.board .bracket { fill: none; stroke: #11618f; stroke-width: 7; stroke-linecap: round; stroke-linejoin: round; }
svg.board .held { opacity: .35; }
svg.board .label { font: 22px system-ui, sans-serif; fill: #6b4d24; } svg.board .label.on-light { fill: #a97b4f; font-weight: 600; } svg.board .label.on-dark { fill: #efdcbb; font-weight: 600; }
svg.board line, svg.board .corner, svg.board .frame { stroke: #6b4a22; stroke-width: 3; fill: none; }
svg.board .frame { stroke-width: 5; } svg.board[data-game=go] line { stroke-width: 2.5; stroke: #5b411f; } svg.board[data-game=go] line.edge { stroke-width: 4; }
svg.board .star { fill: #5b411f; }
svg.board .river { font: 54px "KaiTi", "Kaiti SC", "STKaiti", "BiauKai", "Noto Serif CJK TC", "Noto Serif TC", serif; fill: #6b4a22; text-anchor: middle; }
svg.board .han, svg .han { font: 700 58px "KaiTi", "Kaiti SC", "STKaiti", "BiauKai", "Noto Serif CJK TC", "Noto Serif TC", serif; }
svg.board .latin, svg .latin { font: 700 54px Georgia, "DejaVu Serif", serif; }
svg.board line.arrow { stroke: #1f7a4d; stroke-linecap: round; }
svg.board .candidates .best { fill: #5fd3e8; } svg.board .candidates .other { fill: #8fd07f; }
svg.board .candidates text { fill: #10222a; font-family: system-ui, sans-serif; } svg.board .candidates .share { font-size: 34px; font-weight: 600; } svg.board .candidates .detail { font-size: 24px; }
`;
