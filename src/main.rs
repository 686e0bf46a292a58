//! The binary: hands its arguments to the command line.

fn main() -> std::process::ExitCode {
    sanqi::cli::main()
}
