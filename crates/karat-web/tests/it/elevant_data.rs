//! ELEVANT's published benchmarks and runs: loaded at once as `karat import` does, and looked at.

use crate::browser::{Reader, Screen, Walked, walk_through};
use karat::convention::ConventionRequest;
use karat::inputs::{Inputs, Repeats};
use karat::request::Request;
use karat::scoring::EvaluationRequest;
use karat::work::Work;
use karat_store::{By, StoreAddress};
use karat_web::library::StoredLibrary;
use karat_web::workbench::Workbench;
use karat_web::workspace::Workspace;
use std::collections::BTreeMap;
use std::error::Error;
use std::sync::Arc;

/// The columns that are compared.
const COLUMNS: [&str; 6] = ["score", "precision", "recall", "tp", "fp", "fn"];

/// What is on the page must be what `karat eval` says of the files, for every cell of every board.
#[test]
fn every_published_run_is_loaded_and_has_the_numbers_of_the_command() {
    let Some(folder) = crate::data::folder("elevant") else { return };
    let inputs = Inputs::in_folder(&folder.display().to_string()).expect("the folder is read");
    let sent = inputs.clone();
    let make = async || {
        let workspace = Workspace::open(&StoreAddress::Memory).await.expect("a store in memory");
        let (taking, inputs) = (workspace.clone(), sent.clone());
        let taken = tokio::task::spawn_blocking(move || {
            let (mut runs, mut told) = (0, Vec::new());
            for inputs in inputs {
                let read =
                    inputs.read_with_or_without_runs(Repeats::Refused, &Work::default(), &mut told);
                for experiment in read.expect("files are read") {
                    let taken = taking.take_in(&By::local(), &experiment, &told);
                    runs += taken.expect("they are taken in").runs;
                }
            }
            runs
        });
        assert_eq!(taken.await.expect("a thread"), 51);
        let library = Arc::new(StoredLibrary::new(workspace.clone()));
        (Arc::new(Workbench::over(library)), Some(workspace))
    };
    walk_through(Screen::default(), make, |reader| async move {
        let mut compared = 0;
        for inputs in inputs.iter().filter(|it| !it.systems.is_empty()) {
            for convention in ["karat", "elevant"] {
                compared += compare_board(&reader, inputs, convention).await?;
            }
        }
        assert!(compared >= 500, "{compared} cells");
        look(&reader).await
    });
}

/// Compares the board of one benchmark with what the files say; how many cells it has.
async fn compare_board(
    reader: &Reader,
    inputs: &Inputs,
    convention: &str,
) -> Result<usize, Box<dyn Error>> {
    let name = inputs.gold[0].name.clone().unwrap_or_default();
    let (asked, of) = (inputs.clone(), convention.to_owned());
    let expected = tokio::task::spawn_blocking(move || expected(asked, &of)).await?;
    let address = format!("/?benchmark={name}&as={convention}&cols={}", COLUMNS.join(","));
    reader.open(&address).await?;
    reader.until("document.querySelector('.board tbody tr')").await?;
    let cells = "JSON.stringify([...document.querySelectorAll('.board tbody tr')].map((row) => \
        [...row.cells].map((cell) => { const copy = cell.cloneNode(true); \
        copy.querySelectorAll('.said').forEach((said) => said.remove()); return copy.textContent.trim(); })))";
    let rows: Vec<Vec<String>> = serde_json::from_str(&reader.value(cells).await?)?;
    let mut compared = 0;
    for row in rows {
        let system = row.get(1).ok_or("a row without a name")?;
        // A system that has runs on other benchmarks only has a row of dashes.
        let Some(numbers) = expected.get(system) else {
            assert!(row[2..].iter().all(|shown| shown == "–"), "{row:?} at {address}");
            continue;
        };
        for ((shown, number), column) in row[2..].iter().zip(numbers).zip(COLUMNS) {
            assert_eq!(shown, number, "{column} of {system} at {address}");
            compared += 1;
        }
    }
    assert_eq!(compared, COLUMNS.len() * expected.len(), "{address}");
    Ok(compared)
}

/// The numbers of each system, as pages print them.
fn expected(inputs: Inputs, convention: &str) -> BTreeMap<String, Vec<String>> {
    let request = EvaluationRequest {
        inputs,
        convention: ConventionRequest {
            preset: convention.to_owned(),
            ..ConventionRequest::default()
        },
        measures: vec!["link".to_owned()],
        ..EvaluationRequest::default()
    };
    let answer = request.answer(&Work::default()).expect("the files are scored");
    let answer = serde_json::to_value(&answer).expect("an answer is JSON");
    let numbers = |measure: &serde_json::Value| {
        ["f1", "precision", "recall", "tp", "fp", "fn"].map(|key| {
            let is_count = ["tp", "fp", "fn"].contains(&key);
            let value = measure[key].as_f64();
            let value = value.filter(|_| is_count || measure["over_nothing"] != true);
            value.map_or("–".to_owned(), |value| match is_count {
                true => format!("{value}"),
                false => {
                    let printed = format!("{value:.3}");
                    printed.strip_prefix('0').map_or(printed.clone(), str::to_owned)
                }
            })
        })
    };
    let systems = answer["systems"].as_array().expect("systems").iter();
    let named = systems.map(|system| {
        let name = system["name"].as_str().unwrap_or_default().to_owned();
        (name, numbers(&system["measures"][0]).to_vec())
    });
    named.collect()
}

/// The pages that a reader would open next.
async fn look(reader: &Reader) -> Walked {
    reader.open("/").await?;
    reader.until("document.querySelector('.board tbody tr')").await?;
    reader.picture("elevant-board").await?;
    for link in ["benchmarks", "systems"] {
        reader.open(&format!("/{link}")).await?;
        reader.is_well().await?;
        reader.picture(&format!("elevant-{link}")).await?;
    }
    reader.visit("/benchmarks/kore50/1").await?;
    reader.until("document.querySelector('[data-text]')").await?;
    reader.picture("elevant-text").await?;
    reader.is_well().await
}
