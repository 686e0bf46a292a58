//! The option that shows the chances of a win, a draw and a loss.

use super::{OptionKind, OptionSpec};
use crate::util::lang::Bilingual;

pub const NAME: &str = "UCI_ShowWDL";
pub const SPEC: OptionSpec = OptionSpec {
    name: NAME,
    kind: OptionKind::Check(false),
    help: Bilingual(
        "Shows the chances of a win, a draw and a loss with each score.",
        "随分值显示胜、和、负的概率。",
    ),
};
