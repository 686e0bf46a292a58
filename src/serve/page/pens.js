// The pens below the board, for those who draw with the left button or a finger.

import { PENS } from "./markup.js";
import { make } from "./panels.js";
import { current, t } from "./words.js";

const SIGNS = { LB: "A", TR: "△", SQ: "□", CR: "○", MA: "×" };

/** Shows the pens of a kind of game in a row, or none while they are closed. `wipe` takes all marks away. */
export function drawPens(row, pen, kind, isOpen, wipe) {
  const all = isOpen ? PENS[kind] : [];
  row.hidden = !isOpen;
  if (!all.includes(pen.tool)) pen.tool = all[0] ?? null;
  const key = [current(), pen.tool, ...all].join();
  if (row.dataset.key === key) return;
  row.dataset.key = key;
  row.replaceChildren();
  for (const one of all) {
    const choose = () => {
      pen.tool = one;
      drawPens(row, pen, kind, isOpen, wipe);
      row.querySelector(`[data-pen=${one}]`).focus();
    };
    make(row, "button", { "data-pen": one, "aria-pressed": `${one === pen.tool}`, title: t(`pen-${one}`), "aria-label": t(`pen-${one}`), onclick: choose }, SIGNS[one] ?? "");
  }
  if (isOpen) make(row, "button", { id: "do-wipe", onclick: wipe }, t("wipe"));
}
