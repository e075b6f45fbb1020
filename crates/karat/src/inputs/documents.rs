//! Documents of gold and of a run, lined up by something else than their names.

use super::reading::counted;
use crate::error::Error;
use crate::notices;
use karat_model::{Corpus, Document, Hint, Notice, attribute, hash_of};
use serde::{Deserialize, Serialize};
use std::borrow::Cow;
use std::collections::HashMap;

/// By what the documents of gold and of a run are lined up.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum DocumentsBy {
    /// Their names.
    #[default]
    Name,
    /// Their titles; a name may be the title of the other side.
    Title,
    /// Their texts.
    Text,
    /// The last number in their names: `7`, `d7` and `doc-007` are one.
    Number,
    /// Their names as those of files, without folders and extensions: `texts/a.txt`, `a.xml` and `a` are one.
    Stem,
}

impl DocumentsBy {
    /// All of them, as they are written.
    pub const ALL: [(&'static str, DocumentsBy); 5] = [
        ("name", DocumentsBy::Name),
        ("title", DocumentsBy::Title),
        ("text", DocumentsBy::Text),
        ("number", DocumentsBy::Number),
        ("stem", DocumentsBy::Stem),
    ];

    /// What it is called.
    pub fn name(self) -> &'static str {
        DocumentsBy::ALL.iter().find(|(_, by)| *by == self).map_or("", |(name, _)| name)
    }

    /// The one of this name.
    pub fn parse(name: &str) -> Result<DocumentsBy, Error> {
        let named = DocumentsBy::ALL.iter().find(|(known, _)| *known == name);
        named.map(|(_, by)| *by).ok_or_else(|| {
            let names = DocumentsBy::ALL.map(|(name, _)| name).join(", ");
            let message = format!("documents cannot be lined up by `{name}`");
            Error::bad_request(message, format!("they can by {names}"))
        })
    }

    /// What documents must have in common, as hashes: a document may be found by any of them.
    fn keys(self, document: &Document<'_>) -> Vec<u64> {
        let hashed = |text: &str| hash_of(text.trim().as_bytes());
        match self {
            DocumentsBy::Name => vec![hashed(document.name())],
            DocumentsBy::Title => {
                let title = document.attribute(attribute::TITLE);
                title.into_iter().chain([document.name()]).map(hashed).collect()
            }
            DocumentsBy::Text => {
                // Empty texts are equal to each other and would line up documents that have nothing
                // in common.
                let text = document.text().filter(|text| !text.trim().is_empty());
                text.map(hashed).into_iter().collect()
            }
            DocumentsBy::Number => last_number(document.name()).into_iter().collect(),
            // Not every system of files tells upper and lower case apart.
            DocumentsBy::Stem => {
                let stem = stem(document.name());
                vec![hashed(stem), hashed(&stem.to_lowercase())]
            }
        }
    }

    /// For each document of a run the name of the document of gold that it is, if exactly one is.
    fn names<'g>(self, gold: &'g Corpus, run: &Corpus) -> Vec<Option<&'g str>> {
        let mut of_gold: HashMap<u64, Option<&'g str>> = HashMap::new();
        for document in gold.documents() {
            for key in self.keys(&document) {
                let name = document.name();
                // A key that two documents have tells nothing.
                of_gold
                    .entry(key)
                    .and_modify(|known| *known = known.filter(|known| *known == name))
                    .or_insert(Some(name));
            }
        }
        let find = |document: Document<'_>| {
            let keys = self.keys(&document).into_iter();
            keys.filter_map(|key| of_gold.get(&key).copied().flatten()).next()
        };
        let mut found: Vec<Option<&'g str>> = run.documents().map(find).collect();
        // Two documents of the run for one of gold: which is meant is a guess, and a guess could
        // change a score without a word.
        let mut uses: HashMap<&str, usize> = HashMap::new();
        for name in found.iter().flatten() {
            *uses.entry(name).or_default() += 1;
        }
        for name in &mut found {
            *name = name.filter(|name| uses.get(name) == Some(&1));
        }
        found
    }

    /// The run with the names that gold has for its documents.
    pub(super) fn lined_up(self, gold: &Corpus, run: &Corpus) -> Result<Option<Corpus>, Error> {
        if self == DocumentsBy::Name {
            return Ok(None);
        }
        let names = self.names(gold, run);
        let by_name: HashMap<&str, Option<&str>> =
            run.documents().map(|document| document.name()).zip(names).collect();
        let called = |_: usize, name: &str| match by_name.get(name).copied().flatten() {
            Some(of_gold) => Cow::Owned(of_gold.to_owned()),
            None => Cow::Owned(name.to_owned()),
        };
        let renamed = Corpus::joined([run], called).map_err(|duplicate| {
            Error::bad_request(
                format!("two documents of a system would be `{}` of gold", duplicate.name),
                Hint::template("line them up in another way than {documents-by}"),
            )
        })?;
        Ok(Some(renamed))
    }
}

/// The last digits of a name as a number.
fn last_number(name: &str) -> Option<u64> {
    // Tables that went through floating point write `7.0`.
    let name = name.strip_suffix(".0").unwrap_or(name);
    let end = name.rfind(|c: char| c.is_ascii_digit())? + 1;
    let start = name[..end]
        .rfind(|c: char| !c.is_ascii_digit())
        .map_or(0, |at| at + name[at..].chars().next().map_or(1, char::len_utf8));
    // A number that does not fit is no key, and the document stays with its own name.
    name[start..end].parse().ok()
}

/// A name without what stands before its last slash and behind its last point. A point at the end of a number is no
/// extension: `1.5` and `1.6` are two documents.
fn stem(name: &str) -> &str {
    let name = name.trim().trim_end_matches('/');
    let file = name.rsplit(['/', '\\']).next().unwrap_or(name);
    match file.rsplit_once('.') {
        Some((stem, extension))
            if !stem.is_empty() && extension.starts_with(|c: char| c.is_ascii_alphabetic()) =>
        {
            stem
        }
        _ => file,
    }
}

/// Says how documents can be lined up that do not meet by name. A table of zeros would say that a system is
/// bad, when it only calls documents something else.
pub(super) fn lined_up_otherwise(
    gold: &Corpus,
    benchmark: &str,
    run: &Corpus,
    system: &str,
) -> Option<(DocumentsBy, Notice)> {
    let met = |by: DocumentsBy| by.names(gold, run).iter().flatten().count();
    let by_name = run.documents().filter(|of| gold.document(of.name()).is_some()).count();
    let smaller = gold.len().min(run.len());
    // Half of the smaller side meets by name: the names are those of gold, and the rest is missing
    // or extra.
    if smaller == 0 || by_name * 2 >= smaller {
        return None;
    }
    let others = [DocumentsBy::Text, DocumentsBy::Title, DocumentsBy::Stem, DocumentsBy::Number];
    // Of equal counts the first of the list wins (`max_by_key` takes the last, hence the reversal):
    // the text proves more than a number in a name.
    let best = others.map(|by| (met(by), by)).into_iter().rev().max_by_key(|(count, _)| *count)?;
    let (count, by) = best;
    if count * 2 < smaller || count <= by_name {
        return None;
    }
    let example = by.names(gold, run).into_iter().zip(run.documents());
    let example = example
        .filter_map(|(of_gold, document)| Some((of_gold?, document.name())))
        .find(|(of_gold, name)| of_gold != name)
        .map(|(of_gold, name)| format!(", such as `{name}` and `{of_gold}`"));
    let message = format!(
        "{} of `{system}` are called as in `{benchmark}`, but {count} have the same {}{}",
        match by_name {
            0 => "no documents".to_owned(),
            some => format!("only {}", counted(some, "document")),
        },
        match by {
            DocumentsBy::Number => "number in their names",
            DocumentsBy::Stem => "name without folders and extensions",
            other => other.name(),
        },
        example.unwrap_or_default(),
    );
    let hint = Hint::default().setting("documents-by", by.name());
    let hint = hint.text(" lines them up");
    Some((by, notices::OTHER_DOCUMENT_NAMES.notice(message).about(system).hint(hint)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_files_lose_folders_and_extensions() {
        for (name, expected) in [
            ("a.txt", "a"),
            ("texts/a.b.xml", "a.b"),
            ("C:\\texts\\a.txt", "a"),
            ("http://example.org/docs/a/", "a"),
            ("1.5", "1.5"),
            (".hidden", ".hidden"),
            ("a", "a"),
            ("", ""),
        ] {
            assert_eq!(stem(name), expected, "{name}");
        }
    }

    #[test]
    fn the_last_number_of_a_name_is_found() {
        assert_eq!(last_number("doc-007"), Some(7));
        assert_eq!(last_number("7"), Some(7));
        assert_eq!(last_number("1999/d12.txt"), Some(12));
        assert_eq!(last_number("é3"), Some(3));
        assert_eq!((last_number("7.0"), last_number("1.10")), (Some(7), Some(10)));
        assert_eq!(last_number("none"), None);
        assert_eq!(last_number(&"9".repeat(40)), None);
    }
}
