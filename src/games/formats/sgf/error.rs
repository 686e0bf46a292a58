//! Why a text is not a record of a game that can be played here.

use crate::errors;
use crate::go::IllegalMove;
use crate::util::lang::Bilingual;
use crate::util::message::Message;

errors! {
    /// Why a text is no record of a game that can be played here.
    pub enum SgfError {
        Syntax(why: Message) = "not SGF: {why}" | "不是 SGF：{why}",
        OtherGame = "not a game of Go" | "不是围棋的棋谱",
        TooLong(limit: usize) = "more than {limit} nodes in one line" | "一条变化里的节点多于 {limit} 个",
        TooMany(what: Bilingual) = "too many {what}" | "{what}太多",
        /// A size outside 1 to 25.
        Size(width: u8, height: u8) = "board size {width}x{height}" | "棋盘大小 {width}x{height}",
        Property(name: String) = "bad property {name}" | "属性 {name} 无法理解",
        SetUp(at: String) = "set-up off the board: '{at}'" | "摆子在棋盘之外：“{at}”",
        /// A move, by its number from 1, in SGF coordinates.
        Move(number: usize, at: String, why: IllegalMove) = "move {number} at '{at}': {why}"
            | "第 {number} 着“{at}”：{why}",
    }
}
