use crate::features::program::SourceText;
use lanewise_core::ide::{FormPart, FormProblem, LaunchForm, with_struct_fields};
use lanewise_core::program::Program;
use lanewise_core::text::counted;
use std::collections::BTreeMap;
use std::rc::Rc;

/// Launch being edited.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct LaunchDialogState {
    /// Name of the kernel, or title of the program.
    pub(crate) name: Rc<str>,
    /// File and properties of the kernel.
    pub(crate) about: Rc<str>,
    /// File with the kernel; `None` edits the current program.
    pub(super) file: Option<Rc<str>>,
    /// Text that the form was read from.
    pub(super) text: Rc<str>,
    pub(crate) form: LaunchForm,
    /// Name of the source file of the kernel, if the text has source lines.
    source_name: Option<Rc<str>>,
    /// Work-group to step.
    pub(crate) step_group: String,
    /// Number of work-groups.
    pub(crate) groups: Option<u32>,
    /// Number of groups and of threads, in words.
    pub(crate) groups_text: String,
    pub(crate) problems: Vec<FormProblem>,
    /// Buffer that could not be filled with a file, and the reason.
    pub(super) refused_file: Option<(usize, String)>,
    /// Files that buffers start as, by argument.
    pub(super) files: BTreeMap<usize, Rc<[u8]>>,
}

impl LaunchDialogState {
    /// Launch of a text; `None` without a `.launch` line.
    pub(super) fn new(
        name: &str,
        about: String,
        file: Option<Rc<str>>,
        text: Rc<str>,
    ) -> Option<Self> {
        let form = LaunchForm::read(&text)?;
        let mut state = Self {
            name: Rc::from(name),
            about: Rc::from(about),
            file,
            text,
            form,
            source_name: None,
            step_group: String::from("0"),
            groups: None,
            groups_text: String::new(),
            problems: Vec::new(),
            refused_file: None,
            files: BTreeMap::new(),
        };
        state.check();
        Some(state)
    }

    /// Text of the launch with a work-group in the timeline.
    pub(crate) fn text_for(&self, group: &str) -> String {
        let mut form = self.form.clone();
        form.group = group.to_owned();
        form.write(&self.text)
    }

    /// Checks the fields by parsing the text that they make.
    pub(super) fn check(&mut self) {
        let mut form = self.form.clone();
        form.group.clone_from(&self.step_group);
        let text = form.write(&self.text);
        let program = Program::parse(&text);
        self.problems = form.problems(&text, &program);
        if let Some((argument, message)) = &self.refused_file {
            self.problems.push(FormProblem {
                parts: vec![FormPart::Values(*argument)],
                message: message.clone(),
                help: None,
            });
        }
        self.source_name = program.source_name().map(Rc::from);
        // Without a valid group, the sizes may still be right.
        let count = self.form.groups().map(|(groups, _)| u32::try_from(groups));
        self.groups = count.and_then(Result::ok);
        self.groups_text.clear();
        if let Some(launch) = &program.launch {
            let (groups, threads) = (launch.group_count(), launch.threads());
            self.groups = Some(groups);
            let words = launch.words();
            let [groups, threads] = [
                counted(groups, words.group),
                counted(u32::from(threads), words.thread),
            ];
            self.groups_text = format!("{groups} of {threads}");
        }
    }

    /// Whether an argument is a structure whose fields are not known.
    pub(super) fn has_unknown_struct(&self) -> bool {
        let mut arguments = self.form.arguments.iter();
        arguments.any(|field| field.part_of_struct().is_some())
    }

    /// Fills structures by field, as far as the source of the kernel defines them.
    pub(crate) fn use_source(&mut self, sources: &[SourceText]) {
        let is_own = |source: &&SourceText| match &self.source_name {
            Some(name) => source.name == *name,
            None => true,
        };
        let Some(source) = sources.iter().find(is_own) else {
            return;
        };
        let own = with_struct_fields(&self.text_for(&self.step_group), &source.text);
        if let Some(form) = LaunchForm::read(&own) {
            self.text = Rc::from(own);
            self.form = form;
            // Fields may be arguments of their own now.
            self.files.clear();
            self.check();
        }
    }

    /// Whether the kernel of a file was compiled from a source file with this name.
    pub(crate) fn names_source(&self, name: &str) -> bool {
        self.source_name.as_deref() == Some(name)
    }

    pub(super) fn problems_of(&self, part: FormPart) -> impl Iterator<Item = &FormProblem> {
        self.problems
            .iter()
            .filter(move |problem| problem.parts.contains(&part))
    }
}

/// Properties of the current program in words.
pub(super) fn about_program(program: &Program) -> String {
    let target = program.symbols.target;
    let compiled = format!("compiled for {}", target.processor());
    match &program.launch {
        Some(launch) if target.facts().has_declarations => {
            format!("SIMD {} · {compiled}", launch.simd)
        }
        _ => compiled,
    }
}
