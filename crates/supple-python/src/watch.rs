//! Long calls: they compute without the lock of the interpreter, while another thread looks for Ctrl-C and hands progress on.

use std::sync::mpsc::{RecvTimeoutError, channel};
use std::thread;
use std::time::Duration;

use pyo3::prelude::*;
use pyo3::types::PyTuple;
use supple_run::Interrupt;

/// How often a long call looks for Ctrl-C.
pub const LOOK: Duration = Duration::from_millis(50);

/// What a long call gave, and what was raised in Python meanwhile.
pub struct Watched<T> {
    /// What it gave, early where something was raised.
    pub value: T,
    /// Ctrl-C, or the error of a function that was shown the progress.
    pub raised: Option<PyErr>,
}

/// Computes in a thread of its own. `progress` is called with what that thread sends; whatever is raised in Python sets `interrupt`.
pub fn watched<T: Send, P: Send>(
    py: Python<'_>,
    interrupt: &Interrupt,
    progress: Option<&Py<PyAny>>,
    arguments: impl for<'py> Fn(Python<'py>, &P) -> PyResult<Bound<'py, PyTuple>> + Sync,
    work: impl FnOnce(&mut dyn FnMut(P)) -> T + Send,
) -> Watched<T> {
    let mut raised = None;
    let value = py.detach(|| {
        thread::scope(|scope| {
            let (sender, shown) = channel();
            let computing = scope.spawn(move || {
                // Nobody listens once the call has ended.
                work(&mut |now| drop(sender.send(now)))
            });
            loop {
                let now = match shown.recv_timeout(LOOK) {
                    Ok(now) => Some(now),
                    Err(RecvTimeoutError::Timeout) => None,
                    Err(RecvTimeoutError::Disconnected) => break,
                };
                if raised.is_some() {
                    continue;
                }
                let looked = Python::attach(|py| {
                    py.check_signals()?;
                    let (Some(call), Some(now)) = (progress, &now) else { return Ok(()) };
                    call.call1(py, arguments(py, now)?).map(drop)
                });
                if let Err(error) = looked {
                    raised = Some(error);
                    interrupt.interrupt();
                }
            }
            computing.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))
        })
    });
    Watched { value, raised }
}
