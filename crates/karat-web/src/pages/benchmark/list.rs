//! All benchmarks, with what they are made of side by side.

use super::mentions;
use crate::address::Address;
use crate::components::empty::nothing_yet;
use crate::components::frame::link;
use crate::components::name::name;
use crate::components::statistics::StatisticsTable;
use crate::page::{Asked, Page, PageContent, QueryKey, key};
use crate::refusal::Refusal;
use crate::workbench::CatalogueBenchmark;
use karat::board::NameFilter;
use karat::collection::{
    CollectionStatsAnswer, CollectionStatsRequest, StatisticsGroup, StatisticsRow,
};
use karat::inputs::InputRequest;
use karat::request::AnyAnswer;
use maud::{Markup, html};
use std::sync::Arc;

/// All benchmarks.
#[derive(Debug)]
pub(crate) struct Benchmarks;

const BENCHMARK: QueryKey =
    key("benchmark", "which benchmarks: names, or ~ and a regular expression");
const GROUPS: QueryKey = key("groups", "groups of statistics, as text,mentions,types");
const IN: QueryKey = super::IN;
const SORT: QueryKey =
    key("sort", "the statistic by which benchmarks are in order, as -figure=words");

/// The groups that are shown where nothing was asked: they fit a page.
const USUAL: [&str; 2] = ["text", "mentions"];

impl Page for Benchmarks {
    fn path(&self) -> &'static str {
        "/benchmarks"
    }

    fn keys(&self) -> &'static [QueryKey] {
        &[BENCHMARK, GROUPS, IN, SORT]
    }

    fn show(&self, asked: &Asked<'_>) -> Result<PageContent, Refusal> {
        let chosen = chosen(asked)?;
        let here = asked.here(Address::benchmarks());
        if asked.catalogue.benchmarks.is_empty() {
            return Ok(PageContent {
                title: "Benchmarks".to_owned(),
                body: nothing_yet(asked.workbench.workspace().is_some()),
                here,
                ..PageContent::default()
            });
        }
        if chosen.is_empty() {
            return Ok(PageContent {
                title: "Benchmarks".to_owned(),
                sentence: Some(
                    "No benchmark fits, or the gold of those that fit is hidden.".to_owned(),
                ),
                body: html! { (form(asked, &[])) },
                here,
                ..PageContent::default()
            });
        }
        let answer = statistics(asked, &chosen)?;
        let all = answer.groups();
        Ok(PageContent {
            title: "Benchmarks".to_owned(),
            sentence: Some(sentence(asked, chosen.len())),
            body: html! {
                (form(asked, &all))
                (table(asked, &chosen, &answer, &all)?)
            },
            here,
            signatures: vec![answer.signature.clone()],
            command: Some(command(asked, &chosen)),
            notices: answer.notices.clone(),
            has_forms: true,
            ..PageContent::default()
        })
    }

    fn answer(&self, asked: &Asked<'_>) -> Option<Result<Arc<dyn AnyAnswer>, Refusal>> {
        let answer = chosen(asked).and_then(|chosen| statistics(asked, &chosen));
        Some(answer.map(|answer| answer as Arc<dyn AnyAnswer>))
    }
}

fn sentence(asked: &Asked<'_>, shown: usize) -> String {
    let all = asked.catalogue.benchmarks.len();
    match (all, shown) {
        (1, _) => "One benchmark; each number opens the mentions that it counts.".to_owned(),
        (all, shown) if all == shown => {
            format!("{all} benchmarks; each number opens the mentions that it counts.")
        }
        (all, shown) => format!("{shown} of {all} benchmarks."),
    }
}

/// The benchmarks that are meant, but for those whose gold is hidden: what they are made of is a part of it.
fn chosen<'a>(asked: &'a Asked<'_>) -> Result<Vec<&'a CatalogueBenchmark>, Refusal> {
    let filter = NameFilter::parse(asked.get(BENCHMARK).unwrap_or_default())?;
    let mut chosen = Vec::new();
    for benchmark in &asked.catalogue.benchmarks {
        let is_meant = filter.is_meant(&benchmark.name)? || filter.is_meant(&benchmark.slug)?;
        if is_meant && benchmark.shows_gold_to(&asked.visitor) {
            chosen.push(benchmark);
        }
    }
    Ok(chosen)
}

/// What benchmarks are made of.
pub(crate) fn statistics(
    asked: &Asked<'_>,
    benchmarks: &[&CatalogueBenchmark],
) -> Result<Arc<CollectionStatsAnswer>, Refusal> {
    asked.workbench.answer(&request(benchmarks))
}

/// The command that prints the same.
pub(super) fn command(asked: &Asked<'_>, benchmarks: &[&CatalogueBenchmark]) -> String {
    asked.catalogue.commands(&request(benchmarks))
}

fn request(benchmarks: &[&CatalogueBenchmark]) -> CollectionStatsRequest {
    let gold = benchmarks.iter().map(|benchmark| InputRequest::held(&benchmark.name)).collect();
    CollectionStatsRequest { gold, ..CollectionStatsRequest::default() }
}

/// Which groups are shown.
fn is_shown(asked: &Asked<'_>, group: &StatisticsGroup) -> bool {
    match asked.get(GROUPS) {
        Some(names) => names.split(',').any(|name| name == group.name),
        None => USUAL.contains(&group.name),
    }
}

fn form(asked: &Asked<'_>, groups: &[StatisticsGroup]) -> Markup {
    let as_shares = asked.get(IN) == Some("share");
    // A report has nobody who could answer a form.
    if !asked.links.is_live() {
        return html! {};
    }
    html! {
        form.tools method="get" action=(asked.links.href(&Address::benchmarks()).unwrap_or_default()) {
            fieldset { legend { "Groups" }
                @for group in groups {
                    label { input type="checkbox" name="groups" value=(group.name) checked[is_shown(asked, group)]; " " (group.name) }
                }
            }
            fieldset { legend { "Counts" }
                label { input type="radio" name="in" value="" checked[!as_shares]; " numbers" }
                label { input type="radio" name="in" value="share" checked[as_shares]; " shares" }
            }
            label { "Benchmarks " input name="benchmark" value=[asked.get(BENCHMARK)] placeholder="names, or ~regex"; }
            button { "Show" }
        }
    }
}

/// The statistic by which rows are in order: its property, its label, and whether the smallest comes first.
fn sorted<'s>(asked: &'s Asked<'_>) -> Option<(&'s str, &'s str, bool)> {
    let text = asked.get(SORT)?;
    let rest = text.strip_prefix('-').unwrap_or(text);
    let (property, label) = rest.split_once('=')?;
    Some((property, label, !text.starts_with('-')))
}

fn table(
    asked: &Asked<'_>,
    chosen: &[&CatalogueBenchmark],
    answer: &CollectionStatsAnswer,
    groups: &[StatisticsGroup],
) -> Result<Markup, Refusal> {
    let shown: Vec<StatisticsGroup> =
        groups.iter().filter(|group| is_shown(asked, group)).cloned().collect();
    if let Some(unknown) =
        asked.list(GROUPS).into_iter().find(|name| !groups.iter().any(|group| group.name == *name))
    {
        return Err(Refusal::missing("group", unknown, groups.iter().map(|group| group.name)));
    }
    let as_shares = asked.get(IN) == Some("share");
    let order = match sorted(asked) {
        Some((property, label, ascending)) => {
            answer.order_by(property, label, as_shares, ascending)
        }
        None => (0..chosen.len()).collect(),
    };
    let here = asked.here(Address::benchmarks());
    let sort = |row: &StatisticsRow| {
        let now = sorted(asked)
            .filter(|(property, label, _)| *property == row.property && *label == row.label);
        // The largest first, then the smallest.
        let sign = if now.is_some_and(|(_, _, ascending)| !ascending) { "" } else { "-" };
        let there = here.clone().with(SORT.name, format!("{sign}{}={}", row.property, row.label));
        (there, now.map(|(_, _, ascending)| ascending))
    };
    let names: Vec<&str> = chosen.iter().map(|benchmark| benchmark.name.as_str()).collect();
    let table = StatisticsTable {
        links: asked.links,
        groups: &shown,
        benchmarks: &names,
        as_shares,
        mentions: &|at, row| mentions::address(&chosen[at].slug, row),
        benchmark: &|at| Address::benchmark(&chosen[at].slug),
    };
    Ok(html! {
        (table.columns(&order, &sort))
        (runs(asked, chosen))
    })
}

/// The systems on each benchmark.
fn runs(asked: &Asked<'_>, chosen: &[&CatalogueBenchmark]) -> Markup {
    html! {
        div.scroll tabindex="0" role="region" aria-label="Runs" {
            table {
                caption { "Runs" }
                thead { tr { th scope="col" { "benchmark" } th scope="col" class="n" { "documents" } th scope="col" { "systems" } } }
                tbody {
                    @for benchmark in chosen { tr {
                        th scope="row" { (link(asked.links, &Address::benchmark(&benchmark.slug).with("show", "documents"), &name(&benchmark.name))) }
                        td.n { (benchmark.documents) }
                        td {
                            @for (place, run) in asked.catalogue.runs_on(&benchmark.slug).enumerate() {
                                @if place > 0 { ", " }
                                (link(asked.links, &Address::run(&run.id), &name(&run.system)))
                            }
                        }
                    } }
                }
            }
        }
    }
}
