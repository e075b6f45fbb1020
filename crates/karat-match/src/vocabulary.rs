//! Common numbers for the strings of two corpora.

use karat_kb::Identity;
use karat_model::{Corpus, Interner, Link, StrId};
use rayon::prelude::*;
use std::sync::Arc;

/// Renames the strings of a gold and a system corpus so that equal entities, and
/// equal types, have equal numbers on both sides.
#[derive(Debug)]
pub(crate) struct Vocabulary {
    pub(crate) gold: Arc<Names>,
    pub(crate) system: Arc<Names>,
}

/// What the strings of one corpus are called.
#[derive(Debug)]
pub(crate) enum Names {
    /// The numbers of the corpus itself.
    Own,
    /// For each string of the corpus what it is called as an entity, and as anything else.
    Renamed { entities: Vec<Link>, others: Vec<StrId> },
}

impl Vocabulary {
    pub(crate) fn new(gold: &Corpus, system: &Corpus, identity: &Identity) -> Vocabulary {
        let (gold, system) = if std::ptr::eq(gold, system) && identity.is_plain() {
            (Names::Own, Names::Own)
        } else if identity.is_plain() {
            (Names::Own, against(gold.strings(), system))
        } else {
            // Canonical names may be new to both sides: a third numbering serves all.
            let mut common = gold.strings().clone();
            let gold = canonical(gold, identity, &mut common);
            (gold, canonical(system, identity, &mut common))
        };
        Vocabulary { gold: Arc::new(gold), system: Arc::new(system) }
    }
}

impl Names {
    #[inline]
    pub(crate) fn link(&self, link: Link) -> Link {
        match self {
            Names::Own => link,
            Names::Renamed { entities, others } => match link.entity() {
                Some(entity) => entities[entity.index()],
                None => link.map(|id| others[id.index()]),
            },
        }
    }

    #[inline]
    pub(crate) fn string(&self, id: StrId) -> StrId {
        match self {
            Names::Own => id,
            Names::Renamed { others, .. } => others[id.index()],
        }
    }
}

/// Strings of the system that gold has get gold's number, others a number past gold's.
fn against(gold: &Interner, system: &Corpus) -> Names {
    let mut others = vec![StrId::EMPTY; system.strings().len()];
    others.par_chunks_mut(TOGETHER).enumerate().for_each(|(chunk, others)| {
        let first = chunk * TOGETHER;
        let ids = (first..first + others.len()).map(StrId::from_index);
        let found = gold.find_all(ids.map(|id| system.strings().get(id)));
        for (at, (other, found)) in others.iter_mut().zip(found).enumerate() {
            // Offset by the position in the system, so numbers are distinct and no thread waits for
            // another.
            *other = found.unwrap_or_else(|| StrId::from_index(gold.len() + first + at));
        }
    });
    let entities = others.iter().map(|&id| Link::to(id)).collect();
    Names::Renamed { entities, others }
}

/// How many strings are looked up together; enough that a thread has something to do.
const TOGETHER: usize = 1 << 10;

fn canonical(corpus: &Corpus, identity: &Identity, common: &mut Interner) -> Names {
    let used = used_strings(corpus);
    let (mut entities, mut others) = (Vec::new(), Vec::new());
    for (index, used) in used.iter().enumerate() {
        if !used {
            entities.push(Link::NONE);
            others.push(StrId::EMPTY);
            continue;
        }
        let text = corpus.strings().get(StrId::from_index(index));
        let known = identity.knows(text);
        let name = common.intern(&identity.canonical(text));
        // An entity that the knowledge base does not have is NIL. Its name is kept as the cluster, so that measures of clusters still tell such entities apart.
        entities.push(if known { Link::to(name) } else { Link::nil_cluster(name) });
        others.push(common.intern(text));
    }
    Names::Renamed { entities, others }
}

/// Names of documents and the like are most of the strings; only what is compared
/// is worth the search for its canonical name.
fn used_strings(corpus: &Corpus) -> Vec<bool> {
    let mut used = vec![false; corpus.strings().len()];
    let mut mark = |link: Link| {
        if let Some(id) = link.entity().or(link.cluster()) {
            used[id.index()] = true;
        }
    };
    for annotation in corpus.annotations() {
        mark(annotation.link);
    }
    for link in corpus.candidate_links() {
        mark(link);
    }
    for annotation in corpus.annotations() {
        used[annotation.types.index()] = true;
    }
    used
}
