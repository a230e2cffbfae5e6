//! The program as it is being edited, and what it came from.

use super::line_index::LineIndex;
use super::{Breakpoints, EditorMode, Problem};
use crate::store::Request;
use lanewise_core::library::{Bundled, named};
use lanewise_core::program::Program;
use std::rc::Rc;

/// A text that another one took the place of.
pub(crate) use lanewise_saved::Draft;

/// The text of the editor, read: the program and its errors.
#[derive(Clone, Debug)]
pub(crate) struct Document {
    pub(crate) text: Rc<str>,
    pub(crate) program: Rc<Program>,
    pub(crate) lines: Rc<LineIndex>,
}

impl Document {
    pub(crate) fn parse(text: &str) -> Self {
        // What a text area makes of line ends, so that both agree on places.
        let text: Rc<str> = if text.contains('\r') {
            Rc::from(text.replace("\r\n", "\n").replace('\r', "\n"))
        } else {
            Rc::from(text)
        };
        Self {
            program: Rc::new(Program::parse(&text)),
            lines: Rc::new(LineIndex::new(Rc::clone(&text))),
            text,
        }
    }
}

/// Every edit makes another document.
impl PartialEq for Document {
    fn eq(&self, other: &Self) -> bool {
        Rc::ptr_eq(&self.program, &other.program)
    }
}

/// What a text started from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Origin {
    Bundled(&'static Bundled),
    /// A link: what follows `#`, where it is known. What the browser keeps of a
    /// text does not have it.
    Link(Option<Rc<str>>),
    File,
    /// The example of an explanation.
    Example,
    /// A text that the browser kept, of a scenario that this version does not
    /// have.
    Kept,
}

impl Origin {
    const LINK: &str = "link";
    const FILE: &str = "file";
    const EXAMPLE: &str = "example";

    /// What is kept of it with a text.
    pub(crate) const fn id(&self) -> &'static str {
        match self {
            Self::Bundled(scenario) => scenario.id,
            Self::Link(_) => Self::LINK,
            Self::File => Self::FILE,
            Self::Example => Self::EXAMPLE,
            Self::Kept => "kept",
        }
    }

    /// What such an id says.
    pub(crate) fn of_id(id: &str) -> Self {
        match id {
            Self::LINK => Self::Link(None),
            Self::FILE => Self::File,
            Self::EXAMPLE => Self::Example,
            id => named(id).map_or(Self::Kept, Self::Bundled),
        }
    }

    /// What the page calls it.
    pub(crate) const fn label(&self) -> &'static str {
        match self {
            Self::Bundled(scenario) => scenario.title,
            Self::Link(_) => "From a link",
            Self::File => "From a file",
            Self::Example => "An example",
            Self::Kept => "A kept text",
        }
    }

    pub(crate) const fn bundled(&self) -> Option<&'static Bundled> {
        match self {
            Self::Bundled(scenario) => Some(scenario),
            Self::Link(_) | Self::File | Self::Example | Self::Kept => None,
        }
    }

    pub(crate) const fn is_bundled(&self) -> bool {
        self.bundled().is_some()
    }
}

/// Where the caret is to go.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Caret {
    /// Where the selection starts and ends, in UTF-16 units.
    pub(crate) selection: (u32, u32),
    /// Whether the focus goes there too.
    pub(crate) focus: bool,
}

/// The program as it is being edited.
#[derive(Clone, Debug)]
pub(crate) struct Source {
    /// The text as it is, read: the program and its errors.
    pub(crate) document: Document,
    /// What the text started from.
    pub(crate) origin: Origin,
    /// The text that it started from, read.
    pub(crate) original: Document,
    /// How many programs were opened: an editor has another history for each.
    pub(crate) opened: u32,
    /// Texts that others took the place of, the last first.
    pub(crate) drafts: Rc<[Draft]>,
    /// What rewriting the text in one spelling did, until it is edited.
    pub(crate) formatted: Option<String>,
    /// Whether title and notes are the scenario's, and the program is not.
    pub(crate) is_heading_outdated: bool,
    pub(crate) problems: Rc<[Problem]>,
    pub(crate) caret: Option<Request<Caret>>,
    pub(crate) editor: EditorMode,
    pub(crate) breakpoints: Breakpoints,
}

impl Source {
    /// No text yet.
    pub(crate) fn new(origin: Origin, drafts: Vec<Draft>, editor: EditorMode) -> Self {
        let empty = Document::parse("");
        Self {
            document: empty.clone(),
            origin,
            original: empty,
            opened: 0,
            drafts: drafts.into(),
            formatted: None,
            is_heading_outdated: false,
            problems: Rc::from([]),
            caret: None,
            editor,
            breakpoints: Breakpoints::default(),
        }
    }

    /// Whether the text has no errors, so that it can be run.
    pub(crate) fn can_run(&self) -> bool {
        self.document.program.can_run()
    }

    /// `.title` of the text.
    pub(crate) fn title(&self) -> Option<&str> {
        self.document.program.title.as_deref()
    }
}

/// The title that a text gives itself, if it has one.
pub(super) fn own_title(text: &str) -> Option<&str> {
    let mut lines = text.lines().map(str::trim_start);
    let title = lines.find_map(|line| line.strip_prefix(".title"))?;
    Some(title.trim().trim_matches('"')).filter(|title| !title.is_empty())
}

/// What a draft is called: its own title, or that of its scenario.
pub(crate) fn draft_title(draft: &Draft) -> String {
    let scenario = || named(&draft.scenario).map(|scenario| scenario.title);
    let title = own_title(&draft.text).or_else(scenario);
    String::from(title.unwrap_or("Without a title"))
}
