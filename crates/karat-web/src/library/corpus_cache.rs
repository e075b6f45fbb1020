//! Corpora of a store that were used lately.

use crate::answers::locked;
use karat::error::Error;
use karat::model::Corpus;
use std::collections::{HashMap, VecDeque};
use std::sync::{Arc, Mutex};

/// Corpora by their digests, the one used last at the end. Those that nobody used the longest make room, so that
/// a server with thousands of runs stays small. A corpus that is larger than all the room is not kept: it lives
/// as long as the request that needs it.
pub(super) struct CorpusCache {
    room: usize,
    kept: Mutex<Kept>,
}

#[derive(Default)]
struct Kept {
    corpora: HashMap<String, Arc<Corpus>>,
    order: VecDeque<String>,
    bytes: usize,
}

impl CorpusCache {
    /// A cache for so many bytes.
    pub(super) fn new(room: usize) -> CorpusCache {
        CorpusCache { room, kept: Mutex::default() }
    }

    /// A corpus by its digest, loaded if it is not here. Two that ask at once may both load it, which is cheaper than
    /// letting one wait for the other's database.
    pub(super) fn get(
        &self,
        digest: &str,
        load: impl FnOnce() -> Result<Corpus, Error>,
    ) -> Result<Arc<Corpus>, Error> {
        if let Some(corpus) = locked(&self.kept).used(digest) {
            return Ok(corpus);
        }
        let corpus = Arc::new(load()?);
        if corpus.bytes() <= self.room {
            locked(&self.kept).keep(digest, &corpus, self.room);
        }
        Ok(corpus)
    }
}

impl Kept {
    fn used(&mut self, digest: &str) -> Option<Arc<Corpus>> {
        let corpus = self.corpora.get(digest).map(Arc::clone)?;
        self.order.retain(|known| known != digest);
        self.order.push_back(digest.to_owned());
        Some(corpus)
    }

    fn keep(&mut self, digest: &str, corpus: &Arc<Corpus>, room: usize) {
        if self.corpora.insert(digest.to_owned(), Arc::clone(corpus)).is_none() {
            self.order.push_back(digest.to_owned());
            self.bytes += corpus.bytes();
        }
        while self.bytes > room {
            let Some(oldest) = self.order.pop_front() else { break };
            if let Some(gone) = self.corpora.remove(&oldest) {
                self.bytes -= gone.bytes();
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use karat::model::CorpusBuilder;

    fn corpus(length: usize) -> Corpus {
        let mut builder = CorpusBuilder::new();
        let _ = builder.begin_document("d");
        builder.set_text(&"x".repeat(length));
        builder.finish()
    }

    #[test]
    fn room_is_kept_and_what_was_used_lately_stays() -> Result<(), Error> {
        let size = corpus(10_000).bytes();
        let cache = CorpusCache::new(size * 2 + size / 2);
        let loads = std::cell::Cell::new(0);
        let get = |digest: &str, length: usize| {
            cache.get(digest, || {
                loads.set(loads.get() + 1);
                Ok(corpus(length))
            })
        };
        get("a", 10_000)?;
        get("b", 10_000)?;
        get("a", 10_000)?;
        assert_eq!(loads.get(), 2);
        // The third takes the place of `b`, which was used before `a`.
        get("c", 10_000)?;
        get("a", 10_000)?;
        assert_eq!(loads.get(), 3);
        get("b", 10_000)?;
        assert_eq!(loads.get(), 4);
        // One that is too large for the cache leaves the others where they are.
        get("huge", 100_000)?;
        get("b", 10_000)?;
        assert_eq!(loads.get(), 5);
        assert!(locked(&cache.kept).bytes <= cache.room);
        Ok(())
    }
}
