//! Answers of language models: mentions without offsets, as a list or marked in a
//! copy of the text that need not be faithful.

mod answers;
mod json;
mod markup;

pub(super) use json::LlmJson;
pub(super) use markup::LlmMarkup;
