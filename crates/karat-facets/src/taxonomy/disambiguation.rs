//! Recognised mentions with the wrong entity, by what makes them hard.

use super::recognition::is_known;
use super::{CaseLabels, Category, Label, Labelled, Stage, Taxonomy};
use karat_match::Verdicts;
use karat_model::{attribute, literal};
use std::borrow::Cow;

/// What is known of a question; `None` if it cannot be told.
type Known = Option<bool>;

/// What a text mostly means.
struct Usual<'k> {
    entities: Vec<&'k str>,
    /// Something else as well, which the knowledge base cannot name; it is not gold.
    unnamed: bool,
    unnamed_place: bool,
}

impl<'a> Stage<'_, 'a> {
    pub(super) fn disambiguation(&self, case: &Labelled<'a>, labels: &mut CaseLabels) {
        let wrong = case.is_wrong_link(self.unknowns);
        if !wrong && !case.linking(self.unknowns).contains(Verdicts::HIT) {
            return;
        }
        labels.add(Label { category: Category::Disambiguation, wrong });
        let label = |category| Label { category, wrong };
        let by_prediction = wrong && self.taxonomy.by_prediction;
        let found = self.hardships(case, by_prediction, false);
        // One answer is certain. Several mean that something could not be told, and everything from
        // the first open question on remains possible.
        if let [only] = found.as_slice() {
            labels.add(label(*only));
            return;
        }
        labels.possible.extend(found.into_iter().map(label));
        if let [only] = self.hardships(case, by_prediction, true).as_slice() {
            labels.in_closed_world = Some(label(*only));
        }
    }

    /// The first of these that applies: of those that cannot be told, all, and what comes after. In a
    /// closed world, what the knowledge base cannot name was never predicted.
    pub(super) fn hardships(
        &self,
        case: &Labelled<'a>,
        by_prediction: bool,
        closed: bool,
    ) -> Vec<Category> {
        let usual = self.usual(case);
        let mut found = Vec::new();
        for (category, applies) in [
            (Category::Demonym, self.is_demonym(case)),
            (Category::Metonymy, self.is_metonymy(case, usual.as_ref(), by_prediction)),
            (Category::PartialName, self.is_partial_name(case)),
            (Category::Rare, self.is_rare(case, usual.as_ref(), by_prediction, closed)),
            (Category::DisambiguationOther, Some(true)),
        ] {
            if applies != Some(false) {
                found.push(category);
            }
            if applies == Some(true) {
                break;
            }
        }
        found
    }

    fn usual(&self, case: &Labelled<'a>) -> Option<Usual<'_>> {
        let candidates = self.base?.candidates(case.text?).known()?;
        let entities = candidates.most_popular().known()?;
        let (unnamed, unnamed_place) =
            (candidates.has_unnamed(), candidates.has_unnamed_location());
        Some(Usual { entities, unnamed, unnamed_place })
    }

    /// What gold calls unknown is no demonym, whatever its type.
    fn is_demonym(&self, case: &Labelled<'a>) -> Known {
        let fits = || self.has_type(case, self.taxonomy.demonym_types);
        let is_one = || self.base?.is_demonym(case.text?).known();
        and(and(Some(is_known(case)), fits), is_one)
    }

    fn is_metonymy(
        &self,
        case: &Labelled<'a>,
        usual: Option<&Usual<'_>>,
        by_prediction: bool,
    ) -> Known {
        let is_other = || self.has_type(case, Taxonomy::NO_METONYMY).map(|has| !has);
        let may_be = and(Some(is_known(case)), is_other);
        let predicted = || match (by_prediction, case.predicted()) {
            (false, _) => Some(true),
            (true, None) => Some(false),
            (true, Some(entity)) => self.is_place(entity),
        };
        let mostly_a_place = || {
            let usual = usual?;
            let named = usual.entities.iter().map(|entity| self.is_place(entity));
            any(named.chain([Some(usual.unnamed_place)]))
        };
        and(and(may_be, mostly_a_place), predicted)
    }

    fn is_place(&self, entity: &str) -> Known {
        let base = self.base?;
        base.is_place(&base.entity(entity)?)
    }

    /// Whether a name mostly means something else.
    fn is_rare(
        &self,
        case: &Labelled<'a>,
        usual: Option<&Usual<'_>>,
        by_prediction: bool,
        closed: bool,
    ) -> Known {
        let usual = usual?;
        let among = |entity: Option<&str>| {
            entity.is_some_and(|id| usual.entities.contains(&self.canonical(id).as_ref()))
        };
        let has_other = !usual.entities.is_empty() || usual.unnamed;
        let is_rare = has_other && !among(case.gold.and_then(|gold| gold.entity()));
        let as_predicted = || match (by_prediction, case.predicted()) {
            (false, _) => Some(true),
            (true, None) => Some(false),
            (true, predicted) if among(predicted) => Some(true),
            (true, _) => (closed || !usual.unnamed).then_some(false),
        };
        and(Some(is_rare), as_predicted)
    }

    /// The id by which the base knows an entity.
    fn canonical<'i>(&'i self, id: &'i str) -> Cow<'i, str> {
        self.base.map_or(Cow::Borrowed(id), |base| base.resolve(id))
    }

    /// Whether gold has one of these types: as the benchmark says, in the types of ELEVANT, or else as
    /// the knowledge base does.
    fn has_type(&self, case: &Labelled<'a>, types: &[&str]) -> Known {
        let Some(gold) = case.gold else { return Some(false) };
        let is_wanted = |name: &str| types.contains(&self.taxonomy.merged(name));
        if gold.types().any(is_wanted) {
            return Some(true);
        }
        let is_coarse = |name: &str| {
            literal::is_literal(name) || name == literal::OTHER || Taxonomy::TYPES.contains(&name)
        };
        if gold.types().next().is_some() && gold.types().all(is_coarse) {
            return Some(false);
        }
        let base = self.base?;
        let given = || {
            let reached = base.reached(gold.types(), is_wanted)?;
            Some(!reached.is_empty())
        };
        let known =
            || Some(!base.types_among(&base.entity(gold.entity()?)?, is_wanted)?.is_empty());
        given().filter(|has| *has).or_else(known)
    }

    /// Whether the mention is a part of the name of its entity.
    fn is_partial_name(&self, case: &Labelled<'a>) -> Known {
        if !is_known(case) {
            return Some(false);
        }
        let (gold, text) = (case.gold?, case.text?);
        let known = || self.base?.entity(gold.entity()?)?.name();
        let name = gold.attribute(attribute::NAME).or_else(known)?;
        Some(name.contains(' ') && name.len() > text.len() && name.contains(text))
    }
}

fn and(first: Known, second: impl FnOnce() -> Known) -> Known {
    match first {
        Some(false) => Some(false),
        Some(true) => second(),
        // Unknown and false is false; unknown and true is unknown.
        None => second().filter(|known| !known),
    }
}

fn any(all: impl Iterator<Item = Known>) -> Known {
    let mut known = Some(false);
    for one in all {
        match one {
            Some(true) => return Some(true),
            Some(false) => {}
            None => known = None,
        }
    }
    known
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_not_known_spreads_only_where_it_matters() {
        assert_eq!(and(None, || Some(false)), Some(false));
        assert_eq!(and(None, || Some(true)), None);
        assert_eq!(and(Some(false), || None), Some(false));
        assert_eq!(any([None, Some(true)].into_iter()), Some(true));
        assert_eq!(any([None, Some(false)].into_iter()), None);
    }
}
