//! Which column of a table has which heading.

use std::collections::HashMap;

/// The columns of a table by their headings: the first of each name, and of each name up to what
/// people vary.
///
/// Tables of mentions and tables of a knowledge base have different columns, but are written by the
/// same people: a heading is looked for as it is spelled first, then folded, and of several names
/// of one field the surest that is there counts.
///
/// ```
/// use karat_formats::table::Headings;
///
/// let headings = Headings::new(&["Entity", "QID", "Start"], str::to_lowercase);
/// let is_free = |column: usize| column != 2;
/// assert_eq!(headings.find(["qid", "entity"], is_free), Some(1));
/// assert_eq!(headings.find(["start"], is_free), None);
/// ```
#[derive(Debug)]
pub struct Headings<'n> {
    exact: HashMap<&'n str, usize>,
    folded: HashMap<String, usize>,
    fold: fn(&str) -> String,
}

impl<'n> Headings<'n> {
    /// The headings of a table; `fold` takes away what people vary. A table may have very many
    /// columns, so each is folded once.
    pub fn new(headings: &[&'n str], fold: fn(&str) -> String) -> Headings<'n> {
        let (mut exact, mut folded) = (HashMap::new(), HashMap::new());
        for (column, &heading) in headings.iter().enumerate() {
            exact.entry(heading).or_insert(column);
            folded.entry(fold(heading)).or_insert(column);
        }
        Headings { exact, folded, fold }
    }

    /// The column with this name: spelled exactly so, or folded alike.
    pub fn position(&self, name: &str) -> Option<usize> {
        self.exact.get(name).or_else(|| self.folded.get(&(self.fold)(name))).copied()
    }

    /// The column of the first of these names that has one, and a free one.
    pub fn find<'m>(
        &self,
        names: impl IntoIterator<Item = &'m str>,
        is_free: impl Fn(usize) -> bool,
    ) -> Option<usize> {
        let mut found = names.into_iter().filter_map(|name| self.position(name));
        found.find(|&column| is_free(column))
    }
}
