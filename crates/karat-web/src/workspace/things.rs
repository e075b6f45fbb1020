//! What can be renamed and removed, seen alike.

use super::Workspace;
use crate::access::{Act, Visitor};
use karat_store::{EVERYTHING, Removable, StoreError, TrashRow};

/// A benchmark, system, run or board, with what its form needs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EditableThing {
    /// What it is.
    pub kind: Removable,
    /// Its id.
    pub id: String,
    /// How often it was changed.
    pub version: i64,
    /// What has to be typed to remove it.
    pub name: String,
    /// Its name in addresses; nothing for a run.
    pub slug: Option<String>,
    /// Its name for people; for a run its label.
    pub title: String,
    /// What is said about it.
    pub about: String,
    /// For a benchmark whether gold is hidden, for a system whether something better took its place.
    pub flag: bool,
    /// For a benchmark, what one may do with it.
    pub licence: String,
    /// Who may change it beside organisers.
    pub rights: ThingRights,
}

/// Who may change something: organisers of its benchmark, or of everything where it has none; and who sent the run or
/// owns the system.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ThingRights {
    /// The id of the benchmark that it is or belongs to.
    pub benchmark: Option<String>,
    /// The id of the person it belongs to.
    pub owner: Option<String>,
}

impl ThingRights {
    /// Whether this visitor may change, remove and restore it.
    pub fn allow(&self, visitor: &Visitor) -> bool {
        let person = visitor.person().map(|person| person.id.as_str());
        let is_own = person.is_some() && self.owner.as_deref() == person;
        match &self.benchmark {
            Some(benchmark) if is_own => visitor.may(Act::Submit, benchmark),
            Some(benchmark) => visitor.may(Act::Organise, benchmark),
            None if is_own => visitor.may_somewhere(Act::Submit),
            None => visitor.may(Act::Organise, EVERYTHING),
        }
    }
}

impl From<&TrashRow> for ThingRights {
    fn from(row: &TrashRow) -> ThingRights {
        ThingRights { benchmark: row.benchmark.clone(), owner: row.owner.clone() }
    }
}

impl Workspace {
    /// Something that this visitor may change, by its id or by its name in addresses. For others it is not there.
    pub fn thing(
        &self,
        visitor: &Visitor,
        kind: Removable,
        id: &str,
    ) -> Result<EditableThing, StoreError> {
        let thing = self.wait(self.found_thing(kind, id))?;
        match thing.rights.allow(visitor) {
            true => Ok(thing),
            false => Err(StoreError::NotFound { what: kind.word(), id: id.to_owned() }),
        }
    }

    async fn found_thing(&self, kind: Removable, id: &str) -> Result<EditableThing, StoreError> {
        let store = self.store();
        Ok(match kind {
            Removable::Benchmark => {
                let row = store.benchmark(id).await?;
                EditableThing {
                    kind,
                    rights: ThingRights { benchmark: Some(row.id.clone()), owner: None },
                    id: row.id,
                    version: row.version,
                    name: row.slug.clone(),
                    slug: Some(row.slug),
                    title: row.title,
                    about: row.about,
                    flag: row.gold_hidden,
                    licence: row.licence,
                }
            }
            Removable::System => {
                let row = store.system(id).await?;
                EditableThing {
                    kind,
                    id: row.id,
                    version: row.version,
                    name: row.slug.clone(),
                    slug: Some(row.slug),
                    title: row.title,
                    about: row.about,
                    flag: row.deprecated,
                    licence: String::new(),
                    rights: ThingRights { benchmark: None, owner: row.owner },
                }
            }
            Removable::Run => {
                let row = store.run(id).await?;
                let system = store.system(&row.system).await?;
                let edition = store.edition(&row.edition).await?;
                EditableThing {
                    kind,
                    id: row.id,
                    version: row.version,
                    name: system.slug,
                    slug: None,
                    title: row.label,
                    about: row.note,
                    flag: false,
                    licence: String::new(),
                    rights: ThingRights { benchmark: Some(edition.benchmark), owner: row.sent_by },
                }
            }
            Removable::Board => {
                let row = store.board(id).await?;
                EditableThing {
                    kind,
                    id: row.id,
                    version: row.version,
                    name: row.slug.clone(),
                    slug: Some(row.slug),
                    title: row.title,
                    about: row.about,
                    flag: row.published.is_some(),
                    licence: String::new(),
                    rights: ThingRights::default(),
                }
            }
        })
    }
}
