//! Means over the documents where all systems have a score.
//!
//! A document where a score is undefined is left out of its mean: a system that predicts nothing there has no
//! precision. So systems may have means of different documents, and a system that is silent on hard ones
//! looks better than it is. The means over what all have in common are comparable.

use super::{Board, Scoring, SystemScores};
use crate::inputs::{Experiment, counted};
use crate::notices;
use karat_match::Assignment;
use karat_measures::{Average, Compute, MacroScores, Measure, Scores};
use karat_model::{Corpus, Link, Notice, Role, Span};
use std::collections::BTreeMap;

impl Scoring {
    /// Finds the common means of all systems, for each measure whose means are asked for. They are made of the
    /// counts of documents, and where these were not kept there are none.
    pub(super) fn find_common_means(&self, systems: &mut [SystemScores]) {
        let is_asked = |measure: usize| {
            let asked = (measure, Average::Macro);
            self.selection.wanted.iter().any(|it| (it.measure, it.average) == asked)
        };
        // A value for each measure, also where there is nothing to say: others find it by the place
        // of the measure.
        for (at, measure) in self.selection.measures.iter().enumerate() {
            let found = if is_asked(at) { self.common_means(at, measure, systems) } else { None };
            let found = found
                .map_or(vec![None; systems.len()], |means| means.into_iter().map(Some).collect());
            systems
                .iter_mut()
                .zip(found)
                .for_each(|(system, means)| system.common_means.push(means));
        }
    }

    /// `None` if no system has other documents than all have.
    fn common_means(
        &self,
        at: usize,
        measure: &Measure,
        systems: &[SystemScores],
    ) -> Option<Vec<MacroScores>> {
        if systems.len() < 2 {
            return None;
        }
        let scores: Vec<BTreeMap<u64, Scores>> = systems
            .iter()
            .map(|system| self.by_document(at, measure, system))
            .collect::<Option<_>>()?;
        let in_all = |document: u64, score: usize| {
            let score = |of: &BTreeMap<u64, Scores>| of.get(&document).and_then(|it| it.at(score));
            scores.iter().all(|of| score(of).is_some())
        };
        let common = |of: &BTreeMap<u64, Scores>| {
            // Undefined in one system is undefined in all, score by score: a document may have a
            // recall everywhere and a precision only in some.
            MacroScores::of(of.iter().map(|(&document, scores)| {
                let kept = scores.iter().enumerate();
                kept.map(|(at, (name, score))| (name, score.filter(|_| in_all(document, at))))
                    .collect()
            }))
        };
        let means: Vec<MacroScores> = scores.iter().map(common).collect();
        // Compared by the numbers of documents, which can only fall when documents are left out; if
        // none fell, none was left out.
        let is_own = |(system, means): (&SystemScores, &MacroScores)| {
            let own = system.evaluation.results[at].macro_.as_ref();
            own.is_some_and(|own| own.documents == means.documents)
        };
        (!systems.iter().zip(&means).all(is_own)).then_some(means)
    }

    /// The scores of each document, by a hash of its name.
    fn by_document(
        &self,
        at: usize,
        measure: &Measure,
        system: &SystemScores,
    ) -> Option<BTreeMap<u64, Scores>> {
        let Compute::Documents(compute) = &measure.compute else { return None };
        let rows = system.evaluation.results.get(at)?.documents.as_ref()?;
        let rows = rows.chunks_exact(compute.columns().len().max(1));
        let scores = rows.map(|row| compute.scores(row, self.convention.zero));
        Some(system.evaluation.documents.iter().copied().zip(scores).collect())
    }

    /// Where something says several things of one span and a measure takes one of them.
    pub(super) fn ambiguous_spans(&self, experiment: &Experiment) -> Vec<Notice> {
        let mut measures = self.selection.measures.iter();
        let Some(measure) = measures.find(|measure| measure.compute.takes_one_of_a_span()) else {
            return Vec::new();
        };
        let taken = match measure.settings.assignment {
            Assignment::OneToOne => "the one with the highest confidence, if they have any",
            _ => "the last of the file",
        };
        let notice = |name: &str, corpus: &Corpus, role: Role| {
            let spans = ambiguous(corpus, role);
            (spans > 0).then(|| {
                let spans = counted(spans, "span");
                let measure = &measure.name;
                let message = format!(
                    "`{name}` links {spans} in several ways: {measure} takes one of them, {taken}"
                );
                notices::AMBIGUOUS_SPANS.notice(message).about(name)
            })
        };
        let benchmark = &experiment.benchmark;
        let gold = notice(&benchmark.name, &benchmark.corpus, Role::Gold);
        let runs = experiment.runs.iter();
        gold.into_iter()
            .chain(runs.filter_map(|run| notice(&run.name, &run.corpus, Role::System)))
            .collect()
    }
}

/// How many spans have several different links.
fn ambiguous(corpus: &Corpus, role: Role) -> usize {
    let of_document = |document: karat_model::Document<'_>| {
        let annotations = document.annotations().iter().filter(|it| role.plays(it.flags));
        let mut links: Vec<(Span, Link)> = annotations.map(|it| (it.span, it.link)).collect();
        links.sort_unstable_by_key(|&(span, link)| (span, link.code()));
        links.dedup();
        links.chunk_by(|a, b| a.0 == b.0).filter(|on_span| on_span.len() > 1).count()
    };
    corpus.documents().map(of_document).sum()
}

impl Board {
    /// What has to be known of means over different documents.
    pub(super) fn over_other_documents(&self) -> Vec<Notice> {
        let measures = self.selection.measures.iter().enumerate();
        measures.filter_map(|(at, measure)| self.notice_of_means(at, &measure.name)).collect()
    }

    /// Of the scores of a measure, the last that differs is told: F1 if it does.
    fn notice_of_means(&self, at: usize, name: &str) -> Option<Notice> {
        let own = |system: &SystemScores| system.evaluation.results.get(at)?.macro_.clone();
        let own: Vec<MacroScores> = self.systems.iter().map(own).collect::<Option<_>>()?;
        let common = self.systems.first()?.common_means.get(at)?.as_ref()?;
        let differs = |&score: &usize| {
            own.iter().any(|means| means.documents[score] != common.documents[score])
        };
        // From the end, where F1 stands: the score people quote.
        let score = (0..common.documents.len()).rev().find(differs)?;
        let word = common.scores.names().nth(score)?;
        let of_system = |(system, means): (&SystemScores, &MacroScores)| {
            format!("{} for `{}`", means.documents[score], system.name)
        };
        let each: Vec<String> = self.systems.iter().zip(&own).map(of_system).collect();
        let message = format!(
            "{name}.{word}@macro on `{}` is a mean over different documents: {}; {name}@macro@common is \
             over the {} where all have it",
            self.benchmark,
            each.join(", "),
            common.documents[score],
        );
        Some(notices::OTHER_DOCUMENTS.notice(message).about(&self.benchmark))
    }
}
