// The boards as they look when nothing was played yet.

import { fenRows } from "./boards.js";

/** A game of Go as it looks after a while. */
const STONES = "...........bw.......bw.w.....b.w.......bw.w....b.bbw.......bw.......bw...........";

/** The start of a game, as the boards draw it. */
export const START = {
  chess: { rows: fenRows("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR") },
  xiangqi: { rows: fenRows("rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR") },
  go: { size: 9, stones: [...STONES].map(c => ".bw".indexOf(c)) },
};
