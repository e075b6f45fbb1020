//! Arguments that several commands share.

use crate::failure::Failure;
use crate::interrupt::cancelled_by_interrupt;
use crate::progress::Bar;
use crate::show;
use crate::threads;
use clap::{Args, ValueEnum};
use karat::inputs::{ForInput, InputPart, InputRequest, ReadingRequest, SaidOfInputs};
use karat::model::{End, OffsetUnit};
use karat::request::{Answer, Request};
use karat::tagging::TagVocabulary;
use karat::work::Work;
use std::collections::BTreeMap;
use std::sync::Arc;

/// The heading of arguments that say how to read. Each argument has it for itself: what a group says of
/// its next headings would go on behind the group.
const READING: &str = "Reading";

/// How to read inputs.
#[derive(Debug, Clone, Args)]
pub(crate) struct ReadArguments {
    /// Format of the input; without it, each file is recognised by its content. INPUT=FORMAT is for one
    /// input only, by its name or as `gold` or `system`
    #[arg(long, value_name = "[INPUT=]FORMAT", help_heading = READING)]
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
    #[arg(long, value_name = "[INPUT=]UNIT", help_heading = READING)]
    pub(crate) unit: Vec<ForInput<OffsetUnit>>,
    /// What the end offset of the input means, if not what is usual in its format: inclusive (the last
    /// position of the mention) or exclusive (one past it)
    #[arg(long, value_name = "[INPUT=]END", help_heading = READING)]
    pub(crate) end: Vec<ForInput<End>>,
    /// For tables: which column is what, as `doc=docid,start=begin,end=stop,link=qid`. INPUT:NAME=COLUMN
    /// is for one input only; other inputs are read as they are
    #[arg(long, value_name = "[INPUT:]NAME=COLUMN,...", help_heading = READING)]
    pub(crate) columns: Vec<ForInput<BTreeMap<String, String>>>,
    /// Move all offsets of the input by this, as -1 for one that counts from 1. INPUT=N is for one input
    /// only
    #[arg(long, value_name = "[INPUT=]N", allow_hyphen_values = true, help_heading = READING)]
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
    /// How much memory karat may take, as 500M or 4G; a file that needs more is refused
    #[arg(long, value_name = "SIZE", value_parser = memory_size, help_heading = READING)]
    pub(crate) max_memory: Option<u64>,
    /// No progress bar and no remarks; what is left out is still counted
    #[arg(long, short, help_heading = READING)]
    pub(crate) quiet: bool,
    /// List everything that was skipped, repaired or found, not only the first few of each
    #[arg(long, short, help_heading = READING)]
    pub(crate) verbose: bool,
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

/// With less memory, not even a small file could be scored.
const LEAST_MEMORY: u64 = 64 << 20;

/// Reads a number of bytes, such as `500M`.
fn memory_size(text: &str) -> Result<u64, String> {
    let digits = text.trim_end_matches(|c: char| c.is_ascii_alphabetic());
    let power = match text[digits.len()..].to_ascii_uppercase().trim_end_matches("IB") {
        "K" | "KB" => 10,
        "M" | "MB" => 20,
        "G" | "GB" => 30,
        "T" | "TB" => 40,
        _ => return Err("expected a size with its unit, such as 500M or 4G".to_owned()),
    };
    let size = digits.parse::<u64>().ok().and_then(|number| number.checked_mul(1 << power));
    match size.ok_or("expected a whole number with a unit, such as 500M or 4G")? {
        size if size < LEAST_MEMORY => Err("karat itself needs 64M".to_owned()),
        size => Ok(size),
    }
}

impl ReadArguments {
    /// How inputs are read, as a request: what is said of all of them.
    pub(crate) fn request(&self) -> ReadingRequest {
        ReadingRequest {
            describe: self.said().of_all(),
            lenient: self.lenient,
            strict: self.strict,
            documents: self.documents.clone(),
            list_all: self.verbose,
            offsets_decide: false,
        }
    }

    /// What is said of inputs.
    pub(crate) fn said(&self) -> SaidOfInputs {
        SaidOfInputs {
            from: self.from.clone(),
            unit: self.unit.clone(),
            end: self.end.clone(),
            columns: self.columns.clone(),
            shift: self.shift.clone(),
            patches: self.patch.clone(),
        }
    }

    /// How the work of a command is done, and the bar that shows it.
    pub(crate) fn work(&self) -> (Work, Arc<Bar>) {
        self.limit_memory();
        let bar = Bar::new(0, self.quiet);
        let threads = threads::start(self.threads);
        (Work { threads, progress: Some(bar.clone()), ..Work::default() }, bar)
    }

    /// Lets the process have as much memory as was said, and no more.
    pub(crate) fn limit_memory(&self) {
        self.max_memory.into_iter().for_each(karat::formats::memory::set_limit);
    }

    /// The only input of a command, with what is said of it.
    pub(crate) fn only(&self, argument: &str) -> Result<InputRequest, Failure> {
        let mut input = InputRequest::parse(argument);
        self.said().describe([(InputPart::Only, &mut input)])?;
        Ok(input)
    }

    /// Answers a request that writes files, and shows what has to be known beside the answer. Ctrl-C leaves nothing
    /// half-written.
    pub(crate) fn answer<R: Request>(&self, request: &R) -> Result<R::Answer, Failure> {
        let (work, bar) = self.work();
        self.told(request, Work { cancel: cancelled_by_interrupt(), ..work }, &bar)
    }

    /// Answers a request that writes nothing, and shows what has to be known beside the answer.
    pub(crate) fn asked<R: Request>(&self, request: &R) -> Result<R::Answer, Failure> {
        let (work, bar) = self.work();
        self.told(request, work, &bar)
    }

    fn told<R: Request>(&self, request: &R, work: Work, bar: &Bar) -> Result<R::Answer, Failure> {
        let answer = request.answer(&work);
        bar.clear();
        let answer = answer?;
        show::notices(answer.notices(), self.quiet);
        Ok(answer)
    }

    /// Several named inputs, `NAME=INPUT` each, with what is said of them.
    pub(crate) fn inputs(&self, arguments: &[String]) -> Result<Vec<InputRequest>, Failure> {
        Ok(self.said().inputs(InputPart::Only, arguments)?)
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
