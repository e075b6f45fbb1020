//! What a content is, in 256 bits.

mod canonical;
mod documents;
#[cfg(test)]
mod tests;

use serde::{Deserialize, Deserializer, Serialize, Serializer, de};
use std::fmt;
use std::str::FromStr;

pub use documents::DocumentDigests;

/// A content in 256 bits: a corpus, a document, a file.
///
/// Two contents with one digest are the same content, as far as anybody knows how to tell: finding
/// two different ones takes about 2^128 tries. So a digest may name a gold standard on a
/// leaderboard, key a cache and say what a patch applies to. Written out it has 64 hexadecimal
/// digits; people see the first six of them in a signature ([`Digest::short`]).
///
/// # The digest of bytes
///
/// BLAKE3 of the bytes, as `b3sum` prints it.
///
/// # The digest of a corpus
///
/// It says what a corpus says, not how a file says it. It is free of the order of documents, of
/// the order of annotations in a document, of the order and the numbers of alternative readings,
/// and of internal numbers. Apart from that, two corpora have the same digest exactly when they
/// are equal: everything that a score, a slice or a patch can depend on changes it.
///
/// A corpus is a set of documents, because no two have the same name. Its digest is BLAKE3 of
///
/// 1. the bytes `karat corpus 1` and a line break,
/// 2. the number of documents, in eight bytes, the lowest first,
/// 3. the digests of the documents, 32 bytes each, sorted as bytes.
///
/// So the digests of documents are all that parts need to hand on: whoever has those of all parts
/// ([`DocumentDigests`]) has the digest of the whole, in whatever order they come. A part must have
/// its documents whole. Where the lines of one document are spread over several parts, these are
/// first brought together ([`crate::CorpusBuilder::absorb`] with [`crate::Repeated::Merge`]).
///
/// The digest of a document is BLAKE3 of its canonical form. There, a *number* is written in LEB128
/// (seven bits in a byte, the lowest first, the highest bit set in all bytes but the last), a
/// *string* as the number of its bytes and these in UTF-8, a *list* of strings as the string of its
/// items joined by U+001F, a *float* as the eight bytes of its IEEE 754 form, the lowest first,
/// with zero for minus zero. *Optional* things have the number 0 if they are not there, and 1
/// before them if they are; *several* have their number before them. The form is
///
/// 1. the bytes `karat document 1` and a line break,
/// 2. the name, as a string; the text, as an optional string; the evaluation span, optional, as
///    start and end,
/// 3. the attributes: several pairs of strings, sorted by key; values of one key keep their order,
/// 4. the marks: several of kind ([`crate::MarkKind::ALL`] from 0), start, end and value, sorted
///    in this order,
/// 5. the roots: several annotations, those without a place in a tree of alternatives,
/// 6. annotations whose parent does not exist: several, usually none,
/// 7. circles of annotations that are parts of each other: several, usually none.
///
/// Annotations are sorted by start, by end and then by their bytes. One is written as
///
/// 1. start and end, as numbers,
/// 2. the link: four times the number of bytes of its string, plus 0 for an entity, 1 for NIL with
///    a cluster, 2 for NIL without, 3 for no answer; then the bytes, which the last two do not have,
/// 3. the types, as a list,
/// 4. a number: its flags ([`crate::Flags`]) times eight, plus 1 if it has a confidence, 2 if it
///    has details, 4 if it has alternative readings; each of these follows in this order,
/// 5. the confidence, as a float,
/// 6. the details: the candidates (several of a link, an optional score as a float, and a list of types),
///    the equivalents (several links), the tags (a list), the attributes (as those of the document),
/// 7. the readings: several of several digests, 32 bytes each, one for each part. The digest of a
///    part is BLAKE3 of the bytes `karat annotation 1`, a line break, and the part written in this
///    way. Digests are sorted within a reading, and readings as bytes, the number of parts included.
///
/// A circle is written as several digests of annotations, each followed by that of its parent,
/// beginning where the sequence is smallest; the part that makes it a circle counts as 32 zeros
/// among the parts of its parent. Circles are sorted as bytes.
///
/// # What it cannot tell
///
/// Some conventions of the literature take annotations in the order of the file (the last of a
/// span wins, or the first that fits is taken). Under these, two corpora with one digest may have
/// different scores; [`crate::Corpus::digest_in_order`] tells them apart.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Digest([u8; 32]);

impl Digest {
    /// The digest of bytes, as `b3sum` prints it.
    pub fn of_bytes(content: &[u8]) -> Digest {
        Digest(*blake3::hash(content).as_bytes())
    }

    /// The digest of contents that are not at hand in one piece: that of their bytes, one after
    /// the other.
    pub fn of_pieces<'p>(pieces: impl IntoIterator<Item = &'p [u8]>) -> Digest {
        let mut hasher = blake3::Hasher::new();
        for piece in pieces {
            hasher.update(piece);
        }
        Digest(*hasher.finalize().as_bytes())
    }

    /// The first six digits, for people.
    pub fn short(&self) -> String {
        let mut digits = self.to_string();
        digits.truncate(6);
        digits
    }

    /// All of it.
    pub fn as_bytes(&self) -> &[u8; 32] {
        &self.0
    }
}

/// The first six digits of the digest of a file that is no corpus.
pub fn fingerprint(content: &[u8]) -> String {
    Digest::of_bytes(content).short()
}

impl fmt::Display for Digest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|byte| write!(f, "{byte:02x}"))
    }
}

impl fmt::Debug for Digest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Digest({self})")
    }
}

/// A text that is no digest.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DigestError {
    /// The text.
    pub text: String,
}

impl fmt::Display for DigestError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "`{}` is no digest: expected 64 hexadecimal digits", self.text)
    }
}

impl std::error::Error for DigestError {}

impl FromStr for Digest {
    type Err = DigestError;

    fn from_str(text: &str) -> Result<Digest, DigestError> {
        let error = || DigestError { text: text.to_owned() };
        let (pairs, rest) = text.as_bytes().as_chunks::<2>();
        let mut bytes = [0; 32];
        if pairs.len() != bytes.len() || !rest.is_empty() {
            return Err(error());
        }
        for (byte, &[high, low]) in bytes.iter_mut().zip(pairs) {
            let digit = |digit: u8| char::from(digit).to_digit(16).ok_or_else(error);
            *byte = (digit(high)? << 4 | digit(low)?) as u8;
        }
        Ok(Digest(bytes))
    }
}

impl Serialize for Digest {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Digest {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Digest, D::Error> {
        let text = std::borrow::Cow::<'de, str>::deserialize(deserializer)?;
        text.parse().map_err(de::Error::custom)
    }
}
