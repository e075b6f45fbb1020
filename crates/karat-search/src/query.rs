//! Asking an index.

use crate::best::Best;
use crate::damage::guarded;
use crate::entries::{SHORT, words};
use crate::index::{CONTRADICTION, SearchError, SearchIndex, damaged};
use karat_kb::KnowledgeBase;
use std::collections::HashSet;
use tantivy::query::{BooleanQuery, ConstScoreQuery, FuzzyTermQuery, Occur, Query, TermQuery};
use tantivy::schema::{Field, IndexRecordOption, Value};
use tantivy::{DocAddress, Score, TantivyDocument, Term};

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

/// How well a text fits, the text, and its entity where the base has none for it.
type Found = (f64, String, Option<String>);

/// A score, the text that was found, an entity that it means, and its share of the text.
type Ranked<'a> = (f64, &'a str, &'a str, Option<f64>);

/// What each way to fit is worth. A word that stands there beats one that begins so, which
/// beats one that is misspelled.
const EXACT: Score = 6.0;
const BEGINS: Score = 4.0;
const MISSPELLED: Score = 2.0;
/// The whole text, and nothing else.
const WHOLE: Score = 6.0;
/// The share of what never happened, which has no logarithm.
const NEVER: f64 = 1e-6;
/// The share of what a text is not known to mean mostly. Less than a word that was not asked for
/// takes away: it decides between texts that fit equally well.
const OTHERWISE: f64 = 0.5;
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
        let found = guarded(|| self.texts(&asked, limit)).and_then(Result::ok);
        let mut found = found.ok_or_else(|| damaged(&self.folder, CONTRADICTION))?;
        // Of texts that fit equally well, the one that was written so was meant.
        let is_other = |found: &str| found != text.trim();
        found.sort_by(|a, b| b.0.total_cmp(&a.0).then_with(|| is_other(&a.1).cmp(&is_other(&b.1))));
        // A text may mean tens of thousands of entities, so nothing is copied but what is shown,
        // and no more of one text is looked at than is wanted: the likeliest come first.
        let mut hits: Vec<Ranked<'_>> = Vec::new();
        let mut ids: HashSet<&str> = HashSet::new();
        for (score, text, entity) in &found {
            let named = entity.iter().map(|id| (id.as_str(), None, share_of_others(base, text)));
            let meant = entity.is_none().then(|| candidates(base, text));
            let new = named
                .chain(meant.into_iter().flatten())
                .enumerate()
                .filter(|(_, (id, ..))| ids.insert(id));
            hits.extend(new.take(limit).map(|(rank, (id, prior, share))| {
                // The rank breaks ties between candidates of one text, by less than any share can
                // differ.
                let score = score + share.max(NEVER).ln() - rank as f64 * 1e-3;
                (score, text.as_str(), id, prior)
            }));
        }
        let order = |a: &Ranked<'_>, b: &Ranked<'_>| {
            let by_place = || (is_other(a.1), a.1, a.2).cmp(&(is_other(b.1), b.1, b.2));
            b.0.total_cmp(&a.0).then_with(by_place)
        };
        if limit < hits.len() {
            hits.select_nth_unstable_by(limit, order);
            hits.truncate(limit);
        }
        hits.sort_by(order);
        let hit = |(score, text, id, prior): Ranked<'_>| Hit {
            id: id.to_owned(),
            text: text.to_owned(),
            prior,
            score,
        };
        Ok(hits.into_iter().map(hit).collect())
    }

    /// The texts that fit best: how well, the text, and its entity where the base has none for it.
    fn texts(&self, asked: &[String], limit: usize) -> tantivy::Result<Vec<Found>> {
        let searcher = self.reader.searcher();
        let mut best = Best::new(limit.saturating_mul(TEXTS_PER_HIT), asked.len());
        // One query for each worth that many texts may share, so that each can stop early: the
        // whole text, all words as they are, and all words in some way, of which one at least
        // is not as it is.
        let exact = EXACT * asked.len() as Score;
        let whole = self.term(self.fields.whole, &asked.join(" "));
        let mut take = |query: &dyn Query, most| best.take(&searcher, &self.columns, query, most);
        take(&*constant(whole, exact + WHOLE), exact + WHOLE)?;
        take(&*every(asked, |word, _| self.exact(word)), exact)?;
        take(&*every(asked, |word, last| self.in_some_way(word, last)), exact - EXACT + BEGINS)?;
        let found = |(score, address): (f64, DocAddress)| {
            let entry: TantivyDocument = searcher.doc(address)?;
            let stored = |field| entry.get_first(field).and_then(|value| value.as_str());
            let text = stored(self.fields.text).unwrap_or_default().to_owned();
            Ok((score, text, stored(self.fields.entity).map(str::to_owned)))
        };
        best.into_entries().map(found).collect()
    }

    fn exact(&self, word: &str) -> Box<dyn Query> {
        constant(self.term(self.fields.words, word), EXACT)
    }

    /// A word in every way it may be meant.
    fn in_some_way(&self, word: &str, is_unfinished: bool) -> Box<dyn Query> {
        let term = || Term::from_field_text(self.fields.words, word);
        let letters = word.chars().count();
        // Short words have too many neighbours: with one typo, three letters match nearly
        // everything.
        let typos = match letters {
            0..4 => 0,
            4..8 => 1,
            _ => 2,
        };
        let mut ways = vec![self.exact(word)];
        if is_unfinished && letters <= SHORT {
            ways.push(constant(self.term(self.fields.beginnings, word), BEGINS));
        } else if is_unfinished {
            ways.push(constant(FuzzyTermQuery::new_prefix(term(), 0, true), BEGINS));
        }
        if typos > 0 {
            ways.push(constant(FuzzyTermQuery::new(term(), typos, true), MISSPELLED));
        }
        if is_unfinished && typos > 0 {
            ways.push(constant(FuzzyTermQuery::new_prefix(term(), 1, true), MISSPELLED / 2.0));
        }
        Box::new(tantivy::query::DisjunctionMaxQuery::new(ways))
    }

    fn term(&self, field: Field, text: &str) -> TermQuery {
        TermQuery::new(Term::from_field_text(field, text), IndexRecordOption::Basic)
    }
}

/// Every word must fit; how, may depend on whether it is the last.
fn every(asked: &[String], fits: impl Fn(&str, bool) -> Box<dyn Query>) -> Box<dyn Query> {
    let last = asked.len() - 1;
    let must = |(at, word): (usize, &String)| (Occur::Must, fits(word, at == last));
    Box::new(BooleanQuery::new(asked.iter().enumerate().map(must).collect()))
}

fn constant(query: impl Query, score: Score) -> Box<dyn Query> {
    Box::new(ConstScoreQuery::new(Box::new(query), score))
}

/// What a text may mean, the likeliest first, with the share of each, as it is known and as it
/// counts. Where some were counted, one that was not was never seen. Where none was, those that are
/// said to be the most popular come before the others; where nobody says, all are as good.
fn candidates<'a>(
    base: &'a KnowledgeBase,
    text: &str,
) -> impl Iterator<Item = (&'a str, Option<f64>, f64)> {
    let candidates = base.candidates(text).known().unwrap_or_default();
    // Those that are said to be popular come first, then those that were counted.
    let is_marked = candidates.iter().next().is_some_and(|first| first.is_most_popular);
    let mut others = candidates.priors().skip_while(|(one, _)| one.is_most_popular);
    let is_counted = others.next().is_some_and(|(_, prior)| prior.is_some());
    let unseen = match (is_counted, is_marked) {
        (true, _) => 0.0,
        (false, true) => OTHERWISE,
        (false, false) => 1.0,
    };
    candidates.priors().map(move |(one, prior)| {
        let share = prior.unwrap_or(if one.is_most_popular { 1.0 } else { unseen });
        (one.id, prior, share)
    })
}

/// What counts as the share of an entity that has a text for a name, where the base says what the
/// text means and does not list it.
fn share_of_others(base: &KnowledgeBase, text: &str) -> f64 {
    match base.candidates(text).known() {
        Some(candidates) if !candidates.is_empty() => OTHERWISE,
        _ => 1.0,
    }
}
