//! Documents as most scripts write them: one JSON object per line, with a list of mentions in it.

mod items;
mod keys;

use crate::anchor::Here;
use crate::block::{at_line_ends, in_blocks};
use crate::format::{Format, Info, Offsets, Sample};
use crate::input::Input;
use crate::placing::given_documents::Given;
use crate::problem::{Flaw, Kind, Problem};
use crate::reading::Reading;
use crate::source::{Source, Text};
use crate::syntax::json::{JsonRecords, Object, Outline};
use crate::syntax::numbered::RecordNumbers;
use crate::syntax::table::{self, Field, Rows};
use items::{InItem, cells};
use karat_model::{Repeated, Restriction, attribute};
use keys::{Keys, are_mentions, mention_list};
use serde_json::Value;
use std::collections::BTreeMap;

/// The format.
#[derive(Debug)]
pub(crate) struct NestedJsonl;

static INFO: Info = Info {
    name: "nested-jsonl",
    title: "JSONL with a list of mentions per document",
    about: "One JSON object per document and line, with its mentions in a list: `{\"id\": \"d1\", \"text\": \"Berlin ...\", \"entities\": \
            [{\"start\": 0, \"end\": 6, \"link\": \"Q64\", \"type\": \"LOC\"}]}`. The list may have any name: it is the one whose objects have \
            a start and an end (or a length, or both as `\"span\": [0, 6]`). Keys of mentions are named as columns of the CSV table, `text` \
            being the words of the mention; others can be named in `columns`. Documents are named by `doc_id`, `id`, `name` or `title`, \
            else by the given documents in their order, else by position. A file may also be an array of such objects.",
    reference: "docs/formats/tables.md",
    extensions: &["jsonl", "json"],
    offsets: Offsets::CODE_POINTS,
    writes: None,
    needs_text: false,
    keeps: Restriction {
        document_attributes: &[
            attribute::LANGUAGE,
            attribute::TOPIC,
            attribute::TITLE,
            attribute::URL,
        ],
        ..table::KEEPS
    },
};

const HINT: &str = "each line is an object with a list of mentions, as {\"id\": \"d1\", \"text\": \"...\", \"entities\": [{\"start\": 0, \
                    \"end\": 6, \"link\": \"Q64\"}]}";

/// How sure one may be of a list whose objects have a start and an end: every format with a fixed schema is surer.
const MENTIONS: u8 = 55;
/// A list of mentions without the keys that the user named.
const UNNAMED: u8 = 40;
/// A list without objects says little.
const EMPTY: u8 = 30;

/// So many lines are looked at to recognise the format: the first documents may have no mentions.
const LINES: usize = 50;

impl Format for NestedJsonl {
    fn info(&self) -> &'static Info {
        &INFO
    }

    fn detect(&self, sample: &Sample<'_>) -> u8 {
        score(sample, &BTreeMap::new())
    }

    fn detect_mapped(&self, sample: &Sample<'_>, columns: &BTreeMap<String, String>) -> Option<u8> {
        Some(score(sample, columns))
    }

    fn lines_are_records(&self) -> bool {
        true
    }

    fn read(
        &self,
        files: &[Source],
        _input: &Input,
        reading: &mut Reading<'_>,
    ) -> Result<(), Problem> {
        let offsets = reading.offsets(INFO.offsets);
        let given = Given::new(reading.options);
        // Several files are counted through.
        let mut numbers = RecordNumbers::default();
        for file in files {
            let keys = Keys::of(file, reading)?;
            numbers.begin_file();
            if !has_lines(file)? {
                read_whole(file, &numbers, &keys, &given, offsets, reading)?;
                continue;
            }
            in_blocks(file, at_line_ends, Repeated::Refuse, reading, |text, reading| {
                for (number, line) in numbers.lines(text) {
                    let unnamed = || given.name_at(usize::try_from(number).unwrap_or_default());
                    let read = read_record(text, line, &keys, unnamed, offsets, reading);
                    reading.accept(read)?;
                }
                Ok(())
            })?;
        }
        Ok(())
    }
}

/// Whether each line of a file is a document; else it is an array of them, or one over several lines.
fn has_lines(file: &Source) -> Result<bool, Problem> {
    let head = file.head(keys::HEAD)?;
    let head = String::from_utf8_lossy(&head);
    let head = head.strip_prefix('\u{feff}').unwrap_or(&head);
    let line = head.lines().find(|line| !line.trim().is_empty()).unwrap_or_default().trim();
    // A line that is longer than what was looked at has no end there.
    let is_cut = head.len() as u64 >= keys::HEAD && !head.trim_start().contains('\n');
    Ok(line.starts_with('{') && (line.ends_with('}') || is_cut))
}

fn read_whole(
    file: &Source,
    numbers: &RecordNumbers,
    keys: &Keys,
    given: &Given<'_>,
    offsets: Offsets,
    reading: &mut Reading<'_>,
) -> Result<(), Problem> {
    let text = file.text()?;
    for (place, record) in (0..).zip(JsonRecords::of(&text)) {
        let number = numbers.of(place);
        let Some(record) = reading.accept(record)? else { continue };
        let unnamed = || given.name_at(usize::try_from(number).unwrap_or_default());
        let read = read_record(&text, record, keys, unnamed, offsets, reading);
        reading.accept(read)?;
    }
    Ok(())
}

fn score(sample: &Sample<'_>, columns: &BTreeMap<String, String>) -> u8 {
    if !sample.text.trim_start().starts_with(['{', '[']) {
        return 0;
    }
    let mut best = 0;
    let mut any = false;
    let text = Text::new(sample.name, sample.text);
    for record in JsonRecords::of(&text).map_while(Result::ok).take(LINES) {
        let Ok(object) = serde_json::from_str::<Object>(record) else { continue };
        any = true;
        if let Ok(Some((key, mentions))) = mention_list(&object, columns) {
            if keys::are_of_elevant(key, mentions) {
                return 0;
            }
            if !keys::hold(mentions, columns) {
                // The reader says what is wrong with them, if nobody else knows such objects.
                best = EMPTY;
                continue;
            }
            // Where the user named keys that are not there, the reader can say so.
            return if keys::are_there(&object, mentions, columns) { MENTIONS } else { UNNAMED };
        }
        let is_empty = |key: &str| object.get(key) == Some(&Value::Array(Vec::new()));
        if keys::LISTS.iter().any(|key| is_empty(key)) && keys::is_named(&object, columns) {
            best = EMPTY;
        }
    }
    match any {
        true => best,
        // The first document is longer than the sample.
        false => {
            let outline = Outline::of(sample);
            let known = keys::LISTS.iter().any(|key| outline.has(1, key));
            let keys: Vec<&str> = outline.keys_at(3).collect();
            if known && are_mentions(&keys, columns) { MENTIONS } else { 0 }
        }
    }
}

fn read_record(
    text: &Text<'_>,
    line: &str,
    keys: &Keys,
    unnamed: impl FnOnce() -> String,
    offsets: Offsets,
    reading: &mut Reading<'_>,
) -> Result<(), Problem> {
    let object: Object =
        serde_json::from_str(line).map_err(|error| text.json_problem(line, &error).hint(HINT))?;
    let here = Here { text, at: text.offset_of(line), len: 1 };
    let malformed = |flaw: Flaw| here.problem(Kind::Malformed, flaw).hint(HINT);
    let name = keys.name(&object).map_err(malformed)?.unwrap_or_else(unnamed);
    let list = keys.list(&object).map_err(malformed)?;
    here.begin_document(&name, &mut reading.corpus)?;
    for (field, value) in keys.of_document(&object) {
        match (field, field.document_attribute()) {
            (Field::Text, _) => reading.corpus.set_text(value),
            (_, Some(key)) if !value.is_empty() => reading.corpus.document_attribute(key, value),
            _ => {}
        }
    }
    let Some((key, mentions)) = list else { return Ok(()) };
    let locate = InItem { text, line, list: key, keys };
    let mut rows = Rows::default();
    for (place, mention) in (0..).zip(mentions) {
        match cells(mention, keys) {
            Ok(cells) => {
                let of_document = (Field::Document, table::Value::Text(&name));
                let all = std::iter::once(of_document).chain(cells);
                rows.push(reading, text.name(), &locate, place, all)?;
            }
            Err(message) => {
                let problem = Problem::new(Kind::Malformed, text.name(), message).hint(HINT);
                reading.report(locate.place(place, None, problem))?;
            }
        }
    }
    rows.fill(reading, text.name(), offsets, &locate)
}

#[cfg(test)]
mod tests;
