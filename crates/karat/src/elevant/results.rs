//! `eval_results.json`.

use crate::errors::{ErrorCounts, Hits, ModeCounts};
use karat_facets::taxonomy::{Category, MentionType, Taxonomy};
use karat_match::Unknowns;
use karat_model::literal::OTHER;
use serde_json::{Map, Value, json};

/// Counts as ELEVANT writes them. What is not known for want of facts is null.
pub fn results(counts: &ErrorCounts, taxonomy: &Taxonomy) -> Value {
    let modes = Unknowns::BOTH.map(|unknowns| {
        let of_mode = Mode { all: counts, of: &counts.modes[unknowns.index()], taxonomy };
        (mode_name(unknowns).to_owned(), of_mode.json())
    });
    Value::Object(modes.into_iter().collect())
}

/// What ELEVANT calls a mode.
pub(super) fn mode_name(unknowns: Unknowns) -> &'static str {
    match unknowns {
        Unknowns::Ignored => "IGNORED",
        Unknowns::Required => "REQUIRED",
    }
}

struct Mode<'c> {
    all: &'c ErrorCounts,
    of: &'c ModeCounts,
    taxonomy: &'c Taxonomy,
}

impl Mode<'_> {
    fn json(&self) -> Value {
        json!({
            "mention_types": self.mention_types(),
            "error_categories": self.error_categories(),
            "entity_types": self.entity_types(),
        })
    }

    fn mention_types(&self) -> Value {
        let kind = |kind: MentionType| self.of.mention_types[kind as usize];
        let unsure = |kind: MentionType| self.of.unsure[kind as usize];
        let (entity, coref): (Vec<MentionType>, Vec<MentionType>) =
            MentionType::ALL.into_iter().partition(|kind| !kind.is_coreference());
        let textless = self.of.textless;
        let mut types = Map::new();
        types.insert("all".to_owned(), scores(self.of.all(), self.of.unsure()));
        let groups = [("entity", entity, self.of.named_or_not), ("coref", coref, Hits::default())];
        for (name, kinds, others) in groups {
            let hits = kinds.iter().copied().map(kind).chain([others]).sum();
            // Without texts it is not known which mentions are pronouns, so that any number that
            // depends on it is unknown (null).
            let unsure = kinds.iter().copied().map(unsure).chain([textless]).sum();
            types.insert(name.to_owned(), scores(hits, unsure));
        }
        let kinds = MentionType::ALL.into_iter();
        for which in
            kinds.filter(|kind| self.taxonomy.unknown_mentions || *kind != MentionType::Unknown)
        {
            let others = match which {
                MentionType::Named | MentionType::NonNamed => self.of.named_or_not,
                _ => Hits::default(),
            };
            let unsure = [unsure(which), others, textless].into_iter().sum();
            let name = match which {
                MentionType::NonNamed if !self.taxonomy.unknown_mentions => "entity_other",
                which => which.name(),
            };
            types.insert(name.to_owned(), scores(kind(which), unsure));
        }
        Value::Object(types)
    }

    fn error_categories(&self) -> Value {
        let mut families = Map::new();
        families.insert("ner".to_owned(), scores(self.of.recognition, Hits::default()));
        let known = |category: &Category| karat_facets::taxonomy::Label::wrong(*category).elevant();
        for category in Category::all().filter(|category| known(category).is_some()) {
            let family = families.entry(category.family()).or_insert_with(|| json!({}));
            if let Value::Object(family) = family {
                family.insert(category.key().to_owned(), self.category(category));
            }
        }
        Value::Object(families)
    }

    fn category(&self, category: Category) -> Value {
        let errors = self.of.errors(category);
        let is_plain = matches!(
            category,
            Category::Extra
                | Category::ExtraLowercased
                | Category::ExtraGroundtruthUnknown
                | Category::ExtraOther
                | Category::DisambiguationOther
        );
        match category {
            Category::CoreferenceFalseDetection => json!(errors),
            _ if is_plain && self.taxonomy.plain_counts => json!(errors),
            category if category.needs_candidates() && !self.all.has_choice => Value::Null,
            _ => {
                let total = self.of.total(category, self.all.words, !self.taxonomy.by_prediction);
                json!({ "errors": errors, "total": total })
            }
        }
    }

    fn entity_types(&self) -> Value {
        let of = |name: &str| self.of.types.get(name).copied().unwrap_or_default();
        let types = [OTHER].into_iter().chain(self.all.types.iter().map(String::as_str));
        let scores = |name: &str| (name.to_owned(), scores(of(name), self.of.untyped));
        Value::Object(types.map(scores).collect())
    }
}

/// Counts and scores. Where further cases may belong here, numbers that depend on them are null.
fn scores(hits: Hits, unsure: Hits) -> Value {
    let sure = |count: u64, unsure: u64| (unsure == 0).then_some(count);
    let tp = sure(hits.hits, unsure.hits);
    let extra = sure(hits.extra, unsure.extra);
    let missed = sure(hits.missed, unsure.missed);
    let precision = tp.zip(extra).map(|(tp, extra)| quotient(tp, tp + extra));
    let recall = tp.zip(missed).map(|(tp, missed)| quotient(tp, tp + missed));
    let f1 = precision.zip(recall).map(|(precision, recall)| {
        // ELEVANT takes an undefined precision or recall for 0 here.
        let (p, r) = (precision.unwrap_or(0.0), recall.unwrap_or(0.0));
        (p + r > 0.0).then(|| 2.0 * p * r / (p + r))
    });
    json!({
        "true_positives": tp,
        "false_positives": extra,
        "false_negatives": missed,
        "ground_truth": tp.zip(missed).map(|(tp, missed)| tp + missed),
        "precision": number(precision),
        "recall": number(recall),
        "f1": number(f1),
    })
}

/// `None` where it would divide by nothing.
fn quotient(part: u64, whole: u64) -> Option<f64> {
    (whole > 0).then(|| part as f64 / whole as f64)
}

/// A score; what would divide by nothing is a plain 0, and what is not known null.
fn number(score: Option<Option<f64>>) -> Value {
    match score {
        None => Value::Null,
        // ELEVANT writes the integer 0 for a division by nothing.
        Some(None) => json!(0),
        Some(Some(score)) => json!(score),
    }
}
