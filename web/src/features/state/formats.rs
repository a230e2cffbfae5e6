//! How the panes of the state show their values, as a browser keeps it.

use super::RegisterFormat;
use crate::features::state::memory::{MemoryFormat, MemoryView};
use crate::store::State;
use lanewise_core::number::ElementType;

/// The type of a memory pane that follows the instructions.
const AS_USED: &str = "used";

/// The suffix of a type whose bits are shown.
const HEX: &str = "/x";

impl State {
    /// The formats that a reader chose: that of registers, and of each memory
    /// pane its type and base. Nothing where all are as at first.
    pub(crate) fn formats(&self) -> Option<String> {
        let first = |view: &MemoryView| view.format == MemoryFormat::DECLARED;
        let all = self.panes.memories.iter().all(first);
        let chosen = !all || self.panes.register_format != RegisterFormat::Declared;
        chosen.then(|| self.formats_text())
    }

    fn formats_text(&self) -> String {
        let register = RegisterFormat::ALL
            .iter()
            .position(|f| *f == self.panes.register_format)
            .unwrap_or(0);
        let mut text = register.to_string();
        for view in &self.panes.memories {
            text.push(' ');
            text.push_str(view.format.ty.map_or(AS_USED, ElementType::name));
            if view.format.hex {
                text.push_str(HEX);
            }
        }
        text
    }

    /// Takes what an earlier visit left; what is no format is left out.
    pub(crate) fn take_formats(&mut self, text: &str) {
        let mut words = text.split(' ');
        let register = words.next().and_then(|word| word.parse::<usize>().ok());
        if let Some(format) = register.and_then(|index| RegisterFormat::ALL.get(index)) {
            self.panes.register_format = *format;
        }
        for (view, word) in self.panes.memories.iter_mut().zip(words) {
            let (ty, hex) = match word.strip_suffix(HEX) {
                Some(ty) => (ty, true),
                None => (word, false),
            };
            let ty = ElementType::named(ty);
            view.format = MemoryFormat { ty, hex };
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::features::program::ProgramAction;
    use crate::features::state::StateAction;
    use crate::features::state::memory::MemoryAction;
    use crate::features::state::memory::MemoryFormat;
    use crate::features::state::{RegisterFormat, Tab};
    use crate::store::{Action, Saved, State};
    use lanewise_core::number::ElementType;

    #[test]
    fn what_was_chosen_comes_back_and_follows_no_scenario() {
        let mut state = State::new(Saved::default());
        assert_eq!(state.formats(), None);
        state.apply(Action::State(StateAction::RegisterFormat(
            RegisterFormat::Half,
        )));
        let show = |tab, ty, hex| {
            Action::State(StateAction::Memory(
                tab,
                MemoryAction::Format(MemoryFormat { ty, hex }),
            ))
        };
        state.apply(show(Tab::Local, Some(ElementType::Hf), false));
        state.apply(show(Tab::Surfaces, None, true));
        let kept = state.formats();
        assert!(kept.is_some());
        let saved = Saved {
            formats: kept.clone(),
            ..Saved::default()
        };
        let mut again = State::new(saved);
        assert_eq!(again.formats(), kept);
        again.apply(Action::Program(ProgramAction::Choose("lock".to_owned())));
        let ty = |state: &State| state.memory(Tab::Local).unwrap().view.notation().ty;
        assert_eq!(ty(&again), ElementType::Hf);
        again.apply(show(Tab::Local, None, false));
        assert_eq!(ty(&again), ElementType::Ud);
    }

    #[test]
    fn a_broken_store_harms_nothing() {
        for text in ["", "99", "x y z", "1 2 3 4 5 6", "0 uq/x/x hf"] {
            let saved = Saved {
                formats: Some(text.to_owned()),
                ..Saved::default()
            };
            assert!(State::new(saved).can_run());
        }
    }
}
