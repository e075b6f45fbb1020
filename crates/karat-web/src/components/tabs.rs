//! Parts of a page that stand behind each other.

use super::frame::link;
use crate::address::{Address, Links};
use maud::{Markup, html};

/// A part of a page with an address of its own.
#[derive(Debug, Clone)]
pub struct Tab {
    /// What it is called.
    pub words: &'static str,
    /// How many things are there, where that is worth saying.
    pub count: Option<usize>,
    /// Where it is.
    pub address: Address,
    /// Whether it is the one that is shown.
    pub is_here: bool,
}

/// The parts of a page, as links: each has an address, so that it can be sent and found again.
pub fn tabs(links: &dyn Links, label: &str, tabs: &[Tab]) -> Markup {
    html! {
        nav.tabs aria-label=(label) {
            ul {
                @for tab in tabs {
                    @let words = html! {
                        (tab.words)
                        @if let Some(count) = tab.count { " " span.soft { (count) } }
                    };
                    li {
                        @if tab.is_here {
                            @match links.href(&tab.address) {
                                Some(href) => a href=(href) aria-current="page" { (words) },
                                None => b { (words) },
                            }
                        } @else {
                            (link(links, &tab.address, &words))
                        }
                    }
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::address::Paths;

    #[test]
    fn tabs_are_links_and_one_is_here() {
        let tab = |words, is_here: bool| Tab {
            words,
            count: is_here.then_some(76),
            address: Address::run("a@b").with("show", words),
            is_here,
        };
        let markup = tabs(&Paths, "Parts", &[tab("errors", true), tab("cases", false)]);
        let markup = markup.into_string();
        assert_eq!(markup.matches("<a href=\"/runs/a@b?show=").count(), 2, "{markup}");
        assert_eq!(markup.matches("aria-current=\"page\"").count(), 1, "{markup}");
        assert!(markup.contains("errors <span class=\"soft\">76</span>"), "{markup}");
    }
}
