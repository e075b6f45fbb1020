//! What may be written for a setting or a parameter, and what it means.

use crate::settings::SettingError;
use karat_model::closest;

/// The values that a setting or a parameter takes: some have names, others are written out.
///
/// One list serves to read a value, to write it, to refuse what is none of them, and to describe them all,
/// so that none of these can differ from the others.
#[derive(Debug)]
pub(crate) struct Values<T: 'static> {
    /// Those that have a name.
    pub(crate) named: &'static [NamedValue<T>],
    /// What else may be written, if anything.
    pub(crate) written: Option<WrittenValue<T>>,
}

/// A value with a name.
#[derive(Debug)]
pub(crate) struct NamedValue<T> {
    /// Its name.
    pub(crate) name: &'static str,
    /// Other names that are read, and never written.
    pub(crate) aliases: &'static [&'static str],
    /// What it does, in a line.
    pub(crate) about: &'static str,
    /// The value itself.
    pub(crate) value: T,
}

/// Values that are written out: numbers, shares, lists.
#[derive(Debug)]
pub(crate) struct WrittenValue<T> {
    /// What kind of value it is, as it stands in a sentence: `a number from 0 to 1`.
    pub(crate) about: &'static str,
    /// One of them.
    pub(crate) example: &'static str,
    /// The value of a text, if it is one.
    pub(crate) read: fn(&str) -> Option<T>,
    /// The text of a value; `None` for those that have none.
    pub(crate) write: fn(&T) -> Option<String>,
}

/// A value as users read about it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ValueAbout {
    /// Its name; an example, where values are written out.
    pub name: &'static str,
    /// What it does, or what kind of value the example is.
    pub about: &'static str,
    /// Whether the name is an example of values that are written out.
    pub is_example: bool,
}

/// A value with a name.
pub(crate) const fn named<T>(name: &'static str, value: T, about: &'static str) -> NamedValue<T> {
    NamedValue { name, aliases: &[], about, value }
}

impl<T: Clone + PartialEq> Values<T> {
    /// Only these, each by its name.
    pub(crate) const fn only(named: &'static [NamedValue<T>]) -> Values<T> {
        Values { named, written: None }
    }

    /// The value of a text.
    pub(crate) fn read(&self, text: &str) -> Option<T> {
        let is_it = |named: &&NamedValue<T>| named.name == text || named.aliases.contains(&text);
        let named = self.named.iter().find(is_it).map(|named| named.value.clone());
        named.or_else(|| (self.written.as_ref()?.read)(text))
    }

    /// The text of a value; `None` for a value that cannot be written.
    pub(crate) fn write(&self, value: &T) -> Option<String> {
        // The first name wins, so that what is written is always the same spelling of a value that
        // has several.
        let named = self.named.iter().find(|named| named.value == *value);
        named.map(|named| named.name.to_owned()).or_else(|| (self.written.as_ref()?.write)(value))
    }

    /// The value of a text, or why it has none.
    pub(crate) fn check(&self, setting: &'static str, text: &str) -> Result<T, SettingError> {
        self.read(text).ok_or_else(|| SettingError::Value {
            setting,
            value: text.to_owned(),
            expected: self.expected(),
            nearest: self.nearest(text),
        })
    }

    /// The named value that was probably meant: one that is spelled almost like it, or begins so.
    fn nearest(&self, text: &str) -> Option<&'static str> {
        let names = || self.named.iter().map(|named| named.name);
        let begun = || names().find(|name| !text.is_empty() && name.starts_with(text));
        closest(text, names()).or_else(begun)
    }

    /// All of them, for users.
    pub(crate) fn about(&self) -> Vec<ValueAbout> {
        let named = self.named.iter().map(|&NamedValue { name, about, .. }| ValueAbout {
            name,
            about,
            is_example: false,
        });
        let written = self.written.iter().map(|&WrittenValue { about, example, .. }| ValueAbout {
            name: example,
            about,
            is_example: true,
        });
        named.chain(written).collect()
    }

    /// The same in words: `exact, overlap, or a share of the gold span such as 50%`.
    pub(crate) fn expected(&self) -> String {
        let names: Vec<&str> = self.named.iter().map(|named| named.name).collect();
        let names = match (names.as_slice(), &self.written) {
            ([first @ .., last], None) if !first.is_empty() => {
                format!("{} or {last}", first.join(", "))
            }
            (names, _) => names.join(", "),
        };
        let or = if names.is_empty() { "" } else { ", or " };
        match &self.written {
            None => names,
            Some(written) => format!("{names}{or}{} such as {}", written.about, written.example),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    static SHARES: Values<u8> = Values {
        named: &[
            named("none", 0, "Nothing."),
            NamedValue { name: "all", aliases: &["whole"], about: "Everything.", value: 100 },
        ],
        written: Some(WrittenValue {
            about: "a share in percent",
            example: "50%",
            read: |text| text.strip_suffix('%')?.parse().ok().filter(|share| *share <= 100),
            write: |share| Some(format!("{share}%")),
        }),
    };

    #[test]
    fn values_parse_back_from_what_is_written() {
        for (text, written) in [("none", "none"), ("whole", "all"), ("50%", "50%"), ("0%", "none")]
        {
            let value = SHARES.read(text).expect("a value");
            assert_eq!(SHARES.write(&value).as_deref(), Some(written));
        }
        assert_eq!(SHARES.read("101%"), None);
    }

    #[test]
    fn a_wrong_value_is_told_what_is_expected_and_what_is_near() {
        let error = SHARES.check("share", "al").unwrap_err();
        assert_eq!(
            error.to_string(),
            "`al` is no value of `share`: expected none, all, or a share in percent such as 50%"
        );
        let SettingError::Value { nearest, .. } = error else { panic!("another error") };
        assert_eq!(nearest, Some("all"));
    }
}
