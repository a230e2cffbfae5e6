#![no_main]

use lanewise_tests::fuzz;

libfuzzer_sys::fuzz_target!(|data: &[u8]| {
    (fuzz::target("branches").expect("target exists").run)(data);
});
