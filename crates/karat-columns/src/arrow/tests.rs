use super::*;
use crate::FORMATS;
use arrow_array::types::Int32Type;
use arrow_array::{ArrayRef, DictionaryArray, Int32Array, RecordBatch};
use arrow_ipc::CompressionType;
use arrow_ipc::writer::{IpcWriteOptions, StreamWriter};
use karat_formats::{ReadOptions, Registry};
use std::sync::Arc;

fn batch(documents: [&str; 3]) -> RecordBatch {
    let names: DictionaryArray<Int32Type> = documents.into_iter().collect();
    let starts: ArrayRef = Arc::new(Int32Array::from(vec![0, 4, 9]));
    let ends: ArrayRef = Arc::new(Int32Array::from(vec![2, 8, 12]));
    RecordBatch::try_from_iter([
        ("doc", Arc::new(names) as ArrayRef),
        ("start", starts),
        ("end", ends),
    ])
    .unwrap()
}

fn stream(batches: &[RecordBatch]) -> Vec<u8> {
    let mut bytes = Vec::new();
    let mut writer = StreamWriter::try_new(&mut bytes, &batches[0].schema()).unwrap();
    batches.iter().for_each(|batch| writer.write(batch).unwrap());
    writer.finish().unwrap();
    bytes
}

fn file(batches: &[RecordBatch], compression: Option<CompressionType>) -> Vec<u8> {
    let mut bytes = Vec::new();
    let options = IpcWriteOptions::default().try_with_compression(compression).unwrap();
    let schema = batches[0].schema();
    let mut writer = FileWriter::try_new_with_options(&mut bytes, &schema, options).unwrap();
    batches.iter().for_each(|batch| writer.write(batch).unwrap());
    writer.finish().unwrap();
    bytes
}

fn read(bytes: Vec<u8>) -> Result<Corpus, Problem> {
    let source = Source::memory("t.arrow", bytes);
    let outcome = Registry::new(FORMATS).read(&Input::from(source), None, &ReadOptions::default());
    outcome.map(|outcome| outcome.corpus)
}

#[test]
fn files_and_streams_are_read() {
    let one = batch(["a", "b", "a"]);
    let zstd = Some(CompressionType::ZSTD);
    for bytes in [
        stream(&[one.clone(), batch(["c", "a", "c"])]),
        file(std::slice::from_ref(&one), None),
        file(std::slice::from_ref(&one), zstd),
    ] {
        let corpus = read(bytes).unwrap();
        let names: Vec<&str> = corpus.documents().map(|document| document.name()).collect();
        assert_eq!(names[..2], ["a", "b"]);
        assert!(corpus.document("a").unwrap().mentions().len() >= 2);
    }
}

#[test]
fn a_cut_file_is_noticed() {
    let whole = file(&[batch(["a", "b", "a"])], None);
    for length in 8..whole.len() {
        assert!(read(whole[..length].to_vec()).is_err(), "cut at {length}");
    }
}

#[test]
fn damaged_bytes_are_survived() {
    for whole in [
        file(&[batch(["a", "b", "a"])], Some(CompressionType::ZSTD)),
        stream(&[batch(["a", "b", "a"])]),
    ] {
        for at in 0..whole.len() {
            for flip in [0x01, 0x80, 0xff] {
                let mut bytes = whole.clone();
                bytes[at] ^= flip;
                // Some bytes do not matter; none may bring the program down.
                if let Err(problem) = read(bytes) {
                    let foreign =
                        ["rror:", "Ipc", "Invalid", "offset of the new Buffer", "Range ["];
                    let foreign = foreign.iter().any(|word| problem.message.contains(word));
                    assert!(!foreign && problem.hint.is_some(), "{problem}");
                }
            }
        }
    }
}

#[test]
fn damage_is_located() {
    let mut whole = stream(&[batch(["a", "b", "a"])]);
    let length = whole.len();
    whole.truncate(length - 8);
    whole.extend_from_slice(b"rubbish!");
    let problem = read(whole).unwrap_err();
    let message = format!("expected a message of an Arrow stream at byte {}", length - 8);
    assert_eq!(problem.to_string(), format!("t.arrow: the file is damaged: {message}"));
}

#[test]
fn only_a_schema_begins_a_stream() {
    let whole = stream(&[batch(["a", "b", "a"])]);
    assert!(begins_with_schema(&whole));
    assert!(!begins_with_schema(&whole[..20]));
    assert!(!begins_with_schema(b"\xff\xff\xff\xff\xff\xff\xff\xffrest"));
    assert!(!begins_with_schema(b"doc,start,end\n"));
}

#[test]
fn a_document_of_two_files_is_refused() {
    let bytes = |documents| file(&[batch(documents)], None);
    let sources = [
        Source::memory("a.arrow", bytes(["a", "b", "a"])),
        Source::memory("b.arrow", bytes(["c", "b", "c"])),
    ];
    let read = |lenient| {
        let options = ReadOptions { lenient, ..ReadOptions::default() };
        let input: Input = sources.iter().cloned().collect();
        Registry::new(FORMATS).read(&input, None, &options)
    };
    let problem = read(false).unwrap_err();
    assert_eq!(problem.message, "row 2, column `doc`: document `b` occurs twice, first in a.arrow");
    let corpus = read(true).unwrap().corpus;
    assert_eq!((corpus.len(), corpus.document("b").unwrap().mentions().len()), (3, 1));
}
