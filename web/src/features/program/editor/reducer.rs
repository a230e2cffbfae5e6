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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::store::{Action, Saved};
    use lanewise_saved::Settings;

    #[test]
    fn focus_request_shows_the_program() {
        let mut state = State::new(Saved::default());
        state.act(Action::Screen(ScreenAction::Compact(true)));
        assert!(state.screen.hides(Area::Program));
        state.act(Action::Editor(EditorAction::Focus));
        assert!(!state.screen.hides(Area::Program));
        assert!(state.source.editor.focus.is_some());
    }

    #[test]
    fn wrapping_defaults_to_phones() {
        let mut state = State::new(Saved::default());
        assert!(state.source.editor.wraps(true) && !state.source.editor.wraps(false));
        for wrap in [false, true] {
            state.act(Action::Editor(EditorAction::Wrap(wrap)));
            assert_eq!(
                [true, false].map(|compact| state.source.editor.wraps(compact)),
                [wrap; 2]
            );
        }
        let kept = Saved {
            settings: Settings {
                wrap: Some(false),
                ..Settings::default()
            },
            ..Saved::default()
        };
        assert!(!State::new(kept).source.editor.wraps(true));
    }
}
