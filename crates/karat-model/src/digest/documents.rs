//! The digest of a corpus from those of its documents.

use super::Digest;
use super::canonical::{Canonical, Order};
use crate::{Corpus, Document};
use rayon::prelude::*;
use serde::{Deserialize, Serialize};

/// The digests of some documents of a corpus: all that is needed to make the digest of a corpus
/// that is read in parts, or is spread over machines.
///
/// ```
/// use karat_model::{CorpusBuilder, DocumentDigests, Link, Span};
///
/// let corpus = |names: &[&str]| {
///     let mut builder = CorpusBuilder::new();
///     for name in names {
///         builder.continue_document(name);
///         builder.annotate(Span::new(0, 6), Link::NIL);
///     }
///     builder.finish()
/// };
/// let mut digests = DocumentDigests::of(&corpus(&["c"]));
/// digests.merge(DocumentDigests::of(&corpus(&["b", "a"])));
/// assert_eq!(digests.finish(), corpus(&["a", "b", "c"]).digest());
/// ```
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct DocumentDigests {
    documents: Vec<Digest>,
}

/// Fewer documents than this are not worth a thread.
const FEW: usize = 128;

impl DocumentDigests {
    /// Those of all documents of a corpus, or of a part of one.
    pub fn of(corpus: &Corpus) -> DocumentDigests {
        DocumentDigests::in_order(corpus, Order::Free)
    }

    fn in_order(corpus: &Corpus, order: Order) -> DocumentDigests {
        let digest =
            |canonical: &mut Canonical, at| canonical.digest(&Document::new(corpus, at), order);
        let documents = 0..corpus.len();
        let documents = if documents.len() < FEW {
            let mut canonical = Canonical::default();
            documents.map(|at| digest(&mut canonical, at)).collect()
        } else {
            let documents = documents.into_par_iter().with_min_len(FEW);
            documents.map_init(Canonical::default, digest).collect()
        };
        DocumentDigests { documents }
    }

    /// Adds those of other documents.
    pub fn merge(&mut self, mut others: DocumentDigests) {
        self.documents.append(&mut others.documents);
    }

    /// The digest of the corpus that has just these documents.
    pub fn finish(mut self) -> Digest {
        // Digests of documents are sorted, so parts can be merged in any order.
        self.documents.par_sort_unstable();
        let count = (self.documents.len() as u64).to_le_bytes();
        let documents = self.documents.iter().map(|digest| digest.as_bytes().as_slice());
        Digest::of_pieces([CORPUS, &count].into_iter().chain(documents))
    }
}

/// What the bytes of a corpus begin with.
const CORPUS: &[u8] = b"karat corpus 1\n";

impl Corpus {
    /// What the corpus says, in 256 bits; see [`Digest`]. It is computed once.
    pub fn digest(&self) -> Digest {
        // Not within `get_or_init`: a thread that waits for others there may take up work that
        // asks for the same digest, and would wait for itself.
        let memo = &self.memo.digest;
        *memo.get().unwrap_or_else(|| {
            let digest = DocumentDigests::of(self).finish();
            memo.get_or_init(|| digest)
        })
    }

    /// As [`Corpus::digest`], but annotations of a document in another order, and readings with other numbers,
    /// are another corpus: for conventions that take annotations in the order of the file.
    /// Documents may still come in any order.
    pub fn digest_in_order(&self) -> Digest {
        DocumentDigests::in_order(self, Order::OfFile).finish()
    }
}

impl Document<'_> {
    /// What the document says, in 256 bits; see [`Digest`].
    pub fn digest(&self) -> Digest {
        Canonical::default().digest(self, Order::Free)
    }
}
