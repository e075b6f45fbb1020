//! The commands that print what pages show.

use crate::address::slug;
use crate::catalogue::{Catalogue, CatalogueBenchmark, CatalogueRun};
use karat::inputs::{InputRequest, Inputs, PatchedEdition};
use karat::request::Request;
use serde_json::{Map, Value, json};

impl Catalogue {
    /// The commands that print the numbers of an answer, one on a line.
    ///
    /// A page asks about what is held in memory, and a command reads files. So the same request is made about the files
    /// that benchmarks and runs were read from, with everything that was said of them, and words itself as commands.
    pub fn commands<R: Request>(&self, request: &R) -> String {
        let about_files = serde_json::to_value(request).and_then(|mut fields| {
            self.name_files(&mut fields);
            serde_json::from_value::<R>(fields)
        });
        let commands = about_files.map(|request| request.commands()).unwrap_or_default();
        commands.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n")
    }

    /// Names files in the place of what is held. Requests differ in where their inputs are, and all of them write inputs
    /// in the same way, so that they are found in JSON.
    fn name_files(&self, value: &mut Value) {
        match value {
            Value::Object(fields) => match held_benchmark(fields).and_then(|it| self.named(&it)) {
                Some(benchmark) => self.name_inputs(fields, benchmark),
                None => fields.values_mut().for_each(|value| self.name_files(value)),
            },
            Value::Array(items) => items.iter_mut().for_each(|item| self.name_files(item)),
            _ => {}
        }
    }

    fn named(&self, benchmark: &str) -> Option<&CatalogueBenchmark> {
        self.benchmarks.iter().find(|it| it.name == benchmark)
    }

    fn name_inputs(&self, fields: &mut Map<String, Value>, benchmark: &CatalogueBenchmark) {
        let systems: Vec<InputRequest> = held_names(fields.get("systems"))
            .iter()
            .filter_map(|system| {
                let run = self.runs_on(&benchmark.slug).find(|run| run.system == *system)?;
                Some(self.run_input(run, benchmark))
            })
            .collect();
        let gold: Vec<InputRequest> = held_names(fields.get("gold"))
            .iter()
            .filter_map(|name| Some(self.gold_input(self.named(name)?)))
            .collect();
        // An output for several benchmarks is divided among them; beside one of them alone, what it says of documents of
        // the others would count as wrong.
        let is_divided = systems.iter().any(|input| input.benchmark.is_none());
        let gold = match is_divided && self.files.gold.len() > 1 {
            true => self.files.gold.clone(),
            false => gold,
        };
        let said = |inputs: Vec<InputRequest>, is_list: bool| match inputs.as_slice() {
            [only] if !is_list => json!(only),
            all => json!(all),
        };
        let is_list = fields.get("gold").is_some_and(Value::is_array);
        fields.insert("gold".to_owned(), said(gold, is_list));
        let Inputs { documents_by, reading, sentences, .. } = &self.files;
        for (key, value) in [
            ("systems", json!(systems)),
            ("reading", json!(reading)),
            ("documents_by", json!(documents_by)),
        ] {
            if let Some(field) = fields.get_mut(key) {
                *field = value;
            }
        }
        if let Some(sentences) = sentences.as_ref().filter(|_| fields.contains_key("systems")) {
            fields.insert("sentences".to_owned(), json!(sentences));
        }
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

/// The benchmark that the inputs in these fields name, if it is held.
fn held_benchmark(fields: &Map<String, Value>) -> Option<String> {
    held_names(fields.get("gold")).into_iter().next()
}

/// The names of what is held among inputs, one or several.
fn held_names(inputs: Option<&Value>) -> Vec<String> {
    let inputs = inputs.cloned().unwrap_or_default();
    let inputs = match inputs {
        Value::Array(items) => items,
        one => vec![one],
    };
    let read = inputs.into_iter().filter_map(|it| serde_json::from_value::<InputRequest>(it).ok());
    read.filter_map(|input| input.held_name().map(str::to_owned)).collect()
}

fn source_input(source: &str, name: &str) -> InputRequest {
    let path = match source.is_empty() {
        true => format!("{}.jsonl", slug(name)),
        false => source.to_owned(),
    };
    InputRequest { path, ..InputRequest::default() }
}
