//! Mentions of some types only.

use crate::scene::{Item, Scene, Side};
use crate::settings::{Assignment, Settings};
use karat_kb::KnowledgeBase;
use karat_model::literal::is_literal;
use karat_model::{Mention, Span};
use std::collections::{HashMap, HashSet};
use std::sync::Arc;

/// The types of which a mention must have one; all where none are listed.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Types {
    listed: Vec<String>,
}

impl Types {
    /// Mentions of every type stay.
    pub const ALL: Types = Types { listed: Vec::new() };

    /// Mentions of one of these types stay; all where there are none.
    pub fn only<'n>(names: impl IntoIterator<Item = &'n str>) -> Types {
        Types { listed: names.into_iter().map(str::to_owned).collect() }
    }

    /// The types that are listed.
    pub fn names(&self) -> &[String] {
        &self.listed
    }

    /// Whether mentions of every type stay.
    pub fn are_all(&self) -> bool {
        self.listed.is_empty()
    }

    /// Whether a mention has one of them: as its file says, or else the knowledge base.
    fn fit(&self, mention: &Mention<'_>, base: Option<&KnowledgeBase>) -> bool {
        let is_listed = |name: &str| self.listed.iter().any(|listed| listed == name);
        if mention.types().any(is_listed) {
            return true;
        }
        let found = base.and_then(|base| match mention.types().next() {
            Some(_) => base.reached(mention.types(), is_listed),
            None => base.types_among(&base.entity(mention.entity()?)?, is_listed),
        });
        found.is_some_and(|found| !found.is_empty())
    }
}

impl Scene<'_> {
    /// Leaves out mentions of other types than the settings list.
    pub(crate) fn keep_types(&mut self, settings: &Settings, base: Option<&KnowledgeBase>) {
        if !settings.gold_types.are_all() {
            self.gold.keep_gold(&settings.gold_types, base);
        }
        if !settings.predicted_types.are_all() {
            self.system.keep_predicted(settings, base);
        }
    }
}

impl Side<'_> {
    /// What gold says of entities that the knowledge base does not have stays, and so do the parts of
    /// what stays, whatever their types.
    fn keep_gold(&mut self, types: &Types, base: Option<&KnowledgeBase>) {
        let Some(document) = self.document else { return };
        let mention = |item: &Item| document.mention(item.index as usize);
        self.items.retain(|item| {
            let is_nil =
                |mention: &Mention<'_>| item.link.is_nil() && !mention.types().any(is_literal);
            mention(item).is_some_and(|mention| is_nil(&mention) || types.fit(&mention, base))
        });
        let mut kept: HashSet<u32> = self.items.iter().map(|item| item.index).collect();
        Arc::make_mut(&mut self.extras).below.retain(|part| {
            let place = mention(part).and_then(|mention| mention.place());
            place.is_some_and(|place| kept.contains(&place.parent)) && kept.insert(part.index)
        });
    }

    /// Where the last prediction of a span wins, it is the last that has the types or has not.
    fn keep_predicted(&mut self, settings: &Settings, base: Option<&KnowledgeBase>) {
        let Some(document) = self.document else { return };
        let fits = |index: u32| {
            let mention = document.mention(index as usize);
            mention.is_some_and(|mention| settings.predicted_types.fit(&mention, base))
        };
        if settings.assignment != Assignment::LastWins {
            return self.items.retain(|item| fits(item.index));
        }
        let mut last: HashMap<Span, u32> = HashMap::new();
        for item in &self.items {
            let latest = last.entry(item.span).or_insert(item.index);
            *latest = item.index.max(*latest);
        }
        // The last of the span is asked, not the last that fits: it hides the earlier ones whatever
        // its types are.
        last.retain(|_, index| fits(*index));
        self.items.retain(|item| last.contains_key(&item.span));
    }
}
