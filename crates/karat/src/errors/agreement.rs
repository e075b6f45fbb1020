//! How many of several systems are right about each gold mention.

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
use karat_model::{Hint, Notice};
use karat_report::{Cell, Column, Deferred, Report, Table};
use rayon::prelude::*;
use serde::{Deserialize, Serialize};
use std::collections::{HashMap, VecDeque};

/// How many mentions one answer may list.
const MOST: usize = 500;

/// Asks which gold mentions none, one, two ... of several systems get right.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct AgreementRequest {
    /// One gold standard and at least two systems.
    pub inputs: Inputs,
    /// The convention.
    pub convention: ConventionRequest,
    /// Only mentions are listed that so many systems get right; all if absent.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub right: Option<usize>,
    /// Where the page before ended: the place that its answer gives as `next`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub after: Option<CasePlace>,
    /// How many mentions are listed, at most 500.
    pub limit: usize,
}

impl Default for AgreementRequest {
    fn default() -> AgreementRequest {
        AgreementRequest {
            inputs: Inputs::default(),
            convention: ConventionRequest::default(),
            right: None,
            after: None,
            limit: 100,
        }
    }
}

/// Gold mentions by how many systems get them right.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct AgreementAnswer {
    /// The version of karat.
    pub karat: String,
    /// What reproduces everything that is said.
    pub signature: String,
    /// The benchmark.
    pub benchmark: String,
    /// The systems, in the order of the answers of each mention.
    pub systems: Vec<String>,
    /// How many mentions none, one, two ... of them get right.
    pub right: Vec<usize>,
    /// How many mentions fit what was asked.
    pub total: usize,
    /// The number of the first that is listed, from 1.
    pub first: Option<usize>,
    /// The mentions, in the order of the benchmark.
    pub cases: Vec<AgreementCase>,
    /// Where the next page begins, if there is one.
    pub next: Option<CasePlace>,
    /// What a reader has to know.
    #[serde(default)]
    pub notices: Vec<Notice>,
}

/// A gold mention with what every system says.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct AgreementCase {
    /// Its place: the number of its document, and its own among the gold mentions that count there.
    pub place: CasePlace,
    /// What the document is called.
    pub document: String,
    /// Where it stands, with the text around it.
    #[serde(flatten)]
    pub in_text: MentionInText,
    /// What gold says.
    pub gold: MentionAnswer,
    /// How many systems are right.
    pub right: usize,
    /// What they say.
    pub answers: Vec<AgreementSaid>,
}

/// What a system says of a mention.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct AgreementSaid {
    /// Whether it is right.
    pub is_right: bool,
    /// What it says; `None` if it says nothing.
    pub prediction: Option<MentionAnswer>,
}

impl Request for AgreementRequest {
    type Answer = AgreementAnswer;

    const NAME: &'static str = "agreement";

    fn answer(&self, work: &Work) -> Result<AgreementAnswer, Error> {
        self.check()?;
        let errors = ErrorsRequest {
            inputs: self.inputs.clone(),
            convention: self.convention.clone(),
            question: ErrorsQuestion::List(ErrorsBy::Category),
            ..ErrorsRequest::default()
        };
        let inspector = Inspector::of(&errors, Narrowed::default(), work)?;
        let systems: Vec<String> = match inspector.experiments.as_slice() {
            [only] if only.runs.len() > 1 => only.runs.iter().map(|run| run.name.clone()).collect(),
            _ => return Err(too_few()),
        };
        work.begin("looking for cases", systems.len() as u64)?;
        let cases: Result<Vec<Vec<ErrorCase>>, Error> =
            work.run(|| systems.par_iter().map(|name| inspector.cases_of(name)).collect())?;
        let all = together(&inspector, &cases?);
        let mut right = vec![0; systems.len() + 1];
        all.iter().for_each(|case| right[case.right] += 1);
        let mut answer = AgreementAnswer {
            karat: env!("CARGO_PKG_VERSION").to_owned(),
            signature: inspector.signature_of_first(),
            benchmark: inspector.experiments[0].benchmark.name.clone(),
            systems,
            right,
            ..AgreementAnswer::default()
        };
        self.list(all, &mut answer)?;
        answer.notices = inspector.into_notices(Vec::new())?;
        Ok(answer)
    }
}

fn too_few() -> Error {
    Error::bad_request(
        "systems agree or differ where there are at least two on one benchmark",
        Hint::template("give one {gold} and several {system}"),
    )
}

impl AgreementRequest {
    fn check(&self) -> Result<(), Error> {
        if self.limit == 0 || self.limit > MOST {
            return Err(Error::bad_request(
                format!("a page cannot have {} rows", self.limit),
                format!("ask for 1 to {MOST}; `after` asks for the rows that follow"),
            ));
        }
        Ok(())
    }

    /// Puts the mentions of the page that was asked for into the answer.
    fn list(&self, all: Vec<AgreementCase>, answer: &mut AgreementAnswer) -> Result<(), Error> {
        let fits = |case: &AgreementCase| self.right.is_none_or(|right| case.right == right);
        let fitting: Vec<AgreementCase> = all.into_iter().filter(fits).collect();
        answer.total = fitting.len();
        let start = match self.after {
            None => 0,
            Some(after) => {
                let place = fitting.iter().position(|case| case.place == after);
                let missing = || {
                    let hint = "begin with the first page";
                    Error::bad_request(format!("no mention at {after} is in this list"), hint)
                };
                place.ok_or_else(missing)? + 1
            }
        };
        answer.first = (start < answer.total).then_some(start + 1);
        answer.cases = fitting.into_iter().skip(start).take(self.limit).collect();
        let is_more = start + answer.cases.len() < answer.total;
        answer.next = answer.cases.last().filter(|_| is_more).map(|case| case.place);
        Ok(())
    }
}

/// Every gold mention that counts for all systems, in the order of the benchmark.
fn together(inspector: &Inspector<'_>, cases: &[Vec<ErrorCase>]) -> Vec<AgreementCase> {
    type Key<'k> = (&'k str, [u32; 2], Option<&'k MentionAnswer>);
    let key = |case: &'_ ErrorCase| [case.span.start, case.span.end];
    let counts =
        |case: &&ErrorCase| case.is_root && case.gold.is_some() && (case.is_right || case.is_wrong);
    let Some((first, others)) = cases.split_first() else { return Vec::new() };
    let mut of_others: Vec<HashMap<Key<'_>, VecDeque<&ErrorCase>>> = Vec::new();
    for cases in others {
        let mut by_key: HashMap<Key<'_>, VecDeque<&ErrorCase>> = HashMap::new();
        for case in cases.iter().filter(counts) {
            let key = (case.document.as_str(), key(case), case.gold.as_ref());
            by_key.entry(key).or_default().push_back(case);
        }
        of_others.push(by_key);
    }
    let gold = &inspector.experiments[0].benchmark.corpus;
    let (mut document, mut number) = (0, 0);
    let mut all = Vec::new();
    for case in first.iter().filter(counts) {
        let key = (case.document.as_str(), key(case), case.gold.as_ref());
        // Gold may say the same thing twice: the first of one is the first of the other.
        let said: Option<Vec<&ErrorCase>> = std::iter::once(Some(case))
            .chain(of_others.iter_mut().map(|of| of.get_mut(&key)?.pop_front()))
            .collect();
        let Some(said) = said else { continue };
        let at = gold.document(&case.document).map_or(0, |document| document.index() + 1);
        number = if at == document { number + 1 } else { 1 };
        document = at;
        all.push(AgreementCase::of(CasePlace { document, number }, &said));
    }
    all
}

impl AgreementCase {
    fn of(place: CasePlace, said: &[&ErrorCase]) -> AgreementCase {
        let first = said[0];
        AgreementCase {
            place,
            document: first.document.clone(),
            in_text: first.in_text(),
            gold: first.gold.clone().unwrap_or_default(),
            right: said.iter().filter(|case| case.is_right).count(),
            answers: said
                .iter()
                .map(|case| AgreementSaid {
                    is_right: case.is_right,
                    prediction: case.prediction.clone(),
                })
                .collect(),
        }
    }
}

impl AgreementAnswer {
    /// How far systems agree, in a sentence.
    pub fn sentence(&self) -> String {
        let all: usize = self.right.iter().sum();
        let of_all = self.right.last().copied().unwrap_or_default();
        let of_none = self.right.first().copied().unwrap_or_default();
        format!(
            "Of {}, all {} systems get {of_all} right, and none gets {of_none}; the other {} tell them apart.",
            counted(all, "gold mention"),
            self.systems.len(),
            all - of_all - of_none,
        )
    }

    fn rows(&self) -> Table {
        let columns = ["document", "mention", "gold"].map(Column::text);
        let counts = ["start", "end", "right"].map(Column::count);
        let systems = self.systems.iter().map(|name| Column::text(name.clone()));
        let mut table = Table::new(columns.into_iter().chain(counts).chain(systems));
        for case in &self.cases {
            let words = [
                Cell::from(case.document.as_str()),
                Cell::from(case.in_text.mention.clone()),
                Cell::from(case.gold.to_string()),
            ];
            let counts = [case.in_text.start as usize, case.in_text.end as usize, case.right]
                .map(Cell::from);
            let said = |said: &AgreementSaid| said.prediction.as_ref().map(ToString::to_string);
            let said = case.answers.iter().map(|it| Cell::from(said(it)));
            table.row(words.into_iter().chain(counts).chain(said));
        }
        table
    }
}

impl Answer for AgreementAnswer {
    fn notices(&self) -> &[Notice] {
        &self.notices
    }

    fn report(&self) -> Report<'_> {
        Report {
            result: Some(self.sentence()),
            record: Some(Deferred::by(|| record(self))),
            signatures: vec![self.signature.clone()],
            ..Report::of(Deferred::by(|| self.rows()))
        }
    }
}
