//! JSONL: a table with one flat JSON object per annotation.

use crate::block::at_line_ends;
use crate::format::{Format, Info, Layout, Offsets, Sample, WriteError};
use crate::input::Input;
use crate::output::Output;
use crate::problem::{Kind, Problem};
use crate::reading::Reading;
use crate::source::{Source, Text};
use crate::syntax::json::{JsonRecords, write_line};
use crate::syntax::table::{
    self, Field, Locate, Mapping, Rows, for_each_row, read_blocks, value_of,
};
use karat_model::Corpus;
use serde::de::{DeserializeSeed, IgnoredAny, MapAccess, Visitor};
use serde_json::{Map, Value as Json};
use std::borrow::Cow;
use std::collections::BTreeMap;

/// The format.
#[derive(Debug)]
pub(crate) struct Jsonl;

static INFO: Info = Info {
    name: "jsonl",
    title: "JSONL table",
    about: "One flat JSON object per annotation and line, or an array of such objects, with the columns of the CSV table as keys: `doc`, `start`, \
            `end` (exclusive, or `length`), `link` and more, or others named in `columns`; keys without a value \
            may be left out. `type`, `tags` and `equivalents` are strings joined by `|` or lists of strings, \
            `candidates` is a list of objects, `attributes` an object.",
    reference: "docs/formats/tables.md",
    extensions: &["jsonl"],
    offsets: Offsets::CODE_POINTS,
    writes: Some(Layout::File),
    needs_text: false,
    keeps: table::KEEPS,
};

impl Format for Jsonl {
    fn info(&self) -> &'static Info {
        &INFO
    }

    fn detect(&self, sample: &Sample<'_>) -> u8 {
        let flat = flat_keys(first_record(sample.text), &BTreeMap::new());
        if flat.is_some_and(|keys| Mapping::fits(&borrowed(&keys), &BTreeMap::new())) {
            40
        } else {
            0
        }
    }

    fn detect_mapped(&self, sample: &Sample<'_>, columns: &BTreeMap<String, String>) -> Option<u8> {
        Some(match flat_keys(first_record(sample.text), columns) {
            Some(keys) if Mapping::fits(&borrowed(&keys), columns) => 90,
            // The reader explains what is missing.
            Some(_) => 40,
            None => 0,
        })
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
        for file in files {
            if is_array(&String::from_utf8_lossy(&file.head(HEAD)?)) {
                read_array(file, offsets, reading)?;
                continue;
            }
            let keys = Keys::of(file, reading)?;
            // Any line may be the first with a text, so the lines are read in order.
            read_blocks(file, at_line_ends, true, reading, |text, reading| {
                read_block(text, &keys, offsets, reading)
            })?;
        }
        Ok(())
    }

    fn files_stand_alone(&self) -> bool {
        true
    }

    fn write(&self, corpus: &Corpus, output: &mut Output) -> Result<(), WriteError> {
        output.single(|out| {
            for_each_row(corpus, |row| {
                let mut object = Map::new();
                for field in Field::all() {
                    // A document without annotations still shows where they would be.
                    let always = matches!(field, Field::Start | Field::End);
                    let value = row.cell(field)?.to_json().or(always.then_some(Json::Null));
                    if let Some(value) = value {
                        object.insert(field.name().to_owned(), value);
                    }
                }
                write_line(out, &object)
            })
        })
    }
}

/// Whether a file is an array of objects, and not one object per line.
fn is_array(text: &str) -> bool {
    text.trim_start_matches('\u{feff}').trim_start().starts_with('[')
}

/// The first object of a sample: of an array, or else its first line.
fn first_record(sample: &str) -> &str {
    let sample = sample.trim_start_matches('\u{feff}').trim_start();
    let Some(array) = sample.strip_prefix('[') else {
        return sample.lines().next().unwrap_or_default();
    };
    let array = array.trim_start();
    let mut objects = serde_json::Deserializer::from_str(array).into_iter::<IgnoredAny>();
    match objects.next() {
        Some(Ok(_)) => array.get(..objects.byte_offset()).unwrap_or_default(),
        _ => "",
    }
}

/// Reads an array of rows, which is read whole: its objects may go over many lines.
fn read_array(file: &Source, offsets: Offsets, reading: &mut Reading<'_>) -> Result<(), Problem> {
    reading.corpus.begin_source(file.name());
    let text = file.text()?;
    let mut records = Vec::new();
    for record in JsonRecords::of(&text) {
        records.extend(reading.accept(record)?);
    }
    if records.is_empty() {
        return Ok(());
    }
    let mut read = 0;
    let at_head = records.iter().take_while(|record| {
        let begins = read;
        read += record.len() as u64;
        begins < HEAD
    });
    let first: Vec<Map<String, Json>> =
        at_head.filter_map(|record| serde_json::from_str(record).ok()).collect();
    if let (true, Some(&record)) = (first.is_empty(), records.first()) {
        let kind =
            if text.as_str().trim_end().ends_with(']') { Kind::Malformed } else { Kind::Truncated };
        let problem = text.problem_at(kind, record, "this is no whole JSON object");
        let problem =
            problem.hint("expected an array `[...]` of JSON objects, or one object per line");
        return reading.accept(Err::<(), Problem>(problem)).map(drop);
    }
    let keys =
        Keys::among(file.name(), first.into_iter(), text.as_str().len() as u64 >= HEAD, reading)?;
    read_records(&text, records.into_iter(), &keys, offsets, reading)
}

/// The keys of a line whose values are plain, apart from those that may be lists.
fn flat_keys(line: &str, columns: &BTreeMap<String, String>) -> Option<Vec<String>> {
    let object: Map<String, Json> = serde_json::from_str(line).ok()?;
    let may_nest = [
        Field::Link,
        Field::Type,
        Field::Tags,
        Field::Equivalents,
        Field::Candidates,
        Field::Attributes,
    ];
    let nests = |key: &str| {
        may_nest.iter().any(|field| match columns.get(field.name()) {
            Some(column) => column == key,
            None => field.names().any(|name| name == key),
        })
    };
    let plain = |(key, value): (&String, &Json)| {
        !(value.is_object() || value.is_array()) || nests(key) || !columns.is_empty()
    };
    object.iter().all(plain).then(|| object.keys().cloned().collect())
}

fn borrowed(keys: &[String]) -> Vec<&str> {
    keys.iter().map(String::as_str).collect()
}

/// How much of a file is looked at to find its keys.
const HEAD: u64 = 64 << 10;

/// Which key is which field.
struct Keys {
    fields: BTreeMap<String, Field>,
}

impl Keys {
    /// Finds the keys in the first lines of a file. Lines leave keys out, so the
    /// usual names of fields that were not among them stay open.
    fn of(file: &Source, reading: &mut Reading<'_>) -> Result<Keys, Problem> {
        let head = file.head(HEAD)?;
        let head = String::from_utf8_lossy(&head);
        let lines = head.strip_prefix('\u{feff}').unwrap_or(&head).lines();
        let objects = lines.filter_map(|line| serde_json::from_str(line).ok());
        Keys::among(file.name(), objects, head.len() as u64 >= HEAD, reading)
    }

    /// The same in some objects, of which there are more where `may_come` says so.
    fn among(
        source_name: &str,
        objects: impl Iterator<Item = Map<String, Json>>,
        may_come: bool,
        reading: &mut Reading<'_>,
    ) -> Result<Keys, Problem> {
        let options = reading.options;
        let mut names: Vec<String> = Vec::new();
        for object in objects {
            for (key, _) in object {
                if !names.contains(&key) {
                    names.push(key);
                }
            }
        }
        if may_come {
            // A rare key may come later; those every line needs are here or nowhere.
            let rare = |name: &str| !["doc", "start", "end", "length", "link"].contains(&name);
            let asked = options.columns.iter().filter(|(name, key)| rare(name) && !key.is_empty());
            names.extend(asked.map(|(_, key)| key.clone()));
        }
        let mut fields = BTreeMap::new();
        let names = borrowed(&names);
        // Without a single object there is nothing to find; each line says what is wrong.
        let mapping = match names.is_empty() {
            true => None,
            false => Some(Mapping::find(source_name, &names, options)?),
        };
        mapping.iter().for_each(|mapping| reading.note_columns(mapping));
        let found = |field| mapping.as_ref().and_then(|mapping| mapping.column(field));
        for field in Field::all() {
            match (found(field), options.columns.get(field.name())) {
                (Some((_, key)), _) => drop(fields.insert(key.to_owned(), field)),
                (None, Some(key)) if key.is_empty() => {}
                (None, Some(key)) => drop(fields.insert(key.clone(), field)),
                (None, None) => {
                    for name in field.names() {
                        fields.entry(name.to_owned()).or_insert(field);
                    }
                }
            }
        }
        Ok(Keys { fields })
    }

    fn key(&self, field: Field) -> impl Iterator<Item = &str> {
        self.fields.iter().filter(move |&(_, &found)| found == field).map(|(key, _)| key.as_str())
    }
}

fn read_block(
    text: &Text<'_>,
    keys: &Keys,
    offsets: Offsets,
    reading: &mut Reading<'_>,
) -> Result<(), Problem> {
    let lines = text.as_str().lines().filter(|line| !line.trim().is_empty());
    read_records(text, lines, keys, offsets, reading)
}

fn read_records<'t>(
    text: &Text<'_>,
    records: impl Iterator<Item = &'t str>,
    keys: &Keys,
    offsets: Offsets,
    reading: &mut Reading<'_>,
) -> Result<(), Problem> {
    let here = InLine { text, keys };
    let mut rows = Rows::default();
    for line in records {
        let mut parser = serde_json::Deserializer::from_str(line);
        let parsed = Cells(keys).deserialize(&mut parser).and_then(|cells| {
            parser.end()?;
            Ok(cells)
        });
        let parsed = parsed.map_err(|error| {
            text.json_problem(line, &error)
                .hint("each line is one flat JSON object; docs/formats/tables.md lists its keys")
        });
        let Some(cells) = reading.accept(parsed)? else { continue };
        let cells = cells.iter().map(|(field, json)| (*field, value_of(json)));
        rows.push(reading, text.name(), &here, text.offset_of(line) as u64, cells)?;
    }
    rows.fill(reading, text.name(), offsets, &here)
}

/// The cells of one line; values of unknown keys are passed over.
struct Cells<'k>(&'k Keys);

impl<'de> DeserializeSeed<'de> for Cells<'_> {
    type Value = Vec<(Field, Json)>;

    fn deserialize<D: serde::Deserializer<'de>>(self, from: D) -> Result<Self::Value, D::Error> {
        from.deserialize_map(self)
    }
}

impl<'de> Visitor<'de> for Cells<'_> {
    type Value = Vec<(Field, Json)>;

    fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("a JSON object")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
        let mut cells = Vec::with_capacity(8);
        while let Some(key) = map.next_key::<Cow<'de, str>>()? {
            match self.0.fields.get(key.as_ref()) {
                Some(&field) => cells.push((field, map.next_value()?)),
                None => drop(map.next_value::<IgnoredAny>()?),
            }
        }
        Ok(cells)
    }
}

/// Finds keys in a line; a place is the byte at which the line starts.
struct InLine<'t> {
    text: &'t Text<'t>,
    keys: &'t Keys,
}

impl Locate for InLine<'_> {
    fn locate(&self, place: u64, field: Field, problem: Problem) -> Problem {
        let rest = usize::try_from(place).ok().and_then(|at| self.text.as_str().get(at..));
        let line = rest.unwrap_or_default().lines().next().unwrap_or_default();
        let mut keys = self.keys.key(field);
        let part = keys.find_map(|key| {
            let quoted = format!("\"{key}\"");
            line.find(&quoted).and_then(|at| line.get(at..at + quoted.len()))
        });
        let Problem { kind, message, hint, .. } = problem;
        Problem { hint, ..self.text.problem_at(kind, part.unwrap_or(line), message) }
    }
}

#[cfg(test)]
mod tests;
