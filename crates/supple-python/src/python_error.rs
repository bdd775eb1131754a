//! Exceptions of functions written in Python that the engine calls. The engine gets numbers that are not finite and stops; the call that led there
//! raises the exception. A function runs on the thread of that call.

use std::cell::RefCell;

use pyo3::PyErr;

thread_local! {
    static PENDING: RefCell<Option<PyErr>> = const { RefCell::new(None) };
}

/// Keeps an exception, unless there is an earlier one.
pub fn keep(error: PyErr) {
    PENDING.with(|pending| {
        pending.borrow_mut().get_or_insert(error);
    });
}

/// Takes the exception that is kept, if any.
pub fn take() -> Option<PyErr> {
    PENDING.with(|pending| pending.borrow_mut().take())
}

/// Whether there is one.
pub fn is_pending() -> bool {
    PENDING.with(|pending| pending.borrow().is_some())
}
