//! Addresses of pages, and how they become links.

use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};
use std::borrow::Cow;
use std::fmt::Write;

/// What stands in a part of a path or of a query as it is.
const PLAIN: &AsciiSet = &NON_ALPHANUMERIC
    .remove(b'-')
    .remove(b'.')
    .remove(b'_')
    .remove(b'~')
    .remove(b'@')
    .remove(b',')
    .remove(b':')
    .remove(b';')
    .remove(b'=');

/// What stands in the value of a query: a `=` ends nothing there, but `;` and `,` are for us.
const VALUE: &AsciiSet = PLAIN;

/// The address of a page: the path names the object, the query the view.
///
/// Equal views have equal addresses: a key is written once, in the order in which it was first set, and a value that is
/// the default is left out by the page that makes the address.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Address {
    path: Vec<String>,
    query: Vec<(&'static str, String)>,
    fragment: Option<String>,
}

impl Address {
    fn of<'s>(path: impl IntoIterator<Item = &'s str>) -> Address {
        let path = path.into_iter().map(str::to_owned).collect();
        Address { path, ..Address::default() }
    }

    /// The board of everything.
    pub fn board() -> Address {
        Address::default()
    }

    /// All benchmarks.
    pub fn benchmarks() -> Address {
        Address::of(["benchmarks"])
    }

    /// A benchmark.
    pub fn benchmark(slug: &str) -> Address {
        Address::of(["benchmarks", slug])
    }

    /// A document of a benchmark, counted from 1.
    pub fn document(slug: &str, number: usize) -> Address {
        Address::of(["benchmarks", slug, &number.to_string()])
    }

    /// All systems.
    pub fn systems() -> Address {
        Address::of(["systems"])
    }

    /// A system.
    pub fn system(slug: &str) -> Address {
        Address::of(["systems", slug])
    }

    /// A run of a system on a benchmark.
    pub fn run(id: &str) -> Address {
        Address::of(["runs", id])
    }

    /// Runs against each other.
    pub fn compare<'s>(runs: impl IntoIterator<Item = &'s str>) -> Address {
        let runs: Vec<&str> = runs.into_iter().collect();
        Address::of(["compare", &runs.join("..")])
    }

    /// One run under every convention.
    pub fn conventions(run: &str) -> Address {
        Address::of(["conventions", run])
    }

    /// All campaigns.
    pub fn campaigns() -> Address {
        Address::of(["campaigns"])
    }

    /// A campaign.
    pub fn campaign(name: &str) -> Address {
        Address::of(["campaigns", name])
    }

    /// Search.
    pub fn search() -> Address {
        Address::of(["search"])
    }

    /// What a word means: a measure, a convention, a category, a format or a check.
    pub fn help(topic: &str, name: &str) -> Address {
        Address::of(["help", topic, name])
    }

    /// Some other page, by the parts of its path.
    pub fn path<'s>(parts: impl IntoIterator<Item = &'s str>) -> Address {
        Address::of(parts)
    }

    /// The same page with another view. An empty value takes the key out.
    pub fn with(mut self, key: &'static str, value: impl Into<String>) -> Address {
        let value = value.into();
        match self.query.iter_mut().find(|(known, _)| *known == key) {
            Some((_, old)) => *old = value,
            None => self.query.push((key, value)),
        }
        self.query.retain(|(_, value)| !value.is_empty());
        self
    }

    /// The same page at a place.
    pub fn at(mut self, fragment: impl Into<String>) -> Address {
        self.fragment = Some(fragment.into());
        self
    }

    /// The parts of the path.
    pub fn parts(&self) -> &[String] {
        &self.path
    }

    /// Gives a part of the path another name.
    pub(crate) fn rename(&mut self, name: &str, other: &str) {
        for part in self.path.iter_mut().filter(|part| *part == name) {
            other.clone_into(part);
        }
    }

    /// The keys and values of the query.
    pub fn query(&self) -> &[(&'static str, String)] {
        &self.query
    }

    /// The place on the page.
    pub fn fragment(&self) -> Option<&str> {
        self.fragment.as_deref()
    }

    /// The address as a server writes it.
    pub fn to_path(&self) -> String {
        let mut text = String::new();
        for part in &self.path {
            text.push('/');
            text.extend(utf8_percent_encode(part, PLAIN));
        }
        if text.is_empty() {
            text.push('/');
        }
        for (place, (key, value)) in self.query.iter().enumerate() {
            let between = if place == 0 { '?' } else { '&' };
            // Writing to a string cannot fail.
            let _ = write!(text, "{between}{key}={}", utf8_percent_encode(value, VALUE));
        }
        if let Some(fragment) = &self.fragment {
            text.push('#');
            text.extend(utf8_percent_encode(fragment, PLAIN));
        }
        text
    }
}

/// A part of a path as it stands in a link.
pub(crate) fn encoded(part: &str) -> String {
    utf8_percent_encode(part, PLAIN).to_string()
}

/// How addresses become links.
///
/// The same components write the pages of a server and a report that is one file. They never spell a link: they
/// name an address, and whoever renders the page says what a link to it looks like. A server has paths, a report has
/// places on the same page, and what a report does not carry is no link at all.
pub trait Links: Sync {
    /// What stands in `href`; `None` if there is no such page here.
    fn href(&self, address: &Address) -> Option<String>;

    /// Whether readers have accounts here.
    fn has_accounts(&self) -> bool {
        false
    }

    /// Whether the texts of a benchmark may be shown; a report may go to readers who must not have them.
    fn shows_texts(&self, _benchmark: &str) -> bool {
        true
    }

    /// Where the style sheet and the script are.
    fn assets(&self) -> AssetPlace {
        AssetPlace::Served
    }

    /// Whether somebody answers forms and links to other views. A report has nobody who does: there, forms and choices
    /// are left out.
    fn is_live(&self) -> bool {
        true
    }
}

/// Where a page has its style sheet and its script from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum AssetPlace {
    /// A server has them under their digests.
    Served,
    /// They are files; this is the way to their folder.
    Beside(String),
    /// They are parts of the page.
    Inside,
}

/// The links of a server.
#[derive(Debug, Clone, Copy, Default)]
pub struct Paths;

/// Longer addresses are answered by no server, and make pages of any size.
const LONGEST_ADDRESS: usize = 8_000;

impl Links for Paths {
    fn href(&self, address: &Address) -> Option<String> {
        Some(address.to_path()).filter(|path| path.len() <= LONGEST_ADDRESS)
    }
}

/// The links of a server with accounts.
#[derive(Debug, Clone, Copy, Default)]
pub struct AccountPaths;

impl Links for AccountPaths {
    fn href(&self, address: &Address) -> Option<String> {
        Paths.href(address)
    }

    fn has_accounts(&self) -> bool {
        true
    }
}

/// A link that leaves the app, if it is one that may be followed: only to the web, so that data can put no script into a
/// link.
pub fn outside(url: &str) -> Option<&str> {
    let has_scheme = |scheme: &str| {
        url.get(..scheme.len()).is_some_and(|start| start.eq_ignore_ascii_case(scheme))
    };
    let is_clean = !url.chars().any(|c| c.is_control() || c.is_whitespace());
    (is_clean && (has_scheme("http://") || has_scheme("https://"))).then_some(url)
}

/// The page of an entity: its id where that is an address of the web, and Wikidata's page for an item of Wikidata.
/// Whatever else an id is, it is text.
pub fn entity_page(id: &str) -> Option<Cow<'_, str>> {
    let digits = id.strip_prefix('Q').unwrap_or_default();
    let is_item = (1..=12).contains(&digits.len())
        && digits.bytes().all(|byte| byte.is_ascii_digit())
        && !digits.starts_with('0');
    match is_item {
        true => Some(format!("https://www.wikidata.org/wiki/{id}").into()),
        false => outside(id).map(Cow::Borrowed),
    }
}

/// A name as a part of a path: lower case letters, digits and hyphens; what has none of them is `x`.
pub fn slug(name: &str) -> String {
    let mut slug = String::new();
    for c in name.chars().flat_map(char::to_lowercase).take(60) {
        match c {
            c if c.is_alphanumeric() || c == '_' => slug.push(c),
            '.' if !slug.is_empty() && !slug.ends_with(['.', '-']) => slug.push('.'),
            _ if slug.is_empty() || slug.ends_with(['-', '.']) => {}
            _ => slug.push('-'),
        }
    }
    let slug = slug.trim_matches(['-', '.']).to_owned();
    if slug.is_empty() { "x".to_owned() } else { slug }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_are_written_one_way() {
        let address = Address::document("sample", 3).with("runs", "a,b").with("marks", "errors");
        assert_eq!(address.to_path(), "/benchmarks/sample/3?runs=a,b&marks=errors");
        assert_eq!(address.clone().with("marks", "").to_path(), "/benchmarks/sample/3?runs=a,b");
        assert_eq!(
            address.with("runs", "c&d").at("c1").to_path(),
            "/benchmarks/sample/3?runs=c%26d&marks=errors#c1"
        );
        assert_eq!(Address::board().with("m", "link").to_path(), "/?m=link");
        assert_eq!(Address::compare(["a@s", "b@s"]).to_path(), "/compare/a@s..b@s");
        assert_eq!(Address::benchmark("../x?").to_path(), "/benchmarks/..%2Fx%3F");
    }

    #[test]
    fn only_the_web_is_outside() {
        assert_eq!(
            outside("https://www.wikidata.org/wiki/Q64"),
            Some("https://www.wikidata.org/wiki/Q64")
        );
        assert_eq!(outside("HTTP://x"), Some("HTTP://x"));
        for bad in
            ["javascript:alert(1)", " https://x", "https://x\ny", "//x", "", "http:/x", "ĥttp://"]
        {
            assert_eq!(outside(bad), None, "{bad}");
        }
    }

    #[test]
    fn entities_have_pages_where_their_ids_say_so() {
        assert_eq!(entity_page("Q64").as_deref(), Some("https://www.wikidata.org/wiki/Q64"));
        assert_eq!(
            entity_page("http://dbpedia.org/resource/X").as_deref(),
            Some("http://dbpedia.org/resource/X")
        );
        for text in
            ["Q", "Q0", "Q64\n", "Q6 4", "P31", "QUANTITY", "Q9999999999999", "javascript:1"]
        {
            assert_eq!(entity_page(text), None, "{text}");
        }
    }

    #[test]
    fn slugs_are_plain() {
        assert_eq!(slug("AIDA-CoNLL testb"), "aida-conll-testb");
        assert_eq!(slug("../../etc"), "etc");
        assert_eq!(slug("<b>"), "b");
        assert_eq!(slug("日本"), "日本");
        assert_eq!(slug("..."), "x");
    }
}
