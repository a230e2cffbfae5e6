//! Kernels after public bug reports, compiled by two versions of Intel's compiler, compared
//! with the buffers and the output of `cases/launches.jsonl`.

use lanewise_answer::printf::printed;
use lanewise_core::machine::{Machine, SpaceId};
use lanewise_core::number::ElementType;
use lanewise_core::program::Program;
use lanewise_core::session::{LaunchRun, PrintfWriters, RunResult, Session, run, run_launch};
use lanewise_files::zebin::{self, LaunchValue};
use lanewise_tests::judge::unhex;
use lanewise_tests::launch_case::{buffer_bytes, sizes};
use lanewise_tests::parse::runnable;
use lanewise_tests::vectors;
use serde::Deserialize;
use std::path::Path;
use std::rc::Rc;

#[derive(Deserialize)]
struct Case {
    source: String,
    kernel: String,
    programs: Vec<String>,
    global_size: Vec<u32>,
    local_size: Vec<u32>,
    #[serde(default)]
    global_offset: Vec<u32>,
    args: Vec<Buffer>,
    expected: Vec<Expected>,
    stdout: Option<String>,
}

#[derive(Deserialize)]
struct Buffer {
    bytes: String,
}

#[derive(Deserialize)]
struct Expected {
    arg: usize,
    bytes: String,
}

fn launched(case: &Case, program: &str) -> (Program, RunResult) {
    let stem = case.source.trim_end_matches(".cl");
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("vectors/cases");
    let bytes = std::fs::read(folder.join(format!("{stem}.{program}.bin")));
    let file = zebin::open(&bytes.expect("the program")).expect("it opens");
    let mut kernels = file.kernels.iter();
    let kernel = kernels.find(|kernel| kernel.name == case.kernel);
    let values = case
        .args
        .iter()
        .map(|argument| LaunchValue::Buffer(ElementType::Ub, unhex(&argument.bytes)));
    let values: Vec<LaunchValue> = values.collect();
    let (global, local) = (sizes(&case.global_size, 1), sizes(&case.local_size, 1));
    let offset = sizes(&case.global_offset, 0);
    let kernel = kernel.expect("the kernel");
    let program = kernel.launch_at(offset, global, local, &values);
    let program = program.expect("it launches");
    let result = run_launch(&program);
    assert_eq!(result.fault, None, "{}", case.kernel);
    (program, result)
}

#[test]
fn cases_leave_the_recorded_buffers_and_output() {
    let cases: Vec<Case> = vectors::read("cases/launches.jsonl");
    assert_eq!(cases.len(), 9);
    for case in &cases {
        for program in &case.programs {
            let what = format!("{} of {program}", case.kernel);
            let (program_text, result) = launched(case, program);
            let launch = program_text.launch.as_ref().expect("a launch");
            let is_right = case.expected.iter().all(|expected| {
                let buffer = &launch.buffers[expected.arg];
                buffer_bytes(buffer, &result.machine) == unhex(&expected.bytes)
            });
            let is_compiler_fault = case.kernel == "shl_limbs" && program.starts_with("2022");
            assert_eq!(is_right, !is_compiler_fault, "{what}");
            let output = printed(launch, &result.machine, Some(&result.printed));
            let output = output.map(|output| (output.text, output.notes));
            let expected = case.stdout.clone().map(|text| (text, Vec::new()));
            assert_eq!(output, expected, "{what}");
        }
    }
}

/// The output of the last work-group's timeline grows with its steps, from the output of
/// the work-groups before it to that of the whole launch.
#[test]
fn output_grows_along_the_timeline() {
    let cases: Vec<Case> = vectors::read("cases/launches.jsonl");
    let printing: Vec<&Case> = cases.iter().filter(|case| case.stdout.is_some()).collect();
    assert!(!printing.is_empty());
    for case in printing {
        for name in &case.programs {
            let (mut program, whole) = launched(case, name);
            let launch = program.launch.as_mut().expect("a launch");
            launch.group = launch.group_count() - 1;
            let group = launch.group;
            let launch = launch.clone();
            let mut earlier = LaunchRun::new(&program);
            assert!(earlier.advance(&program, group, u64::MAX));
            let before = earlier.result().clone();
            let mut session = Session::new(Rc::new(earlier.continue_in_timeline(&program)));
            let text = |machine: &Machine, writers: &PrintfWriters| {
                let output = printed(&launch, machine, Some(writers));
                output.expect("it calls printf").text
            };
            let now = |session: &Session| {
                text(session.machine(), &session.printf_writers(&before.printed))
            };
            assert_eq!(now(&session), text(&before.machine, &before.printed));
            let mut lengths = vec![now(&session).len()];
            while session.step() {
                lengths.push(now(&session).len());
            }
            assert!(lengths.is_sorted(), "{name}");
            lengths.dedup();
            assert!(lengths.len() > 1, "{name}: {lengths:?}");
            assert_eq!(
                now(&session),
                text(&whole.machine, &whole.printed),
                "{name}"
            );
        }
    }
}

/// `sum(n) = n + sum(n - 1)`, which keeps `n` in a variable of the function.
fn recursive(depth: u32) -> String {
    format!(
        ".decl V32 v_type=G type=d num_elts=16 align=GRF\n\
         .init em = 0xffff\n.init %arg = splat({depth})\n\
         fcall (M1, 16) SUM 1 1\n\
         mov (M1, 16) V32(0,0)<1> %retval(0,0)<1;1,0>\n\
         ret (M1, 1)\n\
         .function \"SUM\"\n\
         .decl V40 v_type=G type=d num_elts=16 align=GRF\n\
         .decl P2 v_type=P num_elts=16\n\
         SUM:\n\
         mov (M1, 16) V40(0,0)<1> %arg(0,0)<1;1,0>\n\
         mov (M1, 16) %retval(0,0)<1> 0:d\n\
         cmp.gt (M1, 16) P2 V40(0,0)<1;1,0> 0:d\n\
         (!P2) fret (M1, 16)\n\
         add (M1, 16) %arg(0,0)<1> V40(0,0)<1;1,0> -1:d\n\
         fcall (M1, 16) SUM 1 1\n\
         (P2) add (M1, 16) %retval(0,0)<1> %retval(0,0)<1;1,0> V40(0,0)<1;1,0>\n\
         fret (M1, 16)\n"
    )
}

#[test]
fn each_call_of_a_recursive_function_has_variables_of_its_own() {
    for depth in [0, 1, 9, 300] {
        let program = runnable(&recursive(depth));
        let result = run(&program);
        assert_eq!(result.fault, None, "{depth}");
        let sum = result.machine.load(SpaceId::registers(0), 0, 4);
        assert_eq!(sum, Some(u64::from(depth * (depth + 1) / 2)), "{depth}");
    }
    let deep = run(&Program::parse(&recursive(5000)));
    let message = deep.fault.expect("it is too deep").message;
    assert!(message.contains("nested calls"), "{message}");
}
