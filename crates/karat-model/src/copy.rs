//! Copies of a corpus: without what a format cannot hold, filtered, or edited.

use crate::respace::Respaced;
use crate::{
    CandidateView, Corpus, CorpusBuilder, Document, Features, Flags, Link, Loss, MarkKind, Mention,
    Restriction, Span, StrId,
};
use std::borrow::Cow;

impl Corpus {
    /// The corpus without what a format cannot hold, and what that was.
    ///
    /// Writing `c` and reading it back gives `c.restrict(format)`: this is the
    /// law every format is tested against.
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
        let link_fits = |link: Link| match (link.is_none(), link.is_nil()) {
            (true, _) => has(Features::UNLINKED),
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
                annotation.flags.is_empty()
                    && (annotation.confidence.is_nan() || has(Features::CONFIDENCE))
                    && (!annotation.span.is_empty() || has(Features::EMPTY_SPANS))
                    && types_fit(annotation.types)
                    && link_fits(annotation.link)
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

    /// The documents before this position, and a builder that goes on with the others.
    pub(crate) fn split_at(mut self, position: usize) -> (Corpus, CorpusBuilder) {
        let to = &Restriction::NOTHING_LOST;
        let mut copier = Copier { to, builder: CorpusBuilder::new(), loss: Loss::default() };
        for document in self.documents().skip(position) {
            copier.copy_document(&document, |_| Edit::Keep);
        }
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

    /// The corpus with other white space: where `tokens` gives the tokens of a document, its
    /// text becomes these, joined by single spaces, and all that stands in it moves along.
    pub fn respaced(&self, tokens: impl Fn(&Document<'_>) -> Option<Vec<Span>>) -> Corpus {
        let to = &Restriction::NOTHING_LOST;
        let mut copier = Copier { to, builder: CorpusBuilder::new(), loss: Loss::default() };
        for document in self.documents() {
            let tokens = tokens(&document);
            let respaced = tokens.and_then(|tokens| Respaced::of(&document, &tokens));
            copier.heading(&document, respaced.as_ref());
            copier.mentions(&document, |mention| match &respaced {
                Some(respaced) => {
                    let span = Some(respaced.span(mention.span()));
                    Edit::Change { span, entity: None, tags: None }
                }
                None => Edit::Keep,
            });
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
                for position in mention.span().start..mention.span().end {
                    let span = Some(Span::new(position, position + 1));
                    copier.mention(&mention, Edit::Change { span, entity: None, tags: None });
                }
            }
        }
        copier.builder.finish()
    }
}

/// What becomes of an annotation.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub enum Edit {
    /// It stays as it is.
    #[default]
    Keep,
    /// It goes, and what is below it in a tree of alternatives too.
    Remove,
    /// It changes; what is `None` stays.
    Change {
        /// Another place.
        span: Option<Span>,
        /// Another entity.
        entity: Option<String>,
        /// Other category tags.
        tags: Option<Vec<String>>,
    },
    /// The candidate at this index becomes its only answer. Without such a candidate it stays.
    Answer(usize),
}

/// A candidate: link, score, types.
type Ranked = (Link, f64, StrId);

struct Copier<'r> {
    to: &'r Restriction,
    builder: CorpusBuilder,
    loss: Loss,
}

impl Copier<'_> {
    fn has(&self, feature: Features) -> bool {
        self.to.features.contains(feature)
    }

    fn document(&mut self, document: &Document<'_>) {
        if document.mentions().len() == 0 && !self.has(Features::EMPTY_DOCUMENTS) {
            self.loss.add("documents without annotations", 1);
            return;
        }
        let keep = self.kept_mentions(document);
        let mut index = 0;
        self.copy_document(document, |_| {
            index += 1;
            if keep[index - 1] { Edit::Keep } else { Edit::Remove }
        });
    }

    /// All of a document but its annotations; its text may have other white space.
    fn heading(&mut self, document: &Document<'_>, respaced: Option<&Respaced>) {
        let place = |span: Span| respaced.map_or(span, |respaced| respaced.span(span));
        // Names are unique in a corpus, so going on with one is starting it.
        self.builder.continue_document(document.name());
        if let Some(text) = respaced.map(|r| r.text.as_str()).or_else(|| document.text()) {
            if self.has(Features::TEXT) {
                self.builder.set_text(text);
            } else {
                self.loss.add("texts", 1);
            }
        }
        if let Some(span) = document.evaluation_span() {
            if self.has(Features::EVALUATION_SPAN) {
                self.builder.set_evaluation_span(place(span));
            } else {
                self.loss.add("evaluation spans", 1);
            }
        }
        for (key, value) in document.attributes() {
            if self.to.keeps_document_attribute(key) {
                self.builder.document_attribute(key, value);
            } else {
                self.loss.add(&format!("document attribute `{key}`"), 1);
            }
        }
        if let Some(respaced) = respaced {
            respaced.tokens().for_each(|token| self.builder.mark(MarkKind::Token, token, ""));
        }
        for kind in MarkKind::ALL {
            if kind == MarkKind::Token && respaced.is_some() {
                continue;
            }
            let kept = self.has(kind.feature());
            for (span, value) in document.marks_of(kind) {
                if kept {
                    self.builder.mark(kind, place(span), value);
                } else {
                    self.loss.add(&format!("{} marks", kind.name()), 1);
                }
            }
        }
    }

    fn copy_document(&mut self, document: &Document<'_>, edit: impl FnMut(&Mention<'_>) -> Edit) {
        self.heading(document, None);
        self.mentions(document, edit);
    }

    fn mentions(&mut self, document: &Document<'_>, mut edit: impl FnMut(&Mention<'_>) -> Edit) {
        let mut new_index: Vec<Option<u32>> = Vec::with_capacity(document.mentions().len());
        for mention in document.mentions() {
            let parent = mention.place().map(|place| place.parent as usize);
            // A parent may stand after its part; then the part is judged alone.
            let orphan = parent.is_some_and(|parent| new_index.get(parent) == Some(&None));
            let edit = edit(&mention);
            let kept = edit != Edit::Remove && !orphan;
            new_index.push(kept.then(|| self.builder.next_index()));
            if kept {
                self.mention(&mention, edit);
            }
        }
        self.reconnect(document, &new_index);
    }

    /// Puts the kept annotations back into their trees under their new indices.
    fn reconnect(&mut self, document: &Document<'_>, new_index: &[Option<u32>]) {
        for (mention, &index) in document.mentions().zip(new_index) {
            let (Some(place), Some(index)) = (mention.place(), index) else { continue };
            let parent = new_index.get(place.parent as usize).copied().flatten();
            if let (Some(parent), Some(part)) = (parent, self.builder.annotation_mut(index)) {
                part.part_of(parent, place.reading);
            }
        }
    }

    /// Which mentions of a document the format can hold.
    fn kept_mentions(&mut self, document: &Document<'_>) -> Vec<bool> {
        let mentions: Vec<Mention<'_>> = document.mentions().collect();
        let mut keep: Vec<bool> = mentions
            .iter()
            .map(|mention| {
                let fits = self.fits_tree(mention, &mentions);
                if !fits {
                    self.loss.add("parts of alternatives", 1);
                }
                fits
            })
            .collect();
        if !self.has(Features::EMPTY_SPANS) {
            self.drop_where(&mut keep, "empty mentions", |index| mentions[index].span().is_empty());
        }
        if !self.has(Features::REPEATS) {
            let mut seen = std::collections::HashSet::new();
            for (index, mention) in mentions.iter().enumerate() {
                if keep[index] && mention.place().is_none() && !seen.insert(mention.span()) {
                    keep[index] = false;
                    self.loss.add("annotations on a span that has one", 1);
                }
            }
        }
        if !self.has(Features::OVERLAPS) {
            let mut order: Vec<usize> = (0..mentions.len()).filter(|&index| keep[index]).collect();
            // The longest mention at a place stays, as in the token formats of the field.
            order.sort_by_key(|&index| {
                let span = mentions[index].span();
                (span.start, std::cmp::Reverse(span.end), index)
            });
            let mut covered = 0;
            for index in order {
                if mentions[index].span().start < covered {
                    keep[index] = false;
                    self.loss.add("overlapping mentions", 1);
                } else {
                    covered = mentions[index].span().end;
                }
            }
        }
        keep
    }

    fn drop_where(&mut self, keep: &mut [bool], what: &str, test: impl Fn(usize) -> bool) {
        for (index, kept) in keep.iter_mut().enumerate() {
            if *kept && test(index) {
                *kept = false;
                self.loss.add(what, 1);
            }
        }
    }

    fn fits_tree(&self, mention: &Mention<'_>, all: &[Mention<'_>]) -> bool {
        let Some(place) = mention.place() else { return true };
        if self.has(Features::PARTS | Features::ALTERNATIVES) {
            return true;
        }
        if self.has(Features::PARTS) {
            return place.reading == 1;
        }
        if !self.has(Features::ALTERNATIVES) {
            return false;
        }
        let Some(parent) = all.get(place.parent as usize) else { return false };
        let alone = all.iter().filter(|other| other.place() == Some(place)).count() == 1;
        alone && parent.place().is_none() && parent.span() == mention.span()
    }

    fn mention(&mut self, mention: &Mention<'_>, edit: Edit) {
        let (span, entity, tags) = match edit {
            Edit::Change { span, entity, tags } => (span, entity, tags),
            Edit::Answer(index) => match mention.candidates().nth(index) {
                Some(answer) => return self.answered(mention, &answer),
                None => (None, None, None),
            },
            Edit::Keep | Edit::Remove => (None, None, None),
        };
        let span = span.unwrap_or_else(|| mention.span());
        let entity = entity.as_deref().or_else(|| mention.entity());
        let link = self.link(mention.link(), entity, mention.nil_cluster());
        let flags = self.flags(mention.flags());
        let types = self.types(mention);
        let mut candidates = self.candidates(mention);
        if !self.has(Features::UNRANKED_CANDIDATES) {
            // The answer among the candidates keeps no more than the others do.
            let score = mention.confidence().filter(|_| self.has(Features::CANDIDATE_SCORES));
            let kept = types.iter().copied().filter(|_| self.has(Features::CANDIDATE_TYPES));
            let kept: Vec<&str> = kept.collect();
            let answer = (link, score, self.builder.intern_list(kept));
            self.rank(&mut candidates, answer);
        }
        let mut annotation =
            self.builder.annotate(span, link).flags(flags).types(types.iter().copied());
        if let Some(confidence) = mention.confidence() {
            if self.to.features.contains(Features::CONFIDENCE) {
                annotation = annotation.confidence(confidence);
            } else {
                self.loss.add("confidences", 1);
            }
        }
        for (link, score, types) in candidates {
            annotation = annotation.candidate_with_types(link, score, types);
        }
        if self.to.features.contains(Features::TAGS) {
            annotation = match &tags {
                Some(tags) => annotation.tags(tags.iter().map(String::as_str)),
                None => annotation.tags(mention.tags()),
            };
        } else {
            self.loss.add("tags", mention.tags().count());
        }
        for entity in mention.equivalents() {
            if self.to.features.contains(Features::EQUIVALENTS) {
                annotation = annotation.equivalent(entity);
            } else {
                self.loss.add("equivalent links", 1);
            }
        }
        for (key, value) in mention.attributes() {
            if self.to.keeps_annotation_attribute(key) {
                annotation = annotation.attribute(key, value);
            } else {
                self.loss.add(&format!("annotation attribute `{key}`"), 1);
            }
        }
    }

    /// A mention with one of its candidates for its answer. Other names of the answer that
    /// it had are not names of this one.
    fn answered(&mut self, mention: &Mention<'_>, answer: &CandidateView<'_>) {
        let link = self.link(answer.link, answer.entity, answer.nil_cluster);
        let mut annotation = self
            .builder
            .annotate(mention.span(), link)
            .flags(mention.flags())
            .types(answer.types())
            .tags(mention.tags());
        if let Some(score) = answer.score {
            annotation = annotation.confidence(score);
        }
        for (key, value) in mention.attributes() {
            annotation = annotation.attribute(key, value);
        }
    }

    fn link(&mut self, link: Link, entity: Option<&str>, cluster: Option<&str>) -> Link {
        if let Some(entity) = entity {
            return Link::to(self.builder.intern(entity));
        }
        if let Some(cluster) = cluster {
            if self.has(Features::NIL_CLUSTERS) {
                return Link::nil_cluster(self.builder.intern(cluster));
            }
            self.loss.add("NIL clusters", 1);
        }
        match (link.is_nil(), self.has(Features::NIL), self.has(Features::UNLINKED)) {
            (true, false, true) => {
                self.loss.add("NIL told apart from no answer", 1);
                Link::NONE
            }
            (false, true, false) => {
                self.loss.add("no answer told apart from NIL", 1);
                Link::NIL
            }
            (true, ..) => Link::NIL,
            (false, ..) => Link::NONE,
        }
    }

    fn flags(&mut self, flags: Flags) -> Flags {
        let mut kept = flags;
        for (feature, group, what) in [
            (Features::OPTIONAL, Flags::OPTIONAL, "optional flags"),
            (
                Features::COREFERENCE,
                Flags::COREFERENCE | Flags::NOT_COREFERENCE,
                "coreference flags",
            ),
            (Features::DESCRIPTIVE, Flags::DESCRIPTIVE, "descriptive flags"),
            (Features::SIDES, Flags::GOLD | Flags::PREDICTED, "gold and system told apart"),
        ] {
            if flags.intersects(group) && !self.has(feature) {
                kept -= group;
                self.loss.add(what, 1);
            }
        }
        kept
    }

    fn types<'a>(&mut self, mention: &Mention<'a>) -> Vec<&'a str> {
        let mut types: Vec<&str> = mention.types().collect();
        let room = match () {
            () if self.has(Features::TYPES) => types.len(),
            () if self.has(Features::TYPE) => 1,
            () => 0,
        };
        if types.len() > room {
            self.loss.add("types", types.len() - room);
            types.truncate(room);
        }
        types
    }

    /// Brings candidates into the only form a ranking can express: the answer
    /// with its own score and types first, the others by falling score.
    fn rank(&mut self, candidates: &mut Vec<Ranked>, answer: (Link, Option<f64>, StrId)) {
        if candidates.is_empty() {
            return;
        }
        let (link, confidence, types) = answer;
        candidates.retain(|&(other, ..)| other != link);
        let best = confidence.unwrap_or(f64::NEG_INFINITY);
        let above = candidates.iter().filter(|&&(_, score, _)| score > best).count();
        if above > 0 {
            // Their scores would make one of them the answer.
            self.loss.add("scores of candidates", candidates.len());
            candidates.iter_mut().for_each(|(_, score, _)| *score = f64::NAN);
        }
        let key = |score: f64| if score.is_nan() { f64::NEG_INFINITY } else { score };
        candidates.sort_by(|a, b| key(b.1).total_cmp(&key(a.1)));
        if !candidates.is_empty() {
            candidates.insert(0, (link, confidence.unwrap_or(f64::NAN), types));
        }
    }

    fn candidates(&mut self, mention: &Mention<'_>) -> Vec<Ranked> {
        if !self.has(Features::CANDIDATES) {
            self.loss.add("candidates", mention.candidates().len());
            return Vec::new();
        }
        let mut kept = Vec::with_capacity(mention.candidates().len());
        for candidate in mention.candidates() {
            let link = self.link(candidate.link, candidate.entity, candidate.nil_cluster);
            let score = match candidate.score {
                Some(score) if self.has(Features::CANDIDATE_SCORES) => score,
                Some(_) => {
                    self.loss.add("scores of candidates", 1);
                    f64::NAN
                }
                None => f64::NAN,
            };
            let types = if self.has(Features::CANDIDATE_TYPES) {
                self.builder.intern_list(candidate.types())
            } else {
                self.loss.add("types of candidates", candidate.types().count());
                StrId::EMPTY
            };
            kept.push((link, score, types));
        }
        kept
    }
}

#[cfg(test)]
mod tests {
    use super::*;

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
        let moved = builder.finish().respaced(|_| Some(tokens.to_vec()));
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
