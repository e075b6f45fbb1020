//! What inputs say, put in order and written.

use super::conflicts::{Conflict, Conflicts, Disagreement};
use super::links::{Links, REDIRECT, TITLE};
use super::log::{Log, Scratch, record};
use super::sorter::{Groups, Sorter};
use crate::base::KnowledgeBase;
use crate::candidates::{CandidateWeight, Popular, encode_one, merge};
use crate::canonical::resolve;
use crate::encoding::{Fields, put_number, put_strings};
use crate::entity::{Entity, EntityKind, Facts};
use crate::error::KbError;
use crate::image::{Image, ImageWriter, Table};
use crate::spelling::{ENGLISH, as_title, as_type, title_in, written};
use karat_model::Watch;
use std::borrow::Cow;
use std::collections::{BTreeSet, HashMap};
use std::path::Path;
use std::sync::Arc;

/// What an absent entry means: without this, a base that does not have it cannot know.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum FactCoverage {
    /// A text without candidates has none.
    Mentions,
    /// Candidates were counted; a candidate without a count was never seen.
    Counts,
    /// A text that is not listed is no demonym.
    Demonyms,
    /// An entity that was not said to be a quantity or a time is neither.
    Kinds,
}

impl FactCoverage {
    pub(crate) const ALL: [FactCoverage; 4] =
        [FactCoverage::Mentions, FactCoverage::Counts, FactCoverage::Demonyms, FactCoverage::Kinds];

    pub(crate) fn key(self) -> &'static str {
        match self {
            FactCoverage::Mentions => "covers mentions",
            FactCoverage::Counts => "covers counts",
            FactCoverage::Demonyms => "covers demonyms",
            FactCoverage::Kinds => "covers kinds",
        }
    }
}

/// Collects what inputs say, and makes a [`KnowledgeBase`] of it.
///
/// ```
/// use karat_kb::{Builder, Facts, Known};
///
/// let mut builder = Builder::in_memory();
/// builder.entity("Q64", &Facts { name: Some("Berlin"), ..Facts::default() })?;
/// builder.mention("Berlin", "Q64", Some(9))?;
/// builder.same("Berlin", "http://www.wikidata.org/entity/Q64")?;
/// let base = builder.finish()?;
/// assert_eq!(base.resolve("Berlin"), "Q64");
/// # Ok::<(), karat_kb::KbError>(())
/// ```
pub struct Builder {
    scratch: Scratch,
    writer: ImageWriter,
    entities: Log,
    mentions: Log,
    links: Links,
    demonyms: Sorter,
    words: Sorter,
    pages: Sorter,
    kinds: HashMap<String, EntityKind>,
    whitelist: Vec<(String, String)>,
    coverage: BTreeSet<FactCoverage>,
    sources: Vec<String>,
    language: String,
    conflicts: Conflicts,
    value: Vec<u8>,
}

/// A base that was built, and what its inputs disagreed about.
#[derive(Debug)]
pub struct Built {
    /// The base.
    pub base: KnowledgeBase,
    /// One entry for each thing they disagreed about.
    pub conflicts: Vec<Conflict>,
}

/// What is said of a page.
const IS_CALLED: u8 = b'n';
const LEADS_TO: u8 = b'>';
const IS_ABOUT: u8 = b'=';

/// How much memory sorting takes if nobody says.
const MEMORY: usize = 256 << 20;

impl Builder {
    /// Builds a base that lives in memory.
    pub fn in_memory() -> Builder {
        // Without a folder nothing is ever spilled to disk.
        let scratch = Scratch::default();
        // Nothing that is written to memory can fail.
        #[allow(clippy::expect_used)]
        let writer = ImageWriter::memory().expect("memory takes bytes");
        Builder::with(writer, scratch)
    }

    /// Builds a file, which appears when it is complete. Temporary files lie beside it.
    pub fn beside(path: &Path) -> Result<Builder, KbError> {
        Builder::bounded(path, MEMORY)
    }

    /// The same, with a say in how many bytes of memory sorting may take.
    pub fn bounded(path: &Path, memory: usize) -> Result<Builder, KbError> {
        Builder::watched(path, memory, &Watch::default())
    }

    /// The same, until the watch is cancelled: then what is being done ends with [`KbError::Cancelled`], and no file
    /// appears.
    pub fn watched(path: &Path, memory: usize, watch: &Watch) -> Result<Builder, KbError> {
        let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
        let folder = folder.unwrap_or(Path::new(".")).to_owned();
        // Two sorters are at work at any time.
        let scratch =
            Scratch { folder: Some(Arc::new(folder)), memory: memory / 2, watch: watch.clone() };
        Ok(Builder::with(ImageWriter::file(path, scratch.clone())?, scratch))
    }

    fn with(writer: ImageWriter, scratch: Scratch) -> Builder {
        Builder {
            writer,
            entities: Log::new(scratch.clone()),
            mentions: Log::new(scratch.clone()),
            links: Links::new(scratch.clone()),
            demonyms: Sorter::new(scratch.clone()),
            words: Sorter::new(scratch.clone()),
            pages: Sorter::new(scratch.clone()),
            kinds: HashMap::new(),
            whitelist: Vec::new(),
            coverage: BTreeSet::new(),
            sources: Vec::new(),
            language: ENGLISH.to_owned(),
            conflicts: Conflicts::default(),
            value: Vec::new(),
            scratch,
        }
    }

    /// What an input says of an entity.
    pub fn entity(&mut self, id: &str, facts: &Facts<'_>) -> Result<(), KbError> {
        let types = facts.types.as_deref().map(as_types);
        let parents = as_types(&facts.parents);
        let facts = Facts {
            types: types.as_ref().map(|types| types.iter().map(AsRef::as_ref).collect()),
            parents: parents.iter().map(AsRef::as_ref).collect(),
            ..facts.clone()
        };
        self.value.clear();
        facts.encode(&mut self.value);
        self.entities.push(written(id).as_bytes(), &self.value)
    }

    /// A text that may mean an entity, and how often it does.
    pub fn mention(&mut self, text: &str, id: &str, count: Option<u64>) -> Result<(), KbError> {
        self.weighted_mention(
            text,
            id,
            count.map_or(CandidateWeight::Unknown, CandidateWeight::Count),
        )
    }

    /// A text that may mean an entity, with a count or a share.
    pub fn weighted_mention(
        &mut self,
        text: &str,
        id: &str,
        weight: CandidateWeight,
    ) -> Result<(), KbError> {
        self.value.clear();
        encode_one(&mut self.value, id, weight);
        self.mentions.push(text.as_bytes(), &self.value)
    }

    /// The most popular entities of a text, where nothing else is known of it.
    pub fn popular(&mut self, text: &str, popular: &Popular<'_>) -> Result<(), KbError> {
        self.value.clear();
        popular.encode(&mut self.value);
        self.mentions.push(text.as_bytes(), &self.value)
    }

    /// Two ids of one entity.
    pub fn same(&mut self, a: &str, b: &str) -> Result<(), KbError> {
        self.links.same(&written(a), &written(b))
    }

    /// The title of an article, and the id of its entity. A title names one page: the first
    /// entity of it is believed.
    pub fn title(&mut self, title: &str, id: &str) -> Result<(), KbError> {
        self.links.title(&as_title(title), &written(id))
    }

    /// Says which Wikipedia dumps are of, by the code of its language. It is the English one if
    /// nobody says.
    pub fn dumps_are_in(&mut self, language: &str) {
        self.language = language.to_owned();
    }

    /// The title of an article of the Wikipedia of a language, and the id of its entity.
    pub fn article(&mut self, language: &str, title: &str, id: &str) -> Result<(), KbError> {
        self.links.title(&title_in(language, title), &written(id))
    }

    /// A title that leads to another; the first target is believed.
    pub fn redirect(&mut self, from: &str, to: &str) -> Result<(), KbError> {
        self.links.redirect(&written(from), &written(to))
    }

    /// The number and the title of an article.
    pub fn page(&mut self, page: u64, title: &str) -> Result<(), KbError> {
        self.page_fact(page, IS_CALLED, title)
    }

    /// An article that leads to another, by its number.
    pub fn page_redirect(&mut self, page: u64, target: &str) -> Result<(), KbError> {
        self.page_fact(page, LEADS_TO, target)
    }

    /// The entity of an article, by its number.
    pub fn page_item(&mut self, page: u64, id: &str) -> Result<(), KbError> {
        self.page_fact(page, IS_ABOUT, id)
    }

    fn page_fact(&mut self, page: u64, fact: u8, text: &str) -> Result<(), KbError> {
        self.value.clear();
        self.value.push(fact);
        self.value.extend_from_slice(text.as_bytes());
        // Big-endian, so that the order of bytes is the order of numbers.
        self.pages.push(&page.to_be_bytes(), &self.value)
    }

    /// Says that every entity of a type is a quantity, or a time.
    pub fn kind_of_type(&mut self, id: &str, kind: EntityKind) {
        self.kinds.entry(as_type(id).into_owned()).or_insert(kind);
    }

    /// Whether a text is a demonym.
    pub fn demonym(&mut self, text: &str, is_one: bool) -> Result<(), KbError> {
        self.demonyms.push(text.as_bytes(), &[u8::from(is_one)])
    }

    /// How many words a document has, and how many of them are lowercased.
    pub fn words(
        &mut self,
        benchmark: &str,
        document: &str,
        words: u64,
        lowercased: u64,
    ) -> Result<(), KbError> {
        self.value.clear();
        put_number(&mut self.value, words);
        put_number(&mut self.value, lowercased);
        self.words.push(&words_key(benchmark, document), &self.value)
    }

    /// A type that results are broken down by. The order is kept.
    pub fn whitelist(&mut self, id: &str, name: &str) {
        let id = as_type(id).into_owned();
        // A whitelist has some dozens of types; scanning it keeps the order that was given.
        if !self.whitelist.iter().any(|(known, _)| *known == id) {
            self.whitelist.push((id, name.to_owned()));
        }
    }

    /// Says that what is absent does not exist.
    pub fn covers(&mut self, coverage: FactCoverage) {
        self.coverage.insert(coverage);
    }

    /// Names an input that the base is built from, for `karat kb info`.
    pub fn source(&mut self, name: &str) {
        self.sources.push(name.to_owned());
    }

    /// Writes everything, and opens what was written: the file, or the base in memory.
    pub fn finish(self) -> Result<KnowledgeBase, KbError> {
        self.complete().map(|built| built.base)
    }

    /// The same, with what the inputs disagreed about.
    pub fn complete(mut self) -> Result<Built, KbError> {
        // The order matters: pages become links, links settle the ids of entities, and mentions are
        // ranked by the popularity of entities. Each step reads what the one before it has written.
        self.join_pages()?;
        let links = self.write_links()?;
        self.write_entities(&links)?;
        let entities = self.writer.view()?;
        self.write_mentions(&entities)?;
        drop((links, entities));
        let demonyms = std::mem::replace(&mut self.demonyms, Sorter::new(Scratch::default()));
        write_first(&mut self.writer, Table::Demonyms, demonyms)?;
        let words = std::mem::replace(&mut self.words, Sorter::new(Scratch::default()));
        write_first(&mut self.writer, Table::Words, words)?;
        self.write_whitelist()?;
        self.write_about()?;
        let base = KnowledgeBase::written(self.writer)?;
        Ok(Built { base, conflicts: self.conflicts.all() })
    }

    fn write_links(&mut self) -> Result<Image, KbError> {
        let links = std::mem::replace(&mut self.links, Links::new(Scratch::default()));
        let chosen = links.chosen()?;
        write_first(&mut self.writer, Table::Links, chosen.links)?;
        let written = self.writer.view()?;
        let mut noted: Vec<u8> = Vec::new();
        chosen.doubles.replay(|about, said| {
            // Doubles of one key are neighbours. One real difference is enough to report the key.
            if noted == about {
                return Ok(());
            }
            let (kind, key) = about.split_first().map_or((0, about), |(&kind, key)| (kind, key));
            let kind = match kind {
                TITLE => Disagreement::Title,
                REDIRECT => Disagreement::Redirect,
                _ => return Ok(()),
            };
            // Two ids of one entity are no conflict.
            if let Some((kept, other)) = record(&mut Fields::new(said))
                && resolved(&written, kept) != resolved(&written, other)
            {
                self.conflicts.note(kind, key, Some((kept, other)));
                about.clone_into(&mut noted);
            }
            Ok(())
        })?;
        let mut groups = Groups::new(chosen.joined)?;
        while let Some((item, others)) = groups.next()? {
            let said = others.first().map(|other| (item, *other));
            self.conflicts.note(Disagreement::Items, item, said);
        }
        Ok(written)
    }

    fn write_whitelist(&mut self) -> Result<(), KbError> {
        let mut whitelist = (0u32..).zip(&self.whitelist);
        self.writer.table(Table::Whitelist, |key, value| {
            let Some((order, (id, name))) = whitelist.next() else { return Ok(false) };
            key.extend_from_slice(&order.to_be_bytes());
            put_strings(value, &[id, name]);
            Ok(true)
        })
    }

    fn write_about(&mut self) -> Result<(), KbError> {
        let covered =
            self.coverage.iter().map(|coverage| (coverage.key().to_owned(), "yes".to_owned()));
        let sources = self.sources.iter().enumerate();
        let sources = sources.map(|(at, name)| (format!("source {at:06}"), name.clone()));
        let mut about: Vec<(String, String)> = covered.chain(sources).collect();
        about.push(("karat".to_owned(), env!("CARGO_PKG_VERSION").to_owned()));
        about.sort();
        let mut about = about.into_iter();
        self.writer.table(Table::About, |key, value| {
            let Some((name, text)) = about.next() else { return Ok(false) };
            key.extend_from_slice(name.as_bytes());
            value.extend_from_slice(text.as_bytes());
            Ok(true)
        })
    }

    /// Puts titles in the place of the numbers of pages.
    fn join_pages(&mut self) -> Result<(), KbError> {
        let pages = std::mem::replace(&mut self.pages, Sorter::new(Scratch::default()));
        let mut groups = Groups::new(pages)?;
        while let Some((_, facts)) = groups.next()? {
            let told = |fact: u8| {
                let texts = facts.iter().filter_map(move |said| said.strip_prefix(&[fact][..]));
                texts.filter_map(|text| std::str::from_utf8(text).ok())
            };
            // A redirect or an item of a page that the dump does not name, such as one outside the
            // main namespace.
            let Some(title) = told(IS_CALLED).next() else { continue };
            let written_title = title_in(&self.language, title);
            for target in told(LEADS_TO) {
                self.links.redirect(&written_title, &title_in(&self.language, target))?;
            }
            for id in told(IS_ABOUT) {
                self.links.title(&written_title, &written(id))?;
            }
        }
        Ok(())
    }

    fn write_entities(&mut self, links: &Image) -> Result<(), KbError> {
        let mut sorter = Sorter::new(self.scratch.clone());
        let entities = std::mem::replace(&mut self.entities, Log::new(Scratch::default()));
        entities.replay(|id, facts| sorter.push(resolved(links, id).as_bytes(), facts))?;
        let mut groups = Groups::new(sorter)?;
        let kinds = &self.kinds;
        self.writer.table(Table::Entities, |key, value| {
            let Some((id, records)) = groups.next()? else { return Ok(false) };
            key.extend_from_slice(id);
            // Nearly all entities come from one input, and their record is already in its final
            // form.
            if let ([only], true) = (&records[..], kinds.is_empty()) {
                value.extend_from_slice(only);
                return Ok(true);
            }
            let all = records.iter().filter_map(|record| Facts::decode(record));
            let mut facts = Facts::together(all);
            if facts.kind == EntityKind::Thing {
                facts.kind = kind_by_types(kinds, &facts);
            }
            facts.encode(value);
            Ok(true)
        })
    }

    fn write_mentions(&mut self, written: &Image) -> Result<(), KbError> {
        let mut sorter = Sorter::new(self.scratch.clone());
        let mentions = std::mem::replace(&mut self.mentions, Log::new(Scratch::default()));
        // Texts are written as they are: two spellings of a text are two texts, unlike two
        // spellings of an id.
        mentions.replay(|text, record| sorter.push(text, record))?;
        let mut groups = Groups::new(sorter)?;
        let popularity = |id: &str| {
            let record = written.get(Table::Entities, id.as_bytes());
            let entity = record.and_then(|(_, record)| Entity::decode("", record));
            entity.and_then(|entity| entity.popularity()).unwrap_or(0)
        };
        let follow = |id: &str| resolved(written, id.as_bytes()).to_owned();
        let conflicts = &mut self.conflicts;
        self.writer.table(Table::Mentions, |key, value| {
            let Some((text, records)) = groups.next()? else { return Ok(false) };
            key.extend_from_slice(text);
            // `None` would mean that a record of our own log cannot be decoded.
            if merge(&records, follow, popularity, value) == Some(true) {
                conflicts.note(Disagreement::Weights, text, None);
            }
            Ok(true)
        })
    }
}

fn as_types<'a>(ids: &[&'a str]) -> Vec<Cow<'a, str>> {
    ids.iter().map(|id| as_type(id)).collect()
}

fn kind_by_types(kinds: &HashMap<String, EntityKind>, facts: &Facts<'_>) -> EntityKind {
    let told = || facts.types.iter().flatten().filter_map(|id| kinds.get(*id)).copied();
    // Whatever is both is a quantity, as for ELEVANT.
    told().find(|kind| *kind == EntityKind::Quantity).or(told().next()).unwrap_or_default()
}

fn resolved<'a>(links: &'a Image, id: &'a [u8]) -> &'a str {
    resolve(links, std::str::from_utf8(id).unwrap_or_default())
}

/// The key of a document's words.
pub(crate) fn words_key(benchmark: &str, document: &str) -> Vec<u8> {
    format!("{benchmark}\t{document}").into_bytes()
}

/// Writes a table in which the first record of a key counts.
fn write_first(writer: &mut ImageWriter, table: Table, sorter: Sorter) -> Result<(), KbError> {
    let mut groups = Groups::new(sorter)?;
    writer.table(table, |key, value| {
        let Some((found, records)) = groups.next()? else { return Ok(false) };
        key.extend_from_slice(found);
        value.extend_from_slice(records.first().copied().unwrap_or_default());
        Ok(true)
    })
}
