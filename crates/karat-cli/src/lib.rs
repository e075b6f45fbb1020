//! The karat command as a library: one file per command; the only crate that prints.
//!
//! [`run`] is the whole command. A `main` that calls it is the `karat` binary; a Python wheel or
//! another program can carry the same command by calling it with its own arguments. It never ends
//! the process: help, usage errors and failures all come back as an exit code.
//!
//! Exit codes: 0 fine; 1 a check found something or a gate failed; 2 bad usage or bad input.
//!
//! ```
//! use std::process::ExitCode;
//!
//! assert_eq!(karat_cli::run(["karat", "eval", "no-such-file.jsonl"]), ExitCode::from(2));
//! ```

mod arguments;
mod commands;
mod counting;
mod drawing;
mod failure;
mod forms;
mod interrupt;
mod printing;
mod progress;
mod scoring;
mod setting_values;
mod show;
mod threads;
mod wording;

use std::ffi::OsString;
use std::process::ExitCode;
use std::sync::Once;

/// Runs the command that the arguments name, the first of which is the name of the program, and
/// gives the exit code.
///
/// Data goes to standard output, everything else to standard error. The panic hook of the process
/// is wrapped once, on the first call: panics that karat catches itself are not printed.
pub fn run(arguments: impl IntoIterator<Item: Into<OsString>>) -> ExitCode {
    silence_caught_panics();
    let arguments = arguments.into_iter().map(Into::into).collect();
    match commands::Cli::of_arguments(arguments) {
        Ok(cli) => match cli.run() {
            Ok(()) => ExitCode::SUCCESS,
            Err(failure) => failure.exit(),
        },
        Err(error) => {
            // As clap does itself: nobody is left to tell if this cannot be printed.
            let _ = error.print();
            u8::try_from(error.exit_code()).map_or(ExitCode::FAILURE, ExitCode::from)
        }
    }
}

/// What a decoder panics about on a damaged file is reported as a problem of that file, so the
/// panic itself must not be printed as well.
fn silence_caught_panics() {
    static HOOK: Once = Once::new();
    HOOK.call_once(|| {
        let hook = std::panic::take_hook();
        std::panic::set_hook(Box::new(move |panic| {
            if !karat::is_guarded() {
                hook(panic);
            }
        }));
    });
}
