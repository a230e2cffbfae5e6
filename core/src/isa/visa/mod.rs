//! Intel's virtual ISA: declarations, operands, execution control, and the
//! instructions.

pub mod alu;
pub mod atomic;
pub mod channels;
pub mod compute;
pub mod declaration_parser;
pub mod declarations;
pub mod dpas;
pub mod dpasw;
pub mod dword_atomic;
pub mod execution;
pub mod expression;
pub mod matrix;
pub mod op;
pub mod operand;
pub mod operation;
pub mod plane_access;
pub mod platform;
pub mod predefined;
pub mod raw_operand;
pub mod spelling;
pub mod surface;
pub mod svm_atomic;
pub mod svm_gather4_scaled;
pub mod svm_scatter4_scaled;
pub mod syntax;
pub mod value_flow;
pub mod vector;
