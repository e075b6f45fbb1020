//! Right first answers.
//!
//! What it is: of the linked gold mentions whose span was predicted, the share whose first answer is
//! right.
//! Formula: accuracy = mentions whose gold entity has rank 1 / linked gold mentions found; with
//! `over=all`, / all linked gold mentions.
//! Example: gold [0,5) Q64 and [10,15) Q90, predicted [0,5) Q64 and [10,15) Q84 before Q90: 1 of 2.
//! Source: precision@1.0 of Hoffart et al. (2011), which cne and others call MAP@1; averaged over
//! documents it is their macro accuracy.
//! Pitfalls: Hoffart et al. give the mentions and leave out NIL; `over=all` is the same number then, and
//! only then.

use crate::measure::Definition;
use crate::ranks::{Credit, OVER, mean_credit};

/// See the head of this file.
pub(super) static ACCURACY: Definition = Definition {
    name: "accuracy",
    aliases: &["map-at-1", "precision-at-1"],
    groups: &["ranks"],
    file: include_str!("accuracy.rs"),
    parameters: &[&OVER],
    compute: |context| mean_credit("accuracy", context, Credit::Within(1)),
};
