//! On which lane a mention is drawn.
//!
//! The mentions of one layer may nest and cross. Each gets a lane such that no two on one lane overlap, with as few
//! lanes as there are mentions over one place: a sweep over starts, the longer first, that takes the lowest lane that is
//! free. Inside each group of mentions that hang together lanes are then turned over, so that inner mentions lie next to
//! the text. Both take n log n.

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::ops::Range;

/// The lane of each of these spans, 0 next to the text. Empty spans count as if they had a width.
pub(super) fn lanes(spans: &[Range<usize>]) -> Vec<usize> {
    let mut order: Vec<usize> = (0..spans.len()).collect();
    order.sort_by_key(|&at| (spans[at].start, Reverse(spans[at].end), at));
    let mut lanes = vec![0; spans.len()];
    let mut open: BinaryHeap<Reverse<(usize, usize)>> = BinaryHeap::new();
    let mut free: BinaryHeap<Reverse<usize>> = BinaryHeap::new();
    let mut group: Vec<usize> = Vec::new();
    let mut used = 0;
    for at in order {
        let start = spans[at].start;
        while let Some(&Reverse((end, lane))) = open.peek() {
            if end > start {
                break;
            }
            open.pop();
            free.push(Reverse(lane));
        }
        if open.is_empty() {
            turn_over(&mut lanes, &mut group, used);
            free.clear();
            used = 0;
        }
        let lane = free.pop().map_or(used, |Reverse(lane)| lane);
        used = used.max(lane + 1);
        lanes[at] = lane;
        group.push(at);
        open.push(Reverse((spans[at].end.max(start + 1), lane)));
    }
    turn_over(&mut lanes, &mut group, used);
    lanes
}

/// Puts the first lane of a group last.
fn turn_over(lanes: &mut [usize], group: &mut Vec<usize>, used: usize) {
    for at in group.drain(..) {
        lanes[at] = used - 1 - lanes[at];
    }
}

/// How many lanes each layer gets where it needs so many: at most `each`, and `all` together. The first layers keep
/// theirs; from the `all`-th on there is no room.
pub(super) fn shared(needed: &[usize], each: usize, all: usize) -> Vec<usize> {
    let mut given: Vec<usize> = needed.iter().map(|needed| (*needed).min(each)).collect();
    while given.iter().sum::<usize>() > all {
        let most = given.iter().max().copied().unwrap_or_default();
        // Of those with most lanes the last gives one back.
        match given.iter().rposition(|lanes| *lanes == most) {
            Some(place) => given[place] -= 1,
            None => break,
        }
    }
    given
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn inner_mentions_are_next_to_the_text() {
        assert_eq!(lanes(&[0..10, 2..5, 6..9]), [1, 0, 0]);
        assert_eq!(lanes(&[2..5, 0..10, 3..4]), [1, 2, 0]);
        assert_eq!(lanes(&[0..5, 5..9]), [0, 0]);
        // Crossing mentions have a lane each.
        assert_eq!(lanes(&[0..5, 3..8]), [1, 0]);
        // The same span twice.
        assert_eq!(lanes(&[0..5, 0..5]), [1, 0]);
    }

    #[test]
    fn there_are_as_few_lanes_as_can_be() {
        // A simple sequence, so that a failure can be looked at again.
        let mut number = 7usize;
        let mut next = |below: usize| {
            number = number
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1_442_695_040_888_963_407);
            (number >> 33) % below
        };
        for _ in 0..200 {
            let spans: Vec<Range<usize>> = (0..30)
                .map(|_| {
                    let start = next(60);
                    start..start + 1 + next(12)
                })
                .collect();
            let lanes = lanes(&spans);
            for (a, (one, lane)) in spans.iter().zip(&lanes).enumerate() {
                for (other, its) in spans.iter().zip(&lanes).skip(a + 1) {
                    let overlap = one.start < other.end && other.start < one.end;
                    assert!(!overlap || lane != its, "{one:?} and {other:?} on {lane}");
                }
            }
            let depth = (0..80).map(|at| spans.iter().filter(|span| span.contains(&at)).count());
            assert_eq!(lanes.iter().max().map(|lane| lane + 1), depth.max());
        }
    }

    #[test]
    fn many_nested_mentions_take_no_time() {
        let spans: Vec<Range<usize>> = (0..100_000).map(|at| at..200_000 - at).collect();
        let lanes = lanes(&spans);
        assert_eq!((lanes[0], lanes[99_999]), (99_999, 0));
    }

    #[test]
    fn lanes_are_shared() {
        assert_eq!(shared(&[1, 1, 1], 3, 8), [1, 1, 1]);
        assert_eq!(shared(&[5, 9, 1], 3, 8), [3, 3, 1]);
        assert_eq!(shared(&[3, 3, 3, 3], 3, 8), [2, 2, 2, 2]);
        assert_eq!(shared(&[1; 10], 3, 8), [1, 1, 1, 1, 1, 1, 1, 1, 0, 0]);
    }
}
