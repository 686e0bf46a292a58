//! The catalog of findings: everything that `sanqi check` can hold against an engine.
//!
//! docs/CHECK.md is this table as a page; a test holds the two together.

use crate::util::lang::Language;
use crate::util::words;
use serde::Serialize;

/// How bad a finding is.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Severity {
    /// Good to know; no match suffers.
    Note,
    /// Some managers, GUIs or conditions suffer.
    Warning,
    /// It loses games, or its results cannot be trusted: the engine is not fit for matches.
    Fault,
}

impl Severity {
    /// `fault`, `warning` or `note`.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Fault => "fault",
            Self::Warning => "warning",
            Self::Note => "note",
        }
    }

    /// [`name`](Self::name) in a language.
    pub fn text(self, language: Language) -> String {
        match self {
            Self::Fault => words::fault(language),
            Self::Warning => words::warning(language),
            Self::Note => words::note(language),
        }
    }
}

/// Something that can be wrong with an engine.
#[derive(PartialEq, Eq, Debug)]
pub struct Finding {
    /// What it is called: `late-move`.
    pub id: &'static str,
    /// How bad it is.
    pub severity: Severity,
    /// The group of checks that finds it; the first one where several do.
    pub group: &'static str,
    /// What the engine did, in one sentence.
    pub meaning: &'static str,
    /// Why games or trust are lost by it.
    pub reason: &'static str,
}

/// Declares each finding as a constant, and all of them as [`ALL`].
macro_rules! catalog {
    ($($name:ident $id:literal $severity:ident $group:literal: $meaning:literal, $reason:literal;)*) => {
        $(
            #[doc = $meaning]
            pub const $name: Finding = Finding {
                id: $id, severity: Severity::$severity, group: $group, meaning: $meaning, reason: $reason,
            };
        )*
        /// The whole catalog, in the order of a check.
        pub const ALL: &[&Finding] = &[$(&$name),*];
    };
}

catalog! {
    NO_HANDSHAKE "no-handshake" Fault "handshake":
        "The engine does not answer the protocol's greeting within the timeout.",
        "No manager can start it: every game is forfeited.";
    SLOW_HANDSHAKE "slow-handshake" Warning "handshake":
        "The greeting is answered after more than five seconds.",
        "Managers wait ten seconds or less, and start several engines at once on a busy machine.";
    NO_NAME "no-name" Warning "handshake":
        "The engine does not tell its name.",
        "Results and records cannot be told apart by version.";
    NO_AUTHOR "no-author" Note "handshake":
        "The engine does not tell its author.",
        "UCI asks for it; some tournaments do, too.";
    CRASH "crash" Fault "handshake":
        "The process ended, or closed its output, while it was in use.",
        "The game is lost, and with some managers the match.";

    NO_ANSWER "no-answer" Fault "handshake":
        "A command of GTP stays without an answer.",
        "Managers wait for it, and the game is lost.";
    OTHER_VERSION "other-version" Warning "handshake":
        "The engine does not say that it speaks version 2 of GTP.",
        "Managers that ask refuse it.";
    REQUIRED_COMMAND "required-command" Fault "handshake":
        "A command that every engine must have under GTP is missing.",
        "Games cannot be set up or played.";
    KNOWN_COMMAND "known-command" Warning "handshake":
        "The list of commands and the answers about single commands differ.",
        "Managers use one or the other to find out what can be used.";
    NO_FEATURES "no-features" Note "handshake":
        "The engine announces nothing: it speaks version 1 of XBoard's protocol.",
        "It cannot be given a position, and nobody knows when it is ready.";
    NO_DONE "no-done" Warning "handshake":
        "The features of XBoard's protocol do not end with done=1.",
        "Every start waits until a time is over, and features that come later are lost.";
    MISSING_FEATURE "missing-feature" Note "handshake":
        "A feature that matches use is not announced: ping, setboard or usermove.",
        "Openings and positions cannot be given, or answers are mistaken for moves.";

    MALFORMED_OPTION "malformed-option" Warning "options":
        "An option is declared without a name, with an unknown type, or without what its type needs.",
        "GUIs and managers leave the option out, or refuse the engine.";
    BAD_DEFAULT "bad-default" Warning "options":
        "The default of an option lies outside its own range, or is none of its choices.",
        "A manager that sets the default changes the engine; some refuse it.";
    DUPLICATE_OPTION "duplicate-option" Warning "options":
        "Two options have the same name, capital letters aside.",
        "Which of them a manager sets is chance.";
    WIDE_OPTION "wide-option" Note "options":
        "The range of an option does not fit in 32 bits.",
        "fastchess reads ranges as 32-bit numbers.";
    COMBO_BLANK "combo-blank" Note "options":
        "A choice of a combo option has a blank in it.",
        "Some managers split choices at blanks.";
    MISSING_OPTION "missing-option" Note "options":
        "The engine has no option for the size of its hash table, or for its threads.",
        "OpenBench and rating lists set both, to make matches fair.";
    OPTION_BREAKS "option-breaks" Fault "options":
        "After an option was set to a value that it declares, the engine is gone or answers no more.",
        "Matches are played with options set.";

    NO_READYOK "no-readyok" Fault "ready":
        "The question whether it is ready, asked when nothing is searched, stays without an answer.",
        "Managers ask before every move, and forfeit the game.";
    SLOW_READYOK "slow-readyok" Warning "ready":
        "The median answer to that question takes more than 50 ms.",
        "Managers ask up to three times a move; games at short controls drag, and some clocks count it.";
    READYOK_IN_SEARCH "readyok-in-search" Warning "ready":
        "The question whether it is ready is not answered within a second while a search runs.",
        "GUIs take the engine for hung and end it.";

    STRAY_OUTPUT "stray-output" Warning "answers":
        "A line of output belongs to no answer of GTP.",
        "Strict controllers take it for an answer, and everything after it for the answer to something else.";
    NO_BLANK_LINE "no-blank-line" Fault "answers":
        "An answer of GTP does not end with an empty line, or has one in its middle.",
        "Controllers wait for the end, or take the rest for the next answer.";
    ID_LOST "id-lost" Warning "answers":
        "The number of a GTP command is not given back.",
        "Controllers that number their commands, like Sabaki, wait for ever.";
    NOT_REFUSED "not-refused" Warning "answers":
        "A wrong command or move is not refused.",
        "Mistakes on either side go unnoticed, and the boards differ.";
    COMMENT "comment" Warning "answers":
        "Comments, tabs or blanks around a command of GTP are not understood.",
        "Files of commands and some controllers have them.";

    NO_BESTMOVE "no-bestmove" Fault "clocks":
        "A search that has a limit does not end with a move.",
        "The game is lost on time.";
    NO_CLOCK "no-clock" Warning "clocks":
        "The engine cannot be told the time: GTP's time_settings or time_left is missing.",
        "Games with a clock are lost on time, or played far too fast.";
    FLAG "flag" Fault "clocks":
        "The move came after all the time on the clock was used, three times in a row.",
        "The game is lost on time.";
    SHORT_FLAG "short-flag" Warning "clocks":
        "With less than a tenth of a second on the clock, the move came too late three times in a row.",
        "Endgames without an increment are lost on time.";
    MOVETIME_IGNORED "movetime-ignored" Fault "clocks":
        "A search of a fixed time took half a second longer than that, three times in a row.",
        "Games at a fixed time a move are lost on time.";
    MOVETIME_OVERRUN "movetime-overrun" Warning "clocks":
        "A search of a fixed time took 50 ms longer than that, three times in a row.",
        "Managers forgive 0 to 50 ms unless told otherwise.";
    SPENDTHRIFT "spendthrift" Warning "clocks":
        "More than half of the clock was spent on one of many moves, three times in a row.",
        "The moves that follow are made in time trouble.";
    NEGATIVE_CLOCK "negative-clock" Warning "clocks":
        "With a negative time on the clock no move comes within two seconds.",
        "Managers with a time margin send what is left, even when it is negative.";

    DEPTH_IGNORED "depth-ignored" Note "limits":
        "A limit of depth is not kept.",
        "Tests at a fixed depth compare unlike things.";
    NODES_IGNORED "nodes-ignored" Note "limits":
        "A limit of nodes is overrun by more than half of it and 20,000 nodes.",
        "Tests at fixed nodes compare unlike things.";
    SEARCHMOVES_IGNORED "searchmoves-ignored" Note "limits":
        "The move played is none of those that the search was restricted to.",
        "GUIs use the restriction to look at alternatives.";
    MATE_IGNORED "mate-ignored" Note "limits":
        "A search for a mate in one, on a board with one, does not end by itself.",
        "Solvers of problems use the limit.";
    NONDETERMINISTIC "nondeterministic" Note "limits":
        "The same search with one thread and a fixed depth gave two results.",
        "A fault that was seen once cannot be had again.";

    IDLE_BESTMOVE "idle-bestmove" Fault "stop":
        "The engine answers a stop with a move although nothing was searched.",
        "The manager takes it for the answer to the next question, and the game is lost by an illegal move.";
    STOP_IGNORED "stop-ignored" Fault "stop":
        "A search that was stopped does not end within the timeout.",
        "Managers end the engine; the game is lost.";
    MOVE_NOW "move-now" Warning "stop":
        "The question mark of XBoard's protocol, move now, is ignored.",
        "A person's wish is not heard; managers do without it.";
    STOP_LOST "stop-lost" Fault "stop":
        "A stop that follows the start of a search at once has no effect.",
        "The engine hangs when the opponent answers at once; the game is lost.";
    SLOW_STOP "slow-stop" Warning "stop":
        "A search that was stopped ends after more than 200 ms.",
        "The time is taken from the engine's own clock when the expected move was not played.";
    SECOND_BESTMOVE "second-bestmove" Fault "stop":
        "One search was answered with two moves.",
        "The second is taken for the answer to the next question, and the game is lost by an illegal move.";
    INFINITE_ENDS "infinite-ends" Warning "stop":
        "A search without a limit ended before it was stopped.",
        "GUIs that analyze show nothing any more, or take a later move for the wrong position.";

    PONDER_ENDS "ponder-ends" Fault "ponder":
        "A search in the opponent's time ended before the opponent had moved.",
        "A move when it is the other's turn loses the game.";
    PONDERHIT_IGNORED "ponderhit-ignored" Fault "ponder":
        "After the expected move was played, no move came within the time on the clock.",
        "The game is lost on time.";
    ILLEGAL_PONDER "illegal-ponder" Warning "ponder":
        "The reply that the engine expects is not legal after its own move.",
        "A manager that lets it think about this move sends an impossible position.";

    LONG_GAME "long-game" Fault "games":
        "Told a game of 400 plies, the engine is gone, does not answer or answers with an illegal move.",
        "Long games are lost.";
    NEW_GAME "new-game" Fault "games":
        "After the announcement of a new game the engine is gone or does not answer.",
        "Every match has more than one game.";

    BAD_SIZE "bad-size" Warning "games":
        "A board of 1000 lines is accepted.",
        "Managers find out by a refusal which sizes can be played.";

    ILLEGAL_MOVE "illegal-move" Fault "moves":
        "The move is not legal in the position.",
        "The game is lost.";
    ODD_MOVE "odd-move" Warning "moves":
        "A legal move is not written as the protocol says, in capital letters say.",
        "Some managers take it for illegal.";
    MISSES_MATE "misses-mate" Warning "moves":
        "A mate in one was not played.",
        "What is left to chance there is left to chance elsewhere.";
    ENDED_POSITION "ended-position" Note "moves":
        "Asked for a move when the game is over, the engine plays one, is gone, or does not answer.",
        "Managers do not ask. GUIs do when a person sets up such a position.";

    LEGAL_REFUSED "legal-refused" Fault "board":
        "A legal move, or a board to be set up, is refused.",
        "The game cannot go on.";
    ILLEGAL_ACCEPTED "illegal-accepted" Warning "board":
        "A stone is put on an occupied point, or on none of the board.",
        "The engine's board differs from that of the manager, and its next move may be illegal.";
    KO_ACCEPTED "ko-accepted" Note "board":
        "A ko is taken back at once.",
        "The engine relies on the manager for the rule, and may break it itself.";
    FORCE_IGNORED "force-ignored" Fault "board":
        "The engine moves although it is in XBoard's force mode.",
        "The manager takes the move for one of the game.";
    UNDO "undo" Warning "board":
        "After moves were taken back, the engine's board is another.",
        "GUIs take back; managers do where a move was refused.";
    BANMOVES_IGNORED "banmoves-ignored" Note "board":
        "The engine plays a move that UCCI's banmoves forbids.",
        "Managers forbid moves that the rules of repetition would punish.";

    MALFORMED_INFO "malformed-info" Warning "info":
        "A line about the search cannot be read: a number or a kind of score is missing.",
        "Managers adjudicate by these lines; some end engines that write others.";
    NO_SCORE "no-score" Warning "info":
        "A search of a third of a second told no score.",
        "Games cannot be adjudicated, and their records tell nothing.";
    ILLEGAL_PV "illegal-pv" Warning "info":
        "A line of expected moves holds a move that is not legal.",
        "Managers warn, strict ones end the match; it hints at corrupt tables.";
    LONG_PV "long-pv" Note "info":
        "A line of expected moves goes on after the game has ended.",
        "Managers warn of it.";
    PV_MISMATCH "pv-mismatch" Note "info":
        "The move played is not the first of the last line told.",
        "Records show one move, and the reasons for another.";
    FALLING_COUNT "falling-count" Note "info":
        "Within one search the nodes or the time told get fewer.",
        "Speeds and limits that are taken from them are wrong.";
    WRONG_TIME "wrong-time" Note "info":
        "The time that the engine tells is longer than the time that passed.",
        "It counts time wrongly, and so may lose on time.";
    WRONG_NPS "wrong-nps" Note "info":
        "The speed told is not the nodes told by the time told.",
        "Speeds cannot be compared.";

    WRONG_SIGN "wrong-sign" Fault "scores":
        "A side that is far ahead, or mates, is told to be behind, or the other way about.",
        "Games that are adjudicated by score are given to the loser.";
    FALSE_MATE "false-mate" Warning "scores":
        "A mate is told that is shorter than any.",
        "Scores of mates cannot be trusted; managers warn.";
    MATE_UNSEEN "mate-unseen" Note "scores":
        "A mate in two or three is not told within a second.",
        "The engine is weak, or tells mates as plain scores.";
    REPETITION_UNSEEN "repetition-unseen" Warning "scores":
        "A move that ends the game by repetition is told to be far from a draw.",
        "Won games are drawn, and lost ones not saved.";
    REPETITION_LOSES "repetition-loses" Warning "scores":
        "A check was repeated once more, though the rules of repetition then take the game, and other moves win.",
        "Won games are lost.";

    FINAL_SCORE "final-score" Warning "scores":
        "The final score is not written as GTP says: B+3.5, W+3.5 or 0.",
        "Managers that count by the engines' own words cannot.";

    CHESS960_CASTLING "chess960-castling" Fault "chess960":
        "Castling of Chess960 is not written as king takes rook.",
        "Managers take it for an illegal move of the king, or for another move.";
    CHESS960_POSITION "chess960-position" Fault "chess960":
        "After castling written as king takes rook, the engine answers with an illegal move or not at all.",
        "The game is lost.";

    UNKNOWN_COMMAND "unknown-command" Warning "input":
        "After an unknown command the engine is gone or answers no more.",
        "Managers send commands that came after the engine was written.";
    BAD_FEN "bad-fen" Warning "input":
        "After a position that cannot be, the engine is gone or answers no more.",
        "A slip in a book of openings ends the match.";
    BAD_HISTORY "bad-history" Warning "input":
        "After a position with an illegal move in its history, the engine is gone or answers no more.",
        "Where an opponent cheats or errs, the wrong engine loses.";
    EMPTY_LINE "empty-line" Warning "input":
        "After an empty line the engine is gone or answers no more.",
        "GUIs and scripts send them.";
    LONG_LINE "long-line" Warning "input":
        "After a line of 64 KiB the engine is gone or answers no more.",
        "Long games are long lines; memory may have been overwritten.";
    CRLF "crlf" Warning "input":
        "Lines that end as Windows ends them are not understood.",
        "GUIs of Windows, and pipes from there, write such lines.";
    NOT_UTF8 "not-utf8" Warning "input":
        "After bytes that are not UTF-8 the engine is gone or answers no more.",
        "Paths and names in old encodings reach engines.";

    QUIT_IGNORED "quit-ignored" Warning "quit":
        "Told to quit, the process still runs after five seconds, or the timeout.",
        "Managers kill it, late; until then it takes time from games that run.";
    SLOW_QUIT "slow-quit" Warning "quit":
        "Told to quit, the process takes more than a second to end.",
        "It still computes while the next game runs.";
    EOF_IGNORED "eof-ignored" Warning "quit":
        "With its input closed, the process still runs after two seconds.",
        "When a manager is killed, the engine goes on and takes time from all that runs later.";
    NO_BYE "no-bye" Note "quit":
        "The engine does not say bye after UCCI's quit.",
        "The specification asks for it; some GUIs wait for it.";
    BAD_EXIT "bad-exit" Note "quit":
        "Told to quit, the process ends by a signal or with an error.",
        "It hints at memory that was overwritten.";
}

/// The groups of checks, in the order of the catalog.
pub fn groups() -> Vec<&'static str> {
    let mut groups: Vec<&str> = ALL.iter().map(|finding| finding.group).collect();
    groups.dedup();
    groups
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    #[test]
    fn the_page_lists_every_finding() {
        let page = concat!(env!("CARGO_MANIFEST_DIR"), "/docs/CHECK.md");
        let page = std::fs::read_to_string(page).unwrap();
        let listed: Vec<&str> =
            page.lines().filter(|line| line.starts_with("| `") && line.matches('|').count() == 5).collect();
        let row =
            |f: &&Finding| format!("| `{}` | {} | {} | {} |", f.id, f.severity.name(), f.meaning, f.reason);
        assert_eq!(listed, ALL.iter().map(row).collect::<Vec<_>>());
        for group in groups() {
            assert!(page.contains(&format!("\n### {group}\n")), "{group}");
        }
    }

    #[test]
    fn every_finding_has_a_name_of_its_own() {
        let ids: HashSet<&str> = ALL.iter().map(|finding| finding.id).collect();
        assert_eq!(ids.len(), ALL.len());
        let mut sorted = groups();
        sorted.sort_unstable();
        sorted.dedup();
        assert_eq!(sorted.len(), groups().len(), "a group is one block of the catalog");
    }
}
