//! Writing a document as a pair of files.

use super::{ANY_DATABASE, CONFIDENCE, DATABASE, NIL, NO_ANSWER, UNTYPED};
use super::{is_database, numbered, on_one_line};
use crate::format::WriteError;
use crate::output::Output;
use crate::placing::fragments::{FRAGMENTS, parsed};
use crate::placing::text_folder;
use karat_model::{Document, Mention, TextIndex, attribute};
use std::io::Write;

pub(super) fn write_document(
    output: &mut Output,
    document: &Document<'_>,
) -> Result<(), WriteError> {
    let name = document.name();
    let Some(index) = document.text_index() else {
        return Err(WriteError::unrepresentable(name, "the document has no text"));
    };
    let file = text_folder::file_name(name);
    text_folder::write(output, &format!("{file}.txt"), name, index.text())?;
    output.file(&format!("{file}.ann"), |out| {
        let mut lines = Lines { out, document: name, references: 0, attributes: 0, notes: 0 };
        document
            .mentions()
            .enumerate()
            .try_for_each(|(number, mention)| lines.mention(number + 1, &mention, &index))
    })
}

/// The lines of a file and how many of each kind there are.
struct Lines<'o> {
    out: &'o mut dyn Write,
    document: &'o str,
    references: usize,
    attributes: usize,
    notes: usize,
}

type Facts<'c> = Vec<(&'c str, &'c str)>;

impl Lines<'_> {
    fn mention(
        &mut self,
        number: usize,
        mention: &Mention<'_>,
        index: &TextIndex<'_>,
    ) -> Result<(), WriteError> {
        let mut facts: Facts<'_> = mention.attributes().collect();
        let parts = match take(&mut facts, FRAGMENTS) {
            None => vec![mention.span()],
            Some(value) => parsed(value, mention.span())
                .filter(|parts| parts.iter().all(|part| !part.is_empty()))
                .ok_or_else(|| self.refuse(format!("bad `{FRAGMENTS}`: `{value}`")))?,
        };
        if let Some(part) = parts.iter().find(|&&part| index.slice(part).is_none()) {
            return Err(self.refuse(format!("the mention {part} is not in the text")));
        }
        let kind = mention.types().next().unwrap_or(UNTYPED);
        let no_type = mention.types().next().is_none();
        if kind.contains(char::is_whitespace) || kind == UNTYPED && !no_type {
            return Err(self.refuse(format!("brat has no form for the type `{kind}`")));
        }
        let ranges: Vec<String> =
            parts.iter().map(|part| format!("{} {}", part.start, part.end)).collect();
        let surface = on_one_line(index, &parts);
        writeln!(self.out, "T{number}\t{kind} {}\t{surface}", ranges.join(";"))?;
        self.links(number, mention, &mut facts)?;
        if let Some(confidence) = mention.confidence() {
            self.attribute(number, CONFIDENCE, &format!("{confidence:?}"))?;
        }
        for (key, value) in facts {
            if key == attribute::COMMENT {
                self.notes += 1;
                self.check(value)?;
                writeln!(self.out, "#{}\tAnnotatorNotes T{number}\t{value}", self.notes)?;
                continue;
            }
            if key == CONFIDENCE && value.parse::<f64>().is_ok() {
                return Err(self.refuse(format!("the attribute `{key}` would be the confidence")));
            }
            self.attribute(number, key, value)?;
        }
        Ok(())
    }

    fn links(
        &mut self,
        number: usize,
        mention: &Mention<'_>,
        facts: &mut Facts<'_>,
    ) -> Result<(), WriteError> {
        let equivalents = mention.equivalents();
        let nil = mention.link().is_nil();
        match (mention.entity(), mention.nil_cluster()) {
            (Some(entity), _) => self.entity(number, 0, entity, facts)?,
            (None, Some(cluster)) => {
                if matches!(cluster, "" | "-" | NIL) {
                    return Err(
                        self.refuse(format!("the cluster `{cluster}` would be read as none"))
                    );
                }
                self.reference(number, 0, &format!("{NIL}:{cluster}"), facts)?;
            }
            (None, None) if nil => match usable_database(facts, 0, NIL) {
                Some(database) => self.reference(number, 0, &format!("{database}:{NIL}"), facts)?,
                None => self.reference(number, 0, &format!("{NIL}:-"), facts)?,
            },
            (None, None) if equivalents.len() > 0 => {
                self.reference(number, 0, &format!("{NO_ANSWER}:-"), facts)?;
            }
            (None, None) => {}
        }
        for (position, entity) in equivalents.enumerate() {
            self.entity(number, position + 1, entity, facts)?;
        }
        Ok(())
    }

    fn entity(
        &mut self,
        number: usize,
        position: usize,
        entity: &str,
        facts: &mut Facts<'_>,
    ) -> Result<(), WriteError> {
        if matches!(entity, "" | NIL) {
            return Err(self.refuse(format!("the entity `{entity}` would be read as NIL")));
        }
        let database = usable_database(facts, position, entity).unwrap_or(ANY_DATABASE);
        self.reference(number, position, &format!("{database}:{entity}"), facts)
    }

    fn reference(
        &mut self,
        number: usize,
        position: usize,
        linked: &str,
        facts: &mut Facts<'_>,
    ) -> Result<(), WriteError> {
        let name = take(facts, &numbered(attribute::NAME, position)).unwrap_or_default();
        self.check(linked)?;
        self.check(name)?;
        if linked.contains('\t') || linked.trim() != linked || linked.contains(": ") {
            return Err(self.refuse(format!("brat has no form for the link `{linked}`")));
        }
        self.references += 1;
        Ok(writeln!(self.out, "N{}\tReference T{number} {linked}\t{name}", self.references)?)
    }

    fn attribute(&mut self, number: usize, key: &str, value: &str) -> Result<(), WriteError> {
        self.check(value)?;
        if key.is_empty() || key.contains(char::is_whitespace) {
            return Err(self.refuse(format!("brat has no form for the attribute `{key}`")));
        }
        self.attributes += 1;
        Ok(writeln!(self.out, "A{}\t{key} T{number} {value}", self.attributes)?)
    }

    fn check(&self, value: &str) -> Result<(), WriteError> {
        if value.contains(['\n', '\r']) {
            let shown = value.escape_debug();
            return Err(self.refuse(format!("`{shown}` has a line break in it")));
        }
        Ok(())
    }

    fn refuse(&self, message: String) -> WriteError {
        WriteError::unrepresentable(self.document, message)
    }
}

/// The first fact of this key, taken out.
fn take<'c>(facts: &mut Facts<'c>, key: &str) -> Option<&'c str> {
    let position = facts.iter().position(|(other, _)| *other == key)?;
    Some(facts.remove(position).1)
}

/// The database of a link, taken out if it can stand before the colon.
fn usable_database<'c>(facts: &mut Facts<'c>, position: usize, entity: &str) -> Option<&'c str> {
    let key = numbered(DATABASE, position);
    let (_, database) = facts.iter().find(|(other, _)| *other == key)?;
    if !is_database(database) || entity.starts_with("//") {
        return None;
    }
    take(facts, &key)
}
