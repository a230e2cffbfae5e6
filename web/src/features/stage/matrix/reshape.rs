//! Changes W, A and RC of a matrix instruction, and the initial values of its
//! factors, as chosen in its picture, in the text.

use crate::store::State;
use lanewise_core::isa::visa::matrix::{MatrixSuffix, MultiplyAdd, Precision};
use lanewise_core::isa::visa::raw_operand::RawOperand;
use lanewise_core::number::{ElementType, low_mask, show};
use lanewise_core::text::SyntaxPart;
use std::ops::Range;

impl State {
    /// Rewrites the current instruction and, where necessary, its declarations:
    /// the types of Dst and Src0 follow the precisions, and variables grow to
    /// cover the registers used.
    pub(crate) fn reshape(&mut self, suffix: MatrixSuffix) {
        let Some((placed, instruction)) = self.written_matrix() else {
            return;
        };
        if instruction.suffix == suffix {
            return;
        }
        let changed = MultiplyAdd {
            suffix,
            ..*instruction
        };
        let mut written = String::new();
        suffix.print(&mut written);
        // From the dot before the precisions.
        let start = placed.spans.of(SyntaxPart::Precision).start as usize - 1;
        let end = placed.spans.of(SyntaxPart::Repeat).end as usize;
        let mut text = self.source.document.text.to_string();
        text.replace_range(start..end, &written);
        let (caret, after) = (start + written.len(), text.len());
        let names = &self.source.document.program.symbols.visa;
        // An undeclared variable has no start address.
        let src2 = instruction.src2;
        let src2 = src2.byte(names).map(|byte| (src2.id, byte));
        let raw = |operand: RawOperand| Some((operand.id, u32::from(operand.offset)));
        let [rows, weights, shared] = changed.shape().map_or([0; 3], |shape| {
            let of_eu0 = changed.supply().map(|supply| supply.counts()[0]);
            let all = shape.src2_bytes().div_ceil(u16::from(shape.grf_bytes()));
            let all = of_eu0.map_or(all, u16::from);
            [
                u16::from(shape.rc()),
                u16::from(shape.src1_registers()),
                all,
            ]
        });
        let grf = names.grf_bytes();
        for (place, (operand, registers)) in [
            (raw(instruction.dst), rows),
            (raw(instruction.src0), rows),
            (raw(instruction.src1), weights),
            (src2, shared),
        ]
        .into_iter()
        .enumerate()
        {
            let Some((id, offset)) = operand else {
                continue;
            };
            let variable = names
                .general(id.0)
                .filter(|v| !v.predefined && v.alias.is_none());
            let Some(variable) = variable else {
                continue;
            };
            // Declarations precede their uses.
            let float = suffix.w.is_float();
            if place < 2 && is_float_sum(variable.ty) != float {
                let ty = if float { "f" } else { "d" };
                redeclare(&mut text, variable.name, " type=", ty);
            }
            let bytes = offset + u32::from(registers) * grf;
            if variable.bytes() < bytes {
                let elements = bytes / u32::from(variable.ty.bytes());
                redeclare(
                    &mut text,
                    variable.name,
                    " num_elts=",
                    &elements.to_string(),
                );
            }
        }
        self.rewrite(&text, caret + text.len() - after);
    }

    /// Replaces the initial values of the factors: B holds 1 everywhere, A holds 1 and
    /// 2 by turns, in the precisions of the current instruction.
    pub(crate) fn fill_factors(&mut self) {
        let Some((_, instruction)) = self.written_matrix() else {
            return;
        };
        let names = &self.source.document.program.symbols.visa;
        let MatrixSuffix { w, a, .. } = instruction.suffix;
        let mut text = self.source.document.text.to_string();
        let mut caret = 0;
        for (id, dword) in [
            (instruction.src1.id, dword(w, [1, 1])),
            (instruction.src2.id, dword(a, [1, 2])),
        ] {
            let Some(variable) = names.general(id.0) else {
                continue;
            };
            let ty = variable.ty;
            let bits = (u64::from(dword) << 32 | u64::from(dword)) & low_mask(ty.bits());
            let value = match ty.is_float() {
                true => show(bits, ty),
                false => format!("{bits:#x}"),
            };
            let line = format!(".init {} = splat({value})\n", variable.name);
            let old = init_lines(&text, variable.name);
            // Without initial values so far, they follow the last directive.
            let start = old
                .first()
                .map_or_else(|| after_directives(&text), |line| line.start);
            for range in old.into_iter().rev() {
                text.replace_range(range, "");
            }
            text.insert_str(start, &line);
            caret = start + line.len() - 1;
        }
        self.rewrite(&text, caret);
    }
}

/// Elements of a dword: these small numbers by turns.
fn dword(precision: Precision, numbers: [u8; 2]) -> u32 {
    let bits = precision.bits();
    let element = |number: u8| match precision {
        Precision::Bf => f32::from(number).to_bits() >> 16,
        // 1 and 2 differ in the exponent only.
        Precision::Hf => 0x3800 + (u32::from(number) << 10),
        Precision::Tf32 => f32::from(number).to_bits(),
        // In s2, 2 is negative.
        _ if bits == 2 => 1,
        _ => number.into(),
    };
    let places = (0..32)
        .step_by(bits.into())
        .zip(numbers.into_iter().cycle());
    places.fold(0, |dword, (place, number)| dword | element(number) << place)
}

/// The `.init` lines of a variable, with their line ends.
fn init_lines(text: &str, name: &str) -> Vec<Range<usize>> {
    let mut at = 0;
    let lines = text.split_inclusive('\n').map(|line| {
        at += line.len();
        (at - line.len()..at, line)
    });
    let is_own = |line: &str| {
        let place = line
            .trim_start()
            .strip_prefix(".init ")
            .map(str::trim_start);
        let place = place.and_then(|place| place.split([' ', '=', '[', '(']).next());
        place.is_some_and(|place| {
            let variable = place.strip_prefix("EU0.").or(place.strip_prefix("EU1."));
            variable.unwrap_or(place) == name
        })
    };
    let own = lines.filter(|(_, line)| is_own(line));
    own.map(|(range, _)| range).collect()
}

/// Start of the first line after all directives.
fn after_directives(text: &str) -> usize {
    let mut at = 0;
    let mut end = 0;
    for line in text.split_inclusive('\n') {
        at += line.len();
        if line.trim_start().starts_with('.') {
            end = at;
        }
    }
    end
}

fn is_float_sum(ty: ElementType) -> bool {
    matches!(ty, ElementType::F | ElementType::Bf | ElementType::Hf)
}

/// Changes an attribute in the declaration of a variable.
fn redeclare(text: &mut String, name: &str, attribute: &str, value: &str) {
    if let Some(range) = declared(text, name, attribute) {
        text.replace_range(range, value);
    }
}

/// Range of an attribute's value in the declaration of a variable.
fn declared(text: &str, name: &str, attribute: &str) -> Option<Range<usize>> {
    let mut at = 0;
    for line in text.split_inclusive('\n') {
        let mut words = line.split_ascii_whitespace();
        if words.next() == Some(".decl") && words.next() == Some(name) {
            let start = line.find(attribute)? + attribute.len();
            let rest = line.get(start..)?;
            let length = rest
                .find(|c: char| c.is_ascii_whitespace())
                .unwrap_or(rest.len());
            return Some(at + start..at + start + length);
        }
        at += line.len();
    }
    None
}
