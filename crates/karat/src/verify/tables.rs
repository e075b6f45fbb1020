//! Tables of verification.

use super::answer::VerifyReportAnswer;
use karat_report::{Cell, Column, Table};
use karat_verify::agreement::{
    AgreementQuestion, CoefficientRecord, PairAgreement, QuestionAgreement,
};
use karat_verify::quality::{PersonFlag, PersonQuality};
use karat_verify::results::{CampaignResults, Estimate, GroupResults, SpanRelation};

/// Everything together, then each dataset.
fn groups(results: &CampaignResults) -> impl Iterator<Item = (&str, &GroupResults)> {
    let all = std::iter::once(("all", &results.all));
    all.chain(results.datasets.iter().map(|group| (group.dataset.as_str(), group)))
}

fn value(estimate: Option<Estimate>) -> Cell {
    estimate.map(|one| one.value).into()
}

fn interval(estimate: Option<Estimate>) -> Cell {
    match estimate.and_then(|one| one.interval) {
        Some([low, high]) => Cell::Interval { low, high },
        None => Cell::Missing,
    }
}

/// Counts of items are whole unless they are weighted.
fn amount(number: f64) -> Cell {
    if number.fract() == 0.0 { Cell::Count(number as u64) } else { Cell::Number(number) }
}

/// Outcomes of proposals and verification rates.
pub(super) fn verification(results: &CampaignResults) -> Table {
    let mut table = Table::new([
        Column::text("dataset"),
        Column::text("source"),
        Column::count("verify"),
        Column::count("modify"),
        Column::count("remove"),
        Column::count("open"),
        Column::number("rate", 3),
        Column::numbers("95%", 3),
        Column::number("corrected", 3),
    ]);
    for (name, group) in groups(results) {
        for source in &group.sources {
            let [verify, modify, remove] = source.outcomes.map(amount);
            table.row([
                Cell::from(name),
                Cell::from(source.source.as_str()),
                verify,
                modify,
                remove,
                amount(source.open),
                value(source.rate),
                interval(source.rate),
                value(source.corrected),
            ]);
        }
    }
    table
}

/// What must be known about rates.
pub(super) fn remarks(results: &CampaignResults) -> Vec<String> {
    let mut remarks = Vec::new();
    for source in &results.all.sources {
        if let Some([low, high]) = source.rate_if_open {
            remarks.push(format!(
                "{}: {low:.3} if what is open is wrong, {high:.3} if it is right.",
                source.source
            ));
        }
    }
    if let Some(bias) = results.bias {
        remarks.push(format!(
            "On controls, {:.1}% of the right links and {:.1}% of the wrong ones were verified; *corrected* takes that back.",
            100.0 * bias.right.value,
            100.0 * bias.wrong.value
        ));
    }
    if let Some(unseen) = results.all.unseen {
        remarks
            .push(format!("About {unseen:.0} units were found by no source, by Chao's estimate."));
    }
    remarks
}

/// Precision and recall against gold and after verification.
pub(super) fn before_and_after(answer: &VerifyReportAnswer) -> Table {
    let mut table = Table::new([
        Column::text("source"),
        Column::number("P", 3),
        Column::number("R", 3),
        Column::number("P weak", 3),
        Column::number("R weak", 3),
        Column::number("P after", 3),
        Column::numbers("P 95%", 2),
        Column::number("R after", 3),
        Column::numbers("R 95%", 2),
    ]);
    for source in &answer.results.all.sources {
        let before = answer.before.iter().find(|one| one.source == source.source);
        let of = |get: fn(&super::BeforeRecord) -> Option<f64>| Cell::from(before.and_then(get));
        table.row([
            Cell::from(source.source.as_str()),
            of(|one| one.strong_precision),
            of(|one| one.strong_recall),
            of(|one| one.weak_precision),
            of(|one| one.weak_recall),
            value(source.precision),
            interval(source.precision),
            value(source.recall),
            interval(source.recall),
        ]);
    }
    table
}

/// What was verified, against gold.
pub(super) fn relations(results: &CampaignResults) -> Table {
    let relation = |relation: SpanRelation| Column::count(relation.words());
    let columns = [Column::text("dataset"), Column::count("verified")].into_iter();
    let columns =
        columns.chain(SpanRelation::ALL.map(relation)).chain([Column::number("missing", 3)]);
    let mut table = Table::new(columns);
    for (name, group) in groups(results) {
        if let Some(relations) = &group.union_to_gold {
            let cells = [Cell::from(name), amount(group.union)].into_iter();
            let counts = relations.counts.map(Cell::Count);
            table.row(cells.chain(counts).chain([value(group.missing)]));
        }
    }
    table
}

/// Coefficients of agreement.
pub(super) fn agreement(questions: &[QuestionAgreement]) -> Table {
    let mut table = Table::new([
        Column::text("about"),
        Column::count("items"),
        Column::text("coefficient"),
        Column::number("value", 3),
        Column::numbers("95%", 3),
        Column::number("by chance", 3),
        Column::text("note"),
    ]);
    for question in questions {
        let about = question.question.name();
        let mut row = |name: &str, one: &CoefficientRecord| {
            let interval = match one.interval {
                Some([low, high]) => Cell::Interval { low, high },
                None => Cell::Missing,
            };
            let note = one.undefined.as_deref().unwrap_or_default();
            table.row([
                Cell::from(about),
                Cell::from(question.items),
                Cell::from(name),
                one.value.into(),
                interval,
                one.expected.into(),
                Cell::from(note),
            ]);
        };
        for one in &question.coefficients {
            row(&one.title, one);
        }
        let is_action = question.question == AgreementQuestion::Action;
        for (answer, value) in question.specific.iter().filter(|_| is_action) {
            let undefined = value.is_none().then(|| "nobody gave it".to_owned());
            let one = CoefficientRecord {
                name: String::new(),
                title: String::new(),
                value: *value,
                interval: None,
                expected: None,
                undefined,
            };
            row(&format!("specific, {answer}"), &one);
        }
    }
    table
}

/// Cohen's kappa of pairs.
pub(super) fn pairs(pairs: &[PairAgreement]) -> Table {
    let mut table = Table::new([
        Column::text("first"),
        Column::text("second"),
        Column::count("items"),
        Column::number("kappa", 3),
    ]);
    for pair in pairs {
        table.row([
            Cell::from(pair.first.as_str()),
            Cell::from(pair.second.as_str()),
            Cell::from(pair.items),
            pair.kappa.into(),
        ]);
    }
    table
}

/// What is to be known of people.
pub(super) fn people(people: &[PersonQuality]) -> Table {
    let mut table = Table::new([
        Column::text("person"),
        Column::count("judgements"),
        Column::count("controls"),
        Column::count("right"),
        Column::numbers("95%", 2),
        Column::number("accuracy", 3),
        Column::number("weight", 3),
        Column::text("flags"),
    ]);
    for person in people {
        let interval = match person.control_interval {
            Some([low, high]) => Cell::Interval { low, high },
            None => Cell::Missing,
        };
        let flags: Vec<&str> = person.flags.iter().map(|flag: &PersonFlag| flag.words()).collect();
        table.row([
            Cell::from(person.person.as_str()),
            Cell::from(person.judgements),
            Cell::from(person.controls),
            Cell::from(person.controls_right),
            interval,
            person.accuracy.into(),
            person.weight.into(),
            Cell::from(flags.join(", ")),
        ]);
    }
    table
}
