//! Cases one by one: what is listed is what `karat errors` counts, and conditions mean what they say.

use karat::errors::{
    BesideOutcome, CaseGrouping, CaseRow, CasesAnswer, CasesRequest, ContrastRequest, ErrorKind,
    ErrorRatesRequest, ErrorsAnswer, ErrorsRequest, FoundErrors,
};
use karat::inputs::Shelf;
use karat::report::{Cell, FORMS, RenderOptions};
use karat::request::{Answer, REQUESTS, Request};
use karat::work::Work;
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::sync::{Arc, OnceLock};

fn inputs() -> Value {
    json!({
        "gold": [{"path": "held:sample"}],
        "systems": (["careful", "popular", "spotter"].map(|name| json!({"path": format!("held:{name}")}))),
    })
}

/// The sample is read once for all tests.
fn work() -> Work {
    static SHELF: OnceLock<Arc<Shelf>> = OnceLock::new();
    let shelf = SHELF.get_or_init(|| {
        let mut shelf = Shelf::default();
        shelf.add(karat::sample::experiment().expect("the sample"), Vec::new());
        Arc::new(shelf)
    });
    Work { shelf: Some(Arc::clone(shelf)), ..Work::default() }
}

fn request(mut fields: Value) -> CasesRequest {
    fields["inputs"] = inputs();
    serde_json::from_value(fields).expect("a request")
}

/// The cases of `popular`, unless the fields name another system.
fn cases(mut fields: Value) -> CasesAnswer {
    if fields["only"].is_null() {
        fields["only"] = json!("popular");
    }
    let answer = request(fields.clone()).answer(&work());
    answer.unwrap_or_else(|error| panic!("{fields}: {error}"))
}

fn total(filter: &str) -> usize {
    cases(json!({"where": filter, "limit": 1})).total
}

fn refused(fields: Value) -> String {
    request(fields.clone()).answer(&work()).expect_err(&fields.to_string()).to_string()
}

fn errors(mut fields: Value) -> ErrorsAnswer {
    fields["inputs"] = inputs();
    fields["only"] = json!(["popular"]);
    let request: ErrorsRequest = serde_json::from_value(fields).expect("a request");
    request.answer(&work()).expect("an answer")
}

/// The counts of a table of errors: those of the columns with these names in each row.
fn counts(answer: &ErrorsAnswer, key: &str, value: &str) -> BTreeMap<String, Option<u64>> {
    let FoundErrors::Rows(table) = &answer.found else { panic!("no rows") };
    let at = |name: &str| table.columns().iter().position(|column| column.name == name).unwrap();
    let number = |cell: &Cell| cell.printed(&table.columns()[at(value)], "").parse().ok();
    let text = |cell: &Cell| match cell {
        Cell::Text(text) => text.clone(),
        other => panic!("{other:?}"),
    };
    table.rows().map(|row| (text(&row[at(key)]), number(&row[at(value)]))).collect()
}

const PRESETS: [&str; 6] =
    ["karat", "elevant", "elevant-2023", "neleval", "gerbil", "rosales-2019"];

#[test]
fn lists_have_what_errors_counts_under_every_preset() {
    for preset in PRESETS {
        let convention = json!({"preset": preset});
        let counted = errors(json!({"convention": convention}));
        let FoundErrors::Rows(table) = &counted.found else { panic!("no rows") };
        let row = table.rows().next().expect("a system");
        let all = cases(json!({"convention": convention, "limit": 500}));
        let chips = &all.chips[0];
        assert_eq!(chips.facet, "error");
        for kind in ErrorKind::all().map(ErrorKind::name) {
            let at = table.columns().iter().position(|column| column.name == kind).unwrap();
            let expected: usize = row[at].printed(&table.columns()[at], "").parse().unwrap();
            let chip = chips.labels.iter().find(|label| label.label == kind);
            assert_eq!(chip.map_or(0, |chip| chip.count), expected, "{preset} {kind}");
            let filter = format!("error=\"{kind}\"");
            let listed = cases(json!({"convention": convention, "where": filter}));
            assert_eq!(listed.total, expected, "{preset} {kind}");
        }
    }
}

#[test]
fn every_category_lists_what_is_counted_of_it() {
    for preset in ["karat", "elevant"] {
        let convention = json!({"preset": preset});
        let counted = errors(json!({"convention": convention, "question": {"count": "category"}}));
        let FoundErrors::Rows(table) = &counted.found else { panic!("no rows") };
        let column = |name: &str| table.columns().iter().position(|it| it.name == name).unwrap();
        let (family, category, number) = (column("family"), column("category"), column("errors"));
        let mut seen = 0;
        for row in table.rows() {
            let text = |at: usize| row[at].printed(&table.columns()[at], "");
            let Ok(expected) = text(number).parse::<usize>() else { continue };
            if text(family) == "linking" {
                continue;
            }
            let filter = format!("category={}.{}", text(family), text(category));
            let found = cases(json!({"convention": convention, "where": filter, "limit": 1}));
            assert_eq!(found.total, expected, "{preset} {filter}");
            seen += expected;
        }
        assert!(seen > 20, "{preset}: {seen}");
    }
}

#[test]
fn conditions_mean_what_they_say() {
    let all = total("");
    for filter in ["right", "wrong", "ignored", "nil", "optional", "coreference"] {
        assert_eq!(total(filter) + total(&format!("-{filter}")), all, "{filter}");
    }
    let [wrong, missing] = ["wrong-link", "missing"].map(|kind| total(&format!("error={kind}")));
    assert_eq!(total("error=wrong-link,missing"), wrong + missing);
    assert_eq!(total("error=wrong-link error=missing"), 0);
    assert_eq!(total("error=correct-link"), total("error=\"correct link\""));
    let listed = |filter: &str| cases(json!({"where": filter, "limit": 500})).rows;
    let fits = |filter: &str, of: fn(&CaseRow) -> bool| {
        let rows = listed(filter);
        assert!(!rows.is_empty(), "{filter}");
        assert_eq!(rows.len(), listed("").iter().filter(|row| of(row)).count(), "{filter}");
        assert!(rows.iter().all(of), "{filter}");
    };
    fits("doc=wire-talks", |row| row.name == "wire-talks");
    fits("doc~^wire", |row| row.name.starts_with("wire"));
    fits("text~^P", |row| row.in_text.mention.as_deref().is_some_and(|text| text.starts_with('P')));
    fits("text=Paris", |row| row.in_text.mention.as_deref() == Some("Paris"));
    fits("type=PER", |row| row.types.iter().any(|name| name == "PER"));
    let is = |answer: &Option<karat::errors::MentionAnswer>, id: &str| {
        answer.as_ref().is_some_and(|answer| answer.entity.as_deref() == Some(id))
    };
    let counted = |of: &dyn Fn(&CaseRow) -> bool| listed("").iter().filter(|row| of(row)).count();
    let entity = counted(&|row| is(&row.gold, "Q90") || is(&row.prediction, "Q90"));
    assert!(entity > 0);
    assert_eq!(total("entity=Q90"), entity);
    assert_eq!(total("gold=Q90"), counted(&|row| is(&row.gold, "Q90")));
    assert_eq!(total("predicted=Q90"), counted(&|row| is(&row.prediction, "Q90")));
    assert_eq!(total("gold=-"), counted(&|row| row.gold.is_none()));
}

#[test]
fn pages_are_the_list_cut_into_pieces() {
    for sort in ["document", "confidence", "frequency"] {
        let whole = cases(json!({"where": "wrong", "sort": sort, "limit": 500}));
        assert_eq!(whole.next, None);
        let mut pieces = Vec::new();
        let mut after = Value::Null;
        loop {
            let mut fields = json!({"where": "wrong", "sort": sort, "limit": 7});
            if !after.is_null() {
                fields["after"] = after;
            }
            let page = cases(fields);
            assert_eq!(page.first, Some(pieces.len() + 1));
            pieces.extend(page.rows);
            match page.next {
                Some(next) => after = json!(next.to_string()),
                None => break,
            }
        }
        assert_eq!(pieces, whole.rows, "{sort}");
    }
    let rows = cases(json!({"sort": "confidence", "limit": 500})).rows;
    let sure: Vec<f64> =
        rows.iter().map(|row| row.confidence.unwrap_or(f64::NEG_INFINITY)).collect();
    assert!(sure.is_sorted_by(|a, b| a >= b), "{sure:?}");
    let error = refused(json!({"only": "popular", "sort": "confidence", "after": "99.1"}));
    assert_eq!(error, "no case at 99.1 is in this list");
}

#[test]
fn groups_add_up_and_list_their_cases() {
    for (grouping, name) in CaseGrouping::ALL.into_iter().skip(1) {
        let grouped = cases(json!({"where": "wrong", "group": name, "limit": 500}));
        assert_eq!(grouped.group, grouping);
        assert_eq!(grouped.groups.len(), grouped.groups_total);
        assert_eq!(grouped.groups.iter().map(|group| group.count).sum::<usize>(), grouped.total);
        assert!(grouped.groups.is_sorted_by_key(|group| std::cmp::Reverse(group.count)));
        for group in &grouped.groups {
            assert_eq!(total(&group.filter), group.count, "{}", group.filter);
        }
    }
}

#[test]
fn where_nothing_fits_it_says_what_would() {
    let none = cases(json!({"where": "type=PER text=Paris"}));
    assert_eq!(none.total, 0);
    let without: Vec<(&str, usize)> =
        none.without.iter().map(|it| (it.condition.as_str(), it.total)).collect();
    assert_eq!(without, [("type=PER", total("text=Paris")), ("text=Paris", total("type=PER"))]);
    let result = none.report().result.expect("a sentence");
    assert!(result.starts_with("No case fits; without `text=Paris` there are "), "{result}");
    let mistyped = cases(json!({"where": "type=PERS"}));
    let notice = mistyped.notices.iter().find(|notice| notice.id == "no-such-label");
    assert!(notice.is_some_and(|it| it.message.contains("`PER`")), "{notice:?}");
}

#[test]
fn chips_count_what_each_label_would_leave() {
    let narrowed = "error=missing type=PER";
    let answer = cases(json!({"where": narrowed}));
    let facets: Vec<&str> = answer.chips.iter().map(|chips| chips.facet.as_str()).collect();
    assert_eq!(facets, ["error", "category", "type"]);
    for chips in &answer.chips {
        let asked = karat::conditions::Where::parse(narrowed).unwrap().without_name(&chips.facet);
        for label in &chips.labels {
            let condition = karat::conditions::Condition::is(&chips.facet, &label.label);
            assert_eq!(total(&asked.with(condition).to_string()), label.count, "{label:?}");
        }
    }
}

#[test]
fn another_system_stands_beside() {
    let answer = cases(json!({"where": "wrong", "beside": "careful", "limit": 500}));
    let alone = cases(json!({"only": "careful", "limit": 500}));
    let mut right = 0;
    for row in answer.rows.iter().filter(|row| row.gold.is_some()) {
        let beside = row.beside.as_ref().expect("the other system");
        let same = |other: &&CaseRow| {
            (other.document, other.in_text.start, other.in_text.end, &other.gold)
                == (row.document, row.in_text.start, row.in_text.end, &row.gold)
        };
        // What is optional is a case only of those who have it.
        match alone.rows.iter().find(same) {
            Some(other) => {
                assert_eq!((&beside.error, beside.is_right), (&other.error, other.is_right));
            }
            None => assert_eq!(*beside, BesideOutcome::default()),
        }
        right += usize::from(beside.is_right);
    }
    let diff = json!({"question": {"diff": ["careful", "popular"]}, "inputs": inputs()});
    let diff: ErrorsRequest = serde_json::from_value(diff).unwrap();
    let diff = diff.answer(&work()).unwrap();
    let FoundErrors::Rows(table) = &diff.found else { panic!("no rows") };
    let only = table.rows().filter(|row| row[0] == Cell::from("only careful right")).count();
    assert_eq!(right, only);
}

#[test]
fn ranks_of_right_candidates_are_told() {
    let rows = cases(json!({"limit": 500})).rows;
    assert!(
        rows.iter().any(|row| row.error.as_deref() == Some("wrong-link") && row.rank == Some(2))
    );
    for row in rows.iter().filter(|row| row.rank.is_some()) {
        assert!(row.rank <= Some(row.candidates.max(1)), "{row:?}");
    }
}

#[test]
fn requests_and_answers_about_cases_read_back_equal() {
    for fields in [
        json!({"limit": 20, "beside": "careful", "sort": "frequency"}),
        json!({"group": "pair", "where": "wrong"}),
        json!({"where": "type=PER text=Paris", "unknowns": "required"}),
        json!({"after": "1.3"}),
    ] {
        let asked: CasesRequest = request(fields.clone());
        let again: CasesRequest =
            serde_json::from_str(&serde_json::to_string(&asked).unwrap()).unwrap();
        assert_eq!(again, asked);
        let answer = cases(fields.clone());
        let text = serde_json::to_string(&answer).unwrap();
        let again: CasesAnswer = serde_json::from_str(&text).unwrap();
        assert_eq!(again, answer);
        for form in FORMS {
            let shown = |answer: &CasesAnswer| {
                answer.report().render(*form, &RenderOptions::default()).text
            };
            assert_eq!(shown(&again), shown(&answer), "{fields} as {}", form.name());
        }
    }
    assert!(REQUESTS.iter().any(|kind| kind.name == CasesRequest::NAME));
}

#[test]
fn what_cannot_be_listed_is_refused() {
    for (fields, message) in [
        (json!({}), "cases are of one system"),
        (json!({"only": "nobody"}), "there is no system `nobody`"),
        (json!({"only": "popular", "beside": "nobody"}), "there is no system `nobody`"),
        (json!({"only": "popular", "beside": "popular"}), "a system does not stand beside itself"),
        (json!({"only": "popular", "limit": 501}), "a page cannot have 501 rows"),
        (json!({"only": "popular", "limit": 0}), "a page cannot have 0 rows"),
        (json!({"only": "popular", "where": "typ=PER"}), "there is no facet `typ`"),
    ] {
        assert_eq!(refused(fields.clone()), message, "{fields}");
    }
}

#[test]
fn errors_take_the_same_language() {
    let listed = |filters: &[&str]| {
        let answer = errors(json!({"question": {"list": "error"}, "where": filters}));
        let FoundErrors::Rows(table) = &answer.found else { panic!("no rows") };
        table.len()
    };
    assert_eq!(listed(&["wrong type=PER,LOC -nil"]), total("wrong type=PER,LOC -nil"));
    assert_eq!(listed(&["type=PER", "error=missing"]), listed(&["type=PER error=missing"]));
    // A label with spaces and commas is one label where some mention has it.
    let relation = "relation=overlap, same entity";
    assert_eq!(listed(&[relation]), listed(&["relation=\"overlap, same entity\""]));
    let by_category = |filters: Value| {
        let fields = json!({"question": {"count": "category"}, "where": filters});
        counts(&errors(fields), "category", "errors")
    };
    assert_eq!(by_category(json!(["type=PER", "-nil"])), by_category(json!(["-nil type=PER"])));
    assert_ne!(by_category(json!(["type=PER"])), by_category(json!(["-type=PER"])));
}

/// Rows of a table of errors as objects.
fn rows(fields: Value) -> Vec<Value> {
    let mut request = fields;
    request["inputs"] = inputs();
    let request: ErrorsRequest = serde_json::from_value(request).expect("a request");
    let answer = request.answer(&work()).expect("an answer");
    let json = serde_json::to_value(&answer).expect("JSON");
    json["rows"].as_array().expect("rows").clone()
}

#[test]
fn rates_are_what_errors_count() {
    let request: ErrorRatesRequest = serde_json::from_value(
        json!({"inputs": inputs(), "system": "popular", "beside": "careful"}),
    )
    .expect("a request");
    let answer = request.answer(&work()).expect("an answer");
    let by_category = json!({"count": "category"});
    let counted = rows(json!({"question": by_category, "only": ["popular"]}));
    assert_eq!(answer.categories.len(), counted.len());
    assert!(answer.categories.iter().any(|rate| rate.difference.is_some()));
    let others = rows(json!({"question": by_category, "only": ["careful"]}));
    for rate in &answer.categories {
        let is_it = |row: &&Value| row["family"] == rate.family && row["category"] == rate.category;
        let (row, other) = (counted.iter().find(is_it), others.iter().find(is_it));
        let row = row.unwrap_or_else(|| panic!("{rate:?}"));
        assert_eq!((row["errors"].as_u64(), row["total"].as_u64()), (rate.errors, rate.total));
        assert_eq!(row["rate"].as_f64(), rate.rate);
        assert_eq!(other.and_then(|row| row["rate"].as_f64()), rate.beside);
        // What is not known says why.
        let is_in_all = rate.family == "linking";
        assert_eq!(rate.rate.is_none() && !is_in_all, rate.unknown.is_some(), "{rate:?}");
    }
    let [own, other] = ["popular", "careful"].map(|name| rows(json!({"only": [name]})));
    for kind in &answer.kinds {
        assert_eq!(own[0][&kind.kind].as_u64(), Some(kind.count), "{kind:?}");
        assert_eq!(other[0][&kind.kind].as_u64(), kind.beside, "{kind:?}");
    }
    reads_back(&answer);
}

#[test]
fn contrasts_are_what_differs() {
    let request: ContrastRequest = serde_json::from_value(
        json!({"inputs": inputs(), "first": "popular", "second": "careful"}),
    )
    .expect("a request");
    let answer = request.answer(&work()).expect("an answer");
    let listed = rows(json!({"question": {"diff": ["popular", "careful"]}}));
    let count = |group: &str| listed.iter().filter(|row| row["group"] == group).count();
    let contrast = &answer.contrast;
    assert_eq!(contrast.won, count("only careful right"));
    assert_eq!(contrast.lost, count("only popular right"));
    assert_eq!(contrast.both_wrong, count("both wrong"));
    assert!(contrast.won > 0 && contrast.lost > 0 && contrast.both_wrong > 0);
    let sum: usize = contrast.categories.iter().map(|it| it.won + it.lost + it.both_wrong).sum();
    assert_eq!((sum, contrast.cases.len()), (listed.len(), listed.len()));
    for (case, row) in contrast.cases.iter().zip(&listed) {
        assert_eq!(row["document"], case.document);
        assert_eq!(row["span"], json!(case.span));
        assert_eq!(row["mention"].as_str().unwrap_or_default(), case.mention);
        assert_eq!(row["gold_entity"].as_str(), case.gold.entity.as_deref());
        for (said, system) in case.answers.iter().zip(row["answers"].as_array().expect("two")) {
            assert_eq!(system["prediction_entity"].as_str(), said.entity.as_deref());
            assert_eq!(system["is_right"], said.is_right);
        }
    }
    reads_back(&answer);
    for (first, second) in [("popular", "popular"), ("popular", "nobody")] {
        let request = ContrastRequest {
            first: first.to_owned(),
            second: second.to_owned(),
            ..request.clone()
        };
        assert!(request.answer(&work()).is_err(), "{first} and {second}");
    }
}

fn reads_back<
    A: Answer + PartialEq + std::fmt::Debug + serde::Serialize + serde::de::DeserializeOwned,
>(
    answer: &A,
) {
    let json = serde_json::to_string(answer).expect("JSON");
    assert_eq!(&serde_json::from_str::<A>(&json).expect("reads back"), answer);
}
