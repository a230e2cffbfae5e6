//! Whole kernels for NVIDIA GPUs, launched from their listings and compared with the buffers
//! of `sass-kernels/launches.jsonl`; stepping, stepping back and seeking agree with the run.

use lanewise_api::{Checked, Findings, MAX_FINDINGS};
use lanewise_core::diagnostic::Diagnostic;
use lanewise_core::isa::sass::op::flow::WarpFlow;
use lanewise_core::isa::sass::op::operand::{CONDITION_CODE, LanePredicate};
use lanewise_core::isa::{FaultKind, Instruction, LaneResult, Style};
use lanewise_core::machine::control::{ChannelState, Control};
use lanewise_core::machine::{Machine, SpaceId};
use lanewise_core::program::Program;
use lanewise_core::session::{RunOrder, Session, run_launch};
use lanewise_files::outline::{self, FileContents};
use lanewise_files::{WarpLaunch, WarpProgram};
use lanewise_tests::judge::unhex;
use lanewise_tests::launch_case::{CaseArgument, buffer_bytes, sizes};
use lanewise_tests::parse::runnable;
use lanewise_tests::place::whole_snapshot;
use lanewise_tests::vectors;
use serde::Deserialize;
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;
use std::rc::Rc;

#[derive(Deserialize)]
struct LaunchCase {
    stem: String,
    archs: Vec<String>,
    kernel: String,
    global_size: Vec<u32>,
    local_size: Vec<u32>,
    args: Vec<CaseArgument>,
    expected: Vec<Expected>,
    #[serde(default)]
    dynamic_shared: u64,
}

#[derive(Deserialize)]
struct Expected {
    arg: usize,
    compare: String,
    bytes: String,
}

/// The launch of a case on an architecture, after an edit of its listing.
fn launch(case: &LaunchCase, arch: &str, edit: impl Fn(String) -> String) -> Program {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("vectors/sass-kernels");
    let file = folder.join(format!("{}.{arch}", case.stem));
    let text = fs::read_to_string(format!("{}.sass", file.display())).expect("a listing");
    let cubin = fs::read(format!("{}.cubin", file.display())).expect("a cubin");
    let program = WarpProgram::of_listing(&edit(text), Some(&cubin)).expect("it opens");
    launched(&program, case)
}

/// The launch of a case with a kernel of a program.
fn launched(program: &WarpProgram, case: &LaunchCase) -> Program {
    let mut kernels = program.kernels.iter();
    let kernel = kernels.find(|k| k.name == case.kernel).expect("the kernel");
    let (global, block) = (sizes(&case.global_size, 1), sizes(&case.local_size, 1));
    let launch = WarpLaunch {
        grid: std::array::from_fn(|i| global[i] / block[i]),
        block,
        arguments: case.args.iter().map(CaseArgument::value).collect(),
        shared: case.dynamic_shared,
        symbols: BTreeMap::new(),
    };
    let program = program.launch(kernel, &launch).expect("it launches");
    assert!(
        program.can_run(),
        "{}: {:#?}",
        case.kernel,
        program.diagnostics
    );
    program
}

/// Every launch on every architecture, with its name.
fn launches() -> Vec<(String, Rc<LaunchCase>, Program)> {
    let cases: Vec<LaunchCase> = vectors::read("sass-kernels/launches.jsonl");
    let mut all = Vec::new();
    for case in cases.into_iter().map(Rc::new) {
        for arch in &case.archs {
            let name = format!("{} on {arch}", case.kernel);
            all.push((name, Rc::clone(&case), launch(&case, arch, |text| text)));
        }
    }
    all
}

fn check(program: &Program, words: &[&str]) -> Findings {
    let checked = Checked::of(words).expect("known checks");
    let (result, report) = checked.run(program, RunOrder::of(program));
    assert_eq!(result.fault, None);
    Findings::of(program, report, MAX_FINDINGS, &[], None)
}

fn kinds(found: &Findings) -> BTreeSet<(&str, &str)> {
    let found = found.found.iter();
    found
        .map(|finding| (finding.kind, finding.severity))
        .collect()
}

#[test]
fn clean_launches_have_no_findings() {
    for (name, _, program) in launches() {
        let found = check(&program, &["races", "uninit", "memory", "barriers"]);
        assert!(found.found.is_empty(), "{name}: {found:#?}");
        assert!(found.limits.is_empty(), "{name}");
    }
}

/// Values that nothing has written are found where they matter, and only there.
#[test]
fn undefined_values_are_found_where_they_matter() {
    let store = "STG.E [R2.64], R9 ;\n";
    for (code, is_found) in [
        ("", true),
        ("MOV R9, R0 ;\n", false),
        ("MOV R8, R9 ;\nMOV R9, R8 ;\n", true),
        ("IADD3 R9, R9, 0x1, RZ ;\n", true),
        ("LOP3.LUT R9, R9, RZ, RZ, 0xc0, !PT ;\n", false),
        ("LOP3.LUT R9, R9, R9, RZ, 0x3c, !PT ;\n", false),
        ("LOP3.LUT R9, R9, 0xff, RZ, 0xc0, !PT ;\n", true),
        ("IMAD R9, R9, RZ, R0 ;\n", false),
        ("SEL R9, R0, R9, PT ;\n", false),
        ("SEL R9, R0, R9, P0 ;\n", false),
        ("SEL R9, R0, R9, P1 ;\n", true),
        ("SEL R9, R0, RZ, P1 ;\n", true),
        ("LDS R9, [R5] ;\n", true),
        ("STS [R5], R0 ;\nLDS R9, [R5] ;\n", false),
        ("STS [R5], R9 ;\nMOV R9, R0 ;\n", false),
        ("STL [R1], R9 ;\nSTL [R1], R0 ;\nLDL R9, [R1] ;\n", false),
        ("LDL R9, [R1] ;\n", true),
        ("@!P0 MOV R9, R0 ;\n", true),
        ("@P0 MOV R9, R0 ;\n", false),
        ("SHFL.IDX PT, R9, R9, RZ, 0x1f ;\n", true),
        ("SHFL.IDX PT, R9, R0, RZ, 0x1f ;\n", false),
        ("P2R R9, PR, RZ, 0x1 ;\n", false),
        ("P2R R9, PR, RZ, 0x2 ;\n", true),
        ("MOV R9, R0 ;\n@P1 EXIT ;\n", true),
        (
            "ISETP.NE.AND P1, PT, R9, 0x12345, PT ;\nMOV R9, R0 ;\n@P1 EXIT ;\n",
            true,
        ),
        ("ISETP.NE.AND P1, PT, R0, R9, PT ;\nMOV R9, R0 ;\n", false),
        (
            "ISETP.EQ.AND P2, PT, R0, RZ, PT ;\nMOV R9, R0 ;\nMOV R12, R0 ;\nMOV R13, R0 ;\n\
             MOV R14, R0 ;\nIADD3 R15, R15, 0x1, RZ ;\n@P2 STG.E.128 [R2.64], R12 ;\n\
             @P2 STG.E [R2.64+0xc], R0 ;\nEXIT ;\n",
            false,
        ),
        ("LDS R8, [R9] ;\nMOV R9, R0 ;\n", true),
        ("MOV R9, R0 ;\nBRX R10 0x0 ;\n", true),
        ("MOV R9, R0 ;\nBAR.SYNC R10 ;\n", true),
        ("MOV R9, R0 ;\n@!P0 BAR.SYNC R10 ;\n", false),
        ("ATOMS.ADD RZ, [R5], R9 ;\nMOV R9, R0 ;\n", true),
    ] {
        let text = format!(
            ".target sass SM80\n.launch grid=1 block=32\n.slm 1024\n.buffer o : ud[32]\n\
             .param 0x160 = &o\nS2R R0, SR_TID.X ;\nMOV R1, RZ ;\nMOV R4, 0x4 ;\n\
             IMAD.WIDE R2, R0, R4, c[0x0][0x160] ;\nIMAD.SHL.U32 R5, R0, 0x4, RZ ;\n\
             ISETP.GE.AND P0, PT, R0, RZ, PT ;\n{code}{store}EXIT ;\n"
        );
        let program = runnable(&text);
        let found = check(&program, &["uninit"]);
        let expected = BTreeSet::from_iter(is_found.then_some(("uninitialized", "error")));
        assert_eq!(kinds(&found), expected, "{code}: {found:#?}");
        let space = found.found.first().map(|finding| finding.space);
        let expected = match code {
            _ if !is_found => None,
            _ if code.starts_with("LDS R9") => Some("local"),
            _ => Some("private"),
        };
        assert_eq!(space, expected, "{code}");
    }
}

/// A barrier is divergent if threads of its block wait at another one, or, where barriers
/// count warps, if threads of the warp do not wait.
#[test]
fn divergent_barriers_are_found() {
    let start = "S2R R0, SR_TID.X ;\nISETP.GT.AND P0, PT, R0, R2, PT ;\n";
    let split = "MOV R2, 0xf ;\n";
    let warps = "MOV R2, 0x1f ;\n";
    let divergent = BTreeSet::from([("barrier-divergence", "error")]);
    let elsewhere = "@P0 BAR.SYNC 0x0 ;\n@!P0 BAR.SYNC 0x0 ;\nEXIT ;\n";
    let some = "@P0 BAR.SYNC 0x1, 0x40 ;\n@!P0 BAR.SYNC 0x1, 0x40 ;\nEXIT ;\n";
    let ended = "@P0 EXIT ;\nBAR.SYNC 0x0 ;\nEXIT ;\n";
    let leaves = "@P0 BRA `(.L_1) ;\nBAR.SYNC 0x0 ;\nEXIT ;\n.L_1:\nNOP ;\nEXIT ;\n";
    let together = "BAR.SYNC 0x0 ;\nEXIT ;\n";
    for (chip, limit, code, expected) in [
        ("SM80", warps, elsewhere, &divergent),
        ("SM80", split, elsewhere, &divergent),
        ("SM50", split, elsewhere, &divergent),
        ("SM80", warps, some, &BTreeSet::new()),
        ("SM80", split, ended, &BTreeSet::new()),
        ("SM50", split, leaves, &divergent),
        ("SM80", split, leaves, &BTreeSet::new()),
        ("SM50", split, ended, &BTreeSet::new()),
        ("SM80", split, together, &BTreeSet::new()),
    ] {
        let text = format!(".target sass {chip}\n.launch grid=1 block=64\n{limit}{start}{code}");
        let program = runnable(&text);
        let found = check(&program, &["barriers"]);
        assert_eq!(&kinds(&found), expected, "{text}: {found:#?}");
        for finding in &found.found {
            let items: BTreeSet<_> = finding.accesses.iter().map(|access| access.item).collect();
            assert_eq!(items.len(), finding.accesses.len(), "{finding:#?}");
        }
    }
}

#[test]
fn results_that_are_not_numbers_are_found() {
    let text = ".target sass SM80\n.launch grid=1 block=32\nMOV R1, 0x7f800000 ;\n\
        FADD R2, R1, 1 ;\nMUFU.RCP R3, RZ ;\nFADD R4, R1, -R1 ;\nFADD R5, R4, 1 ;\nEXIT ;\n";
    let program = runnable(text);
    let found = check(&program, &["float"]);
    let wanted = [("infinity", "note"), ("nan", "note")];
    assert_eq!(kinds(&found), BTreeSet::from(wanted), "{found:#?}");
    assert_eq!(found.found.len(), 2, "where they arise only");
    assert!(found.limits.is_empty());
}

#[test]
fn missing_barriers_are_races() {
    let cases: Vec<LaunchCase> = vectors::read("sass-kernels/launches.jsonl");
    for name in ["scan_local", "bitonic", "loop_barriers"] {
        let case = cases.iter().find(|case| case.kernel == name);
        let case = case.expect("a case");
        for arch in &case.archs {
            let program = launch(case, arch, |text| {
                let text = text.replace("BAR.SYNC.DEFER_BLOCKING 0x0", "NOP");
                text.replace("BAR.SYNC 0x0", "NOP")
            });
            let found = check(&program, &["races"]);
            let race = ("race-local", "error");
            assert!(
                kinds(&found).contains(&race),
                "{name} on {arch}: {found:#?}"
            );
            for finding in &found.found {
                let [later, earlier] = finding.accesses.as_slice() else {
                    panic!("{finding:#?}");
                };
                assert_ne!(later.thread, earlier.thread, "{finding:#?}");
            }
        }
    }
}

#[test]
fn defects_of_global_memory_are_found() {
    let cases: Vec<LaunchCase> = vectors::read("sass-kernels/launches.jsonl");
    let add = cases.iter().find(|case| case.kernel == "vector_add");
    let add = add.expect("a case");
    let edits = [
        (
            "S2R R5, SR_CTAID.X",
            "MOV R5, RZ",
            ("race-global", "warning"),
        ),
        (
            "STG.E [R6.64]",
            "STG.E [R6.64+0x2]",
            ("misaligned", "error"),
        ),
        (
            "STG.E [R6.64]",
            "STG.E [R6.64+0x100]",
            ("out-of-bounds", "error"),
        ),
    ];
    for (from, to, expected) in edits {
        let program = launch(add, "sm_80", |text| {
            assert!(text.contains(from), "{from}");
            text.replace(from, to)
        });
        let found = check(&program, &["races", "memory"]);
        assert!(kinds(&found).contains(&expected), "{to}: {found:#?}");
    }
}

#[test]
fn loads_that_compare_and_swap_verifies_are_no_races() {
    let cases: Vec<LaunchCase> = vectors::read("sass-kernels/launches.jsonl");
    let add = cases.iter().find(|case| case.kernel == "vector_add");
    let add = add.expect("a case");
    let race = BTreeSet::from([("race-global", "error")]);
    for (load, atomic, expected) in [
        (
            "LDG.E",
            "ATOMG.E.CAS.STRONG.GPU PT, R9, [R6], R9, R9",
            BTreeSet::new(),
        ),
        (
            "LDG.E",
            "ATOMG.E.EXCH.STRONG.GPU PT, R9, [R6], R9",
            race.clone(),
        ),
        (
            "LDG.E.STRONG.GPU",
            "ATOMG.E.EXCH.STRONG.GPU PT, R9, [R6], R9",
            BTreeSet::new(),
        ),
        (
            "LDG.E.STRONG.GPU",
            "STG.E.STRONG.GPU [R6.64], R9",
            BTreeSet::new(),
        ),
        ("LDG.E.STRONG.GPU", "STG.E [R6.64], R9", race),
    ] {
        // Both blocks have the elements of the first.
        let program = launch(add, "sm_80", |text| {
            text.replace("S2R R5, SR_CTAID.X", "MOV R5, RZ")
                .replace(
                    "IMAD.IADD R9, R2, 0x1, R5 ",
                    &format!("{load} R9, [R6.64] "),
                )
                .replace("STG.E [R6.64], R9", atomic)
        });
        let found = check(&program, &["races"]);
        let mut kinds = kinds(&found);
        kinds.retain(|(_, severity)| *severity == "error");
        assert_eq!(kinds, expected, "{load}, {atomic}: {found:#?}");
    }
}

/// The contents of the buffers, by argument.
fn contents(case: &LaunchCase, program: &Program, machine: &Machine) -> BTreeMap<usize, Vec<u8>> {
    let arguments = case.args.iter().enumerate();
    let arguments = arguments.filter(|(_, one)| matches!(one, CaseArgument::Buffer { .. }));
    let launch = program.launch.as_ref().expect("a launch");
    let buffers = arguments.zip(&launch.buffers);
    let contents = buffers.map(|((index, _), buffer)| (index, buffer_bytes(buffer, machine)));
    contents.collect()
}

/// The words of a buffer in ascending order.
fn sorted(bytes: &[u8]) -> Vec<&[u8]> {
    let mut words: Vec<&[u8]> = bytes.chunks(4).collect();
    words.sort_unstable();
    words
}

/// The launches of cubins whose words are decoded, without their listings.
fn launches_of_cubins() -> Vec<(String, Rc<LaunchCase>, Program)> {
    let cases: Vec<LaunchCase> = vectors::read("sass-kernels/launches.jsonl");
    let cases = cases.into_iter().map(Rc::new);
    let old = cases.filter_map(|case| {
        let mut archs = case.archs.iter();
        let arch = archs.find(|arch| ["sm_50", "sm_61"].contains(&arch.as_str()));
        arch.cloned().map(|arch| (case, arch))
    });
    let launches = old.map(|(case, arch)| {
        let name = format!("{} of the cubin", case.kernel);
        let file = format!("vectors/sass-kernels/{}.{arch}.cubin", case.stem);
        let cubin = fs::read(Path::new(env!("CARGO_MANIFEST_DIR")).join(file));
        let program = WarpProgram::of_cubin(&cubin.expect("a cubin")).expect("it opens");
        let launch = launched(&program, &case);
        (name, case, launch)
    });
    launches.collect()
}

#[test]
fn launches_leave_the_recorded_buffers() {
    let (mut count, mut wrong) = (0, Vec::new());
    let listings = launches().into_iter();
    for (name, case, program) in listings.chain(launches_of_cubins()) {
        let result = run_launch(&program);
        assert_eq!(result.fault, None, "{name}");
        let found = contents(&case, &program, &result.machine);
        for expected in &case.expected {
            let (found, bytes) = (&found[&expected.arg], unhex(&expected.bytes));
            let is_right = match expected.compare.as_str() {
                "exact" => *found == bytes,
                "sorted" => sorted(found) == sorted(&bytes),
                other => panic!("{name}: {other}"),
            };
            if !is_right {
                wrong.push(format!("{name}: argument {}", expected.arg));
            }
        }
        count += 1;
    }
    assert_eq!((count, wrong), (392, Vec::new()));
}

/// The case of a kernel.
fn case_of(kernel: &str) -> LaunchCase {
    let cases: Vec<LaunchCase> = vectors::read("sass-kernels/launches.jsonl");
    let mut cases = cases.into_iter();
    cases.find(|case| case.kernel == kernel).expect("a case")
}

#[test]
fn fences_and_barriers_order_the_last_block() {
    let case = case_of("last_block");
    for arch in &case.archs {
        let found = check(&launch(&case, arch, |text| text), &["races"]);
        assert_eq!(kinds(&found), BTreeSet::new(), "{arch}: {found:#?}");
        let without = |text: String| text.replace("MEMBAR.", "NOP //");
        let found = check(&launch(&case, arch, without), &["races"]);
        let race = ("race-global", "error");
        assert!(kinds(&found).contains(&race), "{arch}: {found:#?}");
    }
}

/// A copy to shared memory is complete only behind the wait for its group.
#[test]
fn copies_that_nothing_waits_for_are_races() {
    let race = BTreeSet::from([("race-local", "error")]);
    for (kernel, from, to) in [
        ("sizes", "DEPBAR.LE SB0, 0x0", "NOP"),
        ("sizes", "LDGDEPBAR", "NOP"),
        // A wait that no lane executes, and one for another scoreboard.
        ("sizes", "DEPBAR.LE SB0, 0x0", "@!PT DEPBAR.LE SB0, 0x0"),
        ("sizes", "DEPBAR.LE SB0, 0x0", "DEPBAR.LE SB3, 0x0"),
        ("sizes", "LDGDEPBAR", "@!PT LDGDEPBAR"),
        ("filled", "DEPBAR.LE SB0, 0x0", "NOP"),
        ("product", "DEPBAR.LE SB0, 0x1", "DEPBAR.LE SB0, 0x2"),
    ] {
        let case = case_of(kernel);
        for arch in &case.archs {
            let program = launch(&case, arch, |text| {
                assert!(text.contains(from), "{from}");
                text.replace(from, to)
            });
            let found = check(&program, &["races"]);
            assert_eq!(kinds(&found), race, "{kernel} on {arch}: {found:#?}");
        }
    }
}

/// Arrivals and waits order what threads do before and behind them.
#[test]
fn phases_that_nothing_waits_for_are_races() {
    let race = ("race-local", "error");
    for kernel in ["turns", "stages", "copied", "tiles", "ring"] {
        let case = case_of(kernel);
        for arch in case.archs.iter().filter(|arch| *arch != "sm_80") {
            let program = launch(&case, arch, |text| {
                let waits = text.lines().map(|line| {
                    let passes = line.contains("SYNCS.PHASECHK");
                    let line =
                        line.replace("SYNCS.PHASECHK.TRANS64.TRYWAIT P", "ISETP.EQ.U32.AND P");
                    let line = line.replace("SYNCS.PHASECHK.TRANS64 P", "ISETP.EQ.U32.AND P");
                    match (passes, line.split_once('[')) {
                        (true, Some((before, _))) => format!("{before}PT, RZ, RZ, PT ;"),
                        _ => line,
                    }
                });
                waits.collect::<Vec<_>>().join("\n")
            });
            let found = check(&program, &["races"]);
            assert!(
                kinds(&found).contains(&race),
                "{kernel} on {arch}: {found:#?}"
            );
        }
    }
}

/// The source of a bulk copy in shared memory must not change until the copy is complete.
#[test]
fn tiles_that_are_overwritten_while_they_are_copied_are_races() {
    let case = case_of("tiles");
    for arch in &case.archs {
        for (from, to) in [
            ("DEPBAR.LE SB0, 0x1", "DEPBAR.LE SB0, 0x2"),
            ("UTMACMDFLUSH", "NOP"),
        ] {
            let program = launch(&case, arch, |text| {
                assert!(text.contains(from), "{from}");
                text.replace(from, to)
            });
            let found = check(&program, &["races"]);
            let race = BTreeSet::from([("race-local", "error")]);
            assert_eq!(kinds(&found), race, "{arch}: {found:#?}");
        }
    }
}

/// Both accesses of a copy are checked.
#[test]
fn defects_of_copies_are_found() {
    let case = case_of("sizes");
    for (from, to, expected) in [
        (
            "LDGSTS.E [R5]",
            "LDGSTS.E [R5+0x2]",
            ("misaligned", "error"),
        ),
        (
            "LDGSTS.E [R5]",
            "LDGSTS.E [R5+0x100000]",
            ("out-of-bounds", "error"),
        ),
        (
            "[R5], desc[UR10][R2.64]",
            "[R5], desc[UR10][R2.64+0x1000]",
            ("out-of-bounds", "error"),
        ),
    ] {
        let program = launch(&case, "sm_90", |text| {
            assert!(text.contains(from), "{from}");
            text.replace(from, to)
        });
        let found = check(&program, &["memory"]);
        assert_eq!(
            kinds(&found),
            BTreeSet::from([expected]),
            "{to}: {found:#?}"
        );
    }
    // What is copied is as undefined as before.
    let code = "LDGSTS.E.64 [R5], [R2.64] ;\nLDGDEPBAR ;\nDEPBAR.LE SB0, 0x0 ;\nLDS R9, [R5] ;\n";
    for (state, is_found) in [("undef", true), ("1", false)] {
        let text = format!(
            ".target sass SM80\n.launch grid=1 block=1\n.slm 1024\n.buffer o : ud[1]\n\
             .buffer x : ud[2] = {state}\n.param 0x160 = &o\n.param 0x168 = &x\nMOV R5, RZ ;\n\
             MOV R2, c[0x0][0x168] ;\nMOV R3, c[0x0][0x16c] ;\n{code}MOV R2, c[0x0][0x160] ;\n\
             MOV R3, c[0x0][0x164] ;\nSTG.E [R2.64], R9 ;\nEXIT ;\n"
        );
        let found = check(&runnable(&text), &["uninit"]);
        let expected = BTreeSet::from_iter(is_found.then_some(("uninitialized", "error")));
        assert_eq!(kinds(&found), expected, "{state}: {found:#?}");
    }
}

/// cuobjdump prints no labels, and 0 for what a linker fills in; the cubin has both.
#[test]
fn the_cubin_has_the_functions_of_a_listing_of_cuobjdump() {
    for (kernel, arch) in [
        ("pointers", "sm_61"),
        ("methods", "sm_61"),
        ("debugged", "sm_61"),
        ("debugged", "sm_90"),
    ] {
        let case = case_of(kernel);
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("vectors/sass-kernels");
        let file = |end: &str| folder.join(format!("{}.{arch}.{end}", case.stem));
        let text = fs::read_to_string(file("cuobjdump")).expect("a listing");
        let cubin = fs::read(file("cubin")).expect("a cubin");
        let program = WarpProgram::of_listing(&text, Some(&cubin)).expect("it opens");
        let program = launched(&program, &case);
        let result = run_launch(&program);
        assert_eq!(result.fault, None, "{kernel} on {arch}");
        let found = contents(&case, &program, &result.machine);
        assert_eq!(
            found[&0],
            unhex(&case.expected[0].bytes),
            "{kernel} on {arch}"
        );
    }
}

/// A call of code that is not there stops the run that reaches it.
#[test]
fn a_missing_function_stops_the_run() {
    let case = case_of("debugged");
    let program = launch(&case, "sm_80", |text| {
        text.replace("`(_Z5twicej)", "`(vprintf)")
    });
    let fault = run_launch(&program).fault.expect("a fault");
    assert_eq!(fault.kind, FaultKind::NotModelled);
    // The address of `vprintf` is in a constant bank. The recorded launch does not call it.
    let case = case_of("guarded");
    for arch in &case.archs {
        let program = launch(&case, arch, |text| text.replace("0x65, PT", "0x0, PT"));
        let fault = run_launch(&program).fault.expect("a fault");
        let message = &fault.message;
        assert_eq!(fault.kind, FaultKind::NotModelled, "{arch}: {message}");
        assert!(message.contains("vprintf"), "{arch}: {message}");
    }
}

/// A constant that a linker has yet to fill in stops the run which reads it, and no other.
#[test]
fn an_unknown_constant_stops_the_run() {
    let case = case_of("guarded");
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("vectors/sass-kernels");
    let read = |extension| fs::read(folder.join(format!("external.sm_80.{extension}")));
    let listing = String::from_utf8(read("sass").expect("a listing")).expect("text");
    let cubin = read("cubin").expect("a cubin");
    let program = WarpProgram::of_listing(&listing, Some(&cubin)).expect("it opens");
    let kernel = program.kernel("guarded").expect("the kernel");
    let note = program.missing_functions(kernel).expect("a note");
    assert!(note.contains("`vprintf`"), "{note}");
    let others = listing.replace("c[0x4][", "c[0x3][");
    let others = WarpProgram::of_listing(&others, Some(&cubin)).expect("it opens");
    let kernel = others.kernel("guarded").expect("the kernel");
    assert_eq!(
        others.missing_functions(kernel),
        None,
        "its code does not read the address"
    );
    // Relocations of `vprintf` and `$str` in the constant bank: their symbol above their type.
    for (symbol, name) in [(10_u64, "vprintf"), (4, "$str")] {
        let known = (symbol << 32 | 2).to_le_bytes();
        let mut places = (0..cubin.len()).filter(|at| cubin[*at..].starts_with(&known));
        let at = places.next().expect("the relocation");
        let mut changed = cubin.clone();
        changed[at] = 0x47;
        let fault = |text: &str| {
            let program = WarpProgram::of_listing(text, Some(&changed)).expect("it opens");
            run_launch(&launched(&program, &case)).fault
        };
        assert_eq!(fault(&listing), None, "it is not read");
        let found = fault(&listing.replace("0x65, PT", "0x0, PT")).expect("a fault");
        let wanted = format!("relocation 0x47 of {name}: ");
        assert_eq!(found.kind, FaultKind::NotModelled);
        assert!(found.message.contains(&wanted), "{}", found.message);
    }
}

#[test]
fn a_return_may_have_the_address_of_its_function() {
    let case = case_of("local_array");
    // As cuobjdump prints it.
    let edit = |text: String| {
        let edited = text.replace("RET.REL.NODEC R4 `(local_array)", "RET.REL.NODEC R4 0x0");
        assert_ne!(edited, text);
        edited
    };
    let program = launch(&case, "sm_80", edit);
    let result = run_launch(&program);
    assert_eq!(result.fault, None);
    let found = contents(&case, &program, &result.machine);
    assert_eq!(found[&0], unhex(&case.expected[0].bytes));
}

/// The dwords that code of SM80 leaves at `R2`, by lane; `R0` has the number of the lane.
fn stored(code: &str) -> Vec<u32> {
    stored_on("SM80", code)
}

fn stored_on(chip: &str, code: &str) -> Vec<u32> {
    let text = format!(
        ".target sass {chip}\n.launch grid=1 block=32\n.slm 256\n.buffer o : ud[32]\n.param 0x160 = &o\n\
         S2R R0, SR_LANEID ;\nIMAD.WIDE.U32 R2, R0, 0x4, c[0x0][0x160] ;\n{code}\n\
         STG.E [R2.64], R4 ;\nEXIT ;"
    );
    let program = runnable(&text);
    let result = run_launch(&program);
    assert_eq!(result.fault, None, "{code}");
    let launch = program.launch.as_ref().expect("a launch");
    let start = launch.buffers[0].address;
    let words = (0..32).map(|lane| result.machine.load(SpaceId::VIRTUAL, start + 4 * lane, 4));
    let words = words.map(|word| u32::try_from(word.expect("it is mapped")).expect("32 bits"));
    words.collect()
}

#[test]
fn instructions_of_the_warp_write_what_their_rows_say() {
    let all = |value: u32| vec![value; 32];
    let by_lane = |value: fn(u32) -> u32| (0..32).map(value).collect::<Vec<_>>();
    // A saved convergence barrier is restored.
    let saved = "BSSY B10, `(there) ;\nBMOV.32.CLEAR R4, B10 ;\nBMOV.32 B10, R4 ;\n\
                 BSYNC B10 ;\nthere:";
    assert_eq!(stored(saved), all(u32::MAX));
    // Lanes from 16 on leave the barrier and do not meet the others.
    let left = "ISETP.GT.U32.AND P0, PT, R0, 0xf, PT ;\nBSSY B1, `(there) ;\nMOV R4, 0x1 ;\n\
                BREAK P0, B1 ;\n@P0 BRA `(end) ;\nBSYNC B1 ;\nthere:\nMOV R4, 0x2 ;\nend:";
    assert_eq!(stored(left), by_lane(|lane| if lane > 15 { 1 } else { 2 }));
    // They leave it without a BREAK, and wait for the others behind it.
    let passed = "ISETP.GT.U32.AND P0, PT, R0, 0xf, PT ;\nBSSY B1, `(there) ;\nMOV R4, 0x1 ;\n\
                  @P0 BRA `(behind) ;\nMOV R4, 0x2 ;\nBSYNC B1 ;\nthere:\nbehind:\nWARPSYNC.ALL ;";
    assert_eq!(
        stored(passed),
        by_lane(|lane| if lane > 15 { 1 } else { 2 })
    );
    // The memory of a generic address.
    let space = |word: &str, high: &str| {
        stored(&format!(
            "MOV R6, 0x10 ;\nMOV R7, {high} ;\nQSPC.E.{word} P0, RZ, [R6] ;\nSEL R4, R0, RZ, P0 ;"
        ))
    };
    let shared = "c[0x0][0x1c]";
    assert_eq!(space("S", shared), by_lane(|lane| lane));
    assert_eq!(space("L", shared), all(0));
    assert_eq!(space("G", "0x1"), by_lane(|lane| lane));
    assert_eq!(space("S", "0x1"), all(0));
    // MUFU takes subnormal numbers as zeros.
    assert_eq!(
        stored("MOV R5, 0x807fffff ;\nMUFU.RCP R4, R5 ;"),
        all(0xff80_0000)
    );
    // The upper word of a double.
    assert_eq!(stored("MUFU.RCP64H R4, 2 ;"), all(0x3fe0_0000));
    // The upper word of a 64-bit immediate.
    assert_eq!(stored("I2F.U64 R4, 0x1 ;"), all(0x4f80_0000));
    // Minima of three numbers, and of sums in two halves.
    let three = "MOV R5, 0x10 ;\nMOV R6, 0xc ;\nVIMNMX3 R4, R0, R5, R6, PT ;";
    assert_eq!(stored_on("SM90", three), by_lane(|lane| lane.min(12)));
    let sums = "MOV R5, 0xfff0fff0 ;\nMOV R6, 0xfffdfffd ;\n\
                VIADDMNMX.S16x2.RELU R4, R0, R5, R6, !PT ;";
    assert_eq!(
        stored_on("SM90", sums),
        by_lane(|lane| lane.saturating_sub(16))
    );
    // A lane with a shorter loop above and below that of others has its turn.
    let turns = "MOV R4, RZ ;\nISETP.EQ.U32.AND P0, PT, R0, RZ, PT ;\nISETP.EQ.U32.AND P1, PT, R0, 0x1, PT ;\n\
                 @P0 BRA `(one) ;\n@P1 BRA `(two) ;\nBRA `(end) ;\nlow:\nLDS R5, [RZ] ;\n\
                 ISETP.NE.AND P2, PT, R5, RZ, PT ;\nBRA `(one) ;\ntwo:\nMOV R6, 0x1 ;\nSTS [RZ], R6 ;\n\
                 BRA `(end) ;\none:\n@!P2 BRA `(low) ;\nend:";
    assert_eq!(stored(turns), all(0));
    // Groups of lanes do not join within a sequence, between which others run.
    let apart = "MOV R4, RZ ;\nMOV R8, RZ ;\nLOP3.LUT R7, R0, 0x1, RZ, 0xc0, !PT ;\n\
                 ISETP.NE.U32.AND P0, PT, R7, RZ, PT ;\nagain:\n@P0 BRA `(odd) ;\nNOP ;\nBRA `(both) ;\n\
                 odd:\nNOP ;\nNOP ;\nboth:\nVOTE.ANY R5, PT, PT ;\nNOP ;\nNOP ;\nNOP ;\n\
                 VOTE.ANY R6, PT, PT ;\nISETP.NE.U32.AND P1, PT, R5, R6, PT ;\n\
                 @P1 IADD3 R4, R4, 0x1, RZ ;\nIADD3 R8, R8, 0x1, RZ ;\n\
                 ISETP.LT.U32.AND P2, PT, R8, 0x28, PT ;\n@P2 BRA `(again) ;";
    assert_eq!(stored(apart), all(0));
    // bfloat16: subnormal numbers of its format, and a converted float.
    let flushed = "MOV R5, 0x00400200 ;\nHADD2.FTZ.BF16_V2 R4, -RZ, R5 ;";
    assert_eq!(stored(flushed), all(0x200));
    let converted = "MOV R5, 0x3f800000 ;\nHADD2.BF16_V2 R4, -RZ.H0_H0, R5.F32 ;";
    assert_eq!(stored(converted), all(0x3f80_3f80));
    // A lane that does not execute does not read a constant bank.
    assert_eq!(stored("MOV R4, 0x3 ;\n@!PT MOV R4, c[0x2][0x0] ;"), all(3));
    // The clock goes on in a loop.
    let waits = "CS2R R8, SR_CLOCKLO ;\nagain:\nCS2R R6, SR_CLOCKLO ;\nIADD3 R4, R6, -R8, RZ ;\n\
                 ISETP.LT.U32.AND P0, PT, R4, 0x10, PT ;\n@P0 BRA `(again) ;\nMOV R4, 0x5 ;";
    assert_eq!(stored(waits), all(5));
    // Properties of the launch and of the chip.
    let shared = "S2R R5, SR_SMEMSZ ;\nS2R R6, SR_VIRTID ;\nIADD3 R4, R5, R6, c[0x0][0x2c] ;";
    assert_eq!(stored(shared), all(256));
    // A trap that only waits, and one in no lane.
    assert_eq!(
        stored("MOV R4, 0x3 ;\nBPT.DRAIN 0x0 ;\n@!PT BPT.TRAP 0x1 ;"),
        all(3)
    );
    // A generic atomic whose predicate tells that the address is not in global memory has no effect.
    let generic = |high: &str, low: &str| {
        stored(&format!(
            "MOV R6, {low} ;\nMOV R7, {high} ;\nMOV R5, 0x3c003c00 ;\nSTS [RZ], R5 ;\n\
             ATOM.E.ADD.F16x2.RN.STRONG.GPU P1, RZ, [R6.64], R5 ;\nSEL R4, R0, RZ, P1 ;\n\
             LDS R8, [RZ] ;\nIADD3 R4, R4, R8, -R5 ;"
        ))
    };
    assert_eq!(generic("c[0x0][0x1c]", "RZ"), all(0));
    assert_eq!(
        generic("c[0x0][0x164]", "c[0x0][0x160]"),
        by_lane(|lane| lane)
    );
    // A negated short is exact.
    let short = "MOV R5, 0xf28c8000 ;\nI2F.S16 R4, -|R5| ;";
    assert_eq!(stored(short), all(0xc700_0000));
}

#[test]
fn a_constant_bank_that_is_not_known_stops_the_run() {
    let text = ".target sass SM80\n.launch grid=1 block=32\nMOV R0, c[0x2][0x8] ;\nEXIT ;";
    let fault = run_launch(&runnable(text)).fault.expect("a fault");
    assert_eq!(fault.kind, FaultKind::NotModelled);
    let text = text.replace("\nMOV", "\n.constant 2 : ud[4] = 1\nMOV");
    assert_eq!(run_launch(&runnable(&text)).fault, None);
}

#[test]
fn wide_numbers_are_compared_with_zero_word_by_word() {
    let text = ".target sass SM50\n.launch grid=1 block=32\n.buffer o : ud[32]\n.param 0x140 = &o\n\
                S2R R0, SR_LANEID ;\nSHL R2, R0, 0x2 ;\nIADD R2, R2, c[0x0][0x140] ;\nMOV R3, RZ ;\n\
                LOP32I.AND RZ.CC, R0, 0x10 ;\nLOP.AND.X.NZ P0, RZ, R0, 0x1 ;\nLOP.AND.X.Z P1, RZ, R0, 0x1 ;\n\
                SEL R4, R0, RZ, P0 ;\n@P1 IADD32I R4, R4, 0x100 ;\nSTG.E [R2], R4 ;\nEXIT ;";
    let program = runnable(text);
    let result = run_launch(&program);
    assert_eq!(result.fault, None);
    let start = program.launch.as_ref().expect("a launch").buffers[0].address;
    for lane in 0..32 {
        let found = result.machine.load(SpaceId::VIRTUAL, start + 4 * lane, 4);
        // The lower word is zero in lanes below 16, the upper one in even lanes.
        let expected = if lane < 16 && lane % 2 == 0 {
            0x100
        } else {
            lane
        };
        assert_eq!(found, Some(expected), "lane {lane}");
    }
}

#[test]
fn the_encoding_tells_the_bits_of_a_nan() {
    let case = case_of("doubles");
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("vectors/sass-kernels/edges.sm_80.sass");
    let text = fs::read_to_string(file).expect("a listing");
    let name = "-QNAN , !P";
    let count = |program: &WarpProgram| {
        let kernel = program.kernels.iter().find(|k| k.name == "doubles");
        let launch = WarpLaunch {
            grid: [1; 3],
            block: [32, 1, 1],
            arguments: case.args.iter().map(CaseArgument::value).collect(),
            ..WarpLaunch::default()
        };
        let program = program.launch(kernel.expect("the kernel"), &launch);
        let program = program.expect("it launches");
        let all = program.diagnostics.iter();
        let warnings = all.filter(|diagnostic| diagnostic.rule.code == "W0744");
        let has_bits = program.instructions.iter().any(|placed| {
            let text = placed.instruction.text(&program.symbols, Style::Document);
            text.contains("FSEL R3, R3, 0xfff00000")
        });
        (warnings.count(), has_bits)
    };
    // Without the cubin, both are assumed; an encoding beside the instruction tells one.
    let read = |text: &str| WarpProgram::of_listing(text, None).expect("it opens");
    assert_eq!(count(&read(&text)), (2, false));
    let (at, _) = text.match_indices(name).next().expect("a NaN");
    let end = at + text[at..].find(';').expect("the end") + 1;
    let with_word = format!("{} /* 0xfff0000005077808 */{}", &text[..end], &text[end..]);
    assert_eq!(count(&read(&with_word)), (1, true));
    // Other bits are those of another instruction.
    let other = with_word.replace("0xfff0000005077808", "0x0000000005077808");
    assert_eq!(count(&read(&other)), (2, false));
}

/// The programs of the work-groups of a launch; each starts with the memory that the earlier
/// ones leave. Returns the last state, too.
fn groups(program: &Program, mut visit: impl FnMut(&Rc<Program>)) -> Machine {
    let count = program
        .launch
        .as_ref()
        .map_or(1, |launch| launch.group_count());
    let mut machine = program.start.clone();
    for group in 0..count {
        let mut program = program.clone();
        if let Some(launch) = &mut program.launch {
            launch.group = group;
            launch.enter_group(&program.symbols.visa, group, &mut machine);
        }
        program.start = machine;
        let program = Rc::new(program);
        visit(&program);
        let mut session = Session::new(program);
        while session.step() {}
        assert_eq!(session.fault(), None);
        machine = session.machine().clone();
    }
    machine
}

#[test]
fn steps_lead_to_the_buffers_of_the_run() {
    for (name, case, program) in launches() {
        let run = run_launch(&program);
        let stepped = groups(&program, |_| ());
        let found = contents(&case, &program, &stepped);
        assert_eq!(found, contents(&case, &program, &run.machine), "{name}");
    }
}

#[test]
fn steps_can_be_taken_back() {
    let mut steps = 0;
    for (name, _, program) in launches() {
        groups(&program, |program| {
            let mut session = Session::new(Rc::clone(program));
            let start = whole_snapshot(session.machine());
            let mut middle = Vec::new();
            while session.step() {
                if session.position() == 500 {
                    middle = whole_snapshot(session.machine());
                }
            }
            let end = whole_snapshot(session.machine());
            let length = session.position();
            steps += length;
            while session.step_back() {
                if session.position() == 500 && length > 500 {
                    assert_eq!(whole_snapshot(session.machine()), middle, "{name}");
                }
            }
            assert_eq!(session.position(), 0, "{name}");
            assert_eq!(whole_snapshot(session.machine()), start, "{name}");
            session.seek(length);
            assert_eq!(whole_snapshot(session.machine()), end, "{name}");
        });
    }
    assert!(steps > 10_000, "{steps} steps");
}

#[test]
fn seeking_equals_stepping() {
    for (name, _, program) in launches() {
        let program = Rc::new(program);
        let mut sought = Session::new(Rc::clone(&program));
        sought.run_to_end();
        let length = sought.position();
        let middle = length / 2;
        sought.seek(middle);
        let mut stepped = Session::new(Rc::clone(&program));
        for _ in 0..middle {
            assert!(stepped.step(), "{name}");
        }
        let expected = whole_snapshot(stepped.machine());
        assert_eq!(whole_snapshot(sought.machine()), expected, "{name}");
        assert_eq!(sought.summary(), stepped.summary(), "{name}");
        // From a state in between, before the middle is known.
        let mut later = Session::new(program);
        for _ in 0..middle / 2 {
            assert!(later.step(), "{name}");
        }
        later.run_to_end();
        assert_eq!(later.position(), length, "{name}");
        later.seek(middle);
        assert_eq!(whole_snapshot(later.machine()), expected, "{name}");
    }
}

/// Values of the predicates or registers of a result, by lane.
fn held(machine: &Machine, result: &LaneResult, lane: usize) -> u64 {
    let (space, place) = (result.space, result.places[lane]);
    if let Some(ty) = result.ty {
        return machine.load(space, place, ty.bytes()).expect("a register");
    }
    let name = result.names.iter().find(|name| !name.is_empty()).unwrap();
    let code = ["CC.C", "", "CC.Z", "CC.S", "CC.O"];
    let address = match code.iter().position(|code| code == name) {
        Some(part) => CONDITION_CODE[part],
        None => LanePredicate::named(name).unwrap().address().unwrap(),
    };
    machine.load(space, address, 4).expect("flags") >> lane & 1
}

/// What pictures show before a step is what the step does.
#[test]
fn computations_and_flows_agree_with_the_steps() {
    let (mut results, mut flows) = (0, 0);
    for (name, _, program) in launches() {
        let blocks = program.blocks();
        let mut next = 0;
        for block in &blocks {
            assert_eq!(block.start, next, "{name}");
            next = block.end;
        }
        let mut session = Session::new(Rc::new(program));
        while let Some(index) = session.next_issue() {
            let Some(issue) = session.issue(index) else {
                break;
            };
            let before = session.machine().clone();
            let computed = session.computation(index, &before);
            let flow = session.flow(index);
            let line = session.program().instruction(issue).line;
            if !session.step() {
                break;
            }
            for result in computed.iter().flat_map(|(_, computed)| &computed.results) {
                for lane in (0..32).filter(|lane| computed[0].1.enabled >> lane & 1 == 1) {
                    let place = format!("{name}, line {line}, lane {lane}");
                    assert_eq!(held(&before, result, lane), result.old[lane], "{place}");
                    let found = held(session.machine(), result, lane);
                    assert_eq!(found, result.new[lane], "{place}");
                    results += 1;
                }
            }
            for flow in flow {
                let control = Control::new(session.machine(), flow.thread);
                for channel in &flow.channels {
                    flows += 1;
                    assert_eq!(
                        channel.after,
                        control.channel(channel.channel),
                        "{name}, {line}"
                    );
                    let target = match channel.after {
                        ChannelState::Active { pc } | ChannelState::Waiting { pc, .. } => pc,
                        ChannelState::Ended => continue,
                    };
                    let is_start = blocks.iter().any(|block| block.start == target);
                    let kind = session.program().instruction(issue).instruction.clone();
                    let Instruction::Sass(sass) = kind else {
                        panic!("a kernel has rows of the table")
                    };
                    let goes = sass.flow_kind().is_some_and(WarpFlow::splits);
                    assert!(
                        !channel.is_taken || !goes || is_start,
                        "{name}, line {line}"
                    );
                }
            }
        }
        assert_eq!(session.fault(), None, "{name}");
    }
    assert!(results > 100_000 && flows > 10_000, "{results}, {flows}");
}

/// Operands are found in the lines of listings, and printed as they are written.
#[test]
fn operands_have_their_places_in_the_lines() {
    let mut count = 0;
    for (name, _, program) in launches() {
        for placed in &program.instructions {
            let Instruction::Sass(sass) = &placed.instruction else {
                panic!("a kernel has rows of the table")
            };
            let text = placed.instruction.text(&program.symbols, Style::Document);
            let ranges: Vec<_> = sass.operand_ranges(&text).collect();
            assert_eq!(ranges.len(), sass.parts().count(), "{name}: {text}");
            let mut seen = Vec::new();
            for (part, range) in ranges {
                // Of two names, the text of the part is the first.
                if seen.contains(&part) {
                    continue;
                }
                seen.push(part);
                let found = text[range].replace(".reuse", "");
                assert_eq!(found, sass.operand_text(part), "{name}: {text}");
                count += 1;
            }
        }
    }
    assert!(count > 1000, "{count}");
}

/// Kernels with a pointer to local memory, whose code reads the lower half, like a number; one
/// that takes the address of constants, which only the cubin has; two of `-G`, with offsets of
/// parameters in registers; and one that does not read a parameter.
const KNOWN_BY_CUBIN: [&str; 8] = [
    "bitonic",
    "debugged",
    "divided",
    "reduce_local",
    "scan_local",
    "sizes",
    "spaces",
    "transpose",
];

/// A proposal without the cubin has the parameters that the cubin gives, and runs.
#[test]
fn proposals_find_the_parameters_of_the_code() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("vectors/sass-kernels");
    let mut others = BTreeSet::new();
    let mut kernels = 0;
    for entry in fs::read_dir(&folder).expect("the folder") {
        let path = entry.expect("an entry").path();
        if path.extension().is_none_or(|extension| extension != "sass") {
            continue;
        }
        let text = fs::read_to_string(&path).expect("a listing");
        let cubin = fs::read(path.with_extension("cubin")).expect("the cubin");
        let known = WarpProgram::of_listing(&text, Some(&cubin)).expect("it opens");
        let shown = WarpProgram::of_listing(&text, None).expect("it opens");
        let (contents, file) = outline::read("a.sass", text.as_bytes(), None).expect("a listing");
        let (FileContents::Outline(outline), Some(file)) = (contents, file) else {
            panic!("{path:?} is not a list of functions");
        };
        for entry in &outline.entries {
            assert_eq!(entry.notes, Vec::<String>::new(), "{}", entry.name);
            let kernel = shown.kernel(&entry.name).expect("the kernel");
            let opened = file.open(entry.index).expect("it opens");
            assert_eq!(Ok(opened.text), shown.propose(kernel));
        }
        let (_, with_cubin) = outline::read("a.sass", text.as_bytes(), Some(&cubin)).expect("both");
        let with_cubin = with_cubin.expect("functions");
        for entry in &outline.entries {
            let kernel = known.kernel(&entry.name).expect("the kernel");
            let opened = with_cubin.open(entry.index).expect("it opens");
            assert_eq!(Ok(opened.text), known.propose(kernel));
        }
        for kernel in &known.kernels {
            let wanted = known.propose(kernel).expect("a proposal");
            let found = shown.propose(shown.kernel(&kernel.name).expect("the kernel"));
            let found = found.expect("a proposal");
            let _ = runnable(&found);
            assert!(lanewise_files::is_proposed(&found));
            let parameters = |text: &str| {
                let lines = text.lines().filter(|line| line.starts_with(".param"));
                lines.map(str::to_owned).collect::<Vec<_>>()
            };
            kernels += 1;
            if parameters(&wanted) != parameters(&found) {
                others.insert(kernel.name.clone());
            }
        }
    }
    assert!(kernels > 20, "{kernels}");
    let others: Vec<String> = others.into_iter().collect();
    assert_eq!(others, KNOWN_BY_CUBIN);
}

/// The floats among the parameters are those of the sources.
#[test]
fn proposals_have_the_types_of_the_floats_in_the_source() {
    const TYPES: [(&str, &str, &[&str]); 7] = [
        (
            "basics.sm_80",
            "saxpy_tail",
            &["float*", "float*", "float", ""],
        ),
        ("basics.sm_80", "vector_add", &["", "", ""]),
        ("flow.sm_50", "nested", &["", "", "", ""]),
        (
            "warp.sm_50",
            "warp_reduce",
            &["", "float*", "", "", "float*"],
        ),
        (
            "warp.sm_80",
            "warp_reduce",
            &["", "float*", "", "", "float*"],
        ),
        ("parts.sm_61", "truths", &["float*", "float*", "float*"]),
        ("parts.sm_90", "truths", &["float*", "float*", "float*"]),
    ];
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("vectors/sass-kernels");
    for (stem, name, wanted) in TYPES {
        let read = |extension| fs::read(folder.join(format!("{stem}.{extension}")));
        let (listing, cubin) = (
            read("sass").expect("a listing"),
            read("cubin").expect("a cubin"),
        );
        for beside in [None, Some(&*cubin)] {
            let program = WarpProgram::open(&listing, beside).expect("it opens");
            let kernel = program.kernel(name).expect("the kernel");
            let parameters = program.parameters(kernel);
            let types = parameters
                .iter()
                .map(|parameter| parameter.type_name().unwrap_or_default());
            assert_eq!(types.collect::<Vec<_>>(), wanted, "{stem}: {name}");
        }
    }
    let listing = fs::read(folder.join("basics.sm_80.sass")).expect("a listing");
    let program = WarpProgram::open(&listing, None).expect("it opens");
    let text = program.propose(program.kernel("saxpy_tail").expect("the kernel"));
    let text = text.expect("a proposal");
    for line in [
        ".buffer arg0 : f[128] = iota(0, 1)  // f inferred from FFMA  // proposed",
        ".param 0x170 = 1:f  // arg2  // f inferred from FFMA  // proposed",
        ".param 0x174 = 128:d  // arg3  // proposed",
    ] {
        assert!(text.contains(line), "{line}: {text}");
    }
}

/// A listing in the form of Compiler Explorer, without directives, and with source lines.
const TWO_KERNELS: &str = "\
// compiled for sm_80
first:
.text.first:
	//## File \"/src/a.cu\", line 2
        /*0000*/                   MOV R1, c[0x0][0x28] ;
	//## File \"/include/math.hpp\", line 70 inlined at \"/src/a.cu\", line 4
	//## File \"/src/a.cu\", line 4 inlined at \"/src/a.cu\", line 9
	//## File \"/src/a.cu\", line 9
        /*0010*/                   IADD3 R0, R1, 0x1, RZ ;
.L_x_0:
	//## File \"/include/math.hpp\", line 71
        /*0020*/                   EXIT ;
second:
.text.second:
        /*0000*/                   EXIT ;
";

#[test]
fn listings_have_the_source_lines_and_labels_of_their_kernels() {
    let listed = WarpProgram::of_listing(TWO_KERNELS, None).expect("it opens");
    let names = listed.kernels.iter().map(|kernel| kernel.name.as_str());
    assert_eq!(names.collect::<Vec<_>>(), ["first", "second"]);
    let program = runnable(&listed.propose(&listed.kernels[0]).expect("a launch"));
    let labels: Vec<_> = program.warp_labels().collect();
    assert_eq!(labels, [(".L_x_0", 2)], "not that of the second kernel");
    let lines: Vec<_> = (0..3).map(|index| program.source_line(index)).collect();
    let own = |line| Some(("/src/a.cu", line));
    assert_eq!(lines, [own(2), own(4), Some(("/include/math.hpp", 71))]);
    assert_eq!(program.source_file(), Some("/src/a.cu"));
    let second = Program::parse(&listed.propose(&listed.kernels[1]).expect("a launch"));
    assert_eq!(second.source_file(), None);
    assert_eq!(second.warp_labels().count(), 0);
}

/// A scenario of ATOM and RED cannot read an address of 64 bits that is one register; a launch
/// can.
#[test]
fn what_a_launch_reads_is_listed_as_runnable() {
    let text = "\tcode for sm_80\n\t\tFunction : reds\n\
        /*0000*/                   MOV R2, c[0x0][0x160] ;\n\
        /*0010*/                   RED.E.MAX.S32.STRONG.GPU [R2.64], R5 ;\n\
        /*0020*/                   EXIT ;\n";
    let (contents, _) = outline::read("a.sass", text.as_bytes(), None).expect("a listing");
    let FileContents::Outline(outline) = contents else {
        panic!("a list of functions");
    };
    let entry = outline.entries.first().expect("a function");
    assert_eq!(entry.notes, Vec::<String>::new());
    assert_eq!(entry.listing.as_ref().expect("a listing").runnable, 3);
}

#[test]
fn cubins_open_as_launches_of_their_kernels() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("vectors/sass-kernels");
    let mut opened = 0;
    for stem in ["flow", "groups", "warp"] {
        let cubin = fs::read(folder.join(format!("{stem}.sm_50.cubin"))).expect("a cubin");
        let program = WarpProgram::of_cubin(&cubin).expect("it opens");
        let (contents, file) = outline::read("a.cubin", &cubin, None).expect("a cubin");
        let (FileContents::Outline(outline), Some(file)) = (contents, file) else {
            panic!("{stem} is not a list of functions");
        };
        for entry in &outline.entries {
            assert!(
                entry.can_open && entry.can_run && entry.notes.is_empty(),
                "{entry:?}"
            );
            let kernel = program.kernel(&entry.name).expect("the kernel");
            let text = file.open(entry.index).expect("it opens").text;
            assert_eq!(Ok(&text), program.propose(kernel).as_ref());
            let launch = Program::parse(&text);
            assert!(launch.can_run(), "{}: {:?}", entry.name, launch.diagnostics);
            opened += 1;
        }
    }
    assert_eq!(opened, 13);
}

#[test]
fn unknown_words_of_a_cubin_stop_the_run() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("vectors/sass-kernels/flow.sm_50.cubin");
    let cubin = fs::read(path).expect("a cubin");
    let first = 0x4c98_0780_0087_0001_u64.to_le_bytes();
    let at = cubin.windows(8).position(|word| word == first);
    let at = at.expect("MOV R1, c[0x0][0x20] begins a kernel");
    // A bit that no field has, a size without a meaning, an opcode without a row, and none.
    for (word, wanted) in [
        (0x4c98_1780_0087_0001_u64, "`.UNKNOWN` of `MOV`"),
        (0x5ce0_0000_0037_0f02, "`.UNKNOWN` of `I2I`"),
        (0x50f8_0780_0087_0002, "`FSWZADD`"),
        (0xffff_ffff_ffff_ffff, "`UNKNOWN 0xffffffffffffffff`"),
    ] {
        let mut changed = cubin.clone();
        changed[at..at + 8].copy_from_slice(&word.to_le_bytes());
        let program = WarpProgram::of_cubin(&changed).expect("it opens");
        let stopped = program.kernels.iter().filter(|kernel| {
            let text = program.propose(kernel).expect("a proposal");
            let launch = Program::parse(&text);
            let is_named = |diagnostic: &Diagnostic| diagnostic.message().contains(wanted);
            let fault = run_launch(&launch).fault;
            launch.diagnostics.iter().any(is_named) && fault.is_some()
        });
        assert_eq!(stopped.count(), 1, "{wanted}");
    }
}
