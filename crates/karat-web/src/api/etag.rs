//! What an answer is known by, so that nobody is sent what they have.

use super::problem::{CHANGED, Problem, UNMET};
use axum::body::Body;
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use sha2::{Digest as _, Sha256};

/// An answer with its tag, or only that it is the one that the caller has.
///
/// The tag is a digest of the bytes. Answers are kept by the workbench, so that making the bytes again is cheap, and
/// a tag of the bytes can never be wrong.
pub(crate) fn tagged(headers: &HeaderMap, media: &str, text: String) -> Response {
    let digest = Sha256::digest(text.as_bytes());
    let digits: String = digest[..16].iter().map(|byte| format!("{byte:02x}")).collect();
    with_tag(headers, &digits, media, text)
}

/// The same for something with a version of its own.
pub(crate) fn with_tag(headers: &HeaderMap, tag: &str, media: &str, text: String) -> Response {
    let tag = format!("\"{tag}\"");
    let known = headers.get_all(header::IF_NONE_MATCH).into_iter();
    let known = known.filter_map(|value| value.to_str().ok()).flat_map(|value| value.split(','));
    // Weak tags compare equal here: only the body may be left out, nothing is put together of parts.
    let mut known = known.map(|value| value.trim().trim_start_matches("W/"));
    let is_known = known.any(|value| value == tag || value == "*");
    let headers = [
        (header::ETAG, tag),
        (header::CONTENT_TYPE, media.to_owned()),
        (header::CACHE_CONTROL, "private, no-cache".to_owned()),
        (header::VARY, "Accept, Authorization, Cookie".to_owned()),
    ];
    match is_known {
        true => (StatusCode::NOT_MODIFIED, headers).into_response(),
        false => (headers, Body::from(text)).into_response(),
    }
}

/// The version that a change is about: `If-Match: "3"`.
pub(crate) fn expected_version(headers: &HeaderMap) -> Result<i64, Problem> {
    let given = headers.get(header::IF_MATCH).and_then(|value: &HeaderValue| value.to_str().ok());
    let given = given.ok_or_else(|| Problem::new(&UNMET, "say which version is meant"))?;
    let digits = given.trim().trim_start_matches("W/").trim_matches('"');
    digits.parse().map_err(|_| Problem::new(&CHANGED, format!("there is no version {given} of it")))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn asked(name: header::HeaderName, value: &str) -> HeaderMap {
        let value = HeaderValue::from_str(value).unwrap_or_else(|error| panic!("{error}"));
        HeaderMap::from_iter([(name, value)])
    }

    #[test]
    fn what_is_known_is_not_sent_again() {
        let first = tagged(&HeaderMap::new(), "text/plain", "a".to_owned());
        let tag = first.headers()[header::ETAG].to_str().unwrap_or_default().to_owned();
        for known in [tag.clone(), format!("W/{tag}"), format!("\"x\", {tag}"), "*".to_owned()] {
            let again = asked(header::IF_NONE_MATCH, &known);
            let status = tagged(&again, "text/plain", "a".to_owned()).status();
            assert_eq!(status, StatusCode::NOT_MODIFIED, "{known}");
            let other = tagged(&asked(header::IF_NONE_MATCH, &tag), "text/plain", "b".to_owned());
            assert_eq!(other.status(), StatusCode::OK);
        }
    }

    #[test]
    fn a_change_says_which_version_it_is_about() {
        assert!(expected_version(&HeaderMap::new()).is_err());
        for (given, version) in
            [("\"3\"", Some(3)), ("W/\"3\"", Some(3)), ("3", Some(3)), ("\"x\"", None)]
        {
            let found = expected_version(&asked(header::IF_MATCH, given)).ok();
            assert_eq!(found, version, "{given}");
        }
    }
}
