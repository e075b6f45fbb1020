//! What went wrong and could have: counts, lists, what two systems do differently, and where gold
//! itself may be wrong.
//!
//! There is one way from gold and output to errors: an [`Inspection`] goes through the documents of both and judges
//! what stands there. Two things are made of the judgements. *Kinds* ([`ErrorKind`]) say what became of a mention:
//! missing, extra, linked wrongly; they need no knowledge base and copy nothing to be counted. *Categories* say what
//! made it hard, and take a label for everything that could have gone wrong. A list of either is made of
//! [`ErrorCase`]s.
//!
//! [`ErrorsRequest`] asks for any of this from files and gives an [`ErrorsAnswer`].

mod agreement;
mod answer;
pub(crate) mod case;
mod cases;
mod changed;
mod contrast;
mod counts;
mod diff;
mod facets;
mod filter;
pub(crate) mod filters;
mod in_text;
pub(crate) mod inspector;
pub(crate) mod judged;
mod kind;
pub(crate) mod known_names;
mod names;
mod partial;
mod rates;
pub(crate) mod remarks;
mod request;
mod suspects;
mod tables;

pub use agreement::{AgreementAnswer, AgreementCase, AgreementRequest, AgreementSaid};
pub use answer::{ErrorsAnswer, FoundErrors};
pub use case::{ErrorCase, MentionAnswer};
pub use cases::{
    BesideOutcome, CaseGroup, CaseGrouping, CaseOrder, CasePlace, CasePlaceError, CaseRow,
    CasesAnswer, CasesRequest, FilterChips, LabelCount, WithoutCondition,
};
pub use changed::{ChangedCase, ChangedCasesAnswer, ChangedCasesRequest};
pub use contrast::{
    Contrast, ContrastAnswer, ContrastCase, ContrastCategory, ContrastDocument, ContrastRequest,
    ContrastSide, SaidEntity,
};
pub use counts::{ErrorCounts, Hits, ModeCounts};
pub use diff::{CaseDifference, Group, differences};
pub use filter::{AskedLabel, CaseState, Filter, FilteredBy, LabelTest};
pub use in_text::MentionInText;
pub use inspector::InspectedErrors;
pub use judged::NotCounted;
pub use kind::{ErrorKind, FoundMention, KindCounts, KindsOfRun};
pub use names::{CategoryName, category_names, kind_names};
pub use partial::PartialSpan;
pub use rates::{CategoryRate, ErrorRatesAnswer, ErrorRatesRequest, KindRate};
pub use request::{ErrorsBy, ErrorsQuestion, ErrorsRequest, UnknownEntities};
pub use suspects::{Suspect, VerificationTask, suspects};
pub use tables::finding_table;

use filter::JudgedDocument;
use karat_facets::taxonomy::{Labelled, ReportedTypes, Taxonomy, label};
use karat_kb::{Identity, KnowledgeBase, Words};
use karat_match::{Nearby, Pairing, Scene, Settings, Unknowns};
use karat_measures::Convention;
use karat_model::{Corpus, Watch};
use std::collections::BTreeSet;

/// What decides which errors there are.
#[derive(Debug, Clone, Copy)]
pub struct Inspection<'i> {
    /// Who meets whom.
    pub settings: &'i Settings,
    /// What is called what.
    pub taxonomy: &'i Taxonomy,
    /// Which spellings are one entity.
    pub identity: &'i Identity,
    /// What a knowledge base knows.
    pub base: Option<&'i KnowledgeBase>,
    /// Who watches, and may stop the work.
    pub watch: Option<&'i Watch>,
}

impl<'i> Inspection<'i> {
    /// Under a convention, with what the knowledge base of the identity knows.
    pub fn new(convention: &'i Convention, identity: &'i Identity) -> Inspection<'i> {
        Inspection {
            settings: &convention.settings,
            taxonomy: convention.taxonomy,
            identity,
            base: identity.base().map(AsRef::as_ref),
            watch: None,
        }
    }

    /// The same with somebody who may stop the work: from then on all documents are empty.
    #[must_use]
    pub fn watched(self, watch: &'i Watch) -> Inspection<'i> {
        Inspection { watch: Some(watch), ..self }
    }
}

impl Inspection<'_> {
    /// Hands every document with both of its sides to `each`, in the order of the benchmark.
    pub(crate) fn each_scene<'c>(
        &self,
        gold: &'c Corpus,
        system: &'c Corpus,
        mut each: impl FnMut(&'c str, &Scene<'c>),
    ) {
        let mut pairing = Pairing::new(gold, system, self.identity);
        if let Some(watch) = self.watch {
            pairing = pairing.watched(watch);
        }
        let mut scene = Scene::default();
        for index in 0..pairing.len() {
            pairing.watch().advance(1);
            pairing.stage(index, self.settings, &mut scene);
            each(pairing.name(index), &scene);
        }
    }

    /// Hands every document with its labelled cases to `each`, in the order of the benchmark.
    pub fn documents<'c>(
        &self,
        gold: &'c Corpus,
        system: &'c Corpus,
        mut each: impl FnMut(&'c str, &Scene<'c>, Vec<Labelled<'c>>),
    ) {
        self.each_scene(gold, system, |name, scene| {
            each(name, scene, label(self.settings, self.taxonomy, scene, self.base));
        });
    }

    /// Counts everything.
    pub fn counts(&self, benchmark: &str, gold: &Corpus, system: &Corpus) -> ErrorCounts {
        self.counts_and(benchmark, gold, system, |_, _, _| ())
    }

    /// Counts everything, and hands every document with its labelled cases to `each`.
    pub fn counts_and<'c>(
        &self,
        benchmark: &str,
        gold: &'c Corpus,
        system: &'c Corpus,
        mut each: impl FnMut(&'c str, &Scene<'c>, Vec<Labelled<'c>>),
    ) -> ErrorCounts {
        let types = ReportedTypes::of(self.taxonomy, self.base);
        let mut counts = ErrorCounts::none(self.settings, &types);
        let mut documents = 0;
        self.documents(gold, system, |name, scene, cases| {
            counts.add(&cases, &types);
            documents += 1;
            each(name, scene, cases);
        });
        let all_known = documents == gold.len();
        counts.words = all_known.then(|| self.words(benchmark, gold)).and_then(Result::ok);
        counts.finish()
    }

    /// Counts what passes these filters. Of a part of a benchmark nobody knows the words.
    pub fn counts_of(
        &self,
        gold: &Corpus,
        system: &Corpus,
        unknowns: Unknowns,
        filters: &[Filter],
    ) -> ErrorCounts {
        let filters = &self.of_run(gold, system, filters);
        let types = ReportedTypes::of(self.taxonomy, self.base);
        let mut part = ErrorCounts::none(self.settings, &types);
        let whole = self.counts_and("", gold, system, |_, scene, cases| {
            let passes = self.passing(scene, &cases, unknowns, filters);
            let passing = cases.into_iter().zip(passes).filter(|(_, passes)| *passes);
            let passing: Vec<Labelled<'_>> = passing.map(|(case, _)| case).collect();
            part.add(&passing, &types);
        });
        part.has_choice = whole.has_choice;
        part.finish_if(whole.closed())
    }

    /// Which of the cases of a scene pass all of these filters.
    pub(crate) fn passing(
        &self,
        scene: &Scene<'_>,
        cases: &[Labelled<'_>],
        unknowns: Unknowns,
        filters: &[Filter],
    ) -> Vec<bool> {
        let document = JudgedDocument::new(self, (0, ""), scene, cases, unknowns);
        passing(&document, filters)
    }

    /// These filters for one run.
    pub(crate) fn of_run(&self, gold: &Corpus, system: &Corpus, filters: &[Filter]) -> Vec<Filter> {
        if filters.is_empty() {
            return Vec::new();
        }
        let pairing = Pairing::new(gold, system, self.identity);
        filters.iter().map(|filter| filter.of_run(&pairing)).collect()
    }

    /// What gives labels, for one run.
    fn of_run_by(&self, gold: &Corpus, system: &Corpus, by: FilteredBy) -> FilteredBy {
        by.of_run(&Pairing::new(gold, system, self.identity))
    }

    /// The words of a benchmark. A knowledge base numbers its documents by their place, so that the
    /// number of documents must be the same; where it is not, the error is how many it knows.
    pub fn words(&self, benchmark: &str, gold: &Corpus) -> Result<Words, usize> {
        let of = |at: usize| self.base?.words(benchmark, &at.to_string()).known();
        let known: Vec<Words> = (0..).map_while(of).take(gold.len().saturating_add(1)).collect();
        if known.len() != gold.len() {
            return Err((0..).map_while(of).count());
        }
        let sum = |all: Option<Words>, more: &Words| {
            let all = all?;
            Some(Words {
                all: all.all.checked_add(more.all)?,
                lowercased: all.lowercased.checked_add(more.lowercased)?,
            })
        };
        known.iter().fold(Some(Words { all: 0, lowercased: 0 }), sum).ok_or(known.len())
    }

    /// All labels that the cases of a system have.
    pub fn labels(
        &self,
        gold: &Corpus,
        system: &Corpus,
        unknowns: Unknowns,
        by: &FilteredBy,
    ) -> BTreeSet<String> {
        let mut all = BTreeSet::new();
        self.documents(gold, system, |name, scene, cases| {
            let document = JudgedDocument::new(self, (0, name), scene, &cases, unknowns);
            all.extend(by.labels(&document).into_iter().flatten());
        });
        all
    }

    /// Every case with an error, and every right one, that passes these filters.
    pub fn cases(
        &self,
        gold: &Corpus,
        system: &Corpus,
        unknowns: Unknowns,
        filters: &[Filter],
    ) -> Vec<ErrorCase> {
        let filters = &self.of_run(gold, system, filters);
        let mut all = Vec::new();
        let counts = self.judged_documents(gold, system, unknowns, |document| {
            let around = document.around();
            let about_spans = filters.iter().any(|filter| filter.by.is_about_spans());
            let near = about_spans.then(|| Nearby::new(document.scene.system.items.iter()));
            let passes = passing(document, filters);
            for (at, _) in passes.iter().enumerate().filter(|(_, passes)| **passes) {
                let mut found = document.case(&around, at);
                if let Some(near) = &near {
                    found.set_overlapping(self, document.scene, near, &document.cases[at]);
                }
                all.push(found);
            }
        });
        let closed = counts.closed()[unknowns.index()];
        for case in &mut all {
            case.settle(closed, counts.has_choice);
        }
        all
    }

    /// Hands every document with its judged cases to `each`, in the order of the benchmark, and counts
    /// everything.
    fn judged_documents<'c>(
        &self,
        gold: &'c Corpus,
        system: &'c Corpus,
        unknowns: Unknowns,
        mut each: impl FnMut(&JudgedDocument<'_, 'c>),
    ) -> ErrorCounts {
        let mut index = 0;
        self.counts_and("", gold, system, |name, scene, cases| {
            each(&JudgedDocument::new(self, (index, name), scene, &cases, unknowns));
            index += 1;
        })
    }
}

/// Which cases of a document pass all filters.
fn passing(document: &JudgedDocument<'_, '_>, filters: &[Filter]) -> Vec<bool> {
    let mut passes = vec![true; document.cases.len()];
    for filter in filters {
        for (all, this) in passes.iter_mut().zip(filter.passes(document)) {
            *all &= this;
        }
    }
    passes
}
