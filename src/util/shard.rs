//! One part of work that several machines share.

use crate::message;
use crate::util::message::{Message, serde_as_text};
use serde::{Deserialize, Serialize};
use std::fmt;
use std::str::FromStr;

/// Part `index` of `of`, written `index/of`; the whole is `0/1`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(into = "String", try_from = "String")]
pub struct Shard {
    /// Which part, from 0 and below `of`.
    pub index: u32,
    /// How many parts there are, at least 1.
    pub of: u32,
}

impl Shard {
    pub const WHOLE: Self = Self { index: 0, of: 1 };

    pub fn is_whole(&self) -> bool {
        *self == Self::WHOLE
    }

    /// Whether item `number` of the work, from 0, belongs to this part: items are dealt to the parts in turn.
    pub const fn has(self, number: usize) -> bool {
        match number.checked_rem(self.of as usize) {
            Some(part) => part == self.index as usize,
            None => false,
        }
    }
}

impl Default for Shard {
    fn default() -> Self {
        Self::WHOLE
    }
}

impl fmt::Display for Shard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.index, self.of)
    }
}

impl FromStr for Shard {
    type Err = Message;

    fn from_str(text: &str) -> Result<Self, Message> {
        let parts = text.split_once('/').and_then(|(i, n)| Some((i.parse().ok()?, n.parse().ok()?)));
        match parts {
            Some((index, of)) if index < of => Ok(Self { index, of }),
            _ => Err(message!(
                "a part i of N, 0 <= i < N, is written i/N" | "N 份中的第 i 份写作 i/N（0 <= i < N）"
            )),
        }
    }
}

serde_as_text!(Shard);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shards_are_written_i_of_n() {
        assert_eq!("3/4".parse(), Ok(Shard { index: 3, of: 4 }));
        assert_eq!(Shard { index: 3, of: 4 }.to_string(), "3/4");
        for bad in ["", "4/4", "1", "-1/2", "1/2/3", "a/b", "0/0"] {
            assert!(bad.parse::<Shard>().is_err(), "{bad}");
        }
    }

    #[test]
    fn every_item_is_of_one_part() {
        for number in 0..20 {
            let owners = (0..7).filter(|&index| Shard { index, of: 7 }.has(number)).count();
            assert_eq!(owners, 1, "{number}");
            assert!(Shard::WHOLE.has(number));
        }
    }
}
