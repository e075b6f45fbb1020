//! The `karat` binary; everything is in the library, so that other programs can carry the command.

use std::process::ExitCode;

fn main() -> ExitCode {
    karat_cli::run(std::env::args_os())
}
