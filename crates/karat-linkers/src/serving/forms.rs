//! Forms, queries, and forms in parts.

use super::ServedRequest;
use percent_encoding::percent_decode_str;

/// The value of a field: of the body if it is a form, else of the address.
pub(super) fn field(request: &ServedRequest, name: &str) -> Option<String> {
    of_pairs(&request.body, name).or_else(|| of_pairs(&request.query, name))
}

fn of_pairs(pairs: &str, name: &str) -> Option<String> {
    pairs.split('&').find_map(|pair| {
        let (key, value) = pair.split_once('=')?;
        (decoded(key) == name).then(|| decoded(value))
    })
}

fn decoded(text: &str) -> String {
    // In forms a plus is a blank.
    let spaced = text.replace('+', " ");
    percent_decode_str(&spaced).decode_utf8_lossy().into_owned()
}

/// The value of a part of a form in parts.
pub(super) fn part(request: &ServedRequest, name: &str) -> Option<String> {
    let (_, boundary) = request.content_type.split_once("boundary=")?;
    let boundary = format!("--{}", boundary.split(';').next()?.trim().trim_matches('"'));
    let named = format!("name=\"{name}\"");
    request.body.split(boundary.as_str()).find_map(|part| {
        let (head, body) = part.split_once("\r\n\r\n")?;
        let is_it = head.lines().any(|line| line.split(';').any(|word| word.trim() == named));
        is_it.then(|| body.strip_suffix("\r\n").unwrap_or(body).to_owned())
    })
}
