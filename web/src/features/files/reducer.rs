use super::FilesAction;
use super::model::{Content, ListedFile, read};
use crate::features::notice::Notice;
use crate::features::program::Origin;
use crate::features::screen::DialogKind;
use crate::store::State;
use std::rc::Rc;

impl State {
    pub(crate) fn apply_files(&mut self, action: FilesAction, now: f64) {
        match action {
            FilesAction::Read(name, bytes) => match read(&name, &bytes) {
                Ok(Content::Scenario(text)) => self.open_text(Origin::File, &name, &text, now),
                Ok(Content::Functions(file)) => {
                    let last = self.listed_file.as_ref();
                    self.listed_file = Some(ListedFile {
                        name,
                        file: Rc::new(file),
                        number: last.map_or(0, |last| last.number + 1),
                    });
                    self.screen.dialog = Some(DialogKind::Files);
                }
                Err(why) => self.refuse_file(&name, &why),
            },
            FilesAction::Failed(name, why) => self.refuse_file(&name, &why),
            FilesAction::Choose(index) => self.open_function(index, now),
        }
    }

    fn refuse_file(&mut self, name: &str, why: &str) {
        let text = format!("Cannot open {name}: {why}. Your program is unchanged.");
        self.notify(Notice::error(text));
    }

    fn open_function(&mut self, index: usize, now: f64) {
        let Some(listed) = self.listed_file.clone() else {
            return;
        };
        let Some(function) = listed.file.functions.get(index) else {
            return;
        };
        let name = format!("{} of {}", function.name, listed.name);
        self.open_text(Origin::File, &name, &function.scenario(), now);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::features::program::ProgramAction;
    use crate::store::{Action, Saved};

    const LISTING: &str = "Function : add\n/*0008*/ ATOM.E.ADD R0, [R2], R4 ;\n";

    fn state() -> State {
        let mut state = State::new(Saved::default());
        state.act(Action::Program(ProgramAction::Edit(String::from(
            "// mine\n",
        ))));
        state
    }

    fn read_in(state: &mut State, name: &str, bytes: &[u8]) {
        let read = FilesAction::Read(Rc::from(name), Rc::from(bytes));
        state.act(Action::Files(read));
    }

    #[test]
    fn functions_are_listed_and_one_is_opened() {
        let mut state = state();
        read_in(&mut state, "a.sass", LISTING.as_bytes());
        assert_eq!(state.screen.dialog, Some(DialogKind::Files));
        assert_eq!(&*state.text(), "// mine\n");
        state.act(Action::Files(FilesAction::Choose(0)));
        assert_eq!(state.screen.dialog, None);
        assert!(state.text().contains("ATOM.E.ADD R0, [R2], R4"));
        assert_eq!(&*state.source.drafts[0].text, "// mine\n");
        let text = state.text();
        state.act(Action::Files(FilesAction::Choose(7)));
        assert_eq!(state.text(), text);
    }

    #[test]
    fn scenario_files_open_directly() {
        for (name, text) in [
            ("a.lanewise", ".decl V32 v_type=G type=ud num_elts=8\n"),
            (
                "a.txt",
                ".decl V32 v_type=G type=ud num_elts=8\n.init V32 = 1\n",
            ),
            ("b.txt", ".target sass SM60\nATOM.E.ADD R0, [R2], R4 ;\n"),
            ("c.txt", "nothing that is known\n"),
        ] {
            let mut state = state();
            read_in(&mut state, name, text.as_bytes());
            assert_eq!(&*state.text(), text, "{name}");
            assert_eq!(state.listed_file, None);
        }
    }

    #[test]
    fn unreadable_file_changes_nothing() {
        for (name, bytes, why) in [
            ("a.lanewise", &b"\xff\xff"[..], "not UTF-8 text"),
            ("a.isa", b"CISA\x04\x01\x01", "byte 0x6"),
            ("a.bin", b"\x00\x01\x02", "neither a vISA object"),
            ("a.dot", b"digraph f {\n}\n", "control flow graph"),
        ] {
            let mut state = state();
            read_in(&mut state, name, bytes);
            assert_eq!(&*state.text(), "// mine\n", "{name}");
            let notice = state.notice().cloned().expect("a notice");
            assert!(
                notice.is_error && notice.text.contains(why),
                "{}",
                notice.text
            );
        }
    }
}
