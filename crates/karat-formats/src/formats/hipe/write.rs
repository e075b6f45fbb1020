//! Writing HIPE files.

use super::cells::{
    END_OF_LINE, END_OF_SENTENCE, Misc, NO_SPACE_AFTER, Tag, fold_links, fold_tags, unfold_links,
    unfold_tags,
};
use super::{
    ATTRIBUTES, COARSE, COLUMNS, DOCUMENT_ID, LANGUAGE, LINK, METONYMIC_LINK, MISC, NIL, NOTHING,
    TOKEN,
};
use crate::format::WriteError;
use crate::syntax::columns::{BREAKS, check_column, is_plain};
use crate::syntax::token_rows::{self, Row};
use karat_model::{Document, Link, Mention, Span, attribute};
use std::io::Write;
use std::ops::Range;

/// The cells of a row in the order of [`COLUMNS`].
type Cells = [String; COLUMNS.len()];

/// What stands between tokens.
pub(super) const GAPS: [&str; 3] = ["", " ", "\n"];

/// Whether the text of a document is made of tokens and its mentions are in them.
pub(super) fn fits(document: &Document<'_>) -> bool {
    token_rows::rows(document, &GAPS).is_ok_and(|rows| {
        document.mentions().all(|mention| touched(&rows, mention.span()).is_some())
    })
}

/// The rows that a mention is in, if it begins and ends in tokens.
fn touched(rows: &[Row<'_>], span: Span) -> Option<Range<usize>> {
    let first = rows.partition_point(|row| row.span.end <= span.start);
    let end = rows.partition_point(|row| row.span.start < span.end);
    let touched = rows.get(first..end)?;
    let (a, b) = (touched.first()?, touched.last()?);
    (a.span.start <= span.start && span.end <= b.span.end).then_some(first..end)
}

/// Writes one document.
pub(super) fn document(out: &mut dyn Write, document: &Document<'_>) -> Result<(), WriteError> {
    write_facts(out, document)?;
    let rows = token_rows::rows(document, &GAPS)?;
    let mut cells: Vec<Cells> = Vec::with_capacity(rows.len());
    cells.extend(rows.iter().map(|row| outside(row.token)));
    let mut parts: Vec<Option<Span>> = vec![None; rows.len()];
    for mention in document.mentions() {
        write_mention(&mention, &rows, &mut cells, &mut parts)?;
    }
    for (position, (row, mut cells)) in rows.iter().zip(cells).enumerate() {
        cells[MISC] = misc(document.name(), row, parts[position], position + 1 == rows.len())?;
        let line = cells.join("\t");
        if line.starts_with("# ") || (line.starts_with('#') && line.contains("\t=\t")) {
            let message = format!("the token `{}` would be read as a comment", row.token);
            return Err(WriteError::unrepresentable(document.name(), message));
        }
        writeln!(out, "{line}")?;
    }
    Ok(writeln!(out)?)
}

fn write_facts(out: &mut dyn Write, document: &Document<'_>) -> Result<(), WriteError> {
    let name = document.name();
    let refuse = |what: &str| {
        let message = format!("`{}` cannot be written as a comment", what.escape_debug());
        Err(WriteError::unrepresentable(name, message))
    };
    if !is_plain(name) {
        return refuse(name);
    }
    writeln!(out, "# hipe2022:{DOCUMENT_ID} = {name}")?;
    for (key, value) in document.attributes() {
        let reserved = LANGUAGE[0] == key || key.ends_with(DOCUMENT_ID) || key.contains('=');
        if reserved || key.starts_with('#') || !is_plain(key) {
            return refuse(key);
        }
        if !is_plain(value) {
            return refuse(value);
        }
        let key = if key == attribute::LANGUAGE { LANGUAGE[0] } else { key };
        writeln!(out, "# {key} = {value}")?;
    }
    Ok(())
}

fn outside(token: &str) -> Cells {
    let mut cells: Cells = std::array::from_fn(|column| match column {
        LINK..=MISC => NOTHING.to_owned(),
        _ => "O".to_owned(),
    });
    cells[TOKEN] = token.to_owned();
    cells
}

fn write_mention(
    mention: &Mention<'_>,
    rows: &[Row<'_>],
    cells: &mut [Cells],
    parts: &mut [Option<Span>],
) -> Result<(), WriteError> {
    let document = mention.document().name();
    let span = mention.span();
    let refuse = |why: &str| {
        let message = format!("the mention at {span} {why}");
        Err(WriteError::unrepresentable(document, message))
    };
    let Some(Range { start: first, end }) = touched(rows, span) else {
        return refuse("does not begin and end in tokens");
    };
    let touched = &rows[first..end];
    let kind = mention.types().next().unwrap_or_default();
    check_column(document, kind, "type")?;
    let link = links(mention)?;
    for (position, row) in touched.iter().enumerate() {
        let part = Span::new(span.start.max(row.span.start), span.end.min(row.span.end));
        if parts[first + position].replace(part).is_some() {
            return refuse("shares a token with another");
        }
        let cells = &mut cells[first + position];
        cells[COARSE] = Tag::cell(kind, position == 0);
        cells[LINK].clone_from(&link);
    }
    for (column, key) in ATTRIBUTES {
        let Some(value) = mention.attribute(key) else { continue };
        check_column(document, value, key)?;
        let is_link = column == METONYMIC_LINK;
        let unfold = if is_link { unfold_links } else { unfold_tags };
        let fold = if is_link { fold_links } else { fold_tags };
        let values = unfold(value, touched.len());
        let plain: Vec<&str> = values.iter().map(String::as_str).collect();
        if fold(&plain).as_deref() != Some(value) {
            return refuse(&format!("has the {key} `{value}`, which would be read differently"));
        }
        for (cells, value) in cells[first..end].iter_mut().zip(values) {
            cells[column] = value;
        }
    }
    Ok(())
}

/// The answer and the other candidates, joined as in the rankings of systems.
fn links(mention: &Mention<'_>) -> Result<String, WriteError> {
    let document = mention.document().name();
    let own = (mention.link(), mention.entity());
    let others = mention.candidates().skip(1).map(|candidate| (candidate.link, candidate.entity));
    let ids: Vec<&str> = std::iter::once(own)
        .chain(others)
        .map(|(link, entity)| id(document, link, entity))
        .collect::<Result<_, _>>()?;
    Ok(ids.join("|"))
}

fn id<'c>(document: &str, link: Link, entity: Option<&'c str>) -> Result<&'c str, WriteError> {
    match entity {
        None if link.is_nil() => Ok(NIL),
        None => Ok(NOTHING),
        Some(entity)
            if is_plain(entity) && !entity.contains('|') && ![NIL, NOTHING].contains(&entity) =>
        {
            Ok(entity)
        }
        Some(entity) => {
            let message =
                format!("the entity `{}` would be read differently", entity.escape_debug());
            Err(WriteError::unrepresentable(document, message))
        }
    }
}

fn misc(
    document: &str,
    row: &Row<'_>,
    part: Option<Span>,
    last: bool,
) -> Result<String, WriteError> {
    let mut flags: Vec<String> = Vec::new();
    match row.after {
        _ if last => {}
        "" => flags.push(NO_SPACE_AFTER.to_owned()),
        "\n" => flags.push(END_OF_LINE.to_owned()),
        _ => {}
    }
    if row.ends_sentence {
        flags.push(END_OF_SENTENCE.to_owned());
    }
    let partial = part.filter(|&part| part != row.span).map(|part| {
        format!("Partial-{}:{}", part.start - row.span.start, part.end - row.span.start)
    });
    flags.extend(partial.clone());
    if !row.remark.is_empty() {
        flags.push(row.remark.to_owned());
    }
    let cell = if flags.is_empty() { NOTHING.to_owned() } else { flags.join("|") };
    let again = Misc::parse(&cell);
    let same = (last || again.separator() == row.after)
        && again.ends_sentence() == row.ends_sentence
        && again.rest(partial.as_deref(), last) == row.remark
        && (part.is_none() || again.partial().map(|(flag, ..)| flag) == partial.as_deref());
    if !same || cell.contains(BREAKS) {
        let message = format!(
            "the remark `{}` on a token would be read differently",
            row.remark.escape_debug()
        );
        return Err(WriteError::unrepresentable(document, message));
    }
    Ok(cell)
}
