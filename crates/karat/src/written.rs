//! What requests that write corpora have in common.

use crate::notices;
use karat_model::{Loss, Notice};
use std::collections::BTreeMap;

/// What a format could not hold.
pub(crate) fn loss_notice(format: &str, loss: &Loss) -> Option<Notice> {
    let items: String = loss.iter().map(|(what, count)| format!("\n{count:>8}  {what}")).collect();
    let message = format!("`{format}` cannot hold everything; left out:{items}");
    (!loss.is_empty()).then(|| notices::LEFT_OUT.notice(message).about(format))
}

/// The same as a record: what was left out, and how often.
pub(crate) fn lost(loss: &Loss) -> BTreeMap<String, usize> {
    loss.iter().map(|(what, count)| (what.to_owned(), count)).collect()
}
