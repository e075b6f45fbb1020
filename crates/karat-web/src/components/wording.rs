//! Names as people write them.

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

/// Names in a sentence: `a, b and c`.
pub fn listed(names: &[&str]) -> String {
    match names {
        [all @ .., last] if !all.is_empty() => format!("{} and {last}", all.join(", ")),
        names => names.concat(),
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

    #[test]
    fn names_are_listed_as_in_a_sentence() {
        assert_eq!(listed(&[]), "");
        assert_eq!(listed(&["a"]), "a");
        assert_eq!(listed(&["a", "b"]), "a and b");
        assert_eq!(listed(&["a", "b", "c"]), "a, b and c");
    }
}
