//! The pictures of the docs, made from pages as they are.
//!
//! A picture looks different on another machine, with other fonts, so pictures are not compared. What is compared is
//! what can be read on the page when a picture is taken: it lies beside the pictures as text. `KARAT_UPDATE_DOCS=1`
//! takes them anew.

use crate::browser::{Reader, Screen, Walked, walk, walk_in_workspace};
use serde_json::json;
use std::path::PathBuf;

/// A picture of a page of the sample.
struct Picture {
    /// The name of its file.
    name: &'static str,
    /// What is looked at.
    address: &'static str,
    /// Keys that are pressed first.
    keys: &'static str,
    /// What is true when the page is ready.
    ready: &'static str,
    /// How much of the page is shown, in pixels.
    size: [u32; 2],
}

const BESIDE: &str = "document.querySelector('[data-beside] .s.on')";
const LOADED: &str = "document.readyState === 'complete'";

static PICTURES: [Picture; 9] = [
    Picture {
        name: "author-board",
        address: "/?plot=forest",
        keys: "",
        ready: LOADED,
        size: [960, 760],
    },
    Picture {
        name: "author-compare",
        address: "/compare/popular@sample..spotter@sample",
        keys: "",
        ready: LOADED,
        size: [960, 760],
    },
    Picture {
        name: "developer-lost",
        address: "/compare/popular@sample..spotter@sample?group=lost#cases",
        keys: "n",
        ready: BESIDE,
        size: [1240, 560],
    },
    Picture {
        name: "analyst-errors",
        address: "/runs/popular@sample?show=errors&beside=careful",
        keys: "",
        ready: LOADED,
        size: [1240, 760],
    },
    Picture {
        name: "analyst-cases",
        address: "/runs/popular@sample?show=cases&where=error=wrong-link",
        keys: "j",
        ready: BESIDE,
        size: [1240, 820],
    },
    Picture {
        name: "analyst-text",
        address: "/benchmarks/sample/1?at=3",
        keys: "",
        ready: LOADED,
        size: [1120, 680],
    },
    Picture {
        name: "keeper-statistics",
        address: "/benchmarks/sample?show=statistics",
        keys: "",
        ready: LOADED,
        size: [1200, 760],
    },
    Picture {
        name: "keeper-suspicions",
        address: "/benchmarks/sample?show=suspicions",
        keys: "",
        ready: LOADED,
        size: [1200, 760],
    },
    Picture {
        name: "keeper-resolution",
        address: "/benchmarks/sample?show=resolution",
        keys: "",
        ready: LOADED,
        size: [960, 560],
    },
];

/// A picture may be so large, in bytes: a repository keeps every one for ever.
const MOST: usize = 60_000;

/// So many lines of a page are compared: more than a picture shows.
const LINES: usize = 90;

/// Where pictures and their texts are.
fn folder() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../docs/pictures")
}

/// Takes the picture if that is asked for, and compares what can be read.
async fn check(reader: &Reader, name: &str) -> Walked {
    let text = reader
        .value("document.querySelector('main').innerText.replace(/\\n\\s*\\n+/g, '\\n')")
        .await?;
    // What differs from build to build is no content.
    let is_stable = |line: &&str| !line.contains("karat:") && !line.contains("curl");
    let text: String = text
        .lines()
        .filter(is_stable)
        .take(LINES)
        .map(|line| format!("{}\n", line.trim()))
        .collect();
    let (picture, words) =
        (folder().join(format!("{name}.webp")), folder().join(format!("{name}.txt")));
    if std::env::var_os("KARAT_UPDATE_DOCS").is_some() {
        let how = json!({"format": "webp", "quality": 40});
        let taken = reader.tell("Page.captureScreenshot", how).await?;
        let bytes = crate::table_looks::decoded(taken["data"].as_str().ok_or("no picture")?);
        std::fs::create_dir_all(folder())?;
        std::fs::write(&picture, bytes)?;
        std::fs::write(&words, &text)?;
    }
    let bytes = std::fs::metadata(&picture).map_or(0, |found| found.len()) as usize;
    assert!(
        (1..=MOST).contains(&bytes),
        "{name}: {bytes} bytes; KARAT_UPDATE_DOCS=1 takes it anew"
    );
    let known = std::fs::read_to_string(&words).unwrap_or_default();
    assert_eq!(known, text, "{name} shows another page; KARAT_UPDATE_DOCS=1 takes it anew");
    Ok(())
}

async fn resized(reader: &Reader, [width, height]: [u32; 2]) -> Walked {
    reader.resize(width, height, 1).await
}

#[test]
fn pictures_of_the_docs_show_what_pages_show() {
    walk(Screen::default(), |reader| async move {
        for picture in &PICTURES {
            resized(&reader, picture.size).await?;
            reader.visit(picture.address).await?;
            if !picture.keys.is_empty() {
                reader.press(picture.keys).await?;
            }
            reader.until(picture.ready).await?;
            check(&reader, picture.name).await?;
        }
        Ok(())
    });
}

/// A bad file on the upload page: what is wrong is said with its place.
#[test]
fn the_picture_of_an_upload_shows_what_is_wrong_with_a_file() {
    walk_in_workspace(Screen::default(), |reader| async move {
        resized(&reader, [960, 760]).await?;
        reader.visit("/upload").await?;
        reader.follow("input[name=what][value=gold]").await?;
        let bad = "{\"document\":\"d1\",\"text\":\"Berlin\",\"annotations\":[{\"span\":\"nowhere\",\"link\":\"Q64\"}]}";
        reader.write("textarea[name=text]", bad).await?;
        reader.write("input[name=new_benchmark]", "news").await?;
        reader.click("Send").await?;
        reader.wait_for("This was not kept.").await?;
        check(&reader, "organiser-upload").await
    });
}

/// Every page of the docs that shows a picture shows one that is made here, and every picture is shown.
#[test]
fn every_picture_is_made_here_and_shown_somewhere() {
    let docs = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../docs");
    let mut shown = std::collections::BTreeSet::new();
    for entry in std::fs::read_dir(&docs).expect("the docs") {
        let path = entry.expect("a file").path();
        let Ok(text) = std::fs::read_to_string(&path) else { continue };
        for rest in text.split("(pictures/").skip(1) {
            shown.insert(rest.split(')').next().unwrap_or_default().to_owned());
        }
    }
    let made = PICTURES.iter().map(|picture| picture.name).chain(["organiser-upload"]);
    let made: std::collections::BTreeSet<String> =
        made.map(|name| format!("{name}.webp")).collect();
    assert_eq!(shown, made);
}
