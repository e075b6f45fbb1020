//! Gold and systems whose offsets count different things, or count in different texts.

use crate::failure::Failure;
use crate::show::{self, counted};
use karat::formats::{Offsets, Outcome, in_code_points};
use karat::model::{Corpus, End, OffsetUnit};
use karat::scoring::OtherTexts;

/// How the offsets of an input count where it has no texts, and what it was read as.
#[derive(Debug, Clone)]
pub(crate) struct Counting {
    bare: Option<Offsets>,
    formats: String,
}

impl From<&Outcome> for Counting {
    fn from(outcome: &Outcome) -> Counting {
        Counting { bare: outcome.bare, formats: outcome.formats.join(", ") }
    }
}

impl Counting {
    /// What offsets count in documents without text.
    fn unit(&self) -> OffsetUnit {
        self.bare.map_or(OffsetUnit::CodePoints, |offsets| offsets.unit)
    }

    fn described(&self) -> String {
        let end = match self.bare.map(|offsets| offsets.end) {
            Some(End::Inclusive) => ", end inclusive",
            Some(End::Exclusive) => ", end exclusive",
            None => "",
        };
        format!("{} ({}{end})", self.formats, self.unit())
    }
}

/// An input by its name.
pub(crate) struct Side<'a> {
    pub(crate) name: &'a str,
    pub(crate) corpus: &'a Corpus,
    pub(crate) counting: &'a Counting,
}

impl Side<'_> {
    fn has_texts(&self) -> bool {
        self.corpus.documents().any(|document| document.text().is_some())
    }
}

/// The corpus of a system with the offsets of the gold standard, if they have to be translated.
/// Offsets that cannot be compared are refused: a score over them would be no score. Texts that differ
/// are said.
pub(crate) fn settled(
    gold: &Side<'_>,
    system: &Side<'_>,
    lenient: bool,
) -> Result<Option<Corpus>, Failure> {
    let (of_gold, of_system) = (gold.counting.unit(), system.counting.unit());
    let mut texts = OtherTexts::between(gold.corpus, system.corpus);
    if of_system != OffsetUnit::CodePoints {
        // Where these are is seen when they are translated.
        (texts.outside, texts.first_outside) = (0, None);
    }
    say_where_texts_differ(gold.name, system.name, gold.corpus.len(), &texts);
    if of_system != OffsetUnit::CodePoints && gold.has_texts() {
        let (corpus, mut problems) =
            in_code_points(system.corpus, of_system, gold.corpus, system.name);
        if problems.is_empty() {
            return Ok(Some(corpus));
        }
        let first = problems.swap_remove(0);
        if !lenient {
            return Err(first.into());
        }
        let left_out = counted(problems.len() + 1, "mention");
        show::warning(&format!("{left_out} left out; the first: {first}"));
        return Ok(Some(corpus));
    }
    if of_gold != OffsetUnit::CodePoints && system.has_texts() {
        let message = format!(
            "the offsets of `{}` count {of_gold}, those of `{}` code points of its texts",
            gold.name, system.name
        );
        return Err(Failure::usage(
            message,
            "give the texts with --documents, with their tokens where offsets count these",
        ));
    }
    if gold.counting.bare.is_some() && system.counting.bare.is_some() && of_gold != of_system {
        show::warning(&format!(
            "`{}` was read as {} and `{}` as {}; say --from, or --unit and --end, if that is wrong",
            gold.name,
            gold.counting.described(),
            system.name,
            system.counting.described()
        ));
    }
    Ok(None)
}

/// Equal offsets in different texts are different places, and some are in no text at all.
pub(crate) fn say_where_texts_differ(
    gold: &str,
    system: &str,
    documents: usize,
    texts: &OtherTexts,
) {
    const LISTED: &str = "`karat validate SYSTEM --gold GOLD` lists them";
    if let Some((document, at)) = &texts.first {
        show::warning_with(
            &format!(
                "`{system}` has other texts than `{gold}` in {} of {}, the first from code point {at} of `{document}` on; what stands \
                 there is compared in the wrong places",
                texts.documents,
                counted(documents, "document"),
            ),
            LISTED,
        );
    }
    if let Some((document, span)) = &texts.first_outside {
        show::warning_with(
            &format!(
                "`{system}` has {} outside the texts of `{gold}`, the first at {span} of `{document}`",
                counted(texts.outside, "mention"),
            ),
            LISTED,
        );
    }
}
