//! Links against a knowledge base.

use crate::check::{Check, CheckInfo, CheckReport, Severity, Subject};
use karat_kb::{KnowledgeBase, Step, spelled_like};
use karat_model::{Change, Edit};
use std::collections::HashMap;

/// The check.
pub(crate) struct LinkTarget;

static INFO: CheckInfo = CheckInfo {
    name: "link-target",
    about: "With a knowledge base: a link that it does not know, one that is a redirect, or one that leads to a page that only lists what a name may mean.",
    severity: Severity::Warning,
    fix: Some("replaces a redirect by what it leads to"),
};

/// Wikidata's class of disambiguation pages.
const DISAMBIGUATION_PAGE: &str = "Q4167410";

impl Check for LinkTarget {
    fn info(&self) -> &'static CheckInfo {
        &INFO
    }

    fn needs_base(&self) -> bool {
        true
    }

    fn run(&self, subject: &Subject<'_>, report: &mut CheckReport) {
        let Some(base) = subject.base else { return };
        let mut judged: HashMap<&str, Option<Fault>> = HashMap::new();
        for document in subject.corpus.documents() {
            for (index, mention) in document.mentions().enumerate() {
                let Some(entity) = mention.entity() else { continue };
                // Judged once for each id: frequent entities have thousands of mentions.
                let fault = judged.entry(entity).or_insert_with(|| judge(entity, base));
                let Some(fault) = fault else { continue };
                let fix = fault.target.as_ref();
                let fix = fix.map(|target| (index, Edit::Change(Change::entity(target))));
                report.mention(&INFO, &mention, fault.message.clone(), fix.into_iter().collect());
            }
        }
    }
}

/// What is wrong with a link, and what it should be.
struct Fault {
    message: String,
    target: Option<String>,
}

fn judge(entity: &str, base: &KnowledgeBase) -> Option<Fault> {
    let Some(known) = base.entity(entity) else {
        let message = format!("the knowledge base has no `{entity}`");
        return Some(Fault { message, target: None });
    };
    let is_list =
        known.types().known().is_some_and(|mut ids| ids.any(|id| id == DISAMBIGUATION_PAGE))
            || [entity, known.id()].iter().any(|id| id.ends_with("_(disambiguation)"));
    if is_list {
        let message = format!("`{entity}` only lists what the name may mean");
        return Some(Fault { message, target: None });
    }
    let steps = base.explain(entity);
    let title = &steps.iter().rfind(|explained| explained.step == Step::Redirect)?.id;
    let message = format!("`{entity}` is a redirect to `{title}`");
    // Only what leads to the same entity is a fix.
    let target = spelled_like(entity, title);
    let target = target.filter(|target| base.resolve(target) == base.resolve(entity));
    Some(Fault { message, target })
}
