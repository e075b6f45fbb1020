//! Campaigns from files: what is to be judged, from gold, systems, and the tasks that other commands write.

use super::expert::add_expert_items;
use crate::error::Error;
use crate::inputs::{Experiment, Inputs, Repeats};
use crate::work::Work;
use karat_formats::Source;
use karat_kb::{KnowledgeBase, Known};
use karat_model::{Hint, MarkKind, Notice, Span};
use karat_verify::chunking::{PunktParameters, SentenceSplitter};
use karat_verify::plan::{CampaignPlan, PlanDocument, PlanProposal, PossibleControls};
use karat_verify::{CampaignSettings, LinkTarget};
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};

/// Asks for the plan of a campaign.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct CampaignRequest {
    /// Gold standards and systems. Their documents are the texts, and what they say is judged.
    pub inputs: Inputs,
    /// What the organiser decides.
    pub settings: CampaignSettings,
    /// Whether only systems are judged, and gold is left out.
    pub without_gold: bool,
    /// A knowledge base of `karat kb build`, for the candidates that corrupted controls are made of.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub kb: Option<String>,
    /// A folder with the four files of a Punkt model, for sentences where documents have none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub punkt: Option<String>,
    /// Only what is at the places of this file is judged: tasks of `karat errors --suspects` or `karat collection sample`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tasks: Option<String>,
    /// How many control tasks are generated. An organiser confirms each before it is used.
    pub controls: usize,
    /// A file of items whose answer somebody knows: controls and practice, as JSON lines.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub expert: Option<String>,
}

/// A campaign that was built, and not stored yet.
#[derive(Debug, Clone, PartialEq)]
pub struct BuiltCampaign {
    /// What is judged.
    pub plan: CampaignPlan,
    /// What the organiser decides, with the name of the gold standard.
    pub settings: CampaignSettings,
    /// The digests of the gold standards, joined.
    pub base_digest: String,
    /// The digest of the knowledge base; empty without one.
    pub kb_digest: String,
    /// What is to be known of it.
    pub notices: Vec<Notice>,
}

/// What the gold standard is called among the sources.
pub const GOLD_SOURCE: &str = "gold";

/// A place that is to be judged, and what a sample says of it.
#[derive(Debug, Clone, Default)]
struct Chosen {
    stratum: String,
    probability: Option<f64>,
    weight: Option<f64>,
}

/// A line of a file of tasks: those of suspects have `start` and `end`, those of samples a `span`.
#[derive(Debug, Deserialize)]
struct TaskLine {
    document: String,
    #[serde(default)]
    start: Option<u32>,
    #[serde(default)]
    end: Option<u32>,
    #[serde(default)]
    span: Option<(u32, u32)>,
    #[serde(default)]
    stratum: Option<String>,
    #[serde(default)]
    probability: Option<f64>,
    #[serde(default)]
    weight: Option<f64>,
}

type Places = BTreeMap<(String, Span), Chosen>;

impl CampaignRequest {
    /// Reads everything and builds the campaign.
    pub fn build(&self, work: &Work) -> Result<BuiltCampaign, Error> {
        let mut notices = Vec::new();
        let experiments =
            self.inputs.read_with_or_without_runs(Repeats::Refused, work, &mut notices)?;
        self.build_of(&experiments, notices)
    }

    /// The same of what is in memory already.
    pub fn build_of(
        &self,
        experiments: &[Experiment],
        notices: Vec<Notice>,
    ) -> Result<BuiltCampaign, Error> {
        let places = self.tasks.as_deref().map(read_places).transpose()?;
        let splitter = match &self.punkt {
            Some(folder) => punkt(folder)?,
            None => SentenceSplitter::own(),
        };
        let base = self.kb.as_ref().map(|path| KnowledgeBase::open(path.as_ref())).transpose()?;
        let mut documents = Vec::new();
        let mut proposals = Vec::new();
        for experiment in experiments {
            let prefix = match experiments.len() {
                1 => String::new(),
                _ => format!("{}/", experiment.benchmark.name),
            };
            self.add(experiment, &prefix, places.as_ref(), (&mut documents, &mut proposals))?;
        }
        if let Some(base) = &base {
            settle(&mut proposals, base);
        }
        let mut settings = self.settings.clone();
        let has_gold = proposals.iter().any(|one| one.source == GOLD_SOURCE);
        if settings.gold.is_none() && has_gold {
            settings.gold = Some(GOLD_SOURCE.to_owned());
        }
        let mut plan = settings.design.plan(&documents, &proposals, &splitter);
        if let Some(places) = &places {
            weigh(&mut plan, places);
        }
        if plan.tasks.is_empty() {
            let hint = Hint::from(
                "the inputs need mentions in their texts, and tasks the names of their documents",
            );
            return Err(Error::bad_request("there is nothing to be judged", hint));
        }
        if self.controls > 0 {
            self.add_controls(&mut plan, base.as_ref(), &settings);
        }
        if let Some(path) = &self.expert {
            let practice = add_expert_items(path, &mut plan, base.as_ref(), settings.design.seed)?;
            if settings.practice == 0 {
                settings.practice = practice;
            }
        }
        if let Some(base) = &base {
            base.check()?;
        }
        let digests: Vec<String> =
            experiments.iter().map(|one| one.digests().gold.to_string()).collect();
        let kb_digest = base.as_ref().map(|base| base.digest().to_string()).unwrap_or_default();
        let base_digest = digests.join(" ");
        Ok(BuiltCampaign { plan, settings, base_digest, kb_digest, notices })
    }

    /// The documents of an experiment, and what gold and systems say of them.
    fn add(
        &self,
        experiment: &Experiment,
        prefix: &str,
        places: Option<&Places>,
        (documents, proposals): (&mut Vec<PlanDocument>, &mut Vec<PlanProposal>),
    ) -> Result<(), Error> {
        let benchmark = &experiment.benchmark;
        for document in benchmark.corpus.documents() {
            let Some(text) = document.text() else {
                let message = format!("`{}` has no text", document.name());
                let hint = Hint::from(
                    "people judge mentions in texts: give gold in a format with texts, or {texts}",
                );
                return Err(Error::bad_request(message, hint));
            };
            let sentences: Vec<Span> =
                document.marks_of(MarkKind::Sentence).map(|(span, _)| span).collect();
            let at = documents.len();
            documents.push(PlanDocument {
                name: format!("{prefix}{}", document.name()),
                dataset: benchmark.name.clone(),
                text: text.to_owned(),
                sentences: (!sentences.is_empty()).then_some(sentences),
            });
            let gold = (!self.without_gold).then_some((GOLD_SOURCE, Some(document)));
            let runs = experiment.runs.iter();
            let runs = runs.map(|run| (run.name.as_str(), run.corpus.document(document.name())));
            for (source, said) in gold.into_iter().chain(runs) {
                let Some(said) = said else { continue };
                for mention in said.mentions() {
                    let link = match mention.entity() {
                        Some(entity) => LinkTarget::Entity(entity.to_owned()),
                        None if mention.link().is_nil() => LinkTarget::Nil,
                        // A mention without a link says nothing that could be verified.
                        None => continue,
                    };
                    let name = format!("{prefix}{}", document.name());
                    let chosen = places.map(|places| places.get(&(name, mention.span())));
                    let stratum = match chosen {
                        Some(None) => continue,
                        Some(Some(chosen)) => chosen.stratum.clone(),
                        None => String::new(),
                    };
                    proposals.push(PlanProposal {
                        document: at,
                        source: source.to_owned(),
                        span: mention.span(),
                        link,
                        spelled: None,
                        confidence: mention.confidence(),
                        stratum,
                    });
                }
            }
        }
        Ok(())
    }

    /// Generates controls. Without a knowledge base, candidates are what the same words mean elsewhere.
    fn add_controls(
        &self,
        plan: &mut CampaignPlan,
        base: Option<&KnowledgeBase>,
        settings: &CampaignSettings,
    ) {
        let mut elsewhere: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
        let mut all = BTreeSet::new();
        for item in &plan.items {
            if let (Some(words), LinkTarget::Entity(id)) = (words_of(plan, item), &item.link) {
                elsewhere.entry(words.to_lowercase()).or_default().insert(id.clone());
                all.insert(id.clone());
            }
        }
        let candidates = |words: &str| -> Vec<String> {
            if let Some(Known::Known(known)) = base.map(|base| base.candidates(words)) {
                return known.priors().take(10).map(|(one, _)| one.id.to_owned()).collect();
            }
            let known = elsewhere.get(&words.to_lowercase()).cloned().unwrap_or_default();
            // Another entity of the campaign is surely wrong, if less tempting.
            let others = all.iter().filter(|id| !known.contains(*id)).cloned();
            known.iter().cloned().chain(others.take(10)).collect()
        };
        let possible = PossibleControls {
            gold: settings.gold.as_deref().unwrap_or(GOLD_SOURCE),
            candidates: &candidates,
            tasks: self.controls,
            seed: settings.design.seed,
        };
        possible.generate(plan);
    }
}

/// The words of an item.
fn words_of(plan: &CampaignPlan, item: &karat_verify::plan::VerifyItem) -> Option<String> {
    let text = &plan.texts[item.text];
    let (start, end) = (item.begin.checked_sub(text.begin)?, item.end.checked_sub(text.begin)?);
    let length = end.checked_sub(start)? as usize;
    Some(text.words.chars().skip(start as usize).take(length).collect())
}

/// Links in the one spelling that the knowledge base has, so that equal entities are equal items. How a source spelled a link is
/// kept.
fn settle(proposals: &mut [PlanProposal], base: &KnowledgeBase) {
    for one in proposals {
        let LinkTarget::Entity(id) = &one.link else { continue };
        let settled = base.resolve(id).into_owned();
        if settled != *id {
            one.spelled = Some(id.clone());
            one.link = LinkTarget::Entity(settled);
        }
    }
}

/// Items of a sample stand for others, as the sample says. Where the campaign draws among them once more, both chances count, and
/// what was not drawn stands for nothing.
fn weigh(plan: &mut CampaignPlan, places: &Places) {
    for item in &mut plan.items {
        let text = &plan.texts[item.text];
        if let Some(chosen) = places.get(&(text.document.clone(), item.span())) {
            item.probability *= chosen.probability.unwrap_or(1.0);
            item.weight *= chosen.weight.unwrap_or(1.0);
        }
    }
}

/// The places of a file of tasks.
fn read_places(path: &str) -> Result<Places, Error> {
    let source = match path {
        "-" => Source::stdin()?,
        path => Source::file(path),
    };
    let text = source.text()?;
    let mut places = Places::new();
    for (at, line) in text.as_str().lines().enumerate().filter(|(_, line)| !line.trim().is_empty())
    {
        let wrong = |why: String| {
            let hint = Hint::from(
                "give the JSON lines that `karat errors --suspects` or `karat collection sample` writes",
            );
            Error::bad_request(format!("{path}:{}: {why}", at + 1), hint)
        };
        let task: TaskLine =
            serde_json::from_str(line).map_err(|error| wrong(error.to_string()))?;
        let span = task.span.or(task.start.zip(task.end));
        let (start, end) =
            span.ok_or_else(|| wrong("it has no `span`, and no `start` and `end`".into()))?;
        if start >= end {
            return Err(wrong(format!("the mention ends at {end} and begins at {start}")));
        }
        let positive =
            |value: Option<f64>| value.is_none_or(|value| value > 0.0 && value.is_finite());
        if !positive(task.weight) || !positive(task.probability) {
            return Err(wrong("weights and probabilities are greater than 0".into()));
        }
        let stratum = task.stratum.unwrap_or_default();
        let chosen = Chosen { stratum, probability: task.probability, weight: task.weight };
        places.insert((task.document, Span::new(start, end)), chosen);
    }
    Ok(places)
}

/// A Punkt model in a folder.
fn punkt(folder: &str) -> Result<SentenceSplitter, Error> {
    let mut texts = Vec::new();
    for name in PunktParameters::FILES {
        let source = Source::file(std::path::Path::new(folder).join(name));
        texts.push(source.text()?.as_str().to_owned());
    }
    let [one, two, three, four] = [&texts[0], &texts[1], &texts[2], &texts[3]].map(String::as_str);
    let parameters = PunktParameters::parse([one, two, three, four]).map_err(|error| {
        Error::bad_request(
            error.to_string(),
            Hint::from("give a folder of NLTK's punkt_tab, such as punkt_tab/english"),
        )
    })?;
    Ok(SentenceSplitter::with(parameters))
}

#[cfg(test)]
mod tests {
    use super::*;
    use karat_verify::plan::ControlPool;

    fn request() -> CampaignRequest {
        CampaignRequest { controls: 3, ..CampaignRequest::default() }
    }

    #[test]
    fn the_sample_is_a_campaign() {
        let experiment = crate::sample::experiment().expect("the sample");
        let built = request().build_of(&[experiment], Vec::new()).expect("a campaign");
        assert_eq!(built.settings.gold.as_deref(), Some(GOLD_SOURCE));
        assert!(built.plan.items.len() > 40 && built.plan.texts.len() >= 10);
        let controls = built.plan.keys.len();
        assert!(controls >= 3 && controls.is_multiple_of(3), "{controls}");
        assert_eq!(
            ControlPool::of(&built.plan),
            ControlPool::default(),
            "nobody confirmed them yet"
        );
    }

    #[test]
    fn tasks_choose_what_is_judged() {
        let experiment = crate::sample::experiment().expect("the sample");
        let (name, span) = {
            let document = experiment.benchmark.corpus.documents().next().expect("a document");
            let mention =
                document.mentions().find(|one| one.entity().is_some()).expect("a mention");
            (document.name().to_owned(), mention.span())
        };
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("tasks.jsonl");
        let write = |text: String| std::fs::write(&path, text).expect("written");
        write(format!(
            "{{\"document\":\"{name}\",\"span\":[{},{}],\"weight\":4.0,\"probability\":0.25}}\n",
            span.start, span.end
        ));
        let tasks = Some(path.display().to_string());
        let request = CampaignRequest { tasks, ..CampaignRequest::default() };
        let built =
            request.build_of(std::slice::from_ref(&experiment), Vec::new()).expect("a campaign");
        assert!(built.plan.items.iter().all(|item| item.span() == span && item.weight == 4.0));

        // Drawn among the drawn: both chances count, and what is not judged stands for nothing.
        let mut again = request.clone();
        again.settings.design.sample = Some(1);
        let built =
            again.build_of(std::slice::from_ref(&experiment), Vec::new()).expect("a campaign");
        let all = built.plan.items.len() as f64;
        for item in &built.plan.items {
            let drawn = if item.probability > 0.0 { 1.0 } else { 0.0 };
            assert_eq!(item.weight, 4.0 * all * drawn);
            assert_eq!(item.probability, 0.25 / all * drawn);
        }
        for bad in [
            "{}",
            "{\"document\":\"a\"}",
            "{\"document\":\"a\",\"span\":[3,2]}",
            "{\"document\":\"a\",\"span\":[1,2],\"weight\":0}",
        ] {
            write(bad.to_owned());
            let error = request
                .build_of(std::slice::from_ref(&experiment), Vec::new())
                .expect_err(bad)
                .to_string();
            assert!(error.contains("tasks.jsonl:1"), "{error}");
        }
    }
}
