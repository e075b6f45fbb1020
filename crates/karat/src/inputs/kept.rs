//! Corpora that are kept in a store and read back.
//!
//! A corpus is kept as karat-jsonl, the one format in which nothing of it is lost: one line for each document.
//! Runs are kept after they were settled against their benchmark, so that reading one back only parses it. What the
//! lines do not say, how offsets count in documents without text, is kept beside them ([`KeptOffsets`]).

use super::Benchmark;
use super::offsets::Counting;
use crate::error::Error;
use karat_formats::{Layout, Offsets, Output, ReadOptions, Source};
use karat_model::{Corpus, End, OffsetUnit};
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// How the offsets of a kept benchmark count where it has no texts, and what it was read as.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct KeptOffsets {
    /// The formats that it was read as, joined by commas.
    pub formats: String,
    /// What offsets count; nothing where all documents have texts.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub unit: Option<OffsetUnit>,
    /// What end offsets mean.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub end: Option<End>,
}

/// A corpus as canonical karat-jsonl: one line for each document, each with its line end. Equal corpora have
/// equal lines, so a digest of the lines names a corpus.
pub fn canonical_lines(corpus: &Corpus) -> Result<Vec<Vec<u8>>, Error> {
    let registry = crate::registry();
    let mut output = Output::memory(Layout::File);
    let format = registry.named(FORMAT)?;
    registry.write(corpus, format, &mut output).map_err(|error| Error::output(FORMAT, error))?;
    let mut lines = Vec::with_capacity(corpus.len());
    for source in output.into_sources() {
        let content = source.bytes(None)?;
        lines.extend(content.split_inclusive(|byte| *byte == b'\n').map(<[u8]>::to_vec));
    }
    Ok(lines)
}

const FORMAT: &str = "karat-jsonl";

impl Benchmark {
    /// How its offsets count, to be kept with its lines.
    pub fn kept_offsets(&self) -> KeptOffsets {
        let counting = self.counting.clone().unwrap_or_default();
        KeptOffsets {
            unit: counting.bare.map(|offsets| offsets.unit),
            end: counting.bare.map(|offsets| offsets.end),
            formats: counting.formats,
        }
    }

    /// A benchmark that was kept, from what [`read_canonical`] gives.
    pub fn kept(
        name: impl Into<String>,
        corpus: impl Into<Arc<Corpus>>,
        offsets: &KeptOffsets,
    ) -> Benchmark {
        let bare = offsets.unit.map(|unit| Offsets {
            unit,
            end: offsets.end.unwrap_or(End::Exclusive),
            ..Offsets::CODE_POINTS
        });
        let counting = Some(Counting { bare, formats: offsets.formats.clone() });
        Benchmark { name: name.into(), corpus: corpus.into(), counting }
    }
}

/// The corpus of canonical lines, one after the other. `name` is what it is called in problems.
pub fn read_canonical(name: &str, lines: Vec<u8>) -> Result<Corpus, Error> {
    let input = Source::memory(name, lines).into();
    // The threads of a page's pool may all be busy with something that waits for this.
    let options = ReadOptions { threads: 1, ..ReadOptions::default() };
    Ok(crate::registry().read(&input, Some(FORMAT), &options)?.corpus)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_kept_comes_back() -> Result<(), Box<dyn std::error::Error>> {
        let sample = crate::sample::experiment()?;
        let lines = canonical_lines(&sample.benchmark.corpus)?;
        assert_eq!(lines.len(), sample.benchmark.corpus.len());
        let corpus = read_canonical("sample", lines.concat())?;
        let kept = Benchmark::kept("sample", corpus, &sample.benchmark.kept_offsets());
        assert_eq!(kept.corpus.digest(), sample.benchmark.corpus.digest());
        assert_eq!(kept.kept_offsets(), sample.benchmark.kept_offsets());
        assert_eq!(canonical_lines(&kept.corpus)?, lines);
        for run in &sample.runs {
            let lines = canonical_lines(&run.corpus)?;
            let kept = read_canonical(&run.name, lines.concat())?;
            assert_eq!(kept.digest(), run.corpus.digest());
        }
        Ok(())
    }
}
