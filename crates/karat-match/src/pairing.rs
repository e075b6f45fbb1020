//! The documents of two corpora, lined up.

use crate::order::{Everywhere, UsesOfLinks};
use crate::scene::Scene;
use crate::settings::Settings;
use crate::vocabulary::Vocabulary;
use karat_kb::{Identity, KnowledgeBase};
use karat_model::{Corpus, Document, Link, Role, Watch};
use std::collections::BTreeMap;
use std::sync::{Arc, OnceLock};

/// A gold corpus and the output of one system, document by document.
#[derive(Debug)]
pub struct Pairing<'a> {
    gold: &'a Corpus,
    system: &'a Corpus,
    vocabulary: Vocabulary,
    base: Option<Arc<KnowledgeBase>>,
    places: Vec<DocumentPlace>,
    first: Role,
    /// What links are used for, counted when it is first asked for: few documents say two things of one
    /// span that nothing else in them tells apart.
    uses: OnceLock<UsesOfLinks>,
    watch: Watch,
}

/// Where a document is on the two sides; it is missing on at most one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct DocumentPlace {
    /// Position in the gold corpus.
    pub gold: Option<u32>,
    /// Position in the output of the system.
    pub system: Option<u32>,
}

impl<'a> Pairing<'a> {
    /// Lines up documents by name and ids by identity: the documents of gold in
    /// their order, then those that only the system has.
    pub fn new(gold: &'a Corpus, system: &'a Corpus, identity: &Identity) -> Pairing<'a> {
        let (vocabulary, places) =
            rayon::join(|| Vocabulary::new(gold, system, identity), || line_up(gold, system));
        let base = identity.base().cloned();
        let uses = OnceLock::new();
        Pairing {
            gold,
            system,
            vocabulary,
            base,
            places,
            first: Role::Gold,
            uses,
            watch: Watch::default(),
        }
    }

    /// The same for the outputs of two systems, of which neither is gold: the first stands where gold
    /// would.
    pub fn of_outputs(first: &'a Corpus, second: &'a Corpus, identity: &Identity) -> Pairing<'a> {
        Pairing { first: Role::System, ..Pairing::new(first, second, identity) }
    }

    /// The same with somebody who may stop the work: from then on all documents are empty.
    #[must_use]
    pub fn watched(self, watch: &Watch) -> Pairing<'a> {
        Pairing { watch: watch.clone(), ..self }
    }

    /// Who watches, and may stop the work.
    pub fn watch(&self) -> &Watch {
        &self.watch
    }

    /// How many documents there are on either side.
    pub fn len(&self) -> usize {
        self.places.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.places.is_empty()
    }

    /// Where the documents are.
    pub fn places(&self) -> &[DocumentPlace] {
        &self.places
    }

    /// The documents at this position.
    pub fn documents(&self, index: usize) -> (Option<Document<'a>>, Option<Document<'a>>) {
        let Some(place) = self.places.get(index) else { return (None, None) };
        let at = |corpus: &'a Corpus, place: Option<u32>| corpus.document_at(place? as usize);
        (at(self.gold, place.gold), at(self.system, place.system))
    }

    /// The name of the document at this position.
    pub fn name(&self, index: usize) -> &'a str {
        let (gold, system) = self.documents(index);
        gold.or(system).map_or("", |document| document.name())
    }

    /// The gold corpus.
    pub fn gold(&self) -> &'a Corpus {
        self.gold
    }

    /// The output of the system.
    pub fn system(&self) -> &'a Corpus {
        self.system
    }

    /// What the links of mentions are called, by their [codes](Link::code) in scenes: the canonical name of an
    /// entity or the name of a NIL cluster. These mean the same in other pairings, where codes do not.
    /// `identity` must be that of the pairing.
    pub fn link_names(&self, identity: &Identity) -> BTreeMap<u32, String> {
        let mut names = BTreeMap::new();
        let Vocabulary { gold, system } = &self.vocabulary;
        for (corpus, vocabulary) in [(self.gold, gold), (self.system, system)] {
            for annotation in corpus.annotations() {
                let link = annotation.link;
                let code = vocabulary.link(link).code();
                let name = || match (link.entity(), link.cluster()) {
                    (Some(entity), _) => {
                        identity.canonical(corpus.strings().get(entity)).into_owned()
                    }
                    (None, Some(cluster)) => corpus.strings().get(cluster).to_owned(),
                    (None, None) => String::new(),
                };
                names.entry(code).or_insert_with(name);
            }
        }
        names
    }

    /// Whether the order of mentions on some span was decided by the use of their links in the whole corpus,
    /// as far as documents were staged: parts of the corpus would have to know of each other.
    pub fn was_asked_everywhere(&self) -> bool {
        self.uses.get().is_some()
    }

    /// Puts one document on the stage; `scene` keeps its memory from one to the next. If the work was
    /// cancelled, nothing is on it: whoever goes on is soon through.
    pub fn stage(&self, index: usize, settings: &Settings, scene: &mut Scene<'a>) {
        let (gold, system) = self.documents(index);
        if self.watch.is_cancelled() {
            return *scene = Scene::empty(gold, system);
        }
        scene.set(gold, system, &self.vocabulary, settings, self.first, self);
        scene.keep_types(settings, self.base.as_deref());
    }
}

impl Everywhere for Pairing<'_> {
    fn use_of(&self, link: Link) -> u64 {
        // If the work is cancelled meanwhile, this still runs to its end. It is one pass over both
        // corpora.
        let uses = self.uses.get_or_init(|| {
            let mut uses = UsesOfLinks::default();
            let Vocabulary { gold, system } = &self.vocabulary;
            for (side, corpus, names) in [(0, self.gold, gold), (1, self.system, system)] {
                for document in corpus.documents() {
                    uses.add(side, &document, |link| names.link(link));
                }
            }
            uses
        });
        uses.of(link)
    }
}

fn line_up(gold: &Corpus, system: &Corpus) -> Vec<DocumentPlace> {
    let mut places = Vec::with_capacity(gold.len());
    let mut met = vec![false; system.len()];
    let mut expected = 0;
    for document in gold.documents() {
        // Mostly both corpora have the same order; names are looked up only when they do not.
        let next = system.document_at(expected).filter(|next| next.name() == document.name());
        let found = next.or_else(|| system.document(document.name()));
        let found = found.map(|found| found.index() as u32);
        if let Some(found) = found {
            met[found as usize] = true;
            expected = found as usize + 1;
        }
        places.push(DocumentPlace { gold: Some(document.index() as u32), system: found });
    }
    let unmet = met.iter().enumerate().filter(|(_, met)| !**met);
    places.extend(unmet.map(|(index, _)| DocumentPlace { gold: None, system: Some(index as u32) }));
    places
}
