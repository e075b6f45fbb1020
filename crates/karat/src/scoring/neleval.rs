//! A board as neleval prints it.

use super::Board;
use karat_measures::Result as Scored;

impl Board {
    /// What `neleval evaluate` prints for each system.
    pub fn neleval(&self) -> String {
        let mut text = String::new();
        for system in &self.systems {
            if self.systems.len() > 1 {
                text += &format!("# {}\n", system.name);
            }
            text += "ptp\tfp\trtp\tfn\tprecis\trecall\tfscore\tmeasure\n";
            let measures = self.selection.measures.iter().zip(&system.evaluation.results);
            let mut rows: Vec<(String, &Scored)> =
                measures.map(|(measure, result)| (measure.name.clone(), result)).collect();
            for slice in &system.evaluation.slices {
                let measures = self.selection.measures.iter().zip(&slice.results);
                let name = |measure: &str| format!("{measure};{}={:?}", slice.facet, slice.label);
                rows.extend(measures.map(|(measure, result)| (name(&measure.name), result)));
            }
            rows.sort_by(|(a, _), (b, _)| a.cmp(b));
            for (name, result) in rows {
                text += &row(&name, result);
            }
        }
        text
    }
}

/// Measures without the four counts have no row in neleval.
fn row(name: &str, result: &Scored) -> String {
    let &[ptp, fp, rtp, fn_] = result.counts.as_slice() else { return String::new() };
    // A measure whose credits are whole numbers prints all four as such.
    let whole = [ptp, fp, rtp, fn_].iter().all(|count| count.fract() == 0.0);
    let count = |count: f64| if whole { format!("{count}") } else { format!("{count:.3}") };
    let counts = [ptp, fp, rtp, fn_].map(count).join("\t");
    let score = |name: &str| result.micro.get(name).flatten().unwrap_or(0.0);
    let scores = ["precision", "recall", "f1"].map(|name| format!("{:.3}", score(name))).join("\t");
    format!("{counts}\t{scores}\t{name}\n")
}
