//! What rule sets of Go differ in, by name or one by one.
//!
//! Names and JSON fields are those of KataGo's `kata-get-rules`
//! (<https://lightvector.github.io/KataGo/rules.html>). [`Rules::CHINESE`] is the Chinese match rule
//! (clauses GO-1 to GO-14): where KataGo's `chinese` knows only simple ko, it forbids any repetition.

use crate::message;
use crate::util::lang::Language;
use crate::util::message::Message;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "UPPERCASE")]
pub enum KoRule {
    /// Taking back a single stone at once.
    Simple,
    /// Any earlier position of the board.
    Positional,
    /// Any earlier position of the board with the same side to move.
    Situational,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "UPPERCASE")]
pub enum Scoring {
    /// Live stones and the points they surround.
    Area,
    /// Surrounded points and captured stones.
    Territory,
}

/// Which surrounded points do not count.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "UPPERCASE")]
pub enum Tax {
    None,
    /// Those in seki.
    Seki,
    /// Those in seki, and two points of every living group.
    All,
}

/// What White gets for Black's handicap stones, `N` of them, when area is counted.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum HandicapBonus {
    #[serde(rename = "0")]
    Zero,
    /// A point for each but the first.
    #[serde(rename = "N-1")]
    NMinusOne,
    /// A point for each.
    #[serde(rename = "N")]
    N,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Rules {
    pub ko: KoRule,
    pub scoring: Scoring,
    pub tax: Tax,
    /// Whether a move may leave its own chain (of more than one stone, unless ko is simple) without liberty.
    pub suicide: bool,
    /// Whether the first to pass gets half a point. The pass counts as any other: two in turn end the game.
    pub has_button: bool,
    pub white_handicap_bonus: HandicapBonus,
    /// Whether passing with dead stones on the board is safe, because players agree on them.
    pub friendly_pass_ok: bool,
}

impl Default for Rules {
    fn default() -> Self {
        Self::CHINESE
    }
}

fn not_rules(error: serde_json::Error) -> Message {
    message!("not a rule set: {error}" | "不是一套规则：{error}", error)
}

impl Rules {
    /// Chinese match rules: area, positional superko, no suicide.
    pub const CHINESE: Self = Self {
        ko: KoRule::Positional,
        scoring: Scoring::Area,
        tax: Tax::None,
        suicide: false,
        has_button: false,
        white_handicap_bonus: HandicapBonus::N,
        friendly_pass_ok: true,
    };
    /// Tromp-Taylor: area of all stones on the board, positional superko, suicide allowed.
    pub const TROMP_TAYLOR: Self = Self {
        suicide: true,
        white_handicap_bonus: HandicapBonus::Zero,
        friendly_pass_ok: false,
        ..Self::CHINESE
    };
    /// American Go Association: situational superko.
    pub const AGA: Self =
        Self { ko: KoRule::Situational, white_handicap_bonus: HandicapBonus::NMinusOne, ..Self::CHINESE };
    /// New Zealand: situational superko, suicide allowed.
    pub const NEW_ZEALAND: Self = Self {
        ko: KoRule::Situational,
        suicide: true,
        white_handicap_bonus: HandicapBonus::Zero,
        ..Self::CHINESE
    };
    /// Japanese and Korean: territory, none in seki, simple ko.
    pub const JAPANESE: Self = Self {
        ko: KoRule::Simple,
        scoring: Scoring::Territory,
        tax: Tax::Seki,
        white_handicap_bonus: HandicapBonus::Zero,
        ..Self::CHINESE
    };
    /// Old Chinese stone counting: area with a tax of two points on every group.
    pub const STONE: Self = Self {
        ko: KoRule::Simple,
        tax: Tax::All,
        white_handicap_bonus: HandicapBonus::Zero,
        ..Self::CHINESE
    };

    /// Old Chinese counting of territory, with the same tax.
    pub const ANCIENT_TERRITORY: Self = Self { scoring: Scoring::Territory, ..Self::STONE };

    /// Rule sets by name; where several names mean the same, the first is the usual one.
    const NAMED: [(&'static str, Self); 18] = [
        ("chinese", Self::CHINESE),
        ("chinese-ogs", Self::CHINESE),
        ("chinese-kgs", Self::CHINESE),
        ("tromp-taylor", Self::TROMP_TAYLOR),
        ("tromptaylor", Self::TROMP_TAYLOR),
        ("cgos", Self::TROMP_TAYLOR),
        ("logical", Self::TROMP_TAYLOR),
        ("aga", Self::AGA),
        ("bga", Self::AGA),
        ("french", Self::AGA),
        ("aga-button", Self { has_button: true, ..Self::AGA }),
        ("new-zealand", Self::NEW_ZEALAND),
        ("japanese", Self::JAPANESE),
        ("korean", Self::JAPANESE),
        ("stone-scoring", Self::STONE),
        ("stone_scoring", Self::STONE),
        ("ancient-area", Self::STONE),
        ("ancient-territory", Self::ANCIENT_TERRITORY),
    ];

    /// The fields in KataGo's short form: the name there, the name in JSON, and the values with what they
    /// mean in JSON. A name or value that another one begins with stands after it.
    const SHORT: [(&'static str, &'static str, &'static [(&'static str, &'static str)]); 8] = [
        (
            "ko",
            "ko",
            &[("simple", "\"SIMPLE\""), ("positional", "\"POSITIONAL\""), ("situational", "\"SITUATIONAL\"")],
        ),
        ("scoring", "scoring", Self::SHORT_SCORINGS),
        ("score", "scoring", Self::SHORT_SCORINGS),
        ("tax", "tax", &[("none", "\"NONE\""), ("seki", "\"SEKI\""), ("all", "\"ALL\"")]),
        ("sui", "suicide", Self::SHORT_FLAGS),
        ("button", "hasButton", Self::SHORT_FLAGS),
        ("whb", "whiteHandicapBonus", &[("0", "\"0\""), ("n-1", "\"N-1\""), ("n", "\"N\"")]),
        ("fpok", "friendlyPassOk", Self::SHORT_FLAGS),
    ];
    const SHORT_SCORINGS: &'static [(&'static str, &'static str)] =
        &[("area", "\"AREA\""), ("territory", "\"TERRITORY\"")];
    const SHORT_FLAGS: &'static [(&'static str, &'static str)] = &[("0", "false"), ("1", "true")];

    /// Reads a name (`chinese`, `tromp-taylor`, `aga`, `japanese`, ...; also as SGF's RU writes them), a JSON
    /// object with fields of `kata-get-rules`, or KataGo's short form of them
    /// (`koPOSITIONALscoreAREAtaxNONEsui1`). A field that is missing is that of Tromp-Taylor, and the tax
    /// that of the scoring.
    /// # Errors
    /// Quotes a name that is not known, or describes what is wrong with the JSON.
    pub fn parse(text: &str) -> Result<Self, Message> {
        let text = text.trim();
        if text.starts_with('{') {
            let given = serde_json::from_str(text).map_err(not_rules)?;
            return Self::from_fields(given);
        }
        let name = text.to_lowercase().replace(' ', "-");
        let alias = match name.as_str() {
            "cn" | "中国" | "chn" => "chinese",
            "jp" | "日本" | "jpn" => "japanese",
            "nz" | "newzealand" => "new-zealand",
            "stonescoring" => "stone-scoring",
            "ancientarea" | "ancient_area" => "ancient-area",
            "ancientterritory" | "ancient_territory" => "ancient-territory",
            other => other,
        };
        let named = Self::NAMED.iter().find(|(known, _)| *known == alias).map(|&(_, rules)| rules);
        match named.or_else(|| Self::from_fields(Self::short_fields(&name)?).ok()) {
            Some(rules) => Ok(rules),
            None => Err(message!("unknown rules '{text}'" | "没有“{text}”这种规则", text)),
        }
    }

    /// The fields of a text in the short form, in small letters. `None`: it is none.
    fn short_fields(text: &str) -> Option<Map<String, Value>> {
        let (mut fields, mut rest) = (Map::new(), text);
        while !rest.is_empty() {
            let (name, value, after) = Self::SHORT.iter().find_map(|(short, name, values)| {
                let rest = rest.strip_prefix(short)?;
                values.iter().find_map(|(word, value)| Some((name, value, rest.strip_prefix(word)?)))
            })?;
            fields.insert((*name).to_owned(), serde_json::from_str(value).ok()?);
            rest = after;
        }
        (!fields.is_empty()).then_some(fields)
    }

    /// The rules with these fields, of which any may be missing.
    fn from_fields(mut given: Map<String, Value>) -> Result<Self, Message> {
        if let Some(scoring) = given.remove("score") {
            given.insert("scoring".to_owned(), scoring);
        }
        let has_tax = given.contains_key("tax");
        let mut all = serde_json::to_value(Self::TROMP_TAYLOR).map_err(not_rules)?;
        if let Some(all) = all.as_object_mut() {
            all.extend(given);
        }
        let mut rules: Self = serde_json::from_value(all).map_err(not_rules)?;
        if !has_tax && rules.scoring == Scoring::Territory {
            rules.tax = Tax::Seki;
        }
        Ok(rules)
    }

    /// Changes one field, as `kata-set-rule` does: its JSON name and its value, with or without quotes.
    /// # Errors
    /// An unknown field or value; nothing has changed then.
    pub fn set(&mut self, field: &str, value: &str) -> Result<(), Message> {
        let mut all = serde_json::to_value(*self).map_err(not_rules)?;
        let Some(slot) = all.get_mut(field) else {
            return Err(message!("unknown rule '{field}'" | "没有“{field}”这一条规则", field));
        };
        let value = value.trim().trim_matches('"');
        *slot = match (slot.is_boolean(), value.to_lowercase().as_str()) {
            (true, "true" | "1") => true.into(),
            (true, "false" | "0") => false.into(),
            (true, _) => {
                return Err(message!(
                    "'{value}' is neither true nor false" | "“{value}”不是 true 也不是 false",
                    value
                ));
            }
            (false, _) => value.to_uppercase().into(),
        };
        *self = serde_json::from_value(all)
            .map_err(|error| message!("rule {field}: {error}" | "规则 {field}：{error}", field, error))?;
        Ok(())
    }

    /// All fields as JSON on one line, as `kata-get-rules` answers.
    pub fn json(&self) -> String {
        // A struct of plain enums and booleans always serializes.
        serde_json::to_string(self).unwrap_or_default()
    }

    /// All fields in KataGo's short form.
    pub fn short(&self) -> String {
        let all = serde_json::to_value(self).unwrap_or_default();
        let fields = Self::SHORT.iter().filter(|(short, ..)| *short != "scoring");
        let texts = fields.filter_map(|(short, name, values)| {
            let value = all.get(name)?.to_string();
            let (word, _) = values.iter().find(|(_, other)| *other == value)?;
            Some(format!("{short}{}", word.to_uppercase()))
        });
        texts.collect()
    }

    /// The usual name of this rule set, if it has one.
    pub fn name(&self) -> Option<&'static str> {
        Self::NAMED.iter().find(|(_, rules)| rules == self).map(|&(name, _)| name)
    }

    /// The name of these rules on KGS, the Go server, if it has them.
    pub fn kgs_name(&self) -> Option<&'static str> {
        Some(match self.name()? {
            "chinese" => "chinese",
            "japanese" => "japanese",
            "aga" => "aga",
            "new-zealand" => "new_zealand",
            _ => return None,
        })
    }

    /// What [`parse`](Self::parse) reads, for people: the usual name where there is one.
    pub fn text(name: &str, language: Language) -> &str {
        let (english, chinese) = match name.to_lowercase().as_str() {
            "chinese" | "chinese-ogs" | "chinese-kgs" | "cn" | "chn" => ("Chinese", "中国"),
            "japanese" | "jp" | "jpn" => ("Japanese", "日本"),
            "korean" => ("Korean", "韩国"),
            "new-zealand" | "nz" | "newzealand" => ("New Zealand", "新西兰"),
            "aga" => ("AGA", "AGA "),
            "tromp-taylor" => ("Tromp-Taylor", "Tromp-Taylor "),
            "stone-scoring" | "ancient-area" => ("stone-scoring", "还棋头"),
            _ => return name,
        };
        language.pick(english, chinese)
    }

    /// The komi that usually goes with these rules, in points.
    pub const fn usual_komi(&self) -> f32 {
        match self.scoring {
            Scoring::Area => 7.5,
            Scoring::Territory => 6.5,
        }
    }

    /// Points White gets for `stones` handicap stones.
    pub const fn handicap_bonus(&self, stones: u32) -> u32 {
        match self.white_handicap_bonus {
            HandicapBonus::Zero => 0,
            HandicapBonus::NMinusOne => stones.saturating_sub(1),
            // One stone is no handicap: it is Black's first move.
            HandicapBonus::N if stones < 2 => 0,
            HandicapBonus::N => stones,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn chinese_is_the_default_and_survives_its_json() {
        assert_eq!(Rules::parse("chinese"), Ok(Rules::default()));
        assert_eq!(Rules::parse("Tromp Taylor"), Ok(Rules::TROMP_TAYLOR));
        for (name, _) in Rules::NAMED {
            let rules = Rules::parse(name).unwrap();
            assert_eq!(Rules::parse(&rules.json()), Ok(rules));
        }
        assert_eq!(
            Rules::CHINESE.json(),
            r#"{"ko":"POSITIONAL","scoring":"AREA","tax":"NONE","suicide":false,"hasButton":false,"whiteHandicapBonus":"N","friendlyPassOk":true}"#
        );
    }

    #[test]
    fn four_rule_sets_have_names_on_kgs() {
        let kgs_name = |text| Rules::parse(text).unwrap().kgs_name();
        assert_eq!(kgs_name("chinese-ogs"), Some("chinese"));
        assert_eq!(kgs_name("new-zealand"), Some("new_zealand"));
        assert_eq!(["jp", "aga"].map(kgs_name), [Some("japanese"), Some("aga")]);
        assert_eq!(["tromp-taylor", "aga-button"].map(kgs_name), [None, None]);
    }

    #[test]
    fn one_rule_is_set_or_nothing_changes() {
        let mut rules = Rules::CHINESE;
        rules.set("ko", "SITUATIONAL").unwrap();
        rules.set("suicide", "true").unwrap();
        rules.set("whiteHandicapBonus", "0").unwrap();
        assert_eq!(rules, Rules::NEW_ZEALAND);
        for (field, value) in [("ko", "TRIPLE"), ("suicide", "maybe"), ("color", "BLACK")] {
            rules.set(field, value).unwrap_err();
        }
        assert_eq!(rules, Rules::NEW_ZEALAND);
    }

    #[test]
    fn unknown_rules_are_errors() {
        for text in
            ["", "chess", "{", r#"{"ko":"TRIPLE"}"#, r#"{"color":"BLACK"}"#, "ko", "koSPIGHT", "sui1x"]
        {
            Rules::parse(text).unwrap_err();
        }
    }

    #[test]
    fn what_is_missing_is_as_in_tromp_taylor() {
        let parse = |text| Rules::parse(text).unwrap();
        assert_eq!(parse("{}"), Rules::TROMP_TAYLOR);
        assert_eq!(parse(r#"{"ko":"SIMPLE"}"#), Rules { ko: KoRule::Simple, ..Rules::TROMP_TAYLOR });
        assert_eq!(parse(r#"{"score":"TERRITORY"}"#).tax, Tax::Seki);
        assert_eq!(parse(r#"{"scoring":"TERRITORY","tax":"NONE"}"#).tax, Tax::None);
        assert_eq!(parse("koPOSITIONALscoreAREAtaxNONEsui1"), Rules::TROMP_TAYLOR);
        assert_eq!(parse("koSIMPLEscoreTERRITORYsui0fpok1"), Rules::JAPANESE);
        assert_eq!(parse("koSITUATIONALscoringAREAtaxNONEsui0button0whbN-1fpok1"), Rules::AGA);
        assert_eq!(parse("whbN"), Rules { white_handicap_bonus: HandicapBonus::N, ..Rules::TROMP_TAYLOR });
        assert_eq!(
            (parse("ancient-area"), parse("Ancient Territory")),
            (Rules::STONE, Rules::ANCIENT_TERRITORY)
        );
        assert_eq!(Rules::ANCIENT_TERRITORY.name(), Some("ancient-territory"));
    }
}
