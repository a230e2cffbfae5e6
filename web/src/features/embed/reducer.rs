use super::EmbedAction;
use crate::features::screen::DialogKind;
use crate::store::{Slice, State};

impl State {
    pub(crate) fn apply_embed(&mut self, action: EmbedAction) {
        match action {
            EmbedAction::Open => {
                self.screen.dialog = Some(DialogKind::Embed);
                self.pause();
            }
            EmbedAction::Set(embedding) => self.embedding = Slice::new(embedding),
        }
    }
}
