//! neleval's notation for measures: `AGGREGATE:FILTER:KEY`.

use crate::clustering::cluster_measure::{Clusters, Count};
use crate::clustering::{
    b_cubed, cs_b_cubed, entity_ceaf, entity_cs_ceaf, lea, mention_ceaf, mention_cs_ceaf, muc,
    pairwise, pairwise_negative,
};
use crate::items::Items;
use crate::measure::Compute;
use crate::name::NameError;
use crate::preset::Convention;
use crate::select::Measure;
use karat_match::{Agreement, Assignment, Criteria, Keep};
use std::sync::Arc;

/// The measure that `text` writes in this notation; `None` if it is not written in it.
pub(crate) fn parse(text: &str, convention: &Convention) -> Result<Option<Measure>, NameError> {
    let parts: Vec<&str> = text.split(':').collect();
    let &[aggregate, filter, key] = parts.as_slice() else { return Ok(None) };
    let aggregate = aggregate.strip_suffix("-micro").unwrap_or(aggregate);
    let criteria = Criteria::new(keep(filter, text)?, agreement(key, text)?);
    let compute = match aggregate {
        "sets" => Compute::Documents(Arc::new(Items { criteria })),
        _ => Compute::Corpus(Arc::new(Clusters::new(criteria, aggregate_of_clusters(aggregate)?))),
    };
    let mut settings = convention.settings.clone();
    settings.assignment = Assignment::Sets;
    Ok(Some(Measure { name: text.to_owned(), canonical: text.to_owned(), settings, compute }))
}

/// What counts a table of clusters.
fn aggregate_of_clusters(name: &str) -> Result<Count, NameError> {
    const AGGREGATES: [(&str, Count); 10] = [
        ("muc", muc::count),
        ("b_cubed", b_cubed::count),
        ("mention_ceaf", mention_ceaf::count),
        ("entity_ceaf", entity_ceaf::count),
        ("pairwise", pairwise::count),
        ("pairwise_negative", pairwise_negative::count),
        ("lea", lea::count),
        ("cs_b_cubed", cs_b_cubed::count),
        ("mention_cs_ceaf", mention_cs_ceaf::count),
        ("entity_cs_ceaf", entity_cs_ceaf::count),
    ];
    let known = AGGREGATES.iter().find(|(known, _)| *known == name);
    known.map(|&(_, count)| count).ok_or_else(|| {
        let names: Vec<&str> = AGGREGATES.iter().map(|&(name, _)| name).collect();
        NameError::new(
            format!("there is no aggregate `{name}`"),
            format!("aggregates are sets, {}", names.join(", ")),
        )
    })
}

fn keep(filter: &str, text: &str) -> Result<Keep, NameError> {
    match filter {
        "" | "None" => Ok(Keep::All),
        "is_linked" | "kbid" => Ok(Keep::Linked),
        "is_nil" => Ok(Keep::Nil),
        "is_first" => Ok(Keep::First),
        _ => Err(NameError::new(
            format!("there is no filter `{filter}` in `{text}`"),
            "filters are is_linked, is_nil, is_first, or nothing",
        )),
    }
}

fn agreement(key: &str, text: &str) -> Result<Agreement, NameError> {
    let mut agreement = Agreement::empty();
    for field in key.split('+') {
        agreement |= match field {
            "span" => Agreement::SPAN,
            // Keys are compared document by document.
            "docid" => Agreement::empty(),
            "kbid" => Agreement::ENTITY,
            "eid" => Agreement::CLUSTER,
            "type" => Agreement::TYPE,
            _ => {
                return Err(NameError::new(
                    format!("there is no field `{field}` in `{text}`"),
                    "fields of a key are span, docid, kbid, eid and type",
                ));
            }
        };
    }
    Ok(agreement)
}
