//! Errors of the engine as exceptions of `supple.errors`, with their fields.

use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;
use pyo3::types::PyList;
use supple::batch::BatchError;
use supple::integrate::IntegrationError;
use supple::{AccessError, DynamicsError, NameError};
use supple_gpu::GpuError;
use supple_io::load::Refusal;
use supple_io::source::{FileError, Finding};
use supple_linear::LinearError;
use supple_run::RunError;

/// An error that becomes an exception.
pub trait Raise {
    /// The exception.
    fn raise(&self, py: Python<'_>) -> PyErr;
}

/// Results whose errors become exceptions.
pub trait OrRaise<T> {
    /// The value, or the exception.
    fn or_raise(self, py: Python<'_>) -> PyResult<T>;
}

impl<T, E: Raise> OrRaise<T> for Result<T, E> {
    fn or_raise(self, py: Python<'_>) -> PyResult<T> {
        self.map_err(|error| error.raise(py))
    }
}

/// A field of an exception.
pub type Field<'py> = (&'static str, Bound<'py, PyAny>);

/// A number, a text or nothing as a field.
pub fn field<'py>(
    py: Python<'py>,
    name: &'static str,
    value: impl IntoPyObject<'py, Error: Into<PyErr>>,
) -> Option<Field<'py>> {
    value.into_bound_py_any(py).ok().map(|value| (name, value))
}

use pyo3::IntoPyObjectExt;

/// An exception of `supple.errors` with these fields.
pub fn exception<'py>(
    py: Python<'py>,
    class: &str,
    message: impl ToString,
    fields: impl IntoIterator<Item = Option<Field<'py>>>,
) -> PyErr {
    let made = || -> PyResult<PyErr> {
        let value = py.import("supple.errors")?.getattr(class)?.call1((message.to_string(),))?;
        for (name, field) in fields.into_iter().flatten() {
            value.setattr(name, field)?;
        }
        Ok(PyErr::from_value(value))
    };
    made().unwrap_or_else(|_| PyRuntimeError::new_err(message.to_string()))
}

/// A mistake in the arguments of a call, with what to do about it.
pub fn bad_argument(py: Python<'_>, message: impl ToString, remedy: &str) -> PyErr {
    let text = format!("{}; {remedy}", message.to_string());
    exception(py, "ArgumentError", text, [field(py, "remedy", remedy)])
}

/// The name of a variant, from how it is printed for programmers.
fn variant(error: &impl std::fmt::Debug) -> String {
    format!("{error:?}").chars().take_while(char::is_ascii_alphanumeric).collect()
}

impl Raise for DynamicsError {
    fn raise(&self, py: Python<'_>) -> PyErr {
        if let Some(pending) = crate::python_error::take() {
            return pending;
        }
        let mut fields = vec![field(py, "kind", variant(self)), field(py, "remedy", self.remedy())];
        match self {
            Self::Singular { body, name } => {
                fields.extend([field(py, "body", name), field(py, "index", body.0)]);
            }
            Self::NotFinite { quantity, index } | Self::NotUnit { quantity, index } => {
                fields.extend([field(py, "quantity", *quantity), field(py, "index", *index)]);
            }
            Self::WrongSize { quantity, found, expected } => fields.extend([
                field(py, "quantity", *quantity),
                field(py, "found", *found),
                field(py, "expected", *expected),
            ]),
            Self::CannotClose { closure, name, miss } => fields.extend([
                field(py, "closure", name.clone()),
                field(py, "index", *closure),
                field(py, "found", *miss),
            ]),
            Self::Overflow { quantity } => fields.push(field(py, "quantity", *quantity)),
            _ => {}
        }
        exception(py, "DynamicsError", self, fields)
    }
}

impl Raise for NameError {
    fn raise(&self, py: Python<'_>) -> PyErr {
        let fields = [
            field(py, "what", self.what),
            field(py, "name", &self.name),
            field(py, "nearest", self.nearest.clone()),
            field(py, "known", self.known.clone()),
            field(py, "remedy", self.remedy()),
        ];
        exception(py, "UnknownNameError", self, fields)
    }
}

impl Raise for AccessError {
    fn raise(&self, py: Python<'_>) -> PyErr {
        exception(py, "ArgumentError", self, [field(py, "remedy", self.remedy())])
    }
}

/// A finding as an object with its fields.
fn finding<'py>(py: Python<'py>, found: &Finding) -> PyResult<Bound<'py, PyAny>> {
    let place = &found.place;
    let value = py.import("supple.errors")?.getattr("Finding")?.call0()?;
    let fields = [
        field(py, "file", &place.file),
        field(py, "line", place.line),
        field(py, "column", place.column),
        field(py, "source", &place.source),
        field(py, "subject", &found.subject),
        field(py, "what", found.what()),
        field(py, "expected", found.expected()),
        field(py, "remedy", found.remedy()),
    ];
    for (name, field) in fields.into_iter().flatten() {
        value.setattr(name, field)?;
    }
    Ok(value)
}

/// The findings of a file error, with the place of the first as fields of their own.
fn findings<'py>(py: Python<'py>, error: &FileError) -> Vec<Option<Field<'py>>> {
    let list: Vec<_> = error.findings().iter().filter_map(|found| finding(py, found).ok()).collect();
    let mut fields = vec![
        PyList::new(py, list).ok().map(|list| ("findings", list.into_any())),
        field(py, "omitted", error.omitted()),
    ];
    if let Some(first) = error.findings().first() {
        fields.extend([
            field(py, "file", &first.place.file),
            field(py, "line", first.place.line),
            field(py, "column", first.place.column),
            field(py, "remedy", first.remedy()),
        ]);
    }
    fields
}

impl Raise for FileError {
    fn raise(&self, py: Python<'_>) -> PyErr {
        exception(py, "FileError", self, findings(py, self))
    }
}

impl Raise for Refusal {
    fn raise(&self, py: Python<'_>) -> PyErr {
        match self {
            Self::Files(error) => error.raise(py),
            Self::Invalid(why) => exception(py, "FileError", self, [field(py, "remedy", &why.remedy)]),
            Self::Unsupported(why) => exception(py, "UnsupportedError", self, [field(py, "remedy", &why.remedy)]),
            _ => exception(py, "FileError", self, []),
        }
    }
}

impl Raise for BatchError {
    fn raise(&self, py: Python<'_>) -> PyErr {
        let mut fields = vec![field(py, "kind", variant(self))];
        match self {
            Self::Instances(list) => {
                let listed: Vec<(usize, String)> =
                    list.iter().map(|failed| (failed.instance, failed.error.to_string())).collect();
                fields.push(field(py, "instances", listed));
            }
            Self::Lanes(unlisted) => {
                let remedy = "a force element written in Python runs in no batch: take the verbs on single states";
                let text = format!("'{}' cannot be evaluated in lanes; {remedy}", unlisted.element);
                return exception(py, "UnsupportedError", text, [field(py, "remedy", remedy)]);
            }
            _ => {}
        }
        exception(py, "BatchError", self, fields)
    }
}

impl Raise for GpuError {
    fn raise(&self, py: Python<'_>) -> PyErr {
        match self {
            Self::Batch(error) => error.raise(py),
            _ => exception(py, "DeviceError", self, [field(py, "kind", variant(self))]),
        }
    }
}

impl Raise for LinearError {
    fn raise(&self, py: Python<'_>) -> PyErr {
        match self {
            Self::Dynamics(error) => error.raise(py),
            Self::Name(error) => error.raise(py),
            _ => {
                let fields = [field(py, "kind", variant(self)), field(py, "remedy", self.remedy())];
                exception(py, "LinearError", self, fields)
            }
        }
    }
}

impl Raise for IntegrationError {
    fn raise(&self, py: Python<'_>) -> PyErr {
        if let Some(pending) = crate::python_error::take() {
            return pending;
        }
        let fields = [field(py, "kind", variant(self)), field(py, "remedy", self.remedy())];
        exception(py, "IntegrationError", self, fields)
    }
}

impl Raise for RunError {
    fn raise(&self, py: Python<'_>) -> PyErr {
        let mut fields = self.findings().map(|error| findings(py, error)).unwrap_or_default();
        fields.push(field(py, "kind", format!("{:?}", self.kind)));
        if let Some(file) = &self.file {
            fields.push(field(py, "file", file.display().to_string()));
        }
        if self.line.is_some() {
            fields.push(field(py, "line", self.line));
        }
        if self.remedy.is_some() {
            fields.push(field(py, "remedy", self.remedy.clone()));
        }
        exception(py, if self.findings().is_some() { "FileError" } else { "RunError" }, self, fields)
    }
}
