//! Listings of nvdisasm and cuobjdump.
//!
//! An instruction line has the address in a comment, the text, and optionally the
//! word in a second comment. A line with only a word is the control word of the
//! next three instructions.

use super::{decode, decoded_chip};
use crate::text::cut;
use crate::{Content, FileError, FileKind, Function, Item, MAX_FUNCTIONS, MAX_INSTRUCTIONS};
use crate::{MAX_NAME, OpenedFile, assumed_target, functions_note, limit};
use lanewise_core::diagnostic::Diagnostics;
use lanewise_core::isa::sass::chip::Chip;
use lanewise_core::isa::sass::schedule::Schedule;
use lanewise_core::isa::sass::schedule::{ControlWord, SLOTS};
use lanewise_core::isa::{Instruction, Target};
use lanewise_core::program::Assembler;

#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Line<'t> {
    pub(super) address: Option<usize>,
    pub(super) code: &'t str,
    pub(super) word: Option<u64>,
}

pub(crate) fn recognises(text: &str) -> bool {
    text.lines().any(|line| {
        let read = read_line(line);
        read.word.is_some()
            || read.address.is_some() && !read.code.is_empty()
            || function_name(line).is_some()
    })
}

/// Opens a listing; `chip` is its chip if it does not name it.
pub(crate) fn open(text: &str, chip: Option<Chip>) -> Result<OpenedFile, FileError> {
    let sm = compute_capability(text);
    let found = sm.and_then(decoded_chip);
    let mut notes = Vec::new();
    let assumed = Target::Sass(chip.unwrap_or_default());
    match (sm, found) {
        (None, _) if chip.is_none() => notes.push(assumed_target("listing", assumed)),
        (None, _) => {}
        (Some(sm), None) => notes.push(format!("compiled for SM{sm}; SM50 to SM62 are supported")),
        (Some(_), Some(_)) => {}
    }
    let target = found.map_or(assumed, Target::Sass);
    let mut reader = Reader {
        target,
        assembler: Assembler::new(target, []).expect("there are no declarations"),
        functions: Vec::new(),
        slots: None,
        in_data: false,
        word_follows: None,
        limit: MAX_INSTRUCTIONS,
        left_out: false,
    };
    for line in text.lines() {
        reader.read(line);
    }
    if reader.functions.iter().all(|f| f.items.is_empty()) {
        return Err(FileError::new(
            0,
            "the listing does not contain instructions",
        ));
    }
    reader
        .functions
        .retain(|f| !f.items.is_empty() || !f.notes.is_empty());
    if reader.left_out {
        notes.push(functions_note());
    }
    Ok(OpenedFile {
        kind: FileKind::SassListing,
        functions: reader.functions,
        notes,
    })
}

struct Reader {
    target: Target,
    assembler: Assembler,
    functions: Vec<Function>,
    /// Schedules of the next instructions, in order.
    slots: Option<std::array::IntoIter<Schedule, SLOTS>>,
    /// Whether the current section contains data.
    in_data: bool,
    /// Schedule of the last instruction if its word is on the next line; nvdisasm
    /// breaks the line after the brace that closes a pair.
    word_follows: Option<Option<Schedule>>,
    /// Maximum number of instructions of the current function.
    limit: usize,
    /// Whether functions were omitted.
    left_out: bool,
}

impl Reader {
    fn begin(&mut self, name: &str) {
        let name = cut(name, MAX_NAME);
        self.limit = limit(&self.functions);
        self.slots = None;
        self.functions.push(Function {
            name: name.into_owned(),
            target: self.target,
            declarations: Vec::new(),
            items: Vec::new(),
            notes: Vec::new(),
        });
    }

    /// Whether the current function has reached its limit.
    fn is_full(&mut self) -> bool {
        let Some(function) = self.functions.last_mut() else {
            return false;
        };
        let is_full = function.items.len() >= self.limit;
        if is_full && function.notes.is_empty() {
            function.cut_off(self.limit);
        }
        is_full
    }

    fn read(&mut self, text: &str) {
        if let Some(name) = function_name(text) {
            self.in_data = false;
            // nvdisasm names a section twice: in `.section` and as a label.
            let known = self.functions.last().is_some_and(|f| f.name == name);
            if !known && self.functions.len() == MAX_FUNCTIONS {
                self.left_out = true;
            } else if !known {
                self.begin(name);
            }
            return;
        }
        let directive = text.split_whitespace().next();
        self.in_data |= directive == Some(".section");
        if self.in_data || self.left_out || self.is_full() {
            return;
        }
        let line = read_line(text);
        let label = line.code.strip_suffix(':').filter(|l| l.starts_with('.'));
        let is_directive = line.code.starts_with('.') && label.is_none();
        if is_directive {
            return;
        }
        if line.code.is_empty() {
            if let Some(word) = line.word {
                self.read_word(word);
            }
            return;
        }
        let is_instruction = line.address.is_some()
            || line.word.is_some()
            || text.trim_end().ends_with(';')
            || is_own(line.code, self.target);
        if label.is_none() && !is_instruction {
            return;
        }
        if self.functions.is_empty() {
            self.begin("code");
        }
        let slot = match label {
            Some(_) => None,
            None => self.slots.as_mut().and_then(Iterator::next),
        };
        let broken = line.word.is_none() && text.trim_end().ends_with('}');
        self.word_follows = broken.then_some(slot);
        let content = match label {
            Some(label) => Content::Label(label.to_owned()),
            None => self.content(&line, slot),
        };
        let function = self.functions.last_mut().expect("one was begun");
        function.items.push(Item {
            offset: line.address.unwrap_or(0),
            bytes: line
                .word
                .map_or_else(Vec::new, |w| w.to_le_bytes().to_vec()),
            content,
        });
    }

    /// Handles a line with only a word: the word of the previous instruction, or
    /// the control word of the next three.
    fn read_word(&mut self, word: u64) {
        let last = self.functions.last_mut().and_then(|f| f.items.last_mut());
        if let (Some(slot), Some(item)) = (self.word_follows.take(), last) {
            item.bytes = word.to_le_bytes().to_vec();
            if let Some(content) = decode(&mut self.assembler, word.to_le_bytes(), slot) {
                item.content = content;
            }
            return;
        }
        let control = ControlWord::decode(&word.to_le_bytes(), &mut Diagnostics::new());
        self.slots = control.map(|c| c.slots.into_iter());
    }

    fn content(&mut self, line: &Line<'_>, slot: Option<Schedule>) -> Content {
        if let Some(word) = line.word
            && let Some(content) = decode(&mut self.assembler, word.to_le_bytes(), slot)
        {
            return content;
        }
        if line.word.is_some() || !is_own(line.code, self.target) {
            return Content::Other(line.code.to_owned());
        }
        match self.assembler.assemble(line.code) {
            Ok(read) => {
                let warnings = read.diagnostics.iter().map(|d| d.message()).collect();
                Content::Instruction {
                    text: line.code.to_owned(),
                    warnings,
                }
            }
            Err(diagnostics) => {
                let error = diagnostics.iter().find(|d| d.is_error());
                Content::Incomplete {
                    text: line.code.to_owned(),
                    reason: error.map_or_else(String::new, |d| d.message()),
                }
            }
        }
    }
}

/// Whether a line starts with a supported mnemonic, after an optional guard.
fn is_own(code: &str, target: Target) -> bool {
    let mut words = code.split_whitespace();
    let first = words.next().unwrap_or("");
    let word = if first.starts_with('@') {
        words.next().unwrap_or("")
    } else {
        first
    };
    let mnemonic = word.split('.').next().unwrap_or("");
    Instruction::named(target.family(), mnemonic).is_some()
}

/// Name of the function that starts at a line: `Function : NAME` (cuobjdump),
/// `.section .text.NAME,…` or `.text.NAME:` (nvdisasm).
pub(super) fn function_name(line: &str) -> Option<&str> {
    // nvdisasm -plr appends the live ranges of registers.
    let line = line.split("//").next().unwrap_or("").trim();
    if let Some(name) = line.strip_prefix("Function :") {
        return Some(name.trim());
    }
    if let Some(name) = line.strip_prefix(".text.") {
        return name.strip_suffix(':');
    }
    let section = line.strip_prefix(".section")?.trim_start();
    let name = section.trim_start_matches('"').strip_prefix(".text.")?;
    name.split([',', '"', '\t', ' ']).next()
}

/// Compute capability in a listing, such as `EF_CUDA_SM52` or `sm_52`.
pub(super) fn compute_capability(text: &str) -> Option<u8> {
    ["EF_CUDA_SM", "sm_", "SM_"].iter().find_map(|prefix| {
        text.match_indices(prefix).find_map(|(at, _)| {
            let rest = &text[at + prefix.len()..];
            let end = rest
                .find(|c: char| !c.is_ascii_digit())
                .unwrap_or(rest.len());
            rest[..end].parse().ok()
        })
    })
}

/// Splits a line. `//` and `#` also start a comment.
pub(super) fn read_line(line: &str) -> Line<'_> {
    let mut read = Line::default();
    let mut rest = line;
    let mut code = "";
    while let Some((before, comment)) = rest.split_once("/*") {
        // `/*/` does not close the comment that it opens.
        let Some((comment, after)) = comment.split_once("*/") else {
            break;
        };
        let before = before.trim();
        if !before.is_empty() && code.is_empty() {
            code = before;
        }
        let comment = comment.trim();
        if let Some(word) = word(comment) {
            read.word = Some(word);
        } else if code.is_empty() && read.address.is_none() {
            read.address = usize::from_str_radix(comment, 16).ok();
        }
        rest = after;
    }
    if code.is_empty() {
        code = rest.trim();
    }
    let code = code.split("//").next().unwrap_or("");
    let code = code.split('#').next().unwrap_or("").trim();
    // Braces enclose two instructions that are issued together.
    let code = code.trim_start_matches('{').trim_end_matches('}');
    read.code = code.trim().trim_end_matches(';').trim();
    read
}

/// Parses a 64-bit word: `0x` and 16 digits.
fn word(comment: &str) -> Option<u64> {
    let digits = comment.strip_prefix("0x")?;
    (digits.len() == 16).then_some(())?;
    u64::from_str_radix(digits, 16).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_of_both_tools_are_parsed() {
        let line =
            "        /*0008*/                   MOV R1, c[0x0][0x20] ;   /* 0x4c98078000870001 */";
        let read = read_line(line);
        assert_eq!(read.address, Some(8));
        assert_eq!(read.code, "MOV R1, c[0x0][0x20]");
        assert_eq!(read.word, Some(0x4c98_0780_0087_0001));
        let control = read_line("                              /* 0x001c4400fe0007f6 */");
        assert_eq!(
            (control.code, control.word),
            ("", Some(0x001c_4400_fe00_07f6))
        );
        // Found by fuzzing: a comment that closes where it opens.
        assert_eq!(read_line("/*/").word, None);
        assert_eq!(read_line("/*0008*/ NOP ; /*/").code, "NOP ; /*/");
        let dual = read_line("    /*0010*/   {         RED.E.ADD [R2], R0  ;");
        assert_eq!(dual.code, "RED.E.ADD [R2], R0");
    }

    #[test]
    fn functions_and_chips_are_found() {
        assert_eq!(function_name("\t\tFunction : add"), Some("add"));
        assert_eq!(function_name(".text._Z3addPi:"), Some("_Z3addPi"));
        let section = ".section\t.text._Z3addPi,\"ax\",@progbits";
        assert_eq!(function_name(section), Some("_Z3addPi"));
        let lives = ".text.add:        // |  1 ^ : |";
        assert_eq!(function_name(lives), Some("add"));
        assert_eq!(function_name(".sectioninfo @\"SHI_REGISTERS=4\""), None);
        assert_eq!(
            compute_capability("EF_CUDA_SM52 EF_CUDA_VIRTUAL_SM(x)"),
            Some(52)
        );
        assert_eq!(compute_capability("code for sm_61"), Some(61));
        assert_eq!(compute_capability("nothing"), None);
    }
}
