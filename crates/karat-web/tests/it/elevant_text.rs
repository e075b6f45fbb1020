//! Rows 13 to 19 of ELEVANT's page for the analysis of linkers, by number.

use crate::browser::{Screen, walk};

/// Whatever can be done without scripts is done without.
const PLAIN: Screen = Screen { width: 1440, height: 900, scripts: false, dark: false };

#[test]
fn row_13_annotated_text_with_a_strip_for_each_outcome() {
    walk(PLAIN, |reader| async move {
        reader.open("/benchmarks/sample/1").await?;
        for (class, what) in
            [("g1a", "gold"), ("d1r", "right"), ("d1w", "wrong"), ("g1o", "optional")]
        {
            let found = reader.all(&format!("[data-text] .s[class*=' {class}']")).await?;
            assert!(!found.is_empty(), "{what}");
        }
        for sign in ["●", "≠", "○", "·"] {
            let markers = reader.texts("[data-text] a.k").await?;
            assert!(markers.iter().any(|marker| marker.starts_with(sign)), "{sign}: {markers:?}");
        }
        assert!(reader.all(".notes a[href^='https://www.wikidata.org/wiki/Q']").await?.len() > 5);
        Ok(())
    });
}

#[test]
fn row_14_mentions_tell_label_link_types_system_readings_and_errors() {
    walk(Screen::default(), |reader| async move {
        reader.visit("/benchmarks/sample/1").await?;
        reader.value("document.querySelector('#t3').dispatchEvent(new PointerEvent('pointerover', { bubbles: true }))").await?;
        reader.until("document.querySelector('.card')?.matches(':popover-open')").await?;
        let card = reader.text(".card").await?;
        for words in ["Paris", "Q142", "France", "LOC", "popular", "wrong link, instead of Q142"] {
            assert!(card.contains(words), "{words} in {card}");
        }
        let note = reader.text("#c3").await?;
        assert!(
            note.contains(card.lines().next().unwrap_or_default()),
            "the card has what the note has"
        );
        reader.press("\u{e00c}").await?;
        reader.until("!document.querySelector('.card').matches(':popover-open')").await?;
        let notes = reader.text(".notes").await?;
        assert!(notes.contains("reading 1:"), "{notes}");
        Ok(())
    });
}

#[test]
fn row_15_articles_are_chosen_whole_or_as_far_as_they_are_evaluated() {
    walk(PLAIN, |reader| async move {
        reader.open("/benchmarks/sample/3").await?;
        assert!(
            reader
                .text("main")
                .await?
                .contains("Characters 0 to 176 of this document are evaluated.")
        );
        let part = reader.text("[data-text]").await?.chars().count();
        reader.follow("a[href*='span=all']").await?;
        let whole = reader.text("[data-text]").await?.chars().count();
        assert!(whole > part, "{part} and {whole} characters");
        reader.follow(".beside a[href*='list=number']").await?;
        assert_eq!(reader.all("table.documents tbody tr").await?.len(), 14);
        reader.follow("table.documents tbody tr:nth-child(5) a").await?;
        assert!(reader.path().await?.starts_with("/benchmarks/sample/5"));
        Ok(())
    });
}

#[test]
fn row_16_all_errors_or_avoided_errors_are_marked() {
    walk(PLAIN, |reader| async move {
        let mut counts = Vec::new();
        for view in ["", "&marks=errors", "&marks=lost", "&where=error=wrong-link", "&marks=none"] {
            reader.open(&format!("/benchmarks/sample/1?runs=careful,popular{view}")).await?;
            counts.push(reader.all("[data-text] a.k").await?.len());
        }
        assert!(counts[0] > counts[1] && counts[1] > counts[2] && counts[2] > 0, "{counts:?}");
        assert!(counts[3] > 0 && counts[3] < counts[1] && counts[4] == 0, "{counts:?}");
        // The other way round: what the first avoids and the second does not.
        reader.open("/benchmarks/sample/1?runs=popular,careful&marks=lost").await?;
        let avoided = reader.all("[data-text] a.k").await?;
        for marker in avoided {
            let label = marker.attr("aria-label").await?.unwrap_or_default();
            assert!(label.contains("right"), "{label}");
        }
        Ok(())
    });
}

#[test]
fn row_17_two_systems_stand_side_by_side() {
    walk(PLAIN, |reader| async move {
        reader.open("/benchmarks/sample/1?runs=careful,popular&lay=columns").await?;
        assert_eq!(reader.texts(".column h2").await?, ["careful", "popular"]);
        let columns = reader.all(".column [data-text]").await?;
        let (first, second) = (columns[0].rect().await?, columns[1].rect().await?);
        assert!((first.y - second.y).abs() < 2.0 && second.x > first.x + first.width - 2.0);
        Ok(())
    });
}

#[test]
fn row_18_ctrl_and_arrows_jump_between_marked_mentions() {
    walk(Screen::default(), |reader| async move {
        reader.visit("/benchmarks/sample/1?marks=errors&lay=columns").await?;
        let right = '\u{e014}';
        let left = '\u{e012}';
        reader.press_with_control(right).await?;
        reader.until("document.activeElement.matches('a.k.on')").await?;
        let first = reader.value("document.activeElement.id").await?;
        reader.press_with_control(right).await?;
        reader.until(&format!("document.activeElement.matches('a.k.on') && document.activeElement.id !== '{first}'")).await?;
        reader.press_with_control(left).await?;
        reader.until(&format!("document.activeElement.id === '{first}'")).await?;
        Ok(())
    });
}

#[test]
fn row_19_a_legend_explains_the_annotations() {
    walk(PLAIN, |reader| async move {
        reader.open("/benchmarks/sample/1").await?;
        reader.follow("#legend > summary").await?;
        let legend = reader.text("#legend").await?;
        for words in [
            "gold, NIL",
            "gold that does not count",
            "wrong link",
            "missed",
            "extra",
            "not counted",
        ] {
            assert!(legend.contains(words), "{words} in {legend}");
        }
        Ok(())
    });
}
