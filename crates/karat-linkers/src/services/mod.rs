//! Linkers that are somebody else's: services over HTTP, described by data, and programs that read and write lines.

mod declaration;
#[cfg(feature = "http")]
mod http;
mod known;
#[cfg(feature = "http")]
mod network;
mod path;
mod program;
#[cfg(feature = "http")]
mod service;
mod template;
mod values;

pub use declaration::{Declaration, DeclarationError};
#[cfg(feature = "http")]
pub use http::{HttpClient, HttpRequest};
pub use known::{KNOWN_SERVICES, KnownService};
#[cfg(feature = "http")]
pub use network::NetworkRules;
pub use program::ProgramLinker;
#[cfg(feature = "http")]
pub use service::ServiceLinker;
