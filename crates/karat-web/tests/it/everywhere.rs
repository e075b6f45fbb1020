//! Addresses that together show every page, and every state of the pages of texts and benchmarks.

use karat_web::page::PAGES;

/// Examples of every page with something in its path, on the sample. Pages without come from the list of pages.
const EXAMPLES: &[&str] = &[
    "/numbers/careful@sample?m=link",
    "/compare/spotter@sample..popular@sample",
    "/compare/spotter@sample..popular@sample..careful@sample",
    "/conventions/careful@sample",
    "/benchmarks?groups=text,types,tags&in=share&sort=-figure=mentions",
    "/benchmarks/sample",
    "/benchmarks/sample?list=errors",
    "/benchmarks/sample?show=statistics",
    "/benchmarks/sample?show=statistics&in=share",
    "/benchmarks/sample?show=mentions",
    "/benchmarks/sample?show=mentions&where=type=PER",
    "/benchmarks/sample?show=checks",
    "/benchmarks/sample?show=suspicions",
    "/benchmarks/sample?show=resolution",
    "/benchmarks/sample/1",
    "/benchmarks/sample/1?at=3&marks=errors",
    "/benchmarks/sample/1?lay=columns",
    "/benchmarks/sample/1?lay=lines&marks=lost",
    "/benchmarks/sample/1?runs=none",
    "/benchmarks/sample/3?span=all",
    "/benchmarks/sample/2?list=disagreement",
    "/benchmarks/sample/8?marks=base-form&where=type=PER",
    "/benchmarks/sample/14?marks=type",
    "/runs/careful@sample",
    "/runs/careful@sample?show=slices",
    "/runs/careful@sample?show=errors&beside=popular",
    "/runs/careful@sample?show=cases",
    "/runs/careful@sample?show=cases&group=pair",
    "/runs/careful@sample?show=curves",
    "/systems/careful",
    "/boards/nothing",
    "/help/measure/link",
    "/help/convention/elevant",
    "/help/setting/match",
    "/help/category/metonymy",
    "/help/format/nif",
    "/help/check/white-space",
    "/help/measure",
    "/help/format",
    "/help/check",
    "/help/category",
    "/benchmarks/nothing",
    "/benchmarks/sample/patches/1",
    "/jobs/nothing",
    "/edit/benchmark/sample",
    "/campaigns/nothing",
    "/benchmarks/sample/1?lay=circles",
];

/// All of them.
pub(crate) fn addresses() -> Vec<String> {
    let plain = PAGES.iter().map(|page| page.path()).filter(|path| !path.contains('{'));
    plain.chain(EXAMPLES.iter().copied()).map(str::to_owned).collect()
}

#[test]
fn every_page_has_an_example() {
    for page in PAGES {
        let fits = |address: &String| {
            let path = address.split('?').next().unwrap_or_default();
            let mut parts = path.split('/');
            let is_same = page.path().split('/').all(|wanted| {
                parts.next().is_some_and(|part| wanted.starts_with('{') || wanted == part)
            });
            is_same && parts.next().is_none()
        };
        let path = page.path();
        assert!(
            addresses().iter().any(fits),
            "add an example of {path} to EXAMPLES of everywhere.rs"
        );
    }
}
