//! Who asks, and what they may do.

use karat_store::{By, EVERYTHING, PersonRole, PersonRow, RightRow, Via};

/// What somebody wants to do: the rows of the table of rights.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Act {
    /// See what is visible, and take it along.
    See,
    /// Judge in campaigns.
    Judge,
    /// Send runs, and change and remove own ones.
    Submit,
    /// See hidden gold; benchmarks, editions, boards, campaigns, suspicions.
    Organise,
    /// People, rights, tokens of others, the audit, settings.
    Own,
}

impl Act {
    /// All of them.
    pub const ALL: [Act; 5] = [Act::See, Act::Judge, Act::Submit, Act::Organise, Act::Own];

    /// Whether somebody in this role may do it. This is the one table of rights.
    pub const fn is_allowed_to(self, role: PersonRole) -> bool {
        use PersonRole::{Annotator, Organiser, Owner, Reader, Submitter};
        match self {
            Act::See => matches!(role, Reader | Annotator | Submitter | Organiser | Owner),
            Act::Judge => matches!(role, Annotator | Organiser | Owner),
            Act::Submit => matches!(role, Submitter | Organiser | Owner),
            Act::Organise => matches!(role, Organiser | Owner),
            Act::Own => matches!(role, Owner),
        }
    }

    /// The scope that a token needs for it. What owners do needs a person at a browser: a token that is lost must not
    /// be able to make accounts.
    pub const fn scope(self) -> Option<TokenScope> {
        match self {
            Act::See => Some(TokenScope::Read),
            Act::Judge => Some(TokenScope::Judge),
            Act::Submit => Some(TokenScope::Submit),
            Act::Organise => Some(TokenScope::Organise),
            Act::Own => None,
        }
    }
}

/// What a token may be used for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TokenScope {
    /// Seeing.
    Read,
    /// Sending runs.
    Submit,
    /// Everything that organisers do.
    Organise,
    /// Judging.
    Judge,
}

impl TokenScope {
    /// All of them.
    pub const ALL: [TokenScope; 4] =
        [TokenScope::Read, TokenScope::Submit, TokenScope::Organise, TokenScope::Judge];

    /// The word that stands for it.
    pub const fn word(self) -> &'static str {
        match self {
            TokenScope::Read => "read",
            TokenScope::Submit => "submit",
            TokenScope::Organise => "organise",
            TokenScope::Judge => "judge",
        }
    }

    /// The scope of this word.
    pub fn of(word: &str) -> Option<TokenScope> {
        TokenScope::ALL.into_iter().find(|scope| scope.word() == word)
    }
}

/// Somebody who asks.
#[derive(Debug, Clone)]
pub struct Visitor {
    who: Who,
    rights: Vec<RightRow>,
}

#[derive(Debug, Clone)]
enum Who {
    /// Whoever works at this machine, where there are no accounts.
    Local,
    /// A person in a browser; the digest names the session.
    Session(PersonRow, String),
    /// A program of a person.
    Token(PersonRow, Vec<TokenScope>),
    /// Somebody who is not logged in.
    Nobody,
}

impl Visitor {
    /// Whoever works at this machine, where there are no accounts: may do everything.
    pub fn local() -> Visitor {
        Visitor { who: Who::Local, rights: Vec::new() }
    }

    /// Somebody who is not logged in. Where everybody may read, that is all they may do.
    pub fn nobody(may_read: bool) -> Visitor {
        let right = RightRow {
            person: String::new(),
            object: EVERYTHING.to_owned(),
            role: PersonRole::Reader,
        };
        let rights = if may_read { vec![right] } else { Vec::new() };
        Visitor { who: Who::Nobody, rights }
    }

    /// A person in a browser.
    pub fn session(person: PersonRow, digest: String, rights: Vec<RightRow>) -> Visitor {
        Visitor { who: Who::Session(person, digest), rights }
    }

    /// A program of a person, as far as its token goes.
    pub fn token(person: PersonRow, scopes: &str, rights: Vec<RightRow>) -> Visitor {
        let scopes = scopes.split_whitespace().filter_map(TokenScope::of).collect();
        Visitor { who: Who::Token(person, scopes), rights }
    }

    /// Whether they may do this to a benchmark, by its id, or to everything ([`EVERYTHING`]).
    pub fn may(&self, act: Act, object: &str) -> bool {
        let reaches = |right: &RightRow| right.object == EVERYTHING || right.object == object;
        self.is_in_scope(act) && self.has_right(act, reaches)
    }

    /// Whether they may do this to anything at all.
    pub fn may_somewhere(&self, act: Act) -> bool {
        self.is_in_scope(act) && self.has_right(act, |_| true)
    }

    /// Whether they see a benchmark: everybody sees what is visible, and those with a right of their own for it see
    /// what is not.
    pub fn sees(&self, benchmark: &str, visible: bool) -> bool {
        let own = |right: &RightRow| right.object == benchmark;
        self.may(Act::Organise, benchmark)
            || (self.is_in_scope(Act::See)
                && self.has_right(Act::See, |right| visible || own(right)))
    }

    /// The person, if they are logged in.
    pub fn person(&self) -> Option<&PersonRow> {
        match &self.who {
            Who::Session(person, _) | Who::Token(person, _) => Some(person),
            Who::Local | Who::Nobody => None,
        }
    }

    /// Whether they see a job of this person: their own, or any as an organiser of everything. Jobs tell what is in
    /// files that were sent, so those of others do not exist for anybody else.
    pub fn sees_job_of(&self, person: Option<&str>) -> bool {
        let own = self.person().map(|person| person.id.as_str());
        (own.is_some() && own == person) || self.may(Act::Organise, EVERYTHING)
    }

    /// The digest of their session, if they are in a browser.
    pub fn session_digest(&self) -> Option<&str> {
        match &self.who {
            Who::Session(_, digest) => Some(digest),
            _ => None,
        }
    }

    /// Whether nobody is logged in where one could.
    pub fn is_nobody(&self) -> bool {
        matches!(self.who, Who::Nobody)
    }

    /// Whether they work at this machine, where there are no accounts.
    pub fn is_local(&self) -> bool {
        matches!(self.who, Who::Local)
    }

    /// Their rights.
    pub fn rights(&self) -> &[RightRow] {
        &self.rights
    }

    /// Who acts, for the audit.
    pub fn by(&self) -> By {
        match &self.who {
            Who::Session(person, _) => By::person(&person.id, Via::Session),
            Who::Token(person, _) => By::person(&person.id, Via::Token),
            Who::Local | Who::Nobody => By::local(),
        }
    }

    /// Who decides what is disputed, as the history of decisions has it.
    pub fn decider(&self) -> String {
        self.person().map_or_else(|| "local".to_owned(), |person| person.login.clone())
    }

    fn is_in_scope(&self, act: Act) -> bool {
        match &self.who {
            Who::Token(_, scopes) => act.scope().is_some_and(|scope| scopes.contains(&scope)),
            _ => true,
        }
    }

    fn has_right(&self, act: Act, reaches: impl Fn(&RightRow) -> bool) -> bool {
        let mut rights = self.rights.iter();
        self.is_local() || rights.any(|right| act.is_allowed_to(right.role) && reaches(right))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn person() -> PersonRow {
        PersonRow {
            id: "p".to_owned(),
            login: "ada".to_owned(),
            name: String::new(),
            disabled: false,
            made: 0,
            version: 1,
        }
    }

    fn right(object: &str, role: PersonRole) -> RightRow {
        RightRow { person: "p".to_owned(), object: object.to_owned(), role }
    }

    fn visitor(rights: Vec<RightRow>) -> Visitor {
        Visitor::session(person(), String::new(), rights)
    }

    #[test]
    fn the_table_of_rights() {
        // see, judge, submit, organise, own
        let table = [
            (PersonRole::Reader, [true, false, false, false, false]),
            (PersonRole::Annotator, [true, true, false, false, false]),
            (PersonRole::Submitter, [true, false, true, false, false]),
            (PersonRole::Organiser, [true, true, true, true, false]),
            (PersonRole::Owner, [true, true, true, true, true]),
        ];
        for (role, expected) in table {
            let somebody = visitor(vec![right(EVERYTHING, role)]);
            let found = Act::ALL.map(|act| somebody.may(act, "b"));
            assert_eq!(found, expected, "{role:?}");
        }
        assert!(Act::ALL.iter().all(|act| Visitor::local().may(*act, "b")));
        assert!(!Act::ALL.iter().any(|act| Visitor::nobody(false).may(*act, "b")));
    }

    #[test]
    fn a_right_for_one_benchmark_is_for_that_one() {
        let somebody = visitor(vec![right("a", PersonRole::Organiser)]);
        assert!(somebody.may(Act::Organise, "a") && !somebody.may(Act::Organise, "b"));
        assert!(!somebody.may(Act::Organise, EVERYTHING) && somebody.may_somewhere(Act::Organise));
        assert!(
            somebody.sees("a", false) && somebody.sees("b", true) && !somebody.sees("b", false)
        );
        let submitter = visitor(vec![right("a", PersonRole::Submitter)]);
        assert!(submitter.sees("a", false), "who may submit sees what for");
        let reader = visitor(vec![right(EVERYTHING, PersonRole::Reader)]);
        assert!(!reader.sees("a", false));
        assert!(!Visitor::nobody(false).sees("a", true) && Visitor::nobody(true).sees("a", true));
    }

    #[test]
    fn a_token_does_what_its_scopes_and_its_person_may() {
        let owner = vec![right(EVERYTHING, PersonRole::Owner)];
        let reads = Visitor::token(person(), "read", owner.clone());
        assert!(reads.may(Act::See, "b") && !reads.may(Act::Submit, "b"));
        let all = Visitor::token(person(), "read submit organise judge", owner);
        assert!(all.may(Act::Organise, "b") && !all.may(Act::Own, EVERYTHING));
        let reader = vec![right(EVERYTHING, PersonRole::Reader)];
        assert!(!Visitor::token(person(), "submit", reader).may(Act::Submit, "b"));
    }
}
