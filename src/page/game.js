// The game as a tree of moves. The first child of a move goes on with its line, the others are variations.
//
// What a position is, the engine is asked; a node keeps the answer.

let count = 0;

/** A unique name, for a tab or for a game that the server has not seen. */
export const unique = () => [...crypto.getRandomValues(new Uint8Array(9))].map(byte => byte.toString(36).padStart(2, "0")).join("");

const OWN_MOVE = /(?:^|\])([BW])\[([^\]]*)\]$/;

/** The move of a step (see `serve/step.rs`); empty: it has none. */
export const moveOf = mv => (!mv || mv === "." || mv === "--" ? "" : mv.endsWith("]") ? OWN_MOVE.exec(mv)?.[2] ?? "" : mv);

/** Whether it is the other side's turn after a step; `first` or `second` where the step decides whose turn it is. */
function turnAfter(mv) {
  const side = letter => (letter === "B" ? "first" : "second");
  const own = OWN_MOVE.exec(mv), turn = /PL\[([BW])\]/.exec(mv);
  return own ? side(own[1] === "B" ? "W" : "B") : turn ? side(turn[1]) : mv !== "." && !mv.endsWith("]");
}

/** A step, or the start of the game, which has none. */
class Node {
  extra; lines; clock; overtime; loss; points; why; known; solved;

  constructor(parent, mv, text) {
    this.id = ++count;
    this.parent = parent;
    this.mv = mv;
    this.text = text;
    this.children = [];
    this.position = null;
    this.comment = "";
    this.opinion = null;
    this.sign = "";
  }
}

/** What was there before each edit, as texts; the oldest go when there are too many. */
export class History {
  states; characters; past; future;

  constructor(states, characters) {
    Object.assign(this, { states, characters, past: [], future: [] });
  }

  /** Keeps the state before an edit. */
  record(state) {
    this.future = [];
    this.past.push(state);
    let size = this.past.reduce((sum, text) => sum + text.length, 0);
    while (this.past.length > 1 && (this.past.length > this.states || size > this.characters)) size -= this.past.shift().length;
  }

  /** The state before the last edit, in place of `now`; undefined: there is none. */
  undo(now) { return History.step(this.past, this.future, now); }

  /** The state before the last `undo`. */
  redo(now) { return History.step(this.future, this.past, now); }

  static step(from, to, now) {
    if (from.length) to.push(now);
    return from.pop();
  }
}

/** A game: where it starts, its moves, its tags and its end. */
export class Game {
  accuracy; isCounted; picture;

  constructor(start) {
    this.start = { rules: {}, ...start };
    /** What it is known by before the server has given it a name. */
    this.key = unique();
    this.created = Date.now();
    this.root = new Node(null, null, null);
    this.tags = [];
    /** Whether it comes from a record, which is to stay as it is. */
    this.opened = false;
    this.ending = null;
    this.record("");
  }

  /** The result that a record reports of the main line as it is now. */
  record(result) { this.recorded = { result, end: this.end.id }; }

  /** The last move of the main line. */
  get end() {
    let node = this.root;
    while (node.children.length) node = node.children[0];
    return node;
  }

  /** The result of the main line: as a person ended it, else as its record reports, else by the rules. */
  get result() {
    const { end, ending, recorded } = this;
    if (ending?.node === end.id) return ending.written ?? ending.result;
    const result = recorded.end === end.id ? recorded.result : "";
    return result && result !== "*" ? result : end.position?.ending?.result ?? result;
  }

  get kind() { return this.start.game; }
  get isGo() { return this.kind === "go"; }
  get size() {
    const { size = 19, rows = size } = this.start.rules.go ?? {};
    return rows === size ? size : [size, rows];
  }

  /** The move after a node: the one that is there, or a new one. */
  add(parent, mv, text, position) {
    let node = parent.children.find(child => child.mv === mv);
    if (!node) {
      node = new Node(parent, mv, text);
      parent.children.push(node);
    }
    if (text) node.text = text;
    if (position) node.position = position;
    return node;
  }

  /** From the first move to the node. */
  path(node) {
    const nodes = [];
    for (let at = node; at.parent; at = at.parent) nodes.unshift(at);
    return nodes;
  }

  /** A node as the engine gets it. */
  line(node) {
    return { ...this.start, moves: this.path(node).map(one => one.mv) };
  }

  /** The line through a node, to its end. */
  through(node) {
    const nodes = this.path(node);
    for (let at = node; at.children.length; at = at.children[0]) nodes.push(at.children[0]);
    return nodes;
  }

  /** Whose move comes after a node: 0 or 1. Where the server was not asked about the position, it follows from an earlier one. */
  side(node) {
    let known = node, plies = 0, turn = known.position?.turn;
    while (!turn && known.parent) {
      const after = turnAfter(known.mv);
      known = known.parent;
      if (typeof after === "string") turn = after;
      else {
        plies += after ? 1 : 0;
        turn = known.position?.turn;
      }
    }
    return ((turn ?? this.turn) === "second" ? 1 : 0) ^ (plies & 1);
  }

  /** Who begins: `first` or `second`. */
  get turn() {
    const { fen, turn, rules } = this.start;
    const isBlack = fen ? fen.trim().split(/\s+/)[1] === "b" : rules.go?.handicap > 1;
    return turn ?? (isBlack ? "second" : "first");
  }

  remove(node) {
    node.parent.children = node.parent.children.filter(child => child !== node);
    return node.parent;
  }

  /** Makes the line through a node the main line. */
  promote(node) {
    for (let at = node; at.parent; at = at.parent) {
      const all = at.parent.children;
      all.unshift(...all.splice(all.indexOf(at), 1));
    }
  }

  /** All nodes but the root, each behind its parent. */
  nodes() {
    const all = [];
    const walk = [...this.root.children].reverse();
    while (walk.length) {
      const node = walk.pop();
      all.push(node);
      walk.push(...[...node.children].reverse());
    }
    return all;
  }

  /** As the engine saves it, and as the browser keeps it over a reload. */
  toData() {
    const all = this.nodes(), index = new Map(all.map((node, i) => [node, i]));
    return {
      start: this.start, tags: this.tags, opened: this.opened, result: this.result, comment: this.root.comment, extra: this.root.extra,
      nodes: all.map(node => ({
        parent: index.get(node.parent) ?? null, mv: node.mv, text: node.text, comment: node.comment, sign: node.sign,
        eval: node.opinion?.eval ?? "", opinion: node.opinion, clock: node.clock, overtime: node.overtime, lines: node.lines, loss: node.loss, points: node.points, why: node.why, solved: node.solved, extra: node.extra,
      })),
    };
  }

  static fromData(data) {
    const game = new Game(data.start);
    game.key = data.key ?? game.key;
    game.created = data.created ?? game.created;
    game.tags = data.tags ?? [];
    game.opened = data.opened ?? false;
    game.root.comment = data.comment ?? "";
    game.root.extra = data.extra;
    const all = [];
    for (const kept of data.nodes) {
      const node = new Node(kept.parent === null ? game.root : all[kept.parent], kept.mv, kept.text);
      node.parent.children.push(node);
      Object.assign(node, { comment: kept.comment ?? "", sign: kept.sign ?? "", opinion: kept.opinion ?? null, clock: kept.clock ?? undefined, overtime: kept.overtime ?? undefined, lines: kept.lines ?? undefined, loss: kept.loss ?? undefined, points: kept.points ?? undefined, solved: kept.solved ?? undefined, why: kept.why ?? undefined, extra: kept.extra });
      all.push(node);
    }
    game.record(data.result ?? "");
    return game;
  }
}
