//! Items of a text that do not overlap, as few times as possible.

use karat_model::Span;
use karat_stats::Random;

/// Puts items into layers without overlaps. Items are taken by where they begin, and each goes into a random one of the
/// layers that are free there, so that layers mix the sources, and there are exactly as many as the deepest overlap.
pub(super) fn layers(
    items: &[usize],
    span: impl Fn(usize) -> Span,
    random: &mut Random,
) -> Vec<Vec<usize>> {
    let mut items = items.to_vec();
    items.sort_by_key(|&item| (span(item), item));
    let mut layers: Vec<(u32, Vec<usize>)> = Vec::new();
    for item in items {
        let place = span(item);
        let free: Vec<usize> =
            (0..layers.len()).filter(|&at| layers[at].0 <= place.start).collect();
        let at = match free.len() {
            0 => {
                layers.push((0, Vec::new()));
                layers.len() - 1
            }
            many => free[random.below(many)],
        };
        layers[at].0 = place.end;
        layers[at].1.push(item);
    }
    layers.into_iter().map(|(_, items)| items).collect()
}

/// Divides a task with too many items where a sentence begins, or anywhere if no sentence begins in time.
pub(super) fn divided(
    mut items: Vec<usize>,
    most: Option<usize>,
    span: impl Fn(usize) -> Span,
    sentences: &[Span],
) -> Vec<Vec<usize>> {
    let Some(most) = most.filter(|&most| most > 0) else { return vec![items] };
    let sentence = |item: usize| sentences.partition_point(|one| one.end <= span(item).start);
    let mut parts = Vec::new();
    while items.len() > most {
        let begins = |&at: &usize| sentence(items[at]) != sentence(items[at - 1]);
        // The last place at which both halves are allowed and a sentence begins.
        let at = (1..=most).rev().find(begins).unwrap_or(most);
        let rest = items.split_off(at);
        parts.push(std::mem::replace(&mut items, rest));
    }
    parts.push(items);
    parts
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn layers_are_as_many_as_the_deepest_overlap(spans in prop::collection::vec((0_u32..60, 1_u32..12), 0..40), seed: u64) {
            let spans: Vec<Span> = spans.into_iter().map(|(begin, length)| Span::new(begin, begin + length)).collect();
            let items: Vec<usize> = (0..spans.len()).collect();
            let layers = layers(&items, |item| spans[item], &mut Random::new(seed, 0));
            let deepest = (0..80).map(|at| spans.iter().filter(|one| one.start <= at && at < one.end).count()).max();
            prop_assert_eq!(layers.len(), deepest.unwrap_or(0));
            for layer in &layers {
                for pair in layer.windows(2) {
                    prop_assert!(spans[pair[0]].end <= spans[pair[1]].start);
                }
            }
            let mut all: Vec<usize> = layers.into_iter().flatten().collect();
            all.sort_unstable();
            prop_assert_eq!(all, items);
        }
    }

    #[test]
    fn tasks_are_divided_at_sentences() {
        let span = |item: usize| Span::new(item as u32 * 10, item as u32 * 10 + 5);
        let sentences = [Span::new(0, 28), Span::new(29, 49), Span::new(50, 99)];
        let items: Vec<usize> = (0..8).collect();
        let parts = divided(items.clone(), Some(4), span, &sentences);
        assert_eq!(parts, [vec![0, 1, 2], vec![3, 4], vec![5, 6, 7]]);
        assert_eq!(divided(items, Some(3), span, &[]).len(), 3);
    }
}
