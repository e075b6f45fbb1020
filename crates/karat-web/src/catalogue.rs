//! What there is, by the names that addresses use.

use crate::access::{Act, Visitor};
use crate::address::slug;
use crate::refusal::Refusal;
use karat::inputs::{Experiment, InputRequest, Inputs, PatchedEdition};
use karat::model::Notice;
use std::collections::BTreeSet;

/// What there is, by the names that addresses use.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Catalogue {
    /// The benchmarks, in the order given.
    pub benchmarks: Vec<CatalogueBenchmark>,
    /// The runs of systems on them, in the order given.
    pub runs: Vec<CatalogueRun>,
    /// What was said when files were read.
    pub notices: Vec<Notice>,
    /// The files, and how they were read, as whoever started the server named them; none where there are no files.
    pub files: Inputs,
}

/// A benchmark in the catalogue. Where benchmarks have editions, each edition is one.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct CatalogueBenchmark {
    /// What addresses call it; an edition that is not the newest has its name after an `@`.
    pub slug: String,
    /// What people call it.
    pub name: String,
    /// Where it was read from; empty for one that is not from a file.
    pub source: String,
    /// How many documents it has.
    pub documents: usize,
    /// The name of its edition, where there are editions.
    pub edition: Option<String>,
    /// Whether there is a newer edition of it.
    pub superseded: bool,
    /// Whether its texts and cases are for organisers only.
    pub gold_hidden: bool,
    /// The id of its edition in the store; empty for a file.
    pub edition_id: String,
    /// Its id in the store, by which rights name it; empty for a file.
    pub id: String,
    /// Whether it is for those only who have a right of their own for it.
    pub private: bool,
}

impl CatalogueBenchmark {
    /// Whether this visitor may see what gold says.
    pub fn shows_gold_to(&self, visitor: &Visitor) -> bool {
        !self.gold_hidden || visitor.may(Act::Organise, &self.id)
    }
}

/// A run in the catalogue.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct CatalogueRun {
    /// What addresses call it.
    pub id: String,
    /// What people call the system; where a system has several runs on a benchmark, with the label of the run,
    /// so that no two runs on a benchmark have one name.
    pub system: String,
    /// What addresses call the system.
    pub system_slug: String,
    /// What addresses call the benchmark.
    pub benchmark: String,
    /// Where it was read from; empty for one that is not from a file.
    pub source: String,
    /// When it was sent, in milliseconds since 1970, where that is known.
    pub sent: Option<i64>,
    /// How long the system took, in seconds, where that is known.
    pub seconds: Option<f64>,
    /// Whether something better took the place of the system.
    pub deprecated: bool,
    /// Whether it is for who sent it, and for organisers only.
    pub private: bool,
    /// The id of the person who sent it, where that is known.
    pub sent_by: Option<String>,
}

/// Where a benchmark was read from. Gold with patches is a benchmark of its own beside gold as it is, and both are of one file.
fn source_of(files: &Inputs, benchmark: &str, place: usize) -> String {
    let patched: Result<PatchedEdition, _> = benchmark.parse();
    let name = patched.as_ref().map_or(benchmark, |edition| &edition.gold);
    let named = files.gold.iter().find(|input| input.called() == name);
    named.or_else(|| files.gold.get(place)).map_or("", |input| &input.path).to_owned()
}

impl Catalogue {
    /// The catalogue of experiments that are in memory. `files` says what they were read from, and `notices`
    /// what was said then.
    pub fn of(experiments: &[Experiment], files: &Inputs, notices: Vec<Notice>) -> Catalogue {
        let files = files.clone();
        let mut catalogue = Catalogue { notices, files, ..Catalogue::default() };
        let mut taken = BTreeSet::new();
        let mut systems: Vec<(String, String)> = Vec::new();
        let mut system_slugs = BTreeSet::new();
        for (place, experiment) in experiments.iter().enumerate() {
            let name = &experiment.benchmark.name;
            let benchmark = unique(slug(name), &mut taken);
            catalogue.benchmarks.push(CatalogueBenchmark {
                slug: benchmark.clone(),
                name: name.clone(),
                source: source_of(&catalogue.files, name, place),
                documents: experiment.benchmark.corpus.len(),
                ..CatalogueBenchmark::default()
            });
            for run in &experiment.runs {
                let known = systems.iter().find(|(system, _)| *system == run.name);
                let system_slug = match known {
                    Some((_, slug)) => slug.clone(),
                    None => {
                        let slug = unique(slug(&run.name), &mut system_slugs);
                        systems.push((run.name.clone(), slug.clone()));
                        slug
                    }
                };
                catalogue.runs.push(CatalogueRun {
                    id: format!("{system_slug}@{benchmark}"),
                    system: run.name.clone(),
                    system_slug,
                    benchmark: benchmark.clone(),
                    source: run.source.clone(),
                    ..CatalogueRun::default()
                });
            }
        }
        catalogue
    }

    /// What of it somebody sees.
    pub fn seen_by(&self, visitor: &Visitor) -> Catalogue {
        let person = visitor.person().map(|person| person.id.as_str());
        let mut seen = self.clone();
        seen.benchmarks.retain(|it| visitor.sees(&it.id, !it.private));
        seen.runs.retain(|run| {
            let benchmark = seen.benchmarks.iter().find(|it| it.slug == run.benchmark);
            benchmark.is_some_and(|benchmark| {
                let is_own = person.is_some() && run.sent_by.as_deref() == person;
                !run.private || is_own || visitor.may(Act::Organise, &benchmark.id)
            })
        });
        seen
    }

    /// The benchmark that an address names, with or without its edition.
    pub fn benchmark(&self, slug: &str) -> Result<&CatalogueBenchmark, Refusal> {
        let is_named = |benchmark: &&CatalogueBenchmark| {
            let with_edition = benchmark.edition.as_deref().and_then(|edition| {
                slug.strip_prefix(&benchmark.slug)?.strip_prefix('@').map(|asked| asked == edition)
            });
            benchmark.slug == slug || with_edition == Some(true)
        };
        let found = self.benchmarks.iter().find(is_named);
        let names = self.benchmarks.iter().map(|benchmark| benchmark.slug.as_str());
        found.ok_or_else(|| Refusal::missing("benchmark", slug, names))
    }

    /// The run that an address names.
    pub fn run(&self, id: &str) -> Result<&CatalogueRun, Refusal> {
        let found = self.runs.iter().find(|run| run.id == id);
        let names = self.runs.iter().map(|run| run.id.as_str());
        found.ok_or_else(|| Refusal::missing("run", id, names))
    }

    /// The runs on a benchmark, in the order given.
    pub fn runs_on(&self, benchmark: &str) -> impl Iterator<Item = &CatalogueRun> {
        self.runs.iter().filter(move |run| run.benchmark == benchmark)
    }

    /// The inputs of a request about these runs of one benchmark.
    pub fn inputs<'r>(
        &self,
        benchmark: &CatalogueBenchmark,
        runs: impl IntoIterator<Item = &'r CatalogueRun>,
    ) -> Inputs {
        Inputs {
            gold: vec![InputRequest::held(&benchmark.name)],
            systems: runs.into_iter().map(|run| InputRequest::held(&run.system)).collect(),
            ..Inputs::default()
        }
    }
}

/// A name that nothing else has, made of this one.
pub(crate) fn unique(slug: String, taken: &mut BTreeSet<String>) -> String {
    let mut candidate = slug.clone();
    let mut number = 2;
    while !taken.insert(candidate.clone()) {
        candidate = format!("{slug}-{number}");
        number += 1;
    }
    candidate
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slugs_differ_where_names_do() {
        let mut taken = BTreeSet::new();
        let slugs = ["A b", "a-b", "a b"].map(|name| unique(slug(name), &mut taken));
        assert_eq!(slugs, ["a-b", "a-b-2", "a-b-3"]);
    }

    #[test]
    fn the_newest_edition_is_found_with_and_without_its_name() {
        let edition = |slug: &str, edition: &str, superseded| CatalogueBenchmark {
            slug: slug.to_owned(),
            edition: Some(edition.to_owned()),
            superseded,
            ..CatalogueBenchmark::default()
        };
        let benchmarks = vec![edition("news", "2", false), edition("news@1", "1", true)];
        let catalogue = Catalogue { benchmarks, ..Catalogue::default() };
        let found = |slug| catalogue.benchmark(slug).ok().and_then(|it| it.edition.clone());
        for (slug, label) in [("news", "2"), ("news@2", "2"), ("news@1", "1")] {
            assert_eq!(found(slug).as_deref(), Some(label), "{slug}");
        }
        assert_eq!(found("news@3"), None);
        assert_eq!(found("new"), None);
    }
}
