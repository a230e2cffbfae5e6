use super::{EditorAction, EditorStatus};
use crate::features::screen::{Area, ScreenAction};
use crate::store::{Request, State};

impl State {
    pub(crate) fn apply_editor(&mut self, action: EditorAction) {
        let editor = &mut self.source.editor;
        match action {
            EditorAction::Plain(plain) => editor.set_plain(plain),
            EditorAction::Wrap(wrap) => editor.wrap = Some(wrap),
            EditorAction::Loaded => editor.status = EditorStatus::Ready,
            EditorAction::LoadFailed => editor.status = EditorStatus::Failed,
            EditorAction::Retry => {
                editor.status = EditorStatus::Loading;
                editor.attempt += 1;
            }
            EditorAction::Search => Request::ask(&mut editor.search, ()),
            EditorAction::Focus => {
                Request::ask(&mut editor.focus, ());
                self.screen.apply(ScreenAction::Show(Area::Program));
            }
        }
    }
}
