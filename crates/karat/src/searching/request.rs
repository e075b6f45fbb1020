//! What can be looked for, and how it is found.

use super::answer::{
    FoundDocument, FoundEntity, FoundOutcome, FoundSystem, MentionHit, SearchAnswer, SearchHits,
};
use super::matching::Wanted;
use crate::convention::ConventionRequest;
use crate::documents::{DocumentAnswer, DocumentChoice, DocumentRequest, TextCase};
use crate::error::Error;
use crate::errors::MentionInText;
use crate::inputs::{Experiment, Inputs, Repeats};
use crate::request::Request;
use crate::work::Work;
use karat_model::{Document, Mention, Role, Span, TextIndex, attribute};
use rayon::prelude::*;
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet, HashMap};

/// How many of each kind one answer may have.
const MOST: usize = 500;

/// What is looked for is no longer than this, in characters.
const LONGEST: usize = 200;

/// How much of the text is shown before and after a mention, in characters.
const CONTEXT: u32 = 40;

/// Looks for mentions by their text or entity, entities by id or name, and documents and systems by name. Upper and
/// lower case are the same.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct SearchRequest {
    /// The benchmarks, each with the runs on it. A benchmark is one gold standard.
    pub benchmarks: Vec<Inputs>,
    /// The convention that decides what became of mentions.
    pub convention: ConventionRequest,
    /// What is looked for: a part of a text or name, or a whole id.
    pub query: String,
    /// What kind of thing; all kinds if absent.
    #[serde(rename = "in", skip_serializing_if = "Option::is_none")]
    pub kind: Option<SearchKind>,
    /// How many of each kind are listed, at most 500.
    pub limit: usize,
}

/// What can be found.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum SearchKind {
    /// Mentions.
    Mentions,
    /// Entities.
    Entities,
    /// Documents.
    Documents,
    /// Systems.
    Systems,
}

impl SearchKind {
    /// All of them, with the names that they have in JSON.
    pub const ALL: [(SearchKind, &str); 4] = [
        (SearchKind::Mentions, "mentions"),
        (SearchKind::Entities, "entities"),
        (SearchKind::Documents, "documents"),
        (SearchKind::Systems, "systems"),
    ];
}

impl Default for SearchRequest {
    fn default() -> SearchRequest {
        SearchRequest {
            benchmarks: Vec::new(),
            convention: ConventionRequest::default(),
            query: String::new(),
            kind: None,
            limit: 30,
        }
    }
}

/// What one benchmark has.
#[derive(Default)]
struct OfBenchmark {
    documents: Vec<FoundDocument>,
    /// The spans of mentions that fit, by the number of their document.
    spans: Vec<(usize, BTreeSet<Span>)>,
    entities: BTreeMap<String, FoundEntity>,
}

impl Request for SearchRequest {
    type Answer = SearchAnswer;

    const NAME: &'static str = "search";

    fn answer(&self, work: &Work) -> Result<SearchAnswer, Error> {
        self.check()?;
        let mut answer = SearchAnswer {
            karat: env!("CARGO_PKG_VERSION").to_owned(),
            query: self.query.clone(),
            ..SearchAnswer::default()
        };
        let wanted = Wanted::new(&self.query);
        if wanted.is_empty() {
            return Ok(answer);
        }
        let mut entities = BTreeMap::new();
        let mut systems: Vec<FoundSystem> = Vec::new();
        for inputs in &self.benchmarks {
            let mut told = Vec::new();
            let read = inputs.read_with_or_without_runs(Repeats::Refused, work, &mut told)?;
            for experiment in &read {
                let found = work.run(|| OfBenchmark::of(experiment, &wanted))?;
                add_systems(&mut systems, experiment, &wanted);
                answer.documents.total += found.documents.len();
                let room = self.limit - answer.documents.items.len();
                answer.documents.items.extend(found.documents.into_iter().take(room));
                add_entities(&mut entities, found.entities);
                if self.wants(SearchKind::Mentions) {
                    self.add_mentions(&mut answer, inputs, &found.spans, work)?;
                }
            }
        }
        answer.systems = SearchHits { total: systems.len(), items: systems };
        answer.systems.items.truncate(self.limit);
        answer.entities = self.best_entities(entities, &wanted);
        self.leave_out(&mut answer);
        Ok(answer)
    }
}

impl SearchRequest {
    fn check(&self) -> Result<(), Error> {
        if self.limit == 0 || self.limit > MOST {
            return Err(Error::bad_request(
                format!("a list cannot have {} entries", self.limit),
                format!("ask for 1 to {MOST}"),
            ));
        }
        if self.query.chars().count() > LONGEST {
            return Err(Error::bad_request(
                "what is looked for is too long",
                format!("at most {LONGEST} characters are compared"),
            ));
        }
        Ok(())
    }

    fn wants(&self, kind: SearchKind) -> bool {
        self.kind.is_none_or(|wanted| wanted == kind)
    }

    /// Kinds that were not asked for.
    fn leave_out(&self, answer: &mut SearchAnswer) {
        if !self.wants(SearchKind::Systems) {
            answer.systems = SearchHits::default();
        }
        if !self.wants(SearchKind::Documents) {
            answer.documents = SearchHits::default();
        }
        if !self.wants(SearchKind::Entities) {
            answer.entities = SearchHits::default();
        }
    }

    /// Those that fit best first, then those that occur most often.
    fn best_entities(
        &self,
        found: BTreeMap<String, FoundEntity>,
        wanted: &Wanted,
    ) -> SearchHits<FoundEntity> {
        let mut items: Vec<FoundEntity> = found.into_values().collect();
        let total = items.len();
        items.sort_by_cached_key(|it| {
            let of_name = it.name.as_deref().map_or(u8::MAX, |name| wanted.rank(name));
            let often = std::cmp::Reverse(it.gold + it.predicted);
            (of_name.min(wanted.rank(&it.entity)), often, it.entity.clone())
        });
        items.truncate(self.limit);
        SearchHits { total, items }
    }

    /// Judges the documents of the mentions that are listed, and no others.
    fn add_mentions(
        &self,
        answer: &mut SearchAnswer,
        inputs: &Inputs,
        spans: &[(usize, BTreeSet<Span>)],
        work: &Work,
    ) -> Result<(), Error> {
        answer.mentions.total += spans.iter().map(|(_, spans)| spans.len()).sum::<usize>();
        for (number, spans) in spans {
            let room = self.limit - answer.mentions.items.len();
            if room == 0 {
                break;
            }
            let request = DocumentRequest {
                inputs: inputs.clone(),
                convention: self.convention.clone(),
                document: DocumentChoice::Number(*number),
                ..DocumentRequest::default()
            };
            let document = request.answer(work)?;
            let text = document.text.as_deref().map(TextIndex::new);
            let is_found = |case: &&TextCase| spans.iter().any(|span| covers(case, *span));
            let found = document.cases.iter().filter(is_found).take(room);
            let found = found.map(|case| found_mention(&document, case, text.as_ref()));
            answer.mentions.items.extend(found);
            for notice in &document.notices {
                if !answer.notices.contains(notice) {
                    answer.notices.push(notice.clone());
                }
            }
        }
        Ok(())
    }
}

/// Whether a case is about a mention: gold or a prediction stands there.
fn covers(case: &TextCase, span: Span) -> bool {
    let of_run = |run: &crate::documents::RunAnswer| {
        run.prediction.as_ref().is_some_and(|it| Span::new(it.start, it.end) == span)
    };
    case.span() == span || case.runs.iter().any(of_run)
}

fn found_mention(
    document: &DocumentAnswer,
    case: &TextCase,
    text: Option<&TextIndex<'_>>,
) -> MentionHit {
    let slice = |start: u32, end: u32| {
        let text = text?;
        text.slice(Span::new(start, end.min(text.len())))
    };
    let context = |start: u32, end: u32| slice(start, end).unwrap_or_default().to_owned();
    let outcomes = document.runs.iter().zip(&case.runs).filter_map(|(layer, run)| {
        Some(FoundOutcome {
            system: layer.name.clone(),
            outcome: run.outcome?,
            prediction: run.prediction.as_ref().map(|it| it.answer.clone()),
        })
    });
    MentionHit {
        benchmark: document.benchmark.clone(),
        document: document.number,
        name: document.name.clone(),
        in_text: MentionInText {
            start: case.start,
            end: case.end,
            before: context(case.start.saturating_sub(CONTEXT), case.start),
            mention: case.surface.clone(),
            after: context(case.end, case.end.saturating_add(CONTEXT)),
            is_cut: [
                text.is_some() && case.start > CONTEXT,
                text.is_some_and(|text| case.end.saturating_add(CONTEXT) < text.len()),
            ],
        },
        gold: case.gold.as_ref().map(|gold| gold.answer.clone()),
        runs: outcomes.collect(),
    }
}

fn add_systems(systems: &mut Vec<FoundSystem>, experiment: &Experiment, wanted: &Wanted) {
    for run in experiment.runs.iter().filter(|run| wanted.is_in(&run.name)) {
        let benchmark = experiment.benchmark.name.clone();
        match systems.iter_mut().find(|known| known.name == run.name) {
            Some(known) => known.benchmarks.push(benchmark),
            None => {
                let name = run.name.clone();
                systems.push(FoundSystem { name, benchmarks: vec![benchmark] });
            }
        }
    }
}

fn add_entities(all: &mut BTreeMap<String, FoundEntity>, more: BTreeMap<String, FoundEntity>) {
    for (id, entity) in more {
        let known = all.entry(id).or_insert_with(|| FoundEntity {
            entity: entity.entity.clone(),
            ..FoundEntity::default()
        });
        known.name = known.name.take().or(entity.name);
        known.gold += entity.gold;
        known.predicted += entity.predicted;
    }
}

impl OfBenchmark {
    fn of(experiment: &Experiment, wanted: &Wanted) -> OfBenchmark {
        // Names stand where a file has them; whoever means the same id means the same entity.
        let names = names_of(experiment, wanted);
        let gold = &experiment.benchmark.corpus;
        let each = (0..gold.len()).into_par_iter().map(|at| {
            let mut found = OfBenchmark::default();
            if let Some(document) = gold.document_at(at) {
                found.add(experiment, &document, wanted, &names);
            }
            found
        });
        // Parts are put together in the order of documents, whichever thread made them.
        each.collect::<Vec<_>>().into_iter().fold(OfBenchmark::default(), |mut all, part| {
            all.documents.extend(part.documents);
            all.spans.extend(part.spans);
            add_entities(&mut all.entities, part.entities);
            all
        })
    }

    fn add(
        &mut self,
        experiment: &Experiment,
        document: &Document<'_>,
        wanted: &Wanted,
        names: &EntityNames<'_>,
    ) {
        let name = document.name();
        let title = document.attribute(attribute::TITLE);
        if wanted.is_in(name) || title.is_some_and(|title| wanted.is_in(title)) {
            self.documents.push(FoundDocument {
                benchmark: experiment.benchmark.name.clone(),
                number: document.index() + 1,
                name: name.to_owned(),
                title: title.map(str::to_owned),
            });
        }
        let text = document.text_index();
        let mut spans = BTreeSet::new();
        let gold = document.mentions().filter(is_gold_unit).map(|mention| (mention, true));
        let of_runs = experiment.runs.iter().filter_map(|run| run.corpus.document(name));
        let predicted = of_runs.flat_map(|document| document.mentions());
        let predicted = predicted.filter(is_prediction).map(|mention| (mention, false));
        for (mention, is_gold) in gold.chain(predicted) {
            let entity = mention.entity().and_then(|entity| names.get_key_value(entity));
            if let Some((entity, name)) = entity {
                let found = self.entities.entry((*entity).to_owned()).or_default();
                found.entity = (*entity).to_owned();
                found.name = name.map(str::to_owned);
                found.gold += usize::from(is_gold);
                found.predicted += usize::from(!is_gold);
            }
            let surface = match &text {
                Some(text) => text.slice(mention.span()),
                None => mention.attribute(attribute::SURFACE),
            };
            if entity.is_some() || surface.is_some_and(|surface| wanted.is_in(surface)) {
                spans.insert(mention.span());
            }
        }
        if !spans.is_empty() {
            self.spans.push((document.index() + 1, spans));
        }
    }
}

fn is_gold_unit(mention: &Mention<'_>) -> bool {
    Role::Gold.plays(mention.flags()) && mention.place().is_none()
}

fn is_prediction(mention: &Mention<'_>) -> bool {
    Role::System.plays(mention.flags())
}

/// Entities that fit, by their ids, with their names.
type EntityNames<'e> = HashMap<&'e str, Option<&'e str>>;

/// The entities of a benchmark and its runs whose id or name fits.
fn names_of<'e>(experiment: &'e Experiment, wanted: &Wanted) -> EntityNames<'e> {
    let corpora = std::iter::once(&experiment.benchmark.corpus)
        .chain(experiment.runs.iter().map(|run| &run.corpus));
    let mut names: EntityNames<'e> = HashMap::new();
    for corpus in corpora {
        for mention in corpus.documents().flat_map(|document| document.mentions()) {
            let Some(entity) = mention.entity() else { continue };
            let name = mention.attribute(attribute::NAME);
            // A part of an id is no name: Q1 is not in Q142.
            let fits = name.is_some_and(|name| wanted.is_in(name))
                || wanted.is(entity)
                || (!is_code(entity) && wanted.is_in(entity));
            if fits {
                let known = names.entry(entity).or_default();
                *known = known.or(name);
            }
        }
    }
    names
}

/// Whether an id is a letter and a number, as those of Wikidata are, so that a part of it means nothing.
fn is_code(entity: &str) -> bool {
    let digits = entity.trim_start_matches(|c: char| c.is_ascii_alphabetic());
    entity.len() > digits.len() && digits.bytes().all(|byte| byte.is_ascii_digit())
}
