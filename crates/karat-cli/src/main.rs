//! The karat command: one file per command; the only crate that prints.

mod arguments;
mod commands;
mod drawing;
mod failure;
mod fuzzy;
mod printing;
mod progress;
mod scoring;
mod setting_values;
mod show;
mod threads;
mod units;
mod wrap;
mod written;

use std::process::ExitCode;

/// What the decoder of a damaged file panics about is reported as a problem of that file.
fn be_silent_where_panics_are_caught() {
    let hook = std::panic::take_hook();
    std::panic::set_hook(Box::new(move |panic| {
        if !karat::is_guarded() {
            hook(panic);
        }
    }));
}

fn main() -> ExitCode {
    be_silent_where_panics_are_caught();
    let cli = commands::Cli::of_arguments();
    match cli.run() {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => failure.exit(),
    }
}
