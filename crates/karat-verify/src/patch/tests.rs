//! The laws of patches, on gold of every kind.

use super::*;
use karat_model::{CorpusBuilder, Flags, Link, Span};
use proptest::prelude::*;

const TEXT: &str = "Paris refused to sign the draft treaty with London and Berlin on the 3rd of May, said a spokesman in Paris.";

/// A mention of a generated corpus.
#[derive(Debug, Clone)]
struct Made {
    span: (u32, u32),
    answer: u8,
    types: u8,
    tags: bool,
    optional: bool,
    equivalents: bool,
    comment: bool,
    readings: Vec<Vec<u8>>,
}

fn made() -> impl Strategy<Value = Made> {
    let readings = prop::collection::vec(prop::collection::vec(0u8..4, 1..3), 0..3);
    let flags = (any::<bool>(), any::<bool>(), any::<bool>(), any::<bool>());
    (0u32..12, 1u32..8, 0u8..6, 0u8..3, flags, readings).prop_map(
        |(start, length, answer, types, (tags, optional, equivalents, comment), readings)| Made {
            span: (start * 8, start * 8 + length),
            answer,
            types,
            tags,
            optional,
            equivalents,
            comment,
            readings: if answer < 2 { readings } else { Vec::new() },
        },
    )
}

fn answer(builder: &mut CorpusBuilder, number: u8) -> Link {
    match number {
        0..=3 => Link::to(builder.intern(["Q90", "Q142", "Q84", "Q64"][usize::from(number)])),
        4 => Link::NIL,
        _ => Link::nil_cluster(builder.intern("c1")),
    }
}

fn annotate(builder: &mut CorpusBuilder, made: &Made) {
    let link = answer(builder, made.answer);
    let mut mention = builder.annotate(Span::new(made.span.0, made.span.1), link);
    mention = mention.types(["LOC", "ORG"].into_iter().take(made.types.into()));
    if made.tags {
        mention = mention.tags(["el:Mnt-Full"]);
    }
    if made.optional {
        mention = mention.flags(Flags::OPTIONAL);
    }
    if made.equivalents {
        mention = mention.equivalent("Q90000");
    }
    if made.comment {
        mention = mention.attribute("comment", "see the guidelines");
    }
    let parent = mention.index();
    for (number, parts) in (1..).zip(&made.readings) {
        for &part in parts {
            let link = answer(builder, part);
            let start = made.span.0 + u32::from(part);
            builder.annotate(Span::new(start, start + 2), link).part_of(parent, number);
        }
    }
}

fn corpus(documents: &[Vec<Made>]) -> Corpus {
    let mut builder = CorpusBuilder::new();
    for (number, mentions) in documents.iter().enumerate() {
        builder.continue_document(&format!("d{number}"));
        builder.set_text(TEXT);
        mentions.iter().for_each(|made| annotate(&mut builder, made));
    }
    builder.finish()
}

fn gold() -> impl Strategy<Value = Vec<Vec<Made>>> {
    prop::collection::vec(prop::collection::vec(made(), 0..6), 2)
}

/// A gold standard and another that differs in a few mentions, as corrections do.
fn corrected() -> impl Strategy<Value = (Corpus, Corpus)> {
    (gold(), prop::collection::vec((any::<prop::sample::Index>(), made(), 0u8..4), 0..6)).prop_map(
        |(old, edits)| {
            let mut new = old.clone();
            for (index, made, what) in edits {
                let document = &mut new[index.index(old.len())];
                match (what, document.is_empty()) {
                    (0, _) | (_, true) => document.push(made),
                    (1, false) => drop(document.remove(index.index(document.len()))),
                    (2, false) => {
                        let at = index.index(document.len());
                        document[at].answer = made.answer;
                    }
                    (_, false) => {
                        let at = index.index(document.len());
                        document[at] = Made { span: document[at].span, ..made };
                    }
                }
            }
            (corpus(&old), corpus(&new))
        },
    )
}

fn between(old: &Corpus, new: &Corpus) -> GoldPatch {
    GoldPatch::between(old, new, OffsetUnit::CodePoints).unwrap()
}

fn gold_of(corpus: &Corpus) -> Digest {
    view::annotations_digest(corpus)
}

/// Applied, with nothing in trouble.
fn applied(patch: &GoldPatch, corpus: &Corpus) -> Corpus {
    let patched = patch.applied_to(corpus);
    let trouble: Vec<_> = patched.judged.iter().filter(|it| it.state.is_trouble()).collect();
    assert!(trouble.is_empty(), "{trouble:?} of\n{patch}");
    patched.corpus
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn a_patch_makes_the_other_corpus_and_its_opposite_the_first((old, new) in corrected()) {
        let patch = between(&old, &new);
        let made = applied(&patch, &old);
        prop_assert_eq!(gold_of(&made), gold_of(&new), "{}", patch);
        prop_assert_eq!(made.digest(), new.digest());
        prop_assert!(patch.makes(&new));
        let opposite = patch.reverted();
        let back = applied(&opposite, &made);
        prop_assert_eq!(back.digest(), old.digest(), "{}\n{}", patch, opposite);
        prop_assert_eq!(opposite.reverted().digest(), patch.digest());
        // Applying it again changes nothing, and undoing it twice neither.
        let twice = patch.applied_to(&made);
        prop_assert!(twice.judged.iter().all(|it| it.state == ChangeState::AlreadyThere), "{:?}\n{}", twice.judged, patch);
        prop_assert_eq!(twice.corpus.digest(), new.digest());
        prop_assert_eq!(applied(&opposite, &back).digest(), old.digest());
    }

    #[test]
    fn what_is_written_can_be_read_in_any_order((old, new) in corrected(), seed in any::<u64>()) {
        let patch = between(&old, &new);
        let text = patch.to_string();
        let read = read(&text).unwrap();
        prop_assert_eq!(&read, &patch);
        let mut lines: Vec<&str> = text.lines().collect();
        let mut state = seed | 1;
        for at in (1..lines.len()).rev() {
            state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            lines.swap(at, (state >> 33) as usize % (at + 1));
        }
        // A line that stands twice is one change.
        let mut again = lines.join("\n") + "\n";
        again += lines[0];
        let shuffled = super::read(&again).unwrap();
        prop_assert_eq!(shuffled.to_string(), text);
    }

    #[test]
    fn merging_is_commutative_associative_and_a_sequence(
        (old, first) in corrected(), edits in prop::collection::vec(any::<bool>(), 24),
    ) {
        // Three patches with changes of one correction in common, which do not contradict each other.
        let whole = between(&old, &first);
        let part = |from: usize| {
            let chosen = |change: &GoldChange| {
                let at = whole.changes.iter().position(|it| it == change).unwrap_or(0);
                edits[(from + at) % edits.len()]
            };
            whole.only(chosen)
        };
        let (p, q, r) = (part(0), part(7), part(15));
        let merged = |a: &GoldPatch, b: &GoldPatch| a.merged(b).unwrap();
        prop_assert!(merged(&p, &q).contradictions().is_empty());
        prop_assert_eq!(merged(&p, &q).to_string(), merged(&q, &p).to_string());
        prop_assert_eq!(merged(&merged(&p, &q), &r).to_string(), merged(&p, &merged(&q, &r)).to_string());
        let together = merged(&p, &q).applied_to(&old);
        let copies = whole.changes.iter().any(|change| matches!(
            &change.action,
            PatchAction::Add(Piece::Mention { copy: Some(_), .. }) | PatchAction::Remove(Piece::Mention { copy: Some(_), .. })
        ));
        // Of several equal mentions the second cannot come before the first.
        if !copies {
            let sequence = q.applied_to(&p.applied_to(&old).corpus);
            prop_assert_eq!(together.corpus.digest(), sequence.corpus.digest(), "{}\n{}", p, q);
        }
    }

    #[test]
    fn two_corrections_of_one_gold_are_merged_or_contradict((old, first) in corrected(), edits in gold()) {
        let second = corpus(&edits);
        let (p, q) = (between(&old, &first), between(&old, &second));
        let merged = p.merged(&q).unwrap();
        prop_assert_eq!(merged.to_string(), q.merged(&p).unwrap().to_string());
        let opened = merged.clone().opened();
        prop_assert!(opened.contradictions().is_empty());
        prop_assert_eq!(read(&opened.to_string()).unwrap(), opened);
        let patched = merged.applied_to(&old);
        let contradicted = merged.contradictions();
        if contradicted.is_empty() && !patched.judged.iter().any(|it| it.state.is_trouble()) {
            let again = merged.applied_to(&patched.corpus);
            prop_assert_eq!(again.corpus.digest(), patched.corpus.digest(), "{}", merged);
        }
    }

    #[test]
    fn nothing_that_is_read_panics(lines in prop::collection::vec(hostile(), 0..6)) {
        let text = lines.join("\n");
        match read(&text) {
            Ok(patch) => {
                prop_assert_eq!(&read(&patch.to_string()).unwrap(), &patch);
                let gold = corpus(&[Vec::new(), Vec::new()]);
                patch.applied_to(&gold);
                patch.reverted().applied_to(&gold);
                patch.rebased_to(&gold, OffsetUnit::CodePoints);
            }
            Err(problem) => {
                prop_assert!(text.get(problem.at.clone()).is_some(), "{problem:?}");
                prop_assert!(!problem.message.is_empty());
            }
        }
    }
}

/// Lines of a patch, with damage.
fn hostile() -> impl Strategy<Value = String> {
    let good = prop::sample::select(vec![
        r#"{"goldpatch":1,"name":"spring","base":{"name":"aida"}}"#,
        r#"{"document":"d0","span":[0,5],"words":"Paris","set":{"link":["Q90","Q142"]},"why":"wrong-link"}"#,
        r#"{"document":"d0","span":[0,5],"add":{"link":"Q84","part_of":{"span":[0,5],"link":"Q90"},"with":[{"span":[7,9],"nil":true}]}}"#,
        r#"{"document":"d1","span":[8,9],"remove":{"nil":"c1","copy":2,"attributes":{"comment":["a","b"]}},"refused":{"who":"x"}}"#,
        r#"{"document":"d1","span":[4294967295,4294967295],"set":{"span":[[4294967295,4294967295],[0,1]],"tags":[[],["x"]]},"link":"Q1"}"#,
        r#"{"document":"d1","span":[3,2],"add":{}}"#,
        r#"<<<<<<< ours"#,
        "\u{feff}{}",
        "null",
    ]);
    (good, any::<prop::sample::Index>(), prop::option::of(any::<char>())).prop_map(
        |(line, at, other)| {
            let Some(other) = other else { return line.to_owned() };
            let mut letters: Vec<char> = line.chars().collect();
            let at = at.index(letters.len());
            letters[at] = other;
            letters.into_iter().filter(|it| *it != '\n').collect()
        },
    )
}

fn small(entity: &str, types: &[&str]) -> Corpus {
    let mut builder = CorpusBuilder::new();
    builder.continue_document("d0");
    builder.set_text(TEXT);
    let link = Link::to(builder.intern(entity));
    builder.annotate(Span::new(0, 5), link).types(types.iter().copied());
    builder.finish()
}

fn line(text: &str) -> String {
    text.lines().nth(1).unwrap().to_owned()
}

#[test]
fn the_file_is_what_the_documentation_says() {
    let patch = between(&small("Q90", &["LOC"]), &small("Q142", &["LOC"]));
    assert_eq!(
        line(&patch.to_string()),
        r#"{"id":"1b7d5bf54249","document":"d0","span":[0,5],"words":"Paris","check":"ff961e31","set":{"link":["Q90","Q142"]}}"#
    );
    let masked = patch.clone().masked();
    assert!(!masked.to_string().contains("Paris"));
    assert_eq!(masked.digest(), patch.digest());
    let typed = between(&small("Q90", &["LOC"]), &small("Q90", &["GPE"]));
    assert!(line(&typed.to_string()).contains(r#""span":[0,5],"link":"Q90","words":"Paris""#));
}

#[test]
fn the_four_states() {
    let patch = between(&small("Q90", &[]), &small("Q142", &[]));
    let state = |corpus: &Corpus| patch.against(corpus)[0].clone();
    assert_eq!(state(&small("Q90", &["LOC"])).state, ChangeState::Applies);
    assert_eq!(state(&small("Q142", &[])).state, ChangeState::AlreadyThere);
    let conflict = state(&small("Q64", &[]));
    assert_eq!(
        (conflict.state, conflict.reason.as_deref()),
        (ChangeState::Conflict, Some("link is Q64"))
    );
    let mut builder = CorpusBuilder::new();
    builder.continue_document("d0");
    builder.set_text("Rome refused to sign the draft treaty.");
    let lost = state(&builder.finish());
    assert_eq!(
        (lost.state, lost.reason.as_deref()),
        (ChangeState::Lost, Some("the words are \"Rome \""))
    );
    let nowhere = state(&CorpusBuilder::new().finish());
    assert_eq!(
        (nowhere.state, nowhere.reason.as_deref()),
        (ChangeState::Lost, Some("there is no such document"))
    );
}

/// One mention of an entity at a span.
fn mention_at(entity: &str, span: (u32, u32)) -> Corpus {
    let mut builder = CorpusBuilder::new();
    builder.continue_document("d0");
    builder.set_text(TEXT);
    let link = Link::to(builder.intern(entity));
    builder.annotate(Span::new(span.0, span.1), link);
    builder.finish()
}

#[test]
fn a_moved_span_is_there_only_with_its_own_entity() {
    let patch = between(&mention_at("Q90", (0, 5)), &mention_at("Q90", (0, 13)));
    assert_eq!(patch.changes.len(), 1, "the mention moved: {patch}");
    let state = |corpus: &Corpus| patch.against(corpus)[0].state;
    assert_eq!(state(&mention_at("Q90", (0, 5))), ChangeState::Applies);
    assert_eq!(state(&mention_at("Q90", (0, 13))), ChangeState::AlreadyThere);
    assert_eq!(state(&mention_at("Q142", (0, 13))), ChangeState::Conflict);
}

#[test]
fn a_masked_patch_is_applied_where_there_are_no_words() {
    let patch = between(&small("Q90", &[]), &small("Q142", &[])).masked();
    let bare = |entity: &str| {
        let mut builder = CorpusBuilder::new();
        builder.continue_document("d0");
        let link = Link::to(builder.intern(entity));
        builder.annotate(Span::new(0, 5), link);
        builder.finish()
    };
    let patched = patch.applied_to(&bare("Q90"));
    assert_eq!(patched.corpus.digest(), bare("Q142").digest());
    assert!(!patched.judged[0].checked, "nobody could look at the words");
    assert_eq!(
        patch.base.is(&bare("Q90")),
        Some(true),
        "the digest of annotations does not depend on texts"
    );
}

#[test]
fn what_two_people_add_are_two_readings() {
    let with = |entity: &str| {
        let mut builder = CorpusBuilder::new();
        builder.continue_document("d0");
        builder.set_text(TEXT);
        let (paris, other) = (Link::to(builder.intern("Q90")), Link::to(builder.intern(entity)));
        builder.annotate(Span::new(0, 5), paris);
        if entity != "Q90" {
            builder.annotate(Span::new(0, 5), other).part_of(0, 1);
        }
        builder.finish()
    };
    let base = with("Q90");
    let merged = between(&base, &with("Q142")).merged(&between(&base, &with("Q64"))).unwrap();
    assert!(merged.contradictions().is_empty());
    let patched = applied(&merged, &base);
    let mut readings: Vec<u32> = patched
        .document("d0")
        .unwrap()
        .mentions()
        .filter_map(|it| it.place())
        .map(|it| it.reading)
        .collect();
    readings.sort_unstable();
    assert_eq!(readings, [1, 2]);
}

#[test]
fn a_contradiction_is_found_and_opened() {
    let base = small("Q90", &[]);
    let merged =
        between(&base, &small("Q142", &[])).merged(&between(&base, &small("Q64", &[]))).unwrap();
    assert_eq!(merged.contradictions().len(), 1);
    let counts = merged.applied_to(&base).counts();
    assert_eq!((counts.conflict, counts.applies), (2, 0));
    let opened = merged.opened();
    assert_eq!(opened.applied_to(&base).counts().open, 2);
    assert_eq!(opened.digest(), GoldPatch::default().digest(), "nothing is applied");
}

#[test]
fn a_patch_is_moved_to_another_edition() {
    let patch = between(&small("Q90", &[]), &small("Q142", &[]));
    let edition = |text: &str, start: u32, entity: &str| {
        let mut builder = CorpusBuilder::new();
        builder.continue_document("d0");
        builder.set_text(text);
        let link = Link::to(builder.intern(entity));
        builder.annotate(Span::new(start, start + 5), link);
        builder.finish()
    };
    // Only an end of the text before it differs, so that what is around the words differs too.
    let text = format!("BRUSSELS 1996. {}", TEXT.replace("in Paris", "there"));
    let rebased = patch.rebased_to(&edition(&text, 15, "Q90"), OffsetUnit::CodePoints);
    assert_eq!(rebased.moved.len(), 1);
    assert_eq!((rebased.moved[0].0, rebased.moved[0].1.span), (Span::new(0, 5), Span::new(15, 20)));
    let made = applied(&rebased.patch, &edition(&text, 15, "Q90"));
    assert_eq!(made.digest(), edition(&text, 15, "Q142").digest());
    let there = patch.rebased_to(&edition(&text, 15, "Q142"), OffsetUnit::CodePoints);
    assert_eq!((there.already_there.len(), there.patch.changes.len()), (1, 0));
    let lost =
        patch.rebased_to(&edition("Nothing is left of it all.", 0, "Q90"), OffsetUnit::CodePoints);
    assert_eq!(lost.rejected.len(), 1);
    assert_eq!(lost.rejected[0].1.state, ChangeState::Lost);
}

#[test]
fn bad_lines_are_located() {
    let header = "{\"goldpatch\":1}\n";
    for (line, message, at) in [
        ("{\"document\":\"d\"", "this line is no JSON: EOF while parsing an object", 14..15),
        ("[]", "this line is no JSON object", 0..2),
        ("{\"span\":[0,1],\"add\":{}}", "this change does not say which document it is of", 0..23),
        (
            "{\"document\":\"d\",\"span\":[5,1],\"add\":{}}",
            "`[5,1]` is no span: it has a start and an end that is not before it",
            16..22,
        ),
        ("{\"document\":\"d\",\"span\":[0,1],\"ad\":{}}", "a change has no key `ad`", 29..33),
        (
            "{\"document\":\"d\",\"span\":[0,1]}",
            "a change has exactly one of `set`, `add` and `remove`; this has none",
            0..29,
        ),
        (
            "{\"document\":\"d\",\"span\":[0,1],\"set\":{\"link\":[\"Q1\",\"Q1\"]}}",
            "`link` is the same before and after",
            29..34,
        ),
        (
            "{\"document\":\"d\",\"span\":[0,1],\"set\":{\"link\":\"Q1\"}}",
            "`link` is written as [old, new]",
            29..34,
        ),
        (
            "{\"document\":\"d\",\"span\":[0,1],\"add\":{\"link\":\"Q1\",\"nil\":true}}",
            "a mention has a link or is NIL, not both",
            29..34,
        ),
        (
            "{\"document\":\"d\",\"span\":[0,1],\"add\":{\"flags\":[\"maybe\"]}}",
            "`maybe` is no flag: flags are coreference, descriptive, not-coreference, optional",
            29..34,
        ),
        (
            "{\"document\":\"d\",\"span\":[0,1],\"add\":{\"part_of\":{\"span\":[0,1],\"reading\":1}}}",
            "`part_of` has no key `reading`: one change is one reading, and its further parts stand in `with`",
            29..34,
        ),
        (
            "{\"id\":\"000000000000\",\"document\":\"d\",\"span\":[0,1],\"add\":{}}",
            "the id of this change is `92ba0e3049fa`, not `000000000000`: it was edited by hand",
            1..5,
        ),
        (
            "{\"document\":\"d\",\"span\":[0,1],\"add\":{\"span\":[4,9],\"link\":\"Q1\"}}",
            "`span` stands beside `add` or `remove`, not in it",
            29..34,
        ),
        ("=======", "version control left the mark of a conflict here", 0..7),
    ] {
        let problem = read(&format!("{header}{line}\n")).unwrap_err();
        let start = header.len();
        assert_eq!(
            (problem.message.as_str(), problem.at.clone()),
            (message, start + at.start..start + at.end),
            "{line}"
        );
        assert!(problem.hint.is_some());
    }
    assert_eq!(read("").unwrap_err().message, "no line says which gold standard this is for");
    let problem = read("{\"goldpatch\":2}\n").unwrap_err();
    assert_eq!(problem.message, "this karat reads gold patches of version 1 only");
}
