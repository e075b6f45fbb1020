//! The same answer twice.

use crate::check::{Check, CheckInfo, CheckReport, Severity, Subject};
use karat_model::{Document, Edit, Link, Mention};
use std::collections::{HashMap, HashSet};

/// The check.
pub(crate) struct Duplicate;

static INFO: CheckInfo = CheckInfo {
    name: "duplicate",
    about: "Two annotations of a document have the same span and the same link. Most conventions count the second as a false positive.",
    severity: Severity::Warning,
    fix: Some("removes all but the first"),
};

impl Check for Duplicate {
    fn info(&self) -> &'static CheckInfo {
        &INFO
    }

    fn run(&self, subject: &Subject<'_>, report: &mut CheckReport) {
        for document in subject.corpus.documents() {
            let mut seen = HashSet::new();
            let mut readings = Readings::of(&document);
            for (index, mention) in document.mentions().enumerate() {
                // Parts of different readings may say the same: each reading needs all of its
                // parts.
                let parent = mention.place().map(|place| (place.parent, place.reading));
                let again = !seen.insert((mention.span(), mention.link(), mention.flags(), parent));
                if again || readings.has_again(index, &mention) {
                    let message = "the same mention with the same link stands here twice";
                    let fixes = vec![(index, Edit::Remove)];
                    report.mention(&INFO, &mention, message.to_owned(), fixes);
                }
            }
        }
    }
}

/// An annotation that is another reading of one on its own span, in a document. Formats without a
/// number for alternatives give the second of two equal annotations as such.
struct Readings<'d> {
    document: Document<'d>,
    /// How many parts each reading has: only one that is alone says the same as its parent.
    parts: HashMap<(u32, u32), usize>,
    /// What was said under each parent: the link and the tags.
    said: HashSet<(u32, Link, Vec<&'d str>)>,
}

impl<'d> Readings<'d> {
    fn of(document: &Document<'d>) -> Readings<'d> {
        let mut parts = HashMap::new();
        for place in document.mentions().filter_map(|mention| mention.place()) {
            *parts.entry((place.parent, place.reading)).or_default() += 1;
        }
        Readings { document: *document, parts, said: HashSet::new() }
    }

    /// Whether this reading says what its parent, or a reading before it, says.
    fn has_again(&mut self, index: usize, mention: &Mention<'d>) -> bool {
        // One that is a part of itself does not stand there twice.
        let place = mention.place().filter(|place| place.parent as usize != index);
        let Some(place) = place else { return false };
        let alone = self.parts.get(&(place.parent, place.reading)) == Some(&1);
        let parent = self.document.mention(place.parent as usize);
        let Some(parent) = parent.filter(|parent| alone && parent.span() == mention.span()) else {
            return false;
        };
        let mut say =
            |by: &Mention<'d>| self.said.insert((place.parent, by.link(), by.tags().collect()));
        say(&parent);
        !say(mention)
    }
}
