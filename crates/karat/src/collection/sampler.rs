//! Choosing mentions to annotate from a corpus that need not fit into memory.

use super::task::AnnotationTask;
use crate::error::Error;
use crate::notices;
use crate::scoring::{Parts, Rest, StreamInput};
use crate::work::Work;
use karat_facets::{Facet, UNLABELLED};
use karat_formats::ReadOutcome;
use karat_kb::Identity;
use karat_match::{Pairing, Scene, Settings};
use karat_model::{Corpus, CorpusBuilder, Document, Hint, Mention, Repeated, Span, TextIndex};
use karat_stats::collection::{Lowest, uniform_key, weighted_chance, weighted_key};
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, HashMap, HashSet};
use std::sync::Arc;

/// What is chosen first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum SampleBy {
    /// A document, then one of its forms: Random Document.
    Document,
    /// A form, then one of its documents: Random Mention. Each form is chosen once at most.
    Mention,
}

/// What is to be chosen.
#[derive(Debug, Clone)]
pub struct SampleDesign {
    /// What is chosen first.
    pub by: SampleBy,
    /// How many mentions, of each stratum if there are strata.
    pub size: usize,
    /// How many of some strata, where it is not as many as of the others.
    pub sizes: BTreeMap<String, usize>,
    /// What divides mentions into strata, one facet or several together; none for no strata. A
    /// mention is in the first of its labels only.
    pub strata: Vec<Arc<dyn Facet>>,
    /// What the random numbers depend on.
    pub seed: u64,
}

/// How many code points of the text are shown on each side of a mention.
const CONTEXT: usize = 200;

impl SampleDesign {
    /// Goes through a corpus once and chooses. What the reading says besides comes with it: its corpus is
    /// empty, as the parts are gone.
    pub fn draw(
        &self,
        input: &StreamInput<'_>,
        work: &Work,
    ) -> Result<(Vec<AnnotationTask>, ReadOutcome), Error> {
        let mut sampler = Sampler::new(self);
        let read = for_each_part(input, work, |part| sampler.push(part))?;
        Ok((sampler.finish(), read))
    }
}

/// Goes through a corpus again and keeps the chosen mentions with their documents.
pub(super) fn chosen(
    tasks: &[AnnotationTask],
    input: &StreamInput<'_>,
    work: &Work,
) -> Result<Corpus, Error> {
    let mut chosen: HashMap<&str, HashSet<Span>> = HashMap::new();
    for task in tasks {
        chosen.entry(&task.document).or_default().insert(task.span);
    }
    let mut builder = CorpusBuilder::new();
    for_each_part(input, work, |part| {
        let documents = part.only_documents(|name| chosen.contains_key(name));
        let kept = documents.filter(|mention| {
            let spans = chosen.get(mention.document().name());
            spans.is_some_and(|spans| spans.contains(&root(*mention).span()))
        });
        match builder.absorb(kept, Repeated::Merge).into_iter().next() {
            Some(twice) => Err(scattered(&twice.name)),
            None => Ok(()),
        }
    })?;
    Ok(builder.finish())
}

/// A document is chosen from when it comes, and cannot come twice.
fn scattered(document: &str) -> Error {
    Error::refused(
        &notices::NOT_IN_A_STREAM,
        format!("the document `{document}` comes again after others"),
        "the lines of a document must stand together: sort the file",
    )
}

/// Without words there are no forms to choose from.
fn no_forms(document: &str) -> Error {
    Error::bad_request(
        format!(
            "the words of the mentions of `{document}` are not known, and so no form can be chosen"
        ),
        Hint::template("give a corpus with the texts with {documents}, or choose {by=document}"),
    )
}

/// The mention that this one is a reading of, or itself.
fn root<'a>(mention: Mention<'a>) -> Mention<'a> {
    let parent =
        mention.place().and_then(|place| mention.document().mention(place.parent as usize));
    match parent {
        // A tree that is none would never end.
        Some(parent) if parent.place().is_none() => parent,
        Some(parent) => {
            let above = parent.place().and_then(|p| parent.document().mention(p.parent as usize));
            above.unwrap_or(parent)
        }
        None => mention,
    }
}

/// Reads a corpus part by part, and gives what is known only when all of it was read.
fn for_each_part(
    input: &StreamInput<'_>,
    work: &Work,
    mut each: impl FnMut(&Corpus) -> Result<(), Error>,
) -> Result<ReadOutcome, Error> {
    std::thread::scope(|scope| {
        let mut parts = Parts::start(scope, input);
        loop {
            let next = parts.next()?;
            work.check()?;
            each(&next.part)?;
            match next.rest {
                Rest::Parts(more) => parts = more,
                Rest::End(read) => return Ok(*read),
            }
        }
    })
}

/// A sample of documents as they come. It holds what may still be chosen, and a number for every
/// document that was seen.
#[derive(Debug)]
pub struct Sampler<'s> {
    design: &'s SampleDesign,
    strata: BTreeMap<String, Lowest<Candidate>>,
    seen: HashSet<u64>,
}

/// What may still be chosen.
#[derive(Debug, Clone)]
struct Candidate {
    task: AnnotationTask,
    /// The weight of its draw: for a document one over its forms.
    weight: f64,
    /// For a form, in how many documents it was seen, and the lowest key among these.
    documents: u64,
    key: f64,
}

/// A form of a document.
struct Form<'a> {
    mention: Mention<'a>,
    words: Option<&'a str>,
    stratum: String,
}

impl<'s> Sampler<'s> {
    /// Nothing seen yet.
    pub fn new(design: &'s SampleDesign) -> Sampler<'s> {
        Sampler { design, strata: BTreeMap::new(), seen: HashSet::new() }
    }

    /// Takes up more documents.
    pub fn push(&mut self, part: &Corpus) -> Result<(), Error> {
        let strata = self.design.strata.as_slice();
        let labels = (!strata.is_empty()).then(|| labels(part, strata));
        for document in part.documents() {
            if !self.seen.insert(hash(&[document.name().as_bytes()])) {
                return Err(scattered(document.name()));
            }
            let text = document.text_index();
            let forms = self.forms(&document, text.as_ref(), labels.as_ref())?;
            match self.design.by {
                SampleBy::Document => self.by_document(&document, text.as_ref(), &forms),
                SampleBy::Mention => self.by_mention(&document, text.as_ref(), &forms),
            }
        }
        Ok(())
    }

    /// The forms of a document, each once in each stratum, where they are first.
    fn forms<'a>(
        &self,
        document: &Document<'a>,
        text: Option<&TextIndex<'a>>,
        labels: Option<&Labels>,
    ) -> Result<Vec<Form<'a>>, Error> {
        let mut seen = HashSet::new();
        let mut forms = Vec::new();
        for (at, mention) in document.mentions().enumerate() {
            if mention.place().is_some() {
                continue;
            }
            let words = match text {
                Some(text) => text.slice(mention.span()),
                None => mention.surface(),
            };
            if words.is_none() && self.design.by == SampleBy::Mention {
                return Err(no_forms(document.name()));
            }
            let label = labels.and_then(|labels| labels.get(&(document.index(), at)));
            let stratum = label.cloned().unwrap_or_default();
            // Without words, a mention is known by its place.
            let place = words.is_none().then(|| mention.span());
            if seen.insert((words, place, stratum.clone())) {
                forms.push(Form { mention, words, stratum });
            }
        }
        Ok(forms)
    }

    fn by_document(
        &mut self,
        document: &Document<'_>,
        text: Option<&TextIndex<'_>>,
        forms: &[Form<'_>],
    ) {
        let mut in_stratum: HashMap<&str, u64> = HashMap::new();
        for form in forms {
            *in_stratum.entry(&form.stratum).or_default() += 1;
        }
        for form in forms {
            let weight = 1.0 / in_stratum.get(form.stratum.as_str()).copied().unwrap_or(1) as f64;
            let Span { start, end } = form.mention.span();
            let place = [start.to_le_bytes(), end.to_le_bytes()].concat();
            let item = hash(&[
                document.name().as_bytes(),
                form.words.map_or(&place, |words| words.as_bytes()),
            ]);
            let key = weighted_key(self.design.seed, item, weight);
            let make = || Candidate { task: task(form, text), weight, documents: 1, key };
            self.stratum(&form.stratum).place(key, item, make);
        }
    }

    fn by_mention(
        &mut self,
        document: &Document<'_>,
        text: Option<&TextIndex<'_>>,
        forms: &[Form<'_>],
    ) {
        /// Keeps the keys of documents apart from those of forms.
        const DOCUMENTS: u64 = 0x646f_6375_6d65_6e74;
        for form in forms {
            let words = form.words.unwrap_or_default().as_bytes();
            let item = hash(&[words]);
            let key = uniform_key(self.design.seed, item);
            let of_document = uniform_key(
                self.design.seed ^ DOCUMENTS,
                hash(&[document.name().as_bytes(), words]),
            );
            let make = || Candidate {
                task: task(form, text),
                weight: 1.0,
                documents: 0,
                key: f64::INFINITY,
            };
            // A form that is still in was never out: all its documents were counted.
            if let Some(kept) = self.stratum(&form.stratum).place(key, item, make) {
                kept.documents += 1;
                if of_document < kept.key {
                    kept.key = of_document;
                    kept.task = task(form, text);
                }
            }
        }
    }

    fn stratum(&mut self, label: &str) -> &mut Lowest<Candidate> {
        if !self.strata.contains_key(label) {
            let size = self.design.sizes.get(label).copied().unwrap_or(self.design.size);
            self.strata.insert(label.to_owned(), Lowest::new(size));
        }
        self.strata.entry(label.to_owned()).or_insert_with(|| Lowest::new(0))
    }

    /// The chosen mentions: stratum by stratum, each in the order in which they were drawn.
    pub fn finish(self) -> Vec<AnnotationTask> {
        let stratified = !self.design.strata.is_empty();
        let by = self.design.by;
        let mut tasks = Vec::new();
        for (label, lowest) in self.strata {
            let drawn = lowest.finish();
            for candidate in drawn.items {
                let probability = match (by, drawn.threshold) {
                    (SampleBy::Document, None) => 1.0,
                    (SampleBy::Document, Some(threshold)) => {
                        weighted_chance(threshold, candidate.weight)
                    }
                    (SampleBy::Mention, threshold) => {
                        threshold.unwrap_or(1.0) / candidate.documents.max(1) as f64
                    }
                };
                let stratum = stratified.then(|| label.clone());
                let weight = 1.0 / probability;
                tasks.push(AnnotationTask { stratum, probability, weight, ..candidate.task });
            }
        }
        tasks
    }
}

/// The stratum of each mention, by document and position.
type Labels = HashMap<(usize, usize), String>;

fn labels(part: &Corpus, facets: &[Arc<dyn Facet>]) -> Labels {
    let settings = Settings { trim: false, evaluation_span: false, ..Settings::default() };
    let pairing = Pairing::new(part, part, &Identity::new());
    let mut scene = Scene::default();
    let mut labels = Labels::new();
    for at in 0..pairing.len() {
        pairing.stage(at, &settings, &mut scene);
        // A mention that one file gives as gold or as a prediction is on one of the sides.
        for side in [&scene.gold, &scene.system] {
            for item in &side.items {
                let first = |facet: &Arc<dyn Facet>| {
                    let first = facet.labels_in(&scene, side, item).into_iter().min();
                    first.unwrap_or_else(|| UNLABELLED.to_owned())
                };
                let label = || facets.iter().map(first).collect::<Vec<_>>().join("+");
                labels.entry((at, item.index as usize)).or_insert_with(label);
            }
        }
    }
    labels
}

fn task(form: &Form<'_>, text: Option<&TextIndex<'_>>) -> AnnotationTask {
    let span = form.mention.span();
    let (before, after) = text.map(|text| context(text, span)).unwrap_or_default();
    let ranked = form.mention.candidates().filter_map(|candidate| candidate.entity);
    let mut seen = HashSet::new();
    let candidates = form.mention.entity().into_iter().chain(ranked);
    let document = form.mention.document().name().to_owned();
    AnnotationTask {
        task: format!("{document}:{}-{}", span.start, span.end),
        document,
        span,
        mention: form.words.map(str::to_owned),
        before,
        after,
        candidates: candidates.filter(|id| seen.insert(*id)).map(str::to_owned).collect(),
        stratum: None,
        probability: 1.0,
        weight: 1.0,
    }
}

/// What stands before and after a span.
fn context(text: &TextIndex<'_>, span: Span) -> (String, String) {
    let (Some(start), Some(end)) = (text.byte_of(span.start), text.byte_of(span.end)) else {
        return (String::new(), String::new());
    };
    let before: Vec<char> = text.text()[..start].chars().rev().take(CONTEXT).collect();
    (before.into_iter().rev().collect(), text.text()[end..].chars().take(CONTEXT).collect())
}

/// A number for some strings (FNV-1a), the same on every machine.
fn hash(parts: &[&[u8]]) -> u64 {
    let mut hash = 0xcbf2_9ce4_8422_2325u64;
    for part in parts {
        // What separates parts is no byte of UTF-8.
        for &byte in part.iter().chain(&[0xff]) {
            hash = (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
        }
    }
    hash
}
