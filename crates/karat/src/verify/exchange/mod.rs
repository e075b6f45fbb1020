//! Campaigns to take away, and judgements that were made elsewhere.
//!
//! | module | what it does |
//! | --- | --- |
//! | `records` | what is known of a campaign, for everything that is written of it |
//! | `tables` | items with votes and chances, people, decisions |
//! | `provenance` | who said what and what became of it, as PROV-JSON |
//! | `original` | the tables of Ding, Botzer and Weninger (2022), both ways |
//! | `label_studio`, `potato` | judgements that were made in other tools |

mod label_studio;
mod original;
mod potato;
mod provenance;
mod records;
mod tables;

pub use original::{ORIGINAL_TABLES, original_tables};
pub use provenance::provenance;
pub use records::{CampaignExport, CampaignRecords, DecisionRecord, ExportedFile, PersonRecord};

use super::judgements::JudgementFile;
use crate::error::Error;
use karat_formats::{Input, Kind, Problem, Source};
use karat_model::Hint;
use std::path::Path;

impl JudgementFile {
    /// Reads judgements by what they look like: karat's own tables, a folder with the tables of the original, or the output of
    /// Label Studio or Potato. Output of other tools that says only what items are called needs `items`: a file of judgements
    /// with these items, judged or not.
    pub fn open(argument: &str, items: Option<&str>) -> Result<JudgementFile, Error> {
        let items = items.map(|path| JudgementFile::read(&Source::file(path))).transpose()?;
        if argument == "-" {
            return Ok(JudgementFile::of_source(&Source::stdin()?, items.as_ref())?);
        }
        if Path::new(argument).is_dir() {
            let verified = Path::new(argument).join(ORIGINAL_TABLES[3]);
            return match verified.is_file() {
                true => Ok(original::read(Path::new(argument))?),
                false => potato_folder(argument, items.as_ref()),
            };
        }
        let input = Input::open(argument)?;
        let [source] = input.sources() else {
            let message = format!("`{argument}` is not one file");
            return Err(Error::bad_request(message, "judgements are one file"));
        };
        Ok(JudgementFile::of_source(source, items.as_ref())?)
    }

    fn of_source(source: &Source, items: Option<&JudgementFile>) -> Result<JudgementFile, Problem> {
        let text = source.text()?;
        let beginning = text.as_str().trim_start();
        let first = beginning.lines().next().unwrap_or_default();
        match beginning.chars().next() {
            Some('[') => label_studio::read(source, items),
            Some('{') if potato::is_line(first) => potato::read([source], items),
            _ => JudgementFile::read(source),
        }
    }
}

/// Potato has a file of answers in the folder of each person.
fn potato_folder(folder: &str, items: Option<&JudgementFile>) -> Result<JudgementFile, Error> {
    let input = Input::open(folder)?;
    let is_answers = |source: &&Source| source.file_name() == potato::FILE;
    let sources: Vec<&Source> = input.sources().iter().filter(is_answers).collect();
    if sources.is_empty() {
        let message = format!("`{folder}` has no judgements");
        let hint = format!(
            "give a folder with {}, or with the {} of Potato",
            ORIGINAL_TABLES.join(", "),
            potato::FILE
        );
        return Err(Error::bad_request(message, Hint::from(hint)));
    }
    Ok(potato::read(sources, items)?)
}

/// The items that answers of another tool are about.
struct KnownItems<'i> {
    file: &'i JudgementFile,
}

impl KnownItems<'_> {
    /// The place of an item by its name.
    fn place(&self, name: &str) -> Option<usize> {
        self.file.names.iter().position(|known| known == name)
    }
}

/// Refuses answers about items of which nothing is known.
fn items_needed(source: &Source) -> Problem {
    let message = "the answers say what items are called, and not what they are";
    Problem::new(Kind::Format, source.name(), message)
        .hint(Hint::template("give {items}: a file of judgements with these items"))
}

/// People by numbers, in the order in which they come: what tools call them may be a person's address.
#[derive(Default)]
struct Numbered {
    people: Vec<String>,
}

impl Numbered {
    fn name(&mut self, person: &str) -> String {
        let at = match self.people.iter().position(|known| known == person) {
            Some(at) => at,
            None => {
                self.people.push(person.to_owned());
                self.people.len() - 1
            }
        };
        format!("person-{}", at + 1)
    }
}
