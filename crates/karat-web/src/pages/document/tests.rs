//! The pages of the documents of the sample.

use super::*;
use crate::address::Paths;
use crate::components::frame::{Look, Surroundings, whole_page};
use crate::workbench::Workbench;

fn sample() -> Workbench {
    Workbench::of([karat::sample::experiment().expect("the sample")])
}

fn shown(desk: &Workbench, number: &str, pairs: &[(&str, &str)]) -> Result<String, Refusal> {
    let parameters =
        vec![("slug".to_owned(), "sample".to_owned()), ("n".to_owned(), number.to_owned())];
    let pairs: Vec<(String, String)> =
        pairs.iter().map(|(key, value)| ((*key).to_owned(), (*value).to_owned())).collect();
    let asked = Asked::new(&DocumentPage, parameters, &pairs, desk, &Paths)?;
    let content = DocumentPage.show(&asked)?;
    let around = Surroundings { look: Look::System, links: &Paths };
    Ok(whole_page(&content, &around).into_string())
}

#[test]
fn every_document_of_the_sample_is_shown_in_every_view() {
    let desk = sample();
    for number in 1..=14 {
        for lay in ["layers", "columns", "lines"] {
            for marks in ["all", "errors", "lost", "type", "none"] {
                let page = shown(&desk, &number.to_string(), &[("lay", lay), ("marks", marks)]);
                let page = page.expect("a page");
                assert_eq!(page.matches("<h1>").count(), 1);
                assert!(!page.contains("style=\"") && !page.contains(" onclick"));
                // Every marker has its note, and ids are given once.
                let ids: Vec<&str> = page
                    .split(" id=\"")
                    .skip(1)
                    .filter_map(|rest| rest.split('"').next())
                    .collect();
                let mut unique = ids.clone();
                unique.sort_unstable();
                unique.dedup();
                assert_eq!(unique.len(), ids.len(), "{number} {lay} {marks}");
                for rest in page.split("href=\"#c").skip(1) {
                    let case = format!("c{}", rest.split('"').next().unwrap_or_default());
                    assert!(ids.contains(&case.as_str()) || case == "content", "{case}");
                }
            }
        }
    }
}

#[test]
fn a_short_document_stays_within_its_budget() {
    let desk = sample();
    for number in 1..=14 {
        let page = shown(&desk, &number.to_string(), &[]).expect("a page");
        let elements = page.matches('<').count() - page.matches("</").count();
        assert!(elements <= 1500, "{number}: {elements} elements");
    }
}

#[test]
fn views_are_chosen_by_the_address() {
    let desk = sample();
    let page = shown(&desk, "1", &[("runs", "careful"), ("at", "3")]).expect("a page");
    assert!(
        page.contains("runs=careful,popular") || page.contains("runs=popular,careful"),
        "{page}"
    );
    assert!(
        page.contains("class=\"e on\" id=\"c3\"") || page.contains("id=\"c3\" class=\"on\""),
        "{page}"
    );
    let none = shown(&desk, "1", &[("runs", "none")]).expect("a page");
    assert!(none.contains("no run is shown"));
    let list = shown(&desk, "1", &[("list", "errors")]).expect("a page");
    assert!(list.matches("<svg class=\"bar\"").count() >= 3 * 13);
    let narrowed = shown(&desk, "1", &[("where", "error=wrong-link")]).expect("a page");
    let markers = |page: &str| page.matches("<a class=\"k ").count();
    assert!(markers(&narrowed) > 0 && markers(&narrowed) < markers(&page));
}

#[test]
fn what_cannot_be_shown_is_refused() {
    let desk = sample();
    for (number, pairs) in [
        ("99", vec![]),
        ("x", vec![]),
        ("1", vec![("lay", "heap")]),
        ("1", vec![("runs", "nobody")]),
        ("1", vec![("at", "three")]),
        ("1", vec![("mark", "all")]),
    ] {
        assert!(shown(&desk, number, &pairs).is_err(), "{number} {pairs:?}");
    }
}
