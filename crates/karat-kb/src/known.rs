//! What is known, and what is not.

/// An answer of the knowledge base, or the admission that it has none.
///
/// An empty answer is an answer: *there are no candidates* is not the same as
/// *this base cannot say*.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Known<T> {
    /// The answer.
    Known(T),
    /// The base was not given what would be needed to answer.
    #[default]
    Unknown,
}

impl<T> Known<T> {
    /// The answer, if there is one.
    pub fn known(self) -> Option<T> {
        match self {
            Known::Known(answer) => Some(answer),
            Known::Unknown => None,
        }
    }

    /// Whether there is no answer.
    pub fn is_unknown(&self) -> bool {
        matches!(self, Known::Unknown)
    }

    /// The same about what follows from the answer.
    pub fn map<U>(self, follows: impl FnOnce(T) -> U) -> Known<U> {
        match self {
            Known::Known(answer) => Known::Known(follows(answer)),
            Known::Unknown => Known::Unknown,
        }
    }
}

impl<T> From<Option<T>> for Known<T> {
    fn from(answer: Option<T>) -> Known<T> {
        answer.map_or(Known::Unknown, Known::Known)
    }
}
