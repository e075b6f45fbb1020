//! What gold and all runs say of one document, put together.

use super::answer::{
    CasePrediction, GoldMention, RankedCandidate, ReadingPart, RunAnswer, TextCase,
};
use super::context::{DocumentContext, OneDocument};
use super::outcome::CaseOutcome;
use crate::errors::case::shortened;
use crate::errors::judged::JudgedCase;
use crate::errors::{Filter, Inspection};
use karat_facets::taxonomy::Category;
use karat_match::{Pairing, Scene, Unknowns, WindowOf};
use karat_model::{Corpus, Document, Flags, Mention, Role, Span, TextIndex, attribute};
use std::collections::{BTreeMap, HashMap};

/// Cases under construction: runs are added one after the other.
pub(super) struct Assembly<'d> {
    context: &'d DocumentContext,
    document: &'d OneDocument,
    unknowns: Unknowns,
    text: Option<TextIndex<'d>>,
    cases: Vec<TextCase>,
    /// The case of each gold mention, by its place among the annotations of the document.
    of_gold: HashMap<u32, usize>,
    /// Cases of stray predictions by where they are; the next free one of each run.
    strays: HashMap<Span, Vec<usize>>,
}

impl<'d> Assembly<'d> {
    pub(super) fn new(
        context: &'d DocumentContext,
        document: &'d OneDocument,
        unknowns: Unknowns,
    ) -> Assembly<'d> {
        let mut assembly = Assembly {
            context,
            document,
            unknowns,
            text: shown_text(document).map(TextIndex::new),
            cases: Vec::new(),
            of_gold: HashMap::new(),
            strays: HashMap::new(),
        };
        if let Some(gold) = document.gold.documents().next() {
            assembly.add_gold(&gold);
        }
        assembly
    }

    /// The text that is shown.
    pub(super) fn text(&self) -> Option<&'d str> {
        self.text.as_ref().map(TextIndex::text)
    }

    /// The part that is evaluated, if not all of it is.
    pub(super) fn evaluated(&self) -> Option<Span> {
        let settings = &self.context.convention.settings;
        let of = |document: Option<Document<'_>>| document?.evaluation_span();
        let gold = of(self.document.gold.documents().next());
        let evaluated = match settings.window_of {
            WindowOf::Gold => gold,
            WindowOf::System => self.document.others().find_map(|it| it.evaluation_span()).or(gold),
        };
        evaluated.filter(|_| settings.evaluation_span)
    }

    /// Puts what one run did into the cases.
    pub(super) fn add_run(&mut self, at: usize, filters: &[Filter]) {
        let context = self.context;
        let inspection = context.inspection();
        let whole = &context.experiment.runs[at].corpus;
        let run = &self.document.runs[at];
        let filters = inspection.of_run(&context.experiment.benchmark.corpus, whole, filters);
        let pairing = Pairing::new(&self.document.gold, &run.corpus, &context.identity);
        let mut scene = Scene::default();
        pairing.stage(0, inspection.settings, &mut scene);
        let judged = inspection.judged(&self.document.name, &scene, self.unknowns, &filters);
        let has_choice = has_choice(whole);
        for case in judged {
            let answer = self.run_answer(&inspection, &scene, &case, has_choice);
            let place = self.place(at, &case, &scene);
            let into = &mut self.cases[place];
            // Filled up to this run: a case that earlier runs do not have gets empty answers for
            // them.
            if into.runs.len() <= at {
                into.runs.resize(at + 1, RunAnswer::default());
            }
            into.listed |= case.passes;
            if let (Some(gold), Err(reason)) = (&mut into.gold, case.became)
                && case.gold.is_some()
            {
                gold.ignored = Some(reason);
            }
            into.runs[at] = answer;
        }
    }

    /// All cases, in the order of their spans.
    pub(super) fn into_cases(mut self) -> Vec<TextCase> {
        let runs = self.document.runs.len();
        for case in &mut self.cases {
            case.runs.resize(runs, RunAnswer::default());
            let outcomes = || case.runs.iter().filter_map(|run| run.outcome);
            let (right, of) = (
                outcomes().filter(|outcome| outcome.is_right()).count(),
                outcomes().filter(|outcome| *outcome != CaseOutcome::Ignored).count(),
            );
            // About gold, those that were asked count; about a stray prediction all could have left
            // it out.
            (case.right, case.of) = (right, if case.gold.is_some() { of } else { runs });
        }
        // Gold that nobody was asked about is listed as long as nothing is narrowed down.
        self.cases.retain(|case| case.gold.is_some() || !case.runs.is_empty());
        // Longer mentions before those inside them, as brackets nest, and gold before strays on the
        // same span.
        self.cases.sort_by_key(|case| {
            (case.start, std::cmp::Reverse(case.end), case.gold.is_none(), case.number)
        });
        for (number, case) in (1..).zip(&mut self.cases) {
            case.number = number;
        }
        self.cases
    }

    fn add_gold(&mut self, gold: &Document<'d>) {
        let context = self.context;
        let inspection = context.inspection();
        let chains = chains(gold, context);
        let mut readings = readings(gold);
        for (index, mention) in (0..).zip(gold.mentions()) {
            // Parts are shown with the mention they are parts of.
            if !Role::Gold.plays(mention.flags()) || mention.place().is_some() {
                continue;
            }
            let parts = readings.remove(&index).unwrap_or_default();
            let part = |part: &Mention<'_>| ReadingPart {
                start: part.span().start,
                end: part.span().end,
                surface: self.surface(part),
                answer: inspection.answer(part),
            };
            let readings = parts.values().map(|parts| parts.iter().map(part).collect());
            let texts = |all: &mut dyn Iterator<Item = &str>| all.map(str::to_owned).collect();
            let gold = GoldMention {
                answer: inspection.answer(&mention),
                nil_cluster: mention.nil_cluster().map(str::to_owned),
                ignored: None,
                equivalents: texts(&mut mention.equivalents()),
                readings: readings.collect(),
                types: texts(&mut mention.types()),
                tags: texts(&mut mention.tags()),
                chain: chains.get(&index).copied(),
                refers_back: mention.flags().contains(Flags::COREFERENCE),
                comment: mention.attribute(attribute::COMMENT).map(str::to_owned),
            };
            self.of_gold.insert(index, self.cases.len());
            self.add_case(&mention, Some(gold));
        }
    }

    fn add_case(&mut self, mention: &Mention<'_>, gold: Option<GoldMention>) {
        let no_runs = self.document.runs.is_empty();
        self.cases.push(TextCase {
            number: self.cases.len(),
            start: mention.span().start,
            end: mention.span().end,
            surface: self.surface(mention),
            gold,
            listed: no_runs,
            ..TextCase::default()
        });
    }

    fn surface(&self, mention: &Mention<'_>) -> Option<String> {
        let surface = match &self.text {
            Some(text) => text.slice(mention.span()),
            None => mention.attribute(attribute::SURFACE),
        };
        surface.map(shortened)
    }

    /// Which case a judged one belongs to: that of its gold mention, or one of a stray prediction on its span
    /// that the run has not used yet.
    fn place(&mut self, run: usize, case: &JudgedCase, scene: &Scene<'_>) -> usize {
        // Judged cases on gold meet by the annotation itself. Strays of different runs have only
        // the span in common.
        if let Some(&place) = case.gold.and_then(|gold| self.of_gold.get(&gold)) {
            return place;
        }
        let document = scene.system.document;
        let mention =
            document.zip(case.prediction).and_then(|(document, at)| document.mention(at as usize));
        let span = mention.map(|mention| mention.span()).unwrap_or_default();
        let known = self.strays.entry(span).or_default();
        // A run may have several strays on a span; each takes a case of its own.
        let is_free = |place: &&usize| self.cases[**place].runs.len() <= run;
        if let Some(place) = known.iter().find(is_free) {
            return *place;
        }
        let place = self.cases.len();
        known.push(place);
        match mention {
            Some(mention) => self.add_case(&mention, None),
            None => self.cases.push(TextCase::default()),
        }
        place
    }

    fn run_answer(
        &self,
        inspection: &Inspection<'_>,
        scene: &Scene<'_>,
        case: &JudgedCase,
        has_choice: bool,
    ) -> RunAnswer {
        let mention = scene.system.document.zip(case.prediction);
        let mention = mention.and_then(|(document, at)| document.mention(at as usize));
        let prediction = mention.map(|mention| prediction(inspection, &mention, case.right_rank));
        let mut answer = RunAnswer { prediction, ..RunAnswer::default() };
        match case.became {
            Ok(finding) => answer.outcome = Some(finding.into()),
            Err(reason) => {
                answer.outcome = Some(CaseOutcome::Ignored);
                answer.ignored = Some(reason);
            }
        }
        if let Some(error) = &case.error {
            let told = |category: &&Category| has_choice || !category.needs_candidates();
            let names = error.categories.iter().filter(told).map(|it| it.name().to_owned());
            answer.categories = names.collect();
            answer.is_open = error.is_open;
            answer.if_all_known = error.in_closed_world.map(|it| it.name().to_owned());
        }
        answer
    }
}

fn prediction(
    inspection: &Inspection<'_>,
    mention: &Mention<'_>,
    right_rank: Option<usize>,
) -> CasePrediction {
    let candidates = mention.candidates().map(|candidate| {
        let known = || inspection.base?.entity(candidate.entity?)?.name();
        RankedCandidate {
            entity: candidate.entity.map(str::to_owned),
            name: known().map(str::to_owned),
            score: candidate.score,
        }
    });
    CasePrediction {
        start: mention.span().start,
        end: mention.span().end,
        answer: inspection.answer(mention),
        nil_cluster: mention.nil_cluster().map(str::to_owned),
        confidence: mention.confidence(),
        types: mention.types().map(str::to_owned).collect(),
        candidates: candidates.collect(),
        right_rank,
    }
}

/// The text of gold; but where a run has what gold masks, its text: some benchmarks are published with stars for
/// all words that are not annotated.
fn shown_text(document: &OneDocument) -> Option<&str> {
    let gold = document.gold.documents().next().and_then(|it| it.text());
    let Some(gold) = gold else { return document.others().find_map(|it| it.text()) };
    let mut others = document.others().filter_map(|it| it.text());
    Some(others.find(|text| *text != gold && unmasks(text, gold)).unwrap_or(gold))
}

/// Whether a text is the masked one but for its stars. A system that changes letters must not rewrite the document.
fn unmasks(text: &str, masked: &str) -> bool {
    let mut given = text.chars();
    masked.chars().all(|mask| given.next().is_some_and(|it| it == mask || mask == '*'))
        && given.next().is_none()
}

/// Whether the system of a run ever had a choice of candidates: only then categories about them say something.
fn has_choice(run: &Corpus) -> bool {
    let several = |mention: Mention<'_>| {
        let mut entities = mention.candidates().map(|candidate| candidate.link);
        let first = entities.next();
        entities.any(|link| Some(link) != first)
    };
    // A look at a table that most runs do not have, before all mentions are gone through.
    let has_any = run.candidate_links().next().is_some();
    has_any && run.documents().flat_map(|document| document.mentions()).any(several)
}

/// The parts of mentions that can be read in several ways, by the place of the whole and the number of the reading.
/// Parts of parts belong to the whole as well.
fn readings<'a>(gold: &Document<'a>) -> HashMap<u32, BTreeMap<(u32, u32), Vec<Mention<'a>>>> {
    let mut all: HashMap<u32, BTreeMap<(u32, u32), Vec<Mention<'a>>>> = HashMap::new();
    let places: Vec<_> = gold.mentions().map(|mention| mention.place()).collect();
    for mention in gold.mentions() {
        let Some(place) = mention.place() else { continue };
        let mut root = place.parent;
        // A mention may be a part of itself, directly or through others; it then belongs to none.
        // At most as many steps as there are mentions: in a cycle there is no end to reach.
        for _ in 0..places.len() {
            match places.get(root as usize).copied().flatten() {
                Some(above) => root = above.parent,
                None => break,
            }
        }
        let key = (place.parent, place.reading);
        all.entry(root).or_default().entry(key).or_default().push(mention);
    }
    all
}

/// The chains of mentions of one entity or NIL cluster, by their places, where there are at least two.
fn chains(gold: &Document<'_>, context: &DocumentContext) -> HashMap<u32, usize> {
    let mut by_answer: BTreeMap<String, Vec<u32>> = BTreeMap::new();
    for (index, mention) in (0..).zip(gold.mentions()) {
        if !Role::Gold.plays(mention.flags()) || mention.place().is_some() {
            continue;
        }
        let key = match (mention.entity(), mention.nil_cluster()) {
            (Some(entity), _) => format!("link {}", context.identity.canonical(entity)),
            (None, Some(cluster)) => format!("NIL {cluster}"),
            (None, None) => continue,
        };
        by_answer.entry(key).or_default().push(index);
    }
    let mut chains: Vec<Vec<u32>> = by_answer.into_values().filter(|all| all.len() > 1).collect();
    // By their first mention, so that numbers follow the text.
    chains.sort();
    let numbered = (1..).zip(chains);
    numbered.flat_map(|(number, all)| all.into_iter().map(move |at| (at, number))).collect()
}
