//! What opens beside what is looked at: the text of a row, and the view behind a mark of a plot.

use crate::browser::{Screen, walk, walk_over};
use crate::waiting::two_benchmarks;
use thirtyfour::Key;

const WITHOUT_SCRIPTS: Screen = Screen { width: 1440, height: 900, scripts: false, dark: false };

/// Whether the text stands beside the list.
const IS_OPEN: &str = "document.querySelector('[data-beside]')?.checkVisibility()";

#[test]
fn the_text_of_a_case_opens_beside_the_list() {
    walk(Screen::default(), |reader| async move {
        reader.visit("/runs/popular@sample?show=cases&where=error=wrong-link").await?;
        assert_eq!(reader.value(IS_OPEN).await?, "false", "nothing is there at first");
        reader.press("j").await?;
        reader.until(IS_OPEN).await?;
        let text = reader.text("[data-beside] .reading").await?;
        assert!(text.contains("refused to sign the draft"), "{text}");
        let note = reader.text("[data-beside] .e").await?;
        assert!(note.contains("Paris") && note.contains("wrong link, instead of Q142"), "{note}");
        reader
            .until("document.querySelector('[data-beside] .s.on')?.textContent.includes('Paris')")
            .await?;
        // The next row, and its text.
        reader.press("j").await?;
        reader
            .until("document.querySelector('[data-beside] .s.on')?.textContent.includes('White')")
            .await?;
        let both = "(() => { const [list, text] = [document.querySelector('.withtext .scroll'), document.querySelector('[data-beside]')].map((it) => it.getBoundingClientRect()); return list.right <= text.left && document.documentElement.scrollWidth === document.documentElement.clientWidth; })()";
        assert_eq!(reader.value(both).await?, "true", "they stand side by side");
        assert_eq!(reader.violations().await?, Vec::<String>::new());
        reader.picture("beside").await?;
        reader.press(&Key::Escape.value().to_string()).await?;
        reader.until(&format!("!({IS_OPEN})")).await?;
        reader.is_well().await
    });
}

#[test]
fn without_room_or_scripts_a_row_leads_to_its_text() {
    walk(Screen { width: 800, height: 900, ..Screen::default() }, |reader| async move {
        reader.visit("/runs/popular@sample?show=cases&where=error=wrong-link").await?;
        reader.press("j").await?;
        reader.until("document.querySelector('tr[data-here]')").await?;
        assert_eq!(reader.value(IS_OPEN).await?, "false");
        reader.enter().await?;
        reader.at("/benchmarks/sample/1").await
    });
    walk(WITHOUT_SCRIPTS, |reader| async move {
        reader.open("/runs/popular@sample?show=cases&where=error=wrong-link").await?;
        assert!(!reader.one("[data-beside]").await?.is_displayed().await?);
        reader.follow("td.kw a").await?;
        reader.at("/benchmarks/sample/1").await
    });
}

/// The job of a developer: what was lost, one case after the other.
#[test]
fn lost_cases_are_walked_by_one_key() {
    walk(Screen::default(), |reader| async move {
        reader.visit("/compare/popular@sample..spotter@sample?group=lost").await?;
        reader.press("n").await?;
        reader
            .until(
                "document.querySelectorAll('table.cases tr[data-row]')[0].matches('[data-here]')",
            )
            .await?;
        reader.until(IS_OPEN).await?;
        let first = reader.text("[data-beside] .e").await?;
        assert!(first.contains("popular") && first.contains("spotter"), "{first}");
        reader.press("n").await?;
        reader
            .until(
                "document.querySelectorAll('table.cases tr[data-row]')[1].matches('[data-here]')",
            )
            .await?;
        reader.press("p").await?;
        reader
            .until(
                "document.querySelectorAll('table.cases tr[data-row]')[0].matches('[data-here]')",
            )
            .await?;
        reader.is_well().await
    });
}

#[test]
fn marks_of_plots_lead_to_their_numbers() {
    for (plot, first) in [
        ("/?plot=forest", "/numbers/careful@sample"),
        ("/?plot=heat-map", "/numbers/careful@sample"),
        ("/conventions/careful@sample", "/numbers/careful@sample"),
        ("/compare/careful@sample..popular@sample..spotter@sample", "/numbers/careful@sample"),
    ] {
        walk_over(two_benchmarks(), WITHOUT_SCRIPTS, |reader| async move {
            reader.open(plot).await?;
            let mark = reader.one("figure.plot .roomy a").await?;
            let name = mark.attr("aria-label").await?.unwrap_or_default();
            assert!(name.contains("0."), "{plot}: {name}");
            let address = mark.attr("href").await?.unwrap_or_default();
            assert!(address.starts_with(first), "{plot}: {address}");
            reader.open(&address).await?;
            assert!(reader.text("h1").await?.contains("careful"), "{plot}");
            Ok(())
        });
    }
}

#[test]
fn arrow_keys_walk_from_mark_to_mark() {
    walk_over(two_benchmarks(), Screen::default(), |reader| async move {
        reader.visit("/?plot=heat-map").await?;
        let here = "document.activeElement.getAttribute('aria-label')";
        reader.value("document.querySelector('.roomy a[tabindex=\"0\"]').focus()").await?;
        let first = reader.value(here).await?;
        assert!(first.starts_with("careful, sample"), "{first}");
        for (key, then) in [
            (Key::Right, "careful, news"),
            (Key::Down, "popular, news"),
            (Key::Left, "popular, sample"),
            (Key::Up, "careful, sample"),
        ] {
            reader.press(&key.value().to_string()).await?;
            let now = reader.value(here).await?;
            assert!(now.starts_with(then), "{now} and not {then}");
        }
        // The Tab key passes the plot in one step.
        assert_eq!(
            reader.value("document.querySelectorAll('.roomy a[tabindex=\"0\"]').length").await?,
            "1"
        );
        reader.enter().await?;
        reader.at("/numbers/careful@sample").await?;
        reader.is_well().await
    });
}

/// Without a script: the style sheet does it.
#[test]
fn series_of_a_plot_can_be_dimmed() {
    walk(WITHOUT_SCRIPTS, |reader| async move {
        reader.open("/runs/careful@sample?show=curves&beside=popular").await?;
        let boxes = reader.texts(".dimmer label").await?;
        assert_eq!(&boxes[..2], ["careful", "popular"]);
        let line = reader.one("figure .roomy .line.s2").await?;
        assert_eq!(line.css_value("opacity").await?, "1");
        reader.follow("[data-dims=s2]").await?;
        assert_eq!(line.css_value("opacity").await?, "0.12");
        assert_eq!(reader.one("figure .roomy .line.s1").await?.css_value("opacity").await?, "1");
        Ok(())
    });
}

/// Letters of a plot that is made smaller could not be read.
#[test]
fn plots_are_laid_out_anew_for_phones() {
    walk(Screen { width: 360, height: 800, ..Screen::default() }, |reader| async move {
        let phone = serde_json::json!({"width": 360, "height": 800, "deviceScaleFactor": 1, "mobile": true});
        reader.tell("Emulation.setDeviceMetricsOverride", phone).await?;
        for address in [
            "/?plot=forest",
            "/runs/careful@sample?show=curves",
            "/compare/careful@sample..popular@sample..spotter@sample",
        ] {
            reader.visit(address).await?;
            let smallest = "Math.min(...[...document.querySelectorAll('figure.plot svg text')].filter((it) => it.checkVisibility()).map((it) => it.getBoundingClientRect().height))";
            let smallest: f64 = reader.value(smallest).await?.parse()?;
            assert!(smallest > 10.0, "{address}: letters of {smallest} pixels");
        }
        Ok(())
    });
}
