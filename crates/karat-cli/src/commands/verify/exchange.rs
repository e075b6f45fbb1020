//! `karat verify export`, `import`

use super::stored::{StoreArguments, refused, text_of};
use crate::failure::Failure;
use clap::Args;
use karat::outputs::{check_is_no_input, write_file, write_files};
use karat::verify::{CampaignExport, CampaignRecords, JudgementFile};
use karat_store::By;
use karat_web::campaigns::campaign_records;
use std::io::Write;
use std::path::Path;

/// What stands for a whole campaign.
const CAMPAIGN: &str = "campaign";

/// Take something out of a campaign, as files
///
/// `judgements` are what `karat verify report` reads; `items` have votes, chances and outcomes; `people` what controls and the model
/// say of each pseudonym; `decisions` their history; `provenance` is PROV-JSON; `ding-2022` is a folder with the tables of the
/// paper; `campaign` is everything in one file, for `karat verify import`. Ids of platforms are in none of them, and free texts
/// only with --notes.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Export {
    /// The campaign
    name: String,
    /// What is taken out
    #[arg(long, value_name = "WHAT", default_value = "judgements", value_parser = exports())]
    what: String,
    /// Where to; what its name ends in is the form: .csv, .jsonl, .tsv or .json. Standard output if it is not given
    #[arg(long, short, value_name = "FILE")]
    output: Option<String>,
    /// With free texts, which may be personal
    #[arg(long)]
    notes: bool,
    #[command(flatten)]
    store: StoreArguments,
}

const EXAMPLES: &str = "Examples:
  karat verify export spring -o judgements.csv
      a row for each judgement, with controls and surplus marked
  karat verify export spring --what items -o items.jsonl
      what became of each item
  karat verify export spring --what campaign -o spring.jsonl
      the whole campaign, to be taken to another database";

/// Read a campaign that was exported, or judgements that were made elsewhere
///
/// A file of `karat verify export --what campaign` becomes a campaign of this workspace. The tables of Ding, Botzer and Weninger
/// (2022), as a folder of CSV files, and the output of Label Studio or Potato become a file of judgements, with --output.
#[derive(Debug, Args)]
#[command(after_help = IMPORTS)]
pub(crate) struct Import {
    /// The file or folder
    input: String,
    /// What the campaign is called here, if not as in the file
    #[arg(long, value_name = "NAME", conflicts_with = "output")]
    name: Option<String>,
    /// Where judgements are written: CSV, or JSON lines if it ends in .jsonl
    #[arg(long, short, value_name = "FILE")]
    output: Option<String>,
    /// A file of judgements with the items, for output that says only what items are called
    #[arg(long, value_name = "FILE", requires = "output")]
    items: Option<String>,
    #[command(flatten)]
    store: StoreArguments,
}

const IMPORTS: &str = "Examples:
  karat verify import spring.jsonl --name spring-2
      a campaign that came from elsewhere
  karat verify import label-studio.json --items items.csv -o judgements.csv
      judgements that were made in another tool";

fn exports() -> clap::builder::PossibleValuesParser {
    CampaignExport::ALL
        .map(CampaignExport::name)
        .into_iter()
        .chain([CAMPAIGN])
        .collect::<Vec<_>>()
        .into()
}

impl Export {
    pub(crate) fn run(self) -> Result<(), Failure> {
        let Export { name, what, output, notes, store } = self;
        let Some(wanted) = CampaignExport::of(&what) else {
            let text = store.with(async move |store| {
                let row = store.campaign(&name).await.map_err(refused)?;
                store.campaign_archive(row.id, notes).await.map_err(refused)
            })?;
            return written(output.as_deref(), &text);
        };
        let form = form_of(wanted, output.as_deref())?;
        let records: CampaignRecords = store.with(async move |store| {
            let row = store.campaign(&name).await.map_err(refused)?;
            campaign_records(&store, &row, notes).await.map_err(refused)
        })?;
        let files = wanted.files(&records, form).unwrap_or_default();
        if let [file] = &files[..] {
            return written(output.as_deref(), &file.text);
        }
        let several =
            || Failure::usage(format!("`{what}` is several files"), "name a folder with --output");
        let folder = output.ok_or_else(several)?;
        let files = files.into_iter().map(|file| (file.name, file.text));
        Ok(write_files(Path::new(&folder), files)?)
    }
}

/// The form that the name of a file asks for, or the usual one.
fn form_of(what: CampaignExport, output: Option<&str>) -> Result<&'static str, Failure> {
    let usual = what.forms().first().copied().unwrap_or("csv");
    let ending = output.and_then(|path| Path::new(path).extension()?.to_str());
    let Some(ending) = ending.filter(|_| what != CampaignExport::Original) else {
        return Ok(usual);
    };
    let found = what.forms().iter().find(|form| **form == ending).copied();
    found.ok_or_else(|| {
        let forms: Vec<String> = what.forms().iter().map(|form| format!(".{form}")).collect();
        let message = format!("`{}` is not written as .{ending}", what.name());
        Failure::usage(message, format!("name a file that ends in {}", forms.join(", ")))
    })
}

fn written(output: Option<&str>, text: &str) -> Result<(), Failure> {
    match output {
        None | Some("-") => Ok(std::io::stdout().write_all(text.as_bytes())?),
        Some(path) => Ok(write_file(path, text)?),
    }
}

impl Import {
    pub(crate) fn run(self) -> Result<(), Failure> {
        let Import { input, name, output, items, store } = self;
        if let Some(output) = output {
            check_is_no_input(&output, [&input].into_iter().chain(&items).map(String::as_str))?;
            let file = JudgementFile::open(&input, items.as_deref())?;
            let text = if output.ends_with(".jsonl") { file.jsonl() } else { file.csv() };
            return written(Some(&output), &text);
        }
        let text = text_of(&input)?;
        let row = store.with(async move |store| {
            store.import_campaign(&By::local(), &text, name.as_deref()).await.map_err(|error| {
                let hint = "give a file of `karat verify export --what campaign`; judgements of other tools need --output";
                match error {
                    karat_store::StoreError::Unfit(_) => Failure::usage(error.to_string(), hint),
                    other => refused(other),
                }
            })
        })?;
        writeln!(std::io::stdout(), "{}: {}", row.name, row.state.name())?;
        Ok(())
    }
}
