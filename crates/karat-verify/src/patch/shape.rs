//! What can be wrong with the JSON of a change.

use super::content::{DEPTH, FLAGS};

/// What is wrong with the JSON of a change. Its reader says where.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub(super) enum ShapeError {
    #[error("`link` is the id of an entity, or null")]
    Link,
    #[error("`nil` is true, the name of a cluster, or null")]
    Nil,
    #[error("`{0}` is a list of strings that are not empty")]
    Strings(&'static str),
    #[error("`{0}` is no flag: flags are {known}", known = flags())]
    Flag(String),
    #[error("`attributes` is an object of strings that are not empty")]
    Attributes,
    #[error("the attribute `{0}` belongs to a file, and no patch changes it")]
    AttributeOfFile(String),
    #[error("`readings` is a list of readings, each a list of parts")]
    Readings,
    #[error("readings lie in readings more than {DEPTH} deep")]
    Depth,
    #[error("unknown key `{0}`")]
    Key(String),
    #[error("a mention has a link or is NIL, not both")]
    LinkAndNil,
    #[error("a part is an object with `span` and `link`")]
    Part,
    #[error("a span is written as [start, end]")]
    Span,
    #[error("`{0}` is no span: it has a start and an end that is not before it")]
    SpanOffsets(String),
    #[error("`set` has no field `{0}`")]
    Field(String),
    #[error("`{0}` is written as [old, new]")]
    Pair(String),
    #[error("`{0}` is the same before and after")]
    Same(String),
    #[error("the old value of `span` is not the span of the change")]
    OldSpan,
    #[error("`set` is empty")]
    NothingSet,
    #[error("`span` stands beside `add` or `remove`, not in it")]
    SpanInPiece,
    #[error("`copy` is a number from 1")]
    Copy,
    #[error("`with` lists further parts of a reading, and needs `part_of`")]
    WithAlone,
    #[error("`part_of` is an object with `span` and `link` of a mention")]
    PartOf,
    #[error(
        "`part_of` has no key `{0}`: one change is one reading, and its further parts stand in `with`"
    )]
    PartOfKey(String),
    #[error("a reading has no `copy`")]
    CopyOfReading,
    #[error("`with` is a list of parts")]
    With,
    #[error("the span of a reading is that of its first part")]
    FirstPart,
    #[error("`{0}` is an object")]
    Action(String),
}

fn flags() -> String {
    FLAGS.map(|(name, _)| name).join(", ")
}
