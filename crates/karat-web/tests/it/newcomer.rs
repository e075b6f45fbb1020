//! What somebody finds who has never seen karat, from the first page alone and by obvious words.

use crate::browser::{Screen, walk};

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
