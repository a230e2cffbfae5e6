//! Kernels that Intel's compiler wrote, launched and compared with the buffers
//! of `kernels/launches.jsonl` and `kernels/more_launches.jsonl`.

use lanewise_answer::printf::printed;
use lanewise_core::diagnostic::Severity;
use lanewise_core::isa::Target;
use lanewise_core::library::BUNDLED;
use lanewise_core::machine::{NoJournal, SpaceId, control};
use lanewise_core::number::{ElementType, Random};
use lanewise_core::program::{Program, ThreadSchedule};
use lanewise_core::session::{
    IssueIndex, LaneRow, RunResult, Session, Stepper, after_earlier_groups, next_issue, run,
    run_launch,
};
use lanewise_files::zebin::{self, Kernel, LaunchError, LaunchValue};
use lanewise_tests::judge::unhex;
use lanewise_tests::launch_case::{CaseArgument, buffer_bytes, size_of, sizes};
use lanewise_tests::parse::runnable;
use lanewise_tests::place::whole_snapshot;
use lanewise_tests::vectors;
use serde::Deserialize;
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::rc::Rc;

#[derive(Deserialize)]
struct LaunchCase {
    source: String,
    devices: Vec<String>,
    kernel: String,
    global_size: Vec<u32>,
    local_size: Vec<u32>,
    args: Vec<CaseArgument>,
    expected: Vec<Expected>,
}

#[derive(Deserialize)]
struct Expected {
    arg: u32,
    #[serde(rename = "type")]
    ty: String,
    compare: String,
    bytes: String,
}

/// The program of the compiler of 2022 for a device, or, with a folder before the device, of
/// another one: `today/bmg`.
fn zebin_path(source: &str, device: &str) -> PathBuf {
    let stem = source.trim_end_matches(".cl");
    let (folder, device) = device.split_once('/').unwrap_or(("zebin", device));
    let kernels = Path::new(env!("CARGO_MANIFEST_DIR")).join("vectors/kernels");
    kernels.join(folder).join(format!("{stem}.{device}.bin"))
}

/// The program of a case on a device, with the argument of each buffer.
fn program(case: &LaunchCase, device: &str) -> (Program, Vec<u32>) {
    let bytes = std::fs::read(zebin_path(&case.source, device)).expect("the program");
    let file = zebin::open(&bytes).expect("it opens");
    let mut kernels = file.kernels.iter();
    let kernel = kernels.find(|k| k.name == case.kernel).expect("the kernel");
    let values: Vec<LaunchValue> = case.args.iter().map(CaseArgument::value).collect();
    let (global, local) = (sizes(&case.global_size, 1), sizes(&case.local_size, 1));
    let program = kernel.launch(global, local, &values).expect("it launches");
    let what = format!("{} on {device}", case.kernel);
    assert!(program.can_run(), "{what}: {:#?}", program.diagnostics);
    let buffers = kernel.arguments.iter().zip(&values);
    let buffers = buffers.filter(|(_, value)| matches!(value, LaunchValue::Buffer(..)));
    let arguments = buffers.map(|(argument, _)| argument.index).collect();
    (program, arguments)
}

fn contents(program: &Program, result: &RunResult, arguments: &[u32]) -> BTreeMap<u32, Vec<u8>> {
    let launch = program.launch.as_ref().expect("a launch");
    let buffers = arguments.iter().zip(&launch.buffers);
    let contents =
        buffers.map(|(argument, buffer)| (*argument, buffer_bytes(buffer, &result.machine)));
    contents.collect()
}

fn sorted(bytes: &[u8], ty: &str) -> Vec<Vec<u8>> {
    let mut elements: Vec<Vec<u8>> = bytes.chunks(size_of(ty)).map(<[u8]>::to_vec).collect();
    elements.sort();
    elements
}

/// Whether floats differ by at most 2e-5, relative to the expected value or 1.
fn near(found: &[u8], expected: &[u8], ty: &str) -> bool {
    let float = |bytes: &[u8]| match size_of(ty) {
        4 => f64::from(f32::from_le_bytes(bytes.try_into().expect("four bytes"))),
        _ => f64::from_le_bytes(bytes.try_into().expect("eight bytes")),
    };
    let mut pairs = found.chunks(size_of(ty)).zip(expected.chunks(size_of(ty)));
    pairs.all(|(found, expected)| {
        let (found, expected) = (float(found), float(expected));
        let close = (found - expected).abs() <= 2e-5 * expected.abs().max(1.0);
        close || found == expected || found.is_nan() && expected.is_nan()
    })
}

fn compare(case: &LaunchCase, found: &BTreeMap<u32, Vec<u8>>) -> Result<(), String> {
    let (mut pool, mut expected_pool) = (Vec::new(), Vec::new());
    for expected in &case.expected {
        let bytes = unhex(&expected.bytes);
        let found = &found[&expected.arg];
        let equal = match expected.compare.as_str() {
            "exact" => *found == bytes,
            "near" => near(found, &bytes, &expected.ty),
            "sorted" => sorted(found, &expected.ty) == sorted(&bytes, &expected.ty),
            _ => {
                pool.extend(sorted(found, &expected.ty));
                expected_pool.extend(sorted(&bytes, &expected.ty));
                true
            }
        };
        if !equal {
            return Err(format!("argument {} differs", expected.arg));
        }
    }
    pool.sort();
    expected_pool.sort();
    match pool == expected_pool {
        true => Ok(()),
        false => Err(String::from("the values are not those of any order")),
    }
}

fn cases() -> Vec<LaunchCase> {
    vectors::read("kernels/launches.jsonl")
}

fn check(cases: &[LaunchCase], expected: usize) {
    let mut launches = 0;
    let mut wrong = Vec::new();
    for case in cases {
        for device in &case.devices {
            let (program, arguments) = program(case, device);
            let result = run_launch(&program);
            let name = format!("{} on {device}", case.kernel);
            assert_eq!(result.fault, None, "{name}");
            if let Err(why) = compare(case, &contents(&program, &result, &arguments)) {
                wrong.push(format!("{name}: {why}"));
            }
            launches += 1;
        }
    }
    assert_eq!((launches, wrong), (expected, Vec::new()));
}

#[test]
fn launches_leave_the_recorded_buffers() {
    check(&cases(), 95);
}

#[test]
fn launches_on_devices_of_2026_leave_the_recorded_buffers() {
    let devices = [
        "tgllp", "dg2", "mtl", "arl-h", "pvc", "bmg", "lnl", "ptl", "wcl", "nvl-p", "cri",
    ];
    let mut cases = cases();
    cases.retain(|case| case.source == "basics.cl");
    for case in &mut cases {
        case.devices = devices.map(|device| format!("today/{device}")).to_vec();
    }
    check(&cases, cases.len() * devices.len());
}

#[test]
fn launches_on_other_devices_of_2022_leave_the_recorded_buffers() {
    let devices = ["bdw", "kbl", "glk", "icllp"];
    let mut cases = cases();
    cases.retain(|case| case.source == "basics.cl");
    for case in &mut cases {
        case.devices = devices.map(String::from).to_vec();
    }
    check(&cases, cases.len() * devices.len());
}

#[test]
fn more_launches_leave_the_recorded_buffers() {
    check(&vectors::read("kernels/more_launches.jsonl"), 191);
}

/// The launches whose buffers have one right content, whatever the order of groups and
/// threads, by device.
fn deterministic_launches() -> impl Iterator<Item = (Rc<LaunchCase>, String)> {
    let more: Vec<LaunchCase> = vectors::read("kernels/more_launches.jsonl");
    let cases = cases().into_iter().chain(more);
    let cases = cases.filter(|case| {
        let mut expected = case.expected.iter();
        expected.all(|expected| expected.compare == "exact")
    });
    cases.flat_map(|mut case| {
        let devices = std::mem::take(&mut case.devices);
        let case = Rc::new(case);
        devices
            .into_iter()
            .map(move |device| (Rc::clone(&case), device))
    })
}

#[test]
fn the_order_of_groups_does_not_change_the_buffers() {
    let mut launches = 0;
    for (case, device) in deterministic_launches() {
        let (mut program, arguments) = program(&case, &device);
        let launch = program.launch.clone().expect("a launch");
        if launch.group_count() == 1 {
            continue;
        }
        let name = format!("{} on {device}", case.kernel);
        let mut result = None;
        for group in (0..launch.group_count()).rev() {
            launch.enter_group(&program.symbols.visa, group, &mut program.start);
            let run = run(&program);
            assert_eq!(run.fault, None, "{name}");
            program.start = run.machine.clone();
            result = Some(run);
        }
        let found = contents(&program, &result.expect("a group"), &arguments);
        assert_eq!(compare(&case, &found), Ok(()), "{name}");
        launches += 1;
    }
    assert!(launches > 100, "{launches} launches have several groups");
}

/// Runs all work-groups of a launch, choosing the thread of every issue at random.
fn run_interleaved(program: &mut Program, random: &mut Random) -> RunResult {
    let launch = program.launch.clone().expect("a launch");
    program.schedule = ThreadSchedule::RoundRobin;
    let mut result = run(&Program::parse(""));
    result.machine = program.start.clone();
    let mut stepper = Stepper::default();
    for group in 0..launch.group_count() {
        let machine = &mut result.machine;
        launch.enter_group(&program.symbols.visa, group, machine);
        let mut issued = 0;
        loop {
            let thread = u8::try_from(random.bits() % u64::from(program.threads)).unwrap();
            control::set_next_thread(thread, machine, &mut NoJournal);
            let Some(issue) = next_issue(program, machine) else {
                break;
            };
            result.fault = stepper.evaluate(program, issue, issued, machine);
            if result.fault.is_some() {
                return result;
            }
            stepper.apply(program, issue, machine, &mut NoJournal);
            issued += 1;
        }
    }
    result
}

#[test]
fn the_order_of_threads_does_not_change_the_buffers() {
    let mut random = Random::new(11);
    let mut launches = 0;
    for (case, device) in deterministic_launches() {
        let (mut program, arguments) = program(&case, &device);
        if program.threads == 1 {
            continue;
        }
        let name = format!("{} on {device}", case.kernel);
        program.schedule = ThreadSchedule::RoundRobin;
        let in_turn = run_launch(&program);
        for result in [in_turn, run_interleaved(&mut program, &mut random)] {
            assert_eq!(result.fault, None, "{name}");
            let found = contents(&program, &result, &arguments);
            assert_eq!(compare(&case, &found), Ok(()), "{name}");
        }
        launches += 1;
    }
    assert!(launches > 50, "{launches} launches have several threads");
}

#[test]
fn compiled_kernels_are_free_of_problems() {
    let vectors = Path::new(env!("CARGO_MANIFEST_DIR")).join("vectors");
    let folders = ["kernels/zebin", "kernels/today", "cases"].map(|name| vectors.join(name));
    let entries = folders.map(|folder| std::fs::read_dir(folder).expect("the folder"));
    let paths = entries
        .into_iter()
        .flatten()
        .map(|entry| entry.expect("a file").path());
    let mut found: BTreeMap<&str, String> = BTreeMap::new();
    let mut kernels = 0;
    for path in paths.filter(|path| path.extension().is_some_and(|extension| extension == "bin")) {
        let file = zebin::open(&std::fs::read(path).expect("the program")).expect("it opens");
        let lacks_matrices = file.platform.features().matrix_lanes.is_none();
        for kernel in &file.kernels {
            let Ok(text) = kernel.sample_scenario() else {
                continue;
            };
            kernels += 1;
            // The compiler writes matrix instructions for devices without them, too.
            let is_for_another = lacks_matrices && text.contains("dpas");
            for diagnostic in Program::parse(&text).diagnostics {
                if diagnostic.severity() != Severity::Error || !is_for_another {
                    let message = format!("{}: {}", kernel.name, diagnostic.message());
                    found.insert(diagnostic.rule.code, message);
                }
            }
        }
    }
    assert!(kernels > 100, "{kernels} kernels");
    assert_eq!(found, BTreeMap::new());
}

/// The kernel of a case as its vISA text alone describes it.
fn listed_kernel(case: &LaunchCase, device: &str) -> Result<Kernel, LaunchError> {
    let bytes = std::fs::read(zebin_path(&case.source, device)).expect("the program");
    let file = zebin::open(&bytes).expect("it opens");
    let mut kernels = file.kernels.iter();
    let kernel = kernels.find(|k| k.name == case.kernel).expect("the kernel");
    let target = Some(Target::Visa(file.platform));
    let listing = lanewise_files::open_for("k.visaasm", kernel.listing().as_bytes(), target);
    Kernel::of_function(&listing.expect("a listing").functions[0])
}

#[test]
fn listings_are_launched_without_ze_info() {
    let (mut launches, mut wrong) = (0, BTreeSet::new());
    for (case, device) in deterministic_launches() {
        // Data are not in the text.
        let Ok(kernel) = listed_kernel(&case, &device) else {
            continue;
        };
        let values: Vec<LaunchValue> = case.args.iter().map(CaseArgument::value).collect();
        let (global, local) = (sizes(&case.global_size, 1), sizes(&case.local_size, 1));
        // Kernels whose text has other arguments: unused ones, private memory, offsets.
        let Ok(program) = kernel.launch(global, local, &values) else {
            continue;
        };
        let buffers = kernel.arguments.iter().zip(&values);
        let buffers = buffers.filter(|(_, value)| matches!(value, LaunchValue::Buffer(..)));
        let buffers: Vec<u32> = buffers.map(|(argument, _)| argument.index).collect();
        let in_order = case.expected.iter().all(|e| buffers.contains(&e.arg));
        let result = run_launch(&program);
        if !in_order || compare(&case, &contents(&program, &result, &buffers)).is_err() {
            wrong.insert(case.kernel.clone());
        }
        launches += 1;
    }
    assert_eq!((launches, wrong), (124, BTreeSet::new()));
}

#[test]
fn a_listing_says_what_it_lacks() {
    let text = ".version 4.1\n.kernel \"kernel\"\n.kernel_attr SimdSize=8\nret (M1, 1)\n";
    let listing = |text: &str| {
        let file = lanewise_files::open("k.visaasm", text.as_bytes()).expect("a listing");
        Kernel::of_function(&file.functions[0]).map_err(|error| error.to_string())
    };
    let error = listing(text).expect_err("it has no inputs");
    assert!(
        error.contains(".input") && error.contains("ocloc"),
        "{error}"
    );
    let error = listing(&text.replace("SimdSize", "Target")).expect_err("it has no SIMD size");
    assert!(error.contains("SimdSize"), "{error}");
    let inputs = text.replace(
        "ret",
        ".decl V32 v_type=G type=ub num_elts=65535\n.decl V33 v_type=G type=uq num_elts=1\n\
         .input V32 offset=65535 size=65535\n.input V33 offset=64 size=8\nret",
    );
    let kernel = listing(&inputs).expect("the inputs have any order");
    let names = kernel.arguments.iter().map(|argument| &argument.name[..]);
    assert_eq!(names.collect::<Vec<_>>(), ["V33", "V32"]);
}

/// Bytes of a buffer of a scenario before and after its launch.
fn buffers_of(id: &str) -> BTreeMap<String, (Vec<u8>, Vec<u8>)> {
    let scenario = lanewise_core::library::named(id).expect("a scenario");
    let program = Program::parse(scenario.text);
    let result = run_launch(&program);
    assert_eq!(result.fault, None, "{id}");
    let launch = program.launch.as_ref().expect("a launch");
    let buffers = launch.buffers.iter().map(|buffer| {
        let [before, after] =
            [&program.start, &result.machine].map(|machine| buffer_bytes(buffer, machine));
        (buffer.name.to_string(), (before, after))
    });
    buffers.collect()
}

/// Rows of 32 bytes times columns of 32 bytes, four of them in each dword of a row.
fn product(a: &[u8], b: &[u8], columns: usize, tiles: usize, row: usize, column: usize) -> i32 {
    let terms = (0..tiles).flat_map(|tile| (0..32).map(move |k| (tile, k)));
    let terms = terms.map(|(tile, k)| {
        let (group, row) = (row / 8, row % 8);
        let left = a[((group * tiles + tile) * 8 + row) * 32 + k];
        let right = b[((tile * 8 + k / 4) * columns + column) * 4 + k % 4];
        i32::from(left.cast_signed()) * i32::from(right.cast_signed())
    });
    terms.sum()
}

fn dwords(bytes: &[u8]) -> Vec<i32> {
    let dwords = bytes.chunks(4);
    let dwords = dwords.map(|dword| i32::from_le_bytes(dword.try_into().expect("4 bytes")));
    dwords.collect()
}

#[test]
fn bundled_kernels_compute_what_their_sources_say() {
    let buffers = buffers_of("kernel-histogram");
    let mut bins = vec![0; 16];
    for value in dwords(&buffers["in"].0) {
        bins[usize::try_from(value & 15).expect("four bits")] += 1;
    }
    assert_eq!(dwords(&buffers["bins"].1), bins);
    let buffers = buffers_of("kernel-tiles");
    let (a, b) = (&buffers["a"].0, &buffers["b"].0);
    let cells = (0..16 * 16).map(|cell| product(a, b, 16, 2, cell / 16, cell % 16));
    assert_eq!(dwords(&buffers["c"].1), cells.collect::<Vec<_>>());
    // Each sub-group has its own columns, and the rows of both.
    let buffers = buffers_of("kernel-fused-pair");
    let (a, b) = (&buffers["a"].0, &buffers["b"].0);
    let cells = (0..2 * 64).map(|cell| {
        let (own, row, column) = (cell / 64, cell / 8 % 8, cell % 8);
        product(a, &b[own * 256..], 8, 1, row, column)
    });
    assert_eq!(dwords(&buffers["c"].1), cells.collect::<Vec<_>>());
    let buffers = buffers_of("cuda-histogram");
    let mut bins = vec![0; 16];
    for value in dwords(&buffers["in"].0).iter().take(300) {
        bins[usize::try_from(value % 16).expect("four bits")] += 1;
    }
    assert_eq!(dwords(&buffers["bins"].1), bins);
    let buffers = buffers_of("cuda-reduction");
    let values = dwords(&buffers["in"].0);
    let sums = values.chunks(32).map(|warp| warp.iter().sum());
    assert_eq!(dwords(&buffers["sums"].1), sums.collect::<Vec<i32>>());
    let buffers = buffers_of("cuda-collatz");
    let values = dwords(&buffers["in"].0);
    let next = |n: &i32| (*n > 1).then_some(if n % 2 == 0 { n / 2 } else { 3 * n + 1 });
    let steps = values
        .iter()
        .map(|n| std::iter::successors(Some(*n), next).count() - 1);
    let steps = steps.map(|steps| steps.try_into().expect("few"));
    assert_eq!(dwords(&buffers["steps"].1), steps.collect::<Vec<i32>>());
    // In each round, one lane is the first.
    let buffers = buffers_of("cuda-product");
    let factors = dwords(&buffers["factors"].0).into_iter();
    let product = factors.fold(1, i32::wrapping_mul);
    assert_eq!(dwords(&buffers["result"].1), [product]);
    let mut tries = dwords(&buffers["tries"].1);
    tries.sort_unstable();
    assert_eq!(tries, (1..=32).collect::<Vec<_>>());
}

#[test]
fn bundled_kernels_have_their_sources() {
    for bundled in BUNDLED {
        let program = Program::parse(bundled.text);
        let source = bundled.source.map(|(name, _)| name);
        assert_eq!(program.source_file(), source, "{}", bundled.id);
        let lines = bundled.source.map_or(0, |(_, text)| text.lines().count());
        for instruction in 0..u32::try_from(program.instructions.len()).expect("few") {
            let line = program.source_line(instruction).map_or(0, |(_, line)| line);
            assert!(line <= lines.try_into().expect("few"), "{}", bundled.id);
        }
    }
}

#[test]
fn a_kernel_prints() {
    let bytes = std::fs::read(zebin_path("print.cl", "dg2")).expect("the program");
    let file = zebin::open(&bytes).expect("it opens");
    let [kernel] = &file.kernels[..] else {
        panic!("one kernel: {:?}", file.kernels);
    };
    let values = [LaunchValue::Buffer(ElementType::Ub, vec![0; 128])];
    let program = kernel.launch([32, 1, 1], [32, 1, 1], &values);
    let program = program.expect("it launches");
    let result = run_launch(&program);
    let launch = program.launch.as_ref().expect("a launch");
    let output = printed(launch, &result.machine, Some(&result.printed));
    let output = output.expect("it calls printf");
    assert_eq!((output.text.as_str(), output.notes.len()), ("3 three\n", 0));
}

#[test]
fn the_history_of_a_work_group_is_its_run() {
    for kernel in ["histogram", "reduce_local", "split_i8"] {
        let mut cases = cases();
        let case = cases.iter_mut().find(|case| case.kernel == kernel);
        let case = case.expect("the case");
        // One work-group.
        case.global_size.clone_from(&case.local_size);
        let device = case.devices.last().expect("a device");
        let (program, _) = program(case, device);
        let result = run_launch(&program);
        let mut session = Session::new(Rc::new(program));
        session.run_to_end();
        assert_eq!(session.fault(), None, "{kernel}");
        let end = whole_snapshot(session.machine());
        let run = whole_snapshot(&result.machine);
        let differing = end.iter().zip(&run).filter(|(a, b)| a != b);
        let spaces: Vec<u16> = differing.map(|((space, ..), _)| *space).collect();
        assert_eq!(spaces, Vec::<u16>::new(), "{kernel}");
        let middle = session.known() / 2;
        session.seek(middle);
        session.run_to_end();
        assert!(end == whole_snapshot(session.machine()), "{kernel}");
    }
}

/// Every work-item stores V32 at its place in y.
const STORES: &str = "\
.target visa XEHP
.launch global=16 local=8 group=1
.simd 8
.buffer y : ud[16]
.decl V32 v_type=G type=ud num_elts=8 align=GRF
.decl V33 v_type=G type=uq num_elts=8 align=GRF
.decl V34 v_type=G type=ud num_elts=8 align=GRF
.decl V35 v_type=G type=uw num_elts=8 align=GRF
.decl V36 v_type=G type=uq num_elts=1 align=GRF
.decl V37 v_type=G type=ud num_elts=3 align=GRF
.init V32 = 5, 5, 5, 5, 5, 5, 5, 5
.bind V36 = &y
.bind V35 = local_id.x
.bind V37 = group_id
mul (M1, 8) V34(0,0)<1> V37(0,0)<0;1,0> 8:ud
add (M1, 8) V34(0,0)<1> V34(0,0)<1;1,0> V35(0,0)<1;1,0>
shl (M1, 8) V34(0,0)<1> V34(0,0)<1;1,0> 2:ud
add (M1, 8) V33(0,0)<1> V34(0,0)<1;1,0> V36(0,0)<0;1,0>
svm_scatter.4.1 (M1, 8) V33.0 V32.0
ret (M1, 1)
";

/// Elements of y.
fn stored(program: &Program, result: &RunResult) -> Vec<u64> {
    assert!(result.fault.is_none(), "{:?}", result.fault);
    let buffer = &program.launch.as_ref().unwrap().buffers[0];
    let load = |index| {
        result
            .machine
            .load(SpaceId::VIRTUAL, buffer.address + 4 * index, 4)
    };
    (0..buffer.elements)
        .map(|index| load(index).unwrap())
        .collect()
}

#[test]
fn initial_registers_reach_every_work_group() {
    let program = runnable(STORES);
    assert_eq!(stored(&program, &run_launch(&program)), [5; 16]);
}

#[test]
fn the_timeline_starts_with_the_memory_of_earlier_work_groups() {
    let program = Program::parse(STORES);
    let own = [[0; 8], [5; 8]].concat();
    assert_eq!(stored(&program, &run(&program)), own);
    let started = after_earlier_groups(&program).unwrap();
    assert_eq!(stored(&started, &run(&started)), [5; 16]);
    // A fault of an earlier work-group is the result.
    let outside = STORES.replace("y : ud[16]", "y : ud[4]");
    let faulted = after_earlier_groups(&Program::parse(&outside)).unwrap_err();
    assert!(faulted.fault.is_some());
}

#[test]
fn an_access_outside_every_buffer_names_the_nearest() {
    let program = runnable(
        ".launch global=32 local=32\n\
         .simd 16\n\
         .buffer y : ud[4]\n\
         .decl V32 v_type=G type=uq num_elts=16 align=GRF\n\
         .decl V33 v_type=G type=ud num_elts=16 align=GRF\n\
         .bind V32 = &y + 32\n\
         svm_scatter.4.1 (M1, 1) V32.0 V33.0\n",
    );
    let fault = run_launch(&program).fault.expect("a fault");
    for part in [
        "Work-item 0 (thread 0, lane 0)",
        "0x10020",
        "16 bytes past the end",
        "`y`",
    ] {
        assert!(fault.message.contains(part), "{}", fault.message);
    }
}

#[test]
fn instructions_have_the_source_lines_of_the_compiler() {
    let program = runnable(
        ".decl V32 v_type=G type=ud num_elts=8 align=GRF\n\
         mov (M1, 8) V32(0,0)<1> 1:ud\n\
         FILE \"saxpy.cl\"\n\
         LOC 3\n\
         mov (M1, 8) V32(0,0)<1> 2:ud\n\
         LOC 0\n\
         mov (M1, 8) V32(0,0)<1> 3:ud\n",
    );
    let lines: Vec<_> = (0..6).map(|index| program.source_line(index)).collect();
    let third = Some(("saxpy.cl", 3));
    assert_eq!(lines, [None, None, third, third, None, None]);
}

/// Marks of source lines are not where a thread is.
#[test]
fn an_endless_run_names_the_line_of_the_source() {
    let program = runnable(
        ".launch global=8 local=8\n.simd 8\n.fuel 100\nfirst:\nFILE \"/src/loop.cl\"\nLOC 5\n\
         goto (M1, 8) first\n",
    );
    let fault = run_launch(&program).fault.expect("a fault");
    assert!(
        fault.message.ends_with("at line 7 (loop.cl:5)"),
        "{}",
        fault.message
    );
}

#[test]
fn truncated_and_damaged_programs_are_refused() {
    survives_damage(&zebin_path("split.cl", "dg2"));
}

/// A program with data and relocations.
#[test]
fn truncated_and_damaged_programs_of_2026_are_refused() {
    let cases = Path::new(env!("CARGO_MANIFEST_DIR")).join("vectors/cases");
    survives_damage(&cases.join("program-scope-pointer.today.bmg.bin"));
}

/// Opens every truncation and 10,000 mutations of a program, and launches some of them.
fn survives_damage(path: &Path) {
    let bytes = std::fs::read(path).expect("the program");
    for length in 0..bytes.len() {
        let _ = zebin::open(&bytes[..length]);
    }
    let mut random = Random::new(7);
    for mutation in 0..10_000 {
        let mut damaged = bytes.clone();
        for _ in 0..4 {
            let at = usize::try_from(random.bits() % bytes.len() as u64).unwrap();
            damaged[at] = random.bits().to_le_bytes()[0];
        }
        let Ok(file) = zebin::open(&damaged) else {
            continue;
        };
        for kernel in file.kernels.iter().filter(|_| mutation % 20 == 0) {
            let values = vec![LaunchValue::Buffer(ElementType::Ub, vec![0; 256]); 8];
            let values = &values[..kernel.arguments.len().min(8)];
            let _ = kernel.launch([8, 1, 1], [8, 1, 1], values);
            let _ = lanewise_files::propose(kernel);
        }
    }
}

/// The races of these kernels are between threads, and need local memory for two.
#[test]
fn groups_with_local_memory_are_proposed_with_two_threads() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("vectors/checks");
    let mut proposed = 0;
    for entry in std::fs::read_dir(folder).expect("the folder") {
        let path = entry.expect("an entry").path();
        if path.extension().is_none_or(|extension| extension != "bin") {
            continue;
        }
        let file = zebin::open(&std::fs::read(&path).expect("the program")).expect("a program");
        for kernel in &file.kernels {
            if kernel.required_group_size().is_some() || !kernel.summary().contains("local memory")
            {
                continue;
            }
            let program = Program::parse(&lanewise_files::propose(kernel).expect("a proposal"));
            let launch = program.launch.as_ref().expect("a launch");
            let ends = run_launch(&program).fault.is_none();
            assert!(launch.threads() > 1 || ends, "{}", path.display());
            proposed += usize::from(launch.threads() > 1);
        }
    }
    assert!(proposed > 5, "{proposed}");
}

/// Rows of the next message of a launch on 16 channels, at its start.
fn message_rows(message: &str) -> Vec<LaneRow> {
    let text = format!(
        ".target visa PVC\n.launch global=16 local=16\n.simd 16\n.buffer x : d[128] = iota(0, 1)\n\
         .decl V32 v_type=G type=uq num_elts=16 align=GRF\n\
         .decl V33 v_type=G type=d num_elts=64 align=GRF\n\
         .bind V32 = &x\n{message}\n"
    );
    let program = runnable(&text);
    let mut session = Session::new(Rc::new(program));
    while session.step() {}
    session.lanes(IssueIndex(0))
}

#[test]
fn elements_of_a_vector_and_of_a_block_have_rows_of_their_own() {
    let read = |rows: &[LaneRow]| -> Vec<u64> {
        assert!(rows.iter().all(|row| row.done), "{rows:?}");
        let mut values: Vec<_> = rows.iter().map(|row| (row.order, row.returned)).collect();
        values.sort_unstable();
        values.iter().filter_map(|(_, value)| *value).collect()
    };
    let vector = message_rows("lsc_load.ugm (M1_NM, 1) V33:d32x4 flat[V32]:a64");
    let elements: Vec<_> = vector.iter().map(|row| row.unit.letter()).collect();
    assert_eq!(elements, ["0", "1", "2", "3"]);
    assert_eq!(read(&vector), [0, 1, 2, 3]);
    let block = message_rows("lsc_load.ugm (M1_NM, 1) V33:d32x8t flat[V32]:a64");
    let lanes: Vec<u8> = block.iter().map(|row| row.unit.lane).collect();
    assert_eq!(lanes, [0, 1, 2, 3, 4, 5, 6, 7]);
    assert_eq!(read(&block), [0, 1, 2, 3, 4, 5, 6, 7]);
    let quad = message_rows("lsc_load_quad.ugm (M1_NM, 1) V33:d32.xz flat[V32]:a64");
    let channels: Vec<_> = quad.iter().map(|row| row.unit.letter()).collect();
    assert_eq!((channels, read(&quad)), (vec!["R", "B"], vec![0, 2]));
}

#[test]
fn summaries_name_buffer_elements_in_their_type() {
    let program = runnable(
        ".target visa PVC\n.launch global=16 local=16\n.simd 16\n.buffer x : f[8] = splat(1.5)\n\
         .decl V32 v_type=G type=uq num_elts=16 align=GRF\n\
         .decl V33 v_type=G type=ud num_elts=16 align=GRF\n\
         .bind V32 = &x + 12\nlsc_load.ugm (M1_NM, 1) V33:d32 flat[V32]:a64\n",
    );
    let mut session = Session::new(Rc::new(program));
    assert!(session.step());
    assert_eq!(session.summary_at(1), "Lane 0: x[3] is read, returned 1.5");
    assert_eq!(session.summary(), "Launch finished: 16 work-items, 1 group");
}
