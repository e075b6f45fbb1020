//! One run under every convention: why this is not the number in the paper.

use super::number;
use crate::address::Address;
use crate::components::cases::{answer as said, outcome};
use crate::components::context::mention_in_text;
use crate::components::empty::nothing_yet;
use crate::components::frame::link;
use crate::components::name::name;
use crate::components::plot::plot;
use crate::components::table::{figures, score};
use crate::page::{Asked, Page, PageContent, QueryKey, key};
use crate::refusal::Refusal;
use crate::workbench::CatalogueRun;
use karat::convention::ConventionRequest;
use karat::conventions::{
    ConventionScores, ConventionWalk, ConventionsAnswer, ConventionsRequest, WalkBetween,
};
use karat::errors::{ChangedCase, ChangedCasesRequest};
use karat::listings::preset_names;
use karat::measures::Preset;
use karat::report::plot::{Axis, Forest, ForestRow, Plot};
use karat::request::AnyAnswer;
use maud::{Markup, html};
use std::sync::Arc;

/// One run under every convention.
#[derive(Debug)]
pub(crate) struct Conventions;

/// What conventions there are, and which runs can be looked at under all of them.
#[derive(Debug)]
pub(crate) struct ConventionsChoice;

const MEASURE: QueryKey = key("m", "the measure, such as link");
const FROM: QueryKey = key("from", "the preset where the walk starts");
const TO: QueryKey = key("to", "the preset where the walk ends");
const STEP: QueryKey = key("step", "the step of the walk whose cases are listed");

impl Page for ConventionsChoice {
    fn path(&self) -> &'static str {
        "/conventions"
    }

    fn keys(&self) -> &'static [QueryKey] {
        &[]
    }

    fn show(&self, asked: &Asked<'_>) -> Result<PageContent, Refusal> {
        let body = html! {
            @if asked.catalogue.benchmarks.is_empty() { (nothing_yet(asked.workbench.workspace().is_some())) }
            @for benchmark in &asked.catalogue.benchmarks {
                h2 { (name(&benchmark.name)) }
                ul { @for run in asked.catalogue.runs_on(&benchmark.slug) {
                    li { (link(asked.links, &Address::conventions(&run.id), &name(&run.system))) }
                } }
            }
            h2 { "Conventions" }
            dl.facts { @for preset in preset_names() {
                dt { (link(asked.links, &Address::help("convention", preset), &name(preset))) }
                dd { (about(preset)) }
            } }
        };
        Ok(PageContent {
            title: "Conventions".to_owned(),
            sentence: Some(
                "The same output has another score under another convention. Choose a run to see by how much, and why."
                    .to_owned(),
            ),
            here: asked.here(Address::path(["conventions"])),
            body,
            command: Some("karat presets".to_owned()),
            ..PageContent::default()
        })
    }
}

/// What a preset is, in a line.
fn about(preset: &str) -> String {
    let convention =
        ConventionRequest { preset: preset.to_owned(), ..ConventionRequest::default() };
    convention.preset().map(Preset::summary).unwrap_or_default()
}

impl Page for Conventions {
    fn path(&self) -> &'static str {
        "/conventions/{run}"
    }

    fn shows_gold(&self) -> bool {
        true
    }

    fn keys(&self) -> &'static [QueryKey] {
        &[MEASURE, FROM, TO, STEP]
    }

    fn plot(&self, asked: &Asked<'_>, kind: &str) -> Option<Result<Box<dyn Plot>, Refusal>> {
        let measure = asked.get(MEASURE).unwrap_or("link");
        let drawn =
            || answer(asked).map(|answer| Box::new(forest(&answer, measure)) as Box<dyn Plot>);
        (kind == "conventions").then(drawn)
    }

    fn show(&self, asked: &Asked<'_>) -> Result<PageContent, Refusal> {
        let answer = answer(asked)?;
        let run = asked.catalogue.run(asked.parameter("run"))?;
        let measure = asked.get(MEASURE).unwrap_or("link");
        let mut forest = forest(&answer, measure);
        for row in &mut forest.rows {
            row.link = asked.links.href(&number::address(&run.id, measure, &row.label));
        }
        let changed = match (&answer.walk, asked.get(STEP)) {
            (Some(walk), Some(step)) => changed(asked, walk, step)?,
            _ => html! {},
        };
        let body = html! {
            (scores(asked, &answer, measure))
            (plot(&forest, "Scores with their intervals by convention.", &scores(asked, &answer, measure)))
            h2 { "From one to the other" }
            (choice(asked))
            @if let Some(walk) = &answer.walk {
                (steps(asked, walk, &answer))
                (changed)
            }
        };
        let command = asked.catalogue.commands(&request(asked)?);
        Ok(PageContent {
            title: format!("{} on {} under all conventions", answer.system, answer.benchmark),
            crumbs: vec![
                ("Board".to_owned(), Address::board()),
                (answer.system.clone(), Address::run(&run.id)),
            ],
            sentence: Some(answer.sentence()),
            here: asked.here(Address::conventions(&run.id)),
            body,
            signatures: answer.report().signatures,
            command: Some(command),
            notices: answer.notices.clone(),
            has_forms: true,
            ..PageContent::default()
        })
    }

    fn answer(&self, asked: &Asked<'_>) -> Option<Result<Arc<dyn AnyAnswer>, Refusal>> {
        Some(answer(asked).map(|answer| answer as Arc<dyn AnyAnswer>))
    }
}

fn answer(asked: &Asked<'_>) -> Result<Arc<ConventionsAnswer>, Refusal> {
    asked.workbench.answer(&request(asked)?)
}

fn request(asked: &Asked<'_>) -> Result<ConventionsRequest, Refusal> {
    let run = asked.catalogue.run(asked.parameter("run"))?;
    let benchmark = asked.catalogue.benchmark(&run.benchmark)?;
    let walk = match (asked.get(FROM), asked.get(TO)) {
        (Some(from), Some(to)) if from != to => {
            Some(WalkBetween { from: from.to_owned(), to: to.to_owned() })
        }
        _ => None,
    };
    Ok(ConventionsRequest {
        inputs: asked.catalogue.inputs(benchmark, [run]),
        measure: asked.get(MEASURE).unwrap_or("link").to_owned(),
        walk,
        ..ConventionsRequest::default()
    })
}

fn interval(answer: &ConventionsAnswer, scores: &ConventionScores) -> Option<[f64; 2]> {
    let measure = scores.measure.as_ref()?;
    match answer.mean {
        true => measure.mean.as_ref()?.ci.get(answer.main_score()).copied(),
        false => measure.ci.get(answer.main_score()).copied(),
    }
}

fn scores(asked: &Asked<'_>, answer: &ConventionsAnswer, measure: &str) -> Markup {
    let title = if answer.main_score() == "f1" { "F1" } else { answer.main_score() };
    html! {
        div.scroll tabindex="0" role="region" aria-label="Scores by convention" {
            table.results {
                caption { (measure) " by convention" }
                thead { tr {
                    th scope="col" { "convention" }
                    th.n scope="col" { (title) }
                    th.wide scope="col" { "interval" }
                    @for name in ["tp", "fp", "fn"] { th.n.wide scope="col" { (name) } }
                    th.wide scope="col" { "what it is" }
                } }
                tbody { @for scores in &answer.conventions {
                    tr {
                        th scope="row" { (link(asked.links, &Address::help("convention", &scores.preset), &name(&scores.preset))) }
                        td.n {
                            @match answer.value(scores).filter(|_| !scores.is_over_nothing()) {
                                Some(value) => (link(asked.links, &number::address(asked.parameter("run"), measure, &scores.preset), &html! { (score(Some(value))) })),
                                None if scores.is_over_nothing() => abbr.missing title="nothing was counted" { "–" },
                                None => abbr.missing title=(scores.refused.as_deref().unwrap_or("not defined")) { "–" },
                            }
                        }
                        td.wide {
                            @match interval(answer, scores).filter(|_| !scores.is_over_nothing()) {
                                Some([low, high]) => span.soft { (score(Some(low))) "–" (score(Some(high))) },
                                None => abbr.missing title="this convention makes no intervals" { "–" },
                            }
                        }
                        @for count in ["tp", "fp", "fn"] {
                            td.n.wide { (count_of(scores.measure.as_ref().and_then(|it| it.count(count).flatten()))) }
                        }
                        td.wide.soft { (scores.about) }
                    }
                } }
            }
        }
    }
}

fn count_of(count: Option<f64>) -> Markup {
    html! {
        @match count {
            Some(count) => (figures(&count.to_string())),
            None => abbr.missing title="this measure has no such count" { "–" },
        }
    }
}

/// The scores as a plot.
fn forest(answer: &ConventionsAnswer, measure: &str) -> Forest {
    let row = |scores: &ConventionScores| {
        // What a convention says of nothing is no score.
        let estimate = answer.value(scores).filter(|_| !scores.is_over_nothing())?;
        let [low, high] = interval(answer, scores).unwrap_or([f64::NAN; 2]);
        let label = scores.preset.clone();
        Some(ForestRow { label, estimate, low, high, ..ForestRow::default() })
    };
    Forest {
        title: format!("{measure} of {} by convention", answer.system),
        x: Axis::new(answer.main_score().to_owned()),
        rows: answer.conventions.iter().filter_map(row).collect(),
        decimals: Some(3),
        ..Forest::default()
    }
}

/// A form that chooses two presets.
fn choice(asked: &Asked<'_>) -> Markup {
    let field = |label: &str, chosen: QueryKey, usual: &str| {
        let now = asked.get(chosen).unwrap_or(usual);
        html! {
            label { (label) " " select name=(chosen.name) {
                @for preset in preset_names() { option value=(preset) selected[preset == now] { (preset) } }
            } }
        }
    };
    html! {
        p { "Which setting makes the difference? Settings are changed one after the other." }
        form.act method="get" {
            @if let Some(measure) = asked.get(MEASURE) { input type="hidden" name=(MEASURE.name) value=(measure); }
            (field("From", FROM, "karat"))
            (field("to", TO, "gerbil"))
            button { "Walk" }
        }
    }
}

fn steps(asked: &Asked<'_>, walk: &ConventionWalk, answer: &ConventionsAnswer) -> Markup {
    let main = answer.main_score();
    let cases = |step: usize| {
        let here = asked.here(Address::conventions(asked.parameter("run")));
        here.with(STEP.name, step.to_string()).at("changed")
    };
    html! {
        div.scroll tabindex="0" role="region" aria-label="What each setting changes" {
            table.results {
                caption { "From " (walk.from) " to " (walk.to) }
                thead { tr {
                    th scope="col" { "setting" } th scope="col" { "change" }
                    th.n scope="col" { (main) } th.n scope="col" { "change" }
                    @for name in ["tp", "fp", "fn"] { th.n.wide scope="col" { (name) } }
                    th scope="col" { "cases" }
                    th.wide scope="col" { "what that means" }
                } }
                tbody {
                    @for (at, (step, moved)) in walk.steps.iter().zip(walk.changes(main)).enumerate() {
                        tr {
                            th scope="row" { (step.setting.as_deref().unwrap_or(&walk.from)) }
                            td { @if step.setting.is_some() { (step.before) " → " (step.after) } }
                            td.n { (score(step.number(main))) }
                            td.n { @if step.setting.is_some() { (change(moved)) } }
                            @for name in ["tp", "fp", "fn"] { td.n.wide { (count_of(step.number(name))) } }
                            td { @if at > 0 { (link(asked.links, &cases(at), &html! { "which change" })) } }
                            td.wide.soft { (step.meaning) }
                        }
                    }
                }
            }
        }
        @if !walk.arrives {
            p.legend {
                (walk.to) " itself gives " (score(walk.end.number(main)))
                ": the rest is not a matter of a setting that has a name."
            }
        }
    }
}

/// The cases that become something else by one step.
fn changed(asked: &Asked<'_>, walk: &ConventionWalk, step: &str) -> Result<Markup, Refusal> {
    let at: Option<usize> = step.parse().ok().filter(|at| (1..walk.steps.len()).contains(at));
    let Some(at) = at else {
        let hint = format!("its steps are 1 to {}", walk.steps.len().saturating_sub(1));
        return Err(Refusal::bad_request(format!("the walk has no step {step}"), hint));
    };
    let (before, after) = (&walk.steps[at - 1], &walk.steps[at]);
    let run = asked.catalogue.run(asked.parameter("run"))?;
    let benchmark = asked.catalogue.benchmark(&run.benchmark)?;
    let answer = asked.workbench.answer(&ChangedCasesRequest {
        inputs: asked.catalogue.inputs(benchmark, [run]),
        from: before.convention.clone(),
        to: after.convention.clone(),
        ..ChangedCasesRequest::default()
    })?;
    let setting = after.setting.as_deref().unwrap_or_default();
    let caption = format!("What {setting} = {} changes", after.after);
    Ok(html! {
        h2 id="changed" { (caption) }
        p { (answer.sentence()) }
        @if !answer.cases.is_empty() {
            div.scroll tabindex="0" role="region" aria-label=(caption) {
                table.caselist data-rows {
                    thead { tr {
                        th scope="col" class="kw" { "mention in its text" }
                        @for words in ["gold", "answer"] { th scope="col" { (words) } }
                        th scope="col" { (after.before) }
                        th scope="col" { (after.after) }
                        th scope="col" { "document" }
                    } }
                    tbody { @for case in &answer.cases { (changed_row(asked, &run.benchmark, run, case)) } }
                }
            }
            @if answer.cases.len() < answer.total { p.legend { "The first " (answer.cases.len()) " are shown." } }
        }
    })
}

fn changed_row(
    asked: &Asked<'_>,
    benchmark: &str,
    run: &CatalogueRun,
    case: &ChangedCase,
) -> Markup {
    let place = &case.in_text;
    let address = Address::document(benchmark, case.document)
        .with("runs", run.system_slug.clone())
        .with("at", format!("{}-{}", place.start, place.end));
    html! {
        tr data-row {
            td.kw { (link(asked.links, &address, &mention_in_text(place))) }
            td data-label="gold" { (said(case.gold.as_ref(), "gold has nothing here")) }
            td data-label="answer" { (said(case.prediction.as_ref(), "nothing was predicted here")) }
            td data-label="before" { (outcome(case.was.as_deref())) }
            td data-label="after" { (outcome(case.is.as_deref())) }
            td data-label="document" { (name(&case.name)) }
        }
    }
}

/// How far a step moves the score, in points.
fn change(moved: Option<f64>) -> Markup {
    html! {
        @match moved {
            Some(0.0) => span.soft { "0" },
            Some(moved) => b { (figures(&format!("{:+.1}", 100.0 * moved))) },
            None => abbr.missing title="not defined" { "–" },
        }
    }
}
