//! What pages are made of, one file each.

pub mod apparatus;
pub mod cases;
pub mod chips;
pub mod cite;
pub mod context;
pub mod documents;
pub mod empty;
pub mod frame;
pub mod name;
pub mod notices;
pub mod number;
pub mod plot;
pub mod results;
pub mod statistics;
pub mod suspicion;
pub mod table;
pub mod tabs;
pub mod text;
pub mod time;
pub mod wording;
