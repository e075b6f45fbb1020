//! The result of an evaluation in words.

use super::answer::{EvaluationAnswer, SystemRecord};
use super::measured::MeasureRecord;
use crate::inputs::counted;

impl EvaluationAnswer {
    /// The result in words: of one system what it finds and mistakes, of several who is highest.
    pub fn sentence(&self) -> String {
        match self.systems.as_slice() {
            [] => "There is nothing to score.".to_owned(),
            [only] => only.sentence(),
            systems => {
                let score = |system: &SystemRecord| {
                    let measure = system.measures.first()?;
                    measure.score("f1").unwrap_or_else(|| measure.scores.first()?.1)
                };
                let highest = systems
                    .iter()
                    .filter_map(|system| Some((score(system)?, system)))
                    .max_by(|a, b| a.0.total_cmp(&b.0));
                match highest {
                    Some((value, system)) => {
                        let measure = system.measures.first().map_or("", |it| it.name.as_str());
                        format!(
                            "{} is highest by {measure} ({value:.3}) on {}; a comparison says whether that is more than \
                             chance.",
                            system.name, system.benchmark
                        )
                    }
                    None => "No system has a score.".to_owned(),
                }
            }
        }
    }
}

/// Two scores that are closer than this look the same where people read them.
const ALIKE: f64 = 0.0005;

impl SystemRecord {
    /// Why this system is above or below another by the first measure: precision and recall of both. `None` where the measure has
    /// neither.
    pub fn against(&self, other: &SystemRecord) -> Option<String> {
        let score = |system: &SystemRecord, name: &str| -> Option<f64> {
            system.measures.first()?.score(name).flatten()
        };
        let compared = |name: &str| {
            let (own, others) = (score(self, name)?, score(other, name)?);
            let word = match own - others {
                difference if difference.abs() < ALIKE => "the same",
                difference if difference > 0.0 => "more",
                _ => "less",
            };
            Some((word, format!("{word} {name} ({own:.3} against {others:.3})")))
        };
        let (precision, of_own) = compared("precision")?;
        let (recall, of_gold) = compared("recall")?;
        let means = match (precision, recall) {
            ("more", "less") => ": more of its answers are right, but it finds less",
            ("less", "more") => ": it finds more, but more of its answers are wrong",
            ("more", "more") => ": it finds more, and more of its answers are right",
            ("less", "less") => ": it finds less, and more of its answers are wrong",
            _ => "",
        };
        Some(format!("{} has {of_own} and {of_gold} than {}{means}.", self.name, other.name))
    }

    /// What the first measure says, in words.
    pub fn sentence(&self) -> String {
        let name = &self.name;
        let Some(measure) = self.measures.first() else { return format!("{name} was not scored.") };
        measure.counts_in_words(name).unwrap_or_else(|| {
            let first = measure.scores.iter().find_map(|(name, value)| Some((name, (*value)?)));
            match first {
                Some((score, value)) => format!("{name} has {} {score} {value:.3}.", measure.name),
                None => format!("{name} has no score by {}.", measure.name),
            }
        })
    }
}

impl MeasureRecord {
    /// What the counts say of a system: how much it finds of what is to be found, and how much of its own is
    /// wrong. `None` for a measure without such counts, and for one that counts parts of an item.
    ///
    /// > Of 124 links careful finds 64, and 5 of its 69 are wrong: it misses more than it mistakes.
    fn counts_in_words(&self, system: &str) -> Option<String> {
        let count = |name: &str| self.count(name).flatten().map(whole);
        let (right, extra, missed) = (count("tp")??, count("fp")??, count("fn")??);
        // Where one prediction may find several mentions, the two sides count separately.
        let found = count("rtp").unwrap_or(Some(right))?;
        let items = |number: u64| counted(number as usize, self.item());
        let (gold, predicted) = (found + missed, right + extra);
        if gold == 0 {
            return Some(format!(
                "There is nothing to find, and {system} has {}.",
                items(predicted)
            ));
        }
        let gold = items(gold);
        if predicted == 0 {
            return Some(format!("Of {gold} {system} finds none."));
        }
        let than = match (missed, extra) {
            (0, 0) => return Some(format!("{system} finds all of {gold}, and nothing else.")),
            _ if missed > extra => "it misses more than it mistakes",
            _ if missed < extra => "it mistakes more than it misses",
            _ => "it misses as many as it mistakes",
        };
        let are = if extra == 1 { "is" } else { "are" };
        Some(format!(
            "Of {gold} {system} finds {found}, and {extra} of its {predicted} {are} wrong: {than}."
        ))
    }

    /// What is counted, in a word for people.
    fn item(&self) -> &'static str {
        match self.measure.split(['(', '.', '@']).next() {
            Some("link" | "linking") => "link",
            Some("mention" | "ner") => "mention",
            _ => "item",
        }
    }
}

/// A count, if it is a whole number.
fn whole(count: f64) -> Option<u64> {
    (count >= 0.0 && count.fract() == 0.0).then_some(count as u64)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn said(measure: &str, counts: &[(&str, f64)]) -> String {
        let counts = counts.iter().map(|(name, count)| ((*name).to_owned(), Some(*count)));
        let measure = MeasureRecord {
            name: measure.to_owned(),
            measure: measure.to_owned(),
            counts: counts.collect(),
            scores: vec![("f1".to_owned(), Some(0.5))],
            ..MeasureRecord::default()
        };
        let system = SystemRecord {
            name: "mine".to_owned(),
            measures: vec![measure],
            ..SystemRecord::default()
        };
        system.sentence()
    }

    #[test]
    fn counts_are_said_in_words() {
        let links =
            |tp: f64, fp: f64, missed: f64| said("link", &[("tp", tp), ("fp", fp), ("fn", missed)]);
        assert_eq!(
            links(64.0, 5.0, 60.0),
            "Of 124 links mine finds 64, and 5 of its 69 are wrong: it misses more than it mistakes."
        );
        assert_eq!(
            links(1.0, 1.0, 0.0),
            "Of 1 link mine finds 1, and 1 of its 2 is wrong: it mistakes more than it misses."
        );
        assert_eq!(links(3.0, 0.0, 0.0), "mine finds all of 3 links, and nothing else.");
        assert_eq!(links(0.0, 0.0, 2.0), "Of 2 links mine finds none.");
        assert_eq!(links(0.0, 2.0, 0.0), "There is nothing to find, and mine has 2 links.");
    }

    #[test]
    fn both_sides_count_for_themselves_and_parts_are_not_counted() {
        let counts = [("tp", 1.0), ("fp", 0.0), ("rtp", 2.0), ("fn", 1.0)];
        assert_eq!(
            said("mention", &counts),
            "Of 3 mentions mine finds 2, and 0 of its 1 are wrong: it misses more than it mistakes."
        );
        assert_eq!(
            said("fuzzy", &[("tp", 0.5), ("fp", 0.0), ("fn", 1.0)]),
            "mine has fuzzy f1 0.500."
        );
        assert_eq!(said("mrr", &[]), "mine has mrr f1 0.500.");
    }
}
