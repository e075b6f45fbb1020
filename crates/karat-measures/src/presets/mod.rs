//! The presets: one file each, and one line in the list below.
//!
//! Each is a static, so that code which means one names it and nothing looks for a name:
//!
//! ```
//! use karat_measures::presets::GERBIL;
//!
//! let convention = (GERBIL.convention)();
//! assert!(convention.oracle);
//! ```

use crate::preset::Preset;

mod bat;
mod elevant;
mod elevant_2023;
pub(crate) mod gerbil;
mod karat;
mod mertens_2014;
mod neleval;
mod rosales_2019;
mod rosales_2019_text;

/// Publishes each preset and lists them all.
macro_rules! presets {
    ($($file:ident::$name:ident,)*) => {
        $(pub use $file::$name;)*

        /// All presets, in the order in which they are shown.
        pub static PRESETS: &[&Preset] = &[$(&$name),*];
    };
}

presets![
    karat::KARAT,
    neleval::NELEVAL,
    gerbil::GERBIL,
    bat::BAT,
    elevant::ELEVANT,
    elevant_2023::ELEVANT_2023,
    mertens_2014::MERTENS_2014,
    rosales_2019::ROSALES_2019,
    rosales_2019_text::ROSALES_2019_TEXT,
];
