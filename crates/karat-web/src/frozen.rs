//! Frozen links: addresses that say which content they were made for.
//!
//! An ordinary link names a run by what it is called, and shows whatever goes by that name. A frozen link adds the
//! digest of the content to the name in the path (`careful@sample@27bfe6d0c1a2b3c4`), and a `key` for everything that
//! decides the digits on the page: the build of karat, the convention, and the digests of gold and of all runs that the
//! page is about. The name stays, so that a page can say what has changed since and lead to what is there now.

use crate::address::Address;
use crate::engine::engine;
use crate::workbench::{Catalogue, CatalogueBenchmark, CatalogueRun, Workbench};
use sha2::{Digest, Sha256};
use std::collections::BTreeSet;
use std::fmt::Write;

/// The key of a query that carries what a page was frozen to.
pub const KEY: &str = "key";

/// The value that asks for the frozen link of a page.
pub const FREEZE: &str = "now";

/// So many hexadecimal digits stand in links: 64 bits, so that two contents of one installation do not meet by chance.
const DIGITS: usize = 16;

/// What has changed since a frozen link was made.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct FrozenState {
    /// What has changed, in words; nothing if all is as it was.
    pub changed: Vec<String>,
    /// Where the newest edition is shown in the same way, if there is a newer one than the link was made for.
    pub newest: Option<Address>,
}

/// A name of a path with the digest that it was frozen to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FrozenName {
    /// The name.
    pub name: String,
    /// The digest.
    pub digest: String,
}

fn hex(bytes: &[u8]) -> String {
    let mut text = String::with_capacity(DIGITS);
    for byte in Sha256::digest(bytes).iter().take(DIGITS / 2) {
        // Writing to a string cannot fail.
        let _ = write!(text, "{byte:02x}");
    }
    text
}

/// Takes digests out of the parameters of a path, so that the page finds its things by their names.
pub fn thaw(parameters: &mut [(String, String)]) -> Vec<FrozenName> {
    let mut frozen = Vec::new();
    for (_, value) in parameters {
        let names = value.split("..").map(|name| match split(name) {
            Some((name, digest)) => {
                frozen.push(FrozenName { name: name.to_owned(), digest: digest.to_owned() });
                name
            }
            None => name,
        });
        *value = names.collect::<Vec<_>>().join("..");
    }
    frozen
}

/// Finds the edition that a name was frozen to: a benchmark goes by the name of its newest edition, and the one that is meant may
/// be another by now.
pub fn resolve(
    workbench: &Workbench,
    parameters: &mut [(String, String)],
    names: &mut [FrozenName],
) {
    let catalogue = workbench.catalogue();
    for frozen in names {
        let Some(newest) = catalogue.benchmarks.iter().find(|it| it.slug == frozen.name) else {
            continue;
        };
        // Benchmarks of files have no ids, and no editions either.
        let is_meant = |it: &&CatalogueBenchmark| {
            it.id == newest.id
                && !it.id.is_empty()
                && digest_of(workbench, &catalogue, &it.slug).as_ref() == Some(&frozen.digest)
        };
        let Some(meant) = catalogue.benchmarks.iter().find(is_meant) else { continue };
        for (_, value) in parameters.iter_mut().filter(|(_, value)| *value == frozen.name) {
            value.clone_from(&meant.slug);
        }
        frozen.name.clone_from(&meant.slug);
    }
}

/// The newest edition of a benchmark that a name is about, if that is another one.
fn newer<'c>(catalogue: &'c Catalogue, name: &str) -> Option<&'c CatalogueBenchmark> {
    let run = catalogue.runs.iter().find(|run| run.id == name);
    let slug = run.map_or(name, |run| run.benchmark.as_str());
    let shown = catalogue.benchmarks.iter().find(|it| it.slug == slug && it.superseded)?;
    catalogue.benchmarks.iter().find(|it| it.id == shown.id && !it.superseded)
}

/// A name and the digest behind it. Names in addresses have no `@` but the one of a run, whose second half is not
/// sixteen hexadecimal digits unless somebody calls a benchmark so; that one cannot be frozen.
fn split(name: &str) -> Option<(&str, &str)> {
    let (name, digest) = name.rsplit_once('@')?;
    let is_digest = digest.len() == DIGITS
        && digest.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'));
    is_digest.then_some((name, digest))
}

/// The address of a view as a frozen link.
pub fn freeze(workbench: &Workbench, here: &Address) -> Address {
    let catalogue = workbench.catalogue();
    let parts: Vec<String> = here
        .parts()
        .iter()
        .map(|part| {
            let names = part.split("..").map(|name| match digest_of(workbench, &catalogue, name) {
                Some(digest) => format!("{name}@{digest}"),
                None => name.to_owned(),
            });
            names.collect::<Vec<_>>().join("..")
        })
        .collect();
    let mut frozen = Address::path(parts.iter().map(String::as_str));
    for (key, value) in here.query() {
        frozen = frozen.with(key, value.clone());
    }
    frozen.with(KEY, key_of(workbench, &catalogue, here))
}

/// What has changed since a link was frozen.
pub fn state(
    workbench: &Workbench,
    names: &[FrozenName],
    key: &str,
    here: &Address,
) -> FrozenState {
    let catalogue = workbench.catalogue();
    let mut changed = Vec::new();
    for FrozenName { name, digest } in names {
        match digest_of(workbench, &catalogue, name) {
            Some(now) if now == *digest => {}
            Some(now) => {
                changed.push(format!("{name} has other content now ({now}, then {digest})"));
            }
            None => changed.push(format!("{name} is not here any more")),
        }
    }
    if changed.is_empty() && key_of(workbench, &catalogue, here) != key {
        changed.push(
            "what the page is computed from is not the same: another run, another gold standard, or another build of karat"
                .to_owned(),
        );
    }
    let mut there = None;
    for (frozen, newest) in names.iter().filter_map(|it| Some((it, newer(&catalogue, &it.name)?))) {
        let edition = newest.edition.as_deref().unwrap_or_default();
        changed.push(format!("there is a newer edition of {}: {edition}", newest.slug));
        there.get_or_insert_with(|| here.clone()).rename(&frozen.name, &newest.slug);
    }
    FrozenState { changed, newest: there }
}

/// The digest of a run or a benchmark by the name that addresses use.
fn digest_of(workbench: &Workbench, catalogue: &Catalogue, name: &str) -> Option<String> {
    if let Some(run) = catalogue.runs.iter().find(|run| run.id == name) {
        return run_digest(workbench, catalogue, run);
    }
    let benchmark = catalogue.benchmarks.iter().find(|it| it.slug == name)?;
    Some(hex(workbench.corpus_digest(&benchmark.name, None)?.as_bytes()))
}

/// A run is its output and the gold standard that it is an output on.
fn run_digest(workbench: &Workbench, catalogue: &Catalogue, run: &CatalogueRun) -> Option<String> {
    let benchmark = catalogue.benchmarks.iter().find(|it| it.slug == run.benchmark)?;
    let gold = workbench.corpus_digest(&benchmark.name, None)?;
    let output = workbench.corpus_digest(&benchmark.name, Some(&run.system))?;
    Some(hex(format!("{gold} {output}").as_bytes()))
}

/// Everything that decides the digits of a page, in a few letters.
fn key_of(workbench: &Workbench, catalogue: &Catalogue, here: &Address) -> String {
    let mut text = format!("{}\n", engine());
    for (key, value) in here.query() {
        if *key != KEY {
            text.push_str(&format!("{key}={value}\n"));
        }
    }
    for run in subjects(catalogue, here) {
        let digest = run_digest(workbench, catalogue, run).unwrap_or_default();
        text.push_str(&format!("{} {digest}\n", run.id));
    }
    hex(text.as_bytes())
}

/// The runs that a page is about: those that its path or query names with those on the benchmarks that it names, or all of
/// them where it names nothing.
fn subjects<'c>(catalogue: &'c Catalogue, here: &Address) -> Vec<&'c CatalogueRun> {
    let in_path = here.parts().iter().flat_map(|part| part.split(".."));
    let in_query = here.query().iter().filter(|(key, _)| ["beside", "runs"].contains(key));
    let in_query = in_query.flat_map(|(_, value)| value.split(','));
    let names: BTreeSet<&str> = in_path.chain(in_query).collect();
    let is_named = |run: &&CatalogueRun| {
        [&run.id, &run.system_slug, &run.benchmark].iter().any(|name| names.contains(name.as_str()))
    };
    let named: Vec<&CatalogueRun> = catalogue.runs.iter().filter(is_named).collect();
    if named.is_empty() { catalogue.runs.iter().collect() } else { named }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parameters(value: &str) -> Vec<(String, String)> {
        vec![("runs".to_owned(), value.to_owned())]
    }

    #[test]
    fn digests_leave_paths_and_names_stay() {
        let mut given = parameters("a@s@0123456789abcdef..b@s");
        let frozen = thaw(&mut given);
        assert_eq!(given, parameters("a@s..b@s"));
        let digest = "0123456789abcdef".to_owned();
        assert_eq!(frozen, [FrozenName { name: "a@s".to_owned(), digest }]);
        for plain in ["a@s", "a@0123456789ABCDEF", "sample", ""] {
            let mut given = parameters(plain);
            assert!(thaw(&mut given).is_empty(), "{plain}");
            assert_eq!(given, parameters(plain));
        }
    }

    #[test]
    fn a_frozen_link_says_what_has_changed() -> Result<(), Box<dyn std::error::Error>> {
        let sample = karat::sample::experiment()?;
        let workbench = Workbench::of([sample.clone()]);
        let here = Address::run("careful@sample").with("show", "errors");
        let frozen = freeze(&workbench, &here);
        let key = &frozen.query().last().ok_or("no key")?.1;
        let mut given = vec![("id".to_owned(), frozen.parts()[1].clone())];
        let names = thaw(&mut given);
        assert_eq!(given[0].1, "careful@sample");
        assert_eq!(state(&workbench, &names, key, &here), FrozenState::default());
        // Another view has another key, and another output another digest.
        let other = Address::run("careful@sample").with("show", "slices");
        assert_eq!(state(&workbench, &names, key, &other).changed.len(), 1);
        let mut changed = sample.clone();
        let place = changed.runs.iter().position(|run| run.name == "careful").ok_or("no run")?;
        changed.runs[place].corpus = sample.runs[(place + 1) % 3].corpus.clone();
        let now = state(&Workbench::of([changed]), &names, key, &here).changed;
        assert!(now[0].contains("careful@sample has other content now"), "{now:?}");
        let gone = state(&Workbench::empty(), &names, key, &here).changed;
        assert_eq!(gone, ["careful@sample is not here any more"]);
        Ok(())
    }
}
