// The page of verdicts: a repetition in the viewer with a diagram of every move, or the board of each finding.

/** Where the general of a side stands. */
function general({ rows }, letter) {
  const y = rows.findIndex(row => row.includes(letter));
  return y < 0 ? null : grid("xiangqi").name(rows[y].indexOf(letter), y);
}

function findingFigure(box, kind, finding) {
  const { board } = finding, figure = put(box, "figure"), isGo = kind === "go";
  const position = isGo ? { size: board.size, stones: board.stones } : { rows: fenRows(board.fen) };
  const last = isGo ? board.last : ends(kind, board.last);
  draw(figure.appendChild(document.createElementNS(SVG, "svg")), kind, position, { last, dead: finding.dead, cursor: finding.point });
  const caption = put(figure, "figcaption");
  put(caption, "b", capital(finding.place));
  put(caption, "p", capital(finding.verdict));
  if (finding.command) put(caption, "code", finding.command, { class: "faint" });
}

/** A repetition as the viewer takes it. */
function repetition(one) {
  const rules = replay("xiangqi");
  let position = rules.start(one.fen);
  const moves = one.moves.map(move => {
    position = rules.move(position, move.mv);
    const marks = { arrows: move.arrows, targets: move.roots, check: move.check ? general(position, move.red ? "k" : "K") : null };
    return { mv: move.mv, text: move.text, marks, cls: move.attack ? "attack" : "", lines: [[move.class, move.clause].filter(Boolean).join(" · "), ...move.attacks] };
  });
  const result = { red_wins: "1-0", black_wins: "0-1", draw: "1/2-1/2" }[one.ruling] ?? "*";
  return { ...one, moves, result, detail: one.verdict, diagrams: "all", beginning: WORDS.beginning };
}

const capital = text => text.replace(/^./u, letter => letter.toUpperCase()), titleOf = one => capital(one.name || one.verdict);

pageTitle(WORDS.title, DATA.length ? WORDS.legend : WORDS.none);
const main = put(document.body, "div", null, { class: DATA.length > 1 ? "chapters" : "" });
const chapters = DATA.length > 1 ? put(main, "nav") : null, box = put(main, "div");
DATA.forEach((one, i) => {
  if (!chapters) return;
  const link = put(chapters, "a", `${i + 1}. ${titleOf(one)}`, { href: `#${i + 1}`, class: one.ruling ?? "" });
  if (one.verdict && one.name) put(link, "small", one.verdict);
});
const heading = put(box, "h2"), judgements = put(box, "section", null, { class: "panel" }), place = put(box, "div");
const viewer = new Viewer(place, WORDS), findings = put(box, "section", null, { class: "panel figures large" });

// The marks of the language, between names, after a name and between clauses.
const [COMMA, COLON, SEMICOLON] = document.documentElement.lang.startsWith("zh") ? ["、", "：", "；"] : [", ", ": ", "; "];

function show(index) {
  const one = DATA[index], isFound = Boolean(one.findings);
  heading.textContent = titleOf(one);
  if (chapters) put(heading, "small", `${index + 1} / ${DATA.length}`);
  judgements.replaceChildren();
  findings.replaceChildren();
  judgements.hidden = place.hidden = isFound;
  findings.hidden = !isFound;
  for (const finding of one.findings ?? []) findingFigure(findings, one.kind, finding);
  document.querySelector("header p").hidden = isFound;
  chapters?.querySelectorAll("a").forEach((link, i) => link.classList.toggle("now", i === index));
  if (isFound) return;
  // Rules that agree share a row.
  const rows = new Map();
  for (const [rules, verdict, clause, reason, both] of one.judgements) {
    const sides = both ? [WORDS.red + COLON + both[0], WORDS.black + COLON + both[1]] : [];
    const cells = [verdict, clause, [reason, ...sides].filter(Boolean).join(SEMICOLON)], key = cells.join("\n");
    rows.set(key, [[...(rows.get(key)?.[0] ?? []), rules], ...cells]);
  }
  table(judgements, [WORDS.rules, WORDS.verdict, WORDS.clause, WORDS.reason], [...rows.values()].map(([rules, ...cells]) => [rules.join(COMMA), ...cells]), { class: "text" });
  viewer.open(repetition(one));
}

const chosen = () => Math.min(Math.max(parseInt(location.hash.slice(1), 10) || 1, 1), DATA.length) - 1;
addEventListener("hashchange", () => {
  show(chosen());
  heading.scrollIntoView({ block: "nearest" });
});
if (DATA.length) show(chosen()); else box.hidden = true;
