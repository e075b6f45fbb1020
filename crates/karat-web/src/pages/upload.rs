//! Sending files.

use crate::address::Address;
use crate::api::{CurlCommand, operation};
use crate::catalogue::Catalogue;
use crate::components::name::visible;
use crate::components::notices::notices;
use crate::page::{Asked, Page, PageContent, QueryKey, key};
use crate::refusal::Refusal;
use crate::workspace::UploadForm;
use karat::model::Notice;
use maud::{Markup, html};
use std::collections::BTreeMap;

/// The form by which files are sent.
#[derive(Debug)]
pub(crate) struct Upload;

const WHAT: QueryKey = key("what", "run or gold");
const BENCHMARK: QueryKey = key("benchmark", "the benchmark that is chosen");
const SYSTEM: QueryKey = key("system", "the system that is chosen");

impl Page for Upload {
    fn path(&self) -> &'static str {
        "/upload"
    }

    fn keys(&self) -> &'static [QueryKey] {
        &[WHAT, BENCHMARK, SYSTEM]
    }

    fn show(&self, asked: &Asked<'_>) -> Result<PageContent, Refusal> {
        if asked.workbench.workspace().is_none() {
            return Err(Refusal::Missing {
                what: "This server shows files and keeps nothing, so nothing can be sent to it."
                    .to_owned(),
                hint: Some("Start karat serve without files: it keeps what is sent.".to_owned()),
            });
        }
        let get = |key| asked.get(key).unwrap_or_default().to_owned();
        let what = match get(WHAT).as_str() {
            // The first thing that is needed is gold.
            "" if asked.catalogue.benchmarks.is_empty() => "gold".to_owned(),
            what => what.to_owned(),
        };
        let form = UploadForm {
            what,
            benchmark: get(BENCHMARK),
            system: get(SYSTEM),
            ..UploadForm::default()
        };
        let content = upload_page(&asked.catalogue, &form, &[]);
        Ok(PageContent { here: asked.here(Address::path(["upload"])), ..content })
    }
}

/// The form with what was filled in before, and why it did not work.
pub(crate) fn upload_page(catalogue: &Catalogue, form: &UploadForm, why: &[Notice]) -> PageContent {
    PageContent {
        title: "Upload".to_owned(),
        sentence: Some(match why.is_empty() {
            true => "Send the output of a system or a gold standard: it is checked first, and kept if it can be read."
                .to_owned(),
            false => "This was not kept.".to_owned(),
        }),
        crumbs: vec![("Board".to_owned(), Address::board())],
        here: Address::path(["upload"]),
        body: html! {
            (notices(why))
            (upload_form(catalogue, form))
            p.legend {
                a href="/jobs" { "What was sent before" } " · " a href="/trash" { "What was removed" }
            }
            (on_the_command_line())
        },
        call: call(catalogue, form),
        ..PageContent::default()
    }
}

/// The form itself.
pub(crate) fn upload_form(catalogue: &Catalogue, form: &UploadForm) -> Markup {
    html! {
        form.upload method="post" action="/upload" enctype="multipart/form-data" data-upload {
            fieldset {
                legend { "What it is" }
                label { input type="radio" name="what" value="run" checked[!form.is_gold()]; " the output of a system" }
                label { input type="radio" name="what" value="gold" checked[form.is_gold()]; " a gold standard" }
            }
            fieldset {
                legend { "Files" }
                label { "Files, or an archive of them "
                    input type="file" name="files" multiple data-files; }
                p.soft { "Up to 256 MB; zip, gzip, zstd and bzip2 are unpacked." output data-recognised {} }
                label { "Or paste the text " textarea name="text" rows="6" cols="60" spellcheck="false" { (form.text) } }
                label { "Format " select name="format" {
                    option value="" selected[form.format.is_empty()] { "recognise it" }
                    @for format in karat::registry().formats() {
                        @let name = format.info().name;
                        option value=(name) selected[form.format == name] { (format.info().title) }
                    }
                } }
            }
            fieldset {
                legend { "Benchmark" }
                label { "Benchmark " select name="benchmark" {
                    option value="" selected[form.benchmark.is_empty()] { "–" }
                    @for benchmark in &catalogue.benchmarks {
                        option value=(benchmark.slug) selected[form.benchmark == benchmark.slug] { (visible(&benchmark.name)) }
                    }
                } }
                label { "Or a new one, for a gold standard " input name="new_benchmark" value=(form.new_benchmark) maxlength="200"; }
                label { input type="checkbox" name="hidden" value="1" checked[!form.hidden.is_empty()];
                    " hide its gold: scores only, no texts and no cases" }
            }
            fieldset {
                legend { "System" }
                label { "System " select name="system" {
                    option value="" selected[form.system.is_empty()] { "–" }
                    @for (slug, title) in systems(catalogue) {
                        option value=(slug) selected[form.system == slug] { (visible(title)) }
                    }
                } }
                label { "Or a new one " input name="new_system" value=(form.new_system) maxlength="200"; }
                label { "Label, to tell it from other runs; for gold, the name of the edition "
                    input name="label" value=(form.label) maxlength="60"; }
                label { "Seconds that it took " input name="seconds" value=(form.seconds) inputmode="decimal" maxlength="20"; }
                label { "Notes " textarea name="note" rows="2" cols="60" { (form.note) } }
            }
            p { button { "Send" } }
        }
    }
}

/// The systems by their names in addresses.
fn systems(catalogue: &Catalogue) -> BTreeMap<&str, &str> {
    let mut systems = BTreeMap::new();
    for run in &catalogue.runs {
        // Without the label of a run.
        let title = run.system.split(", ").next().unwrap_or(&run.system);
        systems.entry(run.system_slug.as_str()).or_insert(title);
    }
    systems
}

/// The command that sends the same by the API: names are filled in where some are known, and can be changed.
fn call(catalogue: &Catalogue, form: &UploadForm) -> Option<CurlCommand> {
    let benchmark = catalogue.benchmarks.first().map_or("my-benchmark", |it| it.slug.as_str());
    let named = |given: &str, usual: &str| match given.is_empty() {
        true => usual.to_owned(),
        false => given.to_owned(),
    };
    let benchmark = named(&form.benchmark, benchmark);
    let system = named(&form.system, "my-system");
    let (query, file) = match form.is_gold() {
        true => (vec![("as", "gold"), ("benchmark", benchmark.as_str())], "gold.jsonl"),
        false => (
            vec![("as", "run"), ("benchmark", benchmark.as_str()), ("system", system.as_str())],
            "run.jsonl",
        ),
    };
    let upload = operation("upload")?;
    Some(CurlCommand::of(upload, |_| "", &query).with(&format!("--data-binary @{file}")))
}

fn on_the_command_line() -> Markup {
    html! {
        details {
            summary { "The same on the command line" }
            pre { code { "karat import -g gold.jsonl -s mine=run.jsonl" } }
        }
    }
}
