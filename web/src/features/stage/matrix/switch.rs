//! Every configuration, as a switch: repeat counts × bytes of a row of Src2.

use super::shapes::{Configuration, row_bytes};
use crate::features::stage::svg::{Face, Rect, Text, Tone, px};
use lanewise_core::isa::visa::matrix::MatrixSuffix;
use lanewise_core::isa::visa::matrix::precision::Column;
use yew::prelude::*;

#[derive(Properties, PartialEq)]
pub(super) struct SwitchProps {
    pub(super) at: Rect,
    pub(super) written: MatrixSuffix,
    /// Whether the pair shares Src2.
    pub(super) shared: bool,
    /// The execution size.
    pub(super) channels: u8,
}

/// The table. A press on a cell, which the picture listens to, rewrites the
/// program.
#[component]
pub(super) fn Switch(props: &SwitchProps) -> Html {
    let SwitchProps {
        at,
        written,
        shared,
        channels,
    } = props;
    let labels = if at.width < 500.0 { 52.0 } else { 76.0 };
    let pitch = (at.width - labels) / 8.0;
    let row = at.height / 4.0;
    let heads = (1..=8_u8).map(|rc| {
        let x = at.x + labels + (f64::from(rc) - 0.5) * pitch;
        let text = if pitch > 50.0 || rc == 1 { format!("RC {rc}") } else { rc.to_string() };
        html! { <Text key={rc} {text} {x} y={at.y + row / 2.0} size={10.5} face={Face::Sans} anchor="middle" class="dim" /> }
    });
    let heads: Html = heads.collect();
    let rows = Column::ALL.into_iter().enumerate().map(|(n, column)| {
        let y = at.y + (n as f64 + 1.0) * row;
        let bytes = row_bytes(column, 8);
        let cells = (1..=8_u8).map(|rc| {
            let configuration = Configuration::new(*written, column, rc, *shared, *channels);
            let rect = Rect::new(at.x + labels + f64::from(rc - 1) * pitch, y + 1.0, pitch - 4.0, row - 2.0);
            cell(&configuration, rect)
        });
        let cells: Html = cells.collect();
        let about = if at.width < 500.0 { format!("{bytes} B") } else { format!("{bytes} B a row") };
        html! {
            <g key={n}>
                <g aria-hidden="true">
                    <Text text={about} x={at.x} y={y + row / 2.0} size={10.5} face={Face::Sans} class="dim" />
                </g>
                { cells }
            </g>
        }
    });
    let rows: Html = rows.collect();
    // What the marks of a configuration mean.
    let marks = match (*shared, at.width < 500.0) {
        (false, _) => "Src2",
        (true, false) => "■ EU0 ○ EU1",
        (true, true) => "■ 0 ○ 1",
    };
    html! {
        <g class="switch" role="group" aria-label="Every configuration: registers of Src2 by RC and bytes a row">
            // The buttons have all of it in their names.
            <g aria-hidden="true">
                <Text text={marks} x={at.x} y={at.y + row / 2.0} size={10.5} face={Face::Sans} class="dim" />
                { heads }
            </g>
            { rows }
        </g>
    }
}

/// A configuration: a square for each register, hollow and round where EU1
/// supplies it.
fn cell(configuration: &Configuration, rect: Rect) -> Html {
    let [first, second] = configuration.counts;
    let count = f64::from(first + second).max(1.0);
    let mark = ((rect.width - 16.0) / count - 1.0)
        .min(rect.height - 6.0)
        .max(2.0);
    let (y, middle) = (
        rect.y + (rect.height - mark) / 2.0,
        rect.y + rect.height / 2.0,
    );
    let marks = (0..first + second).map(|n| {
        let x = rect.x + 5.0 + f64::from(n) * (mark + 1.0);
        let eu = u8::from(n >= first);
        let round = if eu == 1 { mark / 2.0 } else { 0.5 };
        html! {
            <rect key={n} class="supplied" data-tone={Tone::Eu(eu).name()} x={px(x)} y={px(y)} width={px(mark)} height={px(mark)} rx={px(round)} />
        }
    });
    let marks: Html = marks.collect();
    html! {
        <g
            key={configuration.rc}
            class="configuration"
            role="button"
            tabindex={if configuration.current { "0" } else { "-1" }}
            aria-label={configuration.name()}
            aria-current={configuration.current.then_some("true")}
            data-configuration={format!("{} {}", column_index(configuration.column), configuration.rc)}
            data-state={configuration.current.then_some("current")}
            data-shares-nothing={configuration.shares_nothing().then_some("")}
        >
            <title>{ configuration.name() }</title>
            <rect class="frame" x={px(rect.x)} y={px(rect.y)} width={px(rect.width)} height={px(rect.height)} rx="3" />
            { marks }
            if configuration.table.is_some() {
                <Text text="≠" x={rect.right() - 3.0} y={middle} size={11.0} anchor="end" class="differs" />
            }
        </g>
    }
}

fn column_index(column: Column) -> usize {
    let mut all = Column::ALL.into_iter();
    all.position(|c| c == column)
        .expect("all columns are in the list")
}
