use super::DstElement;
use lanewise_core::isa::visa::matrix::MatrixSuffix;

/// Action of the matrix view.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum MatrixAction {
    ByTable(bool),
    ByRegister(bool),
    Register(Option<u8>),
    Element(Option<DstElement>),
    /// Rewrites the precisions and repeat count of the instruction.
    Reshape(MatrixSuffix),
    /// Replaces the initial values of Src1 and Src2.
    FillFactors,
}
