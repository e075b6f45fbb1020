//! Which tags and types of a mention were derived.

use crate::tagger::Aspect;
use karat_model::{Dimension, DimensionCategory, Mention, Vocabulary, attribute};
use std::collections::BTreeSet;

/// Joins the items of the attribute.
const SEPARATOR: &str = ", ";

/// The marks of one mention.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Marked {
    categories: BTreeSet<DimensionCategory>,
    /// Types, and whatever else stands there.
    others: Vec<String>,
}

/// The items of the attribute. A type may have the separator in its name, so that the types of the mention
/// are looked for first.
fn items<'v>(value: &'v str, types: &[&str]) -> Vec<&'v str> {
    let mut items = Vec::new();
    let mut rest = value;
    while !rest.is_empty() {
        let after = |name: &&str| {
            let after = rest.strip_prefix(*name)?;
            (after.is_empty() || after.starts_with(SEPARATOR)).then_some(name.len())
        };
        // The longest match, because one type may begin with the name of another.
        let whole = types.iter().filter_map(after).max();
        let end = whole.or_else(|| rest.find(SEPARATOR)).unwrap_or(rest.len());
        items.extend(rest.get(..end).filter(|item| !item.is_empty()));
        rest = rest.get(end..).unwrap_or_default();
        rest = rest.strip_prefix(SEPARATOR).unwrap_or(rest);
    }
    items
}

impl Marked {
    pub(crate) fn of(mention: &Mention<'_>) -> Marked {
        let mut marked = Marked::default();
        let value = mention.attribute(attribute::DERIVED).unwrap_or_default();
        let types: Vec<&str> = mention.types().collect();
        for item in items(value, &types) {
            match DimensionCategory::of(item) {
                Some(category) => {
                    marked.categories.insert(category);
                }
                None => marked.others.push(item.to_owned()),
            }
        }
        marked
    }

    /// Whether a person said something about this: something that is not marked as derived.
    pub(crate) fn is_given(&self, mention: &Mention<'_>, aspect: Aspect) -> bool {
        match aspect {
            Aspect::Category(dimension) => {
                mention.tags().filter(|tag| Dimension::of(tag) == Some(dimension)).any(|tag| {
                    DimensionCategory::of(tag).is_none_or(|tag| !self.categories.contains(&tag))
                })
            }
            Aspect::EntityType => {
                mention.types().any(|name| !self.others.iter().any(|other| other == name))
            }
        }
    }

    /// Notes a derived category in place of others of its dimension.
    pub(crate) fn add_category(&mut self, category: DimensionCategory) {
        self.categories.retain(|other| other.dimension() != category.dimension());
        self.categories.insert(category);
    }

    /// Notes a derived type in place of others.
    pub(crate) fn add_type(&mut self, name: &str) {
        self.others = vec![name.to_owned()];
    }

    /// The value of the attribute; `None` if nothing is derived.
    pub(crate) fn into_value(self) -> Option<String> {
        let tags = self.categories.iter().map(|category| category.tag(Vocabulary::El));
        let items: Vec<String> = tags.chain(self.others).collect();
        (!items.is_empty()).then(|| items.join(SEPARATOR))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_name_of_a_type_may_have_the_separator() {
        let value = "el:Olp-None, city, town, or village, place";
        let types = ["place", "city, town, or village", "city"];
        assert_eq!(items(value, &types), ["el:Olp-None", "city, town, or village", "place"]);
        assert_eq!(items("a, b", &[]), ["a", "b"]);
        assert_eq!(items(", , ", &[""]), [""; 0]);
    }
}
