//! Choosing queries: at random among documents, or at random among mentions.

use super::cells::{QueryScores, query_scores};
use crate::Random;

/// The queries one may choose from. A query is a form, that is the words of a mention, in a document;
/// however often the form occurs there, it is one query.
#[derive(Debug, Clone)]
pub struct Frame {
    queries: Vec<Query>,
    by_document: Groups,
    by_form: Groups,
}

/// A query: which document, which form.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Query {
    /// The number of its document.
    pub document: u32,
    /// The number of its form.
    pub form: u32,
}

/// How queries are chosen.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Scheme {
    /// All queries alike.
    Uniform,
    /// First a document, all alike, then one of its forms: Random Document, RD.
    ByDocument,
    /// First a form, all alike, then one of the documents that have it: Random Mention, RM. Rare
    /// forms, of which there are many, are chosen more often than they occur.
    ByMention,
}

/// The queries that share a document or a form.
#[derive(Debug, Clone)]
struct Groups {
    members: Vec<Vec<u32>>,
}

impl Groups {
    fn new(keys: impl Iterator<Item = u32>) -> Groups {
        let mut sorted: Vec<(u32, u32)> = keys.zip(0..).collect();
        sorted.sort_unstable();
        let same = sorted.chunk_by(|a, b| a.0 == b.0);
        Groups { members: same.map(|group| group.iter().map(|&(_, at)| at).collect()).collect() }
    }

    /// For each query the share of its group among all groups, and its share of the group.
    fn weights(&self, queries: usize) -> Vec<f64> {
        let mut weights = vec![0.0; queries];
        for members in &self.members {
            let weight = 1.0 / (self.members.len() as f64 * members.len() as f64);
            members.iter().for_each(|&at| weights[at as usize] = weight);
        }
        weights
    }

    fn draw(&self, random: &mut Random) -> usize {
        let members = &self.members[random.below(self.members.len())];
        members[random.below(members.len())] as usize
    }
}

impl Frame {
    /// The frame of these queries; a query that comes again is not a new one, and the places of the
    /// first are what numbers below mean.
    pub fn new(queries: impl IntoIterator<Item = Query>) -> Frame {
        let mut seen = std::collections::HashSet::new();
        let queries: Vec<Query> = queries.into_iter().filter(|query| seen.insert(*query)).collect();
        let by_document = Groups::new(queries.iter().map(|query| query.document));
        let by_form = Groups::new(queries.iter().map(|query| query.form));
        Frame { queries, by_document, by_form }
    }

    /// The queries, each once.
    pub fn queries(&self) -> &[Query] {
        &self.queries
    }

    /// How many documents have queries.
    pub fn documents(&self) -> usize {
        self.by_document.members.len()
    }

    /// How many forms there are.
    pub fn forms(&self) -> usize {
        self.by_form.members.len()
    }

    /// How likely each query is to be chosen; together 1. With the answers to all queries at hand,
    /// these replace the drawing of queries, and there is no sampling error.
    pub fn weights(&self, scheme: Scheme) -> Vec<f64> {
        let queries = self.queries.len();
        match scheme {
            Scheme::Uniform => vec![1.0 / queries as f64; queries],
            Scheme::ByDocument => self.by_document.weights(queries),
            Scheme::ByMention => self.by_form.weights(queries),
        }
    }

    /// Draws queries; one may come several times.
    pub fn draw(&self, scheme: Scheme, draws: usize, seed: u64) -> Vec<usize> {
        if self.queries.is_empty() {
            return Vec::new();
        }
        let mut random = Random::new(seed, 0);
        let mut one = || match scheme {
            Scheme::Uniform => random.below(self.queries.len()),
            Scheme::ByDocument => self.by_document.draw(&mut random),
            Scheme::ByMention => self.by_form.draw(&mut random),
        };
        (0..draws).map(|_| one()).collect()
    }
}

/// The scores of answers that are weighted: the cell of each answer, in the order of
/// [`super::Cells::counts`], and its weight.
pub fn weighted_scores(answers: impl IntoIterator<Item = (u8, f64)>) -> QueryScores {
    let mut cells = [0.0; 5];
    for (cell, weight) in answers {
        if let Some(sum) = cells.get_mut(usize::from(cell)) {
            *sum += weight;
        }
    }
    query_scores(cells)
}

#[cfg(test)]
mod tests {
    use super::*;

    const SCHEMES: [Scheme; 3] = [Scheme::Uniform, Scheme::ByDocument, Scheme::ByMention];

    /// Two documents: `a b` with `a` twice, and `a`.
    fn frame() -> Frame {
        let queries = [(0, 0), (0, 1), (0, 0), (1, 0)];
        Frame::new(queries.map(|(document, form)| Query { document, form }))
    }

    #[test]
    fn weights_are_those_of_the_definition() {
        let frame = frame();
        assert_eq!((frame.queries().len(), frame.documents(), frame.forms()), (3, 2, 2));
        assert_eq!(frame.weights(Scheme::Uniform), [1.0 / 3.0; 3]);
        // 1 / (2 documents * forms in it); 1 / (2 forms * documents with it).
        assert_eq!(frame.weights(Scheme::ByDocument), [0.25, 0.25, 0.5]);
        assert_eq!(frame.weights(Scheme::ByMention), [0.25, 0.5, 0.25]);
    }

    #[test]
    fn drawing_reproduces_the_weights() {
        let frame = frame();
        for scheme in SCHEMES {
            let draws = 40_000;
            let mut seen = [0.0; 3];
            frame.draw(scheme, draws, 1).into_iter().for_each(|at| seen[at] += 1.0 / draws as f64);
            for (seen, weight) in seen.iter().zip(frame.weights(scheme)) {
                // Five standard errors of a share of 40,000 draws at most.
                assert!((seen - weight).abs() < 5.0 * 0.5 / 200.0, "{scheme:?} {seen} {weight}");
            }
        }
    }

    #[test]
    fn an_empty_frame_gives_nothing() {
        let frame = Frame::new([]);
        for scheme in SCHEMES {
            assert!(frame.draw(scheme, 5, 1).is_empty() && frame.weights(scheme).is_empty());
        }
        assert_eq!(weighted_scores([(9, 1.0)]).recall, None);
    }
}
