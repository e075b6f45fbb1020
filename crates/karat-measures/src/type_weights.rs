//! What a pair of types is worth.

use crate::asked::asked;
use crate::fields::{Field, Fields};
use crate::measure::{DocumentMeasure, Numbers, Scores, credit_scores};
use crate::score::{Credit, Zero, quantised};
use karat_match::assignment::{Edge, assign};
use karat_match::{Assignment, Scene, Settings, Side};
use karat_model::Mention;
use std::collections::{BTreeMap, VecDeque};
use std::fmt;
use std::sync::Arc;

/// Weights for pairs of a gold and a system type. A pair that is not in the table is worth
/// 1 if both are the same type, and else nothing.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct TypeWeights {
    by_gold: BTreeMap<String, BTreeMap<String, f64>>,
}

/// The beginning of a line, for a message: a file that is no such table may have lines of any length.
pub(crate) fn beginning(line: &str) -> String {
    const SHOWN: usize = 60;
    match line.char_indices().nth(SHOWN) {
        Some((end, _)) => format!("{}…", &line[..end]),
        None => line.to_owned(),
    }
}

/// A table of weights, or a hierarchy, that cannot be read.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum TypeWeightsError {
    /// A line that is no weight.
    #[error(
        "line {line} of the type weights is `{text}`: expected gold type, system type and weight, \
         separated by tabs"
    )]
    Line {
        /// Its number, from 1.
        line: usize,
        /// What it says.
        text: String,
    },
    /// A hierarchy that is none.
    #[error("the hierarchy of types is no JSON object of lists of names: {0}")]
    Hierarchy(String),
    /// A decay that would make distant types worth more than near ones.
    #[error("a decay of {0} is not from 0 to 1")]
    Decay(String),
}

impl TypeWeights {
    /// Reads a table: gold type, system type and weight on each line, separated by tabs. Of
    /// several weights for one pair the largest counts.
    ///
    /// ```
    /// use karat_measures::TypeWeights;
    ///
    /// let weights = TypeWeights::parse("painter\tartist\t0.5\n")?;
    /// assert_eq!(weights.weight("painter", "artist"), 0.5);
    /// assert_eq!(weights.weight("artist", "painter"), 0.0);
    /// # Ok::<(), karat_measures::TypeWeightsError>(())
    /// ```
    pub fn parse(table: &str) -> Result<TypeWeights, TypeWeightsError> {
        let mut weights = TypeWeights::default();
        for (index, text) in table.lines().enumerate().filter(|(_, text)| !text.is_empty()) {
            let (gold, system, weight) = row(text)
                .ok_or_else(|| TypeWeightsError::Line { line: index + 1, text: beginning(text) })?;
            weights.add(gold, system, weight);
        }
        Ok(weights)
    }

    /// Weights for a hierarchy of types, a JSON object from each type to the list of those
    /// below it: a system type that is d steps above the gold type is worth decay^d.
    ///
    /// ```
    /// use karat_measures::TypeWeights;
    ///
    /// let weights = TypeWeights::for_hierarchy(r#"{"artist": ["painter"]}"#, 0.5)?;
    /// assert_eq!(weights.weight("painter", "artist"), 0.5);
    /// # Ok::<(), karat_measures::TypeWeightsError>(())
    /// ```
    pub fn for_hierarchy(json: &str, decay: f64) -> Result<TypeWeights, TypeWeightsError> {
        if !(0.0..=1.0).contains(&decay) {
            return Err(TypeWeightsError::Decay(decay.to_string()));
        }
        let below: BTreeMap<String, Vec<String>> = serde_json::from_str(json)
            .map_err(|error| TypeWeightsError::Hierarchy(error.to_string()))?;
        let mut weights = TypeWeights::default();
        for ancestor in below.keys() {
            for (descendant, steps) in distances(&below, ancestor) {
                weights.add(descendant, ancestor, decay.powi(steps));
            }
        }
        Ok(weights)
    }

    fn add(&mut self, gold: &str, system: &str, weight: f64) {
        let known = self.by_gold.entry(gold.to_owned()).or_default();
        let known = known.entry(system.to_owned()).or_insert(weight);
        *known = known.max(weight);
    }

    /// What it is worth to call `system` what gold calls `gold`.
    pub fn weight(&self, gold: &str, system: &str) -> f64 {
        let listed = self.by_gold.get(gold).and_then(|weights| weights.get(system));
        listed.copied().unwrap_or(if gold == system { 1.0 } else { 0.0 })
    }

    /// The best weight of any two of the types of two mentions; no type is a type too.
    fn best(&self, gold: &Types<'_>, system: &Types<'_>) -> f64 {
        let pairs = gold.iter().flat_map(|gold| system.iter().map(move |it| (gold, it)));
        quantised(pairs.map(|(gold, system)| self.weight(gold, system)).fold(0.0, f64::max))
    }
}

fn row(text: &str) -> Option<(&str, &str, f64)> {
    let fields: Vec<&str> = text.split('\t').collect();
    let &[gold, system, weight] = fields.as_slice() else { return None };
    let weight = weight.trim().parse().ok().filter(|weight: &f64| weight.is_finite())?;
    Some((gold, system, weight))
}

/// How many steps below a type each of those below it is, at the least.
fn distances<'h>(below: &'h BTreeMap<String, Vec<String>>, from: &str) -> BTreeMap<&'h str, i32> {
    let mut steps: BTreeMap<&str, i32> = BTreeMap::new();
    let children = |of: &str| below.get(of).into_iter().flatten().map(String::as_str);
    let mut queue: VecDeque<(&str, i32)> = children(from).map(|child| (child, 1)).collect();
    while let Some((name, distance)) = queue.pop_front() {
        // A hierarchy from a file may contain a circle.
        if name != from && !steps.contains_key(name) {
            steps.insert(name, distance);
            queue.extend(children(name).map(|child| (child, distance + 1)));
        }
    }
    steps
}

impl fmt::Display for TypeWeights {
    /// The table that [`TypeWeights::parse`] reads.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (gold, weights) in &self.by_gold {
            for (system, weight) in weights {
                writeln!(f, "{gold}\t{system}\t{weight}")?;
            }
        }
        Ok(())
    }
}

/// The types of a mention, at least one: the empty one if it has none.
type Types<'a> = Vec<&'a str>;

/// Sets of keys whose types are compared by weight.
#[derive(Debug)]
pub(crate) struct WeightedSets {
    /// Which items are looked at, and what must agree besides the types.
    fields: Fields,
    weights: Arc<TypeWeights>,
}

impl WeightedSets {
    /// The fields of a typed measure with weights in place of equal types; `None` if
    /// types are not asked for.
    pub(crate) fn of(mut fields: Fields, weights: &Arc<TypeWeights>) -> Option<WeightedSets> {
        let typed = fields.key.contains(&Field::Type);
        fields.key.retain(|field| *field != Field::Type);
        typed.then(|| WeightedSets { fields, weights: Arc::clone(weights) })
    }

    /// The types of the items of a side, by key; optional items apart.
    fn types<'a>(&self, side: &Side<'a>, settings: &Settings, optional: bool) -> ByKey<'a> {
        let mut by_key = ByKey::new();
        for (at, key) in self.fields.keys(side) {
            let item = &side.items[at];
            if item.optional == optional {
                let mention = side.mention(item);
                let mut types: Types<'a> = mention.iter().flat_map(Mention::types).collect();
                if types.is_empty() {
                    types.push("");
                }
                by_key.entry(key).or_default().push(types);
            }
        }
        if settings.assignment == Assignment::Sets {
            for types in by_key.values_mut() {
                types.sort_unstable();
                types.dedup();
            }
        }
        by_key
    }

    /// The most that mentions on one key can earn together, each paired once.
    fn credit(&self, gold: &[Types<'_>], system: &[Types<'_>]) -> f64 {
        // Nearly every key has one mention a side; the assignment is for repeated spans only.
        if let ([gold], [system]) = (gold, system) {
            return self.weights.best(gold, system);
        }
        let mut edges = Vec::new();
        for (row, gold) in gold.iter().enumerate() {
            for (column, system) in system.iter().enumerate() {
                let weight = self.weights.best(gold, system);
                if weight > 0.0 {
                    edges.push(Edge { row: row as u32, column: column as u32, weight });
                }
            }
        }
        let assigned = assign(gold.len(), system.len(), &edges);
        let pairs = gold.iter().zip(assigned);
        let earned = pairs.filter_map(|(gold, column)| {
            Some(self.weights.best(gold, system.get(column? as usize)?))
        });
        earned.sum()
    }

    /// The most that mentions could earn: what their types are worth with themselves.
    fn possible(&self, mentions: &[Types<'_>]) -> f64 {
        mentions.iter().map(|types| self.weights.best(types, types)).sum()
    }
}

type ByKey<'a> = BTreeMap<u128, Vec<Types<'a>>>;

impl DocumentMeasure for WeightedSets {
    fn attributes(&self) -> Vec<&str> {
        self.fields.attributes()
    }

    fn columns(&self) -> &'static [&'static str] {
        &Credit::COLUMNS
    }

    fn numbers(&self) -> Numbers {
        Numbers::Fractions
    }

    fn tally(&self, settings: &Settings, scene: &Scene<'_>, counts: &mut [f64]) {
        let part = asked(settings, scene);
        let scene = part.as_ref().unwrap_or(scene);
        let gold = self.types(&scene.gold, settings, false);
        let optional = self.types(&scene.gold, settings, true);
        let system = self.types(&scene.system, settings, false);
        for (key, gold) in &gold {
            let met = system.get(key).map_or(&[] as &[Types<'_>], Vec::as_slice);
            let credit = self.credit(gold, met);
            counts[0] += credit;
            // Predictions are added once for all keys below; what earned credit is taken off here.
            counts[1] -= credit;
            counts[2] += credit;
            counts[3] += self.possible(gold) - credit;
        }
        // What only meets optional gold is not held against the system.
        let counted =
            system.iter().filter(|(key, _)| gold.contains_key(key) || !optional.contains_key(key));
        counts[1] += counted.map(|(_, types)| self.possible(types)).sum::<f64>();
    }

    fn scores(&self, counts: &[f64], zero: Zero) -> Scores {
        credit_scores(counts, zero)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Hierarchy;

    #[test]
    fn long_lines_are_named_by_their_beginning() {
        let line = "ü".repeat(5000);
        let shown = format!("is `{}…`: expected", "ü".repeat(60));
        let weights = TypeWeights::parse(&line).unwrap_err().to_string();
        assert!(weights.contains(&shown), "{weights}");
        let hierarchy = Hierarchy::parse(&line).unwrap_err().to_string();
        assert!(hierarchy.contains(&shown), "{hierarchy}");
    }
}
