//! Walk 1: the board.

use crate::browser::{Screen, walk_over};
use crate::waiting::two_benchmarks;

const WITHOUT_SCRIPTS: Screen = Screen { width: 1440, height: 900, scripts: false, dark: false };

#[test]
fn a_board_is_sorted_filtered_and_grouped_by_its_address() {
    for screen in [Screen::default(), WITHOUT_SCRIPTS] {
        walk_over(two_benchmarks(), screen, |reader| async move {
            reader.open("/").await?;
            let systems = reader.texts("tbody th.who").await?;
            assert_eq!(systems.len(), 4, "{systems:?}");
            // Names upwards, then downwards.
            reader.follow("thead a[href*='sort=system']").await?;
            reader.at("sort=system").await?;
            let mut sorted = systems.clone();
            sorted.sort();
            assert_eq!(reader.texts("tbody th.who").await?, sorted);
            reader.follow("thead a[href*='sort=-system']").await?;
            reader.at("sort=-system").await?;
            sorted.reverse();
            assert_eq!(reader.texts("tbody th.who").await?, sorted);
            // What is missing is last in either direction.
            for sort in ["score@sample", "-score@sample"] {
                reader.open(&format!("/?sort={sort}")).await?;
                let last = reader.texts("tbody th.who").await?.pop();
                assert_eq!(last.as_deref(), Some("old (deprecated)"), "{sort}");
            }
            reader.driver.back().await?;
            reader.at("sort=score@sample").await?;
            reader.driver.refresh().await?;
            assert_eq!(reader.path().await?, "/?sort=score@sample");
            // A regular expression, typed into the form.
            reader.open("/").await?;
            reader.click("filter").await?;
            let field = reader.one("form input[name=system]").await?;
            field.send_keys("~^(care|pop)").await?;
            field.send_keys(thirtyfour::Key::Enter).await?;
            reader.at("system=~").await?;
            assert_eq!(reader.all("tbody th.who").await?.len(), 2);
            assert!(reader.text("div.legend").await?.contains("2 more systems are not shown"));
            reader.follow("ul.chips[aria-label=Filters] a").await?;
            assert_eq!(reader.all("tbody th.who").await?.len(), 4);
            // Only complete rows, without what is deprecated, a row for each run in groups.
            reader.open("/?complete=1").await?;
            assert_eq!(reader.texts("tbody th.who").await?, ["careful", "popular"]);
            reader.open("/?where=-deprecated").await?;
            assert_eq!(reader.all("tbody th.who").await?.len(), 3);
            reader.open("/?group=benchmark").await?;
            let headings = reader.texts("th[scope=rowgroup]").await?;
            assert_eq!(headings, ["sample", "news"]);
            assert_eq!(reader.all("tbody tr[data-row]").await?.len(), 6);
            reader.open("/?group=system").await?;
            assert_eq!(reader.all("th[scope=rowgroup]").await?.len(), 4);
            Ok(())
        });
    }
}

#[test]
fn columns_are_chosen_and_cells_say_why_they_are_empty() {
    walk_over(two_benchmarks(), Screen::default(), |reader| async move {
        reader.open("/").await?;
        reader.click("columns").await?;
        reader.follow("input[name=cols][value=precision]").await?;
        reader
            .one("input[name=cols][value=precision]")
            .await?
            .send_keys(thirtyfour::Key::Enter)
            .await?;
        reader.at("cols=").await?;
        assert!(reader.texts("thead th").await?.contains(&"precision".to_owned()));
        let why = reader.one("td .missing").await?.attr("title").await?;
        assert_eq!(why.as_deref(), Some("no run"));
        assert!(reader.text("div.legend").await?.contains("A dash says why: no run"));
        assert!(reader.text("tbody").await?.contains("(1 of 2)"), "a mean is over all or none");
        // Parts and errors as columns, each cell leading to its cases.
        reader.open("/?by=type&benchmark=sample").await?;
        assert!(reader.texts("thead th").await?.contains(&"PER".to_owned()));
        reader.open("/?by=error&benchmark=sample&cols=score,error=ner_fn.lowercased").await?;
        assert!(reader.texts("thead th").await?.contains(&"ner fn lowercased".to_owned()));
        reader.follow("td a[href*='where=category']").await?;
        reader.at("show=cases").await?;
        assert!(reader.text("caption").await?.contains("in the run"));
        reader.is_well().await
    });
}

#[test]
fn exactly_the_visible_cells_are_copied_in_five_forms() {
    walk_over(two_benchmarks(), Screen::default(), |reader| async move {
        let view = "/?system=careful,popular&benchmark=sample";
        reader.open(view).await?;
        let shown = reader.texts("tbody td.n a").await?;
        assert_eq!(shown, [".663", ".595"]);
        for (form, mark) in [
            ("tsv", "system\trank"),
            ("latex", "\\toprule"),
            ("md", "| system"),
            ("csv", "system,rank"),
            ("json", "\"measure\""),
        ] {
            let copied = reader.fetched(&format!("{view}&format={form}")).await?;
            assert!(copied.contains(mark), "{form}: {copied}");
            assert!(copied.contains("careful") && !copied.contains("spotter"), "{form}: {copied}");
            assert!(copied.contains("0.663"), "{form}: {copied}");
        }
        let latex = reader.fetched(&format!("{view}&format=latex")).await?;
        assert!(latex.contains("0.556") && latex.contains("0.753"), "intervals: {latex}");
        assert!(latex.contains("% karat:"), "the signature: {latex}");
        reader.click("copy").await?;
        assert_eq!(reader.all("a[data-copy]").await?.len(), 5);
        reader.is_well().await
    });
}

#[test]
fn plots_of_a_board_have_their_numbers() {
    walk_over(two_benchmarks(), WITHOUT_SCRIPTS, |reader| async move {
        reader.open("/").await?;
        reader.click("plot").await?;
        assert_eq!(reader.all("figure .roomy svg").await?.len(), 1);
        reader.open("/").await?;
        reader.click("heat map").await?;
        reader.at("plot=heat-map").await?;
        assert_eq!(reader.all("figure .roomy svg").await?.len(), 1);
        reader.click("The numbers").await?;
        assert!(reader.text("figure table").await?.contains("careful"));
        Ok(())
    });
}
