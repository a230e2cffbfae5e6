//! Counts the bytes that are allocated, in a program that makes [`Counting`]
//! its allocator: `#[global_allocator] static COUNTING: Counting = Counting;`.
#![expect(unsafe_code, reason = "an allocator that counts is an unsafe trait")]

use std::alloc::{GlobalAlloc, Layout, System};
use std::sync::atomic::{AtomicUsize, Ordering};

/// The system's allocator, with its bytes counted.
#[derive(Debug)]
pub struct Counting;

static NOW: AtomicUsize = AtomicUsize::new(0);
static MOST: AtomicUsize = AtomicUsize::new(0);

/// The bytes allocated now; from here on [`most`] is found anew.
pub fn start() -> usize {
    let now = now();
    MOST.store(now, Ordering::Relaxed);
    now
}

/// The bytes allocated now.
#[must_use]
pub fn now() -> usize {
    NOW.load(Ordering::Relaxed)
}

/// The most bytes that were allocated at once since [`start`].
#[must_use]
pub fn most() -> usize {
    MOST.load(Ordering::Relaxed)
}

// SAFETY: every call is passed on to the system's allocator unchanged.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        let now = NOW.fetch_add(layout.size(), Ordering::Relaxed) + layout.size();
        MOST.fetch_max(now, Ordering::Relaxed);
        // SAFETY: as this function.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        NOW.fetch_sub(layout.size(), Ordering::Relaxed);
        // SAFETY: as this function.
        unsafe { System.dealloc(pointer, layout) }
    }
}
