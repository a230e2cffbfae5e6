use super::{Speed, StepSize};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum TransportAction {
    Step,
    StepBack,
    ToStart,
    ToEnd,
    /// Seeks to a position of the timeline.
    Seek(usize),
    /// Seeks to the start of the next instruction.
    NextInstruction,
    /// Seeks to the start of this instruction, or of the previous one if
    /// already there.
    PreviousInstruction,
    /// Executes one instruction or line; of a call, until it has returned.
    StepOver,
    /// Executes the rest of a function.
    StepOut,
    /// Runs up to the next breakpoint, or to the end of the launch.
    Continue,
    /// Runs up to an instruction on a line, from 0, or the next instruction
    /// after it.
    RunToLine(u32),
    /// Runs up to the next execution of a line of the source, from 1.
    RunToSourceLine(u32),
    /// Runs up to the next barrier.
    NextBarrier,
    /// Runs until the same thread reaches the same line again.
    NextIteration,
    /// Runs until a thread has executed an instruction.
    StepThread(u8),
    /// Chooses a thread; `None` follows the schedule.
    Thread(Option<u8>),
    /// Restarts the run.
    Reset,
    /// Starts or pauses automatic stepping.
    ToggleRun,
    /// Timer tick of automatic stepping; on the way to a goal, this many slices may be
    /// computed.
    Tick {
        slices: u16,
    },
    /// Sets the speed of automatic stepping.
    Speed(Speed),
    StepSize(StepSize),
}

impl TransportAction {
    /// Whether the action is a manual move to another step.
    pub(crate) const fn moves(self) -> bool {
        !matches!(
            self,
            Self::ToggleRun
                | Self::Tick { .. }
                | Self::Speed(_)
                | Self::StepSize(_)
                | Self::Thread(_)
        )
    }
}
