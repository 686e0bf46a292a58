//! The tables of docs/OPTIONS.md and docs/OPTIONS-GO.md, printed from the declarations of the options.

use super::options::{CONTROLLER, default_value};
use super::ucci::settings;
use super::uci;
use crate::engine::{self, GameId, OptionKind, OptionSpec};
use crate::util::lang::{Bilingual, Language};
use crate::util::message::Message;

/// A page with the tables after its marks, `<!-- printed: uci -->`, printed anew.
pub fn print(page: &str, language: Language) -> String {
    let (mut text, mut in_table) = (String::new(), false);
    for line in page.lines() {
        in_table &= line.starts_with('|');
        if !in_table {
            text += &format!("{line}\n");
        }
        if let Some(protocol) = line.strip_prefix("<!-- printed: ").and_then(|rest| rest.strip_suffix(" -->"))
        {
            text += &table(protocol, language);
            in_table = true;
        }
    }
    text
}

fn table(protocol: &str, language: Language) -> String {
    let declared = |game| [engine::declared(game), CONTROLLER.to_vec()].concat();
    let mut rows: Vec<(OptionSpec, Message)> = Vec::new();
    match protocol {
        "ucci" => rows.extend(
            settings::named(&declared(GameId::Xiangqi))
                .map(|setting| (setting.spec, settings::meaning(setting.effect))),
        ),
        "gtp" => rows.extend(declared(GameId::Go).into_iter().map(|spec| (spec, Message::default()))),
        _ => {
            let own = uci::own_options(GameId::Chess);
            for spec in [own, declared(GameId::Chess), declared(GameId::Xiangqi)].concat() {
                if rows.iter().all(|(row, _)| row.name != spec.name) {
                    rows.push((spec, Message::default()));
                }
            }
        }
    }
    let head = Bilingual("| Option | Default | Range | Does |", "| 选项 | 默认 | 范围 | 作用 |");
    let rows = rows.iter().map(|(spec, meaning)| row(spec, meaning, language));
    format!("{}\n|---|---|---|---|\n{}", head.text(language), rows.collect::<String>())
}

fn row(spec: &OptionSpec, meaning: &Message, language: Language) -> String {
    let default = match default_value(&spec.kind) {
        None => language.pick("button", "按钮").to_owned(),
        Some(text) if text.is_empty() => language.pick("empty", "空").to_owned(),
        Some(text) if text.starts_with('<') => format!("`{text}`"),
        Some(text) => text,
    };
    let range = match &spec.kind {
        OptionKind::Spin { min, max, .. } => format!("{min} {} {max}", language.pick("to", "至")),
        OptionKind::Combo { choices, .. } => choices.join(", "),
        OptionKind::Check(_) | OptionKind::Text(_) | OptionKind::Button => String::new(),
    };
    let (help, meaning) = (spec.help.text(language), meaning.text(language));
    format!("| `{}` | {default} | {range} | {} |\n", spec.name, help.replace('<', "&lt;") + meaning)
        .replace("|  |", "| |")
}
