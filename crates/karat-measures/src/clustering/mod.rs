//! Measures of clusterings, all from one contingency table.
