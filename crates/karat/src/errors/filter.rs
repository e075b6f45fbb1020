//! Which cases are meant: conditions that are ready to be tried on the cases of a document.

use super::Inspection;
use super::case::{Around, ErrorCase, as_matched};
use super::kind::ErrorKind;
use karat_facets::taxonomy::{Category, Labelled};
use karat_facets::{Facet, Finding, Labels, UNLABELLED};
use karat_match::{Case, Pairing, Scene, Unknowns};
use karat_model::Mention;
use regex::Regex;
use std::sync::Arc;

/// Which cases are meant: those with some label, or without it.
#[derive(Debug, Clone)]
pub struct Filter {
    /// What the labels are of.
    pub by: FilteredBy,
    /// Which labels are meant.
    pub test: LabelTest,
    /// Whether it is the other cases that are meant.
    pub negated: bool,
}

/// What gives cases the labels that are asked for.
#[derive(Debug, Clone)]
pub enum FilteredBy {
    /// A facet.
    Facet(Arc<dyn Facet>),
    /// The facet of categories, and the categories beside it that do not exclude others.
    Category(Arc<dyn Facet>),
    /// The categories that exclude each other, and nothing beside them.
    MainCategory(Arc<dyn Facet>),
    /// The kind of error.
    Error,
    /// The text of the mention.
    Text,
    /// What gold is linked to, and what was predicted.
    Entity,
    /// What gold is linked to.
    Gold,
    /// What was predicted.
    Predicted,
    /// A state, which has no labels.
    State(CaseState),
}

/// A state of a case that is asked for by its name alone.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CaseState {
    /// It is right: a link, or NIL.
    Right,
    /// It is an error of some kind.
    Wrong,
    /// It counts for nothing.
    Ignored,
    /// Gold has it, and it need not be found.
    Optional,
    /// Gold says NIL, or the system where gold says nothing.
    Nil,
    /// It refers back to another mention.
    Coreference,
}

/// Which labels are meant.
#[derive(Debug, Clone)]
pub enum LabelTest {
    /// None: the state holds by itself.
    Holds,
    /// One of these.
    Is(Vec<AskedLabel>),
    /// One that fits one of these.
    Fits(Vec<Regex>),
}

/// A label as it was asked for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AskedLabel {
    /// How it was written.
    pub written: String,
    /// The labels that it stands for: a family of categories stands for all of them.
    pub labels: Vec<String>,
}

impl Filter {
    /// Cases with this label of a facet.
    pub fn by_facet(facet: Arc<dyn Facet>, label: &str) -> Filter {
        let asked = AskedLabel { written: label.to_owned(), labels: vec![label.to_owned()] };
        Filter { by: FilteredBy::Facet(facet), test: LabelTest::Is(vec![asked]), negated: false }
    }

    /// Which cases of a document are meant.
    pub(super) fn passes(&self, document: &JudgedDocument<'_, '_>) -> Vec<bool> {
        if let FilteredBy::State(state) = self.by {
            // A state is asked of each case; it has no labels that could be listed.
            let cases = 0..document.cases.len();
            return cases.map(|at| document.is_in(state, at) != self.negated).collect();
        }
        let labels = self.by.labels(document);
        labels.iter().map(|labels| self.test.is_passed_by(labels) != self.negated).collect()
    }

    /// The same for one run.
    pub(super) fn of_run(&self, pairing: &Pairing<'_>) -> Filter {
        Filter { by: self.by.of_run(pairing), ..self.clone() }
    }

    /// The categories of errors that are asked for.
    pub(super) fn categories(&self) -> Vec<Category> {
        match &self.by {
            FilteredBy::Category(facet) => {
                self.asked().iter().flat_map(|asked| facet.categories(&asked.written)).collect()
            }
            _ => Vec::new(),
        }
    }

    /// The labels that are asked for by name.
    pub(super) fn asked(&self) -> &[AskedLabel] {
        match &self.test {
            LabelTest::Is(asked) => asked,
            LabelTest::Holds | LabelTest::Fits(_) => &[],
        }
    }
}

impl LabelTest {
    /// What has no label is asked for as `-`, as tables show it.
    fn is_passed_by(&self, labels: &[String]) -> bool {
        let is_asked = |label: &str| match self {
            LabelTest::Holds => false,
            LabelTest::Is(asked) => {
                asked.iter().any(|asked| asked.labels.iter().any(|it| it == label))
            }
            LabelTest::Fits(patterns) => patterns.iter().any(|pattern| pattern.is_match(label)),
        };
        match labels.is_empty() {
            true => is_asked(UNLABELLED),
            false => labels.iter().any(|label| is_asked(label)),
        }
    }
}

impl FilteredBy {
    /// The same for one run.
    pub(super) fn of_run(&self, pairing: &Pairing<'_>) -> FilteredBy {
        let of_run = |facet: &Arc<dyn Facet>| facet.of_run(pairing).unwrap_or(Arc::clone(facet));
        match self {
            FilteredBy::Facet(facet) => FilteredBy::Facet(of_run(facet)),
            FilteredBy::Category(facet) => FilteredBy::Category(of_run(facet)),
            FilteredBy::MainCategory(facet) => FilteredBy::MainCategory(of_run(facet)),
            other => other.clone(),
        }
    }

    /// The name by which it is asked for.
    pub fn name(&self) -> &str {
        match self {
            FilteredBy::Facet(facet)
            | FilteredBy::Category(facet)
            | FilteredBy::MainCategory(facet) => facet.name(),
            FilteredBy::Error => "error",
            FilteredBy::Text => "text",
            FilteredBy::Entity => "entity",
            FilteredBy::Gold => "gold",
            FilteredBy::Predicted => "predicted",
            FilteredBy::State(state) => state.name(),
        }
    }

    /// What people call a label, where it is an id that they would not know.
    pub(super) fn label_name(&self, label: &str) -> Option<&str> {
        match self {
            FilteredBy::Facet(facet) => facet.label_name(label),
            _ => None,
        }
    }

    /// Whether it says how the spans of both sides lie to each other.
    pub(super) fn is_about_spans(&self) -> bool {
        matches!(self, FilteredBy::Facet(facet) if facet.is_about_spans())
    }

    /// The labels of the cases of a document.
    pub(super) fn labels(&self, document: &JudgedDocument<'_, '_>) -> Vec<Labels> {
        let each = |of: &dyn Fn(&Labelled<'_>) -> Labels| document.cases.iter().map(of).collect();
        match self {
            FilteredBy::Facet(facet) => facet.labels_of_cases(document.scene, &document.matched),
            FilteredBy::Category(facet) => document.categories(facet.as_ref()),
            FilteredBy::MainCategory(facet) => document.main_categories(facet.as_ref()),
            FilteredBy::Error => {
                (0..document.cases.len()).map(|at| document.kinds_at(at)).collect()
            }
            FilteredBy::Text => each(&|case| case.text.map(str::to_owned).into_iter().collect()),
            FilteredBy::Entity => each(&|case| {
                let both = [document.answers(case.gold), document.answers(case.system)];
                both.into_iter().flatten().collect()
            }),
            FilteredBy::Gold => each(&|case| document.answers(case.gold)),
            FilteredBy::Predicted => each(&|case| document.answers(case.system)),
            FilteredBy::State(_) => vec![Labels::new(); document.cases.len()],
        }
    }
}

impl CaseState {
    /// All states.
    pub const ALL: [CaseState; 6] = [
        CaseState::Right,
        CaseState::Wrong,
        CaseState::Ignored,
        CaseState::Optional,
        CaseState::Nil,
        CaseState::Coreference,
    ];

    /// The name by which it is asked for.
    pub fn name(self) -> &'static str {
        match self {
            CaseState::Right => "right",
            CaseState::Wrong => "wrong",
            CaseState::Ignored => "ignored",
            CaseState::Optional => "optional",
            CaseState::Nil => "nil",
            CaseState::Coreference => "coreference",
        }
    }

    /// The state of this name.
    pub fn named(name: &str) -> Option<CaseState> {
        CaseState::ALL.into_iter().find(|state| state.name() == name)
    }
}

/// The label of what counts for nothing among kinds of errors.
pub(super) const IGNORED: &str = "ignored";

/// A document whose cases were judged.
pub(super) struct JudgedDocument<'d, 'c> {
    pub(super) inspection: &'d Inspection<'d>,
    /// Its place in the benchmark, from 0.
    pub(super) index: usize,
    pub(super) name: &'c str,
    pub(super) scene: &'d Scene<'c>,
    pub(super) cases: &'d [Labelled<'c>],
    /// The same as facets see them.
    pub(super) matched: Vec<Case>,
    pub(super) kinds: Vec<Option<Finding>>,
    pub(super) unknowns: Unknowns,
}

impl<'d, 'c> JudgedDocument<'d, 'c> {
    pub(super) fn new(
        inspection: &'d Inspection<'d>,
        (index, name): (usize, &'c str),
        scene: &'d Scene<'c>,
        cases: &'d [Labelled<'c>],
        unknowns: Unknowns,
    ) -> JudgedDocument<'d, 'c> {
        let matched = as_matched(inspection.settings, scene, cases, unknowns);
        let kinds = Finding::of_cases(inspection.settings, scene, inspection.base, &matched);
        JudgedDocument { inspection, index, name, scene, cases, matched, kinds, unknowns }
    }

    /// The text in which the cases are.
    pub(super) fn around(&self) -> Around<'c> {
        Around::new(self.name, self.scene.text())
    }

    /// One of the cases, as readers see it.
    pub(super) fn case(&self, around: &Around<'_>, at: usize) -> ErrorCase {
        let case = &self.cases[at];
        let found = ErrorCase::new(self.inspection, around, case, self.kinds[at], self.unknowns);
        let rank = case.right_candidate(self.scene).map(|place| place + 1);
        ErrorCase { candidate_rank: rank, ..found }
    }

    fn is_in(&self, state: CaseState, at: usize) -> bool {
        let case = &self.cases[at];
        let is_nil = |mention: Mention<'_>| mention.entity().is_none();
        match state {
            CaseState::Right => self.kinds[at].is_some_and(Finding::is_right),
            CaseState::Wrong => self.kinds[at].is_some_and(|kind| !kind.is_right()),
            CaseState::Ignored => self.kinds[at].is_none(),
            CaseState::Optional => case.judgement.is_optional(),
            CaseState::Nil => case.gold.or(case.system).is_some_and(is_nil),
            CaseState::Coreference => case.is_coreference(),
        }
    }

    /// The kinds of errors of a case: what is NIL is of two.
    fn kinds_at(&self, at: usize) -> Labels {
        let Some(finding) = self.kinds[at] else { return vec![IGNORED.to_owned()] };
        let case = &self.cases[at];
        let is_nil = |mention: Option<Mention<'_>>| mention.is_some_and(|it| it.entity().is_none());
        let (gold, prediction) = (is_nil(case.gold), is_nil(case.system));
        let kinds = ErrorKind::all().filter(|kind| kind.is(finding, gold, prediction));
        kinds.map(ErrorKind::name).collect()
    }

    /// The categories that exclude each other, as their facet has them. What counts for nothing by itself has
    /// none, as it is in no count of them.
    fn main_categories(&self, facet: &dyn Facet) -> Vec<Labels> {
        let mut all = facet.labels_of_cases(self.scene, &self.matched);
        for (labels, case) in all.iter_mut().zip(self.cases) {
            if !case.judgement.counts {
                labels.clear();
            }
        }
        all
    }

    /// The same, and all others of the case.
    fn categories(&self, facet: &dyn Facet) -> Vec<Labels> {
        let mut all = self.main_categories(facet);
        let counts = |case: &&Labelled<'_>| case.judgement.counts;
        let counted = all.iter_mut().zip(self.cases).filter(|(_, case)| counts(case));
        for (labels, case) in counted {
            let certain = case.labels[self.unknowns.index()].certain.iter();
            let wrong = certain.filter(|label| label.wrong).map(|label| label.category);
            let others = wrong.filter(|category| category.is_total() || category.is_further());
            let others =
                others.map(Category::name).filter(|name| !labels.iter().any(|it| it == name));
            let others: Vec<String> = others.map(str::to_owned).collect();
            labels.extend(others);
        }
        all
    }

    /// What a mention is linked to, as its file spells it and by its one name.
    fn answers(&self, mention: Option<Mention<'_>>) -> Labels {
        let Some(mention) = mention else { return Labels::new() };
        let Some(entity) = mention.entity() else { return vec!["NIL".to_owned()] };
        let one_name = self.inspection.identity.canonical(entity);
        // Both spellings, so that a filter may use the id of the file as well as the one the tables
        // show.
        let other = (one_name != entity).then(|| one_name.into_owned());
        std::iter::once(entity.to_owned()).chain(other).collect()
    }
}
