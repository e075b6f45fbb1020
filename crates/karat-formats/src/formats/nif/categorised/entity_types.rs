//! The types of entities, which are stated once for a whole file.

use super::assemble::type_name;
use super::records::{Records, SEPARATOR};
use crate::formats::nif::stretches::Claims;
use karat_model::{CorpusBuilder, Interner, StrId};
use std::collections::BTreeMap;
use std::sync::{Mutex, PoisonError};

/// What the stretches of a file say about entities, put aside until all are read.
#[derive(Debug, Default)]
pub(super) struct EntityTypes {
    /// By how many lines stand before the stretch.
    stretches: Mutex<BTreeMap<u64, Stated>>,
}

#[derive(Debug, Default)]
struct Stated {
    strings: Interner,
    /// The entity and its types as written.
    types: Vec<(StrId, StrId)>,
}

impl EntityTypes {
    /// Takes what a stretch says about entities out of its records.
    pub(super) fn put_aside(&self, before: u64, records: &mut Records<'_>, claims: &mut Claims) {
        let mut stated = Stated::default();
        for (entity, list) in records.entity_types.drain(..) {
            let list = records.lists.get(list);
            stated.types.push((stated.strings.intern(&entity), stated.strings.intern(list)));
        }
        // A mention with a list of types that names none has no types, not those
        // of its entity; afterwards that could not be told apart.
        let names_none = |list: &str| types_of(list).next().is_none();
        if records.lists.iter().skip(1).any(names_none) {
            claims.look_elsewhere();
        }
        stated.strings.shrink();
        self.stretches.lock().unwrap_or_else(PoisonError::into_inner).insert(before, stated);
    }

    /// Gives mentions without types those of their entity. The first statement
    /// about an entity decides.
    pub(super) fn given_to(self, mut corpus: CorpusBuilder) -> CorpusBuilder {
        let stretches = self.stretches.into_inner().unwrap_or_else(PoisonError::into_inner);
        let mut types = Vec::new();
        for stated in stretches.into_values() {
            for (entity, list) in stated.types {
                let entity = corpus.intern(stated.strings.get(entity)).index();
                if types.len() <= entity {
                    types.resize(entity + 1, StrId::EMPTY);
                }
                if types[entity] == StrId::EMPTY {
                    types[entity] = corpus.intern_list(types_of(stated.strings.get(list)));
                }
            }
        }
        corpus.default_types(|entity| types.get(entity.index()).copied().unwrap_or_default());
        corpus
    }
}

fn types_of(list: &str) -> impl Iterator<Item = &str> {
    list.split(SEPARATOR).map(type_name).filter(|name| !name.is_empty())
}
