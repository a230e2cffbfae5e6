//! The target of a program: a family and a platform or chip.

use super::sass::chip::Chip;
use super::visa::platform::Platform;
use alloc::format;
use alloc::string::String;

/// An instruction-set family, which determines syntax and encoding.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Family {
    /// Intel's virtual ISA.
    Visa,
    /// NVIDIA's machine code.
    Sass,
}

/// Words of the programming model of a family for the parts of a launch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LaunchWords {
    pub item: &'static str,
    /// Items that share memory and barriers.
    pub group: &'static str,
    /// The same, where the item is not mentioned beside it.
    pub work_group: &'static str,
    /// Items that execute together as lanes.
    pub thread: &'static str,
    /// A lane, as instructions count them.
    pub channel: &'static str,
    /// Memory of a group.
    pub local: &'static str,
    /// Memory of an item.
    pub private: &'static str,
    /// Values of an item that are not in memory.
    pub variable: &'static str,
    /// The ID by which items are named.
    pub id: &'static str,
    /// Whether this is the ID in the group.
    pub is_id_local: bool,
    /// Conditions in short, for hints: on an item, and of each kind.
    pub condition: &'static str,
    pub conditions: &'static str,
    /// An ID and variables, for hints.
    pub id_example: &'static str,
    pub variables_example: &'static str,
}

static OPENCL_WORDS: LaunchWords = LaunchWords {
    item: "work-item",
    group: "group",
    work_group: "work-group",
    thread: "thread",
    channel: "channel",
    local: "local",
    private: "private",
    variable: "variable",
    id: "global ID",
    is_id_local: false,
    condition: "global_id == 35",
    conditions: "`global_id == 35`, `lane 3` or `V62(0,5) > 100`",
    id_example: "35",
    variables_example: "V34, V36",
};

static CUDA_WORDS: LaunchWords = LaunchWords {
    item: "thread",
    group: "block",
    work_group: "block",
    thread: "warp",
    channel: "lane",
    local: "shared",
    private: "local",
    variable: "register",
    id: "thread",
    is_id_local: true,
    condition: "threadIdx.x == 3",
    conditions: "`threadIdx.x == 3`, `warp 1` or `lane 3`",
    id_example: "3",
    variables_example: "R2, R4",
};

impl LaunchWords {
    /// A text that uses the words of OpenCL, in these words.
    #[must_use]
    pub fn translate(&self, text: &str) -> String {
        let own = &OPENCL_WORDS;
        // A word that is also a translation comes before it.
        [
            (own.thread, self.thread),
            (own.item, self.item),
            (own.work_group, self.work_group),
            (own.group, self.group),
            (own.local, self.local),
            (own.private, self.private),
        ]
        .iter()
        .fold(String::from(text), |text, (word, own)| {
            text.replace(word, own)
        })
    }
}

impl Family {
    /// Words for the parts of a launch.
    #[must_use]
    pub const fn launch_words(self) -> &'static LaunchWords {
        match self {
            Self::Visa => &OPENCL_WORDS,
            Self::Sass => &CUDA_WORDS,
        }
    }

    /// Name in `.target NAME …`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Visa => "visa",
            Self::Sass => "sass",
        }
    }
}

/// The target of a program.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Target {
    /// vISA on a platform.
    Visa(Platform),
    /// SASS on a chip.
    Sass(Chip),
}

impl Default for Target {
    fn default() -> Self {
        Self::Visa(Platform::default())
    }
}

impl Target {
    #[must_use]
    pub const fn family(self) -> Family {
        match self {
            Self::Visa(_) => Family::Visa,
            Self::Sass(_) => Family::Sass,
        }
    }

    /// `visa XEHP`, `sass SM50`.
    #[must_use]
    pub fn name(self) -> String {
        let own = match self {
            Self::Visa(platform) => platform.name(),
            Self::Sass(chip) => chip.name(),
        };
        format!("{} {own}", self.family().name())
    }
}

impl From<Platform> for Target {
    fn from(platform: Platform) -> Self {
        Self::Visa(platform)
    }
}

impl From<Chip> for Target {
    fn from(chip: Chip) -> Self {
        Self::Sass(chip)
    }
}
