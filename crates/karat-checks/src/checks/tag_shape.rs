//! Category tags: exactly one per dimension.

use crate::category::is_of_older_scheme;
use crate::check::{Check, CheckInfo, CheckReport, Severity, Subject};
use karat_model::{Change, Corpus, Dimension, DimensionCategory, Edit, Mention};

/// The check.
pub(crate) struct TagShape;

static INFO: CheckInfo = CheckInfo {
    name: "tag-shape",
    about: "An annotation with category tags must have exactly one for each of base form, part of speech, overlap and reference (Rosales-Méndez et al. 2019, section 4); in the older scheme of `mnt:AntecedentRf` the reference may be missing. Where most annotations have category tags, all should.",
    severity: Severity::Warning,
    fix: Some("leaves one of two tags that say the same; which of others is right needs a person"),
};

impl Check for TagShape {
    fn info(&self) -> &'static CheckInfo {
        &INFO
    }

    fn run(&self, subject: &Subject<'_>, report: &mut CheckReport) {
        let is_older = is_of_older_scheme(subject.corpus);
        let is_tagged = is_tagged(subject.corpus);
        for document in subject.corpus.documents() {
            for (index, mention) in document.mentions().enumerate() {
                let dimensions: Vec<Dimension> = mention.tags().filter_map(Dimension::of).collect();
                if dimensions.is_empty() {
                    // A mention with other tags was tagged by somebody, in a scheme of their own.
                    if is_tagged && mention.tags().next().is_none() {
                        let message = "no tags, unlike most others".to_owned();
                        report.mention(&INFO, &mention, message, vec![]);
                    }
                    continue;
                }
                let is_wrong = |dimension: Dimension, count: usize| match dimension {
                    Dimension::Reference if is_older => count > 1,
                    _ => count != 1,
                };
                let faults: Vec<String> = Dimension::ALL
                    .into_iter()
                    .filter_map(|dimension| {
                        let count = dimensions.iter().filter(|&&other| other == dimension).count();
                        is_wrong(dimension, count)
                            .then(|| format!("{count} {} tags", dimension.name()))
                    })
                    .collect();
                if !faults.is_empty() {
                    let message =
                        format!("expected one tag per dimension, found {}", faults.join(", "));
                    let fix = once(&mention).map(|edit| (index, edit));
                    report.mention(&INFO, &mention, message, fix.into_iter().collect());
                }
            }
        }
    }
}

/// Whether most annotations have category tags.
fn is_tagged(corpus: &Corpus) -> bool {
    let mentions = || corpus.documents().flat_map(|document| document.mentions());
    let has_tags = |mention: &Mention<'_>| {
        let mut tags = mention.tags();
        tags.any(|tag| Dimension::of(tag).is_some())
    };
    2 * mentions().filter(has_tags).count() > mentions().count()
}

/// The mention with each category once; `None` if it has no category twice.
fn once(mention: &Mention<'_>) -> Option<Edit> {
    let mut seen: Vec<DimensionCategory> = Vec::new();
    let mut is_first = |tag: &&str| match DimensionCategory::of(tag) {
        Some(category) if seen.contains(&category) => false,
        category => {
            seen.extend(category);
            true
        }
    };
    let tags: Vec<&str> = mention.tags().filter(|tag| is_first(tag)).collect();
    (tags.len() < mention.tags().count()).then(|| Edit::Change(Change::tags(tags)))
}
