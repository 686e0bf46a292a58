//! Who meets whom in a round, and who moves first.

use crate::arbiter::standings::Standings;

/// Players dealt to groups, to and fro in the order of the list, so that the best are spread.
#[allow(clippy::arithmetic_side_effects, reason = "places in a list of players")]
pub(super) fn deal(players: usize, groups: usize) -> Vec<Vec<usize>> {
    let mut dealt = vec![Vec::new(); groups];
    for player in 0..players {
        let (row, place) = (player / groups, player % groups);
        let place = if row.is_multiple_of(2) { place } else { groups - 1 - place };
        if let Some(group) = dealt.get_mut(place) {
            group.push(player);
        }
    }
    dealt
}

#[allow(clippy::indexing_slicing, reason = "pairs of places in the list")]
pub(super) fn all_pairs(players: &[usize]) -> Vec<[usize; 2]> {
    circle_pairs(players.len()).into_iter().map(|pair| pair.map(|i| players[i])).collect()
}

/// Every pair once, ordered so that all keep playing (the circle method).
#[allow(clippy::arithmetic_side_effects, reason = "places in a list of players")]
pub(super) fn circle_pairs(players: usize) -> Vec<[usize; 2]> {
    let seats = players + players % 2;
    let mut pairs = Vec::new();
    for round in 0..seats.saturating_sub(1) {
        for i in 0..seats / 2 {
            let place = |k: usize| if k == 0 { 0 } else { (k + round - 1) % (seats - 1) + 1 };
            let (a, b) = (place(i), place(seats - 1 - i));
            if a.max(b) < players {
                pairs.push([a.min(b), a.max(b)]);
            }
        }
    }
    pairs
}

/// Whether the player at place `a` of a table moves first against the one at place `b`, which is behind it.
/// Over the table every player moves first as often as second, or once more or less where the number of
/// opponents is odd (Berger).
pub(super) fn berger(a: usize, b: usize, players: usize) -> bool {
    // The others stand in a circle; the last of an even number is beside it.
    let is_beside = players.is_multiple_of(2) && b.saturating_add(1) == players;
    if is_beside { a.is_multiple_of(2) } else { !b.abs_diff(a).is_multiple_of(2) }
}

/// Maximum number of steps in the search for a Swiss round without repeated pairings.
const MAX_STEPS: usize = 50_000;

/// Players in order of their standing, each with the next one it has not met that leaves the others opponents
/// whom they have not met either. Where there is no such round, or none is found in time, each with the next
/// one it has met least often.
pub(super) fn swiss_pairs(standings: &Standings) -> Vec<[usize; 2]> {
    let order = standings.order();
    let without = |out: Option<usize>| -> Vec<usize> {
        order.iter().copied().filter(|&player| Some(player) != out).collect()
    };
    let out = odd_players(&order, standings);
    let met = |a: usize, b: usize| standings.tally(a, b).games() > 0;
    let met: Vec<Vec<bool>> =
        (0..order.len()).map(|a| (0..order.len()).map(|b| met(a, b)).collect()).collect();
    let mut steps = MAX_STEPS;
    let found = out.iter().find_map(|&out| pairs_of_strangers(&without(out), &met, &mut steps));
    found.unwrap_or_else(|| pairs_by_turns(without(out.first().copied().flatten()), standings))
}

/// Who may sit the round out, the last in the table first: those who have sat out least often. `None`
/// where the number of players is even.
pub(super) fn odd_players(order: &[usize], standings: &Standings) -> Vec<Option<usize>> {
    if order.len().is_multiple_of(2) {
        return vec![None];
    }
    let times = |player: usize| standings.byes_of(player).count();
    let fewest = order.iter().map(|&player| times(player)).min();
    order.iter().rev().filter(|&&player| Some(times(player)) == fewest).copied().map(Some).collect()
}

/// Pairs of players who have not met: the first player with the next one that leaves such pairs for the
/// others too. `None`: there are none, or none was found in `steps`, which it counts down.
#[allow(clippy::indexing_slicing, reason = "the table has every player of the match")]
pub(super) fn pairs_of_strangers(
    waiting: &[usize],
    met: &[Vec<bool>],
    steps: &mut usize,
) -> Option<Vec<[usize; 2]>> {
    let Some((&first, others)) = waiting.split_first() else { return Some(Vec::new()) };
    for &other in others.iter().filter(|&&other| !met[first][other]) {
        *steps = steps.checked_sub(1)?;
        let rest: Vec<usize> = others.iter().copied().filter(|&player| player != other).collect();
        if let Some(mut pairs) = pairs_of_strangers(&rest, met, steps) {
            pairs.insert(0, [first, other]);
            return Some(pairs);
        }
    }
    None
}

/// Each player with the next one it has met least often.
pub(super) fn pairs_by_turns(mut waiting: Vec<usize>, standings: &Standings) -> Vec<[usize; 2]> {
    let mut pairs = Vec::new();
    while waiting.len() >= 2 {
        let first = waiting.remove(0);
        let met = |&other: &usize| standings.tally(first, other).games();
        let fewest = waiting.iter().enumerate().min_by_key(|&(_, other)| met(other));
        let other = waiting.remove(fewest.map_or(0, |(at, _)| at));
        pairs.push([first, other]);
    }
    pairs
}
