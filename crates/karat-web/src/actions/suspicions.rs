//! Noting places where gold may be wrong, and deciding about them.

use crate::access::Act;
use crate::action::{Action, SentForm};
use crate::address::Address;
use crate::catalogue::CatalogueBenchmark;
use crate::pages::document::plain;
use crate::refusal::Refusal;
use karat::errors::{CasePlace, CaseRow, CasesRequest};
use karat_store::{NewSuspicion, SuspicionState};

/// Decides about one place.
#[derive(Debug)]
pub(crate) struct JudgeSuspicion;

/// Notes the cases of a run that were selected.
#[derive(Debug)]
pub(crate) struct SuspectCases;

/// No text of a form is longer.
const LONGEST: usize = 2000;

/// A benchmark whose suspicions the sender may decide about. Others do not learn that it is there.
fn organised<'c>(
    form: &SentForm<'_>,
    catalogue: &'c crate::catalogue::Catalogue,
    slug: &str,
) -> Result<&'c CatalogueBenchmark, Refusal> {
    let found = catalogue.benchmark(slug)?;
    match form.visitor.may(Act::Organise, &found.id) && !found.edition_id.is_empty() {
        true => Ok(found),
        false => Err(Refusal::missing("benchmark", slug, [])),
    }
}

impl Action for JudgeSuspicion {
    fn path(&self) -> &'static str {
        "/suspicions"
    }

    fn act(&self, form: &SentForm<'_>) -> Result<Address, Refusal> {
        // Even a hint must not name what its reader may not see.
        let catalogue = form.workbench.catalogue().seen_by(&form.visitor);
        let slug = form.field("benchmark").unwrap_or_default();
        let benchmark = organised(form, &catalogue, slug)?;
        let state = form.field("state").unwrap_or_default();
        let words = SuspicionState::ALL.iter().map(|state| state.word());
        let state = SuspicionState::from_word(state)
            .ok_or_else(|| Refusal::missing("decision", state, words))?;
        let place: NewSuspicion = serde_json::from_str(form.field("place").unwrap_or_default())
            .map_err(|error| {
                Refusal::bad_request(
                    format!("the form does not say which place is meant: {error}"),
                    "open the page again",
                )
            })?;
        let place = NewSuspicion { edition: benchmark.edition_id.clone(), ..place };
        check(&place, benchmark)?;
        let note = form.field("note").unwrap_or_default();
        if note.chars().count() > LONGEST {
            return Err(Refusal::bad_request("the note is too long", "write fewer words"));
        }
        let store = form.workspace.store();
        form.workspace.wait(store.judge_place(&form.by, &place, state, note))?;
        let number = usize::try_from(place.document).unwrap_or_default();
        Ok(match form.field("from") {
            Some("document") => {
                Address::document(slug, number).with("at", format!("{}-{}", place.start, place.end))
            }
            _ => Address::benchmark(slug).with("show", "suspicions"),
        })
    }
}

/// Refuses places that no page can have sent.
fn check(place: &NewSuspicion, benchmark: &CatalogueBenchmark) -> Result<(), Refusal> {
    let document = usize::try_from(place.document).unwrap_or_default();
    let is_there =
        (1..=benchmark.documents).contains(&document) && (0..=place.end).contains(&place.start);
    let texts = [&place.gold, &place.proposed, &place.agree, &place.differ];
    let is_short = texts.iter().all(|text| text.len() <= 10 * LONGEST);
    let are_lists = [&place.agree, &place.differ]
        .iter()
        .all(|text| serde_json::from_str::<Vec<String>>(text).is_ok());
    match is_there && is_short && are_lists && place.gold != place.proposed {
        true => Ok(()),
        false => Err(Refusal::bad_request(
            format!("{} has no such place", benchmark.name),
            "open the page again",
        )),
    }
}

impl Action for SuspectCases {
    fn path(&self) -> &'static str {
        "/runs/{id}/suspicions"
    }

    fn act(&self, form: &SentForm<'_>) -> Result<Address, Refusal> {
        let catalogue = form.workbench.catalogue().seen_by(&form.visitor);
        let run = catalogue.run(form.parameter("id"))?;
        let benchmark = organised(form, &catalogue, &run.benchmark)?;
        let picks = form.fields.iter().filter(|(name, _)| name == "pick");
        let pick = picks.map(|(_, value)| {
            let place = value.parse::<CasePlace>();
            place
                .map_err(|error| Refusal::bad_request(error.to_string(), "select rows of the list"))
        });
        let pick: Vec<CasePlace> = pick.collect::<Result<_, _>>()?;
        if pick.is_empty() {
            return Err(Refusal::bad_request(
                "no case is selected",
                "go back and select rows by their boxes",
            ));
        }
        let request = CasesRequest {
            inputs: catalogue.inputs(benchmark, [run]),
            convention: form.field("as").unwrap_or_default().parse()?,
            only: Some(run.system.clone()),
            limit: pick.len(),
            pick,
            ..CasesRequest::default()
        };
        let answer = form.workbench.answer(&request)?;
        let store = form.workspace.store();
        for row in answer.rows.iter().filter(|row| !row.is_right) {
            let place = suspected(benchmark, &run.system, row);
            if place.gold != place.proposed {
                let open = SuspicionState::Open;
                form.workspace.wait(store.judge_place(&form.by, &place, open, ""))?;
            }
        }
        Ok(Address::benchmark(&run.benchmark).with("show", "suspicions"))
    }
}

fn suspected(benchmark: &CatalogueBenchmark, system: &str, row: &CaseRow) -> NewSuspicion {
    NewSuspicion {
        edition: benchmark.edition_id.clone(),
        document: i64::try_from(row.document).unwrap_or_default(),
        start: row.in_text.start.into(),
        end: row.in_text.end.into(),
        gold: row.gold.as_ref().map(plain).unwrap_or_default(),
        proposed: row.prediction.as_ref().map(plain).unwrap_or_default(),
        agree: "[]".to_owned(),
        differ: serde_json::to_string(&[system]).unwrap_or_default(),
        weight: 1,
    }
}
