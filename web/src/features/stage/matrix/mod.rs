//! Matrix view, "Src2 supply": which EU supplies which register of Src2, and D
//! = C + A × B stage by stage.
//!
//! [`model`] defines the contents, [`plan`] the layout, and [`shapes`] the
//! available configurations. [`MatrixStage`] draws the registers of Src2
//! ([`supply`]), the matrices ([`grid`]), the configuration table ([`switch`])
//! and hover outlines ([`probe`]); [`ProductsPanel`] belongs to the drawer.

mod action;
mod grid;
mod item;
mod model;
mod plan;
mod probe;
mod products;
mod reducer;
mod reshape;
mod shapes;
mod supply;
mod switch;
mod text_mode;
mod thumbnail;

pub(crate) use action::MatrixAction;
pub(crate) use model::{DstElement, MatrixModel, MatrixViewOptions, instruction_in_editor};
pub(crate) use products::ProductsPanel;
pub(crate) use thumbnail::MatrixThumbnail;

use crate::components::read_only::use_read_only;
use crate::features::stage::follow::use_reveal;
use crate::features::stage::size::{PaneRoom, use_pane_room};
use crate::features::stage::svg::{Face, Rect, Text, Tone, WholeText, fit, px, text_width};
use crate::store::Action;
use grid::{GridMarks, GridView, RowChoice, shows_digits};
use item::{MatrixItem, move_focus, pressed};
use lanewise_core::isa::visa::matrix::layout::{Index, Layout, MatrixRole};
use lanewise_core::isa::visa::matrix::trace::StageAt;
use lanewise_core::isa::visa::matrix::{MatrixOperands, Precision};
use model::{BeforeStep, GridCell, GridRow, Grids, MatrixGrid, describe, rows_text};
use plan::{AxisOf, GridPlan, HeadingOf, MatrixHeading, Plan, Room, SumsPlan};
use probe::{Pointed, Probe, outlines, pointed_at};
use shapes::{with_a, with_w};
use std::rc::Rc;
use switch::Switch;
use web_sys::HtmlSelectElement;
use yew::prelude::*;

#[derive(Properties, PartialEq)]
pub(crate) struct MatrixStageProps {
    pub(crate) model: Rc<MatrixModel>,
    /// Whether the edited text has errors, so that the picture is outdated.
    #[prop_or_default]
    pub(crate) stale: bool,
    /// Whether the picture is in a player, whose height fits its contents.
    #[prop_or_default]
    pub(crate) in_player: bool,
    pub(crate) on_action: Callback<MatrixAction>,
}

#[derive(Properties, PartialEq)]
pub(crate) struct MatrixPaneProps {
    pub(crate) model: Rc<MatrixModel>,
    pub(crate) stale: bool,
    pub(crate) in_player: bool,
    /// Whether to show the products of the selected element below the picture,
    /// where the drawer is not visible.
    pub(crate) products: bool,
    pub(crate) dispatch: Callback<Action>,
}

/// Matrix view, optionally with products.
#[component]
pub(crate) fn MatrixPane(props: &MatrixPaneProps) -> Html {
    let model = &props.model;
    let on_action = use_callback(props.dispatch.clone(), |action, dispatch| {
        dispatch.emit(Action::Matrix(action));
    });
    html! {
        <>
            <MatrixStage
                model={Rc::clone(model)}
                stale={props.stale}
                in_player={props.in_player}
                {on_action}
            />
            if props.products && model.look.element.is_some() {
                <ProductsPanel model={Rc::clone(model)} />
            }
        </>
    }
}

/// Scrolled into view with each step: the rows of D, and with precedence the
/// row of A.
const TOUCHED: [&str; 2] = [
    "[data-matrix=D] [data-current] rect",
    "[data-matrix=A] [data-current] rect",
];

/// Inputs of the grids of A, B and C and of the plan; constant throughout a
/// run.
#[derive(PartialEq)]
struct Sources {
    operands: Rc<MatrixOperands>,
    layout: Layout,
    shared: bool,
    by_register: bool,
    null_src0: bool,
    eus: u8,
    room: Room,
    unfolded: bool,
}

#[component]
pub(crate) fn MatrixStage(props: &MatrixStageProps) -> Html {
    let MatrixStageProps {
        model,
        on_action,
        in_player,
        ..
    } = props;
    let read_only = use_read_only();
    let section = use_node_ref();
    let svg = use_node_ref();
    let measured = use_pane_room(section.clone(), svg.clone());
    let room = measured.map_or(
        Room::USUAL,
        |PaneRoom {
             pane,
             width,
             height,
         }| {
            let height = if *in_player {
                Room::USUAL.height
            } else {
                height
            };
            Room::new(pane, width, height)
        },
    );
    let unfolded = use_state_eq(|| false);
    let sources = Sources {
        operands: Rc::clone(&model.operands),
        layout: model.layout,
        shared: model.shared(),
        by_register: model.look.by_register,
        null_src0: model.null_src0,
        eus: model.eus,
        room,
        unfolded: *unfolded,
    };
    let drawing = use_memo(sources, |_| {
        let grids = Grids::new(model);
        let plan = Plan::new(model, &grids, room, *unfolded);
        (Rc::new(grids), plan)
    });
    let (grids, plan) = &*drawing;
    let dst = use_memo(Rc::clone(model), |model| {
        MatrixGrid::of_eus(model, MatrixRole::D, model.eus)
    });
    let all = || grids.a.iter().chain(&grids.c).chain(&grids.b).chain(&*dst);
    let first_of = |role, eu| {
        let grid = all().find(|grid| (grid.role, grid.eu) == (role, eu));
        current_row(model, grid.expect("every planned item is a grid"))
    };
    let plan = Rc::new(plan.clone().at_step(first_of));
    // Follow the step if the picture scrolls.
    let follows = room.stacked || plan.size.1 > room.height + 1.0;
    use_reveal(svg.clone(), model.at.filter(|_| follows), &TOUCHED);
    let pointed = use_state_eq(|| None::<Pointed>);
    // The element may not exist in another instruction.
    let at = pointed.filter(|p| model.location(p.role, p.eu, p.index).is_some());

    let point = {
        let (grids, dst, plan) = (Rc::clone(grids), Rc::clone(&dst), Rc::clone(&plan));
        let (model, pointed) = (Rc::clone(model), pointed.clone());
        move |event: &Event, pointer: Option<(i32, i32)>| {
            pointed.set(pointed_at(&model, &grids, &dst, &plan, event, pointer));
        }
    };
    let onpointermove = {
        let point = point.clone();
        Callback::from(move |event: PointerEvent| {
            point(&event, Some((event.client_x(), event.client_y())));
        })
    };
    let onfocusin = Callback::from(move |event: FocusEvent| point(&event, None));
    let onpointerleave = {
        let pointed = pointed.clone();
        Callback::from(move |_: PointerEvent| pointed.set(None))
    };
    let press = {
        let (model, on_action) = (Rc::clone(model), on_action.clone());
        let (grids, dst) = (Rc::clone(grids), Rc::clone(&dst));
        move |event: &Event| match MatrixItem::of_event(event) {
            Some(MatrixItem::Fold) => unfolded.set(!*unfolded),
            Some(MatrixItem::Configuration { .. }) if read_only => {}
            Some(item) => {
                if let Some(action) = pressed(&model, &grids, &dst, item) {
                    on_action.emit(action);
                }
            }
            None => {}
        }
    };
    let onclick = {
        let press = press.clone();
        Callback::from(move |event: MouseEvent| press(&event))
    };
    let onkeydown = {
        let svg = svg.clone();
        Callback::from(move |event: KeyboardEvent| {
            if matches!(event.key().as_str(), "Enter" | " ") {
                event.prevent_default();
                press(&event);
            } else if svg.cast().is_some_and(|svg| move_focus(&svg, &event)) {
                event.prevent_default();
            }
        })
    };
    let outlines = at.map_or_else(Vec::new, |at| outlines(model, &plan, grids, &dst, at));
    // The step summary describes the step.
    let note = at.map(|at| describe(model, at.role, at.eu, at.index));
    let note = note.or_else(|| model.fed_by_register());
    let views = all().filter_map(|grid| {
        let own = plan
            .grids
            .iter()
            .find(|p| p.role == grid.role && p.eu == grid.eu)?;
        Some(html! {
            <GridView
                key={format!("{} {}", grid.role.name(), grid.eu)}
                grid={Rc::clone(grid)}
                plan={*own}
                name={title(model, grid.role, grid.eu)}
                marks={marks(model, grid)}
                supplied={grid.role == MatrixRole::A}
            />
        })
    });
    let views: Html = views.collect();
    let (width, height) = plan.size;
    html! {
        <section
            ref={section}
            class="matrix-stage"
            aria-label="Src2 supply"
            data-stale={props.stale.then_some("")}
            data-stacked={room.stacked.then_some("")}
        >
            <PictureBar model={Rc::clone(model)} on_action={on_action.clone()} />
            <div class="matrix-line">
                <p
                    class={classes!("matrix-summary", note.is_some().then_some("unseen"))}
                    role="status"
                    aria-label="Supply summary"
                >{ model.summary() }</p>
                if let Some(note) = note { <p class="note">{ note }</p> }
            </div>
            <svg
                ref={svg}
                class="stage-svg matrix-svg"
                width={px(width)}
                height={px(height)}
                viewBox={format!("0 0 {} {}", px(width), px(height))}
                role="group"
                aria-label={format!("{}: D = C + A × B", model.name)}
                data-step={model.at.map(|_| "")}
                {onpointermove}
                {onpointerleave}
                {onfocusin}
                {onclick}
                {onkeydown}
            >
                { headings(model, &plan, grids, &dst) }
                if !plan.stacked && model.shared() { { supply::edges(model, &plan) } }
                { for plan.panels.iter().map(|panel| supply::panel(model, panel)) }
                <g aria-hidden="true">{ axes(model, &plan) }</g>
                { views }
                { before_step(model, &plan) }
                <Switch
                    at={plan.switch}
                    legend={plan.legend}
                    written={model.written}
                    shared={model.shared()}
                    channels={model.layout.channels()}
                />
                <Probe {outlines} />
            </svg>
            { table(model) }
        </section>
    }
}

#[derive(Properties, PartialEq)]
struct PictureBarProps {
    model: Rc<MatrixModel>,
    on_action: Callback<MatrixAction>,
}

/// Toolbar: precisions, view, and which of the document's two statements to
/// apply.
#[component]
fn PictureBar(props: &PictureBarProps) -> Html {
    let PictureBarProps { model, on_action } = props;
    let read_only = use_read_only();
    let written = model.written;
    let select = |name: &'static str, about: &'static str, now: Precision, w: bool| {
        let (on_action, precisions) = (on_action.clone(), model.precisions);
        let onchange = Callback::from(move |event: Event| {
            let select: HtmlSelectElement = event.target_unchecked_into();
            let index = usize::try_from(select.selected_index()).ok();
            if let Some(precision) = index.and_then(|index| precisions.get(index)) {
                let new = if w {
                    with_w(written, *precision)
                } else {
                    with_a(written, *precision)
                };
                on_action.emit(MatrixAction::Reshape(new));
            }
        });
        let options = precisions
            .iter()
            .map(|p| html! { <option selected={*p == now}>{ p.name() }</option> });
        html! {
            <label class="field" title={about}>
                <span>{ name }</span>
                <select aria-label={name} disabled={read_only} {onchange}>{ for options }</select>
            </label>
        }
    };
    let toggle = |text: &'static str, on: bool, action: MatrixAction| {
        let onclick = on_action.reform(move |_: MouseEvent| action);
        html! {
            <button type="button" aria-pressed={if on { "true" } else { "false" }} {onclick}>{ text }</button>
        }
    };
    let by_register = model.look.by_register;
    let differs = model.supply.is_some_and(|supply| supply.differs());
    html! {
        <div class="matrix-bar">
            { select("W", "Precision of Src1, B", written.w, true) }
            { select("A", "Precision of Src2, A", written.a, false) }
            <span class="segmented" role="group" aria-label="View">
                { toggle("Matrix view", !by_register, MatrixAction::ByRegister(false)) }
                { toggle("Register view", by_register, MatrixAction::ByRegister(true)) }
            </span>
            if differs {
                <span class="segmented" role="group" aria-label="Document statement to apply">
                    { toggle("By formula", !model.look.by_table, MatrixAction::ByTable(false)) }
                    { toggle("By table", model.look.by_table, MatrixAction::ByTable(true)) }
                </span>
            }
        </div>
    }
}

/// Heading above each grid.
fn headings(model: &MatrixModel, plan: &Plan, grids: &Grids, dst: &[Rc<MatrixGrid>]) -> Html {
    let lines = plan.headings.iter().enumerate().map(|(n, heading)| {
        let (text, eu) = match heading.what {
            HeadingOf::Panel(eu) => (format!("EU{eu} · Src2"), Some(eu)),
            HeadingOf::Grid(role, eu) => {
                let own = role != MatrixRole::A || !model.shared();
                let mut all = grids.a.iter().chain(&grids.b).chain(&grids.c).chain(dst);
                let grid = all.find(|grid| (grid.role, grid.eu) == (role, eu));
                let text = heading_of_grid(model, grid, plan.grid(role, eu), heading);
                (text, own.then_some(eu))
            }
        };
        let tone = eu.map_or(Tone::Plain, Tone::Eu);
        let Rect {
            x,
            y,
            width,
            height,
        } = heading.at;
        let shown = fit(&text, width, HEADING_TYPE, Face::Sans);
        let is_cut = shown != text;
        let line = html! {
            <Text
                text={shown}
                {x}
                y={y + height / 2.0}
                size={HEADING_TYPE}
                face={Face::Sans}
                class="toned"
            />
        };
        let HeadingOf::Grid(role, eu) = heading.what else {
            return html! { <g key={n} class="heading" data-tone={tone.name()} aria-hidden="true">{ line }</g> };
        };
        if heading.folds {
            let is_folded = plan.grid(role, eu).is_some_and(|grid| grid.folded);
            // The heading is packed or truncated text beside the button.
            return html! {
                <g key={n} class="heading" data-tone={tone.name()}>
                    <g
                        data-item={MatrixItem::Fold.to_string()}
                        role="button"
                        tabindex="0"
                        aria-label={format!("All rows of {} of EU{eu}", role.name())}
                        aria-expanded={if is_folded { "false" } else { "true" }}
                    >
                        <rect class="hit" x={px(x)} y={px(y)} width={px(width)} height={px(height)} rx="3">
                            if is_cut { <title>{ text }</title> }
                        </rect>
                    </g>
                    <g aria-hidden="true">{ line }</g>
                </g>
            };
        }
        // The heading names the grid below it, if drawn.
        let is_alone = plan.grids.iter().all(|grid| (grid.role, grid.eu) != (role, eu));
        // A C with one value: start of a row's sums.
        let starts = |at: StageAt| at.d == 0 && at.channel.is_none_or(|(own, _)| own == eu);
        let is_current = is_alone && model.at.is_some_and(starts);
        let highlighted = Rect::new((x - 3.0).max(0.0), y, (text_width(&text, HEADING_TYPE, Face::Sans) + 6.0).min(width), height - 1.0);
        html! {
            <g
                key={n}
                class="heading"
                data-tone={tone.name()}
                data-state={is_current.then_some("current")}
                aria-current={is_current.then_some("step")}
                role={is_alone.then_some("img")}
                aria-label={is_alone.then(|| text.clone())}
                aria-hidden={(!is_alone).then_some("true")}
            >
                if is_current {
                    <rect class="hit" x={px(highlighted.x)} y={px(highlighted.y)} width={px(highlighted.width)} height={px(highlighted.height)} rx="3" />
                }
                { line }
                if is_cut { <WholeText at={heading.at} {text} /> }
            </g>
        }
    });
    lines.collect()
}

/// Font size of the headings.
const HEADING_TYPE: f64 = 11.5;

/// Heading of a grid: matrix, number base and visible rows.
fn heading_of_grid(
    model: &MatrixModel,
    grid: Option<&Rc<MatrixGrid>>,
    plan: Option<&GridPlan>,
    heading: &MatrixHeading,
) -> String {
    let HeadingOf::Grid(role, eu) = heading.what else {
        return String::new();
    };
    let title = title(model, role, eu);
    let drawn = grid.zip(plan);
    let base = match drawn {
        Some((grid, plan)) if shows_digits(grid, plan) => ", hex",
        _ => "",
    };
    let rows = match plan {
        Some(plan) if plan.folded => match (role, model.look.by_register) {
            (MatrixRole::B, false) => format!(": stage {}", plan.first),
            (_, true) => format!(": R{}", plan.first),
            _ => format!(": row {}", plan.first),
        },
        _ => String::new(),
    };
    let mark = match (heading.folds, rows.is_empty()) {
        (false, _) => "",
        (true, true) => "▾ ",
        (true, false) => "▸ ",
    };
    let whole = format!("{mark}{title}{base}{rows}");
    if text_width(&whole, HEADING_TYPE, Face::Sans) <= heading.at.width {
        return whole;
    }
    // The axis of A also shows the number of k per stage.
    match title.rsplit_once(", ").filter(|_| role == MatrixRole::B) {
        Some((short, _)) => format!("{mark}{short}){base}{rows}"),
        None => whole,
    }
}

/// Sums before the last step, directly above the resulting ones, and, if they
/// fit, what the step added: `12+4`. All sums of a picture have the same form.
/// Before the first stage, the sums are C.
fn before_step(model: &MatrixModel, plan: &Plan) -> Html {
    let Some(at) = model.at else {
        return Html::default();
    };
    let row = at.row;
    let places = plan.before_step();
    let all = places.filter_map(|(eu, lines)| Some((eu, lines, model.before_step(eu)?)));
    let all: Vec<(u8, Vec<SumsPlan>, Vec<Option<BeforeStep>>)> = all.collect();
    let fits = |is_whole: bool, size: f64| {
        all.iter().all(|(_, lines, sums)| {
            let pitch = lines[0].pitch() - BETWEEN_SUMS;
            let mut texts = sums.iter().flatten().map(|sum| sum.text(is_whole));
            texts.all(|text| text_width(&text, size, Face::Mono) <= pitch)
        })
    };
    let forms = [
        (true, TYPE_OF_SUMS),
        (true, LEAST_SUMS),
        (false, TYPE_OF_SUMS),
    ];
    let form = forms
        .into_iter()
        .find(|(is_whole, size)| fits(*is_whole, *size));
    let (is_whole, size) = form.unwrap_or((false, LEAST_SUMS));
    let eus = all.iter().map(|(eu, lines, sums)| {
        let whole = sums.iter().flatten().map(|sum| sum.text(true));
        let whole: Vec<String> = whole.collect();
        let name = format!(
            "Row {row} of D of EU{eu} before the step: {}",
            whole.join(" ")
        );
        let texts = lines.iter().flat_map(|line| {
            let (room, pitch) = (line.at, line.pitch());
            let sums = sums[line.channels.clone()].iter().enumerate();
            sums.filter_map(move |(n, sum)| {
                let text = fit(&sum.as_ref()?.text(is_whole), pitch, size, Face::Mono);
                let x = room.x + (n as f64 + 0.5) * pitch;
                let y = room.y + room.height / 2.0;
                let key = line.channels.start + n;
                Some(html! { <Text {key} {text} {x} {y} {size} anchor="middle" /> })
            })
        });
        let texts: Html = texts.collect();
        let (first, last) = (lines[0].at, lines[lines.len() - 1].at);
        let whole_room = Rect::new(first.x, first.y, first.width, last.bottom() - first.y);
        html! {
            <g key={*eu} class="before-step" role="img" aria-label={name.clone()}>
                // Connects the line with the row below.
                <rect
                    class="ground"
                    x={px(whole_room.x)}
                    y={px(whole_room.y)}
                    width={px(whole_room.width)}
                    height={px(whole_room.height)}
                />
                { texts }
                // Beside the sums, aligned with the row numbers.
                <Text
                    text={if at.d == 0 { "C" } else { "was" }}
                    x={first.x - 3.0}
                    y={first.y + first.height / 2.0}
                    size={9.0}
                    face={Face::Sans}
                    anchor="end"
                    class="dim"
                />
                <WholeText at={whole_room} text={name} />
            </g>
        }
    });
    eus.collect()
}

/// Gap between two sums.
const BETWEEN_SUMS: f64 = 5.0;
const LEAST_SUMS: f64 = 8.5;
/// Font size of the sums before a step.
const TYPE_OF_SUMS: f64 = 9.5;

/// `EU0: + A × B (Src1, 32 × 8 s8, 4 k a stage)`, or, in the register view, the
/// contents of a register.
fn title(model: &MatrixModel, role: MatrixRole, eu: u8) -> String {
    let layout = model.layout;
    let (rows, columns) = layout.size(role);
    let kind = match role {
        MatrixRole::A | MatrixRole::B => layout.precision(role).map_or("", Precision::name),
        MatrixRole::C | MatrixRole::D => model.element_type(role).name(),
    };
    let size = format!("{rows} × {columns} {kind}");
    let by_register = model.look.by_register;
    let holds = || match u16::from(layout.register_bytes()) * 8
        / (u16::from(layout.bits(role)) * u16::from(columns))
    {
        1 => String::from("row = register"),
        rows => format!("{rows} rows per register"),
    };
    match role {
        MatrixRole::A if model.shows_table() => {
            String::from("A = Src2 by the table; execution follows the formula")
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
        MatrixRole::C if model.null_src0 => format!("EU{eu}: C = 0 (Src0 is null)"),
        MatrixRole::C if model.constant_c() => {
            let value = model.src0(eu, Index { row: 0, column: 0 });
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
        .location(MatrixRole::D, eu, first)
        .map(|at| model.register_name(MatrixRole::D, at.register))
        .expect("a step belongs to a row of D");
    if model.done[usize::from(row)] == depth {
        format!("row {row} written to {register}")
    } else {
        format!("row {row} not in {register} yet")
    }
}

/// Row drawn if a matrix is collapsed: the first one highlighted by the step,
/// or for C, that of the step's sums.
fn current_row(model: &MatrixModel, grid: &MatrixGrid) -> usize {
    let Some(at) = model.at else { return 0 };
    let is_meant = |e: &Index| match grid.role {
        MatrixRole::B => e.row == at.d * model.layout.ops(),
        _ => e.row == at.row,
    };
    let mut rows = grid.rows.iter();
    rows.position(|row| {
        row.cells
            .iter()
            .any(|cell| cell.elements.iter().any(is_meant))
    })
    .expect("each matrix has a row for each step")
}

/// Numbers of the stages, and of the lanes and bytes of registers.
fn axes(model: &MatrixModel, plan: &Plan) -> Html {
    let layout = model.layout;
    let dwords = layout.register_bytes() / 4;
    let axes = plan.axes.iter().enumerate().map(|(n, axis)| {
        let (name, count, size) = match axis.what {
            AxisOf::Stages => ("stage", layout.sd(), 10.0),
            AxisOf::Lanes => ("lane", dwords, 8.5),
            AxisOf::Bytes => ("byte", dwords, 8.5),
        };
        let at = axis.at;
        let pitch = at.width / f64::from(count);
        let numbers = (0..count).map(|n| {
            let x = at.x + (f64::from(n) + 0.5) * pitch;
            let (text, is_current) = match axis.what {
                AxisOf::Stages => (n.to_string(), model.at.is_some_and(|at| at.d == n)),
                AxisOf::Lanes => (n.to_string(), false),
                AxisOf::Bytes => (format!("+{}", n * 4), false),
            };
            let class = classes!("dim", is_current.then_some("strong"));
            html! {
                <Text key={n} {text} {x} y={at.y + at.height / 2.0} {size} anchor="middle" {class} />
            }
        });
        let numbers: Html = numbers.collect();
        html! {
            <g key={n} class="axis">
                <Text text={name} x={at.x - 4.0} y={at.y + at.height / 2.0} {size} face={Face::Sans} anchor="end" class="dim" />
                { numbers }
            </g>
        }
    });
    axes.collect()
}

/// Range of cells in a row with a matching element, end exclusive.
fn cells_of(row: &GridRow, is_meant: impl Fn(&Index) -> bool) -> Option<(usize, usize)> {
    let meant = |cell: &GridCell| cell.elements.iter().any(&is_meant);
    let first = row.cells.iter().position(meant)?;
    let count = row.cells[first..].iter().take_while(|cell| meant(cell));
    Some((first, first + count.count()))
}

/// Highlights of a grid for the last step and the selection.
fn marks(model: &MatrixModel, grid: &MatrixGrid) -> GridMarks {
    let current = grid.rows.iter().enumerate().map(|(row, cells)| {
        let at = model.at?;
        let mine = at.channel.is_none_or(|(eu, _)| eu == grid.eu);
        let channel = at.channel.map(|(_, channel)| channel);
        let has_channel = |e: &Index| channel.is_none_or(|channel| e.column == channel);
        let stage = usize::from(at.d);
        match grid.role {
            MatrixRole::A => {
                let mine = mine || model.shared();
                (mine && row == usize::from(at.row)).then_some((stage, stage + 1))
            }
            // Start of the sums.
            MatrixRole::C if at.d > 0 => None,
            MatrixRole::C | MatrixRole::D => {
                cells_of(cells, |e| e.row == at.row && has_channel(e)).filter(|_| mine)
            }
            MatrixRole::B => {
                let k = at.d * model.layout.ops();
                cells_of(cells, |e| e.row == k && has_channel(e)).filter(|_| mine)
            }
        }
    });
    let chosen = grid.rows.iter().map(|row| chosen_in(model, grid, row));
    GridMarks {
        current: current.collect(),
        chosen: chosen.collect(),
    }
}

/// Part of a row that belongs to the selected element of D or register.
fn chosen_in(model: &MatrixModel, grid: &MatrixGrid, row: &GridRow) -> RowChoice {
    let cells = |cells: Option<(usize, usize)>| {
        cells.map_or(RowChoice::Dimmed, |(first, end)| {
            RowChoice::Cells(first, end)
        })
    };
    let own_a = grid.role == MatrixRole::A && !model.shared();
    if let Some(element) = model.look.element {
        let elsewhere = grid.eu != element.eu && (grid.role != MatrixRole::A || own_a);
        return match grid.role {
            _ if elsewhere => RowChoice::Dimmed,
            MatrixRole::A => cells(cells_of(row, |e| e.row == element.row)),
            MatrixRole::B => cells(cells_of(row, |e| e.column == element.channel)),
            MatrixRole::C | MatrixRole::D => cells(cells_of(row, |e| {
                (e.row, e.column) == (element.row, element.channel)
            })),
        };
    }
    let Some((eu, register)) = model.register() else {
        return RowChoice::All;
    };
    let rows = model.rows_in(eu, register);
    let lies_in = |e: &Index| {
        let parts = model.element_parts(eu, *e);
        parts
            .iter()
            .any(|part| (part.eu, part.register) == (eu, register))
    };
    let mine = model.shared() || grid.eu == eu;
    match grid.role {
        MatrixRole::A if mine => cells(cells_of(row, lies_in)),
        MatrixRole::D if mine => cells(cells_of(row, |e| rows.contains(&e.row))),
        _ => RowChoice::Dimmed,
    }
}

/// Table of the Src2 registers for screen readers.
fn table(model: &MatrixModel) -> Html {
    let eus = 0..model.eus;
    let rows = eus.flat_map(|eu| {
        (0..model.layout.registers(MatrixRole::A, eu)).map(move |register| (eu, register))
    });
    let rows = rows.map(|(eu, register)| {
        let rows = model.rows_in(eu, register);
        html! {
            <tr key={format!("{eu} {register}")}>
                <th scope="row">{ format!("EU{eu}.{}", model.register_name(MatrixRole::A, register)) }</th>
                <td>{ rows_text(&rows) }</td>
                <td>{ if model.shared() { String::from("both EUs") } else { format!("EU{eu}") } }</td>
            </tr>
        }
    });
    let rows: Html = rows.collect();
    html! {
        <div class="unseen">
            <table>
                <caption>{"Registers of Src2 that are read"}</caption>
                <thead>
                    <tr>
                        <th scope="col">{"Register"}</th>
                        <th scope="col">{"Rows of A"}</th>
                        <th scope="col">{"Multiplied by"}</th>
                    </tr>
                </thead>
                <tbody>{ rows }</tbody>
            </table>
        </div>
    }
}
