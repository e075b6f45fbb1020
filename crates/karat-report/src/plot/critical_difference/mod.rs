//! Critical difference diagrams: average ranks on a line, with bars that join
//! systems whose ranks do not differ enough.
//!
//! Demšar, Statistical comparisons of classifiers over multiple data sets (2006).

mod drawing;
mod text;

use crate::plot::axis::{Axis, Ruler, Tick, decimal, number};
use crate::plot::{Glyphs, Plot};

/// Average ranks of systems and which of them cannot be told apart.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct CriticalDifference {
    /// What stands over it.
    pub title: String,
    /// The systems, in any order; those without a finite rank are left out.
    pub systems: Vec<RankedSystem>,
    /// The smallest difference of average ranks that is significant.
    pub critical_difference: Option<f64>,
    /// Pairs of indices into `systems`: the ends of groups that cannot be told apart.
    /// Follows from the critical difference if not given.
    pub groups: Option<Vec<(usize, usize)>>,
    /// What else stands under it.
    pub note: String,
}

/// A system and its average rank.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct RankedSystem {
    /// Its name.
    pub name: String,
    /// Its average rank; one is best.
    pub rank: f64,
    /// Where its name leads in an SVG on a page.
    pub link: Option<String>,
}

impl Plot for CriticalDifference {
    fn svg_of_width(&self, wide: u16) -> String {
        drawing::svg(self, wide)
    }

    fn text_with(&self, width: u16, glyphs: Glyphs) -> String {
        text::text(self, width, glyphs)
    }
}

impl CriticalDifference {
    /// The systems that have a rank, the best first.
    fn ranked(&self) -> Vec<&RankedSystem> {
        let mut ranked: Vec<&RankedSystem> =
            self.systems.iter().filter(|system| system.rank.is_finite()).collect();
        ranked.sort_by(|a, b| a.rank.total_cmp(&b.rank));
        ranked
    }

    fn difference(&self) -> Option<f64> {
        self.critical_difference.filter(|difference| difference.is_finite() && *difference > 0.0)
    }

    /// A ruler from rank one to the number of systems.
    fn ruler(&self, length: f64, width_of: impl Fn(&str) -> f64) -> Ruler {
        let ranks = || self.ranked().into_iter().map(|system| system.rank);
        let low = ranks().fold(1.0, f64::min);
        let high = ranks().fold((self.systems.len() as f64).max(2.0), f64::max);
        let axis = Axis::default().between(low, high);
        let mut ruler = Ruler::along(&axis, [], length, &width_of);
        // Ranks are counted, so halves are no ticks.
        ruler.ticks.retain(|tick| tick.value.fract() == 0.0);
        for tick in &mut ruler.ticks {
            tick.label = number(tick.value);
        }
        let first = ruler.ticks.first().and_then(|tick| ruler.fraction(tick.value));
        if low == 1.0 && first.is_some_and(|first| first * length > 2.0 * width_of("00")) {
            ruler.ticks.insert(0, Tick { value: 1.0, label: "1".to_owned() });
        }
        ruler
    }

    /// The first and the last place of every group that is in no other.
    fn bars(&self, ranked: &[&RankedSystem]) -> Vec<(usize, usize)> {
        let mut bars: Vec<(usize, usize)> = match (&self.groups, self.difference()) {
            (Some(groups), _) => {
                groups.iter().filter_map(|pair| self.places(ranked, *pair)).collect()
            }
            (None, Some(difference)) => {
                let last_with = |first: usize, best: f64| {
                    let near = ranked.iter().rposition(|system| system.rank - best < difference);
                    (first, near.unwrap_or(first))
                };
                ranked.iter().enumerate().map(|(first, best)| last_with(first, best.rank)).collect()
            }
            (None, None) => Vec::new(),
        };
        bars.retain(|(first, last)| first < last);
        bars.sort_unstable();
        bars.dedup();
        let all = bars.clone();
        // A group within a larger one says nothing new, so it gets no bar.
        let holds = |a: &(usize, usize), b: &(usize, usize)| a.0 <= b.0 && b.1 <= a.1 && a != b;
        bars.retain(|bar| !all.iter().any(|other| holds(other, bar)));
        bars
    }

    fn places(&self, ranked: &[&RankedSystem], pair: (usize, usize)) -> Option<(usize, usize)> {
        let place = |index: usize| {
            let system = self.systems.get(index)?;
            ranked.iter().position(|other| std::ptr::eq(*other, system))
        };
        let (a, b) = (place(pair.0)?, place(pair.1)?);
        Some((a.min(b), a.max(b)))
    }

    fn description(&self, ranked: &[&RankedSystem]) -> String {
        let mut text = format!("Average ranks of {} systems, the best first. ", ranked.len());
        for system in ranked.iter().take(40) {
            text += &format!("{}: {}. ", system.name, decimal(system.rank, 2));
        }
        if let Some(difference) = self.difference() {
            text += &format!("The critical difference is {}. ", decimal(difference, 2));
        }
        for (first, last) in self.bars(ranked).into_iter().take(40) {
            if let (Some(first), Some(last)) = (ranked.get(first), ranked.get(last)) {
                text += &format!("Not told apart: {} to {}. ", first.name, last.name);
            }
        }
        text += &self.note;
        text.trim_end().to_owned()
    }
}

/// The level of each bar, so that bars of one level do not touch.
fn levels(bars: &[(usize, usize)]) -> Vec<usize> {
    let mut ends: Vec<usize> = Vec::new();
    let mut levels = Vec::with_capacity(bars.len());
    for (first, last) in bars {
        let level = ends.iter().position(|end| end + 1 < *first).unwrap_or(ends.len());
        match ends.get_mut(level) {
            Some(end) => *end = *last,
            None => ends.push(*last),
        }
        levels.push(level);
    }
    levels
}

#[cfg(test)]
mod tests {
    use super::*;

    fn diagram(ranks: &[f64], difference: f64) -> CriticalDifference {
        let system = |(index, rank): (usize, &f64)| RankedSystem {
            name: format!("s{index}"),
            rank: *rank,
            link: None,
        };
        CriticalDifference {
            systems: ranks.iter().enumerate().map(system).collect(),
            critical_difference: Some(difference),
            ..CriticalDifference::default()
        }
    }

    #[test]
    fn bars_join_the_longest_runs_below_the_critical_difference() {
        for (ranks, difference, bars) in [
            (vec![1.0, 2.0, 3.0, 4.0], 1.5, vec![(0, 1), (1, 2), (2, 3)]),
            (vec![1.0, 2.0, 3.0, 4.0], 2.5, vec![(0, 2), (1, 3)]),
            // A difference as large as the critical one is significant.
            (vec![1.0, 2.0, 3.0], 1.0, vec![]),
            (vec![1.0, 1.1, 3.0], 0.5, vec![(0, 1)]),
            (vec![3.0, 1.0, f64::NAN, 1.1], 0.5, vec![(0, 1)]),
            (vec![], 0.5, vec![]),
        ] {
            let diagram = diagram(&ranks, difference);
            assert_eq!(diagram.bars(&diagram.ranked()), bars, "{ranks:?}");
        }
    }

    #[test]
    fn groups_that_are_given_are_taken() {
        let mut diagram = diagram(&[3.0, 1.0, 2.0], 5.0);
        diagram.groups = Some(vec![(2, 1), (0, 9)]);
        assert_eq!(diagram.bars(&diagram.ranked()), [(0, 1)]);
    }
}
