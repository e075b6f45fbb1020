//! The commands that print what pages show.

use crate::address::slug;
use crate::catalogue::{Catalogue, CatalogueBenchmark, CatalogueRun};
use karat::inputs::{HeldNames, InputRequest, Inputs, PatchedEdition, about_files};
use karat::request::Request;

impl Catalogue {
    /// The commands that print the numbers of an answer, one on a line.
    ///
    /// A page asks about what is held in memory, and a command reads files. So the same request is made about the files
    /// that benchmarks and runs were read from, with everything that was said of them, and words itself as commands.
    pub fn commands<R: Request>(&self, request: &R) -> String {
        let about_files = about_files(request, |held| self.inputs_of(held));
        let commands = about_files.map(|request| request.commands()).unwrap_or_default();
        commands.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n")
    }

    /// The files of what is held together.
    fn inputs_of(&self, held: &HeldNames) -> Option<Inputs> {
        let benchmark = self.named(held.gold.first()?)?;
        let run_of = |system: &String| {
            let run = self.runs_on(&benchmark.slug).find(|run| run.system == *system)?;
            Some(self.run_input(run, benchmark))
        };
        let systems: Vec<InputRequest> = held.systems.iter().filter_map(run_of).collect();
        // An output for several benchmarks is divided among them; beside one of them alone, what it says of documents of
        // the others would count as wrong.
        let is_divided = systems.iter().any(|input| input.benchmark.is_none());
        let gold = match is_divided && self.files.gold.len() > 1 {
            true => self.files.gold.clone(),
            false => {
                let named = held.gold.iter().filter_map(|name| self.named(name));
                named.map(|benchmark| self.gold_input(benchmark)).collect()
            }
        };
        Some(Inputs { gold, systems, ..self.files.clone() })
    }

    fn named(&self, benchmark: &str) -> Option<&CatalogueBenchmark> {
        self.benchmarks.iter().find(|it| it.name == benchmark)
    }

    /// The input of a benchmark as it was given, or under the name that its download has.
    fn gold_input(&self, benchmark: &CatalogueBenchmark) -> InputRequest {
        let given =
            |name: &str| self.files.gold.iter().find(|input| input.called() == name).cloned();
        let patched: Result<PatchedEdition, _> = benchmark.name.parse();
        let input = match patched {
            Ok(edition) => given(&edition.gold),
            Err(_) => {
                given(&benchmark.name).map(|input| InputRequest { patches: Vec::new(), ..input })
            }
        };
        input.unwrap_or_else(|| source_input(&benchmark.source, &benchmark.name))
    }

    fn run_input(&self, run: &CatalogueRun, benchmark: &CatalogueBenchmark) -> InputRequest {
        let is_it = |input: &&InputRequest| {
            let benchmarks = input.benchmark.as_ref();
            input.called() == run.system && benchmarks.is_none_or(|it| *it == benchmark.name)
        };
        let given = self.files.systems.iter().find(is_it);
        given.cloned().unwrap_or_else(|| InputRequest {
            name: Some(run.system.clone()),
            ..source_input(&run.source, &run.system)
        })
    }
}

fn source_input(source: &str, name: &str) -> InputRequest {
    let path = match source.is_empty() {
        true => format!("{}.jsonl", slug(name)),
        false => source.to_owned(),
    };
    InputRequest { path, ..InputRequest::default() }
}
