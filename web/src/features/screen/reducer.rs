use super::{Area, Screen, ScreenAction};
use crate::store::Request;

impl Screen {
    pub(crate) fn apply(&mut self, action: ScreenAction) {
        match action {
            ScreenAction::Compact(compact) => self.compact = compact,
            ScreenAction::Show(area) => self.shown = area,
            ScreenAction::OpenTab(tab) => {
                self.tab = Some(tab);
                self.shown = Area::Drawer;
            }
            ScreenAction::OpenTabAt(tab, id) => {
                self.apply(ScreenAction::OpenTab(tab));
                Request::ask(&mut self.focus, id);
            }
            ScreenAction::Resize(divider, size) => *divider.size_mut(&mut self.sizes) = size,
            ScreenAction::OpenDialog(dialog) => self.dialog = Some(dialog),
            ScreenAction::CloseDialog => self.dialog = None,
        }
    }
}
