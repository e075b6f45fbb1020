//! What a measure or a convention is.

use crate::address::Address;
use crate::api::problem::KINDS;
use crate::components::table::table;
use crate::page::{Asked, Page, PageContent, QueryKey};
use crate::refusal::Refusal;
use karat::report::{Report, ReportSection, SectionBody};
use maud::{Markup, html};

/// The definition of one thing, as `karat measures NAME` and `karat presets NAME` give it.
#[derive(Debug)]
pub(crate) struct Help;

/// How long lines of a definition are.
const WIDTH: usize = 88;

impl Page for Help {
    fn path(&self) -> &'static str {
        "/help/{topic}/{name}"
    }

    fn keys(&self) -> &'static [QueryKey] {
        &[]
    }

    fn show(&self, asked: &Asked<'_>) -> Result<PageContent, Refusal> {
        let (topic, name) = (asked.parameter("topic"), asked.parameter("name"));
        let topics = ["measure", "convention", "setting", "problems"];
        if topic == "problems" {
            return problem(asked, name);
        }
        let (report, command) = match topic {
            "measure" => (karat::listings::measures(Some(name), WIDTH), "measures"),
            "convention" => (karat::listings::presets(Some(name), WIDTH), "presets"),
            "setting" => (karat::listings::settings(Some(name), WIDTH), "settings"),
            _ => return Err(Refusal::missing("topic", topic, topics)),
        };
        let Ok(report) = report else {
            return Err(Refusal::missing(topic, name, std::iter::empty()));
        };
        Ok(PageContent {
            title: name.to_owned(),
            crumbs: vec![("Board".to_owned(), Address::board())],
            here: asked.here(Address::help(topic, name)),
            body: sections(&report),
            command: Some(format!("karat {command} {}", crate::workbench::quoted(name))),
            ..PageContent::default()
        })
    }
}

/// A kind of problem that the API answers with.
fn problem(asked: &Asked<'_>, name: &str) -> Result<PageContent, Refusal> {
    let found = KINDS.iter().find(|kind| kind.name == name);
    let names = KINDS.iter().map(|kind| kind.name);
    let kind = found.ok_or_else(|| Refusal::missing("problem", name, names))?;
    Ok(PageContent {
        title: kind.title.to_owned(),
        crumbs: vec![("API".to_owned(), Address::path(["api"]))],
        here: asked.here(Address::help("problems", name)),
        body: html! {
            p { (kind.about) }
            p { "Answers of this kind have the status " (kind.status) "." }
        },
        ..PageContent::default()
    })
}

fn sections(report: &Report<'_>) -> Markup {
    html! { @for section in &report.sections { (body(section)) } }
}

fn body(section: &ReportSection<'_>) -> Markup {
    html! {
        @match &section.body {
            SectionBody::Table(rows) => (table(&section.title, &rows.get())),
            SectionBody::Prose(text) => @for paragraph in text.split("\n\n") { p { (paragraph) } },
            SectionBody::Lines(text) => pre.definition { (text) },
        }
    }
}
