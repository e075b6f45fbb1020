//! Texts with everything that makes drawing hard.

use super::*;
use crate::components::apparatus::apparatus;
use karat::documents::{
    CaseOutcome, CasePrediction, DocumentAnswer, GoldMention, RunAnswer, RunLayer, TextCase,
};
use karat::errors::MentionAnswer;
use std::io::Write;

fn entity(id: &str) -> MentionAnswer {
    MentionAnswer { entity: Some(id.to_owned()), ..MentionAnswer::default() }
}

fn right(start: u32, end: u32) -> RunAnswer {
    let prediction = CasePrediction { start, end, answer: entity("Q1"), ..Default::default() };
    let outcome = Some(CaseOutcome::Right);
    RunAnswer { outcome, prediction: Some(prediction), ..RunAnswer::default() }
}

/// A document with gold on these spans, which so many runs find.
fn document(text: &str, spans: &[(u32, u32)], runs: usize) -> DocumentAnswer {
    let case = |(number, (start, end)): (usize, &(u32, u32))| TextCase {
        number,
        start: *start,
        end: *end,
        surface: Some("<b>mention".to_owned()),
        gold: Some(GoldMention { answer: entity("Q1"), ..GoldMention::default() }),
        runs: vec![right(*start, *end); runs],
        right: runs,
        of: runs,
        listed: true,
    };
    let layer = |number: usize| RunLayer {
        name: format!("run{number}"),
        has_document: true,
        outcomes: Default::default(),
        measures: Vec::new(),
    };
    DocumentAnswer {
        characters: Some(text.chars().count() as u32),
        text: Some(text.to_owned()),
        runs: (0..runs).map(layer).collect(),
        cases: (1..).zip(spans).map(case).collect(),
        ..DocumentAnswer::default()
    }
}

fn drawn(answer: &DocumentAnswer) -> String {
    drawn_with(answer, Marks::All)
}

fn drawn_with(answer: &DocumentAnswer, marks: Marks) -> String {
    let stretch = 0..answer.characters.unwrap_or_default();
    annotated(answer, &TextView { marks, stretch, ..TextView::default() }).into_string()
}

/// What is left without elements and markers: the text that a reader copies.
fn copied(markup: &str) -> String {
    let start = markup.find("<div class=\"t\"").expect("a text");
    let mut text = String::new();
    let mut rest = &markup[start..];
    while let Some(at) = rest.find('<') {
        text.push_str(&rest[..at]);
        rest = &rest[at..];
        let end = match rest.starts_with("<a class=\"k") {
            true => rest.find("</a>").expect("an end") + 4,
            false => rest.find('>').expect("an end") + 1,
        };
        rest = &rest[end..];
    }
    text.replace("&lt;", "<").replace("&gt;", ">").replace("&quot;", "\"").replace("&amp;", "&")
}

fn elements(markup: &str) -> usize {
    markup.matches('<').count() - markup.matches("</").count()
}

#[test]
fn the_text_stays_the_text() {
    let cases = [
        ("Paris & <script>alert(1)</script>", vec![(0, 5), (8, 16)]),
        ("crossing mentions here", vec![(0, 17), (9, 22), (9, 17)]),
        ("النص العربي مع ذكر", vec![(0, 4), (5, 11), (0, 11)]),
        ("東京タワーは東京都港区にある。", vec![(0, 2), (0, 5), (6, 9)]),
        ("👨\u{200d}👩\u{200d}👧 e\u{301}te\u{301}", vec![(0, 1), (2, 3), (6, 7)]),
        ("two\n\nparagraphs\n", vec![(0, 15)]),
        ("empty and outside", vec![(3, 3), (90, 99), (10, 99)]),
    ];
    for (text, spans) in cases {
        for runs in [0, 1, 3, 12] {
            for marks in Marks::ALL {
                let answer = document(text, &spans, runs);
                assert_eq!(copied(&drawn_with(&answer, marks)), text, "{marks:?}");
            }
        }
    }
}

#[test]
fn crossing_mentions_are_flat_segments() {
    let markup = drawn_with(&document("abcdefgh", &[(0, 5), (3, 8)], 1), Marks::None);
    assert!(
        markup.contains(
            "<span class=\"s g2a d2r\" data-c=\"1\">abc</span>\
             <span class=\"s g1a d1r g2a d2r\" data-c=\"2 1\">de</span>\
             <span class=\"s g1a d1r\" data-c=\"2\">fgh</span>"
        ),
        "{markup}"
    );
    assert!(markup.contains("class=\"b u2 w2\""), "{markup}");
}

#[test]
fn markers_stand_after_words_and_can_be_heard() {
    let mut answer = document("unhappy Paris", &[(2, 5), (8, 13)], 2);
    answer.cases[1].runs[1].outcome = Some(CaseOutcome::WrongLink);
    answer.cases[1].right = 1;
    answer.cases[1].surface = Some("Paris".to_owned());
    let markup = drawn(&answer);
    // The first mention ends inside a word, and its marker stands after it.
    assert!(markup.contains(">hap</span>py<a class=\"k or\" href=\"#c1\" id=\"t1\""), "{markup}");
    assert!(
        markup.contains("aria-label=\"Paris 1/2: wrong link in run1, right in run0\">≠1/2</a>"),
        "{markup}"
    );
    assert!(drawn_with(&answer, Marks::Errors).matches("<a class=\"k").count() == 1);
    assert!(drawn_with(&answer, Marks::Lost).matches("<a class=\"k").count() == 1);
    assert!(drawn_with(&answer, Marks::Types).contains(">–</a>"));
}

#[test]
fn categories_of_a_dimension_are_words_and_colours() {
    let mut answer = document("Paris and it", &[(0, 5), (10, 12)], 1);
    let gold = answer.cases[0].gold.as_mut().expect("gold");
    gold.tags = vec!["el:PoS-NounSingular".to_owned(), "el:Mnt-Short".to_owned()];
    let marks = Marks::Categories(karat::model::Dimension::BaseForm);
    let markup = drawn_with(&answer, marks);
    // The second of the base forms.
    assert!(markup.contains("<span class=\"s g12 d1r\" data-c=\"1\">Paris</span>"), "{markup}");
    assert!(markup.contains("<a class=\"k q2\"") && markup.contains(">Short</a>"), "{markup}");
    assert!(markup.contains("<span class=\"s g1o d1r\" data-c=\"2\">it</span>"), "{markup}");
    let legend = legend(&answer, marks).into_string();
    assert!(legend.contains("q2") && legend.contains("Short"), "{legend}");
}

#[test]
fn hostile_data_is_text() {
    let mut answer = document("\u{0}a\u{202e}b<img src=x onerror=alert(1)>", &[(0, 3)], 1);
    answer.language = Some("en\" onload=\"x".to_owned());
    answer.runs[0].name = "<i>\u{202e}".to_owned();
    let markup = drawn(&answer)
        + apparatus(&answer, &answer.cases.iter().collect::<Vec<_>>(), None).into_string().as_str();
    assert!(
        !markup.contains("<img") && !markup.contains("<i>") && !markup.contains("onload"),
        "{markup}"
    );
    assert!(!markup.contains('\u{0}') && markup.contains("U+202E (1)"), "{markup}");
}

#[test]
fn many_nested_mentions_are_bounded() {
    let text = "x".repeat(200_000);
    let spans: Vec<(u32, u32)> = (0..100_000).map(|at| (at, 200_000 - at)).collect();
    let answer = document(&text, &spans, 3);
    let pages = pages_of(&answer, 0..200_000);
    assert!(pages.len() >= 10, "{}", pages.len());
    assert_eq!((pages[0].start, pages.last().map(|page| page.end)), (0, Some(200_000)));
    let markup = annotated(&answer, &TextView { stretch: pages[0].clone(), ..TextView::default() });
    let markup = markup.into_string();
    assert!(elements(&markup) < 60_000, "{}", elements(&markup));
    // All at one place.
    let answer = document("one word", &vec![(0, 3); 50_000], 1);
    let markup = drawn(&answer);
    assert!(elements(&markup) < 20, "{}", elements(&markup));
    assert!(markup.contains("49997 more mentions end here"), "{markup}");
}

#[test]
fn long_lines_are_pages_of_blocks() {
    let text = "word ".repeat(2_000_000);
    let answer = document(&text, &[(9_999_990, 9_999_994)], 1);
    let pages = pages_of(&answer, 0..10_000_000);
    assert_eq!(pages.len(), 10);
    let view = TextView { stretch: pages[9].clone(), ..TextView::default() };
    let markup = annotated(&answer, &view).into_string();
    assert!(markup.len() < 1_100_000 && markup.contains("id=\"t1\""));
    let blocks = markup.matches("<p class=\"b ").count();
    assert!((600..700).contains(&blocks), "{blocks}");
}

/// The budget: 200 kB of text with 5,000 gold mentions and three systems, most of which find them.
#[test]
fn a_long_document_stays_within_its_budget() {
    let text = "A sentence about some Person and the Place that is near. ".repeat(3509);
    let mut spans = Vec::new();
    for at in 0..2500 {
        spans.push((at * 57 + 22, at * 57 + 28));
        spans.push((at * 57 + 37, at * 57 + 42));
    }
    let mut answer = document(&text, &spans, 3);
    for (at, case) in answer.cases.iter_mut().enumerate() {
        let outcome = [CaseOutcome::Right, CaseOutcome::WrongLink, CaseOutcome::Missing][at % 3];
        case.runs[at % 3].outcome = Some(outcome);
    }
    // Stray predictions of single runs.
    for at in 0..1300u32 {
        let (start, end) = (at * 57 + 2, at * 57 + 10);
        let mut run = right(start, end);
        run.outcome = Some(CaseOutcome::Extra);
        let number = answer.cases.len() + 1;
        let runs = vec![run, RunAnswer::default(), RunAnswer::default()];
        answer.cases.push(TextCase {
            number,
            start,
            end,
            runs,
            listed: true,
            ..Default::default()
        });
    }
    let markup = drawn(&answer);
    assert!(elements(&markup) <= 16_000, "{} elements", elements(&markup));
    let mut zip = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::default());
    zip.write_all(markup.as_bytes()).expect("memory");
    let size = zip.finish().expect("memory").len();
    assert!(size <= 200_000, "{size} bytes");
}

#[test]
fn languages_are_tags() {
    for good in ["en", "zh-Hans", "sr-Latn-RS"] {
        assert!(is_language(good));
    }
    for bad in ["", "en us", "e\"", "a-", "english-as-she-is-spoken-in-many-places"] {
        assert!(!is_language(bad), "{bad}");
    }
}
