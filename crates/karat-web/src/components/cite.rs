//! A page as an entry of a bibliography.

use super::time::date;
use crate::page::PageContent;
use std::time::{SystemTime, UNIX_EPOCH};

/// The entry. It names the page, the version and the signature, from which the digits can be made again.
pub fn bibtex(content: &PageContent) -> String {
    let version = env!("CARGO_PKG_VERSION");
    let signature = content.signatures.first().map(String::as_str).unwrap_or_default();
    format!(
        "@misc{{karat-{},\n  title = {{{}}},\n  author = {{{{karat {version}}}}},\n  year = {{{}}},\n  note = {{{}}},\n}}",
        crate::address::slug(&content.title),
        escaped(&content.title),
        year(),
        escaped(signature),
    )
}

/// Text in which no character means anything to LaTeX.
fn escaped(text: &str) -> String {
    let mut safe = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '\\' => safe.push_str("\\textbackslash{}"),
            '~' => safe.push_str("\\textasciitilde{}"),
            '^' => safe.push_str("\\textasciicircum{}"),
            '{' | '}' | '$' | '&' | '#' | '%' | '_' => {
                safe.push('\\');
                safe.push(c);
            }
            c => safe.push(c),
        }
    }
    safe
}

/// The year of today.
fn year() -> String {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_millis());
    date(i64::try_from(since).unwrap_or_default()).chars().take(4).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn entries_hold_any_title() {
        let content = PageContent {
            title: "a_b & 50% {x}".to_owned(),
            signatures: vec!["karat:0.1.0|preset:karat".to_owned()],
            ..PageContent::default()
        };
        let entry = bibtex(&content);
        assert!(entry.starts_with("@misc{karat-a_b-50-x,"), "{entry}");
        assert!(entry.contains("title = {a\\_b \\& 50\\% \\{x\\}}"), "{entry}");
        assert!(entry.contains("note = {karat:0.1.0|preset:karat}"), "{entry}");
        assert!(*year() >= *"2025");
    }
}
