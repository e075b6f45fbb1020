//! The site of a shared evaluation.

use super::site::{SiteFile, site};
use super::{DocumentsShown, HiddenTexts, PageFacts, ReportBoard, ReportOptions};
use crate::address::{Address, outside, slug};
use crate::components::name::name;
use crate::components::notices::notices;
use crate::refusal::Refusal;
use crate::workbench::Workbench;
use karat::board::BoardAnswer;
use karat::gold::PatchAnswer;
use karat::inputs::PatchedEdition;
use karat::model::Notice;
use karat::shared::{SharedBenchmark, SharedBoard, SharedFolder, SharedResults, SharedSystem};
use maud::{Markup, html};

/// Writes the site of a shared evaluation: boards, runs, comparisons, documents, what is known about benchmarks and systems,
/// results for programs, and a feed of what changed. `problems` are what is wrong in the folder; readers of the site
/// see them as well.
pub fn shared_site<E: From<Refusal>>(
    folder: &SharedFolder,
    workbench: &Workbench,
    hidden_texts: &[String],
    problems: &[Notice],
    mut write: impl FnMut(SiteFile) -> Result<(), E>,
) -> Result<(), E> {
    let mut options = options(folder, hidden_texts)?;
    let results = results(folder, workbench, &options)?;
    options.facts = facts(folder, workbench, &options, problems)?;
    site(workbench, &options, &mut write)?;
    let json = serde_json::to_string_pretty(&results)
        .map_err(|error| Refusal::Failed(format!("the results cannot be written: {error}")))?;
    write(SiteFile { path: "results.json".to_owned(), content: json + "\n" })?;
    write(SiteFile { path: "feed.xml".to_owned(), content: super::feed::feed(&results) })
}

fn options(folder: &SharedFolder, hidden_texts: &[String]) -> Result<ReportOptions, Refusal> {
    let evaluation = &folder.evaluation;
    let documents = evaluation.documents.parse::<DocumentsShown>();
    let mut boards = Vec::new();
    for convention in &evaluation.conventions {
        for measure in &evaluation.measures {
            boards.push(ReportBoard { convention: convention.parse()?, measure: measure.clone() });
        }
    }
    let first = boards.first().cloned().unwrap_or_default();
    Ok(ReportOptions {
        title: evaluation.title.clone(),
        about: evaluation.about.clone(),
        convention: first.convention,
        measure: first.measure,
        documents: documents
            .map_err(|error| Refusal::bad_request(error.to_string(), "see evaluation.toml"))?,
        compare: evaluation.compare.clone(),
        hidden_texts: HiddenTexts::Of(hidden_texts.iter().cloned().collect()),
        boards: boards.split_off(1.min(boards.len())),
        ..ReportOptions::default()
    })
}

/// The boards as they are shown, for programs.
fn results(
    folder: &SharedFolder,
    workbench: &Workbench,
    options: &ReportOptions,
) -> Result<SharedResults, Refusal> {
    let mut boards = Vec::new();
    let first =
        ReportBoard { convention: options.convention.clone(), measure: options.measure.clone() };
    for board in std::iter::once(&first).chain(&options.boards) {
        let answer: BoardAnswer =
            crate::pages::board::board_of(workbench, &board.convention, &board.measure)?;
        let convention = board.convention.to_string();
        boards.push(SharedBoard { convention, board: answer });
    }
    Ok(SharedResults::of(folder, boards))
}

/// What the files say about the whole, and about each benchmark and system.
fn facts(
    folder: &SharedFolder,
    workbench: &Workbench,
    options: &ReportOptions,
    problems: &[Notice],
) -> Result<Vec<PageFacts>, Refusal> {
    let catalogue = workbench.catalogue();
    let mut facts = vec![PageFacts {
        address: Address::board(),
        links: options.boards.iter().map(|board| (board.name(), board.address())).collect(),
        before: html! {
            @if let Some(about) = &folder.evaluation.about { p { (about) } }
            (notices(problems))
        },
        after: html! {
            (systems(folder))
            p.legend { "For programs: " a href="results.json" { "results.json" } ", "
                a href="feed.xml" { "a feed of what changed" } "." }
        },
    }];
    for benchmark in &folder.benchmarks {
        let corrections = benchmark.corrections()?;
        for edition in &benchmark.record.editions {
            let title = benchmark.title_of(edition);
            let is_edition_of = |name: &str| {
                let patched: Result<PatchedEdition, _> = name.parse();
                patched.is_ok_and(|patched| patched.gold == title)
            };
            let patched = catalogue.benchmarks.iter().filter(|it| is_edition_of(&it.name));
            let slugs = std::iter::once(slug(&title)).chain(patched.map(|it| it.slug.clone()));
            facts.extend(slugs.map(|slug| PageFacts {
                address: Address::benchmark(&slug),
                links: Vec::new(),
                before: about_benchmark(benchmark),
                after: corrections_table(&corrections),
            }));
        }
    }
    Ok(facts)
}

/// Every correction of a benchmark, with who made it.
fn corrections_table(corrections: &PatchAnswer) -> Markup {
    let changes = &corrections.changes;
    html! {
        @if !changes.is_empty() {
            h2 id="corrections" { "Corrections of gold" }
            div.scroll tabindex="0" role="region" aria-label="Corrections of gold" {
                table {
                    caption { "What the patches of this benchmark change, as " code { "karat gold log" } " lists it" }
                    thead { tr {
                        @for words in ["patch", "document", "span", "words", "change", "why", "by"] { th scope="col" { (words) } }
                    } }
                    tbody { @for change in changes { tr {
                        td { (name(&change.patch)) }
                        td { (name(&change.document)) }
                        td { (change.start) ".." (change.end) }
                        td { @match &change.words { Some(words) => (name(words)), None => span.missing { "–" } } }
                        td { (name(&change.change)) @if change.refused.is_some() { " (refused)" } }
                        td { (change.why.as_deref().unwrap_or_default()) @if let Some(note) = &change.note { ": " (note) } }
                        td { (change.by.as_deref().unwrap_or_default()) }
                    } } }
                }
            }
        }
    }
}

fn about_benchmark(benchmark: &SharedBenchmark) -> Markup {
    let record = &benchmark.record;
    html! {
        dl.facts {
            dt { "benchmark" } dd { (name(&record.title)) @if let Some(about) = &record.about { ": " (about) } }
            dt { "licence" } dd { @match &record.licence { Some(licence) => (name(licence)), None => span.missing { "– not said" } } }
            @if let Some(source) = &record.source { dt { "source" } dd { (place(source)) } }
            @for edition in &record.editions {
                dt { "edition " (name(&edition.name)) }
                dd {
                    @if let Some(date) = &edition.date { (date) " · " }
                    @if let Some(note) = &edition.note { (note) " · " }
                    code { "sha256 " (edition.sha256.get(..12).unwrap_or_default()) "…" }
                    @if !edition.here { " · not part of this folder" }
                }
            }
            dt { "corrections" }
            dd { (benchmark.corrections_counted()) @if !benchmark.patches.is_empty() {
                "; an edition with a plus in its name is gold with them. " a href="#corrections" { "What they change" }
            } }
        }
    }
}

fn systems(folder: &SharedFolder) -> Markup {
    html! {
        @if !folder.systems.is_empty() {
            h2 { "Systems" }
            div.scroll tabindex="0" role="region" aria-label="Systems" {
                table {
                    caption { "What is known about the systems" }
                    thead { tr {
                        @for words in ["system", "what it is", "paper", "code", "licence", "outputs"] { th scope="col" { (words) } }
                    } }
                    tbody { @for system in &folder.systems { (system_row(system)) } }
                }
            }
        }
    }
}

fn system_row(system: &SharedSystem) -> Markup {
    let record = &system.record;
    let given = |value: &Option<String>| {
        html! {
            @match value { Some(value) => (place(value)), None => span.missing title="not said" { "–" } }
        }
    };
    html! {
        tr {
            th scope="row" { (name(&system.name)) }
            td { (name(&record.title)) @if let Some(about) = &record.about { ": " (about) } }
            td { (given(&record.paper)) } td { (given(&record.code)) } td { (given(&record.licence)) }
            td {
                @for run in &system.runs {
                    div {
                        (name(&run.benchmark)) ", " (run.record.date)
                        @if let Some(seconds) = run.record.seconds { ", " (seconds) " s" }
                        @if let Some(machine) = &run.record.machine { ", " (name(machine)) }
                        @if let Some(cost) = &run.record.cost { ", " (name(cost)) }
                        @if let Some(note) = &run.record.note { ": " (name(note)) }
                    }
                }
            }
        }
    }
}

/// A place on the web as a link, anything else as it is.
fn place(text: &str) -> Markup {
    html! {
        @match outside(text) {
            Some(url) => a href=(url) rel="noreferrer" { (name(text)) },
            None => (name(text)),
        }
    }
}
