//! Rules for products: precisions, types of variables, sizes of variables.

use lanewise_core::bits::BitField;
use lanewise_core::diagnostic::Diagnostic;
use lanewise_core::isa::visa::matrix::precision::{Precision, PrecisionPair};
use lanewise_core::isa::{Spec, Style};
use lanewise_core::program::Program;
use lanewise_core::rules::{self, Rule};
use lanewise_core::text::SyntaxPart;
use lanewise_tests::generate::specs_with_suffix;

/// All instructions with precisions.
fn specs() -> impl Iterator<Item = &'static Spec> {
    specs_with_suffix(SyntaxPart::Precision)
}

/// Line with eight channels and large variables.
fn program(spec: &Spec, suffix: &str, operands: &str) -> Program {
    let declaration = |ty| format!(".decl {ty}_1 v_type=G type={ty} num_elts=512 align=GRF\n");
    let declarations = ["ud", "d", "f", "uq"].map(declaration).concat();
    Program::parse(&format!(
        ".target visa XEHP\n{declarations}\
         {}.{suffix}.8.1 (M1, 8) {operands}\n",
        spec.mnemonics[0]
    ))
}

fn of<'p>(program: &'p Program, rule: &'static Rule) -> Vec<&'p Diagnostic> {
    let all = program.diagnostics.iter();
    all.filter(|d| d.rule.code == rule.code).collect()
}

fn precisions() -> impl Iterator<Item = Precision> {
    (0..256).filter_map(Precision::from_bits)
}

/// Valid pairs of the schema's words are exactly the precisions with arithmetic.
#[test]
fn precisions_with_arithmetic_match_the_schema() {
    for spec in specs() {
        let mut suffixes = spec.syntax.suffixes.iter();
        let suffix = suffixes.find(|suffix| suffix.part == SyntaxPart::Precision);
        let words = suffix.expect("a precision").words(spec, Style::Assembler);
        // Floats of 8 and 4 bits are for other platforms.
        let is_listed =
            |p: Precision| !p.is_narrow_float() && words.iter().any(|(word, _)| *word == p.name());
        let mut said = [0; 2];
        for w in precisions() {
            for a in precisions() {
                let suffix = format!("{}.{}", w.name(), a.name());
                let sum = if w.is_float() { "f_1.0" } else { "d_1.0" };
                let program = program(spec, &suffix, &format!("{sum} {sum} ud_1.0 ud_1(0,0)"));
                let runs = PrecisionPair::new(w, a).is_some() && is_listed(w) && is_listed(a);
                assert_eq!(program.can_run(), runs, "{}.{suffix}", spec.name);
                said[usize::from(runs)] += 1;
            }
        }
        assert!(said.iter().all(|pairs| *pairs > 2), "{said:?}");
    }
}

/// Integer sums reject float types, and float sums integer types. The type of Src1 does
/// not matter, and predefined variables are accepted.
#[test]
fn sums_of_a_wrong_type_cannot_run() {
    for spec in specs() {
        for (suffix, fits) in [("s8.u8", &["d", "ud"][..]), ("bf.bf", &["f"])] {
            let first = fits[0];
            for ty in ["d", "ud", "f"] {
                let one = usize::from(!fits.contains(&ty));
                for (operands, wanted) in [
                    (format!("{ty}_1.0 {first}_1.0 ud_1.0 ud_1(0,0)"), one),
                    (format!("{first}_1.0 {ty}_1.0 ud_1.0 ud_1(0,0)"), one),
                    (format!("{first}_1.0 {first}_1.0 {ty}_1.0 ud_1(0,0)"), 0),
                    (format!("%arg.0 {first}_1.0 ud_1.0 ud_1(0,0)"), 0),
                    (format!("{first}_1.0 %arg.0 ud_1.0 ud_1(0,0)"), 0),
                    (format!("{first}_1.0 %null.0 ud_1.0 ud_1(0,0)"), 0),
                ] {
                    let program = program(spec, suffix, &operands);
                    let found = of(&program, &rules::RUN_TYPE);
                    assert_eq!(found.len(), wanted, "{suffix} {operands}: {found:?}");
                }
            }
        }
    }
}

/// The real tool's verifier checks the type of a predefined variable only in Src2, and
/// treats stack pointers as UQ.
#[test]
fn types_of_predefined_variables_matter_only_in_src2() {
    for spec in specs() {
        for (operands, is_told) in [
            ("f_1.0 f_1.0 ud_1.0 %sp(0,0)", true),
            ("f_1.0 f_1.0 ud_1.0 %fp(0,0)", true),
            ("f_1.0 f_1.0 ud_1.0 %thread_x(0,0)", true),
            ("f_1.0 f_1.0 ud_1.0 %arg(0,0)", false),
            ("f_1.0 f_1.0 ud_1.0 uq_1(0,0)", true),
            ("f_1.0 f_1.0 %sp.0 ud_1(0,0)", false),
            ("%arg.0 f_1.0 ud_1.0 ud_1(0,0)", false),
            ("f_1.0 %arg.0 ud_1.0 ud_1(0,0)", false),
        ] {
            let program = program(spec, "bf.bf", operands);
            let mut all = program.diagnostics.iter();
            let is_found = all.any(|d| d.what.contains("` has type U"));
            assert_eq!(is_found, is_told, "{operands}: {:?}", program.diagnostics);
        }
    }
}

#[test]
fn src2_beyond_its_variable_cannot_run() {
    for spec in specs() {
        for (src2, is_told) in [("ud_1(0,0)", false), ("ud_1(63,4)", true)] {
            let operands = format!("f_1.0 f_1.0 ud_1.0 {src2}");
            let program = program(spec, "bf.bf", &operands);
            let found = of(&program, &rules::RUN_PAST_END);
            assert_eq!(found.len(), usize::from(is_told), "{operands}: {found:?}");
        }
    }
}
