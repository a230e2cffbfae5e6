//! The vector files; `vectors/README.md` describes their fields.

use serde::Deserialize;
use serde::de::DeserializeOwned;
use std::collections::BTreeMap;
use std::path::Path;

/// Reads a file of JSON lines in the folder `vectors`.
///
/// # Panics
/// When the file or one of its lines cannot be read.
#[must_use]
pub fn read<T: DeserializeOwned>(file: &str) -> Vec<T> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("vectors")
        .join(file);
    let text = std::fs::read_to_string(&path).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
    text.lines()
        .enumerate()
        .map(|(i, line)| {
            serde_json::from_str(line).unwrap_or_else(|e| panic!("{file} line {}: {e}", i + 1))
        })
        .collect()
}

/// A line of `visa/encodings.jsonl`.
#[derive(Debug, Deserialize)]
pub struct Encoding {
    /// `DWORD_ATOMIC`, `SVM_ATOMIC` or `SVM_SCATTER4_SCALED`.
    pub family: String,
    /// The real assembler's platform name.
    pub platform: String,
    /// `.decl` lines.
    pub decls: Vec<String>,
    /// The instruction.
    pub text: String,
    /// Its encoding in hexadecimal.
    pub bytes: String,
    /// What the real disassembler prints.
    pub disasm: String,
    /// In what way it leaves the documents; empty for a plainly legal line.
    pub tags: Vec<String>,
}

/// A line of `visa/rejects.jsonl`.
#[derive(Debug, Deserialize)]
pub struct Reject {
    /// `DWORD_ATOMIC`, `SVM_ATOMIC` or `SVM_SCATTER4_SCALED`.
    pub family: String,
    /// The real assembler's platform name.
    pub platform: String,
    /// `.decl` lines.
    pub decls: Vec<String>,
    /// The instruction.
    pub text: String,
    /// What the documents say: legal, illegal or silent.
    pub expect: String,
    /// What the line tries.
    pub why: String,
    /// What the real assembler did: accepted, rejected, crash or hang.
    pub verdict: String,
    /// The encoding, when it was accepted.
    pub bytes: Option<String>,
    /// The disassembly, when it was accepted.
    pub disasm: Option<String>,
}

/// A line of `visa/rejects_codes.jsonl`, for the same line of
/// `visa/rejects.jsonl`.
#[derive(Debug, Deserialize)]
pub struct RejectCodes {
    /// The real assembler's platform name.
    pub platform: String,
    /// The instruction.
    pub text: String,
    /// The codes of all our diagnostics, sorted, each once.
    pub codes: Vec<String>,
}

/// A line of `visa/decodings.jsonl`.
#[derive(Debug, Deserialize)]
pub struct Decoding {
    /// `DWORD_ATOMIC`, `SVM_ATOMIC` or `SVM_SCATTER4_SCALED`.
    pub family: String,
    /// `.decl` lines.
    pub decls: Vec<String>,
    /// The bytes, in hexadecimal.
    pub bytes: String,
    /// What the line tries.
    pub why: String,
    /// What the real reader did: decoded, verifier or crash.
    pub verdict: String,
    /// What it printed.
    pub disasm: Option<String>,
}

/// A line of `visa/observed.jsonl`.
#[derive(Debug, Deserialize)]
pub struct Observed {
    /// What the line explores.
    pub why: String,
    /// The real assembler's platform name.
    pub platform: String,
    /// `.decl` lines.
    pub decls: Vec<String>,
    /// The instruction.
    pub text: String,
    /// What the real assembler did: accepted, rejected, crash or hang.
    pub verdict: String,
    /// The encoding, when it was accepted and written in full.
    pub bytes: Option<String>,
    /// The disassembly, when it was accepted.
    pub disasm: Option<String>,
    /// Why it was rejected, shortened.
    pub message: Option<String>,
}

/// Memory: start address and bytes in hexadecimal.
pub type Bytes = BTreeMap<String, String>;

/// One way in which conflicting lanes may end.
#[derive(Debug, Deserialize, PartialEq)]
pub struct End {
    /// Memory at the end.
    pub memory_after: Bytes,
    /// The destination at the end, one value a lane.
    pub dst_after: Option<Vec<String>>,
}

/// How lanes end in one order.
#[derive(Debug, Deserialize)]
pub struct Serial {
    /// The order.
    pub order: Vec<usize>,
    /// Memory at the end.
    pub memory_after: Bytes,
    /// The destination at the end, one value a lane.
    pub dst_after: Option<Vec<String>>,
}

/// What lanes that hit one cell with equal operands return, in any order.
#[derive(Debug, Deserialize)]
pub struct Multiset {
    /// The lanes.
    pub lanes: Vec<usize>,
    /// Their values.
    pub values: Vec<String>,
}

/// A line of `exec/atomics.jsonl`.
#[derive(Debug, Deserialize)]
pub struct Atomic {
    /// Its name.
    pub id: String,
    /// `DWORD_ATOMIC` or `SVM_ATOMIC`.
    pub instr: String,
    /// The operation's name.
    pub op: String,
    /// 16, 32 or 64.
    pub width: u32,
    /// How many lanes.
    pub exec_size: usize,
    /// Which lanes take part.
    pub chen: Vec<u8>,
    /// `T0` or `T6`, for DWORD_ATOMIC.
    pub surface: Option<String>,
    /// Its size in bytes.
    pub surface_size: Option<u64>,
    /// Byte offsets, for DWORD_ATOMIC.
    pub offsets: Option<Vec<String>>,
    /// Virtual addresses, for SVM_ATOMIC.
    pub addresses: Option<Vec<String>>,
    /// First source, one value a lane.
    pub src0: Option<Vec<String>>,
    /// Second source.
    pub src1: Option<Vec<String>>,
    /// Memory before.
    pub memory_before: Bytes,
    /// Destination before; none means the null variable.
    pub dst_before: Option<Vec<String>>,
    /// Memory after, where every order of the lanes gives it.
    pub memory_after: Option<Bytes>,
    /// Destination after the instruction.
    pub dst_after: Option<Vec<String>>,
    /// The bits of each element of dst that are defined.
    pub dst_defined_mask: Option<String>,
    /// Groups of conflicting lanes and the values they return in any order.
    pub dst_multisets: Option<Vec<Multiset>>,
    /// Every way in which few conflicting lanes may end.
    pub outcomes: Option<Vec<End>>,
    /// One way in which many conflicting lanes may end.
    pub one_serial_order: Option<Serial>,
    /// What the case is about.
    pub kind: String,
    /// More of the same.
    pub flags: Vec<String>,
    /// What Intel's CPU emulation gave: `match`, or the name of the other
    /// reading that it follows.
    pub observed: Option<String>,
}

/// A line of `exec/scatter4.jsonl`.
#[derive(Debug, Deserialize)]
pub struct Scatter4 {
    /// Its name.
    pub id: String,
    /// How many lanes.
    pub exec_size: usize,
    /// Size of a register in bytes: 64 on PVC.
    pub grf_size: u32,
    /// Enabled channels, R in bit 0.
    pub channels: u8,
    /// The scale, always zero.
    pub scale: u16,
    /// Which lanes take part.
    pub chen: Vec<u8>,
    /// The address.
    pub address: String,
    /// One offset a lane.
    pub element_offset: Vec<String>,
    /// The registers of src in hexadecimal, in the order of memory.
    pub src: String,
    /// Memory before.
    pub memory_before: Bytes,
    /// Memory after the loop of the document.
    pub memory_after: Bytes,
    /// Cells on which lanes collide, each with the values that may stay.
    pub ambiguous: Option<BTreeMap<String, Vec<String>>>,
    /// What the case is about.
    pub kind: String,
    /// More of the same.
    pub flags: Vec<String>,
    /// What Intel's CPU emulation gave: `match`, where it has the mask.
    pub observed: Option<String>,
}

/// A line of `sass/encodings.jsonl` or `sass/red_encodings.jsonl`.
#[derive(Debug, Deserialize)]
pub struct SassEncoding {
    /// The word, in hexadecimal.
    pub word: String,
    /// What the real disassembler prints.
    pub text: String,
    /// `ptxas` or `nvdisasm`: who made the word.
    pub source: String,
    /// The targets on which the word is legal and prints so.
    pub archs: Vec<String>,
    /// Which form of the instruction it is.
    pub form: String,
    /// RED: rules of ATOM's document that the word would break.
    #[serde(default)]
    pub atom_faults: Vec<String>,
    /// RED: the word with its ignored bits cleared, where any is set.
    pub canonical_word: Option<String>,
}

/// A line of `sass/rejects.jsonl` or `sass/red_rejects.jsonl`.
#[derive(Debug, Deserialize)]
pub struct SassReject {
    /// `word` or `text`.
    pub kind: String,
    /// The target.
    pub arch: String,
    /// The word, in hexadecimal.
    pub word: Option<String>,
    /// The text that an assembler must refuse.
    pub text: Option<String>,
    /// What is wrong with it.
    pub why: String,
    /// What the real disassembler does with the word: prints or refuses.
    pub nvdisasm: Option<String>,
    /// What it prints.
    pub tool_text: Option<String>,
    /// Whether the document and the tool disagree.
    #[serde(default)]
    pub contested: bool,
}

/// A line of `sass/aliases.jsonl`.
#[derive(Debug, Deserialize)]
pub struct SassAlias {
    /// Another accepted spelling.
    pub text: String,
    /// The word.
    pub word: String,
    /// What the real disassembler prints for it.
    pub canonical: String,
    /// The target.
    pub arch: String,
}

/// A slot of a control word.
#[derive(Debug, Deserialize)]
pub struct SassSlot {
    /// Its 21 bits, in hexadecimal.
    pub bits: String,
    /// Stall cycles.
    pub stall: u8,
    /// 1 for the hint to let another warp go first.
    pub r#yield: u8,
    /// The barrier set until the result is written.
    pub wr: Option<u8>,
    /// The barrier set until the sources are read.
    pub rd: Option<u8>,
    /// The barriers waited for.
    pub req: Vec<u8>,
    /// Operand reuse.
    pub reuse: u8,
    /// The scheduling in Lanewise's notation.
    pub sched: String,
    /// The instruction's word, in hexadecimal.
    pub word: String,
    /// What the real disassembler prints for it.
    pub text: String,
}

/// A line of `sass/control.jsonl`.
#[derive(Debug, Deserialize)]
pub struct SassControl {
    /// The control word, in hexadecimal.
    pub control: String,
    /// Its three slots.
    pub slots: Vec<SassSlot>,
}

/// A line of `sass/semantics.jsonl`.
#[derive(Debug, Deserialize)]
pub struct SassSemantics {
    /// The operation's name.
    pub op: String,
    /// The size, with its dot.
    pub sz: String,
    /// The cell before, in hexadecimal like the other values.
    #[serde(rename = "M")]
    pub before: String,
    /// The operand.
    #[serde(rename = "Rb")]
    pub rb: String,
    /// The second operand of CAS.
    #[serde(rename = "Rc")]
    pub rc: Option<String>,
    /// What is returned.
    #[serde(rename = "Rd")]
    pub rd: String,
    /// The cell after.
    #[serde(rename = "M_after")]
    pub after: String,
    /// Where the line comes from.
    pub basis: String,
}

/// The sources of one EU in `exec/dpasw.jsonl`.
#[derive(Debug, Deserialize)]
pub struct Sources {
    /// Src0 in hexadecimal; none means the null variable.
    pub src0: Option<String>,
    /// Src1.
    pub src1: String,
    /// What the EU supplies of Src2; perhaps nothing.
    pub src2: String,
}

/// The lanes of Dst that hold NaN, by EU.
#[derive(Debug, Default, Deserialize)]
pub struct NanLanes {
    /// Those of EU0.
    pub eu0: Vec<usize>,
    /// Those of EU1.
    pub eu1: Vec<usize>,
}

/// What the document's table gives where it contradicts the formula.
#[derive(Debug, Deserialize)]
pub struct TableAlt {
    /// Which EU supplies each register of Src2, and which of its own that is.
    pub src2_map: Vec<(String, u8)>,
    /// What EU0 supplies besides.
    pub eu0_src2_extra: String,
    /// Dst of EU0.
    pub eu0_dst: String,
    /// Dst of EU1.
    pub eu1_dst: String,
}

/// A line of `exec/dpasw.jsonl`.
#[derive(Debug, Deserialize)]
pub struct Dpasw {
    /// Its name.
    pub id: String,
    /// Precision of Src1.
    pub w: String,
    /// Precision of Src2.
    pub a: String,
    /// Systolic depth.
    pub sd: u8,
    /// Repeat count.
    pub rc: u8,
    /// Type of Dst.
    pub dst_type: String,
    /// Type of Src0; none with a null operand.
    pub src0_type: Option<String>,
    /// The sources of EU0.
    pub eu0: Sources,
    /// The sources of EU1.
    pub eu1: Sources,
    /// NGrf, NGrf_EU0, NGrf_EU1.
    pub ngrf: [u8; 3],
    /// Which EU supplies each register of Src2, and which of its own that is.
    pub src2_map: Vec<(String, u8)>,
    /// What the case is about.
    pub kind: String,
    /// Dst of EU0.
    pub eu0_dst: String,
    /// Dst of EU1.
    pub eu1_dst: String,
    /// What is special about it.
    pub flags: Vec<String>,
    /// Lanes that hold NaN, whose bits do not matter.
    #[serde(default)]
    pub nan_lanes: NanLanes,
    /// The table's result, where it contradicts the formula.
    pub table_alt: Option<TableAlt>,
}

/// A line of `exec/dpas.jsonl`.
#[derive(Debug, Deserialize)]
pub struct Dpas {
    /// Its name.
    pub id: String,
    /// Precision of Src1.
    pub w: String,
    /// Precision of Src2.
    pub a: String,
    /// Systolic depth.
    pub sd: u8,
    /// Repeat count.
    pub rc: u8,
    /// Execution size: 8, or 16 on PVC.
    pub exec_size: u8,
    /// Type of Dst.
    pub dst_type: String,
    /// Type of Src0; none with a null operand.
    pub src0_type: Option<String>,
    /// Src0 in hexadecimal; none means the null variable.
    pub src0: Option<String>,
    /// Src1.
    pub src1: String,
    /// Src2.
    pub src2: String,
    /// What the case is about.
    pub kind: String,
    /// Dst.
    pub dst: String,
    /// What is special about it.
    pub flags: Vec<String>,
    /// Lanes that hold NaN, whose bits do not matter.
    #[serde(default)]
    pub nan_lanes: Vec<usize>,
    /// Dst if rows of Src2 lay 8 stages apart, where that differs.
    pub row_stride_8_stages: Option<String>,
}

/// A line of `visa/dpasw_table.jsonl`: one cell of the document's table.
#[derive(Debug, Deserialize)]
pub struct TableCell {
    /// The repeat count.
    #[serde(rename = "RC")]
    pub rc: u8,
    /// The column's heading.
    pub column: String,
    /// Src2SizeInBytes.
    pub bytes: u16,
    /// Each register of Src2 by the formula: its number, EU, and number there.
    pub formula: Vec<[u8; 3]>,
    /// The same by the table.
    pub table: Vec<[u8; 3]>,
    /// Whether the two agree.
    pub agree: bool,
}

/// A line of `sass/ptx.jsonl`.
#[derive(Debug, Deserialize)]
pub struct Ptx {
    /// The PTX instruction without its operands.
    pub ptx: String,
    /// Of `atom`, whether the result is `used` or `unused`.
    pub result: Option<String>,
    /// The chips.
    pub archs: Vec<String>,
    /// `compiled` or `refused`.
    pub verdict: String,
    /// The ATOM and RED instructions that it became, with ` RZ` where Rd is
    /// RZ; empty where it became something else.
    pub sass: Option<Vec<String>>,
}

/// A line of `exec/alu.jsonl`.
#[derive(Debug, Deserialize)]
pub struct AluCase {
    /// Its name.
    pub id: String,
    /// The mnemonic.
    pub op: String,
    /// The platform.
    pub target: String,
    /// The execution mask, in hexadecimal.
    pub em: String,
    /// `.decl` lines.
    pub decls: Vec<String>,
    /// The instructions, one a line; the last one is under test.
    pub text: String,
    /// Variables before: bytes of a general variable, or bits of a predicate.
    pub inits: BTreeMap<String, String>,
    /// Variables after.
    pub after: BTreeMap<String, String>,
    /// Results of other legal readings.
    #[serde(default)]
    pub alts: Vec<AluAlternative>,
    /// Elements that hold a NaN: byte offset and type.
    #[serde(default)]
    pub nan: BTreeMap<String, Vec<(usize, String)>>,
    /// What an assumed precision allows, in units of the last place of a float.
    pub tolerance_ulp: Option<u32>,
    /// The same as a difference.
    pub tolerance_abs: Option<f32>,
}

/// The result of another legal reading.
#[derive(Debug, Deserialize)]
pub struct AluAlternative {
    /// The names of the rules that differ.
    pub rule: Vec<String>,
    /// Variables after.
    pub after: BTreeMap<String, String>,
}
