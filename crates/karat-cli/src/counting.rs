//! Arguments by which an evaluation counts and does not score.

use crate::failure::Failure;
use crate::scoring::Compared;
use crate::show;
use clap::Args;
use karat::outputs::{check_is_no_input, write_file};
use karat::scoring::EvaluationRequest;
use karat::scoring::counts::{CountsRequest, Shard};

/// What is counted, and where the counts go.
#[derive(Debug, Clone, Args)]
pub(crate) struct CountingArguments {
    /// Write what was counted in each document to a file and score nothing: `karat merge` puts the counts of
    /// several jobs together and prints what one job would have printed
    #[arg(long, value_name = "FILE")]
    counts_to: Option<String>,
    /// With --counts-to: count only the documents of one of N parts, numbered from 0, as 0/4. The names of
    /// documents decide which part they are in
    #[arg(long, value_name = "I/N", requires = "counts_to")]
    shard: Option<Shard>,
}

impl CountingArguments {
    /// The file of counts, if these are asked for and not scores.
    pub(crate) fn file(&self) -> Option<&String> {
        self.counts_to.as_ref()
    }

    /// Counts, and writes the counts to a file.
    pub(crate) fn run(
        &self,
        path: &str,
        evaluation: EvaluationRequest,
        compared: &Compared,
    ) -> Result<(), Failure> {
        check_is_no_input(path, compared.inputs().map(String::as_str))?;
        // Whoever merges may want the digests, and cannot make them without the files.
        let evaluation = EvaluationRequest { digests: true, ..evaluation };
        let request = CountsRequest { evaluation, shard: self.shard, ..CountsRequest::default() };
        let counts = compared.reading.asked(&request)?;
        let mut bytes = Vec::new();
        counts.write(&mut bytes)?;
        let text = String::from_utf8_lossy(&bytes);
        write_file(path, &text)?;
        let documents = show::counted(counts.gold.documents, "document");
        compared
            .reading
            .note(&format!("{path} has the counts of {documents}; `karat merge` scores them"));
        Ok(())
    }
}
