//! Antecedents and coreferences in the older tag vocabulary.

use crate::category::categories;
use crate::check::{Check, CheckInfo, CheckReport, Severity, Subject};
use karat_model::{Change, DimensionCategory, Edit, Link, Mention};
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

    fn run(&self, subject: &Subject<'_>, report: &mut CheckReport) {
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
                let edit = Edit::Change(Change::tags(others.chain(right)));
                report.mention(&INFO, &mention, message, vec![(index, edit)]);
            }
        }
    }
}

/// The tag a mention should have; notes its entity as named.
fn right_tag(mention: &Mention<'_>, named: &mut HashSet<Link>) -> Option<&'static str> {
    let is = |wanted: DimensionCategory| categories(mention).any(|category| category == wanted);
    if is(DimensionCategory::CommonForm) || is(DimensionCategory::NumericTemporal) {
        return None;
    }
    if is(DimensionCategory::ProForm) {
        return Some(COREFERENCE);
    }
    Some(if named.insert(mention.link()) { ANTECEDENT } else { COREFERENCE })
}
