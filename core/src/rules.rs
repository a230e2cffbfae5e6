//! All rules that a text or an encoding can break: a stable code, a severity,
//! a source and a reason.

/// Severity of a diagnostic.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Severity {
    /// The text cannot be encoded or run.
    Error,
    /// The text can be encoded but breaks a documented rule.
    Warning,
    /// Information only; no rule is broken.
    Note,
}

impl Severity {
    /// The word used in JSON answers.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::Error => "error",
            Self::Warning => "warning",
            Self::Note => "note",
        }
    }
}

/// Provenance of a rule or statement.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Provenance {
    /// Stated by a document.
    Documented,
    /// Behavior of a real tool.
    Observed,
    /// Lanewise's choice where the sources are silent.
    Assumed,
}

impl Provenance {
    /// The word shown to readers.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::Documented => "documented",
            Self::Observed => "observed",
            Self::Assumed => "assumed",
        }
    }
}

/// Subject of a group of rules.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Subject {
    /// The text as a whole.
    Text,
    Declaration,
    /// The text of instructions.
    Instruction,
    /// Documented rules that the real tool does not enforce.
    Unenforced,
    /// Documented forms that the real tool rejects.
    Refused,
    Encoding,
    /// Execution.
    Running,
    /// The initial state.
    Start,
    /// Requests to `lanewise batch`.
    Request,
}

/// One rule.
#[derive(Debug, PartialEq, Eq)]
pub struct Rule {
    /// A letter for the severity and four digits; never reused or renumbered.
    pub code: &'static str,
    pub severity: Severity,
    pub mark: Provenance,
    /// The reason, as a clause that can follow a colon.
    pub why: &'static str,
    pub subject: Subject,
}

impl Rule {
    /// Whether the rule concerns execution or the initial state. An instruction
    /// that breaks such a rule can still be encoded.
    #[must_use]
    pub fn concerns_running(&self) -> bool {
        matches!(self.subject, Subject::Running | Subject::Start)
    }

    /// Whether Intel's compiler itself breaks the rule, in most of the recorded kernels. Its
    /// back end makes instructions legal, so that such a rule says nothing about a program
    /// that it has written.
    #[must_use]
    pub fn is_broken_by_compiler(&self) -> bool {
        BROKEN_BY_COMPILER.iter().any(|rule| rule.code == self.code)
    }
}

static BROKEN_BY_COMPILER: [&Rule; 13] = [
    // Types and modifiers that work as well, such as D for the UD of an atomic.
    &OPERAND_TYPE_TAKEN,
    &TYPES_DIFFER,
    &ADDRESS_TYPE,
    &TYPE_TAKEN,
    &MIXED_TYPES_TAKEN,
    &SOURCE_MODIFIER_TAKEN,
    &SIGNED_ADD,
    // Atomics of 64 bits on SKL.
    &PLATFORM_WIDTH,
    // 64-bit types that the back end emulates.
    &PLATFORM_TAKEN,
    // Emulated doubles restore the exception flags in %sr0.
    &WRITES_READ_ONLY,
    // Blocks of scratch memory.
    &MESSAGE_SURFACE_TAKEN,
    // The back end splits these instructions.
    &REGION_SPAN,
    // Forms that the back end legalizes, such as constants of 32 bits.
    &UNDOCUMENTED,
];

macro_rules! rules {
    ($($subject:ident $group:literal {
        $($name:ident $code:literal $severity:ident $mark:ident $why:literal;)*
    })*) => {
        $($(
            #[doc = concat!("Rule ", $code, ".")]
            pub static $name: Rule = Rule {
                code: $code,
                severity: Severity::$severity,
                mark: Provenance::$mark,
                why: $why,
                subject: Subject::$subject,
            };
        )*)*

        /// All rules, ordered by the digits of their codes.
        pub static ALL: &[&Rule] = &[$($(&$name,)*)*];

        /// The groups of rules with the two digits of their codes.
        #[cfg(test)]
        const GROUPS: &[(Subject, &str)] = &[$((Subject::$subject, $group)),*];
    };
}

/// Finds a rule by its code, such as `E0318`, ignoring case.
#[must_use]
pub fn find(code: &str) -> Option<&'static Rule> {
    ALL.iter()
        .copied()
        .find(|rule| rule.code.eq_ignore_ascii_case(code))
}

rules! {
    Text "01" {
        UNCLOSED "E0101" Error Assumed "strings end on the line they start on, block comments with `*/`";
        UNKNOWN_DIRECTIVE "E0102" Error Assumed "lines that start with a dot are directives";
        UNKNOWN_INSTRUCTION "E0103" Error Assumed "no supported instruction has this mnemonic";
        TRAILING "E0105" Error Documented "nothing may follow the last operand";
        TARGET "E0106" Error Assumed "a target is a family, `visa` or `sass`, followed by a platform or chip";
        DIRECTIVE_SYNTAX "E0107" Error Assumed "the arguments do not match the directive";
        LATE_TARGET "E0108" Error Assumed "the target determines how every other line is parsed";
        REPEATED_DIRECTIVE "W0109" Warning Assumed "the last one takes effect";
        TOO_LONG "E0110" Error Assumed "a scenario that is edited or drawn is limited to 4 MB of text; `lanewise run` takes up to 64 MB";
        MORE_DIAGNOSTICS "N0113" Note Assumed "at most 1000 diagnostics are reported, errors first";

        HASH_COMMENT "E0114" Error Documented "vISA comments are `//` and `/* */` (visa_8_appendix_visa_assembly_syntax.md)";
    }

    Declaration "02" {
        DECL_SYNTAX "E0201" Error Documented "the syntax is `.decl NAME v_type=G type=ud num_elts=16 align=GRF`";
        DECL_ORDER "E0202" Error Documented "type comes before num_elts (visa_4_visa_header.md; the real tool rejects other orders)";
        REDECLARED "E0203" Error Documented "a name can be declared only once per scope, and predefined names count (visa_4_visa_header.md)";
        NAME_IS_MNEMONIC "E0204" Error Observed "mnemonics, which are in lower case, cannot be variable names";
        ELEMENTS "E0205" Error Documented "general variables have 1 to 4096 elements, address variables 1 to 16 (32 on Xe3P), predicates 1, 2, 4, 8, 16 or 32 (visa_4_visa_header.md)";
        ALIAS "E0206" Error Documented "an alias is an earlier general variable and a byte offset into it: alias=<V32, 0>";
        REGISTERS_FULL "E0207" Error Assumed "declared variables are limited to 16 MB of registers in total";
        RESERVED_NAME "W0208" Warning Documented "the document reserves this name for a predefined variable; the real assembler accepts the declaration";
        VARIABLE_SIZE "W0209" Warning Documented "variables are limited to 4 KB (visa_4_visa_header.md)";
        ALIAS_END "W0210" Warning Documented "an alias must lie within its base variable (visa_4_visa_header.md)";
        TOO_MANY "E0211" Error Documented "the limits are 4096 address, 256 surface and 32 sampler variables (visa_4_visa_header.md), and here 1048576 general and 16382 predicate variables, of which compilers write more than the document allows";
        ALIAS_ALIGN "W0212" Warning Documented "the offset of an alias must be a multiple of its element size (visa_4_visa_header.md)";
        SCENARIO_NAME "W0213" Warning Assumed "scenarios already use this name in .init lines and results, so it becomes ambiguous";
        NAME_IN_APPENDIX "W0214" Warning Documented "the appendix lists it as an instruction (visa_8_appendix_visa_assembly_syntax.md); the real assembler accepts it as a name";
        ELEMENTS_TAKEN "W0215" Warning Documented "general variables have 1 to 4096 elements, address variables 1 to 16, surfaces at most 256 (visa_4_visa_header.md); the real assembler accepts this number";
    }

    Instruction "03" {
        EXEC_SIZE_SYNTAX "E0301" Error Documented "the execution size is written in parentheses after the mnemonic";
        EXEC_SIZE "E0302" Error Documented "execution sizes are 1, 2, 4, 8, 16 and 32 (visa_3_execution_model.md)";
        MASK_CONTROL "E0303" Error Documented "mask controls are M1 to M8 and M1_NM to M8_NM";
        PREDICATE "E0304" Error Documented "a predicate is written in parentheses before the mnemonic (visa_5_operands.md)";
        UNDECLARED "E0305" Error Documented "operands must be declared or predefined variables";
        RAW_OPERAND "E0306" Error Documented "raw operands must be general variables (visa_5_operands.md)";
        RAW_OFFSET "E0307" Error Documented "the byte offset of a raw operand has 16 bits (visa_5_operands.md)";
        NULL_OFFSET "E0308" Error Observed "the null variable has no bytes; the real assembler rejects the offset";
        MISSING_OPERAND "E0309" Error Documented "every operand must be written";
        SURFACE "E0310" Error Documented "surface atomics require a buffer surface";
        UNKNOWN_OPERATION "E0311" Error Documented "the operations are those of table DWORD_ATOMIC_OP";
        WIDTH_SUFFIX "E0312" Error Documented "only the documented width suffixes exist";
        RAW_ALIGN "E0313" Error Documented "raw operands must be aligned to a register (visa_5_operands.md)";
        OPERAND_TYPE "E0314" Error Documented "the operation determines the operand types (DWORD_ATOMIC.md, Notes)";
        MASK_OVERFLOW "E0315" Error Documented "mask offset and execution size must fit in the 32 channels";
        UNUSED_SRC0 "E0316" Error Documented "INC, DEC and PREDEC require the null variable as src0";
        UNUSED_SRC1 "E0317" Error Documented "only CMPXCHG and FCMPWR use src1; the other operations require the null variable";
        FAR_OFFSET "E0318" Error Observed "reading past the end of a variable is undefined (visa_5_operands.md), and the real tool crashes past its 128 registers";
        OFFSET_TYPE "E0319" Error Documented "element offsets must have type UD";
        LSC_FUNCTION "E0320" Error Documented "the shared function does not support the message or the operation (LSC_UNTYPED.md, LSC_TYPED.md)";
        LSC_CACHES "E0321" Error Documented "loads, stores and atomics support different pairs of cache controls; ugml and tgm support only df";
        LSC_DATA "E0322" Error Documented "the operands of an LSC message depend on its operation";
        LSC_SHAPE "E0323" Error Documented "the message does not support this data shape (LSC_UNTYPED.md)";
        LSC_ADDRESS "E0324" Error Documented "a16 requires slm, a64 requires flat addresses, and typed messages require a surface";
        CLASSES "E0325" Error Documented "predicates combine with predicates only; movs moves surfaces and samplers";
        LABEL_KIND "E0326" Error Documented "call references a subroutine, other branches reference labels of the same function";
        CHANNELS "E0330" Error Documented "the suffix lists at least one of the channels R, G, B and A, in this order (SVM_SCATTER4_SCALED.md)";
        SCALAR_OPERAND "E0331" Error Documented "a scalar operand is a general variable with row, column and region, an indirect operand, or a constant (visa_5_operands.md)";
        NULL_SCALAR "E0332" Error Observed "scatters and gathers require an address; the real tool crashes on the null variable";
        LOGICAL_MODIFIER "E0333" Error Documented "only logic instructions can invert bits (visa_5_operands.md); the real tool rejects it here";
        BF_SCALAR "E0334" Error Observed "an address has type UQ (SVM_SCATTER4_SCALED.md), and the real assembler rejects constants and indirect operands of type BF";
        ADDRESS_ELEMENT_PAST "E0335" Error Documented "an address variable has at most 16 elements, 32 on Xe3P (visa_4_visa_header.md); beyond them the real tool crashes";
        MATRIX_PLATFORM "E0340" Error Observed "DPASW shares Src2 between two fused EUs (DPASW.md); the real tool rejects it on platforms without them";
        MATRIX_SUFFIX "E0341" Error Documented "the suffix is .W.A.SD.RC: two precisions, a depth of 1, 2, 4 or 8, and a repeat count from 1 to 8 (DPAS.md, DPASW.md)";
        PRECISION "E0342" Error Documented "the precisions are u2, s2, u4, s4, u8, s8, bf and hf (DPAS.md)";
        LATER_PRECISION "E0343" Error Documented "tf32, the 8-bit floats and df are for DPAS on later platforms; DPASW.md lists bf, hf and integers";
        MATRIX_EXEC_SIZE "E0344" Error Documented "DPASW has execution size 8; size 16 is for PVC, which does not support DPASW (DPASW.md)";
        MATRIX_PREDICATE "E0345" Error Documented "the instruction has no predicate field (DPAS.md, DPASW.md)";
        MATRIX_NULL "E0346" Error Documented "only src0 may be null (DPAS.md, DPASW.md); the real tool crashes on other null operands";
        MATRIX_TYPE "E0347" Error Documented "dst and src0 must have type D, UD or F, src1 and src2 type D or UD (DPASW.md)";
        SRC2_OPERAND "E0348" Error Documented "src2 is a general operand without a region: V44(0,0) (DPAS.md, DPASW.md)";
        MATRIX_MODIFIER "E0349" Error Documented "matrix instructions do not support source modifiers (DPAS.md, DPASW.md)";
        ATOM_SUFFIX "E0350" Error Documented "the syntax is ATOM[.E].op[.size] or RED[.E].op[.size]; both support ADD, MIN, MAX, INC, DEC, AND, OR and XOR, and ATOM also supports EXCH, SAFEADD and CAS";
        SIZE_SUFFIX "E0351" Error Documented "the sizes are .U32 (the default), .S32, .U64, .S64, .F32.FTZ.RN, .F16x2.FTZ.RN, .F16x2.RN and .F64.RN; .32 and .64 are aliases of .U32 and .U64";
        OPERATION_SIZE "E0352" Error Documented "each operation supports its own set of sizes";
        SIZE_128 "E0353" Error Documented "the document mentions .U128, or .128, and declares it illegal";
        CHIP_SIZE "E0354" Error Observed "the document lists F16x2 and F64 under SPA 5.0, which is SM50; the real tools support them from SM52 and SM60";
        CHIP_SPARSE "E0355" Error Observed "the document lists the sparse forms under SPA 5.0, which is SM50; the real tools support them from SM52";
        SASS_REGISTER "E0356" Error Documented "registers are R0 to R254 and RZ, predicates P0 to P6 and PT";
        GUARD "E0357" Error Documented "a guard is a single predicate, optionally negated";
        SASS_ADDRESS "E0358" Error Documented "an address is written in brackets: a register with an optional offset, or a constant";
        SASS_OFFSET "E0359" Error Documented "offsets have 20 bits: signed after a register, unsigned on their own";
        SASS_OFFSET_E "E0360" Error Observed "the document's prose gives .E a 32-bit offset, its syntax line a 20-bit one; the encoding has 20 bits (observed)";
        REGISTER_PAIR "E0361" Error Documented "a 64-bit value occupies an even register and the next one, and R254 is the last register";
        ADDRESS_PAIR "E0362" Error Documented "with .E, the address occupies an even register and the next one";
        CAS_PAIR "E0363" Error Documented "Rb and Rc are neighbors: for 32 bits an even register and the next, for 64 bits Rn and Rn+2 with n a multiple of 4; Rc may be RZ, Rb may not";
        ATOM_OPERANDS "E0364" Error Documented "ATOM takes Rd, [address], Rb, then Rc for CAS, with a leading Ps in sparse forms; RED takes [address], Rb";
        ONLY_CAS "E0365" Error Documented "only CAS takes Rc; the document says the other operations assemble it as RZ, but their encoding has no bits for it";
        SPARSE_ADDRESS "E0366" Error Documented "sparse forms take [Ra], a register without an offset";
        RED_SIZE_NAME "E0367" Error Observed "the spelling depends on the chip: .U128 on SM50, .F16x2.FTZ.RN on SM52 and SM53, .F16x2.RN from SM60; the real disassemblers support only these";
        SCHEDULING "E0368" Error Observed "the control word encodes barriers 0 to 5 and 0 to 15 stall cycles; the notation is Lanewise's own, since the document shows only placeholders";
        WARP_OPERANDS "E0369" Error Observed "each opcode of a listing has fixed words and operands";
        SOURCE "E0370" Error Documented "a source is a general or indirect operand with a region, or a constant with a type (visa_5_operands.md)";
        DESTINATION "E0371" Error Documented "a destination is a general or indirect operand with a stride of 1, 2 or 4 (visa_5_operands.md)";
        SUFFIX "E0372" Error Documented "each instruction has a fixed set of suffixes";
        NUMBER "E0373" Error Documented "the number has 8 bits";
        LABEL "E0374" Error Documented "a branch target is a label of the same function";
        PREDICATE_FIELD "E0375" Error Documented "the instruction cannot be predicated";
        LABEL_TWICE "E0376" Error Documented "labels must be unique within a function";
        LABEL_UNDEFINED "E0377" Error Documented "branch targets must be defined";
        LABEL_COUNT "E0378" Error Documented "label IDs have 16 bits";
        LSC_OPERAND "E0379" Error Documented "the data of an LSC message is written like V33:d32x4, its addresses like flat[V32]:a64 or bti(4)[V32]:a32 (LSC_UNTYPED.md, LSC_TYPED.md)";
        BLOCK_SIZE "E0380" Error Documented "a media block has a width and a height of 8 bits each (MEDIA_LD.md)";
        NO_ENCODING "E0381" Error Assumed "Lanewise does not know the encoding of this instruction";
        PLATFORM "E0382" Error Documented "the platform does not support the instruction or the type";
        TYPE "E0383" Error Documented "the document does not list this type for the instruction";
        MIXED_TYPES "E0384" Error Documented "arithmetic operands must be all integers, all floats or all DF";
        SOURCE_MODIFIER "E0385" Error Documented "(-) and (abs) apply to arithmetic, (~) to logic (visa_5_operands.md)";
        SATURATION "E0386" Error Documented "the instruction does not support .sat";
        REGION_WIDTH "E0387" Error Documented "the width of a region must not exceed the execution size (visa_5_operands.md)";
        CONSTANT_TYPE "E0388" Error Observed "the instruction does not support constants of this type";
        WRITES_READ_ONLY "E0389" Error Documented "this predefined variable is read-only (visa_4_visa_header.md)";
        DPAS_PLATFORM "E0390" Error Observed "the platform has no unit for matrices; the real tool rejects DPAS there";
        DPAS_EXEC_SIZE "E0391" Error Documented "the execution size of DPAS is that of a register of dwords: 8 with 32 bytes, 16 with 64 bytes (DPAS.md)";
        DPAS_PRECISION "E0392" Error Documented "the precisions are u2, s2, u4, s4, u8, s8, bf, hf, tf32, bf8, hf8 and e2m1 (DPAS.md, IGC's grammar)";
        PRECISION_PLATFORM "E0393" Error Observed "floats of 8 and 4 bits exist on later platforms (IGC's source); df has no code (DPAS.md)";
        LATER_MIXED "E0394" Error Documented "tf32 and e2m1 can be combined with themselves only, and bf8 and hf8 with each other (DPAS.md); the real tool rejects other pairs";
        DPAS_TYPE "E0395" Error Documented "dst and src0 must be D or UD with integers, F or the source type with bf and hf, and F with tf32; src1 and src2 must be D or UD (DPAS.md)";
        ADDRESS_OF "E0396" Error Documented "the operand must be the address of a declared variable, or a variable of another kind";
        MESSAGE_LANES "E0397" Error Documented "the execution size of GATHER and SCATTER is 1, 8 or 16";
        MESSAGE_SURFACE "E0398" Error Documented "the instruction does not support shared local memory";
        BLOCK_LIMITS "E0399" Error Documented "a media block is 1 to 64 bytes wide and has at most 256 bytes (MEDIA_LD.md)";
    }

    Unenforced "04" {
        UNDOCUMENTED_OPERATION "W0401" Warning Observed "the documents do not list fadd and fsub; the real assembler encodes them as 0x13 and 0x14";
        UNDOCUMENTED_WIDTH "W0402" Warning Observed "the document does not list .32; 32 bits is the default";
        SVM_EXEC_SIZE "W0403" Warning Documented "SVM_ATOMIC has execution sizes 1 to 8; the real tool also accepts 16 and 32";
        SURFACE_NOT_LISTED "W0404" Warning Documented "DWORD_ATOMIC.md lists T0, T255 and declared buffers; the real tool also accepts T1, T2, TSS and %bss";
        SAMPLER_AS_SURFACE "W0405" Warning Observed "the surface must be a buffer; the real tool encodes the sampler's number";
        MASK_ALIGN "W0406" Warning Documented "the mask offset must be a multiple of the execution size; the real tool does not check";
        MASK_OVERFLOW_TAKEN "W0407" Warning Documented "mask offset and execution size must fit in the 32 channels; the real tool does not check SVM instructions";
        OPERAND_TYPE_TAKEN "W0408" Warning Documented "the operation determines the operand types; the real tool accepts this one";
        TYPES_DIFFER "W0409" Warning Documented "dst, src0 and src1 must have the same type; the real tool does not check";
        ADDRESS_TYPE "W0410" Warning Documented "addresses, and the offsets of a scatter or gather, must have type UQ; the real tool accepts this type";
        UNUSED_SRC0_TAKEN "W0412" Warning Documented "INC, DEC and PREDEC require the null variable as src0; the real tool accepts an operand and ignores it";
        UNUSED_SRC1_TAKEN "W0413" Warning Documented "only CMPXCHG and FCMPWR use src1; the real tool accepts one here";
        NEEDED_OPERAND "W0414" Warning Documented "the operation requires this operand; the real tool accepts the null variable";
        NULL_ADDRESS "W0415" Warning Documented "the addresses must not be null; the real tool accepts the null variable";
        NULL_WITH_OFFSET "W0416" Warning Observed "the null variable has no bytes; the real tool encodes its offset";
        SMALL_VARIABLE_OFFSET "W0417" Warning Documented "raw operands must be aligned to a register; the real tool does not check variables smaller than a register";
        PAST_END "W0418" Warning Documented "reading past the end of a variable is undefined (visa_5_operands.md); the real tool accepts it within its register file";
        READ_ONLY "W0419" Warning Documented "this predefined variable is read-only; the real tool accepts it as dst";
        SHORT_PREDICATE "W0420" Warning Observed "the lanes use more elements than the predicate declares; the others read as 0 here (assumed), and the real tool does not check";
        KIND_AS_RAW "W0421" Warning Observed "raw operands must be general variables; the real tool encodes number 0, the null variable, instead";
        TOOL_FAILS "W0422" Warning Observed "no document forbids it, but the real tool crashes or hangs on some platforms";
        PLATFORM_WIDTH "W0423" Warning Documented "16-bit and 64-bit atomics exist on TGLLP and later; the real tool accepts them on every platform";
        FLOAT_64 "W0424" Warning Documented "float atomics are documented for HF and F only; the real tool accepts .64";

        INTEGER_AS_FLOAT "W0425" Warning Observed "the real assembler and Lanewise read an integer as the bits of a float constant; a value needs a decimal point";

        PLANES_EXEC_SIZE "W0430" Warning Documented "SVM_SCATTER4_SCALED and SVM_GATHER4_SCALED have execution sizes 8 and 16; the real tool also accepts 1, 2, 4 and 32";
        NO_CHANNEL "W0431" Warning Documented "at least one channel must be enabled; the real tool accepts an empty mask";
        PLANES_TYPE "W0432" Warning Documented "src of a scatter and dst of a gather must have type UD, D or F; the real tool accepts this type";
        OPERAND_CLASS "W0433" Warning Documented "a scalar operand is general, indirect or immediate (visa_5_operands.md); the real tool accepts this class";
        MODIFIER "W0434" Warning Documented "modifiers apply to arithmetic, shifts and moves only (visa_5_operands.md); the real tool accepts it";
        COLUMN "W0435" Warning Documented "the column must not cross the end of a register (visa_5_operands.md); the real tool accepts it";
        INDIRECT_OFFSET "W0436" Warning Documented "the offset of an indirect operand ranges from -512 to 511 (visa_5_operands.md); the real tool encodes all 16 bits";
        INDIRECT_ALIGN "W0437" Warning Documented "an indirect operand must be aligned to its type (visa_5_operands.md); the real tool does not check the offset";
        ADDRESS_ELEMENT "W0438" Warning Documented "the element must exist in the declared address variable; the real tool accepts elements 0 to 15 regardless of the declaration";
        WIDE_CONSTANT "W0439" Warning Documented "a constant has as many bits as its type (visa_5_operands.md); the real tool writes 32 bits and keeps only those of the type when it reads the object";
        DEPTH "W0440" Warning Documented "XEHP and later support a systolic depth of 8 only (DPAS.md); the real tool accepts 1, 2 and 4";
        MIXED_PRECISIONS "W0441" Warning Documented "the precisions must be both integers, both bf or both hf (DPAS.md); the real tool accepts any pair";
        ONE_BIT "W0442" Warning Observed "the precision table lists 1 bit, the text only 2 bits and more; the real assembler accepts 1 bit and its finalizer hangs";
        SHARES_NOTHING "W0443" Warning Documented "EU0 then supplies all of Src2; use only configurations that share Src2 data (DPASW.md)";
        MATRIX_TYPE_TAKEN "W0444" Warning Documented "dst and src0 must be D or UD with integer precisions and F with float ones (DPAS.md); the real tool accepts this type";
        SRC0_TYPE "W0445" Warning Documented "src0 should have the type of dst (DPASW.md); the real tool accepts another type";
        SRC2_ALIGN "W0446" Warning Documented "src2 must be aligned to SD / (32 / (bits × OPS_PER_CHAN)) dwords (DPAS.md); the real tool does not check";
        TF32_EARLY "W0447" Warning Observed "the document does not say which platforms support tf32; before PVC the real tool accepts it and emits native code with an invalid type";
        DPAS_TYPE_TAKEN "W0448" Warning Documented "dst and src0 must be D or UD with integers, F or the source type with bf and hf, and F with tf32 (DPAS.md); the real tool accepts this type";
        PREDICATE_LOST "W0449" Warning Observed "the encoding has no field for the predicate; the real assembler accepts and drops it";
        RED_OPERATION_SIZE "W0450" Warning Assumed "ATOM's document does not list this size for the operation; RED is undocumented, and the real disassembler prints every operation with every size";
        RED_SIZE_128 "W0451" Warning Assumed "ATOM's document declares .U128 illegal; RED is undocumented, and the real disassembler prints it on SM50";
        RED_REGISTER_PAIR "W0452" Warning Assumed "a 64-bit value occupies an even register and the next one, as in ATOM; RED is undocumented, and the real disassembler does not check";
        RED_ADDRESS_PAIR "W0453" Warning Assumed "with .E, the address occupies an even register and the next one, as in ATOM; RED is undocumented, and the real disassembler does not check";
        SUFFIX_LOST "W0460" Warning Observed "only vector destinations can saturate; the suffix is dropped";
        MASK_LOST "W0461" Warning Observed "the encoding has no field for the mask; the real assembler accepts and drops it";
        CUT_NUMBER "W0462" Warning Observed "the number exceeds the field; the real assembler accepts it and keeps the low bits";
        MODIFIED "W0463" Warning Observed "the encoding has no field for .mod; the real assembler accepts and drops it";
        RELATION "W0464" Warning Documented "a comparison requires a relation (CMP.md); a missing one is encoded as 6 (observed)";
        LSC_CHANNELS "W0465" Warning Observed "channels apply to quads only, which require at least one; the real assembler treats the mask as a number of elements";
        PLATFORM_TAKEN "W0466" Warning Documented "the documents do not list the instruction or the type for this platform; the real tool accepts it";
        TYPE_TAKEN "W0467" Warning Documented "the document does not list this type for the instruction; the real tool accepts it";
        MIXED_TYPES_TAKEN "W0468" Warning Documented "the document does not list this combination of types; the real tool accepts it";
        SOURCE_MODIFIER_TAKEN "W0469" Warning Documented "the document does not list this modifier for the instruction; the real tool accepts it";
        SATURATION_TAKEN "W0470" Warning Documented "the document does not list .sat for this type; the real tool accepts it";
        REGION_SPAN "W0471" Warning Documented "an operand must not span more than two registers (visa_5_operands.md); the real tool accepts it";
        PLACE "W0472" Warning Documented "an operand must be inside its variable, and its column inside a register; the real tool accepts it";
        SCALAR_REGION "W0473" Warning Documented "a scalar must have the region <0;1,0>; the real tool does not check";
        UNDOCUMENTED "W0474" Warning Documented "the document excludes this form; the real tool accepts it";
        MESSAGE_SURFACE_TAKEN "W0475" Warning Documented "the document excludes this surface; the real tool accepts it";
        NUMBER_CHANGED "W0476" Warning Observed "the document does not list this number; the real assembler encodes the first one listed";
        FALLS_THROUGH "W0477" Warning Documented "only call enters a subroutine (CALL.md)";
        OTHER_FUNCTION "W0478" Warning Documented "a branch target is a label of the same function (GOTO.md, JMP.md)";
        MASK_UNPRINTED "W0479" Warning Assumed "the instruction has no lanes, so its text leaves out the execution size and mask; they have no effect";
    }

    Refused "05" {
        TOOL_REFUSES_TYPE "N0501" Note Observed "the document specifies this type; the real tool's verifier includes the 16-bit flag in the operation code and requires UD";
        TOOL_REFUSES_SRC1 "N0502" Note Observed "the document requires src1; the real tool's verifier rejects it in the .16 form";
        TOOL_HAS_NO_NAME "N0503" Note Observed "the real assembler has no name for operation 0x0d and cannot parse predec";
        SIGNED_ADD "N0504" Note Observed "the document specifies type UD; the real tool also accepts D, and wrapping makes the results equal";
        SIGNED_PREDEC "N0505" Note Documented "the operation table gives PREDEC signed types, the notes give UD; Lanewise accepts both";
        DOCUMENT_SPELLING "N0506" Note Observed "the documents use this spelling, perhaps in another letter case; the real assembler of libigc-tools 1.0.12504 rejects it";
        F16X2_SPELLING "N0507" Note Observed "the document uses both spellings; each chip has one of them, with FTZ on SM52 and SM53 and without from SM60";
        NO_CONTROL_WORD "N0508" Note Observed "scheduling is encoded in the control word of a group of three instructions, not in the instruction itself";

        LENIENT_SPELLING "N0509" Note Observed "no document uses this spelling and the real assembler rejects it; Lanewise accepts it";
        REGION_IGNORED "N0510" Note Documented "the region of a scalar operand is ignored (visa_5_operands.md); the real tool accepts it, and its native code uses it";
        WIDE_DECIMAL "N0511" Note Observed "Lanewise encodes it as written; the real assembler passes decimals through 32 bits";
        REGION_REFUSED "N0512" Note Observed "the region of a scalar operand is ignored (visa_5_operands.md); the real tool rejects one that is wider than the execution size, reaches past two registers, or uses more than 16 addresses";
        QUIET_NAN "N0513" Note Observed "Lanewise encodes it as written; the real assembler quiets a signaling NaN of type F by setting the highest bit of its fraction";
        MATRIX_OVERLAP "N0520" Note Assumed "no document says whether later rows see the results of earlier ones; Lanewise reads all operands first";
        NARROW_SUMS "N0521" Note Observed "the document allows bf and hf for dst and src0 without naming a platform; the real tool rejects them before PVC";
    }

    Encoding "06" {
        RESERVED_BITS "W0601" Warning Observed "decoders ignore these bits";
        RESERVED_SIZE "W0602" Warning Observed "codes 6 to 15 do not encode an execution size; the real tool prints 0";
        RESERVED_COMBINE "W0603" Warning Documented "predicate combine 3 is reserved; the real tool treats it as none";
        RESERVED_WIDTH "W0604" Warning Observed "the document lists width codes 0 to 2 in bits 6..5; the real tool reads bit 7 too, code 3 as 64 bits and 4 to 7 as 32";
        NO_PREDICATE_BITS "W0605" Warning Documented "predicate 0 means no predicate, so its other bits are meaningless; the real tool crashes";
        UNDECODABLE "E0606" Error Observed "no instruction has this encoding";
        TRUNCATED "E0607" Error Documented "the instruction is incomplete";
        UNKNOWN_OPCODE "E0608" Error Documented "an encoding starts with the opcode of a supported instruction";
        UNKNOWN_ID "E0609" Error Documented "numbers in an encoding must be those of declared or predefined variables";
        EXTRA_BYTES "E0610" Error Documented "instructions are decoded one at a time";
        HEX "E0611" Error Assumed "bytes are written as pairs of hexadecimal digits";

        BREAKS_RULE "W0612" Warning Documented "an assembler rejects this instruction, but its encoding is unambiguous";
        RESERVED_BARRIER "W0613" Warning Assumed "barriers are 0 to 5, and 7 means none; 6 is treated as none";
        RESERVED_MODIFIER "W0630" Warning Observed "modifier codes 4, 6 and 7 are not defined; the real tool treats them as none";
    }

    Running "07" {
        RUN_MISSING_OPERAND "E0701" Error Documented "the operation requires this operand";
        RUN_WIDTH "E0702" Error Documented "the placement of lanes whose width differs from the operation's is not defined";
        RUN_TYPE "E0703" Error Documented "the operation is not defined for this type";
        RUN_UNBOUND "E0704" Error Assumed "no memory is bound to this surface; bind it with .surface";
        RUN_PAST_END "E0705" Error Documented "reading or writing past the end of a variable is undefined (visa_5_operands.md)";
        RUN_MASK_OVERFLOW "E0706" Error Documented "the execution mask has only 32 channels";
        RUN_REGISTER_PAIR "E0707" Error Observed "the hardware traps on a 64-bit value or address that is not in a register pair (Xid 13, misaligned register)";
        RUN_FLOAT_64 "E0708" Error Documented "float atomics are documented for HF and F only";
        SAFEADD "N0709" Note Assumed "public sources say only that SAFEADD increments the put pointer of a circular queue; Lanewise runs it as a 64-bit INC";
        DIVERGENT_BARRIER "W0710" Warning Documented "a barrier in divergent control flow is undefined (BARRIER.md); Lanewise counts one arrival of the thread";
        STRANDING_JUMP "W0711" Warning Documented "jmp is legal only if no channel waits before its target (JMP.md); Lanewise runs it like goto, the hardware does not resume these channels";
        ENDED_WAITING "W0712" Warning Observed "ret with execution size 1 ends the thread, waiting channels included";
        PARTIAL_BRANCH "N0713" Note Documented "an instruction concerns the channels of its mask and execution size (GOTO.md); compilers branch with all channels";
        OUT_OF_BOUNDS "W0714" Warning Documented "a read returns 0, a write has no effect";
        UNMET_CLAIM "W0715" Warning Assumed "the comment `// ends:` says what the run leaves, as in bundled scenarios, and the run leaves something else";

        PAST_LOCAL "W0716" Warning Observed "local memory is allocated in units of 1 KB, so the access has an effect here, but not everywhere";

        RUN_SCALAR "E0730" Error Documented "an address is a single integer, within one variable and aligned to its type (visa_5_operands.md)";
        RUN_THREADS "E0740" Error Documented "both EUs of a fused pair execute it together (DPASW.md)";
        RUN_PRECISION "E0741" Error Documented "the operation is not defined for these precisions (DPAS.md)";
        RUN_UNPLACED "E0742" Error Assumed "later platforms compute the variable in a way that is not documented";
        NOT_EXECUTED "W0743" Warning Assumed "Lanewise reads the instruction and does not execute it: a run stops there";
        NAN_BITS "W0744" Warning Observed "nvdisasm prints all NaNs alike, and compilers also write the upper word of an infinite double as one; an encoding in the listing, or the cubin beside it, tells the bits";
        TENSOR_SUMS "N0745" Note Assumed "NVIDIA does not document how tensor cores add products of floats";
    }

    Start "08" {
        INIT_SYNTAX "E0801" Error Assumed "an initial value is written `.init V32 = 1, 2, 3`, `.init slm[0x40] : ud = iota(0, 1)`, `.init P1 = 0xff` or `.init A0 = &V33 + 32`";
        INIT_TOO_LONG "E0802" Error Assumed "a list can be shorter than the variable, but not longer";
        INIT_VALUE "E0803" Error Assumed "decimals must fit the element type; hexadecimal and binary literals are its bits";
        INIT_OUTSIDE "E0804" Error Assumed "initial values can be written to mapped memory only";
        INIT_TWICE "W0805" Warning Assumed "the last value takes effect";
        MEMORY_SIZE "E0806" Error Assumed "Lanewise maps at most 64 MB in total, in 4 KB pages, below the end of the address space";
        MEMORY_OVERLAP "E0807" Error Assumed "mapped ranges must not overlap";
        SURFACE_SIZE "W0808" Warning Assumed "a surface without .surface has size 0: every access is out of bounds";
        THREADS "E0809" Error Assumed ".threads is 1 (EU0) or 2 (the fused pair EU0, EU1)";
        ORDER_SYNTAX "E0810" Error Assumed "an order lists lanes such as `3`, `EU1.3` or `3.R`, each once";
        ORDER_LANE "W0811" Warning Assumed "the instruction does not have this lane, so the entry has no effect";
        ORDER_UNUSED "W0812" Warning Assumed "an .order applies to the next instruction";
        INIT_EU "E0813" Error Assumed "EU1 exists only with .threads 2";
        INIT_BUDGET "E0814" Error Assumed "the .init lines of a program write at most 128 MB in total";
        WINDOW "E0815" Error Observed "shared and local memory each have a 16 MB window in the low 4 GB, aligned to 16 MB";
        ORDER_AT_ONCE "W0816" Warning Assumed "the instruction accesses registers only and all of its lanes compute at once, so an order has no effect";
        FUEL "E0817" Error Assumed "a run can issue 1 to 100,000,000 instructions";
        LAUNCH "E0818" Error Assumed "a launch is written `.launch global=64 local=32`, with up to three sizes each and optional offset= and group=";
        LAUNCH_SIZE "E0819" Error Documented "a work-group (block) has 1 to 1,024 work-items (threads) in at most 128 hardware threads (warps), and a launch has at most 1,048,576 work-groups";
        LAUNCH_SIMD "E0820" Error Documented "a thread has 8, 16 or 32 channels";
        BUFFER "E0821" Error Assumed "a buffer is written `.buffer y : f[64] = iota(1, 0.5)`";
        BIND "E0822" Error Assumed "a binding is written `.bind V34 = VALUE` or `.bind bti 0 = y`";
        SIMD_ASSUMED "W0823" Warning Assumed "neither .simd nor .kernel_attr SimdSize gives the channels per thread of the launch";
        LOCAL_SIZE "E0824" Error Documented "the host refuses to launch a work-group (block) that needs more local (shared) memory than the platform or chip has";
    }

    Request "09" {
        REQUEST_JSON "E0901" Error Assumed "every line must be a JSON object";
        REQUEST_DO "E0902" Error Assumed "the `do` field selects the action";
        REQUEST_FIELD "E0903" Error Assumed "the fields of a request depend on `do`";
        REQUEST_TOO_LONG "E0904" Error Assumed "requests must be smaller than 48 MB";
        ANSWER_TOO_LONG "E0905" Error Assumed "an answer has at most 64 MB";
        COMPILER_ERROR "E0906" Error Observed "the compiler rejects the source";
        COMPILER_WARNING "W0907" Warning Observed "the compiler warns about the source";
        COMPILER_NOTE "N0908" Note Observed "the compiler adds this to its message";
        KERNEL_OBSTACLE "E0909" Error Assumed "what is not modeled is named, never skipped";
        LAUNCH_REFUSED "E0910" Error Assumed "a launch needs a kernel that can run, and its arguments";
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn codes_are_unique_ordered_and_name_their_severity() {
        let mut seen = BTreeSet::new();
        for rule in ALL {
            assert!(seen.insert(rule.code), "{} is repeated", rule.code);
            let letter = match rule.severity {
                Severity::Error => 'E',
                Severity::Warning => 'W',
                Severity::Note => 'N',
            };
            assert!(rule.code.starts_with(letter), "{}", rule.code);
            assert_eq!(rule.code.len(), 5, "{}", rule.code);
            let group = GROUPS.iter().find(|(subject, _)| *subject == rule.subject);
            let (_, digits) = group.expect("every subject has a group");
            assert!(rule.code[1..].starts_with(digits), "{}", rule.code);
        }
        let numbers: std::vec::Vec<_> = ALL.iter().map(|r| &r.code[1..]).collect();
        assert!(numbers.is_sorted(), "by code");
    }
}
