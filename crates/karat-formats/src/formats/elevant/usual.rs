//! Articles of the usual shape, read without serde.

#[cfg(test)]
mod tests;

use super::article::{Article, Object, Objects, Range};
use crate::syntax::json::{Borrowed, Cursor, Once, key};

impl<'t> Article<'t> {
    /// Reads a line in place of what was here. `None` where anything about it is not as
    /// ELEVANT's and karat's own writers have it; what is here then means nothing.
    pub(super) fn read_usual(&mut self, line: &'t str) -> Option<()> {
        self.clear();
        let mut cursor = Cursor::new(line);
        let mut once = Once::default();
        cursor.object(|cursor, key| self.read_field(cursor, key, &mut once))?;
        // A line without its text, or with something after the object, goes to serde, which says
        // what is wrong.
        (once.has(TEXT_SEEN) && cursor.is_done()).then_some(())
    }

    fn read_field(&mut self, cursor: &mut Cursor<'t>, key: u128, once: &mut Once) -> Option<()> {
        match key {
            ID => {
                once.see(0)?;
                self.id = cursor.scalar()?;
            }
            NAME => {
                once.see(1)?;
                self.name = cursor.nullable(Cursor::string)?;
            }
            TITLE => {
                once.see(2)?;
                self.title = cursor.nullable(Cursor::string)?;
            }
            TEXT => {
                once.see(TEXT_SEEN)?;
                self.text = cursor.string()?;
            }
            EVALUATION_SPAN => {
                once.see(4)?;
                self.evaluation_span = cursor.nullable(range)?;
            }
            URL => {
                once.see(5)?;
                self.url = cursor.nullable(Cursor::string)?;
            }
            HYPERLINKS => {
                once.see(6)?;
                self.hyperlinks = cursor.nullable(|cursor| list(cursor, titled_range))?;
            }
            TITLE_SYNONYMS => {
                once.see(7)?;
                self.title_synonyms = cursor.nullable(|cursor| list(cursor, range))?;
            }
            SECTIONS => {
                once.see(8)?;
                self.sections = cursor.nullable(|cursor| list(cursor, titled_range))?;
            }
            LABELS => {
                once.see(9)?;
                self.labels.read_usual(cursor)?;
            }
            ENTITY_MENTIONS => {
                once.see(10)?;
                self.entity_mentions.read_usual(cursor)?;
            }
            SIDES => {
                once.see(11)?;
                self.sides = cursor.nullable(Cursor::string)?;
            }
            // An unknown key: serde decides whether it is passed over.
            _ => return None,
        }
        Some(())
    }
}

impl<'t> Objects<'t> {
    fn read_usual(&mut self, cursor: &mut Cursor<'t>) -> Option<()> {
        cursor.nullable(|cursor| cursor.list(|cursor| self.add().read_usual(cursor))).map(|_| ())
    }
}

impl<'t> Object<'t> {
    /// Reads into an object that says nothing yet.
    fn read_usual(&mut self, cursor: &mut Cursor<'t>) -> Option<()> {
        let mut once = Once::default();
        cursor.object(|cursor, key| self.read_field(cursor, key, &mut once))?;
        once.has(SPAN_SEEN).then_some(())
    }

    // The fields that most objects have are matched here, inlined; the rest is kept out of the
    // loop.
    #[inline(always)]
    fn read_field(&mut self, cursor: &mut Cursor<'t>, key: u128, once: &mut Once) -> Option<()> {
        match key {
            ID => {
                once.see(0)?;
                self.id = cursor.scalar()?;
            }
            SPAN => {
                once.see(SPAN_SEEN)?;
                self.span = range(cursor)?;
            }
            ENTITY_ID => {
                once.see(2)?;
                self.entity_id = cursor.scalar()?;
            }
            NAME => {
                once.see(3)?;
                self.name = cursor.nullable(Cursor::string)?;
            }
            TYPE => {
                once.see(4)?;
                self.types = cursor.nullable(Cursor::string)?;
            }
            CANDIDATES => {
                once.see(5)?;
                let list = &mut self.candidates.0;
                cursor.nullable(|cursor| {
                    cursor.list(|cursor| cursor.scalar().map(|candidate| list.push(candidate)))
                })?;
            }
            SCORE => {
                once.see(6)?;
                self.score = cursor.nullable(Cursor::number)?;
            }
            RECOGNIZED_BY => {
                once.see(7)?;
                self.recognized_by = cursor.nullable(Cursor::string)?;
            }
            LINKED_BY => {
                once.see(8)?;
                self.linked_by = cursor.nullable(Cursor::string)?;
            }
            _ => return self.read_rare_field(cursor, key, once),
        }
        Some(())
    }

    #[inline(never)]
    fn read_rare_field(
        &mut self,
        cursor: &mut Cursor<'t>,
        key: u128,
        once: &mut Once,
    ) -> Option<()> {
        match key {
            PARENT => {
                once.see(9)?;
                self.parent = cursor.nullable(Cursor::signed)?;
            }
            CHILDREN => {
                once.see(10)?;
                self.children = cursor.nullable(|cursor| list(cursor, Cursor::signed))?;
            }
            OPTIONAL => {
                once.see(11)?;
                self.optional = cursor.nullable(Cursor::boolean)?;
            }
            DESC => {
                once.see(12)?;
                self.desc = cursor.nullable(Cursor::boolean)?;
            }
            COREF => {
                once.see(13)?;
                self.coref = cursor.nullable(Cursor::boolean)?;
            }
            REFERENCED_SPAN => {
                once.see(14)?;
                self.referenced_span = cursor.nullable(range)?;
            }
            CONTAINED => {
                once.see(15)?;
                self.contained = cursor.nullable(Cursor::boolean)?;
            }
            KEY => {
                once.see(16)?;
                self.key = cursor.nullable(Cursor::string)?;
            }
            _ => return None,
        }
        Some(())
    }
}

#[inline(always)]
fn range(cursor: &mut Cursor<'_>) -> Option<Range> {
    cursor.pair(Cursor::unsigned, Cursor::unsigned)
}

fn titled_range<'t>(cursor: &mut Cursor<'t>) -> Option<(Range, Borrowed<'t>)> {
    cursor.pair(range, Cursor::string)
}

fn list<'t, T>(
    cursor: &mut Cursor<'t>,
    mut item: impl FnMut(&mut Cursor<'t>) -> Option<T>,
) -> Option<Vec<T>> {
    let mut list = Vec::new();
    cursor.list(|cursor| item(cursor).map(|item| list.push(item)))?;
    Some(list)
}

/// The numbers of the keys that must be there.
const TEXT_SEEN: u32 = 3;
const SPAN_SEEN: u32 = 1;

const ID: u128 = key("id");
const NAME: u128 = key("name");
const TITLE: u128 = key("title");
const TEXT: u128 = key("text");
const EVALUATION_SPAN: u128 = key("evaluation_span");
const URL: u128 = key("url");
const HYPERLINKS: u128 = key("hyperlinks");
const TITLE_SYNONYMS: u128 = key("title_synonyms");
const SECTIONS: u128 = key("sections");
const LABELS: u128 = key("labels");
const ENTITY_MENTIONS: u128 = key("entity_mentions");
const SIDES: u128 = key("sides");
const SPAN: u128 = key("span");
const ENTITY_ID: u128 = key("entity_id");
const TYPE: u128 = key("type");
const PARENT: u128 = key("parent");
const CHILDREN: u128 = key("children");
const OPTIONAL: u128 = key("optional");
const DESC: u128 = key("desc");
const COREF: u128 = key("coref");
const RECOGNIZED_BY: u128 = key("recognized_by");
const LINKED_BY: u128 = key("linked_by");
const CANDIDATES: u128 = key("candidates");
const REFERENCED_SPAN: u128 = key("referenced_span");
const CONTAINED: u128 = key("contained");
const SCORE: u128 = key("score");
const KEY: u128 = key("key");
