//! Rules and descriptions of accesses by channels: sizes, failures of the real tool,
//! display types, and addresses.

use lanewise_core::contradictions::id;
use lanewise_core::isa::Spec;
use lanewise_core::program::Program;
use lanewise_core::rules;
use lanewise_core::session::Session;
use lanewise_core::text::SyntaxPart;
use lanewise_tests::generate::specs_with_suffix;
use std::rc::Rc;

/// All instructions that have channels.
fn specs() -> impl Iterator<Item = &'static Spec> {
    specs_with_suffix(SyntaxPart::Channels)
}

/// Program with these declarations of offsets and planes.
fn program(spec: &Spec, target: &str, [offsets, planes]: [&str; 2], line: &str) -> Program {
    Program::parse(&format!(
        ".target visa {target}\n.region svm 0x1000 4096\n\
         .decl OFFSETS v_type=G type={offsets} align=GRF\n\
         .decl PLANES v_type=G type={planes} align=GRF\n\
         .decl BASE v_type=G type=uq num_elts=4 align=GRF\n.init BASE = 0x1000\n\
         {}{line}\n",
        spec.mnemonics[0]
    ))
}

const OFFSETS: &str = "uq num_elts=32";
const PLANES: &str = "ud num_elts=256";

fn says(program: &Program, code: &str, help: &str) -> bool {
    let mut all = program.diagnostics.iter();
    all.any(|d| d.rule.code == code && d.help.contains(help))
}

/// Channels of few lanes can be contiguous or each start at a register. If only
/// the former fits, the help says so.
#[test]
fn planes_that_fit_only_unpadded_are_noted() {
    let mut told = [0; 3];
    for spec in specs() {
        for (channels, count) in [("R", 1), ("RG", 2), ("RGBA", 4)] {
            for lanes in [1, 2, 4, 8, 16] {
                for elements in [1, 4, 8, 9, 12, 24, 32, 64] {
                    for start in [0, 4, 16] {
                        let planes = format!("ud num_elts={elements}");
                        let line =
                            format!(".{channels} (M1, {lanes}) 0x1000:uq OFFSETS.0 PLANES.{start}");
                        let program = program(spec, "XEHP", [OFFSETS, &planes], &line);
                        let end = |stride: u32| start + ((count - 1) * stride + lanes) * 4;
                        let fits = |stride| end(stride) <= elements * 4;
                        let compiled = fits(lanes) && !fits(lanes.max(8));
                        let all = format!("{line} of {elements}: {:?}", program.diagnostics);
                        let past_end = rules::PAST_END.code;
                        assert_eq!(says(&program, past_end, "it fits"), compiled, "{all}");
                        assert_eq!(says(&program, past_end, ""), !fits(lanes.max(8)), "{all}");
                        told[usize::from(fits(lanes)) + usize::from(fits(lanes.max(8)))] += 1;
                    }
                }
            }
        }
    }
    assert!(told.iter().all(|cases| *cases > 10), "{told:?}");
}

/// The real tool adds a constant address to the offsets and fails if those are BF, unless
/// the constant is +0 or -0.
#[test]
fn nonzero_constant_address_needs_integer_offsets() {
    let constants = [
        ("0x0:uq", false),
        ("0x0:f", false),
        ("0x80000000:f", false),
        ("0x80000000:ud", true),
        ("0x1:uq", true),
        ("0x3f800000:f", true),
        ("0x80000001:f", true),
    ];
    for spec in specs() {
        for target in ["SKL", "TGLLP", "XEHP", "DG2", "PVC", "MTL"] {
            let fails_on = ["XEHP", "DG2", "PVC"].contains(&target);
            for (constant, is_added) in constants {
                for (offsets, is_bf) in [("bf num_elts=256", true), (OFFSETS, false)] {
                    let line = format!(".R (M1, 8) {constant} OFFSETS.0 PLANES.0");
                    let program = program(spec, target, [offsets, PLANES], &line);
                    let fails = says(&program, rules::TOOL_FAILS.code, "");
                    let wanted = fails_on && is_added && is_bf;
                    assert_eq!(fails, wanted, "{target} {line}: {:?}", program.diagnostics);
                }
            }
        }
    }
}

/// Whether planes have padding is a question where lanes do not fill a register.
#[test]
fn partial_registers_contradict_on_padding() {
    for spec in specs() {
        for (target, fill) in [("XEHP", 8), ("PVC", 16)] {
            for lanes in [1, 2, 4, 8, 16] {
                let line = format!(".R (M1, {lanes}) 0x1000:uq OFFSETS.0 PLANES.0");
                let program = program(spec, target, [OFFSETS, PLANES], &line);
                let instruction = &program.instructions[0].instruction;
                let ids = instruction.contradiction_ids(&program.symbols);
                let is_in_doubt = ids.contains(&id::CHANNEL_PADDING);
                assert_eq!(is_in_doubt, lanes < fill, "{target} {line}");
            }
        }
    }
}

/// 32-bit cells are shown in the type of the planes if that has 32 bits.
#[test]
fn cells_use_the_type_of_the_planes() {
    for spec in specs() {
        for (ty, shown) in [
            ("ud", "ud"),
            ("d", "d"),
            ("f", "f"),
            ("uw", "ud"),
            ("q", "ud"),
        ] {
            let planes = format!("{ty} num_elts=256");
            let line = ".R (M1, 8) 0x1000:uq OFFSETS.0 PLANES.0";
            let program = program(spec, "XEHP", [OFFSETS, &planes], line);
            let instruction = &program.instructions[0].instruction;
            assert_eq!(
                instruction.display_type(&program.symbols).name(),
                shown,
                "{ty}"
            );
        }
    }
}

/// An access returns a value only if the destination is not null.
#[test]
fn access_without_destination_returns_no_value() {
    for spec in specs() {
        let mut operands = spec.syntax.operands.iter();
        let has_dst = operands.any(|operand| operand.part == SyntaxPart::Dst);
        let line = ".RG (M1, 8) 0x1000:uq OFFSETS.0 PLANES.0";
        let program = program(spec, "XEHP", [OFFSETS, PLANES], line);
        let mut session = Session::new(Rc::new(program));
        let mut steps = 0;
        while session.step() {
            let access = session.last_access().expect("each step is an access");
            assert_eq!(access.dst.is_some(), has_dst, "{}: {access:?}", spec.name);
            steps += 1;
        }
        assert_eq!(steps, 16);
    }
}

/// A variable address is reported with the offsets; a constant address does not have a
/// register.
#[test]
fn address_register_is_reported() {
    for spec in specs() {
        for (address, places) in [
            ("BASE(0,0)<0;1,0>", &["BASE", "OFFSETS"][..]),
            ("0x1000:uq", &["OFFSETS"]),
        ] {
            let line = format!(".R (M1, 8) {address} OFFSETS.0 PLANES.0");
            let program = program(spec, "XEHP", [OFFSETS, PLANES], &line);
            let instruction = &program.instructions[0].instruction;
            let registers = instruction.address_registers(&program.symbols);
            let names: Vec<&str> = registers.iter().map(|r| r.place.as_str()).collect();
            assert_eq!(names, places, "{line}");
        }
    }
}

/// `M5` starts at channel 16, and `_NM` runs all channels.
#[test]
fn gathers_run_in_the_channels_of_their_mask() {
    for (execution, first, ignores) in [
        ("M1, 16", 0, false),
        ("M5, 16", 16, false),
        ("M1_NM, 16", 0, true),
    ] {
        let program = Program::parse(&format!(
            "\
.target visa SKL
.decl T6 v_type=T
.surface T6 256
.decl V32 v_type=G type=ud num_elts=16 align=GRF
.decl V33 v_type=G type=ud num_elts=16 align=GRF
gather4_scaled.R ({execution}) T6 0x0:ud V32.0 V33.0
"
        ));
        let gather = &program.instructions[0].instruction;
        assert_eq!(
            (gather.first_channel(), gather.ignores_mask()),
            (first, ignores),
            "{execution}"
        );
    }
}
