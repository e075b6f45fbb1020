//! A dump of Wikidata in JSON: one item per line, all in one array.

mod item;

use super::json_lines::reason;
use crate::error::HarvestError;
use crate::lines::SourceLines;
use crate::source::{KbSource, KbSourceInfo};
use crate::{Options, Taken};
use item::{Item, ItemSeed};
use karat_formats::{Sample, Source};
use karat_kb::{Builder, EntityKind, FactCoverage, Facts};
use serde::de::DeserializeSeed;
use std::collections::{HashMap, HashSet};

/// Real numbers; everything that is an instance of a class below is a quantity for ELEVANT.
const NUMBER: u64 = 12_916;
/// Points in time; likewise.
const POINT_IN_TIME: u64 = 186_408;

/// The source.
#[derive(Debug)]
pub(crate) struct Wikidata;

impl KbSource for Wikidata {
    fn info(&self) -> &KbSourceInfo {
        &KbSourceInfo {
            name: "wikidata",
            title: "a dump of Wikidata",
            about: "in JSON: names, descriptions and aliases in the first language that is given (where it has no name, \
                    that of `mul`), types, kinds, demonyms, titles in the Wikipedias of all that are given, Freebase ids; the \
                    number of sitelinks is the popularity",
            file_name: None,
        }
    }

    fn detect(&self, sample: &Sample<'_>) -> u8 {
        let first = sample.text.trim_start().trim_start_matches('[').trim_start();
        let line = first.lines().next().unwrap_or_default();
        let is_item = line.starts_with('{')
            && (line.contains("\"type\":\"item\"") || line.contains("\"type\":\"property\""))
            // `labels` tells a dump from JSON lines that happen to have a `type`.
            && line.contains("\"labels\":");
        if is_item { 90 } else { 0 }
    }

    fn read(
        &self,
        source: &Source,
        builder: &mut Builder,
        options: &Options,
    ) -> Result<Taken, HarvestError> {
        let mut lines = SourceLines::open(source, options.progress())?;
        let mut classes = Classes::default();
        let mut records = 0;
        let languages = options.languages();
        let wiki = |language: &&str| format!("{}wiki", language.replace('-', "_"));
        let wikis: Vec<String> = languages.iter().map(wiki).collect();
        // A dump has everything there is, so what is absent does not exist.
        builder.covers(FactCoverage::Mentions);
        builder.covers(FactCoverage::Demonyms);
        builder.covers(FactCoverage::Kinds);
        while let Some(line) = lines.next()? {
            let text = line.as_str().trim();
            let json = text.strip_suffix(',').unwrap_or(text);
            if json.is_empty() || json == "[" || json == "]" {
                continue;
            }
            let seed = ItemSeed { language: &options.language, wikis: &wikis };
            let mut parser = serde_json::Deserializer::from_str(json);
            let item = seed.deserialize(&mut parser).and_then(|item| parser.end().map(|()| item));
            let item = item.map_err(|error| {
                let at = line.offset_of(json) + error.column().saturating_sub(1);
                let message = format!("expected an item of Wikidata: {}", reason(&error));
                line.problem(at, 1, message)
                    .hint("a dump has one item per line; get it again if it is damaged")
            })?;
            take(&item, &languages, builder)?;
            classes.note(&item);
            records += 1;
        }
        classes.tell(builder);
        Ok(Taken::of(records))
    }
}

fn take(item: &Item, languages: &[&str], builder: &mut Builder) -> Result<(), HarvestError> {
    let facts = Facts {
        name: item.label.as_deref(),
        description: item.description.as_deref(),
        popularity: Some(item.sitelinks),
        types: Some(texts_of(&item.instance_of)),
        aliases: texts_of(&item.aliases),
        parents: texts_of(&item.subclass_of),
        ..Facts::default()
    };
    builder.entity(&item.id, &facts)?;
    for text in facts.name.iter().chain(&facts.aliases) {
        builder.mention(text, &item.id, None)?;
    }
    for (at, title) in &item.titles {
        if let Some(language) = languages.get(*at) {
            builder.article(language, title, &item.id)?;
        }
    }
    for topic in &item.freebase {
        builder.same(topic, &item.id)?;
    }
    // ELEVANT takes the plural for a demonym too.
    for demonym in &item.demonyms {
        builder.demonym(demonym, true)?;
        builder.demonym(&format!("{demonym}s"), true)?;
    }
    Ok(())
}

fn texts_of(all: &[String]) -> Vec<&str> {
    all.iter().map(String::as_str).collect()
}

/// Which classes are below which: the part of a dump that must be known as a whole.
#[derive(Default)]
struct Classes {
    below: HashMap<u64, Vec<u64>>,
}

impl Classes {
    fn note(&mut self, item: &Item) {
        let Some(class) = number(&item.id) else { return };
        for above in item.subclass_of.iter().filter_map(|id| number(id)) {
            self.below.entry(above).or_default().push(class);
        }
    }

    fn tell(&self, builder: &mut Builder) {
        for (root, kind) in [(NUMBER, EntityKind::Quantity), (POINT_IN_TIME, EntityKind::DateTime)]
        {
            // Subclasses of Wikidata run in circles here and there.
            let mut seen = HashSet::from([root]);
            let mut open = vec![root];
            while let Some(class) = open.pop() {
                builder.kind_of_type(&format!("Q{class}"), kind);
                let below = self.below.get(&class).into_iter().flatten();
                open.extend(below.copied().filter(|class| seen.insert(*class)));
            }
        }
    }
}

fn number(id: &str) -> Option<u64> {
    id.strip_prefix('Q')?.parse().ok()
}
