use super::*;
use crate::{ReadOptions, ReadOutcome, Registry};
use std::io::Write;

/// Three documents, written by spaCy 3.8.18 with user data.
const THREE: &str = "eJzrWl6WWlScmZ+32EDPcGliSUlR8TRHX7+As4xHzjIeW1aSn52aV3yUyWF/GmNf/GSLfcwMEFDDCKGhFAYI+vhrvQPnj0tMaOL/oQBdPWO/LOeu+y8OEKt+454p0/o/K2XA3NPAiKr+Js9N7b9Z2/s6j630LT6kn7eFw+f6q9rZuYxEql90aI3Pm5v164l1zyzny74zAp2D0NXjCh9Szb9QrZ5aa/doA7HmZ4a2c628uXEbLHzaeqxVnW7H+cPkzdIjyxzDJlTD+PVQg5jR+OjyMNCktD7yU6H+VnR7cblnWXFBYnJq8REeRiAAqwKSy3NS89JLMoCiHFCrQRLLi0uKMvPSi+8wiC9YqLfYMS9vsXuA6yL3/MV+nj6L/VLLF/sHuS8LcA0K9vdbHGhmsDQkA6h8SWR+UfbixLy8RamGi1PPNC5Kz1+cl1q+KC9/cX5R+uLixPIllUAVSz7MbZm35MP8GQ1LkhNLiic3NDQsTctJTC+e3LgpI7E4vjQvOy+/PC8e4txDRAseXg2k8+LTi/JLC4onH2GcAEErS4tTi+JTEksSJx/haFyUmbI4Py/1CGPDEYHGKYv14vWWpeQnx2emHDjADgC2xgSa";
/// The second of them alone, with two attributes and no user data.
const PLAIN: &str = "eJzrXF6WWlScmZ+32EDPcGliSUlR8WRHX79lJfnZqXnFRzwuVKun1to92sDEgAoyQ9u5Vt7cuI0Zym/rsVZ1uh3nX88I4cPEYfxlxQWJyanFR5gZGBmW56TmpZdkFB9hAalaXlxSlJmXXjx9wWI/T5/F/kHuS0MygAKLU880Ls4vSl/yYW7LvCXJiSXFExuWpuUkphdPbNyUkVgcX5qXnZdfnhcPMfnQaiCdF59elF9aUDzxCOMEAJfITHM=";

fn base64(text: &str) -> Vec<u8> {
    let digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let values: Vec<u32> =
        text.chars().filter_map(|c| digits.find(c)).map(|value| value as u32).collect();
    let bytes = values.chunks(4).flat_map(|chunk| {
        let bits = chunk.iter().fold(0, |bits, value| bits << 6 | value) << (6 * (4 - chunk.len()));
        bits.to_be_bytes()[1..chunk.len()].to_vec()
    });
    bytes.collect()
}

fn zlib(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = flate2::write::ZlibEncoder::new(Vec::new(), flate2::Compression::best());
    encoder.write_all(bytes).unwrap();
    encoder.finish().unwrap()
}

fn read(bytes: Vec<u8>, lenient: bool) -> Result<ReadOutcome, Problem> {
    let options = ReadOptions { lenient, ..ReadOptions::default() };
    let input = Input::from(Source::memory("corpus.spacy", bytes));
    Registry::new(&[&Spacy]).read(&input, Some("spacy"), &options)
}

#[test]
fn a_file_of_spacy() {
    let input = Input::from(Source::memory("x", base64(THREE)));
    let outcome = Registry::new(&[&Spacy]).read(&input, None, &ReadOptions::default()).unwrap();
    let corpus = outcome.corpus;
    let texts: Vec<_> = corpus.documents().map(|d| (d.name(), d.text().unwrap())).collect();
    assert_eq!(texts, [("one", "Ann saw 😀 New York. Go."), ("1", "e\u{301}𝄞 ORG"), ("7", "no ")]);
    let one = corpus.document("one").unwrap();
    let mentions: Vec<_> = one.mentions().collect();
    assert_eq!((mentions[0].span(), mentions[0].types().next()), (Span::new(0, 3), Some("PERSON")));
    assert!(mentions[0].link().is_none());
    assert_eq!((mentions[1].surface(), mentions[1].entity()), (Some("New York"), Some("Q60")));
    assert_eq!((mentions[1].span(), mentions[1].attribute("id")), (Span::new(10, 18), Some("e1")));
    let sentences: Vec<_> = one.marks_of(MarkKind::Sentence).map(|(span, _)| span).collect();
    assert_eq!(sentences, [Span::new(0, 19), Span::new(20, 23)]);
    assert_eq!(one.marks_of(MarkKind::Token).count(), 8);
    let mentions: Vec<_> = corpus.document("1").unwrap().mentions().collect();
    assert!(mentions[0].link().is_nil() && mentions[0].surface() == Some("𝄞"));
    assert_eq!((mentions[1].span(), mentions[1].entity()), (Span::new(4, 7), Some("ORG")));
}

#[test]
fn few_attributes_will_do() {
    let corpus = read(base64(PLAIN), false).unwrap().corpus;
    let document = corpus.document("0").unwrap();
    let mentions: Vec<_> = document.mentions().map(|m| (m.surface(), m.types().next())).collect();
    assert_eq!(mentions, [(Some("𝄞"), Some("Thing")), (Some("ORG"), Some("ORG"))]);
    assert_eq!(document.marks_of(MarkKind::Sentence).count(), 0);
}

#[test]
fn bad_files_are_named() {
    for (bytes, kind, message) in [
        (zlib(b"\x93"), Kind::Malformed, "not MessagePack inside"),
        (zlib(b"\x01"), Kind::Malformed, "expected a map of parts"),
        (zlib(b"\x81\xa5attrs\x01"), Kind::Malformed, "expected a list as `attrs`"),
        (zlib(b"\x81\xa5attrs\x90"), Kind::Malformed, "expected a part `tokens`"),
        (zlib(b"\x85\xa5attrs\x91\x41\xa6tokens\xc4\x01x\xa6spaces\xc4\x00\xa7lengths\xc4\x00\xa7strings\x90"), Kind::Malformed, "the numbers of tokens, spaces, attributes and documents do not agree"),
        (zlib(b"\x85\xa5attrs\x91\x41\xa6tokens\xc4\x00\xa6spaces\xc4\x00\xa7lengths\xc4\x04\xff\xff\xff\xff\xa7strings\x90"), Kind::Malformed, "a document has a negative length"),
        (zlib(b"\xdd\xff\xff\xff\xff"), Kind::Malformed, "not MessagePack inside"),
        (zlib(&vec![0; 128 << 20]), Kind::Bomb, "expands to more than 64 MiB, over 250 times its size"),
        (base64(THREE)[..200].to_vec(), Kind::Truncated, "the compressed file is cut off"),
    ] {
        let problem = read(bytes, true).unwrap_err();
        assert_eq!((problem.kind, problem.message.as_str()), (kind, message));
    }
}

#[test]
fn a_word_without_its_string_spoils_one_document() {
    let bytes = b"\x85\xa5attrs\x91\x41\xa6tokens\xc4\x10\x05\0\0\0\0\0\0\0\x40\0\0\0\0\0\0\0\xa6spaces\xc4\x02\0\0\xa7lengths\xc4\x08\x01\0\0\0\x01\0\0\0\xa7strings\x91\xa2ID";
    let problem = read(zlib(bytes), false).unwrap_err();
    assert_eq!(
        problem.message,
        "token 0 of document `0` has a number that no string of the file has"
    );
    let outcome = read(zlib(bytes), true).unwrap();
    assert_eq!(outcome.corpus.document("1").unwrap().text(), Some("ID"));
}

#[test]
fn any_damage_is_survived() {
    let mut plain = Vec::new();
    flate2::read::ZlibDecoder::new(&base64(THREE)[..]).read_to_end(&mut plain).unwrap();
    for at in (0..plain.len()).step_by(3) {
        for value in [0xff, plain[at].wrapping_add(1)] {
            let mut damaged = plain.clone();
            damaged[at] = value;
            let _outcome = read(zlib(&damaged), true);
        }
    }
}

#[test]
fn span_groups_are_counted() {
    let bytes = b"\x86\xa5attrs\x91\x41\xa6tokens\xc4\x08\x40\0\0\0\0\0\0\0\xa6spaces\xc4\x01\0\xa7lengths\xc4\x04\x01\0\0\0\xa7strings\x91\xa2ID\xabspan_groups\x91\xc4\x08\x81\xc4\x01x\x91\xa2sc";
    let findings = read(zlib(bytes), false).unwrap().findings;
    let said: Vec<_> = findings.passed_over().iter().map(ToString::to_string).collect();
    assert_eq!(said, ["corpus.spacy: a span group of document `0` is not kept"]);
}
