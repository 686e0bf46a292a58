// The tree of moves as a graph: moves go to the right, variations down.

import { moveOf } from "./game.js";
import { written } from "./moves.js";

const SVG = "http://www.w3.org/2000/svg";
/** Pixels from a move to the next one, and between lines. */
const STEP = 26, ROW = 24, EDGE = 14, RADIUS = 8;
const SIGNS = { "??": "s2", "?": "s1", "?!": "s0" };

function put(parent, tag, attributes, text) {
  const element = document.createElementNS(SVG, tag);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  if (text !== undefined) element.textContent = text;
  return parent.appendChild(element);
}

/** Where each node stands: its column is its depth; a variation gets the first row below its parent's that is free. */
export function arrange(root) {
  const places = new Map(), ends = [];
  // Of each row the columns that are taken begin there: lines are laid from the last variation of a game to the first.
  const lay = (first, depth, least) => {
    const line = [];
    for (let node = first; node; node = node.children[0]) line.push(node);
    let row = least;
    while (ends[row] !== undefined && ends[row] <= depth + line.length) row++;
    line.forEach((node, i) => places.set(node, [depth + i, row]));
    ends[row] = depth - 1;
    return line;
  };
  const todo = [[root, 0, 0]];
  while (todo.length) {
    const [first, depth, least] = todo.pop(), line = lay(first, depth, least);
    // The variations of the end of a line are laid first.
    line.forEach((node, i) => {
      for (const other of node.children.slice(1).reverse()) todo.push([other, depth + i + 1, places.get(node)[1] + 1]);
    });
  }
  return places;
}

/** Draws the tree of a game into a box that scrolls; `go` is called with a node that was clicked. */
export function drawBranches(box, game, now, notation, go) {
  const nodes = [game.root, ...game.nodes()];
  const shape = nodes.map(node => `${node.id} ${node.parent?.id} ${node.sign} ${Boolean(node.comment)}`).join() + notation;
  if (box.shape !== shape) {
    box.shape = shape;
    const places = arrange(game.root), xy = node => places.get(node).map((n, i) => EDGE + n * [STEP, ROW][i]);
    const columns = Math.max(...[...places.values()].map(([column]) => column)), rows = Math.max(...[...places.values()].map(([, row]) => row));
    const svg = document.createElementNS(SVG, "svg");
    svg.setAttribute("width", `${2 * EDGE + columns * STEP}`);
    svg.setAttribute("height", `${2 * EDGE + rows * ROW}`);
    svg.setAttribute("aria-hidden", "true");
    const edges = nodes.slice(1).map(node => {
      const [x, y] = xy(node), [px, py] = xy(node.parent);
      return y === py ? `M${px} ${py}H${x}` : `M${px} ${py}V${y - ROW / 2}L${Math.min(x, px + ROW / 2)} ${y}H${x}`;
    });
    put(svg, "path", { d: edges.join(""), class: "edges" });
    box.dots = new Map(nodes.map(node => {
      const [cx, cy] = xy(node), isMove = node.parent && moveOf(node.mv);
      const side = isMove ? game.side(node.parent) ^ (game.isGo ? 1 : 0) : 0;
      const dot = put(svg, "circle", { cx, cy, r: isMove ? RADIUS : RADIUS / 2, class: `${isMove ? ["first", "second"][side] : "start"} ${SIGNS[node.sign] ?? ""} ${node.comment ? "said" : ""}` });
      put(dot, "title", {}, [written(node.text, notation) || node.mv || "", node.sign, node.comment].filter(Boolean).join(" "));
      dot.onclick = () => go(node);
      return [node, dot];
    }));
    box.replaceChildren(svg);
  }
  box.querySelector(".now")?.classList.remove("now");
  const dot = box.dots.get(now);
  if (!dot) return;
  dot.classList.add("now");
  requestAnimationFrame(() => {
    box.scrollLeft = dot.cx.baseVal.value - box.clientWidth / 2;
    box.scrollTop = dot.cy.baseVal.value - box.clientHeight / 2;
  });
}
