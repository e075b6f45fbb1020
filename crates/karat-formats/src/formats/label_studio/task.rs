//! From a task of Label Studio to a document.

use super::{FLAG_CONTROL, FLAGS, INFO, LINK_CONTROLS, REGION, SIDES, TAG_CONTROL};
use crate::anchor::Here;
use crate::problem::{Kind, Problem};
use crate::reading::Reading;
use crate::source::Text;
use karat_model::{CorpusBuilder, Flags, Link, OffsetUnit, Span, TextIndex, attribute};
use serde::Deserialize;
use serde_json::{Map, Value};

#[derive(Debug, Deserialize)]
struct Task {
    #[serde(default)]
    id: Value,
    data: Map<String, Value>,
    #[serde(default)]
    meta: Value,
    /// `completions` before version 1.0.
    #[serde(default, alias = "completions")]
    annotations: Vec<Answer>,
    #[serde(default)]
    predictions: Vec<Answer>,
}

/// What one annotator or model said about a task.
#[derive(Debug, Deserialize)]
struct Answer {
    #[serde(default)]
    result: Option<Vec<Control>>,
    #[serde(default)]
    was_cancelled: Option<bool>,
    #[serde(default)]
    ground_truth: Option<bool>,
    #[serde(default)]
    score: Option<f64>,
    #[serde(default)]
    model_version: Option<String>,
}

#[derive(Debug, Deserialize)]
struct Control {
    #[serde(default)]
    id: Option<String>,
    #[serde(default)]
    from_name: Option<String>,
    #[serde(rename = "type", default)]
    kind: Option<String>,
    #[serde(default)]
    value: Map<String, Value>,
    #[serde(default)]
    score: Option<f64>,
}

/// A region with all that its controls say.
#[derive(Debug)]
struct Region<'t> {
    controls: Vec<&'t Control>,
    side: Flags,
    fallback_score: Option<f64>,
}

pub(super) fn read(
    text: &Text<'_>,
    record: &str,
    number: usize,
    reading: &mut Reading<'_>,
) -> Result<(), Problem> {
    let parsed = serde_json::from_str(record).map_err(|error| {
        text.json_problem(record, &error)
            .hint("a task has `data` with the text, and lists of `annotations` and `predictions`")
    });
    let Some(task): Option<Task> = reading.accept(parsed)? else { return Ok(()) };
    let here = Here { text, at: text.offset_of(record), len: 1 };
    let text_key = text_key(&task.data);
    let name = name(&task, number);
    if let Err(duplicate) = reading.corpus.begin_document(&name) {
        let problem = here.problem(Kind::DuplicateDocument, duplicate.to_string());
        return reading
            .report(problem.hint("each task needs an id of its own, in `data.id` or `id`"));
    }
    let content = text_key.as_deref().and_then(|key| task.data.get(key)?.as_str());
    // Where a URL stands in the place of the text, mentions have no text to be checked against.
    let index = content.filter(|content| !is_address(content)).map(TextIndex::new);
    if let Some(index) = &index {
        reading.corpus.set_text(index.text());
    }
    facts(&task, index.as_ref().and(text_key.as_deref()), &mut reading.corpus);

    let gold = chosen(&task.annotations, "annotations", here, reading);
    let predicted = chosen(&task.predictions, "predictions", here, reading);
    let mut regions = Vec::new();
    for (answer, side) in [(gold, Flags::GOLD), (predicted, Flags::PREDICTED)] {
        let Some(answer) = answer else { continue };
        gather(answer, side, &mut regions, &mut reading.corpus);
    }
    restore_order(&mut regions);
    for region in &regions {
        let read = region.span(here, index.as_ref(), reading);
        let read = read.map_err(|problem| region.located(problem, here, record));
        if let Some(span) = reading.accept(read)? {
            region.add(span, index.is_some(), &mut reading.corpus);
        }
    }
    Ok(())
}

/// Whether a text is only the place of the text, as with `valueType="url"`.
pub(super) fn is_address(text: &str) -> bool {
    let scheme = ["http://", "https://", "s3://", "gs://", "azure-blob://", "/data/"];
    scheme.iter().any(|scheme| text.starts_with(scheme)) && !text.contains(char::is_whitespace)
}

/// `text`, or else the longest string of the data.
fn text_key(data: &Map<String, Value>) -> Option<String> {
    if data.get("text").is_some_and(Value::is_string) {
        return Some("text".to_owned());
    }
    // Projects name the text as they like; the longest string is it.
    let strings = data.iter().filter_map(|(key, value)| Some((key, value.as_str()?)));
    let texts = strings.filter(|(key, _)| *key != "id");
    texts.max_by_key(|(_, value)| value.len()).map(|(key, _)| key.clone())
}

fn name(task: &Task, number: usize) -> String {
    let named = [task.data.get("id"), task.meta.get("id"), Some(&task.id)];
    named.into_iter().flatten().find_map(plain).unwrap_or_else(|| number.to_string())
}

/// A string, number or truth value as text.
fn plain(value: &Value) -> Option<String> {
    match value {
        Value::String(text) if !text.is_empty() => Some(text.clone()),
        Value::Number(_) | Value::Bool(_) => Some(value.to_string()),
        _ => None,
    }
}

/// Everything in the data beside name and text is a fact about the document.
fn facts(task: &Task, text_key: Option<&str>, corpus: &mut CorpusBuilder) {
    for (key, value) in &task.data {
        if key != "id"
            && Some(key.as_str()) != text_key
            && let Some(value) = plain(value)
        {
            // What stands in the place of the text is its address.
            let key = if key == "text" { attribute::URL } else { key };
            corpus.document_attribute(key, &value);
        }
    }
    let model = task.predictions.first().and_then(|prediction| prediction.model_version.as_deref());
    if let Some(model) = model.filter(|_| !task.data.contains_key("model_version")) {
        corpus.document_attribute("model_version", model);
    }
}

/// The answer to read when there are several.
fn chosen<'t>(
    answers: &'t [Answer],
    what: &str,
    here: Here<'_>,
    reading: &mut Reading<'_>,
) -> Option<&'t Answer> {
    let valid = || answers.iter().filter(|answer| answer.was_cancelled != Some(true));
    // What several annotators said of one task cannot be one gold standard; one is taken and the
    // others are told.
    let others = valid().count().saturating_sub(1);
    if others > 0 {
        let message = format!("{others} more of the `{what}` of this task are left out");
        let hint = "the ground truth is read if one is marked, else the first; export one annotator at a time to compare them";
        reading.repaired(here.problem(Kind::Format, message).hint(hint));
    }
    valid().find(|answer| answer.ground_truth == Some(true)).or_else(|| valid().next())
}

/// Brings the controls of each region together, in the order of the file.
fn gather<'t>(
    answer: &'t Answer,
    side: Flags,
    regions: &mut Vec<Region<'t>>,
    corpus: &mut CorpusBuilder,
) {
    let mut by_id = std::collections::HashMap::new();
    for control in answer.result.iter().flatten() {
        let known = control.id.as_deref().and_then(|id| by_id.get(id).copied());
        if let Some(region) = known.and_then(|index: usize| regions.get_mut(index)) {
            region.controls.push(control);
        } else if control.value.contains_key("start") {
            if let Some(id) = control.id.as_deref() {
                by_id.insert(id, regions.len());
            }
            // The score of a prediction as a whole stands in for regions without one.
            let fallback_score = answer.score.filter(|_| side == Flags::PREDICTED);
            regions.push(Region { controls: vec![control], side, fallback_score });
        } else if let Some(key) = &control.from_name {
            // A choice about the whole task.
            let values: Vec<String> = control.values();
            corpus.document_attribute(key, &values.join(", "));
        }
    }
}

/// Regions that karat wrote go back to their places and sides.
fn restore_order(regions: &mut [Region<'_>]) {
    // Only if karat wrote every region is their order known; a region that was added by hand has no
    // number.
    let written: Option<Vec<(usize, Flags)>> = regions.iter().map(Region::written).collect();
    let Some(written) = written else { return };
    for (region, (_, side)) in regions.iter_mut().zip(written) {
        region.side = side;
    }
    regions.sort_by_key(|region| region.written().map(|(number, _)| number));
}

impl Control {
    /// What a control holds, whatever its type.
    fn values(&self) -> Vec<String> {
        let keys = ["text", "choices", "taxonomy", "number", "rating", "datetime", "labels"];
        // A region repeats its own text; only a text area answers with it.
        let is_label = self.kind.as_deref().is_some_and(|kind| kind.ends_with("labels"));
        let keys = keys.into_iter().filter(|&key| !(is_label && key == "text"));
        let Some(value) = keys.filter_map(|key| self.value.get(key)).next() else {
            return Vec::new();
        };
        match value {
            Value::Array(items) => items.iter().filter_map(leaf).collect(),
            other => plain(other).into_iter().collect(),
        }
    }
}

/// An item of a list; of a path in a taxonomy, its last step.
fn leaf(item: &Value) -> Option<String> {
    match item {
        Value::Array(path) => path.last().and_then(plain),
        Value::String(text) => Some(text.clone()),
        other => plain(other),
    }
}

impl Region<'_> {
    fn written(&self) -> Option<(usize, Flags)> {
        let id = self.controls.first()?.id.as_deref()?.strip_prefix(REGION)?;
        let letter = id.chars().next()?;
        let &(_, side) = SIDES.iter().find(|(known, _)| *known == letter)?;
        Some((id[letter.len_utf8()..].parse().ok()?, side))
    }

    /// Moves a problem to the id of the region. Looking for it takes time, which
    /// only those that are wrong should cost.
    fn located(&self, problem: Problem, task: Here<'_>, record: &str) -> Problem {
        let id = self.controls.first().and_then(|control| control.id.as_deref());
        let quoted = id.map(|id| Value::from(id).to_string());
        let Some((at, quoted)) = quoted.and_then(|id| Some((record.find(&id)?, id))) else {
            return problem;
        };
        let here = Here { at: task.at + at, len: quoted.len(), ..task };
        Problem { place: here.problem(problem.kind, "").place, ..problem }
    }

    fn first(&self, key: &str) -> Option<&Value> {
        self.controls.iter().find_map(|control| control.value.get(key))
    }

    fn span(
        &self,
        here: Here<'_>,
        index: Option<&TextIndex<'_>>,
        reading: &mut Reading<'_>,
    ) -> Result<Span, Problem> {
        let malformed = |message: &str| {
            here.problem(Kind::Malformed, message).hint(
                "karat reads regions of plain text: type `labels` with `start`, `end` and `labels`",
            )
        };
        let kind = self.controls.first().and_then(|control| control.kind.as_deref());
        if let Some(kind) = kind.filter(|kind| kind.ends_with("labels") && *kind != "labels") {
            return Err(malformed(&format!("a region of type `{kind}`, expected `labels`")));
        }
        let offset = |key: &str| -> Result<u64, Problem> {
            let value = self.first(key);
            let number = value.and_then(|v| v.as_u64().or_else(|| v.as_str()?.parse().ok()));
            number.ok_or_else(|| malformed(&format!("expected a whole number as `{key}`")))
        };
        let (start, end) = (offset("start")?, offset("end")?);
        let offsets = reading.offsets(INFO.offsets);
        let Some(index) = index else { return here.unchecked(offsets, start, end) };
        let surface = self.surface();
        let found = here.anchor(index, offsets, start, end, surface.as_deref());
        let (Err(problem), Some(surface)) = (&found, &surface) else { return found };
        // Old versions wrote line breaks in the text of a region as `\n`.
        let broken = surface.replace("\\n", "\n");
        if let Ok(span) = here.anchor(index, offsets, start, end, Some(&broken)) {
            return Ok(span);
        }
        // Only where the user did not say what is counted: then the text of the region may decide
        // for UTF-16.
        if reading.options.unit.is_none() && problem.kind != Kind::Malformed {
            let old = crate::format::Offsets { unit: OffsetUnit::Utf16, ..offsets };
            for surface in [surface, &broken] {
                if let Ok(span) = here.anchor(index, old, start, end, Some(surface)) {
                    return Ok(span);
                }
            }
        }
        found
    }

    fn surface(&self) -> Option<String> {
        let labels = self.controls.iter().filter(|c| c.kind.as_deref() == Some("labels"));
        labels.filter_map(|control| control.value.get("text")?.as_str()).next().map(str::to_owned)
    }

    fn add(&self, span: Span, checked: bool, corpus: &mut CorpusBuilder) {
        let (mut types, mut links, mut tags, mut facts) = (vec![], vec![], vec![], vec![]);
        let mut flags = self.side;
        for control in &self.controls {
            let values = control.values();
            let name = control.from_name.as_deref().unwrap_or_default();
            let one_id = |values: &[String]| values.first().is_some_and(|v| is_identifier(v));
            match name {
                _ if control.kind.as_deref() == Some("labels") => types.extend(values),
                FLAG_CONTROL => {
                    flags |= FLAGS
                        .iter()
                        .filter(|(name, _)| values.iter().any(|value| value == name))
                        .map(|&(_, flag)| flag)
                        .fold(Flags::empty(), Flags::union);
                }
                TAG_CONTROL => tags.extend(values),
                _ if LINK_CONTROLS.contains(&name.to_ascii_lowercase().as_str()) => {
                    links.extend(values);
                }
                // A control of any name whose value looks like an id is the link, as people name
                // controls freely; not in files that karat wrote, where names are known.
                _ if self.written().is_none() && links.is_empty() && one_id(&values) => {
                    links = values;
                }
                _ => facts.extend(values.into_iter().map(|value| (name, value))),
            }
        }
        let mut links = links.iter();
        let link = links.next().map_or(Link::NONE, |first| link(corpus, first));
        let mut annotation = corpus
            .annotate(span, link)
            .flags(flags)
            .types(types.iter().map(String::as_str))
            .tags(tags.iter().map(String::as_str));
        let score = self.controls.iter().find_map(|control| control.score).or(self.fallback_score);
        if let Some(score) = score {
            annotation = annotation.confidence(score);
        }
        for equivalent in links.filter(|link| !link.is_empty()) {
            annotation = annotation.equivalent(equivalent);
        }
        for (key, value) in &facts {
            annotation = annotation.attribute(key, value);
        }
        if let Some(surface) = self.surface().filter(|_| !checked) {
            annotation.attribute(attribute::SURFACE, &surface);
        }
    }
}

fn is_identifier(value: &str) -> bool {
    let number = value.strip_prefix('Q').unwrap_or_default();
    let wikidata = !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit());
    wikidata || value.contains("://")
}

fn link(corpus: &mut CorpusBuilder, value: &str) -> Link {
    match value.strip_prefix("NIL:") {
        Some(cluster) if !cluster.is_empty() => Link::nil_cluster(corpus.intern(cluster)),
        _ if value == "NIL" => Link::NIL,
        _ if value.is_empty() => Link::NONE,
        _ => Link::to(corpus.intern(value)),
    }
}
