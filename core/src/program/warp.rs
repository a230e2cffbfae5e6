//! Programs of warps: their directives `.lanes`, `.window` and `.sparse`, their labels, and
//! the lines of listings.

use super::{ProgramInstruction, Reader};
use crate::diagnostic::{Span, to_u32};
use crate::isa::sass::op::{SassInstruction, SassLine, is_of_table};
use crate::isa::sass::warp::{AddressWindow, LANES, WINDOW_BYTES};
use crate::isa::{Check, Instruction, OperandSpans, Semantics};
use crate::machine::warp::{Geometry, set_geometry};
use crate::machine::{MAX_THREADS, Machine};
use crate::rules;
use crate::text::Cursor;
use crate::text::SyntaxPart;
use alloc::collections::btree_map::Entry;
use alloc::format;
use alloc::rc::Rc;
use alloc::string::String;

impl Reader<'_> {
    /// `.sparse 0x20000 65536`.
    pub(super) fn read_sparse(&mut self, cursor: &mut Cursor<'_>) {
        let from = cursor.here();
        let range = self.range(from, cursor, ".sparse 0x20000 65536");
        if let Some((start, bytes, _)) = range
            && let Some(more) = bytes.checked_sub(1)
        {
            self.symbols.sass.sparse.push((start, start + more));
        }
    }

    /// `.window shared 0x1000000`.
    pub(super) fn read_window(&mut self, whole: Span, cursor: &mut Cursor<'_>) {
        const EXAMPLE: &str = ".window shared 0x01000000";
        let (word, span) = (cursor.word(), cursor.here());
        let windows = [AddressWindow::Shared, AddressWindow::Local];
        let Some(window) = windows
            .into_iter()
            .find(|w| word.eq_ignore_ascii_case(w.name()))
        else {
            let what = format!("expected `shared` or `local`, found `{word}`");
            let help = format!("write {EXAMPLE}");
            self.out.advise(&rules::DIRECTIVE_SYNTAX, span, what, help);
            return;
        };
        cursor.advance();
        let at = cursor.here();
        let Some(start) = self.number(cursor, "a start address", EXAMPLE) else {
            return;
        };
        self.end_of_line(cursor);
        if start >> 32 != 0 || !start.is_multiple_of(WINDOW_BYTES) {
            let below = start & !(WINDOW_BYTES - 1) & u64::from(u32::MAX);
            let what = format!("{start:#x} is not a valid window base");
            let help = "use a multiple of 0x1000000 below 0x100000000";
            self.out
                .fix(&rules::WINDOW, at, what, help, at, format!("{below:#010x}"));
            return;
        }
        let other = match window {
            AddressWindow::Shared => AddressWindow::Local,
            AddressWindow::Local => AddressWindow::Shared,
        };
        let before = self.windows.contains(&window);
        self.warn_repeated(before, whole, ".window");
        self.windows.push(window);
        self.symbols.sass.set_window(window, start);
        if self.symbols.sass.window(other) == start {
            let what = format!("{start:#x} is already the {} window", other.name());
            self.out.report(&rules::WINDOW, at, what);
        }
    }

    /// `.lanes helper=0x3 killed=0x10 uncovered=0x20`.
    pub(super) fn read_lanes(&mut self, cursor: &mut Cursor<'_>) {
        const EXAMPLE: &str = ".lanes helper=0x3 killed=0x10 uncovered=0x20";
        if cursor.at_end() {
            let what = "expected lane masks";
            let help = format!("write {EXAMPLE}");
            self.out
                .advise(&rules::DIRECTIVE_SYNTAX, cursor.here(), what, help);
        }
        while !cursor.at_end() {
            let (word, span) = (cursor.word(), cursor.here());
            let known = ["helper", "killed", "uncovered"];
            let kind = known
                .iter()
                .position(|kind| kind.eq_ignore_ascii_case(word));
            cursor.advance();
            let Some(kind) = kind.filter(|_| cursor.eat_punct('=').is_some()) else {
                let what = match kind {
                    Some(_) => format!("expected `=` and a mask after `{word}`"),
                    None => format!("expected `helper`, `killed` or `uncovered`, found `{word}`"),
                };
                let help = format!("write {EXAMPLE}");
                self.out.advise(&rules::DIRECTIVE_SYNTAX, span, what, help);
                return;
            };
            let at = cursor.here();
            let Some(mask) = self.number(cursor, "a mask of lanes", EXAMPLE) else {
                return;
            };
            let Ok(mask) = u32::try_from(mask) else {
                let what = format!("mask {mask:#x} exceeds the 32 lanes of a warp");
                self.out.report(&rules::DIRECTIVE_SYNTAX, at, what);
                return;
            };
            let warp = &mut self.symbols.sass;
            let lanes = match kind {
                0 => &mut warp.helper,
                1 => &mut warp.killed,
                _ => &mut warp.uncovered,
            };
            *lanes = mask;
            cursor.eat_punct(',');
        }
    }
}

/// The name in a line that defines a label: `.L_x_3:`, `$f$g:`.
pub(super) fn label(line: &str) -> Option<&str> {
    let name = line.strip_suffix(':')?.trim_end();
    let is_name = |letter: char| letter.is_ascii_alphanumeric() || "_.$@".contains(letter);
    (!name.is_empty() && name.chars().all(is_name)).then_some(name)
}

impl Reader<'_> {
    /// Whether threads are warps whose lanes have program counters of their own: in a
    /// launch, and where the opcode table is used.
    pub(super) fn has_warps(&self) -> bool {
        let mut instructions = self.instructions.iter();
        self.facts().has_lane_registers
            && (self.launch.has_sizes()
                || instructions.any(|placed| matches!(placed.instruction, Instruction::Sass(_))))
    }

    /// Defines a label at the next instruction.
    pub(super) fn define_warp_label(&mut self, name: &str, span: Span) {
        let here = to_u32(self.instructions.len());
        match self.warp_labels.entry(String::from(name)) {
            Entry::Vacant(entry) => {
                entry.insert(here);
            }
            Entry::Occupied(_) => {
                let what = format!("duplicate label `{name}`");
                self.out
                    .advise(&rules::LABEL_TWICE, span, what, "rename one of the labels");
            }
        }
    }

    /// Reads an instruction of the opcode table, and in a launch any other. Returns false
    /// outside a launch for unknown instructions, and for documented ones, which have
    /// definitions of their own on the chips whose encoding is known.
    pub(super) fn read_warp_instruction(&mut self, whole: Span) -> bool {
        let Some(chip) = self.symbols.target.chip() else {
            return false;
        };
        let text = whole.of(self.text);
        let line = SassLine::split(text);
        if !is_of_table(line.mnemonic, chip, self.launch.has_sizes()) {
            return false;
        }
        let order = self.orders.take();
        let mut spans = OperandSpans::new(whole);
        let start = text.find(line.mnemonic).map_or(0, to_u32);
        let end = start + to_u32(line.mnemonic.len());
        let mnemonic = Span::new(whole.start + start, whole.start + end);
        spans.set(SyntaxPart::Opcode, mnemonic);
        match SassInstruction::parse(text, chip) {
            Ok(instruction) => {
                for (part, range) in instruction.operand_ranges(text) {
                    let at = |byte: usize| whole.start + to_u32(byte);
                    spans.set(part, Span::new(at(range.start), at(range.end)));
                }
                let mut check = Check::new(&self.symbols, &spans, &mut self.out).in_program();
                instruction.check(&mut check);
                self.out.keep_first_since(0, &rules::TENSOR_SUMS, 1);
                self.instructions.push(ProgramInstruction {
                    instruction: Instruction::Sass(instruction.into()),
                    spans,
                    line: self.line,
                    order,
                });
            }
            Err(what) => {
                self.out.report(&rules::WARP_OPERANDS, whole, what);
            }
        }
        true
    }

    /// Resolves the labels of all instructions.
    pub(super) fn resolve_warp_labels(&mut self) {
        let (labels, count) = (&self.warp_labels, to_u32(self.instructions.len()));
        // Labels within functions start with `.L`. The first instruction is that of the kernel,
        // which is not called: an address of 0 is a null pointer.
        let functions = labels
            .iter()
            .filter(|(name, at)| !name.starts_with(".L") && **at > 0);
        let functions: Rc<[u32]> = functions.map(|(_, at)| *at).collect();
        for placed in &mut self.instructions {
            let Instruction::Sass(instruction) = &mut placed.instruction else {
                continue;
            };
            // The end of a program is no instruction.
            let position = |name: &str| labels.get(name).copied().filter(|at| *at < count);
            if let Some(missing) = instruction.resolve(position, &functions, count) {
                let what = format!("label `{missing}` is not defined");
                let span = placed.spans.whole();
                self.out.report(&rules::LABEL_UNDEFINED, span, what);
            }
        }
    }

    /// Lets the warps of a program that is not a launch be those of one block.
    pub(super) fn start_warps(&self, threads: u8, machine: &mut Machine) {
        for thread in 0..threads.min(MAX_THREADS) {
            let geometry = Geometry {
                block: [0; 3],
                size: [u32::from(LANES) * u32::from(threads), 1, 1],
                first: u32::from(LANES) * u32::from(thread),
            };
            set_geometry(machine, thread, &geometry);
        }
    }
}
