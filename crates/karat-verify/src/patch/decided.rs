//! The patch that follows from decisions about single places: somebody looked at what systems suspect and confirmed it.

use super::change::{GoldChange, PatchAction, Piece};
use super::content::{GoldAnswer, GoldContent, GoldField};
use super::view::{DocumentGold, annotations_digest};
use super::{GoldPatch, PatchBase};
use karat_model::{Corpus, Document, OffsetUnit, Span, TextIndex};
use serde::{Deserialize, Serialize};
use serde_json::json;

/// A place where gold was found to be wrong, and what is right.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct DecidedPlace {
    /// The document, by its number; the first is 1.
    pub document: usize,
    /// Where the mention starts.
    pub start: u32,
    /// Where it ends.
    pub end: u32,
    /// What gold says: an entity, `NIL`, or nothing where it has no mention.
    pub gold: String,
    /// What is right: an entity, `NIL`, or nothing where there should be no mention.
    pub proposed: String,
    /// Why.
    pub note: String,
}

impl GoldPatch {
    /// The corrections that follow from decisions, with the numbers of those that do not fit gold: it may have changed
    /// since, may have several mentions there that say the same, or a mention where there should be none.
    pub fn of_decisions(
        gold: &Corpus,
        unit: OffsetUnit,
        places: &[DecidedPlace],
    ) -> (GoldPatch, Vec<usize>) {
        let mut patch = GoldPatch { base: PatchBase::of(gold, unit), ..GoldPatch::default() };
        let mut order: Vec<usize> = (0..places.len()).collect();
        order.sort_by_key(|&at| places[at].document);
        let mut unfit = Vec::new();
        for of_document in order.chunk_by(|&a, &b| places[a].document == places[b].document) {
            let number = places[of_document[0]].document;
            let document = number.checked_sub(1).and_then(|at| gold.documents().nth(at));
            let Some(document) = document else {
                unfit.extend(of_document);
                continue;
            };
            let (index, found) = (document.text_index(), DocumentGold::of(&document));
            for &at in of_document {
                match change(&document, index.as_ref(), &found, &places[at]) {
                    Some(change) => patch.changes.push(change),
                    None => unfit.push(at),
                }
            }
        }
        patch.settle();
        let mut patch = patch.opened();
        patch.result = Some(annotations_digest(&patch.applied_to(gold).corpus));
        unfit.sort_unstable();
        (patch, unfit)
    }
}

fn change(
    document: &Document<'_>,
    index: Option<&TextIndex<'_>>,
    found: &DocumentGold,
    place: &DecidedPlace,
) -> Option<GoldChange> {
    let span = Span::new(place.start, place.end);
    if place.start > place.end || place.gold == place.proposed {
        return None;
    }
    let roots = found.at(span);
    let (answer, action, why) = if place.gold.is_empty() {
        // Where gold has another mention by now, nobody has decided between the two.
        if !roots.is_empty() {
            return None;
        }
        let answer = meant(&place.proposed);
        let content = GoldContent { span, answer: answer.clone(), ..GoldContent::default() };
        (answer, PatchAction::Add(Piece::Mention { content, copy: None }), "missing")
    } else {
        let is_meant = |content: &GoldContent| match &content.answer {
            GoldAnswer::Entity(entity) => *entity == place.gold,
            GoldAnswer::Nil(_) | GoldAnswer::Open => place.gold == "NIL",
        };
        let mut meant_here = roots.iter().filter(|root| is_meant(&root.content));
        let (Some(root), None) = (meant_here.next(), meant_here.next()) else { return None };
        let content = &root.content;
        let action = match place.proposed.is_empty() {
            true => PatchAction::Remove(Piece::Mention { content: content.clone(), copy: None }),
            false => relinked(content, &place.proposed),
        };
        let why = if place.proposed.is_empty() { "not-an-entity" } else { "wrong-link" };
        (content.answer.clone(), action, why)
    };
    let change = GoldChange::new(document, index, (span, answer), action);
    Some(GoldChange {
        why: Some(why.to_owned()),
        note: (!place.note.is_empty()).then(|| place.note.clone()),
        from: vec![json!({"decision": "suspicion"})],
        ..change
    })
}

fn relinked(content: &GoldContent, proposed: &str) -> PatchAction {
    let new = GoldContent { answer: meant(proposed), ..content.clone() };
    let fields = [GoldField::Link, GoldField::Nil].into_iter().filter_map(|field| {
        let (old, new) = (content.value(field), new.value(field));
        (old != new).then_some((field, old, new))
    });
    PatchAction::Set(fields.collect())
}

fn meant(text: &str) -> GoldAnswer {
    match text {
        "NIL" => GoldAnswer::Nil(None),
        entity => GoldAnswer::Entity(entity.to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use karat_model::{CorpusBuilder, Link};

    fn gold() -> Corpus {
        let mut builder = CorpusBuilder::new();
        builder.continue_document("d1");
        builder.set_text("Nothing here.");
        builder.continue_document("d2");
        builder.set_text("Paris met Lyon and Rome.");
        for (start, end, entity) in [(0, 5, "Q90"), (10, 14, "Q456")] {
            let link = Link::to(builder.intern(entity));
            builder.annotate(Span::new(start, end), link);
        }
        builder.finish()
    }

    fn place(start: u32, end: u32, gold: &str, proposed: &str) -> DecidedPlace {
        let (gold, proposed) = (gold.to_owned(), proposed.to_owned());
        DecidedPlace { document: 2, start, end, gold, proposed, note: "seen".to_owned() }
    }

    #[test]
    fn decisions_change_remove_and_add_mentions() {
        let places =
            [place(0, 5, "Q90", "Q142"), place(10, 14, "Q456", ""), place(19, 23, "", "NIL")];
        let (patch, unfit) = GoldPatch::of_decisions(&gold(), OffsetUnit::CodePoints, &places);
        assert!(unfit.is_empty(), "{unfit:?}");
        let patched = patch.applied_to(&gold());
        assert_eq!(patched.counts().applies, 3);
        let document = patched.corpus.document("d2").expect("the document");
        let said: Vec<(u32, String)> = document
            .mentions()
            .map(|it| (it.span().start, GoldAnswer::of(&it).written()))
            .collect();
        assert_eq!(said, [(0, "Q142".to_owned()), (19, "NIL".to_owned())]);
        assert!(patch.makes(&patched.corpus));
        assert_eq!(super::super::read(&patch.to_string()).expect("it can be read"), patch);
    }

    #[test]
    fn what_does_not_fit_gold_is_named_and_what_contradicts_waits() {
        let places = [
            place(0, 5, "Q1", "Q142"),
            place(0, 5, "", "Q142"),
            place(0, 5, "Q90", "Q90"),
            DecidedPlace { document: 9, ..place(0, 5, "Q90", "Q142") },
            place(10, 14, "Q456", "Q1"),
            place(10, 14, "Q456", "Q2"),
        ];
        let (patch, unfit) = GoldPatch::of_decisions(&gold(), OffsetUnit::CodePoints, &places);
        assert_eq!(unfit, [0, 1, 2, 3]);
        assert_eq!(patch.changes.len(), 2);
        assert_eq!(patch.active().count(), 0, "two answers to one question");
    }
}
