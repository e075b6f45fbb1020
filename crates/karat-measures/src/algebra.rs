//! neleval's notation for measures: `AGGREGATE:FILTER:KEY`.

use crate::clustering::cluster_measure::{Clusters, Counting};
use crate::clustering::{
    b_cubed, cs_b_cubed, entity_ceaf, entity_cs_ceaf, lea, mention_ceaf, mention_cs_ceaf, muc,
    pairwise, pairwise_negative,
};
use crate::fields::{Field, Fields};
use crate::items::items;
use crate::measure::Compute;
use crate::measures::overlap::{MODES, Mode, Overlap};
use crate::name::NameError;
use crate::preset::Convention;
use crate::select::Measure;
use karat_match::{Agreement, Assignment, Criteria, Keep};
use std::sync::Arc;

/// The measure that `text` writes in this notation; `None` if it is not written in it.
pub(crate) fn parse(text: &str, convention: &Convention) -> Result<Option<Measure>, NameError> {
    let parts: Vec<&str> = text.split(':').collect();
    let &[aggregate, filter, key] = parts.as_slice() else { return Ok(None) };
    // neleval writes `sets-micro` and the like for what is the default here.
    let aggregate = aggregate.strip_suffix("-micro").unwrap_or(aggregate);
    let fields = fields(filter, key, text)?;
    let compute = match aggregate {
        "sets" => sets(fields),
        _ => match (aggregate.strip_prefix("overlap-").and_then(modes), counting(aggregate)) {
            (Some((gold, system)), _) => overlap(gold, system, fields, text)?,
            (None, Some(counting)) => clusters(counting, fields, text)?,
            (None, None) => return Err(unknown(aggregate)),
        },
    };
    let mut settings = convention.settings.clone();
    // neleval compares sets whatever the measure: equal annotations of a side are one.
    settings.assignment = Assignment::Sets;
    Ok(Some(Measure { name: text.to_owned(), canonical: text.to_owned(), settings, compute }))
}

/// What counts a table of clusters.
const CLUSTERS: [(&str, Counting); 10] = [
    ("muc", muc::COUNTING),
    ("b_cubed", b_cubed::COUNTING),
    ("mention_ceaf", mention_ceaf::COUNTING),
    ("entity_ceaf", entity_ceaf::COUNTING),
    ("pairwise", pairwise::COUNTING),
    ("pairwise_negative", pairwise_negative::COUNTING),
    ("lea", lea::COUNTING),
    ("cs_b_cubed", cs_b_cubed::COUNTING),
    ("mention_cs_ceaf", mention_cs_ceaf::COUNTING),
    ("entity_cs_ceaf", entity_cs_ceaf::COUNTING),
];

fn counting(aggregate: &str) -> Option<Counting> {
    CLUSTERS.iter().find(|(known, _)| *known == aggregate).map(|&(_, counting)| counting)
}

fn unknown(aggregate: &str) -> NameError {
    let overlaps = ["overlap-maxmax", "overlap-maxsum", "overlap-summax", "overlap-sumsum"];
    let clusters = CLUSTERS.iter().map(|&(name, _)| name);
    let names: Vec<&str> = overlaps.into_iter().chain(clusters).collect();
    NameError::new(
        format!("there is no aggregate `{aggregate}`"),
        format!("aggregates are sets, {}", names.join(", ")),
    )
}

fn fields(filter: &str, key: &str, text: &str) -> Result<Fields, NameError> {
    let field = |name: &str| Field::named(name).ok_or_else(|| unknown_field(name, text));
    let filter = match filter {
        "" | "None" => None,
        name => Some(field(name)?),
    };
    Ok(Fields { filter, key: key.split('+').map(field).collect::<Result<_, _>>()? })
}

pub(crate) fn unknown_field(name: &str, text: &str) -> NameError {
    NameError::new(
        format!("there is no field `{name}` in `{text}`"),
        format!("fields are {}", Field::names()),
    )
}

/// Sets of keys: the usual ones by their numbers, others by all they say.
fn sets(fields: Fields) -> Compute {
    match criteria(&fields) {
        Some(criteria) => items(criteria),
        None => fields.sets(),
    }
}

fn clusters(counting: Counting, fields: Fields, text: &str) -> Result<Compute, NameError> {
    if !fields.key.iter().any(Field::is_of_document) {
        return Err(NameError::new(
            format!("the key of `{text}` has neither span nor docid"),
            "clusters are of mentions, which belong to a document: write for example b_cubed::span+kbid",
        ));
    }
    let clusters = match criteria(&fields) {
        Some(criteria) => Clusters::new(criteria, counting),
        None => Clusters::of_fields(fields, counting),
    };
    Ok(Compute::Corpus(Arc::new(clusters)))
}

/// What matching knows of these fields; `None` if they ask for more.
fn criteria(fields: &Fields) -> Option<Criteria> {
    let keep = match fields.filter {
        None => Keep::All,
        Some(Field::IsLinked | Field::Entity) => Keep::Linked,
        Some(Field::IsNil) => Keep::Nil,
        Some(Field::IsFirst) => Keep::First,
        Some(_) => return None,
    };
    let mut agree = Agreement::empty();
    for field in &fields.key {
        agree |= match field {
            Field::Span => Agreement::SPAN,
            // Items are compared document by document.
            Field::Document => Agreement::empty(),
            Field::Entity => Agreement::ENTITY,
            Field::Id => Agreement::CLUSTER,
            Field::Type => Agreement::TYPE,
            _ => return None,
        };
    }
    fields.key.iter().any(Field::is_of_document).then(|| Criteria::new(keep, agree))
}

/// How overlaps count in gold, then in the output.
fn modes(text: &str) -> Option<(Mode, Mode)> {
    let (gold, system) = text.split_at_checked(3)?;
    Some((MODES.read(gold)?, MODES.read(system)?))
}

fn overlap(gold: Mode, system: Mode, mut fields: Fields, text: &str) -> Result<Compute, NameError> {
    if !fields.key.contains(&Field::Span) {
        return Err(NameError::new(
            format!("the key of `{text}` has no span"),
            "overlap measures compare spans: write for example overlap-maxmax::span+kbid",
        ));
    }
    // Spans need not be equal, only overlap.
    fields.key.retain(|field| *field != Field::Span);
    Ok(Overlap { gold, system, fields }.compute())
}
