//! A number for a content that is the same everywhere.

/// A hash that is the same on every machine and in every version, which is what the hashes of the
/// standard library are not. Documents are drawn in its order, so whoever changes it changes
/// published intervals. Not for adversaries: what must not be forged has a [`crate::Digest`].
pub fn hash_of(content: &[u8]) -> u64 {
    let (words, rest) = content.as_chunks::<8>();
    let mut last = [0; 8];
    // The length comes first, so that contents that differ only in trailing zeros differ in their
    // hash.
    last[..rest.len()].copy_from_slice(rest);
    let numbers = std::iter::once(content.len() as u64)
        .chain(words.iter().map(|word| u64::from_le_bytes(*word)))
        .chain([u64::from_le_bytes(last)]);
    numbers.fold(0xcbf2_9ce4_8422_2325, |state, number| {
        let mixed = (state ^ number).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        mixed ^ (mixed >> 29)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_hash_stays_what_it_is() {
        // Whoever changes these changes every interval that was ever published.
        assert_eq!(hash_of(b"karat"), 0x843e_0d00_c7a0_f95f);
        assert_eq!(hash_of(b""), 0x99b6_af62_e388_5e8f);
        assert_eq!(hash_of(b"a name of several words"), 0x80d1_0a26_1e8f_bf4f);
    }
}
