//! A board as neleval prints it.

use super::{Board, Evaluated, EvaluationRequest, Scoring, SystemScores};
use crate::error::Error;
use crate::work::Work;
use karat_facets::UNLABELLED;
use karat_measures::{
    Credit, Grouping as Groups, Measure, Numbers, Result as Scored, Selection, Slice, Zero,
};
use karat_model::Hint;
use std::collections::{BTreeSet, HashMap};

impl Evaluated {
    /// What `neleval evaluate` prints, one benchmark after the other.
    pub fn neleval(&self) -> String {
        let several = self.boards.len() > 1;
        let of_board = |board: &Board| match several {
            true => format!("# {}\n{}", board.benchmark, board.neleval()),
            false => board.neleval(),
        };
        self.boards.iter().map(of_board).collect()
    }
}

impl EvaluationRequest {
    /// Refuses what neleval has no row for.
    pub fn check_is_of_neleval(&self) -> Result<(), Error> {
        self.scoring(&Work::default(), &mut Vec::new())?.check_is_of_neleval()
    }
}

impl Scoring {
    /// neleval has rows of precision and recall, for labels that gold has, and nowhere to put anything
    /// else.
    fn check_is_of_neleval(&self) -> Result<(), Error> {
        let mut facets = self.facets.iter().flatten();
        if let Some(facet) = facets.find(|facet| facet.is_of_cases()) {
            return Err(Error::bad_request(
                format!("neleval has no groups by `{}`: it is no label of mentions", facet.name()),
                Hint::template(
                    "group by what mentions have by themselves, as type, or choose another {format}",
                ),
            ));
        }
        let Selection { measures, wanted, .. } = &self.selection;
        let in_parts = !self.facets.is_empty() && self.convention.grouping == Groups::Annotations;
        let is_other = |measure: &&Measure| {
            let compute = &measure.compute;
            !compute.has_f1() || (in_parts && !compute.credits_parts())
        };
        let others = wanted.iter().filter_map(|wanted| measures.get(wanted.measure));
        let others: Vec<String> =
            others.filter(is_other).map(|measure| format!("`{}`", measure.name)).collect();
        match others.is_empty() {
            true => Ok(()),
            false => Err(Error::bad_request(
                format!(
                    "neleval has no row for {}: no precision, recall and F1",
                    others.join(", ")
                ),
                Hint::template("leave them out, or choose another {format}"),
            )),
        }
    }
}

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
            // neleval sorts rows by name.
            rows.sort_by(|a, b| a.name.cmp(&b.name));
            text.extend(rows.iter().map(Row::text));
        }
        text
    }

    fn whole(&self, system: &SystemScores) -> Vec<Row> {
        let row = |(at, measure): (usize, &Measure)| {
            let result = system.evaluation.results.get(at)?;
            Some(Row::new(&measure.name, &Group::of(measure, self.numbers(measure), result)?))
        };
        self.shown().filter_map(row).collect()
    }

    /// What kind of numbers a measure gives. With weights, neleval weighs in all of them.
    fn numbers(&self, measure: &Measure) -> Numbers {
        match self.selection.weighted {
            true => Numbers::Fractions,
            false => measure.compute.numbers(),
        }
    }

    /// The measures that were asked for, and not only by a gate.
    fn shown(&self) -> impl Iterator<Item = (usize, &Measure)> + Clone {
        let is_wanted = |at: usize| self.selection.wanted.iter().any(|it| it.measure == at);
        let measures = self.selection.measures.iter().enumerate();
        measures.filter(move |(at, _)| is_wanted(*at))
    }

    /// For each facet, or combination of facets, every group of labels that gold has, their means
    /// and their sum.
    fn groups(&self, system: &SystemScores) -> Vec<Row> {
        let by_facet = system.evaluation.slices.chunk_by(|a, b| a.facet == b.facet);
        let rows = |slices: &[Slice]| -> Vec<Row> {
            let grouping = Grouping::new(slices);
            let of = |(at, measure): (usize, &Measure)| {
                grouping.rows(at, measure, self.numbers(measure))
            };
            self.shown().flat_map(of).collect()
        };
        by_facet.flat_map(rows).collect()
    }
}

/// The fields that a result is grouped by, and the values of each in gold.
struct Grouping<'s> {
    fields: Vec<String>,
    values: Vec<Vec<&'s str>>,
    slices: HashMap<Vec<&'s str>, &'s Slice>,
}

impl<'s> Grouping<'s> {
    fn new(slices: &'s [Slice]) -> Grouping<'s> {
        let facet = slices.first().map_or("", |slice| &slice.facet);
        let fields: Vec<String> = facet.split('+').map(field).collect();
        let labels = |slice: &'s Slice| -> Vec<&'s str> {
            (0..fields.len()).map(|at| label(slice, at)).collect()
        };
        // neleval groups by the labels of gold alone; a label that only a system has gets no row.
        let in_gold = || slices.iter().filter(|slice| slice.gold > 0);
        let values = |at: usize| -> Vec<&'s str> {
            let values: BTreeSet<&str> = in_gold().map(|slice| label(slice, at)).collect();
            values.into_iter().collect()
        };
        let values = (0..fields.len()).map(values).collect();
        let slices = slices.iter().map(|slice| (labels(slice), slice)).collect();
        Grouping { fields, values, slices }
    }

    /// Every combination of a value of each field, by the places of the values.
    fn combinations(&self) -> Vec<Vec<usize>> {
        let mut all = vec![Vec::new()];
        for values in &self.values {
            let longer = |group: &Vec<usize>| -> Vec<Vec<usize>> {
                (0..values.len()).map(|place| [group.as_slice(), &[place]].concat()).collect()
            };
            all = all.iter().flat_map(longer).collect();
        }
        all
    }

    /// The rows of one measure.
    fn rows(&self, at: usize, measure: &Measure, numbers: Numbers) -> Vec<Row> {
        let group = |places: &[usize]| {
            let values: Vec<&str> =
                places.iter().zip(&self.values).map(|(&place, values)| values[place]).collect();
            match self.slices.get(&values) {
                Some(slice) => Group::of(measure, numbers, &slice.results[at]),
                // neleval counts combinations that nobody has, too.
                None => Some(Group::empty(numbers)),
            }
        };
        let groups: Option<Vec<(Vec<usize>, Group)>> = self
            .combinations()
            .into_iter()
            .map(|places| group(&places).map(|group| (places, group)))
            .collect();
        let Some(groups) = groups.filter(|groups| !groups.is_empty()) else { return Vec::new() };
        let row = |(places, group): &(Vec<usize>, Group)| {
            let values = places.iter().zip(&self.values).map(|(&place, values)| values[place]);
            Row::new(&self.name(measure, values.map(json_value)), group)
        };
        let mut rows: Vec<Row> = groups.iter().map(row).collect();
        rows.extend((0..self.fields.len()).map(|at| self.mean(at, measure, &groups)));
        let all: Vec<&Group> = groups.iter().map(|(_, group)| group).collect();
        let micro = self.fields.iter().map(|_| MICRO.to_owned());
        rows.push(Row::new(&self.name(measure, micro), &Group::sum(&all)));
        rows
    }

    /// The mean over the values of one field, each with all values of the others.
    fn mean(&self, at: usize, measure: &Measure, groups: &[(Vec<usize>, Group)]) -> Row {
        let mut by_value: Vec<Vec<&Group>> = vec![Vec::new(); self.values[at].len()];
        for (places, group) in groups {
            by_value[places[at]].push(group);
        }
        let sums: Vec<Group> = by_value.iter().map(|groups| Group::sum(groups)).collect();
        let average = |place: usize| if place == at { MACRO } else { MICRO }.to_owned();
        Row::mean(&self.name(measure, (0..self.fields.len()).map(average)), &sums)
    }

    /// The name of a row: the measure, and each field with its value.
    fn name(&self, measure: &Measure, values: impl Iterator<Item = String>) -> String {
        let pairs = self.fields.iter().zip(values);
        let name = measure.name.clone();
        pairs.fold(name, |name, (field, value)| format!("{name};{field}={value}"))
    }
}

const MACRO: &str = "<macro>";
const MICRO: &str = "<micro>";

/// The label of a slice for one of its facets.
fn label(slice: &Slice, at: usize) -> &str {
    slice.labels.get(at).map_or(UNLABELLED, String::as_str)
}

/// What neleval calls a facet.
fn field(facet: &str) -> String {
    match facet {
        "doc" => "docid".to_owned(),
        "entity" => "kbid".to_owned(),
        facet => facet.strip_prefix("attribute:").unwrap_or(facet).to_owned(),
    }
}

/// What was counted in a group, or in all of them.
struct Group {
    credit: Credit,
    /// Precision, recall and F1.
    scores: [f64; 3],
    /// Which of the counts are whole numbers.
    whole: [bool; 4],
}

impl Group {
    /// Measures without precision and recall have no place in neleval.
    fn of(measure: &Measure, numbers: Numbers, result: &Scored) -> Option<Group> {
        let credit = measure.compute.credit(&result.counts)?;
        // neleval writes 0 for what is undefined.
        let score = |name: &str| result.micro.get(name).flatten().unwrap_or(0.0);
        let scores = ["precision", "recall", "f1"].map(score);
        Some(Group { credit, scores, whole: whole(numbers, &credit) })
    }

    fn empty(numbers: Numbers) -> Group {
        let credit = Credit::default();
        Group { credit, scores: [0.0; 3], whole: whole(numbers, &credit) }
    }

    fn sum(all: &[&Group]) -> Group {
        // One group has the scores of its measure, which need not follow from four counts.
        let alone = match all {
            [only] => Some(only.scores),
            _ => None,
        };
        let column = |at: usize| all.iter().map(|group| <[f64; 4]>::from(group.credit)[at]).sum();
        let credit = Credit::from([0, 1, 2, 3].map(column));
        let scores = credit.prf(Zero::Nought);
        let scores = [scores.precision, scores.recall, scores.f1].map(Option::unwrap_or_default);
        let is_whole = |at: usize| all.iter().all(|group| group.whole[at]);
        let whole = [0, 1, 2, 3].map(is_whole);
        Group { credit, scores: alone.unwrap_or(scores), whole }
    }
}

/// Which of the four counts neleval has as whole numbers.
fn whole(numbers: Numbers, credit: &Credit) -> [bool; 4] {
    let (predicted, asked) = (credit.ptp + credit.fp > 0.0, credit.rtp + credit.fn_ > 0.0);
    match numbers {
        Numbers::Whole => [true; 4],
        Numbers::Fractions => [false; 4],
        // Python prints what it counted with integers as integers; where neleval's CEAF aligns
        // clusters, sums of similarities are floats unless there was nothing to align.
        Numbers::Aligned => {
            let nothing = !predicted && !asked;
            [nothing, false, nothing, false]
        }
        Numbers::AlignedTwice => [!predicted, false, !asked, false],
    }
}

/// One line.
struct Row {
    name: String,
    counts: [f64; 4],
    scores: [f64; 3],
    /// Which of the counts are whole numbers.
    whole: [bool; 4],
}

impl Row {
    fn new(name: &str, group: &Group) -> Row {
        let Group { credit, scores, whole } = *group;
        Row { name: name.to_owned(), counts: credit.into(), scores, whole }
    }

    /// The mean of every column.
    fn mean(name: &str, groups: &[Group]) -> Row {
        let number = groups.len() as f64;
        let count = |at: usize| {
            groups.iter().map(|group| <[f64; 4]>::from(group.credit)[at]).sum::<f64>() / number
        };
        let score = |at: usize| groups.iter().map(|group| group.scores[at]).sum::<f64>() / number;
        Row {
            name: name.to_owned(),
            counts: [0, 1, 2, 3].map(count),
            scores: [0, 1, 2].map(score),
            whole: [false; 4],
        }
    }

    fn text(&self) -> String {
        let count = |at: usize| match self.whole[at] {
            true => format!("{}", self.counts[at]),
            false => format!("{:.3}", self.counts[at]),
        };
        let counts = [0, 1, 2, 3].map(count).join("\t");
        let scores = self.scores.map(|score| format!("{score:.3}")).join("\t");
        format!("{counts}\t{scores}\t{}\n", self.name)
    }
}

/// A label as a value of JSON.
fn json_value(label: &str) -> String {
    match label {
        UNLABELLED => "null".to_owned(),
        label => ascii_json(label),
    }
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
