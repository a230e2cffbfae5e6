//! Counts allocated bytes, in a program that uses [`Counting`] as its allocator:
//! `#[global_allocator] static COUNTING: Counting = Counting;`.
#![expect(unsafe_code, reason = "GlobalAlloc is an unsafe trait")]

use std::alloc::{GlobalAlloc, Layout, System};
use std::sync::atomic::{AtomicUsize, Ordering};

/// System allocator that counts bytes.
#[derive(Debug)]
pub struct Counting;

static CURRENT: AtomicUsize = AtomicUsize::new(0);
static PEAK: AtomicUsize = AtomicUsize::new(0);

/// Resets [`peak`] and returns the number of bytes currently allocated.
pub fn start() -> usize {
    let now = now();
    PEAK.store(now, Ordering::Relaxed);
    now
}

/// Number of bytes currently allocated.
#[must_use]
pub fn now() -> usize {
    CURRENT.load(Ordering::Relaxed)
}

/// Maximum number of bytes allocated at any time since [`start`].
#[must_use]
pub fn peak() -> usize {
    PEAK.load(Ordering::Relaxed)
}

// SAFETY: forwards every call to the system allocator unchanged.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        let now = CURRENT.fetch_add(layout.size(), Ordering::Relaxed) + layout.size();
        PEAK.fetch_max(now, Ordering::Relaxed);
        // SAFETY: same contract as this function.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        CURRENT.fetch_sub(layout.size(), Ordering::Relaxed);
        // SAFETY: same contract as this function.
        unsafe { System.dealloc(pointer, layout) }
    }
}
