//! The best and the worst that a change can do to the scores.
//!
//! Of the queries that a change takes, let the number of gold links be fixed. Then, whichever of
//! precision, recall and F1 is looked at:
//!
//! - taking a wrong link or a link that was called NIL is never worse than taking a right link, and
//!   taking a NIL that was linked never worse than taking a right NIL: both precisions are
//!   quotients whose weights stay, and only one of their numbers changes;
//! - how what is not right divides into wrong links and links called NIL only matters to
//!   precision, which is a convex function of that division: a sum of two terms, each a constant over a
//!   falling or rising number. Its largest value is at an end.
//!
//! So the best is found by looking at each number of links once, with both ends of the division.
//! The worst removal takes right answers first and divides only when no right link is left, and then
//! the precision of links is 0 and the end is known. The worst addition adds no right answer and
//! divides at the lowest point of the convex function, which is found by halving.

use super::cells::Cells;
use super::model::{ChangeError, CollectionChange, Each, Mix, Model, Range};

impl Model {
    /// The best and the worst that can happen to each score.
    pub fn extremes(&self) -> Each<Range> {
        let none = Range { worst: f64::INFINITY, best: f64::NEG_INFINITY };
        let mut found = Each { precision: none, recall: none, f1: none };
        let size = self.size();
        let links = match self.change {
            CollectionChange::Remove(_) => {
                size.saturating_sub(self.cells.nils())..=size.min(self.cells.links())
            }
            CollectionChange::Add(_) => 0..=size,
        };
        for links in links {
            for changed in self.candidates(links) {
                found.widen(self.after(&changed));
            }
        }
        found
    }

    /// The changes with so many links among which the best and the worst are.
    fn candidates(&self, links: u64) -> Vec<Cells> {
        let nils = self.size() - links;
        match self.change {
            CollectionChange::Remove(_) => self.removals(links, nils),
            CollectionChange::Add(_) => self.additions(links, nils),
        }
    }

    fn removals(&self, links: u64, nils: u64) -> Vec<Cells> {
        let Cells { right_link, wrong_link, link_as_nil, right_nil, nil_as_link } = self.cells;
        let removal = |right: u64, wrong: u64, right_nil: u64| {
            let as_nil = links - right - wrong;
            Cells::from_counts([right, wrong, as_nil, right_nil, nils - right_nil])
        };
        // The best: right answers only when nothing else is left.
        let right = links.saturating_sub(wrong_link + link_as_nil);
        let rest = links - right;
        let kept_nil = nils.saturating_sub(nil_as_link);
        let most_wrong = removal(right, rest.min(wrong_link), kept_nil);
        let fewest_wrong = removal(right, rest - rest.min(link_as_nil), kept_nil);
        // The worst: right answers first.
        let right = links.min(right_link);
        let worst = removal(right, (links - right).min(wrong_link), nils.min(right_nil));
        vec![most_wrong, fewest_wrong, worst]
    }

    fn additions(&self, links: u64, nils: u64) -> Vec<Cells> {
        let best = Cells::from_counts([links, 0, 0, nils, 0]);
        let addition = |wrong: u64| Cells::from_counts([0, wrong, links - wrong, 0, nils]);
        let precision = |wrong: u64| self.after(&addition(wrong)).precision;
        // A ternary search by differences: the function is convex, so its slope changes sign once.
        let (mut low, mut high) = (0, links);
        while low < high {
            let middle = low + (high - low) / 2;
            match precision(middle) <= precision(middle + 1) {
                true => high = middle,
                false => low = middle + 1,
            }
        }
        vec![best, addition(low)]
    }

    /// The best and the worst when it is known which kinds of queries change: only how many of the
    /// answered links were right is open.
    pub fn extremes_of(&self, mix: &Mix) -> Result<Each<Range>, ChangeError> {
        let [least, most] = self.right_links(mix)?;
        let none = Range { worst: f64::INFINITY, best: f64::NEG_INFINITY };
        let mut found = Each { precision: none, recall: none, f1: none };
        for right in [least, most] {
            found.widen(self.after(&self.changed(mix, right)));
        }
        Ok(found)
    }

    /// The exact distribution in that case.
    pub fn distribution_of(&self, mix: &Mix) -> Result<Each<super::Distribution>, ChangeError> {
        self.right_links(mix)?;
        let answered = self.cells.right_link + self.cells.wrong_link;
        let chances = self.chances(answered, self.cells.right_link, mix.answered);
        let of = |score: fn(&Each<f64>) -> f64| {
            let mut points: Vec<(f64, f64)> = chances
                .iter()
                .map(|(right, chance)| (score(&self.after(&self.changed(mix, right))), chance))
                .collect();
            super::exact::of_points(&mut points)
        };
        Ok(Each {
            precision: of(|each| each.precision),
            recall: of(|each| each.recall),
            f1: of(|each| each.f1),
        })
    }

    fn changed(&self, mix: &Mix, right: u64) -> Cells {
        let nils = self.size() - mix.links;
        Cells::from_counts([
            right,
            mix.answered - right,
            mix.links - mix.answered,
            mix.right_nil,
            nils - mix.right_nil,
        ])
    }

    /// The fewest and the most right links among the changed queries, if the mix is possible.
    fn right_links(&self, mix: &Mix) -> Result<[u64; 2], ChangeError> {
        let Cells { right_link, wrong_link, link_as_nil, right_nil, nil_as_link } = self.cells;
        let size = self.size();
        let removal = matches!(self.change, CollectionChange::Remove(_));
        // Whatever is added is there in any number.
        let bounds = |all: u64, of_kind: u64, others: u64| match removal {
            true => [all.saturating_sub(others), all.min(of_kind)],
            false => [0, all],
        };
        let within =
            |what, asked: u64, [least, most]: [u64; 2]| match (least..=most).contains(&asked) {
                true => Ok(()),
                false => Err(ChangeError::Infeasible { what, asked, least, most }),
            };
        within("links", mix.links, bounds(size, self.cells.links(), self.cells.nils()))?;
        let answered = right_link + wrong_link;
        within("answered links", mix.answered, bounds(mix.links, answered, link_as_nil))?;
        within("right NIL", mix.right_nil, bounds(size - mix.links, right_nil, nil_as_link))?;
        Ok(bounds(mix.answered, right_link, wrong_link))
    }
}

impl Each<Range> {
    fn widen(&mut self, scores: Each<f64>) {
        for (range, score) in [
            (&mut self.precision, scores.precision),
            (&mut self.recall, scores.recall),
            (&mut self.f1, scores.f1),
        ] {
            range.worst = range.worst.min(score);
            range.best = range.best.max(score);
        }
    }
}

/// Every possible change, one by one: slow, and for tests.
#[cfg(test)]
pub(super) fn by_brute_force(model: &Model) -> Each<Range> {
    let most = |count: u64| match model.change {
        CollectionChange::Remove(_) => count.min(model.size()),
        CollectionChange::Add(_) => model.size(),
    };
    let counts = model.cells.counts().map(most);
    let none = Range { worst: f64::INFINITY, best: f64::NEG_INFINITY };
    let mut found = Each { precision: none, recall: none, f1: none };
    for right in 0..=counts[0] {
        for wrong in 0..=counts[1] {
            for as_nil in 0..=counts[2] {
                for right_nil in 0..=counts[3] {
                    let taken = right + wrong + as_nil + right_nil;
                    let Some(linked) = model.size().checked_sub(taken) else { continue };
                    if linked <= counts[4] {
                        let changed = Cells::from_counts([right, wrong, as_nil, right_nil, linked]);
                        found.widen(model.after(&changed));
                    }
                }
            }
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn same(found: Each<Range>, expected: Each<Range>) -> bool {
        let close = |a: Range, b: Range| {
            (a.worst - b.worst).abs() < 1e-12 && (a.best - b.best).abs() < 1e-12
        };
        close(found.precision, expected.precision)
            && close(found.recall, expected.recall)
            && close(found.f1, expected.f1)
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(400))]

        #[test]
        fn the_extremes_of_a_removal_are_those_of_brute_force(
            counts in prop::array::uniform5(0u64..9), share in 0.0f64..1.0,
        ) {
            let cells = Cells::from_counts(counts);
            prop_assume!(cells.queries() > 0);
            let removed = (share * cells.queries() as f64) as u64;
            let model = Model::new(cells, CollectionChange::Remove(removed)).expect("some are left");
            prop_assert!(same(model.extremes(), by_brute_force(&model)), "{model:?}");
        }

        #[test]
        fn the_extremes_of_an_addition_are_those_of_brute_force(
            counts in prop::array::uniform5(0u64..30), added in 0u64..9,
        ) {
            let cells = Cells::from_counts(counts);
            prop_assume!(cells.queries() > 0);
            let model = Model::new(cells, CollectionChange::Add(added)).expect("few queries");
            prop_assert!(same(model.extremes(), by_brute_force(&model)), "{model:?}");
        }

        #[test]
        fn a_known_mix_lies_within_the_extremes(
            counts in prop::array::uniform5(0u64..9), share in 0.0f64..1.0,
            mix in prop::array::uniform3(0u64..12),
        ) {
            let cells = Cells::from_counts(counts);
            prop_assume!(cells.queries() > 0);
            let removed = (share * cells.queries() as f64) as u64;
            let model = Model::new(cells, CollectionChange::Remove(removed)).expect("some are left");
            let [links, answered, right_nil] = mix;
            if let Ok(found) = model.extremes_of(&Mix { links, answered, right_nil }) {
                let all = model.extremes();
                prop_assert!(all.f1.worst <= found.f1.worst + 1e-12);
                prop_assert!(found.f1.best <= all.f1.best + 1e-12);
            }
        }
    }

    #[test]
    fn the_extremes_that_are_known() {
        // 100 of the 1000 queries of Set 2: F1 between .861 and .973.
        let cells = Cells::from_totals([452, 371, 357, 548, 518]).expect("possible");
        let model = Model::new(cells, CollectionChange::Remove(100)).expect("some are left");
        let f1 = model.extremes().f1;
        assert!((f1.worst - 0.861).abs() < 5e-4 && (f1.best - 0.973).abs() < 5e-4, "{f1:?}");
    }

    #[test]
    fn a_mix_must_be_possible() {
        let cells = Cells::from_totals([4, 3, 2, 6, 5]).expect("possible");
        let model = Model::new(cells, CollectionChange::Remove(5)).expect("some are left");
        let mix = |links, answered, right_nil| Mix { links, answered, right_nil };
        assert!(model.extremes_of(&mix(2, 1, 2)).is_ok());
        for bad in [mix(5, 3, 0), mix(4, 2, 0), mix(2, 1, 4), mix(2, 1, 1)] {
            assert!(model.extremes_of(&bad).is_err(), "{bad:?}");
        }
    }
}
