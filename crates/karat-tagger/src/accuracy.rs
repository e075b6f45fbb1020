//! How well derived tags agree with those that persons gave.

use crate::context::Spellings;
use crate::derived::Marked;
use crate::entity_type::EntityType;
use crate::tagger::{Aspect, Derived, Reader, Tagger};
use karat_model::{Category, Corpus, Mention, Vocabulary};

/// What was given or derived: a category of a dimension, or an entity type.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Label {
    /// A category.
    Category(Category),
    /// An entity type.
    Type(EntityType),
}

impl Label {
    fn all(aspect: Aspect) -> Vec<Label> {
        match aspect {
            Aspect::Category(dimension) => dimension.categories().map(Label::Category).collect(),
            Aspect::EntityType => EntityType::ALL.map(Label::Type).to_vec(),
        }
    }

    /// What a mention itself says.
    fn given(mention: &Mention<'_>, aspect: Aspect) -> Vec<Label> {
        match aspect {
            Aspect::Category(dimension) => mention
                .tags()
                .filter_map(Category::of)
                .filter(|category| category.dimension() == dimension)
                .map(Label::Category)
                .collect(),
            Aspect::EntityType => {
                mention.types().filter_map(EntityType::of).map(Label::Type).collect()
            }
        }
    }

    fn derived(derived: &Derived, aspect: Aspect) -> Option<Label> {
        match aspect {
            Aspect::Category(dimension) => derived.category(dimension).map(Label::Category),
            Aspect::EntityType => derived.entity_type.map(Label::Type),
        }
    }

    /// As a tag of a vocabulary; types have the same names in all.
    pub fn tag(self, vocabulary: Vocabulary) -> String {
        match self {
            Label::Category(category) => category.tag(vocabulary),
            Label::Type(entity_type) => entity_type.name().to_owned(),
        }
    }

    /// As a tag without its prefix.
    pub fn name(self, vocabulary: Vocabulary) -> String {
        let name = match self {
            Label::Category(category) => category.name(vocabulary),
            Label::Type(entity_type) => Some(entity_type.name()),
        };
        name.map_or_else(|| self.tag(vocabulary), str::to_owned)
    }
}

impl From<Category> for Label {
    fn from(category: Category) -> Label {
        Label::Category(category)
    }
}

/// Derived labels against given ones, aspect by aspect.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Accuracy {
    /// One for each aspect.
    pub dimensions: Vec<Agreement>,
}

/// Derived labels of one aspect against given ones.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Agreement {
    aspect: Aspect,
    labels: Vec<Label>,
    /// For each given label how often each was derived; in the last column, none was.
    counts: Vec<Vec<usize>>,
    ambiguous: usize,
}

impl Accuracy {
    /// Compares what a tagger derives with the tags and types of a corpus. Annotations without
    /// exactly one given label of an aspect are not compared in it; what is marked as derived is not
    /// given.
    pub fn of(gold: &Corpus, tagger: &Tagger<'_>, aspects: &[Aspect]) -> Accuracy {
        let mut agreements: Vec<Agreement> =
            aspects.iter().map(|&aspect| Agreement::new(aspect)).collect();
        let spellings = Spellings::of(gold);
        for document in gold.documents() {
            let reader = Reader::new(tagger, &document, &spellings);
            for mention in document.mentions() {
                let derived = reader.derive(&mention);
                for agreement in &mut agreements {
                    agreement.add(&mention, Label::derived(&derived, agreement.aspect));
                }
            }
        }
        Accuracy { dimensions: agreements }
    }
}

impl Agreement {
    fn new(aspect: Aspect) -> Agreement {
        let labels = Label::all(aspect);
        let counts = vec![vec![0; labels.len() + 1]; labels.len()];
        Agreement { aspect, labels, counts, ambiguous: 0 }
    }

    fn add(&mut self, mention: &Mention<'_>, derived: Option<Label>) {
        let is_given = Marked::of(mention).is_given(mention, self.aspect);
        let given = Label::given(mention, self.aspect);
        let (true, [given]) = (is_given, given.as_slice()) else {
            self.ambiguous += 1;
            return;
        };
        let place = |label: &Label| self.labels.iter().position(|other| other == label);
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
    pub fn labels(&self) -> &[Label] {
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
    pub fn given_as(&self, label: impl Into<Label>) -> usize {
        self.row(label.into()).iter().sum()
    }

    /// How many compared annotations this label was derived for.
    pub fn derived_as(&self, label: impl Into<Label>) -> usize {
        let label = label.into();
        self.labels.iter().map(|&given| self.count(given, Some(label))).sum()
    }

    /// How often a label was derived, or none, where this one was given.
    pub fn count(&self, given: impl Into<Label>, derived: Option<Label>) -> usize {
        let column = match derived {
            None => Some(self.labels.len()),
            Some(derived) => self.labels.iter().position(|&other| other == derived),
        };
        column.and_then(|column| self.row(given.into()).get(column)).copied().unwrap_or(0)
    }

    fn row(&self, given: Label) -> &[usize] {
        let row = self.labels.iter().position(|&other| other == given);
        row.and_then(|row| self.counts.get(row)).map_or(&[], Vec::as_slice)
    }
}
