//! Raw operands in use: which bytes they may have, whether they can run, and
//! what their lanes hold.

use super::declarations::General;
use super::operand::RawOperand;
use super::{platform, predefined};
use crate::isa::{Check, IssueContext};
use crate::machine::SpaceId;
use crate::number::ElementType;
use crate::rules;
use crate::text::OperandKind;
use alloc::format;
use alloc::vec::Vec;

/// The most lanes an instruction has.
pub const LANES: usize = 32;

/// What a raw operand is used for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Use {
    /// The part it is.
    pub part: OperandKind,
    /// Its name in messages.
    pub role: &'static str,
    /// How many bytes are used from its offset on.
    pub bytes: u32,
    /// Whether it belongs to a matrix instruction, whose operands the real
    /// tool lays out row by row, dst as well.
    pub matrix: bool,
}

/// Rules about where a raw operand lies.
pub fn check(operand: RawOperand, usage: Use, check: &mut Check<'_>) {
    let (part, role) = (usage.part, usage.role);
    if operand.is_null() {
        if operand.offset != 0 {
            check.fix(
                &rules::NULL_WITH_OFFSET,
                part,
                format!("{role}: V0 with byte offset {}", operand.offset),
                "write V0",
                "V0",
            );
        }
        return;
    }
    let Some(variable) = check.symbols.visa.general(operand.id.0) else {
        return;
    };
    let name = variable.name;
    // The start of a variable of its own is aligned; most operands are that.
    if operand.offset != 0 || variable.alias.is_some() {
        check_alignment(operand, variable, usage, check);
    }
    let wanted = usage.bytes;
    if (part != OperandKind::Dst || usage.matrix)
        && crashes_tool(check, variable, u32::from(operand.offset), usage)
    {
        let what = format!(
            "{role}: byte {} of `{name}` is far past its end",
            operand.offset
        );
        check.report(&rules::FAR_OFFSET, part, what);
    } else if u32::from(operand.offset) + wanted > variable.bytes() {
        let what = format!(
            "{role}: {wanted} bytes from byte {} do not fit the {} bytes of `{name}`",
            operand.offset,
            variable.bytes()
        );
        check.report(&rules::PAST_END, part, what);
    }
    if part == OperandKind::Dst && is_read_only(operand) {
        check.report(&rules::READ_ONLY, part, format!("`{name}` is written"));
    }
    let read = !usage.matrix && !matches!(part, OperandKind::Dst | OperandKind::Src1);
    let hangs = read && matches!(name, "%arg" | "%retval");
    let early = check.symbols.visa.platform() < platform::Platform::Tgllp;
    if hangs || name == "%local_id_buf_ptr" && !early {
        check.report(&rules::TOOL_FAILS, part, format!("`{name}` as {role}"));
    }
}

/// Rules about the register that an operand starts in.
fn check_alignment(operand: RawOperand, variable: General<'_>, usage: Use, check: &mut Check<'_>) {
    let (part, role) = (usage.part, usage.role);
    let grf = check.symbols.visa.grf_bytes();
    let root = check.symbols.visa.root(variable);
    let within_root = variable.offset - root.offset + u32::from(operand.offset);
    if !within_root.is_multiple_of(grf) && !root.predefined {
        if root.bytes() >= grf {
            check.advise(
                &rules::RAW_ALIGN,
                part,
                format!(
                    "{role}: byte {within_root} of `{}` is not the start of a {grf}-byte register",
                    root.name
                ),
                format!("use a multiple of {grf} bytes"),
            );
        } else {
            check.report(
                &rules::SMALL_VARIABLE_OFFSET,
                part,
                format!(
                    "{role}: byte {within_root} of `{}` is not the start of a register",
                    root.name
                ),
            );
        }
    }
}

fn is_read_only(operand: RawOperand) -> bool {
    usize::try_from(operand.id.0)
        .ok()
        .and_then(|id| predefined::VARIABLES.get(id))
        .is_some_and(|v| !v.writable)
}

/// Whether the real tool crashes on bytes past the end of a variable: it keeps
/// places in 16 bits of bytes and cannot reach beyond its 128 registers. It puts
/// the variables that are used from register 1 on, in the order of their
/// declarations (observed); most predefined ones have register 0, the last ones
/// 127.
#[must_use]
pub fn crashes_tool(check: &Check<'_>, variable: General<'_>, offset: u32, usage: Use) -> bool {
    let wanted = usage.bytes;
    let symbols = &check.symbols.visa;
    let past_end = offset + wanted > variable.bytes();
    if !past_end || symbols.platform() < platform::Platform::Tgllp {
        return false;
    }
    let grf = symbols.grf_bytes();
    let storage = symbols.storage(variable);
    let within = variable.offset - storage.offset + offset;
    let first = match storage.name {
        "%sp" | "%fp" | "%impl_arg_buf_ptr" if storage.predefined => {
            // Two registers of addresses or offsets are one there, of a type
            // that is half as wide.
            let addresses = matches!(usage.part, OperandKind::Address | OperandKind::Offsets);
            if addresses && within == 0 && wanted <= 2 * grf {
                return false;
            }
            127 * grf
        }
        _ if storage.predefined => 0,
        _ => {
            let used = check.variables.iter().filter_map(|id| symbols.general(*id));
            let mut before: Vec<_> = used
                .map(|used| symbols.storage(used))
                .filter(|used| !used.predefined && used.offset < storage.offset)
                .map(|used| (used.offset, used.bytes()))
                .collect();
            before.sort_unstable();
            before.dedup();
            let rooms = before.iter().map(|(_, bytes)| bytes.next_multiple_of(grf));
            grf + rooms.sum::<u32>()
        }
    };
    let last = first + within + wanted.saturating_sub(1);
    last % 0x1_0000 >= 128 * grf
}

/// Rules about the address operand: it must be there, and of the documented
/// type; `rule` is broken by other types.
pub fn check_address(
    operand: RawOperand,
    place: (OperandKind, &str),
    documented: ElementType,
    rule: &'static rules::Rule,
    check: &mut Check<'_>,
) {
    let (part, role) = place;
    if operand.is_null() {
        let what = format!("{role} are the null variable");
        check.report(&rules::NULL_ADDRESS, part, what);
        return;
    }
    let Some(variable) = check.symbols.visa.general(operand.id.0) else {
        return;
    };
    if variable.ty != documented && !variable.predefined {
        let what = format!(
            "{role}: `{}` is {}",
            variable.name,
            variable.ty.name().to_ascii_uppercase()
        );
        let help = format!("declare it with type={}", documented.name());
        check.advise(rule, part, what, help);
    }
}

/// Whether elements of `element` bytes can be taken from the operand when it
/// runs; reports why not.
pub fn check_run(operand: RawOperand, usage: Use, element: u8, check: &mut Check<'_>) -> bool {
    let (part, role) = (usage.part, usage.role);
    let Some(variable) = check.symbols.visa.general(operand.id.0) else {
        return false;
    };
    if variable.ty.bytes() != element {
        let what = format!(
            "it cannot run: {role} `{}` has {}-byte elements where {element} are used",
            variable.name,
            variable.ty.bytes()
        );
        check.report(&rules::RUN_WIDTH, part, what);
        return false;
    }
    // An alias may stick out of the storage that it shares; what follows there
    // belongs to another variable.
    let root = check.symbols.visa.root(variable);
    let shared = (root.offset + root.bytes()).saturating_sub(variable.offset);
    let room = variable.bytes().min(shared);
    let end = u32::from(operand.offset) + usage.bytes;
    if end > room {
        let what = format!(
            "it cannot run: {role} `{}` ends after {room} bytes, {end} are used",
            variable.name
        );
        check.report(&rules::RUN_PAST_END, part, what);
        return false;
    }
    true
}

/// The lanes of an operand, read in one go when the instruction issues: its
/// elements from `first` on. Those of the null variable are 0.
pub fn lanes_of(
    operand: RawOperand,
    first: u16,
    element: u8,
    lanes: u8,
    eu: u8,
    context: &IssueContext<'_>,
) -> [u64; LANES] {
    let mut values = [0; LANES];
    if operand.is_null() {
        return values;
    }
    let mut bytes = [0; LANES * 8];
    let start = operand.element_offset(&context.symbols.visa, first, element);
    let start = start.expect("an instruction that runs has been checked, with its variables");
    let bytes = bytes
        .get_mut(..usize::from(lanes) * usize::from(element))
        .expect("there are at most 32 lanes of 8 bytes");
    context
        .machine
        .space(SpaceId::registers(eu))
        .read(start, bytes);
    if element == 4 {
        let (cells, _) = bytes.as_chunks::<4>();
        for (value, cell) in values.iter_mut().zip(cells) {
            *value = u64::from(u32::from_le_bytes(*cell));
        }
    } else {
        let (cells, _) = bytes.as_chunks::<8>();
        for (value, cell) in values.iter_mut().zip(cells) {
            *value = u64::from_le_bytes(*cell);
        }
    }
    values
}
