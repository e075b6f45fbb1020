//! What an entity is called.

use crate::words::{has_capital, is_cased, words};
use karat_kb::{KnowledgeBase, title_of};

/// The names of an entity.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Names {
    /// The name it goes by, without what tells it from others of that name.
    pub(crate) label: String,
    /// Other names, if a knowledge base gives them.
    pub(crate) aliases: Vec<String>,
    /// Whether a knowledge base gave the label. Titles begin with a capital whatever they are.
    pub(crate) is_spelled: bool,
}

impl Names {
    /// The names that a knowledge base has for an entity, or the title in its id.
    pub(crate) fn of(entity: &str, base: Option<&KnowledgeBase>) -> Option<Names> {
        let known = base.and_then(|base| base.entity(entity));
        if let Some(known) = known
            && let Some(label) = known.name()
        {
            let aliases = known.aliases().map(str::to_owned).collect();
            let label = without_distinction(label).to_owned();
            return Some(Names { label, aliases, is_spelled: true });
        }
        let label = title(entity)?;
        Some(Names { label, aliases: Vec::new(), is_spelled: false })
    }

    /// Whether the label is written as a common noun is, in a script that has capitals.
    pub(crate) fn is_common(&self) -> bool {
        self.is_spelled && is_cased(&self.label) && !has_capital(&self.label)
    }

    /// Whether the label surely is a name: a word that is not its first has a capital.
    pub(crate) fn is_proper(&self) -> bool {
        words(&self.label).iter().skip(1).any(|word| word.starts_with(char::is_uppercase))
    }
}

/// The title in the id of an article, as it is written in a text.
fn title(entity: &str) -> Option<String> {
    let title = title_of(entity)?.replace('_', " ");
    let label = without_distinction(title.trim());
    (!label.is_empty()).then(|| label.to_owned())
}

/// A name without the brackets that tell it from others.
fn without_distinction(label: &str) -> &str {
    match label.rfind(" (") {
        Some(at) if label.ends_with(')') && at > 0 => label[..at].trim_end(),
        _ => label,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn titles_are_names() {
        for (entity, label) in [
            ("https://en.wikipedia.org/wiki/Bounty_(chocolate_bar)", Some("Bounty")),
            ("http://dbpedia.org/resource/Caf%C3%A9", Some("Café")),
            ("New_York_City", Some("New York City")),
            ("https://en.wikipedia.org/wiki/AC/DC", Some("AC/DC")),
            ("https://en.wikipedia.org/wiki/History#Early", Some("History")),
            ("Q64", None),
            ("/m/0156q", None),
            ("https://example.org/7", None),
            ("12345", None),
            ("m.05qtj", None),
            ("wd:Q76", None),
            ("Property:P31", None),
            ("(x)", Some("(x)")),
            ("", None),
        ] {
            assert_eq!(title(entity).as_deref(), label, "{entity}");
        }
    }
}
