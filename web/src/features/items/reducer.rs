use super::ItemsAction;
use crate::features::transport::TransportAction;
use crate::store::State;
use lanewise_core::program::{ItemPlace, Launch, Sizes};
use lanewise_core::session::Session;

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

/// Finds the work-item with an ID, as written.
///
/// # Errors
/// Says which IDs there are.
pub(super) fn find_item(launch: &Launch, text: &str) -> Result<ItemPlace, String> {
    let place = parse_id(text).and_then(|id| launch.place_of_id(id));
    place.ok_or_else(|| {
        let ids = launch.first_and_last_id();
        let range = ids.map_or_else(String::new, |ids| format!(" from {}", ids.join(" to ")));
        format!("Enter a {}{range}.", launch.words().id)
    })
}

/// Thread and channel of the last access.
pub(super) fn acting_item(session: &Session) -> Option<(u8, u8)> {
    let (unit, at) = (session.last_access()?.unit, session.last_instruction()?);
    let instruction = &session.program().instructions.get(at)?.instruction;
    Some((unit.thread, instruction.first_channel() + unit.lane))
}

impl State {
    pub(crate) fn apply_items(&mut self, action: ItemsAction) {
        match action {
            ItemsAction::Choose(channel) => {
                let chosen = &mut self.stepping.channel;
                *chosen = (*chosen != Some(channel)).then_some(channel);
            }
            ItemsAction::Go(place) => self.choose_item(place),
            ItemsAction::Columns(text) => self.item_columns = text,
        }
    }

    /// Chooses a work-item, and shows its work-group.
    pub(crate) fn choose_item(&mut self, place: ItemPlace) {
        let launch = self.source.document.program.launch.as_ref();
        if launch.is_some_and(|launch| launch.group != place.group) {
            self.show_group(place.group, TransportAction::Seek(0));
        }
        let has_threads = self.source.document.program.threads > 1;
        self.stepping.thread = has_threads.then_some(place.thread);
        self.stepping.channel = Some(place.channel);
    }

    /// The thread that the tables show: the chosen one, the one that has stopped, or that of the
    /// last step; of a fused pair, the thread of its last access.
    pub(crate) fn shown_thread(&self) -> u8 {
        let session = &self.session;
        let threads = session.program().threads;
        let chosen = self.stepping.thread.filter(|thread| *thread < threads);
        let current = session.current_issue();
        let current = current.and_then(|index| session.issue(index));
        let acting = acting_item(session).map(|(thread, _)| thread);
        let first = || current.map_or(0, |issue| issue.threads.first());
        let chosen = chosen.or_else(|| self.stopped_thread());
        chosen.or(acting).unwrap_or_else(first)
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
        let find = |state: &State, text: &str| {
            find_item(state.source.document.program.launch.as_ref().unwrap(), text)
        };
        let go = |state: &mut State, text: &str| {
            let place = find(state, text).expect("the launch has the work-item");
            state.run(ItemsAction::Go(place));
        };
        go(&mut state, "35");
        assert_eq!((state.group(), state.stepping.channel), (1, Some(3)));
        go(&mut state, "(7, 0)");
        assert_eq!((state.group(), state.stepping.channel), (0, Some(7)));
        for text in ["64", "x", "1, 1", "", "1, 0, 0, 0"] {
            let wrong = find(&state, text).expect_err(text);
            assert_eq!(wrong, "Enter a global ID from 0 to 63.");
        }
        state.act(ItemsAction::Choose(7));
        assert_eq!(state.stepping.channel, None);
    }

    #[test]
    fn tables_show_the_thread_of_a_fused_pair_that_acts() {
        let mut state = State::of_scenario("kernel-fused-pair");
        let is_second = |state: &State| acting_item(&state.session) == Some((1, 7));
        while !is_second(&state) {
            assert!(
                state.session.step(),
                "lane 7 of the second thread accesses memory"
            );
        }
        assert_eq!(state.shown_thread(), 1);
        state.stepping.thread = Some(0);
        assert_eq!(state.shown_thread(), 0);
    }
}
