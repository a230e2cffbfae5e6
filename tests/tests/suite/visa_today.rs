//! vISA text of the compilers of 2026: how the platform of a listing is told, and forms
//! that their grammar has and that of 2022 lacks.

use lanewise_core::diagnostic::Severity;
use lanewise_core::isa::Style;
use lanewise_core::isa::visa::declarations::Symbol;
use lanewise_core::isa::visa::platform::Platform;
use lanewise_core::machine::{Machine, SpaceId};
use lanewise_core::number::ElementType;
use lanewise_core::program::{Assembler, Program};
use lanewise_core::session::{RunResult, run, run_launch};
use lanewise_files::OpenedFile;
use lanewise_files::zebin::{Kernel, LaunchValue};

fn run_text(text: &str) -> (Program, RunResult) {
    let program = Program::parse(text);
    let problems: Vec<String> = (program.diagnostics.iter())
        .filter(|d| d.severity() != Severity::Note)
        .map(lanewise_core::diagnostic::Diagnostic::message)
        .collect();
    assert_eq!(problems, Vec::<String>::new(), "{text}");
    let result = run(&program);
    (program, result)
}

/// The first bytes of a variable of thread 0.
fn bytes_of<const N: usize>(program: &Program, machine: &Machine, name: &str) -> [u8; N] {
    let symbols = &program.symbols.visa;
    let Some(Symbol::General(id)) = symbols.symbol(name) else {
        panic!("{name} is a general variable");
    };
    let at = symbols.general(id).expect("it is declared").offset;
    let mut bytes = [0; N];
    machine
        .space(SpaceId::registers(0))
        .read(at.into(), &mut bytes);
    bytes
}

/// The first doublewords of a variable after a run without a fault.
fn dwords<const N: usize>(text: &str, name: &str) -> [u32; N] {
    let (program, result) = run_text(text);
    assert!(result.fault.is_none(), "{:?}", result.fault);
    std::array::from_fn(|i| {
        let all: [u8; 128] = bytes_of(&program, &result.machine, name);
        u32::from_le_bytes(all[4 * i..4 * i + 4].try_into().expect("four bytes"))
    })
}

fn fault(text: &str) -> String {
    let (_, result) = run_text(text);
    result.fault.expect("it stops").message
}

/// The place of its first input shows registers of 64 bytes.
const LISTING: &str = include_str!("../../vectors/kernels/listing_without_platform.visaasm");

fn open(text: &str) -> OpenedFile {
    lanewise_files::open("k.visaasm", text.as_bytes()).expect("a listing")
}

/// The buffer after a launch of 32 work-items.
fn launched(file: &OpenedFile) -> Vec<u32> {
    let kernel = Kernel::of_function(&file.functions[0]).expect("a kernel");
    let buffer = LaunchValue::Buffer(ElementType::Ud, vec![0; 128]);
    let program = kernel.launch([32, 1, 1], [32, 1, 1], &[buffer]);
    let program = program.expect("a program");
    let result = run_launch(&program);
    assert!(result.fault.is_none(), "{:?}", result.fault);
    let buffer = &program.launch.as_ref().expect("a launch").buffers[0];
    let mut bytes = [0; 128];
    let memory = result.machine.space(SpaceId::VIRTUAL);
    memory.read(buffer.address, &mut bytes);
    let dwords = bytes
        .chunks(4)
        .map(|c| u32::from_le_bytes(c.try_into().expect("four")));
    dwords.collect()
}

#[test]
fn the_platform_of_a_listing_is_inferred_and_said() {
    let file = open(LISTING);
    assert_eq!(launched(&file), (0..32).collect::<Vec<_>>());
    let [note] = &file.functions[0].notes[..] else {
        panic!("one note: {:?}", file.functions[0].notes);
    };
    assert!(
        note.contains("assuming visa PVC, as its first input starts at byte 64"),
        "{note}"
    );
}

#[test]
fn the_platform_of_a_listing_is_read() {
    let file = open(&format!("//.platform XE2\n{LISTING}"));
    assert_eq!(launched(&file), (0..32).collect::<Vec<_>>());
    assert_eq!(file.functions[0].target.name(), "visa BMG");
    assert_eq!(file.functions[0].notes, Vec::<String>::new());
}

#[test]
fn a_listing_that_contradicts_itself_is_refused() {
    let narrow = LISTING.replace(".input", ".input Z offset=32 size=32\n.input");
    let alias = ".decl R v_type=G type=ud num_elts=16 align=GRF alias=<%r0, 0>\n.input";
    for (text, expected) in [
        (
            format!("//.platform DG2\n{LISTING}"),
            "the target is visa DG2, whose registers have 32 bytes, but its first input starts at byte 64",
        ),
        (
            narrow.replacen(".input", alias, 1),
            "the listing contradicts itself: an alias of %r0 has more than 32 bytes, but its first input starts at byte 32",
        ),
    ] {
        let file = open(&text);
        let mut notes = file.functions[0].notes.iter();
        assert!(notes.any(|note| note.contains(expected)), "{file:#?}");
        let error = Kernel::of_function(&file.functions[0]).expect_err("it is refused");
        assert!(error.to_string().contains(expected), "{error}");
    }
}

#[test]
fn registers_of_xe2_have_64_bytes() {
    let text = ".target visa XE2\n.decl F v_type=G type=f num_elts=32 align=GRF\n\
        .init F = iota(0, 1)\nmov (M1_NM, 1) F(0,0)<1> F(1,0)<0;1,0>\n";
    assert_eq!(dwords(text, "F"), [16_f32.to_bits()]);
}

#[test]
fn blocks_take_a_payload_with_offsets() {
    let text = ".target visa PVC\n.decl A v_type=G type=ud num_elts=8 align=GRF\n\
        .decl T v_type=G type=ud num_elts=128 align=GRF\n.region svm 0x10000 1024\n\
        .init svm[0x10000] : ud = iota(0, 1)\n.init A = 0x10000, 0, 127, 7, 127, 0, 0, 0x70f\n\
        lsc_load_block2d.ugm (M1, 1) T:d32.16x8nn flat[A + (16,0)]\n";
    let mut expected: [u32; 17] = std::array::from_fn(|i| 16 + u32::try_from(i).unwrap());
    expected[16] = 48;
    assert_eq!(dwords(text, "T"), expected);
    let text = text.replace("(16,0)", "(-4,1)");
    assert_eq!(dwords(&text, "T"), [0, 0, 0, 0, 32, 33]);
}

#[test]
fn blocks_take_offsets_of_their_place() {
    let text = ".target visa PVC\n.decl B v_type=G type=uq num_elts=1 align=GRF\n\
        .decl X v_type=G type=d num_elts=2 align=GRF\n\
        .decl T v_type=G type=ud num_elts=128 align=GRF\n.region svm 0x0 1024\n\
        .init svm[0] : ud = iota(0, 1)\n.init X = 16, 2\n\
        lsc_load_block2d.ugm (M1, 1) T:d32.16x4nn flat[B,127,7,127,X-16,X(0,1)+1]\n";
    assert_eq!(dwords(text, "T"), [96]);
}

#[test]
fn named_barriers_take_roles() {
    let text = |signal: &str| {
        format!(
            ".target visa PVC\n.launch global=32 local=32\n.simd 16\n\
             nbarrier.signal {signal}\nnbarrier.wait 0x1:ub\n"
        )
    };
    let (_, plain) = run_text(&text("1:ub 2:ub"));
    let (_, general) = run_text(&text("0x1:ub 0x0:uw 0x2:ub 0x2:ub"));
    assert!(plain.fault.is_none() && general.fault.is_none());
    assert_eq!(plain.instructions, general.instructions);
    for other in ["0x1:ub 0x1:uw 0x2:ub 0x2:ub", "0x1:ub 0x0:uw 0x1:ub 0x2:ub"] {
        assert!(fault(&text(other)).contains("only produce"), "{other}");
    }
}

#[test]
fn addresses_take_a_scale() {
    let text = ".target visa PVC\n.decl O v_type=G type=ud num_elts=16 align=GRF\n\
        .decl V v_type=G type=ud num_elts=16 align=GRF\n.region svm 0x0 256\n\
        .init svm[0] : ud = iota(0, 1)\n.init O = iota(0, 1)\n\
        lsc_load.ugm (M1, 16) V:d32 flat[0x4*O+0x10]:a32\n";
    let expected: [u32; 16] = std::array::from_fn(|i| 4 + u32::try_from(i).unwrap());
    assert_eq!(dwords(text, "V"), expected);
}

#[test]
fn samplers_are_read_and_not_executed() {
    let text = ".target visa DG2\n.decl C v_type=G type=f num_elts=64 align=GRF\n\
        .decl S1 v_type=S num_elts=1\n.decl T7 v_type=T num_elts=1\n\
        sample_lz.RGBA (M1, 8) 0x0:uw S1 T7 C.0 2 C.0 C.0\n";
    assert!(fault(text).contains("`sample_lz` on line 5 is not modeled"));
    let text = text.replace("sample_lz.RGBA", "sample_lz.divS.R");
    assert!(fault(&text).contains("`sample_lz`"));
}

#[test]
fn only_exact_mnemonics_are_reserved() {
    let text = |name| {
        format!(
            ".target visa PVC\n.decl {name} v_type=G type=f num_elts=16 align=GRF\n\
             mov (M1, 16) {name}(0,0)<1> 1.0:f\n"
        )
    };
    for name in ["Max", "EXP", "Add"] {
        assert_eq!(dwords(&text(name), name), [1_f32.to_bits()]);
    }
    assert!(!Program::parse(&text("max")).can_run());
}

#[test]
fn the_bindless_sampler_is_an_operand() {
    let text = ".target visa DG2\n.decl H v_type=G type=ud num_elts=1 align=dword\n\
        movs (M1_NM, 1) S31(0) H(0,0)<0;1,0>\n";
    assert!(fault(text).contains("movs of samplers"));
}

#[test]
fn srnd_adds_random_bits_and_cuts_off() {
    let text = |x: &str, r: &str| {
        format!(
            ".target visa PVC\n.decl X v_type=G type=f num_elts=16 align=GRF\n\
             .decl R v_type=G type=uw num_elts=16 align=GRF\n\
             .decl H v_type=G type=hf num_elts=16 align=GRF\n.init X = {x}\n.init R = {r}\n\
             srnd (M1_NM, 16) H(0,0)<1> X(0,0)<1;1,0> R(0,0)<1;1,0>\n"
        )
    };
    let two = |x, r| dwords::<1>(&text(x, r), "H")[0];
    assert_eq!(two("0f3f801000, 0f3f801000", "0xfff, 0x1000"), 0x3c01_3c00);
    // Only 13 bits count; the largest number is not exceeded without a carry.
    assert_eq!(two("0f3f800000, 0f477fefff", "0xe000, 0"), 0x7bff_3c00);
    assert_eq!(two("0f477ff000, 0fff800000", "0x1fff, 0x1fff"), 0xfc00_7c00);
    // A subnormal result is kept.
    assert_eq!(two("0f33800000, 0f337fffff", "0, 0"), 0x0000_0001);
}

#[test]
fn fcvt_flushes_subnormals_to_tf32_only() {
    let text = ".target visa PVC\n.decl X v_type=G type=ud num_elts=16 align=GRF\n\
        .decl XF v_type=G type=f num_elts=16 align=GRF alias=<X, 0>\n\
        .decl T v_type=G type=ud num_elts=16 align=GRF\n.init X = 0x00400000, 0x80400000, 0x3f800000\n\
        or (M1_NM, 1) %cr0(0,0)<1> %cr0(0,0)<0;1,0> 0x80:ud\n\
        fcvt (M1_NM, 16) T(0,0)<1> XF(0,0)<1;1,0>\n";
    assert_eq!(dwords(text, "T"), [0, 0x8000_0000, 0x3f80_0000]);
    let text = ".target visa PVC\n.decl X v_type=G type=uw num_elts=16 align=GRF\n\
        .decl XH v_type=G type=hf num_elts=16 align=GRF alias=<X, 0>\n\
        .decl T v_type=G type=ub num_elts=16 align=GRF\n.init X = 0x0100, 0x8100, 0x3c00\n\
        fcvt (M1_NM, 16) T(0,0)<1> XH(0,0)<1;1,0>\n";
    assert_eq!(dwords(text, "T"), [0x003c_8101]);
}

#[test]
fn narrow_atomics_zero_extend_what_they_return() {
    let text = ".target visa PVC\n.decl A v_type=G type=uq num_elts=8 align=GRF\n\
        .decl S v_type=G type=ud num_elts=16 align=GRF\n\
        .decl V v_type=G type=ud num_elts=16 align=GRF\n.region svm 0x100 64\n\
        .init svm[0x100] : uw = 0x8001\n.init A = 0x100\n.init S = 1\n.init V = 0xffffffff\n\
        lsc_atomic_iadd.ugm (M1_NM, 1) V:d16c32 flat[A]:a64 S %null\n";
    assert_eq!(dwords(text, "V"), [0x8001]);
}

/// Forms that only the text has cannot be encoded, and print as they were written.
#[test]
fn later_forms_print_as_they_were_written() {
    let decls = [
        ".decl A v_type=G type=ud num_elts=8 align=GRF",
        ".decl B v_type=G type=uq num_elts=1 align=GRF",
        ".decl T v_type=G type=ud num_elts=128 align=GRF",
        ".decl P1 v_type=P num_elts=16",
    ];
    for line in [
        "lsc_load_block2d.ugm (M1, 1)  T:d32.16x8nn  flat[A + (16,-2)]",
        "lsc_load_block2d.ugm (M1, 1)  T:d32.16x8nn  flat[B, 0x7F, 0x7, 0x7F, A+0x10, A-0x2]",
        "nbarrier.signal 0x1:ub 0x0:uw 0x2:ub 0x2:ub",
        "sample_lz.RGBA (M1, 8) 0x0:uw S1 T7 A.0 2 A.0 A.0",
        "svm_block_st.unaligned (1) B(0,0)<0;1,0> T.0",
        "lsc_load.ugm.ca.uc.cc (M1, 8)  T:d32  flat[A]:a32",
        "lsc_store_block2d.ugm.uc.uc.wb (M1, 1)  flat[B, 0x7F, 0x7, 0x7F, A, A]  T:d32.16x8nn",
        "lsc_load_quad.tgm.ca.ca.df (M1, 8)  T:d32.x  bti(0x4)[A, A, %null, %null]:a32",
        "lsc_load.ugm.df.df.ov (M1, 8)  T:d32  flat[A]:a32",
        "lsc_load_quad.tgm (M1, 8)  T:d32.x  bti(0x4)[A+0x1, A-0x2, %null, %null]:a32",
        "lsc_load_block2d.tgm (M1, 1) T:d32.16x8 bti(4)[A,A]",
        "sample_po_d_c.RGBA (M1, 8) 0x0:uw S1 T7 A.0 2 A.0 A.0",
        "ifcall.uniform (M1, 8) A(0,0)<0;1,0> 1 1",
        "ifcall.noreturn (M1, 8) A(0,0)<0;1,0> 1 1",
        "ifcall.uniform.noreturn (M1, 8) A(0,0)<0;1,0> 1 1",
        "mov (M1, 1) T(0,0)<1> %local_id_x(0,0)<0;1,0>",
        "add (M1, 1) T(0,0)<1> %local_size_y(0,0)<0;1,0> %group_count_x(0,0)<0;1,0>",
        "lsc_load.ugm (M1, 1)  T:d32  flat[%scratchloc]:a64",
        "lsc_load.ugm (M1, 8)  T:d32  bss(A,0x3)[A]:a32",
        "lsc_store.ugm (M1, 8)  surf(B,0x1)[A]:a32u  T:d32",
        "bdpas.bf.bf.8.8 (M1, 16) T.0 T.0 T.0 T.0 A.0 A.0",
        "dnscl.bftoe2m1.mode0.srnd (M1, 16) T.0 T.0 T.0 T.0",
        "lfsr.b16v2 (M1, 16) T(0,0)<1> T(0,0)<1;1,0> T(0,0)<1;1,0>",
        "raw_sendg.2.1.1.0.0 (M1, 16) 0x0:uq %null T.0 A.0 %null",
    ] {
        let mut assembler = Assembler::new(Platform::Pvc, decls).expect("declarations");
        let refusal = assembler
            .assemble(line)
            .map(|_| ())
            .expect_err("no encoding");
        let codes: Vec<&str> = refusal.iter().map(|d| d.rule.code).collect();
        assert!(
            codes.contains(&lanewise_core::rules::NO_ENCODING.code),
            "{line}: {codes:?}"
        );
        let text = format!(".target visa PVC\n{}\n{line}\n", decls.join("\n"));
        let program = Program::parse(&text);
        let [placed] = &program.instructions[..] else {
            panic!("{line}: {:?}", program.diagnostics);
        };
        let printed = placed.instruction.text(&program.symbols, Style::Assembler);
        assert_eq!(
            printed.split_whitespace().collect::<Vec<_>>(),
            line.split_whitespace().collect::<Vec<_>>()
        );
    }
}

#[test]
fn offsets_beside_a_base_are_extended() {
    let text = |width: &str, ty: &str| {
        format!(
            ".target visa NVL\n.decl B v_type=G type=uq num_elts=1 align=GRF\n\
             .decl O v_type=G type={ty} num_elts=16 align=GRF\n\
             .decl V v_type=G type=ud num_elts=16 align=GRF\n.region svm 0x0 256\n\
             .init svm[0] : ud = iota(0, 1)\n.init B = 64\n.init O = iota(-4, 1)\n\
             lsc_load.ugm (M1, 16)  V:d32  flat(B)[0x4*O]:{width}\n"
        )
    };
    let expected: [u32; 16] = std::array::from_fn(|i| 12 + u32::try_from(i).unwrap());
    assert_eq!(dwords(&text("a32s", "d"), "V"), expected);
    assert_eq!(dwords(&text("a64", "d"), "V"), expected);
    assert!(fault(&text("a32u", "d")).contains("0x400000030"));
    let constant = text("a32s", "d").replace("flat(B)", "flat(0x40)");
    assert_eq!(dwords(&constant, "V"), expected);
}

#[test]
fn bfloats_are_compared_as_numbers() {
    let (program, result) = run_text(
        ".target visa NVL\n\
         .decl A v_type=G type=uq num_elts=2 align=GRF\n\
         .decl C v_type=G type=ud num_elts=2 align=GRF\n\
         .decl N v_type=G type=ud num_elts=2 align=GRF\n\
         .decl D v_type=G type=ud num_elts=2 align=GRF\n\
         .region svm 0x10000 16\n.init svm[0x10000] : uw = 0x8000, 0x7fc0\n\
         .init A = 0x10000, 0x10002\n.init C = 0, 0x7fc0\n.init N = 0x3f80, 0x3f81\n\
         lsc_atomic_bfcas.ugm (M1, 2) D:d16u32 flat[A]:a64 C N\n",
    );
    // -0 equals 0, and NaN nothing.
    let mut memory = [0; 4];
    result
        .machine
        .space(SpaceId::VIRTUAL)
        .read(0x10000, &mut memory);
    assert_eq!(memory, [0x80, 0x3f, 0xc0, 0x7f]);
    let old = bytes_of::<8>(&program, &result.machine, "D");
    assert_eq!(old, [0, 0x80, 0, 0, 0xc0, 0x7f, 0, 0]);
}

#[test]
fn instructions_of_xe3p_are_refused_elsewhere_and_with_other_sizes() {
    for (target, line, code) in [
        ("PTL", "tanh (M1, 16) F(0,0)<1> F(0,0)<1;1,0>", "E0382"),
        ("NVL", "tanh (M1, 16) T(0,0)<1> T(0,0)<1;1,0>", "E0383"),
        (
            "NVL",
            "lsc_atomic_bfadd.ugm (M1, 16) T:d32 flat[A]:a64 T %null",
            "E0323",
        ),
        (
            "BMG",
            "lsc_atomic_bfadd.ugm (M1, 16) T:d16u32 flat[A]:a64 T %null",
            "W0466",
        ),
    ] {
        let text = format!(
            ".target visa {target}\n.decl T v_type=G type=ud num_elts=16 align=GRF\n\
             .decl F v_type=G type=f num_elts=16 align=GRF\n\
             .decl A v_type=G type=uq num_elts=16 align=GRF\n{line}\n"
        );
        let program = Program::parse(&text);
        let mut codes: Vec<&str> = (program.diagnostics.iter())
            .filter(|d| d.severity() != Severity::Note)
            .map(|d| d.rule.code)
            .collect();
        codes.dedup();
        assert_eq!(codes, [code], "{text}");
    }
}

#[test]
fn what_no_message_models_stops_with_its_name() {
    let text = |line: &str| {
        format!(
            ".target visa NVL\n.decl B v_type=G type=uq num_elts=1 align=GRF\n\
             .decl T v_type=G type=ud num_elts=16 align=GRF\n\
             .decl Y v_type=G type=ub num_elts=64 align=GRF alias=<T, 0>\n\
             .decl H v_type=G type=hf num_elts=32 align=GRF alias=<T, 0>\n{line}\n"
        )
    };
    for (line, why) in [
        (
            "lsc_load.ugm (M1, 16)  T:d32  bss(T,0x3)[T]:a32",
            "an index of a surface state",
        ),
        (
            "lsc_load.ugm (M1, 16)  T:d32  surf(B)[T]:a32u",
            "no buffer has the surface handle 0x0",
        ),
        (
            "lsc_load.ugm (M1, 16)  T:d32  bss(T)[T]:a32",
            "no buffer has the surface handle 0x0",
        ),
        (
            "lsc_load.ugm (M1, 1)  T:d32  arg[T]:a32",
            "only a launch has arguments",
        ),
        (
            "lfsr.b16v2 (M1, 16) T(0,0)<1> T(0,0)<1;1,0> T(0,0)<1;1,0>",
            "`lfsr`",
        ),
        (
            "lsc_apndctr_atomic_add.ugm (M1, 16) T:d32 flat[B]:a64 T:d32",
            "`lsc_apndctr_atomic_add`",
        ),
        ("fccall (M1, 1) f", "`fccall`"),
        (
            "fcvt.sat (M1_NM, 16) Y(0,0)<4> H(0,0)<1;1,0>",
            "`.sat` of `fcvt`",
        ),
        (
            "srnd.sat (M1_NM, 16) Y(0,0)<4> H(0,0)<1;1,0> Y(0,0)<1;1,0>",
            "`.sat` of `srnd`",
        ),
        (
            "shfl_idx4 (M1, 16) T(0,0)<1> T(0,0)<1;1,0> T(0,0)<1;1,0>",
            "`shfl_idx4`",
        ),
    ] {
        let message = fault(&text(line));
        assert!(message.contains(why), "{line}: {message}");
    }
}

#[test]
fn variables_without_a_place_stop_the_run_with_their_name() {
    let text = |line: &str| {
        format!(
            ".target visa NVL\n.decl T v_type=G type=ud num_elts=128 align=GRF\n\
             .decl F v_type=G type=f num_elts=128 align=GRF\n{line}\n"
        )
    };
    for (line, name) in [
        (
            "mov (M1, 1) T(0,0)<1> %local_id_x(0,0)<0;1,0>",
            "%local_id_x",
        ),
        (
            "lsc_load.ugm (M1, 1) T:d32 flat[%local_id_y]:a64",
            "%local_id_y",
        ),
        (
            "dpas.s8.s8.8.8 (M1, 16) T.0 %null.0 %group_count_y.0 T(0,0)",
            "%group_count_y",
        ),
    ] {
        let program = Program::parse(&text(line));
        let unplaced = program.diagnostics.iter();
        let mut unplaced = unplaced.filter(|d| d.rule.code == "E0742");
        let diagnostic = unplaced.next().unwrap_or_else(|| panic!("{line}"));
        assert!(diagnostic.what.contains(name), "{line}: {diagnostic:?}");
        assert!(!program.can_run(), "{line}");
    }
    let alias = text(".decl X v_type=G type=ud num_elts=1 align=dword alias=<%local_size_x, 0>");
    let program = Program::parse(&alias);
    let codes: Vec<_> = program.diagnostics.iter().map(|d| d.rule.code).collect();
    assert_eq!(codes, [lanewise_core::rules::ALIAS.code]);
    // Named, they cannot be declared or written.
    for line in [
        ".init %local_id_x = 1",
        ".decl %local_id_x v_type=G type=ud num_elts=1",
    ] {
        assert!(!Program::parse(&text(line)).can_run(), "{line}");
    }
}

#[test]
fn numbers_are_expressions() {
    let text = "\
.target visa PVC
.kernel_attr SimdSize=16
.decl A v_type=G type=ud num_elts=%sizeof(GRF)/4 align=%sizeof(GRF)
.decl B v_type=G type=ud num_elts=(1<<2) align=GRF alias=<A, 1<<4>
.decl V v_type=G type=ud num_elts=4*4 align=GRF
mov (M1_NM, 4) B(0,0)<1> 1<<4:d
mov (M1_NM, 1) A(0,0)<1> %DispatchSimd:d
add (M1_NM, 16) V(0,0)<1> A(0,0)<1;1,0> (%DispatchSimd-17):d
";
    let (program, result) = run_text(text);
    assert_eq!(result.fault, None);
    let bytes: [u8; 36] = bytes_of(&program, &result.machine, "V");
    let dwords = bytes
        .chunks(4)
        .map(|c| u32::from_le_bytes(c.try_into().unwrap()));
    let minus = u32::MAX;
    assert_eq!(
        dwords.collect::<Vec<_>>(),
        [15, minus, minus, minus, 15, 15, 15, 15, minus]
    );
    // Without a SIMD size, the constant has no value.
    assert!(!Program::parse(&text.replace(".kernel_attr SimdSize=16\n", "")).can_run());
}

#[test]
fn names_of_a_scope_end_with_it() {
    let text = "\
.target visa PVC
.decl V v_type=G type=ud num_elts=16 align=GRF
{
.decl X v_type=G type=ud num_elts=16 align=GRF
mov (M1_NM, 16) X(0,0)<1> 1:ud
{
.decl Y v_type=G type=ud num_elts=16 align=GRF
add (M1_NM, 16) Y(0,0)<1> X(0,0)<1;1,0> 1:ud
mov (M1_NM, 16) V(0,0)<1> Y(0,0)<1;1,0>
}
}
{
.decl X v_type=G type=uw num_elts=16 align=GRF
mov (M1_NM, 16) X(0,0)<1> 5:uw
add (M1_NM, 16) V(0,0)<1> V(0,0)<1;1,0> X(0,0)<1;1,0>
}
";
    assert_eq!(dwords(text, "V"), [7; 16]);
    let codes = |text: &str| -> Vec<&str> {
        let program = Program::parse(text);
        program.diagnostics.iter().map(|d| d.rule.code).collect()
    };
    let late = format!("{text}mov (M1_NM, 16) V(0,0)<1> X(0,0)<1;1,0>\n");
    assert_eq!(codes(&late), [lanewise_core::rules::UNDECLARED.code]);
    let unknown = [lanewise_core::rules::UNKNOWN_INSTRUCTION.code];
    assert_eq!(codes(".target visa PVC\n{\n"), unknown);
    assert_eq!(codes(".target visa PVC\n}\n"), unknown);
    let deep = "{\n".repeat(100) + &"}\n".repeat(100);
    assert!(!codes(&deep).is_empty());
}

/// `ifcall.uniform` and the cache controls change no result.
#[test]
fn later_suffixes_change_no_result() {
    let text = |suffix: &str, caches: &str| {
        format!(
            ".target visa NVL\n.decl T v_type=G type=ud num_elts=16 align=GRF\n\
             .decl A v_type=G type=uq num_elts=1 align=GRF\n\
             .decl P v_type=G type=uq num_elts=1 align=GRF\n.region svm 0x0 64\n\
             .init svm[0] : ud = 41\nfaddr f P(0,0)<1>\n\
             ifcall{suffix} (M1, 16) P(0,0)<0;1,0> 0 0\nret (M1, 1)\n\
             .function f\nf:\nlsc_load.ugm{caches} (M1_NM, 1) T:d32 flat[A]:a64\n\
             add (M1_NM, 1) T(0,0)<1> T(0,0)<0;1,0> 1:ud\nfret (M1, 16)\n"
        )
    };
    for (suffix, caches) in [
        ("", ""),
        (".uniform", ".ca.ca.uc"),
        (".uniform.noreturn", ".uc.uc"),
    ] {
        assert_eq!(dwords(&text(suffix, caches), "T"), [42], "{suffix}{caches}");
    }
}

#[test]
fn fcvt_converts_hf8() {
    let text = |platform: &str, to: &str, from: &str, bits: &str| {
        format!(
            ".target visa {platform}\n.decl X v_type=G type=ud num_elts=16 align=GRF\n\
             .decl XF v_type=G type={from} num_elts=16 align=GRF alias=<X, 0>\n\
             .decl T v_type=G type=ud num_elts=16 align=GRF\n\
             .decl TF v_type=G type={to} num_elts=16 align=GRF alias=<T, 0>\n.init X = {bits}\n\
             fcvt (M1_NM, 16) TF(0,0)<1> XF(0,0)<1;1,0>\n"
        )
    };
    // 1, -0, 448, NaN: the largest pattern; the smallest subnormal is 2^-9.
    let halves = text("PTL", "hf", "b", "0x7f7e8038, 0x01");
    assert_eq!(
        dwords(&halves, "T"),
        [0x8000_3c00, 0x7e00_5f00, 0x0000_1800]
    );
    // 17 and 19 are ties between 16, 18 and 20, 464 is one between 448 and NaN.
    let bytes = text(
        "PTL",
        "b",
        "hf",
        "0x4cc04c40, 0x5f415f3f, 0x7c005f40, 0x00001400",
    );
    assert_eq!(dwords(&bytes, "T"), [0x7f7e_5a58, 0x0000_7f7e]);
    let program = Program::parse(&text("LNL", "hf", "b", "0"));
    assert_eq!(
        program.diagnostics[0].rule.code,
        lanewise_core::rules::TYPE.code
    );
    let saturated = text("LNL", "ub", "hf", "0").replace("fcvt", "fcvt.sat");
    let program = Program::parse(&saturated);
    assert_eq!(
        program.diagnostics[0].rule.code,
        lanewise_core::rules::SATURATION.code
    );
}

/// SVM_GATHER.md, GATHER4_SCALED.md and SVM_BLOCK_LD.md demand an alignment; the pages of
/// LSC messages do not.
#[test]
fn documented_alignments_hold_for_loads() {
    let text = |line: &str, address: u32| {
        format!(
            ".target visa XEHP\n.decl A v_type=G type=uq num_elts=8 align=GRF\n\
             .decl O v_type=G type=ud num_elts=8 align=GRF\n\
             .decl V v_type=G type=ud num_elts=128 align=GRF\n.region svm 0x0 256\n\
             .slm 256\n.init A = {address}\n.init O = {address}\n{line}\n"
        )
    };
    for (line, wrong, right) in [
        ("svm_gather.4.1 (M1, 1) A.0 V.0", 2, 4),
        ("svm_gather.8.1 (M1, 1) A.0 V.0", 4, 8),
        ("svm_block_ld (1) A(0,0)<0;1,0> V.0", 2, 4),
        ("svm_block_ld.aligned (1) A(0,0)<0;1,0> V.0", 4, 16),
        ("gather4_scaled.R (M1, 8) T0 0x0:ud O.0 V.0", 2, 4),
    ] {
        let message = fault(&text(line, wrong));
        assert!(
            message.contains("is not a multiple of"),
            "{line}: {message}"
        );
        let (_, result) = run_text(&text(line, right));
        assert_eq!(result.fault, None, "{line}");
    }
    for (line, platform) in [
        ("svm_gather.1.4 (M1, 1) A.0 V.0", "XEHP"),
        ("lsc_load.ugm (M1, 1) V:d32 flat[A]:a64", "DG2"),
    ] {
        let (_, result) = run_text(&text(line, 3).replace("XEHP", platform));
        assert_eq!(result.fault, None, "{line}");
    }
}

/// The loops of QW_SCATTER.md and QW_GATHER.md: block j of lane i is element j × lanes + i.
#[test]
fn quadwords_lie_block_after_block_in_registers() {
    let text = "\
        .target visa PVC\n.decl O v_type=G type=ud num_elts=8 align=GRF\n\
        .decl P v_type=G type=ud num_elts=8 align=GRF\n\
        .decl S v_type=G type=uq num_elts=16 align=GRF\n\
        .decl D v_type=G type=uq num_elts=16 align=GRF\n\
        .decl T v_type=G type=ud num_elts=32 align=GRF alias=<D, 0>\n.slm 256\n\
        .init O = iota(1, 16)\n.init P = 1, 0x71, 0, 16, 0x1000, 0, 0, 0\n\
        .init S = iota(1, 1)\n\
        qw_scatter.2 (M1, 8) %slm O.0 S.0\nqw_gather.4 (M1, 4) %slm P.0 D.0\n";
    let low = |values: [u32; 16]| values.map(|value| [value, 0]).concat();
    assert_eq!(
        dwords::<32>(text, "T").to_vec(),
        low([
            1, 8, 0x100, 0x200, 9, 16, 0x900, 0xa00, 2, 0, 0x200, 0x300, 10, 0, 0xa00, 0xb00
        ])
    );
}

/// Only the compiler's loops in a thread with an idle half read past the registers.
#[test]
fn an_index_past_the_registers_is_a_fault() {
    let text = |simd: u32| {
        format!(
            ".target visa PVC\n.decl A v_type=A num_elts=1\n\
             .decl V v_type=G type=ud num_elts=16 align=GRF\n.kernel_attr SimdSize={simd}\n\
             mov (M1_NM, 1) A(0)<1> 0xfffc:uw\n\
             mov (M1_NM, 1) V(0,0)<1> r[A(0),0]<0;1,0>:ud\n"
        )
    };
    for simd in [16, 32] {
        let message = fault(&text(simd));
        assert!(message.contains("register byte 0xfffc"), "{message}");
    }
}

#[test]
fn an_address_inside_an_element_is_not_moved_in_silence() {
    let codes = |byte: u32| {
        let text = format!(
            ".target visa PVC\n.decl V v_type=G type=ud num_elts=16 align=GRF\n\
             .decl A v_type=A num_elts=1\nmov (M1_NM, 1) A(0)<1> &V[{byte}]\n"
        );
        let program = Program::parse(&text);
        let codes = program.diagnostics.iter().map(|d| d.rule.code);
        codes.collect::<Vec<_>>()
    };
    assert_eq!(codes(4), Vec::<&str>::new());
    assert_eq!(codes(6), [lanewise_core::rules::CUT_NUMBER.code]);
}
