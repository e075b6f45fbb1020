//! A job: how far it is, and what came of it.

use super::upload::upload_form;
use crate::address::Address;
use crate::components::frame::link;
use crate::components::notices::notices;
use crate::components::time::date;
use crate::page::{Asked, Page, PageContent, QueryKey};
use crate::refusal::Refusal;
use crate::server::problem_of;
use crate::workspace::{ReadResult, UploadForm, Workspace};
use karat_store::{JobRow, JobState, ListFrom, StoreError};
use maud::{Markup, html};

/// One job.
#[derive(Debug)]
pub(crate) struct JobPage;

/// All jobs, the newest first.
#[derive(Debug)]
pub(crate) struct Jobs;

pub(super) fn workspace<'a>(asked: &Asked<'a>) -> Result<&'a Workspace, Refusal> {
    asked.workbench.workspace().ok_or_else(|| Refusal::Missing {
        what: "This server shows files and keeps nothing.".to_owned(),
        hint: Some("Start karat serve without files: it has a workspace.".to_owned()),
    })
}

impl Page for JobPage {
    fn path(&self) -> &'static str {
        "/jobs/{id}"
    }

    fn keys(&self) -> &'static [QueryKey] {
        &[]
    }

    fn show(&self, asked: &Asked<'_>) -> Result<PageContent, Refusal> {
        let workspace = workspace(asked)?;
        let job = workspace.wait(workspace.store().job(asked.parameter("id")))?;
        if !asked.visitor.sees_job_of(job.person.as_deref()) {
            return Err(StoreError::NotFound { what: "job", id: job.id }.into());
        }
        let form: UploadForm = serde_json::from_str(&job.input).unwrap_or_default();
        let runs = matches!(job.state, JobState::Queued | JobState::Running);
        let here = Address::path(["jobs", &job.id]);
        let body = match job.state {
            JobState::Queued | JobState::Running => progress(&job),
            JobState::Done => result(asked, workspace, &job)?,
            JobState::Failed => html! {
                (notices(&problem_of(&job)))
                h2 { "Send it again" }
                (upload_form(&asked.catalogue, &form))
            },
            JobState::Cancelled => html! {
                p { "Nothing of it was kept." }
                h2 { "Send it again" }
                (upload_form(&asked.catalogue, &form))
            },
        };
        Ok(PageContent {
            title: title(&form),
            sentence: Some(sentence(&job)),
            crumbs: vec![("Jobs".to_owned(), Address::path(["jobs"]))],
            here,
            body,
            again: runs.then_some(1),
            ..PageContent::default()
        })
    }
}

fn title(form: &UploadForm) -> String {
    let first = |a: &str, b: &str| if a.is_empty() { b.to_owned() } else { a.to_owned() };
    match form.is_gold() {
        true => format!("Gold of {}", first(&form.new_benchmark, &form.benchmark)),
        false => format!("{} on {}", first(&form.new_system, &form.system), form.benchmark),
    }
}

fn sentence(job: &JobRow) -> String {
    match job.state {
        JobState::Queued => "It waits for its turn.".to_owned(),
        JobState::Running => match job.stage.as_str() {
            "" => "It has begun.".to_owned(),
            stage => format!("It is {stage}."),
        },
        JobState::Done => "It was read, checked and kept.".to_owned(),
        JobState::Failed => "It could not be read, and nothing of it was kept.".to_owned(),
        JobState::Cancelled => "It was cancelled.".to_owned(),
    }
}

/// The stages that a job goes through.
const STAGES: [(&str, &str); 5] = [
    ("unpacking", "unpack"),
    ("reading", "read and check offsets against the texts"),
    ("checking", "check"),
    ("keeping", "keep"),
    ("scoring", "score"),
];

fn progress(job: &JobRow) -> Markup {
    let at = STAGES.iter().position(|(name, _)| *name == job.stage);
    html! {
        div data-job=(format!("/jobs/{}/events", job.id)) {
            p role="status" data-stage {
                (if job.stage.is_empty() { "waiting" } else { &job.stage })
                @if job.total > 0 { ", " (job.done.min(job.total)) " of " (job.total) }
            }
            @match job.total {
                0 => progress aria-label="progress" data-progress {},
                total => progress aria-label="progress" data-progress value=(job.done.min(total)) max=(total) {},
            }
            ol.stages {
                @for (place, (_, words)) in STAGES.iter().enumerate() {
                    li aria-current=[(Some(place) == at).then_some("step")] {
                        (words)
                        @if at.is_some_and(|at| place < at) { " ✓" }
                    }
                }
            }
        }
        form method="post" action=(format!("/jobs/{}/cancel", job.id)) { button { "Cancel" } }
        p.soft { "This page shows what came of it by itself. Its address stays." }
    }
}

fn result(asked: &Asked<'_>, workspace: &Workspace, job: &JobRow) -> Result<Markup, Refusal> {
    let result: ReadResult =
        serde_json::from_str(job.result.as_deref().unwrap_or_default()).unwrap_or_default();
    let to = match (&result.run, &result.edition) {
        (Some(run), _) if asked.catalogue.run(run).is_ok() => Some(Address::run(run)),
        (None, Some(edition)) => {
            let edition = workspace.wait(workspace.store().edition(edition))?;
            let benchmark = workspace.wait(workspace.store().benchmark(&edition.benchmark)).ok();
            benchmark.map(|row| Address::benchmark(&row.slug))
        }
        _ => None,
    };
    Ok(html! {
        dl.facts {
            dt { "format" } dd { (result.formats) }
            dt { "documents" } dd { (result.documents) }
            dt { "annotations" } dd { (result.annotations) }
        }
        (notices(&result.notices))
        @match to {
            Some(to) => p { (link(asked.links, &to, &html! { "Look at it" })) },
            None => p { "It was removed since." },
        }
        p { (link(asked.links, &Address::path(["upload"]), &html! { "Send another" })) }
    })
}

impl Page for Jobs {
    fn path(&self) -> &'static str {
        "/jobs"
    }

    fn keys(&self) -> &'static [QueryKey] {
        &[]
    }

    fn show(&self, asked: &Asked<'_>) -> Result<PageContent, Refusal> {
        let workspace = workspace(asked)?;
        let from = ListFrom { limit: 100, after: None };
        let own = asked.visitor.person().map(|person| person.id.as_str());
        let of = own.filter(|_| !asked.visitor.sees_job_of(None));
        let mut jobs = workspace.wait(workspace.store().jobs(of, &from))?.items;
        // Whoever has no account has no jobs either, and must not get those of all.
        jobs.retain(|job| asked.visitor.sees_job_of(job.person.as_deref()));
        let body = html! {
            @if jobs.is_empty() { p { "Nothing was sent yet." } }
            @else {
                table {
                    caption { "The newest first" }
                    thead { tr { th scope="col" { "job" } th scope="col" { "sent" } th scope="col" { "state" } } }
                    tbody { @for job in &jobs {
                        @let form = serde_json::from_str::<UploadForm>(&job.input).unwrap_or_default();
                        tr {
                            th scope="row" { (link(asked.links, &Address::path(["jobs", &job.id]), &html! { (title(&form)) })) }
                            td { time { (date(job.made)) } }
                            td { (sentence(job)) }
                        }
                    } }
                }
            }
            p { (link(asked.links, &Address::path(["upload"]), &html! { "Upload" })) }
        };
        Ok(PageContent {
            title: "Jobs".to_owned(),
            here: Address::path(["jobs"]),
            crumbs: vec![("Board".to_owned(), Address::board())],
            body,
            ..PageContent::default()
        })
    }
}
