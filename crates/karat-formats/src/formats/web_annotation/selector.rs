//! Where in which document a target is.

use crate::anchor::Here;
use crate::format::Offsets;
use crate::problem::{Flaw, Kind, Problem};
use karat_model::{Hint, Span, TextIndex};
use serde_json::Value;

/// The document of an annotation and the place in it.
#[derive(Debug)]
pub(super) struct Target<'a> {
    pub(super) document: String,
    pub(super) source: Option<&'a Value>,
    position: Option<(u64, u64)>,
    pub(super) quote: Option<String>,
    prefix: &'a str,
    suffix: &'a str,
}

/// One item or a list of them.
pub(super) fn list(value: Option<&Value>) -> impl Iterator<Item = &Value> {
    match value {
        Some(Value::Array(items)) => items.iter(),
        Some(one) => std::slice::from_ref(one).iter(),
        None => [].iter(),
    }
}

/// A resource by its address: a string, or an object with an `id`.
pub(super) fn text_of(value: &Value) -> Option<&str> {
    let id = value.get("id").or_else(|| value.get("@id"));
    value.as_str().or_else(|| id?.as_str()).filter(|text| !text.is_empty())
}

impl<'a> Target<'a> {
    pub(super) fn parse(target: &'a Value) -> Result<Target<'a>, Flaw> {
        let source = target.get("source");
        let name = source.and_then(text_of).or_else(|| text_of(target));
        let name = name.ok_or("the target has no `source`")?;
        let mut parsed = Target {
            document: name.to_owned(),
            source,
            position: None,
            quote: None,
            prefix: "",
            suffix: "",
        };
        let selectors = target.get("selector");
        // A source that is described is the document, whatever its name.
        if selectors.is_none() && !source.is_some_and(Value::is_object) {
            parsed.split_fragment();
        }
        for selector in list(selectors) {
            parsed.select(selector)?;
        }
        if selectors.is_some() && parsed.position.is_none() && parsed.quote.is_none() {
            return Err("no selector of the target selects text by position or quote".into());
        }
        Ok(parsed)
    }

    /// `doc#char=0,6` is a place in `doc`, as in RFC 5147.
    fn split_fragment(&mut self) {
        if let Some((name, fragment)) = self.document.rsplit_once('#')
            && let Some(position) = fragment_position(fragment)
            && !name.is_empty()
        {
            self.position = Some(position);
            self.document = name.to_owned();
        }
    }

    /// Takes a selector and those that refine it.
    fn select(&mut self, selector: &'a Value) -> Result<(), Flaw> {
        let mut shift = 0u64;
        let mut next = Some(selector);
        while let Some(selector) = next {
            next = selector.get("refinedBy");
            let text = |key: &str| selector.get(key).and_then(Value::as_str);
            match text("type").unwrap_or_default() {
                "TextPositionSelector" => {
                    let (start, end) = (offset(selector, "start")?, offset(selector, "end")?);
                    let position = (shift.saturating_add(start), shift.saturating_add(end));
                    if next.is_some() {
                        shift = position.0;
                    } else {
                        self.position = Some(position);
                    }
                }
                "TextQuoteSelector" if next.is_none() => {
                    let exact = text("exact").ok_or("a TextQuoteSelector without `exact`")?;
                    self.quote = Some(exact.to_owned());
                    self.prefix = text("prefix").unwrap_or_default();
                    self.suffix = text("suffix").unwrap_or_default();
                }
                "FragmentSelector"
                    if let Some(position) = text("value").and_then(fragment_position) =>
                {
                    self.position = Some(position);
                }
                // Positions in an element count from its start: the element is the document.
                _ if next.is_some() => {
                    if let Some(value) = text("value") {
                        self.document = format!("{}#{value}", self.document);
                    }
                }
                _ => {}
            }
        }
        Ok(())
    }

    /// Whether it is the document as a whole.
    pub(super) fn is_whole(&self) -> bool {
        self.position.is_none() && self.quote.is_none()
    }

    pub(super) fn span(
        &self,
        here: Here<'_>,
        index: Option<&TextIndex<'_>>,
        offsets: Offsets,
    ) -> Result<Span, Problem> {
        match (self.position, index) {
            (Some((start, end)), Some(index)) => {
                here.anchor(index, offsets, start, end, self.quote.as_deref())
            }
            (Some((start, end)), None) => here.unchecked(offsets, start, end),
            (None, Some(index)) => self.find(index).ok_or_else(|| {
                here.problem(Kind::Alignment, "the quote does not occur in the text")
                    .hint("is it the right document, in the right version?")
            }),
            (None, None) => Err(here
                .problem(Kind::Alignment, "a quote without a position, and the text is not here")
                .hint(Hint::template("give the texts with {documents}"))),
        }
    }

    /// The place of the quote: the one with the right neighbours, else the first.
    fn find(&self, index: &TextIndex<'_>) -> Option<Span> {
        let (exact, text) = (self.quote.as_deref()?, index.text());
        if exact.is_empty() {
            return None;
        }
        let fits = |&at: &usize| {
            let end = at + exact.len();
            text[..at].ends_with(self.prefix) && text[end..].starts_with(self.suffix)
        };
        let places = || text.match_indices(exact).map(|(at, _)| at);
        let at = places().find(fits).or_else(|| places().next())?;
        Some(Span::new(index.position_of_byte(at)?, index.position_of_byte(at + exact.len())?))
    }
}

fn offset(selector: &Value, key: &str) -> Result<u64, Flaw> {
    let number = selector.get(key).and_then(Value::as_u64);
    number.ok_or_else(|| {
        format!("expected a whole number as `{key}` of a TextPositionSelector").into()
    })
}

fn fragment_position(fragment: &str) -> Option<(u64, u64)> {
    let range = fragment.strip_prefix("char=")?;
    let range = range.split(';').next().unwrap_or(range);
    let (start, end) = range.split_once(',')?;
    Some((start.parse().ok()?, end.parse().ok()?))
}
