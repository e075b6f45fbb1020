use super::*;
use crate::FORMATS;
use arrow_array::builder::{ListBuilder, StringBuilder, StringDictionaryBuilder};
use arrow_array::types::{Int8Type, UInt16Type};
use arrow_array::{
    ArrayRef, BooleanArray, Float32Array, Float64Array, Int8Array, Int64Array, LargeStringArray,
    RecordBatch, StringArray, StringViewArray, TimestampSecondArray, UInt16Array, UInt64Array,
};
use karat_formats::{ReadOptions, Registry};
use karat_model::{Document, Flags, Link, Span};

fn file(columns: Vec<(&str, ArrayRef)>) -> Vec<u8> {
    let batch = RecordBatch::try_from_iter_with_nullable(
        columns.into_iter().map(|(name, array)| (name, array, true)),
    );
    let batch = batch.unwrap();
    let mut bytes = Vec::new();
    let mut writer = ArrowWriter::try_new(&mut bytes, batch.schema(), None).unwrap();
    writer.write(&batch).unwrap();
    writer.close().unwrap();
    bytes
}

fn read_with(bytes: Vec<u8>, options: &ReadOptions) -> Result<Corpus, Problem> {
    let registry = Registry::new(FORMATS);
    let source = Source::memory("t.parquet", bytes);
    registry.read(&Input::from(source), None, options).map(|outcome| outcome.corpus)
}

fn read(columns: Vec<(&str, ArrayRef)>) -> Result<Corpus, Problem> {
    read_with(file(columns), &ReadOptions::default())
}

fn names() -> (&'static str, ArrayRef) {
    ("doc", Arc::new(StringArray::from(vec!["a", "a", "b"])))
}

fn starts() -> (&'static str, ArrayRef) {
    ("start", Arc::new(Int64Array::from(vec![0, 1, 2])))
}

fn ends() -> (&'static str, ArrayRef) {
    ("end", Arc::new(Int64Array::from(vec![3, 4, 5])))
}

#[test]
fn columns_may_have_many_types() {
    let mut dictionary = StringDictionaryBuilder::<Int8Type>::new();
    dictionary.extend([Some("a"), Some("a"), Some("b")]);
    let strings: [ArrayRef; 4] = [
        Arc::new(StringArray::from(vec!["a", "a", "b"])),
        Arc::new(LargeStringArray::from(vec!["a", "a", "b"])),
        Arc::new(StringViewArray::from(vec!["a", "a", "b"])),
        Arc::new(dictionary.finish()),
    ];
    let numbers: [ArrayRef; 4] = [
        Arc::new(Int8Array::from(vec![3, 4, 5])),
        Arc::new(UInt16Array::from(vec![3, 4, 5])),
        Arc::new(UInt64Array::from(vec![3, 4, 5])),
        Arc::new(Float64Array::from(vec![3.0, 4.0, 5.0])),
    ];
    let mut links = StringDictionaryBuilder::<UInt16Type>::new();
    links.extend([Some("Q1"), None, Some("NIL7")]);
    let links: ArrayRef = Arc::new(links.finish());
    let mut types = ListBuilder::new(StringBuilder::new());
    types.append_value([Some("LOC"), Some("CITY")]);
    types.append_null();
    types.append_value(Vec::<Option<&str>>::new());
    let types: ArrayRef = Arc::new(types.finish());
    for (names, ends) in strings.into_iter().zip(numbers) {
        let corpus = read(vec![
            ("document", names),
            starts(),
            ("stop", ends),
            ("qid", Arc::clone(&links)),
            ("types", Arc::clone(&types)),
            ("confidence", Arc::new(Float32Array::from(vec![Some(0.5), None, Some(1.0)]))),
            ("optional", Arc::new(BooleanArray::from(vec![Some(true), Some(false), None]))),
            ("unused", Arc::new(TimestampSecondArray::from(vec![1, 2, 3]))),
        ])
        .unwrap();
        let documents: Vec<_> = corpus.documents().collect();
        let mentions: Vec<_> = documents.iter().flat_map(Document::mentions).collect();
        assert_eq!(documents.iter().map(Document::name).collect::<Vec<_>>(), ["a", "b"]);
        assert_eq!(mentions[1].span(), Span::new(1, 4));
        assert_eq!(mentions[0].entity(), Some("Q1"));
        assert_eq!((mentions[1].link(), mentions[2].nil_cluster()), (Link::NONE, Some("7")));
        assert_eq!(mentions[0].types().collect::<Vec<_>>(), ["LOC", "CITY"]);
        assert_eq!((mentions[0].confidence(), mentions[1].confidence()), (Some(0.5), None));
        assert_eq!((mentions[0].flags(), mentions[1].flags()), (Flags::OPTIONAL, Flags::empty()));
    }
}

#[test]
fn problems_name_row_and_column() {
    let cases: [(Vec<(&str, ArrayRef)>, &str); 6] = [
        (
            vec![names(), ("begin", Arc::new(Int64Array::from(vec![0, -1, 2]))), ends()],
            "row 2, column `begin`: expected a whole number from 0 up, found `-1`",
        ),
        (
            vec![names(), starts(), ("end", Arc::new(Int64Array::from(vec![3, 4, 1])))],
            "row 3, column `end`: the mention ends at 1, before it starts at 2",
        ),
        (
            vec![
                names(),
                starts(),
                ends(),
                ("text", Arc::new(StringArray::from(vec![Some("abcd"), None, Some("xy")]))),
            ],
            "row 3, column `start`: offset 2..5 lies outside the text, which has 2 code points",
        ),
        (
            vec![names(), ("start", Arc::new(TimestampSecondArray::from(vec![1, 2, 3]))), ends()],
            "column `start`: expected whole numbers, found the type Timestamp(s)",
        ),
        (
            vec![
                ("doc", Arc::new(StringArray::from(vec![Some("a"), None, None]))),
                starts(),
                ends(),
            ],
            "row 2, column `doc`: expected the name of a document, found nothing",
        ),
        (
            vec![names(), ("von", starts().1), ends()],
            "no column for `start`; the columns are `doc`, `von`, `end`",
        ),
    ];
    for (columns, message) in cases {
        let problem = read(columns).unwrap_err();
        assert_eq!(problem.message, message);
        assert!(problem.hint.is_some() && problem.place.is_none());
    }
}

#[test]
fn a_lenient_reading_goes_on() {
    let columns =
        vec![names(), ("start", Arc::new(Int64Array::from(vec![0, -1, 2])) as ArrayRef), ends()];
    let options = ReadOptions { lenient: true, ..ReadOptions::default() };
    assert_eq!(read_with(file(columns), &options).unwrap().annotations().len(), 2);
}

#[test]
fn the_user_names_columns() {
    let columns = vec![("title", names().1), ("von", starts().1), ("bis", ends().1)];
    let named = [("doc", "title"), ("start", "von"), ("end", "bis")];
    let named = named.map(|(field, column)| (field.to_owned(), column.to_owned())).into();
    let options = ReadOptions { columns: named, ..ReadOptions::default() };
    assert_eq!(read_with(file(columns), &options).unwrap().annotations().len(), 3);
}

#[test]
fn a_file_is_read_from_its_path_and_compressed() {
    let folder = tempfile::tempdir().unwrap();
    let registry = Registry::new(FORMATS);
    let corpus = read(vec![names(), starts(), ends()]).unwrap();
    for name in ["t.parquet", "t.parquet.gz"] {
        let path = folder.path().join(name);
        let path = path.to_str().unwrap();
        registry.write_to(&corpus, &Parquet, path).unwrap();
        let input = Input::open(path).unwrap();
        let again = registry.read(&input, None, &ReadOptions::default()).unwrap();
        assert_eq!(corpus.difference(&again.corpus), None);
    }
}

#[test]
fn damaged_files_are_problems() {
    let mut types = StringDictionaryBuilder::<Int8Type>::new();
    types.extend([Some("LOC"), None, Some("PER")]);
    let score: ArrayRef = Arc::new(Float64Array::from(vec![0.5, 0.25, 1.0]));
    let whole =
        file(vec![names(), starts(), ends(), ("type", Arc::new(types.finish())), ("score", score)]);
    let options = ReadOptions::default();
    for length in 0..whole.len() {
        assert!(read_with(whole[..length].to_vec(), &options).is_err(), "cut at {length}");
    }
    let problem = read_with(whole[..whole.len() - 1].to_vec(), &options).unwrap_err();
    assert_eq!(problem.to_string(), "t.parquet: the file ends too early");
    for at in 0..whole.len() {
        for flip in [0x01, 0x80, 0xff] {
            let mut bytes = whole.clone();
            bytes[at] ^= flip;
            // Some bytes do not matter; none may bring the program down.
            if let Err(problem) = read_with(bytes, &options) {
                let foreign = ["Parquet error", "Arrow", "Thrift", "Invalid", "External"];
                let foreign = foreign.iter().any(|word| problem.message.contains(word));
                assert!(!foreign && problem.hint.is_some(), "{problem}");
            }
        }
    }
}

/// One text that is stored once and said to be that of thousands of documents.
#[test]
fn a_text_of_very_many_documents_is_no_way_to_fill_memory() {
    let text = "Berlin. ".repeat(8 << 10);
    let rows = 2_000;
    let documents: Vec<String> = (0..rows).map(|row| format!("d{row}")).collect();
    let mut texts = StringDictionaryBuilder::<UInt16Type>::new();
    (0..rows).for_each(|_| texts.append_value(&text));
    let bytes = file(vec![
        ("doc", Arc::new(StringArray::from(documents))),
        ("start", Arc::new(Int64Array::from(vec![0; rows]))),
        ("end", Arc::new(Int64Array::from(vec![6; rows]))),
        ("text", Arc::new(texts.finish())),
    ]);
    let problem = read_with(bytes, &ReadOptions::default()).unwrap_err();
    assert_eq!(problem.kind, Kind::Bomb, "{problem}");
    assert!(problem.message.starts_with("its texts are more than "), "{problem}");
}

#[test]
fn a_column_that_expands_beyond_reason_is_refused() {
    let properties = properties().unwrap().into_builder();
    let text: ArrayRef = Arc::new(StringArray::from(vec!["x".repeat(80 << 20)]));
    let name: ArrayRef = Arc::new(StringArray::from(vec!["d"]));
    let batch = RecordBatch::try_from_iter([("doc", name), ("text", text)]).unwrap();
    let mut bytes = Vec::new();
    let mut writer =
        ArrowWriter::try_new(&mut bytes, batch.schema(), Some(properties.build())).unwrap();
    writer.write(&batch).unwrap();
    writer.close().unwrap();
    let size = bytes.len();
    assert!(size < 300_000, "{size}");
    let problem = read_with(bytes, &ReadOptions::default()).unwrap_err();
    assert_eq!(problem.kind, Kind::Bomb, "{problem}");
    assert!(problem.message.starts_with("a column claims to expand to "), "{problem}");
}

#[test]
fn millions_of_equal_rows_are_refused() {
    let rows = 2_000_000;
    let bytes = file(vec![
        ("doc", Arc::new(StringArray::from(vec!["d"; rows]))),
        ("start", Arc::new(Int64Array::from(vec![0; rows]))),
        ("end", Arc::new(Int64Array::from(vec![6; rows]))),
    ]);
    assert!(bytes.len() < 50_000, "{}", bytes.len());
    let problem = read_with(bytes, &ReadOptions::default()).unwrap_err();
    assert_eq!(problem.kind, Kind::Bomb, "{problem}");
    assert!(problem.message.starts_with("claims 2000000 rows"), "{problem}");
}

#[test]
fn a_document_of_two_files_is_refused() {
    let bytes = file(vec![names(), starts(), ends()]);
    let read = |lenient| {
        let options = ReadOptions { lenient, ..ReadOptions::default() };
        let files = ["a.parquet", "b.parquet"];
        let input: Input =
            files.map(|name| Source::memory(name, bytes.clone())).into_iter().collect();
        Registry::new(FORMATS).read(&input, None, &options)
    };
    let problem = read(false).unwrap_err();
    assert_eq!(
        problem.message,
        "row 1, column `doc`: document `a` occurs twice, first in a.parquet"
    );
    assert_eq!(read(true).unwrap().corpus.annotations().len(), 3, "the first is kept");
}

#[test]
fn several_links_are_ranked_answers() {
    let lists = || -> ArrayRef {
        let mut lists = ListBuilder::new(StringBuilder::new());
        lists.append_value([Some("Q64"), Some("Q5")]);
        lists.append_value([Some("Q1")]);
        lists.append_null();
        Arc::new(lists.finish())
    };
    for (column, answers) in [("link", [Some("Q64"), Some("Q1"), None]), ("candidates", [None; 3])]
    {
        let corpus = read(vec![names(), starts(), ends(), (column, lists())]).unwrap();
        let mentions: Vec<_> = corpus.documents().flat_map(|d| d.mentions()).collect();
        let found: Vec<_> = mentions.iter().map(karat_model::Mention::entity).collect();
        assert_eq!(found, answers, "{column}");
        let candidates: Vec<_> = mentions[0].candidates().map(|c| c.entity).collect();
        assert_eq!(candidates, [Some("Q64"), Some("Q5")], "{column}");
    }
}

#[test]
fn a_score_that_is_not_finite_is_refused() {
    let scores = Arc::new(Float64Array::from(vec![Some(0.5), None, Some(f64::NEG_INFINITY)]));
    let problem = read(vec![names(), starts(), ends(), ("score", scores)]).unwrap_err();
    assert_eq!(problem.message, "row 3, column `score`: expected a finite number, found `-inf`");
}
