//! Differences between Lanewise and GenX_IR that are meant, each with its
//! reason. This is the only such list of the comparison.

use super::genx::Verdict;

/// A case in which the two differ.
pub(super) struct Case<'c> {
    pub(super) decls: &'c [String],
    pub(super) line: &'c str,
    /// The codes of our diagnostics.
    pub(super) codes: &'c [&'static str],
    pub(super) verdict: Verdict,
    pub(super) message: &'c str,
    /// How the two differ.
    pub(super) what: &'c str,
}

/// A reason why the two differ.
pub(super) struct Explained {
    pub(super) reason: &'static str,
    pub(super) applies: fn(&Case<'_>) -> bool,
}

fn says(case: &Case<'_>, code: &str) -> bool {
    case.codes.contains(&code)
}

/// All of them.
pub(super) const ALL: &[Explained] = &[
    Explained {
        reason: "mnemonics are read in any case, so none may name a variable (scenario.md); the tool takes some",
        applies: |case| says(case, "E0204") && case.verdict == Verdict::Accepted,
    },
    Explained {
        reason: "a number does not fit its field: an error here; the tool drops bits",
        applies: |case| {
            let fits = ["E0302", "E0307", "E0331", "E0348", "E0205", "E0312"];
            let all: String = format!("{} {}", case.decls.join(" "), case.line);
            let mut numbers = all.split(|c: char| !c.is_ascii_alphanumeric());
            let large = numbers.any(|n| match n.strip_prefix("0x") {
                Some(digits) => u64::from_str_radix(digits, 16).is_ok_and(|n| n > 127),
                None => n.parse::<u64>().is_ok_and(|n| n > 127) || n.len() > 18,
            });
            large && fits.iter().any(|code| says(case, code)) && case.verdict == Verdict::Accepted
        },
    },
    Explained {
        reason: "no blank between two operands: an error here, since `O.0A.0` is read as one word",
        applies: |case| {
            let glued = |line: &str| {
                let bytes = line.as_bytes();
                bytes
                    .windows(2)
                    .any(|w| w[0].is_ascii_digit() && w[1].is_ascii_alphabetic())
            };
            (says(case, "E0306") || says(case, "E0307") || says(case, "E0105"))
                && glued(case.line)
                && case.verdict == Verdict::Accepted
        },
    },
    Explained {
        reason: "the kernel needs more registers than there are: no rule of the instruction",
        applies: |case| {
            case.verdict == Verdict::Rejected && case.message.to_lowercase().contains("spill")
        },
    },
    Explained {
        reason: "past the end of a variable: whether the tool crashes depends on where it puts what is read and what lies behind",
        applies: |case| {
            (says(case, "W0418") || says(case, "E0318") || says(case, "W0419"))
                && matches!(
                    case.verdict,
                    Verdict::Crash | Verdict::Hang | Verdict::Accepted
                )
        },
    },
    Explained {
        reason: "SVM: the lanes run past channel 31, which the tool does not check, and crashes on sometimes",
        applies: |case| says(case, "W0407") && case.verdict == Verdict::Crash,
    },
    Explained {
        reason: "an indirect operand without a vertical stride: the tool crashes on the last elements of the address variable",
        applies: |case| {
            let bare = case.line.contains("r[") && !case.line.contains(';');
            bare && case.verdict == Verdict::Crash
        },
    },
    Explained {
        reason: "names go by the numbers of the declarations: the tool prints P2 or T6 for a variable that another name has",
        applies: |case| {
            let place = |name: &str| case.decls.iter().position(|d| d.contains(name));
            case.what.starts_with("it prints") && place(".decl T7 ") < place(".decl T6 ")
        },
    },
    Explained {
        reason: "float with integer precisions: the object is written, the finalizer may hang or crash",
        applies: |case| says(case, "W0441") && case.verdict != Verdict::Rejected,
    },
    Explained {
        reason: "a null operand of a matrix instruction: the tool crashes on most, not on all",
        applies: |case| says(case, "E0346") && case.verdict == Verdict::Accepted,
    },
    Explained {
        reason: "an alias of %r0 is written: the tool's finalizer may hang or crash",
        applies: |case| {
            case.line.contains("AT_R0") && matches!(case.verdict, Verdict::Hang | Verdict::Crash)
        },
    },
    Explained {
        reason: "a predefined variable on which the tool crashes or hangs on some platforms",
        applies: |case| says(case, "W0422"),
    },
    Explained {
        reason: "num_elts of a surface or sampler left out, as in the documents; the tool wants it",
        applies: |case| {
            let bare = |decl: &String| {
                (decl.contains("v_type=T") || decl.contains("v_type=S"))
                    && !decl.contains("num_elts")
            };
            case.decls.iter().any(bare) && case.verdict == Verdict::Rejected
        },
    },
    Explained {
        reason: "DPASW shares nothing in this configuration, or the precisions are of one bit: the tool's finalizer may hang",
        applies: |case| says(case, "W0442") && case.verdict != Verdict::Rejected,
    },
];
