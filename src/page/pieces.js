// The pieces of chess and xiangqi, which boards.js puts on its boards: on a square of a hundred units.

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

const FOOT = "M26 88 v-9 h48 v9 z";
/** The same for the other pieces, which are flat. */
const FLAT = {
  p: [["M50 22 a14 14 0 0 1 7.500 26 L66 79 H34 L42.500 48 A14 14 0 0 1 50 22 z", FOOT], []],
  r: [["M28 20 h11 v9 h6 v-9 h10 v9 h6 v-9 h11 v20 l-6 7 v32 h-32 v-32 l-6 -7 z", FOOT], ["M34 47 h32"]],
  b: [["M50 13 C67 29 70 45 61 57 L67 79 H33 L39 57 C30 45 33 29 50 13 z", FOOT], ["M56 30 L46 43"]],
  n: [["M33 79 L40 60 L53 47 L41 49 L31 58 L22 50 L35 31 L36 15 L47 25 C66 27 75 45 70 79 z", FOOT], ["M42 35 l3 -2"]],
  q: [["M30 79 L18 30 L35 49 L36 20 L50 45 L64 20 L65 49 L82 30 L70 79 z", FOOT], ["M32 68 h36"]],
  k: [["M46 9 h8 v8 h8 v8 h-8 v14 C62 30 76 31 82 43 L70 79 H30 L18 43 C24 31 38 30 46 39 v-14 h-8 v-8 h8 z", FOOT], ["M32 68 h36"]],
};

const XIANGQI = { K: "帥", A: "仕", B: "相", N: "傌", R: "俥", C: "炮", P: "兵", k: "將", a: "士", b: "象", n: "馬", r: "車", c: "砲", p: "卒" };
/** The letters that English books use: General, Advisor, Elephant, Horse, chaRiot, Cannon, Soldier. */
const LATIN = { k: "G", a: "A", b: "E", n: "H", r: "R", c: "C", p: "S" };
/** Letters of FEN that mean the same. */
const alike = piece => ({ e: "b", h: "n", E: "B", H: "N" })[piece] ?? piece;

function chessPiece(parent, piece, { flat }) {
  const [outlines, lines] = (flat ? FLAT : CHESS)[piece.toLowerCase()], isWhite = piece < "a";
  const ink = isWhite ? "#2a2622" : "#0e0d0c", inside = isWhite ? "#2a2622" : "#d8d2c8";
  const fill = flat ? (isWhite ? "#fffdf7" : "#35302b") : isWhite ? "url(#ivory)" : "url(#ebony)", width = flat ? 3.2 : 2.6;
  for (const d of outlines) shape(parent, "path", { d, fill, stroke: ink, "stroke-width": width, "stroke-linejoin": "round" });
  for (const d of lines) shape(parent, "path", { d, fill: "none", stroke: inside, "stroke-width": width, "stroke-linecap": "round" });
  if (piece.toLowerCase() === "n" && !flat) shape(parent, "circle", { cx: 41, cy: 32, r: 2.2, fill: inside });
}

function xiangqiPiece(parent, piece, { latin }) {
  const isRed = piece < "a", color = isRed ? "#b3201c" : "#1d2a24", kind = alike(piece);
  shape(parent, "circle", { cx: 50, cy: 53, r: 45, fill: "#0003" });
  shape(parent, "circle", { cx: 50, cy: 50, r: 45, fill: "url(#disc)", stroke: "#8a6a3c", "stroke-width": 2 });
  shape(parent, "circle", { cx: 50, cy: 50, r: 38, fill: "none", stroke: color, "stroke-width": 2.4 });
  shape(parent, "text", { x: 50, y: latin ? 69 : 71, fill: color, "text-anchor": "middle", class: latin ? "latin" : "han" }, latin ? LATIN[kind.toLowerCase()] : XIANGQI[kind]);
}

/** Draws a piece; `look` has `flat` and `latin`. */
const drawOne = (parent, game, piece, look) => (family(game) === "chess" ? chessPiece : xiangqiPiece)(parent, piece, look);

/** A piece of chess or xiangqi alone, for palettes: a hundred units wide. */
export function drawPiece(svg, game, piece, look = {}) {
  define(svg);
  drawOne(shape(svg, "g"), game, piece, look);
}
