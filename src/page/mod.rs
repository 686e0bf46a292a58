//! Pages that need no other file and no network: one look, the boards of all games, data inside the page.

use crate::util::lang::Language;
use serde_json::{Value, json};

/// The boards and their pieces: a module of JavaScript without imports, which `serve` sends as a file.
pub const BOARDS: &str = concat!(include_str!("boards.js"), include_str!("pieces.js"));
/// Colors, light and dark, and type.
pub const LOOK: &str = include_str!("look.css");

/// How a page begins, up to the styles of its own.
pub fn head(language: Language, title: &str) -> String {
    include_str!("head.html")
        .replacen("{{language}}", language.name(), 1)
        .replacen("{{look}}", LOOK, 1)
        .replacen("{{title}}", &escape(title), 1)
}

/// A page: its head and a template in which `{{words}}`, `{{boards}}` and `{{data}}` are filled. The data
/// come last, so that nothing in them is taken for a place to fill.
pub fn fill(template: &str, language: Language, title: &str, words: &Value, data: &Value) -> String {
    let filled = template
        .replacen("{{words}}", &in_script(words), 1)
        .replacen("{{boards}}", BOARDS, 1)
        .replacen("{{data}}", &in_script(data), 1);
    head(language, title) + &filled
}

/// Columns and rows as the boards of Go take them: a number, or a list of both where they differ.
pub fn board_size((columns, rows): (usize, usize)) -> Value {
    if columns == rows { json!(columns) } else { json!([columns, rows]) }
}

/// JSON as it may stand in a script element, where `</` would end it early and `<!--` would hide its end.
fn in_script(data: &Value) -> String {
    data.to_string().replace('<', "\\u003c")
}

pub fn escape(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}
