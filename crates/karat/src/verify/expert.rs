//! Items whose answer somebody knows: controls and practice from a file.
//!
//! Each line is a JSON object:
//!
//! | key | what it is |
//! | --- | --- |
//! | `document`, `span` | the mention, in code points; or `start` and `end` |
//! | `link` | the link that is shown |
//! | `right` | the actions that are right: `verify`, `modify`, `remove` |
//! | `links` | entities that are right, where the shown one is not |
//! | `kind` | `control` (if it is not given) or `practice` |
//! | `explanation` | what is said to somebody who practises |

use crate::error::Error;
use karat_formats::{Kind, Problem, Source};
use karat_kb::KnowledgeBase;
use karat_model::Span;
use karat_verify::plan::{CampaignPlan, ItemKey, ItemKind, TaskPurpose, VerifyItem};
use karat_verify::{LinkTarget, VerifyAction};
use serde::Deserialize;
use std::collections::BTreeMap;

/// A line of the file.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct ExpertLine {
    document: String,
    #[serde(default)]
    start: Option<u32>,
    #[serde(default)]
    end: Option<u32>,
    #[serde(default)]
    span: Option<(u32, u32)>,
    link: LinkTarget,
    right: Vec<VerifyAction>,
    #[serde(default)]
    links: Vec<LinkTarget>,
    #[serde(default)]
    kind: ExpertKind,
    #[serde(default)]
    explanation: String,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum ExpertKind {
    #[default]
    Control,
    Practice,
}

/// Adds the items of a file to a plan. They are confirmed: an expert wrote them. Controls of one text are a task, or several if
/// they overlap. Gives how many practice items there are.
pub(super) fn add_expert_items(
    path: &str,
    plan: &mut CampaignPlan,
    base: Option<&KnowledgeBase>,
    seed: u64,
) -> Result<usize, Error> {
    let source = match path {
        "-" => Source::stdin()?,
        path => Source::file(path),
    };
    let text = source.text()?;
    let mut texts: BTreeMap<String, Vec<usize>> = BTreeMap::new();
    for (at, one) in plan.texts.iter().enumerate() {
        texts.entry(one.document.clone()).or_default().push(at);
    }
    let mut controls: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
    let mut practice = 0;
    for line in text.as_str().lines().filter(|line| !line.trim().is_empty()) {
        let wrong = |message: &str| text.problem_at(Kind::Format, line, message.to_owned());
        let known: ExpertLine =
            serde_json::from_str(line).map_err(|error| text.json_problem(line, &error))?;
        let at = plan.items.len();
        let item = item(&known, plan, &texts, base).map_err(|message| wrong(&message))?;
        match known.kind {
            ExpertKind::Control => controls.entry(item.text).or_default().push(at),
            ExpertKind::Practice => practice += 1,
        }
        let settled = |link: &LinkTarget| settled(link, base);
        plan.keys.push(ItemKey {
            item: at,
            links: known.links.iter().map(settled).collect(),
            actions: known.right,
            explanation: known.explanation,
            origin: "expert".to_owned(),
            confirmed: true,
        });
        plan.items.push(item);
    }
    if controls.is_empty() && practice == 0 {
        return Err(Problem::new(Kind::Format, source.name(), "there are no items").into());
    }
    plan.add_tasks(&controls, TaskPurpose::Control, seed);
    Ok(practice)
}

/// The item of a line, or why it cannot be one.
fn item(
    known: &ExpertLine,
    plan: &CampaignPlan,
    texts: &BTreeMap<String, Vec<usize>>,
    base: Option<&KnowledgeBase>,
) -> Result<VerifyItem, String> {
    let (start, end) = { known.span.or(known.start.zip(known.end)) }
        .ok_or("it has no `span`, and no `start` and `end`")?;
    if start >= end {
        return Err(format!("the mention ends at {end} and begins at {start}"));
    }
    if known.right.is_empty() || known.right.contains(&VerifyAction::Skip) {
        return Err("`right` has verify, modify or remove, or several of them".to_owned());
    }
    let span = Span::new(start, end);
    let own = texts
        .get(&known.document)
        .ok_or_else(|| format!("the campaign has no document `{}`", known.document))?;
    let found = own.iter().find(|&&at| plan.texts[at].span().contains(span));
    let text = *found.ok_or_else(|| {
        format!("{start} to {end} lies in no text of the document `{}`", known.document)
    })?;
    let kind = match known.kind {
        ExpertKind::Control => ItemKind::Control,
        ExpertKind::Practice => ItemKind::Practice,
    };
    Ok(VerifyItem {
        text,
        begin: start,
        end,
        link: settled(&known.link, base),
        kind,
        stratum: String::new(),
        probability: 1.0,
        weight: 0.0,
    })
}

fn settled(link: &LinkTarget, base: Option<&KnowledgeBase>) -> LinkTarget {
    match (link, base) {
        (LinkTarget::Entity(id), Some(base)) => LinkTarget::Entity(base.resolve(id).into_owned()),
        _ => link.clone(),
    }
}

#[cfg(test)]
mod tests {
    use crate::verify::CampaignRequest;
    use karat_verify::plan::{ControlPool, ItemKind, TaskPurpose};

    fn built(lines: &str) -> Result<crate::verify::BuiltCampaign, crate::error::Error> {
        let experiment = crate::sample::experiment().expect("the sample");
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("expert.jsonl");
        std::fs::write(&path, lines).expect("written");
        let expert = Some(path.display().to_string());
        let request = CampaignRequest { expert, ..CampaignRequest::default() };
        request.build_of(&[experiment], Vec::new())
    }

    /// A document of the sample with three words.
    fn document() -> String {
        let experiment = crate::sample::experiment().expect("the sample");
        let document = experiment.benchmark.corpus.documents().next().expect("a document");
        document.name().to_owned()
    }

    #[test]
    fn controls_and_practice_come_from_a_file() {
        let name = document();
        let line = |span: &str, rest: &str| {
            format!("{{\"document\":\"{name}\",\"span\":{span},\"link\":\"Q1\",{rest}}}\n")
        };
        let lines = line("[0,2]", "\"right\":[\"verify\"]")
            + &line("[3,5]", "\"right\":[\"modify\",\"remove\"],\"links\":[\"Q2\"]")
            + &line("[6,8]", "\"right\":[\"remove\"]")
            + &line(
                "[1,4]",
                "\"right\":[\"remove\"],\"kind\":\"practice\",\"explanation\":\"No.\"",
            );
        let built = built(&lines).expect("a campaign");
        let pool = ControlPool { right: 1, corrupted: 1, no_entity: 1 };
        assert_eq!(ControlPool::of(&built.plan), pool, "an expert confirmed them");
        assert_eq!(built.settings.practice, 1);
        let controls: Vec<_> =
            { built.plan.tasks.iter() }.filter(|one| one.purpose == TaskPurpose::Control).collect();
        assert_eq!(controls.len(), 1, "one task, as they do not overlap");
        assert_eq!(controls[0].items.len(), 3);
        let practice = |kind| built.plan.items.iter().filter(|item| item.kind == kind).count();
        assert_eq!(practice(ItemKind::Practice), 1);
    }

    #[test]
    fn what_is_wrong_is_located() {
        let name = document();
        for (line, why) in [
            (
                format!(
                    "{{\"document\":\"{name}\",\"span\":[3,3],\"link\":\"Q1\",\"right\":[\"verify\"]}}"
                ),
                "ends at 3",
            ),
            (
                format!("{{\"document\":\"{name}\",\"link\":\"Q1\",\"right\":[\"verify\"]}}"),
                "no `span`",
            ),
            (
                format!("{{\"document\":\"{name}\",\"span\":[0,2],\"link\":\"Q1\",\"right\":[]}}"),
                "`right`",
            ),
            (
                "{\"document\":\"?\",\"span\":[0,2],\"link\":\"Q1\",\"right\":[\"verify\"]}"
                    .to_owned(),
                "no document",
            ),
            (
                format!(
                    "{{\"document\":\"{name}\",\"span\":[0,99999],\"link\":\"Q1\",\"right\":[\"verify\"]}}"
                ),
                "no text",
            ),
            ("{\"document\":1}".to_owned(), "expected a string"),
        ] {
            let error = built(&format!("\n{line}\n")).expect_err(&line);
            let told = format!("{error} {error:?}");
            assert!(told.contains(why), "{told}");
        }
        assert!(built("").is_err());
    }
}
