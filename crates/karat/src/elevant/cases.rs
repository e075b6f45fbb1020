//! `eval_cases.jsonl`.

use super::results::mode_name;
use karat_facets::taxonomy::{CaseLabels, Label, Labelled, MentionType, Taxonomy};
use karat_kb::KnowledgeBase;
use karat_match::{Judgement, Unknowns, Verdicts};
use karat_model::literal::{OTHER, UNKNOWN};
use karat_model::{Mention, attribute};
use serde_json::{Map, Value, json};
use std::collections::HashSet;

/// What ELEVANT calls an unknown entity, and one that has no id in the knowledge base.
const NIL: &str = "<NIL>";
const NO_MAPPING: &str = "<NO_MAPPING>";

/// How cases are written.
#[derive(Debug, Clone, Copy)]
pub struct CaseWriter<'k> {
    /// What types count as.
    pub taxonomy: &'k Taxonomy,
    /// The knowledge base, for names and types.
    pub base: Option<&'k KnowledgeBase>,
    /// Whether it knows every entity that was predicted, unknown entities ignored and required.
    pub closed: [bool; 2],
}

impl CaseWriter<'_> {
    /// The cases of one document as one line; `labels` has the labels of gold by their index. What is
    /// not known for want of facts is null.
    pub fn line(&self, cases: &[Labelled<'_>], labels: &[Option<Value>]) -> Value {
        Value::Array(cases.iter().map(|case| self.case(case, labels)).collect())
    }

    fn case(&self, case: &Labelled<'_>, labels: &[Option<Value>]) -> Value {
        let judgement = &case.judgement;
        let span = judgement.span();
        let mut object = Map::new();
        let mut put = |key: &str, value: Value| object.insert(key.to_owned(), value);
        put("span", json!([span.start, span.end]));
        put("text", json!(case.text.unwrap_or_default()));
        put("candidates", self.candidates(case.system.as_ref()));
        put("predicted_by", json!(case.system.and_then(|m| m.attribute(attribute::LINKED_BY))));
        put("error_labels", by_mode(|mode| self.error_labels(&case.labels[mode], mode)));
        put("factor", json!(u8::from(judgement.counts)));
        put("linking_eval_types", by_mode(|mode| linking(judgement, mode)));
        put("ner_eval_types", by_mode(|mode| verdicts(judgement.recognition[mode])));
        put("optional", json!(judgement.is_optional()));
        if let Some(label) = judgement.gold.and_then(|gold| labels.get(gold.index as usize)) {
            put("true_entity", json!(label));
        }
        if let Some(system) = case.system {
            put("predicted_entity", self.predicted(&system));
        }
        put("mention_type", json!(case.mention_type.map(mention_type)));
        if let Some([linking, recognition]) = judgement.below {
            put("child_linking_eval_types", by_mode(|mode| verdicts(linking[mode])));
            put("child_ner_eval_types", by_mode(|mode| verdicts(recognition[mode])));
        }
        Value::Object(object)
    }

    fn error_labels(&self, labels: &CaseLabels, mode: usize) -> Value {
        let settled = labels.in_closed_world.filter(|_| self.closed[mode]);
        let all = labels.certain.iter().chain(&settled);
        let mut names: Vec<&str> = all.filter_map(|label: &Label| label.elevant()).collect();
        // ELEVANT writes a set here, which has no order; sorted, the same results give the same
        // bytes.
        names.sort_unstable();
        json!(names)
    }

    fn candidates(&self, system: Option<&Mention<'_>>) -> Value {
        let unmapped: HashSet<usize> =
            system.into_iter().flat_map(Mention::no_mapping_candidates).collect();
        let nil = |at| if unmapped.contains(&at) { NO_MAPPING } else { NIL };
        let candidates = system.into_iter().flat_map(Mention::candidates).enumerate();
        let mut ids: Vec<&str> =
            candidates.map(|(at, candidate)| candidate.entity.unwrap_or(nil(at))).collect();
        ids.sort_unstable();
        ids.dedup();
        ids.into_iter().map(|id| json!({ "entity_id": id, "name": self.name(id) })).collect()
    }

    fn predicted(&self, system: &Mention<'_>) -> Value {
        let Some(id) = system.entity() else {
            return json!({ "entity_id": nil(system), "name": UNKNOWN, "type": OTHER });
        };
        json!({ "entity_id": id, "name": self.name(id), "type": self.types(id) })
    }

    fn name(&self, id: &str) -> Option<&str> {
        if [NIL, NO_MAPPING].contains(&id) {
            return Some(UNKNOWN);
        }
        self.base?.entity(id)?.name()
    }

    fn types(&self, id: &str) -> Option<String> {
        let entity = self.base?.entity(id)?;
        if let Some(literal) = entity.kind().literal() {
            return Some(literal.to_owned());
        }
        let types = self.taxonomy.adjusted(entity.types().known()?);
        Some(if types.is_empty() { OTHER.to_owned() } else { types.join("|") })
    }
}

/// How ELEVANT writes that a prediction is NIL.
fn nil(system: &Mention<'_>) -> &'static str {
    match system.attribute(attribute::NIL_REASON) {
        Some(attribute::NO_MAPPING) => NO_MAPPING,
        _ => NIL,
    }
}

/// What a case counts as in linking; null if that is not known.
fn linking(judgement: &Judgement, mode: usize) -> Value {
    match judgement.unsure {
        true => Value::Null,
        false => verdicts(judgement.linking[mode]),
    }
}

fn by_mode(of: impl Fn(usize) -> Value) -> Value {
    let modes = Unknowns::BOTH.map(|mode| (mode_name(mode).to_owned(), of(mode.index())));
    Value::Object(modes.into_iter().collect())
}

fn verdicts(verdicts: Verdicts) -> Value {
    let names = [(Verdicts::MISSED, "FN"), (Verdicts::EXTRA, "FP"), (Verdicts::HIT, "TP")];
    let has = |(verdict, _): &(Verdicts, &str)| verdicts.contains(*verdict);
    names.into_iter().filter(has).map(|(_, name)| name).collect()
}

fn mention_type(kind: MentionType) -> String {
    kind.name().to_uppercase()
}
