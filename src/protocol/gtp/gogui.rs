//! GoGui's commands: its menus, setting up positions, questions about rules, graphics.
//!
//! Source: the GoGui manual, "GTP Extensions", "Analyze Commands" and "Live Graphics".

use super::analyze::{self, GLANCE_VISITS};
use super::args::{Refusal, boolean, color, letter, words};
use super::command::{GtpCommand, Reply, commands, done, list};
use super::line::Request;
use super::session::Session;
use super::setup;
use crate::engine::{Analysis, Side};
use crate::ensure;
use crate::util::system::remark;
use std::fmt::Write;

pub const COMMANDS: &[GtpCommand] = commands! {
    "gogui-analyze_commands" "" => |_, _| Ok(ANALYZE_COMMANDS.join("\n").into()),
        "type/label/command of everything GoGui can show";
    "gogui-interrupt" "" => |_, _| done(),
        "announces that the comment '# interrupt' stops the running command";
    "gogui-play_sequence" "[COLOR VERTEX...]" => play_sequence, "plays several moves, all or none";
    "gogui-setup" "[COLOR VERTEX...]" => set_up, "adds stones to the board; color E takes one off";
    "gogui-setup_player" "COLOR" => |s, r| {
        let side = r.color(0)?;
        s.game_state().set_side_to_move(side);
        done()
    }, "gives the turn to a color";
    "gg-undo" "[MOVES]" => undo, "takes back several moves, all or none";
    "gogui-rules_game_id" "" => |_, _| Ok("Go".into()), "Go";
    "gogui-rules_board" "" => board, "the board, X O and dots, row by row";
    "gogui-rules_board_size" "" => |s, _| Ok(s.game_state().size().0.to_string().into()), "size of the board";
    "gogui-rules_side_to_move" "" => |s, _| {
        let game = s.game_state();
        let side = super::args::color_name(game.side_to_move());
        Ok(if game.passes() >= 2 { "" } else { side }.into())
    }, "black or white; empty when the game is over";
    "gogui-rules_legal_moves" "" => legal_moves,
        "legal moves of the side to move, pass among them; none when the game is over";
    "gogui-rules_captured_count" "" => |s, _| {
        let game = s.game_state();
        Ok(words([game.captured_by(Side::First), game.captured_by(Side::Second)]).into())
    }, "stones taken by Black and by White";
    "sanqi-gfx" "" => |s, _| analyze::show_for(s, None, GLANCE_VISITS, graphics),
        "what the search thinks, as graphics: move shares, ownership, main variation";
    "sanqi-priors" "" => |s, _| analyze::show_for(s, None, 1, analyze::prior_rows),
        "prior of every point, row by row";
    "sanqi-pv" "" => |s, _| {
        analyze::show_for(s, None, GLANCE_VISITS, |analysis, side, _| variation(analysis, side))
    }, "the expected variation";
    "sanqi-param" "[NAME VALUE]" => param, "parameters in GoGui's form; with a value: sets one";
};

/// The entries of GoGui's menus.
const ANALYZE_COMMANDS: &[&str] = &[
    "gfx/Search/sanqi-gfx",
    "var/Main Variation/sanqi-pv",
    "dboard/Ownership/ownership",
    "dboard/Priors/sanqi-priors",
    "string/Estimated Score/estimate_score",
    "string/Final Score/final_score",
    "plist/Dead Stones/final_status_list dead",
    "plist/Stones in Seki/final_status_list seki",
    "plist/Black Territory/final_status_list black_territory",
    "plist/White Territory/final_status_list white_territory",
    "plist/Legal Moves/all_legal %c",
    "plist/Liberties/findlib %p",
    "string/Move History/move_history",
    "string/Rules/kata-get-rules",
    "string/Processor Time/cputime",
    "none/Clear Search Tree/clear_cache",
    "string/Save Search Tree/sanqi-save_tree %w",
    "string/Load Search Tree/sanqi-load_tree %r",
    "param/Parameters/sanqi-param",
];

fn play_sequence(s: &mut Session<'_>, request: &Request) -> Reply {
    let moves = setup::stones(s, request, 0)?;
    s.game_state().play_all(&moves)?;
    done()
}

fn set_up(s: &mut Session<'_>, request: &Request) -> Reply {
    ensure!(request.args.len().is_multiple_of(2), Refusal::SYNTAX);
    let stone = |pair: &[String]| {
        let [word, vertex] = pair else { return Err(Refusal::SYNTAX) };
        let empty = matches!(word.to_ascii_lowercase().as_str(), "e" | "empty");
        let side = color(word);
        if side.is_none() && !empty { Err(Refusal::MOVE) } else { Ok((side, vertex.clone())) }
    };
    let stones = request.args.chunks_exact(2).map(stone).collect::<Result<Vec<_>, _>>()?;
    s.game_state().add_stones(&stones)?;
    done()
}

fn undo(s: &mut Session<'_>, request: &Request) -> Reply {
    let moves = request.optional(0)?.unwrap_or(1);
    s.game_state().undo_many(moves)?;
    done()
}

fn board(s: &mut Session<'_>, _: &Request) -> Reply {
    let game = s.game_state();
    let letters: Vec<&str> = game
        .board()
        .into_iter()
        .map(|stone| match stone {
            Some(Side::First) => "X",
            Some(Side::Second) => "O",
            None => ".",
        })
        .collect();
    let rows: Vec<String> = letters.chunks(game.size().0).map(|row| row.join(" ")).collect();
    Ok(rows.join("\n").into())
}

fn legal_moves(s: &mut Session<'_>, _: &Request) -> Reply {
    let game = s.game_state();
    if game.passes() >= 2 {
        return done();
    }
    let mut moves = game.legal_points(game.side_to_move());
    moves.push("pass".to_owned());
    list(moves)
}

/// The expected variation, colors and vertices in turn.
fn variation(analysis: &Analysis, side: Side) -> String {
    let pv = analysis.moves.first().map_or(&[][..], |best| &best.pv);
    let sides = [side, side.other()].into_iter().cycle();
    words(sides.zip(pv).map(|(side, vertex)| format!("{} {vertex}", letter(side))))
}

/// A search as GoGui's graphics: the variation, visits per mille as labels, ownership as influence (Black's
/// is positive), and a line of text.
#[allow(
    clippy::indexing_slicing,
    clippy::arithmetic_side_effects,
    reason = "a board has at most 25 rows and columns, and visits by the thousand are far from the end of their type"
)]
pub fn graphics(analysis: &Analysis, side: Side, (columns, rows): (usize, usize)) -> String {
    let mut out = format!("VAR {}", variation(analysis, side));
    let total = analysis.visits.max(1);
    let labels = analysis.moves.iter().filter(|mv| mv.mv != "pass" && mv.visits * 100 >= total);
    let labels = words(labels.map(|mv| format!("{} {}", mv.mv, mv.visits * 1000 / total)));
    // Writing to a string cannot fail.
    if !labels.is_empty() {
        let _ = write!(out, "\nLABEL {labels}");
    }
    if analysis.ownership.len() == columns * rows {
        let sign = if side == Side::First { 1.0 } else { -1.0 };
        let points = analysis.ownership.iter().enumerate().map(|(i, &owner)| {
            let letter = char::from(b"ABCDEFGHJKLMNOPQRSTUVWXYZ"[i % columns]);
            format!("{letter}{} {:.2}", rows - i / columns, sign * owner)
        });
        let _ = write!(out, "\nINFLUENCE {}", words(points));
    }
    let winrate = 100.0 * analysis.winrate;
    let _ =
        write!(out, "\nTEXT {winrate:.1}% {:+.1} points, {} visits", analysis.score_lead, analysis.visits);
    out
}

/// Live graphics: the output of [`graphics`] on standard error, where GoGui reads it.
pub fn show_live(analysis: &Analysis, side: Side, size: (usize, usize)) {
    remark!("gogui-gfx:\n{}\n", graphics(analysis, side, size));
}

fn param(s: &mut Session<'_>, request: &Request) -> Reply {
    let Some(name) = request.args.first() else {
        let live = u8::from(s.state.live_graphics);
        let ponder = u8::from(s.state.ponder);
        let options = s.engine().settings();
        let flags = [("resign", options.resign), ("all_alive", options.all_alive)];
        let flags = flags.map(|(name, on)| format!("[bool] {name} {}", u8::from(on))).join("\n");
        return Ok(format!(
            "[bool] live_graphics {live}\n[bool] ponder {ponder}\n{flags}\n[string] max_visits {}\n[string] max_time {}",
            options.max_visits,
            options.max_time.as_secs_f64(),
        )
        .into());
    };
    let value = request.arg(1)?;
    let flag = || boolean(value).ok_or(Refusal::SYNTAX);
    match name.as_str() {
        "live_graphics" => s.state.live_graphics = flag()?,
        "ponder" => s.state.ponder = flag()?,
        "resign" => super::kata::set(s, "allowResignation", value)?,
        "all_alive" => super::kata::set(s, "cleanupBeforePass", value)?,
        "max_visits" => super::kata::set(s, "maxVisits", value)?,
        "max_time" => super::kata::set(s, "maxTime", value)?,
        _ => return Err(format!("unknown parameter '{name}'").into()),
    }
    done()
}
