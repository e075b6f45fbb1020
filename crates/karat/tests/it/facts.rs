//! The facts folder.
use karat::matching::{Facts, Literal};
use std::collections::HashMap;
use std::path::Path;

#[derive(Debug)]
pub(crate) struct Folder {
    entities: HashMap<String, (String, Option<Vec<String>>, String, String)>,
    popular: HashMap<String, Vec<String>>,
    demonyms: HashMap<String, bool>,
    words: HashMap<(String, usize), (u64, u64)>,
}

impl Folder {
    pub(crate) fn read(folder: &Path) -> Folder {
        let rows = |name: &str| -> Vec<Vec<String>> {
            let text = std::fs::read_to_string(folder.join(name)).unwrap();
            text.lines().map(|l| l.split('\t').map(str::to_owned).collect()).collect()
        };
        let list = |text: &str| {
            text.split(['|', ',']).filter(|t| !t.is_empty()).map(str::to_owned).collect::<Vec<_>>()
        };
        Folder {
            entities: rows("entities.tsv")
                .into_iter()
                .map(|r| {
                    let types = if r[2].is_empty() {
                        None
                    } else {
                        Some(list(&r[2]).into_iter().filter(|t| t != "OTHER").collect())
                    };
                    (r[0].clone(), (r[1].clone(), types, r[3].clone(), r[4].clone()))
                })
                .collect(),
            popular: rows("popular.tsv")
                .into_iter()
                .map(|r| {
                    let text: String = serde_json::from_str(&r[0]).unwrap();
                    (text, list(r.get(2).map_or("", String::as_str)))
                })
                .collect(),
            demonyms: rows("demonyms.tsv")
                .into_iter()
                .map(|r| (r[0].clone(), r[1] == "1"))
                .collect(),
            words: rows("word_counts.tsv")
                .into_iter()
                .map(|r| {
                    (
                        (r[0].clone(), r[1].parse().unwrap()),
                        (r[2].parse().unwrap(), r[3].parse().unwrap()),
                    )
                })
                .collect(),
        }
    }
}

impl Facts for Folder {
    fn literal(&self, entity: &str) -> Option<Option<Literal>> {
        let entity = self.entities.get(entity)?;
        match entity.2.as_str() {
            "QUANTITY" => Some(Some(Literal::Quantity)),
            "DATETIME" => Some(Some(Literal::Datetime)),
            _ => entity.1.as_ref().map(|_| None),
        }
    }
    fn name(&self, entity: &str) -> Option<&str> {
        Some(self.entities.get(entity)?.0.as_str()).filter(|n| !n.is_empty())
    }
    fn types(&self, entity: &str) -> Option<Vec<&str>> {
        Some(self.entities.get(entity)?.1.as_ref()?.iter().map(String::as_str).collect())
    }
    fn is_location(&self, entity: &str) -> Option<bool> {
        match entity {
            "?" => return Some(false),
            "?LOC" => return Some(true),
            _ => {}
        }
        let entity = self.entities.get(entity)?;
        match (&entity.1, entity.3.as_str()) {
            (Some(types), _) => Some(types.iter().any(|t| t == "Q27096213")),
            (None, "1") => Some(true),
            (None, "0") => Some(false),
            _ => None,
        }
    }
    fn most_popular(&self, text: &str) -> Option<Vec<&str>> {
        Some(self.popular.get(text)?.iter().map(String::as_str).collect())
    }
    fn is_demonym(&self, text: &str) -> Option<bool> {
        self.demonyms.get(text).copied()
    }
    fn words(&self, benchmark: &str, document: usize) -> Option<(u64, u64)> {
        self.words.get(&(benchmark.to_owned(), document)).copied()
    }
}
