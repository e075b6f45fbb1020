//! The pages of the docs that are made from the registries.
//!
//! `KARAT_UPDATE_DOCS=1` writes them anew.

use karat::facets::FacetContext;
use karat::formats::{Info, Layout};
use karat::kb::Builder;
use karat::measures::{Definition, SETTINGS, Signed, ValueAbout, setting, values_in_presets};
use karat::model::Restriction;
use karat::report::{Cell, Column, MARKDOWN, Table};
use std::fmt::Write;
use std::path::Path;
use std::sync::Arc;

#[test]
fn formats() {
    let registry = karat::registry();
    let infos: Vec<&Info> = registry.formats().map(karat::formats::Format::info).collect();
    let mut page = String::from(
        "# Formats\n\n\
         All formats karat reads, most of which it also writes. A file is recognised by its content; the names are\n\
         for `--from` and `--to`. `karat formats NAME` prints the same description.\n\n",
    );
    page += &overview(&infos).render(MARKDOWN, None);
    for info in infos {
        page += &section(info);
    }
    check("docs/formats.md", &page);
}

#[test]
fn checks() {
    let mut page = String::from(
        "# Checks\n\n\
         What `karat validate` looks for once a file can be read. `--check NAME,NAME` runs only some of them, and\n\
         `--fix` applies the fixes; `rule` and the names of rules of your own are checks too. An *error* makes scores wrong, a *warning* is probably a mistake, a *note* is worth\n\
         knowing.\n\n\
         What is wrong with a record and can be told from the rest is repaired while a file is read: the offsets in an IRI\n\
         that differ from those beside it (`offset`), or a blank before a link (`link-shape`). Such records are warnings, and `--fix`\n\
         writes them as they were read. Where the words of a mention are not those of the text at its offsets (`surface form`),\n\
         a person must decide; `--fix --fix-surface` takes those of the text.\n",
    );
    for check in karat::checks::CHECKS {
        let info = check.info();
        let fix = info.fix.unwrap_or("none; only a person can decide");
        write!(
            page,
            "\n## {}\n\n{}\n\n- severity: {}\n- fix: {fix}\n",
            info.name,
            info.about,
            info.severity.name()
        )
        .unwrap();
    }
    check("docs/checks.md", &page);
}

#[test]
fn measures() {
    let mut page = String::from(
        "# Measures\n\n\
         What `karat eval -m` takes. A measure is asked for by its name or an alias, a score of it as `link.f1`, the mean\n\
         over documents as `link.f1@macro`, under another matching as `link(match=overlap)`; every setting that\n\
         `karat presets NAME` shows can stand in the brackets. Measures of clusters and of ranks compare exact spans\n\
         of the whole output, whatever `match` and `task` say. neleval's notation `AGGREGATE:FILTER:KEY` works too.\n\
         `karat measures NAME` prints the same description.\n\n",
    );
    let columns = ["measure", "what it is", "also called"].map(Column::text);
    let mut table = Table::new(columns);
    for measure in karat::measures::MEASURES {
        table.row([
            Cell::Markdown(format!("[`{}`](#{})", measure.name, measure.name)),
            Cell::Markdown(measure.summary()),
            Cell::Markdown(codes(measure.aliases)),
        ]);
    }
    page += &table.render(MARKDOWN, None);
    page += "\n## Groups\n\n";
    for group in karat::measures::groups() {
        let members: Vec<&str> =
            karat::measures::group(group).iter().map(|measure| measure.name).collect();
        if !members.is_empty() {
            writeln!(page, "- `{group}`: {}", codes(&members)).unwrap();
        }
    }
    for measure in karat::measures::MEASURES {
        let documentation = measure.documentation();
        let (summary, body) = documentation.split_once('\n').unwrap();
        write!(page, "\n## {}\n\n**{}** {}\n", measure.name, summary, paragraphs(body.trim()))
            .unwrap();
        page += &parameters(measure);
    }
    check("docs/measures.md", &page);
}

#[test]
fn presets() {
    let mut page = String::from(
        "# Presets\n\n\
         The conventions of the literature. `--preset NAME` fixes every setting that changes a number; single [settings](settings.md) may\n\
         override it, and the signature under every table says what was used. [five-conventions.md](five-conventions.md)\n\
         shows what they do to one output.\n",
    );
    for preset in karat::measures::PRESETS {
        write!(page, "\n## {}\n\n{}\n\n", preset.name, paragraphs(&preset.documentation()))
            .unwrap();
        let mut table = Table::new(["setting", "value", "what that means"].map(Column::text));
        for (name, value) in (preset.convention)().parts() {
            let meaning = setting(name).map_or("", |setting| setting.meaning(&value));
            table.row([
                Cell::from(name),
                Cell::Markdown(format!("`{value}`")),
                Cell::Markdown(meaning.to_owned()),
            ]);
        }
        page += &table.render(MARKDOWN, None);
        writeln!(page, "\nMeasures when none are asked for: {}", codes(preset.measures)).unwrap();
    }
    check("docs/presets.md", &page);
}

/// The parameters of a measure, if it has any: a row for each value that has a name.
fn parameters(measure: &Definition) -> String {
    if measure.parameters.is_empty() {
        return String::new();
    }
    let mut section = String::from("\n*Parameters:*\n\n");
    for parameter in measure.parameters {
        let usual = match parameter.default() {
            Some(value) => format!("`{value}`"),
            None => "as the convention has it".to_owned(),
        };
        let (name, about) = (parameter.name(), parameter.about());
        writeln!(section, "- `{name}`: {about} If not given: {usual}.").unwrap();
        for value in parameter.values() {
            writeln!(section, "  - {}", described(&value)).unwrap();
        }
    }
    section
}

/// A value and what it does.
fn described(value: &ValueAbout) -> String {
    match value.is_example {
        true => format!("{}, for example `{}`", value.about, value.name),
        false => format!("`{}`: {}", value.name, value.about),
    }
}

#[test]
fn settings() {
    let mut page = String::from(
        "# Settings\n\n\
         Everything about a convention that changes a number and can be changed. `--preset NAME` gives all of them a value, and\n\
         `--set NAME=VALUE` changes one; the signature under every table names those that are not as the preset has them.\n\
         Settings of *matching* can also stand in the brackets of a measure, as `link(match=overlap)`, and then hold for that\n\
         measure alone. [presets.md](presets.md) has the values of each preset. `karat settings NAME` prints the same description.\n\n",
    );
    let mut table = Table::new(["setting", "what it decides", "of"].map(Column::text));
    for setting in SETTINGS {
        let of = if setting.is_of_matching() { "matching" } else { "the evaluation" };
        table.row([
            Cell::Markdown(format!("[`{}`](#{})", setting.name(), setting.name())),
            Cell::Markdown(setting.about().to_owned()),
            Cell::from(of),
        ]);
    }
    page += &table.render(MARKDOWN, None);
    for setting in SETTINGS {
        write!(page, "\n## {}\n\n{}\n\n", setting.name(), setting.about()).unwrap();
        for value in setting.values() {
            writeln!(page, "- {}", described(&value)).unwrap();
        }
        if setting.signed() == Signed::Always {
            page += "\nEvery signature names it.\n";
        }
        page += "\nIn presets: ";
        page += &match values_in_presets(*setting).as_slice() {
            [(only, _)] => format!("`{only}` in all"),
            values => {
                let said = values.iter().map(|(value, presets)| {
                    let names: Vec<&str> = presets.iter().map(|preset| preset.name).collect();
                    format!("`{value}` in {}", names.join(", "))
                });
                said.collect::<Vec<_>>().join("; ")
            }
        };
        page += ".\n";
    }
    check("docs/settings.md", &page);
}

#[test]
fn facets() {
    let mut page = String::from(
        "# Facets\n\n\
         What a result can be divided by: `--group-by` of `karat eval` and `karat compare`, `--by` and `--where` of `karat errors`.\n\
         Several are joined by `+`, as in `topic+type`. A facet of *cases* says what became of a mention and is divided by cases\n\
         under every preset; all others are labels that mentions or documents have by themselves.\n\n",
    );
    let mut table = Table::new(["facet", "what it says", "of", "labels"].map(Column::text));
    // Some say nothing without a knowledge base.
    let base = Builder::in_memory().finish().expect("a base of nothing");
    let context = FacetContext { base: Some(Arc::new(base)), ..FacetContext::default() };
    for definition in karat::facets::FACETS {
        let name = definition.asked_for();
        let facet = karat::facets::facet(&name, &context).expect("a facet");
        let labels: Vec<&str> = facet.vocabulary().into_iter().flatten().collect();
        table.row([
            Cell::Markdown(format!("`{name}`")),
            Cell::Markdown(definition.about.to_owned()),
            Cell::from(if facet.is_of_cases() { "cases" } else { "mentions" }),
            Cell::Markdown(if labels.is_empty() { String::new() } else { codes(&labels) }),
        ]);
    }
    page += &table.render(MARKDOWN, None);
    check("docs/facets.md", &page);
}

/// A comment as Markdown: each labelled line becomes a paragraph of its own.
fn paragraphs(comment: &str) -> String {
    let mut page = String::new();
    for line in comment.lines() {
        let label = ["What it is:", "Formula:", "Example:", "Source:", "Pitfalls:"]
            .into_iter()
            .find(|label| line.starts_with(label));
        match label {
            Some(label) => {
                let rest = line.strip_prefix(label).unwrap();
                page = page.trim_end().to_owned();
                write!(page, "\n\n*{label}*{rest}\n").unwrap();
            }
            None => {
                page += line;
                page.push('\n');
            }
        }
    }
    page.trim().to_owned()
}

fn overview(infos: &[&Info]) -> Table {
    let columns = ["name", "format", "written", "offsets"].map(Column::text);
    let mut table = Table::new(columns);
    for info in infos {
        table.row([
            Cell::Markdown(format!("[`{}`](#{})", info.name, info.name)),
            Cell::from(info.title),
            Cell::from(written(info)),
            Cell::from(offsets(info)),
        ]);
    }
    table
}

fn section(info: &Info) -> String {
    let mut section = format!("\n## {}\n\n**{}.** {}\n\n", info.name, info.title, info.about);
    let Restriction { features, document_attributes, annotation_attributes } = info.keeps;
    let kept: Vec<String> =
        features.iter_names().map(|(name, _)| name.to_lowercase().replace('_', " ")).collect();
    let mut item = |name: &str, value: &str| writeln!(section, "- {name}: {value}").unwrap();
    item("offsets", &offsets(info));
    item("extensions", &codes(info.extensions));
    item("written", written(info));
    if info.writes.is_some() {
        item("keeps", &kept.join(", "));
        item("document attributes", &attributes(document_attributes));
        item("annotation attributes", &attributes(annotation_attributes));
    }
    item("reference", info.reference);
    section
}

fn written(info: &Info) -> &'static str {
    match info.writes {
        None => "no",
        Some(Layout::File) => "one file",
        Some(Layout::Directory) => "a directory",
    }
}

fn offsets(info: &Info) -> String {
    format!("{}, end {}", info.offsets.unit, info.offsets.end)
}

fn attributes(keys: &[&str]) -> String {
    match keys {
        [] => "none".to_owned(),
        ["*"] => "all".to_owned(),
        ["*", excluded @ ..] => format!("all but {}", codes(excluded).replace('!', "")),
        keys => codes(keys),
    }
}

fn codes(words: &[&str]) -> String {
    words.iter().map(|word| format!("`{word}`")).collect::<Vec<_>>().join(", ")
}

#[test]
fn sources_of_knowledge_bases() {
    let mut table = Table::new([
        Column::text("input"),
        Column::text("file name"),
        Column::text("what it says"),
    ]);
    for source in karat::harvest::SOURCES {
        let info = source.info();
        let file_name = info.file_name.map_or("any".to_owned(), |name| format!("`{name}`"));
        table.row([info.title, &file_name, info.about].map(Cell::from));
    }
    check_part("docs/knowledge-base.md", "sources", &table.render(MARKDOWN, None));
}

/// As [`check`], of the part of a page between two comments.
fn check_part(page: &str, name: &str, content: &str) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").join(page);
    let found = std::fs::read_to_string(&path).unwrap();
    let (begin, end) = (format!("<!-- {name} -->\n"), format!("<!-- end of {name} -->"));
    let (before, rest) = found.split_once(&begin).unwrap();
    let (_, after) = rest.split_once(&end).unwrap();
    check(page, &format!("{before}{begin}\n{}\n\n{end}{after}", content.trim_end()));
}

/// Whether a page is as the registries say; with `KARAT_UPDATE_DOCS=1` it is made so.
fn check(page: &str, content: &str) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").join(page);
    if std::env::var_os("KARAT_UPDATE_DOCS").is_some() {
        std::fs::write(&path, content).unwrap();
    }
    let found = std::fs::read_to_string(&path).unwrap_or_default();
    assert!(found == content, "{page} is out of date; KARAT_UPDATE_DOCS=1 makes it anew");
}

#[test]
fn notices() {
    let mut page = String::from(
        "# Notices\n\n\
         What karat says beside a result. A command shows a notice on standard error, JSON has it under `notices`, with its\n\
         `id`, `severity`, `message`, `subject` (the run, benchmark or file it is about), `hint` (what helps, with the settings\n\
         it names) and `place` (file, line and column, where it is about a line). Programs can rely on the ids; the words may change.\n\n",
    );
    let mut table = Table::new(["id", "severity", "when"].map(Column::text));
    for kind in karat::notices::all() {
        table.row([
            Cell::Markdown(format!("`{}`", kind.id)),
            Cell::from(kind.severity.name()),
            Cell::from(kind.about),
        ]);
    }
    page += &table.render(MARKDOWN, None);
    check("docs/notices.md", &page);
}

#[test]
fn ids_of_notices_are_given_once() {
    let mut ids: Vec<&str> = karat::notices::all().map(|kind| kind.id).collect();
    ids.sort_unstable();
    let all = ids.len();
    ids.dedup();
    assert_eq!(ids.len(), all);
}
