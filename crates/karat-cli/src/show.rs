//! How problems and notes look. All of it goes to standard error.

use annotate_snippets::{AnnotationKind, Level as Title, Origin, Renderer, Snippet};
use karat::formats::{Findings, Kind, Problem};
use karat::model::Loss;
use std::io::Write;

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
    let title = match level {
        Level::Error => Title::ERROR,
        Level::Warning => Title::WARNING,
    };
    let title = title.primary_title(problem.message.as_str());
    let group = match &problem.place {
        Some(place) => title.element(
            Snippet::source(place.excerpt.as_str())
                .line_start(usize::try_from(place.line).unwrap_or(usize::MAX))
                .path(format!("{}:{}:{}", problem.source_name, place.line, place.column))
                .annotation(AnnotationKind::Primary.span(place.highlight.clone())),
        ),
        None => title.element(Origin::path(problem.source_name.as_str())),
    };
    let mut help: Vec<&str> = problem.hint.as_deref().into_iter().collect();
    if level == Level::Error && can_be_skipped(problem.kind) {
        help.push("--lenient skips such records, counts them and goes on");
    }
    let group = help.iter().fold(group, |group, hint| group.element(Title::HELP.message(*hint)));
    say(&Renderer::styled().render(&[group]));
}

fn can_be_skipped(kind: Kind) -> bool {
    !matches!(kind, Kind::Unreadable | Kind::Format | Kind::Bomb | Kind::Encoding)
}

/// Shows an error that has no place in a file.
pub(crate) fn error(message: &str, hint: Option<&str>) {
    let group = annotate_snippets::Group::with_title(Title::ERROR.primary_title(message));
    let group = match hint {
        Some(hint) => group.element(Title::HELP.message(hint)),
        None => group,
    };
    say(&Renderer::styled().render(&[group]));
}

/// A remark.
pub(crate) fn note(message: &str) {
    let group = annotate_snippets::Group::with_title(Title::NOTE.primary_title(message));
    say(&Renderer::styled().render(&[group]));
}

/// How many problems of a kind are shown in full.
const SHOWN: usize = 5;

/// Shows what a reading skipped and repaired: the first few in full, all counted.
pub(crate) fn findings(findings: &Findings, all: bool) {
    for (verb, listed, counts) in [
        ("skipped", findings.skipped(), findings.skipped_counts()),
        ("repaired", findings.repaired(), findings.repaired_counts()),
    ] {
        let total: usize = counts.values().sum();
        if total == 0 {
            continue;
        }
        let shown = if all { listed.len() } else { SHOWN.min(listed.len()) };
        for problem in &listed[..shown] {
            self::problem(problem, Level::Warning);
        }
        let kinds: Vec<String> =
            counts.iter().map(|(kind, count)| format!("{count} {}", kind.name())).collect();
        let more = if shown < total { ", not all shown; --verbose lists more" } else { "" };
        let records = if total == 1 { "record" } else { "records" };
        note(&format!("{verb} {total} {records} ({}){more}", kinds.join(", ")));
    }
}

/// Shows what a format could not hold.
pub(crate) fn loss(format: &str, loss: &Loss) {
    if loss.is_empty() {
        return;
    }
    let items: Vec<String> = loss.iter().map(|(what, count)| format!("{count} {what}")).collect();
    note(&format!("`{format}` cannot hold everything; left out: {}", items.join(", ")));
}

/// Prints a line to standard error; if that is closed there is nobody to tell.
pub(crate) fn say(text: &str) {
    let _ = writeln!(anstream::stderr(), "{text}");
}
