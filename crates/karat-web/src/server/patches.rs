//! Decisions about the changes of a patch that was given as a file.

use super::{Shared, refused, surroundings};
use crate::access::{Act, Visitor};
use crate::pages::patches::{VERDICT, WHO, WHY, request_for};
use crate::refusal::Refusal;
use axum::extract::{Extension, Form, Path, State};
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::{IntoResponse, Response};
use karat::gold::{GoldReviewRequest, PatchFile, ReviewDecision, ReviewVerdict};
use karat::request::Request;
use karat::work::Work;
use karat_store::EVERYTHING;
use std::sync::{Arc, Mutex, PoisonError};

/// One form is saved at a time: each reads the patch as it is and writes it with its own decisions.
static SAVING: Mutex<()> = Mutex::new(());

/// Takes decisions: saves them into the patch, or gives a patch with them.
pub(super) async fn decide(
    State(shared): State<Arc<Shared>>,
    Extension(visitor): Extension<Visitor>,
    Path((slug, number)): Path<(String, String)>,
    headers: HeaderMap,
    Form(fields): Form<Vec<(String, String)>>,
) -> Response {
    let around = surroundings(&headers, &shared);
    let decided = tokio::task::spawn_blocking(move || {
        may_decide(&visitor)?;
        decided(&shared, &slug, &number, &fields)
    });
    answered(decided.await).unwrap_or_else(|refusal| refused(&refusal, &around))
}

/// Gives the patch as it is.
pub(super) async fn download(
    State(shared): State<Arc<Shared>>,
    Extension(visitor): Extension<Visitor>,
    Path((slug, number)): Path<(String, String)>,
    headers: HeaderMap,
) -> Response {
    let around = surroundings(&headers, &shared);
    let given = tokio::task::spawn_blocking(move || {
        may_decide(&visitor)?;
        given(&request_for(&shared.workbench.catalogue(), &slug, &number)?)
    });
    answered(given.await).unwrap_or_else(|refusal| refused(&refusal, &around))
}

pub(super) fn answered(
    made: Result<Result<Response, Refusal>, tokio::task::JoinError>,
) -> Result<Response, Refusal> {
    made.unwrap_or_else(|_| {
        Err(Refusal::Failed("this could not be done; the log of the server says why".to_owned()))
    })
}

fn may_decide(visitor: &Visitor) -> Result<(), Refusal> {
    match visitor.may(Act::Organise, EVERYTHING) {
        true => Ok(()),
        false => Err(Refusal::Missing { what: "There is no such patch.".to_owned(), hint: None }),
    }
}

fn decided(
    shared: &Shared,
    slug: &str,
    number: &str,
    fields: &[(String, String)],
) -> Result<Response, Refusal> {
    let value =
        |name: &str| fields.iter().find(|(known, _)| known == name).map(|(_, it)| it.trim());
    let request = request_for(&shared.workbench.catalogue(), slug, number)?;
    let request = GoldReviewRequest {
        who: value(WHO).unwrap_or_default().to_owned(),
        decisions: decisions(fields)?,
        ..request
    };
    if value("do") == Some("download") {
        return given(&request);
    }
    let _one = SAVING.lock().unwrap_or_else(PoisonError::into_inner);
    // Where it is is known; gold is not needed to write a patch.
    let output = request.patch.clone();
    GoldReviewRequest { output, gold: None, ..request }.answer(&Work::default())?;
    let view = ["show", "after"].map(|key| value(key).filter(|it| !["", "all", "0"].contains(it)));
    let mut there = crate::pages::patches::address(slug, number.parse().unwrap_or(1));
    for (key, value) in ["show", "after"].into_iter().zip(view) {
        there = there.with(key, value.unwrap_or_default());
    }
    Ok((StatusCode::SEE_OTHER, [(header::LOCATION, there.to_path())]).into_response())
}

/// The decisions of a form: what was accepted, and what was refused and why.
pub(super) fn decisions(fields: &[(String, String)]) -> Result<Vec<ReviewDecision>, Refusal> {
    let why = |id: &str| {
        let found = fields.iter().find(|(name, _)| name.strip_prefix(WHY) == Some(id));
        found.map(|(_, why)| why.trim().to_owned()).unwrap_or_default()
    };
    let mut decisions = Vec::new();
    for (name, value) in fields {
        let Some(id) = name.strip_prefix(VERDICT) else { continue };
        let verdict = match value.as_str() {
            "accept" => ReviewVerdict::Accept,
            "refuse" => ReviewVerdict::Refuse,
            other => {
                let words = ["accept", "refuse"];
                return Err(Refusal::missing("verdict", other, words));
            }
        };
        let why = if verdict == ReviewVerdict::Refuse { why(id) } else { String::new() };
        decisions.push(ReviewDecision { change: id.to_owned(), verdict, why });
    }
    Ok(decisions)
}

/// A patch as a file to keep.
fn given(request: &GoldReviewRequest) -> Result<Response, Refusal> {
    Ok(attachment(&request.reviewed()?))
}

/// A patch as the file that it is given out as.
pub(super) fn attachment(file: &PatchFile) -> Response {
    let plain = |c: char| if c.is_ascii_alphanumeric() || "-_.".contains(c) { c } else { '-' };
    let name: String = file.name.chars().take(100).map(plain).collect();
    let headers = [
        (header::CONTENT_TYPE, "application/x-ndjson; charset=utf-8".to_owned()),
        (header::CONTENT_DISPOSITION, format!("attachment; filename=\"{name}.goldpatch.jsonl\"")),
        (header::CACHE_CONTROL, "private, no-cache".to_owned()),
    ];
    (headers, file.patch.to_string()).into_response()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pair(name: &str, value: &str) -> (String, String) {
        (name.to_owned(), value.to_owned())
    }

    #[test]
    fn forms_say_what_was_decided() -> Result<(), Refusal> {
        let fields = [
            pair("who", "ann"),
            pair("verdict.a1", "accept"),
            pair("why.a1", "left over"),
            pair("why.b2", " the state "),
            pair("verdict.b2", "refuse"),
        ];
        let found = decisions(&fields)?;
        let said: Vec<(&str, ReviewVerdict, &str)> =
            found.iter().map(|it| (&*it.change, it.verdict, &*it.why)).collect();
        let expected =
            [("a1", ReviewVerdict::Accept, ""), ("b2", ReviewVerdict::Refuse, "the state")];
        assert_eq!(said, expected);
        assert!(decisions(&[pair("verdict.a1", "maybe")]).is_err());
        Ok(())
    }
}
