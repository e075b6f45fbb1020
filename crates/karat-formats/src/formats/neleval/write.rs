//! From annotations to lines.

use crate::format::WriteError;
use karat_model::Mention;
use std::io::Write;

pub(super) fn write_line(out: &mut dyn Write, mention: &Mention<'_>) -> Result<(), WriteError> {
    let document = mention.document().name();
    let span = mention.span();
    // Empty spans are left out by the restriction, so the end is at least 1.
    write!(out, "{document}\t{}\t{}", span.start, span.end.saturating_sub(1))?;
    // The restriction leaves only those without an answer that have nothing else either.
    if mention.link().is_none() {
        return Ok(writeln!(out)?);
    }
    let name = id(document, mention.entity(), mention.nil_cluster())?;
    let types = mention.types().next().unwrap_or_default();
    let attributes: Vec<(&str, &str)> = mention.attributes().collect();
    let kind = kind_column(document, types, &attributes)?;
    write!(out, "\t{name}")?;
    let mut others = mention.candidates().skip(1).peekable();
    if others.peek().is_some() || !kind.is_empty() || mention.confidence().is_some() {
        write!(out, "\t{}", score(mention.confidence()))?;
    }
    if others.peek().is_some() || !kind.is_empty() {
        write!(out, "\t{kind}")?;
    }
    for candidate in others {
        let name = id(document, candidate.entity, candidate.nil_cluster)?;
        let kind = kind_column(document, candidate.types().next().unwrap_or_default(), &[])?;
        write!(out, "\t{name}\t{}\t{kind}", score(candidate.score))?;
    }
    Ok(writeln!(out)?)
}

fn id(document: &str, entity: Option<&str>, cluster: Option<&str>) -> Result<String, WriteError> {
    match (entity, cluster) {
        (Some(entity), _) if entity.starts_with("NIL") => Err(WriteError::unrepresentable(
            document,
            format!("the entity `{entity}` would be read as NIL"),
        )),
        (Some(name), _) => check_name(document, name, "entity").map(|()| name.to_owned()),
        (None, Some(name)) => check_name(document, name, "cluster").map(|()| format!("NIL{name}")),
        (None, None) => Ok("NIL".to_owned()),
    }
}

fn kind_column(
    document: &str,
    kind: &str,
    attributes: &[(&str, &str)],
) -> Result<String, WriteError> {
    if attributes.is_empty() && !kind.starts_with('{') {
        check_name(document, kind, "type")?;
        return Ok(kind.to_owned());
    }
    let pairs = std::iter::once(("type", kind)).filter(|(_, kind)| !kind.is_empty());
    let pairs = pairs.chain(attributes.iter().copied());
    let object: serde_json::Map<String, serde_json::Value> =
        pairs.map(|(key, value)| (key.to_owned(), value.into())).collect();
    Ok(serde_json::Value::Object(object).to_string())
}

pub(super) fn check_name(document: &str, name: &str, what: &str) -> Result<(), WriteError> {
    if name.contains(['\t', '\n', '\r']) {
        let message = format!("the {what} `{}` has a tab or line break in it", name.escape_debug());
        return Err(WriteError::unrepresentable(document, message));
    }
    Ok(())
}

/// A score before a type must be a number: neleval cannot read the empty column that
/// its own writer leaves there.
fn score(score: Option<f64>) -> String {
    score.map_or("nan".to_owned(), |score| format!("{score:?}"))
}
