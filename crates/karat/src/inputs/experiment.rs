//! What is compared with what: benchmarks, and the runs of systems on them.

use super::offsets::Counting;
use super::reading::{ReadInput, counted};
use crate::notices;
use karat_measures::Convention;
use karat_model::{Annotation, Corpus, Digest, Hint, Notice, Role};
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// A gold standard.
///
/// The corpus is shared, not copied: a server keeps one in memory and answers many requests about it.
#[derive(Debug, Clone)]
pub struct Benchmark {
    /// What it is called.
    pub name: String,
    /// Its documents and gold annotations.
    pub corpus: Arc<Corpus>,
    /// How its offsets count; `None` for several benchmarks as one, where each counts its own way.
    pub(super) counting: Option<Counting>,
}

/// The output of a system on a benchmark, with offsets that count as those of gold do.
#[derive(Debug, Clone)]
pub struct Run {
    /// What the system is called.
    pub name: String,
    /// Where the output was read from; empty for one that is not from a file.
    pub source: String,
    /// What the system says.
    pub corpus: Arc<Corpus>,
}

/// A benchmark and the runs that are scored on it.
#[derive(Debug, Clone)]
pub struct Experiment {
    /// The benchmark.
    pub benchmark: Benchmark,
    /// The runs, in the order given.
    pub runs: Vec<Run>,
}

/// What was compared with what, by digests: names and places of files change, these do not.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ComparedDigests {
    /// The benchmark.
    pub benchmark: String,
    /// The digest of its gold standard.
    pub gold: Digest,
    /// The outputs of systems, in the order given.
    pub systems: Vec<OutputDigest>,
}

/// The digest of an output.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct OutputDigest {
    /// What the system is called.
    pub name: String,
    /// Where its output was read from.
    pub source: String,
    /// The digest of the output.
    pub digest: Digest,
}

/// Which documents of a benchmark a run speaks of.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Coverage {
    /// How many documents the benchmark has.
    pub documents: usize,
    /// Documents of gold about which the run says nothing.
    pub silent: usize,
    /// Documents that gold does not have.
    pub unknown: Vec<String>,
}

impl Benchmark {
    /// A gold standard that is in memory already, with offsets in code points.
    pub fn new(name: impl Into<String>, corpus: impl Into<Arc<Corpus>>) -> Benchmark {
        let counting = Some(Counting::default());
        Benchmark { name: name.into(), corpus: corpus.into(), counting }
    }

    /// A gold standard as it was read.
    pub(crate) fn of(read: ReadInput) -> Benchmark {
        let counting = Some(Counting::from(&read.outcome));
        Benchmark { name: read.name, corpus: Arc::new(read.outcome.corpus), counting }
    }

    /// Whether it is several benchmarks as one.
    pub fn is_unified(&self) -> bool {
        self.counting.is_none()
    }

    /// Gold that is a part of itself, as ELEVANT writes two labels on one span, counts nowhere.
    pub(super) fn without_root(&self) -> Option<Notice> {
        let mut count = 0;
        let mut first = None;
        for document in self.corpus.documents() {
            // Almost no document has parts, and to look for cycles costs more than to look for
            // parts.
            if !document.mentions().any(|mention| mention.place().is_some()) {
                continue;
            }
            let rootless = document.mentions().zip(karat_checks::rootless(&document));
            for (mention, _) in rootless.filter(|(_, is_rootless)| *is_rootless) {
                count += 1;
                first.get_or_insert_with(|| format!("{} of `{}`", mention.span(), document.name()));
            }
        }
        let first = first?;
        let mentions = match count {
            1 => "1 mention that is a part of itself".to_owned(),
            count => format!("{count} mentions that are parts of themselves"),
        };
        let message = format!(
            "`{}` has {mentions}, directly or through others, and so counted nowhere; the first is {first}",
            self.name
        );
        let notice = notices::NO_ROOT.notice(message).about(&self.name);
        Some(notice.hint("`karat validate GOLD` lists them"))
    }

    /// GERBIL takes ids without a known address for NIL, which surprises everybody once.
    pub fn nothing_known(&self, convention: &Convention) -> Option<Notice> {
        let ids = || {
            let mentions = self.corpus.documents().flat_map(|document| document.mentions());
            mentions.filter_map(|mention| mention.entity())
        };
        let example = ids().next()?;
        if ids().any(|id| convention.knowledge.knows(id)) {
            return None;
        }
        let message = format!(
            "the preset takes every id of `{}` for NIL: none has the address of a knowledge base it knows, as \
             http://www.wikidata.org/entity/Q64 has; `{example}` has not",
            self.name
        );
        let hint = Hint::template("{in-kb=every-id} takes them for what they are");
        Some(notices::NOTHING_KNOWN.notice(message).about(&self.name).hint(hint))
    }
}

impl Run {
    /// The output of a system that is in memory already, with offsets that count as those of gold.
    pub fn new(name: impl Into<String>, corpus: impl Into<Arc<Corpus>>) -> Run {
        Run { name: name.into(), source: String::new(), corpus: corpus.into() }
    }

    /// A threshold on confidence means nothing where there is none.
    pub(crate) fn without_confidence(&self, convention: &Convention) -> Option<Notice> {
        let threshold = convention.settings.threshold?;
        let annotations = self.corpus.annotations();
        let is_unsure = |annotation: &Annotation| annotation.confidence.is_nan();
        if annotations.is_empty() || !annotations.iter().all(is_unsure) {
            return None;
        }
        let message = format!(
            "no answer of `{}` has a confidence, so that the threshold of {threshold} leaves none out",
            self.name
        );
        let hint = Hint::template("leave {threshold} out, or give an output with scores");
        Some(notices::NO_CONFIDENCE.notice(message).about(&self.name).hint(hint))
    }

    /// A file of gold that is given as a system has nothing that could be scored.
    pub(super) fn all_gold(&self) -> Option<Notice> {
        let annotations = self.corpus.annotations();
        let is_gold = |annotation: &Annotation| !Role::System.plays(annotation.flags);
        let all = !annotations.is_empty() && annotations.iter().all(is_gold);
        all.then(|| {
            let message = format!(
                "all annotations of `{}` are marked as gold, and none as those of a system",
                self.name
            );
            notices::ALL_GOLD.notice(message).about(&self.name).hint(Hint::template(
                "they do not count; `karat convert IN OUT {to=neleval}` leaves the marks out, so that they are answers",
            ))
        })
    }
}

impl Experiment {
    /// The digests of gold and runs.
    pub fn digests(&self) -> ComparedDigests {
        let systems = self.runs.iter().map(|run| OutputDigest {
            name: run.name.clone(),
            source: run.source.clone(),
            digest: run.corpus.digest(),
        });
        ComparedDigests {
            benchmark: self.benchmark.name.clone(),
            gold: self.benchmark.corpus.digest(),
            systems: systems.collect(),
        }
    }

    /// Which documents of the benchmark a run speaks of.
    pub fn coverage(&self, run: &Run) -> Coverage {
        let gold = &self.benchmark.corpus;
        let silent =
            gold.documents().filter(|document| run.corpus.document(document.name()).is_none());
        let names = run.corpus.documents().map(|document| document.name());
        let unknown = names.filter(|name| gold.document(name).is_none());
        Coverage {
            documents: gold.len(),
            silent: silent.count(),
            unknown: unknown.map(str::to_owned).collect(),
        }
    }

    /// What has to be known of the documents of all runs.
    pub fn coverage_notices(&self) -> Vec<Notice> {
        let of_run = |run: &Run| self.coverage(run).notices(&run.name, &self.benchmark.name, true);
        self.runs.iter().flat_map(of_run).collect()
    }
}

impl Coverage {
    /// A result over documents that do not meet is no result. `counts` says whether what is said of documents
    /// that gold does not have counts as wrong: not where mentions were given.
    pub fn notices(&self, system: &str, benchmark: &str, counts: bool) -> Vec<Notice> {
        let mut told = Vec::new();
        if !self.unknown.is_empty() {
            // Parts, streams and whole files have documents in different orders.
            let mut names: Vec<&String> = self.unknown.iter().collect();
            names.sort_unstable();
            let some: Vec<String> = names.iter().take(3).map(|name| format!("`{name}`")).collect();
            told.push(notices::UNKNOWN_DOCUMENTS.notice(format!(
                "`{system}` has {} that `{benchmark}` does not know ({}{}); what it says there {}",
                counted(self.unknown.len(), "document"),
                some.join(", "),
                if self.unknown.len() > 3 { ", ..." } else { "" },
                if counts { "counts as wrong" } else { "is left out, as mentions are given" },
            )));
        }
        // A few documents without answers are normal; a tenth of the benchmark is not.
        if self.silent * 10 > self.documents {
            let notice = notices::SILENT_DOCUMENTS.notice(format!(
                "`{system}` says nothing about {} of {}; they count as empty",
                self.silent,
                counted(self.documents, "document"),
            ));
            // Nothing met at all: more likely the wrong file than a system that is silent.
            told.push(match self.silent == self.documents && !self.unknown.is_empty() {
                true => notice
                    .hint("documents are lined up by name; are these files of the same benchmark?"),
                false => notice,
            });
        }
        told.into_iter().map(|notice| notice.about(system)).collect()
    }
}
