//! Which entities a text may mean.

use crate::encoding::{Fields, put_bytes, put_number};
use crate::known::Known;
use crate::spelling::written;

/// The entities that a mention may mean, the likeliest first.
#[derive(Debug, Clone, Copy, Default)]
pub struct Candidates<'a> {
    flags: u8,
    entries: Fields<'a>,
    /// Whether the base has counts at all.
    counted: bool,
}

/// One entity that a mention may mean.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CandidateEntity<'a> {
    /// The entity.
    pub id: &'a str,
    /// How often the text means it, where that was counted.
    pub count: Option<u64>,
    /// The share of the text's occurrences that mean it in billionths, where that was given.
    share: Option<u64>,
    /// Whether the base was told that it is one of the most popular, without a count.
    pub is_most_popular: bool,
}

/// Where the most popular candidates of a text come from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Evidence {
    /// They were read or counted.
    Exact,
    /// They were inferred from results.
    Inferred,
}

impl<'a> Candidates<'a> {
    /// All of them, the likeliest first.
    pub fn iter(&self) -> CandidateIter<'a> {
        CandidateIter { fields: self.entries, shares: self.flags & SHARES != 0 }
    }

    /// The same, each with the share of the text's occurrences that mean it: as it was given, or
    /// as it follows from counts. A candidate that was never counted has none.
    pub fn priors(&self) -> impl Iterator<Item = (CandidateEntity<'a>, Option<f64>)> + use<'a> {
        let total = self.total();
        self.iter().map(move |candidate| {
            let counted = candidate.count.filter(|_| total > 0);
            let by_count = counted.map(|count| count as f64 / total as f64);
            let given = candidate.share.map(|share| share as f64 / WHOLE as f64);
            (candidate, given.or(by_count))
        })
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.iter().count()
    }

    /// Whether there are none, named or not.
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty() && !self.has_unnamed()
    }

    /// How often the text was counted.
    pub fn total(&self) -> u64 {
        // Those without a count are last, so where the first has none nobody has, and a text may
        // mean tens of thousands of entities.
        let counts = self.iter().skip_while(|candidate| candidate.is_most_popular);
        counts.map_while(|candidate| candidate.count).fold(0, u64::saturating_add)
    }

    /// All entities that have the highest count, or the largest share; unknown if neither is known.
    pub fn most_popular(&self) -> Known<Vec<&'a str>> {
        let marked = || self.iter().filter(|candidate| candidate.is_most_popular);
        if self.flags & POPULAR != 0 {
            return Known::Known(marked().map(|candidate| candidate.id).collect());
        }
        if !self.counted {
            return Known::Unknown;
        }
        let weight = |candidate: &CandidateEntity<'_>| candidate.count.or(candidate.share);
        let highest = self.iter().filter_map(|one| weight(&one)).max().filter(|&n| n > 0);
        let of_highest = |one: &CandidateEntity<'_>| highest.is_some() && weight(one) == highest;
        Known::Known(self.iter().filter(of_highest).map(|candidate| candidate.id).collect())
    }

    /// Whether the most popular ones were read or inferred.
    pub fn evidence(&self) -> Evidence {
        if self.flags & INFERRED != 0 { Evidence::Inferred } else { Evidence::Exact }
    }

    /// Whether one of the most popular is an entity that the base cannot name.
    pub fn has_unnamed(&self) -> bool {
        self.flags & (UNNAMED | UNNAMED_LOCATION) != 0
    }

    /// Whether one that the base cannot name is known to be a place.
    pub fn has_unnamed_location(&self) -> bool {
        self.flags & UNNAMED_LOCATION != 0
    }

    pub(crate) fn none(counted: bool) -> Candidates<'a> {
        Candidates { counted, ..Candidates::default() }
    }

    pub(crate) fn decode(record: &'a [u8], counted: bool) -> Option<Candidates<'a>> {
        let mut entries = Fields::new(record);
        let flags = entries.byte()?;
        Some(Candidates { flags, entries, counted })
    }
}

/// Candidates, the likeliest first.
#[derive(Debug, Clone)]
pub struct CandidateIter<'a> {
    fields: Fields<'a>,
    /// Whether numbers are shares and not counts.
    shares: bool,
}

impl<'a> Iterator for CandidateIter<'a> {
    type Item = CandidateEntity<'a>;

    fn next(&mut self) -> Option<CandidateEntity<'a>> {
        let code = self.fields.number()?;
        let id = self.fields.text()?;
        let number = code.checked_sub(2);
        Some(CandidateEntity {
            id,
            count: number.filter(|_| !self.shares),
            share: number.filter(|_| self.shares),
            is_most_popular: code == MARKED,
        })
    }
}

/// The most popular entities of a text, as a table of facts names them.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Popular<'a> {
    /// Those that are named.
    pub ids: Vec<&'a str>,
    /// Whether the set was inferred and not read.
    pub inferred: bool,
    /// Whether it has an entity that is not named.
    pub unnamed: bool,
    /// Whether it has a place that is not named.
    pub unnamed_location: bool,
}

const INFERRED: u8 = 1;
const UNNAMED: u8 = 2;
const UNNAMED_LOCATION: u8 = 4;
const POPULAR: u8 = 8;
/// The numbers of the record are shares.
const SHARES: u8 = 16;

/// The share of all occurrences of a text, in the unit of records.
const WHOLE: u64 = 1_000_000_000;

/// What an input says of how often a text means an entity.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum CandidateWeight {
    /// Nothing.
    Unknown,
    /// So many times.
    Count(u64),
    /// In this share of its occurrences, between 0 and 1.
    Prior(f64),
}

/// Codes of entries: no number, marked as most popular, or the number and two.
const MARKED: u64 = 1;

impl Popular<'_> {
    pub(crate) fn encode(&self, out: &mut Vec<u8>) {
        let flags = [
            (self.inferred, INFERRED),
            (self.unnamed, UNNAMED),
            (self.unnamed_location, UNNAMED_LOCATION),
        ];
        out.push(flags.iter().filter(|(set, _)| *set).fold(POPULAR, |all, (_, flag)| all | flag));
        for id in &self.ids {
            put_entry(out, MARKED, &written(id));
        }
    }
}

/// A record with one candidate.
pub(crate) fn encode_one(out: &mut Vec<u8>, id: &str, weight: CandidateWeight) {
    let (flags, number) = match weight {
        CandidateWeight::Unknown => (0, None),
        CandidateWeight::Count(count) => (0, Some(count)),
        CandidateWeight::Prior(share) => {
            // Whole billionths: shares of several inputs add up exactly, in any order.
            (SHARES, Some((share.clamp(0.0, 1.0) * WHOLE as f64).round() as u64))
        }
    };
    out.push(flags);
    put_entry(out, number.map_or(0, |number| number.saturating_add(2)), &written(id));
}

fn put_entry(out: &mut Vec<u8>, code: u64, id: &str) {
    put_number(out, code);
    put_bytes(out, id.as_bytes());
}

/// Puts records of the same text together: counts of one entity add up, as do shares, which
/// are divided by their sum where several inputs gave more than the whole, and the likeliest come
/// first. `popularity` decides between equal counts. Where some inputs counted and others
/// gave shares, only the counts are kept; whether that is so is what it gives.
pub(crate) fn merge(
    records: &[&[u8]],
    resolve: impl for<'a> Fn(&'a str) -> String,
    popularity: impl Fn(&str) -> u64,
    out: &mut Vec<u8>,
) -> Option<bool> {
    let mut flags = 0;
    let (mut has_counts, mut has_shares) = (false, false);
    let mut said: Vec<(bool, u64, String)> = Vec::new();
    // Summed by entity after resolving, so that spellings of one entity share their counts.
    for record in records {
        let mut fields = Fields::new(record);
        let of_record = fields.byte()?;
        let is_share = of_record & SHARES != 0;
        flags |= of_record;
        while !fields.is_empty() {
            let code = fields.number()?;
            has_counts |= code > MARKED && !is_share;
            has_shares |= code > MARKED && is_share;
            said.push((is_share, code, resolve(fields.text()?)));
        }
    }
    let mixed = has_counts && has_shares;
    if mixed {
        flags &= !SHARES;
    }
    let kept = |(is_share, code, id)| if is_share && mixed { (0, id) } else { (code, id) };
    let mut entries: Vec<(u64, String)> = said.into_iter().map(kept).collect();
    // Sorted by id, equal entities are neighbours; a stable sort is not needed, as their codes are
    // added.
    entries.sort_by(|a, b| a.1.cmp(&b.1));
    let mut merged: Vec<(u64, String)> = Vec::with_capacity(entries.len());
    for (code, id) in entries {
        match merged.last_mut().filter(|last| last.1 == id) {
            Some(last) => last.0 = together(last.0, code),
            None => merged.push((code, id)),
        }
    }
    if flags & SHARES != 0 {
        let sum: u128 = merged.iter().map(|(code, _)| u128::from(code.saturating_sub(2))).sum();
        let whole = u128::from(WHOLE);
        for (code, _) in merged.iter_mut().filter(|(code, _)| *code > MARKED && sum > whole) {
            *code = (u128::from(*code - 2) * whole / sum) as u64 + 2;
        }
    }
    let mut ranked: Vec<(u64, u64, String)> = match merged.len() {
        1 => merged.into_iter().map(|(code, id)| (code, 0, id)).collect(),
        _ => merged.into_iter().map(|(code, id)| (code, popularity(&id), id)).collect(),
    };
    // What an input marked as most popular comes before everything that was counted.
    let rank = |code: u64| if code == MARKED { u64::MAX } else { code };
    ranked.sort_by(|a, b| (rank(b.0), b.1).cmp(&(rank(a.0), a.1)).then_with(|| a.2.cmp(&b.2)));
    out.push(flags);
    for (code, _, id) in ranked {
        put_entry(out, code, &id);
    }
    Some(mixed)
}

fn together(a: u64, b: u64) -> u64 {
    match (a, b) {
        (MARKED, _) | (_, MARKED) => MARKED,
        (0, other) | (other, 0) => other,
        (a, b) => a.saturating_add(b).saturating_sub(2),
    }
}
