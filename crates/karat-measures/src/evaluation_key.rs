//! What decides the scores of a system, in 256 bits.

use crate::Signature;
use karat_model::{Digest, DigestError};
use serde::{Deserialize, Serialize};
use std::fmt;
use std::str::FromStr;

/// What an evaluation is known by: two with the same key have the same scores.
///
/// It is made of the version of karat, the settings that change a score, the digest of the gold
/// standard and the digest of the output of the system. What does not change a score is not in it:
/// names of benchmarks, systems and files, whether the files were read as a stream, which measures
/// were asked for, and in what form they were shown. So a single score is known by the key and the
/// canonical name of its measure.
///
/// # Definition
///
/// BLAKE3 of the bytes `karat evaluation 1`, a line break, and a list of pairs of a name and a
/// value, each of both as the number of its bytes in eight bytes, the lowest first, and the bytes. The
/// pairs are
///
/// - the parts of the signature, the version among them; but not `gold` and `stream`, not how files were read
///   (`columns`, `unit`, `end`, `shift`, `lenient`), and no part that has the name of one of the digests,
/// - the digests, written in hexadecimal digits: `gold`, `system`, and those of other inputs.
///
/// They are sorted by name and value, as bytes.
///
/// ```
/// use karat_measures::{Convention, EvaluationKey, Signature};
/// use karat_model::Digest;
///
/// let signature = Signature::new(&Convention::default());
/// let (gold, system) = (Digest::of_bytes(b"gold"), Digest::of_bytes(b"system"));
/// let key = EvaluationKey::new(&signature, gold, system, &[]);
/// assert_ne!(key, EvaluationKey::new(&signature, system, gold, &[]));
/// assert_eq!(key.to_string().parse(), Ok(key));
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(transparent)]
pub struct EvaluationKey(Digest);

/// Parts of a signature that do not change a score: a digest says more, or nothing depends on it. How a file was
/// read shows in the digest of what was read.
const WITHOUT_EFFECT: [&str; 7] = ["gold", "stream", "columns", "unit", "end", "shift", "lenient"];

impl EvaluationKey {
    /// The key of the scores that a system has on a gold standard under a signature.
    ///
    /// `others` are the digests of what else the signature names by six digits only, such as the
    /// development set (`tuned`); an input that is not among them counts with its six digits.
    /// Where the convention takes annotations in the order of the file, the digests must know it too
    /// ([`karat_model::Corpus::digest_in_order`]).
    pub fn new(
        signature: &Signature,
        gold: Digest,
        system: Digest,
        others: &[(&str, Digest)],
    ) -> EvaluationKey {
        let digests = [("gold", gold), ("system", system)];
        let digests = || digests.iter().chain(others);
        let counts = |name: &str| {
            !WITHOUT_EFFECT.contains(&name) && digests().all(|(digest, _)| *digest != name)
        };
        let settings = signature.parts().filter(|(name, _)| counts(name));
        let settings = settings.map(|(name, value)| (name, value.to_owned()));
        let inputs = digests().map(|(name, digest)| (*name, digest.to_string()));
        let mut pairs: Vec<(&str, String)> = settings.chain(inputs).collect();
        // The order in which a signature was put together does not matter.
        pairs.sort_unstable();
        let mut bytes = b"karat evaluation 1\n".to_vec();
        for text in pairs.iter().flat_map(|(name, value)| [name, value.as_str()]) {
            // Lengths before the texts: no two lists of pairs give the same bytes.
            bytes.extend_from_slice(&(text.len() as u64).to_le_bytes());
            bytes.extend_from_slice(text.as_bytes());
        }
        EvaluationKey(Digest::of_bytes(&bytes))
    }

    /// The key as a digest.
    pub fn digest(&self) -> Digest {
        self.0
    }
}

impl fmt::Display for EvaluationKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl FromStr for EvaluationKey {
    type Err = DigestError;

    fn from_str(text: &str) -> Result<EvaluationKey, DigestError> {
        text.parse().map(EvaluationKey)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Convention;

    fn key(signature: &str, others: &[(&str, Digest)]) -> EvaluationKey {
        let signature: Signature = signature.parse().expect("a signature");
        EvaluationKey::new(&signature, Digest::of_bytes(b"g"), Digest::of_bytes(b"s"), others)
    }

    #[test]
    fn what_changes_a_score_changes_the_key() {
        let plain = key("karat:1|preset:karat|match:exact", &[]);
        for other in [
            "karat:2|preset:karat|match:exact",
            "karat:1|preset:neleval|match:exact",
            "karat:1|preset:karat|match:overlap",
            "karat:1|preset:karat",
            "karat:1|preset:karat|match:exact|kb:base@123456",
            "karat:1|preset:karat|match:exact|tuned:dev@123456",
        ] {
            assert_ne!(key(other, &[]), plain, "{other}");
        }
        let signature = "karat:1|preset:karat|match:exact".parse().expect("a signature");
        let of = |gold: &[u8], system: &[u8]| {
            EvaluationKey::new(&signature, Digest::of_bytes(gold), Digest::of_bytes(system), &[])
        };
        assert_eq!(of(b"g", b"s"), plain);
        assert_ne!(of(b"h", b"s"), plain);
        assert_ne!(of(b"g", b"t"), plain);
        assert_ne!(of(b"s", b"g"), plain);
    }

    #[test]
    fn what_does_not_change_a_score_is_not_in_the_key() {
        let plain = key("karat:1|preset:karat|match:exact", &[]);
        for same in [
            "karat:1|match:exact|preset:karat",
            "karat:1|preset:karat|match:exact|gold:aida@123456",
            "karat:1|preset:karat|match:exact|gold:other name@123456|stream:yes",
            "karat:1|preset:karat|match:exact|unit:mine=bytes|end:inclusive|shift:mine=-1|lenient:yes",
        ] {
            assert_eq!(key(same, &[]), plain, "{same}");
        }
    }

    #[test]
    fn a_digest_stands_for_six_digits() {
        let development = Digest::of_bytes(b"development");
        let tuned = |signature: &str, of: Digest| key(signature, &[("tuned", of)]);
        let one = tuned("karat:1|tuned:dev@123456", development);
        assert_eq!(tuned("karat:1|tuned:other name@123456", development), one);
        assert_ne!(tuned("karat:1|tuned:dev@123456", Digest::of_bytes(b"other")), one);
        assert_ne!(key("karat:1|tuned:dev@123456", &[]), one);
    }

    #[test]
    fn names_and_values_do_not_run_into_each_other() {
        let mut one = Signature::new(&Convention::default());
        let mut other = one.clone();
        one.push("ab", "c");
        other.push("a", "bc");
        let key = |signature: &Signature| {
            EvaluationKey::new(signature, Digest::of_bytes(b"g"), Digest::of_bytes(b"s"), &[])
        };
        assert_ne!(key(&one), key(&other));
    }

    #[test]
    fn a_key_stays_what_it_is() {
        // Whoever changes this empties every cache and renames every entry of a leaderboard.
        let key = key("karat:1|preset:karat|match:exact|gold:aida@123456", &[]);
        assert_eq!(
            key.to_string(),
            "f3ab724fb732a35976b5d5de86ffed3f5efb284f092f02a45218316ae0043195"
        );
        let json = serde_json::to_value(key).expect("a string");
        assert_eq!(json, key.digest().to_string());
        assert_eq!(serde_json::from_value::<EvaluationKey>(json).expect("a key"), key);
    }
}
