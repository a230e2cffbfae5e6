//! Counts the bytes that each thread has allocated, in a program that uses [`Counting`]
//! as its allocator: `#[global_allocator] static COUNTING: Counting = Counting;`. Tests
//! of one file run at the same time, on a thread each.
#![expect(unsafe_code, reason = "GlobalAlloc is an unsafe trait")]

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;

/// System allocator that counts bytes.
#[derive(Debug)]
pub struct Counting;

thread_local! {
    // Negative in a thread that frees what others have allocated.
    static CURRENT: Cell<i64> = const { Cell::new(0) };
    static PEAK: Cell<i64> = const { Cell::new(0) };
}

/// Resets [`peak`] and returns the number of bytes currently allocated.
#[must_use]
pub fn start() -> i64 {
    PEAK.set(now());
    now()
}

/// Number of bytes currently allocated.
#[must_use]
pub fn now() -> i64 {
    CURRENT.get()
}

/// Maximum number of bytes allocated at any time since [`start`].
#[must_use]
pub fn peak() -> i64 {
    PEAK.get()
}

fn count(bytes: i64) {
    CURRENT.set(CURRENT.get() + bytes);
    PEAK.set(PEAK.get().max(CURRENT.get()));
}

// SAFETY: forwards every call to the system allocator unchanged. The counters have no
// destructor and are initialised at compile time, so counting allocates nothing.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        count(layout.size() as i64);
        // SAFETY: same contract as this function.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        count(-(layout.size() as i64));
        // SAFETY: same contract as this function.
        unsafe { System.dealloc(pointer, layout) }
    }
}
