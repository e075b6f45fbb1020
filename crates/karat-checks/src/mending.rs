//! Mending a corpus until there is nothing left to mend.

use crate::check::{Check, Report, Subject};
use crate::rule::Rule;
use karat_model::{Change, Corpus, Edit};

/// A corpus that was mended.
#[derive(Debug)]
pub struct Mended {
    /// The corpus.
    pub corpus: Corpus,
    /// How many findings were mended, those that only came up on the way included.
    pub findings: usize,
    /// How many findings could still be mended: rules may contradict each other for ever.
    pub left: usize,
}

/// How often the checks run at most. Fixes of the checks settle in three or four rounds.
const ROUNDS: usize = 16;

/// Mends what these checks and rules find, and what they find then, until they find nothing
/// more that can be mended. A trimmed mention may say what another says, and overlap tags follow
/// from the spans, so where mentions are and what they are linked to is mended before the rest.
pub fn mend(subject: &Subject<'_>, checks: &[&dyn Check], rules: &[Rule]) -> Mended {
    let mut corpus = subject.corpus.clone();
    let mut findings = 0;
    for _ in 0..ROUNDS {
        let report = Report::with_rules(&Subject { corpus: &corpus, ..*subject }, checks, rules);
        if report.fixable() == 0 {
            return Mended { corpus, findings, left: 0 };
        }
        let first = report.edits().any(moves);
        let wanted = |edit: &Edit| !first || moves(edit);
        let mended = |fixes: &[(usize, Edit)]| fixes.iter().any(|(_, edit)| wanted(edit));
        findings += report.findings().iter().filter(|finding| mended(&finding.fixes)).count();
        corpus = report.fixed_by(&corpus, wanted);
    }
    let report = Report::with_rules(&Subject { corpus: &corpus, ..*subject }, checks, rules);
    let left = report.fixable();
    Mended { corpus, findings, left }
}

/// Whether an edit is about where a mention is, whether it is, or what it is linked to.
fn moves(edit: &Edit) -> bool {
    match edit {
        Edit::Keep => false,
        Edit::Remove | Edit::Answer(_) => true,
        Edit::Change(Change { span, entity, .. }) => span.is_some() || entity.is_some(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::CHECKS;
    use karat_model::{CorpusBuilder, Link, Span};

    fn corpus(mentions: &[(u32, u32, &str)]) -> Corpus {
        let mut builder = CorpusBuilder::new();
        builder.begin_document("d").unwrap();
        builder.set_text("Berlin is in Germany.");
        for &(start, end, tag) in mentions {
            builder.annotate(Span::new(start, end), Link::NIL).tags([tag]);
        }
        builder.finish()
    }

    fn said(corpus: &Corpus) -> Vec<(u32, u32, String)> {
        let mentions = corpus.documents().flat_map(|document| document.mentions());
        let said = mentions.map(|mention| {
            let Span { start, end } = mention.span();
            (start, end, mention.tags().collect::<Vec<_>>().join(" "))
        });
        said.collect()
    }

    #[test]
    fn what_fixes_bring_to_light_is_mended_too() {
        let corpus = corpus(&[
            (0, 6, "el:Olp-None"),
            // Trimmed, it says what the first says.
            (0, 7, "el:Olp-Maximal"),
            // Its tag would be right if nothing were trimmed.
            (12, 20, "el:Olp-Maximal"),
            (12, 19, "el:Olp-Minimal"),
            (13, 20, "el:Olp-Minimal"),
        ]);
        let subject = Subject { corpus: &corpus, gold: None, base: None };
        let mended = mend(&subject, CHECKS, &[]);
        let left = Report::of(&mended.corpus, None, CHECKS);
        assert_eq!((mended.left, left.fixable()), (0, 0), "{:?}", left.counts());
        assert_eq!(said(&mended.corpus)[0], (0, 6, "el:Olp-None".to_owned()));
        assert_eq!(said(&mended.corpus)[1], (13, 20, "el:Olp-Maximal".to_owned()));
        assert_eq!(mended.corpus.annotations().len(), 3);
    }

    #[test]
    fn rules_that_contradict_each_other_come_to_an_end() {
        let corpus = corpus(&[(0, 6, "a")]);
        let rules = ["{tag@a}[b](a)", "{tag@b}[a](b)"].map(|rule| Rule::parse(rule).unwrap());
        let subject = Subject { corpus: &corpus, gold: None, base: None };
        assert_eq!(mend(&subject, &[], &rules).left, 1);
    }
}
