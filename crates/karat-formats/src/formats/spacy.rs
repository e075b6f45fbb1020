//! spaCy's DocBin: tokens, entities and knowledge-base ids of many documents.

mod strings;

use crate::format::{Format, Info, Offsets, Sample};
use crate::input::Input;
use crate::placing::given_documents::Given;
use crate::problem::{Kind, Problem};
use crate::reading::Reading;
use crate::source::Source;
use karat_model::{Features, Link, MarkKind, Restriction, Span, attribute};
use rmpv::ValueRef;
use std::io::Read;
use strings::Strings;

/// The format.
#[derive(Debug)]
pub(crate) struct Spacy;

static INFO: Info = Info {
    name: "spacy",
    title: "spaCy DocBin",
    about: "The binary `.spacy` files of `DocBin`, which keep the knowledge-base ids that `Doc.to_json` leaves out: zlib-compressed MessagePack \
            with a table of token attributes. The text is rebuilt from tokens and spaces; `doc.ents` become mentions, with the \
            `kb_id` as link (none is a mention without an answer, `NIL` is NIL), the label as type and the span id as attribute. \
            Documents are named by `id`, `doc_id` or `name` of their user data or extension attributes, else by the given documents in \
            their order, else by position; span groups are not read but counted.",
    reference: "spaCy 3.8, spacy/tokens/_serialize.py",
    extensions: &["spacy"],
    offsets: Offsets::CODE_POINTS,
    writes: None,
    needs_text: true,
    keeps: Restriction {
        features: Features::TEXT
            .union(Features::EMPTY_DOCUMENTS)
            .union(Features::TOKENS)
            .union(Features::SENTENCES)
            .union(Features::UNLINKED)
            .union(Features::NIL)
            .union(Features::TYPE),
        document_attributes: &[],
        annotation_attributes: &["id"],
    },
};

/// The numbers of the attributes that matter here.
const ORTH: u64 = 65;
const ENT_IOB: u64 = 77;
const ENT_TYPE: u64 = 78;
const SENT_START: u64 = 80;
const ENT_KB_ID: u64 = 452;
const ENT_ID: u64 = 454;

/// DocBins nest three deep; user data a little more.
const DEEPEST: usize = 64;
const HINT: &str =
    "write it with `DocBin(docs=..., store_user_data=True).to_disk(\"corpus.spacy\")`";

impl Format for Spacy {
    fn info(&self) -> &'static Info {
        &INFO
    }

    fn detect(&self, sample: &Sample<'_>) -> u8 {
        let [first @ 0x78, second, ..] = *sample.bytes else { return 0 };
        // The two bytes of a zlib header are a multiple of 31 (RFC 1950, section 2.2).
        if (u16::from(first) << 8 | u16::from(second)) % 31 != 0 {
            return 0;
        }
        let mut head = Vec::new();
        // The sample may be cut, so what could be read until an error counts.
        // 64 bytes are enough for the first keys and cap what a compressed sample can unpack to.
        let _cut = flate2::read::ZlibDecoder::new(sample.bytes).take(64).read_to_end(&mut head);
        let is_map =
            head.first().is_some_and(|byte| byte & 0xf0 == 0x80 || matches!(byte, 0xde | 0xdf));
        let has = |key: &[u8]| head.windows(key.len()).any(|window| window == key);
        if is_map && has(b"attrs") { 95 } else { 0 }
    }

    fn read(
        &self,
        files: &[Source],
        _input: &Input,
        reading: &mut Reading<'_>,
    ) -> Result<(), Problem> {
        let given = Given::new(reading.options);
        let mut before = 0;
        for file in files {
            reading.corpus.begin_source(file.name());
            let stored = file.bytes(reading.options.progress.as_deref())?;
            let decoder = Box::new(flate2::read::ZlibDecoder::new(&stored[..]));
            let mut bytes = Vec::new();
            // Guarded: a compressed file of a few kilobytes can unpack to terabytes.
            file.guarded(decoder)
                .read_to_end(&mut bytes)
                .map_err(|error| file.unreadable(&error))?;
            let bin = Bin::parse(&bytes, file)?;
            bin.read(file, &given, before, reading)?;
            before += bin.lengths.len();
        }
        Ok(())
    }
}

/// The parts of a file.
struct Bin<'f> {
    attributes: Vec<u64>,
    tokens: &'f [[u8; 8]],
    spaces: &'f [u8],
    lengths: Vec<usize>,
    strings: Strings<'f>,
    user_data: Vec<ValueRef<'f>>,
    span_groups: Vec<ValueRef<'f>>,
}

impl<'f> Bin<'f> {
    fn parse(bytes: &'f [u8], file: &Source) -> Result<Bin<'f>, Problem> {
        let bad = |message: &str| Problem::new(Kind::Malformed, file.name(), message).hint(HINT);
        let value = rmpv::decode::read_value_ref_with_max_depth(&mut &bytes[..], DEEPEST)
            .map_err(|_| bad("not MessagePack inside"))?;
        let ValueRef::Map(entries) = value else { return Err(bad("expected a map of parts")) };
        let part = |name: &str| {
            let entry = entries.iter().find(|(key, _)| string(key) == Some(name));
            entry.map(|(_, value)| value).ok_or_else(|| bad(&format!("expected a part `{name}`")))
        };
        let list = |name: &str| match part(name)? {
            ValueRef::Array(items) => Ok(items.as_slice()),
            _ => Err(bad(&format!("expected a list as `{name}`"))),
        };
        let array = |name: &str| match part(name)? {
            ValueRef::Binary(bytes) => Ok(*bytes),
            _ => Err(bad(&format!("expected bytes as `{name}`"))),
        };
        let attributes: Vec<u64> = list("attrs")?.iter().filter_map(number).collect();
        let (tokens, rest) = array("tokens")?.as_chunks::<8>();
        let (lengths, odd) = array("lengths")?.as_chunks::<4>();
        let lengths = lengths.iter().map(|&length| usize::try_from(i32::from_le_bytes(length)));
        let lengths: Vec<usize> = lengths
            .collect::<Result<_, _>>()
            .map_err(|_| bad("a document has a negative length"))?;
        let bin = Bin {
            tokens,
            spaces: array("spaces")?,
            strings: Strings::new(list("strings")?.iter().filter_map(string)),
            user_data: list("user_data").map(<[ValueRef<'_>]>::to_vec).unwrap_or_default(),
            span_groups: list("span_groups").map(<[ValueRef<'_>]>::to_vec).unwrap_or_default(),
            attributes,
            lengths,
        };
        let total = bin.lengths.iter().try_fold(0usize, |sum, &length| sum.checked_add(length));
        let cells = total.and_then(|total| total.checked_mul(bin.attributes.len()));
        let fits = rest.is_empty() && odd.is_empty() && cells == Some(bin.tokens.len());
        if !fits || total != Some(bin.spaces.len()) || bin.column(ORTH).is_none() {
            return Err(bad(
                "the numbers of tokens, spaces, attributes and documents do not agree",
            ));
        }
        Ok(bin)
    }

    fn column(&self, attribute: u64) -> Option<usize> {
        self.attributes.iter().position(|&known| known == attribute)
    }

    /// Reads the documents; `before` is how many came before this file.
    fn read(
        &self,
        file: &Source,
        given: &Given<'_>,
        before: usize,
        reading: &mut Reading<'_>,
    ) -> Result<(), Problem> {
        let mut from = 0;
        for (position, &length) in self.lengths.iter().enumerate() {
            let range = from..from + length;
            from = range.end;
            let name = self.user_data.get(position).and_then(name_in_user_data);
            let name = name.unwrap_or_else(|| given.name_at(before + position));
            let document = self.document(range).map_err(|token| {
                let message = format!(
                    "token {token} of document `{name}` has a number that no string of the file has"
                );
                Problem::new(Kind::Malformed, file.name(), message).hint(HINT)
            });
            let Some(document) = reading.accept(document)? else { continue };
            if let Err(duplicate) = reading.corpus.begin_document(&name) {
                reading.report(crate::block::refused_document(file.name(), &duplicate))?;
                continue;
            }
            document.add(reading);
            for _ in 0..self.span_groups.get(position).map_or(0, group_count) {
                let message = format!("a span group of document `{name}` is not kept");
                reading.passed_over(Problem::new(Kind::PassedOver, file.name(), message));
            }
        }
        Ok(())
    }

    /// A document; an error is the token whose string is not known.
    fn document(&self, tokens: std::ops::Range<usize>) -> Result<Doc<'_>, usize> {
        let mut document = Doc::default();
        let first = tokens.start;
        let columns = [ENT_IOB, ENT_TYPE, ENT_KB_ID, ENT_ID, SENT_START].map(|a| self.column(a));
        let orth = self.column(ORTH).ok_or(first)?;
        let mut at = 0;
        for token in tokens {
            let value = |column: usize| {
                self.tokens
                    .get(token * self.attributes.len() + column)
                    .map_or(0, |bytes| u64::from_le_bytes(*bytes))
            };
            let word = self.strings.get(value(orth)).ok_or(token - first)?;
            document.text.push_str(word);
            let span = Span::new(at, at + word.chars().count() as u32);
            at = span.end;
            if self.spaces[token] != 0 {
                document.text.push(' ');
                at += 1;
            }
            let [iob, kind, entity, id, sentence] = columns.map(|column| column.map(value));
            document.tokens.push(span);
            document.sentence_starts.push(sentence.unwrap_or_default());
            let labels = [kind, entity, id].map(Option::unwrap_or_default);
            let inside = match iob {
                Some(INSIDE) => true,
                Some(BEGIN) => false,
                // Without a column of boundaries, equal labels belong together.
                None if labels[0] != 0 => document.open == Some(labels),
                _ => {
                    document.open = None;
                    continue;
                }
            };
            match document.entities.last_mut().filter(|_| inside && document.open.is_some()) {
                Some(last) => last.span.end = span.end,
                None => {
                    let [kind, entity, id] = labels;
                    let text = |number| self.strings.get(number).ok_or(token - first);
                    let (kind, entity, id) = (text(kind)?, text(entity)?, text(id)?);
                    document.entities.push(Entity { span, kind, entity, id });
                }
            }
            document.open = Some(labels);
        }
        Ok(document)
    }
}

const INSIDE: u64 = 1;
const BEGIN: u64 = 3;

#[derive(Default)]
struct Doc<'f> {
    text: String,
    tokens: Vec<Span>,
    sentence_starts: Vec<u64>,
    entities: Vec<Entity<'f>>,
    /// The labels of the entity that the last token belongs to.
    open: Option<[u64; 3]>,
}

struct Entity<'f> {
    span: Span,
    kind: &'f str,
    entity: &'f str,
    id: &'f str,
}

impl Doc<'_> {
    fn add(&self, reading: &mut Reading<'_>) {
        let corpus = &mut reading.corpus;
        corpus.set_text(&self.text);
        for &token in &self.tokens {
            corpus.mark(MarkKind::Token, token, "");
        }
        for sentence in self.sentences() {
            corpus.mark(MarkKind::Sentence, sentence, "");
        }
        for entity in &self.entities {
            let link = match entity.entity {
                "" => Link::NONE,
                "NIL" => Link::NIL,
                entity => Link::to(corpus.intern(entity)),
            };
            let annotation = corpus.annotate(entity.span, link).types([entity.kind]);
            annotation.attribute(attribute::ID, entity.id);
        }
    }

    /// The sentences, if it is known of every token whether one starts there.
    fn sentences(&self) -> Vec<Span> {
        if self.sentence_starts.iter().skip(1).any(|&start| start == 0) {
            return Vec::new();
        }
        let starts = self.tokens.iter().zip(&self.sentence_starts).enumerate();
        let starts: Vec<usize> =
            starts.filter(|(_, (_, start))| **start == 1).map(|(at, _)| at).collect();
        let ends = starts.iter().skip(1).copied().chain([self.tokens.len()]);
        let spans = starts.iter().zip(ends).filter_map(|(&start, end)| {
            Some(Span::new(
                self.tokens.get(start)?.start,
                self.tokens.get(end.checked_sub(1)?)?.end,
            ))
        });
        spans.collect()
    }
}

/// The name of a document in its user data: under a plain key, or under one of
/// an extension attribute, which is a list `["._.", name, start, end]`.
fn name_in_user_data(data: &ValueRef<'_>) -> Option<String> {
    let ValueRef::Binary(bytes) = data else { return None };
    let value = rmpv::decode::read_value_ref_with_max_depth(&mut &bytes[..], DEEPEST).ok()?;
    let ValueRef::Map(entries) = value else { return None };
    ["id", "doc_id", "name"].iter().find_map(|name| {
        let is_name = |key: &ValueRef<'_>| match key {
            ValueRef::Array(parts) => {
                matches!(parts.as_slice(), [mark, key, ValueRef::Nil, ..] if string(mark) == Some("._.") && string(key) == Some(name))
            }
            key => string(key) == Some(name),
        };
        let (_, value) = entries.iter().find(|(key, _)| is_name(key))?;
        string(value).map(str::to_owned).or_else(|| number(value).map(|number| number.to_string()))
    })
}

fn string<'f>(value: &ValueRef<'f>) -> Option<&'f str> {
    match value {
        ValueRef::String(text) => text.into_str(),
        _ => None,
    }
}

fn number(value: &ValueRef<'_>) -> Option<u64> {
    match value {
        ValueRef::Integer(number) => number.as_u64(),
        _ => None,
    }
}

/// How many span groups a document has: its groups are MessagePack again, a list of them or,
/// since spaCy 3.5, a map from each to its names.
fn group_count(groups: &ValueRef<'_>) -> usize {
    let ValueRef::Binary(bytes) = groups else { return 0 };
    match rmpv::decode::read_value_ref_with_max_depth(&mut &bytes[..], DEEPEST) {
        Ok(ValueRef::Array(groups)) => groups.len(),
        Ok(ValueRef::Map(groups)) => groups.len(),
        _ => 0,
    }
}

#[cfg(test)]
mod tests;
