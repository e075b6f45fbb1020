//! The numbers of a comparison.

use super::{BY, Compared};
use crate::address::Address;
use crate::components::cases::missing;
use crate::components::frame::link;
use crate::components::name::{name, shown};
use crate::components::plot::plot;
use crate::components::table::{figures, score, table};
use crate::components::wording::{correction_words, score_words};
use crate::page::{Asked, convention_text};
use crate::pages::number;
use karat::comparison::answer::{PairRecord, RankedRecord, ScoreRecord};
use karat::comparison::{critical_difference, forest, tables};
use karat::facets::{FACETS, FacetNeeds};
use maud::{Markup, html};

/// The whole corpus is compared by one score.
fn whole<'c>(compared: &'c Compared<'_>) -> Option<&'c ScoreRecord> {
    let scores = &compared.answer.benchmarks.first()?.scores;
    scores.iter().find(|score| score.facet.is_none())
}

/// A p-value.
fn probability(p: Option<f64>) -> String {
    match p {
        Some(p) if p < 0.0001 => "< .0001".to_owned(),
        Some(p) => figures(&format!("{p:.4}")),
        None => "–".to_owned(),
    }
}

/// Points with their sign.
fn points(value: Option<f64>) -> String {
    value.map_or_else(|| "–".to_owned(), |value| figures(&format!("{:+.1}", 100.0 * value)))
}

fn interval(ends: Option<[f64; 2]>) -> String {
    ends.map_or_else(
        || "–".to_owned(),
        |[low, high]| format!("{} to {}", points(Some(low)), points(Some(high))),
    )
}

/// Where each system stands.
pub(super) fn standings(compared: &Compared<'_>, asked: &Asked<'_>) -> Markup {
    let Some(whole) = whole(compared) else { return html! {} };
    let convention = convention_text(&compared.convention);
    let level = compared.answer.level;
    html! {
        div.scroll tabindex="0" role="region" aria-label="Scores" {
            table.results {
                caption { (score_words(&whole.name)) }
                thead { tr {
                    th scope="col" { "system" } th.wide scope="col" { "rank" } th.n scope="col" { "score" }
                    th.wide scope="col" { (level) " %" } th scope="col" { "group" }
                    @for part in PARTS { th.n.wide scope="col" { (part) } }
                    th.n.wide scope="col" { "first in" }
                } }
                tbody { @for (at, standing) in whole.by_score() {
                    @let run = &compared.runs[at].id;
                    tr {
                        th scope="row" { (link(asked.links, &Address::run(run), &name(&standing.name))) }
                        td.wide { @match standing.rank_ci { Some([low, high]) if low < high => { (low) "–" (high) }, _ => @match standing.rank { Some(rank) => (rank), None => "–" } } }
                        td.n {
                            @match (standing.score, asked.links.href(&number::address(run, &compared.measure, &convention))) {
                                (Some(value), Some(href)) => a href=(href) data-card { (score(Some(value))) },
                                (value, _) => (score(value)),
                            }
                        }
                        td.wide.soft { @match standing.ci { Some([low, high]) => { (score(Some(low))) "–" (score(Some(high))) }, None => "–" } }
                        td.letters { (whole.letters(&standing.name)) }
                        @for part in PARTS { td.n.wide { (of_run(compared, &standing.name, part)) } }
                        td.n.wide { @match standing.first { Some(share) => { (figures(&format!("{:.0}", 100.0 * share))) " %" }, None => "–" } }
                    }
                } }
            }
        }
        @if let [first, second] = compared.scores.systems.as_slice() {
            @if let Some(why) = second.against(first) { p { (shown(&why)) } }
        }
        @if compared.runs.len() > 2 { p.legend { "Systems that share a letter were not told apart (" (correction_words(&compared.answer.correction)) ", 5 %). First in: the share of samples in which it is best." } }
    }
}

/// What the score is made of.
const PARTS: [&str; 5] = ["precision", "recall", "tp", "fp", "fn"];

/// A part of the score of a run.
fn of_run(compared: &Compared<'_>, system: &str, part: &str) -> Markup {
    let found = compared.scores.systems.iter().find(|it| it.name == system);
    let measure = found.and_then(|system| system.measures.first());
    html! {
        @match measure.and_then(|it| it.score(part)).flatten() {
            Some(value) => (score(Some(value))),
            None => @match measure.and_then(|it| it.count(part)).flatten() {
                Some(count) => (figures(&count.to_string())),
                None => (missing("this measure has no such number")),
            },
        }
    }
}

/// Every two systems.
pub(super) fn differences(compared: &Compared<'_>, asked: &Asked<'_>) -> Markup {
    let Some(whole) = whole(compared) else { return html! {} };
    let correction = correction_words(&compared.answer.correction);
    html! {
        h2 { "Differences" }
        @if whole.systems.len() > 2 { (matrix(compared, whole, asked)) }
        div.scroll tabindex="0" role="region" aria-label="Differences" {
            table.results {
                caption { "How far the first is above the second, in points of " (score_words(&whole.name)) }
                thead { tr {
                    th scope="col" { "first" } th scope="col" { "second" } th.n scope="col" { "difference" }
                    th.wide scope="col" { (compared.answer.level) " %" } th.n scope="col" { "p" }
                    th.n scope="col" { "p (" (correction) ")" } th.n.wide scope="col" { "resolved" }
                    th.wide scope="col" { "documents" } th.wide scope="col" { "mentions" }
                } }
                tbody { @for pair in &whole.pairs { (pair_row(pair)) } }
            }
        }
        p.legend { "Resolved: the smallest difference that would be found. Documents and mentions: how many only the first does better, equal, and only the second." }
    }
}

fn pair_row(pair: &PairRecord) -> Markup {
    let class = pair.significant.then_some("leads");
    let documents = pair.documents;
    html! {
        tr class=[class] {
            th scope="row" { (name(&pair.first)) }
            td { (name(&pair.second)) }
            td.n { (points(pair.difference)) }
            td.wide { (interval(pair.ci)) }
            td.n { (probability(pair.p)) }
            td.n { (probability(pair.p_adjusted)) }
            td.n.wide { @match pair.detectable { Some(value) => (figures(&format!("{:.1}", 100.0 * value))), None => abbr.missing title=(if pair.out_of_reach { "no difference would be found" } else { "not defined" }) { "–" } } }
            td.wide { (documents.wins) " / " (documents.ties) " / " (documents.losses) }
            td.wide { @match pair.mentions { Some(found) => { (found.first_only) " / " (found.concordant) " / " (found.second_only) }, None => abbr.missing title="this measure does not count mentions" { "–" } } }
        }
    }
}

/// Who beats whom: rows against columns, the best first.
fn matrix(compared: &Compared<'_>, whole: &ScoreRecord, asked: &Asked<'_>) -> Markup {
    let order = whole.by_score();
    let difference = |row: &str, column: &str| {
        let found = whole.pairs.iter().find_map(|pair| match () {
            () if pair.first == row && pair.second == column => Some((pair.difference?, pair)),
            () if pair.first == column && pair.second == row => Some((-pair.difference?, pair)),
            () => None,
        });
        found.map(|(difference, pair)| (difference, pair.significant))
    };
    html! {
        div.scroll tabindex="0" role="region" aria-label="Who beats whom" {
            table.results.matrix {
                caption { "Who beats whom: the row above the column, in points. ▲ and ▼ are shown to be real." }
                thead { tr {
                    td {}
                    @for (_, standing) in &order { th.n scope="col" { (name(&standing.name)) } }
                } }
                tbody { @for (at, row) in &order { tr {
                    th scope="row" { (name(&row.name)) }
                    @for (other, column) in &order {
                        @let runs = [&compared.runs[*other].id, &compared.runs[*at].id];
                        td { @match difference(&row.name, &column.name) {
                            _ if at == other => {},
                            Some((value, true)) => b class=(if value > 0.0 { "won" } else { "lost" }) { (link(asked.links, &Address::compare(runs.map(String::as_str)), &html! { (points(Some(value))) (if value > 0.0 { " ▲" } else { " ▼" }) })) },
                            Some((value, false)) => (link(asked.links, &Address::compare(runs.map(String::as_str)), &html! { (points(Some(value))) })),
                            None => abbr.missing title="not defined" { "–" },
                        } }
                    }
                } } }
            }
        }
    }
}

/// Scores with intervals, and for three and more average ranks.
pub(super) fn plots(compared: &Compared<'_>, asked: &Asked<'_>) -> Markup {
    let answer = &*compared.answer;
    let convention = convention_text(&compared.convention);
    let number = |system: &str| {
        let run = compared.runs.iter().find(|run| run.system == system)?;
        asked.links.href(&number::address(&run.id, &compared.measure, &convention))
    };
    let mut forest = forest(answer);
    forest.x.label = score_words(&forest.x.label);
    forest.rows.iter_mut().for_each(|row| row.link = number(&row.label));
    let ranks = |ranked: &RankedRecord| {
        let mut diagram = critical_difference(ranked);
        diagram.systems.iter_mut().for_each(|system| system.link = number(&system.name));
        diagram
    };
    html! {
        h2 { "Plots" }
        (plot(&forest, "Scores with their intervals.", &table("Scores", &tables::standings(answer))))
        @if compared.runs.len() > 2 {
            @for ranked in answer.ranked().filter(|ranked| ranked.facet.is_none()) {
                (plot(&ranks(ranked), "Average ranks.", &table("Average ranks", &tables::across(answer))))
            }
        }
    }
}

/// The same by parts of the corpus, if that is asked for.
pub(super) fn parts(compared: &Compared<'_>, asked: &Asked<'_>) -> Markup {
    let scores = compared.answer.benchmarks.first().map(|it| it.scores.as_slice());
    let parts: Vec<&ScoreRecord> =
        scores.unwrap_or_default().iter().filter(|score| score.facet.is_some()).collect();
    html! {
        @if asked.links.is_live() || !parts.is_empty() { h2 { "By part" } }
        @if asked.links.is_live() { form.act method="get" action=[asked.links.href(&Address::compare(compared.runs.iter().map(|run| run.id.as_str())))] {
            @for (key, value) in &asked.query { @if ["m", "as"].contains(key) { input type="hidden" name=(key) value=(value); } }
            label { "by " input name=(BY.name) value=(asked.get(BY).unwrap_or_default()) placeholder="type" list="facets" autocomplete="off"; }
            datalist id="facets" { @for facet in FACETS.iter().filter(|facet| facet.needs != FacetNeeds::Key) { option value=(facet.name) {} } }
            button { "Show" }
        } }
        @if !parts.is_empty() {
            div.scroll tabindex="0" role="region" aria-label="By part" {
                table.results {
                    caption { "Differences on parts, corrected like the whole" }
                    thead { tr {
                        th scope="col" { "part" }
                        @for run in &compared.runs { th.n scope="col" { (name(&run.system)) } }
                        @if compared.runs.len() == 2 { th.n scope="col" { "difference" } th.wide scope="col" { "interval" } th.n scope="col" { "p" } }
                    } }
                    tbody { @for part in parts { tr {
                        th scope="row" { (name(part.label.as_deref().unwrap_or_default())) }
                        @for standing in &part.systems { td.n { (score(standing.score)) } }
                        @if let [pair] = part.pairs.as_slice() {
                            td.n { (points(pair.difference)) } td.wide { (interval(pair.ci)) } td.n { (probability(pair.p_adjusted)) }
                        }
                    } } }
                }
            }
        }
    }
}
