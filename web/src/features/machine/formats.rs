//! How the panes of the state show their values, as a browser keeps it.

use super::RegisterFormat;
use crate::features::machine::memory::{MemoryFormat, MemoryView};
use crate::store::State;
use lanewise_saved::Formats;

impl State {
    /// The formats that a reader chose: that of registers, and of each memory
    /// pane. Nothing where all are as at first.
    pub(crate) fn formats(&self) -> Option<Formats> {
        let first = |view: &MemoryView| view.format == MemoryFormat::DECLARED;
        let all = self.panes.memories.iter().all(first);
        let chosen = !all || self.panes.register_format != RegisterFormat::Declared;
        let [slm, svm, surfaces] = self
            .panes
            .memories
            .map(|view| lanewise_saved::MemoryFormat {
                ty: String::from(view.format.type_name()),
                hex: view.format.hex,
            });
        chosen.then(|| Formats {
            registers: String::from(self.panes.register_format.key()),
            slm,
            svm,
            surfaces,
        })
    }

    /// Takes what an earlier visit left; what is no format is left out.
    pub(crate) fn restore_formats(&mut self, formats: &Formats) {
        if let Some(format) = RegisterFormat::of_key(&formats.registers) {
            self.panes.register_format = format;
        }
        let kept = [&formats.slm, &formats.svm, &formats.surfaces];
        for (view, kept) in self.panes.memories.iter_mut().zip(kept) {
            if let Some(ty) = MemoryFormat::named_type(&kept.ty) {
                view.format = MemoryFormat { ty, hex: kept.hex };
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::features::machine::MachineAction;
    use crate::features::machine::memory::MemoryAction;
    use crate::features::machine::memory::MemoryFormat;
    use crate::features::machine::{RegisterFormat, Tab};
    use crate::features::program::ProgramAction;
    use crate::store::{Action, Saved, State};
    use lanewise_core::number::ElementType;
    use lanewise_saved::Formats;

    #[test]
    fn what_was_chosen_comes_back_and_follows_no_scenario() {
        let mut state = State::new(Saved::default());
        assert_eq!(state.formats(), None);
        state.act(Action::Machine(MachineAction::RegisterFormat(
            RegisterFormat::Half,
        )));
        let show = |tab, ty, hex| {
            Action::Machine(MachineAction::Memory(
                tab,
                MemoryAction::Format(MemoryFormat { ty, hex }),
            ))
        };
        state.act(show(Tab::Local, Some(ElementType::Hf), false));
        state.act(show(Tab::Surfaces, None, true));
        let kept = state.formats();
        assert!(kept.is_some());
        let saved = Saved {
            formats: kept.clone(),
            ..Saved::default()
        };
        let mut again = State::new(saved);
        assert_eq!(again.formats(), kept);
        again.act(Action::Program(ProgramAction::Choose("lock".to_owned())));
        let ty = |state: &State| state.memory(Tab::Local).unwrap().view.notation().ty;
        assert_eq!(ty(&again), ElementType::Hf);
        again.act(show(Tab::Local, None, false));
        assert_eq!(ty(&again), ElementType::Ud);
    }

    #[test]
    fn a_broken_store_harms_nothing() {
        for name in ["", "99", "uq/x"] {
            let slm = lanewise_saved::MemoryFormat {
                ty: String::from(name),
                hex: false,
            };
            let formats = Formats {
                registers: String::from(name),
                slm,
                ..Formats::default()
            };
            let saved = Saved {
                formats: Some(formats),
                ..Saved::default()
            };
            assert!(State::new(saved).can_run());
        }
    }
}
