//! From names to measures.

use crate::algebra;
use crate::hierarchy::Hierarchy;
use crate::measure::{Compute, Definition};
use crate::measures::MEASURES;
use crate::name::{Average, Name, NameError};
use crate::parameter::MeasureContext;
use crate::preset::Convention;
use crate::settings::{SETTINGS, SettingError, setting};
use crate::type_weights::TypeWeights;
use karat_kb::KnowledgeBase;
use karat_match::{Agreement, Settings, Spans};
use karat_model::{Hint, closest};
use std::sync::Arc;

/// A measure that can be computed: a definition, under a convention.
#[derive(Debug, Clone)]
pub struct Measure {
    /// Its name as it was asked for, without a score.
    pub name: String,
    /// Its name in karat.
    pub canonical: String,
    /// What decides who meets whom.
    pub settings: Settings,
    /// How it is computed.
    pub compute: Compute,
}

/// The measures that were asked for, and what of them.
#[derive(Debug, Clone, Default)]
pub struct Selection {
    /// Each measure once.
    pub measures: Vec<Measure>,
    /// What is to be shown, in order.
    pub wanted: Vec<Wanted>,
    /// Whether pairs of types have weights.
    pub weighted: bool,
}

/// Something that was asked for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Wanted {
    /// Which measure of the selection.
    pub measure: usize,
    /// Which score; `None` for all.
    pub score: Option<String>,
    /// How documents are put together.
    pub average: Average,
}

impl Selection {
    /// Finds the measures, groups of measures and scores with these names.
    pub fn parse<'n>(
        names: impl IntoIterator<Item = &'n str>,
        convention: &Convention,
    ) -> Result<Selection, NameError> {
        let mut selection = Selection::default();
        for name in names {
            if name.trim().is_empty() {
                return Err(NameError::new(
                    "a measure without a name",
                    "`karat measures` lists all measures and groups",
                ));
            }
            if let Some(measure) = algebra::parse(name, convention)? {
                selection.add(measure, None, Average::Micro);
                continue;
            }
            let name = Name::parse(name)?;
            let group_name = group_name(&name.family, convention);
            let members = group(group_name);
            if members.is_empty() {
                let measure = measure(&name, convention)?;
                check_score(&measure, &name)?;
                check_average(&measure, &name)?;
                selection.add(measure, name.score, name.average);
                continue;
            }
            for member in members {
                // A group of another tool lists its measures by the names of that tool.
                let theirs = member.aliases.first().filter(|_| !OWN_GROUPS.contains(&group_name));
                let family = theirs.unwrap_or(&member.name);
                let name = Name { family: (*family).to_owned(), ..name.clone() };
                selection.add(measure(&name, convention)?, name.score, name.average);
            }
        }
        Ok(selection)
    }

    /// The same with weights for pairs of types, in all measures that ask for types and
    /// compare documents; mentions must then agree in their spans.
    pub fn with_type_weights(mut self, weights: TypeWeights) -> Result<Selection, NameError> {
        let weights = Arc::new(weights);
        self.weighted = true;
        for measure in &mut self.measures {
            let Compute::Documents(compute) = &measure.compute else { continue };
            let Some(weighted) = compute.weighted(&weights) else { continue };
            if !matches!(measure.settings.spans, Spans::Exact | Spans::Expanded) {
                return Err(NameError::new(
                    format!("`{}` cannot weigh types", measure.name),
                    "type weights need exact spans: take `match` off its name",
                ));
            }
            measure.compute = Compute::Documents(weighted);
        }
        Ok(self)
    }

    /// Gives a hierarchy of types to the measures that use one. Types that the convention
    /// does not take for known do not count.
    pub fn use_hierarchy(&mut self, hierarchy: Hierarchy, convention: &Convention) {
        let hierarchy = Arc::new(hierarchy.with_knowledge(convention.knowledge));
        for measure in &mut self.measures {
            if let Compute::Documents(compute) = &mut measure.compute
                && let Some(informed) = compute.with_hierarchy(&hierarchy)
            {
                *compute = informed;
            }
        }
    }

    /// Gives a knowledge base to the measures that use one.
    pub fn use_base(&mut self, base: &Arc<KnowledgeBase>) {
        for measure in &mut self.measures {
            if let Compute::Documents(compute) = &mut measure.compute
                && let Some(informed) = compute.with_base(base)
            {
                *compute = informed;
            }
        }
    }

    /// The attributes of annotations that measures in neleval's notation ask about, each with its measure.
    pub fn attributes(&self) -> impl Iterator<Item = (&Measure, &str)> {
        self.measures.iter().flat_map(|measure| {
            let asked = measure.compute.attributes().into_iter();
            asked.map(move |attribute| (measure, attribute))
        })
    }

    /// Whether some annotation has each of these attributes: where none has, its name was mistyped.
    pub fn check_attributes(&self, is_known: impl Fn(&str) -> bool) -> Result<(), NameError> {
        match self.attributes().find(|(_, attribute)| !is_known(attribute)) {
            Some((measure, attribute)) => Err(algebra::unknown_field(attribute, &measure.name)),
            None => Ok(()),
        }
    }

    /// Asks for these as well.
    pub fn extend(&mut self, more: Selection) {
        for wanted in more.wanted {
            if let Some(measure) = more.measures.get(wanted.measure) {
                self.add(measure.clone(), wanted.score, wanted.average);
            }
        }
    }

    fn add(&mut self, measure: Measure, score: Option<String>, average: Average) {
        let known = self.measures.iter().position(|known| known.name == measure.name);
        let index = known.unwrap_or_else(|| {
            self.measures.push(measure);
            self.measures.len() - 1
        });
        let wanted = Wanted { measure: index, score, average };
        if !self.wanted.contains(&wanted) {
            self.wanted.push(wanted);
        }
    }
}

/// The groups that are karat's own; all others are neleval's.
const OWN_GROUPS: [&str; 3] = ["ranks", "confidence", "queries"];

/// What neleval calls `all`.
const DEFAULT_OF_NELEVAL: &str = "neleval";

/// The group that a name means, if it means one. `all` is a measure in karat, and in neleval
/// everything that it reports when nothing is asked for.
fn group_name<'n>(name: &'n str, convention: &Convention) -> &'n str {
    match name {
        "all" if convention.all_is_a_group => DEFAULT_OF_NELEVAL,
        name => name,
    }
}

/// All names of groups.
pub fn groups() -> Vec<&'static str> {
    let mut groups: Vec<&str> =
        MEASURES.iter().flat_map(|measure| measure.groups.iter().copied()).collect();
    groups.sort_unstable();
    groups.dedup();
    groups
}

/// The measures of a group. neleval's group `all` is called `neleval`, because `all` is a measure; under
/// the convention of neleval it is the group as well.
pub fn group(name: &str) -> Vec<&'static Definition> {
    MEASURES.iter().copied().filter(|measure| measure.groups.contains(&name)).collect()
}

/// The definition with this name or alias.
pub fn definition(name: &str) -> Option<&'static Definition> {
    let same = |other: &str| other.eq_ignore_ascii_case(name);
    let named = MEASURES.iter().find(|measure| same(measure.name));
    let aliased =
        || MEASURES.iter().find(|measure| measure.aliases.iter().any(|alias| same(alias)));
    named.or_else(aliased).copied()
}

fn measure(name: &Name, convention: &Convention) -> Result<Measure, NameError> {
    let definition = definition(&name.family).ok_or_else(|| unknown(&name.family))?;
    let refused = |error: SettingError| refused(name, definition, &error);
    let mut settings = convention.settings.clone();
    for (key, value) in &name.parameters {
        if definition.parameter(key).is_some() {
            continue;
        }
        let setting = setting(key).ok_or_else(|| SettingError::Name { name: key.clone() });
        setting
            .and_then(|setting| setting.set_for_measure(&mut settings, value))
            .map_err(refused)?;
    }
    let context = MeasureContext::checked(definition.parameters, &name.parameters, convention);
    let compute = (definition.compute)(&context.map_err(refused)?);
    // GERBIL loses confidences on the way to linking only; recognition sees them all.
    settings.untyped_scores &= is_about_links(&compute);
    // Where confidences are lost with types, those of entities that stand for documents are lost as well.
    settings.no_scores |= settings.untyped_scores && is_about_tags(&compute);
    if needs_exact_spans(&compute) && !matches!(settings.spans, Spans::Exact | Spans::Expanded) {
        return Err(NameError::new(
            format!("`{}` takes all that stands on one span for one mention", name.measure()),
            "it needs exact spans: leave out `match`, or say match=exact",
        ));
    }
    let canonical = Name { family: definition.name.to_owned(), ..name.clone() }.measure();
    Ok(Measure { name: name.measure(), canonical, settings, compute })
}

/// What is wrong in the brackets of a name, and what could stand there.
fn refused(name: &Name, definition: &Definition, error: &SettingError) -> NameError {
    let own = definition.parameters.iter().map(|parameter| parameter.name());
    let message = match error {
        SettingError::Name { name: key } => {
            format!("`{}` has no parameter `{key}`", definition.name)
        }
        error => error.to_string(),
    };
    let hint = match error {
        SettingError::Name { name: key } => {
            let of_matching = SETTINGS.iter().filter(|setting| setting.is_of_matching());
            let known: Vec<&str> = own.chain(of_matching.map(|setting| setting.name())).collect();
            let meant = closest(key, known.iter().copied());
            let meant = meant.map(|meant| format!("did you mean `{meant}`? "));
            format!("{}it takes {}", meant.unwrap_or_default(), known.join(", "))
        }
        error => match error.hint() {
            Some(hint) => hint.to_string(),
            None => format!("`karat measures {}` describes the measure", definition.name),
        },
    };
    NameError::new(format!("in `{name}`: {message}"), hint)
}

/// Whether spans that are not the same mean nothing to a measure.
fn needs_exact_spans(compute: &Compute) -> bool {
    matches!(compute, Compute::Documents(measure) if measure.needs_exact_spans())
}

/// Whether a measure looks at what mentions are linked to; the others see every confidence.
fn is_about_links(compute: &Compute) -> bool {
    let Compute::Documents(compute) = compute else { return false };
    compute.criteria().is_some_and(|criteria| criteria.is_about_links())
}

/// Whether a measure looks at the entities of documents, wherever they are.
fn is_about_tags(compute: &Compute) -> bool {
    let Compute::Documents(compute) = compute else { return false };
    compute.criteria().is_some_and(|criteria| !criteria.agree.contains(Agreement::SPAN))
}

/// A measure of the whole corpus has no mean over documents.
fn check_average(measure: &Measure, name: &Name) -> Result<(), NameError> {
    match (&measure.compute, name.average) {
        (Compute::Corpus(_), Average::Macro) => Err(NameError::new(
            format!("`{}` is of all documents together: it has no @macro", measure.name),
            Hint::template("{group-by=doc} scores each document apart"),
        )),
        _ => Ok(()),
    }
}

fn check_score(measure: &Measure, name: &Name) -> Result<(), NameError> {
    let Some(score) = &name.score else { return Ok(()) };
    let (scores, columns) = (measure.compute.empty_scores(), measure.compute.columns());
    if scores.get(score).is_some() || measure.compute.count_at(score).is_some() {
        return Ok(());
    }
    let known: Vec<&str> = scores.names().chain(columns.iter().copied()).collect();
    Err(NameError::new(
        format!("`{}` has no score `{score}`", measure.name),
        format!("it has {}", known.join(", ")),
    ))
}

fn unknown(family: &str) -> NameError {
    let names = MEASURES
        .iter()
        .flat_map(|measure| std::iter::once(measure.name).chain(measure.aliases.iter().copied()));
    let all: Vec<&str> = names.chain(groups()).collect();
    let hint = match closest(family, all) {
        Some(name) => format!("did you mean `{name}`? `karat measures` lists all"),
        None => "`karat measures` lists all measures and groups".to_owned(),
    };
    NameError::new(format!("there is no measure `{family}`"), hint)
}
