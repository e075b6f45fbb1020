//! The web app of karat.
//!
//! A page is a printed result that can be asked: it names a request of the facade, renders the answer, and computes
//! nothing. The server writes finished HTML; scripts only add speed.

pub mod components;
