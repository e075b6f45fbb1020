//! Several benchmarks as one.

use super::Compared;
use karat::formats::Input;

impl Compared {
    /// All benchmarks as one, with all outputs of a system as its output; `None` unless this is asked
    /// for and there are several.
    pub(super) fn unified(&self) -> Option<Compared> {
        if !self.unified || self.gold.len() < 2 {
            return None;
        }
        let sources = self.gold.iter().map(|gold| Input::split_name(gold).1);
        let gold = format!("unified={}", sources.collect::<Vec<_>>().join(","));
        let mut systems: Vec<(String, String)> = Vec::new();
        for argument in &self.systems {
            let (given, source) = Input::split_name(argument);
            let part = given.and_then(|given| given.rsplit_once('@'));
            match part.map(|(name, _)| systems.iter_mut().find(|(known, _)| known == name)) {
                Some(Some((_, sources))) => *sources += &format!(",{source}"),
                _ => {
                    let name = part.map_or(given.unwrap_or_default(), |(name, _)| name);
                    systems.push((name.to_owned(), source.to_owned()));
                }
            }
        }
        let argument = |(name, source): (String, String)| match name.is_empty() {
            true => source,
            false => format!("{name}={source}"),
        };
        // What there is to say about the inputs is said where they are read first.
        let mut reading = self.reading.clone();
        reading.quiet = true;
        Some(Compared {
            inputs: Vec::new(),
            gold: vec![gold],
            unified: false,
            systems: systems.into_iter().map(argument).collect(),
            sentences: self.sentences.clone(),
            reading,
        })
    }
}
