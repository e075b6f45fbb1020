//! What somebody finds who has never seen karat, from the first page alone and by obvious words.

use crate::browser::{Screen, walk};

#[test]
fn the_first_page_says_what_this_is_and_what_to_do_next() {
    walk(Screen::default(), |reader| async move {
        reader.open("/").await?;
        let page = reader.text(".welcome").await?;
        assert!(page.contains("karat measures entity linking"), "{page}");
        let steps = reader.texts(".next a").await?;
        assert!(steps.contains(&"Get the table as LaTeX".to_owned()), "{steps:?}");
        for step in steps.iter().filter(|step| !step.contains("LaTeX")) {
            reader.open("/").await?;
            reader.click(step).await?;
            reader.until("location.pathname !== '/'").await?;
            reader.appeared(".result").await?;
            let heading = reader.text("h1").await?;
            assert!(
                !heading.contains("Nothing") && !heading.contains("cannot"),
                "{step}: {heading}"
            );
            reader.is_well().await?;
        }
        let latex = reader.fetched("/?format=latex").await?;
        assert!(latex.contains("\\toprule") && latex.contains("0.556"), "{latex}");
        // Whoever has chosen a view is not told again.
        reader.open("/?m=mention").await?;
        assert!(reader.all(".welcome").await?.is_empty());
        Ok(())
    });
}

/// Every page leads to help, and every word of it to a definition.
#[test]
fn help_is_one_click_away_everywhere() {
    walk(Screen::default(), |reader| async move {
        reader.open("/runs/careful@sample").await?;
        reader.click("Help").await?;
        reader.at("/help").await?;
        let page = reader.text("main").await?;
        for word in ["mention", "NIL", "link F1", "95 %", "group a, b", "frozen link"] {
            assert!(page.contains(word), "{word}: {page}");
        }
        reader.click("Measures").await?;
        reader.at("/help/measure").await?;
        reader.is_well().await
    });
}

/// What is not there says what to do instead.
#[test]
fn error_pages_lead_on() {
    walk(Screen::default(), |reader| async move {
        for (address, said) in [
            ("/benchmarks/sampel", "Did you mean sample?"),
            ("/?sorrt=x", "did you mean sort?"),
            ("/upload", "keeps nothing"),
            ("/benchmarks/sample?show=editions", "has one edition"),
        ] {
            reader.visit(address).await?;
            let page = reader.text("main").await?;
            assert!(page.contains(said) && page.contains("Go on with:"), "{address}: {page}");
        }
        reader.follow("main .pages a").await?;
        reader.appeared(".welcome").await?;
        Ok(())
    });
}

#[test]
fn why_popular_beats_spotter_is_two_clicks_away() {
    walk(Screen::default(), |reader| async move {
        reader.open("/").await?;
        for system in ["popular", "spotter"] {
            reader.follow(&format!("input[name=system][value={system}]")).await?;
        }
        reader.click("Compare selected").await?;
        reader.at("/compare/").await?;
        let page = reader.text("main").await?;
        assert!(page.contains("points higher") || page.contains("points lower"), "{page}");
        assert!(page.contains("precision (") && page.contains("recall ("), "{page}");
        assert!(page.contains("of its answers are"), "the reason in words: {page}");
        reader.picture("newcomer-why").await
    });
}

#[test]
fn the_ten_worst_confusions_are_two_clicks_away() {
    walk(Screen::default(), |reader| async move {
        reader.open("/").await?;
        reader.click("popular").await?;
        reader.at("/runs/popular@sample").await?;
        reader.click("errors").await?;
        reader.at("show=errors").await?;
        let confusions = reader.all("[aria-label='Worst confusions'] tbody tr").await?;
        assert_eq!(confusions.len(), 10);
        assert!(confusions[0].text().await?.contains("→"));
        reader.follow("[aria-label='Worst confusions'] tbody a").await?;
        reader.at("show=cases").await
    });
}

#[test]
fn a_latex_table_with_intervals_is_two_clicks_away() {
    walk(Screen::default(), |reader| async move {
        reader.open("/").await?;
        reader.click("copy").await?;
        let link = reader.one("a[data-copy=latex]").await?;
        assert_eq!(link.text().await?, "LaTeX, for a paper");
        let address = link.attr("href").await?.unwrap_or_default();
        let latex = reader.fetched(&address).await?;
        assert!(
            latex.contains("\\toprule") && latex.contains("0.556") && latex.contains("0.753"),
            "{latex}"
        );
        reader.is_well().await
    });
}
