//! One question and what came back.

use crate::failure::LinkFailure;
use crate::wire::{WireAnswer, WireRequest};
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use std::collections::HashMap;
use std::sync::RwLock;
use std::time::{SystemTime, UNIX_EPOCH};

/// One request to a linker and its answer, as they are kept. Neither holds a secret.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Exchange {
    /// The hash of the request.
    pub key: String,
    /// The document that was asked about; the first of several.
    pub document: String,
    /// The part of it, in code points.
    pub part: [u32; 2],
    /// How many further documents were asked about at once.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub more: usize,
    /// Which of several answers to one question it is.
    pub sample: u32,
    /// Which attempt it was, from 1.
    pub attempt: u32,
    /// When the answer was there, in UTC.
    pub at: String,
    /// What was asked. The questions to linkers of this process are not kept: the key says whether they are the same.
    pub request: WireRequest,
    /// What was answered.
    #[serde(flatten)]
    pub answer: WireAnswer,
    /// Why there is no answer, or none that can be used.
    #[serde(default)]
    pub failure: Option<LinkFailure>,
}

fn is_zero(number: &usize) -> bool {
    *number == 0
}

/// The hash by which the answer to a request is found again: of its method, address and body, and of which sample it is.
pub fn exchange_key(request: &WireRequest, sample: u32) -> String {
    let mut hash = Sha256::new();
    for piece in [&request.method, &request.url, &request.content_type, &request.body] {
        // With their lengths, so that no two requests are one sequence of bytes.
        hash.update((piece.len() as u64).to_le_bytes());
        hash.update(piece.as_bytes());
    }
    hash.update(sample.to_le_bytes());
    hash.finalize().iter().map(|byte| format!("{byte:02x}")).collect()
}

/// This moment in UTC.
pub(crate) fn moment_now() -> String {
    moment(SystemTime::now())
}

/// A moment in UTC: `2026-11-17T20:00:00Z`.
fn moment(time: SystemTime) -> String {
    let seconds = time.duration_since(UNIX_EPOCH).map_or(0, |since| since.as_secs());
    let (days, rest) = (seconds / 86_400, seconds % 86_400);
    // Days are counted from the first of March of the year 0, so that leap days are the last of their years.
    let shifted = days + 719_468;
    let (era, of_era) = (shifted / 146_097, shifted % 146_097);
    let year_of_era = (of_era - of_era / 1_460 + of_era / 36_524 - of_era / 146_096) / 365;
    let of_year = of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let shifted_month = (5 * of_year + 2) / 153;
    let day = of_year - (153 * shifted_month + 2) / 5 + 1;
    let month = if shifted_month < 10 { shifted_month + 3 } else { shifted_month - 9 };
    let year = era * 400 + year_of_era + u64::from(month <= 2);
    let (hour, minute, second) = (rest / 3600, rest / 60 % 60, rest % 60);
    format!("{year:04}-{month:02}-{day:02}T{hour:02}:{minute:02}:{second:02}Z")
}

/// The good answers that are there already, by their keys.
#[derive(Debug, Default)]
pub(crate) struct KeptAnswers(RwLock<HashMap<String, WireAnswer>>);

impl KeptAnswers {
    pub(crate) fn of(exchanges: impl IntoIterator<Item = Exchange>) -> KeptAnswers {
        let mut kept = HashMap::new();
        for exchange in exchanges {
            if exchange.failure.is_none() {
                kept.insert(exchange.key, exchange.answer);
            }
        }
        KeptAnswers(RwLock::new(kept))
    }

    pub(crate) fn get(&self, key: &str) -> Option<WireAnswer> {
        // Nothing is ever half-inserted, so a lock that was poisoned guards good answers all the same.
        let kept = self.0.read().unwrap_or_else(std::sync::PoisonError::into_inner);
        kept.get(key).cloned()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    #[test]
    fn moments_are_those_of_the_calendar() {
        for (seconds, expected) in [
            (0, "1970-01-01T00:00:00Z"),
            (951_782_400, "2000-02-29T00:00:00Z"),
            (1_794_945_600, "2026-11-17T20:00:00Z"),
            (4_107_542_399, "2100-02-28T23:59:59Z"),
        ] {
            assert_eq!(moment(UNIX_EPOCH + Duration::from_secs(seconds)), expected);
        }
    }

    #[test]
    fn other_requests_have_other_keys() {
        let request = |url: &str, body: &str| WireRequest {
            method: "POST".into(),
            url: url.into(),
            body: body.into(),
            ..WireRequest::default()
        };
        let key = exchange_key(&request("http://a/", "b"), 0);
        assert_eq!(key.len(), 64);
        assert_eq!(key, exchange_key(&request("http://a/", "b"), 0));
        for other in [request("http://a/b", ""), request("http://a/", "c")] {
            assert_ne!(key, exchange_key(&other, 0));
        }
        assert_ne!(key, exchange_key(&request("http://a/", "b"), 1));
    }
}
