//! Comparisons as JSON. Keys are added, never renamed.

use super::{Across, Comparison, Mentions, NotRanked, Pair, ScoreComparison, remarks};
use karat_measures::Signature;
use karat_stats::Interval;
use serde_json::{Value, json};

/// All comparisons in one object, with the ranks across them.
pub fn json(comparisons: &[Comparison]) -> Value {
    let across = Across::of(comparisons);
    let signatures: Vec<Signature> =
        comparisons.iter().map(|comparison| comparison.signature.clone()).collect();
    let signature = (!signatures.is_empty()).then(|| Signature::together(&signatures).to_string());
    json!({
        "karat": env!("CARGO_PKG_VERSION"),
        "signature": signature,
        "benchmarks": comparisons.iter().map(benchmark).collect::<Vec<_>>(),
        "across": across.iter().map(across_json).collect::<Vec<_>>(),
    })
}

fn benchmark(comparison: &Comparison) -> Value {
    let systems = comparison.systems.iter().map(|system| {
        json!({
            "name": system.name,
            "sources": system.sources,
            "silent_documents": system.silent_documents,
            "unknown_documents": system.unknown_documents.len(),
        })
    });
    json!({
        "name": comparison.benchmark,
        "unified": comparison.unified,
        "signature": comparison.signature.to_string(),
        "documents": comparison.documents,
        "units": comparison.units,
        "systems": systems.collect::<Vec<_>>(),
        "scores": comparison.scores.iter().map(|score| score_json(comparison, score)).collect::<Vec<_>>(),
        "left_out": comparison.left_out,
        "remarks": remarks(comparison),
    })
}

fn score_json(comparison: &Comparison, score: &ScoreComparison) -> Value {
    let name = |at: usize| comparison.systems[at].name.as_str();
    let names = |all: &[usize]| all.iter().map(|&at| name(at)).collect::<Vec<_>>();
    let systems = score.systems.iter().enumerate().map(|(at, standing)| {
        json!({
            "name": name(at),
            "score": standing.score,
            "ci": standing.interval.map(ends),
            "rank": standing.ranks.map(|ranks| ranks.rank),
            "rank_ci": standing.ranks.and_then(|ranks| ranks.interval),
            "first": standing.ranks.and_then(|ranks| ranks.first),
            "beats": names(&standing.beats),
            "runs": standing.runs,
            "undefined_trials": standing.undefined,
            "strength": standing.strength.filter(|strength| strength.is_finite()),
        })
    });
    json!({
        "name": score.name,
        "measure": score.measure,
        "facet": score.part.as_ref().map(|part| &part.facet),
        "label": score.part.as_ref().map(|part| &part.label),
        "labels": score.part.as_ref().map(|part| &part.labels),
        "systems": systems.collect::<Vec<_>>(),
        "pairs": score.pairs.iter().map(|pair| pair_json(pair, name(pair.first), name(pair.second))).collect::<Vec<_>>(),
        "groups": score.groups.iter().map(|group| names(group)).collect::<Vec<_>>(),
        "detectable": score.detectable,
    })
}

fn pair_json(pair: &Pair, first: &str, second: &str) -> Value {
    let drawn = pair.difference.and_then(|found| found.drawn);
    json!({
        "first": first,
        "second": second,
        "difference": pair.difference.map(|found| found.value),
        "ci": drawn.and_then(|found| found.interval).map(ends),
        "standard_error": drawn.map(|found| found.standard_error),
        "p": pair.p,
        "p_adjusted": pair.adjusted,
        "significant": pair.is_significant,
        "p_one_sided": pair.randomised.map(|found| found.one_sided()),
        "p_two_sided": pair.randomised.map(|found| found.two_sided()),
        "p_bootstrap": drawn.map(|found| found.two_sided),
        "first_better": drawn.map(|found| found.first_better),
        "detectable": pair.detectable,
        "out_of_reach": pair.is_out_of_reach,
        "cohens_h": pair.cohens_h,
        "documents": {
            "wins": pair.documents.wins,
            "ties": pair.documents.ties,
            "losses": pair.documents.losses,
        },
        "mentions": pair.mentions.map(mentions_json),
        "stochastic_order": pair.order.map(|order| json!({"ratio": order.ratio, "bound": order.bound})),
    })
}

fn mentions_json(mentions: Mentions) -> Value {
    json!({
        "first_only": mentions.exact.first_only,
        "second_only": mentions.exact.second_only,
        "concordant": mentions.concordant,
        "p": mentions.exact.two_sided(),
        "mid_p": mentions.exact.mid_p(),
        "p_clustered": mentions.clustered.p,
        "odds_ratio": mentions.exact.odds_ratio().filter(|ratio| ratio.is_finite()),
    })
}

fn across_json(across: &Result<Across, NotRanked>) -> Value {
    let across = match across {
        Ok(across) => across,
        Err(reason) => return json!({"reason": reason.to_string()}),
    };
    let name = |at: usize| across.systems[at].as_str();
    let replicated = across.replicated.iter().map(|&(first, second, benchmarks)| {
        json!({"first": name(first), "second": name(second), "benchmarks": benchmarks})
    });
    json!({
        "score": across.score,
        "facet": across.part.as_ref().map(|part| &part.facet),
        "label": across.part.as_ref().map(|part| &part.label),
        "labels": across.part.as_ref().map(|part| &part.labels),
        "blocks": across.blocks.name(),
        "number": across.friedman.benchmarks,
        "ranks": across.systems.iter().zip(&across.friedman.average_ranks)
            .map(|(name, rank)| json!({"name": name, "rank": rank})).collect::<Vec<_>>(),
        "chi_squared": across.friedman.chi_squared,
        "p": across.friedman.p,
        "f": across.friedman.f,
        "f_p": across.friedman.f_p,
        "critical_difference": across.critical_difference,
        "groups": across.groups.iter()
            .map(|group| group.iter().map(|&at| name(at)).collect::<Vec<_>>()).collect::<Vec<_>>(),
        "replicated": replicated.collect::<Vec<_>>(),
    })
}

fn ends(interval: Interval) -> [f64; 2] {
    [interval.low, interval.high]
}
