//! How many items two clusterings share, cluster by cluster.

use rayon::prelude::*;

/// A sparse contingency table of two clusterings.
///
/// It holds what every measure of clusterings needs: the sizes of the clusters of
/// both sides, and for each two clusters that meet the number of items they share.
/// Clusters are numbered from zero in the order of their ids, whatever these are.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Contingency {
    gold_sizes: Vec<u64>,
    system_sizes: Vec<u64>,
    cells: Vec<ClusterPair>,
    gold_items: u64,
    system_items: u64,
    shared_items: u64,
}

/// Two clusters that meet.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ClusterPair {
    /// The number of the gold cluster.
    pub gold: u32,
    /// The number of the system cluster.
    pub system: u32,
    /// How many items are in both; at least one.
    pub items: u64,
}

impl Contingency {
    /// The table of items, each with its gold cluster and its system cluster.
    ///
    /// An item of one side only has `None` on the other, an item without both is
    /// passed over. The order of items makes no difference. An item is one entry: what
    /// lies in several clusters of one side and is given several times counts
    /// several times.
    pub fn new(items: impl IntoIterator<Item = (Option<u32>, Option<u32>)>) -> Self {
        let items = items.into_iter();
        let mut shared = Vec::with_capacity(items.size_hint().0);
        let mut gold_only = Vec::new();
        let mut system_only = Vec::new();
        for item in items {
            match item {
                (Some(gold), Some(system)) => shared.push(pair(gold, system)),
                (Some(gold), None) => gold_only.push(gold),
                (None, Some(system)) => system_only.push(system),
                (None, None) => {}
            }
        }
        // Sorting costs a fraction of what hashing every item would, and forgets the order.
        shared.par_sort_unstable();
        let cells: Vec<ClusterPair> =
            shared.chunk_by(|a, b| a == b).map(|run| cell(run[0], run.len() as u64)).collect();
        let (gold_only, system_only) = rayon::join(|| runs(gold_only), || runs(system_only));
        Self::from_parts(cells, gold_only, system_only)
    }

    /// The table of cells and of items on one side only, by the ids of their clusters.
    /// Cells of the same two clusters must have been put together.
    pub(super) fn from_parts(
        mut cells: Vec<ClusterPair>,
        gold_only: Vec<(u32, u64)>,
        system_only: Vec<(u32, u64)>,
    ) -> Self {
        let shared_items = cells.iter().map(|cell| cell.items).sum();
        let ((gold, gold_sizes), (system, system_sizes)) = rayon::join(
            || number(&cells, |cell| cell.gold, &gold_only),
            || number(&cells, |cell| cell.system, &system_only),
        );
        cells.par_iter_mut().for_each(|cell| {
            cell.gold = gold.of(cell.gold);
            cell.system = system.of(cell.system);
        });
        cells.par_sort_unstable_by_key(|cell| pair(cell.gold, cell.system));
        Self {
            gold_items: gold_sizes.iter().sum(),
            system_items: system_sizes.iter().sum(),
            gold_sizes,
            system_sizes,
            cells,
            shared_items,
        }
    }

    /// The same table with gold and system exchanged.
    pub fn swapped(&self) -> Self {
        let swap =
            |cell: &ClusterPair| ClusterPair { gold: cell.system, system: cell.gold, ..*cell };
        let mut cells: Vec<ClusterPair> = self.cells.iter().map(swap).collect();
        cells.sort_unstable_by_key(|cell| pair(cell.gold, cell.system));
        Self {
            gold_sizes: self.system_sizes.clone(),
            system_sizes: self.gold_sizes.clone(),
            cells,
            gold_items: self.system_items,
            system_items: self.gold_items,
            shared_items: self.shared_items,
        }
    }

    /// The number of items of each gold cluster.
    pub fn gold_sizes(&self) -> &[u64] {
        &self.gold_sizes
    }

    /// The number of items of each system cluster.
    pub fn system_sizes(&self) -> &[u64] {
        &self.system_sizes
    }

    /// The clusters that meet, sorted by gold and then by system.
    pub fn cells(&self) -> &[ClusterPair] {
        &self.cells
    }

    /// How many items gold has.
    pub fn gold_items(&self) -> u64 {
        self.gold_items
    }

    /// How many items the system has.
    pub fn system_items(&self) -> u64 {
        self.system_items
    }

    /// How many items both have.
    pub fn shared_items(&self) -> u64 {
        self.shared_items
    }

    /// Of each gold cluster, how many items the system has too.
    pub fn shared_gold_sizes(&self) -> Vec<u64> {
        let mut shared = vec![0; self.gold_sizes.len()];
        for cell in &self.cells {
            shared[cell.gold as usize] += cell.items;
        }
        shared
    }

    /// Of each system cluster, how many items gold has too.
    pub fn shared_system_sizes(&self) -> Vec<u64> {
        let mut shared = vec![0; self.system_sizes.len()];
        for cell in &self.cells {
            shared[cell.system as usize] += cell.items;
        }
        shared
    }

    /// The size of the gold cluster of a cell.
    pub(super) fn gold_size(&self, cell: &ClusterPair) -> u64 {
        self.gold_sizes[cell.gold as usize]
    }

    /// The size of the system cluster of a cell.
    pub(super) fn system_size(&self, cell: &ClusterPair) -> u64 {
        self.system_sizes[cell.system as usize]
    }
}

fn pair(gold: u32, system: u32) -> u64 {
    u64::from(gold) << 32 | u64::from(system)
}

fn cell(pair: u64, items: u64) -> ClusterPair {
    ClusterPair { gold: (pair >> 32) as u32, system: pair as u32, items }
}

/// How often each id occurs.
fn runs(mut ids: Vec<u32>) -> Vec<(u32, u64)> {
    ids.sort_unstable();
    ids.chunk_by(|a, b| a == b).map(|run| (run[0], run.len() as u64)).collect()
}

/// Numbers for the clusters of one side, and the sizes of the clusters by these.
fn number(
    cells: &[ClusterPair],
    id: impl Fn(&ClusterPair) -> u32,
    one_sided: &[(u32, u64)],
) -> (Numbers, Vec<u64>) {
    let in_cells = cells.iter().map(|cell| (id(cell), cell.items));
    let all = in_cells.chain(one_sided.iter().copied());
    let numbers = Numbers::new(all.clone().map(|(id, _)| id));
    let mut sizes = vec![0; numbers.count()];
    for (id, items) in all {
        sizes[numbers.of(id) as usize] += items;
    }
    (numbers, sizes)
}

/// The place of each id among all ids.
enum Numbers {
    /// By id, if there are not many more ids than are used; then the count.
    Listed(Vec<u32>, usize),
    /// The ids in order.
    Sorted(Vec<u32>),
}

impl Numbers {
    fn new(ids: impl Iterator<Item = u32> + Clone) -> Self {
        let length = ids.clone().max().map_or(0, |largest| largest as usize + 1);
        // A list indexed by id is faster, but ids are codes of links and may be large and few. Four
        // times the number of items bounds its memory.
        if length > 4 * ids.size_hint().0 {
            let mut ids: Vec<u32> = ids.collect();
            ids.sort_unstable();
            ids.dedup();
            return Self::Sorted(ids);
        }
        let mut list = vec![0; length];
        for id in ids {
            list[id as usize] = 1;
        }
        let mut count = 0;
        for place in &mut list {
            count += std::mem::replace(place, count);
        }
        Self::Listed(list, count as usize)
    }

    fn count(&self) -> usize {
        match self {
            Self::Listed(_, count) => *count,
            Self::Sorted(ids) => ids.len(),
        }
    }

    fn of(&self, id: u32) -> u32 {
        match self {
            Self::Listed(list, _) => list[id as usize],
            Self::Sorted(ids) => ids.partition_point(|&other| other < id) as u32,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn items_of_one_side_and_of_both() {
        let table = Contingency::new([
            (Some(900), Some(5)),
            (Some(7), None),
            (None, Some(u32::MAX)),
            (Some(900), Some(5)),
            (Some(7), Some(5)),
            (None, None),
        ]);
        assert_eq!(table.gold_sizes(), [2, 2]);
        assert_eq!(table.system_sizes(), [3, 1]);
        let cell = |gold, system, items| ClusterPair { gold, system, items };
        assert_eq!(table.cells(), [cell(0, 0, 1), cell(1, 0, 2)]);
        assert_eq!((table.gold_items(), table.system_items(), table.shared_items()), (4, 4, 3));
        assert_eq!(table.shared_gold_sizes(), [1, 2]);
        assert_eq!(table.shared_system_sizes(), [3, 0]);
        assert_eq!(table.swapped().swapped(), table);
    }

    #[test]
    fn an_item_given_twice_counts_twice() {
        let table = Contingency::new([(Some(0), Some(0)), (Some(0), Some(1))]);
        assert_eq!((table.gold_items(), table.shared_items()), (2, 2));
    }

    #[test]
    fn nothing_at_all() {
        let table = Contingency::new([]);
        assert_eq!((table.gold_sizes(), table.system_sizes()), (&[][..], &[][..]));
        assert_eq!(table.cells(), []);
    }
}
