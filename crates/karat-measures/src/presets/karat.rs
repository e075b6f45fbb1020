//! Our own convention: what a careful reader of a results table would assume.
//!
//! Spans are exact after trimming white space. A gold mention is found through itself or through
//! all parts of one of its alternatives. Optional gold, descriptions, quantities and dates count
//! neither for nor against, whether they are found or not; a wrong link on one is wrong as
//! anywhere else. Gold and predictions are assigned one to one, as well as possible, so no order of
//! the input changes a score; a second, equal prediction is extra. Links, NIL and errors are
//! counted in the same assignment: `link` and `nil` add up to `all`. What would divide by nothing
//! is undefined, shown as a dash, and left out of averages. No threshold is chosen on the data that
//! is scored. Headline numbers come with intervals. Where gold has clusters of NIL, `nil-clusters`
//! is reported as well; where several systems find different mentions, `disambiguation` is reported
//! on those that all found, too.

use crate::membership::Membership;
use crate::preset::{Convention, Grouping, Preset, Sides, SpellingRule};
use crate::score::Zero;
use crate::threshold::Search;
use karat_facets::taxonomy;
use karat_kb::{Knowledge, Naming, Titles};
use karat_match::Settings;

/// See the head of this file.
pub static KARAT: Preset = Preset {
    name: "karat",
    file: include_str!("karat.rs"),
    convention: || Convention {
        preset: &KARAT,
        settings: Settings::default(),
        zero: Zero::Undefined,
        naming: Naming::AsWritten,
        spellings: SpellingRule::Adapt,
        titles: Titles::EverySpelling,
        knowledge: Knowledge::Everything,
        grouping: Grouping::Cases,
        oracle: false,
        over_benchmarks: false,
        search: Search::default(),
        intervals: true,
        sides: Sides::Two,
        all_is_a_group: false,
        taxonomy: &taxonomy::KARAT,
        membership: Membership::default(),
    },
    measures: &["mention", "link", "link@macro", "nil", "all", "tag", "disambiguation"],
    with_nil_clusters: &["nil-clusters"],
};
