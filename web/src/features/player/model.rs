//! The compact player inside another page: what it shows, and the question
//! that a reader answers before it runs.

use super::quiz::Quiz;
use crate::features::machine::Tab;
use lanewise_core::isa::Family;
use lanewise_link::Link;

/// The options in the address of a player.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct PlayerOptions {
    /// The link that the address ends in: the scenario.
    pub(crate) link: Option<String>,
    /// The panes below the steps, by name.
    pub(crate) panes: Option<String>,
    /// Whether the text may only be read.
    pub(crate) readonly: bool,
    /// Whether the program runs at once, step by step.
    pub(crate) run: bool,
    /// The question.
    pub(crate) quiz: Option<String>,
    /// What the answer is taken from.
    pub(crate) answer_from: Option<String>,
}

/// A pane below the steps.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Pane {
    /// The instruction's picture: lanes, planes, or which EU supplies Src2.
    Picture,
    /// Registers and memories, one at a time.
    State,
    Encoding,
    Explain,
    /// Every result that some order of the lanes gives.
    Outcomes,
}

/// The compact player.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Player {
    pub(crate) panes: Vec<Pane>,
    /// Names of panes that there are none of.
    pub(crate) unknown: Vec<String>,
    pub(crate) readonly: bool,
    pub(crate) quiz: Option<Quiz>,
    /// The state tab that the options name.
    pub(crate) tab: Option<Tab>,
    /// Why there is no scenario.
    pub(crate) broken: Option<String>,
}

impl Pane {
    /// In the order in which a player shows them where its options do not say.
    pub(crate) const ALL: [Self; 5] = [
        Self::Picture,
        Self::State,
        Self::Encoding,
        Self::Explain,
        Self::Outcomes,
    ];

    /// The panes of a player whose options name none.
    pub(crate) const DEFAULT: [Self; 2] = [Self::Picture, Self::State];

    /// Its name in the options of a player.
    pub(crate) const fn key(self) -> &'static str {
        match self {
            Self::Picture => "picture",
            Self::State => "state",
            Self::Encoding => "encoding",
            Self::Explain => "explain",
            Self::Outcomes => "outcomes",
        }
    }

    pub(crate) const fn label(self) -> &'static str {
        match self {
            Self::Picture => "Stage",
            Self::State => "State",
            Self::Encoding => "Encoding",
            Self::Explain => "Explain",
            Self::Outcomes => "Outcomes",
        }
    }
}

/// The pane of a name, and the state tab that it opens.
fn pane(name: &str, family: Family) -> Option<(Pane, Option<Tab>)> {
    let memory = match family {
        Family::Visa => Tab::Virtual,
        Family::Sass => Tab::Global,
    };
    Some(match name {
        "lanes" | "planes" | "supply" => (Pane::Picture, None),
        "registers" => (Pane::State, Some(Tab::Registers)),
        "slm" => (Pane::State, Some(Tab::Local)),
        "svm" | "global" => (Pane::State, Some(memory)),
        "surfaces" => (Pane::State, Some(Tab::Surfaces)),
        _ => {
            let pane = Pane::ALL.into_iter().find(|pane| pane.key() == name);
            (pane?, None)
        }
    })
}

/// Where the whole page shows a text.
///
/// # Errors
/// Why no link leads to it.
pub(crate) fn program_address(text: &str) -> Result<String, String> {
    let link = Link {
        text: String::from(text),
        ..Link::default()
    };
    let fragment = link.fragment().map_err(|error| error.to_string())?;
    Ok(format!("./#{fragment}"))
}

impl Player {
    /// The player that the options describe, of a program for this family;
    /// `broken` is why there is no program.
    pub(crate) fn new(options: PlayerOptions, family: Family, broken: Option<String>) -> Self {
        let mut player = Self {
            panes: Vec::new(),
            unknown: Vec::new(),
            readonly: options.readonly,
            quiz: options
                .quiz
                .map(|question| Quiz::new(question, options.answer_from)),
            tab: None,
            broken,
        };
        let Some(panes) = options.panes.as_deref() else {
            player.panes = Pane::DEFAULT.to_vec();
            return player;
        };
        for name in panes.split([',', ' ']).filter(|name| !name.is_empty()) {
            let Some((pane, tab)) = pane(name, family) else {
                player.unknown.push(String::from(name));
                continue;
            };
            if !player.panes.contains(&pane) {
                player.panes.push(pane);
            }
            player.tab = player.tab.or(tab);
        }
        player
    }
}
