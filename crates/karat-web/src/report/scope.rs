//! Makes a page a part of a longer page.

use maud::html;

/// The markup of a page as a part of another: every id, and every link to an id on the page, gets a prefix, and headings
/// go one level down. Lists of links and sections that have a name get the title of the page added to it, because
/// several pages have one of the same name. Links that already name a place in the whole (`#/...`) stay.
///
/// This looks at tags only. Markup comes from our own components, which escape `<`, `>` and quotes in everything that is
/// from data, so a quote in it always ends or begins an attribute.
pub(super) fn scoped(markup: &str, prefix: &str, title: &str) -> String {
    let scope = Scope { prefix, title: html! { (title) }.into_string() };
    let mut text = String::with_capacity(markup.len() + markup.len() / 8);
    let mut rest = markup;
    while let Some(start) = rest.find('<') {
        let (before, from) = rest.split_at(start);
        text.push_str(before);
        let end = end_of_tag(from);
        scope.write_tag(&from[..end], &mut text);
        rest = &from[end..];
    }
    text.push_str(rest);
    text
}

/// Where a tag ends; a `>` in quotes does not end it.
fn end_of_tag(text: &str) -> usize {
    let mut quoted = false;
    for (at, byte) in text.bytes().enumerate() {
        match byte {
            b'"' => quoted = !quoted,
            b'>' if !quoted => return at + 1,
            _ => {}
        }
    }
    text.len()
}

/// Attributes that hold ids.
const IDS: [&str; 7] =
    ["id", "for", "list", "form", "aria-labelledby", "aria-controls", "aria-describedby"];

/// What is put into tags.
struct Scope<'s> {
    prefix: &'s str,
    /// The title of the page, escaped.
    title: String,
}

impl Scope<'_> {
    fn write_tag(&self, tag: &str, text: &mut String) {
        let Scope { prefix, title } = self;
        let is_landmark = tag.starts_with("<nav ") || tag.starts_with("<section ");
        let mut rest = tag;
        if let Some(lowered) = lowered(tag) {
            text.push_str(lowered);
            rest = &tag[lowered.len()..];
        }
        while let Some(at) = rest.find("=\"") {
            let (before, after) = rest.split_at(at + 2);
            text.push_str(before);
            let name = before[..at].rsplit(char::is_whitespace).next().unwrap_or_default();
            let value_end = after.find('"').unwrap_or(after.len());
            let (value, remaining) = after.split_at(value_end);
            match (name, value.strip_prefix('#')) {
                (name, _) if IDS.contains(&name) => {
                    let ids: Vec<String> =
                        value.split_whitespace().map(|id| format!("{prefix}{id}")).collect();
                    text.push_str(&ids.join(" "));
                }
                ("href", Some(id)) if !id.starts_with('/') => {
                    text.push('#');
                    text.push_str(prefix);
                    text.push_str(id);
                }
                ("aria-label", _) if is_landmark => {
                    text.push_str(value);
                    text.push_str(", ");
                    text.push_str(title);
                }
                _ => text.push_str(value),
            }
            // With the closing quote, so that it does not look like the next opening one.
            let closing = remaining.len().min(1);
            text.push_str(&remaining[..closing]);
            rest = &remaining[closing..];
        }
        text.push_str(rest);
    }
}

/// The start of the tag of a heading one level down, if it is one.
fn lowered(tag: &str) -> Option<&'static str> {
    const HEADINGS: [(&str, &str); 8] = [
        ("<h1", "<h2"),
        ("<h2", "<h3"),
        ("<h3", "<h4"),
        ("<h4", "<h5"),
        ("</h1", "</h2"),
        ("</h2", "</h3"),
        ("</h3", "</h4"),
        ("</h4", "</h5"),
    ];
    let is_it = |heading: &str| {
        let after = tag.strip_prefix(heading);
        after.is_some_and(|after| after.starts_with(['>', ' ']))
    };
    HEADINGS.iter().find(|(heading, _)| is_it(heading)).map(|(_, lower)| *lower)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_and_links_to_them_get_a_prefix() {
        let page = r##"<h1 id="a">x &quot;id="</h1><a class="k" href="#c1" id="t1">●</a><a href="#/runs/a">r</a><a href="https://x/#c1">y</a>"##;
        assert_eq!(
            scoped(page, "/d/3/", "x"),
            r##"<h2 id="/d/3/a">x &quot;id="</h2><a class="k" href="#/d/3/c1" id="/d/3/t1">●</a><a href="#/runs/a">r</a><a href="https://x/#c1">y</a>"##
        );
    }

    #[test]
    fn data_in_attributes_is_left_as_it_is() {
        let page = r##"<span title="a > id=b <h1" data-c="1 2">t</span><label for="f">l</label>"##;
        assert_eq!(
            scoped(page, "p-", "x"),
            r##"<span title="a > id=b <h1" data-c="1 2">t</span><label for="p-f">l</label>"##
        );
        let list = r##"<nav class="tabs" aria-label="Parts"><a aria-label="b">c</a></nav>"##;
        let named =
            r##"<nav class="tabs" aria-label="Parts, &lt;x&gt;"><a aria-label="b">c</a></nav>"##;
        assert_eq!(scoped(list, "p-", "<x>"), named);
        for odd in ["", "<", "<h1", "text only", "<a href=\"", "<a b=\"c"] {
            assert_eq!(scoped(odd, "p-", "x"), odd);
        }
    }
}
