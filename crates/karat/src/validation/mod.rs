//! Checking files, and mending what can be mended.
//!
//! ```
//! use karat::inputs::InputRequest;
//! use karat::request::{Answer, Request};
//! use karat::validation::ValidationRequest;
//! use karat::work::Work;
//!
//! let folder = tempfile::tempdir()?;
//! let path = folder.path().join("run.karat.jsonl");
//! let annotations = r#"[{"span":[0,7],"link":"Q64"}]"#;
//! let record = format!(r#"{{"document":"d1","text":"Berlin is","annotations":{annotations}}}"#);
//! std::fs::write(&path, record)?;
//! let inputs = vec![InputRequest::parse(&path.display().to_string())];
//! let answer = ValidationRequest { inputs, ..ValidationRequest::default() }.answer(&Work::default())?;
//! assert_eq!(answer.inputs[0].findings[0].check, "white-space");
//! assert!(!answer.passes() && !answer.is_unreadable());
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod answer;
mod asked;
mod benchmark;
mod checked;
mod fix;
mod text;

use crate::command::CommandLine;
use crate::error::{Error, notice_of};
use crate::inputs::{InputReader, InputRequest, ReadInput, ReadingRequest, check_offsets};
use crate::notices;
use crate::request::Request;
use crate::work::Work;
use asked::Asked;
use checked::{Checked, ReadTwice};
use karat_checks::{CheckReport, Subject};
use karat_kb::KnowledgeBase;
use karat_model::{Hint, Notice};
use serde::{Deserialize, Serialize};
use std::path::Path;

pub use answer::{FindingRecord, FixedFile, ValidatedInput, ValidationAnswer};
pub use asked::check_list;
pub use benchmark::{
    BenchmarkChecksAnswer, BenchmarkChecksRequest, CheckCount, CheckedPlace, EditPreview,
};

/// Checks files, and mends them if that is asked for.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct ValidationRequest {
    /// What is checked, each an input of its own.
    pub inputs: Vec<InputRequest>,
    /// The gold standard they belong to.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub gold: Option<InputRequest>,
    /// The file of a knowledge base, to look links up in.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub kb: Option<String>,
    /// Only these checks; `rule` are all rules, the name of a rule that one. All if none is named.
    pub checks: Vec<String>,
    /// Rules of the user's own, as `{CONDITIONS}[TAGS TO ADD](TAGS TO REMOVE)`.
    pub rules: Vec<String>,
    /// A file with more rules, one on a line.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rules_file: Option<String>,
    /// What is done about the findings; nothing if absent.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub fix: Option<FixRequest>,
    /// How files are read. Bad records never stop a validation: `lenient` is about those of gold. The answer
    /// has all findings; `list_all` is about how many are told and shown.
    pub reading: ReadingRequest,
}

/// How files are mended.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct FixRequest {
    /// Where the words of a mention are not those of the text at its offsets, take those of the text.
    pub surface: bool,
    /// The file to write. Without it the input is written over, and what it was before is kept beside it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub output: Option<String>,
}

impl Request for ValidationRequest {
    type Answer = ValidationAnswer;

    const NAME: &'static str = "validation";

    fn answer(&self, work: &Work) -> Result<ValidationAnswer, Error> {
        let mut validation = self.validate(work)?;
        validation.fix(work)?;
        Ok(validation.answer)
    }

    fn commands(&self) -> Vec<CommandLine> {
        let ValidationRequest { inputs, gold, kb, checks, rules, rules_file, fix, reading } = self;
        let surface = fix.as_ref().is_some_and(|fix| fix.surface);
        let command = CommandLine::of("validate")
            .arguments(inputs.iter().map(InputRequest::written))
            .maybe("-g", gold.as_ref().map(InputRequest::written))
            .switch("--fix", fix.is_some())
            .switch("--fix-surface", surface)
            .maybe("-o", fix.as_ref().and_then(|fix| fix.output.as_ref()))
            .each("--rule", rules)
            .maybe("--rules", rules_file.as_ref())
            .maybe("--kb", kb.as_ref())
            .list("--check", checks)
            .reading(reading, inputs.iter().chain(gold));
        vec![command]
    }
}

/// Files that were checked, and what was found. They can be mended, which is a step of its own so that findings can be shown
/// even where a fix is refused.
#[derive(Debug)]
pub struct Validation<'r> {
    /// What was found so far.
    pub answer: ValidationAnswer,
    run: CheckRun<'r>,
}

/// What is needed to mend.
#[derive(Debug)]
struct CheckRun<'r> {
    request: &'r ValidationRequest,
    asked: Asked,
    gold: Option<ReadInput>,
    base: Option<KnowledgeBase>,
    inputs: Vec<Checked<'r>>,
}

impl ValidationRequest {
    /// Checks the files, and leaves them as they are.
    pub fn validate(&self, work: &Work) -> Result<Validation<'_>, Error> {
        self.check_inputs()?;
        let mut told = Vec::new();
        let asked = self.asked(&mut told)?;
        let gold = self.gold.as_ref().map(|gold| self.reading.read_alone(gold, work));
        let mut gold = gold.transpose()?;
        gold.iter_mut().for_each(|gold| told.append(&mut gold.notices));
        let base = self.kb.as_ref().map(|kb| KnowledgeBase::open(Path::new(kb))).transpose()?;
        let reader = InputReader::new(&self.reading, work)?;
        let mut run = CheckRun { request: self, asked, gold, base, inputs: Vec::new() };
        let mut unreadable = Vec::new();
        for input in &self.inputs {
            match self.read_beside(input, run.gold.as_ref(), &reader, &mut told) {
                Ok(read) => run.check(input, read),
                // The other inputs are checked all the same.
                Err(Error::Input(problem)) => {
                    told.push(notice_of(&problem, &notices::BAD_INPUT));
                    unreadable.push(input.written());
                }
                Err(error) => return Err(error),
            }
            work.check()?;
        }
        run.base.as_ref().map_or(Ok(()), KnowledgeBase::check)?;
        let answer = ValidationAnswer {
            karat: env!("CARGO_PKG_VERSION").to_owned(),
            inputs: run.inputs.iter().map(Checked::record).collect(),
            unreadable,
            fixes: Vec::new(),
            list_all: self.reading.list_all,
            notices: told,
        };
        Ok(Validation { answer, run })
    }

    fn check_inputs(&self) -> Result<(), Error> {
        let Some(fix) = &self.fix else { return Ok(()) };
        if let (Some(output), true) = (&fix.output, self.inputs.len() > 1) {
            return Err(Error::bad_request(
                format!("`{output}` is one file, but there are several inputs"),
                Hint::template("fix them one by one, or leave {output} out"),
            ));
        }
        let is_patched = self.inputs.iter().any(|input| !input.patches.is_empty());
        if fix.output.is_none() && is_patched {
            return Err(Error::bad_request(
                "gold with patches would be written over gold as it is",
                Hint::template("name another file with {output}"),
            ));
        }
        if fix.surface && self.inputs.iter().any(|input| input.path == "-") {
            return Err(Error::bad_request(
                "standard input cannot be read twice",
                Hint::template("name a file, or leave {fix-surface} out"),
            ));
        }
        Ok(())
    }

    /// Reads an input and, if there is a gold standard, makes sure that both count alike.
    fn read_beside(
        &self,
        input: &InputRequest,
        gold: Option<&ReadInput>,
        reader: &InputReader<'_>,
        told: &mut Vec<Notice>,
    ) -> Result<ReadTwice, Error> {
        let mut read = reader.read(input, self.reading.offsets_decide)?;
        told.append(&mut read.notices);
        if let Some(gold) = gold {
            // What is checked, and mended, is the file as it is.
            told.extend(check_offsets(gold, &read)?);
        }
        // Read twice, because only the first reading knows which words were wrong.
        let relabelled = match self.fix.as_ref().is_some_and(|fix| fix.surface) {
            true => Some(reader.read(input, true)?.outcome),
            false => None,
        };
        Ok(ReadTwice { outcome: read.outcome, relabelled })
    }
}

impl<'r> CheckRun<'r> {
    fn check(&mut self, input: &'r InputRequest, read: ReadTwice) {
        let report = {
            let subject = self.subject(&read);
            CheckReport::with_rules(&subject, &self.asked.checks, &self.asked.rules)
        };
        self.inputs.push(Checked { input, read, report });
    }

    /// An input beside what it is checked against.
    fn subject<'a>(&'a self, read: &'a ReadTwice) -> Subject<'a> {
        let gold = self.gold.as_ref().map(|gold| &gold.outcome.corpus);
        Subject { corpus: read.corpus(), gold, base: self.base.as_ref() }
    }
}
