//! Controls above the grids.

use crate::components::file::file_input;
use crate::components::select::select;
use crate::dom::{find, value_of};
use crate::features::share::{BufferFormat, download_buffer};
use crate::features::state::{BufferAction, MemoryAction, StateAction, StateInputs};
use crate::store::Action;
use lanewise_answer::grids::{MAX_ROW_LENGTH, MemoryFormat, MemoryKind, Region, RegisterFormat};
use lanewise_core::number::parse_integer;
use std::rc::Rc;
use web_sys::wasm_bindgen::JsCast;
use web_sys::{Element, HtmlElement, HtmlInputElement};
use yew::prelude::*;

/// Register format menu. Warp registers are not declared: their default format
/// is called `declared`.
pub(super) fn format_menu(
    format: RegisterFormat,
    declared: &'static str,
    dispatch: &Callback<Action>,
) -> Html {
    let options = RegisterFormat::ALL.map(|format| match format {
        RegisterFormat::Declared => (format, declared),
        other => (format, other.label()),
    });
    let on_pick = dispatch.reform(|format| Action::StatePane(StateAction::RegisterFormat(format)));
    html! {
        <div class="panel-tools">{ select("Format", options, Some(&format), &on_pick) }</div>
    }
}

/// Controls for region, format and address.
pub(super) fn memory_tools(
    inputs: &StateInputs,
    kind: MemoryKind,
    dispatch: &Callback<Action>,
) -> Html {
    let memory = inputs.state_view.grid.memories[kind];
    let act = dispatch.reform(move |action| Action::StatePane(StateAction::Memory(kind, action)));
    let regions = inputs.grids().regions(kind);
    let region = match &**regions {
        [only] => html! { <p class="muted ellipsis region">{ &*only.name }</p> },
        all => {
            let options = all.iter().map(|region| region.name.clone()).enumerate();
            select(
                "Region",
                options,
                Some(&memory.region),
                &act.reform(MemoryAction::Region),
            )
        }
    };
    let formats = MemoryFormat::all().into_iter().map(|format| match format {
        MemoryFormat::AS_USED => (
            format,
            format!("{} ({})", format.label(), memory.used_type.name()),
        ),
        format => (format, format.label()),
    });
    let format = select(
        "Format",
        formats,
        Some(&memory.format),
        &act.reform(MemoryAction::Format),
    );
    let onsubmit = {
        let regions = Rc::clone(regions);
        Callback::from(move |event: SubmitEvent| {
            event.prevent_default();
            let form: Element = event.target_unchecked_into();
            let field = find(&form, "input").expect("the form has a field");
            go_to(&field, &regions, &act);
        })
    };
    html! {
        <div class="panel-tools">
            { region }
            { format }
            <form novalidate=true {onsubmit}>
                <input
                    class="go-to"
                    aria-label="Go to address"
                    title="Go to address"
                    size="8"
                    placeholder="Go to 0x…"
                    autocomplete="off"
                    spellcheck="false"
                />
            </form>
        </div>
    }
}

fn go_to(field: &HtmlInputElement, regions: &[Region], act: &Callback<MemoryAction>) {
    let is_mapped = |address: u64| regions.iter().any(|region| region.holds(address));
    let error = match parse_integer(field.value().trim()) {
        Ok(address) if is_mapped(address) => {
            act.emit(MemoryAction::GoTo(address));
            ""
        }
        Ok(_) => "This address is not mapped.",
        Err(_) => "Enter an address, such as 64 or 0x40.",
    };
    // The browser shows and announces the message at the field.
    field.set_custom_validity(error);
    let invalid = !field.report_validity();
    field
        .set_attribute("aria-invalid", if invalid { "true" } else { "false" })
        .expect("the attribute name is valid");
}

/// Controls for a buffer: row length, export, and initial values from a file.
pub(super) fn buffer_tools(
    inputs: &StateInputs,
    can_edit: bool,
    dispatch: &Callback<Action>,
) -> Html {
    let (view, buffers) = (&inputs.state_view, inputs.grids().buffers());
    let index = view.buffer.min(buffers.len().saturating_sub(1));
    let Some(buffer) = buffers.get(index) else {
        return html! {};
    };
    let act =
        dispatch.reform(|(index, action)| Action::StatePane(StateAction::Buffer(index, action)));
    let on_pick = act.reform(|index| (index, BufferAction::Show));
    let length = view.grid.row_lengths.get(&*buffer.name);
    let length_error = length
        .filter(|length| !(1..=MAX_ROW_LENGTH).contains(length))
        .map(|_| format!("Enter a row length from 1 to {MAX_ROW_LENGTH}."));
    let on_length = act.reform(move |event: InputEvent| {
        (
            index,
            BufferAction::RowLength(value_of(&event).parse().ok()),
        )
    });
    let ty = view.buffer_types.get(&*buffer.name);
    let on_type = act
        .reform(move |event: InputEvent| (index, BufferAction::Type(Rc::from(value_of(&event)))));
    let shown = inputs.grids().view_of(index);
    let error = shown.and_then(|shown| shown.error.as_ref());
    let export = |format: BufferFormat| {
        let name = format.label();
        let inputs = inputs.clone();
        let onclick = Callback::from(move |_: MouseEvent| {
            download_buffer(inputs.grids(), index, format);
        });
        html! {
            <button type="button" class="button small" aria-label={format!("Export {} as {name}", buffer.name)} {onclick}>
                { name }
            </button>
        }
    };
    let choose = Callback::from(|event: MouseEvent| {
        let button: Element = event.target_unchecked_into();
        let file = button.next_element_sibling();
        let file = file.and_then(|around| around.first_element_child());
        if let Some(file) = file.and_then(|file| file.dyn_into::<HtmlElement>().ok()) {
            file.click();
        }
    });
    let on_file = act.reform(move |(file, bytes)| (index, BufferAction::Load { file, bytes }));
    let names = buffers.iter().map(|buffer| buffer.name.clone());
    html! {
        <div class="panel-tools buffer-tools">
            { select("Buffer", names.enumerate(), Some(&index), &on_pick) }
            <label class="field">
                <span>{ "Row length:" }</span>
                <input
                    type="number"
                    min="1"
                    max={MAX_ROW_LENGTH.to_string()}
                    class="go-to"
                    placeholder="auto"
                    title="Row length"
                    aria-label={format!("Row length of {}", buffer.name)}
                    aria-invalid={length_error.as_ref().map(|_| "true")}
                    aria-describedby={length_error.as_ref().map(|_| "row-length-error")}
                    value={length.map(|length| length.to_string())}
                    oninput={on_length}
                />
            </label>
            <label class="field">
                <span>{ "Type:" }</span>
                <input
                    class="go-to element-type"
                    placeholder={shown.map(|shown| shown.layout.name.clone())}
                    title="Type of the elements, such as float4 or {float x, y; int id;}"
                    aria-label={format!("Element type of {}", buffer.name)}
                    aria-invalid={ty.and(error).map(|_| "true")}
                    aria-describedby={error.map(|_| "element-type-error")}
                    autocomplete="off"
                    autocapitalize="off"
                    spellcheck="false"
                    value={ty.map(|ty| ty.to_string())}
                    oninput={on_type}
                />
            </label>
            <button
                type="button"
                class="button small"
                title="Show bits in hexadecimal"
                aria-pressed={view.grid.shows_hex.to_string()}
                onclick={act.reform(move |_: MouseEvent| (index, BufferAction::Hex))}
            >
                { "Hex" }
            </button>
            <button
                type="button"
                class="button small"
                aria-label={format!("Next change of {}", buffer.name)}
                onclick={act.reform(move |_: MouseEvent| (index, BufferAction::NextChange))}
            >
                { "Next change" }
            </button>
            <span class="buffer-export" role="group" aria-label="Export">
                { for BufferFormat::ALL.map(export) }
            </span>
            if can_edit {
                <button type="button" class="button small" aria-label={format!("Load file into {}", buffer.name)} onclick={choose}>
                    { "Load file" }
                </button>
                <span hidden=true>{ file_input(format!("File for {}", buffer.name), on_file) }</span>
            }
            <span id="row-length-error" class="error tool-error" role="status" aria-label="Row length">
                { length_error }
            </span>
            <span id="element-type-error" class="error tool-error" role="status" aria-label="Element type">
                { error.map(ToString::to_string) }
            </span>
        </div>
    }
}
