//! From published percentages back to the counts behind them.

use super::cells::Cells;

/// What a paper prints about the answers of a system: percentages that were rounded.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Published {
    /// How many queries there are.
    pub queries: u64,
    /// The share of queries whose gold answer is a link, in percent.
    pub link_share: f64,
    /// Link recall in percent.
    pub link_recall: f64,
    /// NIL recall in percent.
    pub nil_recall: f64,
    /// Link precision in percent.
    pub link_precision: f64,
    /// NIL precision in percent.
    pub nil_precision: f64,
    /// The share of right answers in percent.
    pub recall: f64,
    /// How many decimals the percentages have.
    pub decimals: u32,
}

impl Published {
    /// All counts that give these percentages. The search goes through every number of links and of right
    /// answers that may be meant, so that a single solution is the only one.
    pub fn solutions(&self) -> Vec<Cells> {
        let mut found = Vec::new();
        for links in self.parts(self.link_share, self.queries) {
            let nils = self.queries - links;
            for right in self.parts(self.link_recall, links) {
                for right_nil in self.parts(self.nil_recall, nils) {
                    let linked = nils - right_nil;
                    found.extend((right..=links).filter_map(|answered| {
                        let totals = [links, answered, right, nils, right_nil];
                        let fits = self.prints(self.link_precision, right, answered + linked)
                            && self.prints(
                                self.nil_precision,
                                right_nil,
                                right_nil + links - answered,
                            )
                            && self.prints(self.recall, right + right_nil, self.queries);
                        fits.then(|| Cells::from_totals(totals).ok()).flatten()
                    }));
                }
            }
        }
        found
    }

    /// Half a unit of the last decimal; both neighbours of a value in the middle may be printed.
    fn half(&self) -> f64 {
        // The margin covers the rounding of 100 * part / whole, nothing else.
        0.5 * 0.1f64.powi(self.decimals as i32) + 1e-9
    }

    /// The parts of a whole that are printed as this percentage.
    fn parts(&self, percent: f64, whole: u64) -> std::ops::RangeInclusive<u64> {
        let at = |percent: f64| percent / 100.0 * whole as f64;
        let least = at(percent - self.half()).max(0.0).ceil() as u64;
        least..=(at(percent + self.half()).max(0.0).floor() as u64).min(whole)
    }

    fn prints(&self, percent: f64, part: u64, whole: u64) -> bool {
        whole > 0 && (100.0 * part as f64 / whole as f64 - percent).abs() <= self.half()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What a paper would print about these counts.
    fn printed(cells: &Cells, decimals: u32) -> Published {
        let scores = cells.scores();
        let percent = |share: Option<f64>| {
            format!("{:.*}", decimals as usize, 100.0 * share.expect("defined"))
                .parse()
                .expect("a number")
        };
        Published {
            queries: cells.queries(),
            link_share: percent(Some(cells.links() as f64 / cells.queries() as f64)),
            link_recall: percent(scores.link_recall),
            nil_recall: percent(scores.nil_recall),
            link_precision: percent(scores.link_precision),
            nil_precision: percent(scores.nil_precision),
            recall: percent(scores.recall),
            decimals,
        }
    }

    #[test]
    fn the_subsets_of_the_paper_have_one_solution_each() {
        for totals in
            [[367, 328, 318, 133, 112], [753, 631, 606, 654, 605], [169, 99, 95, 777, 760]]
        {
            let cells = Cells::from_totals(totals).expect("possible");
            assert_eq!(printed(&cells, 1).solutions(), [cells]);
        }
    }

    #[test]
    fn coarse_percentages_leave_several_solutions_and_wrong_ones_none() {
        let cells = Cells::from_totals([367, 328, 318, 133, 112]).expect("possible");
        let coarse = printed(&cells, 0).solutions();
        assert!(coarse.len() > 1 && coarse.contains(&cells));
        let wrong = Published { nil_recall: 12.3, ..printed(&cells, 1) };
        assert_eq!(wrong.solutions(), []);
        assert_eq!(Published { queries: 0, ..wrong }.solutions(), []);
    }
}
