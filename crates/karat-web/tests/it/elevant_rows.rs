//! The rows of ELEVANT's feature list (linker analysis page) that tables and comparisons answer, by number. Those about the
//! annotated text are with the walks through documents.

use crate::browser::{Screen, walk, walk_over};
use crate::waiting::two_benchmarks;
use thirtyfour::Key;

const WITHOUT_SCRIPTS: Screen = Screen { width: 1440, height: 900, scripts: false, dark: false };

/// Unknown entities ignored or required is a setting of the convention, and stands in the address.
#[test]
fn elevant_5_1_row_01_evaluation_mode() {
    walk(WITHOUT_SCRIPTS, |reader| async move {
        reader.open("/?as=elevant").await?;
        let ignored = reader.texts("td.n a").await?;
        reader.open("/").await?;
        reader.click("as karat").await?;
        reader.one("select[name=as]").await?.send_keys("neleval").await?;
        reader.follow(".convention button").await?;
        reader.at("as=neleval").await?;
        assert_ne!(reader.texts("td.n a").await?, ignored);
        Ok(())
    });
}

#[test]
fn elevant_5_1_row_02_result_categories() {
    walk(WITHOUT_SCRIPTS, |reader| async move {
        for (by, label) in [("type", "PER"), ("error", "lowercased"), ("mention-type", "")] {
            reader.open(&format!("/?by={by}")).await?;
            let heads = reader.texts("thead th").await?;
            assert!(heads.iter().any(|head| head.contains(label)), "{by}: {heads:?}");
        }
        Ok(())
    });
}

#[test]
fn elevant_5_1_row_03_group_rows() {
    walk_over(two_benchmarks(), WITHOUT_SCRIPTS, |reader| async move {
        reader.open("/").await?;
        reader.click("group").await?;
        reader.one("select[name=group]").await?.send_keys("benchmark").await?;
        reader.one("select[name=group]").await?.send_keys(Key::Enter).await.ok();
        reader.open("/?group=benchmark").await?;
        assert_eq!(reader.texts("th[scope=rowgroup]").await?, ["sample", "news"]);
        Ok(())
    });
}

#[test]
fn elevant_5_1_row_04_filter_systems_and_benchmarks() {
    walk_over(two_benchmarks(), WITHOUT_SCRIPTS, |reader| async move {
        reader.open("/?system=~^care&benchmark=~new").await?;
        assert_eq!(reader.texts("tbody th.who").await?, ["careful"]);
        assert_eq!(reader.texts("thead th.group.wide a").await?, ["news"]);
        reader.open("/?system=~(").await?;
        assert!(reader.text("main").await?.contains("is no regular expression"));
        Ok(())
    });
}

#[test]
fn elevant_5_1_row_05_deprecated() {
    walk_over(two_benchmarks(), WITHOUT_SCRIPTS, |reader| async move {
        reader.open("/").await?;
        assert!(reader.text("tbody").await?.contains("old (deprecated)"));
        reader.click("filter").await?;
        reader.follow("input[name=where]").await?;
        reader.one(".tools details[open] form").await?;
        reader.open("/?where=-deprecated").await?;
        assert!(!reader.text("tbody").await?.contains("old (deprecated)"));
        Ok(())
    });
}

/// Two levels of headings that stay, a first column that stays, sorting by clicks, dashes last.
#[test]
fn elevant_5_1_row_06_results_table() {
    walk_over(
        two_benchmarks(),
        Screen { width: 700, height: 600, ..Screen::default() },
        |reader| async move {
            reader.open("/?cols=rank,score,interval,group,precision,recall,fn").await?;
            assert_eq!(reader.all("thead tr").await?.len(), 2);
            let stays = "getComputedStyle(document.querySelector('.board thead')).position === 'sticky' && getComputedStyle(document.querySelector('.board tbody .who')).position === 'sticky'";
            reader.until(stays).await?;
            // Of errors the fewest come first.
            reader.follow("thead th a[href*='sort=fn@sample']").await?;
            reader.at("sort=fn@sample").await?;
            let sorted = reader.one("thead th[aria-sort]").await?.attr("aria-sort").await?;
            assert_eq!(sorted.as_deref(), Some("ascending"));
            reader.is_well().await
        },
    );
}

#[test]
fn elevant_5_1_row_07_cell_tooltips() {
    walk(Screen::default(), |reader| async move {
        reader.open("/").await?;
        let number = reader.one("td.n a[data-card]").await?;
        reader.driver.action_chain().move_to_element_center(&number).perform().await?;
        reader.appeared(".card[popover]").await?;
        let card = reader.text(".card[popover]").await?;
        for count in ["tp\n64", "fp\n5", "fn\n60"] {
            assert!(card.contains(count), "{count}: {card}");
        }
        Ok(())
    });
}

/// What a measure or a category is, with an example, one click away.
#[test]
fn elevant_5_1_row_08_header_tooltips() {
    walk(WITHOUT_SCRIPTS, |reader| async move {
        reader.open("/numbers/careful@sample?m=link").await?;
        let page = reader.text("main").await?;
        for heading in ["Definition", "Formula", "Example", "Pitfalls"] {
            assert!(page.contains(heading), "{heading}: {page}");
        }
        reader.open("/runs/careful@sample?show=errors").await?;
        let about = reader.one("table.rates td[title]").await?.attr("title").await?;
        assert!(about.is_some_and(|about| !about.is_empty()));
        Ok(())
    });
}

#[test]
fn elevant_5_1_row_09_system_and_benchmark() {
    walk(WITHOUT_SCRIPTS, |reader| async move {
        reader.open("/systems/careful").await?;
        assert!(reader.text("p.result").await?.contains("careful reaches F1 0.663"));
        reader.open("/benchmarks/sample").await?;
        assert!(reader.text("main").await?.contains("14"));
        Ok(())
    });
}

#[test]
fn elevant_5_1_row_10_cell_click() {
    walk(WITHOUT_SCRIPTS, |reader| async move {
        reader.open("/?by=error").await?;
        reader.follow("td a[href*='where=category=ner_fn.lowercased']").await?;
        reader.at("show=cases").await?;
        let categories = reader.texts("td[data-label=category]").await?;
        assert!(
            !categories.is_empty() && categories.iter().all(|it| it.contains("lowercased")),
            "{categories:?}"
        );
        reader.follow("td.kw a").await?;
        reader.at("at=").await?;
        Ok(())
    });
}

#[test]
fn elevant_5_1_row_11_copy_table() {
    walk(Screen::default(), |reader| async move {
        reader.open("/?cols=score&system=careful").await?;
        let tsv = reader.fetched("/?cols=score&system=careful&format=tsv").await?;
        assert_eq!(tsv.lines().count(), 2, "{tsv}");
        let latex = reader.fetched("/?cols=score&system=careful&format=latex").await?;
        assert!(latex.contains("\\begin{tabular}") && latex.contains("careful"), "{latex}");
        Ok(())
    });
}

#[test]
fn elevant_5_1_row_12_graph() {
    walk_over(two_benchmarks(), WITHOUT_SCRIPTS, |reader| async move {
        reader.open("/?plot=heat-map").await?;
        let plot = reader.one("figure svg").await?;
        assert!(plot.text().await?.contains("careful"));
        // What is missing is hatched or left out, never 0.
        assert!(!reader.texts("figure svg text").await?.contains(&"0.000".to_owned()));
        Ok(())
    });
}

/// A graph can be taken along as a drawing and as pixels, its numbers as a table.
#[test]
fn elevant_5_1_row_12_graph_downloads() {
    walk_over(two_benchmarks(), Screen::default(), |reader| async move {
        reader.open("/?plot=forest").await?;
        assert_eq!(
            reader.texts("figure .downloads button").await?,
            ["download SVG", "download PNG"]
        );
        // What a button makes is caught on its way to the disk.
        let catching = "window.made = []; const make = URL.createObjectURL; URL.createObjectURL = (file) => { window.made.push(file.type + ' ' + file.size); return make.call(URL, file); };";
        reader.driver.execute(catching, Vec::new()).await?;
        reader.click("download PNG").await?;
        reader.until("window.made.some((file) => file.startsWith('image/png') && Number(file.split(' ')[1]) > 2000)").await?;
        reader.is_well().await
    });
}

#[test]
fn elevant_5_1_row_17_compare_systems() {
    walk(WITHOUT_SCRIPTS, |reader| async move {
        reader.open("/compare/careful@sample..popular@sample..spotter@sample").await?;
        assert!(reader.texts("thead th").await?.contains(&"spotter".to_owned()), "more than two");
        reader.open("/compare/popular@sample..spotter@sample?group=lost").await?;
        reader.follow("table.cases tbody td a").await?;
        reader.at("runs=popular,spotter").await?;
        Ok(())
    });
}

/// Everything a reader sees is in the address, and nothing else is accepted there.
#[test]
fn elevant_5_1_row_20_url_state() {
    walk_over(two_benchmarks(), WITHOUT_SCRIPTS, |reader| async move {
        let view = "/?m=mention&as=neleval&system=careful,popular&benchmark=sample&sort=-system&cols=score,fn";
        reader.open(view).await?;
        let shown = reader.text("table").await?;
        assert!(shown.contains("mention") && !shown.contains("news"));
        reader.open("/").await?;
        reader.driver.back().await?;
        assert_eq!(reader.text("table").await?, shown);
        reader.open("/?sytem=careful").await?;
        assert!(reader.text("main").await?.contains("did you mean system?"));
        Ok(())
    });
}

/// What ELEVANT has in `config.json` is a view of the board, chosen when the server is started: the order of benchmarks,
/// the columns, whether deprecated systems are shown, and the plot.
#[test]
fn elevant_5_1_row_21_settings_of_an_instance() {
    let front = "benchmark=news,sample&where=-deprecated&cols=score,fn&plot=heat-map";
    let workbench = two_benchmarks().with_front(front).expect("a view of a board");
    walk_over(workbench, WITHOUT_SCRIPTS, |reader| async move {
        reader.open("/").await?;
        assert_eq!(reader.texts("thead th.group.wide a").await?, ["news", "sample"]);
        assert!(!reader.text("tbody").await?.contains("deprecated"));
        assert!(reader.texts("thead th").await?.contains(&"fn".to_owned()));
        reader.one("figure.plot svg").await?;
        // What was chosen can be taken back, and an address that asks for something is answered as it is.
        assert!(reader.texts("ul.chips a").await?.iter().any(|chip| chip.contains("-deprecated")));
        reader.open("/?m=link").await?;
        assert!(reader.text("tbody").await?.contains("deprecated"));
        Ok(())
    });
    let wrong = two_benchmarks().with_front("benchmrk=news").expect_err("no such key");
    assert!(wrong.to_string().contains("benchmrk"), "{wrong}");
}

/// Every row of the list has a test that is named after it.
#[test]
fn elevant_5_1_no_row_is_missing() {
    let tests = [include_str!("elevant_rows.rs"), include_str!("elevant_text.rs")].concat();
    for row in 1..=21 {
        assert!(tests.contains(&format!("row_{row:02}_")), "row {row} has no test");
    }
}
