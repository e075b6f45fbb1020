//! The two tasks of TAC KBP: linking the queries given, and finding mentions first.
//!
//! Both rank several answers for one mention and keep the cluster of an unknown
//! entity in its NIL id.

mod discovery;
mod linking;
mod ranked;

pub(super) use discovery::Tac15;
pub(super) use linking::Tac;
