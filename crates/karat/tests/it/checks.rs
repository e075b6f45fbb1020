//! The checks on the published files: exactly the findings their authors' data has.

use crate::{data, shared_data};
use karat::checks::{CHECKS, CheckReport};
use std::collections::BTreeMap;

fn counts(file: &str) -> Option<BTreeMap<&'static str, usize>> {
    let folder = data::folder("finegrained")?;
    let corpus = shared_data::read(&folder.join(file)).corpus;
    Some(CheckReport::of(&corpus, None, CHECKS).counts())
}

/// `finegrained.md` 5.7 and section 3: five mentions whose overlap tag differs
/// from the spans, and one descriptive reference that is not a common form.
#[test]
fn voxel_has_five_overlap_tags_that_differ() {
    let Some(counts) = counts("gold/categorizedVoxEL.ttl") else { return };
    assert_eq!(counts, BTreeMap::from([("descriptive", 1), ("overlap-tag", 5)]));
}

/// `finegrained.md` 5.7: six mentions that cross, three annotations with two base forms.
#[test]
fn ace_has_six_crossing_mentions_and_three_tag_sets_out_of_shape() {
    let Some(counts) = counts("gold/categorizedACE04.ttl") else { return };
    assert_eq!(counts, BTreeMap::from([("crossing", 6), ("tag-shape", 3)]));
}

/// `finegrained.md`, end of section 3: rules without a violation in any of the three, and the
/// one that has one.
#[test]
fn the_rules_of_consistency_hold_as_published() {
    let Some(folder) = data::folder("finegrained") else { return };
    let mut all: BTreeMap<&str, usize> = BTreeMap::new();
    for name in ["ACE04", "KORE50", "VoxEL"] {
        let path = folder.join(format!("gold/categorized{name}.ttl"));
        let corpus = shared_data::read(&path).corpus;
        for (check, count) in CheckReport::of(&corpus, None, CHECKS).counts() {
            *all.entry(check).or_default() += count;
        }
    }
    let counts = ["pro-form", "descriptive", "white-space", "word-boundary", "tag-agreement"]
        .map(|check| all.get(check).copied().unwrap_or_default());
    assert_eq!(counts, [0, 1, 0, 0, 0]);
    let counts = ["overlap-tag", "crossing", "tag-shape", "tag-name"]
        .map(|check| all.get(check).copied().unwrap_or_default());
    assert_eq!(counts, [5, 6, 3, 0]);
}

#[test]
fn kore50_is_clean() {
    let Some(counts) = counts("gold/categorizedKORE50.ttl") else { return };
    assert_eq!(counts, BTreeMap::new());
}

/// Quirk 6 of `finegrained.md` 1.4: seven links with U+FFFD and two with a literal `\u`.
#[test]
fn the_damage_of_aida_is_found() {
    let Some(folder) = data::folder("finegrained") else { return };
    let damaged = ["ACE", "KORE50", "VoxEL"].map(|dataset| {
        let path = folder.join(format!("systems/AIDA_{dataset}.ttl"));
        let corpus = shared_data::read(&path).corpus;
        let counts = CheckReport::of(&corpus, None, CHECKS).counts();
        counts.get("link-shape").copied().unwrap_or_default()
    });
    assert_eq!(damaged.iter().sum::<usize>(), 9);
}

#[test]
fn fixing_leaves_nothing_to_fix() {
    let Some(folder) = data::folder("finegrained") else { return };
    let corpus = shared_data::read(&folder.join("gold/categorizedVoxEL.ttl")).corpus;
    let fixed = CheckReport::of(&corpus, None, CHECKS).fixed(&corpus);
    assert_eq!(CheckReport::of(&fixed, None, CHECKS).fixable(), 0);
    assert_eq!(fixed.annotations().len(), corpus.annotations().len());
}
