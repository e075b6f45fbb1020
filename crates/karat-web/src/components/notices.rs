//! What a reader has to know beside the numbers.

use super::name::{shown, visible};
use karat::model::{Hint, Notice, Severity};
use maud::{Markup, html};

/// Notices, the gravest first. Many are folded, so that they do not hide the result.
pub fn notices(notices: &[Notice]) -> Markup {
    const OPEN: usize = 3;
    let mut sorted: Vec<&Notice> = notices.iter().collect();
    sorted.sort_by_key(|notice| std::cmp::Reverse(weight(notice.severity)));
    let (first, rest) = sorted.split_at(sorted.len().min(OPEN));
    html! {
        @if !first.is_empty() {
            section.notices aria-label="What to know about these numbers" {
                ul { @for one in first { (notice(one)) } }
                @if !rest.is_empty() {
                    details {
                        summary { (rest.len()) " more" }
                        ul { @for one in rest { (notice(one)) } }
                    }
                }
            }
        }
    }
}

fn weight(severity: Severity) -> u8 {
    match severity {
        Severity::Error => 2,
        Severity::Warning => 1,
        Severity::Note => 0,
    }
}

/// One notice, with its place and what can be done about it.
pub fn notice(notice: &Notice) -> Markup {
    html! {
        li class=(notice.severity.name()) {
            strong { (notice.severity.name()) ": " }
            (sentence(&notice.message))
            @if let Some(place) = &notice.place {
                @if let Some(line) = place.line {
                    p.place {
                        bdi { (visible(&place.file)) } ":" (line)
                        @if let Some(column) = place.column { ":" (column) }
                    }
                }
                @if !place.excerpt.is_empty() { pre.excerpt { (excerpt(&place.excerpt)) } }
            }
            @if let Some(hint) = &notice.hint { p.hint { (worded(hint)) } }
        }
    }
}

/// The lines of a file around a place.
fn excerpt(text: &str) -> String {
    text.lines().map(shown).collect::<Vec<_>>().join("\n")
}

/// A message as text; what stands in backticks is set as code.
pub fn sentence(message: &str) -> Markup {
    html! {
        @for (place, part) in message.split('`').enumerate() {
            @if place % 2 == 1 { code { bdi { (visible(part)) } } } @else { (shown(part)) }
        }
    }
}

/// A hint in the words of a page: settings stand with their names and values.
pub fn worded(hint: &Hint) -> Markup {
    let text = hint.worded(|setting| match &setting.value {
        Some(value) => format!("the setting `{}={value}`", setting.name),
        // A page names no files: what is known of entities is given when karat is started.
        None if setting.name == "kb" => "`--kb` on the command line".to_owned(),
        None => format!("the setting `{}`", setting.name),
    });
    sentence(&text)
}
