//! Warns about accesses of a launch that are out of bounds of a surface.

use super::names::{acting_item, lane_phrase};
use crate::diagnostic::Diagnostic;
use crate::isa::Access;
use crate::machine::Machine;
use crate::program::{Issue, Program};
use crate::rules;
use crate::text::SyntaxPart;
use alloc::format;
use alloc::string::String;

/// Warns about the accesses of an issue of a work-group that are out of bounds. The machine
/// has the surfaces of the issue. Scenarios without a launch show such accesses on purpose.
pub(super) fn bounds_warning(
    program: &Program,
    issue: Issue,
    group: u32,
    machine: &Machine,
    accesses: &[Access],
) -> Option<Diagnostic> {
    let launch = program.launch.as_ref()?;
    if program.instruction(issue).instruction.is_clipped() {
        return None;
    }
    let placed = program.instruction(issue);
    let mut outside = accesses
        .iter()
        .filter(|access| !access.in_bounds || launch.is_past_local(access))
        .peekable();
    outside.peek()?;
    let excess = placed.instruction.excess(&program.symbols);
    let mut outside = outside.filter(|access| access.has_effect(excess));
    let access = outside.next()?;
    let cell = cell_name(program, issue, machine, access);
    let item = acting_item(program, placed, group, access.unit, machine);
    let who = item.map_or_else(
        || lane_phrase(access.unit, 1),
        |item| item.to_ascii_lowercase(),
    );
    let verb = if access.writes { "wrote" } else { "read" };
    let (rule, first) = match (access.in_bounds, access.writes) {
        (true, _) => {
            let (bytes, local) = (launch.local_bytes, launch.words().local);
            let first = format!("{who} {verb} `{cell}`, past the {bytes} bytes of {local} memory");
            (&rules::PAST_LOCAL, first)
        }
        (false, writes) => {
            let effect = if writes { "changed nothing" } else { "got 0" };
            let first = format!("{who} {verb} `{cell}` out of bounds and {effect}");
            (&rules::OUT_OF_BOUNDS, first)
        }
    };
    let what = match outside.count() {
        0 => first,
        1 => format!("{first}, as did 1 other access of this instruction"),
        others => format!("{first}, as did {others} other accesses of this instruction"),
    };
    let span = program.instruction(issue).spans.of(SyntaxPart::Opcode);
    Some(Diagnostic::new(rule, span, what))
}

#[cold]
fn cell_name(program: &Program, issue: Issue, machine: &Machine, access: &Access) -> String {
    let placed = program.instruction(issue);
    let context = program.context(issue, machine);
    let start = placed
        .instruction
        .surface_start(&context, access.unit.thread);
    let launch = program.launch.as_ref();
    let cell = launch.zip(start).and_then(|(launch, start)| {
        launch.surface_element_name(start, access.address, access.bytes)
    });
    cell.unwrap_or_else(|| {
        let memory = program.symbols.memory_name(access.space);
        format!("{}[{:#x}]", memory.unwrap_or("memory"), access.address)
    })
}

#[cfg(test)]
mod tests {
    use crate::program::Program;
    use crate::session::{Session, run_launch};
    use alloc::collections::BTreeMap;
    use alloc::format;
    use alloc::rc::Rc;

    #[test]
    fn local_memory_is_not_named_after_null() {
        let text = ".target visa DG2\n.launch global=8 local=8\n.simd 8\n.slm 32\n\
                    .buffer p : f[4] = null\n.decl T6 v_type=T num_elts=1\n\
                    .decl V32 v_type=G type=ud num_elts=8 align=GRF\n\
                    .init V32 = splat(0x20)\n\
                    scatter4_scaled.R (M1, 8) %slm 0x0:ud V32.0 V32.0\nret (M1, 1)\n";
        let program = Program::parse(text);
        assert!(program.can_run(), "{:?}", program.diagnostics);
        let warnings = run_launch(&program).warnings;
        let [warning] = &warnings.values().collect::<alloc::vec::Vec<_>>()[..] else {
            panic!("{warnings:?}");
        };
        assert!(warning.message().contains("`slm[0x20]`"), "{warning:?}");
    }

    #[test]
    fn accesses_through_null_fault_wherever_they_are() {
        let fault = |offset: &str, instruction: &str| {
            let text = format!(
                ".target visa DG2\n.launch global=8 local=8\n.simd 8\n\
                 .buffer y : f[4]\n.buffer p : f[4] = null\n.bind bti 0 = p\n\
                 .decl V32 v_type=G type=ud num_elts=8 align=GRF\n\
                 .decl V33 v_type=G type=ud num_elts=8 align=GRF\n\
                 .decl V34 v_type=G type=uq num_elts=4 align=GRF\n\
                 .decl T6 v_type=T num_elts=1\n.init V32 = splat({offset})\n\
                 .init V34 = splat({offset})\n.bind V33 = &p\n\
                 movs (M1_NM, 1) T6(0) 0x0:ud\n{instruction}\nret (M1, 1)\n"
            );
            let program = Program::parse(&text);
            assert!(program.can_run(), "{:?}", program.diagnostics);
            let result = run_launch(&program);
            assert_eq!(result.warnings, BTreeMap::new());
            result.fault.expect("a fault").message
        };
        let surface = [
            "gather4_scaled.R (M1, 8) T6 0x0:ud V32.0 V33.0",
            "scatter4_scaled.R (M1, 8) T6 0x0:ud V32.0 V33.0",
            "dword_atomic.add (M1, 8) T6 V32.0 V33.0 %null.0 %null.0",
        ];
        // The buffer `y` is at 0x10000.
        let svm = "svm_atomic.add (M1, 4) V34.0 V33.0 V32.0 %null.0";
        let causes = surface.map(|instruction| ("0x10000", "cannot be accessed:", instruction));
        let facts = surface.map(|instruction| ("0x0", "is not mapped;", instruction));
        let facts = facts.into_iter().chain([("0x8", "is not mapped;", svm)]);
        for (address, reason, instruction) in causes.into_iter().chain(facts) {
            let message = fault(address, instruction);
            let expected = format!("address {address} {reason} `p` is NULL.");
            assert!(message.contains(&expected), "{instruction}: {message}");
        }
        let message = fault("0x10010", surface[0]);
        assert!(
            message.contains("`y` (16 bytes at 0x10000); `p` is NULL."),
            "{message}"
        );
    }

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
            let mut session = Session::new(Rc::new(program));
            session.run_to_end();
            let recorded = session.warnings().map(|(at, found)| (at, found.clone()));
            assert_eq!(recorded.collect::<BTreeMap<_, _>>(), result.warnings);
            result
                .warnings
                .into_values()
                .next()
                .map(|warning| warning.what.clone())
        };
        let store = "scatter4_scaled.R (M1, 8) T6 0x0:ud V32.0 V33.0";
        let warning = |cell: &str| {
            format!(
                "work-item 0 (lane 0) wrote `{cell}` out of bounds and changed nothing, as did 7 other accesses of this instruction"
            )
        };
        for (offset, cell) in [
            ("16", "x[4]"),
            ("0x10000", "x[16384]"),
            ("0xfffffffc", "x[-1]"),
        ] {
            assert_eq!(first(offset, store), Some(warning(cell)));
        }
        assert_eq!(first("12", store), None);
        let atomic = "dword_atomic.add (M1, 8) T6 V32.0 V33.0 %null.0 %null.0";
        assert_eq!(first("20", atomic), Some(warning("x[5]")));
    }
}
