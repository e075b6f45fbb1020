//! The review of a gold patch: each change is accepted or refused, with and without scripts, and the file says who refused what.

use crate::browser::{Reader, Screen, Walked, walk_over};
use karat::inputs::{InputRequest, Inputs};
use karat_web::library::FileLibrary;
use karat_web::workbench::Workbench;
use std::path::Path;
use std::sync::Arc;
use thirtyfour::By;

const GOLD: &str = "{\"document\":\"d1\",\"text\":\"Paris refused to sign the draft treaty with London.\",\"annotations\":[{\"span\":[0,5],\"link\":\"Q90\"},{\"span\":[44,50],\"link\":\"Q84\"}]}\n";
const RUN: &str = "{\"document\":\"d1\",\"text\":\"Paris refused to sign the draft treaty with London.\",\"annotations\":[{\"span\":[0,5],\"link\":\"Q142\"},{\"span\":[44,50],\"link\":\"Q84\"}]}\n";
/// Two people who read `Paris` differently, and one who finds that London is the government.
const PATCH: &str = "{\"goldpatch\":1,\"name\":\"spring\"}\n\
{\"document\":\"d1\",\"span\":[0,5],\"words\":\"Paris\",\"set\":{\"link\":[\"Q90\",\"Q142\"]},\"why\":\"wrong-link\",\"from\":{\"by\":\"ann\",\"votes\":\"2/3\"}}\n\
{\"document\":\"d1\",\"span\":[44,50],\"words\":\"London\",\"set\":{\"link\":[\"Q84\",\"Q23666\"]},\"note\":\"the <government>\"}\n";
const OTHER: &str = "{\"goldpatch\":1,\"name\":\"autumn\"}\n\
{\"document\":\"d1\",\"span\":[0,5],\"words\":\"Paris\",\"set\":{\"link\":[\"Q90\",\"Q1\"]}}\n";

/// Gold, a run and a patch with two changes to choose from, in a folder.
fn files(folder: &Path) -> Workbench {
    let path = |name: &str| folder.join(name).display().to_string();
    for (name, text) in
        [("gold.jsonl", GOLD), ("run.jsonl", RUN), ("a.jsonl", PATCH), ("b.jsonl", OTHER)]
    {
        std::fs::write(folder.join(name), text).expect("a file can be written");
    }
    let merge = karat::gold::GoldMergeRequest {
        patches: vec![path("a.jsonl"), path("b.jsonl")],
        output: path("both.goldpatch.jsonl"),
        open: true,
        ..Default::default()
    };
    karat::request::Request::answer(&merge, &karat::work::Work::default()).expect("one patch");
    let gold = InputRequest {
        patches: vec![path("both.goldpatch.jsonl")],
        ..InputRequest::parse(&path("gold.jsonl"))
    };
    let inputs = Inputs {
        gold: vec![gold],
        systems: vec![InputRequest::parse(&path("run.jsonl"))],
        ..Inputs::default()
    };
    let library = FileLibrary::of([]);
    library.read(&inputs).expect("the files can be read");
    Workbench::over(Arc::new(library))
}

/// The field of a change that says `text`, by what it is called.
async fn press(reader: &Reader, legend: &str, value: &str) -> Walked {
    let path = format!(
        "//fieldset[legend[contains(., '{legend}')]]//input[@type='radio' and @value='{value}']"
    );
    Ok(reader.driver.find(By::XPath(path)).await?.click().await?)
}

async fn decides(reader: Arc<Reader>, folder: &Path) -> Walked {
    reader.open("/benchmarks/gold").await?;
    reader.follow("a[href='/benchmarks/gold/patches/1']").await?;
    reader.arrive("/benchmarks/gold/patches/1").await?;
    let main = reader.text("main").await?;
    for said in ["3 changes: 1 apply, 2 wait for a choice.", "refused to sign", "votes 2/3"] {
        assert!(main.contains(said), "{said} in {main}");
    }
    assert!(main.contains("the <government>"), "{main}");
    assert_eq!(reader.barriers().await?, Vec::<String>::new());
    // Nothing is chosen among changes that contradict each other.
    let chosen = reader.all("input[type=radio]:checked").await?;
    assert_eq!(chosen.len(), 1);
    reader.picture("patch").await?;
    press(&reader, "Q142", "accept").await?;
    press(&reader, "London", "refuse").await?;
    let why = "//fieldset[legend[contains(., 'London')]]//input[@placeholder='why']";
    reader.driver.find(By::XPath(why)).await?.send_keys("the city signed").await?;
    reader.write("input[name=who]", "cara").await?;
    reader.follow("button[value=save]").await?;
    reader.wait_for("2 refused").await?;
    let saved = std::fs::read_to_string(folder.join("both.goldpatch.jsonl"))?;
    assert!(
        saved.contains("\"refused\":{\"who\":\"cara\",\"why\":\"the city signed\"}"),
        "{saved}"
    );
    assert!(saved.contains("was accepted"), "{saved}");
    assert_eq!(saved.lines().count(), 4, "{saved}");
    assert_eq!(reader.troubles().await?, Vec::<String>::new());
    reader.picture("patch-decided").await
}

#[test]
fn changes_are_accepted_and_refused() {
    let folder = tempfile::tempdir().expect("a folder");
    let place = folder.path().to_owned();
    walk_over(files(&place), Screen::default(), |reader| async move {
        decides(Arc::clone(&reader), &place).await?;
        // The score follows what was decided, as soon as the file is read again.
        for _ in 0..100 {
            reader.open("/benchmarks").await?;
            if reader.text("main").await?.contains("spring") {
                return Ok(());
            }
            tokio::time::sleep(std::time::Duration::from_millis(100)).await;
        }
        Err("the edition with the patch is not there".into())
    });
}

#[test]
fn changes_are_decided_on_a_phone_without_scripts() {
    let folder = tempfile::tempdir().expect("a folder");
    let place = folder.path().to_owned();
    let screen = Screen { width: 360, height: 740, scripts: true, ..Screen::default() };
    walk_over(files(&place), screen, |reader| async move {
        let narrow = serde_json::json!({"width": 320, "height": 640, "deviceScaleFactor": 1, "mobile": true});
        reader.driver.cdp().send_raw("Emulation.setDeviceMetricsOverride", narrow).await?;
        reader.open("/benchmarks/gold/patches/1").await?;
        let wide = reader
            .driver
            .execute("return document.documentElement.scrollWidth", Vec::new())
            .await?;
        assert!(wide.convert::<u32>()? <= 320, "it scrolls sideways");
        reader.picture("patch-320").await
    });
    let screen = Screen { scripts: false, ..Screen::default() };
    walk_over(files(&place), screen, |reader| async move {
        reader.open("/benchmarks/gold/patches/1?show=open").await?;
        press(&reader, "Q1", "refuse").await?;
        reader.write("input[name=who]", "dan").await?;
        reader.follow("button[value=save]").await?;
        reader.arrive("/benchmarks/gold/patches/1").await?;
        let saved = std::fs::read_to_string(place.join("both.goldpatch.jsonl"))?;
        assert!(saved.contains("\"who\":\"dan\""), "{saved}");
        Ok(())
    });
}
