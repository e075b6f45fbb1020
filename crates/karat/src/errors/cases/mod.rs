//! The cases of a run, one by one: filtered, grouped, sorted and in pages.

mod answer;
mod collected;
mod request;
mod tables;

pub use answer::{
    BesideOutcome, CaseGroup, CasePlace, CasePlaceError, CaseRow, CasesAnswer, FilterChips,
    LabelCount, WithoutCondition,
};
pub use request::{CaseGrouping, CaseOrder, CasesRequest};
