//! A report as a folder of pages.

use super::ReportOptions;
use super::links::{ReportLayout, file_of};
use super::rendered::Rendering;
use crate::assets::{SCRIPT, STYLE};
use crate::components::frame::{Look, Surroundings, whole_page};
use crate::refusal::Refusal;
use crate::workbench::Workbench;
use karat::request::AnyAnswer;

/// A file of a site.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SiteFile {
    /// Where it is in the folder, with `/` between the parts.
    pub path: String,
    /// What is in it.
    pub content: String,
}

/// The pages of a report, one file each, with relative links; styles and script are files beside them. Each file
/// is handed on as soon as it is made, so that a large site need not fit into memory.
pub fn site<E: From<Refusal>>(
    workbench: &Workbench,
    options: &ReportOptions,
    mut write: impl FnMut(SiteFile) -> Result<(), E>,
) -> Result<(), E> {
    let mut rendering = Rendering::new(ReportLayout::Site, workbench, options)?;
    for place in rendering.order() {
        let mut content = rendering.content(place)?;
        let address = rendering.pages[place].address.clone();
        match address.parts() {
            [] => content.title.clone_from(&options.title),
            // A further board says in its heading what it is of.
            [first, _] if first == "boards" => {
                content.title.clone_from(&rendering.pages[place].name);
            }
            _ => {}
        }
        let links = rendering.links(&address);
        let around = Surroundings { look: Look::System, links: &links, has_workspace: false };
        let page = whole_page(&content, &around).into_string();
        write(SiteFile { path: file_of(address.parts()), content: page })?;
    }
    for asset in [&*STYLE, &*SCRIPT] {
        let path = format!("assets/{}", asset.name);
        write(SiteFile { path, content: asset.content.clone() })?;
    }
    for (slug, answer) in rendering.scores()? {
        let record = AnyAnswer::record(&*answer);
        for (ending, value) in [("json", record), ("jsonld", answer.linked_data())] {
            let content = format!("{value:#}\n");
            write(SiteFile { path: format!("data/{slug}.{ending}"), content })?;
        }
    }
    Ok(())
}
