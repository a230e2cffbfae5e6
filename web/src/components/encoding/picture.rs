use super::fields::{hue, letter};
use crate::dom::{El, el};
use crate::state::encoding::SLOT_BITS;
use crate::state::encoding::view::View;
use lanewise_core::bits::Field;
use lanewise_core::isa::Family;

/// Bytes of a row.
const ROW: usize = 4;

/// The bits, four bytes a row, with the fields drawn under the digits. All
/// that it says stands in the table of fields too.
pub(super) fn draw(view: &View, fields: &[Field]) -> El {
    let encoding = &view.encoding;
    let bytes = encoding.bytes();
    let own = encoding.fields().len();
    let (of_word, of_slot) = fields.split_at(own.min(fields.len()));
    let picture = el!("div", "class" = "bit-picture", "aria-hidden" = "true");
    let picture = match encoding.family() {
        // As they are written: first to last.
        Family::Visa => (0..bytes.len().div_ceil(ROW)).fold(picture, |picture, row| {
            let end = bytes.len().min(row * ROW + ROW);
            let at: Vec<usize> = (row * ROW..end).collect();
            let bits = Bits::new(of_word, 0, view);
            picture.put(bits.row(format!("{:02}", row * ROW), &at, &bytes))
        }),
        // As the word is written: highest bits first.
        Family::Sass => (0..bytes.len().div_ceil(ROW))
            .rev()
            .fold(picture, |picture, row| {
                let at: Vec<usize> = (row * ROW..row * ROW + ROW).rev().collect();
                let bits = Bits::new(of_word, 0, view);
                picture.put(bits.row((row * 32 + 31).to_string(), &at, &bytes))
            }),
    };
    if of_slot.is_empty() {
        return picture;
    }
    let slot = encoding.slot_bits().to_le_bytes();
    let last = (SLOT_BITS as usize).div_ceil(8);
    let at: Vec<usize> = (0..last).rev().collect();
    let bits = Bits::new(of_slot, own, view);
    picture.put(bits.row("ctl".to_owned(), &at, &slot))
}

/// Which field every bit belongs to.
struct Bits<'a> {
    fields: &'a [Field],
    /// The index of the first of them among all.
    first: usize,
    lit: &'a [usize],
}

impl<'a> Bits<'a> {
    fn new(fields: &'a [Field], first: usize, view: &'a View) -> Self {
        let lit = &view.lit;
        Self { fields, first, lit }
    }

    /// The field of a bit, by its index among these.
    fn field(&self, bit: usize) -> Option<usize> {
        let has = |field: &Field| {
            let first = field.first_bit as usize;
            first <= bit && bit < first + field.width as usize
        };
        self.fields.iter().position(has)
    }

    fn is_lit(&self, field: Option<usize>) -> bool {
        field.is_some_and(|field| self.lit.contains(&(field + self.first)))
    }

    /// Some bytes side by side, and under them a box for every run of bits of
    /// one field.
    fn row(&self, name: String, at: &[usize], bytes: &[u8]) -> El {
        let mut digits = el!("div", "class" = "bit-digits mono");
        let mut boxes = el!("div", "class" = "bit-boxes");
        let mut run: Option<(Option<usize>, u32)> = None;
        for byte in at {
            let value = bytes.get(*byte).copied().unwrap_or(0);
            let nibble = |high: usize, digit: u8| {
                let lit = (0..4).any(|bit| self.is_lit(self.field(byte * 8 + high + bit)));
                let digit = char::from_digit(u32::from(digit), 16).unwrap_or('0');
                el!("span", "data-is" = lit.then_some("lit")).put(digit.to_string())
            };
            let both = el!("span", "class" = "bit-byte")
                .put(nibble(4, value >> 4))
                .put(nibble(0, value & 15));
            digits = digits.put(both);
            for bit in (0..8).rev() {
                let field = self.field(byte * 8 + bit);
                run = Some(match run {
                    Some((before, width)) if before == field => (field, width + 1),
                    Some((before, width)) => {
                        boxes = boxes.put(self.run(before, width));
                        (field, 1)
                    }
                    None => (field, 1),
                });
            }
        }
        if let Some((field, width)) = run {
            boxes = boxes.put(self.run(field, width));
        }
        el!("div", "class" = "bit-row")
            .put(el!("span", "class" = "bit-at mono muted").put(name))
            .put(el!("div", "class" = "bit-both").put(digits).put(boxes))
    }

    fn run(&self, index: Option<usize>, width: u32) -> El {
        let style = format!("--bits: {width}");
        let field = index.and_then(|index| self.fields.get(index));
        let (Some(index), Some(field)) = (index, field) else {
            return el!("span", "class" = "bit-none", "style" = style);
        };
        let index = index + self.first;
        el!(
            "span",
            "class" = "bit-box",
            "style" = style,
            "data-hue" = hue(field),
            "data-field" = index.to_string(),
            "data-is" = self.lit.contains(&index).then_some("lit"),
            "title" = field.name
        )
        .put(letter(index).to_string())
    }
}
