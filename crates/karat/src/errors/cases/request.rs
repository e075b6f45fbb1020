//! What can be asked about cases.

use super::answer::{CaseGroup, CasePlace, CaseRow, CasesAnswer};
use super::collected::{Collected, Kept};
use crate::command::CommandLine;
use crate::conditions::{Condition, Where};
use crate::convention::ConventionRequest;
use crate::error::{Error, listed};
use crate::errors::inspector::Inspector;
use crate::errors::known_names::KnownNames;
use crate::errors::names::Narrowed;
use crate::errors::request::{ErrorsBy, ErrorsQuestion, ErrorsRequest, UnknownEntities};
use crate::errors::{ErrorCase, MentionAnswer};
use crate::inputs::Inputs;
use crate::request::Request;
use crate::work::Work;
use karat_facets::UNLABELLED;
use karat_model::Hint;
use serde::{Deserialize, Serialize};
use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};

/// How many rows or groups one answer may have.
const MOST: usize = 500;

/// Lists the cases of one run: every gold mention with what met it, and every stray prediction.
///
/// They are what `karat errors` counts and lists, with what it takes to walk through them: conditions, counts of what
/// could be asked next, groups, an order, and pages.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct CasesRequest {
    /// Gold and systems; one benchmark.
    pub inputs: Inputs,
    /// The convention.
    pub convention: ConventionRequest,
    /// The system whose cases are listed; may be left out where there is only one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub only: Option<String>,
    /// A second system: what it made of the same mentions stands in each row.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub beside: Option<String>,
    /// Which cases, in the language of [conditions](crate::conditions); all if it is empty.
    #[serde(rename = "where")]
    pub filter: String,
    /// Only the cases at these places; all if there are none. They are what a reader selected from a list.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub pick: Vec<CasePlace>,
    /// Whether cases are listed, or how often each thing occurs among them.
    pub group: CaseGrouping,
    /// Which come first.
    pub sort: CaseOrder,
    /// Where the page before ended: the place that its answer gives as `next`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub after: Option<CasePlace>,
    /// How many rows or groups are listed, at most 500.
    pub limit: usize,
    /// What is done about entities that the knowledge base does not have; they are ignored if absent.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub unknowns: Option<UnknownEntities>,
}

/// What cases are grouped by.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum CaseGrouping {
    /// Nothing: each stands for itself.
    #[default]
    None,
    /// The text of the mention.
    Mention,
    /// What gold says.
    Gold,
    /// What was predicted.
    Predicted,
    /// Both.
    Pair,
}

/// Which cases come first.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum CaseOrder {
    /// The order of the documents and of their texts.
    #[default]
    Document,
    /// Those of which the system is surest.
    Confidence,
    /// Those that occur most often: the same text with the same answers.
    Frequency,
}

impl Default for CasesRequest {
    fn default() -> CasesRequest {
        CasesRequest {
            inputs: Inputs::default(),
            convention: ConventionRequest::default(),
            only: None,
            beside: None,
            filter: String::new(),
            pick: Vec::new(),
            group: CaseGrouping::None,
            sort: CaseOrder::Document,
            after: None,
            limit: 100,
            unknowns: None,
        }
    }
}

impl CaseGrouping {
    /// All of them, with the names that they have in JSON.
    pub const ALL: [(CaseGrouping, &str); 5] = [
        (CaseGrouping::None, "none"),
        (CaseGrouping::Mention, "mention"),
        (CaseGrouping::Gold, "gold"),
        (CaseGrouping::Predicted, "predicted"),
        (CaseGrouping::Pair, "pair"),
    ];
}

impl CaseOrder {
    /// All of them, with the names that they have in JSON.
    pub const ALL: [(CaseOrder, &str); 3] = [
        (CaseOrder::Document, "document"),
        (CaseOrder::Confidence, "confidence"),
        (CaseOrder::Frequency, "frequency"),
    ];
}

impl Request for CasesRequest {
    type Answer = CasesAnswer;

    const NAME: &'static str = "cases";

    fn answer(&self, work: &Work) -> Result<CasesAnswer, Error> {
        let asked = Where::parse(&self.filter)?;
        self.check()?;
        let errors = self.as_errors();
        let inspector = Inspector::of(&errors, Narrowed::default(), work)?;
        let (system, beside) = self.systems(&inspector)?;
        work.begin("looking for cases", 1)?;
        let filters = inspector.maker().resolved(&asked)?;
        let mut found = work.install(|| Collected::of(&inspector, &system, &filters))?;
        if !self.pick.is_empty() {
            let picked: BTreeSet<CasePlace> = self.pick.iter().copied().collect();
            found.kept.retain(|kept| picked.contains(&kept.place));
        }
        let mut answer = CasesAnswer {
            karat: env!("CARGO_PKG_VERSION").to_owned(),
            signature: inspector.signature_of_first(),
            benchmark: inspector.experiments[0].benchmark.name.clone(),
            system,
            beside: beside.clone(),
            filter: asked.to_string(),
            group: self.group,
            sort: self.sort,
            total: found.kept.len(),
            of: found.all,
            chips: found.chips.clone(),
            ..CasesAnswer::default()
        };
        if found.kept.is_empty() {
            answer.without = found.without(&asked);
        }
        let order = self.ordered(&found);
        match self.group {
            CaseGrouping::None => {
                let others = beside.map(|name| inspector.cases_of(&name)).transpose()?;
                self.add_rows(&mut answer, &found, &order, others.unwrap_or_default())?;
            }
            group => self.add_groups(&mut answer, &found, group, &asked)?,
        }
        answer.complete_names(&KnownNames::of(&inspector.experiments[0].benchmark.corpus));
        let shown = found.kept.iter().map(|kept| &kept.case);
        let mut told = inspector.cannot_be_told(&Narrowed::default(), &filters, shown);
        if found.kept.is_empty() {
            told.extend(inspector.labels_nobody_has(&filters));
        }
        answer.notices = inspector.into_notices(told)?;
        Ok(answer)
    }

    fn commands(&self) -> Vec<CommandLine> {
        // A list has all cases; which of them a page shows, and in which order, are matters of the page.
        let request = ErrorsRequest {
            inputs: self.inputs.clone(),
            convention: self.convention.clone(),
            only: self.only.iter().cloned().collect(),
            question: ErrorsQuestion::List(ErrorsBy::Category),
            unknowns: self.unknowns,
            filters: Some(self.filter.clone()).filter(|it| !it.is_empty()).into_iter().collect(),
            ..ErrorsRequest::default()
        };
        request.commands()
    }
}

impl CasesRequest {
    fn check(&self) -> Result<(), Error> {
        if self.limit == 0 || self.limit > MOST {
            return Err(Error::bad_request(
                format!("a page cannot have {} rows", self.limit),
                format!("ask for 1 to {MOST}; `after` asks for the rows that follow"),
            ));
        }
        if self.only.is_some() && self.only == self.beside {
            return Err(Error::bad_request(
                "a system does not stand beside itself",
                "name another one",
            ));
        }
        Ok(())
    }

    /// What is asked about errors.
    fn as_errors(&self) -> ErrorsRequest {
        ErrorsRequest {
            inputs: self.inputs.clone(),
            convention: self.convention.clone(),
            only: self.only.iter().chain(&self.beside).cloned().collect(),
            question: ErrorsQuestion::List(ErrorsBy::Category),
            unknowns: self.unknowns,
            ..ErrorsRequest::default()
        }
    }

    /// The system whose cases are listed, and the one beside it.
    fn systems(&self, inspector: &Inspector<'_>) -> Result<(String, Option<String>), Error> {
        let [experiment] = inspector.experiments.as_slice() else {
            return Err(Error::bad_request(
                "cases are of one benchmark",
                Hint::template("give one {gold}"),
            ));
        };
        let names = || experiment.runs.iter().map(|run| run.name.as_str());
        let beside = self.beside.clone();
        if let Some(name) =
            self.only.iter().chain(&beside).find(|name| !names().any(|it| it == *name))
        {
            return Err(Error::unknown("system", name, names()));
        }
        let mut others = names().filter(|name| Some(*name) != beside.as_deref());
        match (&self.only, others.next(), others.next()) {
            (Some(name), _, _) => Ok((name.clone(), beside)),
            (None, Some(name), None) => Ok((name.to_owned(), beside)),
            (None, _, _) => Err(Error::bad_request(
                "cases are of one system",
                format!("name one of {}", listed(&names().collect::<Vec<_>>())),
            )),
        }
    }

    /// The kept cases in the order of the request.
    fn ordered<'k>(&self, found: &'k Collected) -> Vec<&'k Kept> {
        let mut order: Vec<&Kept> = found.kept.iter().collect();
        match self.sort {
            CaseOrder::Document => {}
            CaseOrder::Confidence => order.sort_by(|a, b| {
                let [a, b] = [a, b].map(|kept| kept.case.confidence);
                // What has no confidence comes last; the sort is stable.
                b.unwrap_or(f64::NEG_INFINITY).total_cmp(&a.unwrap_or(f64::NEG_INFINITY))
            }),
            CaseOrder::Frequency => {
                let mut patterns: BTreeMap<_, (usize, CasePlace)> = BTreeMap::new();
                for kept in &found.kept {
                    patterns.entry(pattern(&kept.case)).or_insert((0, kept.place)).0 += 1;
                }
                order.sort_by_key(|kept| {
                    let known = patterns.get(&pattern(&kept.case));
                    known.map(|(count, first)| (Reverse(*count), *first))
                });
            }
        }
        order
    }

    /// Where the page begins in a list with these places.
    fn start(&self, mut places: impl Iterator<Item = CasePlace>) -> Result<usize, Error> {
        let Some(after) = self.after else { return Ok(0) };
        match places.position(|place| place == after) {
            Some(at) => Ok(at + 1),
            None => Err(Error::bad_request(
                format!("no case at {after} is in this list"),
                "begin with the first page",
            )),
        }
    }

    fn add_rows(
        &self,
        answer: &mut CasesAnswer,
        found: &Collected,
        order: &[&Kept],
        others: Vec<ErrorCase>,
    ) -> Result<(), Error> {
        let start = self.start(order.iter().map(|kept| kept.place))?;
        let rest = &order[start.min(order.len())..];
        let shown = &rest[..rest.len().min(self.limit)];
        answer.rows = shown.iter().map(|kept| CaseRow::of(kept)).collect();
        if self.beside.is_some() {
            found.set_beside(&mut answer.rows, &others);
        }
        answer.first = (!shown.is_empty()).then_some(start + 1);
        answer.next = shown.last().filter(|_| rest.len() > shown.len()).map(|kept| kept.place);
        Ok(())
    }

    fn add_groups(
        &self,
        answer: &mut CasesAnswer,
        found: &Collected,
        group: CaseGrouping,
        asked: &Where,
    ) -> Result<(), Error> {
        let mut groups: BTreeMap<[String; 2], (usize, &Kept)> = BTreeMap::new();
        for kept in &found.kept {
            groups.entry(group_key(&kept.case, group)).or_insert((0, kept)).0 += 1;
        }
        let mut groups: Vec<_> = groups.into_iter().collect();
        groups.sort_by_key(|(_, (count, first))| (Reverse(*count), first.place));
        answer.groups_total = groups.len();
        let start = self.start(groups.iter().map(|(_, (_, first))| first.place))?;
        let rest = &groups[start.min(groups.len())..];
        let shown = &rest[..rest.len().min(self.limit)];
        let grouped = shown.iter().map(|(key, (count, first))| CaseGroup {
            label: group_label(key, group),
            count: *count,
            filter: within(asked, key, group).to_string(),
            example: CaseRow::of(first),
        });
        answer.groups = grouped.collect();
        answer.first = (!shown.is_empty()).then_some(start + 1);
        answer.next =
            shown.last().filter(|_| rest.len() > shown.len()).map(|(_, (_, first))| first.place);
        Ok(())
    }
}

/// What is the same in cases that say the same.
fn pattern(case: &ErrorCase) -> (&str, [Option<String>; 2]) {
    let answer = |answer: &Option<MentionAnswer>| {
        answer.as_ref().map(|answer| answer.entity.clone().unwrap_or_default())
    };
    (case.text(), [answer(&case.gold), answer(&case.prediction)])
}

/// The labels by which a case is grouped, as conditions know them.
fn group_key(case: &ErrorCase, group: CaseGrouping) -> [String; 2] {
    let answer = |answer: &Option<MentionAnswer>| match answer {
        Some(answer) => answer.entity.clone().unwrap_or_else(|| "NIL".to_owned()),
        None => UNLABELLED.to_owned(),
    };
    match group {
        CaseGrouping::None => Default::default(),
        CaseGrouping::Mention => {
            let text = case.mention.clone().unwrap_or_else(|| UNLABELLED.to_owned());
            [text, String::new()]
        }
        CaseGrouping::Gold => [answer(&case.gold), String::new()],
        CaseGrouping::Predicted => [answer(&case.prediction), String::new()],
        CaseGrouping::Pair => [answer(&case.gold), answer(&case.prediction)],
    }
}

fn group_label([first, second]: &[String; 2], group: CaseGrouping) -> String {
    match group {
        CaseGrouping::Pair => format!("{first} → {second}"),
        _ => first.clone(),
    }
}

/// The conditions that list the cases of a group.
fn within(asked: &Where, [first, second]: &[String; 2], group: CaseGrouping) -> Where {
    let condition = |name: &str, label: &String| Condition::is(name, label);
    match group {
        CaseGrouping::None => asked.clone(),
        CaseGrouping::Mention => asked.with(condition("text", first)),
        CaseGrouping::Gold => asked.with(condition("gold", first)),
        CaseGrouping::Predicted => asked.with(condition("predicted", first)),
        CaseGrouping::Pair => {
            asked.with(condition("gold", first)).with(condition("predicted", second))
        }
    }
}
