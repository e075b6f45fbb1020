//! What fits into a column of a tab-separated row.

use crate::format::WriteError;

/// What ends a column or a row.
pub(crate) const BREAKS: [char; 3] = ['\t', '\n', '\r'];

/// Refuses what would break a row of tab-separated columns.
pub(crate) fn check_column(document: &str, value: &str, what: &str) -> Result<(), WriteError> {
    if value.contains(BREAKS) {
        let message =
            format!("the {what} `{}` has a tab or line break in it", value.escape_debug());
        return Err(WriteError::unrepresentable(document, message));
    }
    Ok(())
}

/// Whether a string survives in a column and between the tags of a field.
pub(crate) fn is_plain(value: &str) -> bool {
    !value.is_empty() && value.trim() == value && !value.contains(char::is_control)
}

/// A score so that it is read again as the same number; nothing for none.
pub(crate) fn score(score: Option<f64>) -> String {
    // `{:?}` writes the shortest digits that read back as the same number.
    score.map(|score| format!("{score:?}")).unwrap_or_default()
}
