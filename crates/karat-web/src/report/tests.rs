//! Reports hold what pages show, and every link in them leads somewhere.

use super::file::one_file;
use super::site::{SiteFile, site};
use super::{DocumentsShown, HiddenTexts, ReportOptions};
use crate::refusal::Refusal;
use crate::workbench::Workbench;
use karat::inputs::{InputRequest, Inputs, Shelf};
use karat::request::{AnyAnswer, Request};
use karat::scoring::EvaluationRequest;
use karat::work::Work;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

type Tested = Result<(), Box<dyn std::error::Error>>;

/// The sample, and a second benchmark on which a system has a hostile name and one has no run.
fn workbench() -> Result<Workbench, Box<dyn std::error::Error>> {
    let sample = karat::sample::experiment()?;
    let mut other = sample.clone();
    other.benchmark.name = "<b>other</b> \"x\" 日本".to_owned();
    other.runs.retain(|run| run.name != "spotter");
    let mut hostile = sample.runs[0].clone();
    hostile.name = "</script><script>alert(1)</script>\u{202e}".to_owned();
    other.runs.push(hostile);
    Ok(Workbench::of([sample, other]))
}

fn sample() -> Result<Workbench, Box<dyn std::error::Error>> {
    Ok(Workbench::of([karat::sample::experiment()?]))
}

fn file(
    workbench: &Workbench,
    options: &ReportOptions,
) -> Result<String, Box<dyn std::error::Error>> {
    one_file(workbench, options).map_err(|refusal| refusal.to_string().into())
}

fn files(
    workbench: &Workbench,
    options: &ReportOptions,
) -> Result<BTreeMap<String, String>, Box<dyn std::error::Error>> {
    let mut files = BTreeMap::new();
    let written = site(workbench, options, |SiteFile { path, content }| {
        assert!(files.insert(path.clone(), content).is_none(), "{path} is written twice");
        Ok::<(), Refusal>(())
    });
    written.map_err(|refusal| refusal.to_string())?;
    Ok(files)
}

/// The values of an attribute, as browsers read them.
fn values<'p>(page: &'p str, attribute: &str) -> Vec<&'p str> {
    let start = format!(" {attribute}=\"");
    let starts = page.match_indices(&start).map(|(at, _)| &page[at + start.len()..]);
    starts.filter_map(|rest| rest.split('"').next()).collect()
}

fn decoded(text: &str) -> String {
    percent_encoding::percent_decode_str(text).decode_utf8_lossy().into_owned()
}

/// What no page may hold: nothing that runs, is asked for, or comes from elsewhere.
fn check_is_harmless(page: &str) {
    for bad in
        ["<form", "<iframe", "<img", " style=", " onclick", "javascript:", "\u{202e}", "<base"]
    {
        assert!(
            !page.contains(bad),
            "{bad} at {:?}",
            page.find(bad).map(|at| &page[at..(at + 80).min(page.len())])
        );
    }
    assert!(!page.contains("alert(1)</script>"), "a name became a script");
    for link in values(page, "src") {
        assert!(!link.contains("//"), "{link} is loaded from elsewhere");
    }
}

#[test]
fn every_link_of_one_file_leads_to_a_place_in_it() -> Tested {
    let report = file(&workbench()?, &ReportOptions::default())?;
    check_is_harmless(&report);
    let ids = values(&report, "id");
    let known: BTreeSet<&str> = ids.iter().copied().collect();
    assert_eq!(ids.len(), known.len(), "an id stands twice");
    let links = values(&report, "href");
    let inside: Vec<String> =
        links.iter().filter_map(|link| link.strip_prefix('#')).map(decoded).collect();
    assert!(inside.len() > 500, "{} links", inside.len());
    for link in &inside {
        assert!(known.contains(link.as_str()), "{link} leads nowhere");
    }
    for link in links.iter().filter(|link| !link.starts_with('#')) {
        assert!(link.starts_with("http") || *link == "data:,", "{link}");
    }
    // Each thing is there: a board, five runs, pairs, documents with their notes, cards of numbers.
    for id in [
        "/",
        "/runs/careful@sample/errors",
        "/compare/spotter@sample..careful@sample",
        "/benchmarks/sample/1/c1",
        "/numbers/popular@sample",
    ] {
        assert!(known.contains(id), "{id} is missing");
    }
    assert_eq!(report.matches("<h1").count(), 1);
    Ok(())
}

#[test]
fn every_link_of_a_site_leads_to_a_file_and_a_place_in_it() -> Tested {
    let files = files(&workbench()?, &ReportOptions::default())?;
    let pages: Vec<(&String, &String)> =
        files.iter().filter(|(path, _)| path.ends_with(".html")).collect();
    let ids: BTreeMap<&str, BTreeSet<&str>> = pages
        .iter()
        .map(|(path, page)| (path.as_str(), values(page, "id").into_iter().collect()))
        .collect();
    let mut followed = 0;
    for (path, page) in &pages {
        check_is_harmless(page);
        assert_eq!(page.matches("<h1").count(), 1, "{path}");
        let links = values(page, "href").into_iter().chain(values(page, "src"));
        for link in links.filter(|link| !link.starts_with("http") && *link != "data:,") {
            let (file, fragment) = link.split_once('#').unwrap_or((link, ""));
            let target =
                if file.is_empty() { (*path).clone() } else { resolved(path, &decoded(file)) };
            assert!(
                files.contains_key(&target),
                "{link} on {path} leads to {target}, which is not there"
            );
            if !fragment.is_empty() {
                let known = ids
                    .get(target.as_str())
                    .is_some_and(|ids| ids.contains(decoded(fragment).as_str()));
                assert!(known, "{link} on {path}: there is no such place");
            }
            followed += 1;
        }
    }
    assert!(followed > 1000, "{followed} links");
    assert!(files.contains_key("index.html") && files.contains_key("runs/careful@sample.html"));
    Ok(())
}

/// A relative link from a page.
fn resolved(from: &str, link: &str) -> String {
    let mut parts: Vec<&str> = from.split('/').collect();
    parts.pop();
    for part in link.split('/') {
        match part {
            ".." => drop(parts.pop()),
            part => parts.push(part),
        }
    }
    parts.join("/")
}

#[test]
fn numbers_are_those_of_the_command() -> Tested {
    let mut shelf = Shelf::default();
    shelf.add(karat::sample::experiment()?, Vec::new());
    let request = EvaluationRequest {
        inputs: Inputs {
            gold: vec![InputRequest::held("sample")],
            systems: ["spotter", "careful", "popular"].map(InputRequest::held).to_vec(),
            ..Inputs::default()
        },
        digests: true,
        ..EvaluationRequest::default()
    };
    let answer = request.answer(&Work { shelf: Some(Arc::new(shelf)), ..Work::default() })?;
    let workbench = sample()?;
    let files = files(&workbench, &ReportOptions::default())?;
    let written: serde_json::Value = serde_json::from_str(&files["data/sample.json"])?;
    assert_eq!(written, AnyAnswer::record(&answer));
    let linked: serde_json::Value = serde_json::from_str(&files["data/sample.jsonld"])?;
    assert_eq!(linked, answer.linked_data());
    // The same data stand in the one file, where no name can end them.
    let report = file(&workbench, &ReportOptions::default())?;
    let (_, data) = report.split_once("<script type=\"application/ld+json\">").ok_or("no data")?;
    let (data, _) = data.split_once("</script>").ok_or("no end")?;
    let data: serde_json::Value = serde_json::from_str(data)?;
    assert_eq!(data[0], answer.linked_data());
    for system in &answer.systems {
        let link =
            system.measures.iter().find(|it| it.name == "link").and_then(|it| it.score("f1"));
        let shown = crate::components::table::score(link.flatten());
        assert!(files["index.html"].contains(&shown), "{shown} of {}", system.name);
    }
    Ok(())
}

#[test]
fn reports_are_the_same_every_time() -> Tested {
    let options = ReportOptions::default();
    assert_eq!(file(&workbench()?, &options)?, file(&workbench()?, &options)?);
    assert_eq!(files(&workbench()?, &options)?, files(&workbench()?, &options)?);
    Ok(())
}

#[test]
fn fewer_documents_and_comparisons_can_be_asked_for() -> Tested {
    let workbench = sample()?;
    let pages = |options: ReportOptions| -> Result<Vec<String>, Box<dyn std::error::Error>> {
        Ok(files(&workbench, &options)?.into_keys().collect())
    };
    let documents = |pages: &[String]| {
        pages.iter().filter(|path| path.starts_with("benchmarks/sample/")).count()
    };
    let all = pages(ReportOptions { documents: DocumentsShown::All, ..ReportOptions::default() })?;
    assert_eq!(documents(&all), 14);
    let two = pages(ReportOptions {
        documents: DocumentsShown::Worst(2),
        compare: vec![vec!["popular".to_owned(), "spotter".to_owned()]],
        ..ReportOptions::default()
    })?;
    assert_eq!(documents(&two), 2);
    let compared: Vec<&String> = two.iter().filter(|path| path.starts_with("compare/")).collect();
    assert_eq!(compared, ["compare/popular@sample..spotter@sample.html"]);
    let unknown =
        ReportOptions { compare: vec![vec!["nobody".to_owned()]], ..ReportOptions::default() };
    assert!(file(&workbench, &unknown).is_err());
    Ok(())
}

#[test]
fn hidden_texts_are_nowhere() -> Tested {
    let workbench = sample()?;
    let text = workbench.shelf().experiment("sample").and_then(|it| {
        it.benchmark.corpus.documents().next().and_then(|it| it.text().map(str::to_owned))
    });
    // A piece of text without any mention in it would be seen only where the text is shown.
    let text = text.ok_or("no text")?;
    let words = "refused to sign";
    assert!(text.contains(words), "{text}");
    let shown = file(&workbench, &ReportOptions::default())?;
    assert!(shown.contains(words));
    let options = ReportOptions { hidden_texts: HiddenTexts::All, ..ReportOptions::default() };
    let hidden = file(&workbench, &options)?;
    assert!(!hidden.contains(words) && hidden.contains("its licence does not allow it"));
    for page in files(&workbench, &options)?.values() {
        assert!(!page.contains(words));
    }
    Ok(())
}
