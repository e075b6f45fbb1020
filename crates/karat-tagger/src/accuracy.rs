//! How well derived tags agree with those that persons gave.

use crate::context::Spellings;
use crate::derived::Marked;
use crate::entity_type::EntityType;
use crate::tagger::{Aspect, Derived, Reader, Tagger};
use karat_model::{Corpus, DimensionCategory, Mention, Vocabulary};

/// What was given or derived: a category of a dimension, or an entity type.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TagLabel {
    /// A category.
    Category(DimensionCategory),
    /// An entity type.
    Type(EntityType),
}

impl TagLabel {
    fn all(aspect: Aspect) -> Vec<TagLabel> {
        match aspect {
            Aspect::Category(dimension) => dimension.categories().map(TagLabel::Category).collect(),
            Aspect::EntityType => EntityType::ALL.map(TagLabel::Type).to_vec(),
        }
    }

    /// What a mention itself says.
    fn given(mention: &Mention<'_>, aspect: Aspect) -> Vec<TagLabel> {
        match aspect {
            Aspect::Category(dimension) => mention
                .tags()
                .filter_map(DimensionCategory::of)
                .filter(|category| category.dimension() == dimension)
                .map(TagLabel::Category)
                .collect(),
            Aspect::EntityType => {
                mention.types().filter_map(EntityType::of).map(TagLabel::Type).collect()
            }
        }
    }

    fn derived(derived: &Derived, aspect: Aspect) -> Option<TagLabel> {
        match aspect {
            Aspect::Category(dimension) => derived.category(dimension).map(TagLabel::Category),
            Aspect::EntityType => derived.entity_type.map(TagLabel::Type),
        }
    }

    /// As a tag of a vocabulary; types have the same names in all.
    pub fn tag(self, vocabulary: Vocabulary) -> String {
        match self {
            TagLabel::Category(category) => category.tag(vocabulary),
            TagLabel::Type(entity_type) => entity_type.name().to_owned(),
        }
    }

    /// As a tag without its prefix.
    pub fn name(self, vocabulary: Vocabulary) -> String {
        let name = match self {
            TagLabel::Category(category) => category.name(vocabulary),
            TagLabel::Type(entity_type) => Some(entity_type.name()),
        };
        name.map_or_else(|| self.tag(vocabulary), str::to_owned)
    }
}

impl From<DimensionCategory> for TagLabel {
    fn from(category: DimensionCategory) -> TagLabel {
        TagLabel::Category(category)
    }
}

/// Derived labels against given ones, aspect by aspect.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Accuracy {
    /// One for each aspect.
    pub dimensions: Vec<AspectAgreement>,
}

/// Derived labels of one aspect against given ones.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AspectAgreement {
    aspect: Aspect,
    labels: Vec<TagLabel>,
    /// For each given label how often each was derived; in the last column, none was.
    counts: Vec<Vec<usize>>,
    ambiguous: usize,
}

impl Accuracy {
    /// Compares what a tagger derives with the tags and types of a corpus. Annotations without
    /// exactly one given label of an aspect are not compared in it; what is marked as derived is not
    /// given.
    pub fn of(gold: &Corpus, tagger: &Tagger<'_>, aspects: &[Aspect]) -> Accuracy {
        let mut agreements: Vec<AspectAgreement> =
            aspects.iter().map(|&aspect| AspectAgreement::new(aspect)).collect();
        let spellings = Spellings::of(gold, tagger.watch());
        for document in tagger.documents(gold) {
            let reader = Reader::new(tagger, &document, &spellings);
            for mention in document.mentions() {
                let derived = reader.derive(&mention);
                for agreement in &mut agreements {
                    agreement.add(&mention, TagLabel::derived(&derived, agreement.aspect));
                }
            }
        }
        Accuracy { dimensions: agreements }
    }
}

impl AspectAgreement {
    fn new(aspect: Aspect) -> AspectAgreement {
        let labels = TagLabel::all(aspect);
        let counts = vec![vec![0; labels.len() + 1]; labels.len()];
        AspectAgreement { aspect, labels, counts, ambiguous: 0 }
    }

    fn add(&mut self, mention: &Mention<'_>, derived: Option<TagLabel>) {
        let is_given = Marked::of(mention).is_given(mention, self.aspect);
        let given = TagLabel::given(mention, self.aspect);
        // Annotators who gave two labels cannot be agreed with by one.
        let (true, [given]) = (is_given, given.as_slice()) else {
            self.ambiguous += 1;
            return;
        };
        let place = |label: &TagLabel| self.labels.iter().position(|other| other == label);
        let column = derived.as_ref().and_then(place).unwrap_or(self.labels.len());
        if let Some(count) = place(given).and_then(|row| self.counts.get_mut(row)) {
            count[column] += 1;
        }
    }

    /// The aspect.
    pub fn aspect(&self) -> Aspect {
        self.aspect
    }

    /// Its labels.
    pub fn labels(&self) -> &[TagLabel] {
        &self.labels
    }

    /// How many annotations were compared.
    pub fn compared(&self) -> usize {
        self.counts.iter().flatten().sum()
    }

    /// How many annotations have no given label of this aspect, or several.
    pub fn not_compared(&self) -> usize {
        self.ambiguous
    }

    /// How many annotations something was derived for.
    pub fn derived(&self) -> usize {
        self.labels.iter().map(|&label| self.derived_as(label)).sum()
    }

    /// How many derived labels are the given ones.
    pub fn agreed(&self) -> usize {
        self.labels.iter().map(|&label| self.count(label, Some(label))).sum()
    }

    /// How many annotations were given this label.
    pub fn given_as(&self, label: impl Into<TagLabel>) -> usize {
        self.row(label.into()).iter().sum()
    }

    /// How many compared annotations this label was derived for.
    pub fn derived_as(&self, label: impl Into<TagLabel>) -> usize {
        let label = label.into();
        self.labels.iter().map(|&given| self.count(given, Some(label))).sum()
    }

    /// How often a label was derived, or none, where this one was given.
    pub fn count(&self, given: impl Into<TagLabel>, derived: Option<TagLabel>) -> usize {
        let column = match derived {
            None => Some(self.labels.len()),
            Some(derived) => self.labels.iter().position(|&other| other == derived),
        };
        column.and_then(|column| self.row(given.into()).get(column)).copied().unwrap_or(0)
    }

    fn row(&self, given: TagLabel) -> &[usize] {
        let row = self.labels.iter().position(|&other| other == given);
        row.and_then(|row| self.counts.get(row)).map_or(&[], Vec::as_slice)
    }
}
