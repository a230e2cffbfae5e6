//! Switch for all configurations: repeat counts × bytes per row of Src2.

use super::item::MatrixItem;
use super::shapes::{Configuration, row_bytes};
use crate::components::read_only::use_read_only;
use crate::features::stage::svg::{Face, Rect, Text, Tone, px, text_width};
use lanewise_core::isa::visa::matrix::MatrixSuffix;
use lanewise_core::isa::visa::matrix::precision::Column;
use yew::prelude::*;

/// Font size.
const TYPE: f64 = 10.5;
/// Width below which labels are abbreviated.
const NARROW: f64 = 500.0;

#[derive(Properties, PartialEq)]
pub(super) struct SwitchProps {
    pub(super) at: Rect,
    /// Height of the legend below the table.
    pub(super) legend: f64,
    pub(super) written: MatrixSuffix,
    /// Whether the pair shares Src2.
    pub(super) shared: bool,
    /// Execution size.
    pub(super) channels: u8,
}

/// Configuration table. Pressing a cell rewrites the program; the picture has
/// the listener.
#[component]
pub(super) fn Switch(props: &SwitchProps) -> Html {
    let SwitchProps {
        at,
        legend: legend_height,
        written,
        shared,
        channels,
    } = props;
    let read_only = use_read_only();
    let is_narrow = at.width < NARROW;
    let labels = if is_narrow { 34.0 } else { 66.0 };
    let pitch = (at.width - labels) / 8.0;
    let row = (at.height - legend_height) / 4.0;
    let heads = (1..=8_u8).map(|rc| {
        let x = at.x + labels + (f64::from(rc) - 0.5) * pitch;
        let text = if is_narrow { rc.to_string() } else { format!("RC {rc}") };
        html! { <Text key={rc} {text} {x} y={at.y + row / 2.0} size={TYPE} face={Face::Sans} anchor="middle" class="dim" /> }
    });
    let heads: Html = heads.collect();
    let all: Vec<Configuration> = Column::ALL
        .into_iter()
        .flat_map(|column| (1..=8).map(move |rc| (column, rc)))
        .map(|(column, rc)| Configuration::new(*written, column, rc, *shared, *channels))
        .collect();
    let cell_size = (pitch - 3.0, row - 2.0);
    let marks = MarkPlan::new(&all, cell_size);
    let rows = Column::ALL.into_iter().enumerate().map(|(n, column)| {
        let y = at.y + (n as f64 + 1.0) * row;
        let of_row = all.iter().filter(|configuration| configuration.column == column);
        let cells = of_row.map(|configuration| {
            let x = at.x + labels + f64::from(configuration.rc - 1) * pitch;
            let rect = Rect::new(x, y + 1.0, cell_size.0, cell_size.1);
            cell(configuration, rect, marks, read_only)
        });
        let cells: Html = cells.collect();
        let bytes = row_bytes(column, 8);
        let about = if is_narrow { format!("{bytes} B") } else { format!("{bytes} B a row") };
        html! {
            <g key={n}>
                <g aria-hidden="true">
                    <Text text={about} x={at.x} y={y + row / 2.0} size={TYPE} face={Face::Sans} class="dim" />
                </g>
                { cells }
            </g>
        }
    });
    let rows: Html = rows.collect();
    let corner = if is_narrow { "RC" } else { "Src2" };
    let below = Rect {
        y: at.bottom() - legend_height,
        height: *legend_height,
        ..*at
    };
    html! {
        <g class="switch" role="group" aria-label="Every configuration: registers of Src2 by RC and bytes per row">
            // The accessible names of the buttons contain all of this.
            <g aria-hidden="true">
                <Text text={corner} x={at.x} y={at.y + row / 2.0} size={TYPE} face={Face::Sans} class="dim" />
                { heads }
            </g>
            { rows }
            <g class="legend" aria-hidden="true">{ legend(below, *shared, marks.size) }</g>
        </g>
    }
}

/// One-line legend of the marks.
fn legend(at: Rect, shared: bool, size: f64) -> Html {
    let is_narrow = at.width < NARROW;
    let words = match (shared, is_narrow) {
        (false, _) => vec![(
            Sign::Supplied(0),
            "a register of Src2; each EU reads its own",
        )],
        (true, false) => vec![
            (Sign::Supplied(0), "a register from EU0"),
            (Sign::Supplied(1), "from EU1"),
            (Sign::Dashed, "EU1 supplies nothing"),
            (Sign::Differs, "table and formula disagree"),
        ],
        (true, true) => vec![
            (Sign::Supplied(0), "EU0"),
            (Sign::Supplied(1), "EU1"),
            (Sign::Dashed, "nothing from EU1"),
            (Sign::Differs, "table ≠ formula"),
        ],
    };
    let middle = at.y + at.height / 2.0 + 1.0;
    let mut x = at.x;
    let entries = words.into_iter().enumerate().map(|(n, (sign, text))| {
        let start = x;
        let width = match sign {
            Sign::Dashed => 2.0 * size,
            _ => size,
        };
        x += width + 4.0 + text_width(text, TYPE, Face::Sans) + 10.0;
        let rect = Rect::new(start, middle - size / 2.0, width, size);
        html! {
            <g key={n}>
                { sign.view(rect) }
                <Text {text} x={start + width + 4.0} y={middle} size={TYPE} face={Face::Sans} class="dim" />
            </g>
        }
    });
    entries.collect()
}

/// Mark of a configuration.
#[derive(Clone, Copy)]
enum Sign {
    /// Register supplied by an EU.
    Supplied(u8),
    /// Dashed frame.
    Dashed,
    /// Table and formula disagree.
    Differs,
}

impl Sign {
    fn view(self, rect: Rect) -> Html {
        let Rect {
            x,
            y,
            width,
            height,
        } = rect;
        let frame = |class: &'static str, tone: Option<AttrValue>, round: f64| {
            html! {
                <rect {class} data-tone={tone} x={px(x)} y={px(y)} width={px(width)} height={px(height)} rx={px(round)} />
            }
        };
        match self {
            // Hollow and round if supplied by EU1.
            Self::Supplied(eu) => {
                let round = if eu == 1 { width / 2.0 } else { 0.5 };
                frame("supplied", Some(Tone::Eu(eu).name()), round)
            }
            Self::Dashed => frame("dashed", None, 2.0),
            Self::Differs => html! {
                <Text text="≠" x={x + width / 2.0} y={y + height / 2.0} size={11.0} anchor="middle" class="differs" />
            },
        }
    }
}

/// Size and arrangement of the marks, the same for all configurations: in one
/// line, or with those of EU1 in a second line, whichever allows larger marks.
#[derive(Clone, Copy)]
struct MarkPlan {
    size: f64,
    lines: u8,
}

impl MarkPlan {
    /// Gap between and around marks.
    const GAP: f64 = 1.0;
    const SIDE: f64 = 3.0;

    fn new(all: &[Configuration], (width, height): (f64, f64)) -> Self {
        let most = |count: &dyn Fn(&Configuration) -> u8| {
            let most = all.iter().map(count).max();
            most.expect("the table has configurations")
        };
        let size = |lines: u8, columns: u8| {
            let across = (width - 2.0 * Self::SIDE) / f64::from(columns.max(1));
            let down = (height - 3.0) / f64::from(lines);
            across.min(down) - Self::GAP
        };
        let one = size(1, most(&Configuration::marks)).min(8.0);
        let two = size(2, most(&|c: &Configuration| c.counts[0].max(c.counts[1])));
        if one >= two {
            Self {
                size: one,
                lines: 1,
            }
        } else {
            Self {
                size: two,
                lines: 2,
            }
        }
    }
}

/// Configuration with a mark for each register.
fn cell(configuration: &Configuration, rect: Rect, plan: MarkPlan, read_only: bool) -> Html {
    let [first, _] = configuration.counts;
    let pitch = plan.size + MarkPlan::GAP;
    let middle = rect.y + rect.height / 2.0;
    let top = middle - (f64::from(plan.lines) * pitch - MarkPlan::GAP) / 2.0;
    let marks = (0..configuration.marks()).map(|n| {
        let eu = u8::from(n >= first);
        let (line, column) = match plan.lines {
            1 => (0, n),
            _ => (eu, n - eu * first),
        };
        let x = rect.x + MarkPlan::SIDE + f64::from(column) * pitch;
        let at = Rect::new(x, top + f64::from(line) * pitch, plan.size, plan.size);
        html! { <g key={n}>{ Sign::Supplied(eu).view(at) }</g> }
    });
    let marks: Html = marks.collect();
    let at_end = Rect::new(rect.right() - 11.0, middle - 4.0, 8.0, 8.0);
    let item = MatrixItem::Configuration {
        column: column_index(configuration.column),
        rc: configuration.rc,
    };
    html! {
        <g
            key={configuration.rc}
            class="configuration"
            role="button"
            tabindex={if configuration.current { "0" } else { "-1" }}
            aria-label={configuration.name()}
            aria-current={configuration.current.then_some("true")}
            aria-disabled={read_only.then_some("true")}
            data-item={item.to_string()}
            data-state={configuration.current.then_some("current")}
            data-shares-nothing={configuration.shares_nothing().then_some("")}
        >
            <title>{ configuration.name() }</title>
            <rect class="frame" x={px(rect.x)} y={px(rect.y)} width={px(rect.width)} height={px(rect.height)} rx="3" />
            { marks }
            if configuration.table.is_some() { { Sign::Differs.view(at_end) } }
        </g>
    }
}

fn column_index(column: Column) -> usize {
    let mut all = Column::ALL.into_iter();
    all.position(|c| c == column)
        .expect("all columns are in the list")
}
