//! What is told of the groups of accesses that share bytes.

use super::{MAX_CONFLICTS, Search, Task};
use crate::Conflict;
use alloc::vec::Vec;
use lanewise_core::diagnostic::to_u32;

impl Search {
    /// Notes the conflicts of a state; what is known of those that were met
    /// before, in another state, grows by it.
    pub(super) fn note_conflicts(&mut self, task: &Task) {
        let instruction = to_u32(self.instruction);
        for engine in &task.engines {
            let (group, known) = (&engine.group, &engine.known);
            let mut met = self.conflicts.iter_mut().rev();
            let met = met.find(|c| {
                (c.instruction, c.space, c.address, c.bytes)
                    == (instruction, group.space, group.address, group.bytes)
                    && c.units == group.units
            });
            if let Some(met) = met {
                if met.count != known.count {
                    met.count = None;
                }
                met.contents = union(met.contents.take(), known.contents.as_ref());
                let own = known.returns.iter();
                if met.returns.len() != own.len() {
                    met.returns.clear();
                }
                for (met, own) in met.returns.iter_mut().zip(own) {
                    *met = union(met.take(), own.as_ref());
                }
            } else if self.conflicts.len() < MAX_CONFLICTS {
                self.conflicts.push(Conflict {
                    instruction,
                    space: group.space,
                    address: group.address,
                    bytes: group.bytes,
                    units: group.units.clone(),
                    count: known.count.clone(),
                    contents: known.contents.clone().filter(|_| self.complete),
                    returns: if self.complete {
                        known.returns.clone()
                    } else {
                        // What states that were left out return is not known.
                        Vec::new()
                    },
                });
            }
        }
    }
}

/// Values of both, ascending; unknown where one of them is.
fn union(a: Option<Vec<u64>>, b: Option<&Vec<u64>>) -> Option<Vec<u64>> {
    let (mut a, b) = (a?, b?);
    for value in b {
        crate::returns::insert(&mut a, *value);
    }
    Some(a)
}
