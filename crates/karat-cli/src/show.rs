//! How problems and notes look. All of it goes to standard error.

use crate::wording;
use annotate_snippets::{AnnotationKind, Level as Title, Renderer, Snippet};
use karat::formats::{Findings, Kind, Place, Problem};
use karat::model::{Hint, Loss, Notice, Severity};
pub(crate) use karat::report::visible;
use std::io::Write;

pub(crate) const BOLD: &str = "\x1b[1m";
pub(crate) const PLAIN: &str = "\x1b[0m";

/// How serious something is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Level {
    /// It stopped the command.
    Error,
    /// It was skipped or mended.
    Warning,
}

/// Shows a problem with its place in the file.
pub(crate) fn problem(problem: &Problem, level: Level) {
    let help: Vec<String> = problem.hint.iter().map(wording::in_flags).collect();
    with_help(problem, level, &help);
}

/// Shows the problem that stopped a reading.
pub(crate) fn fatal(problem: &Problem) {
    let hints = problem.hint.clone().into_iter().chain(leniency(problem));
    let help: Vec<String> = hints.map(|hint| wording::in_flags(&hint)).collect();
    with_help(problem, Level::Error, &help);
}

fn with_help(problem: &Problem, level: Level, help: &[String]) {
    match &problem.place {
        Some(place) => placed(problem, place, level, help),
        None => unplaced(level, &problem.message, Some(&problem.source_name), help),
    }
}

/// A problem with the line it is in.
fn placed(problem: &Problem, place: &Place, level: Level, help: &[String]) {
    let title = match level {
        Level::Error => Title::ERROR,
        Level::Warning => Title::WARNING,
    };
    let snippet = Snippet::source(place.excerpt.as_str())
        .line_start(usize::try_from(place.line).unwrap_or(usize::MAX))
        .path(problem.source_name.as_str())
        .annotation(AnnotationKind::Primary.span(place.highlight.clone()));
    let group = title.primary_title(visible(&problem.message)).element(snippet);
    let group = help.iter().fold(group, |group, hint| group.element(Title::HELP.message(hint)));
    let rendered = Renderer::styled().render(&[group]);
    say(&with_column(&rendered, &format!("{}:{}:", problem.source_name, place.line), place.column));
}

/// The renderer counts columns in the excerpt, which may start in the middle of a long line.
fn with_column(rendered: &str, place: &str, column: u64) -> String {
    let Some((before, after)) = rendered.split_once(place) else { return rendered.to_owned() };
    let after = after.trim_start_matches(|c: char| c.is_ascii_digit());
    format!("{before}{place}{column}{after}")
}

/// A problem without a line to show, in the same manner.
fn unplaced(level: Level, message: &str, file: Option<&str>, help: &[String]) {
    let (word, style) = match level {
        Level::Error => ("error", "\x1b[1m\x1b[91m"),
        Level::Warning => ("warning", "\x1b[1m\x1b[93m"),
    };
    let message = visible(message);
    let mut text = format!("{style}{word}{PLAIN}{BOLD}: {message}{PLAIN}");
    if let Some(file) = file.filter(|file| !file.is_empty()) {
        text += &format!("\n {BLUE}-->{PLAIN} {}", visible(file));
    }
    say(&(text + &help_lines(help)));
}

const BLUE: &str = "\x1b[1m\x1b[94m";

fn help_lines(help: &[String]) -> String {
    let line = |hint: &String| format!("\n  {BLUE}={PLAIN} {BOLD}help{PLAIN}: {}", visible(hint));
    help.iter().map(line).collect()
}

/// Shows what a result does not show by itself.
pub(crate) fn notice(notice: &Notice) {
    let help: Vec<String> = notice.hint.iter().map(wording::in_flags).collect();
    match notice.severity {
        Severity::Note => note_with(&notice.message, &help),
        Severity::Warning => unplaced(Level::Warning, &notice.message, None, &help),
        Severity::Error => unplaced(Level::Error, &notice.message, None, &help),
    }
}

/// What a lenient reading does about a problem, if it can do something.
fn leniency(problem: &Problem) -> Option<Hint> {
    let template = match problem.kind {
        Kind::Unreadable | Kind::Format | Kind::Bomb | Kind::Encoding => return None,
        // A record has a place; what is wrong with a whole file cannot be skipped.
        Kind::Truncated | Kind::Malformed if problem.place.is_none() => return None,
        Kind::DuplicateDocument => "{lenient} keeps the first, counts the others and goes on",
        _ => "{lenient} skips such records, counts them and goes on",
    };
    Some(Hint::template(template))
}

/// Shows an error that has no place in a file.
pub(crate) fn error(message: &str, hint: Option<&Hint>) {
    let help: Vec<String> = hint.into_iter().map(wording::in_flags).collect();
    unplaced(Level::Error, message, None, &help);
}

/// A remark that must not be missed.
pub(crate) fn warning(message: &str) {
    unplaced(Level::Warning, message, None, &[]);
}

/// The same, with what helps.
pub(crate) fn warning_with(message: &str, hint: &str) {
    unplaced(Level::Warning, message, None, &[hint.to_owned()]);
}

/// A remark.
pub(crate) fn note(message: &str) {
    note_with(message, &[]);
}

fn note_with(message: &str, help: &[String]) {
    say(&format!("\x1b[1m\x1b[92mnote{PLAIN}: {}{}", visible(message), help_lines(help)));
}

/// How many problems of a kind are shown in full.
const SHOWN: usize = 5;

/// Which problems are shown in full.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Listed {
    /// None; they are only counted.
    None,
    /// The first few.
    Few,
    /// All that were kept.
    All,
}

/// Shows what a reading skipped and repaired: the first few in full, all counted.
pub(crate) fn findings(findings: &Findings, level: Level, which: Listed) {
    let skipped = match level {
        Level::Error => "could not read",
        Level::Warning => "skipped",
    };
    for (verb, level, listed, counts) in [
        (skipped, level, findings.skipped(), findings.skipped_counts()),
        ("repaired", Level::Warning, findings.repaired(), findings.repaired_counts()),
    ] {
        let total: usize = counts.values().sum();
        if total == 0 {
            continue;
        }
        let shown = match which {
            Listed::None => 0,
            Listed::Few => SHOWN.min(listed.len()),
            Listed::All => listed.len(),
        };
        for problem in &listed[..shown] {
            self::problem(problem, level);
        }
        let kinds: Vec<String> =
            counts.iter().map(|(kind, count)| format!("{count} {}", kind.name())).collect();
        let more = match total - shown {
            _ if shown == 0 => String::new(),
            0 => String::new(),
            _ if which == Listed::All => format!("; the first {shown} are listed"),
            _ => format!("; the first {shown} are listed, --verbose lists more"),
        };
        note(&format!("{verb} {} ({}){more}", counted(total, "record"), kinds.join(", ")));
    }
    passed_over(findings, which);
}

/// Nothing is wrong with these, so by default they are only counted.
fn passed_over(findings: &Findings, which: Listed) {
    let total = findings.passed_over_count();
    if total == 0 {
        return;
    }
    let all = which == Listed::All;
    for problem in findings.passed_over().iter().filter(|_| all) {
        note(&problem.to_string());
    }
    let more = if all { "" } else { "; --verbose lists them" };
    let records = counted(total, "record");
    note(&format!("passed over {records} that karat's model has no place for{more}"));
}

/// Shows what a format could not hold.
pub(crate) fn loss(format: &str, loss: &Loss) {
    if loss.is_empty() {
        return;
    }
    let items: String = loss.iter().map(|(what, count)| format!("\n{count:>8}  {what}")).collect();
    note(&format!("`{format}` cannot hold everything; left out:{items}"));
}

/// The first so many names in quotes, and how many more there are.
pub(crate) fn named(names: &[String], shown: usize) -> String {
    let quoted: Vec<String> = names.iter().take(shown).map(|name| format!("`{name}`")).collect();
    match names.len().saturating_sub(shown) {
        0 => quoted.join(", "),
        more => format!("{} and {more} more", quoted.join(", ")),
    }
}

/// A number of things.
pub(crate) fn counted(count: usize, noun: &str) -> String {
    let plural = if count == 1 { "" } else { "s" };
    format!("{count} {noun}{plural}")
}

/// Prints a line to standard error; if that is closed there is nobody to tell.
pub(crate) fn say(text: &str) {
    let _ = writeln!(anstream::stderr(), "{text}");
}
