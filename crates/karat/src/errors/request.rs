//! What can be asked about errors.

use super::answer::ErrorsAnswer;
use super::inspector::{InspectedErrors, Inspector};
use super::names::{Narrowed, is_category, kind_names};
use crate::command::CommandLine;
use crate::convention::ConventionRequest;
use crate::error::Error;
use crate::inputs::Inputs;
use crate::request::Request;
use crate::work::Work;
use karat_match::Unknowns;
use karat_model::Hint;
use serde::{Deserialize, Serialize};

/// Counts and lists what went wrong.
///
/// Each gold mention is set beside the prediction on its span. What became of it is its *kind* (missing, extra,
/// wrong-link, ...); what made it hard is its *category* (metonymy, a partial name, ...).
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct ErrorsRequest {
    /// Gold and systems.
    pub inputs: Inputs,
    /// The convention.
    pub convention: ConventionRequest,
    /// Of the systems, only those with these names; all if there are none.
    pub only: Vec<String>,
    /// What is asked.
    pub question: ErrorsQuestion,
    /// Kinds and categories to which a list is narrowed down, by any of their names.
    pub categories: Vec<String>,
    /// Count and list what gold and a system say of a document once, however many mentions say it.
    pub unique: bool,
    /// What is done about entities that the knowledge base does not have; they are ignored if absent.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub unknowns: Option<UnknownEntities>,
    /// Only mentions with these labels, each as `FACET=LABEL`.
    #[serde(rename = "where")]
    pub filters: Vec<String>,
    /// Whether the answer has the digests of gold and systems, which take as long as reading them.
    pub digests: bool,
}

/// What is asked about errors.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ErrorsQuestion {
    /// How many mentions there are of each sort.
    Count(ErrorsBy),
    /// The mentions one by one: by kind with what both sides say, or by category with their context as well.
    /// Labels and categories to which the list is narrowed down make it one by category.
    List(ErrorsBy),
    /// What the first of two systems gets right and the second wrong, the reverse, and what both get wrong.
    Diff(String, String),
    /// Where several systems agree against gold, the most suspicious first, as tasks for verification.
    Suspects {
        /// How many systems must agree.
        #[serde(default = "two")]
        agree: usize,
    },
    /// By which label of this facet links are right, for each that gold mentions have.
    Confusion(String),
    /// Pairs of a gold mention and a prediction that overlap on different spans and share a link.
    PartialSpans,
}

impl Default for ErrorsQuestion {
    fn default() -> ErrorsQuestion {
        ErrorsQuestion::Count(ErrorsBy::Error)
    }
}

impl ErrorsQuestion {
    /// The command that asks it.
    fn said(&self, command: CommandLine) -> CommandLine {
        let by = |command: CommandLine, by: &ErrorsBy| {
            command.unusual("--by", by.name(), ErrorsBy::default().name())
        };
        match self {
            ErrorsQuestion::Count(told_apart) => by(command, told_apart),
            ErrorsQuestion::List(told_apart) => by(command.switch("--list", true), told_apart),
            ErrorsQuestion::Diff(first, second) => command.pair("--diff", [first, second]),
            ErrorsQuestion::Suspects { agree } => {
                command.switch("--suspects", true).unusual("--agree", *agree, two())
            }
            ErrorsQuestion::Confusion(facet) => command.option("--confusion", facet),
            ErrorsQuestion::PartialSpans => command.switch("--partial-spans", true),
        }
    }
}

fn two() -> usize {
    2
}

/// What errors are told apart by.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ErrorsBy {
    /// The kinds of neleval.
    #[default]
    Error,
    /// The categories of ELEVANT, under the taxonomy of the convention.
    Category,
    /// The relation of each mention to the other side.
    Relation,
    /// What is wrong with spans.
    SpanError,
}

impl ErrorsBy {
    /// What it is called.
    pub fn name(self) -> &'static str {
        match self {
            ErrorsBy::Error => "error",
            ErrorsBy::Category => "category",
            ErrorsBy::Relation => "relation",
            ErrorsBy::SpanError => "span-error",
        }
    }

    /// The facet whose labels are counted on each side, if it is one.
    pub(super) fn facet(self) -> Option<&'static str> {
        match self {
            ErrorsBy::Error | ErrorsBy::Category => None,
            ErrorsBy::Relation => Some("relation"),
            ErrorsBy::SpanError => Some("span-error"),
        }
    }
}

/// What is done about entities that the knowledge base does not have.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum UnknownEntities {
    /// They are left out, and NIL is no answer.
    Ignored,
    /// They are to be found.
    Required,
}

impl UnknownEntities {
    /// What it is called.
    pub fn name(self) -> &'static str {
        match self {
            UnknownEntities::Ignored => "ignored",
            UnknownEntities::Required => "required",
        }
    }

    /// How entities are treated where this was asked, or nothing.
    pub(crate) fn of(asked: Option<UnknownEntities>) -> Unknowns {
        match asked {
            None | Some(UnknownEntities::Ignored) => Unknowns::Ignored,
            Some(UnknownEntities::Required) => Unknowns::Required,
        }
    }
}

impl Request for ErrorsRequest {
    type Answer = ErrorsAnswer;

    const NAME: &'static str = "errors";

    fn answer(&self, work: &Work) -> Result<ErrorsAnswer, Error> {
        Ok(self.inspect(work)?.into_answer())
    }

    fn commands(&self) -> Vec<CommandLine> {
        if self.inputs.systems.is_empty() {
            return Vec::new();
        }
        // Only records have digests, which change no number.
        let ErrorsRequest {
            inputs,
            convention,
            only,
            question,
            categories,
            unique,
            unknowns,
            filters,
            digests: _,
        } = self;
        // A name beside inputs leaves only that system in the result, and only names that were given are names.
        let mut named = inputs.clone();
        for system in named.systems.iter_mut().filter(|_| !only.is_empty()) {
            system.name = Some(system.called());
        }
        let command =
            CommandLine::of("errors").inputs(&named).each("-s", only).convention(convention);
        let command = question
            .said(command)
            .list("--category", categories)
            .switch("--unique", *unique)
            .maybe("--unknowns", unknowns.map(UnknownEntities::name))
            .each("--where", filters);
        vec![command]
    }
}

impl ErrorsRequest {
    /// What was found, from which the answer is made, or what neleval prints.
    pub fn inspect(&self, work: &Work) -> Result<InspectedErrors, Error> {
        self.check()?;
        let narrowed = Narrowed::named(&self.categories)?;
        let found = Inspector::of(self, narrowed, work)?.inspect()?;
        work.check()?;
        Ok(found)
    }

    /// The same request for what neleval prints: it lists what is right as well. Refused where neleval has no
    /// such list.
    pub fn for_neleval(mut self) -> Result<ErrorsRequest, Error> {
        if !self.is_about_kinds() {
            return Err(Error::bad_request(
                "neleval has no such list",
                Hint::template("choose another {format}"),
            ));
        }
        if matches!(self.question, ErrorsQuestion::List(_)) && self.categories.is_empty() {
            self.categories = kind_names();
        }
        Ok(self)
    }

    /// Whether it is answered with kinds of errors, which need no labelled cases.
    pub(super) fn is_about_kinds(&self) -> bool {
        use ErrorsQuestion::{Count, List};
        matches!(self.question, Count(ErrorsBy::Error) | List(ErrorsBy::Error))
            && self.filters.is_empty()
            && !self.categories.iter().any(|name| is_category(name))
    }

    /// Whether it is answered with cases that have categories.
    fn is_about_categories(&self) -> bool {
        use ErrorsQuestion::{Count, Diff, List, Suspects};
        match self.question {
            Count(by) => by == ErrorsBy::Category,
            List(_) => !self.is_about_kinds(),
            Diff(..) | Suspects { .. } => true,
            ErrorsQuestion::Confusion(_) | ErrorsQuestion::PartialSpans => false,
        }
    }

    pub(super) fn unknowns(&self) -> Unknowns {
        UnknownEntities::of(self.unknowns)
    }

    /// Refuses what would be left out without a word.
    pub(super) fn check(&self) -> Result<(), Error> {
        let refuse = |message: &str, hint: Hint| Err(Error::bad_request(message, hint));
        if self.unique && !self.is_about_kinds() {
            return refuse(
                "`unique` is about kinds of errors",
                Hint::template(
                    "leave it out, or leave out {by}, {where}, {diff}, {suspects} and categories",
                ),
            );
        }
        if self.unknowns.is_some() && !self.is_about_categories() {
            return refuse(
                "only categories treat unknown entities in two ways",
                Hint::template("add {by=category}"),
            );
        }
        self.check_question()?;
        self.check_narrowing()
    }

    fn check_question(&self) -> Result<(), Error> {
        let refuse = |message: &str, hint: Hint| Err(Error::bad_request(message, hint));
        match &self.question {
            ErrorsQuestion::List(by) if by.facet().is_some() => refuse(
                "relations and errors of spans count mentions and list none",
                Hint::template(
                    "leave out {by}; {where=relation=LABEL} and {where=span-error=LABEL} list them",
                ),
            ),
            ErrorsQuestion::Diff(first, second) if first == second => refuse(
                "a system does not differ from itself",
                Hint::template("write {diff} with the names of two systems"),
            ),
            ErrorsQuestion::Suspects { agree: 0 } => refuse(
                "at least one system must say something",
                Hint::template("write {agree=1} or more"),
            ),
            _ => Ok(()),
        }
    }

    /// Refuses to narrow down what cannot be.
    fn check_narrowing(&self) -> Result<(), Error> {
        use ErrorsQuestion::{Confusion, Count, PartialSpans, Suspects};
        let refuse = |message: &str, hint: Hint| Err(Error::bad_request(message, hint));
        match &self.question {
            Suspects { .. } if !self.categories.is_empty() => refuse(
                "suspects are of all categories",
                Hint::template("leave out {category}; {where=category=NAME} narrows them down"),
            ),
            Count(_) | Confusion(_) | PartialSpans if !self.categories.is_empty() => refuse(
                "kinds and categories narrow lists down, and nothing is listed",
                Hint::template("leave out {category}, or ask for a {list}"),
            ),
            Count(ErrorsBy::Category) => Ok(()),
            Count(_) | Confusion(_) | PartialSpans if !self.filters.is_empty() => refuse(
                "labels narrow lists down, and counts by category",
                Hint::template("leave out {where}, or count with {by=category}"),
            ),
            _ => Ok(()),
        }
    }
}
