//! Every page is HTML that a parser reads without an error, and has nothing that the policy forbids.

use crate::corpora::{hard, hostile, sample};
use crate::everywhere::addresses;
use crate::site::Site;
use html5ever::tendril::TendrilSink;
use html5ever::{ParseOpts, parse_document};
use markup5ever_rcdom::{Handle, NodeData, RcDom};
use std::collections::BTreeSet;

/// What is wrong with a page.
pub(crate) fn problems(page: &str) -> Vec<String> {
    let options = ParseOpts::default();
    let dom = parse_document(RcDom::default(), options).one(page);
    let mut found: Vec<String> = dom.errors.borrow().iter().map(ToString::to_string).collect();
    let mut seen = Seen::default();
    seen.look(&dom.document, &mut found);
    if seen.headings != 1 {
        found.push(format!("{} elements h1", seen.headings));
    }
    for landmark in ["main", "header", "nav"] {
        if !seen.names.contains(landmark) {
            found.push(format!("no element {landmark}"));
        }
    }
    found
}

#[derive(Default)]
struct Seen {
    ids: BTreeSet<String>,
    names: BTreeSet<String>,
    headings: usize,
}

impl Seen {
    fn look(&mut self, node: &Handle, found: &mut Vec<String>) {
        if let NodeData::Element { name, attrs, .. } = &node.data {
            self.names.insert(name.local.to_string());
            self.headings += usize::from(&*name.local == "h1");
            if matches!(&*name.local, "style" | "iframe" | "object" | "embed" | "base") {
                found.push(format!("an element {}", name.local));
            }
            for attribute in attrs.borrow().iter() {
                let (key, value) = (&*attribute.name.local, &*attribute.value);
                if key == "style" || key.starts_with("on") {
                    found.push(format!("an attribute {key}={value}"));
                }
                if key == "id" && !self.ids.insert(value.to_owned()) {
                    found.push(format!("the id {value} twice"));
                }
                let is_loaded = matches!(key, "src" | "srcset" | "poster" | "data");
                if is_loaded && !value.starts_with("/assets/") {
                    found.push(format!("{key}={value} is not ours"));
                }
                if key == "href" && value.to_lowercase().trim_start().starts_with("javascript") {
                    found.push(format!("a link to {value}"));
                }
            }
        }
        // The parser has bounded the depth of elements already.
        for child in node.children.borrow().iter() {
            self.look(child, found);
        }
    }
}

#[test]
fn the_checker_finds_what_is_wrong() {
    let bad = "<!DOCTYPE html><html><head><title>x</title></head><body><header></header><nav></nav><main><h1>a</h1>";
    assert!(problems(&format!("{bad}<p id=a><p id=a onclick=x style=y></b>")).len() >= 4);
    assert_eq!(
        problems(&format!("{bad}<p id=a>text</p></main></body></html>")),
        Vec::<String>::new()
    );
}

#[test]
fn every_page_of_the_sample_is_parsed_without_error() {
    let site = Site::of(sample());
    for address in addresses() {
        let page = site.get(&address);
        assert!(page.status < 500, "{address}: {}", page.status);
        assert_eq!(problems(&page.text()), Vec::<String>::new(), "{address}");
        assert!(page.headers.contains("content-security-policy: default-src 'none'"), "{address}");
    }
}

#[test]
fn texts_that_are_hard_to_draw_are_parsed_without_error() {
    let site = Site::of(hard());
    for number in 1..=4 {
        for view in ["", "?lay=columns", "?lay=lines", "?marks=type", "?at=1", "?runs=none"] {
            let address = format!("/benchmarks/hard/{number}{view}");
            let page = site.get(&address);
            assert_eq!(page.status, 200, "{address}");
            assert_eq!(problems(&page.text()), Vec::<String>::new(), "{address}");
        }
    }
}

#[test]
fn hostile_names_are_text_on_every_page() {
    let site = Site::of(hostile());
    let mut next = vec!["/".to_owned(), "/benchmarks".to_owned(), "/compare".to_owned()];
    let mut seen: BTreeSet<String> = next.iter().cloned().collect();
    let mut kinds: BTreeSet<String> = BTreeSet::new();
    let mut count = 0;
    while let Some(address) = next.pop() {
        count += 1;
        let answered = site.get(&address);
        assert!(answered.status < 500, "{address}: {}", answered.status);
        if !answered.headers.contains("text/html") {
            continue;
        }
        let page = answered.text();
        assert_eq!(problems(&page), Vec::<String>::new(), "{address}");
        for bad in ["<img", "document.title='harm'</script>", "\u{0}", "\u{7}", "\u{1b}"] {
            assert!(!page.contains(bad), "{bad:?} on {address}");
        }
        // One view of each kind of page and of each choice is enough: all of them would be thousands.
        for link in links(&page) {
            let kind = kind_of(&link);
            if count < 150 && kinds.insert(kind) && seen.insert(link.clone()) {
                next.push(link);
            }
        }
    }
    assert!(count > 30, "only {count} pages were found");
}

/// The addresses of our own that a page leads to.
fn links(page: &str) -> Vec<String> {
    let of = page.split(" href=\"").skip(1).filter_map(|rest| rest.split('"').next());
    let ours = of.filter(|link| link.starts_with('/') && !link.starts_with("/assets/"));
    ours.map(|link| link.split('#').next().unwrap_or_default().replace("&amp;", "&")).collect()
}

/// The page and the keys of its query, with the values of those that choose among a few.
fn kind_of(link: &str) -> String {
    let (path, query) = link.split_once('?').unwrap_or((link, ""));
    let parts: Vec<&str> = path.split('/').collect();
    let page = format!("{} {}", parts.get(1).unwrap_or(&""), parts.len());
    let is_choice =
        |key: &str| matches!(key, "show" | "lay" | "marks" | "group" | "format" | "plot");
    let keys = query.split('&').map(|pair| {
        let (key, value) = pair.split_once('=').unwrap_or((pair, ""));
        if is_choice(key) { format!("{key}={value}") } else { key.to_owned() }
    });
    format!("{page} {}", keys.collect::<Vec<_>>().join(" "))
}
