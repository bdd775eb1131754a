//! The system's allocator with a count of what the current thread asks of it.

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;

struct CountingAllocator;

#[global_allocator]
static ALLOCATOR: CountingAllocator = CountingAllocator;

thread_local! {
    static ALLOCATIONS: Cell<u64> = const { Cell::new(0) };
    static BYTES: Cell<i64> = const { Cell::new(0) };
}

/// Adds one request, unless the thread is ending.
fn count(bytes: i64) {
    let _ = ALLOCATIONS.try_with(|n| n.set(n.get() + 1));
    let _ = BYTES.try_with(|n| n.set(n.get() + bytes));
}

// SAFETY: every request goes to the system's allocator unchanged; the counters neither allocate nor unwind.
unsafe impl GlobalAlloc for CountingAllocator {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        count(layout.size() as i64);
        // SAFETY: the caller's promise for `layout` is passed on.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        let _ = BYTES.try_with(|n| n.set(n.get() - layout.size() as i64));
        // SAFETY: `pointer` came from `alloc` above with this `layout`.
        unsafe { System.dealloc(pointer, layout) }
    }

    unsafe fn realloc(&self, pointer: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        count(size as i64 - layout.size() as i64);
        // SAFETY: `pointer` came from `alloc` above with this `layout`.
        unsafe { System.realloc(pointer, layout, size) }
    }
}

/// Requests of this thread while `work` runs.
#[allow(dead_code)] // not every test counts requests
pub fn allocations(work: impl FnOnce()) -> u64 {
    let before = ALLOCATIONS.get();
    work();
    ALLOCATIONS.get() - before
}

/// What `make` gives, and the bytes that it still holds.
#[allow(dead_code)] // not every test measures memory
pub fn held<R>(make: impl FnOnce() -> R) -> (R, i64) {
    let before = BYTES.get();
    let made = make();
    (made, BYTES.get() - before)
}
