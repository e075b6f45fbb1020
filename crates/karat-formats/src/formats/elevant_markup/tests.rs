use super::*;
use crate::{ReadOptions, testing};
use karat_model::{Document, Flags, Mention};

const ARTICLES: &str = "\
**** ARTICLE #1: Ada of Bonn (https://en.wikipedia.org/wiki?curid=4711) *****
Ada of Bonn

<START>[Q7:Ada of Bonn|Ada], [DESC:Q9|a [OPTIONAL:NO_COREF_ALT:Q10:|singer] from [Q586:Bonn|Bonn]], had [QUANTITY|two] [to] sons.
[COREF:Q7|She] met [Unknown2|one [sic] Otto] in [DATETIME|1768].<END> a < b & c | d ]

**** ARTICLE #2: 2018: News of 😀 (None) *****
e\u{301}t 𝔄 [Q1|👩‍🚀]
";

fn read_with(content: &str, options: &ReadOptions) -> Result<Corpus, Problem> {
    testing::read_as(&ElevantMarkup, &[("dir/some.annotations.txt", content)], options)
        .map(|outcome| outcome.corpus)
}

fn read(content: &str) -> Corpus {
    read_with(content, &ReadOptions::default()).unwrap()
}

fn written(corpus: &Corpus) -> String {
    let text = testing::write(&ElevantMarkup, corpus).unwrap().remove(0);
    assert_eq!(read(&text).difference(corpus), None, "{text}");
    text
}

fn mentions<'c>(document: &Document<'c>) -> Vec<Mention<'c>> {
    document.mentions().collect()
}

#[test]
fn articles_are_named_and_titled() {
    let corpus = read(ARTICLES);
    let facts: Vec<_> = corpus
        .documents()
        .map(|d| (d.name(), d.attribute(attribute::TITLE), d.attribute(attribute::URL)))
        .collect();
    let url = "https://en.wikipedia.org/wiki?curid=4711";
    let news = "2018: News of 😀";
    assert_eq!(facts, [("4711", Some("Ada of Bonn"), Some(url)), (news, Some(news), None)]);
    assert_eq!(read("plain [Q1|text]\n").documents().next().unwrap().name(), "some.annotations");
}

#[test]
fn the_text_is_what_remains_without_markup() {
    let corpus = read(ARTICLES);
    let document = corpus.document("4711").unwrap();
    let text = "Ada of Bonn\n\nAda, a singer from Bonn, had two [to] sons.\n\
                She met one [sic] Otto in 1768. a < b & c | d ]\n";
    assert_eq!(document.text(), Some(text));
    assert_eq!(document.evaluation_span(), Some(Span::new(13, 88)));
    let surfaces: Vec<_> = document.mentions().filter_map(|m| m.surface()).collect();
    let expected =
        ["Ada", "a singer from Bonn", "singer", "Bonn", "two", "She", "one [sic] Otto", "1768"];
    assert_eq!(surfaces, expected);
}

#[test]
fn offsets_count_code_points() {
    let corpus = read(ARTICLES);
    let mention = mentions(&corpus.documents().nth(1).unwrap())[0];
    assert_eq!((mention.span(), mention.surface()), (Span::new(6, 9), Some("👩‍🚀")));
}

#[test]
fn tags_entities_and_nesting() {
    let corpus = read(ARTICLES);
    let mentions = mentions(&corpus.document("4711").unwrap());
    let flags: Vec<_> = mentions.iter().map(Mention::flags).collect();
    let none = Flags::empty();
    let expected =
        [none, Flags::DESCRIPTIVE, Flags::OPTIONAL, none, none, Flags::COREFERENCE, none, none];
    assert_eq!(flags, expected);
    assert_eq!(mentions[0].attribute(attribute::NAME), Some("Ada of Bonn"));
    assert_eq!(mentions[2].attribute(NO_COREF_ALT), Some("true"));
    let places: Vec<_> = mentions.iter().map(Mention::place).collect();
    let part = Some(Place { parent: 1, reading: 1 });
    assert_eq!(places, [None, None, part, part, None, None, None, None]);
    assert_eq!(mentions[6].nil_cluster(), Some("2"));
    for (index, literal) in [(4, "QUANTITY"), (7, "DATETIME")] {
        assert!(mentions[index].link().is_none());
        assert_eq!(mentions[index].types().collect::<Vec<_>>(), [literal]);
    }
}

#[test]
fn what_was_read_is_written_as_it_was() {
    let plain = ARTICLES.replace("[to]", "(to)").replace("[sic]", "(sic)").replace("Q10:|", "Q10|");
    assert_eq!(written(&read(&plain)), plain);
    written(&read(ARTICLES));
}

#[test]
fn what_brackets_cannot_say_stands_behind_the_name() {
    let mut builder = CorpusBuilder::new();
    builder.begin_document("a: b#").unwrap();
    builder.set_text("**** ARTICLE <START> [x|y] &#91; z");
    builder.set_evaluation_span(Span::new(2, 4));
    let iri = Link::to(builder.intern("http://a.b/c"));
    builder.annotate(Span::new(21, 26), iri).types(["A,B", "C"]).attribute(attribute::NAME, "n|m");
    builder.annotate(Span::new(0, 23), Link::NIL).flags(Flags::NOT_COREFERENCE);
    builder.annotate(Span::new(24, 24), Link::NONE).part_of(0, 1);
    let markup = written(&builder.finish());
    assert_eq!(
        markup,
        "**** ARTICLE a%3A b%23:  (None) *****\n\
         &#42;*<START>**<END> ARTICLE &#60;START> [http&#58;//a.b/c:n&#124;m&types=A&#44;B,C|\
         [Unknown:&coref=no&span=0-23|][<NONE>:&span=24-24&part=0|]&#91;x&#124;y&#93;] &#38;#91; z\n"
    );
}

#[test]
fn bad_annotations_are_located() {
    let header = "**** ARTICLE #1: T (None) *****\n";
    let cases = [
        ("a [Q1|b", (2, 4), Kind::Malformed, "this annotation is never closed"),
        ("a [Q1:&span=x|]", (2, 4), Kind::Malformed, "`x` is no span such as 0-6"),
        ("a [Q1:&span=0-1&part=x|]", (2, 4), Kind::Malformed, "`x` is no number"),
        (
            "a [Q1:&span=0-1&part=0|]",
            (2, 4),
            Kind::Malformed,
            "by its `&part=` this annotation is a part of itself",
        ),
        (
            "a [Q1:&span=0-9|]",
            (2, 4),
            Kind::Offset,
            "offset 0..9 lies outside the text, which has 2 code points",
        ),
        (
            "a\n**** ARTICLE #2: T (None) *****\n",
            (3, 1),
            Kind::DuplicateDocument,
            "document `T` occurs twice",
        ),
    ];
    for (body, (line, column), kind, message) in cases {
        let content = format!("{header}{body}");
        let problem = read_with(&content, &ReadOptions::default()).unwrap_err();
        let place = problem.place.unwrap();
        assert_eq!((problem.message.as_str(), problem.kind), (message, kind));
        assert_eq!((place.line, place.column), (line, column), "{message}");
        assert!(problem.hint.is_some());
        let lenient = testing::lenient();
        assert_eq!(read_with(&content, &lenient).unwrap().annotations().len(), 0, "{message}");
    }
}

#[test]
fn words_of_the_markup_are_no_entities() {
    for entity in ["QUANTITY", "<NONE>", "COREF", "Unknown1", "<NIL>"] {
        let corpus = testing::linked("d", "x", entity);
        assert!(testing::write(&ElevantMarkup, &corpus).is_err(), "{entity}");
    }
}

#[test]
fn a_deep_nest_is_no_danger() {
    let depth = 20_000;
    let corpus = read(&format!("{}x{}", "[Q1|".repeat(depth), "]".repeat(depth)));
    assert_eq!(corpus.annotations().len(), depth);
    assert!(corpus.annotations().iter().all(|annotation| annotation.span == Span::new(0, 1)));
}
