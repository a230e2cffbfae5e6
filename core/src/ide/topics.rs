//! Documentation of instruction parts, instructions and rules, by the keys that
//! hover returns.

use crate::text::SyntaxPart;

macro_rules! parts {
    ($($part:ident $key:literal $name:literal { $($mark:ident $text:literal;)* })*) => {
        /// Display name of a part of an instruction; empty for punctuation.
        pub(super) const fn name_of(part: SyntaxPart) -> &'static str {
            match part {
                $(SyntaxPart::$part => $name,)*
                SyntaxPart::Coordinate(_) => "Coordinate or size",
                SyntaxPart::Descriptor(_) => "Field of a message",
                SyntaxPart::Condition(_) => "Predicate source",
                SyntaxPart::Opcode | SyntaxPart::Operation | SyntaxPart::Ignored | SyntaxPart::None => "",
            }
        }

        /// Topic key of a part; empty if it depends on the instruction.
        pub(super) const fn key_of(part: SyntaxPart) -> &'static str {
            match part {
                $(SyntaxPart::$part => concat!("field.", $key),)*
                SyntaxPart::Coordinate(_)
                | SyntaxPart::Descriptor(_)
                | SyntaxPart::Condition(_)
                | SyntaxPart::Opcode
                | SyntaxPart::Operation
                | SyntaxPart::Ignored
                | SyntaxPart::None => "",
            }
        }

        fn fields() -> alloc::vec::Vec<Topic> {
            alloc::vec![$(Topic {
                key: alloc::string::String::from(key_of(SyntaxPart::$part)),
                title: alloc::string::String::from($name),
                statements: alloc::vec![$(Fact { mark: Provenance::$mark, text: $text },)*],
                contradictions: alloc::vec::Vec::new(),
            },)*]
        }
    };
}

parts! {
    Width "width" "Width of the cells" {
        Documented "Cells have 32 bits by default. The 16-bit forms of vISA use the low half of a dword; 64-bit cells are for virtual and global memory.";
        Observed "The real vISA assembler also accepts .32 for virtual memory.";
    }
    ExecSize "exec-size" "Execution size" {
        Documented "Number of lanes of the instruction: 1, 2, 4, 8, 16 or 32. Lane i uses element i of the operands.";
    }
    Mask "mask" "Mask control" {
        Documented "Channel of the 32-bit execution mask at which the lanes start: 0 for M1, 4 for M2, up to 28 for M8. With _NM, the execution mask is ignored.";
        Documented "The first channel must be a multiple of the execution size.";
    }
    Predicate "predicate" "Predicate" {
        Documented "Enables the lanes whose bit is set; ! inverts the bits. In vISA, .any enables all lanes if any bit is set, .all if every bit is set.";
        Documented "In SASS, @P0 and @!P0 guard the instruction lane by lane; PT is always true.";
    }
    Surface "surface" "Surface" {
        Documented "Memory to access: T0 (%slm) is the shared local memory, T255 (%scratch) is stateless, and the others are declared buffers.";
        Assumed "Stateless accesses use the same virtual memory as SVM instructions, with 32-bit offsets from address 0.";
    }
    Address "address" "Address" {
        Documented "Address of each lane's cell: byte offsets into a surface (type UD), virtual addresses (type UQ), or [Ra + offset] in SASS.";
        Documented "In SASS, .E selects 64-bit addresses, in an even register and the next.";
    }
    Offsets "offsets" "Element offsets" {
        Documented "Byte offsets from the address of the instruction, one UQ per lane.";
    }
    Src0 "src0" "First source" {
        Documented "In an atomic, the first operand of every lane: CMPXCHG stores it, FCMPWR and CAS compare with it. In a matrix multiply-add, the initial sums C. In a scatter, the planes to write to memory.";
    }
    Src1 "src1" "Second source" {
        Documented "In a compare-and-exchange atomic, the second operand of every lane. In a matrix multiply-add, the matrix B.";
    }
    Src2 "src2" "Third source" {
        Documented "The matrix A of a multiply-add, in contiguous rows. On a fused pair, both EUs supply its registers together.";
    }
    Dst "dst" "Destination" {
        Documented "Destination of the result. It can be the null variable or RZ in an atomic, which then returns nothing, but not in a matrix multiply-add or a gather.";
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
        Documented "Branch target: the name of a label, `NAME:`, of the same function.";
    }
    Name "name" "Function" {
        Documented "Name of a function.";
    }
    Channels "channels" "Channels" {
        Documented "The enabled channels among R, G, B and A. Disabled channels occupy no register space; in memory, A is always 12 bytes after R.";
    }
    Precision "precision" "Precisions" {
        Documented "W is the precision of src1, A that of src2. Both are integers, or both are the same floating-point precision.";
    }
    Depth "depth" "Systolic depth" {
        Documented "Number of stages per sum: 1, 2, 4 or 8; XEHP and later support 8 only.";
    }
    Repeat "repeat" "Repeat count" {
        Documented "Number of rows to compute, 1 to 8.";
    }
    Status "status" "Ps" {
        Assumed "The predicate written by a sparse form: true if the page is not resident. Writing PT has no effect.";
    }
    Schedule "schedule" "Scheduling" {
        Observed "Barriers to wait for (&req) and to set (&rd, &wr), and cycles until the next instruction (?stall). Scheduling affects timing, not results.";
    }
}

use crate::isa::Fact;
use crate::rules::Provenance;
pub use known::{Topic, topics};

mod known {
    use super::fields;
    use crate::contradictions::Contradiction;
    use crate::isa::{Fact, Instruction, OperationRow, Spec};
    use crate::program::DIRECTIVES;
    use crate::rules::{self, Provenance};
    use alloc::format;
    use alloc::string::String;
    use alloc::vec;
    use alloc::vec::Vec;

    /// Documentation of one topic.
    #[derive(Clone, Debug, PartialEq, Eq)]
    pub struct Topic {
        /// Key, as in [`super::super::Hover::topics`].
        pub key: String,
        pub title: String,
        pub statements: Vec<Fact>,
        /// Contradictions of the documents with themselves or a tool.
        pub contradictions: Vec<&'static Contradiction>,
    }

    /// All topics: instructions with their operations, directives, parts of instructions
    /// and rules.
    #[must_use]
    pub fn topics() -> Vec<Topic> {
        let mut all = Vec::new();
        for spec in Instruction::all_specs() {
            all.push(Topic {
                key: format!("instruction.{}", spec.name),
                title: String::from(spec.name),
                statements: spec.facts.to_vec(),
                contradictions: spec.contradictions.to_vec(),
            });
            all.extend((spec.operations)().iter().map(|row| operation(spec, row)));
        }
        all.extend(DIRECTIVES.iter().map(|directive| Topic {
            key: format!("directive.{}", directive.name),
            title: format!(".{} {}", directive.name, directive.form),
            statements: vec![Fact {
                mark: Provenance::Assumed,
                text: directive.what,
            }],
            contradictions: Vec::new(),
        }));
        all.extend(fields());
        all.extend(rules::ALL.iter().map(|rule| Topic {
            key: format!("rule.{}", rule.code),
            title: String::from(rule.code),
            statements: vec![Fact {
                mark: rule.mark,
                text: rule.why,
            }],
            contradictions: Vec::new(),
        }));
        all
    }

    /// The topic of an operation, extracted from its instruction.
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
            statements: facts.copied().collect(),
            contradictions: contradictions
                .filter(|c| named(c.title) || named(c.one) || named(c.other))
                .collect(),
        }
    }
}
