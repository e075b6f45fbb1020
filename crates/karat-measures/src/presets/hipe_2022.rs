//! HIPE-2022, named entities in historical documents (Ehrmann et al., 2022), as its official scorer counts.
//!
//! Linking is `all`, because NIL is an answer like another: `all` is the strict regime and `all(match=overlap)` the fuzzy one.
//! Names are `typed-mention` and `typed-mention(match=overlap)`. With `@macro` they are the means over documents: precision
//! over those with predictions, recall over those with gold, F1 over those with both.
//!
//! | HIPE | karat |
//! | --- | --- |
//! | NEL-LIT, micro, strict | `all` |
//! | NEL-LIT, micro, fuzzy | `all(match=overlap)` |
//! | NEL at 3 or 5 | `--set candidates=3` or `5`, of the ranking `Q64\|Q142\|NIL` |
//! | NE-COARSE-LIT, strict and fuzzy | `typed-mention`, `typed-mention(match=overlap)` |
//! | NE-FINE-LIT, NE-NESTED | the same with `--columns type=NE-FINE-LIT` or `NE-NESTED` |
//! | NE-COARSE-METO, NEL-METO | the same with `--columns type=NE-COARSE-METO,link=NEL-METO` |
//!
//! Rows of a run are those of gold, whatever it says of documents, spacing and headers. The official scorer compares the words of a
//! mention too: a run that writes a token in another way than gold does has a mention there that is wrong
//! in the strict regime (`words=same`). Mentions with a type and no link are left out of linking. Types that gold does not have
//! count as wrong here and are left out by the official scorer. Where a mention overlaps two of gold, the official fuzzy regime takes the
//! first, and karat pairs as many as it can: a few more are right (530 and not 525 of 1,147 in the run that differs most).

use crate::preset::{Convention, Preset, SpellingRule};
use crate::score::Zero;
use karat_match::Settings;

/// See the head of this file.
pub static HIPE_2022: Preset = Preset {
    name: "hipe-2022",
    file: include_str!("hipe_2022.rs"),
    convention: || convention(&HIPE_2022),
    measures: MEASURES,
    with_nil_clusters: &[],
};

/// What both editions report.
pub(super) const MEASURES: &[&str] = &[
    "all",
    "all(match=overlap)",
    "all@macro",
    "all(match=overlap)@macro",
    "typed-mention",
    "typed-mention(match=overlap)",
    "typed-mention@macro",
    "typed-mention(match=overlap)@macro",
];

/// What both editions have in common.
pub(super) fn convention(preset: &'static Preset) -> Convention {
    Convention {
        preset,
        settings: Settings {
            honour_optional: false,
            honour_alternatives: false,
            trim: false,
            answers_only: true,
            same_words: true,
            ..Settings::default()
        },
        zero: Zero::Hipe,
        spellings: SpellingRule::AsWritten,
        ..Convention::default()
    }
}
