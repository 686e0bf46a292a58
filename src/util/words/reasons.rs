//! Reasons that come from below as plain text, English and Chinese side by side.

use crate::util::lang::Language;

/// Reasons that come up from the rules, the engine and the files, which know no language: in English, with `{}` for each
/// blank, and in Chinese, with the blanks by number. What stands in a blank may be a reason itself. The first that fits
/// counts.
const REASONS: &[(&str, &str)] = &[
    ("{}: line {}: {}", "{0}：第 {1} 行：{2}"),
    ("{} line {}: {}", "{0} 第 {1} 行：{2}"),
    // The conversation with a client.
    ("position: no FEN after 'fen'", "局面：fen 之后没有内容"),
    ("position: nothing follows", "局面：没有内容"),
    ("position: 'startpos' or 'fen' expected, not '{}'", "局面：应为 startpos 或 fen，而不是“{0}”"),
    ("position: 'moves' expected, not '{}'", "局面：应为 moves，而不是“{0}”"),
    ("position: {}", "局面：{0}"),
    ("probe: {}", "查询：{0}"),
    ("go is refused: a search is running (send stop first)", "go 被拒绝：正在搜索（请先发送 stop）"),
    ("go: no limit was understood, thinking for one second", "go：没有可识别的限制，思考一秒"),
    ("go: searchmoves without a move is ignored", "go：searchmoves 之后没有着法，略过"),
    ("go: {} without a number is ignored", "go：{0} 之后没有数，略过"),
    ("go: {} '{}' is no number, and is ignored", "go：{0} 之后的“{1}”不是数，略过"),
    ("go: '{}' is ignored", "go：“{0}”略过"),
    ("go: {}", "go：{0}"),
    ("there is no position, the last one was refused", "没有局面，上一个被拒绝了"),
    ("{} is refused while searching", "搜索时拒绝 {0}"),
    ("{} cannot be set while searching", "搜索时不能设置 {0}"),
    ("not while searching", "搜索时不行"),
    ("a search is running already", "正在搜索"),
    ("a search is running", "正在搜索"),
    ("unknown command: {}", "不认识的命令：{0}"),
    (
        "no such option: {}; {} is the nearest, --print-config lists all",
        "没有选项 {0}；最接近的是 {1}，--print-config 列出全部",
    ),
    ("no such option: {}", "没有这个选项：{0}"),
    ("{} stands before the first section", "{0} 写在第一节之前"),
    ("{} was set in line {}", "{0} 已在第 {1} 行设置"),
    ("{} must be a text, a number, true or false", "{0} 须为文字、数、true 或 false"),
    ("{}; nothing of this file is used", "{0}；这个文件完全不用"),
    ("[{}] is none of the sections {}", "[{0}] 不是选项文件的节；有这些节：{1}"),
    ("{} is a rank of Go; levels are numbers from 1 to {}", "{0} 是围棋的级位；级别是 1 至 {1} 的数"),
    ("{} must be {}, not '{}'", "{0} 须为{1}，而不是“{2}”"),
    ("true or false", " true 或 false"),
    ("a whole number from {} to {}", " {0} 至 {1} 的整数"),
    ("one of {}", "以下之一：{0}"),
    ("a text", "文字"),
    ("none, it is done at once", "没有，设置时立即执行"),
    ("'{}' is not a whole number", "“{0}”不是整数"),
    ("soldiers do not promote in these rules", "这里的规则没有升变"),
    ("seldepth {}, {} permille of the table", "选择深度 {0}，置换表已用千分之 {1}"),
    ("a move from the book", "开局库着法"),
    ("left out of the root moves: {}", "不计入根着法：{0}"),
    ("{} would lose by repetition", "走 {0} 会因循环判负"),
    ("{} wins by repetition: the opponent had to deviate", "走 {0} 因循环而胜：对方本应变着"),
    ("there is no perft in this game", "这种棋没有 perft"),
    ("perft was stopped", "perft 已停止"),
    ("bench was stopped", "bench 已停止"),
    // Files and memory.
    ("cannot open {}: {}", "打不开 {0}：{1}"),
    ("cannot read '{}': {}", "读不了“{0}”：{1}"),
    ("cannot use '{}': {}", "用不了“{0}”：{1}"),
    (
        "no memory for a table of {} MiB and {} threads: {} MiB are available",
        "没有内存给 {0} MiB 的置换表和 {1} 个线程：可用 {2} MiB",
    ),
    ("no memory for a table of {} MiB and {} threads", "没有内存给 {0} MiB 的置换表和 {1} 个线程"),
    ("cannot start {} threads: {}", "启动不了 {0} 个线程：{1}"),
    ("no game is in it", "其中没有对局"),
    ("games or files that could not be read: {}", "无法读取的对局或文件：{0}"),
    // Positions of xiangqi.
    ("empty fen", "FEN 为空"),
    ("fen has {} fields, at most 6 are known", "FEN 有 {0} 项，至多 6 项"),
    ("fen has {} ranks instead of 10", "FEN 有 {0} 行，应为 10 行"),
    ("rank {} of the fen describes {} points instead of 9", "FEN 的横线 {0} 有 {1} 点，应为 9 点"),
    ("unknown piece \"{}\" on rank {}", "横线 {1} 上有不认识的棋子“{0}”"),
    ("unknown side to move \"{}\"", "不认识的走棋方“{0}”"),
    ("\"{}\" is no move counter", "“{0}”不是着数"),
    ("{} has no general", "{0}没有将（帅）"),
    ("{} has {} generals", "{0}有 {1} 个将（帅）"),
    ("{} has {} pieces of \"{}\", at most {} are possible", "{0}有 {1} 个“{2}”，至多 {3} 个"),
    ("{} general on {} is outside the palace", "{0}的将（帅）在 {1}，不在九宫内"),
    ("{} \"{}\" cannot stand on {}", "{0}的“{1}”不能在 {2}"),
    ("the generals face each other on the {} file", "两将（帅）在 {0} 线照面"),
    ("{} is in check but not to move", "{0}被将军，却没有轮到它走"),
    ("red", "红方"),
    ("black", "黑方"),
    ("pieces: {} ranks instead of 8", "棋子：有 {0} 行，应为 8 行"),
    ("pieces: rank {} has {} squares instead of 8", "棋子：第 {0} 行有 {1} 格，应为 8 格"),
    ("pieces: {} on rank {} is no piece", "棋子：第 {1} 行上的 {0} 不是棋子"),
    ("pieces: {} has {} kings instead of 1", "棋子：{0}有 {1} 个王，应为 1 个"),
    ("pieces: {} has {} pawns, 8 at most", "棋子：{0}有 {1} 个兵，至多 8 个"),
    ("pieces: {} has more pieces than promotions allow", "棋子：{0}的棋子多于升变所能得到的"),
    ("pieces: a pawn stands on {}", "棋子：{0} 上有兵"),
    ("side to move: \"{}\" is neither w nor b", "走棋方：“{0}”不是 w 也不是 b"),
    ("side to move: {} could capture the king", "走棋方：{0}可以吃掉对方的王"),
    (
        "castling rights: {} is none of KQkq, A to H, a to h or -",
        "易位权：{0} 不是 KQkq、A 至 H、a 至 h 或 -",
    ),
    (
        "en passant square: \"{}\" is no square of the third or sixth rank",
        "吃过路兵格：“{0}”不是第三或第六行的格",
    ),
    ("half-move clock: \"{}\" is no number from 0 to 9999", "半回合计数：“{0}”不是 0 至 9999 的数"),
    ("move number: \"{}\" is no number from 0 to 99999", "回合数：“{0}”不是 0 至 99999 的数"),
    ("more than six fields, from \"{}\" on", "多于六项，从“{0}”起"),
    ("white", "白方"),
    // Moves.
    ("line {}: {}", "第 {0} 行：{1}"),
    ("game {}: {}", "第 {0} 局：{1}"),
    ("a null move", "空着"),
    ("a comment that is not closed", "注释没有结束"),
    ("a variation that is not closed", "变化没有结束"),
    ("not SGF: {}", "不是 SGF：{0}"),
    ("the last bracket is missing", "缺少最后的括号"),
    ("{} stands where a move is due", "该有着法的地方却是“{0}”"),
    ("fen \"{}\": {}", "FEN“{0}”：{1}"),
    ("move {}: {}", "第 {0} 着：{1}"),
    ("\"{}\" is not a move", "“{0}”不是着法"),
    ("\"{}\" is not possible here", "这里不能走“{0}”"),
    ("\"{}\" leaves the general in check", "走“{0}”会送将"),
    ("\"{}\" could be several moves", "“{0}”可以是几种着法"),
    ("\"{}\" is no move in algebraic notation", "“{0}”不是代数记谱法的着法"),
    ("\"{}\" is not a point of the board", "“{0}”不是棋盘上的点"),
    ("\"{}\" cannot be played: {}", "“{0}”不能下：{1}"),
    ("{} is not legal here", "这里不能走 {0}"),
    ("{} could be {} or {}", "{0} 可以是 {1} 或 {2}"),
    ("not on the board", "不在棋盘上"),
    ("the point is occupied", "此处已有棋子"),
    ("suicide", "禁止自杀"),
    ("superko", "全局同形"),
    ("ko", "劫，须先在别处下一着"),
    // The ends of games.
    ("{}; a draw wins for {}", "{0}；和棋判{1}胜"),
    ("{}; the search for threats was cut short", "{0}；对威胁的搜索没有做完"),
    ("{}: {} by {} ({}); red: {}, black: {}", "{0}：{1}，依 {2}（{3}）。红方：{4}；黑方：{5}"),
    ("{}, {} is {}", "{0}（{1} 是{2}）"),
    ("black_wins", "黑胜"),
    ("red_wins", "红胜"),
    ("draw", "和棋"),
    ("both cycles are allowed and neither side deviates: draw", "双方均为允许着法，双方不变作和"),
    (
        "both cycles are forbidden, and not exactly one of them is a perpetual check: draw",
        "双方均为禁止着法，且不是仅有一方长将，双方不变作和",
    ),
    (
        "one cycle is forbidden, the other allowed: the forbidden side loses",
        "一方为禁止着法，另一方为允许着法，前者须变着，不变判负",
    ),
    (
        "a perpetual check loses against any other forbidden cycle, and draws against another one",
        "长将对其他禁止着法，长将方须变着，不变判负；双方长将，双方不变作和",
    ),
    ("unknown rule set \"{}\": {}", "没有“{0}”这种规则：{1}"),
    ("{}, no piece is chased by every move", "{0}（没有每着都被捉的子）"),
    ("perpetual check", "长将"),
    ("perpetual mate threat", "长杀"),
    ("perpetual chase", "长捉"),
    ("perpetual attack", "长打"),
    ("allowed", "允许着法"),
    ("idle {}", "{0}"),
    ("exchange {}", "{0}"),
    ("offer {}", "{0}"),
    ("block {}", "{0}"),
    ("follow {}", "{0}"),
    ("the position occurred again: draw", "局面再次出现，作和"),
    ("chinese", "中国规则"),
    ("asian", "亚洲规则"),
    ("computer", "网站通行规则"),
    ("{} oversteps the time", "{0}超时"),
    ("{} resigns", "{0}认输"),
    ("{} finds no move where there is one", "{0}有棋可走而不走"),
    ("{} plays {}: {}", "{0}走 {1}：{2}"),
    ("{} never started: {}", "{0}没有启动：{1}"),
    ("neither side started: {}", "双方都没有启动：{0}"),
    ("{}: {}, foul {}", "{0}{1}，第 {2} 次犯规"),
    ("offers a draw again", "再次提和"),
    ("draw agreed", "双方议和"),
    ("{} wins by endgame tables", "残局库判定{0}胜"),
    ("draw by endgame tables", "残局库判定和棋"),
    ("{} wins by adjudication", "提前判定{0}胜"),
    ("draw by adjudication", "提前判定和棋"),
    ("no result after {} moves", "{0} 回合后仍无结果，判和"),
    ("the match was interrupted", "比赛被中断"),
    ("Red", "红方"),
    ("Black", "黑方"),
    ("White", "白方"),
    // What engines do wrong in a match.
    ("{} when no move was asked for", "没有轮到它走，却说 {0}"),
    ("no move within {} s", "{0} 秒内没有走棋"),
    ("no answer to {} within {} s", "{1} 秒内没有回答 {0}"),
    ("no {} within {} s", "{1} 秒内没有 {0}"),
    ("the engine is gone: {}", "引擎程序已经终止：{0}"),
    ("it closed its output", "它关闭了输出"),
    ("the engine refused what it was told: {}", "引擎拒绝了：{0}"),
    ("the engine does not announce the variant xiangqi", "引擎没有声明会下象棋（xiangqi）"),
    ("the engine cannot be given a position, only moves", "引擎只接受着法，不接受局面"),
    ("--openings none, or openings of PGN", "用 --openings none，或 PGN 的开局"),
    ("the engine cannot be told a time per move below a second", "不能告诉引擎每着不到一秒的时限"),
    ("it counts in seconds and is not told fractions", "它以秒计时，没有告诉它不足一秒的部分"),
    ("board size {} is not within {} to {}", "棋盘大小 {0} 不在 {1} 至 {2} 之内"),
    ("it cannot be told the rules {}", "不能告诉它用 {0} 规则"),
    ("it cannot be told the time: it has no time_settings", "不能告诉它时间：它没有 time_settings"),
    ("it claims {} in place of a move", "它没有走棋，却宣称 {0}"),
    ("it claims {} wrongly", "它错误地宣称 {0}"),
    ("its last line is {}", "它最后输出的是 {0}"),
    ("it may speak {}: proto={}", "它用的可能是 {0}：proto={1}"),
    ("illegal move {} in its PV: {}", "主要变例中有违例着法 {0}：{1}"),
    ("the answer {} belongs to no command", "应答 {0} 不属于任何命令"),
    ("it cannot be both {} and {}", "它不能既是{0}，又是{1}"),
    ("the journal", "日志"),
    ("the games", "棋谱"),
    ("the trace", "追踪文件"),
    ("the report", "报告"),
    ("the openings", "开局"),
    ("the settings", "比赛设置"),
    ("a journal to merge", "要合并的日志"),
    ("{} would take the place of another file", "{0} 会顶替另一个文件"),
    ("it is not a file of games", "它不是棋谱文件"),
    ("it was taken away or replaced", "它被移走或顶替了"),
    ("another program has changed it", "它被别的程序改动了"),
    (
        "files of its name with .part to .part{} stand beside it: take them away",
        "旁边已有同名加 .part 到 .part{0} 的文件，请移走它们",
    ),
    ("this engine has no command that limits its visits", "这个引擎没有限制访问数的命令"),
    ("cannot start {}: {}", "启动不了 {0}：{1}"),
    ("it declares no option {}", "它没有声明选项 {0}"),
    ("it announces no option {}", "它没有声明选项 {0}"),
    (
        "engine {} lost all of its {} games by crash or stall: {}",
        "引擎 {0} 的 {1} 局都因程序终止或没有应答判负：{2}",
    ),
    ("engine {}: {}", "引擎 {0}：{1}"),
    (
        "the engine answers none of {} within {} s; --protocol says what it speaks",
        "引擎没有应答 {0}（{1} 秒内）；用 --protocol 说明它用哪种协议",
    ),
    ("the engine ends and answers none of {}: {}", "引擎没有应答 {0} 就结束了：{1}"),
    ("the groups of this protocol are {}", "这种协议有这些组：{0}"),
    ("unclosed quote in command {}", "命令 {0} 的引号没有配对"),
    ("empty command", "命令是空的"),
    // The files and the flags of a match.
    ("a match is running on it", "有一场比赛正在使用它"),
    ("no match is described in it", "其中没有比赛的说明"),
    ("there is one already; --resume goes on", "它已经存在；接着下用 --resume"),
    ("cannot write the journal: {}", "写不了日志：{0}"),
    ("this journal is of another match: {}", "这个日志属于另一场比赛：{0}"),
    (
        "its game {} is not in the schedule with --games {}: go on with --games {}, and --rounds for more",
        "--games {1} 的赛程里没有它的第 {0} 局：请保持 --games {2}，要多下就用 --rounds",
    ),
    (
        "its game {} is not in the schedule: an earlier version began the match, or it had other rounds",
        "赛程里没有它的第 {0} 局：比赛由较早的版本开始，或轮数不同",
    ),
    ("its game {} is not in the schedule", "赛程里没有它的第 {0} 局"),
    ("the trace is not whole: {}", "往来记录不完整：{0}"),
    ("Black begins openings, and White games with a handicap", "开局由黑方先行，让子棋由白方先行"),
    ("no opening is left", "没有剩下可用的开局"),
    ("the openings have changed since game {}", "第 {0} 局之后开局文件变了"),
    ("openings of {} cannot be read from a file of this kind", "不能从这种文件读取 {0} 的开局"),
    ("opening {}: {}", "开局 {0}：{1}"),
    ("the game is over: {}", "棋局已经结束：{0}"),
    ("a game of {}", "这是一局 {0}"),
    ("no moves", "没有着法"),
    ("{} is not a time control such as {}", "{0} 不是时限；时限写作 {1}"),
    (
        "{}: minutes and seconds behind a colon are below 60, as in 90:00",
        "{0}：冒号后面的分和秒须小于 60，例如 90:00",
    ),
    // What was built, and how it evaluates.
    ("{}, with changes", "{0}，有改动"),
    ("generation {}, checksum {}", "第 {0} 代，校验和 {1}"),
    ("hybrid: net after {} visits, {}% of the value", "混合：经过 {0} 次后询问网络，占结果的 {1}%"),
    // What `sanqi check` found.
    ("no \"{}\" before the end of the greeting", "问候结束之前没有“{0}”"),
    ("it took {} ms or more, three times in a row", "用了 {0} 毫秒以上，连续三次"),
    ("it took {} s", "用了 {0} 秒"),
    ("option \"{}\": {}", "选项“{0}”：{1}"),
    ("option \"{}\"", "选项“{0}”"),
    ("no option {}", "没有选项 {0}"),
    ("it has no name", "没有名称"),
    ("it has no type", "没有类型"),
    ("there is no type {}", "没有 {0} 这种类型"),
    ("a check has the default true or false", "check 的默认值应是 true 或 false"),
    ("a spin has whole numbers as min and max", "spin 的 min 和 max 应是整数"),
    ("a spin has a whole number as default", "spin 的默认值应是整数"),
    ("a combo has choices", "combo 应有可选的值"),
    ("it does not end after {} bytes", "{0} 字节之后仍没有结束"),
    ("a line is longer than {} bytes", "有一行超过 {0} 字节"),
    ("its range needs more than 32 bits", "范围超出 32 位"),
    ("a choice holds a blank", "可选的值里有空格"),
    ("{} is not in {} to {}", "{0} 不在 {1} 至 {2} 之内"),
    ("{} is none of its choices", "{0} 不在可选的值之中"),
    ("all options at their defaults: {}", "所有选项都取默认值：{0}"),
    ("median {} ms", "中位数 {0} 毫秒"),
    ("no readyok within a second, in a search without end", "不限时搜索之中，一秒内没有 readyok"),
    ("no readyok within {} s", "{0} 秒内没有 readyok"),
    ("no readyok after a stop", "stop 之后没有 readyok"),
    ("no bestmove within {} s", "{0} 秒内没有 bestmove"),
    ("no bestmove in {} s", "{0} 秒之中没有 bestmove"),
    ("no bye after quit", "quit 之后没有 bye"),
    ("no answer within {} s", "{0} 秒内没有应答"),
    ("no answer to \"{}\"", "没有应答“{0}”"),
    ("no empty line", "没有空行"),
    ("\"{}\" has no end", "“{0}”没有结束"),
    ("\"{}\" belongs to no answer", "“{0}”不属于任何应答"),
    ("\"{}\" when nothing was searched", "没有搜索，却有“{0}”"),
    ("\"{}\" when no move was asked for", "没有要求走棋，却有“{0}”"),
    ("\"{}\" when there are legal moves", "有合法着法，却答“{0}”"),
    ("\"{}\" when all is Black's", "全盘都属黑方，却答“{0}”"),
    ("\"{}\" with a mate in one told", "已报一步杀，却走“{0}”"),
    ("\"{}\" is not legal", "“{0}”不合规则"),
    ("\"{}\" should be {}", "“{0}”应写作 {1}"),
    ("\"{}\" is accepted", "接受了“{0}”"),
    ("boardsize 1000 is accepted", "接受了 boardsize 1000"),
    ("\"info {}\": the game is over before {}", "“info {0}”：走 {1} 之前棋局已经结束"),
    ("nothing follows \"{}\"", "“{0}”之后没有内容"),
    ("\"{}\" is followed by \"{}\", which is no such number", "“{0}”之后的“{1}”不是它的数"),
    ("\"score\" is followed by \"{}\", which is no kind of score", "“score”之后的“{0}”不是一种分数"),
    ("\"{}\" took {} ms or more, {} times in a row", "“{0}”用了 {1} 毫秒以上，连续 {2} 次"),
    ("\"{}\": {} ms or more, {} times in a row", "“{0}”：{1} 毫秒以上，连续 {2} 次"),
    ("\"{}\": {} s or more, {} times in a row", "“{0}”：{1} 秒以上，连续 {2} 次"),
    ("{} ms or more after ponderhit, {} times in a row", "ponderhit 之后 {0} 毫秒以上，连续 {1} 次"),
    ("\"{}\" does not end", "“{0}”不会结束"),
    ("\"{}\" went to depth {}", "“{0}”搜索到深度 {1}"),
    ("\"{}\" went to {} nodes", "“{0}”搜索了 {1} 个结点"),
    ("a search without end ended by itself", "不限时的搜索自行结束了"),
    ("a move before the expected one was played", "预料的着法还没有走，就走了棋"),
    ("{} ms told, {} ms passed", "报 {0} 毫秒，实际过了 {1} 毫秒"),
    ("nps {} of {} nodes in {} ms", "{1} 个结点、{2} 毫秒，却报每秒 {0} 个"),
    ("{} played, \"{}\" told", "走的是 {0}，报的是“{1}”"),
    ("{} for the side to move, which is far ahead", "走棋的一方远为占优，却报 {0}"),
    ("{} for the side to move, which is far behind", "走棋的一方远为落后，却报 {0}"),
    ("{} told, and {} draws", "报 {0}，而 {1} 成和"),
    ("mate {} told, it is mate {}", "报 {0} 步杀，实为 {1} 步"),
    ("{} centipawns told, it is mate {}", "报 {0} 厘兵，实为 {1} 步杀"),
    ("no score told, it is mate {}", "没有报分，实为 {0} 步杀"),
    ("no time_settings or no time_left", "没有 time_settings 或 time_left"),
    ("genmove after two passes: {}", "双方停着之后 genmove：{0}"),
    ("\"{}\" takes back a ko at once", "“{0}”立即提回劫"),
    ("no-such-command is said to be known", "说是懂得 no-such-command"),
    ("\"{}\" was answered with the number \"{}\"", "“{0}”的应答带编号“{1}”"),
    ("\"{}\" was answered with \"{}\"", "“{0}”的应答是“{1}”"),
    ("the answer to showboard ends before its end", "showboard 的应答中途就结束了"),
    ("no feature after \"protover 2\"", "“protover 2”之后没有 feature"),
    ("the features do not end with done=1", "feature 没有以 done=1 结束"),
    ("no myname among the features", "feature 里没有 myname"),
    ("no \"Illegal move\" after {}", "{0} 之后没有“Illegal move”"),
    ("a move after \"?\" in force mode", "force 状态下收到“?”却走了棋"),
    ("a move in force mode", "force 状态下走了棋"),
    ("no line of thinking in \"{}\"", "“{0}”之中没有思考的输出"),
    ("it closed its output", "它关闭了输出"),
    ("its input is closed", "它的输入已关闭"),
    ("{}; then {}", "{0}；然后 {1}"),
    ("shortest search", "最短的搜索"),
    ("\"{}\": {}", "“{0}”：{1}"),
];

/// What the system says of files.
const SYSTEM: &[(&str, &str)] = &[
    ("No such file or directory{}", "没有这个文件或目录{0}"),
    ("Permission denied{}", "没有权限{0}"),
    ("Is a directory{}", "这是目录，不是文件{0}"),
    ("Not a directory{}", "这不是目录{0}"),
    ("No space left on device{}", "磁盘已满{0}"),
    ("File exists{}", "文件已经存在{0}"),
    ("Broken pipe{}", "管道已断开{0}"),
    ("exit status: {}", "退出状态 {0}"),
    ("stream did not contain valid UTF-8", "不是 UTF-8 文本"),
];

/// A reason as a person reads it; as it is where nothing is known of it in the language. What has a colon, a file's name
/// before it for one, or a semicolon, is told in its parts.
pub fn reason(language: Language, text: &str) -> String {
    match language {
        Language::English => text.to_owned(),
        Language::Chinese => in_chinese(text, &mut { MOST_PARTS }),
    }
}

/// No reason of ours has so many parts; somebody's own words may have any number.
const MOST_PARTS: usize = 64;

/// What is left when `parts` are used up stays as it is.
fn in_chinese(text: &str, parts: &mut usize) -> String {
    match parts.checked_sub(1) {
        Some(left) => *parts = left,
        None => return text.to_owned(),
    }
    let mut known = REASONS.iter().chain(SYSTEM);
    let fits = known.find_map(|(english, chinese)| Some((blanks(english, text)?, *chinese)));
    let Some((found, chinese)) = fits else {
        let told = text.split_once(": ").map(|(before, why)| (before, why, in_chinese(why, parts)));
        return match told {
            Some((before, why, told)) if told != why => format!("{}：{told}", in_chinese(before, parts)),
            _ => match text.split_once("; ") {
                Some((one, other)) => format!("{}; {}", in_chinese(one, parts), in_chinese(other, parts)),
                None => text.to_owned(),
            },
        };
    };
    let (mut told, mut rest) = (String::new(), chinese);
    while let Some((before, (number, behind))) =
        rest.split_once('{').and_then(|(before, after)| Some((before, after.split_once('}')?)))
    {
        let blank = number.parse().ok().and_then(|at: usize| found.get(at));
        told += before;
        told += &in_chinese(blank.copied().unwrap_or_default(), parts);
        rest = behind;
    }
    told + rest
}

/// What stands in the blanks of a text that has the form of `template`. A blank is not empty, and holds no quote where
/// it stands between quotes.
fn blanks<'t>(template: &str, text: &'t str) -> Option<Vec<&'t str>> {
    let mut fixed = template.split("{}");
    let (mut rest, mut found) = (text.strip_prefix(fixed.next()?)?, Vec::new());
    let mut fixed = fixed.peekable();
    while let Some(next) = fixed.next() {
        let end = if fixed.peek().is_none() && next.is_empty() { rest.len() } else { rest.find(next)? };
        // The last of the fixed parts ends the text.
        let end = if fixed.peek().is_none() {
            rest.len().checked_sub(next.len()).filter(|at| *at >= end)?
        } else {
            end
        };
        let blank = rest.get(..end).filter(|blank| !blank.is_empty())?;
        if next.starts_with('"') && blank.contains('"') {
            return None;
        }
        found.push(blank);
        rest = rest.get(end..)?.strip_prefix(next)?;
    }
    rest.is_empty().then_some(found)
}

/// The reasons in English, for whoever checks that somebody gives them.
pub fn reasons() -> impl Iterator<Item = (&'static str, &'static str)> {
    REASONS.iter().copied()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reasons_are_told_in_chinese_blank_by_blank() {
        let told = |text| reason(Language::Chinese, text);
        assert_eq!(told("position: red has no general"), "局面：红方没有将（帅）");
        assert_eq!(told("a8a9 would lose by repetition"), "走 a8a9 会因循环判负");
        assert_eq!(
            told("Hash must be a whole number from 1 to 64, not 'x, y'"),
            "Hash 须为 1 至 64 的整数，而不是“x, y”"
        );
        assert_eq!(told("a: b.pgn: no game is in it"), "a：b.pgn：其中没有对局");
        assert_eq!(
            told("Black: no move within 2 s; a draw wins for Black"),
            "黑方：2 秒内没有走棋；和棋判黑方胜"
        );
        assert_eq!(told("x: No such file or directory (os error 2)"), "x：没有这个文件或目录 (os error 2)");
        assert_eq!(told("no such option: {0}{1}"), "没有这个选项：{0}{1}");
        assert_eq!(
            told("\"go movetime 20\" took 71 ms or more, 3 times in a row"),
            "“go movetime 20”用了 71 毫秒以上，连续 3 次"
        );
        assert_eq!(
            told("exit status: 1; option \"Hash\": a choice holds a blank"),
            "退出状态 1; 选项“Hash”：可选的值里有空格"
        );
        assert_eq!(
            told("s.toml line 3: no such option: Thread; Threads is the nearest, --print-config lists all"),
            "s.toml 第 3 行：没有选项 Thread；最接近的是 Threads，--print-config 列出全部"
        );
        assert_eq!(told("a.sgf: line 1: game 2: suicide"), "a.sgf：第 1 行：第 2 局：禁止自杀");
        assert_eq!(
            told("\"bestmove a0a9\": \"a0a9\" is not possible here"),
            "“bestmove a0a9”：这里不能走“a0a9”"
        );
        for other in ["", "a: b: c", "the sun shines", "go:", " has no general"] {
            assert_eq!(told(other), other);
        }
        assert_eq!(reason(Language::English, "a search is running"), "a search is running");
        for part in ["a: ", "a; ", "a: b; ", "\"", "\"a\": ", "; then "] {
            let long = part.repeat(100_000);
            assert!(reason(Language::Chinese, &long).len() >= long.len(), "{part}");
        }
    }

    #[test]
    fn reasons_use_all_their_blanks() {
        for (english, chinese) in REASONS.iter().chain(SYSTEM) {
            let count = english.matches("{}").count();
            for at in 0..count {
                assert!(chinese.contains(&format!("{{{at}}}")), "{chinese}");
            }
            assert_eq!(chinese.matches('{').count(), count, "{chinese}");
        }
    }
}
