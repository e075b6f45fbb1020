//! The line that begins an article.

use karat_model::{Document, attribute};
use percent_encoding::{AsciiSet, CONTROLS, percent_decode_str, utf8_percent_encode};

/// How such a line begins.
pub(super) const ARTICLE: &str = "**** ARTICLE";

const IN_NAME: &AsciiSet = &CONTROLS.add(b'%').add(b':').add(b'#');

/// `**** ARTICLE #1: Title (https://...) *****`. Instead of the number karat
/// writes the name of a document, unless that is what ELEVANT would call it.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Header {
    pub(super) name: String,
    pub(super) title: String,
    pub(super) url: String,
}

impl Header {
    /// What a line says.
    pub(super) fn parse(line: &str) -> Header {
        let line = line.strip_prefix(ARTICLE).unwrap_or(line).trim_end_matches('\r');
        let line = line.strip_prefix(' ').unwrap_or(line);
        let (called, rest) = line.split_once(": ").unwrap_or((line, ""));
        let rest = rest.strip_suffix("*****").unwrap_or(rest);
        let rest = rest.strip_suffix(' ').unwrap_or(rest);
        let (title, url) = match rest.strip_suffix(')').and_then(|rest| rest.rsplit_once(" (")) {
            Some((title, "None")) => (title, ""),
            Some((title, url)) if url.contains("://") => (title, url),
            _ => (rest, ""),
        };
        let name = match called.strip_prefix('#') {
            // Wikipedia's own number is what ELEVANT calls the article elsewhere.
            Some(_) if page_number(url).is_some() => {
                page_number(url).unwrap_or_default().to_owned()
            }
            Some(_) if !title.is_empty() => title.to_owned(),
            Some(number) => number.to_owned(),
            None => percent_decode_str(called).decode_utf8_lossy().into_owned(),
        };
        Header { name, title: title.to_owned(), url: url.to_owned() }
    }

    /// The line for a document; `None` where no line would be read as this.
    pub(super) fn line(document: &Document<'_>) -> Option<String> {
        let fact = |key| document.attribute(key).unwrap_or_default().to_owned();
        let header = Header {
            name: document.name().to_owned(),
            title: fact(attribute::TITLE),
            url: fact(attribute::URL),
        };
        let url = if header.url.is_empty() { "None" } else { &header.url };
        let number = format!("#{}", document.index() + 1);
        let name = utf8_percent_encode(&header.name, IN_NAME).to_string();
        [number, name]
            .into_iter()
            .map(|called| format!("{ARTICLE} {called}: {} ({url}) *****", header.title))
            .find(|line| !line.contains('\n') && Header::parse(line) == header)
    }
}

fn page_number(url: &str) -> Option<&str> {
    let (_, number) = url.rsplit_once("curid=")?;
    (!number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit())).then_some(number)
}
