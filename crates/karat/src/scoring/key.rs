//! What an evaluation is known by.

use super::Scoring;
use karat_measures::EvaluationKey;
use karat_model::{Corpus, Digest};

impl Scoring {
    /// What the scores of a system on a gold standard are known by: the version of karat, all that
    /// decides a number here, and the two corpora.
    pub fn key(&self, gold: &Corpus, system: &Corpus) -> EvaluationKey {
        // Some assignments take the first or last annotation of a file, and then two orders of the
        // same annotations are two results.
        let follows_file = self.convention.settings.assignment.follows_file();
        let digest = |corpus: &Corpus| match follows_file {
            true => corpus.digest_in_order(),
            false => corpus.digest(),
        };
        let development = self.development.iter().map(|of| ("tuned", digest(&of.gold)));
        let redirects =
            self.identity.redirects().map(|redirects| ("redirects", redirects.digest()));
        let base = self.identity.base().map(|base| ("base", base.digest()));
        let others: Vec<(&str, Digest)> = development.chain(redirects).chain(base).collect();
        // The key leaves the name of the benchmark out.
        let signature = self.signature("", gold);
        EvaluationKey::new(&signature, digest(gold), digest(system), &others)
    }
}
