//! Gold and systems whose offsets count different things, or count in different texts.

use super::experiment::{Benchmark, Run};
use super::reading::{ReadInput, counted};
use crate::error::Error;
use crate::notices;
use crate::scoring::OtherTexts;
use karat_formats::{Offsets, ReadOutcome, in_code_points};
use karat_model::{Corpus, End, Hint, Notice, OffsetUnit};
use std::sync::Arc;

/// How the offsets of an input count where it has no texts, and what it was read as.
#[derive(Debug, Clone, Default)]
pub(crate) struct Counting {
    pub(super) bare: Option<Offsets>,
    pub(super) formats: String,
}

impl From<&ReadOutcome> for Counting {
    fn from(outcome: &ReadOutcome) -> Counting {
        Counting { bare: outcome.bare, formats: outcome.formats.join(", ") }
    }
}

impl Counting {
    /// What offsets count in documents without text.
    pub(super) fn unit(&self) -> OffsetUnit {
        self.bare.map_or(OffsetUnit::CodePoints, |offsets| offsets.unit)
    }

    /// What ends mean in documents without text.
    pub(super) fn end(&self) -> Option<End> {
        self.bare.map(|offsets| offsets.end)
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

/// A corpus by its name, with how its offsets count.
struct Side<'a> {
    name: &'a str,
    corpus: &'a Corpus,
    counting: &'a Counting,
}

/// Brings the offsets of a run to those of gold, where they have to be translated, and tells what does not
/// fit. Offsets that cannot be compared are refused: a score over them would be no score.
pub(super) fn settle(
    benchmark: &Benchmark,
    run: &mut Run,
    counting: &Counting,
    lenient: bool,
) -> Result<Vec<Notice>, Error> {
    // The benchmarks behind the unified one were settled one by one.
    let Some(of_gold) = &benchmark.counting else { return Ok(Vec::new()) };
    let gold = Side { name: &benchmark.name, corpus: &benchmark.corpus, counting: of_gold };
    let side = Side { name: &run.source, corpus: &run.corpus, counting };
    let (translated, told) = settled(&gold, &side, lenient)?;
    if let Some(corpus) = translated {
        run.corpus = Arc::new(corpus);
    }
    Ok(told.into_iter().map(|notice| notice.about(&run.name)).collect())
}

/// A corpus with the offsets of another, if they have to be translated.
pub(crate) fn in_offsets_of(gold: &ReadInput, input: &ReadInput) -> Result<Option<Corpus>, Error> {
    let (of_gold, of_input) = (Counting::from(&gold.outcome), Counting::from(&input.outcome));
    let gold = Side { name: &gold.source, corpus: &gold.outcome.corpus, counting: &of_gold };
    let side = Side { name: &input.source, corpus: &input.outcome.corpus, counting: &of_input };
    Ok(settled(&gold, &side, false)?.0)
}

/// Tells what does not fit between the offsets of a file and those of gold, and leaves the file as it is.
pub(crate) fn check_offsets(gold: &ReadInput, input: &ReadInput) -> Result<Vec<Notice>, Error> {
    let of_gold = Counting::from(&gold.outcome);
    let of_input = Counting::from(&input.outcome);
    let gold = Side { name: &gold.source, corpus: &gold.outcome.corpus, counting: &of_gold };
    let side = Side { name: &input.source, corpus: &input.outcome.corpus, counting: &of_input };
    let told = settled(&gold, &side, false)?.1;
    // What other texts and places there are is what a validation lists, and nobody has to be sent to one.
    let is_listed = |id: &str| [notices::OTHER_TEXTS.id, notices::OUTSIDE_TEXTS.id].contains(&id);
    let unhinted = |notice: Notice| match is_listed(&notice.id) {
        true => Notice { hint: None, ..notice },
        false => notice,
    };
    Ok(told.into_iter().map(unhinted).collect())
}

/// The corpus of a system with the offsets of gold, if they have to be translated, and what does not fit.
fn settled(
    gold: &Side<'_>,
    system: &Side<'_>,
    lenient: bool,
) -> Result<(Option<Corpus>, Vec<Notice>), Error> {
    let (of_gold, of_system) = (gold.counting.unit(), system.counting.unit());
    let mut texts = OtherTexts::between(gold.corpus, system.corpus);
    if of_system != OffsetUnit::CodePoints {
        // Where these are is seen when they are translated.
        (texts.outside, texts.first_outside) = (0, None);
    }
    let mut told = texts.notices(gold.name, system.name, gold.corpus.len());
    // Tokens and bytes can be translated where gold has the texts; the other way round (below)
    // there is nothing to translate by.
    if of_system != OffsetUnit::CodePoints && has_texts(gold.corpus) {
        let (corpus, mut problems) =
            in_code_points(system.corpus, of_system, gold.corpus, system.name);
        if !problems.is_empty() {
            let first = problems.swap_remove(0);
            if !lenient {
                return Err(first.into());
            }
            let left_out = counted(problems.len() + 1, "mention");
            let message = format!("{left_out} left out; the first: {first}");
            told.push(notices::MENTIONS_LEFT_OUT.notice(message));
        }
        return Ok((Some(corpus), told));
    }
    if of_gold != OffsetUnit::CodePoints && has_texts(system.corpus) {
        let message = format!(
            "the offsets of `{}` count {of_gold}, those of `{}` code points of its texts",
            gold.name, system.name
        );
        let hint = "give the texts with {documents}, with their tokens where offsets count these";
        return Err(Error::refused(&notices::NOT_COMPARABLE, message, Hint::template(hint)));
    }
    // Both without texts and with different units: nothing can prove it wrong, so that it is told
    // and not refused.
    if gold.counting.bare.is_some() && system.counting.bare.is_some() && of_gold != of_system {
        let message = format!(
            "`{}` was read as {} and `{}` as {}",
            gold.name,
            gold.counting.described(),
            system.name,
            system.counting.described()
        );
        let hint = Hint::template("say {from}, or {unit} and {end}, if that is wrong");
        told.push(notices::OTHER_UNITS.notice(message).hint(hint));
    }
    Ok((None, told))
}

fn has_texts(corpus: &Corpus) -> bool {
    corpus.documents().any(|document| document.text().is_some())
}

impl OtherTexts {
    /// Equal offsets in different texts are different places, and some are in no text at all.
    pub(crate) fn notices(&self, gold: &str, system: &str, documents: usize) -> Vec<Notice> {
        let other = self.first.as_ref().map(|(document, at)| {
            notices::OTHER_TEXTS.notice(format!(
                "`{system}` has other texts than `{gold}` in {} of {}, the first from code point {at} of `{document}` on; what stands \
                 there is compared in the wrong places",
                self.documents,
                counted(documents, "document"),
            ))
        });
        let outside = self.first_outside.as_ref().map(|(document, span)| {
            notices::OUTSIDE_TEXTS.notice(format!(
                "`{system}` has {} outside the texts of `{gold}`, the first at {span} of `{document}`",
                counted(self.outside, "mention"),
            ))
        });
        let told = other.into_iter().chain(outside);
        told.map(|notice| {
            notice
                .about(system)
                .hint(Hint::template("`karat validate SYSTEM {gold=GOLD}` lists them"))
        })
        .collect()
    }
}
