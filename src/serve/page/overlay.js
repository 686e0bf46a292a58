// What lies over the drawn board: the opponent's threat, and the colors of Go's candidates by the points they lose.

import { grid, shape } from "./boards.js";

/** Draws the move that threatens: an arrow, in Go a ring. None takes the one before away. */
export function drawThreat(svg, kind, size, flipped, mv) {
  svg.querySelector(".threat")?.remove();
  if (!mv || mv === "pass") return;
  const g = grid(kind, size), layer = shape(svg, "g", { class: "threat" });
  if (kind === "go") {
    const [x, y] = g.xy(...g.place(mv), flipped);
    shape(layer, "circle", { cx: x, cy: y, r: 38 });
    shape(layer, "circle", { cx: x, cy: y, r: 9, class: "dot" });
    return;
  }
  const [from, to] = [mv.slice(0, 2), mv.slice(2, 4)].map(name => g.xy(...g.place(name), flipped));
  const [dx, dy] = [to[0] - from[0], to[1] - from[1]], length = Math.hypot(dx, dy) || 1, [ux, uy] = [dx / length, dy / length];
  const tip = [to[0] - 8 * ux, to[1] - 8 * uy], neck = [to[0] - 44 * ux, to[1] - 44 * uy], at = (p, w) => `${p[0] - uy * w} ${p[1] + ux * w}`;
  shape(layer, "path", { d: `M${at([from[0] + 30 * ux, from[1] + 30 * uy], 7)} L${at(neck, 7)} L${at(neck, 22)} L${tip.join(" ")} L${at(neck, -22)} L${at(neck, -7)} L${at([from[0] + 30 * ux, from[1] + 30 * uy], -7)} Z` });
}

/** Points that a candidate loses, and its color (the scale of KaTrain). */
/** @type {[number, string][]} */
const SCALE = [[0.5, "#5fd3e8"], [1.5, "#8fd07f"], [3, "#d9d94e"], [6, "#efa845"], [12, "#e8695a"], [Infinity, "#b06bc9"]];

/** The color of a move by the points that it loses. @param {number} points */
export const lossColor = points => SCALE.find(([most]) => points < most)[1];

/** Colors the candidates that are drawn, in their order, by what each loses against the best. */
export function colorCandidates(svg, losses) {
  svg.querySelectorAll(".candidates circle").forEach((circle, i) => {
    if (losses[i] !== undefined) circle.style.fill = lossColor(losses[i]);
  });
}
