//! Saved formats of the State pane.

use super::StateView;
use lanewise_answer::grids::{MemoryFormat, MemoryKind, RegisterFormat};
use lanewise_saved::Formats;

impl StateView {
    /// The formats the user chose, for registers and each memory; `None` if all
    /// are defaults.
    pub(crate) fn formats(&self) -> Option<Formats> {
        let mut memories = self.grid.memories.iter();
        let chosen = memories.any(|memory| memory.format != MemoryFormat::AS_USED)
            || self.grid.register_format != RegisterFormat::Declared;
        let format = |memory| {
            let format = self.grid.memories[memory].format;
            lanewise_saved::MemoryFormat {
                ty: String::from(format.type_name()),
                hex: format.hex,
            }
        };
        chosen.then(|| Formats {
            registers: String::from(self.grid.register_format.key()),
            slm: format(MemoryKind::Local),
            svm: format(MemoryKind::Virtual),
            surfaces: format(MemoryKind::Surfaces),
        })
    }

    /// Restores saved formats; ignores invalid ones.
    pub(crate) fn restore_formats(&mut self, formats: &Formats) {
        if let Some(format) = RegisterFormat::of_key(&formats.registers) {
            self.grid.register_format = format;
        }
        for (memory, kept) in [
            (MemoryKind::Local, &formats.slm),
            (MemoryKind::Virtual, &formats.svm),
            (MemoryKind::Surfaces, &formats.surfaces),
        ] {
            if let Some(ty) = MemoryFormat::named_type(&kept.ty) {
                let format = MemoryFormat { ty, hex: kept.hex };
                self.grid.memories[memory].format = format.canonical();
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::store::{Saved, State};
    use lanewise_saved::Settings;

    #[test]
    fn menu_lists_every_canonical_format() {
        let slm = lanewise_saved::MemoryFormat {
            ty: String::from("f"),
            hex: true,
        };
        let formats = Formats {
            slm,
            ..Formats::default()
        };
        let state = State::new(Saved {
            settings: Settings {
                formats: Some(formats),
                ..Settings::default()
            },
            ..Saved::default()
        });
        let format = state.state_view.grid.memories[MemoryKind::Local].format;
        assert!(MemoryFormat::all().contains(&format), "{format:?}");
    }
}
