//! The auction: each row takes its best column and raises the price to where its
//! second choice would have been as good; the row that had the column bids next.
//!
//! Bertsekas (1988), "The auction algorithm", in the form without a minimal raise
//! that Jonker and Volgenant (1987) call augmenting row reduction.

use super::market::{Graph, Market};

/// How often a row may bid. More bids do not pay: rows without a column by then outbid each other by small
/// differences, which rerouting settles in one step.
const BIDS: u8 = 8;

/// Lets all rows bid; returns those that still want a column.
pub(super) fn bid(graph: &Graph, market: &mut Market) -> Vec<u32> {
    let mut bids = vec![0; graph.rows() as usize];
    let mut left = Vec::new();
    for first in 0..graph.rows() {
        let mut bidder = Some(first);
        while let Some(row) = bidder.take() {
            let spent = &mut bids[row as usize];
            *spent += 1;
            match choose(graph, market, row) {
                Choice::Nothing => {}
                Choice::Buy { column, price, gain } if *spent <= BIDS => {
                    bidder = buy(market, row, column, price, gain);
                }
                Choice::Buy { .. } | Choice::Tie => left.push(row),
            }
        }
    }
    left
}

enum Choice {
    /// No column is worth its price.
    Nothing,
    /// The best column belongs to another and the second best is as good.
    Tie,
    Buy {
        column: u32,
        price: f64,
        gain: f64,
    },
}

fn choose(graph: &Graph, market: &Market, row: u32) -> Choice {
    let taken = |column: u32| market.row_of[column as usize].is_some();
    let mut best = None;
    let (mut most, mut second) = (0.0, 0.0);
    // Offers come heaviest first and prices are never negative, so an offer lighter than the second
    // best gain can no longer change the outcome.
    for offer in graph.offers(row) {
        if offer.weight < second {
            break;
        }
        let gain = market.gain_from(offer);
        // Of two columns with the same gain a free one is better: nobody has to bid again.
        let frees_from_a_tie = gain == most && best.is_some_and(|(column, _)| taken(column));
        if gain > most || (frees_from_a_tie && !taken(offer.column)) {
            second = most;
            most = gain;
            best = Some((offer.column, offer.weight));
        } else if gain > second {
            second = gain;
        }
    }
    match best {
        None => Choice::Nothing,
        // Taking it would raise its price by nothing, and the row that had it could take it
        // straight back, without end. Rerouting decides such ties.
        Some((column, _)) if most == second && taken(column) => Choice::Tie,
        // The price rises to where the second choice is exactly as good, never further. This keeps
        // gain + price equal to the weight for the pair, one of the four facts of the module.
        Some((column, weight)) => Choice::Buy { column, price: weight - second, gain: second },
    }
}

/// Makes the purchase; returns the row that had the column.
fn buy(market: &mut Market, row: u32, column: u32, price: f64, gain: f64) -> Option<u32> {
    let former = market.row_of[column as usize];
    if let Some(former) = former {
        market.column_of[former as usize] = None;
    }
    market.give(column, row);
    market.price[column as usize] = price;
    market.gain[row as usize] = gain;
    former
}
