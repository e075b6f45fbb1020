//! The names of kinds and categories, by which lists are narrowed down.

use super::case::ErrorCase;
use super::kind::ErrorKind;
use crate::error::Error;
use karat_facets::Finding;
use karat_facets::taxonomy::Category;
use karat_model::{Hint, closest};

/// The names of all kinds, in the order of tables.
pub fn kind_names() -> Vec<String> {
    ErrorKind::all().map(ErrorKind::name).collect()
}

/// A category by all of its names.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CategoryName {
    /// The family it belongs to, which stands for all of its categories.
    pub family: &'static str,
    /// What it is called within the family.
    pub key: &'static str,
    /// What lists call it.
    pub name: &'static str,
    /// What it is.
    pub summary: &'static str,
}

/// The names of all categories, those of one family together.
pub fn category_names() -> Vec<CategoryName> {
    let names = Category::all().map(|category| CategoryName {
        family: category.family(),
        key: category.key(),
        name: category.name(),
        summary: category.summary(),
    });
    let names: Vec<CategoryName> = names.collect();
    let mut families: Vec<&str> = names.iter().map(|name| name.family).collect();
    let mut together = Vec::new();
    while let Some(family) = families.first().copied() {
        together.extend(names.iter().filter(|name| name.family == family));
        families.retain(|other| *other != family);
    }
    together
}

/// Whether this is the name of categories, and not that of a kind.
pub(super) fn is_category(name: &str) -> bool {
    ErrorKind::named(name).is_none() && !Category::named(name).is_empty()
}

/// Kinds and categories to which a list is narrowed down; everything that is wrong if there are none.
#[derive(Debug, Default)]
pub(super) struct Narrowed {
    pub(super) kinds: Vec<ErrorKind>,
    pub(super) categories: Vec<Category>,
}

impl Narrowed {
    /// Those with these names.
    pub(super) fn named(names: &[String]) -> Result<Narrowed, Error> {
        let mut narrowed = Narrowed::default();
        for name in names {
            let categories = Category::named(name);
            match ErrorKind::named(name) {
                Some(kind) => narrowed.kinds.push(kind),
                None if categories.is_empty() => return Err(no_category(name)),
                None => narrowed.categories.extend(categories),
            }
        }
        Ok(narrowed)
    }

    /// Whether a case is listed.
    pub(super) fn has(&self, case: &ErrorCase) -> bool {
        if self.kinds.is_empty() && self.categories.is_empty() {
            return case.is_wrong;
        }
        self.kinds.iter().any(|kind| kind.has(case))
            || case.categories.iter().any(|category| self.categories.contains(category))
    }

    /// The kinds that are listed where categories play no part.
    pub(super) fn listed_kinds(&self) -> Vec<ErrorKind> {
        match self.kinds.is_empty() {
            true => {
                let wrong = Finding::ALL.into_iter().filter(|finding| !finding.is_right());
                wrong.map(ErrorKind::of).collect()
            }
            false => self.kinds.clone(),
        }
    }
}

fn no_category(name: &str) -> Error {
    let kinds = kind_names();
    let long: Vec<String> =
        Category::all().map(|c| format!("{}.{}", c.family(), c.key())).collect();
    let names = Category::all().flat_map(|c| [c.name(), c.family(), c.key()]);
    let names = names.chain(kinds.iter().chain(&long).map(String::as_str));
    let hint = match closest(name, names) {
        Some(meant) => Hint::from(format!("did you mean `{meant}`? "))
            .then(Hint::template("`karat errors {help}` lists all")),
        None => Hint::from(format!(
            "kinds are {}; categories are {}",
            kinds.join(", "),
            Category::all().map(Category::name).collect::<Vec<_>>().join(", ")
        )),
    };
    Error::bad_request(format!("there is no kind or category `{name}`"), hint)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_category_is_named_once_and_families_stand_together() {
        let names = category_names();
        assert_eq!(names.len(), Category::all().count());
        let families: Vec<&str> =
            names.chunk_by(|a, b| a.family == b.family).map(|of_one| of_one[0].family).collect();
        let mut different = families.clone();
        different.sort_unstable();
        different.dedup();
        assert_eq!(different.len(), families.len(), "{families:?}");
    }

    #[test]
    fn every_name_finds_what_it_names() {
        for name in kind_names() {
            assert_eq!(ErrorKind::named(&name).map(ErrorKind::name), Some(name));
        }
        for CategoryName { family, key, name, .. } in category_names() {
            let named = |name: &str| Category::named(name).len();
            assert_eq!(named(&format!("{family}.{key}")), 1, "{family}.{key}");
            assert_eq!(named(name), 1, "{name}");
            assert!(named(family) > 0, "{family}");
        }
    }
}
