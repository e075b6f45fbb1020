//! The linkers that there are, and making one.

use super::request::LinkingRequest;
use crate::error::Error;
use crate::notices;
use crate::request::{Answer, Request, record};
use crate::work::Work;
use karat_kb::KnowledgeBase;
use karat_linkers::{BuiltIn, LINKERS, Linker, LinkerContext, LinkerError, built_in};
use karat_model::{Corpus, Notice};
use karat_report::{Cell, Column, Deferred, Report, ReportSection, Table};
use serde::{Deserialize, Serialize};
use std::path::Path;
use std::sync::Arc;

/// Makes the linker of a request.
pub(super) fn make_linker(
    request: &LinkingRequest,
    gold: &Arc<Corpus>,
    work: &Work,
) -> Result<Box<dyn Linker>, Error> {
    work.check()?;
    let base = request.kb.as_ref().map(|kb| KnowledgeBase::open(Path::new(kb))).transpose()?;
    let context = LinkerContext {
        base_fingerprint: base.as_ref().map(KnowledgeBase::fingerprint),
        base: base.map(Arc::new),
        gold: Some(Arc::clone(gold)),
        search: None,
        settings: request.settings.clone(),
    };
    match built_in(&request.linker, &context) {
        Some(made) => made.map_err(linker_error),
        None => Err(Error::unknown("linker", &request.linker, names())),
    }
}

fn names() -> impl Iterator<Item = &'static str> {
    LINKERS.iter().map(|linker| linker.name)
}

fn linker_error(error: LinkerError) -> Error {
    let hint = error.hint.unwrap_or_default();
    Error::refused(&notices::BAD_LINKER, error.message, hint)
}

/// Lists the linkers that there are, or says everything about one.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct LinkerListRequest {
    /// The linker; all if absent.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub linker: Option<String>,
}

/// The linkers that there are.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct LinkerListAnswer {
    /// The linkers, in their order.
    pub linkers: Vec<LinkerRecord>,
    /// Whether one was asked for.
    pub is_one: bool,
}

/// A linker.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct LinkerRecord {
    /// What users call it.
    pub name: String,
    /// What it is, in a line.
    pub title: String,
    /// What it does and what to look out for.
    pub about: String,
    /// Whether it needs a knowledge base.
    pub needs_base: bool,
    /// What can be set.
    pub settings: Vec<LinkerSetting>,
}

/// Something that can be set about a linker.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct LinkerSetting {
    /// Its name.
    pub name: String,
    /// What it decides.
    pub about: String,
    /// What it is when it is not given.
    pub default: String,
}

impl From<&BuiltIn> for LinkerRecord {
    fn from(linker: &BuiltIn) -> LinkerRecord {
        let setting = |(name, about, default): &(&str, &str, &str)| LinkerSetting {
            name: (*name).to_owned(),
            about: (*about).to_owned(),
            default: (*default).to_owned(),
        };
        LinkerRecord {
            name: linker.name.to_owned(),
            title: linker.title.to_owned(),
            about: linker.about.to_owned(),
            needs_base: linker.needs_base,
            settings: linker.settings.iter().map(setting).collect(),
        }
    }
}

impl Request for LinkerListRequest {
    type Answer = LinkerListAnswer;

    const NAME: &'static str = "linkers";

    fn answer(&self, _: &Work) -> Result<LinkerListAnswer, Error> {
        let all = LINKERS.iter().map(|linker| LinkerRecord::from(*linker));
        let is_meant =
            |linker: &LinkerRecord| self.linker.as_ref().is_none_or(|name| *name == linker.name);
        let linkers: Vec<LinkerRecord> = all.filter(is_meant).collect();
        match (&self.linker, linkers.is_empty()) {
            (Some(name), true) => Err(Error::unknown("linker", name, names())),
            _ => Ok(LinkerListAnswer { linkers, is_one: self.linker.is_some() }),
        }
    }
}

impl Answer for LinkerListAnswer {
    fn notices(&self) -> &[Notice] {
        &[]
    }

    fn report(&self) -> Report<'_> {
        let sections = match (self.is_one, self.linkers.first()) {
            (true, Some(linker)) => linker.sections(),
            _ => vec![ReportSection::new("Linkers", Deferred::by(|| self.table()))],
        };
        Report {
            sections,
            rows: Some(Deferred::by(|| self.table())),
            record: Some(Deferred::by(|| record(self))),
            ..Report::default()
        }
    }
}

impl LinkerListAnswer {
    fn table(&self) -> Table {
        let mut table = Table::new([
            Column::text("linker"),
            Column::text("what it is"),
            Column::text("knowledge base"),
        ]);
        for linker in &self.linkers {
            table.row([
                Cell::from(linker.name.as_str()),
                Cell::from(linker.title.as_str()),
                Cell::from(if linker.needs_base { "needed" } else { "" }),
            ]);
        }
        table
    }
}

impl LinkerRecord {
    fn sections(&self) -> Vec<ReportSection<'_>> {
        let about = format!("{}: {}\n\n{}\n", self.name, self.title, self.about);
        let mut sections = vec![ReportSection::lines(about)];
        if !self.settings.is_empty() {
            sections.push(ReportSection::new("Settings", Deferred::by(|| self.setting_table())));
        }
        sections
    }

    fn setting_table(&self) -> Table {
        let mut table = Table::new([
            Column::text("setting"),
            Column::text("default"),
            Column::text("what it decides"),
        ]);
        for setting in &self.settings {
            table.row([
                Cell::from(setting.name.as_str()),
                Cell::from(setting.default.as_str()),
                Cell::from(setting.about.as_str()),
            ]);
        }
        table
    }
}
