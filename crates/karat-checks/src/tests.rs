//! Each check on a small corpus that has one of everything wrong.

use crate::{CHECKS, Report, Rule};
use karat_model::{Corpus, CorpusBuilder, Link, Span};

fn corpus(build: impl FnOnce(&mut CorpusBuilder)) -> Corpus {
    let mut builder = CorpusBuilder::new();
    builder.begin_document("d").unwrap();
    builder.set_text("The White House in Washington 東京都 said it was fine. ");
    build(&mut builder);
    builder.finish()
}

/// What the checks find, and what they find after their fixes.
fn found(corpus: &Corpus, gold: Option<&Corpus>) -> (Vec<String>, Vec<String>) {
    let list = |report: &Report| -> Vec<String> {
        let line = |f: &crate::Finding| format!("{}: {}", f.check, f.message);
        report.findings().iter().map(line).collect()
    };
    let report = Report::of(corpus, gold, CHECKS);
    let fixed = report.fixed(corpus);
    (list(&report), list(&Report::of(&fixed, gold, CHECKS)))
}

#[track_caller]
fn expect(corpus: &Corpus, before: &[&str], after: &[&str]) {
    let (found, left) = found(corpus, None);
    assert_eq!(found, before);
    assert_eq!(left, after);
}

#[test]
fn white_space_is_trimmed() {
    let corpus = corpus(|b| {
        b.annotate(Span::new(3, 16), Link::NIL);
        b.annotate(Span::new(3, 4), Link::NIL);
    });
    expect(
        &corpus,
        &[
            "white-space: the mention starts and ends with white space",
            "white-space: the mention is nothing but white space",
        ],
        &[],
    );
}

#[test]
fn words_are_whole() {
    let corpus = corpus(|b| {
        b.annotate(Span::new(5, 15), Link::NIL);
        b.annotate(Span::new(19, 27), Link::NIL);
        b.annotate(Span::new(30, 32), Link::NIL);
    });
    let lines = [
        "word-boundary: the mention starts inside a word",
        "word-boundary: the mention ends inside a word",
    ];
    expect(&corpus, &lines, &lines);
}

#[test]
fn the_second_of_two_equal_answers_goes() {
    let corpus = corpus(|b| {
        let link = Link::to(b.intern("Q61"));
        b.annotate(Span::new(19, 29), link);
        b.annotate(Span::new(19, 29), link);
        b.annotate(Span::new(19, 29), Link::NIL);
    });
    expect(&corpus, &["duplicate: the same mention with the same link stands here twice"], &[]);
}

#[test]
fn crossing_mentions_are_noted_both() {
    let corpus = corpus(|b| {
        b.annotate(Span::new(0, 9), Link::NIL);
        b.annotate(Span::new(4, 15), Link::NIL);
        b.annotate(Span::new(4, 9), Link::NIL);
    });
    let lines = [
        "crossing: the mention crosses another at 4..15",
        "crossing: the mention crosses another at 0..9",
    ];
    expect(&corpus, &lines, &lines);
}

#[test]
fn damaged_links_are_named() {
    let corpus = corpus(|b| {
        for (start, entity) in [(0, " Q1 "), (4, "M\u{fffd}ller"), (10, "M\\u00fcller"), (19, "")] {
            let link = Link::to(b.intern(entity));
            b.annotate(Span::new(start, start + 3), link);
        }
    });
    let (found, left) = found(&corpus, None);
    let links = |lines: &[String]| lines.iter().filter(|l| l.starts_with("link")).count();
    assert_eq!((links(&found), links(&left)), (4, 3));
}

#[test]
fn overlap_tags_follow_the_spans() {
    let corpus = corpus(|b| {
        let tags = ["el:Mnt-Full", "el:PoS-NounSingular", "el:Olp-None", "el:Ref-Direct"];
        let root = b.annotate(Span::new(0, 29), Link::NIL).tags(tags).index();
        b.annotate(Span::new(0, 29), Link::NIL).tags(tags).part_of(root, 1);
        b.annotate(Span::new(4, 15), Link::NIL).tags(tags);
    });
    expect(
        &corpus,
        &[
            "overlap-tag: tagged el:Olp-None, but the spans say el:Olp-Maximal",
            "overlap-tag: tagged el:Olp-None, but the spans say el:Olp-Minimal",
        ],
        &[],
    );
}

#[test]
fn overlap_tags_follow_the_spans_that_are_left() {
    let whole = corpus(|b| {
        let root = b.annotate(Span::new(0, 29), Link::NIL).tags(["el:Mnt-Full", "el:Olp-Maximal"]);
        let root = root.index();
        b.annotate(Span::new(4, 15), Link::NIL).tags(["el:Olp-Minimal"]).part_of(root, 1);
        b.annotate(Span::new(30, 31), Link::NIL).tags(["el:Olp-Maximal"]);
    });
    let left = whole.filter(|mention| mention.place().is_none());
    let (left, changed) = crate::follow_spans(&whole, &left);
    let tags: Vec<Vec<&str>> =
        left.documents().flat_map(|d| d.mentions()).map(|m| m.tags().collect()).collect();
    let expected = [vec!["el:Mnt-Full", "el:Olp-None"], vec!["el:Olp-Maximal"]];
    assert_eq!((tags, changed), (expected.to_vec(), 1), "what was wrong before stays so");
    let (same, changed) = crate::follow_spans(&whole, &whole);
    assert_eq!((same.difference(&whole), changed), (None, 0));
}

#[test]
fn tags_have_their_shape_and_agree() {
    let corpus = corpus(|b| {
        let tags = ["el:Mnt-ProForm", "el:Mnt-Full", "el:Olp-None", "el:Ref-Direct"];
        b.annotate(Span::new(39, 41), Link::NIL).tags(tags);
    });
    let lines = [
        "tag-shape: expected one tag per dimension, found 2 base form tags, 0 part of speech tags",
        "tag-agreement: a pro-form that is not anaphoric",
    ];
    expect(&corpus, &lines, &lines);
}

#[test]
fn antecedents_come_first() {
    let corpus = corpus(|b| {
        let link = Link::to(b.intern("Q35525"));
        b.annotate(Span::new(4, 15), link).tags(["mnt:CoreferenceRf"]);
        b.annotate(Span::new(19, 29), link).tags(["mnt:CoreferenceRf"]);
        b.annotate(Span::new(0, 3), link).tags([
            "el:Mnt-CommonForm",
            "el:PoS-NounSingular",
            "el:Olp-None",
            "el:Ref-Direct",
            "mnt:AntecedentRf",
        ]);
    });
    expect(
        &corpus,
        &[
            "antecedent: tagged mnt:AntecedentRf, but its form takes no such tag",
            "antecedent: tagged mnt:CoreferenceRf, expected mnt:AntecedentRf",
        ],
        &[],
    );
}

#[test]
fn a_ring_of_parts_is_found() {
    let corpus = corpus(|b| {
        b.annotate(Span::new(0, 3), Link::NIL).part_of(1, 1);
        b.annotate(Span::new(4, 9), Link::NIL).part_of(0, 1);
    });
    let (found, _) = found(&corpus, None);
    assert_eq!(found, ["alternatives: the mention is a part of itself"; 2]);
}

#[test]
fn documents_are_compared_with_the_gold() {
    let document = |names: &[&str], text: &str| {
        let mut builder = CorpusBuilder::new();
        for name in names {
            builder.begin_document(name).unwrap();
            builder.set_text(text);
            builder.annotate(Span::new(0, 4), Link::NIL);
        }
        builder.finish()
    };
    let (gold, system) =
        (document(&["a", "b"], "Köln am Rhein"), document(&["a", "c"], "Köln und Rhein"));
    let (found, _) = found(&system, Some(&gold));
    assert_eq!(
        found,
        [
            "coverage: the text differs from the gold's at code point 5: “und Rhein” against “am Rhein”",
            "coverage: the gold does not know this document",
            "coverage: no output for this document",
        ]
    );
}

#[test]
fn rules_add_and_remove_tags() {
    let corpus = corpus(|b| {
        b.annotate(Span::new(39, 41), Link::NIL).tags(["x", "y"]);
        b.annotate(Span::new(0, 3), Link::NIL).tags(["x"]);
    });
    let rule = Rule::parse("{tag@x,<mnt@it,mnt@he>}[z](y)").unwrap();
    let mut report = Report::default();
    report.apply(&corpus, &rule);
    assert_eq!(report.findings().len(), 1);
    assert_eq!(report.findings()[0].message, "the rule asks for +z -y");
    let fixed = report.fixed(&corpus);
    let tags: Vec<_> = fixed.documents().next().unwrap().mention(0).unwrap().tags().collect();
    assert_eq!(tags, ["x", "z"]);
}

#[test]
fn bad_rules_are_explained() {
    for (rule, message) in [
        ("{tag@x", "expected `,` or `}` at column 7 of the rule"),
        ("x[y]", "expected `{`, `<`, `tag@...` or `mnt@...` at column 1 of the rule"),
        ("{tag@x}", "expected tags to add in [...] or to remove in (...) at column 8 of the rule"),
        ("{tag@x}[y", "expected `]` at column 9 of the rule"),
        ("{tag@x}[y] ", "expected the end of the rule at column 11 of the rule"),
    ] {
        assert_eq!(Rule::parse(rule).unwrap_err().message, message);
    }
    assert!(Rule::parse(&"{".repeat(1000)).is_err());
}
