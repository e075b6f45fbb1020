use super::*;
use arrow_array::{ArrayRef, Int64Array, StringArray};
use karat_formats::{FORMATS, Input, Registry};
use std::sync::Arc;

/// Everything that a table holds.
const TABLE: &str = concat!(
    "doc,start,end,link,nil,cluster,score,type,text,optional,coreference,side,tags,equivalents,candidates,attributes,language\n",
    "d1,0,6,Q64,,,0.5,LOC|CITY,Berlin 😀 end,true,no,gold,a|b,Q1|Q2,",
    "\"[{\"\"link\"\":\"\"Q64\"\",\"\"score\"\":0.5,\"\"type\"\":\"\"LOC\"\"},{\"\"nil\"\":true}]\",\"{\"\"note\"\":\"\"x\"\"}\",en\n",
    "d1,7,8,,yes,,,,,,1,gold|system,,,,,\n",
    "d1,9,12,,,7,,,,,,,,,,,\n",
    "d2,,,,,,,,,,,,,,,,de\n",
);

fn corpus(table: &str) -> Corpus {
    let source = Source::memory("t.csv", table);
    let registry = Registry::new(FORMATS);
    registry.read(&Input::from(source), None, &ReadOptions::default()).unwrap().corpus
}

fn read(batches: &[RecordBatch], options: &ReadOptions) -> Result<ReadOutcome, Problem> {
    corpus_from_batches("frame", batches, options)
}

fn batch(documents: [&str; 2], starts: [i64; 2]) -> RecordBatch {
    let columns: [(&str, ArrayRef); 4] = [
        ("doc", Arc::new(StringArray::from(documents.to_vec()))),
        ("start", Arc::new(Int64Array::from(starts.to_vec()))),
        ("length", Arc::new(Int64Array::from(vec![1, 1]))),
        ("link", Arc::new(StringArray::from(vec!["Q1", "Q2"]))),
    ];
    RecordBatch::try_from_iter(columns).unwrap()
}

#[test]
fn a_corpus_comes_back_as_it_was() {
    for corpus in [corpus(TABLE), Corpus::default()] {
        let (batches, loss) = corpus_to_batches(&corpus).unwrap();
        assert!(loss.is_empty());
        let again = read(&batches, &ReadOptions::default()).unwrap();
        assert_eq!(corpus.difference(&again.corpus), None);
    }
}

#[test]
fn many_rows_are_several_batches() {
    let rows: String = (0..70_000).map(|at| format!("d{},{at},{},Q1\n", at / 7, at + 1)).collect();
    let corpus = corpus(&format!("doc,start,end,link\n{rows}"));
    let (batches, _) = corpus_to_batches(&corpus).unwrap();
    assert_eq!(batches.len(), 2, "a document goes on in the second");
    let again = read(&batches, &ReadOptions::default()).unwrap();
    assert_eq!(corpus.difference(&again.corpus), None);
}

#[test]
fn documents_without_text_get_the_text_that_is_given() {
    let gold = Arc::new(corpus("doc,text\nd1,x😀y\n"));
    let options = ReadOptions {
        unit: Some(karat_model::OffsetUnit::Utf16),
        documents: Some(gold),
        ..ReadOptions::default()
    };
    let outcome = read(&[batch(["d1", "d1"], [0, 3])], &options).unwrap();
    let document = outcome.corpus.document("d1").unwrap();
    let surfaces: Vec<_> = document.mentions().map(|mention| mention.surface()).collect();
    assert_eq!(surfaces, [Some("x"), Some("y")]);
    assert_eq!(outcome.bare, None);
}

#[test]
fn problems_name_the_row_and_other_columns_are_refused() {
    let problem = read(&[batch(["a", "b"], [0, -1])], &ReadOptions::default()).unwrap_err();
    assert_eq!(
        problem.to_string(),
        "frame: row 2, column `start`: expected a whole number from 0 up, found `-1`"
    );
    let one = batch(["a", "b"], [0, 1]);
    let other = one.project(&[0, 1, 2]).unwrap();
    let problem = read(&[one, other], &ReadOptions::default()).unwrap_err();
    assert_eq!(problem.message, "batch 2 has other columns than the first");
}
