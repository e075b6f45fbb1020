//! Items without a twin on the other side, as Cai and Strube (2010) treat them.
//!
//! Precision and recall each compare clusterings of the same items. In both, gold items
//! that the system misses become system clusters of one. System items that gold does
//! not have are dropped for recall; for precision they become gold clusters of one,
//! unless the system itself left them alone in a cluster: then they do no harm and are
//! dropped.

use super::{ClusterPair, Contingency};

/// The clusterings that precision compares.
pub(super) fn for_precision(table: &Contingency) -> Contingency {
    let mut cells = with_missing_gold(table);
    let mut next_gold = table.gold_sizes().len() as u32;
    let shared = table.shared_system_sizes();
    for (system, (&size, &shared)) in table.system_sizes().iter().zip(&shared).enumerate() {
        // A cluster of one that only the system has is dropped: Cai and Strube do not punish it.
        if size > 1 {
            for gold in singletons(&mut next_gold, size - shared) {
                cells.push(ClusterPair { gold, system: system as u32, items: 1 });
            }
        }
    }
    Contingency::from_parts(cells, Vec::new(), Vec::new())
}

/// The clusterings that recall compares.
pub(super) fn for_recall(table: &Contingency) -> Contingency {
    Contingency::from_parts(with_missing_gold(table), Vec::new(), Vec::new())
}

fn with_missing_gold(table: &Contingency) -> Vec<ClusterPair> {
    let mut cells = table.cells().to_vec();
    let mut next_system = table.system_sizes().len() as u32;
    let shared = table.shared_gold_sizes();
    for (gold, (&size, &shared)) in table.gold_sizes().iter().zip(&shared).enumerate() {
        for system in singletons(&mut next_system, size - shared) {
            cells.push(ClusterPair { gold: gold as u32, system, items: 1 });
        }
    }
    cells
}

/// The numbers of so many new clusters.
fn singletons(next: &mut u32, count: u64) -> std::ops::Range<u32> {
    let first = *next;
    *next += count as u32;
    first..*next
}
