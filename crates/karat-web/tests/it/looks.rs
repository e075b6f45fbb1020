//! Walk 12: narrow, dark, forced colours, print and zoom.

use crate::browser::{Reader, Screen, Walked, walk};
use serde_json::json;
use std::sync::Arc;

/// The pages of texts and benchmarks.
const PAGES: [(&str, &str); 10] = [
    ("document", "/benchmarks/sample/1?at=3"),
    ("columns", "/benchmarks/sample/1?lay=columns"),
    ("lines", "/benchmarks/sample/1?lay=lines"),
    ("dimension", "/benchmarks/sample/1?marks=base-form"),
    ("benchmarks", "/benchmarks"),
    ("documents", "/benchmarks/sample"),
    ("statistics", "/benchmarks/sample?show=statistics"),
    ("mentions", "/benchmarks/sample?show=mentions"),
    ("checks", "/benchmarks/sample?show=checks"),
    ("suspicions", "/benchmarks/sample?show=suspicions"),
];

/// Nothing is wider than the window: only regions that say so can be scrolled to the side.
async fn fits(reader: &Arc<Reader>, what: &str) -> Walked {
    let wide = reader
        .value("document.documentElement.scrollWidth - document.documentElement.clientWidth")
        .await?;
    assert_eq!(wide, "0", "{what} is too wide");
    Ok(())
}

#[test]
fn pages_fit_narrow_windows_and_targets_can_be_hit() {
    for width in [320, 360, 768, 1440] {
        walk(Screen { width, height: 800, ..Screen::default() }, |reader| async move {
            let metrics = json!({"width": width, "height": 800, "deviceScaleFactor": 1, "mobile": width < 500});
            reader.tell("Emulation.setDeviceMetricsOverride", metrics).await?;
            for (name, address) in PAGES {
                reader.visit(address).await?;
                fits(&reader, &format!("{name} at {width}")).await?;
                reader.picture(&format!("{name}-{width}")).await?;
            }
            Ok(())
        });
    }
}

#[test]
fn pages_are_dark_and_forced_colours_leave_marks_as_text() {
    walk(Screen { dark: true, ..Screen::default() }, |reader| async move {
        for (name, address) in PAGES {
            reader.visit(address).await?;
            reader.picture(&format!("{name}-dark")).await?;
        }
        let ground =
            reader.value("getComputedStyle(document.documentElement).backgroundColor").await?;
        assert_eq!(ground, "rgb(21, 24, 28)");
        let forced = json!({"features": [{"name": "forced-colors", "value": "active"}]});
        reader.tell("Emulation.setEmulatedMedia", forced).await?;
        reader.visit("/benchmarks/sample/1").await?;
        reader.picture("document-forced").await?;
        // Strips are painted still, in colours of the system.
        let painted = "getComputedStyle(document.querySelector('[data-text] .s')).backgroundImage.includes('gradient')";
        assert_eq!(reader.value(painted).await?, "true");
        Ok(())
    });
}

#[test]
fn print_has_the_text_and_its_notes_and_no_navigation() {
    walk(Screen::default(), |reader| async move {
        for (name, address) in PAGES {
            reader.visit(address).await?;
            let printed = reader.tell("Page.printToPDF", json!({"printBackground": false})).await?;
            let pdf = printed["data"].as_str().unwrap_or_default().to_owned();
            assert!(pdf.starts_with("JVBERi"), "{name} is a PDF");
            if let Some(folder) = std::env::var_os("KARAT_PICTURES") {
                std::fs::write(
                    std::path::Path::new(&folder).join(format!("{name}.pdf.base64")),
                    pdf,
                )?;
            }
        }
        reader.tell("Emulation.setEmulatedMedia", json!({"media": "print"})).await?;
        reader.visit("/benchmarks/sample/1").await?;
        for hidden in [".top", ".choices", ".beside"] {
            assert!(!reader.one(hidden).await?.is_displayed().await?, "{hidden}");
        }
        assert!(reader.one(".notes").await?.is_displayed().await?);
        Ok(())
    });
}

#[test]
fn pages_can_be_read_at_twice_their_size() {
    // Twice the size on 1280 pixels is as if there were 640.
    walk(Screen { width: 1280, height: 900, ..Screen::default() }, |reader| async move {
        reader
            .tell(
                "Emulation.setDeviceMetricsOverride",
                json!({"width": 640, "height": 450, "deviceScaleFactor": 2, "mobile": false}),
            )
            .await?;
        for (name, address) in PAGES {
            reader.visit(address).await?;
            fits(&reader, name).await?;
            reader.picture(&format!("{name}-zoom")).await?;
        }
        Ok(())
    });
}
