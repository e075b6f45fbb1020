//! How ELEVANT's files spell what a mention is linked to.

use karat_model::{Link, literal};

/// What an entity id of ELEVANT means.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Reference<'t> {
    /// `<NIL>`, or `Unknown` in files of 2023.
    Nil,
    /// `<NO_MAPPING>`: NIL because the file's own entity has no Wikidata id.
    NoMapping,
    /// `Unknown3`: the third unknown entity of the document.
    Cluster(&'t str),
    /// Anything else is an entity, however odd it looks.
    Entity(&'t str),
}

/// ELEVANT's spelling of NIL.
pub(crate) const NIL: &str = "<NIL>";
/// ELEVANT's spelling of NIL for an entity without a Wikidata id.
pub(crate) const NO_MAPPING: &str = "<NO_MAPPING>";
/// ELEVANT's spelling of NIL in the files of 2023; a number behind it names a cluster.
pub(crate) const UNKNOWN: &str = "Unknown";
/// The types that stand where an entity would: such a mention is neither known nor NIL.
pub(crate) const LITERALS: [&str; 2] = [literal::QUANTITY, literal::DATETIME];

impl<'t> Reference<'t> {
    /// What an id means.
    #[inline(always)]
    pub(crate) fn parse(id: &'t str) -> Reference<'t> {
        match id.as_bytes().first() {
            Some(b'<' | b'U') => Reference::parse_word(id),
            _ => Reference::Entity(id),
        }
    }

    /// What an id means that may be one of ELEVANT's words.
    fn parse_word(id: &'t str) -> Reference<'t> {
        match id.strip_prefix(UNKNOWN) {
            _ if id == NIL => Reference::Nil,
            _ if id == NO_MAPPING => Reference::NoMapping,
            Some("") => Reference::Nil,
            // A page title such as `Unknown Pleasures` is an entity.
            Some(rest) if !rest.contains(char::is_whitespace) => Reference::Cluster(rest),
            _ => Reference::Entity(id),
        }
    }
}

/// How a link is spelled, with a word for NIL; `None` if the spelling would mean another.
pub(crate) fn spell(
    link: Link,
    entity: Option<&str>,
    cluster: Option<&str>,
    nil: &str,
) -> Option<String> {
    let spelled = match (entity, cluster) {
        (Some(entity), _) => entity.to_owned(),
        (None, Some(cluster)) => format!("{UNKNOWN}{cluster}"),
        (None, None) => nil.to_owned(),
    };
    let same = match Reference::parse(&spelled) {
        Reference::Entity(read) => entity == Some(read),
        Reference::Cluster(read) => entity.is_none() && cluster == Some(read),
        Reference::Nil | Reference::NoMapping => link == Link::NIL,
    };
    same.then_some(spelled)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_mean_what_elevant_means() {
        for (id, meaning) in [
            ("Q64", Reference::Entity("Q64")),
            ("", Reference::Entity("")),
            ("<NIL>", Reference::Nil),
            ("<NO_MAPPING>", Reference::NoMapping),
            ("Unknown", Reference::Nil),
            ("Unknown12", Reference::Cluster("12")),
            ("Unknown Pleasures", Reference::Entity("Unknown Pleasures")),
            ("United Nations", Reference::Entity("United Nations")),
        ] {
            assert_eq!(Reference::parse(id), meaning);
        }
    }
}
