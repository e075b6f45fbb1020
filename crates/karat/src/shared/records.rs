//! The files of a shared evaluation that people write.

use crate::inputs::FileDescription;
use serde::{Deserialize, Serialize};

/// `evaluation.toml`: what is shown.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct EvaluationFile {
    /// What it is called.
    pub title: String,
    /// What it is about, in a sentence or two.
    #[serde(default)]
    pub about: Option<String>,
    /// The conventions of the boards, the first of which is that of everything else: `karat`, `neleval`,
    /// `karat;match=overlap`.
    #[serde(default = "usual_conventions")]
    pub conventions: Vec<String>,
    /// The measures of the boards, the first of which is that of everything else.
    #[serde(default = "usual_measures")]
    pub measures: Vec<String>,
    /// Which systems are compared with each other; every two of up to ten if nothing is said.
    #[serde(default)]
    pub compare: Vec<Vec<String>>,
    /// Which documents are shown: `errors`, `all` or a number.
    #[serde(default = "usual_documents")]
    pub documents: String,
    /// On which gold scores are shown, where a benchmark has corrections: on gold as it is, with all of them, or on both.
    #[serde(default = "all_editions")]
    pub editions: Vec<SharedEdition>,
}

/// Gold of a benchmark that has corrections.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum SharedEdition {
    /// Gold as it is.
    #[serde(rename = "gold")]
    Gold,
    /// Gold with its corrections.
    #[serde(rename = "gold + patches")]
    Patched,
}

fn all_editions() -> Vec<SharedEdition> {
    vec![SharedEdition::Gold, SharedEdition::Patched]
}

fn usual_conventions() -> Vec<String> {
    vec!["karat".to_owned()]
}

fn usual_measures() -> Vec<String> {
    vec!["link".to_owned()]
}

fn usual_documents() -> String {
    "errors".to_owned()
}

/// `benchmark.toml`: a benchmark and its editions.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct BenchmarkFile {
    /// What it is called.
    pub title: String,
    /// What it is about.
    #[serde(default)]
    pub about: Option<String>,
    /// Its licence.
    #[serde(default)]
    pub licence: Option<String>,
    /// Where to get it.
    #[serde(default)]
    pub source: Option<String>,
    /// Whether the licence allows to publish the texts. Nothing is published where nothing is said.
    #[serde(default)]
    pub texts: bool,
    /// Its editions, the oldest first. Outputs that name none are for the last.
    #[serde(rename = "edition")]
    pub editions: Vec<EditionFile>,
}

/// An edition of a benchmark: one gold standard.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct EditionFile {
    /// What it is called, such as `1` or `2026`.
    pub name: String,
    /// Its file: in the folder of the benchmark, or, if it is not here, in the folder that `$KARAT_DATA` names.
    pub file: String,
    /// The digest of the file (SHA-256), in hexadecimal digits.
    pub sha256: String,
    /// Whether the file is here. One that may not be passed on is not, and whoever has it says where by `$KARAT_DATA`.
    #[serde(default = "yes")]
    pub here: bool,
    /// When it was made: `2026-11-18`.
    #[serde(default)]
    pub date: Option<String>,
    /// What is new.
    #[serde(default)]
    pub note: Option<String>,
    /// What describes the file, where its content does not say it: `unit = "bytes"`.
    #[serde(default)]
    pub reading: FileDescription,
}

fn yes() -> bool {
    true
}

/// `system.toml`: a system.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct SystemFile {
    /// What it is called.
    pub title: String,
    /// What it is.
    #[serde(default)]
    pub about: Option<String>,
    /// The paper that describes it.
    #[serde(default)]
    pub paper: Option<String>,
    /// Where its code is.
    #[serde(default)]
    pub code: Option<String>,
    /// Its licence.
    #[serde(default)]
    pub licence: Option<String>,
}

/// The file beside an output: how it came about.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct RunFile {
    /// When it was made: `2026-11-18`. The feed is in this order.
    pub date: String,
    /// How long linking took, in seconds.
    #[serde(default)]
    pub seconds: Option<f64>,
    /// On which machine.
    #[serde(default)]
    pub machine: Option<String>,
    /// What it cost.
    #[serde(default)]
    pub cost: Option<String>,
    /// What else is to be known.
    #[serde(default)]
    pub note: Option<String>,
    /// Where the recorded answers of a service are, of which the output was made.
    #[serde(default)]
    pub answers: Option<String>,
    /// What describes the output, where its content does not say it: `unit = "utf16"`.
    #[serde(default)]
    pub reading: FileDescription,
}
