//! Where everything of the picture is drawn, in user units: CSS pixels at
//! natural size. The whole picture of a pair of EUs is 700 × 520 at most.

use super::model::{Grids, MatrixModel};
use crate::features::stage::svg::{Point, Rect};
use lanewise_core::isa::visa::matrix::layout::MatrixRole;

/// The width of the picture.
pub(crate) const WIDTH: f64 = 700.0;
/// The width of the picture on a phone, where the EUs are one below the other.
pub(crate) const NARROW: f64 = 360.0;
/// The most that a picture of [`WIDTH`] is high.
pub(crate) const HEIGHT: f64 = 520.0;

/// Room for one line of words.
const LINE: f64 = 15.0;
/// The height of a row of the table of configurations.
const SWITCH_ROW: f64 = 17.0;

/// A grid of cells: origin and pitch.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct GridPlan {
    pub(crate) role: MatrixRole,
    pub(crate) eu: u8,
    /// The first cell's corner.
    pub(crate) origin: Point,
    /// From one cell to the next.
    pub(crate) pitch: (f64, f64),
    /// The size of a cell.
    pub(crate) cell: (f64, f64),
    pub(crate) rows: usize,
    pub(crate) columns: usize,
    /// The left end of its labels.
    pub(crate) label_x: f64,
}

impl GridPlan {
    /// A cell.
    pub(crate) fn rect(&self, row: usize, column: usize) -> Rect {
        Rect::new(
            self.origin.x + column as f64 * self.pitch.0,
            self.origin.y + row as f64 * self.pitch.1,
            self.cell.0,
            self.cell.1,
        )
    }

    /// Element `n` of the `count` that lie side by side in a cell.
    pub(crate) fn element(&self, row: usize, column: usize, n: usize, count: usize) -> Rect {
        let cell = self.rect(row, column);
        let width = cell.width / count.max(1) as f64;
        Rect::new(cell.x + n as f64 * width, cell.y, width, cell.height)
    }

    /// All cells, without the labels.
    pub(crate) fn bounds(&self) -> Rect {
        let last = self.rect(self.rows.max(1) - 1, self.columns.max(1) - 1);
        Rect::new(
            self.origin.x,
            self.origin.y,
            last.right() - self.origin.x,
            last.bottom() - self.origin.y,
        )
    }
}

/// The registers of Src2 of one EU, each a bar.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct PanelPlan {
    pub(crate) eu: u8,
    /// The bars: those that are read, then those that are not.
    pub(crate) bars: Vec<Rect>,
    /// How many of them are read.
    pub(crate) read: usize,
}

/// A line of words above a grid.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Heading {
    pub(crate) what: HeadingOf,
    pub(crate) at: Rect,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum HeadingOf {
    /// The registers of Src2 of an EU.
    Panel(u8),
    /// A matrix; of a shared A the EU is 0.
    Grid(MatrixRole, u8),
}

/// The picture.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Plan {
    pub(crate) size: (f64, f64),
    pub(crate) panels: Vec<PanelPlan>,
    pub(crate) grids: Vec<GridPlan>,
    pub(crate) headings: Vec<Heading>,
    /// The numbers of the stages, below A.
    pub(crate) axes: Vec<Rect>,
    /// The line that says what is pointed at.
    pub(crate) note: Rect,
    /// The table of configurations.
    pub(crate) switch: Rect,
}

impl Plan {
    pub(crate) fn new(model: &MatrixModel, grids: &Grids, narrow: bool) -> Self {
        let width = if narrow { NARROW } else { WIDTH };
        let mut builder = Builder {
            plan: Self {
                size: (width, 0.0),
                panels: Vec::new(),
                grids: Vec::new(),
                headings: Vec::new(),
                axes: Vec::new(),
                note: Rect::default(),
                switch: Rect::default(),
            },
            model,
            grids,
            narrow,
            unit: 0.0,
        };
        builder.unit = builder.unit();
        builder.draw();
        builder.plan
    }

    /// The grid of a matrix; of a shared A that of both EUs.
    pub(crate) fn grid(&self, role: MatrixRole, eu: u8) -> Option<&GridPlan> {
        let own = |grid: &&GridPlan| grid.role == role && grid.eu == eu;
        let any = |grid: &&GridPlan| grid.role == role && role == MatrixRole::A;
        self.grids
            .iter()
            .find(own)
            .or_else(|| self.grids.iter().find(any))
    }
}

/// Heights of rows, in units that are chosen so that everything fits.
const A_ROW: f64 = 1.2;
const C_ROW: f64 = 0.95;
const B_ROW: f64 = 0.95;
const D_ROW: f64 = 1.15;

struct Builder<'m> {
    plan: Plan,
    model: &'m MatrixModel,
    grids: &'m Grids,
    narrow: bool,
    unit: f64,
}

impl Builder<'_> {
    fn rows(&self, role: MatrixRole) -> usize {
        let grids = match role {
            MatrixRole::A => &self.grids.a,
            MatrixRole::B => &self.grids.b,
            MatrixRole::C => &self.grids.c,
            MatrixRole::D => return usize::from(self.model.layout.rc()),
        };
        grids.first().map_or(0, |grid| grid.rows.len())
    }

    /// The height of a row of one unit: as high as there is room for.
    fn unit(&self) -> f64 {
        if self.narrow {
            return 15.0;
        }
        let weights = [
            (MatrixRole::A, A_ROW),
            (MatrixRole::B, B_ROW),
            (MatrixRole::C, C_ROW),
            (MatrixRole::D, D_ROW),
        ];
        let units: f64 = weights
            .map(|(role, weight)| self.rows(role) as f64 * weight)
            .iter()
            .sum();
        // Headings of A, C, B and D, the axis, the note, the switch, gaps.
        let rest = 6.0 * LINE + SWITCH_ROW * 4.0 + 22.0;
        ((HEIGHT - rest) / units).min(20.0)
    }

    fn draw(&mut self) {
        let width = self.plan.size.0;
        let mut y = match (self.model.shared(), self.narrow) {
            (true, true) => self.shared_narrow(),
            (true, false) => self.shared_wide(),
            (false, _) => 0.0,
        };
        let eus = self.model.eus;
        if self.narrow || eus == 1 {
            for eu in 0..eus {
                y = self.column(eu, 0.0, width, y);
            }
        } else {
            let half = width / 2.0 - 8.0;
            let first = self.column(0, 0.0, half, y);
            let second = self.column(1, half + 16.0, half, y);
            y = first.max(second);
        }
        self.plan.note = Rect::new(0.0, y, width, LINE);
        y += LINE + 3.0;
        self.plan.switch = Rect::new(0.0, y, width, SWITCH_ROW * 4.0);
        self.plan.size.1 = self.plan.switch.bottom();
    }

    fn heading(&mut self, what: HeadingOf, x: f64, y: f64, width: f64) -> f64 {
        let at = Rect::new(x, y, width, LINE);
        self.plan.headings.push(Heading { what, at });
        y + LINE
    }

    /// A grid with its labels; its bottom.
    fn grid(&mut self, role: MatrixRole, eu: u8, at: Rect, labels: f64, row: f64) -> f64 {
        let (rows, columns) = match role {
            MatrixRole::D => {
                let layout = self.model.layout;
                (usize::from(layout.rc()), usize::from(layout.channels()))
            }
            _ => {
                let grids = match role {
                    MatrixRole::A => &self.grids.a,
                    MatrixRole::B => &self.grids.b,
                    _ => &self.grids.c,
                };
                let grid = grids.get(usize::from(eu)).or_else(|| grids.first());
                let cells = |grid: &std::rc::Rc<super::model::Grid>| {
                    grid.rows.iter().map(|row| row.cells.len()).max()
                };
                (
                    grid.map_or(0, |grid| grid.rows.len()),
                    grid.and_then(cells).unwrap_or(0),
                )
            }
        };
        let pitch = (at.width - labels) / columns.max(1) as f64;
        let gap = if pitch > 14.0 { 2.0 } else { 1.0 };
        self.plan.grids.push(GridPlan {
            role,
            eu,
            origin: Point::new(at.x + labels, at.y),
            pitch: (pitch, row),
            cell: (pitch - gap, row - if row > 11.0 { 2.0 } else { 1.0 }),
            rows,
            columns,
            label_x: at.x,
        });
        at.y + rows as f64 * row
    }

    fn axis(&mut self, role: MatrixRole, eu: u8, y: f64) -> f64 {
        if let Some(grid) = self.plan.grid(role, eu) {
            let bounds = grid.bounds();
            let at = Rect::new(bounds.x, y, bounds.width, LINE - 3.0);
            self.plan.axes.push(at);
        }
        y + LINE
    }

    /// Src2's registers of an EU; their bottom. Those that only a DPAS would
    /// read are shown too.
    fn panel(&mut self, eu: u8, x: f64, y: f64, width: f64, height: f64) -> f64 {
        let read = usize::from(self.model.layout.registers(MatrixRole::A, eu));
        let all: usize = (0..2)
            .map(|eu| usize::from(self.model.layout.registers(MatrixRole::A, eu)))
            .sum();
        let all = all.max(read).max(1);
        let pitch = (height / all as f64).min(26.0);
        let bar = |n: usize| Rect::new(x, y + n as f64 * pitch, width, pitch - 2.0);
        self.plan.panels.push(PanelPlan {
            eu,
            bars: (0..all).map(bar).collect(),
            read,
        });
        y + all as f64 * pitch
    }

    /// Src2 of both EUs with A between them; the bottom.
    fn shared_wide(&mut self) -> f64 {
        const PANEL: f64 = 104.0;
        const A: Rect = Rect::new(134.0, 0.0, 432.0, 0.0);
        const LABELS: f64 = 64.0;
        let row = self.unit * A_ROW;
        let height = self.rows(MatrixRole::A) as f64 * row;
        let right = WIDTH - PANEL;
        let y = self.heading(HeadingOf::Panel(0), 0.0, 0.0, PANEL + 24.0);
        self.heading(HeadingOf::Grid(MatrixRole::A, 0), A.x, 0.0, A.width);
        self.heading(HeadingOf::Panel(1), right, 0.0, PANEL);
        // A few registers have room beside a single row too.
        let panels = height.max(self.plan_registers() as f64 * 14.0);
        let first = self.panel(0, 0.0, y, PANEL, panels);
        let second = self.panel(1, right, y, PANEL, panels);
        let bottom = self.grid(MatrixRole::A, 0, Rect { y, ..A }, LABELS, row);
        let bottom = self.axis(MatrixRole::A, 0, bottom);
        bottom.max(first).max(second) + 4.0
    }

    fn shared_narrow(&mut self) -> f64 {
        let half = NARROW / 2.0 - 8.0;
        let right = NARROW - half;
        let y = self.heading(HeadingOf::Panel(0), 0.0, 0.0, half);
        self.heading(HeadingOf::Panel(1), right, 0.0, half);
        let height = self.plan_registers() as f64 * 17.0;
        let first = self.panel(0, 0.0, y, half, height);
        let second = self.panel(1, right, y, half, height);
        let y = self.heading(
            HeadingOf::Grid(MatrixRole::A, 0),
            0.0,
            first.max(second) + 4.0,
            NARROW,
        );
        let row = self.unit * A_ROW;
        let bottom = self.grid(MatrixRole::A, 0, Rect::new(0.0, y, NARROW, 0.0), 58.0, row);
        self.axis(MatrixRole::A, 0, bottom) + 4.0
    }

    fn plan_registers(&self) -> usize {
        let count = |eu| usize::from(self.model.layout.registers(MatrixRole::A, eu));
        count(0) + count(1)
    }

    /// The matrices of one EU, one below the other; the bottom.
    fn column(&mut self, eu: u8, x: f64, width: f64, top: f64) -> f64 {
        let mut y = top;
        let unit = self.unit;
        let at = |y| Rect::new(x, y, width, 0.0);
        if !self.model.shared() {
            y = self.heading(HeadingOf::Grid(MatrixRole::A, eu), x, y, width);
            y = self.grid(MatrixRole::A, eu, at(y), 52.0, unit * A_ROW);
            y = self.axis(MatrixRole::A, eu, y);
        }
        y = self.heading(HeadingOf::Grid(MatrixRole::C, eu), x, y, width);
        if !self.grids.c.is_empty() {
            y = self.grid(MatrixRole::C, eu, at(y), 22.0, unit * C_ROW);
        }
        y = self.heading(HeadingOf::Grid(MatrixRole::B, eu), x, y, width);
        y = self.grid(MatrixRole::B, eu, at(y), 22.0, unit * B_ROW);
        y = self.heading(HeadingOf::Grid(MatrixRole::D, eu), x, y, width);
        self.grid(MatrixRole::D, eu, at(y), 22.0, unit * D_ROW) + 4.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::features::stage::matrix::model::Look;
    use lanewise_core::isa::visa::matrix::{Precision, PrecisionPair};
    use lanewise_core::program::Program;
    use lanewise_core::session::Session;
    use std::rc::Rc;

    /// What runs a shape: DPASW, DPAS on two EUs, DPAS on 16 channels.
    const KINDS: [(&str, &str, u32); 3] = [
        ("dpasw", "XEHP", 8),
        ("dpas", "XEHP", 8),
        ("dpas", "PVC", 16),
    ];

    fn scenario(kind: usize, pair: PrecisionPair, sd: u8, rc: u8, null: bool) -> String {
        let (name, target, channels) = KINDS[kind];
        let (sum, src0) = (
            if pair.is_float() { "f" } else { "d" },
            if null { "%null.0" } else { "C.0" },
        );
        let count = 8 * channels;
        format!(
            ".target visa {target}\n.threads 2\n\
             .decl D v_type=G type={sum} num_elts={count} align=GRF\n\
             .decl C v_type=G type={sum} num_elts={count} align=GRF\n\
             .decl B v_type=G type=ud num_elts={count} align=GRF\n\
             .decl A v_type=G type=ud num_elts={count} align=GRF\n\
             {name}.{}.{}.{sd}.{rc} (M1, {channels}) D.0 {src0} B.0 A(0,0)\n",
            pair.w().name(),
            pair.a().name(),
        )
    }

    fn check(text: &str, narrow: bool, by_register: bool) {
        let session = Session::new(Rc::new(Program::parse(text)));
        let look = Look {
            by_register,
            ..Look::default()
        };
        let model = MatrixModel::new(&session, session.program(), look).expect(text);
        let plan = Plan::new(&model, &Grids::new(&model), narrow);
        let all = Rect::new(0.0, 0.0, plan.size.0, plan.size.1);
        if !narrow {
            assert!(plan.size.1 <= HEIGHT, "{text}: {}", plan.size.1);
        }
        let mut parts: Vec<Rect> = Vec::new();
        parts.extend(plan.grids.iter().map(GridPlan::bounds));
        parts.extend(plan.panels.iter().flat_map(|panel| panel.bars.clone()));
        parts.extend(plan.headings.iter().map(|heading| heading.at));
        parts.extend(plan.axes.clone());
        parts.extend([plan.note, plan.switch]);
        for (index, part) in parts.iter().enumerate() {
            assert!(part.is_within(all), "{text}: {part:?} in {all:?}");
            for other in &parts[..index] {
                assert!(!part.overlaps(*other), "{text}: {part:?} on {other:?}");
            }
        }
        for grid in &plan.grids {
            let (width, height) = grid.cell;
            assert!(width >= 9.0 && height >= 8.0, "{text}: {grid:?}");
        }
    }

    #[test]
    fn every_shape_fits_without_overlap() {
        let runnable = || Precision::RUNNABLE.into_iter();
        let pairs =
            runnable().flat_map(|w| runnable().filter_map(move |a| PrecisionPair::new(w, a)));
        let mut count = 0;
        for pair in pairs.filter(|pair| pair.w() != Precision::Tf32) {
            for (sd, rc) in [1, 2, 4, 8]
                .into_iter()
                .flat_map(|sd| (1..=8).map(move |rc| (sd, rc)))
            {
                count += 1;
                let null = count % 3 == 0;
                for kind in 0..KINDS.len() {
                    let text = scenario(kind, pair, sd, rc, null);
                    check(&text, false, false);
                    check(&text, false, true);
                    check(&text, true, count % 2 == 0);
                }
            }
        }
        assert_eq!(count, 38 * 32);
    }
}
