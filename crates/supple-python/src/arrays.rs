//! Numbers of NumPy arrays as slices, and back.

use numpy::ndarray::{ArrayView, Dimension};
use numpy::npyffi::NPY_ARRAY_WRITEABLE;
use numpy::{IxDyn, PyArray, PyArray1, PyArray2, PyArrayDyn, PyArrayMethods, PyUntypedArrayMethods};
use pyo3::prelude::*;

use crate::errors::bad_argument;

/// Copies the numbers of an array or a sequence into `into`, which has the length that the model asks for.
pub fn read(py: Python<'_>, quantity: &str, from: &Bound<'_, PyAny>, into: &mut [f64]) -> PyResult<()> {
    let expected = into.len();
    let wrong = |found: usize| {
        let remedy = "give one number for each speed or coordinate of the model, rows first in a batch";
        bad_argument(py, format!("{quantity}: {found} numbers, this model needs {expected}"), remedy)
    };
    if let Ok(array) = from.cast::<PyArrayDyn<f64>>() {
        if array.len() != expected {
            return Err(wrong(array.len()));
        }
        if array.is_c_contiguous() {
            // SAFETY: contiguous, as long as its length says; nothing else runs while it is copied.
            into.copy_from_slice(unsafe { std::slice::from_raw_parts(array.data(), expected) });
            return Ok(());
        }
        // SAFETY: nothing else runs while it is copied.
        unsafe { array.as_array() }.iter().zip(into).for_each(|(x, y)| *y = *x);
        return Ok(());
    }
    let array = py.import("numpy")?.call_method1("asarray", (from, "float64"))?;
    let array = array.cast::<PyArrayDyn<f64>>()?;
    if array.len() != expected {
        return Err(wrong(array.len()));
    }
    // SAFETY: nothing else runs while it is copied.
    unsafe { array.as_array() }.iter().zip(into).for_each(|(x, y)| *y = *x);
    Ok(())
}

/// A fresh vector, or `out` filled with it.
pub fn vector<'py>(py: Python<'py>, values: &[f64], out: Option<&Bound<'py, PyAny>>) -> PyResult<Bound<'py, PyAny>> {
    match out {
        None => Ok(PyArray1::from_slice(py, values).into_any()),
        Some(out) => {
            with_out(py, out, &[values.len()], |into| into.copy_from_slice(values))?;
            Ok(out.clone())
        }
    }
}

/// Lets `fill` write into a fresh array of this shape, or into `out`.
pub fn filled<'py, R>(
    py: Python<'py>,
    shape: &[usize],
    out: Option<&Bound<'py, PyAny>>,
    fill: impl FnOnce(&mut [f64]) -> R,
) -> PyResult<(Bound<'py, PyAny>, R)> {
    match out {
        Some(out) => {
            let done = with_out(py, out, shape, fill)?;
            Ok((out.clone(), done))
        }
        None => {
            let array = PyArrayDyn::<f64>::zeros(py, IxDyn(shape), false);
            // SAFETY: just made, contiguous, known to nobody else.
            let done = fill(unsafe { std::slice::from_raw_parts_mut(array.data(), array.len()) });
            Ok((array.into_any(), done))
        }
    }
}

/// Lets `fill` write into an array that the caller gives.
fn with_out<R>(
    py: Python<'_>,
    out: &Bound<'_, PyAny>,
    shape: &[usize],
    fill: impl FnOnce(&mut [f64]) -> R,
) -> PyResult<R> {
    let array = out.cast::<PyArrayDyn<f64>>().map_err(|_| {
        bad_argument(py, "out is not an array of float64", "make it with numpy.empty and the shape of the result")
    })?;
    if array.shape() != shape {
        let found = format!("out has the shape {:?}, the result has {shape:?}", array.shape());
        return Err(bad_argument(py, found, "make it with numpy.empty and the shape of the result"));
    }
    // SAFETY: the object is an array.
    let flags = unsafe { (*numpy::npyffi::_PyArray_GET_ITEM_DATA(array.as_array_ptr())).flags };
    if flags & NPY_ARRAY_WRITEABLE == 0 || !array.is_c_contiguous() {
        return Err(bad_argument(py, "out is read-only or not contiguous", "make it with numpy.empty"));
    }
    // SAFETY: writable, contiguous, as long as its shape says; results are written after everything was read.
    Ok(fill(unsafe { std::slice::from_raw_parts_mut(array.data(), array.len()) }))
}

/// A fresh matrix.
pub fn matrix<'py>(
    py: Python<'py>,
    rows: usize,
    columns: usize,
    values: &[f64],
) -> PyResult<Bound<'py, PyArray2<f64>>> {
    PyArray1::from_slice(py, values).reshape([rows, columns])
}

/// An array that shows `values`, which `owner` keeps at their place as long as it lives.
///
/// # Safety
/// The memory of `values` belongs to `owner` and is never moved.
pub unsafe fn view<'py, D: Dimension>(
    owner: Bound<'py, PyAny>,
    shape: impl numpy::ndarray::ShapeBuilder<Dim = D> + Into<numpy::ndarray::StrideShape<D>>,
    values: &[f64],
) -> PyResult<Bound<'py, PyArray<f64, D>>> {
    let py = owner.py();
    let array = ArrayView::from_shape(shape, values).map_err(|error| bad_argument(py, error, "this is a defect"))?;
    // SAFETY: as the caller promises.
    Ok(unsafe { PyArray::borrow_from_array(&array, owner) })
}
