//! Options as UCI and UCCI declare them, and what is wrong with the declarations.

use crate::check::catalog::{self, Finding};

/// The words that begin a part of a declaration.
const PARTS: [&str; 4] = ["default", "min", "max", "var"];

/// An option.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Declared {
    /// As the engine writes it.
    pub name: String,
    /// `check`, `spin`, `combo`, `string`, `button`, or what the engine takes for one.
    pub kind: String,
    /// Its default.
    pub default: Option<String>,
    /// The least value of a spin option.
    pub min: Option<String>,
    /// Its greatest.
    pub max: Option<String>,
    /// The choices of a combo option.
    pub choices: Vec<String>,
}

impl Declared {
    /// Reads what follows `option`; UCI has the word `name` before the name.
    pub fn read(text: &str, is_named: bool) -> Self {
        let mut words = text.split_ascii_whitespace().peekable();
        if is_named {
            words.next_if_eq(&"name");
        }
        let mut option = Self::default();
        let mut part = ("", Vec::new());
        for word in words {
            // A name may hold any of the words but "type", and the default of a string all of them.
            let begins = match part.0 {
                "" => word == "type",
                "default" => option.kind != "string" && PARTS.contains(&word),
                _ => PARTS.contains(&word),
            };
            if begins {
                option.take(part.0, part.1.join(" "));
                part = (word, Vec::new());
            } else {
                part.1.push(word);
            }
        }
        option.take(part.0, part.1.join(" "));
        option
    }

    fn take(&mut self, part: &str, value: String) {
        match part {
            "" => self.name = value,
            "type" => self.kind = value,
            "default" => self.default = Some(value),
            "min" => self.min = Some(value),
            "max" => self.max = Some(value),
            _ => self.choices.push(value),
        }
    }

    /// The least and the greatest value of a spin option that is well declared.
    pub fn range(&self) -> Option<(i128, i128)> {
        let number = |text: &Option<String>| text.as_deref()?.parse().ok();
        Some((number(&self.min)?, number(&self.max)?))
    }

    /// What is wrong with the declaration alone.
    pub fn problems(&self) -> Vec<(&'static Finding, String)> {
        let mut found = Vec::new();
        let mut malformed = |what: &str| found.push((&catalog::MALFORMED_OPTION, what.to_owned()));
        if self.name.is_empty() {
            malformed("it has no name");
        }
        match self.kind.as_str() {
            "check" if !matches!(self.default.as_deref(), Some("true" | "false")) => {
                malformed("a check has the default true or false");
            }
            "spin" if self.range().is_none() => malformed("a spin has whole numbers as min and max"),
            "spin" if self.default.as_deref().is_none_or(|text| text.parse::<i128>().is_err()) => {
                malformed("a spin has a whole number as default");
            }
            "combo" if self.choices.is_empty() => malformed("a combo has choices"),
            "check" | "spin" | "combo" | "string" | "button" => {}
            "" => malformed("it has no type"),
            other => malformed(&format!("there is no type {other}")),
        }
        if let Some(what) = self.bad_default() {
            found.push((&catalog::BAD_DEFAULT, what));
        }
        let is_wide = |limit: i128| i32::try_from(limit).is_err();
        if self.kind == "spin" && self.range().is_some_and(|(min, max)| is_wide(min) || is_wide(max)) {
            found.push((&catalog::WIDE_OPTION, "its range needs more than 32 bits".to_owned()));
        }
        if self.kind == "combo" && self.choices.iter().any(|choice| choice.contains(' ')) {
            found.push((&catalog::COMBO_BLANK, "a choice holds a blank".to_owned()));
        }
        found
    }

    fn bad_default(&self) -> Option<String> {
        let default = self.default.as_deref()?;
        match self.kind.as_str() {
            "spin" => {
                let ((min, max), value) = (self.range()?, default.parse::<i128>().ok()?);
                (!(min..=max).contains(&value)).then(|| format!("{value} is not in {min} to {max}"))
            }
            "combo" => {
                let is_known = self.choices.iter().any(|choice| choice.eq_ignore_ascii_case(default));
                (!is_known && !self.choices.is_empty()).then(|| format!("{default} is none of its choices"))
            }
            _ => None,
        }
    }

    /// Whether it is the size of a hash table, or a number of threads.
    pub fn is_size(&self) -> bool {
        matches!(self.name.to_lowercase().as_str(), "hash" | "hashsize" | "threads" | "cores")
    }

    /// Values that the declaration allows, and that should do no harm: the default, and for `Hash` and `Threads` the
    /// least, and more than the default.
    pub fn harmless_values(&self) -> Vec<String> {
        let mut values = Vec::new();
        // Whoever names the variant may be answered in its other coordinates.
        if self.name.eq_ignore_ascii_case("UCI_Variant") {
            return values;
        }
        let more = match self.name.to_lowercase().as_str() {
            "hash" | "hashsize" => Some(64),
            "threads" | "cores" => Some(2),
            _ => None,
        };
        if let (Some(more), Some((min, max))) = (more, self.range()) {
            values.extend([min.to_string(), more.clamp(min, max.max(min)).to_string()]);
        }
        if self.has_plain_default() {
            values.extend(self.default.clone());
        }
        values
    }

    /// Whether the default can be set as it stands; some take the word for an empty text as one of its own.
    fn has_plain_default(&self) -> bool {
        match self.kind.as_str() {
            "check" | "spin" | "combo" => true,
            "string" => self.default.as_deref().is_some_and(|text| !matches!(text, "" | "<empty>")),
            _ => false,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn problems(text: &str) -> Vec<&'static str> {
        Declared::read(text, true).problems().iter().map(|(finding, _)| finding.id).collect()
    }

    #[test]
    fn declarations_are_read() {
        let option = Declared::read("name Move Overhead type spin default 10 min 0 max 5000", true);
        assert_eq!((option.name.as_str(), option.range()), ("Move Overhead", Some((0, 5000))));
        let option = Declared::read("usemillisec type check default false", false);
        assert_eq!((option.name.as_str(), option.default.as_deref()), ("usemillisec", Some("false")));
        let option = Declared::read("name Style type combo default Wild Cat var Calm var Wild Cat", true);
        assert_eq!(option.choices, ["Calm", "Wild Cat"]);
        let option = Declared::read("name Motto type string default any type var max", true);
        assert_eq!(option.default.as_deref(), Some("any type var max"));
        assert_eq!(option.harmless_values(), ["any type var max"]);
        let option = Declared::read("name Book type string default <empty>", true);
        assert_eq!(option.harmless_values(), [""; 0]);
        let hash = Declared::read("name Hash type spin default 16 min 1 max 1024", true);
        assert_eq!(hash.harmless_values(), ["1", "64", "16"]);
    }

    #[test]
    fn bad_declarations_are_named() {
        for good in [
            "name Hash type spin default 16 min 1 max 1024",
            "name Ponder type check default false",
            "name Book type string default <empty>",
            "name Clear Hash type button",
            "name Analyze type combo default Off var Off var White",
            "name max default type string default",
        ] {
            assert_eq!(problems(good), [""; 0], "{good}");
        }
        for (bad, id) in [
            ("type check default true", "malformed-option"),
            ("name A", "malformed-option"),
            ("name A type number default 1", "malformed-option"),
            ("name A type check default yes", "malformed-option"),
            ("name A type spin default 1 min 0", "malformed-option"),
            ("name A type spin min 0 max 1", "malformed-option"),
            ("name A type combo default x", "malformed-option"),
            ("name A type spin default 5 min 0 max 4", "bad-default"),
            ("name A type combo default x var y", "bad-default"),
            ("name A type spin default 0 min 0 max 4294967296", "wide-option"),
            ("name A type spin default 0 min 0 max 18446744073709551615", "wide-option"),
            ("name A type combo default x var x var y z", "combo-blank"),
        ] {
            assert_eq!(problems(bad), [id], "{bad}");
        }
    }
}
