//! Counts of parts put together and scored.

use super::{
    ALONE, CountedGold, CountedPurpose, CountedSystem, CountsPlan, EvaluationCounts, NIL, Shard,
};
use crate::error::Error;
use crate::inputs::Spellings;
use crate::notices;
use crate::request::Request;
use crate::scoring::{Board, EvaluationAnswer, EvaluationRequest, Scoring, SystemScores};
use crate::work::Work;
use karat_measures::{Accumulator, CountedDocuments, Evaluation, Gathered, Plan, Scored};
use karat_model::{DocumentDigests, Hint, Link, Notice, Statistics, hash_of};
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, HashSet};

/// Puts the counts of parts together and scores them: the answer is that of an evaluation of all at once.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct MergeRequest {
    /// Files of counts.
    pub parts: Vec<String>,
    /// Whether shards may be missing; the signature then says so.
    pub partial: bool,
}

impl Request for MergeRequest {
    type Answer = EvaluationAnswer;

    const NAME: &'static str = "merge";

    fn answer(&self, work: &Work) -> Result<EvaluationAnswer, Error> {
        let mut parts = Vec::new();
        work.begin("reading", self.parts.len() as u64)?;
        for path in &self.parts {
            parts.push(EvaluationCounts::open(path)?);
            work.check()?;
        }
        let merged = EvaluationCounts::merge(parts)?;
        if !self.partial {
            merged.check_shards()?;
        }
        merged.answer(work)
    }
}

pub(super) fn differ(message: String, hint: impl Into<Hint>) -> Error {
    Error::refused(&notices::PARTS_DIFFER, message, hint)
}

impl EvaluationCounts {
    /// Puts the counts of parts of one benchmark together. They must be of one plan, and no document may be in
    /// two of them.
    pub fn merge(parts: impl IntoIterator<Item = EvaluationCounts>) -> Result<Self, Error> {
        let mut parts = parts.into_iter();
        let Some(mut all) = parts.next() else {
            return Err(Error::bad_request("there are no counts to put together", "give some"));
        };
        // Names, not hashes: two documents of the same hash would be refused as one, and names are
        // in memory anyway.
        let mut known = vec![HashSet::new(); all.systems.len()];
        all.check_documents(&mut known)?;
        for part in parts {
            all.check_plan(&part)?;
            part.check_documents(&mut known)?;
            all.take_over(part);
        }
        Ok(all)
    }

    /// Refuses a document that was counted before. `known` has the names that each system had so far.
    fn check_documents(&self, known: &mut [HashSet<String>]) -> Result<(), Error> {
        for (system, known) in self.systems.iter().zip(known) {
            for row in &system.documents {
                if !known.insert(row.document.clone()) {
                    return Err(twice(&row.document));
                }
            }
        }
        Ok(())
    }

    fn check_plan(&self, other: &EvaluationCounts) -> Result<(), Error> {
        let (plan, others) = (&self.plan, &other.plan);
        let differences = [
            ("settings", plan.settings != others.settings || plan.by_name != others.by_name),
            ("gold standards", plan.benchmark != others.benchmark),
            ("systems", plan.systems != others.systems),
            ("measures", plan.measures != others.measures),
            ("requests", plan != others),
            ("systems", self.systems.len() != other.systems.len()),
        ];
        // The order matters: the first difference that explains the others is told, and `requests`
        // only if nothing more exact is known.
        match differences.iter().find(|(_, differs)| *differs) {
            Some(("settings", _)) => Err(differ(
                format!("counts of two conventions: `{}` and `{}`", plan.settings, others.settings),
                "count all parts with the same settings",
            )),
            Some((what, _)) => Err(differ(
                format!("counts of different {what}"),
                "count all parts with the same request, and give gold and systems the same names",
            )),
            // Whichever part decided between them would have decided otherwise with the others at
            // hand.
            None if self.gold.ties || other.gold.ties => Err(Error::refused(
                &notices::NOT_IN_PARTS,
                "a document says two things of one span, which only the rest of the corpus tells apart",
                "count shards of the whole input instead of files of their own",
            )),
            None => Ok(()),
        }
    }

    /// Refuses shards of which some are missing.
    fn check_shards(&self) -> Result<(), Error> {
        let Some(Shard { of, .. }) = self.gold.shards.first().copied() else { return Ok(()) };
        let mut shards = self.gold.shards.clone();
        shards.sort_unstable();
        if shards.iter().any(|shard| shard.of != of) {
            return Err(differ(
                "shards of different numbers of shards".to_owned(),
                "cut the corpus once",
            ));
        }
        let missing = (0..of).find(|index| !shards.iter().any(|shard| shard.index == *index));
        match missing {
            Some(index) => Err(differ(
                format!("shard {index} of {of} is missing"),
                Hint::template("count it, or score what is there with {partial}"),
            )),
            None => Ok(()),
        }
    }

    fn take_over(&mut self, part: EvaluationCounts) {
        self.gold.take_over(part.gold);
        for (system, part) in self.systems.iter_mut().zip(part.systems) {
            system.silent_documents += part.silent_documents;
            system.unknown_documents.extend(part.unknown_documents);
            if let (Some(all), Some(part)) = (&mut system.digests, part.digests) {
                all.merge(part);
            }
            system.documents.extend(part.documents);
            for (all, part) in system.found.iter_mut().zip(part.found) {
                if let (Some(all), Some(part)) = (all, part) {
                    all.extend(part);
                }
            }
            for (all, part) in system.purposes.iter_mut().zip(part.purposes) {
                all.gold += part.gold;
                all.cells.extend(part.cells);
                all.confidences.extend(part.confidences);
            }
        }
    }

    /// The scores of what was counted, as if it had been evaluated at once.
    pub fn answer(&self, work: &Work) -> Result<EvaluationAnswer, Error> {
        self.scored(&self.plan.request, self.plan.scoring(work)?, Vec::new(), work)
    }

    /// The answer to a request that counts the same as was counted, and may draw otherwise.
    pub fn answer_to(
        &self,
        request: &EvaluationRequest,
        work: &Work,
    ) -> Result<EvaluationAnswer, Error> {
        let mut told = Vec::new();
        let mut scoring = request.scoring(work, &mut told)?;
        self.compare_ids_as_counted(&mut scoring);
        self.scored(request, scoring, told, work)
    }

    /// Compares ids by what they name, if they were when they were counted.
    pub(crate) fn compare_ids_as_counted(&self, scoring: &mut Scoring) {
        if self.plan.by_name {
            let Scoring { convention, identity, .. } = scoring;
            Spellings::compare_by_name(convention, identity);
        }
    }

    /// Refuses measures that are not those that were counted.
    pub(crate) fn check_measures(&self, scoring: &Scoring) -> Result<(), Error> {
        match scoring.counted_measures() == self.plan.measures {
            true => Ok(()),
            false => Err(differ(
                "the measures of the counts are not those that their request gives".to_owned(),
                "take the counts again with this version of karat",
            )),
        }
    }

    fn scored(
        &self,
        request: &EvaluationRequest,
        mut scoring: Scoring,
        mut told: Vec<Notice>,
        work: &Work,
    ) -> Result<EvaluationAnswer, Error> {
        // Parts without clusters of NIL have counted them all the same.
        let mut counting = scoring.clone();
        request.extend_by_nil_clusters(&mut counting)?;
        self.check_measures(&counting)?;
        if self.gold.nil_clusters {
            scoring.selection = counting.selection.clone();
        }
        let plan = counting.plan();
        work.begin("scoring", self.systems.len() as u64)?;
        let mut systems = Vec::new();
        for (name, counted) in self.plan.systems.iter().zip(&self.systems) {
            systems.push(work.install(|| scoring.score_counts(&plan, name, counted))?);
            work.check()?;
        }
        scoring.find_common_means(&mut systems);
        let board = self.board(&scoring, systems);
        told.extend(self.gold.notices.iter().cloned());
        told.extend(board.notices(&scoring));
        told.extend(self.gold.remarks.iter().cloned());
        request.answer_of(&[board], &scoring, told)
    }

    fn board(&self, scoring: &Scoring, systems: Vec<SystemScores>) -> Board {
        let gold = &self.gold;
        let digest = gold.digests.clone().finish();
        let mut signature = scoring.signature_of(&self.plan.benchmark, digest);
        // Some shards are missing, which was asked for; the numbers must not look like those of the
        // whole.
        if let Some(of) = gold.shards.first().map(|shard| shard.of as usize)
            && of != gold.shards.len()
        {
            signature.push("shards", &format!("{}/{of}", gold.shards.len()));
        }
        Board {
            benchmark: self.plan.benchmark.clone(),
            signature,
            gold: Statistics {
                documents: gold.documents,
                annotations: gold.annotations,
                linked: gold.linked,
                nil: gold.nil,
                optional: gold.optional,
                entities: gold.entities.len(),
                ..Statistics::default()
            },
            digest,
            selection: scoring.selection.clone(),
            level: scoring.bootstrap.map(|bootstrap| bootstrap.level),
            systems,
            similarities: Vec::new(),
        }
    }
}

fn twice(document: &str) -> Error {
    differ(
        format!("the document `{document}` is in two parts"),
        "give each part once; parts must have different documents",
    )
}

impl CountedGold {
    fn take_over(&mut self, part: CountedGold) {
        self.shards.extend(part.shards);
        self.documents += part.documents;
        self.annotations += part.annotations;
        self.linked += part.linked;
        self.nil += part.nil;
        self.optional += part.optional;
        self.entities.extend(part.entities);
        self.nil_clusters |= part.nil_clusters;
        self.digests.merge(part.digests);
        self.tell(part.notices, part.remarks);
    }

    /// Adds what was told of another part. Shards of one input are told the same, and so are runs of one benchmark.
    pub(super) fn tell(&mut self, notices: Vec<Notice>, remarks: Vec<Notice>) {
        for (all, part) in [(&mut self.notices, notices), (&mut self.remarks, remarks)] {
            let is_new = |notice: &Notice| !all.contains(notice);
            let new: Vec<Notice> = part.into_iter().filter(is_new).collect();
            all.extend(new);
        }
    }
}

impl CountsPlan {
    /// Everything that decides the numbers, made from the request again.
    fn scoring(&self, work: &Work) -> Result<Scoring, Error> {
        let mut scoring = self.request.scoring(work, &mut Vec::new())?;
        if self.by_name {
            let Scoring { convention, identity, .. } = &mut scoring;
            Spellings::compare_by_name(convention, identity);
        }
        // Made from the request again and compared: a newer karat or another knowledge base would
        // score the counts differently.
        let settings = scoring.settings();
        match settings == self.settings {
            true => Ok(scoring),
            false => Err(differ(
                format!("counts of `{}` would be scored as `{settings}`", self.settings),
                "use the karat, the knowledge base and the files they were counted with",
            )),
        }
    }
}

impl Scoring {
    fn score_counts(
        &self,
        plan: &Plan,
        name: &str,
        counted: &CountedSystem,
    ) -> Result<SystemScores, Error> {
        let mut evaluation = counted.evaluation(plan, name)?;
        // The measures of NIL clusters were counted in case another part has some, and are left out
        // if none has.
        evaluation.results.truncate(self.selection.measures.len());
        let intervals = self.intervals(&evaluation, None);
        Ok(SystemScores {
            name: name.to_owned(),
            source: counted.source.clone(),
            digest: (counted.digests.clone())
                .filter(|_| self.digest_systems)
                .map(DocumentDigests::finish),
            intervals: intervals.whole,
            slice_intervals: intervals.slices,
            silent_documents: counted.silent_documents,
            unknown_documents: counted.unknown_documents.clone(),
            tuned: None,
            common: Vec::new(),
            common_means: Vec::new(),
            evaluation,
        })
    }
}

impl CountedSystem {
    /// What was counted, as if it had been counted now.
    pub(crate) fn evaluation(&self, plan: &Plan, name: &str) -> Result<Evaluation, Error> {
        let unfit = || {
            differ(
                format!("the counts of `{name}` do not fit their measures"),
                "the file is damaged; count again",
            )
        };
        let mut accumulator = Accumulator::new(plan);
        // Uneven rows can add up to the right length, and every count would be in another column.
        let columns = accumulator.columns();
        if let Some(row) = self.documents.iter().find(|row| row.counts.len() != columns) {
            let (document, found) = (&row.document, row.counts.len());
            return Err(differ(
                format!("`{document}` of `{name}` has {found} counts, its measures have {columns}"),
                "the file is damaged; count again",
            ));
        }
        if self.purposes.len() != accumulator.purposes() {
            return Err(unfit());
        }
        let rows = self.documents.iter();
        let counts = CountedDocuments {
            documents: rows.clone().map(|row| hash_of(row.document.as_bytes())).collect(),
            rows: rows.flat_map(|row| &row.counts).copied().collect(),
            gathered: self
                .purposes
                .iter()
                .map(CountedPurpose::gathered)
                .collect::<Result<_, _>>()?,
        };
        if !accumulator.add_counts(counts) {
            return Err(unfit());
        }
        Ok(accumulator.finish())
    }
}

/// A file can claim any number of items; memory cannot hold as many.
const MOST_ITEMS: u64 = 10_000_000;

impl CountedPurpose {
    fn gathered(&self) -> Result<Gathered, Error> {
        let items = self.cells.iter().map(|cell| cell.items);
        let items = items.chain(self.confidences.iter().map(|row| row.items));
        let items = items.fold(0u64, u64::saturating_add);
        // Checked before they are unfolded: a line of 30 bytes can claim 2^64 items.
        if items > MOST_ITEMS {
            let message = format!("counts of {items} items in clusters: {MOST_ITEMS} is the limit");
            return Err(differ(message, "score fewer documents together"));
        }
        let mut gathered = Gathered::default();
        gathered.gold = self.gold;
        let numbers = self.numbers();
        let code = |key: &Option<String>| match key.as_deref() {
            None => Gathered::ABSENT,
            Some(ALONE) => Gathered::ALONE,
            Some(NIL) => Link::NIL.code(),
            Some(key) => numbers.get(key).copied().unwrap_or(Gathered::ABSENT),
        };
        for cell in &self.cells {
            let row = [code(&cell.gold_key), code(&cell.system_key)];
            gathered.clusters.extend(std::iter::repeat_n(row, cell.items as usize));
        }
        for row in &self.confidences {
            let scored =
                Scored { confidence: row.confidence.unwrap_or(f64::NAN), right: row.right };
            gathered.scored.extend(std::iter::repeat_n(scored, row.items as usize));
        }
        Ok(gathered)
    }

    /// Numbers for all clusters, in the order of their keys.
    fn numbers(&self) -> BTreeMap<&str, u32> {
        // A sorted map, so that the same clusters have the same numbers whatever the order of the parts:
        // sums of floats depend on the order in which clusters are gone through.
        let all = self.cells.iter().flat_map(|cell| [&cell.gold_key, &cell.system_key]);
        let mut numbers: BTreeMap<&str, u32> =
            all.filter_map(|key| Some((key.as_deref()?, 0))).collect();
        numbers.values_mut().zip(0..).for_each(|(number, at)| *number = at);
        numbers
    }
}
