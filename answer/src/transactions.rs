//! Memory transactions of a warp: the sectors of global memory that its lanes touch, and
//! conflicts between lanes at the banks of shared memory.
//!
//! Sources: NVIDIA's CUDA C++ Best Practices Guide (transactions of 32 bytes) and CUDA C++
//! Programming Guide (32 banks of 32-bit words; lanes that read one word share it). Accesses
//! of 64 and 128 bits go by half and quarter warps (assumed).

use alloc::collections::BTreeMap;
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;
use lanewise_core::diagnostic::to_usize;
use lanewise_core::isa::{Access, Unit};
use lanewise_core::machine::SpaceKind;
use lanewise_core::program::Program;
use lanewise_core::session::{Session, lane_runs};
use lanewise_core::text::counted;

/// Bytes of a sector of global memory.
pub const SECTOR: u64 = 32;

/// Banks of shared memory.
pub const BANKS: u64 = 32;

/// Bytes of a word of a bank.
const WORD: u64 = 4;

/// How a warp accesses one memory.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Transactions {
    /// `4 sectors of 32 bytes, 128 of 128 bytes used`.
    pub sentence: String,
    /// Whether lanes wait for each other, or bytes of sectors are not used.
    pub is_wasteful: bool,
    pub heads: [&'static str; 3],
    /// Sectors; or banks, only those with a conflict.
    pub rows: Vec<[String; 3]>,
}

impl Transactions {
    /// Those of the current instruction, if it is a load, store or atomic of a warp.
    #[must_use]
    pub fn of(session: &Session) -> Vec<Self> {
        let program = session.program();
        let index = session.current_issue();
        let issue = index.and_then(|index| Some((index, session.issue(index)?)));
        let Some((index, issue)) = issue else {
            return Vec::new();
        };
        let instruction = &program.instruction(issue).instruction;
        if !program.has_warps() || !instruction.spec().lane_queue {
            return Vec::new();
        }
        let rows = session.lanes(index);
        let accesses = rows.iter().filter_map(|row| row.access.as_ref());
        let is_atomic = instruction.update(&program.symbols).is_some();
        let of = |is_own: fn(SpaceKind) -> bool| {
            let own = accesses.clone().filter(move |a| is_own(a.space.kind()));
            own.filter(|access| access.fault.is_none())
                .collect::<Vec<_>>()
        };
        let global = of(|kind| matches!(kind, SpaceKind::Virtual));
        let shared = of(|kind| matches!(kind, SpaceKind::Local));
        let global = (!global.is_empty()).then(|| sectors(&global, program));
        let shared = (!shared.is_empty()).then(|| banks(&shared, is_atomic));
        global.into_iter().chain(shared).collect()
    }
}

/// Lanes of accesses, as text.
fn lanes_of<'a>(accesses: impl IntoIterator<Item = &'a Access>) -> String {
    let mut units: Vec<Unit> = accesses
        .into_iter()
        .map(|access| Unit::lane(access.unit.thread, access.unit.lane))
        .collect();
    units.sort_unstable();
    units.dedup();
    lane_runs(&units, 1)
}

fn sectors(accesses: &[&Access], program: &Program) -> Transactions {
    // Bytes used and lanes, by sector.
    let mut sectors: BTreeMap<u64, (u32, Vec<&Access>)> = BTreeMap::new();
    for access in accesses {
        for byte in access.address..access.address.saturating_add(access.bytes.into()) {
            let (used, own) = sectors.entry(byte / SECTOR).or_default();
            *used |= 1 << (byte % SECTOR);
            own.push(access);
        }
    }
    let used: u32 = sectors.values().map(|(used, _)| used.count_ones()).sum();
    let moved = 32 * sectors.len();
    let name = |sector: u64| {
        let address = sector * SECTOR;
        let launch = program.launch.as_ref();
        let element = launch.and_then(|launch| launch.element_name(address, 1));
        match element {
            Some(element) => format!("{address:#x} ({element})"),
            None => format!("{address:#x}"),
        }
    };
    let row = |(sector, (used, own)): (&u64, &(u32, Vec<&Access>))| {
        let used = used.count_ones();
        [
            name(*sector),
            lanes_of(own.iter().copied()),
            format!("{used} of {SECTOR}"),
        ]
    };
    Transactions {
        sentence: format!(
            "Global memory: {} of {SECTOR} bytes, {used} of {moved} bytes used.",
            counted(sectors.len() as u64, "sector"),
        ),
        is_wasteful: to_usize(used) < moved,
        heads: ["Sector", "Lanes", "Bytes used"],
        rows: sectors.iter().map(row).collect(),
    }
}

fn banks(accesses: &[&Access], is_atomic: bool) -> Transactions {
    let elements = accesses.iter().any(|access| access.unit.channel.is_some());
    let widest = accesses.iter().map(|access| access.bytes).max();
    let lanes_at_once = match (elements, widest) {
        (true, _) => 8,
        (false, Some(8)) => 16,
        _ => 32,
    };
    // Accesses to each word, by part of the warp, bank and word.
    let mut words: BTreeMap<(u8, u64), BTreeMap<u64, Vec<&Access>>> = BTreeMap::new();
    for access in accesses {
        let last = access.address.saturating_add(u64::from(access.bytes) - 1);
        for word in access.address / WORD..=last / WORD {
            let part = access.unit.lane / lanes_at_once;
            let bank = words.entry((part, word % BANKS)).or_default();
            bank.entry(word).or_default().push(access);
        }
    }
    // Lanes that update one word take turns; lanes that only load or store share it.
    let turns = |bank: &BTreeMap<u64, Vec<&Access>>| match is_atomic {
        true => bank.values().map(Vec::len).sum::<usize>(),
        false => bank.len(),
    };
    let degree = words.values().map(turns).max().unwrap_or(0);
    let conflicts = words.iter().filter(|(_, bank)| turns(bank) > 1);
    let row = |((_, bank), words): (&(u8, u64), &BTreeMap<u64, Vec<&Access>>)| {
        let addresses = words.keys().map(|word| format!("{:#x}", word * WORD));
        [
            format!("{bank}"),
            lanes_of(words.values().flatten().copied()),
            addresses.collect::<Vec<_>>().join(" "),
        ]
    };
    let sentence = match (degree, is_atomic) {
        (..=1, _) => String::from("Shared memory: no bank conflict."),
        (degree, false) => {
            format!("Shared memory: {degree}-way bank conflict; the access takes {degree} turns.")
        }
        (degree, true) => format!(
            "Shared memory: up to {degree} lanes update words of one bank, one after another."
        ),
    };
    Transactions {
        sentence,
        is_wasteful: degree > 1,
        heads: ["Bank", "Lanes", "Words"],
        rows: conflicts.map(row).collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::rc::Rc;
    use alloc::vec;

    /// Transactions of the last instruction of a program of one warp.
    fn of(lines: &str) -> Vec<Transactions> {
        let text = format!(".target sass SM80\n.slm 16384\n.region global 0x10000 65536\n{lines}");
        let program = Program::parse(&text);
        assert!(program.can_run(), "{:?}", program.diagnostics);
        let mut session = Session::new(Rc::new(program));
        let last = session.program().instructions.len() - 1;
        while session.next_instruction() != Some(last) {
            assert!(session.step());
        }
        assert!(session.step());
        Transactions::of(&session)
    }

    #[test]
    fn shared_words_of_one_bank_conflict() {
        let stride = |shift: u32| {
            let found = of(&format!(
                "S2R R0, SR_LANEID ;\nSHF.L.U32 R1, R0, {shift:#x}, RZ ;\nLDS R2, [R1] ;\n"
            ));
            let [only] = &*found else { panic!("{found:?}") };
            (only.is_wasteful, only.rows.len())
        };
        assert_eq!(stride(2), (false, 0));
        // Every second word: lanes 0 and 16 meet in bank 0.
        assert_eq!(stride(3), (true, 16));
        assert_eq!(stride(7), (true, 1));
        // All lanes read one word.
        assert_eq!(of("LDS R2, [RZ] ;\n")[0].rows, Vec::<[String; 3]>::new());
    }

    #[test]
    fn sectors_of_global_memory_are_counted() {
        let stride = |shift: u32| {
            let found = of(&format!(
                "S2R R0, SR_LANEID ;\nSHF.L.U32 R2, R0, {shift:#x}, RZ ;\n\
                 IADD3 R2, R2, 0x10000, RZ ;\nMOV R3, RZ ;\nLDG.E R4, [R2.64] ;\n"
            ));
            let [only] = &*found else { panic!("{found:?}") };
            (only.is_wasteful, only.rows.len(), only.rows[0].clone())
        };
        let row = |lanes: &str, used: &str| ["0x10000", lanes, used].map(String::from);
        assert_eq!(stride(2), (false, 4, row("0–7", "32 of 32")));
        assert_eq!(stride(3), (true, 8, row("0–3", "16 of 32")));
        assert_eq!(stride(5), (true, 32, row("0", "4 of 32")));
    }

    #[test]
    fn updates_of_one_word_take_turns() {
        let found = of("MOV R1, 0x1 ;\nATOMS.ADD RZ, [RZ+0x40], R1 ;\n");
        assert_eq!(
            found[0].rows,
            vec![["16", "0–31", "0x40"].map(String::from)]
        );
        assert!(found[0].sentence.contains("32 lanes"));
    }
}
