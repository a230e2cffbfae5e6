//! Contradictions within the documents or between a document and a real tool: both
//! readings, the evidence, and Lanewise's choice.

/// A contradiction between two sources.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Contradiction {
    /// Stable ID, one of [`id`].
    pub id: &'static str,
    pub title: &'static str,
    /// One reading and its source.
    pub one: &'static str,
    /// The other reading and its source.
    pub other: &'static str,
    /// Lanewise's choice and the evidence for it.
    pub resolution: &'static str,
}

/// Stable IDs of the contradictions. An instruction returns those that concern it.
pub mod id {
    /// [`super::SWAPPED_ROLES`]
    pub const SWAPPED_ROLES: &str = "swapped-roles";
    /// [`super::PREDEC_TYPE`]
    pub const PREDEC_TYPE: &str = "predec-type";
    /// [`super::PREDEC_RETURN`]
    pub const PREDEC_RETURN: &str = "predec-return";
    /// [`super::PSEUDO_CODE_RETURN`]
    pub const PSEUDO_CODE_RETURN: &str = "pseudo-code-return";
    /// [`super::SVM_SIZES`]
    pub const SVM_SIZES: &str = "svm-sizes";
    /// [`super::ANY_ALL`]
    pub const ANY_ALL: &str = "any-all";
    /// [`super::NARROW_TYPES`]
    pub const NARROW_TYPES: &str = "narrow-types";
    /// [`super::SIGNED_ADD`]
    pub const SIGNED_ADD: &str = "signed-add";
    /// [`super::CHANNEL_PADDING`]
    pub const CHANNEL_PADDING: &str = "channel-padding";
    /// [`super::SCALING_PITCH`]
    pub const SCALING_PITCH: &str = "scaling-pitch";
    /// [`super::OMITTED_RC`]
    pub const OMITTED_RC: &str = "omitted-rc";
    /// [`super::WIDE_OFFSET`]
    pub const WIDE_OFFSET: &str = "wide-offset";
    /// [`super::LATER_FORMS`]
    pub const LATER_FORMS: &str = "later-forms";
    /// [`super::FLUSHED_HALVES`]
    pub const FLUSHED_HALVES: &str = "flushed-halves";
    /// [`super::REDUCTION_SIZES`]
    pub const REDUCTION_SIZES: &str = "reduction-sizes";
    /// [`super::SUPPLY_TABLE`]
    pub const SUPPLY_TABLE: &str = "supply-table";
    /// [`super::MATRIX_EXEC_SIZE`]
    pub const MATRIX_EXEC_SIZE: &str = "matrix-exec-size";
    /// [`super::SRC2_STRIDE`]
    pub const SRC2_STRIDE: &str = "src2-stride";
    /// [`super::TF32_CODE`]
    pub const TF32_CODE: &str = "tf32-code";
    /// [`super::NARROW_ROWS`]
    pub const NARROW_ROWS: &str = "narrow-rows";
    /// [`super::NARROW_SUMS`]
    pub const NARROW_SUMS: &str = "narrow-sums";
    /// [`super::WIDE_CONSTANT`]
    pub const WIDE_CONSTANT: &str = "wide-constant";
}

/// CMPXCHG and FCMPWR swap the roles of their operands.
pub static SWAPPED_ROLES: Contradiction = Contradiction {
    id: id::SWAPPED_ROLES,
    title: "CMPXCHG and FCMPWR use their operands in opposite order",
    one: "CMPXCHG compares with src1 and stores src0 (table DWORD_ATOMIC_OP)",
    other: "FCMPWR compares with src0 and stores src1 (same table)",
    resolution: "Both, as in the table. Observed: in the real tool's native code, cmpxchg sends src1 first and fcmpwr sends src0 first, and the hardware message expects the comparand first",
};

/// PREDEC's type and src0.
pub static PREDEC_TYPE: Contradiction = Contradiction {
    id: id::PREDEC_TYPE,
    title: "PREDEC's type and src0",
    one: "The operation table gives PREDEC the types W, D and Q",
    other: "The notes list type D for IMIN and IMAX only and UD for all other operations, and exempt only INC and DEC from src0",
    resolution: "Both types are accepted, D is preferred, and src0 is V0. Observed: the real tool's verifier requires UD, and V0 as src0",
};

/// Return value of PREDEC.
pub static PREDEC_RETURN: Contradiction = Contradiction {
    id: id::PREDEC_RETURN,
    title: "Return value of PREDEC",
    one: "According to the operation table, it returns the new value",
    other: "According to a comment in the real tool's listing, it returns the pre-decrement value",
    resolution: "The new value, as documented",
};

/// Return value in the pseudo-code.
pub static PSEUDO_CODE_RETURN: Contradiction = Contradiction {
    id: id::PSEUDO_CODE_RETURN,
    title: "The pseudo-code returns the old value for every operation",
    one: "The pseudo-code of DWORD_ATOMIC and SVM_ATOMIC stores the old value into dst before the operation",
    other: "The operation table returns the new value for PREDEC",
    resolution: "The table",
};

/// The element count and alignment of SVM_ATOMIC.
pub static SVM_SIZES: Contradiction = Contradiction {
    id: id::SVM_SIZES,
    title: "Element count and alignment of SVM_ATOMIC",
    one: "The description specifies 8 elements, and addresses aligned to a dword or qword depending on the type of dst",
    other: "The field table allows execution sizes 1 to 8, and a note specifies word alignment for 16-bit accesses",
    resolution: "Sizes 1 to 8 (the real tool also accepts 16 and 32), aligned to the width of the access",
};

/// `.any` and `.all`.
pub static ANY_ALL: Contradiction = Contradiction {
    id: id::ANY_ALL,
    title: "Bits combined by .any and .all",
    one: "visa_5_operands.md combines as many bits as the execution size",
    other: "The real tool combines as many bits as the predicate declares",
    resolution: "The execution size, as documented",
};

/// Types of the 16-bit forms.
pub static NARROW_TYPES: Contradiction = Contradiction {
    id: id::NARROW_TYPES,
    title: "Operand types of the .16 forms of DWORD_ATOMIC",
    one: "The document keeps the types of the 32-bit forms: F for fmax, D for imin, src1 for cmpxchg",
    other: "The real tool's verifier includes the 16-bit flag in the operation code, requires UD everywhere and rejects src1",
    resolution: "Both are accepted: the documented form with a note, the tool's form with a warning. The dword only carries the half, so both behave the same",
};

pub static SIGNED_ADD: Contradiction = Contradiction {
    id: id::SIGNED_ADD,
    title: "ADD and SUB on D",
    one: "The notes require type UD",
    other: "The real tool also accepts D",
    resolution: "Both: wrapping addition gives the same bits",
};

/// Padding of the channels of a scatter or gather.
pub static CHANNEL_PADDING: Contradiction = Contradiction {
    id: id::CHANNEL_PADDING,
    title: "Start of the next channel with 8 lanes and 64-byte registers",
    one: "The pseudo-code starts channel ch_pos at element ch_pos × max(exec_size, GRF_SIZE / 4): 16 elements on PVC, so 8 lanes leave half a register unused",
    other: "Intel's compiler counts exec_size × channels elements for the payload, without padding",
    resolution: "The pseudo-code. \"The next register\" in the description means the same stride: two registers for 16 lanes and 32-byte registers",
};

/// The scale of a scatter.
pub static SCALING_PITCH: Contradiction = Contradiction {
    id: id::SCALING_PITCH,
    title: "Scaling of the offsets",
    one: "The description includes a scaling pitch in the address",
    other: "The field Scale is ignored and always zero, and the pseudo-code does not scale",
    resolution: "No scaling: the byte address is address + element_offset[i] + 4 × channel. Observed: the real tool treats every scale the same",
};

/// The third operand of operations other than CAS.
pub static OMITTED_RC: Contradiction = Contradiction {
    id: id::OMITTED_RC,
    title: "Rc of operations other than CAS",
    one: "According to the document, an omitted Rc is assembled as RZ",
    other: "The encoding has no bits for a third register: bits 27 to 20 contain Rb, and CAS encodes one number for its pair (observed)",
    resolution: "The encoding: Rc is rejected where it cannot be encoded",
};

/// The bits of an offset with .E.
pub static WIDE_OFFSET: Contradiction = Contradiction {
    id: id::WIDE_OFFSET,
    title: "The offset of the .E forms",
    one: "The prose gives .E a signed 32-bit offset",
    other: "The syntax line says ImmS20, and the encoding has 20 bits (observed)",
    resolution: "20 bits; larger offsets are rejected",
};

/// Forms that SPA 5.0 does not have.
pub static LATER_FORMS: Contradiction = Contradiction {
    id: id::LATER_FORMS,
    title: "F16x2, F64 and the sparse forms on SM50",
    one: "The document lists them under SPA 5.0, which is SM50",
    other: "The real tools support F16x2 and the sparse forms from SM52, and F64 from SM60 (observed)",
    resolution: "The tools: each chip supports what it can encode. Use .target sass SM60 for all forms",
};

/// F16x2 with and without FTZ.
pub static FLUSHED_HALVES: Contradiction = Contradiction {
    id: id::FLUSHED_HALVES,
    title: "F16x2 with and without FTZ",
    one: "The list of sizes has .F16x2.FTZ.RN",
    other: "The table of operations has .F16x2.RN",
    resolution: "Both are accepted. Observed: they share one code, spelled .F16x2.FTZ.RN on SM52 and SM53 and .F16x2.RN from SM60, so the former flush subnormals and the latter preserve them (assumed from the names)",
};

/// The sizes of RED.
pub static REDUCTION_SIZES: Contradiction = Contradiction {
    id: id::REDUCTION_SIZES,
    title: "Sizes of the RED operations",
    one: "nvdisasm prints each of the eight operations with every size that the chip supports (observed)",
    other: "ATOM's document gives each operation its own sizes. ptxas emits fewer: 64-bit RED for ADD only, and ATOM with RZ for 64-bit AND, OR, XOR, MIN and MAX (observed)",
    resolution: "All are encoded as nvdisasm prints them. Those that ATOM's document does not list cause a warning and run only if the result is certain (assumed). Whether hardware supports a RED that ptxas does not emit is unknown",
};

/// Supply of Src2 by the EUs.
pub static SUPPLY_TABLE: Contradiction = Contradiction {
    id: id::SUPPLY_TABLE,
    title: "EU that supplies the second register of Src2 at RC 3 and 4",
    one: "DPASW's table, column \"4-bit & OPS_PER_CHAN=4, 2-bit & OPS_PER_CHAN=8\", rows 3 and 4: Src2.R[0] = EU0.Src2.R[0], Src2.R[1] = EU0.Src2.R[1]",
    other: "DPASW's formula: NGrf = 2, NGrf_EU0 = 1, so Src2.R[0] = EU0.Src2.R[0], Src2.R[1] = EU1.Src2.R[0]. In the other 22 cells the two agree",
    resolution: "The formula. Observed: in this case, Intel's finalizer reads one register of each EU and its verifier allows one, and its built-in functions list RC 4 with 4-bit A and 8-bit W as fetched evenly from both EUs",
};

/// Execution size 16.
pub static MATRIX_EXEC_SIZE: Contradiction = Contradiction {
    id: id::MATRIX_EXEC_SIZE,
    title: "DPASW on PVC",
    one: "DPASW's field table lists execution size 16 for PVC",
    other: "DPASW's note says that PVC does not support DPASW",
    resolution: "The note. Observed: the real tool rejects DPASW on PVC with 8 and with 16 channels",
};

/// Rows of Src2 with a depth below 8.
pub static SRC2_STRIDE: Contradiction = Contradiction {
    id: id::SRC2_STRIDE,
    title: "Start of the next row of Src2 with a depth below 8",
    one: "The pseudo-code of DPAS does not reset k: a row has SD × OPS_PER_CHAN elements",
    other: "DPAS's closing sentence advances Src2 by 8 × OPS_PER_CHAN elements per repeat, and DPASW's size of Src2 includes the factor 8",
    resolution: "The pseudo-code. Observed: Intel's finalizer uses the depth as written; its CPU emulation, without its depth check, uses 8 × OPS_PER_CHAN. XEHP and later support a depth of 8 only, for which both are the same",
};

/// The code of tf32.
pub static TF32_CODE: Contradiction = Contradiction {
    id: id::TF32_CODE,
    title: "The code of tf32",
    one: "DPAS's table of precisions gives tf32 the code 0x0b",
    other: "The real tool writes 0x0c for tf32 and reads 0x0c as tf32",
    resolution: "The tool: 0x0c. Observed: it prints an empty name for 0x0b, which is an 8-bit float in its source, and its finalizer hangs",
};

/// Row size of bf and hf operands.
pub static NARROW_ROWS: Contradiction = Contradiction {
    id: id::NARROW_ROWS,
    title: "Size of the rows of Dst and Src0 of type bf or hf",
    one: "DPAS's closing sentence advances Dst and Src0 by one register per repeat",
    other: "DPAS's introduction lays them out in row-major order without gaps: a row of 16-bit elements occupies half a register",
    resolution: "Rows without gaps. Observed: Intel's finalizer counts half a register per row",
};

/// Platforms with Dst and Src0 of type bf or hf.
pub static NARROW_SUMS: Contradiction = Contradiction {
    id: id::NARROW_SUMS,
    title: "Dst and Src0 of type bf or hf before PVC",
    one: "DPAS's table of combinations lists them without naming a platform",
    other: "The real tool rejects them on XeHP_SDV and accepts them on PVC; DPAS itself says that elements of Src0 and Dst have 4 bytes",
    resolution: "The table, with a note: the instruction is assembled, and a row has 8 elements of 16 bits (assumed)",
};

/// A constant with more bits than its type has.
pub static WIDE_CONSTANT: Contradiction = Contradiction {
    id: id::WIDE_CONSTANT,
    title: "A constant with more bits than its type, such as 0x12c:ub",
    one: "Given text, the real assembler accepts all 32 bits, writes them to the object and prints 0x12c:ub",
    other: "Given that object, the same tool keeps only the bits of the type, sign-extended for signed types, and prints 0x2c:ub",
    resolution: "All 32 bits in text and encoding, so that printed text assembles to the same bytes; execution uses the bits of the type (visa_5_operands.md). Observed in five recorded objects, and in every object since written by the comparison with the tool",
};
