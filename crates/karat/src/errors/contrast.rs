//! What two systems do differently, as records.

use super::case::MentionAnswer;
use super::diff::{CaseDifference, Group};
use super::inspector::Inspector;
use super::known_names::KnownNames;
use super::names::Narrowed;
use super::request::{ErrorsQuestion, ErrorsRequest};
use crate::command::CommandLine;
use crate::convention::ConventionRequest;
use crate::error::Error;
use crate::inputs::{Inputs, counted};
use crate::request::{Answer, Request, record};
use crate::work::Work;
use karat_model::Notice;
use karat_report::{Cell, Column, Deferred, Report, Table};
use serde::{Deserialize, Serialize};
use std::cmp::Reverse;
use std::collections::HashMap;

/// Asks what two systems do differently on one benchmark.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct ContrastRequest {
    /// Gold and systems.
    pub inputs: Inputs,
    /// The convention.
    pub convention: ConventionRequest,
    /// The system that the other is seen from.
    pub first: String,
    /// The other.
    pub second: String,
}

/// What two systems do differently, and how that was found.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct ContrastAnswer {
    /// The version of karat.
    pub karat: String,
    /// What reproduces the numbers.
    pub signature: String,
    /// What differs.
    #[serde(flatten)]
    pub contrast: Contrast,
    /// What a reader has to know.
    #[serde(default)]
    pub notices: Vec<Notice>,
}

/// Gold mentions that at least one of two systems gets wrong. The second is seen from the first: what it alone gets right is
/// won, what the first alone gets right is lost.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Contrast {
    /// How many are won.
    pub won: usize,
    /// How many are lost.
    pub lost: usize,
    /// How many both get wrong.
    pub both_wrong: usize,
    /// The same by the category of the error, the most frequent first.
    pub categories: Vec<ContrastCategory>,
    /// The same by document, those in which the systems differ most first. Documents in which they are right about the
    /// same mentions are left out.
    #[serde(default)]
    pub documents: Vec<ContrastDocument>,
    /// The mentions.
    pub cases: Vec<ContrastCase>,
}

/// Who is right about a mention that not both are right about.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ContrastSide {
    /// Only the second system.
    Won,
    /// Only the first.
    Lost,
    /// Neither.
    Both,
}

/// Mentions with errors of one category.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ContrastCategory {
    /// The category; empty where it is not known.
    pub category: String,
    /// How many are won.
    pub won: usize,
    /// How many are lost.
    pub lost: usize,
    /// How many both get wrong.
    pub both_wrong: usize,
}

/// A document in which two systems differ.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ContrastDocument {
    /// What it is called.
    pub document: String,
    /// How many mentions are won.
    pub won: usize,
    /// How many are lost.
    pub lost: usize,
}

/// A gold mention.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ContrastCase {
    /// Who is right.
    pub side: ContrastSide,
    /// The category of the error: of the one that is wrong, or of the second.
    pub category: String,
    /// The document.
    pub document: String,
    /// Where the mention is.
    pub span: [u64; 2],
    /// The text of the mention.
    pub mention: String,
    /// What stands before it.
    pub before: String,
    /// What stands after it.
    pub after: String,
    /// What gold says.
    pub gold: SaidEntity,
    /// What both systems say.
    pub answers: [SaidEntity; 2],
}

/// What somebody says of a mention.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct SaidEntity {
    /// The entity; `None` for NIL, and where nothing is said.
    pub entity: Option<String>,
    /// Its name.
    pub name: Option<String>,
    /// Whether it is right.
    pub is_right: bool,
}

impl ContrastSide {
    /// All of them.
    pub const ALL: [ContrastSide; 3] = [ContrastSide::Won, ContrastSide::Lost, ContrastSide::Both];

    /// Its name in addresses.
    pub fn name(self) -> &'static str {
        match self {
            ContrastSide::Won => "won",
            ContrastSide::Lost => "lost",
            ContrastSide::Both => "both",
        }
    }
}

impl Request for ContrastRequest {
    type Answer = ContrastAnswer;

    const NAME: &'static str = "contrast";

    fn answer(&self, work: &Work) -> Result<ContrastAnswer, Error> {
        let request = ErrorsRequest {
            inputs: self.inputs.clone(),
            convention: self.convention.clone(),
            only: vec![self.first.clone(), self.second.clone()],
            question: ErrorsQuestion::Diff(self.first.clone(), self.second.clone()),
            ..ErrorsRequest::default()
        };
        request.check()?;
        let inspector = Inspector::of(&request, Narrowed::default(), work)?;
        inspector.check_is_one_benchmark()?;
        let mut told = Vec::new();
        let names = [self.first.as_str(), self.second.as_str()];
        let mut contrast = inspector.contrast(names, &mut told)?;
        let known = KnownNames::of(&inspector.experiments[0].benchmark.corpus);
        for case in &mut contrast.cases {
            for said in case.answers.iter_mut().chain([&mut case.gold]) {
                if let (None, Some(entity)) = (&said.name, &said.entity) {
                    said.name = known.get(entity);
                }
            }
        }
        Ok(ContrastAnswer {
            karat: env!("CARGO_PKG_VERSION").to_owned(),
            signature: inspector.signature_of_first(),
            contrast,
            notices: inspector.into_notices(told)?,
        })
    }

    fn commands(&self) -> Vec<CommandLine> {
        let request = ErrorsRequest {
            inputs: self.inputs.clone(),
            convention: self.convention.clone(),
            question: ErrorsQuestion::Diff(self.first.clone(), self.second.clone()),
            ..ErrorsRequest::default()
        };
        request.commands()
    }
}

impl Answer for ContrastAnswer {
    fn notices(&self) -> &[Notice] {
        &self.notices
    }

    fn report(&self) -> Report<'_> {
        Report {
            record: Some(Deferred::by(|| record(self))),
            signatures: vec![self.signature.clone()],
            ..Report::of(Deferred::by(|| self.contrast.table()))
        }
    }
}

impl Contrast {
    /// What differs, case by case, in the order of the list.
    pub(super) fn of<'c>(differences: impl Iterator<Item = &'c CaseDifference<'c>>) -> Contrast {
        let mut contrast = Contrast::default();
        for case in differences.filter_map(ContrastCase::of) {
            contrast.count(&case);
            contrast.cases.push(case);
        }
        contrast.categories.sort_by(|a, b| {
            let all = |it: &ContrastCategory| it.won + it.lost + it.both_wrong;
            all(b).cmp(&all(a)).then_with(|| a.category.cmp(&b.category))
        });
        contrast.documents = contrast.by_document();
        contrast
    }

    /// What the counts say, in a sentence.
    pub fn sentence(&self, first: &str, second: &str) -> String {
        let both = match self.both_wrong {
            0 => String::new(),
            both => format!(" Both are wrong about {}.", counted(both, "mention")),
        };
        format!(
            "{second} is right about {} where {first} is not, and wrong about {} where {first} is right.{both}",
            counted(self.won, "mention"),
            self.lost,
        )
    }

    /// The documents in which the systems differ, those first in which one is ahead the furthest.
    fn by_document(&self) -> Vec<ContrastDocument> {
        let mut documents: Vec<ContrastDocument> = Vec::new();
        let mut places: HashMap<&str, usize> = HashMap::new();
        for case in self.cases.iter().filter(|case| case.side != ContrastSide::Both) {
            let place = *places.entry(&case.document).or_insert_with(|| {
                let document = case.document.clone();
                documents.push(ContrastDocument { document, ..ContrastDocument::default() });
                documents.len() - 1
            });
            match case.side {
                ContrastSide::Won => documents[place].won += 1,
                ContrastSide::Lost | ContrastSide::Both => documents[place].lost += 1,
            }
        }
        documents.sort_by_key(|it| {
            (Reverse(it.won.abs_diff(it.lost)), Reverse(it.won + it.lost), it.document.clone())
        });
        documents
    }

    /// How many are won and lost in each category.
    fn table(&self) -> Table {
        let numbers = ["won", "lost", "both wrong"].map(Column::count);
        let mut table = Table::new([Column::text("category")].into_iter().chain(numbers));
        for category in &self.categories {
            let ContrastCategory { category, won, lost, both_wrong } = category;
            let numbers = [*won, *lost, *both_wrong].map(Cell::from);
            table.row([Cell::from(category.as_str())].into_iter().chain(numbers));
        }
        table
    }

    fn count(&mut self, case: &ContrastCase) {
        let place = self.categories.iter().position(|it| it.category == case.category);
        let place = place.unwrap_or_else(|| {
            let category = case.category.clone();
            self.categories.push(ContrastCategory { category, ..ContrastCategory::default() });
            self.categories.len() - 1
        });
        let category = &mut self.categories[place];
        let (all, of_category) = match case.side {
            ContrastSide::Won => (&mut self.won, &mut category.won),
            ContrastSide::Lost => (&mut self.lost, &mut category.lost),
            ContrastSide::Both => (&mut self.both_wrong, &mut category.both_wrong),
        };
        *all += 1;
        *of_category += 1;
    }
}

impl ContrastCase {
    fn of(difference: &CaseDifference<'_>) -> Option<ContrastCase> {
        let CaseDifference { group, first, second } = difference;
        let (side, wrong) = match group {
            Group::OnlySecond => (ContrastSide::Won, first),
            Group::OnlyFirst => (ContrastSide::Lost, second),
            // Where both are wrong, the second system is the one that is looked at.
            Group::BothWrong => (ContrastSide::Both, second),
            Group::BothRight => return None,
        };
        let category = wrong.categories.iter().find(|category| !category.is_total());
        // Without the text of the document there is no context either.
        let has_text = first.context().is_some();
        let text = |text: &str| if has_text { text.to_owned() } else { String::new() };
        let said = |answer: Option<&MentionAnswer>, is_right: bool| {
            let entity = answer.and_then(|answer| answer.entity.clone());
            SaidEntity { entity, name: answer.and_then(|answer| answer.name.clone()), is_right }
        };
        let gold = first.gold.as_ref().filter(|gold| gold.entity.is_some());
        Some(ContrastCase {
            side,
            category: category.map_or("", |category| category.name()).to_owned(),
            document: first.document.clone(),
            span: [first.span.start, first.span.end].map(u64::from),
            mention: text(first.text()),
            before: text(&first.before),
            after: text(&first.after),
            gold: said(gold, true),
            answers: [first, second].map(|case| said(case.prediction.as_ref(), case.is_right)),
        })
    }
}
