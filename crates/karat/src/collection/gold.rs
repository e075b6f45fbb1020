//! Gold by itself: read from a file, or held in memory.

use crate::error::Error;
use crate::inputs::{InputRequest, ReadingRequest, signed_gold};
use crate::work::Work;
use karat_model::{Corpus, Notice};
use std::sync::Arc;

/// A benchmark without any runs.
#[derive(Debug, Clone)]
pub struct GoldCorpus {
    /// What it is called.
    pub name: String,
    /// Its documents.
    pub corpus: Arc<Corpus>,
}

impl GoldCorpus {
    /// The benchmarks of a request. Those that are held are shared and not copied; the others are read, several at a
    /// time.
    pub fn all(
        inputs: &[InputRequest],
        reading: &ReadingRequest,
        work: &Work,
        told: &mut Vec<Notice>,
    ) -> Result<Vec<GoldCorpus>, Error> {
        let files: Vec<&InputRequest> =
            inputs.iter().filter(|input| input.held_name().is_none()).collect();
        let read = match files.is_empty() {
            true => Vec::new(),
            false => reading.read(&files, work)?,
        };
        let mut read = read.into_iter();
        let mut all = Vec::new();
        for input in inputs {
            match input.held_name() {
                Some(name) => all.push(GoldCorpus::held(name, work)?),
                // There is one for each input that is not held, in the same order.
                None => all.extend(read.next().map(|mut input| {
                    told.append(&mut input.notices);
                    GoldCorpus { name: input.name, corpus: Arc::new(input.outcome.corpus) }
                })),
            }
        }
        Ok(all)
    }

    /// One benchmark of a request.
    pub fn one(
        input: &InputRequest,
        work: &Work,
        told: &mut Vec<Notice>,
    ) -> Result<GoldCorpus, Error> {
        let reading = ReadingRequest::default();
        let mut all = GoldCorpus::all(std::slice::from_ref(input), &reading, work, told)?;
        all.pop().ok_or_else(|| Error::bad_request("there is no benchmark", "give one"))
    }

    fn held(name: &str, work: &Work) -> Result<GoldCorpus, Error> {
        let nothing = || Error::unknown("benchmark", name, std::iter::empty());
        let benchmark = work.shelf.as_deref().ok_or_else(nothing)?.benchmark(name)?;
        Ok(GoldCorpus { name: name.to_owned(), corpus: benchmark.corpus })
    }

    /// How signatures name it.
    pub fn signature(&self) -> String {
        signed_gold(&self.name, self.corpus.digest())
    }
}
