//! Assignments against exhaustive search and against the dense textbook method.

use super::{Edge, assign};
use proptest::prelude::*;

fn edges_of(weights: &[Vec<u32>]) -> Vec<Edge> {
    let mut edges = Vec::new();
    for (row, weights) in weights.iter().enumerate() {
        for (column, &weight) in weights.iter().enumerate() {
            if weight > 0 {
                let (row, column) = (row as u32, column as u32);
                edges.push(Edge { row, column, weight: f64::from(weight) });
            }
        }
    }
    edges
}

/// The worth of an assignment, after checking that it is one.
fn worth(rows: usize, columns: usize, edges: &[Edge]) -> f64 {
    let assigned = assign(rows, columns, edges);
    assert_eq!(assigned.len(), rows);
    let mut used = vec![false; columns];
    let mut total = 0.0;
    for (row, column) in assigned.iter().enumerate() {
        let Some(column) = *column else { continue };
        assert!(!std::mem::replace(&mut used[column as usize], true), "column {column} twice");
        let between = |edge: &&Edge| edge.row as usize == row && edge.column == column;
        let heaviest = edges.iter().filter(between).map(|edge| edge.weight).reduce(f64::max);
        total += heaviest.expect("an assigned pair has an edge");
    }
    total
}

/// Tries everything.
fn exhaustive(weights: &[Vec<u32>], used: u32) -> u32 {
    let Some((first, rest)) = weights.split_first() else { return 0 };
    let without = exhaustive(rest, used);
    (0..first.len())
        .filter(|column| used & (1 << column) == 0)
        .map(|column| first[column] + exhaustive(rest, used | 1 << column))
        .fold(without, u32::max)
}

/// The Hungarian method with a dense matrix, in cubic time; the matrix is square.
fn dense(weights: &[Vec<f64>]) -> f64 {
    let size = weights.len();
    let (mut u, mut v) = (vec![0.0; size + 1], vec![0.0; size + 1]);
    let mut row_of = vec![0; size + 1];
    for row in 1..=size {
        row_of[0] = row;
        let mut from = vec![0; size + 1];
        let mut least = vec![f64::INFINITY; size + 1];
        let mut done = vec![false; size + 1];
        let mut column = 0;
        while row_of[column] != 0 {
            done[column] = true;
            let here = row_of[column];
            let (mut step, mut next) = (f64::INFINITY, 0);
            for other in (1..=size).filter(|&other| !done[other]) {
                let cost = -weights[here - 1][other - 1] - u[here] - v[other];
                if cost < least[other] {
                    (least[other], from[other]) = (cost, column);
                }
                if least[other] < step {
                    (step, next) = (least[other], other);
                }
            }
            for other in 0..=size {
                if done[other] {
                    u[row_of[other]] += step;
                    v[other] -= step;
                } else {
                    least[other] -= step;
                }
            }
            column = next;
        }
        while column != 0 {
            row_of[column] = row_of[from[column]];
            column = from[column];
        }
    }
    (1..=size).map(|column| weights[row_of[column] - 1][column - 1]).sum()
}

fn small() -> impl Strategy<Value = Vec<Vec<u32>>> {
    let weight = prop_oneof![2 => Just(0), 3 => 1..4_u32, 1 => 1..100_u32];
    (0..7_usize, 0..7_usize).prop_flat_map(move |(rows, columns)| {
        prop::collection::vec(prop::collection::vec(weight.clone(), columns), rows)
    })
}

/// Sparse graphs with few heavy and many light edges, and many equal weights.
fn medium() -> impl Strategy<Value = (usize, Vec<Edge>)> {
    (2..60_usize).prop_flat_map(|size| {
        let side = 0..size as u32;
        let weight = (1.0..60.0_f64).prop_map(|x| (200.0 / (x * x)).ceil());
        let edge = (side.clone(), side, weight).prop_map(|(row, column, weight)| Edge {
            row,
            column,
            weight,
        });
        (Just(size), prop::collection::vec(edge, 0..size * 4))
    })
}

fn matrix(size: usize, edges: &[Edge]) -> Vec<Vec<f64>> {
    let mut weights = vec![vec![0.0_f64; size]; size];
    for edge in edges {
        let cell = &mut weights[edge.row as usize][edge.column as usize];
        *cell = cell.max(edge.weight);
    }
    weights
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]

    #[test]
    fn equals_exhaustive_search(weights in small()) {
        let columns = weights.first().map_or(0, Vec::len);
        let found = worth(weights.len(), columns, &edges_of(&weights));
        prop_assert_eq!(found, f64::from(exhaustive(&weights, 0)));
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn equals_the_dense_method_on_whole_numbers((size, edges) in medium()) {
        prop_assert_eq!(worth(size, size, &edges), dense(&matrix(size, &edges)));
    }

    /// Quotients are inexact: both methods round, each in its own order.
    #[test]
    fn equals_the_dense_method_on_quotients((size, mut edges) in medium()) {
        for edge in &mut edges {
            edge.weight = 2.0 * edge.weight / (edge.weight + f64::from(edge.row + edge.column) + 1.0);
        }
        let (found, expected) = (worth(size, size, &edges), dense(&matrix(size, &edges)));
        prop_assert!((found - expected).abs() < 1e-10, "{found} {expected}");
    }

    #[test]
    fn does_not_depend_on_the_order_of_edges((size, edges) in medium(), turn in 0..100_usize) {
        let mut turned = edges.clone();
        turned.reverse();
        turned.rotate_left(turn % edges.len().max(1));
        prop_assert_eq!(assign(size, size, &edges), assign(size, size, &turned));
    }

    /// A graph beside another changes nothing in it.
    #[test]
    fn does_not_depend_on_other_components((size, edges) in medium()) {
        let alone = assign(size, size, &edges);
        let shifted = edges.iter().map(|edge| Edge {
            row: edge.row + size as u32,
            column: edge.column + size as u32,
            ..*edge
        });
        let both: Vec<Edge> = edges.iter().copied().chain(shifted).collect();
        let together = assign(2 * size, 2 * size, &both);
        prop_assert_eq!(&together[..size], &alone);
        let back = together[size..].iter().map(|column| column.map(|column| column - size as u32));
        prop_assert_eq!(back.collect::<Vec<_>>(), alone);
    }
}

#[test]
fn nothing_to_assign() {
    assert_eq!(assign(0, 0, &[]), []);
    assert_eq!(assign(2, 0, &[]), [None, None]);
    assert_eq!(assign(1, 3, &[]), [None]);
}

#[test]
fn weights_that_are_no_weights_are_passed_over() {
    let edges = [0.0, -1.0, f64::NAN, f64::INFINITY, f64::NEG_INFINITY].map(|weight| Edge {
        row: 0,
        column: 0,
        weight,
    });
    assert_eq!(assign(1, 1, &edges), [None]);
}

#[test]
fn of_equal_edges_the_first_column_is_taken() {
    let edges = [2, 0, 1].map(|column| Edge { row: 0, column, weight: 1.0 });
    assert_eq!(assign(1, 3, &edges), [Some(0)]);
}

/// A chain in which the last row can be served only if every other row moves.
#[test]
fn a_long_chain_moves_as_one() {
    let length = 20_000_u32;
    let mut edges = Vec::new();
    for row in 0..length {
        edges.push(Edge { row, column: row, weight: 2.0 });
        edges.push(Edge { row, column: row + 1, weight: 2.0 });
    }
    edges.push(Edge { row: length, column: 0, weight: 1.0 });
    let assigned = assign(length as usize + 1, length as usize + 1, &edges);
    assert!(assigned.iter().all(Option::is_some));
}
