//! What a benchmark is made of, beside others if that is asked for.

use super::{BESIDE, BenchmarkView, IN, Part, list, mentions};
use crate::address::Address;
use crate::components::frame::link;
use crate::components::name::name;
use crate::components::statistics::StatisticsTable;
use crate::refusal::Refusal;
use crate::workbench::CatalogueBenchmark;
use maud::{Markup, html};

/// The part of the page.
pub(super) fn show(view: &BenchmarkView<'_>) -> Result<Part, Refusal> {
    let benchmarks = beside(view)?;
    let answer = list::statistics(view.asked, &benchmarks)?;
    let groups = answer.groups();
    let names: Vec<&str> = benchmarks.iter().map(|benchmark| benchmark.name.as_str()).collect();
    let as_shares = view.asked.get(IN) == Some("share");
    let table = StatisticsTable {
        links: view.asked.links,
        groups: &groups,
        benchmarks: &names,
        as_shares,
        mentions: &|at, row| mentions::address(&benchmarks[at].slug, row),
        benchmark: &|at| Address::benchmark(&benchmarks[at].slug),
    };
    let body = html! {
        (choices(view, &benchmarks, as_shares))
        div.statgroups { (table.rows()) }
    };
    let command = list::command(view.asked, &benchmarks);
    Ok(Part {
        body,
        command,
        signature: answer.signature.clone(),
        notices: answer.notices.clone(),
        answer,
    })
}

/// This benchmark, and those that are to stand beside it.
fn beside<'a>(view: &BenchmarkView<'a>) -> Result<Vec<&'a CatalogueBenchmark>, Refusal> {
    let mut all = vec![view.benchmark];
    for slug in view.asked.list(BESIDE) {
        let other = view.asked.catalogue.benchmark(slug)?;
        if !all.iter().any(|known| known.slug == other.slug) {
            all.push(other);
        }
    }
    Ok(all)
}

fn choices(view: &BenchmarkView<'_>, shown: &[&CatalogueBenchmark], as_shares: bool) -> Markup {
    let here = view.here();
    let others = view.asked.catalogue.benchmarks.iter();
    let others: Vec<&CatalogueBenchmark> = others
        .filter(|other| !shown.iter().any(|known| known.slug == other.slug))
        .take(30)
        .collect();
    let with = |slug: &str| {
        let slugs = shown[1..].iter().map(|known| known.slug.as_str()).chain([slug]);
        here.clone().with(BESIDE.name, slugs.collect::<Vec<_>>().join(","))
    };
    html! {
        p.choices {
            span { "as: "
                @if as_shares { (link(view.asked.links, &here.clone().with(IN.name, ""), &html! { "numbers" })) " " b aria-current="true" { "shares" } }
                @else { b aria-current="true" { "numbers" } " " (link(view.asked.links, &here.clone().with(IN.name, "share"), &html! { "shares" })) }
            }
            @if !others.is_empty() {
                span { "beside: "
                    @for other in others { (link(view.asked.links, &with(&other.slug), &name(&other.name))) " " }
                }
            }
            @if shown.len() > 1 { span { (link(view.asked.links, &here.clone().with(BESIDE.name, ""), &html! { "this one alone" })) } }
        }
    }
}
