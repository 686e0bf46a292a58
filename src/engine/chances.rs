//! The option that shows the chances of a win, a draw and a loss.

use super::{OptionKind, OptionSpec};

pub const NAME: &str = "UCI_ShowWDL";
pub const SPEC: OptionSpec = OptionSpec::new(
    NAME,
    OptionKind::Check(false),
    "Shows the chances of a win, a draw and a loss with each score.",
    "随分值显示胜、和、负的概率。",
);
