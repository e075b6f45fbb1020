//! `karat errors`

use crate::arguments::terminal_width;
use crate::failure::Failure;
use crate::forms::{ResultForm, forms_and};
use crate::printing;
use crate::scoring::{Compared, ConventionArguments};
use crate::show;
use clap::Args;
use karat::errors::{
    CategoryName, ErrorsBy, ErrorsQuestion, ErrorsRequest, UnknownEntities, category_names,
    kind_names,
};
use karat::request::Answer;
use std::io::Write;

/// Count and list what went wrong
///
/// Each gold mention is set beside the prediction on its span: missing, extra, wrong-link,
/// link-as-nil, nil-as-link, or correct. Missing and extra mentions may be NIL. With `--by category`
/// errors are told apart by what makes them hard, as in ELEVANT; a knowledge base (--kb) is needed for
/// some categories, and what is not known without is shown as a dash. Of several systems, `--system NAME`
/// beside those that have an input leaves only these names in the result.
#[derive(Debug, Args)]
#[command(after_help = help())]
pub(crate) struct Errors {
    #[command(flatten)]
    compared: Compared,
    #[command(flatten)]
    convention: ConventionArguments,
    /// List the mentions instead of counting them; implied by --category
    #[arg(long)]
    list: bool,
    /// List only these kinds, as `missing,wrong-link` or `missing NIL`, or categories, as `metonymy`, `ner_fn.other` or all of
    /// `ner_fn`; by default everything but what is correct, and in the format of neleval that as well
    #[arg(long, value_name = "KIND,...", value_delimiter = ',')]
    category: Vec<String>,
    /// Count and list what gold and the system say of a document once, however many mentions say it
    #[arg(long)]
    unique: bool,
    /// What errors are told apart by [default: error]
    #[arg(long, value_enum)]
    by: Option<By>,
    /// What is done about entities that the knowledge base does not have [default: ignored]
    #[arg(long, value_enum)]
    unknowns: Option<UnknownsArgument>,
    /// Only mentions that fit, as `type=PER,ORG -optional text~^the`: a space is and, a comma or, a minus not, `~` a regular
    /// expression; several --where must all hold
    #[arg(long = "where", value_name = "FACET=LABEL", allow_hyphen_values = true)]
    filters: Vec<String>,
    /// What the first of two systems gets right and the second wrong, the reverse, and what both get wrong
    #[arg(long, num_args = 2, value_names = ["A", "B"])]
    diff: Vec<String>,
    /// By which label of this facet links are right, for each that gold mentions have, as `base-form`: they
    /// differ where a link is right by an alternative of another category
    #[arg(long, value_name = "FACET", conflicts_with_all = ["diff", "suspects", "list", "category", "by", "filters", "partial_spans"])]
    confusion: Option<String>,
    /// Pairs of a gold mention and a prediction that overlap on different spans and share a link
    #[arg(long, conflicts_with_all = ["diff", "suspects", "list", "category", "by", "filters"])]
    partial_spans: bool,
    /// Where several systems agree against gold, the most suspicious first, as tasks for verification
    #[arg(long, conflicts_with = "diff")]
    suspects: bool,
    /// How many systems must agree for a suspect
    #[arg(long, value_name = "N", default_value_t = 2, requires = "suspects")]
    agree: usize,
    /// Form of the result
    #[arg(long, value_parser = forms_and([ResultForm::Neleval]), default_value = "table")]
    format: ResultForm,
}

/// What errors are told apart by.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
enum By {
    /// The kinds of neleval
    Error,
    /// The categories of ELEVANT, under the taxonomy of the convention
    Category,
    /// The relation of each mention to the other side
    Relation,
    /// What is wrong with spans
    SpanError,
}

/// What is done about unknown entities.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
enum UnknownsArgument {
    /// They are left out, and NIL is no answer
    Ignored,
    /// They are to be found
    Required,
}

const EXAMPLES: &str = "Examples:
  karat errors -g gold.tsv -s mine=system.tsv
      how many mentions are missing, extra or linked wrongly
  karat errors -g gold.jsonl -s a=a.jsonl -s b=b.jsonl --kb facts.kb --by category
      errors by category, with the share of mentions in which they could be made
  karat errors -g gold.jsonl -s a=a.jsonl -s b=b.jsonl --kb facts.kb --by category --where type=PER
      the same of some mentions only, by any facet
  karat errors -g gold.jsonl -s a=a.jsonl -s b=b.jsonl --category metonymy --system a --where type=PER
      the mentions behind a number, of one of the systems
  karat errors -g gold.jsonl -s a=a.jsonl -s b=b.jsonl --diff a b
      what one gets right and the other wrong
  karat errors -g gold.jsonl -s a=a.jsonl --partial-spans
      right links on spans that are not quite those of gold
  karat errors -g gold.ttl -s a=a.ttl --preset rosales-2019 --confusion base-form
      links that are right by an alternative of another category
  karat errors -g gold.jsonl -s a=a.jsonl -s b=b.jsonl -s c=c.jsonl --suspects --format jsonl
      where gold itself may be wrong";

/// Examples, and the names that --category takes.
fn help() -> String {
    let mut help = format!("{EXAMPLES}\n\nKinds: {}\n\nCategories:", kind_names().join(", "));
    let mut last = "";
    for CategoryName { family, key, name, summary } in category_names() {
        if std::mem::replace(&mut last, family) != family {
            help.push_str(&format!("\n  {family}"));
        }
        help.push_str(&format!("\n    .{key:<32} {summary}"));
        if name != key && name != family {
            help.push_str(&format!("; {name}"));
        }
    }
    help
}

impl Errors {
    pub(crate) fn run(mut self) -> Result<(), Failure> {
        let only = self.compared.take_named()?;
        let request = self.request(only)?;
        match self.format {
            ResultForm::Own(form) => {
                let answer = self.compared.reading.asked(&request)?;
                printing::print(&answer.report(), form, terminal_width())
            }
            ResultForm::Neleval | ResultForm::Elevant => {
                let (work, bar) = self.compared.reading.work();
                let inspected = request.inspect(&work);
                bar.clear();
                let inspected = inspected?;
                show::notices(&inspected.notices, self.compared.reading.quiet);
                Ok(write!(anstream::stdout(), "{}", inspected.neleval())?)
            }
        }
    }

    fn request(&self, only: Vec<String>) -> Result<ErrorsRequest, Failure> {
        let request = ErrorsRequest {
            question: self.question()?,
            inputs: self.compared.request()?,
            convention: self.convention.request()?,
            only,
            categories: self.category.clone(),
            unique: self.unique,
            unknowns: self.unknowns.map(UnknownEntities::from),
            filters: self.filters.clone(),
            digests: self.format.is_record(),
        };
        match self.format {
            ResultForm::Neleval => Ok(request.for_neleval()?),
            _ => Ok(request),
        }
    }

    /// The one question that the arguments ask.
    fn question(&self) -> Result<ErrorsQuestion, Failure> {
        if self.by.is_some() && (self.suspects || !self.diff.is_empty()) {
            return Err(Failure::usage(
                "--diff and --suspects list mentions, and --by counts them",
                "leave out --by",
            ));
        }
        if self.by == Some(By::Error) && !self.filters.is_empty() {
            return Err(Failure::usage(
                "--where lists mentions, and --by counts them",
                "leave out --by, or count with --by category",
            ));
        }
        let by = self.by.unwrap_or(By::Error).into();
        let narrows = !self.filters.is_empty() && self.by != Some(By::Category);
        let lists = self.list || !self.category.is_empty() || narrows;
        Ok(match (self.diff.as_slice(), &self.confusion) {
            ([first, second], _) => ErrorsQuestion::Diff(first.clone(), second.clone()),
            (_, Some(facet)) => ErrorsQuestion::Confusion(facet.clone()),
            _ if self.suspects => ErrorsQuestion::Suspects { agree: self.agree },
            _ if self.partial_spans => ErrorsQuestion::PartialSpans,
            _ if lists => ErrorsQuestion::List(by),
            _ => ErrorsQuestion::Count(by),
        })
    }
}

impl From<By> for ErrorsBy {
    fn from(by: By) -> ErrorsBy {
        match by {
            By::Error => ErrorsBy::Error,
            By::Category => ErrorsBy::Category,
            By::Relation => ErrorsBy::Relation,
            By::SpanError => ErrorsBy::SpanError,
        }
    }
}

impl From<UnknownsArgument> for UnknownEntities {
    fn from(unknowns: UnknownsArgument) -> UnknownEntities {
        match unknowns {
            UnknownsArgument::Ignored => UnknownEntities::Ignored,
            UnknownsArgument::Required => UnknownEntities::Required,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::commands::{changed_convention, described_inputs, read_back};

    #[test]
    fn a_request_as_a_command_is_the_same_request() {
        let counts = |by| ErrorsQuestion::Count(by);
        let several = |values: &[&str]| values.iter().map(|&it| it.to_owned()).collect::<Vec<_>>();
        let [first, second] = ["my system", "second"].map(str::to_owned);
        let of = |question| ErrorsRequest { question, ..ErrorsRequest::default() };
        let requests = [
            ErrorsRequest { unique: true, ..of(counts(ErrorsBy::Error)) },
            ErrorsRequest {
                convention: changed_convention(),
                unknowns: Some(UnknownEntities::Required),
                filters: several(&["type=PER,ORG -optional", "-text~^the"]),
                only: several(&["second"]),
                ..of(counts(ErrorsBy::Category))
            },
            ErrorsRequest {
                categories: several(&["missing NIL", "metonymy"]),
                ..of(ErrorsQuestion::List(ErrorsBy::Error))
            },
            of(ErrorsQuestion::List(ErrorsBy::Category)),
            of(counts(ErrorsBy::SpanError)),
            of(ErrorsQuestion::Diff(first, second)),
            of(ErrorsQuestion::Suspects { agree: 3 }),
            of(ErrorsQuestion::Confusion("base-form".to_owned())),
            of(ErrorsQuestion::PartialSpans),
        ];
        for request in requests {
            let request = ErrorsRequest { inputs: described_inputs(), ..request };
            let mut read: Errors = read_back(&request, 1);
            let only = read.compared.take_named().ok().unwrap_or_default();
            assert_eq!(read.request(only).ok(), Some(request));
        }
    }
}
