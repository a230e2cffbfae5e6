use super::state_view::StateView;
use crate::store::{Slice, State};
use lanewise_answer::buffer_view::{BufferView, declared_types};
use lanewise_answer::grids::Grids;
use lanewise_core::session::Session;
use std::rc::Rc;

/// Inputs of the models of the State pane. State outside these inputs cannot
/// affect what the pane shows.
#[derive(Clone, PartialEq)]
pub(crate) struct StateInputs {
    pub(crate) session: Slice<Session>,
    pub(crate) state_view: Slice<StateView>,
    /// How the buffers of the launch are shown.
    pub(super) views: Rc<[BufferView]>,
    /// Whether the text has no errors, so that the state belongs to it.
    pub(crate) can_run: bool,
}

impl StateInputs {
    pub(crate) fn grids(&self) -> Grids<'_> {
        Grids {
            session: &self.session,
            view: &self.state_view.grid,
            buffer_views: &self.views,
        }
    }
}

impl State {
    pub(crate) fn grids(&self) -> Grids<'_> {
        Grids {
            session: &self.session,
            view: &self.state_view.grid,
            buffer_views: self.buffer_views(),
        }
    }

    pub(crate) fn state_inputs(&self) -> StateInputs {
        StateInputs {
            session: self.session.clone(),
            views: Rc::clone(self.buffer_views()),
            state_view: self.state_view.clone(),
            can_run: self.can_run(),
        }
    }

    fn buffer_views(&self) -> &Rc<[BufferView]> {
        let view = &self.state_view;
        view.buffer_views.get_or_init(|| {
            let program = self.session.program();
            let buffers = match &program.launch {
                Some(launch) if !launch.buffers.is_empty() => &launch.buffers,
                _ => return Rc::from([]),
            };
            let declared = declared_types(&self.source.document.text);
            let source = self.kernel_source();
            let source = source.as_ref().map_or("", |source| &source.text);
            let is_cuda = program.symbols.target.facts().is_cuda;
            let views = buffers.iter().map(|buffer| {
                let mut declared = declared.iter();
                let declared = declared.find(|(name, _)| *name == buffer.name);
                let declared = declared.map(|(_, ty)| &**ty);
                let chosen = view.buffer_types.get(&*buffer.name).map(|ty| &**ty);
                BufferView::of(buffer, declared, chosen, source, is_cuda)
            });
            views.collect()
        })
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;
    use lanewise_answer::grids::{Cell, GridRow, Place, Tab};

    /// Room for rows of four dwords.
    pub(crate) const WIDTH: usize = 60;

    /// Rows of a grid, at most 64.
    pub(crate) fn rows(state: &State, grid: Tab) -> Vec<GridRow> {
        let grids = state.grids();
        let shape = grids.shape(grid, WIDTH);
        let rows = (0..shape.rows.min(64)).map(|row| grids.row(&shape, row));
        rows.map(|row| row.expect("the row exists")).collect()
    }

    /// Values of the first cells of a grid; `old → new` if they changed.
    pub(crate) fn values(rows: &[GridRow], count: usize) -> Vec<String> {
        let cells = rows.iter().flat_map(|row| &row.cells).take(count);
        let text = |cell: &Cell| match cell.was {
            Some(was) => format!("{} → {}", cell.text_of(was), cell.text_of(cell.bits)),
            None => cell.text_of(cell.bits),
        };
        cells.map(text).collect()
    }

    /// The cell that a key reaches from the inspected cell.
    pub(crate) fn neighbour(state: &State, right: i32, down: i32) -> Place {
        let inputs = state.state_inputs();
        let chosen = inputs.chosen_cell().expect("a cell is inspected").place;
        let grids = inputs.grids();
        let shape = grids.shape(grids.view.tab, WIDTH);
        grids
            .neighbour(&shape, chosen, right, down)
            .unwrap_or(chosen)
    }
}
