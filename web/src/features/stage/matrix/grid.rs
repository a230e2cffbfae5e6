//! Matrix as rows of cells.

use super::item::MatrixItem;
use super::model::{GridRow, MatrixGrid};
use super::plan::GridPlan;
use super::text_mode::{CellText, TextMode, broken};
use crate::features::stage::svg::{Face, Rect, Text, Tone, fit, px, shrink, text_width};
use lanewise_core::isa::visa::matrix::layout::MatrixRole;
use std::rc::Rc;
use yew::prelude::*;

/// Range of cells in a row, end exclusive.
pub(super) type Cells = Option<(usize, usize)>;

/// How a selection affects a row.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum RowChoice {
    /// No selection.
    All,
    /// Selects these cells and dims the others.
    Cells(usize, usize),
    /// Dims all cells.
    Dimmed,
}

impl RowChoice {
    fn has(self, column: usize) -> bool {
        matches!(self, Self::Cells(first, end) if (first..end).contains(&column))
    }

    fn dims(self, column: usize) -> bool {
        self != Self::All && !self.has(column)
    }
}

/// Highlights of a grid, from the last step and the selection, for each row.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct GridMarks {
    pub(super) current: Vec<Cells>,
    pub(super) chosen: Vec<RowChoice>,
}

#[derive(Properties, PartialEq)]
pub(super) struct GridViewProps {
    pub(super) grid: Rc<MatrixGrid>,
    pub(super) plan: GridPlan,
    /// Name of the grid.
    pub(super) name: AttrValue,
    pub(super) marks: GridMarks,
    /// Whether rows of A name their register, in its colour.
    #[prop_or_default]
    pub(super) supplied: bool,
}

/// Grid; a row re-renders only if its contents change.
#[component]
pub(super) fn GridView(props: &GridViewProps) -> Html {
    let GridViewProps { grid, plan, .. } = props;
    let text = text_mode(grid, plan);
    let mut before = None;
    let rows = grid.rows.iter().enumerate().filter_map(|(at, row)| {
        let starts = row.register_name.as_ref() != before;
        before = row.register_name.as_ref();
        plan.shows(at).then(|| {
            html! {
                <GridRowView
                    key={at}
                    row={Rc::clone(row)}
                    plan={*plan}
                    {at}
                    {text}
                    tone={match row.register {
                        Some((eu, _)) if props.supplied => Tone::Eu(eu),
                        _ => Tone::Plain,
                    }}
                    register={starts && props.supplied}
                    current={props.marks.current[at]}
                    chosen={props.marks.chosen[at]}
                />
            }
        })
    });
    let rows: Html = rows.collect();
    html! {
        <g
            class="matrix-grid"
            role="grid"
            aria-label={props.name.clone()}
            data-matrix={plan.role.name()}
            data-by-register={plan.by_register.then_some("")}
        >
            { rows }
        </g>
    }
}

/// Alternating stripes for elements that share a dword.
fn stripes(plan: &GridPlan, row: usize, column: usize, count: usize) -> String {
    let odd = (1..count).step_by(2).map(|n| {
        let Rect {
            x,
            y,
            width,
            height,
        } = plan.element(row, column, n, count);
        format!(
            "M{} {}h{}v{}h-{}z",
            px(x),
            px(y),
            px(width),
            px(height),
            px(width)
        )
    });
    odd.collect()
}

fn text_mode(grid: &MatrixGrid, plan: &GridPlan) -> TextMode {
    let GridPlan {
        role,
        by_register,
        cell,
        lines,
        ..
    } = *plan;
    TextMode::new(&grid.widths, role, by_register, cell, lines)
}

/// Whether cells show hexadecimal bits: in the register view, and for A and B
/// if their values do not fit.
pub(super) fn shows_digits(grid: &MatrixGrid, plan: &GridPlan) -> bool {
    text_mode(grid, plan).text == CellText::Digits
}

#[derive(Properties, PartialEq)]
struct GridRowViewProps {
    row: Rc<GridRow>,
    plan: GridPlan,
    at: usize,
    text: TextMode,
    tone: Tone,
    /// Whether to name the register, in its first row.
    register: bool,
    current: Cells,
    chosen: RowChoice,
}

#[component]
fn GridRowView(props: &GridRowViewProps) -> Html {
    let GridRowViewProps {
        row,
        plan,
        at,
        text,
        chosen,
        ..
    } = props;
    let (role, eu) = (plan.role, plan.eu);
    let first = plan.rect(*at, 0);
    let middle = first.y + first.height / 2.0;
    let size = (plan.cell.1 + 0.5).clamp(7.5, 11.0);
    let is_current = |column: usize| props.current.is_some_and(|(a, z)| (a..z).contains(&column));
    let selectable = plan.role == MatrixRole::D;
    let cells = row.cells.iter().enumerate().map(|(column, cell)| {
        let rect = plan.rect(*at, column);
        let waiting = cell.waiting.then_some("");
        let lines = broken(cell.texts.of(text.text), text.text, plan.lines);
        let pitch = rect.height / lines.len() as f64;
        let has_room = |line: &String| fit(line, rect.width, text.size, Face::Mono) == *line;
        let is_cut = !lines.iter().all(has_room);
        let lines = lines.iter().enumerate().map(|(n, line)| {
            let shown = fit(line, rect.width, text.size, Face::Mono);
            let y = rect.y + (n as f64 + 0.5) * pitch;
            html! { <Text key={n} text={shown} x={rect.x + rect.width / 2.0} {y} size={text.size} anchor="middle" /> }
        });
        let lines: Html = lines.collect();
        // Packed or truncated text would contradict the accessible name, so it
        // is a sibling hidden from screen readers.
        html! {
            <g key={column}>
            <g
                class="grid-cell"
                role="gridcell"
                tabindex={if *at == plan.first && column == 0 { "0" } else { "-1" }}
                aria-label={cell.name.clone()}
                aria-current={is_current(column).then_some("step")}
                aria-selected={selectable.then(|| if chosen.has(column) { "true" } else { "false" })}
                data-item={MatrixItem::Cell { role, eu, row: *at, column }.to_string()}
                data-tone={props.tone.name()}
                data-state={is_current(column).then_some("current")}
                data-dimmed={chosen.dims(column).then_some("")}
                data-waiting={waiting}
            >
                if is_cut {
                    <title>{ cell.name.clone() }</title>
                }
                <rect x={px(rect.x)} y={px(rect.y)} width={px(rect.width)} height={px(rect.height)} rx={if plan.by_register { "0" } else { "2" }} />
            </g>
            if plan.by_register && cell.elements.len() > 1 {
                <path class="stripes" d={stripes(plan, *at, column, cell.elements.len())} />
            }
            <g
                class="grid-text"
                aria-hidden="true"
                data-tone={props.tone.name()}
                data-state={is_current(column).then_some("current")}
                data-dimmed={chosen.dims(column).then_some("")}
                data-waiting={waiting}
            >
                { lines }
            </g>
            </g>
        }
    });
    let cells: Html = cells.collect();
    // Start of the row number, with a gap before it.
    let number_at = first.x - 8.0 - text_width(&row.label, size, Face::Mono);
    // Further lines of a wrapped row show their first column.
    let further_lines = plan.lines_of_a_row().skip(1).map(|columns| {
        let start = plan.rect(*at, columns.start);
        let text = format!("+{}", columns.start);
        let y = start.y + start.height / 2.0;
        html! { <Text {text} x={start.x - 5.0} {y} size={8.5} anchor="end" class="dim" /> }
    });
    let register = row.register_name.as_ref().filter(|_| props.register);
    let name = match register {
        Some(register) => format!("Row {}, {register}", row.label),
        None => format!("Row {}", row.label),
    };
    html! {
        <g class="grid-row" role="row" aria-label={name.clone()} data-current={props.current.map(|_| "")}>
            <g role="rowheader" aria-label={name} data-tone={props.tone.name()}>
                if let Some(register) = register {
                    <Text
                        text={register.clone()}
                        x={plan.label_x}
                        y={middle}
                        size={shrink(register, number_at - plan.label_x, size, Face::Mono)}
                        class="strong toned"
                    />
                }
                <Text text={row.label.clone()} x={first.x - 5.0} y={middle} {size} anchor="end" class="dim" />
                { for further_lines }
            </g>
            { cells }
        </g>
    }
}
