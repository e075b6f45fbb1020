//! A front end in a few lines: reads a request as JSON from standard input and prints its answer in a form.
//!
//! ```text
//! echo '{"request": "evaluation", "inputs": {"gold": [{"path": "gold.tsv"}], "systems": [{"path": "mine.tsv"}]}}' |
//!     cargo run -p karat --example answer -- table
//! ```
//!
//! It prints to the letter what the command prints. Notices go to standard error, one JSON object on a line.

// An example shows what it does on the terminal.
#![allow(clippy::print_stdout, clippy::print_stderr)]

use karat::report::{RenderOptions, form};
use karat::work::Work;
use std::io::Read;
use std::process::ExitCode;

fn main() -> ExitCode {
    let name = std::env::args().nth(1).unwrap_or_else(|| "table".to_owned());
    let Some(form) = form(&name) else {
        eprintln!("there is no form `{name}`");
        return ExitCode::from(2);
    };
    let mut request = String::new();
    if let Err(error) = std::io::stdin().read_to_string(&mut request) {
        eprintln!("the request cannot be read: {error}");
        return ExitCode::from(2);
    }
    let answer = match karat::request::answer(&request, &Work::default()) {
        Ok(answer) => answer,
        Err(error) => {
            eprintln!("{}", serde_json::json!(error.notice()));
            return ExitCode::from(2);
        }
    };
    for notice in answer.notices() {
        eprintln!("{}", serde_json::json!(notice));
    }
    print!("{}", answer.report().render(form, &RenderOptions::default()).text);
    if answer.passes() { ExitCode::SUCCESS } else { ExitCode::from(1) }
}
