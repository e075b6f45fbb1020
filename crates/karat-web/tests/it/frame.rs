//! What every page has.

use crate::browser::{Screen, walk};

#[test]
fn the_first_page_is_a_board_with_every_system() {
    walk(Screen::default(), |reader| async move {
        reader.open("/").await?;
        let rows = reader.all("tbody tr").await?;
        assert_eq!(rows.len(), 3);
        assert_eq!(reader.all("h1").await?.len(), 1);
        assert_eq!(reader.troubles().await?, Vec::<String>::new());
        reader.picture("board").await?;
        Ok(())
    });
}

#[test]
fn pages_work_without_scripts() {
    walk(Screen { scripts: false, ..Screen::default() }, |reader| async move {
        reader.open("/?as=neleval").await?;
        assert_eq!(reader.all("tbody tr").await?.len(), 3);
        reader.follow("button[value=dark]").await?;
        // The form is sent, and the page that answers it takes a moment.
        reader.appeared("html[data-look=dark]").await?;
        assert_eq!(reader.path().await?, "/?as=neleval", "back to the same page");
        Ok(())
    });
}

#[test]
fn a_key_that_a_page_does_not_have_is_named() {
    walk(Screen::default(), |reader| async move {
        reader.open("/?az=neleval").await?;
        assert!(reader.text("main").await?.contains("its keys are m, as"));
        Ok(())
    });
}
