//! Pages that need no other file and no network: one look, the boards of all games, data inside the page.

use crate::util::lang::Language;
use crate::util::words;
use serde_json::{Value, json};

/// The boards and their pieces.
pub const BOARDS: &str = concat!(include_str!("boards.js"), include_str!("pieces.js"));
/// Colors, light and dark, type, buttons, tables, paper.
pub const LOOK: &str = include_str!("look.css");
/// The viewer of games, and what reports show besides.
pub const REPORT: &str = include_str!("report.css");
/// The modules of the pages by their names in the address, each behind those that it imports. `serve` sends
/// them as files. In a page without a server they are one module, so no two have a name in common.
pub const MODULES: &[(&str, &str)] = &[
    ("boards.js", BOARDS),
    ("game.js", include_str!("game.js")),
    ("markup.js", include_str!("markup.js")),
    ("graph.js", include_str!("graph.js")),
    ("moves.js", include_str!("moves.js")),
    ("parts.js", include_str!("parts.js")),
    ("share.js", include_str!("share.js")),
    ("viewer.js", include_str!("viewer.js")),
];

/// How a page begins, up to its body.
pub fn head(language: Language, title: &str) -> String {
    include_str!("head.html")
        .replacen("{{language}}", language.name(), 1)
        .replacen("{{look}}", LOOK, 1)
        .replacen("{{report}}", REPORT, 1)
        .replacen("{{title}}", &escape(title), 1)
}

/// A page that `script` draws from its `WORDS`, those of the viewer among them, and `DATA`.
pub fn fill(script: &str, language: Language, title: &str, own_words: &Value, data: &Value) -> String {
    let mut all_words = viewer_words(language);
    if let (Some(all), Some(own)) = (all_words.as_object_mut(), own_words.as_object()) {
        all.extend(own.clone());
    }
    let lines = MODULES.iter().flat_map(|(_, text)| text.lines()).chain(script.lines());
    let modules: String =
        lines.filter(|line| !line.starts_with("import ")).flat_map(|line| [line, "\n"]).collect();
    format!(
        "{}<script type=\"module\">\nconst WORDS = {};\nconst DATA = {};\n{modules}</script>\n</body>\n</html>\n",
        head(language, title),
        in_script(&all_words),
        in_script(data)
    )
}

/// What the viewer says.
pub fn viewer_words(language: Language) -> Value {
    [
        ("start", words::to_start(language)),
        ("back", words::step_back(language)),
        ("forward", words::step_forward(language)),
        ("end", words::to_end(language)),
        ("turn", words::turn_board(language)),
        ("territory", words::territory(language)),
        ("better", words::page_better(language)),
        ("best", words::best_moves(language)),
        ("hint", words::page_hint(language)),
        ("book", words::book_move(language)),
        ("moves", words::moves_heading(language)),
        ("course", words::course_heading(language)),
        ("points", words::points_column(language)),
        ("turns", words::turning_points(language)),
        ("share", words::share_button(language)),
        ("copyPosition", words::copy_position(language)),
        ("copyGame", words::copy_game(language)),
        ("copied", words::copied(language)),
        ("games", words::games_heading(language)),
        ("result", words::result_heading(language)),
        ("player", words::player_column(language)),
        ("accuracy", words::accuracy_column(language)),
        ("blunders", words::blunders_column(language)),
        ("mistakes", words::mistakes_column(language)),
        ("slips", words::slips_column(language)),
    ]
    .into_iter()
    .collect()
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
