//! Annotations that are parts of others.

/// Which annotations lead in a circle: from them, parent by parent, one never comes
/// to an annotation without a parent. A parent that is not there counts as none.
pub(crate) fn circular(parents: &[Option<usize>]) -> Vec<bool> {
    let mut states = vec![State::Unknown; parents.len()];
    let mut path = Vec::new();
    for start in 0..parents.len() {
        let mut at = Some(start);
        // Each annotation is put on a path once, so all paths together are no longer than the list.
        while let Some(here) = at.filter(|&here| states.get(here) == Some(&State::Unknown)) {
            states[here] = State::OnPath;
            path.push(here);
            at = parents[here];
        }
        let end = at.and_then(|at| states.get(at)).copied();
        let circular = matches!(end, Some(State::OnPath | State::Circular));
        let state = if circular { State::Circular } else { State::Rooted };
        path.drain(..).for_each(|passed| states[passed] = state);
    }
    states.into_iter().map(|state| state == State::Circular).collect()
}

#[derive(Debug, Clone, Copy, PartialEq)]
enum State {
    Unknown,
    OnPath,
    Rooted,
    Circular,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn circles_are_found_and_trees_are_not() {
        for (parents, expected) in [
            (vec![], vec![]),
            (vec![None, Some(0), Some(1)], vec![false; 3]),
            (vec![Some(2), Some(0), None], vec![false; 3]),
            (vec![Some(0)], vec![true]),
            (vec![Some(1), Some(0), Some(0), None], vec![true, true, true, false]),
            (vec![Some(9)], vec![false]),
        ] {
            assert_eq!(circular(&parents), expected, "{parents:?}");
        }
        let chain: Vec<_> = (0..100_000).map(|at| Some(at + 1)).collect();
        assert!(circular(&chain).into_iter().all(|circular| !circular));
    }
}
