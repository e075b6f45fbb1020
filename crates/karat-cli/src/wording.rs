//! How hints are spelled on a command line.

use karat::command::quoted;
use karat::listings::setting_names;
use karat::model::{Hint, NamedSetting};

/// A hint with the settings it names as flags.
pub(crate) fn in_flags(hint: &Hint) -> String {
    hint.worded(flag)
}

/// The settings of a convention that have a flag of their own beside `--set`.
const OWN_FLAGS: [&str; 5] = ["preset", "task", "match", "assign", "threshold"];

/// A setting as it is typed.
fn flag(setting: &NamedSetting) -> String {
    let name = &setting.name;
    match &setting.value {
        None => format!("--{name}"),
        Some(value) if is_set(name) => format!("--set {name}={}", quoted(value)),
        Some(value) => format!("--{name} {}", quoted(value)),
    }
}

/// Whether a setting with a value is given with `--set`.
fn is_set(name: &str) -> bool {
    !OWN_FLAGS.contains(&name) && setting_names().any(|known| known == name)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::commands::Cli;
    use std::collections::BTreeSet;
    use std::path::Path;

    #[test]
    fn settings_are_spelled_as_flags() {
        let worded = |template| in_flags(&Hint::template(template));
        assert_eq!(worded("try `{unit=bytes}`, or {lenient}"), "try `--unit bytes`, or --lenient");
        assert_eq!(
            worded("{in-kb=every-id} or {task=disambiguation}"),
            "--set in-kb=every-id or --task disambiguation"
        );
        let column = Hint::from("did you mean ").setting("columns", "link=the entity".to_owned());
        assert_eq!(in_flags(&column), "did you mean --columns 'link=the entity'");
    }

    #[test]
    fn settings_that_hints_name_are_flags() {
        // This one is added when arguments are read.
        let mut flags = BTreeSet::from(["help".to_owned()]);
        add_flags(&Cli::described(), &mut flags);
        let mut named = BTreeSet::new();
        let crates = Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("the other crates");
        add_named(crates, &mut named);
        assert!(named.contains("unit") && named.len() > 5, "{named:?}");
        let unknown: Vec<&String> =
            named.iter().filter(|name| !flags.contains(*name) && !is_set(name)).collect();
        assert!(unknown.is_empty(), "{unknown:?} are no flags");
    }

    fn add_flags(command: &clap::Command, flags: &mut BTreeSet<String>) {
        flags.extend(command.get_arguments().filter_map(|a| a.get_long()).map(str::to_owned));
        command.get_subcommands().for_each(|command| add_flags(command, flags));
    }

    /// The settings in the templates of all source files, and those that are added by name.
    fn add_named(folder: &Path, named: &mut BTreeSet<String>) {
        for entry in
            folder.read_dir().expect("a folder").map(|entry| entry.expect("an entry").path())
        {
            if entry.is_dir() && !entry.ends_with("tests") {
                add_named(&entry, named);
            }
            // Where hints themselves are made and tested, there are settings that nobody has.
            let is_source = entry.extension().is_some_and(|ending| ending == "rs");
            let is_of_hints = entry.ends_with("hint.rs") || entry.ends_with("wording.rs");
            if !is_source || is_of_hints {
                continue;
            }
            let text = std::fs::read_to_string(&entry).expect("a source file");
            for template in literals_after(&text, "Hint::template(") {
                named
                    .extend(Hint::template(template.leak()).settings().map(|s| s.name.to_string()));
            }
            named.extend(literals_after(&text, ".setting("));
        }
    }

    /// The string literals that are the first argument of a call.
    fn literals_after(text: &str, call: &str) -> Vec<String> {
        let calls = text.split(call).skip(1).filter_map(|rest| rest.trim_start().strip_prefix('"'));
        calls.filter_map(|rest| Some(rest.split_once('"')?.0.to_owned())).collect()
    }
}
