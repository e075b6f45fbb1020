//! Submissions that come twice.

use serde::{Deserialize, Serialize};

/// What was stored of a submission.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Receipt {
    /// The revision of the answers.
    pub revision: u32,
    /// The digest of what was sent.
    pub digest: String,
}

/// What becomes of a submission, given the receipts of its token.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ReceiptVerdict {
    /// It is new: step the slot.
    New,
    /// The same came before: the same answer again.
    Again,
    /// The revision came before with other answers: refused, with what is stored.
    Conflict,
    /// A later revision is stored: kept, and does not count.
    Older,
}

impl Receipt {
    /// Looks a submission up among the receipts of its token.
    pub fn look_up(receipts: &[Receipt], submitted: &Receipt) -> ReceiptVerdict {
        let same = receipts.iter().find(|one| one.revision == submitted.revision);
        match same {
            Some(one) if one.digest == submitted.digest => ReceiptVerdict::Again,
            Some(_) => ReceiptVerdict::Conflict,
            None if receipts.iter().any(|one| one.revision > submitted.revision) => {
                ReceiptVerdict::Older
            }
            None => ReceiptVerdict::New,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_came_before_is_known_again() {
        let receipt = |revision, digest: &str| Receipt { revision, digest: digest.into() };
        let known = [receipt(1, "a"), receipt(3, "c")];
        for (submitted, expected) in [
            (receipt(1, "a"), ReceiptVerdict::Again),
            (receipt(1, "b"), ReceiptVerdict::Conflict),
            (receipt(2, "b"), ReceiptVerdict::Older),
            (receipt(4, "d"), ReceiptVerdict::New),
        ] {
            assert_eq!(Receipt::look_up(&known, &submitted), expected);
        }
    }
}
