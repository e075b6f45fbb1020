//! HIPE-2022 (Ehrmann et al., 2022): the counts of the official scorer for runs as they were submitted.
//!
//! A row of `official.tsv` is a run with its counts of linking in the strict and the fuzzy regime.

use super::{Data, Paper, Row, Section};
use crate::request::Request;
use crate::scoring::EvaluationRequest;
use crate::work::Work;
use karat_formats::Problem;
use serde_json::json;

pub(super) static PAPER: Paper = Paper {
    name: "hipe-2022",
    title: "Ehrmann et al. (2022): Extended Overview of HIPE-2022: Named Entity Recognition and Linking in Multilingual Historical Documents",
    needs: "wild/hipe: official.tsv, gold/ and runs/",
    run,
};

const FOLDER: &str = "wild/hipe";

/// The two regimes of the scorer.
const REGIMES: [(&str, &str); 2] = [("strict", "all"), ("fuzzy", "all(match=overlap)")];

const COUNTS: [&str; 3] = ["tp", "fp", "fn"];

fn run(data: &Data) -> Result<Vec<Section>, Problem> {
    let table = format!("{FOLDER}/official.tsv");
    let text = data.text(&table)?;
    let mut rows = Vec::new();
    for line in text.lines().skip(1).filter(|line| !line.trim().is_empty()) {
        let cells: Vec<&str> = line.split('\t').collect();
        let &[run, gold, ref printed @ ..] = cells.as_slice() else { continue };
        if printed.len() != REGIMES.len() * COUNTS.len() {
            let message = format!("expected a run, its gold and six counts, found `{line}`");
            return Err(data.problem(&table, message));
        }
        let computed = counts(data, run, gold)?;
        for (at, (regime, _)) in REGIMES.iter().enumerate() {
            let printed = printed[at * COUNTS.len()..][..COUNTS.len()].join(" ");
            rows.push(Row::new(&[run, regime], &printed, computed[at].clone()));
        }
    }
    let remarks = [
        "Right, wrong and missed links, NIL among them, as the official scorer counted them for the files that were submitted.",
        "The strict regime compares the words of a mention too: what a run writes in another way than gold is wrong there.",
    ];
    Ok(vec![Section::new("Entity linking, literal sense", &["run", "regime"], rows, &remarks)])
}

/// The counts of a run, for each regime.
fn counts(data: &Data, run: &str, gold: &str) -> Result<Vec<String>, Problem> {
    let gold = format!("{FOLDER}/gold/{gold}");
    let system = format!("{FOLDER}/runs/{run}.tsv");
    // What is missing is said by the name that it has in the folder.
    data.input(&gold)?;
    data.input(&system)?;
    let request = json!({
        "inputs": {
            "gold": [{"name": "gold", "path": super::shown(&data.path(&gold))}],
            "systems": [{"name": "run", "path": super::shown(&data.path(&system))}],
        },
        "convention": {"preset": "hipe-2022"},
        "measures": REGIMES.map(|(_, measure)| measure),
    });
    let refused = |problem: String| data.problem(&system, problem);
    let request: EvaluationRequest =
        serde_json::from_value(request).map_err(|problem| refused(problem.to_string()))?;
    let answer =
        request.answer(&Work::default()).map_err(|problem| refused(problem.to_string()))?;
    let answer = serde_json::to_value(&answer).map_err(|problem| refused(problem.to_string()))?;
    let of_measure = |at: usize| {
        let measure = &answer["systems"][0]["measures"][at];
        let counts = COUNTS.map(|name| measure[name].as_f64().unwrap_or(f64::NAN).to_string());
        counts.join(" ")
    };
    Ok((0..REGIMES.len()).map(of_measure).collect())
}
