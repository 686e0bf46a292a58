//! One file: its header read and checked once, single values decompressed on demand.
//!
//! Everything read is checked against the length of the file, so that a damaged file costs an answer and
//! nothing else. Source: R. de Man's description of the format, <https://github.com/syzygy1/tb>; the
//! compression is recursive pairing with canonical Huffman codes (N. J. Larsson and A. Moffat, 1999).

use super::cursor::{Cursor, Damaged, u16_at, u32_big_endian};
use super::encoding::{self, BINOMIAL, KING_PAIRS, TRIPLES, order_of};
use super::material::{MAX_PIECES, Material};
use crate::chess::position::Position;
use crate::chess::types::{Color, Kind};
use crate::ensure;
use arrayvec::ArrayVec;
use memmap2::Mmap;

/// What a file stores of a position.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Metric {
    Wdl,
    /// Plies to the next capture or pawn move.
    Dtz,
}

impl Metric {
    pub const fn suffix(self) -> &'static str {
        match self {
            Self::Wdl => "rtbw",
            Self::Dtz => "rtbz",
        }
    }

    const fn magic(self) -> [u8; 4] {
        match self {
            Self::Wdl => [0x71, 0xE8, 0x23, 0x5D],
            Self::Dtz => [0xD7, 0x66, 0x0C, 0xA5],
        }
    }
}

/// Whether a file of this length and beginning can be a table of this kind: cheap, and checked before any
/// probe.
pub(super) fn looks_whole(metric: Metric, length: u64, beginning: [u8; 4]) -> bool {
    // A table is padded to 64 bytes, and 16 bytes of checksum follow.
    length % 64 == 16 && beginning == metric.magic()
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Stored {
    /// Of a WDL table: 0 (lost) to 4 (won). Of a DTZ table: plies less one.
    Value(u16),
    /// A DTZ table that knows only the other side to move.
    OtherSide,
}

pub(super) struct Table {
    bytes: Mmap,
    metric: Metric,
    material: Material,
    /// Sides to move it has a part for: one or two.
    sides: usize,
    /// By file of the leading pawn (four with pawns, else one), then by side to move.
    parts: Vec<Part>,
}

/// The positions of one side to move, and of one file of the leading pawn.
struct Part {
    /// Pieces in the order of their numbering: kind from 1, plus 8 for Black.
    pieces: ArrayVec<u8, MAX_PIECES>,
    /// Runs of pieces that are numbered together: how many, and the weight of their number.
    groups: ArrayVec<(usize, u64), MAX_PIECES>,
    size: u64,
    flags: u8,
    /// DTZ: where the four lists of values begin, if values are numbers of list entries.
    lists: [usize; 4],
    body: Body,
}

/// Bits of [`Part::flags`].
const BLACK_TO_MOVE: u8 = 1;
const MAPPED: u8 = 2;
const WIN_PLIES: u8 = 4;
const LOSS_PLIES: u8 = 8;
const WIDE: u8 = 16;
const CONSTANT: u8 = 128;

enum Body {
    Constant(u8),
    Compressed(Pairs),
}

/// A compressed sequence of values.
struct Pairs {
    /// Logarithm of the bytes of a block.
    block: u32,
    /// Logarithm of the positions that an entry of the index stands for.
    span: u32,
    blocks: usize,
    lengths_count: usize,
    shortest: u32,
    /// By code length from the shortest: the least code, at the top of 64 bits, and its symbol.
    codes: Vec<(u64, u16)>,
    /// By symbol: values it stands for, less one.
    expansion: Vec<u8>,
    /// Where things begin in the file: the tree of symbols, the index, block lengths, blocks.
    tree: usize,
    index: usize,
    lengths: usize,
    data: usize,
}

impl Table {
    /// Reads the header of the table for `material`.
    pub fn new(bytes: Mmap, metric: Metric, material: Material) -> Result<Self, Damaged> {
        let beginning = bytes.first_chunk::<4>().ok_or(Damaged)?;
        ensure!(looks_whole(metric, bytes.len() as u64, *beginning), Damaged);
        let mut cursor = Cursor { bytes: &bytes, at: 4 };
        let split = cursor.u8()? & 1 != 0;
        let sides = if metric == Metric::Wdl && !material.is_symmetric() { 2 } else { 1 };
        if metric == Metric::Wdl && split != (sides == 2) {
            return Err(Damaged);
        }
        let files = if material.has_pawns() { 4 } else { 1 };
        let mut parts = Vec::with_capacity(files * sides);
        for file in 0..files {
            read_pieces(&mut cursor, &material, sides, file, &mut parts)?;
        }
        cursor.align(2);
        for part in &mut parts {
            part.read_codes(&mut cursor)?;
        }
        if metric == Metric::Dtz {
            for part in &mut parts {
                part.read_lists(&mut cursor)?;
            }
            cursor.align(2);
        }
        for (pairs, size) in pairs_of(&mut parts) {
            pairs.index = cursor.skip(size.div_ceil(1 << pairs.span) as usize, 6)?;
        }
        for (pairs, _) in pairs_of(&mut parts) {
            pairs.lengths = cursor.skip(pairs.lengths_count, 2)?;
        }
        for (pairs, _) in pairs_of(&mut parts) {
            cursor.align(64);
            pairs.data = cursor.skip(pairs.blocks, 1 << pairs.block)?;
        }
        Ok(Self { bytes, metric, material, sides, parts })
    }

    /// The value stored for `pos`, whose material is this table's. `wdl` (-2 to 2) is who wins, for a DTZ
    /// table.
    pub fn probe(&self, pos: &Position, wdl: i32) -> Result<Stored, Damaged> {
        // Tables are made for White as the stronger side; equal sides, for White to move.
        let swapped = if self.material.is_symmetric() {
            pos.side() == Color::Second
        } else {
            Material::of(pos) != self.material
        };
        let black_to_move = (pos.side() == Color::Second) != swapped;
        let mut squares = ArrayVec::new();
        let mut file = 0;
        if self.material.has_pawns() {
            let first = self.parts.first().and_then(|part| part.pieces.first()).ok_or(Damaged)?;
            place(pos, *first, swapped, &mut squares);
            let in_order = squares.iter().enumerate().max_by_key(|&(_, &square)| order_of(square));
            let (leader, &square) = in_order.ok_or(Damaged)?;
            squares.swap(0, leader);
            file = (square & 7).min(7 - (square & 7));
        }
        let side = if self.sides == 2 { usize::from(black_to_move) } else { 0 };
        let part = self.parts.get(file * self.sides + side).ok_or(Damaged)?;
        if self.metric == Metric::Dtz
            && !self.material.is_symmetric()
            && (part.flags & BLACK_TO_MOVE != 0) != black_to_move
        {
            return Ok(Stored::OtherSide);
        }
        while let Some(&piece) = part.pieces.get(squares.len()) {
            let before = squares.len();
            place(pos, piece, swapped, &mut squares);
            ensure!(squares.len() != before, Damaged);
        }
        let value = part.value(&self.bytes, part.number(&mut squares, &self.material)?)?;
        match self.metric {
            Metric::Wdl if value > 4 => Err(Damaged),
            Metric::Wdl => Ok(Stored::Value(value)),
            Metric::Dtz => part.plies(&self.bytes, value, wdl).map(Stored::Value),
        }
    }
}

/// Adds the squares of one kind of piece, as White sees them or, swapped, as Black does.
fn place(pos: &Position, piece: u8, swapped: bool, squares: &mut ArrayVec<usize, MAX_PIECES>) {
    let color = if (piece & 8 != 0) == swapped { Color::First } else { Color::Second };
    let Some(&kind) = Kind::ALL.get(usize::from(piece & 7).wrapping_sub(1)) else { return };
    for square in pos.pieces(color, kind) {
        if !squares.is_full() {
            squares.push(square.index() ^ if swapped { 56 } else { 0 });
        }
    }
}

/// The compressed parts, with their numbers of positions.
fn pairs_of(parts: &mut [Part]) -> impl Iterator<Item = (&mut Pairs, u64)> {
    parts.iter_mut().filter_map(|part| match &mut part.body {
        Body::Compressed(pairs) => Some((pairs, part.size)),
        Body::Constant(_) => None,
    })
}

/// Reads the order of pieces of one file of the leading pawn, for one or both sides to move.
fn read_pieces(
    cursor: &mut Cursor,
    material: &Material,
    sides: usize,
    file: usize,
    parts: &mut Vec<Part>,
) -> Result<(), Damaged> {
    let both_have_pawns = material.pawns().iter().all(|&n| n > 0);
    let first = cursor.u8()?;
    let second = if both_have_pawns { Some(cursor.u8()?) } else { None };
    let pieces =
        (0..material.count()).map(|_| cursor.u8()).collect::<Result<ArrayVec<u8, MAX_PIECES>, _>>()?;
    for side in 0..sides {
        let nibble = |byte: u8| byte >> (4 * side) & 15;
        let pieces: ArrayVec<u8, MAX_PIECES> = pieces.iter().map(|&byte| nibble(byte)).collect();
        let leader = *pieces.first().ok_or(Damaged)?;
        ensure!(material.consists_of(&pieces) && !(material.has_pawns() && leader & 7 != 1), Damaged);
        // The pawns of the other side follow those that lead, and in all parts those of one side lead.
        let behind = pieces.iter().find(|&&piece| piece != leader);
        let leads =
            parts.first().is_none_or(|part| !material.has_pawns() || part.pieces.first() == Some(&leader));
        if !leads || both_have_pawns && behind != Some(&(leader ^ 8)) {
            return Err(Damaged);
        }
        let order = [Some(nibble(first)), second.map(nibble)];
        let (groups, size) = groups(&pieces, material, order, file)?;
        parts.push(Part { pieces, groups, size, flags: 0, lists: [0; 4], body: Body::Constant(0) });
    }
    Ok(())
}

/// Groups of pieces numbered together, each with the weight of its number, and the positions in all. `order`
/// gives when, counting the other groups, the leading group and the other side's pawns get their weight.
#[allow(
    clippy::indexing_slicing,
    reason = "there are the groups set apart, of at most seven pieces on 64 squares"
)]
fn groups(
    pieces: &[u8],
    material: &Material,
    order: [Option<u8>; 2],
    file: usize,
) -> Result<(ArrayVec<(usize, u64), MAX_PIECES>, u64), Damaged> {
    let leading = match (material.has_pawns(), material.has_unique_piece()) {
        (true, _) => 1,
        (false, true) => 3,
        (false, false) => 2,
    };
    let mut groups: ArrayVec<(usize, u64), MAX_PIECES> = ArrayVec::new();
    let mut before = None;
    for (i, &piece) in pieces.iter().enumerate() {
        match groups.last_mut() {
            Some(group) if i < leading || before == Some(piece) => group.0 += 1,
            _ => groups.push((1, 0)),
        }
        before = Some(piece);
    }
    let set_apart = 1 + usize::from(order[1].is_some());
    ensure!(groups.len() >= set_apart, Damaged);
    let mut free = 64 - groups[..set_apart].iter().map(|g| g.0).sum::<usize>();
    let (mut next, mut weight) = (set_apart, 1u64);
    for turn in 0..16 {
        let (group, ways) = if Some(turn) == order[0] {
            let ways = match leading {
                1 => encoding::leading_pawn_placements(groups[0].0, file).ok_or(Damaged)?,
                2 => KING_PAIRS,
                _ => TRIPLES,
            };
            (0, ways)
        } else if Some(turn) == order[1] {
            (1, BINOMIAL[groups[1].0][48 - groups[0].0])
        } else if next < groups.len() {
            let ways = BINOMIAL[groups[next].0][free];
            free -= groups[next].0;
            next += 1;
            (next - 1, ways)
        } else {
            continue;
        };
        groups[group].1 = weight;
        weight = weight.checked_mul(ways).ok_or(Damaged)?;
    }
    Ok((groups, weight))
}

impl Part {
    fn read_codes(&mut self, cursor: &mut Cursor) -> Result<(), Damaged> {
        self.flags = cursor.u8()?;
        if self.flags & CONSTANT != 0 {
            self.body = Body::Constant(cursor.u8()?);
            return Ok(());
        }
        let (block, span) = (u32::from(cursor.u8()?), u32::from(cursor.u8()?));
        let padding = usize::from(cursor.u8()?);
        let blocks = cursor.u32()? as usize;
        let (longest, shortest) = (u32::from(cursor.u8()?), u32::from(cursor.u8()?));
        if block > 20
            || !(1..=31).contains(&span)
            || !(1..=32).contains(&longest)
            || !(1..=longest).contains(&shortest)
        {
            return Err(Damaged);
        }
        let lowest = (shortest..=longest).map(|_| cursor.u16()).collect::<Result<Vec<_>, _>>()?;
        let symbols = usize::from(cursor.u16()?);
        let tree = cursor.skip(symbols, 3)?;
        cursor.align(2);
        let expansion = expansions(cursor.bytes, tree, symbols)?;
        self.body = Body::Compressed(Pairs {
            block,
            span,
            blocks,
            lengths_count: blocks + padding,
            shortest,
            codes: codes(&lowest, shortest),
            expansion,
            tree,
            index: 0,
            lengths: 0,
            data: 0,
        });
        Ok(())
    }

    fn read_lists(&mut self, cursor: &mut Cursor) -> Result<(), Damaged> {
        if self.flags & MAPPED == 0 {
            return Ok(());
        }
        let wide = self.flags & WIDE != 0;
        if wide {
            cursor.align(2);
        }
        for list in &mut self.lists {
            let (length, size) =
                if wide { (usize::from(cursor.u16()?), 2) } else { (usize::from(cursor.u8()?), 1) };
            *list = cursor.skip(length, size)?;
        }
        Ok(())
    }

    /// The number of the position whose pieces, in the order of this part, are on `squares`.
    #[allow(clippy::indexing_slicing, reason = "the groups part the squares of all pieces, at most seven")]
    fn number(&self, squares: &mut [usize], material: &Material) -> Result<u64, Damaged> {
        ensure!(squares.len() == material.count(), Damaged);
        if squares[0] & 7 > 3 {
            squares.iter_mut().for_each(|s| *s ^= 7);
        }
        let leading = self.groups[0].0;
        let mut number = if material.has_pawns() {
            squares[1..leading].sort_unstable_by_key(|&s| order_of(s));
            encoding::pawns(&squares[..leading])
        } else {
            if squares[0] >> 3 > 3 {
                squares.iter_mut().for_each(|s| *s ^= 56);
            }
            let off = squares[..leading].iter().map(|&s| encoding::above_diagonal(s)).find(|&off| off != 0);
            if off.is_some_and(|off| off > 0) {
                squares.iter_mut().for_each(|s| *s = encoding::transpose(*s));
            }
            match squares {
                [a, b, c, ..] if leading == 3 => encoding::triple([*a, *b, *c]),
                [a, b, ..] => encoding::kings(*a, *b),
                _ => return Err(Damaged),
            }
        } * self.groups[0].1;
        let mut start = leading;
        for (i, &(length, weight)) in self.groups.iter().enumerate().skip(1) {
            let (before, rest) = squares.split_at_mut(start);
            let group = &mut rest[..length];
            group.sort_unstable();
            // The other side's pawns have no first rank to stand on.
            let not_theirs = if i == 1 && material.pawns().iter().all(|&n| n > 0) { 8 } else { 0 };
            let ways = group.iter().enumerate().map(|(k, &square)| {
                let taken = before.iter().filter(|&&s| s < square).count();
                BINOMIAL[k + 1][square - taken - not_theirs]
            });
            number += ways.sum::<u64>() * weight;
            start += length;
        }
        if number < self.size { Ok(number) } else { Err(Damaged) }
    }

    fn value(&self, bytes: &[u8], number: u64) -> Result<u16, Damaged> {
        match &self.body {
            Body::Constant(value) => Ok(u16::from(*value)),
            Body::Compressed(pairs) => pairs.value(bytes, number),
        }
    }

    /// A stored DTZ value in plies, less one.
    fn plies(&self, bytes: &[u8], value: u16, wdl: i32) -> Result<u16, Damaged> {
        // The lists are in this order: won, lost, won but for the fifty-move rule, lost but for it.
        let [won, lost, late_win, late_loss] = self.lists;
        let (list, in_plies) = match wdl {
            2 => (won, self.flags & WIN_PLIES != 0),
            -2 => (lost, self.flags & LOSS_PLIES != 0),
            1 => (late_win, false),
            _ => (late_loss, false),
        };
        let value = if self.flags & MAPPED == 0 {
            value
        } else if self.flags & WIDE != 0 {
            u16_at(bytes, list + 2 * usize::from(value))?
        } else {
            u16::from(*bytes.get(list + usize::from(value)).ok_or(Damaged)?)
        };
        if in_plies { Ok(value) } else { value.checked_mul(2).ok_or(Damaged) }
    }
}

/// The canonical code: lengths from the shortest, each with its least code and that code's symbol.
#[allow(clippy::indexing_slicing, reason = "there is a code for each length")]
fn codes(lowest: &[u16], shortest: u32) -> Vec<(u64, u16)> {
    let mut codes = vec![(0u64, 0u16); lowest.len()];
    let mut base = 0u64;
    for i in (0..lowest.len()).rev() {
        if let Some(&longer) = lowest.get(i + 1) {
            base = base.wrapping_add(u64::from(lowest[i])).wrapping_sub(u64::from(longer)) / 2;
        }
        codes[i] = (base << (64 - shortest - i as u32), lowest[i]);
    }
    codes
}

/// How many values each symbol stands for, less one. A symbol is a value, or a pair of symbols.
#[allow(clippy::indexing_slicing, reason = "the stack holds symbols whose lengths were found")]
fn expansions(bytes: &[u8], tree: usize, symbols: usize) -> Result<Vec<u8>, Damaged> {
    // A pair may name symbols that come later, but never, through others, itself.
    const UNKNOWN: u16 = u16::MAX;
    const IN_WORK: u16 = u16::MAX - 1;
    let mut lengths = vec![UNKNOWN; symbols];
    let mut stack = Vec::new();
    for symbol in 0..symbols {
        stack.push(symbol);
        while let Some(&top) = stack.last() {
            let (left, right) = children(bytes, tree, top)?;
            let Some(right) = right else {
                lengths[top] = 0;
                stack.pop();
                continue;
            };
            let [a, b] = [left, right].map(|child| lengths.get(child).copied());
            let (a, b) = (a.ok_or(Damaged)?, b.ok_or(Damaged)?);
            match (a, b) {
                (IN_WORK, _) | (_, IN_WORK) => return Err(Damaged),
                (UNKNOWN, _) => {
                    lengths[top] = IN_WORK;
                    stack.push(left);
                }
                (_, UNKNOWN) => {
                    lengths[top] = IN_WORK;
                    stack.push(right);
                }
                _ if a + b + 1 > 255 => return Err(Damaged),
                _ => {
                    lengths[top] = a + b + 1;
                    stack.pop();
                }
            }
        }
    }
    Ok(lengths.into_iter().map(|n| n as u8).collect())
}

/// The two parts of a symbol; the value alone, when there is no second.
fn children(bytes: &[u8], tree: usize, symbol: usize) -> Result<(usize, Option<usize>), Damaged> {
    let entry = bytes.get(tree + 3 * symbol..).and_then(<[u8]>::first_chunk::<3>).ok_or(Damaged)?;
    let [a, b, c] = entry.map(usize::from);
    let (left, right) = (a | (b & 15) << 8, b >> 4 | c << 4);
    Ok((left, (right != 0xFFF).then_some(right)))
}

impl Pairs {
    fn value(&self, bytes: &[u8], number: u64) -> Result<u16, Damaged> {
        let entry = self.index + 6 * (number >> self.span) as usize;
        let mut cursor = Cursor { bytes, at: entry };
        let (mut block, mut offset) = (cursor.u32()? as usize, i64::from(cursor.u16()?));
        // An index entry points at the middle of its span.
        offset += (number & ((1 << self.span) - 1)) as i64 - (1 << (self.span - 1));
        let length = |block: usize| match block {
            b if b < self.lengths_count => u16_at(bytes, self.lengths + 2 * b).map(i64::from),
            _ => Err(Damaged),
        };
        while offset < 0 {
            block = block.checked_sub(1).ok_or(Damaged)?;
            offset += length(block)? + 1;
        }
        while offset > length(block)? {
            offset -= length(block)? + 1;
            block += 1;
        }
        ensure!(block < self.blocks, Damaged);
        self.decompress(bytes, self.data + (block << self.block), offset as usize)
    }

    /// Value number `left` of the block at `at`.
    fn decompress(&self, bytes: &[u8], mut at: usize, mut left: usize) -> Result<u16, Damaged> {
        let mut bits = u64::from(u32_big_endian(bytes, at)) << 32 | u64::from(u32_big_endian(bytes, at + 4));
        at += 8;
        let mut used = 0;
        let mut symbol = loop {
            let mut codes = self.codes.iter().enumerate();
            let (longer, &(min, lowest)) = codes.find(|&(_, &(min, _))| bits >= min).ok_or(Damaged)?;
            let length = self.shortest + longer as u32;
            let symbol = usize::from(lowest) + ((bits - min) >> (64 - length)) as usize;
            let values = usize::from(*self.expansion.get(symbol).ok_or(Damaged)?) + 1;
            if left < values {
                break symbol;
            }
            left -= values;
            bits <<= length;
            used += length;
            if used >= 32 {
                used -= 32;
                bits |= u64::from(u32_big_endian(bytes, at)) << used;
                at += 4;
            }
        };
        loop {
            let (first, second) = children(bytes, self.tree, symbol)?;
            let Some(second) = second else { return Ok(first as u16) };
            let values = usize::from(*self.expansion.get(first).ok_or(Damaged)?) + 1;
            if left < values {
                symbol = first;
            } else {
                left -= values;
                symbol = second;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn symbols_that_contain_themselves_are_refused() {
        // Symbol 0 is the value 3, symbol 1 the pair (0, 0), symbol 2 the pair (1, 0).
        let tree = [3, 0xF0, 0xFF, 0, 0, 0, 1, 0, 0];
        assert_eq!(expansions(&tree, 0, 3), Ok(vec![0, 1, 2]));
        // The pair (0, 1) is symbol 1 itself.
        assert_eq!(expansions(&[3, 0xF0, 0xFF, 0, 0x10, 0], 0, 2), Err(Damaged));
        // Symbol 5 does not exist.
        assert_eq!(expansions(&[3, 0xF0, 0xFF, 5, 0, 0], 0, 2), Err(Damaged));
    }

    #[test]
    fn pawns_of_the_other_side_follow_those_that_lead() {
        let material = Material::from_name("KPvKP").unwrap();
        let read = |pieces: [u8; 4]| {
            let bytes = [&[0, 1], &pieces[..]].concat();
            read_pieces(&mut Cursor { bytes: &bytes, at: 0 }, &material, 1, 0, &mut Vec::new())
        };
        assert_eq!(read([1, 9, 6, 14]), Ok(()));
        assert_eq!(read([1, 6, 9, 14]), Err(Damaged));
    }

    #[test]
    fn only_whole_tables_are_read() {
        assert!(looks_whole(Metric::Wdl, 80, [0x71, 0xE8, 0x23, 0x5D]));
        assert!(!looks_whole(Metric::Dtz, 80, [0x71, 0xE8, 0x23, 0x5D]));
        assert!(!looks_whole(Metric::Wdl, 79, [0x71, 0xE8, 0x23, 0x5D]));
    }
}
