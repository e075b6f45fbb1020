//! What Punkt has learned of a language, as NLTK keeps it: four text files.

use super::tokens::Token;
use std::collections::{BTreeMap, BTreeSet};

/// The parameters of a language: the four files of `punkt_tab/LANGUAGE`.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct PunktParameters {
    pub(super) abbreviations: BTreeSet<String>,
    collocations: BTreeSet<(String, String)>,
    pub(super) starters: BTreeSet<String>,
    orthography: BTreeMap<String, u32>,
}

/// What is wrong with a file.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("line {line} of {file}: {expected}")]
pub struct PunktError {
    /// Which file.
    pub file: &'static str,
    /// Which line, from 1.
    pub line: usize,
    /// What should be there.
    pub expected: &'static str,
}

// Where words were seen with a capital or a small letter. The middle and unknown places that no rule asks for alone
// are part of the two sums.
const MIDDLE_UPPER: u32 = 1 << 2;
const BEGINNING_LOWER: u32 = 1 << 4;
const ANY_UPPER: u32 = 1 << 1 | MIDDLE_UPPER | 1 << 3;
const ANY_LOWER: u32 = BEGINNING_LOWER | 1 << 5 | 1 << 6;

impl PunktParameters {
    /// The names of the files, in the order in which [`PunktParameters::parse`] takes their texts.
    pub const FILES: [&'static str; 4] =
        ["abbrev_types.txt", "collocations.tab", "sent_starters.txt", "ortho_context.tab"];

    /// Reads the texts of the files.
    pub fn parse(texts: [&str; 4]) -> Result<PunktParameters, PunktError> {
        let [abbreviations, collocations, starters, orthography] = texts;
        let words =
            |text: &str| text.lines().filter(|line| !line.is_empty()).map(str::to_owned).collect();
        let pair = |(at, line): (usize, &str)| match line.split_once('\t') {
            Some((first, second)) => Ok((first.to_owned(), second.to_owned())),
            None => Err(wrong(1, at, "two words with a tab between them")),
        };
        let context = |(at, line): (usize, &str)| {
            let (word, flags) = line.split_once('\t').ok_or_else(|| wrong(3, at, EXPECTED))?;
            let flags = flags.trim().parse().map_err(|_| wrong(3, at, EXPECTED))?;
            Ok((word.to_owned(), flags))
        };
        Ok(PunktParameters {
            abbreviations: words(abbreviations),
            collocations: lines(collocations).map(pair).collect::<Result<_, _>>()?,
            starters: words(starters),
            orthography: lines(orthography).map(context).collect::<Result<_, _>>()?,
        })
    }

    pub(super) fn is_collocation(&self, first: &str, second: &str) -> bool {
        // No key can be made of two borrowed words, and only words before a period are asked for.
        !self.collocations.is_empty()
            && self.collocations.contains(&(first.to_owned(), second.to_owned()))
    }

    /// Whether a word has been seen with a small letter.
    pub(super) fn is_ever_lower(&self, kind: &str) -> bool {
        self.seen(kind) & ANY_LOWER != 0
    }

    /// Whether a word begins a sentence, by how it is written; `None` if that cannot be told.
    pub(super) fn starts_sentence(&self, token: &Token) -> Option<bool> {
        if matches!(token.text.as_str(), ";" | ":" | "," | "." | "!" | "?") {
            return Some(false);
        }
        let seen = self.seen(token.kind_without_sentence_period());
        if token.begins_upper() && seen & ANY_LOWER != 0 && seen & MIDDLE_UPPER == 0 {
            Some(true)
        } else if token.begins_lower() && (seen & ANY_UPPER != 0 || seen & BEGINNING_LOWER == 0) {
            Some(false)
        } else {
            None
        }
    }

    fn seen(&self, kind: &str) -> u32 {
        self.orthography.get(kind).copied().unwrap_or(0)
    }
}

const EXPECTED: &str = "a word and a number with a tab between them";

fn lines(text: &str) -> impl Iterator<Item = (usize, &str)> {
    text.lines().enumerate().filter(|(_, line)| !line.is_empty())
}

fn wrong(file: usize, at: usize, expected: &'static str) -> PunktError {
    PunktError { file: PunktParameters::FILES[file], line: at + 1, expected }
}
