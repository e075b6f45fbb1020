//! Figures 3 and 4 of Ding, Botzer and Weninger (2022).

use super::answer::VerifyReportAnswer;
use karat_report::plot::{Axis, Forest, ForestRow, HeatMap};
use karat_verify::results::{CampaignResults, Estimate};

/// Precision and recall of each source before and after verification: Figure 3.
pub fn before_and_after(answer: &VerifyReportAnswer) -> Forest {
    let mut rows = Vec::new();
    for source in &answer.results.all.sources {
        let before = answer.before.iter().find(|one| one.source == source.source);
        let mut row = |label: &str, estimate: Option<Estimate>| {
            if let Some(Estimate { value, interval }) = estimate {
                let [low, high] = interval.unwrap_or([value, value]);
                let group = Some(source.source.clone());
                rows.push(ForestRow {
                    label: label.to_owned(),
                    estimate: value,
                    low,
                    high,
                    group,
                    ..ForestRow::default()
                });
            }
        };
        let of = |value: Option<f64>, interval| value.map(|value| Estimate { value, interval });
        let precision = before.and_then(|one| of(one.strong_precision, one.precision_interval));
        let recall = before.and_then(|one| of(one.strong_recall, one.recall_interval));
        row("precision before", precision);
        row("precision after", source.precision);
        row("recall before", recall);
        row("recall after", source.recall);
    }
    Forest {
        title: "Before and after verification".to_owned(),
        x: Axis::new("share").between(0.0, 1.0),
        rows,
        reference: None,
        decimals: Some(3),
    }
}

/// How the proposals of each source divide into verified, modified and removed: Figure 4.
pub fn outcome_shares(results: &CampaignResults) -> HeatMap {
    let mut rows = Vec::new();
    let mut values = Vec::new();
    let groups = results.datasets.iter().map(|group| (format!("{} ", group.dataset), group));
    for (name, group) in groups.chain([(String::new(), &results.all)]) {
        for source in &group.sources {
            let all: f64 = source.outcomes.iter().sum();
            rows.push(format!("{name}{}", source.source));
            values.push(source.outcomes.map(|part| (all > 0.0).then(|| part / all)).to_vec());
        }
    }
    HeatMap {
        title: "What became of proposals".to_owned(),
        label: "share".to_owned(),
        rows,
        columns: ["verify", "modify", "remove"].map(str::to_owned).to_vec(),
        values,
        low: Some(0.0),
        high: Some(1.0),
        decimals: Some(3),
        ..HeatMap::default()
    }
}
