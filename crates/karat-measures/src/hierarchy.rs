//! Which types are kinds of which.

use crate::type_weights::beginning;
use karat_kb::Knowledge;
use std::collections::{BTreeMap, BTreeSet};

/// A hierarchy of types, and which types count at all.
///
/// ```
/// use karat_measures::Hierarchy;
///
/// let hierarchy = Hierarchy::parse("City\tPlace\nVillage\tPlace\n")?;
/// assert_eq!(hierarchy.below("Place").collect::<Vec<_>>(), ["City", "Village"]);
/// # Ok::<(), karat_measures::HierarchyError>(())
/// ```
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Hierarchy {
    below: BTreeMap<String, BTreeSet<String>>,
    knowledge: Knowledge,
}

/// A line that is no pair of types.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error(
    "line {line} of the type hierarchy is `{found}`: expected a type, a tab, and the type above it"
)]
pub struct HierarchyError {
    /// The number of the line, from 1.
    pub line: usize,
    /// What stands there.
    pub found: String,
}

impl Hierarchy {
    /// One pair per line: a type, a tab, the type above it. Empty lines and lines
    /// that start with `#` and a blank say nothing.
    pub fn parse(text: &str) -> Result<Hierarchy, HierarchyError> {
        let mut hierarchy = Hierarchy::default();
        for (index, line) in text.lines().enumerate() {
            if line.trim().is_empty() || line.starts_with("# ") {
                continue;
            }
            let pair = line.split_once('\t').map(|(child, parent)| (child.trim(), parent.trim()));
            match pair {
                Some((child, parent)) if !child.is_empty() && !parent.is_empty() => {
                    let children = hierarchy.below.entry(parent.to_owned()).or_default();
                    children.insert(child.to_owned());
                }
                _ => {
                    return Err(HierarchyError { line: index + 1, found: beginning(line) });
                }
            }
        }
        Ok(hierarchy)
    }

    /// The same, where only types that this knows count.
    pub fn with_knowledge(mut self, knowledge: Knowledge) -> Hierarchy {
        self.knowledge = knowledge;
        self
    }

    /// The types directly below one.
    pub fn below<'h>(&'h self, name: &str) -> impl Iterator<Item = &'h str> + use<'h> {
        self.below.get(name).into_iter().flatten().map(String::as_str)
    }

    /// Types and those directly below them, as far as they count.
    pub(crate) fn widened<'h>(&'h self, types: impl Iterator<Item = &'h str>) -> BTreeSet<&'h str> {
        let all = types.flat_map(|name| std::iter::once(name).chain(self.below(name)));
        all.filter(|name| self.knowledge.knows(name)).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_without_a_parent_is_named() {
        let error = Hierarchy::parse("# child\tparent\nCity\tPlace\n\nVillage\n").unwrap_err();
        assert_eq!((error.line, error.found.as_str()), (4, "Village"));
    }

    #[test]
    fn only_direct_kinds_are_added_and_only_known_ones_count() {
        let hierarchy = Hierarchy::parse("b\ta\nc\tb\n").unwrap();
        let widened = |hierarchy: &Hierarchy| -> Vec<String> {
            hierarchy.widened(["a"].into_iter()).into_iter().map(str::to_owned).collect()
        };
        assert_eq!(widened(&hierarchy), ["a", "b"]);
        assert_eq!(widened(&hierarchy.with_knowledge(Knowledge::Prefixes(&["b"]))), ["b"]);
    }
}
