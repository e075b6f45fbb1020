//! `karat reproduce`

use crate::arguments::terminal_width;
use crate::failure::Failure;
use crate::forms::{Form, forms};
use crate::printing;
use crate::show;
use clap::Args;
use karat::report::Report;
use karat::reproduce::{self, Data, Paper};
use std::path::PathBuf;

/// Compute the published tables of the literature again, number by number
///
/// What the paper prints stands beside what comes out, with the reason where they differ. Without a
/// name, lists the papers.
#[derive(Debug, Args)]
pub(crate) struct Reproduce {
    /// The paper
    paper: Option<String>,
    /// The folder with the public data
    #[arg(long, value_name = "FOLDER", env = "KARAT_DATA", default_value = "data")]
    data: PathBuf,
    /// Write the figures of the paper, as SVG and as data, to this folder
    #[arg(long, short, value_name = "FOLDER")]
    output: Option<PathBuf>,
    /// Form of the tables
    #[arg(long, value_parser = forms(), default_value = "table")]
    format: Form,
}

impl Reproduce {
    pub(crate) fn run(self) -> Result<(), Failure> {
        let print = |report: &Report<'_>| printing::print(report, self.format, terminal_width());
        let Some(name) = &self.paper else { return print(&Report::of(reproduce::papers())) };
        let paper = Paper::named(name)?;
        let sections = (paper.run)(&Data::new(&self.data))?;
        if let Some(folder) = &self.output
            && !reproduce::write_figures(&sections, folder)?
        {
            show::note("no figures of this paper are drawn");
        }
        print(&reproduce::report(paper.title, &sections))?;
        show::note(&reproduce::sentence(&sections));
        if reproduce::differs(&sections) { Err(Failure::Gate) } else { Ok(()) }
    }
}
