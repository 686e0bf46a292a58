// What can be taken along from a game: its position and its record as text, the board as a picture.

import { STYLE, ends, fenOf, grid } from "./boards.js";
import { put } from "./parts.js";

const LETTERS_OF_SGF = "abcdefghijklmnopqrstuvwxyz";

/** The properties of SGF for the stones of a position. */
function stonesOf(position) {
  const g = grid("go", position.size), points = [[], [], []];
  position.stones.forEach((color, at) => points[color].push(`[${LETTERS_OF_SGF[at % g.columns]}${LETTERS_OF_SGF[Math.floor(at / g.columns)]}]`));
  const setup = ["", "AB", "AW"].map((name, color) => (color && points[color].length ? name + points[color].join("") : "")).join("");
  return `SZ[${g.columns === g.rows ? g.columns : `${g.columns}:${g.rows}`}]${setup}PL[${position.color === 1 ? "B" : "W"}]`;
}

/** The position as text: its FEN, in Go a record of its stones. */
export const positionText = position => (position.stones ? `(;GM[1]FF[4]${stonesOf(position)})` : fenOf(position));

/** The record of a game: what its page has of it, else one of its moves. */
export function recordOf({ data, game }) {
  if (data.record) return data.record;
  const moves = game.through(game.root), quoted = text => text.replace(/[\\\]]/g, "\\$&");
  if (game.isGo) {
    const g = grid("go", data.size), { board } = game.root;
    const all = moves.map((node, i) => `;${(board.color === 1) === (i % 2 === 0) ? "B" : "W"}[${ends("go", node.mv).map(name => g.place(name).map(at => LETTERS_OF_SGF[at]).join("")).join("")}]`);
    const names = data.names.map((name, i) => `P${"BW"[i]}[${quoted(name)}]`).join("");
    return `(;GM[1]FF[4]CA[UTF-8]${names}RE[${data.result}]${stonesOf(board)}${all.join("")})\n`;
  }
  const isXiangqi = data.kind === "xiangqi", tag = ([name, value]) => `[${name} "${value.replace(/["\\]/g, "\\$&")}"]`;
  const tags = [[isXiangqi ? "Red" : "White", data.names[0]], ["Black", data.names[1]], ["Result", data.result]];
  if (isXiangqi) tags.unshift(["Game", "Chinese Chess"], ["Format", "ICCS"]);
  if (data.kind === "chess960") tags.push(["Variant", "Chess960"]);
  if (data.fen) tags.push(["SetUp", "1"], ["FEN", data.fen]);
  const text = node => (isXiangqi ? `${node.mv.slice(0, 2)}-${node.mv.slice(2)}`.toUpperCase() : node.text[0]);
  const all = moves.map((node, i) => `${(i + data.before) % 2 && i ? "" : `${Math.floor((i + data.before) / 2) + 1}.${(i + data.before) % 2 ? ".." : ""} `}${text(node)}`);
  return `${tags.map(tag).join("\n")}\n\n${[...all, data.result].join(" ")}\n`;
}

/** The drawn board as the text of a picture. */
export function pictureOf(svg) {
  const copy = svg.cloneNode(true), { width, height } = svg.viewBox.baseVal;
  for (const [name, value] of Object.entries({ xmlns: "http://www.w3.org/2000/svg", width, height })) copy.setAttribute(name, value);
  copy.insertBefore(document.createElementNS("http://www.w3.org/2000/svg", "style"), copy.firstChild).textContent = STYLE;
  return new XMLSerializer().serializeToString(copy);
}

function download(blob, name) {
  const link = Object.assign(document.createElement("a"), { href: URL.createObjectURL(blob), download: name });
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}

/** Saves the board as a picture that all programs read. */
async function savePng(svg, name) {
  const image = new Image(), canvas = document.createElement("canvas");
  image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(pictureOf(svg))}`;
  await image.decode();
  [canvas.width, canvas.height] = [image.width, image.height];
  canvas.getContext("2d").drawImage(image, 0, 0);
  canvas.toBlob(blob => download(blob, name));
}

/** Adds the menu of what can be taken along: `svg`, the board, and the texts of `position()` and `record()`. */
export function shareMenu(parent, { svg, position, record }, words) {
  const menu = put(parent, "details", null, { class: "share" });
  put(menu, "summary", words.share, { class: "button" });
  const list = put(menu, "div", null, { class: "panel" });
  const item = (text, act) => {
    const button = put(list, "button", text, { class: "quiet" });
    button.onclick = async () => {
      await act(button);
      setTimeout(() => { button.textContent = text; menu.open = false; }, 900);
    };
  };
  const copy = write => async button => {
    const text = await write();
    // A page from a folder may be without a clipboard.
    if (navigator.clipboard) await navigator.clipboard.writeText(text);
    else {
      const field = put(list, "textarea", text);
      field.select();
      document.execCommand("copy");
      field.remove();
    }
    button.textContent = words.copied;
  };
  item(words.copyPosition, copy(position));
  item(words.copyGame, copy(record));
  item("SVG", () => download(new Blob([pictureOf(svg)], { type: "image/svg+xml" }), "sanqi.svg"));
  item("PNG", () => savePng(svg, "sanqi.png"));
}
