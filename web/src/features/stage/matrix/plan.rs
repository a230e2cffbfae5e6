//! Where everything of the picture is drawn, in user units: CSS pixels at
//! natural size. The rows are as high as the pane has room for.

use super::model::{Grids, MatrixModel, cell_bits};
use crate::features::stage::svg::{Point, Rect};
use lanewise_core::isa::visa::matrix::layout::MatrixRole;

/// The room for a picture, in CSS pixels.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Room {
    pub(crate) width: f64,
    /// Less is scrolled.
    pub(crate) height: f64,
    /// Whether all grids are one below the other, those that every step
    /// touches first: for a phone.
    pub(crate) stacked: bool,
}

impl Room {
    /// That of a window that nobody has measured yet.
    pub(crate) const USUAL: Self = Self {
        width: 700.0,
        height: 520.0,
        stacked: false,
    };

    /// The room in a pane that is so wide.
    pub(crate) fn new(pane: f64, width: f64, height: f64) -> Self {
        Self {
            width: width.clamp(LEAST_WIDTH, MOST_WIDTH),
            height,
            stacked: pane < SIDE_BY_SIDE,
        }
    }
}

/// The least width at which both EUs have room side by side.
const SIDE_BY_SIDE: f64 = 560.0;
/// The width of a small phone.
const LEAST_WIDTH: f64 = 280.0;
/// Wider, rows are hard to follow with the eyes.
const MOST_WIDTH: f64 = 1100.0;

/// Room for the register and the number of a row of A.
const LABELS_A: f64 = 58.0;
/// Room for one line of words.
const LINE: f64 = 15.0;
/// The height of a line of a ruler.
const RULER: f64 = 11.0;
/// The height of a row of the table of configurations.
const SWITCH_ROW: f64 = 17.0;
/// The heights of a row of one unit, at least and at most.
const UNITS: (f64, f64) = (8.4, 22.0);
/// The same where the grids are one below the other.
const STACKED_UNITS: (f64, f64) = (9.5, 16.0);

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
    /// Whether a row is a register, its dwords side by side without a gap.
    pub(crate) by_register: bool,
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

/// What numbers the columns of a grid.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum AxisOf {
    /// The stages, below A.
    Stages,
    /// The lanes whose elements a register of Src1 holds.
    Lanes,
    /// The bytes of a register.
    Bytes,
}

/// A line of numbers along a grid.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Axis {
    pub(crate) what: AxisOf,
    pub(crate) at: Rect,
}

/// The picture.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Plan {
    pub(crate) size: (f64, f64),
    pub(crate) panels: Vec<PanelPlan>,
    pub(crate) grids: Vec<GridPlan>,
    pub(crate) headings: Vec<Heading>,
    pub(crate) axes: Vec<Axis>,
    /// The line that says what is pointed at.
    pub(crate) note: Rect,
    /// The table of configurations.
    pub(crate) switch: Rect,
}

impl Plan {
    pub(crate) fn new(model: &MatrixModel, grids: &Grids, room: Room) -> Self {
        let mut builder = Builder {
            plan: Self {
                size: (room.width, 0.0),
                panels: Vec::new(),
                grids: Vec::new(),
                headings: Vec::new(),
                axes: Vec::new(),
                note: Rect::default(),
                switch: Rect::default(),
            },
            model,
            grids,
            room,
            unit: 0.0,
        };
        builder.unit = builder.unit();
        match room.stacked {
            true => builder.stacked(),
            false => builder.side_by_side(),
        }
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
    room: Room,
    unit: f64,
}

impl Builder<'_> {
    /// Whether a matrix is drawn register by register.
    fn by_register(&self, role: MatrixRole) -> bool {
        self.model.look.by_register && role != MatrixRole::A
    }

    /// The rows and columns of a grid.
    fn shape(&self, role: MatrixRole, eu: u8) -> (usize, usize) {
        let layout = self.model.layout;
        let grids = match role {
            MatrixRole::A => &self.grids.a,
            MatrixRole::B => &self.grids.b,
            MatrixRole::C => &self.grids.c,
            // Steps change it: it is not among the grids.
            MatrixRole::D if !self.by_register(role) => {
                return (usize::from(layout.rc()), usize::from(layout.channels()));
            }
            MatrixRole::D => {
                let rows = usize::from(layout.registers(role, eu));
                return (rows, self.cells_of_a_register(role));
            }
        };
        let grid = grids.get(usize::from(eu)).or_else(|| grids.first());
        grid.map_or((0, 0), |grid| match self.by_register(role) {
            true => (grid.rows.len(), self.cells_of_a_register(role)),
            false => {
                let cells = grid.rows.iter().map(|row| row.cells.len());
                (grid.rows.len(), cells.max().unwrap_or(0))
            }
        })
    }

    /// How many cells a whole register has, be it used or not.
    fn cells_of_a_register(&self, role: MatrixRole) -> usize {
        let layout = self.model.layout;
        let bits = usize::from(layout.register_bytes()) * 8;
        bits / usize::from(cell_bits(role, layout))
    }

    fn rows(&self, role: MatrixRole) -> f64 {
        self.shape(role, 0).0 as f64
    }

    /// The height of a row of one unit: as high as there is room for.
    fn unit(&self) -> f64 {
        if self.room.stacked {
            return self.stacked_unit();
        }
        let units = self.rows(MatrixRole::A) * A_ROW
            + self.rows(MatrixRole::C) * C_ROW
            + self.rows(MatrixRole::B) * B_ROW
            + self.rows(MatrixRole::D) * D_ROW;
        let rulers = if self.model.look.by_register {
            2.0
        } else {
            0.0
        };
        // Headings of A, C, B and D, the axis, the note; the switch; gaps.
        let rest = 6.0 * LINE + rulers * RULER + SWITCH_ROW * 4.0 + 12.0;
        ((self.room.height - rest) / units).clamp(UNITS.0, UNITS.1)
    }

    /// What every step touches, A and D of all EUs, fits.
    fn stacked_unit(&self) -> f64 {
        let eus = f64::from(self.model.eus);
        let of_a = if self.model.shared() { 1.0 } else { eus };
        let units =
            of_a * self.rows(MatrixRole::A) * A_ROW + eus * self.rows(MatrixRole::D) * D_ROW;
        // A heading for each, and the axes below A.
        let rest = (2.0 * of_a + eus) * LINE + 4.0 * (of_a + eus);
        ((self.room.height - rest) / units.max(1.0)).clamp(STACKED_UNITS.0, STACKED_UNITS.1)
    }

    /// The EUs beside each other, and what they share above them.
    fn side_by_side(&mut self) {
        let width = self.room.width;
        let y = if self.model.shared() {
            self.shared(width)
        } else {
            0.0
        };
        let y = match self.model.eus {
            1 => self.column(0, 0.0, width, y),
            _ => {
                let half = width / 2.0 - 8.0;
                let first = self.column(0, 0.0, half, y);
                first.max(self.column(1, half + 16.0, half, y))
            }
        };
        let y = self.note(y);
        self.switch(y);
    }

    /// All grids one below the other: first those that every step touches.
    fn stacked(&mut self) {
        let width = self.room.width;
        let eus = self.model.eus;
        let mut y = 0.0;
        if self.model.shared() {
            y = self.stacked_a(0, y);
        }
        for eu in 0..eus {
            if !self.model.shared() {
                y = self.stacked_a(eu, y);
            }
            y = self.matrix(MatrixRole::D, eu, 0.0, width, y) + 4.0;
        }
        y = self.note(y);
        for eu in 0..eus {
            y = self.matrix(MatrixRole::B, eu, 0.0, width, y) + 4.0;
        }
        for eu in 0..eus {
            y = self.matrix(MatrixRole::C, eu, 0.0, width, y) + 4.0;
        }
        if self.model.shared() {
            let half = width / 2.0 - 8.0;
            let right = width - half;
            let top = self.heading(HeadingOf::Panel(0), 0.0, y, half);
            self.heading(HeadingOf::Panel(1), right, y, half);
            let height = self.registers_of_a() as f64 * 17.0;
            let first = self.panel(0, 0.0, top, half, height);
            let second = self.panel(1, right, top, half, height);
            y = first.max(second) + 6.0;
        }
        self.switch(y);
    }

    /// A, with room for the name of a register beside each row.
    fn stacked_a(&mut self, eu: u8, y: f64) -> f64 {
        let width = self.room.width;
        let y = self.heading(HeadingOf::Grid(MatrixRole::A, eu), 0.0, y, width);
        let at = Rect::new(0.0, y, width, 0.0);
        let y = self.grid(MatrixRole::A, eu, at, LABELS_A, self.unit * A_ROW);
        self.axis(MatrixRole::A, eu, y) + 4.0
    }

    fn note(&mut self, y: f64) -> f64 {
        self.plan.note = Rect::new(0.0, y, self.room.width, LINE);
        y + LINE + 3.0
    }

    fn switch(&mut self, y: f64) {
        self.plan.switch = Rect::new(0.0, y, self.room.width, SWITCH_ROW * 4.0);
        self.plan.size.1 = self.plan.switch.bottom();
    }

    fn heading(&mut self, what: HeadingOf, x: f64, y: f64, width: f64) -> f64 {
        let at = Rect::new(x, y, width, LINE);
        self.plan.headings.push(Heading { what, at });
        y + LINE
    }

    /// A grid with its labels; its bottom.
    fn grid(&mut self, role: MatrixRole, eu: u8, at: Rect, labels: f64, row: f64) -> f64 {
        let (rows, columns) = self.shape(role, eu);
        let by_register = self.by_register(role);
        let pitch = (at.width - labels) / columns.max(1) as f64;
        let gap = match by_register {
            true => 0.0,
            false if pitch > 14.0 => 2.0,
            false => 1.0,
        };
        self.plan.grids.push(GridPlan {
            role,
            eu,
            origin: Point::new(at.x + labels, at.y),
            pitch: (pitch, row),
            cell: (pitch - gap, row - if row > 11.0 { 2.0 } else { 1.0 }),
            rows,
            columns,
            label_x: at.x,
            by_register,
        });
        at.y + rows as f64 * row
    }

    /// The numbers of the stages; their bottom.
    fn axis(&mut self, role: MatrixRole, eu: u8, y: f64) -> f64 {
        if let Some(grid) = self.plan.grid(role, eu) {
            let bounds = grid.bounds();
            let at = Rect::new(bounds.x, y, bounds.width, LINE - 3.0);
            self.plan.axes.push(Axis {
                what: AxisOf::Stages,
                at,
            });
        }
        y + LINE
    }

    /// The lanes and the bytes of the registers below; the bottom.
    fn rulers(&mut self, x: f64, width: f64, y: f64) -> f64 {
        for (n, what) in [AxisOf::Lanes, AxisOf::Bytes].into_iter().enumerate() {
            let at = Rect::new(x, y + n as f64 * RULER, width, RULER);
            self.plan.axes.push(Axis { what, at });
        }
        y + 2.0 * RULER
    }

    /// Src2's registers of an EU; their bottom. Those that only a DPAS would
    /// read are shown too.
    fn panel(&mut self, eu: u8, x: f64, y: f64, width: f64, height: f64) -> f64 {
        let read = usize::from(self.model.layout.registers(MatrixRole::A, eu));
        let all = self.registers_of_a().max(1);
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
    fn shared(&mut self, width: f64) -> f64 {
        /// Room for the lines from the registers to the rows.
        const EDGES: f64 = 20.0;
        let panel = (width * 0.135).clamp(60.0, 120.0);
        let row = self.unit * A_ROW;
        let height = self.rows(MatrixRole::A) * row;
        let right = width - panel;
        let a = Rect::new(panel + EDGES, 0.0, width - 2.0 * (panel + EDGES), 0.0);
        let y = self.heading(HeadingOf::Panel(0), 0.0, 0.0, panel + EDGES - 4.0);
        self.heading(HeadingOf::Grid(MatrixRole::A, 0), a.x, 0.0, a.width);
        self.heading(HeadingOf::Panel(1), right, 0.0, panel);
        // A few registers have room beside a single row too.
        let panels = height.max(self.registers_of_a() as f64 * 11.0);
        let first = self.panel(0, 0.0, y, panel, panels);
        let second = self.panel(1, right, y, panel, panels);
        let bottom = self.grid(MatrixRole::A, 0, Rect { y, ..a }, LABELS_A, row);
        let bottom = self.axis(MatrixRole::A, 0, bottom);
        bottom.max(first).max(second) + 4.0
    }

    /// How many registers of Src2 both EUs read.
    fn registers_of_a(&self) -> usize {
        let count = |eu| usize::from(self.model.layout.registers(MatrixRole::A, eu));
        count(0) + count(1)
    }

    /// The matrices of one EU, one below the other; the bottom.
    fn column(&mut self, eu: u8, x: f64, width: f64, top: f64) -> f64 {
        let mut y = top;
        if !self.model.shared() {
            let at = |y| Rect::new(x, y, width, 0.0);
            y = self.heading(HeadingOf::Grid(MatrixRole::A, eu), x, y, width);
            y = self.grid(MatrixRole::A, eu, at(y), LABELS_A, self.unit * A_ROW);
            y = self.axis(MatrixRole::A, eu, y);
        }
        for role in [MatrixRole::C, MatrixRole::B, MatrixRole::D] {
            y = self.matrix(role, eu, x, width, y);
        }
        y + 4.0
    }

    /// B, C or D of an EU; its bottom.
    fn matrix(&mut self, role: MatrixRole, eu: u8, x: f64, width: f64, y: f64) -> f64 {
        const LABELS: f64 = 22.0;
        let mut y = self.heading(HeadingOf::Grid(role, eu), x, y, width);
        if role == MatrixRole::C && self.grids.c.is_empty() {
            return y;
        }
        if role == MatrixRole::B && self.by_register(role) {
            y = self.rulers(x + LABELS, width - LABELS, y);
        }
        let row = match role {
            MatrixRole::A => A_ROW,
            MatrixRole::B => B_ROW,
            MatrixRole::C => C_ROW,
            MatrixRole::D => D_ROW,
        };
        let at = Rect::new(x, y, width, 0.0);
        self.grid(role, eu, at, LABELS, self.unit * row)
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

    fn check(text: &str, room: Room, by_register: bool) {
        let session = Session::new(Rc::new(Program::parse(text)));
        let look = Look {
            by_register,
            ..Look::default()
        };
        let model = MatrixModel::new(&session, session.program(), look).expect(text);
        let plan = Plan::new(&model, &Grids::new(&model), room);
        let all = Rect::new(0.0, 0.0, plan.size.0, plan.size.1);
        if !room.stacked {
            assert!(plan.size.1 <= room.height, "{text}: {}", plan.size.1);
        }
        if room.stacked {
            let touched = |grid: &&GridPlan| matches!(grid.role, MatrixRole::A | MatrixRole::D);
            for grid in plan.grids.iter().filter(touched) {
                let bottom = grid.bounds().bottom();
                assert!(bottom <= room.height, "{text}: {grid:?}");
            }
        }
        let mut parts: Vec<Rect> = Vec::new();
        parts.extend(plan.grids.iter().map(GridPlan::bounds));
        parts.extend(plan.panels.iter().flat_map(|panel| panel.bars.clone()));
        parts.extend(plan.headings.iter().map(|heading| heading.at));
        parts.extend(plan.axes.iter().map(|axis| axis.at));
        parts.extend([plan.note, plan.switch]);
        for (index, part) in parts.iter().enumerate() {
            assert!(part.is_within(all), "{text}: {part:?} in {all:?}");
            for other in &parts[..index] {
                assert!(!part.overlaps(*other), "{text}: {part:?} on {other:?}");
            }
        }
        for grid in &plan.grids {
            let (width, height) = grid.cell;
            assert!(width >= 9.0 && height >= 6.9, "{text}: {grid:?}");
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
                    let window = Room::new(626.0, 606.0, 520.0);
                    check(&text, window, false);
                    check(&text, window, true);
                    check(&text, Room::new(880.0, 860.0, 700.0), count % 2 == 1);
                    check(&text, Room::new(360.0, 340.0, 490.0), count % 2 == 0);
                }
            }
        }
        assert_eq!(count, 38 * 32);
    }
}
