//! What changed in a shared evaluation, as an Atom feed (RFC 4287).

use super::links::file_of;
use crate::address::{Address, encoded, slug};
use karat::shared::{FeedEntry, SharedResults};
use maud::{Markup, PreEscaped, html};

/// How many entries a feed has.
const ENTRIES: usize = 100;

/// The feed. Its dates are those of the files, so that the same folder has the same feed.
pub(super) fn feed(results: &SharedResults) -> String {
    let updated = results.entries.first().map_or("1970-01-01", |entry| entry.date.as_str());
    // Elements of Atom are written as those of HTML are: maud escapes their text, and closes them all.
    let markup = html! {
        (PreEscaped("<?xml version=\"1.0\" encoding=\"utf-8\"?>\n"))
        feed xmlns="http://www.w3.org/2005/Atom" {
            id { "urn:karat:evaluation:" (encoded(&results.title)) }
            title { (plain(&results.title)) }
            author { name { (plain(&results.title)) } }
            updated { (updated) "T00:00:00Z" }
            @for entry in results.entries.iter().take(ENTRIES) { (shown(entry)) }
        }
    };
    markup.into_string() + "\n"
}

fn shown(entry: &FeedEntry) -> Markup {
    let benchmark = slug(&entry.benchmark);
    let address = match &entry.system {
        Some(system) => Address::run(&format!("{}@{benchmark}", slug(system))),
        None => Address::benchmark(&benchmark),
    };
    let parts: Vec<String> = file_of(address.parts()).split('/').map(encoded).collect();
    // An element without content is one tag here, which maud would write as HTML does.
    let link = format!("<link href=\"{}\"/>", parts.join("/"));
    html! {
        entry {
            id { (encoded(&entry.id)) }
            title { (plain(&entry.title)) }
            updated { (entry.date) "T00:00:00Z" }
            (PreEscaped(link))
            summary { (plain(&entry.summary)) }
        }
    }
}

/// Text without what XML forbids.
fn plain(text: &str) -> String {
    crate::components::name::shown(text)
}
