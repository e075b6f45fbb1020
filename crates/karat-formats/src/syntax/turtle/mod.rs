//! A small, forgiving reader of Turtle, statement by statement.
//!
//! Published NIF files are rarely valid Turtle: prefixes are not declared, IRIs
//! hold spaces, long strings hold bare quotes. This reader takes them as they
//! are, borrows from the text wherever nothing is escaped, and knows where in
//! the file everything stands.

mod parallel;
mod scanner;
mod statement;
#[cfg(test)]
mod tests;
mod vocabulary;

pub(crate) use parallel::in_parallel;
pub(crate) use statement::Turtle;
pub(crate) use vocabulary::Namespace;

use std::borrow::Cow;

/// How to read.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Settings {
    /// Whether `\uXXXX` in an IRI stands for a character.
    pub(crate) unescape_iris: bool,
}

/// A name: an IRI, whole or as a prefix and the rest.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Iri<'t> {
    /// The namespace; [`Namespace::WHOLE`] when the IRI stands in `<...>`.
    pub(crate) namespace: Namespace,
    /// The prefix as written, empty for a whole IRI.
    pub(crate) prefix: &'t str,
    /// What follows the namespace; the whole IRI if there is none.
    pub(crate) local: Cow<'t, str>,
}

impl<'t> Iri<'t> {
    pub(crate) fn whole(text: impl Into<Cow<'t, str>>) -> Iri<'t> {
        Iri { namespace: Namespace::WHOLE, prefix: "", local: text.into() }
    }

    pub(crate) fn known(namespace: Namespace, local: &'static str) -> Iri<'t> {
        Iri { namespace, prefix: "", local: Cow::Borrowed(local) }
    }

    /// The namespace and the rest, where the namespace is one of the known ones.
    pub(crate) fn split(&self) -> (Namespace, &str) {
        if self.namespace == Namespace::WHOLE {
            Namespace::split(&self.local)
        } else {
            (self.namespace, &self.local)
        }
    }
}

/// A blank node.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum Blank<'t> {
    /// `_:label`.
    Labelled(&'t str),
    /// `[ ... ]`, by the byte it starts at.
    Brackets(usize),
    /// A cell of a collection `( ... )`, by the byte its item starts at.
    Cell(usize),
}

/// A subject or an object.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Term<'t> {
    Iri(Iri<'t>),
    Blank(Blank<'t>),
    Literal { value: Cow<'t, str>, datatype: Option<Iri<'t>>, language: Option<&'t str> },
}

impl<'t> Term<'t> {
    /// The value of a literal.
    pub(crate) fn into_value(self) -> Option<Cow<'t, str>> {
        match self {
            Term::Literal { value, .. } => Some(value),
            _ => None,
        }
    }
}

/// One fact of a statement.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Triple<'t> {
    pub(crate) subject: Term<'t>,
    pub(crate) predicate: Iri<'t>,
    pub(crate) object: Term<'t>,
    /// The byte of the text at which the object stands.
    pub(crate) at: usize,
}

/// What is wrong with a statement, and where.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Fault {
    pub(crate) at: usize,
    pub(crate) len: usize,
    pub(crate) message: String,
    /// Whether the text ends in the middle of the statement.
    pub(crate) truncated: bool,
}

impl Fault {
    /// The problem for a user.
    pub(crate) fn problem(self, text: &crate::source::Text<'_>) -> crate::problem::Problem {
        use crate::problem::Kind;
        let kind = if self.truncated { Kind::Truncated } else { Kind::Malformed };
        text.problem(kind, self.at, self.len, self.message).hint(if self.truncated {
            "the file was probably not copied to the end; get it again"
        } else {
            "a statement is `subject predicate object ; predicate object .`"
        })
    }
}
