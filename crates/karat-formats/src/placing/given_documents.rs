//! Names and texts for files that have none: from the documents the user gives.

use crate::anchor::Here;
use crate::format::Offsets;
use crate::problem::Problem;
use crate::reading::{ReadOptions, Reading};
use karat_model::{Corpus, Span, TextIndex};

/// The documents that the user gives, if there are any.
pub(crate) struct Given<'o>(Option<&'o Corpus>);

impl<'o> Given<'o> {
    pub(crate) fn new(options: &'o ReadOptions) -> Given<'o> {
        Given(options.documents.as_deref())
    }

    /// The name of a document that the file does not name: the given document at
    /// its position, or the position itself.
    pub(crate) fn name_at(&self, position: usize) -> String {
        let document = self.0.and_then(|given| given.document_at(position));
        document.map_or_else(|| position.to_string(), |document| document.name().to_owned())
    }

    /// The text of a given document.
    pub(crate) fn text_of(&self, name: &str) -> Option<&'o str> {
        self.0?.document(name)?.text()
    }

    /// Starts a document with the text of the file, else with the given one, and
    /// gives back its text. `None` when there is such a document already.
    pub(crate) fn begin<'t>(
        &self,
        name: &str,
        own_text: Option<&'t str>,
        here: Here<'_>,
        reading: &mut Reading<'_>,
    ) -> Result<Option<Option<&'t str>>, Problem>
    where
        'o: 't,
    {
        let begun = here.begin_document(name, &mut reading.corpus);
        if reading.accept(begun)?.is_none() {
            return Ok(None);
        }
        // The file's own text first: `--documents` fills gaps.
        let text = own_text.or_else(|| self.text_of(name));
        if let Some(text) = text {
            reading.corpus.set_text(text);
        }
        Ok(Some(text))
    }

    /// Begins a document and adds its mentions; bad ones are reported.
    pub(crate) fn read_document<M>(
        &self,
        name: &str,
        own_text: Option<&str>,
        mentions: &[M],
        here: Here<'_>,
        reading: &mut Reading<'_>,
        add: impl Fn(&M, Option<&TextIndex<'_>>, Here<'_>, &mut Reading<'_>) -> Result<(), Problem>,
    ) -> Result<(), Problem> {
        let Some(text) = self.begin(name, own_text, here, reading)? else { return Ok(()) };
        let index = text.map(TextIndex::new);
        for mention in mentions {
            let added = add(mention, index.as_ref(), here, reading);
            reading.accept(added)?;
        }
        Ok(())
    }
}

/// The span for two offsets, checked against the text where there is one.
pub(crate) fn span(
    index: Option<&TextIndex<'_>>,
    offsets: Offsets,
    (start, end): (u64, u64),
    surface: Option<&str>,
    here: Here<'_>,
    reading: &mut Reading<'_>,
) -> Result<Span, Problem> {
    match index {
        Some(index) => reading.placed(here.place(index, offsets, start, end, surface)?),
        None => here.unchecked(offsets, start, end),
    }
}
