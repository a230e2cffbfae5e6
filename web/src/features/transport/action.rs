use super::{Speed, Stride};

/// What a reader can do with the run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum TransportAction {
    /// One step on.
    Step,
    /// One step back.
    StepBack,
    /// To the start.
    ToStart,
    /// To the end.
    ToEnd,
    /// To a position of the timeline.
    Seek(usize),
    /// To the start of the next instruction.
    NextInstruction,
    /// To the start of this instruction, or of the one before.
    PreviousInstruction,
    /// A fresh run.
    Reset,
    /// Start or stop stepping by itself.
    ToggleRun,
    /// The time for the next step by itself has come.
    Tick,
    /// How fast to step by itself.
    Speed(Speed),
    /// How far a step goes.
    Stride(Stride),
}

impl TransportAction {
    /// Whether it goes to another step by hand.
    pub(crate) const fn moves(self) -> bool {
        !matches!(
            self,
            Self::ToggleRun | Self::Tick | Self::Speed(_) | Self::Stride(_)
        )
    }
}
