//! Rules of users, and tags that are derived.

use karat::checks::{CHECKS, CheckReport, Rule};
use karat::formats::{Input, ReadOptions, Source};
use karat::tagger::{Aspect, Tagger};

/// Reads the first line as a rule and the rest as a corpus, which is tagged, checked and mended.
/// Tagging twice is tagging once.
pub fn rules_and_tags(data: &[u8]) {
    let text = String::from_utf8_lossy(data);
    let (rule, corpus) = text.split_once('\n').unwrap_or((&text, ""));
    let rules = Rule::parse_all(rule).unwrap_or_default();
    let input: Input = Source::memory("input.karat.jsonl", corpus.to_owned()).into();
    let options = ReadOptions { lenient: true, threads: 1, ..ReadOptions::default() };
    let read = karat::registry().read(&input, Some("karat-jsonl"), &options);
    let Ok(outcome) = read else { return };
    let tagged = Tagger::new().tag(&outcome.corpus, &Aspect::ALL).corpus;
    let again = Tagger::new().tag(&tagged, &Aspect::ALL).corpus;
    assert_eq!(again.difference(&tagged), None);
    let mut report = CheckReport::of(&tagged, None, CHECKS);
    rules.iter().for_each(|rule| report.apply(&tagged, rule));
    report.fixed(&tagged);
}
