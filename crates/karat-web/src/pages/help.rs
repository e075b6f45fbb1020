//! What a measure, a convention, a setting, a category, a format or a check is.

mod index;

pub(crate) use index::HelpIndex;

use crate::address::Address;
use crate::api::problem::KINDS;
use crate::components::notices::sentence;
use crate::components::table::table;
use crate::page::{Asked, Page, PageContent, QueryKey};
use crate::refusal::Refusal;
use karat::error::Error;
use karat::listings;
use karat::report::{Report, ReportSection, SectionBody};
use maud::{Markup, html};

/// The definition of one thing, as the command line gives it.
#[derive(Debug)]
pub(crate) struct Help;

/// All things of one kind.
#[derive(Debug)]
pub(crate) struct HelpList;

/// How long lines of a definition are.
const WIDTH: usize = 88;

/// A kind of things that are defined.
struct Topic {
    /// What addresses call it.
    name: &'static str,
    /// What several are called.
    several: &'static str,
    /// What they are for.
    about: &'static str,
    /// Lists or describes.
    find: fn(Option<&str>) -> Result<Report<'static>, Error>,
    /// The command that prints the same.
    command: &'static str,
}

static TOPICS: [Topic; 6] = [
    Topic {
        name: "measure",
        several: "Measures",
        about: "what is counted, and how counts become a score",
        find: |name| listings::measures(name, WIDTH),
        command: "measures",
    },
    Topic {
        name: "convention",
        several: "Conventions",
        about: "how each paper and tool decides what counts, so that its numbers can be compared",
        find: |name| listings::presets(name, WIDTH),
        command: "presets",
    },
    Topic {
        name: "setting",
        several: "Settings",
        about: "the single decisions of which conventions are made",
        find: |name| listings::settings(name, WIDTH),
        command: "settings",
    },
    Topic {
        name: "category",
        several: "Categories of errors",
        about: "the kinds of mistakes, and what makes a mention hard",
        find: listings::categories,
        command: "errors --help",
    },
    Topic {
        name: "format",
        several: "Formats",
        about: "the files that are read and written",
        find: |name| listings::formats(name, WIDTH),
        command: "formats",
    },
    Topic {
        name: "check",
        several: "Checks",
        about: "what is looked for in a gold standard and in the output of a system",
        find: listings::checks,
        command: "validate --list",
    },
];

impl Topic {
    fn named(name: &str) -> Result<&'static Topic, Refusal> {
        let found = TOPICS.iter().find(|topic| topic.name == name);
        found.ok_or_else(|| Refusal::missing("topic", name, TOPICS.iter().map(|topic| topic.name)))
    }

    /// The command about one thing, or about all.
    fn command(&self, name: Option<&str>) -> String {
        match name.filter(|_| !self.command.contains(' ')) {
            Some(name) => format!("karat {} {}", self.command, karat::command::quoted(name)),
            None => format!("karat {}", self.command),
        }
    }
}

impl Page for Help {
    fn path(&self) -> &'static str {
        "/help/{topic}/{name}"
    }

    fn keys(&self) -> &'static [QueryKey] {
        &[]
    }

    fn show(&self, asked: &Asked<'_>) -> Result<PageContent, Refusal> {
        // Problems are described where the API has them, and are no list of the facade.
        if asked.parameter("topic") == "problems" {
            return problem(asked, asked.parameter("name"));
        }
        let topic = Topic::named(asked.parameter("topic"))?;
        let name = asked.parameter("name");
        let report = (topic.find)(Some(name))?;
        Ok(PageContent {
            title: report.title.clone().unwrap_or_else(|| name.to_owned()),
            crumbs: vec![
                ("Help".to_owned(), Address::path(["help"])),
                (topic.several.to_owned(), Address::path(["help", topic.name])),
            ],
            here: asked.here(Address::help(topic.name, name)),
            body: sections(&report),
            command: Some(topic.command(Some(name))),
            ..PageContent::default()
        })
    }
}

impl Page for HelpList {
    fn path(&self) -> &'static str {
        "/help/{topic}"
    }

    fn keys(&self) -> &'static [QueryKey] {
        &[]
    }

    fn show(&self, asked: &Asked<'_>) -> Result<PageContent, Refusal> {
        let topic = Topic::named(asked.parameter("topic"))?;
        let report = (topic.find)(None)?;
        Ok(PageContent {
            title: topic.several.to_owned(),
            crumbs: vec![("Help".to_owned(), Address::path(["help"]))],
            here: asked.here(Address::path(["help", topic.name])),
            body: html! {
                p.choices { "Also: " @for other in TOPICS.iter().filter(|other| other.name != topic.name) {
                    (crate::components::frame::link(asked.links, &Address::path(["help", other.name]), &html! { (other.several) })) " "
                } }
                (sections(&report))
            },
            command: Some(topic.command(None)),
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
    // What is made for pages is tables and prose; what is made for terminals has lines of its own.
    let all = if report.page.is_empty() { &report.sections } else { &report.page };
    html! { @for section in all { (body(section)) } }
}

/// A paragraph. Definitions have lines that begin with a heading (*Formula: …*), which become a list.
fn prose(paragraph: &str) -> Markup {
    let mut entries: Vec<(&str, String)> = Vec::new();
    for line in paragraph.lines() {
        match (heading(line), entries.last_mut()) {
            (Some((heading, text)), _) => entries.push((heading, text.to_owned())),
            (None, Some((_, text))) => *text = format!("{text} {line}"),
            (None, None) => return html! { p { (sentence(paragraph)) } },
        }
    }
    html! {
        @if let [_, _, ..] = entries.as_slice() {
            dl.facts { @for (heading, text) in &entries { dt { (heading) } dd { (sentence(text)) } } }
        } @else { p { (sentence(paragraph)) } }
    }
}

/// The heading that a line begins with, and the rest.
fn heading(line: &str) -> Option<(&str, &str)> {
    let (heading, rest) = line.split_once(": ")?;
    let is_word = |word: &str| word.chars().all(char::is_alphabetic);
    let is_heading = heading.starts_with(char::is_uppercase)
        && heading.split(' ').all(is_word)
        && heading.split(' ').count() < 4;
    is_heading.then_some((heading, rest))
}

fn body(section: &ReportSection<'_>) -> Markup {
    html! {
        @match &section.body {
            SectionBody::Table(rows) => (table(&section.title, &rows.get())),
            SectionBody::Prose(text) => @for paragraph in text.split("\n\n") { (prose(paragraph)) },
            SectionBody::Lines(text) => pre.definition { (text) },
        }
    }
}
