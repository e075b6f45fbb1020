//! Taking counts out of an evaluation.

use super::{
    ALONE, ClusterCell, ConfidenceCount, CountedGold, CountedMeasure, CountedPurpose,
    CountedSystem, CountsPlan, DocumentCounts, EvaluationCounts, NIL, Shard, VERSION,
};
use crate::comparison::found_by;
use crate::error::Error;
use crate::inputs::{Experiment, FileDescription, InputRequest, Inputs, ReadingRequest, Repeats};
use crate::inputs::{Run, Spellings};
use crate::notices;
use crate::request::{Answer, Request, record};
use crate::scoring::{EvaluationRequest, Scoring, check_attributes};
use crate::work::Work;
use karat_match::Pairing;
use karat_measures::{Accumulator, Compute, CountedDocuments, Gathered, Plan, Scored};
use karat_model::{Corpus, Digest, DocumentDigests, Hint, Link, Notice, hash_of};
use karat_report::{Deferred, Report};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// Counts the documents of an evaluation, or of a shard of it, without scoring them.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct CountsRequest {
    /// The evaluation.
    pub evaluation: EvaluationRequest,
    /// The shard that is counted; all documents if there is none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub shard: Option<Shard>,
    /// Whether it is noted which gold mentions were found, which comparisons need.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub mentions: bool,
    /// Whether ids are compared by what they name even if these two files spell them alike: another run of the same
    /// comparison does not.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub by_name: bool,
}

impl Request for CountsRequest {
    type Answer = EvaluationCounts;

    const NAME: &'static str = "counts";

    fn answer(&self, work: &Work) -> Result<EvaluationCounts, Error> {
        let request = &self.evaluation;
        if let Some(Shard { index, of }) = self.shard.filter(|shard| shard.index >= shard.of) {
            let message = format!("there is no shard {index} of {of}");
            return Err(Error::bad_request(message, "shards are numbered from 0"));
        }
        request.check_counts()?;
        let mut told = Vec::new();
        let mut scoring = request.scoring(work, &mut told)?;
        let mut experiments = request.inputs.read(Repeats::Refused, work, &mut told)?;
        let Some(experiment) = experiments.pop() else {
            return Err(one_gold());
        };
        let experiment = std::slice::from_ref(&experiment);
        check_attributes(&scoring.selection, experiment)?;
        let Scoring { convention, identity, .. } = &mut scoring;
        let mut by_name = Spellings::settle(experiment, convention, identity, &mut told);
        if self.by_name && !by_name {
            Spellings::compare_by_name(convention, identity);
            by_name = true;
        }
        // Counted whether or not this part has clusters of NIL, because another part may have some.
        request.extend_by_nil_clusters(&mut scoring)?;
        scoring.check_counts(experiment)?;
        work.begin("counting", 1)?;
        let [experiment] = experiment else { return Err(one_gold()) };
        let mut counts = work.install(|| scoring.count(experiment, self));
        counts.plan.request = request.without_files();
        counts.plan.by_name = by_name;
        counts.gold.notices = told;
        scoring.identity.check()?;
        Ok(counts)
    }
}

impl Answer for EvaluationCounts {
    fn notices(&self) -> &[Notice] {
        &self.gold.notices
    }

    fn report(&self) -> Report<'_> {
        Report { record: Some(Deferred::by(|| record(self))), ..Report::default() }
    }
}

fn one_gold() -> Error {
    Error::bad_request("counts are of one gold standard", Hint::template("give one {gold}"))
}

fn refused(what: &str, hint: Hint) -> Error {
    Error::refused(&notices::NOT_IN_PARTS, format!("{what} needs all documents at once"), hint)
}

impl EvaluationRequest {
    /// Refuses what cannot be made of the counts of parts.
    pub(super) fn check_counts(&self) -> Result<(), Error> {
        let needs_all = [
            (self.similarity, "similarity"),
            (self.tune.is_some(), "tune"),
            (self.curve, "curve"),
            (!self.group_by.is_empty(), "group-by"),
            (self.drawing.strata.is_some(), "strata"),
            (self.drawing.clusters.is_some(), "clusters"),
            (self.inputs.unified, "unified"),
        ];
        match needs_all.iter().find(|(asked, _)| *asked) {
            Some((_, name)) => Err(refused(&format!("`{name}`"), Hint::from("leave it out"))),
            None if self.inputs.gold.len() != 1 => Err(one_gold()),
            None => Ok(()),
        }
    }

    /// The same request without what differs from part to part.
    fn without_files(&self) -> EvaluationRequest {
        // How an input was read is in the signature, by the name of the input.
        let described = |input: &InputRequest| {
            (!input.describe.is_empty()).then(|| InputRequest {
                name: Some(input.called()),
                describe: FileDescription { from: None, ..input.describe.clone() },
                ..InputRequest::default()
            })
        };
        let Inputs { gold, systems, reading, .. } = &self.inputs;
        let inputs = Inputs {
            gold: gold.iter().filter_map(described).collect(),
            systems: systems.iter().filter_map(described).collect(),
            reading: ReadingRequest {
                strict: reading.strict,
                describe: FileDescription { from: None, ..reading.describe.clone() },
                lenient: reading.lenient,
                ..ReadingRequest::default()
            },
            ..self.inputs.clone()
        };
        EvaluationRequest { inputs, stream: false, ..self.clone() }
    }
}

impl Scoring {
    /// Refuses measures that cannot be made of the counts of parts.
    fn check_counts(&self, experiments: &[Experiment]) -> Result<(), Error> {
        if self.convention.oracle {
            let what = "a threshold that is chosen on the data itself";
            return Err(refused(what, Hint::template("say {threshold=none}")));
        }
        let several = experiments.iter().any(|experiment| experiment.runs.len() > 1);
        for measure in &self.selection.measures {
            let name = format!("`{}`", measure.name);
            match &measure.compute {
                Compute::Corpus(compute) if !compute.can_be_merged() => {
                    return Err(refused(&name, Hint::from("leave it out")));
                }
                // What all systems found is compared over all of them.
                Compute::Documents(_) if several && measure.compute.is_of_linking_alone() => {
                    let what = format!("{name} of several systems");
                    return Err(refused(&what, Hint::from("count one system at a time")));
                }
                _ => {}
            }
        }
        Ok(())
    }

    /// Counts the documents of a shard. The whole of gold and runs is at hand, so that whatever a shard
    /// is, its documents have the counts they have among all.
    fn count(&self, experiment: &Experiment, request: &CountsRequest) -> EvaluationCounts {
        let shard = request.shard;
        let is_counted = |name: &str| shard.is_none_or(|shard| shard.has(name));
        let gold = &experiment.benchmark.corpus;
        let plan = Plan { keep_documents: true, ..self.plan() };
        let mut counted = match shard {
            None => CountedGold::of(gold),
            Some(shard) => CountedGold {
                shards: vec![shard],
                ..CountedGold::of(&gold.only_documents(is_counted))
            },
        };
        let mut systems = Vec::new();
        for run in &experiment.runs {
            // The pairing is of all documents even for a shard: which spellings are one entity is
            // decided by the whole corpus.
            let pairing = Pairing::new(gold, &run.corpus, &self.identity);
            let places: Vec<usize> =
                (0..pairing.len()).filter(|&at| is_counted(pairing.name(at))).collect();
            let mut accumulator = Accumulator::new(&plan);
            accumulator.add_some(&pairing, &places);
            let counts = accumulator.into_counts();
            let mut system = self.counted_system(run, &pairing, &places, counts);
            if request.mentions {
                let measures = self.selection.measures.iter();
                system.found = measures.map(|it| found_mentions(&pairing, &places, it)).collect();
            }
            systems.push(system);
            // A shard sees the whole corpus and decides as the whole does; only separate files
            // decide for themselves.
            counted.ties |= shard.is_none() && pairing.was_asked_everywhere();
        }
        if self.digest_systems {
            for (system, run) in systems.iter_mut().zip(&experiment.runs) {
                system.digests = Some(DocumentDigests::of(&run.corpus.only_documents(is_counted)));
            }
        }
        counted.remarks = self.remarks_on(experiment);
        EvaluationCounts { plan: self.counts_plan(experiment), gold: counted, systems }
    }

    fn counted_system(
        &self,
        run: &Run,
        pairing: &Pairing<'_>,
        places: &[usize],
        counts: CountedDocuments,
    ) -> CountedSystem {
        let CountedDocuments { rows, gathered, .. } = counts;
        let width = rows.len() / places.len().max(1);
        let row = |(at, &place): (usize, &usize)| DocumentCounts {
            document: pairing.name(place).to_owned(),
            counts: rows[at * width..(at + 1) * width].to_vec(),
        };
        let has_cells = gathered.iter().any(|gathered| !gathered.clusters.is_empty());
        let names = match has_cells {
            true => cluster_keys(&pairing.link_names(&self.identity)),
            false => BTreeMap::new(),
        };
        let of_gold = |place: &&usize| pairing.places()[**place].gold.is_some();
        let silent = |place: &&usize| pairing.places()[**place].system.is_none();
        CountedSystem {
            source: run.source.clone(),
            silent_documents: places.iter().filter(silent).count(),
            unknown_documents: places
                .iter()
                .filter(|place| !of_gold(place))
                .map(|&place| pairing.name(place).to_owned())
                .collect(),
            digests: None,
            documents: places.iter().enumerate().map(row).collect(),
            found: Vec::new(),
            purposes: gathered
                .iter()
                .map(|gathered| CountedPurpose::of(gathered, &names))
                .collect(),
        }
    }

    /// The plan of these counts, but for the request.
    fn counts_plan(&self, experiment: &Experiment) -> CountsPlan {
        CountsPlan {
            version: VERSION,
            settings: self.settings(),
            request: EvaluationRequest::default(),
            by_name: false,
            benchmark: experiment.benchmark.name.clone(),
            systems: experiment.runs.iter().map(|run| run.name.clone()).collect(),
            measures: self.counted_measures(),
        }
    }

    pub(super) fn counted_measures(&self) -> Vec<CountedMeasure> {
        let columns = |compute: &Compute| match compute {
            Compute::Documents(compute) => compute.columns(),
            Compute::Corpus(_) => &[],
        };
        let measure = |measure: &karat_measures::Measure| CountedMeasure {
            name: measure.name.clone(),
            measure: measure.canonical.clone(),
            columns: columns(&measure.compute).iter().map(|name| (*name).to_owned()).collect(),
        };
        self.selection.measures.iter().map(measure).collect()
    }
}

impl Shard {
    /// Whether a document belongs to it.
    pub fn has(&self, document: &str) -> bool {
        // By a hash of the name, so that each machine finds its shard without knowing the others,
        // and the shards are about equally large.
        hash_of(document.as_bytes()) % u64::from(self.of.max(1)) == u64::from(self.index)
    }
}

impl CountedGold {
    fn of(gold: &Corpus) -> CountedGold {
        let counts = gold.statistics();
        let entities = gold.annotations().iter().filter_map(|annotation| annotation.link.entity());
        CountedGold {
            documents: counts.documents,
            annotations: counts.annotations,
            linked: counts.linked,
            nil: counts.nil,
            optional: counts.optional,
            entities: entities.map(|id| hash_of(gold.strings().get(id).as_bytes())).collect(),
            nil_clusters: counts.nil_clusters > 0,
            digests: DocumentDigests::of(gold),
            ..CountedGold::default()
        }
    }
}

impl CountedPurpose {
    fn of(gathered: &Gathered, names: &BTreeMap<u32, String>) -> CountedPurpose {
        let mut clusters = gathered.clusters.clone();
        clusters.sort_unstable();
        let key = |code: u32| match code {
            Gathered::ABSENT => None,
            Gathered::ALONE => Some(ALONE.to_owned()),
            code if code == Link::NIL.code() => Some(NIL.to_owned()),
            code => names.get(&code).cloned(),
        };
        let cell = |run: &[[u32; 2]]| ClusterCell {
            gold_key: key(run[0][0]),
            system_key: key(run[0][1]),
            items: run.len() as u64,
        };
        let mut cells: Vec<ClusterCell> = clusters.chunk_by(|a, b| a == b).map(cell).collect();
        // Sorted by their names: codes are numbers of one pairing and differ from part to part.
        cells.sort_unstable();
        let mut scored = gathered.scored.clone();
        let order = |a: &Scored, b: &Scored| {
            // `total_cmp`, because predictions without a confidence have NaN, which must sort
            // somewhere.
            a.confidence.total_cmp(&b.confidence).then(a.right.cmp(&b.right))
        };
        scored.sort_by(order);
        let confidence = |run: &[Scored]| ConfidenceCount {
            confidence: Some(run[0].confidence).filter(|confidence| !confidence.is_nan()),
            right: run[0].right,
            items: run.len() as u64,
        };
        let confidences = scored.chunk_by(|a, b| order(a, b).is_eq()).map(confidence);
        CountedPurpose { gold: gathered.gold, cells, confidences: confidences.collect() }
    }
}

/// Which gold mentions were found, a sign for each.
fn found_mentions(
    pairing: &Pairing<'_>,
    places: &[usize],
    measure: &karat_measures::Measure,
) -> Option<Vec<String>> {
    let sign = |found: &Option<bool>| match found {
        Some(true) => '+',
        Some(false) => '-',
        None => '.',
    };
    let documents = found_by(pairing, places, measure, &measure.settings)?;
    Some(documents.iter().map(|document| document.iter().map(sign).collect()).collect())
}

/// What clusters are called everywhere, by their codes in one pairing.
fn cluster_keys(names: &BTreeMap<u32, String>) -> BTreeMap<u32, String> {
    // Entities and clusters of NIL may have one name.
    const NIL_CLUSTERS: u32 = 1 << 31;
    let key = |(code, name): (&u32, &String)| {
        let kind: &[u8] = if code & NIL_CLUSTERS == 0 { b"entity " } else { b"nil " };
        // A digest instead of the name: files of counts go between machines, and names may be long.
        let mut digits = Digest::of_pieces([kind, name.as_bytes()]).to_string();
        digits.truncate(32);
        (*code, digits)
    };
    names.iter().map(key).collect()
}
