//! What a user names as one input: a file, a directory, or several.

use crate::problem::{Kind, Problem};
use crate::source::Source;
use std::path::Path;

/// The files of one input, in order.
#[derive(Debug, Clone, Default)]
pub struct Input {
    sources: Vec<Source>,
}

impl From<Source> for Input {
    fn from(source: Source) -> Input {
        Input { sources: vec![source] }
    }
}

impl FromIterator<Source> for Input {
    fn from_iter<I: IntoIterator<Item = Source>>(sources: I) -> Input {
        Input { sources: sources.into_iter().collect() }
    }
}

impl Input {
    /// The input behind a command-line argument: a file, a directory (all its
    /// files, sorted), `-` for standard input, or several of these joined by commas.
    pub fn open(argument: &str) -> Result<Input, Problem> {
        let mut input = Input::default();
        // A file whose name has a comma is still a file.
        let whole = Path::new(argument).exists();
        let parts: Vec<&str> = if whole { vec![argument] } else { argument.split(',').collect() };
        for part in parts {
            match part {
                "" => {}
                "-" => input.sources.push(Source::stdin()?),
                path => input.add(Path::new(path))?,
            }
        }
        if input.sources.is_empty() {
            return Err(Problem::new(Kind::Unreadable, argument, "no files here")
                .hint("give a file, a directory with files, or `-` for standard input"));
        }
        Ok(input)
    }

    fn add(&mut self, path: &Path) -> Result<(), Problem> {
        let unreadable = |error: &std::io::Error| Source::file(path).unreadable(error);
        let metadata = path.metadata().map_err(|error| unreadable(&error))?;
        if !metadata.is_dir() {
            self.sources.push(Source::file(path));
            return Ok(());
        }
        let entries = std::fs::read_dir(path).and_then(Iterator::collect::<Result<Vec<_>, _>>);
        let mut entries = entries.map_err(|error| unreadable(&error))?;
        entries.sort_by_key(std::fs::DirEntry::file_name);
        for entry in entries {
            if !entry.file_name().to_string_lossy().starts_with('.') {
                self.add(&entry.path())?;
            }
        }
        Ok(())
    }

    /// All files.
    pub fn sources(&self) -> &[Source] {
        &self.sources
    }

    /// Size of all files in bytes, as stored.
    pub fn size(&self) -> u64 {
        self.sources.iter().map(Source::size).sum()
    }

    /// A file that belongs to another: one with this file name in the input, in
    /// the folder of `file`, or in one of the sibling folders named.
    pub fn companion(&self, file: &Source, name: &str, folders: &[&str]) -> Option<Source> {
        let given = self.sources.iter().find(|source| source.file_name() == name);
        if let Some(source) = given {
            return Some(source.clone());
        }
        let folder = file.path()?.parent()?;
        let beside = std::iter::once(folder.join(name));
        let siblings = folders.iter().flat_map(|sibling| {
            [
                Some(folder.join(sibling).join(name)),
                folder.parent().map(|up| up.join(sibling).join(name)),
            ]
        });
        beside
            .chain(siblings.flatten())
            // A file must not lead out of its folders by its own say.
            .filter(|_| !name.contains(['/', '\\']) && name != "..")
            .find(|path| path.is_file())
            .map(Source::file)
    }
}
