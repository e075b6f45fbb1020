//! What only some items of a side have: other names, other readings, parts.

use crate::scene::Item;
use karat_model::Link;
use std::ops::Range;

/// What the items of one document have beyond a span and a link.
#[derive(Debug, Default, Clone)]
pub(crate) struct Extras {
    /// The mentions below the roots, in the order of the file.
    pub(crate) below: Vec<Item>,
    extras: Vec<Extra>,
    readings: Vec<Range<u32>>,
    parts: Vec<Item>,
    equivalents: Vec<Link>,
}

#[derive(Debug, Clone)]
struct Extra {
    readings: Range<u32>,
    equivalents: Range<u32>,
}

impl Extras {
    pub(crate) fn clear(&mut self) {
        self.below.clear();
        self.extras.clear();
        self.readings.clear();
        self.parts.clear();
        self.equivalents.clear();
    }

    /// Notes what one item has, and gives what it keeps of that: 0 if it has nothing.
    pub(crate) fn add<'r>(
        &mut self,
        equivalents: Vec<Link>,
        readings: impl Iterator<Item = &'r [Item]>,
    ) -> u32 {
        let first_equivalent = self.equivalents.len() as u32;
        self.equivalents.extend(equivalents);
        let first_reading = self.readings.len() as u32;
        for parts in readings {
            let first = self.parts.len() as u32;
            self.parts.extend_from_slice(parts);
            self.readings.push(first..self.parts.len() as u32);
        }
        let extra = Extra {
            readings: first_reading..self.readings.len() as u32,
            equivalents: first_equivalent..self.equivalents.len() as u32,
        };
        if extra.readings.is_empty() && extra.equivalents.is_empty() {
            return 0;
        }
        self.extras.push(extra);
        self.extras.len() as u32
    }

    /// Whether no item has anything of this.
    pub(crate) fn is_empty(&self) -> bool {
        self.extras.is_empty()
    }

    /// Whether an item can be read in another way.
    pub(crate) fn have_readings(&self) -> bool {
        !self.readings.is_empty()
    }

    /// What else an item is linked to.
    pub(crate) fn equivalents(&self, item: &Item) -> &[Link] {
        let equivalents = self.of(item).map_or(0..0, |extra| range(&extra.equivalents));
        &self.equivalents[equivalents]
    }

    /// The readings of an item, each its parts.
    pub(crate) fn readings<'s>(
        &'s self,
        item: &Item,
    ) -> impl Iterator<Item = &'s [Item]> + use<'s> {
        let readings = self.of(item).map_or(0..0, |extra| range(&extra.readings));
        self.readings[readings].iter().map(|parts| &self.parts[range(parts)])
    }

    fn of(&self, item: &Item) -> Option<&Extra> {
        self.extras.get((item.extra as usize).checked_sub(1)?)
    }
}

fn range(range: &Range<u32>) -> Range<usize> {
    range.start as usize..range.end as usize
}
