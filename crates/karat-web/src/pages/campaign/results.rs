//! What a campaign says: rates, precision and recall, what gold lacks, agreement, people; under each preset.

use super::{CampaignTab, CampaignView, PRESET, SHOW, TabContent};
use crate::address::Address;
use crate::components::name::shown;
use crate::components::plot::plot;
use crate::components::table::{figures, table};
use crate::components::text::counted;
use crate::refusal::Refusal;
use karat::campaigns::results::RESULT_PRESETS;
use karat::command::CommandLine;
use karat::report::plot::Plot;
use karat::report::{ReportSection, SectionBody};
use karat::request::{Answer, AnyAnswer};
use karat::verify::{VerifyReportAnswer, before_and_after, outcome_shares};
use maud::{Markup, html};
use std::sync::Arc;

/// What the campaign says.
#[derive(Debug)]
pub(super) struct Results;

/// The plots, by the kind of the API.
const BEFORE_AND_AFTER: &str = "before-and-after";
const OUTCOME_SHARES: &str = "outcome-shares";

impl CampaignTab for Results {
    fn name(&self) -> &'static str {
        "results"
    }

    fn show(&self, view: &CampaignView<'_>) -> Result<TabContent, Refusal> {
        let answer = answered(view)?;
        let preset = view.asked.get(PRESET).unwrap_or_default();
        let file = "judgements.csv".to_owned();
        let commands = vec![
            CommandLine::of("verify export").arguments([view.row.name.clone()]).option("-o", &file),
            CommandLine::of("verify report").arguments([file]).unusual("--preset", preset, ""),
        ];
        Ok(TabContent {
            sentence: sentence(&answer),
            body: body(view, &answer),
            notices: answer.notices.clone(),
            commands,
            has_forms: true,
            ..TabContent::default()
        })
    }

    fn answer(&self, view: &CampaignView<'_>) -> Option<Result<Arc<dyn AnyAnswer>, Refusal>> {
        Some(answered(view).map(|answer| answer as Arc<dyn AnyAnswer>))
    }

    fn plot(&self, view: &CampaignView<'_>, kind: &str) -> Option<Result<Box<dyn Plot>, Refusal>> {
        let drawn = |answer: Arc<VerifyReportAnswer>| -> Box<dyn Plot> {
            match kind {
                BEFORE_AND_AFTER => Box::new(before_and_after(&answer)),
                _ => Box::new(outcome_shares(&answer.results)),
            }
        };
        [BEFORE_AND_AFTER, OUTCOME_SHARES].contains(&kind).then(|| answered(view).map(drawn))
    }
}

fn answered(view: &CampaignView<'_>) -> Result<Arc<VerifyReportAnswer>, Refusal> {
    view.report(&view.judged()?, view.asked.get(PRESET).unwrap_or("karat"))
}

/// The rates in words.
fn sentence(answer: &VerifyReportAnswer) -> String {
    let results = &answer.results;
    if results.judgements == 0 {
        return "Nothing has been judged yet.".to_owned();
    }
    let rate = |source: &karat::campaigns::results::SourceResults| {
        let rate = source.rate?.value;
        Some(format!("{} of the links of {}", percent(rate), source.source))
    };
    let rates: Vec<String> = results.all.sources.iter().filter_map(rate).take(4).collect();
    let judgements = counted(results.judgements, "judgement", "judgements");
    match rates.as_slice() {
        [] => "No rate can be told yet.".to_owned(),
        [one] => format!("By {judgements}, {one} are right."),
        [most @ .., last] => {
            format!("By {judgements}, {} and {last} are right.", most.join(", "))
        }
    }
}

fn percent(share: f64) -> String {
    figures(&format!("{:.1} %", 100.0 * share))
}

fn body(view: &CampaignView<'_>, answer: &VerifyReportAnswer) -> Markup {
    let report = Answer::report(answer);
    let drawn = answer.results.judgements > 0;
    html! {
        (presets(view, &answer.results.preset))
        div.tight { @for section in &report.sections { (part(section)) } }
        @if drawn {
            h2 { "Plots" }
            (plot(&before_and_after(answer), "Precision and recall of each source against gold before verification, and after it.", &html! { p { "They stand in the table “Before and after”." } }))
            (plot(&outcome_shares(&answer.results), "What became of the proposals of each source: verified, modified, removed.", &html! { p { "They stand in the table “Verification”." } }))
        }
    }
}

/// A part of the report with what must be known about it.
fn part(section: &ReportSection<'_>) -> Markup {
    let SectionBody::Table(rows) = &section.body else { return html! {} };
    let rows = rows.get();
    let is_shown = !section.is_optional || rows.rows().next().is_some();
    html! {
        @if is_shown {
            (table(&section.title, &rows))
            @for remark in &section.remarks { p.soft { (emphasised(remark)) } }
        }
    }
}

/// A paragraph of ours; what stands between asterisks is set off.
fn emphasised(text: &str) -> Markup {
    html! {
        @for (place, part) in text.split('*').enumerate() {
            @if place % 2 == 1 { em { (shown(part)) } } @else { (shown(part)) }
        }
    }
}

/// How results are made.
fn presets(view: &CampaignView<'_>, now: &str) -> Markup {
    html! {
        form.asking method="get" action=(Address::campaign(&view.row.name).to_path()) {
            input type="hidden" name=(SHOW.name) value="results";
            label { "Made as in " select name=(PRESET.name) {
                @for preset in RESULT_PRESETS { option value=(if preset.name == "karat" { "" } else { preset.name }) selected[preset.name == now] { (preset.name) } }
            } }
            button { "Show" }
        }
    }
}
