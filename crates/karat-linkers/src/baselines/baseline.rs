//! What baselines have in common: mentions that are given or found, and a choice for each.

use super::dictionary::Finder;
use crate::answer::{AnsweredCandidate, AnsweredLink, AnsweredMention, LinkAnswer};
use crate::failure::{FailureKind, LinkFailure};
use crate::info::{LinkerInfo, LinkingTask};
use crate::linker::Linker;
use crate::task::LinkTask;
use karat_model::{Span, TextIndex};

/// A text with the mentions in it that are to be linked.
pub(super) struct Passage<'t> {
    pub(super) task: &'t LinkTask<'t>,
    pub(super) text: TextIndex<'t>,
    pub(super) spans: Vec<Span>,
}

impl<'t> Passage<'t> {
    /// The texts of the mentions; empty where a span is outside the text.
    pub(super) fn surfaces(&self) -> Vec<&'t str> {
        self.spans.iter().map(|span| self.text.slice(*span).unwrap_or_default()).collect()
    }

    /// Whether a mention may be linked to an entity: those to choose from may be given.
    pub(super) fn allows(&self, mention: usize, id: &str) -> bool {
        let given = self.task.candidates.filter(|_| self.task.mentions.is_some());
        given.and_then(|given| given.get(mention)).is_none_or(|ids| ids.iter().any(|one| one == id))
    }
}

/// What a mention is linked to.
#[derive(Debug, Clone, Default, PartialEq)]
pub(super) struct Chosen {
    pub(super) link: AnsweredLink,
    pub(super) confidence: Option<f64>,
    pub(super) candidates: Vec<AnsweredCandidate>,
}

impl Chosen {
    /// No entity of the base.
    pub(super) fn nil() -> Chosen {
        Chosen { link: AnsweredLink::Nil, ..Chosen::default() }
    }

    /// An entity.
    pub(super) fn entity(id: impl Into<String>) -> Chosen {
        Chosen { link: AnsweredLink::To(id.into()), ..Chosen::default() }
    }
}

/// How a baseline chooses.
pub(super) trait Choice: Send + Sync {
    /// A choice for each mention of the passage, in their order.
    fn choose(&self, passage: &Passage<'_>) -> Vec<Chosen>;

    /// Whether NIL is an answer where the baseline found the mention itself.
    fn keeps_nil(&self) -> bool {
        false
    }
}

/// A baseline: a finder of mentions, used where none are given, and a choice.
pub(super) struct Baseline<C> {
    info: LinkerInfo,
    finder: Option<Finder>,
    choice: C,
}

impl<C: Choice> Baseline<C> {
    /// One that finds mentions if there is a finder.
    pub(super) fn new(
        name: &str,
        settings: Vec<(String, String)>,
        finder: Option<Finder>,
        choice: C,
    ) -> Baseline<C> {
        let mut info = LinkerInfo::named(name, env!("CARGO_PKG_VERSION"));
        if finder.is_none() {
            info.tasks = vec![LinkingTask::Disambiguate];
        }
        // It takes no time to speak of, so that it is worth taking many at once.
        info.batch = 64;
        info.concurrency = usize::MAX;
        info.settings = settings;
        Baseline { info, finder, choice }
    }

    fn answer(&self, task: &LinkTask<'_>) -> Result<LinkAnswer, LinkFailure> {
        let text = TextIndex::new(task.text);
        let spans = match (task.mentions, &self.finder) {
            (Some(given), _) => given.to_vec(),
            (None, Some(finder)) => finder.find(task.text, task.language),
            (None, None) => {
                let message = format!("`{}` links mentions that are given", self.info.name);
                return Err(LinkFailure::new(FailureKind::Refused(400), message));
            }
        };
        let passage = Passage { task, text, spans };
        let chosen = self.choice.choose(&passage);
        let is_given = task.mentions.is_some();
        let is_kept = |chosen: &Chosen| match chosen.link {
            AnsweredLink::To(_) => true,
            AnsweredLink::Nil => is_given || self.choice.keeps_nil(),
            AnsweredLink::NoAnswer => is_given,
        };
        let pairs = passage.spans.iter().zip(chosen);
        let mentions =
            pairs.filter(|(_, chosen)| is_kept(chosen)).map(|(span, chosen)| AnsweredMention {
                at: Some((span.start.into(), span.end.into())),
                surface: passage.text.slice(*span).map(str::to_owned),
                link: chosen.link,
                confidence: chosen.confidence,
                types: Vec::new(),
                candidates: chosen.candidates,
            });
        Ok(LinkAnswer { mentions: mentions.collect(), ..LinkAnswer::default() })
    }
}

impl<C: Choice> Linker for Baseline<C> {
    fn info(&self) -> &LinkerInfo {
        &self.info
    }

    fn link(&self, tasks: &[LinkTask<'_>]) -> Vec<Result<LinkAnswer, LinkFailure>> {
        tasks.iter().map(|task| self.answer(task)).collect()
    }
}
