use crate::features::encoding::view::fields::{letter, operand_hue};
use lanewise_answer::decoding::{EncodedInstruction, SLOT_BITS};
use lanewise_core::bits::Field;
use lanewise_core::isa::EncodingUnit;
use yew::prelude::*;

/// Bytes per row.
const ROW: usize = 4;

/// Picture of the bits: four bytes per row, with the fields below the digits.
/// Hidden from screen readers, which have the field table.
pub(super) fn bit_picture(instruction: &EncodedInstruction, highlighted: &[usize]) -> Html {
    let bytes = &instruction.bytes;
    let (of_word, of_slot) = instruction.own_and_slot_fields();
    let word = BitRows {
        all: &instruction.fields,
        fields: of_word,
        first: 0,
        highlighted,
    };
    let rows = 0..bytes.len().div_ceil(ROW);
    let mut rows: Vec<Html> = match instruction.unit() {
        // In writing order: first byte to last.
        EncodingUnit::Byte => rows
            .map(|row| {
                let end = bytes.len().min(row * ROW + ROW);
                let at: Vec<usize> = (row * ROW..end).collect();
                word.row(&format!("{:02}", row * ROW), &at, bytes)
            })
            .collect(),
        // In writing order: highest bits first.
        EncodingUnit::Word => rows
            .rev()
            .map(|row| {
                let at: Vec<usize> = (row * ROW..row * ROW + ROW).rev().collect();
                word.row(&(row * 32 + 31).to_string(), &at, bytes)
            })
            .collect(),
    };
    if !of_slot.is_empty() {
        let slot = BitRows {
            all: &instruction.fields,
            fields: of_slot,
            first: of_word.len(),
            highlighted,
        };
        let at: Vec<usize> = (0..(SLOT_BITS as usize).div_ceil(8)).rev().collect();
        rows.push(slot.row("ctl", &at, &instruction.slot_bits.to_le_bytes()));
    }
    html! { <div class="bit-picture" aria-hidden="true">{ rows }</div> }
}

/// Maps bits to fields.
struct BitRows<'a> {
    all: &'a [Field],
    fields: &'a [Field],
    /// Index of the first field among all fields.
    first: usize,
    /// Highlighted fields, by index among all fields.
    highlighted: &'a [usize],
}

impl BitRows<'_> {
    /// Field of a bit, by index among these fields.
    fn field(&self, bit: usize) -> Option<usize> {
        let has = |field: &Field| {
            let first = field.first_bit as usize;
            first <= bit && bit < first + field.width as usize
        };
        self.fields.iter().position(has)
    }

    fn is_highlighted(&self, field: Option<usize>) -> bool {
        field.is_some_and(|field| self.highlighted.contains(&(field + self.first)))
    }

    /// Row of bytes, with a box below each run of bits of one field. `at` holds
    /// their indices in `bytes`.
    fn row(&self, name: &str, at: &[usize], bytes: &[u8]) -> Html {
        let digits = at.iter().map(|byte| {
            let value = bytes[*byte];
            html! {
                <span class="bit-byte">
                    { self.digit(*byte, 4, value >> 4) }
                    { self.digit(*byte, 0, value & 15) }
                </span>
            }
        });
        let bits = at
            .iter()
            .flat_map(|byte| (0..8).rev().map(move |bit| byte * 8 + bit));
        let owners: Vec<Option<usize>> = bits.map(|bit| self.field(bit)).collect();
        let boxes = owners
            .chunk_by(|a, b| a == b)
            .map(|run| self.run(run[0], run.len()));
        html! {
            <div class="bit-row">
                <span class="bit-at mono muted">{ name }</span>
                <div class="bit-both">
                    <div class="bit-digits mono">{ for digits }</div>
                    <div class="bit-boxes">{ for boxes }</div>
                </div>
            </div>
        }
    }

    /// Hexadecimal digit: four bits of a byte, from bit `low` up.
    fn digit(&self, byte: usize, low: usize, digit: u8) -> Html {
        let highlighted = (0..4).any(|bit| self.is_highlighted(self.field(byte * 8 + low + bit)));
        html! { <span data-lit={highlighted.then_some("")}>{ format!("{digit:x}") }</span> }
    }

    /// Run of bits of one field.
    fn run(&self, index: Option<usize>, width: usize) -> Html {
        let style = format!("--bits: {width}");
        let Some((index, field)) = index.and_then(|index| Some((index, self.fields.get(index)?)))
        else {
            return html! { <span class="bit-none" ~style={style} /> };
        };
        let highlighted = self.is_highlighted(Some(index)).then_some("");
        let index = index + self.first;
        html! {
            <span
                class="bit-box"
                ~style={style}
                data-hue={operand_hue(self.all, field)}
                data-field={index.to_string()}
                data-lit={highlighted}
                title={field.name}
            >
                { letter(index) }
            </span>
        }
    }
}
