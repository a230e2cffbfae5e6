//! Functions of the npm package. Answers are JSON texts; `npm/index.js` parses them.

use crate::launch::{self, Request};
use lanewise_core::program::Program;
use lanewise_files::outline;
use lanewise_files::zebin::{self, Kernel};
use std::rc::Rc;
use wasm_bindgen::prelude::wasm_bindgen;

fn text(answer: &impl serde::Serialize) -> String {
    serde_json::to_string(answer).expect("strings, numbers and lists can be serialized")
}

/// The diagnostics of a scenario.
#[wasm_bindgen]
pub fn check(scenario: &str) -> String {
    let program = Program::parse(scenario);
    text(&lanewise_answer::checked(
        program.can_run(),
        &program.diagnostics,
    ))
}

/// Runs a scenario.
#[wasm_bindgen]
pub fn run(scenario: &str) -> String {
    lanewise_answer::run(&Rc::new(Program::parse(scenario)))
}

/// The kernels of a compiled program, or the functions of a listing.
///
/// # Errors
/// Why the file cannot be opened.
#[wasm_bindgen]
pub fn open(name: &str, bytes: &[u8]) -> Result<String, String> {
    outline::read(name, bytes, None).map(|(contents, _)| text(&contents))
}

/// Runs a kernel of a compiled program.
///
/// # Errors
/// Why the program cannot be opened or launched.
#[wasm_bindgen]
pub fn launch(program: &[u8], request: &str) -> Result<String, String> {
    let request: Request = serde_json::from_str(request).map_err(|error| error.to_string())?;
    let kernel = kernel(program, request.kernel.as_deref())?;
    match launch::answer(&kernel, &request) {
        Ok(answer) => Ok(text(&answer)),
        Err(refused) => Ok(text(&lanewise_answer::checked(false, &refused))),
    }
}

fn kernel(program: &[u8], name: Option<&str>) -> Result<Kernel, String> {
    let mut kernels = zebin::open(program)
        .map_err(|error| error.to_string())?
        .kernels;
    let known = kernels.iter().map(|kernel| kernel.name.clone());
    let known = known.collect::<Vec<_>>();
    let position = match name {
        Some(name) => known.iter().position(|known| known == name),
        None => (known.len() == 1).then_some(0),
    };
    let missing = || format!("name one of the kernels: {}", known.join(", "));
    Ok(kernels.swap_remove(position.ok_or_else(missing)?))
}
