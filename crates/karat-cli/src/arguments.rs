//! Arguments that several commands share.

use crate::failure::Failure;
use crate::interrupt::cancelled_by_interrupt;
use crate::progress::Bar;
use crate::show;
use crate::threads;
use clap::{Args, ValueEnum};
use karat::inputs::{FileDescription, InputRequest, ReadingRequest, give_patches};
use karat::model::{End, OffsetUnit};
use karat::request::{Answer, Request};
use karat::tagging::TagVocabulary;
use karat::work::Work;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// The heading of arguments that say how to read. Each argument has it for itself: what a group says of
/// its next headings would go on behind the group.
const READING: &str = "Reading";

/// How to read inputs.
#[derive(Debug, Clone, Args)]
pub(crate) struct ReadArguments {
    /// Format of the input; without it, each file is recognised by its content. INPUT=FORMAT is for one
    /// input only, by its name or as `gold` or `system`
    #[arg(long, value_name = "[INPUT=]FORMAT", value_parser = format_of, help_heading = READING)]
    pub(crate) from: Vec<ForInput<String>>,
    /// Skip bad records, count and list them, and go on; without it, the first one stops karat
    #[arg(long, help_heading = READING)]
    pub(crate) lenient: bool,
    /// Refuse what is otherwise repaired and counted: mentions whose words are not those of the text, and documents
    /// that occur twice
    #[arg(long, conflicts_with = "lenient", help_heading = READING)]
    pub(crate) strict: bool,
    /// What the offsets of the input count, if not what is usual in its format: code-points (as Python
    /// counts), utf16 (as Java and JavaScript count), bytes or tokens
    #[arg(long, value_name = "[INPUT=]UNIT", value_parser = unit_of, help_heading = READING)]
    pub(crate) unit: Vec<ForInput<OffsetUnit>>,
    /// What the end offset of the input means, if not what is usual in its format: inclusive (the last
    /// position of the mention) or exclusive (one past it)
    #[arg(long, value_name = "[INPUT=]END", value_parser = end_of, help_heading = READING)]
    pub(crate) end: Vec<ForInput<End>>,
    /// For tables: which column is what, as `doc=docid,start=begin,end=stop,link=qid`. INPUT:NAME=COLUMN
    /// is for one input only; other inputs are read as they are
    #[arg(long, value_name = "[INPUT:]NAME=COLUMN,...", value_parser = columns_of, help_heading = READING)]
    pub(crate) columns: Vec<ForInput<BTreeMap<String, String>>>,
    /// Move all offsets of the input by this, as -1 for one that counts from 1. INPUT=N is for one input
    /// only
    #[arg(long, value_name = "[INPUT=]N", value_parser = shift_of, allow_hyphen_values = true, help_heading = READING)]
    pub(crate) shift: Vec<ForInput<i64>>,
    /// A corpus, in any format, with the texts of the documents, for an input that has none
    #[arg(long, value_name = "CORPUS", help_heading = READING)]
    pub(crate) documents: Option<String>,
    /// A patch of the gold standard, as `karat gold` makes them; may be given several times. GOLD=FILE is for
    /// one of several gold standards
    #[arg(long, value_name = "[GOLD=]FILE", help_heading = READING)]
    pub(crate) patch: Vec<String>,
    /// Number of threads; all cores by default
    #[arg(
        long,
        value_name = "N",
        default_value_t = 0,
        hide_default_value = true,
        value_parser = threads::parser(),
        help_heading = READING
    )]
    pub(crate) threads: usize,
    /// No progress bar and no remarks; what is left out is still counted
    #[arg(long, short, help_heading = READING)]
    pub(crate) quiet: bool,
    /// List everything that was skipped, repaired or found, not only the first few of each
    #[arg(long, short, help_heading = READING)]
    pub(crate) verbose: bool,
}

/// The units of offsets.
#[derive(Debug, Clone, Copy, ValueEnum)]
pub(crate) enum Unit {
    /// Unicode code points, as Python counts
    CodePoints,
    /// UTF-16 code units, as Java and JavaScript count
    Utf16,
    /// Bytes of UTF-8
    Bytes,
    /// Tokens
    Tokens,
}

/// The meanings of an end offset.
#[derive(Debug, Clone, Copy, ValueEnum)]
pub(crate) enum EndArgument {
    /// The last position of the mention
    Inclusive,
    /// One past the last position
    Exclusive,
}

/// The vocabularies of category tags.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum VocabularyArgument {
    /// `el:Mnt-Full`, as in the published datasets
    El,
    /// `fel:FullProperForm`, as in the published vocabulary
    Fel,
    /// `mnt:FullMentionPN`, the older names of NIFify; it has none for references
    Mnt,
}

impl From<VocabularyArgument> for TagVocabulary {
    fn from(vocabulary: VocabularyArgument) -> TagVocabulary {
        match vocabulary {
            VocabularyArgument::El => TagVocabulary::El,
            VocabularyArgument::Fel => TagVocabulary::Fel,
            VocabularyArgument::Mnt => TagVocabulary::Mnt,
        }
    }
}

fn columns(text: &str) -> Result<BTreeMap<String, String>, String> {
    text.split(',')
        .map(|pair| match pair.split_once('=') {
            // An empty column leaves out one that would be found by its name.
            Some((name, column)) if !name.is_empty() => {
                Ok((name.trim().to_owned(), column.trim().to_owned()))
            }
            _ => Err(format!("expected NAME=COLUMN, found `{pair}`")),
        })
        .collect()
}

/// A value that is true of one input, or of every input that it fits.
#[derive(Debug, Clone)]
pub(crate) struct ForInput<T> {
    /// The name of the input, or `gold` or `system`; `None` for all.
    input: Option<String>,
    value: T,
}

/// `FORMAT` or `INPUT=FORMAT`.
fn format_of(text: &str) -> Result<ForInput<String>, String> {
    let (input, value) = of_input(text, '=');
    Ok(ForInput { input, value: value.to_owned() })
}

fn unit_of(text: &str) -> Result<ForInput<OffsetUnit>, String> {
    let (input, value) = of_input(text, '=');
    let unit = Unit::from_str(value, true)
        .map_err(|_| "expected code-points, utf16, bytes or tokens".to_owned())?;
    Ok(ForInput { input, value: unit.into() })
}

fn end_of(text: &str) -> Result<ForInput<End>, String> {
    let (input, value) = of_input(text, '=');
    let end = EndArgument::from_str(value, true)
        .map_err(|_| "expected inclusive or exclusive".to_owned())?;
    Ok(ForInput { input, value: end.into() })
}

fn shift_of(text: &str) -> Result<ForInput<i64>, String> {
    let (input, value) = of_input(text, '=');
    let value = value.parse().map_err(|_| "expected a whole number such as -1".to_owned())?;
    Ok(ForInput { input, value })
}

fn columns_of(text: &str) -> Result<ForInput<BTreeMap<String, String>>, String> {
    // Columns have equals signs themselves. What stands before a colon and has none names an input.
    let (input, value) = match text.split_once(':') {
        Some((input, value)) if !input.contains(['=', ',']) => (Some(input.to_owned()), value),
        _ => (None, text),
    };
    Ok(ForInput { input, value: columns(value)? })
}

fn of_input(text: &str, separator: char) -> (Option<String>, &str) {
    match text.split_once(separator) {
        Some((input, value)) => (Some(input.to_owned()), value),
        None => (None, text),
    }
}

impl From<Unit> for OffsetUnit {
    fn from(unit: Unit) -> OffsetUnit {
        match unit {
            Unit::CodePoints => OffsetUnit::CodePoints,
            Unit::Utf16 => OffsetUnit::Utf16,
            Unit::Bytes => OffsetUnit::Bytes,
            Unit::Tokens => OffsetUnit::Tokens,
        }
    }
}

impl From<EndArgument> for End {
    fn from(end: EndArgument) -> End {
        match end {
            EndArgument::Inclusive => End::Inclusive,
            EndArgument::Exclusive => End::Exclusive,
        }
    }
}

/// The part that an input plays, by which it can be meant as well as by its name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Part {
    /// `gold`
    Gold,
    /// `system`
    System,
    /// The only input.
    Only,
}

impl Part {
    fn name(self) -> &'static str {
        match self {
            Part::Gold => "gold",
            Part::System => "system",
            Part::Only => "input",
        }
    }
}

impl ReadArguments {
    /// How inputs are read, as a request: what is said of all of them.
    pub(crate) fn request(&self) -> ReadingRequest {
        let mut describe = FileDescription::default();
        self.fill(&mut describe, |input| input.is_none());
        ReadingRequest {
            describe,
            lenient: self.lenient,
            strict: self.strict,
            documents: self.documents.clone(),
            list_all: self.verbose,
            offsets_decide: false,
        }
    }

    /// Adds what is said of single inputs to these.
    pub(crate) fn describe<'i>(
        &self,
        inputs: impl IntoIterator<Item = (Part, &'i mut InputRequest)>,
    ) -> Result<(), Failure> {
        let mut meant: BTreeSet<String> = BTreeSet::new();
        let mut known: Vec<String> = Vec::new();
        let mut inputs: Vec<(Part, &mut InputRequest)> = inputs.into_iter().collect();
        let has_gold = inputs.iter().any(|(part, _)| *part == Part::Gold);
        let patched = if has_gold { Part::Gold } else { Part::Only };
        let gold =
            inputs.iter_mut().filter(|(part, _)| *part == patched).map(|(_, input)| &mut **input);
        give_patches(gold, &self.patch)?;
        for (part, input) in inputs {
            let mut names = vec![part.name().to_owned(), input.path.clone(), input.called()];
            let is_it =
                |name: Option<&str>| name.is_some_and(|name| names.iter().any(|n| n == name));
            self.fill(&mut input.describe, is_it);
            meant.extend(names.iter().cloned());
            known.extend(names.pop());
        }
        match self.named_inputs().find(|name| !meant.contains(*name)) {
            Some(unknown) => {
                Err(Failure::unknown("input", unknown, known.iter().map(String::as_str)))
            }
            None => Ok(()),
        }
    }

    /// The inputs that something is said of.
    fn named_inputs(&self) -> impl Iterator<Item = &String> {
        let (from, unit) = (self.from.iter(), self.unit.iter());
        let (end, columns, shift) = (self.end.iter(), self.columns.iter(), self.shift.iter());
        from.filter_map(|given| given.input.as_ref())
            .chain(unit.filter_map(|given| given.input.as_ref()))
            .chain(end.filter_map(|given| given.input.as_ref()))
            .chain(columns.filter_map(|given| given.input.as_ref()))
            .chain(shift.filter_map(|given| given.input.as_ref()))
    }

    /// Fills in what is said of the inputs that are meant; what is said last counts.
    fn fill(&self, describe: &mut FileDescription, is_meant: impl Fn(Option<&str>) -> bool) {
        fn last<T: Clone>(
            given: &[ForInput<T>],
            is_meant: impl Fn(Option<&str>) -> bool,
        ) -> Option<T> {
            let meant = given.iter().rev().find(|given| is_meant(given.input.as_deref()));
            meant.map(|given| given.value.clone())
        }
        describe.from = last(&self.from, &is_meant);
        describe.unit = last(&self.unit, &is_meant);
        describe.end = last(&self.end, &is_meant);
        describe.columns = last(&self.columns, &is_meant).unwrap_or_default();
        describe.shift = last(&self.shift, &is_meant);
    }

    /// How the work of a command is done, and the bar that shows it.
    pub(crate) fn work(&self) -> (Work, Arc<Bar>) {
        let bar = Bar::new(0, self.quiet);
        let threads = threads::start(self.threads);
        (Work { threads, progress: Some(bar.clone()), ..Work::default() }, bar)
    }

    /// The only input of a command, with what is said of it.
    pub(crate) fn only(&self, argument: &str) -> Result<InputRequest, Failure> {
        let mut input = InputRequest::parse(argument);
        self.describe([(Part::Only, &mut input)])?;
        Ok(input)
    }

    /// Answers a request that writes files, and shows what has to be known beside the answer. Ctrl-C leaves nothing
    /// half-written.
    pub(crate) fn answer<R: Request>(&self, request: &R) -> Result<R::Answer, Failure> {
        let (work, bar) = self.work();
        let work = Work { cancel: cancelled_by_interrupt(), ..work };
        let answer = request.answer(&work);
        bar.clear();
        let answer = answer?;
        show::notices(answer.notices(), self.quiet);
        Ok(answer)
    }

    /// Several named inputs, `NAME=INPUT` each, with what is said of them.
    pub(crate) fn inputs(&self, arguments: &[String]) -> Result<Vec<InputRequest>, Failure> {
        let mut inputs: Vec<InputRequest> =
            arguments.iter().map(|argument| InputRequest::parse(argument)).collect();
        self.describe(inputs.iter_mut().map(|input| (Part::Only, input)))?;
        Ok(inputs)
    }

    /// A remark, which a quiet command does not make.
    pub(crate) fn note(&self, remark: &str) {
        if !self.quiet {
            show::note(remark);
        }
    }
}

/// The width of prose: that of the terminal, or what is easy to read.
pub(crate) fn prose_width() -> usize {
    terminal_width().unwrap_or(100).into()
}

/// The width of the terminal, if standard output is one.
pub(crate) fn terminal_width() -> Option<u16> {
    use std::io::IsTerminal;
    let shown = std::io::stdout().is_terminal();
    shown.then(|| terminal_size::terminal_size().map(|(width, _)| width.0)).flatten()
}
