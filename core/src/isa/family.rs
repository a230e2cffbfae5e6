//! The instruction-set families, and the facts in which they differ.

use alloc::string::String;

/// An instruction-set family, which determines syntax and encoding. Code outside of `isa`
/// asks for its [`FamilyFacts`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Family {
    /// Intel's virtual ISA.
    Visa,
    /// NVIDIA's machine code.
    Sass,
}

/// Spelling of printed text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Style {
    /// The documents' spelling.
    Document,
    /// The real assembler's spelling.
    Assembler,
}

/// The unit of encodings.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EncodingUnit {
    /// Bytes, written in order. Instructions differ in length.
    Byte,
    /// Words of eight bytes, written as numbers. A control word and the instructions that
    /// it schedules are a group.
    Word,
}

/// Facts in which the families differ.
#[derive(Debug)]
pub struct FamilyFacts {
    /// Name in `.target NAME …`.
    pub name: &'static str,
    /// Name in sentences.
    pub title: &'static str,
    /// The instruction set, for a list.
    pub about: &'static str,
    /// Words for which a search finds its instructions.
    pub search_words: &'static str,
    /// Noun for what follows the family in `.target`.
    pub processor: &'static str,
    /// An example of a target of compiled programs.
    pub compiled_target: &'static str,
    /// Spellings of a text, by name.
    pub spellings: &'static [(&'static str, Style)],
    /// Spelling of the vendor's tools.
    pub tool_style: Style,
    pub encoding_unit: EncodingUnit,
    /// Whether variables are declared, and have IDs like labels and functions. Otherwise
    /// names are those of registers, and labels are names only.
    pub has_declarations: bool,
    /// Whether each lane has registers of its own. Otherwise all lanes of a thread have
    /// elements of variables.
    pub has_lane_registers: bool,
    /// Whether an instruction has an execution size in parentheses before its operands.
    /// Otherwise commas separate these.
    pub has_execution_sizes: bool,
    /// Whether listings have comments that start with `#`, and comments that name the
    /// lines of the source.
    pub has_listing_comments: bool,
    /// Name of the virtual memory.
    pub virtual_memory: &'static str,
    /// Help for an `.init` line that sets memory.
    pub memory_help: &'static str,
    /// Default size of the shared local memory, in bytes.
    pub local_bytes: u64,
    /// Whether the source of kernels is CUDA C, otherwise OpenCL C.
    pub is_cuda: bool,
    /// Words for the parts of a launch.
    pub words: LaunchWords,
}

static VISA: FamilyFacts = FamilyFacts {
    name: "visa",
    title: "vISA",
    about: "Intel's virtual ISA",
    search_words: "intel visa",
    processor: "platform",
    compiled_target: "visa PVC",
    spellings: &[
        ("vISA specification syntax", Style::Document),
        ("IGC assembler syntax", Style::Assembler),
    ],
    tool_style: Style::Assembler,
    encoding_unit: EncodingUnit::Byte,
    has_declarations: true,
    has_lane_registers: false,
    has_execution_sizes: true,
    has_listing_comments: false,
    virtual_memory: "svm",
    memory_help: "write .init slm[0x40] : ud = …, with slm, svm or a declared surface",
    local_bytes: 65_536,
    is_cuda: false,
    words: OPENCL_WORDS,
};

static SASS: FamilyFacts = FamilyFacts {
    name: "sass",
    title: "SASS",
    about: "NVIDIA's machine code",
    search_words: "nvidia sass cuda ptx",
    processor: "chip",
    compiled_target: "sass SM60",
    spellings: &[("Format", Style::Assembler)],
    // With the semicolon.
    tool_style: Style::Document,
    encoding_unit: EncodingUnit::Word,
    has_declarations: false,
    has_lane_registers: true,
    has_execution_sizes: false,
    has_listing_comments: true,
    virtual_memory: "global",
    memory_help: "write .init global[0x10000] : ud = …",
    local_bytes: 0,
    is_cuda: true,
    words: CUDA_WORDS,
};

impl Family {
    pub const ALL: [Self; 2] = [Self::Visa, Self::Sass];

    /// The facts in which the family differs from others.
    #[must_use]
    pub const fn facts(self) -> &'static FamilyFacts {
        match self {
            Self::Visa => &VISA,
            Self::Sass => &SASS,
        }
    }

    /// Name in `.target NAME …`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        self.facts().name
    }
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

const OPENCL_WORDS: LaunchWords = LaunchWords {
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
    conditions: "`global_id == 35`, `lane 3` or `V62 > 100 && lane 3`",
    id_example: "35",
    variables_example: "V34, V36",
};

const CUDA_WORDS: LaunchWords = LaunchWords {
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
    conditions: "`threadIdx.x == 3`, `warp 1` or `R4 > 100 && lane 3`",
    id_example: "3",
    variables_example: "R2, R4",
};

impl LaunchWords {
    /// Words for launches whose size is a number of groups, or of items.
    #[must_use]
    pub const fn of_sizes(is_grid: bool) -> &'static Self {
        match is_grid {
            true => &CUDA_WORDS,
            false => &OPENCL_WORDS,
        }
    }

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
