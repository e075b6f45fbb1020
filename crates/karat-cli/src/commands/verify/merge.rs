//! `karat verify merge`

use super::stored::{StoreArguments, refused};
use crate::arguments::terminal_width;
use crate::failure::Failure;
use crate::forms::{Form, forms};
use crate::printing;
use clap::Args;
use karat::campaigns::adjudication::MergeRule;
use karat::report::{Cell, Column, Report, Table};
use karat_store::By;
use karat_web::campaigns::{apply_merge, preview_merge};

/// Decide what people agree on by a rule, and leave the rest to a person
///
/// Without --apply it only says what the rule would decide. Decisions of rules are a layer of their own: another rule takes the place
/// of an earlier one, and what a person decided is never touched.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Merge {
    /// The campaign
    name: String,
    /// unanimous, majority, best-person (whose votes tell most), or chance (of the model)
    #[arg(long, value_name = "RULE", value_parser = ["unanimous", "majority", "best-person", "chance"])]
    rule: String,
    /// At least so many judgements [default: 2]; for chance, at least this chance [default: 0.95]
    #[arg(long, value_name = "N")]
    least: Option<f64>,
    /// Make the decisions
    #[arg(long)]
    apply: bool,
    /// Form of the result
    #[arg(long, value_parser = forms(), default_value = "table")]
    format: Form,
    #[command(flatten)]
    store: StoreArguments,
}

const EXAMPLES: &str = "Examples:
  karat verify merge spring --rule majority --least 3
      how many items a majority of three and more would decide
  karat verify merge spring --rule unanimous --apply
      what two and more people agree on is decided";

impl Merge {
    fn rule(&self) -> Result<MergeRule, Failure> {
        if self.rule == "chance" {
            let least = self.least.unwrap_or(0.95);
            return match (0.5..=1.0).contains(&least) {
                true => Ok(MergeRule::Chance { least }),
                false => Err(Failure::usage(
                    format!("{least} is no chance to decide by"),
                    "give --least a chance from 0.5 to 1",
                )),
            };
        }
        let least = self.least.unwrap_or(2.0);
        if least.fract() != 0.0 || !(1.0..=1000.0).contains(&least) {
            return Err(Failure::usage(
                format!("{least} is no number of judgements"),
                "give --least a whole number from 1 on",
            ));
        }
        let least = least as usize;
        Ok(match self.rule.as_str() {
            "unanimous" => MergeRule::Unanimous { least },
            "majority" => MergeRule::Majority { least },
            _ => MergeRule::BestPerson { least },
        })
    }

    pub(crate) fn run(self) -> Result<(), Failure> {
        let rule = self.rule()?;
        let Merge { name, apply, format, store, .. } = self;
        let found = store.with(async move |store| {
            let row = store.campaign(&name).await.map_err(refused)?;
            let found = match apply {
                true => apply_merge(&store, &By::local(), &row, rule).await,
                false => preview_merge(&store, &row, rule).await,
            };
            found.map_err(super::life::failed)
        })?;
        let counts = ["verify", "modify", "remove", "changes", "disputes before", "disputes after"];
        let columns = std::iter::once(Column::text("rule"));
        let mut table = Table::new(columns.chain(counts.map(Column::count)));
        let [verify, modify, remove] = found.decisions;
        let numbers =
            [verify, modify, remove, found.changes, found.disputes_before, found.disputes_after];
        table.row(std::iter::once(Cell::from(found.rule)).chain(numbers.map(Cell::from)));
        printing::print(&Report::of(table), format, terminal_width())
    }
}
