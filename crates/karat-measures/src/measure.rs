//! What a measure is.

use crate::clustering::Contingency;
use crate::hierarchy::Hierarchy;
use crate::parameter::{MeasureContext, Parameter};
use crate::preset::Convention;
use crate::score::{Credit, Prf, Zero};
use crate::type_weights::TypeWeights;
use karat_kb::KnowledgeBase;
use karat_match::{Case, Criteria, Scene, Settings};
use std::collections::BTreeMap;
use std::sync::{Arc, OnceLock};

/// A measure as the registry knows it: one per file.
#[derive(Debug)]
pub struct Definition {
    /// Its name, unique.
    pub name: &'static str,
    /// Other names for it, those of other tools first of all.
    pub aliases: &'static [&'static str],
    /// The groups it belongs to.
    pub groups: &'static [&'static str],
    /// The text of the file that defines it; its head is what users read.
    pub file: &'static str,
    /// The parameters it takes in brackets, beyond the settings of matching.
    pub parameters: &'static [&'static dyn Parameter],
    /// What it counts, where its name gives these parameters.
    pub compute: fn(&MeasureContext<'_>) -> Compute,
}

/// What a name says in brackets.
pub type Parameters = BTreeMap<String, String>;

/// How a measure is computed.
#[derive(Debug, Clone)]
pub enum Compute {
    /// Document by document; the counts of documents add up.
    Documents(Arc<dyn DocumentMeasure>),
    /// From all documents at once.
    Corpus(Arc<dyn CorpusMeasure>),
}

impl Compute {
    /// What its counts are as credit and lack of it on both sides; `None` for measures without
    /// precision and recall.
    pub fn credit(&self, counts: &[f64]) -> Option<Credit> {
        match self {
            Compute::Documents(measure) => measure.credit(counts),
            Compute::Corpus(measure) => measure.credit(counts),
        }
    }

    /// Whether it still has credit in a part that is a gold standard of its own.
    pub fn credits_parts(&self) -> bool {
        match self {
            Compute::Documents(measure) => {
                let mut counts = vec![0.0; measure.columns().len()];
                measure.forget_in_part(&mut counts);
                measure.credit(&counts).is_some()
            }
            Compute::Corpus(_) => true,
        }
    }

    /// What kind of numbers this credit is.
    pub fn numbers(&self) -> Numbers {
        match self {
            Compute::Documents(measure) => measure.numbers(),
            Compute::Corpus(measure) => measure.numbers(),
        }
    }

    /// Whether it takes one of several mentions on a span and passes over the others.
    pub fn takes_one_of_a_span(&self) -> bool {
        match self {
            Compute::Documents(_) => false,
            Compute::Corpus(measure) => measure.takes_one_of_a_span(),
        }
    }

    /// The names of its counts.
    pub fn columns(&self) -> &'static [&'static str] {
        match self {
            Compute::Documents(measure) => measure.columns(),
            Compute::Corpus(measure) => measure.columns(),
        }
    }

    /// The score that its name alone stands for: F1, which is the last of those that have it; others
    /// have one that matters.
    pub fn headline(&self) -> Option<&'static str> {
        self.empty_scores().names().last()
    }

    /// Whether it has precision, recall and F1.
    pub fn has_f1(&self) -> bool {
        self.empty_scores().has_f1()
    }

    /// Whether it is of linking alone: what was not found does not count.
    pub fn is_of_linking_alone(&self) -> bool {
        matches!(self, Compute::Documents(measure) if measure.is_of_linking_alone())
    }

    /// Whether it compares two outputs, of which neither is gold.
    pub fn compares_outputs(&self) -> bool {
        matches!(self, Compute::Documents(measure) if measure.compares_outputs())
    }

    /// The weight of what is not strict, for measures that weigh gold.
    pub fn alpha(&self) -> Option<f64> {
        match self {
            Compute::Documents(measure) => measure.alpha(),
            Compute::Corpus(_) => None,
        }
    }

    /// The attributes of annotations that it asks about.
    pub fn attributes(&self) -> Vec<&str> {
        match self {
            Compute::Documents(measure) => measure.attributes(),
            Compute::Corpus(measure) => measure.attributes(),
        }
    }

    /// Where the count of this name is among its counts.
    pub fn count_at(&self, name: &str) -> Option<usize> {
        count_at(self.columns(), name)
    }

    /// Its scores where nothing was counted.
    pub fn empty_scores(&self) -> Scores {
        let nothing = vec![0.0; self.columns().len()];
        match self {
            Compute::Documents(measure) => measure.scores(&nothing, Zero::Undefined),
            Compute::Corpus(measure) => measure.scores(&nothing, Zero::Undefined),
        }
    }
}

/// What kind of numbers credit is, whatever its value. neleval prints the kinds differently.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Numbers {
    /// Items are counted.
    Whole,
    /// Items may count in part.
    Fractions,
    /// The same, but the credit for aligning nothing with nothing is a whole nought.
    Aligned,
    /// The same, where precision and recall have alignments of their own.
    AlignedTwice,
}

/// A measure whose counts add up over documents.
///
/// It folds one document into a short vector of counts ([`tally`](DocumentMeasure::tally)), and turns *summed* vectors
/// into scores ([`scores`](DocumentMeasure::scores)). Nothing happens between the two but addition. That is what makes
/// threads, parts of a stream, shards on a cluster, slices, drawing documents again for an interval and
/// exchanging them for a test the same operation: they all add up rows and ask for the score of the sum. A
/// measure that cannot be written this way is a [`CorpusMeasure`].
///
/// # What to write
///
/// Always `columns`, `tally` and `scores`. Beyond these, a measure says what else it can do, and everybody asks
/// it instead of its name:
///
/// - [`cases`](DocumentMeasure::cases) and [`add`](DocumentMeasure::add), if it counts the cases of a matcher. It can then be divided by
///   labels that only cases have. Other measures see, for each label, the mentions that carry it.
/// - [`credit`](DocumentMeasure::credit), if it has precision and recall and its counts are not the four of [`Credit`].
/// - [`prf`](DocumentMeasure::prf), if precision, recall and F1 are all it has. It is only there for speed: means over documents
///   ask for them millions of times.
/// - [`with_base`](DocumentMeasure::with_base), [`with_hierarchy`](DocumentMeasure::with_hierarchy) and [`weighted`](DocumentMeasure::weighted), if it has a use for what
///   they bring. They give the same measure, informed.
/// - the questions with a default answer at the end.
///
/// What its name says in brackets comes from a [`MeasureContext`] when it is made, checked and typed.
///
/// # What must hold
///
/// - `tally` adds to the counts it is given. It neither reads nor clears them, and the same scene adds the same
///   on any thread: a measure keeps no state.
/// - Counts are whole numbers. Credit in parts is rounded to multiples of 2^-26 (`quantised` in `score.rs`), so
///   that sums are exact and no order of documents changes a digit.
/// - There are as many scores, with the same names in the same order, whatever was counted. F1 is called `f1` and is the
///   last of those that have it.
/// - What would divide by nothing is what [`Zero`] says, never a number that was made up.
/// - Adding all cases of a scene gives what `tally` gives.
/// - No output at all is no error.
///
/// The properties that all measures are held to are in `tests/it/properties.rs`.
///
/// ```
/// use karat_kb::Identity;
/// use karat_match::{Pairing, Scene, Settings};
/// use karat_measures::{Compute, Convention, DocumentMeasure, Measure, Plan, Scores, Selection, Zero, evaluate};
/// use karat_model::{CorpusBuilder, Link, Span};
/// use std::sync::Arc;
///
/// /// How many predictions there are for each gold mention.
/// #[derive(Debug)]
/// struct Density;
///
/// impl DocumentMeasure for Density {
///     fn columns(&self) -> &'static [&'static str] {
///         &["predicted", "gold"]
///     }
///
///     fn tally(&self, _: &Settings, scene: &Scene<'_>, counts: &mut [f64]) {
///         counts[0] += scene.system.items.len() as f64;
///         counts[1] += scene.gold.items.len() as f64;
///     }
///
///     fn scores(&self, counts: &[f64], _: Zero) -> Scores {
///         Scores::new([("density", (counts[1] > 0.0).then(|| counts[0] / counts[1]))])
///     }
/// }
///
/// let corpus = |mentions: u32| {
///     let mut builder = CorpusBuilder::new();
///     builder.continue_document("d1");
///     let link = Link::to(builder.intern("Q64"));
///     for at in 0..mentions {
///         builder.annotate(Span::new(at * 10, at * 10 + 6), link);
///     }
///     builder.finish()
/// };
/// let (gold, system) = (corpus(2), corpus(3));
/// let measure = Measure {
///     name: "density".to_owned(),
///     canonical: "density".to_owned(),
///     settings: Settings::default(),
///     compute: Compute::Documents(Arc::new(Density)),
/// };
/// let selection = Selection { measures: vec![measure], ..Selection::default() };
/// let plan = Plan::new(Convention::default(), selection);
/// let found = evaluate(&Pairing::new(&gold, &system, &Identity::new()), &plan);
/// assert_eq!(found.results[0].micro.get("density"), Some(Some(1.5)));
/// ```
pub trait DocumentMeasure: std::fmt::Debug + Send + Sync {
    /// The names of its counts.
    fn columns(&self) -> &'static [&'static str];

    /// Adds what one document counts.
    fn tally(&self, settings: &Settings, scene: &Scene<'_>, counts: &mut [f64]);

    /// What one document counts at each of some thresholds on confidence, which come in order; the scene has all
    /// predictions. `None` if the scene must be staged for each, which takes time by the square of its predictions
    /// where all have another confidence.
    fn tallies_at(&self, _: &Settings, _: &Scene<'_>, _: &[f64]) -> Option<Vec<Vec<f64>>> {
        None
    }

    /// Scores from summed counts.
    fn scores(&self, counts: &[f64], zero: Zero) -> Scores;

    /// What counts are as credit and lack of it; `None` for measures without precision and recall.
    fn credit(&self, counts: &[f64]) -> Option<Credit> {
        four(self.columns(), counts)
    }

    /// What kind of numbers this credit is.
    fn numbers(&self) -> Numbers {
        Numbers::Whole
    }

    /// Scores, for measures that have no others than precision, recall and F1: for
    /// the means over documents, of which there are many.
    fn prf(&self, _counts: &[f64], _zero: Zero) -> Option<Prf> {
        None
    }

    /// Makes those counts of a part unknown (NaN) that have no meaning there, where a part is a gold standard
    /// of its own and has only the predictions on its spans.
    fn forget_in_part(&self, _counts: &mut [f64]) {}

    /// The cases behind the counts, for measures that count cases; these can be
    /// sliced by any facet of a case.
    fn cases(&self, _settings: &Settings, _scene: &Scene<'_>) -> Option<Vec<Case>> {
        None
    }

    /// Adds one of these cases.
    fn add(&self, _scene: &Scene<'_>, _case: &Case, _counts: &mut [f64]) {}

    /// The same measure with weights for pairs of types, if it asks for types.
    fn weighted(&self, _weights: &Arc<TypeWeights>) -> Option<Arc<dyn DocumentMeasure>> {
        None
    }

    /// The same measure with this hierarchy of types; `None` if it has no use for one.
    fn with_hierarchy(&self, _hierarchy: &Arc<Hierarchy>) -> Option<Arc<dyn DocumentMeasure>> {
        None
    }

    /// The same measure with this knowledge base; `None` if it has no use for one.
    fn with_base(&self, _base: &Arc<KnowledgeBase>) -> Option<Arc<dyn DocumentMeasure>> {
        None
    }

    /// Whether it takes what stands on one span for one mention, so that other spans mean nothing to it.
    fn needs_exact_spans(&self) -> bool {
        false
    }

    /// Whether mentions that only overlap may meet, whatever the settings say about spans.
    fn pairs_overlapping(&self) -> bool {
        false
    }

    /// Whether it is of linking alone: of mentions that were found, which have the right link. Systems that find
    /// different mentions are then also compared on those that all found.
    fn is_of_linking_alone(&self) -> bool {
        false
    }

    /// Whether it compares two outputs, of which neither is gold.
    fn compares_outputs(&self) -> bool {
        false
    }

    /// The weight of what is not strict, for measures that weigh gold.
    fn alpha(&self) -> Option<f64> {
        None
    }

    /// The attributes of annotations that it asks about. If no annotation has one of them, its name was
    /// probably mistyped.
    fn attributes(&self) -> Vec<&str> {
        Vec::new()
    }

    /// Which items it counts, for measures that count items.
    fn criteria(&self) -> Option<Criteria> {
        None
    }
}

/// A measure that must see the whole corpus: of clusters that span documents, or of a ranking of all predictions.
///
/// Its counts do not add up over documents: two halves of a cluster are not a cluster, and the area under a curve
/// is not the sum of areas. So it works in two steps. [`gather`](CorpusMeasure::gather) takes notes of one document, and
/// [`total`](CorpusMeasure::total) counts once, when all notes are together. Notes of documents are appended in the order of the
/// documents, so threads change nothing. From there on it is like a [`DocumentMeasure`]: a short vector of counts, and
/// scores that depend on these alone.
///
/// What it gives up is what needs sums: it has no mean over documents, no interval from drawing documents again,
/// and a stream cannot have it.
///
/// # What must hold
///
/// - Measures with the same [`purpose`](CorpusMeasure::purpose) and the same settings take the same notes. The notes are then taken
///   once, and what is made of them (a contingency table, say) is made once and shared: sixteen measures of clusters
///   cost little more than one. So the purpose names everything that `gather` depends on.
/// - Notes are small: a few bytes for each mention. A corpus has millions.
/// - `total` does not depend on the order of documents: it sorts, or adds what adds exactly.
/// - As for all measures: the same scores in the same order whatever was counted, what would divide by nothing is what
///   [`Zero`] says, and no state.
///
/// ```
/// use karat_kb::Identity;
/// use karat_match::{Item, Pairing, Scene, Settings};
/// use karat_measures::{
///     Compute, Convention, CorpusMeasure, Gathered, Measure, Plan, Scores, Selection, Zero, evaluate,
/// };
/// use karat_model::{CorpusBuilder, Link, Span};
/// use std::collections::BTreeSet;
/// use std::sync::Arc;
///
/// /// How many of the entities in gold the system has anywhere in the corpus.
/// #[derive(Debug)]
/// struct EntityCoverage;
///
/// impl CorpusMeasure for EntityCoverage {
///     fn purpose(&self) -> String {
///         "entities of the corpus".to_owned()
///     }
///
///     fn gather(&self, _: &Settings, scene: &Scene<'_>, gathered: &mut Gathered) {
///         let entity = |item: &Item| item.link.entity().map(|_| u128::from(item.link.code()));
///         gathered.gold_keys.extend(scene.gold.items.iter().filter_map(entity));
///         gathered.system_keys.extend(scene.system.items.iter().filter_map(entity));
///     }
///
///     fn columns(&self) -> &'static [&'static str] {
///         &["covered", "entities"]
///     }
///
///     fn total(&self, gathered: &Gathered) -> Vec<f64> {
///         let gold: BTreeSet<&u128> = gathered.gold_keys.iter().collect();
///         let system: BTreeSet<&u128> = gathered.system_keys.iter().collect();
///         vec![gold.intersection(&system).count() as f64, gold.len() as f64]
///     }
///
///     fn scores(&self, counts: &[f64], _: Zero) -> Scores {
///         Scores::new([("coverage", (counts[1] > 0.0).then(|| counts[0] / counts[1]))])
///     }
/// }
///
/// let corpus = |entities: &[&str]| {
///     let mut builder = CorpusBuilder::new();
///     for (at, entity) in entities.iter().enumerate() {
///         builder.continue_document(&format!("d{at}"));
///         let link = Link::to(builder.intern(entity));
///         builder.annotate(Span::new(0, 6), link);
///     }
///     builder.finish()
/// };
/// // The right entity in another document is covered all the same.
/// let (gold, system) = (corpus(&["Q64", "Q90"]), corpus(&["Q90", "Q1"]));
/// let measure = Measure {
///     name: "coverage".to_owned(),
///     canonical: "coverage".to_owned(),
///     settings: Settings::default(),
///     compute: Compute::Corpus(Arc::new(EntityCoverage)),
/// };
/// let selection = Selection { measures: vec![measure], ..Selection::default() };
/// let plan = Plan::new(Convention::default(), selection);
/// let found = evaluate(&Pairing::new(&gold, &system, &Identity::new()), &plan);
/// assert_eq!(found.results[0].micro.get("coverage"), Some(Some(0.5)));
/// ```
pub trait CorpusMeasure: std::fmt::Debug + Send + Sync {
    /// Measures with the same purpose gather the same, once.
    fn purpose(&self) -> String;

    /// Takes down what is needed of one document.
    fn gather(&self, settings: &Settings, scene: &Scene<'_>, gathered: &mut Gathered);

    /// The names of its counts.
    fn columns(&self) -> &'static [&'static str];

    /// Whether what it takes down means the same in another pairing, once clusters have names. Where not, parts
    /// of a corpus cannot be counted apart from each other.
    fn can_be_merged(&self) -> bool {
        true
    }

    /// Counts of all that was gathered.
    fn total(&self, gathered: &Gathered) -> Vec<f64>;

    /// Scores from these counts.
    fn scores(&self, counts: &[f64], zero: Zero) -> Scores;

    /// What counts are as credit and lack of it; `None` for measures without precision and recall.
    fn credit(&self, counts: &[f64]) -> Option<Credit> {
        four(self.columns(), counts)
    }

    /// What kind of numbers this credit is.
    fn numbers(&self) -> Numbers {
        Numbers::Whole
    }

    /// Whether it takes one of several mentions on a span and passes over the others.
    fn takes_one_of_a_span(&self) -> bool {
        false
    }

    /// The attributes of annotations that it asks about.
    fn attributes(&self) -> Vec<&str> {
        Vec::new()
    }

    /// The curve that the score is the area under, or is read off; `None` if there is none.
    fn curve(&self, _gathered: &Gathered) -> Option<Points> {
        None
    }
}

/// The points of a curve, in its order.
#[derive(Debug, Clone, PartialEq)]
pub struct Points {
    /// What the numbers of a point are; the first is where it is.
    pub columns: &'static [&'static str],
    /// Which of them are its coordinates.
    pub axes: [usize; 2],
    /// The points; what is undefined is NaN.
    pub rows: Vec<Vec<f64>>,
}

impl Points {
    /// Whether a point is where its threshold is, and not a pair of scores.
    pub fn is_sweep(&self) -> bool {
        self.axes[0] == 0
    }

    /// The names of the coordinates.
    pub fn names(&self) -> [&'static str; 2] {
        self.axes.map(|axis| self.columns.get(axis).copied().unwrap_or_default())
    }

    /// The coordinates of a point.
    pub fn coordinates(&self, row: &[f64]) -> [f64; 2] {
        self.axes.map(|axis| row.get(axis).copied().unwrap_or(f64::NAN))
    }
}

/// What measures of a whole corpus take down of its documents.
#[derive(Debug, Default)]
pub struct Gathered {
    /// For each item its cluster in gold and in the output, or [`Gathered::ABSENT`]
    /// where one side does not have it.
    pub clusters: Vec<[u32; 2]>,
    /// For each prediction that counts, how it fared.
    pub scored: Vec<Scored>,
    /// Gold that a prediction could have found, for recall of scored predictions.
    pub gold: u64,
    /// Keys of gold items, where a key is not bound to a document.
    pub gold_keys: Vec<u128>,
    /// Keys of predictions.
    pub system_keys: Vec<u128>,
    /// The table of the clusters, made when it is first asked for.
    table: OnceLock<Contingency>,
}

/// A prediction with its confidence, and whether it is right.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Scored {
    /// The confidence that the system gave; NaN for none.
    pub confidence: f64,
    /// Whether the prediction is right.
    pub right: bool,
}

impl Gathered {
    /// In place of a cluster: the side does not have the item.
    pub const ABSENT: u32 = u32::MAX;
    /// In place of a cluster: the item is alone in a cluster of its own. No
    /// cluster has this number: it is that of NIL without a cluster.
    pub const ALONE: u32 = u32::MAX - 2;

    /// The contingency table of the clusters.
    pub fn contingency(&self) -> &Contingency {
        if let Some(table) = self.table.get() {
            return table;
        }
        // Made before the lock is taken: its threads may come here too while they wait.
        let table = self.count_clusters();
        self.table.get_or_init(|| table)
    }

    fn count_clusters(&self) -> Contingency {
        // Only real clusters: the two special codes are larger than any of them.
        let largest = |code: &u32| *code < Gathered::ALONE;
        let used = self.clusters.iter().flatten().filter(|code| largest(code)).max();
        let mut next = used.map_or(0, |used| used + 1);
        let mut cluster = |code: u32| match code {
            Gathered::ABSENT => None,
            Gathered::ALONE => {
                next += 1;
                Some(next)
            }
            code => Some(code),
        };
        let rows = self.clusters.iter();
        Contingency::new(rows.map(|&[gold, system]| (cluster(gold), cluster(system))))
    }

    /// Takes over what was gathered of later documents.
    pub fn append(&mut self, mut later: Gathered) {
        // No table may have been made yet: it would not know of these.
        self.clusters.append(&mut later.clusters);
        self.scored.append(&mut later.scored);
        self.gold += later.gold;
        self.gold_keys.append(&mut later.gold_keys);
        self.system_keys.append(&mut later.system_keys);
    }
}

/// The scores of a measure, by name; `None` where undefined. They are made millions of times when
/// documents are drawn again, so they need no memory of their own.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Scores {
    values: [(&'static str, Option<f64>); Scores::MOST],
    number: usize,
    reason: Option<&'static str>,
}

impl Scores {
    /// No measure has more scores.
    pub const MOST: usize = 6;

    /// Scores with these names.
    pub fn new<const N: usize>(values: [(&'static str, Option<f64>); N]) -> Scores {
        const { assert!(N <= Scores::MOST, "raise Scores::MOST") };
        values.into_iter().collect()
    }

    /// A score that cannot be computed, and why.
    pub fn undefined(name: &'static str, reason: &'static str) -> Scores {
        Scores { reason: Some(reason), ..Scores::new([(name, None)]) }
    }

    /// Why a score is undefined, where it is not that it would divide by nothing.
    pub fn reason(&self) -> Option<&'static str> {
        self.reason
    }

    /// All of them, in order.
    pub fn iter(&self) -> impl Iterator<Item = (&'static str, Option<f64>)> {
        self.values[..self.number].iter().copied()
    }

    /// The names.
    pub fn names(&self) -> impl Iterator<Item = &'static str> {
        self.iter().map(|(name, _)| name)
    }

    /// Whether precision, recall and F1 are among them.
    pub fn has_f1(&self) -> bool {
        self.position("f1").is_some()
    }

    /// One of them: `None` if there is no such score, `Some(None)` if it is undefined.
    pub fn get(&self, name: &str) -> Option<Option<f64>> {
        self.position(name).map(|at| self.at(at))
    }

    /// Where the score of this name is among the scores of its measure: whatever was counted, there.
    pub fn position(&self, name: &str) -> Option<usize> {
        let name = full_name(name);
        self.names().position(|known| known == name)
    }

    /// The score at this place.
    pub fn at(&self, place: usize) -> Option<f64> {
        self.values.get(place).and_then(|(_, value)| *value)
    }
}

/// Scores with the names of other scores: never more than those.
impl FromIterator<(&'static str, Option<f64>)> for Scores {
    fn from_iter<I: IntoIterator<Item = (&'static str, Option<f64>)>>(values: I) -> Scores {
        let mut scores = Scores::default();
        for (place, value) in scores.values.iter_mut().zip(values) {
            *place = value;
            scores.number += 1;
        }
        scores
    }
}

/// Short names of scores.
fn full_name(name: &str) -> &str {
    match name {
        "p" => "precision",
        "r" => "recall",
        "f" | "fscore" => "f1",
        name => name,
    }
}

impl From<Prf> for Scores {
    fn from(Prf { precision, recall, f1 }: Prf) -> Scores {
        Scores::new([("precision", precision), ("recall", recall), ("f1", f1)])
    }
}

/// The usual name of a count, if it has another one in columns: where both credits are the same number, that of the
/// predictions is what everybody calls true positives.
pub fn usual_name(column: &str) -> Option<&'static str> {
    let [true_positives, ..] = Credit::COLUMNS;
    (column == true_positives).then_some("tp")
}

/// Where the count of this name is among these columns.
pub fn count_at(columns: &[&str], name: &str) -> Option<usize> {
    columns.iter().position(|column| *column == name || usual_name(column) == Some(name))
}

/// The credit that the counts themselves are, if they are.
fn four(columns: &[&str], counts: &[f64]) -> Option<Credit> {
    let counts: [f64; 4] = counts.try_into().ok()?;
    (columns == Credit::COLUMNS).then(|| counts.into())
}

/// Scores of the four numbers of [`Credit`].
pub(crate) fn credit_scores(counts: &[f64], zero: Zero) -> Scores {
    credit_prf(counts, zero).into()
}

/// Precision, recall and F1 of the four numbers of [`Credit`].
pub(crate) fn credit_prf(counts: &[f64], zero: Zero) -> Prf {
    let mut four = [0.0; 4];
    for (place, count) in four.iter_mut().zip(counts) {
        *place = *count;
    }
    Credit::from(four).prf(zero)
}

impl Definition {
    /// What users read about it: the comment at the head of its file.
    pub fn documentation(&self) -> String {
        documentation(self.file)
    }

    /// The measure under a convention, with no parameters given.
    pub fn plain(&self, convention: &Convention) -> Compute {
        (self.compute)(&MeasureContext::new(&Parameters::new(), convention))
    }

    /// The parameter with this name.
    pub fn parameter(&self, name: &str) -> Option<&'static dyn Parameter> {
        self.parameters.iter().copied().find(|parameter| parameter.name() == name)
    }

    /// The first line of its documentation.
    pub fn summary(&self) -> String {
        let documentation = self.documentation();
        documentation.lines().next().unwrap_or_default().trim_end_matches('.').to_owned()
    }
}

/// The comment at the head of a file of code.
pub(crate) fn documentation(file: &str) -> String {
    let comment = file.lines().map_while(|line| line.strip_prefix("//!"));
    let lines: Vec<&str> = comment.map(|line| line.strip_prefix(' ').unwrap_or(line)).collect();
    lines.join("\n")
}
