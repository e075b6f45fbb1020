//! How problems and notes look. All of it goes to standard error.

use crate::wording::in_flags;
use annotate_snippets::{AnnotationKind, Level as Title, Renderer, Snippet};
use karat::formats::{FilePlace, Kind, Problem};
use karat::model::{Hint, Notice, NoticePlace, Severity};
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

/// Shows what a reader of an answer has to know. A quiet command leaves out what is only good to know, and
/// lists nothing one by one.
pub(crate) fn notices(notices: &[Notice], quiet: bool) {
    let is_one_of_many = |notice: &Notice| notice.place.is_some() && notice.id != "bad-input";
    let is_left_out =
        |notice: &&Notice| quiet && (notice.severity == Severity::Note || is_one_of_many(notice));
    notices.iter().filter(|notice| !is_left_out(notice)).for_each(notice);
}

/// Notices that say in one line how much there is of something. They are shown like notes, but never left out:
/// nothing is skipped or lost without a word.
const COUNTS: [&str; 6] = [
    "skipped-records",
    "unreadable-records",
    "repaired-records",
    "left-out",
    "foreign-columns",
    "index-left-out",
];

/// Shows one notice, with the line it is about if there is one.
pub(crate) fn notice(notice: &Notice) {
    let help: Vec<String> = notice.hint.as_ref().map(in_flags).into_iter().collect();
    if notice.severity == Severity::Note || COUNTS.contains(&notice.id.as_ref()) {
        let hint: String = help.iter().map(|hint| format!("; {hint}")).collect();
        return note(&format!("{}{hint}", notice.message));
    }
    let level = match notice.severity {
        Severity::Error => Level::Error,
        Severity::Warning | Severity::Note => Level::Warning,
    };
    match notice.place.as_deref() {
        Some(place @ NoticePlace { line: Some(_), .. }) => seen_at(notice, place, level, &help),
        place => {
            let file = place.map(|place| place.file.as_str());
            unplaced(level, &notice.message, file, &help);
        }
    }
}

/// A notice with the line it was seen in.
fn seen_at(notice: &Notice, place: &NoticePlace, level: Level, help: &[String]) {
    let line = place.line.unwrap_or(1);
    let problem = Problem {
        place: Some(FilePlace {
            line,
            column: place.column.unwrap_or(1),
            excerpt: place.excerpt.clone(),
            highlight: place.highlight.0..place.highlight.1,
        }),
        ..Problem::new(Kind::Malformed, place.file.as_str(), notice.message.as_str())
    };
    if let Some(place) = &problem.place {
        placed(&problem, place, level, help);
    }
}

/// Shows the problem that stopped a reading.
pub(crate) fn fatal(problem: &Problem) {
    let hints = problem.hint.clone().into_iter().chain(leniency(problem));
    let help: Vec<String> = hints.map(|hint| in_flags(&hint)).collect();
    match &problem.place {
        Some(place) => placed(problem, place, Level::Error, &help),
        None => unplaced(Level::Error, &problem.message, Some(&problem.source_name), &help),
    }
}

/// A problem with the line it is in.
fn placed(problem: &Problem, place: &FilePlace, level: Level, help: &[String]) {
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

/// What a lenient reading does about a problem, if it can do something.
fn leniency(problem: &Problem) -> Option<Hint> {
    let template = match problem.kind {
        Kind::Unreadable | Kind::Format | Kind::Bomb | Kind::TooLarge | Kind::Encoding => {
            return None;
        }
        // Descriptions that people write are read whole, or not at all.
        _ if problem.source_name.ends_with(".toml") => return None,
        // A record has a place; what is wrong with a whole file cannot be skipped.
        Kind::Truncated | Kind::Malformed if problem.place.is_none() => return None,
        Kind::DuplicateDocument => "{lenient} keeps the first, counts the others and goes on",
        _ => "{lenient} skips such records, counts them and goes on",
    };
    Some(Hint::template(template))
}

/// Shows an error that has no place in a file.
pub(crate) fn error(message: &str, hint: Option<&Hint>) {
    let help: Vec<String> = hint.into_iter().map(in_flags).collect();
    unplaced(Level::Error, message, None, &help);
}

/// A remark.
pub(crate) fn note(message: &str) {
    note_with(message, &[]);
}

fn note_with(message: &str, help: &[String]) {
    say(&format!("\x1b[1m\x1b[92mnote{PLAIN}: {}{}", visible(message), help_lines(help)));
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
