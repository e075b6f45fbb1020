//! The web app of karat.
//!
//! A page is a printed result that can be asked: it names a request of the facade, renders the answer, and computes
//! nothing. Three laws hold for all of them. *The address is the state*: whatever a reader sees is restored by its
//! URL. *HTML first*: the server writes finished pages, links and forms work without scripts, and scripts only
//! add speed. *Missing is missing*: a cell without a value says why, and is never 0.
//!
//! | module | what it is for |
//! | --- | --- |
//! | [`page`] | what a page is, and the list of all |
//! | [`action`] | what forms change, and the list of all |
//! | [`address`] | addresses of pages, and how they become links |
//! | [`workbench`] | answers about benchmarks and runs, kept in memory |
//! | [`library`] | where benchmarks and runs come from: files, or a store |
//! | [`catalogue`] | what there is, by the names that addresses use |
//! | [`workspace`] | the store of a server |
//! | [`components`] | what pages are made of |
//! | [`access`] | who asks, and what they may do |
//! | [`accounts`] | logging in, invitations, tokens, people, the audit |
//! | `api` | everything that pages do, for programs |
//! | `judging` | the pages of those who judge in a campaign |
//! | [`frozen`] | links that name content by its digest |
//! | [`server`] | pages over HTTP |
//! | [`serving`] | a server from what it shows to its end |
//! | [`report`] | the same pages without a server: one file, or a folder |
//!
//! A new page is one file in `pages` and one line in [`page::PAGES`].

pub mod access;
pub mod accounts;
pub mod action;
mod actions;
pub mod address;
mod answers;
mod api;
pub mod assets;
pub mod campaigns;
pub mod catalogue;
mod commands;
pub mod components;
pub mod engine;
pub mod frozen;
mod judging;
pub mod library;
pub mod loading;
pub mod page;
mod pages;
pub mod refusal;
pub mod report;
pub mod security;
pub mod server;
pub mod serving;
pub mod workbench;
pub mod workspace;
