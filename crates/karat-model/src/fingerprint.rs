//! A short name for a large content.

/// Six digits that change when the content does; the same on every machine.
pub fn fingerprint(content: &[u8]) -> String {
    let mut fingerprint = Fingerprint::new();
    fingerprint.bytes(content);
    fingerprint.finish()
}

/// All bits of the same.
pub fn hash_of(content: &[u8]) -> u64 {
    let mut fingerprint = Fingerprint::new();
    fingerprint.bytes(content);
    fingerprint.state
}

/// A hash that is the same on every machine and in every version, which is what
/// the hashes of the standard library are not. Not for adversaries.
pub(crate) struct Fingerprint {
    state: u64,
}

impl Fingerprint {
    pub(crate) fn new() -> Fingerprint {
        Fingerprint { state: 0xcbf2_9ce4_8422_2325 }
    }

    pub(crate) fn number(&mut self, number: u64) {
        let mixed = (self.state ^ number).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        self.state = mixed ^ (mixed >> 29);
    }

    pub(crate) fn bytes(&mut self, bytes: &[u8]) {
        self.number(bytes.len() as u64);
        let (words, rest) = bytes.as_chunks::<8>();
        for word in words {
            self.number(u64::from_le_bytes(*word));
        }
        let mut last = [0; 8];
        last[..rest.len()].copy_from_slice(rest);
        self.number(u64::from_le_bytes(last));
    }

    /// Six hexadecimal digits.
    pub(crate) fn finish(&self) -> String {
        format!("{:06x}", self.state >> 40)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{CorpusBuilder, Link, Span};

    #[test]
    fn a_fingerprint_stays_what_it_is() {
        // Whoever changes this changes every signature that was ever published.
        assert_eq!(fingerprint(b"karat"), "843e0d");
    }

    #[test]
    fn it_is_about_what_is_said_and_not_about_numbers() {
        let corpus = |first: &str, link: &str| {
            let mut builder = CorpusBuilder::new();
            builder.intern(first);
            builder.continue_document("d1");
            let link = Link::to(builder.intern(link));
            builder.annotate(Span::new(0, 6), link);
            builder.finish().fingerprint()
        };
        assert_eq!(corpus("Q64", "Q64"), corpus("something else", "Q64"));
        assert_ne!(corpus("Q64", "Q64"), corpus("Q64", "Q90"));
    }
}
