//! The notation of brackets: which mentions open and close at a word.

use super::Found;
use crate::placing::fragments::{spelled, whole};
use crate::problem::{Kind, Problem};
use crate::source::Text;
use karat_model::Span;
use std::collections::HashMap;

const HINT: &str =
    "a mention opens with `(id-type-...` and closes with `id)`; `# global.Entity` names the parts";

/// Which part of an opening bracket is what.
#[derive(Debug, Clone, Copy)]
pub(super) struct Fields {
    count: usize,
    group: usize,
    kind: Option<usize>,
    identity: Option<usize>,
}

impl Default for Fields {
    /// Those of the first releases of GUM, which do not say.
    fn default() -> Self {
        Fields { count: 3, group: 1, kind: Some(0), identity: Some(2) }
    }
}

impl Fields {
    pub(super) fn parse(said: &str) -> Fields {
        let names: Vec<&str> = said.split('-').collect();
        let place = |wanted: &[&str]| names.iter().position(|name| wanted.contains(name));
        Fields {
            count: names.len(),
            group: place(&["GRP", "eid", "entityid", "id"]).unwrap_or(0),
            kind: place(&["etype", "entity", "type"]),
            identity: place(&["identity", "wiki", "wikidata", "link_identity"]),
        }
    }

    /// The parts of a bracket; the last one may have dashes of its own.
    fn parts(self, content: &str) -> Vec<&str> {
        content.splitn(self.count.max(1), '-').collect()
    }

    /// What tells a mention from others, and which of its parts this is.
    fn key(self, content: &str) -> (&str, Option<(u32, u32)>) {
        let group = self.parts(content).get(self.group).copied().unwrap_or(content);
        let Some((key, part)) = group.strip_suffix(']').and_then(|group| group.split_once('['))
        else {
            return (group, None);
        };
        let part =
            part.split_once('/').and_then(|(n, of)| Some((n.parse().ok()?, of.parse().ok()?)));
        (key, part)
    }
}

/// A mention that was opened.
struct Open<'t> {
    span: Span,
    content: &'t str,
    part: Option<(u32, u32)>,
}

/// The mentions of a document that are open.
#[derive(Default)]
pub(super) struct Brackets<'t> {
    open: HashMap<&'t str, Vec<Open<'t>>>,
    /// The finished parts of mentions of several.
    parts: HashMap<&'t str, Vec<Span>>,
}

impl<'t> Brackets<'t> {
    /// What a cell closes, and what is wrong with it.
    pub(super) fn cell(
        &mut self,
        text: &Text<'_>,
        word: Span,
        cell: &'t str,
        fields: &Fields,
    ) -> Vec<Result<Found<'t>, Problem>> {
        let mut found = Vec::new();
        let mut rest = cell;
        while !rest.is_empty() {
            let opens = rest.strip_prefix('(');
            let content = opens.unwrap_or(rest);
            let end = content.find(['(', ')']).unwrap_or(content.len());
            let closes = content[end..].starts_with(')');
            rest = &content[end + usize::from(closes)..];
            let content = &content[..end];
            let (key, part) = fields.key(content);
            if key.is_empty() || (opens.is_none() && !closes) {
                let message = format!("expected `(id-...`, `id)` or `(id-...)`, found `{cell}`");
                found.push(Err(text.problem_at(Kind::Malformed, cell, message).hint(HINT)));
                continue;
            }
            let opened = Open { span: word, content, part };
            match (opens.is_some(), closes) {
                (true, false) => self.open.entry(key).or_default().push(opened),
                (true, true) => found.extend(self.close(key, opened, word, *fields).map(Ok)),
                (false, _) => match self.opened(key, part) {
                    Some(opened) => found.extend(self.close(key, opened, word, *fields).map(Ok)),
                    None => {
                        let message = format!("no mention `{key}` is open here");
                        found.push(Err(text.problem_at(Kind::Malformed, cell, message).hint(HINT)));
                    }
                },
            }
        }
        found
    }

    /// The innermost open mention of this key.
    fn opened(&mut self, key: &str, part: Option<(u32, u32)>) -> Option<Open<'t>> {
        let open = self.open.get_mut(key)?;
        // Of nested mentions of one chain a part closes its own.
        let at = match part {
            Some(_) => open.iter().rposition(|open| open.part == part),
            None => open.len().checked_sub(1),
        };
        let found = at.map(|at| open.remove(at));
        if open.is_empty() {
            self.open.remove(key);
        }
        found
    }

    fn close(
        &mut self,
        key: &'t str,
        opened: Open<'t>,
        word: Span,
        fields: Fields,
    ) -> Option<Found<'t>> {
        let mut span = Span::new(opened.span.start, word.end);
        let mut fragments = String::new();
        if let Some((number, of)) = opened.part {
            let parts = self.parts.entry(key).or_default();
            parts.push(span);
            if number < of {
                return None;
            }
            let parts = self.parts.remove(key).unwrap_or_default();
            span = whole(&parts).unwrap_or(span);
            fragments = if parts.len() > 1 { spelled(&parts) } else { String::new() };
        }
        let all = fields.parts(opened.content);
        let part = |at: Option<usize>| {
            at.and_then(|at| all.get(at)).copied().filter(|part| *part != "_").unwrap_or_default()
        };
        let (link, kind) = (part(fields.identity), part(fields.kind));
        Some(Found { span, link, kind, group: key, fragments })
    }

    /// What is wrong with those that were never closed.
    pub(super) fn unclosed(self, text: &Text<'_>) -> Vec<Problem> {
        let mut open: Vec<&str> = self.open.values().flatten().map(|open| open.content).collect();
        open.sort_by_key(|content| text.offset_of(content));
        let problem = |content: &str| {
            let message = format!("the mention `{content}` is never closed");
            text.problem_at(Kind::Malformed, content, message).hint(HINT)
        };
        open.into_iter().map(problem).collect()
    }
}
