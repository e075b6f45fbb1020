//! Category tags that must go together.

use crate::category::{Dimension, dimension};
use crate::check::{Check, CheckInfo, Report, Severity, Subject};
use karat_model::Mention;

/// The check.
pub(crate) struct TagAgreement;

static INFO: CheckInfo = CheckInfo {
    name: "tag-agreement",
    about: "Tags that must agree: a pro-form is anaphoric and an anaphoric mention a pro-form; a descriptive reference is a common form; alternatives of one mention share part of speech and overlap.",
    severity: Severity::Warning,
    fix: None,
};

impl Check for TagAgreement {
    fn info(&self) -> &'static CheckInfo {
        &INFO
    }

    fn run(&self, subject: &Subject<'_>, report: &mut Report) {
        for document in subject.corpus.documents() {
            for mention in document.mentions() {
                let has = |tag: &str| mention.tags().any(|other| other == tag);
                let mut add = |message: &str| {
                    report.mention(&INFO, &mention, message.to_owned(), vec![]);
                };
                match (has("el:Mnt-ProForm"), has("el:Ref-Anaphoric")) {
                    (true, false) => add("a pro-form that is not anaphoric"),
                    (false, true) => add("an anaphoric mention that is not a pro-form"),
                    _ => {}
                }
                if has("el:Ref-Descriptive") && !has("el:Mnt-CommonForm") {
                    add("a descriptive reference that is not a common form");
                }
                let root =
                    mention.place().and_then(|place| document.mention(place.parent as usize));
                let Some(root) = root.filter(|root| root.span() == mention.span()) else {
                    continue;
                };
                for dimension in [Dimension::PartOfSpeech, Dimension::Overlap] {
                    if tags_of(&mention, dimension) != tags_of(&root, dimension) {
                        let name = dimension.name();
                        add(&format!("the {name} tag differs from that of the other alternative"));
                    }
                }
            }
        }
    }
}

fn tags_of<'a>(mention: &Mention<'a>, wanted: Dimension) -> Vec<&'a str> {
    let mut tags: Vec<_> = mention.tags().filter(|tag| dimension(tag) == Some(wanted)).collect();
    tags.sort_unstable();
    tags
}
