//! The variables of a vISA program: names, IDs, types and placement in the register
//! file.
//!
//! IDs follow the real assembler: they start at 32 for declared general variables, 1
//! for predicates, 0 for address variables, 6 for surfaces and 0 for samplers. An
//! alias has its own ID.

use super::platform::{Features, Platform};
use super::predefined::{self, FIRST_DECLARED_SURFACE, SCRATCH_LOCATION};
use super::value_flow::ValueFlow;
use crate::bits::{BitField, SymbolResolver, number_bits};
use crate::diagnostic::{Span, to_u32, to_usize};
use crate::number::ElementType;
use crate::text::{Sink, SyntaxPart, TokenClass};
use alloc::boxed::Box;
use alloc::collections::BTreeMap;
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;
use core::ops::Range;

/// Number of the first declared general variable.
pub const FIRST_GENERAL: u32 = 32;

/// Start of the address variables in the flags space. Each has room for 32 elements of
/// 4 bytes, which are byte offsets into the register file.
pub const ADDRESS_VARIABLES: u64 = 0x1_0000;

/// Bytes per address variable in the flags space.
pub const ADDRESS_VARIABLE_BYTES: u64 = 128;

/// Address of an element of an address variable in the flags space.
#[must_use]
pub fn address_element(id: u16, element: u8) -> u64 {
    ADDRESS_VARIABLES + u64::from(id) * ADDRESS_VARIABLE_BYTES + u64::from(element) * 4
}

/// ID of a label or function; 0 is the kernel.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct LabelId(pub u16);

impl BitField for LabelId {
    number_bits!(u16);
    fn meaning(self, symbols: &dyn SymbolResolver) -> String {
        symbols
            .label(self.0)
            .map_or_else(|| format!("label {}", self.0), String::from)
    }
}

/// Start of the surface variables in the flags space. An element is a dword: 0 until
/// written by `movs`, then [`SURFACE_IS_SET`] and an index into the binding table.
pub const SURFACE_VARIABLES: u64 = 0x100_0000;

/// Size of a surface variable in the flags space.
pub const SURFACE_VARIABLE_BYTES: u64 = 64;

/// Bit that marks an element written by `movs`.
pub const SURFACE_IS_SET: u32 = 1 << 31;

/// The entry of the binding table to which an element refers; 0 until it is written.
pub(super) fn binding_entry(element: u64) -> u64 {
    element & !u64::from(SURFACE_IS_SET)
}

/// Address of a surface element in the flags space.
#[must_use]
pub fn surface_element(id: u16, element: u8) -> u64 {
    SURFACE_VARIABLES + u64::from(id) * SURFACE_VARIABLE_BYTES + u64::from(element) * 4
}

/// A buffer behind an entry of the binding table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BoundSurface {
    /// Address of its first byte in virtual memory.
    pub address: u64,
    /// Its size in bytes.
    pub bytes: u64,
}

impl BoundSurface {
    /// Whether it is the surface of a NULL pointer.
    #[must_use]
    pub const fn is_null(self) -> bool {
        self.address == 0 && self.bytes == 0
    }
}

/// The variable that a name refers to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Symbol {
    /// A general variable, by number.
    General(u32),
    /// A predicate variable, by number.
    Predicate(u16),
    /// An address variable, by number.
    Address(u16),
    /// A surface, by number.
    Surface(u8),
    /// A sampler, by number.
    Sampler(u8),
}

/// A declared general variable.
#[derive(Clone, Debug)]
pub struct Variable {
    pub name: Box<str>,
    /// Type of its elements.
    pub ty: ElementType,
    /// Number of its elements.
    pub elements: u32,
    /// Register-file address in bytes.
    pub offset: u32,
    /// For an alias, the variable whose bytes it shares.
    pub alias: Option<u32>,
    /// For an alias, the variable at the end of the chain of aliases, declared or
    /// predefined.
    pub storage: Option<u32>,
    /// The span of its name in the text.
    pub span: Span,
    /// The spans of its type and number of elements in the text; empty without them.
    pub type_span: Span,
    pub elements_span: Span,
}

/// A general variable, declared or predefined.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct General<'d> {
    /// The name that is printed.
    pub name: &'d str,
    /// Type of its elements.
    pub ty: ElementType,
    /// Number of its elements.
    pub elements: u32,
    /// Register-file address in bytes.
    pub offset: u32,
    /// Whether it is one of V1 to V20.
    pub predefined: bool,
    /// For an alias, the variable whose bytes it shares.
    pub alias: Option<u32>,
    /// For an alias, the variable at the end of the chain of aliases, declared or
    /// predefined.
    pub storage: Option<u32>,
}

impl General<'_> {
    /// Its size in bytes.
    #[must_use]
    pub fn bytes(&self) -> u32 {
        self.elements * u32::from(self.ty.bytes())
    }
}

/// A declared predicate, address, surface or sampler variable.
#[derive(Clone, Debug)]
pub struct NonGeneralVar {
    pub name: Box<str>,
    /// Number of its elements.
    pub elements: u32,
    /// The span of its name in the text.
    pub span: Span,
}

/// Requested placement of a general variable.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Placement {
    /// In its own storage.
    Own {
        /// Alignment in bytes, a power of two.
        align: u32,
    },
    /// In the storage of another variable.
    Alias {
        /// The number of that variable.
        of: u32,
        /// The byte offset in it.
        offset: u32,
    },
}

/// Index of the first string behind the names that the real assembler's usual
/// frame puts into the pool, where nothing is declared.
const FIRST_STRING: u32 = 32;

/// The label of `%label_5`, which is printed where labels are not known.
fn numbered_label(name: &str) -> Option<LabelId> {
    name.strip_prefix("%label_")?.parse().ok().map(LabelId)
}

fn numbered_text(text: &str) -> Option<u32> {
    text.strip_prefix("%string_")?.parse().ok()
}

/// The names of declared variables.
#[derive(Clone, Debug)]
pub struct Names(BTreeMap<Box<str>, Symbol>);

/// All declared variables of a program.
#[derive(Clone, Debug)]
pub struct Declarations {
    platform: Platform,
    symbols: BTreeMap<Box<str>, Symbol>,
    general: Vec<Variable>,
    predicates: Vec<NonGeneralVar>,
    addresses: Vec<NonGeneralVar>,
    surfaces: Vec<NonGeneralVar>,
    samplers: Vec<NonGeneralVar>,
    /// Labels and functions in order of first mention.
    labels: Vec<Box<str>>,
    label_ids: BTreeMap<Box<str>, LabelId>,
    /// Texts that the pool of strings holds behind the names of variables.
    texts: Vec<(Box<str>, u32)>,
    /// Index of the next string in the pool.
    pool: u32,
    /// Whether an instruction writes an address variable.
    pub(crate) computes_addresses: bool,
    /// Where instructions read and copy bytes of the register file.
    pub value_flow: ValueFlow,
    /// Whether a message addresses the arguments of the launch (`arg[…]`).
    pub(crate) reads_arguments: bool,
    /// Address of the implicit arguments of a launch.
    pub(crate) arguments: Option<u64>,
    /// The binding table of a launch: entries that have a buffer.
    pub(crate) binding_table: BTreeMap<u8, BoundSurface>,
    /// Surfaces of a launch by their bindless handles.
    pub(crate) handles: BTreeMap<u32, BoundSurface>,
    /// Addresses of the data that a launch places in memory, by name.
    data: BTreeMap<Box<str>, u64>,
    /// Scratch memory of thread 0 of a launch; that of the other threads follows.
    scratch: Option<BoundSurface>,
    /// Whether the program is a launch, whose local addresses have a tag.
    pub(crate) is_launch: bool,
    /// SIMD size of a program that Intel's compiler has written.
    pub(crate) compiled_simd: Option<u8>,
    /// End of the declared variables in the register file.
    end: u32,
    /// Offsets of the predefined variables from the end of the declared ones, followed by
    /// their total size.
    predefined_offsets: [u32; SCRATCH_LOCATION as usize + 2],
    /// Indices of the general variables that are aliases of predefined ones.
    predefined_aliases: Vec<usize>,
}

impl Declarations {
    /// No variables.
    #[must_use]
    pub fn new(platform: Platform) -> Self {
        let mut end = 0;
        let mut predefined_offsets = [0; SCRATCH_LOCATION as usize + 2];
        for (variable, offset) in predefined::variables().zip(&mut predefined_offsets[1..]) {
            let elements = predefined_elements(platform, *variable);
            let bytes = elements * u32::from(variable.ty.bytes());
            end += bytes.next_multiple_of(u32::from(platform.grf_bytes()));
            *offset = end;
        }
        Self {
            predefined_offsets,
            platform,
            symbols: BTreeMap::new(),
            general: Vec::new(),
            predicates: Vec::new(),
            addresses: Vec::new(),
            surfaces: Vec::new(),
            samplers: Vec::new(),
            labels: Vec::new(),
            label_ids: BTreeMap::new(),
            texts: Vec::new(),
            pool: FIRST_STRING,
            computes_addresses: false,
            value_flow: ValueFlow::default(),
            reads_arguments: false,
            arguments: None,
            binding_table: BTreeMap::new(),
            handles: BTreeMap::new(),
            data: BTreeMap::new(),
            scratch: None,
            is_launch: false,
            compiled_simd: None,
            end: 0,
            predefined_aliases: Vec::new(),
        }
    }

    /// The platform that the program is for.
    #[must_use]
    pub const fn platform(&self) -> Platform {
        self.platform
    }

    /// Facts about the platform.
    #[must_use]
    pub const fn features(&self) -> &'static Features {
        self.platform.features()
    }

    /// Size of a register in bytes.
    #[must_use]
    pub fn grf_bytes(&self) -> u32 {
        u32::from(self.platform.grf_bytes())
    }

    /// Finds a declared or predefined variable by name.
    #[must_use]
    pub fn symbol(&self, name: &str) -> Option<Symbol> {
        self.declared(name).or_else(|| {
            predefined::variable_number(name)
                .map(|n| Symbol::General(u32::from(n)))
                .or_else(|| predefined::surface_number(name).map(Symbol::Surface))
                .or_else(|| {
                    (name == "S31").then_some(Symbol::Sampler(predefined::BINDLESS_SAMPLER))
                })
        })
    }

    /// The names of the declared variables.
    #[must_use]
    pub fn names(&self) -> Names {
        Names(self.symbols.clone())
    }

    /// Forgets the names that have been declared since, but not their variables.
    pub fn restore_names(&mut self, names: Names) {
        self.symbols = names.0;
    }

    /// Finds a declared variable by name.
    #[must_use]
    pub fn declared(&self, name: &str) -> Option<Symbol> {
        self.symbols.get(name).copied()
    }

    /// A general variable by number.
    #[must_use]
    #[inline]
    pub fn general(&self, id: u32) -> Option<General<'_>> {
        match id.checked_sub(FIRST_GENERAL) {
            Some(index) => self.general.get(to_usize(index)).map(|v| General {
                name: &v.name,
                ty: v.ty,
                elements: v.elements,
                offset: v.offset,
                predefined: false,
                alias: v.alias,
                storage: v.storage,
            }),
            None => self.predefined(id),
        }
    }

    fn predefined(&self, id: u32) -> Option<General<'static>> {
        let variable = predefined::variables().nth(to_usize(id))?;
        let [.., end] = self.predefined_offsets;
        let offset = self.predefined_offsets.get(to_usize(id)).unwrap_or(&end);
        Some(General {
            name: variable.name,
            ty: variable.ty,
            elements: predefined_elements(self.platform, *variable),
            offset: self.end.next_multiple_of(self.grf_bytes()) + offset,
            predefined: true,
            alias: None,
            storage: None,
        })
    }

    /// The declared variable at the end of a chain of aliases. A variable that is not
    /// an alias, or is an alias of a predefined one, is its own root.
    #[must_use]
    pub fn root<'d>(&'d self, variable: General<'d>) -> General<'d> {
        let declared = variable.storage.filter(|id| *id >= FIRST_GENERAL);
        let root = declared.and_then(|id| self.general(id));
        root.unwrap_or(variable)
    }

    /// The variable at the end of a chain of aliases, declared or predefined; the
    /// variable itself if it is not an alias.
    #[must_use]
    pub fn storage<'d>(&'d self, variable: General<'d>) -> General<'d> {
        let storage = variable.storage.and_then(|id| self.general(id));
        storage.unwrap_or(variable)
    }

    /// Size of the register file of one thread in bytes: declared variables, then
    /// predefined ones.
    #[must_use]
    pub fn register_bytes(&self) -> u32 {
        let [.., predefined] = self.predefined_offsets;
        self.end.next_multiple_of(self.grf_bytes()) + predefined
    }

    /// Size of the part of the register file that declared variables use.
    #[must_use]
    pub const fn declared_bytes(&self) -> u32 {
        self.end
    }

    /// The declared general variables with their numbers.
    pub fn generals(&self) -> impl Iterator<Item = (u32, &Variable)> {
        (FIRST_GENERAL..).zip(&self.general)
    }

    /// The declared predicates with their numbers.
    pub fn predicates(&self) -> impl Iterator<Item = (u16, &NonGeneralVar)> {
        (1..).zip(&self.predicates)
    }

    /// The declared address variables with their numbers.
    pub fn addresses(&self) -> impl Iterator<Item = (u16, &NonGeneralVar)> {
        (0..).zip(&self.addresses)
    }

    /// The declared surfaces with their numbers.
    pub fn surfaces(&self) -> impl Iterator<Item = (u8, &NonGeneralVar)> {
        (FIRST_DECLARED_SURFACE..=u8::MAX).zip(&self.surfaces)
    }

    /// The declared samplers with their numbers.
    pub fn samplers(&self) -> impl Iterator<Item = (u8, &NonGeneralVar)> {
        (0..=u8::MAX).zip(&self.samplers)
    }

    /// A predicate's name.
    #[must_use]
    pub fn predicate(&self, id: u16) -> Option<&str> {
        Some(&*self.predicate_variable(id)?.name)
    }

    /// A predicate variable by number.
    #[must_use]
    pub fn predicate_variable(&self, id: u16) -> Option<&NonGeneralVar> {
        self.predicates.get(usize::from(id.checked_sub(1)?))
    }

    /// An address variable by number.
    #[must_use]
    pub fn address_variable(&self, id: u16) -> Option<&NonGeneralVar> {
        self.addresses.get(usize::from(id))
    }

    /// Whether a surface is predefined or declared.
    #[must_use]
    pub fn has_surface(&self, index: u8) -> bool {
        usize::from(index) < usize::from(FIRST_DECLARED_SURFACE) + self.surfaces.len()
    }

    /// Whether a surface or sampler is predefined or declared.
    #[must_use]
    pub fn has_state(&self, surface: bool, id: u16) -> bool {
        if surface {
            u8::try_from(id).is_ok_and(|index| self.has_surface(index))
        } else {
            id == u16::from(predefined::BINDLESS_SAMPLER) || usize::from(id) < self.samplers.len()
        }
    }

    /// Number of elements of a surface variable; predefined ones have one.
    #[must_use]
    pub fn surface_elements(&self, id: u16) -> Option<u32> {
        match id.checked_sub(FIRST_DECLARED_SURFACE.into()) {
            Some(declared) => Some(self.surfaces.get(usize::from(declared))?.elements),
            None => Some(1),
        }
    }

    /// The declared name of a surface.
    #[must_use]
    pub fn surface_name(&self, index: u8) -> Option<&str> {
        let declared = index.checked_sub(FIRST_DECLARED_SURFACE)?;
        Some(&*self.surfaces.get(usize::from(declared))?.name)
    }

    /// Prints a variable as letter and number like the real tool, regardless of its
    /// name: `P1`, `T6`. If a declaration uses that name for another variable, prints
    /// its own name, so that parsing the text gives the same variable.
    pub(super) fn print_numbered(
        &self,
        symbol: Symbol,
        (class, part): (TokenClass, SyntaxPart),
        sink: &mut impl Sink,
    ) {
        let (letter, number, name) = match symbol {
            Symbol::General(id) => ("V", id, self.general(id).map(|v| v.name)),
            Symbol::Predicate(id) => ("P", u32::from(id), self.predicate(id)),
            Symbol::Address(id) => {
                let variable = self.address_variable(id);
                ("A", u32::from(id), variable.map(|v| &*v.name))
            }
            Symbol::Surface(id) => ("T", u32::from(id), self.surface_name(id)),
            Symbol::Sampler(id) => {
                let variable = self.samplers.get(usize::from(id));
                ("S", u32::from(id), variable.map(|v| &*v.name))
            }
        };
        let numbered = format!("{letter}{number}");
        let taken = self.symbol(&numbered).is_some_and(|s| s != symbol);
        let name = name.filter(|_| taken).unwrap_or(&numbered);
        sink.token(class, part, name);
    }

    /// The greatest surface number in use.
    #[must_use]
    pub fn last_surface(&self) -> u8 {
        u8::try_from(usize::from(FIRST_DECLARED_SURFACE) + self.surfaces.len() - 1)
            .expect("declarations are bounded")
    }

    /// Adds a general variable; returns its ID.
    pub fn add_general(
        &mut self,
        name: &str,
        ty: ElementType,
        elements: u32,
        placement: Placement,
        span: Span,
    ) -> u32 {
        let id = FIRST_GENERAL + to_u32(self.general.len());
        let bytes = elements * u32::from(ty.bytes());
        let (offset, alias, storage) = match placement {
            Placement::Own { align } => {
                let offset = self.place(bytes, align);
                self.grow(offset + bytes);
                (offset, None, None)
            }
            Placement::Alias { of, offset } => {
                let base = self.general(of).expect("an alias names a variable");
                let offset = base.offset + offset;
                let storage = base.storage.unwrap_or(of);
                if storage < FIRST_GENERAL {
                    self.predefined_aliases.push(self.general.len());
                }
                (offset, Some(of), Some(storage))
            }
        };
        self.general.push(Variable {
            name: name.into(),
            ty,
            elements,
            offset,
            alias,
            storage,
            span,
            type_span: Span::default(),
            elements_span: Span::default(),
        });
        self.symbols.insert(name.into(), Symbol::General(id));
        id
    }

    /// A declared general variable.
    #[must_use]
    pub fn variable(&self, id: u32) -> Option<&Variable> {
        let index = id.checked_sub(FIRST_GENERAL).map(to_usize)?;
        self.general.get(index)
    }

    /// Sets where the last general variable has its type and number of elements.
    pub fn set_attribute_spans(&mut self, ty: Span, elements: Span) {
        if let Some(variable) = self.general.last_mut() {
            (variable.type_span, variable.elements_span) = (ty, elements);
        }
    }

    /// Grows the storage of declared variables, which moves the predefined variables and
    /// their aliases.
    fn grow(&mut self, end: u32) {
        let grf = self.grf_bytes();
        let before = self.end.next_multiple_of(grf);
        self.end = end;
        let moved = end.next_multiple_of(grf) - before;
        if moved > 0 {
            for index in &self.predefined_aliases {
                let alias = self.general.get_mut(*index);
                alias.expect("it was added").offset += moved;
            }
        }
    }

    /// Places a variable: at a register boundary if it has at least a register's size,
    /// otherwise within a register (visa_5_operands.md, implementation note to rule 6).
    fn place(&self, bytes: u32, align: u32) -> u32 {
        let grf = self.grf_bytes();
        if bytes >= grf {
            return self.end.next_multiple_of(align.max(grf));
        }
        let offset = self.end.next_multiple_of(align);
        let last = offset + bytes.saturating_sub(1);
        if offset / grf == last / grf {
            offset
        } else {
            offset.next_multiple_of(grf)
        }
    }

    pub fn add_predicate(&mut self, name: &str, elements: u32, span: Span) {
        self.predicates.push(non_general_var(name, elements, span));
        let id = u16::try_from(self.predicates.len()).expect("declarations are bounded");
        self.symbols.insert(name.into(), Symbol::Predicate(id));
    }

    /// Adds an address variable.
    pub fn add_address(&mut self, name: &str, elements: u32, span: Span) {
        let id = u16::try_from(self.addresses.len()).expect("declarations are bounded");
        self.addresses.push(non_general_var(name, elements, span));
        self.symbols.insert(name.into(), Symbol::Address(id));
    }

    pub fn add_surface(&mut self, name: &str, elements: u32, span: Span) {
        self.surfaces.push(non_general_var(name, elements, span));
        let index = self.last_surface();
        self.symbols.insert(name.into(), Symbol::Surface(index));
    }

    pub fn add_sampler(&mut self, name: &str, elements: u32, span: Span) {
        let index = u8::try_from(self.samplers.len()).expect("declarations are bounded");
        self.samplers.push(non_general_var(name, elements, span));
        self.symbols.insert(name.into(), Symbol::Sampler(index));
    }

    /// The ID of a label or function, assigned at its first mention. `None` if all 65,535
    /// IDs are in use.
    pub fn mention_label(&mut self, name: &str) -> Option<LabelId> {
        if let Some(known) = self.label(name) {
            return Some(known);
        }
        let id = LabelId(u16::try_from(self.labels.len() + 1).ok()?);
        self.labels.push(name.into());
        self.label_ids.insert(name.into(), id);
        Some(id)
    }

    /// Takes over the labels and texts of another table.
    pub fn adopt_names(&mut self, other: Self) {
        self.labels = other.labels;
        self.label_ids = other.label_ids;
        self.texts = other.texts;
        self.pool = other.pool;
    }

    /// Finds the ID of a label or function.
    #[must_use]
    pub fn label(&self, name: &str) -> Option<LabelId> {
        if let Some(label) = numbered_label(name) {
            return Some(label);
        }
        self.label_ids.get(name).copied()
    }

    /// The name of a label or function.
    #[must_use]
    pub fn label_name(&self, id: LabelId) -> Option<&str> {
        let index = usize::from(id.0).checked_sub(1)?;
        self.labels.get(index).map(|name| &**name)
    }

    /// Gives a name to data at an address.
    pub fn place_data(&mut self, name: &str, address: u64) {
        self.data.insert(name.into(), address);
    }

    /// The address of the data with a name.
    #[must_use]
    pub fn data_address(&self, name: &str) -> Option<u64> {
        self.data.get(name).copied()
    }

    /// Sets the scratch memory of thread 0; that of the other threads follows.
    pub const fn place_scratch(&mut self, surface: BoundSurface) {
        self.scratch = Some(surface);
    }

    /// The scratch memory of a thread.
    #[must_use]
    pub fn scratch(&self, thread: u8) -> Option<BoundSurface> {
        let first = self.scratch?;
        Some(BoundSurface {
            address: first.address + first.bytes * u64::from(thread),
            ..first
        })
    }

    /// Whether Intel's compiler has written the program: whether it has an attribute
    /// SimdSize.
    #[must_use]
    pub const fn is_compiled(&self) -> bool {
        self.compiled_simd.is_some()
    }

    /// Notes that names were added to the pool of strings.
    pub fn grow_pool(&mut self, names: u32) {
        self.pool += names;
    }

    /// Notes that the names of all declared variables are in the pool.
    pub fn grow_pool_by_declarations(&mut self) {
        let counts = [
            VariableKind::General,
            VariableKind::Predicate,
            VariableKind::Address,
            VariableKind::Surface,
            VariableKind::Sampler,
        ];
        let names: usize = counts.into_iter().map(|kind| self.count(kind)).sum();
        self.grow_pool(to_u32(names));
    }

    /// Puts a text into the pool of strings, once.
    pub fn mention_text(&mut self, text: &str) {
        if numbered_text(text).is_none() && self.text_index(text).is_none() {
            self.texts.push((text.into(), self.pool));
            self.pool += 1;
        }
    }

    /// The index of a text that [`Self::mention_text`] put into the pool, or
    /// of `%string_42`, which is printed where the pool is not known.
    #[must_use]
    pub fn text_index(&self, text: &str) -> Option<u32> {
        if let Some(index) = numbered_text(text) {
            return Some(index);
        }
        let mut found = self.texts.iter().filter(|(known, _)| &**known == text);
        found.next().map(|(_, index)| *index)
    }

    /// The text at an index of the pool.
    #[must_use]
    pub fn text_at(&self, index: u32) -> Option<&str> {
        let mut found = self.texts.iter().filter(|(_, known)| *known == index);
        found.next().map(|(text, _)| &**text)
    }

    /// Bytes of the register file of a general variable.
    #[must_use]
    pub fn bytes_of(&self, id: u32) -> Option<Range<u32>> {
        let variable = self.general(id).filter(|_| id != 0)?;
        Some(variable.offset..variable.offset.saturating_add(variable.bytes()))
    }

    /// Records that an instruction can read all bytes of some variables.
    pub fn note_variables(&mut self, ids: impl IntoIterator<Item = u32>) {
        for id in ids {
            if let Some(bytes) = self.bytes_of(id) {
                self.value_flow.note_read(bytes);
            }
        }
    }

    /// Number of declared variables of a kind.
    #[must_use]
    pub fn count(&self, kind: VariableKind) -> usize {
        match kind {
            VariableKind::General => self.general.len(),
            VariableKind::Predicate => self.predicates.len(),
            VariableKind::Address => self.addresses.len(),
            VariableKind::Surface => self.surfaces.len(),
            VariableKind::Sampler => self.samplers.len(),
        }
    }

    /// Name of the element of a variable at a register byte: `V33[4]`.
    #[must_use]
    pub fn element_name(&self, byte: u64) -> Option<String> {
        let (variable, element) = self.element_at(u32::try_from(byte).ok()?)?;
        Some(format!("{}[{element}]", variable.name))
    }

    /// Variable, which may be predefined, and index of the element at a register byte.
    #[must_use]
    pub fn element_at(&self, byte: u32) -> Option<(General<'_>, u32)> {
        let declared = self.at_register_byte(byte).map(|(id, _)| id);
        let placed = (0..FIRST_GENERAL).filter(|id| predefined::unplaced(*id).is_none());
        let holds = |id: &u32| {
            self.bytes_of(*id)
                .is_some_and(|bytes| bytes.contains(&byte))
        };
        let mut variables = declared.chain(placed.filter(holds));
        let variable = variables.find_map(|id| self.general(id).filter(|v| v.alias.is_none()))?;
        let element = (byte - variable.offset) / u32::from(variable.ty.bytes());
        Some((variable, element))
    }

    /// The variables at a byte of the register file, innermost last.
    pub fn at_register_byte(&self, offset: u32) -> impl Iterator<Item = (u32, &Variable)> {
        self.generals().filter(move |(_, v)| {
            v.offset <= offset && offset < v.offset + v.elements * u32::from(v.ty.bytes())
        })
    }
}

/// The kinds of variables.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum VariableKind {
    /// `v_type=G`.
    General,
    /// `v_type=P`.
    Predicate,
    /// `v_type=A`.
    Address,
    /// `v_type=T`.
    Surface,
    /// `v_type=S`.
    Sampler,
}

/// `%arg` and `%retval` are sized in registers, so they double with 64-byte registers.
fn predefined_elements(platform: Platform, variable: predefined::Predefined) -> u32 {
    let doubled = matches!(variable.name, "%arg" | "%retval") && platform.grf_bytes() == 64;
    u32::from(variable.elements) * if doubled { 2 } else { 1 }
}

fn non_general_var(name: &str, elements: u32, span: Span) -> NonGeneralVar {
    NonGeneralVar {
        name: name.into(),
        elements,
        span,
    }
}

impl SymbolResolver for Declarations {
    fn general(&self, id: u32) -> Option<&str> {
        match id.checked_sub(FIRST_GENERAL) {
            Some(index) => self.general.get(to_usize(index)).map(|v| &*v.name),
            None => self.predefined(id).map(|variable| variable.name),
        }
    }

    fn predicate(&self, id: u16) -> Option<&str> {
        Declarations::predicate(self, id)
    }

    fn address(&self, id: u16) -> Option<&str> {
        Some(&*self.address_variable(id)?.name)
    }

    fn surface(&self, index: u8) -> Option<String> {
        if !self.has_surface(index) {
            return None;
        }
        Some(match predefined::SURFACES.get(usize::from(index)) {
            Some(name) => String::from(*name),
            None => format!(
                "T{index} ({})",
                self.surface_name(index).expect("it is declared")
            ),
        })
    }

    fn label(&self, id: u16) -> Option<&str> {
        self.label_name(LabelId(id))
    }
}
