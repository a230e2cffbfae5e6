//! Scenarios of opened files map the memory that their instructions access.

use lanewise_core::isa::{Family, FaultKind};
use lanewise_core::program::Program;
use lanewise_core::session::run;
use lanewise_files::{FileKind, OpenedFile, caveats, is_proposed, open};
use std::path::PathBuf;

/// Opens a SASS listing without encodings as a scenario.
fn sass(code: &str) -> String {
    let file = open("x.sass", format!("Function : f\n{code}").as_bytes()).expect("a listing");
    file.functions[0].scenario()
}

/// Opens a vISA listing as a scenario.
fn visa(code: &str) -> String {
    let file = open("x.visaasm", code.as_bytes()).expect("a listing");
    file.functions[0].scenario()
}

/// Proposed directives.
fn proposed(scenario: &str) -> Vec<&str> {
    let lines = scenario
        .lines()
        .skip_while(|line| !line.starts_with("// Not from the file"));
    let directives = lines.take_while(|line| !line.is_empty()).skip(1);
    let unmarked = directives.map(|line| line.strip_suffix("  // proposed").unwrap_or(line));
    unmarked.collect()
}

/// Fault message of a scenario, if it faults.
fn fault(scenario: &str) -> Option<String> {
    let program = Program::parse(scenario);
    let messages: Vec<_> = program.diagnostics.iter().map(|d| d.message()).collect();
    assert!(program.can_run(), "{messages:?}\n{scenario}");
    run(&program).fault.map(|fault| fault.message)
}

#[test]
fn scenarios_of_all_samples_run_to_the_end_or_have_errors() {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../tests/vectors/files");
    let (mut complete, mut refused) = (0, 0);
    for entry in std::fs::read_dir(folder).expect("the samples") {
        let path = entry.expect("an entry").path();
        let name = path.to_string_lossy();
        let bytes = std::fs::read(&path).expect("a sample");
        let Ok(file) = open(&name, &bytes) else {
            continue;
        };
        for function in file.functions.iter().filter(|f| f.own_instructions() > 0) {
            let scenario = function.scenario();
            let has_errors = function
                .notes
                .iter()
                .any(|note| note.contains("cannot be read"));
            let program = Program::parse(&scenario);
            assert_eq!(program.can_run(), !has_errors, "{name}\n{scenario}");
            assert_eq!(is_proposed(&scenario), !proposed(&scenario).is_empty());
            if has_errors {
                refused += 1;
                continue;
            }
            // Some kernels loop forever. Compiled kernels need the arguments of a
            // launch, and a comment says so.
            let fault = run(&program).fault;
            let fault = fault.filter(|fault| fault.kind != FaultKind::OutOfFuel);
            let is_announced =
                scenario.contains(" stops the run (") || scenario.contains(" still faults (");
            assert!(
                fault.is_none() || is_announced,
                "{name}: {fault:?}\n{scenario}"
            );
            complete += 1;
            let mut instructions = program.instructions.iter();
            let has_addresses = instructions.any(|placed| placed.instruction.spec().lane_queue);
            let is_sass = program.symbols.target.family() == Family::Sass;
            assert!(
                !is_sass || is_proposed(&scenario) == has_addresses,
                "{scenario}"
            );
        }
    }
    println!("{complete} scenarios run to their end, {refused} have errors");
    assert!(complete >= 80 && refused > 0, "{complete} {refused}");
}

#[test]
fn proposed_lines_are_marked() {
    let scenario = sass("ATOM.ADD R0, [R2], R4 ;\nMOV R1, R2 ;\nMOV R3, R2 ;\n");
    assert!(is_proposed(&scenario), "{scenario}");
    assert_eq!(
        caveats(&scenario),
        [
            "2 instructions are comments and do not run",
            "memory and start values are proposals, not from the file"
        ]
    );
    let edited = scenario.replace("  // proposed", "");
    assert!(!is_proposed(&edited));
    // Only the mark of a directive counts.
    for text in [
        "// proposed\n",
        ".init V1 = 1 // as proposed\n",
        "ret // proposed\n",
    ] {
        assert!(!is_proposed(text), "{text}");
    }
}

#[test]
fn memory_for_32_and_64_bit_addresses() {
    let scenario = sass(
        "ATOM.E.ADD R0, [R2], R4 ;\nATOM.ADD R0, [R6+-0x10], R4 ;\nRED.E.ADD.64 [R2+0x7fff8], R8 ;\n",
    );
    assert_eq!(
        proposed(&scenario),
        [
            ".region global 0x10000 4096",
            ".region global 0x1f000 8192",
            ".region global 0x8f000 8192",
            ".init R2:R3 = iota(0x10000, 8)",
            ".init R6 = iota(0x20000, 4)",
        ],
        "{scenario}"
    );
    assert_eq!(fault(&scenario), None);
}

#[test]
fn shared_registers_get_one_address() {
    // R2 is a 32-bit address and the low half of a 64-bit address in R2:R3.
    let scenario = sass("ATOM.ADD R0, [R2], R4 ;\nATOM.E.ADD R0, [R2], R4 ;\nRED.ADD [R3], R4 ;\n");
    assert_eq!(
        proposed(&scenario),
        [
            ".region global 0x0 4096",
            ".region global 0x10000 4096",
            ".init R2:R3 = iota(0x10000, 4)",
        ]
    );
    assert_eq!(fault(&scenario), None);
}

#[test]
fn memory_for_constant_addresses_and_guarded_instructions() {
    let scenario = sass(
        "ATOM.ADD R0, [0x120], R4 ;\n@P0 RED.ADD [R2], R4 ;\n@!P0 RED.ADD [R5], R4 ;\n@!PT RED.ADD [R7], R4 ;\n",
    );
    let proposal = proposed(&scenario).join("\n");
    for line in [
        ".region global 0x0 4096",
        ".init R2 = iota(0x10000, 4)",
        ".init R5 = iota(0x20000, 4)",
    ] {
        assert!(proposal.contains(line), "{proposal}");
    }
    // No lane is ever active.
    assert!(!proposal.contains("R7"), "{proposal}");
    for bits in ["0", "0xffffffff"] {
        assert_eq!(fault(&format!("{scenario}\n.init P0 = {bits}\n")), None);
    }
}

#[test]
fn cells_are_aligned_despite_misaligned_constants() {
    let scenario = sass("ATOM.E.ADD.64 R0, [R2+0x4], R4 ;\n");
    assert!(
        scenario.contains(".init R2:R3 = iota(0x10004, 8)"),
        "{scenario}"
    );
    assert_eq!(fault(&scenario), None);
}

#[test]
fn memory_for_returned_addresses() {
    // The first line sets R2 to 0.
    let scenario = sass("ATOM.EXCH R2, [R2], RZ ;\nRED.ADD [R2+0x40000], R4 ;\n");
    assert!(
        proposed(&scenario).contains(&".region global 0x40000 4096"),
        "{scenario}"
    );
    assert_eq!(fault(&scenario), None);
}

#[test]
fn remaining_faults_are_comments() {
    // R2 becomes 1, which is misaligned.
    let code =
        "RED.INC [R6], R8 ;\nRED.ADD [R8], RZ ;\nATOM.ADD R2, [R6], RZ ;\nRED.ADD [R2], RZ ;\n";
    let scenario = sass(code);
    assert!(
        scenario.contains("// `RED.ADD [R2], RZ` still faults (misaligned, address 0x"),
        "{scenario}"
    );
    assert!(fault(&scenario).is_some_and(|why| why.contains("multiple of 4")));
    // The shared-memory window.
    let window = sass("RED.ADD [0xffffc], RZ ;\n");
    assert_eq!(fault(&window), None);
}

#[test]
fn addresses_and_offsets_of_scatters_are_distinguished() {
    let scenario = visa(
        ".kernel \"k\"\n.decl A v_type=G type=uq num_elts=1 align=qword\n\
         .decl O v_type=G type=uq num_elts=8 align=GRF\n.decl D v_type=G type=ud num_elts=64 align=GRF\n\
         svm_scatter4scaled.RGB (M1, 8) A(0,0)<0;1,0> O.0 D.0\n",
    );
    assert_eq!(
        proposed(&scenario),
        [
            ".region svm 0x10000 4096",
            ".init A = splat(0x10000)",
            ".init O = iota(0, 16)",
        ],
        "{scenario}"
    );
    assert_eq!(fault(&scenario), None);
}

#[test]
fn surfaces_cover_the_offsets() {
    let scenario = visa(
        ".kernel \"k\"\n.decl V32 v_type=G type=ud num_elts=16 align=GRF\n.decl T6 v_type=T num_elts=1\n\
         .decl T7 v_type=T num_elts=1\ndword_atomic.inc (M1, 16) T6 V32.0 %null.0 %null.0 %null.0\n",
    );
    assert_eq!(
        proposed(&scenario),
        [".surface T6 4096", ".init V32 = iota(0, 4)"],
        "{scenario}"
    );
    assert_eq!(fault(&scenario), None);
}

#[test]
fn existing_initial_values_are_kept() {
    let listing = ".target visa XEHP\n.decl V32 v_type=G type=uq num_elts=8 align=GRF\n.region svm 0x5000 4096\n\
         .init V32 = iota(0x5000, 4)\n.decl V33 v_type=G type=ud num_elts=8 align=GRF\n\
         svm_atomic.inc (M1, 8) V32.0 V33.0 %null.0 %null.0\n";
    let file: OpenedFile = open("x.visaasm", listing.as_bytes()).expect("a listing");
    assert_eq!(file.kind, FileKind::VisaListing);
    let scenario = file.functions[0].scenario();
    assert_eq!(proposed(&scenario), [""; 0], "{scenario}");
    assert_eq!(fault(&scenario), None);
}
