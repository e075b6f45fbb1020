//! The linkers that there are, and making one.

use super::request::LinkingRequest;
use crate::error::Error;
use crate::notices;
use crate::request::{Answer, Request, record};
use crate::shared::toml_problem;
use crate::work::{LinkersAllowed, Work};
use karat_formats::{Kind, Problem};
use karat_kb::KnowledgeBase;
use karat_linkers::services::{
    Declaration, HttpClient, KNOWN_SERVICES, KnownService, NetworkRules, ProgramLinker,
    ServiceLinker,
};
use karat_linkers::serving::Annotator;
use karat_linkers::{
    AnswerUnit, BuiltIn, LINKERS, LinkFailure, Linker, LinkerContext, LinkerError, built_in,
};
use karat_model::{Corpus, Hint, Notice};
use karat_report::{Cell, Column, Deferred, Report, ReportSection, Table};
use serde::{Deserialize, Serialize};
use std::path::Path;
use std::sync::Arc;

/// How the path of a declaration ends.
const DECLARATION: &str = ".toml";
/// More than this nobody writes by hand.
const LARGEST: u64 = 1 << 20;

/// Makes the linker of a request.
pub(super) fn make_linker(
    request: &LinkingRequest,
    gold: &Arc<Corpus>,
    work: &Work,
) -> Result<Box<dyn Linker>, Error> {
    work.check()?;
    if let Some(command) = &request.program {
        check_allowed(work, LinkersAllowed::All, "programs of this machine")?;
        let linker = ProgramLinker::of_command(command, AnswerUnit::CodePoints);
        let linker =
            linker.map_err(linker_error)?.greeted().map_err(|failure| cannot_ask(&failure))?;
        return Ok(Box::new(linker));
    }
    if let Some(declaration) = declared(&request.linker, work)? {
        let declaration = declaration.with_settings(&request.settings).map_err(linker_error)?;
        return from_declaration(request, declaration, work);
    }
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

/// A linker that answers others: the one that a request would ask.
pub fn annotator(request: &LinkingRequest, work: &Work) -> Result<Annotator, Error> {
    if request.linker == "oracle" {
        let message = "`oracle` knows the texts of its gold only, and cannot answer others";
        return Err(Error::bad_request(message, "serve another linker"));
    }
    make_linker(request, &Arc::default(), work).map(Annotator::new)
}

/// The declaration that is meant, where one is: that of a known service, or of a file.
fn declared(name: &str, work: &Work) -> Result<Option<Declaration>, Error> {
    if let Some(service) = KNOWN_SERVICES.iter().find(|service| service.name == name) {
        check_allowed(work, LinkersAllowed::Public, "services")?;
        return read_declaration(service.name, service.text).map(Some);
    }
    if !name.ends_with(DECLARATION) {
        return Ok(None);
    }
    check_allowed(work, LinkersAllowed::All, "your own declarations")?;
    let unreadable = |message: String| Error::from(Problem::new(Kind::Unreadable, name, message));
    let size = std::fs::metadata(name).map_err(|error| unreadable(error.to_string()))?.len();
    if size > LARGEST {
        return Err(unreadable(format!("{size} bytes are too many for a declaration")));
    }
    let text = std::fs::read_to_string(name).map_err(|error| unreadable(error.to_string()))?;
    read_declaration(name, &text).map(Some)
}

fn read_declaration(name: &str, text: &str) -> Result<Declaration, Error> {
    Declaration::parse(text)
        .map_err(|error| toml_problem(name, text, error.span, error.message).into())
}

fn from_declaration(
    request: &LinkingRequest,
    mut declaration: Declaration,
    work: &Work,
) -> Result<Box<dyn Linker>, Error> {
    if declaration.is_program() {
        check_allowed(work, LinkersAllowed::All, "programs of this machine")?;
        let linker = ProgramLinker::declared(declaration).map_err(linker_error)?;
        return Ok(Box::new(linker.greeted().map_err(|failure| cannot_ask(&failure))?));
    }
    if let Some(url) = &request.url {
        check_allowed(work, LinkersAllowed::All, "your own addresses")?;
        declaration = declaration.at(url);
    }
    let rules = match work.linkers {
        LinkersAllowed::All => NetworkRules::trusted(),
        LinkersAllowed::Own | LinkersAllowed::Public => NetworkRules::default(),
    };
    let client = HttpClient::new(rules).map_err(|failure| cannot_ask(&failure))?;
    let linker = ServiceLinker::new(declaration, Arc::new(client)).map_err(linker_error)?;
    Ok(Box::new(linker))
}

fn check_allowed(work: &Work, needed: LinkersAllowed, what: &str) -> Result<(), Error> {
    let is_allowed = match needed {
        LinkersAllowed::Own => true,
        LinkersAllowed::Public => work.linkers != LinkersAllowed::Own,
        LinkersAllowed::All => work.linkers == LinkersAllowed::All,
    };
    match is_allowed {
        true => Ok(()),
        false => Err(Error::bad_request(
            format!("{what} cannot be used here"),
            "use them with `karat link` on the command line",
        )),
    }
}

fn names() -> impl Iterator<Item = &'static str> {
    let known = KNOWN_SERVICES.iter().map(|service| service.name);
    LINKERS.iter().map(|linker| linker.name).chain(known)
}

fn linker_error(error: LinkerError) -> Error {
    let hint = error.hint.unwrap_or_default();
    Error::refused(&notices::BAD_LINKER, error.message, hint)
}

fn cannot_ask(failure: &LinkFailure) -> Error {
    Error::refused(&notices::BAD_LINKER, failure.message.clone(), Hint::default())
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
    /// What it needs, such as a knowledge base.
    pub needs: String,
    /// What can be set.
    pub settings: Vec<LinkerSetting>,
    /// For a service, its declaration.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub declaration: Option<String>,
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
            needs: if linker.needs_base { "a knowledge base" } else { "" }.to_owned(),
            settings: linker.settings.iter().map(setting).collect(),
            declaration: None,
        }
    }
}

impl From<&KnownService> for LinkerRecord {
    fn from(service: &KnownService) -> LinkerRecord {
        let read = service.declaration().ok();
        let settings = read.iter().flat_map(Declaration::settings);
        let setting = |(name, default): (&str, &str)| LinkerSetting {
            name: name.to_owned(),
            about: "a setting of the service".to_owned(),
            default: default.to_owned(),
        };
        let reference = read.as_ref().and_then(Declaration::reference).unwrap_or_default();
        LinkerRecord {
            name: service.name.to_owned(),
            title: service.title.to_owned(),
            about: format!("A service over HTTP, described at {reference}."),
            needs: "the service".to_owned(),
            settings: settings.map(setting).collect(),
            declaration: Some(service.text.to_owned()),
        }
    }
}

impl Request for LinkerListRequest {
    type Answer = LinkerListAnswer;

    const NAME: &'static str = "linkers";

    fn answer(&self, _: &Work) -> Result<LinkerListAnswer, Error> {
        let own = LINKERS.iter().map(|linker| LinkerRecord::from(*linker));
        let known = KNOWN_SERVICES.iter().map(LinkerRecord::from);
        let is_meant =
            |linker: &LinkerRecord| self.linker.as_ref().is_none_or(|name| *name == linker.name);
        let linkers: Vec<LinkerRecord> = own.chain(known).filter(is_meant).collect();
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
        let mut table =
            Table::new([Column::text("linker"), Column::text("what it is"), Column::text("needs")]);
        for linker in &self.linkers {
            table.row([
                Cell::from(linker.name.as_str()),
                Cell::from(linker.title.as_str()),
                Cell::from(linker.needs.as_str()),
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
        if let Some(declaration) = &self.declaration {
            sections.push(ReportSection {
                title: "Declaration".to_owned(),
                ..ReportSection::lines(declaration.clone())
            });
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
