//! Right links on spans that are not quite those of gold.

use super::Inspection;
use karat_match::{Given, Item, Pairing, Scene, Settings};
use karat_model::{Corpus, Span, TextIndex};
use karat_report::{Cell, Column, Table};

/// A gold mention and a prediction that overlap, are not the same span, and share a link.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PartialSpan {
    /// The document.
    pub document: String,
    /// Where gold has it.
    pub gold: Span,
    /// The text there.
    pub gold_mention: Option<String>,
    /// Where the system has it.
    pub prediction: Span,
    /// The text there.
    pub predicted_mention: Option<String>,
    /// What the system links it to.
    pub link: String,
}

impl Inspection<'_> {
    /// All pairs of a gold mention, with its alternatives, and a prediction that overlap without being the
    /// same span, and share a link; also where the system has the very span of gold as well.
    pub fn partial_spans(&self, gold: &Corpus, system: &Corpus) -> Vec<PartialSpan> {
        // Predictions beside the spans of gold are what this is about.
        let settings = Settings { given: Given::Nothing, ..self.settings.clone() };
        let pairing = Pairing::new(gold, system, self.identity);
        let mut scene = Scene::default();
        let mut all = Vec::new();
        for index in 0..pairing.len() {
            pairing.stage(index, &settings, &mut scene);
            let text = scene.text().map(TextIndex::new);
            let mention = |span: Span| Some(text.as_ref()?.slice(span)?.to_owned());
            let pair = |(gold, system): (&Item, &Item)| PartialSpan {
                document: pairing.name(index).to_owned(),
                gold: gold.span,
                gold_mention: mention(gold.span),
                prediction: system.span,
                predicted_mention: mention(system.span),
                link: scene
                    .system
                    .mention(system)
                    .and_then(|mention| mention.entity().map(str::to_owned))
                    .unwrap_or_default(),
            };
            all.extend(scene.partly_right().into_iter().map(pair));
        }
        all
    }
}

/// Pairs one by one: benchmark, system and pair of each are given.
pub fn partial_table(pairs: &[(&str, &str, PartialSpan)], several: bool) -> Table {
    let benchmark = several.then(|| Column::text("benchmark"));
    let columns = [
        Column::text("system"),
        Column::text("document"),
        Column::count("start"),
        Column::count("end"),
        Column::text("mention"),
        Column::count("predicted start"),
        Column::count("predicted end"),
        Column::text("predicted mention"),
        Column::text("link"),
    ];
    let mut table = Table::new(benchmark.into_iter().chain(columns));
    for (benchmark, system, pair) in pairs {
        let named = several.then(|| Cell::from(*benchmark));
        let cells = [
            Cell::from(*system),
            Cell::from(pair.document.as_str()),
            Cell::from(pair.gold.start as usize),
            Cell::from(pair.gold.end as usize),
            Cell::from(pair.gold_mention.clone()),
            Cell::from(pair.prediction.start as usize),
            Cell::from(pair.prediction.end as usize),
            Cell::from(pair.predicted_mention.clone()),
            Cell::from(pair.link.as_str()),
        ];
        table.row(named.into_iter().chain(cells));
    }
    table
}
