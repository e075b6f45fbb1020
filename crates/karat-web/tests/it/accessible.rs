//! Every page and state with axe, light and dark: no violation; and what axe cannot see.

use crate::browser::{Screen, walk, walk_over};
use crate::corpora::{bulky, hard, hostile, huge};
use crate::everywhere::addresses;

#[test]
fn axe_finds_nothing_on_any_page() {
    walk(Screen::default(), |reader| async move {
        let mut found = Vec::new();
        reader.visit("/help/check").await?;
        for look in ["light", "dark"] {
            reader.look(look).await?;
            for address in addresses() {
                reader.visit(&address).await?;
                for violation in reader.violations().await? {
                    found.push(format!("{look} {address}: {violation}"));
                }
                for trouble in reader.troubles().await? {
                    found.push(format!("{look} {address}: {trouble}"));
                }
                for host in reader.hosts().await?.into_iter().filter(|host| *host != reader.site) {
                    found.push(format!("{address} asks {host}"));
                }
            }
        }
        assert!(found.is_empty(), "{}", found.join("\n"));
        Ok(())
    });
}

#[test]
fn axe_finds_nothing_on_texts_that_are_hard_to_draw() {
    walk_over(hard(), Screen::default(), |reader| async move {
        for number in 1..=4 {
            for view in ["", "?lay=columns", "?lay=lines"] {
                reader.visit(&format!("/benchmarks/hard/{number}{view}")).await?;
                assert_eq!(reader.violations().await?, Vec::<String>::new(), "{number}{view}");
            }
        }
        Ok(())
    });
}

#[test]
fn axe_finds_nothing_while_a_card_is_open() {
    walk(Screen::default(), |reader| async move {
        reader.visit("/benchmarks/sample/1").await?;
        reader.press("n").await?;
        reader.until("document.querySelector('.card')?.matches(':popover-open')").await?;
        assert_eq!(reader.violations().await?, Vec::<String>::new());
        Ok(())
    });
}

#[test]
fn markers_have_names_and_the_focus_goes_through_the_text_in_order() {
    walk(Screen::default(), |reader| async move {
        reader.visit("/benchmarks/sample/1").await?;
        let unnamed = "[...document.querySelectorAll('a.k')].filter((it) => !it.getAttribute('aria-label')?.includes(': ')).length";
        assert_eq!(reader.value(unnamed).await?, "0");
        // Numbers of cases grow in the order of the text, so the focus does not jump back.
        let order = "[...document.querySelectorAll('a.k[id]')].map((it) => it.id).join(' ')";
        let by_place = "[...document.querySelectorAll('a.k[id]')].sort((a, b) => { const [p, q] = [a, b].map((it) => it.getBoundingClientRect()); return Math.abs(p.top - q.top) > 8 ? p.top - q.top : p.left - q.left; }).map((it) => it.id).join(' ')";
        assert_eq!(reader.value(order).await?, reader.value(by_place).await?);
        Ok(())
    });
}

#[test]
fn hostile_names_do_no_harm_in_a_browser() {
    walk_over(hostile(), Screen::default(), |reader| async move {
        reader.visit("/benchmarks").await?;
        let documents =
            reader.value("document.querySelector('tbody th a').getAttribute('href')").await?;
        for address in [
            "/",
            "/benchmarks",
            &documents,
            &format!("{documents}/1"),
            &format!("{documents}/1?lay=columns"),
            &format!("{documents}?show=mentions"),
            &format!("{documents}?show=statistics"),
        ] {
            reader.visit(address).await?;
            assert_ne!(reader.driver.title().await?, "harm", "{address}");
            assert_eq!(reader.troubles().await?, Vec::<String>::new(), "{address}");
            let elements = "document.querySelectorAll('main script, main img, main style, main iframe').length";
            assert_eq!(reader.value(elements).await?, "0", "{address}");
            let hosts = reader.hosts().await?;
            assert!(hosts.iter().all(|host| *host == reader.site), "{address}: {hosts:?}");
        }
        Ok(())
    });
}

/// The addresses at which a corpus of extreme sizes is looked at.
fn extreme(benchmark: &str) -> Vec<String> {
    let of_benchmark = ["", "?show=mentions", "?show=statistics", "/1", "/1?lay=lines", "/1?at=1"];
    let of_run = ["?show=cases", "?show=errors", "?show=cases&group=pair"];
    let of_benchmark = of_benchmark.map(|view| format!("/benchmarks/{benchmark}{view}"));
    let of_run = of_run.map(|view| format!("/runs/plain@{benchmark}{view}"));
    let others = ["/", "/benchmarks", "/systems", "/search?q=ten"].map(str::to_owned);
    others.into_iter().chain(of_benchmark).chain(of_run).collect()
}

/// The page answers a script while somebody looks at it, nothing was forbidden, and nothing became markup.
async fn stays_alive(reader: &crate::browser::Reader, address: &str) -> crate::browser::Walked {
    reader.visit(address).await?;
    let begun = std::time::Instant::now();
    reader.value("scrollTo(0, document.body.scrollHeight)").await?;
    reader.press("n").await?;
    reader.press("j").await?;
    reader.value("new Promise((done) => requestAnimationFrame(done))").await?;
    let took = begun.elapsed();
    // Two keys, a scroll and a frame on a machine that has much else to do; a tab that is frozen takes for ever.
    assert!(took < std::time::Duration::from_secs(20), "{address} is frozen for {took:?}");
    assert_eq!(reader.troubles().await?, Vec::<String>::new(), "{address}");
    let markup = "[...document.querySelectorAll('main b')].filter((it) => it.textContent === 'ten million').length";
    assert_eq!(reader.value(markup).await?, "0", "{address}");
    Ok(())
}

#[test]
fn lines_of_ten_million_bytes_in_every_field_freeze_no_tab() {
    walk_over(bulky(), Screen::default(), |reader| async move {
        for address in extreme("bulky") {
            stays_alive(&reader, &address).await?;
            let bytes: usize =
                reader.value("document.documentElement.outerHTML.length").await?.parse()?;
            assert!(bytes < 4_000_000, "{address}: {bytes} characters");
        }
        Ok(())
    });
}

#[test]
fn a_hundred_thousand_nested_mentions_freeze_no_tab() {
    walk_over(huge(), Screen::default(), |reader| async move {
        stays_alive(&reader, "/benchmarks/huge/1?at=50000&runs=a").await
    });
}
