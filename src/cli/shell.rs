//! `sanqi completions`, `sanqi man`: the command line described to shells and to `man`.

use super::{Cli, Outcome};
use clap::{Args, CommandFactory};
use clap_complete::Shell;
use std::io::{self, Write};

#[derive(Args)]
pub struct CompletionsArgs {
    /// The shell to complete for
    shell: Shell,
}

/// Prints a completion script.
pub fn completions(args: &CompletionsArgs) -> Outcome {
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut Cli::command(), "sanqi", &mut script);
    Ok(io::stdout().write_all(&script).and_then(|()| io::stdout().flush())?)
}

/// Prints the manual page, in roff.
pub fn man() -> Outcome {
    let mut page = Vec::new();
    clap_mangen::Man::new(Cli::command()).render(&mut page)?;
    Ok(io::stdout().write_all(&page).and_then(|()| io::stdout().flush())?)
}
