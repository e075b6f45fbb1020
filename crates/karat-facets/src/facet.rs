//! What a facet is.

use crate::taxonomy::Category as ErrorCategory;
use karat_match::{Case, Item, Pairing, Scene, Side};
use karat_model::{DimensionCategory, Document};
use std::sync::Arc;

/// The labels of a mention.
pub type Labels = Vec<String>;

/// The label of what has none.
pub const UNLABELLED: &str = "-";

/// Gives mentions labels, so that a result can be divided among them.
///
/// An entity type, a topic, a category tag, a kind of error and a popularity bin are all the same thing: they
/// say of a mention what it belongs to. A result is divided by any of them, or by several at once, without
/// knowing which: everything that is known about one facet is behind this trait.
///
/// # Of mentions, of cases, of documents
///
/// What a label is *of* decides which method a facet writes:
///
/// - *Mentions*. Most labels can be told from a mention by itself: its type, its tags, its entity. Such a
///   facet writes [`labels`](Facet::labels) and nothing else. A case then has the labels of its gold mention, or of
///   the prediction where there is no gold.
/// - *Documents*. A topic or a language is the same for all mentions of a document. Such a facet writes
///   [`labels_of_document`](Facet::labels_of_document), and `labels` returns nothing. Where the system's file does not
///   say it, gold's does. Only these can be what documents are drawn by (strata, clusters).
/// - *Cases*. What went wrong is said of a gold mention and a prediction together. Such a facet says so with
///   [`is_of_cases`](Facet::is_of_cases) and writes [`labels_of_case`](Facet::labels_of_case), or
///   [`labels_of_cases`](Facet::labels_of_cases) if it has to see all cases of a document to tell one. A convention that
///   divides each side by its own labels cannot do so here, and divides cases instead.
///
/// A mention may have no label, one or several. With several, it counts in each part; with none, it
/// counts under [`UNLABELLED`]. Parts therefore need not add up to the whole.
///
/// # When labels are asked for
///
/// Once for each case of each document, from many threads at once and in any order, so a facet keeps no
/// state. One that has to look at a whole run before it can tell anything makes another facet for that run in
/// [`of_run`](Facet::of_run), which is called once before the first document. One that asks a knowledge base gets
/// it when it is made, from its [`FacetContext`](crate::FacetContext).
///
/// # What must hold
///
/// - The same mention of the same scene has the same labels, whatever else is asked and on whatever thread.
/// - Labels depend on what a file says and on the settings, never on numbers that karat gave to strings: these
///   differ from run to run of a stream.
/// - Labels are short, and there are far fewer of them than mentions. Each is a row of a table.
/// - A facet whose labels are known beforehand lists them in [`vocabulary`](Facet::vocabulary), in the order in which
///   they are shown. Parts without a case then show up as empty, and not as missing.
/// - What cannot be told has no label, or one that says so. It is never guessed.
///
/// # Adding one
///
/// A file in `facets/` with the facet and its [`FacetDefinition`](crate::FacetDefinition), and a line in
/// [`FACETS`](crate::FACETS).
///
/// ```
/// use karat_facets::{Facet, Labels};
/// use karat_kb::Identity;
/// use karat_match::{Item, Pairing, Scene, Settings, Side};
/// use karat_model::{CorpusBuilder, Link, Span};
///
/// /// Whether a mention is long.
/// #[derive(Debug)]
/// struct ByLength;
///
/// impl Facet for ByLength {
///     fn name(&self) -> &str {
///         "length"
///     }
///
///     fn vocabulary(&self) -> Vec<Vec<&'static str>> {
///         vec![vec!["short", "long"]]
///     }
///
///     fn labels(&self, _: &Side<'_>, item: &Item) -> Labels {
///         vec![if item.span.len() > 20 { "long" } else { "short" }.to_owned()]
///     }
/// }
///
/// let mut builder = CorpusBuilder::new();
/// builder.continue_document("d1");
/// let berlin = Link::to(builder.intern("Q64"));
/// builder.annotate(Span::new(0, 6), berlin);
/// let corpus = builder.finish();
///
/// let pairing = Pairing::new(&corpus, &corpus, &Identity::new());
/// let mut scene = Scene::default();
/// pairing.stage(0, &Settings::default(), &mut scene);
/// assert_eq!(ByLength.labels(&scene.gold, &scene.gold.items[0]), ["short"]);
/// ```
pub trait Facet: std::fmt::Debug + Send + Sync {
    /// Its name, as it is asked for.
    fn name(&self) -> &str;

    /// The labels that there can be, in groups: where one of a group occurs in gold, all of it are listed.
    /// None for a facet that takes its labels from the data.
    fn vocabulary(&self) -> Vec<Vec<&'static str>> {
        Vec::new()
    }

    /// Whether only cases have labels, and mentions alone have none.
    fn is_of_cases(&self) -> bool {
        false
    }

    /// Whether it says how the spans of both sides lie to each other.
    fn is_about_spans(&self) -> bool {
        false
    }

    /// Whether its labels are types, which a taxonomy may merge and a knowledge base may have names for.
    fn is_of_types(&self) -> bool {
        false
    }

    /// What people call a label, where it is an id that they would not know.
    fn label_name(&self, _label: &str) -> Option<&str> {
        None
    }

    /// The categories of errors that a label stands for, if it stands for any.
    fn categories(&self, _label: &str) -> Vec<ErrorCategory> {
        Vec::new()
    }

    /// The labels of a mention on its own side; none if it has none.
    fn labels(&self, side: &Side<'_>, item: &Item) -> Labels;

    /// The labels of a case: those of the gold mention, or of the prediction
    /// where there is no gold.
    fn labels_of_case(&self, scene: &Scene<'_>, case: &Case) -> Labels {
        let gold = case.gold.and_then(|at| scene.gold.items.get(at as usize));
        let system = case.system.and_then(|at| scene.system.items.get(at as usize));
        match (gold, system) {
            (Some(gold), _) => self.labels_in(scene, &scene.gold, gold),
            (None, Some(system)) => self.labels_in(scene, &scene.system, system),
            (None, None) => Labels::new(),
        }
    }

    /// The labels of all these cases of a scene, for facets that must see the scene whole.
    fn labels_of_cases(&self, scene: &Scene<'_>, cases: &[Case]) -> Vec<Labels> {
        cases.iter().map(|case| self.labels_of_case(scene, case)).collect()
    }

    /// The same facet for one run, for those that must see all documents of a run before they can
    /// tell of any.
    fn of_run(&self, _pairing: &Pairing<'_>) -> Option<Arc<dyn Facet>> {
        None
    }

    /// The labels of a mention in its scene. What its own side does not say of a
    /// document, gold may.
    fn labels_in(&self, scene: &Scene<'_>, side: &Side<'_>, item: &Item) -> Labels {
        let own = self.labels(side, item);
        let document = scene.gold.document.or(scene.system.document);
        match (own.is_empty(), document) {
            (true, Some(document)) => self.labels_of_document(&document),
            _ => own,
        }
    }

    /// The labels of all mentions of a document, for facts about documents.
    fn labels_of_document(&self, _document: &Document<'_>) -> Labels {
        Labels::new()
    }
}

/// The order of labels: those of category tags as their vocabulary has them, then others by name.
/// Labels that are joined by `+` are compared part by part.
pub fn order(label: &str) -> Vec<(usize, &str)> {
    let place = |part| DimensionCategory::ALL.iter().position(|category| category.el() == part);
    label.split('+').map(|part| (place(part).unwrap_or(usize::MAX), part)).collect()
}
