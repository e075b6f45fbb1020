//! What gold says.

use crate::answer::{AnsweredLink, AnsweredMention, LinkAnswer};
use crate::failure::{FailureKind, LinkFailure};
use crate::info::LinkerInfo;
use crate::linker::Linker;
use crate::registry::{BuiltIn, LinkerError};
use crate::task::LinkTask;
use karat_model::{Corpus, Document, Flags, Mention, Role, Span, literal};
use std::collections::HashSet;
use std::sync::Arc;

/// What gold says.
pub(super) static ORACLE: BuiltIn = BuiltIn {
    name: "oracle",
    title: "What gold says",
    about: "Answers with gold: every mention that has to be found, with its link; of a mention that is optional, those of its parts that are not. \
            It is the only linker that sees gold. Its score says what can be reached, and whether a convention counts as right what gold says: under `karat` it is 1. \
            Given mentions are linked as gold links exactly these spans.",
    settings: &[],
    needs_base: false,
    make: |context| {
        let gold = context
            .gold
            .clone()
            .ok_or_else(|| LinkerError::new("`oracle` answers with gold, and there is none"))?;
        let mut info = LinkerInfo::named("oracle", env!("CARGO_PKG_VERSION"));
        info.batch = 64;
        info.concurrency = usize::MAX;
        Ok(Box::new(Oracle { info, gold }))
    },
};

struct Oracle {
    info: LinkerInfo,
    gold: Arc<Corpus>,
}

impl Oracle {
    fn answer(&self, task: &LinkTask<'_>) -> Result<LinkAnswer, LinkFailure> {
        let document = self.gold.document(task.document).ok_or_else(|| {
            let message = format!("gold has no document `{}`", task.document);
            LinkFailure::new(FailureKind::Refused(404), message)
        })?;
        let mentions = match task.mentions {
            Some(given) => {
                let found =
                    given.iter().map(|span| (*span, linked_at(&document, whole(task, *span))));
                found.collect::<Vec<_>>()
            }
            None => {
                let units =
                    gold_units(&document).into_iter().map(|unit| (unit.span(), link(&unit)));
                units.filter_map(|(span, link)| Some((inside(task, span)?, link))).collect()
            }
        };
        let mentions = mentions
            .into_iter()
            .map(|(span, link)| AnsweredMention::at(span.start.into(), span.end.into(), link));
        Ok(LinkAnswer { mentions: mentions.collect(), ..LinkAnswer::default() })
    }
}

impl Linker for Oracle {
    fn info(&self) -> &LinkerInfo {
        &self.info
    }

    fn link(&self, tasks: &[LinkTask<'_>]) -> Vec<Result<LinkAnswer, LinkFailure>> {
        tasks.iter().map(|task| self.answer(task)).collect()
    }
}

/// Where a span of a part lies in its document.
fn whole(task: &LinkTask<'_>, span: Span) -> Span {
    let from = task.part.start;
    Span::new(span.start.saturating_add(from), span.end.saturating_add(from))
}

/// Where a span of a document lies in a part of it, if it lies in it.
fn inside(task: &LinkTask<'_>, span: Span) -> Option<Span> {
    let part = task.part;
    (part.is_empty() || part.contains(span)).then(|| {
        Span::new(span.start - part.start.min(span.start), span.end - part.start.min(span.end))
    })
}

fn link(mention: &Mention<'_>) -> AnsweredLink {
    match mention.entity() {
        Some(entity) => AnsweredLink::To(entity.to_owned()),
        None if mention.link().is_nil() => AnsweredLink::Nil,
        None => AnsweredLink::NoAnswer,
    }
}

/// What gold links exactly this span to; what has to be found comes before what is optional.
fn linked_at(document: &Document<'_>, span: Span) -> AnsweredLink {
    let there = document.mentions().filter(|mention| is_gold(mention) && mention.span() == span);
    there.min_by_key(is_optional).map_or(AnsweredLink::NoAnswer, |mention| link(&mention))
}

/// The mentions of a document that a linker has to find: roots that are not optional, and of those that are the nearest parts
/// that are not.
pub(super) fn gold_units<'d>(document: &Document<'d>) -> Vec<Mention<'d>> {
    let mentions: Vec<Mention<'d>> = document.mentions().collect();
    let mut units = Vec::new();
    for mention in &mentions {
        if !is_gold(mention) || is_optional(mention) {
            continue;
        }
        let mut passed = HashSet::new();
        let mut parent = mention.place().map(|place| place.parent);
        // Everything above it has to be optional. Parts of themselves are in no tree and are left out.
        let is_unit = loop {
            match parent {
                None => break true,
                Some(at) => match mentions.get(at as usize) {
                    Some(above) if is_optional(above) && passed.insert(at) => {
                        parent = above.place().map(|place| place.parent);
                    }
                    _ => break false,
                },
            }
        };
        if is_unit {
            units.push(*mention);
        }
    }
    units
}

fn is_gold(mention: &Mention<'_>) -> bool {
    Role::Gold.plays(mention.flags())
}

/// Whether nobody has to find a mention: it is said to be optional, it describes, or it is a quantity or a time.
fn is_optional(mention: &Mention<'_>) -> bool {
    mention.flags().intersects(Flags::OPTIONAL | Flags::DESCRIPTIVE)
        || mention.types().any(|name| [literal::QUANTITY, literal::DATETIME].contains(&name))
}
