//! The style sheet and the scripts.
//!
//! Both are parts of the binary and are served under the digest of their content, so that a browser may keep them
//! for ever. Styles and scripts are written in one file for each component; here they become one sheet and one
//! script. The scripts are ES modules for the tools that check them, and are joined into a classic script, because
//! modules do not load from `file:` and a report must carry its script inside.

use base64::Engine;
use base64::prelude::BASE64_STANDARD;
use sha2::{Digest, Sha256};
use std::sync::LazyLock;

/// The parts of the style sheet: the tokens first, then one file for each component.
static STYLES: &[&str] = &[
    include_str!("../assets/styles/tokens.css"),
    include_str!("../assets/styles/base.css"),
    include_str!("../assets/styles/frame.css"),
    include_str!("../assets/styles/table.css"),
    include_str!("../assets/styles/results.css"),
    include_str!("../assets/styles/plot.css"),
    include_str!("../assets/styles/text.css"),
    include_str!("../assets/styles/apparatus.css"),
    include_str!("../assets/styles/cases.css"),
    include_str!("../assets/styles/forms.css"),
    include_str!("../assets/styles/report.css"),
    include_str!("../assets/styles/benchmark.css"),
    include_str!("../assets/styles/campaign.css"),
];

/// The scripts, each after those that it imports from.
static SCRIPTS: &[&str] = &[
    include_str!("../assets/scripts/keys.js"),
    include_str!("../assets/scripts/fragment.js"),
    include_str!("../assets/scripts/copy.js"),
    include_str!("../assets/scripts/number.js"),
    include_str!("../assets/scripts/text.js"),
    include_str!("../assets/scripts/rows.js"),
    include_str!("../assets/scripts/plot.js"),
    include_str!("../assets/scripts/upload.js"),
    include_str!("../assets/scripts/campaign.js"),
    include_str!("../assets/scripts/report.js"),
];

/// The scripts of those who judge, who see no other page.
static JUDGE_SCRIPTS: &[&str] = &[
    include_str!("../assets/scripts/fragment.js"),
    include_str!("../assets/scripts/judge-outbox.js"),
    include_str!("../assets/scripts/judge-search.js"),
    include_str!("../assets/scripts/judge-keys.js"),
    include_str!("../assets/scripts/judge.js"),
];

/// Something that pages load.
#[derive(Debug)]
pub struct Asset {
    /// Its name.
    pub name: &'static str,
    /// Its media type.
    pub media: &'static str,
    /// Its content.
    pub content: String,
    /// The digest of its content, in hexadecimal digits.
    pub digest: String,
}

/// The style sheet.
pub static STYLE: LazyLock<Asset> =
    LazyLock::new(|| Asset::new("karat.css", "text/css; charset=utf-8", STYLES.concat()));

/// The script.
pub static SCRIPT: LazyLock<Asset> =
    LazyLock::new(|| Asset::new("karat.js", "text/javascript; charset=utf-8", joined(SCRIPTS)));

/// What their pages look like, beside the style sheet of all pages.
pub static JUDGE_STYLE: LazyLock<Asset> = LazyLock::new(|| {
    let content = include_str!("../assets/styles/judge.css").to_owned();
    Asset::new("judge.css", "text/css; charset=utf-8", content)
});

/// The script of the pages on which people judge.
pub static JUDGE_SCRIPT: LazyLock<Asset> = LazyLock::new(|| {
    Asset::new("judge.js", "text/javascript; charset=utf-8", joined(JUDGE_SCRIPTS))
});

impl Asset {
    fn new(name: &'static str, media: &'static str, content: String) -> Asset {
        let digest = Sha256::digest(content.as_bytes());
        let digest = digest.iter().take(8).map(|byte| format!("{byte:02x}")).collect();
        Asset { name, media, content, digest }
    }

    /// Its whole digest, as policies spell it.
    pub fn integrity(&self) -> String {
        format!("sha256-{}", BASE64_STANDARD.encode(Sha256::digest(self.content.as_bytes())))
    }

    /// Where it is served.
    pub fn path(&self) -> String {
        format!("/assets/{}/{}", self.digest, self.name)
    }
}

/// Modules as one classic script: without what they import, and with what they export as plain names.
fn joined(modules: &[&str]) -> String {
    let mut script = String::from("\"use strict\";\n(() => {\n");
    for module in modules {
        for line in module.lines() {
            if line.starts_with("import ") {
                continue;
            }
            script.push_str(line.strip_prefix("export ").unwrap_or(line));
            script.push('\n');
        }
    }
    script.push_str("})();\n");
    script
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn names_of_scripts_do_not_collide() {
        for scripts in [SCRIPTS, JUDGE_SCRIPTS] {
            names_do_not_collide(scripts);
        }
    }

    fn names_do_not_collide(scripts: &[&str]) {
        let mut names = BTreeSet::new();
        for line in scripts.iter().flat_map(|module| module.lines()) {
            let line = line.strip_prefix("export ").unwrap_or(line);
            let line = line.strip_prefix("async ").unwrap_or(line);
            let rest = ["function ", "const ", "let ", "class "]
                .iter()
                .find_map(|word| line.strip_prefix(word));
            let Some(rest) = rest else { continue };
            let name: String =
                rest.chars().take_while(|c| c.is_alphanumeric() || *c == '_').collect();
            assert!(names.insert(name.clone()), "`{name}` is the name of two things");
        }
        assert!(!names.is_empty());
    }
}
