//! Cutting a text into tokens, in a simple way.

use crate::syntax::token_rows;
use karat_model::{Document, MarkKind, Span, TextIndex};

/// The tokens that a document needs to be written in rows of tokens with `gaps` between
/// them; `None` where it has no text, or can be written as it is.
///
/// Its own tokens are taken, or else its text is cut: at white space, and before and after
/// punctuation at the edge of a word, so that `Bob,` is two tokens and `O'Neill`, `3.5`
/// and `co-op` are one. Where mentions begin and end tokens do too.
pub(crate) fn needed(document: &Document<'_>, gaps: &[&str]) -> Option<Vec<Span>> {
    let index = document.text_index()?;
    // Tried as it is first: changing a text is the last resort.
    let fits = token_rows::rows(document, gaps).is_ok_and(|rows| {
        document.mentions().all(|mention| token_rows::covered(&rows, mention.span()).is_some())
    });
    if fits {
        return None;
    }
    let mut tokens: Vec<Span> = document.marks_of(MarkKind::Token).map(|(span, _)| span).collect();
    tokens.sort_unstable();
    if !cover(&tokens, &index) {
        tokens = words(&index);
    }
    Some(cut_at_mentions(document, tokens))
}

/// Whether there is nothing but white space outside of tokens.
fn cover(tokens: &[Span], index: &TextIndex<'_>) -> bool {
    let starts = tokens.iter().map(|token| token.start).chain([index.len()]);
    let ends = [0].into_iter().chain(tokens.iter().map(|token| token.end));
    let is_blank = |(end, start): (u32, u32)| {
        start < end || index.slice(Span::new(end, start)).is_some_and(|gap| gap.trim().is_empty())
    };
    ends.zip(starts).all(is_blank)
}

/// The words of a text and the punctuation around them.
fn words(index: &TextIndex<'_>) -> Vec<Span> {
    let characters: Vec<char> = index.text().chars().collect();
    let mut tokens = Vec::new();
    let mut at = 0;
    for run in characters.split(|character| character.is_whitespace()) {
        let first = run.iter().position(|&c| !is_punctuation(c)).unwrap_or(run.len());
        let last = run.iter().rposition(|&c| !is_punctuation(c)).map_or(first, |last| last + 1);
        let span = |from: usize, to: usize| Span::new((at + from) as u32, (at + to) as u32);
        tokens.extend((0..first).map(|sign| span(sign, sign + 1)));
        tokens.extend((first < last).then(|| span(first, last)));
        tokens.extend((last..run.len()).map(|sign| span(sign, sign + 1)));
        at += run.len() + 1;
    }
    tokens
}

/// Signs that stand at the edge of words in the scripts of the world's news.
fn is_punctuation(character: char) -> bool {
    character.is_ascii_punctuation()
        || matches!(character, '¡' | '¿' | '«' | '»' | '·' | '§' | '¶' | '؟' | '،' | '؛' | '।')
        || matches!(character, '\u{2010}'..='\u{2027}' | '\u{2030}'..='\u{205e}')
        || matches!(character, '\u{3001}'..='\u{3003}' | '\u{3008}'..='\u{3011}' | '\u{ff01}'..='\u{ff0f}')
}

/// Tokens cut again where a mention begins or ends within one.
fn cut_at_mentions(document: &Document<'_>, tokens: Vec<Span>) -> Vec<Span> {
    let mut ends: Vec<u32> =
        document.mentions().flat_map(|m| [m.span().start, m.span().end]).collect();
    ends.sort_unstable();
    let mut ends = ends.into_iter().peekable();
    let mut cut = Vec::with_capacity(tokens.len());
    for token in tokens {
        let mut start = token.start;
        while let Some(end) = ends.next_if(|&end| end < token.end) {
            if end > start {
                cut.push(Span::new(start, end));
                start = end;
            }
        }
        cut.push(Span::new(start, token.end));
    }
    cut
}

#[cfg(test)]
mod tests {
    use super::*;
    use karat_model::{Corpus, CorpusBuilder, Link};

    fn corpus(text: &str, mentions: &[(u32, u32)]) -> Corpus {
        let mut builder = CorpusBuilder::new();
        builder.begin_document("d").unwrap();
        builder.set_text(text);
        for &(start, end) in mentions {
            builder.annotate(Span::new(start, end), Link::NIL);
        }
        builder.finish()
    }

    fn cut(text: &str, mentions: &[(u32, u32)]) -> Option<Vec<String>> {
        let corpus = corpus(text, mentions);
        let document = corpus.documents().next().unwrap();
        let index = TextIndex::new(text);
        let slice = |span| index.slice(span).unwrap().to_owned();
        needed(&document, &[" "]).map(|tokens| tokens.into_iter().map(slice).collect())
    }

    #[test]
    fn a_text_that_fits_is_left_alone() {
        assert_eq!(cut("Ann met Bob.", &[(0, 3)]), None);
        assert_eq!(cut("", &[]), None);
    }

    #[test]
    fn words_are_cut_from_their_punctuation() {
        for (text, mentions, tokens) in [
            ("Ann met Bob.", &[(8, 11)][..], "Ann|met|Bob|."),
            ("(“O'Neill”, 3.5%)  co-op…", &[], "(|“|O'Neill|”|,|3.5|%|)|co-op|…"),
            ("Berlin-based\tU.S. e\u{301}té!", &[(0, 6)], "Berlin|-based|U.S|.|e\u{301}té|!"),
            ("--- a", &[(1, 2)], "-|-|-|a"),
            ("東京都と", &[(0, 2), (1, 3)], "東|京|都|と"),
        ] {
            let found = cut(text, mentions).unwrap();
            assert_eq!(found.join("|"), tokens);
        }
    }
}
