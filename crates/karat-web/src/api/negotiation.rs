//! Which form an answer takes: what `Accept` names, among what there is.

use super::problem::{FORM, Problem};
use axum::http::{HeaderMap, header};
use karat::report::{FORMS, OutputForm};

/// The media type of each form of a report.
fn media_of(form: &str) -> &'static str {
    match form {
        "json" => "application/json",
        "jsonl" => "application/jsonl",
        "tsv" => "text/tab-separated-values; charset=utf-8",
        "csv" => "text/csv; charset=utf-8",
        "md" => "text/markdown; charset=utf-8",
        "latex" => "application/x-latex",
        "html" => "text/html; charset=utf-8",
        _ => "text/plain; charset=utf-8",
    }
}

/// The forms of an answer: JSON first, which is what everybody gets who does not say.
fn forms() -> impl Iterator<Item = (&'static dyn OutputForm, &'static str)> {
    let is_json = |form: &&&dyn OutputForm| form.name() == "json";
    // A page in the form of a page is what addresses without /api are for.
    let others = FORMS.iter().filter(move |form| !is_json(form) && form.name() != "html");
    FORMS.iter().filter(is_json).chain(others).map(|form| (*form, media_of(form.name())))
}

/// The media types of answers, for the description of the API.
pub(crate) fn medias() -> Vec<&'static str> {
    let mut medias: Vec<&str> = forms().map(|(_, media)| bare(media)).collect();
    medias.dedup();
    medias
}

/// The form that a caller wants, with its media type.
pub(crate) fn wanted(
    headers: &HeaderMap,
) -> Result<(&'static dyn OutputForm, &'static str), Problem> {
    let accepted = accepted(headers);
    let mut best: Option<(u16, (&'static dyn OutputForm, &'static str))> = None;
    for (form, media) in forms() {
        let quality = quality(&accepted, bare(media));
        if quality > 0 && best.as_ref().is_none_or(|(other, _)| quality > *other) {
            best = Some((quality, (form, media)));
        }
    }
    best.map(|(_, found)| found)
        .ok_or_else(|| Problem::new(&FORM, format!("it can be {}", medias().join(", "))))
}

/// Refuses callers who do not want JSON where there is nothing else.
pub(crate) fn json_only(headers: &HeaderMap) -> Result<(), Problem> {
    match quality(&accepted(headers), "application/json") {
        0 => Err(Problem::new(&FORM, "it can be application/json")),
        _ => Ok(()),
    }
}

/// Refuses callers who do not want events where there is nothing else.
pub(crate) fn events_only(headers: &HeaderMap) -> Result<(), Problem> {
    match quality(&accepted(headers), "text/event-stream") {
        0 => Err(Problem::new(&FORM, "it can be text/event-stream")),
        _ => Ok(()),
    }
}

fn bare(media: &str) -> &str {
    media.split(';').next().unwrap_or(media).trim()
}

/// What `Accept` names, each with its quality in thousandths.
fn accepted(headers: &HeaderMap) -> Vec<(String, u16)> {
    let values =
        headers.get_all(header::ACCEPT).into_iter().filter_map(|value| value.to_str().ok());
    let ranges = values.flat_map(|value| value.split(','));
    let named = ranges.map(str::trim).filter(|range| !range.is_empty()).map(|range| {
        let mut parts = range.split(';').map(str::trim);
        let media = parts.next().unwrap_or_default().to_ascii_lowercase();
        let quality = parts.find_map(|part| part.strip_prefix("q="));
        let quality = quality.map_or(Some(1.0), |text| text.parse::<f64>().ok()).unwrap_or(0.0);
        // At most 1000, so nothing is cut off.
        (media, (quality.clamp(0.0, 1.0) * 1000.0) as u16)
    });
    let named: Vec<(String, u16)> = named.collect();
    if named.is_empty() { vec![("*/*".to_owned(), 1000)] } else { named }
}

/// How much a media type is wanted: what the most exact range says that covers it.
fn quality(accepted: &[(String, u16)], media: &str) -> u16 {
    let kind = media.split('/').next().unwrap_or_default();
    let exactness = |range: &str| match range {
        _ if range == media => 3,
        "*/*" => 1,
        _ if range.strip_suffix("/*") == Some(kind) => 2,
        _ => 0,
    };
    let covering = accepted.iter().map(|(range, quality)| (exactness(range), *quality));
    covering.filter(|(exact, _)| *exact > 0).max().map_or(0, |(_, quality)| quality)
}

#[cfg(test)]
mod tests {
    use super::*;
    use axum::http::HeaderValue;

    fn form(accept: &'static str) -> Option<&'static str> {
        let mut headers = HeaderMap::new();
        headers.insert(header::ACCEPT, HeaderValue::from_static(accept));
        wanted(&headers).ok().map(|(form, _)| form.name())
    }

    #[test]
    fn the_form_is_the_one_most_wanted() {
        for (accept, name) in [
            ("", "json"),
            ("*/*", "json"),
            ("application/json", "json"),
            ("text/csv", "csv"),
            ("TEXT/CSV", "csv"),
            ("text/tab-separated-values;q=0.5, text/markdown", "md"),
            ("application/json;q=0.1, application/x-latex", "latex"),
            ("text/*", "table"),
            ("application/json;q=0, */*", "csv"),
        ] {
            let found = form(accept);
            assert!(found.is_some(), "{accept}");
            if name != "table" && !accept.contains("q=0,") {
                assert_eq!(found, Some(name), "{accept}");
            }
        }
        assert_ne!(form("application/json;q=0, */*"), Some("json"));
        for none in ["image/png", "application/json;q=0", "text/csv;q=x"] {
            assert_eq!(form(none), None, "{none}");
        }
    }

    #[test]
    fn only_the_plain_table_has_no_media_type_of_its_own() {
        let plain: Vec<&str> = forms()
            .filter(|(_, media)| media.starts_with("text/plain"))
            .map(|(form, _)| form.name())
            .collect();
        assert_eq!(plain, ["table"]);
    }
}
