//! Writing AIDA-CoNLL files.

use super::{FREEBASE_MID, NO_ENTITY, START, WIKIPEDIA_ID, YAGO, is_mid, is_obscured, topic_of};
use crate::format::WriteError;
use crate::syntax::columns::check_column;
use crate::syntax::token_rows::{self, Row};
use karat_model::{Document, Mention, attribute};
use std::io::Write;

/// Writes one document.
pub(super) fn document(out: &mut dyn Write, document: &Document<'_>) -> Result<(), WriteError> {
    let name = document.name();
    check_column(name, name, "document id")?;
    if name.is_empty() || name != name.trim() {
        return Err(WriteError::unrepresentable(
            name,
            "its id is empty or begins or ends with white space",
        ));
    }
    write!(out, "{START} ({name})")?;
    if let Some(topic) = document.topic().filter(|&topic| topic_of(name) != Some(topic)) {
        check_column(name, topic, "topic")?;
        write!(out, "\t{topic}")?;
    }
    writeln!(out)?;
    let rows = token_rows::rows(document, &[" "])?;
    let columns = mention_columns(document, &rows)?;
    for (row, columns) in rows.iter().zip(columns) {
        let blank = row.token.trim_matches(' ').is_empty();
        if blank || row.token.starts_with(START) {
            let message = format!("the token `{}` would be read as something else", row.token);
            return Err(WriteError::unrepresentable(name, message));
        }
        writeln!(out, "{}{columns}", row.token)?;
        if row.ends_sentence {
            writeln!(out)?;
        }
    }
    Ok(())
}

/// What follows each token in its row.
fn mention_columns(document: &Document<'_>, rows: &[Row<'_>]) -> Result<Vec<String>, WriteError> {
    let mut columns = vec![String::new(); rows.len()];
    let index = document.text_index();
    for mention in document.mentions() {
        let surface = index.as_ref().and_then(|index| index.slice(mention.span()));
        let covered = token_rows::covered(rows, mention.span());
        let (Some(surface), Some(covered)) = (surface, covered) else {
            let message =
                format!("the mention at {} does not begin and end with tokens", mention.span());
            return Err(WriteError::unrepresentable(document.name(), message));
        };
        // The reader ends a mention at a blank line.
        if rows[covered.start..covered.end - 1].iter().any(|row| row.ends_sentence) {
            let message =
                format!("the mention at {} goes over the end of a sentence", mention.span());
            return Err(WriteError::unrepresentable(document.name(), message));
        }
        let rest = columns_of(&mention, surface)?;
        for (position, column) in columns[covered].iter_mut().enumerate() {
            *column = format!("\t{}\t{rest}", if position == 0 { "B" } else { "I" });
        }
    }
    Ok(columns)
}

fn columns_of(mention: &Mention<'_>, text: &str) -> Result<String, WriteError> {
    let document = mention.document().name();
    let refuse = |message: String| Err(WriteError::unrepresentable(document, message));
    let surface = mention.attribute(attribute::SURFACE).unwrap_or(text);
    if surface != text && !is_obscured(text) {
        return refuse(format!("the mention `{surface}` is not the text at {}", mention.span()));
    }
    let gold = [YAGO, WIKIPEDIA_ID, FREEBASE_MID].map(|key| mention.attribute(key));
    for value in gold.into_iter().flatten().chain([surface]).chain(mention.entity()) {
        check_column(document, value, "value")?;
    }
    let score = mention.confidence();
    if gold == [None; 3] {
        let entity = match mention.entity() {
            Some(NO_ENTITY) => {
                return refuse(format!("the entity `{NO_ENTITY}` would be read as NIL"));
            }
            Some(entity) => escaped(entity),
            None if mention.link().is_nil() => NO_ENTITY.to_owned(),
            None => String::new(),
        };
        return Ok(match score {
            Some(score) => format!("{surface}\t{entity}\t{score:?}"),
            None if entity.is_empty() => surface.to_owned(),
            None => format!("{surface}\t{entity}"),
        });
    }
    let (Some(entity), None) = (mention.entity(), score) else {
        return refuse(format!(
            "the mention at {} has the gold columns and no link, or a confidence for which there is no column left",
            mention.span()
        ));
    };
    let [yago, page, mid] = gold.map(Option::unwrap_or_default);
    if yago == NO_ENTITY {
        return refuse(format!("the title `{NO_ENTITY}` would be read as NIL"));
    }
    let mut columns = format!("{surface}\t{}\t{entity}\t{page}", escaped(yago));
    if !mid.is_empty() || is_mid(page) {
        columns.push('\t');
        columns.push_str(mid);
    }
    Ok(columns)
}

/// A title whose backslashes begin no escape.
fn escaped(title: &str) -> String {
    title.replace('\\', "\\u005c")
}
