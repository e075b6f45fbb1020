//! A report that is one file.

use super::ReportOptions;
use super::links::{ReportLayout, id_of};
use super::plan::{Group, ReportPage};
use super::rendered::Rendering;
use super::scope::scoped;
use crate::address::Address;
use crate::components::frame::{Look, Surroundings, content_of, document};
use crate::components::name::{is_invisible, name, shown};
use crate::page::PageContent;
use crate::refusal::Refusal;
use crate::workbench::Workbench;
use maud::{Markup, PreEscaped, html};

/// Above so many bytes a folder of pages is the better report: browsers take long to open one large file.
pub const LARGE: usize = 20_000_000;

/// The report as one file, which needs nothing else and works without scripts and without a network.
pub fn one_file(workbench: &Workbench, options: &ReportOptions) -> Result<String, Refusal> {
    let mut rendering = Rendering::new(ReportLayout::File, workbench, options)?;
    let mut parts: Vec<String> = vec![String::new(); rendering.pages.len()];
    let mut said = Vec::new();
    let mut legend = None;
    for place in rendering.order() {
        let mut content = rendering.content(place)?;
        legend = content.legend.take().or(legend);
        let planned = &rendering.pages[place];
        shorten(&mut content, planned.group);
        // What was said of the files need not be said in every part.
        content.notices.retain(|notice| planned.group == Group::Board || !said.contains(notice));
        said.extend(content.notices.iter().cloned());
        let markup = content_of(&content, &rendering.links(&planned.address)).into_string();
        parts[place] = scoped(&markup, &prefix(&planned.address), &shown(&content.title));
    }
    let data = rendering.scores()?;
    let data = data.iter().map(|(_, answer)| answer.linked_data());
    let data = serde_json::Value::Array(data.collect());
    let body = body(&rendering, options, &parts, legend, &data);
    let here = Address::board();
    let links = rendering.links(&here);
    let around = Surroundings { look: Look::System, links: &links, has_workspace: false };
    Ok(document(&options.title, None, &body, &around).into_string())
}

/// What stands in every part need not: the way here, and of documents the signature, which is that of the runs.
fn shorten(content: &mut PageContent, group: Group) {
    content.crumbs.clear();
    if group == Group::Document {
        content.signatures.clear();
        content.command = None;
        content.convention = None;
    }
}

/// What stands before the ids of a page.
fn prefix(address: &Address) -> String {
    match address.parts().is_empty() {
        true => "/".to_owned(),
        false => format!("{}/", id_of(address.parts(), "")),
    }
}

const GROUPS: [(Group, &str); 7] = [
    (Group::Board, "Board"),
    (Group::Run, "Runs"),
    (Group::Comparison, "Comparisons"),
    (Group::System, "Systems"),
    (Group::Benchmark, "Benchmarks"),
    (Group::Document, "Documents"),
    (Group::Number, "Numbers"),
];

fn body(
    rendering: &Rendering<'_>,
    options: &ReportOptions,
    parts: &[String],
    legend: Option<Markup>,
    data: &serde_json::Value,
) -> Markup {
    html! {
        h1 { (shown(&options.title)) }
        @if let Some(about) = &options.about { p.result { (shown(about)) } }
        (contents(rendering))
        @for (group, _) in GROUPS {
            @if let (Group::Document, Some(legend)) = (group, &legend) { (legend) }
            @for (page, part) in rendering.pages.iter().zip(parts).filter(|(page, _)| page.group == group) {
                section.part id=(id_of(page.address.parts(), "")) data-ids=(prefix(&page.address)) {
                    (PreEscaped(part))
                    p.back { a href="#contents" { "contents" } }
                }
            }
        }
        script type="application/ld+json" { (PreEscaped(in_script(data))) }
    }
}

/// JSON that nothing in it can end the element it stands in, or turn the direction of what follows.
fn in_script(data: &serde_json::Value) -> String {
    let mut text = String::new();
    for c in data.to_string().chars() {
        match c == '<' || is_invisible(c) {
            true => c
                .encode_utf16(&mut [0; 2])
                .iter()
                .for_each(|unit| text.push_str(&format!("\\u{unit:04x}"))),
            false => text.push(c),
        }
    }
    text
}

fn contents(rendering: &Rendering<'_>) -> Markup {
    // Cards of numbers are reached from the numbers.
    let groups = GROUPS.into_iter().filter(|(group, _)| *group != Group::Number);
    html! {
        nav.contents id="contents" aria-label="Contents" {
            @for (group, words) in groups {
                @let pages: Vec<&ReportPage> = rendering.pages.iter().filter(|page| page.group == group).collect();
                @if !pages.is_empty() { (entry(rendering, words, &pages)) }
            }
        }
    }
}

/// A group in the contents; long lists are folded.
fn entry(rendering: &Rendering<'_>, words: &str, pages: &[&ReportPage]) -> Markup {
    const OPEN: usize = 12;
    let here = Address::board();
    let links = rendering.links(&here);
    let list = html! {
        ul {
            @for page in pages {
                li { (crate::components::frame::link(&links, &page.address, &name(&page.name))) }
            }
        }
    };
    html! {
        @if let [only] = pages { p { (crate::components::frame::link(&links, &only.address, &html! { (words) })) } }
        @else if pages.len() <= OPEN { div { p { (words) } (list) } }
        @else { details { summary { (pages.len()) " " (words.to_lowercase()) } (list) } }
    }
}
