//! Rosales-Méndez, Hogan and Poblete (2019), Fine-Grained Evaluation for Entity Linking. EMNLP.
//!
//! Computed from the categorised datasets (the release of August 2019) and the outputs of six systems
//! that the authors published.

mod figures;
mod printed;
mod tables;

use super::{Data, Paper, Section};
use crate::inputs::Run;
use crate::scoring::{Board, Scoring};
use karat_facets::ByTag;
use karat_formats::{Input, Problem, ReadOptions, Source};
use karat_measures::{NameError, presets};
use karat_model::Corpus;
use rayon::prelude::*;
use serde_json::Value;
use std::sync::Arc;

pub(super) static PAPER: Paper = Paper {
    name: "rosales-2019",
    title: "Rosales-Méndez, Hogan and Poblete (2019): Fine-Grained Evaluation for Entity Linking",
    needs: "finegrained: gold/ and systems/; expected/ for the appendix and the figures",
    run,
};

/// The systems, as the paper shortens them, and how their files begin.
const SYSTEMS: [(&str, &str); 6] = [
    ("Bs", "BABELFYs"),
    ("Br", "BABELFYr"),
    ("T", "TAGME"),
    ("D", "DBpediaSpotlight"),
    ("A", "AIDA"),
    ("F", "FREMENER"),
];

/// The datasets: as Table 2 calls them, and as the files of gold, systems and appendix do.
const DATASETS: [(&str, &str, &str); 3] =
    [("KORE50", "KORE50", "KORE50"), ("ACE2004", "ACE04", "ACE"), ("VoxEL", "VoxEL", "VoxEL")];

fn run(data: &Data) -> Result<Vec<Section>, Problem> {
    let study = Study::read(data)?;
    let (tables, figures) = rayon::join(
        || rayon::join(|| study.table_3(), || study.appendix(data)),
        || rayon::join(|| study.figure_4(data), || study.figure_5(data)),
    );
    let mut sections = vec![study.table_2(), tables.0?];
    sections.extend(tables.1?);
    sections.extend([study.combinations(), figures.0?, figures.1?]);
    Ok(sections)
}

/// Everything that is read.
struct Study {
    /// The gold of each dataset.
    datasets: Vec<Corpus>,
    /// All datasets as one.
    gold: Corpus,
    systems: Vec<Run>,
}

impl Study {
    fn read(data: &Data) -> Result<Study, Problem> {
        let gold = |file: &str| format!("finegrained/gold/categorized{file}.ttl");
        let golds = DATASETS.map(|(_, file, _)| gold(file));
        let system = |name: &str, files: Vec<String>| {
            let corpus = together(data, &files)?;
            Ok(Run::new(name, corpus))
        };
        let read_systems = || -> Result<Vec<Run>, Problem> {
            SYSTEMS
                .par_iter()
                .map(|(name, stem)| {
                    let file = |file: &str| format!("finegrained/systems/{stem}_{file}.ttl");
                    system(name, DATASETS.iter().map(|(_, _, dataset)| file(dataset)).collect())
                })
                .collect()
        };
        let read_gold = || {
            let datasets: Result<Vec<Corpus>, Problem> =
                golds.par_iter().map(|name| data.corpus(name)).collect();
            Ok((datasets?, together(data, &golds)?))
        };
        let (gold, systems) = rayon::join(read_gold, read_systems);
        let (datasets, gold) = gold?;
        Ok(Study { datasets, gold, systems: systems? })
    }

    /// A scoring that is sliced by tag.
    fn by_tag() -> Result<Scoring, Problem> {
        let mut scoring = Scoring::under(&presets::ROSALES_2019, &[]).map_err(unnamed)?;
        scoring.facets = vec![vec![Arc::new(ByTag)]];
        Ok(scoring)
    }

    fn score(&self, scoring: &Scoring, gold: &Corpus) -> Board {
        scoring.score("gold", gold, &self.systems)
    }
}

/// Several files as one corpus.
fn together(data: &Data, names: &[String]) -> Result<Corpus, Problem> {
    let source = |name: &String| Source::file(data.path(name));
    let input: Input = names.iter().map(source).collect();
    let read = crate::registry().read(&input, None, &ReadOptions::default());
    let first = names.first().map_or("", String::as_str);
    Ok(read.map_err(|problem| super::missing(problem, first))?.corpus)
}

/// A file of reference values, if it is there.
fn expected(data: &Data, name: &str) -> Result<Option<Value>, Problem> {
    let name = format!("finegrained/expected/{name}");
    if !data.has(&name) {
        return Ok(None);
    }
    let value = serde_json::from_str(&data.text(&name)?);
    value.map(Some).map_err(|error| data.problem(&name, error.to_string()))
}

/// The measures and presets are karat's own.
fn unnamed(error: NameError) -> Problem {
    Problem::new(karat_formats::Kind::Unreadable, presets::ROSALES_2019.name, error.message)
}
