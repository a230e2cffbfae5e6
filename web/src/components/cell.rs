use crate::dom::{El, el};
use crate::state::cells::{Cell, digits};
use lanewise_core::number::ElementType;

/// One element: its value, and above it what it was before the last step.
/// `numbered`: its number in its variable, where it has one.
pub(crate) fn draw(cell: &Cell, ty: ElementType, numbered: Option<usize>) -> El {
    let title = format!("0x{}", digits(cell.bits, ty));
    match &cell.was {
        None => {
            let index = |index: usize| {
                el!("span", "class" = "was index", "aria-hidden" = "true").put(index.to_string())
            };
            el!("span", "class" = "cell", "title" = title)
                .put(numbered.map(index))
                .put(el!("span").put(cell.now.clone()))
        }
        Some(was) => el!("span", "class" = "cell changed", "title" = title)
            .put(
                el!("span", "class" = "was")
                    .put(el!("span", "class" = "unseen").put("changed from "))
                    .put(was.clone())
                    .put(" → "),
            )
            .put(el!("span", "class" = "now").put(cell.now.clone())),
    }
}
