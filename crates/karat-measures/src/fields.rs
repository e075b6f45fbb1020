//! Fields of annotations, as neleval's notation names them, and sets of their values.
//!
//! The usual keys are numbers and have a faster way ([`crate::items`]); this one takes any.

use crate::asked::asked;
use crate::measure::{Compute, CorpusMeasure, DocumentMeasure, Gathered, Scores, credit_scores};
use crate::score::{Credit, Zero};
use crate::type_weights::{TypeWeights, WeightedSets};
use karat_match::{Agreement, Criteria, Item, Keep, Scene, Settings, Side};
use karat_model::closest;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::Arc;

/// Something that an annotation says.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Field {
    /// Its document.
    Document,
    /// Its document, start and end.
    Span,
    /// Where it starts.
    Start,
    /// Where it ends.
    End,
    /// Its entity; all NIL are the same.
    Entity,
    /// Its entity or NIL cluster.
    Id,
    /// Its types.
    Type,
    /// Its confidence.
    Score,
    /// Whether it has an entity.
    IsLinked,
    /// Whether it has none.
    IsNil,
    /// Whether it is the first of its entity in the document.
    IsFirst,
    /// Its first candidate, with all that is said of it.
    Link,
    /// Its candidates.
    Candidates,
    /// A further fact.
    Attribute(String),
}

/// Before the name of an attribute that is called like a field.
const PREFIX: &str = "attribute.";

const FIELDS: [(&str, Field); 13] = [
    ("span", Field::Span),
    ("docid", Field::Document),
    ("start", Field::Start),
    ("end", Field::End),
    ("kbid", Field::Entity),
    ("eid", Field::Id),
    ("type", Field::Type),
    ("score", Field::Score),
    ("is_linked", Field::IsLinked),
    ("is_nil", Field::IsNil),
    ("is_first", Field::IsFirst),
    ("link", Field::Link),
    ("candidates", Field::Candidates),
];

impl Field {
    /// The field with this name. What is no field of every annotation is an attribute, unless it looks
    /// like a field that was mistyped.
    pub(crate) fn named(name: &str) -> Option<Field> {
        let known = FIELDS.iter().find(|(known, _)| *known == name);
        if let Some((_, field)) = known {
            return Some(field.clone());
        }
        let attribute = match name.strip_prefix(PREFIX) {
            Some(attribute) => attribute,
            // A mistyped field would silently be an attribute that no annotation has, and every
            // score 0.
            None if closest(name, FIELDS.iter().map(|(known, _)| *known)).is_some() => return None,
            None => name,
        };
        (!attribute.is_empty()).then(|| Field::Attribute(attribute.to_owned()))
    }

    /// All names, for messages.
    pub(crate) fn names() -> String {
        let names: Vec<&str> = FIELDS.iter().map(|(name, _)| *name).collect();
        format!("{}, or {PREFIX}NAME", names.join(", "))
    }

    /// The attribute that it is, if it is one.
    pub(crate) fn attribute(&self) -> Option<&str> {
        match self {
            Field::Attribute(name) => Some(name),
            _ => None,
        }
    }

    /// Whether its value belongs to one document.
    pub(crate) fn is_of_document(&self) -> bool {
        matches!(self, Field::Document | Field::Span)
    }
}

/// The value of a field. Documents are compared one by one, so their names need not be in it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
enum Value<'a> {
    Nothing,
    Number(u64),
    Text(&'a str),
    Several(u128),
}

/// Which annotations are looked at, and what makes two of them the same.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Fields {
    /// The field that must be true, present or other than nought.
    pub(crate) filter: Option<Field>,
    /// The fields that must agree.
    pub(crate) key: Vec<Field>,
}

impl Fields {
    /// The attributes that they are.
    pub(crate) fn attributes(&self) -> Vec<&str> {
        self.filter.iter().chain(&self.key).filter_map(Field::attribute).collect()
    }

    /// The positions of the items that are looked at, with their keys.
    pub(crate) fn keys(&self, side: &Side<'_>) -> Vec<(usize, u128)> {
        let needs_firsts = self.filter.iter().chain(&self.key).any(|it| *it == Field::IsFirst);
        let firsts = if needs_firsts { side.firsts() } else { Vec::new() };
        let value = |field: &Field, at: usize| value(field, side, &side.items[at], &|| firsts[at]);
        let is_kept = |at: &usize| match &self.filter {
            Some(filter) => is_true(filter, value(filter, *at)),
            None => true,
        };
        let key = |at: usize| digest(self.key.iter().map(|field| value(field, at)));
        (0..side.items.len()).filter(is_kept).map(|at| (at, key(at))).collect()
    }

    /// The distinct keys of a side, in order, of what is optional or of what is not.
    pub(crate) fn set(&self, side: &Side<'_>, optional: bool) -> Vec<u128> {
        let keys = self.keys(side).into_iter();
        let keys = keys.filter(|&(at, _)| side.items[at].optional == optional);
        let mut keys: Vec<u128> = keys.map(|(_, key)| key).collect();
        keys.sort_unstable();
        keys.dedup();
        keys
    }

    /// The distinct keys of what is not optional, in order, each with the item that is
    /// [meant](Settings::meant).
    pub(crate) fn meant_items(&self, side: &Side<'_>, settings: &Settings) -> Vec<(u128, u32)> {
        let keys = self.keys(side).into_iter().filter(|&(at, _)| !side.items[at].optional);
        let mut keys: Vec<(u128, u32)> = keys.map(|(at, key)| (key, at as u32)).collect();
        keys.sort_unstable_by_key(|&(key, at)| (key, settings.meant(side, at)));
        keys.dedup_by_key(|(key, _)| *key);
        keys
    }

    /// The distinct keys of gold and of the output, in order. Optional gold is not asked for, and what
    /// only meets optional gold is not held against the system.
    fn sets_of(&self, settings: &Settings, scene: &Scene<'_>) -> (Vec<u128>, Vec<u128>) {
        let part = asked(settings, scene);
        let scene = part.as_ref().unwrap_or(scene);
        let (gold, mut system) = (self.set(&scene.gold, false), self.set(&scene.system, false));
        let optional = self.set(&scene.gold, true);
        let has = |keys: &[u128], key: &u128| keys.binary_search(key).is_ok();
        system.retain(|key| !has(&optional, key) || has(&gold, key));
        (gold, system)
    }

    /// The measure that compares the sets of keys of both sides: document by document if
    /// the key says in which document it is, and else over the whole corpus.
    pub(crate) fn sets(self) -> Compute {
        match self.key.iter().any(Field::is_of_document) {
            true => Compute::Documents(Arc::new(SetsOfDocuments(self))),
            false => Compute::Corpus(Arc::new(SetsOfCorpus(self))),
        }
    }
}

impl From<Criteria> for Fields {
    fn from(criteria: Criteria) -> Fields {
        let filter = match criteria.keep {
            Keep::All => None,
            Keep::Linked => Some(Field::IsLinked),
            Keep::Nil => Some(Field::IsNil),
            Keep::First => Some(Field::IsFirst),
        };
        let asked = [
            (Agreement::SPAN, Field::Span),
            (Agreement::ENTITY, Field::Entity),
            (Agreement::CLUSTER, Field::Id),
            (Agreement::TYPE, Field::Type),
        ];
        let asked = asked.into_iter().filter(|(agreement, _)| criteria.agree.contains(*agreement));
        let mut key = vec![Field::Document];
        key.extend(asked.map(|(_, field)| field));
        Fields { filter, key }
    }
}

fn value<'a>(
    field: &Field,
    side: &Side<'a>,
    item: &Item,
    is_first: &dyn Fn() -> bool,
) -> Value<'a> {
    let flag = |flag: bool| Value::Number(u64::from(flag));
    let link = item.link;
    match field {
        Field::Document => Value::Nothing,
        Field::Span => Value::Number(u64::from(item.span.start) << 32 | u64::from(item.span.end)),
        Field::Start => Value::Number(u64::from(item.span.start)),
        Field::End => Value::Number(u64::from(item.span.end)),
        Field::Entity => {
            link.entity().map_or(Value::Nothing, |_| Value::Number(u64::from(link.code())))
        }
        Field::Id if link.is_none() => Value::Nothing,
        Field::Id => Value::Number(u64::from(link.code())),
        Field::Type if item.types == Default::default() => Value::Nothing,
        Field::Type => Value::Number(item.types.index() as u64),
        // Adding nought makes one of the two noughts.
        Field::Score => side
            .confidence(item)
            .map_or(Value::Nothing, |score| Value::Number((score + 0.0).to_bits())),
        Field::IsLinked => flag(link.entity().is_some()),
        Field::IsNil => flag(link.entity().is_none()),
        Field::IsFirst => flag(is_first()),
        Field::Link if link.is_none() => Value::Nothing,
        Field::Link => {
            let plain = [Field::Id, Field::Type, Field::Score];
            let plain = plain.iter().map(|field| value(field, side, item, is_first));
            let facts = side.mention(item).into_iter().flat_map(|mention| mention.attributes());
            let facts = facts.flat_map(|(name, fact)| [Value::Text(name), Value::Text(fact)]);
            Value::Several(digest(plain.chain(facts)))
        }
        Field::Candidates => match side.candidates(item).as_slice() {
            [] => Value::Nothing,
            ranked => {
                let codes = ranked.iter().map(|link| Value::Number(u64::from(link.code())));
                Value::Several(digest(codes))
            }
        },
        Field::Attribute(name) => {
            let said = side.mention(item).and_then(|mention| mention.attribute(name));
            said.map_or(Value::Nothing, Value::Text)
        }
    }
}

/// Whether a filter keeps an annotation: as in Python, nought and nothing do not.
fn is_true(filter: &Field, value: Value<'_>) -> bool {
    match (filter, value) {
        // Numbers of strings and packed spans say something whatever they are, and the
        // last position of neleval, which is asked for, is one less than the end.
        (Field::Document | Field::Span, _) => true,
        (Field::Entity | Field::Id | Field::Type, value) => value != Value::Nothing,
        (_, Value::Several(_)) => true,
        (Field::End, Value::Number(end)) => end != 1,
        (_, Value::Number(number)) => number != 0,
        (_, Value::Text(text)) => !text.is_empty(),
        (_, Value::Nothing) => false,
    }
}

/// The values in sixteen bytes. That two keys of a corpus fall together by chance is less
/// likely than a bit that flips in memory.
fn digest<'a>(values: impl Iterator<Item = Value<'a>>) -> u128 {
    let (mut high, mut low) = (DefaultHasher::new(), DefaultHasher::new());
    // A byte of difference makes the second hash independent of the first. The keys of
    // `DefaultHasher::new` are fixed, so digests are the same in every run.
    low.write_u8(1);
    for value in values {
        value.hash(&mut high);
        value.hash(&mut low);
    }
    u128::from(high.finish()) << 64 | u128::from(low.finish())
}

/// Credit of two sorted lists of distinct keys.
fn credit(gold: &[u128], system: &[u128]) -> [f64; 4] {
    let hits = gold.iter().filter(|key| system.binary_search(key).is_ok()).count() as f64;
    [hits, system.len() as f64 - hits, hits, gold.len() as f64 - hits]
}

#[derive(Debug)]
struct SetsOfDocuments(Fields);

impl DocumentMeasure for SetsOfDocuments {
    fn attributes(&self) -> Vec<&str> {
        self.0.attributes()
    }

    fn columns(&self) -> &'static [&'static str] {
        &Credit::COLUMNS
    }

    fn tally(&self, settings: &Settings, scene: &Scene<'_>, counts: &mut [f64]) {
        let (gold, system) = self.0.sets_of(settings, scene);
        let credit = credit(&gold, &system);
        for (count, more) in counts.iter_mut().zip(credit) {
            *count += more;
        }
    }

    fn scores(&self, counts: &[f64], zero: Zero) -> Scores {
        credit_scores(counts, zero)
    }

    fn weighted(&self, weights: &Arc<TypeWeights>) -> Option<Arc<dyn DocumentMeasure>> {
        Some(Arc::new(WeightedSets::of(self.0.clone(), weights)?))
    }
}

#[derive(Debug)]
struct SetsOfCorpus(Fields);

impl CorpusMeasure for SetsOfCorpus {
    fn attributes(&self) -> Vec<&str> {
        self.0.attributes()
    }

    fn purpose(&self) -> String {
        format!("{:?}", self.0)
    }

    fn gather(&self, settings: &Settings, scene: &Scene<'_>, gathered: &mut Gathered) {
        let (gold, system) = self.0.sets_of(settings, scene);
        gathered.gold_keys.extend(gold);
        gathered.system_keys.extend(system);
    }

    /// Keys are made of the numbers that links and types have in one pairing.
    fn can_be_merged(&self) -> bool {
        false
    }

    fn columns(&self) -> &'static [&'static str] {
        &Credit::COLUMNS
    }

    fn total(&self, gathered: &Gathered) -> Vec<f64> {
        let set = |keys: &[u128]| {
            let mut keys = keys.to_vec();
            keys.sort_unstable();
            keys.dedup();
            keys
        };
        credit(&set(&gathered.gold_keys), &set(&gathered.system_keys)).to_vec()
    }

    fn scores(&self, counts: &[f64], zero: Zero) -> Scores {
        credit_scores(counts, zero)
    }
}
