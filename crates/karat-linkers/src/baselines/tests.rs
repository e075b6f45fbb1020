//! What baselines answer on texts made by hand.

use crate::{
    AnsweredLink, FailureKind, LinkAnswer, LinkTask, Linker, LinkerContext, LinkingTask, built_in,
};
use karat_kb::{Builder, FactCoverage, Facts, KnowledgeBase, Popular};
use karat_model::{Corpus, CorpusBuilder, Flags, Link, Span, Watch};
use std::sync::Arc;

use super::{BASELINES, CandidateCeiling, CandidateSearch, ContextTuning};

/// Texts, the ids they may mean and how often they do.
const MENTIONS: &[(&str, &str, u64)] = &[
    ("Berlin", "Q64", 90),
    ("Berlin", "Q128323", 10),
    ("Irving Berlin", "Q128323", 5),
    ("Paris", "Q90", 70),
    ("Paris", "Q47899", 20),
    ("Paris", "Q167646", 10),
    ("Paris Hilton", "Q47899", 3),
    ("Springfield", "Q9", 4),
    ("Springfield", "Q10", 4),
    ("March", "Q110", 100),
    ("The", "Q1", 1),
    ("The Hague", "Q36600", 8),
    ("U.S.", "Q30", 8),
    ("東京", "Q1490", 9),
    ("New York", "Q60", 9),
    ("New York Times", "Q9684", 9),
    ("rice", "Q5090", 9),
    ("French", "Q150", 5),
    ("French", "Q121842", 6),
];

/// Entities: id, name, description, popularity, type.
const ENTITIES: &[(&str, &str, &str, u64, &str)] = &[
    ("Q64", "Berlin", "capital and largest city of Germany", 280, "Q515"),
    ("Q128323", "Irving Berlin", "American composer of songs for musicals", 60, "Q5"),
    ("Q90", "Paris", "capital and largest city of France", 300, "Q515"),
    ("Q47899", "Paris Hilton", "American heiress and singer", 90, "Q5"),
    ("Q167646", "Paris", "prince of Troy in Greek myths", 60, "Q5"),
    ("Q9", "Springfield", "town in Ohio", 14, "Q515"),
    ("Q10", "Springfield", "town in Oregon", 13, "Q515"),
    ("Q150", "French", "language of France", 200, "Q34770"),
    ("Q121842", "French people", "people of France", 100, "Q41710"),
    ("Q515", "city", "large settlement", 100, ""),
    ("Q5", "human", "person", 100, ""),
];

fn base() -> Arc<KnowledgeBase> {
    let mut builder = Builder::in_memory();
    for (text, id, count) in MENTIONS {
        builder.mention(text, id, Some(*count)).unwrap();
    }
    for (id, name, description, popularity, kind) in ENTITIES {
        let facts = Facts {
            name: Some(name),
            description: Some(description),
            popularity: Some(*popularity),
            types: (!kind.is_empty()).then(|| vec![*kind]),
            parents: if *id == "Q5" { vec!["Q215627"] } else { Vec::new() },
            ..Facts::default()
        };
        builder.entity(id, &facts).unwrap();
    }
    builder.demonym("French", true).unwrap();
    builder.covers(FactCoverage::Mentions);
    builder.covers(FactCoverage::Counts);
    Arc::new(builder.finish().unwrap())
}

fn context(settings: &[(&str, &str)]) -> LinkerContext {
    let settings = settings.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned()));
    LinkerContext { base: Some(base()), settings: settings.collect(), ..LinkerContext::default() }
}

fn linker(name: &str, context: &LinkerContext) -> Box<dyn Linker> {
    built_in(name, context).unwrap().unwrap()
}

fn answer(linker: &dyn Linker, task: LinkTask<'_>) -> LinkAnswer {
    linker.link(&[task]).remove(0).unwrap()
}

/// Mentions as `surface@start=link`.
fn shown(answer: &LinkAnswer) -> Vec<String> {
    let mentions = answer.mentions.iter();
    let shown = mentions.map(|mention| {
        let link = match &mention.link {
            AnsweredLink::To(id) => id.as_str(),
            AnsweredLink::Nil => "NIL",
            AnsweredLink::NoAnswer => "-",
        };
        format!("{}@{}={link}", mention.surface.as_deref().unwrap_or("?"), mention.at.unwrap().0)
    });
    shown.collect()
}

fn found(name: &str, settings: &[(&str, &str)], text: &str) -> Vec<String> {
    shown(&answer(&*linker(name, &context(settings)), LinkTask::of_text("d1", text)))
}

/// What is said of these mentions, each the next place where its text stands.
fn given(name: &str, settings: &[(&str, &str)], text: &str, mentions: &[&str]) -> Vec<String> {
    let spans = spans(text, mentions);
    let task = LinkTask { mentions: Some(&spans), ..LinkTask::of_text("d1", text) };
    shown(&answer(&*linker(name, &context(settings)), task))
}

fn spans(text: &str, mentions: &[&str]) -> Vec<Span> {
    let mut from = 0;
    let mut spans = Vec::new();
    for mention in mentions {
        let byte = from + text[from..].find(mention).unwrap();
        let start = text[..byte].chars().count() as u32;
        spans.push(Span::new(start, start + mention.chars().count() as u32));
        from = byte + mention.len();
    }
    spans
}

#[test]
fn the_longest_texts_of_the_base_are_found() {
    let text = "😀 The New York Times of March 3 says: The Hague, Berlin's mayor and the U.S. like rice in 東京.";
    let expected = [
        "New York Times@6=Q9684",
        "The Hague@38=Q36600",
        "Berlin@49=Q64",
        "U.S.@72=Q30",
        "東京@90=Q1490",
    ];
    assert_eq!(found("dictionary", &[], text), expected);
    assert_eq!(found("prior", &[], text), expected, "prior finds the same where nothing is given");
    assert_eq!(found("dictionary", &[("max-words", "2")], "New York Times"), ["New York@0=Q60"]);
    assert!(found("dictionary", &[], "").is_empty());
    assert!(found("dictionary", &[], "\u{0}!!!!!! (((( ''''s").is_empty());
}

#[test]
fn the_likeliest_is_chosen_and_of_equal_ones_the_smallest_id_as_text() {
    let text = "Berlin, Springfield, Zog";
    let said = given("prior", &[], text, &["Berlin", "Springfield", "Zog"]);
    assert_eq!(said, ["Berlin@0=Q64", "Springfield@8=Q10", "Zog@21=NIL"], "10 before 9 as text");
    let spans = [Span::new(0, 6), Span::new(3, 99)];
    let task = LinkTask { mentions: Some(&spans), ..LinkTask::of_text("d1", text) };
    let answer = answer(&*linker("prior", &context(&[("listed", "1")])), task);
    assert_eq!(answer.mentions[0].confidence, Some(0.9));
    assert_eq!(answer.mentions[0].candidates.len(), 1);
    assert_eq!(answer.mentions[1].link, AnsweredLink::Nil, "a span outside the text has no text");
}

#[test]
fn what_the_base_cannot_say_is_no_answer() {
    let mut builder = Builder::in_memory();
    let unnamed = Popular { unnamed: true, ..Popular::default() };
    builder.popular("Zog", &unnamed).unwrap();
    let popular = Popular { ids: vec!["Q9", "Q10"], ..Popular::default() };
    builder.popular("Springfield", &popular).unwrap();
    let base = Some(Arc::new(builder.finish().unwrap()));
    let context = LinkerContext { base, ..LinkerContext::default() };
    let text = "Zog Springfield Bonn";
    let spans = spans(text, &["Zog", "Springfield", "Bonn"]);
    let task = LinkTask { mentions: Some(&spans), ..LinkTask::of_text("d1", text) };
    let said = shown(&answer(&*linker("prior", &context), task));
    assert_eq!(said, ["Zog@0=-", "Springfield@4=Q10", "Bonn@16=-"]);
}

#[test]
fn candidates_that_are_given_are_the_only_ones() {
    let spans = [Span::new(0, 5), Span::new(0, 5)];
    let candidates = [vec!["Q47899".to_owned(), "Q167646".to_owned()], vec!["Q1".to_owned()]];
    let task = LinkTask {
        mentions: Some(&spans),
        candidates: Some(&candidates),
        ..LinkTask::of_text("d1", "Paris")
    };
    for (name, first) in
        [("prior", "Q47899"), ("popular", "Q47899"), ("names", "Q47899"), ("context", "Q47899")]
    {
        let said = shown(&answer(&*linker(name, &context(&[])), task.clone()));
        assert_eq!(said, [format!("Paris@0={first}"), "Paris@0=NIL".to_owned()], "{name}");
    }
    let said = shown(&answer(&*linker("random", &context(&[])), task));
    assert!(said[0] != "Paris@0=Q90" && said[1] == "Paris@0=NIL", "{said:?}");
}

#[test]
fn the_best_known_is_chosen() {
    let mentions = ["Springfield", "Paris", "French"];
    let text = "Springfield, Paris, French";
    assert_eq!(
        given("popular", &[], text, &mentions),
        ["Springfield@0=NIL", "Paris@13=Q90", "French@20=Q150"]
    );
    let said = given("popular", &[("min", "14"), ("languages", "no")], text, &mentions);
    assert_eq!(said, ["Springfield@0=Q9", "Paris@13=Q90", "French@20=Q121842"]);
    let said = given("popular", &[("demonyms", "no")], text, &mentions);
    assert_eq!(said[2], "French@20=NIL");
    assert_eq!(
        found("popular", &[], text),
        ["Paris@13=Q90", "French@20=Q150"],
        "found, and unknown"
    );
}

#[test]
fn short_names_of_persons_are_their_long_ones() {
    let text =
        "Paris was there, and Paris Hilton too. Hilton sang. Berlin is not in New York Times.";
    let mentions = ["Paris", "Paris Hilton", "Hilton", "Berlin"];
    let said = given("names", &[], text, &mentions);
    assert_eq!(
        said,
        ["Paris@0=Q47899", "Paris Hilton@21=Q47899", "Hilton@39=Q47899", "Berlin@52=Q64"]
    );
    let said = given("names", &[("person-types", "Q99")], text, &mentions);
    assert_eq!(said, ["Paris@0=Q90", "Paris Hilton@21=Q47899", "Hilton@39=NIL", "Berlin@52=Q64"]);
    // The first long name counts, wherever it stands in the list.
    let text = "Irving Berlin met Paris Hilton in Berlin";
    let spans = [Span::new(34, 40), Span::new(18, 30), Span::new(0, 13)];
    let task = LinkTask { mentions: Some(&spans), ..LinkTask::of_text("d1", text) };
    assert_eq!(shown(&answer(&*linker("names", &context(&[])), task))[0], "Berlin@34=Q128323");
}

#[test]
fn nil_and_nothing() {
    let text = "Paris and Zog";
    assert_eq!(given("nil", &[], text, &["Paris", "Zog"]), ["Paris@0=NIL", "Zog@10=NIL"]);
    assert_eq!(found("nil", &[], text), ["Paris@0=NIL"]);
    assert!(given("none", &[], text, &[]).is_empty() && found("none", &[], text).is_empty());
    // Without a base it can only take what is given.
    let bare = linker("nil", &LinkerContext::default());
    assert_eq!(bare.info().tasks, [LinkingTask::Disambiguate]);
    let failure = bare.link(&[LinkTask::of_text("d1", text)]).remove(0).unwrap_err();
    assert_eq!(failure.kind, FailureKind::Refused(400));
    assert!(!failure.is_retryable() && !failure.is_of_service());
}

#[test]
fn chance_depends_on_seed_document_and_place_and_is_fair() {
    let random = linker("random", &context(&[]));
    let said = |seed, document: &str, text: &str| {
        shown(&answer(&*random, LinkTask { seed, ..LinkTask::of_text(document, text) }))
    };
    assert_eq!(said(1, "d1", "Paris"), said(1, "d1", "Paris"));
    // The same place of a document, whether it is asked whole or in parts.
    let whole = said(1, "d1", "Rome and Paris")[0].rsplit('=').next().unwrap().to_owned();
    let part = LinkTask { part: Span::new(9, 14), seed: 1, ..LinkTask::of_text("d1", "Paris") };
    assert!(shown(&answer(&*random, part))[0].ends_with(&whole));
    let mut counts = std::collections::BTreeMap::new();
    for seed in 0..3000 {
        *counts.entry(said(seed, "d1", "Paris").remove(0)).or_insert(0) += 1;
    }
    // Each of three is expected 1000 times, with a standard deviation of 26.
    assert!(
        counts.len() == 3 && counts.values().all(|count| (870..1130).contains(count)),
        "{counts:?}"
    );
}

#[test]
fn what_is_around_a_mention_decides_between_its_candidates() {
    let cities = "Paris is the largest city of France";
    let myth = "In the Greek myths the prince Paris leaves Troy";
    assert_eq!(found("context", &[], cities), ["Paris@0=Q90"]);
    assert_eq!(given("context", &[], myth, &["Paris"]), ["Paris@30=Q167646"]);
    let deaf = [("words-weight", "0"), ("agreement-weight", "0")];
    assert_eq!(given("context", &deaf, myth, &["Paris"]), ["Paris@30=Q90"], "that is prior");
    // What was chosen before is chosen again.
    let text = "Irving Berlin wrote songs. Berlin played";
    let alone = given(
        "context",
        &[("words-weight", "0"), ("agreement-weight", "5")],
        text,
        &["Irving Berlin", "Berlin"],
    );
    assert_eq!(alone, ["Irving Berlin@0=Q128323", "Berlin@27=Q128323"]);
    // A window of no words sees nothing.
    let blind = [("window", "0"), ("agreement-weight", "0")];
    assert_eq!(given("context", &blind, myth, &["Paris"]), ["Paris@30=Q90"]);
}

struct Searches;

impl CandidateSearch for Searches {
    fn search(&self, text: &str, most: usize) -> Vec<String> {
        let ids = if text == "Parigi" {
            vec!["Q90".to_owned(), "Q167646".to_owned()]
        } else {
            Vec::new()
        };
        ids.into_iter().take(most).collect()
    }

    fn signature(&self) -> String {
        "names@1".to_owned()
    }
}

#[test]
fn texts_that_the_base_does_not_have_may_be_looked_for() {
    let text = "Parigi, prince of Troy in myths";
    let spans = [Span::new(0, 6)];
    let task = LinkTask { mentions: Some(&spans), ..LinkTask::of_text("d1", text) };
    let mut context = context(&[]);
    assert_eq!(shown(&answer(&*linker("context", &context), task.clone())), ["Parigi@0=NIL"]);
    context.search = Some(Arc::new(Searches));
    let searching = linker("context", &context);
    assert_eq!(shown(&answer(&*searching, task)), ["Parigi@0=Q167646"]);
    assert!(searching.info().settings.contains(&("search".to_owned(), "names@1".to_owned())));
}

/// Gold with an optional mention whose parts count, and one that is a part of what counts.
fn gold() -> Corpus {
    let mut gold = CorpusBuilder::new();
    gold.begin_document("d1").unwrap();
    gold.set_text("In the Greek myths Paris leaves Troy in March 3, says Zog.");
    let link = |builder: &mut CorpusBuilder, id| Link::to(builder.intern(id));
    let paris = link(&mut gold, "Q167646");
    gold.annotate(Span::new(19, 24), paris);
    let whole = link(&mut gold, "Q7");
    gold.annotate(Span::new(3, 18), whole).flags(Flags::OPTIONAL);
    let greek = link(&mut gold, "Q8");
    gold.annotate(Span::new(7, 12), greek).part_of(1, 1);
    let inner = link(&mut gold, "Q9");
    gold.annotate(Span::new(7, 9), inner).part_of(2, 1);
    let date = link(&mut gold, "Q110");
    gold.annotate(Span::new(40, 47), date).types(["DATETIME"]);
    gold.annotate(Span::new(54, 57), Link::NIL);
    gold.annotate(Span::new(32, 36), Link::NONE);
    let predicted = link(&mut gold, "Q90");
    gold.annotate(Span::new(19, 24), predicted).flags(Flags::PREDICTED);
    gold.finish()
}

#[test]
fn the_oracle_says_what_has_to_be_found() {
    let context = LinkerContext { gold: Some(Arc::new(gold())), ..LinkerContext::default() };
    let oracle = linker("oracle", &context);
    let text = "In the Greek myths Paris leaves Troy in March 3, says Zog.";
    let at = |answer: LinkAnswer| -> Vec<(u64, AnsweredLink)> {
        answer.mentions.into_iter().map(|mention| (mention.at.unwrap().0, mention.link)).collect()
    };
    let to = |id: &str| AnsweredLink::To(id.to_owned());
    let all = at(answer(&*oracle, LinkTask::of_text("d1", text)));
    let nil = (54, AnsweredLink::Nil);
    assert_eq!(
        all,
        [(19, to("Q167646")), (7, to("Q8")), nil.clone(), (32, AnsweredLink::NoAnswer)]
    );
    // Parts are answered in their own offsets.
    let part = LinkTask { part: Span::new(19, 58), ..LinkTask::of_text("d1", &text[19..]) };
    let expected = [(0, to("Q167646")), (35, nil.1), (13, AnsweredLink::NoAnswer)];
    assert_eq!(at(answer(&*oracle, part)), expected);
    let spans = [Span::new(3, 18), Span::new(19, 24), Span::new(0, 2)];
    let asked = LinkTask { mentions: Some(&spans), ..LinkTask::of_text("d1", text) };
    let expected = [(3, to("Q7")), (19, to("Q167646")), (0, AnsweredLink::NoAnswer)];
    assert_eq!(at(answer(&*oracle, asked)), expected);
    let other = oracle.link(&[LinkTask::of_text("d2", text)]).remove(0).unwrap_err();
    assert_eq!(other.message, "gold has no document `d2`");
    let error = built_in("oracle", &LinkerContext::default()).unwrap().err().unwrap();
    assert_eq!(error.message, "`oracle` answers with gold, and there is none");
}

#[test]
fn weights_are_tuned_on_gold_and_say_so() {
    let mut context = context(&[("window", "20")]);
    let documents = gold();
    let tuning = ContextTuning::on(&documents, &context, &Watch::default()).unwrap();
    assert_eq!((tuning.links, tuning.tried.len()), (2, 49));
    // One entity is in the base, and its words lead to it at a small weight already.
    assert_eq!((tuning.best.right, tuning.best.words, tuning.best.agreement), (1, 1.0, 0.0));
    assert_eq!(tuning.tried[0].right, 0, "prior is wrong");
    tuning.apply(&mut context);
    let tuned = linker("context", &context);
    let told = &tuned.info().settings;
    assert!(told.contains(&("tuned-on".to_owned(), documents.digest().short())), "{told:?}");
    assert!(told.contains(&("words-weight".to_owned(), "1".to_owned())));
    let empty = ContextTuning::on(&Corpus::default(), &context, &Watch::default()).unwrap_err();
    assert_eq!(empty.message, "there is no link to choose weights on");
    let watch = Watch::default();
    let cancel = karat_model::Cancel::default();
    cancel.cancel();
    let cancelled = Watch::new(None, cancel);
    assert!(ContextTuning::on(&documents, &context, &cancelled).is_err() && !watch.is_cancelled());
}

#[test]
fn the_ceiling_counts_links_among_candidates() {
    let ceiling = CandidateCeiling::of(&base(), &gold());
    assert_eq!((ceiling.links, ceiling.with_candidates, ceiling.reachable), (2, 1, 1));
    assert_eq!(ceiling.share(), Some(0.5));
    assert_eq!(CandidateCeiling::of(&base(), &Corpus::default()).share(), None);
}

#[test]
fn all_baselines_say_what_they_are_and_what_they_depend_on() {
    for built_in in BASELINES {
        assert!(!built_in.title.is_empty() && built_in.about.ends_with('.'), "{}", built_in.name);
        let context = LinkerContext { gold: Some(Arc::new(gold())), ..context(&[]) };
        let linker = (built_in.make)(&context).unwrap();
        assert_eq!(linker.info().name, built_in.name);
        let told: Vec<&str> =
            linker.info().settings.iter().map(|(name, _)| name.as_str()).collect();
        for (name, about, default) in built_in.settings {
            assert!(told.contains(name) && !about.is_empty() && !default.is_empty(), "{name}");
        }
        assert_eq!(told.contains(&"kb"), built_in.name != "oracle" && built_in.name != "none");
        if built_in.needs_base {
            assert!((built_in.make)(&LinkerContext::default()).is_err());
        }
    }
}

mod properties {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn any_text_and_any_spans_are_answered(
            text in "(Paris|Berlin|Hilton|[A-Za-z .'’!)]|\u{6771}\u{4eac}|😀|\\PC){0,40}",
            given in proptest::collection::vec((0u32..60, 0u32..60), 0..8),
        ) {
            let context = LinkerContext { gold: Some(Arc::new(gold())), ..context(&[]) };
            let spans: Vec<Span> = given.iter().map(|(start, end)| Span::new(*start, *end)).collect();
            let length = text.chars().count() as u64;
            for built_in in BASELINES {
                let linker = (built_in.make)(&context).unwrap();
                let task = LinkTask::of_text("d1", &text);
                let asked = LinkTask { mentions: Some(&spans), ..task.clone() };
                let results = linker.link(&[task, asked]);
                prop_assert_eq!(results.len(), 2);
                if let Ok(answer) = &results[0] {
                    let mut last = 0;
                    for mention in answer.mentions.iter().filter(|_| built_in.name != "oracle") {
                        let (start, end) = mention.at.unwrap();
                        prop_assert!(last <= start && start < end && end <= length);
                        let surface: String = text.chars().skip(start as usize).take((end - start) as usize).collect();
                        prop_assert_eq!(mention.surface.as_deref(), Some(surface.as_str()));
                        last = end;
                    }
                }
                let count = if built_in.name == "none" { 0 } else { spans.len() };
                prop_assert_eq!(results[1].as_ref().unwrap().mentions.len(), count);
            }
        }
    }
}
