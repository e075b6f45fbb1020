//! One file per check.

mod alternatives;
mod antecedent;
mod coverage;
pub(crate) mod crossing;
mod descriptive;
mod duplicate;
mod link_shape;
mod link_target;
mod overlap_tag;
mod pro_form;
mod tag_agreement;
mod tag_name;
mod tag_shape;
mod white_space;
mod word_boundary;

pub use alternatives::rootless;
pub use overlap_tag::follow_spans;

use crate::check::Check;

/// All checks, in the order in which they run and are listed.
pub const CHECKS: &[&dyn Check] = &[
    &coverage::Coverage,
    &alternatives::Alternatives,
    &duplicate::Duplicate,
    &white_space::WhiteSpace,
    &word_boundary::WordBoundary,
    &crossing::Crossing,
    &link_shape::LinkShape,
    &link_target::LinkTarget,
    &tag_name::TagName,
    &tag_shape::TagShape,
    &overlap_tag::OverlapTag,
    &pro_form::ProForm,
    &descriptive::Descriptive,
    &tag_agreement::TagAgreement,
    &antecedent::Antecedent,
];
