//! How mentions and texts come together where a file does not give both side by
//! side: mentions without offsets ([`align`]) or of several parts ([`fragments`]),
//! mentions that are not where the file says ([`moved`], [`repair`]), texts that come in pieces around each mention ([`in_context`]), as files of their
//! own ([`text_folder`]) or from the user ([`given_documents`]).

pub(crate) mod align;
pub(crate) mod fragments;
pub(crate) mod given_documents;
pub(crate) mod in_context;
pub(crate) mod moved;
pub(crate) mod repair;
pub(crate) mod text_folder;
pub(crate) mod trees;
