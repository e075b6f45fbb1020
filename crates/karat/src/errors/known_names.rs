//! What entities are called, as far as gold says it.

use super::MentionAnswer;
use karat_model::{Corpus, attribute};
use std::collections::HashMap;

/// Names of entities. A prediction often has an id alone, and gold says elsewhere what that id is called; a reader of
/// *Q142 instead of Q90* wants both names.
pub(crate) struct KnownNames<'c>(HashMap<&'c str, &'c str>);

impl<'c> KnownNames<'c> {
    /// The names that gold gives. The first of an entity counts.
    pub(crate) fn of(gold: &'c Corpus) -> KnownNames<'c> {
        let mut names = HashMap::new();
        for document in gold.documents() {
            for mention in document.mentions() {
                if let (Some(entity), Some(name)) =
                    (mention.entity(), mention.attribute(attribute::NAME))
                {
                    names.entry(entity).or_insert(name);
                }
            }
        }
        KnownNames(names)
    }

    /// The name of an entity.
    pub(crate) fn get(&self, entity: &str) -> Option<String> {
        self.0.get(entity).map(|name| (*name).to_owned())
    }

    /// Gives an answer its name where it has none.
    pub(crate) fn complete(&self, answer: &mut MentionAnswer) {
        if let (None, Some(entity)) = (&answer.name, &answer.entity) {
            answer.name = self.get(entity);
        }
    }
}
