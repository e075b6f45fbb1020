//! Agreement, worker models and intervals against the figures of other tools: every value of the reference file to
//! 1e-6, and what tools give that define something else as a negative control.

use crate::data;
use karat_stats::agreement::{
    AgreementCounts, AgreementValue, COEFFICIENTS, Continuum, MarkedUnit, RatedItem,
    UndefinedAgreement, alpha_u, category_alphas, category_kappas, cohen_kappa, pairwise_f1,
    specific_agreement, u_alpha,
};
use karat_stats::wilson;
use karat_stats::workers::{DawidSkeneMap, Vote, Votes, WorkerModel, WorkerPrior, model};
use serde_json::Value;

const FILE: &str = "posthoc/agreement_reference.json";

#[track_caller]
fn near(found: f64, expected: &Value, what: &str) {
    let expected = expected.as_f64().unwrap_or_else(|| panic!("{what}: no number"));
    assert!((found - expected).abs() < 1e-6, "{what}: {found} instead of {expected}");
}

fn list(value: &Value) -> &Vec<Value> {
    value.as_array().expect("a list")
}

/// A category as the file spells it; some ratings are numbers.
fn spelled(value: &Value) -> String {
    value.as_str().map_or_else(|| value.to_string(), str::to_owned)
}

/// The items of a case, from ratings, counts or a table of two people.
fn items(case: &Value, categories: &[String]) -> Vec<RatedItem> {
    let place = |value: &Value| categories.iter().position(|one| *one == spelled(value));
    if let Some(ratings) = case.get("ratings") {
        let answers = |row: &Value| -> Vec<usize> { list(row).iter().filter_map(place).collect() };
        return list(ratings).iter().map(|row| RatedItem::of(&answers(row))).collect();
    }
    if let Some(counts) = case.get("counts") {
        let row = |row: &Value| list(row).iter().map(|n| n.as_u64().expect("n") as u32).collect();
        return list(counts).iter().map(|counts| RatedItem::counted(row(counts))).collect();
    }
    let mut items = Vec::new();
    for (first, row) in list(&case["table"]).iter().enumerate() {
        for (second, times) in list(row).iter().enumerate() {
            for _ in 0..times.as_u64().expect("a count") {
                items.push(RatedItem::of(&[first, second]));
            }
        }
    }
    items
}

/// The table of two people who judged everything.
fn table(case: &Value, categories: &[String]) -> Vec<Vec<f64>> {
    if let Some(table) = case.get("table") {
        let row = |row: &Value| list(row).iter().map(|n| n.as_f64().expect("n")).collect();
        return list(table).iter().map(row).collect();
    }
    let place =
        |value: &Value| categories.iter().position(|one| *one == spelled(value)).expect("known");
    let mut table = vec![vec![0.0; categories.len()]; categories.len()];
    for row in list(&case["ratings"]) {
        table[place(&row[0])][place(&row[1])] += 1.0;
    }
    table
}

fn score(name: &str, counts: &AgreementCounts) -> Result<AgreementValue, UndefinedAgreement> {
    (COEFFICIENTS.iter().find(|one| one.name == name).expect("known").score)(counts)
}

#[test]
fn coefficients_of_answers() {
    let Some(file) = data::json(FILE) else { return };
    let mut compared = 0;
    for case in list(&file["coding"]) {
        let name = case["name"].as_str().expect("a name");
        let categories: Vec<String> = list(&case["categories"]).iter().map(spelled).collect();
        let counts = AgreementCounts::of(categories.len(), &items(case, &categories));
        for (theirs, ours) in [
            ("percentage", "raw"),
            ("fleiss_kappa", "fleiss"),
            ("krippendorff_alpha_nominal", "alpha"),
            ("gwet_ac1", "ac1"),
        ] {
            let values = &case["values"][theirs];
            let found = score(ours, &counts).expect("defined");
            near(found.value, &values["value"], &format!("{name} {ours}"));
            for (key, part) in [("po", Some(found.observed)), ("pe", found.expected)] {
                if let (Some(expected), Some(part)) = (values.get(key), part) {
                    near(part, expected, &format!("{name} {ours} {key}"));
                }
            }
            // Tools with other definitions give other values: being equal to them would be wrong.
            for other in values.get("differs_from").and_then(Value::as_object).into_iter().flatten()
            {
                let other = other.1.as_f64().expect("a number");
                assert!((found.value - other).abs() > 1e-6, "{name} {ours}: equals {other}");
            }
            compared += 1;
        }
        let alphas = category_alphas(&counts);
        let specific = specific_agreement(&counts);
        let values = &case["values"];
        for (at, category) in categories.iter().enumerate() {
            let alpha = &values["krippendorff_alpha_nominal"];
            near(alphas[at].expect("defined").value, &alpha["per_category"][category], name);
            near(counts.pairable(at), &alpha["pairable_margins"][at], name);
            near(
                specific[at].expect("given"),
                &values["specific_agreement"]["per_category"][category],
                name,
            );
            if let Some(kappas) = values["fleiss_kappa"].get("per_category") {
                near(category_kappas(&counts)[at].expect("defined").value, &kappas[at], name);
            }
        }
        if let Some(values) = case["values"].get("cohen_kappa") {
            let found = cohen_kappa(&table(case, &categories)).expect("defined");
            near(found.agreement.value, &values["value"], name);
            near(found.agreement.observed, &values["po"], name);
            near(found.agreement.expected.expect("chance"), &values["pe"], name);
            if let Some(variance) = values.get("var") {
                near(found.variance, variance, name);
                near(found.interval(95.0).low, &values["ci95_normal"][0], name);
                near(found.interval(95.0).high, &values["ci95_normal"][1], name);
            }
        }
    }
    assert_eq!(compared, 52, "13 cases of 4 coefficients");
}

/// A unit from the beginning of the continuum: begin, end, category.
fn placed(unit: &Value, from: u64) -> (u64, u64, String) {
    let begin = unit[0].as_u64().expect("begin") - from;
    (begin, begin + unit[1].as_u64().expect("length"), spelled(&unit[2]))
}

#[test]
fn coefficients_of_units() {
    let Some(file) = data::json(FILE) else { return };
    for case in list(&file["unitizing"]) {
        let name = case["name"].as_str().expect("a name");
        let from = case["begin"].as_u64().expect("a number");
        let people: Vec<Vec<(u64, u64, String)>> = list(&case["units"])
            .iter()
            .map(|units| list(units).iter().map(|unit| placed(unit, from)).collect())
            .collect();
        let mut categories: Vec<&String> = people.iter().flatten().map(|unit| &unit.2).collect();
        categories.sort_unstable();
        categories.dedup();
        let units = |units: &Vec<(u64, u64, String)>| {
            let mut marked = Vec::new();
            for (begin, end, name) in units {
                let category = categories.binary_search(&name).expect("known") as u32;
                marked.push(MarkedUnit { begin: *begin, end: *end, category });
            }
            marked
        };
        let length = case["length"].as_u64().expect("a length");
        let continuum = Continuum::new(length, people.iter().map(units).collect());

        let found = alpha_u(&continuum).expect("defined");
        let values = &case["alpha_u_1995_2004"];
        near(found.value, &values["value"], name);
        for one in &found.categories {
            let expected = &values["per_category"][categories[one.category as usize]];
            near(one.observed, &expected["do"], name);
            near(one.expected, &expected["de"], name);
            near(one.value(), &expected["alpha"], name);
        }
        match case.get("u_alpha_2016") {
            None => {}
            Some(Value::String(_)) => {
                assert_eq!(u_alpha(&continuum), Err(UndefinedAgreement::Overlap), "{name}");
            }
            Some(values) if values["u_alpha"].is_null() => {
                assert_eq!(u_alpha(&continuum), Err(UndefinedAgreement::OneCategory), "{name}");
            }
            Some(values) => {
                let found = u_alpha(&continuum).expect("defined");
                near(found.value, &values["u_alpha"], name);
                near(found.binary, &values["binary_u_alpha"], name);
            }
        }
    }
    for case in list(&file["pairwise_f1"]) {
        let span = |span: &Value| (span[0].as_u64(), span[1].as_u64());
        let people: Vec<Vec<_>> = list(&case["spans"])
            .iter()
            .map(|spans| list(spans).iter().map(span).collect())
            .collect();
        let found = pairwise_f1(&people).expect("defined");
        near(found.mean, &case["mean"], "mean F1");
        for (found, expected) in found.pairs.iter().zip(list(&case["pairs_01_02_12"])) {
            near(found.2, expected, "F1");
        }
    }
}

#[test]
fn intervals_of_shares() {
    let Some(file) = data::json(FILE) else { return };
    for case in list(&file["wilson"]) {
        let of = |name: &str| case[name].as_f64().expect("a number");
        let found = wilson(of("x"), of("n"), 100.0 * of("level")).expect("some trials");
        near(found.low, &case["wilson"][0], "low");
        near(found.high, &case["wilson"][1], "high");
    }
}

/// The votes of the case; classes are counted from 1 there.
fn votes(case: &Value) -> Votes {
    let mut items = Vec::new();
    let ratings = case["ratings"].as_object().expect("patients");
    for patient in 1..=ratings.len() {
        let mut votes = Vec::new();
        for (person, answers) in list(&ratings[&patient.to_string()]).iter().enumerate() {
            for answer in list(answers) {
                votes.push(Vote { person, answer: answer.as_u64().expect("a class") as usize - 1 });
            }
        }
        items.push(votes);
    }
    Votes::new(4, 5, items)
}

#[test]
fn models_of_people() {
    let Some(file) = data::json(FILE) else { return };
    let case = &file["worker_models"][0];
    let votes = votes(case);

    let expected = &case["maximum_likelihood"];
    let found = model("dawid-skene").expect("known").fit(&votes, &[]).expect("enough votes");
    near(found.objective, &expected["log_likelihood"], "log-likelihood");
    check_fit(&found, expected);
    for (chances, most) in found.posteriors.iter().zip(list(&expected["most_probable"])) {
        let best = (0..4).max_by(|&a, &b| chances[a].total_cmp(&chances[b])).expect("four");
        assert_eq!(Some(best as u64 + 1), most.as_u64());
    }
    // Where a tool stops by default is not the maximum.
    let early = case["crowd_kit_default_stop"]["class_marginals"][0].as_f64().expect("a number");
    assert!((found.shares[0] - early).abs() > 1e-5);

    let expected = &case["map_weak_prior"];
    let diagonal = 8.0 * 0.6;
    let beside = 8.0 * 0.4 / 3.0;
    let prior = WorkerPrior { class: 2.0, beside: beside - 1.0, diagonal: diagonal - 1.0 };
    let map = DawidSkeneMap { prior, coin_below: 0.0 };
    check_fit(&map.fit(&votes, &[]).expect("enough votes"), expected);

    let expected = &case["one_coin"];
    let found = model("one-coin").expect("known").fit(&votes, &[]).expect("enough votes");
    for (share, expected) in found.shares.iter().zip(list(&expected["class_marginals"])) {
        near(*share, expected, "class");
    }
    for (person, expected) in found.people.iter().zip(list(&expected["skills"])) {
        near(person.confusion[0][0], expected, "skill");
    }

    let found = model("majority").expect("known").fit(&votes, &[]).expect("votes");
    let labels = list(&case["majority"]["labels"]);
    for (patient, (chances, label)) in found.posteriors.iter().zip(labels).enumerate() {
        let best = chances.iter().copied().fold(0.0, f64::max);
        let label = label.as_u64().expect("a class") as usize - 1;
        // Ties are the tool's to break.
        assert!(chances[label] >= best - 1e-12, "patient {}", patient + 1);
    }
}

fn check_fit(found: &karat_stats::workers::WorkerFit, expected: &Value) {
    for (share, expected) in found.shares.iter().zip(list(&expected["class_marginals"])) {
        near(*share, expected, "class");
    }
    for (chances, expected) in found.posteriors.iter().zip(list(&expected["posterior"])) {
        chances
            .iter()
            .zip(list(expected))
            .for_each(|(chance, expected)| near(*chance, expected, "posterior"));
    }
    for (person, expected) in found.people.iter().zip(list(&expected["confusion"])) {
        for (row, expected) in person.confusion.iter().zip(list(expected)) {
            row.iter()
                .zip(list(expected))
                .for_each(|(chance, expected)| near(*chance, expected, "confusion"));
        }
    }
}

#[test]
fn one_judgement_per_item_refuses_models() {
    let items = (0..50).map(|item| vec![Vote { person: item % 5, answer: item % 3 }]).collect();
    let votes = Votes::new(3, 5, items);
    for name in ["dawid-skene", "dawid-skene-map", "one-coin"] {
        let refused = model(name).expect("known").fit(&votes, &[]).expect_err("one vote each");
        assert!(refused.to_string().contains("1.00"), "{refused}");
    }
    assert!(model("majority").expect("known").fit(&votes, &[]).is_ok());
}
