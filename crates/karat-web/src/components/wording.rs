//! Names of scores and corrections as people write them.

/// A score as papers name it: `link F1` for `link.f1`.
pub fn score_words(name: &str) -> String {
    name.replace(".f1", " F1").replace('.', " ")
}

/// A correction for many tests by the name of whoever it is of.
pub fn correction_words(name: &str) -> &str {
    match name {
        "holm" => "Holm",
        "bh" => "Benjamini and Hochberg",
        "bonferroni" => "Bonferroni",
        other => other,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scores_and_corrections_are_written_as_in_papers() {
        assert_eq!(score_words("link.f1"), "link F1");
        assert_eq!(score_words("link.precision"), "link precision");
        assert_eq!(score_words("link.f1@macro"), "link F1@macro");
        assert_eq!(correction_words("holm"), "Holm");
        assert_eq!(correction_words("none"), "none");
    }
}
