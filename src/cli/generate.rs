//! `sanqi generate`: manual pages, and completions for shells.

use super::Cli;
use crate::app::console::{Outcome, at, cannot_write, read};
use crate::app::language::LanguageArg;
use crate::message;
use crate::protocol::page;
use clap::{Args, CommandFactory};
use clap_complete::Shell;
use std::io::{self, Write};
use std::path::PathBuf;

/// A command of `sanqi generate`.
#[derive(clap::Subcommand)]
pub(super) enum Command {
    /// Print the manual page
    Man(ManArgs),
    /// Print a completion script for a shell
    Completions(CompletionsArgs),
    /// Print a page of docs with the options that this build declares
    #[command(hide = true)]
    Options(OptionsArgs),
}

pub fn run(command: &Command) -> Outcome {
    match command {
        Command::Man(args) => man(args),
        Command::Completions(args) => completions(args),
        Command::Options(args) => {
            print(page::print(&read(&args.page)?, args.language.language()).as_bytes());
            Ok(())
        }
    }
}

#[derive(Args)]
pub struct CompletionsArgs {
    /// The shell to complete for
    shell: Shell,
}

pub fn completions(args: &CompletionsArgs) -> Outcome {
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut Cli::command(), "sanqi", &mut script);
    print(&script);
    Ok(())
}

#[derive(Args)]
pub struct ManArgs {
    /// The command whose page is printed, instead of that of the program
    command: Option<String>,
    /// Write a page for each command into this folder, which must be there, instead
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
}

/// Prints the manual page, in roff; or writes those of all commands.
pub fn man(args: &ManArgs) -> Outcome {
    if let Some(folder) = &args.out {
        let written = clap_mangen::generate_to(Cli::command(), folder);
        return written.map_err(|error| at(folder, error));
    }
    let mut program = Cli::command();
    program.build();
    let asked = match &args.command {
        Some(name) => program.find_subcommand(name).cloned().ok_or_else(|| {
            message!(
                "there is no command \"{name}\"; sanqi --help lists all"
                    | "没有命令“{name}”；sanqi --help 列出全部",
                name
            )
        })?,
        None => program,
    };
    let mut page = Vec::new();
    clap_mangen::Man::new(asked).render(&mut page)?;
    print(&page);
    Ok(())
}

#[derive(Args)]
pub(super) struct OptionsArgs {
    /// The page
    page: PathBuf,
    #[command(flatten)]
    language: LanguageArg,
}

fn print(text: &[u8]) {
    let mut out = io::stdout().lock();
    out.write_all(text).and_then(|()| out.flush()).unwrap_or_else(|error| cannot_write(&error));
}
