//! The opposite of a patch.

use super::GoldPatch;
use super::change::{GoldChange, PatchAction, Piece};
use super::states::{Moves, moves};

impl GoldPatch {
    /// The patch that undoes this one: old and new change places, and mentions are addressed as they are afterwards. What was refused
    /// or is still to be chosen was never done, so there is nothing to undo.
    pub fn reverted(&self) -> GoldPatch {
        let active: Vec<GoldChange> = self.active().cloned().collect();
        let mut changes = Vec::with_capacity(active.len());
        for of_document in active.chunk_by(|a, b| a.document == b.document) {
            let moves = moves(of_document);
            changes.extend(of_document.iter().map(|change| opposite(change, &moves)));
        }
        let base = super::PatchBase { annotations: self.result, short: None, ..self.base.clone() };
        let name = self.name.as_deref().map(|name| match name.strip_suffix(REVERTED) {
            Some(original) => original.to_owned(),
            None => format!("{name}{REVERTED}"),
        });
        let result = self.base.annotations;
        let mut patch = GoldPatch { name, base, result, changes, ..self.clone() };
        patch.settle();
        patch
    }
}

/// How the name of an opposite ends.
const REVERTED: &str = "-reverted";

fn opposite(change: &GoldChange, moves: &Moves) -> GoldChange {
    let place = (change.span, change.answer.clone());
    let (span, answer) = match &change.action {
        PatchAction::Set(_) => moves.get(&place).cloned().unwrap_or(place),
        PatchAction::Add(_) | PatchAction::Remove(_) => place,
    };
    let action = match &change.action {
        PatchAction::Set(fields) => {
            let swapped = fields.iter().map(|(field, old, new)| (*field, new.clone(), old.clone()));
            PatchAction::Set(swapped.collect())
        }
        PatchAction::Add(piece) => PatchAction::Remove(moved(piece, moves)),
        PatchAction::Remove(piece) => PatchAction::Add(moved(piece, moves)),
    };
    GoldChange { span, answer, action, ..change.clone() }
}

/// A reading of a mention where that is after the changes of the patch.
fn moved(piece: &Piece, moves: &Moves) -> Piece {
    match piece {
        Piece::Mention { .. } => piece.clone(),
        Piece::Reading { of, answer, parts } => {
            let place = (*of, answer.clone());
            let (of, answer) = moves.get(&place).cloned().unwrap_or(place);
            Piece::Reading { of, answer, parts: parts.clone() }
        }
    }
}
