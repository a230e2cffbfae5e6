use super::ItemsAction;
use crate::features::notice::Notice;
use crate::features::transport::TransportAction;
use crate::store::State;
use lanewise_core::program::{ItemPlace, Sizes};

/// Parses a global ID: `35`, `3, 1`, `(3, 1, 0)`.
fn parse_id(text: &str) -> Option<Sizes> {
    let text = text.trim().trim_start_matches('(').trim_end_matches(')');
    let mut id = [0; 3];
    let mut parts = text.split(',');
    for (place, part) in id.iter_mut().zip(parts.by_ref()) {
        *place = part.trim().parse().ok()?;
    }
    parts.next().is_none().then_some(id)
}

impl State {
    pub(crate) fn apply_items(&mut self, action: ItemsAction) {
        match action {
            ItemsAction::Choose(channel) => {
                let chosen = &mut self.stepping.channel;
                *chosen = (*chosen != Some(channel)).then_some(channel);
            }
            ItemsAction::Go(text) => self.go_to_item(&text),
            ItemsAction::Columns(text) => self.item_columns = text,
        }
    }

    fn go_to_item(&mut self, text: &str) {
        let launch = self.source.document.program.launch.as_ref();
        let Some(launch) = launch else { return };
        match parse_id(text).and_then(|id| launch.place_of_id(id)) {
            Some(place) => {
                self.dismiss_notice();
                self.choose_item(place);
            }
            None => {
                let words = launch.words();
                let whole = if words.is_id_local {
                    words.group
                } else {
                    "launch"
                };
                let text = format!("The {whole} has no {} `{}`.", words.item, text.trim());
                self.notify(Notice::brief(text));
            }
        }
    }

    /// Chooses a work-item, and shows its work-group.
    pub(crate) fn choose_item(&mut self, place: ItemPlace) {
        let launch = self.source.document.program.launch.as_ref();
        if launch.is_some_and(|launch| launch.group != place.group) {
            self.show_group(place.group, TransportAction::ToStart);
        }
        let has_threads = self.source.document.program.threads > 1;
        self.stepping.thread = has_threads.then_some(place.thread);
        self.stepping.channel = Some(place.channel);
    }

    /// The thread that the tables show: the chosen one, or that of the last step.
    pub(crate) fn shown_thread(&self) -> u8 {
        let session = &self.session;
        let threads = session.program().threads;
        let chosen = self.stepping.thread.filter(|thread| *thread < threads);
        let current = session.current_issue();
        let current = current.and_then(|index| session.issue(index));
        chosen.unwrap_or_else(|| current.map_or(0, |issue| issue.threads.first()))
    }

    /// The chosen work-item, or the first active one of the shown thread.
    pub(crate) fn shown_channel(&self) -> u8 {
        self.stepping.channel.unwrap_or_else(|| {
            let thread = self.shown_thread();
            let control =
                lanewise_core::machine::control::Control::new(self.session.machine(), thread);
            let active = control.active().trailing_zeros();
            u8::try_from(active & 31).expect("at most 31")
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn work_items_are_found_by_their_ids() {
        let mut state = State::of_scenario("kernel-histogram");
        let group = |state: &State| state.session.program().launch.as_ref().unwrap().group;
        state.act(ItemsAction::Go("35".into()));
        while state.stepping.running {
            state.act(TransportAction::Tick);
        }
        assert_eq!((group(&state), state.stepping.channel), (1, Some(3)));
        state.act(ItemsAction::Go("(7, 0)".into()));
        assert_eq!((group(&state), state.stepping.channel), (0, Some(7)));
        for text in ["64", "x", "1, 1", "", "1, 0, 0, 0"] {
            state.act(ItemsAction::Go(text.into()));
            assert!(state.notices.shown.is_some(), "{text}");
            assert_eq!((group(&state), state.stepping.channel), (0, Some(7)));
        }
        state.act(ItemsAction::Go("7".into()));
        assert_eq!(state.notices.shown, None);
        state.act(ItemsAction::Choose(7));
        assert_eq!(state.stepping.channel, None);
    }
}
