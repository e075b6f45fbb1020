//! Ids of gold and of a run that never meet, because they are spelled in two ways.

use super::experiment::Experiment;
use super::reading::counted;
use crate::notices;
use karat_kb::Identity;
use karat_measures::{Convention, SpellingRule};
use karat_model::{Corpus, Hint, Notice};
use std::collections::BTreeSet;

/// How the ids of a run meet those of gold.
#[derive(Debug, Clone)]
struct Meeting<'a> {
    system: &'a str,
    benchmark: &'a str,
    /// Entities of the run that gold has too, as ids are compared now.
    now: usize,
    /// The same, if ids were compared by what they name.
    by_name: usize,
    /// The same, if only what follows the last `/`, `#` or `:` were compared.
    by_local_name: usize,
    /// How many entities the side with fewer has.
    of: usize,
    /// Whether no id of the one side looks like one of the other.
    of_other_kinds: bool,
    /// An id of gold, and one of the run: of the same entity, if one is known.
    examples: [String; 2],
}

/// What is done about ids that are spelled in two ways.
#[derive(Debug, Default)]
pub(crate) struct Spellings {
    /// Whether ids are to be compared by what they name.
    by_name: bool,
    /// What has to be said.
    notices: Vec<Notice>,
}

impl Spellings {
    /// Looks at the ids of all runs, tells of those that never meet, and compares ids by what they name where
    /// the convention does so. Whether it came to that is given back.
    pub(crate) fn settle(
        experiments: &[Experiment],
        convention: &mut Convention,
        identity: &mut Identity,
        told: &mut Vec<Notice>,
    ) -> bool {
        let spellings = Spellings::under(experiments, convention, identity);
        spellings.apply(convention, identity, told);
        spellings.by_name
    }

    /// What is to be done about the ids of all runs under a convention.
    pub(super) fn under(
        experiments: &[Experiment],
        convention: &Convention,
        identity: &Identity,
    ) -> Spellings {
        // With a knowledge base or redirects the user has said which ids are one; nothing is
        // adapted on top of that.
        let may_adapt = convention.spellings == SpellingRule::Adapt && identity.is_plain();
        Spellings::of(experiments, identity, may_adapt)
    }

    /// Does it, and tells of it.
    pub(super) fn apply(
        &self,
        convention: &mut Convention,
        identity: &mut Identity,
        told: &mut Vec<Notice>,
    ) {
        told.extend(self.notices.iter().cloned());
        if self.by_name {
            Spellings::compare_by_name(convention, identity);
        }
    }

    /// What to say of the ids of documents that gold and a run both have, where the rest was not read yet. A stream
    /// scores documents before it has seen all ids, so it cannot adapt as [`Spellings::settle`] does. But ids that
    /// would meet otherwise prove that they are spelled in two ways, and then the scores are not what they seem.
    pub(crate) fn notice_of_part(
        names: [&str; 2],
        gold: &Corpus,
        run: &Corpus,
        identity: &Identity,
    ) -> Option<Notice> {
        let meeting = Meeting::of(names, &EntityIds::of(gold), &EntityIds::of(run), identity)?;
        let (_, cure) = meeting.cure()?;
        let message = format!(
            "ids are spelled in two ways: {}. A stream compares them as they are written",
            meeting.examples_in_words()
        );
        Some(notices::IDS_NEVER_MEET.notice(message).about(meeting.system).hint(cure))
    }

    /// Compares ids by what they name from now on.
    pub(crate) fn compare_by_name(convention: &mut Convention, identity: &mut Identity) {
        convention.spellings = SpellingRule::ByName;
        *identity = identity.clone().with_every_spelling();
    }

    /// Looks at the ids of all runs. `may_adapt` says whether the convention compares ids by what they name
    /// where that makes them meet.
    fn of(experiments: &[Experiment], identity: &Identity, may_adapt: bool) -> Spellings {
        let mut spellings = Spellings::default();
        for experiment in experiments {
            let gold = EntityIds::of(&experiment.benchmark.corpus);
            for run in &experiment.runs {
                let names = [experiment.benchmark.name.as_str(), run.name.as_str()];
                let ids = EntityIds::of(&run.corpus);
                let Some(meeting) = Meeting::of(names, &gold, &ids, identity) else { continue };
                let adapts = may_adapt && meeting.by_name > meeting.now;
                spellings.by_name |= adapts;
                spellings.notices.extend(meeting.notice(adapts));
            }
        }
        spellings
    }
}

/// Which strings of a corpus are ids of entities.
struct EntityIds<'c> {
    corpus: &'c Corpus,
    is_id: Vec<bool>,
    count: usize,
    /// Whether some are addresses, and some are not.
    addresses: bool,
    others: bool,
}

impl<'c> EntityIds<'c> {
    fn of(corpus: &'c Corpus) -> EntityIds<'c> {
        // Flags by the number of a string instead of a set of strings: one pass over the
        // annotations, without hashing.
        let mut is_id = vec![false; corpus.strings().len()];
        let mut count = 0;
        for id in corpus.annotations().iter().filter_map(|annotation| annotation.link.entity()) {
            count += usize::from(!std::mem::replace(&mut is_id[id.index()], true));
        }
        let ids = EntityIds { corpus, is_id, count, addresses: false, others: false };
        let is_address = |text: &str| text.contains("://");
        let addresses = ids.texts().any(is_address);
        let others = ids.texts().any(|text| !is_address(text));
        EntityIds { addresses, others, ..ids }
    }

    fn texts(&self) -> impl Iterator<Item = &'c str> {
        let flagged = self.corpus.strings().iter().zip(&self.is_id);
        flagged.filter(|(_, is_id)| **is_id).map(|(text, _)| text)
    }

    /// The ids, sorted: what is told of them must not depend on the order of a file.
    fn sorted(&self) -> BTreeSet<&'c str> {
        self.texts().collect()
    }

    /// How many of these are ids of another corpus, as they are written.
    fn met(&self, other: &EntityIds<'_>) -> usize {
        let found = other.corpus.strings().find_all(self.texts());
        found.into_iter().flatten().filter(|id| other.is_id[id.index()]).count()
    }
}

impl<'a> Meeting<'a> {
    fn of(
        [benchmark, system]: [&'a str; 2],
        gold: &EntityIds<'_>,
        run: &EntityIds<'_>,
        identity: &Identity,
    ) -> Option<Meeting<'a>> {
        let of = gold.count.min(run.count);
        // A file may spell some ids as the other does and some otherwise, and then most of them meet.
        let is_mixed = (gold.addresses || run.addresses) && (gold.others || run.others);
        // Almost all files meet. Only those that do not are worth sorted sets of their ids.
        if of == 0 || (!is_mixed && identity.is_plain() && run.met(gold) * 2 >= of) {
            return None;
        }
        let (gold, run) = (&gold.sorted(), &run.sorted());
        let met = |name: &dyn Fn(&str) -> String| {
            // Sets of names, not of ids: several spellings of one entity count once.
            let gold: BTreeSet<String> = gold.iter().map(|id| name(id)).collect();
            run.iter().map(|id| name(id)).collect::<BTreeSet<_>>().intersection(&gold).count()
        };
        let now = |id: &str| identity.canonical(id).into_owned();
        let met_now = match identity.is_plain() {
            true => run.intersection(gold).count(),
            false => met(&now),
        };
        // Where most entities meet there is nothing to mend, and nothing more is looked at.
        if !is_mixed && met_now * 2 >= of {
            return None;
        }
        let spelled = identity.clone().with_every_spelling();
        let by_name = |id: &str| spelled.canonical(id).into_owned();
        let by_local_name = |id: &str| local_name(id).to_owned();
        let mut meeting = Meeting {
            system,
            benchmark,
            now: met_now,
            by_name: met(&by_name),
            by_local_name: met(&by_local_name),
            of,
            of_other_kinds: kinds(gold).is_disjoint(&kinds(run)),
            examples: [gold, run]
                .map(|ids| ids.first().map_or(String::new(), |id| (*id).to_owned())),
        };
        let pair = |name: &dyn Fn(&str) -> String| {
            let of_run: std::collections::BTreeMap<String, &str> =
                run.iter().map(|id| (name(id), *id)).collect();
            let both = |id: &&str| Some([(*id).to_owned(), (*of_run.get(&name(id))?).to_owned()]);
            gold.iter().filter_map(both).find(|[gold, run]| gold != run)
        };
        // A pair that means the same shows the difference best.
        let example = pair(&by_name).or_else(|| pair(&by_local_name));
        meeting.examples = example.unwrap_or(meeting.examples);
        Some(meeting)
    }

    fn notice(&self, adapts: bool) -> Option<Notice> {
        let (system, benchmark) = (self.system, self.benchmark);
        let spelled = self.examples_in_words();
        if adapts {
            let message = format!(
                "ids are spelled in two ways: {spelled}. They are compared by what they name: {} of {} \
                 meet, {} as written",
                self.by_name,
                counted(self.of, "id"),
                self.now
            );
            let hint = Hint::template("{spellings=as-written} compares them as they are");
            return Some(notices::SPELLINGS_ADAPTED.notice(message).about(system).hint(hint));
        }
        let Some((other, hint)) = self.cure() else {
            // One or two answers that are wrong prove nothing, unless they are ids of another kind.
            if self.now > 0 || (self.of <= 2 && !self.of_other_kinds) {
                return None;
            }
            let message = format!("`{system}` and `{benchmark}` have no id in common: {spelled}");
            let hint = "are these ids of one knowledge base? `karat kb build` makes a base that knows \
                        which ids are one";
            let hint = Hint::from(hint).then(Hint::template("; give it with {kb}"));
            return Some(notices::IDS_NEVER_MEET.notice(message).about(system).hint(hint));
        };
        let message = format!(
            "{} of `{system}` are in `{benchmark}`, but {other} would be if ids were compared otherwise: {spelled}",
            match self.now {
                0 => "no ids".to_owned(),
                now => format!("only {}", counted(now, "id")),
            },
        );
        Some(notices::IDS_NEVER_MEET.notice(message).about(system).hint(hint))
    }

    /// How many ids meet if they are compared otherwise, and the setting that does so; `None` if none does.
    fn cure(&self) -> Option<(usize, Hint)> {
        if self.by_name > self.now && self.by_name >= self.by_local_name {
            let hint = Hint::template("{spellings=by-name} compares what known addresses name");
            return Some((self.by_name, hint));
        }
        let hint =
            Hint::template("{ids=local-name} compares what follows the last `/`, `#` or `:`");
        (self.by_local_name > self.now).then_some((self.by_local_name, hint))
    }

    /// An id of each side.
    fn examples_in_words(&self) -> String {
        let ([of_gold, of_run], [benchmark, system]) =
            (&self.examples, [self.benchmark, self.system]);
        format!("`{benchmark}` has `{of_gold}` and `{system}` has `{of_run}`")
    }
}

/// Of which kinds ids are: addresses by their hosts, numbers of Wikidata, and all others.
fn kinds<'i>(ids: &BTreeSet<&'i str>) -> BTreeSet<&'i str> {
    let is_item = |id: &str| {
        let number = id.strip_prefix('Q').unwrap_or_default();
        !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit())
    };
    let kind = |id: &&'i str| match id.split_once("://") {
        Some((_, rest)) => rest.split('/').next().unwrap_or(rest),
        None if is_item(id) => "Q",
        None => "",
    };
    ids.iter().map(kind).collect()
}

/// What follows the last `/`, `#` or `:` of an id.
fn local_name(id: &str) -> &str {
    id.rsplit(['/', '#', ':']).next().unwrap_or(id)
}
