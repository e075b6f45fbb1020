//! Whether a name has in it what is looked for.

/// What is looked for, in lower case.
pub(super) struct Wanted {
    text: String,
}

impl Wanted {
    /// Upper and lower case are the same, and spaces around do not count.
    pub(super) fn new(query: &str) -> Wanted {
        Wanted { text: query.trim().to_lowercase() }
    }

    /// Whether there is nothing to look for.
    pub(super) fn is_empty(&self) -> bool {
        self.text.is_empty()
    }

    /// Whether a name has it somewhere.
    pub(super) fn is_in(&self, name: &str) -> bool {
        let (name_bytes, wanted) = (name.as_bytes(), self.text.as_bytes());
        // Most names are ASCII, and comparing these copies nothing.
        if name.is_ascii() {
            return name_bytes
                .windows(wanted.len().max(1))
                .any(|part| part.eq_ignore_ascii_case(wanted));
        }
        name.to_lowercase().contains(&self.text)
    }

    /// Whether a name is it.
    pub(super) fn is(&self, name: &str) -> bool {
        if name.is_ascii() {
            return name.as_bytes().eq_ignore_ascii_case(self.text.as_bytes());
        }
        name.to_lowercase() == self.text
    }

    /// How well a name fits, the best first: it is it, begins with it, has it.
    pub(super) fn rank(&self, name: &str) -> u8 {
        match name.to_lowercase() {
            name if name == self.text => 0,
            name if name.starts_with(&self.text) => 1,
            _ => 2,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn case_does_not_matter_in_any_script() {
        let wanted = Wanted::new(" pAris ");
        assert!(wanted.is_in("In PARIS") && wanted.is("paris") && !wanted.is_in("Pari"));
        assert!(Wanted::new("ÉCOLE").is_in("l'école") && Wanted::new("école").is("École"));
        assert!(Wanted::new("").is_empty() && Wanted::new("  ").is_empty());
        let ranks = ["Paris", "Paris Hilton", "In Paris"].map(|name| wanted.rank(name));
        assert_eq!(ranks, [0, 1, 2]);
    }
}
