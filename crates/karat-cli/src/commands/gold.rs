//! `karat gold`

use crate::arguments::{ReadArguments, terminal_width};
use crate::failure::Failure;
use crate::forms::{Form, forms};
use crate::printing;
use clap::{Args, Subcommand};
use karat::gold::{
    GoldApplyRequest, GoldCheckRequest, GoldDiffRequest, GoldLogRequest, GoldMergeRequest,
    GoldRebaseRequest, GoldRevertRequest, PatchSelection, PatchView,
};
use karat::inputs::{InputPart, InputRequest};
use karat::request::{Answer, Request};

/// Correct gold standards with patches: make, check, apply, merge and undo them
///
/// A patch is a file of lines, NAME.goldpatch.jsonl: what it is for, and one change on each line, with what was there before.
/// So it can be read, kept in version control, checked against any edition, applied to gold in any format, and undone. Texts are never
/// changed.
///
/// Against a gold standard a change applies (the old value is there), is already there (the new value is), is in conflict
/// (something else is), or is lost (the words are not).
///
/// `--patch` takes patches wherever gold is given, as in `karat eval -g GOLD --patch PATCH -s SYSTEM`: the signature names them.
///
/// Exit codes: 0 fine; 1 changes do not apply or contradict each other; 2 bad usage or bad input.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Gold {
    #[command(subcommand)]
    command: Command,
}

const EXAMPLES: &str = "Examples:
  karat gold diff gold.ttl corrected.ttl -o spring.goldpatch.jsonl
      the patch that turns one into the other
  karat gold apply gold.ttl spring.goldpatch.jsonl -o better.ttl
      all of it, or nothing
  karat gold merge spring.goldpatch.jsonl autumn.goldpatch.jsonl -o both.goldpatch.jsonl
      two patches as one; what contradicts each other is listed
  karat gold revert spring.goldpatch.jsonl -o undo.goldpatch.jsonl
      the patch that undoes it
  karat gold rebase spring.goldpatch.jsonl gold-2027.ttl -o spring-2027.goldpatch.jsonl
      moved to another edition";

#[derive(Debug, Subcommand)]
enum Command {
    Diff(Diff),
    Apply(Apply),
    Merge(Merge),
    Revert(Revert),
    Log(Log),
    Show(Show),
    Rebase(Rebase),
    Check(Check),
}

impl Gold {
    pub(crate) fn run(self) -> Result<(), Failure> {
        match self.command {
            Command::Diff(command) => command.run(),
            Command::Apply(command) => command.run(),
            Command::Merge(command) => command.run(),
            Command::Revert(command) => command.run(),
            Command::Log(command) => command.run(),
            Command::Show(command) => command.run(),
            Command::Rebase(command) => command.run(),
            Command::Check(command) => command.run(),
        }
    }
}

/// Which changes of a patch are meant.
#[derive(Debug, Args)]
struct Only {
    /// Only these changes: id=ID (or how it begins), document=NAME, why=REASON or min-votes=N; may be given several times
    #[arg(long, value_name = "WHAT=VALUE")]
    only: Vec<String>,
}

impl Only {
    fn request(&self) -> Result<PatchSelection, Failure> {
        Ok(PatchSelection::parse(self.only.iter().map(String::as_str))?)
    }
}

/// What lists patches has in common.
#[derive(Debug, Args)]
struct Listed {
    /// The patches
    #[arg(value_name = "PATCH", required = true)]
    patches: Vec<String>,
    #[command(flatten)]
    only: Only,
    /// Form of the output
    #[arg(long, value_parser = forms(), default_value = "table")]
    format: Form,
    #[command(flatten)]
    reading: ReadArguments,
}

/// Answers a request that writes a file, and says whether everything could be done.
fn written<R: Request>(request: &R, reading: &ReadArguments) -> Result<(), Failure> {
    if reading.answer(request)?.passes() { Ok(()) } else { Err(Failure::Gate) }
}

/// Answers a request and prints the answer.
fn printed<R: Request>(request: &R, reading: &ReadArguments, form: Form) -> Result<(), Failure> {
    let answer = reading.answer(request)?;
    printing::print(&answer.report(), form, terminal_width())?;
    if answer.passes() { Ok(()) } else { Err(Failure::Gate) }
}

/// Make the patch that turns one gold standard into another
///
/// The two may be of different formats, but must have the same documents and texts.
#[derive(Debug, Args)]
struct Diff {
    /// The gold standard as it is
    #[arg(value_name = "OLD")]
    old: String,
    /// The corrected one
    #[arg(value_name = "NEW")]
    new: String,
    /// Where to write the patch, as NAME.goldpatch.jsonl; standard output without it
    #[arg(long, short, value_name = "PATCH", default_value = "-", hide_default_value = true)]
    output: String,
    /// What the patch is called; as its file without it
    #[arg(long, value_name = "NAME")]
    name: Option<String>,
    /// Who made it
    #[arg(long, value_name = "WHO")]
    by: Option<String>,
    /// Under which licence it may be passed on, as CC-BY-4.0
    #[arg(long, value_name = "LICENCE")]
    licence: Option<String>,
    /// The knowledge base that its ids are of
    #[arg(long, value_name = "NAME")]
    kb: Option<String>,
    /// The reason for all changes, as wrong-link
    #[arg(long, value_name = "REASON")]
    why: Option<String>,
    /// Leave out the words, for texts that may not be shared
    #[arg(long)]
    mask: bool,
    #[command(flatten)]
    reading: ReadArguments,
}

impl Diff {
    fn run(self) -> Result<(), Failure> {
        let (mut old, mut new) = (InputRequest::parse(&self.old), InputRequest::parse(&self.new));
        self.reading.said().describe([(InputPart::Gold, &mut old), (InputPart::Only, &mut new)])?;
        let request = GoldDiffRequest {
            old,
            new,
            output: self.output,
            name: self.name,
            by: self.by,
            licence: self.licence,
            kb: self.kb,
            why: self.why,
            mask: self.mask,
            reading: self.reading.request(),
        };
        written(&request, &self.reading)
    }
}

/// Apply patches to a gold standard: all of them, or nothing
///
/// Patches are applied one after the other. If a change does not apply, nothing is written and the exit code is 1.
#[derive(Debug, Args)]
struct Apply {
    /// The gold standard
    #[arg(value_name = "GOLD")]
    gold: String,
    /// The patches
    #[arg(value_name = "PATCH", required = true)]
    patches: Vec<String>,
    /// Where to write: a file or directory, or `-` for standard output
    #[arg(long, short, value_name = "OUT")]
    output: String,
    /// Format of the output; without it, the name of OUT decides, and where that says nothing, the format of GOLD
    #[arg(long, value_name = "FORMAT")]
    to: Option<String>,
    #[command(flatten)]
    only: Only,
    /// Apply what applies, and write the rest to a file beside its patch, as spring.rejected.jsonl
    #[arg(long)]
    keep_going: bool,
    #[command(flatten)]
    reading: ReadArguments,
}

impl Apply {
    fn run(self) -> Result<(), Failure> {
        let request = GoldApplyRequest {
            gold: self.reading.only(&self.gold)?,
            patches: self.patches,
            output: self.output,
            to: self.to,
            only: self.only.request()?,
            keep_going: self.keep_going,
            reading: self.reading.request(),
        };
        written(&request, &self.reading)
    }
}

/// Put patches for one gold standard together
///
/// What several patches have is one change with the sources of all. Changes that give one field different values contradict each other:
/// they are listed, nothing is written, and the exit code is 1.
#[derive(Debug, Args)]
struct Merge {
    /// The patches
    #[arg(value_name = "PATCH", required = true, num_args = 2..)]
    patches: Vec<String>,
    /// Where to write the result; standard output without it
    #[arg(long, short, value_name = "PATCH", default_value = "-", hide_default_value = true)]
    output: String,
    /// What the result is called; as all of them without it
    #[arg(long, value_name = "NAME")]
    name: Option<String>,
    /// Keep changes that contradict each other as alternatives to choose from; none of them is applied until then
    #[arg(long)]
    open: bool,
    #[command(flatten)]
    reading: ReadArguments,
}

impl Merge {
    fn run(self) -> Result<(), Failure> {
        let Merge { patches, output, name, open, reading } = self;
        written(&GoldMergeRequest { patches, output, name, open }, &reading)
    }
}

/// Make the patch that undoes another
#[derive(Debug, Args)]
struct Revert {
    /// The patch
    #[arg(value_name = "PATCH")]
    of: String,
    /// Where to write the result; standard output without it
    #[arg(long, short, value_name = "PATCH", default_value = "-", hide_default_value = true)]
    output: String,
    #[command(flatten)]
    reading: ReadArguments,
}

impl Revert {
    fn run(self) -> Result<(), Failure> {
        written(&GoldRevertRequest { patch: self.of, output: self.output }, &self.reading)
    }
}

/// List who changed what, change by change
#[derive(Debug, Args)]
struct Log {
    #[command(flatten)]
    listed: Listed,
}

impl Log {
    fn run(self) -> Result<(), Failure> {
        let Listed { patches, only, format, reading } = self.listed;
        let (only, view) = (only.request()?, PatchView::Log);
        let request = GoldLogRequest { patches, only, view, ..GoldLogRequest::default() };
        printed(&request, &reading, format)
    }
}

/// Show the changes of patches, document by document; with -g, each in its text
#[derive(Debug, Args)]
struct Show {
    /// The gold standard, to show changes in their texts
    #[arg(long, short, value_name = "INPUT")]
    gold: Option<String>,
    #[command(flatten)]
    listed: Listed,
}

impl Show {
    fn run(self) -> Result<(), Failure> {
        let Listed { patches, only, format, reading: read } = self.listed;
        let gold = self.gold.as_ref().map(|gold| read.only(gold)).transpose()?;
        let (only, reading) = (only.request()?, read.request());
        let request = GoldLogRequest { patches, gold, only, view: PatchView::Show, reading };
        printed(&request, &read, format)
    }
}

/// Move a patch to another edition of its gold standard
///
/// Changes are looked for by their words and what is around them. What moved is told; what the edition has already is left out; what does
/// not apply goes to a file beside OUT, as spring.rejected.jsonl, and the exit code is 1.
#[derive(Debug, Args)]
struct Rebase {
    /// The patch
    #[arg(value_name = "PATCH")]
    of: String,
    /// The edition
    #[arg(value_name = "GOLD")]
    gold: String,
    /// Where to write the result; standard output without it
    #[arg(long, short, value_name = "OUT", default_value = "-", hide_default_value = true)]
    output: String,
    #[command(flatten)]
    reading: ReadArguments,
}

impl Rebase {
    fn run(self) -> Result<(), Failure> {
        let request = GoldRebaseRequest {
            patch: self.of,
            gold: self.reading.only(&self.gold)?,
            output: self.output,
            reading: self.reading.request(),
        };
        written(&request, &self.reading)
    }
}

/// Say what would become of patches, each for itself, and change nothing
#[derive(Debug, Args)]
struct Check {
    /// The gold standard
    #[arg(value_name = "GOLD")]
    gold: String,
    #[command(flatten)]
    listed: Listed,
}

impl Check {
    fn run(self) -> Result<(), Failure> {
        let Listed { patches, only, format, reading: read } = self.listed;
        let (gold, only, reading) = (read.only(&self.gold)?, only.request()?, read.request());
        printed(&GoldCheckRequest { gold, patches, only, reading }, &read, format)
    }
}
