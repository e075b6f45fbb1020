//! `karat eval`

use crate::arguments::{ResultForm, terminal_width};
use crate::commands::elevant;
use crate::drawing::DrawingArguments;
use crate::failure::Failure;
use crate::fuzzy::Fuzzy;
use crate::printing;
use crate::scoring::{
    self, Attendance, Compared, Contest, ConventionArguments, Names, facets, names,
};
use crate::show::{self, counted};
use crate::written::{check_are_apart, check_plot, write_file};
use clap::Args;
use karat::formats::Input;
use karat::matching::Given;
use karat::measures::{Average, Grouping, Hierarchy, Measure, Selection, TypeWeights, Wanted};
use karat::report::plot::Plot;
use karat::report::{Form, Table};
use karat::scoring::{
    Board, Development, Scoring, SystemScores, json, plots, rows, similarity, tables,
};
use std::borrow::Cow;
use std::io::Write;
use std::path::PathBuf;
use std::sync::Arc;

/// Score one or more systems against a gold standard
///
/// Every number depends on a convention: what a span must be to count, what optional gold is worth,
/// what is done about NIL. The convention is chosen by name and written, with everything else the
/// numbers depend on, in the signature under the table. The default is karat's own.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Eval {
    #[command(flatten)]
    compared: Compared,
    /// What to measure: measures, groups or single scores, as `link`, `hachey`, `link.f1@macro`;
    /// `karat measures` lists them
    #[arg(long = "measure", short, value_name = "NAME,...", value_parser = names)]
    measures: Vec<Names>,
    #[command(flatten)]
    convention: ConventionArguments,
    /// A development set: its gold. The threshold on confidence that is best there is chosen for each
    /// system, whose input must hold its output for these documents as well
    #[arg(long, value_name = "INPUT", conflicts_with = "threshold")]
    tune: Option<String>,
    /// Weights for pairs of types, as `types=FILE`: gold type, system type, weight, tab-separated; or
    /// `types=FILE.json`, a hierarchy as {"parent": ["child", ...]} in which each step costs half
    #[arg(long, value_name = "types=FILE")]
    weight: Option<String>,
    /// A hierarchy of types for `hierarchical-type`: child and parent, tab-separated
    #[arg(long, value_name = "FILE")]
    hierarchy: Option<String>,
    /// Weigh gold mentions by their category tags, and report recall that asks less for what not everybody
    /// would annotate: alpha=0.3 for the weight of what is not strict, or alpha=0,0.1,...,1 for a sweep;
    /// `strict`, `strict-text`, `questionnaire` or `systems`; attribute:KEY for a number that each mention
    /// has itself; a TOML file of weights; or a table of a survey. May be given several times
    #[arg(long, value_name = "WEIGHTS")]
    fuzzy: Vec<String>,
    /// Show each part of the corpus apart: doc, type, topic, language, link, entity, tag, base-form,
    /// pos, overlap, reference, combination, error, relation, span-error, category, mention-type,
    /// attribute:KEY, or several joined by +
    #[arg(long, value_name = "FACET", value_delimiter = ',')]
    group_by: Vec<String>,
    /// With --group-by: write the F1 of each part and system as a heat map to an SVG file
    #[arg(long, value_name = "FILE", requires = "group_by")]
    heat_map: Option<String>,
    /// Write the curves of `average-precision` (precision by recall), `risk-coverage` or
    /// `calibration-error`, and of any measure with precision and recall its scores at every threshold on
    /// confidence, to a file: the points of all to FILE.tsv, or the first drawn in FILE.svg
    #[arg(long, value_name = "FILE")]
    curve: Option<String>,
    /// Set every two systems side by side as well: how much their outputs have in common, by
    /// `similarity` or what -m asks of it, as `similarity(of=mention)`
    #[arg(long, conflicts_with = "stream")]
    similarity: bool,
    /// With a sweep of --fuzzy: write fuzzy F1 by alpha to an SVG file
    #[arg(long, value_name = "FILE", requires = "fuzzy")]
    sweep: Option<String>,
    /// Exit with 1 unless every system reaches this, as `link.f1=0.8`; may be given several times. A
    /// group must reach it in all its measures; `f1` alone is that of `link`
    #[arg(long, value_name = "SCORE=VALUE")]
    fail_under: Vec<String>,
    #[command(flatten)]
    drawing: DrawingArguments,
    /// Read gold and systems side by side and keep no more of them in memory than needed; the lines of a
    /// document must stand together. Not for clustering measures. What can only be told of a whole corpus is not
    /// said: mentions that are parts of themselves, a system whose annotations are all gold, ids that the preset
    /// does not know
    #[arg(long, conflicts_with_all = ["tune", "strata", "clusters", "sentences"])]
    stream: bool,
    /// Form of the result
    #[arg(long, value_enum, default_value = "table")]
    format: ResultForm,
    /// With --format elevant: a folder for eval_results.json and eval_cases.jsonl of each system,
    /// which ELEVANT's web application can show
    #[arg(long, short, value_name = "FOLDER")]
    output: Option<PathBuf>,
}

const EXAMPLES: &str = "Examples:
  karat eval -g gold.tsv -s mine=system.tsv
      the default measures of karat, with intervals
  karat eval -g gold.ttl -s a=a.ttl -s b=b.ttl -m link.f1,mention.f1 --group-by type
      two systems, two scores, one row for each type as well
  karat eval -g gold.tsv -s schwa.tsv --preset neleval -m hachey --format neleval
      exactly what neleval prints
  karat eval -g aida=aida.tsv -g msnbc=msnbc.tsv -s mine=all.tsv
      several benchmarks in one table
  karat eval -g gold.tsv -s mine=system.tsv --fail-under link.f1=0.8
      a gate for continuous integration: exit code 1 below 0.8";

/// In pixels: wide enough for the names of categories.
const HEAT_MAP: u16 = 600;

/// A score that must be reached.
struct Gate {
    asked: Selection,
    least: f64,
}

impl Eval {
    pub(crate) fn run(self) -> Result<(), Failure> {
        if self.format == ResultForm::Elevant {
            return elevant::print(&self.compared, &self.convention, self.output.as_deref());
        }
        if self.output.is_some() {
            return Err(Failure::usage(
                "only --format elevant writes files",
                "leave out -o, and send standard output to a file",
            ));
        }
        let plots = || self.heat_map.iter().chain(&self.sweep).chain(&self.curve);
        for path in plots() {
            check_plot(path, self.compared.inputs())?;
        }
        check_are_apart(plots())?;
        let mut scoring = self.scoring()?;
        let gates = self.gates(&scoring)?;
        if self.format == ResultForm::Neleval {
            check_is_of_neleval(&scoring)?;
        }
        if self.stream {
            let boards = self.compared.score_streams(&scoring)?;
            scoring.identity.check()?;
            boards.iter().for_each(|board| say_what_is_odd(board, &scoring));
            self.print(&boards)?;
            return self.check(&gates, &boards);
        }
        // The process ends with this command; to free what was read would only take time.
        let contests: &[Contest] = self.compared.read()?.leak();
        scoring::check_attributes(&scoring.selection, contests)?;
        check_development(&scoring, contests)?;
        self.add_nil_clusters(&mut scoring, contests)?;
        if self.similarity && contests.iter().any(|contest| contest.systems.len() < 2) {
            return Err(Failure::usage(
                "similarity is of two systems",
                "give several -s; `-m similarity` compares a system with gold",
            ));
        }
        for contest in contests {
            self.drawing.check(&contest.gold)?;
        }
        let score =
            |contest: &Contest| scoring.score(&contest.name, &contest.gold, &contest.systems);
        let boards: Vec<Board> = contests.iter().map(score).collect();
        scoring.identity.check()?;
        for (board, contest) in boards.iter().zip(contests) {
            say_what_is_odd(board, &scoring);
            say_if_nothing_weighs(contest, &scoring);
            contest.say_if_nothing_is_known(&scoring.convention);
        }
        self.print(&boards)?;
        self.check(&gates, &boards)
    }

    fn scoring(&self) -> Result<Scoring, Failure> {
        let (fuzzy, convention) = Fuzzy::of(&self.fuzzy, &self.convention)?;
        let preset = scoring::preset(&self.convention.preset)?;
        let mut names: Vec<&str> =
            self.measures.iter().flat_map(|names| &names.0).map(String::as_str).collect();
        if names.is_empty() {
            names = preset.measures.to_vec();
        }
        names.extend(fuzzy.measures.iter().map(String::as_str));
        if self.sweep.is_some() && plots::swept(&names) < 2 {
            return Err(Failure::usage(
                "a sweep has several values of alpha",
                "write for example --fuzzy alpha=0,0.1,...,1",
            ));
        }
        // A gate may ask for a measure that is not shown otherwise.
        let gated: Vec<Cow<'_, str>> = self
            .fail_under
            .iter()
            .filter_map(|gate| Some(gated_score(gate.rsplit_once('=')?.0)))
            .collect();
        let shown = Selection::parse(names.iter().copied(), &convention)?;
        names.extend(gated.iter().map(AsRef::as_ref));
        let mut scoring = Scoring::new(convention, &names)?;
        scoring.selection.wanted = shown.wanted;
        scoring.identity = self.convention.identity(&scoring.convention)?;
        scoring.selection.inform(&scoring.convention, scoring.identity.base());
        scoring.sweep = self.curve.is_some();
        scoring.digest_systems = self.format == ResultForm::Json;
        scoring.similarity = self.similarity_measures(&scoring)?;
        scoring.threads = self.compared.reading.threads;
        scoring.provenance.extend(self.compared.provenance()?);
        scoring.provenance.extend(fuzzy.provenance.map(|file| ("fuzzy", file)));
        self.weigh(&mut scoring)?;
        if let Some(hierarchy) = &self.hierarchy {
            let (text, fingerprint) = scoring::text(hierarchy)?;
            let hierarchy = Hierarchy::parse(&text).map_err(|error| {
                Failure::usage(
                    format!("`{hierarchy}`: {error}"),
                    "write child, tab, parent on each line",
                )
            })?;
            scoring.selection.use_hierarchy(hierarchy, &scoring.convention);
            scoring.provenance.push(("hierarchy", fingerprint));
        }
        if let Some(development) = &self.tune {
            let (name, _) = Input::named(development)?;
            let gold = Arc::new(self.compared.reading.read(development)?.corpus);
            scoring.development = Some(Development { name, gold });
        }
        let facets_of = |name: &String| facets(name, &scoring.convention, &scoring.identity);
        scoring.facets = self.group_by.iter().map(facets_of).collect::<Result<_, _>>()?;
        scoring.bootstrap = self.drawing.bootstrap(scoring.bootstrap)?;
        scoring.resampling = self.drawing.resampling()?;
        Ok(scoring)
    }

    /// The measures by which systems are set side by side, if they are.
    fn similarity_measures(&self, scoring: &Scoring) -> Result<Option<Selection>, Failure> {
        if !self.similarity {
            return Ok(None);
        }
        let many = [ResultForm::Tsv, ResultForm::Csv, ResultForm::Jsonl, ResultForm::Neleval];
        if many.contains(&self.format) {
            return Err(Failure::usage(
                "this form holds one table, and similarities are another",
                "choose --format json, or a form with several tables",
            ));
        }
        let is_one = |measure: &&Measure| measure.canonical.split('(').next() == Some("similarity");
        let asked = scoring.selection.measures.iter().filter(is_one);
        let asked: Vec<&str> = asked.map(|measure| measure.name.as_str()).collect();
        let names = if asked.is_empty() { vec!["similarity"] } else { asked };
        Ok(Some(Selection::parse(names, &scoring.convention)?))
    }

    /// Where nothing was asked for, what a preset reports where gold has clusters of NIL.
    fn add_nil_clusters(&self, scoring: &mut Scoring, contests: &[Contest]) -> Result<(), Failure> {
        let has_clusters = |contest: &Contest| {
            let mentions = contest.gold.documents().flat_map(|document| document.mentions());
            mentions.into_iter().any(|mention| mention.nil_cluster().is_some())
        };
        if self.measures.is_empty() && contests.iter().any(has_clusters) {
            let names = scoring::preset(&self.convention.preset)?.with_nil_clusters;
            scoring.selection.extend(Selection::parse(names.iter().copied(), &scoring.convention)?);
        }
        Ok(())
    }

    /// Gives the measures weights for pairs of types, if there are any.
    fn weigh(&self, scoring: &mut Scoring) -> Result<(), Failure> {
        let Some(argument) = &self.weight else { return Ok(()) };
        let Some(path) = argument.strip_prefix("types=") else {
            return Err(Failure::usage(
                format!("`{argument}` does not say what is weighted"),
                "write --weight types=FILE",
            ));
        };
        let (text, fingerprint) = scoring::text(path)?;
        // In a hierarchy each step towards the root costs half, as neleval has it by default.
        const DECAY: f64 = 0.5;
        let weights = match path.ends_with(".json") {
            true => TypeWeights::for_hierarchy(&text, DECAY),
            false => TypeWeights::parse(&text),
        };
        let weights = weights.map_err(|error| {
            Failure::usage(
                format!("`{path}`: {error}"),
                "write gold type, system type and weight on each line, separated by tabs",
            )
        })?;
        let wanted = std::mem::take(&mut scoring.selection);
        scoring.selection = wanted.with_type_weights(weights)?;
        scoring.provenance.push(("weights", format!("types@{fingerprint}")));
        Ok(())
    }

    fn gates(&self, scoring: &Scoring) -> Result<Vec<Gate>, Failure> {
        let hint = "write for example --fail-under link.f1=0.8";
        let gate = |text: &String| {
            let (name, least) = text
                .rsplit_once('=')
                .ok_or_else(|| Failure::usage(format!("`{text}` names no value"), hint))?;
            let number = least.parse().ok().filter(|number: &f64| number.is_finite());
            let least = number
                .ok_or_else(|| Failure::usage(format!("`{least}` is no number to reach"), hint))?;
            let name = gated_score(name);
            let mut asked = Selection::parse([name.as_ref()], &scoring.convention)?;
            for wanted in &mut asked.wanted {
                let measure = &asked.measures[wanted.measure];
                wanted.score =
                    wanted.score.take().or(measure.compute.headline().map(str::to_owned));
                if wanted.score.is_none() {
                    let hint = "choose a measure with a score; `karat measures` lists them";
                    let message = format!("`{}` has no score to reach", measure.name);
                    return Err(Failure::usage(message, hint));
                }
            }
            if least > 1.0 && asked.wanted.iter().any(|wanted| is_score(&asked, wanted)) {
                return Err(Failure::usage(
                    format!("`{name}` cannot reach {least}"),
                    "scores lie between 0 and 1; only counts such as link.tp go beyond",
                ));
            }
            Ok(Gate { asked, least })
        };
        self.fail_under.iter().map(gate).collect()
    }

    fn write_plots(&self, boards: &[Board]) -> Result<(), Failure> {
        if let Some(path) = &self.heat_map {
            write_file(path, &plots::heat_map(boards).svg_of_width(HEAT_MAP))?;
        }
        if let Some(path) = &self.curve {
            write_file(path, &drawn_or_listed(path, boards)?)?;
        }
        match (&self.sweep, plots::sweep(boards)) {
            (Some(path), Some(plot)) => write_file(path, &plot.svg()),
            _ => Ok(()),
        }
    }

    fn print(&self, boards: &[Board]) -> Result<(), Failure> {
        self.write_plots(boards)?;
        let mut out = anstream::stdout();
        match self.format {
            ResultForm::Json => return Ok(writeln!(out, "{:#}", json::boards(boards))?),
            ResultForm::Neleval => {
                for board in boards {
                    if boards.len() > 1 {
                        writeln!(out, "# {}", board.benchmark)?;
                    }
                    write!(out, "{}", board.neleval())?;
                }
                return Ok(());
            }
            _ => {}
        }
        let signatures: Vec<String> =
            boards.iter().map(|board| board.signature.to_string()).collect();
        let (headline, others) = (tables::headline(boards), tables::others(boards));
        let (slices, other_slices) = (tables::slices(boards), tables::other_slices(boards));
        let everything = rows::everything(boards);
        let similarities = similarity::table(boards);
        let all = [
            ("All documents", &headline),
            ("Other measures", &others),
            ("By part", &slices),
            ("Other measures by part", &other_slices),
            ("Similarity of systems", &similarities),
        ];
        let shown: Vec<(&str, &Table)> = match self.format {
            ResultForm::Tsv | ResultForm::Csv | ResultForm::Jsonl => vec![("", &everything)],
            _ => all.into_iter().filter(|(_, table)| !table.is_empty()).collect(),
        };
        printing::print(self.format, &shown, &signatures, terminal_width())
    }

    /// Says which gates were missed, if any.
    fn check(&self, gates: &[Gate], boards: &[Board]) -> Result<(), Failure> {
        let mut passed = true;
        for (gate, board) in
            gates.iter().flat_map(|gate| boards.iter().map(move |board| (gate, board)))
        {
            for wanted in &gate.asked.wanted {
                let name = &gate.asked.measures[wanted.measure].name;
                passed &= reaches(board, name, wanted, gate.least);
            }
        }
        if passed { Ok(()) } else { Err(Failure::Gate) }
    }
}

/// neleval has rows of precision and recall, for labels that gold has, and nowhere to put anything else.
fn check_is_of_neleval(scoring: &Scoring) -> Result<(), Failure> {
    let mut facets = scoring.facets.iter().flatten();
    if let Some(facet) = facets.find(|facet| facet.is_of_cases()) {
        return Err(Failure::usage(
            format!("neleval has no groups by `{}`: it is no label of mentions", facet.name()),
            "group by what mentions have by themselves, as type, or choose another --format",
        ));
    }
    let Selection { measures, wanted, .. } = &scoring.selection;
    let in_parts =
        !scoring.facets.is_empty() && scoring.convention.grouping == Grouping::Annotations;
    let is_other = |measure: &&Measure| {
        let compute = &measure.compute;
        compute.empty_scores().get("f1").is_none() || (in_parts && !compute.credits_parts())
    };
    let others = wanted.iter().filter_map(|wanted| measures.get(wanted.measure)).filter(is_other);
    let others: Vec<String> = others.map(|measure| format!("`{}`", measure.name)).collect();
    match others.is_empty() {
        true => Ok(()),
        false => Err(Failure::usage(
            format!("neleval has no row for {}: no precision, recall and F1", others.join(", ")),
            "leave them out, or choose another --format",
        )),
    }
}

/// The curves of boards, as a drawing or as a table.
fn drawn_or_listed(path: &str, boards: &[Board]) -> Result<String, Failure> {
    let Some(plot) = plots::curves(boards) else {
        return Err(Failure::usage(
            "no measure that was asked for has a curve",
            "ask for -m link or another measure with precision and recall, average-precision, \
             risk-coverage or calibration-error; their inputs need confidences",
        ));
    };
    Ok(match path.ends_with(".svg") {
        true => plot.svg(),
        false => tables::curves(boards).render(Form::Tsv, None),
    })
}

/// What a gate asks for: a score alone is that of the headline, `link`.
fn gated_score(name: &str) -> Cow<'_, str> {
    let (score, average) = name.trim().split_once('@').unwrap_or((name.trim(), "micro"));
    let is_score = matches!(score, "f1" | "precision" | "recall");
    // Recall at a number is a measure.
    match is_score && matches!(average, "micro" | "macro") {
        true => Cow::Owned(format!("link.{}", name.trim())),
        false => Cow::Borrowed(name),
    }
}

/// Whether all systems reach a value in what is asked of a measure; says which do not.
fn reaches(board: &Board, name: &str, asked: &Wanted, least: f64) -> bool {
    let known = board.selection.measures.iter().position(|measure| measure.name == name);
    let Some(measure) = known else { return true };
    let wanted = Wanted { measure, ..asked.clone() };
    let mut all = true;
    for system in &board.systems {
        let reached = system.evaluation.results[measure].wanted(&wanted);
        if reached.is_none_or(|reached| reached < least) {
            all = false;
            show::error(&missed(system, name, asked, reached, least), None);
        }
    }
    all
}

fn missed(
    system: &SystemScores,
    measure: &str,
    asked: &Wanted,
    reached: Option<f64>,
    least: f64,
) -> String {
    let score = asked.score.as_deref().unwrap_or("f1");
    let average = if asked.average == Average::Macro { "@macro" } else { "" };
    let reached = reached.map_or("undefined".to_owned(), |reached| format!("{reached:.4}"));
    format!("`{}` has {measure}.{score}{average} {reached}, below {least}", system.name)
}

/// Whether a score is asked for, and not a count.
pub(crate) fn is_score(selection: &Selection, wanted: &Wanted) -> bool {
    let columns = selection.measures[wanted.measure].compute.columns();
    wanted.score.as_deref().is_none_or(|score| score != "tp" && !columns.contains(&score))
}

/// Documents on which a threshold was chosen say nothing about how good it is.
fn check_development(scoring: &Scoring, contests: &[Contest]) -> Result<(), Failure> {
    let Some(development) = &scoring.development else { return Ok(()) };
    for contest in contests {
        let both = |name: &&str| development.gold.document(name).is_some();
        let names = || contest.gold.documents().map(|document| document.name()).filter(both);
        if let Some(example) = names().next() {
            return Err(Failure::usage(
                format!(
                    "`{}` and the development set share {} (`{example}`): no document can serve both",
                    contest.name,
                    counted(names().count(), "document"),
                ),
                "give --tune a development set of its own; its documents must have names of their own",
            ));
        }
    }
    Ok(())
}

/// A result over documents that do not meet is no result.
fn say_what_is_odd(board: &Board, scoring: &Scoring) {
    let slices = board.systems.iter();
    let slices = slices.map(|system| (system.name.as_str(), &system.evaluation.slices[..]));
    scoring.notes_on_parts(slices).iter().for_each(|note| show::note(note));
    if board.gold.annotations == 0 {
        show::warning_with(
            &format!("`{}` has no annotations: there is nothing to find", board.benchmark),
            "is it the gold standard? `karat validate GOLD` says what is in it",
        );
    }
    for system in &board.systems {
        scoring::say_what_is_missing(&Attendance {
            system: &system.name,
            benchmark: &board.benchmark,
            documents: board.gold.documents,
            silent: system.silent_documents,
            unknown: &system.unknown_documents,
            counts: scoring.convention.settings.given == Given::Nothing,
        });
    }
}

/// Without anything to weigh mentions by, fuzzy recall is plain recall.
fn say_if_nothing_weighs(contest: &Contest, scoring: &Scoring) {
    if scoring.alphas().is_empty() {
        return;
    }
    let membership = &scoring.convention.membership;
    let mut mentions = contest.gold.documents().flat_map(|document| document.mentions());
    if !mentions.any(|mention| membership.weighs(&mention)) {
        let missing = match membership.attribute() {
            Some(key) => format!("has a number from 0 to 1 in `{key}`"),
            None => "has a category tag with a weight".to_owned(),
        };
        show::warning(&format!(
            "no mention of `{}` {missing}: all weigh 1, and fuzzy recall is plain recall",
            contest.name
        ));
    }
}
