//! The alternative readings of gold mentions.

use karat_model::{Document, Mention};
use std::collections::BTreeMap;

/// A mention with more ways to be read than this is read in these only. Trees in
/// published corpora have one or two; the limits keep hostile ones harmless.
const MOST_READINGS: usize = 64;
const DEEPEST: usize = 16;

/// The trees of alternatives of a document: parent, then reading, then parts.
#[derive(Debug, Default)]
pub(crate) struct Trees {
    children: BTreeMap<u32, BTreeMap<u32, Vec<u32>>>,
}

impl Trees {
    pub(crate) fn of(document: &Document<'_>) -> Trees {
        let mut trees = Trees::default();
        for (index, mention) in document.mentions().enumerate() {
            if let Some(place) = mention.place() {
                let readings = trees.children.entry(place.parent).or_default();
                readings.entry(place.reading).or_default().push(index as u32);
            }
        }
        trees
    }

    /// Whether a mention can be read in another way.
    pub(crate) fn has(&self, root: u32) -> bool {
        !self.children.is_empty() && self.children.contains_key(&root)
    }

    /// All readings of a root besides itself, each the mentions that must all be
    /// found. A part that has readings of its own multiplies them out.
    pub(crate) fn readings<'a>(
        &self,
        document: &Document<'a>,
        root: u32,
    ) -> Vec<Vec<(u32, Mention<'a>)>> {
        let part = |index: u32| Some((index, document.mention(index as usize)?));
        let sets = self.below(root, 0).into_iter();
        sets.map(|set| set.into_iter().filter_map(part).collect()).collect()
    }

    fn below(&self, parent: u32, depth: usize) -> Vec<Vec<u32>> {
        let Some(readings) = self.children.get(&parent) else { return Vec::new() };
        // Hostile files have trees that run in a circle.
        if depth > DEEPEST {
            return Vec::new();
        }
        let mut all = Vec::new();
        for parts in readings.values() {
            let mut ways: Vec<Vec<u32>> = vec![Vec::new()];
            for &part in parts {
                let mut options = vec![vec![part]];
                options.extend(self.below(part, depth + 1));
                let extended = ways
                    .iter()
                    .flat_map(|way| options.iter().map(|option| [way.as_slice(), option].concat()));
                ways = extended.take(MOST_READINGS).collect();
            }
            all.extend(ways);
            all.truncate(MOST_READINGS);
        }
        all
    }
}
