//! What is derived, on small corpora and on generated ones.

use crate::{Accuracy, Aspect, MentionOverlaps, Tagger, Tally};
use karat_kb::{Builder, Facts, KnowledgeBase};
use karat_model::{
    Corpus, CorpusBuilder, Dimension, DimensionCategory, Flags, Link, MarkKind, Span, Vocabulary,
    attribute,
};
use proptest::prelude::*;

/// A document in which mentions stand in `[text|entity]`.
fn corpus(marked: &str) -> Corpus {
    let mut text = String::new();
    let mut mentions = Vec::new();
    let mut rest = marked;
    while let Some((before, after)) = rest.split_once('[') {
        text.push_str(before);
        let (mention, after) = after.split_once(']').unwrap();
        let (surface, entity) = mention.split_once('|').unwrap();
        let start = text.chars().count() as u32;
        text.push_str(surface);
        mentions.push((Span::new(start, text.chars().count() as u32), entity.to_owned()));
        rest = after;
    }
    text.push_str(rest);
    let mut builder = CorpusBuilder::new();
    builder.begin_document("d").unwrap();
    builder.set_text(&text);
    for (span, entity) in mentions {
        let link = if entity.is_empty() { Link::NIL } else { Link::to(builder.intern(&entity)) };
        builder.annotate(span, link);
    }
    builder.finish()
}

/// The categories of one dimension, by name, `-` where none was derived.
fn derived(corpus: &Corpus, tagger: &Tagger<'_>, dimension: Dimension) -> String {
    let tagged = tagger.tag(corpus, &[Aspect::Category(dimension)]).corpus;
    let mentions = tagged.documents().flat_map(|document| document.mentions());
    let names = mentions.map(|mention| {
        let category = mention.tags().find_map(DimensionCategory::of);
        let name = category.and_then(|category| category.name(Vocabulary::El));
        name.map_or("-", |name| name.split_once('-').unwrap().1).to_owned()
    });
    names.collect::<Vec<_>>().join(" ")
}

#[track_caller]
fn expect(dimension: Dimension, marked: &str, expected: &str) {
    assert_eq!(derived(&corpus(marked), &Tagger::new(), dimension), expected, "{marked}");
}

#[test]
fn base_forms_follow_from_words_and_titles() {
    for (marked, expected) in [
        ("I saw [Michael Jackson|Michael_Jackson] there.", "Full"),
        ("I saw [Jackson|Michael_Jackson] there.", "Short"),
        ("I saw [Michael Joseph Jackson|Michael_Jackson] there.", "Extended"),
        ("I saw the [King of Pop|Michael_Jackson] there.", "Alias"),
        ("The [Russian|Russia] and [Lebanese|Lebanon] teams", "Full Full"),
        ("The [American|United_States] team", "Alias"),
        (
            "a [peace treaty|Peace_treaty], [the late Syrian president|Hafez_al-Assad]",
            "CommonForm CommonForm",
        ),
        (
            "It is [the Union|European_Union], [the European Union|European_Union]",
            "CommonForm Full",
        ),
        (
            "In [APEC|Asia-Pacific_Economic_Cooperation] the [US|Government_of_the_United_States]",
            "Short Short",
        ),
        (
            "the [U.S.|United_States] and [Assad|Bashar_al-Assad]'s [Bounty's|HMS_Bounty_(ship)]",
            "Short Short Short",
        ),
        (
            "[He|x] and [its|x] and [IT|Information_technology]; [i|I_(newspaper)]",
            "ProForm ProForm Short CommonForm",
        ),
        (
            "[15|15_(number)] [two|2] [first|1] [4 October|October_4] [the 1980s|1980s] [II|2] [million|1,000,000] [Sept. 22|September_22]",
            "NumericTemporal NumericTemporal NumericTemporal NumericTemporal NumericTemporal NumericTemporal NumericTemporal NumericTemporal",
        ),
        ("they [may|x] [march|March_(walk)]", "CommonForm CommonForm"),
        ("Of a NIL, [Sheikh Abbad|] only that it is a name; [a hut|]", "- CommonForm"),
        ("see [...|x] and [ |x]", "- -"),
    ] {
        expect(Dimension::BaseForm, marked, expected);
    }
}

#[test]
fn initials_are_short() {
    for (marked, expected) in [
        ("of [B. Obama|Barack_Obama] and [Barack O.|Barack_Obama]", "Short Short"),
        ("of [A. Merkel|Angela_Merkel] and [J. F. Kennedy|John_F._Kennedy]", "Short Short"),
        (
            "of [J.K. Rowling|J._K._Rowling], [J.R.R. Tolkien|John_Ronald_Reuel_Tolkien]",
            "Full Short",
        ),
        (
            "the [U.S. Government|United_States_Government], the [US Open|U.S._Open], the [U.S.|U.S.]",
            "Short Full Full",
        ),
        (
            "of [X. Obama|Barack_Obama], [Plan B|Plan_Barbarossa], [Obama B.|Barack_Obama]",
            "Alias Alias Alias",
        ),
    ] {
        expect(Dimension::BaseForm, marked, expected);
    }
}

#[test]
fn a_script_without_capitals_says_nothing_of_names() {
    for (marked, expected) in [
        ("[東京|https://ja.wikipedia.org/wiki/東京]は首都。", "Full"),
        (
            "[東京|https://en.wikipedia.org/wiki/Tokyo]は[首都|https://ja.wikipedia.org/wiki/首都_(曖昧さ回避)]。",
            "- Full",
        ),
        ("زار [باراك أوباما|https://ar.wikipedia.org/wiki/باراك_أوباما] القاهرة", "Full"),
        ("זה [ירושלים|] וגם [ירושלים|https://he.wikipedia.org/wiki/ירושלים]", "- Full"),
        ("[国際連合|https://ja.wikipedia.org/wiki/国際連合本部] [2019年|x]", "- -"),
    ] {
        expect(Dimension::BaseForm, marked, expected);
    }
    let mut builder = Builder::in_memory();
    builder.entity("Q1490", &Facts { name: Some("東京"), ..Facts::default() }).unwrap();
    let base = builder.finish().unwrap();
    let tagger = Tagger::new().with_base(&base);
    let corpus = corpus("In [Tokyo|Q1490] or [東京|Q1490] it rains.");
    assert_eq!(derived(&corpus, &tagger, Dimension::BaseForm), "Alias Full");
}

#[test]
fn a_capital_at_the_start_of_a_sentence_says_nothing() {
    for (marked, expected) in [
        ("[Witnesses|Witness] came. Other witnesses did not.", "CommonForm"),
        ("[Berlin|Berlin] is large. I like Berlin.", "Full"),
        ("[Tiger|Tiger_Woods] won.", "Short"),
        ("[Members|Member_state_of_the_European_Union] are members.", "CommonForm"),
        ("[Orange|Orange] won.", "-"),
        ("He said: [Orange|Orange] won.", "-"),
        ("[NATO|NATO] won.", "Full"),
    ] {
        expect(Dimension::BaseForm, marked, expected);
    }
}

#[test]
fn a_capital_inside_a_name_says_nothing() {
    let mut builder = CorpusBuilder::new();
    builder.begin_document("d").unwrap();
    builder.set_text("At the European Council a council met.");
    for (start, end, entity) in
        [(7, 23, "European_Council"), (16, 23, "Council"), (7, 15, "Europe")]
    {
        let link = Link::to(builder.intern(entity));
        builder.annotate(Span::new(start, end), link);
    }
    let found = derived(&builder.finish(), &Tagger::new(), Dimension::BaseForm);
    assert_eq!(found, "Full CommonForm Full");
}

#[test]
fn a_marked_sentence_starts_where_its_mark_does() {
    let mut builder = CorpusBuilder::new();
    builder.begin_document("d").unwrap();
    builder.set_text("Headline Witnesses saw witnesses");
    builder.mark(MarkKind::Sentence, Span::new(9, 32), "");
    let link = Link::to(builder.intern("Witness"));
    builder.annotate(Span::new(9, 18), link);
    let found = derived(&builder.finish(), &Tagger::new(), Dimension::BaseForm);
    assert_eq!(found, "CommonForm");
}

#[test]
fn only_closed_classes_have_a_sure_part_of_speech() {
    expect(
        Dimension::PartOfSpeech,
        "[he|x] [They|x] [its|x] [her|x] [Monday|Monday] [may|x] [ran|x] [dogs|Dog]",
        "NounSingular NounPlural Adjective - NounSingular - - -",
    );
}

#[test]
fn pro_forms_are_anaphoric_and_numbers_mean_themselves() {
    expect(
        Dimension::Reference,
        "[he|x] [two|https://en.wikipedia.org/wiki/2] [two|2] [two|Couple] [Berlin|Berlin] [dog|Dog]",
        "Anaphoric Direct - - - -",
    );
}

fn base() -> KnowledgeBase {
    let mut builder = Builder::in_memory();
    let facts = |name, types: &[&'static str], aliases: &[&'static str]| Facts {
        name: Some(name),
        types: Some(types.to_vec()),
        aliases: aliases.to_vec(),
        ..Facts::default()
    };
    builder.entity("Q2831", &facts("Michael Jackson", &["Q5"], &["Michael Joe Jackson"])).unwrap();
    builder.entity("Q196756", &facts("witness", &[], &[])).unwrap();
    builder.entity("Q5", &facts("human", &[], &[])).unwrap();
    builder.finish().unwrap()
}

#[test]
fn a_knowledge_base_gives_names_and_types() {
    let base = base();
    let tagger = Tagger::new().with_base(&base);
    let corpus = corpus("[Witnesses|Q196756] saw [Jackson|Q2831], [Michael Joe Jackson|Q2831].");
    assert_eq!(derived(&corpus, &tagger, Dimension::BaseForm), "CommonForm Short Alias");
    assert_eq!(derived(&corpus, &Tagger::new(), Dimension::BaseForm), "- - -");
    let tagged = tagger.tag(&corpus, &[Aspect::EntityType]);
    let mentions: Vec<_> = tagged.corpus.documents().flat_map(|d| d.mentions()).collect();
    assert_eq!(mentions[1].types().collect::<Vec<_>>(), ["Person"]);
    assert_eq!(mentions[1].attribute(attribute::DERIVED), Some("Person"));
    assert_eq!(mentions[0].types().count(), 0);
    let tally = Tally { derived: 2, kept: 0, unknown: 1 };
    assert_eq!(tagged.tallies, [(Aspect::EntityType, tally)]);
}

fn with_tags(tags: &[&str], mark: Option<&str>) -> Corpus {
    let mut builder = CorpusBuilder::new();
    builder.begin_document("d").unwrap();
    builder.set_text("he is");
    let annotation = builder.annotate(Span::new(0, 2), Link::NIL).tags(tags.iter().copied());
    if let Some(mark) = mark {
        annotation.attribute(attribute::DERIVED, mark);
    }
    builder.finish()
}

#[test]
fn what_a_person_said_stays_unless_told_otherwise() {
    let plain = Tagger::new();
    for (tags, mark, tagger, expected, new_mark) in [
        // Given by a person, in any vocabulary.
        (vec!["el:Mnt-Full"], None, plain.clone(), "el:Mnt-Full", None),
        (vec!["mnt:AliasPN", "x"], None, plain.clone(), "mnt:AliasPN x", None),
        // Derived before, and derived anew.
        (
            vec!["el:Mnt-Full"],
            Some("el:Mnt-Full"),
            plain.clone(),
            "el:Mnt-ProForm",
            Some("el:Mnt-ProForm"),
        ),
        (
            vec!["x", "fel:CommonForm", "y"],
            Some("el:Mnt-CommonForm"),
            plain.clone(),
            "x el:Mnt-ProForm y",
            Some("el:Mnt-ProForm"),
        ),
        // Derived before, and changed by a person since.
        (
            vec!["el:Mnt-Full"],
            Some("el:Mnt-Alias"),
            plain.clone(),
            "el:Mnt-Full",
            Some("el:Mnt-Alias"),
        ),
        (vec!["el:Mnt-Full"], None, plain.overwriting(), "el:Mnt-ProForm", Some("el:Mnt-ProForm")),
    ] {
        let corpus = with_tags(&tags, mark);
        let tagged = tagger.tag(&corpus, &[Aspect::Category(Dimension::BaseForm)]).corpus;
        let mention = tagged.document("d").unwrap().mention(0).unwrap();
        assert_eq!(mention.tags().collect::<Vec<_>>().join(" "), expected);
        assert_eq!(mention.attribute(attribute::DERIVED), new_mark, "{tags:?}");
    }
}

#[test]
fn accuracy_counts_what_was_given_and_derived() {
    let mut builder = CorpusBuilder::new();
    builder.begin_document("d").unwrap();
    builder.set_text("he saw 15 of them ...");
    for (start, end, tags) in [
        (0, 2, vec!["el:Mnt-ProForm"]),
        (7, 9, vec!["fel:CommonForm"]),
        (13, 17, vec!["el:Mnt-ProForm", "el:Mnt-Full"]),
        (13, 17, vec![]),
        (18, 21, vec!["el:Mnt-ProForm"]),
    ] {
        builder.annotate(Span::new(start, end), Link::NIL).tags(tags);
    }
    let aspects = [Aspect::Category(Dimension::BaseForm)];
    let accuracy = Accuracy::of(&builder.finish(), &Tagger::new(), &aspects);
    let [found] = &accuracy.dimensions[..] else { panic!("one dimension") };
    let counts = (found.compared(), found.not_compared(), found.derived(), found.agreed());
    assert_eq!(counts, (3, 2, 2, 1));
    assert_eq!(
        found.count(DimensionCategory::CommonForm, Some(DimensionCategory::NumericTemporal.into())),
        1
    );
    assert_eq!(found.count(DimensionCategory::ProForm, None), 1);
    assert_eq!(
        (found.given_as(DimensionCategory::ProForm), found.derived_as(DimensionCategory::ProForm)),
        (2, 1)
    );
    assert_eq!(found.count(DimensionCategory::NoOverlap, None), 0, "of another dimension");
}

#[test]
fn accuracy_of_types_is_against_those_that_were_given() {
    let mut builder = CorpusBuilder::new();
    builder.begin_document("d").unwrap();
    builder.set_text("Jackson saw Jackson and a witness");
    for (start, end, entity, types) in [
        (0, 7, "Q2831", vec!["Person"]),
        (12, 19, "Q2831", vec!["ORG"]),
        (12, 19, "Q2831", vec!["Thing"]),
        (26, 33, "Q196756", vec!["Miscellany"]),
    ] {
        let link = Link::to(builder.intern(entity));
        builder.annotate(Span::new(start, end), link).types(types);
    }
    let base = base();
    let tagger = Tagger::new().with_base(&base);
    let accuracy = Accuracy::of(&builder.finish(), &tagger, &[Aspect::EntityType]);
    let [found] = &accuracy.dimensions[..] else { panic!("one aspect") };
    let counts = (found.compared(), found.not_compared(), found.derived(), found.agreed());
    assert_eq!(counts, (3, 1, 2, 1));
}

#[test]
fn two_hundred_thousand_nested_mentions_are_no_trouble() {
    const DEPTH: u32 = 200_000;
    let mut builder = CorpusBuilder::new();
    builder.begin_document("d").unwrap();
    builder.set_text(&"One two ".repeat(DEPTH as usize / 4));
    for depth in 0..DEPTH {
        builder.annotate(Span::new(depth, 2 * DEPTH - depth), Link::NIL);
    }
    let corpus = builder.finish();
    let tagged = Tagger::new().tag(&corpus, &Aspect::ALL).corpus;
    let inner = tagged.documents().next().unwrap().mentions().last().unwrap();
    assert_eq!(inner.tags().last(), Some("el:Olp-Minimal"));
}

/// Any mentions in any text, also outside of it.
fn any_corpus() -> impl Strategy<Value = Corpus> {
    let entity = prop::sample::select(vec!["", "Q1", "Berlin", "New_York_City", "a#b", "_", "("]);
    let tag = prop::sample::select(vec!["el:Mnt-Full", "fel:NoOverlap", "mnt:VerbPoS", "z"]);
    let mention = (0u32..40, 0u32..40, entity, prop::collection::vec(tag, 0..3), any::<bool>());
    let text = prop::option::of("[A-Ca-c'’ .\\-é東I0-9]{0,40}");
    (text, prop::collection::vec(mention, 0..12)).prop_map(|(text, mentions)| {
        let mut builder = CorpusBuilder::new();
        builder.begin_document("d").unwrap();
        if let Some(text) = text {
            builder.set_text(&text);
        }
        for (start, length, entity, tags, predicted) in mentions {
            let link = match entity {
                "" => Link::NIL,
                entity => Link::to(builder.intern(entity)),
            };
            let flags = if predicted { Flags::PREDICTED } else { Flags::GOLD };
            let span = Span::new(start, start + length);
            builder.annotate(span, link).tags(tags).flags(flags);
        }
        builder.finish()
    })
}

proptest! {
    #[test]
    fn overlap_is_containment(corpus in any_corpus()) {
        let document = corpus.documents().next().unwrap();
        let overlaps = MentionOverlaps::of(&document);
        for mention in document.mentions() {
            let others: Vec<Span> = document
                .mentions()
                .filter(|other| other.flags() == mention.flags() && other.span() != mention.span())
                .map(|other| other.span())
                .collect();
            let contains = others.iter().any(|&other| mention.span().contains(other));
            let contained = others.iter().any(|other| other.contains(mention.span()));
            let expected = match (contains, contained) {
                (false, false) => DimensionCategory::NoOverlap,
                (true, false) => DimensionCategory::MaximalOverlap,
                (false, true) => DimensionCategory::MinimalOverlap,
                (true, true) => DimensionCategory::IntermediateOverlap,
            };
            prop_assert_eq!(overlaps.category(&mention), Some(expected));
        }
    }

    #[test]
    fn tags_of_persons_stay_and_tagging_again_changes_nothing(corpus in any_corpus()) {
        let once = Tagger::new().tag(&corpus, &Aspect::ALL).corpus;
        let document = corpus.documents().next().unwrap();
        let tagged = once.documents().next().unwrap();
        for (before, after) in document.mentions().zip(tagged.mentions()) {
            for tag in before.tags() {
                prop_assert!(after.tags().any(|other| other == tag));
            }
            let derived = after.attribute(attribute::DERIVED).unwrap_or_default();
            for tag in after.tags().filter(|tag| !before.tags().any(|other| other == *tag)) {
                prop_assert!(derived.split(", ").any(|item| item == tag), "{} in {}", tag, derived);
            }
        }
        let twice = Tagger::new().tag(&once, &Aspect::ALL).corpus;
        prop_assert_eq!(twice.difference(&once), None);
    }

    #[test]
    fn every_annotation_is_compared_or_not(corpus in any_corpus()) {
        for agreement in Accuracy::of(&corpus, &Tagger::new(), &Aspect::ALL).dimensions {
            let all = agreement.compared() + agreement.not_compared();
            prop_assert_eq!(all, corpus.annotations().len());
            prop_assert!(agreement.agreed() <= agreement.derived());
            prop_assert!(agreement.derived() <= agreement.compared());
        }
    }
}
