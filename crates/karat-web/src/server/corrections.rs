//! Corrections of a benchmark: as a gold patch, or as its next edition.

use super::patches::{answered, attachment};
use super::{Shared, refused, surroundings};
use crate::access::{Act, Visitor};
use crate::address::Address;
use crate::catalogue::CatalogueBenchmark;
use crate::pages::benchmark::{OF_CHECKS, OF_SUSPICIONS, decided_places};
use crate::refusal::Refusal;
use axum::extract::{Extension, Form, Path, State};
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::{IntoResponse, Response};
use karat::gold::{Corrections, GoldCorrectionsRequest};
use karat::inputs::{Benchmark, InputRequest};
use std::sync::Arc;

/// No note is longer, in characters.
const LONGEST: usize = 2_000;

/// Makes what the form asks for.
pub(super) async fn correct(
    State(shared): State<Arc<Shared>>,
    Extension(visitor): Extension<Visitor>,
    Path(slug): Path<String>,
    headers: HeaderMap,
    Form(fields): Form<Vec<(String, String)>>,
) -> Response {
    let around = surroundings(&headers, &shared);
    let made = tokio::task::spawn_blocking(move || corrected(&shared, &visitor, &slug, &fields));
    answered(made.await).unwrap_or_else(|refusal| refused(&refusal, &around))
}

fn corrected(
    shared: &Shared,
    visitor: &Visitor,
    slug: &str,
    fields: &[(String, String)],
) -> Result<Response, Refusal> {
    let value =
        |name: &str| fields.iter().find(|(known, _)| known == name).map(|(_, it)| it.trim());
    let has = |name: &str, value: &str| fields.iter().any(|(a, b)| a == name && b == value);
    // Even a hint must not name what its reader may not see.
    let catalogue = shared.workbench.catalogue();
    let catalogue =
        if visitor.is_local() { (*catalogue).clone() } else { catalogue.seen_by(visitor) };
    let benchmark = catalogue.benchmark(slug)?;
    if !visitor.may(Act::Organise, &benchmark.id) {
        return Err(Refusal::missing("benchmark", slug, []));
    }
    let request = request(shared, visitor, benchmark, &|name| has("from", name))?;
    let work = shared.workbench.work()?;
    let made = request.made(&work)?;
    if made.file.patch.active().next().is_none() {
        return Err(Refusal::bad_request(
            "there is nothing to correct",
            "confirm a suspicion, or choose the fixes of checks where there are some",
        ));
    }
    match (value("do"), &shared.workspace) {
        (Some("edition"), Some(workspace)) => {
            let note = value("note").unwrap_or_default();
            if note.chars().count() > LONGEST {
                return Err(Refusal::bad_request("the note is too long", "write fewer words"));
            }
            let note = if note.is_empty() { in_words(&made) } else { note.to_owned() };
            let offsets = work
                .shelf
                .as_ref()
                .map(|shelf| shelf.benchmark(&benchmark.name))
                .transpose()?
                .map(|gold| gold.kept_offsets())
                .unwrap_or_default();
            let gold = Benchmark::kept(&benchmark.name, made.corrected, &offsets);
            workspace.next_edition(&visitor.by(), benchmark, &gold, &note)?;
            let slug = benchmark.slug.split('@').next().unwrap_or_default();
            let there = Address::benchmark(slug).with("show", "editions").to_path();
            Ok((StatusCode::SEE_OTHER, [(header::LOCATION, there)]).into_response())
        }
        _ => Ok(attachment(&made.file)),
    }
}

fn request(
    shared: &Shared,
    visitor: &Visitor,
    benchmark: &CatalogueBenchmark,
    has: &dyn Fn(&str) -> bool,
) -> Result<GoldCorrectionsRequest, Refusal> {
    let decided = match (&shared.workspace, has(OF_SUSPICIONS)) {
        (Some(workspace), true) => decided_places(workspace, &benchmark.edition_id)?,
        _ => Vec::new(),
    };
    Ok(GoldCorrectionsRequest {
        gold: InputRequest::held(&benchmark.name),
        decided,
        checks: has(OF_CHECKS),
        kb: shared.workbench.kb().map(str::to_owned),
        name: Some(benchmark.slug.replace('@', "-")),
        by: visitor.person().map(|person| person.login.clone()),
        ..GoldCorrectionsRequest::default()
    })
}

/// What a correction does, where nobody says it better.
fn in_words(made: &Corrections) -> String {
    match made.file.patch.active().count() {
        1 => "1 correction".to_owned(),
        many => format!("{many} corrections"),
    }
}
