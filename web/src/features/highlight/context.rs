//! The current highlight, shared with all components through contexts.

use super::model::{EncodingPoint, Highlight, Highlighted};
use crate::store::Slice;
use lanewise_answer::ByteRange;
use lanewise_answer::lanes::current_unit;
use lanewise_core::isa::LaneComputation;
use lanewise_core::machine::{SpaceId, SpaceKind};
use lanewise_core::number::ElementType;
use lanewise_core::session::{LaneRow, Session};
use lanewise_core::text::SyntaxPart;
use std::rc::Rc;
use yew::prelude::*;

/// Everything related to the thing under the pointer or focus.
fn highlighted(session: &Session, highlight: Highlight) -> Highlighted {
    let mut highlighted = vec![highlight];
    let issue = session.current_issue();
    let rows = issue.map_or_else(Vec::new, |issue| session.lanes(issue));
    let index = session.current_instruction();
    let computation = issue.map_or_else(Vec::new, |issue| {
        session.computation(issue, &session.state_before(issue))
    });
    let bytes_of = |row: &LaneRow| {
        let sources = index.map_or_else(Vec::new, |index| sources_of(session, index, row));
        let own = computation
            .iter()
            .find(|(thread, _)| *thread == row.unit.thread);
        let elements = own.map_or_else(Vec::new, |(_, computation)| {
            computed_elements(computation, row.unit.lane)
        });
        let registers = returned_to(row).into_iter().chain(sources).chain(elements);
        let memory = row.access.as_ref().filter(|access| access.in_bounds);
        memory.map(ByteRange::of).into_iter().chain(registers)
    };
    match highlight {
        Highlight::Lane(unit) => {
            let one = Highlighted(vec![highlight]);
            let own = rows.iter().filter(|row| one.has_lane(row.unit));
            for row in own {
                highlighted.extend(bytes_of(row).map(Highlight::Bytes));
            }
            if current_unit(session) == Some(unit) {
                let line = session.pseudocode_state().map(|state| state.line);
                highlighted.extend(line.map(Highlight::PseudocodeLine));
            }
        }
        Highlight::Bytes(range) => {
            let using = (rows.iter()).filter(|row| bytes_of(row).any(|own| own.overlaps(range)));
            highlighted.extend(using.map(|row| Highlight::Lane(row.unit)));
        }
        Highlight::PseudocodeLine(line) => {
            let current = session.pseudocode_state().map(|state| state.line);
            if current == Some(line) {
                highlighted.extend(current_unit(session).map(Highlight::Lane));
            }
        }
    }
    Highlighted(highlighted)
}

/// Register bytes that receive a lane's returned value.
fn returned_to(row: &LaneRow) -> Option<ByteRange> {
    let access = row.access.as_ref()?;
    Some(ByteRange::new(
        SpaceId::registers(row.unit.thread),
        u64::from(access.dst?),
        u64::from(access.bytes),
    ))
}

/// Register elements read by a lane of an instruction.
fn sources_of(session: &Session, index: usize, row: &LaneRow) -> Vec<ByteRange> {
    let program = session.program();
    if row.access.is_none() {
        return Vec::new();
    }
    let instruction = &program.instructions[index].instruction;
    let elements = instruction.source_elements(row.unit, &program.symbols);
    let file = SpaceId::registers(row.unit.thread);
    elements
        .into_iter()
        .map(|element| ByteRange::new(file, element.at.into(), element.bytes.into()))
        .collect()
}

/// Register elements that a lane of a computing instruction reads and writes.
fn computed_elements(computation: &LaneComputation, lane: u8) -> Vec<ByteRange> {
    let at = usize::from(lane);
    let range = |space: SpaceId, address: u64, ty: Option<ElementType>| {
        let is_register = matches!(space.kind(), SpaceKind::Registers(_));
        let ty = ty.filter(|_| is_register)?;
        Some(ByteRange::new(space, address, ty.bytes().into()))
    };
    let sources = computation.sources.iter().filter_map(|source| {
        let places = source
            .places
            .as_ref()
            .filter(|_| source.read >> lane & 1 == 1)?;
        range(places.space, places.addresses[at], source.ty)
    });
    let results = computation.results.iter().filter_map(|result| {
        let is_enabled = computation.enabled >> lane & 1 == 1;
        is_enabled.then(|| range(result.space, result.places[at], result.ty))?
    });
    sources.chain(results).collect()
}

#[derive(Clone, PartialEq)]
pub(crate) struct HighlightContext {
    pub(crate) highlighted: Rc<Highlighted>,
    /// `None` clears the highlight.
    pub(crate) set: Callback<Option<Highlight>>,
}

/// The highlighted part of the encoding, and its setters. A separate context,
/// because pointer moves over the text must re-render only the bits, and must
/// not clear the highlight of a focused lane.
#[derive(Clone, PartialEq)]
pub(crate) struct EncodingHighlight {
    /// The field under the pointer or focus, or else the text position under
    /// the pointer.
    pub(crate) pointed: Option<EncodingPoint>,
    /// Sets the field under the pointer or focus, by index.
    pub(crate) set_field: Callback<Option<usize>>,
    /// Sets the part of the instruction under the pointer or focus.
    pub(crate) set_part: Callback<Option<SyntaxPart>>,
    /// Sets the text position under the pointer, in UTF-16 code units.
    pub(crate) set_text: Callback<Option<u32>>,
}

#[derive(Properties, PartialEq)]
pub(crate) struct HighlightProviderProps {
    pub(crate) session: Slice<Session>,
    /// Number of programs opened so far; opening a program clears the
    /// highlight.
    pub(crate) opened: u32,
    pub(crate) children: Html,
}

/// Provides the highlight contexts. Only components that use a context
/// re-render when it changes.
#[component]
pub(crate) fn HighlightProvider(props: &HighlightProviderProps) -> Html {
    let pointed = use_state_eq(|| None::<Highlight>);
    let field = use_state_eq(|| None::<EncodingPoint>);
    let text = use_state_eq(|| None::<u32>);
    {
        let setters = (pointed.setter(), field.setter(), text.setter());
        use_effect_with(props.opened, move |_| {
            let (pointed, field, text) = setters;
            pointed.set(None);
            field.set(None);
            text.set(None);
        });
    }
    let (set, set_text) = (use_setter(&pointed), use_setter(&text));
    let set_field = use_callback(field.setter(), |index: Option<usize>, field| {
        field.set(index.map(EncodingPoint::Field));
    });
    let set_part = use_callback(field.setter(), |part: Option<SyntaxPart>, field| {
        field.set(part.map(EncodingPoint::Part));
    });
    let highlighted = use_memo((*pointed, props.session.clone()), |(highlight, session)| {
        highlight.map_or_else(Highlighted::default, |highlight| {
            highlighted(session, highlight)
        })
    });
    let encoding = EncodingHighlight {
        pointed: field.or(text.map(EncodingPoint::Text)),
        set_field,
        set_part,
        set_text,
    };
    html! {
        <ContextProvider<HighlightContext> context={HighlightContext { highlighted, set }}>
            <ContextProvider<EncodingHighlight> context={encoding}>
                { props.children.clone() }
            </ContextProvider<EncodingHighlight>>
        </ContextProvider<HighlightContext>>
    }
}

/// The setter of a state as a stable callback.
#[hook]
fn use_setter<T: PartialEq + 'static>(state: &UseStateHandle<T>) -> Callback<T> {
    let setter = state.setter();
    use_callback((), move |value, ()| setter.set(value))
}

impl HighlightContext {
    /// `onmouseover` handler that sets the highlight.
    pub(crate) fn highlight_on_over(&self, highlight: Highlight) -> Callback<MouseEvent> {
        self.set.reform(move |_| Some(highlight))
    }

    /// `onmouseleave` handler for a container that clears the highlight.
    pub(crate) fn clear_on_leave(&self) -> Callback<MouseEvent> {
        self.set.reform(|_| None)
    }

    /// `onfocusout` handler for a container that clears the highlight.
    pub(crate) fn clear_on_blur(&self) -> Callback<FocusEvent> {
        self.set.reform(|_| None)
    }
}

/// Returns the current highlight and its setter. The calling component
/// re-renders on every change, so pass rows only whether they are highlighted.
///
/// # Panics
///
/// Outside a [`HighlightProvider`].
#[hook]
pub(crate) fn use_highlight() -> HighlightContext {
    use_context().expect("App provides the highlight to the whole page")
}

/// Returns the highlighted part of the encoding and its setters.
///
/// # Panics
///
/// Outside a [`HighlightProvider`].
#[hook]
pub(crate) fn use_encoding_highlight() -> EncodingHighlight {
    use_context().expect("App provides the highlight to the whole page")
}
