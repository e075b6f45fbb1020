//! Labels and the labels below them.

use super::CHILDREN;
use super::article::Object;
use super::read::Anchor;
use crate::problem::{Kind, Problem};
use crate::reading::Reading;
use crate::syntax::json::Scalar;
use karat_model::attribute;
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
        document: &str,
        reading: &mut Reading<'_>,
    ) {
        if self.positions.is_empty() {
            return;
        }
        self.note_missing_parents(labels, indices, document, reading);
        let corpus = &mut reading.corpus;
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

impl Family {
    /// Scripts that make benchmarks drop labels and leave those below them. To ELEVANT such a label is no
    /// root and no child of one, so it counts nowhere; here it is a part of itself, which is the same.
    fn note_missing_parents(
        &self,
        labels: &[Object<'_>],
        indices: &[Option<u32>],
        document: &str,
        reading: &mut Reading<'_>,
    ) {
        for (label, index) in labels.iter().zip(indices) {
            let missing = label.parent.filter(|parent| !self.positions.contains_key(parent));
            let (Some(parent), Some(index)) = (missing, *index) else { continue };
            let Some(part) = reading.corpus.annotation_mut(index) else { continue };
            part.part_of(index, 1).attribute(attribute::MISSING_PARENT, &parent.to_string());
            let (start, end) = label.span;
            let first = || format!("{start}..{end} of `{document}`, whose parent is {parent}");
            reading.findings.remarks.add_missing_parent(first);
        }
    }
}

fn number_of(label: &Object<'_>, position: usize) -> i64 {
    match label.id {
        Scalar::Number(id) => id,
        _ => position as i64,
    }
}
