//! The result of a comparison in words.

use super::answer::{BenchmarkComparison, ComparisonAnswer, PairRecord, ScoreRecord};
use super::tables::letter;

/// Of systems that are named in a sentence, so many are; of more it is said how many there are.
const NAMED: usize = 3;

impl ComparisonAnswer {
    /// The result in words: what the first score says of each benchmark.
    pub fn sentence(&self) -> String {
        let said = self.benchmarks.iter().filter_map(|benchmark| {
            let score = benchmark.scores.iter().find(|score| score.facet.is_none())?;
            let sentence = benchmark.sentence(score);
            Some(match self.benchmarks.len() {
                1 => sentence,
                _ => format!("{}: {sentence}", benchmark.name),
            })
        });
        said.collect::<Vec<_>>().join(" ")
    }
}

impl BenchmarkComparison {
    /// What a score says, in words.
    pub fn sentence(&self, score: &ScoreRecord) -> String {
        match (score.pairs.as_slice(), &score.not_tested) {
            ([], Some(why)) => format!("No system is shown to be better. {why}"),
            ([], None) => "There is nothing to compare.".to_owned(),
            ([pair], _) => self.sentence_of_pair(pair),
            _ => self.sentence_of_all(score),
        }
    }

    fn sentence_of_pair(&self, pair: &PairRecord) -> String {
        let PairRecord { first, second, .. } = pair;
        let Some(difference) = pair.difference else {
            return format!("{first} and {second} cannot be compared: one of them has no score.");
        };
        // The second is seen from the first: the older run is given first.
        let interval = pair
            .ci
            .map(|[low, high]| format!(" ({} to {})", signed_points(-high), signed_points(-low)));
        let interval = interval.unwrap_or_default();
        let direction = if difference > 0.0 { "lower" } else { "higher" };
        let how_far = match difference == 0.0 {
            true => format!("{first} and {second} have the same score{interval}"),
            false => {
                format!("{second} is {} points {direction}{interval}", points(difference.abs()))
            }
        };
        if pair.significant {
            let better = if difference > 0.0 { first } else { second };
            return format!("{how_far}: {better} is shown to be better.");
        }
        match self.resolution(pair.detectable, pair.out_of_reach) {
            Some(resolution) => format!("{how_far}. {resolution}: this test set does not decide."),
            None if pair.ci.is_none() => {
                format!(
                    "{how_far}. {} say nothing about others, so there is no interval.",
                    self.drawn()
                )
            }
            None => format!("{how_far}. This test set does not decide."),
        }
    }

    fn sentence_of_all(&self, score: &ScoreRecord) -> String {
        let shown = score.pairs.iter().filter(|pair| pair.significant).count();
        if shown == 0 {
            let out_of_reach = score.pairs.iter().all(|pair| pair.out_of_reach);
            return match self.resolution(score.detectable, out_of_reach) {
                Some(resolution) => format!("No system is shown to be better: {resolution}."),
                None => "No system is shown to be better.".to_owned(),
            };
        }
        let order = score.by_score();
        let Some((_, best)) = order.first() else { return String::new() };
        let others = score.systems.len() - 1;
        if best.beats.len() == others {
            return format!("{} is shown to be better than all others.", best.name);
        }
        if best.beats.is_empty() {
            return format!(
                "{} is highest but not shown to be better than any other; {shown} of {} differences are shown.",
                best.name,
                score.pairs.len()
            );
        }
        let not_beaten: Vec<&str> = order[1..]
            .iter()
            .map(|(_, standing)| standing.name.as_str())
            .filter(|name| !best.beats.iter().any(|beaten| beaten == name))
            .collect();
        let beaten: Vec<&str> = best.beats.iter().map(String::as_str).collect();
        format!(
            "{} is shown to be better than {}, but not than {}.",
            best.name,
            listed(&beaten),
            listed(&not_beaten)
        )
    }

    /// What the test set can tell apart.
    fn resolution(&self, detectable: Option<f64>, out_of_reach: bool) -> Option<String> {
        match detectable {
            Some(detectable) => Some(format!(
                "{} can only show differences of {} points or more",
                self.drawn(),
                points(detectable)
            )),
            None if out_of_reach => Some(format!("{} can show no difference at all", self.drawn())),
            None => None,
        }
    }

    fn drawn(&self) -> String {
        match self.units {
            1 => "1 document".to_owned(),
            units => format!("{units} documents"),
        }
    }
}

impl ScoreRecord {
    /// The letters of the groups that a system belongs to, from `a` for the best: systems that share one were not
    /// told apart. Where no two share a letter, none has company in its group.
    pub fn letters(&self, system: &str) -> String {
        let groups = self.groups.iter().enumerate();
        let of_system = groups.filter(|(_, group)| group.iter().any(|name| name == system));
        of_system.map(|(at, _)| letter(at)).collect()
    }
}

fn points(difference: f64) -> String {
    format!("{:.1}", 100.0 * difference)
}

/// Points with their sign.
fn signed_points(difference: f64) -> String {
    let points = points(difference.abs());
    match difference < 0.0 && points != "0.0" {
        true => format!("\u{2212}{points}"),
        false => format!("+{points}"),
    }
}

/// Names in a sentence.
fn listed(names: &[&str]) -> String {
    match names {
        [] => "nobody".to_owned(),
        [only] => (*only).to_owned(),
        few if few.len() <= NAMED => {
            let (last, rest) = few.split_last().unwrap_or((&"", &[]));
            format!("{} and {last}", rest.join(", "))
        }
        many => format!("{} systems", many.len()),
    }
}
