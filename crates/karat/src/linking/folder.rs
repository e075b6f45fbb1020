//! The folder of a run: every answer, the output, the report.

use super::answer::LinkingAnswer;
use super::request::recording_error;
use crate::error::Error;
use crate::work::Work;
use crate::written::write;
use karat_formats::{Layout, Output};
use karat_linkers::recording::{Exchange, Recording, RecordingHead};
use karat_model::Corpus;
use std::path::{Path, PathBuf};

/// What an output is written as that nothing may be lost of.
const FORMAT: &str = "karat-jsonl";

/// Where answers are kept in a folder.
pub(super) const ANSWERS: &str = "answers.jsonl";
/// Where the output is.
const OUTPUT: &str = "output.karat.jsonl";
/// Where the report is.
const REPORT: &str = "report.json";

/// The folder of a run.
pub(super) struct RunFolder {
    path: PathBuf,
}

impl RunFolder {
    pub(super) fn new(path: &str) -> RunFolder {
        RunFolder { path: Path::new(path).to_owned() }
    }

    /// Opens the folder, which is made if it is not there, and gives what is recorded in it.
    pub(super) fn open(&self, head: &RecordingHead) -> Result<(Recording, Vec<Exchange>), Error> {
        self.check()?;
        std::fs::create_dir_all(&self.path)
            .map_err(|error| Error::output(self.path.display().to_string(), error.into()))?;
        Recording::open(&self.path, head).map_err(recording_error)
    }

    /// Refuses a folder of somebody else's, in which files would be written over.
    pub(super) fn check(&self) -> Result<(), Error> {
        let shown = self.path.display();
        match self.path.is_file() || (self.path.is_dir() && !self.is_of_run()) {
            false => Ok(()),
            true => Err(Error::bad_request(
                format!("`{shown}` is there already and is no folder of a run"),
                "name a folder that is not there yet, or one of an earlier run, which goes on",
            )),
        }
    }

    fn is_of_run(&self) -> bool {
        let is_empty = std::fs::read_dir(&self.path).is_ok_and(|mut files| files.next().is_none());
        let has = |name: &str| self.path.join(name).is_file();
        // A replay leaves no answers.
        is_empty || has(ANSWERS) || (has(OUTPUT) && has(REPORT))
    }

    /// Writes what came out. The report names no paths, because folders of runs are given away.
    pub(super) fn finish(
        &self,
        corpus: &Corpus,
        answer: &LinkingAnswer,
        work: &Work,
    ) -> Result<(), Error> {
        if !self.path.is_dir() {
            // A replay has recorded nothing there.
            std::fs::create_dir_all(&self.path)
                .map_err(|error| Error::output(self.path.display().to_string(), error.into()))?;
        }
        let place = |name: &str| self.path.join(name).display().to_string();
        let format = crate::registry().named(FORMAT)?;
        write(corpus, format, &place(OUTPUT), None, work)?;
        let path = place(REPORT);
        let failed = |error| Error::output(path.as_str(), error);
        let text = serde_json::to_string_pretty(answer).unwrap_or_default() + "\n";
        let mut output = Output::create(&path, Layout::File).map_err(failed)?;
        output.single(|file| Ok(file.write_all(text.as_bytes())?)).map_err(failed)?;
        output.commit().map_err(failed)
    }
}
