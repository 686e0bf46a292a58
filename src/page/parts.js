// What pages are made of: elements, tables, the tables of a match.

/** @type {(id: string) => any} */
export const $ = id => document.getElementById(id);

/** Adds an element. */
export function put(parent, tag, text, attributes) {
  const element = document.createElement(tag);
  if (text !== undefined && text !== null) element.textContent = text;
  for (const [key, value] of Object.entries(attributes ?? {})) element.setAttribute(key, value);
  return parent.appendChild(element);
}

/** Adds a box with a heading. */
export function panel(parent, heading, attributes = {}) {
  const section = put(parent, "section", null, { class: "panel", ...attributes });
  put(section, "h2", heading);
  return section;
}

/** Adds the title of the page, and a line below it. */
export function pageTitle(title, note) {
  const header = put(document.body, "header", null, { class: "page" });
  put(header, "h1", title);
  put(header, "p", note, { class: "faint" });
}

export function row(table, cells, isHead) {
  const tr = put(table, "tr");
  for (const cell of cells) put(tr, isHead ? "th" : "td", cell);
  return tr;
}

/** Adds a table that is as wide as it has to be, its heads first. */
export function table(parent, heads, rows, attributes) {
  const made = put(put(parent, "div", null, { class: "wide" }), "table", null, attributes);
  if (heads) row(made, heads, true);
  for (const cells of rows) row(made, cells);
  return made;
}

/** A table of games, one of which is shown: `choose` is called with the index of another. Gives what marks one. */
export function pickTable(parent, heads, rows, choose) {
  const made = table(put(parent, "div", null, { class: "scroll" }), heads, rows, { class: "pick" }), all = [...made.rows].slice(heads ? 1 : 0);
  all.forEach((tr, i) => {
    tr.tabIndex = 0;
    tr.onclick = () => choose(i);
    tr.onkeydown = event => { if (event.key === "Enter") choose(i); };
  });
  return index => all.forEach((tr, i) => tr.classList.toggle("now", i === index));
}

/** A result with a draw in short. */
export const shortResult = result => result.replace("1/2-1/2", "½-½").replace(/^(.)-(.)$/, "$1\u2060–\u2060$2");

/** The order of the players; of two the result says it all. */
export function standingsTable(parent, standings, words) {
  const rated = cells => (standings.length > 2 ? cells : []), signed = x => (x === null ? "" : (x >= 0 ? "+" : "−") + Math.abs(x).toFixed(1));
  return table(parent, [words.player, ...rated([words.rating, "±"]), "+", "=", "−", words.points, "%"], standings.map(p => [
    p.name, ...rated([signed(p.rating), p.error === null || p.rating === null ? "" : p.error.toFixed(0)]), p.wins, p.draws, p.losses, p.points, (100 * p.score).toFixed(1),
  ]));
}

/**
 * The groups and the knockout of a cup; `link` adds the way to a game, by its index in the match.
 * @param {(box: any, number: number) => any} link
 */
export function showCup(box, cup, words, link = () => {}) {
  box.replaceChildren();
  if (!cup) return;
  for (const group of cup.groups) {
    const made = table(panel(box, group.name), [words.player, "+", "=", "−", words.points, ""], []);
    for (const [name, wins, draws, losses, points, settled, advances] of group.rows) row(made, [name, wins, draws, losses, points, settled]).className = advances ? "goes" : "out";
  }
  for (const round of [cup.playOffs, ...cup.rounds]) {
    if (!round.encounters.length) continue;
    const section = panel(box, round.name);
    for (const e of round.encounters) {
      const tie = put(section, "div", null, { class: "tie" });
      e.players.forEach((player, i) => {
        const line = put(tie, e.winner === player ? "b" : "span");
        put(line, "span", player);
        put(line, "span", e.points[i]);
      });
      const small = put(tie, "small");
      e.games.forEach(number => link(small, number));
      small.append(e.note);
    }
  }
}

/** A game of a match as the viewer takes it: `[mv, text, score, centipawns, depth, milliseconds, is of the opening]` a move. */
export function matchGame(kind, game, words) {
  const side = i => (i + (game.second ? 1 : 0)) % 2;
  const chances = (cp, by) => (cp === null ? undefined : 1 / (1 + 10 ** ((by ? cp : -cp) / 400)));
  const speaks = [0, 1].map(by => game.plies.some(([, , , cp], i) => cp !== null && side(i) === by));
  return {
    ...game, kind, size: game.go?.size, stones: [game.go?.handicap ?? []], legend: speaks[0] && speaks[1] ? game.names : null,
    moves: game.plies.map(([mv, text, score, cp, depth, ms, isBook], i) => {
      const isRival = side(i) === 1 && speaks[0], said = [score, depth].filter(Boolean).join(" / ");
      return { mv, text, lines: [isBook ? words.book : [said, `${ms} ms`].filter(Boolean).join(" · ")], [isRival ? "rival" : "chances"]: chances(cp, side(i)) };
    }),
  };
}
