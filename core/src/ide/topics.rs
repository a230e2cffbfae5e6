//! What is documented of the parts of an instruction, of instructions and of
//! rules, by the keys that hover gives.

use crate::text::OperandKind;

macro_rules! parts {
    ($($part:ident $key:literal $name:literal { $($mark:ident $text:literal;)* })*) => {
        /// What a part of an instruction is called; empty for blanks and the
        /// like.
        pub(super) const fn name_of(part: OperandKind) -> &'static str {
            match part {
                $(OperandKind::$part => $name,)*
                OperandKind::Coordinate(_) => "Coordinate or size",
                OperandKind::Descriptor(_) => "Field of a message",
                OperandKind::Opcode | OperandKind::Operation | OperandKind::Ignored | OperandKind::None => "",
            }
        }

        /// The key of what is known of a part; empty where that depends on
        /// the instruction.
        pub(super) const fn key_of(part: OperandKind) -> &'static str {
            match part {
                $(OperandKind::$part => concat!("field.", $key),)*
                OperandKind::Coordinate(_)
                | OperandKind::Descriptor(_)
                | OperandKind::Opcode
                | OperandKind::Operation
                | OperandKind::Ignored
                | OperandKind::None => "",
            }
        }

        fn fields() -> alloc::vec::Vec<Topic> {
            alloc::vec![$(Topic {
                key: alloc::string::String::from(key_of(OperandKind::$part)),
                title: alloc::string::String::from($name),
                statements: alloc::vec![$(Statement { mark: Provenance::$mark, text: $text },)*],
                contradictions: alloc::vec::Vec::new(),
            },)*]
        }
    };
}

parts! {
    Width "width" "Width of the cells" {
        Documented "Without a suffix cells have 32 bits. The 16-bit forms of vISA use the low half of a dword; 64 bits are for virtual and global memory.";
        Observed "The real vISA assembler takes .32 for virtual memory as well.";
    }
    ExecSize "exec-size" "Execution size" {
        Documented "How many lanes the instruction has: 1, 2, 4, 8, 16 or 32. Lane i works with element i of its operands.";
    }
    Mask "mask" "Mask control" {
        Documented "Which of the 32 channels of the execution mask the lanes stand for: M1 starts at channel 0, M2 at 4, and so on to M8 at 28. With _NM the execution mask is ignored.";
        Documented "The first channel must be a multiple of the execution size.";
    }
    Predicate "predicate" "Predicate" {
        Documented "Only lanes whose bit is set take part; ! inverts the bits. In vISA .any enables all lanes if one bit is set, .all if every bit is set.";
        Documented "In SASS @P0 and @!P0 guard the instruction, lane by lane; PT is always true.";
    }
    Surface "surface" "Surface" {
        Documented "The memory that is accessed: T0 (%slm) is the shared local memory, T255 (%scratch) is stateless, others are declared buffers.";
        Assumed "Stateless accesses reach the same virtual memory as SVM instructions, with 32-bit offsets from 0.";
    }
    Address "address" "Address" {
        Documented "Where each lane's cell lies: byte offsets into a surface (type UD), virtual addresses (type UQ), or in SASS [Ra + offset].";
        Documented "In SASS .E says that the address has 64 bits, in an even register and the next.";
    }
    Offsets "offsets" "Element offsets" {
        Documented "One UQ a lane, in bytes, added to the one address of the instruction.";
    }
    Src0 "src0" "First source" {
        Documented "Of an atomic the first operand of every lane: CMPXCHG stores it, FCMPWR and CAS compare with it. Of a matrix multiply-add C, with which the sums start. Of a scatter the planes that are written to memory.";
    }
    Src1 "src1" "Second source" {
        Documented "Of an atomic the second operand of every lane, of the compare-and-exchange operations only. Of a matrix multiply-add B.";
    }
    Src2 "src2" "Third source" {
        Documented "The matrix A of a multiply-add, row after row. Where the instruction runs on a fused pair, the two EUs supply its registers together.";
    }
    Dst "dst" "Destination" {
        Documented "Where the result goes. An atomic whose destination is the null variable, or RZ, returns nothing; a matrix multiply-add and a gather need one.";
    }
    Cache "cache" "Caches" {
        Documented "How the caches L1 and L3 treat the access: df is the default, uc uncached, ca cached, wb and wt write back and through, st streaming, ri read and invalidate.";
    }
    Src3 "src3" "Fourth source" {
        Documented "The value into which a field is inserted.";
    }
    Carry "carry" "Carry or borrow" {
        Documented "1 for each lane whose sum exceeds 32 bits, or whose difference is negative; else 0.";
    }
    Label "label" "Label" {
        Documented "Where channels continue: the name of a line `NAME:` of the same function.";
    }
    Name "name" "Function" {
        Documented "The name of a function.";
    }
    Channels "channels" "Channels" {
        Documented "Which of R, G, B and A are moved. Disabled channels take no place in the registers; in memory A is always 12 bytes behind R.";
    }
    Precision "precision" "Precisions" {
        Documented "W is the precision of src1, A that of src2. Both are integers, or both are the same floating-point precision.";
    }
    Depth "depth" "Systolic depth" {
        Documented "How many steps the sums take: 1, 2, 4 or 8; XEHP and later support 8 only.";
    }
    Repeat "repeat" "Repeat count" {
        Documented "How many rows are computed, 1 to 8.";
    }
    Status "status" "Ps" {
        Assumed "The predicate of a sparse form: true where the page is not resident. Writing PT does nothing.";
    }
    Schedule "schedule" "Scheduling" {
        Observed "Barriers that are waited for (&req) and set (&rd, &wr), and cycles before the next instruction (?stall): they say when things happen, not what.";
    }
}

use crate::rules::Provenance;
pub use known::{Statement, Topic, topics};

mod known {
    use super::fields;
    use crate::contradictions::Contradiction;
    use crate::isa::{OperationRow, SPECS, Spec};
    use crate::program::DIRECTIVES;
    use crate::rules::{self, Provenance};
    use alloc::format;
    use alloc::string::String;
    use alloc::vec;
    use alloc::vec::Vec;

    /// A sentence or two, with where it comes from.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub struct Statement {
        /// Documented, observed or assumed.
        pub mark: Provenance,
        /// The sentences.
        pub text: &'static str,
    }

    /// What is known of something.
    #[derive(Clone, Debug, PartialEq, Eq)]
    pub struct Topic {
        /// As in [`super::super::Hover::topics`].
        pub key: String,
        /// What it is about.
        pub title: String,
        /// The statement.
        pub statements: Vec<Statement>,
        /// Where the documents contradict themselves or a tool.
        pub contradictions: Vec<&'static Contradiction>,
    }

    /// All that is known, by key: instructions with their operations,
    /// directives, parts of instructions, rules.
    #[must_use]
    pub fn topics() -> Vec<Topic> {
        let mut all = Vec::new();
        for spec in SPECS {
            let facts = spec.facts.iter();
            all.push(Topic {
                key: format!("instruction.{}", spec.name),
                title: String::from(spec.name),
                statements: facts
                    .map(|fact| Statement {
                        mark: fact.mark,
                        text: fact.text,
                    })
                    .collect(),
                contradictions: spec.contradictions.to_vec(),
            });
            all.extend((spec.operations)().iter().map(|row| operation(spec, row)));
        }
        all.extend(DIRECTIVES.iter().map(|directive| Topic {
            key: format!("directive.{}", directive.name),
            title: format!(".{} {}", directive.name, directive.form),
            statements: vec![Statement {
                mark: Provenance::Assumed,
                text: directive.what,
            }],
            contradictions: Vec::new(),
        }));
        all.extend(fields());
        all.extend(rules::ALL.iter().map(|rule| Topic {
            key: format!("rule.{}", rule.code),
            title: String::from(rule.code),
            statements: vec![Statement {
                mark: rule.mark,
                text: rule.why,
            }],
            contradictions: Vec::new(),
        }));
        all
    }

    /// What names an operation, of all that is known of its instruction.
    fn operation(spec: &'static Spec, row: &OperationRow) -> Topic {
        let named = |text: &str| {
            let mut words = text.split(|c: char| !c.is_ascii_alphanumeric());
            words.any(|word| word == row.name)
        };
        let facts = spec.facts.iter().filter(|fact| named(fact.text));
        let contradictions = spec.contradictions.iter().copied();
        Topic {
            key: format!("operation.{}.{}", spec.name, row.name),
            title: format!("{}: {}", row.name, row.formula),
            statements: facts
                .map(|fact| Statement {
                    mark: fact.mark,
                    text: fact.text,
                })
                .collect(),
            contradictions: contradictions
                .filter(|c| named(c.title) || named(c.one) || named(c.other))
                .collect(),
        }
    }
}
