//! Model of a matrix instruction: its operands, and D stage by stage.

use alloc::format;
use alloc::rc::Rc;
use alloc::string::{String, ToString};
use alloc::vec::Vec;
use core::ops::Range;
use lanewise_core::isa::visa::matrix::layout::{Index, Layout, MatrixRole, RegisterBits};
use lanewise_core::isa::visa::matrix::operands::{self, MatrixOperands, widen};
use lanewise_core::isa::visa::matrix::trace::StageAt;
use lanewise_core::isa::visa::matrix::{MatrixSuffix, MultiplyAdd, Precision, Supply};
use lanewise_core::isa::visa::raw_operand::VariableId;
use lanewise_core::machine::{Machine, SpaceId};
use lanewise_core::number::{ElementType, show};
use lanewise_core::program::{Program, ProgramInstruction};
use lanewise_core::session::Session;

/// Element of D of one EU.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DstElement {
    pub eu: u8,
    pub index: Index,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct MatrixViewOptions {
    /// Whether to show the document's table if it contradicts the formula.
    pub by_table: bool,
    /// Whether B, C and D are drawn register by register.
    pub by_register: bool,
    /// Selected register of Src2, numbered among those that are read, EU0's
    /// first.
    pub register: Option<u8>,
    pub element: Option<DstElement>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BeforeStep {
    pub sum: String,
    /// Amount added by the step: `+26`. Empty for floats, where each addition
    /// rounds.
    pub added: String,
}

#[derive(Clone, Debug, PartialEq)]
pub struct MatrixModel {
    /// `dpasw.s8.u4.8.3` as written; other parts of the text may have errors.
    pub name: String,
    /// Suffix as written, shown and changed by the switches.
    pub written: MatrixSuffix,
    pub precisions: &'static [Precision],
    /// Supply of the instruction as written, if shared and valid.
    pub written_supply: Option<Supply>,
    pub matrix_view: MatrixViewOptions,
    /// Register layout of the running instruction.
    pub layout: Layout,
    /// Which EU supplies which register of Src2, if the pair shares it.
    pub supply: Option<Supply>,
    /// Operands read by the running instruction.
    pub operands: Rc<MatrixOperands>,
    /// Whether Src1 and Src2 still hold their initial values.
    pub factors_are_initial: bool,
    pub eus: u8,
    /// First register of the operands for A, B, C and D, in this order; `None`
    /// for a null operand.
    first_registers: [Option<u64>; 4],
    pub at: Option<StageAt>,
    pub done: Vec<u8>,
    /// Current D by EU, row and channel: running sums of the current row,
    /// otherwise the contents of Dst.
    pub dst: Vec<Vec<u32>>,
}

/// The matrix instruction in the text that corresponds to the running one: that
/// with the same number among all matrix instructions.
pub fn instruction_in_editor<'p>(
    session: &Session,
    written: &'p Program,
) -> Option<&'p ProgramInstruction> {
    let index = session.current_instruction()?;
    let is_matrix = |placed: &&ProgramInstruction| placed.instruction.matrix().is_some();
    let before = session.program().instructions.get(..index)?;
    let number = before.iter().filter(is_matrix).count();
    written.instructions.iter().filter(is_matrix).nth(number)
}

impl MatrixModel {
    /// Model of the current instruction; `None` if it is not a matrix
    /// instruction or cannot run. `text` is the program as written, perhaps
    /// with errors.
    pub fn new(session: &Session, text: &Program, matrix_view: MatrixViewOptions) -> Option<Self> {
        let index = session.current_issue()?;
        let program = session.program();
        let running = program.instruction(session.issue(index)?);
        let matrix = running.instruction.matrix()?;
        let as_written = instruction_in_editor(session, text).unwrap_or(running);
        let written = as_written.instruction.matrix()?;
        let suffix = written.suffix;
        let mut name = as_written.instruction.spec().mnemonics.first()?.to_string();
        suffix.print(&mut name);

        let supply = matrix.supply();
        let by_table = matrix_view.by_table && supply.is_some_and(|supply| supply.differs());
        let layout = matrix.element_layout(&program.symbols, by_table)?;
        let state = session.matrix(index, by_table)?;
        let is_initial = |id: VariableId| {
            let variable = program.symbols.visa.general(id.0);
            let declared = variable.filter(|v| !v.predefined && v.alias.is_none());
            declared.is_some_and(|v| {
                let mut bytes = (0..program.threads)
                    .flat_map(|eu| (0..v.bytes()).map(move |at| (eu, u64::from(v.offset + at))));
                bytes.all(|(eu, at)| {
                    let byte = |machine: &Machine| machine.load(SpaceId::registers(eu), at, 1);
                    byte(session.machine()) == byte(&program.start)
                })
            })
        };
        let mut this = Self {
            name,
            written: suffix,
            precisions: written
                .variant
                .precisions_on(program.symbols.visa.platform()),
            written_supply: written.supply().or(supply),
            matrix_view,
            layout,
            supply,
            factors_are_initial: is_initial(matrix.src1.id) && is_initial(matrix.src2.id),
            eus: state.operands.eu_count(),
            done: (0..layout.rc()).map(|row| state.done_in(row)).collect(),
            operands: Rc::new(state.operands),
            first_registers: MatrixRole::ALL
                .map(|role| matrix.first_register(role, &program.symbols)),
            at: state.at,
            dst: Vec::new(),
        };
        this.dst = (0..this.eus)
            .map(|eu| this.dst_now(session, matrix, eu))
            .collect();
        // Drop selections that this instruction lacks.
        let has = |e: &DstElement| {
            e.eu < this.eus && layout.location(MatrixRole::D, e.eu, e.index).is_some()
        };
        this.matrix_view.element = this.matrix_view.element.filter(has);
        this.matrix_view.register = this.register().and(this.matrix_view.register);
        Some(this)
    }

    pub fn stages_done(&self, element: DstElement) -> u8 {
        let Index { row, column } = element.index;
        let whole = self.done[usize::from(row)];
        // A stage may execute channel by channel.
        let begun = self.at.filter(|at| (at.row, at.d) == (row, whole));
        let own = begun.and_then(|at| at.channel);
        whole + u8::from(own.is_some_and(|last| (element.eu, column) <= last))
    }

    /// Sums of an EU before the last step and, for integers, the added amounts,
    /// by channel; `None` for unchanged channels.
    pub fn before_step(&self, eu: u8) -> Vec<Option<BeforeStep>> {
        let before = |channel: u8| {
            let at = self.at?;
            if at.channel.is_some_and(|last| last != (eu, channel)) {
                return None;
            }
            let trace = self.operands.trace(eu, at.row, channel);
            let stage = usize::from(at.d);
            let sum = match stage.checked_sub(1) {
                Some(last) => trace.sums[last],
                None => trace.src0,
            };
            let added = trace.sums[stage].wrapping_sub(sum).cast_signed();
            Some(BeforeStep {
                sum: trace.text(sum),
                added: match self.sum_type().is_float() {
                    true => String::new(),
                    false => format!("{added:+}"),
                },
            })
        };
        (0..self.layout.channels()).map(before).collect()
    }

    /// D of an EU, row by row: running sums or register contents. After its
    /// last stage, an element is rounded if Dst is narrower.
    fn dst_now(&self, session: &Session, matrix: &MultiplyAdd, eu: u8) -> Vec<u32> {
        let variables = &session.program().symbols.visa;
        let start = matrix.dst.element_offset(variables, 0, 1);
        let start = start.expect("an instruction that can run has a declared Dst");
        let layout = self.layout;
        let load = |space, address, bytes| {
            let bits = session.machine().load(space, address, bytes);
            let bits = bits.expect("an instruction whose Dst ends outside its variable cannot run");
            u32::try_from(bits).expect("at most 32 bits were loaded")
        };
        let ty = self.operands.types.dst;
        let element = |index: Index| {
            let stages = self.stages_done(DstElement { eu, index });
            // The instruction has not run by the table.
            if let Some(last) = stages.checked_sub(1).filter(|_| self.shows_table()) {
                return self.operands.trace(eu, index.row, index.column).sums[usize::from(last)];
            }
            if (1..layout.sd()).contains(&stages) {
                return load(SpaceId::accumulators(eu), u64::from(index.column) * 4, 4);
            }
            let at = layout.location(MatrixRole::D, eu, index);
            let at = at.expect("D has its own elements");
            let register = u64::from(at.register) * u64::from(layout.register_bytes());
            let address = start + register + u64::from(at.byte());
            widen(load(SpaceId::registers(eu), address, at.bits / 8), ty)
        };
        layout.elements(MatrixRole::D).map(element).collect()
    }

    /// Selected register of Src2: EU and number.
    pub fn register(&self) -> Option<(u8, u8)> {
        let mut number = self.matrix_view.register?;
        for eu in 0..self.eus {
            let count = self.layout.registers(MatrixRole::A, eu);
            match number.checked_sub(count) {
                None => return Some((eu, number)),
                Some(rest) => number = rest,
            }
        }
        None
    }

    /// Value of [`MatrixViewOptions::register`] for a register of an EU.
    pub fn register_number(&self, (eu, register): (u8, u8)) -> u8 {
        let before = (0..eu).map(|eu| self.layout.registers(MatrixRole::A, eu));
        before.sum::<u8>() + register
    }

    /// Maximum length of an intermediate sum in characters.
    pub fn widest_sum(&self) -> usize {
        let sums = (0..self.eus).flat_map(|eu| {
            let elements = self.layout.elements(MatrixRole::D);
            elements.flat_map(move |Index { row, column }| {
                let trace = self.operands.trace(eu, row, column);
                trace.sums.into_iter().chain([trace.src0])
            })
        });
        let characters = sums.map(|sum| show(u64::from(sum), self.sum_type()).chars().count());
        characters.max().expect("D has elements")
    }

    /// Whether all elements of A, or all of B, are 0, NaN or of an unusual size, as after
    /// a change of the precisions that leaves initial values of another type.
    pub fn has_degenerate_operands(&self) -> bool {
        const USUAL: Range<f32> = 1e-4..1e6;
        let has_usual = |role: MatrixRole| {
            (0..self.eus).any(|eu| {
                let mut elements = self.layout.elements(role);
                elements.any(|index| USUAL.contains(&self.source(role, eu, index).value().abs()))
            })
        };
        !has_usual(MatrixRole::A) || !has_usual(MatrixRole::B)
    }

    /// Whether C is drawn as a single value per EU: it is 0, or all elements
    /// are equal.
    pub fn constant_c(&self) -> bool {
        let is_equal = |eu: u8| {
            let mut elements = self.layout.elements(MatrixRole::C);
            let first = self.operands.src0(eu, 0, 0);
            elements.all(|index| self.operands.src0(eu, index.row, index.column) == first)
        };
        self.has_null_src0() || (0..self.eus).all(is_equal)
    }

    /// Whether Src0 is the null variable, so that C is 0.
    pub fn has_null_src0(&self) -> bool {
        self.first_registers[MatrixRole::C as usize].is_none()
    }

    pub fn shared(&self) -> bool {
        self.supply.is_some()
    }

    /// Whether the table is shown instead of the formula.
    pub fn shows_table(&self) -> bool {
        self.matrix_view.by_table && self.supply.is_some_and(|supply| supply.differs())
    }

    /// Type in which C, D and the sums are shown.
    pub fn sum_type(&self) -> ElementType {
        self.operands.types.sum
    }

    /// Name of the element type of an operand.
    pub fn type_name(&self, role: MatrixRole) -> &'static str {
        let (pair, types) = (self.operands.shape.pair(), self.operands.types);
        match role {
            MatrixRole::A => pair.a().name(),
            MatrixRole::B => pair.w().name(),
            MatrixRole::C => types.src0.name(),
            MatrixRole::D => types.dst.name(),
        }
    }

    /// Bits of an element of C or D.
    fn sum_bits(&self, role: MatrixRole, eu: u8, Index { row, column }: Index) -> u32 {
        if role == MatrixRole::C {
            return self.operands.src0(eu, row, column);
        }
        let at = usize::from(row) * usize::from(self.layout.channels()) + usize::from(column);
        self.dst[usize::from(eu)][at]
    }

    pub fn value(&self, role: MatrixRole, eu: u8, index: Index) -> String {
        match role {
            MatrixRole::A | MatrixRole::B => self.source(role, eu, index).text(),
            MatrixRole::C | MatrixRole::D => {
                show(u64::from(self.sum_bits(role, eu, index)), self.sum_type())
            }
        }
    }

    /// Bits of an element in hexadecimal; its value if the register holds 16
    /// bits of a sum of 32 bits.
    pub fn digits(&self, role: MatrixRole, eu: u8, index: Index) -> String {
        match role {
            MatrixRole::A | MatrixRole::B => {
                let element = self.source(role, eu, index);
                let digits = usize::from(element.precision.bits().div_ceil(4));
                format!("{:0digits$x}", element.bits)
            }
            _ if self.layout.bits(role) != 32 => self.value(role, eu, index),
            MatrixRole::C | MatrixRole::D => format!("{:08x}", self.sum_bits(role, eu, index)),
        }
    }

    /// An element of A or B.
    pub fn source(&self, role: MatrixRole, eu: u8, index: Index) -> operands::Element {
        match role {
            MatrixRole::A => self.operands.src2(eu, index.row, index.column),
            _ => self.operands.src1(eu, index.row, index.column),
        }
    }

    /// Name of an operand's register (counted from the first) by its number in
    /// the register file, as in the State pane: `r25`. For a null operand, its
    /// placeholder.
    pub fn register_name(&self, role: MatrixRole, register: u8) -> String {
        match self.first_registers[role as usize] {
            Some(first) => format!("r{}", first + u64::from(register)),
            None => String::from("null"),
        }
    }

    /// Element of D whose products are shown: the selected one, or the first of
    /// the last step.
    pub fn traced(&self) -> DstElement {
        self.matrix_view.element.unwrap_or_else(|| {
            let (eu, column) = self.at.and_then(|at| at.channel).unwrap_or((0, 0));
            let row = self.at.map_or(0, |at| at.row);
            let index = Index { row, column };
            DstElement { eu, index }
        })
    }

    /// Register bits that hold an element of A.
    pub fn element_parts(&self, eu: u8, index: Index) -> Vec<RegisterBits> {
        let at = self.layout.location(MatrixRole::A, eu, index);
        let parts = at.map(|at| self.layout.in_registers(at, u16::from(at.bits)));
        parts.into_iter().flatten().collect()
    }

    /// Whether the current stage reads any of these bits of a Src2 register.
    pub fn reads_now(&self, part: RegisterBits) -> bool {
        let RegisterBits {
            eu,
            register,
            first_bit,
            count,
        } = part;
        let element = |bit| self.layout.element(MatrixRole::A, eu, register, bit);
        let (Some(at), Some(first), Some(last)) =
            (self.at, element(first_bit), element(first_bit + count - 1))
        else {
            return false;
        };
        let stage = at.d * self.layout.ops()..(at.d + 1) * self.layout.ops();
        first.row == at.row && first.column < stage.end && last.column >= stage.start
    }

    pub fn summary(&self) -> String {
        if let Some(supply) = self.written_supply {
            return supply.summary();
        }
        let suffix = self.written;
        let count = self.layout.registers(MatrixRole::A, 0);
        format!(
            "W {}, A {}, RC {}: each EU reads its own Src2, {count} {}; nothing is shared",
            suffix.w.name(),
            suffix.a.name(),
            suffix.rc,
            if count == 1 { "register" } else { "registers" },
        )
    }

    pub fn fed_by_register(&self) -> Option<String> {
        let (eu, register) = self.register()?;
        let rows = rows_text(self.layout.rows_in(eu, register));
        let whose = if self.shared() { "both EUs" } else { "this EU" };
        let name = self.register_name(MatrixRole::A, register);
        Some(format!(
            "EU{eu}.{name} of Src2 feeds {rows} of D, all channels, on {whose}"
        ))
    }
}

/// `row 2`, `rows 0–3`.
pub fn rows_text(rows: Range<u8>) -> String {
    match rows.len() {
        0 => String::from("no rows"),
        1 => format!("row {}", rows.start),
        _ => format!("rows {}–{}", rows.start, rows.end - 1),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "\
.decl V32 v_type=G type=d num_elts=64 align=GRF
.decl V34 v_type=G type=d num_elts=64 align=GRF
.decl V35 v_type=G type=ud num_elts=64 align=GRF
.init V32 = splat(1)
.init V34 = splat(0x01010101)
.init EU0.V35 = splat(0x22222222)
.init EU1.V35 = splat(0x33333333)
dpasw.s8.s4.8.4 (M1, 8) V32.0 V32.0 V34.0 V35(0,0)
dpasw.s8.s8.8.1 (M1, 8) V32.0 %null.0 V34.0 V35(0,0)
";

    fn session(text: &str) -> Session {
        Session::new(Rc::new(Program::parse(text)))
    }

    fn model(session: &Session, matrix_view: MatrixViewOptions) -> MatrixModel {
        MatrixModel::new(session, session.program(), matrix_view).unwrap()
    }

    #[test]
    fn finished_row_shows_dst() {
        let bundled = lanewise_core::library::named("dpas-hf").unwrap();
        let mut session = session(bundled.text);
        let row = |session: &Session, row| {
            let index = Index { row, column: 0 };
            model(session, MatrixViewOptions::default()).value(MatrixRole::D, 0, index)
        };
        // In the second instruction, Dst is hf: a row of eight stages ends as
        // 2049, halfway between two hf values.
        session.run_to_end();
        assert_eq!(row(&session, 1), "2052");
        session.seek(16 + 7);
        assert_eq!(row(&session, 0), "2049");
        session.seek(16 + 8);
        assert_eq!(row(&session, 0), "2048");
    }

    /// The note of the scenario gives the numbers.
    #[test]
    fn by_the_table_operands_and_sums_are_those_of_its_registers() {
        let bundled = lanewise_core::library::named("dpasw-mixed").unwrap();
        let mut session = session(bundled.text);
        session.run_to_end();
        session.seek(24);
        let shown = |by_table, role, row| {
            let matrix_view = MatrixViewOptions {
                by_table,
                ..MatrixViewOptions::default()
            };
            model(&session, matrix_view).value(role, 1, Index { row, column: 0 })
        };
        for (by_table, a, d) in [(false, "3", "96"), (true, "2", "64")] {
            assert_eq!(shown(by_table, MatrixRole::A, 2), a);
            assert_eq!(shown(by_table, MatrixRole::D, 2), d);
            assert_eq!(shown(by_table, MatrixRole::D, 1), "32");
        }
    }

    #[test]
    fn missing_selections_are_dropped() {
        let session = session(TEXT);
        let element = |eu, row, column| DstElement {
            eu,
            index: Index { row, column },
        };
        let traced = |element| {
            let matrix_view = MatrixViewOptions {
                element: Some(element),
                ..MatrixViewOptions::default()
            };
            model(&session, matrix_view).traced()
        };
        assert_eq!(traced(element(1, 3, 7)), element(1, 3, 7));
        assert_eq!(traced(element(1, 4, 7)), element(0, 0, 0));
        let third = MatrixViewOptions {
            register: Some(2),
            ..MatrixViewOptions::default()
        };
        let register = model(&session, third).matrix_view.register;
        assert_eq!(register, None, "two are read");
    }
}
