use super::EmbedAction;
use crate::features::screen::DialogKind;
use crate::store::State;

impl State {
    pub(crate) fn apply_embed(&mut self, action: EmbedAction) {
        let embedding = &mut *self.embedding;
        match action {
            EmbedAction::Open => {
                self.screen.dialog = Some(DialogKind::Embed);
                self.pause();
            }
            EmbedAction::Form(form) => embedding.form = form,
            EmbedAction::Pane(pane, on) => {
                embedding.panes.retain(|shown| *shown != pane);
                if on {
                    embedding.panes.push(pane);
                    embedding.panes.sort();
                }
            }
            EmbedAction::ReadOnly(on) => embedding.read_only = on,
            EmbedAction::AtStep(on) => embedding.at_step = on,
        }
    }
}
