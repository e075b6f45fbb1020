//! The article behind an id, and addresses of articles.

use crate::spelling::{ENGLISH, Parsed, parse, plain};

/// The title, with underscores, of the article that an id names: what follows the site in an address of
/// Wikipedia, DBpedia or YAGO, or a word that is a title by itself. Ids of Wikidata and Freebase, numbers,
/// codes such as `D001`, and names behind a prefix have none.
///
/// ```
/// use karat_kb::title_of;
///
/// assert_eq!(title_of("https://en.wikipedia.org/wiki/Caf%C3%A9").as_deref(), Some("Café"));
/// assert_eq!(title_of("wd:Q64"), None);
/// ```
pub fn title_of(id: &str) -> Option<String> {
    let id = id.trim();
    let title = match parse(id) {
        Parsed::Article { title, .. } => plain(&title).into_owned(),
        Parsed::Word => {
            let page = id.split('#').next().unwrap_or_default();
            plain(page).into_owned()
        }
        Parsed::Item(_) | Parsed::Topic(_) | Parsed::Address => return None,
    };
    // An address of Wikipedia may well be that of an article called `D001`; only a bare word is
    // ambiguous.
    let is_title = matches!(parse(id), Parsed::Article { .. }) || !is_code(&title);
    (!title.is_empty() && is_title).then_some(title)
}

/// An id of a knowledge base, spelled as another id is: as an address of the same site, or as it stands.
/// `None` where the site has no such address, as Wikipedia has none for an item of Wikidata.
pub fn spelled_like(other: &str, id: &str) -> Option<String> {
    let site = ["/wiki/", "/resource/"].iter().find_map(|site| {
        let (host, _) = other.split_once(site)?;
        Some(format!("{host}{site}"))
    });
    let Some(site) = site else { return (!other.contains("://")).then(|| id.to_owned()) };
    let Parsed::Article { language, .. } = parse(other) else { return None };
    let title = match parse(id) {
        Parsed::Article { language: of, title } => (of == language).then_some(title)?,
        Parsed::Word if language == ENGLISH => id.to_owned(),
        Parsed::Word => id.strip_prefix(&language)?.strip_prefix(':')?.to_owned(),
        Parsed::Item(_) | Parsed::Topic(_) | Parsed::Address => return None,
    };
    // In an address these would mean something else.
    let title = title.replace('%', "%25").replace('?', "%3F").replace('#', "%23");
    Some(format!("{site}{title}"))
}

/// `12345`, `D001`, `/m/0156q`, `Property:P31`: no name. A title may have a colon, but goes on after a
/// blank.
fn is_code(word: &str) -> bool {
    let number = word.strip_prefix(|c: char| c.is_ascii_uppercase()).unwrap_or(word);
    let is_number = !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit());
    let has_prefix = word.split_once(':').is_some_and(|(prefix, rest)| {
        !prefix.is_empty() && !prefix.contains('_') && !rest.starts_with('_')
    });
    word.starts_with('/') || is_number || has_prefix
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_no_title_has_none() {
        for (id, title) in [
            ("https://en.wikipedia.org/wiki/AC/DC", Some("AC/DC")),
            ("http://de.dbpedia.org/resource/Berlin", Some("Berlin")),
            ("https://en.wikipedia.org/wiki/1984", Some("1984")),
            ("<Bob_Dylan>", Some("Bob_Dylan")),
            ("New York City", Some("New_York_City")),
            ("Star_Trek:_Voyager", Some("Star_Trek:_Voyager")),
            ("History#Early", Some("History")),
            ("12345", None),
            ("D001", None),
            ("m.05qtj", None),
            ("wd:Q76", None),
            ("Property:P31", None),
            ("mesh:D001", None),
            ("https://example.org/7", None),
            ("", None),
        ] {
            assert_eq!(title_of(id).as_deref(), title, "{id}");
        }
    }

    #[test]
    fn ids_are_spelled_as_addresses_of_the_same_site() {
        let (en, de) = ("https://en.wikipedia.org/wiki/X", "https://de.wikipedia.org/wiki/X");
        for (other, id, spelled) in [
            (en, "Bar", Some("https://en.wikipedia.org/wiki/Bar")),
            (en, "en:Q64", Some("https://en.wikipedia.org/wiki/Q64")),
            (en, "What?_100%_#1", Some("https://en.wikipedia.org/wiki/What%3F_100%25_%231")),
            (en, "Q64", None),
            (en, "/m/0156q", None),
            (de, "de:Bar", Some("https://de.wikipedia.org/wiki/Bar")),
            (de, "Bar", None),
            ("http://dbpedia.org/resource/X", "Bar", Some("http://dbpedia.org/resource/Bar")),
            ("X", "de:Bar", Some("de:Bar")),
            ("https://example.org/X", "Bar", None),
        ] {
            assert_eq!(spelled_like(other, id).as_deref(), spelled, "{other} {id}");
        }
    }
}
