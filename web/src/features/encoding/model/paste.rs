//! Pasted bytes: decoded, shown, and inserted into the program.

use crate::features::program::Document;
use crate::store::State;
use lanewise_answer::decoding::{PasteResult, find};
use lanewise_core::isa::{Family, Style, SymbolTable, Target};
use std::rc::Rc;

#[derive(Clone, Debug, Default)]
pub(crate) struct Pasted {
    /// Selected family; `None` for that of the program.
    pub(in crate::features::encoding) family: Option<Family>,
    pub(in crate::features::encoding) typed: Rc<str>,
    /// Line of the insertion, from 1, and the resulting text.
    pub(in crate::features::encoding) inserted: Option<(usize, Rc<str>)>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct PasteForm {
    pub(crate) family: Family,
    pub(crate) typed: Rc<str>,
    pub(crate) found: PasteResult,
    /// Line of the insertion, from 1, until the text is edited.
    pub(crate) inserted: Option<usize>,
    /// Why the instructions cannot be inserted; empty if they can.
    pub(crate) refused: String,
}

impl PasteForm {
    /// Decodes pasted bytes in the context of a program.
    pub(crate) fn of(pasted: &Pasted, document: &Document) -> Self {
        let Document { program, text, .. } = document;
        let own = program.symbols.target.family();
        let family = pasted.family.unwrap_or(own);
        let other;
        let names = if family == own {
            &program.symbols
        } else {
            other = SymbolTable::new(Target::widest_of(family));
            &other
        };
        let written = program.instructions.first();
        let style = written.map_or(Style::Assembler, |placed| {
            let spec = placed.instruction.spec();
            spec.style_of(placed.spans.whole().of(text))
        });
        let found = find(&pasted.typed, names, style);
        let any = found.items.iter().any(|i| i.instruction.is_some());
        let refused = match any {
            false => String::from("There are no instructions to insert."),
            true if family == own => String::new(),
            true => format!(
                "The program is {}, but these are {} instructions.",
                own.facts().title,
                family.facts().title
            ),
        };
        let inserted = pasted.inserted.as_ref();
        Self {
            family,
            typed: Rc::clone(&pasted.typed),
            found,
            inserted: inserted
                .filter(|(_, then)| then == text)
                .map(|(line, _)| *line),
            refused,
        }
    }
}

impl State {
    /// Inserts the pasted instructions after the current one, or at the end.
    pub(crate) fn insert_pasted_instructions(&mut self) {
        let (session, document) = (&self.session, &self.source.document);
        let form = PasteForm::of(&self.encoding.pasted, document);
        if !form.refused.is_empty() || self.is_read_only() {
            return;
        }
        let current = self.encoding.encoded_instruction(session, document);
        let range = current.and_then(|current| current.range);
        let text = self.text();
        let (inserted, line) = form.found.insert_into(&text, range.map(|(_, end)| end));
        self.rewrite(&inserted.text, inserted.caret);
        self.encoding.pasted.inserted = Some((line, self.text()));
    }
}
