//! What GERBIL's pages do (section 1.8 of its description), by name.

use crate::browser::{Screen, walk, walk_over};
use crate::waiting::two_benchmarks;

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
