//! One self-contained page that shows a match: curves, tables, and every game on a board.
//!
//! The numbers are worked out here; the page's script only draws them, and plays moves over on the board.

use super::config::MatchConfig;
use super::cup::{Cup, Encounter};
use super::fixture::Fixture;
use super::standings::Standings;
use super::stats::{Decision, Tally};
use super::tournament::{MatchOutcome, Trial};
use crate::game::Side;
use crate::games::game::{Game, Start};
use crate::games::opening_names::{OpeningName, opening_of};
use crate::games::record::{GameKind, GameRecord, GoSetup, Numbering, Ply, Style};
use crate::games::referee::handicap_of;
use crate::page;
use crate::util::lang::Language;
use crate::util::{system, words};
use crate::xiangqi::RuleSet;
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::time::Duration;

const PAGE: &str = include_str!("page.js");
/// Points of a curve, at most.
const POINTS: usize = 400;

/// The page. `games` are in the order of their numbers.
/// `trials` of the engines know what the engines call themselves.
pub fn render(
    config: &MatchConfig,
    games: &[GameRecord],
    outcome: &MatchOutcome,
    trials: &[Trial],
    language: Language,
) -> String {
    let names: Vec<&str> = config.engines.iter().map(|e| e.name.as_str()).collect();
    let data = json!({
        "event": config.event,
        "game": config.game.name(),
        "gameName": config.game.game().text(language),
        "conditions": conditions(config, language),
        "result": result(&names, config, outcome, language),
        "champion": champion(config, outcome, language),
        "played": played(games, language),
        "engines": engines(config, trials),
        "between": between(games),
        "names": names,
        "verdict": match outcome.decision {
            Decision::Accept => words::accepted(language, "H1"),
            Decision::Reject => words::accepted(language, "H0"),
            Decision::Continue => String::new(),
        },
        "standings": standings(&names, &outcome.standings),
        "cup": outcome.cup.as_ref().map(|cup| cup_json(cup, &names, language)),
        "cross": crosstable(names.len(), &outcome.standings),
        "curve": curve(config, games),
        "bounds": config.sprt.map(|sprt| sprt.bounds()),
        "time": time_use(&names, games),
        "endings": endings(games, language),
        "openings": openings(games, language),
        "games": games.iter().map(|record| game(record, language)).collect::<Vec<_>>(),
    });
    let title = format!("{} – {}", config.event, config.game);
    page::fill(PAGE, language, &title, &page_words(config.game, language), &data)
}

fn page_words(game: GameKind, language: Language) -> Value {
    json!({
        "first": game.side_text(Side::First, language),
        "second": game.side_text(Side::Second, language),
        "result": words::result_heading(language),
        "standings": words::standings_heading(language),
        "cross": words::crosstable_heading(language),
        "advances": words::advances_column(language),
        "settled": words::settled_column(language),
        "elo": words::elo_heading(language),
        "llr": words::llr_heading(language),
        "time": words::time_heading(language),
        "endings": words::endings_heading(language),
        "openings": words::openings_heading(language),
        "games": words::games_heading(language),
        "engine": words::engine_column(language),
        "calls": words::own_name_column(language),
        "command": words::command_column(language),
        "options": words::options_column(language),
        "player": words::player_column(language),
        "rating": words::rating_column(language),
        "points": words::points_column(language),
        "limit": words::limit_column(language),
        "per": words::per_move_column(language),
        "longest": words::longest_column(language),
        "latency": words::latency_column(language),
        "flags": words::flags_column(language),
        "opening": words::opening_column(language),
        "initial": words::start_position(language),
        "between": words::between_moves(language),
        "count": words::count_of_games(language),
        "ending": words::ending_column(language),
        "plies": words::moves_column(language),
    })
}

/// What is played, in a few words.
pub(super) fn conditions(config: &MatchConfig, language: Language) -> String {
    let rules = &config.rules;
    match config.game {
        GameKind::GO => rules.go.text(language),
        GameKind::XIANGQI => {
            let named = rules.repetition.rules.parse::<RuleSet>().unwrap_or_default();
            words::xiangqi_conditions(language, named.text(language))
        }
        _ => String::new(),
    }
}

/// Who wins the knockout or the play-off, in a sentence.
pub fn champion(config: &MatchConfig, outcome: &MatchOutcome, language: Language) -> Option<String> {
    let wins =
        if config.format.ends_in_knockout() { words::wins_the_knockout } else { words::wins_the_play_off };
    let engine = config.engines.get(outcome.champion?)?;
    Some(wins(language, &engine.name))
}

/// The result in words, as the terminal has it.
fn result(names: &[&str], config: &MatchConfig, outcome: &MatchOutcome, language: Language) -> String {
    let mut text = outcome.standings.result_line(names, language);
    if let [_, _] = names {
        let tally = outcome.standings.tally(0, 1);
        let d = tally.distribution();
        let superiority = format_args!("{:.1}", 100.0 * d.superiority());
        let pairs = format_args!("{:?}", tally.pairs);
        text += &words::result_more(language, d.normalized_elo(), superiority, pairs);
        if let Some(sprt) = &config.sprt {
            let (lower, upper) = sprt.bounds();
            text += language.pick("; ", "；");
            text += &format!("LLR {:.2} ({lower:.2}, {upper:.2})", sprt.llr(&tally));
        }
    }
    if outcome.interrupted {
        text += language.pick("; ", "；");
        text += &words::interrupted(language);
    }
    text
}

/// When, for how long and on what kind of machine:
/// `2026-11-20, 1 h 12 min, linux x86_64, AMD Ryzen 9 5900X, 8 threads`.
fn played(games: &[GameRecord], language: Language) -> String {
    let start = games.iter().map(|game| game.started).min().unwrap_or(0);
    let end =
        games.iter().map(|game| game.started.saturating_add(game.duration_ms / 1000)).max().unwrap_or(0);
    let seconds = end.saturating_sub(start);
    let (hours, minutes) = (seconds / 3600, seconds / 60 % 60);
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    let mut machine = format!("{} {}", std::env::consts::OS, std::env::consts::ARCH);
    if let Some(model) = system::processor() {
        machine += language.pick(", ", "，");
        machine += &model;
    }
    let date = crate::games::formats::pgn::date(start).replace('.', "-");
    match (hours, minutes) {
        (0, 0) => words::played_briefly(language, date, seconds, machine, threads),
        _ => words::played_when(language, date, hours, minutes, machine, threads),
    }
}

/// Per player: name, what it calls itself, command, options.
fn engines(config: &MatchConfig, trials: &[Trial]) -> Value {
    let rows = config.engines.iter().enumerate().map(|(i, engine)| {
        let options: Vec<String> =
            engine.options.iter().map(|(name, value)| format!("{name}={value}")).collect();
        let version = trials.get(i).map_or("", Trial::own_name);
        json!([engine.name, version, engine.cmd, options.join(" ")])
    });
    rows.collect()
}

/// Time between two moves that no clock saw: the median of the games, in milliseconds.
fn between(games: &[GameRecord]) -> f64 {
    let mut times: Vec<u64> = games.iter().map(|game| game.overhead_us).collect();
    times.sort_unstable();
    times.get(times.len() / 2).map_or(0.0, |&us| us as f64 / 1e3)
}

#[allow(clippy::indexing_slicing, reason = "standings order and rate their players, whose names these are")]
pub(super) fn standings(names: &[&str], standings: &Standings) -> Value {
    let ratings = standings.ratings();
    let rows = standings.order().into_iter().map(|p| {
        let total = standings.total(p);
        json!({
            "name": names[p],
            "rating": (total.games() == 0 || standings.is_rated(p)).then_some(ratings[p].value),
            "error": ratings[p].error,
            "wins": total.wins,
            "draws": total.draws,
            "losses": total.losses,
            "points": standings.half_points(p) as f64 / 2.0,
            "score": total.score(),
        })
    });
    rows.collect()
}

/// The groups with what settled each place, the play-offs and the knockout, players by their names.
pub(super) fn cup_json(cup: &Cup, names: &[&str], language: Language) -> Value {
    let name = |player: usize| names.get(player).copied().unwrap_or("?");
    let letter = |number: usize| char::from(b'A'.saturating_add(number.min(25) as u8));
    let groups = cup.groups.iter().enumerate().map(|(number, group)| {
        let rows = group.iter().map(|row| {
            let settled = row.settled.map_or("", |why| why.text(language));
            json!([
                name(row.player),
                row.wins,
                row.draws,
                row.losses,
                row.half_points as f64 / 2.0,
                settled,
                row.advances
            ])
        });
        let heading = if cup.groups.len() > 1 {
            words::group_heading(language, letter(number))
        } else {
            words::table_heading(language)
        };
        json!({ "name": heading, "rows": rows.collect::<Value>() })
    });
    let encounters = |list: &[Encounter]| -> Value {
        let one = |encounter: &Encounter| {
            let deciding = encounter.games.iter().find(|game| game.deciding).map(|game| {
                words::deciding_game_of(language, game.number.saturating_add(1), name(game.seats[0]))
            });
            json!({
                "players": encounter.players.map(name),
                "points": encounter.half_points.map(|half| half as f64 / 2.0),
                "games": encounter.games.iter().map(|game| game.number).collect::<Vec<_>>(),
                "winner": encounter.winner.map(name),
                "note": match deciding {
                    Some(text) => text,
                    None if encounter.by_seed => {
                        words::better_seed(language, encounter.winner.map_or("", name))
                    }
                    None => String::new(),
                },
            })
        };
        list.iter().map(one).collect()
    };
    let count = cup.rounds.len();
    let rounds = cup.rounds.iter().enumerate().map(|(i, round)| {
        let is_final = i.saturating_add(1) == count && round.len() == 1;
        let heading = if is_final {
            words::final_heading(language)
        } else {
            words::knockout_heading(language, i.saturating_add(1))
        };
        json!({ "name": heading, "encounters": encounters(round) })
    });
    json!({
        "groups": groups.collect::<Value>(),
        "playOffs": { "name": words::play_off_heading(language), "encounters": encounters(&cup.play_offs) },
        "rounds": rounds.collect::<Value>(),
    })
}

/// `+W =D -L` of each row's player against each column's, in the order of the standings.
fn crosstable(players: usize, standings: &Standings) -> Value {
    let order = standings.order();
    let cell = |a: usize, b: usize| match standings.tally(a, b) {
        tally if a == b || tally.games() == 0 => Value::Null,
        tally => json!([tally.wins, tally.draws, tally.losses]),
    };
    debug_assert_eq!(order.len(), players);
    order.iter().map(|&a| order.iter().map(|&b| cell(a, b)).collect::<Value>()).collect()
}

/// After each number of games: Elo of the first engine against the second, its interval, the likelihood
/// ratio.
fn curve(config: &MatchConfig, games: &[GameRecord]) -> Value {
    if config.engines.len() != 2 {
        return Value::Null;
    }
    let mut standings = Standings::new(2);
    standings.in_pairs = config.plays_in_pairs();
    let step = games.len().div_ceil(POINTS).max(1);
    let mut points = Vec::new();
    for (count, game) in (1_usize..).zip(games) {
        if let Some(half_points) = game.ending.half_points(Side::First) {
            standings.add(&Fixture::of(game), half_points);
        }
        if !count.is_multiple_of(step) && count != games.len() {
            continue;
        }
        let tally = standings.tally(0, 1);
        let elo = tally.distribution().elo();
        let llr = config.sprt.map(|sprt| sprt.llr(&tally));
        points.push(json!([count, elo.value, elo.error, llr]));
    }
    points.into()
}

/// Per player: mean time of a move, the longest, median latency, in milliseconds; losses on time.
#[allow(clippy::arithmetic_side_effects, reason = "counts of games and moves that are in memory")]
fn time_use(names: &[&str], games: &[GameRecord]) -> Value {
    let row = |(player, name): (usize, &&str)| {
        let (mut total, mut moves, mut longest) = (Duration::ZERO, 0u32, 0);
        let (mut latencies, mut flags) = (Vec::new(), 0);
        for game in games {
            for side in [Side::First, Side::Second].into_iter().filter(|s| *s.of(&game.seats) == player) {
                total = total.saturating_add(*side.of(&game.time_used()));
                latencies.push(*side.of(&game.latency_us));
                let late = game.ending.reason == crate::games::record::Reason::Time;
                flags += u32::from(late && game.ending.winner == Some(side.other()));
                let own = game.plies.iter().zip(game.movers()).filter(|(p, mover)| *mover == side && !p.book);
                for (ply, _) in own {
                    moves += 1;
                    longest = longest.max(ply.time_us);
                }
            }
        }
        latencies.sort_unstable();
        let own = |game: &&GameRecord| game.seats.contains(&player);
        let limit = games.iter().find(own).map_or("", |game| {
            let side = if game.seats[0] == player { Side::First } else { Side::Second };
            side.of(&game.controls).as_str()
        });
        let latency = latencies.get(latencies.len() / 2).copied().unwrap_or(0);
        json!({
            "name": name,
            "limit": limit,
            "mean": (total / moves.max(1)).as_secs_f64() * 1e3,
            "longest": longest as f64 / 1e3,
            "latency": latency as f64 / 1e3,
            "flags": flags,
        })
    };
    names.iter().enumerate().map(row).collect()
}

/// How many games ended in which way: by the reason's name, or in Chinese by its word.
fn endings(games: &[GameRecord], language: Language) -> Value {
    let mut counts: BTreeMap<String, usize> = BTreeMap::new();
    for game in games {
        let name = language.pick(game.ending.reason.name(), game.ending.reason.text(language));
        let count: &mut usize = counts.entry(format!("{} {name}", game.ending.result())).or_default();
        *count = count.saturating_add(1);
    }
    json!(counts)
}

/// Per opening: wins of the first side, draws, wins of the second. It goes by its name; without one by its
/// number, and by what its file calls it.
fn openings(games: &[GameRecord], language: Language) -> Value {
    let mut by_name: BTreeMap<(String, usize), Tally> = BTreeMap::new();
    for game in games {
        if let Some(half_points) = game.ending.half_points(Side::First) {
            let named = opening_of(game).map(|OpeningName { code, name }| {
                (format!("{code} {}", name.text(language)).trim_start().to_owned(), 0)
            });
            let key = named.unwrap_or((game.opening.name.clone(), game.opening.number));
            by_name.entry(key).or_default().add_game(half_points);
        }
    }
    let row = |((name, number), t): ((String, usize), Tally)| {
        let name = match (name.is_empty(), number) {
            (true, _) => json!(number),
            (false, 0) => json!(name),
            (false, _) => json!(format!("{number}: {name}")),
        };
        json!([name, t.wins, t.draws, t.losses])
    };
    by_name.into_iter().map(row).collect()
}

/// How a game of Go is set up, for the page; nothing of other games.
pub(super) fn go_setup(go: GoSetup, kind: GameKind) -> Option<Value> {
    let handicap = handicap_of(&go).unwrap_or_default();
    (kind == GameKind::GO).then(|| json!({"size": page::board_size(go.board_size()), "handicap": handicap}))
}

pub(super) fn live_words(language: Language) -> Value {
    let mut words = page::viewer_words(language);
    let own = json!({
        "lang": language.name(),
        "standings": words::standings_heading(language),
        "games": words::games_heading(language),
        "player": words::player_column(language),
        "rating": words::rating_column(language),
        "points": words::points_column(language),
        "count": words::count_of_games(language),
        "over": words::match_is_over(language),
        "gone": words::match_is_gone(language),
    });
    if let (Some(all), Some(own)) = (words.as_object_mut(), own.as_object()) {
        all.extend(own.clone());
    }
    words
}

/// What the pages of persons and of the arbiter say.
pub(super) fn hall_words(language: Language) -> Value {
    [
        ("lang", language.name().to_owned()),
        ("seat", words::seat_of(language)),
        ("arbiter", words::arbiters_desk(language)),
        ("none", words::no_game_yet(language)),
        ("ready", words::ready_button(language)),
        ("waits", words::waits_for_players(language)),
        ("yours", words::your_move(language)),
        ("theirs", words::opponents_move(language)),
        ("paused", words::clocks_are_stopped(language)),
        ("sealing", words::seal_your_move(language)),
        ("sealingTheirs", words::opponent_seals(language)),
        ("adjourned", words::is_adjourned(language)),
        ("envelope", words::envelope_waits(language)),
        ("call", words::seconds_left(language, "#")),
        ("voice", words::voice_of_the_clock(language)),
        ("seal", words::seal_button(language)),
        ("adjourn", words::adjourn_button(language)),
        ("callOff", words::call_off_button(language)),
        ("resume", words::resume_button(language)),
        ("count", words::mark_the_dead(language)),
        ("countTheirs", words::opponent_counts(language)),
        ("agree", words::count_button(language)),
        ("play", words::play_button(language)),
        ("typed", words::typed_move(language)),
        ("offer", words::offer_with_move(language)),
        ("offered", words::draw_is_offered(language)),
        ("offers", words::you_offer_a_draw(language)),
        ("accept", words::accept_button(language)),
        ("decline", words::decline_button(language)),
        ("claim", words::claim_button(language)),
        ("pass", words::pass_button(language)),
        ("resign", words::resign_button(language)),
        ("sure", words::sure_to_resign(language)),
        ("absent", words::not_here(language)),
        ("pause", words::pause_button(language)),
        ("continue", words::continue_button(language)),
        ("warn", words::warn_button(language)),
        ("forfeit", words::forfeit_button(language)),
        ("sureForfeit", words::sure_to_forfeit(language)),
        ("why", words::why_warned(language)),
        ("ledger", words::ledger_heading(language)),
        ("over", words::match_is_over(language)),
        ("gone", words::match_is_gone(language)),
    ]
    .into_iter()
    .collect()
}

/// The moves as a page has them, and how it numbers the files of xiangqi: where no notation was asked for,
/// the reader has that of the language.
pub(super) fn texts(
    kind: GameKind,
    fen: Option<&str>,
    asked: Style,
    plies: &[Ply],
    language: Language,
) -> (&'static str, Vec<String>) {
    let own = |ply: &Ply| if ply.text.is_empty() { ply.mv.clone() } else { ply.text.clone() };
    let style = if asked.is_usual() && kind == GameKind::XIANGQI { Style::of_pages(language) } else { asked };
    let start = Start { fen: fen.map(str::to_owned), ..kind.into() };
    let mut at = Game::at(start).ok().filter(|_| style != asked);
    let texts = plies.iter().map(|ply| {
        let before = at.take();
        let text = before.as_ref().map(|game| game.write(&ply.mv, style));
        at = before.and_then(|mut game| game.play(&ply.mv).is_ok().then_some(game));
        text.unwrap_or_else(|| own(ply))
    });
    let texts = texts.collect();
    (if style.is_usual() { "" } else { style.name() }, texts)
}

pub(super) fn game(record: &GameRecord, language: Language) -> Value {
    let fen = record.opening.fen.as_deref();
    let (files, texts) = texts(record.kind, fen, record.notation, &record.plies, language);
    let plies = record.plies.iter().zip(texts).map(|(ply, text)| {
        let score = ply.thought.score.map(|s| s.to_string());
        let centipawns = ply.thought.score.map(|s| s.centipawns().clamp(-1500, 1500));
        json!([ply.mv, text, score, centipawns, ply.thought.depth, ply.time_us / 1000, u8::from(ply.book)])
    });
    json!({
        "n": record.ordinal(),
        "round": record.round,
        "names": record.names,
        "result": record.ending.result(),
        "detail": record.ending.text(language),
        "files": files,
        "fen": record.opening.fen,
        "opening": record.opening.number,
        "second": record.second_starts(),
        "before": Numbering::of(record.kind, fen).before,
        "go": record.go.clone().and_then(|go| go_setup(go, record.kind)),
        "plies": plies.collect::<Vec<_>>(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::record::{Ending, Opening, Reason};

    fn record(number: usize, winner: Option<Side>) -> GameRecord {
        GameRecord {
            number,
            round: 1,
            pair: number / 2,
            kind: GameKind::CHESS,
            seats: if number.is_multiple_of(2) { [0, 1] } else { [1, 0] },
            names: ["<A>".to_owned(), "B".to_owned()],
            controls: ["1+0.01".to_owned(), "1+0.01".to_owned()],
            opening: Opening::default(),
            plies: vec![Ply::plain("e2e4"), Ply::plain("e7e5")],
            ending: Ending { winner, reason: Reason::Checkmate, detail: "</script>".into() },
            started: 0,
            duration_ms: 1,
            latency_us: [10, 20],
            overhead_us: 30,
            notation: Style::default(),
            go: None,
        }
    }

    #[test]
    fn conditions_are_in_the_readers_language() {
        let mut config = MatchConfig { game: GameKind::GO, ..MatchConfig::default() };
        config.rules.go.rules = "Japanese".to_owned();
        config.rules.go.komi = 6.5;
        for (language, expected) in [
            (Language::English, "19×19, Japanese rules, komi 6.5"),
            (Language::Chinese, "19 路，日本规则，贴 6.5 目"),
        ] {
            assert_eq!(conditions(&config, language), expected);
        }
    }

    #[test]
    fn a_short_match_is_timed_in_seconds() {
        for (seconds, expected) in [(42, "1970-01-01, 42 s, "), (90, "1970-01-01, 0 h 1 min, ")] {
            let text =
                played(&[GameRecord { duration_ms: 1000 * seconds, ..record(0, None) }], Language::English);
            assert!(text.starts_with(expected), "{text}");
        }
    }

    #[test]
    fn the_page_is_whole_and_its_data_is_json() {
        let mut config = MatchConfig::default();
        for name in ["<A>", "B"] {
            config
                .engines
                .push(crate::client::player::EngineSpec { name: name.to_owned(), ..Default::default() });
        }
        let games: Vec<_> = (0..4).map(|n| record(n, (n != 1).then_some(Side::First))).collect();
        let standings = Standings::new(2);
        let outcome = MatchOutcome {
            standings,
            decision: Decision::Continue,
            games: 4,
            champion: None,
            cup: None,
            interrupted: false,
        };
        // A journal may have any number in it.
        let odd =
            GameRecord { number: usize::MAX, started: u64::MAX, duration_ms: u64::MAX, ..games[0].clone() };
        assert!(!render(&config, &[odd], &outcome, &[], Language::English).contains("{{"));
        let page = render(&config, &games, &outcome, &[], Language::Chinese);
        assert!(!page.contains("{{"));
        assert_eq!(page.matches("</script>").count(), 1);
        let start = page.find("const DATA = ").unwrap() + "const DATA = ".len();
        let end = start + page[start..].find(";\n").unwrap();
        let data: Value = serde_json::from_str(&page[start..end]).unwrap();
        assert_eq!(data["games"].as_array().unwrap().len(), 4);
        assert_eq!(data["games"][0]["plies"][0][0], "e2e4");
        assert_eq!(data["endings"]["1-0 将死"], 3);
        let (words, viewer) =
            (page_words(config.game, Language::Chinese), page::viewer_words(Language::Chinese));
        for name in PAGE.split("WORDS.").skip(1) {
            let name = name.split(|c: char| !c.is_ascii_alphabetic()).next().unwrap();
            assert!(words[name].is_string() || viewer[name].is_string(), "{name}");
        }
    }
}
