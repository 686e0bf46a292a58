//! From the description of a move to the legal move, or to the reason why there is none.

use super::MoveError;
use crate::game::{AlphaBetaGame, Game, GameId, Side};
use crate::message;
use crate::util::message::Message;
use crate::xiangqi::Board;
use crate::xiangqi::lookup;
use crate::xiangqi::types::{Kind, Move, SQUARES, Square};

/// The piece's character: simplified, as each side's set has it.
pub const fn piece_name(side: Side, kind: Kind) -> char {
    match (kind, side) {
        (Kind::General, Side::First) => '帅',
        (Kind::General, Side::Second) => '将',
        (Kind::Advisor, Side::First) => '仕',
        (Kind::Advisor, Side::Second) => '士',
        (Kind::Elephant, Side::First) => '相',
        (Kind::Elephant, Side::Second) => '象',
        (Kind::Horse, _) => '马',
        (Kind::Chariot, _) => '车',
        (Kind::Cannon, _) => '炮',
        (Kind::Soldier, Side::First) => '兵',
        (Kind::Soldier, Side::Second) => '卒',
    }
}

/// The legal move of a piece of `kind` that `fits`.
pub(super) fn find(
    board: &Board,
    text: &str,
    kind: Option<Kind>,
    fits: impl Fn(Move) -> bool,
) -> Result<Move, MoveError> {
    let mut fitting = board.legal().into_iter().filter(|&mv| fits(mv));
    match (fitting.next(), fitting.next()) {
        (Some(mv), None) => Ok(mv),
        (None, _) => Err(refused(board, text, kind, fits)),
        (Some(_), Some(_)) => Err(MoveError::Ambiguous(text.to_owned())),
    }
}

/// Why a move is not legal, where none that `fits` is.
fn refused(board: &Board, text: &str, kind: Option<Kind>, fits: impl Fn(Move) -> bool) -> MoveError {
    let points = || (0..SQUARES).filter_map(Square::new);
    let own = points()
        .filter(|&from| board.piece_at(from).get().is_some_and(|(side, _)| side == board.side_to_move()));
    let ways = own.flat_map(|from| points().map(move |to| Move::new(from, to)));
    let meant: Vec<Move> = ways.filter(|&mv| fits(mv)).collect();
    if let Some(&mv) = meant.iter().find(|&&mv| board.is_pseudo_legal(mv)) {
        return exposing(board, text, mv);
    }
    let why =
        meant.iter().find_map(|&mv| obstacle(board, mv)).unwrap_or_else(|| match (kind, meant.first()) {
            (Some(kind), None) => {
                let piece = name(board.side_to_move(), kind);
                message!("there is no such {piece}" | "没有这样的{piece}", piece)
            }
            (None, None) => message!("no piece of the side to move is there" | "那里没有己方的棋子"),
            (_, Some(mv)) => {
                let piece = name(board.side_to_move(), board.piece_at(mv.from()).kind());
                message!("no {piece} can go there" | "没有{piece}能走到那里", piece)
            }
        });
    MoveError::Impossible(text.to_owned(), why)
}

/// Why a move that the piece could make is not legal.
fn exposing(board: &Board, text: &str, mv: Move) -> MoveError {
    let mut after = board.clone();
    after.do_move(mv, &mut ());
    let (red, black) = (after.general(Side::First), after.general(Side::Second));
    let text = text.to_owned();
    if board.in_check() {
        MoveError::InCheck(text)
    } else if red.file() == black.file() && !lookup::between(red, black).meets(after.occupancy().all) {
        MoveError::Facing(text)
    } else {
        MoveError::Exposes(text)
    }
}

/// What is in the way of a move that its piece would make on an empty board.
#[allow(clippy::arithmetic_side_effects, reason = "points of the board")]
fn obstacle(board: &Board, mv: Move) -> Option<Message> {
    let (from, to) = (mv.from(), mv.to());
    let (side, kind) = board.piece_at(from).get()?;
    let occupied = board.occupancy().all;
    let distances = [from.file().abs_diff(to.file()), from.rank().abs_diff(to.rank())];
    let is_its_way = match kind {
        Kind::Horse => matches!(distances, [1, 2] | [2, 1]),
        Kind::Elephant => distances == [2, 2],
        Kind::Advisor => distances == [1, 1],
        _ => distances.contains(&0) && from != to,
    };
    if !is_its_way {
        return None;
    }
    let middle = Square::at((from.file() + to.file()) / 2, (from.rank() + to.rank()) / 2)?;
    if kind == Kind::Horse && lookup::leg(from, to).meets(occupied) {
        Some(message!("the horse's leg is blocked" | "蹩马腿"))
    } else if kind == Kind::Elephant && board.piece_at(middle).is_some() {
        Some(message!("the elephant's eye is blocked" | "塞象眼"))
    } else if kind == Kind::Elephant && to.is_across(side) {
        Some(message!("elephants do not cross the river" | "相（象）不能过河"))
    } else if matches!(kind, Kind::Chariot | Kind::Cannon) && lookup::between(from, to).meets(occupied) {
        Some(message!("other pieces are in the way" | "中间有别的棋子"))
    } else {
        let name = GameId::Xiangqi.side(side);
        let is_own = board.piece_at(to).get()?.0 == side;
        is_own.then(|| message!("{name}'s own piece stands there" | "那里是{name}自己的棋子", name))
    }
}

fn name(side: Side, kind: Kind) -> Message {
    let english = match kind {
        Kind::General => "general",
        Kind::Advisor => "advisor",
        Kind::Elephant => "elephant",
        Kind::Horse => "horse",
        Kind::Chariot => "chariot",
        Kind::Cannon => "cannon",
        Kind::Soldier => "soldier",
    };
    Message::new(english, piece_name(side, kind).to_string())
}

#[cfg(test)]
mod tests {
    use crate::xiangqi::notation::read_any;
    use crate::xiangqi::{Board, START_FEN};

    #[test]
    fn every_refusal_has_its_reason() {
        let facing = "4k4/9/9/9/9/9/9/9/4C4/4K4 w - - 0 1";
        let pinned = "4k4/4r4/9/9/9/9/9/4N4/9/4K4 w - - 0 1";
        let checked = "3k5/4r4/9/9/9/9/9/9/N8/4K4 w - - 0 1";
        let elephant = "3k5/9/9/9/9/2B6/9/9/9/4K4 w - - 0 1";
        for (fen, text, english, chinese) in [
            (START_FEN, "炮九平九", "is not possible here: there is no such cannon", "没有这样的炮"),
            (START_FEN, "车二进九", "is not possible here: there is no such chariot", "没有这样的车"),
            (START_FEN, "C2=8", "is not possible here: Red's own piece stands there", "那里是红方自己的棋子"),
            (START_FEN, "炮二进六", "is not possible here: other pieces are in the way", "中间有别的棋子"),
            (START_FEN, "马二进四", "is not possible here: the horse's leg is blocked", "蹩马腿"),
            (START_FEN, "h0f1", "is not possible here: the horse's leg is blocked", "蹩马腿"),
            (START_FEN, "车一进五", "is not possible here: other pieces are in the way", "中间有别的棋子"),
            (START_FEN, "Hc7", "is not possible here: no horse can go there", "没有马能走到那里"),
            (
                START_FEN,
                "h3e3",
                "is not possible here: no piece of the side to move is there",
                "那里没有己方的棋子",
            ),
            (
                START_FEN,
                "h9g7",
                "is not possible here: no piece of the side to move is there",
                "那里没有己方的棋子",
            ),
            (START_FEN, "h2g3", "is not possible here: no cannon can go there", "没有炮能走到那里"),
            (elephant, "c4e6", "is not possible here: elephants do not cross the river", "相（象）不能过河"),
            (facing, "炮五平六", "leaves the generals facing each other", "两将（帅）照面"),
            (facing, "e1d1", "leaves the generals facing each other", "两将（帅）照面"),
            (pinned, "马五进六", "leaves the general in check", "会送将"),
            (pinned, "Hd4", "leaves the general in check", "会送将"),
            (checked, "马九进八", "does not answer the check", "没有应将"),
            (checked, "a1b3", "does not answer the check", "没有应将"),
            (checked, "帅五进一", "does not answer the check", "没有应将"),
        ] {
            let why = Board::from_fen(fen).unwrap_or_else(|why| panic!("{fen}: {why}"));
            let why = read_any(&why, text).expect_err(text);
            assert_eq!(why.to_string(), format!("\"{text}\" {english}"));
            assert!(format!("{why:#}").ends_with(chinese), "{why:#}");
        }
    }
}
