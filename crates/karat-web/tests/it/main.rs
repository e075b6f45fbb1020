//! The web app in a real browser.
//!
//! A test starts a server on a free port and Debian's Chromium with its driver, and walks through pages as a reader
//! does. Without a browser it says so and passes.

mod browser;
mod frame;
