//! Label Studio: tasks with regions, exported as JSON.

mod task;
#[cfg(test)]
mod tests;

use crate::format::{Format, Info, Layout, Offsets, Sample, WriteError};
use crate::input::Input;
use crate::output::Output;
use crate::problem::Problem;
use crate::reading::Reading;
use crate::source::Source;
use crate::syntax::json::JsonRecords;
use karat_model::{Corpus, Document, Features, Flags, Mention, Restriction, TextIndex};
use serde_json::{Value, json};

/// The format.
#[derive(Debug)]
pub(crate) struct LabelStudio;

static INFO: Info = Info {
    name: "label-studio",
    title: "Label Studio JSON",
    about: "An array of tasks (or one per line), each with `data.text`, `annotations` and `predictions`; a region of \
            type `labels` has the span and the types, and a text area, taxonomy or choice with the same `id` has the link. \
            Offsets count code points since 2022 and UTF-16 code units before; where they differ, the text of the region decides. \
            Of several annotations of a task, the one marked as ground truth is read, else the first that was not cancelled, and of \
            several predictions the first; the others are noted. Labels have no place for NIL, so a link `NIL` \
            or `NIL:cluster` stands for it.",
    reference: "https://labelstud.io/guide/task_format",
    extensions: &["label-studio.json"],
    offsets: Offsets::CODE_POINTS,
    writes: Some(Layout::File),
    needs_text: true,
    keeps: Restriction {
        features: Features::TEXT
            .union(Features::EMPTY_DOCUMENTS)
            .union(Features::UNLINKED)
            .union(Features::NIL)
            .union(Features::NIL_CLUSTERS)
            .union(Features::CONFIDENCE)
            .union(Features::EQUIVALENTS)
            .union(Features::TYPE)
            .union(Features::TYPES)
            .union(Features::TAGS)
            .union(Features::OPTIONAL)
            .union(Features::COREFERENCE)
            .union(Features::DESCRIPTIVE)
            .union(Features::SIDES)
            .union(Features::OVERLAPS)
            .union(Features::REPEATS),
        document_attributes: &["*"],
        annotation_attributes: &["*"],
    },
};

/// Controls that give the entity, as people name them.
const LINK_CONTROLS: [&str; 20] = [
    "link",
    "entity",
    "entity_id",
    "entity_link",
    "entity_linking",
    "linking",
    "kb",
    "kb_id",
    "kbid",
    "wikidata",
    "wikidata_id",
    "wikipedia",
    "qid",
    "uri",
    "url",
    "iri",
    "identifier",
    "concept",
    "concept_id",
    "normalization",
];
const LABEL_CONTROL: &str = "label";
const FLAG_CONTROL: &str = "flags";
const TAG_CONTROL: &str = "tags";

const FLAGS: [(&str, Flags); 4] = [
    ("optional", Flags::OPTIONAL),
    ("coreference", Flags::COREFERENCE),
    ("not-coreference", Flags::NOT_COREFERENCE),
    ("descriptive", Flags::DESCRIPTIVE),
];

/// Ids of regions that karat wrote: this, a letter for the side, and the place
/// among the annotations of the document. Label Studio keeps gold and predictions
/// apart, and so this is all that remembers their common order.
const REGION: &str = "karat-";
const SIDES: [(char, Flags); 4] = [
    ('n', Flags::empty()),
    ('g', Flags::GOLD),
    ('p', Flags::PREDICTED),
    ('b', Flags::GOLD.union(Flags::PREDICTED)),
];

impl Format for LabelStudio {
    fn info(&self) -> &'static Info {
        &INFO
    }

    fn detect(&self, sample: &Sample<'_>) -> u8 {
        let text = sample.text.trim_start();
        let text = text.strip_prefix('[').unwrap_or(text).trim_start();
        let has = |key: &str| text.contains(key);
        if !text.starts_with('{') || !has("\"data\"") {
            return 0;
        }
        let results = ["\"annotations\"", "\"completions\"", "\"predictions\""];
        match results.into_iter().any(has) {
            true if has("\"from_name\"") && has("\"to_name\"") => 95,
            // BioC in JSON has passages with `annotations` as well.
            true if !has("\"passages\"") => 55,
            _ => 0,
        }
    }

    fn read(
        &self,
        files: &[Source],
        _input: &Input,
        reading: &mut Reading<'_>,
    ) -> Result<(), Problem> {
        for file in files {
            let text = file.text()?;
            for (number, record) in JsonRecords::of(&text).enumerate() {
                let Some(record) = reading.accept(record)? else { continue };
                task::read(&text, record, number + 1, reading)?;
            }
        }
        Ok(())
    }

    fn write(&self, corpus: &Corpus, output: &mut Output) -> Result<(), WriteError> {
        output.single(|out| {
            out.write_all(b"[")?;
            for document in corpus.documents() {
                // Written task by task, because a whole corpus as one JSON value would take many
                // times its size.
                let comma = if document.index() > 0 { "," } else { "" };
                write!(out, "{comma}\n{}", task_object(&document)?)?;
            }
            Ok(out.write_all(b"\n]\n")?)
        })
    }
}

fn task_object(document: &Document<'_>) -> Result<Value, WriteError> {
    let text = document.text().unwrap_or_default();
    let mut data = serde_json::Map::new();
    data.insert("id".to_owned(), document.name().into());
    data.insert("text".to_owned(), text.into());
    for (key, value) in document.attributes() {
        if data.insert(key.to_owned(), value.into()).is_some() {
            let message = format!("the attribute `{key}` has no place beside the one in `data`");
            return Err(WriteError::unrepresentable(document.name(), message));
        }
    }
    // In Label Studio, a `text` that is an address is where the text is to be fetched from.
    if task::is_address(text) {
        let message = "a text that is an address would be read as the place of the text";
        return Err(WriteError::unrepresentable(document.name(), message));
    }
    let index = TextIndex::new(text);
    let (mut annotated, mut predicted) = (Vec::new(), Vec::new());
    for (number, mention) in document.mentions().enumerate() {
        let side = mention.flags() & (Flags::GOLD | Flags::PREDICTED);
        let results = region_results(&mention, &index, number, side)?;
        // A mention that is both gold and predicted is written with the gold ones; its id remembers
        // the rest.
        let list = if side == Flags::PREDICTED { &mut predicted } else { &mut annotated };
        list.extend(results);
    }
    let model = document.attribute("model_version");
    let predictions = if predicted.is_empty() {
        json!([])
    } else {
        json!([{"model_version": model, "result": predicted}])
    };
    Ok(json!({"data": data, "annotations": [{"result": annotated}], "predictions": predictions}))
}

/// The region of a mention and the controls that say more about it.
fn region_results(
    mention: &Mention<'_>,
    index: &TextIndex<'_>,
    number: usize,
    side: Flags,
) -> Result<Vec<Value>, WriteError> {
    let letter = SIDES.iter().find(|(_, flags)| *flags == side).map_or('n', |&(letter, _)| letter);
    let id = format!("{REGION}{letter}{number}");
    let span = mention.span();
    let result = |from: &str, kind: &str, key: &str, values: Value| {
        let mut value = json!({"start": span.start, "end": span.end});
        value[key] = values;
        json!({"id": id, "from_name": from, "to_name": "text", "type": kind, "value": value})
    };
    let types: Vec<&str> = mention.types().collect();
    let mut region = result(LABEL_CONTROL, "labels", "labels", json!(types));
    region["value"]["text"] = index.slice(span).into();
    if let Some(score) = mention.confidence() {
        if !score.is_finite() {
            let message = format!("the confidence {score} of {span} has no form in JSON");
            return Err(WriteError::unrepresentable(mention.document().name(), message));
        }
        region["score"] = score.into();
    }
    let mut results = vec![region];
    let links = links(mention)?;
    if !links.is_empty() {
        results.push(result(LINK_CONTROLS[0], "textarea", "text", json!(links)));
    }
    let flags = FLAGS.iter().filter(|(_, flag)| mention.flags().contains(*flag));
    let flags: Vec<&str> = flags.map(|&(name, _)| name).collect();
    let tags: Vec<&str> = mention.tags().collect();
    for (control, choices) in [(FLAG_CONTROL, flags), (TAG_CONTROL, tags)] {
        if !choices.is_empty() {
            results.push(result(control, "choices", "choices", json!(choices)));
        }
    }
    for (key, value) in mention.attributes() {
        let taken = [LABEL_CONTROL, FLAG_CONTROL, TAG_CONTROL];
        if taken.contains(&key) || LINK_CONTROLS.contains(&key) {
            let message =
                format!("an annotation attribute `{key}` would be read as something else");
            return Err(WriteError::unrepresentable(mention.document().name(), message));
        }
        results.push(result(key, "textarea", "text", json!([value])));
    }
    Ok(results)
}

/// The link and what is just as right; an empty first item for no answer.
fn links(mention: &Mention<'_>) -> Result<Vec<String>, WriteError> {
    let mut links: Vec<String> = mention.equivalents().map(str::to_owned).collect();
    let first = match (mention.entity(), mention.nil_cluster()) {
        (Some(entity), _) => entity.to_owned(),
        (None, Some(cluster)) => format!("NIL:{cluster}"),
        (None, None) if mention.link().is_nil() => "NIL".to_owned(),
        (None, None) if links.is_empty() => return Ok(links),
        // An empty first item keeps the equivalents from being read as the answer.
        (None, None) => String::new(),
    };
    // NIL has no place of its own, so an entity of that name could not be told from it.
    let odd = |link: &&str| *link == "NIL" || link.starts_with("NIL:") || link.is_empty();
    if let Some(entity) = mention.entity().into_iter().chain(mention.equivalents()).find(odd) {
        let message = format!("the entity `{entity}` would be read as NIL");
        return Err(WriteError::unrepresentable(mention.document().name(), message));
    }
    links.insert(0, first);
    Ok(links)
}
