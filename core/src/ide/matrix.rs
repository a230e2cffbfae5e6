//! Edits of a matrix instruction and its operands in a text.

use crate::diagnostic::{Edit, Span, to_u32};
use crate::isa::visa::matrix::{MatrixSuffix, MultiplyAdd, Precision};
use crate::isa::visa::raw_operand::RawOperand;
use crate::number::{ElementType, low_mask, show};
use crate::program::{Program, ProgramInstruction, init_place, new_line};
use crate::text::{Cursor, LexemeKind, Rewritten, SyntaxPart, lex};
use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

/// Rewrites the suffix of a matrix instruction and, where necessary, the declarations of
/// its operands: the types of Dst and Src0 follow the precisions, and variables grow to
/// cover the registers used. `text` is the text of `program`. `None` if the instruction
/// has this suffix already.
#[must_use]
pub fn with_matrix_suffix(
    program: &Program,
    text: &str,
    placed: &ProgramInstruction,
    suffix: MatrixSuffix,
) -> Option<Rewritten> {
    let instruction = placed.instruction.matrix()?;
    if instruction.suffix == suffix {
        return None;
    }
    let changed = MultiplyAdd {
        suffix,
        ..*instruction
    };
    // From the dot before the precisions.
    let start = placed.spans.of(SyntaxPart::Precision).start - 1;
    let span = Span::new(start, placed.spans.of(SyntaxPart::Repeat).end);
    let mut replacement = String::new();
    suffix.print(&mut replacement);
    let mut edits = Vec::from([Edit { span, replacement }]);
    let names = &program.symbols.visa;
    let [rows, weights, shared] = changed.shape().map_or([0; 3], |shape| {
        let of_eu0 = changed.supply().map(|supply| supply.counts()[0]);
        let all = shape.src2_bytes().div_ceil(u16::from(shape.grf_bytes()));
        [
            u16::from(shape.rc()),
            u16::from(shape.src1_registers()),
            of_eu0.map_or(all, u16::from),
        ]
    });
    let end = |offset: u32, registers| offset + u32::from(registers) * names.grf_bytes();
    let raw =
        |operand: RawOperand, registers| (operand.id.0, end(operand.offset.into(), registers));
    let src2 = instruction.src2;
    let operands = [
        (raw(instruction.dst, rows), true),
        (raw(instruction.src0, rows), true),
        (raw(instruction.src1, weights), false),
        (
            (
                src2.id.0,
                src2.byte(names).map_or(0, |byte| end(byte, shared)),
            ),
            false,
        ),
    ];
    for ((id, _), is_sum) in operands {
        let ends = operands.iter().filter(|((other, _), _)| *other == id);
        let end = ends.map(|((_, end), _)| *end).max();
        let variable = names.variable(id).filter(|v| v.alias.is_none());
        let Some((variable, end)) = variable.zip(end) else {
            continue;
        };
        let float = suffix.w.is_float();
        let ty = variable.ty;
        if is_sum && float != matches!(ty, ElementType::F | ElementType::Bf | ElementType::Hf) {
            let ty = if float { "f" } else { "d" };
            replace(&mut edits, variable.type_span, String::from(ty));
        }
        let elements = end / u32::from(ty.bytes());
        if variable.elements < elements {
            replace(&mut edits, variable.elements_span, elements.to_string());
        }
    }
    edits.sort_by_key(|edit| edit.span.start);
    Some(Rewritten::new(text, &edits))
}

/// Adds a replacement of an attribute, unless the declaration omits it.
fn replace(edits: &mut Vec<Edit>, span: Span, replacement: String) {
    if span.start < span.end {
        edits.push(Edit { span, replacement });
    }
}

/// Replaces the initial values of Src1 and Src2 of a matrix instruction by values of its
/// precisions: 1 everywhere in Src1, alternating 1 and 2 in Src2. `text` is the text of
/// `program`.
#[must_use]
pub fn with_sample_factors(
    program: &Program,
    text: &str,
    placed: &ProgramInstruction,
) -> Option<Rewritten> {
    let instruction = placed.instruction.matrix()?;
    let MatrixSuffix { w, a, .. } = instruction.suffix;
    let mut edits = Vec::new();
    for (id, dword) in [
        (instruction.src1.id, dword(w, [1, 1])),
        (instruction.src2.id, dword(a, [1, 2])),
    ] {
        let Some(variable) = program.symbols.visa.general(id.0) else {
            continue;
        };
        let ty = variable.ty;
        let bits = (u64::from(dword) << 32 | u64::from(dword)) & low_mask(ty.bits());
        let value = match ty.is_float() {
            true => show(bits, ty),
            false => format!("{bits:#x}"),
        };
        let line = format!(".init {} = splat({value})", variable.name);
        let mut lines: Vec<Span> = (0..program.threads)
            .flat_map(|eu| program.init_spans(variable.name, eu))
            .map(|target| line_of(text, target.start))
            .collect();
        lines.sort_by_key(|line| line.start);
        lines.dedup();
        let mut lines = lines.into_iter();
        let (span, replacement) = match lines.next() {
            Some(first) => (first, format!("{line}\n")),
            None => {
                let mut lexemes = Vec::new();
                lex(text, &mut lexemes);
                lexemes.retain(|l| !matches!(l.kind, LexemeKind::Comment { .. }));
                new_line(init_place(text, &lexemes), &line)
            }
        };
        edits.push(Edit { span, replacement });
        edits.extend(lines.map(|span| Edit {
            span,
            replacement: String::new(),
        }));
    }
    edits.sort_by_key(|edit| edit.span.start);
    Some(Rewritten::new(text, &edits))
}

/// The line at a position, with its line end.
fn line_of(text: &str, at: u32) -> Span {
    let line = Cursor::line_of(text, at);
    Span::new(line.start, to_u32(text.len()).min(line.end + 1))
}

/// Elements of a dword: alternating small numbers.
fn dword(precision: Precision, numbers: [u8; 2]) -> u32 {
    let bits = precision.bits();
    let element = |number: u8| match precision {
        Precision::Bf => f32::from(number).to_bits() >> 16,
        // 1 and 2 differ in the exponent only.
        Precision::Hf => 0x3800 + (u32::from(number) << 10),
        Precision::Bf8 => 0x38 + (u32::from(number) << 2),
        Precision::Hf8 => 0x30 + (u32::from(number) << 3),
        Precision::E2m1 => u32::from(number) << 1,
        Precision::Tf32 => f32::from(number).to_bits(),
        // In s2, 2 is negative.
        _ if bits == 2 => 1,
        _ => number.into(),
    };
    let places = (0..32).step_by(bits.into());
    let elements = places.zip(numbers.into_iter().cycle());
    elements.fold(0, |dword, (place, number)| dword | element(number) << place)
}

#[cfg(test)]
mod tests {
    use super::*;
    use Precision::{Bf, S4, S8, U2};

    const TEXT: &str = "\
.decl V32 v_type=G type=d num_elts=64 align=GRF
.decl V34 v_type=G type=d num_elts=64 align=GRF
.decl V35 v_type=G type=ud num_elts=8*8 align=GRF
.init V32 = splat(1)
.init V34 = splat(0x01010101)
.init EU0.V35 = splat(0x22222222)
.init EU1.V35 = splat(0x33333333)
dpasw.s8.s4.8.4 (M1, 8) V32.0 V32.0 V34.0 V35(0,0) // ä
";

    fn reshaped(text: &str, w: Precision, a: Precision, rc: u8) -> String {
        let program = Program::parse(text);
        let suffix = MatrixSuffix { w, a, sd: 8, rc };
        let rewritten = with_matrix_suffix(&program, text, &program.instructions[0], suffix);
        let Rewritten { text, caret } = rewritten.expect("a matrix instruction");
        assert!(text[..caret].ends_with(&format!(".8.{rc}")), "{text}");
        assert!(Program::parse(&text).can_run(), "{text}");
        text
    }

    #[test]
    fn sum_types_follow_the_precisions() {
        let text = reshaped(TEXT, Bf, Bf, 4);
        assert!(text.contains("\ndpasw.bf.bf.8.4 (M1"));
        assert!(text.contains(".decl V32 v_type=G type=f "));
        assert!(text.contains(".decl V34 v_type=G type=d "));
        let text = reshaped(&text, U2, U2, 4);
        assert!(text.contains("\ndpasw.u2.u2.8.4 (M1"));
        assert!(text.contains(".decl V32 v_type=G type=d "));
    }

    #[test]
    fn declarations_grow_as_needed() {
        let small = TEXT.replace("8.4 (M1", "8.1 (M1").replace("=8*8", "=2*4");
        let grown = reshaped(&small, S8, S4, 8);
        assert!(grown.contains(".decl V35 v_type=G type=ud num_elts=16 "));
        let kept = reshaped(&grown, S8, S4, 1);
        assert!(kept.contains(" num_elts=16 "), "without shrinking");
    }

    #[test]
    fn factors_are_replaced_or_added() {
        let text = reshaped(TEXT, Bf, Bf, 4);
        let fill = |text: &str| {
            let program = Program::parse(text);
            let rewritten = with_sample_factors(&program, text, &program.instructions[0]);
            rewritten.expect("a matrix instruction").text
        };
        let filled = fill(&text);
        let inits = ".init V32 = splat(1)\n\
            .init V34 = splat(0x3f803f80)\n.init V35 = splat(0x40003f80)\ndpasw";
        assert!(filled.contains(inits), "{filled}");
        let text: Vec<&str> = text
            .lines()
            .filter(|line| !line.starts_with(".init V3"))
            .collect();
        assert!(Program::parse(&fill(&text.join("\n"))).can_run());
    }
}
