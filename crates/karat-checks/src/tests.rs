//! Each check on a small corpus that has one of everything wrong.

use crate::checks::crossing::partners;
use crate::{CHECKS, CheckReport, Rule, Severity, Subject};
use karat_kb::{Builder, Facts, KnowledgeBase};
use karat_model::{Corpus, CorpusBuilder, Link, Span, attribute};
use proptest::prelude::*;

fn corpus(build: impl FnOnce(&mut CorpusBuilder)) -> Corpus {
    let mut builder = CorpusBuilder::new();
    builder.begin_document("d").unwrap();
    builder.set_text("The White House in Washington 東京都 said it was fine. ");
    build(&mut builder);
    builder.finish()
}

/// What the checks find, and what they find after their fixes.
fn found(corpus: &Corpus, gold: Option<&Corpus>) -> (Vec<String>, Vec<String>) {
    let list = |report: &CheckReport| -> Vec<String> {
        let line = |f: &crate::CheckFinding| format!("{}: {}", f.check, f.message);
        report.findings().iter().map(line).collect()
    };
    let report = CheckReport::of(corpus, gold, CHECKS);
    let fixed = report.fixed(corpus);
    (list(&report), list(&CheckReport::of(&fixed, gold, CHECKS)))
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
fn an_alternative_that_says_the_same_again_goes() {
    let corpus = corpus(|b| {
        let [link, other] = ["Q61", "Q90"].map(|entity| Link::to(b.intern(entity)));
        let span = Span::new(19, 29);
        let root = b.annotate(span, link).tags(["el:Mnt-Full"]).index();
        b.annotate(span, other).tags(["el:Mnt-Full"]).part_of(root, 1);
        b.annotate(span, link).tags(["el:Mnt-Full"]).part_of(root, 2);
        // Two parts that must both be found are no repetition of the whole.
        let city = b.annotate(Span::new(4, 9), other).index();
        b.annotate(Span::new(4, 9), other).part_of(city, 1);
        b.annotate(Span::new(4, 6), link).part_of(city, 1);
    });
    let of_duplicates = |report: &CheckReport| report.counts().get("duplicate").copied();
    let report = CheckReport::of(&corpus, None, CHECKS);
    assert_eq!(of_duplicates(&report), Some(1));
    assert_eq!(of_duplicates(&CheckReport::of(&report.fixed(&corpus), None, CHECKS)), None);
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
    assert_eq!((links(&found), links(&left)), (4, 2));
}

#[test]
fn overlap_tags_follow_the_spans() {
    let corpus = corpus(|b| {
        let tags = ["el:Mnt-Full", "el:PoS-NounSingular", "el:Olp-None", "el:Ref-Direct"];
        let root = b.annotate(Span::new(0, 29), Link::NIL).tags(tags).index();
        let other = Link::to(b.intern("Q1"));
        b.annotate(Span::new(0, 29), other).tags(tags).part_of(root, 1);
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
        "pro-form: a pro-form that is not anaphoric",
    ];
    expect(&corpus, &lines, &lines[..1]);
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
fn a_part_of_what_is_not_there_is_found_and_no_ring() {
    let corpus = corpus(|b| {
        let orphan = b.annotate(Span::new(0, 3), Link::NIL).part_of(0, 1);
        orphan.attribute(attribute::MISSING_PARENT, "99");
        b.annotate(Span::new(4, 9), Link::NIL).part_of(0, 1);
    });
    let (found, _) = found(&corpus, None);
    assert_eq!(found, ["alternatives: the mention is a part of `99`, which is not there"]);
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
fn white_space_at_the_end_of_a_text_moves_no_offset() {
    let with_text = |text: &str| {
        let mut builder = CorpusBuilder::new();
        builder.begin_document("d").unwrap();
        builder.set_text(text);
        builder.finish()
    };
    let severity = |text: &str, gold: &str| {
        let report = CheckReport::of(&with_text(text), Some(&with_text(gold)), CHECKS);
        report.findings().iter().map(|finding| finding.severity).collect::<Vec<_>>()
    };
    assert_eq!(severity("Köln. ", "Köln."), [Severity::Note]);
    assert_eq!(severity("Köln.", "Köln.\n\n"), [Severity::Note]);
    assert_eq!(severity(" Köln.", "Köln."), [Severity::Error]);
    assert_eq!(severity("Köln.", "Köln."), []);
}

#[test]
fn rules_add_and_remove_tags() {
    let corpus = corpus(|b| {
        b.annotate(Span::new(39, 41), Link::NIL).tags(["x", "y"]);
        b.annotate(Span::new(0, 3), Link::NIL).tags(["x"]);
    });
    let rule = Rule::parse("{tag@x,<mnt@it,mnt@he>}[z](y)").unwrap();
    let mut report = CheckReport::default();
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

#[test]
fn two_fixes_of_the_tags_of_one_mention_are_both_done() {
    let corpus = corpus(|b| {
        b.annotate(Span::new(39, 41), Link::NIL).tags(["el:Olp-Minimal", "x"]);
    });
    let mut report = CheckReport::of(&corpus, None, CHECKS);
    for rule in ["{tag@x}[y](x)", "{tag@x}[z]", "{tag@x}[el:Olp-Maximal]"] {
        report.apply(&corpus, &Rule::parse(rule).unwrap());
    }
    let fixed = report.fixed(&corpus);
    let tags: Vec<_> = fixed.document("d").unwrap().mention(0).unwrap().tags().collect();
    assert_eq!(tags, ["y", "z", "el:Olp-Maximal"], "the rule is later than the check");
}

#[test]
fn categories_that_contradict_each_other_are_found() {
    let corpus = corpus(|b| {
        let rest = ["el:PoS-NounSingular", "el:Olp-None"];
        let tags = |own: [&'static str; 2]| own.into_iter().chain(rest);
        b.annotate(Span::new(0, 3), Link::NIL).tags(tags(["el:Mnt-Full", "el:Ref-Anaphoric"]));
        b.annotate(Span::new(4, 9), Link::NIL).tags(tags(["el:Mnt-Short", "el:Ref-Descriptive"]));
        let root = b
            .annotate(Span::new(10, 15), Link::NIL)
            .tags(tags(["el:Mnt-CommonForm", "el:Ref-Descriptive"]))
            .index();
        let other = ["el:Mnt-Full", "el:PoS-Verb", "el:Olp-None", "el:Ref-Direct"];
        b.annotate(Span::new(10, 15), Link::NIL).tags(other).part_of(root, 1);
    });
    let lines = [
        "pro-form: an anaphoric mention that is not a pro-form",
        "descriptive: a descriptive reference that is not a common form",
        "tag-agreement: the part of speech tag differs from that of the other alternative",
    ];
    expect(&corpus, &lines, &lines);
}

#[test]
fn tags_have_names_of_one_vocabulary() {
    let corpus = corpus(|b| {
        let tags =
            ["fel:CommonForm", "el:PoS-Verb", "el:Olp-None", "el:Ref-Direct", "mnt:LiteralRh"];
        b.annotate(Span::new(0, 3), Link::NIL).tags(tags);
        let tags = ["el:mnt-full", "el:PoS-Verb", "el:Olp-None", "el:Ref-Direct", "my:tag"];
        b.annotate(Span::new(4, 9), Link::NIL).tags(tags);
        b.annotate(Span::new(10, 15), Link::NIL).tags(["fel:ProperForm", "plain"]);
        // The older vocabulary has no names for references.
        let tags = ["mnt:CommonFormPN", "mnt:VerbPoS", "mnt:NonOverlapping", "el:Ref-Direct"];
        b.annotate(Span::new(30, 33), Link::NIL).tags(tags);
    });
    let fixed = CheckReport::of(&corpus, None, CHECKS).fixed(&corpus);
    let tags: Vec<_> = fixed.document("d").unwrap().mention(0).unwrap().tags().collect();
    assert_eq!(tags[0], "el:Mnt-CommonForm");
    expect(
        &corpus,
        &[
            "tag-name: tags of several vocabularies: el, fel",
            "tag-name: el:mnt-full should be el:Mnt-Full",
            "tag-name: no vocabulary has fel:ProperForm",
            "tag-shape: expected one tag per dimension, found 0 base form tags",
        ],
        &["tag-name: no vocabulary has fel:ProperForm"],
    );
}

fn base() -> KnowledgeBase {
    let mut builder = Builder::in_memory();
    let facts = |name| Facts { name: Some(name), ..Facts::default() };
    builder.entity("Bob_Dylan", &facts("Bob Dylan")).unwrap();
    builder.redirect("Robert_Zimmerman", "Bob_Dylan").unwrap();
    let list = Facts { types: Some(vec!["Q4167410"]), ..facts("Mercury") };
    builder.entity("Mercury", &list).unwrap();
    builder.finish().unwrap()
}

#[test]
fn links_are_looked_up() {
    let base = base();
    let corpus = corpus(|b| {
        for (start, entity) in [
            (0, "https://en.wikipedia.org/wiki/Robert_Zimmerman"),
            (4, "Robert_Zimmerman"),
            (10, "https://en.wikipedia.org/wiki/Bob_Dylan"),
            (19, "https://en.wikipedia.org/wiki/Nobody_at_all"),
            (30, "Mercury"),
        ] {
            let link = Link::to(b.intern(entity));
            b.annotate(Span::new(start, start + 3), link);
        }
        b.annotate(Span::new(39, 41), Link::NIL);
    });
    let report = |corpus: &Corpus| {
        let subject = Subject { corpus, gold: None, base: Some(&base) };
        let report = CheckReport::on(&subject, CHECKS);
        let links = report.findings().iter().filter(|finding| finding.check == "link-target");
        let messages: Vec<String> = links.map(|finding| finding.message.clone()).collect();
        (messages, report.fixed(corpus))
    };
    let (found, fixed) = report(&corpus);
    let left = [
        "the knowledge base has no `https://en.wikipedia.org/wiki/Nobody_at_all`",
        "`Mercury` only lists what the name may mean",
    ];
    assert_eq!(
        found[..2],
        [
            "`https://en.wikipedia.org/wiki/Robert_Zimmerman` is a redirect to `Bob_Dylan`",
            "`Robert_Zimmerman` is a redirect to `Bob_Dylan`",
        ]
    );
    assert_eq!(found[2..], left);
    assert_eq!(report(&fixed).0, left);
    let entities: Vec<_> =
        fixed.documents().flat_map(|d| d.mentions()).map(|m| m.entity()).collect();
    let dylan = Some("https://en.wikipedia.org/wiki/Bob_Dylan");
    assert_eq!(entities[..3], [dylan, Some("Bob_Dylan"), dylan]);
}

#[test]
fn rules_come_in_files_and_have_names() {
    let rules =
        "\u{feff}# mine\n\npronouns: {mnt@it}[el:Mnt-ProForm](mnt:CommonFormPN)\n <mnt@x>[y]\n";
    let rules = Rule::parse_all(rules).unwrap();
    assert_eq!(rules.len(), 2);
    let corpus = corpus(|b| {
        b.annotate(Span::new(39, 41), Link::NIL).tags(["el:Mnt-CommonForm"]);
    });
    let mut report = CheckReport::default();
    report.apply(&corpus, &rules[0]);
    let finding = &report.findings()[0];
    assert_eq!(finding.message, "the rule `pronouns` asks for +el:Mnt-ProForm -mnt:CommonFormPN");
    assert_eq!(finding.context.as_ref().unwrap()[1], "it");
    let fixed = report.fixed(&corpus);
    let tags: Vec<_> = fixed.document("d").unwrap().mention(0).unwrap().tags().collect();
    assert_eq!(tags, ["el:Mnt-ProForm"]);
    let bad = Rule::parse_all("\nx: {tag@y}\n").unwrap_err();
    assert_eq!(
        bad.message,
        "line 2: expected tags to add in [...] or to remove in (...) at column 11 of the rule"
    );
}

#[test]
fn nothing_takes_longer_than_sorting() {
    const COUNT: u32 = 50_000;
    let mut builder = CorpusBuilder::new();
    builder.begin_document("nested").unwrap();
    builder.set_text(&"ab ".repeat(COUNT as usize));
    for depth in 0..COUNT {
        let added = builder.annotate(Span::new(depth, 2 * COUNT - depth), Link::NIL);
        added.tags(["el:Olp-None"]);
    }
    builder.begin_document("a chain of parts").unwrap();
    for index in 0..COUNT {
        let added = builder.annotate(Span::new(index, index + 2), Link::NIL);
        added.part_of(index + 1, 1);
    }
    let report = CheckReport::of(&builder.finish(), None, CHECKS);
    let shown = report.findings().iter().filter_map(|finding| finding.context.as_ref());
    assert_eq!(shown.map(|[_, mention, _]| mention.chars().count()).max(), Some(203));
    let counts = report.counts();
    assert_eq!(counts["overlap-tag"], COUNT as usize);
    assert!(!counts.contains_key("alternatives") && !counts.contains_key("crossing"));
}

proptest! {
    #[test]
    fn crossing_mentions_have_a_partner(
        spans in prop::collection::vec((0u32..30, 0u32..12), 0..20)
    ) {
        let spans: Vec<Span> = spans.into_iter().map(|(s, l)| Span::new(s, s + l)).collect();
        let partners = partners(&spans);
        for span in &spans {
            let crossed = spans.iter().any(|other| other.crosses(*span));
            prop_assert_eq!(partners.contains_key(span), crossed);
            if let Some(partner) = partners.get(span) {
                prop_assert!(partner.crosses(*span) && spans.contains(partner));
            }
        }
    }

    #[test]
    fn any_text_is_a_rule_or_is_refused(text in "[{}<>\\[\\](),@:a-ctgmn# é]{0,30}") {
        let _ = Rule::parse(&text);
        let _ = Rule::parse_all(&text);
    }
}

/// A corpus whose mentions have these links, each on a span of its own.
fn linked(links: &[&str]) -> Corpus {
    corpus(|b| {
        for (at, entity) in (0..).zip(links) {
            let link = Link::to(b.intern(entity));
            b.annotate(Span::new(at, at + 1), link);
        }
    })
}

fn entities(corpus: &Corpus) -> Vec<String> {
    let mentions = corpus.documents().flat_map(|document| document.mentions());
    mentions.filter_map(|mention| mention.entity().map(str::to_owned)).collect()
}

/// The links of a corpus after the fixes of one check.
fn mended(corpus: &Corpus, gold: Option<&Corpus>, base: Option<&KnowledgeBase>) -> Vec<String> {
    let links = CHECKS.iter().copied().filter(|check| check.info().name.starts_with("link-"));
    let links: Vec<_> = links.collect();
    entities(&CheckReport::on(&Subject { corpus, gold, base }, &links).fixed(corpus))
}

#[test]
fn lost_letters_come_back_where_one_link_fits() {
    let damaged = linked(&["wiki/Eva_Per\u{fffd}n", "wiki/M\u{fffd}ller", "wiki/\u{fffd}x"]);
    let gold = linked(&["wiki/Eva_Perón", "wiki/Möller", "wiki/Müller", "wiki/Eva_Peron"]);
    let as_it_was = entities(&damaged);
    assert_eq!(mended(&damaged, None, None), as_it_was);
    let expected = ["wiki/Eva_Perón", as_it_was[1].as_str(), as_it_was[2].as_str()];
    assert_eq!(mended(&damaged, Some(&gold), None), expected);
    let mut builder = Builder::in_memory();
    for name in ["Eva_Perón", "Möller", "Müller", "Ångström"] {
        builder.entity(name, &Facts { name: Some(name), ..Facts::default() }).unwrap();
    }
    let base = builder.finish().unwrap();
    let damaged =
        linked(&["Eva_Per\u{fffd}n", "M\u{fffd}ller", "\u{fffd}ngstr\u{fffd}m", "\u{fffd}x"]);
    let expected = ["Eva_Perón", "M\u{fffd}ller", "Ångström", "\u{fffd}x"];
    assert_eq!(mended(&damaged, None, Some(&base)), expected);
}

#[test]
fn escapes_of_blanks_stay_and_pairs_are_decoded() {
    let damaged = linked(&[r"Tenn\u014d", r"a\u000ab", r"a\u0020b", r"\ud83d\ude00"]);
    assert_eq!(mended(&damaged, None, None), ["Tennō", r"a\u000ab", r"a\u0020b", "😀"]);
}

#[test]
fn redirects_are_replaced_only_by_what_leads_to_the_same() {
    let mut builder = Builder::in_memory();
    for name in ["What?", "de:Bar", "C#"] {
        builder.entity(name, &Facts { name: Some(name), ..Facts::default() }).unwrap();
    }
    builder.redirect("Which", "What?").unwrap();
    builder.redirect("de:Kneipe", "de:Bar").unwrap();
    builder.redirect("Pub", "de:Bar").unwrap();
    let base = builder.finish().unwrap();
    let links = linked(&[
        "https://en.wikipedia.org/wiki/Which",
        "https://de.wikipedia.org/wiki/Kneipe",
        "https://en.wikipedia.org/wiki/Pub",
    ]);
    let expected = [
        "https://en.wikipedia.org/wiki/What%3F",
        "https://de.wikipedia.org/wiki/Bar",
        "https://en.wikipedia.org/wiki/Pub",
    ];
    assert_eq!(mended(&links, None, Some(&base)), expected);
}

#[test]
fn tags_that_are_said_twice_are_said_once() {
    let whole = ["el:Mnt-Full", "el:PoS-NounSingular", "el:Olp-None", "el:Ref-Direct"];
    let corpus = corpus(|b| {
        b.annotate(Span::new(0, 3), Link::NIL).tags(whole);
        b.annotate(Span::new(4, 15), Link::NIL).tags(whole.into_iter().chain(["el:Mnt-Full"]));
        let overlaps = ["el:Mnt-Full", "el:PoS-NounSingular", "el:Olp-Minimal", "el:Olp-Maximal"];
        b.annotate(Span::new(19, 29), Link::NIL)
            .tags(overlaps.into_iter().chain(["el:Ref-Direct"]));
        b.annotate(Span::new(39, 41), Link::NIL);
    });
    let untagged = "tag-shape: no tags, unlike most others";
    expect(
        &corpus,
        &[
            "tag-shape: expected one tag per dimension, found 2 base form tags",
            "tag-shape: expected one tag per dimension, found 2 overlap tags",
            untagged,
            "overlap-tag: tagged el:Olp-Minimal, but the spans say el:Olp-None",
        ],
        &[untagged],
    );
}

#[test]
fn the_older_scheme_has_no_references_to_miss() {
    let corpus = corpus(|b| {
        let link = Link::to(b.intern("Q1"));
        let of = |form, reference| [form, "mnt:SingularNounPoS", "mnt:NonOverlapping", reference];
        b.annotate(Span::new(4, 15), link).tags(of("mnt:FullMentionPN", "mnt:AntecedentRf"));
        b.annotate(Span::new(39, 41), link).tags(of("mnt:Pro-formPN", "mnt:CoreferenceRf"));
        let common = ["mnt:CommonFormPN", "mnt:SingularNounPoS", "mnt:NonOverlapping"];
        b.annotate(Span::new(19, 29), Link::NIL).tags(common);
    });
    expect(&corpus, &[], &[]);
}

#[test]
fn fixes_keep_the_vocabulary() {
    let corpus = corpus(|b| {
        b.annotate(Span::new(39, 41), Link::NIL).tags(["fel:ProForm", "fel:DirectReference"]);
        b.annotate(Span::new(4, 15), Link::NIL).tags(["el:Mnt-Full"]);
    });
    let report = CheckReport::of(&corpus, None, CHECKS);
    let tags = |corpus: &Corpus, at: usize| -> Vec<String> {
        let mention = corpus.document("d").unwrap().mention(at).unwrap();
        mention.tags().map(str::to_owned).collect()
    };
    assert_eq!(tags(&report.fixed(&corpus), 0), ["fel:ProForm", "fel:AnaphoricReference"]);
    let rule = Rule::parse("{tag@fel:FullProperForm}[fel:NoOverlap]").unwrap();
    let mut report = CheckReport::default();
    report.apply(&corpus, &rule);
    assert_eq!(tags(&report.fixed(&corpus), 1), ["el:Mnt-Full", "el:Olp-None"]);
}
