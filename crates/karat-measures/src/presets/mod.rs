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
mod biomedical;
mod elevant;
mod elevant_2023;
pub(crate) mod gerbil;
mod hipe_2020;
mod hipe_2022;
mod karat;
mod mertens_2014;
mod neleval;
mod rosales_2019;
mod rosales_2019_text;
mod zelda;

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
    hipe_2022::HIPE_2022,
    hipe_2020::HIPE_2020,
    biomedical::BIOMEDICAL,
    zelda::ZELDA,
    rosales_2019::ROSALES_2019,
    rosales_2019_text::ROSALES_2019_TEXT,
];
