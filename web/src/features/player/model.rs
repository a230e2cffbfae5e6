//! Model of the embedded player.

use lanewise_answer::choices;
use lanewise_answer::grids::{MemoryKind, Tab};
use lanewise_core::isa::FamilyFacts;
use lanewise_link::Link;

/// Options in a player's address.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct PlayerOptions {
    /// Link in the fragment: the scenario.
    pub(crate) link: Option<String>,
    /// Names of the panes below the steps.
    pub(crate) panes: Option<String>,
    /// Whether the text is read-only.
    pub(crate) readonly: bool,
    /// Whether to start running immediately.
    pub(crate) run: bool,
}

choices! {
    /// Pane below the steps, in default order.
    pub(crate) Pane {
        /// Stage: lanes, planes or the Src2 supply.
        Stage "picture" "Stage",
        /// Registers and memories, one at a time.
        State "state" "State",
        Encoding "encoding" "Encoding",
        Explain "explain" "Explain",
        /// All results reachable with some lane order.
        Outcomes "outcomes" "Outcomes",
    }
}

#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Player {
    pub(crate) panes: Vec<Pane>,
    /// Unknown pane names.
    pub(crate) unknown: Vec<String>,
    pub(crate) readonly: bool,
    /// Tab of the State pane named in the options.
    pub(crate) tab: Option<Tab>,
    /// Why no scenario could be loaded.
    pub(crate) broken: Option<String>,
}

impl Pane {
    /// Panes shown if the options name none.
    pub(crate) const DEFAULT: [Self; 2] = [Self::Stage, Self::State];
}

/// Pane with a name, and the State tab that it opens.
fn pane(name: &str, facts: &FamilyFacts) -> Option<(Pane, Option<Tab>)> {
    Some(match name {
        "lanes" | "planes" | "supply" => (Pane::Stage, None),
        "buffers" => (Pane::State, Some(Tab::Buffers)),
        "registers" => (Pane::State, Some(Tab::of_registers(facts))),
        "slm" => (Pane::State, Some(Tab::Local)),
        "svm" | "global" => (
            Pane::State,
            Some(Tab::of_memory(MemoryKind::Virtual, facts)),
        ),
        "surfaces" => (Pane::State, Some(Tab::Surfaces)),
        _ => (Pane::of_key(name)?, None),
    })
}

/// Address that opens a text in the full page.
///
/// # Errors
///
/// Why the text cannot be linked.
pub(crate) fn program_address(text: &str) -> Result<String, String> {
    let link = Link {
        text: String::from(text),
        ..Link::default()
    };
    let fragment = link.fragment().map_err(|error| error.to_string())?;
    Ok(format!("./#{fragment}"))
}

impl Player {
    /// The player described by the options, for a program of this family;
    /// `broken` is why no program could be loaded.
    pub(crate) fn new(options: PlayerOptions, facts: &FamilyFacts, broken: Option<String>) -> Self {
        let mut player = Self {
            readonly: options.readonly,
            broken,
            ..Self::default()
        };
        let Some(panes) = options.panes.as_deref() else {
            player.panes = Pane::DEFAULT.to_vec();
            return player;
        };
        for name in panes.split([',', ' ']).filter(|name| !name.is_empty()) {
            let Some((pane, tab)) = pane(name, facts) else {
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
