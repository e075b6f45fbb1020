//! Mentions that start or end inside a word.

use crate::check::{Check, CheckInfo, CheckReport, Severity, Subject};
use karat_model::{Span, TextIndex};

/// The check.
pub(crate) struct WordBoundary;

static INFO: CheckInfo = CheckInfo {
    name: "word-boundary",
    about: "A mention starts or ends inside a word. Scripts that are written without spaces are left alone.",
    severity: Severity::Warning,
    fix: None,
};

impl Check for WordBoundary {
    fn info(&self) -> &'static CheckInfo {
        &INFO
    }

    fn run(&self, subject: &Subject<'_>, report: &mut CheckReport) {
        for document in subject.corpus.documents() {
            let Some(text) = document.text_index() else { continue };
            for mention in document.mentions() {
                let span = mention.span();
                let side = match (inside_word(&text, span.start), inside_word(&text, span.end)) {
                    (true, true) => "starts and ends",
                    (true, false) => "starts",
                    (false, true) => "ends",
                    (false, false) => continue,
                };
                report.mention(
                    &INFO,
                    &mention,
                    format!("the mention {side} inside a word"),
                    vec![],
                );
            }
        }
    }
}

/// Whether the characters on both sides of a position belong to one word.
fn inside_word(text: &TextIndex<'_>, position: u32) -> bool {
    let Some(before) = position.checked_sub(1) else { return false };
    let around = text.slice(Span::new(before, position.saturating_add(1).min(text.len())));
    let mut characters = around.unwrap_or_default().chars();
    match (characters.next(), characters.next()) {
        (Some(left), Some(right)) => in_word(left) && in_word(right),
        _ => false,
    }
}

fn in_word(character: char) -> bool {
    character.is_alphanumeric() && !written_without_spaces(character)
}

/// Thai to Khmer, Japanese, Chinese and Korean, whose words or particles are not set apart.
fn written_without_spaces(character: char) -> bool {
    matches!(character,
        '\u{0e00}'..='\u{0fff}' | '\u{1000}'..='\u{109f}' | '\u{1780}'..='\u{17ff}'
        | '\u{1100}'..='\u{11ff}' | '\u{3040}'..='\u{30ff}' | '\u{3400}'..='\u{9fff}'
        | '\u{ac00}'..='\u{d7af}' | '\u{20000}'..='\u{3ffff}')
}
