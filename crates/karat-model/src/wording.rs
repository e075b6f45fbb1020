//! What is said to users: which name they may have meant, and errors in words.

use std::fmt::Display;

/// The name that somebody may have meant who typed this, if one is close enough.
pub fn closest<'n>(typed: &str, names: impl IntoIterator<Item = &'n str>) -> Option<&'n str> {
    // What is that long was not mistyped, and to compare it would take long.
    const LONGEST: usize = 100;
    let typed: String = typed.chars().take(LONGEST + 1).collect::<String>().to_lowercase();
    let length = typed.chars().count();
    let near = names.into_iter().filter(|name| name.len() <= LONGEST);
    // Upper and lower case are mixed up more often than letters.
    let (far, name) = near.map(|name| (distance(&name.to_lowercase(), &typed), name)).min()?;
    (far * 3 <= length && length <= LONGEST).then_some(name)
}

/// How many letters differ.
pub fn distance(a: &str, b: &str) -> usize {
    let b: Vec<char> = b.chars().collect();
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, x) in a.chars().enumerate() {
        let mut diagonal = row[0];
        row[0] = i + 1;
        for (j, y) in b.iter().enumerate() {
            let substituted = diagonal + usize::from(x != *y);
            diagonal = row[j + 1];
            row[j + 1] = substituted.min(row[j] + 1).min(diagonal + 1);
        }
    }
    row[b.len()]
}

/// An error without the number that the operating system gives it.
pub fn in_words(error: &impl Display) -> String {
    let text = error.to_string();
    text.split(" (os error").next().unwrap_or_default().to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_is_near_may_have_been_meant() {
        let names = ["neleval", "nif", "elevant"];
        assert_eq!(closest("Nelevel", names), Some("neleval"));
        assert_eq!(closest("xml", names), None);
        assert_eq!(closest("PERS", ["LOC", "ORG", "PER"]), Some("PER"));
        assert_eq!(closest("loc", ["LOC", "ORG", "PER"]), Some("LOC"));
        assert_eq!(closest(&"nif".repeat(1_000), names), None);
        assert_eq!(distance("kitten", "sitting"), 3);
    }

    #[test]
    fn numbers_of_the_system_are_left_out() {
        let error = std::io::Error::from_raw_os_error(2);
        assert!(error.to_string().contains("(os error 2)"));
        assert!(!in_words(&error).contains("os error"));
        assert_eq!(in_words(&"other errors stay"), "other errors stay");
    }
}
