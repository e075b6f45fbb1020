//! How well derived tags agree with those that persons gave.

use crate::context::Spellings;
use crate::derived::Marked;
use crate::tagger::Aspect;
use crate::tagger::{Reader, Tagger};
use karat_model::{Category, Corpus, Dimension, Mention};

/// Derived categories against given ones, dimension by dimension.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Accuracy {
    /// One for each dimension.
    pub dimensions: Vec<Agreement>,
}

/// Derived categories of one dimension against given ones.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Agreement {
    dimension: Dimension,
    categories: Vec<Category>,
    /// For each given category how often each was derived; in the last column, none was.
    counts: Vec<Vec<usize>>,
    ambiguous: usize,
}

impl Accuracy {
    /// Compares what a tagger derives with the tags of a corpus. Annotations without exactly
    /// one given tag of a dimension are not compared in it; tags that are marked as derived are not
    /// given.
    pub fn of(gold: &Corpus, tagger: &Tagger<'_>, dimensions: &[Dimension]) -> Accuracy {
        let mut agreements: Vec<Agreement> =
            dimensions.iter().map(|&dimension| Agreement::new(dimension)).collect();
        let spellings = Spellings::of(gold);
        for document in gold.documents() {
            let reader = Reader::new(tagger, &document, &spellings);
            for mention in document.mentions() {
                let derived = reader.derive(&mention);
                for agreement in &mut agreements {
                    agreement.add(&mention, derived.category(agreement.dimension));
                }
            }
        }
        Accuracy { dimensions: agreements }
    }
}

impl Agreement {
    fn new(dimension: Dimension) -> Agreement {
        let categories: Vec<Category> = dimension.categories().collect();
        let counts = vec![vec![0; categories.len() + 1]; categories.len()];
        Agreement { dimension, categories, counts, ambiguous: 0 }
    }

    fn add(&mut self, mention: &Mention<'_>, derived: Option<Category>) {
        let is_given = Marked::of(mention).is_given(mention, Aspect::Category(self.dimension));
        let given = mention.tags().filter_map(Category::of);
        let mut given = given.filter(|category| category.dimension() == self.dimension);
        let (true, Some(category), None) = (is_given, given.next(), given.next()) else {
            self.ambiguous += 1;
            return;
        };
        let place = |category| self.categories.iter().position(|&other| other == category);
        let column = derived.and_then(place).unwrap_or(self.categories.len());
        if let Some(count) = place(category).and_then(|row| self.counts.get_mut(row)) {
            count[column] += 1;
        }
    }

    /// The dimension.
    pub fn dimension(&self) -> Dimension {
        self.dimension
    }

    /// Its categories.
    pub fn categories(&self) -> &[Category] {
        &self.categories
    }

    /// How many annotations were compared.
    pub fn compared(&self) -> usize {
        self.counts.iter().flatten().sum()
    }

    /// How many annotations have no given tag of this dimension, or several.
    pub fn not_compared(&self) -> usize {
        self.ambiguous
    }

    /// How many annotations something was derived for.
    pub fn derived(&self) -> usize {
        self.categories.iter().map(|&category| self.derived_as(category)).sum()
    }

    /// How many derived categories are the given ones.
    pub fn agreed(&self) -> usize {
        self.categories.iter().map(|&category| self.count(category, Some(category))).sum()
    }

    /// How many annotations were given this category.
    pub fn given_as(&self, category: Category) -> usize {
        self.row(category).iter().sum()
    }

    /// How many compared annotations this category was derived for.
    pub fn derived_as(&self, category: Category) -> usize {
        self.categories.iter().map(|&given| self.count(given, Some(category))).sum()
    }

    /// How often a category was derived, or none, where this one was given.
    pub fn count(&self, given: Category, derived: Option<Category>) -> usize {
        let column = match derived {
            None => Some(self.categories.len()),
            Some(derived) => self.categories.iter().position(|&other| other == derived),
        };
        column.and_then(|column| self.row(given).get(column)).copied().unwrap_or(0)
    }

    fn row(&self, given: Category) -> &[usize] {
        let row = self.categories.iter().position(|&other| other == given);
        row.and_then(|row| self.counts.get(row)).map_or(&[], Vec::as_slice)
    }
}
