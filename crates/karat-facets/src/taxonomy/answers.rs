//! What mentions say, in terms that are common to gold and system.

use karat_kb::{EntityKind, KnowledgeBase};
use karat_match::{Item, Side};
use karat_model::literal::{DATETIME, QUANTITY};
use karat_model::{Link, Mention, attribute};
use std::collections::HashSet;

/// One thing that a mention says.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum Said<'a> {
    /// An entity, by the number that both sides know it by.
    Entity(Link),
    /// NIL, and why.
    Nil(Option<&'a str>),
    /// A quantity or a date.
    Literal(&'static str),
}

/// What a gold mention says; a prediction that says one of it is right.
pub(super) fn of_gold<'a>(side: &Side<'a>, item: &Item, mention: &Mention<'a>) -> Vec<Said<'a>> {
    let literal = [QUANTITY, DATETIME].into_iter().find(|name| mention.types().eq([*name]));
    spelled(side, item, mention).chain(literal.map(Said::Literal)).collect()
}

/// What a prediction says, and what it may say as far as is known.
pub(super) fn of_system<'a>(
    side: &Side<'a>,
    item: &Item,
    mention: &Mention<'a>,
    base: Option<&KnowledgeBase>,
) -> (Vec<Said<'a>>, Vec<Said<'a>>) {
    // NIL is never a quantity or a date. For an entity the base decides, and without one it stays
    // open.
    let kind = mention.entity().map_or(Some(EntityKind::Thing), |id| base?.kind(id));
    let literal = kind.and_then(EntityKind::literal).map(Said::Literal);
    let possible = match kind {
        Some(_) => Vec::new(),
        None => [QUANTITY, DATETIME].map(Said::Literal).to_vec(),
    };
    (spelled(side, item, mention).chain(literal).collect(), possible)
}

fn spelled<'s, 'a>(
    side: &'s Side<'a>,
    item: &Item,
    mention: &Mention<'a>,
) -> impl Iterator<Item = Said<'a>> + use<'s, 'a> {
    let linked = mention.entity().is_some();
    let nil = (!linked && mention.link().is_nil()).then_some(Said::Nil(why_nil(mention)));
    side.links(item).filter(move |_| linked).map(Said::Entity).chain(nil)
}

/// Why a mention is NIL: its cluster, or what the file says.
pub(super) fn why_nil<'a>(mention: &Mention<'a>) -> Option<&'a str> {
    mention.nil_cluster().or(mention.attribute(attribute::NIL_REASON))
}

/// What a candidate is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum Candidate<'a> {
    Entity(Link),
    Nil(Option<&'a str>),
}

/// The candidates of a prediction.
pub(super) fn candidates<'s, 'a>(
    side: &'s Side<'a>,
    mention: &Mention<'a>,
) -> impl Iterator<Item = Candidate<'a>> + use<'s, 'a> {
    let unmapped: HashSet<usize> = mention.no_mapping_candidates().collect();
    mention.candidates().enumerate().map(move |(at, candidate)| match candidate.entity {
        Some(_) => Candidate::Entity(side.renamed(candidate.link)),
        None => {
            let reason = unmapped.contains(&at).then_some(attribute::NO_MAPPING);
            Candidate::Nil(candidate.nil_cluster.or(reason))
        }
    })
}
