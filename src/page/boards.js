// Boards of chess, xiangqi and Go as SVG, for `sanqi serve` and for all reports.
//
// A position is `{rows}` in chess and xiangqi (letters of FEN, a blank where nothing stands, from the top) and
// `{size, stones}` in Go (0 nothing, 1 Black, 2 White, row by row from the top). `draw` shows a position; what else is to
// be seen on it are its `marks`. Points have the names that the games have: e4, e0, D4.

export const SVG = "http://www.w3.org/2000/svg";
const GO_FILES = "ABCDEFGHJKLMNOPQRSTUVWXYZ";
const START = {
  chess: "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR",
  xiangqi: "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR",
};

/** What kind of board a game has. */
export const family = game => (game === "chess960" ? "chess" : game);

/** Adds an SVG element. */
export function shape(parent, tag, attributes, text) {
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
  // The numbers of Go's lines stand beside the stones of the edge: two digits need more than one.
  const margin = kind === "chess" ? 50 : kind === "xiangqi" ? 78 : rows > 13 ? 104 : rows > 9 ? 94 : 82;
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

/** The rights to castle that a move leaves: a right goes with its king and with its rook. */
function rightsAfter({ rows, rights }, ...points) {
  return [...rights].filter(letter => {
    const isWhite = letter < "a", y = isWhite ? 7 : 0, row = rows[y], side = letter.toUpperCase(), rook = isWhite ? "R" : "r";
    const x = side === "K" ? row.lastIndexOf(rook) : side === "Q" ? row.indexOf(rook) : "ABCDEFGH".indexOf(side);
    return !points.some(([column, at]) => at === y && (column === x || column === row.indexOf(isWhite ? "K" : "k")));
  }).join("") || "-";
}

const replayBoard = game => {
  const g = grid(game);
  return {
    start(fen) {
      const [, turn = "w", rights = g.kind === "chess" ? "KQkq" : "-", passant = "-", quiet = 0, number = 1] = (fen || START[g.kind]).split(" ");
      return { rows: fenRows(fen || START[g.kind]), turn, rights, passant, quiet: Number(quiet), number: Number(number) };
    },
    move(position, mv) {
      const rows = position.rows.map(row => [...row]);
      const [[fx, fy], [tx, ty]] = ends(game, mv).map(g.place);
      const piece = rows[fy][fx], target = rows[ty][tx], isWhite = piece < "a";
      const isPawn = g.kind === "chess" && piece.toLowerCase() === "p";
      const next = {
        rows, turn: isWhite ? "b" : "w", rights: g.kind === "chess" ? rightsAfter(position, [fx, fy], [tx, ty]) : "-",
        passant: isPawn && Math.abs(ty - fy) === 2 ? g.name(fx, (fy + ty) / 2) : "-",
        quiet: isPawn || target !== " " ? 0 : position.quiet + 1, number: position.number + (isWhite ? 0 : 1),
      };
      const ownRook = g.kind === "chess" && target.toLowerCase() === "r" && (target < "a") === isWhite;
      if (g.kind === "chess" && piece.toLowerCase() === "k" && (ownRook || Math.abs(tx - fx) === 2)) {
        const right = tx > fx, from = ownRook ? tx : right ? 7 : 0, rook = rows[fy][from];
        rows[fy][fx] = rows[fy][from] = " ";
        rows[fy][right ? 6 : 2] = piece;
        rows[fy][right ? 5 : 3] = rook;
        return { ...next, quiet: position.quiet + 1 };
      }
      if (isPawn && fx !== tx && target === " ") rows[fy][tx] = " ";
      rows[fy][fx] = " ";
      rows[ty][tx] = mv[4] ? (isWhite ? mv[4].toUpperCase() : mv[4]) : piece;
      return next;
    },
  };
};

/** The FEN of a position that was played to. */
export const fenOf = ({ rows, turn, rights, passant, quiet, number }) => [rows.map(row => row.join("").replace(/ +/g, blanks => blanks.length)).join("/"), turn, rights, passant, quiet, number].join(" ");

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
  const [near] = g.xy(0, 0), right = g.width - near, below = g.height - near, font = Math.max(g.columns, g.rows) > 13 ? 35 : 28;
  shape(svg, "rect", { width: g.width, height: g.height, fill: "url(#wood)", rx: 12 });
  const label = (x, y, text) => shape(svg, "text", { x, y, class: "label", "text-anchor": "middle", style: `font-size:${font}px` }, text);
  const rim = (near - 47) / 2;
  for (let i = 0; i < g.rows; i++) {
    const at = near + 100 * i;
    shape(svg, "line", { x1: near, x2: right, y1: at, y2: at, class: i === 0 || i === g.rows - 1 ? "edge" : null });
    for (const x of [rim, g.width - rim]) label(x, at + font / 3, look.flipped ? i + 1 : g.rows - i);
  }
  for (let i = 0; i < g.columns; i++) {
    const at = near + 100 * i;
    shape(svg, "line", { y1: near, y2: below, x1: at, x2: at, class: i === 0 || i === g.columns - 1 ? "edge" : null });
    for (const y of [rim + font * 0.36, g.height - rim + font * 0.3]) label(at, y, GO_FILES[look.flipped ? g.columns - 1 - i : i]);
  }
  for (const [a, b] of g.columns === g.rows ? stars(g.columns) : []) shape(svg, "circle", { cx: near + 100 * a, cy: near + 100 * b, r: 10, class: "star" });
}

// ---- what stands on a board and changes: elements stay, and only what is new about them is written

/** Has a layer show `shapes`, each `[key, tag, attributes, text]`. */
function fill(layer, shapes) {
  const before = layer.shapes ?? new Map(), now = new Map();
  const keys = new Set(shapes.map(([key]) => key));
  for (const [key, { element }] of before) if (!keys.has(key)) element.remove();
  let next = layer.firstChild;
  for (const [key, tag, attributes, text] of shapes) {
    const one = before.get(key) ?? { element: document.createElementNS(SVG, tag), attributes: {} };
    for (const name in attributes) {
      const value = attributes[name] ?? null;
      if ((one.attributes[name] ?? null) === value) continue;
      if (value === null) one.element.removeAttribute(name); else one.element.setAttribute(name, value);
    }
    if (one.text !== text) one.element.textContent = text;
    Object.assign(one, { attributes, text });
    now.set(key, one);
    if (one.element === next) next = next.nextSibling; else layer.insertBefore(one.element, next);
  }
  layer.shapes = now;
}

/** Moves an element from where the move came from; only for the eye. */
function slide(element, [fx, fy], [tx, ty]) {
  if (matchMedia("(prefers-reduced-motion: reduce)").matches || !element.animate) return;
  element.animate([{ transform: `translate(${fx - tx}px, ${fy - ty}px)` }, { transform: "none" }], { duration: 140, easing: "ease-out" });
}

/** Puts the pieces of a position on the board. A piece that has moved is the element that it was. */
function placePieces(layer, g, position, marks, look) {
  const before = layer.pieces ?? new Map(), now = new Map(), fresh = [];
  const [from, to] = marks.last ?? [];
  position.rows.forEach((row, r) => row.forEach((piece, column) => {
    if (piece === " ") return;
    const name = g.name(column, r), one = before.get(name);
    if (one?.piece !== piece) return void fresh.push([name, piece, column, r]);
    now.set(name, one);
    before.delete(name);
  }));
  for (const [name, piece, column, r] of fresh) {
    const origin = name === to && before.get(from)?.piece === piece ? from : [...before].find(([, one]) => one.piece === piece)?.[0];
    const one = before.get(origin) ?? { piece, element: shape(layer, "g") };
    if (!before.delete(origin)) drawOne(shape(one.element, "g"), g.kind, piece, look);
    const [x, y] = g.xy(column, r, look.flipped);
    one.element.setAttribute("transform", `translate(${x - 50} ${y - 50})`);
    one.element.dataset.at = name;
    now.set(name, one);
    if (!marks.slide || name !== to) continue;
    layer.append(one.element);
    slide(one.element.firstChild, g.xy(...g.place(from), look.flipped), [x, y]);
  }
  for (const { element } of before.values()) element.remove();
  for (const [name, { element }] of now) element.classList.toggle("held", name === marks.held);
  layer.pieces = now;
}

function stones(g, position, marks, look) {
  const shapes = [], dead = new Set(marks.dead ?? []);
  position.stones.forEach((color, at) => {
    if (!color) return;
    const [column, row] = [at % g.columns, Math.floor(at / g.columns)], [x, y] = g.xy(column, row, look.flipped);
    const opacity = dead.size && dead.has(g.name(column, row)) ? 0.45 : null;
    shapes.push([`shadow ${at}`, "circle", { cx: x + 3, cy: y + 5, r: 47, fill: "#0004", opacity }]);
    shapes.push([`stone ${at}`, "circle", { cx: x, cy: y, r: 47, fill: color === 1 ? "url(#black)" : "url(#white)", opacity }]);
  });
  for (const { at, number, loss } of marks.played ?? []) {
    const color = colorAt(g, position, at), [x, y] = g.xy(...g.place(at), look.flipped);
    if (!color) continue;
    shapes.push([`number ${at}`, "text", { x, y: y + 13, class: `number on-${color === 1 ? "black" : "white"}`, "text-anchor": "middle" }, number]);
    if (loss) shapes.push([`loss ${at}`, "circle", { cx: x + 32, cy: y - 32, r: 13, fill: loss, stroke: "#222", "stroke-width": 2 }]);
  }
  const [last] = marks.last ?? [], color = marks.played ? 0 : last && colorAt(g, position, last);
  const isMarked = [...(marks.markup?.signs ?? []), ...(marks.markup?.labels ?? [])].some(({ at }) => at === last);
  if (color && !isMarked) {
    const [cx, cy] = g.xy(...g.place(last), look.flipped);
    shapes.push(["last", "circle", { cx, cy, r: 21, fill: "none", "stroke-width": 7, stroke: color === 1 ? "#fff" : "#222" }]);
  }
  return shapes;
}

/** The stone on a point of Go: 0 none, 1 Black's, 2 White's. */
function colorAt(g, position, name) {
  const [column, row] = g.place(name);
  return position.stones?.[row * g.columns + column] ?? 0;
}

/** Whose each point will be: squares, the larger the surer. 1 is Black's, -1 White's. */
function owners(g, owner, look) {
  return owner.flatMap((value, at) => {
    const sure = Math.round(20 * Math.abs(value)) / 20;
    if (sure < 0.1) return [];
    const [x, y] = g.xy(at % g.columns, Math.floor(at / g.columns), look.flipped), r = 8 + 17 * sure;
    return [[at, "rect", { x: x - r, y: y - r, width: 2 * r, height: 2 * r, rx: 4, fill: value > 0 ? "#111" : "#fff", stroke: value > 0 ? "#fff9" : "#0009", "stroke-width": 2, opacity: 0.25 + 0.6 * sure }]];
  });
}

/** Moves that a search of Go looks at: `{at, label, detail, weight}`, the best first. */
function candidates(g, list, look) {
  return list.flatMap(({ at, label, detail, weight }, rank) => {
    const [x, y] = g.xy(...g.place(at), look.flipped), shapes = [];
    shapes.push([`${at} disc`, "circle", { cx: x, cy: y, r: 46, class: rank ? "other" : "best", opacity: (0.45 + 0.5 * weight).toFixed(2) }]);
    shapes.push([`${at} label`, "text", { x, y: y + (detail ? -1 : 11), "text-anchor": "middle", class: "share" }, label]);
    if (detail) shapes.push([`${at} detail`, "text", { x, y: y + 26, "text-anchor": "middle", class: "detail" }, detail]);
    return shapes;
  });
}

function arrow(key, g, { from, to, weight = 0.5, color }, look) {
  const a = g.xy(...g.place(from), look.flipped), b = g.xy(...g.place(to), look.flipped);
  const length = Math.hypot(b[0] - a[0], b[1] - a[1]) || 1, cut = 16 / length;
  // The character on a piece stays legible.
  const rim = g.kind === "xiangqi" ? 46 / length : 0;
  const ends = { x1: a[0] + (b[0] - a[0]) * rim, y1: a[1] + (b[1] - a[1]) * rim, x2: b[0] + (a[0] - b[0]) * cut, y2: b[1] + (a[1] - b[1]) * cut };
  return [key, "line", { ...ends, class: `arrow ${color ?? ""}`, style: `stroke-width:${8 + 12 * weight}px`, opacity: color ? 0.8 : 0.35 + 0.5 * weight, "marker-end": "url(#tip)" }];
}

/** What a person has drawn: `{arrows, circles, labels, signs, territory}`. */
function markup(g, position, { arrows = [], circles = [], labels = [], signs = [], territory = [] }, look) {
  const xy = at => g.xy(...g.place(at), look.flipped);
  const ink = at => (g.kind === "go" ? (colorAt(g, position, at) === 1 ? "on-black" : "on-light") : "on-light");
  const signOf = {
    TR: (x, y) => `M${x} ${y - 28} L${x + 25} ${y + 16} H${x - 25} Z`,
    SQ: (x, y) => `M${x - 21} ${y - 21} h42 v42 h-42 Z`,
    CR: (x, y) => `M${x - 24} ${y} a24 24 0 1 0 48 0 a24 24 0 1 0 -48 0`,
    MA: (x, y) => `M${x - 20} ${y - 20} l40 40 m0 -40 l-40 40`,
  };
  return [
    ...territory.map(({ at, color }) => {
      const [x, y] = xy(at);
      return [`owned ${at}`, "rect", { x: x - 17, y: y - 17, width: 34, height: 34, rx: 4, class: `owned ${color}` }];
    }),
    ...circles.map(({ at, color }) => {
      const [cx, cy] = xy(at);
      return [`circle ${at}`, "circle", { cx, cy, r: g.kind === "chess" ? 45 : 48, class: `circle ${color}` }];
    }),
    ...signs.map(({ at, sign }) => [`sign ${at}`, "path", { d: signOf[sign](...xy(at)), class: `sign ${ink(at)}` }]),
    ...labels.flatMap(({ at, text }) => {
      const [x, y] = xy(at), isBare = g.kind === "go" && !colorAt(g, position, at);
      const plate = isBare ? [[`plate ${at}`, "circle", { cx: x, cy: y, r: 34, class: "plate" }]] : [];
      return [...plate, [`label ${at}`, "text", { x, y: y + 18, class: `letter ${ink(at)}`, "text-anchor": "middle" }, text.slice(0, 3)]];
    }),
    ...arrows.map(one => arrow(`arrow ${one.from}${one.to}`, g, one, look)),
  ];
}

/** The corners around a point of the last move of xiangqi. */
function brackets(/** @type {any} */ [x, y]) {
  const d = [-1, 1].flatMap(a => [-1, 1].map(b => `M${x + 47 * a} ${y + 29 * b} V${y + 47 * b} H${x + 29 * a}`));
  return { d: d.join(" "), class: "bracket" };
}

/** A board without anything on it, and the layers for that. */
function makeBoard(svg, g, look) {
  svg.replaceChildren();
  svg.setAttribute("viewBox", `0 0 ${g.width} ${g.height}`);
  svg.classList.add("board");
  svg.dataset.game = g.kind;
  define(svg);
  ({ chess: chessBoard, xiangqi: xiangqiBoard, go: goBoard })[g.kind](svg, g, look);
  const layers = { under: shape(svg, "g") };
  if (g.kind === "chess") chessLabels(svg, g, look);
  for (const name of [g.kind === "go" ? "stones" : "pieces", "targets", "owners", "candidates", "arrows", "markup", "over"]) layers[name] = shape(svg, "g", { class: name });
  return layers;
}

/**
 * Draws a position; of a board that is there already only what has changed. `marks` may have `last` (points of the last
 * move), `slide`, `check`, `selected`, `planned` (points of a premove), `targets`, `held`, `arrows`, `candidates`,
 * `owner`, `dead`, `played` (stones with the number of their move: `{at, number, loss}`, a color for what it lost), `markup`, `stones` (those that may come: `{at, color}`, of a line with `number`), `cursor`; `look` has `flipped`, `latin` (letters for
 * characters), `flat` (the other chess pieces) and `files`: the numbers of xiangqi's files as `chinese` or `wxf` records
 * have them.
 */
export function draw(svg, game, position, marks = {}, look = {}) {
  const g = grid(game, position.size);
  const key = [g.kind, g.columns, g.rows, Boolean(look.flipped), look.latin, look.flat, look.files].join();
  if (svg.drawn?.key !== key) svg.drawn = { key, layers: makeBoard(svg, g, look) };
  const { layers } = svg.drawn, xy = name => g.xy(...g.place(name), look.flipped);
  const square = (name, cls) => {
    const [x, y] = xy(name), key = `${cls} ${name}`;
    if (g.kind === "chess") return [key, "rect", { x: x - 50, y: y - 50, width: 100, height: 100, class: cls }];
    return [key, "circle", { cx: x, cy: y, r: 49, class: cls }];
  };
  const last = g.kind === "go" ? [] : (marks.last ?? []).map(name => (g.kind === "chess" ? square(name, "last") : [`last ${name}`, "path", brackets(xy(name))]));
  const squares = [["selected", marks.selected], ["check", marks.check], ...(marks.planned ?? []).map(name => ["planned", name])];
  fill(layers.under, [...last, ...squares.filter(([, name]) => name).map(([cls, name]) => square(name, cls))]);
  if (g.kind === "go") fill(layers.stones, stones(g, position, marks, look)); else placePieces(layers.pieces, g, position, marks, look);
  fill(layers.targets, (marks.targets ?? []).map(name => {
    const [cx, cy] = xy(name), [column, row] = g.place(name), isTaken = position.rows?.[row][column] !== " ";
    return [name, "circle", isTaken ? { cx, cy, r: 44, class: "target-taken" } : { cx, cy, r: 15, class: "target" }];
  }));
  fill(layers.owners, marks.owner ? owners(g, marks.owner, look) : []);
  fill(layers.candidates, marks.candidates ? candidates(g, marks.candidates, look) : []);
  fill(layers.arrows, (marks.arrows ?? []).map(one => arrow(`${one.from}${one.to}`, g, one, look)));
  fill(layers.markup, marks.markup ? markup(g, position, marks.markup, look) : []);
  fill(layers.over, [
    ...(marks.cursor ? [square(marks.cursor, "cursor")] : []),
    ...(marks.stones ?? []).flatMap(({ at, color, number }) => {
      const [cx, cy] = xy(at), stone = [`stone ${at}`, "circle", { cx, cy, r: 46, class: `${number ? "planned" : "ghost"} ${color}` }];
      return number ? [stone, [`number ${at}`, "text", { x: cx, y: cy + 15, class: `number on-${color}`, "text-anchor": "middle" }, number]] : [stone];
    }),
  ]);
  return g;
}

/** The rules of style that a board needs, in a page and in a picture. */
export const STYLE = `
svg.board { display: block; width: 100%; height: auto; user-select: none; -webkit-user-select: none; touch-action: manipulation; -webkit-tap-highlight-color: transparent; }
svg.board .light { fill: #efdcbb; } svg.board .dark { fill: #b4875c; }
svg.board .last { fill: #f2d64b; opacity: .55; } svg.board .selected { fill: #6fa8e8; opacity: .6; }
svg.board .check { fill: #e0332c; opacity: .65; } svg.board .cursor { fill: none; stroke: #2f6fd0; stroke-width: 6; }
svg.board .target { fill: #1b5fae; opacity: .6; } svg.board .target-taken { fill: none; stroke: #1b5fae; stroke-width: 9; opacity: .65; }
svg.board .bracket { fill: none; stroke: #11618f; stroke-width: 7; stroke-linecap: round; stroke-linejoin: round; }
svg.board .held { opacity: .35; } svg.board .planned { fill: #3f8f7f; opacity: .6; }
svg.board .ghost { opacity: .5; pointer-events: none; } svg.board .ghost.black { fill: #111; } svg.board .ghost.white { fill: #fff; stroke: #555; stroke-width: 2; } svg.board .over .ghost { opacity: .8; stroke: #b3201c; stroke-width: 7; }
svg.board .over .planned.black { fill: #111; opacity: .8; } svg.board .over .planned.white { fill: #fff; stroke: #555; stroke-width: 2; opacity: .85; }
svg.board .number { font: 600 42px system-ui, sans-serif; pointer-events: none; } svg.board .number.on-black { fill: #fff; } svg.board .number.on-white { fill: #111; }
svg.board .circle { fill: none; stroke-width: 7; opacity: .85; } svg.board .green { stroke: #15781b; } svg.board .red { stroke: #9c1f1f; } svg.board .blue { stroke: #1a3f94; } svg.board .yellow { stroke: #f2b705; filter: drop-shadow(0 0 2px #000c); }
svg.board .sign { fill: none; stroke-width: 7; stroke-linejoin: round; } svg.board .sign.on-light { stroke: #17130e; } svg.board .sign.on-black { stroke: #fff; }
svg.board .letter { font: 700 52px system-ui, sans-serif; } svg.board .letter.on-light { fill: #17130e; } svg.board .letter.on-black { fill: #fff; } svg.board .plate { fill: #e4bb76; }
svg.board .owned { stroke-width: 3; } svg.board .owned.black { fill: #111; stroke: #fff9; } svg.board .owned.white { fill: #fff; stroke: #0009; }
svg.board .label { font: 22px system-ui, sans-serif; fill: #5c3f19; } svg.board .label.on-light { fill: #7d5228; font-weight: 600; } svg.board .label.on-dark { fill: #2f1b06; font-weight: 600; }
svg.board line, svg.board .corner, svg.board .frame { stroke: #6b4a22; stroke-width: 3; fill: none; }
svg.board .frame { stroke-width: 5; } svg.board[data-game=go] line { stroke-width: 2.5; stroke: #5b411f; } svg.board[data-game=go] line.edge { stroke-width: 4; }
svg.board .star { fill: #5b411f; }
svg.board .river { font: 54px "KaiTi", "Kaiti SC", "STKaiti", "BiauKai", "Noto Serif CJK TC", "Noto Serif TC", serif; fill: #6b4a22; text-anchor: middle; }
svg.board .han, svg .han { font: 700 58px "KaiTi", "Kaiti SC", "STKaiti", "BiauKai", "Noto Serif CJK TC", "Noto Serif TC", serif; }
svg.board .latin, svg .latin { font: 700 54px Georgia, "DejaVu Serif", serif; }
svg.board line.arrow { stroke-linecap: round; } svg.board .arrows line.arrow { stroke: #1f7a4d; } svg.board .markup line.arrow.plain { stroke: #17130e; }
svg.board .candidates .best { fill: #5fd3e8; } svg.board .candidates .other { fill: #8fd07f; }
svg.board .candidates text { fill: #10222a; font-family: system-ui, sans-serif; } svg.board .candidates .share { font-size: 34px; font-weight: 600; } svg.board .candidates .detail { font-size: 24px; }
`;
