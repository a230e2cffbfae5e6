//! Parses a typed initial value and writes it into the text.

use super::Editor;
use crate::features::state::cells::Notation;
use crate::features::state::flag_word;
use crate::features::state::place::{CellKind, Place};
use crate::store::State;
use lanewise_core::number::{ElementType, low_mask, parse_integer, parse_literal};
use lanewise_core::program::parse_pointer_text;

impl State {
    /// Writes an initial value into the text.
    pub(super) fn write_initial_value(&mut self, typed: &str) {
        let inputs = self.state_inputs();
        let Some((place, kind)) = inputs.chosen() else {
            return;
        };
        if !self.state_view.inspect.is_editing() {
            return;
        }
        if !self.can_run() {
            let why = "Fix the errors in the program before you change an initial value.";
            self.inspect_mut().editor = Editor::Wrong(String::from(why));
            return;
        }
        let typed = typed.trim();
        if typed == inputs.value_in(&self.session.program().start, place, kind) {
            self.inspect_mut().close_editor();
            return;
        }
        let read = self.read_value(typed, place, kind);
        let written = read.and_then(|(cell, bits, spelling)| {
            let program = self.session.program();
            let new = program.with_start(&self.source.document.text, cell, bits, &spelling);
            new.ok_or_else(|| String::from("An .init line cannot express this value."))
        });
        match written {
            Ok(new) => {
                self.inspect_mut().close_editor();
                self.rewrite(&new.text, new.caret);
            }
            Err(why) => self.inspect_mut().editor = Editor::Wrong(why),
        }
    }

    /// Parses the typed text into cell bits and its preferred spelling.
    fn read_value(
        &self,
        typed: &str,
        place: Place,
        kind: CellKind,
    ) -> Result<(lanewise_core::program::Cell, u64, String), String> {
        let program = self.session.program();
        let cell = |address, ty| lanewise_core::program::Cell {
            space: place.space,
            address,
            ty,
        };
        match kind {
            CellKind::Value(Notation { ty, hex }) => {
                // Bits are displayed without a prefix and may be typed that
                // way.
                let bare = hex && typed.bytes().all(|b| b.is_ascii_hexdigit());
                let text = if bare && !typed.is_empty() {
                    format!("0x{typed}")
                } else {
                    String::from(typed)
                };
                match parse_literal(&text, ty) {
                    Ok(bits) => Ok((cell(place.address, ty), bits, text)),
                    Err(why) => Err(format!("“{typed}” as {}: {why}.", ty.name())),
                }
            }
            CellKind::Mask(width) => {
                let text: String = typed.split_ascii_whitespace().collect();
                let bits = parse_integer(&text).ok();
                let fits = bits.filter(|b| *b <= low_mask(width));
                match fits {
                    Some(bits) => Ok((cell(place.address, ElementType::Ud), bits, text)),
                    None => Err(format!(
                        "Enter {width} bits as one number, such as 0xff or 0b101."
                    )),
                }
            }
            CellKind::Bit => {
                let bit = match typed.to_ascii_lowercase().as_str() {
                    "true" | "1" => 1,
                    "false" | "0" => 0,
                    _ => return Err(String::from("Enter true or false.")),
                };
                let (address, lane) = place.bit();
                let mask = u64::from(flag_word(&program.start, place.space, address));
                let mask = mask & !(1 << lane) | bit << lane;
                Ok((cell(address, ElementType::Ud), mask, String::new()))
            }
            CellKind::Pointer => match parse_pointer_text(&program.symbols.visa, typed) {
                Some(bits) => Ok((
                    cell(place.address, ElementType::Ud),
                    u64::from(bits),
                    String::new(),
                )),
                None => Err(String::from(
                    "Enter a register address, such as &V33 or &V33 + 32.",
                )),
            },
        }
    }
}
