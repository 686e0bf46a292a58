// What the page says, in English and in Chinese. `t` gives a text in the language that is set.

import { COACH } from "./words-coach.js";

const WORDS = {
  en: {
    ...COACH.en,
    new: "New game", open: "Open", save: "Save", setup: "Set up", undo: "Take back", hint: "Hint", flip: "Flip", pass: "Pass",
    resign: "Resign", analysis: "Analysis", territory: "Territory", course: "Course of the game", review: "Review game", moves: "Moves",
    language: "Language (L)", theme: "Light, dark, or as the system (T)", help: "Keys (?)", first: "Start (Home)", back: "Back (←)", forward: "Forward (→)",
    last: "End (End)", lines: "Lines shown", notation: "Notation", comment: "Comment on this move", noMoves: "No moves yet: play one on the board.",
    noLines: "Switch it on to see the best lines.", searching: "Searching …", ply: "depth", visits: "visits",
    chess: "Chess", chess960: "Chess960", xiangqi: "Xiangqi", go: "Go", white: "White", black: "Black", red: "Red",
    you: "You", engine: "Sanqi", level: "Level", thinking: "thinking", toMove: "{0} to move", check: "Check",
    mySide: "You play", both: "Both sides", random: "Random", variant: "Variant", standard: "Standard", size: "Board", komi: "Komi", rules: "Rules", handicap: "Handicap",
    strength: "Strength", full: "Full", fullNote: "Full strength, 3 s a move", begin: "Start", cancel: "Cancel", close: "Close", pieces: "Pieces", characters: "Characters", letters: "Letters",
    chinese: "Chinese", asian: "Asian", computer: "Computer", japanese: "Japanese", aga: "AGA", none: "None", "tromp-taylor": "Tromp–Taylor",
    wins: "{0} wins", draw: "Draw", checkmate: "checkmate", stalemate: "no legal move", "dead-position": "neither side can win", repetition: "repetition", "no-progress": "too long without progress", counted: "counted",
    resignation: "resignation", agreement: "agreement", points: "{0} by {1}", bothPassed: "Both have passed", countNote: "Faded stones count as dead. A click changes a group.", counting: "Counting …",
    accept: "Count so", playOn: "Play on", repeated: "The position is repeated", repeatWarn: "If this goes on:", mustDeviate: "{0} has to deviate, or loses", bothMay: "neither side has to deviate: a draw", by: "by",
    move: "Move", kind: "Kind", cycle: "The moves of the cycle", occurrence: "occurrence {0}",
    perpetual_check: "perpetual check", perpetual_threat: "perpetual threat of mate", perpetual_chase: "perpetual chase", perpetual_attack: "perpetual attack", allowed: "allowed",
    "XQ-R3": "both cycles are allowed and neither side deviates: a draw", "XQ-R4": "both cycles are forbidden, and not just one of them is perpetual check: a draw", "XQ-R5": "one cycle is forbidden and the other is allowed: the forbidden side loses",
    "XQ-R6": "perpetual check loses against any other forbidden cycle, and draws against perpetual check", noneClause: "the position occurred again: a draw",
    lost: "No connection to the engine. Is sanqi serve still running, or are too many tabs open?", moved: "sanqi serve was started anew, and this address is no longer its own. Open the one that it has printed.", cannotRead: "No game could be read.", chooseGame: "Games of the file", saved: "Saved as {0}", loaded: "{0} moves",
    accuracyOf: "{0} {1} %", reviewing: "Reviewing {0} of {1}", stop: "Stop", best: "Best: {0}", hintIs: "Try {0}",
    setupTitle: "Set up a position", empty: "Empty board", startPosition: "Start position", eraser: "Eraser", done: "Use it", fen: "FEN", turn: "To move", promote: "Promote to",
    keysTitle: "Keys", kArrows: "Go through the moves; ↑ ↓ change the variation", kSpace: "Analysis on or off", kFlip: "Turn the board", kHint: "Hint", kUndo: "Take back", kNew: "New game", kOpen: "Open or save a file", kDelete: "Delete this move and what follows", kBoard: "On the board: arrows move a cursor, Enter chooses", kPromote: "Make this variation the main line", kLinks: "Go to a variation or a best line", kLines: "On a best line: look at the position after its moves",
    deleteNote: "Deleted", formerKept: "Ctrl+Z brings the former game back.", resigned: "You have resigned.", revert: "Undo", kRevert: "Undo or redo an edit, a new game and an opened file included", nothingToUndo: "There is nothing to undo.", captured: "{0} captured", unknown: "?", engineMoves: "Engine plays {0}", leadOf: "{0}+{1}", result: "Result",
    engineSize: "Threads and memory of the engine", threads: "Threads", memory: "Memory", usual: "{0} (usual)", position: "Position", home: "Home", play: "Play", analyzeGame: "Analyze", options: "More options", tryBoard: "Touch a piece to begin", allGames: "All games", yourGames: "Your games", trash: "Trash", foundOf: "{0} of {1}",
    searchNote: "Player, date, result, or first moves: e4 c5", search: "Search", game: "Game", moreGames: "More games", noGames: "No game is found.", trashEmpty: "The trash is empty.", restore: "Restore", remove: "Remove", removed: "Moved to the trash",
    dropNote: "Drop or paste a record (PGN, SGF, XQF, DhtmlXQ …), a FEN or a position anywhere.", keptIn: "Games are kept in {0}", noStore: "Games are not kept by this server.", exportAll: "All games:", unreadable: "{0} files of the library cannot be read: {1}",
    clock: "Clock", noClock: "No clock", customClock: "Other …", clockNote: "As --tc: 300+3, 40/90:00+30,30:00+30, 300d5, 300b5, 60h, 600+5x30, 600+25/300", minutes: "{0} min", seconds: "{0} s", plusSeconds: "{0} + {1} s", plusPeriods: "{0} + {1} × {2} s",
    conduct: "Conduct", casual: "Casual", match: "Match", rapid: "Rapid", blitz: "Blitz", casualNote: "Moves may be taken back, and the engine helps.", matchNote: "No take-backs, no advice; claims are examined, fouls count.", rapidNote: "As a match; the second illegal move loses, the first gives the opponent two minutes.", blitzNote: "As a match; the second illegal move loses, the first gives the opponent a minute.",
    offer: "Offer draw", claim: "Claim draw", pause: "Pause", adjourn: "Adjourn", continue: "Continue", clocksStand: "The clocks are stopped", acceptDraw: "Accept", decline: "Decline", offersDraw: "{0} offers a draw", engineOffers: "Sanqi offers a draw", youOffer: "Draw offered: make your move",
    playSealed: "Play the move that you seal", playClaimed: "Play the move that you claim with", sealed: "The move is sealed", sealedNote: "The record holds only its hash. This browser keeps the envelope; keep a copy where you trust it more:", adjourned: "Adjourned: {0} has sealed a move", envelope: "Envelope", openEnvelope: "Open the envelope", envelopeLost: "Where the envelope is lost, type the move that was sealed.",
    claimTitle: "Claim a draw", claimNote: "For the third occurrence of a position or fifty moves without a capture or a pawn move. A wrong claim costs time.", claimWith: "With my next move", claimNow: "On the board now", foulsOf: "fouls: {0}", illegalMoves: "illegal moves: {0}", wrongClaims: "wrong claims: {0}", declined: "Sanqi declines the draw.",
    judge: "Ask the arbiter", judgeNote: "How the rules decide about the moves up to the position on the board; clauses as in sanqi rules.", "ask-claim": "Can a draw be claimed?", "ask-dead": "Is the position dead?", "ask-flag": "Who wins if the flag falls now?", "ask-end": "Have the rules ended the game?", "ask-illegal": "Is every move legal?", "ask-count": "Count the board", "ask-turns": "Two moves in a row?", "ask-point": "Is this point forbidden?",
    learn: "Learn from the mistakes", "lesson-ask": "Find a better move than {0}", "lesson-wait": "Let me see …", "lesson-right": "Well found! The review prefers {1}", "lesson-wrong": "There is something better: try again", "lesson-same": "{0} was played: try another move", "lesson-shown": "The review prefers {1}", lessonCount: "{0} of {1}", losesChances: "That gives away {0} % of the chances.", showAnswer: "Show it", nextLesson: "Next", endLesson: "Enough",
    turns: "Where the game turned", rematch: "Rematch", emptyPoint: "empty",
    drawing: "Draw on the board (D)", wipe: "Clear", pieceSet: "Other pieces", tapAgain: "Tap the point again to play there.", kDraw: "Draw on the board; with the right mouse button at any time: Shift, Alt and both are other colors, or signs in Go", kCancel: "Cancel a premove or drawing",
    "pen-green": "Green", "pen-red": "Red (Shift)", "pen-blue": "Blue (Alt)", "pen-yellow": "Yellow (Shift+Alt)", "pen-LB": "Letter", "pen-TR": "Triangle (Shift)", "pen-SQ": "Square (Alt)", "pen-CR": "Circle", "pen-MA": "Cross (Shift+Alt)",
    typeMove: "Type a move: Nf3, e2e4, C2=5, Q16", time: "time", fouls: "fouls", "illegal-move": "illegal move",
    copied: "Another tab has changed this game: yours is kept as a copy.", notKept: "The game could not be kept: {0}",
  },
  zh: {
    ...COACH.zh,
    new: "新对局", open: "打开", save: "保存", setup: "摆局", undo: "悔棋", hint: "提示", flip: "翻转", pass: "停一手",
    resign: "认输", analysis: "分析", territory: "形势", course: "对局走势", review: "全局复盘", moves: "着法",
    language: "语言 (L)", theme: "浅色、深色或跟随系统 (T)", help: "快捷键 (?)", first: "开局 (Home)", back: "后退 (←)", forward: "前进 (→)",
    last: "终局 (End)", lines: "显示变化数", notation: "记谱法", comment: "本着注解", noMoves: "还没有着法，请在棋盘上走子。",
    noLines: "打开开关即可看到最佳变化。", searching: "计算中……", ply: "深度", visits: "次访问",
    chess: "国际象棋", chess960: "国际象棋 960", xiangqi: "象棋", go: "围棋", white: "白方", black: "黑方", red: "红方",
    you: "你", engine: "三棋", level: "级别", thinking: "思考中", toMove: "{0}走", check: "将军",
    mySide: "执子", both: "双方", random: "随机", variant: "变体", standard: "标准", size: "棋盘", komi: "贴目", rules: "规则", handicap: "让子",
    strength: "棋力", full: "全力", fullNote: "全力，每着三秒", begin: "开始", cancel: "取消", close: "关闭", pieces: "棋子", characters: "汉字", letters: "字母",
    chinese: "中国", asian: "亚洲", computer: "网站通行", japanese: "日本", aga: "AGA", none: "无", "tromp-taylor": "Tromp–Taylor",
    wins: "{0}胜", draw: "和棋", checkmate: "将死", stalemate: "无子可动", "dead-position": "双方均无取胜可能", repetition: "循环重复", "no-progress": "限着作和", counted: "数子",
    resignation: "认输", agreement: "议和", points: "{0}胜 {1} 目", bothPassed: "双方停着", countNote: "变淡的棋子算作死子，点击可更改一块棋的死活。", counting: "数子中……",
    accept: "确认结果", playOn: "继续下", repeated: "局面重复", repeatWarn: "若继续重复：", mustDeviate: "{0}必须变着，否则判负", bothMay: "双方均可不变，作和", by: "依据",
    move: "着法", kind: "性质", cycle: "循环中的着法", occurrence: "第 {0} 次出现",
    perpetual_check: "长将", perpetual_threat: "长杀", perpetual_chase: "长捉", perpetual_attack: "长打", allowed: "允许着法",
    "XQ-R3": "双方均为允许着法，不变作和", "XQ-R4": "双方均为禁止着法，且非仅一方长将，不变作和", "XQ-R5": "一方为禁止着法，另一方为允许着法，禁止着法一方不变判负",
    "XQ-R6": "长将对其他禁止着法，长将方不变判负；双方长将作和", noneClause: "局面再次出现，作和",
    lost: "与引擎的连接已断开。sanqi serve 还在运行吗？或者打开的页面太多？", moved: "sanqi serve 已经重新启动，这个地址不再有效。请打开它新显示的地址。", cannotRead: "没有可读的对局。", chooseGame: "文件中的对局", saved: "已保存为 {0}", loaded: "共 {0} 着",
    accuracyOf: "{0} {1} %", reviewing: "复盘 {0}/{1}", stop: "停止", best: "最佳：{0}", hintIs: "建议 {0}",
    setupTitle: "摆局", empty: "清空", startPosition: "初始局面", eraser: "橡皮", done: "使用", fen: "FEN", turn: "轮到", promote: "升变为",
    keysTitle: "快捷键", kArrows: "浏览着法；↑ ↓ 切换变化", kSpace: "开关分析", kFlip: "翻转棋盘", kHint: "提示", kUndo: "悔棋", kNew: "新对局", kOpen: "打开或保存文件", kDelete: "删除本着及其后续", kBoard: "棋盘上：方向键移动光标，回车选择", kPromote: "将此变化设为主线", kLinks: "转到变化或最佳变化", kLines: "在最佳变化上：查看各着之后的局面",
    deleteNote: "已删除", formerKept: "按 Ctrl+Z 可恢复原来的对局。", resigned: "您已认输。", revert: "撤销", kRevert: "撤销或重做编辑，包括新对局和打开文件", nothingToUndo: "没有可撤销的操作。", captured: "提子 {0}", unknown: "？", engineMoves: "引擎走 {0}", leadOf: "{0}+{1}", result: "结果",
    engineSize: "引擎的线程和内存", threads: "线程", memory: "内存", usual: "{0}（默认）", position: "局面", home: "首页", play: "对局", analyzeGame: "分析", options: "更多选项", tryBoard: "点一下棋子就开始", allGames: "所有棋种", yourGames: "我的对局", trash: "回收站", foundOf: "{0}/{1}",
    searchNote: "棋手、日期、结果，或前几着：炮二平五 马8进7", search: "搜索", game: "棋种", moreGames: "更多对局", noGames: "没有找到对局。", trashEmpty: "回收站是空的。", restore: "恢复", remove: "移除", removed: "已移到回收站",
    dropNote: "棋谱（PGN、SGF、XQF、DhtmlXQ……）、FEN 或局面，拖放或粘贴到任意位置即可打开。", keptIn: "对局保存在 {0}", noStore: "此服务器不保存对局。", exportAll: "全部对局：", unreadable: "棋谱库中有 {0} 个文件无法读取：{1}",
    clock: "棋钟", noClock: "不计时", customClock: "其他……", clockNote: "写法同 --tc：300+3、40/90:00+30,30:00+30、300d5、300b5、60h、600+5x30、600+25/300", minutes: "{0} 分", seconds: "{0} 秒", plusSeconds: "{0} + 每着 {1} 秒", plusPeriods: "{0} + 读秒 {2} 秒 {1} 次",
    conduct: "对局", casual: "随意", match: "正式", rapid: "快棋", blitz: "超快棋", casualNote: "可以悔棋，引擎可以帮忙。", matchNote: "不得悔棋，不能求助；判和要求须经审查，犯规计数。", rapidNote: "同正式对局；第一次违例给对方加两分钟，第二次判负。", blitzNote: "同正式对局；第一次违例给对方加一分钟，第二次判负。",
    offer: "提和", claim: "要求判和", pause: "暂停", adjourn: "封棋", continue: "继续", clocksStand: "棋钟已停", acceptDraw: "同意", decline: "拒绝", offersDraw: "{0}提和", engineOffers: "三棋提和", youOffer: "已提和，请走子",
    playSealed: "请走要封的一着", playClaimed: "请走据以要求判和的一着", sealed: "着法已封", sealedNote: "棋谱中只有它的散列值。信封存在本浏览器中，请另存一份：", adjourned: "已封棋：{0}的封着", envelope: "信封", openEnvelope: "启封", envelopeLost: "信封遗失时，请输入所封的着法。",
    claimTitle: "要求判和", claimNote: "理由为局面第三次出现，或五十回合没有吃子也没有走兵。要求不成立会扣时。", claimWith: "走下一着后", claimNow: "就现在的局面", foulsOf: "犯规 {0}", illegalMoves: "违例 {0}", wrongClaims: "要求不成立 {0}", declined: "三棋不同意和棋。",
    judge: "问裁判", judgeNote: "规则对到此为止的着法怎么裁决；条款见 sanqi rules。", "ask-claim": "能否要求判和？", "ask-dead": "是死局吗？", "ask-flag": "现在超时怎么判？", "ask-end": "棋局按规则结束了吗？", "ask-illegal": "着法都合规则吗？", "ask-count": "数子", "ask-turns": "有没有连走两着？", "ask-point": "是禁着点吗？",
    learn: "从失误中学习", "lesson-ask": "找出比 {0} 更好的着法", "lesson-wait": "正在判断……", "lesson-right": "找到了！复盘推荐 {1}", "lesson-wrong": "还有更好的着法，再试试", "lesson-same": "实战走的就是 {0}，换一着试试", "lesson-shown": "复盘推荐 {1}", lessonCount: "{0}/{1}", losesChances: "这样会损失 {0} % 的胜率。", showAnswer: "看答案", nextLesson: "下一个", endLesson: "结束",
    turns: "转折点", rematch: "再来一局", emptyPoint: "空",
    drawing: "在棋盘上做标记 (D)", wipe: "清除标记", pieceSet: "换一套棋子", tapAgain: "再点一次即在此落子。", kDraw: "在棋盘上做标记；也可随时用鼠标右键，加 Shift、Alt 或两者换颜色，围棋换记号", kCancel: "取消预走或标记",
    "pen-green": "绿色", "pen-red": "红色 (Shift)", "pen-blue": "蓝色 (Alt)", "pen-yellow": "黄色 (Shift+Alt)", "pen-LB": "字母", "pen-TR": "三角 (Shift)", "pen-SQ": "方块 (Alt)", "pen-CR": "圆圈", "pen-MA": "叉 (Shift+Alt)",
    typeMove: "输入着法：炮二平五、Nf3、Q16", time: "超时", fouls: "犯规", "illegal-move": "违例着法",
    copied: "另一个标签页改动了这局棋：您的这一份已另存为副本。", notKept: "对局无法保存：{0}",
  },
};

let language = "en";

/** The languages that there are. */
export const LANGUAGES = Object.keys(WORDS);

/** The language in force. */
export const current = () => language;

/** Takes a language, and writes all that stands in the page in it. */
export function speak(name) {
  language = LANGUAGES.includes(name) ? name : "en";
  document.documentElement.lang = language === "zh" ? "zh-CN" : language;
  translate(document);
}

/** Writes the texts below an element: `data-t` is its text, `data-hint` its title, `data-hold` its placeholder,
 *  `data-name` its name for those who do not see it. */
export function translate(root) {
  for (const element of root.querySelectorAll("[data-t]")) element.textContent = t(element.dataset.t);
  for (const element of root.querySelectorAll("[data-hint]")) { element.title = t(element.dataset.hint); element.setAttribute("aria-label", element.title); }
  for (const element of root.querySelectorAll("[data-about]")) element.title = t(element.dataset.about);
  for (const element of root.querySelectorAll("[data-name]")) element.setAttribute("aria-label", t(element.dataset.name));
  for (const element of root.querySelectorAll("[data-hold]")) element.placeholder = t(element.dataset.hold);
}

/** A text with its blanks filled. */
export const t = (key, ...values) => (WORDS[language][key] ?? WORDS.en[key] ?? key).replace(/\{(\d)\}/g, (_, i) => values[i]);

/** The keys of a language, for tests. */
export const keys = name => Object.keys(WORDS[name]);
