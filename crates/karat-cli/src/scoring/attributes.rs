//! Attributes that measures ask about.

use super::Contest;
use crate::failure::Failure;
use karat::measures::Selection;
use karat::model::Corpus;

/// An attribute that no mention has was mistyped.
pub(crate) fn check_attributes(selection: &Selection, contests: &[Contest]) -> Result<(), Failure> {
    let corpora = || {
        contests.iter().flat_map(|contest| {
            let systems = contest.systems.iter().map(|system| &system.corpus);
            std::iter::once(&contest.gold).chain(systems)
        })
    };
    let documents = || corpora().flat_map(Corpus::documents);
    let mentions = || documents().flat_map(|document| document.mentions());
    let is_known = |name: &str| mentions().any(|mention| mention.attribute(name).is_some());
    Ok(selection.check_attributes(is_known)?)
}
