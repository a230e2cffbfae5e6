use super::{Area, Screen, ScreenAction};
use crate::store::Request;

impl Screen {
    pub(crate) fn apply(&mut self, action: ScreenAction) {
        match action {
            ScreenAction::Compact(compact) => self.compact = compact,
            ScreenAction::Show(area) => self.shown = area,
            ScreenAction::Open(tab) => {
                self.tab = Some(tab);
                self.shown = Area::Drawer;
            }
            ScreenAction::Resize(divider, size) => self.sizes.set(divider, size),
            ScreenAction::FocusProgram => {
                self.shown = Area::Program;
                Request::ask(&mut self.program_focus, ());
            }
        }
    }
}
