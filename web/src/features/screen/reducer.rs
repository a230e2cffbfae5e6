use super::{Area, Screen, ScreenAction};

impl Screen {
    pub(crate) fn apply(&mut self, action: ScreenAction) {
        match action {
            ScreenAction::Compact(compact) => self.compact = compact,
            ScreenAction::Show(area) => self.shown = area,
            ScreenAction::OpenTab(tab) => {
                self.tab = Some(tab);
                self.shown = Area::Drawer;
            }
            ScreenAction::Resize(divider, size) => *divider.size_mut(&mut self.sizes) = size,
            ScreenAction::OpenDialog(dialog) => self.dialog = Some(dialog),
            ScreenAction::CloseDialog => self.dialog = None,
        }
    }
}
