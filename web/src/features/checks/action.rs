use super::CheckChoice;
use lanewise_web::launch_checks::CheckedLaunch;
use std::rc::Rc;

#[derive(Clone, Debug, PartialEq)]
pub(crate) enum ChecksAction {
    /// Answer of the worker to a request; `None` while the checks run.
    Answer(u32, Option<Rc<CheckedLaunch>>),
    /// The worker failed, for this reason.
    WorkerFailed(Rc<str>),
    /// Selects a check for launches, or does not.
    Choose(CheckChoice, bool),
    /// Goes to an access of a finding.
    Show { finding: usize, access: usize },
}
