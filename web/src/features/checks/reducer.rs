use super::model::{CheckedText, keys};
use super::{CheckChoice, CheckStatus, ChecksAction};
use crate::features::outcomes::WorkerRequest;
use crate::features::screen::{Area, ScreenAction};
use crate::store::State;
use lanewise_core::ide::LaunchForm;
use lanewise_core::program::ItemPlace;
use lanewise_web::search_worker::SearchRequest;
use std::rc::Rc;

impl State {
    pub(crate) fn apply_checks(&mut self, action: ChecksAction) {
        match action {
            ChecksAction::Answer(id, Some(checked)) => {
                self.end_checks(|awaited| awaited.id == id, &CheckStatus::Done(checked));
            }
            ChecksAction::Answer(_, None) => {}
            ChecksAction::WorkerFailed(why) => {
                self.end_checks(|_| true, &CheckStatus::Failed(why));
            }
            ChecksAction::Choose(choice, is_chosen) => self.choose_check(choice, is_chosen),
            ChecksAction::Show { finding, access } => self.show_access(finding, access),
        }
    }

    /// Selects a check or does not, and checks the launch again.
    fn choose_check(&mut self, choice: CheckChoice, is_chosen: bool) {
        let checks = &mut *self.checks;
        let chosen = checks.chosen();
        let is_kept = |other: &CheckChoice| match *other == choice {
            true => is_chosen,
            false => chosen.contains(other),
        };
        checks.chosen = Some(CheckChoice::ALL.into_iter().filter(is_kept).collect());
        checks.launch.status = CheckStatus::NotRun;
    }

    fn end_checks(&mut self, is_answered: impl Fn(&CheckedText) -> bool, status: &CheckStatus) {
        let checks = &mut *self.checks;
        for awaited in [&mut checks.launch, &mut checks.trial] {
            if awaited.awaits_response() && is_answered(awaited) {
                awaited.status = status.clone();
            }
        }
    }

    /// Forgets the findings about another launch, and asks for the checks of one that has
    /// ended.
    pub(crate) fn update_checks(&mut self) {
        self.update_trial();
        let program = &self.source.document.program;
        if program.launch.is_none() && self.checks.launch.text.is_none() {
            return;
        }
        if !self.checks.is_about(program) {
            let program = Rc::clone(program);
            let text = self.launch_text();
            if self.checks.launch.text.as_deref() != text.as_deref() {
                self.checks.launch.status = CheckStatus::NotRun;
                self.checks.launch.text = text.map(Rc::from);
            }
            self.checks.program = Some(program);
        }
        let has_ended = self.can_run() && self.session.at_end() && !self.waits_for_groups();
        let is_new = matches!(self.checks.launch.status, CheckStatus::NotRun);
        if let Some(text) = self.checks.launch.text.clone()
            && has_ended
            && is_new
            && !self.checks.is_off()
            && !self.is_player()
        {
            let source = self.kernel_source().map(|source| source.text.to_string());
            let (id, request) = self.check_request(&text, source, false);
            let launch = &mut self.checks.launch;
            (launch.id, launch.request, launch.status) = (id, Some(request), CheckStatus::Running);
        }
    }

    /// Asks for the checks of the launch in the dialog, if it has changed.
    fn update_trial(&mut self) {
        let form = self.launch.as_ref();
        let valid = form.filter(|form| form.problems.is_empty());
        let text = valid.map(|form| form.text_for("0"));
        if self.checks.trial.text.as_deref() == text.as_deref() {
            return;
        }
        let asked = text.map(|text| (self.check_request(&text, None, true), text));
        let trial = &mut self.checks.trial;
        *trial = CheckedText::default();
        if let Some(((id, request), text)) = asked {
            trial.text = Some(Rc::from(text));
            (trial.id, trial.request, trial.status) = (id, Some(request), CheckStatus::Running);
        }
    }

    fn check_request(
        &mut self,
        text: &str,
        source: Option<String>,
        is_trial: bool,
    ) -> (u32, WorkerRequest) {
        let id = self.checks.count.wrapping_add(1);
        self.checks.count = id;
        let checks = match is_trial {
            true => vec![CheckChoice::Memory],
            false => self.checks.chosen(),
        };
        let request = SearchRequest::CheckLaunch {
            id,
            is_trial,
            checks: keys(&checks),
            text: String::from(text),
            source,
        };
        (id, self.outcomes.worker_request(request))
    }

    /// Text of the launch, with the first work-group in the timeline.
    fn launch_text(&self) -> Option<String> {
        self.source.document.program.launch.as_ref()?;
        let text = self.text();
        let mut form = LaunchForm::read(&text)?;
        form.group = String::from("0");
        Some(form.write(&text))
    }

    /// Goes to the step of an access, or to its line if the step is not known.
    fn show_access(&mut self, finding: usize, access: usize) {
        let finding = self.findings().get(finding);
        let access = finding.and_then(|finding| finding.accesses.get(access));
        let Some(access) = access.cloned() else {
            return;
        };
        self.choose_item(ItemPlace {
            group: access.group,
            thread: access.thread,
            channel: access.lane,
        });
        let lines = &self.source.document.lines;
        let placed = self.accessing(&access);
        let place = placed.map(|placed| (placed.line, lines.utf16_range(placed.spans.whole())));
        if let Some((line, selection)) = place {
            match access.step {
                Some(step) => self.seek_unexplored(step),
                None => self.run_from_start_to(line),
            }
            self.place_caret(selection, false);
        }
        self.screen.apply(ScreenAction::Show(Area::Stage));
    }
}

#[cfg(test)]
mod tests {
    use super::super::Checks;
    use super::*;
    use crate::features::checks::finding_lines;
    use crate::features::launch::{LaunchAction, LaunchField};
    use crate::features::program::ProgramAction;
    use crate::features::transport::TransportAction;
    use lanewise_core::diagnostic::Severity;
    use lanewise_core::isa::FaultKind;
    use lanewise_web::launch_checks::{CheckedLaunch, LaunchChecks};

    /// Two work-groups; the lanes of each write the first bytes of local memory, which the
    /// second thread reads without a barrier.
    const RACE: &str = include_str!("race.lanewise");

    fn run_to_end(text: &str) -> State {
        let mut state = State::of_text(text);
        assert!(state.can_run(), "{:?}", state.source.problems);
        state.run(TransportAction::ToEnd);
        state
    }

    /// The answer of the worker to the last request.
    fn answer(state: &State) -> ChecksAction {
        answer_to(&state.checks.launch)
    }

    fn answer_to(awaited: &CheckedText) -> ChecksAction {
        let request = awaited.request.as_ref().expect("a request");
        let SearchRequest::CheckLaunch {
            id,
            text,
            source,
            checks,
            ..
        } = &*request.request
        else {
            panic!("{request:?}");
        };
        ChecksAction::Answer(*id, Some(Rc::new(checked(text, source.clone(), checks))))
    }

    fn checked(text: &str, source: Option<String>, checks: &[String]) -> CheckedLaunch {
        let mut checks = LaunchChecks::new(text, source, checks);
        while !checks.work() {}
        checks.finish()
    }

    #[test]
    fn launch_is_checked_once_when_it_has_ended() {
        let mut state = State::of_text(RACE);
        assert!(state.can_run(), "{:?}", state.source.problems);
        assert!(state.checks.launch.request.is_none());
        let before = state.no_problems_text();
        state.act(TransportAction::ToEnd);
        let request = state.checks.launch.request.clone();
        assert!(request.is_some());
        state.act(answer(&state));
        assert_ne!(state.no_problems_text(), before);
        let codes = state.findings().iter().map(|f| &*f.code);
        assert_eq!(codes.collect::<Vec<_>>(), ["W0831", "W0831"]);
        state.act(TransportAction::ToStart);
        state.act(TransportAction::ToEnd);
        assert_eq!(state.checks.launch.request, request);
        assert_eq!(state.findings().len(), 2);
    }

    #[test]
    fn a_fault_is_a_problem_and_ends_the_checks() {
        let text = ".target visa DG2\n.launch global=32 local=16\n.simd 16\n.buffer o : ud[16]\n\
                    .decl V40 v_type=G type=ud num_elts=16 align=GRF\n.decl A0 v_type=A num_elts=1\n\
                    addr_add (M1, 1) A0(0)<1> &V40 0x7ff0:uw\n\
                    mov (M1, 1) V40(0,0)<1> r[A0(0),0]<0;1,0>:ud\nret (M1, 1)\n";
        let mut state = State::of_text(text);
        state.act(TransportAction::ToEnd);
        state.act(answer(&state));
        let problems = state.run_problems();
        let faults: Vec<_> = problems.iter().map(|p| (p.line, p.severity)).collect();
        assert_eq!(faults, [(8, Severity::Error)]);
        let CheckStatus::Done(checked) = &state.checks.launch.status else {
            panic!("{:?}", state.checks.launch.status);
        };
        assert_eq!((checked.groups, checked.fault.is_some()), (1, true));
        // The page does not claim that there are no findings.
        let (_, parts, remark) = state.launch_result().expect("the launch has ended");
        assert!(parts.is_empty() && remark.is_none());
    }

    /// Two blocks whose threads load from an address that is not mapped.
    const UNMAPPED: &str = "\
.target sass SM80
.launch grid=2 block=32
.buffer in : ud[32]
.param 0x160 = &in
S2R R0, SR_TID.X;
MOV R5, 0x4;
IMAD.WIDE R2, R0, R5, c[0x0][0x160];
LDG.E R4, [R2+0x100000];
EXIT;
";

    /// The result of a launch that was run and checked: what has ended, and the counts.
    fn result_of(state: &mut State) -> (String, Vec<String>) {
        state.act(TransportAction::ToEnd);
        state.act(answer(state));
        let (run, parts, _) = state.launch_result().expect("the launch has ended");
        (run, parts.into_iter().map(|part| part.text).collect())
    }

    #[test]
    fn a_fault_that_the_checks_pass_is_said_once() {
        let mut state = State::of_text(UNMAPPED);
        let (run, parts) = result_of(&mut state);
        assert_eq!(
            run,
            "Launch stopped by a fault in block 0; the checks went on without the faulting accesses"
        );
        assert_eq!(parts, ["64 reads outside their buffers"]);
        assert_eq!(state.findings().len(), 1);
        assert_eq!(state.run_problems(), []);
        // Without the check that reports its access, the fault ends the checks, too.
        state.act(ChecksAction::Choose(CheckChoice::Memory, false));
        let (run, parts) = result_of(&mut state);
        assert_eq!(run, "Launch stopped by a fault in block 0");
        assert!(parts.is_empty());
        assert_eq!(state.run_problems().len(), 1);
    }

    /// The checks of the worker, changed.
    fn changed_answer(state: &State, change: impl FnOnce(&mut CheckedLaunch)) -> ChecksAction {
        let ChecksAction::Answer(id, Some(checked)) = answer(state) else {
            panic!("no answer");
        };
        let mut checked = (*checked).clone();
        change(&mut checked);
        ChecksAction::Answer(id, Some(Rc::new(checked)))
    }

    #[test]
    fn checks_that_pass_a_fault_can_end_at_another() {
        let text = UNMAPPED.replace("MOV R5", "S2R R6, SR_CTAID.X;\nMOV R5");
        let in_block = |block: u32| {
            let exit = format!("ISETP.NE.AND P0, PT, R6, {block:#x}, PT;\n@P0 EXIT");
            text.replace("EXIT", &exit)
        };
        for block in [0, 1] {
            let mut state = State::of_text(&in_block(block));
            let (run, parts) = result_of(&mut state);
            assert_eq!(
                run,
                format!(
                    "Launch stopped by a fault in block 0; the checks went on without the \
                     faulting accesses until another fault in block {block}"
                )
            );
            assert_eq!(parts.len(), 1);
            // The finding stands for the first fault, and the text names the other one.
            assert_eq!(state.run_problems(), []);
            let CheckStatus::Done(checked) = &state.checks.launch.status else {
                panic!("{:?}", state.checks.launch.status);
            };
            let end = checked.fault.as_ref().expect("a fault");
            assert_eq!((end.group, end.kind), (block, FaultKind::PastEnd));
            assert!(state.checks_text().unwrap().contains(&end.message));
        }
    }

    #[test]
    fn a_fault_is_the_same_in_other_words() {
        let mut state = State::of_text(UNMAPPED);
        state.act(ChecksAction::Choose(CheckChoice::Memory, false));
        state.act(TransportAction::ToEnd);
        let answer = changed_answer(&state, |checked| {
            checked.fault.as_mut().unwrap().message = String::from("lane 7");
        });
        state.act(answer);
        let (run, ..) = state.launch_result().expect("the launch has ended");
        assert_eq!(run, "Launch stopped by a fault in block 0");
        assert_eq!(state.run_problems().len(), 1);
        assert!(!state.checks_text().unwrap().contains("lane 7"));
    }

    #[test]
    fn checks_that_end_before_a_fault_do_not_pass_it() {
        let mut state = State::of_text(UNMAPPED);
        state.act(TransportAction::ToEnd);
        let answer = changed_answer(&state, |checked| checked.groups = 0);
        state.act(answer);
        let (run, ..) = state.launch_result().expect("the launch has ended");
        assert_eq!(run, "Launch stopped by a fault in block 0");
        assert_eq!(state.run_problems().len(), 1);
    }

    #[test]
    fn a_misaligned_access_is_reported_once() {
        let text = UNMAPPED.replace("0x100000", "0x2");
        let mut state = State::of_text(&text.replace("ud[32]", "ud[64]"));
        let (_, parts) = result_of(&mut state);
        assert_eq!(parts, ["1 misaligned access"]);
        let fault = state.session.fault().expect("the run stops");
        assert_eq!(fault.kind, FaultKind::Misaligned);
        assert_eq!(state.run_problems(), []);
    }

    #[test]
    fn a_fault_of_a_later_group_ends_the_checks() {
        let text = UNMAPPED.replace("S2R R0, SR_TID.X", "S2R R0, SR_CTAID.X");
        let text = text.replace("LDG.E R4, [R2+0x100000]", "ISETP.NE.AND P0, PT, R0, RZ, PT");
        let mut state = State::of_text(&text.replace("EXIT", "@!P0 EXIT"));
        let (run, _) = result_of(&mut state);
        let expected = "Block 0 finished (1 of 2); a fault in block 1 stops the launch";
        assert_eq!(run, expected);
    }

    #[test]
    fn writes_past_local_memory_are_not_dropped() {
        let text = ".launch global=8 local=8\n.simd 8\n.slm 16\n\
                    .decl V32 v_type=G type=ud num_elts=8 align=GRF\n.init V32 = iota(0, 4)\n\
                    scatter4_scaled.R (M1, 8) T0 0x0:ud V32.0 V32.0\nret (M1, 1)\n";
        let mut state = State::of_text(text);
        state.act(TransportAction::ToEnd);
        state.act(answer(&state));
        let (_, parts, _) = state.launch_result().expect("the launch has ended");
        let parts: Vec<&str> = parts.iter().map(|part| &*part.text).collect();
        assert_eq!(parts, ["4 accesses out of bounds"]);
    }

    #[test]
    fn dialog_says_what_is_out_of_bounds() {
        let mut state = State::of_scenario("kernel-histogram");
        state.act(LaunchAction::Open);
        state.act(answer_to(&state.checks.trial));
        let fine = state.trial_text();
        let length = LaunchAction::Edit(LaunchField::Quantity(1), String::from("8"));
        state.act(length);
        assert!(state.checks.trial.awaits_response());
        state.act(answer_to(&state.checks.trial));
        assert_ne!(state.trial_text(), fine);
        // The checks of a launch that has run are others.
        assert!(state.checks.launch.request.is_none());
        state.act(ScreenAction::CloseDialog);
        assert!(state.trial_text().is_empty());
    }

    #[test]
    fn checks_are_selected() {
        let mut state = State::of_text(RACE);
        let choose = |state: &mut State, choice, is_chosen| {
            state.act(ChecksAction::Choose(choice, is_chosen));
        };
        for choice in CheckChoice::ALL {
            choose(&mut state, choice, false);
        }
        state.act(TransportAction::ToEnd);
        assert!(state.session.at_end() && state.checks.launch.request.is_none());
        assert_eq!(state.checks.settings(), Some(Vec::new()));
        let off = state.checks_text();
        choose(&mut state, CheckChoice::Memory, true);
        state.act(answer(&state));
        assert!(state.findings().is_empty());
        assert_ne!(state.checks_text(), off);
        choose(&mut state, CheckChoice::Races, true);
        state.act(answer(&state));
        assert_eq!(state.findings().len(), 2);
        // They are the same on the next visit.
        let keys = state.checks.settings();
        assert_eq!(
            keys.as_deref(),
            Some(&["races", "memory"].map(String::from)[..])
        );
        let next = Checks::restored(keys.as_deref());
        assert_eq!(next.chosen(), state.checks.chosen());
    }

    #[test]
    fn both_lines_of_a_finding_are_marked_in_the_source() {
        let text = RACE
            .replace("mov (M1, 8)", "FILE \"a.cl\"\nLOC 3\nmov (M1, 8)")
            .replace("gather4", "LOC 5\ngather4");
        let mut state = run_to_end(&text);
        assert!(finding_lines(state.findings()).is_empty());
        state.act(answer(&state));
        let lines = finding_lines(state.findings());
        let lines: Vec<_> = lines
            .iter()
            .map(|(line, code, _)| (*line, &**code))
            .collect();
        assert_eq!(lines, [(3, "W0831"), (5, "W0831")]);
    }

    #[test]
    fn single_instructions_are_not_checked() {
        let mut state = State::of_scenario("lock");
        state.act(TransportAction::ToEnd);
        assert!(state.session.at_end() && state.checks.launch.request.is_none());
    }

    #[test]
    fn late_answer_about_another_text_is_ignored() {
        let mut state = run_to_end(RACE);
        let late = answer(&state);
        let text = state.text().replace("0x1:ud", "0x2:ud");
        state.act(ProgramAction::Edit(text));
        state.act(late);
        assert!(state.findings().is_empty());
    }

    #[test]
    fn access_is_shown_in_its_group() {
        let mut state = run_to_end(RACE);
        state.act(answer(&state));
        let access = state.findings()[0].accesses[1].clone();
        let line = state.accessing(&access).unwrap().line;
        state.act(LaunchAction::ShowGroup(1));
        let (finding, second) = (0, 1);
        state.run(ChecksAction::Show {
            finding,
            access: second,
        });
        assert_eq!(state.group(), access.group);
        assert_eq!(state.current_line(), Some(line));
        // The launch is still the same.
        assert_eq!(state.findings().len(), 2);
    }

    #[test]
    fn out_of_bounds_is_said_once() {
        let text = RACE.replace("0x0:ud V32.0 V33.0\n", "0x100000:ud V32.0 V33.0\n");
        assert_ne!(text, RACE);
        let mut state = run_to_end(&text);
        assert_eq!(state.run_problems().len(), 1);
        state.act(answer(&state));
        assert_eq!(state.findings()[0].code, "W0833");
        assert!(state.run_problems().is_empty());
    }
}
