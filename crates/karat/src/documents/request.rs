//! Asking for one document.

use super::answer::{DocumentAnswer, NeighbourDocument, RunLayer};
use super::assembly::Assembly;
use super::context::{DocumentContext, OneDocument};
use crate::convention::ConventionRequest;
use crate::error::Error;
use crate::errors::UnknownEntities;
use crate::errors::known_names::KnownNames;
use crate::inputs::Inputs;
use crate::request::Request;
use crate::scoring::EvaluationAnswer;
use crate::work::Work;
use karat_model::attribute;
use serde::{Deserialize, Serialize};

/// Shows one document of a benchmark with what gold and systems say of it.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct DocumentRequest {
    /// Gold and systems; without systems only gold is shown.
    pub inputs: Inputs,
    /// The convention.
    pub convention: ConventionRequest,
    /// Which document.
    pub document: DocumentChoice,
    /// Of the systems, only those with these names; all if there are none.
    pub only: Vec<String>,
    /// The measures of the scores of the document: links, if none are named.
    pub measures: Vec<String>,
    /// What is done about entities that the knowledge base does not have; they are ignored if absent.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub unknowns: Option<UnknownEntities>,
    /// Cases with these labels are marked as listed, each as `FACET=LABEL`.
    #[serde(rename = "where")]
    pub filters: Vec<String>,
}

/// A document by its number, from 1, or by its name.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum DocumentChoice {
    /// Its number.
    Number(usize),
    /// Its name.
    Name(String),
}

impl Default for DocumentChoice {
    fn default() -> DocumentChoice {
        DocumentChoice::Number(1)
    }
}

impl Request for DocumentRequest {
    type Answer = DocumentAnswer;

    const NAME: &'static str = "document";

    fn answer(&self, work: &Work) -> Result<DocumentAnswer, Error> {
        let context = DocumentContext::open(&self.inputs, &self.convention, &self.only, work)?;
        let document = context.document(&self.document)?;
        work.begin("judging", context.experiment.runs.len() as u64)?;
        let answer = work.install(|| self.assemble(&context, &document))?;
        context.identity.check()?;
        Ok(answer)
    }
}

impl DocumentRequest {
    fn assemble(
        &self,
        context: &DocumentContext,
        document: &OneDocument,
    ) -> Result<DocumentAnswer, Error> {
        let filters = context.filters(&self.filters, UnknownEntities::of(self.unknowns))?;
        let mut assembly = Assembly::new(context, document, UnknownEntities::of(self.unknowns));
        for run in 0..document.runs.len() {
            assembly.add_run(run, &filters);
        }
        let shown = document.gold.documents().chain(document.others()).next();
        let fact = |key: &str| shown.and_then(|it| it.attribute(key)).map(str::to_owned);
        let text = assembly.text();
        let neighbour = |number: usize| {
            let name = context.name(number)?;
            Some(NeighbourDocument { number, name: name.to_owned() })
        };
        let mut answer = DocumentAnswer {
            karat: env!("CARGO_PKG_VERSION").to_owned(),
            signature: context.signature(self.unknowns),
            benchmark: context.experiment.benchmark.name.clone(),
            number: document.number,
            documents: context.len(),
            name: document.name.clone(),
            title: fact(attribute::TITLE),
            language: fact(attribute::LANGUAGE),
            topic: fact(attribute::TOPIC),
            url: fact(attribute::URL),
            in_gold: !document.gold.is_empty(),
            previous: document.number.checked_sub(1).and_then(neighbour),
            next: neighbour(document.number + 1),
            characters: text.map(|text| text.chars().count() as u32),
            text: text.map(str::to_owned),
            evaluated: assembly.evaluated().map(|span| [span.start, span.end]),
            notices: context.told.clone(),
            ..DocumentAnswer::default()
        };
        answer.cases = assembly.into_cases();
        let names = KnownNames::of(&context.experiment.benchmark.corpus);
        answer.cases.iter_mut().for_each(|case| case.complete_names(&names));
        answer.runs = self.layers(context, document, &answer)?;
        Ok(answer)
    }

    fn layers(
        &self,
        context: &DocumentContext,
        document: &OneDocument,
        answer: &DocumentAnswer,
    ) -> Result<Vec<RunLayer>, Error> {
        let names: Vec<&str> = self.measures.iter().map(String::as_str).collect();
        let scoring = context.scoring(&names)?;
        let board = scoring.score(&answer.benchmark, &document.gold, &document.runs);
        let scored = EvaluationAnswer::of(&[board]).systems;
        let mut layers = Vec::new();
        for (at, (run, scores)) in document.runs.iter().zip(scored).enumerate() {
            let mut layer = RunLayer {
                name: run.name.clone(),
                has_document: !run.corpus.is_empty(),
                outcomes: Default::default(),
                measures: scores.measures,
            };
            for case in &answer.cases {
                if let Some(outcome) = case.runs.get(at).and_then(|run| run.outcome) {
                    layer.outcomes.add(outcome);
                }
            }
            layers.push(layer);
        }
        Ok(layers)
    }
}
