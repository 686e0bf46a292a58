// The words of the coach and of other engines, in English and in Chinese.

export const COACH = {
  en: {
    book: "Book", bookPoints: "{0} points", tables: "Endgame tables", dtz: "{0} plies to the next capture or pawn move", fiftyDraw: "draw by the fifty-move rule",
    branches: "Tree", kBranches: "The tree of moves as a graph", rootComment: "Comment on the game", sign: "Sign of this move",
    "sound-all": "Sounds: moves and the clock's voice", "sound-moves": "Sounds: moves", "sound-off": "Sounds: off", previousGame: "Previous game of the file ([)", nextGame: "Next game of the file (])", kGames: "Previous or next game of an opened file",
    practice: "Practice your mistakes ({0})", practiced: "These were all.", solve: "Solve", solveNote: "Hides the moves: find them yourself", nextProblem: "Next problem", recordAnswers: "The record answers {0}.",
    "problem-solve": "{0} to move: find the move of the record", "problem-wait": "Right", "problem-unknown": "The record does not have this move: try another", "problem-refuted": "The record refutes this move: try another", "problem-solved": "Solved!", "problem-shown": "The record plays {1}",
    why: "Why", lostShare: "−{0} %", lostPoints: "−{0} points", warn: "Coach", warnOn: "Warn me", warnOff: "Off", warnNote: "After a blunder the board says why, and offers the move back.",
    looking: "One moment …", warned: "{0} gives away {1}", shareOf: "{0} % of the chances", pointsOf: "about {0} points", takeItBack: "Take it back", playAnyway: "Play on",
    threat: "Threat", threatNote: "What the opponent would play if it were his turn (X)", kThreat: "Threat: what the opponent would play now", threatIs: "Threat: {0}", noThreat: "No threat is found.",
    opponent: "Opponent", watch: "Engines", watchNote: "Two engines play each other on the board.", engineOf: "{0} plays", secondsEach: "Seconds a move", stopGame: "Stop", goOn: "Go on", stopped: "The engines rest",
    engineFailed: "{0} has failed", nothingLost: "The game is as it was.", tryAgain: "Start it again", sanqiPlays: "Let Sanqi play on",
    secondOpinion: "Second opinion", consulting: "{0} is thinking …", pace: "Pace", human: "Human", instant: "At once",
    levelUp: "You won at level {0}. Try the next one?", levelDown: "Level {0} was hard. Try the one below?", playLevel: "Play level {0}",
    sheetOf: "{0}: {1} %", worstOf: "?? {0} · ? {1} · ?! {2}", secondsLeft: "about {0} s left", minutesLeft: "about {0} min left",
  },
  zh: {
    book: "开局库", bookPoints: "{0} 分", tables: "残局库", dtz: "距下次吃子或走兵 {0} 步", fiftyDraw: "按五十回合规则作和",
    branches: "着法树", kBranches: "以图显示着法树", rootComment: "全局注解", sign: "本着评价符号",
    "sound-all": "声音：走子声和棋钟报时", "sound-moves": "声音：走子声", "sound-off": "声音：关", previousGame: "文件中的上一局 ([)", nextGame: "文件中的下一局 (])", kGames: "所打开文件的上一局、下一局",
    practice: "练习自己的失误（{0}）", practiced: "已经全部练完。", solve: "解题", solveNote: "隐藏着法，自己找出来", nextProblem: "下一题", recordAnswers: "棋谱应以 {0}。",
    "problem-solve": "{0}走：找出棋谱的着法", "problem-wait": "正确", "problem-unknown": "棋谱没有这一着，换一着试试", "problem-refuted": "棋谱否定这一着，换一着试试", "problem-solved": "解出来了！", "problem-shown": "棋谱走 {1}",
    why: "原因", lostShare: "−{0} %", lostPoints: "−{0} 目", warn: "教练", warnOn: "提醒我", warnOff: "关", warnNote: "走出败着后说明原因，并可收回这一着。",
    looking: "请稍候……", warned: "{0} 损失{1}", shareOf: " {0} % 的胜率", pointsOf: "约 {0} 目", takeItBack: "收回", playAnyway: "照走",
    threat: "威胁", threatNote: "如果现在轮到对方，他会走什么 (X)", kThreat: "威胁：现在轮到对方会走什么", threatIs: "威胁：{0}", noThreat: "没有发现威胁。",
    opponent: "对手", watch: "引擎对弈", watchNote: "两个引擎在棋盘上对弈。", engineOf: "{0}由", secondsEach: "每着秒数", stopGame: "停止", goOn: "继续", stopped: "引擎休息中",
    engineFailed: "{0} 出错", nothingLost: "对局没有任何损失。", tryAgain: "重新启动", sanqiPlays: "由三棋接着下",
    secondOpinion: "第二意见", consulting: "{0} 思考中……", pace: "节奏", human: "像人一样", instant: "立即",
    levelUp: "您战胜了级别 {0}，试试下一级？", levelDown: "级别 {0} 有点难，试试低一级？", playLevel: "下级别 {0}",
    sheetOf: "{0}：{1} %", worstOf: "?? {0} · ? {1} · ?! {2}", secondsLeft: "约剩 {0} 秒", minutesLeft: "约剩 {0} 分钟",
  },
};
