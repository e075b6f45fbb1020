//! The weights of categories in the built-in membership functions.

use crate::membership::TagWeight;
use karat_model::DimensionCategory;

/// Names, nouns, direct reference and these overlaps are what everybody annotates.
pub(crate) fn strict(overlaps: &[&str]) -> Vec<TagWeight> {
    const STRICT: [&str; 7] = [
        "Mnt-Full",
        "Mnt-Short",
        "Mnt-Extended",
        "Mnt-Alias",
        "PoS-NounSingular",
        "PoS-NounPlural",
        "Ref-Direct",
    ];
    let is_strict = |name: &str| STRICT.contains(&name) || overlaps.contains(&name);
    let weight = |name| if is_strict(name) { TagWeight::Is(1.0) } else { TagWeight::Alpha };
    DimensionCategory::ALL.into_iter().map(|category| weight(category.el())).collect()
}

/// What was answered in the authors' questionnaire about mentions of each category, on average. It
/// did not ask about all of them.
pub(crate) fn questionnaire() -> Vec<TagWeight> {
    of_table(&[
        ("Mnt-Full", 0.5536),
        ("Mnt-Short", 0.6678),
        ("Mnt-Alias", 0.7767),
        ("Mnt-NumericTemporal", 0.28),
        ("Mnt-CommonForm", 0.1541),
        ("Mnt-ProForm", 0.475),
        ("PoS-NounSingular", 0.5037),
        ("PoS-NounPlural", 0.3327),
        ("PoS-Adjective", 0.2544),
        ("PoS-Verb", 0.0614),
        ("Olp-None", 0.3478),
        ("Olp-Maximal", 0.6798),
        ("Olp-Minimal", 0.2709),
        ("Ref-Direct", 0.3702),
        ("Ref-Anaphoric", 0.4833),
        ("Ref-Metaphoric", 0.125),
        ("Ref-Metonymic", 0.7778),
        ("Ref-Related", 0.7778),
        ("Ref-Descriptive", 0.7778),
    ])
}

/// The recall of the six systems of the paper on each category, on average, as the authors' script
/// has it. It is of an earlier run: some of it is not that of Table 3.
pub(crate) fn systems() -> Vec<TagWeight> {
    of_table(&[
        ("Mnt-Full", 0.545),
        ("Mnt-Short", 0.361),
        ("Mnt-Extended", 0.542),
        ("Mnt-Alias", 0.293),
        ("Mnt-NumericTemporal", 0.047),
        ("Mnt-CommonForm", 0.121),
        ("Mnt-ProForm", 0.0),
        ("PoS-NounSingular", 0.273),
        ("PoS-NounPlural", 0.14),
        ("PoS-Adjective", 0.132),
        ("PoS-Verb", 0.038),
        ("PoS-Adverb", 0.069),
        ("Olp-None", 0.217),
        ("Olp-Maximal", 0.278),
        ("Olp-Intermediate", 0.228),
        ("Olp-Minimal", 0.148),
        ("Ref-Direct", 0.231),
        ("Ref-Anaphoric", 0.02),
        ("Ref-Metaphoric", 0.119),
        ("Ref-Metonymic", 0.0),
        ("Ref-Related", 0.105),
        ("Ref-Descriptive", 0.152),
    ])
}

fn of_table(table: &[(&str, f64)]) -> Vec<TagWeight> {
    let weight = |category: DimensionCategory| {
        let known = table.iter().find(|(name, _)| *name == category.el());
        // A tag that the table does not have says nothing: it leaves the weight of a mention as it is.
        known.map_or(TagWeight::Silent, |&(_, weight)| TagWeight::Is(weight))
    };
    DimensionCategory::ALL.into_iter().map(weight).collect()
}
