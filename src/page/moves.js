// The list of moves, with variations, comments and signs.

import { moveOf } from "./game.js";

export const CLASSES = { "??": "s2", "?": "s1", "?!": "s0" };

function element(parent, tag, cls, text) {
  const made = document.createElement(tag);
  if (cls) made.className = cls;
  if (text !== undefined) made.textContent = text;
  return parent.appendChild(made);
}

/** 1 for a move, a null move among them; 0 for a comment or stones that are set up. */
const isPly = node => (moveOf(node.mv) || node.mv === "--" ? 1 : 0);

/** The move as people write it. */
export const written = (text, notation) => (text ? text[text.length > 1 ? notation : 0] : "");

/** Shows the game, which `before` half-moves were made before; `go` is called with a node that was clicked. */
export function drawMoves(box, game, now, notation, before, result, go) {
  // Of a game that is as it was only the move that is looked at changes.
  const shape = [notation, before, result, game.root.comment, ...game.nodes().map(node => `${node.id} ${node.parent.id} ${written(node.text, notation)}${node.sign} ${node.comment}`)].join("\n");
  if (box.shape === shape) return choose(box, now);
  box.shape = shape;
  const held = box.contains(document.activeElement) ? document.activeElement.getAttribute("data-node") : null;
  box.replaceChildren();
  // Tab stops at the move on the board and where variations begin: all others are reached by the arrows.
  const move = (parent, node, ply, needsNumber, isStop = false) => {
    if (game.isGo) {
      if (isPly(node)) element(parent, "i", "", `${ply}.`);
    } else if ((ply + before) % 2 === 1 || needsNumber) element(parent, "i", "", `${Math.ceil((ply + before) / 2)}${(ply + before) % 2 ? "." : "…"}`);
    const link = element(parent, "a", node === now ? "now" : "", written(node.text, notation) || node.mv);
    link.dataset.node = node.id;
    link.setAttribute("role", "button");
    link.tabIndex = isStop || node === now ? 0 : -1;
    if (node.sign) element(link, "span", `sign ${CLASSES[node.sign] ?? ""}`, node.sign);
    link.onclick = () => go(node);
    parent.append(" ");
    if (node.comment) element(parent, "em", "", node.comment);
  };
  // One line and all beside it. Deep lines go on in a loop, so that no game is too long.
  const line = (parent, start, ply) => {
    let at = start, needsNumber = true;
    while (at.children.length) {
      const [main, ...others] = at.children;
      move(parent, main, ply, needsNumber);
      needsNumber = others.length > 0 || Boolean(main.comment);
      for (const other of others) {
        const side = element(parent, "span", "side");
        move(side, other, ply, true, true);
        line(side, other, ply + isPly(other));
      }
      at = main;
      ply += isPly(main);
    }
  };
  if (game.root.comment) element(box, "em", "root", game.root.comment);
  line(box, game.root, 1);
  if (result) element(box, "span", "result", result);
  scroll(box, box.querySelector("a.now"));
  if (held) box.querySelector(`a[data-node="${held}"]`)?.focus({ preventScroll: true });
}

/** Marks another move as the one that is looked at. */
function choose(box, now) {
  const before = box.querySelector("a.now"), link = box.querySelector(`a[data-node="${now.id}"]`);
  if (before === link) return;
  before?.classList.remove("now");
  if (before) before.tabIndex = before.matches(".side > a:first-of-type") ? 0 : -1;
  link?.classList.add("now");
  if (link) link.tabIndex = 0;
  scroll(box, link);
}

/** Has the list show a move, with the next frame: where things are is dear to know while the page changes. */
function scroll(box, current) {
  requestAnimationFrame(() => {
    if (current && !current.isConnected) return;
    if (current) box.scrollTop += current.getBoundingClientRect().top - box.getBoundingClientRect().top - box.clientHeight / 2;
    else box.scrollTop = 0;
  });
}
