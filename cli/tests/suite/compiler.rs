//! Sources are compiled before they are run, opened or checked. The compilers are scripts
//! that copy recorded programs, print recorded messages, or misbehave.
#![cfg(unix)]

use crate::common::Output;
use serde_json::Value;
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, Instant};

/// Answers `query` and `compile --help` as ocloc 22.43 does, and counts compilations.
const HEAD: &str = r#"#!/bin/sh
case "$1 $2" in
  "query "*) printf %s 22.43.24595 > OCL_DRIVER_VERSION; exit 0 ;;
  "compile --help") echo "<device_type> can be: skl, tgllp, dg2, pvc, version"; exit 0 ;;
esac
echo "$*" >> "$0.log"
while [ $# -gt 0 ]; do
  case "$1" in
    -file) file=$2 ;; -device) device=$2 ;; -out_dir) out=$2 ;;
  esac
  shift
done
"#;

/// Copies the recorded program for the device.
const COPY: &str = "cp \"$PROGRAMS/basics.$device.bin\" \"$out/program_$device.bin\"\n";

const SOURCE: &str = "kernel void saxpy_tail(global float *y, global const float *x, float a, uint n) {\n  \
    uint i = get_global_id(0)\n}\n";

const LAUNCH: [&str; 14] = [
    "--kernel",
    "saxpy_tail",
    "--global",
    "8",
    "--local",
    "4",
    "--arg",
    "y=float[8]=iota(1, 1)",
    "--arg",
    "x=float[8]=splat(2)",
    "--arg",
    "a=3",
    "--arg",
    "n=4",
];

/// A folder with a source and a compiler.
struct Setup {
    folder: tempfile::TempDir,
}

impl Setup {
    fn new(script: &str) -> Self {
        let setup = Self {
            folder: tempfile::tempdir().unwrap(),
        };
        setup.program("ocloc", &format!("{HEAD}{script}"));
        fs::write(setup.path("a.cl"), SOURCE).unwrap();
        setup
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    fn program(&self, name: &str, script: &str) {
        fs::write(self.path(name), script).unwrap();
        let executable = fs::Permissions::from_mode(0o755);
        fs::set_permissions(self.path(name), executable).unwrap();
    }

    fn run(&self, arguments: &[&str]) -> Output {
        let vectors = Path::new(env!("CARGO_MANIFEST_DIR")).join("../tests/vectors");
        let path = format!("{}:/usr/bin:/bin", self.folder.path().display());
        let output = Command::new(env!("CARGO_BIN_EXE_lanewise"))
            .args(arguments)
            .current_dir(self.folder.path())
            .env("LANEWISE_CACHE", self.path("cache"))
            .env("PROGRAMS", vectors.join("kernels/zebin"))
            .env("LISTINGS", vectors.join("files"))
            .env("PATH", path)
            .env_remove("LANEWISE_OCLOC")
            .output()
            .expect("the program runs");
        Output {
            code: output.status.code().expect("it was not killed"),
            out: String::from_utf8(output.stdout).expect("UTF-8"),
            err: String::from_utf8(output.stderr).expect("UTF-8"),
        }
    }

    fn launch(&self, options: &[&str]) -> Output {
        self.run(&[&["run", "a.cl"], &LAUNCH[..], options].concat())
    }

    /// The command lines of all compilations.
    fn compilations(&self) -> Vec<String> {
        let log = fs::read_to_string(self.path("ocloc.log")).unwrap_or_default();
        log.lines().map(String::from).collect()
    }
}

#[test]
fn a_source_runs_in_one_command_and_is_compiled_once() {
    let setup = Setup::new(COPY);
    let first = setup.launch(&["--device", "dg2"]);
    assert_eq!((first.code, first.err.as_str()), (0, ""));
    assert!(
        first.out.contains("7  8  9 10  5  6  7  8"),
        "{}",
        first.out
    );
    assert_eq!(setup.launch(&["--device", "dg2"]).out, first.out);
    let log = setup.compilations();
    assert_eq!(log.len(), 1, "{log:?}");
    for part in [
        "-g ",
        "-cl-intel-allow-zebin -ze-emit-zebin-visa-sections",
        "-device dg2",
    ] {
        assert!(log[0].contains(part), "{part}: {}", log[0]);
    }
    // What a program depends on: device, options, source, compiler.
    setup.launch(&["--device", "pvc"]);
    setup.launch(&["--device", "dg2", "--compiler-options", "-DN=4"]);
    fs::write(setup.path("a.cl"), format!("{SOURCE}\n")).unwrap();
    setup.launch(&["--device", "dg2"]);
    setup.program("ocloc", &format!("{HEAD}{COPY}# newer\n"));
    setup.launch(&["--device", "dg2"]);
    assert_eq!(setup.compilations().len(), 5);
    // Included files are not part of the key.
    fs::write(setup.path("a.cl"), format!("#include \"b.h\"\n{SOURCE}")).unwrap();
    setup.launch(&["--device", "dg2"]);
    setup.launch(&["--device", "dg2"]);
    let log = setup.compilations();
    assert_eq!(log.len(), 7);
    let folder = format!("-I {}", setup.folder.path().display());
    assert!(log[6].contains(&folder), "{}", log[6]);
}

#[test]
fn open_lists_the_kernels_of_a_source() {
    let setup = Setup::new(COPY);
    let done = setup.run(&["open", "a.cl"]);
    assert_eq!(done.code, 0);
    assert!(
        done.out.contains("saxpy_tail") && done.out.contains("DG2"),
        "{}",
        done.out
    );
    assert!(done.err.contains("compiled for dg2"), "{}", done.err);
    let several = setup.run(&["run", "a.cl", "--global", "8"]);
    assert_eq!(several.code, 2);
    assert!(
        several.err.contains("has several kernels; add --kernel"),
        "{}",
        several.err
    );
    let no_size = setup.run(&["run", "a.cl"]);
    assert!(
        no_size.code == 2 && no_size.err.contains("--kernel NAME --global N"),
        "{}",
        no_size.err
    );
}

/// Recorded from ocloc 22.43.
const REJECT: &str = r#"
echo "$file:2:28: error: expected ';' at end of declaration"
echo "  uint i = get_global_id(0)"
echo
echo "Build failed with error code: -11"
exit 245
"#;

#[test]
fn messages_of_the_compiler_stand_at_their_lines() {
    let setup = Setup::new(REJECT);
    let run = setup.launch(&[]);
    assert_eq!((run.code, run.out.as_str()), (1, ""));
    assert!(
        run.err
            .contains("error[E0906]: expected ';' at end of declaration"),
        "{}",
        run.err
    );
    assert!(run.err.contains("a.cl:2:28"), "{}", run.err);
    let check = setup.run(&["check", "a.cl", "--json"]);
    assert_eq!(check.code, 1);
    let answer: Value = serde_json::from_str(&check.out).unwrap();
    let found = &answer["diagnostics"][0];
    assert_eq!(
        (&found["line"], &found["column"]),
        (&Value::from(2), &Value::from(28))
    );
    let sarif = setup.run(&["check", "a.cl", "--sarif"]);
    let log: Value = serde_json::from_str(&sarif.out).unwrap();
    let place = &log["runs"][0]["results"][0]["locations"][0]["physicalLocation"];
    assert_eq!(place["region"]["startLine"], 2);
}

#[test]
fn a_source_without_problems_is_clean() {
    let setup = Setup::new(&format!(
        "echo \"$file:2:8: warning: unused variable 'i'\" >&2\n{COPY}"
    ));
    for _ in 0..2 {
        // Cached programs keep their warnings.
        let check = setup.run(&["check", "a.cl"]);
        assert_eq!(check.code, 0, "{}", check.err);
        assert!(
            check.err.contains("warning[W0907]: unused variable 'i'"),
            "{}",
            check.err
        );
    }
    assert_eq!(setup.compilations().len(), 1);
    let denied = setup.run(&["check", "a.cl", "--deny-warnings"]);
    assert_eq!(denied.code, 1);
}

#[test]
fn compilers_that_misbehave_are_stopped_and_named() {
    for (script, said) in [
        (
            "sleep 60 & sleep 60\n",
            "it did not end within 1 s, and was stopped",
        ),
        ("kill -SEGV $$\n", "failed (signal: 11"),
        ("exit 0\n", "wrote no program"),
        (
            "echo 'Error: no device'; exit 3\n",
            "failed (exit status: 3) for device `dg2`:\n  Error: no device",
        ),
        ("echo nonsense > \"$out/a.bin\"\n", "a.cl"),
        (
            "dd if=/dev/zero of=\"$out/a.bin\" bs=1 count=1 seek=70000000 2>/dev/null\n",
            "more than 64 MB",
        ),
        (
            "head -c 30000000 /dev/zero | tr '\\0' x; exit 1\n",
            "failed (exit status: 1)",
        ),
    ] {
        let setup = Setup::new(script);
        let start = Instant::now();
        let done = setup.launch(&["--compiler-limit", "1", "--device", "dg2"]);
        assert_eq!(done.code, 2, "{script}: {}", done.err);
        assert!(done.err.contains(said), "{script}: {}", done.err);
        assert!(done.err.len() < 3000, "{script}");
        assert!(start.elapsed() < Duration::from_secs(20), "{script}");
    }
}

#[test]
fn structures_of_the_source_are_types_of_buffers() {
    let setup = Setup::new(COPY);
    // vISA has a type of this name, too.
    let source = format!("typedef struct {{ float a; float b[3]; }} F;\n{SOURCE}");
    fs::write(setup.path("a.cl"), source).unwrap();
    let launch = LAUNCH.map(|word| word.replace("x=float[8]", "x=F[2]"));
    let launch: Vec<&str> = launch.iter().map(|word| &**word).collect();
    let done = setup.run(&[&["run", "a.cl", "--device", "dg2"], &launch[..]].concat());
    assert_eq!((done.code, &*done.err), (0, ""));
    assert!(done.out.contains("7  8  9 10  5  6  7  8"), "{}", done.out);
}

/// The fields of `Params`: scale.x to scale.w, shift.x and shift.y, flags, bias, pair.a and
/// pair.b, big. There is padding behind flags, pair.b and big.
#[test]
fn structures_are_given_by_the_fields_of_the_source() {
    let setup = Setup::new("cp \"$PROGRAMS/vectors.$device.bin\" \"$out/program.bin\"\n");
    let source = include_str!("../../../tests/vectors/kernels/vectors.cl");
    fs::write(setup.path("a.cl"), source).unwrap();
    let run = |p: &str, pairs: &str| {
        let (p, pairs) = (format!("p={p}"), format!("pairs={pairs}"));
        let command = ["run", "a.cl", "--device", "pvc", "--kernel", "params"];
        let sizes = ["--global", "2", "--local", "2", "--arg", "out=float[4]"];
        let arguments = ["--arg", &*p, "--arg", &*pairs, "--arg", "tag=1"];
        let rest = ["--arg", "unused=0"];
        setup.run(&[&command[..], &sizes, &arguments, &rest].concat())
    };
    let (p, pairs) = ("2,0,0,3, 10,1, 4,-2, 7,0.5, 4294967296", "Pair[2]=1,5, 2,6");
    let done = run(p, pairs);
    assert_eq!((done.code, &*done.err), (0, ""));
    assert!(done.out.contains("26 11.5   26 11.5"), "{}", done.out);
    for (p, pairs, words) in [
        (
            "2,0,0,3",
            pairs,
            "`struct Params` has 11 fields, found 4 values: write scale.x (`float`)",
        ),
        (
            &*p.replace("7", "7:float"),
            pairs,
            "field `pair.a` (`int`) of `struct Params`: `7:float` names another type",
        ),
        (
            &*p.replace("7", "7.5"),
            pairs,
            "expected a whole number, found `7.5`",
        ),
        (&*p.replace("-2", "40000"), pairs, "field `bias` (`short`)"),
        (
            p,
            "Pair[2]=1,5",
            "expected 4 values, found 2: write a (`int`)",
        ),
        (p, "Pair[2]=1,5,2.5,6", "field `a` (`int`) of `Pair`"),
    ] {
        let refused = run(p, pairs);
        assert_eq!((refused.code, &*refused.out), (2, ""), "{words}");
        assert!(refused.err.contains(words), "{words}: {}", refused.err);
    }
    let lacking = setup.run(&[
        "run", "a.cl", "--device", "pvc", "--kernel", "params", "--global", "2",
    ]);
    let example = "--arg 1=1.0,1.0,1.0,1.0,1,1,1,1,1,1.0,1";
    assert!(lacking.err.contains(example), "{}", lacking.err);
}

#[test]
fn devices_are_listed_if_the_device_is_the_cause() {
    let command = "echo \"Command was: ocloc compile -file $file -device $device\"; exit 3\n";
    for (message, is_cause) in [
        ("Error: Cannot get HW Info for device $device.", true),
        ("Unrecognized build options: -bogus", false),
    ] {
        let setup = Setup::new(&format!("echo \"{message}\"\n{command}"));
        let done = setup.launch(&["--device", "kbl"]);
        let said = "The compiler's devices include skl, tgllp, dg2, pvc";
        assert_eq!(done.err.contains(said), is_cause, "{}", done.err);
    }
}

#[test]
fn a_compiler_that_hangs_is_asked_once() {
    let setup = Setup::new("");
    let log = setup.path("ocloc.log");
    setup.program(
        "ocloc",
        &format!("#!/bin/sh\necho \"$@\" >> {}\nsleep 60\n", log.display()),
    );
    let done = setup.launch(&["--compiler-limit", "1"]);
    assert_eq!(done.code, 2, "{}", done.err);
    assert!(done.err.contains("within 1 s"), "{}", done.err);
    assert_eq!(setup.compilations().len(), 1);
}

#[test]
fn without_a_compiler_the_message_says_how_to_get_it() {
    let setup = Setup::new(COPY);
    fs::remove_file(setup.path("ocloc")).unwrap();
    let missing = setup.launch(&["--compiler", "./ocloc"]);
    assert_eq!(missing.code, 2);
    assert!(
        missing.err.contains("--compiler: no program"),
        "{}",
        missing.err
    );
    fs::write(setup.path("a.ptx"), "// PTX").unwrap();
    let ptx = setup.run(&["open", "a.ptx", "--compiler", "nowhere/ptxas"]);
    assert!(
        ptx.err.contains("no program `nowhere/ptxas`"),
        "{}",
        ptx.err
    );
    // Options are not interpreted by a shell, and devices are names.
    let setup = Setup::new(COPY);
    let options = "-DX=$(touch harm);touch harm";
    setup.launch(&["--device", "dg2", "--compiler-options", options]);
    assert!(!setup.path("harm").exists());
    let device = setup.launch(&["--device", "dg2 -o harm"]);
    assert!(device.err.contains("is not a device"), "{}", device.err);
}

#[test]
fn all_devices_are_compared() {
    let setup = Setup::new(COPY);
    let all = setup.launch(&["--device", "all"]);
    assert_eq!(all.code, 0, "{}", all.err);
    let same = "The same on 4 devices: skl, tgllp, dg2, pvc.\n";
    assert!(all.out.starts_with(same), "{}", all.out);
    // Another kernel on one of them: y differs from its third element on.
    let other = "[ $device = tgllp ] && exit 3\n";
    let setup = Setup::new(&format!("{other}{COPY}"));
    let some = setup.launch(&["--device", "all", "--json"]);
    let answer: Value = serde_json::from_str(&some.out).unwrap();
    assert_eq!(answer["same"], true);
    assert_eq!(answer["devices"]["tgllp"]["ok"], false);
    assert_eq!(answer["devices"]["dg2"]["fault"], Value::Null);
    let no_source = setup.run(&["run", "a.bin", "--global", "8", "--device", "all"]);
    assert!(
        no_source.err.contains("--device all takes a source"),
        "{}",
        no_source.err
    );
}

#[test]
fn cuda_and_ptx_are_compiled_and_listed() {
    let setup = Setup::new("");
    let compiler = "#!/bin/sh\n[ \"$1\" = --version ] && { echo V12.4.131; exit 0; }\n\
        while [ $# -gt 1 ]; do [ \"$1\" = -o ] && cat \"$LISTINGS/atoms_sm50.cubin\" > \"$2\"; shift; done\n";
    let listing = "#!/bin/sh\ncat \"$LISTINGS/atoms_sm50.nvdisasm.sass\"\n";
    setup.program("nvdisasm", listing);
    for (source, program) in [("k.cu", "nvcc"), ("k.ptx", "ptxas")] {
        setup.program(program, compiler);
        fs::write(setup.path(source), "source").unwrap();
        let done = setup.run(&["open", source, "--device", "sm_50"]);
        assert_eq!(done.code, 0, "{}", done.err);
        assert!(done.out.contains("atoms (sass SM50)"), "{}", done.out);
    }
    // In the form of ptxas.
    setup.program(
        "ptxas",
        "#!/bin/sh\necho \"ptxas $PWD/k.ptx, line 1; fatal   : Missing .version directive\" >&2\n\
         echo \"ptxas fatal   : Ptx assembly aborted due to errors\" >&2; exit 255\n",
    );
    let done = setup.run(&["open", "k.ptx"]);
    assert_eq!(done.code, 1);
    assert!(
        done.err.contains("Missing .version directive"),
        "{}",
        done.err
    );
}

/// The data of a cubin, such as the places of its jump tables, comes with its listing: of a source
/// that is compiled here, and of a cubin whose code is not read.
#[test]
fn listings_made_here_have_the_data_of_their_cubins() {
    let setup = Setup::new("");
    let cubin = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../tests/vectors/sass-kernels/flow.sm_120.cubin");
    fs::copy(&cubin, setup.path("k.cubin")).expect("a cubin");
    let source = "extern \"C\" __global__ void switcher(int *o, const int *in, int n) {}";
    fs::write(setup.path("k.cu"), source).expect("a source");
    let run = |file: &str| {
        setup.run(&[
            "run",
            file,
            "--device",
            "sm_120",
            "--kernel",
            "switcher",
            "--grid",
            "1",
            "--block",
            "32",
            "--arg",
            "o=int[32]",
            "--arg",
            "in=int[32]=iota(0, 1)",
            "--arg",
            "n=32",
        ])
    };
    let alone = run("k.cubin");
    assert_eq!(alone.code, 2);
    assert!(alone.err.contains("nvdisasm -c"), "{}", alone.err);
    setup.program(
        "nvdisasm",
        &format!(
            "#!/bin/sh\ncat '{}'\n",
            cubin.with_extension("sass").display()
        ),
    );
    setup.program(
        "nvcc",
        "#!/bin/sh\n[ \"$1\" = --version ] && { echo V13.5.37; exit 0; }\n\
         here=$(dirname \"$0\")\n\
         while [ $# -gt 1 ]; do [ \"$1\" = -o ] && cat \"$here/k.cubin\" > \"$2\"; shift; done\n",
    );
    // The second time from the cache.
    for file in ["k.cubin", "k.cu", "k.cu"] {
        let done = run(file);
        assert_eq!(done.code, 0, "{file}: {}", done.err);
        // Elements 0, 1 and 2 are v + 1, v * 3 and v ^ 77.
        assert!(done.out.contains("0    1   3  79"), "{file}: {}", done.out);
    }
    // A source also has the names of the parameters.
    let opened = setup.run(&["open", "k.cu", "--device", "sm_120", "--json"]);
    let opened: Value = serde_json::from_str(&opened.out).expect("an answer");
    let functions = opened["functions"].as_array().expect("functions");
    let switcher = functions.iter().find(|f| f["name"] == "switcher");
    let switcher = switcher.expect("the kernel");
    let names: Vec<&Value> = (0..3).map(|i| &switcher["parameters"][i]["name"]).collect();
    assert_eq!(names, ["o", "in", "n"]);
    let scenario = switcher["scenario"].as_str().expect("a launch");
    for line in [".buffer o :", ".buffer in :", ".param 0x388 = &in"] {
        assert!(scenario.contains(line), "{line}: {scenario}");
    }
    let named = |name: &str| {
        let number = format!("{name}=32");
        setup.run(&[
            "run",
            "k.cu",
            "--device",
            "sm_120",
            "--kernel",
            "switcher",
            "--grid",
            "1",
            "--block",
            "32",
            "--arg",
            &number,
            "--arg",
            "in=int[32]=iota(0, 1)",
            "--arg",
            "o=int[32]",
        ])
    };
    assert!(
        named("n").out.contains("0    1   3  79"),
        "{}",
        named("n").err
    );
    let other = named("count");
    assert!(other.err.contains("it has o, in, n"), "{}", other.err);
}

/// With Intel's real compiler, if it is installed.
#[test]
fn the_real_compiler_works() {
    let Ok(version) = Command::new("ocloc").arg("--help").output() else {
        println!("ocloc is not installed");
        return;
    };
    assert!(version.status.success());
    let setup = Setup::new("");
    fs::remove_file(setup.path("ocloc")).unwrap();
    let source = "kernel void k(global uint *y, uint n) {\n  y[get_global_id(0)] += n;\n}\n";
    fs::write(setup.path("a.cl"), source).unwrap();
    let arguments = [
        "run",
        "a.cl",
        "--global",
        "8",
        "--arg",
        "y=uint[8]=iota(1, 1)",
        "--arg",
        "n=2",
    ];
    let done = setup.run(&arguments);
    assert_eq!(done.code, 0, "{}", done.err);
    assert!(done.out.contains("3  4  5  6  7  8  9 10"), "{}", done.out);
    fs::write(setup.path("a.cl"), source.replace("n;", "m;")).unwrap();
    let done = setup.run(&arguments);
    assert_eq!(done.code, 1);
    assert!(done.err.contains("a.cl:2:26"), "{}", done.err);
}

#[test]
fn reports_for_ci_servers_are_written() {
    let setup = Setup::new(REJECT);
    let reports = ["--sarif=out.sarif", "--junit", "out.xml"];
    let read = |name: &str| fs::read_to_string(setup.path(name)).unwrap();
    for command in [
        ["check", "a.cl"].to_vec(),
        [&["run", "a.cl"], &LAUNCH[..]].concat(),
    ] {
        let done = setup.run(&[&command[..], &reports].concat());
        assert_eq!(done.code, 1, "{}", done.err);
        let log: Value = serde_json::from_str(&read("out.sarif")).unwrap();
        let result = &log["runs"][0]["results"][0];
        assert_eq!(result["ruleId"], "E0906");
        let place = &result["locations"][0]["physicalLocation"];
        assert_eq!(place["region"]["startLine"], 2);
        let xml = read("out.xml");
        assert!(xml.contains("tests=\"1\" failures=\"1\""), "{xml}");
        assert!(xml.contains("a.cl:2:28: error[E0906]: expected"), "{xml}");
        fs::remove_file(setup.path("out.sarif")).unwrap();
    }
    let setup = Setup::new(COPY);
    let read = |name: &str| fs::read_to_string(setup.path(name)).unwrap();
    let done = setup.launch(&[&reports[..], &["--device", "dg2"]].concat());
    assert_eq!(done.code, 0, "{}", done.err);
    assert!(
        read("out.xml").contains("name=\"a.cl: saxpy_tail\"/>"),
        "{}",
        read("out.xml")
    );
    let all = setup.launch(&[&reports[..], &["--device", "all"]].concat());
    assert_eq!(all.code, 0);
    assert!(
        read("out.xml").contains("tests=\"4\" failures=\"0\""),
        "{}",
        read("out.xml")
    );
    assert!(
        read("out.xml").contains("a.cl on pvc"),
        "{}",
        read("out.xml")
    );
    // Findings of the checks.
    let vectors = Path::new(env!("CARGO_MANIFEST_DIR")).join("../tests/vectors/checks");
    let racing = vectors.join("01-missing-barrier.2026-bmg.bin");
    let racing = racing.to_str().unwrap();
    let launch = ["run", racing, "--global=128", "--local=64", "--check=races"];
    let values = ["--arg=o=int[128]", "--arg=a=int[128]", "--arg=s=local(256)"];
    for (fail, code) in [("error", 1), ("never", 0)] {
        let fail = format!("--check-fail={fail}");
        let done = setup.run(&[&launch[..], &values, &reports, &[&fail]].concat());
        assert_eq!(done.code, code, "{}", done.err);
        let log: Value = serde_json::from_str(&read("out.sarif")).unwrap();
        let results = log["runs"][0]["results"].as_array().unwrap();
        let rules: Vec<_> = results.iter().map(|result| &result["ruleId"]).collect();
        assert_eq!(rules, ["W0831"]);
        let xml = read("out.xml");
        assert!(xml.contains(&format!("failures=\"{code}\"")), "{xml}");
        assert_eq!(xml.contains("error[W0831]"), code == 1, "{xml}");
    }
    // A scenario that faults.
    let text = ".decl V32 v_type=G type=ud num_elts=8 align=GRF\n.slm 64\n.init V32 = splat(3)\n\
        dword_atomic.inc (M1, 8) %slm V32.0 %null.0 %null.0 V32.0\n";
    fs::write(setup.path("a.lanewise"), text).unwrap();
    let faulted = setup.run(&[&["run", "a.lanewise"], &reports[..]].concat());
    assert_eq!(faulted.code, 1, "{}", faulted.out);
    assert!(
        read("out.sarif").contains("\"ruleId\": \"fault\""),
        "{}",
        read("out.sarif")
    );
    assert!(
        read("out.xml").contains("error[fault]"),
        "{}",
        read("out.xml")
    );
}
