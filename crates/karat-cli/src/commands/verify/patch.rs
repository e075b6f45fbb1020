//! `karat verify patch`

use super::stored::{StoreArguments, refused};
use crate::arguments::ReadArguments;
use crate::failure::Failure;
use crate::show;
use clap::Args;
use karat::request::{Answer, Request};
use karat::verify::VerifyPatchRequest;
use karat::work::Work;
use karat_web::campaigns::judged_file;

/// Make the gold patch that follows from a campaign: what people removed, corrected and found missing
///
/// What was removed goes, what was modified gets the link that a decision or two people named, spans that gold lacks and people verified
/// come, and further links that were verified are alternatives. What is open changes nothing. `karat gold` shows, checks and applies
/// the patch.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Patch {
    /// The campaign
    #[arg(required_unless_present = "judgements")]
    name: Option<String>,
    /// A file of judgements instead of a campaign of this workspace
    #[arg(long, value_name = "FILE", conflicts_with = "name")]
    judgements: Option<String>,
    /// The gold standard that was judged
    #[arg(long, short, value_name = "INPUT")]
    gold: String,
    /// Where the patch is written, as NAME.goldpatch.jsonl; standard output without it
    #[arg(long, short, value_name = "PATCH", default_value = "-", hide_default_value = true)]
    output: String,
    /// The source among the judgements that is this gold standard; `gold` or `GT` if there is such a source
    #[arg(long, value_name = "SOURCE")]
    source: Option<String>,
    /// Who made it; the campaign if it is not given
    #[arg(long, value_name = "WHO")]
    by: Option<String>,
    /// Leave out the words, for texts that may not be shared
    #[arg(long)]
    mask: bool,
    #[command(flatten)]
    store: StoreArguments,
    #[command(flatten)]
    reading: ReadArguments,
}

const EXAMPLES: &str = "Examples:
  karat verify patch spring -g gold.ttl -o spring.goldpatch.jsonl
      the corrections of a campaign
  karat eval -g gold.ttl --patch spring.goldpatch.jsonl -s system.ttl
      what they change";

impl Patch {
    pub(crate) fn run(self) -> Result<(), Failure> {
        let by =
            self.by.clone().or_else(|| self.name.as_ref().map(|name| format!("campaign {name}")));
        let request = VerifyPatchRequest {
            judgements: self.judgements.clone().unwrap_or_default(),
            gold: self.reading.only(&self.gold)?,
            source: self.source.clone(),
            output: self.output.clone(),
            by,
            mask: self.mask,
            reading: self.reading.request(),
            ..VerifyPatchRequest::default()
        };
        let work = Work::default();
        let answer = match self.name.clone() {
            None => request.answer(&work)?,
            Some(name) => {
                let (model, file, decisions) = self.store.with(async move |store| {
                    let row = store.campaign(&name).await.map_err(refused)?;
                    let (file, decisions) = judged_file(&store, &row).await.map_err(refused)?;
                    Ok((row.settings.model, file, decisions))
                })?;
                let request = VerifyPatchRequest { model, ..request };
                request.check_output()?;
                request.patch_of(&file, &decisions, &work)?
            }
        };
        show::notices(answer.notices(), false);
        Ok(())
    }
}
