use super::DstElement;
use lanewise_core::isa::visa::matrix::MatrixSuffix;

/// What the picture asks for.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum MatrixAction {
    ByTable(bool),
    ByRegister(bool),
    Register(Option<u8>),
    Element(Option<DstElement>),
    /// Rewrite the instruction's precisions and repeat count.
    Reshape(MatrixSuffix),
}
