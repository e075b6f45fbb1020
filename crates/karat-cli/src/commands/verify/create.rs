//! `karat verify create`

use super::stored::{StoreArguments, text_of};
use crate::arguments::ReadArguments;
use crate::failure::Failure;
use crate::scoring::gold_and_systems;
use crate::show;
use clap::Args;
use karat::campaigns::CampaignSettings;
use karat::campaigns::plan::{CampaignDesign, Redundancy};
use karat::verify::CampaignRequest;
use karat::work::Work;
use karat_store::By;
use karat_web::campaigns::{CampaignTexts, make};
use std::io::Write;

/// Make a campaign of gold and systems
///
/// Documents are cut into texts, and what gold and systems say of them becomes items: a mention and a link, judged without
/// knowing who proposed it. Equal proposals are judged once. The campaign is a draft in the workspace of this folder;
/// `karat verify open` begins it.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Create {
    /// What the campaign is called in commands and addresses
    name: String,
    /// Gold standards with texts, one benchmark each
    #[arg(long, short, value_name = "[NAME=]INPUT", num_args = 1.., required = true)]
    gold: Vec<String>,
    /// Outputs of systems
    #[arg(long = "system", short, value_name = "[NAME=]INPUT", num_args = 1..)]
    systems: Vec<String>,
    /// Judge systems only, and not what gold says
    #[arg(long, requires = "systems")]
    without_gold: bool,
    /// Judge only the places in this file, which `karat errors --suspects` or `karat collection sample` has written
    #[arg(long, value_name = "FILE")]
    tasks: Option<String>,
    /// A title for people
    #[arg(long, value_name = "TEXT", default_value = "", hide_default_value = true)]
    title: String,
    /// The design to begin with: karat, or ding-2022 as in the paper
    #[arg(long, value_name = "NAME", default_value = "karat", value_parser = ["karat", "ding-2022"])]
    preset: String,
    /// Everything that is decided, as JSON; what is not in it is as the design has it
    #[arg(long, value_name = "FILE")]
    settings: Option<String>,
    /// How often each item is judged: a number, or adaptive (two, then more while the answer is not sure)
    #[arg(long, value_name = "N", value_parser = redundancy)]
    judgements: Option<Redundancy>,
    /// How many items of each stratum are judged; all if it is not given
    #[arg(long, value_name = "N")]
    sample: Option<usize>,
    /// How many control tasks are generated; `karat verify controls` shows and confirms them
    #[arg(long, value_name = "N", default_value_t = 0)]
    controls: usize,
    /// Items whose answer you know, as JSON lines: controls, and practice with explanations
    #[arg(long, value_name = "FILE")]
    expert: Option<String>,
    /// A knowledge base of `karat kb build`: links get its spelling, and wrong links in controls look right
    #[arg(long, value_name = "KB")]
    kb: Option<String>,
    /// A folder with a Punkt model of NLTK, for sentences
    #[arg(long, value_name = "FOLDER")]
    punkt: Option<String>,
    /// A file with what people read before the work
    #[arg(long, value_name = "FILE")]
    guidelines: Option<String>,
    /// A file with what people agree to
    #[arg(long, value_name = "FILE")]
    consent: Option<String>,
    /// What the random numbers depend on
    #[arg(long, value_name = "SEED")]
    seed: Option<u64>,
    #[command(flatten)]
    store: StoreArguments,
    #[command(flatten)]
    reading: ReadArguments,
}

const EXAMPLES: &str = "Examples:
  karat verify create spring -g gold.jsonl -s mine=a.jsonl theirs=b.ttl --controls 20
      everything that gold and two systems say
  karat verify create suspects -g gold.jsonl -s a.jsonl b.jsonl --tasks suspects.jsonl --judgements 3
      only where systems agree against gold, three judgements each";

fn redundancy(text: &str) -> Result<Redundancy, String> {
    match (text, text.parse()) {
        ("adaptive", _) => Ok(Redundancy::ADAPTIVE),
        (_, Ok(judgements @ 1..=50)) => Ok(Redundancy::Fixed { judgements }),
        _ => Err("write a number from 1 to 50, or adaptive".to_owned()),
    }
}

impl Create {
    pub(crate) fn run(self) -> Result<(), Failure> {
        let request = CampaignRequest {
            inputs: gold_and_systems(&self.gold, &self.systems, &self.reading)?,
            settings: self.settings()?,
            without_gold: self.without_gold,
            kb: self.kb.clone(),
            punkt: self.punkt.clone(),
            tasks: self.tasks.clone(),
            controls: self.controls,
            expert: self.expert.clone(),
        };
        let built = request.build(&Work::default())?;
        show::notices(&built.notices, false);
        let (texts, items) = (built.plan.texts.len(), built.plan.items.len());
        let (tasks, left) = (built.plan.tasks.len(), built.plan.left_out.len());
        let pages = CampaignTexts {
            guidelines: self.guidelines.as_deref().map(text_of).transpose()?,
            consent: self.consent.as_deref().map(text_of).transpose()?,
        };
        let name = self.name.clone();
        let (given, title) = (self.name, self.title);
        self.store.with(async move |store| {
            make(&store, &By::local(), (&given, &title), built, pages)
                .await
                .map_err(super::stored::refused)
        })?;
        writeln!(
            std::io::stdout(),
            "{name}: {texts} texts, {items} items, {tasks} tasks, {left} proposals left out"
        )?;
        Ok(())
    }

    fn settings(&self) -> Result<CampaignSettings, Failure> {
        let design = match self.preset.as_str() {
            "ding-2022" => CampaignDesign::ding_2022(),
            _ => CampaignDesign::default(),
        };
        let mut settings = match &self.settings {
            Some(path) => serde_json::from_str(&text_of(path)?).map_err(|error| {
                Failure::usage(
                    format!("{path}: {error}"),
                    "`docs/verification.md` lists the settings",
                )
            })?,
            None => CampaignSettings { design, ..CampaignSettings::default() },
        };
        let design = &mut settings.design;
        design.redundancy = self.judgements.unwrap_or(design.redundancy);
        design.sample = self.sample.or(design.sample);
        design.seed = self.seed.unwrap_or(design.seed);
        Ok(settings)
    }
}
