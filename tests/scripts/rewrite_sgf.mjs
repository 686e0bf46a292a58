// Writes the records of Go in a folder, `7.sgf`, anew as @sabaki/sgf does, `7.sabaki.sgf`, and prints for each a line of
// JSON with the moves that it finds.
//
// usage: node rewrite_sgf.mjs FOLDER
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";

const require = createRequire(join(process.cwd(), "target/tools/"));
const sgf = require("@sabaki/sgf");
const folder = process.argv[2];

const vertex = (value, size) => {
  const [x, y] = sgf.parseVertex(value);
  return x < 0 || x >= size ? "pass" : "ABCDEFGHJKLMNOPQRST"[x] + (size - y);
};

for (const name of readdirSync(folder).filter((name) => /^\d+\.sgf$/.test(name))) {
  const bytes = readFileSync(join(folder, name));
  let root;
  try {
    [root] = sgf.parseBuffer(bytes);
  } catch {
    continue;
  }
  const size = Number(root.data.SZ?.[0] ?? 19);
  const moves = [];
  for (let node = root; node; node = node.children[0]) {
    const played = node.data.B ?? node.data.W;
    if (played) moves.push(vertex(played[0], size));
  }
  const file = name.replace(".sgf", ".sabaki.sgf");
  writeFileSync(join(folder, file), sgf.stringify([root]));
  const declared = root.data.CA !== undefined;
  const [white, black] = [root.data.PW?.[0], root.data.PB?.[0]];
  console.log(JSON.stringify({ file, kind: "go", encoding: "utf-8", declared, moves, white, black }));
}
