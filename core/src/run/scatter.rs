//! A scatter as a picture: the planes of Src, and the cells that their values
//! go to.

use super::Session;
use crate::isa::{Instruction, Unit};
use alloc::vec::Vec;

/// What one lane of a scatter does for one channel.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ScatterCell {
    /// Which lane and channel.
    pub unit: Unit,
    /// Which element of Src it takes.
    pub element: u16,
    /// Where that lies in the EU's register file.
    pub register_byte: u64,
    /// Where it goes; none for a lane that is not enabled.
    pub address: Option<u64>,
    /// What it writes; none for a lane that is not enabled.
    pub value: Option<u64>,
    /// Whether it has been written.
    pub done: bool,
    /// Whether it was written last.
    pub current: bool,
    /// Cells with the same number are the same bytes of memory.
    pub conflict: Option<u32>,
}

impl Session {
    /// The cells of a scatter, EU after EU and channel after channel, lanes
    /// ascending; empty for another instruction.
    #[must_use]
    pub fn scatter(&self, instruction: usize) -> Vec<ScatterCell> {
        let program = self.program();
        let placed = program.instructions.get(instruction);
        let Some(Instruction::SvmScatter4Scaled(scatter)) = placed.map(|p| &p.instruction) else {
            return Vec::new();
        };
        let here = self.last_instruction() == Some(instruction);
        let last = self.last_access().filter(|_| here).map(|a| a.unit);
        let rows = self.lanes(instruction).into_iter();
        let cells = rows.filter_map(|row| {
            let (element, register_byte) = scatter.source(row.unit, &program.names)?;
            Some(ScatterCell {
                unit: row.unit,
                element,
                register_byte,
                address: row.access.map(|a| a.address),
                value: row.access.map(|a| a.src0),
                done: row.done,
                current: last == Some(row.unit),
                conflict: row.conflict,
            })
        });
        cells.collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scenario::Program;
    use alloc::rc::Rc;

    fn session(line: &str) -> Session {
        let program = Program::parse(&std::format!(
            ".target visa PVC\n.decl O v_type=G type=uq num_elts=16\n\
             .decl S v_type=G type=ud num_elts=32\n.decl P1 v_type=P num_elts=8\n\
             .region svm 0x1000 64\n.init O = iota(0, 4)\n.init S = iota(0, 1)\n\
             .init P1 = 0b11\n{line}"
        ));
        assert!(program.can_run(), "{:?}", program.diagnostics);
        Session::new(Rc::new(program))
    }

    #[test]
    fn planes_cells_and_conflicts() {
        let mut session = session(
            "(P1) svm_scatter4scaled.RG (M1, 8) 0x1000:uq O S\n\
             svm_atomic.inc (M1, 1) O V0 V0 V0",
        );
        assert!(session.scatter(1).is_empty() && session.scatter(2).is_empty());
        let cells = session.scatter(0);
        assert_eq!(cells.len(), 16);
        // Green starts in the next register: element 16, byte 64 of S.
        let first = cells.first().unwrap();
        let ninth = cells.get(9).unwrap();
        assert_eq!((ninth.unit.letter(), ninth.unit.lane), ("G", 1));
        assert_eq!(ninth.element, 17);
        assert_eq!(ninth.register_byte - first.register_byte, 17 * 4);
        assert_eq!((ninth.address, ninth.value), (Some(0x1008), Some(17)));
        // Lane 2 is idle; lane 1's red and lane 0's green are one cell.
        let idle = cells.get(2).unwrap();
        assert_eq!((idle.address, idle.value, idle.element), (None, None, 2));
        let shared: Vec<_> = cells.iter().filter(|c| c.conflict == Some(0)).collect();
        let names: Vec<_> = shared
            .iter()
            .map(|c| (c.unit.lane, c.unit.letter()))
            .collect();
        assert_eq!(names, [(1, "R"), (0, "G")]);
        assert!(!cells.iter().any(|c| c.done || c.current));

        session.seek(0);
        for _ in 0..3 {
            assert!(session.step());
        }
        let done: Vec<_> = session.scatter(0).iter().map(|c| c.done).collect();
        assert_eq!(done.iter().filter(|done| **done).count(), 3);
        let cells = session.scatter(0);
        let current: Vec<_> = cells.iter().filter(|c| c.current).collect();
        assert_eq!(current.len(), 1);
        assert_eq!((current[0].unit.lane, current[0].unit.letter()), (0, "G"));
        assert_eq!(session.summary(), "Lane 0, channel G: svm[0x1004] 1 → 16");
    }
}
