//! Splits the instruction stream of a vISA object.
//!
//! Instructions do not have a length field; the length follows from the
//! documented fields of each opcode. Sources: the "Format" sections of the vISA
//! instructions and visa_5_operands.md; comments note where real objects differ.

use crate::MAX_INSTRUCTIONS;
use Field::{
    Byte, Dword, Exec, LabelCount, Labels, MoreVectors, Pred, Raw, RawCount, RenderTarget, Vector,
    Word,
};
use lanewise_core::isa::visa::op::{OPS, Slot, VisaOp};
use std::sync::OnceLock;

/// Field of an instruction's encoding, after the opcode.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Field {
    /// Execution size and mask control: 1 byte.
    Exec,
    /// Predicate control: 2 bytes.
    Pred,
    /// 1 byte.
    Byte,
    /// 2 bytes.
    Word,
    /// 4 bytes.
    Dword,
    /// Vector operand; its tag determines its length.
    Vector,
    /// Raw operand: 6 bytes.
    Raw,
    /// 1-byte count, then that many raw operands.
    RawCount,
    /// 1-byte count of the labels in [`Field::Labels`].
    LabelCount,
    /// 2-byte labels; the number is in the preceding count.
    Labels,
    /// Two vector operands, absent in older objects (observed with 1.0.12504).
    /// Unambiguous, because no opcode equals the tag of a scalar operand.
    MoreVectors,
    /// Rest of RT_WRITE after the predicate: mode, surface, and the operands that
    /// the mode selects. NumParams is absent (observed).
    RenderTarget,
}

/// Shape of an instruction.
struct Foreign {
    opcode: u8,
    /// Second byte, if the fields depend on it.
    sub_opcode: Option<u8>,
    /// Documented name, in lower case.
    name: &'static str,
    fields: &'static [Field],
}

const BINARY: &[Field] = &[Exec, Pred, Vector, Vector, Vector];
const TERNARY: &[Field] = &[Exec, Pred, Vector, Vector, Vector, Vector];

/// [`LSC`] for the counter of a surface.
const LSC_COUNTER: &[Field] = &[
    Exec, Pred, Byte, Byte, Byte, Byte, Byte, Byte, Byte, Byte, Vector, Raw, Raw,
];

/// LSC_TYPED after its sub-operation: predicate, caching, address, data, surface,
/// dst, four coordinates, two operands.
const LSC_TYPED: &[Field] = &[
    Exec, Pred, Byte, Byte, Byte, Byte, Byte, Byte, Byte, Byte, Vector, Raw, Raw, Raw, Raw, Raw,
    Raw, Raw,
];

/// [`LSC_TYPED`] for a block.
const LSC_TYPED_BLOCK: &[Field] = &[
    Byte, Byte, Byte, Word, Word, Vector, Raw, Vector, Vector, Raw,
];

/// Instructions whose fields the opcode table of [`lanewise_core`] lacks.
#[rustfmt::skip]
const FOREIGN: &[Foreign] = &[
    Foreign { opcode: 0x41, sub_opcode: None, name: "sample_unorm", fields: &[Byte, Byte, Byte, Vector, Vector, Vector, Vector, Raw] },
    Foreign { opcode: 0x43, sub_opcode: None, name: "avs", fields: &[Byte, Byte, Byte, Vector, Vector, Vector, Vector, Vector, Vector, Vector, Byte, Vector, Byte, Vector, Raw] },
    Foreign { opcode: 0x54, sub_opcode: None, name: "vme_ime", fields: &[Byte, Byte, Raw, Raw, Byte, Raw, Raw, Raw, Raw] },
    Foreign { opcode: 0x55, sub_opcode: None, name: "vme_sic", fields: &[Raw, Raw, Byte, Raw] },
    Foreign { opcode: 0x56, sub_opcode: None, name: "vme_fbr", fields: &[Raw, Raw, Byte, Vector, Vector, Vector, Raw] },
    Foreign { opcode: 0x57, sub_opcode: None, name: "vme_idm", fields: &[Raw, Raw, Byte, Raw] },
    Foreign { opcode: 0x60, sub_opcode: None, name: "nbarrier", fields: &[Byte, Vector, Vector, MoreVectors] },
    Foreign { opcode: 0x6d, sub_opcode: None, name: "3d_sample", fields: &[Word, Exec, Pred, Byte, Vector, Byte, Byte, Raw, RawCount] },
    Foreign { opcode: 0x6e, sub_opcode: None, name: "3d_load", fields: &[Word, Exec, Pred, Byte, Vector, Byte, Raw, RawCount] },
    Foreign { opcode: 0x6f, sub_opcode: None, name: "3d_sample4", fields: &[Word, Exec, Pred, Byte, Vector, Byte, Byte, Raw, RawCount] },
    Foreign { opcode: 0x70, sub_opcode: Some(0x0a), name: "resinfo", fields: &[Exec, Byte, Byte, Raw, Raw] },
    Foreign { opcode: 0x70, sub_opcode: Some(0x0b), name: "sampleinfo", fields: &[Exec, Byte, Byte, Raw] },
    Foreign { opcode: 0x71, sub_opcode: None, name: "rt_write", fields: &[Exec, Pred, RenderTarget] },
    Foreign { opcode: 0x72, sub_opcode: None, name: "urb_write", fields: &[Exec, Pred, Byte, Raw, Word, Raw, Raw, Raw] },
    Foreign { opcode: 0x89, sub_opcode: Some(0x28), name: "lsc_apndctr_atomic_add", fields: LSC_COUNTER },
    Foreign { opcode: 0x89, sub_opcode: Some(0x29), name: "lsc_apndctr_atomic_sub", fields: LSC_COUNTER },
    Foreign { opcode: 0x8a, sub_opcode: Some(0x03), name: "lsc_load_block2d.tgm", fields: LSC_TYPED_BLOCK },
    Foreign { opcode: 0x8a, sub_opcode: Some(0x07), name: "lsc_store_block2d.tgm", fields: LSC_TYPED_BLOCK },
    Foreign { opcode: 0x8a, sub_opcode: Some(0x1b), name: "lsc_load_status.tgm", fields: LSC_TYPED },
    Foreign { opcode: 0x8a, sub_opcode: Some(0x1c), name: "lsc_store_uncompressed.tgm", fields: LSC_TYPED },
    Foreign { opcode: 0x90, sub_opcode: None, name: "rt_read", fields: &[Exec, Pred, Word, Byte, Vector, Raw] },
    Foreign { opcode: 0x9b, sub_opcode: None, name: "invm", fields: TERNARY },
    Foreign { opcode: 0x9c, sub_opcode: None, name: "rsqtm", fields: BINARY },
];

/// Shapes of the supported instructions; [`lanewise_core`] reads their fields. The
/// last four bytes of DPAS and DPASW are one field, as in the real assembler.
#[rustfmt::skip]
const OWN: &[Foreign] = &[
    Foreign { opcode: 0x1c, sub_opcode: None, name: "dpasw", fields: &[Exec, Raw, Raw, Raw, Vector, Dword] },
    Foreign { opcode: 0x4e, sub_opcode: Some(0x05), name: "svm_atomic", fields: &[Exec, Pred, Byte, Raw, Raw, Raw, Raw] },
    Foreign { opcode: 0x4e, sub_opcode: Some(0x06), name: "svm_gather4scaled", fields: &[Exec, Pred, Byte, Word, Vector, Raw, Raw] },
    Foreign { opcode: 0x4e, sub_opcode: Some(0x07), name: "svm_scatter4scaled", fields: &[Exec, Pred, Byte, Word, Vector, Raw, Raw] },
    Foreign { opcode: 0x7d, sub_opcode: None, name: "dword_atomic", fields: &[Byte, Exec, Pred, Byte, Raw, Raw, Raw, Raw] },
    Foreign { opcode: 0x83, sub_opcode: None, name: "dpas", fields: &[Exec, Raw, Raw, Raw, Vector, Dword] },
];

/// Encoding variant of an instruction stream.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Form {
    /// As documented.
    Complete,
    /// Written by libigc-tools 1.0.12198 to 1.0.12812 (observed): counts the
    /// execution size and the predicate as operands, and therefore omits as many
    /// operands at the end of each instruction. Zeros pad the stream.
    Truncated,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum PieceKind {
    /// Instruction, by its documented name.
    Instruction(&'static str),
    /// Label by number; `true` for a subroutine.
    Label(u16, bool),
    /// Undecodable bytes, up to the next readable position.
    Unknown,
}

/// Range of the stream.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Piece {
    pub(crate) start: usize,
    pub(crate) length: usize,
    pub(crate) kind: PieceKind,
    /// Number of missing bytes at the end of the instruction; 0 in a complete
    /// stream. Missing vector operands are counted with their minimum length.
    pub(crate) missing: usize,
}

/// Pieces of a stream, up to the end of the function.
pub(crate) struct Split {
    pub(crate) pieces: Vec<Piece>,
    pub(crate) form: Form,
    /// Offset of the first byte behind the pieces.
    pub(crate) end: usize,
}

impl Split {
    /// Whether only zeros follow the pieces.
    fn is_whole(&self, code: &[u8]) -> bool {
        self.pieces.len() == MAX_PIECES || is_zero(&code[self.end..])
    }

    fn unknown_bytes(&self) -> usize {
        let unknown = self.pieces.iter().filter(|p| p.kind == PieceKind::Unknown);
        unknown.map(|piece| piece.length).sum()
    }
}

/// After an instruction of unknown length, the stream is searched for the next
/// position from which it can be read to the end. Maximum length of that search.
const MAX_SEARCH: usize = 1 << 20;

/// One more than the number of listed instructions, to detect truncation.
pub(crate) const MAX_PIECES: usize = MAX_INSTRUCTIONS + 1;

/// Splits the stream of a function with `labels` labels into at most
/// [`MAX_PIECES`] pieces, and detects its form.
pub(crate) fn split(code: &[u8], labels: usize) -> Split {
    let forms = [Form::Complete, Form::Truncated];
    let walk = |form| Walk::new(code, form, labels).run(false);
    let mut ended = forms.into_iter().filter_map(walk).collect::<Vec<_>>();
    if let Some(whole) = ended.iter().position(|split| split.is_whole(code)) {
        return ended.swap_remove(whole);
    }
    // Both readings have gaps or stop early; use the one that reads more.
    let longest = ended.into_iter().rev().max_by_key(|split| split.end);
    longest.unwrap_or_else(|| {
        let gaps = |form| {
            let split = Walk::new(code, form, labels).run(true);
            split.expect("a walk with gaps reads everything")
        };
        let [complete, truncated] = forms.map(gaps);
        match truncated.unknown_bytes() < complete.unknown_bytes() {
            true => truncated,
            false => complete,
        }
    })
}

fn is_zero(bytes: &[u8]) -> bool {
    bytes.iter().all(|b| *b == 0)
}

/// A reading of a stream in one form.
struct Walk<'c> {
    code: &'c [u8],
    form: Form,
    pieces: Vec<Piece>,
    at: usize,
    /// By number: whether the label is still to come.
    pending: Vec<bool>,
    /// Number of labels still to come.
    pending_labels: usize,
    /// Whether the rest of a truncated stream was found to be code.
    is_code_to_the_end: bool,
}

impl<'c> Walk<'c> {
    fn new(code: &'c [u8], form: Form, labels: usize) -> Self {
        Self {
            code,
            form,
            pieces: Vec::new(),
            at: 0,
            pending: vec![true; labels],
            pending_labels: labels,
            is_code_to_the_end: false,
        }
    }

    /// Splits the stream. Returns `None` at undecodable bytes, unless they are
    /// allowed as gaps.
    fn run(mut self, has_gaps: bool) -> Option<Split> {
        let mut readable: Option<Readable> = None;
        while self.at < self.code.len() && self.pieces.len() < MAX_PIECES && !self.is_at_end() {
            let piece = match piece_at(self.code, self.at, self.form) {
                Some(piece) => piece,
                None if has_gaps => {
                    let next = if self.code.len() - self.at > MAX_SEARCH {
                        self.code.len()
                    } else {
                        readable
                            .get_or_insert_with(|| Readable::new(self.code, self.at, self.form))
                            .first_after(self.at)
                    };
                    Piece {
                        start: self.at,
                        length: next - self.at,
                        kind: PieceKind::Unknown,
                        missing: 0,
                    }
                }
                None => return None,
            };
            self.push(piece);
        }
        Some(Split {
            pieces: self.pieces,
            form: self.form,
            end: self.at,
        })
    }

    fn push(&mut self, piece: Piece) {
        self.at += piece.length;
        if let PieceKind::Label(id, _) = piece.kind
            && let Some(pending) = self.pending.get_mut(usize::from(id))
        {
            self.pending_labels -= usize::from(std::mem::replace(pending, false));
        }
        self.pieces.push(piece);
    }

    /// Whether the function ends here: only zeros pad a truncated stream, and
    /// nothing can reach what follows an unconditional return if no label
    /// is left.
    fn is_at_end(&mut self) -> bool {
        let Some(last) = self.pieces.last() else {
            return false;
        };
        if self.form == Form::Truncated && is_zero(&self.code[self.at..]) {
            return true;
        }
        if !self.returns(last) {
            return false;
        }
        if self.pending_labels > 0 || self.is_code_to_the_end {
            return false;
        }
        if self.form == Form::Complete {
            let bytes = &self.code[last.start..last.start + last.length];
            let predicate = [bytes.get(2), bytes.get(3)];
            // Bits 0 to 11 are the number of the predicate, 0 for none.
            return matches!(predicate, [Some(0), Some(high)] if high & 15 == 0);
        }
        // A truncated return has no predicate; what follows may be code.
        self.is_code_to_the_end = self.reads_to_a_return();
        !self.is_code_to_the_end
    }

    fn returns(&self, piece: &Piece) -> bool {
        matches!(piece.kind, PieceKind::Instruction("ret" | "fret"))
    }

    /// Whether the rest is instructions, the last of which is a return.
    fn reads_to_a_return(&self) -> bool {
        let mut at = self.at;
        let mut last = None;
        while at < self.code.len() && !is_zero(&self.code[at..]) {
            let Some(piece) = piece_at(self.code, at, self.form) else {
                return false;
            };
            at += piece.length;
            last = Some(piece);
        }
        last.is_some_and(|last| self.returns(&last))
    }
}

/// For each position, whether the stream can be read from there to its end.
struct Readable {
    from: usize,
    is: Vec<bool>,
}

impl Readable {
    fn new(code: &[u8], from: usize, form: Form) -> Self {
        let mut is = vec![false; code.len() - from + 1];
        is[code.len() - from] = true;
        let mut are_zeros = form == Form::Truncated;
        for at in (from..code.len()).rev() {
            are_zeros &= code[at] == 0;
            if are_zeros {
                is[at - from] = true;
            } else if let Some(piece) = piece_at(code, at, form) {
                is[at - from] = is[at + piece.length - from];
            }
        }
        Self { from, is }
    }

    /// First readable position after `at`; the end is readable.
    fn first_after(&self, at: usize) -> usize {
        let after = at + 1 - self.from;
        let found = self.is[after..].iter().position(|is| *is);
        found.expect("the end is readable") + at + 1
    }
}

/// Shapes of the rows of the opcode table, in its order.
fn rows() -> &'static [(&'static VisaOp, Vec<Field>)] {
    static ROWS: OnceLock<Vec<(&VisaOp, Vec<Field>)>> = OnceLock::new();
    ROWS.get_or_init(|| OPS.iter().map(|op| (op, fields_of(op))).collect())
}

/// Fields behind the opcode of a row.
fn fields_of(op: &VisaOp) -> Vec<Field> {
    let mut fields = Vec::new();
    // Bits of fields that share a byte.
    let mut bits = 0;
    for slot in op.format.fields {
        let (width, field) = match slot {
            Slot::Execution => (0, Some(Exec)),
            Slot::Predicate => (0, Some(Pred)),
            Slot::Surface | Slot::Blocks | Slot::GatherLanes => (8, None),
            Slot::Fixed { width, .. } | Slot::Code { width, .. } | Slot::Ignored { width, .. } => {
                (*width, None)
            }
            Slot::Vector(..) => (0, Some(Vector)),
            Slot::Raw(..) => (0, Some(Raw)),
            Slot::Label(_) => (16, None),
            Slot::Text(_, width) => (*width, None),
            Slot::Variable => (4, Some(Dword)),
            Slot::LabelCount => (0, Some(LabelCount)),
            Slot::Labels => (0, Some(Labels)),
            Slot::Rest | Slot::TextVector(_) | Slot::TextCode(..) => (0, None),
        };
        bits += width;
        let whole = match bits {
            8 => Some(Byte),
            16 => Some(Word),
            32 => Some(Dword),
            _ => None,
        };
        if whole.is_some() {
            bits = 0;
        }
        fields.extend(whole.into_iter().chain(field));
    }
    fields
}

/// Shape of the instruction at the start of the bytes: length of its opcode, fields and
/// name.
fn shape(rest: &[u8]) -> Option<(usize, &'static [Field], &'static str)> {
    let opcode = *rest.first()?;
    let second = rest.get(1).copied();
    let is = |foreign: &&Foreign| {
        foreign.opcode == opcode && (foreign.sub_opcode.is_none() || foreign.sub_opcode == second)
    };
    let known = OWN.iter().chain(FOREIGN).find(is);
    if let Some(shape) = known {
        let lead = if shape.sub_opcode.is_some() { 2 } else { 1 };
        return Some((lead, shape.fields, shape.name));
    }
    let mut first = [0; 8];
    let count = rest.len().min(8);
    first[..count].copy_from_slice(&rest[..count]);
    let first = u64::from_le_bytes(first);
    let start = rows().partition_point(|(op, _)| op.spec.opcodes[0].first_byte() < opcode);
    let candidates = rows()[start..].iter();
    let mut candidates = candidates.take_while(|(op, _)| op.spec.opcodes[0].first_byte() == opcode);
    let (op, fields) = candidates.find(|(op, _)| {
        let has_encoding = !op.format.is_verbatim();
        has_encoding && op.spec.opcodes[0].matches(first, rest.len())
    })?;
    let lead = op.spec.opcodes[0].leading_bytes();
    Some((lead, fields, op.spec.mnemonics[0]))
}

/// Instruction at `at`, if its opcode is known and it is in bounds.
fn piece_at(code: &[u8], at: usize, form: Form) -> Option<Piece> {
    let rest = code.get(at..)?;
    let opcode = *rest.first()?;
    let (lead, fields, name) = shape(rest)?;
    let lost = match form {
        Form::Complete => 0,
        Form::Truncated => lost_fields(fields),
    };
    let length = lead + fields_length(rest.get(lead..)?, fields, lost)?;
    rest.get(..length)?;
    let kind = match opcode {
        0x30 | 0x31 => {
            let id = u16::from_le_bytes([*rest.get(1)?, *rest.get(2)?]);
            PieceKind::Label(id, opcode == 0x30)
        }
        _ => PieceKind::Instruction(name),
    };
    Some(Piece {
        start: at,
        length,
        kind,
        missing: (fields.iter().rev().take(lost)).map(|f| shortest(*f)).sum(),
    })
}

/// Number of fields missing at the end of an instruction in a truncated stream:
/// the number of its execution-size and predicate fields. For ret that is all.
fn lost_fields(fields: &[Field]) -> usize {
    fields.iter().filter(|f| matches!(f, Exec | Pred)).count()
}

/// Length of the fields without the last `lost` operands; `None` if they are out
/// of bounds or an operand has an invalid tag.
fn fields_length(bytes: &[u8], fields: &[Field], lost: usize) -> Option<usize> {
    let is_list = matches!(fields.last(), Some(RawCount | Labels | RenderTarget));
    let kept = match is_list {
        true => fields,
        false => &fields[..fields.len() - lost],
    };
    let mut at = 0;
    let mut labels = 0;
    for field in kept {
        at += match field {
            Vector => vector_length(bytes.get(at..)?)?,
            MoreVectors => match bytes.get(at) {
                Some(0 | 5) => {
                    let first = vector_length(bytes.get(at..)?)?;
                    first + vector_length(bytes.get(at + first..)?)?
                }
                _ => 0,
            },
            RawCount => 1 + 6 * usize::from(*bytes.get(at)?).checked_sub(lost)?,
            LabelCount => {
                labels = usize::from(*bytes.get(at)?);
                1
            }
            Labels => 2 * labels.checked_sub(lost)?,
            RenderTarget => render_target_length(bytes.get(at..)?, lost)?,
            fixed => shortest(*fixed),
        };
    }
    (at <= bytes.len()).then_some(at)
}

/// Length of [`RenderTarget`] without the last `lost` operands.
fn render_target_length(bytes: &[u8], lost: usize) -> Option<usize> {
    let mode = u16::from_le_bytes([*bytes.first()?, *bytes.get(1)?]);
    let count = |bits: &[u16]| bits.iter().filter(|bit| mode >> **bit & 1 == 1).count();
    // Mode, surface, header; then sample index, CPS counter, target index.
    let mut at = 2 + 1 + 6;
    for _ in 0..count(&[11, 8, 2]) {
        at += vector_length(bytes.get(at..)?)?;
    }
    // Source 0 alpha, oMask, four colours, depth, stencil.
    let raws = 4 + count(&[3, 4, 5, 6]);
    Some(at + 6 * raws.checked_sub(lost)?)
}

/// Minimum length of a field.
const fn shortest(field: Field) -> usize {
    match field {
        Exec | Byte | LabelCount | RawCount => 1,
        RenderTarget => 2 + 1 + 6,
        Pred | Word => 2,
        Dword => 4,
        Raw => 6,
        Vector => 3,
        Labels | MoreVectors => 0,
    }
}

/// Length of a vector operand, by the class in its tag (visa_5_operands.md).
fn vector_length(bytes: &[u8]) -> Option<usize> {
    match bytes.first()? & 7 {
        // General and indirect.
        0 | 3 => Some(9),
        // Address and state.
        1 | 6 => Some(5),
        // Predicate.
        2 => Some(3),
        // Immediate: df, uq and q have 8 bytes.
        5 => match bytes.get(1)? & 15 {
            6 | 11 | 13 => Some(10),
            _ => Some(6),
        },
        _ => None,
    }
}
