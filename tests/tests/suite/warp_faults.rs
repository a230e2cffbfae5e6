//! Kernels for NVIDIA GPUs that cannot run, or not to their end: the messages name the
//! opcode, the line, the thread and the lane.

use lanewise_core::diagnostic::Diagnostic;
use lanewise_core::isa::sass::op::operand::LaneRegister;
use lanewise_core::isa::{FaultKind, Unit};
use lanewise_core::machine::SpaceId;
use lanewise_core::program::Program;
use lanewise_core::session::{Session, run_launch};
use std::rc::Rc;

/// A block of 64 threads whose first lines are the three of the header.
fn block(code: &str) -> Program {
    Program::parse(&format!(
        ".target sass SM80\n.launch grid=1 block=64\n.slm 1024\n{code}"
    ))
}

/// The fault of the run, which that of single steps equals.
fn fault(code: &str) -> String {
    let program = block(code);
    assert!(program.can_run(), "{code}: {:#?}", program.diagnostics);
    let run = run_launch(&program).fault.expect("a fault");
    let mut session = Session::new(Rc::new(program));
    session.run_to_end();
    let stepped = session.fault().expect("a fault of the steps");
    assert_eq!(stepped, &run, "{code}");
    run.message
}

fn errors(program: &Program) -> String {
    assert!(!program.can_run());
    let messages = program.diagnostics.iter().map(Diagnostic::message);
    messages.collect::<Vec<_>>().join("\n")
}

#[test]
fn what_is_not_executed_is_named() {
    for (code, message) in [
        (
            "MOV R1, 0x10;\nIFOO3.X R1, R2, R3;\nEXIT;\n",
            "`IFOO3.X` on line 5: `IFOO3` is not executed (warp 0, lane 0)",
        ),
        (
            "ATOMS.FOO.64 R2, [URZ];\nEXIT;\n",
            "`ATOMS.FOO.64` on line 4: `.FOO` of `ATOMS` is not executed (warp 0, lane 0)",
        ),
        (
            "SYNCS.EXCH.64 URZ, [UR4], UR6;\nEXIT;\n",
            "`SYNCS.EXCH.64` on line 4: `SYNCS` is an instruction of SM90 and later, not of SM80 (warp 0, lane 0)",
        ),
        (
            "S2R R1, SR_FOO;\nEXIT;\n",
            "`S2R` on line 4: operand `SR_FOO` of `S2R` is not executed (warp 0, lane 0)",
        ),
        (
            "S2R R0, SR_TID.X;\nISETP.LT.AND P0, PT, R0, 0x25, PT;\n@P0 EXIT;\nIFOO3;\nEXIT;\n",
            "`IFOO3` on line 7: `IFOO3` is not executed (warp 1, lane 5)",
        ),
    ] {
        assert_eq!(fault(code), message);
    }
}

/// A barrier object in shared memory that is for this many threads, at which two warps arrive.
fn phase(count: u32, code: &str) -> String {
    let missing = 0x10_0000 - count;
    format!(
        ".target sass SM90\n.launch grid=1 block=64\n.slm 1024\nUMOV UR4, {:#x};\nUMOV UR5, {:#x};\n\
         SYNCS.EXCH.64 URZ, [URZ], UR4;\nBAR.SYNC.DEFER_BLOCKING 0x0;\n\
         SYNCS.ARRIVE.TRANS64.A1T0 R2, [URZ], RZ;\n{code}EXIT;\n",
        missing << 1,
        missing << 11
    )
}

#[test]
fn a_phase_that_is_never_complete_is_a_deadlock() {
    let wait = "SYNCS.PHASECHK.TRANS64.TRYWAIT P0, [URZ], R3;\n";
    for (count, expected) in [
        (64, None),
        (65, Some(FaultKind::Deadlock)),
        // The first phase is complete, the second one is not.
        (43, Some(FaultKind::Deadlock)),
    ] {
        let program = Program::parse(&phase(count, wait));
        let fault = run_launch(&program).fault.map(|fault| fault.kind);
        assert_eq!(fault, expected, "{count}");
        let mut session = Session::new(Rc::new(program));
        session.run_to_end();
        let steps = session.position();
        assert_eq!(session.fault().map(|fault| fault.kind), expected, "{count}");
        session.seek(steps / 2);
        session.run_to_end();
        assert_eq!(session.position(), steps);
    }
}

#[test]
fn arrivals_that_a_barrier_cannot_count_stop_the_run() {
    let arrive = "SYNCS.ARRIVE.TRANS64.ART0 RZ, [URZ], R4;\n";
    let expect = "SYNCS.ARRIVE.TRANS64.RED.A0TR RZ, [URZ], R4;\n";
    for (count, code, expected) in [
        (0x80, format!("MOV R4, 0x1;\n{arrive}"), None),
        (
            0x80,
            format!("MOV R4, 0x10000;\n{arrive}"),
            Some(FaultKind::Undefined),
        ),
        (0x80, format!("MOV R4, 0x1000;\n{expect}"), None),
        (
            0x80,
            format!("MOV R4, 0x10000;\n{expect}"),
            Some(FaultKind::Undefined),
        ),
    ] {
        let fault = run_launch(&Program::parse(&phase(count, &code))).fault;
        assert_eq!(fault.map(|fault| fault.kind), expected, "{code}");
    }
}

/// A wait for a phase lets the other warps run, by whatever schedule; a loop that tests it needs
/// turns.
#[test]
fn waits_for_phases_let_others_run() {
    let wait = "SYNCS.PHASECHK.TRANS64.TRYWAIT P0, [URZ], R3;\n";
    let poll = "POLL:\nSYNCS.PHASECHK.TRANS64 P0, [URZ], R3;\n@!P0 BRA `(POLL);\n";
    let stuck = Some(FaultKind::OutOfFuel);
    for (code, schedule, expected) in [
        (wait, "sequential", None),
        (wait, "reversed", None),
        (wait, "round-robin", None),
        (poll, "sequential", stuck),
        (poll, "round-robin", None),
    ] {
        let text = phase(64, code).replacen(".slm", &format!(".schedule {schedule}\n.slm"), 1);
        let program = Program::parse(&text);
        assert!(program.can_run(), "{:#?}", program.diagnostics);
        let fault = run_launch(&program).fault.map(|fault| fault.kind);
        assert_eq!(fault, expected, "{text}");
    }
}

/// Addresses and sizes of bulk copies, of 16 bytes here.
#[test]
fn defects_of_bulk_copies_stop_the_run() {
    for (to, from, size, expected) in [
        (0x20, 0x10000, 1, None),
        (0x28, 0x10000, 1, Some(FaultKind::Misaligned)),
        (0x20, 0x10004, 1, Some(FaultKind::Misaligned)),
        (0x20, 0x20000, 1, Some(FaultKind::Unmapped)),
        (0x3f0, 0x10000, 2, Some(FaultKind::Unmapped)),
        (0x20, 0x10000, 0x1_0001, Some(FaultKind::NotModelled)),
        // The barrier expects 16 bytes.
        (0x20, 0x10000, 0, Some(FaultKind::Deadlock)),
        (0x20, 0x10000, 2, Some(FaultKind::Deadlock)),
    ] {
        let code = format!(
            "UMOV UR6, {to:#x};\nUMOV UR7, URZ;\nUMOV UR8, {from:#x};\nUMOV UR9, URZ;\n\
             UMOV UR10, {size:#x};\nMOV R4, 0x10;\nS2R R0, SR_TID.X;\nISETP.NE.AND P0, PT, R0, RZ, PT;\n\
             @!P0 SYNCS.ARRIVE.TRANS64.RED.A0TR RZ, [URZ], R4;\nBAR.SYNC 0x0;\n\
             VOTEU.ALL UP0, P0;\n@UP0 EXIT;\nISETP.GE.AND P1, PT, R0, 0x20, PT;\n@P1 EXIT;\n\
             UBLKCP.S.G [UR6], [UR8], UR10;\nSYNCS.ARRIVE.TRANS64.A1T0 R2, [URZ], RZ;\n\
             SYNCS.PHASECHK.TRANS64.TRYWAIT P0, [URZ], R3;\n"
        );
        let text = phase(96, &code).replace(".slm 1024\n", ".slm 1024\n.buffer x : ud[8] = 1\n");
        let program = Program::parse(&text);
        assert!(program.can_run(), "{:#?}", program.diagnostics);
        let fault = run_launch(&program).fault.map(|fault| fault.kind);
        assert_eq!(fault, expected, "{to:#x} {from:#x} {size:#x}");
    }
}

/// The address of an access of several registers is a multiple of its size.
#[test]
fn wide_accesses_are_aligned() {
    for (code, chip, bytes) in [
        ("LDS.64 R4, [R0]", "SM75", 8),
        ("LDS.128 R4, [R0]", "SM75", 16),
        ("STS.128 [R0], R4", "SM75", 16),
        ("LDG.E.128 R4, [R0.64]", "SM75", 16),
        ("LDG.E.ENL2.256 R8, R4, [R0.64]", "SM100", 32),
        ("LDG.E.ENL2.256 R8, R4, [R0.64], 0x21", "SM100", 32),
        ("STG.E.ENL2.256 [R0.64], R4, R8", "SM100", 32),
    ] {
        for address in [64, 64 + bytes / 2] {
            let text = format!(
                ".target sass {chip}\n.launch grid=1 block=1\n.slm 1024\n.buffer x : ud[64] = 1\n\
                 .param 0x0 = &x\nMOV R1, RZ;\nMOV R0, {};\n{code};\nEXIT;\n",
                address + if code.contains('G') { 0x10000 } else { 0 }
            );
            let fault = run_launch(&Program::parse(&text))
                .fault
                .map(|fault| fault.kind);
            let expected = (address % bytes != 0).then_some(FaultKind::Misaligned);
            assert_eq!(fault, expected, "{code} at {address}");
        }
    }
}

/// Forms whose meaning is not known, and operands that do not exist, stop the run.
#[test]
fn forms_that_are_not_known_stop_the_run() {
    for (code, chip) in [
        ("CREDUX.MINABS.S32 UR4, R2", "SM100"),
        ("ELECT P0, R6, P1", "SM90"),
        ("IMNMX.U64 P0, PT, R2, R4, R6, PT, !PT", "SM120"),
        ("IMNMX.U64 PT, PT, R2, R4, R6, PT, PT", "SM120"),
        ("F2FP.SATFINITE.E4M3.F32.PACK_AB R0, R2, R2", "SM100"),
        ("MUFU.EX2.F16.SAT R0, R2", "SM90"),
        ("STG.E.128 [R2.64], -R4", "SM75"),
        ("STG.E.128 [R2.64], c[0x0][0x160]", "SM75"),
        ("STG.E.128 [R2.64], R252", "SM75"),
        ("LDC.128 R4, R8", "SM100"),
        ("LDC.128 R252, c[0x0][0x380]", "SM100"),
        ("FADD R0, R1.F32x2.HI_LO, R2", "SM100"),
        ("FMUL2 R4, R2.F32x2.LO_LO, R6.F32x2.HI_LO", "SM100"),
        ("DADD R4, R2.LO_HI, R6", "SM100"),
        ("UBLKCP.G.S [UR4], [UR6], 0x10001", "SM100"),
        ("LDGU.E R0, [R2.64]", "SM75"),
        ("EXITU", "SM90"),
    ] {
        let text = format!(".target sass {chip}\n.launch grid=1 block=32\n{code};\nEXIT;\n");
        let program = Program::parse(&text);
        let is_known = program.can_run() && run_launch(&program).fault.is_none();
        assert!(!is_known, "{code}");
    }
}

/// A number out of range becomes the largest one, also as a half; one number counts for both of a
/// pair.
#[test]
fn results_are_clamped_to_finite_numbers() {
    for (code, expected) in [
        (
            "MOV R2, 0x501502f9; F2FP.SATFINITE.F16.F32.PACK_AB R0, R2, R2",
            0x7bff_7bff,
        ),
        (
            "MOV R2, 0x501502f9; F2FP.F16.F32.PACK_AB R0, R2, R2",
            0x7c00_7c00,
        ),
        (
            "MOV R2, 0x40000000; MOV R3, 0x40400000; FMUL2 R4, R2.F32x2.HI_LO, 0.5; MOV R0, R5",
            0x3fc0_0000,
        ),
    ] {
        let text = format!(
            ".target sass SM100\n.launch grid=1 block=32\n{};\nEXIT;\n",
            code.replace("; ", ";\n")
        );
        let result = run_launch(&Program::parse(&text));
        assert_eq!(result.fault, None, "{code}");
        let register = LaneRegister::named("R0").flatten().expect("a register");
        let found = result
            .machine
            .load(SpaceId::registers(0), register.address(0), 4);
        assert_eq!(found, Some(expected), "{code}");
    }
}

/// Opcodes, words and uniform registers that a chip does not have stop the run.
#[test]
fn instructions_of_other_chips_stop_the_run() {
    for (code, chip, first) in [
        ("IDP.4A.S8.S8 R1, R2, R3, R4", "SM60", "SM61"),
        ("IMMA.8816.S8.S8 R2, R4.ROW, R5.COL, R6", "SM70", "SM75"),
        ("IMMA.16816.S8.S8 R4, R8.ROW, R10.COL, R12", "SM75", "SM80"),
        ("BMMA.88128.XOR.POPC R2, R4.ROW, R5.COL, R6", "SM70", "SM75"),
        ("BMMA.88128.AND.POPC R2, R4.ROW, R5.COL, R6", "SM75", "SM80"),
        ("HMMA.1688.F16 R2, R4, R6, R8", "SM70", "SM75"),
        ("HMMA.16816.F16 R2, R4, R8, R10", "SM75", "SM80"),
        ("HMMA.1688.F32.BF16 R4, R8, R10, R12", "SM75", "SM80"),
        ("DMMA.884 R2, R4, R6, R8", "SM75", "SM80"),
        ("DMMA.8x8x4 R4, R8, R10, R12", "SM89", "SM90"),
        ("MOVM.16.MT88 R2, R3", "SM70", "SM75"),
        ("LDSM.16.M88 R2, [R3]", "SM70", "SM75"),
        ("STSM.16.M88 [R3], R2", "SM89", "SM90"),
        ("REDUX.SUM UR4, R2", "SM75", "SM80"),
        ("LDGSTS.E [R2], [R4.64]", "SM75", "SM80"),
        ("VIADD R2, R3, R4", "SM89", "SM90"),
        ("I2FP.F32.S32 R2, R3", "SM80", "SM86"),
        ("MUFU.EX2.F16 R2, R3", "SM70", "SM75"),
        (
            "F2FP.SATFINITE.E4M3.F32.PACK_AB_MERGE_C R2, R3, R4, RZ",
            "SM86",
            "SM89",
        ),
        ("IADD.64 R2, R4, R6", "SM100", "SM120"),
        ("ISETP.GE.U64.AND P0, PT, R2, R4, PT", "SM90", "SM121"),
        ("IMNMX.S64 PT, PT, R2, R4, R6, PT, !PT", "SM103", "SM107"),
        ("VIMNMX.U8x4 R2, R3, R4, PT", "SM90", "SM120"),
        ("FADD2 R2, R4.F32x2.HI_LO, R6.F32x2.HI_LO", "SM120", "SM100"),
        ("FMNMX3 R2, R3, R4, R5, PT", "SM120", "SM110"),
        ("CREDUX.MIN.F32 UR4, R2", "SM90", "SM103"),
    ] {
        let stops = |chip: &str| {
            let text = format!(".target sass {chip}\n.launch grid=1 block=32\n{code};\nEXIT;\n");
            let program = Program::parse(&text);
            let fault = run_launch(&program).fault;
            let is_refused = fault.is_some_and(|fault| fault.kind == FaultKind::NotModelled);
            let mut diagnostics = program.diagnostics.iter();
            let is_named = diagnostics.any(|found| found.message().contains(first));
            assert_eq!(is_refused, is_named, "{code}");
            is_refused
        };
        assert!(stops(chip) && !stops(first), "{code}");
    }
}

#[test]
fn the_end_of_the_listing_is_not_the_end_of_a_kernel() {
    for (code, name, line) in [
        ("MOV R1, 0x10;\n", "MOV", 4),
        (
            "S2R R0, SR_TID.X;\nISETP.LT.AND P0, PT, R0, 0x25, PT;\n@P0 EXIT;\n",
            "EXIT",
            6,
        ),
    ] {
        let message = fault(code);
        let expected = format!("lanes go on behind `{name}` on line {line}, the last instruction");
        assert!(message.starts_with(&expected), "{message}");
    }
}

#[test]
fn bad_addresses_name_the_lane() {
    for (code, message) in [
        (
            "MOV R2, 0x0;\nMOV R3, 0x77;\nLDG.E R0, [R2.64];\nEXIT;\n",
            "Thread 0 (warp 0, lane 0): address 0x7700000000 is not mapped. LDG on line 6 had no effect",
        ),
        (
            "S2R R0, SR_TID.X;\nIMAD.SHL.U32 R2, R0, 0x10, RZ;\nLDS R0, [R2+0x100];\nEXIT;\n",
            "Thread 48 (warp 1, lane 16): address 0x400 is outside shared memory, which has 1024 bytes for each block; `.slm N` sets the size. LDS on line 6 had no effect",
        ),
        (
            "MOV R2, 0x1;\nSTS [R2], R0;\nEXIT;\n",
            "Thread 0 (warp 0, lane 0): address 0x1 is not a multiple of 4. STS on line 5 had no effect",
        ),
        (
            "MOV R2, 0x1000000;\nLDL R0, [R2];\nEXIT;\n",
            "Thread 0 (warp 0, lane 0): address 0x1000000 is outside local memory, which has 16384 bytes for each thread. LDL on line 5 had no effect",
        ),
    ] {
        assert_eq!(fault(code), message);
    }
}

#[test]
fn endless_loops_end() {
    for (fuel, line, limit) in [(".fuel 1000\n", 6, 1_000), ("", 5, 1_000_000)] {
        let message = fault(&format!("{fuel}.L_1:\nBRA `(.L_1);\nEXIT;\n"));
        let expected = format!(
            "the run stopped after {limit} instructions, its limit (`.fuel N` in the scenario \
             sets another); warp 0: lanes 0–31 at line {line}; warp 1: lanes 0–31 at line {line}"
        );
        assert_eq!(message, expected);
    }
}

#[test]
fn deadlocks_name_their_barriers() {
    let message = fault(
        "S2R R0, SR_TID.X;\nISETP.GT.AND P0, PT, R0, 0x1f, PT;\n@P0 BAR.SYNC 0x1;\n\
         @!P0 BAR.SYNC 0x0;\nEXIT;\n",
    );
    let expected = "`BAR.SYNC` on line 7 waits forever, and so do all other lanes; \
                    warp 0: lanes 0–31 at line 7; \
                    warp 1: lanes 0–31 at line 6";
    assert_eq!(message, expected);
}

#[test]
fn barriers_count_threads() {
    // More threads than the block has.
    let message = fault("BAR.SYNC 0x1, 0x60;\nEXIT;\n");
    let expected = "`BAR.SYNC` on line 4 waits forever, and so do all other lanes; ";
    assert!(message.starts_with(expected), "{message}");
    // Warps 0 and 1 arrive, and none waits: both can arrive again.
    let start = "S2R R0, SR_TID.X;\nISETP.GT.AND P0, PT, R0, 0x1f, PT;\n";
    for (code, is_complete) in [
        ("BAR.ARV 0x1, 0x40;\nBAR.SYNC 0x1, 0x40;\nEXIT;\n", true),
        (
            "@!P0 BAR.ARV 0x1, 0x40;\n@P0 BAR.SYNC 0x1, 0x40;\nEXIT;\n",
            true,
        ),
        (
            "@!P0 BAR.ARV 0x1, 0x60;\n@P0 BAR.SYNC 0x1, 0x60;\nEXIT;\n",
            false,
        ),
        (
            "@!P0 BAR.ARV 0x2, 0x40;\n@!P0 BAR.SYNC 0x3;\n@P0 BAR.SYNC 0x1, 0x40;\nEXIT;\n",
            false,
        ),
        // One register has both numbers.
        ("MOV R1, 0x400003;\nBAR.SYNC R1, R1;\nEXIT;\n", true),
        ("MOV R1, 0x600003;\nBAR.SYNC R1, R1;\nEXIT;\n", false),
        ("MOV R1, 0x40;\nBAR.SYNC 0x3, R1;\nEXIT;\n", true),
        ("MOV R1, 0x60;\nBAR.SYNC 0x3, R1;\nEXIT;\n", false),
    ] {
        let found = run_launch(&block(&format!("{start}{code}"))).fault;
        assert_eq!(found.is_none(), is_complete, "{code}: {found:?}");
    }
    // Lanes that the last warp lacks arrive with it.
    for (threads, wanted, is_complete) in [(48, 0x40, true), (48, 0x60, false), (16, 0x20, true)] {
        let text = format!(
            ".target sass SM80\n.launch grid=1 block={threads}\nBAR.SYNC 0x1, {wanted:#x};\nEXIT;\n"
        );
        let found = run_launch(&Program::parse(&text)).fault;
        assert_eq!(
            found.is_none(),
            is_complete,
            "{threads}, {wanted:#x}: {found:?}"
        );
    }
    // Two numbers of threads for one barrier, a number for each lane, and none.
    for (code, kind) in [
        (
            "@P0 BAR.SYNC 0x1, 0x60;\n@!P0 BAR.SYNC 0x1, 0x40;\nEXIT;\n",
            FaultKind::Deadlock,
        ),
        (
            "LOP3.LUT R1, R0, 0x1, RZ, 0xc0, !PT;\nBAR.SYNC R1, 0x40;\nEXIT;\n",
            FaultKind::NotModelled,
        ),
        ("BAR.ARV 0x1;\nEXIT;\n", FaultKind::NotModelled),
    ] {
        let found = run_launch(&block(&format!("{start}{code}"))).fault;
        assert_eq!(found.map(|fault| fault.kind), Some(kind), "{code}");
    }
}

/// Lanes that run alone go on in groups; a group without lanes holds nobody up.
#[test]
fn groups_run_alone_one_after_the_other() {
    let code = "S2R R0, SR_LANEID;\nISETP.GT.U32.AND P0, PT, R0, 0xf, PT;\nMOV R3, {first};\n\
                @P0 MOV R3, 0xffff0000;\nWARPSYNC.EXCLUSIVE R3;\nEXIT;\n";
    let ends = |first: &str| {
        let program = Program::parse(&format!(
            ".target sass SM80\n.launch grid=1 block=32\n{}",
            code.replace("{first}", first)
        ));
        run_launch(&program).fault.is_none()
    };
    assert!(ends("0xffff") && !ends("0x0"));
}

#[test]
fn calls_through_registers_go_to_functions() {
    let functions = "CALL.REL.NOINC R2 `(kernel);\nEXIT;\nf:\nMOV R3, R3;\n.L_1:\nRET.REL.NODEC R4 `(kernel);\n";
    for (address, is_function) in [
        (0x50, true),
        (0x60, false),
        (0x48, false),
        (0x500, false),
        (0x0, false),
    ] {
        let code =
            format!("kernel:\nMOV R2, {address:#x};\nMOV R3, RZ;\nMOV R4, 0x40;\n{functions}");
        let program = block(&code);
        assert!(program.can_run(), "{:#?}", program.diagnostics);
        let found = run_launch(&program).fault;
        let found = found.map(|fault| (fault.kind, fault.instruction));
        let expected = (!is_function).then_some((FaultKind::BadTarget, 3));
        assert_eq!(found, expected, "{address:#x}");
    }
    // On old chips, PRET makes the jump behind it a call.
    for (target, is_function) in [(0x30, true), (0x38, false)] {
        let program = Program::parse(&format!(
            ".target sass SM61\n.launch grid=1 block=32\nMOV R2, {target:#x};\nPRET `(.L_2);\n\
             JMX R2;\n.L_2:\nEXIT;\nf:\nMOV R3, R3;\n.L_1:\nRET;\n"
        ));
        assert!(program.can_run(), "{:#?}", program.diagnostics);
        assert_eq!(
            run_launch(&program).fault.is_none(),
            is_function,
            "{target:#x}"
        );
    }
}

#[test]
fn traps_stop_the_run() {
    let program =
        block("S2R R0, SR_TID.X;\nISETP.GT.AND P0, PT, R0, 0x24, PT;\n@P0 BPT.TRAP 0x1;\nEXIT;\n");
    let fault = run_launch(&program).fault.expect("a fault");
    let place = (fault.instruction, fault.unit);
    assert_eq!(
        (fault.kind, place),
        (FaultKind::Trap, (2, Unit::lane(1, 5)))
    );
}

#[test]
fn ended_lanes_do_not_keep_a_barrier_waiting() {
    let program = block(
        "S2R R0, SR_TID.X;\nISETP.GT.AND P0, PT, R0, 0x1f, PT;\n@P0 EXIT;\nBAR.SYNC 0x0;\nEXIT;\n",
    );
    assert_eq!(run_launch(&program).fault, None);
}

#[test]
fn launches_beyond_the_limits_are_errors() {
    for (sizes, message) in [
        ("grid=1048577 block=64", "too many blocks: 1048577"),
        ("grid=1 block=64,64", "invalid block size of 4096 threads"),
        ("grid=0 block=64", "no threads in x"),
        ("grid=1 block=0", "invalid block size of 0"),
        ("grid=1,65536 block=1", "too many blocks in y: 65536"),
        ("grid=1,1,65536 block=1", "too many blocks in z: 65536"),
        (
            "grid=1 block=1,1,65",
            "too many threads of a block in z: 65",
        ),
    ] {
        let program = Program::parse(&format!(".target sass SM80\n.launch {sizes}\nEXIT;\n"));
        let found = errors(&program);
        assert!(found.contains(message), "{sizes}: {found}");
    }
}

#[test]
fn malformed_lines_are_errors() {
    for (code, message) in [
        ("BRA `(.L_9);\n", "label `.L_9` is not defined"),
        (
            "kernal:\nCALL.REL.NOINC R2 `(kernel);\nEXIT;\n",
            "label `kernel` is not defined",
        ),
        (
            "RET.REL.NODEC R4 `(kernel);\nEXIT;\n",
            "label `kernel` is not defined",
        ),
        ("MOV R1;\nEXIT;\n", "too few operands: write `MOV d, a`"),
        (
            "ATOM.E.ADD R0, [R2];\nEXIT;\n",
            "too few operands: write `ATOM.E.ADD d, [address], a`",
        ),
        (
            "ATOM.E.CAS R0, [R2], R4;\nEXIT;\n",
            "too few operands: write `ATOM.E.CAS d, [address], a, b`",
        ),
        ("SHFL PT, R0, R1, 0x1, 0x1f;\nEXIT;\n", "`SHFL` needs 1 of"),
        ("MUFU.RCP.SIN R0, R1;\nEXIT;\n", "`MUFU.RCP.SIN` needs 1 of"),
        ("IADD3 R0, R300, R2, RZ;\nEXIT;\n", "`R300` does not exist"),
    ] {
        let found = errors(&block(code));
        assert!(found.contains(message), "{code}: {found}");
    }
    let text = ".target sass SM50\n.launch grid=1 block=32\nPSETP.AND P0, PT, P1, P2, PT;\nEXIT;\n";
    assert!(errors(&Program::parse(text)).contains("`PSETP.AND` needs 2 of"));
    let found = errors(&block("BAR.RED 0x0, P1;\nEXIT;\n"));
    assert!(found.contains("`BAR.RED` needs 1 of"), "{found}");
    // As nvdisasm prints it: without a comparison.
    let line = "FCMP R4, RZ, -3.7615819226313200255e-37, R4;\nEXIT;\n";
    let text = format!(".target sass SM50\n.launch grid=1 block=32\n{line}");
    assert!(Program::parse(&text).can_run());
}
