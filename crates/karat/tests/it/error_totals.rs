//! Under karat's own preset errors, scores, slices and lists speak of one assignment: whatever gold and a system
//! are, they add up to the same totals, and what could go wrong does not depend on the system. Under those of
//! ELEVANT they speak of the same judgements.

use crate::error_properties::{TEXT, spans};
use crate::errors::{check_rates, check_sums};
use karat::errors::{ErrorCase, ErrorKind, Filter, Hits, Inspection, MentionAnswer, ModeCounts};
use karat::facets::taxonomy::Category;
use karat::facets::{Finding, facet};
use karat::inputs::Run;
use karat::kb::Identity;
use karat::matching::Unknowns;
use karat::measures::Convention;
use karat::model::{Corpus, CorpusBuilder, Flags, Link, Span};
use karat::scoring::{Common, Scoring};
use proptest::prelude::*;
use proptest::sample::{Index, select};
use std::collections::{BTreeMap, BTreeSet};

/// What an annotation is linked to: an entity, NIL with or without a cluster, or no answer.
#[derive(Debug, Clone, Copy)]
enum To {
    Entity(&'static str),
    Cluster(&'static str),
    Nil,
    Nothing,
}

/// What else is said of gold.
#[derive(Debug, Clone, Copy)]
enum Kind {
    Plain,
    Flagged(Flags),
    Literal(&'static str),
}

/// A gold mention, or a part of a reading of one that comes before it.
#[derive(Debug, Clone)]
struct Gold {
    span: Span,
    to: To,
    kind: Kind,
    /// Its parent among the mentions, and which reading of it.
    part_of: Option<(u32, u32)>,
}

/// A document: gold, what is evaluated of it, and predictions.
#[derive(Debug, Clone)]
struct Drawn {
    gold: Vec<Gold>,
    window: Option<Span>,
    predictions: Vec<(Span, To)>,
}

fn place() -> impl Strategy<Value = Span> {
    let spans: Vec<Span> =
        spans().into_iter().map(|(start, end)| Span::new(start as u32, end as u32)).collect();
    // Most are on few spans, so that they meet.
    prop_oneof![3 => select(spans[..5].to_vec()), 1 => select(spans)]
}

fn to() -> impl Strategy<Value = To> {
    prop_oneof![
        6 => select(vec!["Q1", "Q2", "Q3"]).prop_map(To::Entity),
        4 => Just(To::Nil),
        2 => select(vec!["a", "b"]).prop_map(To::Cluster),
        1 => Just(To::Nothing),
    ]
}

fn kind() -> impl Strategy<Value = Kind> {
    prop_oneof![
        12 => Just(Kind::Plain),
        2 => Just(Kind::Flagged(Flags::OPTIONAL)),
        1 => select(vec![Flags::DESCRIPTIVE, Flags::COREFERENCE, Flags::NOT_COREFERENCE])
            .prop_map(Kind::Flagged),
        1 => select(vec!["QUANTITY", "DATETIME"]).prop_map(Kind::Literal),
    ]
}

fn gold() -> impl Strategy<Value = Vec<Gold>> {
    let part_of = prop::option::weighted(0.5, (any::<Index>(), 1u32..3));
    let mention = (place(), to(), kind(), part_of);
    prop::collection::vec(mention, 0..9).prop_map(|drawn| {
        let mention =
            |(at, (span, to, kind, part_of)): (usize, (_, _, _, Option<(Index, u32)>))| {
                let part_of = part_of.filter(|_| at > 0);
                let part_of = part_of.map(|(parent, reading)| (parent.index(at) as u32, reading));
                Gold { span, to, kind, part_of }
            };
        drawn.into_iter().enumerate().map(mention).collect()
    })
}

fn drawn() -> impl Strategy<Value = Drawn> {
    let window = prop::option::weighted(0.2, place());
    let predictions = prop::collection::vec((place(), to()), 0..8);
    (gold(), window, predictions).prop_map(|(gold, window, predictions)| Drawn {
        gold,
        window,
        predictions,
    })
}

impl Drawn {
    fn gold(&self) -> Corpus {
        let mut builder = CorpusBuilder::new();
        builder.continue_document("d");
        builder.set_text(TEXT);
        if let Some(window) = self.window {
            builder.set_evaluation_span(window);
        }
        for gold in &self.gold {
            let link = gold.to.link(&mut builder);
            let annotation = builder.annotate(gold.span, link);
            let annotation = match gold.kind {
                Kind::Plain => annotation,
                Kind::Flagged(flags) => annotation.flags(flags),
                Kind::Literal(name) => annotation.types([name]),
            };
            if let Some((parent, reading)) = gold.part_of {
                annotation.part_of(parent, reading);
            }
        }
        builder.finish()
    }

    fn system(&self) -> Corpus {
        let mut builder = CorpusBuilder::new();
        builder.continue_document("d");
        if let Some(window) = self.window {
            builder.set_evaluation_span(window);
        }
        for (span, to) in &self.predictions {
            let link = to.link(&mut builder);
            builder.annotate(*span, link);
        }
        builder.finish()
    }
}

impl To {
    fn link(self, builder: &mut CorpusBuilder) -> Link {
        match self {
            To::Entity(entity) => Link::to(builder.intern(entity)),
            To::Cluster(cluster) => Link::nil_cluster(builder.intern(cluster)),
            To::Nil => Link::NIL,
            To::Nothing => Link::NONE,
        }
    }
}

/// True positives, false positives and false negatives.
type Totals = [u64; 3];

fn totals(hits: Hits) -> Totals {
    [hits.hits, hits.extra, hits.missed]
}

fn add(one: Totals, other: Totals) -> Totals {
    [0, 1, 2].map(|at| one[at] + other[at])
}

/// The totals of these measures, each with the sums of its slices by category and by kind of error.
fn scored(
    preset: &str,
    gold: &Corpus,
    system: &Corpus,
    unknowns: Unknowns,
    measures: &[&str],
) -> Vec<(Totals, Vec<Totals>)> {
    let mut scoring = Scoring::named(preset, measures).unwrap();
    scoring.bootstrap = None;
    let context = scoring.convention.facet_context(unknowns, None);
    let names = ["category", "error"];
    scoring.facets = names.iter().map(|name| vec![facet(name, &context).unwrap()]).collect();
    let board = scoring.score("b", gold, &[Run::new("s", system.clone())]);
    let evaluation = &board.systems[0].evaluation;
    let counts = |counts: &[f64]| [0, 1, 3].map(|at| counts[at] as u64);
    let of = |at: usize| {
        let sum = |facet: &&str| {
            let slices = evaluation.slices.iter().filter(|slice| slice.facet == *facet);
            slices.map(|slice| counts(&slice.results[at].counts)).fold([0; 3], add)
        };
        (counts(&evaluation.results[at].counts), names.iter().map(sum).collect())
    };
    (0..measures.len()).map(of).collect()
}

/// The linked gold mentions that `disambiguation` calls right, and those that it calls found.
fn disambiguated(gold: &Corpus, system: &Corpus) -> [u64; 2] {
    let mut scoring = Scoring::named("karat", &["disambiguation"]).unwrap();
    scoring.bootstrap = None;
    let board = scoring.score("b", gold, &[Run::new("s", system.clone())]);
    [0, 1].map(|at| board.systems[0].evaluation.results[0].counts[at] as u64)
}

fn convention(preset: &str) -> Convention {
    Scoring::named(preset, &["link"]).unwrap().convention
}

fn inspected<T>(preset: &str, inspect: impl FnOnce(&Inspection<'_>) -> T) -> T {
    let convention = convention(preset);
    let (settings, taxonomy) = (&convention.settings, convention.taxonomy);
    inspect(&Inspection { settings, taxonomy, identity: &Identity::new(), base: None, watch: None })
}

fn errors(gold: &Corpus, system: &Corpus) -> [ModeCounts; 2] {
    inspected("karat", |inspection| inspection.counts("b", gold, system).modes)
}

/// The totals of `link` and of `nil`, as the kinds of `karat errors` give them.
fn of_kinds(cases: &[ErrorCase]) -> [Totals; 2] {
    let mut found = [[0; 3]; 2];
    for case in cases {
        let is_nil = |answer: &MentionAnswer| usize::from(answer.entity.is_none());
        let side = |answer: &Option<MentionAnswer>| answer.as_ref().map(is_nil);
        let (gold, system) = (side(&case.gold), side(&case.prediction));
        match (case.kind.unwrap(), gold, system) {
            (finding, Some(gold), _) if finding.is_right() => found[gold][0] += 1,
            (Finding::Missing, Some(gold), _) => found[gold][2] += 1,
            (Finding::Extra, _, Some(system)) => found[system][1] += 1,
            (_, Some(gold), Some(system)) => {
                found[gold][2] += 1;
                found[system][1] += 1;
            }
            other => unreachable!("{other:?}"),
        }
    }
    found
}

/// Every mention with its kind, as `karat errors` counts and lists them.
fn listed_by_kind(preset: &str, gold: &Corpus, system: &Corpus) -> Vec<ErrorCase> {
    let kinds: Vec<ErrorKind> = ErrorKind::all().collect();
    inspected(preset, |inspection| {
        let listed = inspection.of_kinds(gold, system, false, &kinds);
        let counts = inspection.kind_counts(gold, system, false);
        for kind in kinds.iter().copied() {
            let of_list = listed.iter().filter(|case| kind.has(case)).count();
            assert_eq!(counts.of(kind), of_list, "{}", kind.name());
        }
        listed
    })
}

/// How many cases of a list are right, and which categories that exclude others those have that are wrong.
fn of_list(cases: &[ErrorCase]) -> (u64, BTreeSet<Vec<Category>>) {
    let right = cases.iter().filter(|case| case.is_right).count() as u64;
    let wrong = cases.iter().filter(|case| case.is_wrong && !case.is_open);
    let exclusive = |category: &Category| !category.is_total() && !category.is_further();
    let categories = wrong.map(|case| case.categories.iter().copied().filter(exclusive).collect());
    (right, categories.collect())
}

fn kinds_of_list(cases: &[ErrorCase]) -> BTreeMap<Finding, usize> {
    let mut counts = BTreeMap::new();
    for kind in cases.iter().filter_map(|case| case.kind) {
        *counts.entry(kind).or_default() += 1;
    }
    counts
}

/// What must be so of any document.
fn check(drawn: &Drawn) {
    let (gold, system) = (drawn.gold(), drawn.system());
    let modes = errors(&gold, &system);
    let of_nobody = errors(&gold, &Drawn { predictions: Vec::new(), ..drawn.clone() }.system());
    let required = "linking(unknowns=required)";
    let names = ["link", "linking", "recognition"];
    let ignored = scored("karat", &gold, &system, Unknowns::Ignored, &names);
    let names = ["all", required, "recognition(unknowns=required)", "link", "nil"];
    let all = scored("karat", &gold, &system, Unknowns::Required, &names);
    for (mode, scores) in modes.iter().zip([&ignored, &all]) {
        check_sums(mode, "any document, without a base as aida");
        check_rates(mode, "any document");
        let (linking, recognition) = (totals(mode.all()), totals(mode.recognition));
        for ((scored, slices), judged) in scores.iter().zip([linking, linking, recognition]) {
            assert_eq!(*scored, judged, "{drawn:?}");
            for sum in slices {
                assert_eq!(sum, scored, "slices of {drawn:?}");
            }
        }
        // Extra mentions of recognition that are parts of alternatives are in no family.
        assert_eq!(mode.errors(Category::Missed), Some(recognition[2]), "{drawn:?}");
    }
    let listed = listed_by_kind("karat", &gold, &system);
    let [link, nil] = of_kinds(&listed);
    assert_eq!(link, ignored[0].0, "{drawn:?}");
    assert_eq!(link, all[3].0, "{drawn:?}");
    assert_eq!(nil, all[4].0, "{drawn:?}");
    assert_eq!(add(link, nil), all[0].0, "{drawn:?}");
    let [right, found] = disambiguated(&gold, &system);
    assert_eq!(right, link[0], "{drawn:?}");
    let of =
        |finding: Finding| listed.iter().filter(|case| case.kind == Some(finding)).count() as u64;
    let wrong = of(Finding::WrongLink) + of(Finding::LinkAsNil);
    assert_eq!(found, right + wrong, "{drawn:?}");
    // Optional gold forgives what is linked like it, which then finds nothing else.
    let is_plain = |gold: &Gold| gold.part_of.is_none() && matches!(gold.kind, Kind::Plain);
    if drawn.gold.iter().all(is_plain) {
        // All that was found, without a look at what it is linked to.
        let [(mention, _)] = scored("karat", &gold, &system, Unknowns::Required, &["mention"])
            .try_into()
            .unwrap_or_else(|_| unreachable!("one measure was asked for"));
        assert_eq!(mention[0], found + nil[0] + of(Finding::NilAsLink), "{drawn:?}");
    }
    let kinds = kinds_of_list(&listed);
    for (unknowns, mode) in Unknowns::BOTH.into_iter().zip(&modes) {
        let cases =
            inspected("karat", |inspection| inspection.cases(&gold, &system, unknowns, &[]));
        let (right, categories) = of_list(&cases);
        assert_eq!(right, mode.all().hits, "{drawn:?}");
        assert!(categories.iter().all(|of_case| of_case.len() == 1), "{categories:?} {drawn:?}");
        assert_eq!(kinds_of_list(&cases), kinds, "{drawn:?}");
    }
    for (mode, other) in modes.iter().zip(&of_nobody) {
        assert_eq!(mode.all().gold(), other.all().gold(), "{drawn:?}");
        for category in Category::all() {
            let of = |mode: &ModeCounts| mode.total(category, None, true);
            assert_eq!(of(mode), of(other), "{} {drawn:?}", category.name());
        }
    }
}

/// The same under a preset of ELEVANT, where judgements take the place of an assignment: the kinds add up to
/// `linking`, and lists have what the table of them counts.
fn check_judged(preset: &str, drawn: &Drawn) {
    let (gold, system) = (drawn.gold(), drawn.system());
    let listed = listed_by_kind(preset, &gold, &system);
    let kinds = kinds_of_list(&listed);
    let [link, nil] = of_kinds(&listed);
    let names = ["linking(unknowns=required)"];
    let (scored, slices) =
        scored(preset, &gold, &system, Unknowns::Required, &names).swap_remove(0);
    assert_eq!(add(link, nil), scored, "{preset} {drawn:?}");
    assert_eq!(slices, [scored; 2], "{preset} {drawn:?}");
    for unknowns in Unknowns::BOTH {
        let cases = |filters: &[Filter]| {
            inspected(preset, |inspection| inspection.cases(&gold, &system, unknowns, filters))
        };
        assert_eq!(kinds_of_list(&cases(&[])), kinds, "{preset} {drawn:?}");
        for finding in Finding::ALL {
            let facet = facet("error", &convention(preset).facet_context(unknowns, None)).unwrap();
            let listed = cases(&[Filter { facet, label: finding.name().to_owned() }]);
            let expected = kinds.get(&finding).copied().unwrap_or_default();
            assert_eq!(listed.len(), expected, "{preset} {finding:?} {drawn:?}");
        }
    }
}

/// A NIL prediction where gold has NIL, which a mention with an entity could be read as, too.
#[test]
fn what_finds_one_mention_finds_no_other_in_any_measure() {
    let gold = |span, to, part_of| Gold { span, to, kind: Kind::Plain, part_of };
    let (whole, part) = (Span::new(8, 18), Span::new(8, 12));
    let drawn = Drawn {
        gold: vec![
            gold(whole, To::Entity("Q1"), None),
            gold(part, To::Nil, Some((0, 1))),
            gold(part, To::Nil, None),
        ],
        window: None,
        predictions: vec![(part, To::Nil)],
    };
    check(&drawn);
    let names = ["link", "nil", "all"];
    let scored = scored("karat", &drawn.gold(), &drawn.system(), Unknowns::Required, &names);
    let found: Vec<Totals> = scored.into_iter().map(|(totals, _)| totals).collect();
    assert_eq!(found, [[0, 0, 1], [1, 0, 0], [1, 0, 1]]);
    assert_eq!(disambiguated(&drawn.gold(), &drawn.system()), [0, 0]);
}

/// A prediction that is right by a reading of one mention, on the span of another.
#[test]
fn what_is_right_by_a_reading_was_found() {
    let gold = |span, to, part_of| Gold { span, to: To::Entity(to), kind: Kind::Plain, part_of };
    let (whole, part) = (Span::new(8, 18), Span::new(8, 12));
    let drawn = Drawn {
        gold: vec![gold(whole, "Q1", None), gold(part, "Q2", Some((0, 1))), gold(part, "Q3", None)],
        window: None,
        predictions: vec![(part, To::Entity("Q2"))],
    };
    check(&drawn);
    let (gold, system) = (drawn.gold(), drawn.system());
    assert_eq!(disambiguated(&gold, &system), [1, 1]);
    // The other system finds both mentions, so that both are compared on the one that is right.
    let other =
        Drawn { predictions: vec![(whole, To::Entity("Q1")), (part, To::Entity("Q9"))], ..drawn };
    let mut scoring = Scoring::named("karat", &["disambiguation"]).unwrap();
    scoring.bootstrap = None;
    let systems = [Run::new("s", system), Run::new("t", other.system())];
    let board = scoring.score("b", &gold, &systems);
    let common = board.systems.iter().map(|system| system.common[0].unwrap());
    assert_eq!(common.collect::<Vec<_>>(), [Common { right: 1, found: 1 }; 2]);
}

proptest! {
    #![proptest_config(ProptestConfig {
        // Twice as many as otherwise, and as PROPTEST_CASES says.
        cases: 2 * ProptestConfig::default().cases,
        failure_persistence: None,
        ..ProptestConfig::default()
    })]

    #[test]
    fn errors_scores_slices_and_lists_have_the_same_totals(drawn in drawn()) {
        check(&drawn);
    }

    #[test]
    fn judgements_are_counted_and_listed_alike(drawn in drawn()) {
        check_judged("elevant", &drawn);
        check_judged("elevant-2023", &drawn);
    }
}
