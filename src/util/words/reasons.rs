//! Reasons that come from below as plain text, English and Chinese side by side.

use crate::util::lang::Language;

/// Reasons that come up from the rules, the engine and the files, which know no language: in English, with
/// `{}` for each blank, and in Chinese, with the blanks by number. What stands in a blank may be a reason
/// itself. The first that fits counts.
const REASONS: &[(&str, &str)] = &[
    ("{}: line {}: {}", "{0}：第 {1} 行：{2}"),
    ("{} line {}: {}", "{0} 第 {1} 行：{2}"),
    // The conversation with a client.
    ("position: {}", "局面：{0}"),
    ("{} cannot be set while searching", "搜索时不能设置 {0}"),
    ("a search is running already", "正在搜索"),
    ("a search is running", "正在搜索"),
    (
        "no such option: {}; {} is the nearest, --print-config lists all",
        "没有选项 {0}；最接近的是 {1}，--print-config 列出全部",
    ),
    ("no such option: {}", "没有这个选项：{0}"),
    ("{} is a rank of Go; levels are numbers from 1 to {}", "{0} 是围棋的级位；级别是 1 至 {1} 的数"),
    ("{} must be {}, not '{}'", "{0} 须为{1}，而不是“{2}”"),
    ("true or false", " true 或 false"),
    ("a whole number from {} to {}", " {0} 至 {1} 的整数"),
    ("one of {}", "以下之一：{0}"),
    ("a text", "文字"),
    ("none, it is done at once", "没有，设置时立即执行"),
    ("'{}' is not a whole number", "“{0}”不是整数"),
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
    ("the engine refused a command: {}", "引擎拒绝了：{0}"),
    ("the engine does not announce the variant xiangqi", "引擎没有声明会下象棋（xiangqi）"),
    ("the engine cannot be given a position, only moves", "引擎只接受着法，不接受局面"),
    ("--openings none, or openings of PGN", "用 --openings none，或 PGN 的开局"),
    (
        "the engine counts in seconds and has no time per move below a second",
        "不能告诉引擎每着不到一秒的时限",
    ),
    ("it counts in seconds: fractions are left out", "它以秒计时，没有告诉它不足一秒的部分"),
    ("board size {} is not within {} to {}", "棋盘大小 {0} 不在 {1} 至 {2} 之内"),
    ("it does not accept the rules {}", "不能告诉它用 {0} 规则"),
    ("it cannot be given a clock: it has no time_settings", "不能告诉它时间：它没有 time_settings"),
    ("it claims {} in place of a move", "它没有走棋，却宣称 {0}"),
    ("it claims {} wrongly", "它错误地宣称 {0}"),
    ("its last line is {}", "它最后输出的是 {0}"),
    ("it may speak {}: proto={}", "它用的可能是 {0}：proto={1}"),
    ("illegal move {} in its PV: {}", "主要变例中有违例着法 {0}：{1}"),
    ("the answer {} belongs to no command", "应答 {0} 不属于任何命令"),
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
    ("unclosed quote in command {}", "命令 {0} 的引号没有配对"),
    ("empty command", "命令是空的"),
    // The files and the flags of a match.
    ("there is one already; --resume goes on", "它已经存在；接着下用 --resume"),
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
    // What is wrong with files and lines.
    ("no option {}", "没有选项 {0}"),
    ("it does not end after {} bytes", "{0} 字节之后仍没有结束"),
    ("a line is longer than {} bytes", "有一行超过 {0} 字节"),
    ("{} is not in {} to {}", "{0} 不在 {1} 至 {2} 之内"),
    ("\"{}\" is not legal", "“{0}”不合规则"),
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

/// A reason as a person reads it; as it is where nothing is known of it in the language. What has a colon, a
/// file's name before it for one, or a semicolon, is translated part by part.
pub fn reason(language: Language, text: &str) -> String {
    match language {
        Language::English => text.to_owned(),
        Language::Chinese => in_chinese(text, &mut { MAX_PARTS }),
    }
}

/// No reason of ours has so many parts; somebody's own words may have any number.
const MAX_PARTS: usize = 64;

/// What is left when `parts` are used up stays as it is.
fn in_chinese(text: &str, parts: &mut usize) -> String {
    match parts.checked_sub(1) {
        Some(left) => *parts = left,
        None => return text.to_owned(),
    }
    let mut known = REASONS.iter().chain(SYSTEM);
    let fits = known.find_map(|(english, chinese)| Some((blanks(english, text)?, *chinese)));
    let Some((found, chinese)) = fits else {
        let chinese_text = text.split_once(": ").map(|(before, why)| (before, why, in_chinese(why, parts)));
        return match chinese_text {
            Some((before, why, chinese_text)) if chinese_text != why => {
                format!("{}：{chinese_text}", in_chinese(before, parts))
            }
            _ => match text.split_once("; ") {
                Some((one, other)) => format!("{}; {}", in_chinese(one, parts), in_chinese(other, parts)),
                None => text.to_owned(),
            },
        };
    };
    let (mut chinese_text, mut rest) = (String::new(), chinese);
    while let Some((before, (number, behind))) =
        rest.split_once('{').and_then(|(before, after)| Some((before, after.split_once('}')?)))
    {
        let blank = number.parse().ok().and_then(|at: usize| found.get(at));
        chinese_text += before;
        chinese_text += &in_chinese(blank.copied().unwrap_or_default(), parts);
        rest = behind;
    }
    chinese_text + rest
}

/// What stands in the blanks of a text that has the form of `template`. A blank is not empty, and holds no
/// quote where it stands between quotes.
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
        let chinese_text = |text| reason(Language::Chinese, text);
        assert_eq!(chinese_text("position: red has no general"), "局面：红方没有将（帅）");
        assert_eq!(
            chinese_text("Hash must be a whole number from 1 to 64, not 'x, y'"),
            "Hash 须为 1 至 64 的整数，而不是“x, y”"
        );
        assert_eq!(chinese_text("a: b.pgn: no game is in it"), "a：b.pgn：其中没有对局");
        assert_eq!(
            chinese_text("Black: no move within 2 s; a draw wins for Black"),
            "黑方：2 秒内没有走棋；和棋判黑方胜"
        );
        assert_eq!(
            chinese_text("x: No such file or directory (os error 2)"),
            "x：没有这个文件或目录 (os error 2)"
        );
        assert_eq!(chinese_text("no such option: {0}{1}"), "没有这个选项：{0}{1}");
        assert_eq!(
            chinese_text(
                "s.toml line 3: no such option: Thread; Threads is the nearest, --print-config lists all"
            ),
            "s.toml 第 3 行：没有选项 Thread；最接近的是 Threads，--print-config 列出全部"
        );
        assert_eq!(chinese_text("a.sgf: line 1: game 2: suicide"), "a.sgf：第 1 行：第 2 局：禁止自杀");
        assert_eq!(
            chinese_text("\"bestmove a0a9\": \"a0a9\" is not possible here"),
            "“bestmove a0a9”：这里不能走“a0a9”"
        );
        for other in ["", "a: b: c", "the sun shines", "go:", " has no general"] {
            assert_eq!(chinese_text(other), other);
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
