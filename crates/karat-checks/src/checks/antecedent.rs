//! Antecedents and coreferences in the older tag vocabulary.

use crate::check::{Check, CheckInfo, Report, Severity, Subject};
use karat_model::{Edit, Link, Mention};
use std::collections::HashSet;

/// The check.
pub(crate) struct Antecedent;

static INFO: CheckInfo = CheckInfo {
    name: "antecedent",
    about: "In the older vocabulary (`mnt:AntecedentRf`, `mnt:CoreferenceRf`): a pro-form is a coreference; the first mention of an entity in a document is the antecedent, later ones are coreferences; common and numeric forms carry neither tag.",
    severity: Severity::Warning,
    fix: Some("sets the tag that follows from the order of the document, or drops it"),
};

const ANTECEDENT: &str = "mnt:AntecedentRf";
const COREFERENCE: &str = "mnt:CoreferenceRf";

impl Check for Antecedent {
    fn info(&self) -> &'static CheckInfo {
        &INFO
    }

    fn run(&self, subject: &Subject<'_>, report: &mut Report) {
        for document in subject.corpus.documents() {
            let mut order: Vec<(usize, Mention<'_>)> = document.mentions().enumerate().collect();
            order.sort_by_key(|(index, mention)| (mention.span(), *index));
            let mut named: HashSet<Link> = HashSet::new();
            for (index, mention) in order {
                let Some(found) =
                    mention.tags().find(|tag| [ANTECEDENT, COREFERENCE].contains(tag))
                else {
                    continue;
                };
                let right = right_tag(&mention, &mut named);
                if right == Some(found) {
                    continue;
                }
                let message = match right {
                    Some(right) => format!("tagged {found}, expected {right}"),
                    None => format!("tagged {found}, but its form takes no such tag"),
                };
                let others = mention.tags().filter(|&tag| tag != found);
                let tags = others.chain(right).map(str::to_owned).collect();
                let edit = Edit::Change { span: None, entity: None, tags: Some(tags) };
                report.mention(&INFO, &mention, message, vec![(index, edit)]);
            }
        }
    }
}

/// The tag a mention should have; notes its entity as named.
fn right_tag(mention: &Mention<'_>, named: &mut HashSet<Link>) -> Option<&'static str> {
    // Readers turn the forms of the older vocabulary into the current names.
    let form = |name: &str| mention.tags().any(|tag| tag == name);
    if form("el:Mnt-CommonForm") || form("el:Mnt-NumericTemporal") {
        return None;
    }
    if form("el:Mnt-ProForm") {
        return Some(COREFERENCE);
    }
    Some(if named.insert(mention.link()) { ANTECEDENT } else { COREFERENCE })
}
