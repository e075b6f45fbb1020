//! Copies of a corpus: without what a format cannot hold, filtered, or edited.

mod copier;

use crate::corpus::Memo;
use crate::respace::Respaced;
use crate::{
    Change, Corpus, CorpusBuilder, Document, DuplicateDocument, Edit, Features, Link, Loss,
    Mention, Restriction, Span, StrId,
};
use copier::Copier;
use std::borrow::Cow;

/// The annotations of a document while they are written anew ([`Corpus::rewritten`]).
pub struct Rewriting<'c> {
    copier: &'c mut Copier<'static>,
}

impl Rewriting<'_> {
    /// Copies an annotation with all that is said of it but its place in a tree of alternatives, and gives its new
    /// index.
    pub fn copy(&mut self, mention: &Mention<'_>) -> u32 {
        let index = self.copier.builder.next_index();
        self.copier.mention(mention, Edit::Keep);
        index
    }

    /// As [`copy`](Rewriting::copy), with something changed: the annotation may come from another document.
    pub fn copy_as(&mut self, mention: &Mention<'_>, edit: Edit) -> u32 {
        let index = self.copier.builder.next_index();
        self.copier.mention(mention, edit);
        index
    }

    /// The corpus that is built, to add annotations to the document and to put them into trees.
    pub fn builder(&mut self) -> &mut CorpusBuilder {
        &mut self.copier.builder
    }
}

impl std::fmt::Debug for Rewriting<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Rewriting").finish_non_exhaustive()
    }
}

impl Corpus {
    /// The corpus without what a format cannot hold, and what that was.
    ///
    /// Writing `c` and reading it back gives `c.restrict(format)`: this is the
    /// rule every format is tested against.
    pub fn restrict(&self, to: &Restriction) -> (Corpus, Loss) {
        let mut copier = Copier { to, builder: CorpusBuilder::new(), loss: Loss::default() };
        for document in self.documents() {
            copier.document(&document);
        }
        (copier.builder.finish(), copier.loss)
    }

    /// As [`Corpus::restrict`], but without a copy when nothing can be lost.
    pub fn restricted(&self, to: &Restriction) -> (Cow<'_, Corpus>, Loss) {
        if self.surely_fits(to) {
            return (Cow::Borrowed(self), Loss::default());
        }
        let (corpus, loss) = self.restrict(to);
        (Cow::Owned(corpus), loss)
    }

    /// Whether nothing would be lost. Only plain annotations are looked at; where
    /// more would have to be, the answer is no.
    fn surely_fits(&self, to: &Restriction) -> bool {
        let has = |feature| to.features.contains(feature);
        let plain = self.extras.is_empty() && self.marks.is_empty() && self.attributes.is_empty();
        let types_fit = |types: StrId| match types {
            StrId::EMPTY => true,
            _ if has(Features::TYPES) => true,
            types => has(Features::TYPE) && self.list(types).nth(1).is_none(),
        };
        let link_fits = |link: Link, bare: bool| match (link.is_none(), link.is_nil()) {
            (true, _) => has(Features::UNLINKED) || bare && has(Features::BARE_UNLINKED),
            (_, true) if link.cluster().is_some() => has(Features::NIL_CLUSTERS),
            (_, true) => has(Features::NIL),
            _ => true,
        };
        plain
            && has(Features::OVERLAPS | Features::REPEATS)
            && self.documents.iter().all(|row| {
                (row.annotations.len > 0 || has(Features::EMPTY_DOCUMENTS))
                    && (row.text.is_none() || has(Features::TEXT))
                    && (row.evaluation_span.is_none() || has(Features::EVALUATION_SPAN))
            })
            && self.annotations.iter().all(|annotation| {
                let bare = annotation.confidence.is_nan() && annotation.types == StrId::EMPTY;
                annotation.flags.is_empty()
                    && (annotation.confidence.is_nan() || has(Features::CONFIDENCE))
                    && (!annotation.span.is_empty() || has(Features::EMPTY_SPANS))
                    && types_fit(annotation.types)
                    && link_fits(annotation.link, bare)
            })
    }

    /// The corpus with only those annotations that `keep` wants; what is below
    /// a dropped annotation in a tree of alternatives goes with it.
    pub fn filter(&self, keep: impl Fn(&Mention<'_>) -> bool) -> Corpus {
        let to = &Restriction::NOTHING_LOST;
        let mut copier = Copier { to, builder: CorpusBuilder::new(), loss: Loss::default() };
        for document in self.documents() {
            copier.copy_document(
                &document,
                |mention| {
                    if keep(mention) { Edit::Keep } else { Edit::Remove }
                },
            );
        }
        copier.builder.finish()
    }

    /// The corpus with only the documents whose names `keep` wants.
    pub fn only_documents(&self, keep: impl Fn(&str) -> bool) -> Corpus {
        let to = &Restriction::NOTHING_LOST;
        let mut copier = Copier { to, builder: CorpusBuilder::new(), loss: Loss::default() };
        for document in self.documents().filter(|document| keep(document.name())) {
            copier.copy_document(&document, |_| Edit::Keep);
        }
        copier.builder.finish()
    }

    /// The corpus with only the document at this position, or with none. Annotations keep their places in it.
    pub fn document_alone(&self, index: Option<usize>) -> Corpus {
        let to = &Restriction::NOTHING_LOST;
        let mut copier = Copier { to, builder: CorpusBuilder::new(), loss: Loss::default() };
        if let Some(document) = index.and_then(|index| self.document_at(index)) {
            copier.copy_document(&document, |_| Edit::Keep);
        }
        copier.builder.finish()
    }

    /// Several corpora as one, one after the other. A document is called what `name` makes of the
    /// place of its corpus and its name there; names must differ, as no document becomes part of another.
    pub fn joined<'c>(
        parts: impl IntoIterator<Item = &'c Corpus>,
        name: impl Fn(usize, &'c str) -> Cow<'c, str>,
    ) -> Result<Corpus, DuplicateDocument> {
        let to = &Restriction::NOTHING_LOST;
        let mut copier = Copier { to, builder: CorpusBuilder::new(), loss: Loss::default() };
        for (at, part) in parts.into_iter().enumerate() {
            for document in part.documents() {
                let name = name(at, document.name());
                copier.builder.begin_document(&name)?;
                copier.heading_as(&name, &document, None);
                copier.mentions(&document, |_| Edit::Keep);
            }
        }
        Ok(copier.builder.finish())
    }

    /// The documents before this position, and a builder that goes on with the others.
    pub(crate) fn split_at(mut self, position: usize) -> (Corpus, CorpusBuilder) {
        let to = &Restriction::NOTHING_LOST;
        let mut copier = Copier { to, builder: CorpusBuilder::new(), loss: Loss::default() };
        for document in self.documents().skip(position) {
            copier.copy_document(&document, |_| Edit::Keep);
        }
        // The arrays are about to change, so nothing that was computed from them may be kept.
        self.memo = Memo::default();
        // What belongs to the documents that went stays behind, unused.
        self.documents.truncate(position);
        let used = self.documents.iter().map(|row| row.annotations.range().end).max();
        self.annotations.truncate(used.unwrap_or(0));
        (self, copier.builder)
    }

    /// The corpus with each annotation kept, changed or removed.
    pub fn edit(&self, mut edit: impl FnMut(&Mention<'_>) -> Edit) -> Corpus {
        let to = &Restriction::NOTHING_LOST;
        let mut copier = Copier { to, builder: CorpusBuilder::new(), loss: Loss::default() };
        for document in self.documents() {
            copier.copy_document(&document, &mut edit);
        }
        copier.builder.finish()
    }

    /// The corpus with the annotations of its documents written anew: `rewrite` is asked about every document, after
    /// everything else of it was copied. It writes all annotations of the document and gives `true`, or writes nothing and
    /// gives `false`: then they stay as they are.
    ///
    /// ```
    /// use karat_model::{CorpusBuilder, Link, Span};
    ///
    /// let mut builder = CorpusBuilder::new();
    /// builder.begin_document("d")?;
    /// builder.annotate(Span::new(0, 6), Link::NIL);
    /// let corpus = builder.finish().rewritten(|document, annotations| {
    ///     for mention in document.mentions() {
    ///         annotations.copy(&mention);
    ///     }
    ///     annotations.builder().annotate(Span::new(7, 9), Link::NONE);
    ///     true
    /// });
    /// assert_eq!(corpus.annotations().len(), 2);
    /// # Ok::<(), karat_model::DuplicateDocument>(())
    /// ```
    pub fn rewritten(
        &self,
        mut rewrite: impl FnMut(&Document<'_>, &mut Rewriting<'_>) -> bool,
    ) -> Corpus {
        let to = &Restriction::NOTHING_LOST;
        let mut copier = Copier { to, builder: CorpusBuilder::new(), loss: Loss::default() };
        for document in self.documents() {
            copier.heading(&document, None);
            if !rewrite(&document, &mut Rewriting { copier: &mut copier }) {
                copier.mentions(&document, |_| Edit::Keep);
            }
        }
        copier.builder.finish()
    }

    /// The corpus with other white space: where `tokens` gives the tokens of a document, its
    /// text becomes these, and all that stands in it moves along. What is between two of them
    /// stays if it is one of `gaps`; otherwise it is a line break, where it had one and may be
    /// one, or a space.
    pub fn respaced(
        &self,
        tokens: impl Fn(&Document<'_>) -> Option<Vec<Span>>,
        gaps: &[&str],
    ) -> Corpus {
        let to = &Restriction::NOTHING_LOST;
        let mut copier = Copier { to, builder: CorpusBuilder::new(), loss: Loss::default() };
        for document in self.documents() {
            let tokens = tokens(&document);
            let respaced = tokens.and_then(|tokens| Respaced::of(&document, &tokens, gaps));
            copier.heading(&document, respaced.as_ref());
            copier.mentions(&document, |mention| match &respaced {
                Some(respaced) => Edit::Change(Change::span(respaced.span(mention.span()))),
                None => Edit::Keep,
            });
        }
        copier.builder.finish()
    }

    /// The corpus with sentences that no mention goes over the end of: those that one does are one sentence.
    pub fn with_whole_sentences(&self) -> Corpus {
        let to = &Restriction::NOTHING_LOST;
        let mut copier = Copier { to, builder: CorpusBuilder::new(), loss: Loss::default() };
        for document in self.documents() {
            match document.cuts_mentions() {
                true => copier.heading_with(&document, &document.whole_sentences()),
                false => copier.heading(&document, None),
            }
            copier.mentions(&document, |_| Edit::Keep);
        }
        copier.builder.finish()
    }

    /// The corpus with other texts, as long as those they replace, so that everything stays where it is;
    /// a text of another length is not taken.
    pub fn with_texts(&self, text: impl Fn(&Document<'_>) -> Option<String>) -> Corpus {
        let to = &Restriction::NOTHING_LOST;
        let mut copier = Copier { to, builder: CorpusBuilder::new(), loss: Loss::default() };
        let length = |text: &str| text.chars().count();
        for document in self.documents() {
            copier.heading(&document, None);
            let new =
                text(&document).filter(|new| document.text().map(length) == Some(length(new)));
            if let Some(new) = new {
                copier.builder.set_text(&new);
            }
            copier.mentions(&document, |_| Edit::Keep);
        }
        copier.builder.finish()
    }

    /// The corpus with an annotation for each position of each mention, in place of the
    /// mention: what is compared then is characters, or tokens where a file counts these.
    /// Alternatives, which are whole mentions, are left out.
    pub fn to_weak(&self) -> Corpus {
        let to = &Restriction::NOTHING_LOST;
        let mut copier = Copier { to, builder: CorpusBuilder::new(), loss: Loss::default() };
        for document in self.documents() {
            copier.heading(&document, None);
            for mention in document.mentions().filter(|mention| mention.place().is_none()) {
                // Memory grows with the total length of the mentions, not with their number.
                for position in mention.span().start..mention.span().end {
                    let span = Span::new(position, position + 1);
                    copier.mention(&mention, Edit::Change(Change::span(span)));
                }
            }
        }
        copier.builder.finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Flags, MarkKind};

    fn corpus() -> Corpus {
        let mut builder = CorpusBuilder::new();
        builder.begin_document("full").unwrap();
        builder.set_text("New York City");
        let link = Link::to(builder.intern("Q60"));
        let root = builder.annotate(Span::new(0, 13), link).types(["A", "B"]).index();
        builder.annotate(Span::new(0, 8), link).part_of(root, 1);
        builder.annotate(Span::new(0, 13), Link::NIL).part_of(root, 2).tags(["t"]);
        builder.annotate(Span::new(4, 13), Link::NONE).flags(Flags::OPTIONAL);
        builder.begin_document("empty").unwrap();
        builder.finish()
    }

    #[test]
    fn joined_corpora_keep_everything_under_other_names() {
        let (first, second) = (corpus(), corpus());
        let name = |at: usize, name: &str| Cow::Owned(format!("{at}/{name}"));
        let joined = Corpus::joined([&first, &second], name).unwrap();
        let names: Vec<&str> = joined.documents().map(|document| document.name()).collect();
        assert_eq!(names, ["0/full", "0/empty", "1/full", "1/empty"]);
        let again = joined.only_documents(|name| name.starts_with("1/"));
        let again = Corpus::joined([&again], |_, name| Cow::Borrowed(&name[2..])).unwrap();
        assert_eq!(again.difference(&corpus()), None);
    }

    #[test]
    fn joined_corpora_merge_no_documents() {
        let (first, second) = (corpus(), corpus());
        let merged = Corpus::joined([&first, &second], |_, name| Cow::Borrowed(name));
        assert_eq!(merged.map_err(|duplicate| duplicate.name).unwrap_err(), "full");
    }

    fn spans(corpus: &Corpus) -> Vec<String> {
        corpus.documents().flat_map(|d| d.mentions()).map(|m| m.span().to_string()).collect()
    }

    #[test]
    fn nothing_is_lost_in_a_format_that_holds_everything() {
        let (same, loss) = corpus().restrict(&Restriction::NOTHING_LOST);
        assert_eq!(same.difference(&corpus()), None);
        assert!(loss.is_empty());
    }

    #[test]
    fn what_cannot_be_held_is_counted() {
        let to = Restriction {
            features: Features::TEXT | Features::TYPE | Features::NIL,
            document_attributes: &[],
            annotation_attributes: &[],
        };
        let (less, loss) = corpus().restrict(&to);
        assert_eq!(spans(&less), ["0..13"]);
        let loss: Vec<_> = loss.iter().collect();
        assert_eq!(
            loss,
            [
                ("documents without annotations", 1),
                ("overlapping mentions", 1),
                ("parts of alternatives", 2),
                ("types", 1),
            ]
        );
    }

    #[test]
    fn alternatives_on_the_same_span_may_stay_alone() {
        let features = Features::all() - Features::PARTS;
        let to = Restriction { features, ..Restriction::NOTHING_LOST };
        let (less, _) = corpus().restrict(&to);
        assert_eq!(spans(&less), ["0..13", "0..13", "4..13"]);
    }

    #[test]
    fn an_answer_among_candidates_keeps_no_more_than_they_do() {
        let mut builder = CorpusBuilder::new();
        builder.begin_document("d").unwrap();
        let [a, b] = ["Q1", "Q2"].map(|entity| Link::to(builder.intern(entity)));
        let annotation = builder.annotate(Span::new(0, 1), a).confidence(0.5).types(["PER"]);
        annotation.candidate(a, 0.5).candidate(b, 0.25);
        let features = Features::CANDIDATES | Features::TYPE | Features::CONFIDENCE;
        let (less, _) =
            builder.finish().restrict(&Restriction { features, ..Restriction::NOTHING_LOST });
        let mention = less.documents().next().unwrap().mentions().next().unwrap();
        assert_eq!(mention.confidence(), Some(0.5));
        let kept: Vec<_> =
            mention.candidates().map(|c| (c.entity, c.score, c.types().count())).collect();
        assert_eq!(kept, [(Some("Q1"), None, 0), (Some("Q2"), None, 0)]);
    }

    #[test]
    fn what_surely_fits_is_not_copied() {
        let mut builder = CorpusBuilder::new();
        builder.begin_document("d").unwrap();
        let link = Link::to(builder.intern("Q1"));
        builder.annotate(Span::new(0, 1), link).types(["A"]).confidence(0.5);
        let plain = builder.finish();
        let everything = Features::all();
        for (features, copied) in [
            (everything, false),
            (everything - Features::TYPES, false),
            (everything - Features::TYPES - Features::TYPE, true),
            (everything - Features::CONFIDENCE, true),
            (everything - Features::OVERLAPS, true),
        ] {
            let to = Restriction { features, ..Restriction::NOTHING_LOST };
            let (corpus, loss) = plain.restricted(&to);
            assert_eq!(matches!(corpus, Cow::Owned(_)), copied, "{features:?}");
            assert_eq!((corpus.into_owned(), loss), plain.restrict(&to));
        }
    }

    #[test]
    fn what_stands_in_a_text_moves_with_its_tokens() {
        let mut builder = CorpusBuilder::new();
        builder.begin_document("d").unwrap();
        builder.set_text(" é-Rome,  now");
        builder.set_evaluation_span(Span::new(0, 13));
        builder.mark(MarkKind::Sentence, Span::new(1, 8), "");
        for span in [(3, 7), (3, 10), (1, 8), (4, 6), (8, 10)] {
            builder.annotate(Span::new(span.0, span.1), Link::NIL);
        }
        let tokens = [(1, 2), (2, 3), (3, 7), (7, 8), (10, 13)].map(|(s, e)| Span::new(s, e));
        let corpus = builder.finish();
        let text = |gaps: &[&str]| {
            let moved = corpus.respaced(|_| Some(tokens.to_vec()), gaps);
            moved.document("d").unwrap().text().unwrap().to_owned()
        };
        assert_eq!(text(&["", " "]), "é-Rome, now");
        assert_eq!(text(&["", "  "]), "é-Rome,  now");
        let moved = corpus.respaced(|_| Some(tokens.to_vec()), &[" "]);
        let document = moved.document("d").unwrap();
        assert_eq!(document.text(), Some("é - Rome , now"));
        let sentence: Vec<_> =
            document.marks_of(MarkKind::Sentence).map(|(span, _)| span).collect();
        assert_eq!(sentence, [Span::new(0, 10)]);
        assert_eq!(document.marks_of(MarkKind::Token).count(), 5);
        assert_eq!(document.evaluation_span(), Some(Span::new(0, 14)));
        assert_eq!(spans(&moved), ["4..8", "4..10", "0..10", "5..7", "11..11"]);
    }

    #[test]
    fn a_filter_takes_the_parts_with_the_root() {
        let left = corpus().filter(|mention| mention.types().count() == 0);
        assert_eq!(spans(&left), ["4..13"]);
    }

    #[test]
    fn a_candidate_becomes_the_only_answer() {
        let mut builder = CorpusBuilder::new();
        builder.continue_document("d");
        let (first, second) = (Link::to(builder.intern("A")), Link::to(builder.intern("B")));
        let kind = builder.intern_list(["T"]);
        builder
            .annotate(Span::new(0, 4), first)
            .attribute("comment", "kept")
            .candidate(first, 0.9)
            .candidate_with_types(second, 0.5, kind);
        let corpus = builder.finish();
        let chosen = corpus.edit(|_| Edit::Answer(1));
        let mention = chosen.document("d").unwrap().mention(0).unwrap();
        assert_eq!((mention.entity(), mention.confidence()), (Some("B"), Some(0.5)));
        assert_eq!(mention.types().collect::<Vec<_>>(), ["T"]);
        assert_eq!(mention.attribute("comment"), Some("kept"));
        assert_eq!(mention.candidates().len(), 0);
        assert_eq!(corpus.edit(|_| Edit::Answer(2)).difference(&corpus), None);
    }

    #[test]
    fn a_weak_corpus_has_an_annotation_for_each_position() {
        let weak = corpus().to_weak();
        let spans = spans(&weak);
        assert_eq!(spans.len(), 13 + 9, "of the two roots");
        assert_eq!((spans[0].as_str(), spans[21].as_str()), ("0..1", "12..13"));
    }
}
