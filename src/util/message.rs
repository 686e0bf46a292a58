//! Messages to people: errors, refusals, remarks, in English and in Chinese from one line.
//!
//! `Display` writes English, and its alternate form (`{:#}`) Chinese. [`errors!`](crate::errors) declares an
//! enum of errors, for what callers match on; [`message!`](crate::message) makes a single [`Message`], for
//! the rest. A blank of a message may be a message itself: it then appears in the language of the whole.
//!
//! ```
//! use sanqi::{errors, message, util::lang::Language, util::message::Message};
//!
//! errors! {
//!     /// Why a FEN is refused.
//!     pub enum FenError {
//!         Empty = "the FEN is empty" | "FEN 为空",
//!         Ranks(count: usize) = "{count} ranks instead of 8" | "有 {count} 行，应为 8 行",
//!     }
//! }
//! let error: Message = message!("position: {why}" | "局面：{why}", why = FenError::Ranks(9));
//! assert_eq!(error.text(Language::English), "position: 9 ranks instead of 8");
//! assert_eq!(error.text(Language::Chinese), "局面：有 9 行，应为 8 行");
//! ```

use super::lang::Language;
use std::fmt::{self, Display};
use std::io;

/// A text in both languages.
#[derive(Clone, PartialEq, Eq, Debug, Hash, Default)]
pub struct Message {
    english: Box<str>,
    /// `None`: the same as in English.
    chinese: Option<Box<str>>,
}

impl Message {
    /// A message of these two texts; [`message!`](crate::message) is the usual way.
    pub fn new(english: impl Into<Box<str>>, chinese: impl Into<Box<str>>) -> Self {
        let (english, chinese) = (english.into(), chinese.into());
        Self { chinese: (chinese != english).then_some(chinese), english }
    }

    /// Whatever a value writes in each language.
    pub fn of(value: &(impl Display + ?Sized)) -> Self {
        Self::new(value.to_string(), format!("{value:#}"))
    }

    pub fn text(&self, language: Language) -> &str {
        match language {
            Language::English => &self.english,
            Language::Chinese => self.chinese.as_deref().unwrap_or(&self.english),
        }
    }
}

impl Display for Message {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.text(if f.alternate() { Language::Chinese } else { Language::English }))
    }
}

impl std::error::Error for Message {}

/// Compares the English text.
impl PartialEq<&str> for Message {
    fn eq(&self, english: &&str) -> bool {
        *self.english == **english
    }
}

impl From<String> for Message {
    fn from(text: String) -> Self {
        Self { english: text.into(), chinese: None }
    }
}

impl From<&str> for Message {
    fn from(text: &str) -> Self {
        text.to_owned().into()
    }
}

impl From<Message> for String {
    fn from(message: Message) -> Self {
        message.english.into()
    }
}

impl From<&io::Error> for Message {
    /// The message that it was made of; of the system's errors its text, and Chinese for what people meet
    /// most.
    fn from(error: &io::Error) -> Self {
        if let Some(message) = error.get_ref().and_then(|inner| inner.downcast_ref::<Self>()) {
            return message.clone();
        }
        let chinese = match error.kind() {
            io::ErrorKind::NotFound => "没有这个文件或目录",
            io::ErrorKind::PermissionDenied => "没有权限",
            io::ErrorKind::IsADirectory => "这是一个目录",
            io::ErrorKind::NotADirectory => "这不是目录",
            io::ErrorKind::StorageFull => "磁盘已满",
            io::ErrorKind::AlreadyExists => "文件已经存在",
            io::ErrorKind::BrokenPipe => "管道已断开",
            io::ErrorKind::AddrInUse => "地址已被占用",
            _ => return error.to_string().into(),
        };
        Self::new(error.to_string(), chinese)
    }
}

impl From<io::Error> for Message {
    fn from(error: io::Error) -> Self {
        (&error).into()
    }
}

/// Has a type that is read from text and displayed as such go to files and come back as text.
macro_rules! serde_as_text {
    ($type:ty) => {
        impl From<$type> for String {
            fn from(value: $type) -> Self {
                value.to_string()
            }
        }

        impl TryFrom<String> for $type {
            type Error = <$type as ::std::str::FromStr>::Err;

            fn try_from(text: String) -> Result<Self, Self::Error> {
                text.parse()
            }
        }
    };
}
pub(crate) use serde_as_text;

/// A value inside a Chinese text: what it has to write in Chinese, it writes in Chinese.
#[doc(hidden)]
pub struct InChinese<'a, T: ?Sized>(pub &'a T);

impl<T: Display + ?Sized> Display for InChinese<'_, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match f.precision() {
            Some(digits) => write!(f, "{:#.digits$}", self.0),
            None => write!(f, "{:#}", self.0),
        }
    }
}

impl<T: fmt::Debug + ?Sized> fmt::Debug for InChinese<'_, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// A [`Message`]: `message!("{side} resigns" | "{side}认输", side)`. Every blank is listed, with its value
/// where it is not a variable of that name (`count = moves.len()`), and stands in both languages.
#[macro_export]
macro_rules! message {
    ($english:literal | $chinese:literal $(, $blank:ident $(= $value:expr)?)* $(,)?) => {{
        $($(let $blank = &$value;)?)*
        $crate::util::message::Message::new(
            format!($english $(, $blank = $blank)*),
            format!($chinese $(, $blank = $crate::util::message::InChinese(&$blank))*),
        )
    }};
}

/// Returns an error unless a condition holds: `ensure!(count == 8, FenError::RankCount(count))`, or one of
/// these texts as in [`message!`](crate::message).
#[macro_export]
macro_rules! ensure {
    ($condition:expr, $english:literal | $chinese:literal $($blanks:tt)*) => {
        $crate::ensure!($condition, $crate::message!($english | $chinese $($blanks)*).into());
    };
    ($condition:expr, $error:expr $(,)?) => {
        if !$condition {
            return Err($error);
        }
    };
}

/// An enum of errors, each with its text in both languages:
/// `Ranks(count: usize) = "{count} ranks instead of 8" | "有 {count} 行，应为 8 行"`. It is an
/// [`Error`](std::error::Error) whose `Display` writes English, and Chinese in the alternate form, and it
/// turns into a [`Message`]. `enum E from io::Error => Io {` makes it of another error.
#[macro_export]
macro_rules! errors {
    ($(#[$meta:meta])* $visible:vis enum $name:ident $(from $($source:ty => $from:ident),+)? {
        $($(#[$of_variant:meta])* $variant:ident $(($($blank:ident: $type:ty),+ $(,)?))? = $english:literal | $chinese:literal),+ $(,)?
    }) => {
        $(#[$meta])*
        #[derive(Clone, PartialEq, Debug)]
        $visible enum $name {
            $($(#[$of_variant])* #[doc = $english] $variant $(($($type),+))?),+
        }

        impl ::std::fmt::Display for $name {
            fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
                match self {
                    $(Self::$variant $(($($blank),+))? => if f.alternate() {
                        write!(f, $chinese $($(, $blank = $crate::util::message::InChinese($blank))+)?)
                    } else {
                        write!(f, $english $($(, $blank = $blank)+)?)
                    }),+
                }
            }
        }

        impl ::std::error::Error for $name {}

        $($(impl From<$source> for $name {
            fn from(error: $source) -> Self {
                Self::$from(error.into())
            }
        })+)?

        impl From<$name> for $crate::util::message::Message {
            fn from(error: $name) -> Self {
                Self::of(&error)
            }
        }

        impl From<$name> for String {
            fn from(error: $name) -> Self {
                error.to_string()
            }
        }
    };
}

#[cfg(test)]
mod tests {
    use super::*;

    errors! {
        /// Why a thing is refused.
        enum Refusal {
            Empty = "it is empty" | "内容为空",
            Long(length: usize, limit: f64) = "{length} is above {limit:.1}" | "{length} 大于 {limit:.1}",
        }
    }

    #[test]
    fn a_message_inside_a_message_has_its_language() {
        let name = "a.sgf";
        let why = message!("{name}: {why}" | "{name}：{why}", name, why = Refusal::Long(3, 2.04));
        assert_eq!(why.text(Language::English), "a.sgf: 3 is above 2.0");
        assert_eq!(why.text(Language::Chinese), "a.sgf：3 大于 2.0");
        let outer = message!("line {n}: {why}" | "第 {n} 行：{why}", n = 7, why);
        assert_eq!(
            format!("{outer} / {outer:#}"),
            "line 7: a.sgf: 3 is above 2.0 / 第 7 行：a.sgf：3 大于 2.0"
        );
        assert_eq!(Message::from(Refusal::Empty).text(Language::Chinese), "内容为空");
    }

    #[test]
    fn what_the_system_reports_has_both_languages() {
        let missing = Message::from(std::fs::read("no such file").expect_err("there is none"));
        assert_eq!(missing.text(Language::Chinese), "没有这个文件或目录");
        assert!(missing.to_string().contains("(os error 2)"));
        assert_eq!(Message::from("a text").text(Language::Chinese), "a text");
    }
}
