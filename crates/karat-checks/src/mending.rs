//! Mending a corpus until there is nothing left to mend.

use crate::check::{Check, CheckFinding, CheckReport, Subject};
use crate::rule::Rule;
use karat_model::{Change, Corpus, Edit, Span};
use std::borrow::Cow;
use std::collections::BTreeMap;

/// A corpus that was mended.
#[derive(Debug)]
pub struct Mended {
    /// The corpus.
    pub corpus: Corpus,
    /// How many findings were mended, those that only came up on the way included, and each once
    /// even if it came up again.
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
    let (mut past, mut mended) = (Cow::Borrowed(subject.corpus), Counts::default());
    for round in 1..=ROUNDS {
        let report =
            CheckReport::with_rules(&Subject { corpus: &corpus, ..*subject }, checks, rules);
        if report.fixable() == 0 {
            return Mended { corpus, findings: mended.total(), left: 0 };
        }
        // Trimming and relinking come first, alone: tags that depend on spans would otherwise be
        // mended for spans that move in the same round.
        let first = report.edits().any(moves);
        let wanted = |edit: &Edit| !first || moves(edit);
        let is_mended =
            |finding: &&CheckFinding| finding.fixes.iter().any(|(_, edit)| wanted(edit));
        mended.add(report.findings().iter().filter(is_mended));
        corpus = report.fixed_by(&corpus, wanted);
        if corpus == *past {
            break;
        }
        // Kept ever longer, one corpus of the past is enough to notice that rounds repeat.
        if round.is_power_of_two() {
            past = Cow::Owned(corpus.clone());
        }
    }
    let report = CheckReport::with_rules(&Subject { corpus: &corpus, ..*subject }, checks, rules);
    Mended { corpus, findings: mended.total(), left: report.fixable() }
}

/// How often a finding was made in one round, at most.
#[derive(Default)]
struct Counts {
    most: BTreeMap<Said, usize>,
}

/// What a finding says: its check, document, place and message.
type Said = (&'static str, String, Option<Span>, String);

impl Counts {
    /// Adds the findings of a round.
    fn add<'f>(&mut self, findings: impl Iterator<Item = &'f CheckFinding>) {
        let mut round: BTreeMap<Said, usize> = BTreeMap::new();
        for CheckFinding { check, document, span, message, .. } in findings {
            *round.entry((*check, document.clone(), *span, message.clone())).or_default() += 1;
        }
        for (said, count) in round {
            let most = self.most.entry(said).or_default();
            *most = count.max(*most);
        }
    }

    fn total(&self) -> usize {
        self.most.values().sum()
    }
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
        let left = CheckReport::of(&mended.corpus, None, CHECKS);
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
        let mended = mend(&subject, &[], &rules);
        assert_eq!((mended.findings, mended.left), (2, 1), "there and back");
        assert_eq!(said(&mended.corpus), said(&corpus));
    }
}
