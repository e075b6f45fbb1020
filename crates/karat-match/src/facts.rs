//! What a knowledge base must be asked.

/// A quantity or a date.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Literal {
    /// A number.
    Quantity,
    /// A point in time.
    Datetime,
}

/// Answers of a knowledge base; `None` where it does not know.
pub trait Facts: std::fmt::Debug + Send + Sync {
    /// Whether an entity is a quantity or a date; `Some(None)` if it is neither.
    fn literal(&self, entity: &str) -> Option<Option<Literal>>;
    /// Its name.
    fn name(&self, entity: &str) -> Option<&str>;
    /// Its types; an empty list if it has none.
    fn types(&self, entity: &str) -> Option<Vec<&str>>;
    /// Whether it is a place.
    fn is_location(&self, entity: &str) -> Option<bool>;
    /// The entities that a text means most often.
    fn most_popular(&self, text: &str) -> Option<Vec<&str>>;
    /// Whether a text is a demonym.
    fn is_demonym(&self, text: &str) -> Option<bool>;
    /// How many words a document has, and how many of them are lowercased.
    fn words(&self, benchmark: &str, document: usize) -> Option<(u64, u64)>;
}
