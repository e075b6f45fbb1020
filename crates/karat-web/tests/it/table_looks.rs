//! Every page of tables in the dark and on paper. Pictures are taken if `KARAT_PICTURES` names a folder.

use crate::browser::{Reader, Screen, Walked, walk_over};
use crate::waiting::two_benchmarks;
use serde_json::json;

/// The pages, by the names of their pictures.
const PAGES: [(&str, &str); 16] = [
    ("board", "/"),
    ("board-plot", "/?plot=forest"),
    ("board-heat", "/?plot=heat-map&cols=score"),
    ("board-types", "/?by=type&benchmark=sample"),
    ("board-groups", "/?group=benchmark"),
    ("number", "/numbers/careful@sample?m=link"),
    ("run", "/runs/careful@sample?beside=popular"),
    ("slices", "/runs/careful@sample?show=slices"),
    ("errors", "/runs/careful@sample?show=errors&beside=popular"),
    ("cases", "/runs/popular@sample?show=cases&where=error=wrong-link&beside=careful"),
    ("confusions", "/runs/popular@sample?show=cases&where=error=wrong-link&group=pair"),
    ("compare", "/compare/spotter@sample..popular@sample"),
    ("compare-several", "/compare/spotter@sample..popular@sample..careful@sample"),
    ("conventions", "/conventions/careful@sample?from=karat&to=elevant&step=1"),
    ("search", "/search?q=france"),
    ("system", "/systems/careful"),
];

#[test]
fn pages_are_dark_where_readers_want_it_and_print_without_navigation() {
    walk_over(two_benchmarks(), Screen { dark: true, ..Screen::default() }, |reader| async move {
        for (name, path) in PAGES {
            reader.open(path).await?;
            let dark =
                "getComputedStyle(document.documentElement).backgroundColor === 'rgb(21, 24, 28)'";
            reader.until(dark).await?;
            picture(&reader, &format!("{name}-dark")).await?;
        }
        let print = json!({"media": "print", "features": []});
        reader.driver.cdp().send_raw("Emulation.setEmulatedMedia", print).await?;
        for (name, path) in PAGES {
            reader.open(path).await?;
            let hidden = "getComputedStyle(document.querySelector('.top')).display === 'none'";
            reader.until(hidden).await?;
            paper(&reader, name).await?;
        }
        Ok(())
    });
}

/// The whole page, also what is below the window.
async fn picture(reader: &Reader, name: &str) -> Walked {
    let whole = json!({"format": "png", "captureBeyondViewport": true});
    save(reader, "Page.captureScreenshot", whole, &format!("{name}.png")).await
}

async fn paper(reader: &Reader, name: &str) -> Walked {
    save(reader, "Page.printToPDF", json!({"printBackground": false}), &format!("{name}.pdf")).await
}

async fn save(reader: &Reader, command: &str, how: serde_json::Value, name: &str) -> Walked {
    let Some(folder) = std::env::var_os("KARAT_PICTURES") else { return Ok(()) };
    let answer = reader.driver.cdp().send_raw(command, how).await?;
    let data = answer["data"].as_str().ok_or("no picture")?;
    Ok(std::fs::write(std::path::Path::new(&folder).join(name), decoded(data))?)
}

/// Base64 as browsers write it.
pub(crate) fn decoded(text: &str) -> Vec<u8> {
    const LETTERS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut bytes = Vec::with_capacity(text.len() / 4 * 3);
    let (mut held, mut bits) = (0_u32, 0);
    for letter in text.bytes() {
        let Some(value) = LETTERS.iter().position(|known| *known == letter) else { break };
        held = ((held << 6) | value as u32) & 0xff_ffff;
        bits += 6;
        if bits >= 8 {
            bits -= 8;
            bytes.push(((held >> bits) & 0xff) as u8);
        }
    }
    bytes
}
