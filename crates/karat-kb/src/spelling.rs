//! One spelling for every id, whatever knowledge base it comes from.

use std::borrow::Cow;

/// How an id is written in a knowledge base.
pub(crate) fn written(id: &str) -> Cow<'_, str> {
    Cow::Borrowed(id)
}

/// Which of two equal ids is taken: the lower.
pub(crate) fn preference(id: &str) -> u8 {
    u8::from(!is_wikidata(id))
}

fn is_wikidata(id: &str) -> bool {
    id.strip_prefix('Q').is_some_and(|digits| {
        !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit())
    })
}
