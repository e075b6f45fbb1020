//! Labels and the labels below them.

use super::CHILDREN;
use super::article::Object;
use super::read::Anchor;
use crate::problem::{Kind, Problem};
use crate::syntax::json::Scalar;
use karat_model::CorpusBuilder;
use std::collections::HashMap;

/// The labels of a document by their numbers; empty where none has a parent or children.
pub(super) struct Family {
    positions: HashMap<i64, usize>,
}

impl Family {
    pub(super) fn of(labels: &[Object<'_>]) -> Family {
        let related = |label: &Object<'_>| {
            label.parent.is_some() || label.children.as_ref().is_some_and(|c| !c.is_empty())
        };
        let mut positions = HashMap::new();
        if labels.iter().any(related) {
            for (position, label) in labels.iter().enumerate() {
                positions.insert(number_of(label, position), position);
            }
        }
        Family { positions }
    }

    /// Whether the parent of a label is there.
    pub(super) fn check(&self, label: &Object<'_>, anchor: &Anchor<'_>) -> Result<(), Problem> {
        match label.parent {
            Some(parent) if !self.positions.contains_key(&parent) => {
                let message = format!("there is no label {parent}, the parent of this one");
                Err(anchor
                    .at(label)
                    .problem(Kind::Malformed, message)
                    .hint("`parent` is the `id` of another label of the same document"))
            }
            _ => Ok(()),
        }
    }

    /// Whether the children of a label are there.
    pub(super) fn check_children(
        &self,
        label: &Object<'_>,
        anchor: &Anchor<'_>,
    ) -> Result<(), Problem> {
        let mut children = label.children.iter().flatten();
        let Some(missing) = children.find(|child| !self.positions.contains_key(child)) else {
            return Ok(());
        };
        let message = format!("there is no label {missing}, a child of this one");
        Err(anchor
            .at(label)
            .problem(Kind::Malformed, message)
            .hint("`children` has the `id`s of other labels of the same document"))
    }

    /// Makes children the parts of their parents.
    pub(super) fn join(
        &self,
        labels: &[Object<'_>],
        indices: &[Option<u32>],
        corpus: &mut CorpusBuilder,
    ) {
        if self.positions.is_empty() {
            return;
        }
        let mut parts: HashMap<i64, Vec<i64>> = HashMap::new();
        for (position, label) in labels.iter().enumerate() {
            let Some(parent) = label.parent else { continue };
            parts.entry(parent).or_default().push(number_of(label, position));
            let above = self.positions.get(&parent).and_then(|&above| indices[above]);
            if let (Some(index), Some(above)) = (indices[position], above)
                && let Some(part) = corpus.annotation_mut(index)
            {
                part.part_of(above, 1);
            }
        }
        for (position, label) in labels.iter().enumerate() {
            let listed = label.children.iter().flatten().copied();
            let listed: Vec<i64> =
                listed.filter(|child| self.positions.contains_key(child)).collect();
            let below = parts.get(&number_of(label, position)).map_or(&[][..], Vec::as_slice);
            if !listed.is_empty()
                && listed != below
                && let Some(annotation) = indices[position].and_then(|i| corpus.annotation_mut(i))
            {
                let listed: Vec<String> = listed.iter().map(i64::to_string).collect();
                annotation.attribute(CHILDREN, &listed.join(" "));
            }
        }
    }
}

fn number_of(label: &Object<'_>, position: usize) -> i64 {
    match label.id {
        Scalar::Number(id) => id,
        _ => position as i64,
    }
}
