//! What can be asked of conventions.

use super::answer::{ConventionScores, ConventionStep, ConventionWalk, ConventionsAnswer};
use crate::command::CommandLine;
use crate::convention::ConventionRequest;
use crate::error::Error;
use crate::inputs::Inputs;
use crate::request::Request;
use crate::scoring::answer::EvaluationAnswer;
use crate::scoring::{DrawingRequest, EvaluationRequest};
use crate::work::Work;
use karat_measures::{Convention, PRESETS, setting};
use karat_model::Hint;
use serde::{Deserialize, Serialize};

/// Scores one system under several conventions.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct ConventionsRequest {
    /// One gold standard and one system.
    pub inputs: Inputs,
    /// The measure, or one score of it.
    pub measure: String,
    /// The presets; all of them if there are none.
    pub presets: Vec<String>,
    /// How intervals are made; for a quick look, ask for 0 trials.
    pub drawing: DrawingRequest,
    /// From which preset to which other it is followed what each setting changes.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub walk: Option<WalkBetween>,
}

/// Two presets.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct WalkBetween {
    /// Where it starts.
    pub from: String,
    /// Where it ends.
    pub to: String,
}

impl Default for ConventionsRequest {
    fn default() -> ConventionsRequest {
        ConventionsRequest {
            inputs: Inputs::default(),
            measure: "link".to_owned(),
            presets: Vec::new(),
            drawing: DrawingRequest::default(),
            walk: None,
        }
    }
}

impl Request for ConventionsRequest {
    type Answer = ConventionsAnswer;

    const NAME: &'static str = "conventions";

    fn answer(&self, work: &Work) -> Result<ConventionsAnswer, Error> {
        if self.inputs.gold.len() != 1 || self.inputs.systems.len() != 1 {
            return Err(Error::bad_request(
                "conventions are compared on one system and one benchmark",
                Hint::template("give one {gold} and one {system}"),
            ));
        }
        let mut answer = ConventionsAnswer {
            karat: env!("CARGO_PKG_VERSION").to_owned(),
            ..ConventionsAnswer::default()
        };
        for name in self.preset_names() {
            let convention = preset(name);
            let about = convention.preset()?.summary();
            let scored = self.scored(convention, work);
            if let Ok(scored) = &scored {
                answer.take(scored);
            }
            answer.conventions.push(ConventionScores::of(name, about, scored));
            work.check()?;
        }
        if let Some(walk) = &self.walk {
            answer.walk = Some(self.walked(walk, work)?);
        }
        Ok(answer)
    }

    fn commands(&self) -> Vec<CommandLine> {
        let evaluation = |name: &str| self.evaluation(preset(name)).commands();
        self.preset_names().into_iter().flat_map(evaluation).collect()
    }
}

fn preset(name: &str) -> ConventionRequest {
    ConventionRequest { preset: name.to_owned(), ..ConventionRequest::default() }
}

impl ConventionsRequest {
    /// The presets that are meant.
    fn preset_names(&self) -> Vec<&str> {
        match self.presets.is_empty() {
            true => PRESETS.iter().map(|preset| preset.name).collect(),
            false => self.presets.iter().map(String::as_str).collect(),
        }
    }

    /// The request for the scores under one convention.
    pub fn evaluation(&self, convention: ConventionRequest) -> EvaluationRequest {
        EvaluationRequest {
            inputs: self.inputs.clone(),
            convention,
            measures: vec![self.measure.clone()],
            drawing: self.drawing.clone(),
            ..EvaluationRequest::default()
        }
    }

    fn scored(
        &self,
        convention: ConventionRequest,
        work: &Work,
    ) -> Result<EvaluationAnswer, Error> {
        self.evaluation(convention).answer(work)
    }

    /// What each setting changes on the way from one preset to the other, in the order of signatures.
    fn walked(&self, walk: &WalkBetween, work: &Work) -> Result<ConventionWalk, Error> {
        let quick = ConventionsRequest {
            drawing: DrawingRequest { trials: Some(0), ..self.drawing.clone() },
            ..self.clone()
        };
        let (mut now, end) = (preset(&walk.from), preset(&walk.to));
        let mut convention = now.convention()?;
        let target = end.convention()?;
        let scored = quick.scored(now.clone(), work).ok();
        let mut steps = vec![ConventionStep {
            convention: now.clone(),
            ..ConventionStep::of(None, scored.as_ref())
        }];
        for (name, value) in target.parts() {
            let before = convention.get(name);
            if name == "preset" || before.as_deref() == Some(value.as_str()) {
                continue;
            }
            // A setting may have no name for what a preset does; then it is not a step.
            if convention.set(name, &value).is_err() {
                continue;
            }
            now.settings.push(name, value.clone());
            let scored = quick.scored(now.clone(), work).ok();
            let change = change(name, before.unwrap_or_default(), &value);
            steps.push(ConventionStep {
                convention: now.clone(),
                ..ConventionStep::of(Some(change), scored.as_ref())
            });
            work.check()?;
        }
        let last = quick.scored(end.clone(), work).ok();
        let arrived = steps.last().map(|step| step.scores.clone());
        let end = ConventionStep { convention: end, ..ConventionStep::of(None, last.as_ref()) };
        Ok(ConventionWalk {
            from: walk.from.clone(),
            to: walk.to.clone(),
            arrives: arrived.as_ref() == Some(&end.scores) && same_settings(&convention, &target),
            steps,
            end,
        })
    }
}

/// A setting with its values before and after, and what the new one means.
fn change(name: &str, before: String, after: &str) -> [String; 4] {
    let meaning = setting(name).map(|setting| setting.meaning(after));
    let meaning = meaning.map(ToString::to_string).unwrap_or_default();
    [name.to_owned(), before, after.to_owned(), meaning]
}

fn same_settings(a: &Convention, b: &Convention) -> bool {
    let settings = |convention: &Convention| -> Vec<(&'static str, String)> {
        convention.parts().into_iter().filter(|(name, _)| *name != "preset").collect()
    };
    settings(a) == settings(b)
}
