//! Who is to be paid. It is the only page with the ids that platforms have for people.

use super::card::pager;
use super::{AFTER, CampaignTab, CampaignView, TabContent};
use crate::components::cases::missing;
use crate::components::name::{name, shown};
use crate::components::time::date;
use crate::refusal::Refusal;
use karat::campaigns::life::{AssignmentState, Ending};
use karat_store::{AssignmentRow, ExternalId, WorkerRow};
use maud::{Markup, html};

/// Assignments that ended.
#[derive(Debug)]
pub(super) struct Pay;

/// So many assignments stand on a page.
const ON_A_PAGE: usize = 100;

/// An assignment that ended, with who had it.
struct Ended {
    row: AssignmentRow,
    worker: Option<WorkerRow>,
    how: Ending,
    external: Option<ExternalId>,
}

/// All assignments that ended.
fn ended(view: &CampaignView<'_>) -> Result<Vec<(AssignmentRow, Ending)>, Refusal> {
    let assignments = view.wait(view.store().campaign_assignments(view.row.id))?;
    let ended = |row: AssignmentRow| match row.state {
        AssignmentState::Ended { how, .. } => Some((row, how)),
        _ => None,
    };
    Ok(assignments.into_iter().filter_map(ended).collect())
}

impl CampaignTab for Pay {
    fn name(&self) -> &'static str {
        "pay"
    }

    fn show(&self, view: &CampaignView<'_>) -> Result<TabContent, Refusal> {
        let ended = ended(view)?;
        let (paid, all) = (ended.iter().filter(|(_, how)| how.is_paid()).count(), ended.len());
        let first = view.asked.number(AFTER)?.unwrap_or_default();
        let shown_here = known(view, ended.into_iter().skip(first).take(ON_A_PAGE))?;
        let body = html! {
            @match &view.row.settings.pay {
                Some(pay) => p { "An assignment is paid " b { (format!("{:.2} ", pay.amount)) (shown(&pay.currency)) } "." },
                None => p { "No pay is set: " (crate::components::frame::link(view.asked.links, &view.tab("settings"), &html! { "set it" })) " if people are paid." },
            }
            @if all == 0 { p.empty { "No assignment has ended yet." } }
            @else {
                (table(view, &shown_here))
                (pager(view, &view.tab("pay"), (first, ON_A_PAGE), all))
            }
            p.legend { "Ids of platforms are kept encrypted, are shown here only, and are in no export. Everybody who finished is paid; bad work is left out of the analysis instead." }
        };
        let sentence = format!("To be paid: {paid} of {all} assignments that ended.");
        Ok(TabContent { sentence, body, ..TabContent::default() })
    }
}

/// Those of a page, with who had them.
fn known(
    view: &CampaignView<'_>,
    ended: impl Iterator<Item = (AssignmentRow, Ending)>,
) -> Result<Vec<Ended>, Refusal> {
    let workers = view.wait(view.store().campaign_workers(view.row.id))?;
    let of = |(row, how): (AssignmentRow, Ending)| {
        // Without the key of the database nobody can be paid, and the page says so.
        let external = view.wait(view.store().external_id(row.id))?;
        let worker = workers.iter().find(|it| it.id == row.worker).cloned();
        Ok(Ended { row, worker, how, external })
    };
    ended.map(of).collect()
}

fn ending(how: Ending) -> &'static str {
    match how {
        Ending::Finished => "finished",
        Ending::NoWorkLeft => "no work was left",
        Ending::NoConsent => "did not agree",
        Ending::FailedCheck => "failed the practice",
        Ending::Returned => "given back",
        Ending::Excluded => "excluded",
    }
}

fn table(view: &CampaignView<'_>, rows: &[Ended]) -> Markup {
    let pay = view.row.settings.pay.as_ref();
    html! {
        div.scroll tabindex="0" role="region" aria-label="Assignments that ended" {
            table.tight {
                caption { "Assignments that ended" }
                thead { tr { @for words in ["person", "platform", "id on the platform", "assignment", "ended", "how", "code", "pay"] { th scope="col" { (words) } } } }
                tbody { @for one in rows { tr {
                    th scope="row" { @if let Some(worker) = &one.worker { (name(&worker.pseudonym)) } }
                    td { (name(&one.row.platform)) }
                    td { @match &one.external { Some(external) => (name(&external.worker)), None => (missing("forgotten, or known by an account")) } }
                    td { @match one.external.as_ref().and_then(|it| it.assignment.as_ref()) { Some(id) => (name(id)), None => (one.row.n) } }
                    td { @if let Some(at) = one.row.finished { (date(at)) } }
                    td { (ending(one.how)) }
                    td { @if let Some(code) = &one.row.code { code { (name(code)) } } }
                    td { @match pay {
                        Some(pay) if one.how.is_paid() => { (format!("{:.2} ", pay.amount)) (name(&pay.currency)) },
                        Some(_) => "nothing",
                        None => (missing("no pay is set")),
                    } }
                } } }
            }
        }
    }
}
