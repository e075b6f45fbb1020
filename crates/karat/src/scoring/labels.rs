//! What has no label: a part called `-` looks like a mistake unless it is explained.

use super::Scoring;
use karat_facets::UNLABELLED;
use karat_measures::{Grouping, Result as Scored, Slice, count_at};

impl Scoring {
    /// What should be known of the parts of each system, which is given by name: facets that no mention
    /// has a label of, and predictions that are in no other part.
    pub fn notes_on_parts<'s>(
        &self,
        systems: impl IntoIterator<Item = (&'s str, &'s [Slice])>,
    ) -> Vec<String> {
        let systems: Vec<(&str, &[Slice])> = systems.into_iter().collect();
        let mut notes = without_any_label(&systems);
        for (system, slices) in systems {
            let Some(slice) = slices.iter().find(|slice| is_of_predictions(slice)) else {
                continue;
            };
            let left_out = match self.divides_sides(&slice.facet) {
                true => "the precision and the recall of the other parts leave them out",
                false => "the precision of the other parts leaves them out",
            };
            let note = format!(
                "predictions of `{system}` for which no {} is known are under `{UNLABELLED}`; {left_out}",
                slice.facet
            );
            // A system may have several runs.
            if !notes.contains(&note) {
                notes.push(note);
            }
        }
        notes
    }

    /// Whether what is right is in a part only if its prediction has the label itself. What became of
    /// a mention is said of cases, however mentions are grouped.
    fn divides_sides(&self, joined: &str) -> bool {
        let is_it = |names: Vec<&str>| names.join("+") == joined;
        let mut same = self
            .facets
            .iter()
            .filter(|facets| is_it(facets.iter().map(|facet| facet.name()).collect()));
        let of_cases = same.any(|facets| facets.iter().any(|facet| facet.is_of_cases()));
        self.convention.grouping == Grouping::Sides && !of_cases
    }
}

/// Facets of which all labels are missing.
fn without_any_label(systems: &[(&str, &[Slice])]) -> Vec<String> {
    let slices = || systems.iter().flat_map(|(_, slices)| slices.iter());
    let mut facets: Vec<&str> = slices().map(|slice| slice.facet.as_str()).collect();
    facets.sort_unstable();
    facets.dedup();
    let mut notes = Vec::new();
    for joined in facets {
        for (at, facet) in joined.split('+').enumerate() {
            let mut same = slices().filter(|slice| slice.facet == joined);
            if same.all(|slice| slice.labels.get(at).is_some_and(|label| label == UNLABELLED)) {
                let article = if facet.starts_with(['a', 'e', 'o']) { "an" } else { "a" };
                notes.push(format!("no mention has {article} `{facet}`"));
            }
        }
    }
    notes
}

/// Whether a part without a label has predictions and nothing of gold.
fn is_of_predictions(slice: &Slice) -> bool {
    let is_unlabelled = slice.labels.iter().any(|label| label == UNLABELLED);
    is_unlabelled && (slice.gold == 0 || has_only_extra(slice))
}

/// Facets of cases say nothing of gold mentions by themselves, but its counts do.
fn has_only_extra(slice: &Slice) -> bool {
    let sum = |name: &str| -> f64 {
        let count = |result: &Scored| result.counts.get(count_at(result.columns, name)?).copied();
        slice.results.iter().filter_map(count).sum()
    };
    sum("fp") > 0.0 && ["tp", "rtp", "fn"].iter().all(|name| sum(name) == 0.0)
}
