//! Identity of entities: when two spellings name the same thing.
//!
//! An [`Identity`] is what stands between the ids of files and the comparison of
//! gold and system. Without one, ids are compared as they are spelled.
//!
//! ```
//! use karat_kb::{Identity, Redirects};
//!
//! let redirects = Redirects::parse("Bob Dylan\tRobert Zimmerman\tDylan\n");
//! let identity = Identity::new().with_wikipedia_titles().with_redirects(redirects);
//! let url = "http://en.wikipedia.org/wiki/Robert_Zimmerman";
//! assert_eq!(identity.canonical(url), "Bob_Dylan");
//! ```

mod identity;
mod redirects;

pub use identity::{Identity, Knowledge};
pub use redirects::Redirects;
