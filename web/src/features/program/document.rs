use super::line_index::LineIndex;
use lanewise_core::program::Program;
use std::rc::Rc;

/// The text of the editor and what it says, be it with errors.
#[derive(Clone, Debug)]
pub(crate) struct Document {
    pub(crate) text: Rc<str>,
    pub(crate) program: Rc<Program>,
    pub(crate) lines: Rc<LineIndex>,
}

impl Document {
    pub(crate) fn parse(text: Rc<str>) -> Self {
        Self {
            program: Rc::new(Program::parse(&text)),
            lines: Rc::new(LineIndex::new(Rc::clone(&text))),
            text,
        }
    }
}

/// Every edit makes another document.
impl PartialEq for Document {
    fn eq(&self, other: &Self) -> bool {
        Rc::ptr_eq(&self.program, &other.program)
    }
}
