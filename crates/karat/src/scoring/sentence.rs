//! The result of an evaluation in words.

use super::answer::{EvaluationAnswer, SystemRecord};

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

impl SystemRecord {
    /// What the first measure says, in words: what it finds of what is to be found, and how much of its own is wrong.
    pub fn sentence(&self) -> String {
        let name = &self.name;
        let Some(measure) = self.measures.first() else { return format!("{name} was not scored.") };
        let count = |name: &str| measure.count(name).flatten();
        let found =
            // Where the two sides count apart, "of 10 it finds 4, 3 of its 9 are wrong" would not
            // add up; then only a score is told.
            count("tp").filter(|found| count("rtp").is_none_or(|of_gold| of_gold == *found));
        let (Some(found), Some(wrong), Some(missed)) = (found, count("fp"), count("fn")) else {
            let first = measure.scores.iter().find_map(|(name, value)| Some((name, (*value)?)));
            return match first {
                Some((score, value)) => format!("{name} has {} {score} {value:.3}.", measure.name),
                None => format!("{name} has no score by {}.", measure.name),
            };
        };
        let what = match measure.measure.split(['(', '.']).next() {
            Some("link") => "links",
            Some("mention" | "ner") => "mentions",
            _ => "items",
        };
        let (all, own) = (found + missed, found + wrong);
        let verdict = match wrong.total_cmp(&missed) {
            std::cmp::Ordering::Less => ": it misses more than it mistakes",
            std::cmp::Ordering::Greater => ": it mistakes more than it misses",
            std::cmp::Ordering::Equal => "",
        };
        format!(
            "Of {all} {what} {name} finds {found}, and {wrong} of its {own} are wrong{verdict}."
        )
    }
}
