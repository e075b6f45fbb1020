//! Arguments of the commands that score systems.

mod attributes;
mod unified;

use crate::arguments::ReadArguments;
use crate::failure::Failure;
use crate::setting_values::Suggested;
use crate::show::{self, counted};
use crate::units::{Counting, Side, say_where_texts_differ, settled};
use clap::Args;
use karat::facets::{Facet, FacetError, facet};
use karat::formats::Input;
use karat::kb::{Identity, KnowledgeBase};
use karat::matching::Unknowns;
use karat::measures::presets::PRESETS;
use karat::measures::{Convention, NameError, Preset, SettingError};
use karat::model::{Annotation, Corpus, Role};
use karat::scoring::{Board, Scoring, StreamError, StreamInput, Streamed, System};
use karat::sentences::Sentences;
use std::path::PathBuf;
use std::sync::Arc;

pub(crate) use attributes::check_attributes;

/// What is compared with what.
#[derive(Debug, Clone, Args)]
pub(crate) struct Compared {
    /// The gold standard, then systems, in place of -g and -s
    #[arg(value_names = ["GOLD", "SYSTEM"], num_args = 2.., conflicts_with_all = ["gold", "systems"])]
    inputs: Vec<String>,
    /// The gold standard; may be given several times, one benchmark each
    #[arg(long, short, value_name = "[NAME=]INPUT", required_unless_present = "inputs")]
    gold: Vec<String>,
    /// With several -g: score all benchmarks together as well, as the benchmark `unified`
    #[arg(long, requires = "gold")]
    pub(crate) unified: bool,
    /// The output of a system; may be given several times. NAME@BENCHMARK=INPUT is for one benchmark only
    #[arg(long = "system", short, value_name = "[NAME=]INPUT", required_unless_present = "inputs")]
    systems: Vec<String>,
    /// Cut predictions that cross the end of a sentence there, as the scripts of Hachey et al. (2014)
    /// do. The sentences are those of this corpus, as a file of AIDA-CoNLL has them
    #[arg(long, value_name = "INPUT")]
    sentences: Option<String>,
    #[command(flatten)]
    pub(crate) reading: ReadArguments,
}

/// The heading of arguments about the convention.
const CONVENTION: &str = "Convention";

/// The convention.
#[derive(Debug, Clone, Args)]
pub(crate) struct ConventionArguments {
    /// The convention of the literature to follow; `karat presets` lists them
    #[arg(long, value_name = "NAME", default_value = "karat", help_heading = CONVENTION)]
    #[arg(value_parser = Suggested::presets(), hide_possible_values = true)]
    pub(crate) preset: String,
    /// When two spans fit: exact, overlap, expanded, containment, entity, length, or a share such as 50%
    #[arg(long = "match", value_name = "HOW", help_heading = CONVENTION)]
    #[arg(value_parser = Suggested::values("match"), hide_possible_values = true)]
    spans: Option<String>,
    /// Who gets whom: one-to-one, greedy, existential, last-wins, sets or by-span
    #[arg(long, value_name = "HOW", help_heading = CONVENTION)]
    #[arg(value_parser = Suggested::values("assign"), hide_possible_values = true)]
    assign: Option<String>,
    /// What the system was given: end-to-end (nothing), disambiguation (the gold mentions)
    #[arg(long, value_name = "TASK", help_heading = CONVENTION)]
    #[arg(value_parser = Suggested::values("task"), hide_possible_values = true)]
    task: Option<String>,
    /// Leave out predictions below this confidence
    #[arg(long, value_name = "CONFIDENCE", help_heading = CONVENTION)]
    threshold: Option<f64>,
    /// Take mentions whose gold answer is NIL off both sides, as Hoffart et al. (2011) do
    #[arg(long, help_heading = CONVENTION)]
    linkable: bool,
    /// Any other setting that `karat settings` lists, as `optional=no`
    #[arg(long = "set", value_name = "KEY=VALUE", help_heading = CONVENTION)]
    #[arg(value_parser = Suggested::settings(), hide_possible_values = true)]
    settings: Vec<String>,
    /// Redirects of the knowledge base: title, then what redirects to it, tab-separated. Titles are
    /// known in every spelling, addresses of Wikipedia and DBpedia included; `--set titles=plain-addresses`
    /// knows fewer
    #[arg(long, value_name = "FILE", help_heading = CONVENTION)]
    redirects: Option<String>,
    /// A knowledge base of `karat kb build`: every spelling of an id becomes the one id that it
    /// leads to
    #[arg(long, value_name = "FILE", help_heading = CONVENTION)]
    kb: Option<PathBuf>,
}

/// A benchmark and the systems that are scored on it.
pub(crate) struct Contest {
    pub(crate) name: String,
    pub(crate) gold: Corpus,
    pub(crate) systems: Vec<System>,
    /// How the offsets of gold count; `None` for all benchmarks together, where each counts its own way.
    counting: Option<Counting>,
}

impl Compared {
    /// Everything that is read.
    pub(crate) fn inputs(&self) -> impl Iterator<Item = &String> {
        self.gold().iter().chain(self.systems()).chain(&self.sentences)
    }

    /// What was done to the outputs, for the signature.
    pub(crate) fn provenance(&self) -> Result<Option<(&'static str, String)>, Failure> {
        let Some(sentences) = &self.sentences else { return Ok(None) };
        Ok(Some(("sentences", format!("cut@{}", text(sentences)?.1))))
    }

    /// Where predictions are cut, if they are.
    fn sentences(&self) -> Result<Option<Sentences>, Failure> {
        let Some(argument) = &self.sentences else { return Ok(None) };
        let sentences = Sentences::of(&self.reading.read(argument)?.corpus);
        match sentences.is_empty() {
            true => Err(Failure::usage(
                format!("`{argument}` has no ends of sentences"),
                "give a corpus that has sentences, as AIDA-CoNLL has",
            )),
            false => Ok(Some(sentences)),
        }
    }

    fn gold(&self) -> &[String] {
        if self.inputs.is_empty() { &self.gold } else { &self.inputs[..1] }
    }

    fn systems(&self) -> &[String] {
        if self.inputs.is_empty() { &self.systems } else { &self.inputs[1..] }
    }

    /// Takes out the systems that are named without an input and were given with one: they say which
    /// are meant.
    pub(crate) fn take_named(&mut self) -> Result<Vec<String>, Failure> {
        let given: Vec<String> = self
            .systems()
            .iter()
            .filter_map(|argument| Input::split_name(argument).0)
            .map(|name| name.split('@').next().unwrap_or(name).to_owned())
            .collect();
        let is_name = |argument: &String| {
            given.contains(argument) && !std::path::Path::new(argument).exists()
        };
        let (named, systems) = std::mem::take(&mut self.systems).into_iter().partition(is_name);
        self.systems = systems;
        // What has neither a folder nor an ending was hardly meant as a file.
        let is_unknown = |argument: &&String| {
            !argument.contains(['=', '/', '.', ':']) && !std::path::Path::new(argument).exists()
        };
        match self.systems.iter().find(is_unknown).filter(|_| !given.is_empty()) {
            Some(unknown) => Err(no_system(unknown, given.iter().map(String::as_str))),
            None => Ok(named),
        }
    }

    /// Reads gold and systems, several at a time. Systems with the same name are refused.
    pub(crate) fn read(&self) -> Result<Vec<Contest>, Failure> {
        self.read_with(|_| false)
    }

    /// The same, but systems that were given the same name are runs of one.
    pub(crate) fn read_runs(&self) -> Result<Vec<Contest>, Failure> {
        self.read_with(|argument| Input::split_name(argument).0.is_some())
    }

    fn read_with(&self, may_repeat: fn(&str) -> bool) -> Result<Vec<Contest>, Failure> {
        let arguments: Vec<&String> = self.gold().iter().chain(self.systems()).collect();
        let mut read = self.reading.read_all(&arguments)?;
        let systems = read.split_off(self.gold().len());
        let is_named = |at: usize| self.systems().get(at).is_some_and(|name| may_repeat(name));
        check_names("benchmarks", &read, |_| false)?;
        check_names("systems", &systems, is_named)?;
        let mut contests: Vec<Contest> = read
            .into_iter()
            .map(|(name, outcome)| {
                let counting = Some(Counting::from(&outcome));
                Contest { name, gold: outcome.corpus, counting, systems: Vec::new() }
            })
            .collect();
        let sentences = self.sentences()?;
        let mut counts = Vec::new();
        for ((name, outcome), argument) in systems.into_iter().zip(self.systems()) {
            counts.push((Input::split_name(argument).1, Counting::from(&outcome)));
            let corpus = match &sentences {
                Some(sentences) => sentences.cut(&outcome.corpus),
                None => outcome.corpus,
            };
            self.enter(&mut contests, &name, corpus, argument)?;
        }
        for contest in &mut contests {
            contest.settle(&counts, self.reading.lenient)?;
        }
        if self.unified && contests.len() > 1 {
            contests.push(unified::unified(&contests)?);
        }
        for contest in &contests {
            if contest.systems.is_empty() {
                return Err(Failure::usage(
                    format!("no system was given for the benchmark `{}`", contest.name),
                    "give one with -s NAME=INPUT, or NAME@BENCHMARK=INPUT",
                ));
            }
        }
        Ok(contests)
    }

    /// Scores each system on its own pass over gold and output.
    pub(crate) fn score_streams(&self, scoring: &Scoring) -> Result<Vec<Board>, Failure> {
        let [gold] = self.gold() else {
            return Err(Failure::usage(
                "a stream has one gold standard",
                "give one -g, or leave out --stream",
            ));
        };
        let (gold_name, gold) = Input::named(gold)?;
        let mut board: Option<Board> = None;
        for argument in self.systems() {
            let (name, system) = Input::named(argument)?;
            let bar = self.reading.bar(gold.size() + system.size());
            let options = self.reading.options(&bar, 1)?;
            let format = self.reading.from.as_deref();
            let scored = scoring.score_stream(
                &StreamInput { name: &gold_name, input: &gold, format },
                &StreamInput { name: &name, input: &system, format },
                &options,
            );
            bar.clear();
            let Streamed { board: mut scored, other_texts } = scored.map_err(stream_failure)?;
            let source = Input::split_name(argument).1;
            say_where_texts_differ(&gold_name, source, scored.gold.documents, &other_texts);
            if let Some(entry) = scored.systems.first_mut() {
                entry.source = source.to_owned();
            }
            match &mut board {
                None => board = Some(scored),
                Some(board) => board.systems.append(&mut scored.systems),
            }
        }
        Ok(board.into_iter().collect())
    }

    /// Enters a system for the benchmark it names, or for all.
    fn enter(
        &self,
        contests: &mut [Contest],
        name: &str,
        corpus: Corpus,
        argument: &str,
    ) -> Result<(), Failure> {
        let (given, source) = Input::split_name(argument);
        let source = source.to_owned();
        // The name of a file may have an `@` too, and means nothing by it.
        if let Some((system, benchmark)) = given.and_then(|given| given.rsplit_once('@')) {
            let Some(contest) = contests.iter_mut().find(|contest| contest.name == benchmark)
            else {
                return Err(Failure::usage(
                    format!("`{name}` names a benchmark that was not given: `{benchmark}`"),
                    "give it with -g NAME=INPUT",
                ));
            };
            contest.systems.push(System { name: system.to_owned(), source, corpus });
            return Ok(());
        }
        if let [only] = contests {
            only.systems.push(System { name: name.to_owned(), source, corpus });
            return Ok(());
        }
        // With several benchmarks, a system answers for the documents of each.
        let mut unknown = corpus.len();
        for contest in contests.iter_mut() {
            let part = corpus.only_documents(|document| contest.gold.document(document).is_some());
            unknown = unknown.saturating_sub(part.len());
            contest.systems.push(System {
                name: name.to_owned(),
                source: source.clone(),
                corpus: part,
            });
        }
        if unknown > 0 {
            show::note(&format!(
                "`{name}` has {} that no benchmark knows; left out",
                counted(unknown, "document")
            ));
        }
        Ok(())
    }
}

/// A name that no system has.
pub(crate) fn no_system<'n>(name: &str, systems: impl Iterator<Item = &'n str>) -> Failure {
    let mut names: Vec<&str> = systems.collect();
    names.dedup();
    let hint = format!("systems are {}", names.join(", "));
    Failure::usage(format!("there is no system `{name}`"), hint)
}

impl Contest {
    /// Whether it is all other benchmarks together.
    pub(crate) fn is_unified(&self) -> bool {
        self.counting.is_none()
    }

    /// Brings the offsets of the systems to those of the gold standard. `counts` says of each
    /// source how its offsets count.
    fn settle(&mut self, counts: &[(&str, Counting)], lenient: bool) -> Result<(), Failure> {
        let Some(counting) = &self.counting else { return Ok(()) };
        self.say_what_has_no_root();
        let gold = Side { name: &self.name, corpus: &self.gold, counting };
        for system in &mut self.systems {
            let of_source = counts.iter().find(|(source, _)| *source == system.source);
            let Some((source, counting)) = of_source else { continue };
            say_if_all_is_gold(&system.name, &system.corpus);
            let side = Side { name: source, corpus: &system.corpus, counting };
            if let Some(corpus) = settled(&gold, &side, lenient)? {
                system.corpus = corpus;
            }
        }
        Ok(())
    }

    /// Gold that is a part of itself, as ELEVANT writes two labels on one span, counts nowhere.
    fn say_what_has_no_root(&self) {
        let mut count = 0;
        let mut first = None;
        for document in self.gold.documents() {
            if !document.mentions().any(|mention| mention.place().is_some()) {
                continue;
            }
            let rootless = document.mentions().zip(karat::checks::rootless(&document));
            for (mention, _) in rootless.filter(|(_, is_rootless)| *is_rootless) {
                count += 1;
                first.get_or_insert_with(|| format!("{} of `{}`", mention.span(), document.name()));
            }
        }
        let Some(first) = first else { return };
        show::warning_with(
            &format!(
                "`{}` has {}, directly or through others, and so counted nowhere; the first is {first}",
                self.name,
                match count {
                    1 => "1 mention that is a part of itself".to_owned(),
                    count => format!("{count} mentions that are parts of themselves"),
                },
            ),
            "`karat validate GOLD` lists them",
        );
    }

    /// Says which documents the systems do not speak of, and which gold does not have.
    pub(crate) fn say_what_is_missing(&self) {
        for system in &self.systems {
            let silent =
                self.gold.documents().filter(|of| system.corpus.document(of.name()).is_none());
            let unknown = system.corpus.documents().map(|document| document.name());
            let unknown: Vec<String> = unknown
                .filter(|name| self.gold.document(name).is_none())
                .map(str::to_owned)
                .collect();
            say_what_is_missing(&Attendance {
                system: &system.name,
                benchmark: &self.name,
                documents: self.gold.len(),
                silent: silent.count(),
                unknown: &unknown,
                counts: true,
            });
        }
    }

    /// GERBIL takes ids without a known address for NIL, which surprises everybody once.
    pub(crate) fn say_if_nothing_is_known(&self, convention: &Convention) {
        let ids = || {
            let mentions = self.gold.documents().flat_map(|document| document.mentions());
            mentions.filter_map(|mention| mention.entity())
        };
        if let Some(example) = ids().next()
            && !ids().any(|id| convention.knowledge.knows(id))
        {
            let message = format!(
                "the preset takes every id of `{}` for NIL: none has the address of a knowledge base it knows, as \
                 http://www.wikidata.org/entity/Q64 has; `{example}` has not",
                self.name
            );
            show::warning_with(&message, "`--set in-kb=every-id` takes them for what they are");
        }
    }
}

/// Names must differ, but for those that may be given again.
pub(crate) fn check_names(
    what: &str,
    names: &[(String, karat::formats::Outcome)],
    may_repeat: impl Fn(usize) -> bool,
) -> Result<(), Failure> {
    for (at, (name, _)) in names.iter().enumerate() {
        let repeats =
            |&other: &usize| names[other].0 == *name && !(may_repeat(at) && may_repeat(other));
        if (0..at).any(|other| repeats(&other)) {
            return Err(Failure::usage(
                format!("two {what} are called `{name}`"),
                "give each a name of its own: NAME=INPUT",
            ));
        }
    }
    Ok(())
}

impl ConventionArguments {
    /// The convention that the arguments name.
    pub(crate) fn convention(&self) -> Result<Convention, Failure> {
        let mut convention = self.usual()?;
        self.change(&mut convention)?;
        Ok(convention)
    }

    /// The convention of the preset.
    pub(crate) fn usual(&self) -> Result<Convention, Failure> {
        Ok((preset(&self.preset)?.convention)())
    }

    /// What `--set` says of a setting.
    pub(crate) fn value_of(&self, key: &str) -> Option<&str> {
        let pairs = self.settings.iter().rev().filter_map(|pair| pair.split_once('='));
        pairs
            .map(|(name, value)| (name.trim(), value.trim()))
            .find(|pair| pair.0 == key)
            .map(|pair| pair.1)
    }

    /// Changes what the arguments change of a convention.
    pub(crate) fn change(&self, convention: &mut Convention) -> Result<(), Failure> {
        let given = [("match", &self.spans), ("assign", &self.assign), ("task", &self.task)];
        for (key, value) in given {
            if let Some(value) = value {
                convention.set(key, value)?;
            }
        }
        if let Some(threshold) = self.threshold {
            convention.set("threshold", &threshold.to_string())?;
        }
        if self.linkable {
            convention.set("linkable", "yes")?;
        }
        for pair in &self.settings {
            let Some((key, value)) = pair.split_once('=') else {
                return Err(Failure::usage(
                    format!("`{pair}` says nothing"),
                    "write --set KEY=VALUE; `karat settings` lists the keys",
                ));
            };
            convention.set(key.trim(), value.trim())?;
        }
        Ok(())
    }

    /// Which spellings are one entity.
    pub(crate) fn identity(&self, convention: &Convention) -> Result<Identity, Failure> {
        let identity = identity(self.redirects.as_deref(), convention)?;
        let Some(path) = &self.kb else {
            if !convention.settings.predicted_types.are_all() {
                show::note(
                    "without a knowledge base (--kb) predictions have the types that systems give them",
                );
            }
            return Ok(identity);
        };
        Ok(identity.with_base(Arc::new(KnowledgeBase::open(path)?)))
    }
}

/// Which spellings are one entity, with redirects from a file if there are any.
pub(crate) fn identity(
    redirects: Option<&str>,
    convention: &Convention,
) -> Result<Identity, Failure> {
    let identity = convention.identity();
    let Some(path) = redirects else { return Ok(identity) };
    let (text, _) = text(path)?;
    Ok(identity.with_redirects_of(&text, convention.titles))
}

fn stream_failure(error: StreamError) -> Failure {
    match error {
        StreamError::Input(problem) => Failure::Input(problem),
        StreamError::Units(gold, system) => Failure::usage(
            format!("the offsets of the gold standard count {gold}, those of the system {system}"),
            "leave out --stream, so that they can be translated by the texts",
        ),
        StreamError::Scattered(document) => Failure::usage(
            format!("the document `{document}` comes again after others"),
            "in a stream the lines of a document must stand together: sort the file, or leave out --stream",
        ),
        StreamError::Oracle => Failure::usage(
            "a threshold that is chosen on the data itself needs all documents at once",
            "leave out --stream, or say --set threshold=none",
        ),
        StreamError::Attribute(error) => error.into(),
        StreamError::NotAdditive(measure) => Failure::usage(
            format!("`{measure}` needs all documents at once"),
            "leave out --stream, or ask for measures that add up over documents",
        ),
    }
}

/// The text of a file that is no corpus, and a fingerprint of it.
pub(crate) fn text(path: &str) -> Result<(String, String), Failure> {
    let input = Input::open(path)?;
    let mut text = String::new();
    for source in input.sources() {
        text.push_str(source.text()?.as_str());
    }
    let fingerprint = karat::model::fingerprint(text.as_bytes());
    Ok((text, fingerprint))
}

/// The preset with this name.
pub(crate) fn preset(name: &str) -> Result<&'static Preset, Failure> {
    Preset::named(name)
        .ok_or_else(|| Failure::unknown("preset", name, PRESETS.iter().map(|preset| preset.name)))
}

impl From<SettingError> for Failure {
    fn from(error: SettingError) -> Failure {
        let meant = error.hint().map(|hint| hint.to_string());
        let hint = match &error {
            SettingError::Name { .. } => meant.unwrap_or_default(),
            SettingError::Value { setting, .. } | SettingError::NotOfMeasure { setting } => {
                let meant = meant.map(|meant| format!("{meant} ")).unwrap_or_default();
                format!("{meant}`karat settings {setting}` says what its values do")
            }
        };
        Failure::usage(error.to_string(), hint)
    }
}

impl From<NameError> for Failure {
    fn from(error: NameError) -> Failure {
        Failure::usage(error.message, error.hint)
    }
}

/// Names of measures separated by commas; commas in brackets belong to a name.
#[derive(Debug, Clone)]
pub(crate) struct Names(pub(crate) Vec<String>);

pub(crate) fn names(text: &str) -> Result<Names, String> {
    let mut depth = 0usize;
    let split = text.split(|c: char| {
        match c {
            '(' => depth += 1,
            ')' => depth = depth.saturating_sub(1),
            _ => {}
        }
        c == ',' && depth == 0
    });
    let names: Vec<String> =
        split.map(|name| name.trim().to_owned()).filter(|name| !name.is_empty()).collect();
    match names.is_empty() {
        true => Err("no measure is named; `karat measures` lists them".to_owned()),
        false => Ok(Names(names)),
    }
}

/// The facets behind one argument.
pub(crate) fn facets(
    names: &str,
    convention: &Convention,
    identity: &Identity,
) -> Result<Vec<Arc<dyn Facet>>, Failure> {
    facets_of_errors(names, convention, Unknowns::Ignored, identity)
}

/// The same, where unknown entities may have to be found.
pub(crate) fn facets_of_errors(
    names: &str,
    convention: &Convention,
    unknowns: Unknowns,
    identity: &Identity,
) -> Result<Vec<Arc<dyn Facet>>, Failure> {
    let context = convention.facet_context(unknowns, identity.base());
    names.split('+').map(|name| Ok(facet(name, &context)?)).collect()
}

impl From<FacetError> for Failure {
    fn from(error: FacetError) -> Failure {
        let hint = error.hint().worded(|setting| format!("--{}", setting.name));
        Failure::usage(error.to_string(), hint)
    }
}

/// The facets behind one argument, for what needs no knowledge base.
pub(crate) fn plain_facets(names: &str) -> Result<Vec<Arc<dyn Facet>>, Failure> {
    facets(names, &Convention::default(), &Identity::new())
}

/// Which documents of a benchmark a system speaks of.
pub(crate) struct Attendance<'a> {
    pub(crate) system: &'a str,
    pub(crate) benchmark: &'a str,
    pub(crate) documents: usize,
    /// Documents of gold for which it says nothing.
    pub(crate) silent: usize,
    /// Documents that gold does not have.
    pub(crate) unknown: &'a [String],
    /// Whether what it says there counts as wrong: not where mentions were given.
    pub(crate) counts: bool,
}

/// A file of gold that is given as a system has nothing that could be scored.
fn say_if_all_is_gold(system: &str, corpus: &Corpus) {
    let annotations = corpus.annotations();
    let is_gold = |annotation: &Annotation| !Role::System.plays(annotation.flags);
    if !annotations.is_empty() && annotations.iter().all(is_gold) {
        show::warning_with(
            &format!(
                "all annotations of `{system}` are marked as gold, and none as those of a system"
            ),
            "they do not count; `karat convert IN OUT --to neleval` leaves the marks out, so that they are answers",
        );
    }
}

/// A result over documents that do not meet is no result.
pub(crate) fn say_what_is_missing(attendance: &Attendance<'_>) {
    let &Attendance { system, benchmark, documents, silent, unknown, counts } = attendance;
    if !unknown.is_empty() {
        let some: Vec<String> = unknown.iter().take(3).map(|name| format!("`{name}`")).collect();
        show::warning(&format!(
            "`{system}` has {} that `{benchmark}` does not know ({}{}); what it says there {}",
            counted(unknown.len(), "document"),
            some.join(", "),
            if unknown.len() > 3 { ", ..." } else { "" },
            if counts { "counts as wrong" } else { "is left out, as mentions are given" },
        ));
    }
    let message = format!(
        "`{system}` says nothing about {silent} of {}; they count as empty",
        counted(documents, "document"),
    );
    if silent * 10 <= documents {
        return;
    }
    match silent == documents && !unknown.is_empty() {
        true => show::warning_with(
            &message,
            "documents are lined up by name; are these files of the same benchmark?",
        ),
        false => show::warning(&message),
    }
}
