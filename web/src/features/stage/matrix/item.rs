//! Parts of the picture that can be hovered, focused and pressed.

use super::action::MatrixAction;
use super::model::{DstElement, Grids, MatrixGrid, MatrixModel};
use super::shapes::with_configuration;
use crate::dom::data_at;
use lanewise_core::isa::visa::matrix::layout::MatrixRole;
use lanewise_core::isa::visa::matrix::precision::Column;
use std::fmt;
use std::rc::Rc;
use std::str::FromStr;
use web_sys::wasm_bindgen::JsCast;
use web_sys::{Element, SvgElement};
use yew::prelude::*;

/// Part of the picture, identified by the `data-item` attribute, so that one
/// delegated listener serves all parts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum MatrixItem {
    /// Cell of a grid, with one or more elements.
    Cell {
        role: MatrixRole,
        eu: u8,
        row: usize,
        column: usize,
    },
    /// Register of Src2.
    Register { eu: u8, register: u8 },
    /// Part of a Src2 register that holds data of a row of A.
    Segment { eu: u8, register: u8, row: u8 },
    /// Cell of the configuration table: column index and RC.
    Configuration { column: usize, rc: u8 },
    /// Heading that collapses the rows of a grid.
    Fold,
}

impl fmt::Display for MatrixItem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Cell {
                role,
                eu,
                row,
                column,
            } => write!(f, "cell {} {eu} {row} {column}", role.name()),
            Self::Register { eu, register } => write!(f, "register {eu} {register}"),
            Self::Segment { eu, register, row } => write!(f, "segment {eu} {register} {row}"),
            Self::Configuration { column, rc } => write!(f, "configuration {column} {rc}"),
            Self::Fold => f.write_str("fold"),
        }
    }
}

impl FromStr for MatrixItem {
    type Err = ();

    fn from_str(text: &str) -> Result<Self, ()> {
        fn number<T: FromStr>(text: &str) -> Result<T, ()> {
            text.parse().map_err(|_| ())
        }
        let parts: Vec<&str> = text.split(' ').collect();
        match parts[..] {
            ["cell", role, eu, row, column] => {
                let mut roles = MatrixRole::ALL.into_iter();
                Ok(Self::Cell {
                    role: roles.find(|known| known.name() == role).ok_or(())?,
                    eu: number(eu)?,
                    row: number(row)?,
                    column: number(column)?,
                })
            }
            ["register", eu, register] => Ok(Self::Register {
                eu: number(eu)?,
                register: number(register)?,
            }),
            ["segment", eu, register, row] => Ok(Self::Segment {
                eu: number(eu)?,
                register: number(register)?,
                row: number(row)?,
            }),
            ["configuration", column, rc] => Ok(Self::Configuration {
                column: number(column)?,
                rc: number(rc)?,
            }),
            ["fold"] => Ok(Self::Fold),
            _ => Err(()),
        }
    }
}

impl MatrixItem {
    /// Item that an event targets.
    pub(super) fn of_event(event: &Event) -> Option<Self> {
        data_at(&event.target_dyn_into()?, "data-item")
    }

    /// Item to which an arrow key moves: a cell of the same grid, or another
    /// configuration.
    fn neighbour(self, key: &str) -> Option<Self> {
        let (rows, columns) = match key {
            "ArrowUp" => (-1, 0),
            "ArrowDown" => (1, 0),
            "ArrowLeft" => (0, -1),
            "ArrowRight" => (0, 1),
            _ => return None,
        };
        match self {
            Self::Cell {
                role,
                eu,
                row,
                column,
            } => Some(Self::Cell {
                role,
                eu,
                row: row.checked_add_signed(rows)?,
                column: column.checked_add_signed(columns)?,
            }),
            // Each line of the table is a column of the documented table, with
            // repeat counts side by side.
            Self::Configuration { column, rc } => Some(Self::Configuration {
                column: column.checked_add_signed(rows)?,
                rc: rc.checked_add_signed(columns as i8)?,
            }),
            Self::Register { .. } | Self::Segment { .. } | Self::Fold => None,
        }
    }
}

/// Moves focus by an arrow key. Returns whether the key is handled.
pub(super) fn move_focus(svg: &Element, event: &KeyboardEvent) -> bool {
    let item = MatrixItem::of_event(event);
    let moves = matches!(
        item,
        Some(MatrixItem::Cell { .. } | MatrixItem::Configuration { .. })
    );
    let is_arrow = event.key().starts_with("Arrow");
    if let Some(next) = item.and_then(|item| item.neighbour(&event.key())) {
        let found = svg.query_selector(&format!("[data-item='{next}']"));
        let element = found.expect("the selector is valid");
        // The last item has no successor.
        if let Some(element) = element.and_then(|e| e.dyn_into::<SvgElement>().ok()) {
            element.focus().expect("every SVG element has focus()");
        }
    }
    moves && is_arrow
}

/// Action of pressing an item: selects an element of D, the Src2 register that
/// holds a row of A, or another configuration. Pressing a selected element or
/// register again deselects it.
pub(super) fn pressed(
    model: &MatrixModel,
    grids: &Grids,
    dst: &[Rc<MatrixGrid>],
    item: MatrixItem,
) -> Option<MatrixAction> {
    let choose = |eu: u8, register: u8| {
        let register = (eu, register);
        let other = model.register() != Some(register);
        MatrixAction::Register(other.then(|| model.register_number(register)))
    };
    match item {
        MatrixItem::Register { eu, register } | MatrixItem::Segment { eu, register, .. } => {
            Some(choose(eu, register))
        }
        MatrixItem::Configuration { column, rc } => {
            let column = *Column::ALL.get(column)?;
            let new = with_configuration(model.written, model.precisions, column, rc);
            (new != model.written).then_some(MatrixAction::Reshape(new))
        }
        MatrixItem::Cell {
            role,
            eu,
            row,
            column,
        } => {
            let grid = grids.of(role, dst).get(usize::from(eu))?;
            let index = *grid.rows.get(row)?.cells.get(column)?.elements.first()?;
            match role {
                MatrixRole::A => {
                    let at = model.location(role, eu, index)?;
                    Some(choose(at.eu, at.register))
                }
                MatrixRole::D => {
                    let element = DstElement {
                        eu,
                        row: index.row,
                        channel: index.column,
                    };
                    let other = model.look.element != Some(element);
                    Some(MatrixAction::Element(other.then_some(element)))
                }
                MatrixRole::B | MatrixRole::C => None,
            }
        }
        MatrixItem::Fold => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn item_attributes_are_unique() {
        let items = [
            MatrixItem::Cell {
                role: MatrixRole::D,
                eu: 1,
                row: 7,
                column: 15,
            },
            MatrixItem::Register {
                eu: 0,
                register: 15,
            },
            MatrixItem::Segment {
                eu: 1,
                register: 3,
                row: 7,
            },
            MatrixItem::Configuration { column: 2, rc: 8 },
            MatrixItem::Fold,
        ];
        for item in items {
            assert_eq!(item.to_string().parse(), Ok(item));
        }
        for text in ["", "cell", "cell E 0 0 0", "register 0", "register 0 256"] {
            assert_eq!(text.parse::<MatrixItem>(), Err(()), "{text}");
        }
    }
}
