//! The measures: one file each, one line here.

use crate::clustering::{
    b_cubed, b_cubed_plus, blanc, cs_b_cubed, entity_ceaf, entity_cs_ceaf, lea, mention_ceaf,
    mention_ceaf_plus, mention_cs_ceaf, muc, nil_clusters, pairwise, pairwise_negative,
    typed_mention_ceaf, typed_mention_ceaf_plus,
};
use crate::measure::Definition;

mod accuracy;
mod all;
mod average_precision;
mod brier;
mod c2kb;
mod calibration_error;
mod candidate_recall;
mod d2kb;
pub(crate) mod disambiguation;
mod etyping;
mod fuzzy;
mod gold_rank;
mod hierarchical_type;
mod link;
mod linked_mention;
mod linking;
mod map;
mod mention;
mod mrr;
mod nervaluate;
mod nil;
pub(crate) mod overlap;
mod query;
mod query_link;
mod query_nil;
mod r_precision;
mod recognition;
mod risk_coverage;
mod similarity;
mod tag;
mod typed_all;
mod typed_link;
mod typed_mention;
mod typed_nil;

pub use query::QUERY;

/// All measures, in the order in which they are listed.
pub static MEASURES: &[&Definition] = &[
    &mention::MENTION,
    &linked_mention::LINKED_MENTION,
    &link::LINK,
    &nil::NIL,
    &all::ALL,
    &typed_mention::TYPED_MENTION,
    &typed_link::TYPED_LINK,
    &typed_nil::TYPED_NIL,
    &typed_all::TYPED_ALL,
    &hierarchical_type::HIERARCHICAL_TYPE,
    &etyping::ETYPING,
    &tag::TAG,
    &c2kb::C2KB,
    &d2kb::D2KB,
    &disambiguation::DISAMBIGUATION,
    &query::QUERY,
    &query_link::QUERY_LINK,
    &query_nil::QUERY_NIL,
    &linking::LINKING,
    &recognition::RECOGNITION,
    &fuzzy::FUZZY,
    &accuracy::ACCURACY,
    &candidate_recall::CANDIDATE_RECALL,
    &gold_rank::GOLD_RANK,
    &mrr::MRR,
    &map::MAP,
    &r_precision::R_PRECISION,
    &nervaluate::NERVALUATE,
    &overlap::OVERLAP,
    &average_precision::AVERAGE_PRECISION,
    &risk_coverage::RISK_COVERAGE,
    &calibration_error::CALIBRATION_ERROR,
    &brier::BRIER,
    &similarity::SIMILARITY,
    &muc::DEFINITION,
    &b_cubed::DEFINITION,
    &b_cubed_plus::DEFINITION,
    &mention_ceaf::DEFINITION,
    &mention_ceaf_plus::DEFINITION,
    &typed_mention_ceaf::DEFINITION,
    &typed_mention_ceaf_plus::DEFINITION,
    &entity_ceaf::DEFINITION,
    &pairwise::DEFINITION,
    &pairwise_negative::DEFINITION,
    &blanc::DEFINITION,
    &lea::DEFINITION,
    &nil_clusters::DEFINITION,
    &cs_b_cubed::DEFINITION,
    &mention_cs_ceaf::DEFINITION,
    &entity_cs_ceaf::DEFINITION,
];
