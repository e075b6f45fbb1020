//! Walks 2 to 4, 6, 7 and 10: from a number to its text, through runs and cases, by keyboard, comparisons, frozen links.

use crate::browser::{Screen, walk, walk_over};
use crate::waiting::two_benchmarks;
use karat_web::workbench::Workbench;
use thirtyfour::Key;

const WITHOUT_SCRIPTS: Screen = Screen { width: 1440, height: 900, scripts: false, dark: false };

#[test]
fn a_number_leads_to_its_cases_and_these_to_the_text() {
    walk(Screen::default(), |reader| async move {
        reader.open("/").await?;
        reader.follow("td.n a[data-card]").await?;
        reader.at("/numbers/careful@sample").await?;
        let card = reader.text(".card").await?;
        assert!(card.contains("link F1 .663"), "{card}");
        assert!(card.contains("1,000 draws of 14 documents, seed 1"), "{card}");
        assert!(card.contains("karat eval") && card.contains("karat:0.1.0|preset:karat"), "{card}");
        assert!(card.contains("elevant"), "other conventions: {card}");
        reader.follow(".card dd a").await?;
        reader.at("show=cases").await?;
        assert!(
            reader.text("caption").await?.starts_with("64 cases"),
            "{}",
            reader.text("caption").await?
        );
        reader.follow("td.kw a").await?;
        reader.at("/benchmarks/sample/").await?;
        assert!(reader.path().await?.contains("at="));
        reader.is_well().await
    });
}

#[test]
fn a_card_opens_on_hover_and_closes_by_escape() {
    walk(Screen::default(), |reader| async move {
        reader.open("/").await?;
        let number = reader.one("td.n a[data-card]").await?;
        reader.driver.action_chain().move_to_element_center(&number).perform().await?;
        reader.appeared(".card[popover]").await?;
        assert!(reader.text(".card[popover]").await?.contains("2·64 / (2·64 + 5 + 60)"));
        reader.one("body").await?.send_keys(Key::Escape).await?;
        reader.until("!document.querySelector('.card[popover]')").await?;
        reader.is_well().await
    });
}

#[test]
fn a_run_has_tabs_and_a_second_run_beside_in_each() {
    for screen in [Screen::default(), WITHOUT_SCRIPTS] {
        walk(screen, |reader| async move {
            reader.open("/runs/careful@sample").await?;
            let sentence = "finds 64, and 5 of its 69 are wrong";
            assert!(reader.text("p.result").await?.contains(sentence));
            for (tab, mark) in [
                ("measures", "precision"),
                ("slices", "PER"),
                ("errors", "lowercased"),
                ("cases", "mention in its text"),
                ("curves", "Calibration"),
            ] {
                reader.open(&format!("/runs/careful@sample?show={tab}&beside=popular")).await?;
                let page = reader.text("main").await?;
                assert!(page.contains(mark), "{tab}: {page}");
                assert!(reader.text("main").await?.contains("popular"), "{tab}");
            }
            reader.open("/runs/careful@sample").await?;
            reader.click("errors").await?;
            reader.at("show=errors").await?;
            let field = reader.one("select[name=beside]").await?;
            field.find(thirtyfour::By::Css("option[value=popular]")).await?.click().await?;
            reader.click("Show").await?;
            reader.at("beside=popular").await?;
            assert!(reader.text("main").await?.contains("+.484"), "the difference");
            // A facet without labels says why.
            reader.open("/runs/careful@sample?show=slices&by=topic").await?;
            assert!(!reader.text("main").await?.is_empty());
            Ok(())
        });
    }
}

#[test]
fn cases_are_narrowed_down_grouped_selected_and_exported() {
    walk(Screen::default(), |reader| async move {
        reader.open("/runs/popular@sample?show=cases").await?;
        let first = reader.text("caption").await?;
        assert!(first.starts_with("cases 1–100 of"), "{first}");
        reader.follow("a[rel=next]").await?;
        reader.at("after=").await?;
        assert!(reader.text("caption").await?.starts_with("cases 101–"));
        // A condition that is typed, and one that is a chip.
        reader.open("/runs/popular@sample?show=cases").await?;
        let field = reader.one("input[name=where]").await?;
        field.send_keys("error=wrong-link").await?;
        field.send_keys(Key::Enter).await?;
        reader.at("where=error=wrong-link").await?;
        assert!(
            reader.text("caption").await?.starts_with("17 cases"),
            "{}",
            reader.text("caption").await?
        );
        reader
            .driver
            .find(thirtyfour::By::XPath("//a[@class='chip'][contains(., 'LOC')]"))
            .await?
            .click()
            .await?;
        reader.at("type=LOC").await?;
        // Nothing fits: what would is said.
        reader
            .open("/runs/popular@sample?show=cases&where=error=wrong-link%20type=NOTHING")
            .await?;
        let page = reader.text("main").await?;
        assert!(
            page.contains("No case fits") && page.contains("Without type=NOTHING there are 17"),
            "{page}"
        );
        // The worst confusions.
        reader.open("/runs/popular@sample?show=cases&where=error=wrong-link&group=pair").await?;
        assert!(reader.text("caption").await?.starts_with("17 cases in"));
        // Selection, with a copy of exactly that.
        reader.open("/runs/popular@sample?show=cases&where=error=wrong-link").await?;
        let boxes = reader.all("input[name=pick]").await?;
        boxes[0].click().await?;
        boxes[2].click().await?;
        reader
            .until("document.querySelector('[data-picked]').textContent === '2 selected'")
            .await?;
        reader.click("Show only these").await?;
        reader.at("pick=").await?;
        assert_eq!(reader.all("tr[data-row]").await?.len(), 2);
        let path = reader.path().await?;
        for (form, begins, lines) in [("tsv", "", 3), ("jsonl", "{", 2), ("md", "|", 4)] {
            let text = reader.fetched(&format!("{path}&format={form}")).await?;
            let found = text.trim_end().lines().filter(|line| line.starts_with(begins)).count();
            assert_eq!(found, lines, "{form}: {text}");
        }
        reader.is_well().await
    });
}

#[test]
fn cases_are_selected_without_scripts() {
    walk(WITHOUT_SCRIPTS, |reader| async move {
        reader.open("/runs/popular@sample?show=cases&where=error=wrong-link").await?;
        let boxes = reader.all("input[name=pick]").await?;
        boxes[1].click().await?;
        reader.click("Show only these").await?;
        reader.at("pick=").await?;
        assert_eq!(reader.all("tr[data-row]").await?.len(), 1);
        Ok(())
    });
}

#[test]
fn errors_are_walked_by_keyboard_alone() {
    walk(Screen::default(), |reader| async move {
        reader.open("/").await?;
        // The list of keys, and the switch.
        reader.press("?").await?;
        reader.appeared("dialog.keys[open]").await?;
        let keys = reader.text("dialog.keys").await?;
        for about in ["next row", "search", "frozen link", "compare what is selected"] {
            assert!(keys.contains(about), "{about}: {keys}");
        }
        reader.one("dialog.keys button").await?.send_keys(Key::Enter).await?;
        reader.until("!document.querySelector('dialog.keys[open]')").await?;
        // From the board to a run, to its cases, to the text.
        reader.press("j").await?;
        reader.until("document.querySelector('tr[data-here]')").await?;
        reader.enter().await?;
        reader.at("/runs/careful@sample").await?;
        reader.open("/runs/careful@sample?show=cases&where=wrong").await?;
        reader.press("j").await?;
        reader.press("j").await?;
        reader.until("document.querySelectorAll('tr[data-row]')[1].matches('[data-here]')").await?;
        reader.press("x").await?;
        reader.until("document.querySelectorAll('tr[data-selected]').length === 1").await?;
        reader.press("k").await?;
        reader.enter().await?;
        reader.at("/benchmarks/sample/").await?;
        reader.press("/").await?;
        reader.until("document.activeElement.matches('input[type=search]')").await?;
        reader.press("Geneva").await?;
        reader.enter().await?;
        reader.at("/search?q=Geneva").await?;
        assert!(reader.text("main").await?.contains("Q71"));
        reader.is_well().await
    });
}

#[test]
fn keys_can_be_turned_off() {
    walk(Screen::default(), |reader| async move {
        reader.open("/").await?;
        reader.click("keys").await?;
        reader.appeared("dialog.keys[open]").await?;
        reader.follow("dialog.keys input").await?;
        reader.click("Close").await?;
        reader.press("j").await?;
        // A key that works would have been handled before the script that asks.
        reader.until("!document.querySelector('tr[data-here]')").await?;
        reader.click("keys").await?;
        reader.follow("dialog.keys input").await?;
        reader.click("Close").await?;
        reader.press("j").await?;
        reader.until("document.querySelector('tr[data-here]')").await
    });
}

#[test]
fn two_runs_are_compared_in_words_and_case_by_case() {
    for screen in [Screen::default(), WITHOUT_SCRIPTS] {
        walk(screen, |reader| async move {
            reader.open("/").await?;
            for system in ["popular", "spotter"] {
                reader.follow(&format!("input[name=system][value={system}]")).await?;
            }
            reader.click("Compare selected").await?;
            reader.at("/compare").await?;
            let page = reader.text("main").await?;
            assert!(page.contains("this test set does not decide"), "{page}");
            assert!(
                page.contains("is right about")
                    && page.contains("Documents in which they differ most")
            );
            assert!(page.contains("By the category of the error"));
            assert_eq!(reader.all("figure .roomy svg").await?.len(), 1, "a forest plot");
            reader.open("/compare/popular@sample..spotter@sample").await?;
            reader.follow("ul.sides li.lost a").await?;
            reader.at("group=lost").await?;
            let outcomes = reader.texts("table.cases tbody tr td:first-child").await?;
            assert!(
                !outcomes.is_empty() && outcomes.iter().all(|it| it == "▼ lost"),
                "{outcomes:?}"
            );
            // By part, corrected like the whole.
            reader.open("/compare/popular@sample..spotter@sample?by=type").await?;
            assert!(reader.text("main").await?.contains("Differences on parts"));
            Ok(())
        });
    }
}

#[test]
fn several_runs_are_compared_by_how_many_are_right() {
    walk(Screen::default(), |reader| async move {
        reader.open("/compare/careful@sample..popular@sample..spotter@sample").await?;
        let page = reader.text("main").await?;
        assert!(page.contains("Who beats whom") && page.contains("Average ranks"), "{page}");
        let counts = reader.texts("ul.sides li").await?;
        assert_eq!(counts.len(), 4, "{counts:?}");
        reader.follow("ul.sides li:first-child a").await?;
        reader.at("right=0").await?;
        let right = reader.texts("td[data-label=right]").await?;
        assert!(!right.is_empty() && right.iter().all(|it| it == "0 of 3"), "{right:?}");
        reader.is_well().await
    });
}

#[test]
fn five_runs_are_compared() {
    let mut sample = karat::sample::experiment().expect("the sample can be read");
    for copy in 0..2 {
        let mut run = sample.runs[copy].clone();
        run.name = format!("{} again", run.name);
        sample.runs.push(run);
    }
    walk_over(Workbench::of([sample]), WITHOUT_SCRIPTS, |reader| async move {
        reader.open("/").await?;
        for chosen in reader.all("tbody input[name=system]").await? {
            chosen.click().await?;
        }
        reader.click("Compare selected").await?;
        reader.at("/compare/").await?;
        let counts = reader.texts("ul.sides li").await?;
        assert_eq!(counts.len(), 6, "{counts:?}");
        assert!(counts[0].contains("0 of 5") && counts[5].contains("5 of 5"), "{counts:?}");
        assert_eq!(reader.all(".matrix tbody tr").await?.len(), 5);
        reader.follow("ul.sides li:nth-child(3) a").await?;
        let right = reader.texts("td[data-label=right]").await?;
        assert!(!right.is_empty() && right.iter().all(|it| it == "2 of 5"), "{right:?}");
        Ok(())
    });
}

#[test]
fn runs_on_different_benchmarks_are_refused_with_the_link_that_makes_them_comparable() {
    walk_over(two_benchmarks(), WITHOUT_SCRIPTS, |reader| async move {
        reader.open("/compare/careful@sample..popular@news").await?;
        assert!(reader.text("main").await?.contains("are runs on different benchmarks"));
        reader.click("the same systems on news").await?;
        reader.at("/compare/careful@news..popular@news").await?;
        Ok(())
    });
}

#[test]
fn a_frozen_link_says_whether_anything_has_changed() {
    walk(Screen::default(), |reader| async move {
        reader.open("/runs/careful@sample?show=errors").await?;
        reader.press(".").await?;
        reader.at("key=").await?;
        let frozen = reader.path().await?;
        assert!(frozen.starts_with("/runs/careful@sample@"), "{frozen}");
        assert!(reader.text(".frozen").await?.contains("is as it was"), "{frozen}");
        assert!(reader.text("h1").await?.contains("careful"));
        // What the link was made for is not there: the page says so at its head, and shows what is.
        let digest = frozen.split(['@', '?']).nth(2).unwrap_or_default();
        let other = frozen.replace(digest, "0123456789abcdef");
        reader.open(&other).await?;
        let note = reader.text(".frozen").await?;
        assert!(note.contains("has other content now") && note.contains(digest), "{note}");
        reader.click("What is there now").await?;
        assert_eq!(reader.path().await?, "/runs/careful@sample?show=errors");
        // A board names no run in its path; its key says the same.
        reader.open("/?sort=-system&key=now").await?;
        reader.at("key=").await?;
        assert!(reader.text(".frozen").await?.contains("is as it was"));
        reader.is_well().await
    });
}

#[test]
fn conventions_are_walked_setting_by_setting_to_the_cases() {
    for screen in [Screen::default(), WITHOUT_SCRIPTS] {
        walk(screen, |reader| async move {
            reader.open("/conventions").await?;
            reader.click("careful").await?;
            reader.at("/conventions/careful@sample").await?;
            assert!(reader.text("p.result").await?.contains("points of convention"));
            reader.open("/conventions/careful@sample?from=karat&to=neleval").await?;
            let page = reader.text("main").await?;
            assert!(page.contains("From karat to neleval"), "{page}");
            reader.follow("a[href*='step=']").await?;
            reader.at("step=1").await?;
            assert!(reader.text("#changed").await?.starts_with("What "));
            Ok(())
        });
    }
}

#[test]
fn systems_and_search_lead_everywhere() {
    for screen in [Screen::default(), WITHOUT_SCRIPTS] {
        walk_over(two_benchmarks(), screen, |reader| async move {
            reader.open("/systems").await?;
            reader.click("careful").await?;
            reader.at("/systems/careful").await?;
            let page = reader.text("main").await?;
            assert!(page.contains(".663") && page.contains("news"), "{page}");
            assert!(page.contains("Files say nothing of when a run was made"), "{page}");
            reader.open("/search?q=france").await?;
            let page = reader.text("main").await?;
            assert!(page.contains("Q142") && page.contains("in news"), "{page}");
            reader.open("/search?q=wire&in=documents").await?;
            reader.click("wire-talks").await?;
            reader.at("/benchmarks/sample/1").await?;
            reader.open("/search?q=Q71&in=mentions").await?;
            assert!(reader.text("td[data-label=became]").await?.contains("careful"));
            reader.open("/search?q=nothing-has-this").await?;
            assert!(reader.text("p.result").await?.contains("Nothing has this"));
            Ok(())
        });
    }
}
