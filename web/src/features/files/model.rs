use crate::features::outcomes::WorkerRequest;
use crate::features::program::{Origin, Source, SourceText};
use lanewise_core::program::Program;
use lanewise_files::outline::FileOutline;
use std::rc::Rc;

/// Maximum number of source files that are kept.
const MAX_SOURCES: usize = 8;

/// The last file, and the one that the worker reads.
#[derive(Clone, Debug, Default)]
pub(crate) struct Files {
    /// File whose functions can be opened.
    pub(crate) listed: Option<ListedFile>,
    /// Source files of kernels, the latest first, each name once.
    sources: Vec<SourceText>,
    /// Problems of the file of `lanewise serve` that is shown.
    pub(crate) problems: Rc<[Rc<str>]>,
    /// The cubin of the listing that is read next.
    pub(super) cubin: Option<Rc<[u8]>>,
    pub(crate) request: Option<WorkerRequest>,
    /// Number and name of the file that the request is about, until it is answered.
    pub(crate) pending: Option<(u32, Rc<str>)>,
    /// Number of files read so far; identifies the last one.
    pub(crate) count: u32,
}

impl Files {
    /// Source files of kernels, the latest first.
    pub(crate) fn sources(&self) -> &[SourceText] {
        &self.sources
    }

    /// Texts of the source files that the source lines of a listing name.
    pub(super) fn sources_named_in(&self, bytes: &[u8]) -> Vec<String> {
        let names = |source: &&SourceText| {
            let name = format!("{}\"", source.name);
            let mut places = bytes.windows(name.len() + 1);
            places.any(|part| b"/\\\"".contains(&part[0]) && part[1..] == *name.as_bytes())
        };
        let named = self.sources.iter().filter(names);
        named.map(|source| String::from(&*source.text)).collect()
    }

    /// The source file that a program names, if the user opened it or the kernel is
    /// bundled.
    pub(crate) fn source_of(&self, program: &Program) -> Option<SourceText> {
        let file = program.source_name()?;
        let opened = self.sources.iter().find(|source| &*source.name == file);
        opened.cloned().or_else(|| SourceText::bundled(file))
    }

    /// Whether the text is empty because the served file has errors and no program.
    pub(crate) fn has_no_served_program(&self, source: &Source) -> bool {
        // A program that the user deletes is still the original.
        let texts = [&source.document.text, &source.original.text];
        let is_empty = texts.iter().all(|text| text.trim().is_empty());
        is_empty && matches!(source.origin, Origin::File(_)) && !self.problems.is_empty()
    }

    /// Adds a source file; returns the one of the same name that it replaces.
    pub(crate) fn keep_source(&mut self, source: SourceText) -> Option<SourceText> {
        let same = |kept: &SourceText| kept.name == source.name;
        let earlier = self.sources.iter().position(same);
        let earlier = earlier.map(|index| self.sources.remove(index));
        self.sources.truncate(MAX_SOURCES - 1);
        self.sources.insert(0, source);
        earlier
    }
}

/// Whether a file is a cubin.
pub(super) fn is_cubin_name(name: &str) -> bool {
    name.ends_with(".cubin")
}

/// Whether a file is a source rather than a program.
pub(super) fn is_source_name(name: &str) -> bool {
    [".cl", ".cu"].iter().any(|end| name.ends_with(end))
}

/// File whose functions can be opened.
#[derive(Clone, Debug)]
pub(crate) struct ListedFile {
    /// Name of the local file.
    pub(crate) name: Rc<str>,
    pub(crate) outline: Rc<FileOutline>,
    pub(crate) number: u32,
}
