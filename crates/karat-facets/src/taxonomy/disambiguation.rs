//! Recognised mentions with the wrong entity, by what makes them hard.

use super::recognition::is_known;
use super::{Category, Label, Labelled, Labels, Stage, Taxonomy};
use karat_match::Verdicts;
use karat_model::attribute;

/// What is known of a question; `None` if it cannot be told.
type Known = Option<bool>;

impl<'a> Stage<'_, 'a> {
    pub(super) fn disambiguation(&self, case: &Labelled<'a>, labels: &mut Labels) {
        let wrong = case.is_wrong_link(self.unknowns);
        if !wrong && !case.linking(self.unknowns).contains(Verdicts::HIT) {
            return;
        }
        labels.add(Label { category: Category::Disambiguation, wrong });
        let categories = self.hardships(case, wrong && self.taxonomy.by_prediction);
        let found: Vec<Label> =
            categories.into_iter().map(|category| Label { category, wrong }).collect();
        match found.as_slice() {
            [only] => labels.add(*only),
            _ => labels.possible.extend(found),
        }
    }

    /// The first of these that applies: of those that cannot be told, all, and what comes after.
    fn hardships(&self, case: &Labelled<'a>, by_prediction: bool) -> Vec<Category> {
        let mut found = Vec::new();
        for (category, applies) in [
            (Category::Demonym, self.is_demonym(case)),
            (Category::Metonymy, self.is_metonymy(case, by_prediction)),
            (Category::PartialName, is_partial_name(case)),
            (Category::Rare, self.is_rare(case, by_prediction)),
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

    fn is_demonym(&self, case: &Labelled<'a>) -> Known {
        let fits = has_type(case, self.taxonomy.demonym_types);
        and(Some(fits), || self.facts?.is_demonym(case.text))
    }

    fn is_metonymy(&self, case: &Labelled<'a>, by_prediction: bool) -> Known {
        let may_be = is_known(case) && !has_type(case, Taxonomy::NO_METONYMY);
        let predicted = || match (by_prediction, case.predicted()) {
            (false, _) => Some(true),
            (true, None) => Some(false),
            (true, Some(entity)) => self.is_place(entity),
        };
        let usual = || {
            let popular = self.facts?.most_popular(case.text)?;
            any(popular.into_iter().map(|entity| self.is_place(entity)))
        };
        and(and(Some(may_be), usual), predicted)
    }

    /// A name that mostly means something else. Where the knowledge base knows that there is another
    /// meaning but not which, that is not gold, and may be what was predicted.
    fn is_rare(&self, case: &Labelled<'a>, by_prediction: bool) -> Known {
        let popular = self.facts?.most_popular(case.text)?;
        let among = |entity: Option<&str>| entity.is_some_and(|entity| popular.contains(&entity));
        let gold = case.gold.and_then(|gold| gold.entity());
        let usual = || match (by_prediction, case.predicted()) {
            (false, _) => Some(true),
            (true, None) => Some(false),
            (true, predicted) if among(predicted) => Some(true),
            _ => popular.iter().all(|entity| !entity.starts_with('?')).then_some(false),
        };
        and(Some(!popular.is_empty() && !among(gold)), usual)
    }

    fn is_place(&self, entity: &str) -> Known {
        self.facts?.is_location(entity)
    }
}

/// Whether gold has one of these types.
fn has_type(case: &Labelled<'_>, types: &[&str]) -> bool {
    case.gold.is_some_and(|gold| gold.types().any(|name| types.contains(&name)))
}

/// Whether the mention is a part of the name of its entity.
fn is_partial_name(case: &Labelled<'_>) -> Known {
    let name = case.gold.and_then(|gold| gold.attribute(attribute::NAME));
    let is_part =
        |name: &str| name.contains(' ') && name.len() > case.text.len() && name.contains(case.text);
    match (is_known(case), name) {
        (false, _) => Some(false),
        (true, name) => name.map(is_part),
    }
}

fn and(first: Known, second: impl FnOnce() -> Known) -> Known {
    match first {
        Some(false) => Some(false),
        Some(true) => second(),
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
