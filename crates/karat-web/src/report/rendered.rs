//! Pages of a report, as they are shown.

use super::ReportOptions;
use super::links::{Carried, ReportLayout, ReportLinks};
use super::plan::{Group, ReportPage, plan};
use crate::address::Address;
use crate::components::frame::link;
use crate::components::name::name;
use crate::page::{Asked, PageContent};
use crate::refusal::Refusal;
use crate::workbench::{CatalogueRun, Workbench};
use karat::documents::{DocumentChoice, DocumentRequest};
use karat::scoring::{EvaluationAnswer, EvaluationRequest};
use maud::{PreEscaped, html};
use std::sync::Arc;

/// The pages of a report, and where they are.
pub(super) struct Rendering<'r> {
    workbench: &'r Workbench,
    options: &'r ReportOptions,
    pub(super) pages: Vec<ReportPage>,
    pub(super) carried: Carried,
}

impl<'r> Rendering<'r> {
    pub(super) fn new(
        layout: ReportLayout,
        workbench: &'r Workbench,
        options: &'r ReportOptions,
    ) -> Result<Rendering<'r>, Refusal> {
        let pages = plan(workbench, options)?;
        let catalogue = workbench.catalogue();
        let benchmarks = catalogue.benchmarks.iter();
        let benchmarks = benchmarks.map(|it| (it.slug.clone(), it.name.clone())).collect();
        let carried = Carried::new(layout, options, benchmarks, &pages);
        Ok(Rendering { workbench, options, pages, carried })
    }

    /// The order in which pages are made: documents first, because other pages link to their cases.
    pub(super) fn order(&self) -> Vec<usize> {
        let mut order: Vec<usize> = (0..self.pages.len()).collect();
        order.sort_by_key(|place| self.pages[*place].group != Group::Document);
        order
    }

    /// What a page shows: all its parts under one heading.
    pub(super) fn content(&mut self, place: usize) -> Result<PageContent, Refusal> {
        if self.pages[place].group == Group::Document {
            self.note_cases(place)?;
        }
        let planned = &self.pages[place];
        let links = ReportLinks { carried: &self.carried, here: &planned.address };
        let mut whole: Option<PageContent> = None;
        for part in &planned.parts {
            let pairs: Vec<(String, String)> =
                part.query.iter().map(|(key, value)| ((*key).to_owned(), value.clone())).collect();
            let parameters = planned.parameters.clone();
            let asked = Asked::new(planned.page, parameters, &pairs, self.workbench, &links)?;
            let content = planned.page.show(&asked)?;
            let body = match &part.heading {
                Some(heading) => html! { section id=(part.id) { h2 { (heading) } (content.body) } },
                None => content.body,
            };
            whole = Some(match whole {
                None => PageContent { body, ..content },
                Some(first) => joined(first, PageContent { body, ..content }),
            });
        }
        let mut whole = whole.unwrap_or_default();
        // Tables that scroll are landmarks, which must have names of their own; on a page with many parts some have the
        // same. As groups they can still be reached and named.
        whole.body =
            PreEscaped(whole.body.into_string().replace(" role=\"region\"", " role=\"group\""));
        for facts in self.options.facts.iter().filter(|facts| facts.address == planned.address) {
            let body = std::mem::take(&mut whole.body);
            whole.body = html! {
                (facts.before)
                @if !facts.links.is_empty() {
                    p { "Other boards: "
                        @for (place, (words, address)) in facts.links.iter().enumerate() {
                            @if place > 0 { " · " }
                            (link(&links, address, &name(words)))
                        }
                    }
                }
                (body)
                (facts.after)
            };
        }
        Ok(whole)
    }

    /// The links of a page.
    pub(super) fn links<'l>(&'l self, here: &'l Address) -> ReportLinks<'l> {
        ReportLinks { carried: &self.carried, here }
    }

    /// The scores on each benchmark, for programs: what `karat eval --format json` prints.
    pub(super) fn scores(&self) -> Result<Vec<(String, Arc<EvaluationAnswer>)>, Refusal> {
        let catalogue = self.workbench.catalogue();
        let mut scores = Vec::new();
        for benchmark in &catalogue.benchmarks {
            if catalogue.runs_on(&benchmark.slug).next().is_none() {
                continue;
            }
            let answer = self.workbench.answer(&EvaluationRequest {
                inputs: catalogue.inputs(benchmark, catalogue.runs_on(&benchmark.slug)),
                convention: self.options.convention.clone(),
                digests: true,
                ..EvaluationRequest::default()
            })?;
            scores.push((benchmark.slug.clone(), answer));
        }
        Ok(scores)
    }

    fn note_cases(&mut self, place: usize) -> Result<(), Refusal> {
        let address = self.pages[place].address.clone();
        let [_, slug, number] = address.parts() else { return Ok(()) };
        let catalogue = self.workbench.catalogue();
        let benchmark = catalogue.benchmark(slug)?;
        // The same request as that of the page, which then finds the answer.
        let runs: Vec<&CatalogueRun> =
            catalogue.runs_on(slug).take(crate::pages::document::RUNS_SHOWN).collect();
        let answer = self.workbench.answer(&DocumentRequest {
            inputs: catalogue.inputs(benchmark, runs.iter().copied()),
            convention: self.options.convention.clone(),
            document: DocumentChoice::Number(number.parse().unwrap_or_default()),
            ..DocumentRequest::default()
        })?;
        let systems = runs.iter().map(|run| run.system_slug.clone()).collect();
        self.carried.note_cases(&address, &answer, systems);
        Ok(())
    }
}

/// Two parts of one page as one.
fn joined(first: PageContent, second: PageContent) -> PageContent {
    let mut notices = first.notices;
    notices
        .extend(second.notices.into_iter().filter(|it| !notices.contains(it)).collect::<Vec<_>>());
    let mut signatures = first.signatures;
    signatures.extend(
        second.signatures.into_iter().filter(|it| !signatures.contains(it)).collect::<Vec<_>>(),
    );
    let mut lines: Vec<String> = Vec::new();
    for command in [first.command, second.command].into_iter().flatten() {
        for line in command.lines() {
            if !lines.iter().any(|known| known == line) {
                lines.push(line.to_owned());
            }
        }
    }
    PageContent {
        body: html! { (first.body) (second.body) },
        notices,
        signatures,
        command: Some(lines.join("\n")).filter(|command| !command.is_empty()),
        ..first
    }
}
