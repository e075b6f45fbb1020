//! Walk 12: narrow, dark, forced colours, print and zoom.

use crate::browser::{Screen, walk};
use crate::everywhere::addresses;
use serde_json::json;

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

/// The widths that are tried, with the scale of the picture: phones, a tablet, a window at twice its size, a desk.
const WIDTHS: [(u32, u32); 5] = [(320, 1), (360, 1), (640, 2), (768, 1), (1440, 1)];

/// Every page of the list of pages at every width: nothing but regions that say so is scrolled to the side.
#[test]
fn every_page_fits_every_width() {
    walk(Screen::default(), |reader| async move {
        let mut wide = Vec::new();
        for (at, address) in addresses().into_iter().enumerate() {
            reader.visit(&address).await?;
            for (width, scale) in WIDTHS {
                reader.resize(width, 800, scale).await?;
                let over = reader.overflow().await?;
                if over != "0" {
                    wide.push(format!("{address} at {width}: {over} pixels"));
                }
                reader.picture(&format!("{at:02}-{width}")).await?;
            }
        }
        assert!(wide.is_empty(), "{}", wide.join("\n"));
        Ok(())
    });
}

/// The same on paper, where nobody can scroll: what is wider than a sheet is cut off.
#[test]
fn every_page_fits_paper() {
    walk(Screen::default(), |reader| async move {
        reader.on_paper().await?;
        // A sheet of A4 between its margins.
        reader.resize(700, 900, 1).await?;
        let mut wide = Vec::new();
        for (at, address) in addresses().into_iter().enumerate() {
            reader.visit(&address).await?;
            let over = reader.overflow().await?;
            if over != "0" {
                wide.push(format!("{address}: {over} pixels"));
            }
            reader.picture(&format!("{at:02}-paper")).await?;
        }
        assert!(wide.is_empty(), "{}", wide.join("\n"));
        Ok(())
    });
}

/// What can be pressed is large enough for a finger, but for links in running text, and what has the focus shows it.
#[test]
fn targets_can_be_hit_and_the_focus_is_seen() {
    walk(Screen { width: 360, height: 800, ..Screen::default() }, |reader| async move {
        let mut found = Vec::new();
        for address in addresses() {
            reader.visit(&address).await?;
            let hard = reader.hard_to_use().await?;
            if !hard.is_empty() {
                found.push(format!("{address}: {hard}"));
            }
        }
        assert!(found.is_empty(), "{}", found.join("\n"));
        Ok(())
    });
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
        reader.on_paper().await?;
        reader.visit("/benchmarks/sample/1").await?;
        for hidden in [".top", ".choices", ".beside"] {
            assert!(!reader.one(hidden).await?.is_displayed().await?, "{hidden}");
        }
        assert!(reader.one(".notes").await?.is_displayed().await?);
        Ok(())
    });
}
