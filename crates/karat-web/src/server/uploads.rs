//! Uploads over HTTP.

use super::{Shared, html, refused, surroundings};
use crate::access::Visitor;
use crate::components::frame::whole_page;
use crate::pages::upload::upload_page;
use crate::refusal::Refusal;
use crate::workspace::{JobProblem, Spool, UploadForm, UploadRefused, Workspace};
use axum::extract::multipart::Field;
use axum::extract::{Extension, Multipart, Query, State};
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::{IntoResponse, Response};
use karat::error::Error;
use karat::formats::{Detection, Source};
use karat::model::Notice;
use karat_store::{JobRow, JobState, StoreError, Submitted};
use std::sync::Arc;
use std::time::Duration;

/// A form waits this long for its job, so that what is wrong with a small file is said on the page of the form.
const WAITED: Duration = Duration::from_millis(1500);
/// A job is looked at this often while somebody waits for it.
const LOOKED: Duration = Duration::from_millis(100);
/// The most bytes of one field that is not a file.
const MOST_FIELD: usize = 64 << 10;

/// Takes an upload: a form as every browser sends it, without scripts.
pub(super) async fn upload(
    State(shared): State<Arc<Shared>>,
    Extension(visitor): Extension<Visitor>,
    headers: HeaderMap,
    multipart: Multipart,
) -> Response {
    let around = surroundings(&headers, &shared);
    let Some(workspace) = shared.workspace.clone() else {
        return refused(&no_workspace(), &around);
    };
    let mut form = UploadForm::default();
    let submitted = match received(multipart, &mut form).await {
        Ok(spool) => workspace.submit_upload(&visitor, &form, spool, None).await,
        Err(refused) => Err(refused),
    };
    let (status, notices) = match submitted {
        Ok(submitted) => match settled(&workspace, &submitted).await {
            None => {
                let job = submitted.job.unwrap_or_default();
                let to = [(header::LOCATION, format!("/jobs/{job}"))];
                return (StatusCode::SEE_OTHER, to).into_response();
            }
            Some(problem) => (StatusCode::BAD_REQUEST, problem),
        },
        Err(UploadRefused::Form(notice)) => (StatusCode::BAD_REQUEST, vec![*notice]),
        Err(UploadRefused::TooLarge) => (
            StatusCode::PAYLOAD_TOO_LARGE,
            vec![said("more than 256 MB were sent", "pack the file with zstd or gzip")],
        ),
        Err(UploadRefused::Store(
            error @ (StoreError::PersonBusy(_)
            | StoreError::QueueFull(_)
            | StoreError::QuotaUsed { .. }),
        )) => (
            StatusCode::TOO_MANY_REQUESTS,
            vec![said(&error.to_string(), "wait a while, then send it again")],
        ),
        Err(UploadRefused::Store(error)) => return refused(&error.into(), &around),
        Err(UploadRefused::Full) => {
            let full = StoreError::Full.to_string();
            return refused(&Refusal::Failed(full), &around);
        }
        Err(UploadRefused::Failed(why)) => return refused(&Refusal::Failed(why), &around),
    };
    let workbench = Arc::clone(&shared.workbench);
    let made = tokio::task::spawn_blocking(move || {
        // The form names benchmarks and systems: those that its sender sees.
        let catalogue = workbench.catalogue().seen_by(&visitor);
        let content = upload_page(&catalogue, &form, &notices);
        whole_page(&content, &around).into_string()
    });
    match made.await {
        Ok(page) => html(status, page),
        Err(_) => {
            (StatusCode::INTERNAL_SERVER_ERROR, "this page could not be made\n").into_response()
        }
    }
}

fn no_workspace() -> Refusal {
    let what =
        "This server shows files and keeps nothing, so nothing can be sent to it.".to_owned();
    Refusal::Missing {
        what,
        hint: Some("karat serve without files keeps what is sent.".to_owned()),
    }
}

fn said(message: &str, hint: &str) -> Notice {
    Error::bad_request(message, hint.to_owned()).notice()
}

/// Takes the parts of a form as they arrive. What is wrong with the form itself is said after all of it was read, because
/// a browser shows no answer before it has sent everything.
async fn received(mut parts: Multipart, form: &mut UploadForm) -> Result<Spool, UploadRefused> {
    let mut spool = Spool::new()?;
    while let Some(field) = parts.next_field().await.map_err(|error| cut_off(&error))? {
        let name = field.name().unwrap_or_default().to_owned();
        match name.as_str() {
            "files" => {
                let file = field.file_name().unwrap_or_default().to_owned();
                spool.begin(&file);
                spooled(field, &mut spool, None).await?;
            }
            "text" => {
                spool.begin("pasted");
                spooled(field, &mut spool, Some(&mut form.text)).await?;
            }
            _ => {
                let value = short(field).await?;
                form.set(&name, value);
            }
        }
    }
    spool.drop_empty();
    form.files = spool.names();
    Ok(spool)
}

async fn spooled(
    mut field: Field<'_>,
    spool: &mut Spool,
    mut shown: Option<&mut String>,
) -> Result<(), UploadRefused> {
    while let Some(chunk) = field.chunk().await.map_err(|error| cut_off(&error))? {
        if let Some(shown) = &mut shown
            && shown.len() < MOST_FIELD
        {
            // What was pasted is shown again, as far as a page should hold it.
            shown.push_str(&String::from_utf8_lossy(&chunk[..chunk.len().min(MOST_FIELD)]));
        }
        spool.push(&chunk)?;
    }
    Ok(())
}

async fn short(mut field: Field<'_>) -> Result<String, UploadRefused> {
    let mut value = Vec::new();
    while let Some(chunk) = field.chunk().await.map_err(|error| cut_off(&error))? {
        value.extend_from_slice(&chunk);
        if value.len() > MOST_FIELD {
            let notice =
                said("a field of the form has more than 64 KiB", "send long texts as files");
            return Err(UploadRefused::Form(Box::new(notice)));
        }
    }
    Ok(String::from_utf8_lossy(&value).into_owned())
}

fn cut_off(error: &axum::extract::multipart::MultipartError) -> UploadRefused {
    match error.status() {
        StatusCode::PAYLOAD_TOO_LARGE => UploadRefused::TooLarge,
        _ => {
            let message = format!("the form did not arrive whole: {error}");
            UploadRefused::Form(Box::new(said(&message, "send it again")))
        }
    }
}

/// What is wrong with what was sent, if that shows within a moment.
pub(crate) async fn settled(workspace: &Workspace, submitted: &Submitted) -> Option<Vec<Notice>> {
    let id = submitted.job.as_deref()?;
    let until = tokio::time::Instant::now() + WAITED;
    while tokio::time::Instant::now() < until {
        let job = workspace.store().job(id).await.ok()?;
        match job.state {
            JobState::Queued | JobState::Running => tokio::time::sleep(LOOKED).await,
            JobState::Failed => return Some(problem_of(&job)),
            JobState::Done | JobState::Cancelled => return None,
        }
    }
    None
}

/// Why a job failed, as notices.
pub(crate) fn problem_of(job: &JobRow) -> Vec<Notice> {
    let problem = job.problem.as_deref().unwrap_or_default();
    let problem: JobProblem = serde_json::from_str(problem).unwrap_or_default();
    match problem.notices.is_empty() {
        true => vec![said(&problem.title, "send it again when that is mended")],
        false => problem.notices,
    }
}

/// The format of a file by its first bytes, in words.
pub(super) async fn recognise(
    Query(pairs): Query<Vec<(String, String)>>,
    bytes: axum::body::Bytes,
) -> Response {
    let name = pairs.into_iter().find(|(key, _)| key == "name").map(|(_, name)| name);
    let source = Source::memory(name.unwrap_or_default(), bytes.to_vec());
    let found = tokio::task::spawn_blocking(move || karat::registry().detect(&source)).await;
    let words = match found {
        Ok(Ok(Detection::Format(format))) => format!("This looks like {}.", format.info().title),
        _ => "The format is not recognised; it can be chosen below.".to_owned(),
    };
    words.into_response()
}
