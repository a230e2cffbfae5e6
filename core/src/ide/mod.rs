//! Services for editors: token classes ([`tokens`]), hover ([`hover`]),
//! completion ([`complete`]), signature help ([`signature`]), formatting
//! ([`format()`]), folding ([`folds`]), definitions ([`definition`]), variable uses
//! ([`operand_uses`]), edits of regions and matrix instructions, and launches as forms
//! ([`LaunchForm`]).
//!
//! This module has no grammar of its own. It uses the parsers of
//! [`crate::program`] and [`crate::isa`]; completion offers the candidates that
//! these parsers accept.

mod complete;
mod format;
mod functions;
mod hover;
mod launch_form;
mod line;
mod matrix;
mod outline;
mod region;
mod signature;
mod struct_layout;
mod tokens;
mod topics;
mod uses;

pub use complete::{Candidate, Completion, complete};
pub use format::{Formatted, UnformattedLine, format};
pub use functions::{SourceFunction, kernel_parameters, source_function};
pub use hover::{Hover, HoverDiagnostic, hover};
pub use launch_form::{
    ArgumentField, FieldValue, FormPart, FormProblem, LaunchForm, PROPOSED, SizeField, ValueKind,
    equal_but_group, opencl_name, opencl_type,
};
pub use matrix::{with_matrix_suffix, with_sample_factors};
pub use outline::{Fold, definition, folds};
pub use region::{RegionComponent, region_components, with_region_component};
pub use signature::{Signature, signature};
pub use struct_layout::{LayoutError, type_layout, with_struct_fields};
pub use tokens::{tokens, tokens_of_lines};
pub use topics::{Topic, topics};
pub use uses::{OperandUse, operand_uses};
