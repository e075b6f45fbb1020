//! Where sentences begin, and mentions that cross the end of one.
//!
//! The scripts of Hachey, Nothman and Radford (2014) put outputs back on the tokens of the corpus, sentence
//! by sentence, and so cut mentions where a sentence ends. Their published numbers depend on it.

use karat_model::{Change, Corpus, Document, Edit, MarkKind, Span};
use std::collections::HashMap;

/// Where the sentences of documents begin.
#[derive(Debug, Clone, Default)]
pub struct Sentences(HashMap<String, Starts>);

/// The same places counted in two ways: documents with a text count characters, others tokens.
#[derive(Debug, Clone, Default)]
struct Starts {
    characters: Vec<u32>,
    tokens: Vec<u32>,
}

impl Sentences {
    /// The sentences that the documents of a corpus are marked with.
    pub fn of(corpus: &Corpus) -> Sentences {
        let starts = |document: Document<'_>| {
            let tokens: Vec<u32> =
                document.marks_of(MarkKind::Token).map(|(span, _)| span.start).collect();
            let sentences = document.marks_of(MarkKind::Sentence);
            let characters: Vec<u32> = sentences.map(|(span, _)| span.start).collect();
            let token = |&start: &u32| tokens.partition_point(|&token| token < start) as u32;
            let tokens = characters.iter().map(token).collect();
            (document.name().to_owned(), Starts { characters, tokens })
        };
        Sentences(corpus.documents().map(starts).collect())
    }

    /// The sentences of a table: name of the document, number of tokens, first tokens of sentences
    /// separated by commas. A sentence does not end inside a gold mention: the annotators of AIDA
    /// joined what CoNLL had split there.
    pub fn of_table(table: &str, gold: &Corpus) -> Sentences {
        let line = |line: &str| {
            let mut fields = line.split('\t');
            let (name, _, starts) = (fields.next()?, fields.next()?, fields.next()?);
            let mentions: Vec<Span> =
                gold.document(name)?.annotations().iter().map(|mention| mention.span).collect();
            let is_inside =
                |start: u32| mentions.iter().any(|span| span.start < start && start < span.end);
            let starts = starts.split(',').filter_map(|start| start.parse().ok());
            let tokens = starts.filter(|&start| !is_inside(start)).collect();
            Some((name.to_owned(), Starts { tokens, ..Starts::default() }))
        };
        Sentences(table.lines().filter_map(line).collect())
    }

    /// Whether no document has a second sentence: then nothing can be cut.
    pub fn is_empty(&self) -> bool {
        self.0.values().all(|starts| starts.tokens.len() < 2 && starts.characters.len() < 2)
    }

    /// The corpus with mentions that cross the end of a sentence cut there.
    pub fn cut(&self, corpus: &Corpus) -> Corpus {
        corpus.edit(|mention| {
            let document = mention.document();
            let starts = self.0.get(document.name()).map(|starts| match document.text() {
                Some(_) => &starts.characters,
                None => &starts.tokens,
            });
            let Span { start, end } = mention.span();
            let inside = |&&sentence: &&u32| start < sentence && sentence < end;
            match starts.and_then(|starts| starts.iter().find(inside)) {
                Some(&next) => Edit::Change(Change::span(Span::new(start, next))),
                None => Edit::Keep,
            }
        })
    }
}
