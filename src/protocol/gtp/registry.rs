//! The list of all commands, with their names and handlers.
//!
//! Each family of commands is a table in its own file. `list_commands`, `known_command`, `help` and the
//! check for missing arguments all read these tables, so that they cannot disagree.
//!
//! A circle with `standard`: the list names every family, and `list_commands` and `help`, which read it, are
//! commands of that family.

use super::command::GtpCommand;
use super::{analyze, genmove, gogui, kata, kept, kgs, leela, query, rules, score, setup, standard, time};

const FAMILIES: &[&[GtpCommand]] = &[
    standard::COMMANDS,
    setup::COMMANDS,
    genmove::COMMANDS,
    time::COMMANDS,
    score::COMMANDS,
    analyze::COMMANDS,
    rules::COMMANDS,
    query::COMMANDS,
    kgs::COMMANDS,
    kata::COMMANDS,
    kept::COMMANDS,
    leela::COMMANDS,
    gogui::COMMANDS,
];

pub fn all() -> impl Iterator<Item = &'static GtpCommand> {
    FAMILIES.iter().copied().flatten()
}

pub fn find(name: &str) -> Option<&'static GtpCommand> {
    all().find(|command| command.name == name)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    #[test]
    fn no_command_is_listed_twice() {
        let mut seen = HashSet::new();
        for command in all() {
            assert!(seen.insert(command.name), "{}", command.name);
        }
    }

    #[test]
    fn arguments_in_brackets_are_optional() {
        assert_eq!(find("play").map(GtpCommand::required), Some(2));
        assert_eq!(find("genmove").map(GtpCommand::required), Some(1));
        assert_eq!(find("final_status_list").map(GtpCommand::required), Some(1));
        assert_eq!(find("name").map(GtpCommand::required), Some(0));
    }

    #[test]
    fn the_standard_set_is_whole() {
        let standard = "quit protocol_version name version known_command list_commands boardsize \
            clear_board komi play genmove reg_genmove undo fixed_handicap place_free_handicap set_free_handicap loadsgf \
            time_settings time_left final_score final_status_list showboard";
        for name in standard.split_whitespace() {
            assert!(find(name).is_some(), "{name}");
        }
    }
}
