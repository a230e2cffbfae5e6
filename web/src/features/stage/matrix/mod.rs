//! Matrix view, "Src2 supply": which EU supplies which register of Src2, and D
//! = C + A × B stage by stage.
//!
//! [`MatrixModel`] defines the contents, [`cells`] arranges the elements in rows and
//! cells, [`marks`] highlights them. CSS grids lay everything out
//! (`web/style/matrix.css`). [`ProductsPanel`] belongs to the drawer.

mod action;
mod cells;
mod grid;
mod marks;
mod products;
mod reducer;
mod supply;
mod switch;
mod thumbnail;

pub(crate) use action::MatrixAction;
pub(crate) use products::ProductsPanel;
pub(crate) use thumbnail::matrix_thumbnail;

use crate::components::read_only::use_read_only;
use crate::dom::{arrow, find, focus_element, target_in};
use crate::features::stage::follow::use_reveal;
use crate::store::{Action, on_last_click};
use cells::{MatrixCells, Sources, describe};
use lanewise_answer::matrix::{BeforeStep, DstElement, MatrixModel};
use lanewise_core::isa::visa::matrix::layout::{Index, MatrixRole};
use lanewise_core::isa::visa::matrix::trace::StageAt;
use lanewise_core::isa::visa::matrix::{MatrixSuffix, Precision};
use marks::{Pointed, is_fed, marks};
use std::rc::Rc;
use switch::switch;
use web_sys::{Element, HtmlElement, HtmlSelectElement};
use yew::prelude::*;

#[derive(Properties, PartialEq)]
pub(crate) struct MatrixPaneProps {
    pub(crate) model: Rc<MatrixModel>,
    /// Whether the edited text has errors, so that the picture is outdated.
    pub(crate) stale: bool,
    /// Whether the picture is in a player, whose height fits its contents.
    pub(crate) in_player: bool,
    /// Whether to show the products of the selected element below the picture,
    /// where the drawer is not visible.
    pub(crate) products: bool,
    pub(crate) dispatch: Callback<Action>,
}

/// Scrolled into view with each step: the rows of D, and with precedence the
/// row of A.
const TOUCHED: [&str; 2] = [
    "[data-matrix=D] .matrix-row[data-current]",
    "[data-matrix=A] .matrix-row[data-current]",
];

/// Matrix view, optionally with products.
#[component]
pub(crate) fn MatrixPane(props: &MatrixPaneProps) -> Html {
    let MatrixPaneProps {
        model, in_player, ..
    } = props;
    let on_action = props.dispatch.reform(Action::Matrix);
    let read_only = use_read_only();
    let matrix_view = &model.matrix_view;
    let inputs = (
        Rc::clone(&model.operands),
        model.layout,
        matrix_view.by_register,
    );
    let sources = use_memo(inputs, |_| Sources::new(model));
    let dst = use_memo(Rc::clone(model), |model| {
        MatrixCells::of_eus(model, MatrixRole::D, model.eus)
    });
    let pointed = use_state_eq(|| None::<Pointed>);
    // The element may not exist in another instruction.
    let at = pointed.filter(|p| model.layout.location(p.role, p.eu, p.index).is_some());
    let whole = use_state_eq(|| false);
    let picture = use_node_ref();
    use_reveal(picture.clone(), model.at.filter(|_| !in_player), &TOUCHED);

    let point = {
        let (model, pointed) = (Rc::clone(model), pointed.setter());
        move |event: &Event, x: Option<i32>| pointed.set(pointed_at(&model, event, x))
    };
    let onpointermove = {
        let point = point.clone();
        Callback::from(move |event: PointerEvent| point(&event, Some(event.client_x())))
    };
    // The elements of a cell are told apart once the pointer is over it.
    let onpointerover = onpointermove.clone();
    let onfocusin = move |event: FocusEvent| point(&event, None);
    let onpointerleave = {
        let pointed = pointed.setter();
        move |_: PointerEvent| pointed.set(None)
    };
    let press = {
        let (model, on_action) = (Rc::clone(model), on_action.clone());
        move |event: &Event| {
            // Registers are buttons with their own listeners.
            let cell = pointed_at(&model, event, None).filter(|_| is_cell(event));
            if let Some(action) = cell.and_then(|cell| pressed(&model, cell)) {
                on_action.emit(action);
            }
        }
    };
    let onclick = {
        let press = press.clone();
        move |event: MouseEvent| press(&event)
    };
    let onkeydown = move |event: KeyboardEvent| {
        let presses = matches!(event.key().as_str(), "Enter" | " ") && is_cell(&event);
        if presses {
            press(&event);
        }
        if presses || moves_focus(&event) {
            event.prevent_default();
        }
    };

    // The step summary describes the step. A selected register stays described
    // while the pointer is on its elements.
    let fed = model.fed_by_register();
    let is_in_register = |p: &Pointed| {
        let register = model.register().filter(|_| p.role == MatrixRole::A);
        register.is_some_and(|register| is_fed(model, (p.role, p.eu), register, p.index))
    };
    let note = match at.filter(|at| fed.is_none() || !is_in_register(at)) {
        Some(at) => Some(describe(model, at.role, at.eu, at.index)),
        None => fed,
    };
    let view = View {
        model,
        sources: &sources,
        dst: &dst,
        pointed: at,
        whole: &whole,
        on_action: &on_action,
    };
    // Sums of more than ten characters put the EUs below each other.
    let is_stacked = model.shared() && sources.sum_characters > 10;
    let few = model.layout.rc() <= 4 && !is_stacked;
    html! {
        <>
            <section class="matrix-stage" aria-label="Src2 supply" data-stale={props.stale.then_some("")}>
                { picture_bar(model, read_only, &on_action) }
                if sources.has_degenerate_operands && model.factors_are_initial && !read_only {
                    <p class="wrapping matrix-remark">
                        { "All values of A or B are 0, NaN or extreme. " }
                        <button
                            type="button"
                            class="button small"
                            title="Replaces the initial values of Src1 and Src2"
                            onclick={on_last_click(&on_action, W_ID, MatrixAction::FillFactors)}
                        >{ "Start A and B with 1 and 2" }</button>
                    </p>
                }
                <div class="matrix-line">
                    <p
                        class={classes!("matrix-summary", note.is_some().then_some("unseen"))}
                        role="status"
                        aria-label="Supply summary"
                    >{ model.summary() }</p>
                    if let Some(note) = note { <p class="note">{ note }</p> }
                </div>
                <div
                    ref={picture}
                    class="matrix-picture"
                    data-picture=""
                    role="group"
                    aria-label={format!("{}: D = C + A × B", model.name)}
                    data-step={model.at.map(|_| "")}
                    data-by-register={matrix_view.by_register.then_some("")}
                    data-few={few.then_some("")}
                    data-whole={whole.then_some("")}
                    ~style={format!(
                        "--channels:{};--characters:{};--factor-characters:{}",
                        model.layout.channels(),
                        sources.sum_characters,
                        sources.factor_characters
                    )}
                    {onpointermove}
                    {onpointerover}
                    {onpointerleave}
                    {onfocusin}
                    {onclick}
                    {onkeydown}
                >
                    if model.shared() { { view.supply(0) } }
                    <div class="matrix-eus">{ for (0..model.eus).map(|eu| view.eu(eu)) }</div>
                    { switch(model, read_only, &on_action) }
                </div>
            </section>
            if props.products && matrix_view.element.is_some() {
                <ProductsPanel model={Rc::clone(model)} />
            }
        </>
    }
}

struct View<'a> {
    model: &'a MatrixModel,
    sources: &'a Sources,
    dst: &'a [MatrixCells],
    pointed: Option<Pointed>,
    /// Whether all rows are shown, even if the window is low.
    whole: &'a UseStateHandle<bool>,
    on_action: &'a Callback<MatrixAction>,
}

impl View<'_> {
    /// A between the registers of Src2: of both EUs if they share it, otherwise
    /// of one.
    fn supply(&self, eu: u8) -> Html {
        let Self { model, pointed, .. } = *self;
        let layout = model.layout;
        let registers = |eu| supply::registers(model, eu, pointed, self.on_action);
        let stages = (0..layout.sd()).map(|stage| {
            let is_current = model.at.is_some_and(|at| at.d == stage);
            html! {
                <span role="columnheader" aria-label={format!("stage {stage}")} data-current={is_current.then_some("")}>{ stage }</span>
            }
        });
        let a = &self.sources.a[usize::from(eu)];
        let rows = grid::rows(a, &marks(model, a, pointed), false);
        html! {
            <div
                class="matrix-supply"
                data-own={(!model.shared()).then_some("")}
                ~style={format!("--rows:{};--stages:{}", 2 * layout.rc(), layout.sd())}
            >
                if model.shared() {
                    <p class="ellipsis matrix-heading registers-heading" data-eu="0">{ "EU0 · Src2" }</p>
                }
                { heading(model, MatrixRole::A, eu) }
                if model.shared() {
                    <p class="ellipsis matrix-heading registers-heading" data-eu="1">{ "EU1 · Src2" }</p>
                }
                { registers(eu) }
                { grid(a, rows, Some(html! { <div role="row" class="matrix-row stages"><span role="columnheader">{ "stage" }</span>{ for stages }</div> })) }
                if model.shared() { { registers(1) } }
            </div>
        }
    }

    /// Matrices of an EU in the order in which they are read: initial sums,
    /// factors, sums.
    fn eu(&self, eu: u8) -> Html {
        let Self {
            model,
            sources,
            pointed,
            ..
        } = *self;
        let at = usize::from(eu);
        let (b, d) = (&sources.b[at], &self.dst[at]);
        let by_register = model.matrix_view.by_register;
        let rows =
            |matrix: &MatrixCells| grid::rows(matrix, &marks(model, matrix, pointed), by_register);
        let mut rows_of_d = rows(d);
        if !by_register {
            let row = usize::from(model.at.map_or(0, |at| at.row));
            rows_of_d.insert(row, self.before_step(eu));
        }
        let lanes = (0..model.layout.channels()).map(|lane| html! { <span>{ lane }</span> });
        let bytes = (0..model.layout.register_bytes() / 4)
            .map(|n| html! { <span>{ format!("+{}", 4 * n) }</span> });
        let whole = **self.whole;
        let ontoggle = {
            let state = self.whole.clone();
            move |_: MouseEvent| state.set(!whole)
        };
        let toggle = html! {
            <button
                type="button"
                class="matrix-toggle"
                aria-label={format!("All rows of B of EU{eu}")}
                aria-expanded={if whole { "true" } else { "false" }}
                onclick={ontoggle}
            >{ if whole { "▾" } else { "▸" } }</button>
        };
        html! {
            <div key={eu} class="matrix-eu" data-eu={eu.to_string()}>
                if !model.shared() { { self.supply(eu) } }
                { self.initial_sums(eu, &rows) }
                <div class="matrix-line-of-heading">
                    if !by_register { { toggle } }
                    { heading(model, MatrixRole::B, eu) }
                </div>
                <div class="matrix-ruler" aria-hidden="true">
                    <div class="matrix-row"><span>{ "lane" }</span>{ for lanes }</div>
                    if by_register { <div class="matrix-row"><span>{ "byte" }</span>{ for bytes }</div> }
                </div>
                { grid(b, rows(b), None) }
                { heading(model, MatrixRole::D, eu) }
                { grid(d, rows_of_d, None) }
            </div>
        }
    }

    /// C of an EU: one line if all of its elements are equal.
    fn initial_sums(&self, eu: u8, rows: &dyn Fn(&MatrixCells) -> Vec<Html>) -> Html {
        let model = self.model;
        if let Some(c) = self.sources.c.get(usize::from(eu)) {
            return html! { <>{ heading(model, MatrixRole::C, eu) }{ grid(c, rows(c), None) }</> };
        }
        // The sums of a row start from it.
        let starts = |at: StageAt| at.d == 0 && at.channel.is_none_or(|(own, _)| own == eu);
        let current = model.at.is_some_and(starts);
        let title = title(model, MatrixRole::C, eu);
        html! {
            <p class="ellipsis matrix-heading constant" title={title.clone()} aria-current={current.then_some("step")}>{ title }</p>
        }
    }

    fn before_step(&self, eu: u8) -> Html {
        let model = self.model;
        let sums = model.before_step(eu);
        let Some(at) = model.at.filter(|_| sums.iter().any(Option::is_some)) else {
            let is_float = model.sum_type().is_float();
            let none = BeforeStep {
                sum: String::from("0"),
                added: String::from(if is_float { "" } else { "+0" }),
            };
            return grid::before_step(None, "C", &vec![Some(none); sums.len()]);
        };
        let words = sums.iter().flatten();
        let words = words.map(|BeforeStep { sum, added }| format!("{sum}{added}"));
        let words: Vec<String> = words.collect();
        let name = format!(
            "Row {} of D of EU{eu} before the step: {}",
            at.row,
            words.join(" ")
        );
        grid::before_step(Some(name), if at.d == 0 { "C" } else { "was" }, &sums)
    }
}

/// Grid of a matrix, named by its heading.
fn grid(matrix: &MatrixCells, rows: Vec<Html>, header: Option<Html>) -> Html {
    html! {
        <div
            class="matrix-grid"
            role="grid"
            aria-labelledby={heading_id(matrix.role, matrix.eu)}
            data-grid=""
            data-matrix={matrix.role.name()}
            data-of-eu={matrix.eu.to_string()}
        >
            { header }
            { rows }
        </div>
    }
}

fn heading_id(role: MatrixRole, eu: u8) -> String {
    format!("matrix-{}-{eu}", role.name())
}

fn heading(model: &MatrixModel, role: MatrixRole, eu: u8) -> Html {
    let title = title(model, role, eu);
    html! { <p class="ellipsis matrix-heading" id={heading_id(role, eu)} title={title.clone()} aria-hidden="true">{ title }</p> }
}

fn is_cell(event: &Event) -> bool {
    target_in(event, "[role=gridcell]").is_some()
}

/// Numbers of an attribute, separated by spaces.
fn numbers<const N: usize>(element: &Element, attribute: &str) -> Option<[usize; N]> {
    let text = element.get_attribute(attribute)?;
    let numbers = text.split(' ').map(str::parse);
    let numbers: Vec<usize> = numbers.collect::<Result<_, _>>().ok()?;
    numbers.try_into().ok()
}

/// Relative position of the pointer in an element, in 0..1.
fn fraction(element: &Element, x: Option<i32>) -> f64 {
    let Some(x) = x else { return 0.0 };
    let rect = element.get_bounding_client_rect();
    ((f64::from(x) - rect.left()) / rect.width().max(1.0)).clamp(0.0, 0.999)
}

/// Element of a matrix under the pointer, in a cell or in a register of Src2, or
/// the first one of the focused cell.
fn pointed_at(model: &MatrixModel, event: &Event, x: Option<i32>) -> Option<Pointed> {
    if let Some(segment) = target_in(event, "[data-segment]") {
        let place = numbers::<3>(&segment, "data-segment")?;
        let [eu, register, row] = place.map(|number| number as u8);
        let mut parts = model.layout.row_parts(eu, row);
        let part = parts.find(|part| (part.eu, part.register) == (eu, register))?;
        let bit = part.first_bit + (fraction(&segment, x) * f64::from(part.count)) as u16;
        return Some(Pointed {
            role: MatrixRole::A,
            eu: if model.shared() { 0 } else { eu },
            index: model.layout.element(MatrixRole::A, eu, register, bit)?,
        });
    }
    let cell = target_in(event, "[data-at]")?;
    let matrix = target_in(event, "[data-matrix]")?;
    let [eu] = numbers(&matrix, "data-of-eu")?.map(|eu: usize| eu as u8);
    let name = matrix.get_attribute("data-matrix")?;
    let mut roles = MatrixRole::ALL.into_iter();
    let role = roles.find(|role| role.name() == name)?;
    let [row, column]: [usize; 2] = numbers(&cell, "data-at")?;
    let rows = cells::elements(model, role, eu);
    let elements = rows.get(row)?.get(column)?;
    let n = match target_in(event, "[data-n]") {
        Some(element) => numbers::<1>(&element, "data-n")?[0],
        None => (fraction(&cell, x) * elements.len() as f64) as usize,
    };
    Some(Pointed {
        role,
        eu,
        index: *elements.get(n)?,
    })
}

/// Action of pressing an element: selects an element of D, or the Src2 register
/// that holds an element of A. Pressing it again deselects it.
fn pressed(model: &MatrixModel, Pointed { role, eu, index }: Pointed) -> Option<MatrixAction> {
    match role {
        MatrixRole::A => {
            let at = model.layout.location(role, eu, index)?;
            let register = Some((at.eu, at.register));
            let other = register.filter(|_| model.register() != register);
            let number = other.map(|register| model.register_number(register));
            Some(MatrixAction::Register(number))
        }
        MatrixRole::D => {
            let element = Some(DstElement { eu, index });
            let other = element.filter(|_| model.matrix_view.element != element);
            Some(MatrixAction::Element(other))
        }
        MatrixRole::B | MatrixRole::C => None,
    }
}

/// Moves focus by an arrow key to the next element of the same grid. Returns
/// whether the key is handled.
fn moves_focus(event: &KeyboardEvent) -> bool {
    let (Some((right, down)), Some(grid), Some(cell)) = (
        arrow(&event.key()),
        target_in(event, "[data-grid]"),
        target_in(event, "[data-at]"),
    ) else {
        return false;
    };
    let next = numbers(&cell, "data-at").and_then(|[row, column]: [usize; 2]| {
        let row = row.checked_add_signed(down as isize)?;
        let column = column.checked_add_signed(right as isize)?;
        find::<HtmlElement>(&grid, &format!("[data-at='{row} {column}']"))
    });
    // The last cell has no successor.
    if let Some(next) = next {
        focus_element(&next);
    }
    true
}

/// Selector of the precision of Src1.
const W_ID: &str = "matrix-W";

/// Toolbar: precisions, view, and which of the document's two statements to
/// apply.
fn picture_bar(model: &MatrixModel, read_only: bool, on_action: &Callback<MatrixAction>) -> Html {
    let written = model.written;
    type With = fn(MatrixSuffix, Precision) -> MatrixSuffix;
    let select = |name: &'static str, about: &'static str, now: Precision, with: With| {
        let (on_action, precisions) = (on_action.clone(), model.precisions);
        let onchange = Callback::from(move |event: Event| {
            let select: HtmlSelectElement = event.target_unchecked_into();
            let index = usize::try_from(select.selected_index()).ok();
            if let Some(precision) = index.and_then(|index| precisions.get(index)) {
                on_action.emit(MatrixAction::Reshape(with(written, *precision)));
            }
        });
        let options = precisions
            .iter()
            .map(|p| html! { <option selected={*p == now}>{ p.name() }</option> });
        html! {
            <label class="field" title={about}>
                <span>{ name }</span>
                <select id={format!("matrix-{name}")} aria-label={name} disabled={read_only} {onchange}>{ for options }</select>
            </label>
        }
    };
    let toggle = |text: &'static str, on: bool, action: MatrixAction| {
        let onclick = on_action.reform(move |_: MouseEvent| action);
        html! {
            <button type="button" aria-pressed={if on { "true" } else { "false" }} {onclick}>{ text }</button>
        }
    };
    let by_register = model.matrix_view.by_register;
    let differs = model.supply.is_some_and(|supply| supply.differs());
    html! {
        <div class="wrapping matrix-bar">
            { select("W", "Precision of Src1, B", written.w, MatrixSuffix::with_w) }
            { select("A", "Precision of Src2, A", written.a, MatrixSuffix::with_a) }
            <span class="segmented" role="group" aria-label="View">
                { toggle("Matrix view", !by_register, MatrixAction::ByRegister(false)) }
                { toggle("Register view", by_register, MatrixAction::ByRegister(true)) }
            </span>
            if differs {
                <span class="segmented" role="group" aria-label="Document statement to apply">
                    { toggle("By formula", !model.matrix_view.by_table, MatrixAction::ByTable(false)) }
                    { toggle("By table", model.matrix_view.by_table, MatrixAction::ByTable(true)) }
                </span>
            }
        </div>
    }
}

/// `EU0: + A × B (Src1, 32 × 8 s8, 4 k a stage)`, or, in the register view, the
/// contents of a register.
fn title(model: &MatrixModel, role: MatrixRole, eu: u8) -> String {
    let layout = model.layout;
    let (rows, columns) = layout.size(role);
    let kind = model.type_name(role);
    let size = format!("{rows} × {columns} {kind}");
    let by_register = model.matrix_view.by_register;
    let holds = || match u16::from(layout.register_bytes()) * 8
        / (u16::from(layout.bits(role)) * u16::from(columns))
    {
        1 => String::from("row = register"),
        rows => format!("{rows} rows per register"),
    };
    match role {
        MatrixRole::A if model.shows_table() => {
            String::from("A and D by the table; runs by the formula")
        }
        MatrixRole::A if model.shared() => format!("A = Src2 of both EUs, {size}"),
        MatrixRole::A => format!("EU{eu}: A = Src2, {size}"),
        MatrixRole::B if by_register => {
            let k = 32 / layout.bits(role);
            format!("EU{eu}: + A × B (Src1 {kind}, {k} k a dword)")
        }
        MatrixRole::B => {
            let k = match layout.ops() {
                1 => String::from("1 k a stage"),
                ops => format!("{ops} k a stage"),
            };
            format!("EU{eu}: + A × B (Src1, {size}, {k})")
        }
        MatrixRole::C if model.has_null_src0() => format!("EU{eu}: C = 0 (Src0 is null)"),
        MatrixRole::C if model.constant_c() => {
            let value = model.value(role, eu, Index { row: 0, column: 0 });
            let whole = if by_register {
                format!("Src0 {}", registers_text(model, role, eu))
            } else {
                format!("Src0, {size}")
            };
            format!("EU{eu}: C = {value} ({whole}, all equal)")
        }
        MatrixRole::C if by_register => format!("EU{eu}: C (Src0 {kind}, {})", holds()),
        MatrixRole::C => format!("EU{eu}: C (Src0, {size})"),
        MatrixRole::D if by_register => format!("EU{eu}: = D (Dst {kind}, {})", holds()),
        MatrixRole::D if model.at.is_none() => {
            format!("EU{eu}: = D (Dst, {size}), {}", state_of_sums(model, eu))
        }
        // The sums may have another type than Dst.
        MatrixRole::D => {
            let kind = model.sum_type().name();
            format!(
                "EU{eu}: = D (Dst, sums {kind}), {}",
                state_of_sums(model, eu)
            )
        }
    }
}

/// Registers that hold a matrix of an EU: `r8–r15`.
fn registers_text(model: &MatrixModel, role: MatrixRole, eu: u8) -> String {
    let name = |register| model.register_name(role, register);
    match model.layout.registers(role, eu) {
        0 | 1 => name(0),
        count => format!("{}–{}", name(0), name(count - 1)),
    }
}

/// State of D: what its displayed values are, and whether the register already
/// holds those of the current row.
fn state_of_sums(model: &MatrixModel, eu: u8) -> String {
    let depth = model.layout.sd();
    if model.done.iter().all(|done| *done == depth) {
        return String::from("computed");
    }
    let Some(at) = model.at else {
        return String::from("not computed yet");
    };
    let row = at.row;
    let first = Index { row, column: 0 };
    let register = model
        .layout
        .location(MatrixRole::D, eu, first)
        .map(|at| model.register_name(MatrixRole::D, at.register))
        .expect("a step belongs to a row of D");
    if model.done[usize::from(row)] == depth {
        format!("row {row} written to {register}")
    } else {
        format!("row {row} not in {register} yet")
    }
}
