//! Deriving tags, and giving them to mentions.

use crate::base_form::{Form, is_numeric_name};
use crate::context::{Context, Spellings};
use crate::derived::Marked;
use crate::entity_type::EntityType;
use crate::names::Names;
use crate::overlap::MentionOverlaps;
use crate::words::{LONGEST, ProForm, is_day_or_month, pro_form};
use karat_kb::KnowledgeBase;
use karat_model::{
    Change, Corpus, Dimension, DimensionCategory, Document, Edit, Mention, TextIndex, Vocabulary,
    Watch, attribute,
};
use std::collections::HashMap;

/// What can be derived: the category of a dimension, or the types of the entity.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Aspect {
    /// The category of this dimension.
    Category(Dimension),
    /// What the entity is, by the classes that the knowledge base has for it.
    EntityType,
}

impl Aspect {
    /// All that can be derived.
    pub const ALL: [Aspect; 5] = [
        Aspect::Category(Dimension::BaseForm),
        Aspect::Category(Dimension::PartOfSpeech),
        Aspect::Category(Dimension::Overlap),
        Aspect::Category(Dimension::Reference),
        Aspect::EntityType,
    ];

    /// What it is called in a command.
    pub fn key(self) -> &'static str {
        match self {
            Aspect::Category(dimension) => dimension.key(),
            Aspect::EntityType => "type",
        }
    }
}

/// How often something was derived, left as a person had it, or left unknown.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Tally {
    /// Derived.
    pub derived: usize,
    /// Given by a person and kept.
    pub kept: usize,
    /// Neither given nor derived.
    pub unknown: usize,
}

/// A corpus with derived tags.
#[derive(Debug)]
pub struct Tagged {
    /// The corpus.
    pub corpus: Corpus,
    /// What was done, in the order of what was asked for.
    pub tallies: Vec<(Aspect, Tally)>,
}

/// Derives tags from spans, words and the names of entities.
///
/// Every derived tag is named in the attribute [`attribute::DERIVED`] of its mention. A tag that
/// is not named there was given by a person, and stays unless the tagger is told to overwrite it.
#[derive(Debug, Clone, Default)]
pub struct Tagger<'k> {
    base: Option<&'k KnowledgeBase>,
    overwrite: bool,
    watch: Watch,
}

impl<'k> Tagger<'k> {
    /// A tagger that knows of an entity what its id says.
    pub fn new() -> Tagger<'k> {
        Tagger::default()
    }

    /// Takes names and types of entities from a knowledge base.
    pub fn with_base(self, base: &'k KnowledgeBase) -> Tagger<'k> {
        Tagger { base: Some(base), ..self }
    }

    /// Overwrites the tags that persons gave, where one can be derived.
    pub fn overwriting(self) -> Tagger<'k> {
        Tagger { overwrite: true, ..self }
    }

    /// Tells this watch of each document, and stops before the next one once it is cancelled. What comes out then
    /// means nothing.
    pub fn watched(self, watch: &Watch) -> Tagger<'k> {
        Tagger { watch: watch.clone(), ..self }
    }

    /// The knowledge base that it takes names and types from.
    pub fn base(&self) -> Option<&'k KnowledgeBase> {
        self.base
    }

    pub(crate) fn watch(&self) -> &Watch {
        &self.watch
    }

    /// The documents of a corpus, until the work is cancelled.
    pub(crate) fn documents<'c>(
        &'c self,
        corpus: &'c Corpus,
    ) -> impl Iterator<Item = Document<'c>> {
        let documents = corpus.documents().take_while(|_| !self.watch.is_cancelled());
        documents.inspect(|_| self.watch.advance(1))
    }

    /// The corpus with what can be derived of these aspects.
    pub fn tag(&self, corpus: &Corpus, aspects: &[Aspect]) -> Tagged {
        let mut tallies = vec![Tally::default(); aspects.len()];
        let spellings = Spellings::of(corpus, &self.watch);
        // Edits are made in the order of documents and mentions, which is the order in which `edit`
        // below asks for them.
        let mut edits = self.documents(corpus).flat_map(|document| {
            let reader = Reader::new(self, &document, &spellings);
            let edits = document
                .mentions()
                .map(|mention| self.edit(&mention, &reader, aspects, &mut tallies));
            edits.collect::<Vec<_>>()
        });
        let corpus = corpus.edit(|_| edits.next().unwrap_or_default());
        drop(edits);
        Tagged { corpus, tallies: aspects.iter().copied().zip(tallies).collect() }
    }

    fn edit(
        &self,
        mention: &Mention<'_>,
        reader: &Reader<'_, '_>,
        aspects: &[Aspect],
        tallies: &mut [Tally],
    ) -> Edit {
        let derived = reader.derive(mention);
        let mut draft = Draft::of(mention);
        for (&aspect, tally) in aspects.iter().zip(tallies) {
            let is_given = draft.marked.is_given(mention, aspect);
            let is_derived = (self.overwrite || !is_given) && draft.take(aspect, &derived);
            match (is_derived, is_given) {
                (true, _) => tally.derived += 1,
                (false, true) => tally.kept += 1,
                (false, false) => tally.unknown += 1,
            }
        }
        draft.into_edit(mention)
    }
}

/// A mention as it will be.
struct Draft {
    tags: Vec<String>,
    types: Option<Vec<String>>,
    marked: Marked,
}

impl Draft {
    fn of(mention: &Mention<'_>) -> Draft {
        let tags = mention.tags().map(str::to_owned).collect();
        Draft { tags, types: None, marked: Marked::of(mention) }
    }

    /// Takes over what was derived of an aspect; whether anything was.
    fn take(&mut self, aspect: Aspect, derived: &Derived) -> bool {
        match aspect {
            Aspect::Category(dimension) => {
                let Some(category) = derived.category(dimension) else { return false };
                retag(&mut self.tags, category);
                self.marked.add_category(category);
            }
            Aspect::EntityType => {
                let Some(derived) = derived.entity_type else { return false };
                self.marked.add_type(derived.name());
                self.types = Some(vec![derived.name().to_owned()]);
            }
        }
        true
    }

    fn into_edit(self, mention: &Mention<'_>) -> Edit {
        let mut change = Change { types: self.types, ..Change::default() };
        if !mention.tags().eq(self.tags.iter().map(String::as_str)) {
            change.tags = Some(self.tags);
        }
        let marks = self.marked.into_value();
        if mention.attribute(attribute::DERIVED) != marks.as_deref() {
            change.attributes.push((attribute::DERIVED.to_owned(), marks));
        }
        if change == Change::default() { Edit::Keep } else { Edit::Change(change) }
    }
}

/// Puts a category in the place of those of its dimension.
fn retag(tags: &mut Vec<String>, category: DimensionCategory) {
    let of_dimension = |tag: &str| Dimension::of(tag) == Some(category.dimension());
    let place = tags.iter().position(|tag| of_dimension(tag)).unwrap_or(tags.len());
    tags.retain(|tag| !of_dimension(tag));
    tags.insert(place.min(tags.len()), category.tag(Vocabulary::El));
}

/// What follows for one mention.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Derived {
    categories: [Option<DimensionCategory>; 4],
    pub(crate) entity_type: Option<EntityType>,
}

impl Derived {
    pub(crate) fn category(&self, dimension: Dimension) -> Option<DimensionCategory> {
        self.categories.into_iter().flatten().find(|category| category.dimension() == dimension)
    }
}

/// A document that is being tagged.
pub(crate) struct Reader<'t, 'd> {
    text: Option<TextIndex<'d>>,
    context: Context<'t>,
    overlaps: MentionOverlaps,
    entities: HashMap<&'d str, (Option<Names>, Option<EntityType>)>,
}

impl<'t, 'd> Reader<'t, 'd> {
    pub(crate) fn new(
        tagger: &Tagger<'t>,
        document: &Document<'d>,
        spellings: &'t Spellings,
    ) -> Reader<'t, 'd> {
        let mut entities = HashMap::new();
        let entity_type = |entity: &str| {
            let base = tagger.base?;
            EntityType::of_entity(&base.entity(entity)?, base)
        };
        // An entity is looked up once for each document, not for each mention: the knowledge base
        // is on disk.
        for entity in document.mentions().filter_map(|mention| mention.entity()) {
            let known = || (Names::of(entity, tagger.base), entity_type(entity));
            entities.entry(entity).or_insert_with(known);
        }
        Reader {
            text: document.text_index(),
            context: Context::of(document, spellings),
            overlaps: MentionOverlaps::of(document),
            entities,
        }
    }

    pub(crate) fn derive(&self, mention: &Mention<'d>) -> Derived {
        let surface = match &self.text {
            Some(text) => text.slice(mention.span()),
            None => mention.attribute(attribute::SURFACE),
        };
        let surface = surface.filter(|surface| surface.len() <= LONGEST);
        let form = surface.map(|surface| Form::new(surface, mention.span()));
        let known = mention.entity().and_then(|entity| self.entities.get(entity));
        let names = known.and_then(|(names, _)| names.as_ref());
        let base_form = form.as_ref().and_then(|form| form.base_form(names, &self.context));
        let part_of_speech = form.as_ref().and_then(part_of_speech);
        let reference = reference(base_form, names);
        let overlap = self.overlaps.category(mention);
        Derived {
            categories: [base_form, part_of_speech, overlap, reference],
            entity_type: known.and_then(|(_, entity_type)| *entity_type),
        }
    }
}

/// Only closed classes of words have a part of speech that does not depend on the sentence.
fn part_of_speech(form: &Form<'_>) -> Option<DimensionCategory> {
    let word = form.single()?;
    match pro_form(word) {
        Some(ProForm::Singular) => Some(DimensionCategory::NounSingular),
        Some(ProForm::Plural) => Some(DimensionCategory::NounPlural),
        Some(ProForm::Possessive) => Some(DimensionCategory::Adjective),
        Some(ProForm::Other) => None,
        None => is_day_or_month(word).then_some(DimensionCategory::NounSingular),
    }
}

/// A pro-form is anaphoric, and a number that is linked to a number means it. What else a
/// mention refers to depends on what its author meant.
fn reference(
    base_form: Option<DimensionCategory>,
    names: Option<&Names>,
) -> Option<DimensionCategory> {
    match base_form? {
        DimensionCategory::ProForm => Some(DimensionCategory::Anaphoric),
        DimensionCategory::NumericTemporal => {
            names.filter(|names| is_numeric_name(&names.label)).map(|_| DimensionCategory::Direct)
        }
        _ => None,
    }
}
