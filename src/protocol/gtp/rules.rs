//! Rules by name, as JSON, or one by one.

use super::args::Refusal;
use super::command::{GtpCommand, Reply, commands, done};
use super::line::Request;
use super::session::Session;

pub const COMMANDS: &[GtpCommand] = commands! {
    "kata-get-rules" "" => |s, _| Ok(s.game_state().rules_json().into()), "the rules as JSON";
    "kata-set-rules" "RULES" => set_rules,
        "takes other rules: chinese, tromp-taylor, aga, new-zealand, japanese, ... or JSON";
    "kata-set-rule" "RULE VALUE" => |s, r| {
        let (rule, value) = (r.arg(0)?, r.arg(1)?);
        s.game_state().set_rule(rule, value)?;
        done()
    }, "changes one rule of kata-get-rules";
    "kgs-rules" "RULES" => kgs_rules, "chinese, japanese, aga or new_zealand";
};

fn set_rules(s: &mut Session<'_>, request: &Request) -> Reply {
    request.arg(0)?;
    s.game_state().set_rules(&request.rest)?;
    done()
}

fn kgs_rules(s: &mut Session<'_>, request: &Request) -> Reply {
    let name = request.arg(0)?.to_ascii_lowercase();
    let rules = match name.as_str() {
        "chinese" => "chinese-kgs",
        "new_zealand" => "new-zealand",
        "japanese" | "aga" => &name,
        _ => return Err(Refusal::SYNTAX),
    };
    s.game_state().set_rules(rules)?;
    done()
}
