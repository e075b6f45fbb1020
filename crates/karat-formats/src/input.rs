//! What a user names as one input: a file, a directory, or several.

use crate::problem::{Kind, Problem};
use crate::source::Source;
use std::collections::HashMap;
use std::fs::FileType;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

/// The files of one input, in order.
#[derive(Debug, Clone, Default)]
pub struct Input {
    sources: Vec<Source>,
    /// Made when a file is first asked for its companion: a folder may hold a hundred thousand pairs.
    by_name: OnceLock<Names>,
}

/// The places of files by their names, and then by their folders.
type Names = HashMap<String, HashMap<String, Vec<usize>>>;

impl From<Source> for Input {
    fn from(source: Source) -> Input {
        Input { sources: vec![source], ..Input::default() }
    }
}

impl FromIterator<Source> for Input {
    fn from_iter<I: IntoIterator<Item = Source>>(sources: I) -> Input {
        Input { sources: sources.into_iter().collect(), ..Input::default() }
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
                path => input.add(Path::new(path), Source::file)?,
            }
        }
        if input.sources.is_empty() {
            return Err(Problem::new(Kind::Unreadable, argument, "no files here")
                .hint("give a file, a directory with files, or `-` for standard input"));
        }
        Ok(input)
    }

    /// An input with a name: `schwa=schwa.tsv`. An argument without one is called as its
    /// directory, or as the stem of its first file.
    pub fn named(argument: &str) -> Result<(String, Input), Problem> {
        let (name, files) = Input::split_name(argument);
        Input::named_as(name, files)
    }

    /// The same, where the name, if one is given, has been taken off the files.
    pub fn named_as(name: Option<&str>, files: &str) -> Result<(String, Input), Problem> {
        let input = Input::open(files)?;
        let stem = || input.sources.first().map_or("", Source::stem).to_owned();
        let name = name.map(str::to_owned).or_else(|| directory_name(files)).unwrap_or_else(stem);
        Ok((name, input))
    }

    /// What files without a name are called: as their directory, or as the stem of the first.
    pub fn name_of(files: &str) -> String {
        let whole = Path::new(files).exists();
        let first =
            if whole { Some(files) } else { files.split(',').find(|part| !part.is_empty()) };
        let stem = || Source::file(first.unwrap_or_default()).stem().to_owned();
        directory_name(files).unwrap_or_else(stem)
    }

    /// The name in an argument, if one is given, and the files.
    pub fn split_name(argument: &str) -> (Option<&str>, &str) {
        let split = argument.split_once('=').filter(|(name, _)| {
            // A file whose name has an equals sign is still a file.
            !name.is_empty() && !name.contains(['/', ',']) && !Path::new(argument).exists()
        });
        split.map_or((None, argument), |(name, files)| (Some(name), files))
    }

    fn add(&mut self, path: &Path, source: fn(PathBuf) -> Source) -> Result<(), Problem> {
        let unreadable = |error: &std::io::Error| Source::file(path).unreadable(error);
        let metadata = path.metadata().map_err(|error| unreadable(&error))?;
        if metadata.is_file() {
            self.sources.push(source(path.to_owned()));
            return Ok(());
        }
        if !metadata.is_dir() {
            // A pipe, as a shell makes of `<(zcat gold.tsv.gz)`, gives what is in it only once.
            let content = std::fs::read(path).map_err(|error| unreadable(&error))?;
            self.sources.push(Source::memory(path.display().to_string(), content));
            return Ok(());
        }
        let entries = std::fs::read_dir(path).and_then(Iterator::collect::<Result<Vec<_>, _>>);
        let mut entries = entries.map_err(|error| unreadable(&error))?;
        // File systems give entries in any order; sorted, the result is the same on every machine.
        entries.sort_by_key(std::fs::DirEntry::file_name);
        for entry in entries {
            if entry.file_name().to_string_lossy().starts_with('.') {
                continue;
            }
            let kind = entry.file_type();
            // What is not there cannot be recognised, so nobody knows whether it was meant.
            if kind.as_ref().is_ok_and(FileType::is_symlink) && !entry.path().exists() {
                let name = entry.path().display().to_string();
                let message = "a link to a file that is not there";
                let problem = Problem::new(Kind::Unreadable, name, message);
                return Err(problem.hint("bring the file, or remove the link"));
            }
            // Links to folders may lead in circles, and a pipe waits for ever.
            let folder = kind.is_ok_and(|kind| kind.is_dir());
            if folder || entry.path().is_file() {
                self.add(&entry.path(), Source::found)?;
            }
        }
        Ok(())
    }

    /// All files.
    pub fn sources(&self) -> &[Source] {
        &self.sources
    }

    /// How messages name it: by its first file, and how many more there are.
    pub(crate) fn shown_name(&self) -> String {
        let first = self.sources.first().map_or("", Source::name).to_owned();
        match self.sources.len().saturating_sub(1) {
            0 => first,
            1 => format!("{first} and another file"),
            more => format!("{first} and {more} more files"),
        }
    }

    /// Size of all files in bytes, as stored.
    pub fn size(&self) -> u64 {
        self.sources.iter().map(Source::size).sum()
    }

    /// A file that belongs to another: one with this file name in the input, in
    /// the folder of `file`, or in one of the sibling folders named. Where several
    /// files of the input have the name, the nearest is meant.
    pub fn companion(&self, file: &Source, name: &str, folders: &[&str]) -> Option<Source> {
        let is_other = |at: &&usize| {
            let other = self.sources.get(**at);
            other.is_some_and(|other| other.name() != file.name())
        };
        let far = |to: &str| distance(file.folder(), to, folders);
        let named = self.names().get(name);
        let beside = named.and_then(|named| named.get(file.folder()));
        let beside = beside.filter(|_| far(file.folder()) == 0);
        // Where every folder has a file of this name, the others are not looked at.
        let nearest = beside.and_then(|all| all.iter().find(is_other));
        let anywhere = || {
            let folders = named.into_iter().flatten();
            let others = folders.flat_map(|(folder, all)| {
                all.iter().find(is_other).map(|&first| (far(folder), first))
            });
            others.min().map(|(_, at)| at)
        };
        let given = nearest.copied().or_else(anywhere).and_then(|at| self.sources.get(at));
        if let Some(source) = given {
            return Some(source.clone());
        }
        let folder = file.path()?.parent()?;
        // A file that is named without its folder is in one that has a sibling too.
        let up = match folder.as_os_str().is_empty() || folder == Path::new(".") {
            true => Some(PathBuf::from("..")),
            false => folder.parent().map(Path::to_path_buf),
        };
        let beside = std::iter::once(folder.join(name));
        let siblings = folders.iter().flat_map(|sibling| {
            [
                Some(folder.join(sibling).join(name)),
                up.as_ref().map(|up| up.join(sibling).join(name)),
            ]
        });
        beside
            .chain(siblings.flatten())
            // A file must not lead out of its folders by its own say.
            .filter(|_| !name.contains(['/', '\\']) && name != "..")
            // Nor be its own companion: some benchmarks name both alike.
            .filter(|path| Some(path.as_path()) != file.path())
            .find(|path| path.is_file())
            .map(Source::file)
    }
}

impl Input {
    fn names(&self) -> &Names {
        self.by_name.get_or_init(|| {
            let mut names = Names::new();
            for (at, source) in self.sources.iter().enumerate() {
                let of_name = names.entry(source.file_name().to_owned()).or_default();
                of_name.entry(source.folder().to_owned()).or_default().push(at);
            }
            names
        })
    }
}

/// How far a folder is from the folder of a file, by the custom of companions.
fn distance(from: &str, to: &str, folders: &[&str]) -> u8 {
    let (above_to, last) = to.rsplit_once(['/', '\\']).unwrap_or(("", to));
    let above_from = from.rsplit_once(['/', '\\']).map_or("", |(above, _)| above);
    let named = folders.contains(&last);
    match () {
        () if from == to && !named => 0,
        () if named && (above_to == from || above_to == above_from) => 1,
        () if from == to => 2,
        () if named => 3,
        () => 4,
    }
}

/// What a directory is called, however the argument spells it; `None` for a file.
fn directory_name(argument: &str) -> Option<String> {
    let path = Path::new(argument);
    if !path.is_dir() {
        return None;
    }
    // A link is called as it is named. `.` and `gold/..` have no name of their own.
    let whole = match path.file_name() {
        Some(_) => path.to_path_buf(),
        None => path.canonicalize().ok()?,
    };
    whole.file_name().map(|name| name.to_string_lossy().into_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_nearest_companion_is_meant() {
        let names = ["a/Problems/x", "a/RawTexts/x", "b/Problems/x", "b/RawTexts/x", "c/x.xml"];
        let input: Input = names.iter().map(|name| Source::memory(*name, "")).collect();
        let found = |file: &str, name: &str| {
            let file = Source::memory(file, "");
            input.companion(&file, name, &["RawTexts"]).map(|source| source.name().to_owned())
        };
        assert_eq!(found("a/Problems/x", "x").as_deref(), Some("a/RawTexts/x"));
        assert_eq!(found("b/Problems/x", "x").as_deref(), Some("b/RawTexts/x"));
        assert_eq!(found("b/x.xml", "x").as_deref(), Some("b/RawTexts/x"));
        assert_eq!(found("b/Problems/x", "y"), None);
        assert_eq!(found("c/x.xml", "x.xml"), None, "no file is its own companion");
    }

    /// One look at the names for all files: with a look at all for each, this takes minutes.
    #[test]
    fn a_hundred_thousand_pairs_find_each_other() {
        let pairs = 50_000;
        let name = |at: usize, end: &str| format!("corpus/{at}/{}.{end}", at % 7);
        let files = (0..pairs).flat_map(|at| ["txt", "ann"].map(|end| name(at, end)));
        let input: Input = files.map(|name| Source::memory(name, "")).collect();
        for at in 0..pairs {
            let text = Source::memory(name(at, "txt"), "");
            let found = input.companion(&text, &format!("{}.ann", at % 7), &[]);
            assert_eq!(found.map(|it| it.name().to_owned()), Some(name(at, "ann")));
        }
    }

    #[cfg(unix)]
    #[test]
    fn a_pipe_can_be_looked_at_more_than_once() {
        let folder = tempfile::tempdir().unwrap();
        let pipe = folder.path().join("pipe");
        assert!(std::process::Command::new("mkfifo").arg(&pipe).status().unwrap().success());
        let writer = std::thread::spawn({
            let pipe = pipe.clone();
            move || std::fs::write(pipe, "d\t0\t1\n")
        });
        // Nobody writes a second time, so whoever reads a second time waits for ever.
        let (send, received) = std::sync::mpsc::channel();
        std::thread::spawn(move || {
            let input = Input::open(&pipe.display().to_string()).unwrap();
            let [source] = input.sources() else { panic!("{input:?}") };
            let head = source.head(100).unwrap();
            let text = source.text().unwrap().as_str().to_owned();
            let _ = send.send((head, text, source.file_name().to_owned()));
        });
        let limit = std::time::Duration::from_secs(30);
        let (head, text, name) = received.recv_timeout(limit).expect("it is read only once");
        writer.join().unwrap().unwrap();
        assert_eq!(head, b"d\t0\t1\n");
        assert_eq!((text.as_str(), name.as_str()), ("d\t0\t1\n", "pipe"));
    }

    fn folder() -> tempfile::TempDir {
        let folder = tempfile::tempdir().unwrap();
        for name in ["a=b.tsv", "c.tsv", "d,e.tsv", ".hidden"] {
            std::fs::write(folder.path().join(name), "d\t0\t1\n").unwrap();
        }
        folder
    }

    #[test]
    fn a_name_comes_before_an_equals_sign_or_from_the_file_or_directory() {
        let folder = folder();
        let path = |name: &str| folder.path().join(name).display().to_string();
        let name = |argument: String| Input::named(&argument).unwrap().0;
        assert_eq!(name(format!("schwa={}", path("c.tsv"))), "schwa");
        assert_eq!(name(path("c.tsv")), "c");
        assert_eq!(name(path("a=b.tsv")), "a=b");
        std::fs::create_dir(folder.path().join("gold")).unwrap();
        std::fs::write(folder.path().join("gold/first.tsv"), "d\t0\t1\n").unwrap();
        assert_eq!(name(path("gold/")), "gold");
        assert_eq!(name(path("gold/.")), "gold");
        #[cfg(unix)]
        {
            std::os::unix::fs::symlink(folder.path().join("gold"), folder.path().join("silver"))
                .unwrap();
            assert_eq!(name(path("silver")), "silver", "a link has a name of its own");
        }
        let (_, input) = Input::named(&format!("x={},{}", path("c.tsv"), path("a=b.tsv"))).unwrap();
        assert_eq!(input.sources().len(), 2);
    }

    #[test]
    fn directories_and_lists_are_opened() {
        let folder = folder();
        let count = |argument: &str| Input::open(argument).map(|input| input.sources().len());
        let root = folder.path().display();
        assert_eq!(count(&root.to_string()).unwrap(), 3, "hidden files are left out");
        assert_eq!(count(&format!("{root}/d,e.tsv")).unwrap(), 1, "a comma in a name");
        assert_eq!(count(&format!("{root}/c.tsv,{root}/a=b.tsv")).unwrap(), 2);
        assert_eq!(count(&format!("{root}/none.tsv")).unwrap_err().kind, Kind::Unreadable);
        assert_eq!(count("").unwrap_err().message, "no files here");
    }
}
