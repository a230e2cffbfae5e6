//! A way to break each rule, and further invalid input for the other messages.

use crate::judge::unhex;
use lanewise_core::diagnostic::Diagnostic;
use lanewise_core::isa::Style;
use lanewise_core::program::{Assembler, Program, Target};

/// How to break a rule.
pub enum Break {
    /// With a whole scenario.
    Text(&'static str),
    /// With a generated scenario.
    Made(fn() -> String),
    /// With a line after [`DECLS`].
    Line(&'static str),
    /// With bytes after [`DECLS`].
    Bytes(&'static str),
    /// With a line of an SM52 program.
    Sass(&'static str),
    /// Not reachable by text or bytes, with the reason.
    Not(&'static str),
}

pub const DECLS: &str = "\
.decl O v_type=G type=ud num_elts=8 align=GRF
.decl A v_type=G type=ud num_elts=8 align=GRF
.decl C v_type=G type=ud num_elts=8 align=GRF
.decl I v_type=G type=d num_elts=8 align=GRF
.decl F v_type=G type=f num_elts=8 align=GRF
.decl Q v_type=G type=uq num_elts=8 align=GRF
.decl B v_type=G type=uq num_elts=32 align=GRF
.decl L v_type=G type=ud num_elts=32 align=GRF
.decl X v_type=G type=ud num_elts=1 align=GRF
.decl P1 v_type=P num_elts=8
.decl P2 v_type=P num_elts=32
.decl T6 v_type=T
.decl S0 v_type=S
.decl A0 v_type=A num_elts=4
";

fn of_platform(platform: &str, line: &str) -> String {
    format!(".target visa {platform}\n{DECLS}{line}")
}

/// One way to break each rule, by code.
pub const BREAKS: &[(&str, Break)] = &[
    (
        "E0320",
        Break::Made(|| of_platform("DG2", "lsc_load.tgm (M1, 8) C:d32 bti(0x4)[A]:a32")),
    ),
    (
        "E0321",
        Break::Made(|| of_platform("DG2", "lsc_load.ugm.wb.wb (M1, 8) C:d32 flat[B]:a64")),
    ),
    (
        "E0322",
        Break::Made(|| of_platform("DG2", "lsc_atomic_iadd.ugm (M1, 8) C:d32 flat[B]:a64 V0 V0")),
    ),
    (
        "E0323",
        Break::Made(|| of_platform("DG2", "lsc_load.ugm (M1, 8) C:d32x8t flat[B]:a64")),
    ),
    (
        "E0324",
        Break::Made(|| of_platform("DG2", "lsc_load.slm (M1, 8) C:d32 flat[B]:a64")),
    ),
    ("E0325", Break::Line("and (M1, 8) C(0,0)<1> P1 P2")),
    (
        "E0379",
        Break::Made(|| of_platform("DG2", "lsc_load.ugm (M1, 8) C:x32 flat[B]:a64")),
    ),
    (
        "E0380",
        Break::Line("media_ld.nomod (4;4) T6 0 0x0:ud 0x0:ud C.0"),
    ),
    ("E0382", Break::Line("fcvt (M1, 8) C(0,0)<1> F(0,0)<1;1,0>")),
    (
        "E0383",
        Break::Line("or (M1, 8) F(0,0)<1> F(0,0)<1;1,0> F(0,0)<1;1,0>"),
    ),
    ("E0384", Break::Line("inv (M1, 8) I(0,0)<1> F(0,0)<1;1,0>")),
    (
        "E0385",
        Break::Line("and (M1, 8) C(0,0)<1> (-)A(0,0)<1;1,0> O(0,0)<1;1,0>"),
    ),
    (
        "E0386",
        Break::Line("lzd.sat (M1, 8) C(0,0)<1> A(0,0)<1;1,0>"),
    ),
    ("E0387", Break::Line("mov (M1, 1) C(0,0)<1> A(0,0)<8;8,1>")),
    (
        "E0388",
        Break::Line("add (M1, 8) F(0,0)<1> F(0,0)<1;1,0> 0x3f80:bf"),
    ),
    ("E0389", Break::Line("mov (M1, 1) %r0(0,0)<1> 1:ud")),
    ("E0396", Break::Line("addr_add (M1, 1) A0(0)<1> 5:uw 16:uw")),
    ("E0397", Break::Line("gather.4 (M1, 32) T6 0x0:ud L.0 C.0")),
    (
        "E0398",
        Break::Line("media_ld.nomod (4,4) %slm 0 0x0:ud 0x0:ud C.0"),
    ),
    (
        "E0399",
        Break::Line("media_ld.nomod (65,1) T6 0 0x0:ud 0x0:ud C.0"),
    ),
    ("W0461", Break::Line("oword_ld (M2, 2) T6 0x0:ud C.0")),
    (
        "W0462",
        Break::Line("mov (M1, 1) C(256,0)<1> A(0,0)<0;1,0>"),
    ),
    ("W0463", Break::Line("oword_ld.mod (2) T6 0x0:ud C.0")),
    (
        "W0464",
        Break::Line("cmp (M1, 8) P1 A(0,0)<1;1,0> O(0,0)<1;1,0>"),
    ),
    (
        "W0467",
        Break::Line("shr (M1, 8) I(0,0)<1> I(0,0)<1;1,0> I(0,0)<1;1,0>"),
    ),
    (
        "W0468",
        Break::Line("asr (M1, 8) C(0,0)<1> I(0,0)<1;1,0> C(0,0)<1;1,0>"),
    ),
    (
        "W0469",
        Break::Line("lzd (M1, 8) C(0,0)<1> (-)A(0,0)<1;1,0>"),
    ),
    (
        "W0470",
        Break::Line("mul.sat (M1, 8) I(0,0)<1> I(0,0)<1;1,0> I(0,0)<1;1,0>"),
    ),
    ("W0471", Break::Line("mov (M1, 8) C(0,0)<1> L(0,0)<32;1,0>")),
    ("W0472", Break::Line("mov (M1, 1) C(0,0)<1> A(9,0)<0;1,0>")),
    ("W0473", Break::Line("svm_block_ld (2) Q(0,0)<1;1,0> C.0")),
    (
        "W0474",
        Break::Line("sel (M1, 8) C(0,0)<1> A(0,0)<1;1,0> O(0,0)<1;1,0>"),
    ),
    (
        "W0475",
        Break::Line("media_ld.nomod (4,4) %bss 0 0x0:ud 0x0:ud C.0"),
    ),
    (
        "W0476",
        Break::Line("gather_scaled.3 (M1, 8) T6 0x0:ud A.0 C.0"),
    ),
    (
        "E0326",
        Break::Line("jmp (M1, 1) L1\nret (M1, 1)\n.function L1\n.function L1"),
    ),
    (
        "E0381",
        Break::Not("reported where an instruction is assembled on its own"),
    ),
    (
        "W0465",
        Break::Made(|| of_platform("DG2", "lsc_load_quad.ugm (M1, 8) C:d32 flat[B]:a64")),
    ),
    (
        "W0466",
        Break::Made(|| {
            of_platform(
                "TGLLP",
                "lrp (M1, 8) F(0,0)<1> F(0,0)<1;1,0> F(0,0)<1;1,0> F(0,0)<1;1,0>",
            )
        }),
    ),
    ("E0101", Break::Text(".title \"no end\n")),
    ("E0102", Break::Text(".slmm 4")),
    (
        "E0103",
        Break::Text("dword_atomik.add (8) T0 V32 V33 V0 V34"),
    ),
    ("E0105", Break::Line("dword_atomic.add (8) T0 O A V0 C C")),
    ("E0106", Break::Text(".target visa FOO")),
    ("E0107", Break::Text(".slm many")),
    ("E0108", Break::Text(".slm 64\n.target visa PVC")),
    ("W0109", Break::Text(".slm 64\n.slm 64")),
    ("E0110", Break::Made(|| "\n".repeat((4 << 20) + 1))),
    ("E0114", Break::Text(".slm 64 # bytes")),
    ("N0113", Break::Made(|| "\"\n".repeat(1001))),
    ("E0201", Break::Text(".decl V32 v_type=X")),
    (
        "E0202",
        Break::Text(".decl V32 v_type=G num_elts=8 type=ud"),
    ),
    ("E0203", Break::Text(".decl V5 v_type=G type=ud num_elts=8")),
    (
        "E0204",
        Break::Text(".decl ADD v_type=G type=ud num_elts=8"),
    ),
    ("E0205", Break::Text(".decl P1 v_type=P num_elts=3")),
    (
        "E0206",
        Break::Text(".decl V32 v_type=G type=ud num_elts=8 alias=<V33, 0>"),
    ),
    (
        "E0207",
        Break::Made(|| {
            let decl = |i| format!(".decl B{i} v_type=G type=df num_elts=4096\n");
            (0..33).map(decl).collect()
        }),
    ),
    (
        "W0208",
        Break::Text(".decl V25 v_type=G type=ud num_elts=8"),
    ),
    (
        "W0209",
        Break::Text(".decl V32 v_type=G type=ud num_elts=4096"),
    ),
    (
        "W0210",
        Break::Line(".decl Z v_type=G type=ud num_elts=8 alias=<A, 4>"),
    ),
    (
        "E0211",
        Break::Made(|| (0..33).map(|i| format!(".decl S_{i} v_type=S\n")).collect()),
    ),
    ("W0213", Break::Text(".decl em v_type=G type=ud num_elts=8")),
    (
        "W0214",
        Break::Text(".decl fence v_type=G type=ud num_elts=8"),
    ),
    (
        "W0215",
        Break::Text(".decl V32 v_type=G type=ud num_elts=4097"),
    ),
    ("E0334", Break::Line("svm_scatter4scaled.R (8) 0x0:bf B L")),
    (
        "E0335",
        Break::Line("svm_scatter4scaled.R (8) r[A0(16),0]<0;1,0>:uq B L"),
    ),
    ("W0425", Break::Line("svm_scatter4scaled.R (8) 1:f B L")),
    (
        "W0212",
        Break::Line(".decl Z v_type=G type=ud num_elts=1 alias=<A, 2>"),
    ),
    ("E0301", Break::Line("dword_atomic.add T0 O A V0 C")),
    ("E0302", Break::Line("dword_atomic.add (M1, 3) T0 O A V0 C")),
    ("E0303", Break::Line("dword_atomic.add (M9, 8) T0 O A V0 C")),
    (
        "E0304",
        Break::Line("(P1.some) dword_atomic.add (8) T0 O A V0 C"),
    ),
    (
        "E0305",
        Break::Line("dword_atomic.add (8) T0 O A V0 nobody"),
    ),
    ("E0306", Break::Line("dword_atomic.add (8) T0 O A V0 P1")),
    (
        "E0307",
        Break::Line("dword_atomic.add (8) T0 O A.70000 V0 C"),
    ),
    (
        "E0308",
        Break::Line("dword_atomic.add (8) T0 O A %null.4 C"),
    ),
    ("E0309", Break::Line("dword_atomic.add (8) T0 O A V0")),
    ("E0310", Break::Line("dword_atomic.add (8) A O A V0 C")),
    ("E0311", Break::Line("dword_atomic.mul (8) T0 O A V0 C")),
    ("E0312", Break::Line("dword_atomic.add.64 (8) T0 O A V0 C")),
    ("E0313", Break::Line("dword_atomic.add (4) T0 O A.16 V0 C")),
    ("E0314", Break::Line("dword_atomic.add (8) T0 O F V0 F")),
    ("E0315", Break::Line("dword_atomic.add (M8, 8) T0 O A V0 C")),
    ("E0316", Break::Line("dword_atomic.inc (8) T0 O A V0 C")),
    ("E0317", Break::Line("dword_atomic.add (8) T0 O A A C")),
    (
        "E0318",
        Break::Line("dword_atomic.add (8) T0 O A.8192 V0 C"),
    ),
    ("E0319", Break::Line("dword_atomic.add (8) T0 I A V0 C")),
    ("E0330", Break::Line("svm_scatter4scaled.GR (8) Q B L")),
    ("E0331", Break::Line("svm_scatter4scaled.R (8) Q(0,0) B L")),
    ("E0332", Break::Line("svm_scatter4scaled.R (8) V0 B L")),
    (
        "E0333",
        Break::Line("svm_scatter4scaled.R (8) (~)Q(0,0)<0;1,0> B L"),
    ),
    (
        "E0340",
        Break::Made(|| format!(".target visa PVC\n{DECLS}DPASW.s8.s8.8.1 (8) I I L A\n")),
    ),
    ("E0341", Break::Line("dpasw.s8.s8.3.1 (8) I I L A")),
    ("E0342", Break::Line("dpasw.s8.s9.8.1 (8) I I L A")),
    ("E0343", Break::Line("dpasw.bf8.bf8.8.1 (8) I I L A")),
    ("E0344", Break::Line("dpasw.s8.s8.8.1 (16) I I L A")),
    ("E0345", Break::Line("(P1) dpasw.s8.s8.8.1 (8) I I L A")),
    ("E0346", Break::Line("dpasw.s8.s8.8.1 (8) V0 I L A")),
    ("E0347", Break::Line("dpasw.s8.s8.8.1 (8) Q I L A")),
    (
        "E0348",
        Break::Line("dpasw.s8.s8.8.1 (8) I I L A(0,0)<1;1,0>"),
    ),
    ("E0349", Break::Line("dpasw.s8.s8.8.1 (8) I I L (-)A(0,0)")),
    ("E0350", Break::Sass("ATOM.MUL R0, [R2], R4")),
    ("E0351", Break::Sass("ATOM.ADD.U16 R0, [R2], R4")),
    ("E0352", Break::Sass("ATOM.INC.S32 R0, [R2], R4")),
    ("E0353", Break::Sass("ATOM.ADD.128 R0, [R2], R4")),
    ("E0354", Break::Sass("ATOM.ADD.F64.RN R0, [R2], R4")),
    (
        "E0355",
        Break::Text(".target sass SM50\nATOM.ADD P0, R0, [R2], R4"),
    ),
    ("E0356", Break::Sass("ATOM.ADD R0, [R255], R4")),
    ("E0357", Break::Sass("@!!P0 ATOM.ADD R0, [R2], R4")),
    ("E0358", Break::Sass("ATOM.ADD R0, R2, R4")),
    ("E0359", Break::Sass("ATOM.ADD R0, [R2 + 524288], R4")),
    ("E0360", Break::Sass("ATOM.E.ADD R0, [R2 + 524288], R4")),
    ("E0361", Break::Sass("ATOM.ADD.U64 R1, [R2], R4")),
    ("E0362", Break::Sass("ATOM.E.ADD R0, [R3], R4")),
    ("E0363", Break::Sass("ATOM.CAS R0, [R2], R4, R6")),
    ("E0364", Break::Sass("ATOM.ADD R0, [R2]")),
    ("E0365", Break::Sass("ATOM.ADD R0, [R2], R4, R5")),
    ("E0366", Break::Sass("ATOM.ADD P0, R0, [R2 + 4], R4")),
    ("E0367", Break::Sass("RED.ADD.F16x2.RN [R2], R4")),
    ("E0368", Break::Sass("ATOM.ADD R0, [R2], R4 &rd=6")),
    (
        "E0370",
        Break::Line("add (M1, 8) C(0,0)<1> A(0,0)<8;3,1> 1:ud"),
    ),
    (
        "E0371",
        Break::Line("add (M1, 8) C(0,0)<3> A(0,0)<8;8,1> 1:ud"),
    ),
    (
        "E0372",
        Break::Line("add.foo (M1, 8) C(0,0)<1> A(0,0)<8;8,1> 1:ud"),
    ),
    ("E0373", Break::Line("fcall (M1, 8) SUB 256 0")),
    ("E0374", Break::Line("goto (M1, 8) 5")),
    ("E0375", Break::Line("(P1) barrier")),
    (
        "E0376",
        Break::Line("HERE:\ngoto (M1, 8) HERE\nHERE:\nret (M1, 8)"),
    ),
    ("E0377", Break::Line("goto (M1, 8) NOWHERE")),
    (
        "E0378",
        Break::Not("65,536 labels take too long to parse in a test"),
    ),
    (
        "E0390",
        Break::Made(|| format!(".target visa TGLLP\n{DECLS}DPAS.s8.s8.8.1 (8) I I L A\n")),
    ),
    ("E0391", Break::Line("dpas.s8.s8.8.1 (16) I I L A")),
    ("E0392", Break::Line("dpas.s8.s9.8.1 (8) I I L A")),
    ("E0393", Break::Line("dpas.hf8.hf8.8.1 (8) F F L A")),
    ("E0394", Break::Line("dpas.tf32.bf.8.1 (8) F F L A")),
    ("E0395", Break::Line("dpas.s8.s8.8.1 (8) Q I L A")),
    ("E0818", Break::Text(".launch global=64")),
    ("E0819", Break::Text(".launch global=64 local=2048")),
    ("E0820", Break::Text(".simd 7")),
    ("E0821", Break::Text(".buffer y")),
    ("E0822", Break::Text(".bind")),
    ("W0401", Break::Line("dword_atomic.fadd (8) T0 O F V0 F")),
    ("W0402", Break::Line("svm_atomic.add.32 (8) Q C A V0")),
    ("W0403", Break::Line("svm_atomic.add (16) B L L V0")),
    ("W0404", Break::Line("dword_atomic.add (8) T1 O A V0 C")),
    ("W0405", Break::Line("dword_atomic.add (8) S0 O A V0 C")),
    ("W0406", Break::Line("dword_atomic.add (M2, 8) T0 O A V0 C")),
    ("W0407", Break::Line("svm_atomic.add (M8, 8) Q C A V0")),
    ("W0408", Break::Line("svm_atomic.add (8) Q F F V0")),
    ("W0409", Break::Line("svm_atomic.add (8) Q I A V0")),
    ("W0410", Break::Line("svm_atomic.add (8) O C A V0")),
    ("W0412", Break::Line("svm_atomic.inc (8) Q C A V0")),
    ("W0413", Break::Line("svm_atomic.add (8) Q C A A")),
    ("W0414", Break::Line("dword_atomic.add (8) T0 O V0 V0 C")),
    ("W0415", Break::Line("dword_atomic.add (8) T0 V0 A V0 C")),
    ("W0416", Break::Line("dword_atomic.add (8) T0 O A V0.4 C")),
    ("W0417", Break::Line("dword_atomic.add (1) T0 O X.2 V0 C")),
    ("W0418", Break::Line("dword_atomic.add (16) T0 O A V0 C")),
    ("W0419", Break::Line("dword_atomic.add (8) T0 O A V0 %r0")),
    (
        "W0420",
        Break::Line("(P1) dword_atomic.add (16) T0 L L V0 L"),
    ),
    ("W0421", Break::Line("dword_atomic.add (8) T0 O A0 V0 C")),
    ("W0422", Break::Line("dword_atomic.add (8) T0 O %arg V0 C")),
    (
        "W0423",
        Break::Text(
            ".target visa SKL\n.decl O v_type=G type=ud num_elts=8\ndword_atomic.inc.16 (8) T0 O V0 V0 O",
        ),
    ),
    ("W0424", Break::Line("svm_atomic.fmax.64 (8) Q F F V0")),
    ("W0430", Break::Line("svm_scatter4scaled.R (4) Q B L")),
    (
        "W0431",
        Break::Bytes("4e07030000000000002500000000002101250000000000200000000000"),
    ),
    ("W0432", Break::Line("svm_scatter4scaled.R (8) Q B Q")),
    (
        "W0433",
        Break::Bytes("4e070300000100000100000003250000000000200000000000"),
    ),
    (
        "W0434",
        Break::Line("svm_scatter4scaled.R (8) (abs)Q(0,0)<0;1,0> B L"),
    ),
    (
        "W0435",
        Break::Line("svm_scatter4scaled.R (8) Q(0,4)<0;1,0> B L"),
    ),
    (
        "W0436",
        Break::Line("svm_scatter4scaled.R (8) r[A0(0),512]<0;1,0>:uq B L"),
    ),
    (
        "W0437",
        Break::Line("svm_scatter4scaled.R (8) r[A0(0),4]<0;1,0>:uq B L"),
    ),
    (
        "W0438",
        Break::Line("svm_scatter4scaled.R (8) r[A0(4),0]<0;1,0>:uq B L"),
    ),
    (
        "W0439",
        Break::Line("svm_scatter4scaled.R (8) 0xfffff:uw B L"),
    ),
    ("W0440", Break::Line("dpasw.s8.s8.4.1 (8) I I L A")),
    ("W0441", Break::Line("dpasw.bf.hf.8.1 (8) F F L A")),
    ("W0442", Break::Line("dpasw.u1.u1.8.1 (8) I I L A")),
    ("W0443", Break::Line("dpasw.s8.s8.8.1 (8) I I L A")),
    ("W0444", Break::Line("dpasw.s8.s8.8.1 (8) F I L A")),
    ("W0445", Break::Line("dpasw.s8.s8.8.1 (8) I C L A")),
    ("W0446", Break::Line("dpasw.s8.s8.8.1 (8) I I L A(0,4)")),
    ("W0447", Break::Line("dpas.tf32.tf32.8.1 (8) F F L A")),
    ("W0448", Break::Line("dpas.s8.s8.8.1 (8) F I L A")),
    ("W0449", Break::Line("(P1) and (M1, 8) P1 P1 P1")),
    ("W0450", Break::Sass("RED.INC.S32 [R2], R4")),
    (
        "W0451",
        Break::Text(".target sass SM50\nRED.ADD.U128 [R2], R4"),
    ),
    ("W0452", Break::Sass("RED.ADD.U64 [R2], R5")),
    ("W0453", Break::Sass("RED.E.ADD [R3], R5")),
    ("W0460", Break::Line("and.sat (M1, 8) P1 P1 P1")),
    ("N0501", Break::Line("dword_atomic.fmax.16 (8) T0 O F V0 F")),
    (
        "N0502",
        Break::Line("dword_atomic.cmpxchg.16 (8) T0 O A A C"),
    ),
    ("N0503", Break::Line("dword_atomic.predec (8) T0 O V0 V0 I")),
    ("N0504", Break::Line("dword_atomic.add (8) T0 O I V0 I")),
    ("N0505", Break::Line("dword_atomic.predec (8) T0 O V0 V0 I")),
    ("N0506", Break::Line("DWORD_ATOMIC.ADD (8) T0 O A V0 C")),
    ("N0509", Break::Line("dword_atomic. add (8) T0 O A V0 C")),
    (
        "N0512",
        Break::Line("svm_scatter4scaled.R (1) Q(0,0)<4;4,1> B L"),
    ),
    (
        "N0511",
        Break::Line("svm_scatter4scaled.R (8) 2147483648:uq B L"),
    ),
    (
        "N0513",
        Break::Line("svm_scatter4scaled.R (8) 0x7f800001:f B L"),
    ),
    ("N0507", Break::Sass("ATOM.ADD.F16x2.RN R0, [R2], R4")),
    (
        "N0508",
        Break::Not("reported when a single word is assembled"),
    ),
    (
        "N0510",
        Break::Line("svm_scatter4scaled.R (8) Q(0,0)<4;4,1> B L"),
    ),
    (
        "N0521",
        Break::Line(".decl H v_type=G type=hf num_elts=16 align=GRF\ndpas.hf.hf.8.1 (8) H F L A"),
    ),
    ("N0520", Break::Line("dpasw.s8.s8.8.1 (8) L I L A")),
    (
        "W0601",
        Break::Bytes("7d4003000000200000000000210000000000000000000000220000000000"),
    ),
    (
        "W0602",
        Break::Bytes("7d0006000000200000000000210000000000000000000000220000000000"),
    ),
    (
        "W0603",
        Break::Bytes("7d0003016000200000000000210000000000000000000000220000000000"),
    ),
    (
        "W0604",
        Break::Bytes("4e0503000060250000000000210000000000000000000000220000000000"),
    ),
    (
        "W0605",
        Break::Bytes("7d0003008000200000000000210000000000000000000000220000000000"),
    ),
    (
        "E0606",
        Break::Bytes("7d0e03000000200000000000210000000000000000000000220000000000"),
    ),
    ("E0607", Break::Bytes("7d0003")),
    ("E0608", Break::Bytes("ff")),
    (
        "E0609",
        Break::Bytes("7d0003000000ff0000000000210000000000000000000000220000000000"),
    ),
    ("E0610", Break::Not("reported by the command line")),
    ("E0611", Break::Not("reported by the command line")),
    (
        "W0613",
        Break::Not("reported for the control word of a group: text_and_bytes.rs"),
    ),
    (
        "W0612",
        Break::Bytes("7d0003000000240000000000210000000000000000000000220000000000"),
    ),
    (
        "W0630",
        Break::Bytes("4e07030000010000202500000000002101250000000000200000000000"),
    ),
    ("E0701", Break::Line("dword_atomic.add (8) T0 O V0 V0 C")),
    ("E0702", Break::Line("svm_atomic.add.64 (8) Q C A V0")),
    ("E0703", Break::Line("svm_atomic.add (8) Q F F V0")),
    ("E0704", Break::Line("dword_atomic.add (8) T1 O A V0 C")),
    ("E0705", Break::Line("dword_atomic.add (16) T0 O A V0 C")),
    ("E0706", Break::Line("svm_atomic.add (M8, 8) Q C A V0")),
    ("E0707", Break::Sass("RED.ADD.U64 [R2], R5")),
    ("E0708", Break::Line("svm_atomic.fmax.64 (8) Q F F V0")),
    (
        "E0730",
        Break::Line("svm_scatter4scaled.R (8) F(0,0)<0;1,0> B L"),
    ),
    ("N0709", Break::Sass("ATOM.SAFEADD.U64 R0, [R2], R4")),
    (
        "E0740",
        Break::Line(".threads 1\ndpasw.s8.s8.8.1 (8) I I L A"),
    ),
    ("E0741", Break::Line("dpasw.u1.u1.8.1 (8) I I L A")),
    ("E0801", Break::Line(".init A 1, 2")),
    ("E0802", Break::Line(".init A = 1, 2, 3, 4, 5, 6, 7, 8, 9")),
    ("E0803", Break::Line(".init A = -1")),
    ("E0804", Break::Text(".init svm[0x1000] : ud = 1")),
    ("W0805", Break::Line(".init A = 1\n.init A = 2")),
    ("E0806", Break::Text(".region svm 0 0x10000000")),
    ("E0807", Break::Text(".region svm 0 64\n.region svm 32 64")),
    ("W0808", Break::Line("dword_atomic.add (8) T6 O A V0 C")),
    ("E0809", Break::Text(".threads 3")),
    ("E0810", Break::Text(".order 1 1")),
    (
        "W0811",
        Break::Line(
            "dword_atomic.inc (8) T0 O V0 V0 C\n.order 9\ndword_atomic.inc (8) T0 O V0 V0 C",
        ),
    ),
    (
        "W0812",
        Break::Line("dword_atomic.inc (8) T0 O V0 V0 C\n.order 1"),
    ),
    ("E0813", Break::Line(".init EU1.A = 1")),
    ("E0815", Break::Text(".target sass\n.window shared 0x1234")),
    (
        "E0814",
        Break::Text(
            ".slm 60000000\n.init slm[0] : ub = splat(1)\n.init slm[0] : ub = splat(1)\n\
             .init slm[0] : ub = splat(1)",
        ),
    ),
    (
        "W0816",
        Break::Line(".order 1 0\ndpasw.s8.s8.8.1 (8) I I L A"),
    ),
    ("E0817", Break::Text(".fuel 0")),
    ("E0901", Break::Not("reported by the command line's batch")),
    ("E0902", Break::Not("reported by the command line's batch")),
    ("E0903", Break::Not("reported by the command line's batch")),
    ("E0904", Break::Not("reported by the command line's batch")),
    ("E0905", Break::Not("reported by the command line's batch")),
];

impl Break {
    /// Returns the diagnostics of this input.
    #[must_use]
    pub fn diagnostics(&self) -> Vec<Diagnostic> {
        let text = match self {
            Self::Text(text) => (*text).to_owned(),
            Self::Made(make) => make(),
            Self::Line(line) => format!("{DECLS}{line}"),
            Self::Sass(line) => format!(".target sass SM52\n{line}"),
            Self::Not(_) => return Vec::new(),
            Self::Bytes(bytes) => {
                let mut assembler = Assembler::new(Target::default(), DECLS.lines()).unwrap();
                return match assembler.disassemble(&unhex(bytes), Style::Assembler) {
                    Ok(read) => read.diagnostics.to_vec(),
                    Err(diagnostics) => diagnostics.to_vec(),
                };
            }
        };
        Program::parse(&text).diagnostics
    }
}

/// Further invalid input, to reach the messages that [`BREAKS`] does not show.
pub const MORE: &[Break] = &[
    Break::Text("."),
    Break::Text(".slmm"),
    Break::Text(".lanes helper=1"),
    Break::Text(".fuel"),
    Break::Line("cmp (M1, 8) P1 C(0,0)<8;8,1> A(0,0)<8;8,1>"),
    Break::Line("cmp.foo (M1, 8) P1 C(0,0)<8;8,1> A(0,0)<8;8,1>"),
    Break::Line("cmp.lt.foo (M1, 8) P1 C(0,0)<8;8,1> A(0,0)<8;8,1>"),
    Break::Line("switchjmp (M1, 1) 0:ud ()"),
    Break::Line("add (M1, 8) C(0,0) A(0,0)<8;8,1> 1:ud"),
    Break::Line("add (M1, 8) 1:ud A(0,0)<8;8,1> 1:ud"),
    Break::Line("add (M1, 8) C(0,0)<1> A(0,0) 1:ud"),
    Break::Line("add (M1, 8) C(0,0)<1> A(0,0)<8;8,1>"),
    Break::Line("mov (M1, 8) C(0,0)<1> &NOPE"),
    Break::Line("mov (M1, 8) C(0,0)<1> T6("),
    Break::Line("lzd.foo (M1, 8) C(0,0)<1> A(0,0)<8;8,1>"),
    Break::Line("goto (M1, 8)"),
    Break::Text("/* open"),
    Break::Text("+++"),
    Break::Text("frobnicate V1"),
    Break::Text(".target"),
    Break::Text(".target PVC"),
    Break::Text(".target SM52"),
    Break::Text(".target gpu XEHP"),
    Break::Text(".target visa NOPE"),
    Break::Text(".target sass SM99"),
    Break::Text(".title x"),
    Break::Text(".note"),
    Break::Text(".slm"),
    Break::Text(".slm 64 64"),
    Break::Text(".surface"),
    Break::Text(".surface T9 64"),
    Break::Text(".surface T0 64"),
    Break::Text(".region global 0 64"),
    Break::Text(".region svm 0xfffffffffffffff0 64"),
    Break::Text(".region svm"),
    Break::Text(".threads"),
    Break::Text(".order 1 x"),
    Break::Text(".order 40"),
    Break::Text(".decl"),
    Break::Text(".decl 5x v_type=G type=ud num_elts=8"),
    Break::Text(".decl V32"),
    Break::Text(".decl V32 v_type=G type=ud"),
    Break::Text(".decl V32 v_type=G num_elts=8"),
    Break::Text(".decl V32 v_type=G type=zz num_elts=8"),
    Break::Text(".decl V32 v_type=G type=ud num_elts=x"),
    Break::Text(".decl V32 v_type=G type=ud num_elts=8 align=odd"),
    Break::Text(".decl V32 v_type=G type=ud num_elts=8 foo=1"),
    Break::Text(".decl V32 v_type=G v_type=G type=ud num_elts=8"),
    Break::Text(".decl V32 v_type=G type=ud num_elts=5000000"),
    Break::Text("ATOM.ADD R0, [R2], R4"),
    Break::Text(".init"),
    Break::Text(".init EU0. = 1"),
    Break::Text(".init nowhere = 1"),
    Break::Text(".init slm[x] : ud = 1"),
    Break::Text(".init slm[0] = 1"),
    Break::Text(".init slm[65536] : ud = 1"),
    Break::Text(".init slm[65532] : ud = 1, 2"),
    Break::Line(".order 3.R\ndword_atomic.inc (4) T0 O V0 V0 C"),
    Break::Line(".order 3.A\nsvm_scatter4scaled.R (8) Q B L"),
    Break::Line(".decl Z v_type=G type=ud num_elts=8 alias=<A, 64>"),
    Break::Line(".init A"),
    Break::Line(".init A = "),
    Break::Line(".init A = 1.5"),
    Break::Line(".init A = 5000000000"),
    Break::Line(".init A = abc"),
    Break::Line(".init A = 0f3f80"),
    Break::Line(".init F = 0f12"),
    Break::Line(".init A = random(x)"),
    Break::Line(".init A = iota(1"),
    Break::Line(".init A = seq(1)"),
    Break::Line(".init A = splat(1) 2"),
    Break::Line(".init P1 = 1, 2"),
    Break::Line(".init P1 = 0xfff"),
    Break::Line(".init A0 = 5"),
    Break::Line(".init A0 = &A, x"),
    Break::Line(".init EU0.slm[0] : ud = 1"),
    Break::Line(".init T6 = 1"),
    Break::Line("dword_atomic (8) T0 O A V0 C"),
    Break::Line("dword_atomic add (8) T0 O A V0 C"),
    Break::Line("dword_atomic.add T0 O A V0 C"),
    Break::Line("dword_atomic.add (M1 8) T0 O A V0 C"),
    Break::Line("dword_atomic.add (M1) T0 O A V0 C"),
    Break::Line("dword_atomic.add () T0 O A V0 C"),
    Break::Line("dword_atomic.add (M1, 8 T0 O A V0 C"),
    Break::Line("dword_atomic.add (M1, 8 8) T0 O A V0 C"),
    Break::Line("dword_atomic.add (eight) T0 O A V0 C"),
    Break::Line("dword_atomic.add (8)"),
    Break::Line("dword_atomic.add (8) O A V0 C"),
    Break::Line("dword_atomic.add (8) T9 O A V0 C"),
    Break::Line("dword_atomic.add (8) T6.4 O A V0 C"),
    Break::Line("dword_atomic.add (8) T0, O, A, V0, C"),
    Break::Line("dword_atomic.add (8) T0 O A(0,0)<8;8,1> V0 C"),
    Break::Line("dword_atomic.add (8) T0 O A.x V0 C"),
    Break::Line("dword_atomic.add (8) T0 O A V0 C C"),
    Break::Line("dword_atomic.add.16.16 (8) T0 O A V0 C"),
    Break::Line("(P9) dword_atomic.add (8) T0 O A V0 C"),
    Break::Line("(A) dword_atomic.add (8) T0 O A V0 C"),
    Break::Line("() dword_atomic.add (8) T0 O A V0 C"),
    Break::Line("(P1 dword_atomic.add (8) T0 O A V0 C"),
    Break::Line("(P1.most) dword_atomic.add (8) T0 O A V0 C"),
    Break::Line("svm_scatter4scaled (8) Q B L"),
    Break::Line("svm_scatter4scaled.XY (8) Q B L"),
    Break::Line("svm_scatter4scaled R (8) Q B L"),
    Break::Line("svm_scatter4scaled.R (8) T6 Q B L"),
    Break::Line("svm_scatter4scaled.R (8) Q<0;1,0> B L"),
    Break::Line("svm_scatter4scaled.R (8) Q(0,0) B L"),
    Break::Line("svm_scatter4scaled.R (8) Q(0,0)<0;7,0> B L"),
    Break::Line("svm_scatter4scaled.R (8) Q(x) B L"),
    Break::Line("svm_scatter4scaled.R (8) Q(300,0)<0;1,0> B L"),
    Break::Line("svm_scatter4scaled.R (8) Q.8 B L"),
    Break::Line("svm_scatter4scaled.R (8) (?)Q(0,0)<0;1,0> B L"),
    Break::Line("svm_scatter4scaled.R (8) 0x10000 B L"),
    Break::Line("svm_scatter4scaled.R (8) 0x1ffffffffffffffff:uq B L"),
    Break::Line("svm_scatter4scaled.R (8) 1:bool B L"),
    Break::Line("svm_scatter4scaled.R (8) r[A0(0),16] B L"),
    Break::Line("svm_scatter4scaled.R (8) r[A9(0),16]<0;1,0>:uq B L"),
    Break::Line("svm_scatter4scaled.R (8) r[A(0),16]<0;1,0>:uq B L"),
    Break::Line("svm_scatter4scaled.R (8) r[A0,16]<0;1,0>:uq B L"),
    Break::Line("svm_scatter4scaled.R (8) r[A0(3),16]<1,0>:uq B L"),
    Break::Line("svm_scatter4scaled.R (16) Q B L"),
    Break::Line("svm_gather4scaled.R (4) Q B %r0"),
    Break::Line("svm_scatter4scaled.R (8) V0 V0 V0"),
    Break::Line("dpasw (8) I I L A"),
    Break::Line("dpasw.s8.s8 (8) I I L A"),
    Break::Line("dpasw .s8.s8.8.1 (8) I I L A"),
    Break::Line("dpasw.s8.s8.8.9 (8) I I L A"),
    Break::Line("dpasw.s8.s8.8.8 (8) I I L A"),
    Break::Line("dpasw.s8.s8.8.1 (8) I I L L(0,5)"),
    Break::Line("dpasw.s8.s8.8.2 (8) L L L L(0,0)"),
    Break::Line("dpas.bf.hf.8.1 (8) F F L A"),
    Break::Sass("ATOM R0, [R2], R4"),
    Break::Sass("ATOM.ADD R0 [R2] R4"),
    Break::Sass("ATOM.ADD R0, R2, R4"),
    Break::Sass("ATOM.ADD R0, [R2, R4"),
    Break::Sass("ATOM.ADD R0, [R2 + x], R4"),
    Break::Sass("ATOM.ADD RX, [R2], R4"),
    Break::Sass("ATOM.ADD R0, [R2], P0"),
    Break::Sass("ATOM.ADD R0, [R2], R4, R5, R6"),
    Break::Sass("ATOM.CAS R0, [R2], R4, R7"),
    Break::Sass("ATOM.CAS R0, [R2], RZ, RZ"),
    Break::Sass("ATOM.CAS R0, [R2], R5, R6"),
    Break::Sass("ATOM.ADD P0, R0, [RZ], R4"),
    Break::Sass("ATOM.ADD P7, R0, [R2], R4"),
    Break::Sass("ATOM.ADD.F16x2 R0, [R2], R4"),
    Break::Sass("ATOM.ADD.X R0, [R2], R4"),
    Break::Sass("ATOM.U32.ADD R0, [R2], R4"),
    Break::Sass("@P8 ATOM.ADD R0, [R2], R4"),
    Break::Sass("RED.EXCH [R2], R4"),
    Break::Sass("RED.ADD R0, [R2], R4"),
    Break::Sass("RED.ADD.U64 [R2], R4"),
    Break::Sass("RED.MAX.U64 [R2], R4"),
    Break::Sass("ATOM.ADD R0, [R2], R4 &xx=1"),
    Break::Sass("ATOM.ADD R0, [R2], R4 &rd"),
    Break::Sass("ATOM.ADD R0, [R2], R4 &req=1"),
    Break::Sass("ATOM.ADD R0, [R2], R4 &req={1,1}"),
    Break::Sass("ATOM.ADD R0, [R2], R4 &req={1"),
    Break::Sass("ATOM.ADD R0, [R2], R4 &rd=x"),
    Break::Sass("ATOM.ADD R0, [R2], R4 &wr=0 &rd=1"),
    Break::Sass("ATOM.ADD R0, [R2], R4 ?stall16"),
    Break::Sass("ATOM.ADD R0, [R2], R4 ?stall1.yield.yield"),
    Break::Sass(".window local 0"),
    Break::Sass(".window global 0"),
    Break::Sass(".window shared 0x1000000\n.window local 0x1000000"),
    Break::Sass(".lanes"),
    Break::Sass(".lanes helper"),
    Break::Sass(".lanes odd=1"),
    Break::Sass(".lanes helper=0x100000000"),
    Break::Sass(".init RZ = 1"),
    Break::Sass(".init PT = 1"),
    Break::Sass(".init R9:R10 = 1"),
    Break::Sass(".init R8:R9 : ud = 1"),
    Break::Sass(".init Q = 1"),
    Break::Sass(".init P0 = 0x100000000"),
    Break::Sass(
        ".init R4 = 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31, 32, 33",
    ),
    Break::Sass("dword_atomic.add (8) T0 O A V0 C"),
    Break::Sass(".region svm 0 64"),
    Break::Sass(".slm 64"),
    Break::Bytes(""),
    Break::Bytes("7d00"),
    Break::Bytes("7d0003000000200000000000ff0000000000000000000000220000000000"),
];
