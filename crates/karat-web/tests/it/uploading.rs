//! Sending, renaming, removing and undoing in a browser.

use crate::browser::{Reader, Screen, Walked, walk_in_workspace};
use std::io::Write;

const GOLD: &str = "{\"document\":\"d1\",\"text\":\"Berlin and Paris\",\"annotations\":[{\"span\":[0,6],\"link\":\"Q64\"},{\"span\":[11,16],\"link\":\"Q90\"}]}\n";
const BAD: &str = "{\"document\":\"d1\",\"annotations\":[{\"span\":\"nowhere\"}]}\n";

fn file(content: &str) -> tempfile::NamedTempFile {
    let mut file = tempfile::Builder::new().suffix(".jsonl").tempfile().expect("a file");
    file.write_all(content.as_bytes()).expect("a file can be written");
    file
}

/// The whole walk, with scripts or without.
async fn uploading(reader: &Reader, scripts: bool) -> Walked {
    let (gold, bad) = (file(GOLD), file(BAD));
    let path = |file: &tempfile::NamedTempFile| file.path().display().to_string();
    reader.open("/").await?;
    reader.follow("a[href='/upload']").await?;
    reader.one("input[type=file]").await?.send_keys(path(&gold)).await?;
    if scripts {
        reader.wait_for("This looks like karat JSONL.").await?;
    }
    reader.picture("upload").await?;
    reader.fill("input[name=new_benchmark]", "News").await?;
    reader.follow("form.upload button").await?;
    reader.wait_for("It was read, checked and kept.").await?;

    // A bad file: what is wrong with it, where, and the form as it was.
    reader.open("/upload?benchmark=news").await?;
    reader.one("input[type=file]").await?.send_keys(path(&bad)).await?;
    reader.fill("input[name=new_system]", "mine").await?;
    reader.fill("input[name=label]", "first").await?;
    reader.follow("form.upload button").await?;
    reader.wait_for("nowhere").await?;
    reader.picture("upload-refused").await?;
    let label = reader.one("input[name=label]").await?.value().await?;
    assert_eq!(label.as_deref(), Some("first"));
    // The same form with a good file.
    reader.one("input[type=file]").await?.send_keys(path(&gold)).await?;
    reader.follow("form.upload button").await?;
    reader.wait_for("It was read, checked and kept.").await?;
    reader.picture("job").await?;
    reader.follow("main a[href^='/runs/']").await?;
    reader.wait_for("mine, first on News").await?;

    reader.follow("a[href^='/edit/run/']").await?;
    reader.fill("input[name=label]", "renamed").await?;
    reader.follow("form.edit button").await?;
    reader.wait_for("mine, renamed on News").await?;
    let run = reader.path().await?;
    reader.follow("a[href^='/edit/run/']").await?;
    reader.picture("edit").await?;
    reader.fill("input[name=name]", "mine").await?;
    reader.follow("form[action$=remove] button").await?;
    reader.wait_for("What was removed can come back").await?;
    reader.picture("trash").await?;
    reader.follow("main table button").await?;
    reader.wait_for("The trash is empty.").await?;
    reader.open(&run).await?;
    reader.wait_for("mine, renamed on News").await?;
    if scripts {
        assert_eq!(reader.troubles().await?, Vec::<String>::new());
    }
    Ok(())
}

#[test]
fn a_run_is_sent_renamed_removed_and_brought_back() {
    walk_in_workspace(Screen::default(), |reader| async move { uploading(&reader, true).await });
}

#[test]
fn the_same_without_scripts() {
    let screen = Screen { scripts: false, ..Screen::default() };
    walk_in_workspace(screen, |reader| async move { uploading(&reader, false).await });
}

#[test]
fn an_empty_workspace_offers_the_sample() {
    walk_in_workspace(Screen::default(), |reader| async move {
        reader.open("/").await?;
        reader.picture("empty").await?;
        reader.follow("form[action='/sample'] button").await?;
        reader.wait_for("careful").await?;
        assert_eq!(reader.all("tbody tr").await?.len(), 3);
        Ok(())
    });
}
