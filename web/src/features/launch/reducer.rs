use super::model::about_program;
use super::{LaunchAction, LaunchDialogState, LaunchField, LaunchStart};
use crate::features::notice::NoticeKind;
use crate::features::program::Origin;
use crate::features::screen::{Area, DialogKind, DrawerTab, ScreenAction};
use crate::features::transport::TransportAction;
use crate::store::{Slice, State};
use lanewise_core::ide::SizeField;
use std::rc::Rc;

/// State tabs that show the result of a launch, in order of preference.
const RESULT_TABS: [&str; 2] = ["buffers", "svm"];

impl State {
    pub(crate) fn apply_launch(&mut self, action: LaunchAction, now: f64) {
        match action {
            LaunchAction::Open => self.edit_launch(),
            LaunchAction::ShowGroup(group) => self.show_group(group, TransportAction::Seek(0)),
            LaunchAction::Start(start) => self.start_launch(start, now),
            LaunchAction::Edit(field, text) => {
                if let Some(launch) = &mut self.launch {
                    launch.edit(field, text);
                }
            }
            LaunchAction::SetElement(argument, ty) => {
                if let Some(launch) = &mut self.launch {
                    launch.form.set_element(argument, ty);
                    match launch.files.get(&argument).cloned() {
                        Some(bytes) => launch.fill(argument, Ok(bytes)),
                        None => launch.check(),
                    }
                }
            }
            LaunchAction::Bytes {
                text,
                argument,
                bytes,
            } => {
                let launch = self.launch.as_mut();
                if let Some(launch) = launch.filter(|launch| Rc::ptr_eq(&launch.text, &text)) {
                    launch.fill(argument, bytes);
                }
            }
        }
    }

    /// Opens the dialog for a kernel of a file, with a proposed launch.
    pub(crate) fn propose_launch(&mut self, file: &str, kernel: &str, summary: &str, text: &str) {
        let about = format!("{file} · {summary}");
        let dialog = LaunchDialogState::new(kernel, about, Some(Rc::from(file)), Rc::from(text));
        self.show_launch(dialog.expect("a proposal has a launch"));
    }

    /// Opens the dialog for the current program.
    fn edit_launch(&mut self) {
        let program = &self.source.document.program;
        let name = self.source.title().unwrap_or("the program");
        match LaunchDialogState::new(name, about_program(program), None, self.text()) {
            Some(dialog) => self.show_launch(dialog),
            None => self.report_no_launch(),
        }
    }

    /// Opens the dialog, with the fields of structures that the known sources define.
    fn show_launch(&mut self, mut dialog: LaunchDialogState) {
        dialog.use_source(self.files.sources());
        self.launch = Some(Slice::new(dialog));
        self.screen.dialog = Some(DialogKind::Launch);
    }

    pub(super) fn report_no_launch(&mut self) {
        self.notify(
            NoticeKind::Error,
            "The program has no valid .launch line. Add one, such as .launch global=64 local=32.",
        );
    }

    fn start_launch(&mut self, start: LaunchStart, now: f64) {
        let Some(launch) = self.launch.clone() else {
            return;
        };
        if start != LaunchStart::EditText && !launch.problems.is_empty() {
            return;
        }
        let last = launch.groups.map(|groups| (groups - 1).to_string());
        let group = match (start, &last) {
            (LaunchStart::RunToEnd, Some(last)) => last,
            _ => &launch.step_group,
        };
        let text = launch.text_for(group);
        match &launch.file {
            Some(file) => {
                let name = format!("{} of {file}", launch.name);
                self.open_text(Origin::File(None), &name, &text, now);
            }
            None => self.edit(&text),
        }
        self.launch = None;
        self.screen.dialog = None;
        match start {
            LaunchStart::RunToEnd => {
                self.apply_transport(TransportAction::ToEnd);
                RESULT_TABS.iter().any(|tab| self.open_tab(tab));
                if self.prints() {
                    self.screen.apply(ScreenAction::OpenTab(DrawerTab::Output));
                }
                self.screen.apply(ScreenAction::Show(Area::State));
            }
            LaunchStart::Step => {
                self.apply_transport(TransportAction::Seek(0));
                self.screen.apply(ScreenAction::Show(Area::Stage));
            }
            LaunchStart::EditText => self.screen.apply(ScreenAction::Show(Area::Program)),
        }
    }
}

impl LaunchDialogState {
    fn edit(&mut self, field: LaunchField, text: String) {
        self.refused_file = None;
        if let LaunchField::Quantity(argument) | LaunchField::Values(argument) = field {
            self.files.remove(&argument);
        }
        match field {
            LaunchField::Size(SizeField::Global(dimension)) => {
                self.form.set_global(dimension, text)
            }
            LaunchField::Size(SizeField::Local(dimension)) => {
                self.form.set_local(dimension, text);
            }
            LaunchField::Size(SizeField::Offset(dimension)) => self.form.offset[dimension] = text,
            LaunchField::Size(SizeField::Group) => self.step_group = text,
            LaunchField::Quantity(argument) => self.form.set_quantity(argument, text),
            LaunchField::Values(argument) => self.form.set_values(argument, text),
        }
        self.check();
    }

    /// Fills a buffer with the bytes of a file.
    fn fill(&mut self, argument: usize, bytes: Result<Rc<[u8]>, String>) {
        let filled = bytes.and_then(|bytes| {
            self.form.set_bytes(argument, &bytes)?;
            self.files.insert(argument, bytes);
            Ok(())
        });
        self.refused_file = filled.err().map(|why| (argument, why));
        self.check();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::features::program::ProgramAction;

    #[test]
    fn dialog_needs_a_launch() {
        let mut state = State::of_text(".target visa DG2\nret (M1, 1)\n");
        state.act(LaunchAction::Open);
        assert_eq!(state.screen.dialog, None);
        let notice = state.notices.shown.as_ref().unwrap();
        assert_eq!(notice.kind, NoticeKind::Error);
    }

    #[test]
    fn late_file_is_not_for_another_form() {
        let mut state = State::of_scenario("kernel-histogram");
        state.act(LaunchAction::Open);
        let first = Rc::clone(&state.launch.as_ref().unwrap().text);
        state.act(ProgramAction::Edit(format!("{first}// 2\n")));
        state.act(LaunchAction::Open);
        let form = state.launch.as_ref().unwrap().form.clone();
        state.act(LaunchAction::Bytes {
            text: first,
            argument: 0,
            bytes: Ok(Rc::from([1, 0, 0, 0])),
        });
        assert_eq!(state.launch.as_ref().unwrap().form, form);
    }
}
