//! Who met whom: gold and system of one document become cases.

pub mod assignment;
