//! The instructions that move planes, defined by their [`PlaneAccess`].

use super::declarations::Declarations;
use super::execution::Execution;
use super::plane_access::PlaneAccess;
use super::syntax::{DocumentedInstruction, OperandValue};
use crate::bits::{DecodeError, Visitor};
use crate::diagnostic::Diagnostics;
use crate::isa::schema::{Direction, Operand};
use crate::isa::{
    Access, AddressRegister, Check, Effect, Evaluation, FaultKind, IssueContext, IssueFault,
    OperandSpans, ParseError, PseudocodeState, Semantics, SourceElement, Spec, Style, SymbolTable,
    ThreadSet, Unit,
};
use crate::machine::{Machine, Recorder, SpaceId};
use crate::number::ElementType;
use crate::text::{Cursor, Sink, SyntaxPart};
use alloc::string::String;
use alloc::vec::Vec;
use core::fmt::Debug;
use core::marker::PhantomData;

/// Differences between the plane instructions.
pub trait PlaneKind: Copy + Debug + Eq + 'static {
    /// Specification of the instruction.
    const SPEC: &'static Spec;
    /// The plane operand. If it is read, the instruction writes memory, and vice
    /// versa.
    const PLANES: Operand;
    /// The document's names for the ID and offset fields of that operand.
    const FIELDS: [&'static str; 2];
}

/// An instruction that moves planes between registers and memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PlaneInstruction<K> {
    pub planes: PlaneAccess,
    kind: PhantomData<K>,
}

impl<K: PlaneKind> PlaneInstruction<K> {
    const WRITES_MEMORY: bool = matches!(K::PLANES.direction, Direction::In);
}

impl<K: PlaneKind> Default for PlaneInstruction<K> {
    fn default() -> Self {
        Self {
            planes: PlaneAccess::new(),
            kind: PhantomData,
        }
    }
}

impl<K: PlaneKind> DocumentedInstruction for PlaneInstruction<K> {
    const SPEC: &'static Spec = K::SPEC;

    fn execution(&mut self) -> &mut Execution {
        &mut self.planes.execution
    }

    fn operand(&mut self, part: SyntaxPart) -> OperandValue<'_> {
        self.planes.operand(part)
    }

    fn parse_suffixes(
        &mut self,
        cursor: &mut Cursor<'_>,
        spans: &mut OperandSpans,
        out: &mut Diagnostics,
    ) -> Result<(), ParseError> {
        self.planes.parse_suffixes(K::SPEC, cursor, spans, out)
    }

    fn print_suffixes(&self, _: Style, sink: &mut impl Sink) {
        self.planes.channels.print(sink);
    }

    fn declaration(&self, part: SyntaxPart, _: &Declarations) -> (&'static str, u32) {
        self.planes.declaration(part)
    }

    fn layout_fields<V: Visitor>(&mut self, v: &mut V) -> Result<(), DecodeError> {
        self.planes.layout(K::FIELDS, K::PLANES.part, v)
    }

    fn perform<R: Recorder>(
        &self,
        accesses: &[Access],
        _: ThreadSet,
        machine: &mut Machine,
        _: &SymbolTable,
        recorder: &mut R,
    ) {
        for access in accesses {
            recorder.begin();
            if Self::WRITES_MEMORY {
                machine.store(recorder, access.space, access.address, 4, access.src0);
                continue;
            }
            let value = machine.load(access.space, access.address, 4);
            let value = value.expect("unmapped cells have faulted before");
            if let Some(dst) = access.dst {
                let registers = SpaceId::registers(access.unit.eu);
                machine.store(recorder, registers, dst.into(), 4, value);
            }
        }
    }
}

impl<K: PlaneKind> Semantics for PlaneInstruction<K> {
    fn check_encoding(&self, check: &mut Check<'_>) {
        self.planes.check_encoding(check);
    }

    fn check(&self, check: &mut Check<'_>) {
        self.planes.check(&K::PLANES, check);
    }

    fn check_run(&self, context: &IssueContext<'_>, check: &mut Check<'_>) {
        self.planes.check_run(&K::PLANES, context, check);
    }

    fn address_registers(&self, symbols: &SymbolTable) -> Vec<AddressRegister> {
        self.planes.address_registers(symbols)
    }

    fn source_elements(&self, unit: Unit, symbols: &SymbolTable) -> Vec<SourceElement> {
        self.planes.source_elements(&K::PLANES, unit, symbols)
    }

    fn evaluate(&self, context: &IssueContext<'_>, out: &mut Evaluation) -> Result<(), IssueFault> {
        self.planes.issue(&K::PLANES, context, &mut out.accesses);
        match self.planes.has_address(context) {
            true => Ok(()),
            false => Err(FaultKind::OutOfRange.into()),
        }
    }

    fn describe_effect(&self, effect: &Effect<'_>, symbols: &SymbolTable) -> String {
        match Self::WRITES_MEMORY {
            true => self.planes.describe_write(effect, symbols),
            false => self.planes.describe_read(effect, symbols),
        }
    }

    fn pseudocode_state(&self, effect: &Effect<'_>, symbols: &SymbolTable) -> PseudocodeState {
        self.planes.pseudocode_state(effect, symbols)
    }

    fn lanes(&self) -> u8 {
        self.planes.execution.size.lanes()
    }

    fn channels(&self) -> u16 {
        self.planes.channels.mask().into()
    }

    fn channel_element(&self, unit: Unit, symbols: &SymbolTable) -> Option<u32> {
        self.planes.channel_element(unit, symbols)
    }

    fn inactive_reason(&self, context: &IssueContext<'_>, unit: Unit) -> Option<&'static str> {
        self.planes.execution.inactive_reason(context, unit)
    }

    fn operands(&self) -> u8 {
        u8::from(Self::WRITES_MEMORY)
    }

    fn contradiction_ids(&self, symbols: &SymbolTable) -> Vec<&'static str> {
        self.planes.contradiction_ids(symbols)
    }

    fn display_type(&self, symbols: &SymbolTable) -> ElementType {
        self.planes.display_type(symbols)
    }
}
