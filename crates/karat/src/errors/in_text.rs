//! A mention in its text, as lists of cases show it.

use super::ErrorCase;
use serde::{Deserialize, Serialize};

/// Where a mention stands, and the text around it.
///
/// Every list of cases shows its mentions in the middle of a line of text. Records have these fields among their own
/// (`serde(flatten)`), so that a reader of the JSON finds them under the same names in each list.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct MentionInText {
    /// Where it starts.
    pub start: u32,
    /// Where it ends.
    pub end: u32,
    /// What stands before it.
    pub before: String,
    /// Its text, if there is any.
    pub mention: Option<String>,
    /// What stands after it.
    pub after: String,
    /// Whether there is more text before and after.
    pub is_cut: [bool; 2],
}

impl MentionInText {
    /// The mention, in brackets, with what stands around it; `None` without a text.
    pub fn context(&self) -> Option<String> {
        let mention = self.mention.as_ref()?;
        let [start, end] = self.is_cut.map(|is_cut| if is_cut { "..." } else { "" });
        let line = format!("{start}{}[{mention}]{}{end}", self.before, self.after);
        Some(line.split_whitespace().collect::<Vec<_>>().join(" "))
    }

    /// The mention without what stands around it, where the text must not be shown.
    #[must_use]
    pub fn alone(self) -> MentionInText {
        MentionInText { before: String::new(), after: String::new(), is_cut: [false; 2], ..self }
    }
}

impl ErrorCase {
    /// Where it stands, and the text around it.
    pub(super) fn in_text(&self) -> MentionInText {
        MentionInText {
            start: self.span.start,
            end: self.span.end,
            before: self.before.clone(),
            mention: self.mention.clone(),
            after: self.after.clone(),
            is_cut: self.is_cut,
        }
    }
}
