//! Documents of a system against those of the gold standard.

use crate::check::{Check, CheckInfo, CheckReport, Severity, Subject};
use karat_model::{Document, first_difference};

/// The check.
pub(crate) struct Coverage;

static INFO: CheckInfo = CheckInfo {
    name: "coverage",
    about: "With a gold standard: a document the gold does not know, a gold document without output, or a text that differs from the gold's. White space at the end of a text and masked characters (`*`) move no offset, so that they are only a note.",
    severity: Severity::Error,
    fix: None,
};

static HARMLESS: CheckInfo = CheckInfo { severity: Severity::Note, ..INFO };

static MISSING: CheckInfo = CheckInfo { severity: Severity::Warning, ..INFO };

impl Check for Coverage {
    fn info(&self) -> &'static CheckInfo {
        &INFO
    }

    fn run(&self, subject: &Subject<'_>, report: &mut CheckReport) {
        let Some(gold) = subject.gold else { return };
        for document in subject.corpus.documents() {
            let Some(gold) = gold.document(document.name()) else {
                report.document(
                    &INFO,
                    &document,
                    "the gold does not know this document".to_owned(),
                );
                continue;
            };
            if let (Some(text), Some(gold_text)) = (document.text(), gold.text())
                && text != gold_text
            {
                match first_difference(text, gold_text) {
                    None => {
                        let is_masked = text.trim_end() != gold_text.trim_end();
                        let message = match is_masked {
                            true => "the text differs from the gold's only where one is masked",
                            false => "the text differs from the gold's in white space at its end",
                        };
                        report.document(&HARMLESS, &document, message.to_owned());
                    }
                    Some(at) => {
                        report.document(&INFO, &document, difference(text, gold_text, at));
                    }
                }
            }
            // Checked even where texts are equal: a run without text has only offsets.
            let beyond = gold.text_index().map_or(u32::MAX, |index| index.len());
            for mention in document.mentions().filter(|m| m.span().end > beyond) {
                let message =
                    format!("the mention lies outside the gold's text of {beyond} code points");
                report.mention(&INFO, &mention, message, vec![]);
            }
        }
        let is_missing =
            |document: &Document<'_>| subject.corpus.document(document.name()).is_none();
        for document in gold.documents().filter(is_missing) {
            report.document(&MISSING, &document, "no output for this document".to_owned());
        }
    }
}

fn difference(text: &str, gold: &str, at: usize) -> String {
    let show = |text: &str| text.chars().skip(at).take(20).collect::<String>();
    format!(
        "the text differs from the gold's at code point {at}: “{}” against “{}”",
        show(text).escape_debug(),
        show(gold).escape_debug()
    )
}
