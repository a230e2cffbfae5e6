//! Groups of SASS code: a control word and the three instructions that it
//! schedules.

use super::Assembler;
use crate::diagnostic::{Diagnostic, Diagnostics, Severity};
use crate::isa::Style;
use crate::isa::sass::control::{Control, GROUP_BYTES, SLOTS};
use alloc::string::String;
use alloc::vec::Vec;

/// A group assembled from text.
#[derive(Debug)]
pub struct AssembledGroup {
    /// The control word, then the instructions, each little-endian.
    pub bytes: [u8; GROUP_BYTES],
    /// Warnings and notes, each with the index of the line it lies in.
    pub diagnostics: Vec<(usize, Diagnostic)>,
}

/// A group read back.
#[derive(Debug)]
pub struct DisassembledGroup {
    /// The instructions with their scheduling.
    pub texts: Vec<String>,
    /// Warnings and notes; spans are byte ranges of the group.
    pub diagnostics: Vec<Diagnostic>,
}

impl Assembler {
    /// Assembles the three lines of a group. A line that says nothing of its
    /// scheduling has no barriers, no hint and no stall.
    ///
    /// # Errors
    /// The diagnostics with the lines they lie in, when one is an error.
    pub fn assemble_group(
        &mut self,
        lines: [&str; SLOTS],
    ) -> Result<AssembledGroup, Vec<(usize, Diagnostic)>> {
        let mut control = Control::default();
        let mut words = Vec::new();
        let mut diagnostics = Vec::new();
        for (i, (line, slot)) in lines.into_iter().zip(&mut control.slots).enumerate() {
            if let Ok(instruction) = self.read_line(line) {
                *slot = instruction.schedule().unwrap_or_default();
                words.extend_from_slice(instruction.encode().bytes());
            }
            diagnostics.extend(self.diagnostics().iter().map(|d| (i, d.clone())));
        }
        if is_refused(diagnostics.iter().map(|(_, d)| d)) {
            return Err(diagnostics);
        }
        let mut bytes = [0; GROUP_BYTES];
        let all = control.encode().into_iter().chain(words);
        for (to, from) in bytes.iter_mut().zip(all) {
            *to = from;
        }
        Ok(AssembledGroup { bytes, diagnostics })
    }

    /// Reads a group.
    ///
    /// # Errors
    /// The diagnostics, when the control word or an instruction has no
    /// reading.
    pub fn disassemble_group(
        &mut self,
        bytes: &[u8; GROUP_BYTES],
        style: Style,
    ) -> Result<DisassembledGroup, Vec<Diagnostic>> {
        let mut out = Diagnostics::new();
        let control = Control::decode(bytes, &mut out);
        let mut diagnostics = out.into_vec();
        let slots = control.unwrap_or_default().slots;
        let mut texts = Vec::new();
        let (words, _) = bytes.as_chunks::<8>();
        for (i, (word, slot)) in (1..).zip(words.iter().skip(1).zip(slots)) {
            let place = |d: &Diagnostic| {
                let mut placed = d.clone();
                placed.span.start += 8 * i;
                placed.span.end += 8 * i;
                placed
            };
            match self.disassemble(word, style) {
                Ok(read) => {
                    diagnostics.extend(read.diagnostics.iter().map(place));
                    let mut instruction = read.instruction;
                    instruction.set_schedule(Some(slot));
                    texts.push(instruction.text(self.symbols(), style));
                }
                Err(refused) => diagnostics.extend(refused.iter().map(place)),
            }
        }
        if is_refused(&diagnostics) {
            return Err(diagnostics);
        }
        Ok(DisassembledGroup { texts, diagnostics })
    }
}

fn is_refused<'d>(diagnostics: impl IntoIterator<Item = &'d Diagnostic>) -> bool {
    let mut severities = diagnostics.into_iter().map(Diagnostic::severity);
    severities.any(|s| s == Severity::Error)
}
