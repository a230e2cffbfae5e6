//! Where everything of the picture is drawn, in user units: CSS pixels at
//! natural size. The rows are as high as the pane has room for; where that is
//! not enough for type that can be read, of C and B only the row of the step
//! at hand is drawn.

use super::model::{Grids, MatrixGrid, MatrixModel, cell_bits};
use super::text_mode::{CellTexts, LEAST_TYPE, LineWidths, lines_needed, widest_type};
use crate::features::stage::svg::{Point, Rect};
use lanewise_core::isa::visa::matrix::layout::MatrixRole;
use std::cell::OnceCell;
use std::ops::Range;
use std::rc::Rc;

/// Space for a picture in CSS pixels.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Room {
    pub(crate) width: f64,
    /// Less is scrolled.
    pub(crate) height: f64,
    /// Whether the EUs are one below the other: for a phone.
    pub(crate) stacked: bool,
}

impl Room {
    /// Default before the window is measured.
    pub(crate) const USUAL: Self = Self {
        width: 700.0,
        height: 520.0,
        stacked: false,
    };

    /// Space in a pane of this width.
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
/// The least width of a column of a matrix.
const LEAST_COLUMN: f64 = 24.0;
/// In less height, as at 400 % zoom, D stands right below A: there is no other
/// way to see what a step reads and what it adds at once.
const LOW: f64 = 200.0;
/// The width of a small phone.
const LEAST_WIDTH: f64 = 280.0;
/// Wider, rows are hard to follow with the eyes.
const MOST_WIDTH: f64 = 1100.0;

/// Room for the number of a row of A, and for each character of the name of
/// its register.
const LABELS_A: f64 = 11.0;
const CHARACTER_A: f64 = 6.0;
/// The least height of a register of Src2, with the space below it.
const LEAST_BAR: f64 = 10.0;
/// Room for the number of a row of another matrix.
const LABELS: f64 = 22.0;
/// Room for the name of a register.
const REGISTER_LABELS: f64 = 31.0;
/// The height of a line of a ruler.
const RULER: f64 = 11.0;
/// The height of the line of the sums before a step.
const BEFORE_STEP: f64 = 12.0;

/// The heights of what is around the matrices, and how their rows are spaced.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Spacing {
    /// A line of words.
    line: f64,
    /// A row of the table of configurations.
    switch_row: f64,
    /// The line below it that says what its marks mean.
    legend: f64,
    /// The rows of A and D, which a step reads and writes, to those of B and C.
    emphasis: f64,
    /// Between rows of more than one line of text.
    row_gap: f64,
}

impl Spacing {
    const USUAL: Self = Self {
        line: 15.0,
        switch_row: 16.0,
        legend: 15.0,
        emphasis: 1.1,
        row_gap: 2.0,
    };
    /// Where all rows of large matrices have just room.
    const TIGHT: Self = Self {
        line: 13.0,
        switch_row: 14.0,
        legend: 13.0,
        emphasis: 1.0,
        row_gap: 1.0,
    };
}

/// The space between the matrices where there is room.
const WIDE_GAP: f64 = 9.0;
/// The type that is wanted, in CSS pixels.
const USUAL_TYPE: f64 = 9.0;
/// The greatest height of a row: with one line of text, and for each of several.
const MOST_ROW: f64 = 24.0;
const MOST_LINE: f64 = 14.0;

/// Between the lines of a row that is wrapped.
const WRAP_GAP: f64 = 1.0;

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
    /// How many rows are drawn.
    pub(crate) rows: usize,
    /// The first of them.
    pub(crate) first: usize,
    pub(crate) columns: usize,
    /// How many lines of text a cell has.
    pub(crate) lines: usize,
    /// Over how many lines the cells of a row are spread.
    pub(crate) wrap: usize,
    /// Whether only the row of the step at hand is drawn.
    pub(crate) folded: bool,
    /// The left end of its labels.
    pub(crate) label_x: f64,
    /// Whether a row is a register, its dwords side by side without a gap.
    pub(crate) by_register: bool,
    /// Of D the row above which there is room for its sums before the step.
    pub(crate) before_step_above: Option<usize>,
}

impl GridPlan {
    /// Whether a row is drawn.
    pub(crate) fn shows(&self, row: usize) -> bool {
        (self.first..self.first + self.rows).contains(&row)
    }

    /// How many cells of a row are side by side.
    pub(crate) const fn columns_of_a_line(&self) -> usize {
        self.columns.div_ceil(self.wrap)
    }

    /// The columns of each line of a row.
    pub(crate) fn lines_of_a_row(&self) -> impl Iterator<Item = Range<usize>> + use<> {
        let (columns, of_a_line) = (self.columns, self.columns_of_a_line());
        (0..self.wrap).map(move |line| {
            let first = line * of_a_line;
            first..(first + of_a_line).min(columns)
        })
    }

    /// A cell of a row that is drawn.
    pub(crate) fn rect(&self, row: usize, column: usize) -> Rect {
        let before_step = match self.before_step_above {
            Some(at) if row >= at => BEFORE_STEP * self.wrap as f64,
            _ => 0.0,
        };
        let (line, at) = (
            column / self.columns_of_a_line(),
            column % self.columns_of_a_line(),
        );
        let y = row.saturating_sub(self.first) as f64 * self.pitch.1 + before_step;
        Rect::new(
            self.origin.x + at as f64 * self.pitch.0,
            self.origin.y + y + line as f64 * (self.cell.1 + WRAP_GAP),
            self.cell.0,
            self.cell.1,
        )
    }

    /// How many of the elements of a cell lie side by side in a line.
    fn of_a_line(&self, count: usize) -> usize {
        match count % self.lines {
            0 => (count / self.lines).max(1),
            _ => count,
        }
    }

    /// Element `n` of the `count` of a cell.
    pub(crate) fn element(&self, row: usize, column: usize, n: usize, count: usize) -> Rect {
        let cell = self.rect(row, column);
        let of_a_line = self.of_a_line(count);
        let width = cell.width / of_a_line as f64;
        let height = cell.height / (count / of_a_line).max(1) as f64;
        let (line, at) = (n / of_a_line, n % of_a_line);
        let (x, y) = (at as f64 * width, line as f64 * height);
        Rect::new(cell.x + x, cell.y + y, width, height)
    }

    /// Which of the `count` elements of a cell is at a point of it, from 0 to
    /// before 1 to the right and down.
    pub(crate) fn element_at(&self, (x, y): (f64, f64), count: usize) -> usize {
        let of_a_line = self.of_a_line(count);
        let lines = count / of_a_line;
        (y * lines as f64) as usize * of_a_line + (x * of_a_line as f64) as usize
    }

    /// All cells, without the labels.
    pub(crate) fn bounds(&self) -> Rect {
        let last = self.rect(self.first + self.rows.max(1) - 1, self.columns.max(1) - 1);
        let end_of_line = self.rect(self.first, self.columns_of_a_line().max(1) - 1);
        Rect::new(
            self.origin.x,
            self.origin.y,
            end_of_line.right() - self.origin.x,
            last.bottom() - self.origin.y,
        )
    }
}

/// A line of the sums before a step, one beside the other.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct SumsPlan {
    pub(crate) channels: Range<usize>,
    pub(crate) at: Rect,
}

impl SumsPlan {
    /// From one sum to the next.
    pub(crate) fn pitch(&self) -> f64 {
        self.at.width / self.channels.len() as f64
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
pub(crate) struct MatrixHeading {
    pub(crate) what: HeadingOf,
    pub(crate) at: Rect,
    /// Whether a press shows all rows, or again only that of the step.
    pub(crate) folds: bool,
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
    pub(crate) headings: Vec<MatrixHeading>,
    pub(crate) axes: Vec<Axis>,
    /// The table of configurations, with its legend.
    pub(crate) switch: Rect,
    /// The height of that legend.
    pub(crate) legend: f64,
    /// Whether the EUs are one below the other.
    pub(crate) stacked: bool,
    /// Where the matrices end: so much should be in view at once.
    pub(crate) matrices: f64,
}

/// Matrices collapsed to the row of the current step.
#[derive(Clone, Copy, Debug, PartialEq)]
enum CollapsedRows {
    None,
    C,
    BAndC,
}

impl CollapsedRows {
    fn folds(self, role: MatrixRole) -> bool {
        match role {
            MatrixRole::A | MatrixRole::D => false,
            MatrixRole::B => self == Self::BAndC,
            MatrixRole::C => self != Self::None,
        }
    }
}

/// Candidate layout.
#[derive(Clone, Copy, Debug, PartialEq)]
struct CandidateLayout {
    folding: CollapsedRows,
    /// The smallest type, in CSS pixels.
    size: f64,
    /// Whether values are preferred to bits, at the cost of a second line.
    values: bool,
    /// Whether C and D are numbers in one line, register by register too, if
    /// they have the room; else bits in two.
    numbers: bool,
    /// Between what belongs together and what follows.
    gap: f64,
    spacing: Spacing,
}

impl CandidateLayout {
    const fn new(folding: CollapsedRows, size: f64) -> Self {
        Self {
            folding,
            size,
            values: false,
            numbers: false,
            gap: 2.0,
            spacing: Spacing::USUAL,
        }
    }

    /// The forms, best first.
    const ALL: [Self; 16] = [
        Self {
            gap: WIDE_GAP,
            ..Self::VALUES
        },
        Self::VALUES,
        Self {
            gap: WIDE_GAP,
            ..Self::WHOLE
        },
        Self::WHOLE,
        Self {
            gap: WIDE_GAP,
            ..Self::NUMBERS
        },
        Self::NUMBERS,
        Self {
            size: LEAST_TYPE,
            ..Self::NUMBERS
        },
        Self {
            size: LEAST_TYPE,
            spacing: Spacing::TIGHT,
            ..Self::NUMBERS
        },
        Self::new(CollapsedRows::None, LEAST_TYPE),
        Self {
            spacing: Spacing::TIGHT,
            ..Self::new(CollapsedRows::None, LEAST_TYPE)
        },
        Self {
            folding: CollapsedRows::C,
            ..Self::NUMBERS
        },
        Self {
            folding: CollapsedRows::C,
            size: LEAST_TYPE,
            ..Self::NUMBERS
        },
        Self::new(CollapsedRows::C, USUAL_TYPE),
        Self::new(CollapsedRows::C, LEAST_TYPE),
        Self::new(CollapsedRows::BAndC, USUAL_TYPE),
        Self::SMALLEST,
    ];
    const WHOLE: Self = Self::new(CollapsedRows::None, USUAL_TYPE);
    const VALUES: Self = Self {
        values: true,
        ..Self::WHOLE
    };
    const NUMBERS: Self = Self {
        numbers: true,
        ..Self::WHOLE
    };
    const SMALLEST: Self = Self::new(CollapsedRows::BAndC, LEAST_TYPE);
}

impl Plan {
    /// With `unfolded` all rows are drawn, also where they have to be scrolled.
    pub(crate) fn new(model: &MatrixModel, grids: &Grids, room: Room, unfolded: bool) -> Self {
        let widest_sum = OnceCell::new();
        let build = |form: CandidateLayout, unit: f64, offered: CollapsedRows| {
            PlanBuilder::new(model, grids, room, form, unit, offered, &widest_sum).build()
        };
        let height = |plan: &Self| {
            if plan.stacked {
                plan.matrices
            } else {
                plan.size.1
            }
        };
        let fits = |form: CandidateLayout, unit: f64| {
            height(&build(form, unit, form.folding)) <= room.height
        };
        let by_register = model.look.by_register;
        let mut forms = CandidateLayout::ALL
            .into_iter()
            .filter(|form| by_register || !form.numbers);
        let form = forms.find(|form| fits(*form, form.size));
        let form = form.unwrap_or(CandidateLayout::SMALLEST);
        let offered = form.folding;
        let form = if unfolded && offered != CollapsedRows::None {
            CandidateLayout::WHOLE
        } else {
            form
        };
        // As high as fits.
        let (mut unit, mut too_much) = (form.size, MOST_ROW);
        for _ in 0..7 {
            let middle = f64::midpoint(unit, too_much);
            if fits(form, middle) {
                unit = middle
            } else {
                too_much = middle
            }
        }
        build(form, unit, offered)
    }

    /// The same with the rows of a step, by matrix and EU: those that are
    /// drawn where there is no room for all, and those that it adds to.
    pub(crate) fn at_step(mut self, first: impl Fn(MatrixRole, u8) -> usize) -> Self {
        for grid in &mut self.grids {
            if grid.folded {
                grid.first = first(grid.role, grid.eu);
            }
            if let Some(row) = &mut grid.before_step_above {
                *row = first(grid.role, grid.eu);
            }
        }
        self
    }

    /// Where the sums before a step stand, by EU: right above their row, with
    /// one place for each channel, in as many lines as the row has.
    pub(crate) fn before_step(&self) -> impl Iterator<Item = (u8, Vec<SumsPlan>)> + '_ {
        self.grids.iter().filter_map(|grid| {
            let (row, bounds) = (grid.rect(grid.before_step_above?, 0), grid.bounds());
            let top = row.y - BEFORE_STEP * grid.wrap as f64;
            let lines = grid.lines_of_a_row().enumerate().map(|(n, channels)| {
                let y = top + n as f64 * BEFORE_STEP;
                SumsPlan {
                    channels,
                    at: Rect::new(bounds.x, y, bounds.width, BEFORE_STEP),
                }
            });
            Some((grid.eu, lines.collect()))
        })
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

struct PlanBuilder<'m> {
    plan: Plan,
    model: &'m MatrixModel,
    grids: &'m Grids,
    room: Room,
    form: CandidateLayout,
    /// The height of a line of text of weight 1.
    unit: f64,
    /// Of which matrices a press on the heading changes how many rows are
    /// drawn.
    offered: CollapsedRows,
    /// The most characters of a sum, once it is known.
    widest_sum: &'m OnceCell<usize>,
}

impl<'m> PlanBuilder<'m> {
    fn new(
        model: &'m MatrixModel,
        grids: &'m Grids,
        room: Room,
        form: CandidateLayout,
        unit: f64,
        offered: CollapsedRows,
        widest_sum: &'m OnceCell<usize>,
    ) -> Self {
        let columns = f64::from(model.layout.channels()) * f64::from(model.eus);
        let is_narrow = model.eus > 1 && room.width / columns < LEAST_COLUMN;
        Self {
            plan: Plan {
                size: (room.width, 0.0),
                panels: Vec::new(),
                grids: Vec::new(),
                headings: Vec::new(),
                axes: Vec::new(),
                switch: Rect::default(),
                legend: form.spacing.legend,
                stacked: room.stacked || is_narrow,
                matrices: 0.0,
            },
            model,
            grids,
            room,
            form,
            unit,
            offered,
            widest_sum,
        }
    }

    fn build(mut self) -> Plan {
        if self.plan.stacked {
            self.stacked()
        } else {
            self.side_by_side()
        }
        self.plan
    }

    /// Whether a matrix is drawn register by register.
    fn by_register(&self, role: MatrixRole) -> bool {
        self.model.look.by_register && role != MatrixRole::A
    }

    /// A grid; that of D, which steps change, is not among them.
    fn source(&self, role: MatrixRole, eu: u8) -> Option<&Rc<MatrixGrid>> {
        let grids = match role {
            MatrixRole::A => &self.grids.a,
            MatrixRole::B => &self.grids.b,
            MatrixRole::C => &self.grids.c,
            MatrixRole::D => return None,
        };
        grids.get(usize::from(eu)).or_else(|| grids.first())
    }

    /// The rows and columns of a grid.
    fn shape(&self, role: MatrixRole, eu: u8) -> (usize, usize) {
        let layout = self.model.layout;
        let (of_d, channels) = if self.by_register(role) {
            (layout.registers(role, eu), self.cells_of_a_register(role))
        } else {
            (layout.rc(), usize::from(layout.channels()))
        };
        if role == MatrixRole::D {
            return (usize::from(of_d), channels);
        }
        let grid = self.source(role, eu).expect("every planned item is a grid");
        let cells = grid.rows.iter().map(|row| row.cells.len());
        let most = if self.by_register(role) {
            channels
        } else {
            cells.max().expect("a matrix has rows")
        };
        (grid.rows.len(), most)
    }

    /// How many cells a whole register has, used or not.
    fn cells_of_a_register(&self, role: MatrixRole) -> usize {
        let layout = self.model.layout;
        let bits = usize::from(layout.register_bytes()) * 8;
        bits / usize::from(cell_bits(role, layout))
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
                let half = width / 2.0 - 6.0;
                let first = self.column(0, 0.0, half, y);
                first.max(self.column(1, half + 12.0, half, y))
            }
        };
        self.plan.matrices = y;
        self.switch(y);
    }

    /// Stacks the EUs vertically.
    fn stacked(&mut self) {
        let width = self.room.width;
        let mut y = 0.0;
        if self.model.shared() {
            y = self.a(0, 0.0, width, y);
        }
        for eu in 0..self.model.eus {
            y = self.column(eu, 0.0, width, y);
        }
        self.plan.matrices = y;
        if self.model.shared() {
            let half = width / 2.0 - 8.0;
            let right = width - half;
            let top = self.heading(HeadingOf::Panel(0), 0.0, y, half);
            self.heading(HeadingOf::Panel(1), right, y, half);
            let height = self.src2_registers() as f64 * 17.0;
            let first = self.panel(0, 0.0, top, half, height);
            let second = self.panel(1, right, top, half, height);
            y = first.max(second) + 6.0;
        }
        self.switch(y);
    }

    fn switch(&mut self, y: f64) {
        let Spacing {
            switch_row, legend, ..
        } = self.form.spacing;
        let height = switch_row * 4.0 + legend;
        self.plan.switch = Rect::new(0.0, y, self.room.width, height);
        self.plan.size.1 = self.plan.switch.bottom();
    }

    fn heading(&mut self, what: HeadingOf, x: f64, y: f64, width: f64) -> f64 {
        let line = self.form.spacing.line;
        let at = Rect::new(x, y, width, line);
        let folds = match what {
            HeadingOf::Grid(role @ MatrixRole::C, _) => {
                self.offered.folds(role) && !self.grids.c.is_empty()
            }
            HeadingOf::Grid(role @ MatrixRole::B, _) => self.offered.folds(role),
            _ => false,
        };
        self.plan.headings.push(MatrixHeading { what, at, folds });
        y + line
    }

    /// In how many lines the cells of a grid have their text.
    fn lines(&self, role: MatrixRole, eu: u8, cell_width: f64) -> usize {
        /// A sum of 32 bits, of which only the digits are broken.
        const SUM: LineWidths = [
            CellTexts {
                values: Some(8),
                digits: Some(8),
            },
            CellTexts {
                values: None,
                digits: Some(4),
            },
            CellTexts {
                values: None,
                digits: None,
            },
        ];
        let by_register = self.by_register(role);
        let is_source = matches!(role, MatrixRole::A | MatrixRole::B);
        if !is_source && self.model.layout.bits(role) != 32 {
            return 1;
        }
        let widths = self.source(role, eu).map_or(SUM, |grid| grid.widths);
        if self.form.numbers && by_register && !is_source {
            let widest = self.widest_number(role, eu);
            let has_room = |chars| widest_type(cell_width, chars) >= self.form.size;
            if widest.is_some_and(has_room) {
                return 1;
            }
        }
        let needed = |size: f64, values: bool| {
            lines_needed(&widths, role, by_register, cell_width, size, values)
        };
        let CandidateLayout { size, values, .. } = self.form;
        let values = values.then(|| needed(size, true)).flatten();
        let found = values.or_else(|| needed(size, false));
        found.or_else(|| needed(LEAST_TYPE, false)).unwrap_or(1)
    }

    /// The most characters of a value of C or D.
    fn widest_number(&self, role: MatrixRole, eu: u8) -> Option<usize> {
        match role {
            MatrixRole::C => self.source(role, eu)?.widths[0].values,
            _ => Some(*self.widest_sum.get_or_init(|| self.model.widest_sum())),
        }
    }

    /// Over how many lines the cells of a row are spread, so that numbers that
    /// are not broken can be read.
    fn wrap(&self, role: MatrixRole, eu: u8, columns: usize, width: f64) -> usize {
        if self.by_register(role) || matches!(role, MatrixRole::A | MatrixRole::B) {
            return 1;
        }
        let widest = self.widest_number(role, eu).unwrap_or(0);
        let has_room = |wrap: &usize| {
            let pitch = width / columns.div_ceil(*wrap) as f64;
            widest_type(pitch - 1.0, widest) >= LEAST_TYPE
        };
        [1, 2, 4].into_iter().find(has_room).unwrap_or(4)
    }

    /// A grid with its labels; its bottom.
    fn grid(&mut self, role: MatrixRole, eu: u8, at: Rect, labels: f64) -> f64 {
        let (rows, columns) = self.shape(role, eu);
        let folded = self.form.folding.folds(role);
        let rows = if folded { rows.min(1) } else { rows };
        let by_register = self.by_register(role);
        let has_before_step = role == MatrixRole::D && !by_register && !self.is_low();
        let wrap = self.wrap(role, eu, columns.max(1), at.width - labels);
        let pitch = (at.width - labels) / columns.max(1).div_ceil(wrap) as f64;
        let gap = if by_register {
            0.0
        } else if pitch > 60.0 {
            2.0
        } else {
            1.0
        };
        let lines = self.lines(role, eu, pitch - gap);
        // In units that are chosen so that everything fits.
        let line = match role {
            MatrixRole::A | MatrixRole::D => self.unit * self.form.spacing.emphasis,
            MatrixRole::B | MatrixRole::C => self.unit,
        };
        let text = match lines {
            1 => line.min(MOST_ROW),
            lines => lines as f64 * line.min(MOST_LINE),
        };
        let row_gap = if text > 11.0 {
            self.form.spacing.row_gap
        } else {
            1.0
        };
        let row_gap = if wrap > 1 { row_gap + 2.0 } else { row_gap };
        let row = wrap as f64 * text + (wrap - 1) as f64 * WRAP_GAP + row_gap;
        self.plan.grids.push(GridPlan {
            role,
            eu,
            origin: Point::new(at.x + labels, at.y),
            pitch: (pitch, row),
            cell: (pitch - gap, text),
            rows,
            first: 0,
            columns,
            lines,
            wrap,
            folded,
            label_x: at.x,
            by_register,
            before_step_above: has_before_step.then_some(0),
        });
        let before_step = if has_before_step {
            BEFORE_STEP * wrap as f64
        } else {
            0.0
        };
        at.y + rows as f64 * row + before_step
    }

    /// The numbers of the stages; their bottom.
    fn axis(&mut self, role: MatrixRole, eu: u8, y: f64) -> f64 {
        let line = self.form.spacing.line;
        let grid = self.plan.grid(role, eu);
        let bounds = grid.expect("the one that was just planned").bounds();
        self.plan.axes.push(Axis {
            what: AxisOf::Stages,
            at: Rect::new(bounds.x, y, bounds.width, line - 3.0),
        });
        y + line - 2.0
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
        let all = self.src2_registers().max(1);
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
        const EDGES: f64 = 16.0;
        let panel = (width * 0.13).clamp(60.0, 120.0);
        let right = width - panel;
        let a = Rect::new(panel + EDGES, 0.0, width - 2.0 * (panel + EDGES), 0.0);
        let y = self.heading(HeadingOf::Panel(0), 0.0, 0.0, panel + EDGES - 4.0);
        self.heading(HeadingOf::Panel(1), right, 0.0, panel);
        let bottom = self.a(0, a.x, a.width, 0.0);
        let grid = self.plan.grid(MatrixRole::A, 0);
        let grid = grid.expect("the one that was just planned");
        let height = grid.rows as f64 * grid.pitch.1;
        // A few registers have room beside a single row too.
        let panels = height.max(self.src2_registers() as f64 * LEAST_BAR);
        let first = self.panel(0, 0.0, y, panel, panels);
        let second = self.panel(1, right, y, panel, panels);
        bottom.max(first + 4.0).max(second + 4.0)
    }

    /// How many registers of Src2 a DPAS would read of each EU.
    fn src2_registers(&self) -> usize {
        usize::from(self.model.layout.unshared().registers(MatrixRole::A, 0))
    }

    /// A, with room for the name of a register beside each row; its bottom.
    fn a(&mut self, eu: u8, x: f64, width: f64, y: f64) -> f64 {
        let y = self.heading(HeadingOf::Grid(MatrixRole::A, eu), x, y, width);
        let at = Rect::new(x, y, width, 0.0);
        let rows = self.source(MatrixRole::A, eu).map(|grid| &grid.rows);
        let names = rows
            .into_iter()
            .flatten()
            .flat_map(|row| &row.register_name);
        let longest = names.map(|name| name.chars().count()).max();
        // The table may leave a row of A without a register.
        let labels = LABELS_A + longest.map_or(0.0, |count| count as f64 * CHARACTER_A);
        let y = self.grid(MatrixRole::A, eu, at, labels);
        self.axis(MatrixRole::A, eu, y) + 2.0 + self.form.gap
    }

    /// The matrices of one EU, one below the other, in the order in which they
    /// are read: what the sums start with, what is multiplied, the sums. The
    /// bottom.
    fn column(&mut self, eu: u8, x: f64, width: f64, top: f64) -> f64 {
        let mut y = top;
        if !self.model.shared() {
            y = self.a(eu, x, width, y);
        }
        let roles = if self.is_low() {
            [MatrixRole::D, MatrixRole::C, MatrixRole::B]
        } else {
            [MatrixRole::C, MatrixRole::B, MatrixRole::D]
        };
        for role in roles {
            y = self.matrix(role, eu, x, width, y) + self.form.gap;
        }
        y + 2.0
    }

    /// Whether the height is low, so that the current rows of A and D are
    /// adjacent and the previous sums are left to the summary.
    fn is_low(&self) -> bool {
        self.plan.stacked && self.room.height < LOW
    }

    /// B, C or D of an EU; its bottom.
    fn matrix(&mut self, role: MatrixRole, eu: u8, x: f64, width: f64, y: f64) -> f64 {
        let mut y = self.heading(HeadingOf::Grid(role, eu), x, y, width);
        if role == MatrixRole::C && self.grids.c.is_empty() {
            // What it starts from and what is added are read together.
            return y - self.form.gap;
        }
        let labels = if self.by_register(role) {
            REGISTER_LABELS
        } else {
            LABELS
        };
        if role == MatrixRole::B && self.by_register(role) {
            y = self.rulers(x + labels, width - labels, y);
        }
        self.grid(role, eu, Rect::new(x, y, width, 0.0), labels)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::features::stage::matrix::model::MatrixViewOptions;
    use lanewise_core::isa::visa::matrix::{Precision, PrecisionPair};
    use lanewise_core::library::BUNDLED;
    use lanewise_core::program::Program;
    use lanewise_core::session::Session;

    /// What runs a shape: DPASW, DPAS on two EUs, DPAS on 16 channels.
    const KINDS: [(&str, &str, u32); 3] = [
        ("dpasw", "XEHP", 8),
        ("dpas", "XEHP", 8),
        ("dpas", "PVC", 16),
    ];

    /// A program that starts Src2 at a dword of a register.
    fn scenario(
        kind: usize,
        pair: PrecisionPair,
        (sd, rc): (u8, u8),
        null: bool,
        at: u32,
    ) -> String {
        let (name, target, channels) = KINDS[kind];
        let varies = rc % 4 == 0;
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
             .decl A v_type=G type=ud num_elts={} align=GRF\n\
             {}\
             {name}.{}.{}.{sd}.{rc} (M1, {channels}) D.0 {src0} B.0 A(0,{})\n",
            count + channels,
            if varies { ".init C = iota(1, 1)\n" } else { "" },
            pair.w().name(),
            pair.a().name(),
            at % channels,
        )
    }

    fn check(text: &str, room: Room, by_register: bool) {
        let session = Session::new(Rc::new(Program::parse(text)));
        let look = MatrixViewOptions {
            by_register,
            ..MatrixViewOptions::default()
        };
        let model = MatrixModel::new(&session, session.program(), look).expect(text);
        let grids = Grids::new(&model);
        let plan = Plan::new(&model, &grids, room, false);
        let all = Rect::new(0.0, 0.0, plan.size.0, plan.size.1);
        let is_low = plan.stacked || room.height < 400.0;
        // The bits of D and those of A of each EU are scrolled.
        if !is_low && (model.shared() || !by_register) {
            assert!(plan.size.1 <= room.height, "{text}: {}", plan.size.1);
        }
        // A row of A and those of D that it goes into can be in view at once;
        // the bits of registers, and A of each EU in a low window, take more.
        let more = by_register || (room.height < 400.0 && !model.shared());
        let rows = if more { 0 } else { model.layout.rc() };
        for (eu, row) in (0..model.eus).flat_map(|eu| (0..rows).map(move |row| (eu, row))) {
            let row = usize::from(row);
            let rect = |role| plan.grid(role, eu).unwrap().rect(row, 0);
            let height = rect(MatrixRole::D).bottom() - rect(MatrixRole::A).y;
            assert!(height <= room.height, "{text}: row {row}: {height}");
        }
        let mut parts: Vec<Rect> = Vec::new();
        parts.extend(plan.grids.iter().map(GridPlan::bounds));
        parts.extend(plan.panels.iter().flat_map(|panel| panel.bars.clone()));
        parts.extend(plan.headings.iter().map(|heading| heading.at));
        parts.extend(plan.axes.iter().map(|axis| axis.at));

        parts.push(plan.switch);
        for (index, part) in parts.iter().enumerate() {
            assert!(part.is_within(all), "{text}: {part:?} in {all:?}");
            for other in &parts[..index] {
                assert!(!part.overlaps(*other), "{text}: {part:?} on {other:?}");
            }
        }
        for grid in &plan.grids {
            let (width, height) = grid.cell;
            let least = LEAST_TYPE * grid.lines as f64;
            assert!(width >= 16.0 && height >= least, "{text}: {grid:?}");
        }
        let order: Vec<&str> = plan.grids.iter().map(|grid| grid.role.name()).collect();
        let letters = order.concat();
        assert!(
            letters.replace(['A', 'C'], "").replace("BD", "").is_empty(),
            "{letters}"
        );
        for grid in &plan.grids {
            let after = |other: &&GridPlan| {
                other.eu == grid.eu && reading_order(other.role) > reading_order(grid.role)
            };
            for other in plan.grids.iter().filter(after) {
                assert!(other.origin.y > grid.origin.y, "{text}: {other:?}");
            }
        }
    }

    /// In a window of 1400 × 900, all of C, B and D that an instruction with
    /// eight rows has.
    #[test]
    fn nonuniform_c_is_not_collapsed() {
        let integers = Precision::RUNNABLE.into_iter().filter(|p| !p.is_float());
        for a in integers {
            let pair = PrecisionPair::new(Precision::S8, a).unwrap();
            let text = scenario(0, pair, (8, 8), false, 0);
            let session = Session::new(Rc::new(Program::parse(&text)));
            let model = MatrixModel::new(&session, session.program(), MatrixViewOptions::default())
                .unwrap();
            let room = Room::new(626.0, 606.0, 510.0);
            let plan = Plan::new(&model, &Grids::new(&model), room, false);
            for role in [MatrixRole::C, MatrixRole::B, MatrixRole::D] {
                for eu in 0..2 {
                    assert_eq!(
                        plan.grid(role, eu).map(|grid| grid.rows),
                        Some(8),
                        "{text}{role:?}"
                    );
                }
            }
        }
    }

    #[test]
    fn sums_are_never_truncated() {
        let scenarios = BUNDLED.iter().filter(|s| s.topic.starts_with("DPAS"));
        for scenario in scenarios {
            let session = Session::new(Rc::new(Program::parse(scenario.text)));
            let (program, look) = (session.program(), MatrixViewOptions::default());
            let model = MatrixModel::new(&session, program, look).expect(scenario.id);
            for room in [
                Room::new(626.0, 606.0, 510.0),
                Room::new(360.0, 340.0, 490.0),
            ] {
                let plan = Plan::new(&model, &Grids::new(&model), room, false);
                let grids = plan.grids.iter().filter(|grid| grid.role == MatrixRole::D);
                for grid in grids {
                    let size = widest_type(grid.cell.0, model.widest_sum());
                    assert!(size >= LEAST_TYPE, "{}: {room:?}", scenario.id);
                    let columns: Vec<usize> = grid.lines_of_a_row().flatten().collect();
                    assert_eq!(columns.len(), grid.columns);
                }
            }
        }
    }

    fn reading_order(role: MatrixRole) -> usize {
        let order = [MatrixRole::A, MatrixRole::C, MatrixRole::B, MatrixRole::D];
        order.into_iter().position(|other| other == role).unwrap()
    }

    #[test]
    fn shapes_fit_without_overlap() {
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
                    // Of every second the rows may lie in two registers.
                    let at = if count % 2 == 0 { count / 2 } else { 0 };
                    let text = scenario(kind, pair, (sd, rc), null, at);
                    let window = Room::new(626.0, 606.0, 520.0);
                    check(&text, window, false);
                    check(&text, window, true);
                    check(&text, Room::new(880.0, 860.0, 700.0), count % 2 == 1);
                    check(&text, Room::new(360.0, 340.0, 490.0), count % 2 == 0);
                    check(&text, Room::new(700.0, 680.0, 230.0), count % 2 == 0);
                }
            }
        }
        assert_eq!(count, 38 * 32);
    }
}
