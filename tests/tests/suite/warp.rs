//! Scenario features that only a warp has, and those that only vISA has.

use lanewise_core::diagnostic::Severity;
use lanewise_core::isa::sass::warp::{AddressWindow, predicate_address, register_address};
use lanewise_core::machine::SpaceId;
use lanewise_core::program::Program;

const R: SpaceId = SpaceId::registers(0);
const FLAGS: SpaceId = SpaceId::flags(0);

fn codes(text: &str) -> Vec<&'static str> {
    let program = Program::parse(text);
    program.diagnostics.iter().map(|d| d.rule.code).collect()
}

#[test]
fn warp_state_matches_the_inits() {
    let program = Program::parse(
        ".target sass sm_52\n\
         .region global 0x10000 4096\n\
         .sparse 0x20000 65536\n\
         .window shared 0x05000000\n\
         .lanes helper=0x3 killed=0x10 uncovered=0x20\n\
         .init R4 = 7, -1, 0xffffffff\n\
         .init R6:R7 = iota(0x100000000, 1)\n\
         .init R8 : f = 1.5\n\
         .init P0 = 0xffff0000\n\
         .init global[0x10000] : uq = 5\n",
    );
    assert_eq!(program.diagnostics, []);
    assert_eq!(program.symbols.target.name(), "sass SM52");
    let load = |space, at, bytes| program.start.load(space, at, bytes);
    let lanes = |register| (0..3).map(move |lane| load(R, register_address(lane, register), 4));
    assert!(lanes(4).eq([Some(7), Some(0xffff_ffff), Some(0xffff_ffff)]));
    assert!(lanes(6).eq([Some(0), Some(1), Some(2)]));
    assert!(lanes(7).eq([Some(1); 3]));
    assert!(lanes(8).eq([Some(0x3fc0_0000), Some(0), Some(0)]));
    assert_eq!(load(FLAGS, predicate_address(0), 4), Some(0xffff_0000));
    assert_eq!(load(FLAGS, 0, 4), Some(!0x33 & 0xffff_ffff));
    assert_eq!(load(SpaceId::VIRTUAL, 0x10000, 8), Some(5));
    let warp = &program.symbols.sass;
    assert!(warp.registers().eq([4, 6, 7, 8]) && warp.predicates().eq([0]));
    assert!(warp.is_sparse(0x2ffff) && !warp.is_sparse(0x30000) && !warp.is_sparse(0x1ffff));
    assert_eq!(warp.window_at(0x05ff_ffff), Some(AddressWindow::Shared));
    assert_eq!(warp.window(AddressWindow::Local), 0x0200_0000);
}

#[test]
fn visa_features_are_rejected_in_a_warp() {
    for (line, code) in [
        (".decl V32 v_type=G type=ud num_elts=16", "E0107"),
        (".threads 2", "E0107"),
        (".region svm 0x10000 64", "E0107"),
        (".window shared 0x1234", "E0815"),
        (".window shared 0x100000000", "E0815"),
        (".window shared 0x02000000", "E0815"),
        (".window constant 0", "E0107"),
        (".lanes", "E0107"),
        (".lanes awake=1", "E0107"),
        (".lanes helper=0x100000000", "E0107"),
        (".sparse 0x20000", "E0107"),
        (".sparse 0xffffffffffffffff 2", "E0806"),
        (".init R255 = 1", "E0801"),
        (".init RZ = 1", "E0801"),
        (".init PT = 1", "E0801"),
        (".init P7 = 1", "E0801"),
        (".init R5:R6 = 1", "E0801"),
        (".init R254:R255 = 1", "E0801"),
        (".init slm[0] : ud = 1", "E0801"),
        (".init R4 = 0x1_0000_0000", "E0803"),
        (
            ".init R4 = 1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,24,25,26,27,28,29,30,31,32,33",
            "E0802",
        ),
        ("dword_atomic.add (M1, 8) T0 V0 V0 V0 V0", "E0103"),
        (".init R4 = 1\n.init R4 = 2", "W0805"),
        (".init R4 = 1\n.init R4:R5 = 2", "W0805"),
    ] {
        assert_eq!(codes(&format!(".target sass\n{line}\n")), [code], "{line}");
    }
    for line in [
        ".sparse 0 64",
        ".lanes helper=1",
        ".window local 0",
        ".region global 0 64",
    ] {
        assert_eq!(codes(line), ["E0107"], "{line}");
    }
}

#[test]
fn warp_register_has_a_value_per_lane() {
    let text = ".target sass SM50\n.init R4 = splat(9)\n.init R4 = 1\n";
    let program = Program::parse(text);
    let worst = program.diagnostics.iter().map(|d| d.severity()).max();
    assert_eq!(worst, Some(Severity::Warning));
    let value = |lane| program.start.load(R, register_address(lane, 4), 4);
    assert_eq!(
        (value(0), value(1)),
        (Some(1), Some(0)),
        "uninitialized registers are zero"
    );
}
