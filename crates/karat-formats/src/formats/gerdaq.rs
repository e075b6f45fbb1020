//! GERDAQ: queries to a search engine, with annotations in the text.

use crate::format::{Format, Info, Offsets, Sample};
use crate::input::Input;
use crate::placing::given_documents::Given;
use crate::problem::{Kind, Problem};
use crate::reading::Reading;
use crate::source::{Source, Text};
use crate::syntax::nil::NilWords;
use crate::syntax::xml_tree::{Element, Records};
use karat_model::{Features, Link, Restriction, Span};

/// The format.
#[derive(Debug)]
pub(crate) struct Gerdaq;

const HINT: &str = "expected `<dataset>` with `<instance>`, in which `<annotation rank_0_title=\"...\">` marks a mention";
/// Annotators proposed no more than this; the file says so by numbered attributes.
const RANKS: usize = 50;

static INFO: Info = Info {
    name: "gerdaq",
    title: "GERDAQ",
    about: "`<dataset>` with one `<instance>` per query, whose mentions are `<annotation rank_0_title rank_0_id rank_0_score rank_1_title ...>`. \
            The link is the title of rank 0 (else its page id) with its score as confidence; further ranks are candidates. Queries have no names: in order they are those of \
            `documents`, or 0, 1, 2 and so on.",
    reference: "Cornolti et al. 2016; marcocor/bat-framework",
    extensions: &["xml"],
    offsets: Offsets::CODE_POINTS,
    writes: None,
    needs_text: true,
    keeps: Restriction {
        features: Features::TEXT
            .union(Features::EMPTY_DOCUMENTS)
            .union(Features::UNLINKED)
            .union(Features::CONFIDENCE)
            .union(Features::CANDIDATES)
            .union(Features::REPEATS),
        document_attributes: &[],
        annotation_attributes: &["wikipedia_id"],
    },
};

impl Format for Gerdaq {
    fn info(&self) -> &'static Info {
        &INFO
    }

    fn nil_words(&self) -> NilWords {
        // Links are titles.
        NilWords::NoTitles
    }

    fn detect(&self, sample: &Sample<'_>) -> u8 {
        let has =
            |part: &str| memchr::memmem::find(sample.text.as_bytes(), part.as_bytes()).is_some();
        let is_xml = sample.text.trim_start().starts_with('<');
        match is_xml && has("<dataset") && has("<instance") {
            true if has("rank_0_") => 95,
            true if !has("</annotation>") => 50,
            _ => 0,
        }
    }

    fn read(
        &self,
        files: &[Source],
        _input: &Input,
        reading: &mut Reading<'_>,
    ) -> Result<(), Problem> {
        let given = Given::new(reading.options);
        let mut number = 0;
        for file in files {
            let text = file.text()?;
            let Some(records) = reading.accept(Records::open(&text))? else { continue };
            for record in records {
                let Some(element) = reading.accept(record)? else { break };
                let name = given.name_at(number);
                number += 1;
                let read = read_instance(&text, &element, &name, reading);
                reading.accept(read)?;
            }
        }
        Ok(())
    }
}

fn read_instance(
    text: &Text<'_>,
    element: &Element,
    name: &str,
    reading: &mut Reading<'_>,
) -> Result<(), Problem> {
    let here = element.here(text);
    if element.name != "instance" {
        let message = format!("expected an `<instance>`, found `<{}>`", element.name);
        return Err(here.problem(Kind::Malformed, message).hint(HINT));
    }
    let mut content = String::new();
    let mut mentions = Vec::new();
    let mut taken = 0;
    for child in &element.children {
        content.push_str(&element.text[taken..child.before]);
        taken = child.before;
        let start = length(&content);
        content.push_str(&child.text);
        if child.name == "annotation" {
            mentions.push((Span::new(start, length(&content)), child));
        } else {
            let message = format!("expected an `<annotation>`, found `<{}>`", child.name);
            let problem = child.here(text).problem(Kind::Malformed, message);
            reading.report(problem.hint(HINT))?;
        }
    }
    content.push_str(&element.text[taken..]);
    if !reading.begin_document(here, name, &content)? {
        return Ok(());
    }
    for (span, annotation) in mentions {
        let added = add(text, annotation, span, reading);
        reading.accept(added)?;
    }
    Ok(())
}

fn length(text: &str) -> u32 {
    u32::try_from(text.chars().count()).unwrap_or(u32::MAX)
}

fn add(
    text: &Text<'_>,
    annotation: &Element,
    span: Span,
    reading: &mut Reading<'_>,
) -> Result<(), Problem> {
    let fact = |rank: usize, what: &str| {
        annotation.attribute(&format!("rank_{rank}_{what}")).filter(|value| !value.is_empty())
    };
    let score = |rank: usize| match fact(rank, "score") {
        None => Ok(f64::NAN),
        Some(digits) => {
            digits.parse::<f64>().ok().filter(|score| score.is_finite()).ok_or_else(|| {
                let message = format!("expected a number as `rank_{rank}_score`, found `{digits}`");
                annotation.here(text).problem(Kind::Malformed, message).hint(HINT)
            })
        }
    };
    let mut ranked = Vec::new();
    for rank in 0..RANKS {
        let Some(entity) = fact(rank, "title").or_else(|| fact(rank, "id")) else { break };
        ranked.push((Link::to(reading.corpus.intern(entity)), score(rank)?));
    }
    let (link, confidence) = ranked.first().copied().unwrap_or((Link::NONE, f64::NAN));
    let mut added = reading.corpus.annotate(span, link);
    if !confidence.is_nan() {
        added = added.confidence(confidence);
    }
    if ranked.len() > 1 {
        for &(candidate, score) in &ranked {
            added = added.candidate(candidate, score);
        }
    }
    if let Some(id) = fact(0, "id").filter(|_| fact(0, "title").is_some()) {
        added.attribute("wikipedia_id", id);
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{ReadOptions, testing};

    const SAMPLE: &str = "<?xml version='1.0' encoding='UTF-8'?>\n<dataset><instance>😀 é𝄞 <annotation rank_0_id=\"18831\" rank_0_score=\"0.75\" rank_0_title=\"Mathematics\">maths</annotation> &amp; <annotation rank_0_id=\"5\" rank_0_score=\"0.9\" rank_0_title=\"Download\" rank_1_id=\"7\" rank_1_score=\"0.6\" rank_1_title=\"Music download\">load</annotation>s</instance>\n<instance>no match</instance>\n</dataset>\n";

    #[test]
    fn mentions_stand_in_their_query() {
        let outcome =
            testing::read(&Gerdaq, &[("g.xml", SAMPLE)], &ReadOptions::default()).unwrap();
        let document = outcome.corpus.document("0").unwrap();
        assert_eq!(document.text(), Some("😀 é𝄞 maths & loads"));
        let found: Vec<_> = document
            .mentions()
            .map(|m| {
                (m.surface().unwrap(), m.entity().unwrap(), m.confidence(), m.candidates().count())
            })
            .collect();
        assert_eq!(
            found,
            [("maths", "Mathematics", Some(0.75), 0), ("load", "Download", Some(0.9), 2)]
        );
        assert_eq!(document.mention(0).unwrap().attribute("wikipedia_id"), Some("18831"));
        assert_eq!(outcome.corpus.document("1").unwrap().text(), Some("no match"));
    }

    #[test]
    fn bad_instances_are_located() {
        for (bad, message) in [
            ("<query/>", "expected an `<instance>`, found `<query>`"),
            ("<instance><b>x</b></instance>", "expected an `<annotation>`, found `<b>`"),
            (
                "<instance><annotation rank_0_title=\"A\" rank_0_score=\"x\">a</annotation></instance>",
                "expected a number as `rank_0_score`, found `x`",
            ),
        ] {
            let content = SAMPLE.replace("</dataset>", &format!("{bad}\n</dataset>"));
            let files = [("g.xml", content.as_str())];
            let problem = testing::read(&Gerdaq, &files, &ReadOptions::default()).unwrap_err();
            assert_eq!((problem.message.as_str(), problem.place.unwrap().line), (message, 4));
            let lenient = testing::read(&Gerdaq, &files, &testing::lenient()).unwrap();
            assert_eq!(lenient.findings.skipped().len(), 1);
        }
    }
}
