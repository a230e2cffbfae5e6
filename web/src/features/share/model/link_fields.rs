//! View options in links. `lanewise_link::view` lists the field names.

use crate::features::screen::DrawerTab;
use crate::features::state::MemoryAction;
use crate::features::transport::StepSize;
use crate::store::State;
use lanewise_answer::grids::{MemoryFormat, MemoryKind, RegisterFormat, Tab};
use lanewise_answer::matrix::{DstElement, MatrixViewOptions};
use lanewise_core::isa::Style;
use lanewise_core::isa::visa::matrix::layout::Index;
use lanewise_link::{View, view};

/// Value of `matrix` for the register view.
const BY_REGISTER: &str = "registers";

/// Value of `editor` for the plain-text editor.
const PLAIN: &str = "plain";

impl State {
    /// View options that differ from the defaults, and those for which a link has
    /// no room.
    pub(crate) fn link_view(&self) -> (View, Vec<String>) {
        let mut fields = View::default();
        let mut omitted = Vec::new();
        let step = self.session.position();
        if step > 0 {
            fields.set_number(view::STEP, step as u64);
        }
        fields.set(view::TAB, self.state_view.grid.tab.key());
        if self.state_view.grid.register_format != RegisterFormat::Declared {
            fields.set(
                Tab::Registers.key(),
                self.state_view.grid.register_format.key(),
            );
        }
        for tab in Tab::all(self.session.program()) {
            self.set_memory_fields(*tab, &mut fields);
        }
        if let Some(DstElement { eu, index }) = self.matrix_view.element {
            let Index { row, column } = index;
            fields.set(view::ELEMENT, &format!("{eu}.{row}.{column}"));
        }
        if let Some(register) = self.matrix_view.register {
            fields.set_number(view::SRC2, register.into());
        }
        if self.matrix_view.by_table {
            fields.set_number(view::TABLE, 1);
        }
        if self.matrix_view.by_register {
            fields.set(view::MATRIX, BY_REGISTER);
        }
        if self.stepping.step_size != self.usual_step_size() {
            fields.set(view::STRIDE, self.stepping.step_size.key());
        }
        if let Some(cell) = self.state_view.inspect.chosen() {
            fields.set(view::CELL, &cell.to_string());
        }
        let watched = self.state_view.inspect.watches.iter();
        match fields.set_list(view::WATCH, watched) {
            0 => {}
            more => omitted.push(format!("watched cells: {more}")),
        }
        if let Some(tab) = self.screen.tab {
            fields.set(view::DRAWER, tab.key());
        }
        let breakpoints = self.source.breakpoints.numbered();
        let lines = breakpoints.iter().map(|(line, _)| line);
        match fields.set_list(view::BREAKPOINTS, lines) {
            0 => {}
            more => omitted.push(format!("breakpoints: {more}")),
        }
        if self.source.editor.plain {
            fields.set(view::EDITOR, PLAIN);
        }
        for (line, text) in breakpoints.iter().filter(|(_, text)| !text.is_empty()) {
            if !fields.set_text(&format!("{}{line}", view::CONDITION), text) {
                omitted.push(format!("the condition on line {line}"));
            }
        }
        (fields, omitted)
    }

    fn set_memory_fields(&self, tab: Tab, fields: &mut View) {
        let Some(kind) = tab.memory() else {
            return;
        };
        let memory = &self.state_view.grid.memories[kind];
        let inputs = self.state_inputs();
        let regions = inputs.grids().regions(kind);
        let format = memory.format;
        // Stepping also changes the region of closed tabs; only the open tab's
        // region is the user's choice.
        let has_region = memory.region > 0 && tab == self.state_view.grid.tab;
        let is_usual = format == MemoryFormat::AS_USED && !has_region;
        if regions.is_empty() || is_usual {
            return;
        }
        let hex = if format.hex { ".hex" } else { "" };
        let ty = format.type_name();
        let mut value = format!("{ty}{hex}");
        if memory.region > 0 {
            value.push_str(&format!(":{}", memory.region));
        }
        fields.set(tab.key(), &value);
    }

    /// Applies the view options of a link, replacing all earlier choices.
    /// Returns the fields that could not be applied.
    pub(crate) fn apply_view(&mut self, fields: &View) -> Vec<String> {
        let mut skipped = Vec::new();
        self.reset_view();
        // The step size first: it determines how steps are counted.
        let size = fields.get(view::STRIDE).and_then(StepSize::of_key);
        self.set_step_size(size.unwrap_or(self.usual_step_size()));
        let step = fields.get(view::STEP).map(str::parse);
        for (name, value) in fields.fields() {
            let is_known = match name {
                // Applied when the text was opened.
                view::STYLE => style(value).is_some(),
                view::STRIDE => size.is_some(),
                view::STEP => matches!(step, Some(Ok(_))),
                view::TAB => self.open_tab(value),
                view::EDITOR => value == PLAIN,
                view::DRAWER => self.open_drawer_tab(value),
                view::BREAKPOINTS => self.set_breakpoints(value, fields),
                // Applied with the breakpoints.
                _ if name.starts_with(view::CONDITION) => view::text_of(value).is_some(),
                view::ELEMENT | view::SRC2 | view::TABLE | view::MATRIX => {
                    set_matrix_field(&mut self.matrix_view, name, value)
                }
                // Cells may exist only at the step: see below.
                view::CELL | view::WATCH => true,
                _ => self.show_as(name, value),
            };
            if !is_known {
                skipped.push(format!("{name} = {value}"));
            }
        }
        // Seeking scrolls to writes but does not change the tab.
        self.seek_unexplored(step.and_then(Result::ok).unwrap_or(0));
        for name in [view::WATCH, view::CELL] {
            let Some(value) = fields.get(name) else {
                continue;
            };
            let mut all_found = true;
            for cell in value.split(',') {
                all_found &= cell.parse().is_ok_and(|place| match name {
                    view::WATCH => self.watch(place),
                    _ => self.look_at(place),
                });
            }
            if !all_found {
                skipped.push(format!("{name} = {value}"));
            }
        }
        if fields.get(view::EDITOR) == Some(PLAIN) {
            self.source.editor.plain_for_link();
        }
        skipped
    }

    /// Opens a tab of the drawer; false if the name is unknown.
    fn open_drawer_tab(&mut self, key: &str) -> bool {
        let tab = DrawerTab::of_key(key);
        if tab.is_some() {
            self.screen.tab = tab;
        }
        tab.is_some()
    }

    /// Sets breakpoints from line numbers; false if a number or a condition is
    /// invalid.
    fn set_breakpoints(&mut self, value: &str, fields: &View) -> bool {
        let numbered = value.split(',').map(|number| {
            let line: u32 = number.parse().ok()?;
            let condition = match fields.get(&format!("{}{line}", view::CONDITION)) {
                Some(value) => view::text_of(value)?,
                None => String::new(),
            };
            Some((line, condition))
        });
        let numbered: Option<Vec<_>> = numbered.collect();
        if let Some(numbered) = &numbered {
            self.restore_breakpoints(numbered);
        }
        numbered.is_some()
    }

    /// Resets the view options of panes and picture.
    fn reset_view(&mut self) {
        self.state_view.grid.register_format = RegisterFormat::Declared;
        self.matrix_view = MatrixViewOptions::default();
        self.state_view.inspect.stop_inspecting();
        for memory in self.state_view.grid.memories.iter_mut() {
            memory.format = MemoryFormat::AS_USED;
        }
        self.reset_grids();
    }

    /// Opens a tab of the State pane by its stable name. Returns false if the
    /// program lacks such a tab.
    pub(crate) fn open_tab(&mut self, key: &str) -> bool {
        let tab = Tab::of_key(key, self.session.program());
        self.state_view.grid.tab = tab.unwrap_or(self.state_view.grid.tab);
        tab.is_some()
    }

    /// Sets the format of a pane.
    fn show_as(&mut self, key: &str, value: &str) -> bool {
        let Some(tab) = Tab::of_key(key, self.session.program()) else {
            return false;
        };
        if let Some(kind) = tab.memory() {
            return self.show_memory(kind, value).is_some();
        }
        let format = RegisterFormat::of_key(value);
        self.state_view.grid.register_format =
            format.unwrap_or(self.state_view.grid.register_format);
        format.is_some()
    }

    fn show_memory(&mut self, kind: MemoryKind, value: &str) -> Option<()> {
        let mut parts = value.split(':');
        let shown = parts.next()?;
        let (ty, hex) = match shown.strip_suffix(".hex") {
            Some(ty) => (ty, true),
            None => (shown, false),
        };
        let ty = MemoryFormat::named_type(ty)?;
        if let Some(region) = parts.next() {
            let region = region.parse().ok()?;
            self.apply_memory(kind, MemoryAction::Region(region));
        }
        self.apply_memory(kind, MemoryAction::Format(MemoryFormat { ty, hex }));
        Some(())
    }
}

/// Parses the name of a style in a link.
pub(crate) fn style(value: &str) -> Option<Style> {
    match value {
        "document" => Some(Style::Document),
        "assembler" => Some(Style::Assembler),
        _ => None,
    }
}

/// Sets a view option of a matrix instruction; false if the value is invalid.
fn set_matrix_field(matrix_view: &mut MatrixViewOptions, name: &str, value: &str) -> bool {
    let number = |text: &str, below: u8| text.parse().ok().filter(|n| *n < below);
    match name {
        view::ELEMENT => {
            let mut parts = value.split('.');
            let mut part = |below| parts.next().and_then(|text| number(text, below));
            let (Some(eu), Some(row), Some(column)) = (part(2), part(8), part(16)) else {
                return false;
            };
            let index = Index { row, column };
            matrix_view.element = Some(DstElement { eu, index });
            true
        }
        view::SRC2 => {
            matrix_view.register = number(value, 16);
            matrix_view.register.is_some()
        }
        view::MATRIX => {
            matrix_view.by_register = value == BY_REGISTER;
            matrix_view.by_register
        }
        _ => {
            matrix_view.by_table = value == "1";
            matrix_view.by_table
        }
    }
}
