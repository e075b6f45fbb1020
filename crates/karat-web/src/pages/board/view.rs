//! What the address of a board asks to be shown.

use super::saved::frozen_slugs;
use super::{BENCHMARK, COLS, COMPLETE, GROUP, SHAPE, SORT, SYSTEM, WHERE};
use crate::page::Asked;
use crate::refusal::Refusal;
use karat::board::{
    BoardAnswer, BoardField, BoardGrouping, BoardKey, BoardOrder, BoardShape, BoardView, NameFilter,
};

/// What the address asks to be shown.
pub(super) fn asked(asked: &Asked<'_>, frozen: Option<&BoardAnswer>) -> Result<BoardView, Refusal> {
    let systems =
        asked.catalogue.runs.iter().map(|run| (run.system_slug.as_str(), run.system.as_str()));
    let names = asked.catalogue.benchmarks.iter().map(|it| (it.slug.as_str(), it.name.as_str()));
    // What a published board shows may have other names now, or be gone.
    let [frozen_systems, frozen_names] = frozen.map(frozen_slugs).unwrap_or_default();
    let systems = systems.chain(frozen_systems.iter().map(|(slug, name)| (&**slug, &**name)));
    let names = names.chain(frozen_names.iter().map(|(slug, name)| (&**slug, &**name)));
    let names: Vec<(&str, &str)> = names.collect();
    Ok(BoardView {
        systems: filter(asked.get(SYSTEM), "system", &systems.collect::<Vec<_>>())?,
        benchmarks: filter(asked.get(BENCHMARK), "benchmark", &names)?,
        sort: asked
            .list(SORT)
            .into_iter()
            .map(|text| order(text, &names))
            .collect::<Result<_, _>>()?,
        fields: asked.list(COLS).into_iter().map(BoardField::from).collect(),
        complete: asked.get(COMPLETE).is_some(),
        group: match asked.get(GROUP) {
            None | Some("none") => None,
            Some(name) => {
                let found = BoardGrouping::ALL.into_iter().find(|(_, known)| *known == name);
                let names = BoardGrouping::ALL.map(|(_, known)| known);
                Some(found.ok_or_else(|| Refusal::missing("group", name, names))?.0)
            }
        },
        without_deprecated: match asked.get(WHERE) {
            None => false,
            Some("-deprecated") => true,
            Some(other) => {
                return Err(Refusal::bad_request(
                    format!("{other} is no condition on systems"),
                    "write -deprecated, or choose systems by name",
                ));
            }
        },
        without: match asked.get(WHERE) {
            None => Vec::new(),
            Some(_) => {
                let old = asked.catalogue.runs.iter().filter(|run| run.deprecated);
                old.map(|run| run.system.clone()).collect()
            }
        },
        shape: match asked.get(SHAPE) {
            None | Some("matrix") => BoardShape::Matrix,
            Some("rows") => BoardShape::Rows,
            Some(other) => return Err(Refusal::missing("shape", other, ["matrix", "rows"])),
        },
    })
}

/// A filter by names as addresses or people write them.
fn filter(text: Option<&str>, what: &str, known: &[(&str, &str)]) -> Result<NameFilter, Refusal> {
    match NameFilter::parse(text.unwrap_or_default())? {
        NameFilter::Names(names) => {
            let named = names.iter().map(|name| {
                let found = known.iter().find(|(slug, full)| slug == name || full == name);
                let found = found.map(|(_, full)| (*full).to_owned());
                found.ok_or_else(|| {
                    Refusal::missing(what, name, known.iter().map(|(slug, _)| *slug))
                })
            });
            Ok(NameFilter::Names(named.collect::<Result<_, _>>()?))
        }
        other => Ok(other),
    }
}

/// A column to sort by: `system`, `mean`, `benchmark`, `score@sample`, and a minus for the largest first.
fn order(text: &str, benchmarks: &[(&str, &str)]) -> Result<BoardOrder, Refusal> {
    let (name, descending) = match text.strip_prefix('-') {
        Some(name) => (name, true),
        None => (text, false),
    };
    let by = match (name, name.split_once('@')) {
        ("system", _) => BoardKey::System,
        ("benchmark", _) => BoardKey::Benchmark,
        ("mean", _) => BoardKey::Mean,
        (_, Some((field, slug))) => {
            let found = benchmarks.iter().find(|(known, _)| *known == slug);
            let found = found.ok_or_else(|| {
                Refusal::missing("benchmark", slug, benchmarks.iter().map(|(known, _)| *known))
            })?;
            BoardKey::Field { benchmark: Some(found.1.to_owned()), field: field.into() }
        }
        (field, None) => BoardKey::Field { benchmark: None, field: field.into() },
    };
    Ok(BoardOrder { by, descending })
}
