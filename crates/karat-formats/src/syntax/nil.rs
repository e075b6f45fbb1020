//! The words that stand in files where there is no entity.
//!
//! Formats have their own rules for NIL, and readers follow them. But files are made by programs that
//! know other words: a data frame turns what is missing into `nan` or `None`, a database into `NULL`,
//! AIDA's tools into `--NME--`. Read as ids, all of these would be one very popular entity, which
//! gold and system even agree about. What spells NIL is decided here for all formats alike: when a file
//! was read, entities that are called so are NIL, and they are counted; and no format writes
//! an entity that would be read back as NIL.

use crate::format::WriteError;
use crate::problem::Findings;
use karat_model::{Corpus, CorpusBuilder, Mention, StrId};
use std::collections::BTreeMap;

/// Which words are NIL in the files of a format, beside those that the format itself prescribes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum NilWords {
    /// All that programs write for it: `NIL`, `<NIL>`, `--NME--`, `NULL`, `*null*`, `OOKB`,
    /// `Wikidata:NULL`, `<NA>`, and `None`, `nil`, `null` and `NaN` in the usual cases, `-`, `-1`
    /// and `Q-1`.
    #[default]
    All,
    /// Not those that could be the title of an article, as `None` and `NaN` are: for formats whose
    /// links are titles, and for those whose rule is that of one program.
    NoTitles,
    /// None: the format says NIL apart from its links, and every link is an entity.
    None,
}

/// May mean NIL, and are read as ids all the same, with a notice: published outputs on AIDA link mentions to a page
/// of this name, and are scored so.
const MAYBE: [&str; 3] = ["N/A", "n/a", "N.A."];
/// Nobody's ids.
const WORDS: [&str; 11] = [
    "NIL", "<NIL>", "<nil>", "--NME--", "--OOE--", "NULL", "<NULL>", "*null*", "OOKB", "<NA>",
    "#N/A",
];
/// Titles of articles of Wikipedia, or links to them, and the numbers that BLINK and ReFinED write for no entity.
const TITLES: [&str; 13] =
    ["None", "none", "NONE", "nil", "Nil", "null", "Null", "nan", "NaN", "NAN", "-", "-1", "Q-1"];
/// What stands before the colon in `Wikidata:NULL`.
const DATABASES: [&str; 14] = [
    "Wikidata",
    "wikidata",
    "WIKIDATA",
    "wd",
    "Wikipedia",
    "wikipedia",
    "DBpedia",
    "dbpedia",
    "YAGO",
    "yago",
    "KB",
    "kb",
    "MESH",
    "UMLS",
];

impl NilWords {
    /// Whether a link is one of these words.
    pub fn contain(self, link: &str) -> bool {
        let of_database = |(database, word): (&str, &str)| {
            DATABASES.contains(&database) && matches!(word, "NULL" | "NIL")
        };
        let is_no_title = || WORDS.contains(&link) || link.split_once(':').is_some_and(of_database);
        match self {
            NilWords::All => TITLES.contains(&link) || is_no_title(),
            NilWords::NoTitles => is_no_title(),
            NilWords::None => false,
        }
    }

    /// All of them.
    fn all(self) -> impl Iterator<Item = String> {
        let of_databases =
            DATABASES.iter().flat_map(|name| [format!("{name}:NULL"), format!("{name}:NIL")]);
        let words = WORDS.iter().chain(&TITLES).map(|&word| word.to_owned());
        words.chain(of_databases).filter(move |word| self.contain(word))
    }

    /// Those that a corpus has among its strings. Mostly there is none, and then nothing else is looked at.
    fn among(self, find: impl Fn(&str) -> Option<StrId>) -> BTreeMap<StrId, String> {
        self.all().filter_map(|word| Some((find(&word)?, word))).collect()
    }

    /// Takes entities that are called so for NIL, and counts them.
    pub(crate) fn recognise(self, corpus: &mut CorpusBuilder, findings: &mut Findings) {
        if self != NilWords::None {
            note_maybe(corpus, findings);
        }
        // A handful of look-ups for the whole corpus, where comparing every link would be a pass
        // over all annotations.
        let words = self.among(|word| corpus.strings().find(word));
        if words.is_empty() {
            return;
        }
        let mut counts: BTreeMap<StrId, usize> = BTreeMap::new();
        corpus.take_for_nil(|entity| {
            let is_nil = words.contains_key(&entity);
            if is_nil {
                *counts.entry(entity).or_default() += 1;
            }
            is_nil
        });
        counts.iter().for_each(|(id, count)| findings.remarks.add_nil_word(&words[id], *count));
    }

    /// Refuses to write an entity that would be read back as NIL.
    pub(crate) fn check_written(self, corpus: &Corpus) -> Result<(), WriteError> {
        let words = self.among(|word| corpus.strings().find(word));
        if words.is_empty() {
            return Ok(());
        }
        let is_word = |entity: &StrId| words.contains_key(entity);
        for document in corpus.documents() {
            let mut entities =
                document.mentions().flat_map(|mention| entities(&mention).collect::<Vec<_>>());
            if let Some(entity) = entities.find(is_word) {
                let message = format!("the entity `{}` would be read as NIL", words[&entity]);
                return Err(WriteError::unrepresentable(document.name(), message));
            }
        }
        Ok(())
    }
}

/// Counts links that may mean NIL.
fn note_maybe(corpus: &mut CorpusBuilder, findings: &mut Findings) {
    for word in MAYBE {
        let Some(id) = corpus.strings().find(word) else { continue };
        let mut count = 0;
        corpus.take_for_nil(|entity| {
            count += usize::from(entity == id);
            false
        });
        if count > 0 {
            findings.remarks.add_maybe_nil(word, count);
        }
    }
}

/// All that a mention, its candidates and its equivalents are linked to.
fn entities(mention: &Mention<'_>) -> impl Iterator<Item = StrId> {
    let candidates = mention.candidates().map(|candidate| candidate.link);
    let links = std::iter::once(mention.link()).chain(candidates).chain(mention.equivalent_links());
    links.filter_map(karat_model::Link::entity)
}

#[cfg(test)]
mod tests {
    use super::*;
    use karat_model::{Link, Span};

    #[test]
    fn words_are_compared_as_they_are_written() {
        for word in NilWords::All.all() {
            assert!(NilWords::All.contain(&word) && !NilWords::None.contain(&word), "{word}");
        }
        for entity in
            ["Nullity", "Nile", "NULLs", "Q0", "N", "", "http://x/NULL", "Talk:NULL", "Wikidata:Q1"]
        {
            assert!(!NilWords::All.contain(entity), "{entity}");
        }
        assert!(NilWords::All.contain("NaN") && !NilWords::NoTitles.contain("NaN"));
        assert!(NilWords::NoTitles.contain("Wikidata:NULL"));
    }

    #[test]
    fn links_candidates_and_equivalents_are_recognised_and_counted() {
        let mut builder = CorpusBuilder::new();
        builder.begin_document("d").unwrap();
        let [null, berlin] = ["NULL", "Q64"].map(|id| Link::to(builder.intern(id)));
        builder.annotate(Span::new(0, 1), null).candidate(null, 0.5).candidate(berlin, 0.4);
        builder.annotate(Span::new(1, 2), berlin).equivalent("-").equivalent("Q64");
        builder.annotate(Span::new(2, 3), Link::NONE);
        let unsaid = Link::to(builder.intern("N/A"));
        builder.annotate(Span::new(3, 4), unsaid);
        let mut findings = Findings::default();
        NilWords::All.recognise(&mut builder, &mut findings);
        let corpus = builder.finish();
        let document = corpus.document("d").unwrap();
        let first = document.mention(0).unwrap();
        assert_eq!(first.link(), Link::NIL);
        assert_eq!(first.candidates().map(|c| c.link).collect::<Vec<_>>(), [Link::NIL, berlin]);
        let second = document.mention(1).unwrap();
        assert_eq!((second.entity(), second.equivalents().collect()), (Some("Q64"), vec!["Q64"]));
        assert!(document.mention(2).unwrap().link().is_none());
        assert_eq!(document.mention(3).unwrap().entity(), Some("N/A"));
        let [notice, maybe] = &findings.remarks.notices("f")[..] else { panic!("{findings:?}") };
        let expected = "in `f`, `N/A` (once) was read as an entity of this name, and not as NIL";
        assert_eq!(maybe.message, expected);
        assert_eq!(notice.message, "in `f`, `-` (once), `NULL` (2 times) were read as NIL");
    }
}
