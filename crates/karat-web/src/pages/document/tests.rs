//! The pages of the documents of the sample.

use super::*;
use crate::address::Paths;
use crate::components::frame::{Look, Surroundings, whole_page};
use crate::workbench::Workbench;

fn sample() -> Workbench {
    Workbench::of([karat::sample::experiment().expect("the sample")])
}

fn shown(workbench: &Workbench, number: &str, pairs: &[(&str, &str)]) -> Result<String, Refusal> {
    let parameters =
        vec![("slug".to_owned(), "sample".to_owned()), ("n".to_owned(), number.to_owned())];
    let pairs: Vec<(String, String)> =
        pairs.iter().map(|(key, value)| ((*key).to_owned(), (*value).to_owned())).collect();
    let asked = Asked::new(&DocumentPage, parameters, &pairs, workbench, &Paths)?;
    let content = DocumentPage.show(&asked)?;
    let around = Surroundings { look: Look::System, links: &Paths, has_workspace: false };
    Ok(whole_page(&content, &around).into_string())
}

#[test]
fn every_document_of_the_sample_is_shown_in_every_view() {
    let workbench = sample();
    for number in 1..=14 {
        for lay in ["layers", "columns", "lines"] {
            for marks in ["all", "errors", "lost", "type", "none"] {
                let page =
                    shown(&workbench, &number.to_string(), &[("lay", lay), ("marks", marks)]);
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
fn the_command_has_the_convention_and_scores_of_nothing_are_dashes() {
    let page = shown(&sample(), "1", &[("as", "gerbil"), ("where", "wrong")]).expect("a page");
    assert!(page.contains(" --preset gerbil --list --where doc="), "{page}");
    assert!(page.contains(" --where wrong<"), "{page}");
    assert!(!page.contains("1.000"), "{page}");
}

#[test]
fn a_short_document_stays_within_its_budget() {
    let workbench = sample();
    for number in 1..=14 {
        let page = shown(&workbench, &number.to_string(), &[]).expect("a page");
        let elements = page.matches('<').count() - page.matches("</").count();
        assert!(elements <= 1500, "{number}: {elements} elements");
    }
}

#[test]
fn views_are_chosen_by_the_address() {
    let workbench = sample();
    let page = shown(&workbench, "1", &[("runs", "careful"), ("at", "3")]).expect("a page");
    assert!(
        page.contains("runs=careful,popular") || page.contains("runs=popular,careful"),
        "{page}"
    );
    assert!(
        page.contains("class=\"e on\" id=\"c3\"") || page.contains("id=\"c3\" class=\"on\""),
        "{page}"
    );
    let none = shown(&workbench, "1", &[("runs", "none")]).expect("a page");
    assert!(none.contains("no run is shown"));
    let list = shown(&workbench, "1", &[("list", "errors")]).expect("a page");
    assert!(list.matches("<svg class=\"bar\"").count() >= 3 * 13);
    let narrowed = shown(&workbench, "1", &[("where", "error=wrong-link")]).expect("a page");
    let markers = |page: &str| page.matches("<a class=\"k ").count();
    assert!(markers(&narrowed) > 0 && markers(&narrowed) < markers(&page));
}

#[test]
fn what_cannot_be_shown_is_refused() {
    let workbench = sample();
    for (number, pairs) in [
        ("99", vec![]),
        ("x", vec![]),
        ("1", vec![("lay", "heap")]),
        ("1", vec![("runs", "nobody")]),
        ("1", vec![("at", "three")]),
        ("1", vec![("mark", "all")]),
    ] {
        assert!(shown(&workbench, number, &pairs).is_err(), "{number} {pairs:?}");
    }
}

/// The budget of a long document with its notes: the whole page, and what is sent of it.
#[test]
fn a_long_document_stays_within_its_budget() {
    use karat::formats::{ReadOptions, Source};
    use karat::inputs::{Benchmark, Experiment, Run};
    use std::io::Write;
    let text = "A sentence about some Person and the Place that is near. ".repeat(3509);
    let line = |take: &dyn Fn(usize) -> Option<String>| {
        let spans =
            (0..2500).flat_map(|at| [(at * 57 + 22, at * 57 + 28), (at * 57 + 37, at * 57 + 42)]);
        let annotations = spans.enumerate().filter_map(|(number, (start, end))| {
            Some(format!("{{\"span\":[{start},{end}],\"link\":\"{}\"}}", take(number)?))
        });
        let annotations: Vec<String> = annotations.collect();
        let text = format!(
            "{{\"document\":\"long\",\"text\":\"{text}\",\"annotations\":[{}]}}\n",
            annotations.join(",")
        );
        let input = Source::memory("long.karat.jsonl", text).into();
        karat::registry().read(&input, None, &ReadOptions::default()).expect("a document").corpus
    };
    let run = |place: usize| {
        let corpus = line(&|number| match (number + place) % 4 {
            0 => None,
            1 => Some(format!("Q{}", number + 1)),
            _ => Some(format!("Q{number}")),
        });
        Run::new(format!("run{place}"), corpus)
    };
    let benchmark = Benchmark::new("sample", line(&|number| Some(format!("Q{number}"))));
    let workbench = Workbench::of([Experiment { benchmark, runs: (0..3).map(run).collect() }]);
    let page = shown(&workbench, "1", &[]).expect("a page");
    let elements = page.matches('<').count() - page.matches("</").count();
    assert!(elements <= 16_000, "{elements} elements");
    let mut zip = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::default());
    zip.write_all(page.as_bytes()).expect("memory");
    let size = zip.finish().expect("memory").len();
    assert!(size <= 200_000, "{size} bytes");
    // The notes come in pieces, and each can be asked for.
    assert!(page.contains("later notes") && page.contains("100 notes of 5000"));
    let piece = shown(&workbench, "1", &[("cases", "4990")]).expect("a page");
    assert!(piece.contains("id=\"c5000\"") && !piece.contains("id=\"c4900\""));
}
