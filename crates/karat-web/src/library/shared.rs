//! The library of a shared evaluation: a folder of files, and answers that are kept in another.

use super::{CorpusKeys, Library, LibraryContents};
use crate::catalogue::Catalogue;
use crate::refusal::Refusal;
use karat::inputs::{InputRequest, Inputs, Shelf};
use karat::shared::{AnswerFolder, SharedExperiments};
use std::sync::Arc;
use std::time::Duration;

/// The editions of a shared evaluation with their outputs. All answers are kept, so that the next time only what
/// changed is computed.
#[derive(Debug)]
pub struct SharedLibrary {
    contents: Arc<LibraryContents>,
    answers: AnswerFolder,
}

impl SharedLibrary {
    /// A library of what was read, with answers in a folder.
    pub fn new(read: SharedExperiments, answers: AnswerFolder) -> SharedLibrary {
        let mut shelf = Shelf::default();
        let (mut experiments, mut gold) = (Vec::new(), Vec::<InputRequest>::new());
        for edition in read.experiments {
            experiments.push(edition.experiment.clone());
            // Gold as it is and with its patches are of one file.
            match gold.iter_mut().find(|known| known.called() == edition.gold.called()) {
                Some(known) => *known = edition.gold,
                None => gold.push(edition.gold),
            }
            // What was said about one edition is about that one only, so that a change of one changes no answer about
            // another.
            shelf.add(edition.experiment, edition.notices);
        }
        let files = Inputs { gold, ..Inputs::default() };
        let contents = LibraryContents {
            catalogue: Arc::new(Catalogue::of(&experiments, &files, Vec::new())),
            shelf: Arc::new(shelf),
            corpora: CorpusKeys::Digests(read.digests.into_iter().collect()),
        };
        SharedLibrary { contents: Arc::new(contents), answers }
    }

    /// How many answers were found in the folder, and how many had to be computed.
    pub fn counts(&self) -> [usize; 2] {
        self.answers.counts()
    }
}

impl Library for SharedLibrary {
    fn contents(&self) -> Result<Arc<LibraryContents>, Refusal> {
        Ok(Arc::clone(&self.contents))
    }

    fn kept_answer(&self, key: &str) -> Option<Vec<u8>> {
        self.answers.get(key)
    }

    fn worth_keeping(&self) -> Duration {
        Duration::ZERO
    }

    fn keep_answer(&self, key: &str, _request: &'static str, body: Vec<u8>) {
        self.answers.put(key, &body);
    }
}
