//! What the pane of the encoding shows.

use super::edit::Draft;
use super::{EditedPart, Encoding, EncodingView, same_part};
use crate::features::program::{Problem, Source};
use lanewise_core::bits::Field;
use lanewise_core::diagnostic::to_u32;
use lanewise_core::program::ProgramInstruction;
use lanewise_core::session::Session;
use std::rc::Rc;

/// What was typed, and the messages about it.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Typed {
    pub(crate) place: EditedPart,
    pub(crate) text: Rc<str>,
    pub(crate) wrong: Option<Rc<str>>,
    pub(crate) remark: Option<Rc<str>>,
    pub(crate) problems: Rc<[Problem]>,
    pub(crate) declare: Rc<[String]>,
    /// Whether it encodes nothing that can be written.
    pub(crate) is_wrong: bool,
}

impl Typed {
    fn of(draft: &Draft) -> Self {
        Self {
            place: draft.place,
            text: Rc::clone(&draft.typed),
            wrong: draft.wrong.clone(),
            remark: draft.remark.clone(),
            problems: Rc::clone(&draft.problems),
            declare: Rc::clone(&draft.declare),
            is_wrong: draft.is_wrong(),
        }
    }
}

/// The pane: the instruction, what lights up, what was typed.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct View {
    pub(crate) encoding: Encoding,
    pub(crate) lit: Vec<usize>,
    pub(crate) typed: Option<Typed>,
}

/// All that the pane shows is made of.
#[derive(Clone, Copy)]
pub(crate) struct EncodingInputs<'s> {
    pub(crate) encoding: &'s EncodingView,
    pub(crate) session: &'s Session,
    pub(crate) source: &'s Source,
}

impl<'s> EncodingInputs<'s> {
    /// What the pane shows; nothing without an instruction.
    pub(crate) fn view(self) -> Option<View> {
        Some(View {
            encoding: self.encoding()?,
            lit: self.lit_fields(),
            typed: self.draft().map(Typed::of),
        })
    }

    /// The encoding of the current instruction.
    pub(super) fn encoding(self) -> Option<Encoding> {
        if let Some((_, encoding)) = self.written_at_hand() {
            return Some(encoding);
        }
        if let Some((instruction, range)) = self.draft().and_then(|draft| draft.instruction) {
            return Some(Encoding {
                program: Rc::clone(&self.source.document.program),
                instruction,
                range: Some(range),
            });
        }
        let index = self.session.current_instruction()?;
        let program = self.session.shared_program();
        let placed = program.instructions.get(index)?;
        Some(Encoding {
            instruction: placed.instruction,
            range: None,
            program: Rc::clone(&program),
        })
    }

    /// The current instruction as the text has it; nothing where errors leave
    /// it open which that is.
    pub(super) fn written_at_hand(self) -> Option<(&'s ProgramInstruction, Encoding)> {
        let index = self.session.current_instruction()?;
        let program = &self.source.document.program;
        let before = self.session.program().instructions.len();
        let placed = program.instructions.get(index)?;
        if program.instructions.len() != before {
            return None;
        }
        let span = placed.spans.whole();
        let encoding = Encoding {
            program: Rc::clone(program),
            instruction: placed.instruction,
            range: Some((span.start as usize, span.end as usize)),
        };
        Some((placed, encoding))
    }

    /// What was typed, as long as it counts.
    pub(super) fn draft(self) -> Option<&'s Draft> {
        let draft = self.encoding.draft.as_ref()?;
        let is_here = self.session.current_instruction() == Some(draft.index);
        (is_here && Rc::ptr_eq(&draft.text, &self.source.document.text)).then_some(draft)
    }

    /// Where the text is to be lit, in UTF-16 units: the part that the field
    /// under the pointer or the focus belongs to.
    pub(super) fn lit(self) -> Option<(u32, u32)> {
        let (placed, encoding) = self.written_at_hand()?;
        let part = encoding.all_fields().get(self.encoding.field?)?.part;
        let span = placed.spans.find(part)?;
        let lines = &self.source.document.lines;
        Some((
            lines.utf16(span.start as usize),
            lines.utf16(span.end as usize),
        ))
    }

    /// Which fields are lit: the one under the pointer or the focus, or those
    /// that the place in the text belongs to.
    pub(super) fn lit_fields(self) -> Vec<usize> {
        match self.encoding.field {
            Some(field) => vec![field],
            None => self.pointed_fields().unwrap_or_default(),
        }
    }

    fn pointed_fields(self) -> Option<Vec<usize>> {
        let place = self.encoding.pointed?;
        let (placed, encoding) = self.written_at_hand()?;
        let byte = to_u32(self.source.document.lines.byte(place));
        let part = placed.spans.at(byte)?;
        let fields = encoding.all_fields();
        let is_lit = |(_, field): &(usize, &Field)| same_part(part, field.part, &fields);
        let lit = fields.iter().enumerate().filter(is_lit);
        Some(lit.map(|(index, _)| index).collect())
    }
}
