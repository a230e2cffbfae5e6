//! `lanewise run --kernel`.

use crate::common::{self, Output, lanewise};

/// Launches a kernel of a recorded program with eight work-items in work-groups of four.
fn launch(file: &str, kernel: &str, options: &[&str]) -> Output {
    let path = format!(
        "{}/../tests/vectors/kernels/zebin/{file}",
        env!("CARGO_MANIFEST_DIR")
    );
    let sizes = ["--global", "8", "--local", "4"];
    let command = [&["run", &path, "--kernel", kernel], &sizes[..], options];
    lanewise(&command.concat(), "")
}

/// Launches `saxpy_tail(global float *y, global const float *x, float a, uint n)`.
fn saxpy(arguments: [&str; 4], options: &[&str]) -> Output {
    let arguments = arguments.map(|argument| ["--arg", argument]).concat();
    let options = [&arguments, options].concat();
    launch("basics.dg2.bin", "saxpy_tail", &options)
}

const Y: &str = "y=float[8]=iota(1, 1)";
const X: &str = "x=float[8]=splat(2)";

const RESULT: &str = "\
36 instructions.

y : 32 bytes, as f
     0   7  8  9 10  5  6  7  8

x : 32 bytes, as f
     0  2 2 2 2 2 2 2 2
";

#[test]
fn declared_types_decide_how_numbers_are_read() {
    for [a, n] in [["a=3", "n=4"], ["a=3.0", "n=0x4"], ["2=3:float", "3=4:ud"]] {
        let done = saxpy([Y, X, a, n], &[]);
        assert_eq!((done.code, done.err.as_str()), (0, ""), "{a} {n}");
        assert_eq!(done.out, RESULT, "{a} {n}");
    }
    let exact = saxpy([Y, X, "a=0f40400000", "n=4"], &[]);
    assert_eq!(exact.out, RESULT);
    let ambiguous = saxpy([Y, X, "a=0x40400000", "n=4"], &[]);
    assert_eq!((ambiguous.code, ambiguous.out.as_str()), (2, ""));
    assert!(ambiguous.err.contains("ambiguous"), "{}", ambiguous.err);
    for n in ["4.0", "4.5", "-1", "4294967296", "4:float", "1,2", "four"] {
        let refused = saxpy([Y, X, "a=3", &format!("n={n}")], &[]);
        assert_eq!((refused.code, refused.out.as_str()), (2, ""), "{n}");
        let named = refused.err.contains("argument 3 (`uint n`)");
        assert!(named, "{n}: {}", refused.err);
        assert!(refused.err.contains(n), "{}", refused.err);
    }
    let vector = ["--arg", "out=float4[16]", "--arg", "a=float4[8]=splat(1)"];
    let vector = [&vector[..], &["--arg", "k=1, 2, 3, 4"]].concat();
    let done = launch("vectors.pvc.bin", "float4s", &vector);
    assert_eq!((done.code, done.err.as_str()), (0, ""));
    // (1 + k) * (10, 1, 2, 0.5), then (1, 1, 3, 4)
    let rows = done.out.contains("  20   3   8 2.5   1   1   3   4\n");
    assert!(rows, "{}", done.out);
}

#[test]
fn wrong_and_repeated_arguments_are_reported() {
    let other = saxpy(["y=int[8]=iota(1, 1)", X, "a=3", "n=4"], &[]);
    assert_eq!(other.code, 0);
    let warning = "warning: argument 0 (`float *y`): `int` differs from";
    assert!(other.err.starts_with(warning), "{}", other.err);
    let twice = saxpy([Y, X, "a=3", "n=4"], &["--arg", "0=float[8]"]);
    assert_eq!((twice.code, twice.out.as_str()), (2, ""));
    let message = "argument 0 (`float *y`): given more than once";
    assert!(twice.err.contains(message), "{}", twice.err);
    let long = saxpy([Y, "x=float[2]=1, 2, 3", "a=3", "n=4"], &[]);
    assert_eq!(long.code, 2);
    let message = "argument 1 (`const float *x`): too many values for `x`";
    assert!(long.err.contains(message), "{}", long.err);
    // What is wrong is said about the option, not about a scenario.
    for (value, options, named) in [
        ("n=1e2", &[][..], "whole number"),
        ("n=nan", &[], "whole number"),
        ("n=4", &["--dump", "y"], "N=FILE"),
        ("n=4", &["--dump", "y="], "N=FILE"),
        ("n=4", &["--arg", "y"], "N=VALUE"),
    ] {
        let refused = saxpy([Y, X, "a=3", value], options);
        assert_eq!(refused.code, 2);
        assert!(refused.err.contains(named), "{}", refused.err);
    }
    let refused = saxpy(["y=float[8]=iota(1, 2, 3)", X, "a=3", "n=4"], &[]);
    assert!(!refused.err.contains(".init"), "{}", refused.err);
}

/// A short file is filled with zeros, which is said.
#[test]
fn files_fill_buffers_in_part() {
    let path = common::file("short.bin", "12345678").display().to_string();
    let y = |bytes: usize| format!("y=uchar[{bytes}]=@{path}");
    for (bytes, has_note) in [(8, false), (32, true)] {
        let done = saxpy([&y(bytes), X, "a=3", "n=0"], &[]);
        assert_eq!(done.err.contains("note:"), has_note, "{}", done.err);
    }
}

/// A vector of three components takes the room of four, so values would not be its components.
#[test]
fn vectors_of_three_components_are_refused_with_the_type_to_use() {
    let done = saxpy(["y=float3[2]=iota(1, 1)", X, "a=3", "n=8"], &[]);
    assert_eq!(done.code, 2, "{}", done.err);
    assert!(done.err.contains("`float4`"), "{}", done.err);
}

#[test]
fn buffers_have_their_element_types() {
    let options = [
        "--arg",
        "out=char[8]",
        "--arg",
        "in=short[8]=iota(-200, 50)",
    ];
    let done = launch("basics.dg2.bin", "saturate", &options);
    let buffers = "
out : 8 bytes, as b
     0  -100  -50    0   50  100  127  127  127

in : 16 bytes, as w
     0  -200 -150 -100  -50    0   50  100  150
";
    assert!(done.out.ends_with(buffers), "{}{}", done.out, done.err);
}

#[test]
fn steps_stop_a_launch() {
    let arguments = [Y, X, "a=3", "n=8"];
    let whole = saxpy(arguments, &["--steps", "100000"]);
    let account = "70 steps, 52 instructions.\n";
    assert!(whole.out.starts_with(account), "{}", whole.out);
    // In the middle of a store by the second work-group.
    let stopped = saxpy(arguments, &["--steps", "65", "--trace"]);
    let lines: Vec<&str> = stopped.out.lines().collect();
    let step = lines[64];
    assert!(
        step.starts_with("    65  group 1, thread 0, line "),
        "{step}"
    );
    assert!(
        step.ends_with("Work-item 5 (lane 1): y[5] 6 → 12"),
        "{step}"
    );
    let end = [
        "",
        "65 steps, 48 instructions. The launch has not finished.",
        "",
        "y : 32 bytes, as f",
        "     0   7  8  9 10 11 12  7  8",
    ];
    assert_eq!(lines[65..70], end);
}

#[test]
fn fuel_is_that_of_each_work_group() {
    let run = |options: &[&str]| -> serde_json::Value {
        let done = saxpy([Y, X, "a=3", "n=8"], &[&["--json"], options].concat());
        serde_json::from_str(&done.out).expect("JSON")
    };
    let all = run(&[])["instructions"].as_u64().expect("a number");
    let fuel = |fuel: u64| run(&["--fuel", &fuel.to_string()])["fault"]["kind"].take();
    assert_eq!(fuel(all / 2), serde_json::Value::Null);
    assert_eq!(fuel(all / 2 - 1), "out-of-fuel");
}

#[test]
fn a_fault_ends_a_launch_with_a_step_limit() {
    let arguments = ["y=float[2]", X, "a=3", "n=8"].map(|argument| ["--arg", argument]);
    let run = |options: &[&str]| {
        let options = [&arguments.concat(), options].concat();
        launch("basics.pvc.bin", "saxpy_tail", &options)
    };
    let (whole, limited) = (run(&[]), run(&["--steps", "1000"]));
    // Both work-groups would fault.
    let (_, instructions) = limited.out.split_once(", ").unwrap();
    assert_eq!(instructions, whole.out);
    assert_eq!(limited.err, whole.err);
    assert!(whole.out.contains("Fault"), "{}", whole.out);
}

#[test]
fn a_fault_quotes_the_line_of_the_source() {
    let vectors = concat!(env!("CARGO_MANIFEST_DIR"), "/../tests/vectors/checks");
    let path = format!("{vectors}/31-oob-read-global.2026-bmg.bin");
    let launch = |rest: &[&str]| {
        let sizes = ["run", &*path, "--global", "128", "--local", "64"];
        let arguments = ["--arg", "o=int[128]", "--arg", "a=int[128]"];
        lanewise(&[&sizes[..], &arguments, rest].concat(), "")
    };
    // The file of the line table is found beside the program.
    let place = "/checks-src/31-oob-read-global.cl:5, vISA line 60: lsc_load.ugm";
    let (line, quote) = ("\n  ", "\n      o[i] = a[i + 1] - a[i];\n");
    let text = launch(&[]).out;
    assert!(text.contains(&format!("{line}{place}")), "{text}");
    assert!(text.contains(quote), "{text}");
    let answer: serde_json::Value = serde_json::from_str(&launch(&["--json"]).out).unwrap();
    let fault = &answer["fault"];
    assert_eq!(fault["file"], "/checks-src/31-oob-read-global.cl");
    assert_eq!(
        (&fault["line"], &fault["visa_line"]),
        (&5.into(), &60.into())
    );
    assert_eq!(fault["source"], quote.trim());
}

#[test]
fn accesses_out_of_bounds_are_reported() {
    let warning = |arguments, options: &[&str]| {
        let done = saxpy(arguments, options);
        assert_eq!(done.code, 0);
        done.err
    };
    assert_eq!(warning([Y, X, "a=3", "n=8"], &[]), "");
    // Three elements are read from each buffer, and written to one.
    let short = ["y=float[5]", "x=float[5]", "a=3", "n=8"];
    let expected = [
        (72, "read `x[5]` out of bounds and got 0"),
        (76, "read `y[5]` out of bounds and got 0"),
        (82, "wrote `y[5]` out of bounds and changed nothing"),
    ];
    let expected = expected.map(|(line, first)| {
        format!(
            "warning: line {line}: work-item 5 (lane 1) {first}, as did 2 other accesses of this \
             instruction: a read returns 0, a write has no effect\n"
        )
    });
    let expected = expected.concat();
    assert_eq!(warning(short, &[]), expected);
    assert_eq!(warning(short, &["--steps", "1000"]), expected);
    // Findings name the same accesses.
    assert_eq!(warning(short, &["--check=races"]), expected);
    let checked = saxpy(short, &["--check"]);
    assert_eq!((checked.code, &*checked.err), (1, ""));
    assert!(checked.out.contains("error[W0833]"), "{}", checked.out);
    let answer = saxpy(short, &["--json"]).out;
    let answer: serde_json::Value = serde_json::from_str(&answer).expect("JSON");
    let places = answer["warnings"].as_array().expect("warnings").iter();
    let places = places.map(|warning| (warning["code"].as_str(), warning["visa_line"].as_u64()));
    let lines = [72, 76, 82].map(|line| (Some("W0714"), Some(line)));
    assert_eq!(places.collect::<Vec<_>>(), lines);
    let one = warning(["y=float[7]", X, "a=3", "n=8"], &["--steps", "60"]);
    assert!(
        one.starts_with(
            "warning: line 76: work-item 7 (lane 3) read `y[7]` out of bounds and got 0"
        ),
        "{one}"
    );
}

#[test]
fn pointers_may_be_null() {
    for x in [
        "x=null",
        "1=null",
        "x=float[4]=null",
        "x={float a; int b;}[2]=null",
    ] {
        let done = saxpy([Y, x, "a=3", "n=4"], &[]);
        assert_eq!((done.code, &*done.err), (1, ""));
        let fault = "address 0x0 is not mapped; `x` is NULL.";
        assert!(done.out.contains(fault), "{}", done.out);
        assert!(done.out.ends_with("\nx : NULL\n"), "{}", done.out);
        // Without work-items that access it.
        let done = saxpy([Y, x, "a=3", "n=0"], &["--json"]);
        assert_eq!((done.code, &*done.err), (0, ""));
        let answer: serde_json::Value = serde_json::from_str(&done.out).expect("JSON");
        let buffers = answer["buffers"].as_object().expect("buffers");
        assert_eq!(buffers.keys().collect::<Vec<_>>(), ["0"], "{}", done.out);
        let dumped = saxpy([Y, x, "a=3", "n=0"], &["--dump", "1=x.bin"]);
        assert_eq!(dumped.code, 2);
        let message = "argument `x` is NULL";
        assert!(dumped.err.contains(message), "{}", dumped.err);
        let done = warp_saxpy(&[Y, x, "2=3.0", "3=4"], &BLOCKS);
        assert_eq!(done.code, 1);
        let fault = if x.starts_with('x') {
            "`x` is"
        } else {
            "`arg1` is"
        };
        assert!(done.out.contains(fault), "{}", done.out);
    }
    let checked = saxpy(["y=null", X, "a=3", "n=4"], &["--check"]);
    let finding = "memory[0x0] is read out of bounds; `y` is NULL; without checks";
    assert!(checked.out.contains(finding), "{}", checked.out);
    // An access that starts in a buffer is not one through NULL.
    let values = ["y=null", "x=uchar[6]", "a=3", "n=8"].map(|value| ["--arg", value]);
    let faulted = launch("basics.pvc.bin", "saxpy_tail", &values.concat());
    let fault = "is not mapped: across the end of the nearest buffer, `x` (6 bytes at 0x10000). ";
    assert!(faulted.out.contains(fault), "{}", faulted.out);
    let refused = warp_saxpy(&[Y, X, "2=null", "3=4"], &BLOCKS);
    let message = "the parameter has 4 bytes, but an address has 8";
    assert!(refused.err.contains(message), "{}", refused.err);
}

#[test]
fn buffers_of_structures_are_printed_by_field() {
    let (result, _) = RESULT.split_once("\nx :").expect("it prints x");
    for values in ["splat(2)", "2,2,2,2,2,2,2,2"] {
        let x = format!("x={{float a, b;}}[4]={values}");
        let done = saxpy([Y, &x, "a=3", "n=4"], &[]);
        let fields =
            "\nx : 32 bytes, as struct[4]\n  Element  a  b\n        0  2  2\n        1  2  2\n";
        let rest = "        2  2  2\n        3  2  2\n";
        assert_eq!(
            (&*done.err, done.out),
            ("", format!("{result}{fields}{rest}"))
        );
    }
    let mixed = "1=struct P {float a; int b[2]; uchar c;}[2]=1.5,-20,3,7,0,1,2,3";
    let mixed = saxpy([Y, mixed, "a=0", "n=4"], &[]);
    assert_eq!(mixed.code, 0, "{}", mixed.err);
    let fields = "x : 32 bytes, as P[2]\n  Element    a  b[0]  b[1]  c\n        0  1.5   -20     3  7\n        1    0     1     2  3\n";
    assert!(mixed.out.ends_with(fields), "{}", mixed.out);
    // Findings and traces name them, too.
    let short = saxpy(
        [Y, "x={float a; int b; char c;}[1]", "a=3", "n=4"],
        &["--check"],
    );
    let place = "x[1].a is read out of bounds";
    assert!(short.out.contains(place), "{}", short.out);
    let traced = saxpy(
        [Y, "x={float a; int b;}[2]=1.5,3,0,9", "a=3", "n=4"],
        &["--trace"],
    );
    for access in ["x[0].a is read, returned 1.5", "x[1].b is read, returned 9"] {
        assert!(traced.out.contains(access), "{}", traced.out);
    }
    let long = saxpy([Y, "x={int a, b; short c;}[500]", "a=3", "n=4"], &[]);
    let end = "      340  0  0  0\n        … 159 more; use --dump or --json\n";
    assert!(long.out.ends_with(end), "{}", long.out);
    for (x, words) in [
        (
            "x={float a; int b;}[2]=splat(2)",
            "`splat(2)` fills only numbers of one type: write a (`float`), b (`int`)",
        ),
        ("x={float a; int b;}[2]=1", "expected 4 values, found 1:"),
        ("x={float a, b;}[2]=1,5,2", "expected 4 values, found 3:"),
        ("x={int a, b;}[1]=1,2.5", "field `b` (`int`) of"),
        ("x={float a; oops b;}[4]", "`oops`"),
        ("x={int a;}[-1]", "expected a length, found `-1`"),
        ("x={int a;}[99999999999]", "at most 64 MB"),
        ("x=P[4]", "unknown type `P`; types are uchar, char,"),
    ] {
        let refused = saxpy([Y, x, "a=3", "n=4"], &[]);
        assert_eq!((refused.code, &*refused.out), (2, ""), "{x}");
        assert!(refused.err.contains(words), "{x}: {}", refused.err);
    }
}

#[test]
fn fields_of_a_structure_without_a_source_are_taken_as_given() {
    let run = |p: &str| {
        let p = format!("p={p}");
        let rest = ["tag=1", "unused=0", "pairs=int[16]", "out=float[16]", &*p];
        launch(
            "vectors.pvc.bin",
            "params",
            &rest.map(|argument| ["--arg", argument]).concat(),
        )
    };
    let untyped = run("2,0,0,3,10,1,4,-2,7,0.5,8");
    assert_eq!(untyped.code, 2);
    let message = "need the types of all fields, such as 1.5:float, 3:int";
    assert!(untyped.err.contains(message), "{}", untyped.err);
    let given =
        "2:float,0:float,0:float,3:float,10:int,1:int,4:uchar,-2:short,7:int,0.5:float,8:long";
    let done = run(given);
    let note = "note: argument 1 (`struct Params p`): the fields are not known without the source";
    assert!(done.err.starts_with(note), "{}", done.err);
}

/// Launches `saxpy_tail` of a SASS listing with two blocks of four threads.
fn warp_saxpy(arguments: &[&str], options: &[&str]) -> Output {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../tests/vectors/sass-kernels");
    let listing = format!("{folder}/basics.sm_80.sass");
    let cubin = format!("{folder}/basics.sm_80.cubin");
    let mut command = vec!["run", &listing, "--kernel", "saxpy_tail"];
    if !options.contains(&"--no-cubin") {
        command.extend(["--cubin", &cubin]);
    }
    for argument in arguments {
        command.extend(["--arg", argument]);
    }
    let options = options.iter().filter(|option| **option != "--no-cubin");
    command.extend(options);
    lanewise(&command, "")
}

const BLOCKS: [&str; 4] = ["--grid", "2", "--block", "4"];

#[test]
fn a_sass_listing_is_launched() {
    let buffers = RESULT.split_once('\n').expect("lines").1;
    let sizes = ["--global", "8", "--local", "4"];
    for (arguments, sizes) in [
        ([Y, X, "a=3.0", "n=4"], BLOCKS),
        ([Y, X, "2=3:float", "3=4:ud"], sizes),
        (
            [
                "3=4",
                "2=3.0",
                "1=float[8]=splat(2)",
                "0=float[8]=iota(1, 1)",
            ],
            BLOCKS,
        ),
    ] {
        let done = warp_saxpy(&arguments, &sizes);
        assert_eq!(done.code, 0);
        // Named arguments are taken in order, and a note says so.
        let is_named = arguments.contains(&Y);
        assert_eq!(done.err.contains("`y` is 0, `x` is 1"), is_named);
        assert_eq!(done.err.contains("`a` is 2"), arguments.contains(&"a=3.0"));
        let found = done.out.replace("arg0 :", "y :").replace("arg1 :", "x :");
        assert!(found.ends_with(buffers), "{}", done.out);
    }
    // Thread IDs are local to the block. `arg3` is parameter 3.
    let short = ["arg3=8", "arg2=3.0", "arg1=float[8]", "arg0=float[4]"];
    let faulted = warp_saxpy(&short, &BLOCKS);
    assert!(
        faulted.out.contains("Thread 0 of block 1 (lane 0)"),
        "{}",
        faulted.out
    );
    let alone = [&BLOCKS[..], &["--no-cubin"]].concat();
    let done = warp_saxpy(&[Y, X, "a=3.0", "n=4"], &alone);
    assert!(done.out.ends_with(buffers), "{}", done.out);
    assert!(done.err.contains("constant banks"), "{}", done.err);
}

/// An instruction that uses a number as a float decides how its text is read, unless the text
/// names a type or has the bits.
#[test]
fn uses_decide_how_numbers_of_a_listing_are_read() {
    let buffers = RESULT.split_once('\n').expect("lines").1;
    for alone in [&[][..], &["--no-cubin"]] {
        let options = [&BLOCKS[..], alone].concat();
        for (a, is_noted) in [
            ("a=3", true),
            ("a=3.0", false),
            ("a=3:float", false),
            ("a=0x40400000", false),
        ] {
            let done = warp_saxpy(&[Y, X, a, "n=4"], &options);
            assert!(done.out.ends_with(buffers), "{a}: {}", done.out);
            let note = "argument 2 (`float a`): the type is inferred from FFMA";
            assert_eq!(done.err.contains(note), is_noted, "{a}: {}", done.err);
        }
        let integer = warp_saxpy(&[Y, X, "a=3:int", "n=4"], &options);
        assert_eq!(integer.code, 0, "{}", integer.err);
        assert!(!integer.out.ends_with(buffers), "{}", integer.out);
        let refused = warp_saxpy(&[Y, X, "a=three", "n=4"], &options);
        let message = "argument 2 (`float a`): invalid value `three`";
        assert!(refused.err.contains(message), "{}", refused.err);
    }
    let options = [&BLOCKS[..], &["--no-cubin"]].concat();
    for a in ["a=3:double", "a=float[4]"] {
        let refused = warp_saxpy(&[Y, X, a, "n=4"], &options);
        assert_eq!((refused.code, refused.out.as_str()), (2, ""), "{a}");
        let message = "the parameter is a float (4 bytes, inferred from FFMA)";
        assert!(refused.err.contains(message), "{}", refused.err);
    }
}

#[test]
fn fractions_for_integers_of_a_listing_are_refused() {
    for alone in [&[][..], &["--no-cubin"]] {
        let options = [&BLOCKS[..], alone].concat();
        for (arguments, message) in [
            (
                [Y, X, "a=3.0", "n=1.5"],
                "argument 3 (`n: value of 4 bytes`): expected a whole number, found `1.5`: ISETP reads",
            ),
            (
                [Y, "x=2.5", "a=3.0", "n=4"],
                "expected a whole number, found `2.5`: IADD3 reads",
            ),
        ] {
            let refused = warp_saxpy(&arguments, &options);
            assert_eq!((refused.code, &*refused.out), (2, ""), "{message}");
            assert!(refused.err.contains(message), "{}", refused.err);
        }
        let bits = warp_saxpy(&[Y, X, "a=3.0", "n=1.5:float"], &options);
        assert_eq!(bits.code, 0, "{}", bits.err);
    }
}

/// A listing does not say how many parameters a kernel has.
#[test]
fn arguments_that_no_instruction_reads_are_named() {
    let alone = [&BLOCKS[..], &["--no-cubin"]].concat();
    let done = warp_saxpy(&[Y, X, "a=3.0", "n=4", "m=5", "k=float[4]"], &alone);
    assert_eq!(done.code, 0, "{}", done.err);
    for named in ["4 (`m: value of 4 bytes`)", "5 (`k: buffer`)"] {
        let warning = format!("warning: argument {named}: no instruction reads it");
        assert!(done.err.contains(&warning), "{}", done.err);
    }
    assert_eq!(done.err.matches("warning").count(), 2, "{}", done.err);
}

/// A double has eight bytes, although the listing does not say so. Halves may be one or two.
#[test]
fn doubles_of_a_listing_have_their_size() {
    let text = "// compiled for sm_80\nscale:\n.text.scale:\n\
        /*0000*/ MOV R2, c[0x0][0x160] ;\n\
        /*0010*/ MOV R3, c[0x0][0x164] ;\n\
        /*0020*/ LDG.E.64 R4, [R2.64] ;\n\
        /*0030*/ DFMA R4, R4, c[0x0][0x170], R4 ;\n\
        /*0040*/ ISETP.GE.AND P0, PT, RZ, c[0x0][0x168], PT ;\n\
        /*0050*/ HADD2 R6, RZ, c[0x0][0x178] ;\n\
        /*0060*/ STG.E.64 [R2.64], R4 ;\n\
        /*0070*/ STG.E [R2.64+0x8], R6 ;\n\
        /*0080*/ EXIT ;\n";
    let file = common::file("scale.sass", text);
    let file = file.to_str().expect("a name");
    let launch = |arguments: &[&str]| {
        let mut command = vec!["run", file, "--grid", "1", "--block", "1"];
        for argument in arguments {
            command.extend(["--arg", argument]);
        }
        lanewise(&command, "")
    };
    let scenario = lanewise(&["open", file, "--kernel", "scale"], "").out;
    let line = ".param 0x170 = 1:df  // arg2  // df inferred from DFMA  // proposed";
    assert!(scenario.contains(line), "{scenario}");
    let done = launch(&["x=double[2]=splat(5)", "n=1", "f=3", "h=0x3c00"]);
    // 5 * 3 + 5, and 5 with the halves 1 and 0, which are 0x3c00, in its lower word.
    assert!(
        done.out.ends_with(" 20 5.000000000013642\n"),
        "{}",
        done.out
    );
}

#[test]
fn blocks_are_work_groups() {
    let path = concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/../tests/vectors/kernels/zebin/basics.dg2.bin"
    );
    let arguments = [Y, X, "a=3", "n=4"].map(|argument| ["--arg", argument]);
    let command = ["run", path, "--kernel", "saxpy_tail"];
    let run = |sizes: &[&str]| lanewise(&[&command, sizes, &arguments.concat()].concat(), "");
    assert_eq!(run(&BLOCKS).out, RESULT);
    let shared = run(&[&BLOCKS[..], &["--shared", "64"]].concat());
    assert!(shared.err.contains("--shared"), "{}", shared.err);
    let huge = run(&["--grid", "4294967295", "--block", "2"]);
    assert!(huge.err.contains("4294967295 threads"), "{}", huge.err);
}

#[test]
fn sizes_that_lack_a_part_say_which() {
    for (options, message) in [
        (
            &["--grid", "2"][..],
            "lanewise: `--grid` without `--block`: add",
        ),
        (
            &["--block", "2"],
            "lanewise: `--block` without `--grid`: add",
        ),
        (
            &["--local", "2"],
            "lanewise: `--local` without `--global`: add",
        ),
        (
            &["--arg", "n=1"],
            "lanewise: `--arg` without the size of the launch: add `--global N`",
        ),
        (
            &["--json", "--kernel", "k"],
            "lanewise: `--kernel` without the size of the launch: add",
        ),
        (
            &["--block", "2", "--arg", "n=1"],
            "lanewise: `--block` without `--grid`: add",
        ),
        (
            &["--local", "2", "--arg", "n=1"],
            "lanewise: `--local` without `--global`: add",
        ),
    ] {
        let refused = lanewise(&[&["run", "a.cl"], options].concat(), "");
        assert_eq!((refused.code, &*refused.out), (2, ""), "{options:?}");
        assert!(refused.err.starts_with(message), "{}", refused.err);
        assert_eq!(refused.err.lines().count(), 1, "{}", refused.err);
    }
    // Other mistakes are those of any command.
    let missing = lanewise(&["run"], "");
    assert!(missing.err.contains("<FILE>"), "{}", missing.err);
}

#[test]
fn bad_launches_of_a_sass_listing_are_refused() {
    let good = [Y, X, "a=3.0", "n=4"];
    for (arguments, sizes, message) in [
        (
            &["y=float[8]", "0=float[8]", "a=3.0", "n=4"][..],
            BLOCKS,
            "argument 0 is given more than once",
        ),
        (&good[..3], BLOCKS, "add, for example, --arg 3=64"),
        (
            &[][..],
            BLOCKS,
            "--arg 0='float[64]' --arg 1='float[64]' --arg 2=1.0 --arg 3=64",
        ),
        (
            &[Y, X, "a=3.0", "n=4", "m=1"],
            BLOCKS,
            "`saxpy_tail` has 4 parameters, no argument `m`",
        ),
        (
            &[Y, X, "a=3:double", "n=4"],
            BLOCKS,
            "argument 2 (`a: value of 4 bytes`): the type of `3:double` differs",
        ),
        (
            &[Y, X, "a=3.0", "n=int[4]"],
            BLOCKS,
            "argument 3 (`n: buffer`): the parameter has 4 bytes, but an address has 8",
        ),
        (
            &[Y, "x=4:uint", "a=3.0", "n=4"],
            BLOCKS,
            "argument 1 (`x: value of 8 bytes`)",
        ),
        (
            &good[..],
            ["--grid", "2", "--block", "1025"],
            "invalid block size of 1025 threads",
        ),
        (
            &good[..],
            ["--grid", "4000000000", "--block", "1"],
            "too many blocks: 4000000000",
        ),
        (
            &good[..],
            ["--global", "10", "--local", "4"],
            "not a multiple",
        ),
        (
            &good[..],
            ["--grid", "2", "--block", "4,0"],
            "at least one thread in x, y and z, found 4,0,1",
        ),
        (
            &good[..],
            ["--grid", "1,65536", "--block", "4"],
            "too many blocks in y",
        ),
        (
            &good[..],
            ["--grid", "2", "--block", "1,1,65"],
            "too many threads of a block in z",
        ),
        (
            &["y=float[0]", X, "a=3.0", "n=4"],
            BLOCKS,
            "argument 0: a buffer has at least one element",
        ),
    ] {
        let refused = warp_saxpy(arguments, &sizes);
        assert_eq!((refused.code, refused.out.as_str()), (2, ""), "{message}");
        assert!(refused.err.contains(message), "{message}: {}", refused.err);
    }
    // Of SM80, with those of the cubin.
    let shared = [&BLOCKS[..], &["--shared", "166913"]].concat();
    let refused = warp_saxpy(&good, &shared);
    let message = "a block needs 166913 bytes of shared memory";
    assert!(refused.err.contains(message), "{}", refused.err);
    // Behind an argument of another size, the code would read a parameter that is not set.
    let alone = [&BLOCKS[..], &["--no-cubin"]].concat();
    for n in ["n=4:long", "n=local(4)"] {
        let refused = warp_saxpy(&[Y, X, "a=3.0", n], &alone);
        let message = "reads a parameter at 0x174, but argument 3 has 8 bytes";
        assert!(refused.err.contains(message), "{n}: {}", refused.err);
    }
    let checks = [&BLOCKS[..], &["--check"]].concat();
    let checked = warp_saxpy(&good, &checks);
    assert_eq!(checked.code, 0, "{}", checked.err);
}

/// A fault in shared memory is about its size, not about the buffers of global memory.
#[test]
fn missing_shared_memory_is_named() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../tests/vectors/sass-kernels");
    let (listing, cubin) = (
        format!("{folder}/flow.sm_80.sass"),
        format!("{folder}/flow.sm_80.cubin"),
    );
    let command = [
        "run",
        &listing,
        "--cubin",
        &cubin,
        "--kernel",
        "loop_barriers",
        "--grid",
        "2",
        "--block",
        "64",
        "--arg",
        "0=int[128]",
        "--arg",
        "1=int[128]=iota(1,1)",
        "--arg",
        "2=128",
    ];
    let faulted = lanewise(&command, "");
    assert_eq!(faulted.code, 1, "{}", faulted.err);
    assert!(faulted.out.contains("shared memory, which has 0 bytes"));
    assert!(faulted.out.contains("--shared N"), "{}", faulted.out);
    assert!(!faulted.out.contains("nearest buffer"), "{}", faulted.out);
    let enough = lanewise(&[&command[..], &["--shared", "256"]].concat(), "");
    assert_eq!(enough.code, 0, "{}", enough.out);
}

/// A cubin beside a listing has its kernel and is for its chip.
#[test]
fn cubins_of_other_listings_are_refused() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../tests/vectors/sass-kernels");
    let path = |name: &str| format!("{folder}/{name}");
    for (cubin, named) in [
        ("basics.sm_80.cubin", ["`early`", "saxpy_tail"]),
        ("flow.sm_50.cubin", ["SM80", "SM50"]),
        (
            "../kernels/zebin/basics.dg2.bin",
            ["flow.sm_80.sass", "not a cubin"],
        ),
    ] {
        let (listing, cubin) = (path("flow.sm_80.sass"), path(cubin));
        let command = ["run", &listing, "--cubin", &cubin, "--kernel", "early"];
        let arguments = ["--arg", "0=int[64]", "--arg", "1=int[64]", "--arg", "2=64"];
        let command = [&command[..], &BLOCKS, &arguments].concat();
        let refused = lanewise(&command, "");
        assert_eq!((refused.code, refused.out.as_str()), (2, ""), "{cubin}");
        for name in named {
            assert!(refused.err.contains(name), "{name}: {}", refused.err);
        }
    }
}

/// Without the cubin, parameters that the code reads need arguments.
#[test]
fn parameters_of_a_listing_need_arguments() {
    let alone = [&BLOCKS[..], &["--no-cubin"]].concat();
    for (given, missing) in [
        (
            &[][..],
            "--arg 0='float[64]' --arg 1='float[64]' --arg 2=1.0 --arg 3=64, or --cubin",
        ),
        (&[Y, X, "a=3.0"], "add, for example, --arg 3=64, or --cubin"),
    ] {
        let refused = warp_saxpy(given, &alone);
        assert_eq!((refused.code, refused.out.as_str()), (2, ""));
        assert!(refused.err.contains(missing), "{}", refused.err);
    }
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../tests/vectors/sass-kernels");
    let path = format!("{folder}/basics.sm_80.sass");
    let request = serde_json::json!({"do": "launch", "path": path, "kernel": "saxpy_tail",
        "grid": [2], "block": [32], "args": []});
    let answer: serde_json::Value = serde_json::from_str(&common::ask(&request)).expect("JSON");
    assert_eq!(answer["diagnostics"][0]["code"], "E0910", "{answer}");
}

/// All arguments that are missing are named at once, with values that `--arg` accepts.
#[test]
fn missing_arguments_have_examples() {
    let program = concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/../docs/guide/kernels/smooth.bin"
    );
    let launch = ["run", program, "--global", "64", "--local", "64"];
    let refused = lanewise(&launch, "");
    assert_eq!((refused.code, refused.out.as_str()), (2, ""));
    let line = refused.err.replace('\'', "");
    let (_, examples) = line.split_once("--arg").expect("examples");
    let examples: Vec<&str> = examples.split_whitespace().collect();
    let command = [&launch[..], &["--arg"], &examples].concat();
    let ran = lanewise(&command, "");
    assert!(ran.code < 2, "{}", ran.err);
    let unknown = lanewise(&[&launch[..], &["--arg", "result=float[64]"]].concat(), "");
    for name in ["`result`", "float *out", "uint n"] {
        assert!(unknown.err.contains(name), "{name}: {}", unknown.err);
    }
}

#[test]
fn fault_near_private_memory_names_private_memory() {
    let text = ".target visa DG2\n\
        .decl V32 v_type=G type=uq num_elts=1 align=GRF\n\
        .decl V33 v_type=G type=uq num_elts=8 align=GRF\n\
        .decl V34 v_type=G type=ud num_elts=8 align=GRF\n\
        .input V32 offset=32 size=8\n.launch global=8 local=8\n.simd 8\n.private 64\n\
        .buffer y : ud[4]\n.bind V32 = &private\n\
        add (M1, 8) V33(0,0)<1> V32(0,0)<0;1,0> 0x50:uw\n\
        lsc_load.ugm (M1, 8) V34:d32 flat[V33]:a64\n";
    let done = lanewise(&["run", "-"], text);
    assert!(done.out.contains("16 bytes past the end of private memory"));
    let done = lanewise(
        &["run", "-"],
        text.replace(":uw\n", ":d\n").replace("0x50", "-0xff00"),
    );
    assert!(done.out.contains("nearest buffer, `y`"), "{}", done.out);
    // Also if it is mapped.
    let gather = "svm_gather4_scaled.R (M1, 8) 0x0:uq V33.0 V34.0";
    let (text, _) = text.split_once("lsc_load").expect("a load");
    let text = format!("{text}{gather}\n").replace("0x50", "0x02");
    let done = lanewise(&["run", "-"], text);
    assert!(
        done.out.contains("in private memory is not"),
        "{}",
        done.out
    );
}

/// Runs a kernel of a program whose launches are refused or print.
fn edges(kernel: &str, options: &[&str]) -> Output {
    let program = concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/../tests/vectors/programs/edges.skl.bin"
    );
    let command = [&["run", program, "--kernel", kernel, "--global"], options];
    lanewise(&command.concat(), "")
}

#[test]
fn images_are_refused_without_examples() {
    let refused = edges("image", &["8"]);
    assert_eq!((refused.code, refused.out.as_str()), (2, ""));
    assert!(refused.err.contains("`a`"), "{}", refused.err);
    assert!(!refused.err.contains("--arg"), "{}", refused.err);
}

#[test]
fn other_work_groups_than_the_required_ones_are_refused() {
    let sizes = |local| ["16,8,4", "--local", local, "--arg", "o=int[512]"];
    assert_eq!(edges("required", &sizes("8,4,2")).code, 0);
    let refused = edges("required", &sizes("4,4,4"));
    assert_eq!((refused.code, refused.out.as_str()), (2, ""));
    assert!(refused.err.contains("8,4,2"), "{}", refused.err);
}

#[test]
fn a_work_group_has_the_local_memory_of_its_device() {
    let launch = |file: &str, bytes: u32| {
        let local = format!("l=local({bytes})");
        let values = ["in=int[8]", "out=int[8]", &local];
        let options = values.map(|value| ["--arg", value]).concat();
        launch(file, "reduce_local", &options)
    };
    for (file, most, larger) in [
        ("groups.skl.bin", 64 << 10, "PVC"),
        ("groups.dg2.bin", 64 << 10, "PVC"),
        ("groups.pvc.bin", 128 << 10, "NVL"),
    ] {
        assert_eq!(launch(file, most).code, 0, "{file}");
        let refused = launch(file, most + 1);
        assert_eq!((refused.code, &*refused.out), (2, ""), "{file}");
        for words in [
            format!("needs {} bytes of local memory", most + 1),
            format!("has {most}"),
            format!("one of {larger}"),
        ] {
            assert!(refused.err.contains(&words), "{words}: {}", refused.err);
        }
    }
    let shared = |bytes| {
        warp_saxpy(
            &[Y, X, "2=3.0", "3=4"],
            &[&BLOCKS[..], &["--shared", bytes]].concat(),
        )
    };
    assert_eq!(shared("166912").code, 0);
    let refused = shared("166913");
    assert_eq!(refused.code, 2);
    assert!(refused.err.contains("one of SM90"), "{}", refused.err);
}

#[test]
fn too_much_local_memory_is_an_error_of_its_argument() {
    let values = ["in=int[8]", "out=int[8]", "l=local(99999999)"];
    let options = values.map(|value| ["--arg", value]).concat();
    let refused = launch("groups.dg2.bin", "reduce_local", &options);
    assert_eq!((refused.code, refused.out.as_str()), (2, ""));
    assert!(refused.err.contains("argument 2"), "{}", refused.err);
}

#[test]
fn strings_may_be_constants() {
    let printed = edges("empty", &["1", "--local", "1"]);
    assert_eq!((printed.code, printed.err.as_str()), (0, ""));
    assert!(printed.out.contains("[    ] [abc]"), "{}", printed.out);
}

/// The program says `REAL alpha`, and the variable of the argument has a float type.
#[test]
fn numbers_take_the_type_of_their_variable() {
    let program = concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/../tests/vectors/programs/proposals.dg2.bin"
    );
    let scaled = |alpha: &str| {
        let alpha = format!("alpha={alpha}");
        let done = lanewise(
            &[
                "run",
                program,
                "--kernel",
                "scale",
                "--global",
                "8",
                "--json",
                "--arg",
                "o=float[8]",
                "--arg",
                "x=float[8]=splat(3)",
                "--arg",
                &alpha,
                "--arg",
                "count=8",
                "--arg",
                "beta=0.5",
            ],
            "",
        );
        let answer: serde_json::Value = serde_json::from_str(&done.out).expect("JSON");
        let first = answer["buffers"]["0"].as_str().expect("bytes")[..8].to_owned();
        (first, done.err)
    };
    let bytes = |number: f32| format!("{:08x}", number.to_bits().swap_bytes());
    let (first, notes) = scaled("2");
    assert_eq!(first, bytes(6.5));
    assert!(
        notes.contains("`REAL alpha`") && !notes.contains("beta"),
        "{notes}"
    );
    let (first, notes) = scaled("2:int");
    assert_eq!(first, bytes(0.5));
    assert!(!notes.contains("alpha"), "{notes}");
}
