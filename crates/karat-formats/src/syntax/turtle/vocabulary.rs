//! The vocabularies of NIF files.

use karat_model::Vocabulary;
use std::collections::HashMap;

/// A namespace, by its number.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct Namespace(pub(crate) u16);

impl Namespace {
    pub(crate) const NIF: Namespace = Namespace(0);
    pub(crate) const ITSRDF: Namespace = Namespace(1);
    pub(crate) const RDF: Namespace = Namespace(2);
    pub(crate) const RDFS: Namespace = Namespace(3);
    pub(crate) const XSD: Namespace = Namespace(4);
    pub(crate) const FEL: Namespace = Namespace(5);
    pub(crate) const EL: Namespace = Namespace(6);
    pub(crate) const MNT: Namespace = Namespace(7);
    pub(crate) const TAX: Namespace = Namespace(8);
    pub(crate) const OWL: Namespace = Namespace(9);
    /// No namespace: the IRI stands whole in the file.
    pub(crate) const WHOLE: Namespace = Namespace(u16::MAX);

    /// A whole IRI as one of the known namespaces and the rest, if it is in one.
    pub(super) fn split(iri: &str) -> (Namespace, &str) {
        // The last byte tells most of them apart, without a call to compare.
        let alike = |namespace: &str| {
            let last = namespace.len().saturating_sub(1);
            iri.as_bytes().get(last) == namespace.as_bytes().get(last)
        };
        let found = KNOWN.iter().enumerate().find_map(|(number, (_, namespace))| {
            let rest = if alike(namespace) { iri.strip_prefix(namespace) } else { None };
            Some((Namespace(number as u16), rest?))
        });
        // `fel` is published under two addresses.
        let found = found.or_else(|| Some((Namespace::FEL, Vocabulary::fel_name(iri)?)));
        found.unwrap_or((Namespace::WHOLE, iri))
    }
}

/// Prefixes that files use without declaring them, in the order of their numbers.
///
/// Nobody ever gave `el:`, `mnt:` and `tax:` an IRI; such a name is its own IRI.
pub(super) const KNOWN: [(&str, &str); 11] = [
    ("nif", "http://persistence.uni-leipzig.org/nlp2rdf/ontologies/nif-core#"),
    ("itsrdf", "http://www.w3.org/2005/11/its/rdf#"),
    ("rdf", "http://www.w3.org/1999/02/22-rdf-syntax-ns#"),
    ("rdfs", "http://www.w3.org/2000/01/rdf-schema#"),
    ("xsd", "http://www.w3.org/2001/XMLSchema#"),
    ("fel", "http://w3id.org/vcb/fel#"),
    ("el", "el:"),
    ("mnt", "mnt:"),
    ("tax", "tax:"),
    ("owl", "http://www.w3.org/2002/07/owl#"),
    ("dbo", "http://dbpedia.org/ontology/"),
];

/// The prefixes of one file.
#[derive(Debug, Clone)]
pub(super) struct Prefixes<'t> {
    names: Vec<(&'t str, Namespace)>,
    namespaces: Vec<String>,
    /// The places of both lists by what stands there, for files with so many that to scan them takes long.
    index: Option<PrefixIndex<'t>>,
    base: Option<String>,
    /// Whether a prefix changed its meaning since the last [`Prefixes::settle`].
    changed: bool,
}

/// The places of prefixes and of namespaces in their lists.
#[derive(Debug, Clone, Default)]
struct PrefixIndex<'t> {
    names: HashMap<&'t str, usize>,
    namespaces: HashMap<String, usize>,
}

/// A file has a few dozen prefixes, and scanning them beats hashing. Above this it does not.
const FEW: usize = 64;

impl<'t> Prefixes<'t> {
    pub(super) fn new() -> Prefixes<'t> {
        let numbered = KNOWN.iter().enumerate();
        Prefixes {
            names: numbered.map(|(number, &(name, _))| (name, Namespace(number as u16))).collect(),
            namespaces: KNOWN.iter().map(|(_, iri)| (*iri).to_owned()).collect(),
            index: None,
            base: None,
            changed: false,
        }
    }

    #[inline]
    pub(super) fn get(&self, prefix: &str) -> Option<Namespace> {
        self.place(prefix).map(|place| self.names[place].1)
    }

    #[inline]
    fn place(&self, prefix: &str) -> Option<usize> {
        if let Some(index) = &self.index {
            return index.names.get(prefix).copied();
        }
        // The first byte tells most prefixes apart, without a call to compare.
        let first = prefix.as_bytes().first();
        let alike = |name: &str| name.len() == prefix.len() && name.as_bytes().first() == first;
        self.names.iter().position(|(name, _)| alike(name) && *name == prefix)
    }

    /// The text of a namespace.
    pub(super) fn namespace(&self, namespace: Namespace) -> &str {
        self.namespaces.get(namespace.0 as usize).map_or("", String::as_str)
    }

    /// Declares a prefix; `false` if there are too many.
    pub(super) fn declare(&mut self, prefix: &'t str, iri: &str) -> bool {
        let iri =
            if iri == Vocabulary::FEL_NAMESPACE_SECURE { Vocabulary::FEL_NAMESPACE } else { iri };
        let number = self.number(iri);
        if number >= Namespace::WHOLE.0 as usize {
            return false;
        }
        let namespace = Namespace(number as u16);
        match self.place(prefix).map(|place| &mut self.names[place].1) {
            Some(current) if *current == namespace => {}
            Some(current) => {
                *current = namespace;
                self.changed = true;
            }
            None => {
                if let Some(index) = &mut self.index {
                    index.names.insert(prefix, self.names.len());
                }
                self.names.push((prefix, namespace));
                self.changed = true;
            }
        }
        if self.index.is_none() && self.names.len().max(self.namespaces.len()) > FEW {
            let names = self.names.iter().map(|(name, _)| *name).zip(0..).collect();
            let namespaces = self.namespaces.iter().cloned().zip(0..).collect();
            self.index = Some(PrefixIndex { names, namespaces });
        }
        true
    }

    /// The number of a namespace, which is a new one if it was not there.
    fn number(&mut self, iri: &str) -> usize {
        let known = match &self.index {
            Some(index) => index.namespaces.get(iri).copied(),
            None => self.namespaces.iter().position(|namespace| namespace == iri),
        };
        known.unwrap_or_else(|| {
            let number = self.namespaces.len();
            self.namespaces.push(iri.to_owned());
            if let Some(index) = &mut self.index {
                index.namespaces.insert(iri.to_owned(), number);
            }
            number
        })
    }

    pub(super) fn set_base(&mut self, base: String) {
        // Relative IRIs of other stretches would have another meaning, so this counts as a change.
        self.changed |= self.base.as_ref() != Some(&base);
        self.base = Some(base);
    }

    pub(super) fn settle(&mut self) {
        self.changed = false;
    }

    pub(super) fn changed(&self) -> bool {
        self.changed
    }

    /// A relative IRI made whole by the base; `None` if there is nothing to do.
    pub(super) fn resolve(&self, iri: &str) -> Option<String> {
        let base = self.base.as_deref()?;
        if has_scheme(iri) {
            return None;
        }
        let document = base.split('#').next().unwrap_or(base);
        let path = document.split('?').next().unwrap_or(document);
        let root = path.find("://").map_or(path.len(), |scheme| {
            path[scheme + 3..].find('/').map_or(path.len(), |slash| scheme + 3 + slash)
        });
        Some(match iri.as_bytes() {
            [] | [b'#', ..] => format!("{document}{iri}"),
            [b'/', b'/', ..] => format!("{}{iri}", base.split("//").next().unwrap_or_default()),
            [b'/', ..] => format!("{}{iri}", &path[..root]),
            [b'?', ..] => format!("{path}{iri}"),
            _ if root == path.len() => format!("{path}/{iri}"),
            _ => format!("{}{iri}", &path[..path.rfind('/').map_or(0, |slash| slash + 1)]),
        })
    }
}

/// Whether an IRI is absolute.
pub(super) fn has_scheme(iri: &str) -> bool {
    let Some(colon) = iri.find(':') else { return false };
    let scheme = &iri.as_bytes()[..colon];
    scheme.first().is_some_and(u8::is_ascii_alphabetic)
        && scheme.iter().all(|b| b.is_ascii_alphanumeric() || b"+-.".contains(b))
}
