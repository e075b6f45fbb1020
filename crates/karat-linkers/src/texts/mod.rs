//! Texts on their way to a linker and back: edited, cut into parts, and offsets in the units of the linker.

mod edited;
mod parts;
mod placing;
mod units;

pub(crate) use edited::EditedText;
pub(crate) use parts::{Cutting, halves, measure};
pub(crate) use placing::{PlacedMention, place};
pub(crate) use units::UnitIndex;
