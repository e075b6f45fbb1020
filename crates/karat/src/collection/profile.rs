//! What a benchmark is made of.

use super::dictionary::Dictionary;
use super::kinds::Kinds;
use super::profile_record::ProfileRecord;
use super::surfaces::{Words, form_of, is_of_gold, surface_of};
use crate::errors::Inspection;
use karat_kb::{Identity, KnowledgeBase};
use karat_measures::Convention;
use karat_model::{
    Corpus, Dimension, DimensionCategory, Document, Flags, MarkKind, Mention, Watch,
};
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, HashMap, HashSet};

/// What a benchmark is made of, in numbers.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(from = "ProfileRecord", into = "ProfileRecord")]
pub struct Profile {
    /// What it is called.
    pub name: String,
    /// Its figures, in the same order for every benchmark; `None` for what cannot be told.
    pub figures: Vec<(String, Option<Amount>)>,
    /// How its annotations divide by a property.
    pub shares: Vec<Shares>,
}

/// A figure.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Amount {
    /// A count.
    Count(u64),
    /// A mean or a share.
    Number(f64),
}

/// How things divide by a property.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Shares {
    /// The property.
    pub property: String,
    /// How many things there are.
    pub all: u64,
    /// How many have each label; one thing may have several.
    pub counts: Vec<(String, u64)>,
    /// Labels of which that cannot be told.
    pub untold: Vec<String>,
}

impl Shares {
    /// Counts of labels, of which all can be told.
    pub(super) fn new(property: &str, all: u64, counts: Vec<(String, u64)>) -> Shares {
        Shares { property: property.to_owned(), all, counts, untold: Vec::new() }
    }

    /// Whether it can be told how many have a label: not of numbers of words where there is no text.
    pub fn is_told(&self, label: &str) -> bool {
        let nothing_told = self.counts.is_empty() && self.all > 0;
        !nothing_told && !self.untold.iter().any(|untold| untold == label)
    }
}

/// A mention that is not a part of another's reading.
struct Seen<'c> {
    document: usize,
    form: Option<u32>,
    entity: Option<&'c str>,
}

/// Everything that is counted of a corpus.
#[derive(Default)]
struct Count<'c> {
    documents: u64,
    with_text: u64,
    without_mentions: u64,
    words: u64,
    sentences: u64,
    with_sentences: u64,
    mentions_with_text: u64,
    densities: Vec<f64>,
    mentions: Vec<Seen<'c>>,
    forms: HashMap<String, u32>,
    nil: u64,
    unlinked: u64,
    optional: u64,
    annotations: u64,
    clusters: HashSet<&'c str>,
    with_candidates: u64,
    reachable: u64,
    types: BTreeMap<String, u64>,
    tags: BTreeMap<String, u64>,
    lengths: BTreeMap<usize, u64>,
    cases: BTreeMap<&'static str, u64>,
}

impl Profile {
    /// The figures of a corpus.
    pub fn new(name: &str, corpus: &Corpus, dictionary: &Dictionary) -> Profile {
        Profile::with_base(name, corpus, dictionary, None, &Watch::default())
    }

    /// The same with what a knowledge base knows of entities, texts and words. The watch is asked before each
    /// document; once it is cancelled, what comes out means nothing.
    pub fn with_base(
        name: &str,
        corpus: &Corpus,
        dictionary: &Dictionary,
        base: Option<&KnowledgeBase>,
        watch: &Watch,
    ) -> Profile {
        let mut count = Count::default();
        for document in corpus.documents().take_while(|_| !watch.is_cancelled()) {
            count.document(&document);
            watch.advance(1);
        }
        let links = Links::new(&count, dictionary);
        let kinds = Kinds::new(corpus, base, watch);
        let mut figures = count.figures();
        figures.push(("words that are no punctuation", told_words(name, corpus, base, watch)));
        figures.extend(links.figures());
        let mut shares = count.shares(kinds.lowercased_not_named());
        shares.extend(kinds.shares());
        shares.push(links.popularity());
        let figures = figures.into_iter().map(|(name, amount)| (name.to_owned(), amount));
        Profile { name: name.to_owned(), figures: figures.collect(), shares }
    }

    /// A figure by name.
    pub fn figure(&self, name: &str) -> Option<Amount> {
        self.figures.iter().find(|(known, _)| known == name).and_then(|(_, amount)| *amount)
    }
}

impl<'c> Count<'c> {
    fn document(&mut self, document: &Document<'c>) {
        let text = document.text_index();
        let words = Words::new(document.text());
        let number = self.documents as usize;
        self.documents += 1;
        let before = self.mentions.len();
        for mention in document.mentions() {
            if !is_of_gold(&mention) {
                continue;
            }
            let surface = surface_of(&mention, text.as_ref());
            let length = surface.map(|surface| words.of(surface));
            self.annotation(&mention, surface, length);
            // Parts of alternatives are annotations, but no mentions of their own: a score counts
            // their root.
            if mention.place().is_none() {
                self.mention(number, &mention, surface);
            }
        }
        let found = (self.mentions.len() - before) as u64;
        self.without_mentions += u64::from(found == 0);
        if let Some(text) = &text {
            // Outside of the part that is annotated there is nothing to be found.
            let window = document.evaluation_span().and_then(|window| text.slice(window));
            let words = words.of(window.unwrap_or(text.text())) as u64;
            self.with_text += 1;
            let sentences = document.marks_of(MarkKind::Sentence).count() as u64;
            self.with_sentences += u64::from(sentences > 0);
            self.sentences += sentences;
            self.words += words;
            self.mentions_with_text += found;
            self.densities.extend((words > 0).then(|| 100.0 * found as f64 / words as f64));
        }
    }

    /// What ELEVANT counts of every label, parts of alternatives included.
    fn annotation(&mut self, mention: &Mention<'c>, surface: Option<&str>, length: Option<usize>) {
        self.annotations += 1;
        mention.types().for_each(|label| *self.types.entry(label.to_owned()).or_default() += 1);
        mention.tags().for_each(|label| *self.tags.entry(label.to_owned()).or_default() += 1);
        let (Some(surface), Some(length)) = (surface, length) else { return };
        *self.lengths.entry(length).or_default() += 1;
        if let Some(case) = case(surface) {
            *self.cases.entry(case).or_default() += 1;
        }
    }

    fn mention(&mut self, document: usize, mention: &Mention<'c>, surface: Option<&str>) {
        let next = self.forms.len() as u32;
        let form = surface.map(|form| *self.forms.entry(form_of(form)).or_insert(next));
        let entity = mention.entity();
        self.mentions.push(Seen { document, form, entity });
        self.nil += u64::from(mention.link().is_nil());
        self.unlinked += u64::from(mention.link().is_none());
        self.optional += u64::from(is_optional(mention));
        self.clusters.extend(mention.nil_cluster());
        if let Some(entity) = entity
            && mention.candidates().len() > 0
        {
            self.with_candidates += 1;
            let found = mention.candidates().any(|candidate| candidate.entity == Some(entity));
            self.reachable += u64::from(found);
        }
    }

    fn figures(&self) -> Vec<(&'static str, Option<Amount>)> {
        let mentions = self.mentions.len() as u64;
        let linked = mentions - self.nil - self.unlinked;
        let text = |amount: Option<Amount>| amount.filter(|_| self.with_text > 0);
        vec![
            ("documents", count(self.documents)),
            ("documents with text", count(self.with_text)),
            ("documents without mentions", count(self.without_mentions)),
            ("words", text(count(self.words))),
            (
                "sentences",
                // Sentences of some documents only would make the mean length of a sentence wrong.
                text(count(self.sentences)).filter(|_| self.with_sentences == self.with_text),
            ),
            ("mentions", count(mentions)),
            ("mentions per document", ratio(mentions, self.documents)),
            ("mentions per 100 words", ratio(100 * self.mentions_with_text, self.words)),
            ("mentions per 100 words, mean over documents", mean(self.densities.iter().copied())),
            ("linked", count(linked)),
            ("NIL", count(self.nil)),
            ("without an answer", count(self.unlinked)),
            ("share of linked mentions", ratio(linked, mentions)),
            ("optional", count(self.optional)),
            ("annotations with parts of alternatives", count(self.annotations)),
            ("NIL clusters", count(self.clusters.len() as u64)),
            ("right entity among the candidates", ratio(self.reachable, self.with_candidates)),
        ]
    }

    fn shares(&self, lowercased_not_named: Option<u64>) -> Vec<Shares> {
        let listed = |property: &str, counts: &BTreeMap<String, u64>| {
            let mut counts: Vec<(String, u64)> =
                counts.iter().map(|(label, &count)| (label.clone(), count)).collect();
            counts.sort_by_key(|&(_, count)| std::cmp::Reverse(count));
            Shares::new(property, self.annotations, counts)
        };
        let lengths = self.lengths.iter().map(|(words, &count)| (words.to_string(), count));
        let cases = self.cases.iter().map(|(&case, &count)| (case.to_owned(), count));
        let not_named = lowercased_not_named.filter(|_| !self.cases.is_empty());
        let cases = cases.chain(not_named.map(|count| (NOT_NAMED.to_owned(), count))).collect();
        let untold = not_named.is_none().then(|| NOT_NAMED.to_owned()).into_iter().collect();
        let all = self.annotations;
        let mut shares = vec![listed("type", &self.types), listed("tag", &self.tags)];
        shares.extend(Dimension::ALL.map(|dimension| self.categories(dimension)));
        shares.extend([
            Shares::new("words", all, lengths.collect()),
            Shares { untold, ..Shares::new(CASE, all, cases) },
        ]);
        shares
    }

    /// The category tags of one dimension, in the order of the literature.
    fn categories(&self, dimension: Dimension) -> Shares {
        let of_dimension =
            self.tags.iter().filter(|(tag, _)| Dimension::of(tag) == Some(dimension));
        let mut counts: Vec<(String, u64)> =
            of_dimension.map(|(tag, &count)| (tag.clone(), count)).collect();
        let place = |tag: &str| {
            dimension.categories().position(|known| DimensionCategory::of(tag) == Some(known))
        };
        // Tags of no known category come last.
        counts.sort_by_key(|(tag, _)| place(tag).unwrap_or(usize::MAX));
        Shares::new(dimension.key(), self.annotations, counts)
    }
}

/// What forms and entities have to do with each other.
struct Links<'d, 'c> {
    dictionary: &'d Dictionary,
    names: Vec<String>,
    /// Linked mentions with a form: document, form, entity.
    pairs: Vec<(usize, u32, &'c str)>,
    entities_of: HashMap<u32, BTreeMap<&'c str, u64>>,
    forms_of: BTreeMap<&'c str, BTreeMap<u32, u64>>,
    forms: u64,
    entities: BTreeMap<&'c str, u64>,
    repeated_forms: (u64, u64),
    repeated_entities: (u64, u64),
    known_forms: u64,
    with_form: u64,
    mentions: u64,
}

impl<'d, 'c> Links<'d, 'c> {
    fn new(count: &Count<'c>, dictionary: &'d Dictionary) -> Links<'d, 'c> {
        let mut names = vec![String::new(); count.forms.len()];
        let mut by_number: Vec<(&String, u32)> =
            count.forms.iter().map(|(name, &at)| (name, at)).collect();
        by_number.sort_unstable();
        by_number.into_iter().for_each(|(name, at)| names[at as usize].clone_from(name));
        let mut links = Links {
            dictionary,
            names,
            pairs: Vec::new(),
            entities_of: HashMap::new(),
            forms_of: BTreeMap::new(),
            forms: count.forms.len() as u64,
            entities: BTreeMap::new(),
            repeated_forms: (0, 0),
            repeated_entities: (0, 0),
            known_forms: 0,
            with_form: 0,
            mentions: count.mentions.len() as u64,
        };
        let mut seen_forms = HashSet::new();
        let mut seen_entities = HashSet::new();
        for &Seen { document, form, entity } in &count.mentions {
            if let Some(form) = form {
                links.with_form += 1;
                links.known_forms +=
                    u64::from(dictionary.entities_of(&links.names[form as usize]) > 0);
                links.repeated_forms.1 += 1;
                links.repeated_forms.0 += u64::from(!seen_forms.insert((document, form)));
            }
            let Some(entity) = entity else { continue };
            *links.entities.entry(entity).or_default() += 1;
            links.repeated_entities.1 += 1;
            links.repeated_entities.0 += u64::from(!seen_entities.insert((document, entity)));
            let Some(form) = form else { continue };
            links.pairs.push((document, form, entity));
            *links.entities_of.entry(form).or_default().entry(entity).or_default() += 1;
            *links.forms_of.entry(entity).or_default().entry(form).or_default() += 1;
        }
        links
    }

    fn figures(&self) -> Vec<(&'static str, Option<Amount>)> {
        let of_form = |form: u32| self.entities_of.get(&form).map_or(0, BTreeMap::len) as f64;
        let of_entity = |entity: &str| self.forms_of.get(entity).map_or(0, BTreeMap::len) as f64;
        let linked_forms = self.entities_of.len() as u64;
        let pairs = self.pairs.len() as u64;
        // Distinct pairs are as many as distinct entities of all forms, or forms of all entities.
        let distinct: u64 = self.forms_of.values().map(|forms| forms.len() as u64).sum();
        let mut forms: Vec<u32> = self.entities_of.keys().copied().collect();
        forms.sort_unstable();
        let ambiguous = forms.iter().filter(|&&form| of_form(form) > 1.0).count() as u64;
        let top_entities =
            forms.iter().filter_map(|form| self.entities_of.get(form)?.values().max());
        let top_forms = self.forms_of.values().filter_map(|forms| forms.values().max());
        let (dominant_entity, dominant_form) = (top_entities.sum::<u64>(), top_forms.sum::<u64>());
        let mut figures = vec![
            ("entities", count(self.entities.len() as u64)),
            ("forms", count(self.forms).filter(|_| self.with_form > 0 || self.mentions == 0)),
            ("entities per form, mean over forms", ratio(distinct, linked_forms)),
            ("entities per form, mean over mentions", self.micro(|form, _| of_form(form))),
            ("entities per form, mean over documents", self.macro_(|form, _| of_form(form))),
            ("share of forms with several entities", ratio(ambiguous, linked_forms)),
            ("forms per entity, mean over entities", ratio(distinct, self.forms_of.len() as u64)),
            ("forms per entity, mean over mentions", self.micro(|_, entity| of_entity(entity))),
            ("forms per entity, mean over documents", self.macro_(|_, entity| of_entity(entity))),
            (
                "share of mentions with the form's most frequent entity",
                ratio(dominant_entity, pairs),
            ),
            ("share of mentions with the entity's most frequent form", ratio(dominant_form, pairs)),
            ("share of forms repeated in the document", part(self.repeated_forms)),
            ("share of entities repeated in the document", part(self.repeated_entities)),
        ];
        figures.extend(self.by_dictionary());
        figures
    }

    /// As GERBIL's extension for the analysis of datasets has it; what the dictionary does not
    /// know counts 1.
    fn by_dictionary(&self) -> Vec<(&'static str, Option<Amount>)> {
        if !self.dictionary.has_names() {
            return Vec::new();
        }
        let name = |form: u32| self.names[form as usize].as_str();
        let entities = |form: u32| self.dictionary.entities_of(name(form)).max(1) as f64;
        let names = |entity: &str| self.dictionary.names_of(entity).max(1) as f64;
        // Of what the dictionary has, the part that is used here; mentions it does not know are left out.
        let used_forms = |entity: &str| self.forms_of.get(entity).map_or(0, BTreeMap::len) as f64;
        let used_entities = |form: u32| self.entities_of.get(&form).map_or(0, BTreeMap::len) as f64;
        let known_entities =
            self.pairs.iter().filter(|(_, _, entity)| self.dictionary.names_of(entity) > 0);
        let of_entities = known_entities.map(|&(_, _, entity)| used_forms(entity) / names(entity));
        let known_forms =
            self.pairs.iter().filter(|(_, form, _)| self.dictionary.entities_of(name(*form)) > 0);
        let of_forms = known_forms.map(|&(_, form, _)| used_entities(form) / entities(form));
        let means =
            |&&(_, form, entity): &&(usize, u32, &str)| self.dictionary.means(name(form), entity);
        let found = self.pairs.iter().filter(means).count() as u64;
        vec![
            (MAXIMUM_RECALL, ratio(self.known_forms, self.with_form)),
            (
                "dictionary: right entity among those of the form",
                ratio(found, self.pairs.len() as u64),
            ),
            (
                "dictionary: entities per form, mean over mentions",
                self.micro(|form, _| entities(form)),
            ),
            (
                "dictionary: entities per form, mean over documents",
                self.macro_(|form, _| entities(form)),
            ),
            (
                "dictionary: names per entity, mean over mentions",
                self.micro(|_, entity| names(entity)),
            ),
            (
                "dictionary: names per entity, mean over documents",
                self.macro_(|_, entity| names(entity)),
            ),
            ("dictionary: dominance of entities", mean(of_entities)),
            ("dictionary: dominance of forms", mean(of_forms)),
        ]
    }

    /// The mean over linked mentions.
    fn micro(&self, value: impl Fn(u32, &'c str) -> f64) -> Option<Amount> {
        mean(self.pairs.iter().map(|&(_, form, entity)| value(form, entity)))
    }

    /// The mean over documents of their means; documents without linked mentions are left out.
    fn macro_(&self, value: impl Fn(u32, &'c str) -> f64) -> Option<Amount> {
        let documents = self.pairs.chunk_by(|a, b| a.0 == b.0);
        mean(documents.map(|pairs| {
            pairs.iter().map(|&(_, form, entity)| value(form, entity)).sum::<f64>()
                / pairs.len() as f64
        }))
    }

    /// Linked mentions by the popularity of their entities: of the most popular tenth of the
    /// entities, and so on. Without counts, an entity is as popular as it is frequent here.
    fn popularity(&self) -> Shares {
        let bins = self.popular().map(|(label, entities)| {
            (label.to_owned(), entities.iter().map(|(_, here)| here).sum())
        });
        let property = match self.dictionary.has_counts() {
            true => "popularity",
            false => POPULARITY,
        };
        let all = self.entities.values().sum();
        Shares::new(property, all, bins.to_vec())
    }

    /// The entities of each bin of popularity, the most popular first, with how often they are mentioned.
    fn popular(&self) -> [(&'static str, Vec<(&'c str, u64)>); 5] {
        const BINS: [(&str, f64); 5] = [
            ("0-10%", 0.1),
            ("10-32.5%", 0.325),
            ("32.5-55%", 0.55),
            ("55-77.5%", 0.775),
            ("77.5-100%", 1.0),
        ];
        let popular = |entity: &str, here: u64| match self.dictionary.has_counts() {
            true => self.dictionary.count_of(entity),
            false => here,
        };
        let mut ranked: Vec<(u64, &str, u64)> = self
            .entities
            .iter()
            .map(|(&entity, &here)| (popular(entity, here), entity, here))
            .collect();
        // Ties by name: the order of a file must not move an entity to another bin.
        ranked.sort_by(|a, b| b.0.cmp(&a.0).then(a.1.cmp(b.1)));
        let mut from = 0;
        BINS.map(|(label, upto)| {
            // Rounded to whole entities; `max` keeps bins in order where there are fewer entities
            // than bins.
            let to = ((upto * ranked.len() as f64).round() as usize).max(from);
            let entities = ranked[from..to].iter().map(|&(_, entity, here)| (entity, here));
            from = to;
            (label, entities.collect())
        })
    }
}

/// The property of how popular entities are where nothing but the benchmark itself tells.
pub(super) const POPULARITY: &str = "popularity by frequency here";

/// The entities of one bin of popularity, by how often they are mentioned in the corpus itself.
pub(super) fn popular_entities<'c>(corpus: &'c Corpus, label: &str) -> HashSet<&'c str> {
    let mut count = Count::default();
    for document in corpus.documents() {
        count.document(&document);
    }
    let dictionary = Dictionary::default();
    let bins = Links::new(&count, &dictionary).popular();
    let bin = bins.into_iter().find(|(known, _)| *known == label);
    bin.into_iter().flat_map(|(_, entities)| entities).map(|(entity, _)| entity).collect()
}

/// The figure that says how many mentions a dictionary has.
pub const MAXIMUM_RECALL: &str = "dictionary: share of mentions it has (maximum recall)";

pub(super) const LOWER_CASE: &str = "lower case";
pub(super) const NOT_NAMED: &str = "lower case and not named";

/// The property of how annotations begin.
pub(super) const CASE: &str = "case";

/// How a mention begins, as ELEVANT tells capitals.
pub(super) fn case(surface: &str) -> Option<&'static str> {
    let first = surface.chars().next()?;
    Some(match first.is_alphabetic() {
        false => "no letter first",
        true if first.is_lowercase() => LOWER_CASE,
        true => "upper case",
    })
}

/// The words of a benchmark by a knowledge base that has counted them, as ELEVANT does: tokens that
/// are neither white space nor punctuation.
fn told_words(
    benchmark: &str,
    gold: &Corpus,
    base: Option<&KnowledgeBase>,
    watch: &Watch,
) -> Option<Amount> {
    let (convention, identity) = (Convention::default(), Identity::new());
    let (settings, taxonomy) = (&convention.settings, convention.taxonomy);
    let inspection =
        Inspection { settings, taxonomy, identity: &identity, base, watch: Some(watch) };
    inspection
        .words(benchmark, gold)
        .ok()
        .and_then(|words| count(words.all))
        .filter(|_| !gold.is_empty())
}

/// As karat's own convention has it: by its flags, or because it is a quantity or a date.
pub(super) fn is_optional(mention: &Mention<'_>) -> bool {
    mention.flags().intersects(Flags::OPTIONAL | Flags::DESCRIPTIVE)
        || mention.types().any(karat_model::literal::is_literal)
}

fn count(count: u64) -> Option<Amount> {
    Some(Amount::Count(count))
}

fn ratio(part: u64, whole: u64) -> Option<Amount> {
    (whole > 0).then(|| Amount::Number(part as f64 / whole as f64))
}

fn part((part, whole): (u64, u64)) -> Option<Amount> {
    ratio(part, whole)
}

fn mean(values: impl Iterator<Item = f64>) -> Option<Amount> {
    let (mut sum, mut count) = (0.0, 0u64);
    for value in values {
        sum += value;
        count += 1;
    }
    (count > 0).then(|| Amount::Number(sum / count as f64))
}
