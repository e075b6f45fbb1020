//! Walk 5: reading texts.

use crate::browser::{Screen, walk, walk_over};
use crate::corpora::hard;

#[test]
fn nested_crossing_and_adjacent_mentions_are_flat_segments_of_an_unchanged_text() {
    walk_over(hard(), Screen::default(), |reader| async move {
        reader.visit("/benchmarks/hard/1?marks=none").await?;
        let text = reader.value("document.querySelector('[data-text]').textContent").await?;
        assert_eq!(
            text,
            "Bank of England Museum in London. It opened; it <script>alert(1)</script> closed."
        );
        assert_eq!(
            reader.value("document.querySelectorAll('[data-text] .s .s').length").await?,
            "0"
        );
        // Crossing and nested: `England` belongs to four mentions.
        let cases = "[...document.querySelectorAll('[data-text] .s')].filter((it) => it.textContent.trim() === 'England').map((it) => it.dataset.c.split(' ').length).join()";
        assert_eq!(reader.value(cases).await?, "4");
        reader.visit("/benchmarks/hard/1").await?;
        assert!(reader.text(".reading").await?.contains("too deeply nested"), "the fourth is told");
        assert_eq!(
            reader.value("document.querySelectorAll('[data-text] script').length").await?,
            "0"
        );
        Ok(())
    });
}

#[test]
fn a_click_selects_the_inner_mention_then_the_outer_and_its_note() {
    walk_over(hard(), Screen::default(), |reader| async move {
        reader.visit("/benchmarks/hard/1").await?;
        let england = "[...document.querySelectorAll('[data-text] .s')].find((it) => it.textContent.trim() === 'England')";
        reader.value(&format!("{england}.click()")).await?;
        reader.until("document.querySelector('.e.on b')?.textContent === 'England'").await?;
        reader.until("new URL(location.href).searchParams.has('at')").await?;
        reader.value(&format!("{england}.click()")).await?;
        reader.until("document.querySelector('.e.on b')?.textContent !== 'England'").await?;
        // The other way round: a note leads to its place in the text.
        reader.value("document.querySelector('#c1 a.no').click()").await?;
        reader.until("document.querySelector('#t1').classList.contains('on')").await?;
        reader.visit("/benchmarks/hard/1?at=26-32").await?;
        assert_eq!(reader.text(".e.on b").await?, "London", "an address selects by place");
        Ok(())
    });
}

#[test]
fn other_readings_nil_and_optional_mentions_are_told() {
    walk_over(hard(), Screen::default(), |reader| async move {
        reader.visit("/benchmarks/hard/2").await?;
        let notes = reader.text(".notes").await?;
        for words in ["reading 1: New York Q60 and Times Q11", "NIL", "a link instead of NIL"] {
            assert!(notes.contains(words), "{words} in {notes}");
        }
        // An id that would run is text, and one of Wikidata is a link.
        assert_eq!(
            reader.value("document.querySelectorAll('a[href^=javascript]').length").await?,
            "0"
        );
        let outside = "[...document.querySelectorAll('.notes a[rel=noreferrer]')].every((it) => it.protocol === 'https:' || it.protocol === 'http:')";
        assert_eq!(reader.value(outside).await?, "true");
        reader.visit("/benchmarks/hard/1").await?;
        assert!(reader.text(".notes").await?.contains("not counted"), "optional mentions say so");
        assert!(reader.all("[data-text] .s[class*=' g1o']").await?.len() == 1, "and are dotted");
        Ok(())
    });
}

#[test]
fn selecting_a_mention_lights_its_chain() {
    walk_over(hard(), Screen::default(), |reader| async move {
        reader.visit("/benchmarks/hard/1").await?;
        let it = "[...document.querySelectorAll('[data-text] .s')].find((it) => it.textContent === 'It')";
        reader.value(&format!("{it}.click()")).await?;
        reader.until("[...document.querySelectorAll('[data-text] .s.ch')].some((it) => it.textContent === 'it')").await?;
        assert!(reader.text(".e.on").await?.contains("the same entity:"));
        Ok(())
    });
}

#[test]
fn arabic_emoji_and_combining_marks_stay_whole() {
    walk_over(hard(), Screen::default(), |reader| async move {
        reader.visit("/benchmarks/hard/3?marks=none").await?;
        let direction = "getComputedStyle(document.querySelector('[data-text] .b')).direction";
        assert_eq!(reader.value("document.querySelector('[data-text] .b').dir").await?, "auto");
        assert_eq!(reader.value(direction).await?, "rtl");
        assert_eq!(reader.value("document.querySelector('[data-text] .b').lang").await?, "ar");
        let segments = "[...document.querySelectorAll('[data-text] .s')].map((it) => it.textContent).join('|')";
        let segments = reader.value(segments).await?;
        assert!(segments.contains("محمد|القاهرة|🙂|e\u{301}|東京|タワー"), "{segments}");
        assert!(reader.text(".reading").await?.contains("inside a character"), "and it is told");
        // Painting never changes the width of a text.
        let width = "(() => { const block = document.querySelector('[data-text] .b'); const range = document.createRange(); range.selectNodeContents(block); const painted = range.getBoundingClientRect().width; const plain = block.cloneNode(); plain.textContent = block.textContent; block.after(plain); range.selectNodeContents(plain); return Math.abs(painted - range.getBoundingClientRect().width) < 1; })()";
        assert_eq!(reader.value(width).await?, "true");
        Ok(())
    });
}

#[test]
fn a_document_without_text_is_a_list_of_mentions() {
    walk_over(hard(), Screen { scripts: false, ..Screen::default() }, |reader| async move {
        reader.open("/benchmarks/hard/4").await?;
        assert!(reader.text(".reading").await?.contains("This document has no text"));
        assert_eq!(reader.all(".lines tbody tr").await?.len(), 2);
        Ok(())
    });
}

#[test]
fn keys_go_through_errors_documents_and_layers() {
    walk(Screen::default(), |reader| async move {
        reader.visit("/benchmarks/sample/1").await?;
        reader.press("n").await?;
        reader.until("document.activeElement.matches('a.k[data-e].on')").await?;
        let first = reader.value("document.activeElement.id").await?;
        reader.press("n").await?;
        reader.until(&format!("document.activeElement.matches('a.k[data-e].on') && document.activeElement.id !== '{first}'")).await?;
        reader.press("p").await?;
        reader.until(&format!("document.activeElement.id === '{first}'")).await?;
        reader.press("l").await?;
        reader.until("document.querySelector('#legend').open").await?;
        reader.press("2").await?;
        reader.until("location.search.includes('runs=spotter,popular') || location.search.includes('runs=')").await?;
        reader.until("document.readyState === 'complete' && document.querySelectorAll('.layers .off').length === 1").await?;
        reader.press("2").await?;
        reader.until("document.readyState === 'complete' && document.querySelectorAll('.layers .off').length === 0").await?;
        reader.press("]").await?;
        reader.until("location.pathname.endsWith('/2')").await?;
        reader.until("document.readyState === 'complete'").await?;
        reader.press("[").await?;
        reader.until("location.pathname.endsWith('/1')").await?;
        Ok(())
    });
}

#[test]
fn layers_stand_in_columns_or_lines_and_without_scripts() {
    walk(Screen { scripts: false, ..Screen::default() }, |reader| async move {
        reader.open("/benchmarks/sample/1").await?;
        reader.follow("a[href*='lay=columns']").await?;
        assert_eq!(reader.all(".column").await?.len(), 3);
        let first = reader.text(".column:nth-child(1) [data-text]").await?;
        assert!(first.starts_with("Geneva"), "{first}");
        reader.follow("a[href*='lay=lines']").await?;
        let rows = reader.all(".lines tbody tr").await?.len();
        reader.follow("a[href*='marks=errors']").await?;
        let errors = reader.all(".lines tbody tr").await?.len();
        assert!(0 < errors && errors < rows, "{errors} of {rows}");
        reader.open("/benchmarks/sample/1?runs=careful,popular&marks=lost").await?;
        let lost = reader.all("[data-text] a.k").await?.len();
        reader.open("/benchmarks/sample/1?runs=careful,popular").await?;
        assert!(lost < reader.all("[data-text] a.k").await?.len());
        // A marker leads to its note by itself.
        reader.follow("a.k[href='#c3']").await?;
        assert!(reader.path().await?.ends_with("#c3"));
        Ok(())
    });
}

#[test]
fn long_apparatus_follows_the_reader() {
    let mut gold = String::from("{\"document\":\"long\",\"text\":\"");
    gold.push_str(&"Name is here, ".repeat(1000));
    gold.push_str("\",\"annotations\":[");
    let mentions: Vec<String> = (0..1000)
        .map(|at| format!("{{\"span\":[{},{}],\"link\":\"Q{}\"}}", at * 14, at * 14 + 4, at + 1))
        .collect();
    gold.push_str(&mentions.join(","));
    gold.push_str("]}\n");
    let experiment = crate::corpora::experiment("long", &gold, &[("one", &gold)]);
    walk_over(
        karat_web::workbench::Workbench::of([experiment]),
        Screen::default(),
        |reader| async move {
            reader.visit("/benchmarks/long/1").await?;
            assert_eq!(reader.all(".app > .e").await?.len(), 100, "the first hundred notes");
            reader.value("document.querySelector('#t900').scrollIntoView()").await?;
            reader.until("document.querySelector('#c900')").await?;
            assert_eq!(reader.all(".app > .e").await?.len(), 100);
            reader.value("document.querySelector('#t300').click()").await?;
            reader.until("document.querySelector('#c300.on')").await?;
            assert_eq!(reader.troubles().await?, Vec::<String>::new());
            Ok(())
        },
    );
}
