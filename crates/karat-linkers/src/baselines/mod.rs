//! Linkers of karat's own: deterministic, offline, one file each.

mod none;

use crate::registry::BuiltIn;

/// All baselines, in the order in which they are listed.
pub(crate) const BASELINES: &[&BuiltIn] = &[&none::NONE];
