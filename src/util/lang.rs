//! The language that people are spoken to in.
//!
//! The texts are in [`words`](super::words), English and Chinese side by side. Protocols, JSON and the
//! names of options are the same in every language.

use std::fmt::{self, Display};

/// An enum whose values have a name for programs, which is how they are displayed and serialized, and perhaps
/// a text for people: `RedWins = "red_wins": "Red wins" | "红胜"`.
macro_rules! named {
    ($(#[$meta:meta])* $visible:vis enum $name:ident {
        $($(#[$of_variant:meta])* $variant:ident = $id:literal: $english:literal | $chinese:literal),+ $(,)?
    }) => {
        $crate::util::lang::named! {
            $(#[$meta])* $visible enum $name { $($(#[$of_variant])* $variant = $id),+ }
        }

        impl $name {
            pub const fn texts(self) -> $crate::util::lang::Bilingual {
                match self { $(Self::$variant => $crate::util::lang::Bilingual($english, $chinese)),+ }
            }

            pub fn text(self, language: $crate::util::lang::Language) -> &'static str {
                self.texts().text(language)
            }
        }
    };
    ($(#[$meta:meta])* $visible:vis enum $name:ident {
        $($(#[$of_variant:meta])* $variant:ident = $id:literal),+ $(,)?
    }) => {
        $(#[$meta])*
        #[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
        $visible enum $name { $($(#[$of_variant])* $variant),+ }

        #[allow(dead_code)]
        impl $name {
            pub const NAMES: [&'static str; [$($id),+].len()] = [$($id),+];
            pub const ALL: [Self; Self::NAMES.len()] = [$(Self::$variant),+];

            pub const fn name(self) -> &'static str {
                match self { $(Self::$variant => $id),+ }
            }

            pub fn from_name(name: &str) -> Option<Self> {
                Self::ALL.into_iter().find(|value| value.name() == name)
            }
        }

        impl ::std::fmt::Display for $name {
            fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
                f.write_str(self.name())
            }
        }

        impl ::serde::Serialize for $name {
            fn serialize<S: ::serde::Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
                to.serialize_str(self.name())
            }
        }
    };
}
pub(crate) use named;

named! {
    #[derive(Default)]
    pub enum Language {
        #[default]
        English = "en",
        Chinese = "zh",
    }
}

/// A text in English and in Chinese.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Bilingual(pub &'static str, pub &'static str);

impl Bilingual {
    pub fn text(self, language: Language) -> &'static str {
        language.pick(self.0, self.1)
    }
}

/// English, and Chinese in the alternate form: a blank of a [message](crate::message) has its language.
impl Display for Bilingual {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(if f.alternate() { self.1 } else { self.0 })
    }
}

/// The variables with the user's locale; the first that is not empty counts.
const VARIABLES: [&str; 3] = ["LC_ALL", "LC_MESSAGES", "LANG"];

impl Language {
    /// The language of a locale or of a page: Chinese where its name begins with `zh`, else English.
    pub fn of_name(name: &str) -> Self {
        if name.starts_with("zh") { Self::Chinese } else { Self::English }
    }

    /// The system's language: Chinese if the locale begins with `zh`, else English.
    pub fn of_system() -> Self {
        Self::of_locale(|name| std::env::var(name).ok())
    }

    fn of_locale(variable: impl Fn(&str) -> Option<String>) -> Self {
        let locale = VARIABLES.iter().find_map(|name| variable(name).filter(|value| !value.is_empty()));
        Self::of_name(&locale.unwrap_or_default())
    }

    /// One of two things, by language.
    pub fn pick<T>(self, english: T, chinese: T) -> T {
        match self {
            Self::English => english,
            Self::Chinese => chinese,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_variable_with_a_language_decides() {
        let of = |values: [&'static str; 3]| {
            Language::of_locale(|name| {
                VARIABLES.iter().position(|variable| *variable == name).map(|at| values[at].to_owned())
            })
        };
        assert_eq!(of(["zh_CN.UTF-8", "en_US", "C"]), Language::Chinese);
        assert_eq!(of(["", "", "zh_TW"]), Language::Chinese);
        assert_eq!(of(["C", "zh_CN", "zh_CN"]), Language::English);
        assert_eq!(of(["", "", ""]), Language::English);
        for name in Language::NAMES {
            assert_eq!(Language::from_name(name).map(Language::name), Some(name));
        }
    }
}
