//! The karat command: one file per command; the only crate that prints.

mod arguments;
mod commands;
mod failure;
mod progress;
mod scoring;
mod show;
mod wrap;

use clap::Parser;
use std::process::ExitCode;

fn main() -> ExitCode {
    let cli = commands::Cli::parse();
    match cli.run() {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => failure.exit(),
    }
}
