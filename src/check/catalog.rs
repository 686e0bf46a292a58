//! The catalog of findings: everything that `sanqi check` can hold against an engine.
//!
//! docs/FINDINGS.md and docs/zh/FINDINGS.md are this table as pages; a test compares them.

use crate::util::lang::{Bilingual, named};

named! {
    #[derive(PartialOrd, Ord)]
    pub enum Severity {
        /// Good to know; does no harm in matches.
        Note = "note": "note" | "说明",
        /// Does harm with some managers, GUIs or conditions.
        Warning = "warning": "warning" | "警告",
        /// It loses games, or its results cannot be trusted: the engine is not fit for matches.
        Fault = "fault": "fault" | "错误",
    }
}

/// Something that can be wrong with an engine.
#[derive(PartialEq, Eq, Debug)]
pub struct Finding {
    /// The identifier: `late-move`.
    pub id: &'static str,
    pub severity: Severity,
    /// The group of checks that finds it; the first one where several do.
    pub group: &'static str,
    /// What the engine did, in one sentence.
    pub meaning: Bilingual,
    /// Why it loses games or trust.
    pub reason: Bilingual,
}

/// Declares each finding as a constant, and all of them as [`ALL`].
macro_rules! catalog {
    ($($name:ident $id:literal $severity:ident $group:literal:
        $meaning:literal | $zh_meaning:literal, $reason:literal | $zh_reason:literal;)*) => {
        $(
            #[doc = $meaning]
            pub const $name: Finding = Finding {
                id: $id,
                severity: Severity::$severity,
                group: $group,
                meaning: Bilingual($meaning, $zh_meaning),
                reason: Bilingual($reason, $zh_reason),
            };
        )*
        /// The whole catalog, in the order of a check.
        pub const ALL: &[&Finding] = &[$(&$name),*];
    };
}

catalog! {
    NO_HANDSHAKE "no-handshake" Fault "handshake":
        "The engine does not answer the protocol's greeting within the timeout." | "引擎在限时内没有应答协议的问候。",
        "No manager can start it: every game is forfeited." | "没有一个比赛程序能启动它：每一局都算弃权。";
    SLOW_HANDSHAKE "slow-handshake" Warning "handshake":
        "The greeting is answered after more than five seconds." | "过了五秒以上才应答问候。",
        "Managers wait ten seconds or less, and start several engines at once on a busy machine."
            | "比赛程序至多等十秒，而且会在忙碌的机器上同时启动几个引擎。";
    NO_NAME "no-name" Warning "handshake":
        "The engine does not give its name." | "引擎没有报出自己的名称。",
        "Results and records do not show which version played." | "结果和棋谱分不清是哪个版本。";
    NO_AUTHOR "no-author" Note "handshake":
        "The engine does not name its author." | "引擎没有报出作者。",
        "UCI asks for it; some tournaments do, too." | "UCI 要求这一项；有些比赛也要求。";
    CRASH "crash" Fault "handshake":
        "The process ended, or closed its output, while it was in use." | "程序在使用中终止，或关闭了输出。",
        "The game is lost, and with some managers the match." | "这一局判负；有的比赛程序会因此停止整场比赛。";

    NO_ANSWER "no-answer" Fault "handshake":
        "A GTP command is not answered." | "一条 GTP 命令没有应答。",
        "Managers wait for it, and the game is lost." | "比赛程序会一直等待，这一局判负。";
    OTHER_VERSION "other-version" Warning "handshake":
        "The engine does not report version 2 of GTP." | "引擎没有说明自己使用 GTP 第 2 版。",
        "Managers that ask refuse it." | "会问版本的比赛程序拒绝使用它。";
    REQUIRED_COMMAND "required-command" Fault "handshake":
        "A command that every engine must have under GTP is missing." | "缺少 GTP 要求每个引擎都有的命令。",
        "Games cannot be set up or played." | "无法摆棋或无法对局。";
    KNOWN_COMMAND "known-command" Warning "handshake":
        "The list of commands and the answers about single commands differ." | "命令清单与对单个命令的询问结果不一致。",
        "Managers use one or the other to find out what can be used." | "比赛程序用其中之一来了解哪些命令可用。";
    NO_FEATURES "no-features" Note "handshake":
        "The engine announces nothing: it speaks version 1 of XBoard's protocol."
            | "引擎什么也没有声明：它说的是 XBoard 协议第 1 版。",
        "It cannot be given a position, and does not announce when it is ready." | "不能给它局面，也无从知道它何时准备好。";
    NO_DONE "no-done" Warning "handshake":
        "The features of XBoard's protocol do not end with done=1." | "XBoard 协议的功能声明没有以 done=1 结束。",
        "Every start waits for a timeout, and features that come later are lost."
            | "每次启动都要等到时间用完，之后才声明的功能会丢失。";
    MISSING_FEATURE "missing-feature" Note "handshake":
        "A feature that matches use is not announced: ping, setboard or usermove."
            | "没有声明比赛要用的功能：ping、setboard 或 usermove。",
        "Openings and positions cannot be given, or answers are mistaken for moves."
            | "无法给出开局和局面，或把别的应答误认为着法。";

    MALFORMED_OPTION "malformed-option" Warning "options":
        "An option is declared without a name, with an unknown type, or without what its type needs."
            | "声明的选项没有名称、类型不明，或缺少该类型必需的内容。",
        "GUIs and managers leave the option out, or refuse the engine." | "界面和比赛程序会略去这个选项，或拒绝这个引擎。";
    BAD_DEFAULT "bad-default" Warning "options":
        "The default of an option lies outside its own range, or is none of its choices."
            | "选项的默认值超出自己的范围，或不在可选的值之中。",
        "A manager that sets the default changes the engine; some refuse it." | "设置默认值的比赛程序会改变引擎的状态；有的会拒绝它。";
    DUPLICATE_OPTION "duplicate-option" Warning "options":
        "Two options have names that differ only in case." | "两个选项只有大小写不同，或完全同名。",
        "It is undefined which of them a manager sets." | "比赛程序设置的是哪一个，全凭运气。";
    WIDE_OPTION "wide-option" Note "options":
        "The range of an option does not fit in 32 bits." | "选项的范围超出 32 位。",
        "fastchess reads ranges as 32-bit numbers." | "fastchess 按 32 位数读取范围。";
    COMBO_BLANK "combo-blank" Note "options":
        "A choice of a combo option contains a blank." | "combo 选项的某个值中有空格。",
        "Some managers split choices at blanks." | "有的比赛程序在空格处拆开各值。";
    MISSING_OPTION "missing-option" Note "options":
        "The engine has no option for the size of its hash table, or for its threads."
            | "引擎没有设置置换表大小或线程数的选项。",
        "OpenBench and rating lists set both, to make matches fair." | "OpenBench 和等级分榜为了公平，两者都要设置。";
    OPTION_BREAKS "option-breaks" Fault "options":
        "After an option was set to a declared value, the engine has exited or does not answer."
            | "把选项设为它自己声明的值以后，引擎终止或不再应答。",
        "Matches are played with options set." | "比赛总是要设选项的。";

    NO_READYOK "no-readyok" Fault "ready":
        "The question whether it is ready, asked when nothing is searched, stays without an answer."
            | "没有搜索时询问它是否准备好，没有应答。",
        "Managers ask before every move, and forfeit the game." | "比赛程序每一着之前都要问，得不到应答就判负。";
    SLOW_READYOK "slow-readyok" Warning "ready":
        "The median answer to that question takes more than 50 ms." | "这一询问的应答时间中位数超过 50 毫秒。",
        "Managers ask up to three times a move; games at short controls drag, and some clocks count it."
            | "比赛程序每着至多问三次；时限短的对局因此拖长，有的还计入棋钟。";
    READYOK_IN_SEARCH "readyok-in-search" Warning "ready":
        "The question whether it is ready is not answered within a second while a search runs."
            | "搜索时询问它是否准备好，一秒内没有应答。",
        "GUIs assume that the engine hangs, and end it." | "界面会认为引擎死了，把它终止。";

    STRAY_OUTPUT "stray-output" Warning "answers":
        "A line of output belongs to no answer of GTP." | "有一行输出不属于任何 GTP 应答。",
        "Strict controllers take it for an answer, and everything after it for the answer to something else."
            | "严格的控制程序会把它当作应答，于是此后的应答全部错位。";
    NO_BLANK_LINE "no-blank-line" Fault "answers":
        "An answer of GTP does not end with an empty line, or has one in its middle."
            | "GTP 的应答没有以空行结束，或中间有空行。",
        "Controllers wait for the end, or take the rest for the next answer." | "控制程序会一直等待结束，或把余下的部分当作下一个应答。";
    ID_LOST "id-lost" Warning "answers":
        "The number of a GTP command is not given back." | "没有交还 GTP 命令的编号。",
        "Controllers that number their commands, like Sabaki, wait for ever." | "给命令编号的控制程序（如 Sabaki）会永远等下去。";
    NOT_REFUSED "not-refused" Warning "answers":
        "A wrong command or move is not refused." | "错误的命令或着法没有被拒绝。",
        "Mistakes on either side go unnoticed, and the boards differ." | "任何一方的差错都无人发觉，双方的棋盘从此不同。";
    COMMENT "comment" Warning "answers":
        "Comments, tabs or blanks around a command of GTP are not understood." | "GTP 命令前后的注释、制表符或空格没有被理解。",
        "Files of commands and some controllers have them." | "命令文件和一些控制程序里会有这些。";

    NO_BESTMOVE "no-bestmove" Fault "clocks":
        "A search that has a limit does not end with a move." | "有限制的搜索结束时没有给出着法。",
        "The game is lost on time." | "这一局因超时判负。";
    NO_CLOCK "no-clock" Warning "clocks":
        "The engine cannot be given a clock: GTP's time_settings or time_left is missing."
            | "没有办法告诉引擎时间：缺少 GTP 的 time_settings 或 time_left。",
        "Games with a clock are lost on time, or played far too fast." | "有棋钟的对局会超时，或下得过快。";
    FLAG "flag" Fault "clocks":
        "The move came after all the time on the clock was used, three times in a row."
            | "连续三次，着法在棋钟的时间全部用完之后才到。",
        "The game is lost on time." | "这一局因超时判负。";
    SHORT_FLAG "short-flag" Warning "clocks":
        "With less than a tenth of a second on the clock, the move came too late three times in a row."
            | "棋钟剩下不到十分之一秒时，连续三次走得太晚。",
        "Endgames without an increment are lost on time." | "没有加秒的残局会因超时判负。";
    MOVETIME_IGNORED "movetime-ignored" Fault "clocks":
        "A search of a fixed time took half a second longer than that, three times in a row."
            | "规定时间的搜索，连续三次多用了半秒。",
        "Games at a fixed time a move are lost on time." | "每着限时的对局会因超时判负。";
    MOVETIME_OVERRUN "movetime-overrun" Warning "clocks":
        "A search of a fixed time took 50 ms longer than that, three times in a row."
            | "规定时间的搜索，连续三次多用了 50 毫秒。",
        "Managers forgive 0 to 50 ms unless set otherwise." | "除非另行设定，比赛程序只宽限 0 至 50 毫秒。";
    SPENDTHRIFT "spendthrift" Warning "clocks":
        "More than half of the clock was spent on one of many moves, three times in a row."
            | "还有很多着要走，却连续三次在一着上用掉棋钟的一半以上。",
        "The moves that follow are made in time trouble." | "后面的着法都要在时间紧迫中走出。";
    NEGATIVE_CLOCK "negative-clock" Warning "clocks":
        "With a negative time on the clock no move comes within two seconds." | "棋钟为负数时，两秒内没有走棋。",
        "Managers with a time margin send what is left, even when it is negative."
            | "允许超时宽限的比赛程序会如实发送剩余时间，哪怕是负数。";

    DEPTH_IGNORED "depth-ignored" Note "limits":
        "A depth limit is not kept." | "没有遵守深度的限制。",
        "Tests at a fixed depth compare unlike things." | "固定深度的测试，比的就不是同样的东西。";
    NODES_IGNORED "nodes-ignored" Note "limits":
        "A node limit is exceeded by more than half, and by more than 20,000 nodes."
            | "超出结点数限制的一半，并多出 20,000 个结点以上。",
        "Tests at fixed nodes compare unlike things." | "固定结点数的测试，比的就不是同样的东西。";
    SEARCHMOVES_IGNORED "searchmoves-ignored" Note "limits":
        "The move played is not one of those that the search was restricted to." | "走出的着法不在限定搜索的着法之中。",
        "GUIs use the restriction to look at alternatives." | "界面用这一限定来看别的着法怎样。";
    MATE_IGNORED "mate-ignored" Note "limits":
        "A search for a mate in one, on a board with one, does not end by itself."
            | "盘上有一步杀，要求搜索一步杀，搜索却不会自己结束。",
        "Solvers of problems use the limit." | "解题程序使用这一限制。";
    NONDETERMINISTIC "nondeterministic" Note "limits":
        "The same search with one thread and a fixed depth gave two results." | "同一搜索，一个线程，固定深度，两次结果不同。",
        "A fault seen once cannot be reproduced." | "出现过一次的毛病无法重现。";

    IDLE_BESTMOVE "idle-bestmove" Fault "stop":
        "The engine answers a stop with a move although nothing was searched." | "没有在搜索，引擎却用一着棋来应答 stop。",
        "The manager takes it for the answer to the next question, and the game is lost by an illegal move."
            | "比赛程序把它当作下一个问题的回答，这一局因违例判负。";
    STOP_IGNORED "stop-ignored" Fault "stop":
        "A search that was stopped does not end within the timeout." | "要求停止的搜索在限时内没有结束。",
        "Managers end the engine; the game is lost." | "比赛程序会终止引擎，这一局判负。";
    MOVE_NOW "move-now" Warning "stop":
        "The question mark of XBoard's protocol, move now, is ignored." | "XBoard 协议的问号（立即走棋）没有作用。",
        "*Move Now* in a GUI does nothing; managers do not use it." | "界面上的“立即走棋”不起作用；比赛程序并不用它。";
    STOP_LOST "stop-lost" Fault "stop":
        "A stop that follows the start of a search at once has no effect." | "紧跟在开始搜索之后的 stop 没有作用。",
        "The engine hangs when the opponent answers at once; the game is lost." | "对手立即应着时引擎就会卡住，这一局判负。";
    SLOW_STOP "slow-stop" Warning "stop":
        "A search that was stopped ends after more than 200 ms." | "要求停止的搜索过了 200 毫秒以上才结束。",
        "The time is taken from the engine's own clock when the expected move was not played."
            | "没有猜中对手的着法时，这段时间要从引擎自己的棋钟里扣。";
    SECOND_BESTMOVE "second-bestmove" Fault "stop":
        "One search was answered with two moves." | "一次搜索给出了两着棋。",
        "The second is taken for the answer to the next question, and the game is lost by an illegal move."
            | "第二着会被当作下一个问题的回答，这一局因违例判负。";
    INFINITE_ENDS "infinite-ends" Warning "stop":
        "A search without a limit ended before it was stopped." | "没有限制的搜索，没有要求停止就结束了。",
        "GUIs that analyze show nothing any more, or take a later move for the wrong position."
            | "分析用的界面从此什么也不显示，或把后来的着法当成别的局面的。";

    PONDER_ENDS "ponder-ends" Fault "ponder":
        "A search in the opponent's time ended before the opponent had moved." | "在对手的时间里思考，对手还没有走，搜索就结束了。",
        "A move when it is the other's turn loses the game." | "没有轮到自己就走棋，这一局判负。";
    PONDERHIT_IGNORED "ponderhit-ignored" Fault "ponder":
        "After the expected move was played, no move came within the time on the clock."
            | "对手走了预料的着法以后，在棋钟的时间内没有走棋。",
        "The game is lost on time." | "这一局因超时判负。";
    ILLEGAL_PONDER "illegal-ponder" Warning "ponder":
        "The reply that the engine expects is not legal after its own move." | "引擎预料的应着，在它自己走过之后并不合法。",
        "A manager that lets it think about this move sends an impossible position."
            | "让它后台思考这一着的比赛程序，会发出不可能的局面。";

    LONG_GAME "long-game" Fault "games":
        "After a game of 400 plies, the engine has exited, does not answer or answers with an illegal move."
            | "收到一局 400 步的棋之后，引擎终止、不应答，或走出违例的着法。",
        "Long games are lost." | "长的对局都会判负。";
    NEW_GAME "new-game" Fault "games":
        "After the announcement of a new game, the engine has exited or does not answer." | "宣布新的一局之后，引擎终止或不应答。",
        "Every match has more than one game." | "每场比赛都不止一局。";

    BAD_SIZE "bad-size" Warning "games":
        "A board of 1000 lines is accepted." | "接受了 1000 路的棋盘。",
        "Managers find out by a refusal which sizes can be played." | "比赛程序靠拒绝来得知能下多大的棋盘。";

    ILLEGAL_MOVE "illegal-move" Fault "moves":
        "The move is not legal in the position." | "着法在这个局面中违例。",
        "The game is lost." | "这一局判负。";
    ODD_MOVE "odd-move" Warning "moves":
        "A legal move is not in the protocol's form, for example in capital letters."
            | "着法合法，但没有按协议的写法，例如用了大写字母。",
        "Some managers take it for illegal." | "有的比赛程序会当作违例。";
    MISSES_MATE "misses-mate" Warning "moves":
        "A mate in one was not played." | "有一步杀而没有走。",
        "Won games are not won." | "赢定的棋赢不下来。";
    ENDED_POSITION "ended-position" Note "moves":
        "Asked for a move when the game is over, the engine plays one, exits, or does not answer."
            | "棋局已经结束时要它走棋，引擎走出一着、终止，或不应答。",
        "Managers do not ask. GUIs do when a user sets up a finished position."
            | "比赛程序不会这样问；有人在界面上摆出这种局面时，界面会问。";

    LEGAL_REFUSED "legal-refused" Fault "board":
        "A legal move, or a board to be set up, is refused." | "拒绝了合法的着法，或拒绝了要摆的局面。",
        "The game cannot go on." | "这一局无法继续。";
    ILLEGAL_ACCEPTED "illegal-accepted" Warning "board":
        "A stone is put on an occupied point, or on none of the board." | "接受了下在已有棋子处或棋盘以外的一着。",
        "The engine's board differs from that of the manager, and its next move may be illegal."
            | "引擎的棋盘与比赛程序的不同，它的下一着可能违例。";
    KO_ACCEPTED "ko-accepted" Note "board":
        "A ko is taken back at once." | "接受了立即提回劫。",
        "The engine relies on the manager for the rule, and may break it itself." | "引擎靠比赛程序来守这条规则，自己可能犯规。";
    FORCE_IGNORED "force-ignored" Fault "board":
        "The engine moves although it is in XBoard's force mode." | "处在 XBoard 的 force 状态，引擎却走棋。",
        "The manager takes the move for one of the game." | "比赛程序会把它当作对局中的一着。";
    UNDO "undo" Warning "board":
        "After moves were taken back, the engine's board is another." | "悔棋以后，引擎的棋盘不对了。",
        "GUIs take back; managers do where a move was refused." | "界面会悔棋；着法被拒绝时，比赛程序也会。";
    BANMOVES_IGNORED "banmoves-ignored" Note "board":
        "The engine plays a move that UCCI's banmoves forbids." | "引擎走了 UCCI 的 banmoves 所禁止的着法。",
        "Managers forbid moves that the rules of repetition would punish." | "比赛程序用它来禁止会被循环规则判负的着法。";

    MALFORMED_INFO "malformed-info" Warning "info":
        "A line about the search cannot be read: a number or a kind of score is missing."
            | "关于搜索的一行无法读取：缺少数字，或不知是哪种分值。",
        "Managers adjudicate by these lines; some end engines that write others."
            | "比赛程序靠这些行提前判定；有的会因为写错而终止引擎。";
    NO_SCORE "no-score" Warning "info":
        "A search of a third of a second reported no score." | "搜索了三分之一秒，没有报告分值。",
        "Games cannot be adjudicated, and their records have no scores." | "无法提前判定，棋谱里也看不出什么。";
    ILLEGAL_PV "illegal-pv" Warning "info":
        "A line of expected moves holds a move that is not legal." | "报告的主要变化中有违例的着法。",
        "Managers warn, strict ones end the match; it hints at corrupt tables."
            | "比赛程序会警告，严格的会停止比赛；这可能意味着置换表有差错。";
    LONG_PV "long-pv" Note "info":
        "A line of expected moves goes on after the game has ended." | "报告的主要变化在终局之后还有着法。",
        "Managers warn of it." | "比赛程序会为此警告。";
    PV_MISMATCH "pv-mismatch" Note "info":
        "The move played is not the first of the last line reported." | "走出的着法不是最后报告的主要变化的第一着。",
        "Records show one move, and the reasons for another." | "棋谱里是一着棋，理由却是另一着棋的。";
    FALLING_COUNT "falling-count" Note "info":
        "Within one search the reported nodes or time decrease." | "同一次搜索中，报告的结点数或时间变少了。",
        "Speeds and limits that are taken from them are wrong." | "由此算出的速度和限制都不对。";
    WRONG_TIME "wrong-time" Note "info":
        "The time that the engine reports is longer than the time that passed." | "引擎报告的时间比实际经过的长。",
        "It counts time wrongly, and so may lose on time." | "它的计时有误，可能因此超时。";
    WRONG_NPS "wrong-nps" Note "info":
        "The reported speed is not the reported nodes divided by the reported time." | "报告的速度不等于报告的结点数除以时间。",
        "Speeds cannot be compared." | "速度无法比较。";

    WRONG_SIGN "wrong-sign" Fault "scores":
        "A side that is far ahead, or mates, is reported to be behind, or vice versa."
            | "优势很大或有杀的一方被报告为劣势，或者相反。",
        "Games that are adjudicated by score are given to the loser." | "按分值提前判定的对局会判给输家。";
    FALSE_MATE "false-mate" Warning "scores":
        "The reported mate is shorter than the shortest." | "报告的杀着比任何杀着都短。",
        "Scores of mates cannot be trusted; managers warn." | "杀着的分值不可信；比赛程序会警告。";
    MATE_UNSEEN "mate-unseen" Note "scores":
        "A mate in two or three is not reported within a second." | "有两步或三步杀，一秒内没有报告。",
        "The engine is weak, or reports mates as plain scores." | "引擎较弱，或把杀着报告成普通的分值。";
    REPETITION_UNSEEN "repetition-unseen" Warning "scores":
        "A move that ends the game by repetition is scored far from a draw." | "某着会因局面重复而终局，报告的分值却远离和棋。",
        "Won games are drawn, and lost ones not saved." | "赢棋下成和棋，输棋也救不回来。";
    REPETITION_LOSES "repetition-loses" Warning "scores":
        "A check was repeated although the rules of repetition then lose the game, and other moves win."
            | "再将一次就会被循环规则判负，另有取胜的着法，它却又将了一次。",
        "Won games are lost." | "赢棋下成输棋。";

    FINAL_SCORE "final-score" Warning "scores":
        "The final score does not have GTP's form: B+3.5, W+3.5 or 0."
            | "最后的比分没有按 GTP 的写法：B+3.5、W+3.5 或 0。",
        "Managers that rely on the engines' scores cannot count." | "靠引擎自己的话来计算胜负的比赛程序算不出来。";

    CHESS960_CASTLING "chess960-castling" Fault "chess960":
        "Castling of Chess960 is not written as king takes rook." | "Chess960 的易位没有写成王吃车。",
        "Managers take it for an illegal move of the king, or for another move." | "比赛程序会当作王的违例着法，或别的着法。";
    CHESS960_POSITION "chess960-position" Fault "chess960":
        "After castling written as king takes rook, the engine answers with an illegal move or not at all."
            | "用王吃车的写法告诉它易位之后，引擎走出违例的着法或不应答。",
        "The game is lost." | "这一局判负。";

    UNKNOWN_COMMAND "unknown-command" Warning "input":
        "After an unknown command the engine has exited or does not answer." | "收到不认识的命令以后，引擎终止或不再应答。",
        "Managers send commands that came after the engine was written." | "比赛程序会发送引擎写成之后才有的命令。";
    BAD_FEN "bad-fen" Warning "input":
        "After an impossible position the engine has exited or does not answer." | "收到不可能的局面以后，引擎终止或不再应答。",
        "A mistake in an opening book ends the match." | "开局库里的一处笔误就会中断比赛。";
    BAD_HISTORY "bad-history" Warning "input":
        "After a position with an illegal move in its history, the engine has exited or does not answer."
            | "收到历史中有违例着法的局面以后，引擎终止或不再应答。",
        "Where an opponent cheats or errs, the wrong engine loses." | "对手作弊或出错，输的却是这个引擎。";
    EMPTY_LINE "empty-line" Warning "input":
        "After an empty line the engine has exited or does not answer." | "收到空行以后，引擎终止或不再应答。",
        "GUIs and scripts send them." | "界面和脚本会发送空行。";
    LONG_LINE "long-line" Warning "input":
        "After a line of 64 KiB the engine has exited or does not answer." | "收到 64 KiB 的一行以后，引擎终止或不再应答。",
        "Long games are long lines; memory may be corrupted." | "对局长，行就长；内存可能已被写坏。";
    CRLF "crlf" Warning "input":
        "Lines that end as Windows ends them are not understood." | "不理解 Windows 方式的行尾。",
        "GUIs and pipes on Windows send such lines." | "Windows 的界面和管道都这样写。";
    NOT_UTF8 "not-utf8" Warning "input":
        "After bytes that are not UTF-8 the engine has exited or does not answer."
            | "收到不是 UTF-8 的字节以后，引擎终止或不再应答。",
        "Paths and names in old encodings reach engines." | "用旧编码写的路径和名字会传到引擎。";

    QUIT_IGNORED "quit-ignored" Warning "quit":
        "After quit the process still runs for five seconds, or the timeout." | "要求退出以后，过了五秒或限时，程序还在运行。",
        "Managers kill it, late; until then it takes time from games that run."
            | "比赛程序过后会强行终止它；在那以前它占用着正在进行的对局的时间。";
    SLOW_QUIT "slow-quit" Warning "quit":
        "After quit the process takes more than a second to end." | "要求退出以后，程序用了一秒以上才结束。",
        "It still computes while the next game runs." | "下一局已经开始，它还在计算。";
    EOF_IGNORED "eof-ignored" Warning "quit":
        "With its input closed, the process still runs after two seconds." | "输入关闭以后，过了两秒程序还在运行。",
        "When a manager is killed, the engine goes on and takes time from all that runs later."
            | "比赛程序被终止后，引擎仍在运行，占用此后一切程序的时间。";
    NO_BYE "no-bye" Note "quit":
        "The engine does not send bye after UCCI's quit." | "收到 UCCI 的 quit 以后没有说 bye。",
        "The specification asks for it; some GUIs wait for it." | "规范要求这样；有的界面会等它。";
    BAD_EXIT "bad-exit" Note "quit":
        "After quit the process ends by a signal or with an error." | "要求退出以后，程序因信号或错误而结束。",
        "It hints at memory corruption." | "这可能意味着内存被写坏。";
}

/// The groups of checks, in the order of the catalog.
pub fn groups() -> Vec<&'static str> {
    let mut groups: Vec<&str> = ALL.iter().map(|finding| finding.group).collect();
    groups.dedup();
    groups
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::util::lang::Language;
    use std::collections::HashSet;

    #[test]
    fn the_pages_list_every_finding() {
        for (language, page) in
            [(Language::English, "docs/FINDINGS.md"), (Language::Chinese, "docs/zh/FINDINGS.md")]
        {
            let page = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join(page);
            let page = std::fs::read_to_string(page).unwrap();
            let is_row = |line: &&str| line.starts_with("| `") && line.matches('|').count() == 5;
            let listed: Vec<&str> = page.lines().filter(is_row).collect();
            let row = |f: &&Finding| {
                let (meaning, reason) = (f.meaning.text(language), f.reason.text(language));
                format!("| `{}` | {} | {meaning} | {reason} |", f.id, f.severity.text(language))
            };
            assert_eq!(listed, ALL.iter().map(row).collect::<Vec<_>>());
            for group in groups().into_iter().filter(|_| language == Language::English) {
                assert!(page.contains(&format!("\n## {group}\n")), "{group}");
            }
        }
    }

    #[test]
    fn every_finding_has_a_name_of_its_own() {
        let ids: HashSet<&str> = ALL.iter().map(|finding| finding.id).collect();
        assert_eq!(ids.len(), ALL.len());
        let mut sorted = groups();
        sorted.sort_unstable();
        sorted.dedup();
        assert_eq!(sorted.len(), groups().len(), "a group is one block of the catalog");
    }
}
