//! Names of category tags.

use crate::category::OLDER;
use crate::check::{Check, CheckInfo, CheckReport, Severity, Subject};
use karat_model::{Change, DimensionCategory, Edit, Vocabulary};

/// The check.
pub(crate) struct TagName;

static INFO: CheckInfo = CheckInfo {
    name: "tag-name",
    about: "A tag with the prefix of one of the three vocabularies (`el:`, `fel:`, `mnt:`) must be one of its names, and a mention should have its tags from one vocabulary: `fel:CommonForm` beside `el:Olp-None` is understood here and nowhere else.",
    severity: Severity::Warning,
    fix: Some(
        "writes a name that differs in its capitals as it should be, and mixed tags as `el:`",
    ),
};

impl Check for TagName {
    fn info(&self) -> &'static CheckInfo {
        &INFO
    }

    fn run(&self, subject: &Subject<'_>, report: &mut CheckReport) {
        for document in subject.corpus.documents() {
            for (index, mention) in document.mentions().enumerate() {
                let mut problems = Vec::new();
                let mut known: Vec<(Vocabulary, DimensionCategory)> = Vec::new();
                for tag in mention.tags() {
                    match judged(tag) {
                        Judged::Known(vocabulary, category) => known.push((vocabulary, category)),
                        Judged::Unknown => problems.push(format!("no vocabulary has {tag}")),
                        Judged::Misspelled(category) => {
                            let right = category.tag(Vocabulary::El);
                            problems.push(format!("{tag} should be {right}"));
                        }
                        Judged::Other => {}
                    }
                }
                let is_mixed = !is_of_one_vocabulary(&known);
                if is_mixed {
                    let used = |vocabulary: &Vocabulary| known.iter().any(|(v, _)| v == vocabulary);
                    let used = Vocabulary::ALL.into_iter().filter(used);
                    let names: Vec<&str> = used.map(Vocabulary::prefix).collect();
                    problems.push(format!("tags of several vocabularies: {}", names.join(", ")));
                }
                if problems.is_empty() {
                    continue;
                }
                let right = |tag: &str| match judged(tag) {
                    Judged::Misspelled(category) => category.tag(Vocabulary::El),
                    Judged::Known(_, category) if is_mixed => category.tag(Vocabulary::El),
                    _ => tag.to_owned(),
                };
                let mended: Vec<String> = mention.tags().map(right).collect();
                let changes = !mention.tags().eq(mended.iter().map(String::as_str));
                let fix = changes.then(|| (index, Edit::Change(Change::tags(mended))));
                report.mention(&INFO, &mention, problems.join("; "), fix.into_iter().collect());
            }
        }
    }
}

/// Whether there is a vocabulary that all tags could be from. What it has no name for is written
/// as `el:` beside it.
fn is_of_one_vocabulary(known: &[(Vocabulary, DimensionCategory)]) -> bool {
    Vocabulary::ALL.into_iter().any(|whole| {
        known.iter().all(|&(vocabulary, category)| match category.name(whole) {
            Some(_) => vocabulary == whole,
            None => vocabulary == Vocabulary::El,
        })
    })
}

/// What a tag is.
enum Judged {
    Known(Vocabulary, DimensionCategory),
    /// This, but for its capitals.
    Misspelled(DimensionCategory),
    /// It has the prefix of a vocabulary that does not know it.
    Unknown,
    /// A tag of somebody else, or one that only the older vocabulary has.
    Other,
}

fn judged(tag: &str) -> Judged {
    let split = match Vocabulary::fel_name(tag) {
        Some(name) => Some((Vocabulary::Fel, name)),
        None => tag.split_once(':').and_then(|(prefix, name)| {
            let known = |vocabulary: &Vocabulary| vocabulary.prefix() == prefix;
            Some((Vocabulary::ALL.into_iter().find(known)?, name))
        }),
    };
    let Some((vocabulary, name)) = split else { return Judged::Other };
    if let Some(category) = vocabulary.category(name) {
        return Judged::Known(vocabulary, category);
    }
    if vocabulary == Vocabulary::Mnt && OLDER.contains(&name) {
        return Judged::Other;
    }
    let alike = |category: &DimensionCategory| {
        category.name(vocabulary).is_some_and(|known| known.eq_ignore_ascii_case(name))
    };
    let meant = DimensionCategory::ALL.into_iter().find(alike);
    meant.map_or(Judged::Unknown, Judged::Misspelled)
}
