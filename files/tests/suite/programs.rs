//! Launches of compiled programs: which are refused, and what is proposed for the others.

use lanewise_core::isa::FaultKind;
use lanewise_core::machine::SpaceId;
use lanewise_core::number::ElementType;
use lanewise_core::program::Program;
use lanewise_core::session::run;
use lanewise_files::outline;
use lanewise_files::zebin::{self, Argument, ArgumentKind, Kernel, LaunchValue};
use std::path::PathBuf;

fn bytes(name: &str) -> Vec<u8> {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../tests/vectors/programs");
    std::fs::read(folder.join(name)).expect("the program")
}

fn kernel(name: &str) -> Kernel {
    let program = zebin::open(&bytes("edges.skl.bin")).expect("a program");
    let mut kernels = program.kernels.into_iter();
    kernels
        .find(|kernel| kernel.name == name)
        .expect("the kernel")
}

/// The proposed launch of a kernel.
fn proposed(name: &str) -> (String, Program) {
    let text = lanewise_files::propose(&kernel(name)).expect("a proposal");
    let program = Program::parse(&text);
    assert!(program.can_run(), "{:?}", program.diagnostics);
    (text, program)
}

/// The lengths of the buffers of a proposed launch.
fn lengths(program: &Program) -> Vec<u64> {
    let launch = program.launch.as_ref().expect("a launch");
    launch
        .buffers
        .iter()
        .map(|buffer| buffer.elements)
        .collect()
}

#[test]
fn required_work_groups_are_not_replaced() {
    let kernel = kernel("required");
    assert_eq!(kernel.required_group_size(), Some([8, 4, 2]));
    let value = LaunchValue::Buffer(ElementType::D, vec![0; 2048]);
    let launch = |local| kernel.launch([16, 8, 4], local, std::slice::from_ref(&value));
    assert!(launch([8, 4, 2]).expect("a launch").can_run());
    let refused = launch([4, 4, 4]).expect_err("another size").to_string();
    assert!(refused.contains("8,4,2"), "{refused}");
}

#[test]
fn images_and_samplers_are_the_first_obstacle() {
    for (name, kinds, obstacle) in [
        (
            "image",
            &[ArgumentKind::Buffer, ArgumentKind::Image][..],
            "`a`",
        ),
        (
            "sampled",
            &[
                ArgumentKind::Buffer,
                ArgumentKind::Sampler,
                ArgumentKind::Image,
            ],
            "`s`",
        ),
    ] {
        let kernel = kernel(name);
        let found: Vec<ArgumentKind> = kernel.arguments.iter().map(|a| a.kind).collect();
        assert_eq!(found, kinds, "{name}");
        // The number of arguments is wrong, too.
        let refused = kernel.launch([8, 1, 1], [8, 1, 1], &[]);
        let refused = refused.expect_err("not modeled").to_string();
        assert!(refused.contains(obstacle), "{refused}");
    }
}

#[test]
fn functions_outside_the_program_are_named() {
    let obstacle = kernel("outside").obstacle().expect("a function");
    assert!(obstacle.contains("`missing`"), "{obstacle}");
}

#[test]
fn faults_of_unknown_names_have_the_name() {
    let text = ".decl V34 v_type=G type=uq num_elts=1\nfaddr missing V34(0,0)<1>\n";
    let fault = run(&Program::parse(text)).fault.expect("an unknown name");
    assert_eq!(fault.kind, FaultKind::NotModelled);
    assert!(fault.message.contains("missing"), "{}", fault.message);
}

#[test]
fn programs_without_kernels_are_recognised() {
    let bytes = bytes("none.skl.bin");
    assert!(zebin::recognises(&bytes));
    assert!(zebin::open(&bytes).is_err());
    let error = outline::read("none.skl.bin", &bytes, None).map(|_| ());
    assert!(!error.expect_err("no kernel").contains("NVIDIA"));
}

#[test]
fn buffers_grow_by_their_own_accesses() {
    let (_, program) = proposed("grow");
    assert_eq!(lengths(&program), [64, 44_101, 64]);
    assert!(run(&program).fault.is_none());
    // 256 KB are the limit.
    let (text, program) = proposed("big");
    assert_eq!(lengths(&program), [64, 65_536, 64]);
    let notes: Vec<&str> = text.lines().filter(|l| l.starts_with(".note")).collect();
    assert!(
        matches!(notes[..], [note] if note.contains("`x`")),
        "{notes:?}"
    );
}

#[test]
fn proposed_offsets_are_zero() {
    let (text, _) = proposed("offsets");
    for name in ["offset0", "begin1"] {
        let line = text
            .lines()
            .find(|line| line.ends_with(&format!("ulong {name}")));
        assert!(line.is_some_and(|line| line.contains("= 0:uq")), "{line:?}");
    }
}

/// A structure may contain floats, also if it is as small as a number.
#[test]
fn proposed_structures_are_zero() {
    let mut kernel = kernel("offsets");
    let value = |argument: &&mut Argument| matches!(argument.kind, ArgumentKind::Value(8));
    let argument = kernel.arguments.iter_mut().find(value).expect("a value");
    argument.name = String::from("pair");
    let mut first = |ty: Option<&str>| {
        let argument = kernel.arguments.iter_mut().find(value).expect("a value");
        argument.ty = ty.map(String::from);
        let text = lanewise_files::propose(&kernel).expect("a proposal");
        let line = text.lines().find(|line| line.ends_with(" pair"));
        String::from(line.expect("its line"))
    };
    assert!(first(Some("struct Pair")).contains("= 0:"));
    assert!(first(Some("ulong")).contains("= 1:"));
    // A `typedef` of a number.
    assert!(first(Some("u64")).contains("= 1:"));
}

/// The form of a launch finds the fields of a structure by these numbers.
#[test]
fn parts_of_a_structure_are_numbered_from_the_first() {
    let path = concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/../tests/vectors/kernels/zebin/vectors.tgllp.bin"
    );
    let program = zebin::open(&std::fs::read(path).unwrap()).unwrap();
    let kernel = program
        .kernels
        .iter()
        .find(|kernel| kernel.name == "params");
    let text = kernel.unwrap().sample_scenario().unwrap();
    let parts = text
        .lines()
        .filter(|line| line.contains("// struct Params p"));
    let parts: Vec<&str> = parts
        .map(|line| line.split("Params ").last().unwrap())
        .collect();
    assert_eq!(parts[..3], ["p[0]", "p[1]", "p[2]"]);
}

/// The notes of the proposed launch of a long kernel, and its program.
fn long(name: &str) -> (Vec<String>, Program) {
    let program = zebin::open(&bytes("proposals.dg2.bin")).expect("a program");
    let kernel = program.kernels.iter().find(|kernel| kernel.name == name);
    let text = lanewise_files::propose(kernel.expect("the kernel")).expect("a proposal");
    let notes = text.lines().filter_map(|line| line.strip_prefix(".note "));
    let notes = notes.map(String::from).collect();
    let program = Program::parse(&text);
    assert!(program.can_run(), "{:?}", program.diagnostics);
    (notes, program)
}

#[test]
fn trials_reach_the_ends_of_long_work_groups() {
    let (notes, program) = long("rows");
    assert_eq!(lengths(&program), [4096; 3]);
    assert!(notes.is_empty(), "{notes:?}");
    // A fault ends a trial run at the first buffer that is too short.
    let (notes, program) = long("sweeps");
    assert_eq!(lengths(&program), [20_000; 3]);
    assert!(notes.is_empty(), "{notes:?}");
}

#[test]
fn proposals_say_that_a_trial_was_stopped() {
    // The second work-group is tried although the first one does not end.
    let (notes, program) = long("endless");
    assert_eq!(lengths(&program), [64, 64]);
    assert!(
        matches!(&*notes, [note] if note.contains("may be shorter")),
        "{notes:?}"
    );
    // Each thread gets a part.
    let (notes, program) = long("turns");
    assert_eq!(lengths(&program), [4096; 2]);
    assert_eq!(notes.len(), 1, "{notes:?}");
    // The last trial run faults, too.
    let (notes, program) = long("many");
    assert_eq!(lengths(&program)[..3], [32_768; 3]);
    assert!(
        matches!(&*notes, [note] if note.contains("may be shorter")),
        "{notes:?}"
    );
}

/// The names of the types, which a `typedef` declares, do not say that they are floats.
#[test]
fn floats_are_inferred_from_variables() {
    let (notes, program) = long("scale");
    let launch = program.launch.as_ref().expect("a launch");
    let types: Vec<ElementType> = launch.buffers.iter().map(|buffer| buffer.ty).collect();
    assert_eq!(types, [ElementType::F, ElementType::F]);
    assert_eq!(lengths(&program), [64, 64]);
    let types = "`o` (float*), `x` (float*), `alpha` (float), `beta` (float)";
    assert!(
        matches!(&*notes, [note] if note.contains(types) && !note.contains("`count`")),
        "{notes:?}"
    );
    let result = run(&program);
    assert!(result.fault.is_none());
    // o[0] = 1.5 * 1 + 1.5
    let first = result
        .machine
        .load(SpaceId::VIRTUAL, launch.buffers[0].address, 4);
    assert_eq!(first, Some(u64::from(3.0_f32.to_bits())));
}
