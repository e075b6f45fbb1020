//! `karat compare`

use crate::arguments::terminal_width;
use crate::drawing::DrawingArguments;
use crate::failure::Failure;
use crate::forms::{Form, forms, is_record};
use crate::printing;
use crate::scoring::{Compared, ConventionArguments};
use clap::Args;
use karat::comparison::{ComparisonAnswer, ComparisonRequest, critical_difference_files, forest};
use karat::outputs::{check_plots, write_file};
use karat::report::plot::Plot;
use karat::request::Answer;
use karat::scoring::MeasureNames;

/// Say which systems are really better, and how sure that is
///
/// Each score comes with an interval and a rank, from drawing documents again, and with the letters of
/// the systems it is significantly better than: whole documents are exchanged between two systems at
/// random, and a difference counts as real if that rarely makes one as large. p-values are corrected for
/// the number of pairs. Under the table stands the smallest difference that this test set can show.
///
/// Systems that are given the same name are runs of one system, with other seeds say: it scores the mean
/// of its runs. That other runs would have scored otherwise makes its intervals wider, by Student's distribution,
/// and its p-values come from drawing documents again instead of exchanging them.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Compare {
    #[command(flatten)]
    compared: Compared,
    /// What to compare by: measures, groups or single scores, as `link`, `hachey`, `link.f1@macro`; a
    /// measure stands for its F1
    #[arg(long = "measure", short, value_name = "NAME,...", default_value = "link")]
    measures: Vec<MeasureNames>,
    /// Compare systems on each part of the corpus as well: by type, topic, language, tag, base-form or
    /// any other facet of `karat eval --group-by`, or several joined by +
    #[arg(long, value_name = "FACET", value_delimiter = ',')]
    group_by: Vec<String>,
    #[command(flatten)]
    convention: ConventionArguments,
    #[command(flatten)]
    drawing: DrawingArguments,
    /// When a corrected p-value counts as significant
    #[arg(
        long,
        value_name = "P",
        default_value_t = 0.05,
        help_heading = "Tests",
        allow_negative_numbers = true
    )]
    alpha: f64,
    /// How often a difference is to be found for the test set to be able to resolve it
    #[arg(
        long,
        value_name = "SHARE",
        default_value_t = 0.8,
        help_heading = "Tests",
        allow_negative_numbers = true
    )]
    power: f64,
    /// How p-values are corrected for the number of pairs: holm, bh (Benjamini-Hochberg), bonferroni, none
    #[arg(long, value_name = "METHOD", default_value = "holm", help_heading = "Tests")]
    correction: String,
    /// Rows of pairs instead of systems, in the formats tsv, csv and jsonl
    #[arg(long)]
    pairs: bool,
    /// Draw the scores with their intervals as well, in a terminal or in HTML
    #[arg(long)]
    plot: bool,
    /// Write a forest plot of the scores to an SVG file
    #[arg(long, value_name = "FILE")]
    forest: Option<String>,
    /// Write a critical-difference diagram of average ranks to an SVG file: over benchmarks, or over the
    /// documents of a single one. With several scores, one file each
    #[arg(long, value_name = "FILE")]
    critical_difference: Option<String>,
    /// Form of the result
    #[arg(long, value_parser = forms(), default_value = "table")]
    format: Form,
}

const EXAMPLES: &str = "Examples:
  karat compare gold.tsv a.tsv b.tsv c.tsv
      three systems by the F1 of their links
  karat compare -g gold.tsv -s mine=a.tsv -s theirs=b.tsv -m link,mention --format latex
      the table of a paper, with raised letters for what each system beats
  karat compare -g gold.tsv -s mine=seed1.tsv -s mine=seed2.tsv -s mine=seed3.tsv -s theirs=b.tsv
      a system with three runs
  karat compare gold.tsv a.tsv b.tsv --group-by type
      which is better on persons, which on places
  karat compare -g aida=aida.tsv -g msnbc=msnbc.tsv -s a=a.tsv -s b=b.tsv -s c=c.tsv --critical-difference ranks.svg
      ranks over several benchmarks, with Friedman's test and Nemenyi's critical difference";

impl Compare {
    pub(crate) fn run(self) -> Result<(), Failure> {
        let plots = self.forest.iter().chain(&self.critical_difference);
        check_plots(plots, self.compared.inputs())?;
        let answer = self.compared.reading.asked(&self.request()?)?;
        self.write_plots(&answer)?;
        self.print(&answer)
    }

    fn request(&self) -> Result<ComparisonRequest, Failure> {
        Ok(ComparisonRequest {
            inputs: self.compared.request()?,
            convention: self.convention.request()?,
            measures: self.measures.iter().flat_map(|names| names.0.clone()).collect(),
            group_by: self.group_by.clone(),
            drawing: self.drawing.request(),
            alpha: self.alpha,
            power: self.power,
            correction: self.correction.clone(),
            digests: is_record(self.format),
            standings_only: false,
        })
    }

    fn print(&self, answer: &ComparisonAnswer) -> Result<(), Failure> {
        let mut report = match self.pairs {
            true => answer.report_of_pairs(),
            false => answer.report(),
        };
        // Beside data, remarks are notes.
        if self.format.audience().is_data() && self.compared.reading.quiet {
            report.remarks.clear();
        }
        if self.plot {
            report.plots.push(Box::new(forest(answer)));
        }
        printing::print(&report, self.format, terminal_width())
    }

    fn write_plots(&self, answer: &ComparisonAnswer) -> Result<(), Failure> {
        if let Some(path) = &self.forest {
            write_file(path, &forest(answer).svg())?;
        }
        let Some(path) = &self.critical_difference else { return Ok(()) };
        for (path, plot) in critical_difference_files(answer, path)? {
            write_file(&path, &plot.svg())?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::commands::{changed_convention, described_inputs, read_back};
    use karat::scoring::DrawingRequest;

    #[test]
    fn a_request_as_a_command_is_the_same_request() {
        let clusters = Some("language".to_owned());
        let full = ComparisonRequest {
            inputs: described_inputs(),
            convention: changed_convention(),
            measures: vec!["link.precision".to_owned(), "mention".to_owned()],
            group_by: vec!["type".to_owned(), "topic".to_owned()],
            drawing: DrawingRequest { clusters, ..DrawingRequest::default() },
            alpha: 0.01,
            power: 0.9,
            correction: "bh".to_owned(),
            digests: false,
            standings_only: false,
        };
        let usual =
            ComparisonRequest { inputs: described_inputs(), ..ComparisonRequest::default() };
        for request in [full, usual] {
            let read: Compare = read_back(&request, 1);
            assert_eq!(read.request().ok(), Some(request));
        }
    }
}
