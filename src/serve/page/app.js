// The page: the first one with the library, the addresses, settings, buttons and keys.

import { STYLE } from "./boards.js";
import { council, dropPremove, edit, forget, goTo, halt, hear, isWaiting, pen, playMove, playTyped, practiceMistakes, resign, revert, sibling, solve, startReview, table, think, toEnd, undo } from "./commands.js";
import { ask, connect } from "./engine.js";
import { analyze, begin, chooseGame, closeEditor, keeper, openFile, openKept, openOf, openText, play, recordText as written, remember, restore, save, setUp, sharedPosition } from "./games.js";
import { Home } from "./home.js";
import { read } from "./library.js";
import { wiped } from "./markup.js";
import * as panels from "./panels.js";
import { shareMenu } from "./share.js";
import { $, edits, isAtTable, isHeld, isOver, keep, kept, settings, state, stateText } from "./state.js";
import { isDrawing, show, showBoard, showCourse, showPens } from "./views.js";
import { LANGUAGES, current, speak, t } from "./words.js";

/** How large the engine is and may be. */
let engine = null;

// ---- the first page, and the addresses of all pages

export const home = new Home({
  settings: kept, keep, toast: panels.toast,
  begin: play, analyze, practice: practiceMistakes,
  options: kind => panels.askNew({ ...kept, game: kind, level: kept.levels[kind] ?? kept.level }, begin, state.levels, state.engines),
});

function setView(name) {
  state.view = name;
  if (name === "game") home.clear();
  document.body.dataset.view = name;
}

/** The board is seen, and has an address. */
export function enter() {
  const name = keeper.name(state.game.key), hash = name ? `#game/${name}` : "#game";
  setView("game");
  if (location.hash !== hash) history.pushState(null, "", hash);
  if (keeper.isOn && kept.open !== (name ?? "")) {
    kept.open = name ?? "";
    keep();
  }
  scrollTo(0, 0);
}

export function goHome() {
  if (location.hash !== "#home") history.pushState(null, "", "#home");
  showHome();
}

function showHome() {
  keeper.flush();
  halt();
  if (state.editor) closeEditor();
  setView("home");
  document.title = "Sanqi 三棋";
  if (keeper.isOn && kept.open) {
    kept.open = "";
    keep();
  }
  home.draw();
  if (state.isConnected) home.list();
}

/** Shows what the address names. */
function route() {
  const hash = decodeURIComponent(location.hash.slice(1));
  const name = /^game\/([a-z0-9-]+)$/.exec(hash)?.[1], kind = /^analyze\/(chess|chess960|xiangqi|go)$/.exec(hash)?.[1];
  if (name && keeper.isOn) return openKept(name);
  if (kind) return analyze(kind);
  if (name || hash === "game") {
    setView("game");
    return goTo(state.at);
  }
  showHome();
}

// ---- settings that all tabs share

export function hearSettings(values) {
  const before = { ...kept };
  settings.take(values);
  // Whether a tab searches is its own affair, and so is the game that it shows.
  Object.assign(kept, { analysis: before.analysis, open: before.open });
  if (kept.theme !== before.theme) setTheme();
  setSound();
  if (kept.language !== before.language) setLanguage();
  if (hasBegun && (kept.threads !== before.threads || kept.hash !== before.hash)) sizeEngine();
  for (const name of ["notation", "lines"]) $(name).value = kept[name];
  $("owner").checked = kept.owner;
  if (state.view === "home") home.draw(); else show();
}

async function welcome() {
  const found = await ask("welcome");
  ({ levels: state.levels, engine } = found);
  state.engines = council.engines = found.engines ?? [];
  keeper.isOn = found.folder !== undefined;
  home.welcome(found);
  return found;
}

/** What the engine may be given. */
function drawEngine() {
  if (!engine) return;
  const upTo = (most, sizes) => sizes.filter(n => n <= most);
  const threads = upTo(engine.most.threads, [...Array(8).keys()].map(i => i + 1).concat([10, 12, 16, 24, 32, 48, 64, 96, 128]));
  const hash = upTo(engine.most.hash, [16, 32, 64, 128, 256, 512, 1024, 2048, 4096]);
  for (const [name, sizes] of [["threads", threads], ["hash", hash]]) {
    const all = [...new Set([...sizes, engine[name]])].sort((a, b) => a - b), unit = name === "hash" ? " MiB" : "";
    $(name).replaceChildren();
    for (const n of all) panels.make($(name), "option", { value: n, selected: n === Number(kept[name] || engine[name]) }, n === engine[name] ? t("usual", n + unit) : n + unit);
  }
  $("limit").replaceChildren();
  for (const n of ["", 5, 15, 60, 300]) panels.make($("limit"), "option", { value: n, selected: String(n) === kept.limit }, n === "" ? t("unlimited") : t("seconds", n));
}

/** Has the engine take as many threads and as much memory as the settings have. */
function sizeEngine() {
  drawEngine();
  return ask("engine", { threads: Number(kept.threads) || null, hash: Number(kept.hash) || null }).catch(() => {});
}

let hasBegun = false;

/** The connection is there: what the server keeps is taken over, and what it lacks is sent. */
async function arrive() {
  try {
    const found = await welcome();
    if (hasBegun) {
      sizeEngine();
      keeper.pump();
      return state.view === "home" ? home.list() : goTo(state.at);
    }
    hasBegun = true;
    if (keeper.isOn) {
      hearSettings({ ...found.settings, ...(asked ? { language: asked } : {}) });
      kept.open = found.settings.open ?? "";
      $("analyze").checked = kept.analysis = found.settings.analysis ?? kept.analysis;
      const own = await keeper.recover();
      const open = location.hash === "#game" ? own : isBare() ? kept.open : "";
      if (open) history.replaceState(null, "", `#game/${open}`);
    }
    sizeEngine();
    route();
  } catch (error) {
    if (error.message !== "closed") panels.toast(error.message);
  }
}

/** Whether the address names nothing but the program. */
const isBare = () => ["", ...LANGUAGES.map(name => `#${name}`)].includes(location.hash);

// ---- what the person does besides

export const actions = {
  home: goHome,
  new: () => panels.askNew({ ...kept, level: kept.levels[kept.game] ?? kept.level }, begin, state.levels, state.engines),
  open: () => $("file").click(),
  save, setup: setUp, undo,
  rest() { state.rests = !state.rests; think(false); show(); },
  hint() {
    if (isOver() || isWaiting() || state.review || !state.at.position?.legal) return;
    const answer = ask("hint", { line: state.game.line(state.at) });
    state.search = { purpose: "hint", id: answer.id, node: state.at };
    answer.catch(error => panels.toast(error.message));
  },
  threat() {
    if (state.threat?.node === state.at) {
      state.threat = null;
      return show();
    }
    if (isOver() || isWaiting() || state.review || state.lesson || !state.at.position?.legal) return;
    const answer = ask("threat", { line: state.game.line(state.at) });
    state.search = { purpose: "threat", id: answer.id, node: state.at };
    answer.catch(error => { state.search = null; panels.toast(error.message); think(false); });
  },
  flip() { state.flipped = !state.flipped; remember(); show(); },
  pass() { if (state.game.isGo && !isOver() && !isWaiting() && !isHeld()) playMove("pass"); },
  resign() { if ((state.opponent !== null || isAtTable()) && !isOver()) resign(); },
  offer() {
    if (isAtTable()) return state.sitting.act("offer");
    if (state.opponent === null || isOver() || isWaiting() || state.review || !state.at.position) return;
    const answer = ask("offer", { line: state.game.line(state.at) });
    state.search = { purpose: "offer", id: answer.id, node: state.at };
    answer.catch(error => panels.toast(error.message));
  },
  claim: () => state.sitting?.claim(),
  judge() {
    const nodes = [state.game.root, ...state.game.path(state.at)], dead = state.count?.dead ?? [];
    panels.askArbiter(state.game.kind, (question, more) => ask("judge", { line: state.game.line(state.at), ask: question, ...(question === "count" && dead.length ? { dead } : {}), ...more }), ply => nodes[ply] && goTo(nodes[ply]));
  },
  pause: () => state.sitting?.act("stop"),
  adjourn: () => state.sitting?.adjourn(),
  numbers() { kept.numbers = !kept.numbers; keep(); show(); },
  sound() { kept.sound = { all: "moves", moves: "off" }[kept.sound] ?? "all"; keep(); setSound(); },
  games: () => state.file && chooseGame(state.file),
  previousGame: () => state.file?.at && openOf(state.file, state.file.at - 1),
  nextGame: () => state.file && state.file.at + 1 < state.file.games.length && openOf(state.file, state.file.at + 1),
  solve() { if (!$("do-solve").hidden) solve(); },
  first: () => goTo(state.game.root),
  back: () => state.at.parent && goTo(state.at.parent),
  forward: () => state.at.children.length && goTo(state.at.children[0], { slide: true }),
  last: toEnd,
  review: startReview,
  language() { kept.language = LANGUAGES[(LANGUAGES.indexOf(current()) + 1) % LANGUAGES.length]; keep(); setLanguage(); },
  theme() { kept.theme = { auto: "light", light: "dark", dark: "auto" }[kept.theme] ?? "auto"; keep(); setTheme(); },
  latin() {
    const name = state.game.kind === "xiangqi" ? "latin" : "flat";
    kept[name] = !kept[name];
    keep();
    show();
  },
  branches() {
    kept.branches = !kept.branches;
    keep();
    show();
    if (kept.branches) $("branches").focus();
  },
  draw() {
    $("do-draw").setAttribute("aria-pressed", `${!isDrawing()}`);
    showPens();
  },
  wipe() {
    if (!state.at.extra) return;
    edit();
    state.at.extra = wiped(state.at.extra, table.grid());
    remember();
    showBoard();
  },
  cancel() {
    if (dropPremove()) return;
    if (state.tapped) { state.tapped = null; showBoard(); }
    if (pen.tool) actions.draw();
  },
  help: panels.showKeys,
  up: () => sibling(-1), down: () => sibling(1),
  analyze() { $("analyze").checked = !$("analyze").checked; $("analyze").onchange(); },
  promote() { if (isAtTable()) return; edit(); state.game.promote(state.at); remember(); show(); },
  remove() {
    if (state.at === state.game.root || isAtTable() && state.sitting.line.includes(state.at)) return;
    edit("deleteNote");
    goTo(forget(state.at));
  },
  revert() { revert(edits.undo(stateText())); },
  redo() { revert(edits.redo(stateText())); },
};

const KEYS = { ArrowLeft: "back", ArrowRight: "forward", ArrowUp: "up", ArrowDown: "down", Home: "first", End: "last", " ": "analyze", f: "flip", h: "hint", x: "threat", u: "undo", n: "new", o: "open", s: "save", l: "language", t: "theme", "?": "help", p: "promote", d: "draw", g: "branches", "[": "previousGame", "]": "nextGame", Delete: "remove", Escape: "cancel" };

// The address may name a language: `#zh`.
const asked = LANGUAGES.find(name => location.hash === `#${name}`);

if (asked) kept.language = asked;

function setLanguage() {
  const name = current();
  speak(kept.language ?? (navigator.language.startsWith("zh") ? "zh" : "en"));
  $("do-language").textContent = current() === "zh" ? "English" : "中文";
  $("do-language").setAttribute("aria-label", `${$("do-language").textContent}: ${t("language")}`);
  if (state.editor) state.editor.draw();
  if (state.view === "home") home.draw();
  drawEngine();
  setSound();
  drawShare();
  if (state.isConnected && current() !== name) welcome().then(() => home.draw(), () => {});
  show();
}

function setTheme() {
  if (kept.theme === "auto") delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = kept.theme;
  $("do-theme").textContent = { auto: "◐", light: "☀", dark: "☾" }[kept.theme];
}

/** What can be taken along from the board. */
function drawShare() {
  const words = Object.fromEntries(["share", "copyPosition", "copyGame", "taken"].map(key => [key, t(key)]));
  $("share").replaceChildren();
  shareMenu($("share"), { svg: $("board"), position: sharedPosition, record: written }, { ...words, copied: words.taken });
}

function setSound() {
  $("do-sound").textContent = kept.sound === "all" ? "♫" : "♪";
  $("do-sound").classList.toggle("off", kept.sound === "off");
  $("do-sound").title = t(`sound-${kept.sound}`);
  $("do-sound").setAttribute("aria-label", t(`sound-${kept.sound}`));
}

/** What can be done while a position is set up: the game behind it stays as it is. */
const BESIDES = ["home", "flip", "latin", "language", "theme", "help"];

/** What can be done on the first page. */
const AT_HOME = ["home", "new", "open", "language", "theme", "help", "revert", "redo"];

export function act(name) {
  if (!state.editor || BESIDES.includes(name)) actions[name]();
}

function listen() {
  for (const name of Object.keys(actions)) $(`do-${name}`)?.addEventListener("click", () => act(name));
  document.addEventListener("keydown", event => {
    const target = /** @type {any} */ (event.target), isEdit = (event.ctrlKey || event.metaKey) && !event.altKey;
    if ((event.ctrlKey || event.metaKey || event.altKey) && !isEdit || /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName) && target.type !== "checkbox" || document.querySelector("dialog[open]")) return;
    if (/^(BUTTON|INPUT|SUMMARY)$/.test(target.tagName) && event.key === " ") return;
    if (event.key === "Enter" && target.matches("a[role=button]")) {
      event.preventDefault();
      return target.click();
    }
    const key = event.key.length === 1 ? event.key.toLowerCase() : event.key;
    const action = isEdit ? (key === "z" ? (event.shiftKey ? "redo" : "revert") : key === "y" ? "redo" : null) : KEYS[key];
    if (!action || state.view === "home" && !AT_HOME.includes(action)) return;
    event.preventDefault();
    act(action);
  });
  $("do-home").onclick = event => { event.preventDefault(); goHome(); };
  document.querySelector(".brand").addEventListener("click", $("do-home").onclick);
  addEventListener("popstate", () => { if (hasBegun) route(); });
  addEventListener("pagehide", () => keeper.flush());
  // Nobody sees the analysis of a tab that is hidden.
  document.addEventListener("visibilitychange", () => {
    if (document.hidden) keeper.flush();
    if (state.view === "game" && kept.analysis && (state.search?.purpose === "analyze" || !state.search)) think(false);
  });
  $("file").onchange = () => { openFile($("file").files[0]); $("file").value = ""; };
  $("analyze").onchange = () => { kept.analysis = $("analyze").checked; keep(); state.report = null; if (!isWaiting()) think(false); show(); };
  $("lines").onchange = () => { kept.lines = $("lines").value; keep(); if (state.search?.purpose === "analyze") think(false); show(); };
  $("do-engine").onclick = () => {
    $("engine-box").hidden = !$("engine-box").hidden;
    $("do-engine").setAttribute("aria-expanded", !$("engine-box").hidden);
  };
  for (const name of ["threads", "hash"]) $(name).onchange = async () => {
    kept[name] = $(name).value === String(engine[name]) ? "" : $(name).value;
    keep();
    await sizeEngine();
    if (state.search?.purpose === "analyze") think(false);
  };
  $("limit").onchange = () => { kept.limit = $("limit").value; keep(); if (!isWaiting()) think(false); };
  $("typed").onsubmit = event => { event.preventDefault(); playTyped(); };
  $("typed-move").oninput = () => { $("typed-note").textContent = ""; };
  $("owner").onchange = () => { kept.owner = $("owner").checked; keep(); showBoard(); };
  $("notation").onchange = () => { kept.notation = $("notation").value; keep(); show(); };
  $("sign").onchange = () => {
    edit();
    state.at.sign = $("sign").value;
    remember();
    show();
  };
  // What is written is about the move that was shown when it was begun, whatever the engine plays meanwhile.
  let spoken = null, isEdited = false;
  $("comment").onfocus = () => { spoken = state.at; isEdited = false; };
  $("comment").oninput = () => { if (!isEdited) edit(); isEdited = true; (spoken ?? state.at).comment = $("comment").value; remember(); };
  $("comment").onblur = () => { spoken = null; show(); };
  addEventListener("resize", () => showCourse());
  document.addEventListener("dragover", event => { event.preventDefault(); document.body.classList.add("dropping"); });
  for (const name of ["dragleave", "drop"]) document.addEventListener(name, () => document.body.classList.remove("dropping"));
  document.addEventListener("drop", event => {
    event.preventDefault();
    const [file] = event.dataTransfer.files, text = event.dataTransfer.getData("text/plain");
    if (file) openFile(file); else if (text) openText(text);
  });
  document.addEventListener("paste", event => {
    const target = /** @type {any} */ (event.target);
    if (/^(INPUT|TEXTAREA)$/.test(target.tagName) && target.type !== "checkbox") return;
    const [file] = event.clipboardData.files, text = event.clipboardData.getData("text/plain");
    if (file) openFile(file); else if (text.trim()) openText(text);
  });
}

const sheet = document.createElement("style");
sheet.textContent = STYLE;
document.head.append(sheet);
$("analyze").checked = kept.analysis;
$("lines").value = kept.lines;
$("owner").checked = kept.owner;
$("notation").value = kept.notation;
document.body.dataset.view = state.view = isBare() && !kept.open || location.hash === "#home" ? "home" : "game";
listen();
setTheme();
setLanguage();
const before = read(sessionStorage, "game");
state.at = before.start ? restore(before) : state.game.root;
show();

connect(hear, async connected => {
  state.isConnected = connected;
  home.trouble = null;
  state.search = null;
  state.review = null;
  if (connected) await arrive();
  else show();
  home.trouble = connected ? null : connected === null ? "moved" : "lost";
  home.draw();
  document.body.dataset.ready = `${Boolean(connected)}`;
});
