//! Platforms as data.

use super::*;
use proptest::prelude::*;

fn given(pairs: &[(&str, &str)]) -> impl Fn(&str) -> Option<String> + use<> {
    let pairs: BTreeMap<String, String> =
        pairs.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect();
    move |name| pairs.get(name).cloned()
}

#[test]
fn every_built_in_declaration_can_be_read() {
    for (name, text) in FILES {
        let read = Platform::read(name, text).unwrap_or_else(|problem| panic!("{name}: {problem}"));
        assert_eq!(read.name, name);
        assert!(!read.about.is_empty(), "{name}");
    }
    let names: Vec<&str> = platforms().iter().map(|one| one.name.as_str()).collect();
    assert_eq!(names, ["prolific", "connect", "sona", "mturk", "link", "accounts"]);
}

#[test]
fn a_preview_is_nobody_and_a_person_needs_all_parameters() {
    let mturk = platform("mturk").unwrap();
    let preview = given(&[("assignmentId", "ASSIGNMENT_ID_NOT_AVAILABLE"), ("hitId", "h")]);
    assert_eq!(mturk.arrival(preview), Ok(Arrival::Preview));
    let missing = mturk.arrival(given(&[("assignmentId", "a"), ("hitId", "h")]));
    assert_eq!(missing, Err(ArrivalError::Missing("workerId".into())));
    let long = "x".repeat(600);
    let long = given(&[("PROLIFIC_PID", &long)]);
    let refused = platform("prolific").unwrap().arrival(long);
    assert_eq!(refused, Err(ArrivalError::TooLong("PROLIFIC_PID".into())));
    let account = platform("accounts").unwrap().arrival(given(&[]));
    assert_eq!(account, Err(ArrivalError::NeedsAccount));
}

/// The form of an assignment of Mechanical Turk, whatever site says that it wants it.
fn posted(site: &str) -> Result<Leaving, LeavingError> {
    let mturk = platform("mturk").unwrap();
    let who =
        [("assignmentId", "A&1"), ("hitId", "H1"), ("workerId", "W1"), ("turkSubmitTo", site)];
    let Ok(Arrival::Person(arrived)) = mturk.arrival(given(&who)) else { panic!("a person") };
    let facts = LeavingFacts { arrived, submission: "s7".into(), ..LeavingFacts::default() };
    mturk.leaving(Ending::Finished, &facts)
}

#[test]
fn a_form_is_posted_to_the_two_sites_of_mechanical_turk_only() {
    for site in ["https://workersandbox.mturk.com/", "https://workersandbox.mturk.com"] {
        let Ok(Leaving::Post { address, fields }) = posted(site) else { panic!("{site}") };
        assert_eq!(address, "https://workersandbox.mturk.com/mturk/externalSubmit");
        assert_eq!(fields["assignmentId"], "A&1");
        assert_eq!(fields["submission"], "s7");
    }
    for site in [
        "https://example.org",
        "https://www.mturk.com.example.org",
        "https://www.mturk.com@example.org",
        "http://www.mturk.com",
        "javascript:alert(1)//",
        "https://example.org#https://www.mturk.com",
    ] {
        let refused = posted(site);
        assert_eq!(refused, Err(LeavingError::OtherSite("Mechanical Turk".into())), "{site}");
    }
}

#[test]
fn a_value_never_changes_the_site_of_a_way_back() {
    let sona = platform("sona").unwrap();
    let with = |site: &str| {
        let option = |name: &str, value: &str| (name.to_owned(), value.to_owned());
        let facts = LeavingFacts {
            arrived: Arrived { worker: "12 3".into(), ..Arrived::default() },
            options: [option("site", site), option("experiment", "9"), option("token", "t&u")]
                .into(),
            ..LeavingFacts::default()
        };
        sona.leaving(Ending::Finished, &facts)
    };
    let address = "https://uni.sona-systems.com/webstudy_credit.aspx?experiment_id=9&credit_token=t%26u&survey_code=12%203";
    assert_eq!(with("uni"), Ok(Leaving::Redirect { address: address.into() }));
    assert_eq!(with("example.org/"), Err(LeavingError::OtherSite("SONA".into())));
    let nothing = sona.leaving(Ending::Finished, &LeavingFacts::default());
    assert_eq!(nothing, Err(LeavingError::Missing("site".into())));
}

#[test]
fn each_ending_has_its_code_and_paid_ones_that_of_finished_work() {
    let prolific = platform("prolific").unwrap();
    let codes = BTreeMap::from([
        ("finished".to_owned(), "F".to_owned()),
        ("no-consent".to_owned(), "N".to_owned()),
    ]);
    assert_eq!(prolific.code(Ending::Finished, &codes), Some("F"));
    assert_eq!(prolific.code(Ending::NoConsent, &codes), Some("N"));
    assert_eq!(prolific.code(Ending::NoWorkLeft, &codes), Some("F"));
    assert_eq!(prolific.code(Ending::FailedCheck, &codes), None);
    assert_eq!(prolific.code(Ending::Returned, &codes), None);
}

const ANOTHER: &str = r#"
title = "Panel of a university"
about = "Students who get credit."

[enter]
by = "parameters"
worker = "pid"

[options]
course = "the number of the course"

[end]
way = "redirect"
address = "https://panel.example.edu/done?course={course}&pid={worker}"
"#;

#[test]
fn another_platform_needs_no_rust() {
    let panel = Platform::read("panel", ANOTHER).unwrap();
    let Ok(Arrival::Person(arrived)) = panel.arrival(given(&[("pid", "7")])) else { panic!() };
    let options = BTreeMap::from([("course".to_owned(), "12".to_owned())]);
    let facts = LeavingFacts { arrived, options, ..LeavingFacts::default() };
    let address = "https://panel.example.edu/done?course=12&pid=7".to_owned();
    assert_eq!(panel.leaving(Ending::Finished, &facts), Ok(Leaving::Redirect { address }));
}

#[test]
fn the_example_of_the_documentation_can_be_read() {
    let docs = include_str!("../../../../docs/verification.md");
    let (_, after) = docs.split_once("```toml\n").unwrap();
    let (example, _) = after.split_once("```").unwrap();
    let panel = Platform::read("panel", example).unwrap();
    let preview = panel.arrival(given(&[("session", "PREVIEW")]));
    assert_eq!(preview, Ok(Arrival::Preview));
}

#[test]
fn what_is_wrong_is_said_with_its_place() {
    for (from, to, at, message) in [
        ("way =", "weigh =", "[end]", "missing field `way`"),
        ("{course}", "{cause}", "{cause}", "`{cause}` is no place"),
        ("https://panel", "http://panel", "http://panel", "begins with https://"),
        ("worker = \"pid\"", "", "[enter]", "`enter` needs `worker`"),
        ("title =", "titel =", "titel", "unknown field `titel`"),
        ("way = \"redirect\"", "way = \"fly\"", "", "unknown variant `fly`"),
        ("{worker}", "{worker", "", "never closed"),
    ] {
        let text = ANOTHER.replace(from, to);
        let problem = Platform::read("panel", &text).expect_err(to);
        assert!(problem.message.contains(message), "{to}: {}", problem.message);
        assert!(text[problem.at.clone()].contains(at) || at.is_empty(), "{to}: {problem:?}");
    }
    assert!(Platform::read("No Name", ANOTHER).is_err());
}

proptest! {
    #[test]
    fn whatever_is_read_leads_to_https_or_nowhere(
        text in ".{0,200}",
        site in "[a-z:/.@#?]{0,20}",
        worker in "\\PC{0,20}",
    ) {
        let hostile = ANOTHER.replace("panel.example.edu", &site);
        for text in [text.as_str(), hostile.as_str()] {
            let Ok(platform) = Platform::read("p", text) else { continue };
            let facts = LeavingFacts {
                arrived: Arrived { worker: worker.clone(), ..Arrived::default() },
                options: BTreeMap::from([("course".to_owned(), worker.clone())]),
                ..LeavingFacts::default()
            };
            if let Ok(Leaving::Redirect { address }) = platform.leaving(Ending::Finished, &facts) {
                prop_assert!(address.starts_with("https://"));
                prop_assert!(!address.contains(' '));
            }
        }
    }
}
