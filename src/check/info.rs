//! Lines about a search, `info` of UCI and UCCI, read strictly: what cannot be read is named.

use crate::games::record::Score;
use std::str::SplitAsciiWhitespace;

/// What one line tells.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Info {
    /// Plies.
    pub depth: Option<u32>,
    /// Positions searched.
    pub nodes: Option<u64>,
    /// Positions a second.
    pub nps: Option<u64>,
    /// Milliseconds.
    pub time: Option<u64>,
    /// The number of the variation, from 1.
    pub multipv: Option<u32>,
    /// From the side to move.
    pub score: Option<Score>,
    /// The score is a bound.
    pub is_bound: bool,
    /// Moves expected, as the engine writes them.
    pub pv: Vec<String>,
}

impl Info {
    /// Reads what follows `info`. UCCI's `bare_scores` are centipawns.
    /// # Errors
    /// Names the field that cannot be read.
    pub fn read(text: &str, bare_scores: bool) -> Result<Self, String> {
        let mut words = text.split_ascii_whitespace();
        let mut info = Self::default();
        while let Some(word) = words.next() {
            match word {
                "string" | "message" | "error" => break,
                "depth" => info.depth = Some(number(word, &mut words)?),
                "nodes" => info.nodes = Some(number(word, &mut words)?),
                "nps" => info.nps = Some(number(word, &mut words)?),
                "time" => info.time = Some(number(word, &mut words)?),
                "multipv" => info.multipv = Some(number(word, &mut words)?),
                "seldepth" | "hashfull" | "tbhits" | "cpuload" | "currmovenumber" | "sbhits" => {
                    number::<u64>(word, &mut words)?;
                }
                "score" => info.score = Some(score(&mut words, bare_scores)?),
                "lowerbound" | "upperbound" => info.is_bound = true,
                "wdl" => {
                    for _ in 0..3 {
                        number::<u32>(word, &mut words)?;
                    }
                }
                "pv" => {
                    info.pv = words.map(str::to_owned).collect();
                    break;
                }
                "refutation" | "currline" => break,
                // `currmove` and whatever else has a word after it.
                _ => {}
            }
        }
        Ok(info)
    }

    /// Whether it is about the best variation.
    pub fn is_first(&self) -> bool {
        self.multipv.unwrap_or(1) == 1
    }
}

fn number<T: std::str::FromStr>(name: &str, words: &mut SplitAsciiWhitespace) -> Result<T, String> {
    let word = words.next().ok_or_else(|| format!("nothing follows \"{name}\""))?;
    word.parse().map_err(|_| format!("\"{name}\" is followed by \"{word}\", which is no such number"))
}

/// `cp 31`, `mate -3`, or UCCI's bare `31`.
fn score(words: &mut SplitAsciiWhitespace, bare_scores: bool) -> Result<Score, String> {
    let word = words.next().ok_or("nothing follows \"score\"")?;
    match (word, word.parse()) {
        ("cp", _) => number("cp", words).map(Score::Cp),
        ("mate", _) => number("mate", words).map(Score::Mate),
        (_, Ok(bare)) if bare_scores => Ok(Score::Cp(bare)),
        _ => Err(format!("\"score\" is followed by \"{word}\", which is no kind of score")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_read_strictly() {
        let info = Info::read(
            "depth 9 seldepth 12 score cp -31 upperbound nodes 10 nps 5 time 2 pv e2e4 e7e5",
            false,
        );
        let info = info.unwrap();
        assert_eq!((info.depth, info.nodes, info.time), (Some(9), Some(10), Some(2)));
        assert_eq!((info.score, info.is_bound), (Some(Score::Cp(-31)), true));
        assert_eq!(info.pv, ["e2e4", "e7e5"]);
        assert_eq!(Info::read("score 17", true).unwrap().score, Some(Score::Cp(17)));
        assert_eq!(Info::read("string depth of despair", false).unwrap(), Info::default());
        for bad in
            ["depth", "depth x", "score", "score good", "score mate", "score 17", "nodes -1", "time 1.5"]
        {
            assert!(Info::read(bad, false).is_err(), "{bad}");
        }
    }
}
