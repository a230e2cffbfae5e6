//! Documentation of an instruction as JSON, as fetched by the page's Explain tab.

use alloc::borrow::ToOwned;
use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec;
use alloc::vec::Vec;
use lanewise_core::bits::FieldDomain;
use lanewise_core::isa::sass;
use lanewise_core::isa::visa::op;
use lanewise_core::isa::{Instruction, SourceConstruct, Spec, SymbolTable, Target};
use serde::{Deserialize, Serialize};

/// Documentation of an instruction.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Explanation {
    /// The document's name of the instruction.
    pub name: String,
    /// Syntax lines, the assembler's style first.
    pub syntax: Vec<String>,
    /// The operation table; empty if there is only one operation.
    pub operations: Vec<Operation>,
    /// Source constructs that compile to it, by form.
    pub constructs: Vec<Construct>,
    /// Its encodings.
    pub forms: Vec<Form>,
    /// Statements with their provenance.
    pub facts: Vec<Fact>,
    /// Contradictions within the documents or with a tool.
    pub contradictions: Vec<Contradiction>,
    /// Programs with a single instruction.
    pub examples: Vec<Example>,
    /// The document that specifies it.
    pub source: String,
}

/// A row of the table of operations.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Operation {
    /// Code in the encoding.
    pub code: u64,
    /// The document's name.
    pub name: String,
    /// Formula of the new value.
    pub formula: String,
    /// Operand types.
    pub types: String,
    /// Returned value.
    pub returns: String,
    /// Hardware message types; empty if the document lists none.
    pub messages: String,
}

/// A source-language construct that compiles to the instruction.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Construct {
    /// Suffixes of the resulting form, such as `ADD.U64`; empty for any form.
    pub form: String,
    /// `PTX` or `OpenCL C`.
    pub language: String,
    /// The construct: `atom{.global}.add.u64`.
    pub text: String,
    /// `documented`, `observed` or `assumed`.
    pub provenance: String,
    /// The document or compiler.
    pub source: String,
}

impl From<SourceConstruct> for Construct {
    fn from(construct: SourceConstruct) -> Self {
        Self {
            form: construct.form,
            language: construct.language.to_owned(),
            text: construct.text,
            provenance: construct.mark.word().to_owned(),
            source: construct.source.to_owned(),
        }
    }
}

/// An encoding of an instruction.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Form {
    /// Opcode in hexadecimal.
    pub opcode: String,
    /// Fields from the least significant bit up.
    pub fields: Vec<AllowedValues>,
}

/// A field of an encoding and its allowed values.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct AllowedValues {
    /// The field's name.
    pub name: String,
    /// `bit 3` or `bits 7–4`.
    pub bits: String,
    /// Values or ranges with their meanings.
    pub values: Vec<String>,
}

/// A statement about an instruction.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Fact {
    /// `documented`, `observed` or `assumed`.
    pub provenance: String,
    /// The statement.
    pub text: String,
}

/// Two readings of the sources, and Lanewise's choice.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Contradiction {
    /// Stable ID.
    pub id: String,
    /// Title.
    pub title: String,
    /// One reading and its source.
    pub one: String,
    /// The other reading and its source.
    pub other: String,
    /// Lanewise's choice and the reason.
    pub taken: String,
}

/// A program with one instruction.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Example {
    /// Title.
    pub title: String,
    /// The whole program.
    pub program: String,
    /// The instruction in the document's style.
    pub document: String,
    /// The instruction in the assembler's style.
    pub assembler: String,
    /// Encoding in hexadecimal.
    pub encoding: String,
    /// Final values, such as `slm[0x0] = 3`.
    pub end: Vec<String>,
}

/// JSON file with an instruction's explanation, in an object by [`key_of`]. The instructions
/// of an opcode table share one.
#[must_use]
pub fn file_of(spec: &'static Spec) -> String {
    match (op::of_spec(spec), sass::op::of_spec(spec)) {
        (Some(_), _) => String::from("table.json"),
        (None, Some(_)) => String::from("sass.json"),
        (None, None) => format!("{}.json", spec.name.to_ascii_lowercase()),
    }
}

/// Key of an instruction in its file: the name, and for an opcode of SASS its chips.
#[must_use]
pub fn key_of(spec: &'static Spec) -> String {
    match sass::op::of_spec(spec) {
        Some(row) => format!("{}, {}", spec.name, row.era.chips()),
        None => String::from(spec.name),
    }
}

/// The specifications of all instructions, the opcode table of SASS included.
pub fn specs() -> impl Iterator<Item = &'static Spec> {
    let rows = sass::op::OPS.iter().map(|row| &row.spec);
    Instruction::all_specs().chain(rows)
}

impl Explanation {
    /// Documentation of an instruction.
    #[must_use]
    pub fn of(spec: &'static Spec) -> Self {
        let operations = (spec.operations)().into_iter().map(|row| Operation {
            code: row.code,
            name: row.name.to_owned(),
            formula: row.formula.to_owned(),
            types: row.types.to_owned(),
            returns: row.returns.to_owned(),
            messages: row.messages.to_owned(),
        });
        let constructs = (spec.constructs)().into_iter().map(Construct::from);
        let forms = spec.opcodes.iter().enumerate().map(|(index, opcode)| Form {
            opcode: opcode.digits(),
            fields: allowed_values(spec, index),
        });
        let facts = spec.facts.iter().map(|fact| Fact {
            provenance: fact.mark.word().to_owned(),
            text: fact.text.to_owned(),
        });
        let contradictions = spec.contradictions.iter().map(|one| Contradiction {
            id: one.id.to_owned(),
            title: one.title.to_owned(),
            one: one.one.to_owned(),
            other: one.other.to_owned(),
            taken: one.resolution.to_owned(),
        });
        let examples = spec.examples.iter().map(|example| Example {
            title: example.title.to_owned(),
            program: example.scenario.to_owned(),
            document: example.document.to_owned(),
            assembler: example.assembler.to_owned(),
            encoding: example.bytes.to_owned(),
            end: (example.end.iter())
                .map(|(place, values)| format!("{place} = {values}"))
                .collect(),
        });
        let mut syntax = spec.lines();
        let mut source = spec.source.to_owned();
        if let Some(row) = sass::op::of_spec(spec) {
            let words: Vec<&str> = row.word_names().collect();
            if !words.is_empty() {
                syntax.push(format!("words: {}", words.join(" ")));
            }
            source = format!("{source}; on {}", row.era.chips());
        }
        Self {
            name: spec.name.to_owned(),
            syntax,
            operations: operations.collect(),
            constructs: constructs.collect(),
            forms: forms.collect(),
            facts: facts.collect(),
            contradictions: contradictions.collect(),
            examples: examples.collect(),
            source,
        }
    }
}

/// The fields of one form with their valid values.
fn allowed_values(spec: &'static Spec, form: usize) -> Vec<AllowedValues> {
    let symbols = SymbolTable::new(Target::widest_of(spec.family));
    let fields = Instruction::allowed(spec, form, &symbols);
    let fields = fields.iter().map(|field| {
        let last = field.first_bit + field.width - 1;
        AllowedValues {
            name: field.name.to_string(),
            bits: match field.width {
                1 => format!("bit {last}"),
                _ => format!("bits {last}–{}", field.first_bit),
            },
            values: values(field),
        }
    });
    fields.collect()
}

/// Maximum number of values listed per field.
const MAX_VALUES: usize = 40;

/// Formats values with their meanings; combines adjacent values of the same meaning.
fn values(field: &FieldDomain) -> Vec<String> {
    let mut runs: Vec<(u64, u64, &str)> = Vec::new();
    for (value, meaning) in &field.values {
        match runs.last_mut() {
            Some((_, last, before)) if *last + 1 == *value && before == meaning => *last = *value,
            _ => runs.push((*value, *value, meaning)),
        }
    }
    let run = |(first, last, meaning): &(u64, u64, &str)| {
        let values = match first == last {
            true => format!("{first:#x}"),
            false => format!("{first:#x} to {last:#x}"),
        };
        match *meaning {
            "" => values,
            meaning => format!("{values} {meaning}"),
        }
    };
    match runs.as_slice() {
        [] => vec![format!("any {}-bit number", field.width)],
        [first, .., last] if runs.len() > MAX_VALUES => {
            vec![format!("{} … {}", run(first), run(last))]
        }
        runs => runs.iter().map(run).collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_have_their_words_and_numbers_none() {
        let values = |instruction: &str, field: &str| {
            let mut all = specs();
            let spec = all.find(|spec| spec.name == instruction).unwrap();
            let fields = allowed_values(spec, 0);
            let found = fields.into_iter().find(|known| known.name == field);
            found.expect(field).values
        };
        let relations = [
            "0x0 eq", "0x1 ne", "0x2 gt", "0x3 ge", "0x4 lt", "0x5 le", "0x6",
        ];
        assert_eq!(values("CMP", "Relation"), relations);
        assert_eq!(values("BFN", "Truth table"), ["0x0 to 0xff"]);
        // Each code of this field has a word.
        assert_eq!(values("TYPED_ATOMIC", "16-bit"), ["0x0", "0x1 16"]);
    }

    #[test]
    fn explanations_round_trip() {
        for spec in specs() {
            let explanation = Explanation::of(spec);
            let json = serde_json::to_string(&explanation).unwrap();
            let back: Explanation = serde_json::from_str(&json).unwrap();
            assert_eq!(back, explanation);
            assert!(!explanation.syntax.is_empty() && !explanation.facts.is_empty());
            assert_eq!(explanation.forms.len(), spec.opcodes.len());
            assert!(
                explanation.forms.iter().all(|form| !form.fields.is_empty()),
                "{}",
                spec.name
            );
        }
    }
}
