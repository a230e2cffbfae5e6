//! Threads of a work-group: where each of them is.

mod model;
mod view;

pub(crate) use view::{thread_picker, threads_pane};
