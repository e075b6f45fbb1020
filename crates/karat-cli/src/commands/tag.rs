//! `karat tag`

use crate::arguments::{ReadArguments, VocabularyArgument, note_unnamed, terminal_width};
use crate::failure::Failure;
use crate::forms::{Form, forms};
use crate::printing;
use crate::show::{self, counted};
use crate::written::check_is_no_input;
use clap::Args;
use karat::formats::{Format, Outcome};
use karat::kb::KnowledgeBase;
use karat::model::{Features, Vocabulary};
use karat::report::{Deferred, Report, ReportSection};
use karat::tagger::{Accuracy, Agreement, Aspect, Tagger, Tally};
use karat::tagging;
use std::path::PathBuf;

/// Derive category tags, as far as they follow from what is there
///
/// The overlap of a mention follows from the spans around it; its base form (full name, short name,
/// alias, common noun, number, pronoun) from its words and the name of its entity, which a
/// knowledge base gives or else the title in the link; its type (person, organisation, place,
/// miscellany) from the classes that the knowledge base has for the entity. Of parts of speech and
/// references only those of pronouns, numbers, days and months are derived, the rest stays unknown.
///
/// Derived tags are marked as such in the attribute `derived` of their mention. A tag without that
/// mark was given by a person, and stays unless --overwrite says otherwise.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  karat tag run.ttl -o tagged.ttl
  karat tag gold.karat.jsonl -o tagged.karat.jsonl --dimensions overlap --overwrite
  karat tag aida.tsv -o aida.ttl --to nif-categorised --documents aida.jsonl --kb wikidata.kb
  karat tag --accuracy categorizedVoxEL.ttl
      how well derived tags agree with those of the file")]
pub(crate) struct Tag {
    /// The corpus to tag: a file, a directory, `-`, or several joined by commas
    #[arg(value_name = "INPUT", required_unless_present = "accuracy")]
    input: Option<String>,
    /// Where to write: a file or directory, or `-` for standard output
    #[arg(long, short, value_name = "OUTPUT", required_unless_present = "accuracy")]
    output: Option<String>,
    /// Instead of writing tags, compare derived ones with the tags that this corpus has
    #[arg(long, value_name = "GOLD", conflicts_with_all = ["input", "output", "overwrite", "to"])]
    accuracy: Option<String>,
    /// Format of the output; without it, that of the input
    #[arg(long, value_name = "FORMAT")]
    to: Option<String>,
    /// A knowledge base of `karat kb build`, for the names and types of entities
    #[arg(long, value_name = "FILE")]
    kb: Option<PathBuf>,
    /// What to derive, joined by commas: base-form, pos, overlap, reference, type; all by default
    #[arg(long, value_name = "NAME", value_delimiter = ',')]
    dimensions: Vec<String>,
    /// Names of category tags in the output; by default those that are usual in its format
    #[arg(long, value_enum, value_name = "VOCABULARY")]
    vocabulary: Option<VocabularyArgument>,
    /// Overwrite tags that were not derived, too
    #[arg(long)]
    overwrite: bool,
    /// Form of the comparison
    #[arg(long, value_parser = forms(), default_value = "table", requires = "accuracy")]
    format: Form,
    #[command(flatten)]
    reading: ReadArguments,
}

impl Tag {
    pub(crate) fn run(self) -> Result<(), Failure> {
        let aspects = self.aspects()?;
        let base = self.kb.as_deref().map(KnowledgeBase::open).transpose()?;
        let mut tagger = Tagger::new();
        if let Some(base) = &base {
            tagger = tagger.with_base(base);
        }
        if self.overwrite {
            tagger = tagger.overwriting();
        }
        match (&self.accuracy, &self.input, &self.output) {
            (Some(gold), ..) => self.compare(gold, &tagger, &aspects, base.as_ref()),
            (None, Some(input), Some(output)) => {
                self.tag(input, output, &tagger, &aspects, base.as_ref())
            }
            _ => Err(Failure::usage("nothing to tag", "name an INPUT and an --output")),
        }
    }

    fn aspects(&self) -> Result<Vec<Aspect>, Failure> {
        let named = |name: &String| {
            let known = Aspect::ALL.into_iter().find(|aspect| aspect.key() == name.trim());
            known.ok_or_else(|| {
                let names = Aspect::ALL.map(Aspect::key).join(", ");
                let message = format!("nothing that can be derived is called `{name}`");
                Failure::usage(message, format!("there are {names}"))
            })
        };
        let asked: Vec<Aspect> = self.dimensions.iter().map(named).collect::<Result<_, _>>()?;
        let wanted = |aspect: &Aspect| match (asked.is_empty(), aspect) {
            // Without a knowledge base nobody knows a type, and nobody asked.
            (true, Aspect::EntityType) => self.kb.is_some(),
            (true, Aspect::Category(_)) => true,
            (false, aspect) => asked.contains(aspect),
        };
        Ok(Aspect::ALL.into_iter().filter(wanted).collect())
    }

    fn tag(
        &self,
        input: &str,
        output: &str,
        tagger: &Tagger<'_>,
        aspects: &[Aspect],
        base: Option<&KnowledgeBase>,
    ) -> Result<(), Failure> {
        check_is_no_input(output, [&input.to_owned()])?;
        let outcome = self.reading.read(input)?;
        let format = self.target(&outcome)?;
        let info = format.info();
        if !info.keeps.features.contains(Features::TAGS) {
            let message = format!("`{}` has no room for category tags", info.name);
            let hint = "choose another with --to, such as karat-jsonl or nif-categorised";
            return Err(Failure::usage(message, hint));
        }
        let tagged = tagger.tag(&outcome.corpus, aspects);
        base.map_or(Ok(()), KnowledgeBase::check)?;
        let vocabulary = self.vocabulary.map(Into::into);
        let loss = karat::registry()
            .write_spelled(&tagged.corpus, format, output, vocabulary)
            .map_err(|error| Failure::output(output, error))?;
        show::loss(info.name, &loss);
        note_unnamed(&tagged.corpus, vocabulary);
        if !self.reading.quiet {
            for (aspect, tally) in &tagged.tallies {
                show::note(&sentence(*aspect, tally));
            }
            if output != "-" {
                show::note(&format!("wrote `{output}` ({})", info.name));
            }
        }
        Ok(())
    }

    fn target(&self, outcome: &Outcome) -> Result<&'static dyn Format, Failure> {
        let registry = karat::registry();
        match (&self.to, outcome.formats.as_slice()) {
            (Some(name), _) => Ok(registry.named(name)?),
            (None, [format]) => Ok(registry.named(format)?),
            (None, _) => Err(Failure::usage(
                "the input is not of one format",
                "name the format of the output with --to",
            )),
        }
    }

    fn compare(
        &self,
        gold: &str,
        tagger: &Tagger<'_>,
        aspects: &[Aspect],
        base: Option<&KnowledgeBase>,
    ) -> Result<(), Failure> {
        let corpus = self.reading.read(gold)?.corpus;
        if aspects == [Aspect::EntityType] && base.is_none() {
            return Err(Failure::usage(
                "the types of entities are not known without a knowledge base",
                "name one with --kb; `karat kb build` makes it",
            ));
        }
        let accuracy = Accuracy::of(&corpus, tagger, aspects);
        base.map_or(Ok(()), KnowledgeBase::check)?;
        if accuracy.dimensions.iter().all(|found| found.compared() == 0) {
            return Err(Failure::usage(
                format!("`{gold}` has no such tags or types that people gave"),
                "tags look like `el:Mnt-Full`, types like `Person`; `karat tag INPUT -o OUTPUT` derives some",
            ));
        }
        self.print(&accuracy)
    }

    fn print(&self, accuracy: &Accuracy) -> Result<(), Failure> {
        let vocabulary = self.vocabulary.map_or(Vocabulary::El, Into::into);
        let categories = tagging::categories(accuracy, vocabulary);
        let confusion = |found| {
            ReportSection::new(
                title(found),
                Deferred::by(move || tagging::confusion(found, vocabulary)),
            )
        };
        let mut sections = vec![
            ReportSection::new("Dimensions", tagging::overview(accuracy)),
            ReportSection::new("Tags", &categories),
        ];
        sections.extend(accuracy.dimensions.iter().map(confusion));
        let report = Report {
            sections,
            rows: Some((&categories).into()),
            record: Some(Deferred::by(|| tagging::json(accuracy, vocabulary))),
            ..Report::default()
        };
        printing::print(&report, self.format, terminal_width())
    }
}

fn title(found: &Agreement) -> String {
    let name = match found.aspect() {
        Aspect::Category(dimension) => dimension.name(),
        Aspect::EntityType => "type",
    };
    format!("Derived {name} for each that was given")
}

fn sentence(aspect: Aspect, tally: &Tally) -> String {
    let Tally { derived, kept, unknown } = tally;
    let key = aspect.key();
    format!(
        "{key}: derived for {}, {kept} kept, {unknown} unknown",
        counted(*derived, "annotation")
    )
}
