//! Spans that are asked what lies where, without a look at all of them.

use karat_model::Span;

/// Spans in order.
#[derive(Debug, Default)]
pub(super) struct Spans {
    spans: Vec<Span>,
    /// The furthest end of each and all before it.
    furthest: Vec<u32>,
    /// The nearest end of each and all after it.
    nearest: Vec<u32>,
}

impl Spans {
    pub(super) fn new(mut spans: Vec<Span>) -> Spans {
        spans.sort_unstable();
        let mut furthest = Vec::with_capacity(spans.len());
        for span in &spans {
            furthest.push(span.end.max(furthest.last().copied().unwrap_or(0)));
        }
        let mut nearest = vec![0; spans.len()];
        let mut end = u32::MAX;
        for (at, span) in spans.iter().enumerate().rev() {
            end = end.min(span.end);
            nearest[at] = end;
        }
        Spans { spans, furthest, nearest }
    }

    /// Whether one of them shares a position with this.
    pub(super) fn overlap(&self, span: Span) -> bool {
        let number = self.spans.partition_point(|other| other.start < span.end);
        self.reach_beyond(number, span.start)
    }

    /// Whether one of them that is not the same shares a position with this.
    pub(super) fn others_overlap(&self, span: Span) -> bool {
        let starting = self.spans.partition_point(|other| other.start < span.end);
        let before = self.spans.partition_point(|other| *other < span);
        let up_to = self.spans.partition_point(|other| *other <= span);
        self.reach_beyond(before.min(starting), span.start) || up_to < starting
    }

    /// Whether one of them that is not the same lies within this.
    pub(super) fn lie_inside(&self, span: Span) -> bool {
        let first = self.spans.partition_point(|other| other.start < span.start);
        let later = self.spans.partition_point(|other| other.start <= span.start);
        let shorter = |other: &Span| other.start == span.start && other.end < span.end;
        // Spans that start together are sorted by end, so the first of them is the shortest.
        self.spans.get(first).is_some_and(shorter)
            || self.nearest.get(later).is_some_and(|&end| end <= span.end)
    }

    fn reach_beyond(&self, number: usize, position: u32) -> bool {
        number.checked_sub(1).is_some_and(|last| self.furthest[last] > position)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn answers_are_those_of_a_look_at_all() {
        let all: Vec<Span> =
            (0..6).flat_map(|start| (start..6).map(move |end| Span::new(start, end))).collect();
        // Every set of up to three spans, asked about every span.
        for one in &all {
            for two in &all {
                for three in &all {
                    let given = [*one, *two, *three];
                    let spans = Spans::new(given.to_vec());
                    for span in &all {
                        let any = |holds: &dyn Fn(Span) -> bool| given.iter().any(|s| holds(*s));
                        let overlap = any(&|other| other.overlaps(*span));
                        let others = any(&|other| other != *span && other.overlaps(*span));
                        let inside = any(&|other| other != *span && span.contains(other));
                        assert_eq!(spans.overlap(*span), overlap, "{given:?} {span}");
                        assert_eq!(spans.others_overlap(*span), others, "{given:?} {span}");
                        assert_eq!(spans.lie_inside(*span), inside, "{given:?} {span}");
                    }
                }
            }
        }
    }
}
