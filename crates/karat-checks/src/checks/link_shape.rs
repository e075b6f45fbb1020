//! Links that carry traces of a damaged conversion.

use crate::check::{Check, CheckInfo, CheckReport, Severity, Subject};
use karat_kb::{KnowledgeBase, without_unicode_escapes};
use karat_model::{Change, Corpus, Edit};
use std::collections::{BTreeSet, HashMap};

/// The check.
pub(crate) struct LinkShape;

static INFO: CheckInfo = CheckInfo {
    name: "link-shape",
    about: "A link is empty, has white space at its edges, contains the replacement character U+FFFD, or an escape such as `\\u00e9` that was never decoded. Such a link equals no right one.",
    severity: Severity::Warning,
    fix: Some(
        "trims white space and decodes escapes; with gold or a knowledge base at hand, puts back lost letters where only one link fits; the rest needs a person",
    ),
};

impl Check for LinkShape {
    fn info(&self) -> &'static CheckInfo {
        &INFO
    }

    fn run(&self, subject: &Subject<'_>, report: &mut CheckReport) {
        let mut lost = Lost::of(subject);
        for document in subject.corpus.documents() {
            for (index, mention) in document.mentions().enumerate() {
                let Some(entity) = mention.entity() else { continue };
                let Some((what, right)) = judged(entity, &mut lost) else { continue };
                let message = match entity.trim().is_empty() {
                    true => "the link is empty".to_owned(),
                    false => format!("the link `{entity}` {what}"),
                };
                let fix = right.map(|right| (index, Edit::Change(Change::entity(&right))));
                report.mention(&INFO, &mention, message, fix.into_iter().collect());
            }
        }
    }
}

/// What is wrong with a link, and what it should be if that is known.
fn judged(entity: &str, lost: &mut Lost<'_>) -> Option<(&'static str, Option<String>)> {
    let trimmed = entity.trim();
    if trimmed.is_empty() {
        return Some(("is empty", None));
    }
    if trimmed != entity {
        return Some(("has white space at its edges", Some(trimmed.to_owned())));
    }
    if entity.contains(LOST) {
        return Some(("contains a replacement character", lost.found(entity)));
    }
    let decoded = without_unicode_escapes(entity);
    if decoded != entity {
        return Some(("contains an undecoded escape", Some(decoded.into_owned())));
    }
    has_escape(entity).then_some(("contains an undecoded escape", None))
}

/// Whether there is an escape, of whatever character.
fn has_escape(entity: &str) -> bool {
    entity.match_indices("\\u").any(|(at, _)| {
        let digits = entity.as_bytes().get(at + 2..at + 6);
        digits.is_some_and(|digits| digits.iter().all(u8::is_ascii_hexdigit))
    })
}

/// What stands in place of a letter that could not be decoded.
const LOST: char = '\u{fffd}';

/// How often the knowledge base is asked, in all.
const MOST_ASKED: usize = 1_000_000;

/// What the letters were that links have lost.
struct Lost<'c> {
    /// The links of gold that have letters to lose, by what is left of them then.
    gold: HashMap<String, BTreeSet<&'c str>>,
    base: Option<&'c KnowledgeBase>,
    asked: usize,
    found: HashMap<String, Option<String>>,
}

impl<'c> Lost<'c> {
    fn of(subject: &Subject<'c>) -> Lost<'c> {
        let mut gold: HashMap<String, BTreeSet<&str>> = HashMap::new();
        let mentions = subject.gold.into_iter().flat_map(Corpus::documents);
        let links = mentions.flat_map(|document| document.mentions());
        for link in links.filter_map(|mention| mention.entity()).filter(|link| !link.is_ascii()) {
            gold.entry(without_letters(link)).or_default().insert(link);
        }
        Lost { gold, base: subject.base, asked: 0, found: HashMap::new() }
    }

    /// The one link that a damaged link may have been.
    fn found(&mut self, damaged: &str) -> Option<String> {
        if let Some(known) = self.found.get(damaged) {
            return known.clone();
        }
        let found = self.in_gold(damaged).or_else(|| self.in_base(damaged));
        self.found.insert(damaged.to_owned(), found.clone());
        found
    }

    fn in_gold(&self, damaged: &str) -> Option<String> {
        let links = self.gold.get(&without_letters(damaged))?.iter();
        let mut links = links.filter(|link| fits(damaged, link));
        let first = links.next()?;
        // Two links that fit are no answer: the check must not guess.
        links.next().is_none().then(|| (*first).to_owned())
    }

    /// Asks for every letter that a single byte may have been.
    fn in_base(&mut self, damaged: &str) -> Option<String> {
        let base = self.base?;
        let mut spelled = vec![String::new()];
        for character in damaged.chars() {
            if character != LOST {
                spelled.iter_mut().for_each(|link| link.push(character));
                continue;
            }
            let letters = || ('\u{a1}'..='\u{ff}').filter(|letter| letter.is_alphabetic());
            let with = |link: &String, letter: char| format!("{link}{letter}");
            spelled = spelled
                .iter()
                .flat_map(|link| letters().map(move |letter| with(link, letter)))
                .collect();
            self.asked += spelled.len();
            // Each lost letter multiplies the spellings by about sixty. Two limits keep hostile
            // links cheap: one on a single link and one on the whole corpus.
            if self.asked > MOST_ASKED || spelled.len() > MOST_ASKED / 100 {
                return None;
            }
        }
        spelled.retain(|link| base.entity(link).is_some());
        // A title may begin with a small letter: two spellings of one entity are one answer.
        let first = spelled.first()?;
        let is_same = |link: &String| base.resolve(link) == base.resolve(first);
        spelled.iter().all(is_same).then(|| first.clone())
    }
}

/// A link that has lost all letters that it may lose.
fn without_letters(link: &str) -> String {
    link.chars().map(|letter| if letter.is_ascii() { letter } else { LOST }).collect()
}

/// Whether a damaged link is this one but for the letters that it has lost.
fn fits(damaged: &str, link: &str) -> bool {
    damaged.chars().count() == link.chars().count()
        && damaged.chars().zip(link.chars()).all(|(a, b)| a == b || a == LOST)
}
