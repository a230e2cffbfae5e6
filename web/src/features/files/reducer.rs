use super::FilesAction;
use super::model::{ListedFile, is_source_name};
use crate::features::notice::NoticeKind;
use crate::features::program::{Origin, SourceText};
use crate::features::screen::DialogKind;
use crate::store::State;
use lanewise_files::outline::{FileContents, OpenedEntry};
use lanewise_web::search_worker::SearchRequest;
use std::rc::Rc;

impl State {
    /// The source file of the kernel, if it is known.
    pub(crate) fn kernel_source(&self) -> Option<SourceText> {
        self.files.source_of(self.session.program())
    }

    pub(crate) fn apply_files(&mut self, action: FilesAction, now: f64) {
        match action {
            FilesAction::Source(name, bytes) => self.keep_source(name, &bytes),
            FilesAction::Cubin(bytes) => self.files.cubin = Some(bytes),
            // Without a kernel that names it, the worker answers how to compile it.
            FilesAction::Read(name, bytes)
                if self.session.program().source_name() == Some(&*name)
                    || self
                        .launch
                        .as_ref()
                        .is_some_and(|launch| launch.names_source(&name)) =>
            {
                self.keep_source(name, &bytes);
            }
            FilesAction::Read(name, bytes) => {
                // A source may come before its kernel.
                if is_source_name(&name) {
                    self.keep_source(Rc::clone(&name), &bytes);
                }
                let id = self.files.count.wrapping_add(1);
                self.files.count = id;
                let request = SearchRequest::ReadFile {
                    id,
                    name: String::from(&*name),
                    bytes: bytes.to_vec(),
                    cubin: self.files.cubin.take().map(|bytes| bytes.to_vec()),
                    sources: self.files.sources_named_in(&bytes),
                };
                self.ask_worker(id, name, request);
            }
            FilesAction::Failed(name, why) => {
                self.files.cubin = None;
                self.refuse_file(&name, &why);
            }
            FilesAction::Contents(id, contents) => match (self.take_pending(id), contents) {
                (Some(name), Ok(contents)) => self.show_contents(name, &contents, now),
                (Some(name), Err(why)) => self.refuse_file(&name, &why),
                (None, _) => {}
            },
            FilesAction::Choose(index) => {
                if let Some(listed) = self.files.listed.clone() {
                    let id = listed.number;
                    self.ask_worker(id, listed.name, SearchRequest::OpenEntry { id, index });
                }
            }
            FilesAction::Entry(id, entry) => match (self.take_pending(id), entry) {
                (Some(file), Ok(entry)) => self.open_entry(&file, &entry, now),
                (Some(file), Err(why)) => self.refuse_file(&file, &why),
                (None, _) => {}
            },
            FilesAction::WorkerFailed(why) => {
                if let Some((_, name)) = self.files.pending.take() {
                    self.refuse_file(&name, &why);
                }
            }
        }
    }

    fn keep_source(&mut self, name: Rc<str>, bytes: &[u8]) {
        let text = Rc::from(&*String::from_utf8_lossy(bytes));
        let source = SourceText { name, text };
        if let Some(launch) = &mut self.launch {
            launch.use_source(std::slice::from_ref(&source));
        }
        self.files.keep_source(source);
        self.state_view.forget_types();
        if self.is_kernel() && self.stepping.chosen_step_sizes[1].is_none() {
            self.restore_step_size();
        }
    }

    fn ask_worker(&mut self, id: u32, name: Rc<str>, request: SearchRequest) {
        let request = self.outcomes.worker_request(request);
        self.files.request = Some(request);
        self.files.pending = Some((id, name));
    }

    /// Name of the pending file; `None` if another file has replaced the one with
    /// this number.
    fn take_pending(&mut self, id: u32) -> Option<Rc<str>> {
        let pending = self.files.pending.take_if(|(pending, _)| *pending == id)?;
        Some(pending.1)
    }

    fn show_contents(&mut self, name: Rc<str>, contents: &Rc<FileContents>, now: f64) {
        match &**contents {
            FileContents::Scenario(text) => self.open_text(Origin::File(None), &name, text, now),
            FileContents::Outline(outline) => {
                self.files.listed = Some(ListedFile {
                    name,
                    outline: Rc::new(outline.clone()),
                    number: self.files.count,
                });
                self.screen.dialog = Some(DialogKind::Files);
            }
        }
    }

    fn refuse_file(&mut self, name: &str, why: &str) {
        let text = format!("Cannot open {name}: {why}. Your program is unchanged.");
        self.notify(NoticeKind::Error, text);
    }

    fn open_entry(&mut self, file: &str, entry: &Rc<OpenedEntry>, now: f64) {
        match &entry.kernel {
            Some(summary) => self.propose_launch(file, &entry.name, summary, &entry.text),
            None => {
                let name = format!("{} of {file}", entry.name);
                self.open_text(Origin::File(None), &name, &entry.text, now);
                if let Some(why) = &entry.no_launch {
                    self.notify(
                        NoticeKind::Info,
                        format!("{name} is open without a launch: {why}."),
                    );
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::features::program::ProgramAction;
    use crate::features::screen::ScreenAction;
    use lanewise_core::library::BUNDLED;

    #[test]
    fn file_that_the_worker_does_not_answer_changes_nothing() {
        let mut state = State::of_text("// mine\n");
        state.act(FilesAction::Read(Rc::from("a.isa"), Rc::from(&b"x"[..])));
        let why = "the reader is not responding";
        state.act(FilesAction::WorkerFailed(String::from(why)));
        assert_eq!(&*state.text(), "// mine\n");
        let notice = state.notices.shown.as_ref().expect("a notice");
        assert!(
            notice.kind == NoticeKind::Error && notice.text.contains(why),
            "{notice:?}"
        );
        // It does not speak about the next program.
        state.act(ProgramAction::Choose(&BUNDLED[1]));
        assert_eq!(state.notices.shown, None);
    }

    #[test]
    fn a_source_of_another_kernel_leaves_that_of_the_open_one() {
        let mut state = State::of_text("FILE \"a.cl\"\nLOC 1\nbarrier\n");
        let read = |state: &mut State, name: &str, text: &str| {
            state.act(FilesAction::Read(Rc::from(name), Rc::from(text.as_bytes())));
            state.kernel_source().map(|source| source.text)
        };
        assert_eq!(read(&mut state, "b.cl", "b"), None);
        assert_eq!(read(&mut state, "a.cl", "old").as_deref(), Some("old"));
        assert_eq!(read(&mut state, "a.cl", "new").as_deref(), Some("new"));
        assert_eq!(read(&mut state, "b.cl", "b").as_deref(), Some("new"));
        assert_eq!(state.files.sources().len(), 2);
        // Kept sources are bounded.
        for number in 0..20 {
            read(&mut state, &format!("{number}.cl"), "");
        }
        assert_eq!(state.files.sources().len(), 8);
    }

    #[test]
    fn only_its_own_source_belongs_to_the_kernel_in_the_launch_dialog() {
        let mut state = State::of_text("// mine\n");
        let text =
            ".target visa DG2\n.launch global=8 local=8\n  FILE \"dir/a.cl\"\n  LOC 1\nbarrier\n";
        state.propose_launch("a.bin", "a", "", text);
        let is_read = |state: &mut State, name: &str| {
            let before = state.files.count;
            state.act(FilesAction::Read(Rc::from(name), Rc::from(&b"x"[..])));
            state.files.count != before
        };
        assert!(!is_read(&mut state, "a.cl"));
        assert!(is_read(&mut state, "b.bin"));
        // Another dialog, or none.
        state.act(ScreenAction::OpenDialog(DialogKind::Files));
        assert!(state.launch.is_none());
        assert!(is_read(&mut state, "a.cl"));
    }

    #[test]
    fn late_answer_about_a_replaced_file_is_ignored() {
        let mut state = State::of_text("// mine\n");
        for name in ["first.lanewise", "second.lanewise"] {
            let read = FilesAction::Read(Rc::from(name), Rc::from(name.as_bytes()));
            state.act(read);
        }
        let scenario = |text: &str| Ok(Rc::new(FileContents::Scenario(text.to_owned())));
        state.act(FilesAction::Contents(1, scenario("first")));
        let entry = OpenedEntry {
            name: String::from("f"),
            kernel: None,
            no_launch: None,
            text: String::from("first"),
        };
        state.act(FilesAction::Entry(1, Ok(Rc::new(entry))));
        assert_eq!(&*state.text(), "// mine\n");
        state.act(FilesAction::Contents(2, scenario("second")));
        assert_eq!(&*state.text(), "second");
    }
}
