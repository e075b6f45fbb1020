//! Right links on spans that are not quite those of gold.

use super::Inspection;
use karat_match::{Given, Item, Settings};
use karat_model::{Corpus, Span, TextIndex};

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
        let inspection = Inspection { settings: &settings, ..*self };
        let mut all = Vec::new();
        inspection.each_scene(gold, system, |document, scene| {
            let text = scene.text().map(TextIndex::new);
            let mention = |span: Span| Some(text.as_ref()?.slice(span)?.to_owned());
            let pair = |(gold, system): (&Item, &Item)| PartialSpan {
                document: document.to_owned(),
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
        });
        all
    }
}
