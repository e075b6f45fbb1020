//! How inputs are read, as a request, and what reading them gives.

use super::patched::patched;
use crate::error::{Error, notice_of};
use crate::notices;
use crate::work::Work;
use karat_formats::{Findings, Input, Kind, Problem, ReadOptions, ReadOutcome};
use karat_model::{Change, Corpus, Edit, End, Hint, Notice, OffsetUnit, Span, Watch};
use rayon::prelude::*;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::sync::Arc;

/// What describes a file: settings that are true of one input and may be wrong for another.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct FileDescription {
    /// Its format; recognised by content if absent.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub from: Option<String>,
    /// What its offsets count, if not what is usual in its format.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub unit: Option<OffsetUnit>,
    /// What its end offsets mean, if not what is usual in its format.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub end: Option<End>,
    /// For tables: which column is what.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub columns: BTreeMap<String, String>,
    /// How far all its offsets are moved, for files that count from 1, for instance.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub shift: Option<i64>,
}

impl FileDescription {
    /// Whether nothing is described.
    pub fn is_empty(&self) -> bool {
        *self == FileDescription::default()
    }

    /// This description, with what it leaves open taken from another.
    pub(crate) fn or(&self, other: &FileDescription) -> FileDescription {
        FileDescription {
            from: self.from.clone().or_else(|| other.from.clone()),
            unit: self.unit.or(other.unit),
            end: self.end.or(other.end),
            // All columns or none: a mixture of two descriptions of a table would describe neither.
            columns: if self.columns.is_empty() { &other.columns } else { &self.columns }.clone(),
            shift: self.shift.or(other.shift),
        }
    }
}

/// An input: where it is, what it is called, and what describes it alone.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct InputRequest {
    /// What it is called; as its folder or the stem of its file if absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// A file, a folder, `-` for standard input, or several joined by commas.
    pub path: String,
    /// For gold: the patches that are applied to it, one after the other.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub patches: Vec<String>,
    /// For the output of a system: the benchmark it is for, if it is for one only.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub benchmark: Option<String>,
    /// What is true of this input, whatever is said of all.
    #[serde(default, skip_serializing_if = "FileDescription::is_empty")]
    pub describe: FileDescription,
}

impl InputRequest {
    /// The input that people write as `PATH`, `NAME=PATH` or `NAME@BENCHMARK=PATH`.
    pub fn parse(text: &str) -> InputRequest {
        let (name, path) = Input::split_name(text);
        // The name of a file may have an `@` too, and means nothing by it.
        let (name, benchmark) = match name.and_then(|name| name.rsplit_once('@')) {
            Some((name, benchmark)) => (Some(name), Some(benchmark.to_owned())),
            None => (name, None),
        };
        InputRequest {
            name: name.map(str::to_owned),
            path: path.to_owned(),
            benchmark,
            patches: Vec::new(),
            describe: FileDescription::default(),
        }
    }
}

/// How inputs are read.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct ReadingRequest {
    /// What describes every input that it fits.
    #[serde(skip_serializing_if = "FileDescription::is_empty")]
    pub describe: FileDescription,
    /// Skip bad records, count and list them, and go on.
    pub lenient: bool,
    /// Refuse what is otherwise repaired: mentions whose words are not those of the text, and documents that occur twice.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub strict: bool,
    /// A corpus with the texts of the documents, for inputs that have none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub documents: Option<String>,
    /// List everything that was skipped or repaired, not only the first few of each.
    pub list_all: bool,
    /// Where the words of a mention are not those of the text at its offsets, take those of the text.
    pub offsets_decide: bool,
}

/// An input that was read.
#[derive(Debug)]
pub struct ReadInput {
    /// What it is called.
    pub name: String,
    /// Where it was read from.
    pub source: String,
    /// What reading it gave.
    pub outcome: ReadOutcome,
    /// What its reader has to know.
    pub notices: Vec<Notice>,
}

impl ReadInput {
    /// With the patches of the input, if it has some: it is another edition then, and called so.
    fn patched(self, input: &InputRequest) -> Result<ReadInput, Error> {
        if input.patches.is_empty() {
            return Ok(self);
        }
        let ReadInput { name, source, mut outcome, mut notices } = self;
        let unit = outcome.unit();
        let (name, corpus) = patched(&name, &outcome.corpus, unit, &input.patches, &mut notices)?;
        outcome.corpus = corpus;
        Ok(ReadInput { name, source, outcome, notices })
    }
}

impl ReadingRequest {
    /// Reads inputs, several at a time. The first that cannot be read is the one that is named,
    /// whichever failed first.
    pub fn read(&self, inputs: &[&InputRequest], work: &Work) -> Result<Vec<ReadInput>, Error> {
        // All inputs are opened before one is read: a misspelt path should not be found after
        // minutes.
        let opened = inputs.iter().map(|input| input.open()).collect::<Result<Vec<_>, _>>()?;
        work.begin("reading", opened.iter().map(|(_, files)| files.size()).sum())?;
        let given = self.given_documents(work)?;
        let threads = work.thread_count();
        // Two files on two cores need not wait for each other, while two cores on one file do.
        let at_once = threads.min(inputs.len()).max(1);
        let options = self.options(&given, threads / at_once, work);
        let read_all = || -> Vec<Result<Read, Problem>> {
            let each = opened.par_iter().zip(inputs).with_max_len(1);
            each.map(|((_, files), input)| self.read_one(files, input, inputs.len() > 1, &options))
                .collect()
        };
        // Errors in the order of the inputs, not in that of the threads, so that the same request
        // fails in the same way.
        let read = work.run(read_all)?;
        let read = read.into_iter().collect::<Result<Vec<Read>, Problem>>()?;
        self.check_fits_somewhere(&read)?;
        if self.lenient {
            let mut each = read.iter().zip(inputs);
            each.try_for_each(|(read, input)| check_mostly_read(&read.outcome, &input.path))?;
        }
        let named = opened.into_iter().zip(inputs).zip(read);
        named
            .map(|(((name, _), input), read)| self.told(name, input, read).patched(input))
            .collect()
    }

    /// Reads one input.
    pub fn read_alone(&self, input: &InputRequest, work: &Work) -> Result<ReadInput, Error> {
        let mut read = self.read(&[input], work)?;
        match read.pop() {
            Some(read) => Ok(read),
            None => Err(Error::bad_request("no input was read", "give one")),
        }
    }

    /// How an input that is read part by part is read: nothing can be tried first.
    pub fn described(&self, input: &InputRequest, work: &Work) -> Result<Described, Error> {
        let FileDescription { from, unit, end, columns, shift } = input.describe.or(&self.describe);
        let options = self.options(&self.given_documents(work)?, 1, work);
        let moved = shift.unwrap_or_default();
        let options = ReadOptions { unit, end, columns, shift: moved, ..options };
        Ok(Described { from, options, shift })
    }

    fn options(&self, given: &Option<Arc<Corpus>>, threads: usize, work: &Work) -> ReadOptions {
        ReadOptions {
            lenient: self.lenient,
            strict: self.strict,
            list_all: self.list_all,
            offsets_decide: self.offsets_decide,
            threads,
            documents: given.clone(),
            progress: Some(Arc::new(work.watch())),
            ..ReadOptions::default()
        }
    }

    /// The documents with the texts, read once for all inputs.
    fn given_documents(&self, work: &Work) -> Result<Option<Arc<Corpus>>, Error> {
        let Some(documents) = &self.documents else { return Ok(None) };
        let (_, files) = InputRequest::parse(documents).open()?;
        let options = ReadOptions {
            threads: work.thread_count(),
            // Not shown as progress: the bytes of this file are not among those that were
            // announced.
            progress: Some(Arc::new(Watch::new(None, work.cancel.clone()))),
            ..ReadOptions::default()
        };
        let read = work.run(|| crate::registry().read(&files, None, &options))?;
        let corpus = match read {
            Ok(read) => read.corpus,
            // A folder of plain texts is of no format, and is what it says.
            Err(problem) if problem.kind == Kind::Format => {
                karat_formats::text_documents(&files)?.ok_or(problem)?
            }
            Err(problem) => return Err(problem.into()),
        };
        Ok(Some(Arc::new(corpus)))
    }

    /// Reads an input with everything that describes it. What is said of all inputs may be true of some only: an
    /// input that cannot be read with it, but can be without, is read without.
    fn read_one(
        &self,
        files: &Input,
        input: &InputRequest,
        is_one_of_several: bool,
        options: &ReadOptions,
    ) -> Result<Read, Problem> {
        let all = input.describe.or(&self.describe);
        let own = &input.describe;
        let with = |description: &FileDescription| {
            let options = ReadOptions {
                unit: description.unit,
                end: description.end,
                shift: description.shift.unwrap_or_default(),
                columns: description.columns.clone(),
                ..options.clone()
            };
            let outcome = crate::registry().read(files, description.from.as_deref(), &options)?;
            outcome_moved(outcome, description.shift, &input.path)
        };
        match with(&all) {
            Ok(outcome) => Ok(Read { outcome, left_out: None }),
            // With one input the problem is what the user has to know; with several, a setting such
            // as `--from` may be meant for another.
            Err(problem) if is_one_of_several && all != *own => match with(own) {
                Ok(outcome) => Ok(Read { outcome, left_out: Some(problem) }),
                // The problem of the settings as given: what is wrong without them is of no
                // interest.
                Err(_) => Err(problem),
            },
            Err(problem) => Err(problem),
        }
    }

    /// What fits none of the inputs was meant for one of them.
    fn check_fits_somewhere(&self, read: &[Read]) -> Result<(), Problem> {
        if self.describe.is_empty() || read.iter().any(|read| read.left_out.is_none()) {
            return Ok(());
        }
        match read.iter().find_map(|read| read.left_out.clone()) {
            Some(problem) => Err(problem),
            None => Ok(()),
        }
    }

    fn told(&self, name: String, input: &InputRequest, read: Read) -> ReadInput {
        let Read { outcome, left_out } = read;
        let mut notices = self.notices_of(&outcome, BadRecords::Skipped);
        if let Some(problem) = left_out {
            let message = format!(
                "`{}` was read without the settings that describe other inputs; with them: {}",
                input.path, problem.message
            );
            notices.push(notices::OPTION_LEFT_OUT.notice(message).about(&name));
        }
        ReadInput { name, source: input.path.clone(), outcome, notices }
    }

    /// What a reading that may skip records skipped, repaired and passed over.
    pub(crate) fn notices_of_skipping(&self, outcome: &ReadOutcome) -> Vec<Notice> {
        self.notices_of(outcome, BadRecords::Skipped)
    }

    /// What a reading skipped, repaired and passed over.
    fn notices_of(&self, outcome: &ReadOutcome, bad: BadRecords) -> Vec<Notice> {
        let mut told = findings(&outcome.findings, bad, self.list_all);
        told.extend(outcome.notices.iter().cloned());
        if !outcome.ignored.is_empty() {
            let shown = if self.list_all { outcome.ignored.len() } else { FEW_FILES };
            let (were, their) =
                if outcome.ignored.len() == 1 { ("was", "its") } else { ("were", "their") };
            told.push(notices::FILES_NOT_READ.notice(format!(
                "{} {were} not read: {their} content is of no format that karat knows or was told",
                quoted(&outcome.ignored, shown)
            )));
        }
        told
    }
}

/// Of so many files that were not read the names are told.
const FEW_FILES: usize = 3;

/// How many problems of a kind are told in full.
const FEW_PROBLEMS: usize = 5;

/// Of fewer bad records nobody concludes that a file was misread.
const MANY_BAD: usize = 20;

/// A lenient reading leaves out bad records. Where these are most of a file, what is left is not what the file says, and a
/// score of it would be no score. The answers of language models are different: what is bad in them is theirs.
fn check_mostly_read(outcome: &ReadOutcome, path: &str) -> Result<(), Problem> {
    let skipped: usize = outcome.findings.skipped_counts().values().sum();
    let kept = outcome.corpus.annotations().len();
    let is_answer = outcome.formats.iter().any(|format| format.starts_with("llm"));
    if skipped < MANY_BAD || skipped <= kept || is_answer {
        return Ok(());
    }
    let first = outcome.findings.skipped().first();
    let first = first.map(|problem| format!("; the first: {problem}")).unwrap_or_default();
    let message = format!(
        "{} cannot be read and {} can, so that most of the file would be left out{first}",
        counted(skipped, "record"),
        counted(kept, "annotation"),
    );
    let formats = outcome.formats.join(", ");
    let hint = Hint::from(format!("it was read as {formats}; "));
    Err(Problem::new(Kind::Malformed, path, message).hint(hint.then(Hint::template(
        "name another format with {from}, or see what is wrong with `karat validate`",
    ))))
}

/// An outcome with all offsets moved.
fn outcome_moved(
    outcome: ReadOutcome,
    shift: Option<i64>,
    path: &str,
) -> Result<ReadOutcome, Problem> {
    let ReadOutcome { corpus, findings, notices, used, formats, ignored, bare } = outcome;
    let corpus = corpus_moved(corpus, shift, path)?;
    Ok(ReadOutcome { corpus, findings, notices, used, formats, ignored, bare })
}

/// A corpus, or a part of one, with all offsets moved.
pub(crate) fn corpus_moved(
    corpus: Corpus,
    shift: Option<i64>,
    path: &str,
) -> Result<Corpus, Problem> {
    let Some(shift) = shift.filter(|shift| *shift != 0) else { return Ok(corpus) };
    let moved = |offset: u32| u32::try_from(i64::from(offset) + shift).ok();
    let mut lost = None;
    let corpus = corpus.edit(|mention| {
        let span = mention.span();
        match (moved(span.start), moved(span.end)) {
            (Some(start), Some(end)) => Edit::Change(Change::span(Span::new(start, end))),
            _ => {
                lost.get_or_insert_with(|| (span, mention.document().name().to_owned()));
                // Kept only to finish the pass; the corpus is dropped when something is lost.
                Edit::Keep
            }
        }
    });
    match lost {
        Some((span, document)) => Err(Problem::new(
            Kind::Offset,
            path,
            format!("moved by {shift}, the mention at {span} of `{document}` would be in no text"),
        )),
        None => Ok(corpus),
    }
}

/// How one input is read.
#[derive(Debug, Clone, Default)]
pub struct Described {
    /// Its format, if it is not to be recognised.
    pub from: Option<String>,
    /// Everything else that a reader is told.
    pub options: ReadOptions,
    /// How far all offsets are moved after reading.
    pub shift: Option<i64>,
}

struct Read {
    outcome: ReadOutcome,
    /// Why it could not be read with what was said of all inputs.
    left_out: Option<Problem>,
}

impl InputRequest {
    /// The input as people write it, which [`InputRequest::parse`] reads.
    pub fn written(&self) -> String {
        match (&self.name, &self.benchmark) {
            (Some(name), Some(benchmark)) => format!("{name}@{benchmark}={}", self.path),
            (Some(name), None) => format!("{name}={}", self.path),
            (None, _) => self.path.clone(),
        }
    }

    /// What it is called: by its name, or else by its files.
    pub fn called(&self) -> String {
        self.name.clone().unwrap_or_else(|| Input::name_of(&self.path))
    }

    /// Its name and files.
    pub fn open(&self) -> Result<(String, Input), Problem> {
        let (name, files) = Input::named_as(self.name.as_deref(), &self.path)?;
        Ok((name, files))
    }
}

/// Reads inputs one after the other, each for itself: one that cannot be read does not concern the others.
/// Bad records are errors, all of them are kept, and the texts that are given for all inputs are read once.
pub(crate) struct InputReader<'r> {
    reading: &'r ReadingRequest,
    given: Option<Arc<Corpus>>,
    work: &'r Work,
}

impl<'r> InputReader<'r> {
    pub(crate) fn new(
        reading: &'r ReadingRequest,
        work: &'r Work,
    ) -> Result<InputReader<'r>, Error> {
        Ok(InputReader { reading, given: reading.given_documents(work)?, work })
    }

    /// Reads an input. Whether `offsets_decide` is as in [`ReadingRequest`].
    pub(crate) fn read(
        &self,
        input: &InputRequest,
        offsets_decide: bool,
    ) -> Result<ReadInput, Error> {
        let (name, files) = input.open()?;
        self.work.begin("reading", files.size())?;
        let threads = self.work.thread_count();
        let options = ReadOptions {
            lenient: true,
            list_all: true,
            offsets_decide,
            ..self.reading.options(&self.given, threads, self.work)
        };
        let read = self.work.run(|| self.reading.read_one(&files, input, false, &options))?;
        let outcome = read?.outcome;
        let notices = self.reading.notices_of(&outcome, BadRecords::Unreadable);
        ReadInput { name, source: input.path.clone(), outcome, notices }.patched(input)
    }
}

/// What bad records are to whoever reads.
#[derive(Debug, Clone, Copy)]
enum BadRecords {
    /// Something to leave out and to go on.
    Skipped,
    /// What was looked for.
    Unreadable,
}

/// What a reading skipped and repaired: the first few in full, all counted.
fn findings(findings: &Findings, bad: BadRecords, list_all: bool) -> Vec<Notice> {
    let mut told = Vec::new();
    let skipped = (findings.skipped(), findings.skipped_counts());
    let repaired = (findings.repaired(), findings.repaired_counts());
    let (verb, one, all) = match bad {
        BadRecords::Skipped => ("skipped", &notices::SKIPPED_RECORD, &notices::SKIPPED_RECORDS),
        BadRecords::Unreadable => {
            ("could not read", &notices::UNREADABLE_RECORD, &notices::UNREADABLE_RECORDS)
        }
    };
    for (verb, (listed, counts), one, all) in [
        (verb, skipped, one, all),
        ("repaired", repaired, &notices::REPAIRED_RECORD, &notices::REPAIRED_RECORDS),
    ] {
        let total: usize = counts.values().sum();
        if total == 0 {
            continue;
        }
        let shown = if list_all { listed.len() } else { FEW_PROBLEMS.min(listed.len()) };
        told.extend(listed[..shown].iter().map(|problem| notice_of(problem, one)));
        let kinds: Vec<String> =
            counts.iter().map(|(kind, count)| format!("{count} {}", kind.name())).collect();
        let notice =
            all.notice(format!("{verb} {} ({})", counted(total, "record"), kinds.join(", ")));
        told.push(match total - shown {
            0 => notice,
            _ if list_all => notice.hint(format!("the first {shown} are listed")),
            _ => notice.hint(
                Hint::from(format!("the first {shown} are listed, "))
                    .then(Hint::template("{verbose} lists more")),
            ),
        });
    }
    told.extend(passed_over(findings, list_all));
    told
}

/// Nothing is wrong with these, so by default they are only counted.
fn passed_over(findings: &Findings, list_all: bool) -> Vec<Notice> {
    let total = findings.passed_over_count();
    if total == 0 {
        return Vec::new();
    }
    let listed = findings.passed_over().iter().filter(|_| list_all);
    let listed = listed.map(|problem| notice_of(problem, &notices::PASSED_OVER));
    let records = counted(total, "record");
    let message = format!("passed over {records} that karat's model has no place for");
    let notice = notices::PASSED_OVER.notice(message);
    let notice = match list_all {
        true => notice,
        false => notice.hint(Hint::template("{verbose} lists them")),
    };
    listed.chain([notice]).collect()
}

/// The first so many names in quotes, and how many more there are.
pub(crate) fn quoted(names: &[String], shown: usize) -> String {
    let quoted: Vec<String> = names.iter().take(shown).map(|name| format!("`{name}`")).collect();
    match names.len().saturating_sub(shown) {
        0 => quoted.join(", "),
        more => format!("{} and {more} more", quoted.join(", ")),
    }
}

/// A number of things.
pub(crate) fn counted(count: usize, noun: &str) -> String {
    let plural = if count == 1 { "" } else { "s" };
    format!("{count} {noun}{plural}")
}
