//! The arbiter's desk: what the rules answer to a question about a game.

mod case;
mod finding;
mod go;

pub use case::{Case, Inquiry};
pub use finding::{DeskFinding, DeskQuestion, DeskVerdict, PrintedFinding, Spot};

use crate::chess::Board;
use crate::chess::rules::{self, Claim};
use crate::game::{Game as _, GameId, Side};
use crate::games::game::{Game, Position};
use crate::games::record::{Ending, GameKind, Reason};
use crate::games::referee::quiet_moves;
use crate::message;
use crate::table::{Examined, examine};
use crate::util::message::Message;
use crate::xiangqi::repetition::{Clause, judge_here};
use go::GoLine;

pub fn answer(case: &Case, inquiry: &Inquiry) -> Result<Vec<DeskFinding>, Message> {
    let plies = inquiry.plies(case.kind(), case.numbering, case.len())?;
    match (&case.go, inquiry.question()) {
        (Some(go), Some(question)) => answer_go(case, go, inquiry, question, plies),
        (Some(go), None) => {
            let mut found = illegal(case, go.illegal(plies), plies);
            found.extend(go.turns(plies));
            found.push(go.end(plies, &inquiry.dead)?);
            if !inquiry.has_place() && case.result != "*" {
                found.push(go.result(&case.result, &inquiry.dead)?);
            }
            Ok(found)
        }
        (None, Some(question)) => answer_pieces(case, inquiry, question, plies),
        (None, None) => {
            let mut found = illegal(case, Vec::new(), plies);
            found.push(end(case, plies));
            found.extend(claims(case, plies));
            if !inquiry.has_place() && case.result != "*" {
                found.push(result(case));
            }
            Ok(found)
        }
    }
}

fn answer_go(
    case: &Case,
    go: &GoLine,
    inquiry: &Inquiry,
    question: DeskQuestion,
    plies: usize,
) -> Result<Vec<DeskFinding>, Message> {
    let one = |finding| Ok(vec![finding]);
    match question {
        DeskQuestion::Illegal => Ok(illegal(case, go.illegal(plies), plies)),
        DeskQuestion::End => one(go.end(plies, &inquiry.dead)?),
        DeskQuestion::Flag => {
            let mover = go.position(plies).board().side_to_move();
            let over = go.is_over(plies).then(|| go.end(plies, &inquiry.dead)).transpose()?;
            one(flag(case, inquiry, plies, mover, over)?)
        }
        DeskQuestion::Point => {
            let text = inquiry.point.as_deref().unwrap_or_default();
            one(go.point(plies, inquiry.side(GameId::Go)?, text)?)
        }
        DeskQuestion::Turns => Ok(or_nothing(go.turns(plies), question, plies, || {
            message!("the sides move in turn" | "双方轮流下子")
        })),
        DeskQuestion::Count => one(go.count(plies, &inquiry.dead)?),
        DeskQuestion::Result => one(go.result(&case.result, &inquiry.dead)?),
        DeskQuestion::Claim | DeskQuestion::Dead | DeskQuestion::Repetition => {
            Err(not_in_this_game(case, question))
        }
    }
}

fn answer_pieces(
    case: &Case,
    inquiry: &Inquiry,
    question: DeskQuestion,
    plies: usize,
) -> Result<Vec<DeskFinding>, Message> {
    let one = |finding| Ok(vec![finding]);
    match question {
        DeskQuestion::Illegal => Ok(illegal(case, Vec::new(), plies)),
        DeskQuestion::End => one(end(case, plies)),
        DeskQuestion::Claim if inquiry.has_place() || inquiry.announced().is_some() => {
            one(claim(case, plies, inquiry.announced())?)
        }
        DeskQuestion::Claim => Ok(or_nothing(claims(case, plies), question, plies, || {
            message!("no draw could be claimed at any move" | "自始至终没有可以要求判和的局面")
        })),
        DeskQuestion::Flag => {
            let over = end(case, plies);
            let over = Some(over).filter(|over| over.verdict != DeskVerdict::GoesOn);
            one(flag(case, inquiry, plies, case.after(plies).side_to_move(), over)?)
        }
        DeskQuestion::Dead => one(dead(case, plies)),
        DeskQuestion::Result => one(result(case)),
        DeskQuestion::Repetition | DeskQuestion::Point | DeskQuestion::Turns | DeskQuestion::Count => {
            Err(not_in_this_game(case, question))
        }
    }
}

fn not_in_this_game(case: &Case, question: DeskQuestion) -> Message {
    let game = case.kind().game();
    let hint = match (game, question) {
        (GameId::Chess, DeskQuestion::Repetition) => "claim",
        (GameId::Go, DeskQuestion::Repetition) => "illegal",
        (GameId::Go, _) => "end",
        _ => "illegal",
    };
    message!(
        "--ask {question} is no question of {game}; --ask {hint} may be meant"
            | "{game}没有 --ask {question} 这个问题，可以试试 --ask {hint}",
        question = question.name(),
        game = game.texts(),
        hint
    )
}

fn or_nothing(
    found: Vec<DeskFinding>,
    question: DeskQuestion,
    plies: usize,
    reason: impl FnOnce() -> Message,
) -> Vec<DeskFinding> {
    if found.is_empty() {
        return vec![DeskFinding::new(question, Spot::After(plies), DeskVerdict::Nothing, reason())];
    }
    found
}

/// The illegal moves, the one at which the record breaks off among them.
fn illegal(case: &Case, mut found: Vec<DeskFinding>, plies: usize) -> Vec<DeskFinding> {
    if let Some((why, is_illegal)) = case.fault.as_ref().filter(|_| plies == case.len()) {
        let spot = Spot::Move(plies.saturating_add(1));
        let finding = |verdict| DeskFinding::new(DeskQuestion::Illegal, spot, verdict, why.clone());
        found.push(match is_illegal {
            true => finding(DeskVerdict::Illegal).by(match case.kind().game() {
                GameId::Chess => "CH-14",
                GameId::Xiangqi => "XQ-15",
                GameId::Go => "GO-1",
            }),
            false => finding(DeskVerdict::Damaged),
        });
    }
    or_nothing(found, DeskQuestion::Illegal, plies, || message!("every move is legal" | "着法全部合乎规则"))
}

/// How the rules end a game of chess or xiangqi without a word of the players.
fn ending(game: &Game) -> Option<Ending> {
    let ended = game.ending();
    let Position::Chess(board) = game.position() else { return ended };
    let by_itself = ended.filter(|ending| !is_claimed(ending));
    by_itself.or_else(|| {
        Some(match rules::unclaimed(board)? {
            Claim::Threefold => Ending::drawn(
                Reason::Repetition,
                message!("fifth occurrence of the position" | "局面第五次出现"),
            ),
            Claim::FiftyMoves => Ending::drawn(Reason::NoProgress, quiet_moves(board.claim_plies() / 2 * 3)),
        })
    })
}

/// Whether the laws of chess leave it to a player to claim this end.
fn is_claimed(ending: &Ending) -> bool {
    matches!(ending.reason, Reason::Repetition | Reason::NoProgress)
}

fn clause(game: &Game, reason: Reason) -> Option<&'static str> {
    Some(match (game.position(), reason) {
        (Position::Chess(_), Reason::Checkmate) => "CH-5",
        (Position::Chess(_), Reason::Stalemate) => "CH-6",
        (Position::Chess(_), Reason::DeadPosition) => "CH-7",
        (Position::Chess(_), Reason::Repetition) => "CH-8",
        (Position::Chess(_), Reason::NoProgress) => "CH-9",
        (Position::Xiangqi(_), Reason::Checkmate) => "XQ-4",
        (Position::Xiangqi(_), Reason::Stalemate) => "XQ-5",
        (Position::Xiangqi(_), Reason::DeadPosition) => "XQ-D14",
        (Position::Xiangqi(_), Reason::NoProgress) => "XQ-7",
        // Rules without forbidden cycles cite no clause.
        (Position::Xiangqi(board), Reason::Repetition) => {
            judge_here(board)?.clause.map(Clause::name).filter(|id| *id != Clause::ThirdOccurrence.name())?
        }
        _ => return None,
    })
}

/// Shows the game after each number of half-moves up to `plies`, until something is found.
fn find_on_the_way<T>(
    case: &Case,
    plies: usize,
    mut look: impl FnMut(usize, &Game) -> Option<T>,
) -> Option<T> {
    let mut game = case.after(0);
    for ply in 0..=plies {
        if let Some(found) = look(ply, &game) {
            return Some(found);
        }
        // The moves are those of the game.
        game.play(case.game.moves().get(ply)?).ok()?;
    }
    None
}

/// How the rules have ended the game by then.
fn end(case: &Case, plies: usize) -> DeskFinding {
    let ended = find_on_the_way(case, plies, |ply, game| {
        let ending = ending(game)?;
        Some((ply, clause(game, ending.reason), ending))
    });
    let Some((ply, clause, ending)) = ended else {
        let reason = message!("the rules do not end it here" | "规则没有使棋局在此结束");
        return DeskFinding::new(DeskQuestion::End, Spot::After(plies), DeskVerdict::GoesOn, reason);
    };
    let finding = DeskFinding::new(
        DeskQuestion::End,
        Spot::After(ply),
        DeskVerdict::Ended(ending.reason),
        ending.detail,
    );
    DeskFinding { clause, ..finding }.won_by(ending.winner)
}

/// Every position in which a draw could be claimed, on the board or with a move.
fn claims(case: &Case, plies: usize) -> Vec<DeskFinding> {
    let mut found = Vec::new();
    find_on_the_way::<()>(case, plies, |ply, game| {
        let finding =
            |reason| DeskFinding::new(DeskQuestion::Claim, Spot::After(ply), DeskVerdict::Claimable, reason);
        if let Position::Chess(board) = game.position() {
            found.extend(claimable(board).map(|(clause, why)| finding(why).by(clause)));
        } else if let Some(Examined::Right(ending)) = examine(game, None) {
            let clause = clause(game, ending.reason);
            found.push(DeskFinding { clause, ..finding(ending.detail) }.won_by(ending.winner));
        }
        None
    });
    found
}

/// The draw that the side to move may claim, by which clause, and how.
fn claimable(board: &Board) -> Option<(&'static str, Message)> {
    if rules::end(board).is_some() {
        return None;
    }
    let announced =
        || board.legal().into_iter().find_map(|mv| Some((rules::claim_with(board, mv)?, Some(mv))));
    let (claim, mv) = rules::claim(board).map(|claim| (claim, None)).or_else(announced)?;
    let (clause, rule) = match claim {
        Claim::Threefold => ("CH-8", message!("third occurrence of the position" | "局面第三次出现")),
        Claim::FiftyMoves => ("CH-9", quiet_moves(board.claim_plies())),
    };
    let side = GameId::Chess.side(board.side_to_move());
    let why = match mv {
        Some(mv) => {
            message!("by {side} with {mv}, {rule}" | "{side}走 {mv}，{rule}", side, mv = board.san(mv), rule)
        }
        None => message!("by {side}, {rule}" | "{side}，{rule}", side, rule),
    };
    Some((clause, why))
}

fn claim(case: &Case, plies: usize, announced: Option<&str>) -> Result<DeskFinding, Message> {
    let mut game = case.after(plies);
    let mv = announced.map(|text| game.read(text)).transpose()?;
    let is_over = ending(&game).filter(|ending| !is_claimed(ending));
    let finding =
        |verdict, reason| DeskFinding::new(DeskQuestion::Claim, Spot::After(plies), verdict, reason);
    if let Some(over) = is_over {
        let reason = message!("the game is over: {why}" | "棋局已经结束：{why}", why = over.detail);
        let wrong = finding(DeskVerdict::Wrong, reason).won_by(over.winner);
        return Ok(DeskFinding { clause: clause(&game, over.reason), ..wrong });
    }
    let examined = examine(&game, mv.as_deref());
    if let Some(mv) = &mv {
        game.play(mv)?;
    }
    Ok(match examined {
        Some(Examined::Right(ending)) => {
            let clause = clause(&game, ending.reason);
            DeskFinding { clause, ..finding(DeskVerdict::Right, ending.detail) }.won_by(ending.winner)
        }
        Some(Examined::Wrong(why)) => finding(DeskVerdict::Wrong, why).by(match case.kind().game() {
            GameId::Chess => "CH-15",
            _ => "XQ-D1",
        }),
        None => return Err(not_in_this_game(case, DeskQuestion::Claim)),
    })
}

/// Who wins when a flag falls.
fn flag(
    case: &Case,
    inquiry: &Inquiry,
    plies: usize,
    mover: Side,
    over: Option<DeskFinding>,
) -> Result<DeskFinding, Message> {
    let id = case.kind().game();
    let loser = inquiry.side(id)?.unwrap_or(mover);
    if let Some(over) = over {
        let reason = message!(
            "the game was over before the flag fell: {why}" | "超时以前棋局已经结束：{why}",
            why = over.reason
        );
        return Ok(DeskFinding { question: DeskQuestion::Flag, reason, ..over });
    }
    let late = message!("{side} oversteps the time" | "{side}超时", side = id.side(loser));
    let ending = match id {
        GameId::Go => Ending::won(loser.other(), Reason::Time, late),
        _ => case.after(plies).forfeit(loser, Reason::Time, late),
    };
    let verdict = if ending.winner.is_some() { DeskVerdict::Win } else { DeskVerdict::Draw };
    let winner = match ending.winner {
        Some(winner) => {
            message!("{why}: {side} wins" | "{why}，{side}胜", why = ending.detail, side = id.side(winner))
        }
        None => ending.detail,
    };
    let finding =
        DeskFinding::new(DeskQuestion::Flag, Spot::After(plies), verdict, winner).won_by(ending.winner);
    Ok(finding.by(match id {
        GameId::Chess => "CH-12",
        GameId::Xiangqi => "XQ-6",
        GameId::Go => "GO-12",
    }))
}

/// Whether a position is dead, or drawn at once.
fn dead(case: &Case, plies: usize) -> DeskFinding {
    let game = case.after(plies);
    let finding = |verdict, reason| DeskFinding::new(DeskQuestion::Dead, Spot::After(plies), verdict, reason);
    if let Some(over) = ending(&game).filter(|e| matches!(e.reason, Reason::Checkmate | Reason::Stalemate)) {
        let reason = message!("the game is over: {why}" | "棋局已经结束：{why}", why = over.detail);
        let clause = clause(&game, over.reason);
        return DeskFinding { clause, ..finding(DeskVerdict::NotDead, reason) }.won_by(over.winner);
    }
    let (is_dead, clause) = match game.position() {
        Position::Chess(board) => (rules::is_dead(board.position()), "CH-7"),
        Position::Xiangqi(board) => (board.is_dead(), "XQ-D14"),
        Position::Go(_) => (false, "GO-7"),
    };
    let (verdict, reason) = match (is_dead, case.kind()) {
        (true, GameKind::XIANGQI) => (
            DeskVerdict::Dead,
            message!("neither side can win: a draw at once" | "双方均无取胜可能，立即作和"),
        ),
        (true, _) => (
            DeskVerdict::Dead,
            message!("no series of moves mates: a draw at once" | "任何着法都不可能将死，立即作和"),
        ),
        (false, GameKind::XIANGQI) => {
            (DeskVerdict::NotDead, message!("the material is enough to win" | "子力足以取胜，不立即作和"))
        }
        (false, _) => (
            DeskVerdict::NotDead,
            message!(
                "neither the material nor a wall of pawns rules a mate out"
                    | "从子力和兵形看，仍有将死的可能"
            ),
        ),
    };
    finding(verdict, reason).by(clause)
}

/// Whether the result in a record of chess or xiangqi agrees with the board.
fn result(case: &Case) -> DeskFinding {
    let over = end(case, case.len());
    let tag = &case.result;
    let finding =
        |verdict, reason| DeskFinding { reason, verdict, question: DeskQuestion::Result, ..over.clone() };
    let DeskVerdict::Ended(reason) = over.verdict else { return open_result(case, &over) };
    let by_board = Ending { winner: over.winner, reason, detail: Message::default() }.result();
    match tag.as_str() {
        "*" => finding(
            DeskVerdict::Open,
            message!(
                "the record has no result; the board has {by_board}: {why}"
                    | "棋谱没有结果，盘面是 {by_board}：{why}",
                by_board,
                why = over.reason
            ),
        ),
        tag if tag == by_board => finding(
            DeskVerdict::Agrees,
            message!("the record has {tag}: {why}" | "棋谱的结果是 {tag}：{why}", tag, why = over.reason),
        ),
        tag => finding(
            DeskVerdict::Contradicts,
            message!(
                "the record has {tag}, the board {by_board}: {why}"
                    | "棋谱的结果是 {tag}，盘面是 {by_board}：{why}",
                tag,
                by_board,
                why = over.reason
            ),
        ),
    }
}

/// A result that the board leaves open: only one on time can be wrong.
fn open_result(case: &Case, over: &DeskFinding) -> DeskFinding {
    let tag = &case.result;
    let winner = match tag.as_str() {
        "1-0" => Some(Side::First),
        "0-1" => Some(Side::Second),
        _ => None,
    };
    let finding = |verdict, reason| DeskFinding::new(DeskQuestion::Result, over.spot, verdict, reason);
    if let Some(winner) = winner.filter(|_| case.is_time_forfeit) {
        let ending = case.game.forfeit(winner.other(), Reason::Time, Message::default());
        if ending.winner.is_none() {
            let side = case.kind().game().side(winner);
            let reason = message!(
                "the record has {tag} on time, but {side} cannot mate: a draw"
                    | "棋谱的结果是 {tag}（超时），但{side}不可能将死对方，应为和棋",
                tag,
                side
            );
            return finding(DeskVerdict::Contradicts, reason).by("CH-12");
        }
    }
    finding(
        DeskVerdict::Open,
        message!(
            "the record has {tag}, which the board does not decide" | "棋谱的结果是 {tag}，盘面不能决定",
            tag
        ),
    )
}
