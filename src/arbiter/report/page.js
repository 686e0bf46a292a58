// The report of a match: its result, its tables and curves, and every game in the viewer.

/** Games that a curve needs to show more than chance. */
const ENOUGH = 8;

/** A curve of `[x, y]`, with a band of `[x, low, high]` and horizontal bounds. */
function plot(parent, points, band, bounds) {
  const [w, h, left, bottom, top, right] = [520, 200, 46, 22, 10, 10];
  const svg = shape(parent, "svg", { viewBox: `0 0 ${w} ${h}`, class: "chart" });
  const ys = [0, ...bounds, ...points.map(p => p[1]), ...band.flatMap(p => [p[1], p[2]])];
  const [low, high] = [Math.min(...ys), Math.max(...ys, Math.min(...ys) + 1e-9)], first = points[0][0], last = points.at(-1)[0];
  const x = v => left + (w - left - right) * (v - first) / Math.max(last - first, 1), y = v => top + (h - top - bottom) * (high - v) / (high - low);
  const line = list => list.map(([a, b]) => `${x(a).toFixed(1)},${y(b).toFixed(1)}`).join(" ");
  if (band.length) shape(svg, "polygon", { points: `${line(band.map(p => [p[0], p[2]]))} ${line([...band].reverse())}` });
  for (const v of [0, ...bounds]) shape(svg, "line", { x1: left, x2: w - right, y1: y(v), y2: y(v), class: v ? "bound" : null });
  for (const v of new Set([low, high, 0, ...bounds])) shape(svg, "text", { x: left - 7, y: y(v) + 4, "text-anchor": "end" }, v.toFixed(high - low < 20 ? 2 : 0));
  for (const [v, anchor] of [[first, "start"], [last, "end"]]) shape(svg, "text", { x: x(v), y: h - 5, "text-anchor": anchor }, v);
  shape(svg, "polyline", { points: line(points) });
}

/** Boxes side by side. */
const columns = () => put(document.body, "div", null, { class: "columns" });
pageTitle(DATA.event, [DATA.gameName, `${DATA.games.length}${WORDS.count}`, DATA.conditions, DATA.verdict].filter(Boolean).join(" · "));
const openAt = number => {
  const index = DATA.games.findIndex(game => game.n === number + 1);
  if (index < 0) return;
  openGame(index);
  viewer.box.scrollIntoView();
};
const cup = columns();
showCup(cup, DATA.cup, WORDS, (parent, number) => {
  put(parent, "a", number + 1, { href: "#", class: "faint" }).onclick = event => { event.preventDefault(); openAt(number); };
  parent.append(" ");
});
cup.hidden = !DATA.cup;

const tables = columns(), result = panel(tables, WORDS.result);
for (const text of [DATA.result, DATA.champion]) if (text) put(result, "p", text);
put(result, "p", DATA.played, { class: "faint" });
table(result, [WORDS.engine, WORDS.calls, WORDS.command, WORDS.options], DATA.engines, { class: "text" });
standingsTable(panel(tables, WORDS.standings), DATA.standings, WORDS);
if (DATA.names.length > 2) table(panel(tables, WORDS.cross), ["", ...DATA.standings.map((_, i) => i + 1)], DATA.cross.map((cells, i) => [`${i + 1} ${DATA.standings[i].name}`, ...cells.map(c => (c ? `+${c[0]} =${c[1]} −${c[2]}` : "·"))]));

// The first games have errors that say nothing: the curve begins where its last error is half of the one there at least.
const all = DATA.curve ?? [], error = all.at(-1)?.[2] ?? 0, curve = all.filter(p => p[0] >= ENOUGH / 2 && p[2] <= 2 * error);
if (all.length && all.at(-1)[0] >= ENOUGH && curve.length > 1) {
  plot(panel(tables, WORDS.elo, { id: "elo" }), curve, curve.map(p => [p[0], p[1] - p[2], p[1] + p[2]]), []);
  if (DATA.bounds) plot(panel(tables, WORDS.llr), all.map(p => [p[0], p[3]]), [], DATA.bounds);
}

const time = panel(tables, WORDS.time);
table(time, [WORDS.player, WORDS.limit, WORDS.per, WORDS.longest, WORDS.latency, WORDS.flags], DATA.time.map(t => [t.name, t.limit, t.mean.toFixed(1), t.longest.toFixed(0), t.latency.toFixed(2), t.flags]));
put(time, "p", DATA.between.toFixed(2) + WORDS.between, { class: "faint" });
table(panel(tables, WORDS.endings), null, Object.entries(DATA.endings));
table(put(panel(tables, WORDS.openings), "div", null, { class: "scroll" }), [WORDS.opening, "1-0", "½", "0-1"], DATA.openings.map(([name, ...counts]) => [name || WORDS.initial, ...counts]));

const games = panel(document.body, WORDS.games);
const mark = pickTable(games, ["", WORDS.first, WORDS.second, WORDS.result, WORDS.ending, WORDS.plies], DATA.games.map(game => [`${game.n}.`, ...game.names, shortResult(game.result), game.detail, game.plies.length]), openGame);
const viewer = new Viewer(document.body, WORDS);
function openGame(index) {
  mark(index);
  viewer.open(matchGame(DATA.game, DATA.games[index], WORDS));
}
if (DATA.games.length) openGame(0); else games.hidden = viewer.box.hidden = viewer.diagrams.hidden = true;
