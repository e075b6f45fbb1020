//! `karat kb index`

use crate::failure::Failure;
use crate::show::{self, counted};
use clap::Args;
use karat::knowledge::make_index;
use std::path::PathBuf;

/// Make the index that `karat kb search` needs
///
/// It is a folder beside the knowledge base, FILE.search, and can be made again at any time.
#[derive(Debug, Args)]
pub(crate) struct Index {
    /// The knowledge base, a file of `karat kb build`
    #[arg(value_name = "FILE")]
    file: PathBuf,
    /// No remarks
    #[arg(long, short)]
    quiet: bool,
}

impl Index {
    pub(crate) fn run(self) -> Result<(), Failure> {
        let (folder, texts) = make_index(&self.file)?;
        if !self.quiet {
            let texts = counted(texts as usize, "text");
            show::note(&format!("`{}` has {texts}", folder.display()));
        }
        Ok(())
    }
}
