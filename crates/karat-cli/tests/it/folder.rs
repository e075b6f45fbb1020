//! A temporary folder to run commands in.

use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// A folder that vanishes with the test.
pub(crate) struct Folder(tempfile::TempDir);

impl Folder {
    pub(crate) fn new() -> Folder {
        Folder(tempfile::tempdir().unwrap())
    }

    /// A folder with these files.
    pub(crate) fn with(files: &[(&str, &str)]) -> Folder {
        let folder = Folder::new();
        for (name, content) in files {
            folder.write(name, content.as_bytes());
        }
        folder
    }

    /// A folder with the sample in `sample/`.
    pub(crate) fn with_sample() -> Folder {
        let folder = Folder::new();
        assert!(folder.output("karat demo --export sample").status.success());
        folder
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    pub(crate) fn write(&self, name: &str, content: &[u8]) {
        let path = self.path(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, content).unwrap();
    }

    /// Copies a folder of the repository, with all that is in it.
    pub(crate) fn copy(&self, from: &str, name: &str) {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").join(from);
        let mut folders = vec![root.clone()];
        while let Some(folder) = folders.pop() {
            for entry in std::fs::read_dir(folder).unwrap() {
                let path = entry.unwrap().path();
                let inside = path.strip_prefix(&root).unwrap().to_str().unwrap().to_owned();
                match path.is_dir() {
                    true => folders.push(path),
                    false => {
                        self.write(&format!("{name}/{inside}"), &std::fs::read(&path).unwrap());
                    }
                }
            }
        }
    }

    pub(crate) fn read(&self, name: &str) -> Vec<u8> {
        std::fs::read(self.path(name)).unwrap()
    }

    /// The names of all files and folders in the folder, hidden ones too.
    pub(crate) fn names(&self) -> Vec<String> {
        let entries = std::fs::read_dir(self.0.path()).unwrap();
        let name =
            |entry: std::io::Result<std::fs::DirEntry>| entry.unwrap().file_name().into_string();
        let mut names: Vec<String> = entries.map(|entry| name(entry).unwrap()).collect();
        names.sort();
        names
    }

    /// Runs a line of shell in the folder, with `karat` on the path.
    pub(crate) fn output(&self, line: &str) -> Output {
        let karat = Path::new(env!("CARGO_BIN_EXE_karat")).parent().unwrap();
        let path = std::env::var("PATH").unwrap_or_default();
        Command::new("bash")
            .args(["-o", "pipefail", "-c", line])
            .current_dir(self.0.path())
            .env("PATH", format!("{}:{path}", karat.display()))
            .env("LC_ALL", "C.UTF-8")
            .env_remove("NO_COLOR")
            .env_remove("CLICOLOR_FORCE")
            .env_remove("COLUMNS")
            .output()
            .unwrap()
    }

    /// What a line of shell says: exit code, standard output, standard error.
    pub(crate) fn run(&self, line: &str) -> String {
        let output = self.output(line);
        let mut shown = format!("exit code {}\n", output.status.code().unwrap());
        for (name, bytes) in [("stdout", output.stdout), ("stderr", output.stderr)] {
            if !bytes.is_empty() {
                write!(shown, "-- {name}\n{}", String::from_utf8(bytes).unwrap()).unwrap();
            }
        }
        shown
    }
}
