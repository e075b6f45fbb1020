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
    let has = |wanted: &str| fields.iter().any(|(name, it)| name == "from" && it == wanted);
    let sources = CorrectionSources { suspicions: has(OF_SUSPICIONS), checks: has(OF_CHECKS) };
    let made = MadeCorrections::of(shared, visitor, slug, sources)?;
    if value("do") != Some("edition") || shared.workspace.is_none() {
        return Ok(attachment(&made.corrections.file));
    }
    made.next_edition(shared, visitor, value("note").unwrap_or_default())?;
    let slug = slug.split('@').next().unwrap_or_default();
    let there = Address::benchmark(slug).with("show", "editions").to_path();
    Ok((StatusCode::SEE_OTHER, [(header::LOCATION, there)]).into_response())
}

/// What corrections follow from.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct CorrectionSources {
    /// Suspicions that were confirmed.
    pub(crate) suspicions: bool,
    /// What checks can mend.
    pub(crate) checks: bool,
}

/// Corrections of a benchmark.
pub(crate) struct MadeCorrections {
    benchmark: CatalogueBenchmark,
    pub(crate) corrections: Corrections,
}

impl MadeCorrections {
    /// The corrections of a benchmark that somebody organises, if there are any.
    pub(crate) fn of(
        shared: &Shared,
        visitor: &Visitor,
        slug: &str,
        sources: CorrectionSources,
    ) -> Result<MadeCorrections, Refusal> {
        // Even a hint must not name what its reader may not see.
        let catalogue = shared.workbench.catalogue();
        let catalogue =
            if visitor.is_local() { (*catalogue).clone() } else { catalogue.seen_by(visitor) };
        let benchmark = catalogue.benchmark(slug)?.clone();
        if !visitor.may(Act::Organise, &benchmark.id) {
            return Err(Refusal::missing("benchmark", slug, []));
        }
        let request = request(shared, visitor, &benchmark, sources)?;
        let corrections = request.made(&shared.workbench.work()?)?;
        if corrections.file.patch.active().next().is_none() {
            return Err(Refusal::bad_request(
                "there is nothing to correct",
                "confirm a suspicion, or choose the fixes of checks where there are some",
            ));
        }
        Ok(MadeCorrections { benchmark, corrections })
    }

    /// Makes the corrected gold the next edition, and gives its id.
    pub(crate) fn next_edition(
        self,
        shared: &Shared,
        visitor: &Visitor,
        note: &str,
    ) -> Result<String, Refusal> {
        let Some(workspace) = &shared.workspace else {
            let what = "These pages show files, and nothing can be changed.".to_owned();
            return Err(Refusal::Missing { what, hint: None });
        };
        if note.chars().count() > LONGEST {
            return Err(Refusal::bad_request("the note is too long", "write fewer words"));
        }
        let note = if note.is_empty() { in_words(&self.corrections) } else { note.to_owned() };
        let offsets = shared.workbench.shelf().benchmark(&self.benchmark.name)?.kept_offsets();
        let gold = Benchmark::kept(&self.benchmark.name, self.corrections.corrected, &offsets);
        Ok(workspace.next_edition(&visitor.by(), &self.benchmark, &gold, &note)?)
    }
}

fn request(
    shared: &Shared,
    visitor: &Visitor,
    benchmark: &CatalogueBenchmark,
    sources: CorrectionSources,
) -> Result<GoldCorrectionsRequest, Refusal> {
    let decided = match (&shared.workspace, sources.suspicions) {
        (Some(workspace), true) => decided_places(workspace, &benchmark.edition_id)?,
        _ => Vec::new(),
    };
    Ok(GoldCorrectionsRequest {
        gold: InputRequest::held(&benchmark.name),
        decided,
        checks: sources.checks,
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
