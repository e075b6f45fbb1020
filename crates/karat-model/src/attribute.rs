//! The names of the attributes that formats share.
//!
//! A document or annotation may carry any key; readers use these names for what
//! they mean so that a converted file keeps its meaning.

/// Language of a document, as a BCP 47 tag.
pub const LANGUAGE: &str = "language";
/// Topic or domain of a document.
pub const TOPIC: &str = "topic";
/// Title of a document.
pub const TITLE: &str = "title";
/// Where a document came from.
pub const URL: &str = "url";
/// Human-readable name of the linked entity.
pub const NAME: &str = "name";
/// A free remark of an annotator.
pub const COMMENT: &str = "comment";
/// The tags and types that were derived and not given by a person, joined by `, `.
pub const DERIVED: &str = "derived";
/// Which component found a mention.
pub const RECOGNIZED_BY: &str = "recognized_by";
/// Which component linked a mention.
pub const LINKED_BY: &str = "linked_by";
/// Why a mention is NIL, where a file says.
pub const NIL_REASON: &str = "nil_reason";
/// The reason for NIL that a mention has an entity, which has no id in the knowledge base.
pub const NO_MAPPING: &str = "no mapping";
/// The places of the candidates of a mention that are NIL for that reason, joined by blanks.
pub const NO_MAPPING_CANDIDATES: &str = "no_mapping_candidates";
/// The text of a mention, kept only in documents without text.
pub const SURFACE: &str = "surface";
/// The identifier of the parent of an annotation, where a file names one that is not there. Such an
/// annotation is a part of itself: it has no root.
pub const MISSING_PARENT: &str = "missing_parent";
/// The identifier a file gave an annotation.
pub const ID: &str = "id";
