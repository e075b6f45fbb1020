//! Several answers for one mention, and NIL ids that carry their cluster.

use crate::format::{Adapted, WriteError};
use crate::syntax::columns::{self, check_column, is_plain};
use karat_model::{
    AnnotationMut, Change, Corpus, CorpusBuilder, Edit, Link, Mention, Span, StrId, attribute,
};
use std::collections::HashSet;

/// One answer of a file.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Answer {
    pub(crate) link: Link,
    /// NaN for none.
    pub(crate) score: f64,
    pub(crate) kind: StrId,
}

/// Adds an annotation with the best answer as its link; one answer alone is no ranking.
pub(crate) fn annotate<'c>(
    corpus: &'c mut CorpusBuilder,
    span: Span,
    answers: &[Answer],
) -> AnnotationMut<'c> {
    let Some(best) = answers.first() else { return corpus.annotate(span, Link::NONE) };
    let mut annotation =
        corpus.annotate(span, best.link).confidence(best.score).types_id(best.kind);
    if answers.len() > 1 {
        for answer in answers {
            annotation = annotation.candidate_with_types(answer.link, answer.score, answer.kind);
        }
    }
    annotation
}

/// What sorts answers from the best to the worst, those without a score last.
pub(crate) fn best_first(score: f64) -> std::cmp::Reverse<TotalOrder> {
    std::cmp::Reverse(TotalOrder(if score.is_nan() { f64::NEG_INFINITY } else { score }))
}

/// A number ordered by `total_cmp`.
#[derive(Debug, Clone, Copy)]
pub(crate) struct TotalOrder(f64);

impl Ord for TotalOrder {
    fn cmp(&self, other: &TotalOrder) -> std::cmp::Ordering {
        self.0.total_cmp(&other.0)
    }
}

impl PartialOrd for TotalOrder {
    fn partial_cmp(&self, other: &TotalOrder) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for TotalOrder {
    fn eq(&self, other: &TotalOrder) -> bool {
        self.cmp(other).is_eq()
    }
}

impl Eq for TotalOrder {}

/// The link of an id; one that begins with NIL is NIL, and its rest the cluster.
pub(crate) fn link(corpus: &mut CorpusBuilder, id: &str) -> Link {
    match id.strip_prefix("NIL") {
        None => Link::to(corpus.intern(id)),
        Some("") => Link::NIL,
        Some(cluster) => Link::nil_cluster(corpus.intern(cluster)),
    }
}

/// What TAC writes where there is no type.
const NO_TYPE: &str = "NA";

/// The type in a column.
pub(crate) fn kind(corpus: &mut CorpusBuilder, column: &str) -> StrId {
    if column == NO_TYPE { StrId::EMPTY } else { corpus.intern(column) }
}

/// An answer as the columns of a row.
#[derive(Debug)]
pub(crate) struct Written {
    pub(crate) id: String,
    pub(crate) kind: String,
    pub(crate) score: String,
}

/// The answers of a mention, the best first.
pub(crate) fn written(mention: &Mention<'_>) -> Result<Vec<Written>, WriteError> {
    let document = mention.document().name();
    let row = |entity, cluster, score: Option<f64>, kind: Option<&str>| {
        if kind == Some(NO_TYPE) {
            let message = format!("the type `{NO_TYPE}` would be read as no type");
            return Err(WriteError::unrepresentable(document, message));
        }
        let kind = kind.unwrap_or(NO_TYPE);
        check_column(document, kind, "type")?;
        if kind.trim() != kind {
            let message = format!("the type `{kind}` begins or ends with white space");
            return Err(WriteError::unrepresentable(document, message));
        }
        Ok(Written {
            id: id(document, entity, cluster)?,
            kind: kind.to_owned(),
            score: columns::score(score),
        })
    };
    let own =
        row(mention.entity(), mention.nil_cluster(), mention.confidence(), mention.types().next());
    let others = mention.candidates().skip(1).map(|candidate| {
        row(candidate.entity, candidate.nil_cluster, candidate.score, candidate.types().next())
    });
    std::iter::once(own).chain(others).collect()
}

fn id(document: &str, entity: Option<&str>, cluster: Option<&str>) -> Result<String, WriteError> {
    if let Some(entity) = entity.filter(|entity| entity.starts_with("NIL")) {
        let message = format!("the entity `{entity}` would be read as NIL");
        return Err(WriteError::unrepresentable(document, message));
    }
    let name = entity.or(cluster).unwrap_or_default();
    check_column(document, name, "id")?;
    if name.trim() != name {
        let message =
            format!("the id `{name}` begins or ends with white space, which readers take off");
        return Err(WriteError::unrepresentable(document, message));
    }
    Ok(match entity {
        Some(entity) => entity.to_owned(),
        None => format!("NIL{}", cluster.unwrap_or_default()),
    })
}

/// Ids for the mentions of a file, which must have one each.
#[derive(Debug, Default)]
pub(crate) struct MentionIds<'c> {
    given: HashSet<&'c str>,
    made: usize,
}

/// Begins the ids that were made up because a mention had none.
const MADE: &str = "karat_";

impl<'c> MentionIds<'c> {
    /// The id of the next mention, made up if it has none.
    pub(crate) fn next(
        &mut self,
        mention: &Mention<'c>,
        own: Option<&'c str>,
    ) -> Result<String, WriteError> {
        let Some(id) = own else {
            self.made += 1;
            return Ok(format!("{MADE}{:06}", self.made));
        };
        let document = mention.document().name();
        if !self.takes(id) {
            let message = format!(
                "the id `{}` of a mention occurs twice or is no id that can be written",
                id.escape_debug()
            );
            return Err(WriteError::unrepresentable(document, message));
        }
        Ok(id.to_owned())
    }

    /// Whether an id can be written and is nobody's yet; if so, it is taken.
    fn takes(&mut self, id: &'c str) -> bool {
        !is_made_up(id) && is_plain(id) && self.given.insert(id)
    }
}

/// A corpus in which mentions have ids that no other mention of the file has: some formats
/// count them anew in each document. Those that lose theirs get one when they are written.
pub(crate) fn with_unique_ids(corpus: &Corpus) -> Option<Adapted> {
    let mut ids = MentionIds::default();
    let mut again = HashSet::new();
    let mut documents = HashSet::new();
    let mentions = corpus.documents().flat_map(|document| document.mentions());
    for (at, mention) in mentions.enumerate() {
        if mention.attribute(attribute::ID).is_some_and(|id| !ids.takes(id)) {
            again.insert(at);
            documents.insert(mention.document().name());
        }
    }
    if again.is_empty() {
        return None;
    }
    let mut at = 0;
    let corpus = corpus.edit(|_| {
        at += 1;
        if !again.contains(&(at - 1)) {
            return Edit::Keep;
        }
        let attributes = vec![(attribute::ID.to_owned(), None)];
        Edit::Change(Change { attributes, ..Change::default() })
    });
    Some(Adapted {
        corpus,
        documents: documents.len(),
        what: "the id of mentions that share theirs",
    })
}

/// Whether an id was made up by the writer and says nothing.
pub(crate) fn is_made_up(id: &str) -> bool {
    id.strip_prefix(MADE).is_some_and(|n| !n.is_empty() && n.bytes().all(|b| b.is_ascii_digit()))
}
