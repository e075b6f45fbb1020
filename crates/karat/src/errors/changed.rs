//! Which cases of one run change sides between two conventions.

use super::case::ErrorCase;
use super::inspector::Inspector;
use super::names::Narrowed;
use super::request::{ErrorsBy, ErrorsQuestion, ErrorsRequest};
use super::{CasePlace, MentionAnswer, MentionInText};
use crate::convention::ConventionRequest;
use crate::error::Error;
use crate::inputs::{Inputs, counted};
use crate::request::{Answer, Request, record};
use crate::work::Work;
use karat_facets::Finding;
use karat_model::{Hint, Notice};
use karat_report::{Cell, Column, Deferred, Report, Table};
use serde::{Deserialize, Serialize};
use std::collections::{HashMap, VecDeque};

/// How many cases one answer may list.
const MOST: usize = 500;

/// Asks which mentions of one run become something else under another convention.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct ChangedCasesRequest {
    /// One gold standard and one system.
    pub inputs: Inputs,
    /// The convention before.
    pub from: ConventionRequest,
    /// The convention after.
    pub to: ConventionRequest,
    /// How many cases are listed, at most 500.
    pub limit: usize,
}

impl Default for ChangedCasesRequest {
    fn default() -> ChangedCasesRequest {
        ChangedCasesRequest {
            inputs: Inputs::default(),
            from: ConventionRequest::default(),
            to: ConventionRequest::default(),
            limit: 100,
        }
    }
}

/// Mentions that become something else.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct ChangedCasesAnswer {
    /// The version of karat.
    pub karat: String,
    /// What reproduces both sides.
    pub signatures: Vec<String>,
    /// The benchmark.
    pub benchmark: String,
    /// The system.
    pub system: String,
    /// How many mentions become something else.
    pub total: usize,
    /// The first of them, in the order of the benchmark.
    pub cases: Vec<ChangedCase>,
    /// What a reader has to know.
    #[serde(default)]
    pub notices: Vec<Notice>,
}

/// A mention that becomes something else.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct ChangedCase {
    /// The number of its document, from 1.
    pub document: usize,
    /// What the document is called.
    pub name: String,
    /// Where it stands, with the text around it.
    #[serde(flatten)]
    pub in_text: MentionInText,
    /// What gold says; `None` if gold has nothing here.
    pub gold: Option<MentionAnswer>,
    /// What the system says.
    pub prediction: Option<MentionAnswer>,
    /// What it is before: a kind of error, or of what is right; `None` if it does not count.
    pub was: Option<String>,
    /// What it is after.
    pub is: Option<String>,
}

impl Request for ChangedCasesRequest {
    type Answer = ChangedCasesAnswer;

    const NAME: &'static str = "changed-cases";

    fn answer(&self, work: &Work) -> Result<ChangedCasesAnswer, Error> {
        if self.limit == 0 || self.limit > MOST {
            return Err(Error::bad_request(
                format!("a list cannot have {} rows", self.limit),
                format!("ask for 1 to {MOST}"),
            ));
        }
        let mut answer = ChangedCasesAnswer {
            karat: env!("CARGO_PKG_VERSION").to_owned(),
            ..ChangedCasesAnswer::default()
        };
        let was = self.cases(&self.from, &mut answer, work)?;
        let is = self.cases(&self.to, &mut answer, work)?;
        let mut changed = changed(&was, &is);
        changed.sort_by_key(|(case, ..)| (case.document, case.in_text.start, case.in_text.end));
        answer.total = changed.len();
        answer.cases = changed.into_iter().map(|(case, ..)| case).take(self.limit).collect();
        Ok(answer)
    }
}

/// A case with the number of its document.
type Numbered = (CasePlace, ErrorCase);

impl ChangedCasesRequest {
    /// The cases of the run under one convention.
    fn cases(
        &self,
        convention: &ConventionRequest,
        answer: &mut ChangedCasesAnswer,
        work: &Work,
    ) -> Result<Vec<Numbered>, Error> {
        let errors = ErrorsRequest {
            inputs: self.inputs.clone(),
            convention: convention.clone(),
            question: ErrorsQuestion::List(ErrorsBy::Category),
            ..ErrorsRequest::default()
        };
        let inspector = Inspector::of(&errors, Narrowed::default(), work)?;
        let [experiment] = inspector.experiments.as_slice() else { return Err(not_one()) };
        let [run] = experiment.runs.as_slice() else { return Err(not_one()) };
        answer.benchmark.clone_from(&experiment.benchmark.name);
        answer.system.clone_from(&run.name);
        answer.signatures.push(inspector.signature_of_first());
        let cases = work.run(|| inspector.cases_of(&run.name))??;
        let gold = &experiment.benchmark.corpus;
        let numbered = cases.into_iter().enumerate().map(|(at, case)| {
            let document = gold.document(&case.document).map_or(0, |it| it.index() + 1);
            (CasePlace { document, number: at + 1 }, case)
        });
        let numbered = numbered.collect();
        for notice in inspector.into_notices(Vec::new())? {
            if !answer.notices.contains(&notice) {
                answer.notices.push(notice);
            }
        }
        Ok(numbered)
    }
}

fn not_one() -> Error {
    Error::bad_request(
        "conventions are compared on one system and one benchmark",
        Hint::template("give one {gold} and one {system}"),
    )
}

/// What a case is called; `None` if it counts for nothing.
fn kind(case: &ErrorCase) -> Option<String> {
    let counts = case.is_right || case.is_wrong;
    case.kind.filter(|_| counts).map(|kind| Finding::name(kind).to_owned())
}

/// The mentions of either side that are something else on the other. A gold mention is known by its span and what gold says, a
/// stray prediction by its span and what it says; what one side does not have does not count there.
fn changed(was: &[Numbered], is: &[Numbered]) -> Vec<(ChangedCase, usize)> {
    type Key<'k> = (&'k str, [u32; 2], bool, Option<&'k MentionAnswer>);
    fn key(case: &ErrorCase) -> Key<'_> {
        let said = case.gold.as_ref().or(case.prediction.as_ref());
        (&case.document, [case.span.start, case.span.end], case.gold.is_some(), said)
    }
    let mut after: HashMap<Key<'_>, VecDeque<&Numbered>> = HashMap::new();
    for numbered in is {
        after.entry(key(&numbered.1)).or_default().push_back(numbered);
    }
    let mut found = Vec::new();
    for (place, case) in was {
        let other = after.get_mut(&key(case)).and_then(VecDeque::pop_front);
        let (before, after) = (kind(case), other.and_then(|(_, case)| kind(case)));
        if before != after {
            let shown = other.map_or(case, |(_, other)| other);
            found.push((row(*place, shown, before, after), place.number));
        }
    }
    for (place, case) in after.into_values().flatten() {
        let after = kind(case);
        if after.is_some() {
            found.push((row(*place, case, None, after), place.number));
        }
    }
    // Those that only the second side has came out of a map.
    found.sort_by_key(|(_, number)| *number);
    found
}

fn row(place: CasePlace, case: &ErrorCase, was: Option<String>, is: Option<String>) -> ChangedCase {
    ChangedCase {
        document: place.document,
        name: case.document.clone(),
        in_text: case.in_text(),
        gold: case.gold.clone(),
        prediction: case.prediction.clone(),
        was,
        is,
    }
}

impl ChangedCasesAnswer {
    /// How many mentions become something else, in a sentence.
    pub fn sentence(&self) -> String {
        match self.total {
            0 => "No mention becomes anything else.".to_owned(),
            1 => "1 mention becomes something else.".to_owned(),
            total => format!("{} become something else.", counted(total, "mention")),
        }
    }

    fn rows(&self) -> Table {
        let words = ["document", "mention", "gold", "prediction", "was", "is"].map(Column::text);
        let spans = ["start", "end"].map(Column::count);
        let mut table = Table::new(words.into_iter().chain(spans));
        for case in &self.cases {
            let said =
                |it: &Option<MentionAnswer>| Cell::from(it.as_ref().map(ToString::to_string));
            table.row([
                Cell::from(case.name.as_str()),
                Cell::from(case.in_text.mention.clone()),
                said(&case.gold),
                said(&case.prediction),
                Cell::from(case.was.clone()),
                Cell::from(case.is.clone()),
                Cell::from(case.in_text.start as usize),
                Cell::from(case.in_text.end as usize),
            ]);
        }
        table
    }
}

impl Answer for ChangedCasesAnswer {
    fn notices(&self) -> &[Notice] {
        &self.notices
    }

    fn report(&self) -> Report<'_> {
        Report {
            result: Some(self.sentence()),
            record: Some(Deferred::by(|| record(self))),
            signatures: self.signatures.clone(),
            ..Report::of(Deferred::by(|| self.rows()))
        }
    }
}
