// The page of analyzed games: a table of them to pick from, and the viewer.

const viewedGame = game => ({ ...game, moves: game.moves.map(move => ({ ...move, lines: [move.score.replace(" % ", " % · ").replace("-", "−"), move.reason] })) });

pageTitle(document.title, "");
function openGame(index) {
  const game = DATA[index];
  document.querySelector("h1").textContent = game.names.join(" – ");
  document.querySelector("header p").textContent = [game.event, game.name, game.seen_by].filter(Boolean).join(" · ");
  mark(index);
  viewer.open(viewedGame(game));
}
const counts = side => (side ? `${side[0]} %` : "");
const games = panel(document.body, WORDS.games);
const mark = pickTable(games, ["", WORDS.player, WORDS.result, WORDS.accuracy], DATA.map((game, i) => [
  `${i + 1}.`, game.names.join(" – "), shortResult(game.result), game.accuracy.map(counts).filter(Boolean).join(" – "),
]), openGame);
games.hidden = DATA.length < 2;
const viewer = new Viewer(document.body, WORDS);
if (DATA.length) openGame(0);
