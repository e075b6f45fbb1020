//! A board as neleval prints it.

use super::{Board, SystemScores};
use karat_measures::{Credit, Result as Scored, Slice, Zero};

impl Board {
    /// What `neleval evaluate` prints for each system; with slices, what it prints
    /// with `--group-by`.
    pub fn neleval(&self) -> String {
        let mut text = String::new();
        for system in &self.systems {
            if self.systems.len() > 1 {
                text += &format!("# {}\n", system.name);
            }
            text += "ptp\tfp\trtp\tfn\tprecis\trecall\tfscore\tmeasure\n";
            let mut rows = match system.evaluation.slices.is_empty() {
                true => self.whole(system),
                false => self.groups(system),
            };
            rows.sort_by(|a, b| a.name.cmp(&b.name));
            text.extend(rows.iter().map(Row::text));
        }
        text
    }

    fn whole(&self, system: &SystemScores) -> Vec<Row> {
        let measures = self.selection.measures.iter().zip(&system.evaluation.results);
        measures.filter_map(|(measure, result)| Row::new(&measure.name, result)).collect()
    }

    /// Every group that gold has, and for each facet their mean and their sum.
    fn groups(&self, system: &SystemScores) -> Vec<Row> {
        let slices = &system.evaluation.slices;
        let mut facets: Vec<&str> = slices.iter().map(|slice| slice.facet.as_str()).collect();
        facets.dedup();
        let mut rows = Vec::new();
        for (at, measure) in self.selection.measures.iter().enumerate() {
            for facet in &facets {
                let field = if *facet == "doc" { "docid" } else { facet };
                let of_facet = |slice: &&Slice| slice.facet == *facet && slice.gold > 0;
                let mut groups: Vec<Row> = slices
                    .iter()
                    .filter(of_facet)
                    .filter_map(|slice| {
                        let label = ascii_json(&slice.label);
                        Row::new(&format!("{};{field}={label}", measure.name), &slice.results[at])
                    })
                    .collect();
                // The counts of a measure are whole numbers everywhere, or nowhere.
                let whole = groups.iter().all(|row| row.whole);
                groups.iter_mut().for_each(|row| row.whole = whole);
                rows.extend(averages(&format!("{};{field}", measure.name), &groups));
                rows.extend(groups);
            }
        }
        rows
    }
}

/// One line.
struct Row {
    name: String,
    counts: [f64; 4],
    scores: [f64; 3],
    /// Whether the counts are whole numbers by nature.
    whole: bool,
}

impl Row {
    /// Measures without the four counts have no row in neleval.
    fn new(name: &str, result: &Scored) -> Option<Row> {
        let counts: [f64; 4] = result.counts.as_slice().try_into().ok()?;
        let score = |name: &str| result.micro.get(name).flatten().unwrap_or(0.0);
        let scores = ["precision", "recall", "f1"].map(score);
        let whole = counts.iter().all(|count| count.fract() == 0.0);
        Some(Row { name: name.to_owned(), counts, scores, whole })
    }

    fn text(&self) -> String {
        let whole = self.whole;
        let count = |count: f64| if whole { format!("{count}") } else { format!("{count:.3}") };
        let counts = self.counts.map(count).join("\t");
        let scores = self.scores.map(|score| format!("{score:.3}")).join("\t");
        format!("{counts}\t{scores}\t{}\n", self.name)
    }
}

/// The mean of every column over groups, and the groups together.
fn averages(name: &str, groups: &[Row]) -> Vec<Row> {
    let number = groups.len() as f64;
    let column = |at: usize| groups.iter().map(|row| row.counts[at]).sum::<f64>();
    let score = |at: usize| groups.iter().map(|row| row.scores[at]).sum::<f64>() / number;
    if groups.is_empty() {
        return Vec::new();
    }
    let sums = [0, 1, 2, 3].map(column);
    let together = Credit::from(sums).prf(Zero::Nought);
    let or_nought = |score: Option<f64>| score.unwrap_or(0.0);
    vec![
        Row {
            name: format!("{name}=<macro>"),
            counts: sums.map(|sum| sum / number),
            scores: [0, 1, 2].map(score),
            whole: false,
        },
        Row {
            name: format!("{name}=<micro>"),
            counts: sums,
            scores: [together.precision, together.recall, together.f1].map(or_nought),
            whole: groups.iter().all(|row| row.whole),
        },
    ]
}

/// A string as Python writes it in JSON: everything beyond ASCII escaped.
fn ascii_json(text: &str) -> String {
    let json = serde_json::Value::from(text).to_string();
    let mut ascii = String::with_capacity(json.len());
    for character in json.chars() {
        if character.is_ascii() {
            ascii.push(character);
        } else {
            let mut units = [0; 2];
            for unit in character.encode_utf16(&mut units) {
                ascii += &format!("\\u{unit:04x}");
            }
        }
    }
    ascii
}
