//! Model of the Explain tab.

use lanewise_core::isa::{Instruction, SourceConstruct, Spec};
use lanewise_core::number::set_bits;
use lanewise_core::session::Session;

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Explained {
    pub(crate) spec: &'static Spec,
    pub(crate) operation: Option<u64>,
    /// Ids of the documentation contradictions that affect the instruction as
    /// written.
    pub(crate) contradiction_ids: Vec<&'static str>,
    /// Source constructs that compile to the instruction as written.
    pub(crate) constructs: Vec<SourceConstruct>,
    /// Of an instruction of a warp that computes: its first active lane, and the names and
    /// values of its operands there.
    pub(crate) values: Option<(String, Vec<(String, String)>)>,
}

impl Explained {
    /// The current instruction of a run.
    pub(crate) fn of(session: &Session) -> Option<Self> {
        let index = session.current_instruction()?;
        let placed = session.program().instructions.get(index)?;
        let names = &session.program().symbols;
        Some(Self {
            contradiction_ids: placed.instruction.contradiction_ids(names),
            constructs: placed.instruction.source_constructs(names),
            spec: placed.instruction.spec(),
            operation: placed.instruction.operation(),
            values: values(session, &placed.instruction),
        })
    }
}

/// Values of the operands in the first active lane of a warp.
fn values(session: &Session, instruction: &Instruction) -> Option<(String, Vec<(String, String)>)> {
    let Instruction::Sass(sass) = instruction else {
        return None;
    };
    let index = session.current_issue()?;
    let computed = session.computation(index, &session.state_before(index));
    let (_, computation) = computed.first()?;
    let lane = set_bits(computation.enabled).next()?;
    let name = |part| {
        let letter = instruction.spec().letter(part);
        format!("{letter} ({})", sass.operand_text(part))
    };
    let sources = computation.sources.iter().map(|source| {
        let text = source.shown.text(source.bits[lane], source.ty);
        (name(source.operand), text)
    });
    let derived = computation.derived.iter();
    let derived = derived.map(|(name, values)| (String::from(*name), values[lane].to_string()));
    let results = computation.results.iter().map(|result| {
        let letter = instruction.spec().letter(result.operand);
        let text = |bits| result.shown.text(bits, result.ty);
        let values = format!("{} → {}", text(result.old[lane]), text(result.new[lane]));
        (format!("{letter} ({})", result.names[lane]), values)
    });
    let values = sources.chain(derived).chain(results).collect();
    Some((format!("Lane {lane}"), values))
}
