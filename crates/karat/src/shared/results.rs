//! The results of a shared evaluation, for programs.

use super::folder::SharedFolder;
use crate::board::{BoardAnswer, BoardCell};
use crate::error::Error;
use karat_formats::{Kind, Problem};
use serde::{Deserialize, Serialize};
use std::path::Path;

/// The boards of a shared evaluation: `results.json` of its site.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct SharedResults {
    /// The version of karat.
    pub karat: String,
    /// What the evaluation is called.
    pub title: String,
    /// The boards: one for each convention and measure.
    pub boards: Vec<SharedBoard>,
    /// What changed when, the newest first.
    pub entries: Vec<FeedEntry>,
}

/// A board of a shared evaluation.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct SharedBoard {
    /// The convention, as `evaluation.toml` has it.
    pub convention: String,
    /// The board.
    #[serde(flatten)]
    pub board: BoardAnswer,
}

/// Something that changed.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct FeedEntry {
    /// What never changes about it.
    pub id: String,
    /// When, as its file says: `2026-11-18`.
    pub date: String,
    /// What, in a few words.
    pub title: String,
    /// What else is to be known.
    pub summary: String,
    /// The system, if it is an output.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub system: Option<String>,
    /// The benchmark, with its edition.
    pub benchmark: String,
}

impl SharedResults {
    /// The results of these boards, with what changed according to the files of a folder. No clock is asked, so that the
    /// same folder has the same results.
    pub fn of(folder: &SharedFolder, boards: Vec<SharedBoard>) -> SharedResults {
        let mut results = SharedResults {
            karat: env!("CARGO_PKG_VERSION").to_owned(),
            title: folder.evaluation.title.clone(),
            boards,
            entries: Vec::new(),
        };
        for benchmark in &folder.benchmarks {
            for edition in &benchmark.record.editions {
                let name = benchmark.title_of(edition);
                if let Some(date) = &edition.date {
                    results.entries.push(FeedEntry {
                        id: format!("urn:karat:edition:{}", edition.sha256.to_lowercase()),
                        date: date.clone(),
                        title: format!("Edition {} of {}", edition.name, benchmark.record.title),
                        summary: edition.note.clone().unwrap_or_default(),
                        system: None,
                        benchmark: name.clone(),
                    });
                }
                for run in folder.runs().filter(|run| run.is_of(benchmark, edition)) {
                    let score = results.score(&run.system, &name);
                    results.entries.push(FeedEntry {
                        id: format!("urn:karat:output:{}:{}:{}", run.system, name, run.record.date),
                        date: run.record.date.clone(),
                        title: format!("{} on {name}{score}", run.system),
                        summary: run.record.note.clone().unwrap_or_default(),
                        system: Some(run.system.clone()),
                        benchmark: name.clone(),
                    });
                }
            }
        }
        results.entries.sort_by(|a, b| b.date.cmp(&a.date).then(a.id.cmp(&b.id)));
        results
    }

    /// The headline score in words: `: link F1 0.663`.
    fn score(&self, system: &str, benchmark: &str) -> String {
        let Some(first) = self.boards.first() else { return String::new() };
        let value = first.board.cell(system, benchmark).and_then(|cell| cell.value);
        let name = format!("{} {}", first.board.measure, first.board.score_title());
        value.map(|value| format!(": {name} {value:.3}")).unwrap_or_default()
    }

    /// Reads the results of a site: its folder, or the file itself.
    pub fn read(path: &str) -> Result<SharedResults, Error> {
        let file = match Path::new(path).is_dir() {
            true => Path::new(path).join("results.json"),
            false => Path::new(path).to_owned(),
        };
        let name = file.display().to_string();
        let bytes = std::fs::read(&file).map_err(|error| {
            let problem = Problem::new(Kind::Unreadable, name.clone(), error.to_string());
            problem.hint("name the folder that karat report has written, or its results.json")
        })?;
        Ok(serde_json::from_slice(&bytes).map_err(|error| {
            let message = format!("these are no results of a shared evaluation: {error}");
            Problem::new(Kind::Malformed, name, message)
        })?)
    }

    /// Every score, with what it is a score of: convention, measure, benchmark, system.
    pub(super) fn scores(&self) -> Vec<([String; 4], &BoardCell)> {
        let mut scores = Vec::new();
        for SharedBoard { convention, board } in &self.boards {
            let measure = format!("{} {}", board.measure, board.score_title());
            for row in &board.rows {
                for (cell, column) in row.cells.iter().zip(&board.benchmarks) {
                    if cell.value.is_some() {
                        let of =
                            [convention, &measure, &column.name, &row.system].map(Clone::clone);
                        scores.push((of, cell));
                    }
                }
            }
        }
        scores
    }
}
