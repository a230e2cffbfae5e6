//! Places where the documents contradict themselves or a real tool: both
//! readings, the evidence, and which one is run.

/// One contradiction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Contradiction {
    /// What it is known by, among [`id`].
    pub id: &'static str,
    /// What it is about.
    pub title: &'static str,
    /// One reading, with its source.
    pub one: &'static str,
    /// The other, with its source.
    pub other: &'static str,
    /// What speaks for which, and which one Lanewise runs.
    pub taken: &'static str,
}

/// What each contradiction is known by: an instruction gives those
/// that concern it.
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
    title: "CMPXCHG and FCMPWR use their operands the other way round",
    one: "CMPXCHG compares with src1 and stores src0 (table DWORD_ATOMIC_OP)",
    other: "FCMPWR compares with src0 and stores src1 (same table)",
    taken: "Both, as the table says. Observed: in the native code of the real tool cmpxchg sends src1 first and fcmpwr src0 first, and the hardware message wants the comparand first",
};

/// PREDEC's type and src0.
pub static PREDEC_TYPE: Contradiction = Contradiction {
    id: id::PREDEC_TYPE,
    title: "PREDEC's type and src0",
    one: "The operation table gives PREDEC the types W, D and Q",
    other: "The notes list type D for IMIN and IMAX only and UD for all other operations, and exempt only INC and DEC from src0",
    taken: "Both types are taken, D preferred; src0 is V0. Observed: the real tool's verifier asks for UD and for V0 as src0",
};

/// What PREDEC returns.
pub static PREDEC_RETURN: Contradiction = Contradiction {
    id: id::PREDEC_RETURN,
    title: "What PREDEC returns",
    one: "The operation table says it returns the new value",
    other: "The real tool's listing remarks that it returns the pre-decrement value",
    taken: "The new value, as documented",
};

/// What the pseudo-code returns.
pub static PSEUDO_CODE_RETURN: Contradiction = Contradiction {
    id: id::PSEUDO_CODE_RETURN,
    title: "The pseudo-code returns the old value for every operation",
    one: "The pseudo-code of DWORD_ATOMIC and SVM_ATOMIC stores the old value into dst before the operation",
    other: "The operation table returns the new value for PREDEC",
    taken: "The table",
};

/// The element count and alignment of SVM_ATOMIC.
pub static SVM_SIZES: Contradiction = Contradiction {
    id: id::SVM_SIZES,
    title: "How many elements SVM_ATOMIC works on, and how they are aligned",
    one: "The description says 8 elements, and that addresses are dword or qword aligned by the type of dst",
    other: "The field table allows execution sizes 1 to 8, and a note says that 16-bit accesses are word-aligned",
    taken: "Sizes 1 to 8 (the real tool also takes 16 and 32), aligned to the width of the access",
};

/// `.any` and `.all`.
pub static ANY_ALL: Contradiction = Contradiction {
    id: id::ANY_ALL,
    title: "Which bits .any and .all combine",
    one: "visa_5_operands.md combines the bits of the execution size",
    other: "The real tool combines the bits of the predicate's declared size",
    taken: "The execution size, as documented",
};

/// Types of the 16-bit forms.
pub static NARROW_TYPES: Contradiction = Contradiction {
    id: id::NARROW_TYPES,
    title: "Operand types of the .16 forms of DWORD_ATOMIC",
    one: "The document keeps the types of the 32-bit forms: F for fmax, D for imin, src1 for cmpxchg",
    other: "The real tool's verifier reads the operation with its 16-bit flag still in it, asks for UD everywhere and refuses src1",
    taken: "Both are taken: the documented form with a note, the tool's form with a warning. The dword only carries the half, so both run alike",
};

/// Signed add.
pub static SIGNED_ADD: Contradiction = Contradiction {
    id: id::SIGNED_ADD,
    title: "ADD and SUB on D",
    one: "The notes ask for type UD",
    other: "The real tool takes D as well",
    taken: "Both: wrapping addition has the same bits",
};

/// Where the channels of a scatter start in its source.
pub static CHANNEL_PADDING: Contradiction = Contradiction {
    id: id::CHANNEL_PADDING,
    title: "Where the next channel starts when 8 lanes meet 64-byte registers",
    one: "The pseudo-code starts channel ch_pos at element ch_pos × max(exec_size, GRF_SIZE / 4): 16 elements on PVC, so that 8 lanes leave half a register unused",
    other: "Intel's compiler counts exec_size × channels elements for the payload, without padding",
    taken: "The pseudo-code. \"The next register\" of the description means the same stride: two registers for 16 lanes and 32-byte registers",
};

/// The scale of a scatter.
pub static SCALING_PITCH: Contradiction = Contradiction {
    id: id::SCALING_PITCH,
    title: "Whether offsets are scaled",
    one: "The description takes a scaling pitch into the address",
    other: "The field Scale is ignored and always zero, and the pseudo-code has none",
    taken: "No scaling: the address is address + element_offset[i] + 4 × channel, in bytes. Observed: the real tool reads every scale alike",
};

/// The third operand of operations other than CAS.
pub static OMITTED_RC: Contradiction = Contradiction {
    id: id::OMITTED_RC,
    title: "Rc of operations other than CAS",
    one: "The document has an omitted Rc assembled as RZ",
    other: "The word has no bits for a third register: bits 27 to 20 hold Rb, and CAS keeps one number for its pair (observed)",
    taken: "The word: Rc may not be written where it cannot be kept",
};

/// The bits of an offset with .E.
pub static WIDE_OFFSET: Contradiction = Contradiction {
    id: id::WIDE_OFFSET,
    title: "The offset of the .E forms",
    one: "The prose gives .E a signed offset of 32 bits",
    other: "The syntax line says ImmS20, and the word has 20 bits (observed)",
    taken: "20 bits; what has no room is refused",
};

/// Forms that SPA 5.0 does not have.
pub static LATER_FORMS: Contradiction = Contradiction {
    id: id::LATER_FORMS,
    title: "F16x2, F64 and the sparse forms on SM50",
    one: "The document lists them under SPA 5.0, which is SM50",
    other: "The real tools have F16x2 and the sparse forms from SM52 on, F64 from SM60 on (observed)",
    taken: "The tools: each chip takes what it can encode. Write .target sass SM60 for all of them",
};

/// F16x2 with and without FTZ.
pub static FLUSHED_HALVES: Contradiction = Contradiction {
    id: id::FLUSHED_HALVES,
    title: "F16x2 with and without FTZ",
    one: "The list of sizes has .F16x2.FTZ.RN",
    other: "The table of operations has .F16x2.RN",
    taken: "Both are read. Observed: it is one code; SM52 and SM53 call it .F16x2.FTZ.RN, SM60 and later .F16x2.RN, so the former flush subnormals and the latter keep them (assumed from the names)",
};

/// The sizes of RED.
pub static REDUCTION_SIZES: Contradiction = Contradiction {
    id: id::REDUCTION_SIZES,
    title: "Which operations of RED have which sizes",
    one: "nvdisasm prints each of the eight operations with every size that the chip has (observed)",
    other: "ATOM's document gives each operation its own sizes. ptxas writes fewer: 64-bit RED for ADD only, and ATOM with RZ for 64-bit AND, OR, XOR, MIN and MAX (observed)",
    taken: "All are encoded as nvdisasm prints them. What ATOM's document does not list gets a warning and runs only where the bits leave no doubt (assumed). Whether the hardware takes a RED that ptxas does not write is not known",
};

/// Which EU supplies which register of Src2.
pub static SUPPLY_TABLE: Contradiction = Contradiction {
    id: id::SUPPLY_TABLE,
    title: "Which EU supplies the second register of Src2 at RC 3 and 4",
    one: "DPASW's table, column \"4-bit & OPS_PER_CHAN=4, 2-bit & OPS_PER_CHAN=8\", rows 3 and 4: Src2.R[0] = EU0.Src2.R[0], Src2.R[1] = EU0.Src2.R[1]",
    other: "DPASW's formula: NGrf = 2, NGrf_EU0 = 1, so Src2.R[0] = EU0.Src2.R[0], Src2.R[1] = EU1.Src2.R[0]. In the other 22 cells the two agree",
    taken: "The formula. Observed: Intel's finalizer reads one register of each EU there and its verifier allows one, and its built-in functions list RC 4 with 4-bit A and 8-bit W as fetched evenly from both EUs",
};

/// Execution size 16.
pub static MATRIX_EXEC_SIZE: Contradiction = Contradiction {
    id: id::MATRIX_EXEC_SIZE,
    title: "DPASW on PVC",
    one: "DPASW's field table lists execution size 16 for PVC",
    other: "DPASW's note says that PVC does not have DPASW",
    taken: "The note. Observed: the real tool refuses DPASW on PVC with 8 and with 16 channels",
};

/// Rows of Src2 with a depth below 8.
pub static SRC2_STRIDE: Contradiction = Contradiction {
    id: id::SRC2_STRIDE,
    title: "Where the next row of Src2 starts when the depth is below 8",
    one: "The pseudo-code of DPAS lets k run on: a row has SD × OPS_PER_CHAN elements",
    other: "DPAS's closing sentence advances Src2 by 8 × OPS_PER_CHAN elements for each repeat, and DPASW's size of Src2 has 8 in it",
    taken: "The pseudo-code. Observed: Intel's finalizer counts the written depth; its CPU emulation, its check of the depth removed, takes 8 × OPS_PER_CHAN. XEHP and later have a depth of 8 only, where both are the same",
};

/// The code of tf32.
pub static TF32_CODE: Contradiction = Contradiction {
    id: id::TF32_CODE,
    title: "The code of tf32",
    one: "DPAS's table of precisions gives tf32 the code 0x0b",
    other: "The real tool writes 0x0c for tf32 and reads 0x0c as tf32",
    taken: "The tool: 0x0c. Observed: it prints an empty name for 0x0b, which is an 8-bit float in its source, and its finalizer never ends",
};

/// Where the next row of a bf or hf operand starts.
pub static NARROW_ROWS: Contradiction = Contradiction {
    id: id::NARROW_ROWS,
    title: "Rows of Dst and Src0 of type bf or hf",
    one: "DPAS's closing sentence advances Dst and Src0 by one register for each repeat",
    other: "DPAS's introduction lays them out in row-major order without gaps: a row of 16-bit elements takes half a register",
    taken: "Rows without gaps. Observed: Intel's finalizer counts half a register for a row",
};

/// Where Dst and Src0 may be bf or hf.
pub static NARROW_SUMS: Contradiction = Contradiction {
    id: id::NARROW_SUMS,
    title: "Dst and Src0 of type bf or hf before PVC",
    one: "DPAS's table of combinations has them without naming a platform",
    other: "The real tool refuses them on XeHP_SDV and takes them on PVC; DPAS itself says that elements of Src0 and Dst are 4 bytes",
    taken: "The table, with a note: it is assembled, and rows take 8 elements of 16 bits (assumed)",
};

/// A constant with more bits than its type has.
pub static WIDE_CONSTANT: Contradiction = Contradiction {
    id: id::WIDE_CONSTANT,
    title: "A constant with more bits than its type, such as 0x12c:ub",
    one: "Reading text, the real assembler takes all 32 bits, writes them into the object and prints 0x12c:ub",
    other: "Reading that object again, the same tool keeps the bits of the type, widened by the sign of a signed one, and prints 0x2c:ub",
    taken: "All 32 bits in text and bytes, so that what is printed assembles to the same bytes; a run uses the bits of the type (visa_5_operands.md). Observed in five recorded objects, and in every one that the comparison with the tool wrote since",
};
