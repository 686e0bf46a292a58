//! The option that shows the chances of a win, a draw and a loss.

use super::{OptionKind, OptionSpec};

pub const NAME: &str = "UCI_ShowWDL";
pub const SPEC: OptionSpec = OptionSpec {
    name: NAME,
    kind: OptionKind::Check(false),
    help: "Shows the chances of a win, a draw and a loss with each score.",
};
