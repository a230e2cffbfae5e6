//! The bundled scenarios.

/// A bundled scenario.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bundled {
    /// Stable short name.
    pub id: &'static str,
    /// Title, as in the text.
    pub title: &'static str,
    /// Heading under which it is listed: the name of an instruction, [`KERNELS`] or
    /// [`PROGRAMS`].
    pub topic: &'static str,
    /// The whole scenario.
    pub text: &'static str,
    /// Name and text of the source that the scenario was compiled from.
    pub source: Option<(&'static str, &'static str)>,
}

/// Topic of the scenarios that launch compiled kernels.
pub const KERNELS: &str = "Kernels";

/// Topic of the scenarios that show how instructions work together.
pub const PROGRAMS: &str = "Programs";

macro_rules! bundled {
    (@source) => { None };
    (@source $source:literal) => {
        Some(($source, include_str!(concat!("../kernels/", $source))))
    };
    ($($topic:literal { $($id:literal $title:literal $(, $source:literal)?;)* })*) => {
        &[$($(Bundled {
            id: $id,
            title: $title,
            topic: $topic,
            text: include_str!(concat!("../scenarios/", $id, ".lanewise")),
            source: bundled!(@source $($source)?),
        },)*)*]
    };
}

/// All bundled scenarios, grouped by instruction. The first one is shown on a first
/// visit.
pub static BUNDLED: &[Bundled] = bundled! {
    "DWORD_ATOMIC" {
        "histogram" "Histogram with conflicts";
        "lock" "Compare-and-swap lock";
        "predicated" "Predicated lanes";
        "unpacked16" "16-bit, unpacked";
        "out-of-bounds" "Out of bounds";
        "two-eus" "Two EUs, one counter";
        "float-max" "Float maximum, NaN and −0";
        "predec" "PREDEC and DEC";
        "order" "The order of the lanes";
        "surface" "Buffer surface";
        "one-of-eight" "A lock taken by one of eight";
        "exchange-chain" "A chain of exchanges";
        "compare-may-fail" "CMPXCHG that may fail";
        "mixed-orders" "Two instructions, many orders";
    }
    "SVM_ATOMIC" {
        "svm-counter" "64-bit counter";
        "svm-fault" "A fault: unmapped address";
        "inc-visa" "Side by side: INC in vISA";
    }
    "SVM_SCATTER4_SCALED" {
        "scatter-planes" "Four planes, sixteen pixels";
        "scatter-ra" "Red and alpha only";
        "scatter-padding" "Eight lanes, 64-byte registers";
        "scatter-overlap" "Overlapping cells";
        "scatter-indirect" "Address through a variable";
        "scatter-fault" "A fault: misaligned offset";
    }
    "SVM_GATHER4_SCALED" {
        "gather-planes" "Sixteen pixels, four planes";
        "gather-swap" "Swapping red and blue";
        "gather-ga" "Green and alpha only, some lanes off";
        "gather-fault" "A fault: an unmapped pixel";
    }
    "DPAS" {
        "dpas-dpasw" "DPAS and DPASW on the same data";
        "dpas-tf32" "tf32: 19 bits of 32";
        "dpas-hf" "hf: results of 16 bits";
    }
    "DPASW" {
        "dpasw-int8" "int8, four rows from each EU";
        "dpasw-mixed" "u4 with s8: table against formula";
        "dpasw-2bit" "2-bit: shared, and not";
        "dpasw-order" "bf16: the order matters";
        "dpasw-wrap" "Integers wrap";
        "dpasw-eu1" "EU1 supplies other data";
    }
    "ATOM" {
        "inc-sass" "Side by side: INC in SASS";
        "atom-inc" "INC wraps at its bound";
        "atom-dec" "DEC wraps at its bound";
        "atom-cas" "CAS and its pair of registers";
        "atom-f32" "F32: subnormals are flushed";
        "atom-f16x2" "F16x2: two halves";
        "atom-min64" "64-bit minimum, signed";
        "atom-guard" "Guards and idle lanes";
        "atom-sparse" "Sparse: a page is missing";
        "atom-safeadd" "SAFEADD: a guess";
        "atom-fault-misaligned" "A fault: misaligned";
        "atom-fault-range" "A fault: out of range";
        "atom-fault-window" "A fault: shared window";
        "atom-float-order" "A float sum and its order";
    }
    "RED" {
        "red-histogram" "A histogram without returned values";
        "red-max" "The largest value of a warp, signed";
        "red-float-sum" "A float sum: reduction and its orders";
    }
    "Kernels" {
        "kernel-histogram" "Histogram: atomics in a loop", "kernel-histogram.cl";
        "kernel-tiles" "Tiled matrix product with DPAS", "kernel-tiles.cl";
        "kernel-fused-pair" "Fused pair with DPASW", "kernel-fused-pair.cl";
        "kernel-endless-lock" "Spin lock that never ends", "kernel-endless-lock.cl";
        "cuda-histogram" "CUDA: histogram in shared memory", "cuda-histogram.cu";
        "cuda-reduction" "CUDA: sum of a warp with SHFL", "cuda-reduction.cu";
        "cuda-collatz" "CUDA: a loop that diverges", "cuda-collatz.cu";
        "cuda-product" "CUDA: multiply with ATOM in a loop", "cuda-product.cu";
    }
    "Programs" {
        "divergent-loop" "Lanes leave a loop one by one";
        "spin-lock" "A spin lock";
        "barrier" "Two threads meet at a barrier";
        "region-playground" "Regions, one by one";
        "reduction-tree" "A sum by halving";
        "histogram-bins" "Lanes compute their bins";
        "tile-loop" "A matrix product, tile by tile";
    }
};

/// Start of the fragment of a URL that names a bundled scenario: `#scenario=lock`.
pub const FRAGMENT: &str = "scenario=";

/// Finds a scenario by ID.
#[must_use]
pub fn named(id: &str) -> Option<&'static Bundled> {
    BUNDLED.iter().find(|scenario| scenario.id == id)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::diagnostic::Severity;
    use crate::isa::SPECS;
    use crate::machine::SpaceId;
    use crate::program::Program;
    use crate::session::run;
    use std::vec::Vec;

    #[test]
    fn scenarios_have_titles_notes_and_no_errors() {
        for scenario in BUNDLED {
            let program = Program::parse(scenario.text);
            let above = program.diagnostics.iter();
            // Compilers write operands that the documents advise against.
            let above = above.filter(|d| match d.severity() {
                Severity::Error => true,
                Severity::Warning => scenario.topic != KERNELS,
                Severity::Note => false,
            });
            let codes: Vec<&str> = above.map(|d| d.rule.code).collect();
            // It shows a configuration that the document advises against.
            let wanted: &[&str] = match scenario.id {
                "dpasw-2bit" => &["W0443"],
                _ => &[],
            };
            assert_eq!(codes, wanted, "{}", scenario.id);
            assert_eq!(program.title.as_deref(), Some(scenario.title));
            assert!(!program.notes.is_empty(), "{}", scenario.id);
            let is_instruction = SPECS.iter().any(|s| s.name == scenario.topic);
            assert!(is_instruction || [KERNELS, PROGRAMS].contains(&scenario.topic));
            assert_eq!(named(scenario.id), Some(scenario));
            let faults = run(&program).fault.is_some();
            let wanted = ["fault", "endless"]
                .iter()
                .any(|word| scenario.id.contains(word));
            assert_eq!(faults, wanted, "{}", scenario.id);
        }
    }

    #[test]
    fn the_endless_lock_ends_at_the_limit() {
        let lock = run(&Program::parse(named("kernel-endless-lock").unwrap().text));
        let fault = lock.fault.unwrap();
        assert_eq!(fault.kind, crate::isa::FaultKind::OutOfFuel);
        assert_eq!(lock.machine.load(SpaceId::VIRTUAL, 0x20000, 4), Some(0));
    }

    #[test]
    fn scenarios_end_as_their_notes_say() {
        let end = |id: &str, space: SpaceId, address: u64, bytes: u8, count: u64| {
            let machine = run(&Program::parse(named(id).unwrap().text)).machine;
            (0..count)
                .map(|i| {
                    let at = address + i * u64::from(bytes);
                    machine.load(space, at, bytes).unwrap()
                })
                .collect::<Vec<_>>()
        };
        let svm = SpaceId::VIRTUAL;
        assert_eq!(
            end("scatter-planes", svm, 0x100f0, 4, 4),
            [115, 215, 315, 415]
        );
        let [half, seven] = [0xbf00_0000, 0x40e0_0000];
        let first = [0x3f00_0000, seven, seven, half, seven, seven, seven, seven];
        assert_eq!(end("scatter-ra", svm, 0x10000, 4, 8), first);
        let padded = [0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22, 7, 23];
        assert_eq!(end("scatter-padding", svm, 0x10000, 4, 16), padded);
        let minus = |n: u32| u64::from(n.wrapping_neg());
        let greens: Vec<u64> = (1..9).map(minus).collect();
        assert_eq!(end("scatter-overlap", svm, 0x10004, 4, 8), greens);
        assert_eq!(
            end("scatter-overlap", svm, 0x20000, 4, 9),
            [1, 2, 3, minus(3), 5, 6, 7, 8, minus(8)]
        );
        let blue = [0, 0, 0xffff_ffff, 0, 0, 0, 0xffff_ffff, 0];
        assert_eq!(end("scatter-indirect", svm, 0x20000, 4, 8), blue);
        assert_eq!(end("scatter-fault", svm, 0x10000, 4, 32), [0; 32]);
        let eu0 = SpaceId::registers(0);
        // One channel of every row of a matrix product.
        let rows = |id: &str, eu: u8, dst: u64, count: u64| {
            let row = |r: u64| end(id, SpaceId::registers(eu), dst + r * 32 + 12, 4, 1)[0];
            (0..count).map(row).collect::<Vec<_>>()
        };
        let added = [192, 448, 704, 960, -192, -448, -704, -960];
        for (eu, sign) in [(0, 1), (1, -1)] {
            let wanted = added.map(|sum| (1000 + sign * sum) as u64);
            assert_eq!(rows("dpasw-int8", eu, 0, 8), wanted);
        }
        for eu in [0, 1] {
            assert_eq!(rows("dpasw-mixed", eu, 0, 3), [32, 32, 96]);
            assert_eq!(rows("dpasw-mixed", eu, 128, 4), [32, 32, 96, 96]);
            let all = [32, 32, 32, 32, 64, 64, 64, 64];
            assert_eq!(rows("dpasw-2bit", eu, 0, 8), all);
            assert_eq!(rows("dpasw-2bit", eu, 256, 1), [32]);
            assert_eq!(rows("dpasw-order", eu, 0, 2), [0, 0x3f80_0000]);
            assert_eq!(rows("dpasw-eu1", eu, 0, 3), [32, 64, 160]);
        }
        for (eu, own) in [(0, [32, 64, 288]), (1, [160, 192, 224])] {
            assert_eq!(rows("dpas-dpasw", eu, 0, 3), [32, 64, 160]);
            assert_eq!(rows("dpas-dpasw", eu, 96, 3), own);
        }
        let tf32 = end("dpas-tf32", eu0, 60, 4, 2);
        assert_eq!(
            tf32,
            [0x4100_0000, 0x3f60_0000],
            "the last of row 0, 8; 0.875"
        );
        let sums = [0, 64].map(|at| end("dpas-hf", eu0, at, 4, 1)[0]);
        assert_eq!(sums, [0x4500_1000, 0x4500_3000], "2049, 2051");
        let rounded = [128, 160].map(|at| end("dpas-hf", eu0, at, 2, 16));
        assert_eq!(rounded, [[0x6800; 16], [0x6802; 16]], "2048, 2052");
        assert_eq!(rows("dpasw-wrap", 0, 0, 1), [minus(2_147_483_617)]);
        assert_eq!(rows("dpasw-wrap", 1, 0, 2)[1], minus(2_146_967_521));
        assert_eq!(end("histogram", SpaceId::SLM, 0, 4, 4), [3, 8, 3, 2]);
        assert_eq!(
            end("lock", eu0, 96, 4, 8),
            [0, 101, 101, 101, 101, 101, 101, 101]
        );
        assert_eq!(end("lock", SpaceId::SLM, 0x40, 4, 1), [0]);
        assert_eq!(end("predicated", SpaceId::SLM, 0, 4, 4), [4, 3, 7, 0]);
        assert_eq!(
            end("unpacked16", SpaceId::SLM, 0, 2, 4),
            [1, 13, 24, 3],
            "each word by itself"
        );
        assert_eq!(
            end("out-of-bounds", eu0, 64, 4, 8),
            [10, 20, 30, 40, 0, 0, 0, 0]
        );
        assert_eq!(
            end("svm-counter", SpaceId::VIRTUAL, 0x10040, 8, 1),
            [0x1_0000_0009]
        );
        assert_eq!(end("two-eus", SpaceId::SLM, 0, 4, 1), [116]);
        assert_eq!(end("order", SpaceId::SLM, 0, 4, 1), [12]);
        assert_eq!(end("predec", eu0, 64, 4, 4), [2, 1, 0, 0xffff_ffff]);
        let global = |id: &str, bytes, count| end(id, SpaceId::VIRTUAL, 0x10000, bytes, count);
        let r0 = |id: &str, lanes: u64| {
            let values = (0..lanes).map(|lane| end(id, eu0, lane * 8, 4, 1)[0]);
            values.collect::<Vec<_>>()
        };
        assert_eq!(r0("atom-inc", 8), [0, 1, 2, 0, 1, 2, 0, 1]);
        assert_eq!(global("atom-inc", 4, 1), [2]);
        assert_eq!(global("atom-dec", 4, 4), [5, 0, 4, 5]);
        assert_eq!(r0("atom-cas", 7), [105, 105, 105, 105, 105, 0, 105]);
        assert_eq!(
            global("atom-f32", 4, 4),
            [0, 0x8000_0000, 0x3f80_0000, 0x7fff_ffff]
        );
        assert_eq!(r0("atom-f32", 2), [1, 0x8000_0001]);
        assert_eq!(global("atom-f16x2", 2, 4), [0x7c00, 0x4200, 0x3c00, 0]);
        assert_eq!(
            end("atom-min64", SpaceId::VIRTUAL, 0x1_0000_0000, 8, 2),
            [u64::MAX, -7_i64 as u64]
        );
        assert_eq!(global("atom-guard", 4, 9), [1, 0, 0, 1, 0, 0, 1, 1, 0]);
        assert_eq!(global("atom-sparse", 4, 1), [6]);
        assert_eq!(r0("atom-sparse", 3), [5, 0, 9]);
        assert_eq!(end("atom-sparse", SpaceId::flags(0), 8, 4, 1), [2]);
        assert_eq!(global("atom-safeadd", 8, 1), [2]);
        assert_eq!(global("atom-fault-misaligned", 4, 4), [0; 4]);
        assert_eq!(global("atom-fault-range", 4, 1), [1]);
        assert_eq!(
            global("inc-visa", 4, 8),
            [1, 2, 3, 4, 5, 0xffff_ffff, 0, 4],
            "no bound"
        );
        assert_eq!(global("inc-sass", 4, 8), [1, 2, 3, 0, 0, 0, 0, 0]);
        assert_eq!(
            end("predec", eu0, 96, 4, 4),
            [1, 0, 0xffff_ffff, 0xffff_fffe]
        );
    }
}
