//! What a person types: words in both languages, and letters of any width.

use crate::app::language::columns;
pub use crate::games::typed::narrow;

/// Words of Chinese, and those that stand for the same.
const IN_CHINESE: [(&str, &str); 45] = [
    ("提示", "hint"),
    ("形势", "score"),
    ("悔棋", "undo"),
    ("认输", "resign"),
    ("停一手", "pass"),
    ("提和", "draw"),
    ("着法", "moves"),
    ("棋盘", "board"),
    ("翻转", "flip"),
    ("级别", "level"),
    ("重来", "new"),
    ("保存", "save"),
    ("退出", "quit"),
    ("帮助", "help"),
    ("是", "yes"),
    ("同意", "yes"),
    ("局面", "fen"),
    ("停着", "pass"),
    ("全力", "full"),
    ("用时", "time"),
    ("时间", "time"),
    ("暂停", "pause"),
    ("继续", "continue"),
    ("判和", "claim"),
    ("封棋", "adjourn"),
    ("遗失", "lost"),
    ("takeback", "undo"),
    ("levels", "level"),
    ("等级", "level"),
    ("estimate", "score"),
    ("形势判断", "score"),
    ("点目", "score"),
    ("读取", "load"),
    ("打开", "load"),
    ("复盘", "review"),
    ("路数", "size"),
    ("让子", "handicap"),
    ("贴目", "komi"),
    ("白", "white"),
    ("白方", "white"),
    ("黑", "black"),
    ("黑方", "black"),
    ("红", "red"),
    ("红方", "red"),
    ("否", "no"),
];

/// A word as the program knows it: in small letters, and in English.
pub fn known(word: &str) -> String {
    let english = IN_CHINESE.iter().find(|(chinese, _)| *chinese == word).map(|(_, english)| *english);
    english.map_or_else(|| narrow(word).to_lowercase(), str::to_owned)
}

/// The longest beginning of a text that fits in a number of terminal columns.
pub fn cut(text: &str, max: usize) -> &str {
    let fits = |end: &usize| text.get(..*end).is_some_and(|start| columns(start) <= max);
    let ends = text.char_indices().map(|(at, c)| at.saturating_add(c.len_utf8()));
    ends.take_while(fits).last().and_then(|end| text.get(..end)).unwrap_or_default()
}
