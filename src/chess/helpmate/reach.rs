//! Where the pieces of a closed position can ever stand.
//!
//! Everything is an upper bound: a piece goes wherever its way is not barred by pieces that provably never
//! leave their squares, whose turn it is and whether a king is in check play no part, and any piece of the
//! other side that can come to a square can be captured there. The bounds grow together until nothing
//! changes; what they then rule out cannot happen in any game.

use crate::chess::attacks;
use crate::chess::bitboard::Bitboard;
use crate::chess::magic;
use crate::chess::position::Position;
use crate::chess::types::{Color, Kind, Square};

const SIDES: [Color; 2] = [Color::First, Color::Second];

struct Man {
    color: Color,
    kind: Kind,
    home: Square,
    /// Where it may ever stand.
    reach: Bitboard,
}

impl Man {
    fn moves(&self) -> bool {
        self.reach != self.home.bb()
    }

    fn keeps_its_file(&self) -> bool {
        (self.reach & !Bitboard::file(self.home.file())).is_empty()
    }
}

/// The bounds for all pieces of a position in which no pawn can promote.
pub(super) struct Reach {
    men: Vec<Man>,
    /// The squares of those that never leave and are never captured.
    fixed: Bitboard,
    /// Where pieces other than the king may ever stand, by color.
    stands: [Bitboard; 2],
    /// Where pieces may ever capture, by color.
    captures: [Bitboard; 2],
    kings: Bitboard,
    colors: [Bitboard; 2],
}

impl Reach {
    /// `None`: some pawn might promote, or a side might castle or capture en passant, which this does not
    /// follow.
    pub fn new(pos: &Position) -> Option<Self> {
        if (pos.castling | pos.ep).any() {
            return None;
        }
        let colors = [pos.color(Color::First), pos.color(Color::Second)];
        let man = |color, kind| move |home: Square| Man { color, kind, home, reach: home.bb() };
        // Pawns come first: most positions are given up as soon as one gets through.
        let men = Kind::ALL
            .into_iter()
            .flat_map(|kind| SIDES.into_iter().map(move |color| (color, kind)))
            .flat_map(|(color, kind)| pos.pieces(color, kind).into_iter().map(man(color, kind)))
            .collect();
        let kings = pos.kind(Kind::King);
        let mut reach = Self {
            men,
            fixed: pos.occupied(),
            stands: colors.map(|set| set & !kings),
            captures: [Bitboard::EMPTY; 2],
            kings,
            colors,
        };
        while reach.grow()? {}
        Some(reach)
    }

    /// Moves every piece once to wherever it can go now; whether that was news. `None`: a pawn promotes.
    fn grow(&mut self) -> Option<bool> {
        let mut grown = false;
        let barred_to_kings = SIDES.map(|color| self.lasting_attacks(color.other()));
        let rams = SIDES.map(|color| self.lasting_rams(color.other()));
        for man in &mut self.men {
            let (us, them) = (man.color.index(), man.color.other().index());
            let blocked = self.fixed & (self.colors[us] | self.kings);
            let targets = match man.kind {
                Kind::Pawn => {
                    let captures = attacks::pawns(man.color, man.reach) & self.stands[them];
                    self.captures[us] |= captures;
                    let rams = if man.keeps_its_file() {
                        rams[us] & man.home.bb().front_fill(man.color)
                    } else {
                        Bitboard::EMPTY
                    };
                    man.reach.forward(man.color) & !self.fixed & !rams | captures
                }
                Kind::King => {
                    attacked(Kind::King, man.color, man.reach, self.fixed) & !blocked & !barred_to_kings[us]
                }
                kind => attacked(kind, man.color, man.reach, self.fixed) & !blocked,
            };
            let new = targets & !man.reach;
            if new.is_empty() {
                continue;
            }
            if man.kind == Kind::Pawn && new.meets(Bitboard::relative_rank(man.color, 7)) {
                return None;
            }
            grown = true;
            man.reach |= new;
            // It leaves its square, and whatever it can capture goes.
            self.fixed &= !(new | man.home.bb());
            if man.kind != Kind::King {
                self.stands[us] |= new;
            }
            if man.kind != Kind::Pawn {
                self.captures[us] |= man.reach;
            }
        }
        Some(grown)
    }

    /// The squares of the pawns of `color` which stay on their files and are never captured: a pawn that has
    /// always faced one of them does not get past it.
    fn lasting_rams(&self, color: Color) -> Bitboard {
        let captures = self.captures[color.other().index()];
        let pawns = self.men.iter().filter(|man| man.color == color && man.kind == Kind::Pawn);
        let stays = pawns.filter(|man| man.keeps_its_file() && !man.reach.meets(captures));
        stays.fold(Bitboard::EMPTY, |all, man| all | man.home.bb())
    }

    /// Squares that pieces of `color` which never leave will always attack, whatever stands between.
    fn lasting_attacks(&self, color: Color) -> Bitboard {
        let fixed = self.men.iter().filter(|man| man.color == color && self.fixed.has(man.home));
        fixed.fold(Bitboard::EMPTY, |all, man| {
            let near = match man.kind {
                Kind::Pawn => attacks::pawn(color, man.home),
                Kind::Knight => attacks::knight(man.home),
                Kind::Bishop => attacks::king(man.home) & attacks::bishop_rays(man.home),
                Kind::Rook => attacks::king(man.home) & attacks::rook_rays(man.home),
                Kind::Queen | Kind::King => attacks::king(man.home),
            };
            all | near
        })
    }

    /// Whether the bounds leave room for a mate by `side` after one move or more.
    pub fn can_mate(&self, side: Color) -> bool {
        let king = |color| self.men.iter().find(|man| man.color == color && man.kind == Kind::King);
        let (Some(victim), Some(own_king)) = (king(side.other()), king(side)) else { return true };
        // A line to the king goes on behind it.
        let walls = self.fixed & !victim.home.bb();
        let own: Vec<&Man> =
            self.men.iter().filter(|man| man.color == side && man.kind != Kind::King).collect();
        let attacks: Vec<Bitboard> =
            own.iter().map(|man| attacked(man.kind, side, man.reach, walls)).collect();
        let is_anything_mobile = own_king.moves() || own.iter().any(|man| man.moves());
        own.iter().enumerate().any(|(index, man)| {
            // A piece that never moves checks only when another opens its line.
            let slides = matches!(man.kind, Kind::Bishop | Kind::Rook | Kind::Queen);
            if !(man.moves() || slides && is_anything_mobile) {
                return false;
            }
            let others = (0..own.len()).filter(|&other| other != index);
            let covers = others.fold(Bitboard::EMPTY, |all, other| all | attacks[other]);
            (victim.reach & attacks[index]).into_iter().any(|at| {
                let flights = attacks::king(at) & !covers;
                man.reach.into_iter().any(|from| {
                    let checked = attacked(man.kind, side, from.bb(), walls);
                    checked.has(at)
                        && self.can_shut_in(side, at, flights & !checked, own_king.reach & !from.bb())
                })
            })
        })
    }

    /// Whether the king of `side`, standing on one of `kings`, and pieces of the other side can shut these
    /// flights of the other king on `at`.
    fn can_shut_in(&self, side: Color, at: Square, flights: Bitboard, kings: Bitboard) -> bool {
        let blockers: Vec<Bitboard> = self
            .men
            .iter()
            .filter(|man| man.color != side && man.kind != Kind::King && man.reach.meets(flights))
            .map(|man| man.reach)
            .collect();
        (kings & !(attacks::king(at) | at.bb())).into_iter().any(|king| {
            let open = flights & !attacks::king(king);
            let useful = blockers.iter().filter(|reach| reach.meets(open)).count() as u32;
            let blocked = blockers.iter().fold(Bitboard::EMPTY, |all, &reach| all | reach);
            useful >= open.count() && (open & !blocked).is_empty()
        })
    }
}

/// What a piece attacks from all the squares of a set together.
fn attacked(kind: Kind, color: Color, from: Bitboard, walls: Bitboard) -> Bitboard {
    let each = |of: fn(Square, Bitboard) -> Bitboard| {
        from.into_iter().fold(Bitboard::EMPTY, |all, square| all | of(square, walls))
    };
    match kind {
        Kind::Pawn => attacks::pawns(color, from),
        Kind::Knight => attacks::knights(from),
        Kind::Bishop => each(magic::bishop),
        Kind::Rook => each(magic::rook),
        Kind::Queen => each(magic::queen),
        Kind::King => each(|square, _| attacks::king(square)),
    }
}
