//! Gold with several right answers, brought down to one.

use karat_kb::Identity;
use karat_model::{CandidateView, Corpus, Edit, Link, Mention, Span};
use std::collections::{BTreeMap, BTreeSet};

/// When a candidate of gold and an answer of the system are the same.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Likeness {
    /// Same entity, or same NIL cluster.
    #[default]
    Id,
    /// And same types.
    IdAndTypes,
}

/// Gold in which every mention with several candidates keeps the one that suits the
/// system best: the first that is the answer of the system on the same span; or else
/// the first that it answers anywhere in the document; or else anywhere in the corpus; or
/// else the first.
///
/// It favours the system: a score on this gold is an upper bound, and the gold is another one
/// for every system.
pub fn select_alternatives(
    gold: &Corpus,
    system: &Corpus,
    identity: &Identity,
    likeness: Likeness,
) -> Corpus {
    let spelling = Spelling { identity, likeness };
    let answers = Answers::of(system, &spelling);
    // With one candidate there is nothing to choose, and `Edit::Answer` would drop the equivalents
    // of the mention for nothing.
    gold.edit(|mention| match mention.candidates().len() {
        0 | 1 => Edit::Keep,
        _ => Edit::Answer(answers.best(mention, &spelling)),
    })
}

/// What an answer is known by: the entity or NIL cluster, and the types.
type Key = (bool, String, Vec<String>);

struct Spelling<'i> {
    identity: &'i Identity,
    likeness: Likeness,
}

impl Spelling<'_> {
    fn of_mention(&self, mention: &Mention<'_>) -> Option<Key> {
        let types = mention.types();
        self.key(mention.link(), mention.entity(), mention.nil_cluster(), types)
    }

    fn of_candidate(&self, candidate: &CandidateView<'_>) -> Option<Key> {
        let types = candidate.types();
        self.key(candidate.link, candidate.entity, candidate.nil_cluster, types)
    }

    /// `None` for no answer.
    fn key<'t>(
        &self,
        link: Link,
        entity: Option<&str>,
        cluster: Option<&str>,
        types: impl Iterator<Item = &'t str>,
    ) -> Option<Key> {
        let id = match entity {
            Some(entity) => self.identity.canonical(entity).into_owned(),
            None => cluster.unwrap_or_default().to_owned(),
        };
        let types = match self.likeness {
            Likeness::Id => Vec::new(),
            Likeness::IdAndTypes => types.map(str::to_owned).collect(),
        };
        (!link.is_none()).then_some((entity.is_some(), id, types))
    }
}

/// The answers of a system by where it gave them.
#[derive(Default)]
struct Answers<'a> {
    on_span: BTreeMap<(&'a str, Span), BTreeSet<Key>>,
    in_document: BTreeMap<&'a str, BTreeSet<Key>>,
    anywhere: BTreeSet<Key>,
}

impl<'a> Answers<'a> {
    fn of(system: &'a Corpus, spelling: &Spelling<'_>) -> Answers<'a> {
        let mut answers = Answers::default();
        for document in system.documents() {
            for mention in document.mentions() {
                let Some(key) = spelling.of_mention(&mention) else { continue };
                let place = (document.name(), mention.span());
                answers.on_span.entry(place).or_default().insert(key.clone());
                answers.in_document.entry(document.name()).or_default().insert(key.clone());
                answers.anywhere.insert(key);
            }
        }
        answers
    }

    /// The index of the candidate that suits the system best.
    fn best(&self, gold: &Mention<'_>, spelling: &Spelling<'_>) -> usize {
        let candidates: Vec<Option<Key>> =
            gold.candidates().map(|candidate| spelling.of_candidate(&candidate)).collect();
        let first_of = |answers: &BTreeSet<Key>| {
            candidates.iter().position(|key| key.as_ref().is_some_and(|key| answers.contains(key)))
        };
        let document = gold.document().name();
        let on_span = self.on_span.get(&(document, gold.span())).and_then(first_of);
        let in_document = || self.in_document.get(document).and_then(first_of);
        // From the closest place to the furthest, as neleval's `select-alternatives` does it. The
        // fallback to the first candidate is the answer gold would give without a system.
        on_span.or_else(in_document).or_else(|| first_of(&self.anywhere)).unwrap_or(0)
    }
}
