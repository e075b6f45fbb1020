//! Writing a document in the layer of INCEpTION.

use super::TEXT;
use super::cells::{NOTHING, UNSAID, escaped, escaped_text};
use crate::format::WriteError;
use crate::output::Output;
use crate::placing::text_folder;
use karat_model::{Document, MarkKind, Mention, OffsetUnit, Span, TextIndex};
use std::io::Write;

const HEAD: &str = "#FORMAT=WebAnno TSV 3.3\n#T_SP=de.tudarmstadt.ukp.dkpro.core.api.ner.type.NamedEntity|identifier|value\n\n";

pub(super) fn document(output: &mut Output, document: &Document<'_>) -> Result<(), WriteError> {
    let name = document.name();
    let refuse = |message: String| WriteError::unrepresentable(name, message);
    let Some(index) = document.text_index() else {
        return Err(refuse("the document has no text".to_owned()));
    };
    let path = format!("{}.tsv", text_folder::file_name(name));
    if name.is_empty() || path.len() > 240 {
        return Err(refuse("the name of the document cannot be that of a file".to_owned()));
    }
    let mentions: Vec<Mention<'_>> = document.mentions().collect();
    let words = words(&index);
    for mention in &mentions {
        check(mention, words.first().copied())?;
    }
    output.file(&path, |out| {
        out.write_all(HEAD.as_bytes())?;
        let mut tokens = tokens(&words, &mentions, index.len()).into_iter().peekable();
        let mut meeting = Meeting::new(&mentions);
        for (number, sentence) in (1..).zip(sentences(document, &words, &index)) {
            let text = index.slice(sentence).unwrap_or_default();
            writeln!(out, "\n{TEXT}{}", escaped_text(text))?;
            let mut place = 1;
            while let Some(token) = tokens.next_if(|token| token.start < sentence.end) {
                write_token(out, (number, place), token, &mut meeting, &index)?;
                place += 1;
            }
        }
        Ok(())
    })
}

/// What the format has no form for. The place of a sentence is known from its first word, so that nothing can begin
/// before it.
fn check(mention: &Mention<'_>, first: Option<Span>) -> Result<(), WriteError> {
    let refuse =
        |message: &str| Err(WriteError::unrepresentable(mention.document().name(), message));
    if mention.span().is_empty() || first.is_none_or(|first| mention.span().start < first.start) {
        return refuse("a mention is empty, or begins before the first word of its text");
    }
    if matches!(mention.entity(), Some("" | "NIL")) || mention.types().next() == Some("") {
        return refuse("an entity has a name that is read as none");
    }
    Ok(())
}

/// The words of a text, and the white space between them where a mention begins or ends in it.
fn tokens(words: &[Span], mentions: &[Mention<'_>], length: u32) -> Vec<Span> {
    let mut gaps: Vec<Span> = Vec::new();
    let ends = mentions.iter().map(Mention::span).flat_map(|span| {
        // The last character of a mention, and not what is behind it.
        [span.start, span.end.saturating_sub(1)]
    });
    for position in ends {
        let next = words.partition_point(|word| word.start <= position);
        let before = next.checked_sub(1).map_or(0, |before| words[before].end);
        let after = words.get(next).map_or(length, |word| word.start);
        if position >= before {
            gaps.push(Span::new(before, after));
        }
    }
    gaps.extend(words);
    gaps.sort_unstable();
    gaps.dedup();
    gaps
}

/// What stands between white space.
fn words(index: &TextIndex<'_>) -> Vec<Span> {
    let (mut spans, mut start) = (Vec::new(), None);
    for (position, character) in (0..).zip(index.text().chars()) {
        match (character.is_whitespace(), start) {
            (true, Some(first)) => {
                spans.push(Span::new(first, position));
                start = None;
            }
            (false, None) => start = Some(position),
            _ => {}
        }
    }
    spans.extend(start.map(|start| Span::new(start, index.len())));
    spans
}

/// The sentences of a document, else its lines, each with the white space behind it, so that nothing is lost between
/// them. They begin with tokens, because a sentence is found by its first.
fn sentences(document: &Document<'_>, words: &[Span], index: &TextIndex<'_>) -> Vec<Span> {
    let mut starts: Vec<u32> =
        document.marks_of(MarkKind::Sentence).map(|(sentence, _)| sentence.start).collect();
    starts.sort_unstable();
    let is_marked = !starts.is_empty();
    let mut all = Vec::new();
    let mut start = 0;
    let (mut last_end, mut marked) = (0, starts.into_iter().peekable());
    for (number, token) in words.iter().enumerate() {
        let gap = index.slice(Span::new(last_end, token.start)).unwrap_or_default();
        let mut begins = !is_marked && gap.contains('\n');
        while marked.next_if(|&mark| mark <= token.start).is_some() {
            begins = true;
        }
        if begins && number > 0 {
            all.push(Span::new(start, token.start));
            start = token.start;
        }
        last_end = token.end;
    }
    all.push(Span::new(start, index.len()));
    all
}

/// The mentions of a document in the order in which tokens meet them.
struct Meeting<'m, 'c> {
    mentions: &'m [Mention<'c>],
    /// Those to come, by where they begin, the next one last.
    waiting: Vec<usize>,
    /// Those that the last token was in, or before.
    active: Vec<usize>,
}

impl<'m, 'c> Meeting<'m, 'c> {
    fn new(mentions: &'m [Mention<'c>]) -> Meeting<'m, 'c> {
        let mut waiting: Vec<usize> = (0..mentions.len()).collect();
        waiting.sort_by_key(|&at| mentions[at].span().start);
        waiting.reverse();
        Meeting { mentions, waiting, active: Vec::new() }
    }

    /// The mentions that share characters with a token, in order.
    fn of(&mut self, token: Span) -> Vec<usize> {
        let span = |at: usize| self.mentions[at].span();
        while let Some(next) = self.waiting.pop_if(|next| span(*next).start < token.end) {
            self.active.push(next);
        }
        self.active.retain(|&at| span(at).end > token.start);
        self.active.sort_unstable();
        self.active.clone()
    }
}

/// Writes the row of a token, and one for each part of it that mentions begin or end with.
fn write_token(
    out: &mut dyn Write,
    (sentence, place): (u32, u32),
    token: Span,
    meeting: &mut Meeting<'_, '_>,
    index: &TextIndex<'_>,
) -> Result<(), WriteError> {
    let met = meeting.of(token);
    let part = |at: usize| {
        let span = meeting.mentions[at].span();
        Span::new(span.start.max(token.start), span.end.min(token.end))
    };
    let mut parts: Vec<Span> =
        met.iter().map(|&at| part(at)).filter(|part| *part != token).collect();
    parts.sort_unstable();
    parts.dedup();
    let rows = std::iter::once(token).chain(parts);
    for (number, row) in rows.enumerate() {
        let name = match number {
            0 => format!("{sentence}-{place}"),
            number => format!("{sentence}-{place}.{number}"),
        };
        let offset =
            |position| index.from_code_points(position, OffsetUnit::Utf16).unwrap_or_default();
        let words = escaped_text(index.slice(row).unwrap_or_default());
        let of_row: Vec<usize> = met.iter().copied().filter(|&at| part(at) == row).collect();
        let cell = |value: &dyn Fn(&Mention<'_>) -> Option<String>| {
            let values: Vec<String> = of_row
                .iter()
                .map(|&at| {
                    let said = value(&meeting.mentions[at]);
                    format!("{}[{}]", said.unwrap_or_else(|| UNSAID.to_owned()), at + 1)
                })
                .collect();
            if values.is_empty() { NOTHING.to_owned() } else { values.join("|") }
        };
        let links = cell(&|mention| match mention.entity() {
            Some(entity) => Some(escaped(entity)),
            None => mention.link().is_nil().then(|| "NIL".to_owned()),
        });
        let kinds = cell(&|mention| mention.types().next().map(escaped));
        let (begin, end) = (offset(row.start), offset(row.end));
        writeln!(out, "{name}\t{begin}-{end}\t{words}\t{links}\t{kinds}\t")?;
    }
    Ok(())
}
