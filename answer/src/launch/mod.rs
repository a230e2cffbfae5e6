//! A launch as its author sees it: the result, the work-items, arguments and variables.

mod outline;
mod result;
mod variables;
mod work_items;

pub use outline::{OutlineEntry, outline};
pub use result::{FindingKind, ResultPart, result_parts};
pub use variables::{ArgumentRow, Definition, VariableRow, arguments, definitions, variables};
pub use work_items::{ItemCell, ItemRow, WorkItems};
