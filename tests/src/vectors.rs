//! Test vectors; see `vectors/README.md` for the fields.

use serde::Deserialize;
use serde::de::DeserializeOwned;
use std::collections::BTreeMap;
use std::path::Path;

/// Reads a JSON Lines file in the folder `vectors`.
///
/// # Panics
/// If the file or one of its lines cannot be read.
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
    pub platform: String,
    pub decls: Vec<String>,
    pub text: String,
    /// Encoding in hexadecimal.
    pub bytes: String,
    /// Output of the real disassembler.
    pub disasm: String,
    /// Deviations from the documents; empty for a legal line.
    pub tags: Vec<String>,
}

/// A line of `visa/rejects.jsonl`.
#[derive(Debug, Deserialize)]
pub struct Reject {
    /// `DWORD_ATOMIC`, `SVM_ATOMIC` or `SVM_SCATTER4_SCALED`.
    pub family: String,
    pub platform: String,
    pub decls: Vec<String>,
    pub text: String,
    /// Verdict of the documents: legal, illegal or silent.
    pub expect: String,
    /// Subject of the line.
    pub why: String,
    /// Verdict of the real assembler: accepted, rejected, crash or hang.
    pub verdict: String,
    /// Encoding, if accepted.
    pub bytes: Option<String>,
    /// Disassembly, if accepted.
    pub disasm: Option<String>,
}

/// A line of `visa/rejects_codes.jsonl`, for the same line of
/// `visa/rejects.jsonl`.
#[derive(Debug, Deserialize)]
pub struct RejectCodes {
    pub platform: String,
    pub text: String,
    /// Codes of all our diagnostics, sorted, without duplicates.
    pub codes: Vec<String>,
}

/// A line of `visa/decodings.jsonl`.
#[derive(Debug, Deserialize)]
pub struct Decoding {
    /// `DWORD_ATOMIC`, `SVM_ATOMIC` or `SVM_SCATTER4_SCALED`.
    pub family: String,
    pub decls: Vec<String>,
    /// Bytes in hexadecimal.
    pub bytes: String,
    /// Subject of the line.
    pub why: String,
    /// Verdict of the real tool: decoded, verifier or crash.
    pub verdict: String,
    pub disasm: Option<String>,
}

/// A line of `visa/observed.jsonl`.
#[derive(Debug, Deserialize)]
pub struct Observed {
    /// Subject of the line.
    pub why: String,
    pub platform: String,
    pub decls: Vec<String>,
    pub text: String,
    /// Verdict of the real assembler: accepted, rejected, crash or hang.
    pub verdict: String,
    /// Encoding, if accepted and completely written.
    pub bytes: Option<String>,
    /// Disassembly, if accepted.
    pub disasm: Option<String>,
    /// Error message, shortened.
    pub message: Option<String>,
}

/// Memory: start address → bytes in hexadecimal.
pub type Bytes = BTreeMap<String, String>;

/// A possible outcome of conflicting lanes.
#[derive(Debug, Deserialize, PartialEq)]
pub struct End {
    pub memory_after: Bytes,
    /// Final destination, one value per lane.
    pub dst_after: Option<Vec<String>>,
}

/// Outcome of one lane order.
#[derive(Debug, Deserialize)]
pub struct Serial {
    pub order: Vec<usize>,
    pub memory_after: Bytes,
    /// Final destination, one value per lane.
    pub dst_after: Option<Vec<String>>,
}

/// Values returned to lanes that access one cell with equal operands, in any order.
#[derive(Debug, Deserialize)]
pub struct Multiset {
    pub lanes: Vec<usize>,
    /// Returned values, in any order.
    pub values: Vec<String>,
}

/// A line of `exec/atomics.jsonl`.
#[derive(Debug, Deserialize)]
pub struct Atomic {
    pub id: String,
    /// `DWORD_ATOMIC` or `SVM_ATOMIC`.
    pub instr: String,
    pub op: String,
    /// 16, 32 or 64 bits.
    pub width: u32,
    /// Number of lanes.
    pub exec_size: usize,
    /// Active lanes.
    pub chen: Vec<u8>,
    /// `T0` or `T6`, for DWORD_ATOMIC.
    pub surface: Option<String>,
    /// Size in bytes.
    pub surface_size: Option<u64>,
    /// Byte offsets, for DWORD_ATOMIC.
    pub offsets: Option<Vec<String>>,
    /// Virtual addresses, for SVM_ATOMIC.
    pub addresses: Option<Vec<String>>,
    /// One value per lane.
    pub src0: Option<Vec<String>>,
    pub src1: Option<Vec<String>>,
    pub memory_before: Bytes,
    /// `None` for the null variable.
    pub dst_before: Option<Vec<String>>,
    /// Final memory, if it does not depend on the lane order.
    pub memory_after: Option<Bytes>,
    /// Final destination.
    pub dst_after: Option<Vec<String>>,
    /// Mask of the defined bits of each element of dst.
    pub dst_defined_mask: Option<String>,
    /// Groups of conflicting lanes, with the values returned in any order.
    pub dst_multisets: Option<Vec<Multiset>>,
    /// All outcomes, if few lanes conflict.
    pub outcomes: Option<Vec<End>>,
    /// One outcome, if many lanes conflict.
    pub one_serial_order: Option<Serial>,
    /// Subject of the case.
    pub kind: String,
    pub flags: Vec<String>,
    /// Result of Intel's CPU emulation: `match`, or the reading that it follows.
    pub observed: Option<String>,
}

/// A line of `exec/scatter4.jsonl`.
#[derive(Debug, Deserialize)]
pub struct Scatter4 {
    pub id: String,
    /// Number of lanes.
    pub exec_size: usize,
    /// Register size in bytes: 64 on PVC.
    pub grf_size: u32,
    /// Channel mask, R in bit 0.
    pub channels: u8,
    /// Always 0.
    pub scale: u16,
    /// Active lanes.
    pub chen: Vec<u8>,
    pub address: String,
    /// One offset per lane.
    pub element_offset: Vec<String>,
    /// Registers of src in hexadecimal, in memory order.
    pub src: String,
    pub memory_before: Bytes,
    /// Memory after the document's loop.
    pub memory_after: Bytes,
    /// Cells that several lanes write, with their possible final values.
    pub ambiguous: Option<BTreeMap<String, Vec<String>>>,
    /// Subject of the case.
    pub kind: String,
    pub flags: Vec<String>,
    /// Result of Intel's CPU emulation: `match`, if it supports the mask.
    pub observed: Option<String>,
}

/// A line of `sass/encodings.jsonl` or `sass/red_encodings.jsonl`.
#[derive(Debug, Deserialize)]
pub struct SassEncoding {
    pub word: String,
    /// Output of the real disassembler.
    pub text: String,
    /// Source of the word: `ptxas` or `nvdisasm`.
    pub source: String,
    /// Targets on which the word is legal and prints as `text`.
    pub archs: Vec<String>,
    /// Form of the instruction.
    pub form: String,
    /// For RED: rules of ATOM's document that the word would break.
    #[serde(default)]
    pub atom_faults: Vec<String>,
    /// For RED: the word with its ignored bits cleared, if any is set.
    pub canonical_word: Option<String>,
}

/// A line of `sass/rejects.jsonl` or `sass/red_rejects.jsonl`.
#[derive(Debug, Deserialize)]
pub struct SassReject {
    /// `word` or `text`.
    pub kind: String,
    pub arch: String,
    pub word: Option<String>,
    /// Text that an assembler must reject.
    pub text: Option<String>,
    /// Reason.
    pub why: String,
    /// Verdict of the real disassembler: prints or refuses.
    pub nvdisasm: Option<String>,
    /// Output of the real disassembler.
    pub tool_text: Option<String>,
    /// Whether the document and the tool disagree.
    #[serde(default)]
    pub contested: bool,
}

/// A line of `sass/aliases.jsonl`.
#[derive(Debug, Deserialize)]
pub struct SassAlias {
    /// Alternative spelling.
    pub text: String,
    pub word: String,
    /// Output of the real disassembler.
    pub canonical: String,
    pub arch: String,
}

/// Slot of a control word.
#[derive(Debug, Deserialize)]
pub struct SassSlot {
    /// 21 bits in hexadecimal.
    pub bits: String,
    pub stall: u8,
    /// 1 for the yield hint.
    pub r#yield: u8,
    /// Barrier for the result.
    pub wr: Option<u8>,
    /// Barrier for the source reads.
    pub rd: Option<u8>,
    /// Barriers to wait for.
    pub req: Vec<u8>,
    pub reuse: u8,
    /// Scheduling in Lanewise's notation.
    pub sched: String,
    /// Instruction word in hexadecimal.
    pub word: String,
    /// Output of the real disassembler.
    pub text: String,
}

/// A line of `sass/control.jsonl`.
#[derive(Debug, Deserialize)]
pub struct SassControl {
    /// Control word in hexadecimal.
    pub control: String,
    pub slots: Vec<SassSlot>,
}

/// A line of `sass/semantics.jsonl`.
#[derive(Debug, Deserialize)]
pub struct SassSemantics {
    pub op: String,
    /// Size suffix, with the dot.
    pub sz: String,
    /// Initial cell, in hexadecimal like the other values.
    #[serde(rename = "M")]
    pub before: String,
    #[serde(rename = "Rb")]
    pub rb: String,
    /// Second operand of CAS.
    #[serde(rename = "Rc")]
    pub rc: Option<String>,
    /// Returned value.
    #[serde(rename = "Rd")]
    pub rd: String,
    /// Final cell.
    #[serde(rename = "M_after")]
    pub after: String,
    /// Source of the rule.
    pub basis: String,
}

/// The sources of one EU in `exec/dpasw.jsonl`.
#[derive(Debug, Deserialize)]
pub struct Sources {
    /// Src0 in hexadecimal; `None` for the null variable.
    pub src0: Option<String>,
    pub src1: String,
    /// Part of Src2 that the EU supplies; may be empty.
    pub src2: String,
}

/// Lanes of Dst with a NaN, per EU.
#[derive(Debug, Default, Deserialize)]
pub struct NanLanes {
    pub eu0: Vec<usize>,
    pub eu1: Vec<usize>,
}

/// Result by the document's table, if it contradicts the formula.
#[derive(Debug, Deserialize)]
pub struct TableAlt {
    /// For each register of Src2: EU and register number in that EU.
    pub src2_map: Vec<(String, u8)>,
    /// Additional registers of EU0.
    pub eu0_src2_extra: String,
    pub eu0_dst: String,
    pub eu1_dst: String,
}

/// A line of `exec/dpasw.jsonl`.
#[derive(Debug, Deserialize)]
pub struct Dpasw {
    pub id: String,
    pub w: String,
    pub a: String,
    pub sd: u8,
    pub rc: u8,
    pub dst_type: String,
    /// Type of Src0; `None` for a null operand.
    pub src0_type: Option<String>,
    pub eu0: Sources,
    pub eu1: Sources,
    /// NGrf, NGrf_EU0, NGrf_EU1.
    pub ngrf: [u8; 3],
    /// For each register of Src2: EU and register number in that EU.
    pub src2_map: Vec<(String, u8)>,
    /// Subject of the case.
    pub kind: String,
    pub eu0_dst: String,
    pub eu1_dst: String,
    /// Flags.
    pub flags: Vec<String>,
    /// Lanes with a NaN, whose bits are not compared.
    #[serde(default)]
    pub nan_lanes: NanLanes,
    /// Result by the table, if it contradicts the formula.
    pub table_alt: Option<TableAlt>,
}

/// A line of `exec/dpas.jsonl`.
#[derive(Debug, Deserialize)]
pub struct Dpas {
    pub id: String,
    pub w: String,
    pub a: String,
    pub sd: u8,
    pub rc: u8,
    /// Execution size: 8, or 16 on PVC.
    pub exec_size: u8,
    pub dst_type: String,
    /// Type of Src0; `None` for a null operand.
    pub src0_type: Option<String>,
    /// Src0 in hexadecimal; `None` for the null variable.
    pub src0: Option<String>,
    pub src1: String,
    pub src2: String,
    /// Subject of the case.
    pub kind: String,
    pub dst: String,
    /// Flags.
    pub flags: Vec<String>,
    /// Lanes with a NaN, whose bits are not compared.
    #[serde(default)]
    pub nan_lanes: Vec<usize>,
    /// Dst if rows of Src2 were 8 stages apart, if different.
    pub row_stride_8_stages: Option<String>,
}

/// A line of `visa/dpasw_table.jsonl`: one cell of the document's table.
#[derive(Debug, Deserialize)]
pub struct TableCell {
    #[serde(rename = "RC")]
    pub rc: u8,
    /// Column heading.
    pub column: String,
    /// Src2SizeInBytes.
    pub bytes: u16,
    /// By the formula, for each register of Src2: number, EU, number in that EU.
    pub formula: Vec<[u8; 3]>,
    /// By the table.
    pub table: Vec<[u8; 3]>,
    /// Whether formula and table agree.
    pub agree: bool,
}

/// A line of `sass/ptx.jsonl`.
#[derive(Debug, Deserialize)]
pub struct Ptx {
    /// PTX instruction without operands.
    pub ptx: String,
    /// For `atom`: whether the result is `used` or `unused`.
    pub result: Option<String>,
    pub archs: Vec<String>,
    /// `compiled` or `refused`.
    pub verdict: String,
    /// ATOM and RED instructions of the output, with ` RZ` if Rd is RZ; empty if it
    /// compiles to other instructions.
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
