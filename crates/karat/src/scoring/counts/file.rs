//! Counts in files: JSON Lines, the plan first.
//!
//! Every further line is a row with its `kind`: `corpus` and `system` describe a part, `document`, `cell`,
//! `confidence` and `asked` are counts. Rows of systems name them by their place in the plan. The last row, `end`,
//! has the number of rows before it: a file that was cut off would otherwise score as a smaller corpus.

use super::{
    ClusterCell, ConfidenceCount, CountedGold, CountedPurpose, CountedSystem, CountsPlan,
    DocumentCounts, EvaluationCounts, VERSION,
};
use crate::error::Error;
use crate::notices;
use karat_model::{DocumentDigests, Hint, in_words};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::io::{BufRead, Write};
use std::path::Path;

/// A line after the first.
#[derive(Debug, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "kebab-case")]
enum CountsRow {
    Corpus(CountedGold),
    System {
        system: usize,
        source: String,
        silent_documents: usize,
        unknown_documents: Vec<String>,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        digests: Option<DocumentDigests>,
        /// How many purposes there are: a part may have none of what they ask for.
        purposes: usize,
    },
    Document {
        system: usize,
        #[serde(flatten)]
        row: DocumentCounts,
    },
    Found {
        system: usize,
        measure: usize,
        documents: Option<Vec<String>>,
    },
    Asked {
        system: usize,
        purpose: usize,
        items: u64,
    },
    Cell {
        system: usize,
        purpose: usize,
        #[serde(flatten)]
        cell: ClusterCell,
    },
    Confidence {
        system: usize,
        purpose: usize,
        #[serde(flatten)]
        row: ConfidenceCount,
    },
    End {
        /// How many rows are between the plan and this one.
        rows: u64,
    },
}

/// What is wrong with a line.
#[derive(Debug, thiserror::Error)]
enum BadLine {
    #[error(transparent)]
    Unreadable(#[from] std::io::Error),
    #[error(transparent)]
    Json(#[from] serde_json::Error),
    #[error("it does not begin with the plan of counts")]
    NoPlan,
    #[error("counts of version {0}: this karat knows {VERSION}")]
    OtherVersion(u64),
    #[error("the system {0} was not expected here")]
    OtherSystem(usize),
    #[error("the measure {0} was not expected here")]
    OtherMeasure(usize),
    #[error("there is no system {0}")]
    NoSystem(usize),
    #[error("there is no purpose {0}")]
    NoPurpose(usize),
    #[error("a second `corpus` row")]
    SecondCorpus,
    #[error("a row after the last one")]
    AfterEnd,
    #[error("{written} rows were written, here are {rows}")]
    OtherRows { written: u64, rows: u64 },
}

/// No plan has so many measures that it needs more.
const MOST_PURPOSES: usize = 1 << 16;

impl EvaluationCounts {
    /// Writes the counts.
    pub fn write(&self, to: &mut dyn Write) -> std::io::Result<()> {
        write_line(to, &self.plan)?;
        let mut rows = 0;
        let mut line = |row: CountsRow| {
            rows += 1;
            write_line(to, &row)
        };
        line(CountsRow::Corpus(self.gold.clone()))?;
        for (system, counted) in self.systems.iter().enumerate() {
            line(CountsRow::System {
                system,
                source: counted.source.clone(),
                silent_documents: counted.silent_documents,
                unknown_documents: counted.unknown_documents.clone(),
                digests: counted.digests.clone(),
                purposes: counted.purposes.len(),
            })?;
            for row in &counted.documents {
                line(CountsRow::Document { system, row: row.clone() })?;
            }
            for (measure, documents) in counted.found.iter().enumerate() {
                line(CountsRow::Found { system, measure, documents: documents.clone() })?;
            }
            for (purpose, counted) in counted.purposes.iter().enumerate() {
                line(CountsRow::Asked { system, purpose, items: counted.gold })?;
                for cell in &counted.cells {
                    line(CountsRow::Cell { system, purpose, cell: cell.clone() })?;
                }
                for row in &counted.confidences {
                    line(CountsRow::Confidence { system, purpose, row: row.clone() })?;
                }
            }
        }
        write_line(to, &CountsRow::End { rows })
    }

    /// Reads counts; `name` is what the file is called in errors.
    pub fn read(name: &str, from: &mut dyn BufRead) -> Result<EvaluationCounts, Error> {
        let mut counts: Option<EvaluationCounts> = None;
        let (mut rows, mut ended, mut described) = (0, false, false);
        // Lines are numbered for messages. The file is read line by line: counts of a large corpus
        // are large as well.
        for (line, number) in from.lines().zip(1..) {
            let wrong = |line: BadLine| bad(name, &format!("line {number}: {line}"));
            let line = line.map_err(|error| wrong(error.into()))?;
            let Some(counts) = &mut counts else {
                counts = Some(EvaluationCounts {
                    plan: plan(&line).map_err(wrong)?,
                    gold: CountedGold::default(),
                    systems: Vec::new(),
                });
                continue;
            };
            let row = serde_json::from_str(&line).map_err(|error| wrong(error.into()))?;
            match row {
                _ if ended => return Err(wrong(BadLine::AfterEnd)),
                // More or fewer rows than were written: a file that lost lines would score as a
                // smaller corpus.
                CountsRow::End { rows: written } if written != rows => {
                    return Err(wrong(BadLine::OtherRows { written, rows }));
                }
                CountsRow::End { .. } => ended = true,
                CountsRow::Corpus(_) if std::mem::replace(&mut described, true) => {
                    return Err(wrong(BadLine::SecondCorpus));
                }
                row => {
                    rows += 1;
                    counts.take_in(row).map_err(wrong)?;
                }
            }
        }
        let counts = counts.ok_or_else(|| bad(name, "it is empty"))?;
        if !ended {
            let last = rows + 1;
            return Err(bad(name, &format!("line {last}: it is cut off, there is no `end` row")));
        }
        // Without it, gold would have no documents, no mentions and no digest.
        if !described {
            return Err(bad(name, "there is no `corpus` row"));
        }
        match counts.systems.len() == counts.plan.systems.len() {
            true => Ok(counts),
            false => Err(bad(name, "it ends before all systems")),
        }
    }

    /// Reads a file of counts.
    pub fn open(path: &str) -> Result<EvaluationCounts, Error> {
        let file = std::fs::File::open(Path::new(path));
        let file = file.map_err(|error| bad(path, &in_words(&error)))?;
        EvaluationCounts::read(path, &mut std::io::BufReader::new(file))
    }

    fn take_in(&mut self, row: CountsRow) -> Result<(), BadLine> {
        match row {
            CountsRow::Corpus(gold) => self.gold = gold,
            CountsRow::System {
                system,
                source,
                silent_documents,
                unknown_documents,
                digests,
                purposes,
            } => {
                // Refused before memory is taken for so many purposes as the file claims.
                if system != self.systems.len() || purposes > MOST_PURPOSES {
                    return Err(BadLine::OtherSystem(system));
                }
                self.systems.push(CountedSystem {
                    source,
                    silent_documents,
                    unknown_documents,
                    digests,
                    documents: Vec::new(),
                    found: Vec::new(),
                    purposes: vec![CountedPurpose::default(); purposes],
                });
            }
            CountsRow::Document { system, row } => self.system(system)?.documents.push(row),
            CountsRow::Found { system, measure, documents } => {
                let found = &mut self.system(system)?.found;
                if measure != found.len() {
                    return Err(BadLine::OtherMeasure(measure));
                }
                found.push(documents);
            }
            CountsRow::Asked { system, purpose, items } => {
                self.purpose(system, purpose)?.gold = items;
            }
            CountsRow::Cell { system, purpose, cell } => {
                self.purpose(system, purpose)?.cells.push(cell);
            }
            CountsRow::Confidence { system, purpose, row } => {
                self.purpose(system, purpose)?.confidences.push(row);
            }
            CountsRow::End { .. } => {}
        }
        Ok(())
    }

    fn system(&mut self, system: usize) -> Result<&mut CountedSystem, BadLine> {
        self.systems.get_mut(system).ok_or(BadLine::NoSystem(system))
    }

    fn purpose(&mut self, system: usize, purpose: usize) -> Result<&mut CountedPurpose, BadLine> {
        let purposes = &mut self.system(system)?.purposes;
        purposes.get_mut(purpose).ok_or(BadLine::NoPurpose(purpose))
    }
}

/// The plan, if this karat knows its version.
fn plan(line: &str) -> Result<CountsPlan, BadLine> {
    // The version first, out of the bare JSON: a plan of another version need not parse as ours.
    let value: Value = serde_json::from_str(line)?;
    match value.get("karat.counts").and_then(Value::as_u64) {
        Some(version) if version == u64::from(VERSION) => Ok(serde_json::from_value(value)?),
        Some(version) => Err(BadLine::OtherVersion(version)),
        None => Err(BadLine::NoPlan),
    }
}

fn bad(name: &str, message: &str) -> Error {
    Error::refused(
        &notices::BAD_INPUT,
        format!("`{name}` cannot be read as counts: {message}"),
        Hint::template("counts are what `karat eval` writes with {counts-to}; take them again"),
    )
}

fn write_line(to: &mut dyn Write, row: &impl Serialize) -> std::io::Result<()> {
    serde_json::to_writer(&mut *to, row)?;
    to.write_all(b"\n")
}
