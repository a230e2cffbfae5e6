use lanewise_answer::matrix::DstElement;
use lanewise_core::isa::visa::matrix::MatrixSuffix;

#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum MatrixAction {
    ByTable(bool),
    ByRegister(bool),
    Register(Option<u8>),
    Element(Option<DstElement>),
    /// Rewrites the precisions and repeat count of the instruction.
    Reshape(MatrixSuffix),
    FillFactors,
}
