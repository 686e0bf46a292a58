//! The binary: hands its arguments to the command line.

use std::io::Write;
use std::process::ExitCode;

fn main() -> ExitCode {
    // In both languages: choosing one runs code that may need what is missing.
    if let Some(name) = sanqi::util::system::missing_instructions() {
        let texts =
            ["this build of sanqi needs a processor with ", name, " | 此版本需要支持 ", name, " 的处理器\n"];
        let _ = std::io::stderr().write_all(texts.concat().as_bytes());
        return ExitCode::FAILURE;
    }
    sanqi::cli::main()
}
