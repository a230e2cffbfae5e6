//! Memory that the checks of a launch take, for small and large buffers and many findings.

use lanewise_api::{Checked, Findings, MAX_FINDINGS};
use lanewise_core::isa::Access;
use lanewise_core::machine::SpaceId;
use lanewise_core::number::ElementType;
use lanewise_core::program::{Program, Sizes};
use lanewise_core::session::{ObservedStep, Observer, RunOrder, run_launch, run_observed};
use lanewise_files::zebin::{self, LaunchValue};
use lanewise_tests::allocated::{self, Counting};
use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::path::Path;

#[global_allocator]
static COUNTING: Counting = Counting;

/// The bytes of memory that a launch accesses.
#[derive(Default)]
struct Touched(BTreeSet<(SpaceId, u64)>);

impl Observer for Touched {
    fn issued(&mut self, _: ObservedStep<'_>, accesses: &mut [Access]) {
        for access in accesses.iter().filter(|access| access.in_bounds) {
            let bytes = access.address..access.address + u64::from(access.bytes);
            self.0.extend(bytes.map(|byte| (access.space, byte)));
        }
    }
}

/// Peak memory of a launch.
fn peak(run: impl FnOnce()) -> i64 {
    let before = allocated::start();
    run();
    allocated::peak() - before
}

/// Memory that checks take beside the launch, with their findings.
fn check(program: &Program, words: &[&str]) -> (i64, Findings) {
    let plain = peak(|| drop(run_launch(program)));
    let checked = Checked::of(words).expect("known checks");
    let mut found = None;
    let most = peak(|| found = Some(checked.run(program, RunOrder::of(program)).1));
    let found = Findings::of(program, found.expect("a report"), MAX_FINDINGS, &[], None);
    (most - plain, found)
}

fn kernel(
    source: &str,
    name: &str,
    global: Sizes,
    local: Sizes,
    values: &[LaunchValue],
) -> Program {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("vectors/kernels/zebin");
    let file = std::fs::read(folder.join(source)).expect("the program");
    let program = zebin::open(&file).expect("it opens");
    let kernel = program.kernels.iter().find(|kernel| kernel.name == name);
    let launch = kernel.expect("the kernel").launch(global, local, values);
    launch.expect("it launches")
}

fn buffer(ty: ElementType, bytes: usize) -> LaunchValue {
    let bytes = (0..bytes).map(|i| u8::try_from(i * 37 % 251).expect("a byte"));
    LaunchValue::Buffer(ty, bytes.collect())
}

fn number(value: u32) -> LaunchValue {
    LaunchValue::Value(value.to_le_bytes().to_vec())
}

#[test]
fn shadow_takes_at_most_sixteen_bytes_for_each() {
    let floats = || buffer(ElementType::F, 4 * 64 * 64);
    let matmul = [floats(), floats(), floats(), number(64)];
    let words = |count: usize| buffer(ElementType::Ud, 4 * count);
    let histogram = [words(20_000), words(16), number(20_000)];
    let pixels = || buffer(ElementType::Ub, 192 * 192);
    let blur = [pixels(), pixels(), number(192), number(192)];
    for (source, name, global, local, values) in [
        (
            "matrices",
            "matmul_tiled",
            [64, 64, 1],
            [8, 8, 1],
            &matmul[..],
        ),
        ("atomics", "histogram", [512, 1, 1], [32, 1, 1], &histogram),
        ("matrices", "box_blur", [192, 192, 1], [32, 1, 1], &blur),
    ] {
        for device in ["tgllp", "dg2", "pvc"] {
            let file = format!("{source}.{device}.bin");
            let program = kernel(&file, name, global, local, values);
            let mut touched = Touched::default();
            run_observed(&program, &mut touched);
            let touched = touched.0.len() as f64;
            let (bytes, found) = check(&program, &["races"]);
            assert_eq!(found.found.len(), 0, "{name}: {found:#?}");
            let share = bytes as f64 / touched;
            println!("  {share:5.2} bytes for each of {touched:7} touched: {name} on {device}");
            assert!(share <= 16.0, "{name} on {device}: {share}");
        }
    }
}

/// A launch of two threads in each group, whose `V32` has four times the number of the lane,
/// and `V33` that of the lane in the other thread.
fn launch(global: u32, buffer: &str, lines: &str) -> Program {
    Program::parse(&format!(
        ".target visa DG2\n.launch global={global} local=32\n.simd 16\n.slm 128\n\
         .buffer o : {buffer}\n.bind bti 0 = o\n\
         .decl V32 v_type=G type=ud num_elts=16 align=GRF\n\
         .decl V33 v_type=G type=ud num_elts=16 align=GRF\n\
         .decl V34 v_type=G type=ud num_elts=16 align=GRF\n\
         .decl V40 v_type=G type=uw num_elts=16 align=GRF\n\
         .input V40 offset=32 size=32\n.decl T6 v_type=T num_elts=1\n\
         .bind V40 = local_id.x\n\
         movs (M1_NM, 1) T6(0) 0x0:ud\n\
         shl (M1, 16) V32(0,0)<1> V40(0,0)<1;1,0> 0x2:ud\n\
         xor (M1, 16) V33(0,0)<1> V32(0,0)<1;1,0> 0x40:ud\n\
         {lines}ret (M1, 1)\n"
    ))
}

#[test]
fn a_million_findings_are_grouped_and_bounded() {
    // Each load races with the store before it, in two lines of its own.
    let mut lines = String::new();
    for _ in 0..10_500 {
        lines.push_str("scatter4_scaled.R (M1, 16) %slm 0x0:ud V32.0 V33.0\n");
        lines.push_str("gather4_scaled.R (M1, 16) %slm 0x0:ud V33.0 V34.0\n");
    }
    let program = launch(64, "ud[32]", &format!(".schedule round-robin\n{lines}"));
    let (bytes, found) = check(&program, &["races"]);
    let mut text = String::new();
    for finding in &found.found {
        write!(text, "{}", finding.places()).expect("a text");
    }
    assert_eq!(found.found.len(), MAX_FINDINGS);
    assert!(found.more > 1000, "{}", found.more);
    assert!(bytes < 64 << 20, "{bytes}");
    assert!(text.len() < 1 << 20);
}

#[test]
fn large_buffers_are_checked_in_bounded_memory() {
    // Each lane writes a dword of its own, 1.5 MB from the next; so does each group.
    let lines = "mul (M1, 16) V33(0,0)<1> V32(0,0)<1;1,0> 0x60000:ud\n\
                 scatter4_scaled.R (M1, 16) T6 0x0:ud V33.0 V32.0\n";
    let program = launch(64, "ud[15728640] = undef", lines);
    assert!(program.can_run(), "{:#?}", program.diagnostics);
    let (bytes, found) = check(&program, &[]);
    let kinds: Vec<_> = found.found.iter().map(|finding| finding.kind).collect();
    assert_eq!(kinds, ["race-global", "unwritten"], "{found:#?}");
    assert!(bytes < 1 << 20, "{bytes}");
    // A gigabyte is refused before anything runs.
    let most = peak(|| {
        let program = launch(64, "ud[268435456] = undef", lines);
        assert!(!program.can_run());
        assert_eq!(program.diagnostics[0].rule.code, "E0806");
    });
    assert!(most < 1 << 20, "{most}");
}
