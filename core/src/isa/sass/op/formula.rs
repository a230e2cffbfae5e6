//! Formulas: the summary of a row, filled in with the modifiers and operands of an instruction.

use super::SassInstruction;
use super::words::{Logic, Word};
use crate::text::SyntaxPart;
use alloc::format;
use alloc::string::String;

/// The table of a function of three bits that returns a, b or c.
const A: u8 = 0xf0;
const B: u8 = 0xcc;
const C: u8 = 0xaa;

/// Functions of three bits that have a name.
const FUNCTIONS: [(u8, &str); 41] = [
    (0, "0"),
    (0xff, "all ones"),
    (A, "a"),
    (B, "b"),
    (C, "c"),
    (!A, "~a"),
    (!B, "~b"),
    (!C, "~c"),
    (A & B, "a & b"),
    (A & C, "a & c"),
    (B & C, "b & c"),
    (A & !B, "a & ~b"),
    (!A & B, "~a & b"),
    (A & !C, "a & ~c"),
    (!A & C, "~a & c"),
    (A | B, "a | b"),
    (A | C, "a | c"),
    (B | C, "b | c"),
    (A | !B, "a | ~b"),
    (!A | B, "~a | b"),
    (A ^ B, "a ^ b"),
    (A ^ C, "a ^ c"),
    (B ^ C, "b ^ c"),
    (!(A & B), "~(a & b)"),
    (!(A | B), "~(a | b)"),
    (!(A ^ B), "~(a ^ b)"),
    (A & B & C, "a & b & c"),
    (A | B | C, "a | b | c"),
    (A ^ B ^ C, "a ^ b ^ c"),
    (A & B | C, "(a & b) | c"),
    ((A ^ B) & C, "(a ^ b) & c"),
    ((A ^ B) | C, "(a ^ b) | c"),
    ((A | B) & C, "(a | b) & c"),
    ((A & B) ^ C, "(a & b) ^ c"),
    ((A | B) ^ C, "(a | b) ^ c"),
    (A & (B | C), "a & (b | c)"),
    (A & (B ^ C), "a & (b ^ c)"),
    (A | B & C, "a | (b & c)"),
    (A | (B ^ C), "a | (b ^ c)"),
    (A & B | !A & C, "(a & b) | (~a & c)"),
    (A & B | A & C | B & C, "the majority of a, b and c"),
];

impl SassInstruction {
    /// The summary of the row with the words and operands of this instruction:
    /// `P0 = R6 > 0xf`.
    #[must_use]
    pub fn formula(&self) -> String {
        self.with_operands(&self.formula_in_letters())
    }

    /// The same with the letters of the operands: `u = a > b`.
    #[must_use]
    pub fn formula_in_letters(&self) -> String {
        let mut variants = self.op.spec.summary.split("; with .");
        let plain = variants.next().unwrap_or_default();
        let mut variants = variants.filter_map(|variant| variant.split_once(", "));
        let own = variants.find(|(word, _)| self.has_word(word));
        let mut text = String::from(own.map_or(plain, |(_, text)| text));
        if let Some(function) = self.function() {
            text = text.replace("the function n of a, b and c", function);
        }
        if let Some(sign) = self.relation() {
            text = text.replace(" cmp ", &format!(" {sign} "));
        }
        for logic in self.modifiers.logic {
            text = text.replacen(" op ", &format!(" {} ", logic.sign()), 1);
        }
        if let Some(word) = self.mnemonic.split('.').nth(1) {
            text = text.replace("the function of a", &format!("{word} of a"));
        }
        let is_always = |part| matches!(self.operand_text(part), "" | "PT" | "UPT");
        let mut clauses = text.split("; ");
        let mut first = String::from(clauses.next().expect("a split has a first part"));
        // A condition that is always true has no effect.
        for (number, letter) in (0..).zip(["p", "q", "r"]) {
            let condition = format!(" & {letter}");
            let inner = first.strip_suffix(&*condition);
            let inner = inner.and_then(|inner| inner.strip_suffix(')')?.split_once(" = ("));
            if let Some((before, inner)) = inner
                && is_always(SyntaxPart::Condition(number))
            {
                first = format!("{before} = {inner}");
                break;
            }
        }
        // Omits clauses about predicates that are not written.
        let is_there = |clause: &&str| {
            let parts = [(SyntaxPart::Carry, "u"), (SyntaxPart::Status, "v")];
            let has = |letter: &str| clause.split(' ').any(|word| word == letter);
            let mut parts = parts
                .into_iter()
                .filter(|(_, letter)| has(letter))
                .peekable();
            parts.peek().is_none() || parts.any(|(part, _)| !is_always(part))
        };
        for clause in clauses.filter(is_there) {
            first.push_str("; ");
            first.push_str(clause);
        }
        first
    }

    /// A text with operands in place of their letters.
    fn with_operands(&self, text: &str) -> String {
        let mut out = String::new();
        let mut rest = text;
        let is_word = |c: char| c.is_ascii_alphanumeric();
        while !rest.is_empty() {
            let length = rest.find(|c| !is_word(c)).unwrap_or(rest.len());
            let (word, after) = rest.split_at(length);
            let operand = self.written.iter().find(|(part, _)| {
                let letter = self.op.spec.letter(*part);
                letter == word && (letter != "d" || *part == SyntaxPart::Dst)
            });
            out.push_str(operand.map_or(word, |(_, text)| text));
            let next = after.find(is_word).unwrap_or(after.len());
            let (between, after) = after.split_at(next);
            out.push_str(between);
            rest = after;
        }
        out
    }

    /// The name of the lookup table of eight bits.
    fn function(&self) -> Option<&'static str> {
        let table = self.operand_text(SyntaxPart::Src3).strip_prefix("0x")?;
        let table = u8::from_str_radix(table, 16).ok()?;
        let found = FUNCTIONS.iter().find(|(known, _)| *known == table);
        found.map(|(_, name)| *name)
    }

    /// The sign of the comparison; its word if there is none, as for those of NaN.
    fn relation(&self) -> Option<&str> {
        let signs = [
            (Word::Eq, "=="),
            (Word::Ne, "!="),
            (Word::Lt, "<"),
            (Word::Le, "<="),
            (Word::Gt, ">"),
            (Word::Ge, ">="),
        ];
        let found = signs.iter().find(|(word, _)| self.modifiers.has(*word));
        let sign = found.map(|(_, sign)| *sign);
        let word = self.mnemonic.split('.').nth(1);
        sign.or(word).filter(|_| self.modifiers.compares)
    }
}

impl Logic {
    const fn sign(self) -> &'static str {
        match self {
            Self::And => "&",
            Self::Or => "|",
            Self::Xor => "^",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::OPS;
    use super::super::words::{SassModifiers, Word};
    use crate::program::Program;
    use alloc::collections::BTreeSet;
    use alloc::format;

    #[test]
    fn a_formula_has_the_words_and_operands_of_its_instruction() {
        for (chip, line, formula) in [
            (
                "SM80",
                "ISETP.GT.U32.AND P0, PT, R6, 0xf, PT",
                "P0 = R6 > 0xf",
            ),
            (
                "SM80",
                "ISETP.LT.OR P0, PT, R6, R7, !P1",
                "P0 = (R6 < R7) | !P1",
            ),
            (
                "SM50",
                "PSETP.AND.XOR P0, PT, P1, P2, P3",
                "P0 = (P1 & P2) ^ P3",
            ),
            (
                "SM80",
                "LOP3.LUT R0, R2, 0x1, RZ, 0xc0, !PT",
                "R0 = R2 & 0x1",
            ),
            (
                "SM80",
                "LOP3.LUT P0, RZ, R0, 0x1f, RZ, 0xc0, !PT",
                "RZ = R0 & 0x1f; P0 = whether it is not 0",
            ),
            (
                "SM80",
                "LOP3.LUT R0, R1, R2, R3, 0x17, !PT",
                "R0 = the function 0x17 of R1, R2 and R3",
            ),
            ("SM80", "IADD3 R0, R1, R2, RZ", "R0 = R1 + R2 + RZ"),
            (
                "SM80",
                "IADD3 R0, P0, R1, R2, RZ",
                "R0 = R1 + R2 + RZ; carries go to P0 and v",
            ),
            (
                "SM80",
                "IADD3.X R0, P0, R1, R2, RZ, P1, !PT",
                "R0 = R1 + R2 + RZ + the carries P1 and !PT; carries go to P0 and v",
            ),
            (
                "SM80",
                "ISETP.GT.AND P0, P1, R6, 0xf, PT",
                "P0 = R6 > 0xf; P1 = the complement, combined likewise",
            ),
            ("SM80", "FSETP.GEU.AND P0, PT, R0, R1, PT", "P0 = R0 GEU R1"),
            (
                "SM80",
                "MUFU.RCP R0, R1",
                "R0 = RCP of R1, to about 1 unit in the last place (assumed)",
            ),
            (
                "SM80",
                "SHFL.DOWN PT, R4, R5, 0x8, 0x1f",
                "R4 = R5 of the lane 0x8 lanes above",
            ),
            (
                "SM80",
                "S2R R0, SR_TID.X",
                "R0 = the special register SR_TID.X",
            ),
            (
                "SM50",
                "BFE R0, R1, R2",
                "R0 = the field of R1 that R2 names",
            ),
            ("SM50", "LEA R0, R1, R2, 0x4", "R0 = (R1 << 0x4) + R2"),
            ("SM50", "LOP.PASS_B R0, RZ, ~R2", "R0 = ~R2"),
        ] {
            let program = Program::parse(&format!(".target sass {chip}\n{line}\n"));
            let instruction = &program.instructions[0].instruction;
            assert_eq!(instruction.summary(), formula, "{line}");
        }
    }

    /// A letter that is an article would become an operand.
    #[test]
    fn letters_of_summaries_are_operands() {
        for op in OPS {
            let mut names: BTreeSet<&str> = BTreeSet::new();
            for word in [None]
                .into_iter()
                .chain(Word::all().map(|(_, word)| Some(word)))
            {
                let modifiers = SassModifiers::new(word.as_slice());
                names.extend(op.slots(&modifiers).iter().map(|slot| match slot.name {
                    "name" => "s",
                    other => other,
                }));
            }
            let words = op.spec.summary.split(|c: char| !c.is_ascii_alphanumeric());
            let letters =
                words.filter(|word| word.len() == 1 && word.starts_with(char::is_lowercase));
            for letter in letters {
                let is_free = !names.contains("a") && letter == "a";
                assert!(names.contains(letter) || is_free, "{op:?}: {letter}");
            }
        }
    }
}
