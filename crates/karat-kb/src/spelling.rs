//! One spelling for every id, whatever knowledge base it comes from.
//!
//! An item of Wikidata is `Q64`, an article of the English Wikipedia its title with
//! underscores, one of another Wikipedia `de:Berlin`, a topic of Freebase `/m/0156q`.
//! DBpedia and YAGO name entities by the titles of Wikipedia. Titles that look like an id
//! of something else are written `en:Q64`. Everything else stands for itself.

use crate::composition::composed;
use crate::escapes::unescaped;
use std::borrow::Cow;

/// How an id is written in a knowledge base. Writing it so again changes nothing.
pub(crate) fn written(id: &str) -> Cow<'_, str> {
    let id = id.trim();
    match parse(id) {
        Parsed::Item(item) => item,
        Parsed::Topic(topic) => Cow::Owned(topic),
        Parsed::Article { language, title } => {
            article(&language, &title).map_or(Cow::Borrowed(id), Cow::Owned)
        }
        // The id of a knowledge base that karat does not know is its own business.
        Parsed::Address => Cow::Borrowed(id),
        Parsed::Word => {
            let plain = plain(id);
            match parse(&plain) {
                Parsed::Word | Parsed::Address => plain,
                // Escaped as a whole: an address or an id was behind it.
                _ => Cow::Owned(written(&plain).into_owned()),
            }
        }
    }
}

/// A text without escapes, its characters composed.
pub(crate) fn plain(text: &str) -> Cow<'_, str> {
    match unescaped(text) {
        Cow::Borrowed(text) => composed(text),
        Cow::Owned(text) => Cow::Owned(composed(&text).into_owned()),
    }
}

/// How a word is written that is taken for the title of an article.
pub(crate) fn as_title(word: &str) -> Cow<'_, str> {
    let word = word.trim();
    match parse(word) {
        Parsed::Word => {
            let page = word.split('#').next().unwrap_or_default();
            article(ENGLISH, &plain(page)).map_or_else(|| written(word), Cow::Owned)
        }
        _ => written(word),
    }
}

/// How the title of an article of a Wikipedia is written.
pub(crate) fn title_in<'t>(language: &str, title: &'t str) -> Cow<'t, str> {
    match language {
        ENGLISH => as_title(title),
        _ => article(language, title).map_or_else(|| written(title), Cow::Owned),
    }
}

/// How the id of a type is written. What is no id but a word, such as `music group`, stays.
pub(crate) fn as_type(id: &str) -> Cow<'_, str> {
    match parse(id.trim()) {
        Parsed::Word | Parsed::Address => Cow::Borrowed(id.trim()),
        _ => written(id),
    }
}

/// Whether an id is of Wikidata.
pub(crate) fn is_of_wikidata(id: &str) -> bool {
    matches!(parse(id), Parsed::Item(_))
}

/// Which of two equal ids is taken: the lower. Wikidata names everything, Wikipedia much.
pub(crate) fn preference(id: &str) -> u8 {
    match parse(id) {
        Parsed::Item(_) => 0,
        Parsed::Word if !id.contains(':') => 1,
        Parsed::Article { .. } => 1,
        Parsed::Word => 2,
        Parsed::Topic(_) => 3,
        Parsed::Address => 4,
    }
}

pub(crate) const ENGLISH: &str = "en";

/// What an id is.
pub(crate) enum Parsed<'a> {
    /// Of Wikidata.
    Item(Cow<'a, str>),
    /// Of a Wikipedia, or named by one.
    Article { language: String, title: String },
    /// Of Freebase.
    Topic(String),
    /// A title, or an id of some other knowledge base.
    Word,
    /// An address that karat knows nothing of.
    Address,
}

pub(crate) fn parse(id: &str) -> Parsed<'_> {
    let mut inside = id;
    while let Some(next) = inside.strip_prefix('<').and_then(|rest| rest.strip_suffix('>')) {
        inside = next;
    }
    match parse_bare(inside) {
        // YAGO writes <Bob_Dylan>. <NIL> and <NO_MAPPING> are no entities; only names have small
        // letters.
        Parsed::Word if inside.len() == id.len() => Parsed::Word,
        Parsed::Word if inside.contains(|c: char| c.is_lowercase()) => english(inside),
        Parsed::Word => Parsed::Address,
        parsed => parsed,
    }
}

/// The same of an id that does not stand in angle brackets.
fn parse_bare(id: &str) -> Parsed<'_> {
    if let Some(item) = item(id) {
        return Parsed::Item(item);
    }
    if let Some(topic) = topic(id) {
        return Parsed::Topic(topic);
    }
    let (address, has_scheme) = without_scheme(id);
    if let Some((host, path)) = address.split_once('/')
        && let Some(parsed) = at_host(without_port(host), path)
    {
        return parsed;
    }
    if has_scheme || id.contains("://") {
        return Parsed::Address;
    }
    with_prefix(id).unwrap_or(Parsed::Word)
}

fn without_scheme(id: &str) -> (&str, bool) {
    for scheme in ["https://", "http://", "//"] {
        if let Some(start) = id.get(..scheme.len())
            && start.eq_ignore_ascii_case(scheme)
        {
            return (&id[scheme.len()..], true);
        }
    }
    (id, false)
}

fn without_port(host: &str) -> &str {
    let port = host.rsplit_once(':');
    let port = port.filter(|(_, port)| port.bytes().all(|byte| byte.is_ascii_digit()));
    port.map_or(host, |(host, _)| host)
}

/// An id behind an address, if it is one of those karat knows.
fn at_host<'a>(host: &'a str, path: &'a str) -> Option<Parsed<'a>> {
    let site = |domain: &str| {
        let start = host.len().checked_sub(domain.len())?;
        let fits = host.get(start..)?.eq_ignore_ascii_case(domain);
        let before = &host[..start];
        (fits && (before.is_empty() || before.ends_with('.'))).then(|| before.trim_end_matches('.'))
    };
    if let Some(language) = site("wikipedia.org") {
        let title = wikipedia_path(path)?;
        return Some(Parsed::Article { language: language_of(language), title: titled(title) });
    }
    if let Some(language) = site("dbpedia.org") {
        let title = ["resource/", "page/"].iter().find_map(|start| path.strip_prefix(start))?;
        // DBpedia names what has no article by the items of Wikidata.
        if language.eq_ignore_ascii_case("wikidata") {
            return item(before_query(title)).map(Parsed::Item);
        }
        return Some(Parsed::Article { language: language_of(language), title: titled(title) });
    }
    if site("wikidata.org").is_some() {
        return wikidata_path(path).map(|item| Parsed::Item(Cow::Owned(item)));
    }
    if site("yago-knowledge.org").is_some() {
        return path.strip_prefix("resource/").map(yago);
    }
    // Where YAGO was at home before.
    if site("mpii.de").or(site("mpi-inf.mpg.de")).is_some() {
        let path = path.strip_prefix("yago-naga/").unwrap_or(path);
        return path.strip_prefix("yago/resource/").map(yago);
    }
    if site("freebase.com").is_some() {
        let path = path.strip_prefix("ns/").or(path.strip_prefix("view/")).unwrap_or(path);
        return topic(&format!("/{}", before_query(path)))
            .or(topic(before_query(path)))
            .map(Parsed::Topic);
    }
    None
}

/// An id behind the prefix that Turtle, SPARQL or a corpus gives it.
fn with_prefix(id: &str) -> Option<Parsed<'_>> {
    let (prefix, rest) = id.split_once(':')?;
    match prefix.to_ascii_lowercase().as_str() {
        "wd" | "wikidata" => item(rest).map(Parsed::Item),
        "dbr" | "dbpedia" => Some(english(rest)),
        "yago" => Some(yago(rest)),
        "fb" | "freebase" | "ns" => {
            topic(rest).or_else(|| topic(&format!("/{rest}"))).map(Parsed::Topic)
        }
        ENGLISH => Some(english(rest)),
        _ => None,
    }
}

/// The language of `en.m` or of `www`.
fn language_of(labels: &str) -> String {
    let language = labels.split('.').next().unwrap_or_default().to_ascii_lowercase();
    match language.as_str() {
        "" | "www" | "m" | "live" | "mobile" => ENGLISH.to_owned(),
        _ => language,
    }
}

fn english(title: impl Into<String>) -> Parsed<'static> {
    Parsed::Article { language: ENGLISH.to_owned(), title: title.into() }
}

fn wikipedia_path(path: &str) -> Option<&str> {
    if let Some(title) = path.strip_prefix("wiki/") {
        return Some(title);
    }
    let starts = ["w/index.php?", "wiki/index.php?", "wiki?", "?"];
    let query = starts.iter().find_map(|start| path.strip_prefix(start))?;
    query.split(['&', '#']).find_map(|pair| pair.strip_prefix("title="))
}

/// The title in the path of an address: without what is asked about it and the place in it. A
/// question mark that asks for no value is a part of the title.
fn titled(path: &str) -> String {
    let page = path.split('#').next().unwrap_or_default();
    // `What_Is_It?` is a title, `Berlin?oldid=1` is not.
    let asks = |at: &usize| page.get(at + 1..).is_some_and(|query| query.contains('='));
    let query = page.rmatch_indices('?').map(|(at, _)| at).find(asks);
    page.get(..query.unwrap_or(page.len())).unwrap_or(page).to_owned()
}

fn before_query(path: &str) -> &str {
    path.split(['?', '#']).next().unwrap_or_default()
}

fn wikidata_path(path: &str) -> Option<String> {
    let starts = ["entity/", "wiki/Special:EntityData/", "wiki/Special:EntityPage/", "wiki/"];
    let rest = starts.iter().find_map(|start| path.strip_prefix(start))?;
    // The data of an item come as `Q64.json`, `Q64.ttl` and others.
    item(before_query(rest).split('.').next().unwrap_or_default()).map(Cow::into_owned)
}

/// YAGO names entities by titles; since YAGO 4, some by a name and an item of Wikidata.
fn yago(name: &str) -> Parsed<'_> {
    let name = before_query(name);
    // `Berlin_Q64` of YAGO 4: the item is certain, the name is only for people.
    if let Some(item) = name.rsplit_once('_').and_then(|(_, last)| item(last)) {
        return Parsed::Item(item);
    }
    english(without_yago_escapes(name))
}

/// YAGO 4 writes `(` as `_u0028_`.
fn without_yago_escapes(name: &str) -> String {
    let mut plain = String::with_capacity(name.len());
    let mut rest = name;
    while let Some(at) = rest.find("_u") {
        let (before, escape) = rest.split_at(at);
        plain.push_str(before);
        let code = escape.get(2..6).filter(|_| escape.get(6..7) == Some("_"));
        let character = code
            .and_then(|digits| u32::from_str_radix(digits, 16).ok())
            .and_then(char::from_u32)
            .filter(|character| !character.is_control());
        match character {
            Some(character) => {
                plain.push(character);
                rest = &escape[7..];
            }
            None => {
                plain.push_str("_u");
                rest = &escape[2..];
            }
        }
    }
    plain.push_str(rest);
    plain
}

/// An article as a knowledge base names it; `None` if nothing is left of the title.
fn article(language: &str, title: &str) -> Option<String> {
    let title = plain(title);
    let words = title.trim_start_matches(':').split('_').filter(|word| !word.is_empty());
    let title = words.collect::<Vec<_>>().join("_");
    let mut characters = title.chars();
    let first = characters.next()?;
    let mut upper = first.to_uppercase();
    // MediaWiki leaves letters alone whose capital is two letters.
    let first = upper.next().filter(|_| upper.len() == 0).unwrap_or(first);
    let title = format!("{first}{}", characters.as_str());
    if language != ENGLISH {
        let named = format!("{language}:{title}");
        return is_plain(&named).then_some(named);
    }
    Some(if is_plain(&title) { title } else { format!("{ENGLISH}:{title}") })
}

/// Whether a name is written as it should be, and not taken for anything else.
fn is_plain(name: &str) -> bool {
    matches!(parse(name), Parsed::Word) && plain(name) == name && name.trim() == name
}

/// An item, a property or a lexeme of Wikidata has a letter and a number; only items are
/// told from words without an address. Wikidata takes a small letter too.
fn item(id: &str) -> Option<Cow<'_, str>> {
    let digits = id.strip_prefix(['Q', 'q'])?;
    if digits.is_empty() || !digits.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    Some(match id.starts_with('Q') {
        true => Cow::Borrowed(id),
        false => Cow::Owned(format!("Q{digits}")),
    })
}

/// `/m/0156q`, from `/m/0156q` or `m.0156q`.
fn topic(id: &str) -> Option<String> {
    let starts = [("/m/", "m"), ("m.", "m"), ("/g/", "g"), ("g.", "g")];
    let (kind, rest) =
        starts.iter().find_map(|(start, kind)| Some((*kind, id.strip_prefix(start)?)))?;
    let fits = rest.len() > 1
        && rest.starts_with(|c: char| c.is_ascii_digit())
        && rest.bytes().all(|b| b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'_');
    fits.then(|| format!("/{kind}/{rest}"))
}
