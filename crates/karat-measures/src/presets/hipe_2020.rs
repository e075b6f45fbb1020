//! CLEF-HIPE-2020 (Ehrmann et al., 2020), which counts as `hipe-2022` does.
//!
//! The metonymic columns are part of this edition: `--columns type=NE-COARSE-METO,link=NEL-METO` scores them. Its scorer took stretches of
//! rows with one link for mentions in linking, whatever their types; so do runs without types here, and only they.

use super::hipe_2022::{MEASURES, convention};
use crate::preset::Preset;

/// See the head of this file.
pub static HIPE_2020: Preset = Preset {
    name: "hipe-2020",
    file: include_str!("hipe_2020.rs"),
    convention: || convention(&HIPE_2020),
    measures: MEASURES,
    with_nil_clusters: &[],
};
