//! Asking an index.

use crate::index::{LENGTH, SearchError, SearchIndex, WEIGHT, unusable, words};
use karat_kb::{KnowledgeBase, Known};
use std::path::Path;
use tantivy::collector::TopDocs;
use tantivy::query::{BooleanQuery, ConstScoreQuery, FuzzyTermQuery, Occur, Query, TermQuery};
use tantivy::schema::{IndexRecordOption, Value};
use tantivy::{DocId, Score, SegmentReader, TantivyDocument, Term};

/// An entity that was found.
#[derive(Debug, Clone, PartialEq)]
pub struct Hit {
    /// The entity.
    pub id: String,
    /// The text by which it was found.
    pub text: String,
    /// The share of the text's occurrences that mean it, where that was counted.
    pub prior: Option<f64>,
    /// How well it fits; only the order means something.
    pub score: f64,
}

/// What each way to fit is worth. A word that stands there beats one that begins so, which
/// beats one that is misspelled.
const EXACT: Score = 6.0;
const BEGINS: Score = 4.0;
const MISSPELLED: Score = 2.0;
/// The whole text, and nothing else.
const WHOLE: Score = 6.0;
/// Each word that was not asked for takes this away.
const SURPLUS: f64 = 1.0;
/// So many texts are looked at for each entity that is wanted.
const TEXTS_PER_HIT: usize = 4;

impl SearchIndex {
    /// The entities that fit a text best. The last word may be unfinished, and words may be
    /// misspelled.
    pub fn search(
        &self,
        base: &KnowledgeBase,
        text: &str,
        limit: usize,
    ) -> Result<Vec<Hit>, SearchError> {
        let asked = words(&mut self.analyzer.clone(), text);
        if asked.is_empty() || limit == 0 {
            return Ok(Vec::new());
        }
        let query = self.query(&asked);
        let number = asked.len() as u64;
        let best = TopDocs::with_limit(limit.saturating_mul(TEXTS_PER_HIT)).tweak_score(
            move |segment: &SegmentReader| {
                let column = |name: &str| segment.fast_fields().u64(name).ok();
                let (weight, length) = (column(WEIGHT), column(LENGTH));
                move |entry: DocId, score: Score| {
                    let value = |column: &Option<tantivy::columnar::Column<u64>>| {
                        column.as_ref().and_then(|column| column.first(entry)).unwrap_or(0)
                    };
                    let surplus = value(&length).saturating_sub(number) as f64;
                    f64::from(score) + ((1 + value(&weight)) as f64).ln() - SURPLUS * surplus
                }
            },
        );
        let fail = |error: tantivy::TantivyError| unusable(Path::new(&self.folder), &error);
        let searcher = self.reader.searcher();
        let found = searcher.search(&*query, &best).map_err(fail)?;
        let mut hits: Vec<Hit> = Vec::new();
        for (score, address) in found {
            let entry: TantivyDocument = searcher.doc(address).map_err(fail)?;
            let stored = |field| entry.get_first(field).and_then(|value| value.as_str());
            let text = stored(self.fields.text).unwrap_or_default();
            let meant = match stored(self.fields.entity) {
                Some(id) => vec![(id.to_owned(), None)],
                None => candidates(base, text),
            };
            for (rank, (id, prior)) in meant.into_iter().enumerate() {
                if !hits.iter().any(|hit| hit.id == id) {
                    let score = score + prior.unwrap_or(1.0).max(1e-6).ln() - rank as f64 * 1e-3;
                    hits.push(Hit { id, text: text.to_owned(), prior, score });
                }
            }
        }
        hits.sort_by(|a, b| b.score.total_cmp(&a.score).then_with(|| a.id.cmp(&b.id)));
        hits.truncate(limit);
        Ok(hits)
    }

    /// Every word must fit in some way.
    fn query(&self, asked: &[String]) -> Box<dyn Query> {
        let last = asked.len() - 1;
        let mut all: Vec<(Occur, Box<dyn Query>)> = Vec::new();
        for (at, word) in asked.iter().enumerate() {
            all.push((Occur::Must, self.word(word, at == last)));
        }
        let whole = Term::from_field_text(self.fields.whole, &asked.join(" "));
        all.push((Occur::Should, constant(TermQuery::new(whole, IndexRecordOption::Basic), WHOLE)));
        Box::new(BooleanQuery::new(all))
    }

    fn word(&self, word: &str, is_last: bool) -> Box<dyn Query> {
        let term = || Term::from_field_text(self.fields.words, word);
        let exact = TermQuery::new(term(), IndexRecordOption::Basic);
        let mut ways: Vec<Box<dyn Query>> = vec![constant(exact, EXACT)];
        let letters = word.chars().count();
        // One letter begins too many words.
        if is_last && letters >= 2 {
            ways.push(constant(FuzzyTermQuery::new_prefix(term(), 0, true), BEGINS));
        }
        let typos = match letters {
            0..4 => 0,
            4..8 => 1,
            _ => 2,
        };
        if typos > 0 {
            ways.push(constant(FuzzyTermQuery::new(term(), typos, true), MISSPELLED));
        }
        if is_last && typos > 0 {
            ways.push(constant(FuzzyTermQuery::new_prefix(term(), 1, true), MISSPELLED / 2.0));
        }
        Box::new(tantivy::query::DisjunctionMaxQuery::new(ways))
    }
}

fn constant(query: impl Query, score: Score) -> Box<dyn Query> {
    Box::new(ConstScoreQuery::new(Box::new(query), score))
}

/// What a text may mean, with the share of each.
fn candidates(base: &KnowledgeBase, text: &str) -> Vec<(String, Option<f64>)> {
    let Known::Known(candidates) = base.candidates(text) else { return Vec::new() };
    let total = candidates.total() as f64;
    let share = |count: u64| if total > 0.0 { Some(count as f64 / total) } else { None };
    candidates.iter().map(|one| (one.id.to_owned(), one.count.and_then(share))).collect()
}
