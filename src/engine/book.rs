//! Playing from opening books: the options, and the choice among the moves of a position, for any game.

use super::{OptionKind, OptionSpec, number};
use crate::chess::polyglot;
use crate::game::Game;
use crate::util::lang::Bilingual;
use crate::util::message::Message;
use crate::util::rng::Rng;
use crate::xiangqi;
use std::path::Path;

const OWN_BOOK: &str = "OwnBook";
const BOOK_FILE: &str = "Book File";
const BOOK_VARIETY: &str = "Book Variety";
/// Moves of at least half the greatest weight are played.
const VARIETY: u32 = 50;
/// Between the names of several books.
const SEPARATOR: char = ';';

pub trait BookFile: Sized + Send + 'static {
    type Game: Game;
    const HELP: Bilingual;
    /// The description of the option that switches books on.
    const OWN_HELP: Bilingual;
    /// Whether a file that was chosen is played from without another word.
    const ON: bool;

    /// The book that is part of the program.
    fn own() -> Self;
    fn open(path: &Path) -> Result<Self, Message>;
    /// Legal moves and their weights, the heaviest first.
    fn weighted(&self, pos: &Self::Game) -> Vec<(<Self::Game as Game>::Move, u16)>;
}

impl BookFile for polyglot::Book {
    type Game = crate::chess::Board;
    const HELP: Bilingual = Bilingual(
        "The opening book, in the format of Polyglot; several are separated by semicolons.",
        "Polyglot 格式的开局库；多个用分号分隔。",
    );
    const OWN_HELP: Bilingual = Bilingual(
        "Plays from Book File, or without one from the embedded book.",
        "按开局库走棋：Book File；没有指定时是内置的库。",
    );
    const ON: bool = false;

    fn own() -> Self {
        Self::own()
    }

    fn open(path: &Path) -> Result<Self, Message> {
        Self::open(path)
    }

    fn weighted(&self, pos: &Self::Game) -> Vec<(crate::chess::Move, u16)> {
        self.moves(pos).into_iter().map(|m| (m.mv, m.weight)).collect()
    }
}

impl BookFile for xiangqi::book::Book {
    type Game = xiangqi::Board;
    const HELP: Bilingual = Bilingual(
        "The opening book, in the format of BOOK.DAT; several are separated by semicolons.",
        "BOOK.DAT 格式的开局库；多个用分号分隔。",
    );
    const OWN_HELP: Bilingual = Bilingual(
        "Plays from Book File or the embedded book; until this is set, Book File is used when it is named.",
        "按开局库走棋：内置的库或 Book File；未设置此项时也使用 Book File。",
    );
    const ON: bool = true;

    fn own() -> Self {
        Self::own()
    }

    fn open(path: &Path) -> Result<Self, Message> {
        Self::open(path)
    }

    fn weighted(&self, pos: &Self::Game) -> Vec<(xiangqi::Move, u16)> {
        self.moves(pos).into_iter().map(|m| (m.mv, m.weight)).collect()
    }
}

/// The opening books of an engine.
pub(super) struct Library<B> {
    /// The option's value, once it was set.
    on: Option<bool>,
    /// The files that were chosen.
    books: Vec<B>,
    own: B,
    variety: u32,
    rng: Rng,
}

impl<B: BookFile> Default for Library<B> {
    fn default() -> Self {
        Self { on: None, books: Vec::new(), own: B::own(), variety: VARIETY, rng: Rng::of_the_moment() }
    }
}

impl<B: BookFile> Library<B> {
    pub fn options() -> [OptionSpec; 3] {
        [
            OptionSpec { name: OWN_BOOK, kind: OptionKind::Check(false), help: B::OWN_HELP },
            OptionSpec { name: BOOK_FILE, kind: OptionKind::text(""), help: B::HELP },
            OptionSpec::new(
                BOOK_VARIETY,
                OptionKind::spin(VARIETY.into(), 0, 100),
                "Percent by which a book move may weigh less than the heaviest; moves are chosen by weight.",
                "库中着法的权重可以比最重的低百分之几；在这些着法里按权重选择。",
            ),
        ]
    }

    /// Sets an option. False: it is none of these.
    /// # Errors
    /// When a file is not a book; nothing has changed then.
    pub fn set(&mut self, name: &str, value: &str) -> Result<bool, Message> {
        match name {
            OWN_BOOK => self.on = Some(value == "true"),
            BOOK_FILE => {
                let names = value.split(SEPARATOR).map(str::trim).filter(|name| !name.is_empty());
                self.books = names.map(|name| B::open(Path::new(name))).collect::<Result<_, _>>()?;
            }
            BOOK_VARIETY => {
                self.variety = number(value)?;
            }
            _ => return Ok(false),
        }
        Ok(true)
    }

    /// A move of the first book that knows the position.
    pub fn choose(&mut self, pos: &B::Game) -> Option<<B::Game as Game>::Move> {
        let books = match self.on {
            Some(true) if self.books.is_empty() => std::slice::from_ref(&self.own),
            Some(true) => &self.books,
            None if B::ON => &self.books,
            _ => return None,
        };
        let mut moves = books.iter().map(|book| book.weighted(pos)).find(|moves| !moves.is_empty())?;
        let heaviest = u32::from(moves.first()?.1);
        moves.retain(|m| u32::from(m.1) * 100 >= heaviest * (100 - self.variety));
        let mut at = self.rng.below(moves.iter().map(|m| usize::from(m.1)).sum());
        let chosen = moves.iter().find(|m| {
            let here = at < usize::from(m.1);
            at = at.saturating_sub(m.1.into());
            here
        });
        chosen.map(|m| m.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Knows two moves of two weights at the start, or with another name nothing.
    struct Fixed(bool);

    impl BookFile for Fixed {
        type Game = xiangqi::Board;
        const HELP: Bilingual = Bilingual("", "");
        const OWN_HELP: Bilingual = Bilingual("", "");
        const ON: bool = true;

        fn own() -> Self {
            Self(true)
        }

        fn open(path: &Path) -> Result<Self, Message> {
            match path.to_str() {
                Some("bad") => Err("bad: no book".into()),
                name => Ok(Self(name == Some("good"))),
            }
        }

        fn weighted(&self, _: &Self::Game) -> Vec<(xiangqi::Move, u16)> {
            let moves = [(xiangqi::Move::from_bits(1), 30), (xiangqi::Move::from_bits(2), 10)];
            if self.0 { moves.to_vec() } else { Vec::new() }
        }
    }

    fn played(library: &mut Library<Fixed>) -> [usize; 3] {
        let mut counts = [0; 3];
        for _ in 0..400 {
            counts[library.choose(&Game::start()).map_or(0, |mv| usize::from(mv.bits()))] += 1;
        }
        counts
    }

    #[test]
    fn moves_are_played_by_weight_within_the_variety() {
        let mut library = Library::<Fixed>::default();
        assert_eq!(played(&mut library), [400, 0, 0], "the own book is not asked unless it is on");
        assert_eq!(library.set(BOOK_FILE, "other; good"), Ok(true));
        assert_eq!(played(&mut library), [0, 400, 0], "a third of the weight is too little");
        assert_eq!(library.set(BOOK_VARIETY, "80"), Ok(true));
        let [none, heavy, light] = played(&mut library);
        assert!(none == 0 && heavy > 2 * light && light > 40, "{heavy} {light}");
        assert_eq!(library.set(OWN_BOOK, "false"), Ok(true));
        assert_eq!(played(&mut library), [400, 0, 0]);
        assert_eq!(library.set(OWN_BOOK, "true"), Ok(true));
        assert_eq!(library.set(BOOK_FILE, "other"), Ok(true));
        assert_eq!(played(&mut library), [400, 0, 0], "a file stands in for the own book");
        assert_eq!(library.set(BOOK_FILE, ""), Ok(true));
        assert_eq!(played(&mut library)[0], 0, "the own book");
    }

    #[test]
    fn a_bad_book_changes_nothing() {
        let mut library = Library::<Fixed>::default();
        assert_eq!(library.set(BOOK_FILE, "good"), Ok(true));
        assert_eq!(library.set(BOOK_FILE, "good;bad"), Err("bad: no book".into()));
        assert_eq!(played(&mut library), [0, 400, 0]);
        assert_eq!(library.set(BOOK_FILE, ""), Ok(true));
        assert_eq!(played(&mut library), [400, 0, 0]);
        assert_eq!(library.set("Hash", "1"), Ok(false));
    }
}
