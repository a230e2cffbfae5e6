use super::{LaunchAction, LaunchDialogState, LaunchField, LaunchStart};
use crate::components::file::file_input;
use crate::components::select::select;
use crate::dom::value_of;
use crate::features::checks::check_choices;
use crate::features::screen::{DialogKind, ScreenAction, dialog};
use crate::store::{Action, State, on_click};
use lanewise_core::ide::{ArgumentField, FormPart, FormProblem, SizeField, ValueKind, opencl_name};
use lanewise_core::text::capitalized;
use std::rc::Rc;
use yew::prelude::*;

/// Dialog with the sizes, buffers and numbers of a launch.
pub(crate) fn launch_dialog(state: &State, dispatch: &Callback<Action>) -> Html {
    let (label, class) = ("Launch", "launch-dialog");
    dialog(state, DialogKind::Launch, label, class, dispatch, || {
        let launch = state.launch.as_ref();
        launch.map_or_else(Html::default, |launch| form(launch, state, dispatch))
    })
}

fn form(launch: &LaunchDialogState, state: &State, dispatch: &Callback<Action>) -> Html {
    let can_start = launch.problems.is_empty();
    let run = Action::Launch(LaunchAction::Start(LaunchStart::RunToEnd));
    let onsubmit = dispatch.reform(move |event: SubmitEvent| {
        event.prevent_default();
        // The dialog closes on submits of its own.
        event.stop_propagation();
        run.clone()
    });
    let start = |name: &'static str, start: LaunchStart, can_start: bool| {
        let onclick = on_click(dispatch, LaunchAction::Start(start));
        html! { <button type="button" class="button" disabled={!can_start} {onclick}>{ name }</button> }
    };
    let close = on_click(dispatch, ScreenAction::CloseDialog);
    let of_sizes = launch.problems.iter();
    let of_sizes = of_sizes.filter(|problem| matches!(problem.parts[..], [FormPart::Size(_), ..]));
    let elsewhere = launch.problems.iter();
    let elsewhere = elsewhere.filter(|problem| matches!(problem.parts[..], [FormPart::Line(_)]));
    let number = |label: String, value: &str, own: SizeField| {
        let mut problems = launch.problems_of(FormPart::Size(own));
        let problem = problems.next();
        let problem = problem.map(|_| AttrValue::Static("launch-sizes-problem"));
        field(
            label,
            value,
            "number",
            problem,
            LaunchField::Size(own),
            dispatch,
        )
    };
    type Sizes<'l> = (&'static str, &'l [String], fn(usize) -> SizeField);
    let global: Sizes<'_> = ("×", &launch.form.global, SizeField::Global);
    let local: Sizes<'_> = ("×", &launch.form.local, SizeField::Local);
    let offset: Sizes<'_> = (",", &launch.form.offset, SizeField::Offset);
    // Fields of sizes: name of the group, its text, and the start of the fields' labels.
    let sizes = |group: &'static str, text: &'static str, label: &'static str, sizes: Sizes<'_>| {
        let (sign, values, own) = sizes;
        let fields = values.iter().zip(["x", "y", "z"]).enumerate();
        let fields = fields.map(|(index, (value, axis))| {
            html! {
                <>
                    if index > 0 { <span aria-hidden="true">{ sign }</span> }
                    { number(format!("{label} in {axis}"), value, own(index)) }
                </>
            }
        });
        html! { <span role="group" aria-label={group}><span>{ text }</span>{ for fields }</span> }
    };
    let words = launch.form.words();
    html! {
        <form class="launch-form" {onsubmit} novalidate=true>
            <div class="launch-head">
                <h2>{ "Run " }<span class="mono">{ &*launch.name }</span></h2>
                <button type="button" class="button quiet" onclick={close}>{ "Close" }</button>
            </div>
            <p class="muted">{ &*launch.about }</p>
            <div class="launch-sizes">
                if launch.form.is_grid {
                    { sizes("Grid", "Blocks", "Blocks", global) }
                    { sizes("Block", "threads per block", "Threads per block", local) }
                } else {
                    { sizes("Work-items", "Work-items", "Work-items", global) }
                    { sizes("Work-group", "work-group", "Work-group size", local) }
                    { sizes("Global offset", "offset", "Global offset", offset) }
                }
                <span class="muted" role="status" aria-label="Groups">{ &launch.groups_text }</span>
            </div>
            { problems("launch-sizes-problem", of_sizes) }
            if !launch.form.arguments.is_empty() {
                <div class="scroller launch-arguments" role="group" aria-label="Arguments" tabindex="0">
                    <table>
                        <thead>
                            <tr>
                                { for ["argument", "type", "elements", "starts as"].map(|head| html! { <th scope="col">{ head }</th> }) }
                            </tr>
                        </thead>
                        <tbody>
                            { for launch.form.arguments.iter().enumerate().map(|(index, argument)| row(launch, index, argument, dispatch)) }
                        </tbody>
                    </table>
                </div>
            }
            if launch.form.arguments.iter().any(|argument| argument.value.kind == ValueKind::Buffer) {
                <p class="muted" id="launch-values-hint">
                    { "A buffer starts as zeros, as values such as " }<code>{ "1, 2, 3" }</code>{ ", as " }
                    <code>{ "iota(start, step)" }</code>{ ", " }<code>{ "splat(value)" }</code>{ " or " }
                    <code>{ "random(seed)" }</code>{ ", or as the bytes of a file. " }
                    <code>{ "null" }</code>{ " passes a NULL pointer." }
                </p>
            }
            if launch.has_unknown_struct() {
                <p class="muted">{ "Open the source of the kernel, too, to fill structures by field." }</p>
            }
            { problems("launch-problems", elsewhere) }
            { check_choices(state, dispatch) }
            <div class="muted launch-trial" role="status" aria-label="Trial">
                { for state.trial_text().iter().map(|line| html! { <p>{ line }</p> }) }
            </div>
            <div class="launch-ends">
                <button class="button primary" disabled={!can_start} autofocus=true>{ "Run to end" }</button>
                { start("Step from the start", LaunchStart::Step, can_start) }
                if launch.groups.is_some_and(|groups| groups > 1) {
                    <span class="launch-group">
                        <span aria-hidden="true">{ format!("of {}", words.group) }</span>
                        { number(format!("{} to step", capitalized(words.work_group)), &launch.step_group, SizeField::Group) }
                    </span>
                }
                { start("Edit as text", LaunchStart::EditText, true) }
            </div>
        </form>
    }
}

/// Text field of the form. `problem` is the ID of the element that describes what
/// is wrong with it.
fn field(
    label: String,
    value: &str,
    class: &'static str,
    problem: Option<AttrValue>,
    own: LaunchField,
    dispatch: &Callback<Action>,
) -> Html {
    let oninput = dispatch
        .reform(move |event: InputEvent| Action::Launch(LaunchAction::Edit(own, value_of(&event))));
    html! {
        <input
            class={classes!("mono", class)}
            aria-label={label}
            aria-invalid={problem.is_some().then_some("true")}
            aria-describedby={problem}
            autocomplete="off"
            spellcheck="false"
            placeholder="0"
            value={value.to_owned()}
            {oninput}
        />
    }
}

/// Argument: name, type, elements and values, and the problems below.
fn row(
    launch: &LaunchDialogState,
    index: usize,
    argument: &ArgumentField,
    dispatch: &Callback<Action>,
) -> Html {
    let parts = [FormPart::Quantity(index), FormPart::Values(index)];
    let [of_quantity, of_values]: [Vec<&FormProblem>; 2] =
        parts.map(|part| launch.problems_of(part).collect());
    let problem_id = AttrValue::from(format!("launch-problem-{index}"));
    let described = |found: &[&FormProblem]| (!found.is_empty()).then(|| problem_id.clone());
    let name = &argument.name;
    let value = &argument.value;
    let quantity = |label: String| {
        let problem = described(&of_quantity);
        let own = LaunchField::Quantity(index);
        field(label, &value.quantity, "number", problem, own, dispatch)
    };
    let (elements, values) = match value.kind {
        ValueKind::Buffer => (
            html! {
                <>
                    { quantity(format!("Elements of {name}")) }
                    if let Some(element) = argument.own_element() {
                        <span class="muted mono">{ element }</span>
                    }
                    <span class="muted launch-unit">{ "elements" }</span>
                </>
            },
            html! {
                <>
                    <span class="muted launch-unit">{ "starts as" }</span>
                    { field(
                        format!("{name} starts as"),
                        &value.values,
                        "values",
                        described(&of_values),
                        LaunchField::Values(index),
                        dispatch,
                    ) }
                    { file_field(launch, index, name, dispatch) }
                </>
            },
        ),
        ValueKind::Local | ValueKind::Shared => {
            let words = launch.form.words();
            let about = match value.kind {
                ValueKind::Shared => format!("of each {}", words.group),
                _ => format!("{} memory", words.local),
            };
            (
                html! {
                    <>
                        { quantity(format!("Bytes of {name}")) }
                        <span class="muted">{ "bytes" }</span>
                    </>
                },
                html! { <span class="muted">{ about }</span> },
            )
        }
        ValueKind::Number => (
            Html::default(),
            html! {
                <>
                    { quantity(format!("Value of {name}")) }
                    if let Some(followed) = launch.form.followed(index) {
                        <span class="muted">{ followed }</span>
                    }
                </>
            },
        ),
    };
    html! {
        <>
            <tr>
                <th scope="row" class="mono">{ name }</th>
                <td class="mono">{ element_type(index, argument, dispatch) }</td>
                <td class="launch-quantity">{ elements }</td>
                <td class="launch-values">{ values }</td>
            </tr>
            if !(of_quantity.is_empty() && of_values.is_empty()) {
                <tr>
                    <td colspan="4">
                        { problems(&problem_id, of_quantity.into_iter().chain(of_values)) }
                    </td>
                </tr>
            }
        </>
    }
}

/// Type of an argument; a menu if the file does not say it, with the origin of an inferred type.
fn element_type(index: usize, argument: &ArgumentField, dispatch: &Callback<Action>) -> Html {
    let Some((own, types)) = argument.element_types() else {
        return Html::from(&argument.ty);
    };
    let label = format!("Type of {}", argument.name);
    let pick = dispatch.reform(move |ty| Action::Launch(LaunchAction::SetElement(index, ty)));
    let types = types.into_iter().map(|ty| (ty, opencl_name(ty)));
    html! {
        <>
            { select(label, types, Some(&own), &pick) }
            if let Some(opcode) = argument.inferred_from() {
                <div class="muted">{ format!("inferred from {opcode}") }</div>
            }
        </>
    }
}

/// Button that fills a buffer with the bytes of a file.
fn file_field(
    launch: &LaunchDialogState,
    argument: usize,
    name: &str,
    dispatch: &Callback<Action>,
) -> Html {
    let text = Rc::clone(&launch.text);
    let on_read = dispatch.reform(move |(_, bytes)| {
        Action::Launch(LaunchAction::Bytes {
            text: Rc::clone(&text),
            argument,
            bytes,
        })
    });
    html! {
        <label class="muted launch-file">
            { "or a file" }
            { file_input(format!("File for {name}"), on_read) }
        </label>
    }
}

fn problems<'p>(id: &str, problems: impl Iterator<Item = &'p FormProblem>) -> Html {
    let lines = problems.map(|problem| {
        html! {
            <p>
                if let [FormPart::Line(line)] = problem.parts[..] {
                    { format!("Line {}: ", line + 1) }
                }
                { &problem.message }
                if let Some(help) = &problem.help {
                    { ": " }{ help }
                }
            </p>
        }
    });
    html! { <div id={id.to_owned()} class="error launch-problems" role="status">{ for lines }</div> }
}
