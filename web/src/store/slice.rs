//! Copy-on-write slices of the state.

use std::ops::{Deref, DerefMut};
use std::rc::Rc;

/// Slice of the state. Clones share the value until one of them is borrowed
/// mutably (`Rc::make_mut`). Equality is pointer equality, so slices are cheap
/// memo keys. Any mutable borrow counts as a change, even if it changes
/// nothing.
#[derive(Debug, Default)]
pub(crate) struct Slice<T>(Rc<T>);

impl<T> Slice<T> {
    pub(crate) fn new(value: T) -> Self {
        Self(Rc::new(value))
    }
}

impl<T> Clone for Slice<T> {
    fn clone(&self) -> Self {
        Self(Rc::clone(&self.0))
    }
}

impl<T> PartialEq for Slice<T> {
    fn eq(&self, other: &Self) -> bool {
        Rc::ptr_eq(&self.0, &other.0)
    }
}

impl<T> Deref for Slice<T> {
    type Target = T;

    fn deref(&self) -> &T {
        &self.0
    }
}

impl<T: Clone> DerefMut for Slice<T> {
    fn deref_mut(&mut self) -> &mut T {
        Rc::make_mut(&mut self.0)
    }
}
