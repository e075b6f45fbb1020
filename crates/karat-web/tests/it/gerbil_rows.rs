//! What GERBIL's pages do (section 1.8 of its description), by name.

use crate::browser::{Screen, walk, walk_in_workspace, walk_over};
use crate::corpora::experiment;
use crate::waiting::two_benchmarks;
use karat_web::workbench::Workbench;

const WITHOUT_SCRIPTS: Screen = Screen { width: 1440, height: 900, scripts: false, dark: false };

/// A sortable table of all measures of an experiment.
#[test]
fn gerbil_1_8_experiment_page_has_all_measures() {
    walk(WITHOUT_SCRIPTS, |reader| async move {
        reader.open("/runs/careful@sample?as=gerbil").await?;
        let heads = reader.texts("thead th").await?;
        for head in ["measure", "precision", "recall", "score"] {
            assert!(heads.contains(&head.to_owned()), "{head}: {heads:?}");
        }
        assert!(reader.all("tbody tr").await?.len() > 1);
        Ok(())
    });
}

/// A matrix of annotators by datasets; what is missing stays missing instead of 0.
#[test]
fn gerbil_1_8_overview_is_a_matrix() {
    walk_over(two_benchmarks(), WITHOUT_SCRIPTS, |reader| async move {
        reader.open("/?as=gerbil&cols=score").await?;
        assert_eq!(reader.texts("thead th.group.wide a").await?, ["sample", "news"]);
        assert_eq!(reader.all("tbody tr").await?.len(), 4);
        assert_eq!(reader.all("tbody td .missing[title='no run']").await?.len(), 2);
        Ok(())
    });
}

/// Results stay where they are and can be cited: a frozen link and an entry for a bibliography.
#[test]
fn gerbil_1_8_experiment_has_a_lasting_link() {
    walk(WITHOUT_SCRIPTS, |reader| async move {
        reader.open("/runs/careful@sample?as=gerbil").await?;
        reader.click("Frozen link").await?;
        reader.at("key=").await?;
        assert!(reader.text(".frozen").await?.contains("is as it was"));
        reader.click("Cite").await?;
        assert!(reader.text("footer").await?.contains("@misc{karat-careful-on-sample"));
        Ok(())
    });
}

/// What GERBIL has only as JSON-LD inside of a page is a download.
#[test]
fn gerbil_1_8_results_for_programs() {
    walk(Screen::default(), |reader| async move {
        reader.open("/").await?;
        let json = reader.fetched("/runs/careful@sample?as=gerbil&format=json").await?;
        let json: serde_json::Value = serde_json::from_str(&json)?;
        assert_eq!(json["systems"][0]["name"], "careful");
        assert!(
            json["signature"].as_str().is_some_and(|it| it.contains("preset:gerbil")),
            "{json}"
        );
        Ok(())
    });
}

/// GERBIL's spider chart, with what it lacks: a run that is missing leaves a gap and is not drawn as 0, every mark leads to
/// its number, and a note says what such a chart does not show.
#[test]
fn gerbil_1_8_overview_has_a_radar() {
    let sample = karat::sample::experiment().expect("the sample can be read");
    let named = |name: &str, runs: usize| {
        let mut experiment = sample.clone();
        experiment.benchmark.name = name.to_owned();
        experiment.runs.truncate(runs);
        experiment
    };
    let workbench = Workbench::of([named("one", 3), named("two", 2), named("three", 3)]);
    walk_over(workbench, WITHOUT_SCRIPTS, |reader| async move {
        reader.open("/?as=gerbil;in-kb=every-id").await?;
        reader.click("radar").await?;
        reader.at("plot=radar").await?;
        // Three systems on three benchmarks, and one run is missing.
        assert_eq!(reader.all("figure .roomy svg a").await?.len(), 8);
        assert!(reader.text("figure .roomy svg").await?.contains("means nothing"));
        reader.open("/?plot=radar&benchmark=one,two").await?;
        assert!(reader.text("main").await?.contains("A radar has three to eight benchmarks"));
        Ok(())
    });
}

/// GERBIL's second matrix: how scores go with features of datasets, with what it lacks: the caution that belongs to it.
#[test]
fn gerbil_1_8_overview_correlates_scores_with_features() {
    // A document with so many mentions, of which the system finds the first: the more there are, the lower its recall.
    let record = |document: usize, mentions: usize, found: usize| {
        let text = vec!["Rome"; mentions].join(" ");
        let annotations: Vec<String> = (0..found)
            .map(|at| format!("{{\"span\":[{},{}],\"link\":\"Q220\"}}", 5 * at, 5 * at + 4))
            .collect();
        let annotations = annotations.join(",");
        format!(
            "{{\"document\":\"d{document}\",\"text\":\"{text}\",\"annotations\":[{annotations}]}}\n"
        )
    };
    let benchmark = |mentions: usize| {
        let all = |found: usize| (0..3).map(|at| record(at, mentions, found)).collect::<String>();
        let (gold, first) = (all(mentions), all(1));
        experiment(&format!("b{mentions}"), &gold, &[("first", &first), ("all", &gold)])
    };
    let workbench = Workbench::of((1..=6).map(benchmark));
    walk_over(workbench, WITHOUT_SCRIPTS, |reader| async move {
        reader.open("/").await?;
        reader.click("features of benchmarks").await?;
        reader.at("plot=features").await?;
        let table = "[aria-label^='Pearson'] tbody tr";
        let rows = reader.texts(table).await?;
        let row = rows.iter().find(|row| row.starts_with("mentions per document"));
        let row = row.ok_or_else(|| format!("{rows:?}"))?;
        // What is always right does not vary, so that nothing can go with it.
        assert!(row.contains("\u{2212}.9") && row.contains("–"), "{row}");
        assert!(reader.text("main").await?.contains("come by chance"));
        reader.open("/?plot=features&benchmark=b1,b2").await?;
        assert!(reader.text("main").await?.contains("six and more benchmarks"));
        Ok(())
    });
}

/// What systems answered can be taken along, and benchmarks as well; GERBIL keeps them to itself.
#[test]
fn gerbil_1_8_answers_of_annotators_can_be_downloaded() {
    walk(Screen::default(), |reader| async move {
        reader.open("/").await?;
        let cases = reader.fetched("/runs/careful@sample?show=cases&rows=500&format=jsonl").await?;
        assert!(cases.lines().count() > 100, "{}", cases.lines().count());
        let first: serde_json::Value = serde_json::from_str(cases.lines().next().unwrap_or("{}"))?;
        assert!(first.is_object(), "{first}");
        Ok(())
    });
}

/// Own data: a page to which files are sent, with formats that are recognised.
#[test]
fn gerbil_1_8_configuration_takes_own_files() {
    walk_in_workspace(WITHOUT_SCRIPTS, |reader| async move {
        reader.open("/upload").await?;
        let formats = reader.texts("select[name=format] option").await?;
        assert!(formats.iter().any(|format| format.contains("NIF")), "{formats:?}");
        reader.one("input[type=file][name=files]").await?;
        Ok(())
    });
}
