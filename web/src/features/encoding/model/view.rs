//! What the pane of the encoding shows.

use super::{Encoding, Place};
use crate::features::encoding::model::edit::Draft;
use crate::features::program::Problem;
use crate::store::State;
use std::rc::Rc;

/// What was typed, and the messages about it.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Typed {
    pub(crate) place: Place,
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
    /// Whether it has been copied, or could not be.
    pub(crate) copied: Option<bool>,
}

impl State {
    /// What the pane of the encoding shows; nothing without an instruction.
    pub(crate) fn encoding_view(&self) -> Option<View> {
        let encoding = self.encoding()?;
        let copied = self.encoding.copied.as_ref();
        let copied = copied.filter(|(copied, _)| *copied == encoding);
        Some(View {
            copied: copied.map(|(_, is)| *is),
            encoding,
            lit: self.lit_fields(),
            typed: self.draft().map(Typed::of),
        })
    }
}
