//! The IRIs that stand for "not in the knowledge base".

use karat_model::{CorpusBuilder, Link};
use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, percent_decode_str, utf8_percent_encode};

/// What an IRI answers.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(in crate::formats) enum Answer<'t> {
    Entity(&'t str),
    Nil,
    NilCluster(String),
}

/// Where NIL clusters are written.
const NOT_IN_WIKI: &str = "http://aksw.org/notInWiki/";
/// How the categorised dialect writes NIL.
pub(super) const NOT_IN_LEXICO: &str = "https://en.wikipedia.org/wiki/NotInLexico";

/// What stays as it is in the name of a cluster.
const UNRESERVED: AsciiSet = NON_ALPHANUMERIC.remove(b'-').remove(b'.').remove(b'_').remove(b'~');

impl<'t> Answer<'t> {
    /// The answer an IRI stands for.
    pub(in crate::formats) fn of(iri: &'t str) -> Answer<'t> {
        let name = iri.rsplit('/').next().unwrap_or(iri);
        if name == "NotInLexico" || name == "*null*" {
            return Answer::Nil;
        }
        let find = |marker: &str| memchr::memmem::find(iri.as_bytes(), marker.as_bytes());
        for marker in ["/notInWiki/", "/unknown_entity/"] {
            if let Some(found) = find(marker) {
                let cluster = percent_decode_str(&iri[found + marker.len()..]).decode_utf8_lossy();
                return if cluster.is_empty() {
                    Answer::Nil
                } else {
                    Answer::NilCluster(cluster.into_owned())
                };
            }
        }
        if find("notInWiki").is_some() { Answer::Nil } else { Answer::Entity(iri) }
    }

    /// The link in a corpus.
    pub(in crate::formats) fn link(&self, corpus: &mut CorpusBuilder) -> Link {
        match self {
            Answer::Entity(entity) => Link::to(corpus.intern(entity)),
            Answer::Nil => Link::NIL,
            Answer::NilCluster(cluster) => Link::nil_cluster(corpus.intern(cluster)),
        }
    }
}

/// The IRI of a NIL cluster; of NIL without one if there is none.
pub(super) fn nil_iri(cluster: Option<&str>) -> String {
    let name = utf8_percent_encode(cluster.unwrap_or_default(), &UNRESERVED);
    format!("{NOT_IN_WIKI}{name}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nil_in_all_its_forms() {
        let cluster = |name: &str| Answer::NilCluster(name.to_owned());
        for (iri, expected) in [
            ("http://aksw.org/notInWiki/Max_M%C3%BCller", cluster("Max_Müller")),
            ("http://aksw.org/unknown_entity/17", cluster("17")),
            ("http://else/notInWiki/x/y", cluster("x/y")),
            ("http://aksw.org/notInWiki/", Answer::Nil),
            ("http://else/notInWiki", Answer::Nil),
            ("*null*", Answer::Nil),
            ("http://en.wikipedia.org/wiki/*null*", Answer::Nil),
            (NOT_IN_LEXICO, Answer::Nil),
            (
                "http://dbpedia.org/resource/Null",
                Answer::Entity("http://dbpedia.org/resource/Null"),
            ),
        ] {
            assert_eq!(Answer::of(iri), expected, "{iri}");
        }
        for name in ["007", "a b/ü%"] {
            assert_eq!(Answer::of(&nil_iri(Some(name))), cluster(name));
        }
        assert_eq!(Answer::of(&nil_iri(None)), Answer::Nil);
    }
}
