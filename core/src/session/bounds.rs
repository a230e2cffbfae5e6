//! Accesses out of bounds of a surface: they read zero and write nothing.

use crate::isa::Access;
use crate::machine::Machine;
use crate::program::{Issue, Program};
use alloc::format;
use alloc::string::String;
use core::fmt;

/// Accesses of a run that were out of bounds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OutOfBounds {
    pub count: u64,
    /// Line and cell of the first of them: `line 29, y[8]`.
    pub first: String,
}

impl OutOfBounds {
    /// Adds those of the accesses of an issue. The machine has the surfaces of the issue.
    pub fn note(
        found: &mut Option<Self>,
        program: &Program,
        issue: Issue,
        machine: &Machine,
        accesses: &[Access],
    ) {
        // A prefetch has no effect anyway.
        let is_dropped =
            |access: &&Access| !access.in_bounds && (access.writes || access.dst.is_some());
        for access in accesses.iter().filter(is_dropped) {
            match found {
                Some(found) => found.count += 1,
                None => {
                    *found = Some(Self {
                        count: 1,
                        first: place_of(program, issue, machine, access),
                    });
                }
            }
        }
    }
}

impl fmt::Display for OutOfBounds {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (count, first) = (self.count, &self.first);
        let accesses = if count == 1 { "access" } else { "accesses" };
        write!(
            f,
            "{count} {accesses} out of bounds had no effect (reads return 0); first: {first}"
        )
    }
}

#[cold]
fn place_of(program: &Program, issue: Issue, machine: &Machine, access: &Access) -> String {
    let placed = program.instruction(issue);
    let context = program.context(issue, machine);
    let start = placed.instruction.surface_start(&context, access.unit.eu);
    let launch = program.launch.as_ref();
    let cell = launch.zip(start).and_then(|(launch, start)| {
        launch.surface_element_name(start, access.address, access.bytes)
    });
    let cell = cell.unwrap_or_else(|| {
        let memory = program.symbols.memory_name(access.space);
        format!("{}[{:#x}]", memory.unwrap_or("memory"), access.address)
    });
    format!("line {}, {cell}", placed.line + 1)
}

#[cfg(test)]
mod tests {
    use crate::program::Program;
    use crate::session::run_launch;
    use alloc::format;
    use alloc::string::ToString;

    #[test]
    fn cells_are_relative_to_the_surface() {
        let first = |offset: &str, instruction: &str| {
            let text = format!(
                ".target visa DG2\n.launch global=8 local=8\n.simd 8\n\
                 .buffer x : f[4]\n.buffer y : uw[4]\n.bind bti 0 = x\n\
                 .decl V32 v_type=G type=ud num_elts=8 align=GRF\n\
                 .decl V33 v_type=G type=ud num_elts=8 align=GRF\n\
                 .decl T6 v_type=T num_elts=1\n.init V32 = splat({offset})\n\
                 movs (M1_NM, 1) T6(0) 0x0:ud\n{instruction}\nret (M1, 1)\n"
            );
            let program = Program::parse(&text);
            assert!(program.can_run(), "{:?}", program.diagnostics);
            let result = run_launch(&program);
            assert_eq!(result.fault, None);
            result.out_of_bounds.map(|found| found.to_string())
        };
        let store = "scatter4_scaled.R (M1, 8) T6 0x0:ud V32.0 V33.0";
        let warning = "8 accesses out of bounds had no effect (reads return 0); first: line 12,";
        for (offset, cell) in [
            ("16", "x[4]"),
            ("18", "x[4–5]"),
            ("0x10000", "x[16384]"),
            ("0xfffffffc", "x[-1]"),
        ] {
            assert_eq!(first(offset, store), Some(format!("{warning} {cell}")));
        }
        assert_eq!(first("12", store), None);
        let atomic = "dword_atomic.add (M1, 8) T6 V32.0 V33.0 %null.0 %null.0";
        assert_eq!(first("20", atomic), Some(format!("{warning} x[5]")));
    }
}
