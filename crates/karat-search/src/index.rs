//! Making and opening an index.

use crate::damage::{Manifest, guarded};
use crate::entries::{Columns, Fields, analyzer, write};
use crate::read_only::ReadOnly;
use karat_kb::{KbError, KnowledgeBase};
use karat_model::Hint;
use std::io;
use std::path::{Path, PathBuf};
use tantivy::tokenizer::TextAnalyzer;
use tantivy::{Index, IndexReader, ReloadPolicy};

/// Why there is nothing to search in.
#[derive(Debug, thiserror::Error)]
pub enum SearchError {
    /// There is no index.
    #[error("{folder}: there is no index for search")]
    Missing {
        /// Where it should be.
        folder: String,
    },
    /// The index is of another base, or was made by another version.
    #[error("{folder}: the index for search is of another knowledge base or version, {found}")]
    Stale {
        /// Where it is.
        folder: String,
        /// What it was made for.
        found: String,
    },
    /// The index was changed after it was made.
    #[error("{folder}: the index for search is damaged: {what}")]
    Damaged {
        /// Where it is.
        folder: String,
        /// What does not fit.
        what: String,
    },
    /// The index is there and may not be read.
    #[error("{folder}: the index for search cannot be read: {reason}")]
    Unreadable {
        /// Where it is.
        folder: String,
        /// Why not.
        reason: String,
    },
    /// The index cannot be made.
    #[error("{folder}: the index for search cannot be made: {reason}")]
    Unusable {
        /// Where it should be.
        folder: String,
        /// Why not.
        reason: String,
    },
    /// The knowledge base cannot be read.
    #[error(transparent)]
    Base(#[from] KbError),
}

impl SearchError {
    /// What the user can do.
    pub fn hint(&self) -> Hint {
        Hint::from(match self {
            SearchError::Missing { .. } | SearchError::Stale { .. } => {
                "make it with `karat kb index FILE`"
            }
            SearchError::Damaged { .. } => "make it again with `karat kb index FILE`",
            SearchError::Unreadable { .. } => "check who may read it",
            SearchError::Unusable { .. } => {
                "check who may write there, the space left, and what else has this name"
            }
            SearchError::Base(error) => return error.hint(),
        })
    }
}

/// An index over the names of one knowledge base.
pub struct SearchIndex {
    pub(crate) reader: IndexReader,
    pub(crate) analyzer: TextAnalyzer,
    pub(crate) fields: Fields,
    pub(crate) columns: Vec<Columns>,
    pub(crate) folder: PathBuf,
}

/// The file that says which base an index is of.
const BASE: &str = "karat-base";
/// Changes whenever entries are written in another way, so that an older index is made again.
const LAYOUT: u32 = 2;

/// What the name of an index has beyond that of its base.
const ENDING: &str = ".search";

/// Where the index of a base is.
pub fn folder_of(base: &Path) -> PathBuf {
    let mut name = base.as_os_str().to_owned();
    name.push(ENDING);
    PathBuf::from(name)
}

/// Whether a folder is the index of some base.
pub fn is_index(folder: &Path) -> bool {
    folder.join(BASE).is_file()
}

impl SearchIndex {
    /// Makes the index of a base, all or nothing, in place of an older one.
    pub fn build(base: &KnowledgeBase, folder: &Path) -> Result<SearchIndex, SearchError> {
        let unusable = |reason: &dyn std::fmt::Display| unusable(folder, reason);
        let parent = folder.parent().filter(|parent| !parent.as_os_str().is_empty());
        let temporary = tempfile::Builder::new()
            .prefix(".karat-search-")
            .tempdir_in(parent.unwrap_or(Path::new(".")))
            .map_err(|error| unusable(&error))?;
        write(base, temporary.path()).map_err(|error| unusable(&error))?;
        // An index of a damaged base would lack what could not be read.
        base.check()?;
        let manifest = Manifest::of(temporary.path()).map_err(|error| unusable(&error))?;
        let about = format!("{}\n{}", made_for(base), manifest.written());
        std::fs::write(temporary.path().join(BASE), about).map_err(|error| unusable(&error))?;
        share(temporary.path(), folder).map_err(|error| unusable(&error))?;
        // Only a folder that is an index is removed: a wrong path must not delete anything else.
        if is_index(folder) {
            std::fs::remove_dir_all(folder).map_err(|error| unusable(&error))?;
        }
        let made = temporary.keep();
        std::fs::rename(&made, folder).map_err(|error| {
            let _ = std::fs::remove_dir_all(&made);
            unusable(&error)
        })?;
        SearchIndex::open(base, folder)
    }

    /// Opens the index of a base. The files of a large one are only measured; [`verify`](Self::verify)
    /// reads them.
    pub fn open(base: &KnowledgeBase, folder: &Path) -> Result<SearchIndex, SearchError> {
        let manifest = manifest(base, folder)?;
        manifest.check_readable(folder).map_err(|error| unreadable(folder, &error))?;
        if let Some(what) = manifest.damage(folder) {
            return Err(damaged(folder, what));
        }
        let opened = guarded(|| SearchIndex::opened(folder)).and_then(Result::ok);
        opened.ok_or_else(|| damaged(folder, CONTRADICTION))
    }

    /// Reads the whole index of a base, and fails if any byte of it was changed.
    pub fn verify(base: &KnowledgeBase, folder: &Path) -> Result<(), SearchError> {
        let manifest = manifest(base, folder)?;
        manifest.check_readable(folder).map_err(|error| unreadable(folder, &error))?;
        let damage = manifest.any_damage(folder);
        damage.map_or(Ok(()), |what| Err(damaged(folder, what)))
    }

    fn opened(folder: &Path) -> tantivy::Result<SearchIndex> {
        let index = Index::open(ReadOnly::open(folder)?)?;
        let fields = Fields::of(&index.schema())?;
        let reader: IndexReader =
            index.reader_builder().reload_policy(ReloadPolicy::Manual).try_into()?;
        let searcher = reader.searcher();
        let columns =
            searcher.segment_readers().iter().map(Columns::of).collect::<Result<_, _>>()?;
        Ok(SearchIndex { reader, analyzer: analyzer(), fields, columns, folder: folder.to_owned() })
    }

    /// How many texts it has.
    pub fn len(&self) -> u64 {
        self.reader.searcher().num_docs()
    }

    /// Whether it has none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

/// What is wrong with an index that its library cannot read.
pub(crate) const CONTRADICTION: &str = "its parts contradict each other";

pub(crate) fn damaged(folder: &Path, what: impl Into<String>) -> SearchError {
    SearchError::Damaged { folder: folder.display().to_string(), what: what.into() }
}

/// The base and the layout that an index must have been made for.
fn made_for(base: &KnowledgeBase) -> String {
    format!("{} layout {LAYOUT}", base.fingerprint())
}

/// What the index of a base says of its files.
fn manifest(base: &KnowledgeBase, folder: &Path) -> Result<Manifest, SearchError> {
    let name = || folder.display().to_string();
    let about = std::fs::read_to_string(folder.join(BASE)).map_err(|error| match error.kind() {
        io::ErrorKind::NotFound | io::ErrorKind::NotADirectory => {
            SearchError::Missing { folder: name() }
        }
        io::ErrorKind::InvalidData => damaged(folder, "the list of its files was changed"),
        _ => unreadable(folder, &error),
    })?;
    let (found, files) = about.split_once('\n').unwrap_or((&about, ""));
    if found != made_for(base) {
        return Err(SearchError::Stale { folder: name(), found: found.to_owned() });
    }
    let manifest = Manifest::read(files).filter(|_| !files.is_empty());
    manifest.ok_or_else(|| damaged(folder, "the list of its files was changed"))
}

fn unreadable(folder: &Path, reason: &io::Error) -> SearchError {
    SearchError::Unreadable { folder: folder.display().to_string(), reason: reason.to_string() }
}

/// Lets those read an index who may read its base. Its library makes files that only their owner may read, in a
/// temporary folder that only its owner may enter.
#[cfg(unix)]
fn share(made: &Path, folder: &Path) -> io::Result<()> {
    use std::fs::{Permissions, metadata, set_permissions};
    use std::os::unix::fs::PermissionsExt;
    let base = folder.as_os_str().to_string_lossy().strip_suffix(ENDING).map(PathBuf::from);
    let base = base.and_then(|base| metadata(base).ok());
    let mode = base.map_or(0o644, |base| base.permissions().mode() & 0o666 | 0o600);
    for entry in std::fs::read_dir(made)? {
        set_permissions(entry?.path(), Permissions::from_mode(mode))?;
    }
    // Whoever may read the files may enter the folder.
    set_permissions(made, Permissions::from_mode(mode & !0o022 | (mode & 0o444) >> 2 | 0o700))
}

#[cfg(not(unix))]
fn share(_: &Path, _: &Path) -> io::Result<()> {
    Ok(())
}

fn unusable(folder: &Path, reason: &dyn std::fmt::Display) -> SearchError {
    SearchError::Unusable { folder: folder.display().to_string(), reason: reason.to_string() }
}
