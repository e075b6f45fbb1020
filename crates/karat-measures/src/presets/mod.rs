//! The conventions: one file each, one line here.

use crate::preset::Preset;

pub(crate) mod bat;
pub(crate) mod elevant;
pub(crate) mod elevant_2023;
pub(crate) mod gerbil;
pub(crate) mod karat;
pub(crate) mod mertens_2014;
pub(crate) mod neleval;
pub(crate) mod rosales_2019;
pub(crate) mod rosales_2019_text;

/// All presets.
pub static PRESETS: &[&Preset] = &[
    &karat::KARAT,
    &neleval::NELEVAL,
    &gerbil::GERBIL,
    &bat::BAT,
    &elevant::ELEVANT,
    &elevant_2023::ELEVANT_2023,
    &mertens_2014::MERTENS_2014,
    &rosales_2019::ROSALES_2019,
    &rosales_2019_text::ROSALES_2019_TEXT,
];
