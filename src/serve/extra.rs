//! What a record has beside its moves that the page does not know: it stays with the node as it is, and comes
//! back when the game is saved.

use crate::games::formats::{pgn, sgf};
use crate::games::tree::Item;
use serde::{Deserialize, Serialize};

/// Properties of the root that the writer makes itself.
const OWN: [&str; 12] = ["AP", "SZ", "KM", "RU", "RE", "HA", "FF", "GM", "CA", "C", "PL", "AB"];

#[derive(Clone, Default, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub(super) struct Extra {
    /// What stands in brackets in the comments: `[%csl Gd5]`, `[%clk 0:10:00]`.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    commands: Vec<String>,
    /// Glyphs other than the sign that is shown.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    glyphs: Vec<u8>,
    /// Properties of SGF.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    properties: Vec<(String, Vec<String>)>,
    /// All that stands beside the move, where its parts would be written in another order or not at all.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub exact: Vec<Item>,
}

impl Extra {
    /// All of a node that is neither its move, nor words, nor the glyph of `sign`.
    pub fn of(items: &[Item], sign: &str) -> Self {
        let mut extra = Self::default();
        for item in items {
            match item {
                Item::Preface(text) | Item::Comment(text) => extra.commands.extend(commands(text)),
                Item::Glyph(glyph) if sign.is_empty() || pgn::sign_of(*glyph) != sign => {
                    extra.glyphs.push(*glyph);
                }
                Item::Property(name, values) => extra.properties.push((name.clone(), values.clone())),
                _ => {}
            }
        }
        extra
    }

    /// Whether a move with this comment and sign is as its record has it.
    pub fn is_exact(&self, comment: &str, sign: &str) -> bool {
        !self.exact.is_empty()
            && comment_of(&self.exact) == comment
            && sign_of(&self.exact) == sign
            && Self { exact: self.exact.clone(), ..Self::of(&self.exact, sign) } == *self
    }

    /// Texts that could not be read.
    pub fn unread(&self) -> impl Iterator<Item = Item> {
        self.exact.iter().filter(|item| matches!(item, Item::Unread(_))).cloned()
    }

    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }

    /// What is in brackets, but for the command of this name.
    pub fn commands_but<'e>(&'e self, name: &'e str) -> impl Iterator<Item = &'e str> {
        let is_command = |text: &&str| {
            let inner = text.strip_prefix("[%").and_then(|text| text.strip_suffix(']'));
            inner.is_some_and(|inner| !inner.contains(['[', ']', '{', '}', '\n']))
        };
        self.commands.iter().map(String::as_str).filter(is_command).filter(move |text| !is_named(text, name))
    }

    pub fn has_command(&self, name: &str) -> bool {
        self.commands.iter().any(|text| is_named(text, name))
    }

    /// Whether there is a property of this name.
    pub fn has_property(&self, wanted: &str) -> bool {
        self.properties.iter().any(|(name, _)| name == wanted)
    }

    pub fn glyphs(&self) -> impl Iterator<Item = Item> {
        self.glyphs.iter().map(|glyph| Item::Glyph(*glyph))
    }

    /// The properties; those of the root without what its writer makes.
    pub fn properties(&self, is_root: bool) -> impl Iterator<Item = Item> {
        let is_name =
            |name: &str| (1..=20).contains(&name.len()) && name.bytes().all(|b| b.is_ascii_uppercase());
        let is_own = |name: &str| OWN.contains(&name) || sgf::TAGS.iter().any(|(known, _)| *known == name);
        let kept = move |(name, values): &&(String, Vec<String>)| {
            is_name(name)
                && !["B", "W"].contains(&name.as_str())
                && !values.is_empty()
                && !(is_root && is_own(name))
        };
        self.properties.iter().filter(kept).map(|(name, values)| Item::Property(name.clone(), values.clone()))
    }

    /// Milliseconds on the clock after the move, as the record has it.
    pub fn clock(&self) -> Option<u64> {
        let command = self.commands.iter().find(|text| is_named(text, "clk"));
        let text = match command {
            Some(text) => text.trim_start_matches("[%clk").trim_end_matches(']').trim(),
            None => {
                let left = self.properties.iter().find(|(name, _)| ["BL", "WL"].contains(&name.as_str()))?;
                left.1.first()?.trim()
            }
        };
        let seconds =
            text.split(':').try_fold(0.0, |sum, part| Some(60.0 * sum + part.parse::<f64>().ok()?))?;
        (0.0..1e7).contains(&seconds).then_some((1000.0 * seconds) as u64)
    }
}

pub fn comment_of(items: &[Item]) -> String {
    let texts = items.iter().filter_map(|item| match item {
        Item::Preface(text) | Item::Comment(text) => Some(without_commands(text)),
        _ => None,
    });
    texts.filter(|text| !text.is_empty()).collect::<Vec<_>>().join(" ")
}

/// The last judgment of a move. Other glyphs have no sign.
pub fn sign_of(items: &[Item]) -> &'static str {
    let mut signs = items.iter().rev().filter_map(|item| match item {
        Item::Glyph(glyph) => Some(pgn::sign_of(*glyph)).filter(|sign| !sign.is_empty()),
        _ => None,
    });
    signs.next().unwrap_or_default()
}

/// A comment without what stands in brackets for programs, `[%clk 0:10:00]`.
pub fn without_commands(comment: &str) -> String {
    let mut parts = comment.split("[%");
    let mut said = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        said += part.split_once(']').map_or("", |(_, behind)| behind);
    }
    said.split_whitespace().collect::<Vec<_>>().join(" ")
}

fn is_named(command: &str, name: &str) -> bool {
    command
        .strip_prefix("[%")
        .and_then(|text| text.strip_prefix(name))
        .is_some_and(|rest| rest.starts_with([' ', ']']))
}

/// What stands in brackets.
fn commands(comment: &str) -> impl Iterator<Item = String> {
    comment.split("[%").skip(1).filter_map(|part| Some(format!("[%{}]", part.split_once(']')?.0)))
}

#[cfg(test)]
mod tests {
    use crate::games::formats;
    use crate::serve::opened;
    use crate::serve::tree::SavedGame;
    use serde_json::json;

    /// A record as the page opens and saves it.
    fn saved(text: &str) -> String {
        let game = formats::read(text.as_bytes(), None).remove(0).unwrap();
        let tree = json!({
            "start": {"game": game.kind, "rules": game.start().rules}, "tags": game.tags, "result": game.result(),
            "comment": opened::preface(&game), "extra": opened::extra(&game), "nodes": opened::nodes(&game),
        });
        serde_json::from_value::<SavedGame>(tree).unwrap().save().unwrap()
    }

    #[test]
    fn commands_and_glyphs_of_chess_come_back() {
        let moves = "{[%csl Gd5] Root} 1. e4 $1 $14 {[%clk 0:10:00] [%cal Re2e4] good} 1... e5 {[%eval 0.3]} \
                     (1... c5 $16 {[%csl Rc5]}) 2. Nf3 {[%emt 0:0:3] odd ] [% left open} 1-0";
        let text = saved(&format!("[White \"A\"]\n[Result \"1-0\"]\n\n{moves}\n"));
        let flat = text.split_whitespace().collect::<Vec<_>>().join(" ");
        for kept in [
            "{[%csl Gd5] Root}",
            "1. e4 $1 $14 {[%clk 0:10:00] [%cal Re2e4] good}",
            "{[%eval 0.3]}",
            "c5 $16 {[%csl Rc5]}",
            "[%emt 0:0:3] odd ]",
        ] {
            assert!(flat.contains(kept), "{kept}: {flat}");
        }
        assert_eq!(flat.matches("[%clk").count(), 1, "{flat}");
    }

    #[test]
    fn properties_of_go_come_back() {
        let record = "(;GM[1]FF[4]SZ[9]KM[7]XX[root]LB[aa:1]C[Root];B[ee]BL[30.5]OB[3]LB[cc:A][dd:B]TR[gg]XY[a\\]b]\
                      (;W[cc]N[name]SQ[aa])(;W[gg]MA[bb]TM[x]))";
        let flat: String = saved(record).split_whitespace().collect();
        for kept in [
            "XX[root]",
            "LB[aa:1]",
            "BL[30.5]",
            "OB[3]",
            "LB[cc:A][dd:B]",
            "TR[gg]",
            "XY[a\\]b]",
            "N[name]",
            "SQ[aa]",
            "MA[bb]",
        ] {
            assert_eq!(flat.matches(kept).count(), 1, "{kept}: {flat}");
        }
        for own in ["SZ[", "KM[", "FF["] {
            assert_eq!(flat.matches(own).count(), 1, "{own}: {flat}");
        }
    }
}
