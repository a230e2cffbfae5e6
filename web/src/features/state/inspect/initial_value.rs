//! Parses a typed initial value and writes it into the text.

use super::Editor;
use crate::store::State;
use lanewise_answer::grids::{CellKind, Place};
use lanewise_answer::notation::Notation;
use lanewise_core::number::{ElementType, low_mask, parse_integer, parse_literal};
use lanewise_core::program::{Cell, Program, parse_pointer_text};
use lanewise_core::text::Rewritten;
use std::rc::Rc;

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
        let program = self.session.program();
        let grids = inputs.grids();
        if typed == grids.value_in(grids.start_of(place), place, kind) {
            self.inspect_mut().editor = Editor::Closed;
            return;
        }
        match rewritten(program, &self.source.document.text, typed, place, kind) {
            Ok(new) => {
                self.inspect_mut().editor = Editor::Closed;
                self.rewrite(&new.text, new.caret);
            }
            Err(why) => self.inspect_mut().editor = Editor::Wrong(why),
        }
    }

    /// Writes a list of initial values into the text; nothing if one of them is
    /// invalid.
    pub(super) fn fill_cells(&mut self, places: &[Place], values: &[String]) {
        if !self.state_view.inspect.is_editing() || !self.can_run() {
            return;
        }
        let filled = match (values.len(), places.len()) {
            (count, _) if count > MAX_FILLED => Err(format!(
                "Paste at most {MAX_FILLED} values; the list has {count}."
            )),
            (count, cells) if count > cells => Err(format!(
                "The list has {count} values, but only {cells} cells follow."
            )),
            _ => self.filled(places, values),
        };
        match filled {
            Ok(Some(new)) => {
                self.inspect_mut().editor = Editor::Closed;
                self.rewrite(&new.text, new.caret);
            }
            Ok(None) => {}
            Err(why) => self.inspect_mut().editor = Editor::Wrong(why),
        }
    }

    fn filled(&self, places: &[Place], values: &[String]) -> Result<Option<Rewritten>, String> {
        let grids = self.grids();
        let mut program = self.session.shared_program();
        let mut last: Option<Rewritten> = None;
        for (number, (place, typed)) in (1..).zip(places.iter().zip(values)) {
            let cell = grids.cell_at(*place);
            let (place, kind) = cell.expect("the grid shows the cell");
            let text = match &last {
                Some(new) => &new.text,
                None => &*self.source.document.text,
            };
            let new = rewritten(&program, text, typed, place, kind);
            let new = new.map_err(|why| format!("Value {number} of the list: {why}"))?;
            program = Rc::new(Program::parse(&new.text));
            last = Some(new);
        }
        Ok(last)
    }
}

/// Maximum number of cells filled at once.
const MAX_FILLED: usize = 256;

/// The text of a program with another initial value of a cell.
fn rewritten(
    program: &Program,
    text: &str,
    typed: &str,
    place: Place,
    kind: CellKind,
) -> Result<Rewritten, String> {
    let (cell, bits, spelling) = read_value(program, typed, place, kind)?;
    let new = program.with_start(text, cell, bits, &spelling);
    new.ok_or_else(|| String::from("An .init line cannot express this value."))
}

/// Parses the typed text into cell bits and its preferred spelling.
fn read_value(
    program: &Program,
    typed: &str,
    place: Place,
    kind: CellKind,
) -> Result<(Cell, u64, String), String> {
    let space = place.space;
    let cell = |address, ty| Cell { space, address, ty };
    let dword = |address| cell(address, ElementType::Ud);
    match kind {
        CellKind::Value(Notation { ty, hex }) => {
            // Bits may be typed without the prefix.
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
                Some(bits) => Ok((dword(place.address), bits, text)),
                None => Err(format!(
                    "Enter {width} bits as one number, such as 0xff or 0b101."
                )),
            }
        }
        CellKind::Bit => {
            let bit = match typed.to_ascii_lowercase().as_str() {
                "true" | "1" => 1,
                "false" | "0" => 0,
                _ => return Err(String::from("Enter 0 or 1.")),
            };
            let (address, lane) = place.bit();
            let mask = u64::from(program.start.flag_word(place.space, address));
            let mask = mask & !(1 << lane) | bit << lane;
            Ok((dword(address), mask, String::new()))
        }
        CellKind::Pointer => match parse_pointer_text(&program.symbols.visa, typed) {
            Some(bits) => Ok((dword(place.address), bits.into(), String::new())),
            None => Err(String::from(
                "Enter a register address, such as &V33 or &V33 + 32.",
            )),
        },
    }
}
