//! The cases of a run as a record.

use super::collected::Kept;
use super::request::{CaseGrouping, CaseOrder};
use super::tables;
use crate::errors::known_names::KnownNames;
use crate::errors::{MentionAnswer, MentionInText};
use crate::request::{Answer, record};
use karat_facets::Finding;
use karat_facets::taxonomy::Category;
use karat_model::Notice;
use karat_report::{Deferred, Report};
use serde::{Deserialize, Serialize};
use std::fmt;
use std::str::FromStr;

/// Cases of one run, or how often each thing occurs among them.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct CasesAnswer {
    /// The version of karat.
    pub karat: String,
    /// What reproduces everything that is said.
    pub signature: String,
    /// The benchmark.
    pub benchmark: String,
    /// The system.
    pub system: String,
    /// The system whose outcomes stand beside.
    pub beside: Option<String>,
    /// The conditions, in one spelling.
    #[serde(rename = "where")]
    pub filter: String,
    /// What cases are grouped by.
    pub group: CaseGrouping,
    /// Which come first.
    pub sort: CaseOrder,
    /// How many cases fit.
    pub total: usize,
    /// How many cases the run has, whatever was asked.
    pub of: usize,
    /// How many groups there are, where cases are grouped.
    pub groups_total: usize,
    /// The number of the first row or group in the whole list, from 1.
    pub first: Option<usize>,
    /// The cases, where they are not grouped.
    pub rows: Vec<CaseRow>,
    /// The groups, the largest first.
    pub groups: Vec<CaseGroup>,
    /// Where the next page begins, if there is one.
    pub next: Option<CasePlace>,
    /// What could be asked next, with how many cases would be left.
    pub chips: Vec<FilterChips>,
    /// Where nothing fits: how many cases there are without each condition.
    pub without: Vec<WithoutCondition>,
    /// What a reader has to know.
    #[serde(default)]
    pub notices: Vec<Notice>,
}

/// A case.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct CaseRow {
    /// The number of its document, from 1.
    pub document: usize,
    /// Its number among the cases of the run in the document, from 1.
    pub number: usize,
    /// What the document is called.
    pub name: String,
    /// Where it stands, with the text around it.
    #[serde(flatten)]
    pub in_text: MentionInText,
    /// What gold says; `None` if gold has nothing here.
    pub gold: Option<MentionAnswer>,
    /// What the system says.
    pub prediction: Option<MentionAnswer>,
    /// The kind of error, or of what is right; `None` for what counts for nothing.
    pub error: Option<String>,
    /// The category of the error, if it has one that is known.
    pub category: Option<String>,
    /// All categories, without those that sum up others.
    pub categories: Vec<String>,
    /// Whether a category is unknown for want of facts.
    pub is_open: bool,
    /// Its types.
    pub types: Vec<String>,
    /// How sure the system is.
    pub confidence: Option<f64>,
    /// Where the right answer is among the candidates, from 1.
    pub rank: Option<usize>,
    /// How many candidates there are.
    pub candidates: usize,
    /// Whether it counts as right.
    pub is_right: bool,
    /// Whether it counts against the system.
    pub is_wrong: bool,
    /// What the other system made of it, where one was named.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub beside: Option<BesideOutcome>,
}

/// What another system made of a mention.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct BesideOutcome {
    /// The kind of error, or of what is right; `None` where it has nothing here that counts.
    pub error: Option<String>,
    /// What it says.
    pub prediction: Option<MentionAnswer>,
    /// How sure it is.
    pub confidence: Option<f64>,
    /// Whether it is right.
    pub is_right: bool,
}

/// Cases that have something in common.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct CaseGroup {
    /// What they have in common.
    pub label: String,
    /// How many there are.
    pub count: usize,
    /// The conditions that list them.
    #[serde(rename = "where")]
    pub filter: String,
    /// The first of them.
    pub example: CaseRow,
}

/// The labels of a facet by which the list can be narrowed down. They are counted under all conditions but those on
/// the facet itself, so that one label can be exchanged for another.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct FilterChips {
    /// The facet.
    pub facet: String,
    /// Its labels.
    pub labels: Vec<LabelCount>,
}

/// A label with how many cases have it.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct LabelCount {
    /// The label.
    pub label: String,
    /// What people call it, where it is an id.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// How many cases have it.
    pub count: usize,
}

/// What would fit without a condition.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct WithoutCondition {
    /// The condition.
    pub condition: String,
    /// How many cases fit all others.
    pub total: usize,
    /// The others.
    #[serde(rename = "where")]
    pub filter: String,
}

/// The place of a case in a run: the number of its document and its own, both from 1. It is written as `3.12`.
#[derive(
    Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize,
)]
#[serde(try_from = "String", into = "String")]
pub struct CasePlace {
    /// The number of the document.
    pub document: usize,
    /// The number of the case in it.
    pub number: usize,
}

impl fmt::Display for CasePlace {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}.{}", self.document, self.number)
    }
}

/// A text that is no place of a case.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("`{text}` is no place of a case, such as 3.12")]
pub struct CasePlaceError {
    /// The text.
    pub text: String,
}

impl FromStr for CasePlace {
    type Err = CasePlaceError;

    fn from_str(text: &str) -> Result<CasePlace, CasePlaceError> {
        let numbers = text.split_once('.').and_then(|(document, number)| {
            Some(CasePlace { document: document.parse().ok()?, number: number.parse().ok()? })
        });
        numbers.ok_or_else(|| CasePlaceError { text: text.to_owned() })
    }
}

impl TryFrom<String> for CasePlace {
    type Error = CasePlaceError;

    fn try_from(text: String) -> Result<CasePlace, CasePlaceError> {
        text.parse()
    }
}

impl From<CasePlace> for String {
    fn from(place: CasePlace) -> String {
        place.to_string()
    }
}

impl CaseRow {
    pub(super) fn of(kept: &Kept) -> CaseRow {
        let case = &kept.case;
        let named = case.categories.iter().filter(|category| !category.is_total());
        CaseRow {
            document: kept.place.document,
            number: kept.place.number,
            name: case.document.clone(),
            in_text: case.in_text(),
            gold: case.gold.clone(),
            prediction: case.prediction.clone(),
            error: case.kind.map(|kind| Finding::name(kind).to_owned()),
            category: case.category().map(|category| category.name().to_owned()),
            categories: named.copied().map(|it| Category::name(it).to_owned()).collect(),
            is_open: case.is_open,
            types: kept.types.clone(),
            confidence: case.confidence,
            rank: case.candidate_rank,
            candidates: case.candidates.len(),
            is_right: case.is_right,
            is_wrong: case.is_wrong,
            beside: None,
        }
    }

    /// Its place in the run.
    pub fn place(&self) -> CasePlace {
        CasePlace { document: self.document, number: self.number }
    }
}

impl CasesAnswer {
    /// Gives entities the names that are known.
    pub(super) fn complete_names(&mut self, names: &KnownNames<'_>) {
        let examples = self.groups.iter_mut().map(|group| &mut group.example);
        for row in self.rows.iter_mut().chain(examples) {
            let beside = row.beside.as_mut().and_then(|beside| beside.prediction.as_mut());
            for answer in [row.gold.as_mut(), row.prediction.as_mut(), beside].into_iter().flatten()
            {
                names.complete(answer);
            }
        }
    }
}

impl Answer for CasesAnswer {
    fn notices(&self) -> &[Notice] {
        &self.notices
    }

    fn report(&self) -> Report<'_> {
        let table = Deferred::by(|| match self.group {
            CaseGrouping::None => tables::rows(self),
            _ => tables::groups(self),
        });
        Report {
            result: Some(tables::sentence(self)),
            records: Some(Deferred::by(|| match self.group {
                CaseGrouping::None => self.rows.iter().map(record).collect(),
                _ => self.groups.iter().map(record).collect(),
            })),
            record: Some(Deferred::by(|| record(self))),
            signatures: vec![self.signature.clone()],
            ..Report::of(table)
        }
    }
}
