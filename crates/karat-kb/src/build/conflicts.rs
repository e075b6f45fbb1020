//! What inputs disagree about, counted.

use std::fmt;

/// What two inputs can say differently.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Disagreement {
    /// The entity of a title.
    Title,
    /// Where a redirect leads.
    Redirect,
    /// Whether two items of Wikidata are one; ids that were said to be equal make them so.
    Items,
    /// How often a text means an entity: some counted, some gave shares.
    Weights,
}

/// How often inputs disagree about something, and the first example of it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Conflict {
    /// What they disagree about.
    pub about: Disagreement,
    /// How often.
    pub count: u64,
    /// The title, the redirect, the text, or the item that the others became.
    pub subject: String,
    /// What was kept, and what was not.
    pub said: Option<(String, String)>,
}

impl fmt::Display for Conflict {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Conflict { about, count, subject, said } = self;
        let plural = if *count == 1 { "" } else { "s" };
        match about {
            Disagreement::Title => write!(out, "{count} title{plural} with several entities"),
            Disagreement::Redirect => write!(out, "{count} redirect{plural} with several targets"),
            Disagreement::Items => {
                write!(out, "{count} group{plural} of equal ids with several items of Wikidata")
            }
            Disagreement::Weights => {
                write!(out, "{count} text{plural} with both counts and priors")
            }
        }?;
        match (about, said) {
            (Disagreement::Items, Some((kept, other))) => {
                write!(out, ", which are one entity now: `{other}` became `{kept}`")
            }
            (Disagreement::Weights, _) => {
                write!(out, "; only the counts were taken, for instance of `{subject}`")
            }
            (_, Some((kept, other))) => {
                write!(out, "; the first was taken: `{subject}` leads to `{kept}`, not `{other}`")
            }
            (_, None) => Ok(()),
        }
    }
}

/// Counts conflicts of each kind.
#[derive(Default)]
pub(super) struct Conflicts {
    found: Vec<Conflict>,
}

impl Conflicts {
    pub(super) fn note(
        &mut self,
        about: Disagreement,
        subject: &[u8],
        said: Option<(&[u8], &[u8])>,
    ) {
        // The first example stays: a count and one example are what a user can act on, and memory
        // does not grow with the inputs.
        if let Some(known) = self.found.iter_mut().find(|conflict| conflict.about == about) {
            known.count += 1;
            return;
        }
        let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        let said = said.map(|(kept, other)| (text(kept), text(other)));
        self.found.push(Conflict { about, count: 1, subject: text(subject), said });
    }

    pub(super) fn all(self) -> Vec<Conflict> {
        self.found
    }
}
