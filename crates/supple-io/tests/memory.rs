//! Memory follows the text, not the numbers in it.

mod support;

use std::alloc::{GlobalAlloc, Layout, System};
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

use serde_json::json;
use supple_io::case::Case;
use support::case;

struct Measured;

static NOW: AtomicUsize = AtomicUsize::new(0);
static PEAK: AtomicUsize = AtomicUsize::new(0);

// SAFETY: every call goes to the system's allocator unchanged.
unsafe impl GlobalAlloc for Measured {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        PEAK.fetch_max(NOW.fetch_add(layout.size(), Relaxed) + layout.size(), Relaxed);
        // SAFETY: the caller keeps the contract of `alloc`.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, memory: *mut u8, layout: Layout) {
        NOW.fetch_sub(layout.size(), Relaxed);
        // SAFETY: the caller keeps the contract of `dealloc`.
        unsafe { System.dealloc(memory, layout) }
    }
}

#[global_allocator]
static ALLOCATOR: Measured = Measured;

/// Bytes above those in use now that reading a text takes.
fn peak_of_reading(text: &str) -> usize {
    let before = NOW.load(Relaxed);
    PEAK.store(before, Relaxed);
    let _ = Case::from_json(text);
    PEAK.load(Relaxed) - before
}

#[test]
fn absurd_sizes_and_floods() {
    let mut many_modes = case("tree_5_flex");
    for body in many_modes["model"]["bodies"].as_array_mut().unwrap() {
        body["nm"] = json!(1_000_000_000);
    }
    let start = "{\"schema\": \"supple-oracle-1\", \"kind\": \"tree\", \"model\": ";
    let megabyte = 1 << 20;
    for (what, text, limit) in [
        ("a sound case", case("tree_5_flex").to_string(), megabyte),
        ("modes", many_modes.to_string(), megabyte),
        ("numbers", format!("{start}{{\"gravity\": [{}0]}}}}", "0,".repeat(500_000)), megabyte),
        ("bodies", format!("{start}{{\"bodies\": [{}0]}}}}", "0,".repeat(500_000)), 64 * megabyte),
        ("members", format!("{start}{{{}\"a\":0}}}}", "\"a\":0,".repeat(170_000)), megabyte),
        ("depth", "[".repeat(1_000_000), 64 * megabyte),
        ("answers", format!("{{\"expected\": [{}0]}}", "0,".repeat(500_000)), 256 * megabyte),
    ] {
        let peak = peak_of_reading(&text);
        println!("{what}: {} bytes of text, {peak} bytes of memory", text.len());
        assert!(peak < limit, "{what}: {peak} bytes");
    }
}
