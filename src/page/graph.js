// The chances over the game: up is the side that moves first (White, Red; in Go Black).

import { shape } from "./boards.js";

const SIGN_COLORS = { "??": "var(--blunder)", "?": "var(--mistake)", "?!": "var(--slip)" };

/** Draws the opinions of the nodes of a line (the start first), and those of a `rival`; `go` is called with a node that was
 *  clicked. */
export function drawGraph(svg, nodes, now, isGo, go, empty) {
  const width = svg.clientWidth || 400, height = svg.clientHeight || 96, last = Math.max(nodes.length - 1, 1);
  svg.replaceChildren();
  svg.setAttribute("viewBox", `0 0 ${width} ${height}`);
  shape(svg, "rect", { width, height, rx: 6, class: "frame" });
  const x = i => 4 + (width - 8) * i / last, y = chances => height - 4 - (height - 8) * chances;
  const points = nodes.map((node, i) => [i, node.opinion?.chances]).filter(([, chances]) => chances !== undefined);
  if (points.length > 1) {
    const [first] = points[0], [end] = points.at(-1);
    const line = points.map(([i, chances]) => `${x(i).toFixed(1)},${y(chances).toFixed(1)}`).join(" ");
    const area = edge => `${x(first)},${edge} ${line} ${x(end)},${edge}`;
    shape(svg, "polygon", { points: area(0), class: isGo ? "above" : "below" });
    shape(svg, "polygon", { points: area(height), class: isGo ? "below" : "above" });
    shape(svg, "polyline", { points: line, class: "curve" });
    const rivals = nodes.flatMap((node, i) => (node.rival === undefined ? [] : [`${x(i).toFixed(1)},${y(node.rival).toFixed(1)}`]));
    if (rivals.length) shape(svg, "polyline", { points: rivals.join(" "), class: "rival" });
  } else shape(svg, "text", { x: width / 2, y: height / 2 + 4 }, empty);
  shape(svg, "line", { x1: 0, x2: width, y1: height / 2, y2: height / 2, class: "middle" });
  nodes.forEach((node, i) => {
    const color = SIGN_COLORS[node.sign];
    if (color && node.opinion) shape(svg, "circle", { cx: x(i), cy: y(node.opinion.chances), r: 4.5, fill: color, class: "bad" });
  });
  const at = nodes.indexOf(now);
  if (at >= 0) shape(svg, "line", { x1: x(at), x2: x(at), y1: 0, y2: height, class: "now" });
  const pick = event => {
    if (event.type === "pointermove" && !event.buttons) return;
    const box = svg.getBoundingClientRect();
    go(nodes[Math.max(0, Math.min(nodes.length - 1, Math.round((event.clientX - box.left - 4) / (box.width - 8) * last)))]);
  };
  svg.onpointerdown = svg.onpointermove = pick;
}
