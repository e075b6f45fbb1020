//! What the paper does with its runs, done with public outputs for AIDA testb.

use super::decimals;
use crate::collection::{Evolution, GrowthStep, Queries, SizeUnit};
use crate::reproduce::{Attachment, Data, Row, Section};
use karat_formats::Problem;
use karat_kb::Identity;
use karat_measures::presets::MERTENS_2014;
use karat_model::{Corpus, Watch};
use karat_report::TSV;
use karat_report::plot::Plot;
use karat_stats::collection::{CollectionResampling, Frame, Query, Scheme, weighted_scores};
use karat_stats::unwatched;
use std::collections::HashMap;

/// The outputs that stand in for the runs of the paper, the best one first.
const TRIAL: [&str; 6] = [
    "aida-testb/houlsby.tsv",
    "aida-testb/aida-goldmentions.tsv",
    "aida-testb/schwa.tsv",
    "aida-testb/schwa-goldmentions.tsv",
    "aida-testb/tagme_289.tsv",
    "aida-testb/tagme_336.tsv",
];
const GOLD: &str = "aida-testb/gold.tsv";
/// The same documents and mentions with their words.
const TEXTS: &str = "elevant/benchmarks/aida-conll-test.benchmark.jsonl";

/// The sections, if the data is there.
pub(super) fn sections(data: &Data) -> Result<Vec<Section>, Problem> {
    if !TRIAL.iter().chain([&GOLD, &TEXTS]).all(|name| data.has(name)) {
        return Ok(Vec::new());
    }
    let trial = Trial::read(data)?;
    Ok(vec![trial.schemes(), trial.figure_1(), trial.figure_4()])
}

struct Trial {
    queries: Queries,
    texts: Corpus,
    names: Vec<&'static str>,
}

impl Trial {
    fn read(data: &Data) -> Result<Trial, Problem> {
        let gold = data.corpus(GOLD)?;
        let systems = TRIAL.iter().map(|name| data.corpus(name)).collect::<Result<Vec<_>, _>>()?;
        let systems: Vec<&Corpus> = systems.iter().collect();
        let settings = (MERTENS_2014.convention)().settings;
        let queries = Queries::new(&gold, &systems, &Identity::new(), &settings, &Watch::default());
        let name = |path: &&'static str| {
            let name = path.rsplit_once('/').map_or(*path, |(_, name)| name);
            name.trim_end_matches(".tsv")
        };
        Ok(Trial { queries, texts: data.corpus(TEXTS)?, names: TRIAL.iter().map(name).collect() })
    }

    /// Each form of each document once, with the place of its first query.
    fn frame(&self) -> (Frame, Vec<usize>) {
        let mut forms: HashMap<&str, u32> = HashMap::new();
        let (mut queries, mut firsts) = (Vec::new(), HashMap::new());
        for (at, place) in self.queries.places.iter().enumerate() {
            // Both corpora have the same documents and mentions in the same order.
            let document = self.texts.document_at(place.document as usize);
            let mention = document.and_then(|document| document.mention(place.annotation as usize));
            let Some(form) = mention.and_then(|mention| mention.surface()) else { continue };
            let next = forms.len() as u32;
            let form = *forms.entry(form).or_insert(next);
            let query = Query { document: place.document, form };
            firsts.entry(query).or_insert(at);
            queries.push(query);
        }
        let frame = Frame::new(queries);
        let firsts = frame.queries().iter().map(|query| firsts[query]).collect();
        (frame, firsts)
    }

    fn schemes(&self) -> Section {
        let (frame, places) = self.frame();
        let schemes =
            [("uniform", Scheme::Uniform), ("RD", Scheme::ByDocument), ("RM", Scheme::ByMention)];
        let mut rows = Vec::new();
        for (name, scheme) in schemes {
            let weights = frame.weights(scheme);
            let weighted = |system: usize| {
                let cell = |at: &usize| self.queries.answers.query(*at)[system];
                weighted_scores(places.iter().map(cell).zip(weights.iter().copied()))
            };
            let linked =
                places.iter().zip(&weights).filter(|(at, _)| self.queries.places[**at].linked);
            let share: f64 = linked.map(|(_, weight)| weight).sum();
            rows.push(Row::new(&[name, "gold", "links"], "", format!("{share:.3}")));
            for (system, label) in self.names.iter().enumerate() {
                rows.push(Row::new(&[name, label, "F1"], "", decimals(weighted(system).f1, 3)));
            }
        }
        let counts = format!(
            "Not in the paper: its schemes of choosing queries, applied to {} queries of {} documents with {} forms. With all \
             answers known, the chances of the schemes serve as weights, and nothing is drawn.",
            frame.queries().len(),
            frame.documents(),
            frame.forms()
        );
        Section::new("RD and RM on AIDA testb", &["scheme", "system", "number"], rows, &[&counts])
    }

    /// The queries of the file in their order, at these sizes.
    fn evolution(&self, sizes: &[usize], trials: usize) -> Option<Evolution> {
        let resampling = CollectionResampling { trials, seed: 1, level: 95.0 };
        Evolution::new(
            &self.names,
            &self.queries.answers,
            SizeUnit::Query,
            sizes,
            0,
            &resampling,
            &unwatched,
        )
    }

    fn figure_1(&self) -> Section {
        let all = self.queries.answers.len();
        let steps: Vec<usize> = (1..=POINTS).map(|step| (step * all).div_ceil(POINTS)).collect();
        let (mut rows, mut files) = (Vec::new(), Vec::new());
        if let Some(evolution) = self.evolution(&steps, 0) {
            files.push(Attachment::new(
                "figure-1-aida-testb.svg".to_owned(),
                evolution.f1_plot().svg(),
            ));
            let data = evolution.f1_in_rows().render(TSV, None);
            files.push(Attachment::new("figure-1-aida-testb.tsv".to_owned(), data));
        }
        let evolution = self.evolution(&[50, 200, 800, 3000, all], 0);
        for step in evolution.iter().flat_map(|evolution| &evolution.in_order) {
            for (name, f1) in self.names.iter().zip(&step.f1) {
                let labels = [&*step.queries.to_string(), name];
                rows.push(Row::new(&labels, "", decimals(Some(*f1), 3)));
            }
        }
        let remarks = [
            "Not in the paper, whose runs are not public: F1 of these systems on the first queries of the file. The paper \
             draws the same of the runs of TAC 2013.",
        ];
        let section = Section::new(
            "Figure 1 with outputs for AIDA testb",
            &["queries", "system"],
            rows,
            &remarks,
        );
        Section { files, ..section }
    }

    fn figure_4(&self) -> Section {
        let sizes = [5, 50, 100, 200, 400, 800, 1500, 3000, self.queries.answers.len()];
        let (mut rows, mut files) = (Vec::new(), Vec::new());
        let evolution = self.evolution(&sizes, 1000);
        if let Some(evolution) = &evolution {
            rows.extend(evolution.in_order.iter().map(|step| self.separation(evolution, step)));
            files.push(Attachment::new(
                "figure-4-aida-testb.svg".to_owned(),
                evolution.separation_plot().svg(),
            ));
            let data = evolution.separation_in_rows().render(TSV, None);
            files.push(Attachment::new("figure-4-aida-testb.tsv".to_owned(), data));
        }
        let note = format!(
            "Not in the paper, whose runs are not public: how many of the other systems are not significantly below {} when \
             only the first queries of the file are used. p is the share of 1000 samples in which it is not better, and has a \
             standard error of up to .016. In the given order a system drifts in and out: `karat collection size` looks at \
             many orders.",
            evolution.as_ref().map_or("the best", Evolution::best)
        );
        let section = Section::new(
            "Figure 4 with outputs for AIDA testb",
            &["queries", "number"],
            rows,
            &[&note],
        );
        Section { files, ..section }
    }

    /// How many systems are not below the best at one size, and what the others' p-values are.
    fn separation(&self, evolution: &Evolution, step: &GrowthStep) -> Row {
        let others = self.names.iter().zip(&step.p).filter(|(name, _)| **name != evolution.best());
        let ps: Vec<String> = others
            .filter_map(|(name, p)| {
                let p = p.filter(|p| *p > 0.0)?;
                Some(format!("{name} {p:.3}"))
            })
            .collect();
        let labels = [&*step.queries.to_string(), "not below the best"];
        Row::new(&labels, "", step.not_below.to_string()).note(&format!("p: {}", ps.join(", ")))
    }
}

/// At how many sizes F1 is drawn.
const POINTS: usize = 200;
