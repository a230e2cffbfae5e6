//! Source constructs that compile to instructions: PTX compared with recorded output
//! of ptxas, OpenCL C with the functions listed in the extensions.

use lanewise_core::isa::sass::chip::Chip;
use lanewise_core::isa::sass::operation::SassOperation;
use lanewise_core::isa::sass::size::Size;
use lanewise_core::isa::{Family, SPECS, Target};
use lanewise_core::program::Assembler;
use lanewise_tests::vectors::{self, Ptx};
use std::collections::{BTreeMap, BTreeSet};

/// Construct name of a recorded PTX instruction, with optional `.global`.
fn named(ptx: &str) -> String {
    let (instruction, rest) = ptx.split_once('.').expect("a dot");
    let rest = rest.strip_prefix("global.").unwrap_or(rest);
    format!("{instruction}{{.global}}.{rest}")
}

/// Operands for an instruction with the given start.
fn operands(sass: &str) -> String {
    let (mnemonic, rz) = match sass.strip_suffix(" RZ") {
        Some(mnemonic) => (mnemonic, true),
        None => (sass, false),
    };
    let dst = match (mnemonic.starts_with("ATOM"), rz) {
        (false, _) => "",
        (true, true) => "RZ, ",
        (true, false) => "R0, ",
    };
    let rc = match mnemonic {
        m if m.ends_with("CAS") => ", R9",
        m if m.ends_with("CAS.64") => ", R10",
        _ => "",
    };
    format!("{mnemonic} {dst}[R2], R8{rc}")
}

#[test]
fn constructs_match_ptxas_output() {
    let recorded: Vec<Ptx> = vectors::read("sass/ptx.jsonl");
    let mut compared = 0;
    let mut compiled = BTreeSet::new();
    for line in &recorded {
        for sass in line.sass.iter().flatten() {
            for chip in &line.archs {
                let target = Target::Sass(Chip::named(chip).expect("a chip"));
                let mut assembler = Assembler::new(target, []).expect("no declarations");
                let text = operands(sass);
                let read = assembler.assemble(&text);
                let read = read.unwrap_or_else(|found| panic!("{chip} {text}: {found:?}"));
                let constructs = read.instruction.source_constructs(assembler.symbols());
                let mut wanted = named(&line.ptx);
                match (sass.starts_with("RED"), &line.result) {
                    (true, Some(_)) => wanted += " with an unused result",
                    (false, None) => wanted += " (Rd is RZ)",
                    _ => {}
                }
                let texts: Vec<&str> = constructs.iter().map(|c| c.text.as_str()).collect();
                assert!(
                    texts.contains(&wanted.as_str()),
                    "{chip} {text}: {wanted} not found in {texts:?}"
                );
                compiled.insert(wanted);
                compared += 1;
            }
        }
    }
    println!("{compared} instructions of ptxas have their PTX");
    assert!(compared > 500, "{compared}");
    // All constructs were observed.
    for spec in SPECS.iter().filter(|spec| spec.family == Family::Sass) {
        for construct in (spec.constructs)() {
            assert!(compiled.contains(&construct.text), "{construct:?}");
        }
    }
    // PTX that ptxas rejects for every chip is not a construct.
    let refused = recorded.iter().filter(|line| line.sass.is_none());
    let refused: BTreeSet<String> = refused.map(|line| named(&line.ptx)).collect();
    assert!(refused.len() > 50, "{}", refused.len());
    for ptx in refused.iter().filter(|ptx| !compiled.contains(*ptx)) {
        let known = SPECS.iter().flat_map(|spec| (spec.constructs)());
        assert_eq!(
            known.filter(|c| c.text.starts_with(ptx)).count(),
            0,
            "{ptx}"
        );
    }
}

/// RED replaces an unused ATOM for the operations and sizes for which ptxas does so.
#[test]
fn red_operations_match_ptxas_output() {
    let recorded: Vec<Ptx> = vectors::read("sass/ptx.jsonl");
    let mut compared = 0;
    for &operation in SassOperation::ALL {
        for &size in Size::ALL {
            let Some((name, ty)) = operation.ptx(size) else {
                continue;
            };
            let ptx = format!("atom.global.{name}.{ty}");
            let is_unused =
                |line: &&Ptx| line.ptx == ptx && line.result.as_deref() == Some("unused");
            for sass in recorded
                .iter()
                .filter(is_unused)
                .filter_map(|l| l.sass.as_ref())
            {
                for made in sass {
                    let is_red = made.starts_with("RED");
                    assert_eq!(operation.becomes_red(size), is_red, "{ptx}: {made}");
                    compared += 1;
                }
            }
        }
    }
    assert!(compared > 20, "{compared}");
}

/// Constructs of a vISA instruction, as text.
fn constructs_of(decls: &[&str], line: &str) -> Vec<String> {
    let target = Target::default();
    let mut assembler = Assembler::new(target, decls.iter().copied()).expect("declarations");
    let read = assembler.assemble(line);
    let read = read.unwrap_or_else(|found| panic!("{line}: {found:?}"));
    let constructs = read.instruction.source_constructs(assembler.symbols());
    constructs.into_iter().map(|c| c.text).collect()
}

const GENERAL: [&str; 5] = [
    ".decl V32 v_type=G type=d num_elts=256 align=GRF",
    ".decl V33 v_type=G type=ud num_elts=256 align=GRF",
    ".decl V34 v_type=G type=ud num_elts=256 align=GRF",
    ".decl V35 v_type=G type=uq num_elts=64 align=GRF",
    ".decl V36 v_type=G type=f num_elts=256 align=GRF",
];

#[test]
fn matrix_functions_match_the_extensions() {
    // cl_intel_subgroup_matrix_multiply_accumulate: a is Src2, b is Src1.
    for (line, function) in [
        (
            "dpas.s8.s8.8.8",
            "intel_sub_group_i8_i8_matrix_mad_k32(a, b, acc), M = 8",
        ),
        (
            "dpas.u8.s8.8.1",
            "intel_sub_group_i8_u8_matrix_mad_k32(a, b, acc), M = 1",
        ),
        (
            "dpas.s8.u8.8.4",
            "intel_sub_group_u8_i8_matrix_mad_k32(a, b, acc), M = 4",
        ),
        (
            "dpas.u4.s4.8.2",
            "intel_sub_group_i4_u4_matrix_mad_k64(a, b, acc), M = 2",
        ),
        (
            "dpasw.s8.s8.8.8",
            "intel_sub_group_i8_i8_split_matrix_mad_k32(a, b, acc), M = 8",
        ),
    ] {
        let text = format!("{line} (M1, 8) V32.0 %null.0 V33.0 V34(0,0)");
        assert_eq!(constructs_of(&GENERAL, &text), [function], "{line}");
    }
    for (line, function) in [
        (
            "dpas.bf.bf.8.8",
            "intel_sub_group_bf16_bf16_matrix_mad_k16(a, b, acc), M = 8",
        ),
        (
            "dpasw.hf.hf.8.2",
            "intel_sub_group_f16_f16_split_matrix_mad_k16(a, b, acc), M = 2",
        ),
    ] {
        let text = format!("{line} (M1, 8) V36.0 %null.0 V33.0 V34(0,0)");
        assert_eq!(constructs_of(&GENERAL, &text), [function], "{line}");
    }
    // M is 1, 2, 4 or 8, split 2, 4 or 8; no function mixes 8 and 4 bits.
    for line in [
        "dpas.s8.s8.8.3",
        "dpas.s4.s8.8.8",
        "dpas.s2.s2.8.8",
        "dpasw.s8.s8.8.1",
        "dpasw.s4.s4.8.8",
    ] {
        let text = format!("{line} (M1, 8) V32.0 %null.0 V33.0 V34(0,0)");
        assert_eq!(
            constructs_of(&GENERAL, &text),
            Vec::<String>::new(),
            "{line}"
        );
    }
}

#[test]
fn atomics_and_vector_accesses_list_their_functions() {
    let slm = |op: &str, srcs: &str| {
        constructs_of(
            &GENERAL,
            &format!("dword_atomic.{op} (M1, 8) %slm V33.0 {srcs} V34.0"),
        )
    };
    assert_eq!(
        slm("add", "V33.0 %null.0"),
        ["atomic_fetch_add on __local uint, __spirv_AtomicIAdd"]
    );
    assert_eq!(
        slm("cmpxchg", "V33.0 V34.0"),
        ["atomic_compare_exchange_strong on __local uint, __spirv_AtomicCompareExchange"]
    );
    // Float compare-and-write does not have a function.
    let line = "dword_atomic.fcmpwr (M1, 8) %slm V33.0 V36.0 V36.32 V36.64";
    assert!(constructs_of(&GENERAL, line).is_empty());
    assert!(slm("add.16", "V33.0 %null.0").is_empty());
    let wide = "svm_atomic.minsint.64 (M1, 8) V35.0 V35.512 V35.0 %null.0";
    assert_eq!(
        constructs_of(
            &[
                ".decl V32 v_type=G type=uq num_elts=64 align=GRF",
                ".decl V33 v_type=G type=uq num_elts=64 align=GRF",
                ".decl V34 v_type=G type=uq num_elts=64 align=GRF",
                ".decl V35 v_type=G type=q num_elts=128 align=GRF"
            ],
            wide
        ),
        ["atomic_fetch_min on __global long, __spirv_AtomicSMin"]
    );
    let planes = |mnemonic: &str| {
        constructs_of(
            &[
                ".decl V32 v_type=G type=uq num_elts=8 align=GRF",
                ".decl V33 v_type=G type=ud num_elts=64 align=GRF",
            ],
            &format!("{mnemonic}.RGB (M1, 8) 0x0:ud V32.0 V33.0"),
        )
    };
    assert_eq!(
        planes("svm_scatter4scaled"),
        ["a store through __global int3 *, each work-item at its own address"]
    );
    assert_eq!(
        planes("svm_gather4scaled"),
        ["a load through __global int3 *, each work-item at its own address"]
    );
}

/// The compiler does not support 16-bit integer arithmetic; for doubles it supports
/// only addition.
#[test]
fn typed_atomics_list_the_compilers_functions() {
    const UNSIGNED: &str = "compare_exchange_strong dec exchange fetch_add fetch_and fetch_max \
                            fetch_min fetch_or fetch_sub fetch_xor inc";
    const FLOAT: &str = "fetch_add fetch_max fetch_min";
    let of_both = [
        ("uint", UNSIGNED),
        ("int", "fetch_max fetch_min"),
        ("float", FLOAT),
        ("half", FLOAT),
        ("short", "compare_exchange_strong exchange"),
    ];
    let of_global = [
        ("ulong", UNSIGNED),
        ("long", "fetch_max fetch_min"),
        ("double", "fetch_add"),
    ];
    let both = of_both.map(|(ty, functions)| {
        ["local", "global"].map(|space| (format!("{space} {ty}"), functions))
    });
    let global = of_global.map(|(ty, functions)| (format!("global {ty}"), functions));
    let wanted: BTreeMap<String, &str> = both.into_iter().flatten().chain(global).collect();

    let mut found: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    let visa = SPECS.iter().filter(|spec| spec.family == Family::Visa);
    for construct in visa.flat_map(|spec| (spec.constructs)()) {
        let Some((function, rest)) = construct.text.split_once(" on __") else {
            continue;
        };
        let function = function.strip_prefix("atomic_").expect("an atomic");
        let (place, _) = rest.split_once(',').expect("a function of SPIR-V");
        let functions = found.entry(place.to_owned()).or_default();
        functions.insert(function.to_owned());
    }
    for (place, functions) in &found {
        let functions: Vec<&str> = functions.iter().map(String::as_str).collect();
        assert_eq!(
            wanted.get(place),
            Some(&functions.join(" ").as_str()),
            "{place}"
        );
    }
    assert_eq!(found.len(), wanted.len());
}

#[test]
fn forms_are_distinct_and_have_sources() {
    for spec in SPECS {
        let constructs = (spec.constructs)();
        assert!(!constructs.is_empty(), "{}", spec.name);
        let pairs: BTreeSet<_> = constructs.iter().map(|c| (&c.form, &c.text)).collect();
        assert_eq!(pairs.len(), constructs.len(), "{}", spec.name);
        assert!(constructs.iter().all(|c| !c.source.is_empty()));
    }
}
