//! Labels of cases.
