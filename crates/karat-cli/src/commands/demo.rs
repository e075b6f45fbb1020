//! `karat demo`

use crate::arguments::terminal_width;
use crate::failure::Failure;
use crate::forms::{Form, forms};
use crate::printing;
use crate::show::{self, BOLD, PLAIN};
use clap::Args;
use karat::formats::{Layout, Output};
use karat::sample;
use std::path::{Path, PathBuf};

/// Show what karat does on a built-in sample, offline, in seconds
///
/// The sample is fourteen short texts with gold annotations and the output of three invented
/// systems. `--export` writes its files, to try the other commands on them.
#[derive(Debug, Args)]
pub(crate) struct Demo {
    /// Write the files of the sample to this folder instead
    #[arg(long, value_name = "FOLDER")]
    export: Option<PathBuf>,
    /// Form of the tables
    #[arg(long, value_parser = forms(), default_value = "table")]
    format: Form,
}

impl Demo {
    pub(crate) fn run(self) -> Result<(), Failure> {
        if let Some(folder) = &self.export {
            return export(folder);
        }
        const LINK: &str = "\x1b[36m";
        let said =
            |surface: &str, link: &str| format!("[{BOLD}{surface}{PLAIN} {LINK}{link}{PLAIN}]");
        let (demo, width) = (karat::demo::Demo::new()?, terminal_width());
        printing::print(&demo.report(width.unwrap_or(90).into(), said), self.format, width)
    }
}

/// Writes the files of the sample. They appear when all of them were written.
fn export(folder: &Path) -> Result<(), Failure> {
    let mut written = Vec::new();
    for (_, source) in [("gold", sample::gold())].into_iter().chain(sample::systems()) {
        let relative = Path::new(source.name()).strip_prefix("sample").unwrap_or(Path::new("gold"));
        let path = folder.join(relative);
        let name = path.display().to_string();
        let failed = |error| Failure::output(&name, error);
        let made = path.parent().map_or(Ok(()), std::fs::create_dir_all);
        made.map_err(|error| failed(error.into()))?;
        let bytes = source.bytes(None)?;
        let mut output = Output::create(&name, Layout::File).map_err(failed)?;
        output.single(|file| Ok(file.write_all(&bytes)?)).map_err(failed)?;
        written.push((name, output));
    }
    for (name, output) in written {
        output.commit().map_err(|error| Failure::output(&name, error))?;
        show::note(&format!("wrote `{name}`"));
    }
    Ok(())
}
