//! Marks of mentions in a text.

use crate::formats::llm::answers::{Named, answer};
use crate::placing::in_context::Answer;
use std::ops::Range;

/// A text without its marks, and the mentions they marked.
#[derive(Debug, Default)]
pub(super) struct Marked {
    pub(super) text: String,
    /// In the order in which they end; a mention is a range of the text.
    pub(super) mentions: Vec<(Range<usize>, Named)>,
    /// How many marks were opened and not closed.
    pub(super) unclosed: usize,
    /// How many marks have no text in them.
    pub(super) empty: usize,
}

/// The tags that mark mentions.
const TAGS: [&str; 8] = ["e", "ent", "entity", "mention", "m", "ne", "a", "link"];
/// The attributes that say what a mention is linked to, the most telling first.
const IDS: [&str; 13] = [
    "id",
    "qid",
    "entity",
    "entity_id",
    "wikidata",
    "kb_id",
    "uri",
    "url",
    "href",
    "ref",
    "target",
    "link",
    "title",
];
/// A mark is shorter than this; so every search for its end is short.
const LONGEST_MARK: usize = 1000;

/// A tag that waits for its end.
struct Open {
    start: usize,
    answer: Answer,
    kind: Option<String>,
}

/// The open tags of each name, so that the end of one is found without a search.
type OpenTags = [Vec<Open>; TAGS.len()];

impl Marked {
    pub(super) fn read(output: &str) -> Marked {
        let mut marked = Marked::default();
        let mut open = OpenTags::default();
        let mut rest = without_fences(output);
        while let Some(at) = rest.find(['[', '<']) {
            marked.text.push_str(&rest[..at]);
            rest = &rest[at..];
            let used = match rest.as_bytes().first() {
                Some(b'[') => marked.bracket(rest),
                _ => marked.tag(rest, &mut open),
            };
            match used {
                Some(used) => rest = &rest[used..],
                None => {
                    marked.text.push_str(&rest[..1]);
                    rest = &rest[1..];
                }
            }
        }
        marked.text.push_str(rest);
        marked.unclosed += open.iter().map(Vec::len).sum::<usize>();
        marked
    }

    /// `[surface](id)`; how many bytes it takes.
    fn bracket(&mut self, rest: &str) -> Option<usize> {
        let rest = first_bytes(rest, LONGEST_MARK);
        let line = rest.find('\n').map_or(rest, |end| &rest[..end]);
        let end = closing(line, b'[', b']')?;
        let surface = &line[1..end];
        let target = line[end + 1..].strip_prefix('(').map(|_| &line[end + 1..])?;
        let Some(length) = closing(target, b'(', b')') else {
            self.unclosed += 1;
            return None;
        };
        if surface.trim().is_empty() {
            self.empty += 1;
            return None;
        }
        // Other marks may stand inside: `[<e id="Q1">Rome</e>](Q2)`.
        let inner = match surface.contains(['[', '<']) {
            true => Marked::read(surface),
            false => Marked { text: surface.to_owned(), ..Marked::default() },
        };
        let start = self.text.len();
        let shifted =
            |(range, named): (Range<usize>, Named)| (range.start + start..range.end + start, named);
        self.mentions.extend(inner.mentions.into_iter().map(shifted));
        self.unclosed += inner.unclosed;
        self.empty += inner.empty;
        self.text.push_str(&inner.text);
        self.push(start, answer(Some(&target[1..length])), None);
        Some(end + 1 + length + 1)
    }

    /// An opening or closing tag; how many bytes it takes.
    fn tag(&mut self, rest: &str, open: &mut OpenTags) -> Option<usize> {
        let rest = first_bytes(rest, LONGEST_MARK);
        let Some(end) = tag_end(rest) else {
            self.unclosed += usize::from(begins_mark(rest));
            return None;
        };
        let inside = &rest[1..end];
        if let Some(name) = inside.strip_prefix('/') {
            let opened = open[known_tag(name.trim())?].pop()?;
            self.push(opened.start, opened.answer, opened.kind);
            return Some(end + 1);
        }
        let tag = &inside[..name_end(inside)];
        let (known, name_end) = (known_tag(tag)?, tag.len());
        let attributes = attributes(&inside[name_end..], tag);
        let value = |keys: &[&str]| {
            let found = keys
                .iter()
                .find_map(|key| attributes.iter().find(|(name, _)| name.eq_ignore_ascii_case(key)));
            found.map(|&(_, value)| value)
        };
        open[known].push(Open {
            start: self.text.len(),
            answer: answer(value(&IDS)),
            kind: value(&["type", "class", "label"]).map(str::to_owned),
        });
        Some(end + 1)
    }

    /// Adds the mention from `start` to the end of the text so far, without outer spaces.
    fn push(&mut self, start: usize, answer: Answer, kind: Option<String>) {
        let marked = &self.text[start..];
        let from = start + (marked.len() - marked.trim_start().len());
        let surface = marked.trim().to_owned();
        if surface.is_empty() {
            self.empty += 1;
            return;
        }
        let range = from..from + surface.len();
        self.mentions.push((range, Named { surface, answer, confidence: None, kind }));
    }

    /// Whether something is linked.
    pub(super) fn has_entities(&self) -> bool {
        self.entities().next().is_some()
    }

    /// Whether something is linked to an id that can only be one of a knowledge base.
    pub(super) fn has_knowledge_base_ids(&self) -> bool {
        self.entities().any(|id| {
            let number = id
                .strip_prefix('Q')
                .is_some_and(|n| !n.is_empty() && n.bytes().all(|b| b.is_ascii_digit()));
            number
                || ["wikidata.org/", "wikipedia.org/", "dbpedia.org/"]
                    .iter()
                    .any(|host| id.contains(host))
        })
    }

    fn entities(&self) -> impl Iterator<Item = &str> {
        self.mentions.iter().filter_map(|(_, named)| match &named.answer {
            Answer::Entity(id) => Some(id.as_str()),
            _ => None,
        })
    }
}

/// The number of a tag that marks mentions.
fn known_tag(name: &str) -> Option<usize> {
    TAGS.iter().position(|known| known.eq_ignore_ascii_case(name))
}

/// Where the name of a tag ends.
fn name_end(inside: &str) -> usize {
    inside.find(|c: char| c.is_whitespace() || c == '=').unwrap_or(inside.len())
}

/// Whether a tag without an end is a mark that was cut off: `<e id="Q6`, but not `a <e b`.
fn begins_mark(rest: &str) -> bool {
    let inside = rest.strip_prefix('<').unwrap_or(rest);
    let inside = inside.find('<').map_or(inside, |next| &inside[..next]);
    let (tag, attributes) = inside.split_at(name_end(inside));
    known_tag(tag).is_some() && attributes.contains('=')
}

/// An answer without the code fence that models like to put around it.
fn without_fences(output: &str) -> &str {
    let Some(fenced) = output.trim().strip_prefix("```") else { return output };
    let content = fenced.split_once('\n').map_or("", |(_, content)| content);
    content.strip_suffix("```").unwrap_or(content).trim_end()
}

/// At most this many bytes of a text, cut between characters.
fn first_bytes(text: &str, most: usize) -> &str {
    let mut end = most.min(text.len());
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    &text[..end]
}

/// Where the bracket that a text begins with is closed.
fn closing(text: &str, open: u8, close: u8) -> Option<usize> {
    let mut depth = 0usize;
    for (at, byte) in text.bytes().enumerate() {
        if byte == open {
            depth += 1;
        } else if byte == close {
            depth = depth.checked_sub(1)?;
            if depth == 0 {
                return Some(at);
            }
        }
    }
    None
}

/// Where a tag ends; a `>` in quotes is not its end.
fn tag_end(rest: &str) -> Option<usize> {
    let mut quote = None;
    for (at, byte) in rest.bytes().enumerate() {
        match (byte, quote) {
            (b'"' | b'\'', None) if rest[..at].ends_with('=') => quote = Some(byte),
            (byte, Some(open)) if byte == open => quote = None,
            (b'>', None) => return Some(at),
            (b'<', None) if at > 0 => return None,
            _ => {}
        }
    }
    None
}

/// The attributes of a tag; `<e="Q64">` is one with the name of the tag.
fn attributes<'o>(mut rest: &'o str, tag: &'o str) -> Vec<(&'o str, &'o str)> {
    let mut attributes = Vec::new();
    while let Some(equals) = rest.find('=') {
        let name = rest[..equals].split_whitespace().next_back().unwrap_or(tag);
        let name = if name == tag && rest[..equals].trim().is_empty() { "id" } else { name };
        let value = rest[equals + 1..].trim_start();
        let (value, after) = match value.chars().next() {
            Some(quote @ ('"' | '\'')) => value[1..].split_once(quote).unwrap_or((&value[1..], "")),
            _ => value.split_once(char::is_whitespace).unwrap_or((value, "")),
        };
        attributes.push((name, value.trim_end_matches('/')));
        rest = after;
    }
    attributes
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn read(output: &str) -> (String, Vec<String>) {
        let marked = Marked::read(output);
        let shown = marked.mentions.iter().map(|(range, named)| {
            assert_eq!(marked.text[range.clone()], named.surface);
            format!("{}={:?}", named.surface, named.answer)
        });
        (marked.text.clone(), shown.collect())
    }

    #[test]
    fn marks_of_all_kinds() {
        for (output, text, mentions) in [
            ("[Ann](Q1) [sic] a<b (x)", "Ann [sic] a<b (x)", vec!["Ann=Entity(\"Q1\")"]),
            ("[Rome](Rome (band))", "Rome", vec!["Rome=Entity(\"Rome (band)\")"]),
            (
                "<e id=Q1>A</e><E QID = \"Q2\" >B</E>",
                "AB",
                vec!["A=Entity(\"Q1\")", "B=Entity(\"Q2\")"],
            ),
            ("<entity='Q3' type=\"LOC\">C</entity>", "C", vec!["C=Entity(\"Q3\")"]),
            ("<a href=\"https://x/?a>b\">D</a>", "D", vec!["D=Entity(\"https://x/?a>b\")"]),
            (
                "<e id=\"Q1\"><e id=\"Q2\">New</e> York</e>",
                "New York",
                vec!["New=Entity(\"Q2\")", "New York=Entity(\"Q1\")"],
            ),
            (
                "[<e id=\"Q1\">Rome</e> Inn](Q2)",
                "Rome Inn",
                vec!["Rome=Entity(\"Q1\")", "Rome Inn=Entity(\"Q2\")"],
            ),
            (
                "<mention>F</mention> <e id=\"nil\">G</e> <b>h</b>",
                "F G <b>h</b>",
                vec!["F=None", "G=Nil"],
            ),
            ("[](Q1) [x]() [y](\nQ2)", "[](Q1) x [y](\nQ2)", vec!["x=None"]),
            ("```text\n[I](Q1)\n```", "I", vec!["I=Entity(\"Q1\")"]),
            ("</e> <e", "</e> <e", vec![]),
        ] {
            let expected: Vec<String> = mentions.into_iter().map(str::to_owned).collect();
            assert_eq!(read(output), (text.to_owned(), expected), "{output}");
        }
    }

    #[test]
    fn marks_without_end_or_text_are_counted() {
        for (output, unclosed, empty) in [
            ("[Ann](Q1) <e id=\"Q2\">Bob</e> [sic] a <e b", 0, 0),
            ("[Ann](Q1 and", 1, 0),
            ("<e id=\"Q1\">Ann and <e id=\"Q", 2, 0),
            ("[](Q1) <e id=\"Q1\"> </e> [<e id=\"Q1\"></e> x](Q2)", 0, 3),
            ("[<e id=\"Q1\">Ann](Q2)", 1, 0),
        ] {
            let marked = Marked::read(output);
            assert_eq!((marked.unclosed, marked.empty), (unclosed, empty), "{output}");
        }
    }

    #[test]
    fn many_open_tags_take_no_longer_than_their_text() {
        let many = 300_000;
        let output = format!("{}x{}", "<a id=\"Q1\">".repeat(many), "</e>".repeat(many));
        assert_eq!(Marked::read(&output).unclosed, many);
        let closed = format!("{}x{}", "<a id=\"Q1\">".repeat(many), "</A>".repeat(many));
        assert_eq!(Marked::read(&closed).mentions.len(), many);
    }

    proptest! {
        #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

        #[test]
        fn nothing_panics(output in "([\\[\\]()<>/=\"' \n`e]|id|Q1|é|😀){0,60}", any in any::<String>()) {
            read(&output);
            read(&any);
        }
    }
}
