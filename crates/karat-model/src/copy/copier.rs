//! How a corpus is copied.

use crate::respace::Respaced;
use crate::{
    CandidateView, Change, CorpusBuilder, Document, Edit, Features, Flags, Link, Loss, MarkKind,
    Mention, Place, Restriction, Span, StrId,
};
use std::collections::HashMap;

/// A candidate: link, score, types.
type Ranked = (Link, f64, StrId);

/// Copies document by document what a restriction keeps, and counts what it does not.
pub(super) struct Copier<'r> {
    pub(super) to: &'r Restriction,
    pub(super) builder: CorpusBuilder,
    pub(super) loss: Loss,
}

impl Copier<'_> {
    fn has(&self, feature: Features) -> bool {
        self.to.features.contains(feature)
    }

    pub(super) fn document(&mut self, document: &Document<'_>) {
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
    pub(super) fn heading(&mut self, document: &Document<'_>, respaced: Option<&Respaced>) {
        self.heading_as(document.name(), document, respaced);
    }

    /// The same under this name.
    pub(super) fn heading_as(
        &mut self,
        name: &str,
        document: &Document<'_>,
        respaced: Option<&Respaced>,
    ) {
        self.heading_of(name, document, respaced, None);
    }

    /// All of a document but its annotations, with other sentences.
    pub(super) fn heading_with(&mut self, document: &Document<'_>, sentences: &[Span]) {
        self.heading_of(document.name(), document, None, Some(sentences));
    }

    fn heading_of(
        &mut self,
        name: &str,
        document: &Document<'_>,
        respaced: Option<&Respaced>,
        sentences: Option<&[Span]>,
    ) {
        let place = |span: Span| respaced.map_or(span, |respaced| respaced.span(span));
        // Names are unique in a corpus, so going on with one is starting it.
        self.builder.continue_document(name);
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
            if let (MarkKind::Sentence, Some(sentences)) = (kind, sentences) {
                sentences.iter().for_each(|&span| self.builder.mark(kind, span, ""));
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

    pub(super) fn copy_document(
        &mut self,
        document: &Document<'_>,
        edit: impl FnMut(&Mention<'_>) -> Edit,
    ) {
        self.heading(document, None);
        self.mentions(document, edit);
    }

    pub(super) fn mentions(
        &mut self,
        document: &Document<'_>,
        mut edit: impl FnMut(&Mention<'_>) -> Edit,
    ) {
        let mut new_index: Vec<Option<u32>> = Vec::with_capacity(document.mentions().len());
        for mention in document.mentions() {
            let parent = mention.place().map(|place| place.parent as usize);
            // A parent may come after its part in the file. Then it is not known yet whether the
            // parent is kept, and the part is judged alone.
            let orphan = parent.is_some_and(|parent| new_index.get(parent) == Some(&None));
            let edit = edit(&mention);
            let kept = edit != Edit::Remove && !orphan;
            new_index.push(kept.then(|| self.builder.next_index()));
            if kept {
                self.mention(&mention, edit);
            }
        }
        // Parents may come later than their parts, so places can be set only when every kept
        // annotation has its new index.
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
        let mut sizes: HashMap<Place, usize> = HashMap::new();
        for place in mentions.iter().filter_map(Mention::place) {
            *sizes.entry(place).or_default() += 1;
        }
        let mut keep: Vec<bool> = mentions
            .iter()
            .map(|mention| {
                let fits = self.fits_tree(mention, &mentions, &sizes);
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
                // A part may lie on the span of its root. That is not a repeat, so only roots count.
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
            // After sorting by start, one running end tells whether a mention overlaps any kept
            // one: n log n, where comparing pairs would be quadratic on a file of nested mentions.
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

    /// Whether the format can hold where a mention stands in the tree of alternatives; `sizes` has how many parts
    /// each reading has.
    fn fits_tree(
        &self,
        mention: &Mention<'_>,
        all: &[Mention<'_>],
        sizes: &HashMap<Place, usize>,
    ) -> bool {
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
        // The format writes alternatives as further links of one span. So a reading must be a
        // single annotation, directly below a root, on the span of that root.
        let Some(parent) = all.get(place.parent as usize) else { return false };
        let alone = sizes.get(&place) == Some(&1);
        alone && parent.place().is_none() && parent.span() == mention.span()
    }

    pub(super) fn mention(&mut self, mention: &Mention<'_>, edit: Edit) {
        let change = match edit {
            Edit::Change(change) => change,
            Edit::Answer(index) => match mention.candidates().nth(index) {
                Some(answer) => return self.answered(mention, &answer),
                None => Change::default(),
            },
            Edit::Keep | Edit::Remove => Change::default(),
        };
        let Change { span, entity, tags, types, attributes } = change;
        let span = span.unwrap_or_else(|| mention.span());
        let entity = entity.as_deref().or_else(|| mention.entity());
        let link = match entity.is_none() && self.stays_open(mention) {
            true => Link::NONE,
            false => self.link(mention.link(), entity, mention.nil_cluster()),
        };
        let flags = self.flags(mention.flags());
        let types = match &types {
            Some(types) => self.types(types.iter().map(String::as_str)),
            None => self.types(mention.types()),
        };
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
        // An attribute that the change names is replaced or removed, never repeated.
        let kept =
            mention.attributes().filter(|(key, _)| !attributes.iter().any(|(k, _)| k == key));
        let new = attributes.iter().filter_map(|(key, value)| Some((&**key, value.as_deref()?)));
        for (key, value) in kept.chain(new) {
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

    /// Whether the format can say that a mention has no answer, as it says nothing else of it.
    fn stays_open(&self, mention: &Mention<'_>) -> bool {
        let kept = |(key, _): (&str, &str)| self.to.keeps_annotation_attribute(key);
        self.has(Features::BARE_UNLINKED)
            && mention.link().is_none()
            && mention.confidence().is_none()
            && mention.types().next().is_none()
            && mention.candidates().len() == 0
            && !mention.attributes().any(kept)
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

    fn types<'a>(&mut self, types: impl Iterator<Item = &'a str>) -> Vec<&'a str> {
        let mut types: Vec<&str> = types.collect();
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
        // The answer is inserted first again below. It must not be in the list twice.
        candidates.retain(|&(other, ..)| other != link);
        let best = confidence.unwrap_or(f64::NEG_INFINITY);
        let above = candidates.iter().filter(|&&(_, score, _)| score > best).count();
        if above > 0 {
            // Their scores would make one of them the answer.
            self.loss.add("scores of candidates", candidates.len());
            candidates.iter_mut().for_each(|(_, score, _)| *score = f64::NAN);
        }
        // Candidates without a score go last. `total_cmp` alone would sort NaN above every number.
        let key = |score: f64| if score.is_nan() { f64::NEG_INFINITY } else { score };
        // Stable, so that candidates with equal scores keep the rank their system gave them.
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
