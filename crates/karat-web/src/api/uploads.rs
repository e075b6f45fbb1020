//! Sending files.

use super::call::{Call, boxed};
use super::once::{self, Begun};
use super::operation::{Gives, Handler, Operation, READ, Takes, schema_of};
use super::problem::{DIGEST, FULL, LARGE, Problem};
use super::stored::written;
use crate::access::Act;
use crate::page::{QueryKey, key};
use crate::server::settled;
use crate::workspace::{Spool, UploadForm, UploadRefused, Workspace};
use axum::body::Body;
use axum::http::{HeaderMap, HeaderValue, Method, StatusCode, header};
use axum::response::{IntoResponse, Response};
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use futures_util::StreamExt as _;
use karat_store::{OnceBegun, StoreError, Submitted};
use sha2::{Digest as _, Sha256};

/// The most bytes of an answer to an upload.
const MOST_ANSWER: usize = 64 << 10;

const WHAT: QueryKey = key("as", "`run` for the output of a system, `gold` for a gold standard");
const BENCHMARK: QueryKey = key(
    "benchmark",
    "the benchmark, with or without @edition; for gold also the title of a new one",
);
const SYSTEM: QueryKey = key("system", "the system, by its name in addresses or a new title");
const FORMAT: QueryKey = key("format", "the format of the file; recognised if it is not given");
const LABEL: QueryKey =
    key("label", "what tells a run from others of its system; the name of an edition");
const NOTE: QueryKey = key("note", "what else there is to say");
const SECONDS: QueryKey = key("seconds", "how long the system took");
const HIDDEN: QueryKey = key("hidden", "1 hides the gold of a new benchmark");
const NAME: QueryKey = key("name", "what the file is called");

pub(super) static OPERATIONS: &[Operation] = &[Operation {
    method: Method::POST,
    path: "/uploads",
    id: "upload",
    about: "Sends a file as it is, or a zip of several: the output of a system, or a gold standard. The job reads, checks, keeps and scores it; what is wrong with a small file is said at once.",
    act: Act::Submit,
    keys: &[WHAT, BENCHMARK, SYSTEM, FORMAT, LABEL, NOTE, SECONDS, HIDDEN, NAME],
    takes: Takes::File,
    gives: Gives::Accepted(schema_of::<Submitted>),
    page: "/upload",
    handler: Handler::Function(|call| boxed(upload(call))),
    ..READ
}];

async fn upload(mut call: Call) -> Result<Response, Problem> {
    call.gives_json()?;
    call.store()?;
    let Some(workspace) = call.shared.workspace.clone() else {
        return Err(Problem::failed("there is no workspace"));
    };
    let mut form = form_of(&call, &workspace).await?;
    let (spool, digest) = received(call.take_body(), call.get(NAME.name)).await?;
    check_digest(&call.headers, &digest)?;
    form.files = spool.names();
    let begun = match once::begin(&call, &digest).await? {
        Begun::Again(response) => return once_more(&workspace, response).await,
        Begun::First(begun) => begun,
    };
    let done = workspace.submit_upload(&call.visitor, &form, spool, begun.clone()).await;
    let submitted = match done {
        Ok(submitted) => submitted,
        Err(refused) => return Err(forgotten(&workspace, begun, refused).await),
    };
    if let Some(notices) = settled(&workspace, &submitted).await {
        return Err(Problem::located(&notices));
    }
    accepted(&submitted)
}

/// The answer to an upload that was sent before. It was taken in, and the first answer waited a moment for its job, to say what
/// is wrong with a small file; so does this one.
async fn once_more(workspace: &Workspace, response: Response) -> Result<Response, Problem> {
    let (parts, body) = response.into_parts();
    let sent = axum::body::to_bytes(body, MOST_ANSWER).await;
    let sent = sent.map_err(|error| Problem::failed(error.to_string()))?;
    // What was taken in is written as it is given back.
    if let Ok(submitted) = serde_json::from_slice::<Submitted>(&sent)
        && let Some(notices) = settled(workspace, &submitted).await
    {
        return Err(once::replayed(Problem::located(&notices)));
    }
    Ok(Response::from_parts(parts, Body::from(sent)))
}

/// A request that came to nothing can be sent again with the same key.
async fn forgotten(
    workspace: &Workspace,
    begun: Option<OnceBegun>,
    refused: UploadRefused,
) -> Problem {
    if let Some(begun) = begun {
        // If this fails as well, the key is free again in two minutes.
        let _ = workspace.store().forget_once(&begun).await;
    }
    refused.into()
}

fn accepted(submitted: &Submitted) -> Result<Response, Problem> {
    let job = submitted.job.as_deref().unwrap_or_default();
    let headers = [
        (header::CONTENT_TYPE, "application/json".to_owned()),
        (header::LOCATION, format!("{}/jobs/{job}", super::PREFIX)),
        (header::CACHE_CONTROL, "no-store".to_owned()),
    ];
    Ok((StatusCode::ACCEPTED, headers, written(submitted)?).into_response())
}

/// What the query says, as the form of the page says it.
async fn form_of(call: &Call, workspace: &Workspace) -> Result<UploadForm, Problem> {
    let get = |key: QueryKey| call.get(key.name).unwrap_or_default().to_owned();
    let what = get(WHAT);
    if !["run", "gold"].contains(&what.as_str()) {
        return Err(Problem::request("say what is sent: `as=run` or `as=gold`"));
    }
    let mut form = UploadForm {
        what,
        label: get(LABEL),
        seconds: get(SECONDS),
        note: get(NOTE),
        format: get(FORMAT),
        hidden: get(HIDDEN),
        ..UploadForm::default()
    };
    let registry = karat::registry();
    let is_known = registry.formats().any(|it| it.info().name == form.format);
    if !form.format.is_empty() && !is_known {
        return Err(Problem::request(format!("there is no format `{}`", form.format)));
    }
    let (benchmark, system) = (get(BENCHMARK), get(SYSTEM));
    let slug = benchmark.split('@').next().unwrap_or_default();
    // What is not known by its name in addresses is the title of something new.
    match form.is_gold() && is_new(workspace.store().benchmark(slug).await)? {
        true => form.new_benchmark = benchmark,
        false => form.benchmark = benchmark,
    }
    match is_new(workspace.store().system(&system).await)? {
        true => form.new_system = system,
        false => form.system = system,
    }
    Ok(form)
}

fn is_new<T>(found: Result<T, StoreError>) -> Result<bool, Problem> {
    match found {
        Ok(_) => Ok(false),
        Err(StoreError::NotFound { .. }) => Ok(true),
        Err(error) => Err(error.into()),
    }
}

/// Takes a body as it arrives, with its SHA-256.
async fn received(body: Body, name: Option<&str>) -> Result<(Spool, Vec<u8>), Problem> {
    let refused = |error| Problem::from(UploadRefused::from(error));
    let mut spool = Spool::new().map_err(refused)?;
    spool.begin(name.unwrap_or("file"));
    let mut hasher = Sha256::new();
    let mut chunks = body.into_data_stream();
    while let Some(chunk) = chunks.next().await {
        let chunk = chunk.map_err(|error| {
            // The limit of the server shows as an error of the body.
            let text = std::error::Error::source(&error).map(ToString::to_string);
            match text.unwrap_or_default().contains("length limit") {
                true => Problem::from(UploadRefused::TooLarge),
                false => Problem::request(format!("the body did not arrive whole: {error}")),
            }
        })?;
        hasher.update(&chunk);
        spool.push(&chunk).map_err(refused)?;
    }
    spool.drop_empty();
    Ok((spool, hasher.finalize().to_vec()))
}

/// Refuses a body that is not the one that was meant, as RFC 9530 describes it.
fn check_digest(headers: &HeaderMap, digest: &[u8]) -> Result<(), Problem> {
    let Some(given) = headers.get("content-digest") else { return Ok(()) };
    let given = given.to_str().unwrap_or_default();
    let known = given.split(',').filter_map(|part| part.trim().split_once('='));
    let mut known = known.filter(|(name, _)| name.eq_ignore_ascii_case("sha-256"));
    let Some((_, value)) = known.next() else {
        let detail = "Content-Digest has no sha-256: send `sha-256=:BASE64:`";
        return Err(Problem::request(detail));
    };
    let found = format!(":{}:", STANDARD.encode(digest));
    match value.trim() == found {
        true => Ok(()),
        false => {
            Err(Problem::new(&DIGEST, format!("the body has sha-256={found}, and not {value}")))
        }
    }
}

impl From<UploadRefused> for Problem {
    fn from(refused: UploadRefused) -> Problem {
        match refused {
            UploadRefused::Form(notice) => Problem::from(*notice),
            UploadRefused::TooLarge => {
                let detail = "more than 256 MB were sent; pack the file with zstd or gzip";
                // What is still on its way is not read.
                Problem::new(&LARGE, detail)
                    .with_header(header::CONNECTION, HeaderValue::from_static("close"))
            }
            UploadRefused::Store(error) => error.into(),
            UploadRefused::Full => Problem::new(&FULL, "the upload could not be spooled"),
            UploadRefused::Failed(why) => Problem::failed(why),
        }
    }
}
