//! Everything is NIL.

use super::baseline::{Baseline, Choice, Chosen, Passage};
use super::dictionary::Finder;
use super::settings::{MAX_WORDS, SettingReader};
use crate::registry::BuiltIn;

/// Everything is NIL.
pub(super) static NIL: BuiltIn = BuiltIn {
    name: "nil",
    title: "Every mention is NIL",
    about: "Says of every mention that no entity of the base is meant. It shows how much of a score is earned by mentions \
            that are in no knowledge base. Mentions are given, or found as by `dictionary` where there is a base.",
    settings: &[MAX_WORDS],
    needs_base: false,
    make: |context| {
        let mut reader = SettingReader::new(context);
        let finder = Finder::of(context, &mut reader)?;
        Ok(Box::new(Baseline::new("nil", reader.finish(), finder, AlwaysNil)))
    },
};

struct AlwaysNil;

impl Choice for AlwaysNil {
    fn choose(&self, passage: &Passage<'_>) -> Vec<Chosen> {
        vec![Chosen::nil(); passage.spans.len()]
    }

    fn keeps_nil(&self) -> bool {
        true
    }
}
