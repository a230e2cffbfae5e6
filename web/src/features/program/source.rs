//! The program being edited, and its origin.

use super::line_index::LineIndex;
use super::{Breakpoints, EditorMode, Problem};
use crate::store::Request;
use lanewise_core::ide;
use lanewise_core::isa::Style;
use lanewise_core::library::{Bundled, named};
use lanewise_core::program::Program;
use std::rc::Rc;

/// Text replaced by another one.
pub(crate) use lanewise_saved::Draft;

/// Parsed text: the program and its errors.
#[derive(Clone, Debug)]
pub(crate) struct Document {
    pub(crate) text: Rc<str>,
    pub(crate) program: Rc<Program>,
    pub(crate) lines: Rc<LineIndex>,
}

impl Document {
    pub(crate) fn parse(text: &str) -> Self {
        // Normalizes line ends like a text area, so that positions agree.
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

    /// The text in a syntax; unreadable lines are unchanged.
    pub(crate) fn format(&self, style: Style) -> ide::Formatted {
        ide::format(&self.program, &self.text, style)
    }
}

/// Documents compare by identity: each edit creates a new one.
impl PartialEq for Document {
    fn eq(&self, other: &Self) -> bool {
        Rc::ptr_eq(&self.program, &other.program)
    }
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Origin {
    Bundled(&'static Bundled),
    /// A link: the fragment, if known. Saved texts do not include it.
    Link(Option<Rc<str>>),
    /// A file; the fragment of its address if it is one of `lanewise serve`.
    File(Option<Rc<str>>),
    /// Started empty.
    New,
    Example,
    /// Saved text of a scenario that this version does not have.
    Kept,
}

impl Origin {
    /// Stable id, saved with a text, and label.
    const fn names(&self) -> (&'static str, &'static str) {
        match self {
            Self::Bundled(scenario) => (scenario.id, scenario.title),
            Self::Link(_) => ("link", "From a link"),
            Self::File(_) => ("file", "From a file"),
            Self::Example => ("example", "Example"),
            Self::New => ("new", "New program"),
            Self::Kept => ("kept", "Saved text"),
        }
    }

    pub(crate) const fn id(&self) -> &'static str {
        self.names().0
    }

    pub(crate) const fn label(&self) -> &'static str {
        self.names().1
    }

    /// Parses a stable id.
    pub(crate) fn of_id(id: &str) -> Self {
        let mut others = [Self::Link(None), Self::File(None), Self::Example, Self::New].into_iter();
        let other = others.find(|origin| origin.id() == id);
        other.unwrap_or_else(|| named(id).map_or(Self::Kept, Self::Bundled))
    }

    pub(crate) const fn bundled(&self) -> Option<&'static Bundled> {
        match self {
            Self::Bundled(scenario) => Some(scenario),
            Self::Link(_) | Self::File(_) | Self::New | Self::Example | Self::Kept => None,
        }
    }

    pub(crate) const fn is_bundled(&self) -> bool {
        self.bundled().is_some()
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Caret {
    /// Selection start and end, in UTF-16 code units.
    pub(crate) selection: (u32, u32),
    pub(crate) focus: bool,
}

/// The program being edited.
#[derive(Clone, Debug)]
pub(crate) struct Source {
    /// Current text, parsed: the program and its errors.
    pub(crate) document: Document,
    pub(crate) origin: Origin,
    /// Name under which a text from outside was opened in this visit; empty otherwise.
    pub(crate) name: Rc<str>,
    /// Original text, parsed.
    pub(crate) original: Document,
    /// Number of programs opened so far; each has its own undo history.
    pub(crate) opened: u32,
    /// Earlier drafts, newest first.
    pub(crate) drafts: Rc<[Draft]>,
    /// Report of the last rewrite, until the text is edited.
    pub(crate) formatted: Option<String>,
    /// Whether the title and description belong to the scenario, but the
    /// instructions differ.
    pub(crate) is_heading_outdated: bool,
    pub(crate) problems: Rc<[Problem]>,
    pub(crate) caret: Option<Request<Caret>>,
    pub(crate) editor: EditorMode,
    pub(crate) breakpoints: Breakpoints,
}

impl Source {
    /// Empty text.
    pub(crate) fn new(origin: Origin, drafts: Vec<Draft>, editor: EditorMode) -> Self {
        let empty = Document::parse("");
        Self {
            document: empty.clone(),
            origin,
            name: Rc::from(""),
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

    /// Index of the draft to restore first: the newest of this scenario, or of all.
    pub(crate) fn first_draft(&self) -> usize {
        let is_own = |draft: &Draft| *draft.scenario == *self.origin.id();
        self.drafts.iter().position(is_own).unwrap_or(0)
    }

    /// Label of the program in the bar.
    pub(crate) fn label(&self) -> &str {
        match self.origin {
            Origin::File(_) if !self.name.is_empty() => &self.name,
            Origin::File(_) => self.title().unwrap_or(self.origin.label()),
            _ => self.origin.label(),
        }
    }

    /// Whether the text has no errors.
    pub(crate) fn can_run(&self) -> bool {
        self.document.program.can_run()
    }

    /// Whether the text differs in more than the work-group shown, which also selecting one
    /// or continuing through the groups changes.
    pub(crate) fn is_edited(&self) -> bool {
        !ide::equal_but_group(&self.original.text, &self.document.text)
    }

    /// `.title` of the text.
    pub(crate) fn title(&self) -> Option<&str> {
        self.document.program.title.as_deref()
    }
}

/// Title given in a text, if any.
pub(super) fn own_title(text: &str) -> Option<&str> {
    let mut lines = text.lines().map(str::trim_start);
    let title = lines.find_map(|line| line.strip_prefix(".title"))?;
    Some(title.trim().trim_matches('"')).filter(|title| !title.is_empty())
}

/// Title of a draft: its own, or that of its scenario.
pub(crate) fn draft_title(draft: &Draft) -> String {
    let scenario = || named(&draft.scenario).map(|scenario| scenario.title);
    let title = own_title(&draft.text).or_else(scenario);
    String::from(title.unwrap_or("Untitled"))
}
