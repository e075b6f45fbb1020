use crate::databases::{DAY, Fixture, some};
use karat_store::*;

pub(crate) async fn a_password_opens_a_session_until_it_idles(f: Fixture) {
    let ann = f.person("ann").await;
    assert_eq!(f.store.check_password("ann", "correct horse").await.unwrap(), Some(ann.clone()));
    assert_eq!(f.store.check_password("ann", "wrong").await.unwrap(), None);
    assert_eq!(f.store.check_password("nobody", "correct horse").await.unwrap(), None);
    let without = NewPerson { login: "bot".into(), ..NewPerson::default() };
    f.store.add_person(&By::local(), &without).await.unwrap();
    assert_eq!(f.store.check_password("bot", "").await.unwrap(), None);
    let again = f.store.add_person(&By::local(), &without).await.unwrap_err();
    assert!(matches!(again, StoreError::Taken { what: "person", .. }), "{again}");

    let secret = f.store.open_session(&ann.id, "Firefox").await.unwrap();
    assert_eq!(secret.len(), 43);
    let (session, person) = f.store.session(&secret).await.unwrap().unwrap();
    assert_eq!((&person, &*session.agent), (&ann, "Firefox"));
    assert_ne!(session.digest, secret);
    assert!(f.store.session("other").await.unwrap().is_none());
    // Each use counts, and no use for twelve hours ends it.
    f.pass(SESSION_IDLE - 1);
    assert!(f.store.session(&secret).await.unwrap().is_some());
    f.pass(SESSION_IDLE - 1);
    assert!(f.store.session(&secret).await.unwrap().is_some());
    f.pass(SESSION_IDLE);
    assert!(f.store.session(&secret).await.unwrap().is_none());

    let long = f.store.open_session(&ann.id, "").await.unwrap();
    for _ in 0..60 {
        f.pass(DAY / 2 - 1);
        f.store.session(&long).await.unwrap().unwrap();
    }
    f.pass(60);
    assert!(f.store.session(&long).await.unwrap().is_none(), "thirty days are the most");
    assert_eq!(f.store.people(&some(9)).await.unwrap().items.len(), 2);
}

pub(crate) async fn rights_end_sessions(f: Fixture) {
    let by = By::local();
    let ann = f.person("ann").await;
    let mut right =
        RightRow { person: ann.id.clone(), object: EVERYTHING.into(), role: PersonRole::Submitter };
    let session = f.store.open_session(&ann.id, "").await.unwrap();
    f.store.grant(&by, &right).await.unwrap();
    assert!(f.store.session(&session).await.unwrap().is_none());
    right.role = PersonRole::Organiser;
    f.store.grant(&by, &right).await.unwrap();
    let unknown = RightRow { person: "ann".into(), ..right.clone() };
    assert!(
        f.store.grant(&by, &unknown).await.is_err() && f.store.revoke(&by, &unknown).await.is_err()
    );
    assert_eq!(f.store.rights(&ann.id).await.unwrap(), [right.clone()]);
    let session = f.store.open_session(&ann.id, "").await.unwrap();
    f.store.revoke(&by, &right).await.unwrap();
    let noted = f.store.audit(None, &some(1)).await.unwrap().items.remove(0);
    let detail: serde_json::Value = serde_json::from_str(&noted.detail).unwrap();
    assert!(detail["before"].is_object() && detail["after"].is_null(), "{detail}");
    assert!(f.store.session(&session).await.unwrap().is_none());
    assert!(f.store.rights(&ann.id).await.unwrap().is_empty());
    assert!(f.store.revoke(&by, &right).await.is_err());

    let session = f.store.open_session(&ann.id, "").await.unwrap();
    f.store.change_password(&by, &ann.id, "better horse").await.unwrap();
    assert!(f.store.session(&session).await.unwrap().is_none());
    assert!(f.store.check_password("ann", "correct horse").await.unwrap().is_none());
    assert!(f.store.check_password("ann", "better horse").await.unwrap().is_some());
    f.store.open_session(&ann.id, "one").await.unwrap();
    f.store.open_session(&ann.id, "two").await.unwrap();
    assert_eq!(f.store.sessions(&ann.id).await.unwrap().len(), 2);
    assert_eq!(f.store.end_sessions(&by, &ann.id, None).await.unwrap(), 2);

    let session = f.store.open_session(&ann.id, "").await.unwrap();
    f.store.disable_person(&by, &ann.id, true).await.unwrap();
    assert!(f.store.session(&session).await.unwrap().is_none());
    assert!(f.store.check_password("ann", "better horse").await.unwrap().is_none());
    assert!(f.store.open_session(&ann.id, "").await.is_err());
    f.store.disable_person(&by, &ann.id, false).await.unwrap();
    assert!(f.store.check_password("ann", "better horse").await.unwrap().is_some());
}

pub(crate) async fn a_token_is_known_by_its_digest(f: Fixture) {
    let by = By::local();
    let ann = f.person("ann").await;
    let (token, row) =
        f.store.add_token(&by, &ann.id, "ci", "read submit", TOKEN_LIFE).await.unwrap();
    assert!(is_token(&token) && token.starts_with("karat_") && token.len() == 6 + 43 + 6);
    let (found, person) = f.store.token(&token).await.unwrap().unwrap();
    assert_eq!((&found, &person), (&row, &ann));
    assert_eq!(f.store.tokens(&ann.id).await.unwrap()[0].used, Some(f.store.now()));
    assert!(f.store.token(&token.replace("karat_", "carat_")).await.unwrap().is_none());
    f.store.disable_person(&by, &ann.id, true).await.unwrap();
    assert!(f.store.token(&token).await.unwrap().is_none());
    f.store.disable_person(&by, &ann.id, false).await.unwrap();
    f.pass(TOKEN_LIFE);
    assert!(f.store.token(&token).await.unwrap().is_none());

    let (token, row) = f.store.add_token(&by, &ann.id, "x", "read", TOKEN_LIFE).await.unwrap();
    let bob = f.person("bob").await;
    assert!(f.store.end_token(&by, &bob.id, &row.id).await.is_err(), "not the token of bob");
    f.store.end_token(&by, &ann.id, &row.id).await.unwrap();
    assert!(f.store.token(&token).await.unwrap().is_none());
}

pub(crate) async fn an_invitation_is_taken_once(f: Fixture) {
    let by = By::local();
    let secret =
        f.store.invite(&by, EVERYTHING, PersonRole::Submitter, "for Cy", DAY).await.unwrap();
    let cy = NewPerson { login: "cy".into(), ..NewPerson::default() };
    assert!(f.store.accept_invitation("guess", &cy).await.is_err());
    f.person("ann").await;
    let taken = NewPerson { login: "ann".into(), ..NewPerson::default() };
    let error = f.store.accept_invitation(&secret, &taken).await.unwrap_err();
    assert!(matches!(error, StoreError::Taken { .. }), "{error}");
    // Nothing was done, so another login can be tried.
    let person = f.store.accept_invitation(&secret, &cy).await.unwrap();
    assert_eq!(f.store.rights(&person.id).await.unwrap()[0].role, PersonRole::Submitter);
    let dee = NewPerson { login: "dee".into(), ..NewPerson::default() };
    assert!(f.store.accept_invitation(&secret, &dee).await.is_err());
    assert_eq!(f.store.invitations().await.unwrap()[0].taken_by, Some(person.id));
    let late = f.store.invite(&by, EVERYTHING, PersonRole::Reader, "", DAY).await.unwrap();
    f.pass(DAY);
    assert!(f.store.accept_invitation(&late, &dee).await.is_err());
}

pub(crate) async fn a_login_that_is_an_id_opens_no_other_account(f: Fixture) {
    let by = By::local();
    let ann = f.person("ann").await;
    let life = DAY;
    let secret = f.store.invite(&by, EVERYTHING, PersonRole::Reader, "", life).await.unwrap();
    let new =
        NewPerson { login: ann.id.clone(), password: Some("mine".into()), ..NewPerson::default() };
    let eve = f.store.accept_invitation(&secret, &new).await.unwrap();
    assert_ne!(eve.id, ann.id);
    let known = f.store.check_password(&ann.id, "mine").await.unwrap();
    assert_eq!(known.map(|person| person.id), Some(eve.id.clone()));
    assert_eq!(f.store.person(&ann.id).await.unwrap(), ann);
    assert_eq!(f.store.person_by_login(&ann.id).await.unwrap(), eve);
    assert!(f.store.person("ann").await.is_err(), "a login is no id");
}
